"""The verdict on a row from the tally of its inputs, by each edition of the specification."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from clmath.audit.counting.tally import Elsewhere, Tally, Verdict
from clmath.spec.limits import Unlimited

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.audit.acceptance.criteria import Criteria
    from clmath.audit.counting.tally import Status
    from clmath.audit.plan.item import Item
    from clmath.audit.plan.plan import Plan
    from clmath.spec.limits import Limit

__all__ = ["conclude", "elsewhere", "of_part", "of_the_whole", "trouble"]

NO_NUMBER = "the error is measured and not judged: the specification gives no number"


def conclude(item: Item, criteria: Criteria, tally: Tally, notes: tuple[str, ...] = ()) -> Verdict:
    """Return the verdict on a row from the tally of all its inputs; it passes only if some of them were judged."""
    limit = criteria.limit(item)
    notes = _remarks(tally, has_number=not _has_no_number(limit)) + notes
    status = _status(tally.tried, tally.unjudged, tally.failed)
    why = _why(status, tally, _nothing_asked(limit))
    common = (item, criteria.tables, limit.text, limit.source, status, tally, why, notes)
    return Verdict(*common, left_open=status == "not judged", others=elsewhere(item, criteria, tally))


def of_the_whole(verdicts: Sequence[Verdict], plans: Sequence[Plan]) -> Verdict:
    """Return the verdict on a row from the verdicts on its parts, each of which was audited by its own plan."""
    first, tally = verdicts[0], sum((verdict.tally for verdict in verdicts), Tally())
    has_number = NO_NUMBER not in first.notes
    notes = _remarks(tally, has_number=has_number)
    for verdict, plan in zip(verdicts, plans, strict=True):
        of_the_part = (*_remarks(verdict.tally, has_number=has_number), of_part(plan))
        notes += tuple(note for note in verdict.notes if note not in (*of_the_part, *notes))
    status = _status(tally.tried, tally.unjudged, tally.failed)
    counts = {edition: (unjudged, failed) for edition, unjudged, failed in tally.others}
    others = tuple(o._replace(status=_status(tally.tried, *counts[o.edition])) for o in first.others)
    why = _why(status, tally, first.reason)  # the first part's reason: the whole is not judged only if no part is
    left_open = status == "not judged"
    return replace(first, status=status, tally=tally, reason=why, notes=notes, left_open=left_open, others=others)


def of_part(plan: Plan) -> str:
    """Return the note on a row of which only a part was audited."""
    what = "all floats" if plan.exhaustive else f"{plan.count} random inputs"
    return f"part {plan.part[0]} of {plan.part[1]} of {what}"


def _why(status: Status, tally: Tally, unspecified_because: str) -> str:
    """Return the reason for a verdict; for 'fail', it is the most frequent reason of failures."""
    if status == "not judged":
        return unspecified_because
    return max(tally.reasons, key=lambda r: r[1], default=("", 0))[0] if status == "fail" else ""


def _status(tried: int, unjudged: int, failed: int) -> Status:
    """Return the status that follows from the counts of a row."""
    if failed:
        return "fail"
    return "not judged" if tried and unjudged == tried else "pass"


def elsewhere(item: Item, criteria: Criteria, tally: Tally) -> tuple[Elsewhere, ...]:
    """Return the verdicts on a row by the editions that have other rules for it."""
    found = []
    all_criteria = {other.edition: other for other in criteria.others(item)}
    for edition, unjudged, failed in tally.others:
        limit = all_criteria[edition].limit(item)
        status = _status(tally.tried, unjudged, failed)
        found.append(Elsewhere(edition, status, limit.text, limit.source, criteria.alike(item, edition)))
    return tuple(found)


def trouble(item: Item, criteria: Criteria, tally: Tally, reason: str, notes: tuple[str, ...] = ()) -> Verdict:
    """Return the verdict on a row that could not be judged to its end; ``reason`` describes the target's failure."""
    limit = criteria.limit(item)
    return Verdict(item, criteria.tables, limit.text, limit.source, "not judged", tally, reason, notes)


def _nothing_asked(limit: Limit) -> str:
    """Return the reason why no result of a row was judged."""
    if limit.gives_no_number:
        return f"{limit.text}: the specification gives no number; the error is measured"
    return "the specification leaves the results of all these inputs open; the error is measured"


def _has_no_number(limit: Limit) -> bool:
    """Whether the specification gives no number for any arguments."""
    return all(isinstance(rule, Unlimited) for rule, _ in limit.clauses)


def _remarks(tally: Tally, *, has_number: bool) -> tuple[str, ...]:
    """Return notes on a row for the reader of a report."""
    notes = [] if has_number else [NO_NUMBER]
    if tally.flushed:
        notes.append(f"{tally.flushed} results are allowed only because subnormals may be flushed to zero (4.5.3)")
    if tally.unjudged:
        notes.append(f"{tally.unjudged} results are not specified")
    return tuple(notes)
