"""Order the inputs that a device lists, and split them into parts so that memory stays bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from clmath.audit.counting.tally import Tally
from clmath.audit.judge.piece import judge
from clmath.audit.judge.zeros import alike

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from clmath.audit.device_judge.question import Question
    from clmath.audit.device_judge.summary import Summary
    from clmath.spec.edges import Edge

__all__ = ["Placed", "far_zeros", "in_order", "placed"]


def far_zeros(question: Question, runs: Placed) -> tuple[Tally, Placed]:
    """Return a tally of runs beyond a border that returned zeros, if special values prescribe zeros, and other runs.

    If a special value prescribes zero for one of these inputs, it does so for all inputs of that sign. So one input is
    judged for all. The first runs stay among the others, because reports show the first inputs of a row.
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
    """Whether special values of every edition in question prescribe zero for the first input of a run."""
    args, form = question.inputs(run.places), question.item.form

    def is_zero(edge: Edge) -> bool:
        return bool(edge.prescribes_exactly and edge.matches(args, form).all() and edge.expected(args, form)[0][0] == 0)

    return all(any(map(is_zero, need.edges)) for need in (one.plain for one in question.terms.needs))


Arrays: TypeAlias = "tuple[np.ndarray, ...]"

AT_ONCE = 1 << 20  # inputs that are judged together
MANY = 64  # one of this many runs is judged before the others: the worst errors known then spare work


class Placed(NamedTuple):
    """Runs of inputs that follow one another in a row: the first places, lengths and results of the runs."""

    places: np.ndarray
    lengths: NDArray[np.intp]
    results: Arrays

    def picked(self, index: NDArray[np.intp] | NDArray[np.bool_] | slice) -> Placed:
        """Return some of the runs."""
        return Placed(self.places[index], self.lengths[index], tuple(r[index] for r in self.results))

    def each(self) -> tuple[np.ndarray, Arrays]:
        """Return the places of all inputs, and their results."""
        if not len(self.lengths) or self.lengths.max() == 1:
            return self.places, self.results
        starts = self.places - (np.cumsum(self.lengths) - self.lengths).astype(self.places.dtype)  # may wrap
        places = np.repeat(starts, self.lengths)
        places += np.arange(len(places), dtype=places.dtype)
        return places, tuple(np.repeat(r, self.lengths) for r in self.results)


def placed(question: Question, parts: range, found: Summary) -> Placed:
    """Return the runs of a list in the order of the row, in which the inputs of a run follow one another."""
    firsts, ends, which = _within_units(found, np.uint64(question.neighbours.bit_length() - 1))
    places = question.places(parts, firsts)
    order = np.argsort(places)
    dtypes = [dtype for dtype, _ in question.item.layout(0)]
    results = (r[which[order]].view(dtype) for r, dtype in zip(found.results, dtypes, strict=True))
    return Placed(places[order], (ends - firsts)[order].astype(np.intp), tuple(results))


def _within_units(runs: Summary, bits: np.uint64) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.intp]]:
    """Cut runs at multiples of 2^bits, and return the first and end of each part and the index of its run."""
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
    """Yield places and results, first of one in ``MANY`` runs, then of the others; places ascend in both groups."""
    few = np.arange(0, len(runs.lengths), MANY)
    is_left = np.ones(len(runs.lengths), np.bool_)
    is_left[few] = False
    for some in (few, np.flatnonzero(is_left)):
        lanes = np.cumsum(runs.lengths[some])
        ends = np.searchsorted(lanes, np.arange(AT_ONCE, lanes[-1] if len(lanes) else 0, AT_ONCE))
        for part in np.split(some, ends):
            if len(part):
                yield runs.picked(part).each()
