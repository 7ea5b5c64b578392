"""Screens results in float in one compiled loop: enclosures, errors and counts, without arrays in between."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath import ladder
from clmath.audit.deviation import by_stretch, worst_by_stretch
from clmath.audit.leading import measured
from clmath.audit.spread import BINS, Spread
from clmath.audit.tally import Tally
from clmath.engines import choice
from clmath.engines.numba import Screen
from clmath.numbers.formats import FLOAT
from clmath.spec.edges import edges

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.audit.batch import Call
    from clmath.audit.spread import Stretches
    from clmath.kernels import Kernel

__all__ = ["screened", "serves"]

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


def screened(call: Call, floor: float, known: Stretches) -> tuple[Tally, NDArray[np.int64]]:
    """The tally of calls that conform and are none of the worst; and the others, about which it says nothing.

    ``floor``, ``known``: errors that need not be looked for, of the row and by argument and stretch.
    """
    kernel, rung, (x,), (actual,) = _kernel(call), ladder.rung(call.name, call.form), call.args, call.results
    assert kernel is not None
    assert rung is not None
    floors = by_stretch(known[0] if known else (), FLOAT)
    asked = Screen(rung.off, min(call.limit.least or 0.0, _LARGEST), floor, floors)
    counts = np.zeros(len(BINS), np.int64)
    others, leaders = choice.COMPILING.screened(kernel, x, actual, asked, counts)
    counted = int(counts.sum())
    if not counted:
        return Tally(), others
    found = call.lanes(leaders)
    worst = worst_by_stretch(call.item, found.values, measured(found))
    return Tally(tried=counted, spread=Spread.of(dict(zip(BINS, counts.tolist(), strict=True)), worst)), others
