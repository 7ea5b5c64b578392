"""Built-ins whose names have types, conversions, loads and stores, and shuffles: their meaning, and calls to test."""

from __future__ import annotations

import functools
import re
import zlib
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from clmath import errors
from clmath.audit.inputs.operands import around_boundaries
from clmath.audit.inputs.special import pool
from clmath.audit.inputs.streams import any_values
from clmath.numbers.datatypes import INTEGERS, SCALARS, WIDTHS, spelled_type
from clmath.numbers.formats import FORMATS, HALF, KNOWN

if TYPE_CHECKING:
    from collections.abc import Mapping

CONVERSION = re.compile(r"(?:convert|as)_(?P<type>[a-z]+\d*)(?P<sat>_sat)?(?:_(?P<mode>rt[eznp]))?")
CONVERTED = (*SCALARS, *(form.name for form in KNOWN if form not in FORMATS))  # types that are converted
_COUNT = 1 << 12  # random operands
Columns: TypeAlias = "tuple[Any, ...]"
"""Arrays, one call in each row; of loads and stores also the memory, and how many components a vector has."""
TYPES = (*INTEGERS, *(f.name for f in FORMATS))
_CALLS = 512  # of a case, unless every number of a type is loaded or stored
_LONG = 64  # numbers in memory; of longer memory, a failure shows one vector
_NAME = re.compile(r"(?P<base>v(?:load|store)(?:a?_half)?|shuffle2?)(?P<n>2|3|4|8|16)?(?P<mode>_rt[eznp])?")


def operand_types(call: str, name: str) -> tuple[str, ...]:
    """Return the types whose values a conversion takes; a reinterpretation (``as_int``) takes types of one size."""
    match = CONVERSION.fullmatch(name)
    if match is None or name.startswith("convert"):
        return CONVERTED
    size = spelled_type(call, match["type"]).dtype.itemsize
    return tuple(type for type, dtype in SCALARS.items() if dtype.itemsize == size and dtype.kind != "b")


def conversion_columns(name: str, type: str) -> tuple[np.ndarray]:
    """Operands of a conversion from ``type``: numbers around the points where the result changes, and any others."""
    match = CONVERSION.fullmatch(name)
    assert match is not None  # the types of the name are known
    target = spelled_type(name, match["type"])
    rng = np.random.default_rng(zlib.crc32(f"{name} {type}".encode()))
    source = spelled_type(name, type).dtype
    parts = [pool(source), around_boundaries(rng, source, target.dtype, 1000), any_values(rng, source, _COUNT)]
    values = np.concatenate(parts)
    if target.components == 1:
        return (values,)
    return (np.resize(rng.permutation(values), (len(values), target.components)),)


class MemoryCall(NamedTuple):
    """A load, a store or a shuffle: its types, and the components of its vectors.

    ``stores``: whether it writes into memory; ``half``: whether the memory holds halfs; ``aligned``: whether vectors of
    3 lie in the place of 4. ``names_width``: whether its last argument is the number of components. ``shuffled``: how
    many vectors it shuffles; 0 for loads and stores.
    """

    types: tuple[str, ...] = TYPES
    widths: tuple[int, ...] = WIDTHS
    aligned: bool = False
    stores: bool = False
    names_width: bool = True
    half: bool = False
    shuffled: int = 0

    @property
    def forms(self) -> tuple[tuple[int, int], ...]:
        """The components of the vectors, and of a shuffle's mask (0 without a mask)."""
        return tuple((m, n) for m in self.widths for n in (WIDTHS if self.shuffled else (0,)))

    @property
    def memory(self) -> int | None:
        """The number of the argument that is the memory, or None for a shuffle."""
        return None if self.shuffled else 1 + self.stores

    @property
    def stored(self) -> int | None:
        """The number of the argument that is written, or None for loads and shuffles."""
        return self.memory if self.stores else None

    def step(self, n: int) -> int:
        """Return how many numbers of the memory one vector occupies."""
        return 4 if self.aligned and n == 3 else n

    def width_of(self, args: Columns) -> int:
        """The components of the vectors that a call loads or stores."""
        if len(self.widths) == 1:
            return self.widths[0]
        if len(args) > 2 + self.stores:
            return int(args[2 + self.stores])
        return 1 if self.names_width else int(np.shape(args[0])[-1])

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

    def arguments(self, name: str, type: str, components: int, mask: int) -> Columns:
        """Return calls with vectors of ``components``: every half, numbers next to boundaries of stores, any others."""
        rng = np.random.default_rng([zlib.crc32(f"{name} {type}".encode()), components, mask])
        dtype = SCALARS[type]
        if self.shuffled:
            shape = _CALLS, components
            vectors = [any_values(rng, dtype, _CALLS * components).reshape(shape) for _ in range(self.shuffled)]
            return (*vectors, rng.integers(0, 256, (_CALLS, mask), np.uint8).astype(f"u{dtype.itemsize}"))
        values = _values(rng, type, components, rounded=self.stores and self.half)
        count, step = len(values), self.step(components)
        offset = rng.permutation(count)
        n = (components,) if self.names_width else ()
        if not self.stores:
            held = np.ones((count, step), values.dtype)  # in the place of four, a gap after three holds 1
            held[:, :components] = values
            return (offset, held.reshape(-1), *n)
        p = any_values(rng, SCALARS["half" if self.half else type], count * step)
        return (values[:, 0] if components == 1 else values, offset, p, *n)

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
        if self.memory is None:
            outer = np.broadcast_shapes(*(np.shape(a)[:-1] for a in args))
            picked = tuple(np.broadcast_to(a, (*outer, np.shape(a)[-1]))[place[:-1]] for a in args)
            return place[:-1], picked, f"[{place[-1]}]"
        n = self.width_of(args)
        if not self.stores:
            index, component = (place, "") if n == 1 else (place[:-1], f"[{place[-1]}]")
            return index, self._picked(args, index, n), component
        offsets = np.asarray(args[self.memory - 1])
        there = np.argwhere(offsets == place[0] // self.step(n))
        if not len(there):
            return (), tuple(np.asarray(a) for a in args), f"[{place[0]}]"
        index = tuple(there[0].tolist())
        picked = self._picked(args, index, n)
        moved = int(picked[self.memory - 1]) - int(offsets[index])
        return index, picked, f"[{place[0] + moved * self.step(n)}]"

    def _picked(self, args: Columns, index: tuple[int, ...], n: int) -> Columns:
        """Return the arguments of one call; of a long memory only its vector."""
        position = self.memory or 0
        offset, p = np.asarray(args[position - 1])[index], np.asarray(args[position])
        outer = np.shape(args[position - 1])
        components = () if n == 1 else (n,)
        data = [np.broadcast_to(a, (*outer, *components))[index] for a in args[: position - 1]]
        if len(p) > _LONG:
            first = int(offset) * self.step(n)
            offset, p = np.zeros_like(offset), p[first : first + self.step(n)]
        return (*data, offset, p, *(np.int64(m) for m in args[position + 1 :]))


_KNOWN: Mapping[str, MemoryCall] = {
    "vload": MemoryCall(),
    "vstore": MemoryCall(stores=True, names_width=False),
    "vload_half": MemoryCall(("half",), (1, *WIDTHS), half=True),
    "vstore_half": MemoryCall(("float", "double"), (1, *WIDTHS), stores=True, half=True),
    "vloada_half": MemoryCall(("half",), aligned=True, half=True),
    "vstorea_half": MemoryCall(("float", "double"), aligned=True, stores=True, names_width=False, half=True),
    "shuffle": MemoryCall(shuffled=1),
    "shuffle2": MemoryCall(shuffled=2),
}


@functools.lru_cache(maxsize=64)
def memory_call(name: str) -> MemoryCall | None:
    """Return the load, store or shuffle of this name or alias, or None for any other name."""
    match = _NAME.fullmatch(str(name))
    if match is None:
        return None
    found = _KNOWN[match["base"]]
    n = int(match["n"] or bool(match["mode"]))  # vstore_half_rtz takes scalars
    return found._replace(widths=(n,), names_width=False) if n and not found.shuffled else found


def _values(rng: np.random.Generator, type: str, components: int, *, rounded: bool) -> np.ndarray:
    """Return the numbers of a type to be loaded or stored, in whole vectors."""
    if rounded:
        values = rng.permutation(conversion_columns("convert_half", type)[0])
    elif type == "half":
        values = rng.permutation(HALF.from_bits(np.arange(1 << 16).astype(np.uint16)))
    else:
        values = any_values(rng, SCALARS[type], _CALLS * components)
    return values[: len(values) // components * components].reshape(-1, components)
