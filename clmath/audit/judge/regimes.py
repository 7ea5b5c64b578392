"""What a row's law asks of results in float, told for ranges of encodings of the one argument."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.audit.judge.certain_failures import flushes_more
from clmath.numbers.formats import FLOAT
from clmath.spec.ranges import Requirements, requirements

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.audit.law.law import Law
    from clmath.audit.plan.item import Item

__all__ = ["EDGED", "JUDGED", "OPEN", "RANGE", "UNTOLD", "Kinds", "Regimes", "gives_integers", "regimes"]

Kinds: TypeAlias = "NDArray[np.int8]"
Bools: TypeAlias = "NDArray[np.bool_]"

RANGE = 20  # bits of an encoding that do not tell its range: there are eight ranges in a binade
# of an argument, what is asked of its result: it is not told, nothing, limits, what edges prescribe, if any is about it
UNTOLD, OPEN, JUDGED, EDGED = range(4)


@dataclass(frozen=True, eq=False)
class Regimes:
    """What is ``asked`` in every range, by its number: the first bits of an encoding.

    ``edged``: where that is nothing but what edges prescribe for some arguments. ``is_free``: no result is judged
    otherwise, errors are measured alone. ``beyond``: exact results of this size or larger, and NaN, are left open and
    not measured either; NaN: none are.
    """

    requirements: Requirements
    edged: Bools
    is_free: bool
    beyond: float

    @functools.cached_property
    def kinds(self) -> Kinds:
        """One of the four above for each range."""
        kinds = np.where(self.edged, EDGED, UNTOLD)
        return np.where(self.requirements.is_open, OPEN, np.where(self.requirements.is_judged, JUDGED, kinds)).astype(
            np.int8
        )

    @functools.cached_property
    def only(self) -> int:
        """The kind of all ranges if they are of one; UNTOLD if not."""
        return int(self.kinds[0]) if (self.kinds == self.kinds[0]).all() else UNTOLD

    @functools.cached_property
    def of_both_signs(self) -> Regimes:
        """What is asked of an argument and its opposite alike; where edges are about either, it is not told."""
        half = len(self.kinds) // 2
        there = Requirements._make(np.roll(values, half) for values in self.requirements)
        return replace(self, requirements=Requirements.both(self.requirements, there), edged=np.zeros_like(self.edged))

    def of_all(self, x: NDArray[np.float32]) -> int:
        """The kind of all arguments if the ranges from the first to the last of them are of one; UNTOLD if not."""
        if not x.size:
            return JUDGED
        if self.only != UNTOLD:
            return self.only
        codes = FLOAT.bits(x)
        among = self.kinds[int(codes.min()) >> RANGE : (int(codes.max()) >> RANGE) + 1]
        return int(among[0]) if (among == among[0]).all() else UNTOLD

    def of(self, x: NDArray[np.float32]) -> Kinds:
        """The kind of each argument."""
        kinds: Kinds = self.kinds[FLOAT.bits(x) >> RANGE]
        return kinds


@functools.lru_cache(maxsize=256)
def regimes(item: Item, law: Law) -> Regimes | None:
    """What ``law``, and the law of the other editions alike, ask of a row of one argument; None if nothing is told."""
    laws, integers = (law, *law.others(item)), gives_integers(item)
    facts = {(one.limit(item).gives_no_number, one.waives("not finite", item)) for one in laws}
    if len(facts) > 1 or (integers and any(_opens_integers(item, one) for one in laws)):
        return None
    ((is_free, waives),) = facts
    beyond = np.inf if is_free and not integers else 2.0 ** (FLOAT.emax + 1) if waives else np.nan
    told, edged = zip(*[_asked(item, one) for one in laws], strict=True)
    found = Regimes(functools.reduce(Requirements.both, told), np.logical_or.reduce(edged), is_free, beyond)
    return found if found.kinds.any() else None


def gives_integers(item: Item) -> bool:
    """Whether a result is an int; then something is judged of every call."""
    return any(p.type == "intn" for p in item.builtin.outputs)


def _opens_integers(item: Item, law: Law) -> bool:
    """Whether ``law`` leaves ints open somewhere."""
    limit = law.limit(item)
    waived = limit.gives_no_number and law.waives("not finite", item)
    return waived or any(rule.integers_open for rule, _ in limit.clauses)


@np.errstate(all="ignore")
def _asked(item: Item, law: Law) -> tuple[Requirements, Bools]:
    """What one law asks, and where that is nothing but by edges.

    Where nothing is judged, whatever is returned passes for the finite arguments measured.
    """
    starts = np.arange(1 << FLOAT.width - RANGE, dtype=np.uint32) << RANGE
    first, last = (FLOAT.from_bits(ends).astype(np.float64) for ends in (starts, starts + ((1 << RANGE) - 1)))
    found, is_finite = requirements(law.limit(item), first, last, FLOAT), np.isfinite(last)
    is_free, waives, without_edges = law.limit(item).gives_no_number, law.waives("not finite", item), found.is_open
    if not law.waives("edges", item):  # they may prescribe what the limit leaves open
        alone = [edge.never_matches(first, last, FLOAT) for edge in law.edges(item) if edge.prescribes]
        found = found._replace(is_open=functools.reduce(np.logical_and, alone, found.is_open))
    edged = without_edges & ~found.is_open & is_finite & (is_free and not waives)  # which leaves their infinities open
    if waives:
        found = found._replace(is_open=found.is_open | ~is_finite, is_judged=found.is_judged & is_finite)
    infinite = np.full(first.shape, np.inf)
    if is_free:
        found = found._replace(is_judged=found.is_open & is_finite, allowed=infinite, refused=infinite)
        is_open = np.zeros_like(is_finite) if gives_integers(item) else found.is_open & ~is_finite
        return found._replace(is_open=is_open), edged
    return (found._replace(refused=infinite) if flushes_more(law, item) else found), edged
