"""Which rows a report must have: those that were asked for and that its subject has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clmath.audit.counting.tally import Tally, Verdict
from clmath.audit.plan.plan import Plan
from clmath.audit.plan.rows import item_called

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clmath.audit.plan.item import Item

__all__ = ["MISSING", "due_rows", "rows_with_missing", "written"]

MISSING = "the report has no such row, and the audit was to judge it"


def written(items: Sequence[Item]) -> list[str]:
    """The names of rows, as a report lists them."""
    return [str(item) for item in items]


def due_rows(head: Mapping[str, Any]) -> tuple[Item, ...]:
    """The rows that a report must have.

    Earlier reports do not name them: theirs are all that the plan asks for, whether the subject has them or not.
    KeyError, TypeError or ValueError where ``head`` tells of none.
    """
    if "due" not in head:
        plan = head["plan"]
        return Plan.of(plan["functions"], plan["types"], widths=plan["widths"]).items()
    if not isinstance(head["due"], list):
        raise TypeError("the names of rows are no list")
    items = tuple(item_called(str(name)) for name in head["due"])
    if len(set(items)) < len(items):
        raise ValueError("a row is due twice")
    return items


def rows_with_missing(due: Sequence[Item], verdicts: Mapping[Item, Verdict], profile: str) -> Iterator[Verdict]:
    """The verdict on every required row, in order; of a row without one, a verdict that says that it is missing."""
    for item in due:
        yield verdicts.get(item) or Verdict(item, profile, "", "", "missing", Tally(), MISSING)
