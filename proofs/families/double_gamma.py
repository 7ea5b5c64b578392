"""Log gamma in double: what its functions are given, and its values, in functions other than the kernel of lgamma."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.program import Value
from clmath.kernels.accurate import gamma as double
from clmath.kernels.accurate import log_gamma
from proofs.accurate.gamma import QUOTIENT_OFF
from proofs.accurate.log_gamma import (
    LOG_OFF,
    PIECE_FAR,
    PIECE_NEAR,
    PIECE_NEAR_ERROR,
    ROUNDED,
    SECOND,
    SINE_OFF,
)
from proofs.engine.execution import Execution, Real
from proofs.engine.ideals import SIN, applied
from proofs.engine.models import Cell, Model, Unproven, dyadic, half_ulp, lower, upper
from proofs.engine.proof import OfFamily, Setting
from proofs.families.floats import doubles_between, grid_of_doubles
from proofs.families.stated import nothing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs.engine.traced import Traced

__all__ = [
    "LOG_OFF",
    "QUOTIENT_OFF",
    "ROUNDED",
    "LinksOfLogGamma",
    "Sines",
    "ValuesOfLogGamma",
    "at_series",
    "half_unit_about",
    "is_limit",
    "same",
]

_TERMS = 26  # of ideal series


@dataclass(frozen=True)
class Sines:
    """sin(pi r)/pi to ``off`` of it, or to ``SINE_OFF``, for every r."""

    traced: Traced
    least: float = 2.0**-200
    name: str = "sines"
    off: float | None = None

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binade by binade, both signs."""
        for low, high in dyadic(self.least, 0.5):
            count = 8 if high > 2.0**-8 else 1
            for i in range(count):
                first, last = low + (high - low) * i / count, low + (high - low) * (i + 1) / count
                yield 0, first, last
                yield 0, -last, -first

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Values of r."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """R is given."""
        r = cell.argument()

        def claims(run: Execution) -> list[tuple[Model, float]]:
            hi, lo = (run.real_output(i).model for i in (0, 1))
            ideal = applied(SIN, r.scaled(arb.pi()), _TERMS).scaled(1 / arb.pi())
            return [(hi + lo - ideal, (self.off or SINE_OFF) * lower(ideal.range()))]

        return Setting({0: Real(r, grid_of_doubles(cell.low, cell.high))}, claims)


def _sum_of(run: Execution, outputs: tuple[int, int], power: int) -> Model:
    """The sum of two outputs that have the cell's 2^k so many times."""
    parts = [run.real_output(i) for i in outputs]
    if any(part.power != power for part in parts):
        raise Unproven("a result has another power")
    return parts[0].model + parts[1].model


def at_series(cell: Cell, is_piece: int, total: int, far: int) -> dict[int, Any]:
    """That it is no piece where x is 16 or more, or 1 - x is, and the series is that of the sum, rounded: no less."""

    def of_total(run: Execution) -> Real:
        return run.real(Value(total))

    if cell.low >= log_gamma.SERIES or cell.high <= 1.0 - log_gamma.SERIES:
        return {is_piece: False, far: of_total}
    return {}


def same(run: Execution, number: int, model: Model) -> tuple[Model, float]:
    """The claim that the value with that number is ``model``."""
    return run.real(Value(number)).model - model, 0.0


def half_unit_about(a: Model) -> float:
    """Half a unit of a; of the next binade at the end of one, where the model may reach beyond: so has ``Stirling``."""
    return half_ulp(float(a.p[0]) * (1.0 + 2.0**-4)) * ROUNDED


@dataclass(frozen=True)
class LinksOfLogGamma(OfFamily):
    """What the functions are given, argument by argument; and which of them gives log gamma.

    From 1/2 on log gamma is that of x, below that of 1 + |x|; the sine is that of the distance from an integer.
    """

    family: Any
    name: str = "links"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades, the ends by themselves where the ways part."""
        for low, high in dyadic(double.LEAST, double.HUGE):
            yield "inside" if high <= 0.5 else "near" if high <= 4.0 else "far", low, high
        for low, high in (*dyadic(double.LEAST, 8.0), (8.0, 15.0), (15.0, 16.0), *dyadic(16.0, 2.0**52)):
            yield "mirrored", -high, -low
        yield "near", 0.5, 0.5
        yield "far", 4.0, 4.0
        yield "far", 16.0, 16.0
        yield "mirrored", -15.0, -15.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Arguments."""
        if low == high:
            return Cell(low, high)
        last = arb(2) ** grid_of_doubles(low, high)
        return doubles_between(low + last * is_limit(low), high - last * is_limit(high))

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given; results of functions are some numbers."""
        family, x = self.family, cell.argument()
        piece, series = ((cell.unknown(1), cell.unknown(2.0**-53)) for _ in range(2))
        given: dict[int, Any] = {0: Real(x, grid_of_doubles(cell.low, cell.high))}
        places = (family.piece[2:], piece), (family.series[3:], series)
        for numbers, models in places:
            given |= {number: Real(model, -300) for number, model in zip(numbers, models, strict=True)}
        sine = cell.constant(0.75) + cell.unknown(0.25)
        given |= {family.of_sine[1]: Real(sine, -300), family.of_sine[2]: Real(cell.unknown(2.0**-53), -300)}
        given |= family.conditions(which) | at_series(cell, family.is_piece, family.total, family.series[0])

        def claims(run: Execution) -> list[tuple[Model, float]]:
            is_behind = which in {"inside", "mirrored"}
            ahead, size = (1, 0)[not is_behind], -x if which == "mirrored" else x
            at = size + cell.constant(ahead)
            is_piece = run.holds(Value(family.is_piece))
            found = [nothing(cell)]
            found += [same(run, *pair) for pair in zip(family.base, piece if is_piece else series, strict=True)]
            if is_piece:
                pairs = (family.piece[0], cell.constant(ahead)), (family.piece[1], size)
                found += [same(run, *pair) for pair in pairs]
            else:
                a, a_lo = (run.real(Value(number)).model for number in family.series[:2])
                found += [(a + a_lo - at, 0.0), (a_lo, half_unit_about(a))]
            if which == "inside":
                found.append(same(run, family.log[0], x))
            elif which != "mirrored":
                found.append(same(run, family.log[0], cell.constant(1)))
            else:
                found += [same(run, family.log[0], sine), *self._distance(run, x)]
            return found

        return Setting(given, claims)

    def _distance(self, run: Execution, x: Model) -> list[tuple[Model, float]]:
        """The argument of the sine is the distance from an integer, and no larger than 1/2."""
        whole, r = run.real(Value(self.family.whole)), run.real(Value(self.family.of_sine[0])).model
        if whole.grid < 0:
            raise Unproven("x is taken to what may be no integer")
        left = x - whole.model
        is_negative = any(run.decided.get(key) is False for key in run.decided if key[0] == "positive")  # type: ignore[index]
        signed_rest = -left if is_negative or left.range() < 0 else left
        return [(signed_rest - r, 0.0), (r, 0.5 * ROUNDED)]


def is_limit(x: arb) -> bool:
    """Whether that argument is a piece by itself, or none."""
    return float(x) in {0.5, 4.0, 16.0, -15.0, double.LEAST, -double.LEAST, double.HUGE, -(2.0**52)}


@dataclass(frozen=True)
class ValuesOfLogGamma(OfFamily):
    """The kernel's value for any log gamma and any logarithm that are as near as the other parts prove.

    Cells are those of log gamma; ``which`` has the region, and between what the logarithm lies. The family is that of
    the kernel, or of another function, by its regions ``inside``: ``bases`` are the pairs that may be log gamma,
    ``without_logarithm`` what is given of the logarithm where none is added, ``mirror`` what is left of the
    reflection, and ``sine_off`` how far the sine is, of itself.
    """

    family: Any
    name: str = "values"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Those of the kernel's regions."""
        return (piece for piece in self._pieces() if piece[0][0] in self.family.inside)

    @staticmethod
    def _pieces() -> Iterator[tuple[Any, float, float]]:
        """Binades of log gamma; where there is a logarithm, with its binades."""
        for low, high in dyadic(2.0**-60, 2.0):
            yield ("near", 0.0, 0.0), low, high
            yield ("near", 0.0, 0.0), -high, -low
        for low, high in dyadic(1.79, 2.0**309):
            yield ("far", 0.0, 0.0), low, high
        logs = [(-high, -low) for low, high in ((0.0, 0.5), *dyadic(0.5, 140.0))]
        for least, greatest in logs:
            if least < -0.69:
                yield ("inside", least, min(greatest, -0.69)), -0.125, 0.0
            for low, high in ((-0.125, 0.0), (0.0, 0.125), *dyadic(0.125, 1.79), *dyadic(1.79, 2.0**58)):
                yield ("mirrored", least, greatest), low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of log gamma."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Log gamma and the logarithm are given as the pairs that they are, x is some number of the region."""
        family, exact, (region, least, greatest) = self.family, cell.argument(), which
        base_lo = cell.unknown(SECOND * upper(exact.range()))
        given: dict[int, Any] = {0: self._argument(region, cell), **family.conditions(region)}
        for hi, lo in family.bases:
            given |= {hi: Real(exact - base_lo, -1074), lo: Real(base_lo, -1074)}
        found, off = exact, self._off(region, cell)
        if region in {"near", "far"}:
            given |= family.without_logarithm(cell)
        else:
            log = cell.constant((least + greatest) / 2) + cell.unknown((greatest - least) / 2)
            log_lo = cell.unknown(half_ulp(-least))
            given |= {family.log[1]: Real(log - log_lo, -1074), family.log[2]: Real(log_lo, -1074)}
            found, off = exact - log, off + cell.constant(LOG_OFF)
        if region == "mirrored":
            ratio = cell.unknown(2.0**-52 * ROUNDED)
            given[family.inverse[1]] = Real(ratio, -1074)
            found = cell.constant(family.mirror()) - exact - log - ratio
            off += cell.constant(family.sine_off * ROUNDED + 2.0**-102)
        noise = 2.0**-99 * (upper(exact.range()) - least + 1.2 * (region == "mirrored"))

        def claims(run: Execution) -> list[tuple[Model, float]]:
            if run.output(3) != 0:
                raise Unproven("there is an exponent")
            err = run.real_output(2).model
            left = err - off.scaled(ROUNDED) - cell.constant(noise)  # no less than 0, nor more than twice its top
            top = upper(err.range())
            return [(cell.constant(top) - left, top), (_sum_of(run, (0, 1), 0) - found, noise)]

        return Setting(given, claims)

    @staticmethod
    def _off(region: str, cell: Cell) -> Model:
        """What is claimed of log gamma: of any piece, where x does not tell which it is."""
        exact, most = cell.argument(), upper(cell.argument().range())
        size = exact if cell.high > 0 else -exact
        if region in {"near", "inside"} and most * PIECE_NEAR < PIECE_NEAR_ERROR:
            return size.scaled(PIECE_NEAR)
        if region in {"near", "inside"} or most <= 1.79 * ROUNDED:
            return cell.constant(PIECE_NEAR_ERROR)
        return size.scaled(PIECE_FAR) if cell.low > 1.9 else cell.constant(max(most * PIECE_FAR, PIECE_NEAR_ERROR))

    @staticmethod
    def _argument(region: str, cell: Cell) -> Real:
        low, high = {"near": (0.5, 4.0), "far": (4.0, double.HUGE), "inside": (double.LEAST, 0.5)}.get(
            region, (-(2.0**52), -double.LEAST)
        )
        return Real(cell.constant((arb(low) + arb(high)) / 2) + cell.unknown((arb(high) - arb(low)) / 2), -1074)
