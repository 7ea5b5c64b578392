"""Standard input, output and error of a command: open whoever started it, no traceback where they fail."""

from __future__ import annotations

import errno
import os
import sys
from typing import TextIO

__all__ = ["UNWRITABLE", "complain", "discard_output", "ensure_open"]

UNWRITABLE = frozenset((errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EDQUOT))  # with no file named: a full disk below it


def ensure_open() -> None:
    """Have /dev/null stand in for what the caller has closed: else the next file or socket would take its number."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # the lowest that is free: this one
    sys.stdout = sys.stdout or _nothing()
    sys.stderr = sys.stderr or _nothing()


def complain(line: str) -> None:
    """Print to standard error; where that cannot be done the exit status must do."""
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        sys.stderr = _nothing()


def discard_output() -> None:
    """Write to nothing from now on: the interpreter's last flush must not fail."""
    sys.stdout = _nothing()


def _nothing() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - open until the process ends
