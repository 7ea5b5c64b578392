"""Arrays of pyopencl: contiguous ones of one shape in one context."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors
from clmath.call.device_arrays.library import Opened, Piece
from clmath.engines.device.opencl import engine_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from clmath.engines.device.engine import Device

__all__ = ["OPENCL"]


class _OpenCL:
    name = "pyopencl"
    broadcasts = False

    def owns(self, value: Any) -> bool:
        """An array of pyopencl, which must be imported by whoever made it."""
        module = sys.modules.get("pyopencl.array")
        return module is not None and isinstance(value, module.Array)

    def opened(self, call: str, names: Sequence[str], args: Sequence[Any]) -> Opened:
        """The arguments themselves."""
        for name, a in zip(names, args, strict=True):
            if not self.owns(a):
                kind = f"{type(a).__module__}.{type(a).__qualname__}"
                raise errors.DTypeError(
                    f"{call}: {name} is a {kind}, another argument an array on a device; all must lie there: "
                    f"pyopencl.array.to_device(queue, numpy.asarray({name}))"
                )
            if not a.flags.c_contiguous:
                raise errors.ShapeError(f"{call}: {name} is not contiguous; on a device it must be: copy it")
            if a.context != args[0].context or a.queue.device != args[0].queue.device:
                fact = f"{names[0]} and {name} lie on two devices or in two contexts"
                raise errors.DTypeError(f"{call}: {fact}; one is needed")
        return Opened(tuple(args), lambda result: result)

    def sent(self, value: NDArray[Any], beside: Any) -> Any:
        """An array in the context of ``beside``."""
        return sys.modules["pyopencl.array"].to_device(beside.queue, value)

    def empty(self, shape: tuple[int, ...], dtype: np.dtype[Any], beside: Any) -> Any:
        """A new array in the context of ``beside``."""
        return sys.modules["pyopencl.array"].empty(beside.queue, shape, dtype)

    def takes(self, out: Any, beside: Any) -> bool:
        """Whether ``out`` is one that begins its buffer, as the engine needs it."""
        return self.owns(out) and out.flags.c_contiguous and not out.offset and out.context == beside.context

    def overlap(self, array: Any, results: Sequence[Any]) -> bool:
        """By the bytes that they lie in."""
        owner, first, last = _bounds(array)
        return any(owner == other and start < last and first < end for other, start, end in map(_bounds, results))

    def pieces(self, args: Sequence[Any], results: Sequence[Any]) -> Iterator[Piece]:
        """All at once; an argument that does not begin its buffer, or that a result overwrites, is copied."""
        for a in (*args, *results):
            a.queue.finish()  # whatever writes to the arguments
        sources = tuple(a.copy() if a.offset or self.overlap(a, results) else a for a in args)
        for a in sources:
            a.queue.finish()
        yield Piece(sources, tuple(results))

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


def _bounds(array: Any) -> tuple[Any, int, int]:
    """The buffer that has the memory of the contiguous ``array``, and between which of its bytes that lies."""
    if not array.size:
        return None, 0, 0
    info, buffer = sys.modules["pyopencl"].mem_info, array.base_data
    owner = buffer.get_info(info.ASSOCIATED_MEMOBJECT)  # of a part of a buffer
    first = array.offset + (buffer.get_info(info.OFFSET) if owner else 0)
    return owner or buffer, first, first + array.nbytes


OPENCL = _OpenCL()
