"""Coordinates for reads with a sampler: at and next to edges and centres of texels, between them, and outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from clmath.audit.inputs.draws import with_exponents
from clmath.audit.plan.sampled_rows import sampling
from clmath.numbers.formats import FLOAT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.audit.plan.exact_item import ExactItem
    from clmath.audit.plan.sampled_rows import Sampling, Way

__all__ = ["drawn", "structured"]

Columns: TypeAlias = "tuple[np.ndarray, ...]"
Places: TypeAlias = "list[NDArray[np.float32]]"

BETWEEN = 11 / 64  # distance in texels from an edge or a centre: halfway between two weights of 5 bits
AWAY = (-34, -33, -6, -5, 4, 5, 32, 33)  # distances in images from the image, even and odd
MOST_AWAY = 64  # the largest distance in images of random coordinates
FAR = (1000.0, 2.0**20, 2.0**29)  # in texels; slightly beyond the last, (int) is undefined
_AROUND = np.arange(-6, 7) / 4.0  # distances in texels from a border of the image
_CHOSEN = 16  # number of texels with structured coordinates on a longer axis
_COPIES = 2  # calls for each coordinate at a border, with other coordinates inside of the image
_SHARES = (0.35, 0.6)  # cumulative shares of random calls: one axis about a border; all axes inside


def structured(item: ExactItem) -> Columns:
    """Return coordinates at every texel, and at, about and beyond the borders of each axis, for every way to read."""
    how = sampling(item.builtin, item.form.name)
    parts = [_in_way(number, _grid(how, way)) for number, way in enumerate(how.ways)]
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


def drawn(item: ExactItem, rng: np.random.Generator, count: int) -> Columns:
    """Return random coordinates in and around the image, some of them far from it."""
    how = sampling(item.builtin, item.form.name)
    counts = rng.multinomial(count, [1 / len(how.ways)] * len(how.ways)).tolist()
    parts = []
    for number, (way, n) in enumerate(zip(how.ways, counts, strict=True)):
        parts.append(_in_way(number, _random(rng, _axes(how, way), n)))
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    order = rng.permutation(count)
    return tuple(column[order] for column in columns)


class _Axis(NamedTuple):
    """The length of an axis; whether its coordinates are normalized, must lie within it, and select a layer."""

    size: int
    normalized: bool = False
    inside: bool = False
    is_layer: bool = False


def _axes(how: Sampling, way: Way) -> list[_Axis]:
    """Return the axes of the image; an image array also has the axis of layers, whose coordinate is clamped."""
    sampler = way.sampler
    found = [_Axis(size, sampler.normalized, sampler.addressing == "none") for size in how.sizes]
    return [*found, _Axis(how.layers, is_layer=True)] if how.is_array else found


def _grid(how: Sampling, way: Way) -> Places:
    """Return the coordinates of one way to read, axis by axis."""
    axes = _axes(how, way)
    rng = np.random.default_rng(len(axes))
    pools, index = [_points(axis) for axis in axes], np.indices([axis.size for axis in axes]).reshape(len(axes), -1)
    rows = [[_in_texels(axis, at, offset) for axis, at in zip(axes, index, strict=True)] for offset in (0.0, 0.3)]
    for turn, axis in enumerate(axes):
        for points in (*[_borders(axis)] * _COPIES, pools[turn]):
            rows.append(_inside(rng, axes, len(points)))
            rows[-1][turn] = points
    most = max(len(pool) for pool in pools)
    rows.append([rng.choice(pool, most) for pool in pools])
    return [np.concatenate(column) for column in zip(*rows, strict=True)]


def _in_texels(axis: _Axis, index: np.ndarray, offset: object) -> NDArray[np.float32]:
    """Return coordinates ``offset`` texels from the centres of texels with these indices, or from numbers of layers."""
    return _scaled(axis, index + offset + (0.0 if axis.is_layer else 0.5))


def _inside(rng: np.random.Generator, axes: list[_Axis], count: int) -> Places:
    """Return random locations in the image, at least 0.15 texel away from the edges of texels."""
    return [_in_texels(axis, rng.integers(0, axis.size, count), rng.uniform(-0.35, 0.35, count)) for axis in axes]


def _borders(axis: _Axis) -> NDArray[np.float32]:
    """Return coordinates at and about both borders of an axis."""
    return _with_neighbours(axis, np.add.outer([0.0, axis.size], _AROUND).reshape(-1))


def _points(axis: _Axis) -> NDArray[np.float32]:
    """Return coordinates along an axis and beyond: edges, quarters, and where weights of few bits are least exact."""
    tiles = np.add.outer(np.arange(-2, 3) * axis.size, np.arange(-12, 13) / 4.0).reshape(-1)
    chosen = np.unique(np.linspace(-1, axis.size, min(axis.size + 2, _CHOSEN)).round())
    within = np.add.outer(chosen, [0.0, 0.25, 0.5, 0.75, BETWEEN, 0.5 + BETWEEN]).reshape(-1)
    away = np.add.outer(np.multiply(AWAY, axis.size), [0.5, axis.size - 0.75]).reshape(-1)
    far = np.array([sign * f for f in FAR for sign in (1.0, -1.0)])
    return _with_neighbours(axis, np.unique(np.concatenate([tiles, within, away, far])))


def _with_neighbours(axis: _Axis, u: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return coordinates, the floats next to them, 0 and the smallest normal numbers; none is subnormal.

    A device may flush a subnormal coordinate.
    """
    at, tiny = _scaled(axis, u), np.finfo(np.float32).tiny
    found = np.concatenate([at, np.nextafter(at, np.float32(np.inf)), np.nextafter(at, np.float32(-np.inf))])
    found = found[np.abs(found) >= tiny]
    return _within(axis, np.append(found, np.array([0.0, -0.0, tiny, -tiny], np.float32)))


def _random(rng: np.random.Generator, axes: list[_Axis], count: int) -> Places:
    """Return random locations: one axis about a border and the others inside, all inside, or each axis anywhere."""
    near_border, is_inside = _SHARES
    chance, turn = rng.random(count), rng.integers(0, len(axes), count)
    found = []
    for number, (axis, inside) in enumerate(zip(axes, _inside(rng, axes, count), strict=True)):
        about = np.where(turn == number, rng.choice(_borders(axis), count), inside)
        found.append(np.select([chance < near_border, chance < is_inside], [about, inside], _any(rng, axis, count)))
    return found


def _any(rng: np.random.Generator, axis: _Axis, count: int) -> NDArray[np.float32]:
    near = rng.uniform(-2.5 * axis.size, 3.5 * axis.size, count)
    away = rng.uniform(-MOST_AWAY, MOST_AWAY, count) * axis.size
    far = rng.choice([1.0, -1.0], count) * with_exponents(rng, FLOAT, rng.integers(-24, 29, count))
    chance = rng.random(count)
    u = np.select([chance < 0.75, chance < 0.9], [near, away], far)
    points = rng.choice(_points(axis), count)
    return np.where(rng.random(count) < 0.7, _within(axis, _scaled(axis, u)), points)


def _scaled(axis: _Axis, u: NDArray[np.float64]) -> NDArray[np.float32]:
    return (u / axis.size if axis.normalized else u).astype(np.float32)


def _within(axis: _Axis, s: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the coordinates, moved into the image if reads outside of it are undefined."""
    if not axis.inside:
        return s
    end = np.float32(1 if axis.normalized else axis.size)
    return np.clip(np.abs(s), np.float32(0), np.nextafter(end, np.float32(0)))


def _in_way(number: int, places: Places) -> Columns:
    """Return the four columns of coord: the coordinates, 0 for unused ones, and the number of the way to read."""
    zero = np.zeros_like(places[0])
    return (*places, *[zero] * (3 - len(places)), np.full_like(zero, number))
