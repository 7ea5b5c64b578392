"""Helpers for sin, tan, asin, atan, sinh and others, which near zero are x plus a term too small to see."""

from __future__ import annotations

from clmath.ir.primitives import *

TINY = 2.0**-14  # below it f(x) = x (1 -+ 2^-29): no float and no midpoint between x and f(x)


def near_zero(x: Real, tiny_value: Real, y: Real, bound: float) -> Pair:
    """(value, err) of an odd function of ``x`` that is ``y``, but x at zero and ``tiny_value`` next to it."""
    tiny = mark("tiny", abs(x) < TINY)
    y = select(tiny, select(x == 0.0, x, tiny_value), y)
    return y, select(tiny, 0.0, abs(y) * bound)
