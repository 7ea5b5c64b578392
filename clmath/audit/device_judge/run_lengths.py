"""Run-length encoding of the input numbers that a device lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["RunLengths"]


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
        """The runs from each number of ``firsts`` up to, and without, that of ``ends``."""
        before = np.append(np.zeros(1, np.uint64), ends[:-1])
        return cls(_packed(firsts - before[: len(firsts)]), _packed(ends - firsts))

    @property
    def lanes(self) -> int:
        """How many numbers there are."""
        return int(self.lengths.sum(dtype=np.uint64))

    @property
    def end(self) -> int:
        """One more than the last number; 0 where there is none."""
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
    """The numbers in the smallest unsigned type that holds the largest of them."""
    return numbers.astype(np.min_scalar_type(int(numbers.max(initial=np.uint64(0)))))
