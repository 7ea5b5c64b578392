"""Angles in steps of pi/1024: x = n pi/1024 + r, by parts of pi/1024 (Cody-Waite) or, for any x, by words of 1024/pi
(Payne-Hanek); half turns exactly.
"""

from __future__ import annotations

from clmath.ir.primitives import *
from clmath.kernels import pairs, table
from clmath.kernels.accurate.pairs import short

STEP_1, STEP_2, STEP_3, STEP_4 = map(float, table("accurate/trigonometric", "step"))
STEP_SHORT, STEP_REST = map(float, table("accurate/trigonometric", "step_short"))
STEP = STEP_SHORT + STEP_REST
(STEPS_PER_RADIAN,) = map(float, table("accurate/trigonometric", "steps"))
WORDS = table("accurate/trigonometric", "words")
(STEP_PAIR,), (PI,) = pairs("narrowing/trigonometric", "step"), pairs("narrowing/trigonometric", "pi")

INTEGER_EXPONENT = 1075  # the biased exponent of doubles with last place 1
FIRST_WORD = -84  # WORDS begins with 2^-84 1024/pi
TWO_TURNS = 1.5 * 2.0**64  # adding and taking off rounds to multiples of 4096 steps
TINY = 2.0**-32  # below this sin x and tan x round like x -+ 2^-80 x, cos x and cos(pi x) like 1 - 2^-80
TINY_TURNS = 2.0**-40  # below this sin(pi x) and tan(pi x) are pi x with a relative error below 2^-76
ORDINARY = 2.0**14
STEPS_PER_UNIT = 1024.0  # steps in one unit of x, for functions of pi x
REDUCTION, REDUCTION_ORDINARY = 2.0**-99.5, 2.0**-122  # derived where they arise
ANGLE_ERROR = 2.0**-148  # of ``steps_of``, 2^-140 steps, in addition to 2^-103.9 of r


def reduced_ordinary(x: Real) -> tuple[Real, Real, Integer, float]:
    """(r, r_lo, n, error) with x = n pi/1024 + r + r_lo, |r| < 0.00154, |x| < 2^14; zeros below TINY.

    n has 23 bits, and the first three parts of pi/1024 have 30, 23 and 30: their products are exact. So are the
    differences: x minus the first product and that minus the second are multiples of 2^-62 below 2^-9. The error is the
    sum of 2^-126 for the fourth product (below 2^-72.3), 2^-128.4 for the fourth part of pi/1024, and 2^-126
    for r_lo, in addition to 2^-105 of r. The sines of angles that are as small carry a few more: r_lo may be as large
    as 2^-11 of r, which is 2^-61.
    """
    kept = select(abs(x) < TINY, 0.0, x)
    step, n = nearest(kept * STEPS_PER_RADIAN)
    near = mark("near", (kept - step * STEP_1) - step * STEP_2)
    third = mark("third", step * STEP_3)
    r = near - third
    r_lo = ((near - r) - third) - mark("fourth", step * STEP_4)
    return mark("r r_lo n error", r, r_lo, n, REDUCTION_ORDINARY)


def reduced(x: Real) -> tuple[Real, Real, Integer, float]:
    """(r, r_lo, n, error) with x = n pi/1024 + r + r_lo (mod 2 pi), |r| < 0.00154, for any x from TINY on.

    Three words of 1024/pi are used (Payne and Hanek): the words after them contribute less than 2^-93 steps, the third
    product is rounded to 2^-95, the sums with it, below 2^-40, to 2^-94 each, and the last sum, where f is the smaller
    part, to 2^-93: in all 2^-91.3 steps, 2^-99.6, in addition to 2^-75 of r.
    """
    (f, f_1, f_2), m, row, n = by_two_words(x)
    f, f_lo = fast_two_sum(*mark("f s", f, f_1 + (f_2 + m * take(WORDS, row))))
    r, r_lo = angle(f, f_lo)
    return mark("r r_lo n error", r, r_lo, n, REDUCTION)


def by_two_words(x: Real) -> tuple[tuple[Real, Real, Real], Real, Integer, Integer]:
    """((f, f_1, f_2), m, row, n): x 1024/pi = n + f + f_1 + f_2 + m (w_2 + 2^-52 w_3 + ...) (mod 2048), all exact.

    x = m 2^e with an integer m < 2^53, and 2^e 1024/pi (mod 2048) is w_0 + 2^-52 w_1 + 2^-104 w_2 + ... with words of
    52 bits, multiples of 2^-41 below 2^10; ``m`` is returned times 2^-104, and ``row`` is the row of w_2. m w_0 minus a
    multiple of 4096 is a multiple of 2^-41 below 2^11.4, and less than 2^11.1 when whole steps are taken off, for then
    it is next to -2^-52 m w_1. |f_1| <= 2^-54, |f_2| < 2^-43, and the other terms are below 2^-41.
    """
    m, row = significand(x)
    p, p_lo = two_product(m, take(WORDS, row))
    first = (p - mark("taken", (p + TWO_TURNS) - TWO_TURNS)) + p_lo
    q, q_lo = mark("second second_lo", *two_product(m * 2.0**-52, take(WORDS, row + 52)))
    whole, n = nearest(first + q)
    f, f_1 = two_sum(mark("first", first - mark("whole_steps", whole)), q)
    return (f, f_1, q_lo), m * 2.0**-104, row + 104, mark("n", n)


def steps_of(x: Real) -> tuple[Real, Real, Integer]:
    """(f, f_lo, n) with x 1024/pi = f + f_lo + n (mod 2048), |f| < 0.51, for any x from TINY on.

    Four words are used: the words after them contribute less than 2^-145. Sums of errors of f are rounded to 2^-104 of
    it, or to 2^-141 where |f| < 2^-38; the rest to 2^-145.
    """
    (f, f_1, f_2), m, row, n = by_two_words(x)
    p, p_lo = mark("third third_lo", *two_product(m, take(WORDS, row)))
    f, f_3 = two_sum(f, p)
    f, f_4 = two_sum(f, f_2)
    last = mark("fourth", (m * 2.0**-52) * take(WORDS, row + 52))
    return *fast_two_sum(f, ((f_1 + f_3) + f_4) + (p_lo + last)), n


def angle_from_zero(x: Real, hi: Real) -> Pair:
    """(r, r_lo), how far ``x`` lies from a multiple of pi/1024, with the sign of ``hi``; relative error below 2^-75.

    No double from TINY on lies closer than 2^-61 to a multiple of pi/2.
    """
    f, f_lo, _ = steps_of(x)
    r, r_lo = mark("r r_lo", *angle(f, f_lo))
    sign = mark("sign", (bits(r) ^ bits(hi)) & SIGN)
    return from_bits(bits(r) ^ sign), from_bits(bits(r_lo) ^ sign)


def significand(x: Real) -> tuple[Real, Integer]:
    """(m, row): ``x`` as an integer below 2^53 times a power of two, and the row of WORDS that belongs to the power."""
    encoding = mark("encoding", bits(x))
    m = mark("m", from_bits(mark("code", (encoding & (SIGN | FRACTION)) | (INTEGER_EXPONENT << 52))))
    return m, mark("row", ((encoding >> 52) & 0x7FF) - (INTEGER_EXPONENT + FIRST_WORD))


def halves(a: Real) -> Pair:
    """(first, second) with a = first + second (exact): the first 26 bits, and at most 27."""
    first = short(a)
    return first, a - first


def angle(f: Real, f_lo: Real | float) -> Pair:
    """(r, r_lo) with r + r_lo = (f + f_lo) pi/1024: relative error below 2^-75, of roundings of terms below 2^-24."""
    first, second = halves(f)
    return fast_two_sum(first * STEP_SHORT, first * STEP_REST + (second + f_lo) * STEP)


def steps_of_turns(x: Real) -> tuple[Real, Integer]:
    """(f, n) with 1024 x = n + f, |f| <= 1/2 (exact), |x| < 2^41."""
    steps = x * STEPS_PER_UNIT
    whole, n = nearest(steps)
    return steps - whole, n


def within_turn(x: Real) -> Real:
    """``x`` minus an even integer, -1 to 1 (exact); an integer from 2^52 on that is odd like x, and zero for NaN."""
    size = abs(x)
    kept = select(size < 2.0**52, x, select(size < 2.0**53, size - 2.0**52, 0.0))
    half, _ = nearest(0.5 * kept)
    half = mark("half", half)
    return kept - (half + half)


def any_steps_of_turns(x: Real) -> tuple[Real, Integer]:
    """(f, n) with 1024 x = n + f (mod 2048) for any ``x``; zeros where it is tiny."""
    return steps_of_turns(within_turn(select(mark("linear", abs(x) < TINY_TURNS), 0.0, x)))
