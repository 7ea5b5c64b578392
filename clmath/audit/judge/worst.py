"""Which of the calls that certainly conform or fail have the largest errors: by bounds on these, then the reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath import phases
from clmath.audit.acceptance.on_host import are_counted
from clmath.audit.judge.bounds import (
    are_measured,
    errors_of_integers,
    is_close,
    lanes_of,
    largest_errors,
    rounded_result,
    rounded_value,
)
from clmath.audit.judge.screen import BLOCK, largest
from clmath.audit.law.deviation import Deviations, foremost, joined, leaders, steps, worst_by_stretch
from clmath.audit.law.measure import truths
from clmath.numbers.rounding import Enclosure
from clmath.phases import Bounds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.counting.spread import Spread, Stretches
    from clmath.audit.judge.screen import Exact
    from clmath.audit.law.batch import Call

__all__ = ["fewer_leaders", "measured", "spread_of"]

Bools: TypeAlias = "NDArray[np.bool_]"
F64: TypeAlias = "NDArray[np.float64]"

MANY = 64  # if more calls may have the largest error, finer enclosures choose among them


def _sizes_of_integers(call: Call, exact: Sequence[Exact], rounded: Sequence[np.ndarray]) -> F64:
    """The largest error of those ints of each call that count, 0 where they are right; -1 where none counts."""
    sizes = np.full(len(call.values[0]), -1.0)
    for k, (due, actual) in enumerate(zip(exact, call.results, strict=True)):
        if not isinstance(due, Bounds):
            size = errors_of_integers(due, actual)
            sizes = np.where(are_measured(call, due, k, rounded), np.fmax(sizes, size), sizes)
    return sizes


@np.errstate(all="ignore")
def _rounded(call: Call, exact: Sequence[Exact]) -> list[np.ndarray]:
    """The correctly rounded results; next to a midpoint possibly a neighbour."""
    return [rounded_value(e.value, call.form, call.law.mode) if isinstance(e, Bounds) else e for e in exact]


def spread_of(call: Call, exact: Sequence[Exact], doubtful: NDArray[np.intp], known: Stretches = ()) -> Spread:
    """The spread of the calls that are not ``doubtful``; the reference measures the worst of every stretch.

    ``known``: errors by stretch; smaller ones are not looked for.
    """
    apart, counted = _apart(call, exact)
    counted[doubtful] = False
    found = Deviations(call.item, call.values, apart, counted)
    wrong = found.wrong
    chosen, errors = _leading(call.lanes(wrong), [lanes_of(e, wrong) for e in exact], known)
    return found.spread(wrong[chosen], errors)


def _leading(call: Call, exact: Sequence[Exact], known: Stretches) -> tuple[NDArray[np.intp], F64]:
    """Calls that include the worst of every stretch, as exactly as reports show errors; their errors by the reference.

    If many calls may be the worst, finer enclosures choose among them. One of each stretch is measured before the
    others: where many have the same error, no other one needs to be.
    """
    least, most = _bounds_on_errors(call, exact)
    chosen = np.flatnonzero(leaders(call.item, call.values, least, most, known))
    if len(chosen) <= MANY:
        return chosen, _measured(call, exact, chosen)
    part, found = call.lanes(chosen), [lanes_of(e, chosen) for e in exact]
    least, most = _finer(part, found, least[chosen], most[chosen])
    first = np.flatnonzero(leaders(part.item, part.values, least, most, known))
    first = first[foremost(part.item, tuple(v[first] for v in part.values), most[first])]
    errors = _measured(part, found, first)
    told = joined(known, worst_by_stretch(call.item, tuple(v[first] for v in part.values), errors))
    is_left = leaders(part.item, part.values, least, most, told)
    is_left[first] = False
    others = np.flatnonzero(is_left)
    return chosen[np.concatenate([first, others])], np.concatenate([errors, _measured(part, found, others)])


def _measured(call: Call, exact: Sequence[Exact], lanes: NDArray[np.intp]) -> F64:
    """The largest |error| that counts of each of ``lanes``, by the reference; that of ints from ``exact``."""
    part, dues = call.lanes(lanes), [lanes_of(e, lanes) for e in exact]
    return np.fmax(measured(part), _sizes_of_integers(part, dues, _rounded(part, dues)))


def fewer_leaders(call: Call, exact: Sequence[Exact], lanes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Of many ``lanes`` that may have the first of the largest errors, those that may have it by finer enclosures."""
    if len(lanes) <= MANY:
        return lanes
    part, found = call.lanes(lanes), [lanes_of(e, lanes) for e in exact]
    least, most = _finer(part, found, *_bounds_on_errors(part, found))
    return lanes[largest(least, most, 0.0)]


def _finer(call: Call, exact: Sequence[Exact], least: F64, most: F64) -> tuple[F64, F64]:
    """Closer bounds on the errors of calls, where there are finer enclosures than ``exact``."""
    finer = phases.enclose_finely(call.name, call.args, call.form)
    if len(finer) != len(exact):
        return least, most
    is_unsure = np.zeros(len(least), np.bool_)
    for one in finer:
        is_unsure |= (np.abs(one.value.lo) <= one.value.err) & (one.value.err > 0.0)
    low, high = _bounds_on_errors(call, exact, finer)
    return np.where(is_unsure, least, low), np.where(is_unsure, most, high)


@np.errstate(all="ignore")
def _apart(call: Call, exact: Sequence[Exact]) -> tuple[NDArray[np.uint64], Bools]:
    """The distance of each call's results from the correctly rounded ones, and whether it counts."""
    lanes = len(call.values[0])
    apart, counted = np.zeros(lanes, np.uint64), np.zeros(lanes, np.bool_)
    for start in range(0, lanes, BLOCK):
        block = slice(start, start + BLOCK)
        part = call.lanes(block)
        cuts = [lanes_of(e, block) for e in exact]
        rounded = [_correctly_rounded(part, e, k) if isinstance(e, Bounds) else e for k, e in enumerate(cuts)]
        for k, (due, r) in enumerate(zip(rounded, part.results, strict=True)):
            here = are_measured(part, cuts[k], k, rounded)
            counted[block] |= here
            differs = np.flatnonzero(here & (r != due))
            apart[start + differs] = np.maximum(apart[start + differs], steps(r[differs], due[differs], call.form))
    return apart, counted


def _correctly_rounded(call: Call, exact: Bounds, k: int) -> np.ndarray:
    """Result ``k`` correctly rounded, by the reference where the enclosure does not tell."""
    form, mode = call.form, call.law.mode
    rounded = rounded_result(exact, call.results[k], form, mode)
    unsure = np.flatnonzero(is_close(exact.value, form))
    if unsure.size:
        values = tuple(v[unsure] for v in call.values)
        rounded[unsure] = truths(call.item, values, mode, call.law.oracle)[k].rounded
    return rounded


def _bounds_on_errors(call: Call, exact: Sequence[Exact], finer: Sequence[Bounds] = ()) -> tuple[F64, F64]:
    """Bounds on the largest error that counts of each call, -1 where none does; by ``finer`` enclosures if given."""
    lanes = len(call.values[0])
    least, most = np.empty(lanes), np.empty(lanes)
    for start in range(0, lanes, BLOCK):
        block = slice(start, start + BLOCK)
        cut, closer = [lanes_of(e, block) for e in exact], [one.lanes(block) for one in finer]
        part = call.lanes(block)
        least[block], most[block] = largest_errors(part, cut, _rounded(part, cut), closer)
    return least, most


def measured(call: Call) -> F64:
    """The largest |error| that counts of each call's results, by the reference; ints are left out."""
    largest = np.zeros(len(call.values[0]))
    found = truths(call.item, call.values, call.law.mode, call.law.oracle) if largest.size else ()
    for k, truth in enumerate(found):
        if isinstance(truth.exact, Enclosure):
            here = are_counted(call, k, [one.rounded for one in found], np.isfinite(truth.exact.hi))
            largest = np.where(here, np.fmax(largest, np.abs(truth.errors(call.results[k]))), largest)
    return largest
