"""Kinds of values as traces name them, and numbers of which a proof knows nothing but between what they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clmath.ir.program import Kind

__all__ = ["DOUBLE", "ENCLOSURE", "LONG", "PAIR"]

DOUBLE: Kind = "double"
LONG: Kind = "long"
PAIR = DOUBLE, DOUBLE
ENCLOSURE = DOUBLE, DOUBLE, DOUBLE, LONG  # hi, lo, err and the exponent: what kernels of doubles return
