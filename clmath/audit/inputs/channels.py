"""Colours for writes of images: at and next to the borders between two stored codes, and between these borders."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from clmath.audit.inputs.layout import dtypes
from clmath.audit.plan.exact_item import ExactItem
from clmath.spec.families import WRITES_PACKED, packed_by
from clmath.spec.proposals import around

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
    found = []
    for least, most in _ranges(item):
        codes = _spread(least, most)
        at, between = (
            _colour(item, np.add.outer(codes, [*some, *(-t for t in some)]), most) for some in (TURNS, BETWEEN)
        )
        found += [around(at, item.form, 1), between]
    return np.concatenate(found)


def generated(rng: np.random.Generator, item: ExactItem, count: int) -> np.ndarray:
    """Return colours about random codes: at ``TURNS``, next to them, and anywhere between."""
    ranges = _ranges(item)
    least, most = np.array(ranges)[rng.integers(0, len(ranges), count)].T
    turns = rng.choice([*TURNS, *(-turn for turn in TURNS)], count)
    apart = np.where(rng.random(count) < 0.5, rng.uniform(-1.0, 1.0, count), turns)
    at = _colour(item, rng.integers(least - 1, most + 2) + apart, most)
    return np.choose(rng.integers(0, 3, count), around(at, item.form, 1).reshape(3, -1))


def codes(item: ExactItem) -> np.ndarray:
    """Return every code of the channel that is read."""
    (kind,) = set(dtypes(item))
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


def _colour(item: ExactItem, stored: Doubles, most: int | np.ndarray) -> np.ndarray:
    return _COLOURS[item.builtin.rule](stored / most).ravel().astype(item.form.dtype)


def _linear(r: Doubles) -> Doubles:
    """Return the linear colour of an sRGB code, also between codes, close enough for arguments; linear below 0."""
    return np.where(r <= 0.04045, r / 12.92, ((np.abs(r) + 0.055) / 1.055) ** 2.4)


_COLOURS: dict[str, Callable[[Doubles], Doubles]] = {
    "write normalized": np.asarray,
    WRITES_PACKED: np.asarray,
    "write srgb": _linear,
    "write srgba": _linear,
}
