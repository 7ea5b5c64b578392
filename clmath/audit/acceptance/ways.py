"""Results that formulas give at any distance from the exact value, which no set holds; only on the host."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clmath.audit.acceptance.steps import given_by_products, given_by_steps
from clmath.audit.counting.spread import same
from clmath.direct import operators
from clmath.numbers.rounding import Enclosure, ulps
from clmath.spec.formulas import Argument, RootOfSquares, RoundedSteps, SumOfProducts, TwoRoundings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clmath.audit.acceptance.steps import Sample
    from clmath.ir.values import Real, Truth
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding
    from clmath.spec.formulas import Formula

__all__ = ["gives"]


def gives(formula: Formula, sample: Sample) -> Truth:
    """Return which results a formula gives, of those that its set may lack."""
    args, actual, form, mode = sample.args, sample.actual, sample.form, sample.mode
    match formula:
        case RoundedSteps():
            return given_by_steps(formula, sample)
        case SumOfProducts():
            return given_by_products(formula, sample)
        case RootOfSquares(allowed=allowed):
            sums = _sums_of_squares(args, form, mode, flushing=sample.flushing)
            return np.asarray(np.logical_or.reduce([_may_be_root(actual, s, allowed, form) for s in sums]))
        case Argument():
            unchanged = same(actual, args[0]).all(axis=-1, keepdims=True)
            return np.broadcast_to(unchanged, actual.shape)
        case TwoRoundings():
            (product,) = operators.mul(form, mode, args[0], args[1])
            (total,) = operators.add(form, mode, product, args[2])
            return same(actual, total)
    raise TypeError(formula)


class _Sum(NamedTuple):
    """Bounds of a sum of squares in the arithmetic of a format: infinite if it overflows; both NaN if it is NaN.

    Squares of floats and their sums have a relative error of at most 2^-53 in double, which the bounds' steps cover.
    """

    low: Real
    high: Real


@np.errstate(all="ignore")
def _sums_of_squares(vectors: Sequence[np.ndarray], form: Format, mode: Rounding, *, flushing: bool) -> Iterator[_Sum]:
    """Yield bounds of the sum of squares of a vector, or of the difference of two.

    ``flushing``: subnormal squares may be zeros, so that there is a sum for each choice of elements that are flushed.
    """
    wide = [v.astype(np.float64) for v in vectors]
    low = high = np.abs(wide[0] if len(wide) == 1 else wide[0] - wide[1])
    if len(wide) > 1:
        low, high = _rounded(low, high, form, mode)
    low, high = _rounded(low * low, high * high, form, mode)
    may_flush = flushing & (low < form.smallest_normal) & (high != 0.0)
    elements = np.flatnonzero(may_flush.reshape(-1, may_flush.shape[-1]).any(axis=0))
    for count in range(len(elements) + 1):
        for chosen in itertools.combinations(elements.tolist(), count):
            flushed = may_flush & np.isin(np.arange(may_flush.shape[-1]), chosen)
            yield _sum(np.where(flushed, 0.0, low), np.where(flushed, 0.0, high), form, mode)


def _sum(low: Real, high: Real, form: Format, mode: Rounding) -> _Sum:
    """Return bounds of the sums of squares between ``low`` and ``high``, along the last axis."""
    sums = np.maximum((high != 0.0).sum(axis=-1) - 1, 0)  # additions of zero are exact
    low, high = low.sum(axis=-1) * (1.0 - form.eps) ** sums, high.sum(axis=-1) * (1.0 + form.eps) ** sums
    return _Sum(*_rounded(low, high, form, mode))


def _rounded(low: Real, high: Real, form: Format, mode: Rounding) -> tuple[Real, Real]:
    """Return ``low`` and ``high`` rounded outward to the format; rounding in any mode gives values between these."""
    down, up = low.astype(form.dtype), high.astype(form.dtype)
    down = np.where(down > low, np.nextafter(down, form.dtype.type(-np.inf)), down).astype(np.float64)
    up = np.where(up < high, np.nextafter(up, form.dtype.type(np.inf)), up).astype(np.float64)
    beyond = form.largest * (1.0 + form.eps / 4.0)  # half a place: from here on rte gives infinity
    return np.where((low >= beyond) & (mode == "rte"), np.inf, down), up


@np.errstate(all="ignore")
def _may_be_root(results: np.ndarray, total: _Sum, allowed: float, form: Format) -> Truth:
    """Return which results are within ``allowed`` ulp of the root of a sum, or 0 if the sum may be subnormal."""
    actual, low = results.astype(np.float64), np.sqrt(total.low)
    high = np.sqrt(np.minimum(total.high, form.largest))
    reached = (actual >= low - _places(low, allowed, form)) & (actual <= high + _places(high, allowed, form))
    flushed = (actual == 0.0) & (total.low < form.smallest_normal)
    infinite = (actual == np.inf) & (total.high == np.inf)
    return np.asarray((np.isfinite(actual) & reached) | flushed | infinite | (np.isnan(actual) & np.isnan(total.high)))


def _places(values: Real, allowed: float, form: Format) -> Real:
    return np.asarray(allowed * ulps(Enclosure.of(np.minimum(values, form.largest)), form))
