"""What a device is asked to judge: rows whose results can be told to conform without looking at edges and clauses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clmath import ladder
from clmath.audit.device_judge.lane_limits import is_known_edge, is_known_limit
from clmath.audit.device_judge.lane_measure import Terms
from clmath.audit.inputs import is_swept
from clmath.audit.plan import Item
from clmath.audit.screen import is_screened
from clmath.kernels import RUNGS, Kernel
from clmath.spec.builtins import precise
from clmath.spec.edges import edges

if TYPE_CHECKING:
    from clmath.audit.law import Law
    from clmath.audit.plan import Plan

__all__ = ["Asked", "asked"]


@dataclass(frozen=True)
class Asked:
    """A row, and the law by which it is judged."""

    item: Item
    law: Law

    @property
    def kernel(self) -> Kernel:
        """What encloses the results of the row."""
        found = _kernel(self.item)
        assert found is not None
        return found

    @property
    def terms(self) -> Terms:
        """What is asked of the results."""
        item, law = self.item, self.law
        limits = tuple(one.limit(item) for one in (law, *law.others(item)))
        prescribed = () if law.waives("edges", item) else law.edges(item)
        found = tuple(edge for edge in prescribed if edge.prescribes)
        return Terms(limits, found, law.waives("not finite", item), RUNGS[self.kernel.rung].off)


def asked(item: Item, law: Law, plan: Plan) -> Asked | None:
    """What is asked of a device about a row; None where the host has to judge it.

    All floats are tried, one at a time, a kernel encloses all results, the limits are such as can be compared there,
    and what enclosures take for exact is right by the edges of every edition in question.
    """
    if type(item) is not Item or item.vector > 1:  # conversions and their like are compared bit by bit
        return None
    is_one_argument = is_swept(item, plan) and item.columns == ("gentype",)
    if not is_one_argument or not is_screened(item, law) or _kernel(item) is None:
        return None
    question = Asked(item, law)
    return question if _is_comparable(question) and _is_one_law(question) else None


def _is_comparable(question: Asked) -> bool:
    """Whether lane arithmetic tells what passes, and what is left open."""
    terms = question.terms
    leaves_open = any(limit.least is None for limit in terms.limits)
    if not all(map(is_known_limit, terms.limits)) or (leaves_open and not all(map(is_known_edge, terms.edges))):
        return False
    return leaves_open or terms.limits[0].least != 0.0 or any(condition for _, condition in terms.limits[0].clauses)


def _is_one_law(question: Asked) -> bool:
    """Whether all editions prescribe the same, and leave the same open."""
    item, law = question.item, question.law
    others = law.others(item)
    if any(one.edges(item) != edges(item.builtin.name) for one in (law, *others)):
        return False
    if law.waives("not finite", item) and not law.waives("edges", item):
        return False
    return not others or all(one.limit(item).least and not one.waives("not finite", item) for one in (law, *others))


def _kernel(item: Item) -> Kernel | None:
    """The one kernel of a row, if there is one."""
    rung = ladder.rung(item.builtin.name, item.form)
    steps = rung.steps(precise(item.builtin.name)) if rung else ()
    first = steps[0] if len(steps) == 1 else None
    return first if isinstance(first, Kernel) else None
