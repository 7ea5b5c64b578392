"""Memory that the processes of an audit share: results stay there until they are judged."""

from __future__ import annotations

import functools
import math
import mmap
import os
import sys
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if sys.platform == "linux":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from numpy.typing import NDArray

__all__ = ["BEHIND", "Memory", "Place", "is_shared", "mapped", "spans"]

BEHIND = mmap.PAGESIZE  # bytes behind every result: what a device writes there is seen

_KEPT: dict[tuple[int, int, int], NDArray[np.uint8]] = {}  # by memory and start: mapping takes as long as reading once


def is_shared() -> bool:
    """Whether this system has such memory: Linux has, with /proc."""
    return sys.platform == "linux" and hasattr(os, "memfd_create") and Path("/proc/self/fd").is_dir()


class Place(NamedTuple):
    """Where ``size`` bytes lie, as every process of the same user may call it: a file that another one has open."""

    file: str
    start: int
    size: int

    def bytes(self) -> NDArray[np.uint8]:
        """What lies there, opened anew: another memory may have the same name later. What is mapped of one is kept."""
        with Path(self.file).open("rb") as opened:
            memory = os.fstat(opened.fileno())
            key = (memory.st_dev, memory.st_ino, self.start)
            if (kept := _KEPT.get(key)) is not None:
                return kept
            for other in [other for other in list(_KEPT) if other[:2] != key[:2]]:
                _KEPT.pop(other, None)
            found = mmap.mmap(opened.fileno(), self.size, offset=self.start, access=mmap.ACCESS_READ)
        return _KEPT.setdefault(key, np.frombuffer(found, np.uint8))


class Memory:
    """Places of ``size`` bytes, as many as are taken at a time; they have no name, and end with who has them open."""

    def __init__(self, size: int) -> None:
        self._size = -(-size // mmap.ALLOCATIONGRANULARITY) * mmap.ALLOCATIONGRANULARITY
        self._count = 0
        self._free: list[Place] = []  # what is judged is given back by another thread
        self.descriptor = os.memfd_create("clmath", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        fcntl.fcntl(self.descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)  # what is cut off kills who reads it
        self._end = weakref.finalize(self, _let_go, self.descriptor)

    def take(self) -> Place:
        """A place that nobody has: the last that was given back, which lies in a cache if any does."""
        if self._free:
            return self._free.pop()
        start = self._count * self._size
        self._count += 1
        os.ftruncate(self.descriptor, self._count * self._size)
        return Place(f"/proc/{os.getpid()}/fd/{self.descriptor}", start, self._size)

    def give_back(self, place: Place) -> None:
        """Have it taken again."""
        self._free.append(place)

    def close(self) -> None:
        """Let go of it."""
        self._end()


def _let_go(descriptor: int) -> None:
    """Close a memory, and keep nothing mapped of it."""
    os.close(descriptor)
    _KEPT.clear()


def spans(layout: Iterable[tuple[np.dtype[Any], tuple[int, ...]]]) -> list[slice]:
    """Which bytes of a place results of these types and shapes take; ``BEHIND`` or more lie behind each of them."""
    found, start = [], 0
    for dtype, shape in layout:
        size = dtype.itemsize * math.prod(shape)
        found.append(slice(start, start + size))
        start += -(-size // BEHIND) * BEHIND + BEHIND
    return found


@functools.lru_cache(maxsize=4096)
def mapped(descriptor: int, start: int, size: int) -> NDArray[np.uint8]:
    """The bytes of a place, in the process that was started with ``descriptor``."""
    return np.frombuffer(mmap.mmap(descriptor, size, offset=start), np.uint8)
