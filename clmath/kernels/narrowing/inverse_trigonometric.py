"""asin, acos, atan, atan2 and their pi forms: one step of Newton's from the accurate kernels' angle, a pair."""

from __future__ import annotations

from clmath.ir.lanes import *
from clmath.kernels import pairs
from clmath.kernels.accurate.angles import steps_of
from clmath.kernels.accurate.inverse_trigonometric import octant_of, quotient, signed, significand
from clmath.kernels.accurate.near_zero import in_range
from clmath.kernels.accurate.pairs import over_pair, plus, plus_pair, times, times_pair
from clmath.kernels.accurate.trigonometric import steps_of_turns
from clmath.kernels.narrowing.enclosures import narrower
from clmath.kernels.narrowing.trigonometric import ANGLE_ERROR, PI, STEP, sine_and_cosine
from clmath.kernels.records import narrows

(INVERSE_PI,) = pairs("narrowing/trigonometric", "one_over_pi")
ONE_OVER_PI, _ = INVERSE_PI
LEAST = 2.0**-31  # steps of the angles below it are not taken: they are almost their sines
CUBIC = 2.0**-28  # below it asin x = x + x^3/6 and atan x = x - x^3/3, with a relative error of 2^-114
CUBIC_BOUND = 2.0**-99  # quotient 2^-100, product 2^-102, sums; the cube in double, 2^-57.5 of it, 2^-109
SINES, COSINES, SLOPES, DIRECTIONS = 2.0**-100.9, 2.0**-104.25, 2.0**-101.75, 2.0**-100.4
# errors of sines, cosines and both products, in addition to ROUNDING, from the certificates
ROUNDING = 2.0**-102.25
# of the angle, from the certificates: most of the error is the angle's whose sine is taken
FURTHEST = -200  # 2^-200 or less of the other is negligible compared with ANGLE_ERROR
FAR = 2.0**200  # nor is that from which on arc tangents are taken for one


def of_angle(hi: Real, lo: Real) -> tuple[Real, Real, Real, Real]:
    """``sine_and_cosine`` of hi + lo radians."""
    f, f_lo, n = steps_of(hi)
    r, r_lo = times_pair(f, f_lo, *STEP)
    r, r_lo = plus(r, r_lo, lo)
    return sine_and_cosine(r, r_lo, n)


def of_half_turns(hi: Real, lo: Real) -> tuple[Real, Real, Real, Real]:
    """``sine_and_cosine`` of hi + lo half turns."""
    f, n = mark("f n", *steps_of_turns(hi))
    r, r_lo = times(*STEP, f)
    r, r_lo = plus(r, r_lo, lo * PI[0])
    return sine_and_cosine(r, r_lo, n)


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
    usable = mark("usable", (abs(hi) >= LEAST) & (exponent == 0))
    return narrower(hi, lo, err, exponent, (new_hi, new_lo, select(usable, new_err, INFINITY), exponent))


def from_sine(x: Real, parts: Parts, unit: float, at: tuple[Real, Real, Real, Real]) -> Parts:
    """The parts of arc sine: sin t + d cos t is sin(t + d) except for d^2/2."""
    sine, sine_lo, cosine, _ = at
    bend = parts[2] / unit
    error = abs(sine) * SINES + (ANGLE_ERROR + mark("square", bend * bend))
    return stepped(parts, unit, minus((x, 0.0), (sine, sine_lo)), cosine, error)


def from_cosine(x: Real, parts: Parts, unit: float, at: tuple[Real, Real, Real, Real]) -> Parts:
    """The parts of arc cosine: cos t - d sin t is cos(t + d) except for d^2/2."""
    sine, _, cosine, cosine_lo = at
    bend = parts[2] / unit
    error = abs(cosine) * COSINES + (ANGLE_ERROR + mark("square", bend * bend))
    return stepped(parts, unit, minus((cosine, cosine_lo), (x, 0.0)), sine, error)


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


def comparable(y: Real, x: Real) -> Pair:
    """(y, x) scaled, with the direction that kernels see: the larger is 1 to 2 in size, the smaller at least 2^-200."""
    small, large, octant = octant_of(y, x)
    a, n = scope("small", significand)(small)
    b, of_b = scope("large", significand)(large)
    a = a * two_to(mark("power", greater(n - of_b, FURTHEST)))
    upright = mark("upright", (octant & 1) != 0)
    v, u = scope("v", signed)(select(upright, b, a), y), scope("u", signed)(select(upright, a, b), x)
    return mark("v u", v, u)


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


def like_slope(y: Real, x: Real, parts: Parts, unit: tuple[float, float]) -> Parts:
    """``cubic`` of the angle of (x, y) where its tangent y/x is tiny."""
    small, large, octant = octant_of(y, x)
    a, b, exponent = quotient(small, large)
    hi, lo = over_pair(mark("numerator", signed(a, y)), 0.0, b, 0.0)
    flat = mark("flat", (octant == 0) & (abs(hi) < CUBIC))
    return cubic(parts, (hi, lo), unit, flat, exponent, -1.0 / 3.0)


@narrows("asin")
def asin(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Arc sine."""
    return from_sine(x, (hi, lo, err, exponent), 1.0, of_angle(hi, lo))


@narrows("asinpi")
def asinpi(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Arc sine in half turns."""
    parts = from_sine(x, (hi, lo, err, exponent), ONE_OVER_PI, of_half_turns(hi, lo))
    return like_itself(x, parts, 1.0 / 6.0)


@narrows("acos")
def acos(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Arc cosine."""
    return from_cosine(x, (hi, lo, err, exponent), 1.0, of_angle(hi, lo))


@narrows("acospi")
def acospi(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Arc cosine in half turns."""
    return from_cosine(x, (hi, lo, err, exponent), ONE_OVER_PI, of_half_turns(hi, lo))


@narrows("atan2")
def atan2(y: Real, x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """The angle of (x, y)."""
    v, u = comparable(y, x)
    parts = from_direction(v, u, (hi, lo, err, exponent), 1.0, of_angle(hi, lo), DIRECTIONS)
    return like_slope(y, x, parts, (1.0, 0.0))


@narrows("atan2pi")
def atan2pi(y: Real, x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """The angle of (x, y) in half turns."""
    v, u = comparable(y, x)
    parts = from_direction(v, u, (hi, lo, err, exponent), ONE_OVER_PI, of_half_turns(hi, lo), DIRECTIONS)
    return like_slope(y, x, parts, INVERSE_PI)


@narrows("atan")
def atan(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Arc tangent."""
    y = mark("clamped", clamp(x, -FAR, FAR))
    return from_direction(y, 1.0, (hi, lo, err, exponent), 1.0, of_angle(hi, lo), SLOPES)


@narrows("atanpi")
def atanpi(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Arc tangent in half turns."""
    y, given = mark("clamped", clamp(x, -FAR, FAR)), (hi, lo, err, exponent)
    parts = from_direction(y, 1.0, given, ONE_OVER_PI, of_half_turns(hi, lo), SLOPES)
    return like_itself(x, parts, -1.0 / 3.0)
