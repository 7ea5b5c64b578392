"""Double's atan and atanpi: the nearest slope in the table, and the angle beyond each of them.

atan(a/b) = atan(c) + atan((a - c b) / (b + c a)) for any c: which entry is taken does not matter but for the bound.
That it is within 1/512 of a/b is proven first, for all arguments; then the value for each entry and all arguments that
near to it, be they below 1, where b = 1, or above, where a = 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import clamp, greater, lane, lesser, nearest
from clmath.ir.program import Value
from clmath.kernels.double import inverse_trigonometric as double
from proofs.engine.execution import Execution, Real, constant
from proofs.engine.ideals import ATAN, INVERSE, applied
from proofs.engine.models import GREATEST, Cell, Model, Unproven, dyadic
from proofs.engine.proof import OfFamily, Setting, enclosed
from proofs.engine.traced import Traced, traced
from proofs.families import exponential
from proofs.statements import EnclosedArcTangent, Known

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clmath.ir.program import Kind

__all__ = ["NAMES", "double_parts"]

_PLACES = 256
_FIRST = 0.5 / _PLACES  # less belongs to entry 0: slopes from there on are multiples of 2^-61
_BELOW_ONE, _ABOVE_ONE = 1.0 - 2.0**-53, 1.0 + 2.0**-52
_HALF = 0.52  # more than how far a slope is from its entry, in steps of the table


@dataclass(frozen=True)
class Family:
    """A kernel of atan |x|, with the sign of x, times ``factor``.

    ``place`` and ``j``: where the entry stands as a double and as an integer; ``small`` and ``large``: where |x| <
    LINEAR and |x| > FAR do, which is moved to these; ``special``: where conditions of special arguments do. ``least``
    and ``top``: ordinary arguments lie between.
    """

    traced: Traced
    place: int
    j: int
    small: int
    large: int
    special: tuple[int, ...]
    factor: Callable[[], arb]
    least: float
    top: float

    def given(self, cell: Cell, where: str = "") -> dict[int, Any]:
        """The argument, which is positive, and ``where`` it is: small, large or neither."""
        ends = {self.small: where == "small", self.large: where == "large"}
        return {**dict.fromkeys(self.special, False), **ends, 0: Real(cell.argument(), finest(cell))}

    def entry(self, cell: Cell, j: int) -> dict[int, Any]:
        """Entry j."""
        return {self.place: constant(cell, float(j)), self.j: j}

    def claim(self, run: Execution, x: Model) -> list[tuple[Model, float]]:
        """That the kernel's value is as near to the angle as it says, and that of -x to its negative."""
        opposite, exponent = run.mirrored(), run.output(3)
        if exponent not in {0, -double.SCALING} or opposite.output(3) != exponent:
            raise Unproven("the exponent is another")
        angle = applied(ATAN, x) if x.cell.high < 4 else x.cell.constant(arb.pi() / 2) - _of_inverse(x)
        angle = angle.scaled(self.factor() * arb(2) ** -exponent)
        return [enclosed(run, angle, (0, 1), 2), enclosed(opposite, -angle, (0, 1), 2)]


def _of_inverse(x: Model) -> Model:
    """The angle whose cotangent is ``x``."""
    return applied(ATAN, applied(INVERSE, x))


def finest(cell: Cell) -> int:
    """All doubles of a cell, which have one sign, are multiples of 2 to this power."""
    return exponential.grid(*(float(end.abs_lower()) for end in (cell.low, cell.high)), width=53)


@dataclass(frozen=True)
class Nearest(OfFamily):
    """The entry is within 1/512 of a/b, which is |x| below 1 and 1/|x| above."""

    family: Family
    name: str = "nearest"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binade by binade; what is small is moved to LINEAR, and what is large to FAR."""
        yield 0, double.LINEAR, double.LINEAR
        yield 0, double.FAR, double.FAR
        for low, high in dyadic(max(self.family.least, double.LINEAR), double.FAR):
            yield 0, low, high if high != _FIRST else math.nextafter(high, 0.0)

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Sizes of arguments."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given."""
        family = self.family
        slope = cell.argument() if cell.high <= 1 else applied(INVERSE, cell.argument())

        def claims(run: Execution) -> list[tuple[Model, float]]:
            place = run.real(Value(family.place)).model
            return [(slope.scaled(_PLACES) - place, _HALF), (place, 0.75 if cell.high < _FIRST else 300.0)]

        return Setting(family.given(cell), claims)


@dataclass(frozen=True)
class Angles(OfFamily):
    """The kernel's value at an entry, for the arguments that are near to it."""

    family: Family
    name: str = "angles"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Slopes below 1 and above, each entry in two halves; binade by binade at the first one."""
        yield _PLACES, 1.0, 1.0
        near, far = _HALF / _PLACES, _PLACES / _HALF * (1.0 - 2.0**-50)
        for j in range(1, _PLACES + 1):
            for first, last in ((j - _HALF, j), (j, j + _HALF)):
                if first < _PLACES:
                    yield j, max(first / _PLACES, _FIRST), min(last / _PLACES, _BELOW_ONE)
                    yield j, max(_PLACES / last * (1.0 - 2.0**-50), _ABOVE_ONE), _PLACES / first * (1.0 + 2.0**-50)
        for low, high in (*dyadic(max(self.family.least, double.LINEAR), near), *dyadic(far, self._top())):
            yield 0, low, (low + high) / 2
            yield 0, (low + high) / 2, high

    def _top(self) -> float:
        found: float = min(self.family.top, double.FAR)
        return found

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Sizes of arguments."""
        return Cell(low, high)

    def statement(self, which: Any) -> EnclosedArcTangent:
        """The same as plain data, for sizes of arguments between LINEAR and FAR."""
        family, program = self.family, self.family.traced.program
        false = (*family.special, family.small, family.large)
        numbers = ((family.place, float(which)), (family.j, which))
        hi, lo, err = (operand.number for _, operand in program.outputs[:3] if isinstance(operand, Value))
        known = Known(0, -1074, false=false)
        return EnclosedArcTangent(known, numbers, over_pi=family.factor is not _one, off=0.0, parts=(hi, lo), err=err)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument and the entry are given."""
        family = self.family

        def claims(run: Execution) -> list[tuple[Model, float]]:
            return family.claim(run, cell.argument())

        return Setting({**family.given(cell), **family.entry(cell, which)}, claims)


@dataclass(frozen=True)
class Ends(OfFamily):
    """The kernel's value where it is linear, and beyond FAR: there all but the result itself is that of one argument.

    Its entry is the first one, by ``Nearest``.
    """

    family: Family
    name: str = "ends"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binade by binade."""
        if self.family.least < double.LINEAR:
            for low, high in dyadic(self.family.least, double.LINEAR):
                yield "small", low, high
        if self.family.top > double.FAR:
            for low, high in dyadic(double.FAR, 2.0**1023):
                yield "large", low, high
            yield "large", 2.0**1023, self.family.top

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Sizes of arguments."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given, where it is, and that the entry is the first one."""
        family = self.family

        def claims(run: Execution) -> list[tuple[Model, float]]:
            return family.claim(run, cell.argument())

        return Setting({**family.given(cell, which), **family.entry(cell, 0)}, claims)


@lane
def _slope(x: Any) -> Any:
    return clamp(abs(x), double.LINEAR, double.FAR)


def _parts(x: Any) -> Any:
    slope = _slope(x)
    a, b = lesser(slope, 1.0), greater(slope, 1.0)
    place, j = nearest(a / b * double.PLACES)
    return place, j, abs(x) < double.LINEAR, abs(x) > double.FAR


def _special_to_atan(x: Any) -> Any:
    return abs(x) < double.TINY, x != x


def _special_to_atanpi(x: Any) -> Any:
    return abs(x) > 1.0 / double.BESIDE, abs(x) == 1.0, x != x


def _one() -> arb:
    return arb(1)


def _over_pi() -> arb:
    return 1 / arb.pi()


_CLAIMED: dict[str, tuple[Any, ...]] = {
    "atan": (double.atan, _special_to_atan, 2, _one, double.TINY, GREATEST),
    "atanpi": (double.atanpi, _special_to_atanpi, 3, _over_pi, 2.0**-1074, 1.0 / double.BESIDE),
}
NAMES = tuple(_CLAIMED)
_BOOLS: tuple[Kind, ...] = ("bool",) * 3


def double_parts(name: str) -> tuple[Any, ...]:
    """The parts of the proof of one of double's kernels."""
    kernel, special, conditions, factor, least, top = _CLAIMED[name]
    whole = traced(kernel, ("double",), ("double", "double", "double", "long"))
    place, j, small, large = whole.places(_parts, "double", "long", "bool", "bool")
    false = tuple(whole.places(special, *_BOOLS[:conditions]))
    family = Family(whole, place, j, small, large, false, factor, least, top)
    return Nearest(family), Angles(family), Ends(family)
