"""Puts calls into vectors: neighbours, which mostly take the same branches on a device, and unlike calls."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from clmath.audit.counting.tally import Example, Tally
from clmath.audit.inputs.layout import Columns
from clmath.audit.inputs.values import stored
from clmath.audit.plan.item import Item
from clmath.numbers.formats import format_of, is_float

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
    """Put calls into vectors: a third of neighbours, a third of neighbours and one other call, a third of any calls.

    The number of calls must fill whole vectors.
    """
    rows = _neighbours(item, values)
    return _picked(item, values, np.concatenate([rows[::3], _with_strangers(rng, rows[1::3]), _mixed(rng, rows[2::3])]))


def arranged_twice(rng: Generator, item: Item, values: Columns) -> Columns:
    """Put all calls into vectors twice: next to neighbours only, and next to some or only unlike calls.

    If there are few calls, each is tried next to its neighbours in every component. One call of each kind of special
    arguments is tried in every component next to ordinary calls, and in several components at once.
    """
    whole = filled(item, values)
    rows = _neighbours(item, whole)
    turned = [np.roll(rows.ravel(), k).reshape(rows.shape) for k in range(item.vector if rows.size <= FEW else 1)]
    unlike = _with_strangers(rng, rows[::2]), _mixed(rng, rows[1::2])
    return _picked(item, whole, np.concatenate([*turned, *unlike, _special_among_ordinary(rng, item, whole)]))


def beside(item: Item, values: Columns, vector: Columns, component: int) -> Columns:
    """Return vectors of ``values``; every second one has the calls of ``vector``, except for one component.

    A shared argument is the argument of this component.
    """
    keep, found = np.arange(item.vector) != component, []
    for alone, column, fixed in zip(item.shared, filled(item, values), vector, strict=True):
        rows = column.reshape(-1, item.vector).copy()
        if alone:
            rows[:] = rows[:, component, np.newaxis]
        else:
            rows[1::2, keep] = fixed[keep]
        found.append(rows.reshape(-1))
    return tuple(found)


def with_vectors(item: Item, tally: Tally, values: Columns, first: int) -> Tally:
    """Return the tally with the vector of each example; ``values`` are the calls from the place ``first`` on."""

    def complete(example: Example) -> Example:
        start = (example.index - first) // item.vector * item.vector
        calls = zip(*(stored(v[start : start + item.vector]) for v in values), strict=True)
        return replace(example, vector=tuple(calls))

    worst = complete(tally.worst) if tally.worst else None
    return replace(tally, worst=worst, failures=tuple(map(complete, tally.failures)))


def _picked(item: Item, values: Columns, rows: Places) -> Columns:
    """Return the calls at ``rows`` of places; a shared argument is the argument of the first component."""
    first = np.broadcast_to(rows[:, :1], rows.shape)
    return tuple(v[(first if alone else rows).ravel()] for v, alone in zip(values, item.shared, strict=True))


def _neighbours(item: Item, values: Columns) -> Places:
    """Return the places of calls, sorted into rows of neighbours."""
    return np.lexsort(values[::-1]).reshape(-1, item.vector)


def _mixed(rng: Generator, rows: Places) -> Places:
    """Return rows of any of the calls, which are mostly of different sizes."""
    return rng.permutation(rows.ravel()).reshape(rows.shape)


def _with_strangers(rng: Generator, rows: Places) -> Places:
    """Return rows in which one call per row, at varying positions, is exchanged between rows."""
    mixed, vectors = rows.copy(), np.arange(len(rows))
    components = vectors % rows.shape[1]
    mixed[vectors, components] = rng.permutation(rows[vectors, components])
    return mixed


def _special_among_ordinary(rng: Generator, item: Item, values: Columns) -> Places:
    """Return rows of ordinary calls with special calls (infinity, NaN, zero ...) at one, all or half of positions."""
    kinds = np.stack([_kinds(column) for column in values])
    is_ordinary = kinds == _ORDINARY
    ordinary = np.flatnonzero(is_ordinary.all(axis=0))
    if not len(ordinary):
        return np.empty((0, item.vector), np.intp)
    special = []
    for number, column in enumerate(values):
        others = np.flatnonzero(np.delete(is_ordinary, number, axis=0).all(axis=0))
        is_negative = np.signbit(column) if is_float(column.dtype) else column < 0
        _, first = np.unique(2 * kinds[number, others] + is_negative[others], return_index=True)
        special.append(others[first])
    found, components = np.concatenate(special)[:, np.newaxis], np.arange(item.vector)
    rows = rng.choice(ordinary, (len(found), item.vector + 2, item.vector))
    rows[:, components, components] = rows[:, -2] = rows[:, -1, ::2] = found
    return rows.reshape(-1, item.vector)


def _kinds(column: np.ndarray) -> NDArray[np.int64]:
    """Return the kind of each number: zero, subnormal, ordinary, infinite or NaN."""
    form = format_of(column.dtype)
    if form is None:
        return np.where(column == 0, 0, _ORDINARY)
    limits = np.array([form.smallest_subnormal, form.smallest_normal, np.inf]).astype(column.dtype)
    return np.where(np.isnan(column), len(limits) + 1, np.searchsorted(limits, np.abs(column), "right"))
