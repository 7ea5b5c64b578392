"""Statements of lemmas on short cells: one interpreter of their terms, properties and claims.

If a statement holds for many exponents q, integers i, or numbers in known ranges, special cases are verified. A claim
about operations alone (that two values are the same, or computed so) is checked in the program.
"""

from __future__ import annotations

import importlib
import inspect
import math
import operator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from clmath.ir.program import Tables, Value
from clmath.ir.trace import trace
from proofs import terms
from proofs.check.evaluation import Evaluation, of_all_cases
from proofs.check.forms import LEAST, ONE, Double, Form, K, between, double, number, require
from proofs.check.functions import FUNCTIONS, pi, power_of_2
from proofs.check.patterns import Traced

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clmath.ir.program import Kind, Operand
    from proofs.terms import Claim, Property, Statement, Term

__all__ = ["Case", "share", "share_of"]

_BOUNDS = {"least", "least_size", "most", "lesser"}
_OF_BOUNDS: dict[str, Callable[..., int]] = {
    "add": operator.add,
    "mul": lambda one, other: one * other >> K,
    "half_unit": lambda size: 1 << size.bit_length() - 54,
    "lesser": min,
}
_OF_PRODUCTS = 16  # units of 2^-448 by which products are larger here: the only difference from an exact claim
_KERNEL: tuple[Kind, ...] = ("double", "double", "double", "long")


class Case(NamedTuple):
    """The exponent q, the integer i, and the numbers chosen for names with assumed bounds."""

    q: int
    i: int = 0
    fixed: Mapping[str, float] = {}


def share(traced: Traced, statement: Statement, ends: tuple[float, float], case: Case) -> Fraction:
    """Return the largest error relative to its bound on a short cell."""
    low, high = _snapped(statement, *map(Fraction, ends))
    if low > high:
        return Fraction(0)

    def of_case(cases: dict[int, Fraction]) -> Fraction:
        check = _Check(Evaluation(traced, cases), statement, (low, high), case)
        return max(map(check.share, statement.claims))

    return of_all_cases(of_case)


def share_of(size: int, bound: int) -> Fraction:
    """Return a size relative to its bound; the result is huge if it exceeds a bound of zero."""
    return Fraction(size, bound) if bound > 0 else Fraction(0) if size == 0 else Fraction(10**9)


def _snapped(statement: Statement, low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """Return the cell from the first to the last number with the assumed number of bits, if only such numbers are
    meant.
    """
    for _, found in statement.assume:
        if isinstance(found, terms.Number) and found.snapped:
            unit = Fraction(2) ** _grid_of(found, low, high)
            low = -(-low // unit) * unit
            return low, max(low, high // unit * unit)
    return low, high


def _grid_of(found: terms.Number, low: Fraction, high: Fraction) -> int:
    """Return g where the cell's numbers with the assumed number of bits are multiples of 2^g."""
    grid = LEAST if found.grid is None else found.grid
    least = 0 if low < 0 < high else min(abs(low), abs(high))
    return max(grid, math.frexp(float(least))[1] - found.bits) if least else grid


_FOLLOWS: dict[str, Callable[..., bool | None]] = {  # conditions that follow from others
    "bool.and": lambda *parts: False if False in parts else None if None in parts else True,
    "bool.or": lambda *parts: True if True in parts else None if None in parts else False,
    "bool.not": lambda part: None if part is None else not part,
}


class _Check:
    """A statement on a cell; ``sign``: -1 where the first argument has the other sign."""

    def __init__(
        self, run: Evaluation, statement: Statement, ends: tuple[Fraction, Fraction], case: Case, sign: int = 1
    ) -> None:
        self.run, self.program = run, run.traced.program
        self.statement, self.ends, self.case, self.sign = statement, ends, case, sign
        # the place of a named value: a result, or a value that the kernel marks
        results = terms.RESULTS.get(len(self.program.outputs), ())
        if results and results[0] in self.program.names:  # of a function that refines results
            results = tuple(f"new_{result}" for result in results)
        outputs = (operand for _, operand in self.program.outputs)
        self.places: dict[str, Operand] = {**self.program.names, **dict(zip(results, outputs, strict=bool(results)))}
        # bounds of unknown numbers are multiples of this, which 2^(power q) times them has no loss of
        powers = [found.power * case.q for _, found in statement.assume if isinstance(found, terms.Number)]
        self.unit = 1 << max(-min(powers, default=0), 0)
        self.free: dict[str, Form] = {}
        self.ideals: dict[int, Form] = {}
        self._assume()
        if statement.through:
            self.run.most_cases = 0
        for step in statement.through:
            self._through(step)

    # properties

    def _assume(self) -> None:
        """Give values the assumed properties: first the lemma's own names, last the values that depend on computed
        ones.
        """
        names, known = self.program.names, self.run.known
        given = dict(sorted(self.statement.assume, key=lambda one: one[0] in names))
        computed = set(names) - set(given)
        numbers = {name: found.value for name, found in given.items() if isinstance(found, terms.Number)}
        derived = {name for name, value in numbers.items() if value.names() & computed}
        for name in sorted(given, key=derived.__contains__):
            value = self._known(name, given[name])
            if name not in names:
                self.free[name] = value.form
            elif value is not None:
                known[_at(names[name])] = value
        for name, found in given.items():
            if isinstance(found, terms.Times):
                known[_at(names[name])] = self.run.double(self.places[found.name]).scaled(found.power)
        for at, (_, operation, operands) in enumerate(self.program.statements, len(self.program.inputs)):
            parts = [known.get(operand.number) if isinstance(operand, Value) else None for operand in operands]
            if operation in _FOLLOWS and (value := _FOLLOWS[operation](*parts)) is not None:
                known.setdefault(at, value)

    def _through(self, step: terms.Through) -> None:
        """Keep two facts about values: the distance of their sum from an exact value, and the sizes after the first."""
        found = [self.run.double(self.places[name]) for name in step.names]
        total = self.ideals[id(step.ideal)] = self.term(step.ideal)  # which is a part of the next one
        total += self.run.symbol(sum((x.form for x in found), -total).size())
        for name, x in zip(step.names[1:], found[1:], strict=True):
            low = self.run.symbol(x.form.size())
            total, self.run.known[_at(self.places[name])] = total - low, Double(low, x.grid)
        self.run.known[_at(self.places[step.names[0]])] = Double(total, found[0].grid)

    def _known(self, name: str, found: Property) -> Any:
        """Return a value with that property; None where others decide it."""
        q = self.case.q
        match found:
            case terms.Number():
                return self._number(name, found)
            case terms.Exponent():
                integer = found.sign * q + found.added
                kinds = *self.program.inputs, *(one.kind for one in self.program.statements)
                return double(integer) if kinds[_at(self.places[name])] == "double" else integer
            case terms.Residue():
                return found.rest + found.modulus * q
            case terms.Encoding():
                return found.period * q + found.first + self.case.i * (found.count - 1)
            case terms.Times() | terms.Computed():
                return None
        return found

    def _number(self, name: str, found: terms.Number) -> Double:
        grid, by = LEAST if found.grid is None else found.grid, found.power * self.case.q
        if found.value == terms.VARIABLE:
            grid = _grid_of(found, *self.ends)
        form = self.term(found.value)
        if name in self.case.fixed:
            chosen = number(self.case.fixed[name])
            if (form - chosen).least():
                raise ValueError(f"{name} does not have its property")
            form = chosen
        if self.sign < 0 and self.program.names.get(name) == Value(0):
            form = -form
        if form.radius():
            return Double(form, grid, found.bits).scaled(by)
        known = double(form.middle() * Fraction(2) ** by)
        return known if found.grid is None else Double(known.form, max(grid + by, known.grid), known.bits)

    # terms

    def term(self, t: Term, power: int = 0) -> Form:
        """Return a term as a form; named doubles are divided by 2^(power q)."""
        name, operands = t.operation, t.operands
        if id(t) in self.ideals:
            return self.ideals[id(t)]
        if name in _BOUNDS:
            return Form([self.bound(t, power)])
        if name == "variable":
            return between(*self.ends)
        if name in {"unknown", "value", "precise"}:
            found: Form = getattr(self, f"_{name}")(operands, power)
            return found
        if name == "mul" and operands[1].operation == "power_of_2" and operands[1].operands[0].denominator == 1:
            return self.term(operands[0], power).scaled(Fraction(2) ** int(operands[1].operands[0]))  # less than a unit
        return _OPERATIONS[name](*(self.term(one, power) if isinstance(one, terms.Term) else one for one in operands))

    def _unknown(self, operands: tuple[Term], power: int) -> Form:
        (bound,) = operands
        units = self.bound(bound, power)
        if not units:
            return Form([0])
        is_exact = bound.operation == "number" and (bound.operands[0] * ONE).denominator == 1
        units += not is_exact
        multiple = -(-units // self.unit) * self.unit
        return self.run.symbol(multiple if multiple - units <= units >> 20 else units)

    def _value(self, operands: tuple[str], power: int) -> Form:
        (name,) = operands
        if name in self.free:
            return self.free[name]
        found = self.run(self.places[name])
        if not isinstance(found, Double):
            return Form([int(found) * ONE])
        assumed = dict(self.statement.assume).get(name)
        by = power if assumed is None else getattr(assumed, "power", 0)
        return found.form.scaled(Fraction(2) ** -(by * self.case.q))

    def _precise(self, operands: tuple[Term, int], _power: int) -> Form:
        """Return a number that is found with that many bits; other terms unchanged."""
        try:
            low, high = _ends(*operands)
        except LookupError:
            return self.term(operands[0])
        return Form([int((low + high) / 2 * ONE)], None, int((high - low) * ONE) + 2)

    def bound(self, t: Term, power: int) -> int:
        """Return a number of units that is at most a bound, or at least a size."""
        name, operands = t.operation, t.operands
        if name == "number":
            return int(operands[0] * ONE)
        if name in {"most", "least", "least_size"}:
            form = self.term(operands[0], power)
            if name == "most":
                return form.size()
            return form.least() if form.p[0] > 0 or name == "least_size" else 0
        return _OF_BOUNDS[name](*(self.bound(one, power) for one in operands))

    # claims

    def share(self, claim: Claim) -> Fraction:
        """Return a claim's error relative to its bound."""
        match claim:
            case terms.Even(name):
                other = self._mirrored()
                same = self.run.double(self.places[name]).form - other.run.double(other.places[name]).form
                return share_of(same.p[0], 0)  # both have the same rounding errors
            case terms.OfNegative(of_negative):
                return self._mirrored().share(of_negative)
            case terms.Bounded():
                bound = self.bound(claim.bound, claim.power)
                if claim.rounded is not None:
                    bound -= 1 << max(self.bound(claim.rounded, claim.power).bit_length() - 54, 0)
                return share_of(self.term(claim.error, claim.power).size(), bound or _OF_PRODUCTS)
            case terms.When():
                chosen = claim.claims if self.run(self.places[claim.condition]) else claim.otherwise
                return max(map(self.share, chosen), default=Fraction(0))
            case terms.OnGrid() | terms.Is():
                found = self.run(self.places[claim.name])
                require(self._has(claim, found), f"{claim.name} is {found}")
            case _:
                if not self._is_so(claim):
                    raise AssertionError(claim)
        return Fraction(0)

    def _mirrored(self) -> _Check:
        return _Check(Evaluation(self.run.traced, self.run.cases), self.statement, self.ends, self.case, -1)

    def _has(self, claim: terms.OnGrid | terms.Is, found: Any) -> bool:
        """Return whether a value has the property that is claimed."""
        if isinstance(claim, terms.OnGrid):
            return bool(found.bits <= claim.bits and found.grid >= claim.grid + claim.power * self.case.q)
        expected = claim.expected if isinstance(claim.expected, tuple) else (claim.expected,)
        known = [self._known(claim.name, x) for x in expected]
        return any(found == x and isinstance(found, bool) == isinstance(x, bool) for x in known)

    def _is_so(self, claim: Claim) -> bool:
        """Return whether a claim about operations holds: how a value is computed."""
        known: dict[Any, int] = {}
        own = self.run.traced.numbered(known, self.run.known)
        match claim:
            case terms.Same(name, other):
                return bool(own(self.places[name]) == own(self.places[other]))
            case terms.SameIn():
                kernel, tables = getattr(importlib.import_module(claim.module), claim.function), Tables()
                inputs: list[Kind] = ["double"] * len(inspect.signature(kernel).parameters)
                there = Traced(trace(kernel, inputs, _KERNEL, tables), tables.entries)
                found = there.numbered(known, {})(there.program.names[claim.name])
                return bool(found == self.run.traced.numbered(known, {})(self.places[claim.name]))
            case terms.Calls():
                given = [own(self.places[name]) for name in claim.arguments]
                called = Traced(claim.program, claim.tables).numbered(known, {}, given)
                results = [called(found) for _, found in claim.program.outputs]
                return [own(self.places[name]) for name in claim.names] == results
            case terms.Formula(name, operation):
                return self.run.traced.match(self.places[name], operation, self.places) == self.places  # no new names
            case terms.RestOfSum(high, low):
                template = "double.add", ("double.sub", "a", "high"), "b"
                parts = self.run.traced.match(self.places[low], template, {"high": self.places[high]})
                if not parts or not self.run.traced.is_sum(parts["high"], parts["a"], parts["b"]):
                    return False
                a, b = self.run.double(parts["a"]), self.run.double(parts["b"])
                require(a.form.least() >= b.form.size(), "which number of a sum is larger")
                return True
        raise LookupError(claim)


def _at(operand: Operand) -> int:
    assert isinstance(operand, Value)
    return operand.number


def _distance(a: Form, most: int, _bits: int) -> Form:
    """Return the least distance of m a from integers, 0 < m < most: by Euclid's algorithm, for both ends of a."""

    def denominator(x: Fraction) -> int:
        before, here, x = 0, 1, x % 1
        while x:
            quotient, x = divmod(1 / x, 1)
            if quotient * here + before >= most:
                break
            before, here = here, quotient * here + before
        return here

    m, other = (denominator(Fraction(end, ONE)) for end in a.ends())
    require(m == other, "a number is not known to enough bits")
    rest = m * a.p[0] % ONE
    return Form([min(rest, ONE - rest)], None, m * a.radius())


_OPERATIONS: dict[str, Callable[..., Form]] = {
    **FUNCTIONS,
    "number": number,
    "power_of_2": power_of_2,
    "distance": _distance,
    "two_to": lambda exponent: number(Fraction(2) ** (exponent.p[0] // ONE)),
    "add": Form.__add__,
    "mul": Form.__mul__,
    "neg": Form.__neg__,
}


def _ends(t: Term, bits: int) -> tuple[Fraction, Fraction]:
    """Return the ends of a number as fractions, pi to that many bits; LookupError where a term is not known."""
    match t.operation, t.operands:
        case "number", (x,):
            return x, x
        case "power_of_2", (x,) if x.denominator == 1:
            return Fraction(2) ** int(x), Fraction(2) ** int(x)
        case "precise", operands:
            return _ends(*operands)
        case "atan", (terms.Term("number", (1,)),):
            low, high = pi(1 << bits).ends()
            return Fraction(low, 4 << bits), Fraction(high, 4 << bits)
        case "neg", (one,):
            least, most = _ends(one, bits)
            return -most, -least
        case "inverse", (one,):
            least, most = _ends(one, bits)
            assert least > 0
            return 1 / most, 1 / least
        case "add", (one, other):
            parts = _ends(one, bits), _ends(other, bits)
            return parts[0][0] + parts[1][0], parts[0][1] + parts[1][1]
        case "mul", (one, other):
            found = [x * y for x in _ends(one, bits) for y in _ends(other, bits)]
            return min(found), max(found)
    raise LookupError(t.operation)
