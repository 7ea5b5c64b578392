"""Rounding of enclosures' middles and ends in exported code, compared with exact fractions rounded by MPFR."""

from fractions import Fraction

import gmpy2
import numpy as np
import pytest

from clmath.export.rounding import ends, ends_of_one
from clmath.numbers.formats import FORMATS
from clmath.numbers.rounding import MODES
from tests.cases import for_each

ROUND = {"rte": gmpy2.RoundToNearest, "rtz": gmpy2.RoundToZero, "rtp": gmpy2.RoundUp, "rtn": gmpy2.RoundDown}
NARROW = [form for form in FORMATS if form.is_narrow]


def rounded(value, form, mode):
    """Return the encoding of a fraction rounded to a format by MPFR."""
    with gmpy2.context(
        precision=form.precision, emax=form.emax + 1, emin=form.quantum + 1, subnormalize=True, round=ROUND[mode]
    ):
        return int(form.bits(np.array(float(gmpy2.mpfr(gmpy2.mpq(value))), form.dtype)))


def enclosures(form):
    """Generate (hi, lo, err, exponent) near numbers of a format, near midpoints, and far from both."""
    rng = np.random.default_rng(3)
    codes = rng.integers(1, int(form.bits(form.dtype.type(np.inf))), 30).astype(form.bits_dtype)
    special_values = np.array([0, 1, 2, (1 << (form.precision - 1)) - 1, 1 << (form.precision - 1)], form.bits_dtype)
    largest = int(form.bits(form.dtype.type(np.inf))) - 1
    codes = np.concatenate([codes, special_values, np.array([largest, largest - 1], form.bits_dtype)])
    value, above = (form.from_bits((codes + n).astype(form.bits_dtype)).astype(np.float64) for n in (0, 1))
    above[~np.isfinite(above)] = 2.0 ** (form.emax + 1)
    middle = (value + above) / 2
    for number in np.concatenate([value, middle, value + (above - value) * 0.3]).tolist():
        for apart in (0.0, 2.0**-60, -(2.0**-60), 2.0**-100, -(2.0**-100)):
            for err in (0.0, 2.0**-70, 2.0**-110):
                for sign in (1.0, -1.0):
                    fraction, exponent = np.frexp(number * sign)
                    lo = float(fraction) * apart
                    yield float(fraction), lo, abs(float(fraction)) * err, int(exponent)


@pytest.mark.slow
@for_each("mode", MODES)
@for_each("form", NARROW)
def test_double_double_is_rounded_to_narrow_formats(form, mode):
    rows = [row for row in enclosures(form) if row[0]]
    hi, lo, err, exponent = (np.array(column) for column in zip(*rows, strict=True))
    with np.errstate(all="ignore"):
        found = ends(hi, lo, err, exponent.astype(np.int64), str(form), MODES.index(mode))
    for i, (head, tail, bound, power) in enumerate(rows):
        scale = Fraction(2) ** power
        middle = Fraction(head) + Fraction(tail)
        for code, value in zip(found, (middle, middle - Fraction(bound), middle + Fraction(bound)), strict=True):
            assert int(code[i]) & ((1 << form.width) - 1) == rounded(value * scale, form, mode)


@for_each("mode", MODES)
@for_each("form", FORMATS)
def test_special_values_overflow_and_underflow_are_rounded(form, mode):
    hi = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.5, -1.5, 1.5, -1.5])
    exponent = np.array([0, 0, 0, 0, 0, 5000, 5000, -5000, -5000], np.int64)
    zeros = np.zeros(hi.size)
    with np.errstate(all="ignore"):
        codes, below, above = ends(hi, zeros, zeros, exponent, str(form), MODES.index(mode))
    assert np.array_equal(codes, below)
    assert np.array_equal(codes, above)
    infinite, sign = int(form.bits(form.dtype.type(np.inf))), 1 << (form.width - 1)
    large = {"rte": (0, 0), "rtz": (1, 1), "rtp": (0, 1), "rtn": (1, 0)}[mode]  # ulps below infinity, by sign
    small = {"rte": (0, 0), "rtz": (0, 0), "rtp": (1, 0), "rtn": (0, 1)}[mode]  # ulps above zero, by sign
    expected = [0, sign, infinite, sign | infinite, int(form.bits(form.nan))]
    expected += [infinite - large[0], sign | (infinite - large[1]), small[0], sign | small[1]]
    mask = (1 << form.width) - 1
    assert [int(code) & mask for code in codes] == expected


@for_each("form", NARROW)
def test_single_double_is_rounded_to_narrow_formats(form):
    value, err = np.array([1.0, 1.0, np.inf, np.nan, -0.0]), np.array([0.0, 2.0**-52, 0.0, np.nan, 0.0])
    for number, mode in enumerate(MODES):
        with np.errstate(all="ignore"):
            codes, below, above = ends_of_one(value, err, str(form), number)
        assert (codes[[0, 2, 3, 4]] == below[[0, 2, 3, 4]]).all()
        assert (codes[[0, 2, 3, 4]] == above[[0, 2, 3, 4]]).all()
        assert above[1] - below[1] == (0 if mode == "rte" else 1)
