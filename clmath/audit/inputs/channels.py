"""Colours for writes of images: at and next to the borders between two stored codes, and between these borders."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.audit.plan.types import TYPES
from clmath.spec.families import WRITES_PACKED, packed_by

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from clmath.audit.plan.exact_item import ExactItem

__all__ = ["codes", "drawn", "is_written", "structured"]

Doubles: TypeAlias = "NDArray[np.float64]"

# distances from a stored code: rounding to nearest changes at 0.5; a code may be 0.6 from the product, so that the next
# code begins to be allowed at 0.4
TURNS = (0.4, 0.5, 0.6)
BETWEEN = (0.0, 0.1, 0.25, 0.39, 0.41, 0.45, 0.55, 0.59, 0.61)
SPREAD = 1024  # the largest number of codes that are tried, except for 8 bits


def is_written(item: ExactItem) -> bool:
    """Whether a row stores colours as integers, to which they are rounded."""
    return item.builtin.rule in _COLOURS


def structured(item: ExactItem) -> np.ndarray:
    """Return colours about all codes of 8 bits, or some of 16 bits: at ``TURNS``, next to them, and between."""
    return np.concatenate([_about_codes(item, *ends) for ends in _ranges(item)])


def _about_codes(item: ExactItem, least: int, most: int) -> np.ndarray:
    signs, codes = np.array([1.0, -1.0]), _spread(least, most)
    at = np.add.outer(codes, np.multiply.outer(signs, TURNS)).reshape(-1)
    between = np.add.outer(codes, np.multiply.outer(signs, BETWEEN)).reshape(-1)
    turns = _colour(item, at, most)
    return np.concatenate([turns, *_neighbours(turns), _colour(item, between, most)])


def drawn(rng: np.random.Generator, item: ExactItem, count: int) -> np.ndarray:
    """Return colours about random codes: at ``TURNS``, next to them, and anywhere between."""
    parts = np.stack([_drawn_about(rng, item, count, *ends) for ends in _ranges(item)])
    return parts[0] if len(parts) == 1 else parts[rng.integers(0, len(parts), count), np.arange(count)]


def _drawn_about(rng: np.random.Generator, item: ExactItem, count: int, least: int, most: int) -> np.ndarray:
    whole = rng.integers(least - 1, most + 2, count).astype(np.float64)
    turns = rng.choice(np.array(TURNS), count) * rng.choice([1.0, -1.0], count)
    found = _colour(item, whole + np.where(rng.random(count) < 0.5, rng.uniform(-1.0, 1.0, count), turns), most)
    return np.choose(rng.integers(0, 3, count), [found, *_neighbours(found)])


def codes(item: ExactItem) -> np.ndarray:
    """Return every code of the channel that is read."""
    (kind,) = {TYPES[type].dtype for type in item.columns}
    return np.arange(1 << 8 * kind.itemsize, dtype=np.uint32).astype(f"u{kind.itemsize}").view(kind)


def _ranges(item: ExactItem) -> list[tuple[int, int]]:
    """Return the least and greatest code of a channel; for packed channels, of each width of channel."""
    packed = packed_by(item.builtin)
    if packed is not None:
        return [(0, most) for most in sorted({channel.most for channel in packed.channels})]
    info = np.iinfo(item.result.dtype)
    return [(int(info.min), int(info.max))]


def _spread(first: int, last: int) -> Doubles:
    """Return all codes and one beyond each end; if there are more than ``SPREAD``, some, at the ends and about 0."""
    least, most = first - 1, last + 1
    if most - least <= SPREAD:
        return np.arange(least, most + 1, dtype=np.float64)
    near = np.arange(-8, 9)
    found = np.concatenate([np.linspace(least, most, SPREAD).round(), least + 8 + near, near, most - 8 + near])
    return np.unique(found.clip(least, most))


def _colour(item: ExactItem, stored: Doubles, most: int) -> np.ndarray:
    return _COLOURS[item.builtin.rule](stored, most).astype(item.form.dtype)


def _neighbours(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers just below and just above each value."""
    infinity = values.dtype.type(np.inf)
    return np.nextafter(values, -infinity), np.nextafter(values, infinity)


def _normalized(stored: Doubles, most: int) -> Doubles:
    return stored / most


def _linear(stored: Doubles, most: int) -> Doubles:
    """Return the linear colour of an sRGB code, also between codes, close enough for arguments; linear below 0."""
    r = stored / most
    return np.where(r <= 0.04045, r / 12.92, ((np.abs(r) + 0.055) / 1.055) ** 2.4)


_COLOURS: dict[str, Callable[[Doubles, int], Doubles]] = {
    "write normalized": _normalized,
    WRITES_PACKED: _normalized,
    "write srgb": _linear,
    "write srgba": _linear,
}
