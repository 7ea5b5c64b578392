"""Screens results in float in one compiled loop: enclosures, errors and counts, without arrays in between."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import ladder
from clmath.audit.arguments.floats import opposite
from clmath.audit.certain import refused_beyond
from clmath.audit.conformity import out_of_limit
from clmath.audit.deviation import by_stretch, worst_by_stretch
from clmath.audit.leading import measured
from clmath.audit.spread import BINS, Spread
from clmath.audit.tally import KEPT, Tally
from clmath.engines import choice
from clmath.engines.numba import Screen
from clmath.numbers.formats import FLOAT
from clmath.spec.edges import edges

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.arguments.layout import Columns
    from clmath.audit.batch import Call
    from clmath.audit.spread import Stretches
    from clmath.kernels import Kernel

__all__ = ["Screening", "serves", "with_opposites"]

_LARGEST = 2.0**15  # ulp: a result that is farther off may be in one of the last bins


def serves(call: Call) -> bool:
    """Whether the loop is compiled or worth it, and what it takes for right conforms by all editions."""
    law, item, limit = call.law, call.item, call.limit
    kernel = _kernel(call)
    if kernel is None or not choice.COMPILING.screens(kernel, len(call.args), call.form):
        return False
    asked = law.mode == "rte" and law.edges(item) == edges(call.name) and law.infinities
    if law.waives("not finite", item) or law.waives("negative zeros", item):
        return False
    if not asked or law.others(item) or limit.gives_no_number or not limit.least:
        return False
    return choice.chosen("clmath audit", choice.AUTO, call.name, len(call.args[0])) is choice.COMPILING


def _kernel(call: Call) -> Kernel | None:
    """The kernel of the one result."""
    found = ladder.results(call.name, call.form)
    return None if len(found) != 1 or isinstance(found[0], str) else found[0]


class Screening:
    """Screens calls of a row that are like ``call``, some after the others.

    ``floor``, ``known``: errors that need not be looked for, of the row and by argument and stretch.
    """

    def __init__(self, call: Call, floor: float, known: Stretches) -> None:
        kernel, rung = _kernel(call), ladder.rung(call.name, call.form)
        assert kernel is not None
        assert rung is not None
        floors = by_stretch(known[0] if known else (), FLOAT)
        self._none, self._kernel = call.lanes(np.empty(0, np.intp)), kernel
        allowed = min(call.limit.least or 0.0, _LARGEST)
        self._asked = Screen(rung.off, allowed, floor, floors, refused_beyond(call), KEPT)
        self._known_of_both = np.minimum(floors, np.roll(floors, len(floors) // 2))  # signs of an argument
        self._counts = np.zeros(len(BINS), np.int64)
        self._failed = 0
        self._leaders: list[Call] = []  # that may have the largest error of their stretch

    def others(self, call: Call, mirrored: Columns = ()) -> NDArray[np.int64]:
        """Count the calls that conform, or certainly fail, and are none of the worst; the others, which are left.

        The first ones that fail are among these. ``mirrored``: results for the opposite arguments, of which the same is
        true.
        """
        (x,), (actual,) = call.args, call.results
        asked = self._asked._replace(known=self._known_of_both) if mirrored else self._asked
        counts = np.zeros_like(self._counts)
        found = choice.COMPILING.screened(self._kernel, x, actual, asked, counts)
        self._asked = self._asked._replace(floor=found.floor)
        self._counts += counts * (1 + len(mirrored))
        self._failed += found.failed * (1 + len(mirrored))
        if found.leading.size:
            self._leaders += with_opposites(call.lanes(found.leading), [r[found.leading] for r in mirrored])
        return found.others

    def tally(self) -> Tally:
        """The tally of those counted."""
        counted = int(self._counts.sum())
        if not counted:
            return Tally()
        found = self._none.joined([self._none, *self._leaders])
        worst = worst_by_stretch(found.item, found.values, measured(found))
        reasons = ((out_of_limit(found.limit), self._failed),) if self._failed else ()
        spread = Spread.of(dict(zip(BINS, self._counts.tolist(), strict=True)), worst)
        return Tally(tried=counted, failed=self._failed, reasons=reasons, spread=spread)


def with_opposites(call: Call, mirrored: Sequence[NDArray[Any]]) -> list[Call]:
    """``call``, and the calls with the opposite arguments, whose results are ``mirrored``; without results it alone."""
    if not mirrored:
        return [call]
    there = (opposite(call.values[0]),)
    return [call, replace(call, values=there, args=there, results=tuple(mirrored))]
