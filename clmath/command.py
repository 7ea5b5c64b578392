"""Start and end of the command ``clmath``: while modules are being imported or torn down, Ctrl-C ends the process."""

from __future__ import annotations

import signal

from clmath.stopping import end

__all__ = ["main"]


def main() -> int:
    """Run the command line of this process; return its exit status."""
    is_ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # else it is ignored, as by nohup
    if is_ours:
        signal.signal(signal.SIGINT, end)
    from clmath.cli import main as command

    if is_ours:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return command()
    finally:
        if is_ours:
            signal.signal(signal.SIGINT, end)
