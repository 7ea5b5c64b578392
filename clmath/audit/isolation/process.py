"""Starts the process that runs a subject, sends it requests with a time limit, and says how it ended."""

from __future__ import annotations

import contextlib
import os
import secrets
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING, NamedTuple

from clmath.audit.isolation.copies import copy_of_another
from clmath.audit.isolation.limits import CHECKS, Limits, Watch
from clmath.audit.subjects import wire

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clmath.audit.isolation.copies import Copy

__all__ = ["Answer", "LateError", "LostError", "Process"]

_CHILD = "clmath.audit.isolation.child"
_CACHE = "POCL_CACHE_DIR"  # where PoCL keeps what it has compiled, and what is left of a compilation that was killed
_ENDING = 0.5  # seconds that it may take to end, once its connection is closed
_READS = 64  # reads of 64 KiB at a time: the time limit stops a subject that prints without end
_KEPT = 4096  # bytes that are kept of what a subject prints; the rest is only counted


class LostError(Exception):
    """The process cannot be used any more; the text says what it did."""


class LateError(LostError):
    """The process did not answer within its limits of time, processor time and memory."""


class Answer(NamedTuple):
    """An answer: whether the request was carried out, and its result, or the reason why not."""

    is_done: bool
    payload: memoryview  # until the next answer


class Process:
    """A child in a session of its own, which no key of this terminal reaches; its output goes into a pipe.

    Its cache of compiled kernels is empty, so that nothing depends on what another process has left there.
    ``alone``: this process has no threads and nothing else to do, so that it may be copied. ``memory``: the descriptor
    of memory that the child shares.
    """

    def __init__(self, *, alone: bool = False, memory: int | None = None) -> None:
        sys.stdout.flush()  # a copy must not print again what waits here
        ours, theirs = socket.socketpair()
        out, theirs_out = os.pipe()
        lifeline, self._lifeline = os.pipe()  # when this process ends, killed or not, its end is closed
        os.set_blocking(out, False)
        self._connection, self._out = ours, out
        kept = (theirs.fileno(), lifeline, *(() if memory is None else (memory,)))
        self._folder = tempfile.TemporaryDirectory(prefix="clmath-", ignore_cleanup_errors=True)
        with theirs, open(lifeline, "rb"), open(theirs_out, "wb") as sink:  # noqa: PTH123 - they have no path
            self._process = _started(kept, sink.fileno(), self._folder.name, alone=alone)
        self._watch = Watch(self._process.pid, Limits())
        self._selector = selectors.DefaultSelector()
        self._selector.register(ours, selectors.EVENT_READ)
        self._selector.register(out, selectors.EVENT_READ)
        self._head, self._buffer = bytearray(wire.HEAD.size), wire.Buffer()
        self.output = bytearray()
        self.printed = 0  # bytes
        self._number = b""
        self.ending = _ENDING  # seconds that it may take to end: 0 if nobody wants to know how it ends

    def ask(self, kind: bytes, parts: Sequence[bytes | memoryview], limits: Limits, size: int = wire.TEXT) -> Answer:
        """The answer, of at most ``size`` bytes, to a request; LostError where there is none."""
        self.send(kind, parts, limits.seconds)
        return self.answer(limits, size)

    def send(self, kind: bytes, parts: Sequence[bytes | memoryview], seconds: float) -> None:
        """Send a request, all answers to which must be taken before there is another."""
        self._number = secrets.token_bytes(16)
        with self._losses(seconds):
            self._connection.settimeout(seconds)
            self._connection.sendall(wire.frame(self._number, kind, parts))

    def answer(self, limits: Limits, size: int = wire.TEXT) -> Answer:
        """The next answer to the requests that were sent."""
        self._watch.begin(limits)
        with self._losses(limits.seconds):
            self._receive(memoryview(self._head), limits.seconds)
            answered, answer, length = wire.HEAD.unpack(self._head)
            if answered != self._number or length > size or answer not in (wire.DONE, wire.REFUSED):
                raise LostError("wrote into its connection to the audit")
            payload = self._buffer.view(length)
            self._receive(payload, limits.seconds)
            return Answer(answer == wire.DONE, payload)

    def memory(self) -> int:
        """The resident bytes of the process and of all that it has started."""
        return self._watch.memory()

    def has_answer(self) -> bool:
        """Whether something can be read without waiting: an answer, or the end of the connection."""
        return any(key.fileobj is self._connection for key, _ in self._selector.select(0.0))

    @contextlib.contextmanager
    def _losses(self, seconds: float) -> Iterator[None]:
        """Raise LostError for whatever goes wrong with the connection."""
        try:
            yield
        except TimeoutError:
            raise _late(seconds) from None
        except OSError:
            raise LostError(self._end()) from None

    def _receive(self, view: memoryview, seconds: float) -> None:
        self._connection.settimeout(0.0)
        self._check()
        while view:
            with contextlib.suppress(BlockingIOError):
                count = self._connection.recv_into(view)
                if count == 0:
                    raise LostError(self._end())
                view = view[count:]
                continue
            has_ended = self._process.poll() is not None
            left = self._watch.left
            ready = self._selector.select(0.0 if has_ended else max(min(left, CHECKS), 0.0))
            if any(key.fileobj is self._connection for key, _ in ready):
                continue
            self.listen()
            if has_ended:  # a process that it started may still hold the other end
                raise LostError(self._end())
            if left <= 0:
                raise _late(seconds)
            self._check()

    def _check(self) -> None:
        """LateError if the process exceeds its limits of processor time and memory."""
        if self._watch.left > 0 and (words := self._watch.exceeded()):
            raise LateError(words)

    def listen(self) -> None:
        """Take what has been printed so far into ``output`` and ``printed``."""
        with contextlib.suppress(BlockingIOError):
            for _ in range(_READS if self._out >= 0 else 0):
                data = os.read(self._out, 1 << 16)
                if not data:
                    self._selector.unregister(self._out)
                    os.close(self._out)
                    self._out = -1
                    return
                self.printed += len(data)
                self.output += data[: _KEPT - len(self.output)]

    def _end(self) -> str:
        """How the process ended, in words."""
        try:
            status = self._process.wait(self.ending)
        except subprocess.TimeoutExpired:
            return "closed its connection to the audit"
        if status >= 0:
            return f"ended its process with exit status {status}"
        return f"died of signal {-status} ({signal.strsignal(-status)})"

    def close(self) -> None:
        """Kill the process with all that it has started and that has stayed in its group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        self._selector.close()
        self._connection.close()
        os.close(self._lifeline)
        if self._out >= 0:
            os.close(self._out)
            self._out = -1
        self._folder.cleanup()


def _started(kept: tuple[int, ...], sink: int, cache: str, *, alone: bool) -> subprocess.Popen[bytes] | Copy:
    """The child: a copy of a process that is kept for copying, else a fresh interpreter."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), _CACHE: cache}
    # -P: no file of the current folder stands in for a module before the subject is asked for
    return copy_of_another(kept, sink, environment, alone=alone) or subprocess.Popen(  # noqa: S603 - our own module
        [sys.executable, "-P", "-m", _CHILD, *map(str, kept)],
        stdin=subprocess.DEVNULL,
        stdout=sink,
        stderr=sink,
        pass_fds=kept,
        env=environment,
        start_new_session=True,
    )


def _late(seconds: float) -> LateError:
    return LateError(f"did not answer within {seconds:g} s")
