"""The locks of the engines: a value that several threads need is built once, and a fork waits for builds."""

from __future__ import annotations

import functools
import logging  # noqa: F401 - to be registered for forks before us, see below
import os
import threading
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

__all__ = ["BUILDING", "COUNTING", "once"]

Result = TypeVar("Result")

BUILDING = threading.RLock()  # a thread that holds it may take COUNTING, never the other way round
COUNTING = threading.Lock()


def once(build: Callable[..., Result]) -> Callable[..., Result]:
    """Return ``build`` with a cache: it runs once for each arguments, and other threads wait for the result.

    functools.cache lets every thread that comes before the first result build it again. Exceptions are not cached.
    """
    built: dict[tuple[Hashable, ...], Result] = {}

    @functools.wraps(build)
    def kept(*args: Hashable) -> Result:
        try:
            return built[args]
        except KeyError:
            pass
        with BUILDING:
            if args not in built:
                built[args] = build(*args)
            return built[args]

    return kept


def _hold() -> None:
    BUILDING.acquire()
    COUNTING.acquire()


def _let_go() -> None:
    COUNTING.release()
    BUILDING.release()


# A child would wait forever for a lock that another thread of its parent held. The lock registered last is taken first:
# compilers log while they build, so a fork that held the lock of logging and then waited for ours would wait forever.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_hold, after_in_parent=_let_go, after_in_child=_let_go)
