"""asin, acos, atan, atan2 and their pi forms as angles of slopes.

Narrower enclosures take one Newton step from the angle, whose sine and cosine are computed in pairs.
"""

from __future__ import annotations

from clmath.ir.primitives import *
from clmath.kernels import pairs, table
from clmath.kernels.accurate.angles import ANGLE_ERROR
from clmath.kernels.accurate.narrower import narrower
from clmath.kernels.accurate.near_zero import in_range
from clmath.kernels.accurate.pairs import over_pair, plus_pair, short, signed, times, times_pair
from clmath.kernels.accurate.sines import of_angle, of_half_turns
from clmath.kernels.accurate.slopes import (
    SLIGHT,
    between,
    comparable,
    difference,
    near_slope,
    octant_of,
    quotient,
    ratio,
    total,
    turned,
)
from clmath.kernels.records import kernel, narrows, refines

ONE_OVER_PI_HI, ONE_OVER_PI_LO, ONE_OVER_PI = map(float, table("accurate/inverse_trigonometric", "one_over_pi"))
(INVERSE_PI,) = pairs("narrowing/trigonometric", "one_over_pi")

TINY = 2.0**-30  # below it asin and atan are x (1 +- 2^-61): no double and no midpoint lies between that and x
LINEAR = 2.0**-40  # below it they are x (1 +- 2^-81)
SMALL = 2.0**-400  # below it results are scaled up, by SCALE
SCALE, SCALING = 2.0**600, 600
CLOSE = 2.0**-50  # at least six roundings
FAR = 2.0**80  # slopes beyond it are moved to it, which moves angles by less than a bound
BESIDE = 2.0**-64  # an angle so far from a quarter turn, in half turns, rounds as if nearer

NARROW_LEAST = 2.0**-31  # steps of the angles below it are not taken: they are almost their sines
CUBIC = 2.0**-28  # below it asin x = x + x^3/6 and atan x = x - x^3/3, with a relative error of 2^-114
CUBIC_BOUND = 2.0**-99  # quotient 2^-100, product 2^-102, sums; the cube in double, 2^-57.5 of it, 2^-109
SINES, COSINES, SLOPES, DIRECTIONS = 2.0**-100.9, 2.0**-104.25, 2.0**-101.75, 2.0**-100.4
# errors of sines, cosines and both products, in addition to ROUNDING, from the certificates
ROUNDING = 2.0**-102.25
# of the angle, from the certificates: most of the error is the angle's whose sine is taken
NARROW_FAR = 2.0**200  # as FAR, for narrower enclosures


def scaled(a: Real) -> tuple[Real, Integer]:
    """(y, exponent) with a = y 2^exponent and y at least 2^-474, unless it is zero."""
    small = mark("small", a < SMALL)
    return a * select(small, SCALE, 1.0), select(small, -SCALING, 0)


def odd(x: Real, found: tuple[Real, Real, Real], beside: float, invalid: Truth) -> Enclosed:
    """The parts of an odd function: hi + lo at |x|, except near zero, where it is |x| (1 + ``beside``)."""
    hi, lo, bound = found
    a = abs(x)
    tiny, invalid = mark("tiny invalid", a < TINY, invalid)
    y, exponent = scaled(a)
    hi = select(tiny, y, select(invalid, NAN, hi))
    lo = select(tiny, 0.0 + y * beside, select(invalid, 0.0, lo))  # of zero it is +0
    return signed(hi, x), signed(lo, x), select(tiny | invalid, 0.0, hi * bound), exponent


def through_pi(hi: Real, lo: Real) -> Pair:
    """(hi + lo) / pi as a pair: the product of two numbers of 26 bits is exact, all others are below 2^-25 of it."""
    head = short(hi)
    hi, lo = fast_two_sum(head * ONE_OVER_PI_HI, head * ONE_OVER_PI_LO + ((hi - head) + lo) * ONE_OVER_PI)
    return mark("turns turns_lo", hi, lo)


def laid_over(exact: Truth, value: Real | float, parts: tuple[Real, Real, Real]) -> tuple[Real, Real, Real]:
    """(hi, lo, err) of ``parts``, but ``value`` where it is ``exact``."""
    hi, lo, err = parts
    return select(exact, value, hi), select(exact, 0.0, lo), select(exact, 0.0, err)


def odd_through_pi(a: Real, found: tuple[Real, Real, Real]) -> tuple[tuple[Real, Real, Real], Integer]:
    """((hi, lo, err), exponent) of an odd function that is (hi + lo)/pi at ``a``, but near zero a/pi."""
    hi, lo, bound = found
    linear = a < LINEAR
    y, exponent = scaled(a)
    hi, lo = through_pi(select(linear, y, hi), select(linear, 0.0, lo))
    return (hi, lo, hi * bound), exponent


def slope_angle(a: Real) -> tuple[Real, Real, Real]:
    """(hi, lo, bound) of atan(a), but where ``a`` is below LINEAR."""
    slope = mark("slope", clamp(a, LINEAR, FAR))
    t, t_lo, j = between(lesser(slope, 1.0), greater(slope, 1.0))
    return turned(t, t_lo, j, select(slope > 1.0, 1, 0))


def minus(a: tuple[Real, Real | float], b: tuple[Real, Real | float]) -> Real:
    """The difference of two pairs as one double."""
    b_hi, b_lo = b
    found, _ = plus_pair(-b_hi, -b_lo, *a)
    return found


def stepped(parts: Parts, unit: float, missed: Real, slope: Real, error: Real) -> Parts:
    """The parts of an angle in units of ``unit`` radians, moved by missed/slope; ``missed`` has ``error``."""
    hi, lo, err, exponent = parts
    steepness = unit / slope
    new_hi, new_lo = fast_two_sum(hi, lo + mark("step", missed * steepness))
    new_err = mark("change", abs(steepness) * (1.125 * error)) + abs(hi) * ROUNDING
    usable = mark("usable", (abs(hi) >= NARROW_LEAST) & (exponent == 0))
    return narrower(hi, lo, err, exponent, (new_hi, new_lo, select(usable, new_err, INFINITY), exponent))


def from_direction(
    y: Real, x: Real | float, parts: Parts, unit: float, at: tuple[Real, Real, Real, Real], bound: float
) -> Parts:
    """The parts of the angle of (x, y): y cos t - x sin t is the length of (x, y) times sin d, which is d except for
    d^3/6.

    Both products have errors of ``bound`` in all.
    """
    sine, sine_lo, cosine, cosine_lo = at
    across, along = times(cosine, cosine_lo, y), times(sine, sine_lo, x)
    error = (abs(across[0]) + abs(along[0])) * bound + (abs(x) + abs(y)) * ANGLE_ERROR  # type: ignore[operator] # |x|
    missed, slope, error = mark("missed slope error", minus(across, along), x * cosine + y * sine, error)
    return stepped(parts, unit, missed, slope, error)


def cubic(
    parts: Parts,
    q: tuple[Real, Real | float],
    unit: tuple[float, float],
    is_tiny: Truth,
    exponent: Integer,
    part: float,
) -> Parts:
    """``parts`` or, where ``is_tiny``, (q + part q^3) 2^exponent unit for pairs q, unit; without the cube if scaled."""
    q_hi, q_lo = q
    hi, lo = times_pair(q_hi, q_lo, *unit)
    square = q_hi * q_hi
    cube = select(mark("unscaled", exponent == 0), hi * square, 0.0)
    new_hi, new_lo = fast_two_sum(hi, lo + cube * part)
    given_hi, given_lo, err, given_exponent = parts
    new_err = select(is_tiny, abs(new_hi) * CUBIC_BOUND, INFINITY)
    found = new_hi, new_lo, new_err, exponent
    return scope("cubic", narrower)(given_hi, given_lo, err, given_exponent, found)


def like_itself(x: Real, parts: Parts, part: float) -> Parts:
    """``cubic`` of a function that is (x + part x^3)/pi where it is tiny."""
    near, exponent = in_range(x)
    return cubic(parts, (near, 0.0), INVERSE_PI, abs(x) < CUBIC, exponent, part)


@kernel()
def atan(x: Real) -> Enclosed:
    """Arc tangent."""
    return odd(x, slope_angle(abs(x)), -SLIGHT, x != x)


@narrows("atan")
def narrow_atan(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Arc tangent."""
    y = mark("clamped", clamp(x, -NARROW_FAR, NARROW_FAR))
    return from_direction(y, 1.0, (hi, lo, err, exponent), 1.0, of_angle(hi, lo), SLOPES)


@kernel()
def atanpi(x: Real) -> Enclosed:
    """Arc tangent in half turns; exact at 0, 1 and infinity."""
    a = abs(x)
    (hi, lo, err), exponent = odd_through_pi(a, slope_angle(a))
    far = mark("far", a > 1.0 / BESIDE)
    exact = mark("exact", far | mark("one", a == 1.0) | (x != x))
    hi, lo, err = laid_over(exact, select(far, 0.5, select(a == 1.0, 0.25, NAN)), (hi, lo, err))
    lo = select(far & (a != INFINITY), -SLIGHT, lo)
    return signed(hi, x), signed(lo, x), err, exponent


@narrows("atanpi")
def narrow_atanpi(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Arc tangent in half turns."""
    y, given = mark("clamped", clamp(x, -NARROW_FAR, NARROW_FAR)), (hi, lo, err, exponent)
    parts = from_direction(y, 1.0, given, ONE_OVER_PI, of_half_turns(hi, lo), SLOPES)
    return like_itself(x, parts, -1.0 / 3.0)


def cosine(a: Real) -> Pair:
    """(s, s_lo) with s + s_lo = sqrt(1 - a^2), 0 <= a <= 1, relative error below 2^-100; s_lo = 0 where it is 0.

    1 - a^2 is a pair after a sum that is exact where they are near, and e, no larger than half the last place of 1.
    """
    p, e = two_product(a, a)
    head, tail = fast_two_sum(1.0, -p)
    v, v_lo = fast_two_sum(head, tail - e)
    s = sqrt(v)
    p, e = two_product(s, s)
    return s, (((v - p) - e) + v_lo) * (0.5 / greater(s, TINY))


def on_the_circle(a: Real) -> tuple[Real, Real, Integer, Truth]:
    """(t, t_lo, j, steep): the smaller of ``a`` and sqrt(1 - a^2) through the other as in ``between``.

    ``steep`` where the root is the smaller.
    """
    s, s_lo = cosine(a)
    steep = mark("steep", a > s)
    small, large = lesser(a, s), greater(a, s)
    small_lo, large_lo = select(steep, s_lo, 0.0), select(steep, 0.0, s_lo)
    c, j = near_slope(small, large)
    d, d_lo = total(small, large, c)
    t, t_lo = ratio(difference(small, large, c), small_lo - c * large_lo, d, d_lo + (large_lo + c * small_lo))
    return t, t_lo, j, steep


def sine_angle(a: Real) -> tuple[Real, Real, Real]:
    """(hi, lo, bound) of asin(a), but where ``a`` is below LINEAR or above 1."""
    t, t_lo, j, steep = on_the_circle(clamp(a, LINEAR, 1.0))
    return turned(t, t_lo, j, select(steep, 1, 0))


def from_sine(x: Real, parts: Parts, unit: float, at: tuple[Real, Real, Real, Real]) -> Parts:
    """The parts of arc sine: sin t + d cos t is sin(t + d) except for d^2/2."""
    sine, sine_lo, cosine, _ = at
    bend = parts[2] / unit
    error = abs(sine) * SINES + (ANGLE_ERROR + mark("square", bend * bend))
    return stepped(parts, unit, minus((x, 0.0), (sine, sine_lo)), cosine, error)


@kernel()
def asin(x: Real) -> Enclosed:
    """Arc sine."""
    a = abs(x)
    return odd(x, sine_angle(a), SLIGHT, mark("invalid", ~(a <= 1.0)))


@narrows("asin")
def narrow_asin(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Arc sine."""
    return from_sine(x, (hi, lo, err, exponent), 1.0, of_angle(hi, lo))


@kernel()
def asinpi(x: Real) -> Enclosed:
    """Arc sine in half turns; exact at 0 and 1."""
    a = abs(x)
    parts, exponent = odd_through_pi(a, sine_angle(a))
    hi, lo, err = laid_over(mark("far", ~(a < 1.0)), select(a == 1.0, 0.5, NAN), parts)
    return signed(hi, x), signed(lo, x), err, exponent


@narrows("asinpi")
def narrow_asinpi(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Arc sine in half turns."""
    parts = from_sine(x, (hi, lo, err, exponent), ONE_OVER_PI, of_half_turns(hi, lo))
    return like_itself(x, parts, 1.0 / 6.0)


def cosine_angle(x: Real) -> tuple[Real, Real, Real]:
    """(hi, lo, bound) of acos(x), within SLIGHT, for |x| <= 1."""
    t, t_lo, j, steep = on_the_circle(clamp(abs(x), SLIGHT, 1.0))
    return turned(t, t_lo, j, select(steep, 0, 1) + ((bits(x) >> 63) & 2))


def from_cosine(x: Real, parts: Parts, unit: float, at: tuple[Real, Real, Real, Real]) -> Parts:
    """The parts of arc cosine: cos t - d sin t is cos(t + d) except for d^2/2."""
    sine, _, cosine, cosine_lo = at
    bend = parts[2] / unit
    error = abs(cosine) * COSINES + (ANGLE_ERROR + mark("square", bend * bend))
    return stepped(parts, unit, minus((cosine, cosine_lo), (x, 0.0)), sine, error)


@kernel()
def acos(x: Real) -> Enclosed:
    """Arc cosine; exact at 1."""
    hi, lo, bound = cosine_angle(x)
    return *laid_over(mark("invalid", ~(abs(x) <= 1.0)), NAN, (hi, lo, hi * bound)), 0


@narrows("acos")
def narrow_acos(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Arc cosine."""
    return from_cosine(x, (hi, lo, err, exponent), 1.0, of_angle(hi, lo))


@kernel()
def acospi(x: Real) -> Enclosed:
    """Arc cosine in half turns; exact at -1, 0 and 1."""
    a = abs(x)
    hi, lo, bound = cosine_angle(x)
    hi, lo = through_pi(hi, lo)
    beside = mark("beside", a < BESIDE)
    value = select(beside, 0.5, select(a == 1.0, select(x < 0.0, 1.0, 0.0), NAN))
    hi, lo, err = laid_over(mark("exact", beside | mark("far", ~(a < 1.0))), value, (hi, lo, hi * bound))
    return hi, select(beside & (x != 0.0), select(x > 0.0, -SLIGHT, SLIGHT), lo), err, 0


@narrows("acospi")
def narrow_acospi(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Arc cosine in half turns."""
    return from_cosine(x, (hi, lo, err, exponent), ONE_OVER_PI, of_half_turns(hi, lo))


def full_turn(y: Real, x: Real) -> tuple[tuple[Real, Real, Real], Integer, Integer, Integer]:
    """((hi, lo, bound), exponent, small, octant): |atan2(y, x)| = (hi + lo) 2^exponent, unless that is zero or NaN."""
    small, large, octant = octant_of(y, x)
    a, b, exponent = quotient(small, large)
    t, t_lo, j = between(a, b)
    t, t_lo, level = mark("t t_lo level", t, t_lo, octant == 0)
    return turned(t, t_lo, j, octant), select(level, exponent, 0), small, octant


def like_slope(y: Real, x: Real, parts: Parts, unit: tuple[float, float]) -> Parts:
    """``cubic`` of the angle of (x, y) where its tangent y/x is tiny."""
    small, large, octant = octant_of(y, x)
    a, b, exponent = quotient(small, large)
    hi, lo = over_pair(mark("numerator", signed(a, y)), 0.0, b, 0.0)
    flat = mark("flat", (octant == 0) & (abs(hi) < CUBIC))
    return cubic(parts, (hi, lo), unit, flat, exponent, -1.0 / 3.0)


@kernel()
def atan2(y: Real, x: Real) -> Enclosed:
    """The angle of (x, y); where it is small and y/x a double, ``refined_atan2`` finds that."""
    (hi, lo, bound), exponent, small, octant = full_turn(y, x)
    invalid = mark("invalid", (x != x) | (y != y))
    exact = mark("exact", invalid | mark("zero", (small == 0) & (octant == 0)))
    hi, lo, err = laid_over(exact, select(invalid, NAN, 0.0), (hi, lo, hi * bound))
    hi, lo = mark("unsigned unsigned_lo", hi, lo)
    return signed(hi, y), signed(lo, y), err, exponent


@refines("atan2")
def refined_atan2(y: Real, x: Real, hi: Real, lo: Real, err: Real, exponent: Integer | int) -> Enclosed:
    """The parts; where the angle is below TINY, with ``lo`` so accurate that it decides unless very near a midpoint.

    The angle is q - q^3/3, the quotient q the double next to it and a rest that is exact before it is divided: where
    that is 0 the cube remains, whose size does not matter then (``exponent`` is not looked at). Six roundings.
    """
    small, large, octant = octant_of(y, x)
    a, b, _ = quotient(small, large)
    q = mark("q", abs(hi))
    p, e = two_product(q, b)
    beside, cube = mark("missed", (a - p) - e) / b, mark("cube", q * (q * q) * (1.0 / 3.0))
    head, tail = fast_two_sum(q, beside - cube)
    slack = mark("slack", (mark("size", abs(beside)) + cube) * CLOSE)
    certain = mark("large", abs(tail) > slack) & mark("below", head + (tail - slack) == head)
    certain = certain & mark("above", head + (tail + slack) == head)
    found = mark("flat", octant == 0) & mark("tiny", q < TINY) & mark("open", err > 0.0) & certain
    hi = select(mark("found", found), mark("head", signed(head, y)), hi)
    lo = select(found, mark("tail", signed(tail, y)), lo)
    return hi, lo, select(found, 0.0, err), exponent


@narrows("atan2")
def narrow_atan2(y: Real, x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """The angle of (x, y)."""
    v, u = comparable(y, x)
    parts = from_direction(v, u, (hi, lo, err, exponent), 1.0, of_angle(hi, lo), DIRECTIONS)
    return like_slope(y, x, parts, (1.0, 0.0))


@kernel()
def atan2pi(y: Real, x: Real) -> Enclosed:
    """The angle of (x, y) in half turns; exact on the axes and diagonals."""
    (hi, lo, bound), exponent, small, octant = full_turn(y, x)
    hi, lo = through_pi(hi, lo)
    invalid = mark("invalid", (x != x) | (y != y))
    zero, diagonal = mark("zero diagonal", small == 0, abs(y) == abs(x))
    corner = select(octant == 0, 0.0, select(octant == 2, 1.0, 0.5))
    beside = mark("beside", (octant != 0) & (abs((hi - corner) + lo) < BESIDE))
    value = select(zero | beside, corner, select(octant == 0, 0.25, 0.75))
    exact = mark("exact", zero | beside | diagonal | invalid)
    hi, lo, err = laid_over(exact, select(invalid, NAN, value), (hi, lo, hi * bound))
    lo = select(beside & ~zero, select(octant == 3, SLIGHT, -SLIGHT), lo)
    hi, lo = mark("unsigned unsigned_lo", hi, lo)
    return signed(hi, y), signed(lo, y), err, select(exact, 0, exponent)


@narrows("atan2pi")
def narrow_atan2pi(y: Real, x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """The angle of (x, y) in half turns."""
    v, u = comparable(y, x)
    parts = from_direction(v, u, (hi, lo, err, exponent), ONE_OVER_PI, of_half_turns(hi, lo), DIRECTIONS)
    return like_slope(y, x, parts, INVERSE_PI)
