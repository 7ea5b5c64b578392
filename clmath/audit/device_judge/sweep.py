"""The order in which a device judges all floats: by parts, of which the first runs are from all over the format."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.inputs.floats import RUN
from clmath.audit.plan.plan import PARTS
from clmath.numbers.formats import FLOAT

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["APART", "PIECE", "STEP", "swept"]

PIECE = (1 << FLOAT.width) // PARTS  # floats of a part
STEP = PARTS * RUN  # from the first float of a run to that of the next
APART = 2531  # the distance in runs from one run to the next, so that the first few are from all over the format


def swept(parts: range, numbers: NDArray[np.uint64]) -> NDArray[np.uint32]:
    """The encodings with these ``numbers`` among those of ``parts`` of all floats, one part after the other."""
    pieces = np.uint64(parts.start) + np.uint64(parts.step) * (numbers >> _bits(PIECE))
    runs = (numbers >> _bits(RUN)) * np.uint64(APART) & np.uint64(PIECE // RUN - 1)
    within = numbers & np.uint64(RUN - 1)
    codes: NDArray[np.uint32] = (runs * np.uint64(STEP) + pieces * np.uint64(RUN) + within).astype(np.uint32)
    return codes


def _bits(power: int) -> np.uint64:
    """The binary logarithm of a power of two."""
    return np.uint64(power.bit_length() - 1)
