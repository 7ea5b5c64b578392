"""Starts the process that runs a subject, asks it under a time limit, and tells how it ended."""

from __future__ import annotations

import contextlib
import os
import secrets
import selectors
import signal
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

from clmath.audit.subjects import wire

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Answer", "LateError", "LostError", "Process"]

_CHILD = "clmath.audit.subjects.child"
_SECONDS = 0.5  # between two looks at whether the process is still there
_READS = 64  # of 64 KiB each: who prints without end is stopped by its time limit
_KEPT = 4096  # bytes of what a subject prints; the rest is counted


class LostError(Exception):
    """The process is of no more use; the text says what it did."""


class LateError(LostError):
    """It did not answer in time."""


class Answer(NamedTuple):
    """What was answered: whether the request was carried out, and its result, or the refusal."""

    is_done: bool
    payload: bytearray


class Process:
    """A child in a session of its own, which no key of this terminal reaches; its output goes into a pipe."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        out, theirs_out = os.pipe()
        os.set_blocking(out, False)
        self._connection, self._out = ours, out
        # -P: no file of the current folder stands in for a module before the subject is asked for
        command = [sys.executable, "-P", "-m", _CHILD, str(theirs.fileno()), str(os.getpid())]
        with theirs, contextlib.closing(os.fdopen(theirs_out, "wb")) as sink:
            self._process = subprocess.Popen(  # noqa: S603 - our own module
                command,
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
                pass_fds=(theirs.fileno(),),
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
                start_new_session=True,
            )
        self._selector = selectors.DefaultSelector()
        self._selector.register(ours, selectors.EVENT_READ)
        self._selector.register(out, selectors.EVENT_READ)
        self.output = bytearray()
        self.printed = 0  # bytes
        self._number = b""

    def ask(self, kind: bytes, payload: bytes, seconds: float, size: int = wire.TEXT) -> Answer:
        """The answer, of at most ``size`` bytes, to a request; LostError where there is none."""
        self.send(kind, payload, seconds)
        return self.answer(seconds, size)

    def send(self, kind: bytes, payload: bytes, seconds: float) -> None:
        """Send a request, of which the next ``answer`` must be taken before there is another."""
        self._number = secrets.token_bytes(16)
        with self._losses(seconds):
            self._connection.settimeout(seconds)
            self._connection.sendall(wire.HEAD.pack(self._number, kind, len(payload)) + payload)

    def answer(self, seconds: float, size: int = wire.TEXT) -> Answer:
        """The answer to what was sent."""
        deadline = time.monotonic() + seconds
        with self._losses(seconds):
            answered, answer, length = wire.HEAD.unpack(self._received(wire.HEAD.size, deadline, seconds))
            if answered != self._number or length > size or answer not in (wire.DONE, wire.REFUSED):
                raise LostError("wrote into its connection to the audit")
            return Answer(answer == wire.DONE, self._received(length, deadline, seconds))

    @contextlib.contextmanager
    def _losses(self, seconds: float) -> Iterator[None]:
        """Whatever goes wrong with the connection is a LostError; what was printed until then is kept."""
        try:
            yield
        except TimeoutError:
            raise _late(seconds) from None
        except OSError:
            raise LostError(self._end()) from None
        finally:
            self._listen()

    def _received(self, length: int, deadline: float, seconds: float) -> bytearray:
        data = bytearray(length)
        view = memoryview(data)
        while view:
            has_ended = self._process.poll() is not None
            left = deadline - time.monotonic()
            ready = {key.fileobj for key, _ in self._selector.select(max(min(left, _SECONDS), 0.0))}
            if self._connection in ready:
                count = self._connection.recv_into(view)
                if count == 0:
                    raise LostError(self._end())
                view = view[count:]
                continue
            self._listen()
            if has_ended:  # a process that it started may still hold the other end
                raise LostError(self._end())
            if left <= 0:
                raise _late(seconds)
        return data

    def _listen(self) -> None:
        """Take what has been printed so far."""
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
        """What became of the process, which is not there any more."""
        try:
            status = self._process.wait(_SECONDS)
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
        if self._out >= 0:
            os.close(self._out)
            self._out = -1


def _late(seconds: float) -> LateError:
    return LateError(f"did not answer within {seconds:g} s")
