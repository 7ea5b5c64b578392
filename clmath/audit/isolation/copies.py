"""A process that has loaded what every child of an audit needs, and starts children as copies of itself.

A fresh interpreter takes a third of a second to load NumPy and clmath; a copy of a process that has takes a hundredth.
So an audit whose subject is lost hundreds of times waits for no interpreter, or for one.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.stopping import unhandled

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Copy", "copy_of_another"]

_NAME = "clmath.audit.isolation.copies"
_CHILD = "clmath.audit.isolation.child"
_READ_ONCE = ("PYTHON", "CLMATH", "LD_", "GLIBC", "MALLOC", "OMP_", "OPENBLAS", "MKL_", "NPY_", "LC_", "LANG")
_NUMBER = struct.Struct("<q")
_STARTING = 600.0  # seconds that an interpreter may take to start
_SECONDS = 5.0  # seconds between two checks that the audit still runs


def copy_of_another(kept: Sequence[int], sink: int, environment: dict[str, str], *, alone: bool) -> Copy | None:
    """A child that serves by the descriptors ``kept`` and prints into ``sink``; None where none can be had so.

    It has this process's folder and ``sys.path``, and these variables. Those that an interpreter or a library reads
    once, when it starts, are the same in all copies: where they have changed, another process is there to be copied.
    That process is itself a copy of this one where this one is ``alone``: has no threads, and nothing else to do.
    """
    if sys.platform != "linux":
        return None
    with _LOCK:
        source = _source(environment, alone=alone)
        try:
            return source.copy(kept, sink, environment)
        except (OSError, EOFError):  # it was killed, or there is no room for another process
            _forget()
            return None
        except BaseException:  # its answer must not be taken for the next one
            _forget()
            raise


class Copy:
    """A process that another process has started for this one, with the methods of ``subprocess.Popen``."""

    def __init__(self, pid: int, status: int) -> None:
        self.pid = pid
        self._status = status  # a pipe that tells how it has ended
        self._code: int | None = None

    def poll(self) -> int | None:
        """The exit status, negative for a signal; None while it runs."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.wait(0.0)
        return None

    def wait(self, seconds: float | None = None) -> int:
        """The exit status, once there is one; raises subprocess.TimeoutExpired after ``seconds``."""
        if self._code is None:
            waiting = select.poll()
            waiting.register(self._status, select.POLLIN)
            if not waiting.poll(None if seconds is None else 1000 * seconds):
                raise subprocess.TimeoutExpired(_NAME, seconds or 0.0)
            told = os.read(self._status, _NUMBER.size)
            os.close(self._status)
            self._code = _NUMBER.unpack(told)[0] if told else -signal.SIGKILL  # its parent was killed
        return self._code

    def kill(self) -> None:
        """End it, unless it has ended."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)


class _Source:
    """The process that is copied."""

    def __init__(self, environment: dict[str, str], *, alone: bool) -> None:
        self.fits = _key(environment)
        self._owner = os.getpid()
        self._connection, theirs = socket.socketpair()
        self._connection.settimeout(_STARTING)
        with theirs:
            asked = theirs.fileno(), self._owner
            # -P: no file of the current folder stands in for a module before the subject is asked for
            self._process = subprocess.Popen(  # noqa: S603 - this module
                [sys.executable, "-P", "-m", _NAME, *map(str, asked)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                env=environment,
                start_new_session=True,
                restore_signals=not alone,
                # the copy never gets to the command
                preexec_fn=functools.partial(_serve_as_copy, *asked) if alone else None,  # noqa: PLW1509
            )

    def copy(self, kept: Sequence[int], sink: int, environment: dict[str, str]) -> Copy:
        """See ``copy_of_another``; OSError or EOFError where the process is gone."""
        asked = {"environment": environment, "path": sys.path, "folder": os.getcwd()}  # noqa: PTH109 - text
        message = json.dumps(asked).encode()
        status, theirs = os.pipe()
        try:
            with open(theirs, "wb"):  # noqa: PTH123 - it has no path
                socket.send_fds(self._connection, [_NUMBER.pack(len(message))], [theirs, sink, *kept])
            self._connection.sendall(message)
            (pid,) = _NUMBER.unpack(_received(self._connection, _NUMBER.size))
        except BaseException:
            os.close(status)
            raise
        return Copy(pid, status)

    def leave(self) -> None:
        """Ask for no more copies: the process ends when the last of its copies has ended."""
        self._connection.close()

    def is_there(self) -> bool:
        """Whether the process has not ended yet."""
        return os.getpid() == self._owner and self._process.poll() is None

    def end(self) -> None:
        """End the process at once."""
        self.leave()
        if self.is_there():
            self._process.kill()
            self._process.wait()


_LOCK = threading.RLock()  # which the thread that copies this process has in the copy as well
_SOURCES: dict[int, _Source] = {}  # by whose it is: a copy of this process, as multiprocessing makes it, starts its own
_LEFT: list[_Source] = []  # that may have copies


def _source(environment: dict[str, str], *, alone: bool) -> _Source:
    found = _SOURCES.get(os.getpid())
    if found is None or found.fits != _key(environment):
        _forget()
        found = _SOURCES[os.getpid()] = _Source(environment, alone=alone)
    return found


def _forget() -> None:
    found = _SOURCES.pop(os.getpid(), None)
    if found is not None:
        found.leave()
        _LEFT.append(found)
    _LEFT[:] = [source for source in _LEFT if source.is_there()]


@atexit.register
def _end() -> None:
    for source in (*_LEFT, *_SOURCES.values()):
        source.end()


def _key(environment: dict[str, str]) -> dict[str, str]:
    return {name: v for name, v in environment.items() if name.startswith(_READ_ONCE) and name != "PYTHONPATH"}


def _serve_as_copy(descriptor: int, audit: int) -> None:
    """As ``_serve``, in a copy of the audit's process, and nothing else."""
    try:
        unhandled()
        _close_all_but(descriptor)
        _serve(descriptor, audit)
    finally:
        os._exit(1)


def _close_all_but(*kept: int) -> None:
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 - an iterator would hold one open
        if int(name) not in (0, 1, 2, *kept):
            with contextlib.suppress(OSError):
                os.close(int(name))


def _serve(descriptor: int, audit: int) -> None:
    """Start copies of this process when asked, until the audit ends, or asks for no more and all copies have ended."""
    importlib.import_module(_CHILD).prepare()
    gc.freeze()  # so that copies share this memory
    woken, waking = os.pipe()
    for number in (woken, waking):
        os.set_blocking(number, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
    connection, looking = socket.socket(fileno=descriptor), select.poll()
    looking.register(descriptor, select.POLLIN)
    looking.register(woken, select.POLLIN)
    statuses: dict[int, int] = {}  # the pipes that tell how copies end
    is_asked = True
    while os.getppid() == audit and (is_asked or statuses):
        ready = {number for number, _ in looking.poll(1000 * _SECONDS)}
        if woken in ready:
            os.read(woken, 1 << 12)
            _tell(statuses)
        if descriptor in ready and not _start(connection, statuses):
            is_asked = False
            looking.unregister(descriptor)
            connection.close()


def _tell(statuses: dict[int, int]) -> None:
    """Send the exit status of each copy that has ended."""
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            pipe = statuses.pop(ended[0])
            with contextlib.suppress(OSError):  # nobody wants to know
                os.write(pipe, _NUMBER.pack(os.waitstatus_to_exitcode(ended[1])))
            os.close(pipe)


def _start(connection: socket.socket, statuses: dict[int, int]) -> bool:
    """Answer a request by the number of the copy that it asks for; False if nobody asks, or no copy can be had."""
    head, numbers, _, _ = socket.recv_fds(connection, _NUMBER.size, 8)
    if len(head) < _NUMBER.size:
        return False
    asked = json.loads(_received(connection, _NUMBER.unpack(head)[0]))
    status, *others = numbers
    try:
        pid = os.fork()
    except OSError:
        return False
    if not pid:
        _become(asked, *others)
    statuses[pid] = status
    for number in others:
        os.close(number)
    connection.sendall(_NUMBER.pack(pid))
    return True


def _become(asked: dict[str, Any], sink: int, *kept: int) -> None:
    """What a copy does; it never returns."""
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        for number in (1, 2):
            os.dup2(sink, number)
        os.environ.clear()
        os.environ.update(asked["environment"])
        sys.path[:] = asked["path"]
        os.chdir(asked["folder"])
        importlib.invalidate_caches()
        np.random.seed()  # noqa: NPY002 - a subject may draw from it, and no two copies the same
        _close_all_but(*kept)
        gc.enable()
        importlib.import_module(_CHILD).serve(*kept)
    finally:
        os._exit(1)


def _received(connection: socket.socket, count: int) -> bytes:
    """So many bytes; EOFError where the connection ends before."""
    found = bytearray()
    while len(found) < count:
        part = connection.recv(count - len(found))
        if not part:
            raise EOFError
        found += part
    return bytes(found)


if __name__ == "__main__":
    _serve(*map(int, sys.argv[1:]))
