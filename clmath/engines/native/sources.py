"""The packages that have a compiled library, the files that decide what each library does, and the note beside it.

Needs neither NumPy nor the package around it: what installs a clone reads it alone.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Self

__all__ = ["Note", "Package", "packages", "status"]

_NAME = "sources"  # of the note
_RECORD = "library.toml"
ROOT = Path(__file__).resolve().parents[3]


class Package(NamedTuple):
    """A package of clmath that has a compiled library, and a record of it: the file ``library.toml``.

    The record names the module that writes the text of the library, and the files that decide what the library does,
    the record itself among them. ``folder``: of the package, in a clone.
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

    def _record(self) -> dict[str, Any]:
        import tomllib

        return tomllib.loads((ROOT / self.folder / _RECORD).read_text(encoding="utf-8"))

    def texts(self) -> Mapping[str, str]:
        """The files of the library's text by name; writing them imports most of clmath."""
        import importlib

        found: Mapping[str, str] = importlib.import_module(self._record()["text"]).library_texts()
        return found

    def files(self) -> list[str]:
        """The names in a clone of the files that decide what the library does, in order."""
        found = (path for pattern in self._record()["sources"] for path in ROOT.glob(pattern))
        return sorted(path.relative_to(ROOT).as_posix() for path in found if path.is_file())

    def digest(self) -> str:
        """The digest of the names and contents of these files."""
        import hashlib

        found = hashlib.blake2b(digest_size=20)
        for name in self.files():
            found.update(b"%s\0%s\0" % (name.encode(), (ROOT / name).read_bytes()))
        return found.hexdigest()

    def is_stale(self) -> bool:
        """Whether the files differ from those that the libraries were compiled from."""
        try:
            note = Note.of(self.built)
        except FileNotFoundError:  # nobody changes the files of a wheel
            return False
        known = [row.split()[0] for row in note.status]
        return bool(status(known) != note.status and self.digest() != note.digest)


def packages() -> list[Package]:
    """Return every package that has a library."""
    return [Package(path.parent.relative_to(ROOT).as_posix()) for path in sorted(ROOT.glob(f"clmath/**/{_RECORD}"))]


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
    def now(cls, package: Package, wanted: str, libraries: str) -> Self:
        """The note of libraries that were compiled on this machine from the files as they are."""
        import platform

        return cls(package.digest(), wanted, platform.node(), libraries, status(package.files()))

    def write(self, folder: Path) -> None:
        """Put it beside the libraries in ``folder``."""
        *facts, rows = self
        noted = folder / f"{_NAME}.new"
        noted.write_text("\n".join([*facts, *rows, ""]), encoding="utf-8")
        noted.replace(folder / _NAME)
