"""Kinds of values as traces name them, and numbers of which a proof knows nothing but between what they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs.engine.execution import Real

if TYPE_CHECKING:
    from clmath.ir.program import Kind
    from proofs.engine.models import Cell

__all__ = ["BOOL", "DOUBLE", "ENCLOSURE", "LONG", "PAIR", "any_double"]

DOUBLE: Kind = "double"
LONG: Kind = "long"
BOOL: Kind = "bool"
PAIR = DOUBLE, DOUBLE
ENCLOSURE = DOUBLE, DOUBLE, DOUBLE, LONG  # hi, lo, err and the exponent: what kernels of doubles return


def any_double(cell: Cell) -> Real:
    """The doubles of a cell."""
    return Real(cell.argument(), -1074)
