"""What a device found of some inputs of a row, and how that is told to another process."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.audit.spread import BINS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Summary"]

_LENGTH = struct.Struct("<I")
_MARKS = 32  # bytes that it is worth to spend on a number, not to sort them


@dataclass(frozen=True)
class Summary:
    """What is found of the inputs numbered from 0 up to ``lanes``.

    ``listed``: the numbers of those that the host must look at, ``results`` what was returned for them, as encodings.
    ``counts``: of the others, which conform, how many are how far from the correctly rounded result, by the bins of
    ``spread.BINS``; ``uncounted``: those whose errors do not count. ``unjudged``: of all of these, those that the
    specification leaves open, by each law in question. ``pace``: how many seconds an input took in the fastest launch.
    """

    lanes: int
    pace: float
    counts: tuple[int, ...]
    unjudged: tuple[int, ...]
    uncounted: int
    listed: NDArray[np.uint64]
    results: tuple[NDArray[Any], ...]

    def packed(self) -> list[bytes | memoryview]:
        """The parts of an answer: what is text in JSON, then the arrays."""
        facts = [
            self.lanes,
            self.pace,
            list(self.counts),
            list(self.unjudged),
            self.uncounted,
            len(self.listed),
            len(self.results),
        ]
        head = json.dumps(facts).encode()
        return [_LENGTH.pack(len(head)), head, self.listed.data.cast("B"), *(r.data.cast("B") for r in self.results)]

    @classmethod
    def unpacked(cls, payload: memoryview, most: int, dtypes: Sequence[np.dtype[Any]], laws: int) -> Summary | None:
        """What was ``packed``; None where that cannot be: of more than ``most`` inputs, or not of every one once.

        ``dtypes``: those of the encodings of each result; ``laws``: how many are in question.
        """
        try:
            (length,) = _LENGTH.unpack_from(payload)
            start = _LENGTH.size + length
            lanes, pace, counts, opens, uncounted, count, kept = json.loads(bytes(payload[_LENGTH.size : start]))
            listed = np.frombuffer(payload, np.uint64, count, start).copy()
            ends = [start + 8 * count]
            for dtype in dtypes:
                ends.append(ends[-1] + dtype.itemsize * count)
            parts = zip(dtypes, ends, strict=False)
            found = tuple(np.frombuffer(payload, dtype, count, end).copy() for dtype, end in parts)
            unjudged, uncounted = tuple(map(int, opens)), int(uncounted)
            is_whole = (
                ends[-1] == len(payload) and kept == len(dtypes) and len(counts) == len(BINS) and 0 < lanes <= most
            ) and len(unjudged) == laws
        except (ValueError, TypeError, struct.error):
            return None
        whole = cls(int(lanes), float(pace), tuple(map(int, counts)), unjudged, uncounted, listed, found)
        return whole if is_whole and whole._is_complete() else None

    def _is_complete(self) -> bool:
        """Whether every input is counted once."""
        count = len(self.listed)
        if count and int(self.listed.max()) >= self.lanes:
            return False
        is_once = _all_differ(self.listed, self.lanes) and self.conforming + count == self.lanes
        return bool(is_once and min(*self.counts, self.uncounted) >= 0 and self._is_open())

    def _is_open(self) -> bool:
        return all(0 <= count <= self.conforming for count in self.unjudged)

    @property
    def conforming(self) -> int:
        """How many are not listed."""
        return sum(self.counts) + self.uncounted


def _all_differ(numbers: NDArray[np.uint64], end: int) -> bool:
    """Whether no two of ``numbers``, below ``end``, are equal."""
    if end > _MARKS * len(numbers):
        return len(np.unique(numbers)) == len(numbers)
    is_there = np.zeros(end, np.bool_)
    is_there[numbers] = True
    return int(np.count_nonzero(is_there)) == len(numbers)
