"""Calls with exact values of the reference, or with enclosures by kernels; which of their results are acceptable."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from clmath import phases, reference
from clmath.audit.acceptance.acceptable import Asked, acceptable, acceptable_integer, are_waived, contains_integer
from clmath.audit.acceptance.criteria import Criteria, Requirement, requirement
from clmath.audit.acceptance.limits import Limited, are_unspecified, by_clause, is_left_to_rule, limited
from clmath.audit.acceptance.sets import choice, concerned, contains, prescribed
from clmath.audit.acceptance.steps import Sample, gives
from clmath.audit.acceptance.values import Source, Value, in_one_double, value_of
from clmath.audit.inputs.layout import Columns, arguments
from clmath.audit.plan.item import Item
from clmath.ir.values import Integer, Real, Truth
from clmath.numbers.formats import DOUBLE, Format
from clmath.numbers.rounded_encodings import near_boundary, wide
from clmath.numbers.rounding import MODES, Enclosure, Rounding, canonical, narrow, round_enclosure, ulp_errors
from clmath.phases import Bounds
from clmath.spec.limits import Derived, Limit, Rule, values_of_vectors


@dataclass(frozen=True)
class Call:
    """Calls and their results; ``values`` are columns, ``args`` have the elements of vectors on a last axis."""

    item: Item
    criteria: Criteria
    limit: Limit
    values: Columns
    args: tuple[np.ndarray, ...]
    results: tuple[np.ndarray, ...]

    @classmethod
    def on(cls, item: Item, values: Columns, results: tuple[np.ndarray, ...], criteria: Criteria) -> Call:
        """Return the calls of ``item`` with ``values``, under their limit."""
        return cls(item, criteria, criteria.limit(item), values, arguments(item, values), results)

    @classmethod
    def joined(cls, calls: Sequence[Call]) -> Call:
        """Return the calls of several batches of one row."""

        def together(columns: Iterable[tuple[np.ndarray, ...]]) -> tuple[np.ndarray, ...]:
            return tuple(np.concatenate(parts) for parts in zip(*columns, strict=True))

        values, args, results = (c.values for c in calls), (c.args for c in calls), (c.results for c in calls)
        return replace(calls[0], values=together(values), args=together(args), results=together(results))

    def under(self, criteria: Criteria) -> Self:
        """Return the calls with other acceptance criteria."""
        return replace(self, criteria=criteria, limit=criteria.limit(self.item))

    @property
    def form(self) -> Format:
        """The format of the row."""
        return self.item.form

    @property
    def name(self) -> str:
        """The built-in's name."""
        return self.item.builtin.called

    def elements(self, index: Index) -> Self:
        """Return the chosen calls."""
        return replace(
            self,
            values=tuple(v[index] for v in self.values),
            args=tuple(a[index] for a in self.args),
            results=tuple(r[index] for r in self.results),
        )


def side_by_side(arrays: Sequence[np.ndarray]) -> np.ndarray:
    """Return results as columns of one array, (calls, results); a vector result has a column for each element."""
    return np.concatenate([a.reshape(len(a), math.prod(a.shape[1:])) for a in arrays], axis=-1)


Index: TypeAlias = "slice | NDArray[np.intp] | Truth | np.bool_"
Exact: TypeAlias = "Enclosure | Bounds | NDArray[np.int32]"

_MAGNITUDE = (1 << 63) - 1


@dataclass(frozen=True)
class Batch(Call):
    """Calls with their exact values.

    ``exact``: for each result enclosures, or ints; the elements of vectors are on the last axis. ``due``: the correctly
    rounded results; for kernels' enclosures, their middles rounded. ``is_certain``: whether exact values come from the
    reference, whose enclosures have no width.
    """

    exact: tuple[Exact, ...] = ()
    due: tuple[np.ndarray, ...] = ()
    is_certain: bool = True

    @classmethod
    def of(cls, item: Item, values: Columns, results: tuple[np.ndarray, ...], criteria: Criteria) -> Batch:
        """Return calls with exact values of the reference."""
        return cls._with(
            Call.on(item, values, results, criteria), exact_values(item, values, criteria.oracle), is_certain=True
        )

    @classmethod
    def by_kernels(cls, call: Call) -> Batch:
        """Return calls with enclosures of kernels."""
        return cls._with(call, phases.enclose(call.name, call.args, call.form), is_certain=False)

    @classmethod
    @np.errstate(all="ignore")
    def _with(cls, call: Call, exact: tuple[Exact, ...], *, is_certain: bool) -> Batch:
        pairs = zip(exact, call.results, strict=True)
        due = tuple(_rounded(one, result, call.form, call.criteria.mode) for one, result in pairs)
        return cls(call.item, call.criteria, call.limit, call.values, call.args, call.results, exact, due, is_certain)

    def again(self, values: Columns, results: tuple[np.ndarray, ...]) -> Batch:
        """Return calls with other arguments, whose exact values have the same source."""
        if self.is_certain:
            return Batch.of(self.item, values, results, self.criteria)
        return Batch.by_kernels(Call.on(self.item, values, results, self.criteria))

    def elements(self, index: Index) -> Self:
        """Return the calls that ``index`` picks."""
        exact = tuple(e[index] if isinstance(e, np.ndarray) else e.elements(index) for e in self.exact)
        return replace(super().elements(index), exact=exact, due=tuple(d[index] for d in self.due))

    def are_decided(self) -> Truth:
        """Return where it is known how all exact values are rounded."""
        known = np.ones(len(self.values[0]), np.bool_)
        for one in (e.value for e in self.exact if isinstance(e, Bounds)):
            known &= ~is_close(one, self.form)
            if self.criteria.mode == "rtn":  # the sign of a zero sum
                known &= one.hi != 0.0
        return known

    def errors(self, k: int) -> Real:
        """Return the signed errors of result ``k`` in ulp, by the reference; for an int, the differences."""
        exact, actual = self.exact[k], self.results[k]
        if isinstance(exact, Enclosure):
            return ulp_errors(actual, exact, self.form)
        return actual.astype(np.float64) - np.asarray(exact).astype(np.float64)

    def is_real(self, k: int) -> bool:
        """Return whether result ``k`` is of the format, not an int."""
        return not isinstance(self.exact[k], np.ndarray)

    def are_finite(self, k: int) -> Truth:
        """Return where the exact value of result ``k`` is finite."""
        exact = self.exact[k]
        head = exact.value.hi if isinstance(exact, Bounds) else exact.hi if isinstance(exact, Enclosure) else exact
        return np.asarray(np.isfinite(head))


def exact_values(item: Item, values: Columns, oracle: reference.Oracle) -> tuple[Enclosure | NDArray[np.int32], ...]:
    """Return the exact values of every result of ``item`` for the inputs ``values``, by the reference."""
    exact = list(reference.enclose(item.builtin.called, values, item.form, oracle))
    found: list[Enclosure | NDArray[np.int32]] = []
    for output in item.builtin.outputs:
        if item.width and output.type == "gentype":
            taken, exact = exact[: item.width], exact[item.width :]
            found.append(Enclosure(*(np.stack(parts, axis=-1) for parts in zip(*taken, strict=True))))
        else:
            found.append(exact.pop(0))
    return tuple(found)


def _rounded(exact: Exact, actual: np.ndarray, form: Format, mode: Rounding) -> np.ndarray:
    """Return exact values rounded correctly, or the middles of enclosures; ints unchanged."""
    if isinstance(exact, Enclosure):
        rounded = round_enclosure(exact, form, mode)[0]
        canonical(rounded, form)
        return rounded
    return rounded_result(exact, actual, form, mode) if isinstance(exact, Bounds) else np.asarray(exact)


def rounded_result(exact: Bounds, actual: np.ndarray, form: Format, mode: Rounding) -> np.ndarray:
    """Return the middle of an enclosure rounded; a double that equals its ``hi`` is already the nearest one."""
    value = exact.value
    if form.is_narrow:
        return narrow(value.hi, form, mode)
    rounded = actual.copy()
    middle = value._replace(err=np.zeros(len(actual)))
    others = np.flatnonzero(~is_head(actual, value, form) | (mode != "rte"))
    rounded[others] = round_enclosure(middle.elements(others), form, mode)[0]
    return rounded


def is_close(value: Enclosure, form: Format) -> Truth:
    """Return where an enclosure contains, or may contain, a number of the format or a midpoint of two."""
    hi, lo, err, _ = value
    if form.is_narrow:
        return np.asarray((near_boundary(hi, form) | wide(hi, err)) & (err > 0.0))
    return np.asarray(((np.abs(lo) <= err) | (hi + (lo - err) != hi + (lo + err))) & (err > 0.0))


def is_head(actual: Real, value: Enclosure, form: Format) -> Truth:
    """Return where a result is ``hi``, so that no double is nearer to the exact value."""
    exponent = binade_of(value)
    return np.asarray(has_bits(actual, value) & (exponent > form.emin) & (exponent < form.emax) & np.isfinite(actual))


def has_bits(got: Real, value: Enclosure) -> Truth:
    """Return where doubles equal ``hi`` times the enclosure's power of two, if both are normal numbers."""
    return np.asarray(got.view(np.int64) - (value.exponent << 52) == value.hi.view(np.int64))


def binade_of(value: Enclosure) -> Integer:
    """Return e with 2^e <= |value| < 2^(e + 1), lower if ``hi`` is subnormal; meaningless for infinities."""
    return ((value.hi.view(np.int64) & _MAGNITUDE) >> 52) - DOUBLE.emax + value.exponent


Scalar = TypeVar("Scalar", bound=np.generic)


class Accepted(NamedTuple):
    """Whether a result certainly, or perhaps, is acceptable, and whether nothing is required of it."""

    surely: Truth
    perhaps: Truth
    unspecified: Truth


def codes_of(values: np.ndarray, form: Format) -> Integer:
    """Return the encodings of numbers of the format, or ints unchanged, as 64-bit integers."""
    if values.dtype.kind == "i":
        return values.astype(np.int64)
    return values.view(np.int64) if form is DOUBLE else form.bits(values).astype(np.int64)


def value_on_host(exact: Enclosure | Bounds, need: Requirement) -> Value:
    """Return the value in an enclosure of the reference, which has no width, or of a kernel."""
    if isinstance(exact, Bounds):
        hi, lo, err, exponent = exact.value
        parts = (hi, 0.0, err, 0) if need.form.is_narrow else (hi, lo, err, np.asarray(exponent))
        return value_of(parts, need.form, need.mode, Source(exact.off, beyond=True), in_halves=need.is_in_halves)
    if need.form.is_narrow:
        value, err = in_one_double(*exact)
        exact = Enclosure(value, np.zeros_like(err), err, exact.exponent)
    return value_of(exact, need.form, need.mode)


def asked_of(call: Call, k: int, due: Sequence[np.ndarray] = ()) -> Asked:
    """Return the facts about result ``k`` of calls; ``due``: the correctly rounded results."""
    result, form = call.results[k], call.form
    brought = _any([form.signals(v) for v in call.values if v.dtype == form.dtype], result)
    finite = ~_any([~np.isfinite(v) for v in call.values], result)
    others = _any([~np.isfinite(one) for j, one in enumerate(due) if j != k], result)
    if call.item.width:
        named = {name: _along(v, result) for name, v in values_of_vectors(call.args).items()}
        return Asked(call.args, named, brought, others, finite, k)
    args = [a.astype(np.float64) for a in call.args]
    return Asked(args, dict(zip(call.limit.parameters, args, strict=True)), brought, others, finite, k)


@np.errstate(all="ignore")
def are_counted(batch: Batch, k: int) -> Truth:
    """Return where the error of result ``k`` may be the worst of a row: a limit holds for the result.

    In a row without any limit, arguments and exact value are finite.
    """
    if batch.limit.gives_no_number:
        return np.asarray(batch.are_finite(k) & asked_of(batch, k).finite)
    return ~are_free(batch, k)


@np.errstate(all="ignore")
def are_free(batch: Batch, k: int) -> Truth:
    """Return where no limit holds for result ``k``, or nothing is required of it, apart from special values."""
    need, result, due = requirement(batch.item, batch.criteria), batch.results[k], batch.due[k]
    is_integer, is_nan = not batch.is_real(k), np.isnan(result) & ~np.isnan(due)
    waives = need.not_finite_waived or need.overflow_waived
    if not (waives or need.may_be_unspecified or is_nan.any()):
        return np.zeros(result.shape, np.bool_)
    asked = asked_of(batch, k, batch.due)
    found = are_unspecified(asked.named, need, np.zeros(result.shape), is_integer=is_integer)
    if waives:
        size = np.zeros(result.shape, np.int64) if is_integer else codes_of(due, batch.form) & batch.form.magnitude
        found = found | are_waived(asked, size, need)
    return np.asarray(found | (asked.brought & is_nan))


@np.errstate(all="ignore")
def are_prescribed(call: Call) -> list[Truth]:
    """Return for each result where special values prescribe it, in its shape."""
    need, found = requirement(call.item, call.criteria), []
    for k, result in enumerate(call.results):
        like = np.zeros(result.shape)
        special_values = prescribed(
            asked_of(call, k).args, need.special_values, need, k, like, is_integer=result.dtype.kind == "i"
        )
        found.append(np.asarray(concerned(list(special_values), like)))
    return found


def _any(conditions: Sequence[Truth], like: np.ndarray) -> Truth:
    """Return where one of several conditions on calls holds, in the shape of a result."""
    found: Truth = _along(functools.reduce(np.logical_or, conditions, np.zeros(len(like), np.bool_)), like)
    return found


def _along(values: NDArray[Scalar], like: np.ndarray) -> NDArray[Scalar]:
    """Return one value per call in the shape of a result, which may have elements on a last axis."""
    return np.broadcast_to(values[:, np.newaxis], like.shape).copy() if like.ndim > values.ndim else values


@np.errstate(all="ignore")
def accepted(batch: Batch, need: Requirement) -> list[Accepted]:
    """Return which results are acceptable, one record for each result of the calls, in its shape."""
    found = []
    for k, (one, result) in enumerate(zip(batch.exact, batch.results, strict=True)):
        asked, codes = asked_of(batch, k, batch.due), codes_of(result, batch.form)
        if isinstance(one, np.ndarray):
            due = one.astype(np.int64)
            allowed = acceptable_integer(asked, due, need)
            right = np.asarray(contains_integer(allowed, codes, due, asked.args))
            found.append(Accepted(right, right, allowed.unspecified))
            continue
        value = value_on_host(one, need)
        sets = acceptable(asked, value, need)
        inner, outer = (np.array(contains(side, codes, batch.form)) for side in sets)
        if batch.is_certain and (outer & ~inner).any():
            inner |= outer & given(batch, k, need, asked, limited(asked.named, value, need))
            outer = inner
        of_signaling = asked.brought & ~value.nan & np.isnan(result)
        found.append(Accepted(inner, outer, sets.inner.unspecified | of_signaling))
    return found


def given(batch: Batch, k: int, need: Requirement, asked: Asked, by_limit: Limited) -> Truth:
    """Return which results a rule allows that only the host evaluates; a flushed subnormal result may be zero."""
    result, exact = batch.results[k], batch.exact[k]
    assert isinstance(exact, Enclosure)

    def by_rules(results: np.ndarray) -> Truth:
        sample = Sample(batch.args, exact, results, batch.form, MODES[need.mode], need.parameters, need.flushes)
        never = np.zeros(results.shape, np.bool_)

        def of_rule(rule: Rule) -> Truth:
            if isinstance(rule, Derived) and is_left_to_rule(rule, need):
                return gives(rule.formula, sample)
            return never

        return by_clause(asked.named, need, never, of_rule, choice)

    found = by_rules(result)
    flushed = (result == 0) & (exact.hi != 0)
    if need.flushes and flushed.any():
        border = np.copysign(need.form.from_bits(np.abs(by_limit.border)), exact.hi)
        largest = np.where(by_limit.is_tiny.inner, batch.due[k], border).astype(result.dtype)
        found = found | (flushed & by_rules(np.where(flushed, largest, result)))
    return found
