"""Fine's asin, acos, atan and their pi forms: a step of Newton's from the angle t = hi + lo of the double kernels.

The sine of that is taken. The value is t + d, and d no larger than the bound that the kernel is told. t is
n pi/1024 + r, but for what four words of 1024/pi leave out, and its sine and cosine are as in ``narrowed_angles``, with
lo in r; half turns are reduced without an error. So n and sin r are arguments, and x what it has to be for every d: the
sine of t + d, say. The step is (x - sin t)/cos t, d but for its square.
"""

from __future__ import annotations

import math
from abc import ABC
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import clamp
from clmath.ir.program import Value
from clmath.kernels.double import inverse_trigonometric as double
from clmath.kernels.double.angles import steps_of
from clmath.kernels.double.inverse_trigonometric import (
    cosine_angle,
    odd_through_pi,
    sine_angle,
    slope_angle,
    through_pi,
)
from clmath.kernels.double.near_zero import SMALL
from clmath.kernels.double.pairs import plus, times, times_pair
from clmath.kernels.double.trigonometric import QUARTER, steps_of_turns
from clmath.kernels.fine import inverse_trigonometric as fine
from clmath.kernels.fine.inverse_trigonometric import (
    COSINES,
    CUBIC,
    FAR,
    LEAST,
    ONE_OVER_PI,
    SINES,
    SLOPES,
    minus,
    of_angle,
    of_half_turns,
)
from clmath.kernels.fine.trigonometric import ANGLE_ERROR, PI, STEP, series
from proofs.accurate.inverse_trigonometric import LEMMAS
from proofs.engine.execution import Execution, Real, constant
from proofs.engine.ideals import ASIN, ATAN, INVERSE, SIN, SQRT, applied, asinpi
from proofs.engine.models import GREATEST, Cell, Model, Unproven, binades, dyadic, lower, mirrored, upper
from proofs.engine.proof import OfFamily, Setting, least_of
from proofs.engine.traced import Traced, traced
from proofs.families import arcs, double_angles, narrowed, narrowed_angles, narrowed_turns
from proofs.families.double_angles import encoded_told
from proofs.families.floats import DOUBLE, doubles_between, grid_of_doubles
from proofs.families.narrowed_angles import by_words_of_told
from proofs.families.narrowed_sums import Told, told
from proofs.families.narrowed_turns import REACH, cosine_off
from proofs.families.stated import nothing
from proofs.families.steps import OfTiny

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from clmath.ir.program import Kind

__all__ = [
    "BESIDE",
    "NAMES",
    "SHARE",
    "TOLD",
    "Arcs",
    "Sums",
    "TailsOfAngles",
    "TailsOfTurns",
    "Turns",
    "Words",
    "fine_parts",
    "is_usable",
    "most_told",
    "reduced",
    "series_of_angle",
    "series_of_half_turns",
]

TOLD = 2.0**-68.5  # the bound that is told, of the angle, at most
_LEFT = 2.0**-53  # lo, of hi, at most
_LO = 2.0**-52  # lo at most: hi is below 4
BESIDE = narrowed_angles.BESIDE, 2.0**-104  # how far the sine of r is off, and its second part, besides
_NEXT = 2.0**-44  # steps: r closer to 0 is next to it
SHARE = 2.0**-102.5  # of the angle: what the step may be off besides its bound
_CLOSEST = 2.0**-26 * (1.0 - 2.0**-20)  # no angle of 1 - 2^-53 or less is as close to that of 1, nor its sine
_HALF, _ONE_STEP = 0.5 * (1.0 + 2.0**-20), -11  # of a step; hi is less where it is below 2 to that power
_STEEP = 640.0  # arc tangents of more may be next to a quarter turn


@dataclass(frozen=True)
class Words:
    """Where a kernel reduces hi by words: as in ``narrowed_angles``."""

    traced: Traced
    n: int
    summands: tuple[int, ...]
    taken: int
    significand: tuple[int, ...]


@dataclass(frozen=True)
class Arcs(narrowed_turns.OfSteps):
    """A kernel of an angle hi + lo, which it is told: in half turns where ``turns``, else in radians.

    Where the values stand that r is computed from, beside lo, as ``parts``, the ``step``, and its bound as ``change``;
    ``usable``: that hi is neither too small nor scaled; ``later``: that another enclosure is taken. n lies between the
    two ``steps``.
    """

    turns: bool
    parts: tuple[int, ...]
    step: int
    change: int
    usable: int
    later: tuple[int, ...]
    steps: tuple[int, int]

    @property
    def told(self) -> int:
        """Where hi stands, before lo, the bound and the exponent: the last arguments."""
        return len(self.traced.program.inputs) - 4

    def unit(self) -> arb:
        """A radian."""
        return 1 / arb.pi() if self.turns else arb(1)

    def beside_at(self, n: int) -> tuple[float, float]:
        """Of half turns lo is rounded: what that comes to depends on how large hi is."""
        if not self.turns:
            return self.beside
        return _beside_of_turns(math.frexp((abs(n) + 0.51) / double_angles.TURN * 2.0)[1] - 1) if n else (0.0, 0.0)


def _beside_of_turns(exponent: int) -> tuple[float, float]:
    """The same by the exponent of hi."""
    return math.ldexp(1.0, exponent - 102), BESIDE[1]


@dataclass(frozen=True)
class OfCircle(Arcs):
    """The inverse of a sine or cosine, ``of``; ``square``: where that of the bound that is told stands."""

    square: int
    of: Callable[[Model, Model, Model, Model], tuple[Model, Model, Model]]


@dataclass(frozen=True)
class OfSlope(Arcs):
    """The inverse of a tangent; ``clamped``: where that is, no larger than FAR."""

    clamped: int


@dataclass(frozen=True)
class TailsOfAngles(narrowed_turns.OfTails):
    """Of r = w pi/1024 + lo."""

    family: Arcs

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binade by binade, both signs, and what is next to 0."""
        yield 0, -_NEXT, _NEXT
        yield from mirrored(_NEXT, narrowed_angles.TOP * (1.0 + 2.0**-40))

    def given(self, which: Any, cell: Cell) -> dict[int, Any]:
        """Lo, and the parts of w."""
        lo = cell.unknown(_LO)
        w = cell.argument() - lo.scaled(double_angles.TURN / 2 / arb.pi())
        return {self.family.told + 1: Real(lo, -1074), **narrowed_angles.summed(self.family.parts, w)}


@dataclass(frozen=True)
class Turns(OfFamily):
    """1024 hi is the sum of f and n, which is 0 below half a step; f is on its grid."""

    family: Arcs
    name: str = "reduction"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades of doubles, both signs."""
        return binades(LEAST, 2.0)

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Doubles."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Hi is given."""
        family, hi, grid = self.family, cell.argument(), grid_of_doubles(cell.low, cell.high)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            f, n = run.real(Value(family.parts[0])), run.whole(Value(family.n))
            if f.grid < grid + 10:
                raise Unproven("what is left may be finer than was said")
            left = hi.scaled(double_angles.TURN / 2) - n - f.model
            return [(left, 0.0), (f.model, _HALF), (n, 0.0 if grid + DOUBLE <= _ONE_STEP else 2.0**12)]

        return Setting({family.told: Real(hi, grid)}, claims)


@dataclass(frozen=True)
class TailsOfTurns(narrowed_turns.OfTails):
    """Of r = (f + 1024 lo) pi/1024, by the exponent of hi."""

    family: Arcs

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Where n = 0, binade by binade; elsewhere what is next to 0, too; both signs."""
        for exponent in range(math.frexp(LEAST)[1] - 1, _ONE_STEP):
            low, high = math.ldexp(1.0, exponent + 10), math.ldexp(1.0 + 2.0**-20, exponent + 11)
            yield from ((exponent, low, high), (exponent, -high, -low))
        for exponent in range(_ONE_STEP, 1):
            yield exponent, -_NEXT, _NEXT
            yield from ((exponent, low, high) for _, low, high in mirrored(_NEXT, _HALF))

    def beside(self, which: Any) -> tuple[float, float]:
        """Nothing where n = 0."""
        return _beside_of_turns(which) if which >= _ONE_STEP else (0.0, 0.0)

    def given(self, which: Any, cell: Cell) -> dict[int, Any]:
        """Lo and f."""
        lo = cell.unknown(math.ldexp(_LEFT, which + 1))
        f = cell.argument() - lo.scaled(double_angles.TURN / 2)
        return {self.family.told + 1: Real(lo, -1074), self.family.parts[0]: Real(f, which + 11 - DOUBLE)}


@dataclass(frozen=True)
class Step(OfFamily, ABC):
    """The step is d but for its bound and ``SHARE`` of the angle."""

    family: Arcs
    name: str = "step"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Each number of steps with all sines of r; binades of these where t may be small, or the slope."""
        first, last = self.family.steps
        for n in range(first, last + 1):
            if n not in {first, 0, last}:
                yield n, -REACH, REACH
                continue
            for low, high in dyadic(_CLOSEST if n else LEAST * (1.0 - 2.0**-20), REACH):
                if n < last:
                    yield n, low, high
                if n > first:
                    yield n, -high, -low

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of sin r."""
        return Cell(low, high)

    def sizes(self, n: int, cell: Cell) -> tuple[float, float]:
        """How large the angle is at least, and d, in radians, at most; the angle r is hardly larger than its sine."""
        ends = [arb(n) * arb.pi() * 2 / double_angles.TURN + end for end in (cell.low, cell.high)]
        least = min(map(lower, ends)) if ends[0] * ends[1] > 0 else 0.0
        return least * lower(self.family.unit()) * (1.0 - 2.0**-20), max(map(upper, ends)) * TOLD * (1.0 + 2.0**-18)


@dataclass(frozen=True)
class Points(Step):
    """Of a sine or cosine: beside the bound of the step is 0.51 d^2 over the slope, which that counts."""

    family: OfCircle

    def setting(self, which: Any, cell: Cell) -> Setting:
        """N, the sine and the cosine of r, and x are given."""
        family = self.family
        given, sine, cosine = family.given(cell.argument(), which)
        least, d_most = self.sizes(which, cell)
        half = arb(d_most) ** 2 / 2
        d, bend, beyond = cell.unknown(d_most), cell.unknown(half), cell.unknown(arb(d_most) ** 3)
        x, slope, less = family.of(sine, cosine, d + beyond, bend)
        given |= {0: Real(x, -1074), family.usable: True}
        given[family.square] = Real(cell.constant(half) + cell.unknown(half), -1074)
        over = applied(INVERSE, slope)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            step, change, square = (run.real(Value(i)).model for i in (family.step, family.change, family.square))
            least_change = least_of(change - (over * square).scaled(family.unit() * 0.51))
            return [(step - (d + less * over).scaled(family.unit()), least_change + SHARE * least)]

        return Setting(given, claims, divides=False)


@dataclass(frozen=True)
class Clamped(OfFamily):
    """FAR is taken for what is larger, and what is less is taken as it is."""

    family: OfSlope
    name: str = "clamped"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """By how far from FAR it is, of both signs."""
        for sign, low, high in mirrored(math.ulp(FAR), 2.0**1023):
            far = math.copysign(FAR, low)
            yield sign, low + far, high + far
        for sign, low, high in mirrored(math.ulp(FAR) / 2.0, FAR):
            far = FAR if sign == "-" else -FAR
            yield "", low + far, high + far
        for low, high in ((FAR, FAR), (2.0**1023, GREATEST)):
            yield "+", low, high
            yield "-", -high, -low

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of x."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """X is given."""
        family, x = self.family, cell.argument()
        wanted = cell.constant({"+": FAR, "-": -FAR}[which]) if which else x

        def claims(run: Execution) -> list[tuple[Model, float]]:
            return [(run.real(Value(family.clamped)).model - wanted, 0.0)]

        return Setting({0: Real(x, -1074)}, claims)


@dataclass(frozen=True)
class ToldOfBoth(Told):
    """Of x and of -x: what the double kernel's proof speaks of at once."""

    def setting(self, which: Any, cell: Cell) -> Setting:
        """What the part is given."""
        setting = super().setting(which, cell)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            return [*setting.claims(run), *setting.claims(run.mirrored())]

        return replace(setting, claims=claims)


@dataclass(frozen=True)
class Slopes(Step):
    """The step of arc tangents, whose slope is no cosine: y cos t - sin t over cos t + y sin t is the tangent of d.

    Next to a quarter turn y is the argument, and sin r is as close to what it would be without d as that can be.
    """

    family: OfSlope

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Each number of steps with all sines of r, binades of these where t may be small; next to a quarter turn of y.

        Beyond FAR that is FAR.
        """
        first, last = self.family.steps
        yield from (piece for piece in super().pieces() if piece[0] not in {first, last})
        for sign, low, high in mirrored(_STEEP, FAR):
            yield last if sign == "+" else first, low, high
        yield last, FAR, FAR
        yield first, -FAR, -FAR

    def setting(self, which: Any, cell: Cell) -> Setting:
        """N, the sine and the cosine of r, and x are given."""
        if abs(which) == self.family.steps[1]:
            return self._steep(which, cell)
        given, sine, cosine = self.family.given(cell.argument(), which)
        least, d_most = self.sizes(which, cell)
        d, bend, beyond = cell.unknown(d_most), cell.unknown(arb(d_most) ** 2), cell.unknown(arb(d_most) ** 3)
        across = sine - sine * bend + cosine * (d + beyond)
        along = cosine - cosine * bend - sine * (d + beyond)
        given |= {0: Real(across * applied(INVERSE, along), -1074)}
        return self._claimed(given, d, least)

    def _steep(self, n: int, cell: Cell) -> Setting:
        """With y; that is FAR where x is larger, whose angle is another by 1/FAR at most."""
        family, y = self.family, cell.argument()
        turned = applied(ATAN, applied(INVERSE, y))
        off = TOLD * math.pi / 2 * (1.0 + 2.0**-20) + upper(turned.range()) * 2.0**-52
        given, _, cosine = family.given(applied(SIN, -turned) + cell.unknown(off), n)
        of_r, one = cosine.scaled(-1 if n > 0 else 1), cell.constant(1)
        *_, bend, bend_lo = family.tails
        rest = given[bend_lo].model + cell.unknown(cosine_off(family.beside_at(n)[0]))
        given[bend] = Real(applied(SQRT, one - of_r * of_r) - one - rest, -1074)
        is_far = cell.low == cell.high
        given |= {family.clamped: Real(y, -1074)} if is_far else {0: Real(y, -1074)}
        d = -turned - applied(ASIN, of_r) + cell.unknown(1.0 / FAR if is_far else 0.0)
        return self._claimed(given, d, 1.57 * lower(family.unit()))

    def _claimed(self, given: dict[int, Any], d: Model, least: float) -> Setting:
        family = self.family

        def claims(run: Execution) -> list[tuple[Model, float]]:
            step, change = (run.real(Value(number)).model for number in (family.step, family.change))
            return [(step - d.scaled(family.unit()), least_of(change) + SHARE * least)]

        return Setting({**given, family.usable: True}, claims, divides=False)


@dataclass(frozen=True)
class AtOne(OfFamily):
    """The kernel's own enclosure is not taken where the slope may be 0: of 1 or -1, told what the double kernel gives.

    ``double_part``: the part of that kernel's proof that speaks of these, as ``which`` pieces.
    """

    family: Arcs
    double_part: Any
    name: str = "at 1"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Those of the part that are 1 in size."""
        yield from (piece for piece in self.double_part.pieces() if piece[1] == 1.0)

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """The size 1."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument and what is told are given."""
        family, whole = self.family, self.double_part.traced
        given = self.double_part.setting(which, cell).given
        there = Execution(whole.program, whole.tables, whole.shapes, cell, given)
        told_here = {family.told + i: there.real_output(i) for i in range(3)} | {family.told + 3: there.output(3)}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            if run.value(Value(family.own.taken)) is not False:
                raise Unproven("it may be taken")
            return [nothing(cell)]

        return Setting({0: constant(cell, float(which[0])), **told_here}, claims)


@dataclass(frozen=True)
class Sums(OfFamily):
    """The kernel's value for hi, lo, the step, and the bound of that, which is counted whole."""

    family: Arcs
    name: str = "sums"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades of hi; both signs where there are negative angles."""
        for sign, low, high in mirrored(LEAST, 4.0):
            if sign == "+" or self.family.steps[0] < 0:
                yield sign, low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Values of hi."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """What comes before is given: a bound that is no smaller than what is told is not taken."""
        family, hi = self.family, cell.argument()
        size = upper(cell.place + cell.middle)
        lo, half = cell.unknown(size * _LEFT), TOLD * size
        step, change = cell.unknown(5.0 * half), cell.constant(half) + cell.unknown(half)
        given: dict[int, Any] = {**family.own.given(), family.told: Real(hi, grid_of_doubles(cell.low, cell.high))}
        given |= {
            family.told + 1: Real(lo, -1074),
            family.told + 3: 0,
            family.usable: True,
            **dict.fromkeys(family.later, False),
        }
        given |= {family.step: Real(step, -1074), family.change: Real(change, -1074)}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            return [family.own.within(run, hi + lo + step, change + cell.constant(SHARE * size))]

        return Setting(given, claims)


@dataclass(frozen=True)
class OfCubic:
    """The other enclosure of a kernel, of what is tiny: of ``ideal``; ``small``: where x is scaled."""

    traced: Traced
    own: narrowed.Own
    small: int
    ideal: Callable[[Model], Model]


@dataclass(frozen=True)
class Tiny(OfTiny):
    """The kernel's value below 2^-28, where it is x/pi and the next term of the series, perhaps scaled."""

    family: OfCubic
    top: float = CUBIC

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given, and whether it is scaled."""
        family, x = self.family, cell.argument()
        given = {0: Real(x, grid_of_doubles(cell.low, cell.high)), family.small: which, **family.own.given()}

        return Setting(given, lambda run: family.own.claim(run, family.ideal(x)), divides=False)


def _atanpi(x: Model) -> Model:
    """The arc tangent in half turns."""
    return applied(ATAN, x).scaled(1 / arb.pi())


def _sine(sine: Model, cosine: Model, d: Model, bend: Model) -> tuple[Model, Model, Model]:
    """The sine of t + d for that and the cosine of t, the slope, and what it is besides: cos d = 1 - bend."""
    less = -(sine * bend)
    return sine + cosine * d + less, cosine, less


def _cosine(sine: Model, cosine: Model, d: Model, bend: Model) -> tuple[Model, Model, Model]:
    """The cosine, the opposite of the slope, and the opposite of what it is besides."""
    less = cosine * bend
    return cosine - sine * d - less, sine, less


# where values stand in traces


def series_of_angle(hi: Any, lo: Any) -> Any:
    """What the series gives."""
    f, f_lo, _ = steps_of(hi)
    r, r_lo = times_pair(f, f_lo, *STEP)
    return series(*plus(r, r_lo, lo))


def _of_step(slope: Any, missed: Any, error: Any, unit: Any) -> Any:
    steepness = unit / slope
    return missed * steepness, abs(steepness) * (1.125 * error)


def is_usable(hi: Any, exponent: Any) -> Any:
    """Whether a step is taken from what is told."""
    return (abs(hi) >= LEAST) & (exponent == 0)


def series_of_half_turns(hi: Any, lo: Any) -> Any:
    """What the series gives of half turns."""
    f, _ = steps_of_turns(hi)
    r, r_lo = times(*STEP, f)
    return series(*plus(r, r_lo, lo * PI[0]))


def _from_sine(x: Any, at: Any, err: Any, unit: Any) -> Any:
    sine, sine_lo, cosine, _ = at
    bend = err / unit
    error = abs(sine) * SINES + (ANGLE_ERROR + bend * bend)
    return bend * bend, *_of_step(cosine, minus((x, 0.0), (sine, sine_lo)), error, unit)


def _from_cosine(x: Any, at: Any, err: Any, unit: Any) -> Any:
    sine, _, cosine, cosine_lo = at
    bend = err / unit
    error = abs(cosine) * COSINES + (ANGLE_ERROR + bend * bend)
    return bend * bend, *_of_step(sine, minus((cosine, cosine_lo), (x, 0.0)), error, unit)


def _from_slope(x: Any, at: Any, unit: Any) -> Any:
    sine, sine_lo, cosine, cosine_lo = at
    y = clamp(x, -FAR, FAR)
    across, along = times(cosine, cosine_lo, y), times(sine, sine_lo, 1.0)
    error = (abs(across[0]) + abs(along[0])) * SLOPES + (abs(1.0) + abs(y)) * ANGLE_ERROR
    return y, *_of_step(1.0 * cosine + y * sine, minus(across, along), error, unit)


def _of_asin(x: Any, hi: Any, lo: Any, err: Any, exponent: Any) -> Any:
    return *_from_sine(x, of_angle(hi, lo), err, 1.0), *series_of_angle(hi, lo), is_usable(hi, exponent)


def _of_acos(x: Any, hi: Any, lo: Any, err: Any, exponent: Any) -> Any:
    return *_from_cosine(x, of_angle(hi, lo), err, 1.0), *series_of_angle(hi, lo), is_usable(hi, exponent)


def _of_atan(x: Any, hi: Any, lo: Any, _: Any, exponent: Any) -> Any:
    return *_from_slope(x, of_angle(hi, lo), 1.0), *series_of_angle(hi, lo), is_usable(hi, exponent)


def _of_asinpi(x: Any, hi: Any, lo: Any, err: Any, exponent: Any) -> Any:
    found = _from_sine(x, of_half_turns(hi, lo), err, ONE_OVER_PI)
    return *found, *series_of_half_turns(hi, lo), is_usable(hi, exponent)


def _of_acospi(x: Any, hi: Any, lo: Any, err: Any, exponent: Any) -> Any:
    found = _from_cosine(x, of_half_turns(hi, lo), err, ONE_OVER_PI)
    return *found, *series_of_half_turns(hi, lo), is_usable(hi, exponent)


def _of_atanpi(x: Any, hi: Any, lo: Any, _: Any, exponent: Any) -> Any:
    found = _from_slope(x, of_half_turns(hi, lo), ONE_OVER_PI)
    return *found, *series_of_half_turns(hi, lo), is_usable(hi, exponent)


def _steps_of_turns(*args: Any) -> Any:
    return steps_of_turns(args[-4])


def _is_small(x: Any, *_: Any) -> Any:
    return (abs(x) < SMALL,)


def _told_of_asin(x: Any) -> Any:
    hi, lo, _ = sine_angle(abs(x))
    return hi, lo


def _told_of_acos(x: Any) -> Any:
    hi, lo, _ = cosine_angle(x)
    return hi, lo


def _told_of_atan(x: Any) -> Any:
    hi, lo, _ = slope_angle(abs(x))
    return hi, lo


def _told_of_asinpi(x: Any) -> Any:
    a = abs(x)
    (hi, lo, _), _ = odd_through_pi(a, sine_angle(a))
    return hi, lo


def _told_of_acospi(x: Any) -> Any:
    hi, lo, _ = cosine_angle(x)
    return through_pi(hi, lo)


def _told_of_atanpi(x: Any) -> Any:
    a = abs(x)
    (hi, lo, _), _ = odd_through_pi(a, slope_angle(a))
    return hi, lo


def most_told(size: float) -> float:
    """The bound that is told, at most."""
    return TOLD * size


@dataclass(frozen=True)
class Claimed:
    """A kernel: where its values stand; which steps there are; where what it is told stands, and in which parts.

    ``of``: for the inverse of a sine or cosine, that; ``cubic``: what is enclosed otherwise where it is tiny.
    """

    kernel: Callable[..., Any]
    numbers: Callable[..., Any]
    pair: Callable[..., Any]
    steps: tuple[int, int] = (-QUARTER, QUARTER)
    telling: tuple[str, ...] = ("angles", "ends")
    of: Callable[[Model, Model, Model, Model], tuple[Model, Model, Model]] | None = None
    turns: bool = False
    cubic: Callable[[Model], Model] | None = None


_NOT_TINY = ("angles",)  # the others are of angles below LEAST
_CLAIMED: dict[str, Claimed] = {
    "asin": Claimed(fine.asin, _of_asin, _told_of_asin, of=_sine),
    "acos": Claimed(fine.acos, _of_acos, _told_of_acos, (0, 2 * QUARTER), of=_cosine),
    "atan": Claimed(fine.atan, _of_atan, _told_of_atan),
    "asinpi": Claimed(fine.asinpi, _of_asinpi, _told_of_asinpi, telling=_NOT_TINY, of=_sine, turns=True, cubic=asinpi),
    "acospi": Claimed(fine.acospi, _of_acospi, _told_of_acospi, (0, 2 * QUARTER), of=_cosine, turns=True),
    "atanpi": Claimed(fine.atanpi, _of_atanpi, _told_of_atanpi, telling=_NOT_TINY, turns=True, cubic=_atanpi),
}
NAMES = tuple(_CLAIMED)
_DOUBLES: tuple[Kind, ...] = ("double",) * 8
_PARTS: tuple[Kind, ...] = ("double", "double", "double", "long")


def fine_parts(name: str) -> tuple[Any, ...]:
    """The parts of the proof of one of fine's kernels."""
    claimed = _CLAIMED[name]
    whole = narrowed.fine_trace(claimed.kernel)
    *later, own = narrowed.owns_of(whole)
    numbers = whole.places(claimed.numbers, *_DOUBLES[:7], "bool")
    first, step, change, sine, sine_lo, bend, bend_lo, usable = numbers
    *parts, n, of_words = reduced(whole, turns=claimed.turns)
    facts = {
        "name": name,
        "traced": whole,
        "n": n,
        "tails": (sine, sine_lo, bend, bend_lo),
        "own": own,
        "beside": BESIDE,
        "grid": -1074,
        "turns": claimed.turns,
        "parts": tuple(parts),
        "step": step,
        "change": change,
        "usable": usable,
        "later": tuple(one.taken for one in later),
        "steps": claimed.steps,
    }
    family, told_parts, of_step = _told_and_step(facts, first, claimed)
    reduction: tuple[Any, ...] = Turns(family), TailsOfTurns(family)
    if of_words is not None:
        reduction = double_angles.Significand(of_words), narrowed_angles.ByWords(of_words), TailsOfAngles(family)
    of_tiny = [Tiny(_of_cubic(whole, name, later[0], claimed.cubic))] if claimed.cubic else []
    return *told_parts, *of_tiny, *reduction, of_step, Sums(family)


def _told_and_step(facts: Mapping[str, Any], first: int, claimed: Claimed) -> tuple[Arcs, tuple[Any, ...], Step]:
    """The family, what is told, and the part of the step."""
    if claimed.of:
        circle = OfCircle(square=first, of=claimed.of, **facts)
        return circle, _told_of_circle(circle, claimed), Points(circle)
    slope = OfSlope(clamped=first, **facts)
    return slope, (*_told_of_slope(slope, claimed), Clamped(slope)), Slopes(slope)


def reduced(whole: Traced, *, turns: bool) -> tuple[Any, ...]:
    """Where the values stand that r is computed from, n, and all that is known of words."""
    if turns:
        return *whole.places(_steps_of_turns, "double", "long"), None
    *summands, taken, m, n = whole.places(by_words_of_told, *_DOUBLES, "long")
    significand = (*whole.places(encoded_told, "long", "long", "long"), m)
    return *summands, n, Words(whole, n, tuple(summands), taken, significand)


def _told_of_circle(family: Arcs, claimed: Claimed) -> tuple[Any, ...]:
    """What is told of angles of points of a circle: of 1 and -1 where these have no exact ones."""
    double_parts = arcs.double_parts(family.name)
    (angles,) = (part for part in double_parts if part.name == "angles")
    found = tuple(told(double_parts, claimed.telling, claimed.pair, most_told))
    return found if family.turns else (*found, AtOne(family, angles))


def _told_of_slope(family: Arcs, claimed: Claimed) -> tuple[Any, ...]:
    """The same of slopes."""
    found = told(LEMMAS[family.name](family.name), claimed.telling, claimed.pair, most_told)
    return tuple(ToldOfBoth(one.family, one.name) for one in found)


def _of_cubic(whole: Traced, name: str, own: narrowed.Own, ideal: Callable[[Model], Model]) -> OfCubic:
    """The other enclosure; LookupError where it may have another exponent than what is told."""
    there = traced(getattr(double, name), ("double",), _PARTS)
    (small,), (small_there,) = whole.places(_is_small, "bool"), there.places(_is_small, "bool")
    for scaled in (False, True):
        narrowed.exponents_agree(whole, {small: scaled}, there, {small_there: scaled}, own)
    return OfCubic(whole, own, small, ideal)
