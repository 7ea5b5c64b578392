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
from proofs.engine.models import Cell, Model, Unproven, dyadic, half_ulp, lower, mirrored
from proofs.engine.proof import OfFamily, Setting
from proofs.statements import Known, Reduced, Scaled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clmath.ir.program import Operand
    from proofs.engine.traced import Traced

__all__ = ["Contracts", "Family", "Product", "Quotient", "Reduction", "check_grid"]

_POWERS_OF_Y = -149, 128  # y is a float, or an integer of 32 bits: 2^-149 <= |y| <= 2^128
_GREATEST_N = 31  # rootn's is an integer of 32 bits


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


def _below(x: float) -> float:
    """No more than the product of doubles that was rounded to ``x``."""
    return x * (1.0 - 2.0**-50)


def _split(conditions: Mapping[int, bool]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Those that do not hold, and those that do."""
    return tuple(n for n, holds in conditions.items() if not holds), tuple(
        n for n, holds in conditions.items() if holds
    )


@dataclass(frozen=True)
class Product(OfFamily):
    """P + p_lo is y (hi + lo): cells of hi, every y 2^-k in 1 .. 2, for every k together."""

    family: Family
    name: str = "product"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades of hi, both signs, with both signs of y."""
        for low, high in dyadic(self.family.contracts.least, self.family.contracts.most):
            for sign in (1, -1):
                yield sign, low, high
                yield sign, -high, -low

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of hi; 2^k is that of y."""
        return Cell(low, high, self.family.powers)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Hi, lo and y are given."""
        family, contracts = self.family, self.family.contracts
        hi = cell.argument()
        lo = cell.unknown(contracts.low * hi.range().abs_upper())
        y = (cell.constant(1.5) + cell.unknown(0.5)).scaled(which)
        cell.paired |= set(lo.terms) | set(y.terms)
        given: dict[int, Any] = dict(family.ordinary)
        given |= {family.log[0]: Real(hi, _grid(cell)), family.log[1]: Real(lo, contracts.grids[0])}
        given[family.y] = Real(y, -52, 1)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            p, p_lo = (run.real(Value(number)) for number in family.product)
            if (p.power, p_lo.power) != (1, 1):
                raise Unproven("the product has not y's power of two")
            check_grid(p_lo.grid + cell.powers[0], contracts.grids[1])
            size = lower(p.model.range())
            off = p.model + p_lo.model - y * hi - y * lo
            return [(off, _below(contracts.product * size)), (p_lo.model, _below(contracts.rest * size))]

        return Setting(given, claims)

    def statement(self, low: float, high: float, y: float) -> Scaled:
        """The same as plain data, for one y."""
        family, contracts = self.family, self.family.contracts
        bounded = ((family.log[1], contracts.low * max(abs(low), abs(high))),)
        known = Known(family.log[0], _grid_of(low, high), bounded, (), *_split(family.ordinary), ((family.y, y),))
        return Scaled(known, y, None, family.product, contracts.product, contracts.rest)


@dataclass(frozen=True)
class Quotient(OfFamily):
    """Q + q_lo is (hi + lo) / n: cells of n 2^-k in 1 .. 2, for every k together, and q 2^k in a binade.

    Of q it is known that it is hi / n rounded: |hi - q n| is at most |n| times half the distance of doubles at q. And
    of q_lo that it is a quotient rounded: that of a multiple of 2^g, not zero, is 2^g / |n| at least, and a double of
    that size a multiple of 2^(g - 53) / |n| at least.
    """

    family: Family
    name: str = "quotient"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Eighths of 1 .. 2, both signs of n, with binades of q, both signs."""
        contracts = self.family.contracts
        binades = range(math.frexp(contracts.least / 2.0)[1] - 2, math.frexp(contracts.most)[1])
        for binade in binades:
            for i in range(8, 16):
                for sign in (1, -1):
                    yield (binade, sign), i / 8, (i + 1) / 8
                    yield (binade, sign), -(i + 1) / 8, -i / 8

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of n 2^-k."""
        return Cell(low, high, (0, _GREATEST_N))

    def setting(self, which: Any, cell: Cell) -> Setting:
        """N, q, hi and lo are given."""
        family, contracts = self.family, self.family.contracts
        binade, sign = which
        q_number, divisor = self._division()
        n, unit = cell.argument(), 2.0**binade
        q = (cell.constant(1.5) + cell.unknown(0.5)).scaled(sign * unit)
        hi = q * n + cell.unknown(2.0 * half_ulp(2.0 * unit))
        lo = cell.unknown(contracts.low * hi.range().abs_upper())
        given: dict[int, Any] = dict(family.ordinary)
        given |= {q_number: Real(q, binade - 52, -1), divisor: Real(n, -52, 1)}
        given |= {number: Real(part, contracts.grids[0]) for number, part in zip(family.log, (hi, lo), strict=True)}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            q_lo = run.real(Value(family.product[1]))
            if q_lo.power != -1:
                raise Unproven("the quotient has not n's power of two")
            dividend = run.real(self._operands(family.product[1])[0])
            check_grid(dividend.grid - _GREATEST_N - 1 - 52, contracts.grids[1])
            return [
                (q_lo.model * n - (hi - q * n) - lo, _below(contracts.product * unit)),
                (q_lo.model, _below(contracts.rest * unit)),
            ]

        return Setting(given, claims)

    def statement(self, low: float, high: float, n: float) -> Scaled:
        """The same as plain data, for one n and some q."""
        family, contracts = self.family, self.family.contracts
        q_number, divisor = self._division()
        bounded = ((family.log[1], contracts.low * abs(n) * max(abs(low), abs(high)) * (1.0 + 2.0**-50)),)
        known = Known(q_number, _grid_of(low, high), bounded, (), *_split(family.ordinary), ((divisor, n),))
        return Scaled(known, n, family.log[0], family.product, contracts.product, contracts.rest)

    def _division(self) -> tuple[int, int]:
        """Where q and n stand, q being the quotient of hi and n."""
        number = self.family.product[0]
        hi, n = self._operands(number)
        if hi != Value(self.family.log[0]) or not isinstance(n, Value):
            raise LookupError(f"the statement {number} is not the logarithm divided")
        return number, n.number

    def _operands(self, number: int) -> tuple[Operand, ...]:
        """Of the division ``number``."""
        statement = self.traced.program.statements[number - len(self.traced.program.inputs)]
        if statement.operation != "double.div":
            raise LookupError(f"the statement {number} is no division")
        return statement.operands


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
