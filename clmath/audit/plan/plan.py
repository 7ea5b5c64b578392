"""The plan of an audit: which built-ins in which types, by which profile and edition, on which inputs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from clmath import errors
from clmath.audit.plan.item import Item
from clmath.audit.plan.rows import WIDTHS, item_of, rows_named
from clmath.audit.plan.types import STANDARD, TYPES
from clmath.numbers.formats import FORMATS, Format, format_named
from clmath.reference import ORACLES, Oracle
from clmath.spec import families
from clmath.spec.builtins import JUDGED, Builtin, builtins
from clmath.spec.edition_names import checked_edition
from clmath.spec.editions import DEFAULT, PROFILES, Edition, Profile

CHAPTERS = (*JUDGED, *families.chapters())
PARTS = 4096  # number of parts of the set of all floats
NUMBERED = 1 << 18  # with this many random inputs per row, a device may generate them, and --part may be given
PIECE = 1 << 16  # number of inputs in a chunk if there are at least ``NUMBERED``
MOST = 1 << 40  # the largest number of random inputs per row
TOTAL = "total:"  # before a count of all inputs of a row
CALL = "audit"  # in errors
QUICK = 32768  # random inputs of a row, in addition to the structured ones, if inputs are 'quick'


@dataclass(frozen=True)
class Plan:
    """An immutable description of an audit; a plan determines the inputs for any number of ``jobs``.

    ``count``: random inputs per row, in addition to the structured ones, which are always tried. For built-ins of one
    argument most of them are replaced by inputs spaced over the domain, of which there may be more. ``total``: a row
    has ``count`` inputs in all, at most half of them structured and none spaced.
    ``exhaustive``: rows of one float argument are tried on all floats instead. ``part`` (k, n): only the k-th of n
    shares of all floats, or of many random inputs, is tried. ``edition``: an edition of the specification, by its name
    or the path of its folder. ``local_search``: a local search tries more inputs around the worst one of each row.
    ``widths``: the widths of vectors for built-ins that compute component by component; geometric ones are called on
    all widths that they have. Make a plan with ``Plan.of``.
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
    local_search: bool = True
    widths: tuple[int, ...] = (1,)
    total: bool = False

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
        local_search: bool = True,
        widths: Iterable[int] = (1,),
    ) -> Plan:
        """Return a plan from names: by default all math built-ins, all formats, and all cores as ``jobs``.

        A name selects the built-ins of every chapter that has it. ``formats`` may name integer types, too; by default,
        these are included if one of the built-ins belongs only to chapters that are judged bit by bit. ``inputs``:
        'quick', a count up to 2^40 or '2^K', 'total:' and a count, or 'exhaustive'. ``part``: 'K/N' for the K-th of N
        shares if all inputs are tried, or at least 2^18 random ones. Raises UnknownNameError, a ValueError, for an
        unknown function, format, profile, oracle or edition, and for a count, a part or a width that is not valid.
        """
        asked = [row for row in builtins().values() if row.chapter == "math"] if functions is None else functions
        named = [(one,) if isinstance(one, Builtin) else rows_named(one, CALL) for one in asked]
        chosen = tuple(dict.fromkeys(row for rows in named for row in rows))
        forms = _default_types(chosen) if formats is None else tuple(map(_type, formats))
        for value, known, what in ((profile, PROFILES, "profile"), (oracle, ORACLES, "oracle")):
            if value not in known:
                raise errors.not_one_of(CALL, what, value, known)
        total = isinstance(inputs, str) and inputs.startswith(TOTAL)
        count = _count(inputs)
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return cls(
            chosen,
            tuple(f for f in TYPES.values() if f in forms),
            profile,  # type: ignore[arg-type]
            count,
            seed,
            oracle,  # type: ignore[arg-type]
            cores if jobs is None else max(jobs, 1),
            inputs == "exhaustive",
            _part(part, PARTS if inputs == "exhaustive" else 0 if total else pieces_of(count)),
            checked_edition(CALL, edition),
            local_search,
            _widths(widths),
            total,
        )

    @property
    def inputs(self) -> int | str:
        """The value of ``inputs`` for ``Plan.of``: a count, 'total:' and a count, or 'exhaustive'."""
        return "exhaustive" if self.exhaustive else f"{TOTAL}{self.count}" if self.total else self.count

    @property
    def is_numbered(self) -> bool:
        """Whether there are enough random inputs that a device may generate them itself, in chunks of ``PIECE``."""
        return not (self.exhaustive or self.total) and self.count >= NUMBERED

    @property
    def has_parts(self) -> bool:
        """Whether the plan may be audited in parts."""
        return self.exhaustive or self.is_numbered

    def items(self) -> tuple[Item, ...]:
        """Return the rows in their order: by format, then by function as given, then by width."""
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
            yield from (item_of(row, form, vector=width) for width in row.vector_widths or self.widths)
        elif 1 in self.widths:
            yield item_of(row, form)


def _default_types(functions: Iterable[Builtin]) -> tuple[Format, ...]:
    measured = {row.name for row in functions if row.is_measured}
    return FORMATS if all(row.name in measured for row in functions) else STANDARD


def _type(form: str | Format) -> Format:
    """Return a type by its name; a format also by its dtype, the dtype's name, or NumPy's class."""
    return form if isinstance(form, Format) else TYPES.get(form) or format_named(form, CALL)


def _count(inputs: int | str) -> int:
    """Return the number of random inputs, or of all inputs, per row that is not tried on all floats."""
    if inputs in ("quick", "exhaustive"):
        return QUICK
    asked, least = inputs, 0
    if isinstance(inputs, str) and inputs.startswith(TOTAL):
        inputs, least = inputs.removeprefix(TOTAL), 1
    power = re.fullmatch(r"2\^(\d{1,2})", inputs) if isinstance(inputs, str) else None
    if power:
        inputs = 1 << int(power[1])
    elif isinstance(inputs, str) and inputs.isdecimal():
        inputs = int(inputs)
    if not isinstance(inputs, int) or not least <= inputs <= MOST:
        known = f"neither 'quick' nor a count, 0 to 2^40, nor '{TOTAL}2000' nor 'exhaustive'"
        raise errors.UnknownNameError(f"{CALL}: inputs={asked!r} is {known}")
    return inputs


def _widths(widths: Iterable[int]) -> tuple[int, ...]:
    """Return the widths in ascending order, each once."""
    asked = frozenset(widths)
    if not asked or not asked <= frozenset(WIDTHS):
        known = ", ".join(map(str, WIDTHS))
        raise errors.UnknownNameError(f"{CALL}: widths {sorted(asked)} are not all of {known}; ask for some of these")
    return tuple(width for width in WIDTHS if width in asked)


def pieces_of(count: int) -> int:
    """Return the number of chunks of ``PIECE`` for ``count`` random inputs, or 0 for fewer than ``NUMBERED``."""
    return -(-count // PIECE) if count >= NUMBERED else 0


def _part(text: str, pieces: int) -> tuple[int, int]:
    """Return the numbers K and N of the text K/N; ``pieces``: the number of chunks of the inputs."""
    match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    k, n = map(int, match.groups()) if match else (0, 0)
    if not 1 <= k <= n <= PARTS:
        remedy = f"1/{min(64, pieces)}" if pieces else "1/1"
        raise errors.UnknownNameError(f"{CALL}: part {text!r} is not K/N with 1 <= K <= N <= {PARTS}; write {remedy}")
    if n > 1 and not pieces:
        fact = f"part {text} is of all inputs, or of {NUMBERED} random inputs or more"
        enough = max(NUMBERED, n * PIECE)
        raise errors.UnknownNameError(f"{CALL}: {fact}; ask for inputs 'exhaustive' with it, or for {enough}")
    if n > max(pieces, 1):
        fact = f"part {text}: the inputs are cut into {pieces} chunks of {PIECE}"
        raise errors.UnknownNameError(f"{CALL}: {fact}; ask for part {min(k, pieces)}/{pieces}, or for more inputs")
    return k, n
