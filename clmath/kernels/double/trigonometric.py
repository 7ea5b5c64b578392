"""sin, cos, tan and sinpi, cospi, tanpi: x = n pi/1024 + r, a table of 1024 sines, and short polynomials in r."""

from __future__ import annotations

from typing import Any

import numpy as np

from clmath.kernels import coefficients, table
from clmath.kernels.double.near_zero import SMALL, in_range
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

HALF_TURN = 1024  # steps
QUARTER = 512
STEPS_PER_UNIT = 1024.0  # of what is multiplied by pi
FRACTION = 0xFFFFFFFFFFFFF
INTEGER_EXPONENT = 1075  # the biased exponent of doubles with last place 1
FIRST_WORD = -84  # WORDS begins with 2^-84 1024/pi
CUT_1, CUT_2, CUT_3 = (1.5 * 2.0**p for p in (37, -15, -67))  # adding and taking off rounds to 2^-15, 2^-67, 2^-119
TINY = 2.0**-32  # below this sin x and tan x round like x -+ 2^-80 x, cos x and cos(pi x) like 1 - 2^-80
TINY_TURNS = 2.0**-40  # below this sin(pi x) and tan(pi x) are pi x but for 2^-76 of it
ORDINARY = 2.0**14
ORDINARY_TURNS = 2.0**40
BELOW, ABOVE = -(2.0**-80), 2.0**-80  # besides x or 1, relatively: too little to see
QUARTERS = np.array([0.0, 1.0, INFINITY, -1.0, -0.0, 1.0, -INFINITY, -1.0])  # tan(k pi/4), signed as tanpi has it
QUARTERS.flags.writeable = False

BOUND = 1.625 * 2.0**-69
# (S + S_lo) bend, bend < 2^-19.7, in units of 2^-53 of it: r without r_lo 1.3, its square 0.8, the polynomial 0.5, bend
# 0.8, S + S_lo 0.8, the product 0.8, the last sum 0.8: 2^-70 S, which is 2^-69 of the result at j = 1, r = -pi/2048
# C rest + C_lo sine, below 2^-21.3 of the result: cubic 5.6, sums and products 3: 2^-71.2; its polynomial 2^-70.3
# angle, C_lo sine, S_lo: 2^-77; in all 2^-68.3 at j = 1, 2^-69 elsewhere: the tests add it up for every j
TANGENT_BOUND = 1.125 * 2.0**-68
# the sine's and the cosine's at the same angle, the quotient's 2^-75
REDUCTION, REDUCTION_ORDINARY = 2.0**-127, 2.0**-125  # derived where they arise


@lane
def is_ordinary_sin(x: Any) -> Any:
    """Whether four products with pieces of pi/1024 reduce ``x``, and the result needs no exponent."""
    size = abs(x)
    return (size < ORDINARY) & ((size >= SMALL) | (size == 0.0))


is_ordinary_tan = is_ordinary_sincos = is_ordinary_sin


@lane
def is_ordinary_cos(x: Any) -> Any:
    """Whether four products with pieces of pi/1024 reduce ``x``."""
    return abs(x) < ORDINARY


@lane
def is_ordinary_sinpi(x: Any) -> Any:
    """Whether 1024 ``x`` is rounded to an integer at once, and ``x`` is not tiny or zero."""
    size = abs(x)
    return (size < ORDINARY_TURNS) & ((size >= TINY_TURNS) | (size == 0.0))


is_ordinary_tanpi = is_ordinary_sinpi


@lane
def is_ordinary_cospi(x: Any) -> Any:
    """Whether 1024 ``x`` is rounded to an integer at once."""
    return abs(x) < ORDINARY_TURNS


@lane
def reduced_ordinary(x: Any) -> Any:
    """(r, r_lo, n) with x = n pi/1024 + r + r_lo, |r| < 0.00154, |x| < 2^14; zeros below TINY.

    n has 23 bits, and the first three pieces 30, 23 and 30: their products are exact. So are the differences: x minus
    the first product and that minus the second are multiples of 2^-62 below 2^-9. The error is that of the fourth
    product, which is below 2^-72, 2^-126, and that of the fourth piece, 2^-128.4, beside 2^-105 of r.
    """
    kept = select(abs(x) < TINY, 0.0, x)
    step, n = nearest(kept * STEPS_PER_RADIAN)
    near = (kept - step * STEP_1) - step * STEP_2
    third = step * STEP_3
    r = near - third
    return r, ((near - r) - third) - step * STEP_4, n


@lane
def reduced(x: Any) -> Any:
    """(r, r_lo, n) with x = n pi/1024 + r + r_lo (mod 2 pi), |r| < 0.00154, for any x from TINY on: Payne and Hanek.

    The error is 2^-127.2, that of ``steps_of``, beside 2^-77 of r.
    """
    f, f_lo, n = steps_of(x)
    r, r_lo = angle(f, f_lo)
    return r, r_lo, n


@lane
def steps_of(x: Any) -> Any:
    """(f, f_lo, n) with x 1024/pi = f + f_lo + n (mod 2048), |f| < 0.51, for any x from TINY on.

    x = m 2^e = (a + b) 2^e with integers |m| < 2^53, |b| <= 2^26 and a multiple a of 2^27. Words of 2^e 1024/pi mod
    2048 are cut into d0, d1, ... d5: multiples of 2^-15, 2^-41, ... 2^-145, each after d0 at most half of the place
    before it. a d0 is a multiple of 2048. The first to fourth sums, b d0 + a d1 to b d3 + a d4, are exact: multiples of
    2^-15, 2^-41, 2^-67, 2^-93, at most 1.5 times 2^37, 2^11, 2^-15, 2^-41. What is left is below 2^-66.4 and has four
    roundings: 2^-122, 2^-121, 2^-121, 2^-120, in all 2^-118.8, beside 2^-105 of f.
    """
    m, row = significand(x)
    a, b = split(m)
    left = m * (take(WORDS, row + 156) * 2.0**-156)
    word = take(WORDS, row + 104) * 2.0**-104
    high, low = cut(word, CUT_3)
    left, fourth = b * word + (a * low + left), a * high
    high, low = cut(take(WORDS, row + 52) * 2.0**-52, CUT_2)
    fourth, third, second = fourth + b * low, b * high + a * low, a * high
    high, low = cut(take(WORDS, row), CUT_1)
    first, second = b * high + a * low, second + b * low
    whole, n = nearest(first)
    second = (first - whole) + second
    more, extra = nearest(second)
    f, f_1 = two_sum(second - more, third)
    f, f_2 = two_sum(f, fourth)
    f, f_lo = fast_two_sum(f, (f_1 + f_2) + left)
    return f, f_lo, n + extra


@lane
def cut(word: Any, unit: Any) -> Any:
    """(high, low) with word = high + low (exact); ``unit`` is 1.5 2^52 times what high is a multiple of."""
    high = (word + unit) - unit
    return high, word - high


@lane
def significand(x: Any) -> Any:
    """(m, row): ``x`` as an integer below 2^53 times a power of two, and the row of WORDS that belongs to the power."""
    encoding = bits(x)
    m = from_bits((encoding & (SIGN | FRACTION)) | (INTEGER_EXPONENT << 52))
    return m, ((encoding >> 52) & 0x7FF) - (INTEGER_EXPONENT + FIRST_WORD)


@lane
def angle(f: Any, f_lo: Any) -> Any:
    """(r, r_lo) with r + r_lo = (f + f_lo) pi/1024: relative error below 2^-77, of roundings of terms below 2^-25."""
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
def entry(n: Any) -> Any:
    """(hi, lo) = sin(n pi/1024), hi of 26 bits; zeros have either sign."""
    j, sign = n & (HALF_TURN - 1), (n << 53) & SIGN
    return from_bits(bits(take(SINE_HI, j)) ^ sign), from_bits(bits(take(SINE_LO, j)) ^ sign)


@lane
def turned(s: Any, s_lo: Any, slope: Any, tail: Any) -> Any:
    """(hi, lo) of (s + s_lo) cos r + (c + c_lo) sin r for the slope (c, c_lo); the product of its heads is exact."""
    c, c_lo = slope
    first, rest, sine, bend = tail
    head, lost = fast_two_sum(s, c * first)
    small = lost + (s_lo + (c * rest + c_lo * sine))
    return fast_two_sum(head, small + (s + s_lo) * bend)


@lane
def sine_at(n: Any, r: Any, r_lo: Any) -> Any:
    """(hi, lo) = sin(n pi/1024 + r + r_lo)."""
    s, s_lo = entry(n)
    return turned(s, s_lo, entry(n + QUARTER), tails(r, r_lo))


@lane
def sine_cosine_at(n: Any, r: Any, r_lo: Any) -> Any:
    """(hi, lo) of the sine and (hi, lo) of the cosine of n pi/1024 + r + r_lo."""
    s, s_lo = entry(n)
    c, c_lo = entry(n + QUARTER)
    tail = tails(r, r_lo)
    hi, lo = turned(s, s_lo, (c, c_lo), tail)
    cos_hi, cos_lo = turned(c, c_lo, (-s, -s_lo), tail)
    return hi, lo, cos_hi, cos_lo


@lane
def tangent_at(n: Any, r: Any, r_lo: Any) -> Any:
    """(hi, lo) = tan(n pi/1024 + r + r_lo)."""
    hi, lo, cos_hi, cos_lo = sine_cosine_at(n, r, r_lo)
    return quotient(hi, lo, cos_hi, cos_lo)


@lane
def quotient(a_hi: Any, a_lo: Any, b_hi: Any, b_lo: Any) -> Any:
    """(hi, lo) = (a_hi + a_lo) / (b_hi + b_lo), relative error below 2^-75.

    26 bits of the quotient times 26 of b_hi, and times its rest, are exact, and so is a_hi minus the first product.
    """
    inverse = 1.0 / b_hi
    first, _ = split(a_hi * inverse)
    high, low = split(b_hi)
    rest = ((a_hi - first * high) - first * low) + (a_lo - first * b_lo)
    return fast_two_sum(first, rest * inverse)


@lane
def like_itself(x: Any, near: Any, found: Any, part: Any) -> Any:
    """(hi, lo, err) as ``found``, of a function that is x + part x below TINY: ``near`` is x or x scaled."""
    hi, lo, err = found
    tiny = abs(x) < TINY
    lo = select(tiny, select(x == 0.0, x, near * part), lo)
    return select(tiny, near, hi), lo, select(tiny, 0.0, err)


@lane
def in_full(x: Any, found: Any, part: Any) -> Any:
    """The parts of a function that is x + part x below TINY, and NaN at the infinities."""
    near, exponent = in_range(x)
    hi, lo, err = like_itself(x, near, found, part)
    finite = abs(x) < INFINITY
    return select(finite, hi, NAN), select(finite, lo, 0.0), select(finite, err, 0.0), exponent


@lane
def near_one(x: Any, found: Any) -> Any:
    """The parts of a function that is 1 - 2^-80 below TINY, 1 at zero and NaN at the infinities."""
    hi, lo, err = found
    tiny, finite = abs(x) < TINY, abs(x) < INFINITY
    hi = select(tiny, 1.0, select(finite, hi, NAN))
    lo = select(tiny, select(x == 0.0, 0.0, BELOW), select(finite, lo, 0.0))
    return hi, lo, select(finite, select(tiny, 0.0, err), 0.0), 0


@lane
def refined_sine(x: Any, hi: Any, lo: Any, err: Any, exponent: Any) -> Any:  # noqa: ARG001 - as kernels return
    """The parts of a sine or cosine, found where it is 1 or -1 but for less than 2^-60; what is 1 has err = 0."""
    peak = (abs(hi) == 1.0) & (abs(lo) < 2.0**-60) & (err > 0.0)
    return hi, select(peak, hi * BELOW, lo), select(peak, 0.0, err), exponent


@lane
def bounded(hi: Any, lo: Any, reduction: Any) -> Any:
    """(hi, lo, err) of a sine or cosine of an angle that carries ``reduction``, at most."""
    return hi, lo, abs(hi) * BOUND + reduction


@lane
def bounded_tangent(hi: Any, lo: Any, reduction: Any) -> Any:
    """(hi, lo, err) of a tangent: what the angle carries times 1 + tan^2."""
    return hi, lo, abs(hi) * TANGENT_BOUND + (1.0 + hi * hi) * reduction


@lane
def sin(x: Any) -> Any:
    """Sine."""
    r, r_lo, n = reduced(x)
    hi, lo = sine_at(n, r, r_lo)
    return in_full(x, bounded(hi, lo, REDUCTION), BELOW)


@lane
def ordinary_sin(x: Any) -> Any:
    """Sine below 2^14."""
    r, r_lo, n = reduced_ordinary(x)
    hi, lo = sine_at(n, r, r_lo)
    return (*like_itself(x, x, bounded(hi, lo, REDUCTION_ORDINARY), BELOW), 0)


@lane
def cos(x: Any) -> Any:
    """Cosine."""
    r, r_lo, n = reduced(x)
    hi, lo = sine_at(n + QUARTER, r, r_lo)
    return near_one(x, bounded(hi, lo, REDUCTION))


@lane
def ordinary_cos(x: Any) -> Any:
    """Cosine below 2^14."""
    r, r_lo, n = reduced_ordinary(x)
    hi, lo = sine_at(n + QUARTER, r, r_lo)
    return near_one(x, bounded(hi, lo, REDUCTION_ORDINARY))


@lane
def sincos(x: Any) -> Any:
    """Sine and cosine."""
    r, r_lo, n = reduced(x)
    hi, lo, cos_hi, cos_lo = sine_cosine_at(n, r, r_lo)
    sine = in_full(x, bounded(hi, lo, REDUCTION), BELOW)
    cosine = near_one(x, bounded(cos_hi, cos_lo, REDUCTION))
    return (*refined_sine(x, *sine), *refined_sine(x, *cosine))


@lane
def ordinary_sincos(x: Any) -> Any:
    """Sine and cosine below 2^14."""
    r, r_lo, n = reduced_ordinary(x)
    hi, lo, cos_hi, cos_lo = sine_cosine_at(n, r, r_lo)
    hi, lo, err = like_itself(x, x, bounded(hi, lo, REDUCTION_ORDINARY), BELOW)
    cosine = near_one(x, bounded(cos_hi, cos_lo, REDUCTION_ORDINARY))
    return (*refined_sine(x, hi, lo, err, 0), *refined_sine(x, *cosine))


@lane
def tan(x: Any) -> Any:
    """Tangent; no double comes so close to a pole that it overflows."""
    r, r_lo, n = reduced(x)
    hi, lo = tangent_at(n, r, r_lo)
    return in_full(x, bounded_tangent(hi, lo, REDUCTION), ABOVE)


@lane
def ordinary_tan(x: Any) -> Any:
    """Tangent below 2^14."""
    r, r_lo, n = reduced_ordinary(x)
    hi, lo = tangent_at(n, r, r_lo)
    return (*like_itself(x, x, bounded_tangent(hi, lo, REDUCTION_ORDINARY), ABOVE), 0)


@lane
def within_turn(x: Any) -> Any:
    """``x`` minus an even integer, -1 to 1 (exact); an integer from 2^52 on that is odd like x, and zero for NaN."""
    size = abs(x)
    kept = select(size < 2.0**52, x, select(size < 2.0**53, size - 2.0**52, 0.0))
    half, _ = nearest(0.5 * kept)
    return kept - (half + half)


@lane
def steps_of_turns(x: Any) -> Any:
    """(f, n) with 1024 x = n + f, |f| <= 1/2 (exact), |x| < 2^41."""
    steps = x * STEPS_PER_UNIT
    whole, n = nearest(steps)
    return steps - whole, n


@lane
def any_steps_of_turns(x: Any) -> Any:
    """(f, n) with 1024 x = n + f (mod 2048) for any ``x``; zeros where it is tiny."""
    return steps_of_turns(within_turn(select(abs(x) < TINY_TURNS, 0.0, x)))


@lane
def is_multiple(f: Any, n: Any, steps: Any) -> Any:
    """Whether n + f is a multiple of ``steps``, a power of two."""
    return (f == 0.0) & ((n & (steps - 1)) == 0)


@lane
def sine_of_steps(f: Any, n: Any) -> Any:
    """(hi, lo, err) of sin(pi (n + f)/1024): exact where it is -1, 0 or 1, and nowhere else (Niven); zeros positive."""
    r, r_lo = angle(f, 0.0)
    hi, lo = sine_at(n, r, r_lo)
    return hi + 0.0, lo, select(is_multiple(f, n, QUARTER), 0.0, abs(hi) * BOUND)


@lane
def sine_of_turns(x: Any, f: Any, n: Any) -> Any:
    """The same of pi x: zeros have the sign of ``x``."""
    hi, lo, err = sine_of_steps(f, n)
    zero = from_bits(bits(x) & SIGN)
    return select(hi == 0.0, zero, hi), select(hi == 0.0, zero, lo), err


@lane
def tangent_of_turns(x: Any, f: Any, n: Any) -> Any:
    """(hi, lo, err) of tan(pi x): exact at multiples of 1/4, and nowhere else; zeros and poles alternate in sign."""
    r, r_lo = angle(f, 0.0)
    hi, lo = tangent_at(n, r, r_lo)
    exact = is_multiple(f, n, QUARTER // 2)
    value = take(QUARTERS, (n >> 8) & 7)
    value = select(value == 0.0, from_bits(bits(value) ^ (bits(x) & SIGN)), value)
    hi, lo = select(exact, value, hi), select(exact, select(value == 0.0, value, 0.0), lo)
    return hi, lo, select(exact, 0.0, abs(hi) * TANGENT_BOUND)


@lane
def like_pi(x: Any, found: Any) -> Any:
    """The parts of a function that is pi x but for 2^-76 of it where ``x`` is tiny, and NaN at the infinities."""
    hi, lo, err = found
    size = abs(x)
    tiny, finite = (size < TINY_TURNS) & (size > 0.0), size < INFINITY
    near, exponent = in_range(x)
    near_hi, near_lo = angle(select(tiny, near, 0.0) * STEPS_PER_UNIT, 0.0)
    hi, lo = select(tiny, near_hi, select(finite, hi, NAN)), select(tiny, near_lo, select(finite, lo, 0.0))
    return hi, lo, select(finite, select(tiny, abs(hi) * BOUND, err), 0.0), exponent


@lane
def sinpi(x: Any) -> Any:
    """sin(pi x)."""
    f, n = any_steps_of_turns(x)
    return like_pi(x, sine_of_turns(x, f, n))


@lane
def ordinary_sinpi(x: Any) -> Any:
    """sin(pi x) below 2^40."""
    f, n = steps_of_turns(x)
    return (*sine_of_turns(x, f, n), 0)


@lane
def cospi(x: Any) -> Any:
    """cos(pi x); its zeros are positive."""
    f, n = any_steps_of_turns(x)
    return near_one(x, sine_of_steps(f, n + QUARTER))


@lane
def ordinary_cospi(x: Any) -> Any:
    """cos(pi x) below 2^40."""
    f, n = steps_of_turns(select(abs(x) < TINY, 0.0, x))
    return near_one(x, sine_of_steps(f, n + QUARTER))


@lane
def tanpi(x: Any) -> Any:
    """tan(pi x)."""
    f, n = any_steps_of_turns(x)
    return like_pi(x, tangent_of_turns(x, f, n))


@lane
def ordinary_tanpi(x: Any) -> Any:
    """tan(pi x) below 2^40."""
    f, n = steps_of_turns(x)
    return (*tangent_of_turns(x, f, n), 0)
