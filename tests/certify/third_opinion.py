"""Cells of proofs as Gappa and Sollya are told them.

On a cell a kernel is a polynomial that is rounded at every step. Gappa bounds how far the rounded value is from the
polynomial, Sollya how far the polynomial is from the function; both together are to be less than the kernel's bound, of
which Gappa shows how small it gets. What does not change on the cell (conditions, entries of tables, powers of two) is
found by evaluating the trace at many places.
"""

from __future__ import annotations

import math
import operator
import subprocess
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from clmath.certify.execution import Real, Residue
from clmath.engines.device.program import Constant, Place, Value
from tests.certify.concrete import DTYPES, OPERATIONS

PLACES = 513
ZERO = "0b0"
_SIGNS = {"add": "+", "sub": "-", "mul": "*"}


class Sampled:
    """The values of a trace at places of a cell, what is given there put in."""

    def __init__(self, traced, given, places):
        self.traced, self.program, self.places = traced, traced.program, places
        self.found = {}
        for number, known in given.items():
            if isinstance(known, int):
                self.found[number] = np.full(places.shape, known)
            elif isinstance(known, Residue):
                self.found[number] = np.full(places.shape, known.rest)
            elif isinstance(known, Real) and is_one_number(known.model):
                self.found[number] = np.full(places.shape, float(known.model.p(0)))
            elif isinstance(known, Real):
                self.found[number], self.argument = places, number

    def of(self, operand):
        """The values of an operand."""
        if isinstance(operand, Constant):
            bits = np.full(self.places.shape, operand.encoding, np.int64)
            return bits.view(np.float64) if operand.kind == "double" else bits.astype(DTYPES[operand.kind])
        if operand.number not in self.found:
            self.found[operand.number] = self._computed(self.statement(operand))
        return self.found[operand.number]

    def statement(self, value):
        """The statement that gives a value."""
        if value.number < len(self.program.inputs):
            raise LookupError("the value depends on an argument that is not given")
        return self.program.statements[value.number - len(self.program.inputs)]

    def _computed(self, statement):
        name, operands = statement.operation, statement.operands
        if name in {"bool.and", "bool.or"}:
            return self._joined(name == "bool.or", *operands)
        if name.endswith(".select"):
            asked = self.of(operands[0])
            if asked.all() or not asked.any():
                return self.of(operands[1] if asked.all() else operands[2])
        if name == "take":
            index, place = operands
            assert isinstance(place, Place)
            return self.traced.tables[place.first + np.clip(self.of(index), 0, place.length - 1)]
        how = OPERATIONS.get(name) or OPERATIONS[name.rpartition(".")[2]]
        with np.errstate(all="ignore"):
            return np.ascontiguousarray(how(*map(self.of, operands)))

    def _joined(self, decides, left, right):
        """One of the two, where it decides; what is not given may stand in the other."""
        for operand in (right, left):
            try:
                values = self.of(operand)
            except LookupError:
                continue
            if np.all(values == decides):
                return values
        return self.of(left) | self.of(right) if decides else self.of(left) & self.of(right)


def is_one_number(model):
    """Whether a value is the same on the whole cell, and known exactly."""
    return model.p.degree() < 1 and not model.terms and model.rest == 0


class Straight:
    """Operations of a trace with doubles on a cell: (name, left, sign, right) for each operation, rounded."""

    def __init__(self, sampled):
        self.sampled, self.lines, self.names = sampled, [], {}

    def named(self, operand):
        """The name, or the number, that an operand goes by."""
        values = self.sampled.of(operand)
        if np.all(values == values[0]):
            number = dyadic(values[0].item())
            return f"({number})" if number.startswith("-") else number
        assert isinstance(operand, Value)
        if operand.number == self.sampled.argument:
            return "x"
        if operand.number not in self.names:
            self.names[operand.number] = self._name(operand)
        return self.names[operand.number]

    def _name(self, value):
        statement = self.sampled.statement(value)
        kind, _, operation = statement.operation.rpartition(".")
        if operation == "select":
            condition, yes, no = statement.operands
            return self.named(yes if self._constant(condition) else no)
        if operation == "abs":
            (inner,) = statement.operands
            assert np.all(self.sampled.of(inner) >= 0) or np.all(self.sampled.of(inner) <= 0)
            return self.named(inner) if self.sampled.of(inner)[0] >= 0 else self._line(ZERO, "-", self.named(inner))
        if operation == "neg":
            return self._line(ZERO, "-", self.named(*statement.operands))
        if operation == "from_bits":
            return self._with_sign(*statement.operands)
        assert kind == "double", statement
        left, right = map(self.named, statement.operands)
        return self._line(left, _SIGNS[operation], right)

    def _with_sign(self, encoding):
        """A double whose encoding is that of another but for the sign, which is the same on the whole cell."""
        flip = self.sampled.statement(encoding)
        inner = self.sampled.statement(flip.operands[0])
        if inner.operation == "long.and":
            inner = self.sampled.statement(inner.operands[0])
        assert flip.operation in {"long.xor", "long.or"}
        assert inner.operation == "bits"
        (operand,) = inner.operands
        before, after = self.sampled.of(operand), self.sampled.of(encoding).view(np.float64)
        if np.all(before == after):
            return self.named(operand)
        assert np.all(before == -after), "the sign is not the same on the whole cell"
        return self._line(ZERO, "-", self.named(operand))

    def _line(self, left, sign, right):
        self.lines.append((f"v{len(self.lines)}", left, sign, right))
        return self.lines[-1][0]

    def _constant(self, condition):
        values = self.sampled.of(condition)
        assert np.all(values == values[0]), "the condition is not the same on the whole cell"
        return values[0]


def dyadic(x):
    """A number as an integer times a power of two, as both read it."""
    fraction = Fraction(x)
    return f"{fraction.numerator}b-{fraction.denominator.bit_length() - 1}"


def below(x):
    """A number that is no larger, of few digits."""
    return dyadic(Fraction(float(x)) * (1 - Fraction(1, 1 << 40)))


@dataclass(frozen=True)
class Told:
    """A cell as both are told it: operations and what they are called, the least bound and the largest value found."""

    lines: list[tuple[str, str, str, str]]
    value: str
    err: str
    least: float
    size: float
    low: float
    high: float


def told(part, which, cell, low, high):
    """All facts about a part of a cell."""
    places = np.unique(np.linspace(low, high, PLACES))
    sampled = Sampled(part.traced, part.setting(which, cell).given, places)
    straight = Straight(sampled)
    (_, value), (_, err) = part.traced.program.outputs[:2]
    names = straight.named(value), straight.named(err)
    return Told(straight.lines, *names, sampled.of(err).min().item(), np.abs(sampled.of(value)).max().item(), low, high)


def polynomial(cell):
    """The value's polynomial, as Sollya reads it."""
    known = {"x": "x"}
    for result, left, sign, right in cell.lines:
        known[result] = f"({known.get(left, left)}{sign}{known.get(right, right)})"
    return known.get(cell.value, cell.value)


def off_by_sollya(cell, function):
    """How far the polynomial is from the function, no less."""
    norm = f"supnorm({polynomial(cell)},{function},[{dyadic(cell.low)};{dyadic(cell.high)}],absolute,2^-8)"
    script = f"prec=300!; display=dyadic!; print(sup({norm})); quit;"
    answer = subprocess.run(["sollya"], input=script, capture_output=True, text=True, check=True, timeout=120).stdout
    return _number(answer.strip().splitlines()[-1])


def _number(text):
    digits, _, exponent = text.strip().partition("b")
    return Fraction(int(digits)) * Fraction(2) ** int(exponent or 0)


def is_within_by_gappa(cell, argument, off, least):
    """Whether Gappa proves that the value is within ``off`` of its polynomial, and the bound no less than ``least``."""
    lines = [f"x = float<{argument}, ne>(X);"]
    lines += [f"{name} {_rounded(left)} {left} {sign} {right};" for name, left, sign, right in cell.lines]
    lines += _exactly(cell.lines)
    hints = (hint for one in _lacking(cell.lines) for hint in one.hints())
    claim = f"|{cell.value} - M{cell.value}| <= {below(off)} /\\ {cell.err} >= {dyadic(least)}"
    goal = f"{{ x in [{dyadic(cell.low)}, {dyadic(cell.high)}] -> {claim} }}"
    script = "\n".join(["@rnd = float<ieee_64, ne>;", *lines, goal, *hints, ""])
    ran = subprocess.run(["gappa"], input=script, capture_output=True, text=True, check=False, timeout=120)
    assert not any(sign in ran.stderr for sign in ("syntax error", "trivially equal")), ran.stderr + script
    return ran.returncode == 0


@dataclass(frozen=True)
class Lacking:
    """The error of a rounded sum a + b: b - (sum - a), by the names of all; Gappa is told why it is small."""

    name: str
    total: str
    a: str
    b: str
    difference: str

    def exact(self):
        """The value, the rounded sum taken as it is."""
        return f"({self.a} + M{self.b}) - {self.total}"

    def hints(self):
        """Ways to write it by roundings."""
        before = f"{self.b} - {self.difference}"
        again = f"({self.difference} - ({self.total} - {self.a}))"
        yield f"{before} -> -({self.total} - ({self.a} + {self.b})) - {again};"
        yield f"{self.name} - M{self.name} -> ({self.name} - ({before})) + ({self.b} - M{self.b}) - {again};"


def _lacking(lines):
    """All of them that are of sums of a constant."""
    done = {name: operation for name, *operation in lines}
    for name, b, sign, difference in lines:
        total, minus, a = done.get(difference, ("", "", ""))
        if sign == minus == "-" and done.get(total) == [a, "+", b] and a not in done and b in done:
            yield Lacking(name, total, a, b, difference)


def _exactly(lines):
    """Each value without roundings, as a function of x, and of the rounded sums of which what they lack is added."""
    exact = {name: f"M{name}" for name, *_ in lines}
    found = {name: f"{exact.get(left, left)} {sign} {exact.get(right, right)}" for name, left, sign, right in lines}
    for one in _lacking(lines):
        assert len({_value(lines, {one.total: free}) for free in (Fraction(1, 3), Fraction(22, 7))}) == 1
        found |= {one.total: one.total, one.name: one.exact()}
    return [f"M{name} = {expression};" for name, expression in found.items()]


def _value(lines, free):
    """The last value without roundings where x is 1/5, with ``free`` for a sum: it must not depend on that."""
    found = {"x": Fraction(1, 5), **free}
    how = {"+": operator.add, "-": operator.sub, "*": operator.mul}
    for name, left, sign, right in lines:
        parts = (found[part] if part in found else _number(part.strip("()")) for part in (left, right))
        found.setdefault(name, how[sign](*parts))
    return found[lines[-1][0]]


def _rounded(left):
    """How a result is made: what is taken from 0 is exact, which Gappa would count as rounded."""
    return "=" if left == ZERO else "rnd="


def half_ulp(size):
    """Half the distance of doubles there."""
    return Fraction(math.ulp(size)) / 2
