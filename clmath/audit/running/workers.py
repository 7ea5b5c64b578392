"""Executors that judge the chunks of an audit: this process, worker processes, or the workers of a Dask cluster."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import importlib.metadata
import os
import queue
import re
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

from clmath import errors
from clmath.audit.protocol.printable import message_of
from clmath.audit.targets.lifetime import end_with, out_of_reach
from clmath.stopping import uninterrupted

P = ParamSpec("P")
T = TypeVar("T")


def ready(outcome: T) -> Future[T]:
    """Return a finished future with this outcome."""
    future: Future[T] = Future()
    future.set_result(outcome)
    return future


class Here(Executor):
    """Executor that does the work at once, in this process."""

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Return the finished future of ``function``."""
        return ready(function(*args, **kwargs))


class Workers(ThreadPoolExecutor):
    """Executor with processes, started when needed; spawned, not forked, as a device's driver has threads of its own.

    A process may be killed at any time: each has a connection of its own, and no lock is shared. The process pool of
    the standard library may wait forever if one of its processes is killed while it receives data.
    """

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs)
        self._workers: list[_Worker] = []
        self._idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Return the future of ``function``; its result raises BrokenProcessPool if the computing process dies."""
        if not self._workers:
            with out_of_reach():
                self._workers = [_Worker() for _ in range(self._max_workers)]
            for worker in self._workers:
                self._idle.put(worker)
        return super().submit(self._computed, function, args, kwargs)

    def _computed(self, function: Callable[..., T], args: tuple[object, ...], kwargs: dict[str, object]) -> T:
        """Have an idle worker compute a function, in a thread of this process."""
        worker = self._idle.get()
        try:
            return cast("T", worker.computed((function, args, kwargs)))
        finally:
            self._idle.put(worker)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes, if there are any; ``cancel_futures`` ends them at once, even while they compute."""
        with uninterrupted():
            super().shutdown(wait=False, cancel_futures=cancel_futures)
            for worker in self._workers if cancel_futures else ():
                worker.process.kill()
            super().shutdown(wait=wait or cancel_futures)
            for worker in self._workers if wait or cancel_futures else ():
                worker.end()


class _Worker:
    """A process that computes one task after the other."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self._connection, theirs = context.Pipe()
        with theirs:  # when the process has ended, its end is closed
            self.process = context.Process(target=_serve, args=(os.getpid(), theirs))
            self.process.start()

    def computed(self, task: object) -> object:
        """Return the result of a task, or raise its exception; BrokenProcessPool if the process dies."""
        try:
            self._connection.send(task)
            result, error = self._connection.recv()
        except (EOFError, OSError):
            raise BrokenProcessPool("a process ended before it had judged what it was sent") from None
        if error is not None:
            raise error
        return result

    def end(self) -> None:
        """Let the process end, and wait for that."""
        self._connection.close()
        self.process.join()


def _serve(parent: int, connection: Connection) -> None:
    """Compute one task after the other, until the connection is closed or ``parent`` is killed."""
    end_with(parent)
    with contextlib.suppress(EOFError, OSError):
        while True:
            function, args, kwargs = connection.recv()
            connection.send(_outcome(function, args, kwargs))


def _outcome(
    function: Callable[..., object], args: tuple[object, ...], kwargs: dict[str, object]
) -> tuple[object, Exception | None]:
    """Return the result, or the exception with a note of its origin."""
    try:
        return function(*args, **kwargs), None
    except Exception as error:  # noqa: BLE001 - it is raised where the result is read
        error.add_note(traceback.format_exc())
        return None, error


SECONDS = 20.0  # how long to wait for the scheduler
_LIBRARIES = ("numpy", "gmpy2", "mpmath")  # libraries that exact values depend on
_PACKAGE = Path(__file__).resolve().parents[2]


class ClusterError(errors.ClmathError):
    """The cluster cannot judge; earlier verdicts stay valid."""


def checked_address(address: str, call: str) -> str:
    """Return ``address`` if it can be the address of a scheduler; raise ClmathError otherwise."""
    found = re.fullmatch(r"(?:(?:tcp|tls|ws|wss)://)?(?:[^\s:/@\[\]]+|\[[0-9A-Fa-f:.%\w]+\]):([0-9]{1,5})", address)
    if found is None or not 0 < int(found[1]) < 1 << 16:
        fact = f"{address}: no scheduler answers there: it is not HOST:PORT"
        raise errors.ClmathError(f"{call}: --dask {fact}; name one as tcp://HOST:8786, which 'dask scheduler' prints")
    return address


@contextlib.contextmanager
def cluster(address: str, call: str) -> Iterator[Cluster]:
    """Connect to the cluster whose scheduler listens at ``address``; raise ClusterError if none answers."""
    try:
        distributed = importlib.import_module("distributed")
    except ImportError:
        raise errors.missing(f"{call}: --dask", "distributed", "dask") from None
    try:
        client = distributed.Client(address, timeout=SECONDS, set_as_default=False)
    except (OSError, ValueError, ImportError) as error:
        raise ClusterError(
            f"{call}: --dask {address}: no scheduler answers there ({message_of(error)});"
            " name one as tcp://HOST:8786, which 'dask scheduler' prints"
        ) from None
    try:
        yield Cluster(client, call)
    finally:
        client.close(timeout=SECONDS)


class Cluster(Executor):
    """Executor that submits chunks to the workers of ``client``; if a worker dies, its chunk goes to another one."""

    def __init__(self, client: Any, call: str) -> None:
        self._client, self._call = client, call
        self._executor = client.get_executor(pure=False)

    @property
    def workers(self) -> int:
        """Number of chunks that are judged concurrently, to the client's present knowledge."""
        threads: dict[str, int] = self._client.nthreads()
        return max(sum(threads.values()), 1)

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Return the future of ``function``, computed by a worker with the same clmath, tables and libraries."""
        return _Answer(self._executor.submit(_computed, identity(), function, args, kwargs), self._call)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Cancel the chunks whose tallies are no longer needed."""
        self._executor.shutdown(wait=wait and not cancel_futures)


class _Answer(Future[T]):
    """Future of a result from a worker; every failure raises ClusterError."""

    def __init__(self, future: Future[T], call: str) -> None:
        super().__init__()
        self._future, self._call = future, call

    def done(self) -> bool:
        """Whether the result is available."""
        return self._future.done()

    def result(self, timeout: float | None = None) -> T:
        """Return the result; wait until it is available."""
        try:
            return self._future.result(timeout)
        except errors.ClmathError as error:
            raise ClusterError(f"{self._call}: --dask: {error}") from None
        except Exception as error:  # noqa: BLE001 - errors of the scheduler, the network, or foreign code
            raise ClusterError(f"{self._call}: --dask: the cluster does not judge: {message_of(error)}") from None


def _computed(wanted: str, function: Callable[..., T], args: tuple[object, ...], kwargs: dict[str, object]) -> T:
    """Compute the result on a worker; raise ClusterError if its identity is not ``wanted``."""
    if identity() != wanted:
        raise ClusterError(
            "a worker has another clmath, other tables, or other versions of " + ", ".join(_LIBRARIES) + " or MPFR;"
            " install the same everywhere"
        )
    return function(*args, **kwargs)


@functools.cache
def identity() -> str:
    """Return a digest of everything that verdicts depend on: the sources, the tables and the versions of libraries."""
    import gmpy2

    versions = [importlib.metadata.version(name) for name in _LIBRARIES]
    total = hashlib.sha256(" ".join([*versions, gmpy2.mpfr_version()]).encode())
    tables = next(folder for folder in (_PACKAGE / "tables", _PACKAGE.parent / "tables") if folder.is_dir())
    for file in (*sorted(_PACKAGE.rglob("*.py")), *sorted(tables.rglob("*.toml"))):
        total.update(file.read_bytes())
    return total.hexdigest()
