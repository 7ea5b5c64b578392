"""The inputs, results and exact values of one piece of a row, and the law by which it is judged."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np

from clmath.audit.inputs.layout import arguments

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from clmath.audit.inputs.layout import Columns
    from clmath.audit.law.law import Law
    from clmath.audit.plan.item import Item
    from clmath.numbers.formats import Format
    from clmath.spec.limits import Limit

__all__ = ["Call", "along_lanes", "side_by_side"]

Bools: TypeAlias = "NDArray[np.bool_]"


@dataclass(frozen=True)
class Call:
    """Calls and their results; ``values`` are columns, ``args`` the same with the lanes of vectors on a last axis."""

    item: Item
    law: Law
    limit: Limit
    values: Columns
    args: tuple[np.ndarray, ...]
    results: tuple[np.ndarray, ...]

    @classmethod
    def on(cls, item: Item, values: Columns, results: tuple[np.ndarray, ...], law: Law) -> Call:
        """The calls of ``item`` with ``values``, under their limit."""
        return cls(item, law, law.limit(item), values, arguments(item, values), results)

    @classmethod
    def joined(cls, calls: Sequence[Call]) -> Call:
        """The calls of all ``calls``, which are of one row and one law."""

        def together(columns: Iterable[tuple[np.ndarray, ...]]) -> tuple[np.ndarray, ...]:
            return tuple(np.concatenate(parts) for parts in zip(*columns, strict=True))

        values, args, results = (c.values for c in calls), (c.args for c in calls), (c.results for c in calls)
        return replace(calls[0], values=together(values), args=together(args), results=together(results))

    def under(self, law: Law) -> Self:
        """The same calls by another law."""
        return replace(self, law=law, limit=law.limit(self.item))

    @property
    def form(self) -> Format:
        """The format of the row."""
        return self.item.form

    @property
    def name(self) -> str:
        """The built-in's name."""
        return self.item.builtin.name

    def lanes(self, index: Any) -> Self:
        """The calls that ``index`` picks."""
        return replace(
            self,
            values=tuple(v[index] for v in self.values),
            args=tuple(a[index] for a in self.args),
            results=tuple(r[index] for r in self.results),
        )

    def has_no_limit(self, k: int) -> Bools:
        """Where the limit leaves result ``k`` open (undefined, implementation-defined, any); an edge may still hold."""
        return self.limit.leaves_open(self.args, self.results[k], self.form)

    def is_waived(self, k: int, due: Sequence[np.ndarray]) -> Bools:
        """Where nothing is required of result ``k``, whatever limits and edges say.

        ``due``: each correctly rounded result; those of other results than ``k`` matter if ``waives_not_finite``.
        """
        actual, rounded = self.results[k], due[k]
        waived = self._silenced(actual, rounded)
        if self.waives_not_finite:
            waived = waived | ~self._arguments_are_finite(actual)
            waived = functools.reduce(np.logical_or, [~np.isfinite(one) for one in due], waived)
        if self.law.waives("overflow", self.item) and self.law.mode != "rte":  # what overflows may round to the largest
            waived = waived | (np.abs(rounded) == self.form.largest)
        return np.asarray(waived)

    @property
    def waives_not_finite(self) -> bool:
        """Whether nothing is required of a call if an argument, or a correctly rounded result, is infinite or NaN."""
        return self.law.waives("not finite", self.item)

    def _silenced(self, actual: np.ndarray, rounded: np.ndarray) -> Bools:
        """Where NaN is returned for a number, given a signaling NaN: it need not act as a quiet one (4.2, note 21)."""
        nan = np.isnan(actual) & ~np.isnan(rounded)
        if not nan.any():
            return np.asarray(nan)
        signals = [_signals(v, self.form) for v in self.values if v.dtype == self.form.dtype]
        signalled = functools.reduce(np.logical_or, signals, np.zeros(len(nan), np.bool_))
        return np.asarray(along_lanes(signalled, nan) & nan)

    def counts(self, free: Bools, is_finite: Bools) -> Bools:
        """Which errors may be the worst of the row: those of results that have a limit.

        In a row without any limit, those of calls with finite arguments and a finite exact value. ``free``: where
        results have no limit or are waived. ``is_finite``: where the exact value is finite.
        """
        if self.limit.gives_no_number:
            return np.asarray(is_finite & self._arguments_are_finite(is_finite))
        return ~free

    def _arguments_are_finite(self, results: np.ndarray) -> Bools:
        return along_lanes(functools.reduce(np.logical_and, [np.isfinite(v) for v in self.values]), results)


def _signals(values: np.ndarray, form: Format) -> Bools:
    """Which values are signaling NaN: those whose first bit of payload is 0."""
    quiet = form.bits_dtype.type(1 << form.precision - 2)
    return np.asarray(np.isnan(values) & ((form.bits(values) & quiet) == 0))


def along_lanes(calls: np.ndarray, results: np.ndarray) -> np.ndarray:
    """One value per call, with an axis for lanes if results are vectors, so that both can be compared."""
    return calls[:, np.newaxis] if results.ndim > calls.ndim else calls


def side_by_side(arrays: Sequence[np.ndarray]) -> np.ndarray:
    """Results as columns of one array, (calls, results); a vector result has one column per lane."""
    return np.concatenate([a.reshape(len(a), math.prod(a.shape[1:])) for a in arrays], axis=-1)
