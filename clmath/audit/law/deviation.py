"""Distances of the results of a chunk from the correctly rounded ones: the ``Spread`` of its tally."""

from __future__ import annotations

import decimal
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.counting.spread import BINS, FARTHEST, REGIONS, Spread, bin_numbers, has_regions, shift, side_shift
from clmath.numbers.formats import is_float

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from clmath.audit.counting.spread import Stretches
    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item
    from clmath.ir.values import Integer, Real, Truth
    from clmath.numbers.formats import Format

__all__ = ["Deviations", "by_stretch", "foremost", "joined", "leaders", "ordered", "steps", "worst_by_stretch"]


_TWO = decimal.Context(prec=2, rounding=decimal.ROUND_CEILING)
_FOUR = decimal.Context(prec=4, rounding=decimal.ROUND_CEILING)


def steps(actual: np.ndarray, due: np.ndarray, type: Format) -> NDArray[np.uint64]:
    """Return the distance from ``due`` in numbers of a type; 0 if both are NaN. +0 and -0 are equal."""
    one, two = ordered(actual, type), ordered(due, type)
    apart: NDArray[np.uint64] = np.maximum(one, two) - np.minimum(one, two)
    if not is_float(actual.dtype):
        return np.minimum(apart, FARTHEST - np.uint64(1))
    nans = np.isnan(actual), np.isnan(due)
    return np.where(nans[0] | nans[1], np.where(nans[0] & nans[1], np.uint64(0), FARTHEST), apart)


def ordered(values: np.ndarray, type: Format) -> NDArray[np.uint64]:
    """Return integers in the order of the values; numbers next to each other differ by 1, and +0 equals -0."""
    if not is_float(values.dtype):
        return values.astype(np.int64).view(np.uint64) ^ np.uint64((values.dtype.kind == "i") << 63)
    codes, sign = type.bits(values).astype(np.uint64), np.uint64(1 << type.width - 1)
    return np.where(codes & sign, sign - (codes & ~sign), sign + codes)


@dataclass(frozen=True)
class Deviations:
    """Calls of a row, with the distance of each call's farthest result; ``counted``: mask of calls in the spread."""

    item: Item
    values: Columns
    steps: NDArray[np.uint64]
    counted: Truth

    @property
    def wrong(self) -> NDArray[np.intp]:
        """The counted calls whose results are not correctly rounded."""
        return np.flatnonzero(self.counted & (self.steps > 0))

    def spread(self, calls: NDArray[np.intp], errors: Real) -> Spread:
        """Return the spread; ``errors``: |errors| in ulp of ``calls``, which include the worst of every interval."""
        apart, counted = self.steps[self.wrong], int(np.count_nonzero(self.counted))
        counts = dict(zip(BINS, np.bincount(bin_numbers(apart), minlength=len(BINS)).tolist(), strict=True))
        counts[BINS[0]] = counted - len(apart)
        values = tuple(v[calls] for v in self.values)
        if not counted:
            return Spread()
        worst, count = worst_by_stretch(self.item, values, errors), len(self.item.measured)
        regions = [{region: _rounded_up(error, _TWO) for region, error in one.items()} for one in worst[count:]]
        return Spread.of(counts, worst[:count], *regions)


def worst_by_stretch(item: Item, values: Columns, errors: Real) -> list[dict[int, float]]:
    """Return the largest of ``errors`` in every interval of each argument; last, in every region of two arguments."""
    return [_by_stretch(stretches, errors) for stretches in _stretches(item, values)]


def leaders(item: Item, values: Columns, least: Real, most: Real, known: Stretches = ()) -> Truth:
    """Return which calls may have the largest error of an interval or region, by bounds on their errors.

    ``known``: largest errors that were found before, by argument, then by region if the row has regions; calls that
    cannot exceed these are not among the leaders.
    """
    may_lead = np.zeros(len(least), np.bool_)
    found = _stretches(item, values)
    for stretches, worst in zip(found, (*known, *((),) * (len(found) - len(known))), strict=True):
        best = np.full(stretches.max(initial=0) + 1, -1.0)
        np.maximum.at(best, stretches, least)
        floors = _floors(worst, len(best))
        may_lead |= (most >= best[stretches]) & (most > floors[stretches])
    return may_lead


def joined(known: Stretches, more: Sequence[Mapping[int, float]]) -> Stretches:
    """Return the larger error of each interval in ``known`` and ``more``."""
    larger = [*(dict(errors) for errors in known), *({} for _ in more[len(known) :])]
    for errors, others in zip(larger, more, strict=False):
        for stretch, error in others.items():
            errors[stretch] = max(errors.get(stretch, 0.0), error)
    return tuple(tuple(sorted(errors.items())) for errors in larger)


def foremost(item: Item, values: Columns, most: Real) -> NDArray[np.intp]:
    """Return, for every interval of each argument, the call with the largest bound ``most`` on its error."""
    chosen = [np.empty(0, np.intp)]
    for stretches in _stretches(item, values):
        best = np.full(stretches.max(initial=0) + 1, -1.0)
        np.maximum.at(best, stretches, most)
        first, largest = np.full(len(best), -1), np.flatnonzero(most == best[stretches])[::-1]
        first[stretches[largest]] = largest
        chosen.append(first[first >= 0])
    return np.unique(np.concatenate(chosen))


def by_stretch(worst: Iterable[tuple[int, float]], form: Format) -> Real:
    """Return the largest error of every interval, as an array, with -1 for unknown errors."""
    return _floors(worst, 1 << form.width - shift(form))


def _floors(worst: Iterable[tuple[int, float]], count: int) -> Real:
    """Return the errors of the first ``count`` intervals or regions, with -1 for unknown errors."""
    found = np.full(count, -1.0)
    for place, error in worst:
        if place < count:
            found[place] = error
    return found


def _stretches(item: Item, values: Columns) -> list[Integer]:
    """Return the intervals of each argument that is a number of the format; a vector counts by its first component."""
    found, column = [], 0
    for parameter in item.builtin.inputs:
        if parameter.type in ("gentype", "scalar"):
            found.append((item.form.bits(values[column]) >> shift(item.form)).astype(np.int64))
        column += item.width if item.width and parameter.type == "gentype" else 1
    return found + _regions(item, values)


def _regions(item: Item, values: Columns) -> list[Integer]:
    """Return the regions of calls, for rows that have them."""
    if not has_regions(item):
        return []
    first, second = ((item.form.bits(v) >> side_shift(item.form)).astype(np.int64) for v in values)
    return [first * REGIONS + second]


def _by_stretch(stretches: Integer, errors: Real) -> dict[int, float]:
    best = np.zeros(stretches.max(initial=0) + 1)
    np.maximum.at(best, stretches, errors)
    return {int(s): _rounded_up(float(best[s])) for s in np.unique(stretches)}


def _rounded_up(error: float, digits: decimal.Context = _FOUR) -> float:
    """Return ``error`` rounded up in the decimal context ``digits``."""
    return float(digits.create_decimal_from_float(error)) if math.isfinite(error) else math.inf
