"""Differences of results bit by bit, and in numbers of the format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.audit.counting.tally import ulps_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["differ", "farthest", "sizes", "steps"]


def differ(got: np.ndarray, want: np.ndarray, *, bits_of_nan: bool = False) -> NDArray[np.bool_]:
    """Return where two arrays of one type hold different bits; any NaN equals any NaN unless ``bits_of_nan``."""
    if want.dtype.kind in "iub":
        return np.asarray(got != want)
    apart = np.asarray(_encodings(got) != _encodings(want))
    return apart if bits_of_nan else apart & ~(np.isnan(got) & np.isnan(want))


def sizes(got: np.ndarray, want: np.ndarray) -> NDArray[np.float64]:
    """Return how many numbers of the format lie between two arrays; infinite between NaN and a number."""
    if want.dtype.kind in "iub":
        return np.abs(got.astype(np.float64) - want.astype(np.float64))
    distance = np.abs(_keys(got) - _keys(want))
    return np.where(np.isnan(got) != np.isnan(want), np.inf, distance)


def farthest(distances: NDArray[np.float64], wrong: NDArray[np.bool_], most: int) -> list[tuple[int, ...]]:
    """Return the places of the ``most`` wrong results with the largest distances, in decreasing order."""
    count = min(int(wrong.sum()), most)
    order = np.argsort(-np.where(wrong, distances, -1.0), axis=None, kind="stable")[:count]
    if distances.ndim == 0:
        return [()] * count
    return list(zip(*(axis.tolist() for axis in np.unravel_index(order, distances.shape)), strict=True))


def steps(got: Any, want: Any) -> str:
    """Text of the number of steps from ``want`` to ``got`` in the format, if both are finite; zeros differ in sign."""
    if want.dtype.kind in "iub" or not (np.isfinite(got) and np.isfinite(want)):
        return ""
    keys = [int(_ordered(np.atleast_1d(v)).item()) for v in (got, want)]
    return ulps_text(keys[0] - keys[1]) if keys[0] != keys[1] else "wrong sign of zero"


def _encodings(values: np.ndarray) -> np.ndarray:
    native = np.ascontiguousarray(values, values.dtype.newbyteorder("="))
    return native.view(f"u{values.dtype.itemsize}").reshape(values.shape)


def _ordered(values: np.ndarray) -> NDArray[np.int64]:
    """Return the positions of numbers in ascending order: neighbours are 1 apart, both zeros have 0."""
    codes = _encodings(values).view(f"i{values.dtype.itemsize}").astype(np.int64)
    lowest = np.int64(-(1 << 8 * values.dtype.itemsize - 1))
    return np.asarray(np.where(codes < 0, lowest - codes, codes))


def _keys(values: np.ndarray) -> NDArray[np.float64]:
    return np.asarray(_ordered(values).astype(np.float64))
