"""Judges one piece of a row: what enclosures decide, and the reference where they do not."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.audit import compiled
from clmath.audit.batch import Batch, Call
from clmath.audit.exact import judge as exact_judge
from clmath.audit.exact import law as exact_law
from clmath.audit.exact.rows import ExactItem
from clmath.audit.findings import Findings, findings
from clmath.audit.law import Law
from clmath.audit.screen import Screened, is_screened, screened, spread_of
from clmath.audit.subject import has_infinities, mode_in
from clmath.audit.tally import Example, Otherwise, Tally
from clmath.audit.vectors import with_vectors
from clmath.ladder import Bounds, has_kernel
from clmath.numbers import guard
from clmath.spec.edges import edges

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from clmath.audit.inputs import Columns
    from clmath.audit.plan import Item, Plan
    from clmath.audit.spread import Stretches
    from clmath.audit.subject import Subject

__all__ = ["judge", "law_of", "worst_failures"]

Bools: TypeAlias = "NDArray[np.bool_]"

AT_ONCE = 1 << 15  # calls the reference is asked about together: memory stays bounded where many are in doubt


@functools.singledispatch
def law_of(item: Item, plan: Plan, subject: Subject) -> Law:
    """The law for one row of one subject."""
    form = item.form
    mode = mode_in(subject, item.builtin, form)
    declared = (mode, subject.flushes(form), plan.oracle, subject.build_options(), plan.edition)
    return Law(plan.profile, *declared, infinities=has_infinities(subject, form))


@functools.singledispatch
def judge(  # noqa: PLR0917 - the facts of one piece, in the order they come about
    item: Item,
    values: Columns,
    results: tuple[NDArray[Any], ...],
    law: Law,
    places: int | NDArray[Any] = 0,
    floor: float = 0.0,
    known: Stretches = (),
) -> Tally:
    """The tally of one piece of a row: inputs ``values`` (columns) and the subject's ``results``, checked before.

    ``places``: where the inputs stand in the row, ascending; or where the first does, the others following it.
    Of vectors the first one's is asked for, and the examples name the others of their vector. ``floor``: an error in
    ulp that the row has elsewhere; smaller ones are not looked for. ``known``: such errors by argument and stretch.
    What enclosures cannot decide, and whatever is shown, the reference tells, but for zeros of a function, which
    kernels find: the row's tally is the same without them.
    The counts by other editions of the specification are those of the same inputs.
    """
    guard.refuse_altered_arithmetic("clmath audit")  # a driver's library may have set the flags of this thread
    standing = places + np.arange(len(values[0])) if isinstance(places, int) else places
    found = _tally(Call.on(item, values, results, law), standing, floor, known)
    return found if item.vector == 1 else with_vectors(item, found, values, int(standing[0]))


def _tally(call: Call, standing: NDArray[Any], floor: float, known: Stretches) -> Tally:
    """The tally of calls that stand in the row at ``standing``."""
    if not is_screened(call.item, call.law):
        return _judged(call, standing)
    if not compiled.serves(call):
        return _decided(call, standing, floor, known)
    counted, rest = compiled.screened(call, floor, known)
    return counted + _decided(call.lanes(rest), standing[rest], floor, known)


def _decided(call: Call, standing: NDArray[Any], floor: float, known: Stretches) -> Tally:
    """The tally of calls most of which enclosures decide."""
    item, law = call.item, call.law
    found = _screened(call, floor)
    others = {other.edition: _screened(call.under(other), np.inf) for other in law.others(item)}
    doubtful = functools.reduce(np.union1d, [other.in_doubt for other in others.values()], found.in_doubt)
    counts = tuple(Otherwise(edition, _left_open(other, doubtful), 0) for edition, other in others.items())
    tally = Tally(tried=len(standing) - len(doubtful), unjudged=_left_open(found, doubtful), others=counts)
    tally += _judged(call, standing, doubtful, _zeros(call, found))
    leaders = found.leaders(max(abs(tally.worst.error) if tally.worst else 0.0, floor))
    tally += Tally(worst=_judged(call, standing, leaders).worst)
    return tally + Tally(spread=spread_of(call, found.exact, doubtful, known))


def _screened(call: Call, floor: float) -> Screened:
    """What enclosures say. The floor takes exact values for right, as the edges of the default edition have them."""
    as_exact = call.law.edges(call.item) == edges(call.name)
    return screened(call, floor if as_exact else 0.0)


def _left_open(found: Screened, doubtful: NDArray[np.intp]) -> int:
    """How many of the calls that are not ``doubtful`` have results that the specification leaves open."""
    return int((found.unjudged & ~np.isin(found.lanes, doubtful)).sum())


def worst_failures(
    item: Item, values: Columns, results: tuple[NDArray[Any], ...], law: Law, count: int
) -> tuple[Example, ...]:
    """The ``count`` inputs that fail by most ulps, the worst first; each with its worst result and its reason."""
    call = Call.on(item, values, results, law)
    standing = np.arange(len(values[0]))
    chosen = _screened(call, 0.0).in_doubt if is_screened(item, law) else standing
    kept: list[Example] = []
    for found in _findings(call, standing, chosen):
        kept = sorted([*kept, *found.worst_failures(count)], key=lambda e: (-abs(e.error), e.place))[:count]
    return tuple(kept)


def _zeros(call: Call, found: Screened) -> NDArray[np.float64] | None:
    """The zeros of the function that kernels have found, NaN for all else: half of a device's may have the wrong sign.

    None where there are several results, or where the sign of a zero depends on the mode.
    """
    if len(found.exact) > 1 or call.law.mode == "rtn" or not has_kernel(call.name, call.form):
        return None
    (exact,) = found.exact
    if not isinstance(exact, Bounds):
        return None
    hi, lo, err, _ = exact.value
    return np.where((hi == 0.0) & (lo == 0.0) & (err == 0.0), hi, np.nan)


def _judged(
    call: Call, places: NDArray[Any], chosen: NDArray[np.intp] | None = None, zeros: NDArray[np.float64] | None = None
) -> Tally:
    """The tally of the calls ``chosen`` (default: all) by the reference, but for ``zeros`` that are known."""
    lanes = np.arange(len(places)) if chosen is None else chosen
    found = _findings(call, places, lanes, zeros)
    return sum((one.tally() + Tally(others=one.otherwise()) for one in found), Tally())


def _findings(
    call: Call, places: NDArray[Any], lanes: NDArray[np.intp], zeros: NDArray[np.float64] | None = None
) -> Iterator[Findings]:
    """What the reference finds of the calls ``lanes``, a part at a time; ``zeros`` are known."""
    for part in (lanes[i : i + AT_ONCE] for i in range(0, len(lanes), AT_ONCE)):
        chosen, known = call.lanes(part), None if zeros is None else zeros[part]
        yield findings(Batch.of(chosen.item, chosen.values, chosen.results, chosen.law, known), places[part])


law_of.register(ExactItem, exact_law.law_of)
judge.register(ExactItem, exact_judge.judge)
