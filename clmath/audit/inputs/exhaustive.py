"""All floats, or all pairs of halfs, cut into parts; each part has runs of neighbours from all over the format."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from clmath.audit.inputs import vectors
from clmath.audit.inputs.layout import Columns, dtypes
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import PARTS, Plan
from clmath.audit.plan.types import form_of
from clmath.numbers.formats import FLOAT

RUN = 256  # neighbouring floats in a run
RUNS = (1 << FLOAT.width) // (PARTS * RUN)  # runs in a part
OPPOSITE = RUNS // 2  # distance in runs from a float to its opposite
APART = PARTS * RUN  # number of floats from the start of a run to the start of the next run of its part
TOGETHER = 32  # runs that are made at a time by adding an offset to a pattern, which stays in the first-level cache
ALL = slice(None)


def is_swept(item: Item, plan: Plan) -> bool:
    """Whether the plan is exhaustive, and the row has one argument of 32 bits, or two halfs."""
    is_pair = len(item.columns) == 2 and not item.width and all(form_of(c, item.form) for c in item.columns)
    return plan.exhaustive and item.size == FLOAT.width and (len(item.columns) == 1 or is_pair)


def swept_parts(plan: Plan) -> range:
    """Return the parts of all floats that belong to the plan's part."""
    k, n = plan.part
    return range(k - 1, PARTS, n)


def part_length(item: Item) -> int:
    """Return the number of inputs in a part of all floats: whole vectors."""
    length = (1 << FLOAT.width) // PARTS
    return length + -length % item.vector


def swept_columns(
    item: Item, parts: Sequence[int], room: NDArray[np.uint32] | None = None, runs: slice = ALL
) -> Columns:
    """Return all inputs of some parts of all floats, or of all pairs of halfs; scalars ascend by their encodings.

    The encoding of a pair has the bits of the first argument, then the bits of the second.
    ``room``: memory of the right size for scalars, which spares an allocation that takes longer than filling it.
    ``runs``: which of the ``RUNS`` runs of each part are wanted, for scalars.
    """
    codes, kinds = encodings(item, parts, room, runs), dtypes(item)
    if len(kinds) == 1:
        return (codes.view(kinds[0]),)
    return tuple((codes >> shift).astype(np.uint16).view(kind) for shift, kind in zip((16, 0), kinds, strict=True))


def opposite(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the floats, NaN included, with their signs changed."""
    return FLOAT.from_bits(FLOAT.bits(values) ^ np.uint32(FLOAT.magnitude + 1))


def encodings(
    item: Item, parts: Sequence[int], room: NDArray[np.uint32] | None = None, chosen: slice = ALL
) -> NDArray[np.uint32]:
    """Return parts of all floats: runs of neighbours, which mostly take the same branch, from all over the format.

    So all parts take about equally long, and show the same errors. Every second run has vectors of its own; the other
    vectors have floats from all over the format.
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
    alike, unlike = codes.reshape(-1, RUN)[::2], np.random.default_rng(part).permutation(codes.reshape(-1, RUN)[1::2])
    return vectors.filled(item, (np.concatenate([alike.reshape(-1), unlike.T.reshape(-1)]),))[0]
