"""Start the process that runs a target, send it requests with a time limit, and report how it ended.

The module multiprocessing starts it and carries messages. It does not limit memory and processor time, does not end
the children of a process, and waits forever for half a message. This module adds all of that.
"""

from __future__ import annotations

import contextlib
import functools
import json
import multiprocessing
import os
import secrets
import selectors
import signal
import socket
import struct
import sys
import tempfile
import time
import types
from collections.abc import Callable, Iterator
from multiprocessing import forkserver, util
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple

from clmath.audit.isolation.child import DONE, REFUSED, TEXT, serve
from clmath.audit.isolation.limits import CHECKS, Limits, Watch
from clmath.audit.protocol.printable import printable
from clmath.audit.protocol.target import PRINTED, FaultError, TargetError
from clmath.audit.protocol.variables import variables
from clmath.audit.targets.lifetime import out_of_reach
from clmath.stopping import uninterrupted

_CACHE = "POCL_CACHE_DIR"  # where PoCL keeps compiled kernels, and the files of a compilation that was killed
_NUMBER = 16  # random bytes that begin a request and its answers
_ENDING = 0.5  # seconds until its end, once its connection is closed
_SLEEP = 0.001  # seconds between two checks whether it has ended
_READS = 64  # reads of 64 KiB at a time: the time limit stops a target that prints without end
_KEPT = 4096  # bytes of a target's output that are kept; the rest is only counted
_SHOWN = 200  # characters of a target's output in a remark
_WROTE = "wrote into its connection to the audit"


class LateError(FaultError):
    """The process did not answer within its limits of time, processor time and memory."""


class Printed(NamedTuple):
    """Output of a target: its first bytes, and the total number of bytes."""

    text: bytes = b""
    size: int = 0

    def and_then(self, text: bytes, size: int) -> Printed:
        """Return this output followed by later output."""
        return Printed(self.text + text[: _KEPT - len(self.text)], self.size + size)

    def __str__(self) -> str:
        if not self.size:
            return ""
        shown = " ".join(printable(self.text.decode("utf-8", "backslashreplace")).split())
        return f'{PRINTED} {self.size} bytes: "{shown[:_SHOWN]}{"..." if len(shown) > _SHOWN else ""}"'


class Process:
    """A child in a session of its own, which no key of this terminal reaches; its output goes into a pipe.

    Its cache of compiled kernels is empty, so that nothing depends on files that another process has left there.
    ``seconds``: the time that a message may take, once it has begun. ``alone``: as in ``started``.
    """

    def __init__(self, seconds: float, *, alone: bool = False) -> None:
        self._seconds = seconds
        with contextlib.ExitStack() as ends:
            folder = ends.enter_context(tempfile.TemporaryDirectory(prefix="clmath-", ignore_cleanup_errors=True))
            ours, theirs = _connected(seconds)
            out, sink = multiprocessing.Pipe(duplex=False)
            self._connection, self._out = ends.enter_context(ours), ends.enter_context(out)
            self._selector = ends.enter_context(selectors.DefaultSelector())
            with theirs, sink:
                self._process = started(serve, theirs, sink, {**os.environ, _CACHE: folder}, alone=alone)
            ends.callback(_kill, self._process)
            self.close = util.Finalize(self, ends.pop_all().close, exitpriority=1)  # before processes are waited for
        os.set_blocking(out.fileno(), False)
        self._selector.register(ours, selectors.EVENT_READ)
        self._selector.register(out, selectors.EVENT_READ)
        self._watch = Watch(self._process.pid or 0, Limits())
        self._call, self._number = "", b""
        self.due = 0  # answers that are still to come
        self._printed = Printed()
        self.ending = _ENDING  # seconds until it must have ended: 0 if nobody needs to know how it ends

    def ask(self, call: str, limits: Limits, kind: str, *given: object, size: int = TEXT) -> memoryview:
        """Return the answer to a request, at most ``size`` bytes; see ``send``."""
        self.send(call, kind, *given)
        return self.answer(limits, size)

    def send(self, call: str, kind: str, *given: object, answers: int = 1) -> None:
        """Send a request; take all ``answers`` before the next request, or up to a refusal.

        Without an answer, a lasting FaultError names the ``call``. A refusal is another TargetError.
        """
        self._call, self._number = call, secrets.token_bytes(_NUMBER)
        with self._losses():
            self._connection.send((self._number, kind, given))
        self.due = answers

    def answer(self, limits: Limits, size: int = TEXT) -> memoryview:
        """Return the next answer to the request that was sent."""
        self._watch.begin(limits)
        while not self.has_answer(min(self._watch.left, CHECKS)):
            self._listen()
            if self._process.exitcode is not None and not self.has_answer():
                raise self._lost(self._how_it_ended())  # a process that it started may still hold the other end
            if self._watch.left <= 0:
                raise self._late(_unanswered(limits.seconds))
            if words := self._watch.exceeded():
                raise self._late(words)
        with self._losses():
            message = memoryview(self._connection.recv_bytes(_NUMBER + 1 + size))
        number, kind, payload = message[:_NUMBER], message[_NUMBER : _NUMBER + 1], message[_NUMBER + 1 :]
        if number != self._number or kind not in (DONE, REFUSED):
            raise self._lost(_WROTE)
        self.due = 0 if kind == REFUSED else self.due - 1
        if kind == REFUSED:
            raise _refusal(**json.loads(bytes(payload)))
        return payload

    def memory(self) -> int:
        """Return the resident bytes of the process and of everything that it has started."""
        return self._watch.memory()

    def has_answer(self, seconds: float = 0.0) -> bool:
        """Whether data can be read within ``seconds``: an answer, or the end of the connection."""
        return any(key.fileobj is self._connection for key, _ in self._selector.select(max(seconds, 0.0)))

    @contextlib.contextmanager
    def _losses(self) -> Iterator[None]:
        """Raise a lasting FaultError for every error of the connection."""
        try:
            yield
        except BlockingIOError:
            raise self._late(_unanswered(self._seconds)) from None
        except (EOFError, OSError):  # a message that is too long ends reading
            raise self._lost(self._how_it_ended() if self._connection.readable else _WROTE) from None

    def _lost(self, deed: str) -> FaultError:
        return FaultError(self._call, deed, lasting=True)

    def _late(self, deed: str) -> LateError:
        return LateError(self._call, deed, lasting=True)

    def printed(self) -> Printed:
        """Return the output since the last call."""
        self._listen()
        found, self._printed = self._printed, Printed()
        return found

    def _listen(self) -> None:
        with contextlib.suppress(BlockingIOError):
            for _ in range(0 if self._out.closed else _READS):
                data = os.read(self._out.fileno(), 1 << 16)
                if not data:
                    self._selector.unregister(self._out)
                    self._out.close()
                    return
                self._printed = self._printed.and_then(data, len(data))

    def _how_it_ended(self) -> str:
        until = time.monotonic() + self.ending
        while (status := self._process.exitcode) is None and time.monotonic() < until:
            time.sleep(_SLEEP)  # join() waits forever for a process that has closed its files
        if status is None:
            return "closed its connection to the audit"
        if status >= 0:
            return f"ended its process with exit status {status}"
        return f"died of signal {-status} ({signal.strsignal(-status)})"


def _refusal(text: str = "", call: str = "", deed: str = "", lasting: bool = False) -> TargetError:
    return TargetError(text) if text else FaultError(call, deed, lasting=lasting)


def _connected(seconds: float) -> tuple[Connection, Connection]:
    """Return both ends of a connection; the first one waits at most ``seconds`` for the rest of a message."""
    ours, theirs = socket.socketpair()
    longest = struct.pack("ll", int(seconds), max(int(seconds % 1 * 1e6), 1))
    for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
        ours.setsockopt(socket.SOL_SOCKET, option, longest)
    return Connection(ours.detach()), Connection(theirs.detach())


def _kill(process: BaseProcess) -> None:
    """Kill a process with all processes that it has started and that have stayed in its group."""
    assert process.pid is not None
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.join()
    process.close()


def _unanswered(seconds: float) -> str:
    return f"did not answer within {seconds:g} s"


_READ_ONCE = ("PYTHON", "CLMATH", "LD_", "GLIBC", "MALLOC", "OMP_", "OPENBLAS", "MKL_", "NPY_", "LC_", "LANG")


def started(serve: Callable[..., None], *given: object, alone: bool) -> BaseProcess:
    """Start a process that calls ``serve``: a copy if that is safe, else a fresh interpreter.

    It is a copy of this process if that is ``alone``: without other threads and tasks. It is a copy of the server if
    that has the same environment.
    """
    try:
        return _started(_method(alone), serve, given)
    except (OSError, EOFError):  # the server was killed, or another process cannot be started
        return _started("spawn", serve, given)


def _started(method: str, serve: Callable[..., None], given: tuple[object, ...]) -> BaseProcess:
    context: Any = multiprocessing.get_context(method)
    process: BaseProcess = context.Process(target=serve, args=given)
    with uninterrupted() if method == "fork" else _starting():
        process.start()
    return process


def _method(alone: bool) -> str:
    if sys.platform != "linux":
        return "spawn"
    if alone:
        return "fork"
    return "forkserver" if _server() == _environment() else "spawn"


@functools.cache
def _server() -> tuple[int, dict[str, str]]:
    """Start the server, once; return its ``_environment``."""
    forkserver.set_forkserver_preload(["clmath.audit.isolation.preloaded"])
    with _starting():
        forkserver.ensure_running()
    return _environment()


def _environment() -> tuple[int, dict[str, str]]:
    """Return the number of this process, and the variables that interpreters and libraries read only at their start."""
    return os.getpid(), {name: value for name, value in os.environ.items() if name.startswith(_READ_ONCE)}


@contextlib.contextmanager
def _starting() -> Iterator[None]:
    """Have new interpreters find the modules of this one, none in the current folder, and no script to run."""
    script, sys.modules["__main__"] = sys.modules["__main__"], types.ModuleType("__main__")
    try:
        with out_of_reach(), variables(PYTHONPATH=os.pathsep.join(sys.path), PYTHONSAFEPATH="1"):
            yield
    finally:
        sys.modules["__main__"] = script
