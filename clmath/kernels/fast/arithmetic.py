"""Arithmetic for the narrow formats: operations of double that hide no side, sums and some products rounded to odd.

A product of two floats has 48 bits; a quotient or a root that is neither a number nor a midpoint is further than 2^-51
of itself from all of them.
"""

from __future__ import annotations

from clmath.ir.primitives import (
    INFINITY,
    SIGN,
    Real,
    bits,
    clamp,
    floor,
    from_bits,
    integer,
    select,
    to_odd,
    two_sum,
    two_to,
)
from clmath.ir.primitives import sqrt as root
from clmath.kernels.degrees import DEGREES, RADIANS, narrow_product_with

FARTHEST = 400.0  # 2^±400 takes every float out of range


def add(x: Real | float, y: Real) -> tuple[Real, float]:
    """The sum x + y."""
    return to_odd(*two_sum(x, y)), 0.0


def sub(x: Real, y: Real) -> tuple[Real, float]:
    """The difference x - y."""
    return to_odd(*two_sum(x, -y)), 0.0


def mul(x: Real, y: Real) -> tuple[Real, float]:
    """The product x y."""
    return x * y, 0.0


def div(x: Real, y: Real) -> tuple[Real, float]:
    """The quotient x / y."""
    return x / y, 0.0


def recip(x: Real) -> tuple[Real, float]:
    """The quotient 1 / x."""
    return 1.0 / x, 0.0


def sqrt(x: Real) -> tuple[Real, float]:
    """The square root."""
    return root(x), 0.0


def multiplied(x: Real, factor: tuple[float, float, float]) -> tuple[Real, float]:
    """The product of x and an irrational factor."""
    return select((x - x == 0.0) & (x != 0.0), narrow_product_with(x, factor), x), 0.0


def degrees(x: Real) -> tuple[Real, float]:
    """The value of (180/π) x."""
    return multiplied(x, DEGREES)


def radians(x: Real) -> tuple[Real, float]:
    """The value of (π/180) x."""
    return multiplied(x, RADIANS)


def fma(a: Real, b: Real, c: Real) -> tuple[Real, float]:
    """The sum a b + c: the product has 48 bits."""
    return to_odd(*two_sum(a * b, c)), 0.0


def fdim(x: Real, y: Real) -> tuple[Real, float]:
    """The difference x - y where it is positive, else +0; NaN where either is."""
    return select(x <= y, 0.0, to_odd(*two_sum(x, -y))), 0.0


def ldexp(x: Real, k: Real) -> tuple[Real, float]:
    """The number x 2^k: a double, and outside of the format on the same side."""
    return x * two_to(integer(clamp(k, -FARTHEST, FARTHEST))), 0.0


def fract_half(x: Real) -> tuple[Real, float, Real, float]:
    """The fraction x - floor(x), below 1 as a half, and floor(x)."""
    return fraction(x, 1.0 - 2.0**-11)


def fract_float(x: Real) -> tuple[Real, float, Real, float]:
    """The fraction x - floor(x), below 1 as a float, and floor(x)."""
    return fraction(x, 1.0 - 2.0**-24)


def fraction(x: Real, most: float) -> tuple[Real, float, Real, float]:
    """The fraction and the floor; the fraction of -0 and -inf is -0, of every other integer and +inf +0."""
    whole = floor(x)
    part = to_odd(*two_sum(x, -whole))
    zero = from_bits(bits(select((abs(x) == INFINITY) | (x == 0.0), x, 0.0)) & SIGN)
    return select(x == whole, zero, select(part > most, most, part)), 0.0, whole, 0.0
