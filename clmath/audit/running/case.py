"""A case of an audit: a row with its acceptance criteria, the plan and the target."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from clmath.audit.acceptance.criteria import Criteria
from clmath.audit.counting.tally import KEPT, Otherwise, Tally
from clmath.audit.exact.exact_criteria import ExactCriteria
from clmath.audit.inputs.layout import Columns
from clmath.audit.inputs.row_inputs import chunk_size
from clmath.audit.inputs.structured import structured
from clmath.audit.judge.piece import criteria_of, fails, judge
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import Plan
from clmath.audit.plan.rows import item_named
from clmath.audit.protocol.target import Target, TargetError
from clmath.audit.targets.attempt import evaluated, evaluated_ahead
from clmath.numbers.formats import FORMATS, Format

A = TypeVar("A")
R = TypeVar("R")
_CALL = re.compile(r"(\w+)\((\w+)\)")
_ARGUMENTS: dict[str, Callable[[np.ndarray, Format], NDArray[np.bool_]]] = {
    "0": lambda x, _: np.asarray(x == 0),
    "NaN": lambda x, form: np.isnan(x) & ~form.signals(x),
}


@dataclass(frozen=True)
class Case:
    """A row with its acceptance criteria, the plan of the audit, and the target."""

    plan: Plan
    target: Target
    item: Item
    criteria: Criteria

    @classmethod
    def of(cls, plan: Plan, target: Target, item: Item) -> Self:
        """Return a case; for a macro, its criteria contain the results of calls with which it must agree (3.26.4)."""
        criteria = criteria_of(item, plan, target)
        if isinstance(criteria, ExactCriteria) and item.builtin.returned_by and target.defines(item.builtin, item.form):
            criteria = replace(criteria, returned=_companions(item, plan, target))
        return cls(plan, target, item, criteria)

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


def _companions(item: Item, plan: Plan, target: Target) -> tuple[int, ...]:
    """Return the distinct values of the calls that must return a macro's value, in all OpenCL formats of the target.

    Empty if the target cannot compute them. The audit of the built-in itself makes these calls, too.
    """
    match = _CALL.fullmatch(item.builtin.returned_by)
    if match is None:
        return ()
    offered = [f for f in target.formats() if f in FORMATS]
    forms = [f for f in offered if target.defines(item_named(match[1], f.name).builtin, f)]
    found = (_returned(item_named(match[1], f.name), match[2], plan, target) for f in forms)
    return tuple(dict.fromkeys(value for values in found for value in values))


def _returned(item: Item, argument: str, plan: Plan, target: Target) -> Iterator[int]:
    """Yield the results of the structured calls of a case that have the argument."""
    if argument == "NaN" and criteria_of(item, plan, target).waives("not finite", item):
        return
    (x,), size = structured(item), chunk_size(item)
    here = _ARGUMENTS[argument](x, item.form)
    for start in sorted({size * (int(k) // size) for k in np.flatnonzero(here)}):
        piece = slice(start, start + size)
        try:
            ((result,),) = evaluated_ahead(target, item, [(x[piece].copy(),)])
        except TargetError:  # the case of that built-in reports the reason
            return
        yield from (int(value) for value in np.unique(result[here[piece]]))
