"""What is swept: all floats, or doubles drawn at random; and which of their results lie close to a boundary."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from clmath.audit.inputs.drawn import random_columns
from clmath.audit.plan.item import Item
from clmath.kernels import ACCURATE, FAST
from clmath.numbers import formats
from clmath.spec.builtins import builtin

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.kernels import Phase
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Enclosure

__all__ = ["POPULATIONS", "Doubles", "Floats", "Population"]

CHUNK = 1 << 22
BLOCK = 1 << 14  # lanes whose temporaries stay in a cache
CLOSE = 2.0**-40  # of a result in float
CLOSE_PLACES = 2.0**-10  # of the last place of a result in double


class Population(Protocol):
    """``form``, ``phase``: what is swept, by which kernels; ``chunks``: how many there are."""

    form: Format
    phase: Phase
    chunks: int

    def arguments(self, function: str, number: int) -> tuple[NDArray[Any], ...]:
        """The arguments of one chunk."""

    def close(self, value: Enclosure) -> NDArray[np.bool_]:
        """Which exact values may lie close to a number or a midpoint."""


class Floats:
    """All 2^32 floats."""

    form = formats.FLOAT
    phase = FAST
    chunks = (1 << 32) // CHUNK

    def arguments(self, function: str, number: int) -> tuple[NDArray[Any], ...]:  # noqa: ARG002
        """Consecutive encodings."""
        return (np.arange(number * CHUNK, (number + 1) * CHUNK, dtype=np.uint64).astype(np.uint32).view(np.float32),)

    def close(self, value: Enclosure) -> NDArray[np.bool_]:
        """Within 2^-40 of a boundary, relatively."""
        starts = range(0, len(value.hi), BLOCK)
        return np.concatenate([_close_to_float(value.hi[first : first + BLOCK]) for first in starts])


class Doubles:
    """Doubles, and pairs, drawn at random: half of them uniformly random encodings, half as an audit draws them."""

    form = formats.DOUBLE
    phase = ACCURATE

    def __init__(self, count: int, seed: int) -> None:
        self.chunks, self.seed = max(count // CHUNK, 1), seed

    def arguments(self, function: str, number: int) -> tuple[NDArray[Any], ...]:
        """The same for the same seed and number."""
        rng = np.random.default_rng([self.seed, number, zlib.crc32(function.encode())])
        item = Item(builtin(function), self.form)
        drawn = random_columns(rng, item, CHUNK // 2)
        loose = [rng.integers(0, 2**64, CHUNK // 2, np.uint64).view(d.dtype)[: CHUNK // 2] for d in drawn]
        return tuple(np.concatenate(pair) for pair in zip(drawn, loose, strict=True))

    def close(self, value: Enclosure) -> NDArray[np.bool_]:
        """Within 2^-10 of a last place of a number or a midpoint."""
        share = np.abs(value.lo) / np.spacing(np.abs(value.hi))
        near: NDArray[np.bool_] = (share < CLOSE_PLACES) | (np.abs(share - 0.5) < CLOSE_PLACES)
        return near | (np.abs(share - 0.25) < CLOSE_PLACES)  # below a power of two places are half as large


def _close_to_float(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which values other than 0 a relative change of 2^-40 moves onto or across a float or a midpoint of two."""
    crosses = (values * (1.0 - CLOSE)).astype(np.float32) != (values * (1.0 + CLOSE)).astype(np.float32)
    nearest = np.abs(values.astype(np.float32).astype(np.float64) - values) <= np.abs(values) * CLOSE
    found: NDArray[np.bool_] = (crosses | nearest) & (values != 0.0) & ~np.isnan(values)
    return found


POPULATIONS = {"float": lambda count, seed: Floats(), "double": Doubles}  # noqa: ARG005
