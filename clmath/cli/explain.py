"""``clmath explain``: one call on one screen: exact value, neighbours, limits, and results of libraries."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

from clmath import errors
from clmath.audit.acceptance.criteria import Criteria
from clmath.audit.exact.exact_criteria import ExactCriteria
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.protocol.printable import printable
from clmath.cli import cts_log
from clmath.cli.asked import asked, component_names
from clmath.cli.evaluate import PRINTING, heading, is_standard, prescribed
from clmath.cli.lacking import names_of
from clmath.cli.one_value import Value, values_of
from clmath.cli.returned import returned, said_of, shown
from clmath.cli.show import required
from clmath.numbers.rounding import MODES
from clmath.spec import editions
from clmath.spec.limits import limit
from clmath.spec.profiles import PROFILES

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item
    from clmath.cli.asked import Asked
    from clmath.cli.cts_log import Failure

__all__ = ["run"]

CALL = "clmath explain"
STANDARD_INPUT = "-"  # in the place of a built-in: read the log of OpenCL-CTS from standard input


def run(options: Namespace) -> int:
    """Print everything about one call, or about the calls of a log; return 0."""
    if options.name == PRINTING:
        words = shlex.join(["clmath", "eval", options.name, *options.values])
        raise errors.ClmathError(f"{CALL}: {options.name} returns a text, which has no limit; run: {words}")
    targets = None if options.targets is None else names_of(options.targets)
    text = _log(options)
    lines = _lines(asked(options, CALL), targets) if text is None else _of_log(text, options.type, targets)
    for line in lines:
        print(printable(line), flush=True)
    return 0


def _log(options: Namespace) -> str | None:
    """Return the lines of OpenCL-CTS to explain, or None if a call is named."""
    text = " ".join((options.name, *options.values))
    place = "standard input has"
    if options.name == STANDARD_INPUT:
        text = sys.stdin.read()
    elif " ulp " in text:
        place = f"{errors.shown(text)} is"
    elif not cts_log.is_log(text):
        return None
    if not cts_log.is_log(text):
        fact = f"{place} no line of OpenCL-CTS that reports a wrong result"
        raise errors.ClmathError(f"{CALL}: {fact}; one is '{cts_log.EXAMPLE}'")
    return text


def _of_log(text: str, type: str | None, targets: Sequence[str] | None) -> Iterator[str]:
    """Explain each call of a log of OpenCL-CTS, and judge the results in the log."""
    for number, ways in enumerate(cts_log.failures(text, type, CALL)):
        yield from ("",) * bool(number)
        failure = min(ways, key=_is_expected_wrong)  # an ambiguous name is the built-in with the expected value
        yield from _lines(failure.call, targets)
        yield "OpenCL-CTS:"
        for name, results in (("got", failure.got), ("expected", failure.expected)):
            texts = shown(
                failure.item, values_of(failure.call.item, failure.call.columns), results, _said(failure, results)
            )
            yield from (f"  {name:8}  {text}" for text in texts)


def _is_expected_wrong(failure: Failure) -> bool:
    """Whether the result that OpenCL-CTS expects does not conform."""
    return _said(failure, failure.expected).startswith("fails")


def _said(failure: Failure, results: Columns) -> str:
    """Return the verdict by the full profile of the default edition, for results repeated in all components."""
    item = failure.item
    criteria = (ExactCriteria if isinstance(item, ExactItem) else Criteria)(
        "full", "rte", flushes=False, options=failure.options
    )
    columns, repeated = (tuple(c.repeat(failure.components) for c in part) for part in (failure.call.columns, results))
    return said_of(item, columns, repeated, criteria)


def _lines(call: Asked, targets: Sequence[str] | None) -> Iterator[str]:
    yield from heading(call)
    item, columns = call.item, call.columns
    found = values_of(item, columns)
    if not found and isinstance(item, ExactItem):
        yield from prescribed(item, columns, MODES)
    names = component_names(item, item.builtin.outputs) if found else []
    for name, result in zip(names, found, strict=True):
        yield from () if len(found) == 1 else (f"{name}:",)
        yield from result.lines() if isinstance(result, Value) else (f"int       {result}",)
        if item.builtin.moves_bits and isinstance(result, Value) and not result.is_finite:
            yield f"is        {result.text(result.rounded('rte'))}"
    yield "allowed:"
    yield from _allowed(item)
    yield "returned:"
    yield from returned(item, columns, found, targets)


def _allowed(item: Item) -> Iterator[str]:
    """Yield the limits of the result, equal limits together."""
    if isinstance(item, ExactItem):
        yield from (line.removeprefix("  ") for line in required(item.builtin))
        return
    if not is_standard(item):
        yield f"  {limit(item.builtin.called, item.form)}"
        return
    groups: dict[str, list[str]] = {}
    for edition in editions.known():
        for profile in PROFILES:
            text = limit(item.builtin.called, item.form, profile, edition=edition).text
            groups.setdefault(text, []).append(f"{edition} {profile}")
    for text, where in groups.items():
        yield f"  {text}: {_together(where)}"


def _together(where: Sequence[str]) -> str:
    """Return one edition after the other with its profiles."""
    found: dict[str, list[str]] = {}
    for one in where:
        edition, _, profile = one.partition(" ")
        found.setdefault(edition, []).append(profile)
    return "; ".join(f"{edition} ({', '.join(profiles)})" for edition, profiles in found.items())
