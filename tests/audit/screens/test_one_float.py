"""Correctly rounded results that the compiled loop's criteria accept at once."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from clmath.audit.screens.one_float import is_rounded_to_float
from clmath.numbers.formats import FLOAT

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
