"""Kinds of values as traces name them, and numbers of which a proof knows nothing but between what they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from proofs.engine.execution import Real
from proofs.engine.models import dyadic

if TYPE_CHECKING:
    from clmath.ir.program import Kind
    from proofs.engine.models import Cell

__all__ = ["BOOL", "DOUBLE", "ENCLOSURE", "LONG", "PAIR", "any_double", "any_integer", "of_both_signs"]

DOUBLE: Kind = "double"
LONG: Kind = "long"
BOOL: Kind = "bool"
PAIR = DOUBLE, DOUBLE
ENCLOSURE = DOUBLE, DOUBLE, DOUBLE, LONG  # hi, lo, err and the exponent: what kernels of doubles return


def any_double(cell: Cell) -> Real:
    """The doubles of a cell."""
    return Real(cell.argument(), -1074)


def any_integer(cell: Cell) -> Real:
    """The integers of a cell."""
    return Real(cell.argument(), 0)


def of_both_signs(low: float, high: float) -> list[tuple[Any, float, float]]:
    """Pieces for numbers from ``low`` to ``high`` in size, told by 1 and -1."""
    return [piece for start, end in dyadic(low, high) for piece in ((1, start, end), (-1, -end, -start))]
