"""sin, cos, tan and sinpi, cospi, tanpi: x = n pi/1024 + r, a table of 1024 sines, and short polynomials in r."""

from __future__ import annotations

import numpy as np

from clmath.ir.lanes import *
from clmath.kernels import coefficients, table
from clmath.kernels.accurate.angles import ORDINARY, TINY, angle, angle_from_zero, halves, reduced, reduced_ordinary
from clmath.kernels.accurate.near_zero import SMALL, in_range
from clmath.kernels.records import kernel, ordinary, refines

SINE_HI, SINE_LO = table("accurate/trigonometric", "sine_hi"), table("accurate/trigonometric", "sine_lo")
SINE_TAIL = coefficients("accurate/trigonometric", "sine_tail")
COSINE_TAIL = coefficients("accurate/trigonometric", "cosine_tail")

HALF_TURN = 1024  # steps
QUARTER = 512
STEPS_PER_UNIT = 1024.0  # steps in one unit of x, for functions of pi x
TINY_TURNS = 2.0**-40  # below this sin(pi x) and tan(pi x) are pi x with a relative error below 2^-76
ORDINARY_TURNS = 2.0**40
BELOW, ABOVE = -(2.0**-80), 2.0**-80  # relative difference from x or 1: too small to see
QUARTERS = np.array([0.0, 1.0, INFINITY, -1.0, -0.0, 1.0, -INFINITY, -1.0])  # tan(k pi/4), signed as in tanpi
QUARTERS.flags.writeable = False

# from the certificates of sinpi and tanpi: (S + S_lo) bend and C rest grow like r^2 and are largest at j = 1, r =
# -pi/2048, where the result is half of S; the angle, C_lo sine and S_lo remain at r = 0
LEAST, GROWTH = 1.5 * 2.0**-75, 0.8125 * 2.0**-50
BOUND = 1.046875 * 2.0**-69  # at least LEAST + GROWTH r^2
TANGENT_LEAST, TANGENT_GROWTH = 1.5 * 2.0**-74, 2.0**-50
TANGENT_BOUND = 1.3125 * 2.0**-69
TINY_BOUND = 2.0**-75  # of pi x: the angle, 2^-76, and (pi x)^2 / 3
CLOSE = 2.0**-28  # the size of a sine or cosine below which REDUCTION widens its enclosure; see ``angle_from_zero``


def is_ordinary_sin(x: Real) -> Truth:
    """Whether four products with parts of pi/1024 reduce ``x``, and the result needs no exponent."""
    size = abs(x)
    found: Truth = (size < ORDINARY) & ((size >= SMALL) | (size == 0.0))
    return found


def is_ordinary_cos(x: Real) -> Truth:
    """Whether four products with parts of pi/1024 reduce ``x``."""
    return abs(x) < ORDINARY


def is_ordinary_sinpi(x: Real) -> Truth:
    """Whether 1024 ``x`` is rounded to an integer at once, and ``x`` is not tiny or zero."""
    size = abs(x)
    found: Truth = (size < ORDINARY_TURNS) & ((size >= TINY_TURNS) | (size == 0.0))
    return found


def is_ordinary_cospi(x: Real) -> Truth:
    """Whether 1024 ``x`` is rounded to an integer at once."""
    return abs(x) < ORDINARY_TURNS


def tails(r: Real, r_lo: Real) -> tuple[Real, Real, Real, Real]:
    """(first, rest, sine, bend) with first + rest = sin(r + r_lo), first of 26 bits; sine the sum; bend = cos - 1."""
    first, second = halves(r)
    z = r * r
    cubic = r * (z * polynomial(z, SINE_TAIL))
    return first, (second + r_lo) + cubic, r + cubic, z * polynomial(z, COSINE_TAIL)


def entry(n: Integer) -> Pair:
    """(hi, lo) = sin(n pi/1024), hi of 26 bits; zeros have either sign."""
    j, sign = n & (HALF_TURN - 1), (n << 53) & SIGN
    return from_bits(bits(take(SINE_HI, j)) ^ sign), from_bits(bits(take(SINE_LO, j)) ^ sign)


def turned(s: Real, s_lo: Real, slope: Pair, tail: tuple[Real, Real, Real, Real]) -> Pair:
    """(hi, lo) of (s + s_lo) cos r + (c + c_lo) sin r for the slope (c, c_lo); the product of its heads is exact."""
    c, c_lo = slope
    first, rest, sine, bend = tail
    head, lost = fast_two_sum(s, c * first)
    small = lost + (s_lo + (c * rest + c_lo * sine))
    return fast_two_sum(head, small + (s + s_lo) * bend)


def bounded(hi: Real, lo: Real, r: Real, error: float) -> tuple[Real, Real, Real]:
    """(hi, lo, err) of a sine or cosine at ``r`` from a table's entry; the angle's error is at most ``error``."""
    return hi, lo, abs(hi) * (LEAST + GROWTH * (r * r)) + error


def sine_at(r: Real, r_lo: Real, n: Integer, error: float) -> tuple[Real, Real, Real]:
    """(hi, lo, err) of sin(n pi/1024 + r + r_lo), the angle with ``error`` at most."""
    s, s_lo = entry(mark("steps", n))
    hi, lo = turned(s, s_lo, entry(n + QUARTER), tails(r, r_lo))
    return bounded(hi, lo, r, error)


def cosine_at(r: Real, r_lo: Real, n: Integer, error: float) -> tuple[Real, Real, Real]:
    """The parts of the cosine, as ``sine_at`` computes them."""
    return sine_at(r, r_lo, n + QUARTER, error)


def sine_and_cosine(r: Real, r_lo: Real, n: Integer) -> tuple[Pair, Pair]:
    """((hi, lo) of the sine, (hi, lo) of the cosine) of n pi/1024 + r + r_lo."""
    s, s_lo = entry(mark("steps", n))
    c, c_lo = entry(n + QUARTER)
    tail = tails(r, r_lo)
    return turned(s, s_lo, (c, c_lo), tail), turned(c, c_lo, (-s, -s_lo), tail)


def both_at(r: Real, r_lo: Real, n: Integer, error: float) -> tuple[tuple[Real, Real, Real], tuple[Real, Real, Real]]:
    """The results of ``sine_at`` and of ``cosine_at``."""
    (hi, lo), (cos_hi, cos_lo) = sine_and_cosine(r, r_lo, n)
    return bounded(hi, lo, r, error), bounded(cos_hi, cos_lo, r, error)


def tangent_at(r: Real, r_lo: Real, n: Integer, error: float) -> tuple[Real, Real, Real]:
    """The parts of the tangent: the angle's error is multiplied by 1 + tan^2."""
    sine, cosine = sine_and_cosine(r, r_lo, n)
    hi, lo = quotient(*sine, *cosine)
    return hi, lo, abs(hi) * (TANGENT_LEAST + TANGENT_GROWTH * (r * r)) + (1.0 + hi * hi) * error


def quotient(a_hi: Real | float, a_lo: Real | float, b_hi: Real, b_lo: Real) -> Pair:
    """(hi, lo) = (a_hi + a_lo) / (b_hi + b_lo), relative error below 2^-75.

    26 bits of the quotient times 26 of b_hi, and times its rest, are exact, and so is a_hi minus the first product.
    """
    inverse = 1.0 / b_hi
    first, _ = halves(a_hi * inverse)
    high, low = halves(b_hi)
    rest = ((a_hi - first * high) - first * low) + (a_lo - first * b_lo)
    return fast_two_sum(first, rest * inverse)


def like_itself(x: Real, near: Real, found: tuple[Real, Real, Real], part: float) -> tuple[Real, Real, Real]:
    """(hi, lo, err) as ``found``, of a function that is x + part x below TINY: ``near`` is x or x scaled."""
    hi, lo, err = found
    tiny = mark("tiny", abs(x) < TINY)
    lo = select(tiny, select(x == 0.0, x, near * part), lo)
    return select(tiny, near, hi), lo, select(tiny, 0.0, err)


def in_full(x: Real, found: tuple[Real, Real, Real], part: float) -> Enclosed:
    """The parts of a function that is x + part x below TINY, and NaN at the infinities."""
    near, exponent = in_range(x)
    hi, lo, err = like_itself(x, near, found, part)
    finite = mark("finite", abs(x) < INFINITY)
    return select(finite, hi, NAN), select(finite, lo, 0.0), select(finite, err, 0.0), exponent


def near_one(x: Real, found: tuple[Real, Real, Real]) -> Enclosed:
    """The parts of a function that is 1 - 2^-80 below TINY, 1 at zero and NaN at the infinities."""
    hi, lo, err = found
    tiny, finite = mark("tiny finite", abs(x) < TINY, abs(x) < INFINITY)
    hi = select(tiny, 1.0, select(finite, hi, NAN))
    lo = select(tiny, select(x == 0.0, 0.0, BELOW), select(finite, lo, 0.0))
    return hi, lo, select(finite, select(tiny, 0.0, err), 0.0), 0


def at_peak(hi: Real, lo: Real, err: Real, exponent: Integer | int) -> Enclosed:
    """Replace the parts of a sine or cosine within 2^-61 of 1 or -1 by parts that round alike, with err = 0."""
    hi, lo, err = mark("peak_hi peak_lo peak_err", hi, lo, err)
    one, beside = mark("one beside_one", abs(hi) == 1.0, abs(lo) < 2.0**-61)
    peak = mark("peak", one & beside & mark("open", err > 0.0))
    return hi, select(peak, hi * BELOW, lo), select(peak, 0.0, err), exponent


@refines("sinpi", "cospi")
def refined_sine_of_turns(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer | int) -> Enclosed:  # noqa: ARG001 - as kernels return
    """The parts of sin(pi x) or cos(pi x) with the peaks found."""
    return at_peak(hi, lo, err, exponent)


@refines("sin", "cos", "sincos")
def refined_sine(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer | int) -> Enclosed:
    """The parts of sin x or cos x with the peaks found; close to a zero it is r - r^3/6, r the angle from there."""
    close = mark("close", mark("small", abs(hi) < CLOSE) & mark("bounded", err > 0.0))
    r, r_lo = angle_from_zero(x, hi)
    near, near_lo = fast_two_sum(r, r_lo - r * r * r * (1.0 / 6.0))
    hi, lo, err = select(close, near, hi), select(close, near_lo, lo), select(close, abs(near) * BOUND, err)
    return at_peak(hi, lo, err, exponent)


@refines("tan")
def refined_tangent(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer | int) -> Enclosed:
    """The parts of tan x: close to a zero it is r + r^3/3, r the angle from there, close to a pole the reciprocal."""
    size = abs(hi)
    close = mark("small", size < CLOSE) & mark("bounded", err > 0.0)
    close, far = mark("close far", close, mark("large", size > 1.0 / CLOSE) & (err > 0.0))
    r, r_lo = angle_from_zero(x, hi)
    near, near_lo = fast_two_sum(r, r_lo + r * r * r * (1.0 / 3.0))
    inverse, inverse_lo = quotient(1.0, 0.0, select(far, near, 1.0), select(far, near_lo, 0.0))
    hi, lo = select(close, near, select(far, inverse, hi)), select(close, near_lo, select(far, inverse_lo, lo))
    return hi, lo, select(close | far, abs(hi) * TANGENT_BOUND, err), exponent


@kernel()
def sin(x: Real) -> Enclosed:
    """Sine."""
    return in_full(x, sine_at(*reduced(x)), BELOW)


@ordinary("sin", holds=is_ordinary_sin)
def ordinary_sin(x: Real) -> Enclosed:
    """Sine below 2^14."""
    return (*like_itself(x, x, sine_at(*reduced_ordinary(x)), BELOW), 0)


@kernel()
def cos(x: Real) -> Enclosed:
    """Cosine."""
    return near_one(x, cosine_at(*reduced(x)))


@ordinary("cos", holds=is_ordinary_cos)
def ordinary_cos(x: Real) -> Enclosed:
    """Cosine below 2^14."""
    return near_one(x, cosine_at(*reduced_ordinary(x)))


@kernel()
def sincos(x: Real) -> tuple[Real, Real, Real, Integer | int, Real, Real, Real, Integer | int]:
    """Sine and cosine."""
    sine, cosine = both_at(*reduced(x))
    hi, lo, err, exponent = mark("hi lo err exponent", *in_full(x, sine, BELOW))
    cos_hi, cos_lo, cos_err, cos_exponent = mark("cos_hi cos_lo cos_err cos_exponent", *near_one(x, cosine))
    return hi, lo, err, exponent, cos_hi, cos_lo, cos_err, cos_exponent


@ordinary("sincos", holds=is_ordinary_sin)
def ordinary_sincos(x: Real) -> tuple[Real, Real, Real, Integer | int, Real, Real, Real, Integer | int]:
    """Sine and cosine below 2^14."""
    sine, cosine = both_at(*reduced_ordinary(x))
    hi, lo, err, exponent = mark("hi lo err exponent", *like_itself(x, x, sine, BELOW), 0)
    cos_hi, cos_lo, cos_err, cos_exponent = mark("cos_hi cos_lo cos_err cos_exponent", *near_one(x, cosine))
    return hi, lo, err, exponent, cos_hi, cos_lo, cos_err, cos_exponent


@kernel()
def tan(x: Real) -> Enclosed:
    """Tangent; no double comes so close to a pole that it overflows."""
    return in_full(x, tangent_at(*reduced(x)), ABOVE)


@ordinary("tan", holds=is_ordinary_sin)
def ordinary_tan(x: Real) -> Enclosed:
    """Tangent below 2^14."""
    return (*like_itself(x, x, tangent_at(*reduced_ordinary(x)), ABOVE), 0)


def within_turn(x: Real) -> Real:
    """``x`` minus an even integer, -1 to 1 (exact); an integer from 2^52 on that is odd like x, and zero for NaN."""
    size = abs(x)
    kept = select(size < 2.0**52, x, select(size < 2.0**53, size - 2.0**52, 0.0))
    half, _ = nearest(0.5 * kept)
    half = mark("half", half)
    return kept - (half + half)


def steps_of_turns(x: Real) -> tuple[Real, Integer]:
    """(f, n) with 1024 x = n + f, |f| <= 1/2 (exact), |x| < 2^41."""
    steps = x * STEPS_PER_UNIT
    whole, n = nearest(steps)
    return steps - whole, n


def any_steps_of_turns(x: Real) -> tuple[Real, Integer]:
    """(f, n) with 1024 x = n + f (mod 2048) for any ``x``; zeros where it is tiny."""
    return steps_of_turns(within_turn(select(mark("linear", abs(x) < TINY_TURNS), 0.0, x)))


def sinpi_pair(x: Real) -> Pair:
    """(hi, lo) with hi + lo = sin(pi x) for 0 <= x <= 1/2: relative error below BOUND."""
    f, n = steps_of_turns(x)
    s, s_lo = take(SINE_HI, n), take(SINE_LO, n)
    slope = take(SINE_HI, QUARTER - n), take(SINE_LO, QUARTER - n)
    return turned(s, s_lo, slope, tails(*angle(f, 0.0)))


def is_multiple(f: Real, n: Integer, steps: int) -> Truth:
    """Whether n + f is a multiple of ``steps``, a power of two."""
    found: Truth = (f == 0.0) & ((n & (steps - 1)) == 0)
    return found


def sine_of_steps(f: Real, n: Integer) -> tuple[Real, Real, Real]:
    """(hi, lo, err) of sin(pi (n + f)/1024): exact where it is -1, 0 or 1, and nowhere else (Niven); zeros positive."""
    r, r_lo = angle(f, 0.0)
    hi, lo, err = sine_at(r, r_lo, n, 0.0)
    return hi + 0.0, lo, select(is_multiple(f, n, QUARTER), 0.0, err)


def sine_of_turns(x: Real, f: Real, n: Integer) -> tuple[Real, Real, Real]:
    """The parts of sin(pi x): zeros have the sign of ``x``."""
    hi, lo, err = sine_of_steps(f, n)
    zero = from_bits(bits(x) & SIGN)
    return select(hi == 0.0, zero, hi), select(hi == 0.0, zero, lo), err


def tangent_of_turns(x: Real, f: Real, n: Integer) -> tuple[Real, Real, Real]:
    """(hi, lo, err) of tan(pi x): exact at multiples of 1/4, and nowhere else; zeros and poles alternate in sign."""
    r, r_lo = angle(f, 0.0)
    hi, lo, err = tangent_at(r, r_lo, n, 0.0)
    exact = is_multiple(f, n, QUARTER // 2)
    value = take(QUARTERS, (n >> 8) & 7)
    value = select(value == 0.0, from_bits(bits(value) ^ (bits(x) & SIGN)), value)
    hi, lo = select(exact, value, hi), select(exact, select(value == 0.0, value, 0.0), lo)
    return hi, lo, select(exact, 0.0, err)


def like_pi(x: Real, found: tuple[Real, Real, Real]) -> Enclosed:
    """The parts of a function that is pi x, with relative error 2^-76, for tiny ``x``, and NaN at the infinities."""
    hi, lo, err = found
    size = abs(x)
    tiny, finite = (size < TINY_TURNS) & (size > 0.0), size < INFINITY
    near, exponent = in_range(x)
    near_hi, near_lo = angle(select(tiny, near, 0.0) * STEPS_PER_UNIT, 0.0)
    hi, lo = select(tiny, near_hi, select(finite, hi, NAN)), select(tiny, near_lo, select(finite, lo, 0.0))
    return hi, lo, select(finite, select(tiny, abs(hi) * TINY_BOUND, err), 0.0), exponent


@kernel()
def sinpi(x: Real) -> Enclosed:
    """sin(pi x)."""
    f, n = mark("f n", *any_steps_of_turns(x))
    return like_pi(x, mark("found found_lo found_err", *sine_of_turns(x, f, n)))


@ordinary("sinpi", holds=is_ordinary_sinpi)
def ordinary_sinpi(x: Real) -> Enclosed:
    """sin(pi x) below 2^40."""
    f, n = mark("f n", *steps_of_turns(x))
    return (*mark("found found_lo found_err", *sine_of_turns(x, f, n)), 0)


@kernel()
def cospi(x: Real) -> Enclosed:
    """cos(pi x); its zeros are positive."""
    f, n = mark("f n", *any_steps_of_turns(x))
    return near_one(x, mark("found found_lo found_err", *sine_of_steps(f, mark("steps", n + QUARTER))))


@ordinary("cospi", holds=is_ordinary_cospi)
def ordinary_cospi(x: Real) -> Enclosed:
    """cos(pi x) below 2^40."""
    f, n = mark("f n", *steps_of_turns(select(abs(x) < TINY, 0.0, x)))
    return near_one(x, mark("found found_lo found_err", *sine_of_steps(f, mark("steps", n + QUARTER))))


@kernel()
def tanpi(x: Real) -> Enclosed:
    """tan(pi x)."""
    f, n = mark("f n", *any_steps_of_turns(x))
    return like_pi(x, mark("found found_lo found_err", *tangent_of_turns(x, f, n)))


@ordinary("tanpi", holds=is_ordinary_sinpi)
def ordinary_tanpi(x: Real) -> Enclosed:
    """tan(pi x) below 2^40."""
    f, n = mark("f n", *steps_of_turns(x))
    return (*mark("found found_lo found_err", *tangent_of_turns(x, f, n)), 0)
