"""exp: 2^k x 2^(j/256) x e^r, the power of two from a table of pairs whose heads are short."""

from __future__ import annotations

from typing import Any

from clmath.kernels import coefficients, table
from clmath.numbers.lanes import clamp, fast_two_sum, lane, nearest, polynomial, select, split, take

__all__ = ["exp"]

EXP2_HI, EXP2_LO = table("double/exponential", "exp2_hi"), table("double/exponential", "exp2_lo")
LN2_HI, LN2_MID, LN2_LO = map(float, table("double/exponential", "ln2"))
(STEPS_PER_E,) = map(float, table("double/exponential", "steps"))
EXP_TAIL = coefficients("double/exponential", "exp_tail")
INFINITY = float("inf")

BOUND = 2.0**-69
# r^2 P(r) < 2^-20: three roundings 2^-71.4, the polynomial's own 2^-70 of it; the rest of T (1 + r), below 2^-18: two
# roundings, 2^-71; the last sum 2^-72; the reduction 2^-77: 2^-69.9 in all, of a value no less than 0.99
TOP = 800.0  # e^800 > 2^1154, e^-800 < 2^-1154
TINY = 2.0**-60  # below this e^x rounds like 1 + 2^-80 or 1 - 2^-80


@lane
def reduced(x: Any) -> Any:
    """(r, r_lo, n) with x = n ln(2)/256 + r + r_lo, |r| < 0.00136, |x| <= 800; the error is below 2^-77.

    The product n LN2_HI is exact (19 + 34 bits), and so is x minus it; n LN2_MID is exact.
    """
    step, n = nearest(x * STEPS_PER_E)
    head, middle = x - step * LN2_HI, step * LN2_MID
    r = head - middle
    return r, ((head - r) - middle) - step * LN2_LO, n


@lane
def scaled_exp(r: Any, r_lo: Any, j: Any) -> Any:
    """(hi, lo) with hi + lo = 2^(j/256) e^(r + r_lo), |r| < 0.00136: relative error below 2^-69.

    T e^r = T_hi + T_hi r_1 + (T_hi (r_2 + r_lo + r^2 P) + T_lo e^r): T_hi and r_1
    have 26 bits, so their product is exact.
    """
    first, second = split(r)
    high, low = take(EXP2_HI, j), take(EXP2_LO, j)
    rest = second + (r_lo + r * r * polynomial(r, EXP_TAIL))
    head, tail = fast_two_sum(high, high * first)
    return fast_two_sum(head, tail + (high * rest + (low + low * (first + rest))))


@lane
def exp(x: Any) -> Any:
    """e^x."""
    tiny = abs(x) < TINY
    r, r_lo, n = reduced(select(tiny, 0.0, clamp(x, -TOP, TOP)))
    hi, lo = scaled_exp(r, r_lo, n & 255)
    infinite = abs(x) == INFINITY
    hi = select(infinite, select(x > 0.0, INFINITY, 0.0), hi)
    beside = select(x > 0.0, 2.0**-80, select(x < 0.0, -(2.0**-80), 0.0))
    lo = select(tiny, beside, select(infinite, 0.0, lo))
    return hi, lo, select(tiny | infinite, 0.0, hi * BOUND), n >> 8
