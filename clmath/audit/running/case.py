"""A case of an audit, which is a row with its acceptance criteria, the plan and the target."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from clmath.audit.counting.tally import KEPT, Otherwise, Tally
from clmath.audit.judge.piece import fails, judge
from clmath.audit.protocol.target import TargetError
from clmath.audit.targets.attempt import evaluated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from clmath.audit.acceptance.criteria import Criteria
    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item
    from clmath.audit.plan.plan import Plan
    from clmath.audit.protocol.target import Target

__all__ = ["Case", "answered", "with_reason"]

A = TypeVar("A")
R = TypeVar("R")


@dataclass(frozen=True)
class Case:
    """A row with its acceptance criteria, the plan of the audit, and the target."""

    plan: Plan
    target: Target
    item: Item
    criteria: Criteria

    def evaluated(self, values: Columns) -> Columns:
        """Return the target's results for ``values``; TargetError if the target fails."""
        return evaluated(self.target, self.item, values)

    def judged(self, values: Columns, results: Columns) -> Tally:
        """Return the tally of some calls; their places in ``values`` are their places in the tally."""
        return judge(self.item, values, results, self.criteria)

    def fails(self, values: Columns, results: Columns) -> bool:
        """Return whether one of a few calls fails."""
        return fails(self.item, values, results, self.criteria)


def answered(
    requests: Iterator[Sequence[A]], ask: Callable[[Sequence[A]], Iterator[R]]
) -> Iterator[tuple[A, R | TargetError]]:
    """Yield each request with its answer; after the first error nothing more is asked.

    The next request is made before the last answer to the current one is handed out, so that the target is not idle.
    """
    request = next(requests, ())
    answers = ask(request)
    while request:
        following = next(requests, ())
        for number, one in enumerate(request, start=1):
            try:
                found = next(answers)
            except TargetError as error:
                yield one, error
                return
            if number == len(request) and following:
                answers = ask(following)
            yield one, found
        request = following


def with_reason(tally: Tally, places: NDArray[np.int64], reason: str) -> Tally:
    """Return the failures of a tally with another reason; ``places``: the places of its inputs in the row."""
    if not tally.failed:
        return Tally()
    shown = (replace(e, index=int(places[e.index]), reason=reason) for e in tally.failures[:KEPT])
    others = tuple(Otherwise(o.edition, 0, o.failed) for o in tally.others)
    return Tally(failed=tally.failed, reasons=((reason, tally.failed),), failures=tuple(shown), others=others)
