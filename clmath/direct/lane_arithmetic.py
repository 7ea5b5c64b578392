"""Exact values of arithmetic by SIMD functions, as two doubles and an exponent or as one double that rounds alike.

Two doubles are head and rest, (head + rest) 2^exponent, ``head`` being head + rest rounded to nearest; after them comes
how far off they are: not at all.
"""

from __future__ import annotations

from clmath.ir.lanes import *

__all__ = ["chosen", "fma", "in_two", "is_ordinary", "ldexp", "mantissa", "narrow_fma", "narrow_ldexp"]

NOWHERE = -20000  # the exponent of zero: below the exponent of every product of numbers
DISTANT = 110  # a product of mantissas has 106 bits: of an addend 2^110 away only the sign matters
FARTHEST = 2400.0  # 2^±2400 takes every double out of range, and the exponent of every number with it
FARTHEST_NARROW = 400.0  # 2^±400 takes every float out of range
TINY, RAISED = 2.0**-900, 2.0**200  # in two doubles |hi| is at least 2^-1000: values below TINY are scaled up


def mantissa(x: Real) -> tuple[Real, Integer]:
    """The parts of x = m 2^e with 1 <= |m| < 2; zero has m = ±0 and e = NOWHERE; meaningless where x is not finite."""
    small = abs(x) < 2.0**-1022
    code = bits(select(small, x * 2.0**64, x))
    m = from_bits((code & (FRACTION | SIGN)) | ONE)
    e = ((code >> 52) & 0x7FF) - select(small, 1023 + 64, 1023)
    return select(x == 0.0, x, m), select(x == 0.0, NOWHERE, e)


def is_ordinary(x: Real) -> Truth:
    """Where x is a number other than zero."""
    found: Truth = (x - x == 0.0) & (x != 0.0)
    return found


def in_two(value: Real) -> tuple[Real, float, float, Integer]:
    """An exact value as two doubles, a zero error and an exponent."""
    small = (abs(value) < TINY) & (value != 0.0)
    return select(small, value * RAISED, value), 0.0, 0.0, select(small, -200, 0)


def chosen(special: Truth, value: Real, hi: Real, lo: Real | float, err: Real | float, exponent: Integer) -> Parts:  # noqa: PLR0917
    """Return the given parts, or the parts of the exact ``value`` where a call is ``special``."""
    head, _, _, place = in_two(value)
    found = select(special, 0.0, lo), select(special, 0.0, err), select(special, place, exponent)
    return select(special, head, hi), *found


def fma(a: Real, b: Real, c: Real) -> Parts:
    """The sum a b + c, its rest rounded to odd (Boldo and Melquiond)."""
    (m, e), (n, f), (addend, g) = mantissa(a), mantissa(b), mantissa(c)
    exponent = select(g - DISTANT > e + f, g - DISTANT, e + f)
    apart = select(g - exponent < -DISTANT, -DISTANT, g - exponent)
    head, tail = two_product(m, n)
    middle, low = two_sum(addend * two_to(apart), tail)
    head, high = two_sum(head, middle)
    hi, lo = two_sum(head, to_odd(*two_sum(low, high)))
    finite = (a - a == 0.0) & (b - b == 0.0)
    plain = select(finite & (c - c != 0.0), c, a * b + c)  # a product that overflows is finite all the same
    return chosen(~(is_ordinary(a) & is_ordinary(b) & (c - c == 0.0)), plain, hi, lo, 0.0, exponent)


def ldexp(x: Real, k: Real) -> Parts:
    """The number x 2^k."""
    m, e = mantissa(x)
    return chosen(~is_ordinary(x), x, m, 0.0, 0.0, e + integer(clamp(k, -FARTHEST, FARTHEST)))


def narrow_fma(a: Real, b: Real, c: Real) -> Real:
    """The sum a b + c of halves or floats, rounded to odd: the product has 48 bits."""
    return to_odd(*two_sum(a * b, c))


def narrow_ldexp(x: Real, k: Real) -> Real:
    """The number x 2^k of halves or floats: a double, and outside of the format on the same side."""
    return x * two_to(integer(clamp(k, -FARTHEST_NARROW, FARTHEST_NARROW)))
