"""Parts of the proofs of functions that refine what kernels return: where they change nothing, and what is exact.

Such a function is told the arguments and the parts of an enclosure. What it returns is what it was told wherever one of
the conditions does not hold that it asks for; and where all of them do, it is exact, or lies on the side that it tells.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.ir.program import Constant, Value
from proofs.engine.execution import Execution, constant
from proofs.engine.models import Cell, Unproven
from proofs.engine.proof import OfFamily, Setting
from proofs.families.double_roots import Family
from proofs.families.kinds import any_double
from proofs.families.stated import nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from flint import arb

    from clmath.ir.program import Operand
    from proofs.engine.execution import Real
    from proofs.engine.models import Model
    from proofs.engine.traced import Traced
    from proofs.families.double_roots import Claims

__all__ = [
    "NO_EXPONENT",
    "ZERO",
    "Cases",
    "Exact",
    "Meaning",
    "Never",
    "Refining",
    "Selected",
    "Unchanged",
    "double",
    "is_equality",
    "never_holds",
    "said_of_integers",
    "zero_bits",
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
class Meaning(OfFamily):
    """What conditions, and other values, are: operations on values that have names, and constants.

    An operation is a tuple of its name and what it is applied to.
    """

    family: Refining
    values: Mapping[str, Any]
    name: str = "meaning"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Every value."""
        for which in self.values:
            yield which, 0.0, 0.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Nothing but a statement."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """By the statements themselves."""

        def claims(_: Execution) -> list[tuple[Model, float]]:
            if not self._is(Value(self.family.at[which]), self.values[which]):
                raise Unproven(f"{which} is something else")
            return [nothing(cell)]

        return Setting({}, claims)

    def _is(self, operand: Operand, expected: Any) -> bool:
        """Whether an operand is what is expected."""
        if isinstance(expected, str):
            return operand == Value(self.family.at[expected])
        if isinstance(expected, Constant) or not isinstance(operand, Value):
            return bool(operand == expected)
        if operand.number < len(self.traced.program.inputs):
            return False
        operation, *operands = expected
        statement = self.traced.program.statements[operand.number - len(self.traced.program.inputs)]
        if statement.operation != operation or len(statement.operands) != len(operands):
            return False
        return all(self._is(one, other) for one, other in zip(statement.operands, operands, strict=True))


def double(x: float) -> Constant:
    """A double as traces have it."""
    return Constant("double", int(np.float64(x).view(np.int64)))


@dataclass(frozen=True)
class Exact(OfFamily):
    """What is returned where values are what ``listed`` says, by name: exactly the number that stands beside that.

    The sum of all parts but the bound, which is 0; where there is an exponent, it is 0, too.
    """

    family: Refining
    name: str
    listed: Mapping[Any, tuple[Mapping[str, float | int | bool], int]]

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """All that are listed."""
        for which in self.listed:
            yield which, 0.0, 0.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Nothing but a place in the list."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The values are given."""
        values, expected = self.listed[which]
        given = {self.family.at[name]: _known(cell, value) for name, value in values.items()}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            kinds = [kind for kind, _ in run.program.outputs]
            *parts, err = (run.real_output(i).model for i, kind in enumerate(kinds) if kind == "double")
            if kinds[-1] == "long" and run.output(len(kinds) - 1) != 0:
                raise Unproven("there is an exponent")
            missed = cell.constant(-expected)
            for part in parts:
                missed += part
            return [nothing(cell), (missed, 0.0), (err, 0.0)]

        return Setting(given, claims)


def _known(cell: Cell, value: float | bool) -> Any:
    """A double that is given as one."""
    return constant(cell, value) if isinstance(value, float) else value


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


def zero_bits(traced: Traced, number: int) -> int:
    """How many of the last bits of an encoding are 0 where the condition ``number`` holds, which says nothing else."""

    def statement(operand: Any) -> Any:
        return traced.program.statements[operand.number - len(traced.program.inputs)]

    condition = statement(Value(number))
    masked = statement(condition.operands[0])
    if (condition.operation, condition.operands[1], masked.operation) != ("long.eq", Constant("long", 0), "long.and"):
        raise Unproven("it does not say which bits are zero")
    encoding, mask = masked.operands
    if statement(encoding).operation != "bits" or mask.encoding & (mask.encoding + 1):
        raise Unproven("it says something of other bits")
    return int(mask.encoding).bit_length()


def is_equality(traced: Traced, number: int, *operands: int) -> bool:
    """Whether the condition ``number`` is that two values are equal."""
    statement = traced.program.statements[number - len(traced.program.inputs)]
    return statement.operation.endswith(".eq") and set(statement.operands) == {Value(one) for one in operands}
