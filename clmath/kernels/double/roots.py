"""cbrt, rsqrt, hypot: a root in double, and what its power misses the argument by, exactly."""

from __future__ import annotations

from typing import Any

from clmath.kernels import coefficients, table
from clmath.numbers.lanes import (
    bits,
    copysign,
    fast_two_sum,
    from_bits,
    greater,
    integer,
    lane,
    lesser,
    polynomial,
    real,
    select,
    split,
    sqrt,
    take,
    two_product,
)

__all__ = ["cbrt", "hypot", "rsqrt"]

RECIPROCAL, ROOT = table("double/roots", "reciprocal"), table("double/roots", "root")
CBRT_TAIL = coefficients("double/roots", "cbrt_tail")
INFINITY = float("inf")
NAN = float("nan")
MANTISSA = 0xFFFFFFFFFFFFF
ONE = 0x3FF0000000000000  # the encoding of 1
INFINITE = 0x7FF0000000000000  # of infinity
LEAST_NORMAL = 0x10000000000000  # of 2^-1022

TO_17_BITS = 1.5 * 2.0**36  # added to a number below 2 and taken off again, leaves 16 binary places
TO_34_BITS = 1.5 * 2.0**19  # 33 binary places
TO_54_BITS = 1.5 * 2.0**-1  # 53 binary places
LONGER_THAN_18 = (1 << 35) - 1  # bits of an encoding that are zero where a number has 18 significant bits at most
CBRT_ERROR = 2.0**-82
# y within 2^-34 of the root, or 2^-33.9 with the polynomial's 2^-37; R = m - y^3 below 12 x 2^-33.9 = 2^-30.3:
# its rounding 2^-84, that of yl^2 (3 yh + yl), below 2^-31, 2^-84.9; both over 3 y^2 >= 3: 2^-84.9;
# c = R / 3y^2: five roundings of 2^-33.9, 2^-84.6; c^2 / y: 2^-119; the third term (5/3) 2^-101.7: 2^-83.7 in all
RSQRT_ERROR = 2.0**-98
# m - s^2 is below 2^-51, 1 - s y below 2^-52, both rounded once; what they multiply carries 2^-50: 2^-101;
# squares of both are left out: (3/8) 2^-102, 2^-104 and their product 2^-103: 2^-100 in all, of a value above 1/2
HYPOT_ERROR = 2.0**-98
# S = a^2 + b^2 < 8: its low part below 2^-50 is rounded twice: 2^-102; S - root^2 below 2^-49 twice: 2^-101; that over
# 2 root >= 2: 2^-101.4 in all; two roundings of lo < 2^-51: 2^-103; its square is left out: 2^-103; value at least 1
SLIGHT = 1023 - 31 << 52  # the encoding of 2^-31: below this times a, sqrt(a^2 + b^2) < a (1 + 2^-63)


@lane
def normalised(encoding: Any) -> Any:
    """``encoding`` of a number that is not negative, with exponents 0 and below for the subnormal ones."""
    return select(encoding < LEAST_NORMAL, bits(real(encoding)) - (1074 << 52), encoding)


@lane
def missed_square(m: Any, first: Any, second: Any) -> Any:
    """What (first + second)^2 misses m by, the sum being the rounded root of m: exact but for the last rounding."""
    return ((m - first * first) - 2.0 * first * second) - second * second


@lane
def power_beyond(d: Any, y: Any, g: Any) -> Any:
    """Positive where (1 + d)^y > 1 + g, negative where it is less, 0 where this does not tell.

    For |d|, |y d|, |g| < 2^-33 and y d so close to g that their difference is exact. (1 + d)^y - 1 is
    y d + (y d)(y - 1) d/2 and at most 2^-33 of the latter more.
    """
    first, rest = two_product(y, d)
    second = 0.5 * first * (d * (y - 1.0))
    missed = ((first - g) + rest) + second
    return select(abs(missed) > abs(second) * 2.0**-30, missed, 0.0)


@lane
def cbrt(x: Any) -> Any:
    """Cube root: |x| = m 2^(3 n), the root y of m in 34 bits, and m - y^3, which is nearly exact, over 3 y^2."""
    encoding = normalised(bits(abs(x)))
    exponent = (encoding >> 52) + 1200 - 1023
    thirds = exponent * 21846 >> 16
    rest = exponent - 3 * thirds
    fraction = encoding & MANTISSA
    j = fraction >> 45
    s = from_bits(fraction | ONE) * take(RECIPROCAL, j) - 1.0
    near = take(ROOT, (rest << 7) + j)
    hi, lo, exact = root_of(from_bits((fraction | ONE) + (rest << 52)), near + near * (s * polynomial(s, CBRT_TAIL)))
    plain = (x != 0.0) & (abs(x) < INFINITY)
    err = select(plain & ~exact, CBRT_ERROR, 0.0)
    exponent = select(plain, thirds - 400, 0)
    return select(plain, copysign(hi, x), x), signed(select(plain, lo, 0.0), x), err, exponent


@lane
def signed(lo: Any, x: Any) -> Any:
    """``lo`` with its sign reversed where x is negative."""
    return from_bits(bits(lo) ^ (bits(x) & -0x8000000000000000))


@lane
def root_of(m: Any, near: Any) -> Any:
    """(hi, lo, whether it is exact) of the cube root of m = 1 .. 8, ``near`` being within 2^-37 of it.

    y = yh + yl, of 17 and 17 bits: yh^3, 3 yh^2 yl and their differences from m are exact. Cube roots of doubles have
    at most 18 bits where they are doubles or midpoints; then all of m - y^3 is.
    """
    yh = (near + TO_17_BITS) - TO_17_BITS
    yl = ((near - yh) + TO_34_BITS) - TO_34_BITS
    y = yh + yl
    square = yh * yh
    missed = ((m - square * yh) - 3.0 * square * yl) - yl * yl * (3.0 * yh + yl)
    inverse = 1.0 / y
    step = missed * (inverse * inverse) * (1.0 / 3.0)
    hi, lo = fast_two_sum(y, step - step * step * inverse)
    return hi, lo, (missed == 0.0) & ((bits(y) & LONGER_THAN_18) == 0)


@lane
def rsqrt(x: Any) -> Any:
    """Inverse square root; exact at even powers of two and nowhere else."""
    encoding = normalised(bits(abs(x)))
    exponent = (encoding >> 52) - 1023
    m = from_bits(((encoding & MANTISSA) | ONE) + ((exponent & 1) << 52))
    s = sqrt(m)
    y = 1.0 / s
    s1, s2 = split(s)
    y1, y2 = split(y)
    missed = (((1.0 - s1 * y1) - s1 * y2) - s2 * y1) - s2 * y2  # 1 - s y
    hi, lo = fast_two_sum(y, y * (missed - 0.5 * missed_square(m, s1, s2) * (y * y)))
    plain = (x > 0.0) & (x < INFINITY)
    outside = select(x == 0.0, select(bits(x) < 0, -INFINITY, INFINITY), select(x == INFINITY, 0.0, NAN))
    err = select(plain & (m != 1.0), RSQRT_ERROR, 0.0)
    return select(plain, hi, outside), select(plain, lo, 0.0), err, select(plain, -(exponent >> 1), 0)


@lane
def squared(a: Any) -> Any:
    """(p, e) with p + e = a^2 exactly."""
    first, second = split(a)
    p = a * a
    return p, ((first * first - p) + 2.0 * first * second) + second * second


@lane
def ordered(x: Any, y: Any) -> Any:
    """The encodings of |x| and |y|, the larger one first; NaN counts as larger than infinity."""
    one, other = bits(abs(x)), bits(abs(y))
    return greater(one, other), lesser(one, other)


@lane
def scaled_legs(larger: Any, smaller: Any) -> Any:
    """(a, b, n, slight, special): the numbers encoded are a 2^n, a = 1 .. 2, and b 2^n.

    ``slight``: b < 2^-31, and then is not given. ``special``: both are zero, or one is infinite or NaN.
    """
    special = (larger == 0) | (larger >= INFINITE)
    upper, lower = normalised(larger), normalised(smaller)
    n = (upper >> 52) - 1023
    lower = lower - (n << 52)
    slight = (lower < SLIGHT) | (smaller == 0)
    return from_bits((upper & MANTISSA) | ONE), from_bits(select(slight | special, ONE, lower)), n, slight, special


@lane
def hypot(x: Any, y: Any) -> Any:
    """sqrt(x^2 + y^2): the root of the leading part of the sum, and what its square misses the sum by."""
    larger, smaller = ordered(x, y)
    a, b, n, slight, special = scaled_legs(larger, smaller)
    p, p_lo = squared(a)
    q, q_lo = squared(b)
    total, rest = fast_two_sum(p, q)
    root = sqrt(total)
    first, second = split(root)
    missed = missed_square(total, first, second) + (rest + (p_lo + q_lo))
    hi, lo = fast_two_sum(root, missed / (2.0 * root))
    hi = select(slight, a, hi)
    lo = select(slight, select(smaller == 0, 0.0, 2.0**-80), lo)
    outside = from_bits(select(smaller == INFINITE, INFINITE, larger))
    err = select(slight | special, 0.0, HYPOT_ERROR)
    return select(special, outside, hi), select(special, 0.0, lo), err, select(special, 0, n)


@lane
def settled_hypot(x: Any, y: Any, hi: Any, lo: Any, err: Any, exponent: Any) -> Any:  # noqa: PLR0917 - arguments, parts
    """The parts of hypot with exact results and midpoints found.

    A root r of 54 bits is a multiple of 2^-53, and so are both legs then. Then r^2 = a^2 + b^2, all as multiples of
    2^-106, holds where it does modulo 2^64: r = hi + lo -+ 2^-95, so the two sides differ by less than 2^13.
    """
    larger, smaller = ordered(x, y)
    a, b, _, slight, special = scaled_legs(larger, smaller)
    rounded = (lo + TO_54_BITS) - TO_54_BITS
    a_count, b_count = integer(a * 2.0**53), integer(b * 2.0**53)
    r_count = integer(hi * 2.0**53) + integer(rounded * 2.0**53)
    whole = real(b_count) == b * 2.0**53
    exact = whole & (abs(rounded - lo) <= err) & (a_count * a_count + b_count * b_count == r_count * r_count)
    exact = exact & ~(slight | special)
    even_hi, even_lo = fast_two_sum(hi, rounded)
    return select(exact, even_hi, hi), select(exact, even_lo, lo), select(exact, 0.0, err), exponent
