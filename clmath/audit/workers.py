"""Who judges the pieces of an audit: this process, or some that it starts."""

from __future__ import annotations

import os
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing import get_context, resource_tracker
from typing import Any

from clmath.audit.lifetime import end_with, uninterrupted

__all__ = ["Here", "Workers", "ready"]


def ready(outcome: Any) -> Future[Any]:
    """The future of what is known already."""
    future: Future[Any] = Future()
    future.set_result(outcome)
    return future


class Here(Executor):
    """Does the work at once, in this process."""

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """The finished result of ``function``."""
        return ready(function(*args, **kwargs))


class Workers(Executor):
    """Processes, spawned rather than forked because a device's driver has threads of its own; when they are needed."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._pool: ProcessPoolExecutor | None = None

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """The result of ``function`` to come."""
        if self._pool is None:
            resource_tracker.ensure_running()  # as spawning the first process does, which then lets Ctrl-C through
        with uninterrupted():  # what starts meanwhile never sees Ctrl-C
            if self._pool is None:
                context = get_context("spawn")
                self._pool = ProcessPoolExecutor(self._jobs, context, initializer=end_with, initargs=(os.getpid(),))
            return self._pool.submit(function, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes, if there are any."""
        with uninterrupted():
            if self._pool is not None:
                self._pool.shutdown(wait=wait, cancel_futures=cancel_futures)
