"""Results of the compiled loop's criteria: correctly rounded ones are known, errors have close bounds."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from clmath.audit.acceptance.limits import limited
from clmath.audit.acceptance.values import value_of
from clmath.audit.screens.one_float import PLAIN, is_rounded_to_float, judged
from clmath.numbers.formats import FLOAT
from clmath.numbers.rounded_encodings import RTE

ULP = 2.0**-23


def elements():
    """Return (value, err) with ends in double: at, near and between numbers and midpoints, at the limits of float."""
    shares = [1.0 + k * ULP / 8.0 for k in range(17)]
    shares += [1.0 + ULP / 2.0 + s * 2.0**-k for s in (1.0, -1.0) for k in (30, 40, 50)]
    places = [
        0,
        5,
        -60,
        FLOAT.emin,
        FLOAT.emin - 1,
        FLOAT.emin - 20,
        FLOAT.quantum,
        -150,
        -151,
        -160,
        126,
        127,
        128,
        140,
    ]
    found = []
    for share, place, sign in itertools.product(shares, places, (1.0, -1.0)):
        value = sign * math.ldexp(share, place)
        found += [(value, err) for err in (0.0, *(math.ldexp(1.0, place - k) for k in (52, 48, 30)))]
    largest = float(FLOAT.largest)
    found += [
        (s * (largest + 2.0**103 + d), err)
        for s in (1.0, -1.0)
        for d in (0.0, 2.0**80, -(2.0**80))
        for err in (0.0, 2.0**79, 2.0**81)
    ]
    return [*found, (0.0, 0.0), (-0.0, 0.0), (math.inf, 0.0), (-math.inf, 0.0)]


def to_float(x):
    with np.errstate(all="ignore"):
        return np.asarray(x, np.float64).astype(np.float32)


@pytest.fixture(scope="module")
def ends():
    """Return values and errors, and both ends rounded."""
    value, err = (np.array(column) for column in zip(*elements(), strict=True))
    with np.errstate(all="ignore"):
        return value, err, to_float(value - err), to_float(np.where(err > 0.0, value + err, value))


def is_far(value, err):
    """Whether the interval is far from every float and from every midpoint."""
    size = np.abs(value)
    with np.errstate(all="ignore"):
        place = np.maximum(np.floor(np.log2(np.where((size > 0) & np.isfinite(size), size, 1.0))) - 23.0, FLOAT.quantum)
        steps = np.ldexp(np.where(np.isfinite(size), size, 0.0), -place.astype(int))
    return (
        (err > 0.0)
        & (np.abs(2.0 * steps - np.rint(2.0 * steps)) > 2.0**-6)
        & (err < np.ldexp(2.0**-20, place.astype(int)))
    )


def test_known_roundings_equal_the_rounded_ends(ends):
    value, err, low, high = ends
    with np.errstate(all="ignore"):
        enclosed = value_of((value, 0.0, err, 0), FLOAT, RTE)
        known = limited({}, enclosed, PLAIN).due.is_known | enclosed.zero  # a zero of either sign is acceptable
    same = low.view(np.uint32) == high.view(np.uint32)
    assert same[known].all()
    assert known[err == 0.0].all()
    with np.errstate(all="ignore"):
        outside = (np.abs(value) - err >= 2.0**128) | (np.abs(value) + err < 2.0**-150)
    assert known[outside & np.isfinite(value)].all()
    assert known[is_far(value, err) & (np.abs(value) > 2.0**-120)].all()
    assert (~known).any()


@pytest.mark.parametrize("steps", [0, 1, -1])
def test_is_rounded_to_float_accepts_only_correct_roundings(ends, steps):
    """All correct roundings are accepted if err = 0, or if no midpoint is near."""
    value, err, low, high = ends
    code = low.view(np.int32).astype(np.int64) + steps
    got = code.astype(np.int32).view(np.float32)
    with np.errstate(all="ignore"):
        found = is_rounded_to_float(value, err, code)
    is_right = (got.view(np.uint32) == low.view(np.uint32)) & (got.view(np.uint32) == high.view(np.uint32))
    assert is_right[found].all()
    if steps == 0:
        assert found[err == 0.0].all()
        assert found[is_far(value, err) & (np.abs(value) > 2.0**-120)].all()
    else:
        assert not found.any()


def test_nan_accepts_any_quiet_nan():
    """A number or a signaling NaN is not accepted for NaN; NaN is not accepted for a number."""
    nan, one = np.full(5, np.nan), np.ones(5)
    codes = np.array([0x7FC00000, -0x400000, 0x7FFFFFFF, 0x7F800001, 0x3F800000], np.int64)
    with np.errstate(all="ignore"):
        assert is_rounded_to_float(nan, 0.0 * one, codes).tolist() == [True, True, True, False, False]
        assert is_rounded_to_float(one, 0.0 * one, codes).tolist() == [False, False, False, False, True]


def test_bounds_on_errors_are_close_on_both_sides():
    """Results some numbers away from a value between two; results that fail have bounds, too."""
    steps = np.array([0, 1, -1, 3, -3, 40, -40], np.int64)
    value, code = np.full(7, 1.25 + 0.25 * ULP + 2.0**-50), 0x3FA00000 + steps
    with np.errstate(all="ignore"):
        zero, one = np.zeros(7), np.ones(7)
        conforms, fails, least, most, _ = judged(one, value, zero, code, zero, 4.0 * one, 5.0 * one, zero)
    assert conforms.tolist() == [True] * 5 + [False] * 2
    assert fails.tolist() == [False] * 5 + [True] * 2
    error = np.abs(steps - 0.25 - 2.0**-27)
    assert (np.abs(least - error) <= 2.0**-30 * error).all()
    assert (np.abs(most - error) <= 2.0**-30 * error).all()
