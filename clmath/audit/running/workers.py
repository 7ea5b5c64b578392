"""Executors that judge the chunks of an audit: this process, or worker processes that can be killed at any time."""

from __future__ import annotations

import contextlib
import os
import queue
import traceback
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TYPE_CHECKING, ParamSpec, TypeVar, cast

from clmath.audit.targets.lifetime import end_with, out_of_reach
from clmath.stopping import uninterrupted

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

__all__ = ["Here", "Workers", "ready"]


P = ParamSpec("P")
T = TypeVar("T")


def ready(outcome: T) -> Future[T]:
    """Return a finished future with this outcome."""
    future: Future[T] = Future()
    future.set_result(outcome)
    return future


class Here(Executor):
    """Executor that does the work at once, in this process."""

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Return the finished future of ``function``."""
        return ready(function(*args, **kwargs))


class Workers(ThreadPoolExecutor):
    """Executor with processes, started when needed; spawned, not forked, as a device's driver has threads of its own.

    A process may be killed at any time: each has a connection of its own, and no lock is shared. The process pool of
    the standard library may wait forever if one of its processes is killed while it receives data.
    """

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs)
        self._workers: list[_Worker] = []
        self._idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Return the future of ``function``; its result raises BrokenProcessPool if the computing process dies."""
        if not self._workers:
            with out_of_reach():
                self._workers = [_Worker() for _ in range(self._max_workers)]
            for worker in self._workers:
                self._idle.put(worker)
        return super().submit(self._computed, function, args, kwargs)

    def _computed(self, function: Callable[..., T], args: tuple[object, ...], kwargs: dict[str, object]) -> T:
        """Have an idle worker compute a function, in a thread of this process."""
        worker = self._idle.get()
        try:
            return cast("T", worker.computed((function, args, kwargs)))
        finally:
            self._idle.put(worker)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes, if there are any; ``cancel_futures`` ends them at once, even while they compute."""
        with uninterrupted():
            super().shutdown(wait=False, cancel_futures=cancel_futures)
            for worker in self._workers if cancel_futures else ():
                worker.process.kill()
            super().shutdown(wait=wait or cancel_futures)
            for worker in self._workers if wait or cancel_futures else ():
                worker.end()


class _Worker:
    """A process that computes one task after the other."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self._connection, theirs = context.Pipe()
        with theirs:  # when the process has ended, its end is closed
            self.process = context.Process(target=_serve, args=(os.getpid(), theirs))
            self.process.start()

    def computed(self, task: object) -> object:
        """Return the result of a task, or raise its exception; BrokenProcessPool if the process dies."""
        try:
            self._connection.send(task)
            result, error = self._connection.recv()
        except (EOFError, OSError):
            raise BrokenProcessPool("a process ended before it had judged what it was sent") from None
        if error is not None:
            raise error
        return result

    def end(self) -> None:
        """Let the process end, and wait for that."""
        self._connection.close()
        self.process.join()


def _serve(parent: int, connection: Connection) -> None:
    """Compute one task after the other, until the connection is closed or ``parent`` is killed."""
    end_with(parent)
    with contextlib.suppress(EOFError, OSError):
        while True:
            function, args, kwargs = connection.recv()
            connection.send(_outcome(function, args, kwargs))


def _outcome(
    function: Callable[..., object], args: tuple[object, ...], kwargs: dict[str, object]
) -> tuple[object, Exception | None]:
    """Return the result, or the exception with a note of its origin."""
    try:
        return function(*args, **kwargs), None
    except Exception as error:  # noqa: BLE001 - it is raised where the result is read
        error.add_note(traceback.format_exc())
        return None, error
