"""Inputs of functions of work-groups: a call is a group, and every work-item decides the result of some call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.audit.inputs.operands import pool, random
from clmath.numbers.formats import format_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from clmath.audit.plan.exact_item import ExactItem

__all__ = ["calls_of", "random_columns", "structured"]

Columns: TypeAlias = "tuple[np.ndarray, ...]"

SMALL = 16  # work-items of the largest group in which more pairs of values and more broadcasts are tried
PAIRS = 6  # pairs of a value and another one in one place
ROUNDS = 4  # calls that broadcast each work-item's value


def calls_of(item: ExactItem, count: int) -> int:
    """Return the number of random calls if ``count`` are requested: large groups have fewer, of as many items."""
    return min(count, -(-2 * count // item.width))


def structured(item: ExactItem) -> Columns:
    """Return calls that do not depend on a seed: every place of a broadcast, else groups that one work-item decides."""
    rng, dtype = np.random.default_rng(item.width), np.dtype(item.form.dtype)
    if len(item.builtin.inputs) > 1:
        places = np.tile(np.arange(item.width), ROUNDS if item.width <= SMALL else ROUNDS // 2)
        return _columns(_unlike(rng, dtype, len(places), item.width), places.astype(np.uint32))
    values = pool(dtype)
    turns = np.stack(
        [np.resize(np.roll(values, k), item.width) for k in range(0, len(values), max(item.width // 4, 1))]
    )
    return _columns(np.concatenate([_alike(values, item.width), turns, _one_apart(dtype, item.width)]))


def random_columns(item: ExactItem, rng: np.random.Generator, count: int) -> Columns:
    """Return random calls: a group has small integers, numbers of one size, two values, or numbers of any kind."""
    dtype = np.dtype(item.form.dtype)
    if len(item.builtin.inputs) > 1:
        places = rng.integers(0, item.width, count).astype(np.uint32)
        return _columns(_unlike(rng, dtype, count, item.width), places)
    found = np.empty((count, item.width), dtype)
    kind = rng.integers(0, len(_KINDS), count)
    for number, draw in enumerate(_KINDS):
        here = kind == number
        found[here] = draw(rng, dtype, int(here.sum()), item.width)
    return _columns(found)


def _columns(values: np.ndarray, *others: np.ndarray) -> Columns:
    return (*(np.ascontiguousarray(column) for column in values.T), *others)


def _alike(values: np.ndarray, width: int) -> np.ndarray:
    return np.repeat(values[:, np.newaxis], width, axis=1)


def _one_apart(dtype: np.dtype, width: int) -> np.ndarray:
    """Return groups in which one item differs from the others; each item does in turn."""
    pairs = _pairs(dtype)[: PAIRS if width <= SMALL else PAIRS // 3]
    apart = np.eye(width, dtype=np.bool_)
    return np.concatenate([np.where(apart, dtype.type(other), dtype.type(base)) for base, other in pairs])


def _pairs(dtype: np.dtype) -> list[tuple[Any, Any]]:
    form = format_of(dtype)
    least, most = (-form.largest, form.largest) if form else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    return [(0, 1), (1, 0), (0, most), (most, 0), (0, least), (least, 0)]


def _unlike(rng: np.random.Generator, dtype: np.dtype, count: int, width: int) -> np.ndarray:
    """Return groups of random values, some of them special, of which few are equal."""
    drawn = random(rng, dtype, count * width).reshape(count, width)
    special = rng.choice(pool(dtype), (count, width))
    return np.where(rng.random((count, width)) < 0.25, special, drawn)


def _exactly_added(rng: np.random.Generator, dtype: np.dtype, count: int, width: int) -> np.ndarray:
    """Return integers of any size whose sums neither round nor overflow; floats are multiples of a power of two."""
    form = format_of(dtype)
    room = (form.precision if form else 8 * dtype.itemsize - (dtype.kind == "i")) - (width - 1).bit_length()
    found = _signed(rng, _integers(rng, count, width, room), dtype)
    if form is None:
        return found.astype(dtype)
    units = rng.integers(form.quantum, form.emax - form.precision + 2, (count, 1))
    usual = np.minimum(0, form.emax - form.precision + 1)
    return np.ldexp(found.astype(np.float64), np.where(rng.random((count, 1)) < 0.5, usual, units)).astype(dtype)


def _of_one_size(rng: np.random.Generator, dtype: np.dtype, count: int, width: int) -> np.ndarray:
    """Return groups of numbers of similar size: integers of any length, floats of one binade with random digits."""
    form = format_of(dtype)
    if form is None:
        return _signed(rng, _integers(rng, count, width, 8 * dtype.itemsize), dtype).astype(dtype)
    sizes = np.where(rng.random((count, 1)) < 0.5, 0, rng.integers(form.emin, form.emax, (count, 1)))
    return _signed(rng, np.ldexp(1.0 + rng.random((count, width)), sizes), dtype).astype(dtype)


def _integers(rng: np.random.Generator, count: int, width: int, most: int) -> NDArray[np.int64]:
    """Return integers of at most ``most`` bits; each group has a random limit on the number of bits."""
    bits = rng.integers(1, most + 1, (count, 1)).astype(np.uint64)
    drawn = rng.integers(0, 1 << 64, (count, width), np.uint64)
    found: NDArray[np.int64] = (drawn >> (np.uint64(64) - bits)).view(np.int64)
    return found


def _signed(rng: np.random.Generator, values: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Return the values, a quarter of them with the other sign unless the type is unsigned."""
    return values if dtype.kind == "u" else np.where(rng.random(values.shape) < 0.25, -values, values)


def _of_two_values(rng: np.random.Generator, dtype: np.dtype, count: int, width: int) -> np.ndarray:
    """Return groups of one value, with another value in about one place."""
    one, other = (rng.choice(pool(dtype), (count, 1)) for _ in range(2))
    one = np.where(rng.random((count, 1)) < 0.5, dtype.type(0), one)
    return np.where(rng.random((count, width)) < 1.0 / width, other, one)


def _of_any_kind(rng: np.random.Generator, dtype: np.dtype, count: int, width: int) -> np.ndarray:
    return random(rng, dtype, count * width).reshape(count, width)


_KINDS: tuple[Callable[..., np.ndarray], ...] = (_exactly_added, _of_one_size, _of_two_values, _of_any_kind)
