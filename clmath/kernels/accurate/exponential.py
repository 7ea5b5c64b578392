"""exp, exp2, exp10 and expm1: 2^k x 2^(j/256) x e^r, the power of two from a table of pairs whose heads are short.

Narrower enclosures take the same steps, with the power of two and the series of e^r in pairs.
"""

from __future__ import annotations

from collections.abc import Sequence

from clmath.ir.primitives import *
from clmath.kernels import coefficients, pairs, table
from clmath.kernels.accurate.narrower import narrower
from clmath.kernels.accurate.near_zero import near_zero
from clmath.kernels.accurate.pairs import pair_polynomial, plus_pair, times_pair
from clmath.kernels.records import kernel, narrows, refines

EXP2_HI, EXP2_LO = table("accurate/exponential", "exp2_hi"), table("accurate/exponential", "exp2_lo")
LN2_STEP = tuple(map(float, table("accurate/exponential", "ln2_step")))
LOG10_STEP = tuple(map(float, table("accurate/exponential", "log10_step")))
STEPS_PER_E, STEPS_PER_TEN = map(float, table("accurate/exponential", "steps"))
LN2 = tuple(map(float, table("accurate/exponential", "ln2")))
LN10 = tuple(map(float, table("accurate/exponential", "ln10")))
TENS, TENS_LO = table("accurate/exponential", "tens"), table("accurate/exponential", "tens_lo")
EXP_TAIL = coefficients("accurate/exponential", "exp_tail")
EXPM1_TAIL = coefficients("accurate/exponential", "expm1_tail")
SHORTENER = 2.0**32 + 1.0
EXP2_REST = table("narrowing/exponential", "exp2_rest")
(LN2_PAIR,), (LN10_PAIR,) = pairs("narrowing/exponential", "ln2"), pairs("narrowing/exponential", "ln10")
EXP_SERIES = pairs("narrowing/exponential", "series")
EXP_SERIES_TAIL = [hi for hi, _ in EXP_SERIES[4:]]

LEAST, GROWTH = 2.0**-77, 1.27 * 2.0**-51
# relative to T, from the certificates: roundings of e^r - 1 grow with r^2, and with the sums after the head
TOP, TOP_2, TOP_10 = 800.0, 1200.0, 400.0  # the powers of these lie beyond 2^+-1150
TINY = 2.0**-62  # below this e^x, 2^x and 10^x round like 1 + 2^-80 or 1 - 2^-80

EXPM1_BOUND, EXPM1_WIDEST = 2.0**-70, 2.0**-79.3
# relative to the value and to T, from the certificate: most of the error comes from T (e^r - 1) where n is not 0
EXPM1_TINY = 2.0**-60  # below this e^x - 1 rounds like x (1 + 2^-80) or x (1 - 2^-80)
SATURATED = -42.0  # below this e^x < 2^-60: e^x - 1 rounds like -1 + 2^-80

GROWTH_BOUND = 2.0**-103.5  # of e^r - 1, |r| < 0.00136: half of its share in bounds; nearly all is the last sum's error
STEP_BOUND = 2.0**-104.5  # of T e^r - unit, T = 2^(j/256), in addition to GROWTH_BOUND; absolute, in units of T
NARROW_BOUND = 2.0**-104.6
# of T e^r, r perhaps a product of pairs: the sum of pairs, all else is a thousandth of that


def in_steps(x: Real, steps: float, step: Sequence[float]) -> tuple[Real, Real, Integer]:
    """(r, r_lo, n) with x = n step + r + r_lo, |r| below 0.501 steps, n below 2^19 in size.

    step = ``step``, 34 bits, 34 bits and the rest; ``steps`` = 1/step. The error is below 2^-105.
    """
    whole, n = mark("whole n", *nearest(x * steps))
    head, middle = x - whole * step[0], whole * step[1]
    r = head - middle  # all exact but this one
    return r, ((head - r) - middle) - whole * step[2], n


def reduced(x: Real) -> tuple[Real, Real, Integer]:
    """(r, r_lo, n) with x = n ln(2)/256 + r + r_lo, |r| < 0.00136, |x| <= 800."""
    return in_steps(x, STEPS_PER_E, LN2_STEP)


def times_constant(r: Real, r_lo: Real | float, constant: Sequence[float]) -> Pair:
    """(r + r_lo) times ``constant``, 27 bits and the rest, as a pair; |r_lo| < 2^-26 |r|, relative error 2^-75."""
    first, second = split(r)
    return fast_two_sum(first * constant[0], first * constant[1] + (second + r_lo) * (constant[0] + constant[1]))


def short(x: Real) -> Real:
    """``x`` rounded to 21 bits."""
    t = SHORTENER * x
    return t - (t - x)


def scaled_exp(r: Real, r_lo: Real, j: Integer) -> Pair:
    """(hi, lo) with hi + lo = 2^(j/256) e^(r + r_lo), |r| < 0.00136: relative error below 2^-69.

    T e^r = T_hi + T_hi r_1 + (T_hi (r_2 + r_lo + r r_lo + r^2 P) + T_lo e^r): T_hi has 32 bits, r_1 21: their product
    is exact.
    """
    first = short(r)
    high, low = take(EXP2_HI, j), take(EXP2_LO, j)
    rest = (r - first) + (r_lo + r * (r_lo + r * polynomial(r, EXP_TAIL)))
    head, tail = fast_two_sum(high, high * first)
    return fast_two_sum(head, tail + (high * rest + (low + low * (first + rest))))


def growth_in_pairs(r: Real, r_lo: Real) -> Pair:
    """(hi, lo) = e^(r + r_lo) - 1, |r| < 0.00136: relative error below GROWTH_BOUND."""
    hi, lo = pair_polynomial(r, r_lo, EXP_SERIES[:4], polynomial(r, EXP_SERIES_TAIL))
    hi, lo = times_pair(r, r_lo, hi, lo)
    hi, lo = times_pair(r, r_lo, hi, lo)
    return mark("rise rise_lo", *plus_pair(r, r_lo, hi, lo))


def power_of_two(j: Integer) -> Pair:
    """(hi, lo) = 2^(j/256) for j = 0 .. 255, relative error below 2^-106."""
    hi, lo = fast_two_sum(take(EXP2_HI, j), take(EXP2_LO, j))
    return fast_two_sum(hi, lo + take(EXP2_REST, j))


def scaled_exp_in_pairs(r: Real, r_lo: Real, j: Integer) -> Pair:
    """(hi, lo) = 2^(j/256) e^(r + r_lo): relative error below NARROW_BOUND, r as a product of pairs included."""
    rise, rise_lo = growth_in_pairs(r, r_lo)
    power, power_lo = power_of_two(j)
    rise, rise_lo = times_pair(power, power_lo, rise, rise_lo)
    return plus_pair(power, power_lo, rise, rise_lo)


def change_of_power(r: Real, r_lo: Real, j: Integer, unit: Real) -> tuple[Real, Real, Real]:
    """(hi, lo, err) of T e^(r + r_lo) - unit, T = 2^(j/256): twice GROWTH_BOUND, and STEP_BOUND of T.

    That is left out where T = unit. T - unit is at least twice T (e^r - 1), or zero: sums are at least half of their
    terms.
    """
    rise, rise_lo = growth_in_pairs(r, r_lo)
    power, power_lo = power_of_two(j)
    rise, rise_lo = times_pair(power, power_lo, rise, rise_lo)
    start, start_lo = plus_pair(power, power_lo, -unit, 0.0)
    hi, lo = plus_pair(start, start_lo, rise, rise_lo)
    return hi, lo, abs(hi) * (2.0 * GROWTH_BOUND) + select(start == 0.0, 0.0, power * STEP_BOUND)


def finished(x: Real, r: Real, r_lo: Real, n: Integer) -> Enclosed:
    """2^(n/256) e^(r + r_lo), which is a power with the exponent ``x``, special results laid over."""
    hi, lo = scaled_exp(r, r_lo, n & 255)
    tiny, infinite = mark("tiny infinite", abs(x) < TINY, abs(x) == INFINITY)
    hi = select(infinite, select(x > 0.0, INFINITY, 0.0), hi)
    beside = select(x > 0.0, 2.0**-80, select(x < 0.0, -(2.0**-80), 0.0))
    lo = select(tiny, beside, select(infinite, 0.0, lo))
    return hi, lo, select(tiny | infinite, 0.0, hi * (LEAST + GROWTH * (r * r))), n >> 8


def tamed(x: Real, top: float) -> Real:
    """``x`` within -+top; 0 where it is tiny, so that no power of it underflows."""
    return mark("tame", select(mark("tiny", abs(x) < TINY), 0.0, clamp(x, -top, top)))


def narrowed_power(hi: Real, lo: Real, err: Real, exponent: Integer, found: tuple[Real, Real, Integer]) -> Parts:
    """The parts, narrowed to 2^(n/256) e^(r + r_lo) for ``found``, (r, r_lo, n)."""
    r, r_lo, n = found
    r, r_lo = fast_two_sum(r, r_lo)
    new_hi, new_lo = scaled_exp_in_pairs(r, r_lo, mark("j", n & 255))
    return narrower(hi, lo, err, exponent, (new_hi, new_lo, new_hi * NARROW_BOUND, mark("k", n >> 8)))


@kernel()
def exp(x: Real) -> Enclosed:
    """e^x."""
    r, r_lo, n = reduced(tamed(x, TOP))
    r, r_lo = mark("r r_lo", r, r_lo)
    return finished(x, r, r_lo, n)


@narrows("exp")
def narrow_exp(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """e^x."""
    r, r_lo, n = reduced(tamed(x, TOP))
    return narrowed_power(hi, lo, err, exponent, (*mark("r r_lo", r, r_lo), n))


@kernel()
def exp2(x: Real) -> Enclosed:
    """2^x; exact at integers, where hi = 1, and nowhere else."""
    tame = tamed(x, TOP_2)
    whole, n = mark("whole n", *nearest(tame * 256.0))
    rest = tame - whole * 0.00390625  # exact
    r, r_lo = mark("r r_lo", *times_constant(rest, 0.0, LN2))
    hi, lo, err, exponent = finished(x, r, r_lo, n)
    whole = mark("exact", rest == 0.0) & ((n & 255) == 0)
    return hi, lo, select(whole, 0.0, err), exponent


@narrows("exp2")
def narrow_exp2(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """2^x."""
    tame = tamed(x, TOP_2)
    whole, n = mark("whole n", *nearest(tame * 256.0))
    r, r_lo = times_pair(*LN2_PAIR, mark("r", tame - whole * 0.00390625), 0.0)
    return narrowed_power(hi, lo, err, exponent, (r, r_lo, n))


@kernel()
def exp10(x: Real) -> Enclosed:
    """10^x."""
    rest, rest_lo, n = in_steps(tamed(x, TOP_10), STEPS_PER_TEN, LOG10_STEP)
    r, r_lo = mark("r r_lo", *times_constant(rest, rest_lo, LN10))
    return finished(x, r, r_lo, n)


@refines("exp10")
def refined_exp10(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer | int) -> Enclosed:
    """10^x exact at 0 .. 22; at 23 it is a midpoint, for 5^23 has 54 bits."""
    whole, j = nearest(clamp(x, 0.0, 23.0))
    whole, exact = mark("whole exact", whole, whole == x)
    hi, lo = select(exact, take(TENS, j), hi), select(exact, take(TENS_LO, j), lo)
    return hi, lo, select(exact, 0.0, err), select(exact, 0, exponent)


@narrows("exp10")
def narrow_exp10(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """10^x."""
    rest, rest_lo, n = in_steps(tamed(x, TOP_10), STEPS_PER_TEN, LOG10_STEP)
    rest, rest_lo = fast_two_sum(*mark("r r_lo", rest, rest_lo))
    r, r_lo = times_pair(rest, rest_lo, *LN10_PAIR)
    return narrowed_power(hi, lo, err, exponent, (r, r_lo, n))


def growth(r: Real, r_lo: Real) -> Pair:
    """(first, rest): e^(r + r_lo) - 1 for |r| < 0.00136 as 21 bits and the rest, which is below 2^-20 of it.

    r + r^2/2 + r^3 Q(r): r^2/2 = a^2/2 + b (a + r)/2 where r = a + b, and a^2 is exact. r^3 Q is below 2^-21.6 |r|:
    five roundings and as much for the polynomial, 2^-72; the sums of the rest 2^-73: relative error below 2^-71.4.
    """
    a, b = split(r)
    half = 0.5 * a * a
    tail = r * r * r * polynomial(r, EXPM1_TAIL) + (b * (0.5 * (a + r)) + (r_lo + r * r_lo))
    first = short(r + (half + tail))
    return first, ((r - first) + half) + tail


def terms(r: Real, r_lo: Real, j: Integer) -> tuple[Real, Real, Real]:
    """(T_hi, product, rest): their sum is T e^(r + r_lo) with T = 2^(j/256) = T_hi + T_lo, relative error below 2^-80.

    T e^r = T_hi + T_hi s_1 + (T_hi s_2 + T_lo e^r) with s_1 + s_2 = e^r - 1; T_hi s_1 is exact, the rest below 2^-29.
    """
    first, rest = growth(r, r_lo)
    high, low = take(EXP2_HI, j), take(EXP2_LO, j)
    return high, high * first, high * rest + (low + low * (first + rest))


def fine_exp(r: Real, r_lo: Real, j: Integer) -> Pair:
    """``scaled_exp`` with a relative error below 2^-79.5."""
    high, product, rest = terms(r, r_lo, j)
    head, tail = fast_two_sum(high, product)
    return fast_two_sum(head, tail + rest)


def less_one(x: Real) -> tuple[Real, Real, Real, Integer, Real]:
    """(hi, lo, err, k, unit) with e^x - 1 = (hi + lo ± err) 2^k and unit = 2^-k (or 2^-100)."""
    r, r_lo, n = reduced(x)
    r, r_lo = mark("r r_lo", r, r_lo)
    k, j = mark("k j", n >> 8, n & 255)
    unit = mark("unit", two_to(-lesser(k, 100)))
    high, product, rest = terms(r, r_lo, j)
    start, start_lo = two_sum(high, -unit)
    head, tail = fast_two_sum(start, product)  # the product is below start, or start is 0
    hi, lo = fast_two_sum(head, tail + (start_lo + rest))
    size = abs(hi)
    return hi, lo, lesser(size * EXPM1_BOUND, high * EXPM1_WIDEST + size * 2.0**-100), k, unit


def less_one_in_pairs(x: Real) -> tuple[Real, Real, Real, Integer, Real]:
    """(hi, lo, err, k, unit) with e^x - 1 = (hi + lo ± err) 2^k and unit = 2^-k (or 2^-1000), -64 <= x <= 800."""
    r, r_lo, n = reduced(x)
    r, r_lo = fast_two_sum(*mark("r r_lo", r, r_lo))
    return less_one_from(r, r_lo, n)


def less_one_of_pair(x: Real, x_lo: Real) -> tuple[Real, Real, Real, Integer, Real]:
    """``less_one_in_pairs`` of x + x_lo, |x_lo| at most ulp(x)/2: the last place of a pair, 2^-106 of it, is added."""
    r, r_lo, n = reduced(x)
    r, r_lo = mark("r r_lo", *plus_pair(x_lo, 0.0, r, r_lo))
    return less_one_from(r, r_lo, n)


def less_one_from(r: Real, r_lo: Real, n: Integer) -> tuple[Real, Real, Real, Integer, Real]:
    """``less_one_in_pairs`` of n ln(2)/256 + r + r_lo."""
    k = mark("k", n >> 8)
    unit = mark("unit", two_to(-lesser(k, 1000)))
    hi, lo, err = change_of_power(r, r_lo, mark("j", n & 255), unit)
    return hi, lo, err, k, unit


@kernel()
def expm1(x: Real) -> Enclosed:
    """e^x - 1."""
    tiny, saturated, infinite = abs(x) < EXPM1_TINY, x < SATURATED, abs(x) == INFINITY
    tiny, saturated, infinite = mark("tiny saturated infinite", tiny, saturated, infinite)
    hi, lo, err, k, _ = less_one(mark("tame", select(tiny, 0.0, clamp(x, -64.0, TOP))))
    near, near_lo, exponent = near_zero(x, select(x > 0.0, 2.0**-80, -(2.0**-80)))
    hi = select(tiny, near, select(saturated, -1.0, select(infinite, INFINITY, hi)))
    lo = select(tiny, near_lo, select(saturated, 2.0**-80, lo))
    decided = tiny | saturated | infinite
    exponent = select(tiny, exponent, select(saturated, 0, k))
    return hi, select(infinite, 0.0, lo), select(decided, 0.0, err), exponent


@narrows("expm1")
def narrow_expm1(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """e^x - 1."""
    new_hi, new_lo, new_err, k, _ = less_one_in_pairs(mark("tame", clamp(x, -64.0, TOP)))
    return narrower(hi, lo, err, exponent, (new_hi, new_lo, new_err, k))
