"""Cells of floats, which are all arguments that kernels of float and half have, and of doubles."""

from __future__ import annotations

import math

from flint import arb

from proofs.engine.models import Cell

__all__ = [
    "DOUBLE",
    "FLOAT",
    "doubles_between",
    "grid_of_doubles",
]

FLOAT, DOUBLE = 24, 53  # bits


def grid_of_doubles(low: arb, high: arb) -> int:
    """The doubles between ``low`` and ``high`` are multiples of 2 to that power."""
    return max(math.frexp(min(float(low.abs_lower()), float(high.abs_lower())))[1] - DOUBLE, -1074)


def doubles_between(low: arb, high: arb, powers: tuple[int, int] = (0, 0)) -> Cell | None:
    """The cell from the first double to the last; None where there is none. ``powers`` as in cells."""
    unit = arb(2) ** grid_of_doubles(low, high)
    first, last = (low / unit).ceil(), (high / unit).floor()
    return Cell(first * unit, last * unit, powers) if first <= last else None
