"""The packages with a compiled library, the source files of each library, and the note next to a compiled one.

Needs neither NumPy nor the package around it: ``hatch_build.py`` loads this module alone.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Self

_NAME = "sources"  # of the note
_RECORD = "library.toml"
ROOT = Path(__file__).resolve().parents[3]


class Package(NamedTuple):
    """A package of clmath that has a compiled library, and a record of it: the file ``library.toml``.

    The record names the module that writes the text of the library, and all sources: files that can change the text or
    the calls of the library, such as the record itself. ``folder``: of the package, in a clone.
    """

    folder: str

    @property
    def name(self) -> str:
        """The name by which Python imports the package."""
        return self.folder.replace("/", ".")

    @property
    def built(self) -> Path:
        """The folder of the libraries, one for each level of an architecture."""
        return ROOT / self.folder / "built"

    def _record(self) -> tuple[str, list[str]]:
        """Return the module that writes the text, and the patterns of the sources."""
        import tomllib

        known = tomllib.loads((ROOT / self.folder / _RECORD).read_text(encoding="utf-8"))
        return known["text"], known["sources"]

    def texts(self) -> Mapping[str, str]:
        """Write the files of the library's text, by name; this imports most of clmath."""
        import importlib

        found: Mapping[str, str] = importlib.import_module(self._record()[0]).library_texts()
        return found

    def files(self) -> list[str]:
        """Return the names of the sources in a clone, in order."""
        found = (path for pattern in self._record()[1] for path in ROOT.glob(pattern))
        return sorted(path.relative_to(ROOT).as_posix() for path in found if path.is_file())

    def digest(self) -> str:
        """Return the digest of the names and contents of the sources."""
        import hashlib

        found = hashlib.blake2b(digest_size=20)
        for name in self.files():
            found.update(b"%s\0%s\0" % (name.encode(), (ROOT / name).read_bytes()))
        return found.hexdigest()

    def is_stale(self) -> bool:
        """Return whether the sources have changed since the libraries were compiled."""
        try:
            note = Note.of(self.built)
        except FileNotFoundError:  # a wheel, whose files nobody changes
            return False
        known = [row.split()[0] for row in note.status]
        return bool(status(known) != note.status and self.digest() != note.digest)


def packages() -> list[Package]:
    """Return every package that has a library."""
    return [Package(path.parent.relative_to(ROOT).as_posix()) for path in sorted(ROOT.glob(f"clmath/**/{_RECORD}"))]


def status(names: Iterable[str]) -> list[str]:
    """Return a line for each existing file of ``names``: the time of its last change, and its size."""
    found = []
    for name in names:
        with contextlib.suppress(FileNotFoundError):
            known = os.stat(f"{ROOT}/{name}")  # noqa: PTH116 - a hundred paths would take longer than the library to load
            found.append(f"{name} {known.st_mtime_ns} {known.st_size}")
    return found


class Note(NamedTuple):
    """The sources of compiled libraries in a clone, where these may change, and the facts of the compilation."""

    digest: str
    wanted: str  # the levels
    node: str  # the machine's name in its network
    libraries: str  # their names, with spaces between
    status: list[str]

    @classmethod
    def of(cls, folder: Path) -> Self:
        """Read the note in ``folder``; FileNotFoundError if none exists."""
        digest, wanted, node, libraries, *status = (folder / _NAME).read_text(encoding="utf-8").splitlines()
        return cls(digest, wanted, node, libraries, status)

    @classmethod
    def now(cls, package: Package, wanted: str, libraries: str) -> Self:
        """Return the note of libraries that this machine has just compiled from the present sources."""
        import platform

        return cls(package.digest(), wanted, platform.node(), libraries, status(package.files()))

    def write(self, folder: Path) -> None:
        """Write the note into ``folder``, where the libraries are."""
        *facts, rows = self
        noted = folder / f"{_NAME}.new"
        noted.write_text("\n".join([*facts, *rows, ""]), encoding="utf-8")
        noted.replace(folder / _NAME)
