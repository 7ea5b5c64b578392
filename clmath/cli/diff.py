"""``clmath diff``: changes from one report to another, case by case, regressions first."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from clmath import errors
from clmath.audit.counting.tally import BEYOND
from clmath.audit.protocol.printable import printable
from clmath.audit.records import several_reports
from clmath.audit.records.reading import NOT_COMPLETE
from clmath.audit.records.record import differing
from clmath.audit.reports.terminal import error_text

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from clmath.audit.counting.tally import Verdict
    from clmath.audit.plan.item import Item
    from clmath.audit.records.reading import Read
    from clmath.audit.records.several_reports import Reports

Kind: TypeAlias = Literal["regression", "improvement", "larger error", "smaller error", "only in old", "only in new"]
KINDS: tuple[Kind, ...] = (
    "regression",
    "larger error",
    "smaller error",
    "improvement",
    "only in old",
    "only in new",
)


@dataclass(frozen=True)
class Change:
    """A case that has changed, and the kind of the change."""

    kind: Kind
    item: Item
    text: str


def changes(old: Read, new: Read) -> Iterator[Change]:
    """Yield every case that changed, in the order of the old report, then cases that only the new one has.

    A case is a regression if it fails and did not before; if it cannot be judged and could be before; if it fails for
    another reason, by more ulp, or at more of the same inputs; or if the new report lacks it though its plan has it. A
    larger error within the limit is shown, but is not a regression.
    """
    same_inputs, due = _inputs(old) == _inputs(new), frozenset(new.due)
    for item, before in old.verdicts.items():
        after = new.verdicts.get(item)
        if after is None:
            text = f"{before.status} -> there is no such case"
            yield Change("regression" if item in due else "only in old", item, text)
            continue
        yield from _of_row(before, after, same_inputs=same_inputs)
    for item, after in new.verdicts.items():
        if item not in old.verdicts:
            yield Change("only in new", item, after.status)


def _inputs(report: Read) -> tuple[object, ...]:
    """Return everything that determines the inputs of a report's cases."""
    plan = report.head["plan"]
    return plan["inputs"], plan.get("part"), plan["seed"], report.head["tables"], report.head["versions"]["clmath"]


def _of_row(before: Verdict, after: Verdict, *, same_inputs: bool) -> Iterator[Change]:
    was, now = _word(before), _word(after)
    criteria = "" if before.limit == after.limit else f" (the limit was {before.limit}, it is {after.limit})"
    text = f"{was} -> {now}{criteria}"
    if _rank(after) > _rank(before) or (before.status == "fail" and after.status == "not judged"):
        yield Change("regression", after.item, f"{text}: {after.reason}")
        return
    if _rank(after) < _rank(before):
        yield Change("improvement", after.item, text)
        return
    if after.status == "fail":
        worse = list(_worse_failure(before, after, same_inputs=same_inputs))
        if worse:
            yield Change("regression", after.item, f"{text}: {'; '.join(worse)}")
            return
    if before.worst_error != after.worst_error and before.tally.worst and after.tally.worst:
        larger = after.worst_error > before.worst_error
        yield Change("larger error" if larger else "smaller error", after.item, text)


def _rank(verdict: Verdict) -> int:
    """Return a number that is greater for worse verdicts; an unspecified case counts like one that passes."""
    return 0 if verdict.is_unspecified else {"pass": 0, "not judged": 1, "fail": 2}[verdict.status]


def _word(verdict: Verdict) -> str:
    counted = f" {verdict.tally.failed} of {verdict.tally.tried}" if verdict.status == "fail" else ""
    return f"{verdict.status}{counted}, {error_text(verdict.worst_error)} ulp"


def _worse_failure(before: Verdict, after: Verdict, *, same_inputs: bool) -> Iterator[str]:
    """Yield reasons, in words, why a case fails more than before."""
    for reason in sorted(dict(after.tally.reasons).keys() - dict(before.tally.reasons).keys()):
        yield f"fails anew: {reason}"
    if after.worst_error > before.worst_error and any(reason.startswith(BEYOND) for reason, _ in after.tally.reasons):
        yield "the error is larger"
    if same_inputs and after.tally.failed > before.tally.failed:
        yield f"{after.tally.failed - before.tally.failed} more of the same inputs fail"


def differing_facts(old: Read, new: Read) -> Iterator[str]:
    """Yield the facts in which two audits differ: device, driver, options, inputs, tables, versions."""
    parts = ("subject", "plan", "versions", "tables")
    for name, was, now in differing(*({part: dict(one.head)[part] for part in parts} for one in (old, new))):
        if _in_one_line(was) != _in_one_line(now):
            yield f"{name}: {_short(was)} -> {_short(now)}"


def _in_one_line(fact: object) -> object:
    """Return a fact with single blanks; older reports have blanks as the driver wrote them."""
    return " ".join(fact.split()) if isinstance(fact, str) else fact


def _short(fact: object) -> str:
    text = "-" if fact is None else str(fact)
    return text if len(text) <= 80 else text[:77] + "..."


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
