"""Finds and reads the tables, in an installed package as in a bare checkout."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from clmath.errors import TableError

_PACKAGE = Path(__file__).resolve().parent.parent
_CANDIDATES = (_PACKAGE / "tables", _PACKAGE.parent / "tables")


def path(name: str) -> Path:
    """Return the place of the table ``name``; TableError if no candidate folder holds it."""
    for folder in _CANDIDATES:
        if (folder / name).exists():
            return folder / name
    places = " or ".join(str(folder) for folder in _CANDIDATES)
    raise TableError(f"tables: {name} is in neither {places}; reinstall clmath")


def exists(name: str) -> bool:
    """Whether a table ``name`` exists."""
    return any((folder / name).is_file() for folder in _CANDIDATES)


def shown(name: str) -> str:
    """Return the name of table ``name`` in messages: from ``tables`` on, or the whole path of a user's own."""
    return name if Path(name).is_absolute() else f"tables/{name}"


@functools.cache
def load(name: str) -> dict[str, Any]:
    """Return the parsed TOML table ``name``."""
    import tomllib

    file = path(name)
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise TableError(f"{shown(name)}: not valid TOML: {error}") from error


def digest(name: str) -> str:
    """Return the first 16 hex digits of the SHA-256 of a table: reports carry it, so that verdicts name criteria."""
    import hashlib

    return hashlib.sha256(path(name).read_bytes()).hexdigest()[:16]
