"""Make the processes of an audit end when the audit ends, and keep Ctrl-C from them."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from multiprocessing import resource_tracker

from clmath.stopping import uninterrupted

_PR_SET_PDEATHSIG = 1  # <sys/prctl.h>
_STOPPING = (signal.SIGINT, signal.SIGTERM, *(getattr(signal, n) for n in ("SIGHUP",) if hasattr(signal, n)))
_SECONDS = 0.5  # seconds between two checks of the parent


@contextlib.contextmanager
def out_of_reach() -> Iterator[None]:
    """Let processes that multiprocessing starts within the block never see Ctrl-C and similar signals."""
    resource_tracker.ensure_running()  # starting the first process would do so, and would then let the signals through
    with uninterrupted():
        yield


def end_with(parent: int) -> None:
    """End this process soon after its parent process ``parent`` has ended, even if that was killed."""
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def die_with(parent: int) -> None:
    """End this process with ``parent``; on Linux the system does it, even if no Python thread runs any more."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    end_with(parent)


def behind_another(lifeline: int) -> int:
    """Fork; return only in the child. This process waits for the child, and ends with the same status or signal.

    A target in the child that signals its parent hits this process, and not the audit. When the other end of the pipe
    ``lifeline`` is closed, the audit has ended, and this process kills its group. It keeps no other file open. The
    result is the number of this process. No other thread may run yet.
    """
    child = os.fork()
    if not child:
        return os.getppid()
    try:
        for number in _STOPPING:
            signal.signal(number, signal.SIG_DFL)
        close_all_but(lifeline)
        threading.Thread(target=_kill_group_at_end_of, args=(lifeline,), daemon=True).start()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status >= 0:
            os._exit(status)
        if -status not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    finally:
        os._exit(1)


def close_all_but(*kept: int) -> None:
    """Close all files of this process except ``kept``."""
    for number in map(int, os.listdir("/dev/fd")):  # noqa: PTH208 - an iterator would hold one open
        if number not in kept:
            with contextlib.suppress(OSError):
                os.close(number)


def _kill_group_at_end_of(pipe: int) -> None:
    os.read(pipe, 1)
    os.killpg(0, signal.SIGKILL)


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_SECONDS)
    os._exit(1)
