"""asin, acos, atan and their forms in half turns: the angle of an entry of the table, and the angle beyond.

The lemmas of the enclosures that the narrowing kernels are given.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from clmath.kernels.accurate import inverse_trigonometric as accurate
from proofs.engine.models import GREATEST
from proofs.lemmas import Lemma, binades, kernel
from proofs.terms import (
    PI,
    VARIABLE,
    Encoding,
    Is,
    Number,
    Values,
    acos,
    asin,
    at,
    atan,
    constant,
    doubles,
    encloses,
    inverse,
    most,
    power_of_2,
    within,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from proofs.engine.traced import Traced
    from proofs.terms import Claim, Property, Subinterval, Term

__all__ = ["LEMMAS", "lengths"]

PLACES = 256
HALF, FIRST_HALF = 0.52, 0.5 + 2.0**-22  # of a step of the table: slopes are so near to their entry, and to the first
BELOW_ONE, ABOVE_ONE = 1.0 - 2.0**-53, 1.0 + 2.0**-52
HALFWAY = 2.0**-27  # 1 less its square lies halfway between two doubles
BELOW, ABOVE = math.sqrt(0.5) - 2.0**-40, math.sqrt(0.5) + 2.0**-40  # between them either side of the diagonal is taken
LEAST = 2.0**-1074
v = Values()


@dataclass(frozen=True)
class Arc:
    """A kernel of the circle: x is clamped below ``clamped`` in size, and from ``least`` to ``top``.

    At 1 the signs ``at_one`` are ordinary.
    """

    ideal: Callable[[Term], Term]
    clamped: float
    least: float
    top: float
    at_one: tuple[int, ...] = ()


ARCS = {
    "asin": Arc(asin, accurate.LINEAR, accurate.TINY, 1.0, (1, -1)),
    "asinpi": Arc(lambda x: asin(x) / PI, accurate.LINEAR, LEAST, BELOW_ONE),
    "acos": Arc(acos, accurate.SLIGHT, LEAST, 1.0, (-1,)),
    "acospi": Arc(lambda x: acos(x) / PI, accurate.SLIGHT, accurate.BESIDE, BELOW_ONE),
}
SPECIAL = {"asin": ("tiny",), "acospi": ("exact",), "atan": ("tiny", "invalid"), "atanpi": ("exact",)}


def scaled(v: Values, s: Subinterval, ideal: Term) -> Sequence[Claim]:
    """Return the claims of the enclosure of ``ideal``, which has an exponent where x is small."""
    exponent = -accurate.SCALING if max(abs(s.low), abs(s.high)) <= accurate.SMALL else 0
    return [encloses(v, ideal * power_of_2(-exponent)), Is("exponent", exponent)]


def next_to_one(low: float) -> Iterator[tuple[float, float]]:
    """Yield intervals from ``low`` to 1 that are an eighth as wide as far from 1."""
    for s in binades(2.0**-53, 1.0 - low):
        for i in range(8):
            first, last = s.high - (s.high - s.low) * i / 8, s.high - (s.high - s.low) * (i + 1) / 8
            if 1.0 - first < 1.0 - last:
                yield 1.0 - first, 1.0 - last


def on_circle(slope: float) -> float:
    """Return the sine of the angle whose tangent is ``slope``."""
    return slope / math.hypot(1.0, slope) if slope else 0.0


def both(low: float, high: float, j: int, *, steep: bool | None) -> Iterator[Subinterval]:
    """Yield x of both signs at an entry, on one side of the diagonal, or on either side."""
    yield at(low, high, sign=1, j=j, steep=steep)
    yield at(-high, -low, sign=-1, j=j, steep=steep)


def points(of: Arc) -> Iterator[Subinterval]:
    """Yield x at each entry in two halves, on both sides of the diagonal; at the first entry binades of x and 1 - x."""
    for j in range(1, PLACES + 1):
        half = FIRST_HALF if j == 1 else HALF
        for first, last in ((j - half, j), (j, min(j + half, PLACES))):
            if first < last:
                low, high = (on_circle(slope / PLACES) for slope in (first, last))
                yield from both(low, min(high, BELOW), j, steep=False)
                low, high = (math.sqrt(1.0 - end * end) for end in (high, low))
                yield from both(max(low, ABOVE), high + 2.0**-50, j, steep=True)
    yield from both(BELOW, ABOVE, PLACES, steep=None)
    near = FIRST_HALF / PLACES
    for s in binades(max(of.least, of.clamped), on_circle(near)):
        start = s.low
        if start == HALFWAY:
            yield from both(start, start, 0, steep=False)
            start = math.nextafter(start, 1.0)
        yield from both(start, math.nextafter(s.high, 0.0), 0, steep=False)
    for low, high in next_to_one(1.0 / math.hypot(1.0, near) - 2.0**-40):
        yield from both(low, min(high, BELOW_ONE), 0, steep=True)
    for sign in of.at_one:
        yield at(float(sign), float(sign), sign=sign, j=0, steep=True)


def arcs(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of a kernel of the circle: at entries, and where x is clamped."""
    f, of = kernel(getattr(accurate, name)), ARCS[name]
    ordinary = dict.fromkeys(SPECIAL.get(name, ()), False)

    def given(s: Subinterval) -> Mapping[str, Property]:
        side = {} if s.steep is None else {"steep": s.steep}
        return {"x": doubles(snapped=True), "place": constant(float(s.j)), "j": s.j, **side, **ordinary}

    def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
        return scaled(v, s, of.ideal(v.x)) if name == "asinpi" else [encloses(v, of.ideal(v.x)), Is("exponent", 0)]

    ends = tuple(
        at(*pair, sign=sign)
        for s in binades(of.least, of.clamped)
        for last in (math.nextafter(s.high, 0.0),)
        for sign, pair in ((1, (s.low, last)), (-1, (-last, -s.low)))
    )
    found = (
        Lemma("angles", f, tuple(points(of)), given, claim),
        Lemma("ends", f, ends, {"x": doubles(snapped=True), **ordinary}, claim),
    )
    return found if ends else found[:1]


TOPS = {"atan": (accurate.TINY, GREATEST), "atanpi": (LEAST, 1.0 / accurate.BESIDE)}


def entries(least: float, top: float) -> Iterator[Subinterval]:
    """Yield x below 1 and above at each entry in two halves; at the first entry halves of binades."""
    yield at(1.0, 1.0, j=PLACES)
    near, far = HALF / PLACES, PLACES / HALF * (1.0 - 2.0**-50)
    for j in range(1, PLACES + 1):
        for first, last in ((j - HALF, j), (j, j + HALF)):
            if first < PLACES:
                yield at(max(first, 0.5) / PLACES, min(last / PLACES, BELOW_ONE), j=j)
                high = PLACES / first * (1.0 + 2.0**-50)
                yield at(max(PLACES / last * (1.0 - 2.0**-50), ABOVE_ONE), high, j=j)
    for s in (*binades(max(least, accurate.LINEAR), near), *binades(far, min(top, accurate.FAR))):
        middle = (s.low + s.high) / 2
        yield from (at(s.low, middle, j=0), at(middle, s.high, j=0))


def slopes(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of a kernel of slopes: at entries, and where x is moved to the nearest end."""
    f, (least, top) = kernel(getattr(accurate, name)), TOPS[name]
    ordinary = dict.fromkeys(SPECIAL[name], False)
    unit = inverse(PI) if name == "atanpi" else 1

    def at_entry(j: int) -> Mapping[str, Property]:
        return {"x": doubles(), "place": constant(float(j)), "j": j, **ordinary}

    def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
        angle = atan(v.x) if s.high < 4.0 else PI / 2 - atan(inverse(v.x))
        return scaled(v, s, angle * unit)

    ends = [at(s.low, math.nextafter(s.high, 0.0), side="small") for s in binades(least, accurate.LINEAR)]
    ends += [at(s.low, s.high, side="large") for s in binades(accurate.FAR, 2.0**1023) if top > accurate.FAR]
    ends += [at(2.0**1023, top, side="large")] if top > accurate.FAR else []
    moved = {"small": constant(accurate.LINEAR), "large": constant(accurate.FAR)}
    return (
        Lemma("angles", f, tuple(entries(least, top)), lambda s: {**at_entry(s.j), "slope": doubles()}, claim),
        Lemma("ends", f, tuple(ends), lambda s: {**at_entry(0), "slope": moved[s.side]}, claim),
    )


# atan2, atan2pi

BINADE = 1 << 52  # encodings in a binade
AT_ONE = Encoding(accurate.ONE, BINADE)
TAIL, OFF = 2.0**-24.4, 2.0**-74.8  # of t + t_lo: of the second part, and of the error, relative to t
QUARTERS = (0, 1, 2, 1)  # turns that the angle is counted from, by octant


def lengths(f: Traced) -> Lemma:
    """Return the lemma of the encodings of both lengths, m 2^n, of the smaller one in a quotient, and of octants."""
    over = [at(kind=kind, of=of) for of in ("small", "large") for kind in ("normal", "subnormal")]
    over += [at(kind="moved", of=kept) for kept in range(accurate.FAR_BELOW, 1)]
    over += [at(1.0, 2.0, kind="octant", of=steep, sign=sign) for steep in (False, True) for sign in (1, -1)]

    def given(s: Subinterval) -> Mapping[str, Property]:
        if s.kind == "moved":
            return {"bits_of_small": AT_ONE, "kept": s.of}
        if s.kind == "octant":
            return {"steep": s.of, "x": Number(VARIABLE * s.sign, -52)}
        subnormal = s.kind == "subnormal"
        code = f"{s.of}.{'scaled' if subnormal else 'code'}"
        return {f"{s.of}.subnormal": subnormal, code: Encoding(0, BINADE, BINADE)}

    def claim(_: Values, s: Subinterval) -> Sequence[Claim]:
        if s.kind == "moved":
            return [Is("code_of_a", Encoding(accurate.ONE + (s.of << 52), BINADE))]
        if s.kind == "octant":
            return [Is("octant", int(s.of) + (2 if s.sign < 0 else 0))]
        n = Encoding(-1022 if s.kind == "subnormal" else 0, 1, 1)
        return [Is(f"{s.of}.code_of_m", AT_ONE), Is(f"{s.of}.power", n)]

    return Lemma("lengths", f, tuple(over), given, claim)


def quotients() -> Iterator[Subinterval]:
    """Yield t + t_lo at each entry in each octant; binades at the first entry."""
    reach = HALF / PLACES
    for octant in range(4):
        for j in range(1, PLACES + 1):
            yield at(-(0.5 / PLACES if j == 1 else reach) * (1.0 + 2.0**-20), 0.0, octant=octant, j=j)
            if j < PLACES:
                yield at(0.0, reach * (1.0 + 2.0**-20), octant=octant, j=j)
        yield from (at(s.low, s.high, octant=octant, j=0) for s in binades(2.0**-81, reach))


def directions(name: str) -> tuple[Lemma]:
    """Return the lemma of the angle for every quotient, y > 0, where no power of two is left of the quotient."""
    f, unit = kernel(getattr(accurate, name)), inverse(PI) if name == "atan2pi" else 1
    size = most(VARIABLE) * (1.0 + 2.0**-20)

    def given(s: Subinterval) -> Mapping[str, Property]:
        grid = math.frexp(s.low * 0.999)[1] - 26 if s.j == 0 else -1000
        return {
            "left": within(size * TAIL),
            "d": within(size * OFF),
            "t": Number(VARIABLE - v.left, grid, bits=26),
            "t_lo": Number(v.left),
            "place": constant(float(s.j)),
            "j": s.j,
            "octant": s.octant,
            "dropped": 0,
            "sign": 0,
            "exact": False,
            **({"beside": False} if name == "atan2pi" else {}),
        }

    def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
        angle = atan(VARIABLE + v.d) + atan(Fraction(s.j, PLACES))
        turned = PI / 2 * QUARTERS[s.octant] + (-angle if s.octant in {1, 2} else angle)
        return [encloses(v, turned * unit), Is("exponent", 0)]

    return (Lemma("angles", f, tuple(quotients()), given, claim),)


LEMMAS = {**dict.fromkeys(ARCS, arcs), **dict.fromkeys(TOPS, slopes), **dict.fromkeys(("atan2", "atan2pi"), directions)}
