"""Zeros that a device returns for large arguments: beyond a border, one input stands for all others of its sign."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.counting.tally import Tally
from clmath.audit.judge.piece import judge
from clmath.audit.judge.zeros import alike

if TYPE_CHECKING:
    from clmath.audit.device_judge.input_lists import Placed
    from clmath.audit.device_judge.question import Question
    from clmath.audit.inputs.layout import Columns
    from clmath.numbers.formats import Format
    from clmath.spec.edges import Edge

__all__ = ["far_zeros"]


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
