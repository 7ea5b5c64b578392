"""Which calls are put into one vector: neighbours, which take the same branches of a device, and unlike calls."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator
    from numpy.typing import NDArray

    from clmath.audit.counting.tally import Example, Tally
    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item

__all__ = ["among", "arranged", "arranged_twice", "filled", "flat", "of_lane", "stacked", "with_vectors"]

FEW = 1024  # calls that stand in every lane
Places: TypeAlias = "NDArray[np.intp]"


def stacked(item: Item, args: Columns) -> Columns:
    """The arrays that a subject is given: calls in rows of as many as a vector holds; of what they share one."""
    if item.vector == 1:
        return args
    rows = (a.reshape(-1, item.vector) for a in args)
    return tuple(r[:, 0].copy() if alone else r for r, alone in zip(rows, item.shared, strict=True))


def flat(item: Item, results: Columns) -> Columns:
    """Results for what ``stacked`` gave, one after the other."""
    return tuple(r.reshape(-1) for r in results) if item.vector > 1 else results


def filled(item: Item, values: Columns) -> Columns:
    """Whole vectors: the last call as often as the last vector needs."""
    short = -len(values[0]) % item.vector
    return tuple(np.concatenate([v, v[-1:].repeat(short)]) for v in values) if short else values


def arranged(rng: Generator, item: Item, values: Columns) -> Columns:
    """The same calls in vectors: a third of these hold neighbours, a third one stranger each, a third calls all unlike.

    As many calls as whole vectors have.
    """
    rows = _neighbours(item, values)
    thirds = [rows[k::3] for k in range(3)]
    parts = [thirds[0], _with_strangers(rng, thirds[1]), _unlike(rng, thirds[2], values)]
    return _picked(item, values, np.concatenate(parts))


def arranged_twice(rng: Generator, item: Item, values: Columns) -> Columns:
    """All calls in vectors of neighbours, and all again in vectors one half of which have a stranger each.

    Where they are few, each stands beside its neighbours in every lane.
    """
    whole = filled(item, values)
    rows = _neighbours(item, whole)
    turns = range(item.vector if rows.size <= FEW else 1)
    turned = [np.roll(rows.reshape(-1), k).reshape(rows.shape) for k in turns]
    return _picked(
        item, whole, np.concatenate([*turned, _with_strangers(rng, rows[::2]), _unlike(rng, rows[1::2], whole)])
    )


def among(rng: Generator, item: Item, runs: NDArray[Any]) -> NDArray[Any]:
    """Rows of neighbouring values, as whole vectors: of every second row neighbours, of the others one value each."""
    alike, unlike = runs[::2], rng.permutation(runs[1::2])
    (values,) = filled(item, (np.concatenate([alike.reshape(-1), unlike.T.reshape(-1)]),))
    return values


def of_lane(item: Item, values: Columns, vector: Sequence[Sequence[int]], lane: int) -> Columns:
    """Whole vectors of ``values``; of every second one only ``lane``, the others as in ``vector``, stored values."""
    columns = tuple(c.copy() for c in filled(item, values))
    for kind, column, *stored in zip(item.columns, columns, *vector, strict=True):
        rows = column.reshape(-1, item.vector)
        fixed = _unstored(kind, column.dtype, stored)
        keep = np.arange(item.vector) != lane
        rows[1::2, keep] = fixed[keep]
    return columns


def with_vectors(item: Item, tally: Tally, values: Columns, first: int) -> Tally:
    """The examples of ``tally`` with the vectors in which they stood: ``values`` are the calls from ``first`` on."""

    def complete(example: Example) -> Example:
        place = example.index - first
        start = place - place % item.vector
        calls = zip(*(_stored(v[start : start + item.vector]) for v in values), strict=True)
        return replace(example, vector=tuple(calls))

    worst = complete(tally.worst) if tally.worst else None
    return replace(tally, worst=worst, failures=tuple(map(complete, tally.failures)))


def _stored(values: NDArray[Any]) -> list[int]:
    """Encodings of numbers, ints as they are."""
    plain = values.view(f"u{values.itemsize}") if values.dtype.kind == "f" else values
    return [int(v) for v in plain]


def _unstored(kind: str, dtype: np.dtype[Any], stored: Sequence[int]) -> NDArray[Any]:
    return np.array(stored, f"u{dtype.itemsize}").view(dtype) if kind == "gentype" else np.array(stored, dtype)


def _picked(item: Item, values: Columns, rows: Places) -> Columns:
    """The calls in rows; a value that all lanes share is that of the first."""
    ways = ((np.broadcast_to(rows[:, :1], rows.shape) if alone else rows) for alone in item.shared)
    return tuple(v[places.reshape(-1)] for v, places in zip(values, ways, strict=True))


def _neighbours(item: Item, values: Columns) -> Places:
    """The places of calls in rows of neighbours."""
    return np.lexsort(values[::-1]).reshape(-1, item.vector)


def _with_strangers(rng: Generator, rows: Places) -> Places:
    """In each row one place, its lane another one from row to row, changes places with those of other rows."""
    mixed, vectors = rows.copy(), np.arange(len(rows))
    lanes = vectors % rows.shape[1]
    mixed[vectors, lanes] = rng.permutation(rows[vectors, lanes])
    return mixed


def _unlike(rng: Generator, rows: Places, values: Columns) -> Places:
    """Rows of calls that have little in common: in their first argument, in other rows in their second and so on."""
    return np.concatenate([_of_every_size(rng, rows[k :: len(values)], column) for k, column in enumerate(values)])


def _of_every_size(rng: Generator, rows: Places, column: NDArray[Any]) -> Places:
    """Each row has one place of each of as many sizes as it has lanes, every size in every lane."""
    count, width = rows.shape
    places = rows.reshape(-1)
    by_size = places[np.argsort(np.abs(column[places]), kind="stable")].reshape(width, count)
    mixed = rng.permuted(by_size, axis=1)
    vectors, lanes = np.ogrid[:count, :width]
    return np.asarray(mixed[(vectors + lanes) % width, vectors])
