"""Check the names in the tables of an edition: a misspelt one would be a rule that is never applied."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, TypeAlias

from clmath.errors import TableError, guess
from clmath.spec import editions, files
from clmath.spec.builtins import builtins
from clmath.spec.families import families

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from clmath.spec.editions import Edition

    Names: TypeAlias = Iterator[tuple[Iterable[str], Iterable[str]]]

_FACTS = ("title", "based_on")
_SECTIONS = ("sources", "limits", "relaxed", "text", "option")
_COLUMNS = ("float", "double", "half", "half_embedded", "full", "embedded", "relaxed", "relaxed embedded")
_GROUP = ("special_values", "same_as", "flushing", "not_results")
_OLDER = {"edges.toml": "special_values.toml", "edges": "special_values"}  # names of earlier tables
_OF_OPTION = ("source", "waives", "includes", "table", "formats")
_LISTS_OF_BUILTINS = ("may_flush", "multiply_then_add", "zero_sign_open", "undefined", "flushed_below")


def checked_edition(call: str, edition: object) -> Edition:
    """Return the ``edition``, or the whole path if one lies there.

    Raises UnknownNameError for an unknown edition, and TableError if its tables have a name that nothing reads.
    """
    found = editions.checked_edition(call, edition)
    _check_names(found)
    return found


@functools.cache
def _check_names(edition: Edition) -> None:
    """Raise TableError for the first unused name in the tables of an edition."""
    for folder in editions.folders(edition):
        for name, names_of in _TABLES.items():
            place = f"{folder}/{name}"
            if files.exists(place):
                for found, known in names_of(files.load(place)):
                    _check(files.shown(place), found, known)
        present = (file.name for file in files.path(folder).glob("*.toml"))
        _check(files.shown(folder), present, _TABLES)


def _check(place: str, found: Iterable[str], known: Iterable[str]) -> None:
    """Raise TableError if a name is not ``known``."""
    known = tuple(known)
    for name in found:
        if name not in known:
            remedy = guess(name, known) or f"; remove it, or write one of {', '.join(known[:20])}"
            if name in _OLDER:
                remedy = f"; it is called {_OLDER[name]!r} now: rename it"
            raise TableError(f"{place}: {name!r} is read by nothing{remedy}")


def _of_facts(table: Mapping[str, object]) -> Names:
    """Yield names of ``edition.toml`` with the known ones, as the functions below do for their tables."""
    yield table, _FACTS


def _of_limits(table: Mapping[str, Any]) -> Names:
    yield table, _SECTIONS
    yield table.get("sources", ()), _COLUMNS
    groups = (*table.get("text", {}).values(), *table.get("option", {}).values())
    for rows in (table.get("limits", {}), table.get("relaxed", {}), *groups):
        yield filter(str.isidentifier, rows), builtins()  # a row of an expression, x * y + z, does not name a built-in
        for row in rows.values():
            yield row if isinstance(row, dict) else (), _COLUMNS


def _of_special_values(table: Mapping[str, Any]) -> Names:
    for group in table.values():
        if isinstance(group, dict):
            yield group, _GROUP
            yield group.get("same_as", ()), builtins()


def _of_judging(table: Mapping[str, Any]) -> Names:
    known = editions.table(editions.DEFAULT, "judging.toml")
    yield table, known
    for name, entry in table.items():
        if name in _LISTS_OF_BUILTINS:
            yield entry, {**builtins(), **families()}
        elif name == "options":
            for option in entry.values():
                yield option, _OF_OPTION
        elif name not in {"zero_sign", "statements"} and isinstance(entry, dict):
            yield entry, known[name]


_TABLES = {
    "edition.toml": _of_facts,
    "limits.toml": _of_limits,
    "special_values.toml": _of_special_values,
    "judging.toml": _of_judging,
}
