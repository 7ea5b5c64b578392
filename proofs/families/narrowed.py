"""What proofs of fine kernels share: the enclosure of the kernel's own, which it gives where that is closer.

A fine kernel is told an enclosure of the double kernel's and returns that or its own, so that its own is what there is
to prove. Both have the same exponent, as ``exponents_agree`` shows: then nothing is scaled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.program import Value
from proofs.engine.execution import Execution, Real, constant
from proofs.engine.models import Model, Unproven, upper
from proofs.engine.proof import enclosed, least_of
from proofs.engine.traced import Traced, traced

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from clmath.ir.program import Kind, Operand, Statement

__all__ = ["STEPS", "Own", "exponents_agree", "fine_trace", "own_of", "owns_of", "relaxed"]

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

    def claim(self, run: Execution, ideal: Model) -> list[tuple[Model, float]]:
        """That the kernel's results enclose ``ideal``, with the exponent that it has, which is known."""
        exponent = run.value(self.exponent)
        if not isinstance(exponent, int):
            raise Unproven("the exponent is not known")
        return [enclosed(run, ideal.scaled(arb(2) ** -exponent), (0, 1), 2)]

    def within(self, run: Execution, ideal: Model, counted: Model) -> tuple[Model, float]:
        """The claim that the results, which have no exponent, enclose ``ideal`` with what their bound has beside that.

        ``counted``: what else the bound is for.
        """
        if run.value(self.exponent) != 0:
            raise Unproven("there is an exponent")
        hi, lo, err = (run.real_output(i).model for i in range(3))
        return hi + lo - ideal, least_of(err - counted)

    def numbers(self) -> dict[int, Any]:
        """The same as plain data."""
        return {self.taken: True, self.scale: 1.0}


def one(run: Execution) -> Real:
    """The double 1."""
    return constant(run.cell, 1.0)


def own_of(whole: Traced) -> Own:
    """What ``enclosures.narrower`` ends with in the trace; LookupError where it does not, or several times."""
    found = owns_of(whole)
    if len(found) != 1:
        raise LookupError("the kernel chooses among more than two enclosures")
    return found[0]


def owns_of(whole: Traced) -> tuple[Own, ...]:
    """The same of each enclosure of its own, the last one first; LookupError where it gives something else."""
    program, first = whole.program, len(whole.program.inputs)
    results = [operand for _, operand in program.outputs[:3]]
    found: list[Own] = []
    while results != [Value(first - 4 + i) for i in range(3)]:
        chosen = [_statement(whole, result, "double.select").operands for result in results]
        scales = [set(_statement(whole, product, "double.mul").operands) for _, product, _ in chosen]
        (scale,) = set.intersection(*scales)
        (condition,) = {condition for condition, _, _ in chosen}
        found.append(Own(condition.number, scale.number, _exponent(whole, scale)))  # type: ignore[union-attr]
        results = [told for _, _, told in chosen]  # type: ignore[misc]
    if program.outputs[3][1] != Value(first - 1):
        raise LookupError("the exponent is another than what the kernel is told")
    return tuple(found)


def _statement(whole: Traced, operand: Operand, operation: str) -> Statement:
    """That of an operand."""
    first = len(whole.program.inputs)
    is_one = isinstance(operand, Value) and operand.number >= first
    found = whole.program.statements[operand.number - first] if is_one else None  # type: ignore[union-attr]
    if found is None or found.operation != operation:
        raise LookupError("the kernel does not end with the closer one of two enclosures")
    return found


def _exponent(whole: Traced, scale: Operand) -> Operand:
    """The exponent from which that of what is told is taken off in a power of two."""
    first, pending = len(whole.program.inputs), [scale]
    while pending:
        operand = pending.pop()
        if not isinstance(operand, Value) or operand.number < first:
            continue
        statement = whole.program.statements[operand.number - first]
        if statement.operation == "long.sub" and statement.operands[1] == Value(first - 1):
            return statement.operands[0]
        pending += statement.operands
    raise LookupError("the power of two is of no exponents")


def exponents_agree(
    fine: Traced,
    known: Mapping[int, bool],
    double: Traced,
    known_there: Mapping[int, bool],
    of: Own | None = None,
) -> None:
    """LookupError where a fine kernel's own exponent is not what the double kernel computes, by the same operations.

    ``known``, ``known_there``: conditions that hold or not for the arguments in question, in each trace; ``of``: which
    enclosure, where there are several.
    """
    own = fine.named((of or own_of(fine)).exponent, fine.names_where(known))
    other = double.named(double.program.outputs[3][1], double.names_where(known_there))
    if own != other:
        raise LookupError("the exponents of the double and the fine kernel are not the same")


def relaxed(run: Execution, parts: Sequence[int], ideal: Model) -> tuple[Execution, Model]:
    """The execution where only this is known of the values ``parts``: how far their sum is from ``ideal`` at most.

    And how large all but the first are at most. Also how far the sum is off.
    """
    found = [run.real(Value(number)) for number in parts]
    error = -ideal
    for real in found:
        error += real.model
    total, given = ideal, {}
    if upper(error.range()) != 0.0:
        total += run.cell.unknown(upper(error.range()))
    for number, real in zip(parts[1:], found[1:], strict=True):
        low = run.cell.unknown(upper(real.model.range()))
        run.cell.paired |= set(low.terms)
        total, given[number] = total - low, Real(low, real.grid)
    given[parts[0]] = Real(total, found[0].grid)
    return run.where(given), error
