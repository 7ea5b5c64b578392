"""The types of the values that elementwise functions compute with: NumPy arrays, which traces replace by symbols.

A constant operand is a plain number: a parameter that may be one is ``Real | float`` or ``Integer | int``.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Enclosed", "Integer", "Pair", "Parts", "Real", "Truth"]

Real: TypeAlias = "NDArray[np.float64]"
"""Lanes of doubles."""

Integer: TypeAlias = "NDArray[np.int64]"
"""Lanes of integers of 64 bits."""

Truth: TypeAlias = "NDArray[np.bool_]"
"""A mask of the elements for which a condition holds."""

Pair: TypeAlias = "tuple[Real, Real]"
"""A number hi + lo, or a number and a bound of its error."""

Enclosed: TypeAlias = "tuple[Real, Real, Real, Integer | int]"
"""(hi, lo, err, exponent): (hi + lo ± err) 2^exponent, as accurate kernels enclose a result."""

Parts: TypeAlias = "tuple[Real, Real, Real, Integer]"
"""The parts as narrowing kernels take and return them: the exponent is an array."""
