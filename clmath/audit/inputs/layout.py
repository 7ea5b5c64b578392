"""Layout of arguments in arrays: one column per argument, or per component of a vector argument."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.audit.inputs import operands
from clmath.audit.plan.exact_item import ExactItem

if TYPE_CHECKING:
    from clmath.audit.plan.item import Item

__all__ = ["Columns", "arguments", "dtypes", "is_exhaustive"]

Columns: TypeAlias = "tuple[np.ndarray, ...]"


@functools.singledispatch
def arguments(item: Item, values: Columns) -> Columns:
    """Return the arrays that are passed to a target: the last axis has the components of a vector argument."""
    if not item.width:
        return values
    lanes = range(0, len(values), item.width)
    return tuple(np.stack(values[i : i + item.width], axis=-1) for i in lanes)


@functools.singledispatch
def dtypes(item: Item) -> tuple[np.dtype, ...]:
    """Return the dtype of every column."""
    kinds = {"gentype": item.form.dtype, "intn": np.dtype(np.int32), "nancode": item.form.bits_dtype}
    return tuple(kinds[kind] for kind in item.columns)


@functools.singledispatch
def is_exhaustive(item: Item) -> bool:
    """Whether the structured inputs are all inputs that exist."""
    return item.size <= operands.FEW


# rows whose results are prescribed one by one have arguments of their own
arguments.register(ExactItem, operands.arguments)
dtypes.register(ExactItem, operands.dtypes)
is_exhaustive.register(ExactItem, operands.is_exhaustive)
