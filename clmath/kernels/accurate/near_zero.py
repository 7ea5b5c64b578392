"""Helpers for functions that near zero are x plus a term too small to see, where x may be subnormal."""

from __future__ import annotations

from clmath.ir.primitives import *

SMALL = 2.0**-400
UP, DOWN = 2.0**600, -600


def in_range(x: Real) -> tuple[Real, Integer]:
    """(hi, exponent) with x = hi 2^exponent and hi no smaller than 2^-474, |x| < 2^500."""
    small = mark("small", abs(x) < SMALL)
    return select(small, x * UP, x), select(small, DOWN, 0)


def near_zero(x: Real, part: Real | float) -> tuple[Real, Real, Integer]:
    """(hi, lo, exponent) of x (1 + part), |x| < 2^500; ``part`` is +-2^-80, which rounds like any smaller term of its
    sign.
    """
    hi, exponent = in_range(x)
    return hi, select(x == 0.0, x, hi * part), exponent
