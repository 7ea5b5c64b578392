"""log, log2 and log10 from log2 x, by one Newton step from the power functions' log2; log1p by a Newton step of its
own.

The latter starts from the accurate kernel's logarithm l of 1 + q, for positive q alone: relative errors of q and of e^l
- 1 do not grow, for both are divided by 1 + q.
"""

from __future__ import annotations

from clmath.ir.lanes import *
from clmath.kernels import pairs
from clmath.kernels.accurate.boundaries import magnitude, normalised
from clmath.kernels.accurate.exponential import TOP
from clmath.kernels.accurate.pairs import over_pair, plus, plus_pair, times_pair
from clmath.kernels.narrowing.enclosures import narrower, with_sign_of
from clmath.kernels.narrowing.exponential import LN2, less_one_of_pair
from clmath.kernels.narrowing.power import log2_of_any
from clmath.kernels.records import narrows

(LOG10_2,) = pairs("narrowing/logarithm", "log10_of_2")
Q_BOUND = 2.0**-98.5
# of sums, roots and quotients of pairs, from the certificates
ROUNDING = 2.0**-102.5
# of l, from the certificates


@narrows("log2")
def log2(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Logarithm to the base 2."""
    return narrower(hi, lo, err, exponent, (*log2_of_any(normalised(magnitude(x))), 0))


def times_log2(x: Real, given: Parts, factor: tuple[float, float], share: float) -> Parts:
    """The parts ``given``, narrowed to log2(x) times ``factor``: ``share`` times its bound covers the product's error,
    too.
    """
    hi, lo, err, exponent = given
    log, log_lo, log_err = log2_of_any(normalised(magnitude(x)))
    new_hi, new_lo = times_pair(log, log_lo, *factor)
    return narrower(hi, lo, err, exponent, (new_hi, new_lo, log_err * share, 0))


@narrows("log")
def log(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Natural logarithm."""
    return times_log2(x, (hi, lo, err, exponent), LN2, 1.0)


@narrows("log10")
def log10(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Logarithm to the base 10."""
    return times_log2(x, (hi, lo, err, exponent), LOG10_2, 0.5)


def stepped(l: Real, l_lo: Real, l_err: Real, q: Pair, twice: Integer | int) -> tuple[Real, Real, Real]:
    """(hi, lo, err) of log(1 + 2^twice q), for a pair q of Q_BOUND, ``twice`` 0 or 1, given l + l_lo ± l_err.

    It is l + s + s^2/2 + ... with s = (q - (e^l - 1))/(1 + q), all scaled by 2^-k; 1 + q is below 2^1026.
    """
    l, l_lo = mark("l l_lo", l, l_lo)
    q_hi, q_lo = mark("q q_lo", *q)
    m, m_lo, m_err, k, unit = less_one_of_pair(clamp(l, 0.0, TOP), l_lo)
    first = k >> 1
    down, further = two_to(-first), two_to(first - k + twice)
    top, top_lo = mark("top top_lo", q_hi * down * further, q_lo * down * further)
    missed, _ = plus_pair(top, top_lo, -m, -m_lo)
    slope = 1.0 / (top + unit)
    hi, lo = plus(l, l_lo, mark("step", missed * slope))
    change = mark("change", (m_err + top * Q_BOUND) * (slope * 1.125))
    return hi, lo, change + (hi * ROUNDING + mark("square", l_err * l_err))


def odd(x: Real, parts: Parts, q: Pair, twice: Integer | int) -> Parts:
    """``parts`` narrowed to sign(x) log(1 + 2^twice q)."""
    hi, lo, err, exponent = parts
    size, size_lo = with_sign_of(x, hi, lo)
    size, size_lo, new_err = stepped(size, size_lo, err, q, twice)
    return narrower(hi, lo, err, exponent, (*with_sign_of(x, size, size_lo), new_err, 0))


@narrows("log1p")
def log1p(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """log(1 + x); below zero -log(1 + q) with q = -x/(1 + x)."""
    under, under_lo = over_pair(-x, 0.0, *two_sum(1.0, x))
    negative = x < 0.0
    q = select(negative, under, x), select(negative, under_lo, 0.0)
    return odd(x, (hi, lo, err, exponent), q, 0)
