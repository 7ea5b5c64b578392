"""Zeros that a device returns for large arguments: beyond a border, one input stands for all others of its sign."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.audit.counting.tally import KEPT, Tally
from clmath.audit.judge.piece import judge
from clmath.audit.judge.zeros import border

if TYPE_CHECKING:
    from clmath.audit.device_judge.input_lists import Placed
    from clmath.audit.device_judge.question import Question
    from clmath.audit.inputs.layout import Columns
    from clmath.numbers.formats import Format
    from clmath.spec.edges import Edge

__all__ = ["far_zeros"]


def far_zeros(question: Question, runs: Placed) -> tuple[Tally, Placed]:
    """The tally of inputs beyond the ``border`` that returned zeros where edges prescribe some; and all other runs.

    Where an edge prescribes zeros for one of them, it does for all of that sign, so the same is to be said of each. The
    first runs are among the others: what is shown of a row are its first inputs.
    """
    item, form = question.item, question.item.form
    beyond = border(item, question.laws)
    if question.drawn is not None or len(runs.results) != 1 or not beyond < form.largest:
        return Tally(), runs
    (results,), x = runs.results, runs.places.view(form.dtype)
    is_far = (np.abs(x) > beyond) & np.isfinite(_last(runs).view(form.dtype)) & (results == 0)
    signs, tally = np.signbit(x) * 2 + np.signbit(results), Tally()
    for sign in range(4):
        same = np.flatnonzero(is_far & (signs == sign))
        if len(same) > KEPT and _is_prescribed(question, runs.picked(same[:1])):
            tally += _of_one(question, runs.picked(same[:1])).times(int(runs.lengths[same[KEPT:]].sum()))
            is_far[same[:KEPT]] = False
        else:
            is_far[same] = False
    return tally, runs.picked(~is_far)


def _last(runs: Placed) -> Any:
    """Where the last input of each run stands."""
    return runs.places + (runs.lengths - 1).astype(runs.places.dtype)


def _is_prescribed(question: Question, run: Placed) -> bool:
    """Whether edges of every edition in question prescribe zero for the first input of a run."""
    args, form = question.inputs(run.places), question.item.form
    edges = [() if law.waives("edges", question.item) else law.edges(question.item) for law in question.laws]
    return all(any(_is_zero(edge, args, form) for edge in of_law) for of_law in edges)


def _is_zero(edge: Edge, args: Columns, form: Format) -> bool:
    return bool(edge.prescribes_exactly and edge.matches(args, form).all() and edge.expected(args, form)[0][0] == 0)


def _of_one(question: Question, run: Placed) -> Tally:
    """The tally of a single input: the first of a run."""
    return judge(question.item, question.inputs(run.places), run.results, question.law, run.places)
