"""Enclosures rounded to double by SIMD functions equal the exact rounding of fractions, in every mode."""

import numpy as np
import pytest

from clmath.numbers.formats import DOUBLE
from clmath.numbers.rounded_encodings import (
    MODE_NUMBERS,
    encoded_ends,
    saturated,
    to_double,
    to_normal_double,
)
from clmath.numbers.rounding import MODES

COUNT = 3000


def pairs(count=COUNT):
    """Heads next to powers of two and others, rests from tiny to just below half a place, exponents to both ends."""
    rng = np.random.default_rng(5)
    fraction = rng.choice([0, 1, 2**52 - 1, 2**51, 3, 2**52 - 2], count)
    fraction = np.where(rng.random(count) < 0.5, rng.integers(0, 2**52, count), fraction)
    hi = (1.0 + fraction * 2.0**-52) * rng.choice([-1.0, 1.0], count) * np.exp2(rng.integers(-3, 4, count))
    share = rng.choice([0.0, 0.5, 0.25, -0.25, 2.0**-50, -(2.0**-50), 0.49, -0.49], count)
    rest = np.spacing(np.abs(hi)) * share
    hi, lo = hi + rest, rest - ((hi + rest) - hi)
    ends = [-1080, -1076, -1074, -1060, -1040, -1023, -1022, -1021, 0, 1019, 1021, 1022, 1023, 1024, 1100, -5000, 5000]
    return hi, lo, rng.choice(ends, count).astype(np.int64)


@pytest.mark.parametrize("mode", MODES)
def test_zeros_infinities_and_nan_stay(mode):
    hi = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan])
    none, mode = np.zeros(6), MODE_NUMBERS[mode]
    want = DOUBLE.bits(np.array([0.0, -0.0, np.inf, -np.inf, DOUBLE.nan, DOUBLE.nan])).view(np.int64)
    with np.errstate(invalid="ignore"):
        for codes in (
            to_double(hi, none, none.astype(int), mode),
            *encoded_ends(hi, none, none, none.astype(int), mode),
        ):
            assert np.array_equal(codes, want)


@pytest.mark.parametrize("mode", MODES)
def test_results_far_beyond_the_range_are_known_from_head_and_exponent(mode):
    """Zeros, infinities, NaN and values too far out for any rounding are found, and no others."""
    hi, lo, exponent = pairs(20 * COUNT)
    special = np.random.default_rng(7).random(hi.size) < 0.1
    hi = np.where(special, np.resize([0.0, -0.0, np.inf, -np.inf, np.nan], hi.size), hi)
    lo = np.where(special, 0.0, lo)
    with np.errstate(invalid="ignore"):
        codes, holds = saturated(hi, exponent, MODE_NUMBERS[mode])
        for wanted in encoded_ends(hi, lo, np.abs(lo) * 2.0**-20, exponent, MODE_NUMBERS[mode]):
            assert np.array_equal(codes[holds], wanted[holds])
    size = np.frexp(hi)[1] + exponent  # 2^(size - 1) <= |value| < 2^size, if lo = 0
    assert np.array_equal(holds, special | (size > 1025) | (size < -1075))


@pytest.mark.parametrize("mode", MODES)
def test_infinities_and_nan_are_right_at_once(mode):
    """Half of random arguments may have NaN as their result: deciding them again would take longer than the kernel."""
    hi = np.array([np.inf, -np.inf, np.nan, -np.nan])
    with np.errstate(invalid="ignore"):
        codes, again = to_normal_double(hi, np.zeros(4), np.zeros(4), 0, MODE_NUMBERS[mode])
        scaled = to_normal_double(hi, np.zeros(4), np.zeros(4), np.full(4, -590), MODE_NUMBERS[mode])[1]
    assert not again.any()
    assert np.array_equal(codes, DOUBLE.bits(np.array([np.inf, -np.inf, DOUBLE.nan, DOUBLE.nan])).view(np.int64))
    assert scaled[:2].all()
