"""asin, acos, atan, atan2 and their pi forms: one arc tangent of a quotient, turned into its octant."""

from __future__ import annotations

from clmath.ir.primitives import *
from clmath.kernels import coefficients, table
from clmath.kernels.fast.near_zero import TINY, near_zero
from clmath.kernels.records import kernel

ATAN_HI, ATAN_LO = table("fast/inverse_trigonometric", "atan_hi"), table("fast/inverse_trigonometric", "atan_lo")
HALF_PI_HI, HALF_PI_LO = map(float, table("fast/inverse_trigonometric", "half_pi"))
ONE_OVER_PI_HI, ONE_OVER_PI_LO = map(float, table("fast/inverse_trigonometric", "one_over_pi"))
ONE_OVER_PI = ONE_OVER_PI_HI + ONE_OVER_PI_LO
ATAN_TAIL = coefficients("fast/inverse_trigonometric", "atan_tail")
STEEPEST = 1e40  # atan of a float beyond it, infinity, rounds as there

ATAN_BOUND, ATAN2_BOUND = 1.6 * 2.0**-52, 1.75 * 2.0**-52
ASIN_BOUND, ACOS_BOUND = 2.5 * 2.0**-52, 1.95 * 2.0**-52
# of their forms in half turns, too, from the certificates, and 2^-53 for the rounding of value -+ err
SLIGHT = 2.0**-27  # an angle this far from pi or pi/2 is nearer to it, in parts of pi, than any float or midpoint


def first_octant(a: Real, b: Real) -> tuple[Real, Real, Real]:
    """(head, tail, q): atan(a/b) = head + tail, q = a/b rounded, for 0 <= a <= b, b > 0, both finite."""
    q = mark("q", a / b)
    place, j = mark("place j", *nearest(q * 64.0))
    c = mark("c", place * 0.015625)
    t = mark("t", mark("less", a - c * b) / mark("more", b + c * a))
    square = t * t
    p = t * square * polynomial(square, ATAN_TAIL)
    head, tail = two_sum(mark("entry", take(ATAN_HI, j)), t)
    return head, tail + (mark("entry_lo", take(ATAN_LO, j)) + p), q


def away_from(axis: Real, back: Truth, head: Real, tail: Real) -> Pair:
    """(hi, lo): the angle head + tail on from half axis number 0, 1 or 2, or back from it; |lo| < 2^-14 |hi|."""
    sign = select(back, SIGN, 0)
    hi, lo = two_sum(axis * HALF_PI_HI, from_bits(bits(head) ^ sign))
    return hi, lo + (axis * HALF_PI_LO + from_bits(bits(tail) ^ sign))


def quarter_turn(across: Real, along: Real) -> Pair:
    """(hi, lo) of atan2(across, along) = hi + lo for finite arguments from 0 on, not both zero."""
    head, tail, _ = first_octant(lesser(across, along), greater(across, along))
    return off_the_nearer_axis(across > along, head, tail)


def off_the_nearer_axis(steep: Truth, head: Real, tail: Real) -> Pair:
    """(hi, lo) of an angle below a quarter turn that is head + tail, or where it is steep pi/2 less that."""
    return away_from(select(steep, 1.0, 0.0), steep, head, tail)


def slope_angle(slope: Real) -> Pair:
    """(hi, lo) of atan(slope) = hi + lo for finite slopes from 0 on."""
    head, tail, _ = first_octant(clamp(slope, 0.0, 1.0), clamp(slope, 1.0, STEEPEST))
    return off_the_nearer_axis(slope > 1.0, head, tail)


def full_turn(y: Real, x: Real) -> tuple[Real, Real, Real]:
    """(hi, lo, q) of |atan2(y, x)| = hi + lo for finite arguments; q is the smaller through the larger."""
    across, along = mark("across along", abs(y), abs(x))
    larger = greater(across, along)
    a, b = mark("a b", lesser(across, along), select(larger == 0.0, 1.0, larger))
    head, tail, q = first_octant(a, b)
    steep, backward = mark("steep backward", across > along, x < 0.0)
    upright = select(steep, 1.0, 0.0)
    hi, lo = away_from(upright + select(backward, 2.0, 0.0) * (1.0 - upright), steep ^ backward, head, tail)
    return hi, lo, q


def finite_direction(y: Real, x: Real) -> Pair:
    """(y, x) with the infinities replaced by finite numbers of the same direction."""
    y_infinite, x_infinite = abs(y) == INFINITY, abs(x) == INFINITY
    some = y_infinite | x_infinite
    across = select(y_infinite, 1.0, select(some, 0.0, abs(y)))
    along = select(x_infinite, 1.0, select(some, 0.0, abs(x)))
    return copysign(across, y), copysign(along, x)


def is_short(q: Real) -> Truth:
    """Whether q has at most 26 significant bits: q, the rounded y/x of 24-bit y and x, is then exact."""
    found: Truth = (bits(q) & 0x7FFFFFF) == 0
    return found


@kernel()
def atan2(y: Real, x: Real) -> Pair:
    """The angle of (x, y); exact at zero, and next to q if the quotient q is short."""
    fy, fx = finite_direction(y, x)
    hi, lo, q = full_turn(fy, fx)
    value, err = hi + lo, hi * ATAN2_BOUND
    forward = (bits(fx) >= 0) & (abs(fy) <= abs(fx))
    touching = mark("touching", forward & (q < TINY) & is_short(q))
    value = select(touching, select(q == 0.0, 0.0, inward(q)), value)
    value = select(mark("zero", fy == 0.0) & (bits(fx) < 0), HALF_PI_HI * 2.0, value)
    value = copysign(value, y)
    invalid = mark("invalid", (x != x) | (y != y))
    return select(invalid, NAN, value), select(touching | invalid, 0.0, err + 0.0)


@kernel()
def atan(x: Real) -> Pair:
    """Arc tangent."""
    hi, lo = slope_angle(clamp(abs(x), 0.0, STEEPEST))
    return near_zero(x, inward(x), copysign(hi + lo, x), ATAN_BOUND)


def cosine_side(x: Real) -> Real:
    """sqrt(1 - x^2); NaN beyond 1."""
    return sqrt((1.0 - x) * (1.0 + x))


@kernel()
def asin(x: Real) -> Pair:
    """Arc sine."""
    hi, lo = quarter_turn(abs(x), cosine_side(x))
    return near_zero(x, outward(x), copysign(hi + lo, x), ASIN_BOUND)


@kernel()
def acos(x: Real) -> Pair:
    """Arc cosine; exact at 1."""
    hi, lo, _ = full_turn(cosine_side(x), x)
    return select(mark("one", x == 1.0), 0.0, hi + lo), select((x == 1.0) | (hi != hi), 0.0, hi * ACOS_BOUND)


def through_pi(hi: Real, lo: Real) -> Real:
    """(hi + lo) / pi: the product of two numbers of 26 bits is exact, so that only the last addition rounds visibly."""
    head, rest = split(hi)
    return head * ONE_OVER_PI_HI + (head * ONE_OVER_PI_LO + (rest + lo) * ONE_OVER_PI)


@kernel()
def atan2pi(y: Real, x: Real) -> Pair:
    """The angle of (x, y) in half turns; exact on the axes and diagonals, which it nears strictly from one side."""
    fy, fx = finite_direction(y, x)
    hi, lo, q = full_turn(fy, fx)
    steep = abs(fy) > abs(fx)
    backward = bits(fx) < 0
    value = through_pi(hi, lo)
    corner = select(steep, 0.5, select(backward, 1.0, 0.0))
    inside = select(steep != backward, inward(corner), outward(corner))
    beside = mark("beside", (q < SLIGHT) & (corner != 0.0))
    value = select(beside, select(q == 0.0, corner, inside), value)
    diagonal = mark("diagonal", abs(fy) == abs(fx))
    value = select(diagonal & (fy != 0.0), select(backward, 0.75, 0.25), value)
    value = select(mark("zero", fy == 0.0), select(backward, 1.0, 0.0), value)
    invalid = mark("invalid", (x != x) | (y != y))
    exact = beside | diagonal | (fy == 0.0) | invalid
    return select(invalid, NAN, copysign(value, y)), select(exact, 0.0, value * ATAN2_BOUND)


@kernel()
def atanpi(x: Real) -> Pair:
    """Arc tangent in half turns; exact at 0, 1 and infinity; beyond 1/SLIGHT it rounds as there."""
    a = abs(x)
    hi, lo = slope_angle(clamp(a, 0.0, 1.0 / SLIGHT))
    value = select(mark("one", a == 1.0), 0.25, select(a == INFINITY, 0.5, through_pi(hi, lo)))
    decided = (a == 1.0) | mark("steep", a > 1.0 / SLIGHT) | mark("zero", a == 0.0)
    return copysign(value, x), select(decided, 0.0, value * ATAN_BOUND)


@kernel()
def asinpi(x: Real) -> Pair:
    """Arc sine in half turns; exact at 0 and 1."""
    hi, lo = quarter_turn(abs(x), cosine_side(x))
    value = copysign(select(mark("one", abs(x) == 1.0), 0.5, through_pi(hi, lo)), x)
    exact = mark("zero", x == 0.0) | (abs(x) == 1.0) | (hi != hi)
    return select(x == 0.0, x, value), select(exact, 0.0, abs(value) * ASIN_BOUND)


@kernel()
def acospi(x: Real) -> Pair:
    """Arc cosine in half turns; exact at -1, 0 and 1; within SLIGHT of 0 it rounds as at SLIGHT."""
    a = abs(x)
    kept = copysign(clamp(a, SLIGHT, INFINITY), x)
    hi, lo, _ = full_turn(cosine_side(kept), kept)
    zero, one = mark("zero", a == 0.0), mark("one", a == 1.0)
    value = select(zero, 0.5, select(one, select(x < 0.0, 1.0, 0.0), through_pi(hi, lo)))
    return value, select(mark("slight", a < SLIGHT) | (a == 1.0), 0.0, value * ACOS_BOUND)
