"""Check that the prover's models of a trace's values contain the values that NumPy computes."""

from __future__ import annotations

import numpy as np
from flint import arb

from clmath.ir.program import Value
from proofs.engine.execution import Real, Whole


def assert_contained(run, found, argument, power):
    """Assert that every value that the prover evaluated is contained in its model, at the argument's place in the cell.

    ``found``: arrays of all values; ``argument``: the number of the value that the cell is about; ``power``: the cell's
    k, for each.
    """
    for i in np.flatnonzero(same_case(run, found)):
        place = arb(found[argument][i].item()) - run.cell.middle
        for number, real in models(run).items():
            value = arb(found[number][i].item()) * arb(2) ** int(-real.power * power[i])
            where = f"value {number} = {found[number][i]!r} for the argument {found[argument][i]!r}"
            assert real.model.range().overlaps(value), f"{where} is out of range"
            assert real.model.off().overlaps(value - real.model.p(place)), f"{where} is too far from its polynomial"
            assert _is_multiple(value, real.grid), f"{where} is no multiple of 2^{real.grid}"


def assert_sums_contained(run, found, argument, power, pairs):
    """Assert it for sums, differences and products of two values, whose common rounding errors combine."""
    known = models(run)
    for i in np.flatnonzero(same_case(run, found)):
        place = arb(found[argument][i].item()) - run.cell.middle
        for first, second in pairs:
            a, b = known[first], known[second]
            x, y = (arb(found[n][i].item()) * arb(2) ** int(-known[n].power * power[i]) for n in (first, second))
            for model, value in ((a.model + b.model, x + y), (a.model - b.model, x - y), (a.model * b.model, x * y)):
                assert model.off().overlaps(value - model.p(place)), f"values {first} and {second}: {value}"


def models(run):
    """The prover's models of doubles, by the number of their value."""
    known = {**run.given, **run._found}
    return {n: v.real if isinstance(v, Whole) else v for n, v in known.items() if isinstance(v, Real | Whole)}


def same_case(run, found):
    """A mask of the arguments to which the execution applies: its decided conditions hold for them."""
    same = np.ones(found[0].shape, bool)
    for about, decided in run.decided.items():
        if isinstance(about, Value):
            same &= found[about.number] == decided
        elif about[0] == "ordered":
            a, b = (np.abs(_concrete(found, operand)) for operand in about[1:])
            same &= ((a >= b) | (a == 0)) == decided
        elif about[0] == "below":
            a, b = (_concrete(found, operand) for operand in about[1:])
            same &= (a < b) == decided
        elif about[0] == "lower":
            known = run._found[about[1]]
            if known.model.range().is_exact():  # the execution decided for one of two values
                same &= found[about[1]] == float(known.model.range())
        else:
            assert about[0] == "positive"
            (operand,) = run.program.statements[about[1] - len(run.program.inputs)].operands
            signed = _concrete(found, operand) * (1 if decided else -1)
            same &= signed >= 0
    return same


def _concrete(found, operand):
    return found[operand.number] if isinstance(operand, Value) else np.int64(operand.encoding).view(np.float64)


def _is_multiple(value, grid):
    return value.is_zero() or (value * arb(2) ** -grid).is_integer()
