"""Ufuncs of what needs no rounding by kernels: one loop for the types of a call, compiled or of a function of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.engines import choice, ufuncs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["ufunc"]

_MADE: dict[tuple[Any, ...], np.ufunc] = {}


def ufunc(  # noqa: PLR0917 - all of them tell ufuncs apart
    call: str,
    option: object,
    inputs: Sequence[np.dtype],
    output: np.dtype,
    function: Callable[..., np.ndarray],
    whole: str = "",
) -> np.ufunc:
    """Return the ufunc of native numbers of the types ``inputs`` whose results are of ``output``.

    ``function`` has the results for arrays of one axis, in any type; it follows from all the others. ``whole``: what the
    native engine calls the same, if it has it.
    """
    native = tuple([dtype.newbyteorder("=") for dtype in inputs])
    key = call, option, native, output, whole
    found = _MADE.get(key)
    if found is None:
        found = _MADE[key] = _made(call, native, output, function, whole)
    return found


def _made(
    call: str, inputs: Sequence[np.dtype], output: np.dtype, function: Callable[..., np.ndarray], whole: str
) -> np.ufunc:
    def decide(args: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
        return (np.asarray(function(*args)).astype(output, copy=False),)

    types = inputs, [output]
    loop = choice.NATIVE.whole_ufunc_loop(whole, types, decide) if whole else None
    return ufuncs.ufunc(call, [loop or ufuncs.Loop.of_function(call, types, decide)], len(inputs))
