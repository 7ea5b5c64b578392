"""Which calls enclosures alone can judge, by the law in lanes, and which the reference must look at."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from clmath import ladder
from clmath.audit.judge.bounds import (
    codes_of,
    errors,
    is_close,
    is_itself,
    is_rounded,
    is_well_finite,
    parts_of,
    rounded_result,
)
from clmath.audit.lanes.lane_limits import is_known_limit, may_be_concerned
from clmath.audit.lanes.lane_measure import OneLaw, Terms, examined, furthest, measured_integer
from clmath.audit.plan.exact_item import ExactItem
from clmath.ladder import Bounds
from clmath.numbers.lane_rounding import MODE_NUMBERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.law.batch import Call
    from clmath.audit.law.law import Law
    from clmath.audit.plan.item import Item
    from clmath.spec.limits import Limit

__all__ = ["Exact", "Screened", "is_screened", "lanes_of", "largest", "screened"]

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
    """Whether lane arithmetic can judge the row: it knows the limits, and no oracle was named."""
    if law.oracle != "auto" or item.width or not ladder.is_enclosed(item.builtin.name, item.form):
        return False
    return all(_is_known(one.limit(item), item) for one in (law, *law.others(item)))


def _is_known(limit: Limit, item: Item) -> bool:
    """Whether lane arithmetic knows what a limit requires."""
    leaves_ints_open = "intn" in item.results and any(rule.integers_open for rule, _ in limit.clauses)
    return is_known_limit(limit, item.form) and not leaves_ints_open


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
    """For the calls of one block: (in doubt; known whether open; bounds on the error; for each law, open)."""
    part = _Part.of(call.lanes(block), laws)
    plain, count, infinite = ~part.is_edged_otherwise(), len(part.brought), part.never
    known, least, most = ~part.never, np.full(count, -1.0), np.full(count, -1.0)
    opens = [~part.never for _ in laws]
    for e, actual in zip((lanes_of(e, block) for e in exact), part.call.results, strict=True):
        if isinstance(e, Bounds):
            due = rounded_result(e, actual, call.form, call.law.mode)
            found, infinite = part.number(e, actual, due), infinite | ~np.isfinite(due)
        else:
            found = part.integer(e, actual, infinite)
        plain, known = plain & found.plain, known & found.known
        least = np.where(found.counts, np.fmax(least, found.least), least)
        most = np.where(found.counts, np.fmax(most, found.most), most)
        opens = [before & more for before, more in zip(opens, found.opens, strict=True)]
    return ~plain, known, least, most, *opens


class _Said(NamedTuple):
    """What lane arithmetic tells about one result, as in ``Screened``; ``counts``: whether its error counts."""

    plain: Bools
    known: Bools
    counts: Bools
    least: F64
    most: F64
    opens: Sequence[Bools]


@dataclass(frozen=True)
class _Part:
    """Some calls in the form that lane arithmetic takes; ``brought``: which have a signaling NaN as an argument."""

    call: Call
    laws: Sequence[Law]
    asked: tuple[OneLaw, ...]
    args: list[F64]
    brought: Bools

    @classmethod
    def of(cls, call: Call, laws: Sequence[Law]) -> _Part:
        """The calls of ``call``, to be judged by all of ``laws``."""
        args = [a.astype(np.float64) for a in call.args]
        return cls(call, laws, tuple(OneLaw.of(law, call.item) for law in laws), args, _are_signaling(call))

    @property
    def never(self) -> Bools:
        """False of every call."""
        return np.zeros(len(self.brought), np.bool_)

    def is_edged_otherwise(self) -> Bools:
        """Where an edge of its own edition may prescribe a result."""
        found = self.never
        for law, one in zip(self.laws, self.asked, strict=True):
            if not law.has_usual_edges(self.call.item):
                found |= may_be_concerned(self.args, one.edges, self.call.form)
        return found

    def _terms(self, off: float) -> Terms:
        mode = self.call.law.mode
        rounded = 0.5 if mode == "rte" else 1.0
        return Terms(self.call.form, self.asked, off, rounded, MODE_NUMBERS[mode], on_host=True)

    def number(self, exact: Bounds, actual: np.ndarray, due: np.ndarray) -> _Said:
        """What lane arithmetic tells about a result that is a number of the format."""
        form, terms, value = self.call.form, self._terms(exact.off), exact.value
        codes = (codes_of(due, form), codes_of(actual, form))
        given = (*self.args, *parts_of(value, form), *codes, self.brought, terms)
        found = examined(actual.astype(np.float64, copy=False), *given)
        plain, near = found.plain & ~is_close(value, form), found.rulings[0].near
        if self.call.law.mode == "rtn":  # the sign of a sum that is zero
            plain &= value.hi != 0.0
        known = np.logical_and.reduce([one.is_known for one in found.rulings])
        known &= ~(self.brought & np.isnan(actual))  # that NaN is waived where a number is due
        least, most = np.where(near, found.seen.error.least, 0.0), np.where(near, furthest(found.seen, terms), 0.0)
        return _Said(plain, known, found.counts, least, most, [one.is_open for one in found.rulings])

    def integer(self, exact: np.ndarray, actual: np.ndarray, infinite: Bools) -> _Said:
        """What lane arithmetic tells about an int; ``infinite``: where another correct result is infinite or NaN."""
        form, right = self.call.form, np.zeros(len(actual))
        given = (*self.args, infinite, codes_of(exact, form), codes_of(actual, form), self._terms(0.0))
        plain, counts, *opens, _, _ = measured_integer(*given)
        return _Said(plain, ~self.never, counts, right, right, opens)


def _are_signaling(call: Call) -> Bools:
    """Whether an argument is a signaling NaN."""
    found = np.zeros(len(call.values[0]), np.bool_)
    for values in call.values:
        if values.dtype == call.form.dtype and np.isnan(values).any():
            found |= call.form.signals(values)
    return found


def lanes_of(exact: Exact, index: Any) -> Exact:
    """The enclosures, or ints, of the calls that ``index`` picks."""
    return exact.lanes(index) if isinstance(exact, Bounds) else np.asarray(exact[index])
