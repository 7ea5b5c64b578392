"""The common functions: comparisons, blends, and conversion between degrees and radians."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.direct import lane_exact as lanes
from clmath.direct import operators
from clmath.direct.lane_angles import DEGREES, RADIANS, narrow_product_with, product_with
from clmath.numbers.errorfree import chosen, mantissa, widen
from clmath.numbers.rounding import narrow, round_sum
from clmath.pragmas import contracts

if TYPE_CHECKING:
    from clmath.direct.lane_angles import Factor
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["clamp", "degrees", "max", "min", "mix", "radians", "sign", "smoothstep", "step"]

Block: TypeAlias = "np.ndarray"
Result: TypeAlias = "tuple[np.ndarray]"


def clamp(form: Format, mode: Rounding, x: Block, minval: Block, maxval: Block) -> Result:  # noqa: ARG001
    """The value of fmin(fmax(x, minval), maxval)."""
    return (lanes.clamp(x, minval, maxval),)


def max(form: Format, mode: Rounding, x: Block, y: Block) -> Result:  # noqa: ARG001 - nothing is rounded
    """``y`` where x < y, else ``x``: where either is NaN, too."""
    return (lanes.max(x, y),)


def min(form: Format, mode: Rounding, x: Block, y: Block) -> Result:  # noqa: ARG001
    """``y`` where y < x, else ``x``: where either is NaN, too."""
    return (lanes.min(x, y),)


def step(form: Format, mode: Rounding, edge: Block, x: Block) -> Result:  # noqa: ARG001
    """0 where x < edge, else 1: where either is NaN, too."""
    return (lanes.step(edge, x).astype(form.dtype),)


def sign(form: Format, mode: Rounding, x: Block) -> Result:  # noqa: ARG001
    """1 or -1 with x's sign, x where it is a zero, and +0 for NaN."""
    if form.is_short:  # whose arithmetic NumPy does one lane at a time
        return (lanes.sign(widen(x)).astype(form.dtype),)
    return (lanes.sign(x),)


def mix(form: Format, mode: Rounding, x: Block, y: Block, a: Block) -> Result:
    """The blend x + (y - x) a.

    With contraction fma(y - x, a, x): two roundings. Without it the difference, the product and the sum are rounded.
    Every rounding is in ``mode``.
    """
    difference = operators.sub(form, mode, y, x)[0]
    if contracts():
        return operators.fma(form, mode, difference, a, x)
    return operators.add(form, mode, x, operators.mul(form, mode, difference, a)[0])


def smoothstep(form: Format, mode: Rounding, edge0: Block, edge1: Block, x: Block) -> Result:
    """0 where x <= edge0, 1 where x >= edge1, else t t (3 - 2 t) with t = clamp((x - edge0) / (edge1 - edge0), 0, 1).

    Every operation is rounded in ``mode``: both differences, the quotient, 3 - 2 t, t t and its product with that.
    Contraction changes nothing, since 2 t is exact. NaN where an argument is NaN.
    """
    zero, one = np.zeros_like(x), np.ones_like(x)
    rise, run = operators.sub(form, mode, x, edge0)[0], operators.sub(form, mode, edge1, edge0)[0]
    t = clamp(form, mode, operators.div(form, mode, rise, run)[0], zero, one)[0]
    (square,) = operators.mul(form, mode, t, t)
    (slope,) = operators.sub(form, mode, 3 * one, t + t)
    (inside,) = operators.mul(form, mode, square, slope)
    result = chosen(x <= edge0, zero, chosen(x >= edge1, one, inside))
    return (chosen(np.isnan(x) | np.isnan(edge0) | np.isnan(edge1), np.full_like(x, np.nan), result),)


def degrees(form: Format, mode: Rounding, radians: Block) -> Result:
    """The exact value of (180/π) radians, rounded once; zeros, infinities and NaN are kept."""
    return (_multiplied(form, mode, radians, DEGREES),)


def radians(form: Format, mode: Rounding, degrees: Block) -> Result:
    """The exact value of (π/180) degrees, rounded once; zeros, infinities and NaN are kept."""
    return (_multiplied(form, mode, degrees, RADIANS),)


def _multiplied(form: Format, mode: Rounding, x: Block, factor: Factor) -> Block:
    """The product of x and an irrational ``factor``, rounded once."""
    ordinary = np.isfinite(x) & (x != 0.0)
    if form.is_narrow:
        return chosen(ordinary, narrow(narrow_product_with(widen(x), factor), form, mode), x)
    m, exponent = mantissa(x)
    return chosen(ordinary, round_sum(*product_with(m, factor), exponent, form, mode), x)
