"""The editions of the specification: folders of tables, by name or path; their profiles, and their statements."""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from clmath import errors
from clmath.errors import TableError
from clmath.spec import files

Edition: TypeAlias = str  # the name of a folder in tables/editions, or the path of one elsewhere
DEFAULT = "opencl-c++-1.0"
_FOLDER = "editions"
_FACTS = "edition.toml"
_TABLES = (
    "limits.toml",
    "special_values.toml",
    "judging.toml",
)  # each has the differences from the edition it is based on


def known() -> tuple[Edition, ...]:
    """Return the names of the editions that lie with the tables: the default first, the others by name."""
    names = (folder.name for folder in files.path(_FOLDER).iterdir() if (folder / _FACTS).is_file())
    return tuple(sorted(names, key=lambda name: (name != DEFAULT, name)))


def checked_edition(call: str, edition: object) -> Edition:
    """Return ``edition`` if it is a known name, or the whole path if one lies there; UnknownNameError otherwise."""
    if isinstance(edition, os.PathLike):
        edition = str(Path(edition).resolve())
    if isinstance(edition, str) and _is_path(edition):
        if not (Path(edition) / _FACTS).is_file():
            raise errors.UnknownNameError(
                f"{call}: edition={edition!r} is not a folder with the file {_FACTS}; write one of {', '.join(known())}"
            )
        return str(Path(edition).resolve())
    if edition != DEFAULT and edition not in known():
        raise errors.not_one_of(call, "edition", edition, known())
    return str(edition)


def _is_path(edition: Edition) -> bool:
    """Whether ``edition`` is a path, not a name: it has a separator in it."""
    return any(separator in edition for separator in (os.sep, os.altsep) if separator)


@functools.cache
def folders(edition: Edition) -> tuple[str, ...]:
    """Return the folders that are searched for the tables of ``edition``: its own, then those that it is based on."""
    found: list[str] = []
    while edition:
        checked = checked_edition("edition", edition)
        folder = checked if _is_path(checked) else f"{_FOLDER}/{checked}"
        if folder in found:
            raise errors.TableError(
                f"{files.shown(folder)}/{_FACTS}: based_on leads back here; let it end with {DEFAULT!r}"
            )
        found.append(folder)
        edition = files.load(f"{folder}/{_FACTS}").get("based_on", "")
    return tuple(found)


def title(edition: Edition) -> str:
    """Return the title of the text of an edition."""
    return str(files.load(f"{folders(edition)[0]}/{_FACTS}")["title"])


@functools.cache
def place(edition: Edition, name: str) -> str:
    """Return the place of the table ``name`` ('limits.toml') of ``edition``, or of the nearest edition below it."""
    for folder in folders(edition):
        if files.exists(f"{folder}/{name}"):
            return f"{folder}/{name}"
    raise errors.TableError(f"tables: {edition} has no {name}; write it, or name an edition in based_on of {_FACTS}")


def layers(edition: Edition, name: str) -> tuple[tuple[str, dict[str, Any]], ...]:
    """Return each table ``name`` of ``edition``, and of the editions that it is based on, with its place; own last."""
    places = [f"{folder}/{name}" for folder in reversed(folders(edition)) if files.exists(f"{folder}/{name}")]
    return tuple((each, files.load(each)) for each in places or [place(edition, name)])


@functools.cache
def table(edition: Edition, name: str) -> dict[str, Any]:
    """Return the table ``name`` of ``edition``: the merged layers, of which upper entries count."""
    found: dict[str, Any] = {}
    for _, layer in layers(edition, name):
        found = _over(found, layer)
    return found


def _over(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Merge ``above`` into ``below``: its entries replace or extend the entries below, one by one within tables."""
    both = {key: _over(below[key], above[key]) for key in below if _are_tables(below[key], above.get(key))}
    return below | above | both


def _are_tables(*values: object) -> bool:
    return all(isinstance(value, dict) for value in values)


def tables(edition: Edition) -> tuple[str, ...]:
    """Return the places of all tables with requirements of ``edition``."""
    return tuple(each for name in _TABLES for each, _ in layers(edition, name))


Profile: TypeAlias = Literal["full", "embedded", "relaxed", "relaxed embedded"]
PROFILES: tuple[Profile, ...] = get_args(Profile)


ANY = "any"  # no requirement
_JUDGING = "judging.toml"
_STATEMENTS = "statements"
_SAYINGS = {  # possible values of each statement
    "true_lanes": ("not zero", "sign bit"),
    "saturated_nan": (ANY, "0"),
    "rounded_into_range": (ANY, "rounded"),
    "wrapped": (ANY, "modulo"),
    "signed_overflow": (ANY, "modulo"),
    "non_finite_writes": (ANY, "saturated"),
}


@dataclass(frozen=True)
class Statement:
    """One statement: the readings of ``_SAYINGS`` that are right, and the section that has the statement."""

    says: tuple[str, ...]
    source: str

    @property
    def requires_nothing(self) -> bool:
        """Whether any result is right."""
        return self.says == (ANY,)


def statement(name: str, edition: Edition) -> Statement:
    """Return the statement ``name`` of an edition."""
    return statements(edition)[name]


@functools.cache
def statements(edition: Edition) -> dict[str, Statement]:
    """Return the statements of an edition by their names; TableError if one is missing or unknown."""
    found = table(edition, _JUDGING).get(_STATEMENTS, {})
    where = f"{files.shown(place(edition, _JUDGING))}: [{_STATEMENTS}]"
    if unknown := sorted({*found} ^ {*_SAYINGS}):
        raise TableError(f"{where} needs {', '.join(_SAYINGS)}, and no others: {', '.join(unknown)}")
    return {name: _parsed(name, entry, where) for name, entry in found.items()}


def _parsed(name: str, entry: dict[str, Any], where: str) -> Statement:
    found = tuple([entry["says"]] if isinstance(entry["says"], str) else entry["says"])
    if not found or not {*found} <= {*_SAYINGS[name]}:
        known = " or ".join(map(repr, _SAYINGS[name]))
        raise TableError(f"{where} {name} says {entry['says']!r}; write {known}")
    return Statement(found, str(entry["source"]))
