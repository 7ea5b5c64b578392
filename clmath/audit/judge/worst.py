"""Finds the largest errors among decided calls: by bounds on errors first, then by the reference."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath import phases
from clmath.audit.acceptance.batch import Batch, is_close
from clmath.audit.acceptance.on_host import are_counted
from clmath.audit.counting.spread import Deviations, foremost, joined, leaders, steps, worst_by_stretch
from clmath.audit.judge.screen import blocks, errors_of_integers, largest, largest_errors
from clmath.phases import Bounds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.audit.acceptance.batch import Call
    from clmath.audit.counting.spread import Spread, Stretches

__all__ = ["fewer_leaders", "measured", "spread_of"]

Bools: TypeAlias = "NDArray[np.bool_]"
F64: TypeAlias = "NDArray[np.float64]"

MANY = 64  # if more calls than this may have the largest error, finer enclosures choose among them


def spread_of(batch: Batch, doubtful: NDArray[np.intp], known: Stretches = ()) -> Spread:
    """Return the spread of the calls that are not ``doubtful``; the reference measures the worst of every interval.

    ``known``: errors by interval; smaller errors are not looked for.
    """
    apart, counted = _apart(batch)
    counted[doubtful] = False
    found = Deviations(batch.item, batch.values, apart, counted)
    wrong = found.wrong
    chosen, errors = _leading(batch.elements(wrong), known)
    return found.spread(wrong[chosen], errors)


def _leading(batch: Batch, known: Stretches) -> tuple[NDArray[np.intp], F64]:
    """Return calls that include the worst of every interval, to the precision of reports, and their exact errors.

    If many calls may be the worst, finer enclosures choose among them. One call of each interval is measured before the
    others: if many have the same error, the others need no measurement.
    """
    least, most = largest_errors(batch)
    chosen = np.flatnonzero(leaders(batch.item, batch.values, least, most, known))
    part = batch.elements(chosen)
    if len(chosen) <= MANY:
        return chosen, _measured(part)
    least, most = _finer(part, least[chosen], most[chosen])
    first = np.flatnonzero(leaders(part.item, part.values, least, most, known))
    first = first[foremost(part.item, tuple(v[first] for v in part.values), most[first])]
    errors = _measured(part.elements(first))
    told = joined(known, worst_by_stretch(part.item, tuple(v[first] for v in part.values), errors))
    is_left = leaders(part.item, part.values, least, most, told)
    is_left[first] = False
    others = np.flatnonzero(is_left)
    return chosen[np.concatenate([first, others])], np.concatenate([errors, _measured(part.elements(others))])


def _measured(batch: Batch) -> F64:
    """Return the largest |error| that counts of each call, by the reference; for ints by the batch."""
    sizes = measured(batch)
    for k, (due, actual) in enumerate(zip(batch.exact, batch.results, strict=True)):
        if isinstance(due, np.ndarray):
            sizes = np.where(are_counted(batch, k), np.fmax(sizes, errors_of_integers(due, actual)), sizes)
    return sizes


def fewer_leaders(batch: Batch, chosen: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return which of ``chosen`` may have the first of the largest errors, by finer enclosures if many may."""
    if len(chosen) <= MANY:
        return chosen
    part = batch.elements(chosen)
    least, most = _finer(part, *largest_errors(part))
    return chosen[largest(least, most, 0.0)]


def _finer(batch: Batch, least: F64, most: F64) -> tuple[F64, F64]:
    """Return closer bounds on the errors of calls if there are finer enclosures than the batch has."""
    finer = [one for one in phases.enclose_finely(batch.name, batch.args, batch.form) if isinstance(one, Bounds)]
    if len(finer) != len(batch.exact):
        return least, most
    is_unsure = np.zeros(len(least), np.bool_)
    for one in finer:
        is_unsure |= (np.abs(one.value.lo) <= one.value.err) & (one.value.err > 0.0)
    low, high = largest_errors(replace(batch, exact=tuple(finer)))
    return np.where(is_unsure, least, low), np.where(is_unsure, most, high)


@np.errstate(all="ignore")
def _apart(batch: Batch) -> tuple[NDArray[np.uint64], Bools]:
    """Return the distance of each call's results from the correctly rounded ones, and whether it counts."""
    count = len(batch.values[0])
    apart, counted = np.zeros(count, np.uint64), np.zeros(count, np.bool_)
    for block in blocks(batch):
        part = _correctly_rounded(batch.elements(block))
        for k, (due, r) in enumerate(zip(part.due, part.results, strict=True)):
            here = are_counted(part, k)
            counted[block] |= here
            differs = np.flatnonzero(here & (r != due))
            places = block.start + differs
            apart[places] = np.maximum(apart[places], steps(r[differs], due[differs], part.form))
    return apart, counted


def _correctly_rounded(batch: Batch) -> Batch:
    """Return the calls with correctly rounded results, by the reference if enclosures do not decide."""
    due = list(batch.due)
    for k, one in enumerate(batch.exact):
        unsure = np.flatnonzero(is_close(one.value, batch.form)) if isinstance(one, Bounds) else np.empty(0, np.intp)
        if unsure.size:
            part = batch.elements(unsure)
            due[k] = due[k].copy()
            due[k][unsure] = Batch.of(part.item, part.values, part.results, part.criteria).due[k]
    return replace(batch, due=tuple(due))


def measured(call: Call) -> F64:
    """Return the largest |error| that counts of each call's results, by the reference; ints are left out."""
    largest = np.zeros(len(call.values[0]))
    if largest.size:
        batch = Batch.of(call.item, call.values, call.results, call.criteria)
        for k in filter(batch.is_real, range(len(batch.exact))):
            largest = np.where(are_counted(batch, k), np.fmax(largest, np.abs(batch.errors(k))), largest)
    return largest
