"""A ufunc on large arrays: slice after slice, by several threads where these are asked for.

NumPy looks for signals between calls of a ufunc only, so that slices also have Ctrl-C answered soon.
"""

from __future__ import annotations

import os
from contextvars import copy_context
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from clmath.engines.native.ufuncs import RAISED, raise_own
from clmath.locks import once

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from concurrent.futures import Future, ThreadPoolExecutor

__all__ = ["SLICE", "store"]

SLICE = 1 << 17  # elements: a few milliseconds
_LEAST = 1 << 14  # elements that are worth a thread
_SLICES_OF_A_THREAD = 4  # so that threads are done at about the same time


def store(ufunc: np.ufunc, args: Sequence[np.ndarray], results: Sequence[np.ndarray], threads: int = 1) -> None:
    """Store the results of ``ufunc`` for ``args``, which broadcast to the shape of the ``results``."""
    size = results[0].size
    workers = min(threads, size // _LEAST)
    if (size <= SLICE and workers < 2) or _overlap(args, results):
        _stored(ufunc, args, results)
        return
    most = SLICE if workers < 2 else max(_LEAST, min(SLICE, size // (workers * _SLICES_OF_A_THREAD)))
    slices = _Shared(_slices(args, results, most))
    if workers < 2:
        slices.work(ufunc)
    else:
        _in_threads(slices, ufunc, workers)


def _stored(ufunc: np.ufunc, args: Sequence[np.ndarray], results: Sequence[np.ndarray]) -> None:
    ufunc(*args, out=tuple(results))
    if RAISED:
        raise_own()


def _overlap(args: Sequence[np.ndarray], results: Sequence[np.ndarray]) -> bool:
    """Whether a result of one slice may be an argument of another."""
    return any(
        np.may_share_memory(a, r) and (a.ctypes.data, a.strides, a.shape) != (r.ctypes.data, r.strides, r.shape)
        for a in args
        for r in results
    )


def _slices(
    args: Sequence[np.ndarray], results: Sequence[np.ndarray], most: int
) -> Iterator[tuple[list[np.ndarray], list[np.ndarray]]]:
    """Cut arguments and results along their longest axis, into slices of about ``most`` elements."""
    shape = results[0].shape
    whole = [np.broadcast_to(a, shape) for a in args]
    axis = max(range(len(shape)), key=shape.__getitem__)
    step = max(1, most * shape[axis] // results[0].size)
    for first in range(0, shape[axis], step):
        part = (slice(None),) * axis + (slice(first, first + step),)
        yield [a[part] for a in whole], [r[part] for r in results]


class _Shared:
    """Slices that threads take one after the other."""

    def __init__(self, slices: Iterator[tuple[list[np.ndarray], list[np.ndarray]]]) -> None:
        self._slices, self._lock, self._is_stopped = slices, Lock(), False

    def work(self, ufunc: np.ufunc) -> None:
        """Store the results of slices until there are none, or a thread has met an error."""
        try:
            while not self._is_stopped:
                with self._lock:
                    part = next(self._slices, None)
                if part is None:
                    return
                _stored(ufunc, *part)
        finally:
            self._is_stopped = True


def _in_threads(slices: _Shared, ufunc: np.ufunc, workers: int) -> None:
    """Share the slices with so many ``workers``, this thread among them; the error of one is raised here."""
    from concurrent.futures import wait

    others: list[Future[None]] = []
    try:
        for _ in range(workers - 1):
            others.append(_pool().submit(copy_context().run, slices.work, ufunc))  # noqa: PERF401 - kept at an error
    except RuntimeError:  # the interpreter ends, or the system gives no more threads
        pass
    try:
        slices.work(ufunc)
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
