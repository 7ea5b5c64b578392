"""Fine's exp, exp2, exp10, expm1, sinh, cosh and tanh: e^r - 1 as a pair once, then every entry of the table with it.

As for the double kernels, whose reduction it is; what is left of the argument, times ln 2 or ln 10 where the base is
another, is r. Where n = 0 the argument itself is given, for bounds are relative there.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import clamp, fast_two_sum, greater, lane, lesser, nearest, two_to
from clmath.ir.program import Value
from clmath.kernels.double import exponential as double
from clmath.kernels.double import hyperbolic
from clmath.kernels.double.exponential import LOG10_STEP, STEPS_PER_TEN, in_steps, reduced, tamed
from clmath.kernels.double.pairs import times_pair
from clmath.kernels.fine import exponential as fine
from clmath.kernels.fine import hyperbolic as fine_hyperbolic
from clmath.kernels.fine.exponential import LN2, LN10, less_one, scaled_exp
from clmath.kernels.fine.exponential import growth as rise_of
from proofs.engine.execution import Execution, Power, Real
from proofs.engine.ideals import EXP, EXPM1, INVERSE, applied
from proofs.engine.models import Cell, Model, Unproven, dyadic, lower, mirrored, upper
from proofs.engine.proof import OfFamily, Setting, enclosed
from proofs.families import exponential, growth, narrowed
from proofs.families.narrowed import STEPS
from proofs.statements import EnclosedSum, Known

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from clmath.ir.program import Kind
    from proofs.engine.traced import Traced

__all__ = ["NAMES", "fine_parts"]

_GRID_LO = -140  # of what the reduction leaves besides
_RISE = 0.001362  # e^r - 1 at most
_RISE_LO, _RISE_OFF = 2.0**-62, 2.0**-109  # of the pair: its second part, and how far it is off, at most
_RISE_GRID = -900
_BOOLS: tuple[Kind, ...] = ("bool",) * 8
_DOUBLES: tuple[Kind, ...] = ("double",) * 4


@dataclass(frozen=True)
class Pair:
    """What a kernel computes its value from, over 2^k: e^y - 1 where ``is_less``, else e^y, y >= 0.

    ``parts``: where it stands; ``err``: where its bound does, if it is one. ``completed``: the kernel's value, by that
    and the power of two. ``alone``: the k that are proven each by itself are below that.
    """

    parts: tuple[int, int]
    err: int
    is_less: bool
    completed: Callable[[Model, Model], Model]
    alone: int


_LOWER_PART = 2.0**-52.5  # how large the second part of the pair is beside the first
_OFF = 2.0**-104.6  # how far e^y is off as a pair, relatively
_RELATIVE, _ABSOLUTE = 2.0 * fine.GROWTH_BOUND, fine.STEP_BOUND  # the bound of e^y - 1, of that and of e^y / (e^r)
_LOOSE = 0.0015  # what the second of these is off by, as e^r is


@dataclass(frozen=True)
class Family(growth.Family):
    """As there; ``scale`` is None where there is none. ``unit``: the logarithm of the base that rests are exponents of.

    ``turned``: where r and r_lo stand; ``rise``: where e^r - 1 does; ``own``: the kernel's own enclosure, of what is
    ``formed`` by e^y 2^-k and the power of two.
    """

    scale: int | None  # type: ignore[assignment]
    pair: Pair | None  # type: ignore[assignment]
    unit: Callable[[], arb]
    turned: tuple[int, ...]
    rise: tuple[int, ...]
    own: narrowed.Own
    formed: Callable[[Model, Model], Model]

    def given_of_sign(self, sign: int) -> dict[int, Any]:
        """As there, and that the kernel's own enclosure is taken."""
        return {**super().given_of_sign(sign), **self.own.given()}

    def terms(self, j: int, scale: float, sign: int, power: int = 1) -> tuple[tuple[float, int, int], ...]:
        """What is formed as plain data, of e^(power z)."""
        grown, other = (sign, j, power), (-j % STEPS, -power)
        half = 0.5 if j else 1.0
        if self.formed is _power:
            return (grown,)
        if self.formed is _sum:
            return grown, (scale * half, *other)
        if self.formed is _difference:
            return grown, (-sign * scale * scale * half, *other)
        return grown, (-sign * scale, 0, 0)

    def enclosed_sum(self, known: Known, numbers: Mapping[int, Any], j: int, scale: float, sign: int) -> EnclosedSum:
        """That the kernel encloses it, where that is known."""
        power = int(float(self.base() / self.unit())) if known.argument == 0 else 1
        over = ((1.0, j, power), (scale, 0, 0)) if self.formed is _ratio else ()
        known_too = {**super().given_of_sign(sign), **self.own.numbers(), **numbers}
        off = 0.0 if known.argument == 0 else 2.0 * self.off
        factor = sign if self.is_odd else 1
        return self.statement(known, known_too, self.terms(j, scale, factor, power), over, off)

    def step(self) -> arb:
        """What x is a multiple of, in the unit."""
        return arb(2).log() / STEPS / self.unit()

    def whole_value(self, y: Model) -> Model:
        """The function's value, or its size, where n = 0."""
        return self.value(y, 0, y.cell.constant(1))

    def claim(self, run: Execution, ideal: Model, k: Power | int, sign: int) -> list[tuple[Model, float]]:
        """That the kernel's value is as near to ``ideal`` as it says, and that its exponent is k + added."""
        expected: Power | int = 0
        if self.added is not None:
            expected = replace(k, added=self.added) if isinstance(k, Power) else k + self.added
        if run.value(self.own.exponent) != expected:
            raise Unproven("the exponent is another")
        return [enclosed(run, ideal.scaled(sign if self.is_odd else 1), (0, 1), 2)]


@dataclass(frozen=True)
class Reduction(growth.Reduction):
    """The argument is n steps, and the rests in units of ``unit`` are what is left; near zero n = 0."""

    family: Family

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given; in kernels of |x| that or its negative."""
        family = self.family
        sign = -1 if which == "-" and family.of_size else 1
        given = {**family.given_of_sign(sign), 0: Real(cell.argument().scaled(sign), growth.finest(cell))}
        first, last = family.groups[0][0] * STEPS, family.groups[-1][1] * STEPS + STEPS - 1
        is_near = max(abs(float(end)) for end in (cell.low, cell.high)) <= growth.NEAR / float(family.base())

        def claims(run: Execution) -> list[tuple[Model, float]]:
            n = run.whole(Value(family.n))
            if is_near:
                return [(n, 0.75)]
            rests = [run.real(Value(number)) for number in family.rest]
            if any(rest.grid < finest for rest, finest in zip(rests, (family.grid, _GRID_LO), strict=False)):
                raise Unproven("what is left may be finer than was said")
            left = cell.argument().scaled(family.base() / family.unit()) - n.scaled(family.step())
            for rest in rests:
                left -= rest.model
            sizes = [(rest.model, most) for rest, most in zip(rests, (family.reach, family.reach_lo), strict=False)]
            return [(left, family.off), *sizes, (n - cell.constant((first + last) / 2), (last - first) / 2 + 0.75)]

        return Setting(given, claims)


@dataclass(frozen=True)
class Integers(narrowed.OfIntegers):
    """Of exponentials, whose k may have a power of two of its own."""

    family: Family

    def powers(self) -> range:
        """Every k, where something is scaled."""
        groups = self.family.groups
        return range(groups[0][0], groups[-1][1] + 1) if self.family.scale else range(0)

    def power(self, k: int) -> tuple[int, arb]:
        """2^k, no less than the lowest."""
        family = self.family
        assert family.scale is not None
        return family.scale, arb(2) ** max(family.exponent(k, 0), family.lowest)


@dataclass(frozen=True)
class Small(growth.Small):
    """As there."""

    family: Family

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given, and that n = 0."""
        return replace(super().setting(which, cell), divides=False)

    def statement(self, which: Any, low: float, high: float) -> EnclosedSum:
        """The same as plain data, of the size of the argument; where the base is e."""
        known = Known(0, exponential.grid(abs(low), abs(high), width=53))
        return self.family.enclosed_sum(known, {self.family.whole: 0.0, self.family.n: 0}, 0, 1.0, which)


@dataclass(frozen=True)
class Rise(OfFamily):
    """e^r - 1 as a pair, for all that a reduction leaves where n is not 0; its error is absolute."""

    family: Family
    name: str = "rise"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binade by binade, both signs, and 0: rests are multiples of 2^grid."""
        yield 0, 0.0, 0.0
        yield from ((1, low, high) for _, low, high in mirrored(2.0**self.family.grid, self.family.reach))

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Rests."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """What is left is given."""
        family, rest = self.family, cell.argument()
        grid = max(family.grid, growth.finest(cell)) if which else 2000
        given: dict[int, Any] = {family.rest[0]: Real(rest, grid), **family.own.given()}
        exact = rest + cell.unknown(family.off)
        if len(family.rest) > 1:
            lower_part = cell.unknown(family.reach_lo)
            given[family.rest[1]] = Real(lower_part, _GRID_LO)
            exact += lower_part

        def claims(run: Execution) -> list[tuple[Model, float]]:
            hi, lo = (run.real(Value(number)) for number in family.rise)
            if min(hi.grid, lo.grid) < _RISE_GRID:
                raise Unproven("e^r - 1 may be finer than was said")
            off = hi.model + lo.model - applied(EXPM1, exact.scaled(family.unit()))
            return [(off, _RISE_OFF), (hi.model, _RISE), (lo.model, _RISE_LO)]

        return Setting(given, claims, divides=False)


@dataclass(frozen=True)
class Values(OfFamily):
    """The kernel's value for e^r - 1, k and j as they are, n not being 0."""

    family: Family
    name: str = "values"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """All that e^r - 1 may be, at each entry of the table with each group of k."""
        for group in self.family.groups:
            for j in range(STEPS):
                if j or group != (0, 0):
                    yield (group, j), -_RISE, _RISE

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of e^r - 1."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """What is given: e^r - 1, k, j and the power of two, known or within a range."""
        family, (group, j) = self.family, which
        rise, rise_lo = cell.argument(), cell.unknown(_RISE_LO)
        k: Power | int = group[0] if group[0] == group[1] else Power()
        given = {family.rise[0]: Real(rise, _RISE_GRID), family.rise[1]: Real(rise_lo, _RISE_GRID)}
        given |= family.given_of_sign(1) | dict(zip(family.integers, (k, j), strict=True))
        other = cell.constant(1)
        if family.scale is not None:
            given[family.scale], other = growth.scale_of(family, cell, group, 0)
        grown = (cell.constant(1) + rise + rise_lo + cell.unknown(_RISE_OFF)).scaled(arb(2) ** (arb(j) / STEPS))

        def claims(run: Execution) -> list[tuple[Model, float]]:
            return self.claims(run, grown, other, k)

        return Setting(given, claims, divides=False)

    def statement(self, j: int, k: int, sign: int) -> EnclosedSum:
        """That the kernel encloses what it should, by r and what is beside it, as plain data."""
        family = self.family
        numbers: dict[int, Any] = dict(zip(family.integers, (k, j), strict=True))
        scale = 1.0
        if family.scale is not None:
            scale = numbers[family.scale] = math.ldexp(1.0, family.exponent(k, j))
        known = Known(family.turned[0], _RISE_GRID, ((family.turned[1], 2.0**-62),))
        return family.enclosed_sum(known, numbers, j, scale, sign)

    def claims(self, run: Execution, grown: Model, other: Model, k: Power | int) -> list[tuple[Model, float]]:
        """That the kernel encloses what it should, by e^r 2^(j/256) and the power of two."""
        return self.family.claim(run, self.family.formed(grown, other), k, 1)


@dataclass(frozen=True)
class Pairs(Values):
    """What sinh, cosh and tanh are computed from: e^y - 1, or e^y, as a pair, over 2^k; and between what it lies."""

    name: str = "pairs"

    def claims(self, run: Execution, grown: Model, other: Model, k: Power | int) -> list[tuple[Model, float]]:
        """That it is as near as said, of a size as said; and that its bound is as large as said."""
        pair = self.family.pair
        assert pair is not None
        hi, lo = (run.real(Value(number)).model for number in pair.parts)
        size, one = lower(hi.range()), hi.cell.constant(1)
        least = 0.0013 if k == 0 and pair.is_less else 0.998
        top = hi + other if pair.is_less and k != 0 else hi
        sizes = [(lo, size * _LOWER_PART), (top - one.scaled(least / 2 + 1.0015), 1.0015 - least / 2)]
        if not pair.is_less:
            return [(hi + lo - grown, size * _OFF), *sizes]
        err = run.real(Value(pair.err)).model
        expected = hi.scaled(_RELATIVE) + (hi + other).scaled(_ABSOLUTE)
        near = (err - expected, lower((hi + other).range()) * _ABSOLUTE * _LOOSE)
        return [(hi + lo - (grown - other), lower(err.range())), *sizes, near]


@dataclass(frozen=True)
class Quotients(OfFamily):
    """The kernel's value for a pair as ``Pairs`` has it, for every k."""

    family: Family
    name: str = "quotients"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """All that the pair may be with each k, binade by binade, in quarters."""
        pair, highest = self.family.pair, self.family.groups[-1][1]
        assert pair is not None
        groups = [(k, k) for k in range(min(pair.alone, highest + 1))]
        if pair.alone <= highest:
            groups.append((pair.alone, highest))
        for group in groups:
            unit = math.ldexp(1.0, -group[0]) if pair.is_less else 0.0
            for low, high in dyadic(0.0013 if unit == 1.0 else 0.998 - unit, 2.003):
                for i in range(4):
                    yield group, low + (high - low) * i / 4, low + (high - low) * (i + 1) / 4

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of the pair's first part."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The pair, its bound and the power of two are given."""
        family, pair, top = self.family, self.family.pair, upper(cell.high)
        assert pair is not None
        assert family.scale is not None
        k: Power | int = which[0] if which[0] == which[1] else Power()
        hi, lo = cell.argument(), cell.unknown(top * _LOWER_PART)
        scale, other = growth.scale_of(family, cell, which, 0)
        given = {family.scale: scale, **family.given_of_sign(1), family.integers[0]: k}
        given |= {pair.parts[0]: Real(hi, growth.finest(cell)), pair.parts[1]: Real(lo, -1074)}
        off = top * _OFF
        if pair.is_less:
            err = hi.scaled(_RELATIVE) + (hi + other).scaled(_ABSOLUTE)
            err += cell.unknown((top + upper(other.range())) * _ABSOLUTE * _LOOSE)
            given[pair.err], off = Real(err, -1074), upper(err.range())
        exact = hi + lo + cell.unknown(off)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            ideal = pair.completed(exact, other)
            found = family.claim(run, ideal, k, 1)
            if family.negative:
                found += family.claim(run.where(dict.fromkeys(family.negative, True)), ideal, k, -1)
            return found

        return Setting(given, claims, divides=False)


def _value(formed: Callable[[Model, Model], Model], exact: Model, j: int, scale: Model) -> Model:
    return formed(applied(EXP, exact).scaled(arb(2) ** (arb(j) / STEPS)), scale)


def _power(grown: Model, _: Model) -> Model:
    return grown


def _less_one(grown: Model, unit: Model) -> Model:
    return grown - unit


def _difference(grown: Model, unit: Model) -> Model:
    return grown - applied(INVERSE, grown) * unit * unit


def _sinh_of(less: Model, unit: Model) -> Model:
    return less + less * unit * applied(INVERSE, less + unit)


def _tanh_of(less: Model, unit: Model) -> Model:
    return less * applied(INVERSE, less + unit.scaled(2))


def _sum(grown: Model, square: Model) -> Model:
    return grown + applied(INVERSE, grown) * square


def _ratio(grown: Model, unit: Model) -> Model:
    return (grown - unit) * applied(INVERSE, grown + unit)


@lane
def _risen(r: Any, r_lo: Any) -> Any:
    """(r, r_lo) as a pair, and e^r - 1."""
    r, r_lo = fast_two_sum(r, r_lo)
    return r, r_lo, *rise_of(r, r_lo)


@lane
def _of_natural(x: Any) -> Any:
    """What is left, n, and that as a double, k and j; r as a pair, and e^r - 1."""
    r, r_lo, n = reduced(x)
    whole, _ = nearest(x * double.STEPS_PER_E)
    return r, r_lo, n, whole, n >> 8, n & 255, *_risen(r, r_lo)


def _parts_of_exp(x: Any, *_: Any) -> Any:
    return _of_natural(tamed(x, double.TOP))


def _parts_of_exp2(x: Any, *_: Any) -> Any:
    tame = tamed(x, double.TOP_2)
    whole, n = nearest(tame * 256.0)
    rest = tame - whole * 0.00390625
    return rest, n, whole, n >> 8, n & 255, *_risen(*times_pair(LN2[0], LN2[1], rest, 0.0))


def _parts_of_exp10(x: Any, *_: Any) -> Any:
    tame = tamed(x, double.TOP_10)
    rest, rest_lo, n = in_steps(tame, STEPS_PER_TEN, LOG10_STEP)
    whole, _ = nearest(tame * STEPS_PER_TEN)
    head, tail = fast_two_sum(rest, rest_lo)
    return rest, rest_lo, n, whole, n >> 8, n & 255, *_risen(*times_pair(head, tail, LN10[0], LN10[1]))


@lane
def _with_unit(x: Any) -> Any:
    """The same and 2^-k."""
    found = _of_natural(x)
    return *found, two_to(-lesser(found[4], 1000))


def _parts_of_expm1(x: Any, *_: Any) -> Any:
    return _with_unit(clamp(x, -64.0, double.TOP))


def _parts_of_sinh(x: Any, *_: Any) -> Any:
    return _with_unit(clamp(abs(x), 0.0, double.TOP))


def _parts_of_cosh(x: Any, *_: Any) -> Any:
    found = _of_natural(clamp(abs(x), 0.0, double.TOP))
    return *found, two_to(greater(-2 * found[4], -400))


def _parts_of_tanh(x: Any, *_: Any) -> Any:
    return _with_unit(clamp(2.0 * abs(x), 0.0, 2.0 * hyperbolic.SATURATED))


def _special_to_exp(x: Any, *_: Any) -> Any:
    return abs(x) < double.TINY, x < -double.TOP, x > double.TOP


def _special_to_exp2(x: Any, *_: Any) -> Any:
    return abs(x) < double.TINY, x < -double.TOP_2, x > double.TOP_2


def _special_to_exp10(x: Any, *_: Any) -> Any:
    return abs(x) < double.TINY, x < -double.TOP_10, x > double.TOP_10


def _special_to_expm1(x: Any, *_: Any) -> Any:
    return x < -64.0, x > double.TOP


def _special_to_sinh(x: Any, *_: Any) -> Any:
    return abs(x) < 0.0, abs(x) > double.TOP


def _special_to_tanh(x: Any, *_: Any) -> Any:
    twice = 2.0 * abs(x)
    return twice < 0.0, twice > 2.0 * hyperbolic.SATURATED


def _pair_of_sinh(x: Any, *_: Any) -> Any:
    return less_one(clamp(abs(x), 0.0, double.TOP))[:3]


def _pair_of_tanh(x: Any, *_: Any) -> Any:
    return less_one(clamp(2.0 * abs(x), 0.0, 2.0 * hyperbolic.SATURATED))[:3]


def _pair_of_cosh(x: Any, *_: Any) -> Any:
    r, r_lo, n = reduced(clamp(abs(x), 0.0, double.TOP))
    r, r_lo = fast_two_sum(r, r_lo)
    return scaled_exp(r, r_lo, n & 255)


def _is_negative(x: Any, *_: Any) -> Any:
    return (x < 0.0,)


def _opposite(k: int, _: int) -> int:
    return -k


def _twice(k: int, _: int) -> int:
    return -2 * k


@dataclass(frozen=True)
class Claimed:
    """What ``Family`` is told of a kernel."""

    kernel: Callable[..., Any]
    parts: Callable[..., Any]
    special: Callable[..., Any]
    conditions: int
    formed: Callable[[Model, Model], Model]
    groups: tuple[tuple[int, int], ...]
    least: float
    tops: tuple[float, float]
    added: int | None
    base: Callable[[], arb] = exponential.one
    unit: Callable[[], arb] = exponential.one
    reach: float = 0.00136
    reach_lo: float = 2.0**-60
    grid: int = -78
    off: float = 2.0**-111
    exponent: Callable[[int, int], int] = _opposite
    lowest: int | None = None
    is_odd: bool = False
    of_size: bool = False
    pair: Callable[..., Any] | None = None
    completed: Callable[[Model, Model], Model] = _sum
    alone: int = 56


_ANY = ((-1400, 1400),)
_HIGHEST = 1155  # 800 / ln 2
_SOME = ((0, 0), (1, 1), (2, _HIGHEST))
_CLAIMED = {
    "exp": Claimed(fine.exp, _parts_of_exp, _special_to_exp, 3, _power, _ANY, double.TINY, (double.TOP, double.TOP), 0),
    "exp2": Claimed(
        fine.exp2,
        _parts_of_exp2,
        _special_to_exp2,
        3,
        _power,
        _ANY,
        double.TINY,
        (double.TOP_2, double.TOP_2),
        0,
        base=exponential.log_of_2,
        unit=exponential.log_of_2,
        reach=0.0019532,
        grid=-62,
        off=2.0**-150,
    ),
    "exp10": Claimed(
        fine.exp10,
        _parts_of_exp10,
        _special_to_exp10,
        3,
        _power,
        _ANY,
        double.TINY,
        (double.TOP_10, double.TOP_10),
        0,
        base=exponential.log_of_10,
        unit=exponential.log_of_10,
        reach=0.00059,
        reach_lo=2.0**-58,
        off=1.1 * 2.0**-111,
    ),
    "expm1": Claimed(
        fine.expm1,
        _parts_of_expm1,
        _special_to_expm1,
        2,
        _less_one,
        (*((k, k + 2) for k in range(-61, -4, 3)), *((k, k) for k in range(-4, 1)), *_SOME[1:]),
        double.EXPM1_TINY,
        (double.TOP, -double.SATURATED),
        0,
        lowest=-1000,
    ),
    "sinh": Claimed(
        fine_hyperbolic.sinh,
        _parts_of_sinh,
        _special_to_sinh,
        2,
        _difference,
        _SOME,
        hyperbolic.TINY,
        (double.TOP, double.TOP),
        -1,
        lowest=-1000,
        is_odd=True,
        of_size=True,
        pair=_pair_of_sinh,
        completed=_sinh_of,
    ),
    "cosh": Claimed(
        fine_hyperbolic.cosh,
        _parts_of_cosh,
        _special_to_sinh,
        2,
        _sum,
        _SOME,
        hyperbolic.TINY,
        (double.TOP, double.TOP),
        -1,
        exponent=_twice,
        lowest=-400,
        of_size=True,
        pair=_pair_of_cosh,
        alone=30,
    ),
    "tanh": Claimed(
        fine_hyperbolic.tanh,
        _parts_of_tanh,
        _special_to_tanh,
        2,
        _ratio,
        ((0, 0), (1, 1), (2, 62)),
        hyperbolic.TINY,
        (hyperbolic.SATURATED, hyperbolic.SATURATED),
        None,
        base=exponential.two,
        lowest=-1000,
        is_odd=True,
        of_size=True,
        pair=_pair_of_tanh,
        completed=_tanh_of,
    ),
}
NAMES = tuple(_CLAIMED)


def fine_parts(name: str) -> tuple[Any, ...]:
    """The parts of the proof of one of fine's kernels."""
    claimed = _CLAIMED[name]
    whole = narrowed.fine_trace(claimed.kernel)
    is_exact = claimed.unit is exponential.log_of_2
    has_scale = claimed.lowest is not None
    kinds = _DOUBLES[: 1 if is_exact else 2]
    kinds += ("long", "double", "long", "long", *_DOUBLES)
    kinds += _DOUBLES[: 1 if has_scale else 0]
    found = whole.places(claimed.parts, *kinds)
    rest, (n, as_double, k, j, r, r_lo, rise, rise_lo, *scale) = found[: -8 - has_scale], found[-8 - has_scale :]
    special = tuple(whole.places(claimed.special, *_BOOLS[: claimed.conditions]))
    negative = tuple(whole.places(_is_negative, "bool")) if claimed.is_odd else ()
    (there, *_) = (exponential if name in exponential.NAMES else growth).double_parts(name)
    ordinary, ordinary_there = (dict.fromkeys(numbers, False) for numbers in (special, there.family.special))
    narrowed.exponents_agree(whole, ordinary, there.traced, ordinary_there)
    family = Family(
        name,
        whole,
        tuple(rest),
        n,
        special,
        claimed.base,
        STEPS,
        claimed.least,
        max(claimed.tops),
        claimed.reach,
        claimed.reach_lo,
        claimed.off,
        claimed.grid,
        1400,
        in_one=False,
        whole=as_double,
        integers=(k, j),
        scale=scale[0] if has_scale else None,
        exponent=claimed.exponent,
        lowest=claimed.lowest or 0,
        negative=negative,
        groups=claimed.groups,
        value=functools.partial(_value, claimed.formed),
        added=claimed.added,
        is_odd=claimed.is_odd,
        of_size=claimed.of_size,
        tops=claimed.tops,
        cuts=(),
        pair=_pair_of(whole, claimed),
        unit=claimed.unit,
        turned=(r, r_lo),
        rise=(rise, rise_lo),
        own=narrowed.own_of(whole),
        formed=claimed.formed,
    )
    last: tuple[Any, ...] = (Pairs(family), Quotients(family)) if family.pair else (Values(family),)
    return Reduction(family), Integers(family), Small(family), Rise(family), *last


def _pair_of(whole: Traced, claimed: Claimed) -> Pair | None:
    """Where the pair stands that the value is computed from."""
    if claimed.pair is None:
        return None
    is_less = claimed.completed is not _sum
    hi, lo, *err = whole.places(claimed.pair, *_DOUBLES[: 3 if is_less else 2])
    return Pair((hi, lo), err[0] if err else -1, is_less, claimed.completed, claimed.alone)
