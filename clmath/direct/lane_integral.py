"""Numbers rounded to integers, as elementwise functions of arrays of any format, or of doubles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.ir.lanes import rint as nearest_integer
from clmath.ir.lanes import select
from clmath.ir.lanes import trunc as without_fraction

if TYPE_CHECKING:
    from clmath.ir.values import Real


__all__ = ["ceil", "floor", "rint", "trunc"]


def ceil(x: Real) -> Real:
    """The least integer not below x; -0 for -1 < x < 0."""
    whole = trunc(x)
    return select(whole < x, whole + 1.0, whole)


def floor(x: Real) -> Real:
    """The greatest integer not above x."""
    whole = trunc(x)
    return select(whole > x, whole - 1.0, whole)


def rint(x: Real) -> Real:
    """The nearest integer, the even one of two; -0 for -0.5 <= x < 0."""
    return nearest_integer(x)


def trunc(x: Real) -> Real:
    """The integer x is without its fraction; -0 for -1 < x < 0."""
    return without_fraction(x)
