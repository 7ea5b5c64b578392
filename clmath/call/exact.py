"""Ufuncs of functions whose results need no rounding by kernels: one loop for the types of a call."""

from __future__ import annotations

import functools
import typing
from typing import TYPE_CHECKING

import numpy as np

from clmath.direct.conversions import conversion, is_move
from clmath.direct.conversions import label as label_of_conversion
from clmath.direct.labels import label
from clmath.engines import choice, ufuncs
from clmath.numbers import guard

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.call.readers import Operand
    from clmath.numbers.rounding import Rounding

_MADE: dict[object, np.ufunc] = {}
_FEW = 512  # elements
_OF_BITS = frozenset({np.positive, np.negative})  # of NumPy: for numbers of every type only the sign changes


def as_ufunc(function: Callable[..., object]) -> np.ufunc:
    """Return a function that is called like a ufunc, with ``out`` as a tuple."""
    return typing.cast("np.ufunc", function)


def elementwise(
    call: str, inputs: Sequence[np.dtype], output: np.dtype, function: Callable[..., np.ndarray]
) -> np.ufunc:
    """Return the ufunc of ``function``, which has a name, of native numbers of the types ``inputs``.

    Where NumPy has a loop for these integers, it is NumPy's own ufunc.
    """
    native = tuple([dtype.newbyteorder("=") for dtype in inputs])
    if isinstance(function, np.ufunc) and _has_loop(function, native, output):
        return function
    return ufunc(call, None, native, output, function, label(function, native, output))


def _has_loop(function: np.ufunc, inputs: tuple[np.dtype, ...], output: np.dtype) -> bool:
    """Whether NumPy's ``function`` has a loop of these types that no flag of the processor's arithmetic touches."""
    if any(dtype.kind == "f" for dtype in inputs) and function not in _OF_BITS:
        return False
    found: tuple[np.dtype, ...] = function.resolve_dtypes((*inputs, None))
    return found == (*inputs, output)


@functools.cache
def converting(call: str, source: np.dtype, target: np.dtype, mode: Rounding, *, sat: bool) -> np.ufunc:
    """Return the conversion of numbers of the type ``source``, of either byte order: a ufunc, or NumPy's cast."""
    native = source.newbyteorder("=")
    if is_move(native, target, sat=sat):
        return _cast(target)
    function = conversion(native, target, mode, sat=sat)
    return ufunc(call, (mode, sat), (native,), target, function, label_of_conversion(native, target, mode, sat=sat))


@functools.cache
def _cast(target: np.dtype) -> np.ufunc:
    """Return NumPy's cast to ``target``, which is called like a ufunc."""

    def cast(x: Operand, out: tuple[np.ndarray] | None = None) -> object:
        if out is None:
            return np.asarray(x).astype(target)[()]
        np.copyto(out[0], x, casting="unsafe")
        return out[0]

    return as_ufunc(cast)


def ufunc(  # noqa: PLR0917 - the key of a ufunc
    call: str,
    option: object,
    inputs: Sequence[np.dtype],
    output: np.dtype,
    function: Callable[..., np.ndarray],
    whole: str = "",
) -> np.ufunc:
    """Return the ufunc of native numbers of the types ``inputs`` whose results are of ``output``.

    ``function`` computes the results for arrays of one axis, in any type; it follows from all the others. ``whole``:
    the native engine's name of the function, if it has it.
    """
    native = tuple([dtype.newbyteorder("=") for dtype in inputs])
    key = call, option, native, output, whole
    if key in _MADE:
        return _MADE[key]

    def decide(args: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
        return (np.asarray(function(*args)).astype(output, copy=False),)

    types = native, [output]
    loop = choice.NATIVE.whole_ufunc_loop(whole, types, decide) if whole else None
    found = ufuncs.ufunc(call, [loop or ufuncs.Loop.of_function(call, types, decide)], len(inputs))
    is_direct = loop is None and len(inputs) == 1
    return _MADE.setdefault(key, _of_few(call, found, types, function) if is_direct else found)


def _of_few(call: str, ufunc: np.ufunc, types: ufuncs.Types, function: Callable[..., np.ndarray]) -> np.ufunc:
    """Return ``ufunc``, except that ``function`` is called directly for few elements: callbacks take longer."""
    (source,), (output,) = types

    def found(x: np.ndarray) -> np.ndarray:
        guard.refuse_altered_arithmetic(call)
        with np.errstate(all="ignore"):
            native = x.astype(source, casting="safe").reshape(x.shape or 1)  # a ufunc refuses an int beyond long, too
            return np.asarray(function(native)).astype(output, copy=False).reshape(x.shape)

    few = _stored(found)
    return as_ufunc(lambda x, **out: (few if np.size(x) <= _FEW else ufunc)(x, **out))


@functools.cache
def reducing(output: np.dtype, function: Callable[[np.ndarray], np.ndarray]) -> np.ufunc:
    """Return ``function`` of vectors of integers on the last axis, called as a ufunc; results are of ``output``."""
    return _stored(lambda t: np.asarray(function(t).astype(output), order="C"))


def _stored(function: Callable[[np.ndarray], np.ndarray]) -> np.ufunc:
    """Return ``function`` called as a ufunc of one argument."""

    def evaluated(x: Operand, out: tuple[np.ndarray] | None = None) -> object:
        found = function(np.asarray(x))
        if out is None:
            return found[()]
        out[0][...] = found
        return out[0]

    return as_ufunc(evaluated)
