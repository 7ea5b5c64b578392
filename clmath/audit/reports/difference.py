"""Changes from one report to another, case by case: worse, better, or not comparable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from clmath.audit.counting.tally import BEYOND
from clmath.audit.records.record import differing
from clmath.audit.reports.terminal import error_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clmath.audit.counting.tally import Verdict
    from clmath.audit.plan.item import Item
    from clmath.audit.records.reading import Read

__all__ = ["KINDS", "Change", "Kind", "changes", "differing_facts"]

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
    return 0 if verdict.left_open else {"pass": 0, "not judged": 1, "fail": 2}[verdict.status]


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
    for name, was, now in differing(*({part: one.head[part] for part in parts} for one in (old, new))):
        if _told(was) != _told(now):
            yield f"{name}: {_short(was)} -> {_short(now)}"


def _told(fact: object) -> object:
    """Return a fact with single blanks; older reports have blanks as the driver wrote them."""
    return " ".join(fact.split()) if isinstance(fact, str) else fact


def _short(fact: object) -> str:
    text = "-" if fact is None else str(fact)
    return text if len(text) <= 80 else text[:77] + "..."
