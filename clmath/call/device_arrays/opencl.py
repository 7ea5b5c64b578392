"""Arrays of pyopencl: contiguous ones of one shape in one context."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors
from clmath.call.arguments import is_weak
from clmath.call.containers import type_name
from clmath.call.device_arrays.library import Opened, Piece
from clmath.engines.device.opencl import engine_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from clmath.engines.device.engine import Device

__all__ = ["OPENCL"]

_ROOM = 20 << 20  # bytes of arguments that are copied at a time
_ALIGNED = 4096  # elements: a part of a buffer begins at a multiple of at most so many bytes


class _OpenCL:
    name = "pyopencl"
    broadcasts = False

    def owns(self, value: Any) -> bool:
        """An array of pyopencl, which must be imported by whoever made it."""
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
        return Opened(tuple(args), lambda result: result)

    def sent(self, value: NDArray[Any], beside: Any) -> Any:
        """An array in the context of ``beside``."""
        return sys.modules["pyopencl.array"].to_device(beside.queue, value)

    def empty(self, shape: tuple[int, ...], dtype: np.dtype[Any], beside: Any) -> Any:
        """A new array in the context of ``beside``."""
        return sys.modules["pyopencl.array"].empty(beside.queue, shape, dtype)

    def unfit(self, out: Any, beside: Any) -> str:
        """As of an argument; and it must begin its buffer, as the engine needs it."""
        if not self.owns(out):
            return f"is a {type_name(out)}; an array of pyopencl is needed: pyopencl.array.empty(queue, shape, dtype)"
        if out.offset:
            return "begins within its buffer; one that begins with it is needed: pyopencl.array.empty(...)"
        return _unfit(out, "out", beside) or ("" if out.flags.c_contiguous else _scattered(out, "out"))

    def overlap(self, array: Any, results: Sequence[Any]) -> bool:
        """By the bytes that they lie in."""
        owner, first, last = _bounds(array)
        return any(owner == other and start < last and first < end for other, start, end in map(_bounds, results))

    def pieces(self, args: Sequence[Any], results: Sequence[Any]) -> Iterator[Piece]:
        """All at once but where arguments begin within their buffer, or results overwrite them: copied, in parts.

        A number is written into as many elements as a part has.
        """
        for a in (*args, *results):  # whatever writes to the arguments, or still reads what results overwrite
            a.finish()  # in other queues
            a.queue.finish()
        size, are_numbers = results[0].size, [a.shape != results[0].shape for a in args]
        copied = [bool(n or a.offset or self.overlap(a, results)) for a, n in zip(args, are_numbers, strict=True)]
        step = self._step(args, copied, results)
        room = [_room(a, step, n) if c else None for a, c, n in zip(args, copied, are_numbers, strict=True)]
        for first in range(0, size, step):
            count = min(step, size - first)
            read = zip(args, room, are_numbers, strict=True)
            sources = tuple(_read(a, first, count, to, is_number) for a, to, is_number in read)
            yield Piece(sources, tuple(_part(r, first, count) for r in results))

    def _step(self, args: Sequence[Any], copied: Sequence[bool], results: Sequence[Any]) -> int:
        """How many elements are computed at a time: all, unless arguments are copied and the others can be divided."""
        read, size = list(zip(args, copied, strict=True)), int(results[0].size)
        room: int = _ROOM // max(sum(a.dtype.itemsize for a, is_copied in read if is_copied), 1)
        divided = [*results, *(a for a, is_copied in read if not is_copied)]
        if not any(copied) or not all(map(_is_divisible, divided)) or any(self._crosses(a, results) for a in args):
            return size
        return min(size, max(room // _ALIGNED, 1) * _ALIGNED)

    def _crosses(self, array: Any, results: Sequence[Any]) -> bool:
        """Whether results are written over elements of ``array`` that other lanes read."""
        return any(self.overlap(array, [r]) and _bounds(array) != _bounds(r) for r in results)

    def engine(self, array: Any) -> Device:
        """The engine of the array's device, in the array's context."""
        return engine_of(array.context, array.queue.device)

    def buffer(self, array: Any) -> Any:
        """The buffer that the array begins."""
        return array.base_data

    def taken(self, array: Any, lanes: NDArray[np.int64]) -> NDArray[Any]:
        """Element by element: they are few."""
        found, machine = np.empty(lanes.size, array.dtype), self.engine(array).machine
        for i, lane in enumerate(lanes):
            machine.get(array.base_data, found[i : i + 1], int(lane) * array.dtype.itemsize)
        return found

    def put(self, array: Any, lanes: NDArray[np.int64], values: NDArray[Any]) -> None:
        """Element by element."""
        machine = self.engine(array).machine
        for lane, value in zip(lanes, values, strict=True):
            machine.set(array.base_data, value.reshape(1), int(lane) * array.dtype.itemsize)


def _unfit(array: Any, name: str, beside: Any) -> str:
    """Why ``array`` can be no operand of a call with ``beside``, with the remedy; nothing if it can."""
    if array.queue is None:
        return f"has no queue; one says on which device it lies: {name}.with_queue(queue)"
    if array.size and not isinstance(array.base_data, sys.modules["pyopencl"].MemoryObjectHolder):
        return f"is in shared virtual memory; a buffer is needed: pyopencl.array.to_device(queue, {name}.get())"
    if array.context != beside.context or array.queue.device != beside.queue.device:
        return "lies on another device, or in another context, than the first array; one is needed: send it there"
    return ""


def _scattered(array: Any, name: str) -> str:
    """That ``array`` is not contiguous, with the remedy."""
    way = f"{name}.T is, and so is the .T of the result" if array.flags.f_contiguous else "slice it on the host"
    return f"is not contiguous in C order; on a device it must be: {way}"


def _is_divisible(array: Any) -> bool:
    """Whether parts of the array's buffer can be buffers: those of a pool have none."""
    return isinstance(_bounds(array)[0], sys.modules["pyopencl"].Buffer)


def _part(array: Any, first: int, count: int) -> Any:
    """``count`` elements of the contiguous ``array``, in a part of its buffer; itself where these are all."""
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


def _read(array: Any, first: int, count: int, to: Any, is_number: bool) -> Any:
    """``count`` elements of the contiguous ``array`` as an argument: copied ``to`` an array, if there is one."""
    if to is None:
        return _part(array, first, count)
    if not is_number:
        places = {"src_offset": array.offset + first * array.dtype.itemsize, "byte_count": count * array.dtype.itemsize}
        sys.modules["pyopencl"].enqueue_copy(array.queue, to.base_data, array.base_data, **places).wait()
    return to[:count]


def _bounds(array: Any) -> tuple[Any, int, int]:
    """The buffer that has the memory of the contiguous ``array``, and between which of its bytes that lies."""
    if not array.size:
        return None, 0, 0
    info, buffer = sys.modules["pyopencl"].mem_info, array.base_data
    owner = buffer.get_info(info.ASSOCIATED_MEMOBJECT)  # of a part of a buffer
    first = array.offset + (buffer.get_info(info.OFFSET) if owner else 0)
    return owner or buffer, first, first + array.nbytes


OPENCL = _OpenCL()
