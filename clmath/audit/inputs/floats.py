"""All floats, cut into parts that cost and show the same."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.inputs import vectors
from clmath.audit.inputs.layout import dtypes
from clmath.audit.plan.plan import PARTS
from clmath.numbers.formats import FLOAT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item
    from clmath.audit.plan.plan import Plan

__all__ = [
    "OPPOSITE",
    "RUN",
    "RUNS",
    "encodings",
    "opposite",
    "part_length",
    "swept_columns",
    "swept_parts",
]

RUN = 256  # neighbours tried one after the other
RUNS = (1 << FLOAT.width) // (PARTS * RUN)  # in a part
OPPOSITE = RUNS // 2  # distance in runs from a float to the same one with the other sign
APART = PARTS * RUN  # floats from the start of a run to that of the next one of its part
TOGETHER = 32  # runs that are made in one go: a pattern that stays in a processor's first cache, and a number to add
ALL = slice(None)


def swept_columns(
    item: Item, parts: Sequence[int], room: NDArray[np.uint32] | None = None, runs: slice = ALL
) -> Columns:
    """All inputs of parts of all floats, ascending by their encodings where they are scalars.

    ``room``: where those of scalars go, of their size; fresh memory takes longer to get than to fill. ``runs``: which
    of the ``RUNS`` runs of scalars of each part.
    """
    return (encodings(item, parts, room, runs).view(dtypes(item)[0]),)


def opposite(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """The floats of the other sign, of NaN too."""
    return FLOAT.from_bits(FLOAT.bits(values) ^ np.uint32(FLOAT.magnitude + 1))


def swept_parts(plan: Plan) -> range:
    """The parts of all floats that belong to the plan's part."""
    k, n = plan.part
    return range(k - 1, PARTS, n)


def part_length(item: Item) -> int:
    """How many inputs a part of all floats has: whole vectors."""
    length = (1 << FLOAT.width) // PARTS
    return length + -length % item.vector


def encodings(
    item: Item, parts: Sequence[int], room: NDArray[np.uint32] | None = None, chosen: slice = ALL
) -> NDArray[np.uint32]:
    """Parts of all floats: runs of neighbours, which take one branch of a device, from all over the format.

    So every part costs the same, and shows the same. Vectors hold neighbours, or floats from all over the format.
    """
    runs = np.arange(RUNS, dtype=np.uint32)[chosen] * np.uint32(APART)
    together = math.gcd(len(runs), TOGETHER)
    starts = np.add.outer(runs[:together], np.array(parts, np.uint32) * np.uint32(RUN))
    pattern = np.add.outer(starts, np.arange(RUN, dtype=np.uint32)).reshape(-1)
    shaped = None if room is None else room.reshape(-1, len(pattern))
    codes: NDArray[np.uint32] = np.add(pattern, (runs[::together] - runs[0])[:, np.newaxis], out=shaped)
    if item.vector == 1:
        return codes.reshape(-1)
    (part,) = parts
    return vectors.among(np.random.default_rng(part), item, codes.reshape(-1, RUN))
