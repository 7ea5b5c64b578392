"""Significands of double's angles, and how close doubles come to multiples of pi/2."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from flint import arb, ctx

from clmath.ir.lanes import SIGN, bits
from clmath.ir.program import Value
from clmath.kernels.double import trigonometric as double
from clmath.kernels.double.angles import (
    FIRST_WORD,
    FRACTION,
    INTEGER_EXPONENT,
    TINY,
)
from clmath.kernels.double.trigonometric import QUARTER
from proofs.engine.distances import least_distance
from proofs.engine.execution import Execution, Span
from proofs.engine.models import Cell, Model, Unproven, binades, lower
from proofs.engine.proof import OfFamily, Setting
from proofs.families.floats import DOUBLE
from proofs.families.stated import nothing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proofs.engine.traced import Traced

__all__ = [
    "Distance",
    "Significand",
    "encoded",
    "row_of",
    "significands",
    "steps_of",
]

TURN = 2 * double.HALF_TURN
BITS = 1400  # of 1024/pi, of which 1034 stand before the point of the largest double
LEAST = 2.0**-61  # no double from TINY on is closer to a multiple of pi/2


class OfSignificand(Protocol):
    """A kernel that takes an argument by its significand."""

    @property
    def traced(self) -> Traced:
        """The kernel."""

    @property
    def significand(self) -> tuple[int, ...]:
        """Where it has the encodings of x and m, the row, and m."""


@cache
def steps_of(exponent: int, near: float = 0.5 * TURN) -> arb:
    """1024/pi 2^exponent, less the multiple of 2048 that brings it next to ``near``."""
    precision = ctx.prec
    ctx.prec = BITS
    whole = double.HALF_TURN / arb.pi() * arb(2) ** exponent
    found = whole - TURN * ((whole - near) / TURN + 0.5).mid().floor()
    ctx.prec = precision
    return found


@dataclass(frozen=True)
class Significand(OfFamily):
    """The integer m = 2^52 .. 2^53 with the sign of x, and its row, for every exponent e: x = m 2^(e - 52).

    The encoding of x is the exponent's place, or -2^63 and that, plus any integer below 2^52, and that of m the same
    with the exponent of 2^52.
    """

    family: OfSignificand
    name: str = "significand"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Every exponent, both signs."""
        for exponent in exponents():
            yield (exponent, 0), 0.0, 0.0
            yield (exponent, 1), 0.0, 0.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Nothing but integers."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The encoding is given."""
        exponent, is_negative = which
        sign = -(1 << 63) if is_negative else 0
        encoding, of_m, row = self.family.significand[:3]

        def claims(run: Execution) -> list[tuple[Model, float]]:
            found = run.value(Value(of_m)), run.value(Value(row))
            if found != (Span(sign + (INTEGER_EXPONENT << 52), 1 << 52), row_of(exponent)):
                raise Unproven(f"the significand and the row are {found}")
            return [nothing(cell)]

        return Setting({encoding: Span(sign + (exponent + 1023 << 52), 1 << 52)}, claims)


def exponents() -> range:
    """Those of doubles from TINY on."""
    return range(math.frexp(TINY)[1] - 1, 1024)


def row_of(exponent: int) -> int:
    """The row of the first word."""
    return exponent - 52 - FIRST_WORD


def significands() -> Iterator[tuple[Any, float, float]]:
    """Every exponent with all integers m, both signs."""
    for exponent in exponents():
        for _, low, high in binades(2.0**52, 2.0**53):
            yield exponent, low, high


@dataclass(frozen=True)
class Distance(OfFamily):
    """No double of a binade, from TINY on, is closer to a multiple of pi/2 than ``LEAST``."""

    family: OfSignificand
    name: str = "distance"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Every exponent."""
        for exponent in exponents():
            yield exponent, 0.0, 0.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Nothing but an exponent."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Nothing but the distance; the next multiple is 0 below 1/2."""

        def claims(_: Execution) -> list[tuple[Model, float]]:
            if which < -1:
                return [(cell.constant(LEAST), math.ldexp(1.0, which))]
            turns = least_distance(quarter_turns_of(which - 52), 1 << DOUBLE, BITS)
            return [(cell.constant(LEAST), lower(turns * arb.pi() / 2))]

        return Setting({}, claims)


@cache
def quarter_turns_of(exponent: int) -> arb:
    """2/pi 2^exponent modulo 4."""
    precision = ctx.prec
    ctx.prec = BITS
    found = steps_of(exponent) / QUARTER
    ctx.prec = precision
    return found


def encoded(x: Any, *_: Any) -> Any:
    """The encodings of x and of its significand, and the row."""
    encoding = bits(x)
    of_m = (encoding & (SIGN | FRACTION)) | (INTEGER_EXPONENT << 52)
    row = ((encoding >> 52) & 0x7FF) - (INTEGER_EXPONENT + FIRST_WORD)
    return encoding, of_m, row


# the values, their names, what finds them, for how many steps ahead, and what stands in the traces; special arguments
