"""What a test of an implementation goes through: the inputs of a built-in in one type, width and mode."""

from __future__ import annotations

import functools
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath import errors
from clmath.audit.arguments import layout, structured
from clmath.audit.arguments.drawn import random_columns
from clmath.audit.arguments.spaced import spaced
from clmath.audit.exact.types import TYPES
from clmath.audit.plan import item_of
from clmath.numbers.datatypes import type_named
from clmath.spec.builtins import EXACT, Builtin, builtins
from clmath.spec.families import exact_builtins
from clmath.testing import bit_inputs
from clmath.testing.memory_calls import memory_call

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from clmath.numbers.rounding import Rounding

__all__ = ["Cell", "Columns", "cells"]

Columns: TypeAlias = "tuple[Any, ...]"
"""Arrays, one call in each row; of loads and stores also the memory, and how many lanes a vector has."""

RANDOM = 8192  # random calls beside the structured ones, and those spaced over the domain of one argument


@dataclass(frozen=True)
class Cell:
    """A built-in in one type and mode; ``width``: lanes of its vectors, ``mask`` of that of a shuffle, 0 without."""

    name: str
    type: str
    width: int
    mode: Rounding
    measured: bool
    mask: int = 0

    def __str__(self) -> str:
        lanes = str(self.width) if self.width > 1 else ""
        return f"{self.name} {self.type}{lanes} {self.mode}"

    def arguments(self) -> Columns:
        """The auditor's inputs as arrays, one call in each row: the same whenever they are asked for."""
        memory = memory_call(self.name)
        if memory is not None:
            return memory.arguments(self.name, self.type, self.width, self.mask)
        return _arguments(self.name, self.type, self.width, self.measured)

    def rows(self, args: Columns, low: int, high: int) -> Columns:
        """The calls from ``low`` to ``high`` among those of ``args``."""
        memory = memory_call(self.name)
        return tuple(a[low:high] for a in args) if memory is None else memory.rows(args, low, high)

    def alone(self, args: Columns, place: int) -> list[Columns]:
        """One of the calls by itself, in every form that it has."""
        memory, row = memory_call(self.name), self.rows(args, place, place + 1)
        return [row] if memory is None else memory.alone(row)

    def called(self, function: Callable[..., Any], args: Columns, keywords: Mapping[str, Any]) -> Any:
        """What the function gives for copies of ``args``; of a store, the memory that it leaves."""
        copies = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
        result, memory = function(*copies, **keywords), memory_call(self.name)
        return result if memory is None or memory.stored is None else copies[memory.stored]


@functools.lru_cache(maxsize=4)
def _arguments(name: str, type: str, width: int, measured: bool) -> Columns:
    row = builtins()[name] if measured else exact_builtins().get(name)
    if row is None or not row.takes(type):
        return bit_inputs.conversion_columns(name, type)
    item = item_of(row, TYPES[type], width)
    columns = structured.structured(item)
    if not layout.is_exhaustive(item):
        rng = np.random.default_rng(zlib.crc32(str(item).encode()))
        drawn = random_columns(rng, item, RANDOM)
        columns = tuple(map(np.concatenate, zip(columns, spaced(item, 0, RANDOM), drawn, strict=True)))
    return layout.arguments(item, columns)


def cells(call: str, name: str, types: Iterable[Any] | None, modes: Iterable[Rounding]) -> tuple[Cell, ...]:
    """A cell for each type (None: all that the built-in has), width and mode.

    UnknownNameError for a name or a type that is not known.
    """
    known = _types(call, name)
    chosen = list(known) if types is None else [_checked(call, t, known) for t in types]
    return tuple(
        Cell(name, type, width, mode, measured, mask)
        for type in dict.fromkeys(chosen)
        for width, measured, mask in _widths(name, type)
        for mode in dict.fromkeys(modes)
    )


def _types(call: str, name: str) -> tuple[str, ...]:
    memory = memory_call(name)
    if memory is not None:
        return memory.types
    measured = builtins().get(name)
    formats = tuple(f.name for f in measured.formats) if measured else ()
    if measured and name not in builtins(*EXACT):
        return formats
    return formats + bit_inputs.types_of(call, name)


def _checked(call: str, type: Any, known: tuple[str, ...]) -> str:
    found = type_named(call, type).name
    if found not in known:
        raise errors.not_one_of(call, "types", found, known)
    return found


def _widths(name: str, type: str) -> Iterator[tuple[int, bool, int]]:
    """The widths of vectors, whether errors are measured in ulp, and the widths of masks."""
    memory = memory_call(name)
    if memory is not None:
        yield from ((width, False, mask) for width, mask in memory.widths)
        return
    row: Builtin | None = builtins().get(name)
    measured = row is not None and type in [f.name for f in row.formats]
    row = row if measured else exact_builtins().get(name)
    for width in (row.widths if row else ()) or (0,):
        yield width, measured, 0
