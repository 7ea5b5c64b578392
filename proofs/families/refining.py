"""Parts of the proofs of functions that refine what kernels return: where they change nothing, and what is exact.

Such a function is told the arguments and the parts of an enclosure. What it returns is what it was told wherever one of
the conditions does not hold that it asks for; and where all of them do, it is exact, or lies on the side that it tells.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.ir.program import Constant, Value
from proofs.engine.models import Cell, Unproven
from proofs.engine.proof import OfFamily, Setting
from proofs.families.double_roots import Family, Numbers
from proofs.families.kinds import any_double
from proofs.families.logarithm import on_grid
from proofs.families.stated import nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from flint import arb

    from clmath.ir.program import Operand
    from proofs.engine.execution import Execution, Real
    from proofs.engine.models import Model
    from proofs.engine.traced import Traced
    from proofs.families.double_roots import Claims

__all__ = [
    "NO_EXPONENT",
    "ZERO",
    "Cases",
    "Never",
    "Refining",
    "Scaled",
    "Selected",
    "Unchanged",
    "double",
    "is_equality",
    "never_holds",
    "parts_named",
    "said_of_integers",
]

Cases: TypeAlias = "Mapping[str, tuple[Mapping[str, bool], Sequence[tuple[str | int, str | Constant]]]]"
ZERO, NO_EXPONENT = Constant("double", 0), Constant("long", 0)


@dataclass(frozen=True)
class Refining(Family):
    """A function that refines; ``told``: the parts that it is told, in the order of what it returns."""

    told: tuple[Operand, ...] = ()
    refines: bool = True


@dataclass(frozen=True)
class Unchanged(OfFamily):
    """Where all conditions of one of the groups ``needed`` do not hold, the parts come back as they were told.

    By what follows of that by and, or, and not, and what is selected then. Or, where there are ``pairs`` of values,
    the first is the second.
    """

    family: Refining
    needed: Sequence[tuple[str, ...]]
    name: str = "unchanged"
    pairs: tuple[tuple[str, str], ...] = ()

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Every group."""
        for conditions in self.needed:
            yield conditions, 0.0, 0.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Nothing but conditions."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The conditions do not hold."""
        family, traced = self.family, self.traced

        def claims(_: Execution) -> list[tuple[Model, float]]:
            known = dict.fromkeys((family.at[condition] for condition in which), False)
            names = traced.names_where(traced.following(known))
            found: Sequence[Operand] = [operand for _, operand in traced.program.outputs]
            told: Sequence[Operand] = family.told
            if self.pairs:
                found, told = ([Value(family.at[name]) for name in side] for side in zip(*self.pairs, strict=True))
            if [traced.named(operand, names) for operand in found] != [traced.named(o, names) for o in told]:
                raise Unproven(f"where {' and '.join(which)} do not hold something else is returned")
            return [nothing(cell)]

        return Setting({}, claims)


@dataclass(frozen=True)
class Selected(OfFamily):
    """What values are where conditions hold or do not: others, by name, or constants.

    ``cases``: what is known of conditions, and which values are which. No name stands for what is returned.
    """

    family: Refining
    cases: Cases
    name: str = "selected"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Every case."""
        for which in self.cases:
            yield which, 0.0, 0.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Nothing but conditions."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """By the names of what is selected."""
        conditions, values = self.cases[which]
        at, traced = self.family.at, self.traced

        def claims(_: Execution) -> list[tuple[Model, float]]:
            names = traced.names_where(traced.following({at[name]: holds for name, holds in conditions.items()}))
            for value, expected in values:
                found = traced.program.outputs[value][1] if isinstance(value, int) else Value(at[value])
                wanted = Value(at[expected]) if isinstance(expected, str) else expected
                if traced.named(found, names) != traced.named(wanted, names):
                    raise Unproven(f"{value} is not {expected}")
            return [nothing(cell)]

        return Setting({}, claims)


@dataclass(frozen=True)
class Scaled(Numbers):
    """The same, for values that are 2^k times those of the cell, for any k of ``powers``."""

    powers: tuple[int, int] = (-200, 200)

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """The multiples."""
        return Cell(*on_grid(low, high, self.grid), self.powers)


def parts_named(places: Sequence[int], *names: str) -> dict[str, int]:
    """Where values stand, by name."""
    return dict(zip(names, places, strict=True))


def double(x: float) -> Constant:
    """A double as traces have it."""
    return Constant("double", int(np.float64(x).view(np.int64)))


@dataclass(frozen=True)
class Never(OfFamily):
    """The condition ``condition`` does not hold where the value ``of`` lies in ``ends``, as ``read`` has it.

    For one of those that ``by`` names does not, of which that follows. Or, where ``always`` is said, it does.
    """

    family: Refining
    name: str
    of: str
    condition: str
    ends: Sequence[tuple[Any, float, float]]
    read: Callable[[Cell], Any]
    by: tuple[str, ...] = ()
    always: bool = False

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """As they are."""
        yield from self.ends

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of what is given."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The value is given."""

        def claims(run: Execution) -> list[tuple[Model, float]]:
            if self.always and run.value(Value(self.family.at[self.condition])) is not True:
                raise Unproven(f"{self.condition} may not hold")
            if not self.always and not never_holds(run, self.family, self.condition, self.by):
                raise Unproven(f"{self.condition} may hold")
            return [nothing(cell)]

        return Setting({self.family.at[self.of]: self.read(cell)}, claims)


def never_holds(run: Execution, family: Family, condition: str, by: Sequence[str] = ()) -> bool:
    """Whether that condition does not hold on the cell: it, or one of those that ``by`` names, of which it follows."""
    numbers = [family.at[name] for name in by or (condition,)]
    known = {number: False for number in numbers if run.value(Value(number)) is False}
    return family.traced.following(known).get(family.at[condition]) is False


def said_of_integers(family: Family, _which: Any, cell: Cell) -> Any:
    """That a number is an integer is the condition: what it is compared with is one, whatever the number is."""

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        if value("whole").grid < 0:
            raise Unproven("it may be no integer")
        if not is_equality(family.traced, family.at["is integer"], family.at["whole"], family.at["x"]):
            raise Unproven("something else is compared")
        return [nothing(cell)]

    return {"x": any_double(cell)}, claims


def is_equality(traced: Traced, number: int, *operands: int) -> bool:
    """Whether the condition ``number`` is that two values are equal."""
    statement = traced.program.statements[number - len(traced.program.inputs)]
    return statement.operation.endswith(".eq") and set(statement.operands) == {Value(one) for one in operands}
