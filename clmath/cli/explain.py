"""``clmath explain``: one call on one screen: exact value, neighbours, limits, and what libraries return."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from clmath import errors
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.protocol.printable import printable
from clmath.cli.asked import asked, lane_names
from clmath.cli.evaluate import PRINTING, heading, is_judged, prescribed
from clmath.cli.lacking import names_of
from clmath.cli.one_value import Value, values_of
from clmath.cli.returned import returned
from clmath.cli.show import required
from clmath.numbers.rounding import MODES
from clmath.spec import editions
from clmath.spec.limits import limit
from clmath.spec.profiles import PROFILES

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from clmath.audit.plan.item import Item
    from clmath.cli.asked import Asked

__all__ = ["run"]

CALL = "clmath explain"


def run(options: Namespace) -> int:
    """Print what is known of one call; 0."""
    if options.name == PRINTING:
        words = shlex.join(["clmath", "eval", options.name, *options.values])
        raise errors.ClmathError(f"{CALL}: {options.name} writes a text, which no limit is for; run: {words}")
    subjects = None if options.subjects is None else names_of(options.subjects)
    for line in _lines(asked(options, CALL), subjects):
        print(printable(line), flush=True)
    return 0


def _lines(call: Asked, subjects: Sequence[str] | None) -> Iterator[str]:
    yield from heading(call)
    item, columns = call.item, call.columns
    found = values_of(item, columns)
    if not found and isinstance(item, ExactItem):
        yield from prescribed(item, columns, MODES)
    names = lane_names(item, item.builtin.outputs) if found else []
    for name, result in zip(names, found, strict=True):
        yield from () if len(found) == 1 else (f"{name}:",)
        yield from result.lines() if isinstance(result, Value) else (f"int       {result}",)
        if item.builtin.moves_bits and isinstance(result, Value) and not result.is_finite:
            yield f"is        {result.text(result.rounded('rte'))}"
    yield "allowed:"
    yield from _allowed(item)
    yield "returned:"
    yield from returned(item, columns, found, subjects)


def _allowed(item: Item) -> Iterator[str]:
    """What is required of the result, limits that are alike together."""
    if not is_judged(item):
        yield "  no limit: no edition has the format, whose results are computed and never judged"
        return
    if isinstance(item, ExactItem):
        yield from (line.removeprefix("  ") for line in required(item.builtin))
        return
    groups: dict[str, list[str]] = {}
    for edition in editions.known():
        for profile in PROFILES:
            text = limit(item.builtin.name, item.form, profile, edition=edition).text
            groups.setdefault(text, []).append(f"{edition} {profile}")
    for text, where in groups.items():
        yield f"  {text}: {_together(where)}"


def _together(where: Sequence[str]) -> str:
    """Edition after edition with its profiles."""
    found: dict[str, list[str]] = {}
    for one in where:
        edition, _, profile = one.partition(" ")
        found.setdefault(edition, []).append(profile)
    return "; ".join(f"{edition} ({', '.join(profiles)})" for edition, profiles in found.items())
