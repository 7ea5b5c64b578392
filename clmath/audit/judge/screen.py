"""Calls that enclosures of kernels judge, and calls that the reference must judge; the largest errors of both."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from clmath import phases
from clmath.audit.acceptance.batch import Batch, Call, are_counted, binade_of, codes_of, has_bits, is_close
from clmath.audit.acceptance.criteria import Criteria
from clmath.audit.acceptance.findings import judged
from clmath.audit.acceptance.values import Error, errors_of, in_one_double
from clmath.audit.counting.spread import (
    Deviations,
    Spread,
    Stretches,
    foremost,
    joined,
    leaders,
    steps,
    worst_by_stretch,
)
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.item import Item
from clmath.numbers.formats import DOUBLE, Format
from clmath.phases import Bounds

Bools: TypeAlias = "NDArray[np.bool_]"
F64: TypeAlias = "NDArray[np.float64]"


def parts_of(exact: Bounds, form: Format) -> tuple[Sequence[np.ndarray], float]:
    """Return the parts of an enclosure for ``errors_of``, and the largest error of a value with err = 0, in ulp.

    The parts for narrow formats are one double and its error; values of finer kernels are rounded to odd.
    """
    if not form.is_narrow:
        return exact.value, exact.off
    if exact.widest is DOUBLE:
        return in_one_double(*exact.value), 0.0
    return (exact.value.hi, exact.value.err), exact.off


def errors(exact: Bounds, actual: np.ndarray, form: Format) -> Error:
    """Return bounds on the errors of results, in ulp."""
    parts, off = parts_of(exact, form)
    return errors_of(parts, codes_of(actual, form), actual.astype(np.float64, copy=False), form, off)


def is_itself(exact: Bounds, actual: np.ndarray, form: Format) -> Bools:
    """Return where a result certainly is the exact value, a zero, an infinity or a normal number."""
    value, got = exact.value, actual.astype(np.float64, copy=False)
    is_exact, binade = (value.lo == 0.0) & (value.err == 0.0), binade_of(value)
    normal = (binade > form.emin) & (binade <= form.emax) & np.isfinite(got) & has_bits(got, value) & is_exact
    special = ((value.hi == 0.0) & is_exact) | np.isinf(value.hi)
    return np.asarray(normal | (special & (got.view(np.int64) == value.hi.view(np.int64))))


def blocks(batch: Batch) -> Iterator[slice]:
    """Yield slices of blocks of calls, at least one, so that temporaries stay in cache."""
    yield from (slice(start, start + BLOCK) for start in range(0, max(len(batch.values[0]), 1), BLOCK))


@np.errstate(all="ignore")
def largest_errors(batch: Batch) -> tuple[F64, F64]:
    """Return bounds on the largest error that counts of each call, or -1 if none counts."""
    if len(batch.values[0]) > BLOCK:
        least, most = np.hstack([largest_errors(batch.elements(block)) for block in blocks(batch)])
        return least, most
    least, most = np.full((2, len(batch.values[0])), -1.0)
    for k, (one, result) in enumerate(zip(batch.exact, batch.results, strict=True)):
        if isinstance(one, Bounds):
            low, high = _error_bounds(one, result, batch.form)
        else:
            low = high = errors_of_integers(np.asarray(one), result)
        here = are_counted(batch, k)
        least, most = np.where(here, np.fmax(least, low), least), np.where(here, np.fmax(most, high), most)
    return least, most


def errors_of_integers(exact: np.ndarray, actual: np.ndarray) -> F64:
    """Return the sizes of the errors of ints."""
    return np.asarray(np.abs(actual.astype(np.float64) - exact.astype(np.float64)))


def _error_bounds(exact: Bounds, actual: np.ndarray, form: Format) -> tuple[F64, F64]:
    """Return bounds on the size of the errors in ulp, as ``rounding.ulp_errors`` measures them.

    If a result is, or should be, infinite or NaN, its error is 0 if it is right, else infinite.
    """
    hi, infinite = exact.value.hi, np.isinf(actual)
    found = errors(exact, actual, form)
    # the largest value of an enclosure represents all larger ones, so the error of a finite result is unbounded
    far = (binade_of(exact.value) >= exact.widest.emax + 2) & ~infinite & (hi != 0.0)
    overflows = np.isinf(found.most) & ~infinite
    least, most = np.where(far | overflows, 0.0, found.least), np.where(far, np.inf, found.most)
    same = (actual == hi) | (np.isnan(actual) & np.isnan(hi))
    apart, special = ~np.isfinite(hi) | np.isnan(actual), np.where(same, 0.0, np.inf)
    return np.where(apart, special, least), np.where(apart, special, most)


Codes: TypeAlias = "NDArray[np.int16]"

ROUNDED = 0.5 + 2.0**-10  # ulp: more than the error of any result that is correctly rounded to nearest
BLOCK = 1 << 13  # calls per block, so that temporaries stay in cache


@dataclass(frozen=True)
class Screened:
    """Facts from enclosures about the calls ``chosen``; all other calls conform, with errors below the floor.

    ``is_known``: whether enclosures decide the call, by all editions. The other facts hold for such calls. ``codes``:
    by edition, the numbers of the reasons of failures, an array of (calls, results). ``unjudged``: by edition, whether
    nothing is required. ``least``, ``most``: bounds in ulp on the largest error that counts, or -1 if none counts.
    ``batch``: all calls; the exact values of ints that conform are replaced by the returned ints.
    """

    chosen: NDArray[np.intp]
    is_known: Bools
    codes: tuple[Codes, ...]
    unjudged: tuple[Bools, ...]
    least: F64
    most: F64
    batch: Batch

    @property
    def in_doubt(self) -> NDArray[np.intp]:
        """The calls that the reference must judge."""
        chosen: NDArray[np.intp] = self.chosen[~self.is_known]
        return chosen

    @property
    def refused(self) -> Bools:
        """Mask of the calls ``chosen`` that fail for certain."""
        return np.asarray(self.is_known & self.codes[0].any(axis=-1))

    def leaders(self, floor: float) -> NDArray[np.intp]:
        """Return the decided calls that may have the first of the largest errors, if it is at least ``floor``."""
        least, most = np.where(self.is_known, self.least, -1.0), np.where(self.is_known, self.most, -1.0)
        return self.chosen[largest(least, most, max(floor, 0.0))]


def largest(least: F64, most: F64, floor: float) -> Bools:
    """Return where the first of the largest errors may be, by bounds on all errors, if it is at least ``floor``."""
    if not most.size or most.max() < 0.0:
        return np.zeros(most.shape, np.bool_)
    first = int(np.argmax(least))
    beside = (most == least[first]) & (np.arange(len(most)) <= first)
    return np.asarray(((most > least[first]) | beside) & (most >= floor))


@functools.singledispatch
def is_screened(item: Item, criteria: Criteria) -> bool:
    """Return whether enclosures can judge the row: kernels have some, and no oracle was named."""
    return criteria.oracle == "auto" and not item.width and phases.is_enclosed(item.builtin.called, item.form)


@is_screened.register(ExactItem)
def _(item: ExactItem, criteria: Criteria) -> bool:  # noqa: ARG001 - the signature of all rows
    return True


def screened(batch: Batch, floor: float | None = None, others: Sequence[Criteria] = ()) -> Screened:
    """Judge calls by the enclosures of kernels, block by block.

    ``floor``: errors below it need not be looked for, nor errors of 0 after the first; if it is None, every call is
    judged. ``others``: the acceptance criteria of other editions, by which the calls are judged, too.
    """
    all_criteria = (batch.criteria, *others)
    chosen = np.flatnonzero(~_plain(batch, all_criteria, floor))
    part = batch.elements(chosen) if len(chosen) < len(batch.values[0]) else batch
    found = [_block(part.elements(block), all_criteria) for block in blocks(part)]
    is_known, least, most, *verdicts = (np.concatenate(column) for column in zip(*found, strict=True))
    codes, unjudged = tuple(verdicts[::2]), tuple(verdicts[1::2])
    numbers = np.zeros((len(batch.values[0]), len(batch.results)), np.int16)
    numbers[chosen] = codes[0]
    return Screened(chosen, is_known, codes, unjudged, least, most, _settled(batch, numbers))


def _settled(batch: Batch, codes: Codes) -> Batch:
    """Return calls in which exact ints are replaced by the returned ints if these conform."""
    exact, due = list(batch.exact), list(batch.due)
    for k, (one, result) in enumerate(zip(batch.exact, batch.results, strict=True)):
        if isinstance(one, np.ndarray):
            exact[k] = due[k] = np.where(codes[:, k] != 0, one, result)
    return replace(batch, exact=tuple(exact), due=tuple(due))


def _plain(batch: Batch, all_criteria: Sequence[Criteria], floor: float | None) -> Bools:
    """Return the calls whose errors are below ``floor`` and all limits, found by a few operations.

    If ``floor`` is 0, these calls have errors of 0, and the first one is left out: it may be the worst of a row without
    errors. No calls are returned if the edition has special values by which an exact result may be wrong.
    """
    item, mode, limits = batch.item, batch.criteria.mode, [criteria.limit(batch.item) for criteria in all_criteria]
    allowed = [limit.least for limit in limits if limit.least is not None]
    overflows = mode != "rte" and any(criteria.waives("overflow", item) for criteria in all_criteria)
    usual = len(allowed) == len(all_criteria) and all(
        criteria.has_usual_special_values(item) for criteria in all_criteria
    )
    if floor is None or mode == "rtn" or overflows or not usual:
        return np.zeros(len(batch.values[0]), np.bool_)
    border, of_numbers = min(floor, *allowed), any(criteria.waives("not finite", item) for criteria in all_criteria)
    parts = [_plain_block(batch.elements(block), floor, border, of_numbers=of_numbers) for block in blocks(batch)]
    plain = np.concatenate(parts)
    if floor <= 0.0 and plain.size:
        plain[np.argmax(plain)] = False
    return plain


def _plain_block(batch: Batch, floor: float, border: float, *, of_numbers: bool) -> Bools:
    """Return the plain calls of one block; ``of_numbers``: only calls with finite arguments and results."""
    plain = np.ones(len(batch.values[0]), np.bool_)
    for k, exact in enumerate(batch.exact):
        plain &= _is_plain(batch, k, floor, border)
        if of_numbers and isinstance(exact, Bounds):
            plain &= binade_of(exact.value) < batch.form.emax  # so that nothing overflows in any mode
    for x in batch.args if of_numbers else ():
        plain &= np.isfinite(x)
    return plain


@np.errstate(all="ignore")
def _is_plain(batch: Batch, k: int, floor: float, border: float) -> Bools:
    """Whether a result is correctly rounded, or its error is below ``border`` ulp and no special value may apply.

    If the ``floor`` is smaller than rounding errors, whether the result is the exact value.
    """
    form, mode, exact, actual = batch.form, batch.criteria.mode, batch.exact[k], batch.results[k]
    if not isinstance(exact, Bounds):
        return np.asarray(actual == exact)
    if floor < (ROUNDED if mode == "rte" else 2.0 * ROUNDED):
        return is_itself(exact, actual, form)
    plain = (form.bits(actual) == form.bits(batch.due[k])) & ~is_close(exact.value, form)
    if mode != "rte":  # by directed modes, a result that overflows may be the largest number, with a large error
        plain &= np.abs(actual) < form.largest
    others = np.flatnonzero(~plain)
    if others.size:
        found = errors(exact.elements(others), actual[others], form)
        plain[others] = found.is_near & (found.most < border)
    return np.asarray(plain)


@np.errstate(all="ignore")
def _block(batch: Batch, all_criteria: Sequence[Criteria]) -> tuple[np.ndarray, ...]:
    """Return, for the calls of one block: whether they are decided; bounds on errors; reasons and waivers by edition.

    For each edition, there are the numbers of the reasons of failures, and whether nothing is required.
    """
    is_known, verdicts = batch.are_decided(), list[np.ndarray]()
    for criteria in all_criteria:
        found = judged(batch.under(criteria))
        is_known &= found.is_known
        verdicts += [found.numbers, np.asarray(found.unspecified.all(axis=-1))]
    return is_known, *largest_errors(_settled(batch, verdicts[0])), *verdicts


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
    so_far = joined(known, worst_by_stretch(part.item, tuple(v[first] for v in part.values), errors))
    is_left = leaders(part.item, part.values, least, most, so_far)
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
