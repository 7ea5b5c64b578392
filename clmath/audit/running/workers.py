"""Who judges the pieces of an audit: this process, or processes that it starts and kills when nobody waits for them."""

from __future__ import annotations

import contextlib
import os
import queue
import threading
import traceback
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, NamedTuple

from clmath.audit.subjects.lifetime import end_with, out_of_reach
from clmath.stopping import uninterrupted

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

    from clmath.callables import AnyFunction

__all__ = ["Here", "Workers", "ready"]


def ready(outcome: object) -> Future[Any]:
    """The future of what is known already."""
    future: Future[Any] = Future()
    future.set_result(outcome)
    return future


class Here(Executor):
    """Does the work at once, in this process."""

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """The finished result of ``function``."""
        return ready(function(*args, **kwargs))


class _Task(NamedTuple):
    """What is to be computed, and where its result goes."""

    future: Future[Any]
    function: AnyFunction
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


class Workers(Executor):
    """Processes, spawned rather than forked because a device's driver has threads of its own; when they are needed.

    They may be killed whatever they are at: each has a connection of its own, and no lock is shared. The pool of the
    standard library may wait forever when a process of it is killed while it is sent something.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._workers: list[_Worker] = []

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """The result of ``function`` to come; BrokenProcessPool where the process that was to compute it is gone."""
        if not self._workers:
            with out_of_reach():
                self._workers = [_Worker(self._tasks) for _ in range(self._jobs)]
        task = _Task(Future(), function, args, kwargs)
        self._tasks.put(task)
        return task.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes, if there are any; with ``cancel_futures`` at once, whatever they are at."""
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
    """A process, and the thread that sends it one of ``tasks`` after the other, until there is None."""

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
        """End the process at once; whoever waits for what it computes gets a BrokenProcessPool."""
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
        except Exception as unsent:  # noqa: BLE001 - what cannot be pickled
            result, error = None, unsent
        if error is None:
            task.future.set_result(result)
        else:
            task.future.set_exception(error)


def _serve(parent: int, connection: Connection) -> None:
    """Compute one task after the other, until the connection is closed; also if ``parent`` is killed meanwhile."""
    end_with(parent)
    with contextlib.suppress(EOFError, OSError):
        while True:
            function, args, kwargs = connection.recv()
            connection.send(_outcome(function, args, kwargs))


def _outcome(function: AnyFunction, args: tuple[object, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
    """The result, or the exception with a note of where it comes from."""
    try:
        return function(*args, **kwargs), None
    except Exception as error:  # noqa: BLE001 - it is raised where the result is asked for
        error.add_note(traceback.format_exc())
        return None, error
