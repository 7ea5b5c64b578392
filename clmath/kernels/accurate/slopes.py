"""The angle of a slope: the nearest tabulated angle, and an arc tangent for the remainder."""

from __future__ import annotations

from clmath.ir.primitives import *
from clmath.kernels import coefficients, table
from clmath.kernels.accurate.pairs import short, signed

ANGLE_HI = table("accurate/inverse_trigonometric", "angle_hi")
ANGLE_LO = table("accurate/inverse_trigonometric", "angle_lo")
ATAN_TAIL = coefficients("accurate/inverse_trigonometric", "atan_tail")
PLACES = 256.0  # tabulated slopes j/256
ROW = 257  # entries of the table for each octant

LEAST, GROWTH = 2.0**-74, 1.84 * 2.0**-52
# relative error bounds of the angle, from the certificates: rounding errors in t^3 P, and in the sums after it, grow
# with t^2
SLIGHT, FAR_BELOW = 2.0**-80, -80  # moving slopes that far from 0 moves the others by less than a bound
FURTHEST = -200  # 2^-200 or less of the other number is negligible compared with ANGLE_ERROR


def near_slope(a: Real, b: Real) -> tuple[Real, Integer]:
    """(c, j) with c = j/256 within 1/512 of a/b, except for a rounding error, for 0 <= a <= b."""
    place, j = mark("place j", *nearest(mark("quotient", a / b) * PLACES))
    return place * (1.0 / PLACES), j


def difference(a: Real, b: Real, c: Real) -> Real:
    """The exact a - c b for c near a/b: a multiple of 2^-61 below 2^-8 where b is 1 to 2; each step is exact."""
    head = short(b)
    return (a - c * head) - c * (b - head)


def total(a: Real, b: Real, c: Real) -> Pair:
    """(d, d_lo) with d + d_lo = b + c a, 0 <= a <= b: exact."""
    head = short(a)
    d = b + c * a
    return d, ((b - d) + c * head) + c * (a - head)


def ratio(n: Real, n_lo: Real | float, d: Real, d_lo: Real) -> Pair:
    """(t, t_lo) with t + t_lo = (n + n_lo) / (d + d_lo) and t of 26 bits; relative error below 2^-75.

    The error of t is 2^-25, so that n - t head is exact; the remainder is that small, too, and has seven roundings.
    """
    inverse = 1.0 / d
    t = short(n * inverse)
    head = short(d)
    return t, ((n - t * head) - (t * ((d - head) + d_lo) - n_lo)) * inverse


def between(a: Real, b: Real) -> tuple[Real, Real, Integer]:
    """(t, t_lo, j) with atan(a/b) = atan(j/256) + atan(t + t_lo), for 0 <= a <= b."""
    c, j = near_slope(a, b)
    d, d_lo = mark("d d_lo", *total(a, b, c))
    t, t_lo = mark("t t_lo", *ratio(mark("difference", difference(a, b, c)), 0.0, d, d_lo))
    return t, t_lo, j


def turned(t: Real, t_lo: Real, j: Integer, octant: Integer) -> tuple[Real, Real, Real]:
    """(hi, lo, bound) of v = atan(j/256) + atan(t + t_lo) in octant 0, pi/2 - v in 1, pi - v in 2, pi/2 + v in 3.

    ``bound`` is a bound of the relative error.
    """
    slope = t + t_lo
    square = slope * slope
    sign = select(((octant + 1) & 2) == 0, 1.0, -1.0)
    rest = sign * (t_lo + slope * (square * polynomial(square, ATAN_TAIL)))
    place = octant * ROW + j
    head, tail = fast_two_sum(take(ANGLE_HI, place), sign * t)
    hi, lo = mark("angle angle_lo", *fast_two_sum(head, tail + (take(ANGLE_LO, place) + rest)))
    return hi, lo, LEAST + GROWTH * square


def octant_of(y: Real, x: Real) -> tuple[Integer, Integer, Integer]:
    """(small, large, octant): the encodings of the smaller and of the larger of |y| and |x|, and where (x, y) lies.

    Two zeros become 0 and 1, and a finite number becomes 0 if the other is infinite: these have the same direction.
    """
    across, along = bits(y) & MAGNITUDE, bits(x) & MAGNITUDE
    small, large = lesser(across, along), greater(across, along)
    large = select(large == 0, ONE, large)
    octant = mark("octant", select(mark("steep", across > along), 1, 0) + ((bits(x) >> 63) & 2))
    return select((large >= INFINITE) & (small < INFINITE), 0, small), large, octant


def significand(code: Integer) -> tuple[Real, Integer]:
    """(m, n): the number of the encoding is m 2^n times a constant, 1 <= m < 2; m = 1 for zero and infinity.

    A subnormal number is a fraction that lacks its leading 1.
    """
    subnormal = mark("subnormal", mark("code", code) <= FRACTION)
    code = select(subnormal, mark("scaled", bits(from_bits(code | ONE) - 1.0)), code)
    m = from_bits(mark("code_of_m", (code & FRACTION) | ONE))
    return mark("m power", m, (code >> 52) - select(subnormal, 1022, 0))


def quotient(small: Integer, large: Integer) -> tuple[Real, Real, Integer]:
    """(a, b, exponent): the numbers of two encodings as a 2^exponent and b, b from 1 to 2, a at least SLIGHT."""
    a, n = scope("small", significand)(small)
    b, of_b = scope("large", significand)(large)
    n = n - of_b
    kept = mark("kept", greater(n, FAR_BELOW))
    a = mark("a", from_bits(mark("code_of_a", mark("bits_of_small", bits(a)) + (kept << 52))))
    return a, mark("b", b), mark("dropped", n - kept)


def comparable(y: Real, x: Real) -> Pair:
    """(y, x) scaled, with the direction that kernels see: the larger is 1 to 2 in size, the smaller at least 2^-200."""
    small, large, octant = octant_of(y, x)
    a, n = scope("small", significand)(small)
    b, of_b = scope("large", significand)(large)
    a = a * two_to(mark("power", greater(n - of_b, FURTHEST)))
    upright = mark("upright", (octant & 1) != 0)
    v, u = scope("v", signed)(select(upright, b, a), y), scope("u", signed)(select(upright, a, b), x)
    return mark("v u", v, u)
