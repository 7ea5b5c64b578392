"""sin, cos, tan and sinpi, cospi, tanpi: exact reduction to an eighth of a turn, then polynomials or their quotient."""

from __future__ import annotations

from clmath.ir.primitives import *
from clmath.kernels import coefficients, table
from clmath.kernels.fast.near_zero import TINY, near_zero
from clmath.kernels.records import kernel, ordinary

TWO_OVER_PI_HI = table("fast/trigonometric", "two_over_pi_hi")
TWO_OVER_PI_MID = table("fast/trigonometric", "two_over_pi_mid")
TWO_OVER_PI_LO = table("fast/trigonometric", "two_over_pi_lo")
HALF_PI, HALF_PI_LO = map(float, table("fast/trigonometric", "half_pi"))
PI_HI, PI_LO = map(float, table("fast/trigonometric", "pi"))
PI_1, PI_2, PI_3 = map(float, table("fast/trigonometric", "pi_pieces"))
(HALF_TURNS_PER_RADIAN,) = map(float, table("fast/trigonometric", "half_turns"))
ORDINARY = 2.0**20
SINE_TAIL = coefficients("fast/trigonometric", "sine_tail")
COSINE_TAIL = coefficients("fast/trigonometric", "cosine_tail")
TANGENT_OVER = coefficients("fast/trigonometric", "tangent_over")
TANGENT_UNDER = coefficients("fast/trigonometric", "tangent_under")
HALF_TURN_TAIL = coefficients("fast/trigonometric", "half_turn_tail")
BOUND = 2.0**-50
# sin, cos, sincos: from the certificates, and 2^-53 for the rounding of value -+ err; most of the error is the angle's,
# where a float lies within 2^-32 of a zero
TURNS_BOUND = 2.3 * 2.0**-52
# sinpi, cospi: from the certificates, and 2^-53 for the rounding of value -+ err
TANGENT_BOUND, TANGENT_OF_TURNS_BOUND = 5.9 * 2.0**-52, 3.9 * 2.0**-52
# tan, tanpi: from the certificates, and 2^-53 for the rounding of value -+ err


def quarter_turns(x: Real) -> tuple[Real, Real, Real]:
    """(hi, mid, lo) with hi + mid + lo = x 2/pi (mod 4): Payne and Hanek, by exponent of x.

    x = m 2^e with a 24-bit integer m; each of the first two parts of 2^e 2/pi mod 4 has 28 bits, so that m times it is
    exact: hi is a multiple of 2^-26 and mid of 2^-54 (or both finer, for small x), lo carries 2^-83. The infinities
    stay infinite and NaN stays.
    """
    exponent = greater((bits(x) >> 52) & 0x7FF, 896)
    m = x * from_bits((2069 - exponent) << 52)  # x 2^(1046 - exponent)
    row = exponent - 896
    return m * take(TWO_OVER_PI_HI, row), m * take(TWO_OVER_PI_MID, row), m * take(TWO_OVER_PI_LO, row)


def angle(rest: Real, lo: Real) -> Real:
    """(rest + lo) pi/2 for rest + lo in quarter turns."""
    r = rest + lo
    r_lo = (rest - r) + lo
    return r * HALF_PI + (r * HALF_PI_LO + r_lo * HALF_PI)


def reduced(x: Real) -> tuple[Real, Integer]:
    """(t, quadrant) with x = t + quadrant pi/2 (mod 2 pi), |t| <= pi/4."""
    hi, mid, lo = quarter_turns(x)
    whole, count = nearest(hi)
    rest = hi - whole
    more, extra = nearest(rest + mid)
    a, b, third = mark("a b third", rest - more, mid, lo)
    return angle(a + b, third), mark("n", mark("whole", count) + mark("extra", extra))


def sine_of(x: Real, ahead: float) -> Real:
    """The value sin(x + ahead pi/2), ahead 0 or 1, as sin(t + n pi) with |t| <= pi/2."""
    hi, mid, lo = quarter_turns(x)
    half, n = nearest(0.5 * hi + 0.5 * ahead)
    rest = hi - (half + half - ahead)
    more, extra = nearest(0.5 * (rest + mid))
    a, b, third = mark("a b third", rest - (more + more), mid, lo)
    t = angle(a + b, third)
    return flipped(sine(t), mark("n", mark("whole", n) + mark("extra", extra)))


def is_ordinary_sin(x: Real) -> Truth:
    """Whether three products with parts of pi reduce ``x``."""
    return abs(x) < ORDINARY


def less_half_turns(x: Real, count: Real) -> Real:
    """The difference of ``x``, |x| < 2^20, and ``count`` pi, if it is at most pi/2: relative error below 2^-51.4.

    ``count`` is a multiple of 1/2 below 2^19, so that two products are exact; the differences have a rounding each, the
    first only where count = 1/2. The third product and the third part of pi carry 2^-98, where floats stay 2^-28 from
    zeros.
    """
    return (mark("a", x - count * PI_1) - mark("b", count * PI_2)) - mark("third", count * PI_3)


def ordinary_sine_of(x: Real, ahead: float) -> Real:
    """``sine_of`` below 2^20."""
    whole, n = nearest(x * HALF_TURNS_PER_RADIAN + 0.5 * ahead)
    return flipped(sine(less_half_turns(x, whole - 0.5 * ahead)), mark("n", n))


def ordinary_reduced(x: Real) -> tuple[Real, Integer]:
    """``reduced`` below 2^20."""
    whole, quadrant = nearest(x * (2.0 * HALF_TURNS_PER_RADIAN))
    return less_half_turns(x, 0.5 * whole), mark("n", quadrant)


def sine(t: Real) -> Real:
    """The value sin t for |t| <= pi/2."""
    z = t * t
    return t + t * (z * polynomial(z, HALF_TURN_TAIL))


def flipped(y: Real, n: Integer) -> Real:
    """``y`` with its sign changed where ``n`` is odd."""
    return from_bits(bits(y) ^ (n << 63))


def sine_cosine(t: Real) -> Pair:
    """(sin t, cos t) for |t| <= pi/4."""
    z = t * t
    sine = t + t * (z * polynomial(z, SINE_TAIL))
    cosine = 1.0 - (0.5 * z - z * z * polynomial(z, COSINE_TAIL))
    return sine, cosine


def tangent(t: Real, quadrant: Integer) -> Real:
    """tan(t + quadrant pi/2) for |t| <= pi/4."""
    z = t * t
    over, under = t * polynomial(z, TANGENT_OVER), polynomial(z, TANGENT_UNDER)
    odd = (quadrant & 1) != 0
    return select(odd, -under, over) / select(odd, over, under)


def near_one(x: Real, y: Real) -> Pair:
    """(value, err) of a function that is 1 minus something too small to see near zero, below 2^-29."""
    tiny = mark("tiny", abs(x) < TINY)
    y = select(tiny, select(x == 0.0, 1.0, 1.0 - 2.0**-53), y)
    return y, select(tiny, 0.0, abs(y) * BOUND)


@kernel()
def sin(x: Real) -> Pair:
    """Sine; NaN at the infinities, which the reduction turns into inf - inf."""
    return near_zero(x, inward(x), sine_of(x, 0.0), BOUND)


@ordinary("sin", holds=is_ordinary_sin)
def ordinary_sin(x: Real) -> Pair:
    """Sine below 2^20."""
    return near_zero(x, inward(x), ordinary_sine_of(x, 0.0), BOUND)


@kernel()
def cos(x: Real) -> Pair:
    """Cosine."""
    return near_one(x, sine_of(x, 1.0))


@ordinary("cos", holds=is_ordinary_sin)
def ordinary_cos(x: Real) -> Pair:
    """Cosine below 2^20."""
    return near_one(x, ordinary_sine_of(x, 1.0))


@kernel()
def tan(x: Real) -> Pair:
    """Tangent; no float comes so close to a pole that it overflows."""
    t, quadrant = reduced(x)
    return near_zero(x, outward(x), tangent(t, quadrant), TANGENT_BOUND)


@ordinary("tan", holds=is_ordinary_sin)
def ordinary_tan(x: Real) -> Pair:
    """Tangent below 2^20."""
    t, quadrant = ordinary_reduced(x)
    return near_zero(x, outward(x), tangent(t, quadrant), TANGENT_BOUND)


@kernel()
def sincos(x: Real) -> tuple[Real, Real, Real, Real]:
    """Sine and cosine."""
    t, quadrant = reduced(x)
    return both(x, t, quadrant)


@ordinary("sincos", holds=is_ordinary_sin)
def ordinary_sincos(x: Real) -> tuple[Real, Real, Real, Real]:
    """Sine and cosine below 2^20."""
    t, quadrant = ordinary_reduced(x)
    return both(x, t, quadrant)


def both(x: Real, t: Real, quadrant: Integer) -> tuple[Real, Real, Real, Real]:
    """The parts of the sine and of the cosine of x = t + quadrant pi/2."""
    sine, cosine = sine_cosine(t)
    odd = (quadrant & 1) != 0
    first = flipped(select(odd, cosine, sine), quadrant >> 1)
    second = flipped(select(odd, sine, cosine), (quadrant + 1) >> 1)
    first_parts = mark("sine sine_err", *near_zero(x, inward(x), first, BOUND))
    return first_parts + mark("cosine cosine_err", *near_one(x, second))


def within_turns(x: Real) -> Real:
    """``x``, or zero where every float is an even integer, from 2^24 on; NaN at the infinities."""
    return select(mark("far", abs(x) > 16777216.0), x - x, x)


def half_turns(x: Real) -> tuple[Real, Integer]:
    """(r, n) with x = r + n and |r| <= 1/2."""
    whole, n = nearest(within_turns(x))
    return within_turns(x) - whole, n


def sine_of_half_turns(r: Real, n: Integer) -> Real:
    """sin(pi (r + n)), |r| <= 1/2; the product with pi carries 2^-52.4."""
    return flipped(sine(r * PI_HI + r * PI_LO), n)


def signed_zero(x: Real) -> Real:
    """Zero with the sign of ``x``."""
    return from_bits(bits(x) & SIGN)


@kernel()
def sinpi(x: Real) -> Pair:
    """sin(pi x); exact at multiples of 1/2 and nowhere else (Niven), zeros signed like x."""
    r, n = mark("r n", *half_turns(x))
    y = select(mark("zero", r == 0.0), signed_zero(x), sine_of_half_turns(r, n))
    y = select(mark("half", abs(r) == 0.5), flipped(r + r, n), y)
    exact = (r == 0.0) | (abs(r) == 0.5)
    return y, select(exact, 0.0, abs(y) * TURNS_BOUND)


@kernel()
def cospi(x: Real) -> Pair:
    """cos(pi x) = sin(pi (x + 1/2)); exact at multiples of 1/2 and nowhere else, zeros positive."""
    kept = within_turns(x)
    whole, n = nearest(kept + 0.5)
    r, n = mark("r n", kept - (whole - 0.5), n)
    y = select(mark("zero", r == 0.0), 0.0, sine_of_half_turns(r, n))
    y = select(mark("half", abs(r) == 0.5), flipped(r + r, n), y)
    y = select(mark("tiny", abs(x) < TINY) & (x != 0.0), 1.0 - 2.0**-53, y)
    exact = (r == 0.0) | (abs(r) == 0.5) | (abs(x) < TINY)
    return y, select(exact, 0.0, abs(y) * TURNS_BOUND)


@kernel()
def tanpi(x: Real) -> Pair:
    """tan(pi x); exact at multiples of 1/4: 0 at integers (sign of x at even ones, the other at odd), poles between."""
    kept = within_turns(x)
    whole, quadrant = nearest(kept + kept)
    r, quadrant = mark("r n", kept - 0.5 * whole, quadrant)
    y = tangent(r * PI_HI + r * PI_LO, quadrant)
    zero = signed_zero(x)
    zero = select((quadrant & 2) != 0, -zero, zero)
    pole = select((quadrant & 2) != 0, -INFINITY, INFINITY)
    y = select(mark("zero", r == 0.0), select((quadrant & 1) != 0, pole, zero), y)
    one = mark("one", abs(r) == 0.25)
    y = select(one, select((quadrant & 1) != 0, -r, r) * 4.0, y)
    return y, select((r == 0.0) | one, 0.0, abs(y) * TANGENT_OF_TURNS_BOUND)
