"""How calls are put into vectors: neighbours, which mostly take the same branches of a device, and unlike calls."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.numbers.formats import format_of, is_float

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator
    from numpy.typing import NDArray

    from clmath.audit.counting.tally import Example, Tally
    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item

__all__ = ["among", "arranged", "arranged_twice", "filled", "flat", "of_lane", "stacked", "with_vectors"]

FEW = 1024  # calls: of no more, each is tried in every lane
_ORDINARY = 2  # among the numbers of ``_kinds``
Places: TypeAlias = "NDArray[np.intp]"


def stacked(item: Item, args: Columns) -> Columns:
    """The arrays that are passed to a subject: one row per vector; of arguments that lanes share, one value per row."""
    if item.vector == 1:
        return args
    rows = (a.reshape(-1, item.vector) for a in args)
    return tuple(r[:, 0].copy() if alone else r for r, alone in zip(rows, item.shared, strict=True))


def flat(item: Item, results: Columns) -> Columns:
    """The results for arrays made by ``stacked``, as one array of single calls."""
    return tuple(r.reshape(-1) for r in results) if item.vector > 1 else results


def filled(item: Item, values: Columns) -> Columns:
    """The calls, of which the last one is repeated until the last vector is full."""
    short = -len(values[0]) % item.vector
    return tuple(np.concatenate([v, v[-1:].repeat(short)]) for v in values) if short else values


def arranged(rng: Generator, item: Item, values: Columns) -> Columns:
    """The same calls in vectors: a third hold neighbours, a third neighbours but for one lane, a third unlike calls.

    The number of calls must fill whole vectors.
    """
    rows = _neighbours(item, values)
    thirds = [rows[k::3] for k in range(3)]
    parts = [thirds[0], _with_strangers(rng, thirds[1]), _unlike(rng, thirds[2], values)]
    return _picked(item, values, np.concatenate(parts))


def arranged_twice(rng: Generator, item: Item, values: Columns) -> Columns:
    """All calls twice: in vectors of neighbours, and in vectors of neighbours but for one lane, or of unlike calls.

    If there are few calls, each is tried next to its neighbours in every lane. One call of each kind of special
    arguments is tried in every lane next to ordinary calls, and in several lanes at once.
    """
    whole = filled(item, values)
    rows = _neighbours(item, whole)
    turns = range(item.vector if rows.size <= FEW else 1)
    turned = [np.roll(rows.reshape(-1), k).reshape(rows.shape) for k in turns]
    unlike = [
        _with_strangers(rng, rows[::2]),
        _unlike(rng, rows[1::2], whole),
        _special_among_ordinary(rng, item, whole),
    ]
    return _picked(item, whole, np.concatenate([*turned, *unlike]))


def among(rng: Generator, item: Item, runs: np.ndarray) -> np.ndarray:
    """Runs of neighbouring values in vectors: every second run has vectors of its own, the others are mixed."""
    alike, unlike = runs[::2], rng.permutation(runs[1::2])
    (values,) = filled(item, (np.concatenate([alike.reshape(-1), unlike.T.reshape(-1)]),))
    return values


def of_lane(item: Item, values: Columns, vector: Sequence[Sequence[int]], lane: int) -> Columns:
    """Vectors of ``values``; in every second one all lanes but ``lane`` are those of ``vector``, of stored values.

    An argument that all lanes share is that of ``lane``.
    """
    columns = tuple(c.copy() for c in filled(item, values))
    for kind, alone, column, *stored in zip(item.columns, item.shared, columns, *vector, strict=True):
        rows = column.reshape(-1, item.vector)
        if alone:
            rows[:] = rows[:, lane, np.newaxis]
            continue
        fixed = _unstored(kind, column.dtype, stored)
        keep = np.arange(item.vector) != lane
        rows[1::2, keep] = fixed[keep]
    return columns


def with_vectors(item: Item, tally: Tally, values: Columns, first: int) -> Tally:
    """The tally with the vector of each example; ``values`` are the calls from the place ``first`` on."""

    def complete(example: Example) -> Example:
        place = example.index - first
        start = place - place % item.vector
        calls = zip(*(_stored(v[start : start + item.vector]) for v in values), strict=True)
        return replace(example, vector=tuple(calls))

    worst = complete(tally.worst) if tally.worst else None
    return replace(tally, worst=worst, failures=tuple(map(complete, tally.failures)))


def _stored(values: np.ndarray) -> list[int]:
    """The values as reports store them: encodings of numbers, ints as they are."""
    plain = values.view(f"u{values.itemsize}") if is_float(values.dtype) else values
    return [int(v) for v in plain]


def _unstored(kind: str, dtype: np.dtype, stored: Sequence[int]) -> np.ndarray:
    return np.array(stored, f"u{dtype.itemsize}").view(dtype) if kind == "gentype" else np.array(stored, dtype)


def _picked(item: Item, values: Columns, rows: Places) -> Columns:
    """The calls at ``rows`` of places; an argument that all lanes share is that of the first lane."""
    ways = ((np.broadcast_to(rows[:, :1], rows.shape) if alone else rows) for alone in item.shared)
    return tuple(v[places.reshape(-1)] for v, places in zip(values, ways, strict=True))


def _neighbours(item: Item, values: Columns) -> Places:
    """The places of calls, sorted into rows of neighbours."""
    return np.lexsort(values[::-1]).reshape(-1, item.vector)


def _with_strangers(rng: Generator, rows: Places) -> Places:
    """Rows in which one lane, another one from row to row, is exchanged with those of other rows."""
    mixed, vectors = rows.copy(), np.arange(len(rows))
    lanes = vectors % rows.shape[1]
    mixed[vectors, lanes] = rng.permutation(rows[vectors, lanes])
    return mixed


def _unlike(rng: Generator, rows: Places, values: Columns) -> Places:
    """Rows of unlike calls: in some rows first arguments are of different sizes, in others second ones, and so on."""
    return np.concatenate([_of_every_size(rng, rows[k :: len(values)], column) for k, column in enumerate(values)])


def _of_every_size(rng: Generator, rows: Places, column: np.ndarray) -> Places:
    """Rows whose lanes have arguments of different sizes; over all rows, every size is in every lane."""
    count, width = rows.shape
    places = rows.reshape(-1)
    by_size = places[np.argsort(np.abs(column[places]), kind="stable")].reshape(width, count)
    mixed = rng.permuted(by_size, axis=1)
    vectors, lanes = np.ogrid[:count, :width]
    return np.asarray(mixed[(vectors + lanes) % width, vectors])


def _special_among_ordinary(rng: Generator, item: Item, values: Columns) -> Places:
    """Rows of ordinary calls but for one lane, all lanes or every second one: an infinity, a NaN, a zero ..."""
    kinds = np.stack([_kinds(column) for column in values])
    is_ordinary = kinds == _ORDINARY
    ordinary = np.flatnonzero(is_ordinary.all(axis=0))
    if not len(ordinary):
        return np.empty((0, item.vector), np.intp)
    special: list[int] = []
    for number, column in enumerate(values):
        others = np.flatnonzero(np.delete(is_ordinary, number, axis=0).all(axis=0))
        is_negative = np.signbit(column) if is_float(column.dtype) else column < 0
        _, first = np.unique(2 * kinds[number, others] + is_negative[others], return_index=True)
        special += others[first].tolist()
    found, lanes = np.array(special)[:, np.newaxis], np.arange(item.vector)
    rows = rng.choice(ordinary, (len(special), item.vector + 2, item.vector))
    rows[:, lanes, lanes] = rows[:, -2] = rows[:, -1, ::2] = found
    return rows.reshape(-1, item.vector)


def _kinds(column: np.ndarray) -> NDArray[np.int64]:
    """The kind of each number: zero, subnormal, ordinary, infinite or NaN."""
    form = format_of(column.dtype)
    if form is None:
        return np.where(column == 0, 0, _ORDINARY)
    size = np.abs(column)
    limits = np.array([form.smallest_subnormal, form.smallest_normal, np.inf])
    return np.where(np.isnan(column), len(limits) + 1, np.searchsorted(limits.astype(column.dtype), size, "right"))
