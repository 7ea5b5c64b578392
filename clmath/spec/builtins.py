"""The built-ins of the specification as immutable values, read from ``tables/builtins.toml``."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from clmath import errors
from clmath.numbers.formats import FORMATS, KNOWN, Format, format_named

if TYPE_CHECKING:
    from collections.abc import Mapping

JUDGED = ("math", "common", "geometric")  # the chapters whose results are measured in ULPs
EXACT = ("integer", "relational")  # the chapters whose results are bits
DIVIDED = "the divisor is 0, or the quotient overflows"  # not judged: processors trap

_TYPES = {
    "integers": ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"),
    "floats": tuple(f.name for f in FORMATS),
}

_ARITHMETIC = (*JUDGED, "relational", "conversions")

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
    """A built-in: its declaration, its section, and its formats, types and vector widths.

    ``computed``: formats that the specification does not have, in which clmath computes it. ``formats`` belongs to the
    chapters that are judged, ``types``, the names that gentype may mean, to the others. ``formula``: the expression
    that defines it and of which each operation is rounded, empty for most; ``uncontracted``: the expression that
    replaces it where contraction is forbidden. ``same_as``: the built-in whose exact value it has, its own name for
    most. ``exact``: its results need no rounding. ``vectors``: it is also called on vectors, component by component; a
    parameter declared by the name of an integer type, or as a scalar, is then one scalar for all components.
    ``vector_widths``: the widths of such vectors in every audit; empty if the plan chooses them. ``moves_bits``: a NaN
    keeps its payload; the others return the canonical NaN. ``limit``: the requirement on the results, in chapters
    without limits.toml. ``needs``: the names of formats that a device must compute in, for any gentype. ``optional``: a
    macro that need not be defined. ``also``: values of a macro that are right as well. ``rule``: the rule that judges a
    channel of an image. ``unspecified``: the calls of an exact built-in that are not judged. ``exact_from``: names of
    formats whose numbers it takes unchanged on every device, even subnormal ones. ``any_nan``: a NaN may come back as a
    signaling one. ``returned_by``: the call whose result is the value of a macro, such as 'ilogb(0)'. ``calls``: the
    function, if the entry is another signature of it under a name of its own. ``operator``: the expression that a
    program writes instead of the call. ``printed``: the formats that it prints in; its last argument is the format's
    number. ``odd_or_even``: 'odd', 'even' or empty, for ``same_as``.
    """

    name: str
    chapter: str
    section: str
    declaration: str
    result: str
    parameters: tuple[Parameter, ...]
    formats: tuple[Format, ...]
    widths: tuple[int, ...]
    types: tuple[str, ...] = ()
    formula: str = ""
    uncontracted: str = ""
    same_as: str = ""
    computed: tuple[Format, ...] = ()
    exact: bool = False
    vectors: bool = False
    vector_widths: tuple[int, ...] = ()
    moves_bits: bool = False
    limit: str = "every bit counts"
    needs: tuple[str, ...] = ()
    optional: bool = False
    also: tuple[int, ...] = ()
    rule: str = ""
    unspecified: str = ""
    exact_from: tuple[str, ...] = ()
    any_nan: bool = False
    returned_by: str = ""
    calls: str = ""
    operator: str = ""
    printed: tuple[str, ...] = ()
    odd_or_even: str = ""

    def __hash__(self) -> int:
        return hash(self.declaration)  # audits look built-ins up by the million

    def takes(self, type: str) -> bool:
        """Whether gentype may be ``type``, the name of a format or of an integer type, also if no edition has it."""
        return type in self.tested

    @functools.cached_property
    def tested(self) -> tuple[str, ...]:
        """The names of all types that are judged: ``type_names``, and formats that no edition has.

        Such a format, as bfloat16, takes the place of half, in the chapters of arithmetic.
        """
        names_format = any(p.type == "nancode" for p in self.inputs)  # nan(ushort) is a half
        is_like_half = "half" in self.type_names and self.chapter in _ARITHMETIC and not names_format
        return (*self.type_names, *(f.name for f in KNOWN if is_like_half and f not in FORMATS))

    @functools.cached_property
    def type_names(self) -> tuple[str, ...]:
        """The names of all types that gentype may be."""
        return (*(form.name for form in self.formats), *self.types)

    @property
    def is_measured(self) -> bool:
        """Whether errors of its results are measured in ULPs; the results of others are right or wrong."""
        return bool(self.formats)

    @property
    def extension(self) -> str:
        """The extension that defines it, by the name of its section; empty if the language does."""
        return self.section.partition(" ")[0] if self.section.startswith("cl_khr_") else ""

    @property
    def called(self) -> str:
        """The function's name in a program: ``select`` for the entry ``select_unsigned``, usually the entry's own."""
        return self.calls or self.name

    @functools.cached_property
    def inputs(self) -> tuple[Parameter, ...]:
        """The parameters that are inputs."""
        return tuple(p for p in self.parameters if not p.pointer)

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters that are inputs."""
        return tuple(p.name for p in self.inputs)

    @functools.cached_property
    def outputs(self) -> tuple[Parameter, ...]:
        """The results in the order of clmath: the value first, then the values that the pointers store."""
        return (Parameter("result", self.result), *(p for p in self.parameters if p.pointer))


def _text(entry: dict[str, Any], key: str, name: str, default: str = "") -> str:
    return str(entry.get(key, {}).get(name, default))


def parsed(declaration: str, section: str, entry: dict[str, Any], table: str = "builtins.toml") -> Builtin:
    """Return the built-in that a line of ``table`` declares; TableError if the line is not a declaration."""
    match = _DECLARATION.fullmatch(declaration)
    parts = [_PARAMETER.fullmatch(p.strip()) for p in match["parameters"].split(",")] if match else [None]
    if match is None or not all(parts):
        raise errors.TableError(
            f"tables/{table}: [{section}] {declaration!r} is not a declaration; write 'gentype sin(gentype x)'"
        )
    name, moves_bits = match["name"], entry.get("moves_bits", ())
    return Builtin(
        name=name,
        chapter=entry["chapter"],
        section=section.split(maxsplit=1)[0],
        declaration=declaration,
        result=match["result"],
        parameters=tuple(Parameter(p["name"], p["type"], bool(p["pointer"])) for p in parts if p),
        formats=_formats(entry),
        widths=tuple(entry.get("widths", ())),
        types=tuple(t for word in entry.get("types", ()) for t in _TYPES.get(word, (word,))),
        formula=_text(entry, "formulas", name),
        uncontracted=_text(entry, "uncontracted", name),
        same_as=_text(entry, "same_as", name, default=name),
        computed=tuple(format_named(f, known=KNOWN) for f in entry.get("computed", ())),
        exact=name in entry.get("exact", ()),
        vectors=bool(entry.get("vectors", entry["chapter"] in JUDGED and "widths" not in entry)),
        vector_widths=tuple(entry.get("vector_widths", ())),
        moves_bits=moves_bits is True or name in (moves_bits or ()),
        limit=entry.get("limit", Builtin.limit),
        needs=tuple(entry.get("needs", ())),
        optional=bool(entry.get("optional")),
        also=tuple(entry.get("also", {}).get(name, ())),
        rule=entry.get("rule", ""),
        unspecified=_text(entry, "unspecified", name),
        exact_from=tuple(entry.get("exact_from", ())),
        any_nan=bool(entry.get("any_nan")),
        returned_by=_text(entry, "returned_by", name),
        calls=_text(entry, "calls", name),
        operator=_text(entry, "operators", name),
        printed=tuple(entry.get("printed", {}).get(name, ())),
        odd_or_even="".join(kind for kind in ("odd", "even") if name in entry.get(kind, ())),
    )


def _formats(entry: dict[str, Any]) -> tuple[Format, ...]:
    return tuple(format_named(f) for f in entry.get("formats", ()))


@functools.cache
def builtins(*chapters: str) -> Mapping[str, Builtin]:
    """Return the built-ins of ``chapters`` (by default the judged ones) by name, in the order of the table.

    ``clamp max min dot`` are in two chapters: request ``JUDGED`` and ``EXACT`` apart.
    """
    from clmath.spec import files

    wanted = chapters or JUDGED
    rows = [
        parsed(declaration, section, entry)
        for section, entry in files.load("builtins.toml").items()
        if entry["chapter"] in wanted
        for declaration in entry["declarations"]
    ]
    return MappingProxyType({row.name: row for row in rows})


def builtin(name: str, call: str = "clmath") -> Builtin:
    """Return the judged built-in called ``name``; UnknownNameError for any other."""
    known = builtins()
    if name in known:
        return known[name]
    exact = builtins(*EXACT)
    if name in exact:
        raise errors.UnknownNameError(
            f"{call}: {name!r} is of the {exact[name].chapter} chapter, where every bit counts; "
            f"built-ins of {', '.join(JUDGED)} are measured in ULPs: compare with what clmath.{name} gives"
        )
    from clmath.spec.synonyms import unaudited, unknown_builtin

    if name in unaudited():
        fact = f"{name!r} has no error in ULPs: {unaudited()[name]}"
        raise errors.UnknownNameError(f"{call}: {fact}; compare with what clmath.{name} gives")
    raise unknown_builtin(call, name, tuple(known))


@functools.cache
def precise(name: str) -> str:
    """Return the built-in whose exact value ``name`` has: cos for half_cos, native_cos and cos itself."""
    return builtin(name).same_as


def symmetry(name: str) -> str:
    """Return 'odd' or 'even', or empty for a built-in that is neither, or that has several arguments or results."""
    return builtin(precise(name)).odd_or_even
