"""Fine's atan2 and atan2pi: the step of arc tangents, of a direction (u, v) whose larger length is any from 1 to 2.

The step is missed/slope: v cos t - u sin t over u cos t + v sin t, the length of (u, v) times sin d and times cos d. As
the roundings of both products cancel for every length alike, that is a term of its own in every product (``wide``), and
what is missed is compared with d times the slope; the quotient is proven by itself, for every slope. Small angles have
a series, too, of the quotient of both lengths.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import SIGN, bits, fast_two_sum, greater, two_product
from clmath.ir.program import Value
from clmath.kernels.double import inverse_trigonometric as double
from clmath.kernels.double.inverse_trigonometric import (
    full_turn,
    octant_of,
    quotient,
    signed,
    significand,
    through_pi,
)
from clmath.kernels.double.pairs import times
from clmath.kernels.double.trigonometric import HALF_TURN, QUARTER
from clmath.kernels.fine import inverse_trigonometric as fine
from clmath.kernels.fine.inverse_trigonometric import (
    CUBIC,
    DIRECTIONS,
    FURTHEST,
    LEAST,
    ONE_OVER_PI,
    comparable,
    minus,
    of_angle,
    of_half_turns,
)
from clmath.kernels.fine.trigonometric import ANGLE_ERROR
from proofs.engine.execution import Execution, Real
from proofs.engine.ideals import ATAN, INVERSE, applied
from proofs.engine.models import Cell, Model, Unproven, dyadic, lower, mirrored, upper
from proofs.engine.proof import OfFamily, Setting, enclosed, least_of
from proofs.engine.traced import Traced, traced
from proofs.families import double_angles, narrowed, narrowed_angles, quadrants
from proofs.families.narrowed_arcs import (
    BESIDE,
    SHARE,
    TOLD,
    Arcs,
    Sums,
    TailsOfAngles,
    TailsOfTurns,
    Turns,
    is_usable,
    most_told,
    reduced,
    series_of_angle,
    series_of_half_turns,
)
from proofs.families.narrowed_sums import Told, told
from proofs.families.narrowed_turns import REACH
from proofs.families.stated import nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clmath.ir.program import Kind

__all__ = ["NAMES", "fine_parts"]

_MOST = 0.99  # of that share; the quotient is rounded by 2^-118 of the angle
_COUNTED = 1.1  # of the error that the bound counts 1.125 of
_FURTHEST = 2.0**-198  # d is another by less, where the smaller length is said to be 2^-200
_POWERS = -110, -60  # of what is missed


@dataclass(frozen=True)
class OfDirection(Arcs):
    """Where v and u stand, what is ``missed`` and its ``error``, and the ``slope``."""

    v: int
    u: int
    missed: int
    error: int
    slope: int


@dataclass(frozen=True)
class Missed(OfFamily):
    """What is missed is d times the slope, but for its error and most of ``SHARE`` of the angle."""

    family: OfDirection
    name: str = "missed"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Each number of steps with sines of r in eighths, the larger one of both lengths; binades where t is small."""
        for n in range(-HALF_TURN, HALF_TURN + 1):
            if not n:
                for low, high in dyadic(LEAST * (1.0 - 2.0**-20), REACH):
                    yield from (((n, False), low, high), ((n, False), -high, -low))
                continue
            apart = abs(abs(n) - QUARTER)
            for is_steep in (True, False):
                if apart <= QUARTER / 2 if is_steep else apart >= QUARTER / 2:
                    for i in range(8):
                        yield (n, is_steep), REACH * (i - 4) / 4, REACH * (i - 3) / 4

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of sin r."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """N, the sine and the cosine of r, and both lengths are given."""
        family, (n, is_steep) = self.family, which
        given, sine, cosine = family.given(cell.argument(), n)
        least, d = self._sizes(n, cell)
        bend, beyond = cell.unknown(arb(upper(d.range())) ** 2), cell.unknown(arb(upper(d.range())) ** 3)
        across = sine - sine * bend + cosine * (d + beyond)
        along = cosine - cosine * bend - sine * (d + beyond)
        length = self._length(cell, n > 0 if is_steep else abs(n) < QUARTER)
        if is_steep:
            v, u = length, along * applied(INVERSE, across) * length
        else:
            v, u = across * applied(INVERSE, along) * length, length
        given |= {family.v: Real(v, -1074), family.u: Real(u, -1074)}
        moved = d + cell.unknown(_FURTHEST)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            missed, error, slope = (run.real(Value(i)).model for i in (family.missed, family.error, family.slope))
            if not slope.range() > 0:
                raise Unproven("the slope may be 0")
            return [(missed - moved * slope, least_of(error) + _MOST * SHARE * least * lower(slope.range()))]

        return Setting(given, claims, divides=False)

    def _length(self, cell: Cell, is_positive: bool) -> Model:
        """Any number from 1 to 2, or the opposite."""
        part = cell.unknown(0.5)
        cell.wide |= set(part.terms)
        return (cell.constant(1.5) + part).scaled(1 if is_positive else -1)

    def _sizes(self, n: int, cell: Cell) -> tuple[float, Model]:
        """How large the angle is at least, and d: in radians."""
        ends = [arb(n) * arb.pi() / HALF_TURN + end for end in (cell.low, cell.high)]
        most = max(map(upper, ends)) * TOLD * (1.0 + 2.0**-18)
        return min(map(lower, ends)) * (1.0 - 2.0**-20), cell.unknown(most)


@dataclass(frozen=True)
class Quotient(OfFamily):
    """The step is missed/slope, and its bound no less than 1.1 of the error over the slope.

    What is missed is any number times 2^k, and so is its error: what is so for one k is so for all.
    """

    family: OfDirection
    name: str = "quotient"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Slopes, which are lengths from 1 to 2.83, in eighths."""
        for i in range(16):
            yield "", 0.99 + i / 8, 0.99 + (i + 1) / 8

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of the slope."""
        return Cell(low, high, _POWERS)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The slope, what is missed, and its error are given."""
        family, slope = self.family, cell.argument()
        missed, error = cell.unknown(1.0), cell.constant(0.75) + cell.unknown(0.25)
        given = {family.slope: Real(slope, -60), family.missed: Real(missed, -60, 1), family.error: Real(error, -60, 1)}
        over = applied(INVERSE, slope).scaled(family.unit())

        def claims(run: Execution) -> list[tuple[Model, float]]:
            step, change = (run.real(Value(number)) for number in (family.step, family.change))
            if (step.power, change.power) != (1, 1):
                raise Unproven("the step does not grow by 2^k")
            if not (change.model - (error * over).scaled(_COUNTED)).range() > 0:
                raise Unproven("the bound of the step counts less of the error")
            return [(step.model - missed * over, 2.0**-51)]

        return Setting(given, claims, divides=False)


@dataclass(frozen=True)
class OfLengths:
    """Where the smaller length stands as ``m`` and what its power of two is; the larger one, ``b``.

    That power is the difference of both ``exponents``, no less than FURTHEST. ``upright``: whether |y| > |x|;
    ``signs``: the signs of y and x; v and u.
    """

    traced: Traced
    exponents: tuple[int, int]
    m: int
    power: int
    b: int
    upright: int
    signs: tuple[int, int]
    v: int
    u: int


@dataclass(frozen=True)
class Directions(OfFamily):
    """Of v and u the larger is b, the smaller m times its power of two, with the signs of y and x."""

    family: OfLengths
    name: str = "directions"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Every power, the larger one, and both signs."""
        for which in itertools.product(range(FURTHEST, 1), (False, True), (0, SIGN), (0, SIGN)):
            yield which, 1.0, 2.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of m."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """All that is told of lengths is given."""
        family, (power, upright, *signs) = self.family, which
        m, b = cell.argument(), cell.constant(1.5) + cell.unknown(0.5)
        given = {family.m: Real(m, -52), family.b: Real(b, -52), family.power: power, family.upright: upright}
        given |= dict(zip(family.signs, signs, strict=True))
        small = m.scaled(arb(2) ** power)
        wanted = [
            one.scaled(-1 if sign else 1)
            for one, sign in zip((b, small) if upright else (small, b), signs, strict=True)
        ]

        def claims(run: Execution) -> list[tuple[Model, float]]:
            found = (run.real(Value(number)).model for number in (family.v, family.u))
            return [(one - other, 0.0) for one, other in zip(found, wanted, strict=True)]

        return Setting(given, claims)


@dataclass(frozen=True)
class Furthest(OfFamily):
    """The power of the smaller length is the difference of both exponents, or FURTHEST."""

    family: OfLengths
    name: str = "furthest"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Every difference."""
        for difference in range(-2200, 1):
            yield difference, 0.0, 0.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Nothing but integers."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Both exponents are given."""
        family = self.family

        def claims(run: Execution) -> list[tuple[Model, float]]:
            if run.value(Value(family.power)) != max(which, FURTHEST):
                raise Unproven("the power is another")
            return [nothing(cell)]

        return Setting(dict(zip(family.exponents, (which, 0), strict=True)), claims)


@dataclass(frozen=True)
class OfCubic:
    """The other enclosure of a kernel, of small angles: over pi where ``turns``.

    Where the smaller length with its sign stands as ``a``, b, their ``quotient``, what is left of that, as ``rest`` and
    over b, as ``lower``; the octant and the exponent; ``tiny``: that the angle is small.
    """

    traced: Traced
    own: narrowed.Own
    turns: bool
    a: int
    b: int
    quotient: int
    rest: int
    lower: int
    octant: int
    exponent: int
    tiny: int


@dataclass(frozen=True)
class Left(OfFamily):
    """What is left of a quotient of lengths has no error: that is off by half a unit at most, e_q, and it is e_q b.

    What is so for one power of two is so for all.
    """

    family: OfCubic
    name: str = "left"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Quotients of both signs: a and b are 1 to 2."""
        for unit, low, high in ((-53, 0.5, 1.0), (-52, 1.0, 2.0)):
            yield from ((unit, low, high), (unit, -high, -low))

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of the quotient, rounded."""
        return Cell(low, high, (-81, -26))

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The quotient and both lengths are given."""
        family, q = self.family, cell.argument()
        off, b = cell.unknown(math.ldexp(0.5, which)), cell.constant(1.5) + cell.unknown(0.5)
        cell.wide |= set(b.terms)
        given = {family.quotient: Real(q, which, 1), family.b: Real(b, -52), family.a: Real((q + off) * b, -52, 1)}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            rest = run.real(Value(family.rest))
            for number, over in ((family.quotient, family.a), (family.lower, family.rest)):
                _, operation, operands = run.program.statements[number - len(run.program.inputs)]
                if (operation, operands) != ("double.div", (Value(over), Value(family.b))):
                    raise Unproven("a quotient is of something else")
            return [(rest.model - off * b, 0.0 if rest.power == 1 else -1.0)]

        return Setting(given, claims)


@dataclass(frozen=True)
class Small(OfFamily):
    """The kernel's value below 2^-28, by the quotient as a pair, perhaps scaled: then the cube is nothing beside it."""

    family: OfCubic
    name: str = "small"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades of the quotient, both signs, with and without an exponent."""
        for exponent, top in ((0, CUBIC), (-1, 2.0**-78)):
            yield from ((exponent, low, high) for _, low, high in mirrored(2.0**-82, top * (1.0 + 2.0**-40)))

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of the quotient."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The quotient is given as two parts."""
        family, w = self.family, cell.argument()
        size = upper(cell.place + cell.middle)
        off, beyond = cell.unknown(size * 2.0**-53), cell.unknown(size * 2.0**-105)
        given: dict[int, Any] = {family.tiny: True, family.exponent: which, **family.own.given()}
        given |= {family.quotient: Real(w - off, -200), family.lower: Real(off + beyond, -1074)}
        angle = w + cell.unknown(arb(size) ** 3) if which else applied(ATAN, w)
        ideal = angle.scaled(1 / arb.pi() if family.turns else 1)
        return Setting(given, lambda run: [enclosed(run, ideal, (0, 1), 2)], divides=False)


@dataclass(frozen=True)
class ToldOfSigns(Told):
    """Of both signs of y, which the double kernel's proof speaks of at once."""

    def setting(self, which: Any, cell: Cell) -> Setting:
        """What the part is given."""
        setting = super().setting(which, cell)
        sign = self.family.part.family.sign

        def claims(run: Execution) -> list[tuple[Model, float]]:
            return [*setting.claims(run), *setting.claims(run.where({sign: SIGN}))]

        return replace(setting, claims=claims)


# where values stand in traces


def _from_direction(y: Any, x: Any, at: Any, unit: Any) -> Any:
    """All that ``OfDirection`` says, the step and its bound."""
    sine, sine_lo, cosine, cosine_lo = at
    v, u = comparable(y, x)
    across, along = times(cosine, cosine_lo, v), times(sine, sine_lo, u)
    error = (abs(across[0]) + abs(along[0])) * DIRECTIONS + (abs(u) + abs(v)) * ANGLE_ERROR
    slope, missed = u * cosine + v * sine, minus(across, along)
    steepness = unit / slope
    return v, u, missed, error, slope, missed * steepness, abs(steepness) * (1.125 * error)


def _of_atan2(y: Any, x: Any, hi: Any, lo: Any, _: Any, exponent: Any) -> Any:
    return *_from_direction(y, x, of_angle(hi, lo), 1.0), *series_of_angle(hi, lo), is_usable(hi, exponent)


def _of_atan2pi(y: Any, x: Any, hi: Any, lo: Any, _: Any, exponent: Any) -> Any:
    return (
        *_from_direction(y, x, of_half_turns(hi, lo), ONE_OVER_PI),
        *series_of_half_turns(hi, lo),
        is_usable(hi, exponent),
    )


def _told_of_atan2(y: Any, x: Any) -> Any:
    (hi, lo, _), _, _, _ = full_turn(y, x)
    return hi, lo


def _told_of_atan2pi(y: Any, x: Any) -> Any:
    (hi, lo, _), _, _, _ = full_turn(y, x)
    return through_pi(hi, lo)


def _of_lengths(y: Any, x: Any, *_: Any) -> Any:
    small, large, octant = octant_of(y, x)
    m, n = significand(small)
    b, of_b = significand(large)
    v, u = comparable(y, x)
    return m, b, v, u, greater(n - of_b, FURTHEST), bits(y) & SIGN, bits(x) & SIGN, (octant & 1) != 0


def _of_quotient(y: Any, x: Any, *_: Any) -> Any:
    small, large, octant = octant_of(y, x)
    size, b, exponent = quotient(small, large)
    a = signed(size, y)
    q = a / b
    p, e = two_product(q, b)
    rest = ((a - p) - e) + (0.0 - q * 0.0)
    hi, _ = fast_two_sum(q, rest / b)
    return a, b, q, rest, rest / b, octant, exponent, (octant == 0) & (abs(hi) < CUBIC)


def _is_flat(y: Any, x: Any) -> Any:
    _, _, octant = octant_of(y, x)
    return (octant == 0,)


_CLAIMED: dict[str, tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any], bool]] = {
    "atan2": (fine.atan2, _of_atan2, _told_of_atan2, False),
    "atan2pi": (fine.atan2pi, _of_atan2pi, _told_of_atan2pi, True),
}
NAMES = tuple(_CLAIMED)
_DOUBLES: tuple[Kind, ...] = ("double",) * 11
_PARTS: tuple[Kind, ...] = ("double", "double", "double", "long")


def fine_parts(name: str) -> tuple[Any, ...]:
    """The parts of the proof of one of fine's kernels."""
    kernel, numbers, pair, turns = _CLAIMED[name]
    whole = narrowed.fine_trace(kernel, 2)
    *later, own = narrowed.owns_of(whole)
    v, u, missed, error, slope, step, change, *tails, usable = whole.places(numbers, *_DOUBLES, "bool")
    *parts, n, of_words = reduced(whole, turns=turns)
    sine, sine_lo, bend, bend_lo = tails
    family = OfDirection(
        name=name,
        traced=whole,
        n=n,
        tails=(sine, sine_lo, bend, bend_lo),
        own=own,
        beside=BESIDE,
        grid=-1074,
        turns=turns,
        parts=tuple(parts),
        step=step,
        change=change,
        usable=usable,
        later=tuple(one.taken for one in later),
        steps=(-HALF_TURN, HALF_TURN),
        v=v,
        u=u,
        missed=missed,
        error=error,
        slope=slope,
    )
    reduction: tuple[Any, ...] = Turns(family), TailsOfTurns(family)
    if of_words is not None:
        reduction = double_angles.Significand(of_words), narrowed_angles.ByWords(of_words), TailsOfAngles(family)
    of_told = (
        ToldOfSigns(one.family, one.name) for one in told(quadrants.double_parts(name), ("angles",), pair, most_told)
    )
    cubic = _of_cubic(whole, name, later[0], turns=turns)
    encodings = quadrants.lengths_of(whole)
    lengths = _lengths(whole, (encodings.lengths[0][4], encodings.lengths[1][4]))
    of_lengths = quadrants.Lengths(encodings), Furthest(lengths), Directions(lengths), Left(cubic), Small(cubic)
    return *of_told, *of_lengths, *reduction, Missed(family), Quotient(family), Sums(family)


def _lengths(whole: Traced, exponents: tuple[int, int]) -> OfLengths:
    """Where the lengths stand."""
    m, b, v, u, *others = whole.places(_of_lengths, *_DOUBLES[:4], "long", "long", "long", "bool")
    power, of_y, of_x, upright = others
    return OfLengths(whole, exponents, m, power, b, upright, (of_y, of_x), v, u)


def _of_cubic(whole: Traced, name: str, own: narrowed.Own, *, turns: bool) -> OfCubic:
    """The other enclosure; LookupError where what is told has another exponent, but for what is exact."""
    there = traced(getattr(double, name), ("double", "double"), _PARTS)
    (flat,) = there.places(_is_flat, "bool")
    known = {flat: True}
    _, exponent = there.program.outputs[3]
    last = there.program.statements[exponent.number - 2]  # type: ignore[union-attr]
    if turns:  # of exact results 0 is told
        known[last.operands[0].number] = False  # type: ignore[union-attr]
    narrowed.exponents_agree(whole, {}, there, known, own)
    return OfCubic(whole, own, turns, *whole.places(_of_quotient, *_DOUBLES[:5], "long", "long", "bool"))
