"""Makes the processes that an audit starts end when the audit ends."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time

__all__ = ["behind_another", "die_with", "end_with", "kill_group_at_end_of"]

_PR_SET_PDEATHSIG = 1  # <sys/prctl.h>
_STOPPING = (signal.SIGINT, signal.SIGTERM, *(getattr(signal, n) for n in ("SIGHUP",) if hasattr(signal, n)))
_SECONDS = 0.5  # seconds between two checks of who the parent is


def end_with(parent: int) -> None:
    """End this process soon after the process ``parent``, which started it, has ended, even if that was killed."""
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def die_with(parent: int) -> None:
    """As ``end_with``; on Linux the system does it, even if no Python thread runs any more."""
    _die_at_once()
    end_with(parent)


def _die_at_once() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def behind_another(*numbers: int) -> int:
    """Fork, and return in the child alone; this process waits for it, and then ends with the same status or signal.

    A subject in the child that signals its parent hits this process, and not the audit. Returned is the number of this
    process, which has closed the descriptors ``numbers`` and the standard ones. No other thread may run yet.
    """
    child = os.fork()
    if not child:
        return os.getppid()
    try:
        for number in _STOPPING:
            signal.signal(number, signal.SIG_DFL)
        _die_at_once()
        for number in (0, 1, 2, *numbers):
            os.close(number)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status >= 0:
            os._exit(status)
        if -status not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    finally:
        os._exit(1)


def kill_group_at_end_of(pipe: int, *others: int) -> None:
    """Have all processes of this group killed when the other end of ``pipe`` is closed: a new process waits for that.

    It keeps nothing open: neither standard output nor ``others``. Call it before ``behind_another``, so that it is no
    child of the process that runs a subject.
    """
    if os.fork():
        os.close(pipe)
        return
    try:
        for number in (0, 1, 2, *others):
            os.close(number)
        os.read(pipe, 1)
        os.killpg(0, signal.SIGKILL)
    finally:
        os._exit(0)


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_SECONDS)
    os._exit(1)
