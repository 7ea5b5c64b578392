"""Processes that an audit starts end with it."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time

__all__ = ["die_with", "end_with", "kill_group_at_end_of"]

_PR_SET_PDEATHSIG = 1  # <sys/prctl.h>
_SECONDS = 0.5  # between two looks at who the parent is


def end_with(parent: int) -> None:
    """End this process soon after the process ``parent``, which started it, has ended, even if that was killed."""
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def die_with(parent: int) -> None:
    """As ``end_with``; on Linux also where no thread of Python gets to run any more."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    end_with(parent)


def kill_group_at_end_of(pipe: int, *others: int) -> None:
    """Have all processes of this group killed when the other end of ``pipe`` is closed: a new process waits for that.

    It is no child of this one, and keeps nothing open: neither standard output nor ``others``.
    """
    first = os.fork()
    if first:
        os.waitpid(first, 0)
        os.close(pipe)
        return
    try:
        if os.fork() == 0:
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
