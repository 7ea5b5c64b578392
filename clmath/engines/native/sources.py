"""The files that decide what the library does, their digest, and the note of both beside a library.

Needs neither NumPy nor the package around it: what installs a clone reads it alone.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

__all__ = ["Note", "digest", "files", "status"]

_NAME = "sources"  # of the note
ROOT = Path(__file__).resolve().parents[3]
_PATTERNS = (
    "clmath/audit/acceptance/*.py",
    "clmath/audit/judge/one_float.py",
    "clmath/direct/*.py",
    "clmath/engines/device/*.py",
    "clmath/engines/native/*.py",
    "clmath/engines/ufuncs.py",
    "clmath/engines/native/templates/*",
    "clmath/ir/*.py",
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


class Note(NamedTuple):
    """What libraries were compiled from, in a clone, where that may change, and how."""

    digest: str
    wanted: str  # the levels that were asked for
    node: str  # the machine, by the name that it has in its network
    libraries: str  # their names, with spaces between
    status: list[str]

    @classmethod
    def of(cls, folder: Path) -> Self:
        """The one beside the libraries in ``folder``; FileNotFoundError where there is none."""
        digest, wanted, node, libraries, *status = (folder / _NAME).read_text(encoding="utf-8").splitlines()
        return cls(digest, wanted, node, libraries, status)

    @classmethod
    def now(cls, wanted: str, libraries: str) -> Self:
        """The one of libraries that were compiled on this machine from the files as they are."""
        import platform

        return cls(digest(), wanted, platform.node(), libraries, status(files()))

    def write(self, folder: Path) -> None:
        """Put it beside the libraries in ``folder``."""
        *facts, rows = self
        noted = folder / f"{_NAME}.new"
        noted.write_text("\n".join([*facts, *rows, ""]), encoding="utf-8")
        noted.replace(folder / _NAME)
