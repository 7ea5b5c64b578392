"""Map built-ins to the functions of a library, from ``tables/libraries.toml``."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from clmath.numbers.formats import BFLOAT16, HALF, Format, offered
from clmath.spec import files
from clmath.spec.builtins import Builtin

_SUFFIXES = {"float": "f", "double": ""}  # of the names of functions


@dataclass(frozen=True)
class Names:
    """The functions of a library by the names of the built-ins; the table explains the other members."""

    title: str
    functions: Mapping[str, str]
    package: str = ""
    formats: tuple[Format, ...] = ()
    without_half: frozenset[str] = frozenset()
    without_bfloat16: frozenset[str] = frozenset()
    long_long: frozenset[str] = frozenset()
    by_pointer: frozenset[str] = frozenset()
    newer: frozenset[str] = frozenset()

    def has(self, name: str, form: Format) -> bool:
        """Whether a function computes the built-in in the format."""
        lacking = {HALF: self.without_half, BFLOAT16: self.without_bfloat16}.get(form, ())
        return name in self.functions and form in self.formats and name not in lacking


@functools.cache
def names(library: str) -> Names:
    """Return the table's entry of ``library``; functions of namespaces include their module."""
    entry = files.load("libraries.toml")[library]
    module = entry.get("module", "")
    called = {name: name for name in entry["same"]} | entry["other"]
    sets = ("without_half", "without_bfloat16", "long_long", "by_pointer", "newer")
    return Names(
        entry["title"],
        MappingProxyType({k: f if not module or "." in f else f"{module}.{f}" for k, f in called.items()}),
        entry.get("package", ""),
        tuple(f for f in offered() if f.name in entry.get("formats", ())),
        **{name: frozenset(entry.get(name, ())) for name in sets},
    )


class CFunction(NamedTuple):
    """A function of C: its name, the types of its result and of its arguments, and those behind its pointers."""

    name: str
    result: str
    values: tuple[str, ...]
    stored: tuple[str, ...]


@functools.cache
def c_function(row: Builtin, form: Format) -> CFunction | None:
    """Return the function of C that computes a built-in in float or double, or None if C has none."""
    known = names("c")
    if form.name not in _SUFFIXES or row.name not in known.functions:
        return None
    integer = "long long" if row.name in known.long_long else "int"
    values, results = (
        tuple(form.name if p.type == "gentype" else integer for p in some) for some in (row.inputs, row.outputs)
    )
    head, reentrant, _ = known.functions[row.name].partition("_r")
    name = f"{head}{_SUFFIXES[form.name]}{reentrant}"  # lgamma_r is lgammaf_r in float
    if row.name in known.by_pointer:
        return CFunction(name, "void", values, results)
    return CFunction(name, results[0], values, results[1:])
