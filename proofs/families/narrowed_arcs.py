"""Fine's asin, acos, atan and their pi forms: a step of Newton's from the angle t = hi + lo of the double kernels.

The sine of that is taken. The value is t + d, and d no larger than the bound that the kernel is told. t is
n pi/1024 + r, but for what four words of 1024/pi leave out, and its sine and cosine are as in ``narrowed_angles``, with
lo in r; half turns are reduced without an error. So n and sin r are arguments, and x what it has to be for every d: the
sine of t + d, say. The step is (x - sin t)/cos t, d but for its square.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.program import Value
from clmath.kernels.double.angles import steps_of
from clmath.kernels.double.pairs import plus, times, times_pair
from clmath.kernels.double.trigonometric import steps_of_turns
from clmath.kernels.fine.inverse_trigonometric import (
    LEAST,
)
from clmath.kernels.fine.trigonometric import PI, STEP, series
from proofs.engine.execution import Execution, Real
from proofs.engine.models import Cell, Model, Unproven, binades, mirrored, upper
from proofs.engine.proof import OfFamily, Setting
from proofs.families import double_angles, narrowed_angles, narrowed_turns
from proofs.families.double_angles import encoded_told
from proofs.families.floats import DOUBLE, doubles_between, grid_of_doubles
from proofs.families.narrowed_angles import by_words_of_told

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clmath.ir.program import Kind
    from proofs.engine.traced import Traced

__all__ = [
    "BESIDE",
    "SHARE",
    "TOLD",
    "Arcs",
    "Sums",
    "TailsOfAngles",
    "TailsOfTurns",
    "Turns",
    "Words",
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
_HALF, _ONE_STEP = 0.5 * (1.0 + 2.0**-20), -11  # of a step; hi is less where it is below 2 to that power


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


# where values stand in traces


def series_of_angle(hi: Any, lo: Any) -> Any:
    """What the series gives."""
    f, f_lo, _ = steps_of(hi)
    r, r_lo = times_pair(f, f_lo, *STEP)
    return series(*plus(r, r_lo, lo))


def is_usable(hi: Any, exponent: Any) -> Any:
    """Whether a step is taken from what is told."""
    return (abs(hi) >= LEAST) & (exponent == 0)


def series_of_half_turns(hi: Any, lo: Any) -> Any:
    """What the series gives of half turns."""
    f, _ = steps_of_turns(hi)
    r, r_lo = times(*STEP, f)
    return series(*plus(r, r_lo, lo * PI[0]))


def _steps_of_turns(*args: Any) -> Any:
    return steps_of_turns(args[-4])


def most_told(size: float) -> float:
    """The bound that is told, at most."""
    return TOLD * size


_DOUBLES: tuple[Kind, ...] = ("double",) * 8


def reduced(whole: Traced, *, turns: bool) -> tuple[Any, ...]:
    """Where the values stand that r is computed from, n, and all that is known of words."""
    if turns:
        return *whole.places(_steps_of_turns, "double", "long"), None
    *summands, taken, m, n = whole.places(by_words_of_told, *_DOUBLES, "long")
    significand = (*whole.places(encoded_told, "long", "long", "long"), m)
    return *summands, n, Words(whole, n, tuple(summands), taken, significand)
