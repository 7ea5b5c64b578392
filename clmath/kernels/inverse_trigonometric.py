"""asin, acos, atan, atan2 and their pi forms: one arc tangent of a quotient, turned into its octant."""

from __future__ import annotations

from typing import Any

from clmath.engines.lanes import (
    bits,
    fast_two_sum,
    inward,
    lane,
    nearest,
    outward,
    polynomial,
    select,
    signed,
    sqrt,
    take,
    two_product,
    two_sum,
)
from clmath.kernels import coefficients, table

__all__ = ["acos", "acospi", "asin", "asinpi", "atan", "atan2", "atan2pi", "atanpi"]

ATAN_HI, ATAN_LO = table("inverse_trigonometric", "atan_hi"), table("inverse_trigonometric", "atan_lo")
HALF_PI_HI, HALF_PI_LO = map(float, table("inverse_trigonometric", "half_pi"))
ONE_OVER_PI_HI, ONE_OVER_PI_LO = map(float, table("inverse_trigonometric", "one_over_pi"))
ATAN_TAIL = coefficients("inverse_trigonometric", "atan_tail")
INFINITY = float("inf")
NAN = float("nan")

BOUND = 2.0**-50
# t = (a - c b)/(b + c a): where c = 0 two roundings of 2^-53 or less; else a - c b carries at most 2^-53 a (exact for
# halfs and floats), so t 2^-53 of c and two roundings of its own below 2^-7 c. heads are exact sums (multiples of
# 2^-50 below 4); p adds 2^-53 |t| / 12000; the last addition 2^-53; arguments made by sqrt carry 2^-52, at condition
# number 1 or below. Together below 2^-51.2, 2^-51 with the factor 1/pi; 2^-53 more for value -+ err being rounded.
TINY = 2.0**-14  # below this atan x, asin x are x (1 -+ 2^-29): no float and no midpoint between
SLIGHT = 2.0**-27  # an angle this far from pi or pi/2 is nearer to it, in parts of pi, than any float or midpoint


@lane
def first_octant(a: Any, b: Any) -> Any:
    """(head, tail, q): atan(a/b) = head + tail, q = a/b rounded, for 0 <= a <= b, b > 0, both finite."""
    q = a / b
    place, j = nearest(q * 64.0)
    c = place * 0.015625
    t = (a - c * b) / (b + c * a)
    p = t * (t * t) * polynomial(t * t, ATAN_TAIL)
    head, tail = two_sum(take(ATAN_HI, j), t)
    return head, tail + (take(ATAN_LO, j) + p), q


@lane
def quarter_turn(across: Any, along: Any) -> Any:
    """(hi, lo, q) of atan2(across, along) = hi + lo for finite arguments from 0 on, not both zero.

    q is the smaller through the larger; where across is the larger, pi/2 less the angle of the first octant.
    """
    steep = across > along
    a, b = select(steep, along, across), select(steep, across, along)
    head, tail, q = first_octant(a, b)
    hi, lo = two_sum(select(steep, HALF_PI_HI, 0.0), select(steep, -head, head))
    hi, lo = fast_two_sum(hi, lo + select(steep, HALF_PI_LO - tail, tail))
    return hi, lo, q


@lane
def full_turn(y: Any, x: Any) -> Any:
    """(hi, lo, q) of |atan2(y, x)| = hi + lo for finite arguments; q as in ``quarter_turn``."""
    along = abs(x)
    hi, lo, q = quarter_turn(abs(y), select((along == 0.0) & (y == 0.0), 1.0, along))
    backward = x < 0.0
    back_hi, back_lo = two_sum(2.0 * HALF_PI_HI, -hi)
    back_hi, back_lo = fast_two_sum(back_hi, back_lo + (2.0 * HALF_PI_LO - lo))
    return select(backward, back_hi, hi), select(backward, back_lo, lo), q


@lane
def finite_direction(y: Any, x: Any) -> Any:
    """(y, x) with the infinities replaced by finite numbers of the same direction."""
    y_infinite, x_infinite = abs(y) == INFINITY, abs(x) == INFINITY
    some = y_infinite | x_infinite
    across = select(y_infinite, 1.0, select(some, 0.0, abs(y)))
    along = select(x_infinite, 1.0, select(some, 0.0, abs(x)))
    return signed(across, y), signed(along, x)


@lane
def is_short(q: Any) -> Any:
    """Whether q has at most 26 significant bits: where q = y/x rounded, y and x of 24, it then equals y/x."""
    return (bits(q) & 0x7FFFFFF) == 0


@lane
def atan2(y: Any, x: Any) -> Any:
    """The angle of (x, y); exact at zero, and q less something too small to see where the quotient q is short."""
    fy, fx = finite_direction(y, x)
    hi, lo, q = full_turn(fy, fx)
    value, err = hi + lo, hi * BOUND
    forward = (bits(fx) >= 0) & (abs(fy) <= abs(fx))
    touching = forward & (q < TINY) & is_short(q)
    value = select(touching, select(q == 0.0, 0.0, inward(q)), value)
    value = select((fy == 0.0) & (bits(fx) < 0), HALF_PI_HI * 2.0, value)
    value = signed(value, y)
    invalid = (x != x) | (y != y)
    return select(invalid, NAN, value), select(touching | invalid, 0.0, err + 0.0)


@lane
def atan(x: Any) -> Any:
    """Arc tangent."""
    a = select(abs(x) < 1e300, abs(x), 1e300)
    hi, lo, _ = quarter_turn(a, select(a == a, 1.0, 1.0))
    return near_zero(x, inward(x), signed(hi + lo, x), BOUND)


@lane
def near_zero(x: Any, tiny_value: Any, y: Any, bound: Any) -> Any:
    """(value, err) of a function that is x plus something too small to see near zero."""
    tiny = abs(x) < TINY
    y = select(tiny, select(x == 0.0, x, tiny_value), select(x != x, x, y))
    return y, select(tiny | (y != y), 0.0, abs(y) * bound)


@lane
def cosine_side(x: Any) -> Any:
    """sqrt(1 - x^2); NaN beyond 1."""
    return sqrt((1.0 - x) * (1.0 + x))


@lane
def asin(x: Any) -> Any:
    """Arc sine."""
    hi, lo, _ = quarter_turn(abs(x), cosine_side(x))
    return near_zero(x, outward(x), signed(hi + lo, x), BOUND)


@lane
def acos(x: Any) -> Any:
    """Arc cosine; exact at 1."""
    hi, lo, _ = full_turn(cosine_side(x), x)
    return select(x == 1.0, 0.0, hi + lo), select((x == 1.0) | (hi != hi), 0.0, hi * BOUND)


@lane
def through_pi(hi: Any, lo: Any) -> Any:
    """(hi + lo) / pi, relative error 2^-52.5."""
    p, e = two_product(hi, ONE_OVER_PI_HI)
    return p + (e + (hi * ONE_OVER_PI_LO + lo * ONE_OVER_PI_HI))


@lane
def atan2pi(y: Any, x: Any) -> Any:
    """The angle of (x, y) in half turns; exact on the axes and diagonals, which it nears strictly from one side."""
    fy, fx = finite_direction(y, x)
    hi, lo, q = full_turn(fy, fx)
    steep = abs(fy) > abs(fx)
    backward = bits(fx) < 0
    value = through_pi(hi, lo)
    corner = select(steep, 0.5, select(backward, 1.0, 0.0))
    inside = select(steep != backward, inward(corner), outward(corner))
    beside = (q < SLIGHT) & (corner != 0.0)
    value = select(beside, select(q == 0.0, corner, inside), value)
    diagonal = abs(fy) == abs(fx)
    value = select(diagonal & (fy != 0.0), select(backward, 0.75, 0.25), value)
    value = select((fy == 0.0), select(backward, 1.0, 0.0), value)
    invalid = (x != x) | (y != y)
    exact = beside | diagonal | (fy == 0.0) | invalid
    return select(invalid, NAN, signed(value, y)), select(exact, 0.0, value * BOUND)


@lane
def atanpi(x: Any) -> Any:
    """Arc tangent in half turns; exact at 0, 1 and infinity, next to 1/2 for large arguments."""
    a = select(abs(x) < 1e300, abs(x), 1e300)
    hi, lo, _ = quarter_turn(a, select(a == a, 1.0, 1.0))
    steep = a > 1.0 / SLIGHT
    value = select(steep, select(abs(x) == INFINITY, 0.5, 0.5 - 2.0**-54), through_pi(hi, lo))
    value = signed(select(a == 1.0, 0.25, value), x)
    exact = steep | (a == 1.0) | (x == 0.0) | (x != x)
    return select((x == 0.0) | (x != x), x, value), select(exact, 0.0, abs(value) * BOUND)


@lane
def asinpi(x: Any) -> Any:
    """Arc sine in half turns; exact at 0 and 1."""
    hi, lo, _ = quarter_turn(abs(x), cosine_side(x))
    value = signed(select(abs(x) == 1.0, 0.5, through_pi(hi, lo)), x)
    exact = (x == 0.0) | (abs(x) == 1.0) | (hi != hi)
    return select(x == 0.0, x, value), select(exact, 0.0, abs(value) * BOUND)


@lane
def acospi(x: Any) -> Any:
    """Arc cosine in half turns; exact at -1, 0 and 1; half a turn less something too small to see near 0."""
    hi, lo, _ = full_turn(cosine_side(x), x)
    value = select(abs(x) == 1.0, select(x < 0.0, 1.0, 0.0), through_pi(hi, lo))
    slight = abs(x) < SLIGHT
    value = select(slight, select(x == 0.0, 0.5, select(x < 0.0, 0.5 + 2.0**-53, 0.5 - 2.0**-54)), value)
    return value, select(slight | (abs(x) == 1.0) | (hi != hi), 0.0, value * BOUND)
