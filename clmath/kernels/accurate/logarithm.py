"""log, log2, log10 and log1p: log x = k log 2 - log c + log(1 + r) with r = m c - 1 small and exact.

Narrower enclosures of log, log2 and log10 come from the log2 x of power functions. log1p is narrowed by a Newton step:
it starts from the logarithm l of 1 + q, for positive q alone. Relative errors of q and of e^l - 1 do not grow, for both
are divided by 1 + q.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clmath.ir.primitives import *
from clmath.kernels import coefficients, pairs, table
from clmath.kernels.accurate.boundaries import in_54_bits, magnitude, normalised, refined
from clmath.kernels.accurate.exponential import LN2_PAIR, TOP, less_one_of_pair
from clmath.kernels.accurate.narrower import narrower, with_sign_of
from clmath.kernels.accurate.pairs import over_pair, plus, plus_pair, short, times_pair
from clmath.kernels.accurate.power import log2_of_any
from clmath.kernels.records import kernel, narrows, refines

(LOWEST,) = table("accurate/logarithm", "lowest").view(np.int64).tolist()
RECIPROCAL = table("accurate/logarithm", "reciprocal")
LOG_HI, LOG_LO = table("accurate/logarithm", "log_hi"), table("accurate/logarithm", "log_lo")
LN2_HI, LN2_LO = map(float, table("accurate/logarithm", "log_of_2"))
LOG2_E = tuple(map(float, table("accurate/logarithm", "log2_of_e")))
LOG10_E = tuple(map(float, table("accurate/logarithm", "log10_of_e")))
LOG1P_TAIL = coefficients("accurate/logarithm", "log1p_tail")
(LOG10_2,) = pairs("narrowing/logarithm", "log10_of_2")
POWERS_OF_TEN = np.array([10.0**n for n in range(23)])
SUBNORMAL = 1 << 52  # encodings below this are integers of 2^-1074
GRID = 1.5 * 2.0**30  # m + GRID - GRID is m to a multiple of 2^-22

BOUND, WIDEST = 2.0**-68, 2.0**-78
# from the certificates: S and u are exact; BOUND is needed next to 1, and WIDEST of the sum of all other terms
CLOSE, CLOSE_BOUND = 2.0**-11, 2.0**-73  # log(1 + x) closer to 0 than that: r^3/3 2^-50 < 2^-73.5 r
SCALED_WIDEST, PRODUCT = 2.0**-77, 2.0**-76
# log e times WIDEST; and the product, from the certificates
SMALL = 2.0**-60  # below this log(1 + x) rounds like x - x^2/2
NEXT_TO_ONE = 2.0**-27  # below this log(1 + t) is often next to t - t^2/2, and that is a double or a midpoint
TINY = 2.0**-100  # below this like x - |x| 2^-80, which is scaled

Q_BOUND = 2.0**-98.5  # of sums, roots and quotients of pairs, from the certificates
ROUNDING = 2.0**-102.5  # of l, from the certificates


def reduced(x: Real) -> tuple[Integer, Integer, Real]:
    """(k, j, m): positive finite x is 2^k m, and m lies at place j of 0.7018 to 1.4036, as for any other x."""
    encoding = mark("encoding", bits(x))
    subnormal = mark("subnormal", encoding < SUBNORMAL)
    return placed(select(subnormal, mark("scaled", bits(real(encoding))) - (1074 << 52), encoding))


def placed(encoding: Integer) -> tuple[Integer, Integer, Real]:
    """``reduced`` by the encoding of a normal number."""
    steps = encoding - LOWEST
    k, j = mark("k j", steps >> 52, (steps >> 44) & 255)
    return k, j, mark("m", from_bits(mark("code", (steps & FRACTION) + LOWEST)))


def log1p_rest(first: Real, second: Real) -> Real:
    """log(1 + first + second) - (first + second - first^2/2) for |first| < 2^-8.96 and |second| < 2^-22.4."""
    r = first + second
    return r * r * r * polynomial(r, LOG1P_TAIL) - second * (first + 0.5 * second)


def divided(j: Integer, m: Real) -> tuple[Real, Real, Real]:
    """(c, r_1, r_2) with m c - 1 = r_1 + r_2 exactly, c the reciprocal number j and r_1 of 27 bits."""
    c, short = take(RECIPROCAL, j), (m + GRID) - GRID
    return c, short * c - 1.0, (m - short) * c


def joined(k: Real, j: Integer, first: Real, u: Real, rest: Real) -> Pair:
    """(hi, lo), not normalised: k log 2 - log c + r_1 + u + rest; the sum is exact except for the rest."""
    head, tail = k * LN2_HI + take(LOG_HI, j), k * LN2_LO + take(LOG_LO, j)
    hi, lo = fast_two_sum(head + first, u)
    return hi, lo + (rest + tail)


def log_pair(x: Real) -> Pair:
    """(hi, lo) with hi + lo = log x for positive finite x: the error is below 2^-68 |log x| and below 2^-78.

    For other x it is some finite numbers.
    """
    return log_at(*reduced(x))


def log_at(k: Integer, j: Integer, m: Real) -> Pair:
    """``log_pair`` of 2^k m: u = r_2 - r_1^2/2 is exact."""
    _, first, second = divided(j, m)
    rest = log1p_rest(first, second)
    return fast_two_sum(*joined(real(k), j, first, second - 0.5 * first * first, rest))


def log_at_pair(k: Integer, j: Integer, m: Real, m_lo: Real) -> Pair:
    """(hi, lo), not normalised, with hi + lo = log(2^k (m + m_lo)), |m_lo| <= 2^-51: the error is below 2^-78."""
    c, first, second = divided(j, m)
    third = m_lo * c
    rest = log1p_rest(first, second + third)
    return joined(real(k), j, first, second - 0.5 * first * first, third + rest)


def log1p_pair(t: Real, t_lo: Real | float) -> Pair:
    """(hi, lo) with hi + lo = log(1 + t + t_lo), t > -1: the error is below 2^-68 |hi| and below 2^-78.

    2^-150 < |t| < 2^1023.4; |t_lo| <= ulp(t)/2, and t_lo = 0 where t < -1/2. As ``log_pair`` of the sum of 1 and t,
    which is a pair; where that lies at the place of 1, c = 1 and r_1 + r_2 + r_3 = t exactly.
    """
    total, left = mark("total left", *two_sum(1.0, t))
    k, j, m = placed(mark("encoding", bits(total)))
    c, first, second = divided(j, m)
    scale = 0.5 * c * from_bits((1024 - k) << 52)
    second, third = fast_two_sum(second, left * scale)
    third = third + t_lo * scale
    rest = log1p_rest(first, second + third)
    u, u_lo = two_sum(second, -0.5 * first * first)
    return mark("log log_lo", *fast_two_sum(*joined(real(k), j, first, u, (u_lo + third) + rest)))


def bounded(x: Real, pole: float, inexact: Truth, parts: tuple[Real, Real, Real]) -> Enclosed:
    """The parts (hi, lo, err) of a logarithm with special values laid over, and lo = err = 0 where not ``inexact``."""
    hi, lo, err = parts
    is_pole, above = mark("pole above", x == pole, x > pole)
    hi = select(is_pole, -INFINITY, select(above, select(mark("finite", x < INFINITY), hi, INFINITY), NAN))
    return hi, select(inexact, lo, 0.0), select(inexact, err, 0.0), 0


def times_log2(x: Real, given: Parts, factor: tuple[float, float], share: float) -> Parts:
    """The parts ``given``, narrowed to log2(x) times ``factor``: ``share`` times its bound covers the product's error,
    too.
    """
    hi, lo, err, exponent = given
    log, log_lo, log_err = log2_of_any(normalised(magnitude(x)))
    new_hi, new_lo = times_pair(log, log_lo, *factor)
    return narrower(hi, lo, err, exponent, (new_hi, new_lo, log_err * share, 0))


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


def narrowed_log1p(x: Real, parts: Parts, q: Pair, twice: Integer | int) -> Parts:
    """``parts`` narrowed to sign(x) log(1 + 2^twice q)."""
    hi, lo, err, exponent = parts
    size, size_lo = with_sign_of(x, hi, lo)
    size, size_lo, new_err = stepped(size, size_lo, err, q, twice)
    return narrower(hi, lo, err, exponent, (*with_sign_of(x, size, size_lo), new_err, 0))


@kernel()
def log(x: Real) -> Enclosed:
    """Natural logarithm."""
    hi, lo = log_pair(x)
    return bounded(x, 0.0, (x > 0.0) & (x < INFINITY), (hi, lo, lesser(abs(hi) * BOUND, WIDEST)))


def side_of_log1p(t: Real, hi: Real, lo: Real) -> Real:
    """Which side of |hi + lo| in 54 bits |log(1 + t)| lies on, where t is small and the two are close; 0 elsewhere.

    They differ by t - hi - lo - t^2/2, which is exact then, plus t^3 (1/3 - t/4), and by less than t^5/4: the cubic
    term has four roundings of the size of t^3/3, and one of the size of t^2's rounding error.
    """
    t = mark("t", t)
    square, square_rest = mark("square square_rest", *two_product(t, t))
    cube = square * t
    left = mark("left", mark("apart", (t - hi) - in_54_bits(hi, lo)) - 0.5 * square)
    follows = mark("follows", cube * (1.0 / 3.0 - 0.25 * t) - 0.5 * square_rest)
    missed = mark("missed", left + follows)
    bound = mark("bound", abs(cube) * 2.0**-51 + square * 2.0**-104)
    told = mark("told", mark("next_to_one", abs(t) < NEXT_TO_ONE) & mark("more", abs(missed) > bound))
    outward = select(mark("positive", hi > 0.0), missed, mark("opposite", -missed))
    return select(told, mark("outward_side", outward), 0.0)


@refines("log1p")
def refined_log1p(t: Real, hi: Real, lo: Real, err: Real, exponent: Integer | int) -> Enclosed:
    """The parts of log(1 + t) with the sides of boundaries found that it lies on where t is small."""
    none = err < 0.0  # no result is exact
    return refined(none, side_of_log1p(t, hi, lo), hi, lo, err, exponent)


@refines("log")
def refined_log(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer | int) -> Enclosed:
    """``refined_log1p`` for log x: x - 1 is exact where it is small."""
    return refined_log1p(x - 1.0, hi, lo, err, exponent)


@narrows("log")
def narrow_log(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Natural logarithm."""
    return times_log2(x, (hi, lo, err, exponent), LN2_PAIR, 1.0)


def scaled(hi: Real, lo: Real, unit: Sequence[float]) -> tuple[Real, Real, Real]:
    """(hi, lo, err) of (hi + lo) (unit[0] + unit[1]) where hi + lo is ``log_pair``; unit[0] has 27 bits."""
    head = short(hi)
    hi, lo = fast_two_sum(head * unit[0], head * unit[1] + ((hi - head) + lo) * unit[2])
    size = abs(hi)
    return hi, lo, lesser(size * BOUND, SCALED_WIDEST) + size * PRODUCT


@kernel()
def log2(x: Real) -> Enclosed:
    """Base 2 logarithm; exact at powers of two and nowhere else: they are the numbers m 2^k with m = 1."""
    k, j, m = reduced(x)
    hi, lo = log_at(k, j, m)
    return bounded(x, 0.0, (x > 0.0) & (x < INFINITY) & (m != 1.0), scaled(hi, lo, LOG2_E))


@narrows("log2")
def narrow_log2(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Logarithm to the base 2."""
    return narrower(hi, lo, err, exponent, (*log2_of_any(normalised(magnitude(x))), 0))


@kernel()
def log10(x: Real) -> Enclosed:
    """Base 10 logarithm."""
    hi, lo = log_pair(x)
    return bounded(x, 0.0, (x > 0.0) & (x < INFINITY), scaled(hi, lo, LOG10_E))


@refines("log10")
def refined_log10(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer | int) -> Enclosed:
    """The parts of log10 x with the exact results found: at 1, 10 .. 10^22 and nowhere else."""
    whole, n = nearest(clamp(hi, 0.0, 22.0))
    whole = mark("whole", whole)
    exact = mark("exact", mark("power", take(POWERS_OF_TEN, n)) == x)
    return select(exact, whole, hi), select(exact, 0.0, lo), select(exact, 0.0, err), exponent


@narrows("log10")
def narrow_log10(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """Logarithm to the base 10."""
    return times_log2(x, (hi, lo, err, exponent), LOG10_2, 0.5)


@kernel()
def log1p(x: Real) -> Enclosed:
    """log(1 + x)."""
    size = abs(x)
    tiny = mark("tiny", size < TINY)
    inside = (x > -1.0) & (x < INFINITY)
    hi, lo = log1p_pair(select(inside & ~tiny, x, 1.0), 0.0)
    err = lesser(abs(hi) * select(mark("close", size < CLOSE), CLOSE_BOUND, BOUND), WIDEST)
    hi, lo, err, _ = bounded(x, -1.0, inside, (hi, lo, err))
    hi, lo = select(tiny, x * 2.0**590, hi), select(tiny, size * -(2.0**510), lo)
    return hi, lo, select(mark("small", size < SMALL), 0.0, err), select(tiny, -590, 0)


@narrows("log1p")
def narrow_log1p(x: Real, hi: Real, lo: Real, err: Real, exponent: Integer) -> Parts:
    """log(1 + x); below zero -log(1 + q) with q = -x/(1 + x)."""
    under, under_lo = over_pair(-x, 0.0, *two_sum(1.0, x))
    negative = x < 0.0
    q = select(negative, under, x), select(negative, under_lo, 0.0)
    return narrowed_log1p(x, (hi, lo, err, exponent), q, 0)
