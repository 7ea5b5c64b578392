"""Why degrees and radians are always decided: no product is too close to a boundary, and enclosures are odd."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from clmath import phases
from clmath.ir.primitives import fast_two_sum, two_product
from clmath.kernels import degrees as angles
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from tests.cases import for_each


def nearest_miss(alpha, most):
    """The least |q alpha - p| for integers 0 < q <= most: attained at a convergent of the continued fraction."""
    p, q, last_p, last_q = 1, 0, 0, 1
    rest = alpha
    while True:
        whole = math.floor(rest)
        p, last_p = whole * p + last_p, p
        q, last_q = whole * q + last_q, q
        if q > most:
            return abs(last_q * alpha - last_p)
        rest = 1 / (rest - whole)


def exact_factor(name):
    """180/π or π/180, good to 2^-1490."""
    with mpmath.workprec(2000):
        factor = 180 / mpmath.pi if name == "degrees" else mpmath.pi / 180
        return Fraction(int(mpmath.floor(factor * mpmath.mpf(2) ** 1500)), 2**1500)


def nearest_boundary(exact, precision):
    """The least distance of a product of ``exact`` and integers of ``precision`` bits from a multiple of half its last
    place.

    That is relative to the product. Boundaries of subnormal results are such multiples, too.
    """
    found = []
    for shift in (0, 1, 2):  # the product of two significands has twice their bits, or one or two fewer
        unit = Fraction(2) ** (math.floor(math.log2(exact)) - shift)
        miss = nearest_miss(exact / unit, 2**precision)  # of the product in halves of the result's last place
        found.append(miss * unit / (2**precision * exact))
    return min(found)


@pytest.mark.parametrize("name", ["degrees", "radians"])
def test_no_product_is_too_close_to_call(name):
    """A 53-bit integer times the factor misses every multiple of half its last place by more than 2^-112 of itself."""
    exact = exact_factor(name)
    assert nearest_boundary(exact, DOUBLE.precision) > Fraction(1, 2**112)
    parts = angles.DEGREES if name == "degrees" else angles.RADIANS
    assert abs(sum(map(Fraction, parts)) / exact - 1) < Fraction(1, 2**166)


@pytest.mark.parametrize("form", [HALF, FLOAT], ids=str)
@pytest.mark.parametrize("name", ["degrees", "radians"])
def test_no_narrow_product_is_too_close_to_call(name, form):
    """Two doubles of the factor are good to 2^-104, and boundaries of 12 and 25 bits are 2^-54 of it away or more."""
    exact = exact_factor(name)
    parts = angles.DEGREES if name == "degrees" else angles.RADIANS
    assert nearest_boundary(exact, form.precision) > Fraction(1, 2**54)
    rng = np.random.default_rng(5)
    x = np.concatenate([1 + np.arange(500), (1 << form.precision) - 1 - np.arange(500)]).astype(np.float64)
    x = np.concatenate([x, rng.integers(1, 1 << form.precision, 1000) * 1.0])
    product, low = two_product(x, parts[0])
    head, rest = fast_two_sum(product, low + x * parts[1])
    odd = angles.narrow_product_with(x, parts)
    for value, hi, lo, found in zip(*(a.tolist() for a in (x, head, rest, odd)), strict=True):
        true = Fraction(value) * exact
        assert abs((Fraction(hi) + Fraction(lo)) / true - 1) < Fraction(1, 2**104)
        assert math.nextafter(found, 0.0) < true < math.nextafter(found, math.inf)  # and found is odd: see below


@np.errstate(all="ignore")
@for_each("form", [HALF, FLOAT, DOUBLE])
@for_each("name", ["degrees", "radians"])
def test_products_are_enclosed(name, form):
    """Within half a last place of the last double, on the right side of every number and every midpoint."""
    parts = angles.DEGREES if name == "degrees" else angles.RADIANS
    factor = sum(map(Fraction, parts))
    rng = np.random.default_rng(3)
    x = form.from_bits(rng.integers(0, 1 << form.width - 1, 2000, np.uint64).astype(form.bits_dtype))
    x = np.concatenate([x[np.isfinite(x) & (x != 0)], np.ldexp(1.0, np.arange(form.quantum, 0)).astype(form.dtype)])
    x = np.concatenate([x, -x])
    (bounds,) = phases.enclose(name, [x], form)
    found = bounds.value
    assert (found.err == 0).all()
    last = found.hi if form.is_narrow else found.lo
    assert ((last.view(np.uint64) & 1) == 1).all()
    for value, hi, lo, exponent in zip(x, found.hi, found.lo, found.exponent + 0 * x.astype(np.int64), strict=True):
        exact, near = Fraction(float(value)) * factor, (Fraction(hi) + Fraction(lo)) * Fraction(2) ** int(exponent)
        assert abs(near / exact - 1) < Fraction(1, 2 ** (52 if form.is_narrow else 104))
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan], form.dtype)
    found = phases.enclose(name, [special], form)[0].value
    assert (found.hi.view(np.uint64)[:4] == special.astype(np.float64).view(np.uint64)[:4]).all()
    assert np.isnan(found.hi[4])
