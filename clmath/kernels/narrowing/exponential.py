"""exp, exp2, exp10 and expm1: the steps of the accurate kernels, powers of two and the series of e^r as pairs."""

from __future__ import annotations

from clmath.ir.lanes import *
from clmath.kernels import pairs, table
from clmath.kernels.accurate.exponential import (
    EXP2_HI,
    EXP2_LO,
    LOG10_STEP,
    STEPS_PER_TEN,
    TOP,
    TOP_2,
    TOP_10,
    in_steps,
    reduced,
    tamed,
)
from clmath.kernels.accurate.pairs import pair_polynomial, plus_pair, times_pair
from clmath.kernels.narrowing.enclosures import narrower
from clmath.kernels.records import narrows

EXP2_REST = table("narrowing/exponential", "exp2_rest")
(LN2,), (LN10,) = pairs("narrowing/exponential", "ln2"), pairs("narrowing/exponential", "ln10")
SERIES = pairs("narrowing/exponential", "series")
TAIL = [hi for hi, _ in SERIES[4:]]

GROWTH_BOUND = 2.0**-103.5  # of e^r - 1, |r| < 0.00136: half of its share in bounds; nearly all is the last sum's error
STEP_BOUND = 2.0**-104.5  # of T e^r - unit, T = 2^(j/256), in addition to GROWTH_BOUND; absolute, in units of T
BOUND = 2.0**-104.6  # of T e^r, r perhaps a product of pairs: the sum of pairs, all else is a thousandth of that


def growth(r: Real, r_lo: Real) -> Pair:
    """(hi, lo) = e^(r + r_lo) - 1, |r| < 0.00136: relative error below GROWTH_BOUND."""
    hi, lo = pair_polynomial(r, r_lo, SERIES[:4], polynomial(r, TAIL))
    hi, lo = times_pair(r, r_lo, hi, lo)
    hi, lo = times_pair(r, r_lo, hi, lo)
    return mark("rise rise_lo", *plus_pair(r, r_lo, hi, lo))


def power_of_two(j: Integer) -> Pair:
    """(hi, lo) = 2^(j/256) for j = 0 .. 255, relative error below 2^-106."""
    hi, lo = fast_two_sum(take(EXP2_HI, j), take(EXP2_LO, j))
    return fast_two_sum(hi, lo + take(EXP2_REST, j))


def scaled_exp(r: Real, r_lo: Real, j: Integer) -> Pair:
    """(hi, lo) = 2^(j/256) e^(r + r_lo): relative error below BOUND, r as a product of pairs included."""
    rise, rise_lo = growth(r, r_lo)
    power, power_lo = power_of_two(j)
    rise, rise_lo = times_pair(power, power_lo, rise, rise_lo)
    return plus_pair(power, power_lo, rise, rise_lo)


def change_of_power(r: Real, r_lo: Real, j: Integer, unit: Real) -> tuple[Real, Real, Real]:
    """(hi, lo, err) of T e^(r + r_lo) - unit, T = 2^(j/256): twice GROWTH_BOUND, and STEP_BOUND of T.

    That is left out where T = unit. T - unit is at least twice T (e^r - 1), or zero: sums are at least half of their
    terms.
    """
    rise, rise_lo = growth(r, r_lo)
    power, power_lo = power_of_two(j)
    rise, rise_lo = times_pair(power, power_lo, rise, rise_lo)
    start, start_lo = plus_pair(power, power_lo, -unit, 0.0)
    hi, lo = plus_pair(start, start_lo, rise, rise_lo)
    return hi, lo, abs(hi) * (2.0 * GROWTH_BOUND) + select(start == 0.0, 0.0, power * STEP_BOUND)


def narrowed_power(hi: Real, lo: Real, err: Real, exponent: Integer, found: tuple[Real, Real, Integer]) -> Parts:
    """The parts, narrowed to 2^(n/256) e^(r + r_lo) for ``found``, (r, r_lo, n)."""
    r, r_lo, n = found
    r, r_lo = fast_two_sum(r, r_lo)
    new_hi, new_lo = scaled_exp(r, r_lo, mark("j", n & 255))
    return narrower(hi, lo, err, exponent, (new_hi, new_lo, new_hi * BOUND, mark("k", n >> 8)))


@narrows("exp")
def exp(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """e^x."""
    r, r_lo, n = reduced(tamed(x, TOP))
    return narrowed_power(hi, lo, err, exponent, (*mark("r r_lo", r, r_lo), n))


@narrows("exp2")
def exp2(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """2^x."""
    tame = tamed(x, TOP_2)
    whole, n = mark("whole n", *nearest(tame * 256.0))
    r, r_lo = times_pair(*LN2, mark("r", tame - whole * 0.00390625), 0.0)
    return narrowed_power(hi, lo, err, exponent, (r, r_lo, n))


@narrows("exp10")
def exp10(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """10^x."""
    rest, rest_lo, n = in_steps(tamed(x, TOP_10), STEPS_PER_TEN, LOG10_STEP)
    rest, rest_lo = fast_two_sum(*mark("r r_lo", rest, rest_lo))
    r, r_lo = times_pair(rest, rest_lo, *LN10)
    return narrowed_power(hi, lo, err, exponent, (r, r_lo, n))


def less_one(x: Real) -> tuple[Real, Real, Real, Integer, Real]:
    """(hi, lo, err, k, unit) with e^x - 1 = (hi + lo ± err) 2^k and unit = 2^-k (or 2^-1000), -64 <= x <= 800."""
    r, r_lo, n = reduced(x)
    r, r_lo = fast_two_sum(*mark("r r_lo", r, r_lo))
    return less_one_from(r, r_lo, n)


def less_one_of_pair(x: Real, x_lo: Real) -> tuple[Real, Real, Real, Integer, Real]:
    """``less_one`` of x + x_lo, where |x_lo| is at most ulp(x)/2: the last place of a pair, 2^-106 of it, is added."""
    r, r_lo, n = reduced(x)
    r, r_lo = mark("r r_lo", *plus_pair(x_lo, 0.0, r, r_lo))
    return less_one_from(r, r_lo, n)


def less_one_from(r: Real, r_lo: Real, n: Integer) -> tuple[Real, Real, Real, Integer, Real]:
    """``less_one`` of n ln(2)/256 + r + r_lo."""
    k = mark("k", n >> 8)
    unit = mark("unit", two_to(-lesser(k, 1000)))
    hi, lo, err = change_of_power(r, r_lo, mark("j", n & 255), unit)
    return hi, lo, err, k, unit


@narrows("expm1")
def expm1(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """e^x - 1."""
    new_hi, new_lo, new_err, k, _ = less_one(mark("tame", clamp(x, -64.0, TOP)))
    return narrower(hi, lo, err, exponent, (new_hi, new_lo, new_err, k))
