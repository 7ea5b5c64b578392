"""``clmath diff``: changes for the worse from one report to another, regressions first."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from clmath import errors
from clmath.audit.protocol.printable import printable
from clmath.audit.records import several_reports
from clmath.audit.records.reading import NOT_COMPLETE
from clmath.audit.reports.difference import KINDS, changes, differing_facts

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from clmath.audit.plan.item import Item
    from clmath.audit.records.reading import Read
    from clmath.audit.records.several_reports import Reports
    from clmath.audit.reports.difference import Kind

__all__ = ["run"]

CALL = "clmath diff"
FOLDED: tuple[Kind, ...] = ("only in old", "only in new")
NAMED = 8  # cases in only one report that are named one by one


def run(options: Namespace) -> int:
    """Print the changes; return 1 if something became worse, else 0."""
    old, new = (several_reports.read(Path(name), CALL) for name in (options.old, options.new))
    pairs = list(_pairs(old, new))
    lost = list(_lost(old, new))
    for line in lost:
        print(printable(line))
    counts = [_compared(*pair) for pair in pairs]
    if lost or any(count["regression"] for count in counts):
        return 1
    for name, report in ((options.old, old), (options.new, new)):
        if not report.complete:
            raise errors.ClmathError(f"{CALL}: {name} {NOT_COMPLETE}")
    if not any(one.verdicts.keys() & other.verdicts.keys() for _, one, other in pairs):
        raise errors.ClmathError(f"{CALL}: the reports have no case in common; audit the same --functions and --types")
    return 0


def _pairs(old: Reports, new: Reports) -> Iterator[tuple[str, Read, Read]]:
    """Yield the reports to compare: the only report of each file, or else the reports with equal targets."""
    if not (old.together or new.together):
        ((one,), (other,)) = old.reports.values(), new.reports.values()
        yield "", one, other
        return
    for name, one in old.reports.items():
        if name in new.reports:
            yield f"{name}: ", one, new.reports[name]
        elif name not in new.troubles:
            print(printable(f"only in old: {name}"))
    for name in new.reports.keys() - old.reports.keys():
        print(printable(f"only in new: {name}"))


def _lost(old: Reports, new: Reports) -> Iterator[str]:
    """Yield targets that could be audited before and cannot now."""
    for name, why in new.troubles.items():
        if name in old.reports:
            yield f"regression: {name}: could be audited, and cannot: {why}"


def _compared(name: str, old: Read, new: Read) -> Counter[str]:
    """Print the changes of one report; return the number of changes of each kind."""
    found = list(changes(old, new))
    for kind in KINDS:
        rows = [change for change in found if change.kind == kind]
        if kind in FOLDED and len(rows) > NAMED:
            print(printable(f"{name}{kind}: {_folded([change.item for change in rows])}"))
            continue
        for change in rows:
            print(printable(f"{name}{kind}: {change.item}: {change.text}"))
    for fact in differing_facts(old, new):
        print(printable(f"{name}differs: {fact}"))
    counts = Counter[str](change.kind for change in found)
    said = ", ".join(f"{counts[kind]} {_plural(kind, counts[kind])}" for kind in KINDS if counts[kind])
    both = len(old.verdicts.keys() & new.verdicts.keys())
    print(printable(f"{name}{both} cases compared: {said or 'no change'}"))
    return counts


def _folded(rows: Sequence[Item]) -> str:
    """Return the number of cases of each chapter and type."""
    counts = Counter((item.builtin.chapter, item.form.name) for item in rows)
    kinds = ", ".join(f"{count} of {chapter} {form}" for (chapter, form), count in counts.items())
    return f"{len(rows)} cases: {kinds}"


def _plural(kind: str, count: int) -> str:
    return f"{kind}s" if count != 1 and not kind.startswith("only") else kind
