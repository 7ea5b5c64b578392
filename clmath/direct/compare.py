"""The comparison functions: one of the arguments, or their positive difference."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.direct import lane_exact as lanes
from clmath.direct import operators
from clmath.numbers.errorfree import chosen

if TYPE_CHECKING:
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["fdim", "fmax", "fmin", "maxmag", "minmag"]

Block: TypeAlias = "np.ndarray"
Result: TypeAlias = "tuple[np.ndarray]"


def fmax(form: Format, mode: Rounding, x: Block, y: Block) -> Result:  # noqa: ARG001 - nothing is rounded
    """``y`` where x < y or x is NaN, else ``x``: of two zeros the first."""
    return (lanes.fmax(x, y),)


def fmin(form: Format, mode: Rounding, x: Block, y: Block) -> Result:  # noqa: ARG001
    """``y`` where y < x or x is NaN, else ``x``: of two zeros the first."""
    return (lanes.fmin(x, y),)


def maxmag(form: Format, mode: Rounding, x: Block, y: Block) -> Result:  # noqa: ARG001
    """The one of greater magnitude, fmax(x, y) where neither is."""
    return (lanes.maxmag(x, y),)


def minmag(form: Format, mode: Rounding, x: Block, y: Block) -> Result:  # noqa: ARG001
    """The one of lesser magnitude, fmin(x, y) where neither is."""
    return (lanes.minmag(x, y),)


def fdim(form: Format, mode: Rounding, x: Block, y: Block) -> Result:
    """The difference x - y, rounded, where x > y; +0 where x <= y, infinities too; NaN where either is NaN."""
    return (chosen(x <= y, np.zeros_like(x), operators.sub(form, mode, x, y)[0]),)
