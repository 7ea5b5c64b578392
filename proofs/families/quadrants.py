"""Double's atan2 and atan2pi: both lengths as 1 to 2 times powers of two, their quotient, and its angle per octant.

For a <= b, b = 1 .. 2, and the entry c = j/256 that is nearest to a/b, atan(a/b) = atan(c) + atan(n/d) with
n = a - c b and d = b + c a. That the lengths are what is said, that c is near, that n and d have no error, what n/d is
as t + t_lo, and the kernel's value by these is proven part by part: each is given what others ensure.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import SIGN, bits, from_bits, greater, nearest, select
from clmath.ir.program import Value
from clmath.kernels.double import inverse_trigonometric as double
from clmath.kernels.double.inverse_trigonometric import (
    difference,
    full_turn,
    octant_of,
    quotient,
    ratio,
    significand,
    through_pi,
    total,
)
from proofs.engine.execution import Execution, Real, Span, constant
from proofs.engine.ideals import ATAN, applied
from proofs.engine.models import Cell, Model, Unproven, dyadic, upper
from proofs.engine.proof import OfFamily, Setting, enclosed
from proofs.engine.traced import Traced, traced
from proofs.families.stated import nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clmath.ir.program import Kind

__all__ = ["Lengths", "OfLengths", "double_parts", "lengths_of"]

_PLACES = 256
_BINADE = 1 << 52  # encodings in a binade
_AT_ONE = Span(double.ONE, _BINADE)  # those of 1 to 2
_FIRST = 0.5 / _PLACES  # rounded quotients below belong to entry 0
_HALF = 0.52  # more than how far a quotient is from its entry, in steps of the table
_REACH = _HALF / _PLACES
_LEAST = 2.0**-81  # of quotients: a is at least 2^-80, b below 2
_CLAMPED = 2.0**-79  # of quotients: below that a may have been moved to 2^-80 and more
_TAIL = 2.0**-24.4  # how large the second part is, of the first
_OFF = 2.0**-74.8  # how far t + t_lo is from n/d, of t
_SIGNS = (1, -1)
_QUARTERS = (0, 1, 2, 1)  # turns, to which or from which the angle of a/b counts, by octant


@dataclass(frozen=True)
class OfLengths:
    """Where the lengths stand in the trace of a kernel.

    ``lengths``: the encodings of the smaller and of the larger one, each with whether it is subnormal, the encoding of
    what that is made to, m and n; ``moved``: the encoding of the smaller m, and what its n is in a; ``steep``: whether
    |y| > |x|; ``a``; ``octant``.
    """

    traced: Traced
    lengths: tuple[tuple[int, ...], tuple[int, ...]]
    moved: tuple[int, int]
    steep: int
    a: int
    octant: int

    def operand(self, number: int) -> Value:
        """The encoding that the double ``number`` is made of."""
        statement = self.traced.program.statements[number - len(self.traced.program.inputs)]
        if statement.operation != "from_bits" or not isinstance(statement.operands[0], Value):
            raise LookupError(f"the statement {number} is no from_bits")
        return statement.operands[0]


@dataclass(frozen=True)
class Family(OfLengths):
    """The same, and where other values stand; the kernel's is the angle times ``factor``.

    ``b``; the ``quotient`` of both, its ``place`` and ``j``; ``n``, ``d`` and what is beside it, ``t`` and t_lo;
    ``exponent`` and the ``sign`` of y; ``special``: conditions of special arguments.
    """

    b: int
    quotient: int
    place: int
    j: int
    n: int
    d: tuple[int, int]
    t: tuple[int, int]
    exponent: int
    sign: int
    special: tuple[int, ...]
    factor: Callable[[], arb]

    def entry(self, cell: Cell, j: int) -> dict[int, Any]:
        """Entry j."""
        return {self.place: constant(cell, float(j)), self.j: j}


@dataclass(frozen=True)
class Part(OfFamily):
    """A part of the proof."""

    family: Any

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """What varies."""
        return Cell(low, high)


@dataclass(frozen=True)
class Lengths(Part):
    """Each length is m 2^n but for the same power of two; a is m 2^(n's difference) or, below 2^-80, m 2^-80; octants.

    By encodings. That of a normal number is q 2^52 + i, i below 2^52: m has that of 1, and i, and n is q. A subnormal
    number x is made to 2^1022 x, which is exact: 1 + 2^1022 x is a double from 1 to 2, less 1; n is its q - 1022, as it
    would be for normal numbers. a's encoding is m's and as many times 2^52 as said, for each number.
    """

    name: str = "lengths"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """The smaller and the larger length, normal or not; and by how much a is moved."""
        for which in range(2):
            yield ("normal", which), 0.0, 0.0
            yield ("subnormal", which), 0.0, 0.0
        for kept in range(double.FAR_BELOW, 1):
            yield ("moved", kept), 0.0, 0.0
        for is_steep, sign in itertools.product((False, True), _SIGNS):
            yield ("octant", (is_steep, sign)), 1.0, 2.0

    def _of(self, cell: Cell, kind: str, index: Any) -> tuple[dict[int, Any], dict[Value, Any]]:
        """What is given, and what is to follow."""
        family = self.family
        if kind == "moved":
            of_m, kept = family.moved
            moved = Span(double.ONE + (index << 52), _BINADE)
            return {of_m: _AT_ONE, kept: index}, {family.operand(family.a): moved}
        if kind == "octant":
            is_steep, sign = index
            given: dict[int, Any] = {family.steep: is_steep, 1: Real(cell.argument().scaled(sign), -52)}
            return given, {Value(family.octant): int(is_steep) + (2 if sign < 0 else 0)}
        code, is_subnormal, scaled, m, n = family.lengths[index]
        subnormal = kind == "subnormal"
        given = {is_subnormal: subnormal, scaled if subnormal else code: Span(0, _BINADE, _BINADE)}
        return given, {family.operand(m): _AT_ONE, Value(n): Span(-1022 if subnormal else 0, 1, 1)}

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The encoding is given, or what tells the octant."""
        given, expected = self._of(cell, *which)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            found = {value: run.value(value) for value in expected}
            if found != expected:
                raise Unproven(f"the lengths are {found}")
            return [nothing(cell)]

        return Setting(given, claims)


@dataclass(frozen=True)
class Angles(Part):
    """The kernel's value for every t + t_lo at each entry, in every octant, both signs of y.

    Where the quotient is tiny, a may be larger than it is, and the results of the first octant have an exponent: the
    angle, over that power of two, lies between those of t and t itself, and elsewhere between no angle and that of t.
    """

    name: str = "angles"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Slopes t + t_lo below and above zero; binades at the first entry."""
        far = _REACH * (1.0 + 2.0**-20)
        for octant in range(4):
            for j in range(1, _PLACES + 1):
                near = _FIRST * (1.0 + 2.0**-20) if j == 1 else far
                yield (octant, j), -near, 0.0
                if j < _PLACES:
                    yield (octant, j), 0.0, far
            for low, high in dyadic(_LEAST, _REACH):
                yield (octant, 0), low, high

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The entry, the octant and the parts of t + t_lo are given."""
        family, (octant, j) = self.family, which
        both = cell.argument()
        size = upper(cell.place + cell.middle) * (1.0 + 2.0**-20)
        t_lo = cell.unknown(size * _TAIL)
        t = both - t_lo
        least = float(min(cell.low.abs_lower(), cell.high.abs_lower()))
        grid = math.frexp(least * 0.999)[1] - 26 if least else -1000
        given: dict[int, Any] = family.entry(cell, j)
        given |= {family.octant: octant, family.exponent: 0, family.sign: 0}
        given |= {family.t[0]: Real(t, grid, 0, 26), family.t[1]: Real(t_lo, -1074)}
        given |= dict.fromkeys(family.special, False)
        slope = both + cell.unknown(size * _OFF)
        angles = [applied(ATAN, slope) + cell.constant((arb(j) / _PLACES).atan())]
        if cell.high <= _CLAMPED and j == 0:
            angles.append(slope if octant == 0 else cell.constant(0))

        def claims(run: Execution) -> list[tuple[Model, float]]:
            found = []
            for sign, one in ((1, run), (-1, run.where({family.sign: SIGN}))):
                if one.output(3) != 0:
                    raise Unproven("the exponent is another")
                found += [enclosed(one, self._turned(angle, octant).scaled(sign), (0, 1), 2) for angle in angles]
            return found

        return Setting(given, claims)

    def _turned(self, angle: Model, octant: int) -> Model:
        """The kernel's exact value, by the angle of the quotient."""
        turns = angle.cell.constant(arb.pi() / 2 * _QUARTERS[octant])
        whole = turns - angle if octant in {1, 2} else turns + angle
        return whole.scaled(self.family.factor())


def _of_length(code: Any) -> Any:
    """A length, whether it is subnormal, the encoding of what it is made to then, and what follows."""
    m, n = significand(code)
    return code, code <= double.FRACTION, bits(from_bits(code | double.ONE) - 1.0), m, n


def _of_lengths(y: Any, x: Any, *_: Any) -> Any:
    small, large, _ = octant_of(y, x)
    return *_of_length(small), *_of_length(large)


def _moved(y: Any, x: Any, *_: Any) -> Any:
    """The encoding of the smaller m, what is added to its exponent, and whether |y| > |x|."""
    small, large, _ = octant_of(y, x)
    (m, n), (_, of_b) = significand(small), significand(large)
    return bits(m), greater(n - of_b, double.FAR_BELOW), bits(y) & double.MAGNITUDE > bits(x) & double.MAGNITUDE


def _a(y: Any, x: Any, *_: Any) -> Any:
    """That length, and the octant."""
    small, large, octant = octant_of(y, x)
    a, _, _ = quotient(small, large)
    return a, octant


def _parts(y: Any, x: Any) -> Any:
    small, large, octant = octant_of(y, x)
    a, b, exponent = quotient(small, large)
    place, j = nearest(a / b * double.PLACES)
    c = place * (1.0 / double.PLACES)
    n, (d, d_lo) = difference(a, b, c), total(a, b, c)
    t, t_lo = ratio(n, 0.0, d, d_lo)
    return a, b, a / b, place, j, n, d, d_lo, t, t_lo, octant, exponent, bits(y) & SIGN


def _special_to_atan2(y: Any, x: Any) -> Any:
    small, _, octant = octant_of(y, x)
    return (x != x) | (y != y), (small == 0) & (octant == 0)


def _special_to_atan2pi(y: Any, x: Any) -> Any:
    (hi, lo, _), _, small, octant = full_turn(y, x)
    hi, lo = through_pi(hi, lo)
    corner = select(octant == 0, 0.0, select(octant == 2, 1.0, 0.5))
    beside = (octant != 0) & (abs((hi - corner) + lo) < double.BESIDE)
    return beside, small == 0, abs(y) == abs(x), (x != x) | (y != y)


def _one() -> arb:
    return arb(1)


def _over_pi() -> arb:
    return 1 / arb.pi()


_CLAIMED: dict[str, tuple[Any, ...]] = {
    "atan2": (double.atan2, _special_to_atan2, 2, _one),
    "atan2pi": (double.atan2pi, _special_to_atan2pi, 4, _over_pi),
}
_BOOLS: tuple[Kind, ...] = ("bool",) * 4
_OF_LENGTH: tuple[Kind, ...] = ("long", "bool", "long", "double", "long")
_PARTS: tuple[Kind, ...] = (*("double",) * 4, "long", *("double",) * 5, *("long",) * 3)


def family_of(name: str) -> Family:
    """Where values stand in the trace of a kernel."""
    kernel, special, conditions, factor = _CLAIMED[name]
    whole = traced(kernel, ("double", "double"), ("double", "double", "double", "long"))
    a, b, q, place, j, n, d, d_lo, t, t_lo, octant, exponent, sign = whole.places(_parts, *_PARTS)
    false = tuple(whole.places(special, *_BOOLS[:conditions]))
    of = lengths_of(whole)
    values = (b, q, place, j, n, (d, d_lo), (t, t_lo), exponent, sign)
    return Family(whole, of.lengths, of.moved, of.steep, a, octant, *values, false, factor)


def lengths_of(whole: Traced) -> OfLengths:
    """Where the lengths stand."""
    found = whole.places(_of_lengths, *_OF_LENGTH * 2)
    of_m, kept, steep = whole.places(_moved, "long", "long", "bool")
    a, octant = whole.places(_a, "double", "long")
    return OfLengths(whole, (tuple(found[:5]), tuple(found[5:])), (of_m, kept), steep, a, octant)


def double_parts(name: str) -> tuple[Any, ...]:
    """The part that fine kernels speak of: the angles."""
    family = family_of(name)
    return (Angles(family),)
