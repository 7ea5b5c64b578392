"""Arithmetic on pairs, hi + lo with |lo| <= ulp(hi)/2: sums and products to 2^-100 or better, relatively.

Operations are chosen by their cost in NumPy, where ``two_product`` takes 17 operations: where it is cheaper, factors
are split into short parts whose products are exact.
"""

from __future__ import annotations

from collections.abc import Sequence

from clmath.ir.primitives import *

SHORT = -0x8000000  # the bits of an encoding that stay where 26 significant ones do


def short(a: Real) -> Real:
    """``a`` truncated to 26 bits; the truncated part has 27."""
    return from_bits(bits(a) & SHORT)


def signed(magnitude: Real, x: Real) -> Real:
    """``magnitude``, which may be negative, times the sign of ``x``."""
    return from_bits(bits(magnitude) ^ mark("sign", bits(x) & SIGN))


def plus(hi: Real, lo: Real, b: Real | float) -> Pair:
    """(hi + lo) + b, error below 2^-104 of the sizes' sum (where the two do not cancel: of the result)."""
    s, e = two_sum(hi, b)
    return fast_two_sum(s, e + lo)


def plus_pair(hi: Real | float, lo: Real | float, b_hi: Real | float, b_lo: Real | float) -> Pair:
    """(hi + lo) + (b_hi + b_lo), relative error of the sum below 2^-104 even where the two cancel.

    AccurateDWPlusDW of Joldes, Muller and Popescu (2017), whose bound is 3 x 2^-106 / (1 - 2^-51).
    """
    s, e = two_sum(hi, b_hi)
    t, f = two_sum(lo, b_lo)
    s, e = fast_two_sum(s, e + t)
    return fast_two_sum(s, e + f)


def times(hi: Real | float, lo: Real | float, b: Real | float) -> Pair:
    """(hi + lo) b, relative error below 2^-104."""
    p, e = two_product(hi, b)
    return fast_two_sum(p, e + lo * b)


def times_pair(hi: Real | float, lo: Real | float, b_hi: Real | float, b_lo: Real | float) -> Pair:
    """(hi + lo)(b_hi + b_lo), relative error below 2^-102."""
    p, e = two_product(hi, b_hi)
    return fast_two_sum(p, e + (hi * b_lo + lo * b_hi))


def pair_polynomial(
    x: Real, x_lo: Real, coefficients: Sequence[tuple[float, float]], tail: Real
) -> tuple[Real, Real | float]:
    """(hi, lo) = c_0 + c_1 x + ... + tail x^n by Horner's rule, x = x + x_lo, the coefficients (hi, lo) each."""
    hi: Real = tail
    lo: Real | float = 0.0
    for i in range(len(coefficients) - 1, -1, -1):
        c_hi, c_lo = coefficients[i]
        hi, lo = times_pair(hi, lo, x, x_lo)
        hi, lo = mark("horner horner_lo", *plus_pair(c_hi, c_lo, hi, lo))
    return hi, lo


def over_pair(hi: Real | float, lo: Real | float, b_hi: Real, b_lo: Real | float) -> Pair:
    """(hi + lo) / (b_hi + b_lo), relative error below 2^-100."""
    quotient = mark("divided", hi / b_hi)
    p, e = two_product(quotient, b_hi)
    rest = mark("divided_rest", ((hi - p) - e) + (lo - quotient * b_lo))
    return fast_two_sum(quotient, mark("divided_lo", rest / b_hi))


def square_root(hi: Real, lo: Real) -> Pair:
    """(s, s_lo), not normalised, with s + s_lo = sqrt(hi + lo): relative error below 2^-100 where |lo| <= ulp(hi).

    s is sqrt(hi) rounded; the residual hi - s^2 is exact.
    """
    s = mark("root", sqrt(hi))
    first, second = mark("root_head root_tail", *mark("head tail", *split(s)))
    residual = ((hi - first * first) - (first + first) * second) - second * second
    return s, (residual + lo) * (0.5 / s)
