"""Operators: correct ones pass, each fault fails, and no call is made that might end a program."""

# ruff: noqa: ARG005 - every fault takes the arguments of the operator

from __future__ import annotations

import itertools

import numpy as np
import pytest

from clmath.audit.exact import exact_criteria
from clmath.audit.inputs import operands
from clmath.audit.plan.plan import Plan
from clmath.audit.plan.rows import item_for, item_of
from clmath.audit.plan.types import TYPES
from clmath.audit.targets.clmath_functions import Clmath
from clmath.audit.targets.function import Function
from clmath.direct.expressions import is_no_quotient
from clmath.spec.families import audited_builtins
from tests.audit.faulty import Faulty, verdicts
from tests.cases import for_each

OPERATORS = [row for row in audited_builtins() if row.chapter == "operators"]
VECTORS = (1, 2, 3, 16)


def saturating(result, x, y):  # noqa: ARG001
    return np.where((result < x) & (x.dtype.kind == "u"), np.iinfo(x.dtype).max, result)


FAULTS = {
    "a sum saturates": ("add", "uint", saturating),
    "a product loses its top bit": ("mul", "ulong", lambda r, x, y: r & np.uint64(2**63 - 1)),
    "a difference of short is not promoted": ("sub", "ushort", lambda r, x, y: r.astype(np.uint16)),
    "a quotient is rounded down": ("div", "int", lambda r, x, y: np.floor_divide(x, np.where(y == 0, 1, y))),
    "a remainder has the sign of the divisor": ("rem", "long", lambda r, x, y: np.remainder(x, np.where(y == 0, 1, y))),
    "a count is not taken modulo 32": ("left_shift", "uint", lambda r, x, y: np.where(y > 31, 0, r)),
    "zeros come in at the sign": (
        "right_shift",
        "int",
        lambda r, x, y: (x.view("u4") >> (y.view("u4") & 31)).view("i4"),
    ),
    "or for exclusive or": ("bitwise_xor", "char", lambda r, x, y: x | y),
    "not is a sign": ("bitwise_not", "short", lambda r, x: -x),
    "unsigned as signed": ("less", "uint", lambda r, x, y: x.view("i4") < y.view("i4")),
    "zeros differ": ("equal", "float", lambda r, x, y: x.view("u4") == y.view("u4")),
    "NaN is equal": ("not_equal", "float", lambda r, x, y: (x != y) & ~np.isnan(x)),
    "NaN is false": ("logical_and", "double", lambda r, x, y: r & ~np.isnan(x)),
    "-0 is true": ("logical_not", "half", lambda r, x: x.view("u2") == 0),
    "the sign of zero stays": ("negative", "float", lambda r, x: 0 - x),
    "a condition is its sign": ("select_operator", "int", lambda r, a, b, c: np.where(c < 0, b, a)),
    "a choice flushes": ("select_operator", "float", lambda r, a, b, c: np.where(np.abs(r) < 1e-38, 0, r)),
}


def failed(target, rows, types, widths=(1,), count=500):
    return {str(v.item): v.tally.failed for v in verdicts(target, rows, types, inputs=count, widths=widths)}


def in_first(result, *_):
    """Return vectors in which only the first component is correct."""
    return np.where(np.arange(result.shape[-1]) > 0, 0, result)


WIDENED_FAULTS = {
    "the scalar is in the first lane alone": ("add_scalar", "int", in_first),
    "scalar and vector are exchanged": ("scalar_sub", "uint", lambda r, x, y: y - x[:, np.newaxis]),
    "a divisor is one lane": ("scalar_div", "long", lambda r, x, y: np.broadcast_to(r[:, :1], r.shape)),
    "a count is not taken modulo 32": ("left_shift_scalar", "uint", lambda r, x, n: np.where(n[:, None] > 31, 0, r)),
    "a count of uchar is taken modulo 32": (
        "right_shift_scalar", "uchar", lambda r, x, n: np.where(n[:, None] & 31 > 7, 0, x >> (n[:, None] & 7)),
    ),
    "a sum of ushort saturates": (
        "add_scalar", "ushort", lambda r, x, y: np.minimum(x.astype(int) + y[:, None], 2**16 - 1),
    ),
    "a vector is compared with its own lane": ("less_scalar", "double", lambda r, x, y: -(x < x[:, :1]).astype(int)),
    "true is 1": ("scalar_equal", "half", lambda r, x, y: np.abs(r)),
    "a NaN that is widened is false": (
        "logical_or_scalar", "float", lambda r, x, y: -((x != 0) | (np.abs(y[:, None]) > 0)).astype(int),
    ),
    "the scalar of floats is in the first lane alone": ("scalar_add", "float", in_first),
    "each lane of floats has the first quotient": (
        "div_scalar", "half", lambda r, x, y: np.broadcast_to(r[:, :1], r.shape),
    ),
    "a difference of floats is exchanged": ("scalar_sub", "float", lambda r, x, y: y - x[:, None]),
    "a quotient of doubles is exchanged": ("div_scalar", "double", lambda r, x, y: y[:, None] / x),
    "a factor is rounded to half": ("mul_scalar", "float", lambda r, x, y: x * y[:, None].astype("f2").astype("f4")),
    "a literal of double is one of float": ("add_scalar", "double", lambda r, x, y: x + y[:, None].astype("f4")),
    "a dividend is converted to an integer": (
        "scalar_div", "float", lambda r, x, y: np.where(np.abs(x[:, None]) < 2**31, np.trunc(x[:, None]) / y, r),
    ),
    "a narrower scalar is extended with zeros": ("add_narrow", "uint", lambda r, x, y: x + (y & 0x7FFF)[:, None]),
    "the sign of a narrower scalar is lost": (
        "narrow_less", "long", lambda r, x, y: np.where(x.view("u4")[:, None] < y, -1, 0),
    ),
    "components are converted to the narrower type": (
        "equal_narrow", "double", lambda r, x, y: -(x.astype("f4") == y[:, None]).astype(int),
    ),
    "the sign of a scalar zero is lost": ("scalar_mul", "half", lambda r, x, y: (x + np.float16(0))[:, None] * y),
}  # fmt: skip


def test_operators_of_numpy_accept_vectors_and_scalars():
    """Next to a vector, a scalar has an axis of length one, so that NumPy broadcasts it."""
    written = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "bitwise_or": np.bitwise_or}
    target = Function(lambda name, x, y: written[name](x, y), "numpy")
    rows = [row for row in OPERATORS if "scalar" in row.name and row.called in written]
    found = failed(target, rows, ["float", "uint"], count=20)
    assert len(found) == 2 * 3 + 2 * 4
    assert not any(found.values())


@pytest.mark.slow
@for_each("fault", WIDENED_FAULTS)
def test_faults_of_vector_and_scalar_fail_with_default_inputs(fault):
    name, type_, wrong = WIDENED_FAULTS[fault]
    rows = [row for row in OPERATORS if row.name == name]
    (count,) = failed(Faulty(wrong, name), rows, [type_], count="quick").values()
    assert count
    assert not any(failed(Clmath(), rows, [type_], count="quick").values())


def test_scalars_are_widened_to_every_width():
    """Both sides, integers and floats: a fault in the last of 16 components is met."""
    for type_, name in itertools.product(("uint", "float"), ("_scalar", "scalar_")):
        rows = [row for row in OPERATORS if name in row.name and row.takes(type_)]
        assert {item.components for item in Plan.of(rows, [type_]).items()} == {2, 3, 4, 8, 16}


@pytest.mark.slow
@for_each("fault", FAULTS)
def test_faults_fail(fault):
    name, type_, wrong = FAULTS[fault]
    rows = [row for row in OPERATORS if row.name == name]
    assert failed(Faulty(wrong, name), rows, [type_])[f"{name} {type_}"]
    assert not failed(Clmath(), rows, [type_])[f"{name} {type_}"]


def test_true_is_minus_one_in_vectors_and_one_in_scalars():
    rows = [row for row in OPERATORS if row.name == "greater"]
    found = failed(Faulty(lambda r, x, y: np.abs(r), "greater"), rows, ["float", "uchar"], VECTORS)
    assert not found["greater float"]
    assert found["greater float2"]
    assert found["greater uchar16"]
    found = failed(Faulty(lambda r, x, y: -np.abs(r), "greater"), rows, ["float"], (1, 2))
    assert found["greater float"]
    assert not found["greater float2"]


def test_condition_in_a_vector_is_the_sign():
    rows = [row for row in OPERATORS if row.name == "select_operator"]
    faulty = Faulty(lambda r, a, b, c: np.where(c != 0, b, a), "select_operator")
    found = failed(faulty, rows, ["short", "half"], (1, 16))
    assert [name for name, count in found.items() if count] == ["select_operator half16", "select_operator short16"]


def test_clmath_defines_all_operators_and_passes():
    found = failed(Clmath(), OPERATORS, ["int", "double"], (1, 3), 20)
    assert len(found) == 2 * (11 * 1 + 12 * 2) + (10 + 8 + 16) + 16 + 8 + 5 + 2 * 3
    assert not any(found.values())


@for_each("name", ["div", "rem"])
@for_each("type_", ["char", "uchar", "int", "uint", "long"])
def test_division_by_zero_and_overflow_do_not_occur(name, type_):
    (row,) = [row for row in OPERATORS if row.name == name]
    for vector in (1, 4):
        item = item_of(row, TYPES[type_], vector=vector)
        for columns in (operands.structured(item), operands.random_columns(item, np.random.default_rng(1), 5000)):
            x, y = (c.astype(item.result.dtype) for c in columns)
            assert not is_no_quotient(x, y).any()
    if type_ == "char":
        assert ((columns[0] == -128) | (columns[1] == -1)).any()


OPEN = {  # unspecified calls: one for each rule, and the nearest call that is judged
    "add": ([2**31 - 1, 2**31 - 1], [1, 0]),
    "sub": ([-(2**31), -(2**31)], [1, 0]),
    "mul": ([2**16, 2**16], [2**15, 2**14]),
    "div": ([1, 1], [0, 1]),
    "rem": ([-(2**31), -(2**31)], [-1, 1]),
    "negative": ([-(2**31), -(2**31) + 1],),
}


@for_each("name", OPEN)
def test_unspecified_calls_are_not_judged(name):
    (row,) = [row for row in OPERATORS if row.name == name]
    args = tuple(np.array(column, np.int32) for column in OPEN[name])
    item = item_for(row, TYPES["int"], args)
    assert exact_criteria.unspecified_in_row(item.builtin, args, np.zeros(2, np.int32)).tolist() == [True, False]
    small = tuple(np.zeros(2, np.int8) + 1 for _ in args)
    short = item_for(row, TYPES["char"], small)
    assert not exact_criteria.unspecified_in_row(
        short.builtin, (np.int8([-128, 1]), *small[1:]), np.zeros(2, np.int32)
    ).any()
