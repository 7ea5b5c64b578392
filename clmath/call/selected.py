"""Calls that compute some of their elements alone: ``where``, as NumPy's ufuncs have it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors
from clmath.call.arguments import as_array, common_shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["mask_of", "picked", "put"]


def mask_of(call: str, where: Any, names: Sequence[str], shapes: Sequence[tuple[int, ...]]) -> NDArray[np.bool_]:
    """A copy of ``where`` in the shape that it broadcasts to with the arguments' ``shapes``, those of vectors cut."""
    given = as_array(call, "where", where)
    if given.dtype != np.bool_:
        way = "np.asarray(where, bool)" if given.dtype.kind in "iuf" else "say for each element whether it is computed"
        raise errors.DTypeError(f"{call}: where has dtype {given.dtype}; bool is needed: {way}")
    shape = common_shape(call, (*names, "where"), (*shapes, given.shape))
    return np.array(np.broadcast_to(given, shape))


def picked(mask: NDArray[np.bool_], array: NDArray[Any], lanes: tuple[int, ...] = ()) -> NDArray[Any]:
    """The elements of ``array`` that ``mask`` picks, one after another; ``lanes``: the last axis of vectors."""
    found: NDArray[Any] = np.broadcast_to(array, (*mask.shape, *lanes))[mask]
    return found


def put(mask: NDArray[np.bool_], targets: Sequence[NDArray[Any]], values: Sequence[NDArray[Any]]) -> None:
    """Write the ``values`` of the elements that ``mask`` picks to where they belong."""
    for target, value in zip(targets, values, strict=True):
        target[mask] = value
