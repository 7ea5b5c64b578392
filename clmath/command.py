"""What the command ``clmath`` begins with: Ctrl-C is answered before the rest of the package is imported."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from types import FrameType

__all__ = ["main"]


def main() -> int:
    """Run the command line of this process; its exit status."""
    is_ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # else it is ignored, as by nohup
    if is_ours:
        signal.signal(signal.SIGINT, _end)
    from clmath.cli import main as command

    if is_ours:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return command()


def _end(_number: int, _frame: FrameType | None) -> NoReturn:
    """End at once: an exception would be another one by the time that it has passed through half-imported modules."""
    os.write(2, b"clmath: interrupted\n")
    os._exit(2)
