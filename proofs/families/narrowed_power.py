"""Fine's pow, powr, pown and rootn: log2 x as for fine's logarithms, its product or quotient, and the power of 2.

As for the double kernels no part speaks of two arguments at once. What the kernel returns is for y log2 x, which p +
p_lo is but for p_err: the kernel computes that itself, from the bound of its logarithm, and a part of its own shows
that it is large enough. Each part proves what the next one is given: that is written down once, in ``Contracts``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import clamp
from clmath.ir.program import Value
from clmath.kernels.double import power as double
from clmath.kernels.double.boundaries import magnitude, normalised
from clmath.kernels.fine.exponential import growth
from clmath.kernels.fine.power import in_steps_of_two, log2_of_any, two_to_power
from proofs.engine.execution import Execution, Real, Residue
from proofs.engine.execution import Power as Exponent
from proofs.engine.models import Cell, Model, Unproven, lower
from proofs.engine.proof import OfFamily, Setting, least_of
from proofs.families import double_power, narrowed, narrowed_logarithms, narrowed_sums, power
from proofs.families.narrowed import STEPS

if TYPE_CHECKING:
    from collections.abc import Iterator


__all__ = ["CONTRACTS", "Family", "Log2", "Power", "clipped", "log2_of_first", "values_of_power"]

_RISES = narrowed_sums.CONTRACTS
_LEAST_POWER, _GREATEST_POWER = 0.998, 2.003  # what hi lies between
_FINEST = -214  # err is a multiple of 2^_FINEST
_SMALL = 2.0**-1000  # what lo may lose where its half is no double is less


@dataclass(frozen=True)
class Contracts(power.Contracts):
    """As there; what the kernel is told of the logarithm, and tells of p, is its own.

    The bound of the logarithm, l_err, is no larger than ``told`` |hi|. p_err is |y| l_err, or l_err / |n|, and
    ``counted`` |p|, but for ``rounding`` |p|; it is no larger than ``err`` |p|.
    """

    told: float = 2.0**-89.5
    counted: float = 2.0**-103
    rounding: float = 2.0**-136
    err: float = 2.0**-87

    def holds(self) -> bool:
        """Whether p_err is no smaller than what p is off, and double's kernel has n, or an integer next to it.

        The sums p + p_lo of both kernels are so close to y log2 x, and each p to its sum, that both p are no farther
        than a quarter of a step from each other; where that of double is no smaller than TINY, this one is ``slight``.
        """
        is_counted = arb(self.product) * (1 + arb(2) ** -40) + self.rounding <= arb(self.counted)
        apart = double_power.AWAY + self.err + arb(2) ** -46
        is_next = apart * self.top * self.steps < 0.25
        return bool(is_counted) and bool(is_next) and bool(self.slight <= double.TINY * (1 - 2 * apart))


CONTRACTS = Contracts(
    low=2.0**-52.99,  # 2^-53, as ``check_rest`` sees
    least=2.0**-53.01,
    most=1076.0,
    product=2.0**-103.2,
    rest=2.0**-48,
    slight=double.TINY * (1.0 - 2.0**-40),
    top=double.TOP,
    off=_RISES.off,
    reach=_RISES.reach,
    exponents=1201,
    steps=STEPS,
    grids=(-1074, -1074, -1074),
    reach_lo=_RISES.reach_lo,
)


@dataclass(frozen=True, kw_only=True)
class Family(power.Family):
    """A power: as there, but that ``negative`` is whether what the kernel is told is less than zero.

    Where values stand: ``log_err``: the bound of the logarithm; ``p_err``: that of p, a size that the bound grows with;
    ``rise``: e^r - 1; ``parts``: hi, lo and err of the
    power of 2. ``own``: the kernel's own enclosure.
    """

    log_err: int
    p_err: int
    rise: tuple[int, int]
    parts: tuple[int, int, int]
    own: narrowed.Own
    contracts: Contracts = CONTRACTS

    @property
    def turned(self) -> tuple[int, ...]:
        """R and r_lo."""
        return self.rest


@dataclass(frozen=True)
class Log2(narrowed_logarithms.Sums):
    """The logarithm for l, l_lo, the step, and the bound of the change; ``found``: where it stands, and its bound."""

    found: tuple[int, int, int] = (0, 0, 0)

    def claims(self, run: Execution, log: Model, off: Model, least: float) -> list[tuple[Model, float]]:
        """That it is within its bound of ``log`` -+ ``off``, as large as said, and a pair."""
        hi, lo, err = (run.real(Value(number)).model for number in self.found)
        double_power.check_rest(run, self.traced, self.found[:2])
        size = lower(hi.range())
        if size < CONTRACTS.least:
            raise Unproven("the logarithm may be smaller than was said")
        return [(hi + lo - log, least_of(err - off)), (err, CONTRACTS.told * size), (hi, CONTRACTS.most)]


@dataclass(frozen=True)
class Power(OfFamily):
    """The power of 2 for e^r - 1 and n, and its err, which is to hold for y log2 x.

    That is p + p_lo + d with |d| <= p_err: the exact value is 2^(p + p_lo) 2^d, and |2^d - 1| is less than 0.7 p_err.
    What is claimed is that the error for 2^(p + p_lo) is no larger than what err leaves beside hi p_err, for each one.
    """

    family: Family
    name: str = "power"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """All that e^r - 1 may be at each entry of the table."""
        for j in range(STEPS):
            yield j, -_RISES.rise, _RISES.rise

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of e^r - 1, of its first part."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Both parts, n and p_err are given."""
        family, contracts = self.family, self.family.contracts
        rise, rise_lo = cell.argument(), cell.unknown(_RISES.rise_lo)
        most = contracts.err * contracts.top / 2
        p_err = cell.constant(most) + cell.unknown(most)
        given: dict[int, Any] = {family.rise[0]: Real(rise, -1074), family.rise[1]: Real(rise_lo, -1074)}
        given |= {family.n: Residue(which, STEPS), family.p_err: Real(p_err, -1074)}
        power_of_two = arb(2) ** (arb(which) / STEPS)
        ideal = (cell.constant(1) + rise + rise_lo + cell.unknown(_RISES.rise_off)).scaled(power_of_two)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            if run.value(family.own.exponent) != Exponent():
                raise Unproven("the exponent is not that of the power")
            hi, lo, err = (run.real(Value(number)).model for number in family.parts)
            double_power.check_rest(run, self.traced, family.parts[:2])
            power.check_grid(run.real(Value(family.parts[2])).grid, _FINEST)
            left = least_of(err - hi * p_err) * (1.0 - 2.0**-50)  # 2^-152 less: more than _SMALL
            middle, within = (_GREATEST_POWER + _LEAST_POWER) / 2, (_GREATEST_POWER - _LEAST_POWER) / 2
            sizes = [(ideal - hi, lower(hi.range()) * 2.0**-45), (hi - cell.constant(middle), within)]
            return [(hi + lo - ideal, left), *sizes]

        return Setting(given, claims, divides=False)


# where values stand in traces


def log2_of_first(x: Any, *_: Any) -> Any:
    """The logarithm of the first argument and its bound."""
    return log2_of_any(normalised(magnitude(x)))


def values_of_power(p: Any, p_lo: Any, p_err: Any) -> Any:
    """N, r and r_lo, e^r - 1, and hi, lo and err, of p and its bound."""
    r, r_lo, n = in_steps_of_two(clamp(p, -double.TOP, double.TOP), p_lo)
    return n, r, r_lo, *growth(r, r_lo), *two_to_power(p, p_lo, p_err)[:3]


def clipped(p: Any) -> Any:
    """Conditions that do not hold of p up to TOP: results of larger ones are beyond every double, whatever is told."""
    return p < -double.TOP, p > double.TOP
