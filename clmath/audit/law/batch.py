"""The inputs, results and exact values of one piece of a row, and the law by which it is judged."""

from __future__ import annotations

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

__all__ = ["Call", "side_by_side"]

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
        return self.item.builtin.called

    def lanes(self, index: Any) -> Self:
        """The calls that ``index`` picks."""
        return replace(
            self,
            values=tuple(v[index] for v in self.values),
            args=tuple(a[index] for a in self.args),
            results=tuple(r[index] for r in self.results),
        )


def side_by_side(arrays: Sequence[np.ndarray]) -> np.ndarray:
    """Results as columns of one array, (calls, results); a vector result has one column per lane."""
    return np.concatenate([a.reshape(len(a), math.prod(a.shape[1:])) for a in arrays], axis=-1)
