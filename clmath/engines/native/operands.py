"""Where arrays lie, as the library takes them."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.engines.protocol import Values

__all__ = ["address", "operands"]


def operands(arrays: Sequence[Values]) -> ctypes.Array[ctypes.c_int64]:
    """The address and the step in bytes of each one-dimensional array."""
    numbers: list[int] = []
    for array in arrays:
        numbers += array.__array_interface__["data"][0], array.strides[0]
    return (ctypes.c_int64 * len(numbers))(*numbers)


def address(array: Values) -> int:
    """Where the first element lies."""
    found: int = array.__array_interface__["data"][0]
    return found
