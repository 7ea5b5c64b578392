"""Save the floating-point environment of this thread before a target runs, and restore it afterwards."""

from __future__ import annotations

import contextlib
import ctypes
import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["entered", "restore", "taken"]

_SIZE = 256  # bytes; the largest fenv_t of the systems we know has 32


@functools.cache
def _library() -> ctypes.CDLL | None:
    """Return the C library with fegetenv and fesetenv, or None if the process has none under these names."""
    try:
        library = ctypes.CDLL(None)
        return library if hasattr(library, "fegetenv") and hasattr(library, "fesetenv") else None
    except (OSError, TypeError):  # Windows
        return None


def taken() -> ctypes.Array[ctypes.c_char] | None:
    """Return rounding mode, flushing and the other flags of this thread, for ``restore``."""
    library = _library()
    if library is None:
        return None
    environment = ctypes.create_string_buffer(_SIZE)
    library.fegetenv(environment)
    return environment


def restore(environment: object) -> None:
    """Restore an environment that ``taken`` returned."""
    library = _library()
    if library is not None and environment is not None:
        library.fesetenv(environment)


@contextlib.contextmanager
def entered(environment: object) -> Iterator[None]:
    """Run the block in an environment that ``taken`` returned; None changes nothing."""
    before = taken() if environment is not None else None
    restore(environment)
    try:
        yield
    finally:
        restore(before)
