"""The common functions against their definitions, evaluated by MPFR; and why degrees and radians are always decided."""

import math
from fractions import Fraction

import gmpy2
import mpmath
import numpy as np
import pytest

from clmath import ladder
from clmath.direct import common
from clmath.direct import lane_angles as angles
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.lanes import fast_two_sum, two_product
from clmath.pragmas import fp_contract
from tests.cases import for_each


def test_clamp_max_min_step_sign(plain):
    x, y = plain.operands(2, 2000, 1)
    form, lanes = plain.form, list(zip(map(float, x), map(float, y), strict=True))

    def check(name, args, want):
        got = getattr(common, name)(form, "rtp", *args)[0]
        plain.same(got, np.array(want).astype(x.dtype), *args)

    check("max", (x, y), [max(a, b) for a, b in lanes])
    check("min", (x, y), [min(a, b) for a, b in lanes])
    check("step", (x, y), [0.0 if b < a else 1.0 for a, b in lanes])
    check("sign", (x,), [0.0 if a != a else a if a == 0 else math.copysign(1.0, a) for a, _ in lanes])
    low, high = np.fmin(y, y[::-1]), np.fmax(y, y[::-1])

    def clamp(a, least, most):
        top = least if a < least or a != a else a
        return most if most < top or top != top else top

    check("clamp", (x, low, high), [clamp(*map(float, v)) for v in zip(x, low, high, strict=True)])


def test_mix(bench):
    x, y, a = bench.operands(3, 2000, 2)
    a[-1000:] = np.abs(a[-1000:]) % bench.form.dtype.type(1.0)
    with fp_contract("ON"):
        got = common.mix(bench.form, bench.mode, x, y, a)[0]
    bench.same(got, bench.oracle(lambda c, x, y, a: c.fma(c.sub(y, x), a, x), x, y, a), x, y, a)
    with fp_contract("OFF"):
        got = common.mix(bench.form, bench.mode, x, y, a)[0]
    bench.same(got, bench.oracle(lambda c, x, y, a: c.add(x, c.mul(c.sub(y, x), a)), x, y, a), x, y, a)


def test_smoothstep(bench):
    low, high, x = bench.operands(3, 3000, 3)

    def expected(c, low, high, x):
        if any(map(gmpy2.is_nan, (low, high, x))):
            return gmpy2.nan()
        if x <= low or x >= high:
            return gmpy2.mpfr(0 if x <= low else 1)
        t = c.div(c.sub(x, low), c.sub(high, low))
        t = gmpy2.mpfr(0) if gmpy2.is_nan(t) else min(max(t, gmpy2.mpfr(0)), gmpy2.mpfr(1))
        return c.mul(c.mul(t, t), c.sub(3, c.mul(2, t)))

    for state in ("ON", "OFF"):
        with fp_contract(state):
            got = common.smoothstep(bench.form, bench.mode, low, high, x)[0]
        bench.same(got, bench.oracle(expected, low, high, x), low, high, x)


@for_each("name", ["degrees", "radians"])
def test_degrees_and_radians(bench, name):
    x = np.concatenate([bench.specials(), bench.patterns(4000, 4), bench.moderate(2000, 5)])
    edge = 180 / math.pi if name == "degrees" else math.pi / 180
    ends = np.array([bench.form.largest, bench.form.smallest_normal, bench.form.smallest_subnormal]) / edge
    x = np.concatenate(
        [x, *(np.nextafter(ends.astype(x.dtype), x.dtype.type(d)) for d in (0, np.inf)), ends.astype(x.dtype)]
    )
    wide = gmpy2.context(precision=400, emin=-5000, emax=5000)
    pi = wide.const_pi()
    factor = wide.div(180, pi) if name == "degrees" else wide.div(pi, 180)
    context = bench.context()
    want = np.array([float(context.plus(wide.mul(gmpy2.mpfr(float(v)), factor))) if v else float(v) for v in x])
    bench.same(getattr(common, name)(bench.form, bench.mode, x)[0], want.astype(x.dtype), x)


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
    """How near a product with ``exact``, of integers of ``precision`` bits, comes to a multiple of half its last place.

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
    (bounds,) = ladder.enclose(name, [x], form)
    found = bounds.value
    assert (found.err == 0).all()
    last = found.hi if form.is_narrow else found.lo
    assert ((last.view(np.uint64) & 1) == 1).all()
    for value, hi, lo, exponent in zip(x, found.hi, found.lo, found.exponent + 0 * x.astype(np.int64), strict=True):
        exact, near = Fraction(float(value)) * factor, (Fraction(hi) + Fraction(lo)) * Fraction(2) ** int(exponent)
        assert abs(near / exact - 1) < Fraction(1, 2 ** (52 if form.is_narrow else 104))
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan], form.dtype)
    found = ladder.enclose(name, [special], form)[0].value
    assert (found.hi.view(np.uint64)[:4] == special.astype(np.float64).view(np.uint64)[:4]).all()
    assert np.isnan(found.hi[4])
