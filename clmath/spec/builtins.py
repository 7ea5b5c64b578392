"""The built-ins of the specification as immutable values, read from ``tables/builtins.toml``."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from clmath import errors
from clmath.formats import FORMATS, Format, format_named
from clmath.spec import files

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Builtin", "Parameter", "builtin", "builtins"]

_DECLARATION = re.compile(r"(?P<result>\w+) (?P<name>\w+)\((?P<parameters>[^()]*)\)")
_PARAMETER = re.compile(r"(?P<type>\w+) (?P<pointer>\*?)(?P<name>\w+)")


@dataclass(frozen=True)
class Parameter:
    """One parameter of a declaration; a pointer is a result."""

    name: str
    type: str
    pointer: bool = False


@dataclass(frozen=True)
class Builtin:
    """A built-in: its declaration, where it stands, and the formats and vector widths it has."""

    name: str
    chapter: str
    section: str
    declaration: str
    result: str
    parameters: tuple[Parameter, ...]
    formats: tuple[Format, ...]
    lanes: tuple[int, ...]

    @property
    def inputs(self) -> tuple[Parameter, ...]:
        """The parameters that are read."""
        return tuple(p for p in self.parameters if not p.pointer)

    @property
    def outputs(self) -> tuple[Parameter, ...]:
        """The results in the order clmath returns them: the value first, then what the pointers store."""
        return (Parameter("result", self.result), *(p for p in self.parameters if p.pointer))


def _parse(declaration: str, section: str, entry: dict[str, Any]) -> Builtin:
    match = _DECLARATION.fullmatch(declaration)
    parts = [_PARAMETER.fullmatch(p.strip()) for p in match["parameters"].split(",")] if match else [None]
    if match is None or not all(parts):
        raise errors.TableError(
            f"tables/builtins.toml: [{section}] {declaration!r} is not a declaration; write 'gentype sin(gentype x)'"
        )
    return Builtin(
        name=match["name"],
        chapter=entry["chapter"],
        section=section.split(maxsplit=1)[0],
        declaration=declaration,
        result=match["result"],
        parameters=tuple(Parameter(p["name"], p["type"], bool(p["pointer"])) for p in parts if p),
        formats=tuple(format_named(f) for f in entry["formats"]) if "formats" in entry else FORMATS,
        lanes=tuple(entry.get("lanes", ())),
    )


@functools.cache
def builtins() -> Mapping[str, Builtin]:
    """All built-ins by name, in the order of the table."""
    rows = [
        _parse(declaration, section, entry)
        for section, entry in files.load("builtins.toml").items()
        for declaration in entry["declarations"]
    ]
    return MappingProxyType({row.name: row for row in rows})


def builtin(name: str, call: str = "clmath") -> Builtin:
    """The built-in called ``name``; UnknownNameError with the nearest name for any other."""
    known = builtins()
    if name not in known:
        raise errors.unknown(call, "built-in", name, tuple(known), "'clmath list' shows them all")
    return known[name]
