"""Calls that enclosures of kernels judge, and calls that the reference must look at."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath import ladder
from clmath.audit.acceptance.findings import judged
from clmath.audit.judge.bounds import errors, is_itself, is_rounded, is_well_finite, largest_errors
from clmath.audit.plan.exact_item import ExactItem
from clmath.ladder import Bounds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.acceptance.batch import Batch, Exact
    from clmath.audit.law.batch import Call
    from clmath.audit.law.law import Law
    from clmath.audit.plan.item import Item

__all__ = ["Screened", "is_screened", "largest", "screened"]

Bools: TypeAlias = "NDArray[np.bool_]"
Codes: TypeAlias = "NDArray[np.int16]"
F64: TypeAlias = "NDArray[np.float64]"

ROUNDED = 0.5 + 2.0**-10  # ulp: more than the error of any result that is correctly rounded to nearest
BLOCK = 1 << 13  # calls looked at a time, so that temporaries stay in cache


@dataclass(frozen=True)
class Screened:
    """Facts from enclosures about the calls ``lanes``; all other calls conform, with errors below the floor.

    ``is_known``: whether enclosures decide the call, by all editions. Of such calls: ``codes``, by edition, the numbers
    of the reasons of failures by (calls, results); ``unjudged``, by edition, whether nothing is required; the largest
    of the errors that count, within ``least`` .. ``most`` ulp, -1 where none counts. ``batch``: all calls; exact values
    of ints are those returned, where they conform.
    """

    lanes: NDArray[np.intp]
    is_known: Bools
    codes: tuple[Codes, ...]
    unjudged: tuple[Bools, ...]
    least: F64
    most: F64
    batch: Batch

    @property
    def in_doubt(self) -> NDArray[np.intp]:
        """The calls that the reference must judge."""
        lanes: NDArray[np.intp] = self.lanes[~self.is_known]
        return lanes

    @property
    def refused(self) -> Bools:
        """Which of ``lanes`` fail for certain."""
        return np.asarray(self.is_known & self.codes[0].any(axis=-1))

    def leaders(self, floor: float) -> NDArray[np.intp]:
        """The calls, not in doubt, that may have the first of the largest errors, if it is at least ``floor``."""
        least, most = np.where(self.is_known, self.least, -1.0), np.where(self.is_known, self.most, -1.0)
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
    return law.oracle == "auto" and not item.width and ladder.is_enclosed(item.builtin.called, item.form)


@is_screened.register(ExactItem)
def _(item: ExactItem, law: Law) -> bool:  # noqa: ARG001 - the signature of all rows
    return True


def screened(batch: Batch, floor: float | None = None, others: Sequence[Law] = ()) -> Screened:
    """Look at calls, whose exact values are those of kernels, block by block.

    ``floor``: errors below it need not be looked for, nor those that are 0 after the first one; if it is None, every
    call is looked at. ``others``: laws by which the calls are judged, too.
    """
    laws = (batch.law, *others)
    lanes = np.flatnonzero(~_plain(batch, laws, floor))
    part = batch.lanes(lanes) if len(lanes) < len(batch.values[0]) else batch
    blocks = [_block(part.lanes(slice(i, i + BLOCK)), laws) for i in range(0, max(len(lanes), 1), BLOCK)]
    is_known, least, most, *verdicts = (np.concatenate(column) for column in zip(*blocks, strict=True))
    codes, unjudged = tuple(verdicts[::2]), tuple(verdicts[1::2])
    numbers = np.zeros((len(batch.values[0]), len(batch.results)), np.int16)
    numbers[lanes] = codes[0]
    return Screened(lanes, is_known, codes, unjudged, least, most, _settled(batch, numbers))


def _settled(batch: Batch, codes: Codes) -> Batch:
    """Return calls with the ints that are returned in the place of exact ones, where they conform."""
    triples = zip(batch.exact, batch.results, codes.T, strict=True)
    exact = (np.where(wrong != 0, e, r) if isinstance(e, np.ndarray) else e for e, r, wrong in triples)
    return replace(batch, exact=tuple(exact))


def _plain(batch: Batch, laws: Sequence[Law], floor: float | None) -> Bools:
    """The calls that need no closer look, found by a few operations: errors below ``floor`` and the limits.

    If no error is known yet, those whose error is 0; but not the first one, which may be the worst of a row without
    errors. There are none if the edition has edges of its own, by which an exact result may be wrong.
    """
    lanes, allowed = len(batch.values[0]), [law.limit(batch.item).least for law in laws]
    overflows = batch.law.mode != "rte" and any(law.waives("overflow", batch.item) for law in laws)
    least = min((-1.0 if one is None else one for one in allowed), default=-1.0)
    usual = all(law.has_usual_edges(batch.item) for law in laws)
    if floor is None or batch.law.mode == "rtn" or overflows or least < 0.0 or not usual:
        return np.zeros(lanes, np.bool_)
    plain, of_numbers = np.ones(lanes, np.bool_), any(law.waives("not finite", batch.item) for law in laws)
    for start in range(0, lanes, BLOCK):
        block = slice(start, start + BLOCK)
        part = batch.lanes(block)
        for e, r in zip(part.exact, part.results, strict=True):
            plain[block] &= _is_plain(e, r, batch, floor, least)
            if of_numbers and isinstance(e, Bounds):
                plain[block] &= is_well_finite(e, batch.form)
    for x in batch.args if of_numbers else ():
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
def _block(batch: Batch, laws: Sequence[Law]) -> tuple[np.ndarray, ...]:
    """Return for the calls of one block: known; bounds on the error; numbers of reasons, and open, by each edition."""
    batch = batch.rounded()
    is_known, verdicts = batch.are_told(), list[np.ndarray]()
    for law in laws:
        found = judged(batch.under(law))
        is_known &= found.is_known
        verdicts += [found.numbers, np.asarray(found.unspecified.all(axis=-1))]
    return is_known, *largest_errors(_settled(batch, verdicts[0])), *verdicts
