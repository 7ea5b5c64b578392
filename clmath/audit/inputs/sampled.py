"""Coordinates for sampled reads: edges and centres of texels, next to them, between, outside, far outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.audit.plan.sampled_rows import HEIGHT, WIDTH, sampling

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.audit.plan.exact_item import ExactItem
    from clmath.audit.plan.sampled_rows import Way

__all__ = ["drawn", "structured"]

Columns: TypeAlias = "tuple[NDArray[Any], ...]"

FAR = (1000.0, 2.0**20, 2.0**29)  # texels, beyond which (int) is soon undefined


def structured(item: ExactItem) -> Columns:
    """Edges, quarters and centres of the texels along both axes, and the numbers next to them, in every way."""
    ways = sampling(item.builtin, item.form.name).ways
    parts = [_in_way(number, *_grid(way)) for number, way in enumerate(ways)]
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


def drawn(item: ExactItem, rng: np.random.Generator, count: int) -> Columns:
    """Coordinates in and around the image, some of them far from it."""
    ways = sampling(item.builtin, item.form.name).ways
    counts = rng.multinomial(count, [1 / len(ways)] * len(ways))
    parts = []
    for number, (way, n) in enumerate(zip(ways, counts.tolist(), strict=True)):
        u, v = (_random(rng, way, size, n) for size in (WIDTH, HEIGHT))
        parts.append(_in_way(number, u, v))
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    order = rng.permutation(count)
    return tuple(column[order] for column in columns)


def _grid(way: Way) -> tuple[NDArray[np.float32], ...]:
    """Each coordinate of one axis with a few of the other."""
    x, y = _points(way, WIDTH), _points(way, HEIGHT)
    rng = np.random.default_rng(len(x))
    pairs = [(x, rng.choice(y, len(x))) for _ in range(4)] + [(rng.choice(x, len(y)), y) for _ in range(4)]
    return tuple(np.concatenate(column) for column in zip(*pairs, strict=True))


def _points(way: Way, size: int) -> NDArray[np.float32]:
    """Coordinates along one axis, and their neighbours."""
    u = np.arange(-9 * size, 10 * size + 1) / 4.0
    far = np.array([sign * f for f in FAR for sign in (1.0, -1.0)])
    at = _scaled(way, np.concatenate([u, far]), size)
    found = np.concatenate([at, np.nextafter(at, np.float32(np.inf)), np.nextafter(at, np.float32(-np.inf))])
    found = found[np.abs(found) >= np.finfo(np.float32).tiny]  # a subnormal coordinate may be flushed
    return _inside(way, np.append(found, np.array([0.0, -0.0], np.float32)), size)


def _random(rng: np.random.Generator, way: Way, size: int, count: int) -> NDArray[np.float32]:
    near = rng.uniform(-2.5 * size, 3.5 * size, count)
    far = rng.choice([1.0, -1.0], count) * 2.0 ** rng.uniform(-24, 29, count)
    u = np.where(rng.random(count) < 0.9, near, far)
    points = rng.choice(_points(way, size), count)
    return np.where(rng.random(count) < 0.7, _inside(way, _scaled(way, u, size), size), points)


def _scaled(way: Way, u: NDArray[np.float64], size: int) -> NDArray[np.float32]:
    return (u / size if way.sampler.normalized else u).astype(np.float32)


def _inside(way: Way, s: NDArray[np.float32], size: int) -> NDArray[np.float32]:
    """The same coordinates, brought into the image where those outside are undefined."""
    if way.sampler.addressing != "none":
        return s
    return np.clip(np.abs(s), np.float32(0), np.nextafter(np.float32(size), np.float32(0)))


def _in_way(number: int, u: NDArray[np.float32], v: NDArray[np.float32]) -> Columns:
    """The four columns."""
    return u, v, np.zeros_like(u), np.full_like(u, number)
