"""Subnormal numbers as zeros in a block of ``flush_to_zero``: OpenCL C++ 1.0, 4.5.3."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath import pragmas
from clmath.numbers.formats import format_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from clmath.call.evaluation import Store
    from clmath.call.prepared import Call
    from clmath.call.slices import Operands
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding


def as_here(values: np.ndarray, sizes: np.ndarray | None = None) -> np.ndarray:
    """Return an operand or a result, with ``zeros`` if a block that flushes its format is in force."""
    if not pragmas.may_flush():
        return values
    form = format_of(values.dtype)
    is_here = form is not None and form.name in pragmas.flushed_formats()
    return zeros(values, form, sizes) if form is not None and is_here else values


def all_as_here(arrays: Iterable[np.ndarray]) -> list[np.ndarray]:
    """Return several arrays as ``as_here`` does."""
    return [as_here(a) for a in arrays]


def zeros(values: np.ndarray, form: Format, sizes: np.ndarray | None = None) -> np.ndarray:
    """Return ``values``, signed zeros where ``sizes``, by default themselves, are below the normal numbers."""
    with np.errstate(invalid="ignore"):
        small = np.abs(values if sizes is None else sizes) < form.smallest_normal
    found = np.where(small, np.copysign(values.dtype.type(0), values), values)
    return found.astype(values.dtype, copy=False)


def is_flushed(call: Call, names: tuple[str, ...]) -> bool:
    """Whether a call computes in one of the formats, rather than only moving bits."""
    return call.form.name in names and not call.builtin.moves_bits


def flushing(call: Call, mode: Rounding, store_in: Callable[[Rounding], Store]) -> Store:
    """Return the store of ``call`` that makes zeros of subnormal arguments, and then of subnormal results.

    ``store_in`` gives the store of a rounding mode. Zeros have the signs of the flushed numbers. A result is subnormal
    if its exact value is, before rounding: where a result is the smallest normal number, the result rounded toward zero
    decides. Formulas have no such exact value.
    """
    form, inputs = call.form, call.builtin.inputs

    def store(operands: Operands, threads: int) -> None:
        args = [zeros(a, form) if p.type == "gentype" else a for a, p in zip(operands.args, inputs, strict=True)]
        found = [np.empty(r.shape, r.dtype.newbyteorder("=")) for r in operands.results]
        some = operands._replace(args=args, results=found)
        store_in(mode)(some, threads)
        sizes = found
        if _decides_later(call, found):
            sizes = [np.empty_like(f) for f in found]
            store_in("rtz")(some._replace(results=sizes), threads)
        for result, value, size in zip(operands.results, found, sizes, strict=True):
            result[...] = zeros(value, form, size) if value.dtype == form.dtype else value

    return store


def _decides_later(call: Call, found: Sequence[np.ndarray]) -> bool:
    """Whether a result may be the smallest normal number because it was rounded."""
    form, row = call.form, call.builtin
    if row.exact or row.formula:
        return False
    return any(r.dtype == form.dtype and bool((np.abs(r) == form.smallest_normal).any()) for r in found)
