"""sinh and cosh from the tables of e^x on both sides of zero, tanh x as m / (m + 2) with m = e^2x - 1.

Narrower enclosures come from e^x and e^x - 1 in pairs.
"""

from __future__ import annotations

from clmath.ir.primitives import *
from clmath.kernels import coefficients
from clmath.kernels.accurate.exponential import (
    EXP2_HI,
    EXP2_LO,
    TOP,
    less_one,
    less_one_in_pairs,
    reduced,
    scaled_exp_in_pairs,
    short,
)
from clmath.kernels.accurate.narrower import narrower, with_sign_of
from clmath.kernels.accurate.near_zero import near_zero
from clmath.kernels.accurate.pairs import over_pair, plus, plus_pair, times
from clmath.kernels.records import kernel, narrows

SINH_TAIL = coefficients("accurate/hyperbolic", "sinh_tail")
COSH_TAIL = coefficients("accurate/hyperbolic", "cosh_tail")

LEAST, SLOPE, GROWTH = 2.0**-75, 2.0**-70.8, 1.27 * 2.0**-51
# of the head, of r and of r^2, from the certificates; the table's entries cancel most where n is 1
TANH_BOUND, TANH_WIDEST = 2.0**-69, 2.0**-80.2
# errors of e^2x - 1 that reach m / (m + 2), from the certificate
TINY = 2.0**-30  # below it they round like x (1 + 2^-80), 1 + 2^-80 and x (1 - 2^-80)
SATURATED = 21.5  # above this 1 - tanh x < 2 e^-43 < 2^-61: tanh x rounds like 1 - 2^-80

NARROW_BOUND = 2.0**-100  # a quotient of pairs and two sums, in addition to the error of m
SUM_BOUND = 2.0**-103  # of cosh: e^x, its inverse where that counts, their sum


def powers(n: Integer, sign: float) -> tuple[Real, Real, Real, Real]:
    """2^(n/256) and sign 2^(-n/256), n >= 0, each as a pair to be multiplied by 2^(n >> 8); the second to 2^-200."""
    i, j = mark("i j", n & 255, -n & 255)
    scale = sign * mark("unit", two_to(greater(mark("opposite", -n >> 8) - (n >> 8), -200)))
    return take(EXP2_HI, i), take(EXP2_LO, i), take(EXP2_HI, j) * scale, take(EXP2_LO, j) * scale


def joined(a: Real, sign: float) -> Enclosed:
    """(hi, lo, err, k) with e^a + sign e^-a in (hi + lo +- err) 2^k, 0 <= a <= 800.

    That is up (1 + c + s) + down (1 + c - s) with s = sinh r = s_1 + s_2, s_1 of 21 bits, and c = cosh r - 1.
    """
    r, r_lo, n = reduced(a)
    r, r_lo = mark("r r_lo", r, r_lo)
    z = r * r
    first = short(r)
    second = (r - first) + (r_lo + r * z * polynomial(z, SINH_TAIL))
    up, up_lo, down, down_lo = powers(n, sign)
    start, start_lo = fast_two_sum(up, down)
    slope, slope_lo = fast_two_sum(up * first, -down * first)  # both products are exact
    head, tail = fast_two_sum(start, slope)  # slope is less, or start is 0
    low = up_lo + down_lo
    rest = (up - down) * second + (up_lo - down_lo) * (first + second)
    square = z + r * (r_lo + r_lo)
    rest = rest + (low + square * polynomial(z, COSH_TAIL) * (start + low))
    hi, lo = fast_two_sum(head, tail + ((start_lo + slope_lo) + rest))
    return hi, lo, start * (LEAST + GROWTH * z) + abs(slope) * SLOPE, mark("k", n >> 8)


@kernel()
def sinh(x: Real) -> Enclosed:
    """Hyperbolic sine."""
    tiny, infinite = mark("tiny infinite", abs(x) < TINY, abs(x) == INFINITY)
    hi, lo, err, k = joined(mark("tame", select(tiny, 0.0, clamp(abs(x), 0.0, TOP))), -1.0)
    sign = select(mark("negative", x < 0.0), -1.0, 1.0)
    near, near_lo, exponent = near_zero(x, 2.0**-80)
    hi = select(tiny, near, select(infinite, x, hi * sign))
    lo = select(tiny, near_lo, select(infinite, 0.0, lo * sign))
    return hi, lo, select(tiny | infinite, 0.0, err), select(tiny, exponent, k - 1)


@narrows("sinh")
def narrow_sinh(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Hyperbolic sine, (m + m/(m + 1)) / 2 with m = e^|x| - 1; its slope in m is at most 2."""
    m, m_lo, m_err, k, unit = less_one_in_pairs(mark("tame", clamp(abs(x), 0.0, TOP)))
    m, m_lo, m_err = mark("m m_lo m_err", m, m_lo, m_err)
    whole, whole_lo = plus_pair(m, m_lo, unit, 0.0)
    part, part_lo = over_pair(m, m_lo, whole, whole_lo)
    new_hi, new_lo = plus_pair(m, m_lo, part * unit, part_lo * unit)
    new_err = 2.0 * m_err + new_hi * NARROW_BOUND
    new_hi, new_lo = with_sign_of(x, new_hi, new_lo)
    return narrower(hi, lo, err, exponent, (new_hi, new_lo, new_err, k - 1))


@kernel()
def cosh(x: Real) -> Enclosed:
    """Hyperbolic cosine."""
    tiny, infinite = mark("tiny infinite", abs(x) < TINY, abs(x) == INFINITY)
    hi, lo, err, k = joined(mark("tame", select(tiny, 0.0, clamp(abs(x), 0.0, TOP))), 1.0)
    hi = select(infinite, INFINITY, hi)
    lo = select(tiny, select(x == 0.0, 0.0, 2.0**-80), select(infinite, 0.0, lo))
    return hi, lo, select(tiny | infinite, 0.0, err), k - 1


@narrows("cosh")
def narrow_cosh(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Hyperbolic cosine; e^-x is 2^-200 or less of it where that is all it is taken for."""
    r, r_lo, n = reduced(mark("tame", clamp(abs(x), 0.0, TOP)))
    r, r_lo = fast_two_sum(*mark("r r_lo", r, r_lo))
    k = mark("k", n >> 8)
    up, up_lo = mark("m m_lo", *scaled_exp_in_pairs(r, r_lo, mark("j", n & 255)))
    down, down_lo = over_pair(1.0, 0.0, up, up_lo)
    down, down_lo = times(down, down_lo, mark("unit", two_to(greater(-2 * k, -400))))
    new_hi, new_lo = plus_pair(up, up_lo, down, down_lo)
    return narrower(hi, lo, err, exponent, (new_hi, new_lo, new_hi * SUM_BOUND, k - 1))


@kernel()
def tanh(x: Real) -> Enclosed:
    """Hyperbolic tangent."""
    a = abs(x)
    tiny, saturated = mark("tiny saturated", a < TINY, a > SATURATED)
    hi, lo, _, _, unit = less_one(mark("tame", select(tiny, 0.0, clamp(a + a, 0.0, 2.0 * SATURATED))))
    hi, lo = mark("m m_lo", hi, lo)
    hi, lo = over_pair(hi, lo, *plus(hi, lo, unit + unit))
    sign = select(mark("negative", x < 0.0), -1.0, 1.0)
    near, near_lo, exponent = near_zero(x, -(2.0**-80))
    hi = select(tiny, near, select(saturated, sign, hi * sign))
    beside = select(a == INFINITY, 0.0, sign * -(2.0**-80))
    lo = select(tiny, near_lo, select(saturated, beside, lo * sign))
    return hi, lo, select(tiny | saturated, 0.0, lesser(abs(hi) * TANH_BOUND, TANH_WIDEST)), select(tiny, exponent, 0)


@narrows("tanh")
def narrow_tanh(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Hyperbolic tangent, m / (m + 2) with m = e^2|x| - 1; its slope in m is 2 / (m + 2)^2."""
    m, m_lo, m_err, _, unit = less_one_in_pairs(mark("tame", clamp(2.0 * abs(x), 0.0, 2.0 * SATURATED)))
    m, m_lo, m_err = mark("m m_lo m_err", m, m_lo, m_err)
    whole, whole_lo = plus_pair(m, m_lo, 2.0 * unit, 0.0)
    new_hi, new_lo = over_pair(m, m_lo, whole, whole_lo)
    new_err = m_err * (2.125 * unit) / (whole * whole) + new_hi * NARROW_BOUND
    new_hi, new_lo = with_sign_of(x, new_hi, new_lo)
    return narrower(hi, lo, err, exponent, (new_hi, new_lo, new_err, 0))
