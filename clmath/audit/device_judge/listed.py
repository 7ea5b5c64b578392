"""The inputs that a device lists, in their order and so many at a time that memory stays bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from clmath.audit.device_judge.asked import Asked
    from clmath.audit.device_judge.summary import Summary

__all__ = ["Placed", "in_order", "placed"]

Arrays: TypeAlias = "tuple[NDArray[Any], ...]"

AT_ONCE = 1 << 20  # inputs that are judged together
MANY = 64  # runs of which one is judged before the others, so that more is known when these are


class Placed(NamedTuple):
    """Runs of inputs that follow one another in a row: where they begin, how long they are, what each returned."""

    places: NDArray[Any]
    lengths: NDArray[np.intp]
    results: Arrays

    def picked(self, index: Any) -> Placed:
        """Some of the runs."""
        return Placed(self.places[index], self.lengths[index], tuple(r[index] for r in self.results))

    def each(self) -> tuple[NDArray[Any], Arrays]:
        """The places of all inputs, and the results of each."""
        if not len(self.lengths) or self.lengths.max() == 1:
            return self.places, self.results
        starts = self.places - (np.cumsum(self.lengths) - self.lengths).astype(self.places.dtype)  # may wrap
        places = np.repeat(starts, self.lengths)
        places += np.arange(len(places), dtype=places.dtype)
        return places, tuple(np.repeat(r, self.lengths) for r in self.results)


def placed(question: Asked, parts: range, found: Summary) -> Placed:
    """The runs of a list, in the order of the row: inputs that follow one another there."""
    unit, firsts, ends = np.uint64(question.neighbours), found.listed.firsts, found.listed.firsts + found.listed.lengths
    units = ((ends - np.uint64(1)) // unit - firsts // unit).astype(np.intp) + 1
    which = np.repeat(np.arange(len(firsts)), units)
    cuts = (firsts // unit)[which] + (np.arange(len(which)) - (np.cumsum(units) - units)[which]).astype(np.uint64)
    begin, end = np.maximum(firsts[which], cuts * unit), np.minimum(ends[which], (cuts + np.uint64(1)) * unit)
    places = question.places(parts, begin)
    order = np.argsort(places)
    dtypes = [dtype for dtype, _ in question.item.layout(0)]
    results = (r[which[order]].view(dtype) for r, dtype in zip(found.results, dtypes, strict=True))
    return Placed(places[order], (end - begin)[order].astype(np.intp), tuple(results))


def in_order(runs: Placed) -> Iterator[tuple[NDArray[Any], Arrays]]:
    """The places of all inputs, ascending, and what was returned: of some runs first, then of the others."""
    few = np.arange(0, len(runs.lengths), MANY)
    is_left = np.ones(len(runs.lengths), np.bool_)
    is_left[few] = False
    for some in (few, np.flatnonzero(is_left)):
        lanes = np.cumsum(runs.lengths[some])
        ends = np.searchsorted(lanes, np.arange(AT_ONCE, lanes[-1] if len(lanes) else 0, AT_ONCE))
        for part in np.split(some, ends):
            if len(part):
                yield runs.picked(part).each()
