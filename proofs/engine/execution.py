"""The operations of a trace on models: the possible values on a cell, with every rounding accounted for."""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from flint import arb
from numpy.typing import NDArray

from clmath.ir.program import Constant, Operand, Place, Program, Statement, Value
from proofs.engine.exactness import Shapes
from proofs.engine.ideals import applied
from proofs.engine.models import Cell, Model, Unproven, half_ulp, lower, upper
from proofs.engine.traced import all_of, any_of, not_of
from proofs.terms import Encoding, Residue

LEAST = -1074  # every double is a multiple of 2^-1074
GREATEST = 1023  # no double is as large as 2^1024
_FINEST = -100_000  # finer than the grid of any value with any power of two
_SIGN = -(1 << 63)
_MAGIC_BITS = 0x4338000000000000  # the encoding of 1.5 x 2^52
_DIGITS = 53
_EXPONENT = 0x7FF0000000000000  # where encodings have the exponent


@dataclass(frozen=True)
class Real:
    """A double: 2^(power k), k the cell's, times a model: a multiple of 2^grid that has ``width`` bits at most."""

    model: Model
    grid: int
    power: int = 0
    width: int = 53
    step: int | None = None  # the sum that it comes from, where that rounds to a grid


@dataclass(frozen=True)
class Power:
    """The integer ``sign`` k of the cell, and something added to it; ``real``: k itself as a double."""

    added: int = 0
    sign: int = 1
    real: Real | None = None


@dataclass(frozen=True)
class Whole:
    """An integer that a double holds, too."""

    real: Real


@dataclass(frozen=True)
class Between:
    """An integer, the least and the greatest that it may be."""

    least: int
    greatest: int


@dataclass(frozen=True)
class _Bits:
    """The encoding of a double, perhaps with the bits below 2^(kept from) cleared."""

    real: Real
    cleared: int = 0


@dataclass(frozen=True)
class _Shifted:
    """An exponent at its place in an encoding."""

    power: Power


Known: TypeAlias = "Real | Residue | Power | Whole | Encoding | Between | _Bits | _Shifted | int | bool | None"


class Fork(Exception):  # noqa: N818 - no error: a case distinction
    """A condition is not the same on the whole cell: both ways are to be proven."""

    def __init__(self, condition: object) -> None:
        super().__init__(condition)
        self.condition = condition


def grid_of(x: float) -> int:
    """The largest g such that x is a multiple of 2^g; a large number for 0."""
    if x == 0.0:
        return 2000
    fraction, exponent = math.frexp(x)
    significand = int(math.ldexp(fraction, _DIGITS))
    return exponent - _DIGITS + (significand & -significand).bit_length() - 1


def constant(cell: Cell, x: float) -> Real:
    """A double that is known."""
    if not math.isfinite(x):
        raise Unproven(f"{x} is used as a number")
    grid = grid_of(x)
    return Real(cell.constant(x), grid, 0, max(math.frexp(x)[1] - grid, 0) if x else 0)


@dataclass
class Execution:
    """One evaluation of ``program`` on ``cell``; only the values that are needed are computed.

    ``given``: known values, by number, or functions that derive them from others; ``decided``: the assumed truth of
    conditions that differ on the cell. ``divides``: whether an order of two sizes is such a condition. ``lemmas``
    counts the exact operations by reason.
    """

    program: Program
    tables: NDArray[np.float64]
    shapes: Shapes
    cell: Cell
    given: Mapping[int, Known | Callable[[Execution], Known]]
    decided: Mapping[object, bool] = field(default_factory=dict)
    divides: bool = True
    lemmas: Counter[str] = field(default_factory=Counter)
    _found: dict[int, Known] = field(default_factory=dict)

    def mirrored(self) -> Execution:
        """The evaluation for the negative of the first argument; values that depend on its size alone are kept."""
        return self.where({0: _negative(self.real(Value(0)))}, ("double.abs",))

    def where(self, changed: Mapping[int, Known], same: tuple[str, ...] = ()) -> Execution:
        """The evaluation with other given values; results of the operations ``same`` do not depend on them."""
        own, inputs, least = set(changed), len(self.program.inputs), min(changed)
        found = {number: one for number, one in self._found.items() if number not in self.given}
        for number in sorted(n for n in found if n > least):
            statement = self.program.statements[number - inputs]
            if statement.operation in same:
                continue
            if any(isinstance(o, Value) and o.number in own for o in statement.operands):
                own.add(number)  # its operands were found before, and have smaller numbers
        kept = {number: one for number, one in found.items() if number not in own}
        return replace(self, given={**self.given, **changed}, _found=kept)

    def real(self, operand: Operand) -> Real:
        """A value that is a double."""
        found = self.value(operand)
        if not isinstance(found, Real):
            raise Unproven(f"{operand} is no number that is known: {found}")
        return found

    def whole(self, operand: Operand) -> Model:
        """A value that is an integer."""
        found = self.value(operand)
        if isinstance(found, int):
            return self.cell.constant(found)
        if isinstance(found, Whole) and found.real.power == 0:
            return found.real.model
        raise Unproven(f"{operand} is no integer that is known: {found}")

    def value(self, operand: Operand) -> Known:
        """The possible values of ``operand`` on the cell."""
        if isinstance(operand, Constant):
            return self._constant(operand)
        assert isinstance(operand, Value)
        if operand.number not in self._found:
            self._found[operand.number] = self._first(operand.number)
        return self._found[operand.number]

    def _first(self, number: int) -> Known:
        """Find a value, as given or as computed; the unknown rest of a double that may cancel later is one term."""
        if number in self.given:
            given = self.given[number]
            return given(self) if callable(given) else given
        if number < len(self.program.inputs):
            raise Unproven(f"the argument number {number} is needed, and nothing is known of it")
        found = self._evaluated(number, self.program.statements[number - len(self.program.inputs)])
        if number not in self.shapes.kept or not isinstance(found, Real) or found.model.rest.is_zero():
            return found
        return replace(found, model=found.model.named())

    def _constant(self, operand: Constant) -> Known:
        if operand.kind == "double":
            return constant(self.cell, float(np.int64(operand.encoding).view(np.float64)))
        return bool(operand.encoding) if operand.kind == "bool" else operand.encoding

    def _evaluated(self, number: int, statement: Statement) -> Known:
        if statement.operation.endswith(".select"):
            condition, yes, no = statement.operands
            return self.value(yes if self.holds(condition) else no)
        how = _OPERATIONS.get(statement.operation)
        if how is None:
            raise Unproven(f"nothing is known of the operation {statement.operation}")
        return how(self, number, *statement.operands)

    def holds(self, condition: Operand) -> bool:
        """Whether a condition holds on the cell; ``Fork``, by a comparison that it depends on, where it is neither."""
        found = self.value(condition)
        about = self._open(condition) if found is None else condition
        if about is not condition:
            raise Fork(about)
        return self.certain(found, condition)

    def _open(self, condition: Operand) -> object:
        """The first undecided part of a condition."""
        if isinstance(condition, Constant) or condition.number < len(self.program.inputs):  # type: ignore[union-attr]
            return condition
        statement = self.program.statements[condition.number - len(self.program.inputs)]  # type: ignore[union-attr]
        name = statement.operation.partition(".")[2]
        if name in _BELOW:
            less, greater = ("below", *statement.operands), ("below", *statement.operands[::-1])
            return next(
                about for about in ((less, greater) if _BELOW[name] else (greater, less)) if about not in self.decided
            )
        if statement.operation.startswith("bool."):
            return next(self._open(part) for part in statement.operands if self.value(part) is None)
        return condition

    def certain(self, found: Known, about: object) -> bool:
        """``found``, or the decision about it if it is not the same on the entire cell."""
        if found is None:
            if about not in self.decided:
                raise Fork(about)
            return self.decided[about]
        assert isinstance(found, bool)
        return found

    def rounded(self, number: int, model: Model, grid: int, power: int = 0, most: float = math.inf) -> Real:
        """``model``, a multiple of 2^grid no larger than ``most``, rounded to nearest by the statement ``number``."""
        least = LEAST - min(power * k for k in self.cell.powers)
        finest = LEAST - max(power * k for k in self.cell.powers)
        whole = model.range()
        size = min(upper(whole), most)
        self.below_overflow(size, power)
        if least > GREATEST:
            raise Unproven("a result may underflow")
        single = _only(whole, grid) if grid >= least else None
        if single is not None and number not in self.shapes.residuals:
            self.lemmas["one multiple"] += 1
            return Real(self.cell.constant(single), grid_of(single), power)
        nearest = None if power else _nearest(whole)
        if nearest is not None:
            self.lemmas["one double"] += 1
            return constant(self.cell, nearest)
        if grid >= least and _are_doubles(model, size, grid):
            self.lemmas["grid"] += 1
            return Real(model, grid, power)
        least_size = lower(whole)
        coarse = _binade(model, least_size) - _DIGITS if least_size else finest
        bound = max(_half_unit(model, size), math.ldexp(1.0, max(least, -1072) - 1))
        if number in self.shapes.recovered:
            off = model + self.cell.unknown(bound)
            if number in self.shapes.paired:
                self.cell.paired.add(len(self.cell.bounds) - 1)
        else:
            off = model.widened(bound)
        result = Real(off, max(grid, coarse, finest), power)
        if number not in self.shapes.steps:
            return result if number in self.shapes.residuals else self.alone(result)
        low, high = model.ends()
        return self.alone(replace(result, step=number), (low - bound, high + bound))

    def below_overflow(self, size: float, power: int) -> None:
        """Unproven where a number of that size, times the power, may overflow."""
        if size and math.frexp(size)[1] + max(power * k for k in self.cell.powers) > GREATEST:
            raise Unproven("a result may overflow")

    def alone(self, found: Real, values: tuple[arb, arb] | None = None) -> Real:
        """``found`` as a known number if it contains only one multiple, or if one of two was decided for.

        ``values``: its ends, where these are known better.
        """
        whole = found.model.range()
        low, high = _multiples(*(values or (whole.lower(), whole.upper())), found.grid) or (0, 2)
        about = ("lower", found.step)
        if high == low + 1 and about in self.decided:
            low = high = low if self.decided[about] else high
        if low != high:
            return found
        single = math.ldexp(low, found.grid)
        self.lemmas["one multiple"] += 1
        return Real(self.cell.constant(single), grid_of(single), found.power, found.width)

    def divided(self, found: Known) -> None:
        """Fork into two cases, one for each of two neighbouring multiples, if a single one is needed."""
        real = found.real if isinstance(found, Whole | _Bits) else None
        if real is not None and real.step is not None and ("lower", real.step) not in self.decided:
            raise Fork(("lower", real.step))

    def exactly(self, lemma: str, model: Model, grid: int, power: int = 0, width: int = _DIGITS) -> Real:
        """A result that is exact by a lemma."""
        self.lemmas[lemma] += 1
        return Real(model, grid, power, width)


def _binade(model: Model, least: float) -> int:
    """The e for which all values are 2^(e - 1) or more in size: ``least``, which is rounded down, may be in the binade
    before.
    """
    fraction, exponent = math.frexp(least)
    if fraction > 1.0 - 2.0**-20:
        low, high = model.ends()
        exponent += max(low, -high) >= arb(2) ** exponent
    return exponent


def _half_unit(model: Model, size: float) -> float:
    """Half a unit of numbers up to ``size``, somewhat more than they are: of those below, where they reach 2^e only."""
    fraction, exponent = math.frexp(size)
    if size and fraction < 0.5 + 2.0**-20 and model.most() <= arb(2) ** (exponent - 1):
        return math.ldexp(1.0, exponent - _DIGITS - 2)
    return half_ulp(size)


def _are_doubles(model: Model, size: float, grid: int) -> bool:
    """Whether every multiple of 2^grid that ``model`` may be, no larger than ``size``, is a double."""
    if grid + _DIGITS < -1000:  # a value with a power may be below the doubles
        return bool(model.most() <= arb(2) ** (grid + _DIGITS))
    largest = math.ldexp(1.0, min(grid + _DIGITS, 1023))
    if size <= largest:
        return True
    return size <= largest * (1.0 + 2.0**-20) and model.most() < arb(largest) * (1 + arb(2) ** -_DIGITS)


def _multiples(least: arb, greatest: arb, grid: int) -> tuple[int, int] | None:
    """The first and the last integer whose multiple of 2^grid lies in the range, or None if they are too large."""
    if not -1000 <= grid <= 1000:
        return None
    unit = arb(2) ** grid
    low, high = (least / unit).lower().ceil(), (greatest / unit).upper().floor()
    if not (low.is_exact() and high.is_exact() and abs(low) <= 2**_DIGITS and abs(high) <= 2**_DIGITS):
        return None
    return int(float(low)), int(float(high))


def _only(values: arb, grid: int) -> float | None:
    """The one multiple of 2^grid among ``values``, None where there is more than one."""
    ends = _multiples(values.lower(), values.upper(), grid)
    return None if ends is None or ends[0] != ends[1] else math.ldexp(ends[0], grid)


def _nearest(values: arb) -> float | None:
    """The double to which all of ``values`` are rounded, None where they may be rounded to several."""
    x = float(values.mid())
    if not 2.0**-1000 < abs(x) < 2.0**1000:
        return None
    fraction, exponent = math.frexp(x)  # below a power of two doubles are closer
    half = math.ldexp(1.0, exponent - _DIGITS - 1 - (abs(fraction) == 0.5))
    return x if (values - x).abs_upper() < half else None


def _same_power(a: Real, b: Real) -> int:
    """The power of both; a zero has any."""
    if a.power == b.power or _is_zero(b):
        return a.power
    if _is_zero(a):
        return b.power
    raise Unproven("numbers of different powers are added")


def _is_zero(a: Real) -> bool:
    return not a.model.terms and a.model.rest.is_zero() and not a.model.p.length()


def is_ordered(run: Execution, a: Operand, b: Operand) -> bool | None:
    """Whether |a| >= |b|, or a = 0, or a is a multiple of the last bit of b: fast_two_sum of a and b is exact then.

    If it is not the same on the entire cell, it is a case of its own, or None: roundings count then, which covers both.
    The last condition: a + b is a multiple of g = ulp(b), and so is s, its rounding; where |a| < |b| and s is rounded
    at all, |a + b| < 2^54 g, and the error of s is at most g, so that s - a = b + (error of s) is a multiple of g and
    no larger than 2^53 g: exact, and so is b - (s - a) (Rump, Ogita, Oishi, SIAM J. Sci. Comput. 31(1) (2008), section
    2).
    """
    x, y = run.real(a), run.real(b)
    if x.power != y.power:
        return False
    factors = run.shapes.factors_beside(a, b)
    if factors is not None:  # |c| >= |d|, and |c f| >= |d f|, rounded, too
        c, d = (run.real(factor).model.range() for factor in factors)
        if c.abs_lower() >= d.abs_upper():
            return True
    first, second = x.model.range(), y.model.range()
    if first.is_zero() or first.abs_lower() >= second.abs_upper():
        return True
    if x.grid > -1000 and _is_below(y.model, math.ldexp(1.0, min(x.grid + _DIGITS, 1000))):
        return True
    if first.abs_upper() < second.abs_lower():
        return False
    return run.certain(None, ("ordered", a, b)) if run.divides else None


def _is_below(model: Model, bound: float) -> bool:
    """Whether all values are smaller than ``bound``; where they may be close to it, by their precise ends."""
    size = upper(model.range())
    return size < bound or (size < bound * (1.0 + 2.0**-20) and bool(model.most() < bound))


def _splits(run: Execution, a: Operand) -> bool:
    """No overflow, and nothing that is lost below the least double."""
    return upper(run.real(a).model.range()) < 2.0**960


_CONDITIONS: dict[str, Callable[..., bool | None]] = {
    "fast_two_sum": is_ordered,
    "fast_two_sum, second": is_ordered,
    "Veltkamp": _splits,
}


def theorem(run: Execution, number: int) -> str:
    """The theorem by which the sum ``number`` is exact on the cell, or "" if none applies."""
    name, operands = run.shapes.exact.get(number, ("", ()))
    return name if name and _CONDITIONS[name](run, *operands) else ""


def _add(run: Execution, number: int, a: Operand, b: Operand) -> Real:
    if a == b:
        x = run.real(a)
        return replace(run.rounded(number, x.model.scaled(2), x.grid + 1, x.power), width=x.width)
    return _sum(run, number, run.real(a), run.real(b))


def _sum(run: Execution, number: int, x: Real, y: Real) -> Real:
    power, grid = _same_power(x, y), min(x.grid, y.grid)
    recovered = run.shapes.sums.get(number)
    if recovered is not None:
        return _recovered_sum(run, recovered)
    if _is_zero(x) or _is_zero(y):
        run.lemmas["zero"] += 1
        return x if _is_zero(y) else y
    total = x.model + y.model
    if name := theorem(run, number):
        width = run.shapes.width(number)
        grid = max(_finer(total, grid, width), _grid_of_head(run, number))
        exact = run.exactly(name, total, grid, power, width)
        return run.alone(exact) if number in run.shapes.heads else exact
    most = math.inf
    if number in run.shapes.ordered and is_ordered(run, *run.shapes.ordered[number]) is False:
        most = 2.0 * upper(run.real(run.shapes.ordered[number][1]).model.range())  # the first is the smaller one
    return run.rounded(number, total, grid, power, most)


def _grid_of_head(run: Execution, number: int) -> int:
    """The exponent of a power of two that divides the head of a splitting, or the least exponent for other values."""
    head = run.shapes.heads.get(number)
    least = arb(0) if head is None else run.real(head[0]).model.range().abs_lower()
    if head is None or not least > arb(2) ** -900:
        return _FINEST
    exponent = math.frexp(float(least))[1]
    return (exponent if arb(2) ** exponent <= least else exponent - 1) + head[1] - _DIGITS + 1


def _finer(model: Model, grid: int, width: int) -> int:
    """``grid``, or a coarser one where a number of ``width`` bits lies far enough from zero."""
    least = lower(model.range())
    return max(grid, math.frexp(least)[1] - width) if least else grid


def _recovered_sum(run: Execution, recovered: tuple[int, Operand, Operand]) -> Real:
    """The result of two_sum: the sum of both minus its rounded value. Knuth's, under no condition but overflow."""
    total, a, b = recovered
    x, y, s = run.real(a), run.real(b), run.real(Value(total))
    power, grid = _same_power(x, y), min(x.grid, y.grid)
    return run.exactly("two_sum", x.model + y.model - s.model, grid, power)


def _product(run: Execution, number: int, x: Real, y: Real) -> Real:
    grid, power = x.grid + y.grid, x.power + y.power
    width = max(x.width, y.width) if min(x.width, y.width) <= 1 else x.width + y.width  # 1: a power of two
    if width <= _DIGITS and grid >= LEAST - min(power * k for k in run.cell.powers):
        run.below_overflow(upper((x.model * y.model).range()), power)
        return run.exactly("short factors", x.model * y.model, grid, power, width)
    return run.rounded(number, x.model * y.model, grid, power)


def _fma(run: Execution, number: int, a: Operand, b: Operand, c: Operand) -> Real:
    x, y, z = run.real(a), run.real(b), run.real(c)
    grid, power = x.grid + y.grid, x.power + y.power
    product = run.shapes.products.get(number)
    if product is None:
        total = x.model * y.model + z.model
        return run.rounded(number, total, min(grid, z.grid), _same_power(replace(x, power=power), z))
    if max(upper(x.model.range()), upper(y.model.range())) >= 2.0**996:
        raise Unproven("a factor is too large to be split")
    if grid < LEAST - min(power * k for k in run.cell.powers):
        return _nearly_left(run, x, y, z)
    return run.exactly("two_product", x.model * y.model + z.model, grid, power)


def _nearly_left(run: Execution, x: Real, y: Real, z: Real) -> Real:
    """The remainder of a product that may be too small for a double: the error is at most 2^-1030.

    Where |x y| >= 2^-960 the remainder is a double: x y is a multiple of the product of both last places, more than
    2^-107 |x y|. Where it is less, an fma rounds a number below 2^-1012. Dekker's four products of halves are rounded
    below 2^-1022 alone, by 2^-1075 at most; the first sum is exact, and the others are of numbers below 2^-980: 2^-1033
    each.
    """
    if x.power or y.power or z.power:
        raise Unproven("what is left of a product may underflow")
    run.lemmas["two_product, underflow"] += 1
    return Real((x.model * y.model + z.model).widened(arb(2) ** -1030), LEAST)


def _div(run: Execution, number: int, a: Operand, b: Operand) -> Real:
    x, y = run.real(a), run.real(b)
    if _is_zero(replace(y, model=y.model - run.cell.constant(1))) and not y.power:
        return x
    inverted = None if y.power else _inverted(run.cell, y.model)
    if inverted is not None:
        return _product(run, number, x, inverted)
    quotient = x.model * inverse(y.model)
    return run.rounded(number, quotient, -5000, x.power - y.power)


def _inverted(cell: Cell, divisor: Model) -> Real | None:
    """The inverse of a divisor that is a power of two, by which a product equals the quotient, else None."""
    only = divisor.range()
    if not only.is_exact() or not 2.0**-1000 < (x := float(only)) < 2.0**1000 or math.frexp(x)[0] != 0.5:
        return None
    return constant(cell, 1.0 / x) if only == x else None


def inverse(model: Model) -> Model:
    """1 / model, by its value in the middle and the derivative there: short cells, please."""
    if model.range().contains(0):
        raise Unproven("a divisor may be zero")
    return applied("inverse", model)


def _sqrt(run: Execution, number: int, a: Operand) -> Real:
    x = run.real(a)
    if x.power % 2:
        raise Unproven("the root of a number with an odd power")
    if x.model.range().is_zero():
        return constant(run.cell, 0.0)
    if not x.model.range() > 0:
        raise Unproven("the root of what may be zero or less")
    return run.rounded(number, applied("sqrt", x.model), -5000, x.power // 2)


def _abs(run: Execution, number: int, a: Operand) -> Real:
    x = run.real(a)
    values = x.model.range()
    positive = True if values.lower() >= 0 else False if values.upper() <= 0 else None
    return x if run.certain(positive, ("positive", number)) else _negative(x)


def _compared(order: Callable[[Any, Any], bool]) -> Callable[..., Known]:
    def answer(signs: set[int]) -> bool | None:
        answers = {order(sign, 0) for sign in signs}
        return answers.pop() if len(answers) == 1 else None

    def compare(run: Execution, _number: int, a: Operand, b: Operand) -> Known:
        infinite = _infinite(a), _infinite(b)
        if any(infinite):  # all values but constants are finite
            return order(*infinite)
        x, y = run.value(a), run.value(b)
        if isinstance(x, int) and isinstance(y, int):
            return order(x, y)
        x, y = run.real(a), run.real(b)
        if x.power != y.power and not (_is_zero(x) or _is_zero(y)):
            raise Unproven("numbers of different powers are compared")
        found = answer(_signs((x.model - y.model).range()))
        if found is None:
            return order(0, 0) if a == b else answer(_decided_signs(run, a, b))
        return found

    return compare


def _signs(d: arb) -> set[int]:
    """Return the signs that a number of a ball may have."""
    may_be = {-1: d.lower() < 0, 0: d.contains(0), 1: d.upper() > 0}
    return {sign for sign, is_so in may_be.items() if is_so}


def _decided_signs(run: Execution, a: Operand, b: Operand) -> set[int]:
    """Return the signs of a - b that the decided orders of the two numbers leave."""
    less, greater = run.decided.get(("below", a, b)), run.decided.get(("below", b, a))
    ruled_out = {-1: less is False or greater, 0: less or greater, 1: less or greater is False}
    return {sign for sign, is_so in ruled_out.items() if not is_so}


def _infinite(operand: Operand) -> float:
    """Return the infinity that a constant is, else 0."""
    if isinstance(operand, Constant) and operand.kind == "double":
        x = float(np.int64(operand.encoding).view(np.float64))
        return x if math.isinf(x) else 0.0
    return 0.0


def _take(run: Execution, _number: int, index: Operand, place: Place) -> Real:
    at = run.value(index)
    if isinstance(at, Whole):
        run.divided(at)
        at = _integral(at.real)
    if not isinstance(at, int):
        raise Unproven("the entry of a table is not the same on the whole cell")
    if not 0 <= at < place.length:
        raise Unproven(f"entry {at} of a table of {place.length}")
    return constant(run.cell, float(run.tables[place.first + at]))


def _integral(x: Real) -> int | None:
    """The integer that a double is, if it is the same on the whole cell."""
    found = None if x.power else _only(x.model.range(), x.grid)
    return int(found) if found is not None and found.is_integer() else None


def _long_and(run: Execution, _number: int, a: Operand, b: Operand) -> Known:
    for one, other in ((a, b), (b, a)):
        if run.shapes.is_negative_of(one, other):
            return _lowest_bit(run.value(other))
    x, mask = _sides(run, a, b)
    if isinstance(x, int):
        return x & mask
    if isinstance(x, Residue) and 0 <= mask < x.modulus:
        return x.rest & mask
    if isinstance(x, Encoding):
        return _masked(x, mask)
    if isinstance(x, Real):
        raise Unproven("bits of a number")
    if isinstance(x, _Bits) and mask == _SIGN:
        return mask if _is_negative(x.real) else 0
    if isinstance(x, _Bits) and mask < 0 and (-mask & (-mask - 1)) == 0 and mask >= -(2**52):
        return _Bits(x.real, max(x.cleared, (-mask).bit_length() - 1))
    run.divided(x)
    raise Unproven(f"the bits {mask:#x} of {x}")


def _lowest_bit(x: Known) -> int:
    """The lowest bit of an integer; its negative has the same lowest bit."""
    if isinstance(x, int) and x:
        return x & -x
    if isinstance(x, Encoding) and x.count == 1 and x.first and not x.period & ((x.first & -x.first) * 2 - 1):
        return x.first & -x.first
    raise Unproven(f"the lowest bit of {x}")


def _is_negative(x: Real) -> bool:
    values = x.model.range()
    if values.lower() > 0:
        return False
    if values.upper() < 0:
        return True
    raise Unproven("the sign of a number that may be zero")


def _long_or(run: Execution, _number: int, a: Operand, b: Operand) -> Known:
    x, bits = _sides(run, a, b)
    if isinstance(x, int):
        return x | bits
    if isinstance(x, Encoding):
        return _with_bits(x, bits)
    if isinstance(x, _Bits) and not x.cleared and bits in {0, _SIGN}:
        return _Bits(_negative(x.real)) if bits and not _is_negative(x.real) else x
    raise Unproven(f"the bits {bits:#x} are set in {x}")


def _long_xor(run: Execution, _number: int, a: Operand, b: Operand) -> Known:
    x, sign = _sides(run, a, b)
    if isinstance(x, int):
        return x ^ sign
    if isinstance(x, _Bits) and not x.cleared and sign in {0, _SIGN}:
        return _Bits(_negative(x.real)) if sign else x
    raise Unproven(f"the bits {sign:#x} are changed in {x}")


def _negative(x: Real) -> Real:
    return Real(-x.model, x.grid, x.power, x.width)


def _sides(run: Execution, a: Operand, b: Operand) -> tuple[Known, int]:
    """The operand that is not a constant, and the constant."""
    x, y = run.value(a), run.value(b)
    if isinstance(x, int) and not isinstance(y, int):
        x, y = y, x
    if not isinstance(y, int):
        raise Unproven("an operation on two integers that are not known")
    return x, y


def _masked(x: Encoding, mask: int) -> Known:
    """The last bits of a span, if the bits before them are the same for every i, and no part of q is among them."""
    bits = mask.bit_length()
    if mask == _EXPONENT and x.period == 1 << 52 and x.first >> 52 == (x.first + x.count - 1) >> 52:
        return Encoding(x.first >> 52 << 52, 1, x.period)  # of positive doubles
    if not x.period and mask < -1:
        by = (~mask & -~mask).bit_length() - 1
        return _with_upper(x, by, _upper(x, by) & mask >> by)
    if mask == _EXPONENT and not x.period:
        by = _DIGITS - 1
        return (_upper(x, by) & mask >> by) << by
    if mask != (1 << bits) - 1 or x.period & mask or x.first >> bits != (x.first + x.count - 1) >> bits:
        raise Unproven(f"the bits {mask:#x} of {x}")
    return x.first & mask if x.count == 1 else Encoding(x.first & mask, x.count)


def _with_bits(x: Encoding, bits: int) -> Known:
    """A span with ``bits`` set, if all of these lie before the bits that differ with i."""
    by = (bits & -bits).bit_length() - 1
    return _with_upper(x, by, _upper(x, by) | bits >> by) if bits else x


def _upper(x: Encoding, by: int) -> int:
    """A span without its last ``by`` bits, if the rest is the same for all of it."""
    if x.period or x.first >> by != (x.first + x.count - 1) >> by:
        raise Unproven(f"{x} without its last {by} bits")
    return x.first >> by


def _with_upper(x: Encoding, by: int, upper: int) -> Encoding:
    """The span with other bits before its last ``by`` ones."""
    return replace(x, first=(upper << by) + (x.first & ((1 << by) - 1)))


def _without_last(x: Encoding, by: int) -> Known:
    """A span divided by 2^by, if the result is the same for every i, and q stays an integer."""
    if x.period & ((1 << by) - 1) or x.first >> by != (x.first + x.count - 1) >> by:
        raise Unproven(f"{x} without its last {by} bits")
    return Encoding(x.first >> by, 1, x.period >> by) if x.period else x.first >> by


def _shr(run: Execution, number: int, a: Operand, b: Operand) -> Known:
    x, by = run.value(a), run.value(b)
    if isinstance(x, int) and isinstance(by, int):
        return x >> by
    if isinstance(x, Encoding) and isinstance(by, int):
        return _without_last(x, by)
    if isinstance(x, Residue) and isinstance(by, int) and 1 << by <= x.modulus:
        rest, modulus = x.rest >> by, x.modulus >> by
        return Power(rest) if modulus == 1 else Residue(rest, modulus)
    if isinstance(x, _Bits) and by == 63:
        return -1 if _is_negative(x.real) else 0
    if isinstance(x, _Bits) and by == _DIGITS - 1:
        return _sign_and_exponent(x)
    if isinstance(x, Between) and isinstance(by, int):
        return _one_of_two(run, number, Between(x.least >> by, x.greatest >> by))
    run.divided(x)
    raise Unproven("a shift of an integer that is not known")


def _one_of_two(run: Execution, number: int, x: Between) -> int:
    """The only integer in the range, or one of two neighbours, each of which is a case."""
    if x.greatest - x.least > 1:
        raise Unproven(f"an integer between {x.least} and {x.greatest}")
    is_one = x.least == x.greatest
    return x.least if is_one or run.certain(None, ("lower of two", number)) else x.greatest


def _encodings(x: Real) -> Between:
    """The encodings of positive normal doubles, from the least multiple in the model's range to the greatest."""
    unit = arb(2) ** x.grid
    low, high = x.model.ends()
    least, greatest = (low / unit).lower().ceil().unique_fmpz(), (high / unit).upper().floor().unique_fmpz()
    ends = int(least or 0), int(greatest or 0)
    if x.power or not math.ldexp(max(ends[0], 0), x.grid) >= 2.0**-1000:
        raise Unproven("the encodings of what may not be positive and normal")
    first, last = (int(np.float64(math.ldexp(end, x.grid)).view(np.int64)) for end in ends)
    return Between(first, last)


def _sign_and_exponent(x: _Bits) -> int:
    """The encoding without its 52 bits of the significand: of normal doubles that lie in one binade."""
    ends = _multiples(*x.real.model.ends(), x.real.grid)
    if x.real.power or ends is None or ends[0] * ends[1] <= 0 or ends[0].bit_length() != ends[1].bit_length():
        raise Unproven("the exponent of a number is not the same on the whole cell")
    exponent = ends[0].bit_length() - 1 + x.real.grid
    if not -GREATEST < exponent <= GREATEST:
        raise Unproven("the exponent of a number that may be subnormal or infinite")
    return exponent + 1023 - (2048 if ends[0] < 0 else 0)


def _shl(run: Execution, _number: int, a: Operand, b: Operand) -> Known:
    x, by = run.value(a), run.value(b)
    if isinstance(x, int) and isinstance(by, int):
        return _wrapped(x << by)
    if isinstance(x, Power) and by == 52:
        return _Shifted(x)
    if isinstance(x, Residue) and isinstance(by, int) and x.modulus << by >= 1 << 64:
        return _wrapped(x.rest << by)
    run.divided(x)
    raise Unproven("a shift of an integer that is not known")


def _wrapped(x: int) -> int:
    """An integer modulo 2^64, as on devices."""
    return (x + (1 << 63)) % (1 << 64) - (1 << 63)


def _long_sub(run: Execution, _number: int, a: Operand, b: Operand) -> Known:
    x, y = run.value(a), run.value(b)
    if isinstance(y, Encoding) and isinstance(x, int) and y.count == 1:
        return Encoding(x - y.first, 1, -y.period)
    if isinstance(y, Power) and isinstance(x, int):
        return Power(x - y.added, -y.sign)
    if not isinstance(y, int):
        raise Unproven("an integer that is not known is taken away")
    return _plus(run, run.value(a), -y)


def _plus(run: Execution, x: Known, y: int) -> Known:
    if isinstance(x, int):
        return _fits(x + y)
    if isinstance(x, Encoding):
        return replace(x, first=x.first + y)
    if isinstance(x, Power):
        return Power(x.added + y, x.sign)
    if isinstance(x, Residue):
        return Residue(x.rest + y, x.modulus)
    if isinstance(x, _Bits) and 0 <= y < 1 << _DIGITS - 1 and not x.cleared:
        found = _encodings(x.real)
        return Between(found.least + y, found.greatest + y)
    if isinstance(x, _Bits) and y == -_MAGIC_BITS and not x.cleared:
        magic = run.cell.constant(1.5 * 2.0**52)
        away = x.real.model - magic
        if x.real.power == 0 and x.real.grid >= 0 and upper(away.range()) < 2.0**51:
            run.lemmas["magic"] += 1
            return Whole(run.alone(Real(away, x.real.grid, step=x.real.step)))
    run.divided(x)
    raise Unproven("an addition to an integer that is not known")


def _fits(x: int) -> int:
    """``x``, if it fits in 64 bits."""
    if not -(2**63) <= x < 2**63:
        raise Unproven("an integer leaves 64 bits")
    return x


def _bits(run: Execution, _number: int, a: Operand) -> Known:
    x = run.real(a)
    single = _only(x.model.range(), x.grid) if x.power == 0 else None
    return _Bits(x) if single is None or single == 0.0 else int(np.float64(single).view(np.int64))


def _from_bits(run: Execution, number: int, a: Operand) -> Real:
    x = run.value(a)
    if isinstance(x, _Shifted):
        scale = math.ldexp(1.0, x.power.added - 1023)
        low, high = sorted(x.power.sign * k + x.power.added for k in run.cell.powers)
        if not 0 < low <= high < 2047:
            raise Unproven("a power of two may be out of range")
        run.lemmas["power of two"] += 1
        return Real(run.cell.constant(scale), grid_of(scale), x.power.sign, 1)
    if isinstance(x, int):
        return constant(run.cell, float(np.int64(x).view(np.float64)))
    if isinstance(x, _Bits):
        return _truncated(run, number, x) if x.cleared else x.real
    raise Unproven(f"the double with the encoding {x}")


def _truncated(run: Execution, _number: int, x: _Bits) -> Real:
    """A double without its last bits, rounded toward zero: the error is less than a unit in the new last place."""
    values = x.real.model.range()
    size, least = upper(values), lower(values)
    if size == 0.0:
        return x.real
    if x.real.power:
        raise Unproven("bits of a number with a power are cleared")
    unit = math.ldexp(1.0, math.frexp(size)[1] - _DIGITS + x.cleared)
    if least < 2.0**-1000:  # of any sign: a multiple of 2^grid stays one, for only larger bits are kept
        run.lemmas["cleared bits"] += 1
        return Real(x.real.model + _cut_off(run, max(unit, 2.0**-1000)), x.real.grid, 0, _DIGITS - x.cleared)
    grid = math.frexp(least)[1] - _DIGITS + x.cleared
    if math.ldexp(1.0, min(x.real.grid, 1000)) >= unit:
        return x.real
    single = _only_below(values, unit)
    if single is not None:
        run.lemmas["cleared bits"] += 1
        return constant(run.cell, single)
    half = arb(unit) / 2
    toward = -half if values.lower() > 0 else half
    run.lemmas["cleared bits"] += 1
    model = x.real.model + run.cell.constant(toward) + _cut_off(run, half)
    return Real(model, max(grid, x.real.grid), x.real.power, _DIGITS - x.cleared)


def _cut_off(run: Execution, bound: Any) -> Model:
    """The truncated part of a number: its products cancel with products of the remaining part."""
    found = run.cell.unknown(bound)
    run.cell.paired |= set(found.terms)
    return found


def _only_below(values: arb, unit: float) -> float | None:
    """The multiple of ``unit`` that all of ``values``, positive and in one binade, are cut to, if there is one."""
    if not values.lower() > 0 or math.frexp(lower(values))[1] != math.frexp(upper(values))[1]:
        return None
    low, high = ((end / unit).floor() for end in (values.lower(), values.upper()))
    return float(low) * unit if low.is_exact() and high.is_exact() and low == high else None


def _of_long(run: Execution, _number: int, a: Operand) -> Real:
    x = run.value(a)
    if isinstance(x, Whole):
        return x.real
    if isinstance(x, Power) and x.real is not None:
        return x.real
    if isinstance(x, int) and abs(x) <= 2**53:
        return constant(run.cell, float(x))
    raise Unproven("an integer that is not known is made a double")


def _integer(run: Execution, _number: int, a: Operand) -> Known:
    found = _integral(run.real(a))
    if found is None:
        raise Unproven("a double that is not known is made an integer")
    return found


def _long_neg(run: Execution, _number: int, a: Operand) -> Known:
    x = run.value(a)
    if isinstance(x, int):
        return _fits(-x)
    if isinstance(x, Encoding) and x.count == 1:
        return Encoding(-x.first, 1, -x.period)
    raise Unproven("the negative of an integer that is not known")


_BELOW = {"lt": True, "ge": True, "gt": False, "le": False, "eq": True, "ne": True}


def _long_mul(run: Execution, _number: int, a: Operand, b: Operand) -> Known:
    x, y = run.value(a), run.value(b)
    if isinstance(x, int) and isinstance(y, int):
        return _wrapped(x * y)
    raise Unproven("a product of integers that are not known")


_OPERATIONS: dict[str, Callable[..., Known]] = {
    "double.add": _add,
    "double.sub": lambda run, number, a, b: _sum(run, number, run.real(a), _negative(run.real(b))),
    "double.mul": lambda run, number, a, b: _product(run, number, run.real(a), run.real(b)),
    "double.div": _div,
    "double.neg": lambda run, _, a: _negative(run.real(a)),
    "double.abs": _abs,
    "double.of_long": _of_long,
    "integer": _integer,
    "fma": _fma,
    "sqrt": _sqrt,
    "take": _take,
    "bits": _bits,
    "from_bits": _from_bits,
    "bool.and": lambda run, _, a, b: (x := run.value(a)) is not False and all_of(x, run.value(b)),
    "bool.or": lambda run, _, a, b: (x := run.value(a)) is True or any_of(x, run.value(b)),
    "bool.xor": lambda run, _, a, b: None if None in (both := (run.value(a), run.value(b))) else both[0] != both[1],
    "bool.not": lambda run, _, a: not_of(run.value(a)),
    "long.and": _long_and,
    "long.or": _long_or,
    "long.xor": _long_xor,
    "long.shr": _shr,
    "long.shl": _shl,
    "long.add": lambda run, _, a, b: _plus(run, *_sides(run, a, b)),
    "long.sub": _long_sub,
    "long.mul": _long_mul,
    "long.neg": _long_neg,
    **{f"{kind}.{name}": _compared(getattr(operator, name)) for kind in ("double", "long") for name in _BELOW},
}
