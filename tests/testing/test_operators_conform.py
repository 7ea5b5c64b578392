"""Conformance tests, assertions and strategies of operators: right ones pass, planted faults are found."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import Phase, given, settings

import clmath
from clmath.testing import assert_conforms, conformance_test
from clmath.testing import strategies as cl
from tests.cases import for_each

QUICK = settings(max_examples=20, deadline=None, database=None, phases=[Phase.generate])
RIGHT = [
    ("add", ["int", "uint", "uchar"]),
    ("div", ["int", "ulong", "char"]),
    ("rem", ["long"]),
    ("left_shift", ["ushort", "int4"]),
    ("bitwise_not", ["short"]),
    ("negative", ["int", "half"]),
    ("less_equal", ["float", "ulong", "double2"]),
    ("logical_or", ["half", "uint3"]),
]
WRONG = {
    "shifts by all bits": ("left_shift", "int", lambda x, y: np.where((y < 0) | (y > 31), 0, clmath.left_shift(x, y))),
    "does not promote": ("mul", "uchar", lambda x, y: (x * y).astype(np.int32)),
    "rounds down": ("div", "int", lambda x, y: x // y),
    "takes the divisor's sign": ("rem", "short", lambda x, y: np.remainder(x.astype(np.int32), y)),
    "compares as signed": ("greater", "uint", lambda x, y: (x.view("i4") > y.view("i4")).astype(np.int32)),
    "1 in lanes": ("equal", "float4", lambda x, y: (x == y).astype(np.int32)),
}


def call(function):
    def called(*args):
        with np.errstate(all="ignore"):
            return function(*args)

    return called


@for_each("name, types", RIGHT)
def test_right_ones_pass(name, types):
    function = getattr(clmath, name)
    for type_ in types:
        vector = type_[-1].isdigit()
        conformance_test(lambda *a, v=vector: function(*a, vector=v), name, types=[type_], settings=QUICK)()


@pytest.mark.slow
@for_each("fault", WRONG)
def test_wrong_ones_are_found(fault):
    name, type_, function = WRONG[fault]
    with pytest.raises(AssertionError, match=rf"^{name}\("):
        conformance_test(call(function), name, types=[type_], settings=QUICK)()


def test_what_the_text_leaves_open_passes_whatever_it_is():
    x, y = np.int32([2**31 - 1, 5]), np.int32([1, 0])
    assert_conforms(np.int32([7, 5]), "add", (x, y))
    assert_conforms(np.int32([2**31 - 1, 99]), "div", (x, y))
    with pytest.raises(AssertionError):
        assert_conforms(np.int32([7, 6]), "add", (x, y))


@given(cl.arguments("div", "int"), cl.arguments("rem", "char", shape=5))
@QUICK
def test_nothing_is_divided_by_zero(scalars, arrays):
    assert int(scalars[1]) != 0
    assert arrays[1].all()
