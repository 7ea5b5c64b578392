"""The editions of the specification: folders of tables, found by their names or given by their paths."""

from __future__ import annotations

import functools
import os
from pathlib import Path
from typing import Any, TypeAlias

from clmath import errors
from clmath.spec import files

__all__ = [
    "DEFAULT",
    "Edition",
    "checked_edition",
    "known",
    "place",
    "table",
    "tables",
    "title",
    "true_lanes",
    "true_lanes_source",
]

Edition: TypeAlias = str  # the name of a folder in tables/editions, or the path of one elsewhere
DEFAULT = "opencl-c++-1.0"
_FOLDER = "editions"
_FACTS = "edition.toml"
_TABLES = ("limits.toml", "edges.toml", "judging.toml")


def known() -> tuple[Edition, ...]:
    """The names of the editions that lie with the tables: the default first, the others by name."""
    names = (folder.name for folder in files.path(_FOLDER).iterdir() if (folder / _FACTS).is_file())
    return tuple(sorted(names, key=lambda name: (name != DEFAULT, name)))


def checked_edition(call: str, edition: object) -> Edition:
    """``edition`` if there is one of this name, or the whole path if one lies there; UnknownNameError otherwise."""
    if isinstance(edition, os.PathLike):
        edition = str(Path(edition).resolve())
    if isinstance(edition, str) and _is_path(edition):
        if not (Path(edition) / _FACTS).is_file():
            raise errors.UnknownNameError(
                f"{call}: edition={edition!r} is no folder with the file {_FACTS}; write one of {', '.join(known())}"
            )
        return str(Path(edition).resolve())
    if edition != DEFAULT and edition not in known():
        raise errors.not_one_of(call, "edition", edition, known())
    return str(edition)


def _is_path(edition: Edition) -> bool:
    """Whether ``edition`` is a path, not a name: it has a separator in it."""
    return any(separator in edition for separator in (os.sep, os.altsep) if separator)


@functools.cache
def _folders(edition: Edition) -> tuple[str, ...]:
    """Where the tables of ``edition`` are looked for: in its own folder, then in those that it is based on."""
    found: list[str] = []
    while edition:
        checked = checked_edition("edition", edition)
        folder = checked if _is_path(checked) else f"{_FOLDER}/{checked}"
        if folder in found:
            raise errors.TableError(f"tables/{folder}/{_FACTS}: based_on leads back here; let it end with {DEFAULT!r}")
        found.append(folder)
        edition = files.load(f"{folder}/{_FACTS}").get("based_on", "")
    return tuple(found)


def title(edition: Edition) -> str:
    """What the specification calls itself."""
    return str(files.load(f"{_folders(edition)[0]}/{_FACTS}")["title"])


@functools.cache
def true_lanes(edition: Edition) -> tuple[str, ...]:
    """What may make an integer in a lane of a vector true: 'not zero', 'sign bit'."""
    return tuple(_fact(edition, "true_lanes"))


def true_lanes_source(edition: Edition) -> str:
    """Where the text says so: 'OpenCL C++ 1.0, 3.21.3'."""
    return str(_fact(edition, "true_lanes_source"))


def _fact(edition: Edition, key: str) -> Any:
    """What an edition says of itself, or the nearest of those that it is based on."""
    facts = (files.load(f"{folder}/{_FACTS}") for folder in _folders(edition))
    return next(entry[key] for entry in facts if key in entry)


@functools.cache
def place(edition: Edition, name: str) -> str:
    """Where the table ``name`` ('limits.toml') of ``edition`` lies: its own, or that of the edition it is based on."""
    for folder in _folders(edition):
        if files.exists(f"{folder}/{name}"):
            return f"{folder}/{name}"
    raise errors.TableError(f"tables: {edition} has no {name}; write it, or name an edition in based_on of {_FACTS}")


def table(edition: Edition, name: str) -> dict[str, Any]:
    """The table ``name`` ('limits.toml') of ``edition``."""
    return files.load(place(edition, name))


def tables(edition: Edition) -> tuple[str, ...]:
    """The places of all tables of ``edition``."""
    return tuple(place(edition, name) for name in _TABLES)
