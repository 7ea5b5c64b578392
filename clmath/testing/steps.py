"""Distances of results, in numbers of the format."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.counting.spread import ordered
from clmath.audit.counting.spread import steps as steps_between
from clmath.audit.counting.tally import ulps_text
from clmath.numbers.formats import FLOAT, format_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["farthest", "sizes", "steps"]


def sizes(got: np.ndarray, want: np.ndarray) -> NDArray[np.float64]:
    """Return how many numbers of the format lie between two arrays; a huge number between NaN and a number."""
    form = format_of(want.dtype) or FLOAT  # the distance of integers does not depend on it
    return np.asarray(steps_between(got, want, form).astype(np.float64))


def farthest(distances: NDArray[np.float64], wrong: NDArray[np.bool_], most: int) -> list[tuple[int, ...]]:
    """Return the places of the ``most`` wrong results with the largest distances, in decreasing order."""
    count = min(int(wrong.sum()), most)
    order = np.argsort(-np.where(wrong, distances, -1.0), axis=None, kind="stable")[:count]
    if distances.ndim == 0:
        return [()] * count
    return list(zip(*(axis.tolist() for axis in np.unravel_index(order, distances.shape)), strict=True))


def steps(got: np.generic, want: np.generic) -> str:
    """Text of the number of steps from ``want`` to ``got`` in the format, if both are finite; zeros differ in sign."""
    form = format_of(want.dtype)
    if form is None or not (np.isfinite(got) and np.isfinite(want)):
        return ""
    keys = [int(ordered(np.atleast_1d(value), form).item()) for value in (got, want)]
    return ulps_text(keys[0] - keys[1]) if keys[0] != keys[1] else "wrong sign of zero"
