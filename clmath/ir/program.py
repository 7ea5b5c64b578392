"""Recorded traces: statements in which every value is assigned once, constants, and the tables they read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["Constant", "Kind", "Operand", "Place", "Program", "Statement", "Tables", "Value"]

Kind: TypeAlias = Literal["double", "long", "bool"]


class Value(NamedTuple):
    """The input or the statement of that number: inputs come first."""

    number: int


class Constant(NamedTuple):
    """A number known in advance: the encoding of a double, an integer, or 0 and 1 for a condition."""

    kind: Kind
    encoding: int


class Place(NamedTuple):
    """One table among all: its ``length`` entries begin at ``first``."""

    first: int
    length: int


Operand: TypeAlias = Value | Constant | Place
Moved = TypeVar("Moved", bound=Operand)


class Statement(NamedTuple):
    """One operation, by the name that the printers use, and its operands."""

    kind: Kind
    operation: str
    operands: tuple[Operand, ...]


@dataclass
class Tables:
    """The tables that programs read, one after the other; equal ones are kept once."""

    _places: dict[bytes, Place] = field(default_factory=dict)
    _entries: list[NDArray[np.float64]] = field(default_factory=list)

    def place(self, table: NDArray[np.float64]) -> Place:
        """The place of ``table``, which is appended if it is new."""
        key = table.tobytes()
        if key not in self._places:
            first = sum(len(one) for one in self._entries)
            self._places[key] = Place(first, len(table))
            self._entries.append(np.ascontiguousarray(table, np.float64))
        return self._places[key]

    @property
    def each(self) -> tuple[NDArray[np.float64], ...]:
        """The tables in their order."""
        return tuple(self._entries)

    @property
    def entries(self) -> NDArray[np.float64]:
        """All entries, or a single zero, as buffers cannot be empty."""
        return np.concatenate(self._entries) if self._entries else np.zeros(1)


@dataclass(frozen=True)
class Program:
    """A traced function: the values of ``inputs``, then ``statements``; the function returns ``outputs``.

    ``names``: the names of arguments and of the values that kernels mark; they do not affect the results.
    """

    inputs: tuple[Kind, ...]
    statements: tuple[Statement, ...]
    outputs: tuple[tuple[Kind, Value | Constant], ...]
    names: Mapping[str, Value | Constant] = field(default_factory=dict, compare=False)

    @classmethod
    def needed(
        cls,
        inputs: Sequence[Kind],
        statements: Sequence[Statement],
        outputs: Sequence[tuple[Kind, Value | Constant]],
        names: Mapping[str, Value | Constant],
    ) -> Program:
        """The program without the statements that no output depends on."""
        count, used = len(inputs), {operand.number for _, operand in outputs if isinstance(operand, Value)}
        for number in range(count + len(statements) - 1, count - 1, -1):
            if number in used:
                used.update(o.number for o in statements[number - count].operands if isinstance(o, Value))
        kept = [number for number in range(count, count + len(statements)) if number in used]
        renumbered = {old: Value(new) for new, old in enumerate([*range(count), *kept])}

        def moved(operand: Moved) -> Moved | Value:
            return renumbered[operand.number] if isinstance(operand, Value) else operand

        return cls(
            tuple(inputs),
            tuple(s._replace(operands=tuple(map(moved, s.operands))) for s in (statements[n - count] for n in kept)),
            tuple((kind, moved(o)) for kind, o in outputs),
            {name: moved(o) for name, o in names.items() if not isinstance(o, Value) or o.number in renumbered},
        )
