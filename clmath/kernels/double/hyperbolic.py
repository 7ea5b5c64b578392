"""sinh and cosh from the tables of e^x on both sides of zero, tanh x as m / (m + 2) with m = e^2x - 1."""

from __future__ import annotations

from typing import Any

from clmath.kernels import coefficients
from clmath.kernels.double.exponential import EXP2_HI, EXP2_LO, TOP, less_one, reduced, short
from clmath.kernels.double.near_zero import near_zero
from clmath.kernels.double.pairs import over_pair, plus
from clmath.numbers.lanes import clamp, fast_two_sum, greater, lane, polynomial, select, take, two_to

__all__ = ["cosh", "sinh", "tanh"]

SINH_TAIL = coefficients("double/hyperbolic", "sinh_tail")
COSH_TAIL = coefficients("double/hyperbolic", "cosh_tail")
INFINITY = float("inf")

BOUND = 1.5 * 2.0**-69
# Of sinh and cosh, with c = cosh r - 1 below 2^-20.06: start c, five roundings 2^-70.74 of start, and the four sums
# behind the head 2^-71.06 of it: 2^-69.9. The terms in r: 2^-72 of them. cosh x is no less than 0.998 start. sinh x,
# where n > 0, is no less than half of start: 2^-68.7; where n = 0, and start = 0: r^3 Q is below 2^-21.6 |r|, five
# roundings 2^-72.3 and the polynomial 2^-73.6, r_lo c, which is left out, 2^-73, two sums 2^-72.5: 2^-71.
TANH_BOUND = 2.0**-69  # e^2x - 1 carries 2^-70, of which no more reaches m / (m + 2); the quotient adds 2^-100
TINY = 2.0**-30  # below it they round like x (1 + 2^-80), 1 + 2^-80 and x (1 - 2^-80)
SATURATED = 21.5  # above this 1 - tanh x < 2 e^-43 < 2^-61: tanh x rounds like 1 - 2^-80


@lane
def halves(a: Any) -> Any:
    """Parts of e^a and e^-a for 0 <= a <= 800: (up, up_lo, down, down_lo, first, second, even, k).

    e^a = (up + up_lo)(1 + c + s) 2^k and e^-a = (down + down_lo)(1 + c - s) 2^k with s = sinh r = first + second, where
    ``first`` has 21 bits, and c = cosh r - 1 = even.
    """
    r, r_lo, n = reduced(a)
    k, back = n >> 8, -n
    scale = two_to(greater((back >> 8) - k, -200))
    j, i = n & 255, back & 255
    z = r * r
    first = short(r)
    second = (r - first) + (r_lo + r * z * polynomial(z, SINH_TAIL))
    even = z * polynomial(z, COSH_TAIL)
    down, down_lo = take(EXP2_HI, i) * scale, take(EXP2_LO, i) * scale
    return take(EXP2_HI, j), take(EXP2_LO, j), down, down_lo, first, second, even, k


@lane
def joined(up: Any, up_lo: Any, down: Any, down_lo: Any, first: Any, second: Any, even: Any) -> Any:
    """(up + up_lo)(1 + c + s) + (down + down_lo)(1 + c - s) as a pair, |down| <= up, with s and c as in ``halves``."""
    start, start_lo = fast_two_sum(up, down)
    slope, slope_lo = fast_two_sum(up * first, -down * first)  # both products are exact
    head, tail = fast_two_sum(start, slope)  # slope is less, or start is 0
    low = up_lo + down_lo
    rest = (up - down) * second + (up_lo - down_lo) * (first + second)
    return fast_two_sum(head, tail + ((start_lo + slope_lo) + (rest + (low + even * (start + low)))))


@lane
def sinh(x: Any) -> Any:
    """Hyperbolic sine."""
    tiny, infinite = abs(x) < TINY, abs(x) == INFINITY
    up, up_lo, down, down_lo, first, second, even, k = halves(select(tiny, 0.0, clamp(abs(x), 0.0, TOP)))
    hi, lo = joined(up, up_lo, -down, -down_lo, first, second, even)
    sign = select(x < 0.0, -1.0, 1.0)
    near, near_lo, exponent = near_zero(x, 2.0**-80)
    hi = select(tiny, near, select(infinite, x, hi * sign))
    lo = select(tiny, near_lo, select(infinite, 0.0, lo * sign))
    return hi, lo, select(tiny | infinite, 0.0, abs(hi) * BOUND), select(tiny, exponent, k - 1)


@lane
def cosh(x: Any) -> Any:
    """Hyperbolic cosine."""
    tiny, infinite = abs(x) < TINY, abs(x) == INFINITY
    up, up_lo, down, down_lo, first, second, even, k = halves(select(tiny, 0.0, clamp(abs(x), 0.0, TOP)))
    hi, lo = joined(up, up_lo, down, down_lo, first, second, even)
    hi = select(infinite, INFINITY, hi)
    lo = select(tiny, select(x == 0.0, 0.0, 2.0**-80), select(infinite, 0.0, lo))
    return hi, lo, select(tiny | infinite, 0.0, hi * BOUND), k - 1


@lane
def tanh(x: Any) -> Any:
    """Hyperbolic tangent."""
    a = abs(x)
    tiny, saturated = a < TINY, a > SATURATED
    hi, lo, _, unit = less_one(select(tiny, 0.0, clamp(a + a, 0.0, 2.0 * SATURATED)))
    hi, lo = over_pair(hi, lo, *plus(hi, lo, unit + unit))
    sign = select(x < 0.0, -1.0, 1.0)
    near, near_lo, exponent = near_zero(x, -(2.0**-80))
    hi = select(tiny, near, select(saturated, sign, hi * sign))
    beside = select(a == INFINITY, 0.0, sign * -(2.0**-80))
    lo = select(tiny, near_lo, select(saturated, beside, lo * sign))
    return hi, lo, select(tiny | saturated, 0.0, abs(hi) * TANH_BOUND), select(tiny, exponent, 0)
