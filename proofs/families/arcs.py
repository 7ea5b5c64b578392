"""Double's asin, acos, asinpi and acospi: the nearest slope in the table to a/sqrt(1 - a^2), or to that turned over.

As in ``slopes`` it does not matter which entry is taken but for the bound: that it is near is proven first, for all
sizes a of arguments, and then the value for each entry and all a that near to it, on either side of the diagonal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import clamp, greater, lesser, nearest
from clmath.kernels.double import inverse_trigonometric as double
from clmath.kernels.double.inverse_trigonometric import cosine
from proofs.engine.execution import Execution, Real, constant
from proofs.engine.ideals import acos, acospi, asin, asinpi
from proofs.engine.models import Cell, Model, Unproven, dyadic
from proofs.engine.proof import OfFamily, Setting, enclosed
from proofs.engine.traced import Traced, traced
from proofs.families.floats import doubles_between, grid_of_doubles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clmath.ir.program import Kind

__all__ = ["double_parts"]

_PLACES = 256
# more than how far a slope is from its entry, in steps of the table; of the first ones, whose differences may be finer
_HALF, _FIRST_HALF, _FIRST = 0.52, 0.5 + 2.0**-22, 1.6
_BELOW_ONE = 1.0 - 2.0**-53
_HALFWAY = 2.0**-27  # 1 less its square lies halfway between two doubles
_DIAGONAL = math.sqrt(0.5)
_BESIDE = 2.0**-40  # so close to the diagonal either side may be taken


@dataclass(frozen=True)
class Family:
    """A kernel of the point (a, sqrt(1 - a^2)) of the circle, |x| = a, clamped from ``clamped`` on.

    ``place`` and ``j``: where the entry stands as a double and as an integer; ``steep``: where it is said that the root
    is the smaller one; ``special``: where conditions of special arguments do. Ordinary arguments lie between ``least``
    and ``top`` in size; where that is 1, the sign ``at_one`` alone is ordinary.
    """

    traced: Traced
    place: int
    j: int
    steep: int
    special: tuple[int, ...]
    ideal: Callable[[Model], Model]
    clamped: float
    least: float
    top: float
    at_one: tuple[int, ...]

    def given(self, cell: Cell, sign: int) -> dict[int, Any]:
        """The argument, whose size the cell has, with a sign."""
        x = Real(cell.argument().scaled(sign), grid_of_doubles(cell.low, cell.high))
        return {**dict.fromkeys(self.special, False), 0: x}

    def claim(self, run: Execution, x: Model) -> list[tuple[Model, float]]:
        """That the kernel's value is as near as it says."""
        exponent = run.output(3)
        if exponent not in {0, -double.SCALING}:
            raise Unproven("the exponent is another")
        return [enclosed(run, self.ideal(x).scaled(arb(2) ** -exponent), (0, 1), 2)]


def _next_to_one(low: float) -> Iterator[tuple[float, float]]:
    """``low`` .. 1 in pieces that are an eighth as wide as far from 1."""
    for far, near in ((high, start) for start, high in dyadic(2.0**-53, 1.0 - low)):
        for i in range(8):
            first, last = far - (far - near) * i / 8, far - (far - near) * (i + 1) / 8
            if 1.0 - first < 1.0 - last:
                yield 1.0 - first, 1.0 - last


@dataclass(frozen=True)
class Arcs(OfFamily):
    """The kernel's value at an entry, for the arguments that are near to it."""

    family: Family
    name: str = "angles"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Both sides of the diagonal, each entry in two halves; the first one binade by binade, of a and of 1 - a."""
        family, near = self.family, _FIRST_HALF / _PLACES
        below, above = _DIAGONAL - _BESIDE, _DIAGONAL + _BESIDE
        for j in range(1, _PLACES + 1):
            half = _FIRST_HALF if j == 1 else _HALF
            for first, last in ((j - half, j), (j, min(j + half, _PLACES))):
                if first < last:
                    low, high = (_on_circle(slope / _PLACES) for slope in (first, last))
                    yield from self._both((j, False), low, min(high, below))
                    low, high = (math.sqrt(1.0 - end * end) for end in (high, low))
                    yield from self._both((j, True), max(low, above), high + 2.0**-50)
        yield from self._both((_PLACES, None), below, above)
        for low, high in dyadic(max(family.least, family.clamped), _on_circle(near)):
            start = low
            if low == _HALFWAY:
                yield from self._both((0, False), low, low)
                start = math.nextafter(low, 1.0)
            yield from self._both((0, False), start, math.nextafter(high, 0.0))
        for low, high in _next_to_one(1.0 / math.hypot(1.0, near) - 2.0**-40):
            yield from self._both((0, True), low, min(high, _BELOW_ONE))
        for sign in family.at_one if family.top == 1.0 else ():
            yield (sign, 0, True), 1.0, 1.0

    def _both(self, which: tuple[int, bool | None], low: float, high: float) -> Iterator[tuple[Any, float, float]]:
        for sign in (1, -1):
            yield (sign, *which), low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Sizes of arguments."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument and the entry are given; and the side, but next to the diagonal, where it is either."""
        family, (sign, j, steep) = self.family, which
        given = family.given(cell, sign) | {family.place: constant(cell, float(j)), family.j: j}
        given |= {} if steep is None else {family.steep: steep}
        x = cell.constant(1) if cell.low == 1 else cell.argument()
        return Setting(given, lambda run: family.claim(run, x.scaled(sign)))


def _on_circle(slope: float) -> float:
    """The number whose distance from zero is ``slope`` of the root's."""
    return slope / math.hypot(1.0, slope) if slope else 0.0


@dataclass(frozen=True)
class Ends(OfFamily):
    """The kernel's value where a is clamped: there all but the result itself is that of one argument."""

    family: Family
    name: str = "ends"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binade by binade."""
        for low, high in dyadic(self.family.least, self.family.clamped):
            yield 1, low, math.nextafter(high, 0.0)
            yield -1, low, math.nextafter(high, 0.0)

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Sizes of arguments."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given."""
        family = self.family
        return Setting(family.given(cell, which), lambda run: family.claim(run, cell.argument().scaled(which)))


def _parts(bottom: float) -> Callable[[Any], Any]:
    def parts(x: Any) -> Any:
        a = clamp(abs(x), bottom, 1.0)
        s, _ = cosine(a)
        place, j = nearest(lesser(a, s) / greater(a, s) * double.PLACES)
        return place, j, a > s

    return parts


def _special_to_asin(x: Any) -> Any:
    return (abs(x) < double.TINY,)


def _special_to_acospi(x: Any) -> Any:
    return abs(x) < double.BESIDE, abs(x) == 1.0


_SIGNS = (1, -1)
# special arguments, how many conditions, the ideal, from where on a is not clamped, ordinary arguments, signs at 1
_CLAIMED: dict[str, tuple[Any, ...]] = {
    "asin": (_special_to_asin, 1, asin, double.LINEAR, double.TINY, 1.0, _SIGNS),
    "asinpi": (None, 0, asinpi, double.LINEAR, 2.0**-1074, _BELOW_ONE, ()),
    "acos": (None, 0, acos, double.SLIGHT, 2.0**-1074, 1.0, (-1,)),
    "acospi": (_special_to_acospi, 2, acospi, double.SLIGHT, double.BESIDE, _BELOW_ONE, ()),
}
_BOOLS: tuple[Kind, ...] = ("bool",) * 2


def double_parts(name: str) -> tuple[Any, ...]:
    """The parts that fine kernels speak of: the angles."""
    special, conditions, ideal, clamped, least, top, at_one = _CLAIMED[name]
    whole = traced(getattr(double, name), ("double",), ("double", "double", "double", "long"))
    place, j, steep = whole.places(_parts(clamped), "double", "long", "bool")
    false = tuple(whole.places(special, *_BOOLS[:conditions])) if special else ()
    family = Family(whole, place, j, steep, false, ideal, clamped, least, top, at_one)
    ends = () if least >= clamped else (Ends(family),)
    return Arcs(family), *ends
