"""Calls where subnormal numbers are flushed to zero, as devices without them may: OpenCL C++ 1.0, 4.2 and 4.5.3."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath import errors
from clmath.call import on_device
from clmath.call.subnormals import zeros

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.call.evaluation import Store
    from clmath.call.prepared import Call
    from clmath.call.slices import Operands
    from clmath.numbers.rounding import Rounding

__all__ = ["flushing", "is_flushed", "refuse_device"]


def is_flushed(call: Call, names: tuple[str, ...]) -> bool:
    """Whether a call computes in one of the formats; what moves bits does not compute."""
    return call.form.name in names and not call.builtin.moves_bits


def refuse_device(name: str, args: tuple[object, ...]) -> None:
    """DTypeError for arrays on a device, which flushes or does not flush whatever is asked."""
    if on_device.are_there(args):
        fact = "flush_to_zero is in force, and arguments lie on a device"
        raise errors.DTypeError(f"{name}(): {fact}, which flushes by itself or not: copy them to the host first")


def flushing(call: Call, mode: Rounding, store_in: Callable[[Rounding], Store]) -> Store:
    """Return the store of ``call`` that makes zeros of subnormal arguments, and then of subnormal results.

    ``store_in`` gives the store of a rounding mode. Every zero has the sign of what is flushed. A result is subnormal
    where its exact value is, before it is rounded: of those that are the smallest normal number, the result toward zero
    tells. Formulas have no such exact value.
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
