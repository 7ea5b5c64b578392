"""Memory that the processes of an audit share: results stay there until they are judged."""

from __future__ import annotations

import math
import mmap
import os
import sys
import weakref
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

if sys.platform == "linux":
    import fcntl

BEHIND = mmap.PAGESIZE  # bytes behind every result, where a stray write of a device is noticed

_KEPT: dict[tuple[int, int, int, bool], NDArray[np.uint8]] = {}  # mappings, as making one takes as long as reading


def is_shared() -> bool:
    """Whether this system has such memory: Linux does, if /proc is mounted."""
    return sys.platform == "linux" and hasattr(os, "memfd_create") and Path("/proc/self/fd").is_dir()


class Place(NamedTuple):
    """``size`` bytes in a file that a process has open; all processes of the same user can open it, too."""

    file: str
    start: int
    size: int

    def bytes(self, *, writable: bool = False) -> NDArray[np.uint8]:
        """Map the bytes of the place. Mappings are kept; the file is opened each time, since names are used again."""
        with Path(self.file).open("r+b" if writable else "rb") as opened:
            memory = os.fstat(opened.fileno())
            key = (memory.st_dev, memory.st_ino, self.start, writable)
            if (kept := _KEPT.get(key)) is not None:
                return kept
            for other in [other for other in list(_KEPT) if other[:2] != key[:2]]:
                _KEPT.pop(other, None)
            access = mmap.ACCESS_WRITE if writable else mmap.ACCESS_READ
            found = mmap.mmap(opened.fileno(), self.size, offset=self.start, access=access)
        return _KEPT.setdefault(key, np.frombuffer(found, np.uint8))


class Memory:
    """Places of ``size`` bytes, created on demand; freed once no process has them open any more."""

    def __init__(self, size: int) -> None:
        self._size = -(-size // mmap.ALLOCATIONGRANULARITY) * mmap.ALLOCATIONGRANULARITY
        self._count = 0
        self._free: list[Place] = []  # another thread gives places back once they are judged
        self.descriptor = os.memfd_create("clmath", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        # a process that reads behind the end of a file is killed
        fcntl.fcntl(self.descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)
        self._end = weakref.finalize(self, _let_go, self.descriptor)

    def take(self) -> Place:
        """Return a free place: the one that was given back last, since it is the likeliest to be in a cache."""
        if self._free:
            return self._free.pop()
        start = self._count * self._size
        self._count += 1
        os.ftruncate(self.descriptor, self._count * self._size)
        return Place(f"/proc/{os.getpid()}/fd/{self.descriptor}", start, self._size)

    def give_back(self, place: Place) -> None:
        """Let ``take`` return the place again."""
        self._free.append(place)

    def close(self) -> None:
        """Free the memory in this process."""
        self._end()


def _let_go(descriptor: int) -> None:
    """Close a memory's file, and drop all mappings."""
    os.close(descriptor)
    _KEPT.clear()


def spans(layout: Iterable[tuple[np.dtype, tuple[int, ...]]]) -> list[slice]:
    """Return the bytes of a place for results of these types and shapes; after each, at least ``BEHIND`` are free."""
    found, start = [], 0
    for dtype, shape in layout:
        size = dtype.itemsize * math.prod(shape)
        found.append(slice(start, start + size))
        start += -(-size // BEHIND) * BEHIND + BEHIND
    return found
