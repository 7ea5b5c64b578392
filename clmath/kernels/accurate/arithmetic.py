"""Arithmetic for double: exact sums and products, and quotients and roots with their remainders."""

from __future__ import annotations

from clmath.direct.lane_arithmetic import chosen, fma, in_two, is_ordinary, ldexp, mantissa
from clmath.ir.lanes import INFINITY, SIGN, Integer, Parts, Real, bits, floor, from_bits, select, two_product, two_sum
from clmath.ir.lanes import sqrt as root
from clmath.kernels.degrees import DEGREES, RADIANS, product_with

__all__ = ["add", "degrees", "div", "fdim", "fma", "fract_double", "ldexp", "mul", "radians", "recip", "sqrt", "sub"]

CORRECTION = 2.0**-51
# relative error of the term that is added to the head of a quotient or a root: an exact remainder, a divisor that is
# rounded once or known to 2^-53, a division rounded once; the root's next term is at most 2^-54 of it
BELOW_ONE = 1.0 - 2.0**-53


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
