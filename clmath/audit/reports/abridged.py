"""Cut long messages, mostly from compilers, to their first and last lines."""

from __future__ import annotations

__all__ = ["abridged"]

HEAD, TAIL = 12, 6  # lines that are kept at the beginning and at the end


def abridged(text: str, elsewhere: str, head: int = HEAD, tail: int = TAIL) -> str:
    """Return ``text``, or its first and last lines with the number of the other lines, and where to find these."""
    lines = text.splitlines()
    if len(lines) <= head + tail + 1:
        return text
    left_out = len(lines) - head - tail
    return "\n".join([*lines[:head], f"[... {left_out} more lines: {elsewhere} ...]", *lines[-tail:]])
