"""Arrays on a CUDA device, of CuPy and of any package that supports DLPack, such as PyTorch and JAX."""

from __future__ import annotations

import importlib.util
import math
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors
from clmath.call.arguments import is_weak
from clmath.call.containers import type_name
from clmath.engines.device.machine import UnfitDeviceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from clmath.call.device_arrays.library import Opened, Piece
    from clmath.engines.device.engine import Device

_CUDA, _CUDA_MANAGED = 2, 13  # types of devices in DLPack
_ROOM = 20 << 20  # bytes of arguments that are copied, made contiguous and of the result's shape, at a time


class _Cuda:
    name = "CUDA"
    broadcasts = True

    def owns(self, value: Any) -> bool:
        """Whether ``value`` lies, according to DLPack, on a CUDA device."""
        if isinstance(value, (np.ndarray, np.generic)) or not hasattr(type(value), "__dlpack_device__"):
            return False
        try:
            return value.__dlpack_device__()[0] in (_CUDA, _CUDA_MANAGED)
        except Exception:  # noqa: BLE001 - a traced or deleted array without a device, whatever its package raises
            return "cupy" in sys.modules and isinstance(value, sys.modules["cupy"].ndarray)

    def opened(self, call: str, names: Sequence[str], args: Sequence[object]) -> Opened:
        """The arguments as arrays of CuPy, without a copy; results as arrays of the first one's package."""
        cupy = _cupy(call)
        _refuse_deaf(call, cupy)
        _refuse_capture(call, cupy)
        found = tuple(self._opened(call, name, a) for name, a in zip(names, args, strict=True))
        for name, array in zip(names, found, strict=True):
            if not is_weak(array) and not _is_aligned(array):
                fact = f"{name} does not lie at multiples of its {array.itemsize} bytes, where a device reads numbers"
                raise errors.DTypeError(f"{call}: {fact}: {name}.copy() does")
        devices = {name: a.device.id for name, a in zip(names, found, strict=True) if not is_weak(a)}
        if len(set(devices.values())) > 1:
            facts = ", ".join(f"{name} lies on device {number}" for name, number in devices.items())
            raise errors.DTypeError(f"{call}: {facts}; all must lie on one: cupy.asarray(x) copies to the current one")
        first = next(a for a in args if self.owns(a))
        if isinstance(first, cupy.ndarray):
            return found, lambda result: result
        return found, _from_dlpack(call, first)

    def _opened(self, call: str, name: str, value: object) -> Any:
        if is_weak(value) or isinstance(value, sys.modules["cupy"].ndarray):
            return value
        if not self.owns(value):
            fact = f"{name} is a {type_name(value)}, another argument an array on a CUDA device; all must lie there"
            raise errors.DTypeError(f"{call}: {fact}: cupy.asarray({name})")
        try:
            return sys.modules["cupy"].from_dlpack(_negated(value))
        except (BufferError, RuntimeError, TypeError, ValueError) as error:
            records = getattr(value, "requires_grad", False)
            way = f"{name}.detach() records no gradient" if records else "give an array of half, float or double"
            raise errors.DTypeError(f"{call}: {name} is not handed out by DLPack ({error}): {way}") from None

    def sent(self, value: np.ndarray, beside: Any) -> Any:
        """An array on the device of ``beside``."""
        with beside.device:
            return sys.modules["cupy"].asarray(value)

    def empty(self, shape: tuple[int, ...], dtype: np.dtype, beside: Any) -> Any:
        """A new array on the device of ``beside``."""
        with beside.device:
            return sys.modules["cupy"].empty(shape, dtype)

    def unfit(self, out: Any, beside: Any) -> str:
        """Say why ``out`` cannot hold results: it is not an aligned contiguous array of CuPy on that device."""
        if not isinstance(out, sys.modules["cupy"].ndarray):
            same = "cupy.from_dlpack(out) is one, in the same memory" if self.owns(out) else "cupy.empty(shape, dtype)"
            return f"is a {type_name(out)}; an array of CuPy is needed: {same}"
        if out.device.id != beside.device.id:
            return f"lies on device {out.device.id}; device {beside.device.id}, where the arguments lie, is needed"
        if not _is_aligned(out):
            return f"does not lie at multiples of its {out.itemsize} bytes: cupy.empty(shape, dtype) does"
        return "" if out.flags.c_contiguous else "is not contiguous in C order; it must be: cupy.empty(shape, dtype)"

    def overlap(self, array: object, results: Sequence[object]) -> bool:
        """Compare the ranges of memory."""
        first, last = _bounds(array)
        return any(start < last and first < end for start, end in map(_bounds, results))

    def pieces(self, args: Sequence[Any], results: Sequence[Any]) -> Iterator[Piece]:
        """Split the call: all at once if the arguments fit as they lie, else in parts that limit the copies."""
        cupy, shape = sys.modules["cupy"], results[0].shape
        with results[0].device:
            kept = [a.shape == shape and a.flags.c_contiguous and not self.overlap(a, results) for a in args]
            if all(kept):
                yield args, results
                return
            whole = [cupy.broadcast_to(a.copy() if self._crosses(a, results) else a, shape) for a in args]
            copied = sum(a.itemsize for a, is_kept in zip(args, kept, strict=True) if not is_kept)
            for index in _parts(shape, _ROOM // copied):
                parts = zip(whole, kept, strict=True)
                sources = tuple(a[index] if is_kept else a[index].copy() for a, is_kept in parts)
                yield sources, [r[index] for r in results]

    def _crosses(self, array: object, results: Sequence[object]) -> bool:
        """Whether results overwrite elements of ``array`` that the calls of other elements read."""
        return any(self.overlap(array, [r]) and not _are_one(array, r) for r in results)

    def engine(self, array: Any) -> Device:
        """The engine of the array's device."""
        from clmath.engines.device.cuda import engine_of

        return engine_of(array.device.id)

    def buffer(self, array: object) -> Any:
        """The array itself."""
        return array

    def taken(self, array: Any, elements: NDArray[np.int64]) -> np.ndarray:
        """Gather the elements on the device."""
        with array.device:
            found: np.ndarray = array.reshape(-1)[sys.modules["cupy"].asarray(elements)].get()
        return found

    def put(self, array: Any, elements: NDArray[np.int64], values: np.ndarray) -> None:
        """Scatter the elements on the device."""
        cupy = sys.modules["cupy"]
        with array.device:
            array.reshape(-1)[cupy.asarray(elements)] = cupy.asarray(values)


def _cupy(call: str) -> Any:
    """Return CuPy, which other packages' arrays need as well."""
    if importlib.util.find_spec("cupy") is None:
        raise errors.missing(f"{call} of an array on a CUDA device", "cupy", "cuda")
    import cupy

    return cupy


def _refuse_deaf(call: str, cupy: Any) -> None:
    """Raise an error if CUDA does not answer, as in a process forked from one that has used it."""
    try:
        cupy.cuda.runtime.getDevice()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        way = "if it was forked, start processes with 'spawn'"
        raise UnfitDeviceError(f"{call}: CUDA does not answer in this process ({error}): {way}") from None


def _is_aligned(array: Any) -> bool:
    """Whether all elements lie at multiples of their size: a device that reads others ends everything on it."""
    places = (array.data.ptr, *(s for s, n in zip(array.strides, array.shape, strict=True) if n > 1))
    return array.size == 0 or all(place % array.itemsize == 0 for place in places)


def _negated(value: Any) -> Any:
    """Return a tensor of PyTorch with a lazy negation, which DLPack does not show, carried out."""
    return value.resolve_neg() if hasattr(value, "is_neg") and value.is_neg() else value


def _refuse_capture(call: str, cupy: Any) -> None:
    """Raise an error if a CUDA graph is being captured, because queued work is then recorded and not run."""
    if cupy.cuda.get_current_stream().is_capturing():
        fact = "the current stream of CuPy is being captured; the host must see which elements kernels leave undecided"
        raise errors.ClmathError(f"{call}: {fact}: call it outside of the graph")


def _from_dlpack(call: str, first: object) -> Any:
    """Return the ``from_dlpack`` of the package of ``first``: of its class, or of the first base class that has one."""
    places = [first.__array_namespace__()] if hasattr(first, "__array_namespace__") else []
    for kind in type(first).__mro__:
        package = sys.modules.get(kind.__module__.partition(".")[0])
        places += [package, getattr(package, "dlpack", None)]
    for place in places:
        if hasattr(place, "from_dlpack"):
            return place.from_dlpack
    fact = f"no from_dlpack is known that makes a {type_name(first)} of the result"
    raise errors.DTypeError(f"{call}: {fact}: give cupy.from_dlpack(x)")


def _are_one(array: Any, result: Any) -> bool:
    """Whether ``array`` occupies exactly the memory of ``result``, which is contiguous, element by element."""
    laid = array.data.ptr, array.itemsize, array.shape, array.flags.c_contiguous
    return bool(laid == (result.data.ptr, result.itemsize, result.shape, True))


def _bounds(array: Any) -> tuple[int, int]:
    """Return the addresses of the first byte of the elements of ``array``, and after the last one."""
    steps = [(count - 1) * stride for count, stride in zip(array.shape, array.strides, strict=True)]
    first = array.data.ptr + sum(step for step in steps if step < 0)
    return (first, first + sum(map(abs, steps)) + array.itemsize) if array.size else (first, first)


def _parts(shape: tuple[int, ...], room: int) -> Iterator[tuple[slice, ...]]:
    """Indices of parts of an array in C order, each contiguous in it and of ``room`` elements at most."""
    axis = 0
    while axis < len(shape) and math.prod(shape[axis + 1 :]) > room:
        axis += 1
    step = max(room // max(math.prod(shape[axis + 1 :]), 1), 1)
    for leading in np.ndindex(shape[:axis]):
        before = tuple(slice(i, i + 1) for i in leading)
        if axis == len(shape):
            yield before
        else:
            yield from ((*before, slice(first, first + step)) for first in range(0, shape[axis], step))


CUDA = _Cuda()
