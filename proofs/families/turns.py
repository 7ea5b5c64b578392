"""The sine of pi x: what is left of half turns is exact, so that only the sine of the rest is to be proven."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.program import Value
from proofs.engine.execution import Execution, Real, Residue, grid_of
from proofs.engine.ideals import SIN, applied
from proofs.engine.models import Cell, Model, Unproven, dyadic, mirrored
from proofs.engine.proof import OfFamily, Setting, in_one
from proofs.families.floats import FLOAT, floats_between, grid_of_floats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from proofs.engine.traced import Traced

__all__ = ["Reduction", "Turn", "Turns", "sine"]


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
    """Return sin(pi (r + n))."""
    return applied(SIN, r.scaled(arb.pi())).scaled(-1 if n & 1 else 1)
