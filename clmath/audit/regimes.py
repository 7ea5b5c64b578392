"""What a row's law asks of results in float, told for ranges of encodings of the one argument."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.audit.certain import is_excused
from clmath.numbers.formats import FLOAT
from clmath.spec.ranges import Asked, asked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.audit.law import Law
    from clmath.audit.plan import Item

__all__ = ["JUDGED", "OPEN", "RANGE", "UNTOLD", "Kinds", "Regimes", "regimes"]

Kinds: TypeAlias = "NDArray[np.int8]"

RANGE = 20  # bits of an encoding that do not tell its range: there are eight ranges in a binade
UNTOLD, OPEN, JUDGED = range(3)  # of an argument, what is asked of its result: it is not told, nothing, limits


@dataclass(frozen=True)
class Regimes:
    """What is asked in every range, by its number: the first bits of an encoding.

    ``kinds``: one of the three above for each. ``waives``: whether nothing is asked either where an exact result is no
    finite float.
    """

    kinds: Kinds
    asked: Asked
    waives: bool

    @functools.cached_property
    def is_judged(self) -> bool:
        """Whether limits are told of all arguments."""
        return bool((self.kinds == JUDGED).all())

    @functools.cached_property
    def of_both_signs(self) -> Regimes:
        """What is asked of an argument and its opposite alike."""
        half = len(self.kinds) // 2
        there = Asked._make(np.roll(values, half) for values in self.asked)
        return _regimes(Asked.both(self.asked, there), waives=self.waives)

    def of(self, x: NDArray[np.float32]) -> Kinds:
        """The kind of each argument."""
        kinds: Kinds = self.kinds[FLOAT.bits(x) >> RANGE]
        return kinds


@functools.lru_cache(maxsize=256)
def regimes(item: Item, law: Law) -> Regimes | None:
    """What ``law``, and the law of the other editions alike, ask of a row of one argument; None if nothing is told."""
    laws = (law, *law.others(item))
    waives = {one.waives("not finite", item) for one in laws}
    if len(waives) > 1:
        return None
    found = _regimes(functools.reduce(Asked.both, [_asked(item, one) for one in laws]), waives=waives.pop())
    return found if found.kinds.any() else None


def _regimes(found: Asked, *, waives: bool) -> Regimes:
    kinds = np.where(found.is_open, OPEN, np.where(found.is_judged, JUDGED, UNTOLD))
    return Regimes(kinds.astype(np.int8), found, waives)


@np.errstate(all="ignore")
def _asked(item: Item, law: Law) -> Asked:
    """What one law asks."""
    starts = np.arange(1 << FLOAT.width - RANGE, dtype=np.uint32) << RANGE
    first, last = (FLOAT.from_bits(ends).astype(np.float64) for ends in (starts, starts + ((1 << RANGE) - 1)))
    found = asked(law.limit(item), first, last, FLOAT)
    if law.edges(item) and not law.waives("edges", item):  # they may prescribe what the limit leaves open
        found = found._replace(is_open=np.zeros_like(found.is_open))
    if law.waives("not finite", item):
        is_waived = ~np.isfinite(last)
        found = found._replace(is_open=found.is_open | is_waived, is_judged=found.is_judged & ~is_waived)
    return found._replace(refused=np.full(first.shape, np.inf)) if is_excused(law, item) else found
