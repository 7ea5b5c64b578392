"""Has the workers of a Dask cluster judge; they must have the clmath, tables and libraries of the audit."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import importlib.metadata
import re
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clmath import errors
from clmath.audit.protocol.printable import message_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clmath.callables import AnyFunction

__all__ = ["Cluster", "ClusterError", "checked_address", "cluster"]

SECONDS = 20.0  # how long to wait for the scheduler
_LIBRARIES = ("numpy", "gmpy2", "mpmath")  # libraries that exact values depend on
_PACKAGE = Path(__file__).resolve().parents[2]


class ClusterError(errors.ClmathError):
    """The cluster cannot judge; what was judged before stays valid."""


def checked_address(address: str, call: str) -> str:
    """``address``, if it can be that of a scheduler; else ClmathError."""
    found = re.fullmatch(r"(?:(?:tcp|tls|ws|wss)://)?(?:[^\s:/@\[\]]+|\[[0-9A-Fa-f:.%\w]+\]):([0-9]{1,5})", address)
    if found is None or not 0 < int(found[1]) < 1 << 16:
        fact = f"{address}: no scheduler answers there: it is no HOST:PORT"
        raise errors.ClmathError(f"{call}: --dask {fact}; name one as tcp://HOST:8786, which 'dask scheduler' prints")
    return address


@contextlib.contextmanager
def cluster(address: str, call: str) -> Iterator[Cluster]:
    """The cluster whose scheduler listens at ``address``; ClusterError if none answers."""
    try:
        distributed: Any = importlib.import_module("distributed")
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
    """Submits pieces to the workers of ``client``; if a worker dies, another one is given its piece."""

    def __init__(self, client: Any, call: str) -> None:
        self._client, self._call = client, call
        self._executor = client.get_executor(pure=False)

    @property
    def workers(self) -> int:
        """How many pieces are judged at the same time, by what the client knows now."""
        threads: dict[str, int] = self._client.nthreads()
        return max(sum(threads.values()), 1)

    def submit(self, function: AnyFunction, /, *args: object, **kwargs: object) -> Future[Any]:
        """The result to come of ``function``, from a worker that computes what this process would."""
        return _Answer(self._executor.submit(_computed, identity(), function, args, kwargs), self._call)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Cancel the pieces that are no longer waited for."""
        self._executor.shutdown(wait=wait and not cancel_futures)


class _Answer(Future[Any]):
    """A result to come; whatever goes wrong raises ClusterError."""

    def __init__(self, future: Future[Any], call: str) -> None:
        super().__init__()
        self._future, self._call = future, call

    def done(self) -> bool:
        """Whether the result is there."""
        return self._future.done()

    def result(self, timeout: float | None = None) -> Any:
        """The result, once it is there."""
        try:
            return self._future.result(timeout)
        except errors.ClmathError as error:
            raise ClusterError(f"{self._call}: --dask: {error}") from None
        except Exception as error:  # noqa: BLE001 - of a scheduler, a network, or code that is not ours
            raise ClusterError(f"{self._call}: --dask: the cluster does not judge: {message_of(error)}") from None


def _computed(wanted: str, function: AnyFunction, args: tuple[object, ...], kwargs: dict[str, Any]) -> Any:
    """Called on a worker: computes the result, or raises if the worker would compute another one than the audit."""
    if identity() != wanted:
        raise ClusterError(
            "a worker has another clmath, other tables, or other versions of " + ", ".join(_LIBRARIES) + " or MPFR;"
            " install the same everywhere"
        )
    return function(*args, **kwargs)


@functools.cache
def identity() -> str:
    """A digest of all that verdicts depend on."""
    import gmpy2

    versions = [importlib.metadata.version(name) for name in _LIBRARIES]
    total = hashlib.sha256(" ".join([*versions, gmpy2.mpfr_version()]).encode())
    tables = next(folder for folder in (_PACKAGE / "tables", _PACKAGE.parent / "tables") if folder.is_dir())
    for file in (*sorted(_PACKAGE.rglob("*.py")), *sorted(tables.rglob("*.toml"))):
        total.update(file.read_bytes())
    return total.hexdigest()
