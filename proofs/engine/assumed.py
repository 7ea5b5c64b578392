"""Statements of lemmas on models: properties as known values of executions, claims as models with bounds."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from clmath.ir.program import Constant, Kind, Statement, Value
from proofs import terms
from proofs.engine import execution, ideals
from proofs.engine.execution import Execution, Real
from proofs.engine.models import Cell, Model, Unproven, half_ulp, lower, upper
from proofs.engine.traced import Traced, of_kernel
from proofs.terms import RESULTS, Bounded, Claim, Number, OnGrid, Property, Term

_SIZES: Mapping[str, Callable[[Model], float]] = {
    "least": lambda model: max(lower(model.range()), 0.0) if model.range().lower() > 0 else 0.0,
    "least_size": lambda model: lower(model.range()),
    "most": lambda model: upper(model.range()),
}
_Proven = list[tuple[Model, float]]


def place(kernel: Traced, name: str) -> Value | Constant:
    """Return the operand of that name: a result, a marked value or an argument."""
    results = RESULTS.get(len(kernel.program.outputs), ())
    if results and results[0] in kernel.program.names:  # of a function that refines the results it is given
        results = tuple(f"new_{result}" for result in results)
    if name in results:
        return kernel.program.outputs[results.index(name)][1]
    if name not in kernel.program.names:
        raise LookupError(f"no value of the kernel is called {name}; there are {', '.join(kernel.program.names)}")
    return kernel.program.names[name]


def grid_of(number: Number, low: arb, high: arb) -> int:
    """Return the power of two that divides all doubles of a cell: from their bits, or from the property.

    A cell that contains zero has doubles of all sizes.
    """
    said = execution.LEAST if number.grid is None else number.grid
    is_known = number.value == terms.VARIABLE and not low < 0 < high
    least = min(float(low.abs_lower()), float(high.abs_lower())) if is_known else 0.0
    return max(said, math.frexp(least)[1] - number.bits) if least else said


@dataclass(frozen=True)
class Assumed:
    """The properties of a statement on a cell.

    ``free``: models of the names that no value of the kernel has, found while the properties are interpreted;
    ``before``: models of the values of the kernel that the properties so far say; ``ideals``: models of the exact
    values of steps, by the identities of their terms: each is a part of the next.
    """

    kernel: Traced
    cell: Cell
    properties: Mapping[str, Property]
    series: int
    free: dict[str, Model] = field(default_factory=dict)
    before: dict[str, Model] = field(default_factory=dict)
    ideals: dict[int, Model] = field(default_factory=dict)

    @cached_property
    def given(self) -> dict[int, Any]:
        """The known values of executions, by their numbers in the program."""
        names, given = self.kernel.program.names, {}
        for name, found in self.properties.items():
            if name not in names:
                assert isinstance(found, Number), name
                self.free[name] = self._model(found)
        for name, found in self.properties.items():
            operand = names.get(name)
            if isinstance(operand, Value):
                given[operand.number] = self._known(name, found)
        conditions = {number: found for number, found in given.items() if isinstance(found, bool)}
        return {**self.kernel.following(conditions), **given}

    def _model(self, number: Number, run: Execution | None = None) -> Model:
        before = len(self.cell.bounds)
        model = self._as_model(self._term(run, number.value))
        if number.paired and not model.rest.is_zero():
            model = model.named()
        own = set(range(before, len(self.cell.bounds))) or set(model.terms)
        if number.paired:
            self.cell.paired |= own
        if number.wide:
            self.cell.wide |= own
        return model

    def _known(self, name: str, found: Property) -> Any:
        """Return a property as executions know values."""
        if isinstance(found, Number):
            if found.value.names() & set(self.kernel.program.names) - set(self.properties):
                return lambda run: self._real(found, run)
            real = self._real(found)
            self.before[name] = real.model
            if found.value.operation == "number" and not found.power:
                return execution.constant(self.cell, float(found.value.operands[0]))
            return real
        if isinstance(found, terms.Times):
            return lambda run: _times(run.real(place(self.kernel, found.name)), found.power)
        if isinstance(found, terms.Computed):
            return lambda run: self._computed(run, name, found)
        if isinstance(found, terms.Exponent) and found.number:
            return self._counted(name, found)
        return _integer(found)

    def _real(self, found: Number, run: Execution | None = None) -> Real:
        return Real(self._model(found, run), grid_of(found, self.cell.low, self.cell.high), found.power, found.bits)

    def _computed(self, run: Execution, name: str, found: terms.Computed) -> Real:
        """Return a computed value with its errors as paired terms, or as the only possible number."""
        operand = place(self.kernel, name)
        assert isinstance(operand, Value)
        given = {number: known for number, known in run.given.items() if number != operand.number}
        real = replace(run, given=given).real(operand)
        if found.alone:
            return run.alone(real)
        self.cell.paired |= set(real.model.terms)
        return real

    def _counted(self, name: str, found: terms.Exponent) -> Any:
        """Return the exponent as a number between its ends, and as the integer where both ends are equal."""
        low, high = sorted(found.sign * q + found.added for q in self.cell.powers)
        real = execution.constant(self.cell, float(low))
        if low < high:
            real = Real(self.cell.constant((low + high) / 2) + self.cell.unknown((high - low) / 2), 0)
        self.free[name] = real.model
        if self._kind(name) == "double":
            return real
        return low if low == high else execution.Power(found.added, found.sign, real)

    def _kind(self, name: str) -> Kind:
        operand = place(self.kernel, name)
        if isinstance(operand, Constant):
            return operand.kind
        inputs = self.kernel.program.inputs
        first = operand.number - len(inputs)
        return inputs[operand.number] if first < 0 else self.kernel.program.statements[first].kind

    def through(self, run: Execution, step: terms.Through) -> Execution:
        """Return the execution in which nothing is known of values but how far their sum is from an exact value."""
        numbers = [operand.number for name in step.names if isinstance(operand := place(self.kernel, name), Value)]
        found = [run.real(Value(number)) for number in numbers]
        ideal = self.ideals[id(step.ideal)] = self._as_model(self._term(run, step.ideal))
        total, error = ideal, upper(sum((real.model for real in found), -ideal).range())
        if error:
            total += self.cell.unknown(error)
        given = {}
        for number, real in zip(numbers[1:], found[1:], strict=True):
            low = self.cell.unknown(upper(real.model.range()))
            self.cell.paired |= set(low.terms)
            total, given[number] = total - low, Real(low, real.grid)
        return run.where({**given, numbers[0]: Real(total, found[0].grid)})

    def all_claims(self, run: Execution, statement: terms.Statement) -> _Proven:
        """Return all claims of a statement as pairs."""
        for step in statement.through:
            run = self.through(run, step)
        return [pair for claim in statement.claims for pair in self.claims(run, claim)] or [
            (self.cell.constant(0), 1.0)
        ]

    def claims(self, run: Execution, claim: Claim) -> _Proven:
        """Return a claim as pairs: a model whose size is to be bounded, and the bound; Unproven where it is false."""
        if isinstance(claim, Bounded):
            bound = self._bound(run, claim.bound, claim.power)
            if claim.rounded is not None:
                bound -= half_ulp(self._bound(run, claim.rounded, claim.power))
            return [(self._as_model(self._term(run, claim.error, claim.power)), bound)]
        if isinstance(claim, terms.When):
            chosen = claim.claims if run.holds(place(self.kernel, claim.condition)) else claim.otherwise
            return [pair for one in chosen for pair in self.claims(run, one)]
        if isinstance(claim, terms.OfNegative):
            return self.claims(run.mirrored(), claim.claim)
        if not self._is_so(run, claim):
            raise Unproven(f"{claim} does not hold")
        return [(self.cell.constant(0), 1.0)]

    def _is_so(self, run: Execution, claim: Claim) -> bool:
        """Whether a claim without a bound holds."""
        match claim:
            case OnGrid(name, grid, bits, power):
                real = run.real(place(self.kernel, name))
                least = real.grid + min((real.power - power) * k for k in self.cell.powers)
                return real.width <= bits and least >= grid
            case terms.Even(name):
                operand = place(self.kernel, name)
                return run.real(operand).model is run.mirrored().real(operand).model
            case terms.Is(name, expected):
                found = run.value(place(self.kernel, name))
                choice = expected if isinstance(expected, tuple) else (expected,)
                return any(found == _integer(one) and type(found) is type(_integer(one)) for one in choice)
            case terms.Same(name, other):
                return self._expression(name) == self._expression(other)
            case terms.SameIn(name, module, function):
                there, here = of_kernel(module, function), self.kernel
                return there.named(place(there, name), there.names) == here.named(place(here, name), here.names)
            case terms.Formula(name, operation):
                return self._matches(place(self.kernel, name), operation)
            case terms.Calls(names, program, tables, arguments):
                called = Traced(program, tables)
                given = called.names_where({}, [self._expression(argument) for argument in arguments])
                results = [called.named(operand, given) for _, operand in called.program.outputs]
                return [self._expression(result) for result in names] == results
            case terms.RestOfSum(high, low):
                return self._is_rest(run, place(self.kernel, high), place(self.kernel, low))
        raise AssertionError(claim)

    @cached_property
    def _expressions(self) -> list[str]:
        """Digests of all values where the assumed conditions hold."""
        known = {number: found for number, found in self.given.items() if isinstance(found, bool)}
        return self.kernel.names_where(self.kernel.following(known))

    def _expression(self, name: str) -> str:
        return self.kernel.named(place(self.kernel, name), self._expressions)

    def _is_rest(self, run: Execution, high: Value | Constant, low: Value | Constant) -> bool:
        if not isinstance(low, Value) or execution.theorem(run, low.number) != "fast_two_sum, second":
            return False
        back = self._statement(low).operands[0]
        return isinstance(back, Value) and self._statement(back).operands[1] == high

    def _statement(self, value: Value) -> Statement:
        return self.kernel.program.statements[value.number - len(self.kernel.program.inputs)]

    def _matches(self, operand: Any, expected: Any) -> bool:
        if isinstance(expected, str):
            return bool(operand == place(self.kernel, expected))
        if not isinstance(expected, tuple):
            is_constant = isinstance(operand, Constant)
            is_double = is_constant and operand.kind == "double"
            return is_constant and operand.encoding == int(
                np.float64(expected).view(np.int64) if is_double else expected
            )
        if not isinstance(operand, Value) or operand.number < len(self.kernel.program.inputs):
            return False
        statement, (operation, *operands) = self._statement(operand), expected
        return statement.operation == operation and all(map(self._matches, statement.operands, operands))

    # bounds and terms

    def _bound(self, run: Execution | None, bound: Term, power: int) -> float:
        """Return a number that is at most the bound."""
        name, operands = bound.operation, bound.operands
        if name in _SIZES:
            return _SIZES[name](self._as_model(self._term(run, operands[0], power)))
        if name == "number":
            return float(operands[0])
        parts = [self._bound(run, one, power) for one in operands]
        match name:
            case "add":
                return sum(parts)
            case "mul":
                return math.prod(parts)
            case "lesser":
                return min(parts)
            case "half_unit":
                return half_ulp(parts[0])
        raise Unproven(f"a bound is {name}")

    def _as_model(self, found: Model | arb) -> Model:
        return found if isinstance(found, Model) else self.cell.constant(found)

    def _term(self, run: Execution | None, t: Term, power: int = 0) -> Model | arb:
        """Return a term as a number, or as a model where the term depends on the cell."""
        name, operands = t.operation, t.operands
        if id(t) in self.ideals:
            return self.ideals[id(t)]
        match name:
            case "number":
                return _number(operands[0])
            case "power_of_2":
                return _power_of_2(operands[0])
            case "variable":
                return self.cell.argument()
            case "unknown":
                return self.cell.unknown(self._bound(run, operands[0], power))
            case "value":
                return self._value(run, operands[0], power)
            case "precise":
                with ctx.workprec(operands[1]):
                    return self._term(run, operands[0])
            case "distance":
                number = self._term(run, operands[0])
                assert isinstance(number, arb)
                return ideals.least_distance(number, *operands[1:])
            case "least" | "least_size" | "most" | "lesser":
                return arb(self._bound(run, t, power))
        return self._operation(name, *(self._term(run, one, power) for one in operands))

    def _operation(self, name: str, *parts: Model | arb) -> Model | arb:
        """Return an operation on numbers and models."""
        if name in {"add", "mul"}:
            return _on_both(name, *parts)
        (x,) = parts
        match name:
            case "neg":
                return -x
            case "two_to":
                return _two_to(self._as_model(x))
            case "log_gamma_1p":
                return ideals.log_gamma_1p(self._as_model(x))
            case "gamma_less_pole":
                return ideals.gamma_less_pole(self._as_model(x))
            case "erfcx":
                return _on_both("mul", self._applied("exp", _on_both("mul", x, x)), self._applied("erfc", x))
        return self._applied(name, x)

    def _applied(self, name: str, x: Model | arb) -> Model | arb:
        return ideals.applied(name, x, self.series) if isinstance(x, Model) else ideals.FUNCTIONS[name].of_number(x)

    def _value(self, run: Execution | None, name: str, power: int) -> Model:
        if name in self.free:
            return self.free[name]
        if run is None and name in self.before:
            return self.before[name]
        if run is None:
            raise LookupError(f"{name} is not assumed before it is used")
        operand = place(self.kernel, name)
        if self._kind(name) == "long":
            return run.whole(operand)
        found = run.real(operand)
        if found.power != power and name not in self.properties:
            raise Unproven(f"{name} has 2^q {found.power} times, not {power} times")
        return found.model


def _on_both(name: str, a: Model | arb, b: Model | arb) -> Model | arb:
    """Return the sum or the product of numbers and models."""
    if isinstance(a, Model) and isinstance(b, Model):
        return a + b if name == "add" else a * b
    if isinstance(b, Model):
        a, b = b, a
    if isinstance(a, Model):
        assert isinstance(b, arb)
        return a + a.cell.constant(b) if name == "add" else a.scaled(b)
    assert isinstance(b, arb)
    return a + b if name == "add" else a * b


def _number(x: Any) -> arb:
    found: arb = arb(x.numerator) / x.denominator
    return found


def _power_of_2(x: Any) -> arb:
    p, q = x.as_integer_ratio()
    found: arb = arb(2) ** p if q == 1 else (arb(2).log() * fmpq(p, q)).exp()
    return found


def _two_to(x: Model) -> arb:
    """Return 2 to the power of an integer that is known on the cell."""
    if x.p.length() > 1 or x.terms or not x.p[0].is_exact():
        raise Unproven("a power of two is not known")
    return arb(2) ** x.p[0]


def _integer(found: Property) -> Any:
    """Return an integer, or a condition, in the form that executions use."""
    return execution.Power(found.added, found.sign) if isinstance(found, terms.Exponent) else found


def _times(real: Real, power: int) -> Real:
    return Real(real.model.scaled(arb(2) ** power), real.grid + power, 0, real.width)
