"""Summary of a device's verdicts on some inputs of a row, and its encoding as a message to another process."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.counting.spread import BINS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["RunLengths", "Summary"]


@dataclass(frozen=True)
class RunLengths:
    """Ascending numbers as runs of neighbours: the ``gaps`` before runs and their ``lengths``, unsigned integers.

    >>> listed = RunLengths.of(np.array([3, 9], np.uint64), np.array([5, 10], np.uint64))
    >>> listed.gaps.tolist(), listed.lengths.tolist(), listed.lanes
    ([3, 4], [2, 1], 3)
    """

    gaps: np.ndarray
    lengths: np.ndarray

    @classmethod
    def of(cls, firsts: NDArray[np.uint64], ends: NDArray[np.uint64]) -> RunLengths:
        """Return the runs from each number of ``firsts`` to the number of ``ends``, exclusively."""
        before = np.append(np.zeros(1, np.uint64), ends[:-1])
        return cls(_packed(firsts - before[: len(firsts)]), _packed(ends - firsts))

    @property
    def lanes(self) -> int:
        """The count of the numbers."""
        return int(self.lengths.sum(dtype=np.uint64))

    @property
    def end(self) -> int:
        """One more than the last number, or 0 without numbers."""
        return self.lanes + int(self.gaps.sum(dtype=np.uint64))

    @property
    def firsts(self) -> NDArray[np.uint64]:
        """The first number of each run."""
        lengths = self.lengths.astype(np.uint64)
        firsts: NDArray[np.uint64] = np.cumsum(self.gaps, dtype=np.uint64) + (np.cumsum(lengths) - lengths)
        return firsts

    def is_below(self, end: int) -> bool:
        """Whether all numbers are below ``end``, and no run is empty."""
        if not len(self.lengths):
            return True
        largest = max(int(self.gaps.max()), int(self.lengths.max()))  # sums do not wrap if these are small
        return bool(self.lengths.min() > 0 and largest <= end and self.end <= end)


def _packed(numbers: NDArray[np.uint64]) -> np.ndarray:
    """Return the numbers in the smallest unsigned type that holds the largest of them."""
    return numbers.astype(np.min_scalar_type(int(numbers.max(initial=np.uint64(0)))))


_LENGTH = struct.Struct("<I")
_KINDS = {dtype.str: dtype for dtype in map(np.dtype, (np.uint8, np.uint16, np.uint32, np.uint64))}  # of runs


@dataclass(frozen=True)
class Summary:
    """Verdicts of a device on the inputs numbered from 0 to ``lanes`` - 1.

    ``listed``: the numbers of inputs that the host must judge. ``results``: the results of each run of them, as
    encodings. The other inputs are only counted. ``counts``: by the bins of ``spread.BINS``. ``uncounted``: inputs
    whose errors do not count; ``flushed`` of these pass because subnormal numbers may be flushed. ``failed``: inputs
    that fail by every edition; all others conform. ``unjudged``: for each edition, inputs whose results are
    unspecified. ``pace``: the seconds per input in the fastest launch.
    """

    lanes: int
    pace: float
    counts: tuple[int, ...]
    unjudged: tuple[int, ...]
    uncounted: int
    flushed: int
    failed: int
    listed: RunLengths
    results: tuple[np.ndarray, ...]

    def packed(self) -> list[bytes | memoryview]:
        """Return the parts of a message: a header in JSON, then the arrays."""
        arrays = [self.listed.gaps, self.listed.lengths, *self.results]
        kinds = [array.dtype.str for array in arrays[:2]]
        others = [self.uncounted, self.flushed, self.failed]
        facts = [self.lanes, self.pace, self.counts, self.unjudged, others, len(arrays[0]), kinds, len(self.results)]
        head = json.dumps(facts).encode()
        return [_LENGTH.pack(len(head)), head, *(array.data.cast("B") for array in arrays)]

    @classmethod
    def unpacked(cls, payload: memoryview, most: int, dtypes: Sequence[np.dtype], laws: int) -> Summary | None:
        """Return the summary that was ``packed``, or None if it has too many inputs or not each of them once.

        ``most``: the largest number of inputs. ``dtypes``: the dtypes of the encodings of each result. ``laws``: the
        number of editions.
        """
        try:
            (length,) = _LENGTH.unpack_from(payload)
            start = _LENGTH.size + length
            lanes, pace, counts, opens, others, count, kinds, kept = json.loads(bytes(payload[_LENGTH.size : start]))
            both = _KINDS[kinds[0]], _KINDS[kinds[1]]
            gaps, lengths, *found = _arrays(payload, start, count, [*both, *dtypes])
            unjudged, (uncounted, flushed, failed) = tuple(map(int, opens)), map(int, others)
            is_whole = kept == len(dtypes) and len(counts) == len(BINS) and len(unjudged) == laws and 0 < lanes <= most
        except (ValueError, TypeError, LookupError, struct.error):
            return None
        listed, results = RunLengths(gaps, lengths), tuple(found)
        told = tuple(map(int, counts)), unjudged, uncounted, flushed, failed
        whole = cls(int(lanes), float(pace), *told, listed, results)
        return whole if is_whole and whole._is_complete() else None

    def _is_complete(self) -> bool:
        """Whether every input is counted once."""
        is_once = self.listed.is_below(self.lanes) and self.decided + self.listed.lanes == self.lanes
        is_open = all(0 <= count <= self.decided for count in self.unjudged)
        is_part = 0 <= self.flushed <= self.uncounted and 0 <= self.failed <= sum(self.counts[1:])
        return is_once and is_open and is_part and min(self.counts) >= 0

    @property
    def decided(self) -> int:
        """Number of inputs that the device has decided, which are the inputs that are not listed."""
        return sum(self.counts) + self.uncounted


def _arrays(payload: memoryview, start: int, count: int, dtypes: Sequence[np.dtype]) -> list[np.ndarray]:
    """Copy arrays of ``count`` entries that fill ``payload`` from ``start`` on; ValueError if they do not fill it."""
    ends = [start]
    for dtype in dtypes:
        ends.append(ends[-1] + dtype.itemsize * count)
    if ends[-1] != len(payload):
        raise ValueError(len(payload))
    return [np.frombuffer(payload, dtype, count, end).copy() for dtype, end in zip(dtypes, ends[:-1], strict=True)]
