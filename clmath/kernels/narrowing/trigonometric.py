"""sin, cos, tan and sinpi, cospi, tanpi: the steps of the accurate kernels, the sines and the series as pairs."""

from __future__ import annotations

from clmath.ir.lanes import *
from clmath.kernels import pairs, table
from clmath.kernels.accurate.angles import steps_of
from clmath.kernels.accurate.near_zero import in_range
from clmath.kernels.accurate.pairs import over_pair, pair_polynomial, plus_pair, times, times_pair
from clmath.kernels.accurate.trigonometric import HALF_TURN, QUARTER, SINE_HI, SINE_LO, TINY_TURNS, any_steps_of_turns
from clmath.kernels.narrowing.enclosures import narrower
from clmath.kernels.records import narrows

SINE_REST = table("narrowing/trigonometric", "sine_rest")
(STEP,), (PI,) = pairs("narrowing/trigonometric", "step"), pairs("narrowing/trigonometric", "pi")
SINE_SERIES, COSINE_SERIES = (
    pairs("narrowing/trigonometric", "sine_series"),
    pairs("narrowing/trigonometric", "cosine_series"),
)
SINE_TAIL, COSINE_TAIL = ([hi for hi, _ in series[2:]] for series in (SINE_SERIES, COSINE_SERIES))

BOUND = 2.0**-100.5
# S + (S bend + C sine): the second term is at most as large as the result (j = 1, r = -pi/2048), or is the result (j =
# 0); its error comes from the product with C, the sine of r with its product of pairs, and two sums.
ANGLE_ERROR = 2.0**-148  # in addition to 2^-103.9 of r: steps_of's 2^-140 steps
TANGENT_BOUND = 2.0**-99.8  # both, and the quotient: from the certificates


def entry(n: Integer) -> Pair:
    """(hi, lo) = sin(n pi/1024), a pair, relative error below 2^-106; zeros have either sign."""
    j, sign = n & (HALF_TURN - 1), (n << 53) & SIGN
    hi, lo = fast_two_sum(take(SINE_HI, j), take(SINE_LO, j))
    hi, lo = fast_two_sum(hi, lo + take(SINE_REST, j))
    return from_bits(bits(hi) ^ sign), from_bits(bits(lo) ^ sign)


def series(r: Real, r_lo: Real) -> tuple[Real, Real, Real, Real]:
    """(sine, sine_lo, bend, bend_lo): sin r and cos r - 1 as pairs."""
    z, z_lo = times_pair(r, r_lo, r, r_lo)
    hi, lo = pair_polynomial(z, z_lo, SINE_SERIES[:2], polynomial(z, SINE_TAIL))
    hi, lo = times_pair(z, z_lo, hi, lo)
    hi, lo = times_pair(r, r_lo, hi, lo)
    bend, bend_lo = pair_polynomial(z, z_lo, COSINE_SERIES[:2], polynomial(z, COSINE_TAIL))
    sine, cosine = plus_pair(r, r_lo, hi, lo), times_pair(z, z_lo, bend, bend_lo)
    return mark("sin_r sin_r_lo bend bend_lo", *sine, *cosine)


def turned(s: Real, s_lo: Real, slope: Pair, tails: tuple[Real, Real, Real, Real]) -> Pair:
    """(hi, lo) of s cos r + c sin r, given the slope (c, c_lo) and the results of ``series``."""
    sine, sine_lo, bend, bend_lo = tails
    bent, bent_lo = times_pair(s, s_lo, bend, bend_lo)
    risen, risen_lo = times_pair(sine, sine_lo, *slope)
    change, change_lo = plus_pair(bent, bent_lo, risen, risen_lo)
    return plus_pair(s, s_lo, change, change_lo)


def sine_and_cosine(r: Real, r_lo: Real, n: Integer) -> tuple[Real, Real, Real, Real]:
    """(sine, sine_lo, cosine, cosine_lo) of n pi/1024 + r + r_lo: relative errors below BOUND, in addition to the error
    of r.
    """
    tails = series(r, r_lo)
    s, s_lo = entry(n)
    c, c_lo = entry(n + QUARTER)
    return *turned(s, s_lo, (c, c_lo), tails), *turned(c, c_lo, (-s, -s_lo), tails)


def of_radians(x: Real) -> tuple[Real, Real, Real, Real]:
    """``sine_and_cosine`` of ``x``, of TINY or more in size: ANGLE_ERROR is added to BOUND."""
    f, f_lo, n = steps_of(x)
    r, r_lo = times_pair(f, f_lo, *STEP)
    return sine_and_cosine(r, r_lo, n)


@narrows("sin")
def sin(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Sine."""
    sine, sine_lo, _, _ = of_radians(x)
    return narrower(hi, lo, err, exponent, (sine, sine_lo, abs(sine) * BOUND + ANGLE_ERROR, 0))


@narrows("cos")
def cos(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Cosine."""
    _, _, cosine, cosine_lo = of_radians(x)
    return narrower(hi, lo, err, exponent, (cosine, cosine_lo, abs(cosine) * BOUND + ANGLE_ERROR, 0))


@narrows("tan")
def tan(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Tangent: the angle's error is multiplied by 1 + tan^2."""
    tangent, tangent_lo = over_pair(*of_radians(x))
    error = abs(tangent) * TANGENT_BOUND + 2.0 * ANGLE_ERROR * (1.0 + tangent * tangent)
    return narrower(hi, lo, err, exponent, (tangent, tangent_lo, error, 0))


def of_turns(x: Real) -> tuple[Real, Real, Real, Real]:
    """``sine_and_cosine`` of pi x, or of 0 if x is tiny."""
    f, n = mark("f n", *any_steps_of_turns(x))
    r, r_lo = times(*STEP, f)
    return mark("sin_x sin_x_lo cos_x cos_x_lo", *sine_and_cosine(r, r_lo, n))


def like_pi(x: Real, found: Pair, part: float) -> tuple[Real, Real, Integer]:
    """(hi, lo, exponent) as ``found``, of a function that is t + part t^3 for a tiny t = pi x."""
    hi, lo = found
    near, exponent = in_range(x)
    t, t_lo = times(*PI, near)
    cubic = select(exponent == 0, t * t * t, 0.0) * part
    tiny_hi, tiny_lo = fast_two_sum(t, t_lo + cubic)
    tiny = mark("tiny", abs(x) < TINY_TURNS)
    return select(tiny, tiny_hi, hi), select(tiny, tiny_lo, lo), select(tiny, exponent, 0)


@narrows("sinpi")
def sinpi(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """sin(pi x); for tiny x the terms after x^3 are 2^-154, and its rounding error is 2^-106."""
    sine, sine_lo, _, _ = of_turns(x)
    new_hi, new_lo, new_exponent = like_pi(x, (sine, sine_lo), -1.0 / 6.0)
    return narrower(hi, lo, err, exponent, (new_hi, new_lo, abs(new_hi) * BOUND, new_exponent))


@narrows("cospi")
def cospi(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """cos(pi x)."""
    _, _, cosine, cosine_lo = of_turns(x)
    return narrower(hi, lo, err, exponent, (cosine, cosine_lo, abs(cosine) * BOUND, 0))


@narrows("tanpi")
def tanpi(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """tan(pi x)."""
    new_hi, new_lo, new_exponent = like_pi(x, over_pair(*of_turns(x)), 1.0 / 3.0)
    return narrower(hi, lo, err, exponent, (new_hi, new_lo, abs(new_hi) * TANGENT_BOUND, new_exponent))
