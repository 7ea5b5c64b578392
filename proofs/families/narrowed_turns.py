"""Fine's sinpi, cospi and tanpi: the sine and the cosine of r as pairs once, then every step of 1/1024 with them.

The reduction is that of the double kernels, which is exact: 1024 x = n + f.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import nearest, select
from clmath.ir.program import Value
from clmath.kernels.double import trigonometric as double
from clmath.kernels.double.near_zero import SMALL
from clmath.kernels.double.pairs import times
from clmath.kernels.double.trigonometric import QUARTER, TINY_TURNS, any_steps_of_turns
from clmath.kernels.fine import trigonometric as fine
from clmath.kernels.fine.trigonometric import STEP, series
from proofs.engine.execution import Execution, Real, Residue
from proofs.engine.ideals import COS, INVERSE, SIN, applied
from proofs.engine.models import Cell, Model, Unproven, binades, dyadic, lower, mirrored, upper
from proofs.engine.proof import OfFamily, Setting, enclosed
from proofs.engine.traced import Traced, traced
from proofs.families import narrowed
from proofs.families.floats import doubles_between, grid_of_doubles
from proofs.families.steps import TURN, OfTiny

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clmath.ir.program import Kind

__all__ = [
    "REACH",
    "SINE_GRID",
    "At",
    "OfSteps",
    "OfTails",
    "Turned",
    "cosine",
    "fine_parts",
    "sine",
    "tangent",
]

_HALF = 0.5 * (1.0 + 2.0**-20)  # of a step: f at most
_ONE_STEP = 2.0**-11  # x below this is less than half a step: n = 0
_GRID, _FINE = -53, -90  # f is a multiple of 2 to this power; to that one where n = 0
_SMALLEST = 2.0 ** (_FINE - 10)  # sin r, where f is a multiple of that power
REACH = 0.001535  # r, and its sine, at most
SINE_GRID = -300  # of which power of two its sine and its cosine less 1 are multiples
_SINE_OFF, _SINE_LO = 2.0**-101.5, 2.0**-52.5  # of the sine as a pair, and of its second part, both of the first part
_COSINE_NEAR, _COSINE_LO, _COSINE_OFF = 2.0**-71.5, 2.0**-72.5, 2.0**-116
# of cos r - 1: the first part beside what follows from the sine, the second part, and how far both are off


@dataclass(frozen=True)
class OfSteps:
    """A kernel that takes sines and cosines of n pi/1024 + r. Where n and the pairs of sin r and cos r - 1 stand.

    ``own``: the kernel's own enclosure. ``beside``: how far sin r is off, and how large its second part is, besides
    what is relative. ``grid``: of which power of two that and cos r - 1 are multiples, without their second parts.
    """

    name: str
    traced: Traced
    n: int
    tails: tuple[int, int, int, int]
    own: narrowed.Own
    beside: tuple[float, float]
    grid: int

    def beside_at(self, _: int) -> tuple[float, float]:
        """``beside``, which may depend on n."""
        return self.beside

    def given(self, sine: Model, n: int) -> tuple[dict[int, Any], Model, Model]:
        """What ``OfTails`` says by the first part of sin r, and n; the sine and the cosine of the angle."""
        cell, size = sine.cell, upper(sine.range())
        off, off_lo = self.beside_at(n)
        sine_lo = cell.unknown(size * _SINE_LO + off_lo)
        bend = _bend(sine) + cell.unknown(_COSINE_NEAR)
        bend_lo = cell.unknown(_COSINE_LO)
        given: dict[int, Any] = {
            number: Real(model, grid)
            for number, model, grid in zip(
                self.tails, (sine, sine_lo, bend, bend_lo), (self.grid, -1074) * 2, strict=True
            )
        }
        of_r = sine + sine_lo + cell.unknown(size * _SINE_OFF + off)
        cosine_of_r = bend + bend_lo + cell.unknown(cosine_off(off)) + cell.constant(1)
        step = arb(n) / double.HALF_TURN
        s, c = step.sin_pi(), step.cos_pi()
        over = cosine_of_r.scaled(s) + of_r.scaled(c)
        under = cosine_of_r.scaled(c) - of_r.scaled(s)
        return given | {self.n: Residue(n % TURN, TURN)}, over, under


def cosine_off(off: float) -> float:
    """How far cos r - 1 is off where sin r is by ``off`` besides."""
    return _COSINE_OFF + off * REACH


@dataclass(frozen=True)
class Turned(OfSteps):
    """A kernel of n pi/1024 + r.

    ``special``: conditions of special arguments. What is enclosed is ``value``, by the sine and the cosine of the
    angle; ``exact``: sin r is no less than ``smallest`` where n is a multiple of that.
    """

    special: tuple[int, ...]
    value: Callable[[Model, Model], Model]
    exact: int
    smallest: float


@dataclass(frozen=True)
class Steps(Turned):
    """A kernel of pi x. Where f, and the whole turns taken off, stand; ``least``: the least ordinary argument.

    Special is x where it is tiny, and where it is so small that it is scaled.
    """

    f: int
    halves: int
    least: float


@dataclass(frozen=True)
class Reduction(OfFamily):
    """1024 x is the sum of f, n and a multiple of 2048; f is on its grid."""

    family: Steps
    name: str = "reduction"
    top: float = 2.0**51

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades of doubles, both signs; what is less than half a step by itself."""
        for start, end in ((self.family.least, _ONE_STEP), (_ONE_STEP, self.top)):
            yield from binades(start, end)

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Doubles."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given."""
        family, x = self.family, cell.argument()
        is_below = float(cell.high.abs_upper()) < _ONE_STEP and float(cell.low.abs_upper()) < _ONE_STEP

        def claims(run: Execution) -> list[tuple[Model, float]]:
            f, n = run.real(Value(family.f)), run.whole(Value(family.n))
            if f.grid < (_FINE if is_below else _GRID):
                raise Unproven("what is left may be finer than was said")
            left = x.scaled(double.STEPS_PER_UNIT) - n - f.model
            left -= run.real(Value(family.halves)).model.scaled(TURN)
            return [(left, 0.0), (f.model, _HALF), (n, 0.0 if is_below else 2.0**52)]

        given: dict[int, Any] = {0: Real(x, grid_of_doubles(cell.low, cell.high))}
        return Setting(given | dict.fromkeys(family.special, False), claims)


@dataclass(frozen=True)
class OfTails(OfFamily, ABC):
    """The sine of r, relatively, and its cosine less 1, beside what follows from that sine."""

    family: OfSteps
    name: str = "tails"

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of r in steps."""
        return Cell(low, high)

    @abstractmethod
    def given(self, which: Any, cell: Cell) -> dict[int, Any]:
        """What r is computed from."""

    def beside(self, _: Any) -> tuple[float, float]:
        """That of the family, which may depend on the piece."""
        return self.family.beside

    def setting(self, which: Any, cell: Cell) -> Setting:
        """What r is computed from is given."""
        family = self.family
        angle = cell.argument().scaled(arb.pi() / double.HALF_TURN)
        off, off_lo = self.beside(which)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            found = [run.real(Value(number)) for number in family.tails]
            if min(found[0].grid, found[2].grid) < family.grid:
                raise Unproven("a sine may be finer than was said")
            sine, sine_lo, bend, bend_lo = (part.model for part in found)
            size, one = lower(sine.range()), cell.constant(1)
            return [
                (sine + sine_lo - applied(SIN, angle), size * _SINE_OFF + off),
                (sine_lo, size * _SINE_LO + off_lo),
                (sine, REACH),
                (bend - _bend(sine), _COSINE_NEAR),
                (bend_lo, _COSINE_LO),
                (bend + bend_lo - (applied(COS, angle) - one), cosine_off(off)),
            ]

        return Setting(self.given(which, cell), claims, divides=False)


@dataclass(frozen=True)
class Tails(OfTails):
    """Of r = f pi/1024."""

    family: Steps

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binade by binade, both signs, and 0: f is a multiple of 2^-90."""
        yield 0, 0.0, 0.0
        yield from ((1, low, high) for _, low, high in mirrored(2.0**_FINE, _HALF))

    def given(self, which: Any, cell: Cell) -> dict[int, Any]:
        """F."""
        grid = max(_FINE, grid_of_doubles(cell.low, cell.high)) if which else 2000
        return {self.family.f: Real(cell.argument(), grid)}


def _bend(sine: Model) -> Model:
    """The cosine of r less 1 by sin r, to 2^-79 where r is small: sqrt(1 - s^2) - 1."""
    square = sine * sine
    beyond = square.scaled(arb(1) / 16) + sine.cell.constant(arb(1) / 8)
    return -(square * (square * beyond + sine.cell.constant(arb(1) / 2)))


@dataclass(frozen=True)
class At(OfFamily):
    """The kernel's value at each step, by the sine and the cosine of r."""

    family: Turned
    name: str = "value"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Each number of steps with all sines of r; binades of these where 0 is exact."""
        for n in range(TURN):
            if n % self.family.exact:
                yield n, -REACH, REACH
                continue
            for low, high in dyadic(self.family.smallest, REACH):
                yield n, low, high
                yield n, -high, -low

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of sin r."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The steps, the sine and the cosine of r are given, as ``Tails`` has them."""
        family = self.family
        given, over, under = family.given(cell.argument(), which)
        given |= {**family.own.given(), **dict.fromkeys(family.special, False)}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            if run.value(family.own.exponent) != 0:
                raise Unproven("there is an exponent")
            return [enclosed(run, family.value(over, under), (0, 1), 2)]

        return Setting(given, claims, divides=False)


@dataclass(frozen=True)
class Tiny(OfTiny):
    """The kernel's value below 2^-40, where it is pi x and the next term of the series, perhaps scaled."""

    family: Steps

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given, and whether it is scaled."""
        family, x = self.family, cell.argument()
        tiny, small = family.special
        given = {0: Real(x, grid_of_doubles(cell.low, cell.high)), tiny: True, small: which, **family.own.given()}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            angle = x.scaled(arb.pi())
            return family.own.claim(run, family.value(applied(SIN, angle), applied(COS, angle)))

        return Setting(given, claims, divides=False)


def sine(over: Model, _: Model) -> Model:
    """The sine of an angle by that and its cosine."""
    return over


def cosine(_: Model, under: Model) -> Model:
    """The cosine, by the same."""
    return under


def tangent(over: Model, under: Model) -> Model:
    """The tangent, by the same."""
    return over * applied(INVERSE, under)


def _parts_of_turns(x: Any, *_: Any) -> Any:
    """F, n and whole turns; what the series gives of f pi/1024."""
    f, n = any_steps_of_turns(x)
    kept = select(abs(x) < TINY_TURNS, 0.0, x)
    size = abs(kept)
    within = select(size < 2.0**52, kept, select(size < 2.0**53, size - 2.0**52, 0.0))
    half, _ = nearest(0.5 * within)
    r, r_lo = times(STEP[0], STEP[1], f)
    return f, n, half, *series(r, r_lo)


def _special_of_turns(x: Any, *_: Any) -> Any:
    return abs(x) < TINY_TURNS, abs(x) < SMALL


def _is_small(x: Any) -> Any:
    return (abs(x) < SMALL,)


def _special_of_cosine(x: Any, *_: Any) -> Any:
    return (abs(x) < TINY_TURNS,)


# what is enclosed; where results are exact; the least ordinary argument; which conditions are special
_CLAIMED: dict[str, tuple[Any, ...]] = {
    "sinpi": (fine.sinpi, sine, QUARTER, TINY_TURNS, _special_of_turns, 2),
    "cospi": (fine.cospi, cosine, QUARTER, 2.0**-32, _special_of_cosine, 1),
    "tanpi": (fine.tanpi, tangent, QUARTER, TINY_TURNS, _special_of_turns, 2),
}
_KINDS: tuple[Kind, ...] = ("double", "long", "double", "double", "double", "double", "double")
_BOOLS: tuple[Kind, ...] = ("bool", "bool")
_PARTS: tuple[Kind, ...] = ("double", "double", "double", "long")


def fine_parts(name: str) -> tuple[Any, ...]:
    """The parts of the proof of one of fine's kernels."""
    kernel, value, exact, least, special_of, conditions = _CLAIMED[name]
    whole = narrowed.fine_trace(kernel)
    f, n, halves, sine, sine_lo, bend, bend_lo = whole.places(_parts_of_turns, *_KINDS)
    special = tuple(whole.places(special_of, *_BOOLS[:conditions]))
    tails, own = (sine, sine_lo, bend, bend_lo), narrowed.own_of(whole)
    family = Steps(
        name,
        whole,
        n,
        tails,
        own,
        (0.0, 0.0),
        SINE_GRID,
        special,
        value,
        exact,
        _SMALLEST,
        f=f,
        halves=halves,
        least=least,
    )
    _compare_exponents(family)
    tiny = (Tiny(family),) if conditions == 2 else ()
    return Reduction(family), *tiny, Tails(family), At(family)


def _compare_exponents(family: Steps) -> None:
    """LookupError where the double kernel, or that of ordinary arguments, has another exponent."""
    there = traced(getattr(double, family.name), ("double",), _PARTS)
    below = traced(getattr(double, f"ordinary_{family.name}"), ("double",), _PARTS)
    usual = dict.fromkeys(family.special, False)
    narrowed.exponents_agree(family.traced, usual, below, {})
    if len(family.special) == 1:
        narrowed.exponents_agree(family.traced, usual, there, {})
        return
    tiny, small = family.special
    (small_there,) = there.places(_is_small, "bool")
    narrowed.exponents_agree(family.traced, usual, there, {small_there: False})
    for scaled in (False, True):
        narrowed.exponents_agree(family.traced, {tiny: True, small: scaled}, there, {small_there: scaled})
