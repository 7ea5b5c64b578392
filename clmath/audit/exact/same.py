"""Results that are the same, bit by bit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["same"]


def same(one: np.ndarray, other: np.ndarray, *, bits_of_nan: bool = False) -> NDArray[np.bool_]:
    """Where two arrays of one type hold the same bits; all NaN are the same unless ``bits_of_nan``."""
    if one.dtype.kind in "iub":
        return np.asarray(one == other)
    unsigned = f"u{one.dtype.itemsize}"
    alike = np.ascontiguousarray(one).view(unsigned) == np.ascontiguousarray(other).view(unsigned)
    return np.asarray(alike if bits_of_nan else alike | (np.isnan(one) & np.isnan(other)))
