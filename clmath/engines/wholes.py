"""Whole built-ins on arrays: NumPy runs the functions that the native engine compiles."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.engines.intrinsics import as_tuple, intrinsic
from clmath.numbers.formats import format_of
from clmath.numbers.rounding import canonical, widen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.engines.protocol import Values
    from clmath.kernels.whole import Way, Whole

    Places: TypeAlias = slice | NDArray[np.int64]


def evaluate(label: str, args: Sequence[Values], targets: Sequence[Values]) -> NDArray[np.int64]:
    """Store every result of the built-in ``label`` for arrays of one axis; return the elements that it leaves.

    Without such a function it leaves all.
    """
    from clmath.kernels.whole import of_formats

    whole = of_formats().get(label)
    if whole is None:
        return np.arange(args[0].size)
    shorter = intrinsic(label)
    left = np.arange(0 if whole.is_typed or shorter is not None else args[0].size)
    if whole.is_typed:
        _bits(targets[0])[...] = whole.ways[0].functions[0](*map(_bits, args))
        return left
    if shorter is not None:
        for target, values in zip(targets, shorter(*args), strict=True):
            target[...] = values
    elements = [_element(a) for a in args] if left.size else ()
    for way in whole.ways if left.size else ():
        left = _by_way(whole, way, elements, targets, left)
    for target in targets:
        form = format_of(target.dtype)
        if form is not None:
            canonical(target, form)
    return left


def _by_way(
    whole: Whole, way: Way, elements: Sequence[np.ndarray], targets: Sequence[Values], left: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Store the results of one code path for the elements that are ``left``; return the elements left then."""
    others = left[:0]
    if way.holds is not None:
        holds = way.holds(*_picked(elements, left), **way.holds_known)
        left, others = left[holds], left[~holds]
    if not left.size:
        return others
    some = _picked(elements, left)
    found = [part for function in way.functions for part in as_tuple(function(*some, **way.known))]
    undecided = found.pop() if whole.leaves else None
    store = _store_values if whole.values else _store_encodings
    for target, values in zip(targets, found, strict=True):
        store(target, slice(None) if left.size == target.size else left, values)
    return others if undecided is None else np.concatenate([others, left[undecided]])


def _picked(elements: Sequence[np.ndarray], left: NDArray[np.int64]) -> Sequence[np.ndarray]:
    return elements if left.size == elements[0].size else [element[left] for element in elements]


def _element(values: Values) -> np.ndarray:
    """Return ``values`` as elementwise functions take them: integers of 64 bits as int64, all others as doubles."""
    if values.dtype.kind in "iu" and values.dtype.itemsize == 8:
        return values.view(np.int64)
    return widen(values)


def _bits(values: Values) -> np.ndarray:
    return values.view(f"u{values.dtype.itemsize}")


def _store_encodings(target: Values, places: Places, codes: np.ndarray | int) -> None:
    bits = _bits(target)
    bits[places] = np.asarray(codes).astype(bits.dtype, copy=False)


def _store_values(target: Values, places: Places, values: np.ndarray) -> None:
    target[places] = values
