"""Start processes as copies of a process that has loaded the modules: this one, or the server of multiprocessing.

A fresh interpreter takes a third of a second to load NumPy and clmath; a copy of a process with both takes a
hundredth. An audit whose target is lost hundreds of times thus waits for at most one fresh interpreter.
"""

from __future__ import annotations

import contextlib
import functools
import multiprocessing
import os
import sys
import types
from multiprocessing import forkserver
from typing import TYPE_CHECKING, Any

from clmath.audit.protocol.variables import variables
from clmath.audit.subjects.lifetime import out_of_reach
from clmath.stopping import uninterrupted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.process import BaseProcess

__all__ = ["started"]

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
