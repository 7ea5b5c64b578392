"""Parts of proofs that are statements of plain data, of what a trace is given and encloses; entries of tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.program import Value
from proofs.engine.execution import Execution, Power, Real
from proofs.engine.ideals import ATAN, EXP, LOG, SQRT, applied
from proofs.engine.models import Cell, Model, upper
from proofs.engine.proof import Setting, in_one
from proofs.families.logarithm import on_grid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from proofs.engine.traced import Traced
    from proofs.statements import Enclosed

__all__ = ["Entries", "Stated", "nothing"]


def nothing(cell: Cell) -> tuple[Model, float]:
    """A claim that holds: the first one, where what is claimed has no share of the kernel's own bound."""
    return cell.constant(0), 1.0


def _root(z: Model, sign: float) -> Model:
    return applied(SQRT, z).scaled(sign)


def _cube_root(z: Model, sign: float, rest: float) -> Model:
    """That of z 2^rest."""
    return applied(EXP, applied(LOG, z.scaled(arb(2) ** arb(rest))).scaled(arb(1) / 3)).scaled(sign)


def _angle(z: Model, sign: float, turns: float, of: float, slope: float) -> Model:
    """``turns`` quarters of a turn, and ``of`` times the angles of the slopes ``slope`` and z."""
    angle = applied(ATAN, z) + z.cell.constant(arb(slope).atan())
    return (angle.scaled(of) + z.cell.constant(arb.pi() / 2 * turns)).scaled(sign)


def _half_turns(z: Model, sign: float, turns: float, of: float, slope: float) -> Model:
    return _angle(z, sign, turns, of, slope).scaled(1 / arb.pi())


_FUNCTIONS: Mapping[str, Callable[..., Model]] = {
    "sqrt": _root,
    "cbrt": _cube_root,
    "angle": _angle,
    "angle in half turns": _half_turns,
}


@dataclass(frozen=True)
class Stated:
    """Statements that hold on pieces each: ``claimed`` has both, by what tells the pieces apart."""

    name: str
    traced: Traced
    claimed: Mapping[Any, tuple[Enclosed, Sequence[tuple[float, float]]]]

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Those of all statements."""
        for which, (_, ends) in self.claimed.items():
            for low, high in ends:
                yield which, low, high

    def statement(self, which: Any) -> Enclosed:
        """The one that is claimed of a piece."""
        return self.claimed[which][0]

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of z: all, or where the value is z itself, the multiples of what it is a multiple of."""
        said = self.statement(which)
        ends = (low, high) if said.off else on_grid(low, high, said.grid)
        return Cell(*ends, said.powers)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """What the statement gives, and claims."""
        said = self.statement(which)
        z = cell.argument()
        value = z + cell.unknown(arb(said.off) * upper(z.range())) if said.off else z
        given: dict[int, Any] = {said.argument: Real(value, said.grid, said.scale, said.width)}
        given |= dict(said.integers) | dict(said.conditions)
        if said.exponent is not None:
            given[said.exponent] = Power()

        def claims(run: Execution) -> list[tuple[Model, float]]:
            name, *parameters = said.function
            return [in_one(run, _FUNCTIONS[name](z, *parameters), said.power)]

        return Setting(given, claims)


@dataclass(frozen=True)
class Entries:
    """The sum of the entries of two tables is within ``off`` of ``ideal``, which is told the execution and the place.

    ``parts``: where the entries stand; ``listed``: by place the integers that are given, by number.
    """

    traced: Traced
    parts: tuple[int, int]
    listed: Mapping[Any, Mapping[int, int]]
    ideal: Callable[[Execution, Any], Model]
    off: float
    name: str = "entries"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Every place."""
        for which in self.listed:
            yield which, 0.0, 0.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Nothing but a place."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The place is given."""

        def claims(run: Execution) -> list[tuple[Model, float]]:
            head, tail = (run.real(Value(number)).model for number in self.parts)
            return [nothing(cell), (head + tail - self.ideal(run, which), self.off)]

        return Setting(self.listed[which], claims)
