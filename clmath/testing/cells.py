"""What a test of an implementation goes through: the inputs of a built-in in one type, width and mode."""

from __future__ import annotations

import functools
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath import errors
from clmath.audit import inputs
from clmath.audit.plan import Item
from clmath.numbers.datatypes import type_named
from clmath.numbers.formats import format_named
from clmath.spec.builtins import EXACT, Builtin, builtins
from clmath.testing import bit_inputs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from clmath.numbers.rounding import Rounding

__all__ = ["Cell", "cells"]

Columns: TypeAlias = "tuple[NDArray[Any], ...]"

RANDOM = 8192  # random calls beside the structured ones


@dataclass(frozen=True)
class Cell:
    """A built-in in one type and mode; ``width``: lanes of its vectors, 0 where it has none."""

    name: str
    type: str
    width: int
    mode: Rounding
    measured: bool

    def __str__(self) -> str:
        lanes = str(self.width) if self.width > 1 else ""
        return f"{self.name} {self.type}{lanes} {self.mode}"

    def arguments(self) -> Columns:
        """The auditor's inputs as arrays, one call in each row: the same whenever they are asked for."""
        return _arguments(self.name, self.type, self.width, self.measured)


@functools.lru_cache(maxsize=4)
def _arguments(name: str, type: str, width: int, measured: bool) -> Columns:
    if not measured:
        row = builtins(*EXACT).get(name)
        return (
            bit_inputs.conversion_columns(name, type) if row is None else bit_inputs.declared_columns(row, type, width)
        )
    item = Item(builtins()[name], format_named(type), width)
    columns = inputs.structured(item)
    if not inputs.is_exhaustive(item):
        rng = np.random.default_rng(zlib.crc32(str(item).encode()))
        drawn = inputs.random_columns(rng, item, RANDOM)
        columns = tuple(np.concatenate(pair) for pair in zip(columns, drawn, strict=True))
    return inputs.arguments(item, columns)


def cells(call: str, name: str, types: Iterable[Any] | None, modes: Iterable[Rounding]) -> tuple[Cell, ...]:
    """A cell for each type (None: all that the built-in has), width and mode.

    UnknownNameError for a name or a type that is not known.
    """
    known = _types(call, name)
    chosen = list(known) if types is None else [_checked(call, t, known) for t in types]
    return tuple(
        Cell(name, type, width, mode, measured)
        for type in dict.fromkeys(chosen)
        for width, measured in _widths(name, type)
        for mode in dict.fromkeys(modes)
    )


def _types(call: str, name: str) -> tuple[str, ...]:
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


def _widths(name: str, type: str) -> Iterator[tuple[int, bool]]:
    """The widths of vectors, and whether errors are measured in ulp."""
    row: Builtin | None = builtins().get(name)
    measured = row is not None and type in [f.name for f in row.formats]
    row = row if measured else builtins(*EXACT).get(name)
    for width in (row.lanes if row else ()) or (0,):
        yield width, measured
