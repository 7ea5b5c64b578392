"""A lock on the file of a report: only one audit at a time writes it."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING

from clmath import errors

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _take(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


__all__ = ["locked"]


@contextlib.contextmanager
def locked(path: Path, call: str) -> Iterator[None]:
    """Keep other audits from writing ``path`` within a with block; ClmathError if another one is writing it.

    The lock is on a file next to it, and the system releases it when this process ends, even if it is killed.
    """
    beside = path.with_name(f"{path.name}.lock")
    descriptor = _opened(beside, path, call)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()
        os.close(descriptor)


def _opened(beside: Path, path: Path, call: str) -> int:
    """Return the descriptor of the lock file, locked by this process, while the file still has that name."""
    while True:
        try:
            descriptor = os.open(beside, os.O_CREAT | os.O_RDWR, 0o644)
        except OSError as error:
            raise errors.not_written(call, path, error) from None
        try:
            _take(descriptor)
            if beside.stat().st_ino == os.fstat(descriptor).st_ino:
                return descriptor
        except FileNotFoundError:  # another audit has just removed it
            pass
        except OSError:
            os.close(descriptor)
            raise errors.ClmathError(
                f"{call}: --json {path} is being written by another audit; wait for it, or name another file"
            ) from None
        os.close(descriptor)
