"""Loads, stores and shuffles in tests: the meaning of a name, its inputs, and the call of a result."""

from __future__ import annotations

import functools
import zlib
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from clmath import errors
from clmath.audit.inputs.draws import any_values
from clmath.numbers.datatypes import SCALARS, WIDTHS
from clmath.numbers.formats import HALF
from clmath.testing import bit_inputs
from clmath.testing.strategies.memory import CALLS, TYPES, Access, spelled

__all__ = ["MemoryCall", "memory_call"]

Columns: TypeAlias = "tuple[Any, ...]"

_CALLS = 512  # of a case, unless every number of a type is loaded or stored
_LONG = 64  # numbers in memory; of longer memory, a failure shows one vector


@dataclass(frozen=True)
class MemoryCall:
    """A load, a store or a shuffle; ``n``: the components in its name, 0 if an argument gives them."""

    base: str
    n: int

    @property
    def access(self) -> Access | None:
        """The memory access of a load or a store, or None for a shuffle."""
        kind = CALLS[self.base]
        return None if isinstance(kind, int) else kind

    @property
    def types(self) -> tuple[str, ...]:
        """The types that can be loaded, stored or shuffled."""
        return self.access.types if self.access else TYPES

    @property
    def widths(self) -> tuple[tuple[int, int], ...]:
        """The components of the vectors, and of a shuffle's mask (0 without a mask)."""
        if self.access is None:
            return tuple((m, n) for m in WIDTHS for n in WIDTHS)
        return tuple((n, 0) for n in ((self.n,) if self.n else self.access.widths))

    @property
    def memory(self) -> int | None:
        """The number of the argument that is the memory, or None for a shuffle."""
        return None if self.access is None else 1 + self.access.stores

    @property
    def stored(self) -> int | None:
        """The number of the argument that is written, or None for loads and shuffles."""
        return self.memory if self.access and self.access.stores else None

    def step(self, n: int) -> int:
        """Return how many numbers of the memory one vector occupies."""
        return 4 if self.access and self.access.aligned and n == 3 else n

    def width_of(self, args: Columns) -> int:
        """The components of the vectors that a call loads or stores."""
        access = self.access
        assert access is not None  # shuffles have no memory
        if self.n or len(args) > 2 + access.stores:
            return self.n or int(args[2 + access.stores])
        return 1 if access.names_width else int(np.shape(args[0])[-1])

    def rows(self, args: Columns, low: int, high: int) -> Columns:
        """Return some of the calls of ``args``: cut offsets and data, keep the memory and the number of components."""
        per_call = len(args) if self.memory is None else self.memory
        return (*(a[low:high] for a in args[:per_call]), *args[per_call:])

    def alone(self, args: Columns) -> list[Columns]:
        """Return one call by itself; with a memory: on one vector of it, on two, on all of it."""
        if self.memory is None:
            return [args]
        step, (offset, p) = self.step(self.width_of(args)), args[self.memory - 1 : self.memory + 1]
        place = int(offset[0])
        sparse = np.zeros_like(p)
        sparse[place * step : (place + 1) * step] = p[place * step : (place + 1) * step]
        found = [
            (*args[: self.memory - 1], offset - first, p[first * step : (place + 1) * step], *args[self.memory + 1 :])
            for first in range(place, max(place - 2, -1), -1)
        ]
        return [*found, (*args[: self.memory], sparse, *args[self.memory + 1 :]), args]

    def arguments(self, name: str, type: str, lanes: int, mask: int) -> Columns:
        """Return calls with vectors of ``lanes``: every half, numbers next to boundaries of stores, any others."""
        rng = np.random.default_rng([zlib.crc32(f"{name} {type}".encode()), lanes, mask])
        if self.access is None:
            return self._shuffles(rng, SCALARS[type], lanes, mask)
        values, count = _values(rng, type, lanes, rounded=self.access.stores and self.access.half)
        offset = rng.permutation(count)
        n = () if self.n or not self.access.names_width else (lanes,)
        step = self.step(lanes)
        held = "half" if self.access.half else type
        if not self.access.stores:
            p = np.resize(values, (count, step)).reshape(-1) if step == lanes else _padded(values, count, lanes, step)
            return (offset, p, *n)
        data = values.reshape(count, lanes)
        p = any_values(rng, SCALARS[held], count * step)
        return (data[:, 0] if lanes == 1 else data, offset, p, *n)

    def _shuffles(self, rng: np.random.Generator, dtype: np.dtype, lanes: int, mask: int) -> Columns:
        one_or_two = ["shuffle", "shuffle2"].index(self.base) + 1
        vectors = [any_values(rng, dtype, _CALLS * lanes).reshape(_CALLS, lanes) for _ in range(one_or_two)]
        numbers = rng.integers(0, 256, (_CALLS, mask), np.uint8).astype(f"u{dtype.itemsize}")
        return (*vectors, numbers)

    def check(self, asked_by: str, name: str, args: Columns) -> None:
        """Raise RangeError if a store writes two vectors to one place, because it is unspecified which one is kept."""
        if self.stored is None or len(args) <= self.stored:
            return
        offsets, counts = np.unique(np.asarray(args[self.stored - 1]), return_counts=True)
        if (counts > 1).any():
            raise errors.RangeError(
                f"{asked_by}: offset {offsets[counts > 1][0]} stands twice in args; which vector {name} keeps there is "
                "not said: give it once"
            )

    def call_at(self, args: Columns, place: tuple[int, ...]) -> tuple[tuple[int, ...], Columns, str]:
        """Return the index of the call of the result at ``place``, its arguments, and the number's place as text."""
        if self.access is None:
            outer = np.broadcast_shapes(*(np.shape(a)[:-1] for a in args))
            picked = tuple(np.broadcast_to(a, (*outer, np.shape(a)[-1]))[place[:-1]] for a in args)
            return place[:-1], picked, f"[{place[-1]}]"
        n, position = self.width_of(args), self.memory or 0
        offsets = np.asarray(args[position - 1])
        if self.stored is None:
            index, lane = (place, None) if n == 1 else (place[:-1], place[-1])
            return index, self._picked(args, index, n), "" if lane is None else f"[{lane}]"
        there = np.argwhere(offsets == place[0] // self.step(n))
        if not len(there):
            return (), tuple(np.asarray(a) for a in args), f"[{place[0]}]"
        index = tuple(there[0].tolist())
        picked = self._picked(args, index, n)
        return index, picked, f"[{place[0] + (int(picked[position - 1]) - int(offsets[index])) * self.step(n)}]"

    def _picked(self, args: Columns, index: tuple[int, ...], n: int) -> Columns:
        """Return the arguments of one call; of a long memory only its vector."""
        position = self.memory or 0
        offset, p = np.asarray(args[position - 1])[index], np.asarray(args[position])
        outer = np.shape(args[position - 1])
        lanes = () if n == 1 else (n,)
        data = [np.broadcast_to(a, (*outer, *lanes))[index] for a in args[: position - 1]]
        if len(p) > _LONG:
            first = int(offset) * self.step(n)
            offset, p = np.zeros_like(offset), p[first : first + self.step(n)]
        return (*data, offset, p, *(np.int64(m) for m in args[position + 1 :]))


@functools.lru_cache(maxsize=64)
def memory_call(name: str) -> MemoryCall | None:
    """Return the load, store or shuffle of this name or alias, or None for any other name."""
    found = spelled(name)
    return None if found is None else MemoryCall(*found)


def _values(rng: np.random.Generator, type: str, lanes: int, *, rounded: bool) -> tuple[np.ndarray, int]:
    """Return the numbers of a type to be loaded or stored, in whole vectors."""
    if rounded:
        values = rng.permutation(bit_inputs.conversion_columns("convert_half", type)[0])
    elif type == "half":
        values = rng.permutation(HALF.from_bits(np.arange(1 << 16).astype(np.uint16)))
    else:
        values = any_values(rng, SCALARS[type], _CALLS * lanes)
    count = len(values) // lanes
    return values[: count * lanes], count


def _padded(values: np.ndarray, count: int, lanes: int, step: int) -> np.ndarray:
    """Return vectors of three, each in the place of four; the gaps hold 1."""
    held = np.ones((count, step), values.dtype)
    held[:, :lanes] = values.reshape(count, lanes)
    return held.reshape(-1)
