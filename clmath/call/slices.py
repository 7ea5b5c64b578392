"""Ufuncs and other functions on large arrays: slice after slice, by several threads on request.

NumPy looks for signals only between calls of a ufunc, so slices also make Ctrl-C take effect soon.
"""

from __future__ import annotations

import functools
import math
import os
from contextvars import copy_context
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from clmath import errors
from clmath.engines.ufuncs import RAISED, raise_own
from clmath.locks import once
from clmath.numbers import guard
from clmath.stopping import postponed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future, ThreadPoolExecutor

    Arrays: TypeAlias = "Sequence[np.ndarray]"
    Work: TypeAlias = "Callable[[Arrays, Arrays], None]"

SLICE = 1 << 17  # elements: a few milliseconds
BLOCK = 1 << 14  # elements for one call of a function of arrays: its temporaries stay in a core's cache
LEAST = 1 << 14  # elements that are worth a thread
_SLICES_OF_A_THREAD = 4  # so that threads are done at about the same time


class Operands(NamedTuple):
    """Arguments, and arrays of ``shape`` for results; ``vectors``: which of both have a further axis, the last one."""

    shape: tuple[int, ...]
    args: Arrays
    results: Arrays
    vectors: tuple[bool, ...]

    @classmethod
    def of(cls, args: Arrays, results: Arrays, vectors: tuple[bool, ...] | None = None) -> Operands:
        """Return the operands; without ``vectors`` none has a further axis."""
        vectors = (False,) * (len(args) + len(results)) if vectors is None else vectors
        shape = results[0].shape
        return cls(shape[:-1] if vectors[len(args)] else shape, args, results, vectors)

    def apart(self) -> Operands:
        """Return the operands with copies of arguments that overlap a result other than element by element."""
        return self._replace(args=[a.copy() if self._is_shifted(a) else a for a in self.args])

    def _is_shifted(self, array: np.ndarray) -> bool:
        return any(
            np.may_share_memory(array, r)
            and (array.ctypes.data, array.strides, array.shape) != (r.ctypes.data, r.strides, r.shape)
            for r in self.results
        )

    def slices(self, most: int) -> Iterator[tuple[Arrays, Arrays]]:
        """Cut arguments and results along their longest axis, into slices of about ``most`` elements."""
        shape = self.shape
        full = [
            (*shape, *a.shape[-1:]) if vector else shape for a, vector in zip(self.args, self.vectors, strict=False)
        ]
        whole = [a if a.shape == f else np.broadcast_to(a, f) for a, f in zip(self.args, full, strict=True)]
        size = math.prod(shape)
        if not shape or size <= most:
            yield whole, self.results
            return
        axis = max(range(len(shape)), key=shape.__getitem__)
        step = max(1, most * shape[axis] // size)
        for first in range(0, shape[axis], step):
            part = (slice(None),) * axis + (slice(first, first + step),)
            yield [a[part] for a in whole], [r[part] for r in self.results]


def store(ufunc: np.ufunc, operands: Operands, threads: int = 1) -> None:
    """Store the results of ``ufunc``."""
    size = math.prod(operands.shape)
    if size <= SLICE and min(threads, size // LEAST) < 2:
        _stored(ufunc, operands.args, operands.results)
    else:
        _share(functools.partial(_stored, ufunc), operands, threads, SLICE)


def store_by_step(call: str, step: Work, operands: Operands, threads: int = 1) -> None:
    """Store the results that ``step`` writes: it takes contiguous blocks of one axis, in native byte order.

    Refused where a thread flushes.
    """
    _share(functools.partial(_stepped, call, step), operands, threads, BLOCK)


def _stored(ufunc: np.ufunc, args: Arrays, results: Arrays) -> None:
    ufunc(*args, out=tuple(results))
    if RAISED:
        raise_own()


def _stepped(call: str, step: Work, args: Arrays, results: Arrays) -> None:
    """Run ``step`` over a slice, block after block."""
    guard.refuse_altered_arithmetic(call)
    flat = [_flat(a) for a in args]
    kept = [np.array(a) if any(np.may_share_memory(a, r) for r in results) else a for a in flat]
    found = [np.empty(r.size, r.dtype.newbyteorder("=")) for r in results]
    with np.errstate(all="ignore"):
        for first in range(0, results[0].size, BLOCK):
            part = slice(first, first + BLOCK)
            step([a[part] for a in kept], [f[part] for f in found])
    for result, values in zip(results, found, strict=True):
        result[...] = values.reshape(result.shape)


def _flat(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array, array.dtype.newbyteorder("=")).reshape(-1)


def _share(work: Work, operands: Operands, threads: int, most: int) -> None:
    """Do ``work`` on slices of at most about ``most`` elements, in several threads."""
    operands, size = operands.apart(), math.prod(operands.shape)
    workers = min(threads, size // LEAST)
    if workers > 1:
        most = max(LEAST, min(most, size // (workers * _SLICES_OF_A_THREAD)))
    shared = _Shared(operands.slices(most))
    if workers < 2:
        shared.do(work)
    else:
        _in_threads(shared, work, workers)


class _Shared:
    """Slices that threads take one after the other."""

    def __init__(self, slices: Iterator[tuple[Arrays, Arrays]]) -> None:
        self._slices, self._lock, self._is_stopped = slices, Lock(), False

    def stop(self, _: BaseException) -> None:
        """Stop threads from taking further slices."""
        self._is_stopped = True

    def do(self, work: Work) -> None:
        """Do ``work`` on slices until none is left, or a thread has met an error."""
        try:
            while not self._is_stopped:
                with self._lock:
                    part = next(self._slices, None)
                if part is None:
                    return
                work(*part)
        finally:
            self._is_stopped = True


def _in_threads(shared: _Shared, work: Work, workers: int) -> None:
    """Share the slices among ``workers`` threads, this one included; an error of one of them is raised here.

    All threads have ended when this returns or raises: the caller may reuse the arrays that they wrote to.
    """
    from concurrent.futures import wait

    others: list[Future[None]] = []
    with postponed(shared.stop):
        try:
            for _ in range(workers - 1):
                others.append(_pool().submit(copy_context().run, shared.do, work))  # noqa: PERF401 - kept at an error
        except RuntimeError:  # the interpreter ends, or the system gives no more threads
            pass
        try:
            shared.do(work)
        finally:
            wait(others)
    for other in others:
        other.result()


@once
def _pool_of(process: int) -> ThreadPoolExecutor:  # noqa: ARG001 - a fork has no threads of its parent
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(max(32, os.cpu_count() or 1), "clmath")


def _pool() -> ThreadPoolExecutor:
    return _pool_of(os.getpid())


def checked_threads(name: str, threads: object) -> int:
    """Return a number of threads; -1 means one for each core of the process."""
    if type(threads) is int and threads > 0:
        return threads
    if isinstance(threads, (int, np.integer)) and not isinstance(threads, bool):
        if threads > 0:
            return int(threads)
        if threads == -1:
            return cores()
    rule = "is not a number of threads; 1 uses the caller's alone, -1 all cores"
    raise errors.RangeError(f"{name}(): threads={errors.shown(threads)} {rule}: give a positive int or -1")


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
