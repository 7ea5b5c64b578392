"""Threads that wait a while for more work: to start one takes as long as to compute ten thousand lanes."""

from __future__ import annotations

import _thread
import os
from typing import TYPE_CHECKING

from clmath.stopping import postponed

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["at_once"]

_PATIENCE = 1.0  # seconds after which a thread without work ends
_IDLE: list[_Worker] = []


class _Worker:
    """One thread: ``begin`` gives it work, which raises nothing, ``wait`` waits until that is done."""

    def __init__(self) -> None:
        self._work: Callable[[], None] | None = None
        self._begun, self._ended = _thread.allocate_lock(), _thread.allocate_lock()
        self._begun.acquire()
        self._ended.acquire()
        _thread.start_new_thread(self._run, ())

    def begin(self, work: Callable[[], None]) -> None:
        self._work = work
        self._begun.release()

    def wait(self) -> None:
        self._ended.acquire()
        _IDLE.append(self)

    def _run(self) -> None:
        while self._is_wanted():
            work, self._work = self._work, None
            if work is not None:
                work()
            del work  # what it holds may be large
            self._ended.release()

    def _is_wanted(self) -> bool:
        """Whether there is work, for which this waits."""
        if self._begun.acquire(timeout=_PATIENCE):
            return True
        try:
            _IDLE.remove(self)
        except ValueError:  # it was given work just now
            return self._begun.acquire()
        return False


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
            worker = _taken()
            worker.begin(work)
            begun.append(worker)
    except RuntimeError:  # no thread can be started
        pass
    work()
    for worker in begun:
        worker.wait()


def _taken() -> _Worker:
    try:
        return _IDLE.pop()
    except IndexError:
        return _Worker()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_IDLE.clear)  # which has none of the threads
