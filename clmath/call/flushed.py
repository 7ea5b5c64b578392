"""Calls where subnormal numbers are flushed to zero, as devices without them may: OpenCL C++ 1.0, 4.2 and 4.5.3."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors
from clmath.call import on_device
from clmath.call.results import handed_back
from clmath.call.subnormals import zeros

if TYPE_CHECKING:
    from collections.abc import Callable

    from clmath.call.checked_call import Call
    from clmath.numbers.rounding import Rounding

__all__ = ["is_flushed", "refuse_device", "results"]


def is_flushed(call: Call, names: tuple[str, ...]) -> bool:
    """Whether a call computes in one of the formats; what moves bits does not compute."""
    return call.form.name in names and not call.builtin.moves_bits


def refuse_device(name: str, args: tuple[object, ...]) -> None:
    """DTypeError for arrays on a device, which flushes or does not flush whatever is asked."""
    if on_device.are_there(args):
        fact = "flush_to_zero is in force, and arguments lie on a device"
        raise errors.DTypeError(f"{name}(): {fact}, which flushes by itself or not: copy them to the host first")


def results(call: Call, mode: Rounding, evaluate: Callable[[Call, Rounding], Any]) -> Any:
    """What ``evaluate`` gives for ``call`` with its subnormal arguments, and then its subnormal results, as zeros.

    Every zero has the sign of what is flushed. A result is subnormal where its exact value is, before it is rounded: of
    those that are the smallest normal number, the result toward zero tells. Formulas have no such exact value.
    """
    form, inputs = call.form, call.builtin.inputs
    args = tuple(zeros(a, form) if p.type == "gentype" else a for a, p in zip(call.args, inputs, strict=True))
    call = call._replace(args=args, restore=None)
    found = _several(evaluate(call, mode))
    sizes = _several(evaluate(call, "rtz")) if _decides_later(call, found) else found
    pairs = zip(found, sizes, strict=True)
    return handed_back([zeros(r, form, size) if r.dtype == form.dtype else r for r, size in pairs], None, None)


def _decides_later(call: Call, found: list[np.ndarray]) -> bool:
    """Whether a result may be the smallest normal number because it was rounded."""
    form, row = call.form, call.builtin
    if row.exact or row.formula:
        return False
    return any(r.dtype == form.dtype and bool((np.abs(r) == form.smallest_normal).any()) for r in found)


def _several(found: object) -> list[np.ndarray]:
    return [np.asarray(result) for result in (found if isinstance(found, tuple) else (found,))]
