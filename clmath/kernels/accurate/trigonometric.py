"""sin, cos, tan and sinpi, cospi, tanpi: x = n pi/1024 + r, a table of 1024 sines, and short polynomials in r.

Narrower enclosures take the same steps, with the sines and the series in pairs.
"""

from __future__ import annotations

import numpy as np

from clmath.ir.primitives import *
from clmath.kernels.accurate.angles import (
    ANGLE_ERROR,
    ORDINARY,
    PI,
    STEPS_PER_UNIT,
    TINY,
    TINY_TURNS,
    angle,
    angle_from_zero,
    any_steps_of_turns,
    reduced,
    reduced_ordinary,
    steps_of_turns,
)
from clmath.kernels.accurate.narrower import narrower
from clmath.kernels.accurate.near_zero import SMALL, in_range
from clmath.kernels.accurate.pairs import over_pair, times
from clmath.kernels.accurate.sines import (
    BOUND,
    NARROW_BOUND,
    NARROW_TANGENT_BOUND,
    QUARTER,
    TANGENT_BOUND,
    both_at,
    cosine_at,
    of_radians,
    of_turns,
    quotient,
    sine_at,
    tangent_at,
)
from clmath.kernels.records import kernel, narrows, ordinary, refines

ORDINARY_TURNS = 2.0**40
BELOW, ABOVE = -(2.0**-80), 2.0**-80  # relative difference from x or 1: too small to see
QUARTERS = np.array([0.0, 1.0, INFINITY, -1.0, -0.0, 1.0, -INFINITY, -1.0])  # tan(k pi/4), signed as in tanpi
QUARTERS.flags.writeable = False
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


@narrows("sin")
def narrow_sin(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Sine."""
    sine, sine_lo, _, _ = of_radians(x)
    return narrower(hi, lo, err, exponent, (sine, sine_lo, abs(sine) * NARROW_BOUND + ANGLE_ERROR, 0))


@kernel()
def cos(x: Real) -> Enclosed:
    """Cosine."""
    return near_one(x, cosine_at(*reduced(x)))


@ordinary("cos", holds=is_ordinary_cos)
def ordinary_cos(x: Real) -> Enclosed:
    """Cosine below 2^14."""
    return near_one(x, cosine_at(*reduced_ordinary(x)))


@narrows("cos")
def narrow_cos(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Cosine."""
    _, _, cosine, cosine_lo = of_radians(x)
    return narrower(hi, lo, err, exponent, (cosine, cosine_lo, abs(cosine) * NARROW_BOUND + ANGLE_ERROR, 0))


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


@narrows("tan")
def narrow_tan(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Tangent: the angle's error is multiplied by 1 + tan^2."""
    tangent, tangent_lo = over_pair(*of_radians(x))
    error = abs(tangent) * NARROW_TANGENT_BOUND + 2.0 * ANGLE_ERROR * (1.0 + tangent * tangent)
    return narrower(hi, lo, err, exponent, (tangent, tangent_lo, error, 0))


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


def like_pi_in_pairs(x: Real, found: Pair, part: float) -> tuple[Real, Real, Integer]:
    """(hi, lo, exponent) as ``found``, of a function that is t + part t^3 for a tiny t = pi x."""
    hi, lo = found
    near, exponent = in_range(x)
    t, t_lo = times(*PI, near)
    cubic = select(exponent == 0, t * t * t, 0.0) * part
    tiny_hi, tiny_lo = fast_two_sum(t, t_lo + cubic)
    tiny = mark("tiny", abs(x) < TINY_TURNS)
    return select(tiny, tiny_hi, hi), select(tiny, tiny_lo, lo), select(tiny, exponent, 0)


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


@narrows("sinpi")
def narrow_sinpi(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """sin(pi x); for tiny x the terms after x^3 are 2^-154, and its rounding error is 2^-106."""
    sine, sine_lo, _, _ = of_turns(x)
    new_hi, new_lo, new_exponent = like_pi_in_pairs(x, (sine, sine_lo), -1.0 / 6.0)
    return narrower(hi, lo, err, exponent, (new_hi, new_lo, abs(new_hi) * NARROW_BOUND, new_exponent))


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


@narrows("cospi")
def narrow_cospi(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """cos(pi x)."""
    _, _, cosine, cosine_lo = of_turns(x)
    return narrower(hi, lo, err, exponent, (cosine, cosine_lo, abs(cosine) * NARROW_BOUND, 0))


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


@narrows("tanpi")
def narrow_tanpi(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """tan(pi x)."""
    new_hi, new_lo, new_exponent = like_pi_in_pairs(x, over_pair(*of_turns(x)), 1.0 / 3.0)
    return narrower(hi, lo, err, exponent, (new_hi, new_lo, abs(new_hi) * NARROW_TANGENT_BOUND, new_exponent))
