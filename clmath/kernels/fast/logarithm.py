"""log, log2, log10 and log1p: log x = k log 2 - log c + log(1 + r) with r = m c - 1 small and exact."""

from __future__ import annotations

import numpy as np

from clmath.ir.primitives import *
from clmath.kernels import coefficients, table
from clmath.kernels.records import kernel, refines

RECIPROCAL = table("fast/logarithm", "reciprocal")
LOG_HI, LOG_LO = table("fast/logarithm", "log_hi"), table("fast/logarithm", "log_lo")
LOG2_HI, LOG2_LO = table("fast/logarithm", "log2_hi"), table("fast/logarithm", "log2_lo")
LOG10_HI, LOG10_LO = table("fast/logarithm", "log10_hi"), table("fast/logarithm", "log10_lo")
LN2_HI, LN2_LO = map(float, table("fast/logarithm", "log_of_2"))
LOG10_2_HI, LOG10_2_LO = map(float, table("fast/logarithm", "log10_of_2"))
LOG2_E_HI, LOG2_E_LO = map(float, table("fast/logarithm", "log2_of_e"))
LOG10_E_HI, LOG10_E_LO = map(float, table("fast/logarithm", "log10_of_e"))
LOG1P_TAIL = coefficients("fast/logarithm", "log1p_tail")
POWERS_OF_TEN = np.array([10.0**n for n in range(12)])
SQRT2_PLACE = 53  # the place of [1, 2) that holds sqrt(2): from here on m counts as 2 (m/2)

BOUND = 2.0**-51  # from the certificates, and 2^-53 for the rounding of value -+ err
TINY = 2.0**-27  # below this log1p x = x (1 - 2^-28): no float and no midpoint between


def placed(x: Real) -> tuple[Real, Integer, Real]:
    """(k, j, m) of positive x: m in [1, 2) is x without its exponent, j its place of 128, k counts sqrt(2) as 2."""
    encoding = mark("encoding", bits(x))
    j = mark("j", (encoding >> 45) & 127)
    k = mark("n", (encoding >> 52) - 1023 + select(j >= SQRT2_PLACE, 1, 0))
    code = mark("code", (encoding & 0xFFFFFFFFFFFFF) | 0x3FF0000000000000)
    return mark("k", real(k)), j, mark("m", from_bits(code))


def log1p_rest(r: Real) -> Real:
    """log(1 + r) - r for |r| < 2^-7."""
    square = r * r
    return square * (r * polynomial(r, LOG1P_TAIL) - 0.5)


def outside(x: Real, y: Real, err: Real) -> Pair:
    """Lay the special values of a logarithm of ``x`` over: -inf at zero, NaN below, +inf at +inf."""
    infinite, zero, negative, nan = mark("infinite zero negative nan", x == INFINITY, x == 0.0, x < 0.0, x != x)
    y = select(infinite, INFINITY, select(zero, -INFINITY, select(negative, NAN, y)))
    positive, finite = mark("positive finite", x > 0.0, x < INFINITY)
    return select(nan, x, y), select(positive & finite, err, 0.0)


def log_at(x: Real) -> Real:
    """Logarithm of positive finite double x, error below 2^-52 |log x|; 2^-53 more where x has over 29 bits."""
    k, j, m = placed(x)
    return log_of_place(k, j, m * take(RECIPROCAL, j) - 1.0)


def log_of_place(k: Real, j: Integer, r: Real) -> Real:
    """The sum k log 2 - log c + log(1 + r), c the reciprocal number j."""
    head, tail = two_sum(k * LN2_HI + mark("log_hi", take(LOG_HI, j)), r)
    return head + (tail + (k * LN2_LO + mark("log_lo", take(LOG_LO, j)) + log1p_rest(r)))


@kernel()
def log(x: Real) -> Pair:
    """Natural logarithm."""
    y = log_at(x)
    return outside(x, y, abs(y) * BOUND)


@kernel()
def log2(x: Real) -> Pair:
    """Base 2 logarithm; exact at powers of two and nowhere else."""
    k, j, m = placed(x)
    r = m * take(RECIPROCAL, j) - 1.0
    rest = r * LOG2_E_LO + log1p_rest(r) * (LOG2_E_HI + LOG2_E_LO)
    head, tail = two_sum(k + take(LOG2_HI, j), r * LOG2_E_HI)
    y = head + (tail + (take(LOG2_LO, j) + rest))
    return outside(x, y, select(m == 1.0, 0.0, abs(y) * BOUND))


@kernel()
def log10(x: Real) -> Pair:
    """Base 10 logarithm."""
    k, j, m = placed(x)
    r = m * take(RECIPROCAL, j) - 1.0
    rest = r * LOG10_E_LO + log1p_rest(r) * (LOG10_E_HI + LOG10_E_LO)
    head, tail = two_sum(k * LOG10_2_HI + take(LOG10_HI, j), r * LOG10_E_HI)
    y = head + (tail + (k * LOG10_2_LO + take(LOG10_LO, j) + rest))
    return outside(x, y, abs(y) * BOUND)


@refines("log10")
def refined_log10(x: Real, value: Real, err: Real) -> Pair:
    """(value, err) of log10 x with the exact results found: at 1, 10 .. 10^10 and nowhere else."""
    whole, n = nearest(clamp(value, 0.0, 11.0))
    whole = mark("whole", whole)
    exact = mark("exact", mark("power", take(POWERS_OF_TEN, n)) == x)
    return select(exact, whole, value), select(exact, 0.0, err)


def log_of_sum(u: Real, v: Real) -> Real:
    """log(u + v) for any positive finite double u and |v| <= ulp(u)/2, relative error below 2^-52.

    r = (the first 29 bits of m) c - 1 + (the rest) c + v c / 2^k.
    """
    k, j, m = placed(u)
    first = from_bits(bits(m) & -0x1000000)
    c = mark("reciprocal", take(RECIPROCAL, j))
    scale_code = mark("scale_code", 0x7FE0000000000000 - (bits(u) & 0x7FF0000000000000))
    scale = mark("scale", from_bits(scale_code))  # 2^-(exponent of u)
    return log_of_place(k, j, (first * c - 1.0) + ((m - first) * c + v * scale * c))


def log1p_of(x: Real) -> Real:
    """log(1 + x) for any finite double x > -1, relative error below 2^-52."""
    return log_of_sum(*mark("total left", *two_sum(1.0, x)))


@kernel()
def log1p(x: Real) -> Pair:
    """log(1 + x)."""
    y = log1p_of(select((x > -1.0) & (x < INFINITY), x, 0.0))
    tiny, infinite, nan = mark("tiny infinite nan", abs(x) < TINY, x == INFINITY, x != x)
    pole, outside, below = mark("pole outside below", x == -1.0, x <= -1.0, x < -1.0)
    y = select(tiny, select(x == 0.0, x, nextdown(x)), y)
    y = select(infinite, INFINITY, select(pole, -INFINITY, select(below, NAN, y)))
    decided = tiny | infinite | outside | nan
    return select(nan, x, y), select(decided, 0.0, abs(y) * BOUND)
