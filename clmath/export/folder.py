"""Write files into a folder, all or none."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from clmath import errors

if TYPE_CHECKING:
    from collections.abc import Mapping

MARK = "clmath.h"  # a file of every exported library


def refuse_taken(folder: Path, call: str, *, force: bool) -> None:
    """Raise ClmathError unless ``folder`` is new or empty or, with ``force``, an exported library to replace."""
    try:
        found = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
        is_file = folder.exists() and not folder.is_dir()
    except OSError as error:
        raise _not_written(call, folder, error) from None
    if is_file:
        raise errors.ClmathError(f"{call}: --out {folder} is a file; name a new folder")
    if found and MARK not in found:
        raise errors.ClmathError(
            f"{call}: --out {folder} holds {found[0]!r}, and is not an exported library to replace; name a new folder"
        )
    if found and not force:
        raise errors.ClmathError(
            f"{call}: --out {folder} holds an exported library; replace it, and all in it, with --force, or name a new"
            " folder"
        )


def write(files: Mapping[str, str], folder: Path, call: str, *, force: bool) -> None:
    """Make ``folder`` contain exactly ``files``, by name; they appear together.

    ClmathError as in ``refuse_taken``, and if nothing can be written.
    """
    refuse_taken(folder, call, force=force)
    folder = folder.absolute()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".clmath-", dir=folder.parent, ignore_cleanup_errors=True) as beside:
            new, old = Path(beside) / "new", Path(beside) / "old"
            _fill(new, files)
            if folder.exists():
                folder.rename(old)
            _replace(folder, new, old)
    except OSError as error:
        raise _not_written(call, folder, error) from None


def _replace(folder: Path, new: Path, old: Path) -> None:
    """Put the folder ``new`` in its place, or put the folder ``old`` back."""
    try:
        new.rename(folder)
    except OSError:
        if old.exists():
            old.rename(folder)
        raise


def _fill(place: Path, files: Mapping[str, str]) -> None:
    place.mkdir()
    for name, content in files.items():
        path = place / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8", newline="\n")


def _not_written(call: str, folder: Path, error: OSError) -> errors.ClmathError:
    return errors.ClmathError(
        f"{call}: --out {folder} cannot be written: {error.strerror or 'it failed'}; name a new folder where you may"
        " write"
    )
