"""Arithmetic for double: exact sums and products, and quotients and roots with their remainders.

An exact value is two doubles and an exponent, (hi + lo) 2^exponent, ``hi`` being hi + lo rounded to nearest, with an
error of 0 before the exponent.
"""

from __future__ import annotations

from clmath.ir.primitives import (
    FRACTION,
    INFINITY,
    ONE,
    SIGN,
    Integer,
    Parts,
    Real,
    Truth,
    bits,
    clamp,
    floor,
    from_bits,
    integer,
    select,
    to_odd,
    two_product,
    two_sum,
    two_to,
)
from clmath.ir.primitives import sqrt as root
from clmath.kernels.degrees import DEGREES, RADIANS, product_with

__all__ = ["add", "degrees", "div", "fdim", "fma", "fract_double", "ldexp", "mul", "radians", "recip", "sqrt", "sub"]

NOWHERE = -20000  # the exponent of zero: below the exponent of every product of numbers
DISTANT = 110  # a product of mantissas has 106 bits: of an addend 2^110 away only the sign matters
FARTHEST = 2400.0  # 2^±2400 takes every double out of range, and the exponent of every number with it
TINY, RAISED = 2.0**-900, 2.0**200  # in two doubles |hi| is at least 2^-1000: values below TINY are scaled up
CORRECTION = 2.0**-51
# relative error of the term that is added to the head of a quotient or a root: an exact remainder, a divisor that is
# rounded once or known to 2^-53, a division rounded once; the root's next term is at most 2^-54 of it
BELOW_ONE = 1.0 - 2.0**-53


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


def chosen(special: Truth, value: Real, hi: Real, lo: Real | float, err: Real | float, exponent: Integer) -> Parts:
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
    place = select(hi == 0.0, 0, exponent)
    return chosen(~(is_ordinary(a) & is_ordinary(b) & (c - c == 0.0)), plain, hi, lo, 0.0, place)


def ldexp(x: Real, k: Real) -> Parts:
    """The number x 2^k."""
    m, e = mantissa(x)
    return chosen(~is_ordinary(x), x, m, 0.0, 0.0, e + integer(clamp(k, -FARTHEST, FARTHEST)))


def total(x: Real | float, y: Real) -> tuple[Real, Real, float, Integer]:
    """The sum x + y: a quarter of it where that overflows, or its transformation does; raised where it is tiny."""
    finite = (x - x == 0.0) & (y - y == 0.0)
    head, tail = two_sum(x, y)
    quarter, rest = two_sum(x * 0.25, y * 0.25)
    large, small = finite & (tail - tail != 0.0), abs(head) < 2.0**-900
    hi, lo = select(large, quarter, head), select(large, rest, select(finite, tail, 0.0))
    hi, lo = select(small, hi * 2.0**200, hi), select(small, lo * 2.0**200, lo)
    return hi, lo, 0.0, select(large, 2, select(small, -200, 0))


def add(x: Real | float, y: Real) -> tuple[Real, Real, float, Integer]:
    """The sum x + y."""
    return total(x, y)


def sub(x: Real, y: Real) -> tuple[Real, Real, float, Integer]:
    """The difference x - y."""
    return total(x, -y)


def multiplied(x: Real, factor: tuple[float, float, float]) -> Parts:
    """The product of x and an irrational factor: its head, and the rest rounded to odd."""
    m, e = mantissa(x)
    return chosen(~is_ordinary(x), x, *product_with(m, factor), 0.0, e)


def degrees(x: Real) -> Parts:
    """The value of (180/π) x."""
    return multiplied(x, DEGREES)


def radians(x: Real) -> Parts:
    """The value of (π/180) x."""
    return multiplied(x, RADIANS)


def fdim(x: Real, y: Real) -> tuple[Real, Real, float, Integer]:
    """The difference x - y where it is positive, else +0; NaN where either is."""
    hi, lo, err, exponent = total(x, -y)
    return select(x <= y, 0.0, hi), select(x <= y, 0.0, lo), err, exponent


def mul(x: Real, y: Real) -> Parts:
    """The product x y."""
    (m, e), (n, f) = mantissa(x), mantissa(y)
    hi, lo = two_product(m, n)
    return chosen(~(is_ordinary(x) & is_ordinary(y)), x * y, hi, lo, 0.0, e + f)


def corrected(head: Real, tail: Real, exponent: Integer) -> Parts:
    """A value that is ``head``, or less than half its last place off: by about ``tail``."""
    hi, lo = two_sum(head, tail)
    return hi, lo, abs(tail) * CORRECTION, exponent


def div(x: Real, y: Real) -> Parts:
    """The quotient x / y."""
    (m, e), (n, f) = mantissa(x), mantissa(y)
    head = m / n
    product, rest = two_product(head, n)
    parts = corrected(head, ((m - product) - rest) / n, e - f)
    return chosen(~(is_ordinary(x) & is_ordinary(y)), x / y, *parts)


def recip(x: Real) -> Parts:
    """The quotient 1 / x."""
    n, f = mantissa(x)
    head = 1.0 / n
    product, rest = two_product(head, n)
    return chosen(~is_ordinary(x), 1.0 / x, *corrected(head, ((1.0 - product) - rest) / n, -f))


def sqrt(x: Real) -> Parts:
    """The square root."""
    m, e = mantissa(x)
    odd = e & 1
    m = select(odd != 0, m + m, m)
    head = root(m)
    square, rest = two_product(head, head)
    parts = corrected(head, ((m - square) - rest) / (head + head), (e - odd) >> 1)
    return chosen(~(is_ordinary(x) & (x > 0.0)), root(x), *parts)


def fract_double(x: Real) -> tuple[Real, Real, Real, Integer, Real, float, float, Integer]:
    """The fraction x - floor(x), below 1 as a double, and floor(x)."""
    whole = floor(x)
    zero = from_bits(bits(select((abs(x) == INFINITY) | (x == 0.0), x, 0.0)) & SIGN)
    hi, lo, err, exponent = total(x, -whole)
    above = (hi > BELOW_ONE) | ((hi == BELOW_ONE) & (lo > 0.0))
    hi, lo = select(above, BELOW_ONE, hi), select(above, 0.0, lo)
    return *chosen(x == whole, zero, hi, lo, err, exponent), *in_two(whole)
