"""Parts of the proofs of fine powers: the product or quotient of a logarithm with y, and its reduction.

Each part proves what the next one is given: that is written down once, in ``Contracts``. No part speaks of two
arguments at once: the product depends on hi, lo and y, of which the powers of two are taken out, the rest on p, p_lo.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.program import Value
from clmath.kernels.quick import power as quick
from proofs.engine.execution import Execution, Real
from proofs.engine.models import Cell, Model, Unproven, mirrored
from proofs.engine.proof import OfFamily, Setting
from proofs.statements import Known, Reduced

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from proofs.engine.traced import Traced

__all__ = ["Contracts", "Family", "Reduction", "check_grid"]

_POWERS_OF_Y = -149, 128  # y is a float, or an integer of 32 bits: 2^-149 <= |y| <= 2^128


@dataclass(frozen=True)
class Contracts:
    """What one part ensures and the next requires.

    The logarithm, for every x but 1: |hi + lo - log2 x| <= ``log`` |log2 x|, |lo| <= ``low`` |hi|, ``least`` <= |hi|
    <= ``most``. The product (or quotient): |p + p_lo - y (hi + lo)| <= ``product`` |p|, |p_lo| <= ``rest`` |p|. The
    reduction, for ``slight`` <= |p| <= ``top``: y log2 x = n/steps + (r + d) log2(e), |d| <= ``off``, |r| <= ``reach``,
    |n/steps| <= ``exponents``. hi and lo are multiples of 2^``grids[0]``, p_lo is one of 2^``grids[1]``, and r of
    2^``grids[2]``.

    Of double, r is a pair, of which the second is ``reach_lo`` at most, and p + p_lo stands for y log2 x: how far they
    are from each other is a part of the bound that grows with p, and is counted there.
    """

    log: float = 2.0**-66
    low: float = 2.0**-51
    least: float = 2.0**-24
    most: float = 150.0
    product: float = 2.0**-100
    rest: float = 2.0**-48
    slight: float = quick.SLIGHT
    top: float = quick.TOP
    off: float = 2.0**-58
    reach: float = 0.0028
    exponents: int = 181
    steps: int = 128
    grids: tuple[int, int, int] = (-1074, -1074, -1074)
    reach_lo: float = 0.0

    def away(self) -> arb:
        """How far p + p_lo is from y log2 x, as a share of |p|.

        y (hi + lo) = (p + p_lo) (1 + a) with |a| <= product / (1 - rest), and y log2 x = y (hi + lo) / (1 + b) with
        |b| <= log.
        """
        rest, product, log = arb(self.rest), arb(self.product), arb(self.log)
        return (1 + rest) * ((1 + product / (1 - rest)) / (1 - log) - 1)


@dataclass(frozen=True)
class Family:
    """A power: x^y or x^(1/y), whose parts are proven by themselves.

    ``log``: where (hi, lo) stand in the trace; ``product``: (p, p_lo); ``rest``: r, or a pair; ``n``; ``ordinary``:
    what the conditions of special arguments are for others; ``negative``: the condition that the result is less than
    zero, or what changes its sign. ``y``: where y stands as it is multiplied, the exponents of which are ``powers``.
    ``size``: where |p| stands if the bound grows with it.
    """

    name: str
    traced: Traced
    log: tuple[int, int]
    product: tuple[int, int]
    rest: tuple[int, ...]
    n: int
    ordinary: Mapping[int, bool]
    negative: int | None
    contracts: Contracts = Contracts()
    y: int = 1
    powers: tuple[int, int] = _POWERS_OF_Y
    size: int | None = None


def _split(conditions: Mapping[int, bool]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Those that do not hold, and those that do."""
    return tuple(n for n, holds in conditions.items() if not holds), tuple(
        n for n, holds in conditions.items() if holds
    )


def check_grid(found: int, wanted: int) -> None:
    """Unproven where multiples of 2^found, doubles, need not be some of 2^wanted."""
    if max(found, -1074) < wanted:
        raise Unproven(f"a number may be finer than 2^{wanted}: a multiple of 2^{found}")


def _grid(cell: Cell) -> int:
    """All doubles of the cell, which have one sign, are multiples of 2 to this power."""
    return _grid_of(float(cell.low), float(cell.high))


def _grid_of(*ends: float) -> int:
    return math.frexp(min(map(abs, ends)))[1] - 53


@dataclass(frozen=True)
class Reduction(OfFamily):
    """Y log2 x is n/steps + (r + d) log2(e)."""

    family: Family
    name: str = "reduction"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades of p, both signs."""
        yield from mirrored(self.family.contracts.slight, self.family.contracts.top)

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of p."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """P and p_lo are given."""
        family, contracts = self.family, self.family.contracts
        p = cell.argument()
        size = p.range().abs_upper()
        p_lo = cell.unknown(contracts.rest * size)
        off = cell.unknown(contracts.away() * size if family.size is None else 0)
        given: dict[int, Any] = dict(family.ordinary)
        given |= {family.product[0]: Real(p, _grid(cell)), family.product[1]: Real(p_lo, contracts.grids[1])}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            parts, n = [run.real(Value(number)) for number in family.rest], run.whole(Value(family.n))
            left = (p + p_lo + off - n.scaled(arb(1) / contracts.steps)).scaled(arb(2).log())
            for part in parts:
                left -= part.model
            check_grid(parts[0].grid, contracts.grids[2])
            bounds = (contracts.reach, contracts.reach_lo)
            small = [(part.model, bound) for part, bound in zip(parts, bounds, strict=False)]
            return [(left, contracts.off), *small, (n, float(contracts.steps * contracts.exponents))]

        return Setting(given, claims)

    def statement(self, low: float, high: float) -> Reduced:
        """The same as plain data: how far p is from y log2 x is taken off what is left."""
        family, contracts = self.family, self.family.contracts
        size = max(abs(low), abs(high))
        known = Known(
            family.product[0],
            _grid_of(low, high),
            ((family.product[1], contracts.rest * size),),
            (),
            *_split(family.ordinary),
        )
        away = 0 if family.size is not None else contracts.away() * size * arb(2).log()
        off, bounds = float((arb(contracts.off) - away).lower()), (contracts.reach, contracts.reach_lo)
        rest, steps = family.rest, contracts.steps
        return Reduced(known, "2", family.n, steps, rest, bounds[: len(rest)], off, -1200, contracts.exponents)


# where values stand in traces
