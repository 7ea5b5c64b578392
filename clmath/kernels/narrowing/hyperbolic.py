"""sinh, cosh and tanh from e^x and e^x - 1 as pairs."""

from __future__ import annotations

from clmath.ir.lanes import *
from clmath.kernels.accurate.exponential import TOP, reduced
from clmath.kernels.accurate.hyperbolic import SATURATED
from clmath.kernels.accurate.pairs import over_pair, plus_pair, times
from clmath.kernels.narrowing.enclosures import narrower, with_sign_of
from clmath.kernels.narrowing.exponential import less_one, scaled_exp
from clmath.kernels.records import narrows

BOUND = 2.0**-100  # a quotient of pairs and two sums, in addition to the error of m
SUM_BOUND = 2.0**-103  # of cosh: e^x, its inverse where that counts, their sum


@narrows("sinh")
def sinh(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Hyperbolic sine, (m + m/(m + 1)) / 2 with m = e^|x| - 1; its slope in m is at most 2."""
    m, m_lo, m_err, k, unit = less_one(mark("tame", clamp(abs(x), 0.0, TOP)))
    m, m_lo, m_err = mark("m m_lo m_err", m, m_lo, m_err)
    whole, whole_lo = plus_pair(m, m_lo, unit, 0.0)
    part, part_lo = over_pair(m, m_lo, whole, whole_lo)
    new_hi, new_lo = plus_pair(m, m_lo, part * unit, part_lo * unit)
    new_err = 2.0 * m_err + new_hi * BOUND
    new_hi, new_lo = with_sign_of(x, new_hi, new_lo)
    return narrower(hi, lo, err, exponent, (new_hi, new_lo, new_err, k - 1))


@narrows("cosh")
def cosh(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Hyperbolic cosine; e^-x is 2^-200 or less of it where that is all it is taken for."""
    r, r_lo, n = reduced(mark("tame", clamp(abs(x), 0.0, TOP)))
    r, r_lo = fast_two_sum(*mark("r r_lo", r, r_lo))
    k = mark("k", n >> 8)
    up, up_lo = mark("m m_lo", *scaled_exp(r, r_lo, mark("j", n & 255)))
    down, down_lo = over_pair(1.0, 0.0, up, up_lo)
    down, down_lo = times(down, down_lo, mark("unit", two_to(greater(-2 * k, -400))))
    new_hi, new_lo = plus_pair(up, up_lo, down, down_lo)
    return narrower(hi, lo, err, exponent, (new_hi, new_lo, new_hi * SUM_BOUND, k - 1))


@narrows("tanh")
def tanh(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Hyperbolic tangent, m / (m + 2) with m = e^2|x| - 1; its slope in m is 2 / (m + 2)^2."""
    m, m_lo, m_err, _, unit = less_one(mark("tame", clamp(2.0 * abs(x), 0.0, 2.0 * SATURATED)))
    m, m_lo, m_err = mark("m m_lo m_err", m, m_lo, m_err)
    whole, whole_lo = plus_pair(m, m_lo, 2.0 * unit, 0.0)
    new_hi, new_lo = over_pair(m, m_lo, whole, whole_lo)
    new_err = m_err * (2.125 * unit) / (whole * whole) + new_hi * BOUND
    new_hi, new_lo = with_sign_of(x, new_hi, new_lo)
    return narrower(hi, lo, err, exponent, (new_hi, new_lo, new_err, 0))
