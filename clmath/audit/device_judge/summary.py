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

__all__ = ["RunLengths", "Summary", "no_counts"]


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


def no_counts(editions: int) -> NDArray[np.int64]:
    """Return zeros for the counts of a ``Summary`` by the rules of so many editions."""
    return np.zeros(len(BINS) + 3 + editions, np.int64)


@dataclass(frozen=True)
class Summary:
    """Verdicts of a device on the inputs numbered from 0 to ``lanes`` - 1.

    ``listed``: the numbers of inputs that the host must judge. ``results``: the results of each run of them, as
    encodings. The other inputs are only counted. ``counts``: by the bins of ``spread.BINS``; inputs whose errors do not
    count; for each edition, inputs whose results are unspecified; uncounted inputs that pass because subnormal numbers
    may be flushed; inputs that fail by every edition. All others conform. ``pace``: the seconds per input in the
    fastest launch.
    """

    lanes: int
    pace: float
    counts: tuple[int, ...]
    listed: RunLengths
    results: tuple[np.ndarray, ...]

    @property
    def bins(self) -> tuple[int, ...]:
        """The counts by distance from the correctly rounded result."""
        return self.counts[: len(BINS)]

    @property
    def decided(self) -> int:
        """Number of inputs that the device has decided, which are the inputs that are not listed."""
        return sum(self.counts[: len(BINS) + 1])

    @property
    def others(self) -> tuple[tuple[int, ...], int, int]:
        """The counts of unspecified inputs by edition, of flushed ones, and of failed ones."""
        *unjudged, flushed, failed = self.counts[len(BINS) + 1 :]
        return tuple(unjudged), flushed, failed

    def packed(self) -> list[bytes | memoryview]:
        """Return the parts of a message: a header in JSON, then the arrays."""
        arrays = [self.listed.gaps, self.listed.lengths, *self.results]
        kinds = [array.dtype.str for array in arrays[:2]]
        head = json.dumps([self.lanes, self.pace, self.counts, len(arrays[0]), kinds, len(self.results)]).encode()
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
            lanes, pace, counts, runs, kinds, kept = json.loads(bytes(payload[_LENGTH.size : start]))
            both = _KINDS[kinds[0]], _KINDS[kinds[1]]
            gaps, lengths, *results = _arrays(payload, start, runs, [*both, *dtypes])
            found = cls(int(lanes), float(pace), tuple(map(int, counts)), RunLengths(gaps, lengths), tuple(results))
            is_whole = kept == len(dtypes) and len(counts) == len(no_counts(laws)) and 0 < found.lanes <= most
        except (ValueError, TypeError, LookupError, struct.error):
            return None
        return found if is_whole and found._is_complete() else None

    def _is_complete(self) -> bool:
        """Whether every input is counted once."""
        unjudged, flushed, failed = self.others
        is_once = self.listed.is_below(self.lanes) and self.decided + self.listed.lanes == self.lanes
        is_part = flushed <= self.counts[len(BINS)] and failed <= sum(self.bins[1:])
        return is_once and is_part and max(unjudged) <= self.decided and min(self.counts) >= 0


def _arrays(payload: memoryview, start: int, count: int, dtypes: Sequence[np.dtype]) -> list[np.ndarray]:
    """Copy arrays of ``count`` entries that fill ``payload`` from ``start`` on; ValueError if they do not fill it."""
    ends = [start]
    for dtype in dtypes:
        ends.append(ends[-1] + dtype.itemsize * count)
    if ends[-1] != len(payload):
        raise ValueError(len(payload))
    return [np.frombuffer(payload, dtype, count, end).copy() for dtype, end in zip(dtypes, ends[:-1], strict=True)]
