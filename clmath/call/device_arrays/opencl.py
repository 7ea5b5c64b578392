"""Arrays of pyopencl: contiguous ones of one shape in one context."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors
from clmath.call.arguments import is_weak
from clmath.call.containers import type_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from clmath.call.device_arrays.library import Opened, Piece
    from clmath.engines.device.engine import Device

_ROOM = 20 << 20  # bytes of arguments that are copied at a time
_ALIGNED = 4096  # elements: a part of a buffer begins at a multiple of at most this number of bytes


class _OpenCL:
    name = "pyopencl"
    broadcasts = False

    def owns(self, value: object) -> bool:
        """Whether ``value`` is an array of pyopencl, which its maker has imported."""
        module = sys.modules.get("pyopencl.array")
        return module is not None and isinstance(value, module.Array)

    def opened(self, call: str, names: Sequence[str], args: Sequence[Any]) -> Opened:
        """The arguments themselves."""
        beside = next(a for a in args if self.owns(a))
        for name, a in zip(names, args, strict=True):
            if is_weak(a):
                continue
            if not self.owns(a):
                fact = f"{name} is a {type_name(a)}, another argument an array on a device; all must lie there"
                way = f"pyopencl.array.to_device(queue, numpy.asarray({name}))"
                raise errors.DTypeError(f"{call}: {fact}: {way}")
            unfit = _unfit(a, name, beside)
            if unfit:
                raise errors.DTypeError(f"{call}: {name} {unfit}")
            if not a.flags.c_contiguous:
                raise errors.ShapeError(f"{call}: {name} {_scattered(a, name)}")
        return args, lambda result: result

    def sent(self, value: np.ndarray, beside: Any) -> Any:
        """An array in the context of ``beside``."""
        return sys.modules["pyopencl.array"].to_device(beside.queue, value)

    def empty(self, shape: tuple[int, ...], dtype: np.dtype, beside: Any) -> Any:
        """A new array in the context of ``beside``."""
        return sys.modules["pyopencl.array"].empty(beside.queue, shape, dtype)

    def unfit(self, out: Any, beside: Any) -> str:
        """Check ``out`` like an argument; it must also begin its buffer, since the engine needs that."""
        if not self.owns(out):
            return f"is a {type_name(out)}; an array of pyopencl is needed: pyopencl.array.empty(queue, shape, dtype)"
        if out.offset:
            return "begins within its buffer; one that begins with it is needed: pyopencl.array.empty(...)"
        return _unfit(out, "out", beside) or ("" if out.flags.c_contiguous else _scattered(out, "out"))

    def overlap(self, array: object, results: Sequence[object]) -> bool:
        """Compare the ranges of memory."""
        owner, first, last = _bounds(array)
        return any(owner == other and start < last and first < end for other, start, end in map(_bounds, results))

    def pieces(self, args: Sequence[Any], results: Sequence[Any]) -> Iterator[Piece]:
        """Split the call: arguments that begin within their buffer, or that results overwrite, are copied in parts.

        A number is written into as many elements as a part has. Arrays without parts are copied to or from a part.
        """
        for a in (*args, *results):  # all work that writes to the arguments, or still reads what results overwrite
            a.finish()  # in other queues
            a.queue.finish()
        size, arrays = int(results[0].size), [*(self._apart(a, results) for a in args), *results]
        copied = self._copied(arrays, results)
        step = _step(arrays, copied, size)
        rooms = [_room(a, step, a.size < size) if c else None for a, c in zip(arrays, copied, strict=True)]
        places, last = list(zip(arrays, rooms, strict=True)), len(args)
        for first in range(0, size, step):
            count = min(step, size - first)
            for a, room in places[:last]:
                if room is not None and a.size == size:
                    _copy(a, first, room, 0, count)
            parts = tuple(_part(a, first, count) if room is None else room[:count] for a, room in places)
            yield parts[:last], parts[last:]
            for a, room in places[last:]:
                if room is not None:
                    _copy(room, 0, a, first, count)

    def _apart(self, array: Any, results: Sequence[Any]) -> Any:
        """Return ``array``, or a copy of all of it if results of earlier elements overwrite what later ones read."""
        if not any(self.overlap(array, [r]) and not _stays_behind(r, array) for r in results):
            return array
        made = _room(array, array.size, is_number=False)
        _copy(array, 0, made, 0, array.size)
        return made

    def _copied(self, arrays: Sequence[Any], results: Sequence[Any]) -> list[bool]:
        """Return which of ``arrays``, arguments and then ``results``, are copied in parts."""
        size, args = int(results[0].size), arrays[: -len(results)]
        copied = [bool(a.size < size or a.offset or self.overlap(a, results)) for a in args] + [False] * len(results)
        if _step(arrays, copied, size) == size:
            return copied
        return [c or not _is_divisible(a) for a, c in zip(arrays, copied, strict=True)]

    def engine(self, array: Any) -> Device:
        """The engine of the array's device, in the array's context."""
        from clmath.engines.device.opencl import engine_of

        return engine_of(array.context, array.queue.device)

    def buffer(self, array: Any) -> Any:
        """The buffer that the array begins."""
        return array.base_data

    def taken(self, array: Any, elements: NDArray[np.int64]) -> np.ndarray:
        """Read the elements one by one: they are few."""
        found, machine = np.empty(elements.size, array.dtype), self.engine(array).machine
        for i, element in enumerate(elements):
            machine.get(array.base_data, found[i : i + 1], int(element) * array.dtype.itemsize)
        return found

    def put(self, array: Any, elements: NDArray[np.int64], values: np.ndarray) -> None:
        """Write the elements one by one."""
        machine = self.engine(array).machine
        for element, value in zip(elements, values, strict=True):
            machine.set(array.base_data, value.reshape(1), int(element) * array.dtype.itemsize)


def _unfit(array: Any, name: str, beside: Any) -> str:
    """Say why ``array`` cannot be an operand of a call with ``beside``, with the remedy; empty if it can."""
    if array.queue is None:
        return f"has no queue; one says on which device it lies: {name}.with_queue(queue)"
    if array.size and not isinstance(array.base_data, sys.modules["pyopencl"].MemoryObjectHolder):
        return f"is in shared virtual memory; a buffer is needed: pyopencl.array.to_device(queue, {name}.get())"
    if array.context != beside.context or array.queue.device != beside.queue.device:
        return "lies on another device, or in another context, than the first array; one is needed: send it there"
    return ""


def _scattered(array: Any, name: str) -> str:
    """Say that ``array`` is not contiguous, with the remedy."""
    way = f"{name}.T is, and so is the .T of the result" if array.flags.f_contiguous else "slice it on the host"
    return f"is not contiguous in C order; on a device it must be: {way}"


def _is_divisible(array: object) -> bool:
    """Whether parts of the array's buffer can be buffers: parts of a pool's buffer cannot."""
    return isinstance(_bounds(array)[0], sys.modules["pyopencl"].Buffer)


def _stays_behind(result: Any, array: Any) -> bool:
    """Whether elements computed in order never overwrite ``array`` before it is read, wherever ``result`` lies.

    Elements before i are written below start + i * itemsize of the result; elements from i on are read from there on in
    the array.
    """
    return bool(_bounds(result)[1] <= _bounds(array)[1] and result.dtype.itemsize <= array.dtype.itemsize)


def _step(arrays: Sequence[Any], copied: Sequence[bool], size: int) -> int:
    """Return how many of ``size`` elements are computed at a time: limited by the space for copies, or all.

    Parts begin where parts of buffers may.
    """
    each = sum(int(a.dtype.itemsize) for a, is_copied in zip(arrays, copied, strict=True) if is_copied)
    return min(size, max(_ROOM // each // _ALIGNED, 1) * _ALIGNED) if each else size


def _part(array: Any, first: int, count: int) -> Any:
    """Return ``count`` elements of the contiguous ``array``, in a part of its buffer, or all as ``array`` itself."""
    if count == array.size:
        return array
    owner, start, _ = _bounds(array)
    size = array.dtype.itemsize
    data = owner.get_sub_region(start + first * size, count * size)
    return sys.modules["pyopencl.array"].Array(array.queue, (count,), array.dtype, data=data)


def _room(array: Any, count: int, is_number: bool) -> Any:
    """A new array of the type of ``array``, filled with its one element if it is a number."""
    cl, queue = sys.modules["pyopencl"], array.queue
    made = sys.modules["pyopencl.array"].empty(queue, (count,), array.dtype)
    if is_number:
        cl.enqueue_fill_buffer(queue, made.base_data, array.get().reshape(1), 0, made.nbytes).wait()
    return made


def _copy(source: Any, first: int, target: Any, place: int, count: int) -> None:
    """Copy ``count`` elements of the contiguous ``source``, from ``first`` on, into ``target``, from ``place`` on."""
    size = source.dtype.itemsize
    offsets = {"src_offset": source.offset + first * size, "dst_offset": target.offset + place * size}
    copy = sys.modules["pyopencl"].enqueue_copy
    copy(target.queue, target.base_data, source.base_data, **offsets, byte_count=count * size).wait()


def _bounds(array: Any) -> tuple[Any, int, int]:
    """Return the buffer that has the memory of the contiguous ``array``, and the array's range of bytes in it."""
    if not array.size:
        return None, 0, 0
    info, buffer = sys.modules["pyopencl"].mem_info, array.base_data
    owner = buffer.get_info(info.ASSOCIATED_MEMOBJECT)  # of a part of a buffer
    first = array.offset + (buffer.get_info(info.OFFSET) if owner else 0)
    return owner or buffer, first, first + array.nbytes


OPENCL = _OpenCL()
