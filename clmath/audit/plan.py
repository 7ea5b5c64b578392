"""What an audit will do: which built-ins in which formats, judged by which law, on which inputs."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clmath import errors
from clmath.numbers.formats import FORMATS, Format, format_named
from clmath.reference import ORACLES, Oracle
from clmath.spec.builtins import JUDGED, Builtin, builtin, builtins
from clmath.spec.editions import DEFAULT, Edition, checked_edition
from clmath.spec.limits import PROFILES, Profile

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["CHAPTERS", "ORACLES", "PARTS", "PROFILES", "QUICK", "Item", "Plan", "Profile"]

CHAPTERS = JUDGED
PARTS = 4096  # into how many all floats are cut
QUICK = 32768  # random inputs of a row, beside the structured ones, when inputs are 'quick'


@dataclass(frozen=True)
class Item:
    """One row of an audit: a built-in in a format; ``width`` is the number of lanes of a geometric one, else 0."""

    builtin: Builtin
    form: Format
    width: int = 0

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
        lanes = f"{self.width}" if self.width > 1 else ""
        return f"{self.builtin.name} {self.form}{lanes}"


@dataclass(frozen=True)
class Plan:
    """An immutable description of an audit; the same plan gives the same inputs whatever ``jobs`` is.

    ``count``: random inputs a row, beside the structured ones, which are always tried. ``exhaustive``: all floats are
    tried instead in rows of one float argument, or the ``part`` (k, n) of them: the k-th n-th. ``edition``: of the
    specification, a name or the path of a folder. ``closer``: rows are looked at once more, around the worst input.
    Make one with ``Plan.of``.
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

    @classmethod
    def of(
        cls,
        functions: Iterable[str] | None = None,
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
    ) -> Plan:
        """A plan from names: all math built-ins and all formats where none are named, all cores where ``jobs`` is None.

        ``inputs``: 'quick', a count, or 'exhaustive', of which ``part`` 'K/N' takes a share. UnknownNameError, a
        ValueError, for an unknown function, format, profile, oracle or edition, a count below 0, a part that is none.
        """
        call = "audit"
        chosen = _default_functions() if functions is None else tuple(builtin(name, call) for name in functions)
        forms = FORMATS if formats is None else tuple(_format(f, call) for f in formats)
        for value, known, what in ((profile, PROFILES, "profile"), (oracle, ORACLES, "oracle")):
            if value not in known:
                raise errors.not_one_of(call, what, value, known)
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return cls(
            tuple(dict.fromkeys(chosen)),
            tuple(f for f in FORMATS if f in forms),
            profile,  # type: ignore[arg-type]
            _count(inputs, call),
            seed,
            oracle,  # type: ignore[arg-type]
            cores if jobs is None else max(jobs, 1),
            inputs == "exhaustive",
            _part(part, inputs == "exhaustive", call),
            checked_edition(call, edition),
            closer,
        )

    @property
    def inputs(self) -> int | str:
        """What ``Plan.of`` was asked for: a count or 'exhaustive'."""
        return "exhaustive" if self.exhaustive else self.count

    def items(self) -> tuple[Item, ...]:
        """The rows in their order: by format, then by function as given, then by width."""
        return tuple(
            Item(row, form, width)
            for form in self.formats
            for row in self.functions
            if form in row.formats
            for width in (row.lanes or (0,))
        )


def _default_functions() -> tuple[Builtin, ...]:
    return tuple(row for row in builtins().values() if row.chapter == "math")


def _format(form: str | Format, call: str) -> Format:
    return form if isinstance(form, Format) else format_named(form, call)


def _count(inputs: int | str, call: str) -> int:
    """The number of random inputs that 'quick' or a count stands for; 'exhaustive' where there are too many: quick."""
    if inputs in ("quick", "exhaustive"):
        return QUICK
    if isinstance(inputs, str) and inputs.isdecimal():
        inputs = int(inputs)
    if not isinstance(inputs, int) or inputs < 0:
        raise errors.UnknownNameError(
            f"{call}: inputs={inputs!r} is neither 'quick' nor a count, 0 or more, nor 'exhaustive'"
        )
    return inputs


def _part(text: str, exhaustive: bool, call: str) -> tuple[int, int]:
    """The numbers of K/N."""
    match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    k, n = map(int, match.groups()) if match else (0, 0)
    if not 1 <= k <= n <= PARTS:
        raise errors.UnknownNameError(f"{call}: part {text!r} is not K/N with 1 <= K <= N <= {PARTS}; write 1/64")
    if n > 1 and not exhaustive:
        raise errors.UnknownNameError(f"{call}: part {text} is of all inputs; ask for inputs 'exhaustive' with it")
    return k, n
