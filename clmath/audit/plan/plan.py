"""What an audit will do: which built-ins in which formats, judged by which law, on which inputs."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors
from clmath.audit.plan.types import TYPES, type_called
from clmath.numbers.formats import FORMATS, Format, format_named
from clmath.reference import ORACLES, Oracle
from clmath.spec import families
from clmath.spec.builtins import JUDGED, Builtin, builtins
from clmath.spec.editions import DEFAULT, Edition, checked_edition
from clmath.spec.profiles import PROFILES, Profile
from clmath.spec.unaudited import no_row

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

__all__ = [
    "CHAPTERS",
    "NUMBERED",
    "ORACLES",
    "PARTS",
    "PIECE",
    "PROFILES",
    "QUICK",
    "WIDTHS",
    "Item",
    "Plan",
    "Profile",
    "item_called",
    "item_named",
    "item_of",
    "pieces_of",
    "rows_named",
]

CHAPTERS = (*JUDGED, *families.chapters())
PARTS = 4096  # into how many all floats are cut
WIDTHS = (1, 2, 3, 4, 8, 16)  # of vectors; 1 is a scalar
NUMBERED = 1 << 18  # random inputs of a row from which on each has a number that it follows from
PIECE = 1 << 16  # of these, judged together
MOST = 1 << 40  # random inputs of a row
QUICK = 32768  # random inputs of a row, beside the structured ones, when inputs are 'quick'


@dataclass(frozen=True)
class Item:
    """One row of an audit: a built-in in a format; ``width`` is the number of lanes of a geometric one, else 0.

    ``vector``: how many calls of a built-in that computes lane by lane the subject is given as one call on vectors.
    """

    builtin: Builtin
    form: Format
    width: int = 0
    vector: int = 1

    @property
    def lanes(self) -> int:
        """The number of lanes of the vectors that the subject is given, whatever they mean; 1 for scalars."""
        return self.width or self.vector

    def has_lanes(self, kind: str) -> bool:
        """Whether the subject is given, or returns, vectors for a parameter declared as ``kind``."""
        return self.vector > 1 or (self.width > 0 and kind == "gentype")

    @property
    def shared(self) -> tuple[bool, ...]:
        """Of each argument whether it is a scalar in vectors, too: one for all lanes."""
        return (False,) * len(self.builtin.inputs)

    @property
    def given(self) -> tuple[tuple[str, int], ...]:
        """What the subject is given at once: of every column the type and how many values, one a lane or one."""
        if self.vector == 1:
            return tuple((kind, 1) for kind in self.columns)
        pairs = zip(self.columns, self.shared, strict=True)
        return tuple((kind, 1 if alone else self.vector) for kind, alone in pairs)

    def layout(self, count: int) -> list[tuple[np.dtype[Any], tuple[int, ...]]]:
        """The dtype and the shape of every result of ``count`` calls."""
        return [
            (
                np.dtype(np.int32) if p.type == "intn" else self.form.dtype,
                (count, self.lanes) if self.has_lanes(p.type) else (count,),
            )
            for p in self.builtin.outputs
        ]

    @property
    def needs(self) -> frozenset[str]:
        """The formats that a device must compute in."""
        return frozenset((self.form.name,))

    def is_offered(self, formats: Collection[Format]) -> bool:
        """Whether a subject that computes in ``formats`` can have the row."""
        return self.needs <= {form.name for form in formats}

    @property
    def size(self) -> int:
        """How many bits the input values have together."""
        return sum(32 if kind == "intn" else self.form.width for kind in self.columns)

    @property
    def columns(self) -> tuple[str, ...]:
        """The type of every input value: one entry an argument, or one a lane of every vector argument."""
        return self._lanes(p.type for p in self.builtin.inputs)

    @property
    def results(self) -> tuple[str, ...]:
        """The type of every result value, lane by lane like ``columns``."""
        return self._lanes(p.type for p in self.builtin.outputs)

    @property
    def measured(self) -> tuple[str, ...]:
        """The names of the arguments that are numbers of the format, or vectors of them."""
        return tuple(p.name for p in self.builtin.inputs if p.type in ("gentype", "scalar"))

    def _lanes(self, types: Iterable[str]) -> tuple[str, ...]:
        repeat = self.width or 1
        return tuple(t for kind in types for t in [kind] * (repeat if kind == "gentype" else 1))

    def __str__(self) -> str:
        lanes = f"{self.lanes}" if self.lanes > 1 else ""
        return f"{self.builtin.name} {self.form}{lanes}"


@dataclass(frozen=True)
class Plan:
    """An immutable description of an audit; the same plan gives the same inputs whatever ``jobs`` is.

    ``count``: random inputs a row, beside the structured ones, which are always tried; of one argument, inputs spaced
    over its domain take the place of most of them, and may be more. ``exhaustive``: all floats are
    tried instead in rows of one float argument. ``part`` (k, n): of these, or of many random inputs, the k-th n-th.
    ``edition``: of the specification, a name or the path of a folder. ``closer``: rows are looked at once more, around
    the worst input. ``widths``: of the vectors on which built-ins are called that compute lane by lane; geometric ones
    have theirs. Make one with ``Plan.of``.
    """

    functions: tuple[Builtin, ...]
    formats: tuple[Format, ...]
    profile: Profile = "full"
    count: int = QUICK
    seed: int = 0
    oracle: Oracle = "auto"
    jobs: int = 1
    exhaustive: bool = False
    part: tuple[int, int] = (1, 1)
    edition: Edition = DEFAULT
    closer: bool = True
    widths: tuple[int, ...] = (1,)

    @classmethod
    def of(
        cls,
        functions: Iterable[str | Builtin] | None = None,
        formats: Iterable[str | Format] | None = None,
        *,
        profile: str = "full",
        inputs: int | str = "quick",
        seed: int = 0,
        oracle: str = "auto",
        jobs: int | None = None,
        part: str = "1/1",
        edition: str = DEFAULT,
        closer: bool = True,
        widths: Iterable[int] = (1,),
    ) -> Plan:
        """A plan from names: all math built-ins and all formats where none are named, all cores where ``jobs`` is None.

        A name stands for the built-ins of every chapter that has it, ``formats`` for integer types as well; where none
        are named, these are meant if one of the built-ins is of a chapter that is judged bit by bit alone.
        ``inputs``: 'quick', a count up to 2^40 or '2^K', or 'exhaustive'; of a count of 2^18 or more, and of all
        inputs, ``part`` 'K/N' takes a share. UnknownNameError, a ValueError, for an unknown function, format, profile,
        oracle or edition, and for a count, a part or a width that is none.
        """
        call = "audit"
        chosen = _default_functions() if functions is None else tuple(b for f in functions for b in _meant(f, call))
        forms = _default_types(chosen) if formats is None else tuple(_type(f, call) for f in formats)
        for value, known, what in ((profile, PROFILES, "profile"), (oracle, ORACLES, "oracle")):
            if value not in known:
                raise errors.not_one_of(call, what, value, known)
        count = _count(inputs, call)
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return cls(
            tuple(dict.fromkeys(chosen)),
            tuple(f for f in TYPES.values() if f in forms),
            profile,  # type: ignore[arg-type]
            count,
            seed,
            oracle,  # type: ignore[arg-type]
            cores if jobs is None else max(jobs, 1),
            inputs == "exhaustive",
            _part(part, PARTS if inputs == "exhaustive" else pieces_of(count), call),
            checked_edition(call, edition),
            closer,
            _widths(widths, call),
        )

    @property
    def inputs(self) -> int | str:
        """What ``Plan.of`` was asked for: a count or 'exhaustive'."""
        return "exhaustive" if self.exhaustive else self.count

    @property
    def is_numbered(self) -> bool:
        """Whether there are so many random inputs that they are drawn by number, where that can be."""
        return not self.exhaustive and self.count >= NUMBERED

    @property
    def has_parts(self) -> bool:
        """Whether it may be audited in parts."""
        return self.exhaustive or self.is_numbered

    def items(self) -> tuple[Item, ...]:
        """The rows in their order: by format, then by function as given, then by width."""
        return tuple(
            item
            for form in self.formats
            for row in self.functions
            if row.takes(form.name)
            for item in self._of_every_width(row, form)
        )

    def _of_every_width(self, row: Builtin, form: Format) -> Iterator[Item]:
        if row.widths:
            yield from (item_of(row, form, width) for width in row.widths)
        elif row.vectors:
            yield from (item_of(row, form, vector=width) for width in self.widths)
        elif 1 in self.widths:
            yield item_of(row, form)


def _default_functions() -> tuple[Builtin, ...]:
    return tuple(row for row in builtins().values() if row.chapter == "math")


def _default_types(functions: Iterable[Builtin]) -> tuple[Format, ...]:
    judged = {row.name for row in functions if row.chapter in JUDGED}
    return FORMATS if all(row.name in judged for row in functions) else tuple(TYPES.values())


def _meant(function: str | Builtin, call: str) -> tuple[Builtin, ...]:
    return (function,) if isinstance(function, Builtin) else rows_named(function, call)


def _type(form: str | Format, call: str) -> Format:
    """A type by its name; by that of a dtype, or its class, a format."""
    return form if isinstance(form, Format) else TYPES.get(form) or format_named(form, call)


def rows_named(name: str, call: str = "clmath audit") -> tuple[Builtin, ...]:
    """The built-ins called ``name``: of several chapters, one each; UnknownNameError where there is none."""
    tables = (builtins(), families.exact_builtins())
    found = tuple(table[name] for table in tables if name in table)
    if not found:
        raise no_row(call, name, tuple(n for table in tables for n in table))
    return found


def item_of(row: Builtin, form: Format, width: int = 0, vector: int = 1) -> Item:
    """The row of an audit for a built-in in a type; its chapter says how it is judged."""
    if row.chapter in JUDGED:
        return Item(row, form, width, vector)
    from clmath.audit.plan.exact_item import ExactItem

    return ExactItem(row, form, width, vector)


def item_named(name: str, type: str, width: int = 0, vector: int = 1, call: str = "clmath audit") -> Item:
    """The row of a built-in and a type by their names; UnknownNameError where the built-in does not have the type."""
    form, rows = type_called(type, call), rows_named(name, call)
    for row in rows:
        if row.takes(type):
            return item_of(row, form, width, vector)
    known = dict.fromkeys(t for row in rows for t in row.type_names)
    raise errors.UnknownNameError(f"{call}: {name} is not defined for {type}; use {' or '.join(known)}")


def item_called(text: str) -> Item:
    """The row that is written 'sin float', 'sin float4' or 'length double2'; UnknownNameError where there is none."""
    name, _, rest = text.partition(" ")
    form = rest.rstrip("0123456789")
    item, lanes = item_named(name, form), int(rest.removeprefix(form) or 1)
    item = replace(item, width=lanes) if item.builtin.widths else replace(item, vector=lanes)
    if str(item) != text or item.lanes not in WIDTHS:
        raise errors.UnknownNameError(f"clmath audit: {text!r} is not the name of a row; write {item}")
    return item


def _count(inputs: int | str, call: str) -> int:
    """The number of random inputs that 'quick' or a count stands for; 'exhaustive' where there are too many: quick."""
    if inputs in ("quick", "exhaustive"):
        return QUICK
    power = re.fullmatch(r"2\^(\d{1,2})", inputs) if isinstance(inputs, str) else None
    if power:
        inputs = 1 << int(power[1])
    elif isinstance(inputs, str) and inputs.isdecimal():
        inputs = int(inputs)
    if not isinstance(inputs, int) or not 0 <= inputs <= MOST:
        raise errors.UnknownNameError(
            f"{call}: inputs={inputs!r} is neither 'quick' nor a count, 0 to 2^40, nor 'exhaustive'"
        )
    return inputs


def _widths(widths: Iterable[int], call: str) -> tuple[int, ...]:
    """The widths in their order, each once."""
    asked = frozenset(widths)
    if not asked or not asked <= frozenset(WIDTHS):
        known = ", ".join(map(str, WIDTHS))
        raise errors.UnknownNameError(f"{call}: widths {sorted(asked)} are not all of {known}; ask for some of these")
    return tuple(width for width in WIDTHS if width in asked)


def pieces_of(count: int) -> int:
    """Into how many pieces so many random inputs are cut where they have numbers; else 0."""
    return -(-count // PIECE) if count >= NUMBERED else 0


def _part(text: str, pieces: int, call: str) -> tuple[int, int]:
    """The numbers of K/N; ``pieces``: into how many the inputs are cut."""
    match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    k, n = map(int, match.groups()) if match else (0, 0)
    if not 1 <= k <= n <= PARTS:
        remedy = f"1/{min(64, pieces)}" if pieces else "1/1"
        raise errors.UnknownNameError(f"{call}: part {text!r} is not K/N with 1 <= K <= N <= {PARTS}; write {remedy}")
    if n > 1 and not pieces:
        fact = f"part {text} is of all inputs, or of {NUMBERED} random inputs or more"
        enough = max(NUMBERED, n * PIECE)
        raise errors.UnknownNameError(f"{call}: {fact}; ask for inputs 'exhaustive' with it, or for {enough}")
    if n > max(pieces, 1):
        fact = f"part {text}: the inputs are cut into {pieces} pieces of {PIECE}"
        raise errors.UnknownNameError(f"{call}: {fact}; ask for part {min(k, pieces)}/{pieces}, or for more inputs")
    return k, n
