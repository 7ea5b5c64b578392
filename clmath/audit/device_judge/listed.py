"""The inputs that a device lists, in their order and so many at a time that memory stays bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from clmath.audit.device_judge.asked import Asked
    from clmath.audit.device_judge.summary import Summary

__all__ = ["in_order"]

Arrays: TypeAlias = "tuple[NDArray[Any], ...]"

AT_ONCE = 1 << 20  # inputs that are judged together
MANY = 64  # runs of which one is judged before the others, so that more is known when these are


class _Placed(NamedTuple):
    """Runs of inputs that follow one another in a row: where they begin, how long they are, what each returned."""

    places: NDArray[Any]
    lengths: NDArray[np.intp]
    results: Arrays

    def picked(self, index: Any) -> _Placed:
        """Some of the runs."""
        return _Placed(self.places[index], self.lengths[index], tuple(r[index] for r in self.results))

    def each(self) -> tuple[NDArray[Any], Arrays]:
        """The places of all inputs, and the results of each."""
        if not len(self.lengths) or self.lengths.max() == 1:
            return self.places, self.results
        starts = self.places - (np.cumsum(self.lengths) - self.lengths).astype(self.places.dtype)  # may wrap
        places = np.repeat(starts, self.lengths)
        places += np.arange(len(places), dtype=places.dtype)
        return places, tuple(np.repeat(r, self.lengths) for r in self.results)


def in_order(question: Asked, parts: range, found: Summary) -> Iterator[tuple[NDArray[Any], Arrays]]:
    """The places of the inputs on a list, ascending, and what was returned: of some first, then of the others."""
    runs = _placed(question, parts, found)
    few = np.arange(0, len(runs.lengths), MANY)
    is_left = np.ones(len(runs.lengths), np.bool_)
    is_left[few] = False
    for some in (few, np.flatnonzero(is_left)):
        lanes = np.cumsum(runs.lengths[some])
        ends = np.searchsorted(lanes, np.arange(AT_ONCE, lanes[-1] if len(lanes) else 0, AT_ONCE))
        for part in np.split(some, ends):
            if len(part):
                yield runs.picked(part).each()


def _placed(question: Asked, parts: range, found: Summary) -> _Placed:
    """The runs, in the order of the row."""
    unit, firsts, ends = np.uint64(question.neighbours), found.listed.firsts, found.listed.firsts + found.listed.lengths
    units = ((ends - np.uint64(1)) // unit - firsts // unit).astype(np.intp) + 1
    which = np.repeat(np.arange(len(firsts)), units)
    cuts = (firsts // unit)[which] + (np.arange(len(which)) - (np.cumsum(units) - units)[which]).astype(np.uint64)
    begin, end = np.maximum(firsts[which], cuts * unit), np.minimum(ends[which], (cuts + np.uint64(1)) * unit)
    places = question.places(parts, begin)
    order = np.argsort(places)
    return _Placed(places[order], (end - begin)[order].astype(np.intp), tuple(r[which[order]] for r in found.results))
