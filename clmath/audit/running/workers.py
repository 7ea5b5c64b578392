"""Executors that judge the chunks of an audit: this process, or worker processes that can be killed at any time."""

from __future__ import annotations

import contextlib
import os
import queue
import threading
import traceback
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TYPE_CHECKING, NamedTuple, ParamSpec, TypeVar, cast

from clmath.audit.targets.lifetime import end_with, out_of_reach
from clmath.stopping import uninterrupted

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

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


class _Task(NamedTuple):
    """A call to compute, and the future for its result."""

    future: Future[object]
    function: Callable[..., object]
    args: tuple[object, ...]
    kwargs: dict[str, object]


class Workers(Executor):
    """Executor with processes, started when needed; spawned, not forked, as a device's driver has threads of its own.

    A process may be killed at any time: each has a connection of its own, and no lock is shared. The pool of the
    standard library may wait forever if one of its processes is killed while it receives data.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._workers: list[_Worker] = []

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Return the future of ``function``; its result raises BrokenProcessPool if the computing process dies."""
        if not self._workers:
            with out_of_reach():
                self._workers = [_Worker(self._tasks) for _ in range(self._jobs)]
        future: Future[T] = Future()
        self._tasks.put(_Task(cast("Future[object]", future), function, args, kwargs))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes, if there are any; ``cancel_futures`` ends them at once, even while they compute."""
        with uninterrupted():
            if cancel_futures:
                self._cancel()
            for _ in self._workers:
                self._tasks.put(None)
            for worker in self._workers if wait or cancel_futures else ():
                worker.join()

    def _cancel(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                task = self._tasks.get_nowait()
                if task is not None:
                    task.future.cancel()
        for worker in self._workers:
            worker.kill()


class _Worker:
    """A process, and the thread that sends it one of ``tasks`` after the other, until None comes."""

    def __init__(self, tasks: queue.SimpleQueue[_Task | None]) -> None:
        context = get_context("spawn")
        self._tasks = tasks
        self._connection, theirs = context.Pipe()
        with theirs:  # when the process has ended, its end is closed
            self._process: SpawnProcess = context.Process(target=_serve, args=(os.getpid(), theirs))
            self._process.start()
        self._thread = threading.Thread(target=self._attend)
        self._thread.start()

    def kill(self) -> None:
        """End the process at once; the future of its current task raises BrokenProcessPool."""
        self._process.kill()

    def join(self) -> None:
        """Wait for the end of the thread and of the process."""
        self._thread.join()
        self._process.join()

    def _attend(self) -> None:
        with self._connection:  # the process ends with it
            while (task := self._tasks.get()) is not None:
                if task.future.set_running_or_notify_cancel():
                    self._have_done(task)

    def _have_done(self, task: _Task) -> None:
        try:
            self._connection.send(task[1:])
            result, error = self._connection.recv()
        except (EOFError, OSError):
            result, error = None, BrokenProcessPool("a process ended before it had judged what it was sent")
        except Exception as unsent:  # noqa: BLE001 - e.g. arguments that cannot be pickled
            result, error = None, unsent
        if error is None:
            task.future.set_result(result)
        else:
            task.future.set_exception(error)


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
