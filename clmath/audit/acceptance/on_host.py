"""Acceptance on the host: which results of calls are acceptable, by exact values or by enclosures of them."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from clmath.audit.acceptance.acceptable import Asked, acceptable, acceptable_integer, are_waived, contains_integer
from clmath.audit.acceptance.criteria import requirement
from clmath.audit.acceptance.limits import are_unspecified, by_clause, is_left_to_rule, limited
from clmath.audit.acceptance.sets import choice, concerned, contains, prescribed
from clmath.audit.acceptance.steps import Sample, gives
from clmath.audit.acceptance.values import Source, in_one_double, value_of
from clmath.numbers.formats import DOUBLE
from clmath.numbers.rounding import MODES, Enclosure
from clmath.phases import Bounds
from clmath.spec.limits import Derived, values_of_vectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.acceptance.batch import Batch, Call
    from clmath.audit.acceptance.criteria import Requirement
    from clmath.audit.acceptance.limits import Limited
    from clmath.audit.acceptance.values import Value
    from clmath.ir.values import Integer, Truth
    from clmath.numbers.formats import Format
    from clmath.spec.limits import Rule

__all__ = ["Accepted", "accepted", "are_counted", "are_prescribed", "asked_of", "codes_of", "given", "value_on_host"]


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
        edges = prescribed(asked_of(call, k).args, need.edges, need, k, like, is_integer=result.dtype.kind == "i")
        found.append(np.asarray(concerned(list(edges), like)))
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
