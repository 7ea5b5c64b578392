"""Calls that compute some of their elements alone: ``where``, as NumPy's ufuncs have it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors
from clmath.call.arguments import as_array, common_shape
from clmath.call.containers import has_labels, values_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["mask_of", "of_lanes", "picked", "pieces", "put"]

_PIECE = 1 << 17  # lanes


def mask_of(call: str, where: object, names: Sequence[str], shapes: Sequence[tuple[int, ...]]) -> NDArray[np.bool_]:
    """A copy of ``where`` in the shape that it broadcasts to with the arguments' ``shapes``, those of vectors cut."""
    given = _as_plain(call, where)
    if given.dtype != np.bool_:
        way = "np.asarray(where, bool)" if given.dtype.kind in "iuf" else "say for each element whether it is computed"
        raise errors.DTypeError(f"{call}: where has dtype {given.dtype}; bool is needed: {way}")
    shape = common_shape(call, (*names, "where"), (*shapes, given.shape))
    return np.array(np.broadcast_to(given, shape))


def of_lanes(call: str, where: object) -> Any:
    """``where``, which picks vectors, for their lanes."""
    return where if where is True else _as_plain(call, where)[..., np.newaxis]


def _as_plain(call: str, where: object) -> np.ndarray:
    """Return the values of a mask with labels, which ``opened`` has compared; anything else as an array."""
    return values_of(call, "where", where) if has_labels(where) else as_array(call, "where", where)


def pieces(shape: tuple[int, ...], args: Sequence[np.ndarray], targets: Sequence[np.ndarray]) -> list[tuple[Any, ...]]:
    """Where to cut arrays of ``shape`` so that what is copied of each piece is small.

    They are left whole where ``targets`` may share memory with ``args``, which are read before anything is written.
    """
    lanes = math.prod(shape)
    if lanes <= _PIECE or any(np.may_share_memory(a, t) for a in args for t in targets):
        return [(...,)]
    axis = shape.index(max(shape))
    length = max(1, _PIECE * shape[axis] // lanes)
    return [(slice(None),) * axis + (slice(i, i + length),) for i in range(0, shape[axis], length)]


def picked(mask: NDArray[np.bool_], array: np.ndarray, lanes: tuple[int, ...] = ()) -> np.ndarray:
    """The elements of ``array`` that ``mask`` picks, one after another; ``lanes``: the last axis of vectors."""
    found: np.ndarray = np.broadcast_to(array, (*mask.shape, *lanes))[mask]
    return found


def put(mask: NDArray[np.bool_], targets: Sequence[np.ndarray], values: Sequence[np.ndarray]) -> None:
    """Write the ``values`` of the elements that ``mask`` picks to where they belong."""
    for target, value in zip(targets, values, strict=True):
        target[mask] = value
