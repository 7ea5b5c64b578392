"""The statements of an edition: sentences that decide results of built-ins that are judged bit by bit."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clmath.errors import TableError
from clmath.spec import editions, files

if TYPE_CHECKING:
    from clmath.spec.editions import Edition

__all__ = ["ANY", "Statement", "statement", "statements"]

ANY = "any"  # no requirement
_NAME = "judging.toml"
_SECTION = "statements"
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
    table = editions.table(edition, _NAME).get(_SECTION, {})
    where = f"{files.shown(editions.place(edition, _NAME))}: [{_SECTION}]"
    if unknown := sorted({*table} ^ {*_SAYINGS}):
        raise TableError(f"{where} needs {', '.join(_SAYINGS)}, and no others: {', '.join(unknown)}")
    return {name: _parsed(name, entry, where) for name, entry in table.items()}


def _parsed(name: str, entry: dict[str, Any], where: str) -> Statement:
    found = tuple([entry["says"]] if isinstance(entry["says"], str) else entry["says"])
    if not found or not {*found} <= {*_SAYINGS[name]}:
        known = " or ".join(map(repr, _SAYINGS[name]))
        raise TableError(f"{where} {name} says {entry['says']!r}; write {known}")
    return Statement(found, str(entry["source"]))
