"""asin, acos, atan, atan2 and their pi forms: the nearest tabulated angle, and an arc tangent for the remainder."""

from __future__ import annotations

from clmath.ir.lanes import *
from clmath.kernels import coefficients, table
from clmath.kernels.records import kernel, refines

ANGLE_HI = table("accurate/inverse_trigonometric", "angle_hi")
ANGLE_LO = table("accurate/inverse_trigonometric", "angle_lo")
ONE_OVER_PI_HI, ONE_OVER_PI_LO, ONE_OVER_PI = map(float, table("accurate/inverse_trigonometric", "one_over_pi"))
ATAN_TAIL = coefficients("accurate/inverse_trigonometric", "atan_tail")
PLACES = 256.0  # tabulated slopes j/256
ROW = 257  # entries of the table for each octant
SHORT = -0x8000000  # the bits of an encoding that stay where 26 significant ones do

LEAST, GROWTH = 2.0**-74, 1.84 * 2.0**-52
# relative error bounds of the angle, from the certificates: rounding errors in t^3 P, and in the sums after it, grow
# with t^2
TINY = 2.0**-30  # below it asin and atan are x (1 +- 2^-61): no double and no midpoint lies between that and x
LINEAR = 2.0**-40  # below it they are x (1 +- 2^-81)
SMALL = 2.0**-400  # below it results are scaled up, by SCALE
SCALE, SCALING = 2.0**600, 600
CLOSE = 2.0**-50  # at least six roundings
SLIGHT, FAR, FAR_BELOW = 2.0**-80, 2.0**80, -80  # moving slopes that far from 0 moves the others by less than a bound
BESIDE = 2.0**-64  # an angle so far from a quarter turn, in half turns, rounds as if nearer


def short(a: Real) -> Real:
    """``a`` truncated to 26 bits; the truncated part has 27."""
    return from_bits(bits(a) & SHORT)


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


def signed(magnitude: Real, x: Real) -> Real:
    """``magnitude``, which may be negative, times the sign of ``x``."""
    return from_bits(bits(magnitude) ^ mark("sign", bits(x) & SIGN))


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


@kernel()
def atan(x: Real) -> Enclosed:
    """Arc tangent."""
    return odd(x, slope_angle(abs(x)), -SLIGHT, x != x)


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


@kernel()
def asin(x: Real) -> Enclosed:
    """Arc sine."""
    a = abs(x)
    return odd(x, sine_angle(a), SLIGHT, mark("invalid", ~(a <= 1.0)))


@kernel()
def asinpi(x: Real) -> Enclosed:
    """Arc sine in half turns; exact at 0 and 1."""
    a = abs(x)
    parts, exponent = odd_through_pi(a, sine_angle(a))
    hi, lo, err = laid_over(mark("far", ~(a < 1.0)), select(a == 1.0, 0.5, NAN), parts)
    return signed(hi, x), signed(lo, x), err, exponent


def cosine_angle(x: Real) -> tuple[Real, Real, Real]:
    """(hi, lo, bound) of acos(x), within SLIGHT, for |x| <= 1."""
    t, t_lo, j, steep = on_the_circle(clamp(abs(x), SLIGHT, 1.0))
    return turned(t, t_lo, j, select(steep, 0, 1) + ((bits(x) >> 63) & 2))


@kernel()
def acos(x: Real) -> Enclosed:
    """Arc cosine; exact at 1."""
    hi, lo, bound = cosine_angle(x)
    return *laid_over(mark("invalid", ~(abs(x) <= 1.0)), NAN, (hi, lo, hi * bound)), 0


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


def full_turn(y: Real, x: Real) -> tuple[tuple[Real, Real, Real], Integer, Integer, Integer]:
    """((hi, lo, bound), exponent, small, octant): |atan2(y, x)| = (hi + lo) 2^exponent, unless that is zero or NaN."""
    small, large, octant = octant_of(y, x)
    a, b, exponent = quotient(small, large)
    t, t_lo, j = between(a, b)
    t, t_lo, level = mark("t t_lo level", t, t_lo, octant == 0)
    return turned(t, t_lo, j, octant), select(level, exponent, 0), small, octant


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
