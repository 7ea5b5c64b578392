"""Double's expm1, sinh, cosh and tanh: what the reduction leaves, and every entry of the table with every power of 2.

These are sums of 2^k and 2^-k, perhaps over another sum, so that k matters: it is 0, 1, 2, ... by itself and, where
the one term is small beside the other, together with others, 2^-k being a number of which only a range is known.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from flint import arb, fmpq

from clmath.ir.lanes import clamp, greater, lane, lesser, nearest, select, two_to
from clmath.ir.program import Value
from clmath.kernels.double import exponential as double
from clmath.kernels.double import hyperbolic
from clmath.kernels.double.exponential import in_steps, less_one
from proofs.engine.execution import Execution, Power, Real, constant
from proofs.engine.ideals import EXP, INVERSE, applied
from proofs.engine.models import Cell, Model, Unproven, dyadic, lower
from proofs.engine.proof import Setting, enclosed
from proofs.engine.traced import traced
from proofs.families import exponential
from proofs.statements import EnclosedRatio, EnclosedSum, Known

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from clmath.ir.program import Kind

__all__ = ["NAMES", "NEAR", "double_parts", "finest", "scale_of"]

_STEPS = 256
NEAR = 0.00135  # n = 0 up to there
_GRID, _GRID_LO = -78, -140  # r and r_lo are multiples of 2 to these powers


@dataclass(frozen=True)
class Family(exponential.Family):
    """A kernel of e^y, y the argument or its size or twice that: y = n ln(2)/256 + r + r_lo, n = 256 k + j.

    ``whole``: where n stands as a double; ``integers``: where k, j and perhaps -j do. ``scale``: where the power of two
    of the other term stands, 2^``exponent(k, j)`` but no less than 2^``lowest``. ``of_size``: whether all is about |x|,
    and ``negative``: where x < 0 stands then, if it matters. ``groups``: the k that are proven together. ``value``:
    what the kernel claims to give, divided by 2^(k + ``added``), of r + r_lo, j and that power; where ``added`` is
    None, by nothing. ``is_odd``: whether it has the sign of x; ``tops``: the greatest and the least argument, in size.
    ``cuts``: cells of r end at 2^-cut of its reach. ``pair``: in tanh, where e^y - 1 stands as a pair.
    """

    whole: int
    integers: tuple[int, ...]
    scale: int
    exponent: Callable[[int, int], int]
    lowest: int
    negative: tuple[int, ...]
    groups: tuple[tuple[int, int], ...]
    value: Callable[[Model, int, Model], Model]
    added: int | None
    is_odd: bool
    of_size: bool
    tops: tuple[float, float]
    cuts: tuple[float, ...]
    pair: tuple[int, ...]

    def given_of_sign(self, sign: int) -> dict[int, Any]:
        """What is given of an argument of that sign, besides itself."""
        return {**dict.fromkeys(self.special, False), **dict.fromkeys(self.negative, sign < 0)}

    def output(self, index: int) -> int:
        """Where the program has what it returns there."""
        found = self.traced.program.outputs[index][1]
        assert isinstance(found, Value)
        return found.number

    def terms(self, j: int, scale: float, sign: int, power: int = 1) -> tuple[tuple[float, int, int], ...]:
        """``value`` as plain data, of e^(power z)."""
        other, s = (-j % _STEPS, -power) if len(self.integers) > 2 else (0, 0)
        factor = sign if self.is_odd else 1
        return (factor, j, power), (factor * (scale if self.value is _sum else -scale), other, s)

    def statement(
        self, known: Known, numbers: Mapping[int, Any], terms: Any, over: Any = (), off: float = 0.0
    ) -> EnclosedSum:
        """What is claimed where that is known, as plain data."""
        values = tuple(sorted(numbers.items()))
        parts = tuple(self.output(i) for i in (0, 1))
        return EnclosedSum(known, values, _STEPS, terms, over, off, parts, self.output(2))

    def whole_value(self, y: Model) -> Model:
        """The function's value, or its size, where n = 0."""
        found = self.value(y, 0, y.cell.constant(1))
        return found * applied(INVERSE, found + y.cell.constant(2)) if self.pair else found

    def claim(self, run: Execution, ideal: Model, k: Power | int, sign: int) -> list[tuple[Model, float]]:
        """That the kernel's value is as near to ``ideal`` as it says, and that its exponent is k + added."""
        expected: Power | int = 0
        if self.added is not None:
            expected = replace(k, added=self.added) if isinstance(k, Power) else k + self.added
        if run.output(3) != expected:
            raise Unproven("the exponent is another")
        return [enclosed(run, ideal.scaled(sign if self.is_odd else 1), (0, 1), 2)]


def _grown(exact: Model, j: int) -> Model:
    """2^(j/256) e^y."""
    return applied(EXP, exact).scaled((arb(2).log() * fmpq(j, _STEPS)).exp())


def _less_one(exact: Model, j: int, unit: Model) -> Model:
    return _grown(exact, j) - unit


def _difference(exact: Model, j: int, scale: Model) -> Model:
    return _grown(exact, j) - _grown(-exact, -j % _STEPS) * scale


def _sum(exact: Model, j: int, scale: Model) -> Model:
    return _grown(exact, j) + _grown(-exact, -j % _STEPS) * scale


@dataclass(frozen=True)
class Reduction(exponential.Reduction):
    """As there, for the arguments that are ordinary here; and that n lies between the multiples that are proven."""

    family: Family

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binade by binade: of sizes of arguments, in kernels of |x|. Up to ``near`` n = 0."""
        near = NEAR / float(self.family.base())
        for sign, top in zip("+-", self.family.tops, strict=True):
            for low, high in (*dyadic(self.family.least, near), *dyadic(near, top)):
                ends = (-high, -low) if sign == "-" and not self.family.of_size else (low, high)
                yield sign, *ends

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given; in kernels of |x| that or its negative."""
        family, found = self.family, super().setting(which, cell)
        x = found.given[0]
        sign = -1 if which == "-" and family.of_size else 1
        given = {**found.given, 0: replace(x, model=x.model.scaled(sign)), **family.given_of_sign(sign)}
        first, last = family.groups[0][0] * _STEPS, family.groups[-1][1] * _STEPS + _STEPS - 1
        middle, radius = (first + last) / 2, (last - first) / 2
        is_near = max(abs(float(end)) for end in (cell.low, cell.high)) <= NEAR / float(family.base())

        def claims(run: Execution) -> list[tuple[Model, float]]:
            n = run.whole(Value(family.n))
            if is_near:
                return [(n, 0.75)]
            if run.real(Value(family.rest[1])).grid < _GRID_LO:
                raise Unproven("the rest's lower part may be finer than was said")
            return [*found.claims(run), (n - cell.constant(middle), radius + 0.75)]

        return Setting(given, claims)


@dataclass(frozen=True)
class Integers:
    """What the integers and the power of two are for each n: n is given, and all is known."""

    family: Family
    name: str = "integers"

    @property
    def traced(self) -> Any:
        """The whole kernel."""
        return self.family.traced

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Every k."""
        for k in range(self.family.groups[0][0], self.family.groups[-1][1] + 1):
            yield k, 0.0, 0.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Nothing but integers."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """N is given, for every j."""
        family = self.family

        def claims(run: Execution) -> list[tuple[Model, float]]:
            for j in range(_STEPS):
                given = {family.n: which * _STEPS + j}
                each = Execution(run.program, run.tables, run.shapes, cell, given)
                expected = dict(zip(family.integers, (which, j, -j % _STEPS), strict=False))
                if {number: each.value(Value(number)) for number in expected} != expected:
                    raise Unproven(f"k or j is another where n is {given[family.n]}")
                scale = constant(cell, math.ldexp(1.0, max(family.exponent(which, j), family.lowest)))
                if (each.real(Value(family.scale)).model - scale.model).p.length():
                    raise Unproven(f"the power of two is another where n is {given[family.n]}")
            return [(cell.constant(0), 1.0)]

        return Setting({}, claims)


@dataclass(frozen=True)
class Small:
    """The kernel's value where n = 0: then r is the argument, which may be near zero."""

    family: Family
    name: str = "small"

    @property
    def traced(self) -> Any:
        """The whole kernel."""
        return self.family.traced

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binade by binade; sizes of arguments, in kernels of |x|."""
        reach = self.family.reach * (1.0 + 2.0**-20) / float(self.family.base())
        for low, high in dyadic(self.family.least, reach):
            yield 1, low, high
            yield (-1, low, high) if self.family.of_size else (1, -high, -low)

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Arguments."""
        return Cell(low, high)

    def statement(self, which: Any, low: float, high: float) -> EnclosedSum:
        """The same as plain data, of the size of the argument."""
        family, power = self.family, int(float(self.family.base()))
        numbers = {**family.given_of_sign(which), family.whole: 0.0, family.n: 0}
        known = Known(0, exponential.grid(abs(low), abs(high), width=53))
        over = ((1.0, 0, power), (1.0, 0, 0)) if family.pair else ()
        return family.statement(known, numbers, family.terms(0, 1.0, which, power), over)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given, and that n = 0."""
        family, y = self.family, cell.argument().scaled(self.family.base())
        x = Real(cell.argument().scaled(which), finest(cell))
        given = {**family.given_of_sign(which), 0: x, family.whole: constant(cell, 0.0), family.n: 0}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            return family.claim(run, family.whole_value(y), 0, which)

        return Setting(given, claims)


@dataclass(frozen=True)
class Values:
    """The kernel's value for r, r_lo, k and j as they are, n not being 0."""

    family: Family
    name: str = "values"

    @property
    def traced(self) -> Any:
        """The whole kernel."""
        return self.family.traced

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Both signs of r at each entry of the table with each group of k, and both signs of x in kernels of |x|."""
        for group in self.family.groups:
            for j in range(_STEPS):
                for sign in self._signs() if group != (0, 0) or j else ():
                    for low, high in pairwise((0.0, *(self.family.reach / 2**i for i in self.family.cuts))):
                        yield (sign, group, j), low, high
                        yield (sign, group, j), -high, -low

    def _signs(self) -> tuple[int, ...]:
        return (1, -1) if self.family.negative else (1,)

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of r."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """What is given: r, r_lo, k, j and the power of two, known or within a range."""
        family, (sign, group, j) = self.family, which
        r, r_lo = cell.argument(), cell.unknown(family.reach_lo)
        exact = r + r_lo + cell.unknown(family.off)
        k: Power | int = group[0] if group[0] == group[1] else Power()
        scale, other = scale_of(family, cell, group, j)
        cell.paired |= set(r_lo.terms) | set(scale.model.terms)
        given = {
            **family.given_of_sign(sign),
            family.rest[0]: Real(r, max(family.grid, finest(cell))),
            family.rest[1]: Real(r_lo, _GRID_LO),
        }
        given |= dict(zip(family.integers, (k, j, -j % _STEPS), strict=False))
        given[family.scale] = scale

        def claims(run: Execution) -> list[tuple[Model, float]]:
            return self._claims(run, family.value(exact, j, other), which, scale.model)

        return Setting(given, claims)

    def statement(self, which: Any, k: int) -> EnclosedSum:
        """The same as plain data, for one k of the group, where no power of two is less than the lowest."""
        family, (sign, _, j) = self.family, which
        scale = math.ldexp(1.0, family.exponent(k, j))
        numbers: dict[int, Any] = family.given_of_sign(sign)
        numbers |= dict(zip(family.integers, (k, j, -j % _STEPS), strict=False))
        numbers[family.scale] = scale
        known = Known(family.rest[0], family.grid, ((family.rest[1], family.reach_lo),))
        return family.statement(known, numbers, family.terms(j, scale, sign), (), family.off)

    def _claims(self, run: Execution, ideal: Model, which: Any, _: Model) -> list[tuple[Model, float]]:
        sign, group, _ = which
        return self.family.claim(run, ideal, group[0] if group[0] == group[1] else Power(), sign)


def scale_of(family: Family, cell: Cell, group: tuple[int, int], j: int) -> tuple[Real, Model]:
    """The power of two in the trace, any of the group's, and what it would be without its lowest value."""
    least, greatest = (family.exponent(k, j) for k in reversed(group))
    low, high = (max(exponent, family.lowest) for exponent in (least, greatest))
    if low == high:
        model = cell.constant(arb(2) ** high)
    else:
        ends = arb(2) ** low, arb(2) ** high
        model = cell.constant((ends[0] + ends[1]) / 2) + cell.unknown((ends[1] - ends[0]) / 2)
    return Real(model, low, 0, 1), model + cell.unknown(arb(2) ** low) if least < low else model


def _left(top: float, power: float, size: float) -> float:
    """How far e^y 2^-k - 2^-k is from its pair at most: 2^(j/256) = ``power``, and ``size`` the pair's, ``top`` err's.

    What expm1 claims to give as its err.
    """
    found: float = min(size * double.EXPM1_BOUND, power * double.EXPM1_WIDEST + size * 2.0**-100) * top
    return found


def _lower_part(size: float, *, k_is_zero: bool) -> float:
    """How large lo is beside a hi of that size, below 1 where k = 0, and below 2 elsewhere."""
    return math.exp2(-52.9) * size if k_is_zero else math.exp2(-52.99)


@dataclass(frozen=True)
class Pairs(Values):
    """In tanh: e^y - 1 as a pair, for r, r_lo, k and j as they are, and between what it lies."""

    name: str = "pairs"

    def pair_statement(self, which: Any, k: int, low: float) -> EnclosedSum:
        """The same as plain data, for one k, and r no less than ``low``."""
        power = 2.0 ** (which[2] / _STEPS)
        bound = _left(1.0, power, power * math.exp(low) - math.ldexp(1.0, -k))
        return replace(super().statement(which, k), parts=self.family.pair, bound=bound)

    def _signs(self) -> tuple[int, ...]:
        return (1,)

    def _claims(self, run: Execution, ideal: Model, which: Any, unit: Model) -> list[tuple[Model, float]]:
        _, group, j = which
        hi, lo = (run.real(Value(number)).model for number in self.family.pair)
        size = lower(hi.range())
        ends = (0.0013, 1.0) if group == (0, 0) else (0.998, 2.0)
        return [
            (hi + lo - ideal, _left(1.0, 2.0 ** (j / _STEPS), size)),
            (lo, _lower_part(size, k_is_zero=group == (0, 0))),
            (hi + unit.scaled(group != (0, 0)) - hi.cell.constant((ends[0] + ends[1]) / 2), (ends[1] - ends[0]) / 2),
        ]


@dataclass(frozen=True)
class Quotients:
    """In tanh: (hi + lo) / (hi + lo + 2 2^-k), where hi + lo is as near to e^y 2^-k - 2^-k as ``Pairs`` proves."""

    family: Family
    name: str = "quotients"

    @property
    def traced(self) -> Any:
        """The whole kernel."""
        return self.family.traced

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """All that hi may be with each k, binade by binade, in quarters, for both signs of x."""
        for k in range(self.family.groups[-1][1] + 1):
            unit = 2.0**-k
            for low, high in dyadic(0.998 - unit if k else 0.0013, 2.0 - unit):
                for i in range(4):
                    for sign in (1, -1):
                        yield (sign, k), low + (high - low) * i / 4, low + (high - low) * (i + 1) / 4

    def statement(self, which: Any, low: float, high: float) -> EnclosedRatio:
        """The same as plain data."""
        family, (sign, k) = self.family, which
        unit = math.ldexp(1.0, -k)
        known = Known(family.pair[0], exponential.grid(low, width=53), ((family.pair[1], self._lower(which, high)),))
        numbers = tuple(sorted({**family.given_of_sign(sign), family.scale: unit}.items()))
        parts = tuple(family.output(i) for i in (0, 1))
        return EnclosedRatio(known, numbers, 2.0 * unit, sign, self._off(which, high), parts, family.output(2))

    def _lower(self, which: Any, top: float) -> float:
        """How large lo is where hi is no larger than ``top``."""
        return _lower_part(top, k_is_zero=which[1] == 0)

    def _off(self, which: Any, top: float) -> float:
        """How far hi + lo is from the exact value there."""
        return _left(1.0 + 2.0**-40, (top + math.ldexp(1.0, -which[1])) * 1.0015, top)

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of hi."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """hi, lo and the power of two are given."""
        family, (sign, k) = self.family, which
        hi, unit, top = cell.argument(), math.ldexp(1.0, -k), float(cell.high)
        lo, off = cell.unknown(self._lower(which, top)), cell.unknown(self._off(which, top))
        given = {**family.given_of_sign(sign), family.scale: constant(cell, unit)}
        given |= {family.pair[0]: Real(hi, finest(cell)), family.pair[1]: Real(lo, -1074)}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            less = hi + lo + off
            return family.claim(run, less * applied(INVERSE, less + cell.constant(2.0 * unit)), 0, sign)

        return Setting(given, claims)


def finest(cell: Cell) -> int:
    """All doubles of a cell are multiples of 2 to this power."""
    return exponential.grid(*(float(end.abs_lower()) for end in (cell.low, cell.high)), width=53)


def _special_to_expm1(x: Any) -> Any:
    infinite = abs(x) == double.INFINITY
    return abs(x) < double.EXPM1_TINY, infinite, x < double.SATURATED, x < -64.0, x > double.TOP


def _special_to_sinh(x: Any) -> Any:
    a = abs(x)
    return a < hyperbolic.TINY, a == hyperbolic.INFINITY, a < 0.0, a > double.TOP


def _special_to_tanh(x: Any) -> Any:
    a = abs(x)
    saturated = hyperbolic.SATURATED
    return a < hyperbolic.TINY, a == hyperbolic.INFINITY, a + a < 0.0, a + a > 2.0 * saturated, a > saturated


@lane
def _of_expm1(x: Any) -> Any:
    return select(abs(x) < double.EXPM1_TINY, 0.0, clamp(x, -64.0, double.TOP))


@lane
def _of_sinh(x: Any) -> Any:
    return select(abs(x) < hyperbolic.TINY, 0.0, clamp(abs(x), 0.0, double.TOP))


@lane
def _of_tanh(x: Any) -> Any:
    a = abs(x)
    return select(a < hyperbolic.TINY, 0.0, clamp(a + a, 0.0, 2.0 * hyperbolic.SATURATED))


@lane
def _reduced(x: Any) -> Any:
    whole, _ = nearest(x * double.STEPS_PER_E)
    return *in_steps(x, double.STEPS_PER_E, double.LN2_STEP), whole


@lane
def _with_unit(x: Any) -> Any:
    r, r_lo, n, whole = _reduced(x)
    return r, r_lo, n, whole, n >> 8, n & 255, two_to(-lesser(n >> 8, 100))


@lane
def _with_both(x: Any) -> Any:
    r, r_lo, n, whole = _reduced(x)
    scale = two_to(greater((-n >> 8) - (n >> 8), -200))
    return r, r_lo, n, whole, n >> 8, n & 255, -n & 255, scale


def _parts_of_expm1(x: Any) -> Any:
    return _with_unit(_of_expm1(x))


def _parts_of_sinh(x: Any) -> Any:
    return _with_both(_of_sinh(x))


def _parts_of_tanh(x: Any) -> Any:
    return _with_unit(_of_tanh(x))


def _pair_of_tanh(x: Any) -> Any:
    hi, lo, *_ = less_one(_of_tanh(x))
    return hi, lo


def _is_negative(x: Any) -> Any:
    return (x < 0.0,)


def _opposite(k: int, _: int) -> int:
    return -k


def _twice(k: int, j: int) -> int:
    """The power of two in 2^(-n/256) 2^-k, n = 256 k + j, beside an entry of the table."""
    return -2 * k - (j > 0)


@dataclass(frozen=True)
class Claimed:
    """What ``Family`` is told of a kernel."""

    kernel: Callable[..., Any]
    parts: Callable[..., Any]
    special: Callable[..., Any]
    conditions: int
    value: Callable[[Model, int, Model], Model]
    groups: tuple[tuple[int, int], ...]
    least: float
    tops: tuple[float, float]
    added: int | None = -1
    is_odd: bool = True
    of_size: bool = True
    has_both: bool = True
    factor: float = 1.0
    reach_lo: float = 2.0**-60.5
    cuts: tuple[float, ...] = (3.0, 2.0, 1.0, 0.0)
    pair: Callable[..., Any] | None = None


_CLOSE = (4.0, *(i / 3 for i in range(9, -1, -1)))  # where bounds grow with r, and little is to spare
_HIGHEST = 1155  # 800 / ln 2
_CLAIMED = {
    "expm1": Claimed(
        double.expm1,
        _parts_of_expm1,
        _special_to_expm1,
        5,
        _less_one,
        (*((k, k + 4) for k in range(-61, -21, 5)), (-21, -2), (-1, -1), (0, 0), (1, _HIGHEST)),
        double.EXPM1_TINY,
        (double.TOP, -double.SATURATED),
        0,
        False,
        False,
        False,
    ),
    "sinh": Claimed(
        hyperbolic.sinh,
        _parts_of_sinh,
        _special_to_sinh,
        4,
        _difference,
        ((0, 0), (1, 1), (2, 7), (8, _HIGHEST)),
        hyperbolic.TINY,
        (double.TOP, double.TOP),
    ),
    "cosh": Claimed(
        hyperbolic.cosh,
        _parts_of_sinh,
        _special_to_sinh,
        4,
        _sum,
        ((0, 0), (1, 1), (2, 7), (8, _HIGHEST)),
        hyperbolic.TINY,
        (double.TOP, double.TOP),
        is_odd=False,
        cuts=_CLOSE,
    ),
    "tanh": Claimed(
        hyperbolic.tanh,
        _parts_of_tanh,
        _special_to_tanh,
        5,
        _less_one,
        ((0, 0), (1, 62)),
        hyperbolic.TINY,
        (hyperbolic.SATURATED, hyperbolic.SATURATED),
        None,
        has_both=False,
        factor=2.0,
        reach_lo=2.0**-62.5,
        pair=_pair_of_tanh,
    ),
}
NAMES = tuple(_CLAIMED)
_BOOLS: tuple[Kind, ...] = ("bool",) * 8


def double_parts(name: str) -> tuple[Any, ...]:
    """The parts of the proof of one of double's kernels."""
    claimed = _CLAIMED[name]
    whole = traced(claimed.kernel, ("double",), ("double", "double", "double", "long"))

    kinds: tuple[Kind, ...] = ("double", "double", "long", "double", "long", "long")
    kinds += ("long", "double") if claimed.has_both else ("double",)
    r, r_lo, n, as_double, *integers, scale = whole.places(claimed.parts, *kinds)
    negative = tuple(whole.places(_is_negative, "bool")) if claimed.is_odd and claimed.of_size else ()
    family = Family(
        name,
        whole,
        (r, r_lo),
        n,
        tuple(whole.places(claimed.special, *_BOOLS[: claimed.conditions])),
        exponential.two if claimed.factor == 2.0 else exponential.one,
        _STEPS,
        claimed.least,
        max(claimed.tops),
        0.00136,
        claimed.reach_lo,
        2.0**-105,
        _GRID,
        1400,
        in_one=False,
        whole=as_double,
        integers=tuple(integers),
        scale=scale,
        exponent=_twice if claimed.has_both else _opposite,
        lowest=-200 if claimed.has_both else -100,
        negative=negative,
        groups=claimed.groups,
        value=claimed.value,
        added=claimed.added,
        is_odd=claimed.is_odd,
        of_size=claimed.of_size,
        tops=claimed.tops,
        cuts=claimed.cuts,
        pair=tuple(whole.places(claimed.pair, "double", "double")) if claimed.pair else (),
    )
    if family.pair:
        return Reduction(family), Integers(family), Small(family), Pairs(family), Quotients(family)
    return Reduction(family), Integers(family), Small(family), Values(family)
