"""Built-ins that are one operation of doubles, to nearest; of floats too, whose results may be rounded twice.

A sum, a product or a quotient of two floats that is rounded to the 53 digits of a double and then to 24 is rounded to
these as if at once, since 53 >= 2 * 24 + 2 (Figueroa, When is double rounding innocuous?, 1995); where 24 are no longer
there, below 2^-126, there are less to be rounded to, and sums are exact.
"""

from __future__ import annotations

from clmath.ir.lanes import *

__all__ = ["add", "div", "mul", "recip", "sub"]


def canonical(x: Real) -> Real:
    """A number itself, or the canonical NaN."""
    return select(x == x, x, NAN)


def add(x: Real, y: Real) -> Real:
    """The sum x + y."""
    return canonical(x + y)


def sub(x: Real, y: Real) -> Real:
    """The difference x - y."""
    return canonical(x - y)


def mul(x: Real, y: Real) -> Real:
    """The product x y."""
    return canonical(x * y)


def div(x: Real, y: Real) -> Real:
    """The quotient x / y."""
    return canonical(x / y)


def recip(x: Real) -> Real:
    """The reciprocal 1 / x."""
    return canonical(1.0 / x)
