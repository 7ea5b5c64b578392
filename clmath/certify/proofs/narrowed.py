"""What proofs of fine kernels share: the enclosure of the kernel's own, which it gives where that is closer.

A fine kernel is told an enclosure of the double kernel's and returns that or its own, so that its own is what there is
to prove. Both have the same exponent, as ``exponents_agree`` shows: then nothing is scaled.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clmath.certify.execution import Execution, Power, Real, Residue, constant
from clmath.certify.models import Cell, Model, Unproven
from clmath.certify.proof import OfFamily, Setting
from clmath.certify.traced import Traced, traced
from clmath.engines.device.program import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from flint import arb

    from clmath.engines.device.program import Kind, Operand, Statement

__all__ = ["STEPS", "OfIntegers", "Own", "exponents_agree", "fine_trace", "own_of"]

STEPS = 256  # entries of 2^(j/STEPS)

_PARTS: tuple[Kind, ...] = ("double", "double", "double", "long")


def fine_trace(kernel: Callable[..., Any], arguments: int = 1) -> Traced:
    """The trace of a fine kernel, told its arguments and the parts of an enclosure."""
    return traced(kernel, _PARTS[:arguments] + _PARTS, _PARTS)


@dataclass(frozen=True)
class Own:
    """Where a fine kernel has its own enclosure: whether that is taken, the power of two between both, its exponent."""

    taken: int
    scale: int
    exponent: Operand

    def given(self) -> dict[int, Any]:
        """That it is taken, and has the exponent of the other one."""
        return {self.taken: True, self.scale: one}

    def numbers(self) -> dict[int, Any]:
        """The same as plain data."""
        return {self.taken: True, self.scale: 1.0}


def one(run: Execution) -> Real:
    """The double 1."""
    return constant(run.cell, 1.0)


@dataclass(frozen=True)
class OfIntegers(OfFamily, ABC):
    """What n // STEPS and n % STEPS are for every n, and the power of two that follows from k, for every k.

    The family says where n, and both ``integers``, are.
    """

    name: str = "integers"

    @abstractmethod
    def powers(self) -> range:
        """Every k."""

    @abstractmethod
    def power(self, k: int) -> tuple[int, arb]:
        """Where the trace has the power of two, and what it is."""

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Every rest j, and every k."""
        for j in range(STEPS):
            yield ("j", j), 0.0, 0.0
        for k in self.powers():
            yield ("k", k), 0.0, 0.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Nothing but integers."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """N is given by its rest, or k is."""
        family, (what, integer) = self.family, which
        k, j = family.integers
        given = {family.n: Residue(integer, STEPS)} if what == "j" else {k: integer}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            if what == "j":
                if (run.value(Value(k)), run.value(Value(j))) != (Power(), integer):
                    raise Unproven("k or j is another")
                return [(cell.constant(0), 1.0)]
            place, power = self.power(integer)
            return [(run.real(Value(place)).model - cell.constant(power), 0.0)]

        return Setting(given, claims)


def own_of(whole: Traced) -> Own:
    """What ``enclosures.narrower`` ends with in the trace; LookupError where it does not."""
    program, first = whole.program, len(whole.program.inputs)

    def statement(operand: Operand, operation: str) -> Statement:
        found = program.statements[operand.number - first] if isinstance(operand, Value) else None
        if found is None or found.operation != operation:
            raise LookupError("the kernel does not end with the closer one of two enclosures")
        return found

    taken, scales = set(), []
    for i, (_, output) in enumerate(program.outputs[:3]):
        condition, product, told = statement(output, "double.select").operands
        if told != Value(first - 4 + i):
            raise LookupError(f"the result {i} may be something else than what the kernel is told")
        taken.add(condition)
        scales.append(set(statement(product, "double.mul").operands))
    (scale,) = set.intersection(*scales)
    (condition,) = taken
    (apart,) = (s for s in program.statements if s.operation == "long.sub" and s.operands[1] == Value(first - 1))
    if program.outputs[3][1] != Value(first - 1):
        raise LookupError("the exponent is another than what the kernel is told")
    return Own(condition.number, scale.number, apart.operands[0])  # type: ignore[union-attr]


def exponents_agree(fine: Traced, known: Mapping[int, bool], double: Traced, known_there: Mapping[int, bool]) -> None:
    """LookupError where a fine kernel's own exponent is not what the double kernel computes, by the same operations.

    ``known``, ``known_there``: conditions that hold or not for the arguments in question, in each trace.
    """
    own = fine.named(own_of(fine).exponent, fine.names_where(known))
    other = double.named(double.program.outputs[3][1], double.names_where(known_there))
    if own != other:
        raise LookupError("the exponents of the double and the fine kernel are not the same")
