"""Built-ins that are one operation of doubles, to nearest; of floats too, whose results may be rounded twice.

A sum, a product or a quotient of two floats that is rounded to the 53 digits of a double and then to 24 is rounded to
these as if at once, since 53 >= 2 * 24 + 2 (Figueroa, When is double rounding innocuous?, 1995); where 24 are no longer
there, below 2^-126, there are less to be rounded to, and sums are exact.
"""

from __future__ import annotations

from typing import Any

from clmath.ir.lanes import select

__all__ = ["add", "div", "mul", "recip", "sub"]

NAN = float("nan")


def canonical(x: Any) -> Any:
    """A number itself, or the canonical NaN."""
    return select(x == x, x, NAN)


def add(x: Any, y: Any) -> Any:
    """The sum x + y."""
    return canonical(x + y)


def sub(x: Any, y: Any) -> Any:
    """The difference x - y."""
    return canonical(x - y)


def mul(x: Any, y: Any) -> Any:
    """The product x y."""
    return canonical(x * y)


def div(x: Any, y: Any) -> Any:
    """The quotient x / y."""
    return canonical(x / y)


def recip(x: Any) -> Any:
    """The reciprocal 1 / x."""
    return canonical(1.0 / x)
