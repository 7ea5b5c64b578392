"""Save the floating-point environment of this thread before a target runs, and restore it afterwards."""

from __future__ import annotations

import contextlib
import ctypes
import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["c_library", "entered", "restore", "taken"]

_SIZE = 256  # bytes; the largest fenv_t of the systems we know has 32


@functools.cache
def c_library() -> ctypes.CDLL | None:
    """Return the C library of this process, or None if it has none under this name."""
    try:
        return ctypes.CDLL(None)
    except (OSError, TypeError):  # Windows
        return None


def taken() -> ctypes.Array[ctypes.c_char] | None:
    """Return rounding mode, flushing and the other flags of this thread, for ``restore``."""
    library = c_library()
    if library is None or not hasattr(library, "fegetenv"):
        return None
    environment = ctypes.create_string_buffer(_SIZE)
    library.fegetenv(environment)
    return environment


def restore(environment: object) -> None:
    """Restore an environment that ``taken`` returned."""
    library = c_library()
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
