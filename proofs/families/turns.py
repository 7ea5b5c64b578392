"""sinpi, cospi, tanpi: what is left of whole turns is exact, so that only a turn itself is to be proven."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import nearest
from clmath.ir.program import Value
from clmath.kernels.quick import trigonometric as quick
from clmath.kernels.quick.near_zero import TINY
from clmath.kernels.quick.trigonometric import half_turns, within_turns
from proofs.engine.execution import Execution, Real, Residue, grid_of
from proofs.engine.ideals import COS, INVERSE, SIN, applied
from proofs.engine.models import Cell, Model, Unproven, dyadic, mirrored
from proofs.engine.proof import OfFamily, Setting, in_one
from proofs.engine.traced import Traced, traced
from proofs.families.floats import FLOAT, floats_between, grid_of_floats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from clmath.ir.program import Kind

__all__ = ["NAMES", "quick_parts"]


@dataclass(frozen=True)
class Turns:
    """A kernel of pi x: x = r + shift + n/steps exactly, |r| <= ``reach``, and the value depends on r and n alone.

    r is a multiple of ``least``, a power of two. ``modulus``: the value depends on n modulo that.
    """

    name: str
    traced: Traced
    rest: int
    n: int
    special: tuple[int, ...]
    value: Callable[[Model, int], Model]
    steps: int
    shift: float
    reach: float
    least: float
    modulus: int
    smallest: float


@dataclass(frozen=True)
class Reduction(OfFamily):
    """x is the sum of r, n/steps and the shift, and |r| <= ``reach``."""

    family: Turns
    name: str = "reduction"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades of floats, both signs."""
        yield from mirrored(self.family.smallest, 2.0**24)

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Arguments."""
        return floats_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given."""
        family = self.family
        given = Real(cell.argument(), grid_of_floats(cell.low, cell.high), 0, FLOAT)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            r, n = run.real(Value(family.rest)), run.whole(Value(family.n))
            if r.grid < grid_of(family.least):
                raise Unproven("what is left may be finer than was said")
            turns = n.scaled(arb(1) / family.steps) + cell.constant(family.shift)
            return [(cell.argument() - turns - r.model, 0.0), (r.model, family.reach * (1.0 + 2.0**-20))]

        return Setting({0: given, **dict.fromkeys(family.special, False)}, claims)


@dataclass(frozen=True)
class Turn(OfFamily):
    """The kernel's value for r and n."""

    family: Turns
    name: str = "value"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades of r, in quarters, both signs, for each n."""
        for n in range(self.family.modulus):
            for low, high in dyadic(self.family.least, self.family.reach):
                for i in range(8):
                    first, last = low + (high - low) * i / 8, low + (high - low) * (i + 1) / 8
                    yield n, first, last
                    yield n, -last, -first

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Values of r."""
        unit = arb(self.family.least)
        first, last = (low / unit).ceil(), (high / unit).floor()
        return Cell(first * unit, last * unit) if first <= last else None

    def setting(self, which: Any, cell: Cell) -> Setting:
        """R and n are given."""
        family = self.family
        r = cell.argument()
        given: dict[int, Any] = {family.rest: Real(r, grid_of(family.least)), family.n: Residue(which, family.modulus)}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            return [in_one(run, family.value(r, which))]

        return Setting(given | dict.fromkeys(family.special, False), claims)


def sine(r: Model, n: int) -> Model:
    return applied(SIN, r.scaled(arb.pi())).scaled(-1 if n & 1 else 1)


def _tangent(r: Model, n: int) -> Model:
    angle = r.scaled(arb.pi())
    sine, cosine = applied(SIN, angle), applied(COS, angle)
    return -cosine * applied(INVERSE, sine) if n & 1 else sine * applied(INVERSE, cosine)


def _rest_of_cospi(x: Any) -> Any:
    kept = within_turns(x)
    whole, n = nearest(kept + 0.5)
    return kept - (whole - 0.5), n


def _rest_of_tanpi(x: Any) -> Any:
    kept = within_turns(x)
    whole, n = nearest(kept + kept)
    return kept - 0.5 * whole, n


def _special_to_sinpi(x: Any) -> Any:
    r, _ = half_turns(x)
    return abs(x) > 16777216.0, r == 0.0, abs(r) == 0.5


def _special_to_cospi(x: Any) -> Any:
    r, _ = _rest_of_cospi(x)
    return abs(x) > 16777216.0, r == 0.0, abs(r) == 0.5, abs(x) < TINY


def _special_to_tanpi(x: Any) -> Any:
    r, _ = _rest_of_tanpi(x)
    return abs(x) > 16777216.0, r == 0.0, abs(r) == 0.25


# the rest and n, special arguments and how many conditions these are, the value; steps, shift, reach, least, modulus
_CLAIMED: dict[str, tuple[Any, ...]] = {
    "sinpi": (half_turns, _special_to_sinpi, 3, sine, 1, 0.0, 0.5, 2.0**-149, 2, 2.0**-149),
    "cospi": (_rest_of_cospi, _special_to_cospi, 4, sine, 1, -0.5, 0.5, 2.0**-38, 2, TINY),
    "tanpi": (_rest_of_tanpi, _special_to_tanpi, 3, _tangent, 2, 0.0, 0.25, 2.0**-149, 4, 2.0**-149),
}
NAMES = tuple(_CLAIMED)
_BOOLS: tuple[Kind, ...] = ("bool",) * 8


def quick_parts(name: str) -> Sequence[Reduction | Turn]:
    """The parts of the proof of one of quick's kernels."""
    rest, special, conditions, *others = _CLAIMED[name]
    whole = traced(getattr(quick, name), ("double",), ("double", "double"))
    r, n = whole.places(rest, "double", "long")
    false = tuple(whole.places(special, *_BOOLS[:conditions]))
    family = Turns(name, whole, r, n, false, *others)
    return Reduction(family), Turn(family)
