"""Ctrl-C and similar signals: the first stops a command, the second ends it at once; some blocks postpone them."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # the module signal converts enumerations, in 20 µs a block
import contextlib
import os
import signal
import time
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

__all__ = ["end", "postponed", "stoppable", "unhandled", "uninterrupted"]

_STOPS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
_ENDS = tuple(getattr(signal, name) for name in ("SIGUSR1", "SIGUSR2") if hasattr(signal, name))
_OTHERS = tuple(getattr(signal, name) for name in ("SIGALRM", "SIGUSR1", "SIGUSR2") if hasattr(signal, name))
_POSTPONED = tuple(map(int, (*_STOPS, *_OTHERS)))  # an enumeration's hash is a function of Python's
_TWICE = 0.1  # seconds: timeout(1) signals a process and then its group, faster than anybody presses keys


def end(_number: int = 0, _frame: FrameType | None = None) -> NoReturn:
    """End this process at once, as a handler of a signal; child processes notice that and end too."""
    os.write(2, b"clmath: interrupted\n")
    os._exit(2)


@contextlib.contextmanager
def stoppable() -> Iterator[None]:
    """Treat SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 within the block like Ctrl-C if they would end the process silently.

    After the first of them there is time to save finished work; a further one ends the process at once.
    """
    import threading  # not before the command's own handler is there

    is_main = threading.current_thread() is threading.main_thread()  # other threads cannot set handlers
    usual = (signal.SIG_DFL, signal.default_int_handler)
    taken = {n: signal.getsignal(n) for n in (*_STOPS, *_ENDS) if is_main and signal.getsignal(n) in usual}
    stop = _Stop()
    for number in taken:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in taken.items():
            signal.signal(number, handler)


class _Stop:
    """Handles the signals that stop a command."""

    def __init__(self) -> None:
        self._first: float | None = None

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if self._first is None:
            self._first = now
            raise KeyboardInterrupt
        if now - self._first > _TWICE:
            end()


def unhandled() -> None:
    """Restore the default handling of these signals in a process that was copied from a ``stoppable`` one."""
    for number in (*_STOPS, *_ENDS):
        if isinstance(signal.getsignal(number), _Stop):
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold these signals back; a process started within the block never gets them, this one does at the end."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class postponed:  # noqa: N801 - used like a function; a generator takes twice the time
    """Postpone exceptions of signal handlers, e.g. KeyboardInterrupt or the end of a time limit, to the block's end.

    The handlers themselves are called at once, and ``told`` receives each exception. Threads other than the main one
    are not interrupted by signals.
    """

    __slots__ = ("_handlers", "_raised", "_told")

    def __init__(self, told: Callable[[BaseException], None] = lambda _: None) -> None:
        self._told = told
        self._handlers: dict[int, Callable[[int, FrameType | None], object]] = {}
        self._raised: list[BaseException] = []

    def __enter__(self) -> None:
        import threading

        if threading.get_ident() != threading.main_thread().ident:
            return
        try:
            for number in _POSTPONED:
                handler = _signal.getsignal(number)
                if callable(handler):
                    self._handlers[number] = handler
                    _signal.signal(number, self._handle)
        except BaseException:  # from a signal that is not postponed yet
            self._restore([*self._handlers])
            raise

    def __exit__(self, *_: object) -> None:
        try:
            self._restore([*self._handlers])
            if self._raised:
                raise self._raised[0]
        finally:
            self._raised.clear()  # an exception and the frames that it has passed through would keep each other

    def _handle(self, number: int, frame: FrameType | None) -> None:
        try:
            self._handlers[number](number, frame)
        except BaseException as error:  # noqa: BLE001  (whatever stops the block)
            self._raised.append(error)
            self._told(error)

    def _restore(self, numbers: list[int]) -> None:
        """Restore each handler, though handlers that are already restored may raise."""
        try:
            while numbers:
                number = numbers.pop()
                if _signal.getsignal(number) == self._handle:  # the handler may have chosen another one
                    _signal.signal(number, self._handlers[number])
        finally:
            if numbers:
                self._restore(numbers)
