"""Coordinates for reads with a sampler: at and next to edges and centres of texels, between them, and outside."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from clmath.audit.inputs.layout import Columns
from clmath.audit.inputs.streams import generated as numbers_of
from clmath.audit.inputs.streams import with_exponent
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.sampled_rows import Sampling, Way, sampling
from clmath.numbers.formats import FLOAT
from clmath.spec.proposals import around

Floats: TypeAlias = "NDArray[np.float32]"

BETWEEN = 11 / 64  # distance in texels from an edge or a centre: halfway between two weights of 5 bits
AWAY = (-34, -33, -6, -5, 4, 5, 32, 33)  # distances in images from the image, even and odd
MOST_AWAY = 64  # the largest distance in images of random coordinates
FAR = (1000.0, 2.0**20, 2.0**29)  # in texels; slightly beyond the last, (int) is undefined
_CHOSEN = 16  # number of texels with structured coordinates on a longer axis
_COPIES = 2  # calls for each coordinate at a border, with other coordinates inside of the image
_SHARES = (0.35, 0.6)  # cumulative shares of random calls: one axis about a border; all axes inside


def structured(item: ExactItem) -> Columns:
    """Return coordinates at every texel, and at, about and beyond the borders of each axis, for every way to read."""
    how = sampling(item.builtin, item.form.name)
    return _in_ways([_grid(_axes(how, way)) for way in how.ways])


def generated(item: ExactItem, rng: np.random.Generator, count: int) -> Columns:
    """Return random coordinates in and around the image, some of them far from it."""
    how = sampling(item.builtin, item.form.name)
    counts = rng.multinomial(count, [1 / len(how.ways)] * len(how.ways)).tolist()
    columns = _in_ways([_random(rng, _axes(how, way), n) for way, n in zip(how.ways, counts, strict=True)])
    order = rng.permutation(count)
    return tuple(column[order] for column in columns)


def _in_ways(places: list[list[Floats]]) -> Columns:
    """Return the four columns of coord: the coordinates, 0 for unused ones, and the number of the way to read."""
    zero = [np.zeros_like(one[0]) for one in places]
    parts = [
        (*one, *[z] * (3 - len(one)), z + np.float32(k)) for k, (one, z) in enumerate(zip(places, zero, strict=True))
    ]
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


class _Axis(NamedTuple):
    """The length of an axis; whether its coordinates are normalized, must lie within it, and select a layer."""

    size: int
    normalized: bool = False
    inside: bool = False
    is_layer: bool = False

    def scaled(self, texels: NDArray[np.float64]) -> Floats:
        """Return coordinates from distances in texels."""
        return (texels / self.size if self.normalized else texels).astype(np.float32)

    def within(self, s: Floats) -> Floats:
        """Return the coordinates, moved into the image if reads outside of it are undefined."""
        end = np.float32(1 if self.normalized else self.size)
        return np.clip(np.abs(s), np.float32(0), np.nextafter(end, np.float32(0))) if self.inside else s

    def in_texels(self, index: np.ndarray, offset: float | np.ndarray) -> Floats:
        """Return coordinates ``offset`` texels from the centres of texels with these indices, or from layers."""
        return self.scaled(index + offset + (0.0 if self.is_layer else 0.5))

    def with_neighbours(self, texels: NDArray[np.float64]) -> Floats:
        """Return coordinates, the floats next to them, 0 and the smallest normal numbers.

        None is subnormal: a device may flush a subnormal coordinate.
        """
        found, tiny = around(self.scaled(texels), FLOAT, 1), np.finfo(np.float32).tiny
        ends = np.array([0.0, -0.0, tiny, -tiny], np.float32)
        return self.within(np.concatenate([found[np.abs(found) >= tiny], ends]))

    def borders(self) -> Floats:
        """Return coordinates at and about both borders."""
        return self.with_neighbours(np.add.outer([0.0, self.size], np.arange(-6, 7) / 4.0).ravel())

    def points(self) -> Floats:
        """Return coordinates in the image and beyond: edges, quarters, where weights of few bits are least exact."""
        tiles = np.add.outer(np.arange(-2, 3) * self.size, np.arange(-12, 13) / 4.0)
        chosen = np.unique(np.linspace(-1, self.size, min(self.size + 2, _CHOSEN)).round())
        inner = np.add.outer(chosen, [0.0, 0.25, 0.5, 0.75, BETWEEN, 0.5 + BETWEEN])
        away = np.add.outer(np.multiply(AWAY, self.size), [0.5, self.size - 0.75])
        far = np.outer(FAR, [1.0, -1.0])
        return self.with_neighbours(np.unique(np.concatenate([part.ravel() for part in (tiles, inner, away, far)])))

    def random(self, rng: np.random.Generator, count: int) -> Floats:
        """Return random coordinates, most of them near the image, some of them far from it."""
        near = rng.uniform(-2.5 * self.size, 3.5 * self.size, count)
        away = rng.uniform(-MOST_AWAY, MOST_AWAY, count) * self.size
        size = rng.integers(-24, 29, count)
        far, chance = numbers_of(rng, FLOAT, count, lambda stream: with_exponent(stream, size)), rng.random(count)
        texels = np.select([chance < 0.75, chance < 0.9], [near, away], far)
        return np.where(rng.random(count) < 0.7, self.within(self.scaled(texels)), rng.choice(self.points(), count))


def _axes(how: Sampling, way: Way) -> list[_Axis]:
    """Return the axes of the image; an image array also has the axis of layers, whose coordinate is clamped."""
    found = [_Axis(size, way.sampler.normalized, way.sampler.addressing == "none") for size in how.sizes]
    return [*found, _Axis(how.layers, is_layer=True)] if how.is_array else found


def _grid(axes: list[_Axis]) -> list[Floats]:
    """Return the coordinates of one way to read, axis by axis."""
    rng, pools = np.random.default_rng(len(axes)), [axis.points() for axis in axes]
    index = np.indices([axis.size for axis in axes]).reshape(len(axes), -1)
    rows = [[axis.in_texels(at, offset) for axis, at in zip(axes, index, strict=True)] for offset in (0.0, 0.3)]
    for turn, axis in enumerate(axes):
        for points in (*[axis.borders()] * _COPIES, pools[turn]):
            rows.append(_inside(rng, axes, len(points)))
            rows[-1][turn] = points
    rows.append([rng.choice(pool, max(map(len, pools))) for pool in pools])
    return [np.concatenate(column) for column in zip(*rows, strict=True)]


def _inside(rng: np.random.Generator, axes: list[_Axis], count: int) -> list[Floats]:
    """Return random locations in the image, at least 0.15 texel away from the edges of texels."""
    return [axis.in_texels(rng.integers(0, axis.size, count), rng.uniform(-0.35, 0.35, count)) for axis in axes]


def _random(rng: np.random.Generator, axes: list[_Axis], count: int) -> list[Floats]:
    """Return random locations: one axis about a border and the others inside, all inside, or each axis anywhere."""
    near_border, is_inside = _SHARES
    chance, turn = rng.random(count), rng.integers(0, len(axes), count)
    found = []
    for number, (axis, inside) in enumerate(zip(axes, _inside(rng, axes, count), strict=True)):
        about = np.where(turn == number, rng.choice(axis.borders(), count), inside)
        found.append(np.select([chance < near_border, chance < is_inside], [about, inside], axis.random(rng, count)))
    return found
