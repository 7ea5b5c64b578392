"""Products and quotients of pairs, hi + lo: how far they are off, for all pairs of a binade and every power of two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.program import Value
from proofs.engine.execution import Execution, Real
from proofs.engine.ideals import INVERSE, applied
from proofs.engine.models import Cell, Model, Unproven, lower, upper
from proofs.engine.proof import OfFamily, Setting
from proofs.families.double_power import check_rest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__all__ = ["EXPONENTS", "SHORT", "Operation", "Pair", "ones", "product_of", "quotient_of", "some"]

EXPONENTS = -400, 400  # of pairs
SHORT = 512  # pieces of what is divided by
_FINEST = -2000  # finer than all doubles, whatever power of two they carry
_TERMS = 26  # of the inverse


def ones(count: int) -> Iterator[tuple[float, float]]:
    """1 .. 2 in so many pieces."""
    yield from ((1.0 + i / count, 1.0 + (i + 1) / count) for i in range(count))


@dataclass(frozen=True)
class Pair:
    """Where a number stands: as a double, or as two, the second 2^-53 of the first at most."""

    places: tuple[int, ...]

    def given(self, hi: Model, power: int = 0) -> tuple[dict[int, Any], Model]:
        """That it is ``hi``, a double between 0.99 and 2.01, and something; and their sum."""
        cell, size = hi.cell, upper(hi.range())
        lo = cell.unknown(size * 2.0**-53 if len(self.places) > 1 else 0)
        cell.paired |= set(lo.terms)
        parts = Real(hi, -53, power), Real(lo, _FINEST, power)
        return dict(zip(self.places, parts, strict=False)), hi + lo


def some(cell: Cell, half: int) -> Model:
    """A number in a half of 0.99 .. 2.01."""
    low, high = (0.99 + 0.51 * (half + i) for i in (0, 1))
    found = cell.constant((arb(low) + high) / 2) + cell.unknown((arb(high) - low) / 2)
    cell.wide |= set(found.terms)
    return found


@dataclass(frozen=True)
class Operation(OfFamily):
    """A pair is what follows from one, or two, but for a share of it: cells of one between 1 and 2, of both signs.

    ``found`` is the result, ``moving`` what cells are of: all its powers of two are taken at once, and none of what it
    is computed from is as small, or as large, as doubles end; of ``beside`` a power of two makes no difference.
    ``known``: conditions that hold, or do not.
    """

    family: Any
    name: str
    moving: Pair
    beside: Pair | None
    found: tuple[int, int]
    ideal: Callable[..., Model]
    share: float
    known: Mapping[int, bool]

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Those of each sign, for each half of the other one: short ones where one is divided by."""
        for half in range(2 if self.beside else 1):
            for low, high in ones(SHORT if self.ideal is quotient_of else 8):
                yield half, low, high
                yield half, -high, -low

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of the first part."""
        return Cell(low, high, EXPONENTS)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The pairs are given."""
        given, *numbers = self.moving.given(cell.argument(), 1)
        if self.beside:
            other, first = self.beside.given(some(cell, which))
            given, numbers = given | other, [first, *numbers]
        ideal = self.ideal(*numbers)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            check_rest(run, self.traced, self.found)
            hi, lo = (run.real(Value(number)) for number in self.found)
            if abs(hi.power) != 1 or hi.power != lo.power:
                raise Unproven("the result has not the power of two of what it follows from")
            return [(hi.model + lo.model - ideal, self.share * lower(ideal.range()))]

        return Setting({**given, **self.known}, claims, divides=False)


def product_of(a: Model, b: Model) -> Model:
    """The exact product."""
    return a * b


def quotient_of(a: Model, b: Model) -> Model:
    """The exact quotient."""
    return a * applied(INVERSE, b, _TERMS)
