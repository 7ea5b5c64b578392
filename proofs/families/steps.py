"""sinpi, cospi, tanpi of double: x in steps of 1/1024, which is exact, then the value at every step."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import nearest, select
from clmath.ir.program import Constant, Value
from clmath.kernels.double import trigonometric as double
from clmath.kernels.double.angles import TINY
from clmath.kernels.double.near_zero import SMALL
from clmath.kernels.double.trigonometric import (
    QUARTER,
    TINY_TURNS,
    any_steps_of_turns,
    sine_of_steps,
    sine_of_turns,
    steps_of_turns,
    tangent_of_turns,
)
from proofs.engine.execution import Execution, Real, Residue
from proofs.engine.ideals import COS, INVERSE, SIN, applied
from proofs.engine.models import Cell, Model, Unproven, binades, dyadic
from proofs.engine.proof import OfFamily, Setting, enclosed
from proofs.engine.traced import Traced, traced
from proofs.families.floats import doubles_between, grid_of_doubles
from proofs.families.kinds import ENCLOSURE
from proofs.statements import EnclosedSine, Known

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


__all__ = ["NAMES", "At", "OfTiny", "Reduction", "Steps", "Tiny", "both", "double_parts"]

TURN = 2 * double.HALF_TURN
_ONE_STEP = 2.0**-11  # x below this is less than half a step: n = 0
_GRID, _FINE = -53, -90  # f is a multiple of 2 to this power; to that one where n = 0


@dataclass(frozen=True)
class Steps:
    """A kernel of pi x: 1024 x = n + f (mod 2048) exactly, |f| <= 1/2, and the value depends on f and n alone.

    The kernel's first three results are the values ``found``: what ``at``, a function of its own, gives for f and
    n + ``ahead``, the last two of its arguments; that stands in the trace at ``total``. ``exact``: f is not 0 where
    n + ``ahead`` is a multiple of that. ``halves``: where the number of whole turns that are taken off stands, if any.
    """

    name: str
    traced: Traced
    at: Traced
    found: tuple[int, int, int]
    f: int
    n: int
    total: int
    halves: int | None
    special: tuple[int, ...]
    value: Callable[[Model, int], Model]
    ahead: int
    exact: int
    least: float
    top: float
    second_functions: frozenset[str]

    def is_total(self) -> bool:
        """Whether the steps that the value is found for are n + ``ahead``: by what the trace says."""
        if not self.ahead:
            return self.total == self.n
        _, operation, operands = self.traced.program.statements[self.total - len(self.traced.program.inputs)]
        return (operation, operands) == ("long.add", (Value(self.n), Constant("long", self.ahead)))


@dataclass(frozen=True)
class Reduction(OfFamily):
    """1024 x is the sum of f, n and a multiple of 2048; f is on its grid."""

    family: Steps
    name: str = "reduction"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades of doubles, both signs; what is less than half a step by itself."""
        for start, end in ((self.family.least, _ONE_STEP), (_ONE_STEP, self.family.top)):
            yield from binades(start, end)

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Doubles."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given."""
        family, x = self.family, cell.argument()
        grid = grid_of_doubles(cell.low, cell.high)
        is_below = float(cell.high.abs_upper()) < _ONE_STEP and float(cell.low.abs_upper()) < _ONE_STEP

        def claims(run: Execution) -> list[tuple[Model, float]]:
            f, n = run.real(Value(family.f)), run.whole(Value(family.n))
            if f.grid < (_FINE if is_below else _GRID):
                raise Unproven("what is left may be finer than was said")
            left = x.scaled(double.STEPS_PER_UNIT) - n - f.model
            if family.halves is not None:
                left -= run.real(Value(family.halves)).model.scaled(TURN)
            results = [(run.real_output(i).model - model, 0.0) for i, model in enumerate(found)]
            if run.output(3) != 0 or not family.is_total():
                raise Unproven("there is an exponent, or the steps are others")
            reach = (f.model, 0.5 * (1.0 + 2.0**-20)), (n, 0.0 if is_below else 2.0**52)
            return [(left, 0.0), *reach, *results]

        found = [cell.unknown(1) for _ in family.found]
        given: dict[int, Any] = {n: Real(model, -1074) for n, model in zip(family.found, found, strict=True)}
        return Setting(given | {0: Real(x, grid), **dict.fromkeys(family.special, False)}, claims)


@dataclass(frozen=True)
class At:
    """What kernels give for f and a number of steps."""

    family: Steps
    name: str = "value"

    @property
    def traced(self) -> Traced:
        """The function of f and the steps."""
        return self.family.at

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Each number of steps with all f; binades of f where f = 0 is exact, or next to multiples of 1/2."""
        top = 0.5 * (1.0 + 2.0**-20)
        for n in range(TURN):
            ends = (0.0, 0.0625, 0.125, 0.25, 0.375, top)
            for low, high in pairwise(ends) if n % self.family.exact else dyadic(2.0**_GRID, top):
                yield n, low, high
                yield n, -high, -low

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of f."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The steps and f are given."""
        family, f = self.family, cell.argument()
        grid = _GRID if which % family.exact else _FINE
        steps = len(self.traced.program.inputs) - 1
        given: dict[int, Any] = {steps - 1: Real(f, grid), steps: Residue(which, TURN)}
        return Setting(given, lambda run: [enclosed(run, family.value(f, which), (0, 1), 2)])

    def statement(self, which: Any) -> EnclosedSine:
        """The same as plain data."""
        steps, grid = len(self.traced.program.inputs) - 1, _GRID if which % self.family.exact else _FINE
        known = Known(steps - 1, grid, residues=((steps, which, TURN),))
        return EnclosedSine(known, ("tan" if self.family.value is _tangent else "sin",))


@dataclass(frozen=True)
class OfTiny(OfFamily):
    """What is below ``top``."""

    name: str = "tiny"
    top: float = TINY_TURNS

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades of doubles, both signs, subnormal ones among them; whether the kernel scales them."""
        for _, low, high in binades(2.0**-1074, self.top):
            yield min(abs(low), abs(high)) < SMALL, low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Doubles."""
        return doubles_between(low, high)


@dataclass(frozen=True)
class Tiny(OfTiny):
    """The kernel's value below 2^-40, where it is pi x scaled."""

    family: Steps

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given, and whether it is scaled."""
        family, x = self.family, cell.argument()
        tiny, small = family.special
        given = {0: Real(x, grid_of_doubles(cell.low, cell.high)), tiny: True, small: which}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            exponent = run.output(3)
            if not isinstance(exponent, int):
                raise Unproven("the exponent is not known")
            ideal = family.value(x.scaled(double.STEPS_PER_UNIT), 0)
            return [enclosed(run, ideal.scaled(arb(2) ** -exponent), (0, 1), 2)]

        return Setting(given, claims)


def both(f: Model, n: int) -> tuple[Model, Model]:
    """The sine and the cosine of (n + f) pi/1024."""
    angle = f.scaled(arb.pi() / double.HALF_TURN)
    step = arb(n) / double.HALF_TURN
    s, c = step.sin_pi(), step.cos_pi()
    sine, cosine = applied(SIN, angle), applied(COS, angle)
    return cosine.scaled(s) + sine.scaled(c), cosine.scaled(c) - sine.scaled(s)


def _sine(f: Model, n: int) -> Model:
    return both(f, n)[0]


def _tangent(f: Model, n: int) -> Model:
    sine, cosine = both(f, n)
    return sine * applied(INVERSE, cosine)


def _kept(x: Any) -> Any:
    return select(abs(x) < TINY_TURNS, 0.0, x)


def _halves(x: Any) -> Any:
    size = abs(_kept(x))
    kept = select(size < 2.0**52, _kept(x), select(size < 2.0**53, size - 2.0**52, 0.0))
    half, _ = nearest(0.5 * kept)
    return half


def _special_of_turns(x: Any) -> Any:
    return abs(x) < TINY_TURNS, abs(x) < SMALL


def _special_of_cosine(x: Any) -> Any:
    return abs(x) < TINY_TURNS, abs(x) < TINY


def _special_below(x: Any) -> Any:
    return (abs(x) < TINY,)


def _sinpi(x: Any) -> Any:
    f, n = any_steps_of_turns(x)
    return *sine_of_turns(x, f, n), f, n, n


def _ordinary_sinpi(x: Any) -> Any:
    f, n = steps_of_turns(x)
    return *sine_of_turns(x, f, n), f, n, n


def _cospi(x: Any) -> Any:
    f, n = any_steps_of_turns(x)
    return *sine_of_steps(f, n + QUARTER), f, n, n + QUARTER


def _ordinary_cospi(x: Any) -> Any:
    f, n = steps_of_turns(select(abs(x) < TINY, 0.0, x))
    return *sine_of_steps(f, n + QUARTER), f, n, n + QUARTER


def _tanpi(x: Any) -> Any:
    f, n = any_steps_of_turns(x)
    return *tangent_of_turns(x, f, n), f, n, n


def _ordinary_tanpi(x: Any) -> Any:
    f, n = steps_of_turns(x)
    return *tangent_of_turns(x, f, n), f, n, n


_SINPI, _COSPI, _TANPI = (_sinpi, _ordinary_sinpi), (_cospi, _ordinary_cospi), (_tanpi, _ordinary_tanpi)
_TURNS, _COSINE = ((_special_of_turns, 2), None), ((_special_of_cosine, 2), (_special_below, 1))
# the value, for how many steps ahead, the function that gives it, of how many arguments; where results are exact; the
# least ordinary argument; what stands in the trace, and special arguments, both for all arguments and for those below
# 2^40
_CLAIMED: dict[str, tuple[Any, ...]] = {
    "sinpi": (_sine, 0, sine_of_turns, 3, 512, TINY_TURNS, _SINPI, _TURNS),
    "cospi": (_sine, QUARTER, sine_of_steps, 2, 512, TINY, _COSPI, _COSINE),
    "tanpi": (_tangent, 0, tangent_of_turns, 3, 256, TINY_TURNS, _TANPI, _TURNS),
}
NAMES = tuple(_CLAIMED)


def _family(name: str, *, ordinary: bool) -> Steps:
    value, ahead, at, arguments, exact, least, kernels, conditions = _CLAIMED[name]
    whole = traced(getattr(double, f"ordinary_{name}" if ordinary else name), ("double",), ENCLOSURE)
    hi, lo, err, f, n, total = whole.places(kernels[ordinary], *("double",) * 4, *("long",) * 2)
    special = conditions[ordinary]
    return Steps(
        name=name,
        traced=whole,
        at=traced(at, (("double",) * (arguments - 1)) + ("long",), ENCLOSURE[:3]),
        found=(hi, lo, err),
        f=f,
        n=n,
        total=total,
        halves=None if ordinary else whole.places(_halves, "double")[0],
        special=tuple(whole.places(special[0], *("bool",) * special[1])) if special else (),
        value=value,
        ahead=ahead,
        exact=exact,
        least=least,
        top=double.ORDINARY_TURNS if ordinary else 2.0**51,
        second_functions=frozenset({f"ordinary_{name}"} if ordinary else ()),
    )


def double_parts(name: str) -> Sequence[Reduction | Tiny | At]:
    """The parts of the proof of one of double's kernels."""
    whole, below = _family(name, ordinary=False), _family(name, ordinary=True)
    tiny = () if whole.ahead else (Tiny(whole),)
    return Reduction(whole), Reduction(below, "reduction, ordinary"), *tiny, At(whole)
