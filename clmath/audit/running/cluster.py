"""Have the workers of a Dask cluster judge; they need the same clmath, tables and libraries as the audit."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import importlib.metadata
import re
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from clmath import errors
from clmath.audit.protocol.printable import message_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Cluster", "ClusterError", "checked_address", "cluster"]

SECONDS = 20.0  # how long to wait for the scheduler
_LIBRARIES = ("numpy", "gmpy2", "mpmath")  # libraries that exact values depend on
_PACKAGE = Path(__file__).resolve().parents[2]
P = ParamSpec("P")
T = TypeVar("T")


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
