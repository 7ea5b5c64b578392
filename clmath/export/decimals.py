"""Decimal constants for compilers without hexadecimal ones, such as C++ compilers before 2017."""

from __future__ import annotations

import re

__all__ = ["in_decimal"]

_HEXADECIMAL = re.compile(r"\b0x[0-9a-f]+(?:\.[0-9a-f]+)?p[+-]?[0-9]+")


def in_decimal(text: str) -> str:
    """Return ``text`` with the shortest decimal constants that compilers round to the same doubles."""
    return _HEXADECIMAL.sub(lambda found: repr(float.fromhex(found[0])), text)
