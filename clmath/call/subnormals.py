"""Subnormal numbers as zeros, where a block of ``flush_to_zero`` is in force: OpenCL C++ 1.0, 4.5.3."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath import pragmas
from clmath.numbers.formats import format_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clmath.numbers.formats import Format

__all__ = ["all_as_here", "as_here", "flushed", "zeros"]


def flushed(values: np.ndarray, sizes: np.ndarray | None = None) -> np.ndarray:
    """``values`` as they are, or with ``zeros`` where their format is flushed here."""
    form = format_of(values.dtype)
    is_here = form is not None and form.name in pragmas.flushed_formats()
    return zeros(values, form, sizes) if form is not None and is_here else values


def as_here(values: np.ndarray) -> np.ndarray:
    """What an operation takes an operand for, or returns; the array itself where no block is in force."""
    return flushed(values) if pragmas.may_flush() else values


def all_as_here(arrays: Iterable[np.ndarray]) -> list[np.ndarray]:
    """The same of several."""
    return [as_here(a) for a in arrays]


def zeros(values: np.ndarray, form: Format, sizes: np.ndarray | None = None) -> np.ndarray:
    """``values`` with zeros of their signs where ``sizes``, by default themselves, are below the normal numbers."""
    with np.errstate(invalid="ignore"):
        small = np.abs(values if sizes is None else sizes) < form.smallest_normal
    found = np.where(small, np.copysign(values.dtype.type(0), values), values)
    return found.astype(values.dtype, copy=False)
