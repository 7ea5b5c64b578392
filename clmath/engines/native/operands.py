"""Addresses of arrays, as the library's functions take them."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.engines.protocol import Values

__all__ = ["address", "operands"]


def operands(arrays: Sequence[Values]) -> ctypes.Array[ctypes.c_int64]:
    """Return the address and the step in bytes of each one-dimensional array."""
    numbers: list[int] = []
    for array in arrays:
        numbers += array.__array_interface__["data"][0], array.strides[0]
    return (ctypes.c_int64 * len(numbers))(*numbers)


def address(array: Values) -> int:
    """Return the address of the first element."""
    found: int = array.__array_interface__["data"][0]
    return found
