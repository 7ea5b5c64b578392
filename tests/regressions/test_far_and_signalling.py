"""Found on a GPU: right results blamed where an error is beyond double, or where a NaN beside them signals."""

import numpy as np
import pytest

from clmath.audit.judge.piece import judge
from clmath.audit.law.law import Law
from clmath.audit.plan.item import Item
from clmath.numbers.formats import DOUBLE, FLOAT
from clmath.spec.builtins import builtin

LAW = Law("full", "rte", flushes=False)
SIGNALLING = {FLOAT: 0x7F800001, DOUBLE: 0x7FF0000000000001}


def failed(name, form, p, result):
    """Whether ``result`` is blamed for one call with the lanes ``p``: those of p0 first; None: a signalling NaN."""
    lanes = [form.from_bits([SIGNALLING[form]]) if x is None else np.array([x], form.dtype) for x in p]
    row = builtin(name)
    item = Item(row, form, len(p) // len(row.inputs))
    return judge(item, tuple(lanes), (np.array([result], form.dtype),), LAW).failed == 1


A, B = float.fromhex("0x1.1c96376f466c3p+49"), float.fromhex("-0x1.9ed3d51232119p+45")


def test_a_fused_product_leaves_what_the_other_one_rounded_off():
    rest = float.fromhex("0x1.b9e3c84e74fd4p+40")  # of A * B, which is what fma(A, B, -(A * B)) gives
    assert not failed("dot", DOUBLE, (A, B, B, -A), rest)
    assert failed("dot", DOUBLE, (A, B, B, -A), 16 * rest)
    assert not failed("dot", DOUBLE, (2.0**52 + 1, -1.5, -(2.0**51) - 0.5, 1.5, 2.0**52 + 1, 5e-324), -0.5)


@pytest.mark.parametrize("form", [FLOAT, DOUBLE], ids=str)
def test_an_infinity_beside_any_nan_is_open(form):
    assert not failed("length", form, (np.inf, None), np.inf)
    assert not failed("length", form, (np.inf, np.nan), np.inf)
    assert failed("length", form, (1.0, None), np.inf)
    assert failed("length", form, (1.0, np.nan), np.inf)


def test_a_difference_that_overflows_is_an_infinity():
    large, small = 2.0**127, 2.0**100
    assert not failed("distance", FLOAT, (np.nan, large, 0.5, -large), np.inf)
    assert failed("distance", FLOAT, (np.nan, small, 0.5, -small), np.inf)
