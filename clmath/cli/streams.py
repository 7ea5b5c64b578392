"""Standard input, output and error of a command: open under any caller, without tracebacks on failure."""

from __future__ import annotations

import errno
import os
import sys
from typing import TextIO

__all__ = ["UNWRITABLE", "complain", "discard_output", "ensure_open"]

UNWRITABLE = frozenset((errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EDQUOT))  # with no file name: a full disk


def ensure_open() -> None:
    """Open /dev/null in place of closed standard streams: else the next file or socket would take their numbers."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # the lowest free number: this one
    sys.stdout = sys.stdout or _nothing()
    sys.stderr = sys.stderr or _nothing()


def complain(line: str) -> None:
    """Print to standard error; if that fails, the exit status must suffice."""
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        sys.stderr = _nothing()


def discard_output() -> None:
    """Discard output from now on: the interpreter's last flush must not fail."""
    sys.stdout = _nothing()


def _nothing() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - open until the process ends
