"""Coordinates for reads with a sampler: at and next to edges and centres of texels, between them, and outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from clmath.audit.plan.sampled_rows import LAYERS, sampling

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.audit.plan.exact_item import ExactItem
    from clmath.audit.plan.sampled_rows import Sampling, Way

__all__ = ["drawn", "structured"]

Columns: TypeAlias = "tuple[NDArray[Any], ...]"

BETWEEN = 11 / 64  # of a texel, behind its edge or its centre: halfway between two weights of 5 bits
FAR = (1000.0, 2.0**20, 2.0**29)  # in texels; slightly beyond the last, (int) is undefined


def structured(item: ExactItem) -> Columns:
    """Edges, quarters and centres of the texels along every axis, and numbers next to them, for each way to read."""
    how = sampling(item.builtin, item.form.name)
    parts = [_in_way(number, _grid(how, way)) for number, way in enumerate(how.ways)]
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


def drawn(item: ExactItem, rng: np.random.Generator, count: int) -> Columns:
    """Coordinates in and around the image, some of them far from it."""
    how = sampling(item.builtin, item.form.name)
    counts = rng.multinomial(count, [1 / len(how.ways)] * len(how.ways)).tolist()
    parts = []
    for number, (way, n) in enumerate(zip(how.ways, counts, strict=True)):
        parts.append(_in_way(number, [_random(rng, axis, n) for axis in _axes(how, way)]))
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    order = rng.permutation(count)
    return tuple(column[order] for column in columns)


class _Axis(NamedTuple):
    """The length of an axis; whether its coordinates are normalized, and whether they must lie within it."""

    size: int
    normalized: bool = False
    inside: bool = False


def _axes(how: Sampling, way: Way) -> list[_Axis]:
    """The axes of the image; of an image array also that of layers, whose coordinate is clamped."""
    sampler = way.sampler
    found = [_Axis(size, sampler.normalized, sampler.addressing == "none") for size in how.sizes]
    return [*found, _Axis(LAYERS)] if how.is_array else found


def _grid(how: Sampling, way: Way) -> list[NDArray[np.float32]]:
    """Each coordinate along one axis, combined with a few along the others."""
    pools = [_points(axis) for axis in _axes(how, way)]
    rng = np.random.default_rng(len(pools))
    rows = [
        [pool if turn == number else rng.choice(pool, len(pools[turn])) for number, pool in enumerate(pools)]
        for turn in range(len(pools))
        for _ in range(4)
    ]
    return [np.concatenate(column) for column in zip(*rows, strict=True)]


def _points(axis: _Axis) -> NDArray[np.float32]:
    """Coordinates along one axis, also where weights of few bits are farthest off, and their neighbours."""
    u = np.arange(-9 * axis.size, 10 * axis.size + 1) / 4.0
    between = np.arange(-2 * axis.size, 4 * axis.size + 1) / 2.0 + BETWEEN
    far = np.array([sign * f for f in FAR for sign in (1.0, -1.0)])
    at = _scaled(axis, np.concatenate([u, between, far]))
    found = np.concatenate([at, np.nextafter(at, np.float32(np.inf)), np.nextafter(at, np.float32(-np.inf))])
    found = found[np.abs(found) >= np.finfo(np.float32).tiny]  # a device may flush a subnormal coordinate
    return _within(axis, np.append(found, np.array([0.0, -0.0], np.float32)))


def _random(rng: np.random.Generator, axis: _Axis, count: int) -> NDArray[np.float32]:
    near = rng.uniform(-2.5 * axis.size, 3.5 * axis.size, count)
    far = rng.choice([1.0, -1.0], count) * 2.0 ** rng.uniform(-24, 29, count)
    u = np.where(rng.random(count) < 0.9, near, far)
    points = rng.choice(_points(axis), count)
    return np.where(rng.random(count) < 0.7, _within(axis, _scaled(axis, u)), points)


def _scaled(axis: _Axis, u: NDArray[np.float64]) -> NDArray[np.float32]:
    return (u / axis.size if axis.normalized else u).astype(np.float32)


def _within(axis: _Axis, s: NDArray[np.float32]) -> NDArray[np.float32]:
    """The same coordinates, moved into the image if reads outside of it are undefined."""
    if not axis.inside:
        return s
    return np.clip(np.abs(s), np.float32(0), np.nextafter(np.float32(axis.size), np.float32(0)))


def _in_way(number: int, places: list[NDArray[np.float32]]) -> Columns:
    """The four columns of coord: the coordinates, 0 for those that are not used, and the number of the way."""
    zero = np.zeros_like(places[0])
    return (*places, *[zero] * (3 - len(places)), np.full_like(zero, number))
