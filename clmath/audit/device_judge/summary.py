"""Summary of a device's verdicts on some inputs of a row, its encoding as a message, and the protocol of the device."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

import numpy as np

from clmath.audit.counting.spread import BINS
from clmath.audit.judge.known_errors import NONE_KNOWN, KnownErrors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.device_judge.question import Question

__all__ = ["Judging", "Runs", "Summary", "no_counts"]

_LENGTH = struct.Struct("<I")


def no_counts(editions: int) -> NDArray[np.int64]:
    """Return zeros for the counts of a ``Summary`` by the rules of so many editions."""
    return np.zeros(len(BINS) + 3 + editions, np.int64)


class Runs(NamedTuple):
    """Runs of inputs that follow one another and have the same results: the first inputs, lengths and results.

    ``firsts``: numbers of inputs in the order in which a device judges them, or places in the row.
    """

    firsts: np.ndarray
    lengths: np.ndarray
    results: tuple[np.ndarray, ...]

    @classmethod
    def joined(cls, parts: Sequence[Runs], dtypes: Sequence[np.dtype]) -> Runs:
        """Return the runs of several parts; ``dtypes``: the dtypes of the results."""
        none = cls(np.empty(0, np.uint64), np.empty(0, np.uint64), tuple(np.empty(0, dtype) for dtype in dtypes))
        results = zip(*(part.results for part in (none, *parts)), strict=True)
        firsts, lengths = (np.concatenate([part[k] for part in (none, *parts)]) for k in (0, 1))
        return cls(firsts, lengths, tuple(map(np.concatenate, results)))

    def picked(self, index: NDArray[np.intp] | NDArray[np.bool_] | slice) -> Runs:
        """Return some of the runs."""
        return Runs(self.firsts[index], self.lengths[index], tuple(r[index] for r in self.results))

    def each(self) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
        """Return all inputs, and their results."""
        if not len(self.lengths) or self.lengths.max() == 1:
            return self.firsts, self.results
        starts = self.firsts - (np.cumsum(self.lengths) - self.lengths).astype(self.firsts.dtype)  # may wrap
        inputs = np.repeat(starts, self.lengths)
        inputs += np.arange(len(inputs), dtype=inputs.dtype)
        return inputs, tuple(np.repeat(r, self.lengths) for r in self.results)


@dataclass(frozen=True)
class Summary:
    """Verdicts of a device on the inputs numbered from 0 to ``elements`` - 1.

    The host must judge the inputs that are listed in ascending ``runs``, with results as encodings. The other inputs
    are only counted.
    ``counts``: by the bins of ``spread.BINS``; inputs whose errors do not count; for each edition, inputs whose results
    are unspecified; uncounted inputs that pass because subnormal numbers may be flushed; inputs that fail by every
    edition. All others conform. ``pace``: the seconds per input in the fastest launch.
    """

    elements: int
    pace: float
    counts: tuple[int, ...]
    runs: Runs

    @classmethod
    def joined(cls, parts: Sequence[Summary], dtypes: Sequence[np.dtype]) -> Summary:
        """Return the summary of several parts, whose inputs follow one another."""
        elements = [part.elements for part in parts]
        starts = np.cumsum([0, *elements]).astype(np.uint64)
        runs = [p.runs._replace(firsts=p.runs.firsts + start) for p, start in zip(parts, starts, strict=False)]
        counts = np.array([part.counts for part in parts], np.int64).sum(axis=0)
        return cls(sum(elements), min(p.pace for p in parts), tuple(counts.tolist()), Runs.joined(runs, dtypes))

    @property
    def listed(self) -> int:
        """Number of inputs that are listed."""
        return int(self.runs.lengths.sum())

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
        firsts, lengths, results = self.runs
        head = json.dumps([self.elements, self.pace, self.counts, len(firsts), len(results)]).encode()
        arrays = (firsts, lengths, *results)
        return [_LENGTH.pack(len(head)), head, *(array.data.cast("B") for array in arrays)]

    @classmethod
    def unpacked(cls, payload: memoryview, most: int, dtypes: Sequence[np.dtype], editions: int) -> Summary | None:
        """Return the summary that was ``packed``, or None if it has too many inputs or not each of them once.

        ``most``: the largest number of inputs. ``dtypes``: the dtypes of the encodings of each result.
        ``editions``: the number of editions.
        """
        try:
            (length,) = _LENGTH.unpack_from(payload)
            start = _LENGTH.size + length
            elements, pace, counts, runs, kept = json.loads(bytes(payload[_LENGTH.size : start]))
            firsts, lengths, *results = _arrays(payload, start, runs, [*[np.dtype(np.uint64)] * 2, *dtypes])
            found = cls(int(elements), float(pace), tuple(map(int, counts)), Runs(firsts, lengths, tuple(results)))
            is_whole = kept == len(dtypes) and len(counts) == len(no_counts(editions)) and 0 < found.elements <= most
        except (ValueError, TypeError, LookupError, struct.error):
            return None
        return found if is_whole and found._is_complete() else None

    def _is_complete(self) -> bool:
        """Whether every input is counted once."""
        unjudged, flushed, failed = self.others
        is_part = flushed <= self.counts[len(BINS)] and failed <= sum(self.bins[1:])
        is_once = self._are_ascending() and self.decided + self.listed == self.elements
        return is_once and is_part and max(unjudged) <= self.decided and min(self.counts) >= 0

    def _are_ascending(self) -> bool:
        """Whether all listed inputs are below ``elements``, and no runs are empty or overlap."""
        firsts, lengths, _ = self.runs
        ends = np.append(firsts[1:], np.uint64(self.elements))
        return bool(((firsts < ends) & (lengths > 0) & (lengths <= ends - firsts)).all())


def _arrays(payload: memoryview, start: int, count: int, dtypes: Sequence[np.dtype]) -> list[np.ndarray]:
    """Copy arrays of ``count`` entries that fill ``payload`` from ``start`` on; ValueError if they do not fill it."""
    ends = [start]
    for dtype in dtypes:
        ends.append(ends[-1] + dtype.itemsize * count)
    if ends[-1] != len(payload):
        raise ValueError(len(payload))
    return [np.frombuffer(payload, dtype, count, end).copy() for dtype, end in zip(dtypes, ends[:-1], strict=True)]


@runtime_checkable
class Judging(Protocol):
    """Implementation under test on a device that can judge the results."""

    def judging(self, question: Question | None, parts: range, known: KnownErrors = NONE_KNOWN) -> Summary | None:
        """Judge the results for the chunks ``parts`` of inputs, or for the first of these chunks, on the device.

        ``known``: the largest errors that the row has elsewhere, with places among all floats; smaller errors need not
        be looked for. If ``question`` is None, only find out whether the device can judge. TargetError if the device
        cannot, or if something goes wrong.
        """
