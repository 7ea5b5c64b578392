"""The cases of a test of an implementation: the inputs of a built-in in one type, width and mode."""

from __future__ import annotations

import functools
import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from clmath import errors
from clmath.audit.inputs import layout, structured, vectors
from clmath.audit.inputs.random import calls_of, random_columns
from clmath.audit.inputs.spaced import spaced
from clmath.audit.plan.rows import item_of
from clmath.audit.plan.types import TYPES
from clmath.numbers.datatypes import SCALARS, spelled_type, type_name, type_named
from clmath.spec.builtins import builtins
from clmath.spec.families import by_bits, by_channel, exact_builtin, exact_builtins, keywords
from clmath.spec.synonyms import not_audited, unaudited, unknown_builtin
from clmath.testing.aliases import CONVERSION, Columns, MemoryCall, conversion_columns, memory_call, operand_types
from clmath.testing.bits import exact_functions
from clmath.testing.callers import on_copies

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from clmath.audit.plan.item import Item
    from clmath.callables import AnyFunction
    from clmath.numbers.rounding import Rounding

RANDOM = 8192  # random calls in addition to the structured ones
SPACED = 2 * RANDOM  # the number of random calls for which ``spaced`` leaves out no hundredth of a binade


@dataclass(frozen=True)
class Cell:
    """A built-in in one type and mode; ``width``: components of its vectors, ``mask``: of a shuffle's mask, 0 without.

    ``vector``: components of the vectors on which an elementwise built-in is called; 1 for scalars.
    """

    name: str
    type: str
    width: int
    mode: Rounding
    measured: bool
    mask: int = 0
    vector: int = 1

    def __str__(self) -> str:
        components = max(self.width, self.vector)
        return f"{self.name} {self.type}{components if components > 1 else ''} {self.mode}"

    __repr__ = __str__

    @property
    def memory(self) -> MemoryCall | None:
        """The load, store or shuffle, or None for other built-ins."""
        return memory_call(self.name)

    @property
    def item(self) -> Item | None:
        """The audit's case, or None for conversions, loads, stores and shuffles."""
        row = builtins()[self.name] if self.measured else exact_builtin(self.name)
        is_one = row is not None and row.takes(self.type) and self.memory is None
        return item_of(row, TYPES[self.type], self.width, self.vector) if is_one and row else None

    @property
    def keywords(self) -> dict[str, bool]:
        """Keywords of clmath's function for a call on vectors."""
        row = None if self.measured else exact_builtin(self.name)
        return {} if row is None or self.vector == 1 else keywords(row, vector=True)

    def arguments(self) -> Columns:
        """The auditor's inputs as arrays, one call in each row, equal at every call of this method."""
        if self.memory is not None:
            return self.memory.arguments(self.name, self.type, self.width, self.mask)
        item = self.item
        return conversion_columns(self.name, self.type) if item is None else _arguments(item)

    def picked(self, args: Columns, places: slice | NDArray[np.int64]) -> Columns:
        """Return the calls at ``places`` of ``args``; they keep the memory, and the number of components."""
        per_call = len(args) if self.memory is None or self.memory.memory is None else self.memory.memory
        return (*(a[places] for a in args[:per_call]), *args[per_call:])

    @property
    def stored(self) -> int | None:
        """The number of the argument that is the memory of a store, or None for other built-ins."""
        return None if self.memory is None else self.memory.stored

    def alone(self, args: Columns, place: int) -> list[Columns]:
        """Return one of the calls by itself, in every form that it has."""
        row = self.picked(args, slice(place, place + 1))
        return [row] if self.memory is None else self.memory.alone(row)

    def called(self, function: AnyFunction, args: Columns, keywords: Mapping[str, object]) -> object:
        """Return the function's results for copies of ``args``; for a store, the memory after the call.

        ChangedError if it has written into an argument that is not the memory of a store.
        """
        __tracebackhide__ = True
        result, copies = on_copies(function, args, keywords, self.stored)
        return result if self.stored is None else copies[self.stored]


@functools.lru_cache(maxsize=4)
def _arguments(item: Item) -> Columns:
    columns, alone = structured.structured(item), replace(item, vector=1)
    if not layout.is_exhaustive(alone):
        rng = np.random.default_rng(zlib.crc32(str(item).encode()))
        generated = random_columns(rng, alone, calls_of(alone, RANDOM))
        if item.vector > 1:
            generated = vectors.arranged(rng, item, vectors.filled(item, generated))
        columns = tuple(map(np.concatenate, zip(columns, spaced(item, 0, SPACED), generated, strict=True)))
    if item.vector == 1:
        return layout.arguments(item, columns)
    given = zip(vectors.stacked(item, columns), item.shared, strict=True)
    return tuple(a[:, np.newaxis] if is_shared else a for a, is_shared in given)


def cells(call: str, name: str, types: Iterable[object] | None, modes: Iterable[Rounding]) -> tuple[Cell, ...]:
    """Return a cell for each type (None: all types, as scalars if the built-in is elementwise), width and mode.

    UnknownNameError for a name or a type that is not known.
    """
    known = _types(call, name)
    chosen = [(t, 0) for t in known if t in SCALARS] if types is None else [_checked(call, t, known) for t in types]
    found = tuple(
        cell
        for type, components in dict.fromkeys(chosen)
        for cell in _of_type(name, type, components)
        for cell in [replace(cell, mode=mode) for mode in dict.fromkeys(modes)]
    )
    if not found:
        listed = ", ".join(f"{type}{components}" for type, components in chosen)
        raise errors.UnknownNameError(f"{call}: {name} has no vectors of such a type: {listed}; name scalar types")
    return found


def _types(call: str, name: str) -> tuple[str, ...]:
    """Return the types that gentype, or the operand of a conversion, may have."""
    memory = memory_call(name)
    if memory is not None:
        return memory.types
    measured = builtins().get(name)
    formats = measured.tested if measured else ()
    return formats if measured and name not in by_bits() else formats + _exact_types(call, name)


def _exact_types(call: str, name: str) -> tuple[str, ...]:
    row = exact_builtin(name)
    if name in by_bits() and row is not None:
        return row.tested
    if row is not None and row.rule:  # image channels: arguments of reads are floats
        return row.types if "gentype" in [p.type for p in row.inputs] else row.types[-1:]
    if row is not None and row.chapter == "groups" and len(row.inputs) == 1:
        return row.types
    if CONVERSION.fullmatch(name):
        return operand_types(call, name)
    raise _without_inputs(call, name)


def _without_inputs(call: str, name: str) -> errors.UnknownNameError:
    """Return the error for a ``name`` that is not a built-in, or that has no known inputs."""
    known = {*builtins(), *exact_builtins(), *exact_functions()}
    if name in unaudited():
        return not_audited(call, name, tuple(known))
    if name not in known:
        return unknown_builtin(call, name, tuple(known))
    if name in exact_builtins() and exact_builtins()[name].chapter == "constants":
        return errors.UnknownNameError(f"{call}: {name!r} is a macro without arguments; compare with clmath.{name}")
    generated = "generate them with clmath.testing.strategies and use assert_conforms"
    return errors.UnknownNameError(f"{call}: no inputs of {name!r} are known; {generated}")


def _checked(call: str, type: object, known: tuple[str, ...]) -> tuple[str, int]:
    """Return the scalar type, and the components of a vector type or 0 for a scalar."""
    found = type_named(call, type)
    scalar = type_name(found.dtype)
    if scalar not in known:
        raise errors.not_one_of(call, "types", found.name, known)
    return scalar, found.components if found.components > 1 else 0


def _of_type(name: str, type: str, components: int) -> Iterator[Cell]:
    """Yield the cells of a type, for vectors of ``components`` components, or 0 for scalars or all widths."""
    memory, conversion = memory_call(name), CONVERSION.fullmatch(name)
    cell = Cell(name, type, 0, "rte", measured=False)
    if memory is not None:
        yield from (replace(cell, width=w, mask=mask) for w, mask in memory.forms if components in (0, w))
        return
    if conversion is not None:
        if components in (0, spelled_type(name, conversion["type"]).components):
            yield cell
        return
    measured = builtins().get(name)
    cell = replace(cell, measured=measured is not None and measured.takes(type))
    row = measured if cell.measured and measured else exact_builtin(name)
    assert row is not None  # its types are known
    if row.widths and not by_channel(row):
        yield from (replace(cell, width=width) for width in row.widths if components in (0, width))
    elif row.vectors or not components:
        yield replace(cell, vector=components or 1)
