"""Puts calls into vectors: neighbours, which mostly take the same branches on a device, and unlike calls."""

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

FEW = 1024  # at most this many calls are tried in every component
_ORDINARY = 2  # among the numbers of ``_kinds``
Places: TypeAlias = "NDArray[np.intp]"


def stacked(item: Item, args: Columns) -> Columns:
    """Return the arrays that are passed to a target: one row per vector, or one value for a shared argument."""
    if item.vector == 1:
        return args
    rows = (a.reshape(-1, item.vector) for a in args)
    return tuple(r[:, 0].copy() if alone else r for r, alone in zip(rows, item.shared, strict=True))


def flat(item: Item, results: Columns) -> Columns:
    """Return the results for arrays made by ``stacked`` as one array of single calls."""
    return tuple(r.reshape(-1) for r in results) if item.vector > 1 else results


def filled(item: Item, values: Columns) -> Columns:
    """Return the calls, with the last one repeated until the last vector is full."""
    short = -len(values[0]) % item.vector
    return tuple(np.concatenate([v, v[-1:].repeat(short)]) for v in values) if short else values


def arranged(rng: Generator, item: Item, values: Columns) -> Columns:
    """Put calls into vectors: a third of neighbours, a third of neighbours and one other call, a third of unlike calls.

    The number of calls must fill whole vectors.
    """
    rows = _neighbours(item, values)
    thirds = [rows[k::3] for k in range(3)]
    parts = [thirds[0], _with_strangers(rng, thirds[1]), _unlike(rng, thirds[2], values)]
    return _picked(item, values, np.concatenate(parts))


def arranged_twice(rng: Generator, item: Item, values: Columns) -> Columns:
    """Put all calls into vectors twice: next to neighbours only, and next to some or only unlike calls.

    If there are few calls, each is tried next to its neighbours in every component. One call of each kind of special
    arguments is tried in every component next to ordinary calls, and in several components at once.
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
    """Put runs of neighbouring values into vectors: every second run has vectors of its own, the others are mixed."""
    alike, unlike = runs[::2], rng.permutation(runs[1::2])
    (values,) = filled(item, (np.concatenate([alike.reshape(-1), unlike.T.reshape(-1)]),))
    return values


def of_lane(item: Item, values: Columns, vector: Sequence[Sequence[int]], lane: int) -> Columns:
    """Return vectors of ``values``; every second one has the components of ``vector``, except component ``lane``.

    ``vector`` has stored values. A shared argument is the argument of component ``lane``.
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
    """Return the tally with the vector of each example; ``values`` are the calls from the place ``first`` on."""

    def complete(example: Example) -> Example:
        place = example.index - first
        start = place - place % item.vector
        calls = zip(*(_stored(v[start : start + item.vector]) for v in values), strict=True)
        return replace(example, vector=tuple(calls))

    worst = complete(tally.worst) if tally.worst else None
    return replace(tally, worst=worst, failures=tuple(map(complete, tally.failures)))


def _stored(values: np.ndarray) -> list[int]:
    """Return the values as reports store them: encodings of numbers, and ints."""
    plain = values.view(f"u{values.itemsize}") if is_float(values.dtype) else values
    return [int(v) for v in plain]


def _unstored(kind: str, dtype: np.dtype, stored: Sequence[int]) -> np.ndarray:
    return np.array(stored, f"u{dtype.itemsize}").view(dtype) if kind == "gentype" else np.array(stored, dtype)


def _picked(item: Item, values: Columns, rows: Places) -> Columns:
    """Return the calls at ``rows`` of places; a shared argument is the argument of the first component."""
    ways = ((np.broadcast_to(rows[:, :1], rows.shape) if alone else rows) for alone in item.shared)
    return tuple(v[places.reshape(-1)] for v, places in zip(values, ways, strict=True))


def _neighbours(item: Item, values: Columns) -> Places:
    """Return the places of calls, sorted into rows of neighbours."""
    return np.lexsort(values[::-1]).reshape(-1, item.vector)


def _with_strangers(rng: Generator, rows: Places) -> Places:
    """Return rows in which one call per row, at varying positions, is exchanged between rows."""
    mixed, vectors = rows.copy(), np.arange(len(rows))
    lanes = vectors % rows.shape[1]
    mixed[vectors, lanes] = rng.permutation(rows[vectors, lanes])
    return mixed


def _unlike(rng: Generator, rows: Places, values: Columns) -> Places:
    """Return rows of unlike calls; first arguments have different sizes in some rows, second ones in others, etc."""
    return np.concatenate([_of_every_size(rng, rows[k :: len(values)], column) for k, column in enumerate(values)])


def _of_every_size(rng: Generator, rows: Places, column: np.ndarray) -> Places:
    """Return rows of arguments of different sizes; over all rows, every size occurs at every position."""
    count, width = rows.shape
    places = rows.reshape(-1)
    by_size = places[np.argsort(np.abs(column[places]), kind="stable")].reshape(width, count)
    mixed = rng.permuted(by_size, axis=1)
    vectors, lanes = np.ogrid[:count, :width]
    return np.asarray(mixed[(vectors + lanes) % width, vectors])


def _special_among_ordinary(rng: Generator, item: Item, values: Columns) -> Places:
    """Return rows of ordinary calls with special calls (infinity, NaN, zero ...) at one, all or half of positions."""
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
    """Return the kind of each number: zero, subnormal, ordinary, infinite or NaN."""
    form = format_of(column.dtype)
    if form is None:
        return np.where(column == 0, 0, _ORDINARY)
    size = np.abs(column)
    limits = np.array([form.smallest_subnormal, form.smallest_normal, np.inf])
    return np.where(np.isnan(column), len(limits) + 1, np.searchsorted(limits.astype(column.dtype), size, "right"))
