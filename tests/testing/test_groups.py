"""Functions of groups in clmath.testing: what they draw, what passes, and what is caught."""

import numpy as np
import pytest
from hypothesis import given, settings

import clmath
from clmath.spec.families import families
from clmath.testing import assert_conforms, assert_correctly_rounded, conformance_test
from clmath.testing import strategies as cl
from tests.cases import for_each

NAMES = [row.name for row in families().values() if row.chapter == "groups" and len(row.inputs) == 1]
FEW = settings(max_examples=8, deadline=None)


def one_after_the_other(x):
    return np.add.accumulate(x, axis=-1)[..., -1]


@for_each("name", NAMES)
def test_what_is_drawn_is_taken(name):
    row = families()[name]

    @FEW
    @given(cl.arguments(name, row.types[-1], shape=(2,)))
    def check(args):
        (x,) = args
        assert x.shape[:-1] == (2,)
        assert x.shape[-1] >= 1
        assert_conforms(getattr(clmath, name)(x), name, args)
        assert_correctly_rounded(getattr(clmath, name)(x), name, args)

    check()


@pytest.mark.parametrize("name", ["work_group_scan_inclusive_add", "sub_group_reduce_min", "work_group_all"])
def test_clmath_conforms(name):
    conformance_test(getattr(clmath, name), name, types=[families()[name].types[0]], settings=FEW)()


def test_any_order_of_additions_conforms_and_is_not_correctly_rounded():
    x = np.float32([1.0, 2.0**-24, 2.0**-24])
    assert_conforms(one_after_the_other(x), "work_group_reduce_add", (x,))
    with pytest.raises(AssertionError, match=r"want 0x1\.000002p"):
        assert_correctly_rounded(one_after_the_other(x), "work_group_reduce_add", (x,))
    conformance_test(one_after_the_other, "work_group_reduce_add", types=["half"], settings=FEW)()


FAULTS = {
    "the last one is dropped": ("work_group_reduce_add", "float", lambda x: one_after_the_other(x[..., :-1])),
    "integers are dropped": ("sub_group_reduce_add", "ulong", lambda x: x[..., 1:].sum(axis=-1, dtype=x.dtype)),
    "the first one alone": ("work_group_any", "int", lambda x: x[..., 0] != 0),
    "an exclusive scan is inclusive": (
        "sub_group_scan_exclusive_max",
        "long",
        lambda x: np.maximum.accumulate(x, axis=-1),
    ),
    "the greatest is signed": ("work_group_reduce_max", "uint", lambda x: x.view("i4").max(axis=-1).view("u4")),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", list(FAULTS))
def test_planted_faults_are_caught(fault):
    name, type_, wrong = FAULTS[fault]
    with pytest.raises(AssertionError, match=rf"{name}\(\("), np.errstate(all="ignore"):
        conformance_test(wrong, name, types=[type_], settings=FEW)()


def test_a_result_of_another_shape_is_refused():
    x = np.int32([[1, 2], [3, 4]])
    with pytest.raises(AssertionError, match=r"int32 of shape \(2,\) is due"):
        assert_conforms(x, "work_group_reduce_add", (x,))
    with pytest.raises(AssertionError, match=r"int32 of shape \(2, 2\) is due"):
        assert_conforms(x[0], "work_group_scan_inclusive_add", (x,))
