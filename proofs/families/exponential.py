"""exp, exp2, exp10: what the reduction leaves of all arguments, and the power of that, at every entry of a table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from flint import arb, fmpq

from clmath.ir.lanes import nearest
from clmath.ir.program import Value
from clmath.kernels.double import exponential as double
from clmath.kernels.double.exponential import in_steps, reduced, tamed, times_constant
from clmath.kernels.quick import exponential as quick
from proofs.engine.execution import Execution, Real, Residue
from proofs.engine.execution import Power as Exponent
from proofs.engine.ideals import EXP, applied
from proofs.engine.models import Cell, Model, Unproven, mirrored
from proofs.engine.proof import OfFamily, Setting, enclosed, in_one
from proofs.engine.traced import Traced, traced
from proofs.statements import EnclosedPower, Known, Reduced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clmath.ir.program import Kind


@dataclass(frozen=True)
class Family:
    """An exponential kernel: e^(x c) = 2^(n/steps) e^r, c the logarithm of its base.

    ``places``: where (r, r_lo or nothing, n) and the conditions of special arguments stand in the trace. ``least`` and
    ``top``: ordinary arguments lie between these in size. ``reach``, ``reach_lo`` and ``off``: what is proven of r, of
    r_lo, and of how far r + r_lo is from the exact rest; r is a multiple of 2^grid. ``most``: of n/steps in size.
    """

    name: str
    traced: Traced
    rest: tuple[int, ...]
    n: int
    special: tuple[int, ...]
    base: Callable[[], arb]
    steps: int
    least: float
    top: float
    reach: float
    reach_lo: float
    off: float
    grid: int
    most: int
    in_one: bool


@dataclass(frozen=True)
class Reduction(OfFamily):
    """x c = n ln(2)/steps + r + r_lo + something below ``off``, |r| <= ``reach``, |r_lo| <= ``reach_lo``."""

    family: Family
    name: str = "reduction"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binade by binade, both signs."""
        yield from mirrored(self.family.least, self.family.top)

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Arguments."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given."""
        family = self.family
        width = self._width()
        finest = grid(float(cell.low.abs_lower()), float(cell.high.abs_lower()), width=width)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            parts = [run.real(Value(i)) for i in family.rest]
            n = run.whole(Value(family.n))
            left = cell.argument().scaled(family.base()) - n.scaled(arb(2).log() / family.steps)
            if parts[0].grid < family.grid:
                raise Unproven("what is left may be finer than was said")
            bounds = (family.reach, family.reach_lo)
            for part in parts:
                left -= part.model
            small = [(part.model, bound) for part, bound in zip(parts, bounds, strict=False)]
            return [(left, family.off), *small, (n, float(family.steps * family.most))]

        return Setting({0: Real(cell.argument(), finest, 0, width), **dict.fromkeys(family.special, False)}, claims)

    def _width(self) -> int:
        return 24 if self.family.in_one else 53  # quick kernels have floats for arguments

    def statement(self, which: Any, low: float, high: float) -> Reduced:
        """The same as plain data."""
        family, bounds = self.family, (self.family.reach, self.family.reach_lo)[: len(self.family.rest)]
        known = Known(0, grid(abs(low), abs(high), width=self._width()), false=family.special)
        rest, off, steps = family.rest, family.off, family.steps
        return Reduced(known, _BASES[family.base], family.n, steps, rest, bounds, off, family.grid, family.most)


def grid(*ends: float, width: int) -> int:
    """All numbers of ``width`` bits between the ends, which have one sign, are multiples of 2 to this power."""
    return math.frexp(min(ends))[1] - width if min(ends) else -1074


@dataclass(frozen=True)
class Power(OfFamily):
    """The kernel's value for r, r_lo and n as they are."""

    family: Family
    name: str = "power"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Both signs of r at each entry of the table; quick kernels have none, and one step."""
        for j in range(self.family.steps):
            yield j, 0.0, self.family.reach
            yield j, -self.family.reach, 0.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of r."""
        most = self.family.most if self.family.in_one else 0  # pairs leave the power of two to an exponent
        return Cell(low, high, (-most, most))

    def setting(self, which: Any, cell: Cell) -> Setting:
        """r, r_lo and n are given."""
        family = self.family
        r = cell.argument()
        given: dict[int, Any] = {
            family.rest[0]: Real(r, family.grid),
            # of one step, n is the power of two itself
            family.n: Residue(which, family.steps) if family.steps > 1 else Exponent(),
        }
        exact = r + cell.unknown(family.off)
        if len(family.rest) > 1:
            r_lo = cell.unknown(family.reach_lo)
            given[family.rest[1]] = Real(r_lo, -1074)
            exact += r_lo
        given |= dict.fromkeys(family.special, False)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            power = (arb(2).log() * fmpq(which, family.steps)).exp()
            ideal = applied(EXP, exact).scaled(power)
            if family.in_one:
                return [in_one(run, ideal, power=1)]
            if run.output(3) != Exponent():
                raise Unproven("the exponent is not that of the power")
            return [enclosed(run, ideal, (0, 1), 2)]

        return Setting(given, claims)

    def statement(self, which: Any) -> EnclosedPower:
        """The same as plain data."""
        family = self.family
        bounded = ((family.rest[1], family.reach_lo),) if len(family.rest) > 1 else ()
        residues = ((family.n, which, family.steps),)
        known = Known(family.rest[0], family.grid, bounded, residues, family.special)
        parts, err, exponent = ((0,), 1, None) if family.in_one else ((0, 1), 2, 3)
        return EnclosedPower(known, family.steps, family.off, parts, err, exponent, family.most)


@dataclass(frozen=True)
class Claimed:
    """What is claimed of a kernel besides its err, as in ``Family``; and where to look for it."""

    base: Callable[[], arb]
    rest: Callable[..., Any]
    special: Callable[..., Any]
    top: float
    reach: float
    off: float
    conditions: int


_BOOLS: tuple[Kind, ...] = ("bool",) * 8


def one() -> arb:
    """The logarithm of e."""
    return arb(1)


def two() -> arb:
    """The logarithm of e^2."""
    return arb(2)


def log_of_2() -> arb:
    """The logarithm of 2."""
    return arb(2).log()


def log_of_10() -> arb:
    """The logarithm of 10."""
    return arb(10).log()


_BASES: dict[Callable[[], arb], Literal["e", "e^2", "2", "10"]] = {
    one: "e",
    two: "e^2",
    log_of_2: "2",
    log_of_10: "10",
}


def _special(tiny: float, top: float) -> Callable[..., Any]:
    """Tiny arguments, infinities, and those beyond ``top``."""

    def special(x: Any) -> Any:
        return abs(x) < tiny, abs(x) == quick.INFINITY, x < -top, x > top

    return special


def _double_exp(x: Any) -> Any:
    return reduced(tamed(x, double.TOP))


def _double_exp2(x: Any) -> Any:
    tame = tamed(x, double.TOP_2)
    whole, n = nearest(tame * 256.0)
    return *times_constant(tame - whole * 0.00390625, 0.0, double.LN2), n


def _special_to_double_exp2(x: Any) -> Any:
    tame = tamed(x, double.TOP_2)
    whole, _ = nearest(tame * 256.0)
    return *_special(double.TINY, double.TOP_2)(x), tame - whole * 0.00390625 == 0.0


def _double_exp10(x: Any) -> Any:
    rest, rest_lo, n = in_steps(tamed(x, double.TOP_10), double.STEPS_PER_TEN, double.LOG10_STEP)
    return *times_constant(rest, rest_lo, double.LN10), n


_DOUBLE = {
    "exp": Claimed(one, _double_exp, _special(double.TINY, double.TOP), double.TOP, 0.0014, 2.0**-105, 4),
    "exp2": Claimed(log_of_2, _double_exp2, _special_to_double_exp2, double.TOP_2, 0.0014, 2.0**-84, 5),
    "exp10": Claimed(
        log_of_10, _double_exp10, _special(double.TINY, double.TOP_10), double.TOP_10, 0.0014, 2.0**-84, 4
    ),
}


def double_parts(name: str) -> tuple[Reduction, Power]:
    """The parts of the proof of one of double's exp, exp2, exp10."""
    claimed = _DOUBLE[name]
    whole = traced(getattr(double, name), ("double",), ("double", "double", "double", "long"))
    r, r_lo, n = whole.places(claimed.rest, "double", "double", "long")
    special = tuple(whole.places(claimed.special, *_BOOLS[: claimed.conditions]))
    family = Family(
        name,
        whole,
        (r, r_lo),
        n,
        special,
        claimed.base,
        256,
        double.TINY,
        claimed.top,
        claimed.reach,
        2.0**-60,
        claimed.off,
        -200,
        1400,
        in_one=False,
    )
    return Reduction(family), Power(family)
