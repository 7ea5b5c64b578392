"""Layout of arguments in arrays: one column per argument, or per component of a vector argument."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from clmath.audit.plan.item import Item
from clmath.audit.plan.types import TYPES
from clmath.numbers.formats import Format

Columns: TypeAlias = "tuple[np.ndarray, ...]"

FEW = 16  # all inputs are tried if the arguments of a call have at most this many bits


def arguments(item: Item, values: Columns) -> Columns:
    """Return the arrays that are passed to a target: the last axis has the components of a vector argument."""
    if not item.width:
        return values
    rest, found = list(values), []
    for parameter in item.builtin.inputs:
        count = item.width if item.has_components(parameter.type) else 1
        found.append(np.stack(rest[:count], axis=-1) if item.has_components(parameter.type) else rest[0])
        del rest[:count]
    return tuple(found)


def without_repetition(values: Columns) -> Columns:
    """Return the inputs without repetitions."""
    encodings = [v.view(f"u{v.itemsize}") for v in values]
    order = np.lexsort(encodings)  # a stable sort
    differs = np.logical_or.reduce([column[order[1:]] != column[order[:-1]] for column in encodings])
    first = np.sort(order[np.append(np.ones(min(len(order), 1), np.bool_), differs)])
    return tuple(v[first] for v in values)


def dtype_of(kind: str, form: Format) -> np.dtype:
    """Return the dtype of values declared as ``kind`` in a row whose type is ``form``."""
    known = {"gentype": form.dtype, "intn": np.dtype(np.int32), "nancode": form.bits_dtype}
    return known[kind] if kind in known else TYPES[kind].dtype


def dtypes(item: Item) -> tuple[np.dtype, ...]:
    """Return the dtype of every column."""
    return tuple(dtype_of(kind, item.form) for kind in item.columns)


def is_exhaustive(item: Item) -> bool:
    """Whether the structured inputs are all inputs that exist."""
    return item.size <= FEW
