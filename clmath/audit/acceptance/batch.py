"""Calls with exact values of the reference, or with enclosures by kernels."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self, TypeAlias

import numpy as np

from clmath import phases, reference
from clmath.audit.inputs.layout import arguments
from clmath.numbers.formats import DOUBLE
from clmath.numbers.rounded_encodings import near_boundary, wide
from clmath.numbers.rounding import Enclosure, canonical, narrow, round_enclosure, ulp_errors
from clmath.phases import Bounds

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from clmath.audit.acceptance.criteria import Criteria
    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item
    from clmath.ir.values import Integer, Real, Truth
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding
    from clmath.spec.limits import Limit

__all__ = [
    "Batch",
    "Call",
    "Exact",
    "binade_of",
    "exact_values",
    "has_bits",
    "is_close",
    "is_head",
    "rounded_result",
    "side_by_side",
]


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

    def are_told(self) -> Truth:
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
