"""Inputs of a sweep (all floats, or random doubles), and which of their results are close to a rounding boundary."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Protocol

import numpy as np

from clmath.audit.inputs.random import random_columns
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
BLOCK = 1 << 14  # elements whose temporaries stay in the cache
CLOSE = 2.0**-40  # relative distance of close results in float
CLOSE_PLACES = 2.0**-10  # distance of close results in double, in ulp


class Population(Protocol):
    """Inputs of format ``form``, swept through the kernels of ``phase`` in ``chunks`` chunks."""

    form: Format
    phase: Phase
    chunks: int

    def arguments(self, function: str, number: int) -> tuple[np.ndarray, ...]:
        """Return the arguments of one chunk."""

    def close(self, value: Enclosure) -> NDArray[np.bool_]:
        """Whether each exact value may lie close to a number or a midpoint."""


class Floats:
    """All 2^32 floats."""

    form = formats.FLOAT
    phase = FAST
    chunks = (1 << 32) // CHUNK

    def arguments(self, function: str, number: int) -> tuple[np.ndarray, ...]:  # noqa: ARG002
        """Return the floats of consecutive encodings."""
        return (np.arange(number * CHUNK, (number + 1) * CHUNK, dtype=np.uint64).astype(np.uint32).view(np.float32),)

    def close(self, value: Enclosure) -> NDArray[np.bool_]:
        """Whether each value is within 2^-40, relatively, of a number or a midpoint."""
        starts = range(0, len(value.hi), BLOCK)
        return np.concatenate([_close_to_float(value.hi[first : first + BLOCK]) for first in starts])


class Doubles:
    """Random doubles, and pairs of doubles: one half uniform over encodings, one half sampled as in an audit."""

    form = formats.DOUBLE
    phase = ACCURATE

    def __init__(self, count: int, seed: int) -> None:
        self.chunks, self.seed = max(count // CHUNK, 1), seed

    def arguments(self, function: str, number: int) -> tuple[np.ndarray, ...]:
        """Return the arguments of one chunk, which depend only on seed, number and function."""
        rng = np.random.default_rng([self.seed, number, zlib.crc32(function.encode())])
        item = Item(builtin(function), self.form)
        sampled = random_columns(rng, item, CHUNK // 2)
        uniform = [rng.integers(0, 2**64, CHUNK // 2, np.uint64).view(d.dtype)[: CHUNK // 2] for d in sampled]
        return tuple(np.concatenate(pair) for pair in zip(sampled, uniform, strict=True))

    def close(self, value: Enclosure) -> NDArray[np.bool_]:
        """Whether each value is within 2^-10 ulp of a number or a midpoint."""
        share = np.abs(value.lo) / np.spacing(np.abs(value.hi))
        near: NDArray[np.bool_] = (share < CLOSE_PLACES) | (np.abs(share - 0.5) < CLOSE_PLACES)
        return near | (np.abs(share - 0.25) < CLOSE_PLACES)  # below a power of two the ulp is half as large


def _close_to_float(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether a relative change of 2^-40 moves each nonzero value onto or across a float or a midpoint."""
    crosses = (values * (1.0 - CLOSE)).astype(np.float32) != (values * (1.0 + CLOSE)).astype(np.float32)
    nearest = np.abs(values.astype(np.float32).astype(np.float64) - values) <= np.abs(values) * CLOSE
    found: NDArray[np.bool_] = (crosses | nearest) & (values != 0.0) & ~np.isnan(values)
    return found


POPULATIONS = {"float": lambda count, seed: Floats(), "double": Doubles}  # noqa: ARG005
