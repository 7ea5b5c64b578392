"""sin, cos, tan and sinpi, cospi, tanpi: x = n pi/512 + r, a table of 1024 sines, and short polynomials in r."""

from __future__ import annotations

from typing import Any

import numpy as np

from clmath.kernels import coefficients, table
from clmath.numbers.lanes import (
    SIGN,
    bits,
    fast_two_sum,
    from_bits,
    lane,
    nearest,
    polynomial,
    select,
    split,
    take,
    two_sum,
)

__all__ = ["cos", "cospi", "sin", "sincos", "sinpi", "tan", "tanpi"]

SINE_HI, SINE_LO = table("double/trigonometric", "sine_hi"), table("double/trigonometric", "sine_lo")
STEP_1, STEP_2, STEP_3, STEP_4 = map(float, table("double/trigonometric", "step"))
STEP_SHORT, STEP_REST = map(float, table("double/trigonometric", "step_short"))
STEP = STEP_SHORT + STEP_REST
(STEPS_PER_RADIAN,) = map(float, table("double/trigonometric", "steps"))
WORDS = table("double/trigonometric", "words")
SINE_TAIL = coefficients("double/trigonometric", "sine_tail")
COSINE_TAIL = coefficients("double/trigonometric", "cosine_tail")
INFINITY = float("inf")
NAN = float("nan")

TURN = 1024  # steps
QUARTER = 256
FRACTION = 0xFFFFFFFFFFFFF
INTEGER_EXPONENT = 1075  # the biased exponent of doubles with last place 1
FIRST_WORD = -84  # WORDS begins with 2^-84 512/pi
CUT_1, CUT_2, CUT_3 = (1.5 * 2.0**p for p in (36, -16, -68))  # adding and taking off cuts at 2^-16, 2^-68, 2^-120
SMALL = 2.0**-300  # below this the cube of x is subnormal: results carry an exponent
TINY = 2.0**-32  # below this sin x and tan x round like x -+ 2^-80 x, and cos x like 1 - 2^-80
TINY_TURNS = 2.0**-40  # below this sin(pi x) and tan(pi x) are pi x but for 2^-75 of it
ORDINARY = 2.0**14
ORDINARY_TURNS = 2.0**40
BELOW, ABOVE = -(2.0**-80), 2.0**-80  # besides x or 1, relatively: too little to see
BOUND = 1.25 * 2.0**-67
# (S + S_lo) bend below 2^-17.7 S: r without r_lo 1.3 of its 2^-53, z 0.8, its polynomial 0.5, bend 0.8, S + S_lo 0.8,
# the product 0.8, the sum 0.8: 2^-67.7 S, which is 2^-66.9 of the result at j = 1 and r = -pi/1024, where that is S/2
# C rest and C_lo sine below 2^-19.3 of the result: cubic 5.6 of its 2^-53, sums and products 3: 2^-69.2, nowhere more
# in all 2^-66.74, at j = 1; tests/kernels/double/test_trigonometric.py adds it up for every j
TANGENT_BOUND = 1.75 * 2.0**-67
# that of the sine and that of the cosine at the same angle 2^-66.24, the quotient 2^-75
REDUCTION, REDUCTION_ORDINARY = 2.0**-127, 2.0**-124
QUARTERS = np.array([0.0, 1.0, INFINITY, -1.0, -0.0, 1.0, -INFINITY, -1.0])  # tan(k pi/4); no tan is both


@lane
def is_ordinary_sin(x: Any) -> Any:
    """Whether three products with pieces of pi/512 reduce ``x``, and the result needs no exponent."""
    size = abs(x)
    return (size < ORDINARY) & ((size >= SMALL) | (size == 0.0))


@lane
def is_ordinary_cos(x: Any) -> Any:
    """Whether three products with pieces of pi/512 reduce ``x``."""
    return abs(x) < ORDINARY


is_ordinary_tan = is_ordinary_sincos = is_ordinary_sin


@lane
def reduced_ordinary(x: Any) -> Any:
    """(r, r_lo, n) with x = n pi/512 + r + r_lo, |r| < 0.00307, |x| < 2^14.

    n has 22 bits, and the first three pieces 31, 23 and 30: their products are exact. So are the differences: x minus
    the first product and that minus the second are multiples of 2^-61 below 2^-8. The error is that of the fourth
    product, 2^-125.6, and of the fourth piece, 2^-125.6, beside 2^-105 of r.
    """
    step, n = nearest(x * STEPS_PER_RADIAN)
    near = (x - step * STEP_1) - step * STEP_2
    third = step * STEP_3
    r = near - third
    return r, ((near - r) - third) - step * STEP_4, n


@lane
def reduced(x: Any) -> Any:
    """(r, r_lo, n) with x = n pi/512 + r + r_lo (mod 2 pi), |r| < 0.00307, for any x from TINY on: Payne and Hanek."""
    f, f_lo, n = steps_of(x)
    r, r_lo = angle(f, f_lo)
    return r, r_lo, n


@lane
def steps_of(x: Any) -> Any:
    """(f, f_lo, n) with x 512/pi = f + f_lo + n (mod 1024), |f| < 0.51, for any x from TINY on; error below 2^-118.

    x = m 2^e = (a + b) 2^e with integers |m| < 2^53, |b| <= 2^26 and a multiple a of 2^27. Words of 2^e 512/pi mod 1024
    are cut into d0, d1, ... d5, multiples of 2^-16, 2^-42, ... 2^-146 that halve such a place at most: a d0 is a
    multiple of 1024, the other products and the sums c0 to c3 are exact: multiples of 2^-16, 2^-42, 2^-68, 2^-94, at
    most 3/2 2^36, 3/2 2^10, 3/2 2^-16, 3/2 2^-42. c4 < 2^-67 has five roundings.
    """
    m, row = significand(x)
    a, b = split(m)
    word_0, word_1 = take(WORDS, row), take(WORDS, row + 52) * 2.0**-52
    word_2, word_3 = take(WORDS, row + 104) * 2.0**-104, take(WORDS, row + 156) * 2.0**-156
    d0, d2, d4 = (word_0 + CUT_1) - CUT_1, (word_1 + CUT_2) - CUT_2, (word_2 + CUT_3) - CUT_3
    d1, d3, d5 = word_0 - d0, word_1 - d2, word_2 - d4
    whole, n = nearest(b * d0 + a * d1)
    c1 = b * d1 + a * d2
    f = (b * d0 + a * d1) - whole
    more, extra = nearest(f + c1)
    f, f_1 = two_sum((f + c1) - more, b * d2 + a * d3)
    f, f_2 = two_sum(f, b * d3 + a * d4)
    f, f_lo = fast_two_sum(f, (f_1 + f_2) + (b * word_2 + (a * d5 + m * word_3)))
    return f, f_lo, n + extra


@lane
def significand(x: Any) -> Any:
    """(m, row): ``x`` as an integer below 2^53 times a power of two, and the row of WORDS that belongs to the power."""
    encoding = bits(x)
    m = from_bits((encoding & (SIGN | FRACTION)) | (INTEGER_EXPONENT << 52))
    return m, ((encoding >> 52) & 0x7FF) - (INTEGER_EXPONENT + FIRST_WORD)


@lane
def angle(f: Any, f_lo: Any) -> Any:
    """(r, r_lo) with r + r_lo = (f + f_lo) pi/512: relative error below 2^-77, of the two roundings below 2^-26."""
    first, second = split(f)
    return fast_two_sum(first * STEP_SHORT, first * STEP_REST + (second + f_lo) * STEP)


@lane
def tails(r: Any, r_lo: Any) -> Any:
    """(first, rest, sine, bend) with first + rest = sin(r + r_lo), first of 26 bits; sine the sum; bend = cos - 1."""
    first, second = split(r)
    z = r * r
    cubic = r * (z * polynomial(z, SINE_TAIL))
    return first, (second + r_lo) + cubic, r + cubic, z * polynomial(z, COSINE_TAIL)


@lane
def turned(high: Any, low: Any, slope_high: Any, slope_low: Any, first: Any, rest: Any, sine: Any, bend: Any) -> Any:
    """(hi, lo) of (high + low)(1 + bend) + (slope_high + slope_low)(first + rest), the product of the heads exact."""
    head, tail = fast_two_sum(high, slope_high * first)
    small = tail + (low + (slope_high * rest + slope_low * sine))
    return fast_two_sum(head, small + (high + low) * bend)


@lane
def sine_at(n: Any, r: Any, r_lo: Any) -> Any:
    """(hi, lo) = sin(n pi/512 + r + r_lo)."""
    first, rest, sine, bend = tails(r, r_lo)
    j, k = n & (TURN - 1), (n + QUARTER) & (TURN - 1)
    high, low, slope_high, slope_low = take(SINE_HI, j), take(SINE_LO, j), take(SINE_HI, k), take(SINE_LO, k)
    return turned(high, low, slope_high, slope_low, first, rest, sine, bend)


@lane
def sine_cosine_at(n: Any, r: Any, r_lo: Any) -> Any:
    """(hi, lo) of the sine and (hi, lo) of the cosine of n pi/512 + r + r_lo."""
    first, rest, sine, bend = tails(r, r_lo)
    j, k = n & (TURN - 1), (n + QUARTER) & (TURN - 1)
    s_hi, s_lo, c_hi, c_lo = take(SINE_HI, j), take(SINE_LO, j), take(SINE_HI, k), take(SINE_LO, k)
    hi, lo = turned(s_hi, s_lo, c_hi, c_lo, first, rest, sine, bend)
    cos_hi, cos_lo = turned(c_hi, c_lo, s_hi, s_lo, -first, -rest, -sine, bend)
    return hi, lo, cos_hi, cos_lo


@lane
def tangent_at(n: Any, r: Any, r_lo: Any) -> Any:
    """(hi, lo) = tan(n pi/512 + r + r_lo)."""
    hi, lo, cos_hi, cos_lo = sine_cosine_at(n, r, r_lo)
    return quotient(hi, lo, cos_hi, cos_lo)


@lane
def quotient(a_hi: Any, a_lo: Any, b_hi: Any, b_lo: Any) -> Any:
    """(hi, lo) = (a_hi + a_lo) / (b_hi + b_lo), relative error below 2^-75.

    The first 26 bits of the quotient times those of b_hi, and times the rest, are exact, and so is a_hi minus the first.
    """
    inverse = 1.0 / b_hi
    first, _ = split(a_hi * inverse)
    high, low = split(b_hi)
    rest = ((a_hi - first * high) - first * low) + (a_lo - first * b_lo)
    return fast_two_sum(first, rest * inverse)


@lane
def near_zero(x: Any, hi: Any, lo: Any, err: Any, beside: Any) -> Any:
    """The parts of a function that is x + beside x below TINY, and NaN at the infinities."""
    size = abs(x)
    small, finite = size < SMALL, size < INFINITY
    scaled = x * select(small, 2.0**600, 1.0)
    hi, lo, err = like_itself(scaled, size < TINY, select(finite, hi, NAN), lo, err, beside)
    return hi, select(finite, lo, 0.0), select(finite, err, 0.0), select(small, -600, 0)


@lane
def like_itself(x: Any, tiny: Any, hi: Any, lo: Any, err: Any, beside: Any) -> Any:
    """(hi, lo, err) of a function that is x + beside x where ``tiny`` holds; lo has the sign of a zero."""
    lo = select(tiny, select(x == 0.0, x, x * beside), lo)
    return select(tiny, x, hi), lo, select(tiny, 0.0, err)


@lane
def near_one(x: Any, hi: Any, lo: Any, err: Any) -> Any:
    """The parts of a function that is 1 - 2^-80 below TINY, 1 at zero and NaN at the infinities."""
    size = abs(x)
    tiny, finite = size < TINY, size < INFINITY
    hi = select(tiny, 1.0, select(finite, hi, NAN))
    lo = select(tiny, select(x == 0.0, 0.0, -(2.0**-80)), select(finite, lo, 0.0))
    return hi, lo, select(finite, select(tiny, 0.0, err), 0.0), 0


@lane
def untiny(x: Any) -> Any:
    """``x``, or zero below TINY."""
    return select(abs(x) < TINY, 0.0, x)


@lane
def sin(x: Any) -> Any:
    """Sine."""
    r, r_lo, n = reduced(x)
    hi, lo = sine_at(n, r, r_lo)
    return near_zero(x, hi, lo, abs(hi) * BOUND + REDUCTION, BELOW)


@lane
def ordinary_sin(x: Any) -> Any:
    """Sine below 2^14."""
    r, r_lo, n = reduced_ordinary(untiny(x))
    hi, lo = sine_at(n, r, r_lo)
    return (*like_itself(x, abs(x) < TINY, hi, lo, abs(hi) * BOUND + REDUCTION_ORDINARY, BELOW), 0)


@lane
def cos(x: Any) -> Any:
    """Cosine."""
    r, r_lo, n = reduced(x)
    hi, lo = sine_at(n + QUARTER, r, r_lo)
    return near_one(x, hi, lo, abs(hi) * BOUND + REDUCTION)


@lane
def ordinary_cos(x: Any) -> Any:
    """Cosine below 2^14."""
    r, r_lo, n = reduced_ordinary(untiny(x))
    hi, lo = sine_at(n + QUARTER, r, r_lo)
    return near_one(x, hi, lo, abs(hi) * BOUND + REDUCTION_ORDINARY)


@lane
def settled_sine(x: Any, hi: Any, lo: Any, err: Any, exponent: Any) -> Any:  # noqa: ARG001
    """The parts of a sine or cosine found to be 1 but for less than 2^-60: no double is an odd multiple of pi/2."""
    peak = (abs(hi) == 1.0) & (abs(lo) < 2.0**-60) & (err > 0.0)
    return hi, select(peak, hi * BELOW, lo), select(peak, 0.0, err), exponent


@lane
def sincos(x: Any) -> Any:
    """Sine and cosine."""
    r, r_lo, n = reduced(x)
    hi, lo, cos_hi, cos_lo = sine_cosine_at(n, r, r_lo)
    sine = near_zero(x, hi, lo, abs(hi) * BOUND + REDUCTION, BELOW)
    return sine + near_one(x, cos_hi, cos_lo, abs(cos_hi) * BOUND + REDUCTION)


@lane
def ordinary_sincos(x: Any) -> Any:
    """Sine and cosine below 2^14."""
    r, r_lo, n = reduced_ordinary(untiny(x))
    hi, lo, cos_hi, cos_lo = sine_cosine_at(n, r, r_lo)
    hi, lo, err = like_itself(x, abs(x) < TINY, hi, lo, abs(hi) * BOUND + REDUCTION_ORDINARY, BELOW)
    return (hi, lo, err, 0) + near_one(x, cos_hi, cos_lo, abs(cos_hi) * BOUND + REDUCTION_ORDINARY)


@lane
def tan(x: Any) -> Any:
    """Tangent; no double comes so close to a pole that it overflows."""
    r, r_lo, n = reduced(x)
    hi, lo = tangent_at(n, r, r_lo)
    return near_zero(x, hi, lo, tangent_error(hi, REDUCTION), ABOVE)


@lane
def ordinary_tan(x: Any) -> Any:
    """Tangent below 2^14."""
    r, r_lo, n = reduced_ordinary(untiny(x))
    hi, lo = tangent_at(n, r, r_lo)
    return (*like_itself(x, abs(x) < TINY, hi, lo, tangent_error(hi, REDUCTION_ORDINARY), ABOVE), 0)


@lane
def tangent_error(hi: Any, reduction: Any) -> Any:
    """The error bound of the tangent ``hi`` of an angle that carries ``reduction``, at most: times 1 + tan^2."""
    return abs(hi) * TANGENT_BOUND + (1.0 + hi * hi) * reduction


@lane
def is_ordinary_sinpi(x: Any) -> Any:
    """Whether 512 ``x`` is rounded to an integer at once, and the cube of pi x is normal or ``x`` zero."""
    size = abs(x)
    return (size < ORDINARY_TURNS) & ((size >= TINY_TURNS) | (size == 0.0))


@lane
def is_ordinary_cospi(x: Any) -> Any:
    """Whether 512 ``x`` is rounded to an integer at once."""
    return abs(x) < ORDINARY_TURNS


is_ordinary_tanpi = is_ordinary_sinpi


@lane
def within_turn(x: Any) -> Any:
    """``x`` or -x minus an even integer, -1 to 1 (exact), -x only for integers; zero from 2^53 on and for NaN."""
    size = abs(x)
    kept = select(size < 2.0**52, x, select(size < 2.0**53, size - 2.0**52, 0.0))
    half, _ = nearest(0.5 * kept)
    return kept - (half + half)


@lane
def steps_of_turns(x: Any) -> Any:
    """(f, n) with 512 x = n + f, |f| <= 1/2 (exact), |x| < 2^41."""
    steps = x * (TURN / 2.0)
    whole, n = nearest(steps)
    return steps - whole, n


@lane
def is_multiple(f: Any, n: Any, steps: Any) -> Any:
    """Whether n + f is a multiple of ``steps``, a power of two."""
    return (f == 0.0) & ((n & (steps - 1)) == 0)


@lane
def zero_like(x: Any, hi: Any, lo: Any) -> Any:
    """(hi, lo), zeros with the sign of ``x``."""
    zero = from_bits(bits(x) & SIGN)
    return select(hi == 0.0, zero, hi), select(hi == 0.0, zero, lo)


@lane
def sine_of_turns(f: Any, n: Any, r: Any, r_lo: Any) -> Any:
    """(hi, lo, err) of sin(pi (n + f)/512): exact where it is -1, 0 or 1, and nowhere else (Niven); zeros positive."""
    hi, lo = sine_at(n, r, r_lo)
    return hi, lo, select(is_multiple(f, n, QUARTER), 0.0, abs(hi) * BOUND)


@lane
def tangent_of_turns(x: Any, f: Any, n: Any, r: Any, r_lo: Any) -> Any:
    """(hi, lo, err) of tan(pi x): exact at multiples of 1/4, and nowhere else; zeros and poles alternate in sign."""
    hi, lo = tangent_at(n, r, r_lo)
    exact = is_multiple(f, n, QUARTER // 2)
    value = take(QUARTERS, (n >> 7) & 7)
    value = select(value == 0.0, from_bits(bits(value) ^ (bits(x) & SIGN)), value)
    hi, lo = select(exact, value, hi), select(exact, select(value == 0.0, value, 0.0), lo)
    return hi, lo, select(exact, 0.0, abs(hi) * TANGENT_BOUND)


@lane
def split_turns(x: Any) -> Any:
    """(f, n, r, r_lo) of pi x for any x; zeros for tiny ``x``."""
    f, n = steps_of_turns(within_turn(select(abs(x) < TINY_TURNS, 0.0, x)))
    r, r_lo = angle(f, 0.0)
    return f, n, r, r_lo


@lane
def like_pi(x: Any, hi: Any, lo: Any, err: Any) -> Any:
    """The parts of a function that is pi x (1 + 2^-75) where ``x`` is tiny, and NaN at the infinities."""
    size = abs(x)
    small, tiny, finite = size < SMALL, (size < TINY_TURNS) & (size > 0.0), size < INFINITY
    tiny_hi, tiny_lo = angle(select(tiny, x * select(small, 2.0**600, 1.0), 0.0) * (TURN / 2.0), 0.0)
    hi, lo = select(tiny, tiny_hi, select(finite, hi, NAN)), select(tiny, tiny_lo, select(finite, lo, 0.0))
    return hi, lo, select(finite, select(tiny, abs(hi) * BOUND, err), 0.0), select(small, -600, 0)


@lane
def sinpi(x: Any) -> Any:
    """sin(pi x)."""
    f, n, r, r_lo = split_turns(x)
    hi, lo, err = sine_of_turns(f, n, r, r_lo)
    return like_pi(x, *zero_like(x, hi, lo), err)


@lane
def ordinary_sinpi(x: Any) -> Any:
    """sin(pi x) below 2^40."""
    f, n = steps_of_turns(x)
    r, r_lo = angle(f, 0.0)
    hi, lo, err = sine_of_turns(f, n, r, r_lo)
    return (*zero_like(x, hi, lo), err, 0)


@lane
def cospi(x: Any) -> Any:
    """cos(pi x); its zeros are positive."""
    f, n, r, r_lo = split_turns(x)
    hi, lo, err = sine_of_turns(f, n + QUARTER, r, r_lo)
    return near_one(x, hi, lo, err)


@lane
def ordinary_cospi(x: Any) -> Any:
    """cos(pi x) below 2^40."""
    f, n = steps_of_turns(untiny(x))
    r, r_lo = angle(f, 0.0)
    hi, lo, err = sine_of_turns(f, n + QUARTER, r, r_lo)
    return near_one(x, hi, lo, err)


@lane
def tanpi(x: Any) -> Any:
    """tan(pi x)."""
    f, n, r, r_lo = split_turns(x)
    hi, lo, err = tangent_of_turns(x, f, n, r, r_lo)
    return like_pi(x, hi, lo, err)


@lane
def ordinary_tanpi(x: Any) -> Any:
    """tan(pi x) below 2^40."""
    f, n = steps_of_turns(x)
    r, r_lo = angle(f, 0.0)
    return (*tangent_of_turns(x, f, n, r, r_lo), 0)
