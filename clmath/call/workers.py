"""Threads that wait a while for more work: to start one takes as long as to compute ten thousand lanes."""

from __future__ import annotations

import _thread
import abc
import contextvars
import functools
import os
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from clmath import errors
from clmath.engines.native.arrays import PIECE
from clmath.engines.native.helpers import Helper
from clmath.stopping import postponed

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from numpy.typing import NDArray

    from clmath.engines.native.helpers import Helpers, Job

    Decide: TypeAlias = "Callable[[NDArray[np.int64]], object]"

__all__ = ["ROOM", "at_once", "checked_threads", "cores", "helped", "patience"]

_PATIENCE = 1.0  # seconds after which a thread without work ends
_AWAKE = 500  # microseconds that a thread in compiled code waits for a further job before it sleeps
_AT_WORK = 50  # microseconds that a caller waits for one before it sleeps: as a piece of the job may take
ROOM = 4 * PIECE  # undecided lanes that are listed together, a few more than there are of any


class _Waiting(abc.ABC):
    """A thread that does what it is given, as ``_do`` says, until there is nothing for a while."""

    idle: ClassVar[list[Any]]

    def __init__(self) -> None:
        self._begun, self._ended = _thread.allocate_lock(), _thread.allocate_lock()
        self._begun.acquire()
        self._ended.acquire()
        _thread.start_new_thread(self._run, ())

    def _run(self) -> None:
        while self._is_wanted():
            self._do()

    @abc.abstractmethod
    def _do(self) -> None: ...

    def _is_wanted(self) -> bool:
        """Whether there is work, for which this waits."""
        while not self._begun.acquire(timeout=_PATIENCE):
            try:
                self.idle.remove(self)
            except ValueError:  # a caller has it, which is giving it work
                continue
            return False
        return True


W = TypeVar("W", bound=_Waiting)


class _Worker(_Waiting):
    """One thread: ``begin`` gives it work, which raises nothing, ``wait`` waits until that is done."""

    idle: ClassVar[list[_Worker]] = []

    def __init__(self) -> None:
        self._work: Callable[[], None] | None = None
        super().__init__()

    def begin(self, work: Callable[[], None]) -> None:
        self._work = work
        self._begun.release()

    def wait(self) -> None:
        self._ended.acquire()
        self.idle.append(self)

    def _do(self) -> None:
        work, self._work = self._work, None
        if work is not None:
            work()
        del work  # what it holds may be large
        self._ended.release()


class _Helper(_Waiting):
    """One thread in compiled code, where it stays awake a while for the next job."""

    idle: ClassVar[list[_Helper]] = []

    def __init__(self, helpers: Helpers) -> None:
        self._helpers, self._undecided = helpers, np.empty(ROOM, np.int64)
        self._record = Helper(undecided=id(self._undecided))
        self._address = self._record.address
        super().__init__()

    def begin(self, job: Job) -> None:
        """Give it a job; it has none."""
        self._record.found = 0
        if self._helpers.begin(self._address, job.address):
            self._begun.release()

    def go_on(self, job: Job, decide: Decide) -> None:
        """Where it had no room for more undecided lanes, have these decided, and give it the job again."""
        if self._helpers.done(self._address):
            self.decided(decide)
            self.begin(job)

    def decided(self, decide: Decide) -> None:
        """Have the undecided lanes decided that it lists; it has no job any more."""
        if self._record.found > 0:
            decide(self._undecided[: self._record.found])

    def wait(self) -> None:
        """Wait until it is done with its job, which it need not begin any more."""
        if self._helpers.awaited(self._address, _AT_WORK):
            self._ended.acquire()

    def _do(self) -> None:
        while self._helpers.serve(self._address):
            self._ended.release()


def helped(helpers: Helpers, job: Job, others: int, work: Callable[[], bool], decide: Decide) -> None:
    """``work()`` here until it is False, while so many ``others`` do the ``job`` too; fewer where no thread starts.

    ``decide`` is called, here, with the undecided lanes that one of them lists. What ``work`` or ``decide`` raises, or
    a handler of a signal, stops the job and is raised. None of them runs when this ends, however it ends.
    """
    begun: list[_Helper] = []
    with postponed(lambda _: job.stop()):
        try:
            _begin(begun, helpers, job, others)
            while work():
                for helper in begun:
                    helper.go_on(job, decide)
            for helper in begun:
                helper.wait()
                helper.decided(decide)
        except BaseException:
            job.stop()
            raise
        finally:
            for helper in begun:
                helper.wait()
            _Helper.idle += begun


def patience(others: int) -> int:
    """How long so many threads that help wait for a further job, in microseconds."""
    return _AWAKE if others < cores() else 0


def _begin(begun: list[_Helper], helpers: Helpers, job: Job, others: int) -> None:
    try:
        for _ in range(others):
            begun.append(_taken(_Helper, helpers))
            begun[-1].begin(job)
    except RuntimeError:  # no thread can be started
        pass


def checked_threads(name: str, threads: object) -> int:
    """A number of threads; -1 stands for as many as the process has cores."""
    if type(threads) is int and threads > 0:
        return threads
    if isinstance(threads, (int, np.integer)) and not isinstance(threads, bool):
        if threads > 0:
            return int(threads)
        if threads == -1:
            return cores()
    rule = "is no number of threads; 1 uses the caller's alone, -1 all cores"
    raise errors.RangeError(f"{name}(): threads={errors.shown(threads)} {rule}: give a positive int or -1")


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def at_once(work: Callable[[], None], count: int, failures: list[BaseException]) -> None:
    """``work()`` in ``count`` threads, of which the caller's is one, alone where the interpreter ends and starts none.

    What stops one of them, or the caller, becomes one of ``failures``, at which the others are to stop, and is raised.
    None of them runs when this ends, however it ends: the caller may use what they wrote to for something else.
    """
    if count < 2:
        work()
        return

    def watched() -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001  (raised in the caller's thread)
            failures.append(error)

    try:
        with postponed(failures.append):
            _shared(watched, count - 1)
        if failures:
            raise failures[0]
    finally:
        failures.clear()  # an exception and the frames that it has passed through would keep each other


def _shared(work: Callable[[], None], others: int) -> None:
    """``work()`` here and in so many ``others``."""
    begun: list[_Worker] = []
    try:
        for _ in range(others):
            worker = _taken(_Worker)
            worker.begin(functools.partial(contextvars.copy_context().run, work))  # pragmas are in force there, too
            begun.append(worker)
    except RuntimeError:  # no thread can be started
        pass
    work()
    for worker in begun:
        worker.wait()


def _taken(kind: type[W], *given: object) -> W:
    """A thread that waits, or a new one; RuntimeError where none starts."""
    try:
        found: W = kind.idle.pop()
    except IndexError:
        return kind(*given)
    return found


if hasattr(os, "register_at_fork"):
    for kind in (_Worker, _Helper):
        os.register_at_fork(after_in_child=kind.idle.clear)  # which has none of the threads
