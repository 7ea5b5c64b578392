"""Order the inputs that a device lists, and split them into parts so that memory stays bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.counting.tally import Tally
from clmath.audit.device_judge.question import Runs
from clmath.audit.judge.piece import alike, judge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from clmath.audit.device_judge.question import Question
    from clmath.spec.edges import Edge

__all__ = ["far_zeros", "in_order", "placed"]


def far_zeros(question: Question, runs: Runs) -> tuple[Tally, Runs]:
    """Return a tally of runs beyond a border that returned zeros, if special values prescribe zeros, and other runs.

    If a special value prescribes zero for one of these inputs, it does so for all inputs of that sign. So one input is
    judged for all. The first runs stay among the others, because reports show the first inputs of a row.
    """
    item, form, tally = question.item, question.item.form, Tally()
    is_left = np.ones(len(runs.firsts), np.bool_)
    if question.generated is None and len(runs.results) == 1:
        x, last = runs.firsts.view(form.dtype), (runs.firsts + (runs.lengths - 1).astype(runs.firsts.dtype))
        (result,) = runs.results
        for group in alike(
            item, question.all_criteria, x, result, np.isfinite(last.view(form.dtype)) & (result == 0), few=0
        ):
            if _is_prescribed(question, first := runs.picked(group[:1])):
                judged = judge(item, question.inputs(first.firsts), first.results, question.criteria, first.firsts)
                tally += judged.times(int(runs.lengths[group].sum()))
                is_left[group] = False
    return tally, runs if is_left.all() else runs.picked(is_left)


def _is_prescribed(question: Question, run: Runs) -> bool:
    """Whether special values of every edition in question prescribe zero for the first input of a run."""
    args, form = question.inputs(run.firsts), question.item.form

    def is_zero(edge: Edge) -> bool:
        return bool(edge.prescribes_exactly and edge.matches(args, form).all() and edge.expected(args, form)[0][0] == 0)

    return all(any(map(is_zero, need.edges)) for need in question.terms.needs)


AT_ONCE = 1 << 20  # inputs that are judged together
MANY = 64  # one of this many runs is judged before the others: the worst errors known then spare work


def placed(question: Question, parts: range, runs: Runs) -> Runs:
    """Return the runs of a list in the order of the row, in which the inputs of a run follow one another."""
    firsts, ends, which = _within_units(runs, np.uint64(question.neighbours.bit_length() - 1))
    places = question.places(parts, firsts)
    order = np.argsort(places)
    dtypes = [dtype for dtype, _ in question.item.layout(0)]
    results = (r[which[order]].view(dtype) for r, dtype in zip(runs.results, dtypes, strict=True))
    return Runs(places[order], (ends - firsts)[order].astype(np.intp), tuple(results))


def _within_units(runs: Runs, bits: np.uint64) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.intp]]:
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


def in_order(runs: Runs) -> Iterator[tuple[np.ndarray, tuple[np.ndarray, ...]]]:
    """Yield places and results, first of one in ``MANY`` runs, then of the others; places ascend in both groups."""
    few = np.arange(0, len(runs.lengths), MANY)
    is_left = np.ones(len(runs.lengths), np.bool_)
    is_left[few] = False
    for some in (few, np.flatnonzero(is_left)):
        elements = np.cumsum(runs.lengths[some])
        ends = np.searchsorted(elements, np.arange(AT_ONCE, elements[-1] if len(elements) else 0, AT_ONCE))
        for part in np.split(some, ends):
            if len(part):
                yield runs.picked(part).each()
