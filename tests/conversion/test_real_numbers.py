"""Conversions of Python's, gmpy2's and mpmath's exact numbers, and of long double, round once."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import gmpy2
import mpmath
import numpy as np
import pytest

import clmath
from clmath.numbers.datatypes import INTEGERS
from clmath.numbers.formats import FORMATS
from clmath.numbers.rounding import MODES
from tests.cases import for_each

ROUNDED_BY = {"rte": round, "rtz": math.trunc, "rtp": math.ceil, "rtn": math.floor}
GMPY_MODES = {"rte": gmpy2.RoundToNearest, "rtz": gmpy2.RoundToZero, "rtp": gmpy2.RoundUp, "rtn": gmpy2.RoundDown}
VALUES = [
    *(Fraction(0), Fraction(1, 3), Fraction(-(2**30) - 1, 2**30), Fraction(2049, 2) + Fraction(1, 2**200)),
    *(Fraction(65520), Fraction(5, 2), Fraction(-7, 2), Fraction(1, 2**26), Fraction(3, 2**1075), Fraction(10) ** 39),
]
KINDS = {
    "fraction": lambda v: v,
    "mpq": gmpy2.mpq,
    "mpfr": lambda v: gmpy2.mpfr(gmpy2.mpq(v), 300),
    "mpf": lambda v: mpmath.mpf(v.numerator) / v.denominator,
    "decimal": lambda v: Decimal(v.numerator) / v.denominator,
    "long double": lambda v: np.longdouble(float(v)) + np.longdouble(float(v - Fraction(float(v)))),
}
FAR = {  # numbers above the largest, below the lowest and between 0 and the smallest of all formats
    "decimal": (Decimal("1e99999999"), Decimal("-1e99999999"), Decimal("1e-99999999")),
    "mpf": (mpmath.mpf(2) ** 10**15, -(mpmath.mpf(2) ** 10**15), mpmath.mpf(2) ** -(10**15)),
}
INFINITIES = (Decimal("Infinity"), gmpy2.inf(), mpmath.inf, np.longdouble(np.inf))


def exactly(number):
    """Return the exact value of a number, which its type may have rounded, as a fraction."""
    if isinstance(number, mpmath.mpf):
        mantissa, exponent = number.man_exp
        size = Fraction(abs(int(mantissa))) * Fraction(2) ** int(exponent)
        return -size if number < 0 else size
    numerator, denominator = number.as_integer_ratio()
    return Fraction(int(numerator), int(denominator))


def rounded(exact, form, mode):
    """Return ``exact`` rounded by MPFR with the format's range of exponents."""
    ends = {"emax": form.emax + 1, "emin": form.quantum + 1, "subnormalize": True}
    with gmpy2.context(precision=form.precision, round=GMPY_MODES[mode], **ends):
        return float(gmpy2.mpfr(gmpy2.mpq(exact)))


@for_each("kind", KINDS)
@for_each("mode", MODES)
def test_exact_numbers_are_rounded_once_to_formats(kind, mode):
    for form in FORMATS:
        for value in VALUES:
            number = KINDS[kind](value)
            found = clmath.convert(number, form.name, rounding=mode)
            assert found.dtype == form.dtype
            assert float(found) == rounded(exactly(number), form, mode), (number, form)


@for_each("kind", KINDS)
@for_each("mode", MODES)
def test_exact_numbers_are_rounded_once_to_integers(kind, mode):
    for name, dtype in INTEGERS.items():
        info = np.iinfo(dtype)
        for value in VALUES:
            number = KINDS[kind](value)
            want = min(max(ROUNDED_BY[mode](exactly(number)), info.min), info.max)
            assert clmath.convert(number, name, rounding=mode, sat=True) == want, (number, name)


def test_ints_of_gmpy2_wrap_like_python_ints():
    for n in (2**70 + 300, -(2**80) - 5, 255, -1):
        for sat in (False, True):
            assert clmath.convert(gmpy2.mpz(n), "uchar", sat=sat) == clmath.convert(n, "uchar", sat=sat)


@for_each("kind", FAR)
def test_numbers_beyond_all_formats_are_rounded_by_the_mode(kind):
    large, low, tiny = FAR[kind]
    for form in FORMATS:
        assert clmath.convert(large, form.name) == np.inf
        assert clmath.convert(low, form.name, rounding="rtz") == -form.largest
        assert clmath.convert(tiny, form.name, rounding="rtp") == form.smallest_subnormal
    assert clmath.convert(low, "short", sat=True) == -32768


@for_each("infinity", INFINITIES)
def test_infinity_stays_infinite(infinity):
    for form in FORMATS:
        assert clmath.convert(infinity, form.name, rounding="rtz") == np.inf
    assert clmath.convert(infinity, "short", sat=True) == 32767


@for_each("nan", [Decimal("NaN"), Decimal("sNaN"), gmpy2.nan(), mpmath.mpf("nan"), np.longdouble("nan")])
def test_nan_becomes_canonical(nan):
    for form in FORMATS:
        assert clmath.convert(nan, form.name).tobytes() == form.dtype.type(form.nan).tobytes()
    assert (clmath.convert(nan, "int", sat=True), clmath.convert(nan, "bool")) == (0, True)


def test_zero_keeps_its_sign():
    for zero in (Decimal("-0"), gmpy2.mpfr("-0"), np.longdouble(-0.0)):
        assert math.copysign(1.0, clmath.convert(zero, "float")) == -1.0


def test_lists_and_arrays_of_exact_numbers_are_converted_elementwise():
    numbers = [[Fraction(1, 3), 2, 0.1], [Decimal("0.1"), gmpy2.mpq(1, 7), True]]
    want = np.float32([[1 / 3, 2, 0.1], [0.1, 1 / 7, 1]])
    assert clmath.convert(numbers, "float").tobytes() == want.tobytes()
    assert clmath.convert(np.array(numbers, object), "float3").tobytes() == want.tobytes()
    out = np.zeros((2, 3), np.float32)
    assert clmath.convert(numbers, "float", out=out, where=[True, False, True]) is out
    assert out.tolist() == (want * [1, 0, 1]).tolist()
    third = np.longdouble(1) / 3
    found = clmath.convert(np.full(4, third), "float", rounding="rtp")
    assert found.tolist() == [rounded(exactly(third), FORMATS[1], "rtp")] * 4


@for_each("wrong", [[Fraction(1, 3), "1"], [Fraction(1, 3), None], [[Fraction(1, 3)], [1, 2]], gmpy2.mpc(1, 2)])
def test_other_objects_are_refused(wrong):
    with pytest.raises(clmath.DTypeError, match=r"x holds an object that is not a real number .*: give numbers"):
        clmath.convert(wrong, "float")
