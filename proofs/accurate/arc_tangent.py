"""atan, atanpi in pairs of doubles: the nearest slope j/256 in the table, and the angle between the two.

atan(a/b) = atan(c) + atan((a - c b) / (b + c a)) for every c: that c is the nearest slope matters for the bound alone.
a/b is |x| below 1, where b = 1, and 1/|x| above, where a = 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clmath.kernels.accurate import inverse_trigonometric as accurate
from proofs.engine.models import GREATEST
from proofs.lemmas import Lemma, binades, kernel
from proofs.terms import PI, VARIABLE, Is, OfNegative, at, atan, bounded, constant, doubles, encloses, inverse, near

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from proofs.terms import Claim, Property, Subinterval, Term, Values

__all__ = ["LEMMAS"]

PLACES = 256
FIRST = 0.5 / PLACES  # smaller slopes belong to entry 0; slopes from there on are multiples of 2^-61
BELOW_ONE, ABOVE_ONE = 1.0 - 2.0**-53, 1.0 + 2.0**-52
HALF = 0.52  # steps of the table: more than the distance of a slope from its entry


@dataclass(frozen=True)
class Slopes:
    """A kernel of the arc tangent: its least and its greatest ordinary argument; special conditions."""

    least: float
    top: float
    special: tuple[str, ...]

    def between(self, low: float, high: float) -> Iterator[Subinterval]:
        """Yield the binades of ordinary arguments between two numbers."""
        return binades(max(self.least, low), min(self.top, high))


SLOPES = {
    "atan": Slopes(accurate.TINY, GREATEST, ("tiny",)),
    "atanpi": Slopes(2.0**-1074, 1.0 / accurate.BESIDE, ("far", "one")),
}


def near_entries(of: Slopes) -> Iterator[Subinterval]:
    """Yield x near every entry of the table, in two halves, below 1 and above; at entry 0 halves of binades."""
    yield at(1.0, 1.0, j=PLACES)
    for j in range(1, PLACES + 1):
        for first, last in ((j - HALF, j), (j, j + HALF)):
            if first < PLACES:
                yield at(max(first / PLACES, FIRST), min(last / PLACES, BELOW_ONE), j=j)
                yield at(max(PLACES / last * (1.0 - 2.0**-50), ABOVE_ONE), PLACES / first * (1.0 + 2.0**-50), j=j)
    far = PLACES / HALF * (1.0 - 2.0**-50)
    for s in (*of.between(accurate.LINEAR, HALF / PLACES), *of.between(far, accurate.FAR)):
        middle = (s.low + s.high) / 2
        yield from (at(s.low, middle, j=0), at(middle, s.high, j=0))


def beyond_entries(of: Slopes) -> Iterator[Subinterval]:
    """Yield x below ``LINEAR``, each binade without its end, and above ``FAR``; SMALL, a threshold, by itself."""
    if of.least < accurate.LINEAR:
        yield at(accurate.SMALL, accurate.SMALL, of="small")
        for s in of.between(0.0, accurate.LINEAR):
            low = math.nextafter(s.low, 1.0) if s.low == accurate.SMALL else s.low
            yield at(low, math.nextafter(s.high, 0.0), of="small")
    if of.top > accurate.FAR:
        yield from (at(s.low, s.high, of="large") for s in of.between(math.nextafter(accurate.FAR, 2e80), GREATEST))


def slopes(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of the nearest entry, of the angles at every entry, and of those beyond the table."""
    f, of, whole = kernel(getattr(accurate, name)), SLOPES[name], 1 if name == "atan" else PI
    special = dict.fromkeys(of.special, False)
    inside = [at(end, end) for end in (accurate.LINEAR, accurate.FAR)]
    inside += [
        at(s.low, math.nextafter(s.high, 0.0) if s.high == FIRST else s.high)
        for s in binades(max(of.least, accurate.LINEAR), accurate.FAR)
    ]

    def nearest(v: Values, s: Subinterval) -> Sequence[Claim]:
        slope = v.x if s.high <= 1.0 else inverse(v.x)
        return [near(slope * PLACES, v.place, HALF), bounded(v.place, 0.75 if s.high < FIRST else 300.0)]

    def entry(j: int) -> Mapping[str, Property]:
        return {"x": doubles(), "place": constant(float(j)), "j": j, **special}

    def angle(s: Subinterval) -> Term:
        return (atan(VARIABLE) if s.high < 4.0 else PI / 2 - atan(inverse(VARIABLE))) / whole

    def claims(v: Values, s: Subinterval) -> Sequence[Claim]:
        exponent = -accurate.SCALING if s.high < accurate.SMALL else 0
        exact = angle(s) * 2**-exponent
        return [
            encloses(v, exact),
            OfNegative(encloses(v, -exact)),
            Is("exponent", exponent),
            OfNegative(Is("exponent", exponent)),
        ]

    return (
        Lemma("nearest", f, tuple(inside), {"x": doubles(), **special}, nearest),
        Lemma("angles", f, tuple(near_entries(of)), lambda s: entry(s.j), claims),
        Lemma("ends", f, tuple(beyond_entries(of)), lambda _: entry(0), claims),
    )


LEMMAS = dict.fromkeys(SLOPES, slopes)
