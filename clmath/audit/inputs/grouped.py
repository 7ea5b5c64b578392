"""Inputs of functions of work-groups: a call is a group, and every work-item decides the result of some call."""

from __future__ import annotations

import numpy as np

from clmath.audit.inputs.layout import Columns
from clmath.audit.inputs.special import pool
from clmath.audit.inputs.streams import any_values
from clmath.audit.plan.exact_item import ExactItem
from clmath.numbers.formats import format_of

Generator = np.random.Generator
SMALL = 16  # work-items of the largest group in which more pairs of values and more broadcasts are tried


def structured(item: ExactItem) -> Columns:
    """Return calls that do not depend on a seed: every place of a broadcast, else groups that one work-item decides."""
    rng, dtype, width = np.random.default_rng(item.width), np.dtype(item.form.dtype), item.width
    if len(item.builtin.inputs) > 1:
        places = np.tile(np.arange(width), 4 if width <= SMALL else 2)
        return _columns(_unlike(rng, dtype, len(places), width), places.astype(np.uint32))
    form, values = format_of(dtype), pool(dtype)
    least, most = (-form.largest, form.largest) if form else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    pairs = [(0, 1), (1, 0), (0, most), (most, 0), (0, least), (least, 0)][: 6 if width <= SMALL else 2]
    one_apart = [np.where(np.eye(width, dtype=np.bool_), dtype.type(b), dtype.type(a)) for a, b in pairs]
    turns = [np.resize(np.roll(values, k), (1, width)) for k in range(0, len(values), max(width // 4, 1))]
    return _columns(np.concatenate([np.repeat(values[:, np.newaxis], width, axis=1), *turns, *one_apart]))


def random_columns(item: ExactItem, rng: Generator, count: int) -> Columns:
    """Return random calls: a group has small integers, numbers of one size, two values, or numbers of any kind."""
    dtype = np.dtype(item.form.dtype)
    if len(item.builtin.inputs) > 1:
        places = rng.integers(0, item.width, count).astype(np.uint32)
        return _columns(_unlike(rng, dtype, count, item.width), places)
    found, kind = np.empty((count, item.width), dtype), rng.integers(0, len(_KINDS), count)
    for number, stream in enumerate(_KINDS):
        here = kind == number
        found[here] = stream(rng, dtype, int(here.sum()), item.width)
    return _columns(found)


def _columns(values: np.ndarray, *others: np.ndarray) -> Columns:
    return (*(np.ascontiguousarray(column) for column in values.T), *others)


def _any(rng: Generator, dtype: np.dtype, count: int, width: int) -> np.ndarray:
    return any_values(rng, dtype, count * width).reshape(count, width)


def _unlike(rng: Generator, dtype: np.dtype, count: int, width: int) -> np.ndarray:
    """Return groups of random values, some of them special, of which few are equal."""
    special = rng.choice(pool(dtype), (count, width))
    return np.where(rng.random((count, width)) < 0.25, special, _any(rng, dtype, count, width))


def _exactly_added(rng: Generator, dtype: np.dtype, count: int, width: int) -> np.ndarray:
    """Return integers of any size whose sums neither round nor overflow; floats are multiples of a power of two."""
    form = format_of(dtype)
    room = (form.precision if form else 8 * dtype.itemsize - (dtype.kind == "i")) - (width - 1).bit_length()
    found = _signed(rng, _integers(rng, count, width, room), dtype)
    if form is None:
        return found.astype(dtype)
    highest = form.emax - form.precision + 1
    units = np.where(rng.random((count, 1)) < 0.5, min(0, highest), rng.integers(form.quantum, highest + 1, (count, 1)))
    return np.ldexp(found.astype(np.float64), units).astype(dtype)


def _of_one_size(rng: Generator, dtype: np.dtype, count: int, width: int) -> np.ndarray:
    """Return groups of numbers of similar size: integers of any length, floats of one binade with random digits."""
    form = format_of(dtype)
    if form is None:
        return _signed(rng, _integers(rng, count, width, 8 * dtype.itemsize), dtype).astype(dtype)
    sizes = np.where(rng.random((count, 1)) < 0.5, 0, rng.integers(form.emin, form.emax, (count, 1)))
    return _signed(rng, np.ldexp(1.0 + rng.random((count, width)), sizes), dtype).astype(dtype)


def _integers(rng: Generator, count: int, width: int, most: int) -> np.ndarray:
    """Return integers of at most ``most`` bits; each group has a random limit on the number of bits."""
    bits = rng.integers(1, most + 1, (count, 1)).astype(np.uint64)
    found: np.ndarray = rng.integers(0, 1 << 64, (count, width), np.uint64) >> (np.uint64(64) - bits)
    return found.view(np.int64)


def _signed(rng: Generator, values: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Return the values, a quarter of them with the other sign unless the type is unsigned."""
    return values if dtype.kind == "u" else np.where(rng.random(values.shape) < 0.25, -values, values)


def _of_two_values(rng: Generator, dtype: np.dtype, count: int, width: int) -> np.ndarray:
    """Return groups of one value, with another value in about one place."""
    one, other = (rng.choice(pool(dtype), (count, 1)) for _ in range(2))
    one = np.where(rng.random((count, 1)) < 0.5, dtype.type(0), one)
    return np.where(rng.random((count, width)) < 1.0 / width, other, one)


_KINDS = (_exactly_added, _of_one_size, _of_two_values, _any)
