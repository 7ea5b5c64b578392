"""The buffers of one OpenCL device: reused for every batch, or placed on the host's own memory."""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.plan.rows import WIDTHS
from clmath.audit.protocol.memory import BEHIND
from clmath.audit.protocol.target import UNDER_WAY

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    from numpy.typing import NDArray
    from pyopencl import Buffer, CommandQueue, Context, Device, Event

    from clmath.callables import AnyFunction

GROUP = 64  # work-items of a work-group
POISON = 0x5A  # every byte of a result before the kernel runs: 1.5e16 as float, 203.25 as half


class Buffers:
    """Copies batches to the device and results back; every buffer is as large as the largest batch so far.

    Fresh memory costs more than a fast kernel.
    """

    def __init__(self, cl: ModuleType, context: Context, queue: CommandQueue) -> None:
        self._cl, self._context, self._queue = cl, context, queue
        self._made: dict[tuple[int, int], Buffer] = {}  # by their flags and number
        self._poison = np.empty(0, np.uint8)

    def run(self, start: AnyFunction, sources: Sequence[np.ndarray], results: Sequence[np.ndarray]) -> bool:
        """Copy a batch in, call ``start`` with the buffers, copy out; return whether memory behind results is intact.

        ``results``: arrays to be filled, which like ``sources`` are contiguous.
        """
        cl = self._cl
        inputs = [self._buffer(cl.mem_flags.READ_ONLY, i, s.nbytes) for i, s in enumerate(sources)]
        for source, buffer in zip(sources, inputs, strict=True):
            cl.enqueue_copy(self._queue, buffer, source)
        sizes = [(r.nbytes, r.nbytes + max(WIDTHS) * r.itemsize) for r in results]
        outputs = [self._buffer(cl.mem_flags.READ_WRITE, i, whole) for i, (_, whole) in enumerate(sizes)]
        for buffer, (_, whole) in zip(outputs, sizes, strict=True):
            cl.enqueue_copy(self._queue, buffer, self._poisoned(whole))
        start(*inputs, *outputs)
        for result, buffer in zip(results, outputs, strict=True):
            cl.enqueue_copy(self._queue, result, buffer)
        return all(self._is_as_it_was(buffer, *size) for buffer, size in zip(outputs, sizes, strict=True))

    def any(self) -> Buffer:
        """Return a buffer for a kernel that reads and writes nothing."""
        return self._buffer(self._cl.mem_flags.READ_WRITE, 0, max(WIDTHS) * np.dtype(np.float64).itemsize)

    def _buffer(self, flags: int, number: int, size: int) -> Buffer:
        buffer = self._made.get((flags, number))
        if buffer is None or buffer.size < size:
            self._made.pop((flags, number), None)  # memory is freed before more is taken
            buffer = self._made[flags, number] = self._cl.Buffer(self._context, flags, size)
        return buffer

    def _poisoned(self, size: int) -> NDArray[np.uint8]:
        """Return an array filled with bytes that no result consists of."""
        if len(self._poison) < size:
            self._poison = np.full(size, POISON, np.uint8)
        return self._poison[:size]

    def _is_as_it_was(self, buffer: Buffer, start: int, stop: int) -> bool:
        behind = np.empty(stop - start, np.uint8)
        self._cl.enqueue_copy(self._queue, behind, buffer, src_offset=start)
        return bool((behind == POISON).all())


class Lying:
    """Let a device that computes in the host's memory read arguments and store results in place: no copies."""

    def __init__(self, cl: ModuleType, context: Context) -> None:
        self._cl, self._context = cl, context
        self._queues = itertools.cycle([cl.CommandQueue(context) for _ in range(UNDER_WAY)])

    def begin(
        self, start: AnyFunction, sources: Sequence[np.ndarray], rooms: Sequence[NDArray[np.uint8]]
    ) -> Callable[[], bool]:
        """Begin a batch: call ``start`` with a queue and the buffers; return a function that waits for the batch.

        That function returns whether memory behind results, the last ``BEHIND`` bytes of each of ``rooms``, is intact.
        """
        cl, queue = self._cl, next(self._queues)
        flags = cl.mem_flags.USE_HOST_PTR
        for room in rooms:
            room[:] = POISON
        inputs = [cl.Buffer(self._context, flags | cl.mem_flags.READ_ONLY, hostbuf=s) for s in sources]
        outputs = [cl.Buffer(self._context, flags | cl.mem_flags.READ_WRITE, hostbuf=r) for r in rooms]
        start(queue, *inputs, *outputs)
        maps = [self._mapped(queue, buffer, room) for buffer, room in zip(outputs, rooms, strict=True)]
        queue.flush()
        return functools.partial(_ended, queue, [*inputs, *outputs], maps)

    def _mapped(self, queue: CommandQueue, buffer: Buffer, room: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], Event]:
        """Return the host's view of a buffer, and the event after which it is valid."""
        flags = self._cl.map_flags.READ
        found: tuple[NDArray[np.uint8], Event] = self._cl.enqueue_map_buffer(
            queue, buffer, flags, 0, room.shape, np.uint8, is_blocking=False
        )
        return found


def _ended(queue: CommandQueue, buffers: Sequence[Buffer], maps: Sequence[tuple[NDArray[np.uint8], Event]]) -> bool:
    """Wait for the results of a batch and release its memory; return whether memory behind the results is unchanged."""
    untouched = True
    for results, event in maps:
        event.wait()
        untouched = untouched and bool((results[-BEHIND:] == POISON).all())
        results.base.release(queue)  # type: ignore[union-attr] # the mapping
    queue.finish()
    for buffer in buffers:
        buffer.release()
    return untouched


def sizes(
    device: Device, count: int, group: tuple[int, int, int] | None = None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the global and the local size for ``count`` calls: whole groups, one or more.

    ``group``: the sizes of a work-group that computes one call; by default each work-item computes one.
    """
    if group is not None:
        x, y, z = group
        return (max(count, 1) * x, y, z), group
    size = min(GROUP, int(device.max_work_group_size))
    return (max(-(-count // size), 1) * size,), (size,)
