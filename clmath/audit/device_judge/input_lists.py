"""The inputs that a device lists, in their order and so many at a time that memory stays bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from clmath.audit.counting.tally import Tally
from clmath.audit.judge.piece import judge
from clmath.audit.judge.zeros import alike

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from clmath.audit.device_judge.question import Question
    from clmath.audit.device_judge.summary import RunLengths, Summary
    from clmath.audit.inputs.layout import Columns
    from clmath.numbers.formats import Format
    from clmath.spec.edges import Edge

__all__ = ["Placed", "far_zeros", "in_order", "placed"]


def far_zeros(question: Question, runs: Placed) -> tuple[Tally, Placed]:
    """The tally of inputs beyond a border that returned zeros where edges prescribe some; and all other runs.

    Where an edge prescribes zeros for one of them, it does for all of that sign, so the same is to be said of each. The
    first runs are among the others: what is shown of a row are its first inputs.
    """
    item, form, tally = question.item, question.item.form, Tally()
    is_left = np.ones(len(runs.places), np.bool_)
    if question.drawn is None and len(runs.results) == 1:
        x, last = runs.places.view(form.dtype), (runs.places + (runs.lengths - 1).astype(runs.places.dtype))
        (result,) = runs.results
        for group in alike(item, question.laws, x, result, np.isfinite(last.view(form.dtype)) & (result == 0), few=0):
            if _is_prescribed(question, first := runs.picked(group[:1])):
                judged = judge(item, question.inputs(first.places), first.results, question.law, first.places)
                tally += judged.times(int(runs.lengths[group].sum()))
                is_left[group] = False
    return tally, runs if is_left.all() else runs.picked(is_left)


def _is_prescribed(question: Question, run: Placed) -> bool:
    """Whether edges of every edition in question prescribe zero for the first input of a run."""
    args, form = question.inputs(run.places), question.item.form
    edges = [() if law.waives("edges", question.item) else law.edges(question.item) for law in question.laws]
    return all(any(_is_zero(edge, args, form) for edge in of_law) for of_law in edges)


def _is_zero(edge: Edge, args: Columns, form: Format) -> bool:
    return bool(edge.prescribes_exactly and edge.matches(args, form).all() and edge.expected(args, form)[0][0] == 0)


Arrays: TypeAlias = "tuple[np.ndarray, ...]"

AT_ONCE = 1 << 20  # inputs that are judged together
MANY = 64  # runs of which one is judged before the others, so that more is known when these are


class Placed(NamedTuple):
    """Runs of inputs that follow one another in a row: where they begin, how long they are, what each returned."""

    places: np.ndarray
    lengths: NDArray[np.intp]
    results: Arrays

    def picked(self, index: Any) -> Placed:
        """Some of the runs."""
        return Placed(self.places[index], self.lengths[index], tuple(r[index] for r in self.results))

    def each(self) -> tuple[np.ndarray, Arrays]:
        """The places of all inputs, and the results of each."""
        if not len(self.lengths) or self.lengths.max() == 1:
            return self.places, self.results
        starts = self.places - (np.cumsum(self.lengths) - self.lengths).astype(self.places.dtype)  # may wrap
        places = np.repeat(starts, self.lengths)
        places += np.arange(len(places), dtype=places.dtype)
        return places, tuple(np.repeat(r, self.lengths) for r in self.results)


def placed(question: Question, parts: range, found: Summary) -> Placed:
    """The runs of a list, in the order of the row: inputs that follow one another there."""
    firsts, ends, which = _within_units(found.listed, np.uint64(question.neighbours.bit_length() - 1))
    places = question.places(parts, firsts)
    order = np.argsort(places)
    dtypes = [dtype for dtype, _ in question.item.layout(0)]
    results = (r[which[order]].view(dtype) for r, dtype in zip(found.results, dtypes, strict=True))
    return Placed(places[order], (ends - firsts)[order].astype(np.intp), tuple(results))


def _within_units(runs: RunLengths, bits: np.uint64) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.intp]]:
    """First and end of each run, and which run it is of: cut where numbers are multiples of 2^bits."""
    firsts, one = runs.firsts, np.uint64(1)
    ends = firsts + runs.lengths
    units = ((ends - one >> bits) - (firsts >> bits)).astype(np.intp) + 1
    which = np.repeat(np.arange(len(firsts)), units)
    if len(which) == len(firsts):
        return firsts, ends, which
    starts = (firsts >> bits) - (np.cumsum(units) - units).astype(np.uint64)  # may wrap
    unit = np.repeat(starts, units) + np.arange(len(which), dtype=np.uint64)
    return np.maximum(firsts[which], unit << bits), np.minimum(ends[which], unit + one << bits), which


def in_order(runs: Placed) -> Iterator[tuple[np.ndarray, Arrays]]:
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
