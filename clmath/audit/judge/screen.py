"""Calls that enclosures of kernels judge, and calls that the reference must look at."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath import ladder
from clmath.audit.acceptance.on_host import accepted, are_counted
from clmath.audit.judge.bounds import (
    error_bounds,
    errors,
    is_close,
    is_itself,
    is_rounded,
    is_well_finite,
    rounded_result,
)
from clmath.audit.law.law import requirement
from clmath.audit.plan.exact_item import ExactItem
from clmath.ladder import Bounds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.law.batch import Call
    from clmath.audit.law.law import Law
    from clmath.audit.plan.item import Item

__all__ = ["Exact", "Screened", "is_screened", "lanes_of", "largest", "rounded_results", "screened"]

Bools: TypeAlias = "NDArray[np.bool_]"
F64: TypeAlias = "NDArray[np.float64]"
Exact: TypeAlias = "Bounds | NDArray[np.int32]"

ROUNDED = 0.5 + 2.0**-10  # ulp: more than the error of any result that is correctly rounded to nearest
BLOCK = 1 << 13  # calls looked at a time, so that temporaries stay in cache


@dataclass(frozen=True)
class Screened:
    """What enclosures tell about the calls ``lanes``; all other calls conform, with errors below the floor.

    ``doubtful``: it is not certain that the call conforms. The others conform by all laws; the largest of their errors
    that count lies within ``least`` .. ``most`` ulp, -1 where none counts. ``unjudged``: for each law, which calls are
    left open by the specification; true for calls that are not doubtful, and for others where that ``is_known``.
    ``exact``: enclosures for all calls; for ints see ``worst.with_told``.
    """

    lanes: NDArray[np.intp]
    doubtful: Bools
    is_known: Bools
    unjudged: tuple[Bools, ...]
    least: F64
    most: F64
    exact: tuple[Exact, ...]

    @property
    def in_doubt(self) -> NDArray[np.intp]:
        """The calls that the reference must judge, unless ``certain_failures`` does."""
        lanes: NDArray[np.intp] = self.lanes[self.doubtful]
        return lanes

    @property
    def may_be_told(self) -> NDArray[np.intp]:
        """Those of them for which it is known whether they are left open."""
        lanes: NDArray[np.intp] = self.lanes[self.doubtful & self.is_known]
        return lanes

    def leaders(self, floor: float, is_open: Bools | None = None) -> NDArray[np.intp]:
        """The calls, not in doubt, that may have the first of the largest errors, if it is at least ``floor``.

        ``is_open``: for all calls, whether the reference judges them anyway; those ``in_doubt`` if it is None.
        """
        apart = self.doubtful if is_open is None else is_open[self.lanes]
        least, most = np.where(apart, -1.0, self.least), np.where(apart, -1.0, self.most)
        return self.lanes[largest(least, most, max(floor, 0.0))]


def largest(least: F64, most: F64, floor: float) -> Bools:
    """Where the first of the largest errors may be, by bounds on all errors; only if it is at least ``floor``."""
    if not most.size or most.max() < 0.0:
        return np.zeros(most.shape, np.bool_)
    first = int(np.argmax(least))
    beside = (most == least[first]) & (np.arange(len(most)) <= first)
    return np.asarray(((most > least[first]) | beside) & (most >= floor))


@functools.singledispatch
def is_screened(item: Item, law: Law) -> bool:
    """Return whether enclosures can judge the row: kernels have some, and no oracle was named."""
    return law.oracle == "auto" and not item.width and ladder.is_enclosed(item.builtin.name, item.form)


@is_screened.register(ExactItem)
def _(item: ExactItem, law: Law) -> bool:  # noqa: ARG001 - the signature of all rows
    return True


def screened(
    call: Call, floor: float | None = None, exact: Sequence[Exact] | None = None, others: Sequence[Law] = ()
) -> Screened:
    """Look at the calls block by block, with enclosures ``exact`` for all of them, which are computed if not given.

    ``floor``: errors below it need not be looked for, nor those that are 0 after the first one; if it is None, every
    call is looked at. ``others``: laws by which the calls are judged, too.
    """
    exact = whole = ladder.enclose(call.name, call.args, call.form) if exact is None else tuple(exact)
    laws = (call.law, *others)
    lanes = np.flatnonzero(~_plain(call, laws, exact, floor))
    if len(lanes) < len(call.values[0]):
        call, exact = call.lanes(lanes), tuple(lanes_of(e, lanes) for e in exact)
    parts = [_block(call, laws, exact, slice(i, i + BLOCK)) for i in range(0, max(len(lanes), 1), BLOCK)]
    doubtful, known, least, most, *unjudged = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Screened(lanes, doubtful, known, tuple(unjudged), least, most, whole)


def _plain(call: Call, laws: Sequence[Law], exact: Sequence[Exact], floor: float | None) -> Bools:
    """The calls that need no closer look, found by a few operations: errors below ``floor`` and the limits.

    If no error is known yet, those whose error is 0; but not the first one, which may be the worst of a row without
    errors. There are none if the edition has edges of its own, by which an exact result may be wrong.
    """
    lanes, allowed = len(call.values[0]), [law.limit(call.item).least for law in laws]
    overflows = call.law.mode != "rte" and any(law.waives("overflow", call.item) for law in laws)
    least = min((-1.0 if one is None else one for one in allowed), default=-1.0)
    usual = all(law.has_usual_edges(call.item) for law in laws)
    if floor is None or call.law.mode == "rtn" or overflows or least < 0.0 or not usual:
        return np.zeros(lanes, np.bool_)
    plain, of_numbers = np.ones(lanes, np.bool_), any(law.waives("not finite", call.item) for law in laws)
    for start in range(0, lanes, BLOCK):
        block = slice(start, start + BLOCK)
        for e, r in ((lanes_of(e, block), r[block]) for e, r in zip(exact, call.results, strict=True)):
            plain[block] &= _is_plain(e, r, call, floor, least)
            if of_numbers and isinstance(e, Bounds):
                plain[block] &= is_well_finite(e, call.form)
    for x in call.args if of_numbers else ():
        plain &= np.isfinite(x)
    if floor <= 0.0 and lanes:
        plain[np.argmax(plain)] = False
    return plain


@np.errstate(all="ignore")
def _is_plain(exact: Exact, actual: np.ndarray, call: Call, floor: float, least: float) -> Bools:
    """Whether a result is correctly rounded, or off by less than ``least`` and ``floor`` ulp where no edge may hold.

    If the floor is smaller than rounding errors, whether the result is the exact value.
    """
    form, mode = call.form, call.law.mode
    if not isinstance(exact, Bounds):
        return np.asarray(actual == exact)
    if floor < (ROUNDED if mode == "rte" else 2.0 * ROUNDED):
        return is_itself(exact, actual, form)
    plain = is_rounded(exact, actual, form, mode)
    if mode != "rte":  # by directed modes, a result that overflows may be the largest number, with a large error
        plain &= np.abs(actual) < form.largest
    others = np.flatnonzero(~plain)
    if others.size:
        found = errors(exact.lanes(others), actual[others], form)
        plain[others] = found.is_near & (found.most < min(floor, least))
    return plain


@np.errstate(all="ignore")
def _block(call: Call, laws: Sequence[Law], exact: Sequence[Exact], block: slice) -> tuple[Bools, ...]:
    """Return for the calls of one block: in doubt; known whether open; bounds on the error; for each law, open."""
    part, cuts = call.lanes(block), [lanes_of(e, block) for e in exact]
    due, is_known = rounded_results(part, cuts)
    conforms, opens = is_known.copy(), []
    for law in laws:
        found = accepted(part.under(law), cuts, due, requirement(part.item, law, flushing=False))
        conforms &= np.logical_and.reduce([one.surely for one in found])
        opens.append(np.logical_and.reduce([one.unspecified for one in found]))
    return ~conforms, is_known, *_largest_error(part, cuts, due), *opens


def _largest_error(call: Call, exact: Sequence[Exact], due: Sequence[np.ndarray]) -> tuple[F64, F64]:
    """Return bounds on the largest error that counts of each call, -1 where none does; ints that conform have none."""
    least, most = np.full((2, len(call.values[0])), -1.0)
    for k, (one, result) in enumerate(zip(exact, call.results, strict=True)):
        low, high, is_finite = np.zeros(len(result)), np.zeros(len(result)), np.ones(len(result), np.bool_)
        if isinstance(one, Bounds):
            is_finite, (low, high) = np.isfinite(one.value.hi), error_bounds(one, result, call.form)
        here = are_counted(call, k, due, is_finite)
        least, most = np.where(here, np.fmax(least, low), least), np.where(here, np.fmax(most, high), most)
    return least, most


def rounded_results(call: Call, exact: Sequence[Exact]) -> tuple[list[np.ndarray], Bools]:
    """Return the middles of enclosures rounded, ints unchanged, and where it is known how all values are rounded."""
    due, is_known = list[np.ndarray](), np.ones(len(call.values[0]), np.bool_)
    for one, result in zip(exact, call.results, strict=True):
        if not isinstance(one, Bounds):
            due.append(one)
            continue
        is_known &= ~is_close(one.value, call.form)
        if call.law.mode == "rtn":  # the sign of a zero sum
            is_known &= one.value.hi != 0.0
        due.append(rounded_result(one, result, call.form, call.law.mode))
    return due, is_known


def lanes_of(exact: Exact, index: Any) -> Exact:
    """The enclosures, or ints, of the calls that ``index`` picks."""
    return exact.lanes(index) if isinstance(exact, Bounds) else np.asarray(exact[index])
