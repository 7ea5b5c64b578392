"""Inputs whose results resemble that of a given input: of about the same size, or just below a power of two.

A computation has about the same relative error wherever it takes the same path; in ulps, that error is largest where
results lie just below a power of two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath import phases
from clmath.audit.inputs.thresholds import heights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item

__all__ = ["most_alike"]

_BLOCK = 1 << 14  # inputs evaluated at a time, so that temporaries stay in cache
Lanes: TypeAlias = "NDArray[np.int64]"


def most_alike(item: Item, given: Columns, drawn: Columns, n: int) -> Lanes:
    """The places of the ``n`` inputs of ``drawn`` whose results are most like that of ``given``, a single input.

    Half have the results nearest to its own, half those nearest to the next power of two. There are none where
    results are vectors, are not known without the reference, or that of ``given`` is 0 or not finite.
    """
    if item.width or not phases.is_enclosed(item.builtin.called, item.form):
        return np.empty(0, np.int64)
    own = heights(item, given)[0]
    if not np.isfinite(own):
        return np.empty(0, np.int64)
    blocks = [tuple(column[i : i + _BLOCK] for column in drawn) for i in range(0, len(drawn[0]), _BLOCK)]
    found = np.concatenate([heights(item, block) for block in blocks])
    above = np.floor(own) + 1.0
    below_power = np.where(found < above, above - found, np.inf)
    return np.concatenate([_least(np.abs(found - own), n // 2), _least(below_power, n - n // 2)])


def _least(distances: NDArray[np.float64], n: int) -> Lanes:
    """The places of the ``n`` least distances; equal ones in their order, NaN and infinity never."""
    places = np.flatnonzero(np.isfinite(distances))
    if n < len(places):
        farthest = np.partition(distances[places], n)[n]
        places = places[distances[places] <= farthest]
    return places[np.argsort(distances[places], kind="stable")[:n]]
