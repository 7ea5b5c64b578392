"""Traces of kernels, and the places of the values that proofs are about."""

from __future__ import annotations

import functools
import hashlib
import importlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clmath.ir.program import Kind, Operand, Place, Program, Tables, Value
from clmath.ir.trace import trace
from proofs.engine.exactness import Shapes


def all_of(a: bool | None, b: bool | None) -> bool | None:
    """Whether both conditions hold; None where that is not known."""
    return False if a is False or b is False else True if a and b else None


def any_of(a: bool | None, b: bool | None) -> bool | None:
    """Whether one of the conditions holds; None where that is not known."""
    return True if a or b else False if a is False and b is False else None


def not_of(a: bool | None) -> bool | None:
    """Whether the condition does not hold; None where that is not known."""
    return None if a is None else not a


_FOLLOWING: dict[str, Callable[..., bool | None]] = {"bool.and": all_of, "bool.or": any_of, "bool.not": not_of}


@dataclass(frozen=True)
class Traced:
    """The trace of an elementwise function.

    ``second``: the name of the function if it serves some arguments of a kernel, or refines the kernel's results
    (``refines``); "" for the kernel itself.
    """

    program: Program
    tables: NDArray[np.float64]
    second: str = ""
    refines: bool = False

    @functools.cached_property
    def shapes(self) -> Shapes:
        """Which of its statements are sums without error and the like."""
        return Shapes(self.program)

    @functools.cached_property
    def names(self) -> list[str]:
        """A digest for every value: of the operation and its operands, entries of tables included."""
        return self.names_where({})

    def names_where(self, known: Mapping[int, bool], arguments: Sequence[str] = ()) -> list[str]:
        """The digests if conditions with these numbers hold or do not: each selection is replaced by the selected
        value.

        ``arguments``: digests of the arguments, where they are values of another program.
        """
        found = list(arguments) or [f"argument {i}" for i in range(len(self.program.inputs))]
        for statement in self.program.statements:
            condition = statement.operands[0]
            if statement.operation.endswith(".select") and isinstance(condition, Value) and condition.number in known:
                found.append(self.named(statement.operands[1 if known[condition.number] else 2], found))
                continue
            parts = [statement.kind, statement.operation, *(self.named(o, found) for o in statement.operands)]
            found.append(hashlib.sha256("|".join(parts).encode()).hexdigest())
        return found

    def following(self, known: Mapping[int, bool]) -> dict[int, bool]:
        """``known`` conditions, by number, and all that follow of them by and, or, and not."""
        found = dict(known)
        for number, statement in enumerate(self.program.statements, len(self.program.inputs)):
            how = _FOLLOWING.get(statement.operation)
            if how is not None and number not in found:
                parts = [found.get(o.number) if isinstance(o, Value) else None for o in statement.operands]
                result = how(*parts)
                if result is not None:
                    found[number] = result
        return found

    def named(self, operand: Operand, found: Sequence[str]) -> str:
        """The digest of an operand; ``found`` has the digests of values."""
        if isinstance(operand, Value):
            return found[operand.number]
        if isinstance(operand, Place):
            entries = self.tables[operand.first : operand.first + operand.length]
            return hashlib.sha256(entries.tobytes()).hexdigest()
        return f"{operand.kind} {operand.encoding}"

    @property
    def digest(self) -> str:
        """The digest of everything that its results depend on: it changes with an operation, a constant or a table's
        entry.
        """
        results = [self.named(operand, self.names) for _, operand in self.program.outputs]
        return hashlib.sha256("|".join(results).encode()).hexdigest()

    def places(self, function: Callable[..., object], *kinds: Kind) -> list[int]:
        """The numbers of the values that ``function`` returns for the same arguments.

        Raise LookupError if one is not in the trace: the proof is then about something else than the kernel.
        """
        other = traced(function, self.program.inputs, kinds)
        where = {name: number for number, name in reversed(list(enumerate(self.names)))}
        wanted = [other.named(operand, other.names) for _, operand in other.program.outputs]
        missing = [i for i, name in enumerate(wanted) if name not in where]
        if missing:
            raise LookupError(f"{function.__qualname__}: its results {missing} are no values of the kernel")
        return [where[name] for name in wanted]


def traced(function: Callable[..., object], inputs: Sequence[Kind], outputs: Sequence[Kind]) -> Traced:
    """The trace of ``function``, as devices run it."""
    tables = Tables()
    program = trace(function, inputs, outputs, tables)
    return Traced(program, tables.entries)


@functools.cache
def of_kernel(module: str, function: str) -> Traced:
    """Return the trace of a kernel of double arguments, with hi, lo, err and an exponent."""
    kernel = getattr(importlib.import_module(module), function)
    inputs: list[Kind] = ["double"] * len(inspect.signature(kernel).parameters)
    return traced(kernel, inputs, ("double", "double", "double", "long"))
