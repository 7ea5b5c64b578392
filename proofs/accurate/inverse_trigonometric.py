"""asin, acos and atan2 and their pi forms: an angle of the table, and the arc tangent of what is between.

asin, acos: on the circle with a = |x| and sqrt(1 - a^2), the entry that is nearest to the quotient of the smaller one
of both and the larger one. The bound holds for any entry: that the nearest one is taken is proven first, then the
value for each entry and all arguments whose quotient is near to it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clmath.kernels.double import inverse_trigonometric as accurate
from proofs.lemmas import Lemma, binades, kernel
from proofs.terms import (
    PI,
    Is,
    OnGrid,
    acos,
    asin,
    at,
    bounded,
    constant,
    doubles,
    encloses,
    inverse,
    near,
    sqrt,
    term,
    two_to,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from proofs.engine.traced import Traced
    from proofs.terms import Claim, Property, Subinterval, Term, Values

__all__ = ["LEMMAS"]

PLACES = 256
HALF = 0.5 + 2.0**-22  # distance of a quotient from its entry, in steps of the table
BELOW_ONE = 1.0 - 2.0**-53
HALFWAY = 2.0**-27  # 1 less its square lies halfway between two doubles
DIAGONAL = math.sqrt(0.5)
BELOW, ABOVE = DIAGONAL - 2.0**-40, DIAGONAL + 2.0**-40  # between these the smaller one of both may be either
LEAST = 2.0**-1074


@dataclass(frozen=True)
class Circle:
    """A function of arguments whose size is from ``least`` to ``top``, and no less than ``clamped`` in the kernel.

    ``special``: conditions that do not hold.
    """

    ideal: Callable[[Term], Term]
    clamped: float
    least: float
    top: float
    special: tuple[str, ...]

    @property
    def first(self) -> float:
        """The least size that is not clamped."""
        return max(self.least, self.clamped)


CIRCLE = {
    "asin": Circle(asin, accurate.LINEAR, accurate.TINY, 1.0, ("tiny", "invalid")),
    "asinpi": Circle(lambda x: asin(x) / PI, accurate.LINEAR, LEAST, BELOW_ONE, ("far",)),
    "acos": Circle(acos, accurate.SLIGHT, LEAST, 1.0, ("invalid",)),
    "acospi": Circle(lambda x: acos(x) / PI, accurate.SLIGHT, accurate.BESIDE, BELOW_ONE, ("beside", "far")),
}


def next_to_one(low: float) -> Iterator[tuple[float, float]]:
    """Yield subintervals from ``low`` to 1: eighths of the binades of the distance from 1."""
    for s in binades(2.0**-53, 1.0 - low):
        for i in range(8):
            far, near = (s.high - (s.high - s.low) * n / 8 for n in (i, i + 1))
            if 1.0 - far < 1.0 - near:
                yield 1.0 - far, 1.0 - near


def nearest(f: Traced, of: Circle) -> Lemma:
    """Return the lemma that the entry is within 1/512 of the quotient, and which of both is the smaller one."""
    over = [
        *(at(s.low, s.high, steep=False) for s in binades(of.first, BELOW)),
        *(at(BELOW, ABOVE, steep=steep) for steep in (False, True)),
        *(at(*ends, steep=True) for ends in next_to_one(ABOVE)),
        *([at(1.0, 1.0, steep=True)] if of.top == 1.0 else []),
    ]

    def assume(s: Subinterval) -> Mapping[str, Property]:
        side = {"steep": s.steep} if s.low == BELOW else {}
        return {"x": doubles(snapped=True), **dict.fromkeys(of.special, False), **side}

    def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
        is_integer, side = OnGrid("place", 0), Is("steep", s.steep)
        if s.low == 1.0:
            return [is_integer, side, bounded(v.place, 0)]
        root = sqrt(1 - v.x * v.x)
        quotient = root * inverse(v.x) if s.steep else v.x * inverse(root)
        return [is_integer, side, near(quotient * PLACES, v.place, HALF)]

    return Lemma("nearest", f, tuple(over), assume, claim)


def enclosed(f: Traced, of: Circle, name: str, over: Sequence[Subinterval]) -> Lemma:
    """Return the lemma of the value; a subinterval has an entry j or none, and a side of the diagonal or none."""

    def assume(s: Subinterval) -> Mapping[str, Property]:
        given: dict[str, Property] = {"x": doubles(snapped=True), **dict.fromkeys(of.special, False)}
        if name == "angles":
            given |= {"place": constant(float(s.j)), "j": s.j} | ({} if s.steep is None else {"steep": s.steep})
        return given

    def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
        x = term(s.low) if s.low == s.high else v.x
        return [encloses(v, of.ideal(x) * two_to(-v.exponent)), Is("exponent", (0, -accurate.SCALING))]

    return Lemma(name, f, tuple(over), assume, claim)


def mirrored(low: float, high: float, **parameters: object) -> Iterator[Subinterval]:
    """Yield a subinterval of sizes for both signs of the argument."""
    yield at(low, high, sign=1, **parameters)
    yield at(-high, -low, sign=-1, **parameters)


def on_circle(slope: float) -> float:
    """Return a where a = ``slope`` sqrt(1 - a^2)."""
    return slope / math.hypot(1.0, slope)


def of_entries(of: Circle) -> Iterator[Subinterval]:
    """Yield both sides of the diagonal, halves for each entry; binades of a and of 1 - a for the first one."""
    for j in range(1, PLACES + 1):
        for first, last in ((j - HALF, j), (j, min(j + HALF, PLACES))):
            if first < last:
                low, high = (on_circle(n / PLACES) for n in (first, last))
                yield from mirrored(low, min(high, BELOW), j=j, steep=False)
                low, high = (math.sqrt(1.0 - end * end) for end in (high, low))
                yield from mirrored(max(low, ABOVE), high + 2.0**-50, j=j, steep=True)
    yield from mirrored(BELOW, ABOVE, j=PLACES, steep=None)
    for s in binades(of.first, on_circle(HALF / PLACES)):
        start = s.low
        if start == HALFWAY:
            yield from mirrored(start, start, j=0, steep=False)
            start = math.nextafter(start, 1.0)
        yield from mirrored(start, math.nextafter(s.high, 0.0), j=0, steep=False)
    for low, high in next_to_one(1.0 / math.hypot(1.0, HALF / PLACES) - 2.0**-40):
        yield from mirrored(low, min(high, BELOW_ONE), j=0, steep=True)
    if of.top == 1.0:
        yield from mirrored(1.0, 1.0, j=0, steep=True)


def circle(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of asin and acos: below ``clamped`` all but the result itself is that of one argument."""
    of, f = CIRCLE[name], kernel(getattr(accurate, name))
    lemmas = nearest(f, of), enclosed(f, of, "angles", list(of_entries(of)))
    if of.least >= of.clamped:
        return lemmas
    clamped = [side for s in binades(of.least, of.clamped) for side in mirrored(s.low, math.nextafter(s.high, 0.0))]
    return *lemmas, enclosed(f, of, "ends", clamped)


LEMMAS = dict.fromkeys(CIRCLE, circle)
