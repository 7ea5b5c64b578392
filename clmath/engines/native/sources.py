"""The files that decide what the library does, and their digest."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["digest", "files", "status"]

ROOT = Path(__file__).resolve().parents[3]
_PATTERNS = (
    "clmath/audit/judge/screen_text.py",
    "clmath/audit/lanes/*.py",
    "clmath/direct/*.py",
    "clmath/engines/device/*.py",
    "clmath/engines/native/*.py",
    "clmath/engines/native/templates/*",
    "clmath/kernels/**/*.py",
    "clmath/numbers/*.py",
    "tables/kernels/**/*.toml",
)


def files() -> list[str]:
    """Their names in a clone, in order."""
    found = (path for pattern in _PATTERNS for path in ROOT.glob(pattern))
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


def digest() -> str:
    """Of their names and contents."""
    import hashlib

    found = hashlib.blake2b(digest_size=20)
    for name in files():
        found.update(b"%s\0%s\0" % (name.encode(), (ROOT / name).read_bytes()))
    return found.hexdigest()


def status(names: Iterable[str]) -> list[str]:
    """A line for each of the files ``names``: when it was changed last, and its size; none for one that is gone."""
    found = []
    for name in names:
        with contextlib.suppress(FileNotFoundError):
            known = os.stat(f"{ROOT}/{name}")  # noqa: PTH116 - a hundred paths would take longer than the library to load
            found.append(f"{name} {known.st_mtime_ns} {known.st_size}")
    return found
