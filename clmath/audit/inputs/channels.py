"""Colours for writes of images: at and next to the borders between two stored codes, and between these borders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.audit.plan.types import TYPES

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from clmath.audit.plan.exact_item import ExactItem

__all__ = ["codes", "drawn", "is_written", "structured"]

Doubles: TypeAlias = "NDArray[np.float64]"

# of a stored integer: 0.5 is where rounding to nearest turns, 0.6 how far a code may be from the product, 0.4 where the
# code beyond comes within 0.6
TURNS = (0.4, 0.5, 0.6)
BETWEEN = (0.0, 0.1, 0.25, 0.39, 0.41, 0.45, 0.55, 0.59, 0.61)
SPREAD = 1024  # codes of a channel that has more of them


def is_written(item: ExactItem) -> bool:
    """Whether a row stores colours as integers that are found by rounding."""
    return item.builtin.rule in _COLOURS


def structured(item: ExactItem) -> NDArray[Any]:
    """Colours at every code of 8 bits, or codes all over those of 16: at its turns, next to them, and between."""
    signs = np.array([1.0, -1.0])
    at = np.add.outer(_spread(item), np.multiply.outer(signs, TURNS)).reshape(-1)
    between = np.add.outer(_spread(item), np.multiply.outer(signs, BETWEEN)).reshape(-1)
    turns = _colour(item, at)
    return np.concatenate([turns, *_neighbours(turns), _colour(item, between)])


def drawn(rng: np.random.Generator, item: ExactItem, count: int) -> NDArray[Any]:
    """Colours at random codes: at their turns, next to them, and anywhere between."""
    info = np.iinfo(item.result.dtype)
    whole = rng.integers(info.min - 1, info.max + 2, count).astype(np.float64)
    turns = rng.choice(np.array(TURNS), count) * rng.choice([1.0, -1.0], count)
    found = _colour(item, whole + np.where(rng.random(count) < 0.5, rng.uniform(-1.0, 1.0, count), turns))
    return np.choose(rng.integers(0, 3, count), [found, *_neighbours(found)])


def codes(item: ExactItem) -> NDArray[Any]:
    """Every code of the channel that is read."""
    (kind,) = {TYPES[type].dtype for type in item.columns}
    return np.arange(1 << 8 * kind.itemsize, dtype=np.uint32).astype(f"u{kind.itemsize}").view(kind)


def _spread(item: ExactItem) -> Doubles:
    """All codes with one beyond each end, or as many of them as are tried, those at the ends and about 0 among them."""
    info = np.iinfo(item.result.dtype)
    least, most = info.min - 1, info.max + 1
    if most - least <= SPREAD:
        return np.arange(least, most + 1, dtype=np.float64)
    near = np.arange(-8, 9)
    found = np.concatenate([np.linspace(least, most, SPREAD).round(), least + 8 + near, near, most - 8 + near])
    return np.unique(found.clip(least, most))


def _colour(item: ExactItem, stored: Doubles) -> NDArray[Any]:
    return _COLOURS[item.builtin.rule](stored, int(np.iinfo(item.result.dtype).max)).astype(item.form.dtype)


def _neighbours(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The numbers just below and above."""
    infinity = values.dtype.type(np.inf)
    return np.nextafter(values, -infinity), np.nextafter(values, infinity)


def _normalized(stored: Doubles, most: int) -> Doubles:
    return stored / most


def _linear(stored: Doubles, most: int) -> Doubles:
    """The linear colour of an sRGB code between codes, near enough to draw arguments; below 0 the straight part."""
    r = stored / most
    return np.where(r <= 0.04045, r / 12.92, ((np.abs(r) + 0.055) / 1.055) ** 2.4)


_COLOURS: dict[str, Callable[[Doubles, int], Doubles]] = {
    "write normalized": _normalized,
    "write srgb": _linear,
    "write srgba": _linear,
}
