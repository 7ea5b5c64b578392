"""Adds up the results of the launches of a row, which are read from the device."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.counting.spread import BINS
from clmath.audit.device_judge.summary import RunLengths, Summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.device_judge.question import Question
    from clmath.engines.device.machine import Machine

__all__ = ["LaunchResults", "no_counts"]


def no_counts(question: Question) -> NDArray[np.int64]:
    """Zeros for the counts of a launch: by bin; not counted; left open, by each law; flushed; failing."""
    return np.zeros(len(BINS) + 3 + len(question.laws), np.int64)


class LaunchResults:
    """The results so far, of ``lanes`` inputs; ``listed`` of these are on lists, as ``runs``."""

    def __init__(self, question: Question) -> None:
        self.lanes = 0
        self.listed = 0
        self.runs = 0
        self.pace = np.inf
        self._counts = no_counts(question)
        self._firsts: list[NDArray[np.uint64]] = [np.empty(0, np.uint64)]
        self._ends: list[NDArray[np.uint64]] = [np.empty(0, np.uint64)]
        self._results: list[list[np.ndarray]] = [[np.empty(0, dtype)] for dtype in question.encodings]

    def count(self, counts: NDArray[np.uint32], listed: int) -> None:
        """Add the counts of one launch, with the number of lanes that it lists."""
        self._counts += counts
        self.listed += listed

    def add(self, machine: Machine, ends: Sequence[object], kept: Sequence[object], runs: int) -> int:
        """Add runs, whose first and last lanes, ``ends``, and results are on the device in any order.

        Returns how many lanes they have.
        """
        heads, tails = np.empty(runs, np.uint32), np.empty(runs, np.uint32)
        machine.get(ends[0], heads)
        machine.get(ends[1], tails)
        order = np.argsort(heads)
        self.runs += runs
        self._firsts.append(heads[order] + np.uint64(self.lanes))
        self._ends.append(np.sort(tails) + np.uint64(self.lanes + 1))
        for all_of_one, buffer in zip(self._results, kept, strict=True):
            results = np.empty(runs, all_of_one[0].dtype)
            machine.get(buffer, results)
            all_of_one.append(results[order])
        return int((self._ends[-1] - self._firsts[-1]).sum())

    def summary(self) -> Summary:
        """All results as a ``Summary``."""
        results = tuple(np.concatenate(parts) for parts in self._results)
        listed = RunLengths.of(np.concatenate(self._firsts), np.concatenate(self._ends))
        counts = self._counts[: len(BINS)].tolist()
        uncounted, *opens, flushed, failed = self._counts[len(BINS) :].tolist()
        return Summary(self.lanes, self.pace, tuple(counts), tuple(opens), uncounted, flushed, failed, listed, results)
