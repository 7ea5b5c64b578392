"""log, log2, log10, log1p: x = 2^q m with m at its place of a table, and k log 2 + log m, where k is q or q + 1.

The lemmas serve the accurate kernels, too: a ``Layout`` has the m of each place.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from clmath.kernels.fast import logarithm as fast
from proofs.lemmas import *

CLOSE = 2.0**-27


@dataclass(frozen=True)
class Layout:
    """The places of m in a table: place j holds the 2^bits encodings from start + j 2^bits on.

    x = 2^q m; k is q, or q + 1 from the place ``carry`` on, where the table has m/2.
    """

    start: int
    places: int
    bits: int
    carry: int

    def carried(self, place: int) -> int:
        """Return k - q."""
        return int(place >= self.carry)

    def ends(self, place: int, digits: int) -> tuple[float, float]:
        """Return the least and the greatest m of ``digits`` digits at a place."""
        first, beyond = self.start + (place << self.bits), self.start + (place + 1 << self.bits)
        low, high = np.array([first, beyond - (1 << (53 - digits))]).view(np.float64).tolist()
        return low, high


FAST = Layout(ONE, 128, 45, fast.SQRT2_PLACE)
SCALE = {"log": term(1), "log2": inverse(log(2)), "log10": inverse(log(10)), "log1p": term(1)}


def places(f: Traced, layout: Layout, integer: str, *, subnormal: bool = False, scale: bool = False) -> Lemma:
    """Return the lemma that x = 2^q m exactly and m lies at its place: on encodings, for every q and place."""

    def assume(s: Subinterval) -> Properties:
        encoding = Encoding(layout.start + (s.j << layout.bits), 1 << layout.bits, BINADE)
        if not subnormal:
            return {"encoding": encoding}
        name = "scaled" if s.kind == "subnormal" else "encoding"  # the encoding of x made a number is x 2^1074
        return {name: encoding, "subnormal": s.kind == "subnormal"}

    def claim(s: Subinterval) -> Claims:
        added = layout.carried(s.j) - (SCALED if s.kind == "subnormal" else 0)
        code = Encoding(layout.start + (s.j << layout.bits), 1 << layout.bits)
        of_scale = [Is("scale_code", Encoding(ONE, 1, -BINADE))] if scale else []
        return [Is(integer, Encoding(added, 1, 1)), *are(j=s.j, code=code), *of_scale]

    kinds = ("normal", "subnormal") if subnormal else ("normal",)
    return lemma("places", f, (at(kind=kind, j=j) for j in range(layout.places) for kind in kinds))(assume, claim)


def total(  # noqa: PLR0917
    f: Traced,
    layout: Layout,
    name: str,
    digits: int,
    powers: Sequence[tuple[int, int]],
    ordinary: Properties,
    encloses: Callable[[Term], Claim],
    near: Collection[int] = (),
    given: Callable[[tuple[int, int], Subinterval], Properties] = lambda _q, _s: {},
    exact: Term = v.m,
) -> Lemma:
    """Return the lemma of k log 2 + log m at every place with every k.

    m = 1 is a separate subinterval, and next to 1 subintervals are binades of the distance. ``near``: places where k =
    0 is left to ``next_to_one``.
    """
    exact_at_one = name == "log2"
    over = [
        at(first, last, k=each, j=j)
        for j in range(layout.places)
        for k in powers
        if k != (0, 0) or j not in near
        for first, last in around_one(*layout.ends(j, digits), digits, near=k == (0, 0))
        for each in ([(i, i) for i in range(k[0], k[1] + 1)] if exact_at_one and first == last else [k])
    ]

    def q(s: Subinterval) -> tuple[int, int]:
        return s.k[0] - layout.carried(s.j), s.k[1] - layout.carried(s.j)

    def assume(s: Subinterval) -> Properties:
        k = Exponent(layout.carried(s.j), number=True)
        return {**ordinary, "k": k, "j": s.j, "m": doubles(digits, snapped=True), **given(q(s), s)}

    def claim(s: Subinterval) -> Claim:
        if exact_at_one and s.low == s.high == 1.0:
            return encloses(v.k - layout.carried(s.j))
        return encloses(((v.k - layout.carried(s.j)) * log(2) + log(exact)) * SCALE[name])

    return lemma("sum", f, over, powers=q)(assume, claim)


def lacking(q: tuple[int, int], s: Subinterval) -> Properties:
    """Return the error of the sum 1 + t: ``rest`` 2^q, at most half a unit of the sum, and at most 1 or t."""
    (least, greatest), half = q, 2.0 ** (-54 if s.high < 1.0 else -53)
    rest = within(min(half, 2.0 ** -min(least, 1000)), paired=True)
    if least == greatest:
        return {"rest": rest, "left": Number(v.rest * power_of_2(least), -1074)}
    return {"rest": rest, "left": Number(v.rest, -1074 - greatest, power=1)}


def sum_with_one(q: tuple[int, int], s: Subinterval) -> Properties:
    """Return the error of the sum 1 + t, and 2^-q."""
    scale = constant(2.0 ** -q[0]) if q[0] == q[1] else Number(term(1), 0, bits=1, power=-1)
    return {**lacking(q, s), "scale": scale}


def next_to_one(  # noqa: PLR0917
    f: Traced,
    layout: Layout,
    near: Sequence[tuple[int, int, int]],
    least: float,
    digits: int,
    of_sum: int,
    ordinary: Properties,
    encloses: Callable[[Term], Claim],
    *,
    scale: bool = False,
) -> Lemma:
    """Return the lemma of log(1 + t) where the sum is rounded to a number next to 1, m being the sum or twice that.

    ``near``: the side of 1, the place of the sum and q.
    """
    over = []
    for sign, j, q in near:
        for s in binades(least, farthest(layout, sign, j, q, of_sum)):
            low, high = sorted((sign * s.low, sign * s.high))
            over.append(at(low, high, sign=sign, j=j, q=q))

    def assume(s: Subinterval) -> Properties:
        given = {"x": doubles(digits, snapped=True), "k": Exponent(number=True), "j": s.j, "m": Times("total", -s.q)}
        return {**ordinary, **given, **({"scale": constant(2.0**-s.q)} if scale else {})}

    return lemma("near", f, over)(assume, encloses(log(v.x + 1)))


def farthest(layout: Layout, sign: int, j: int, q: int, digits: int) -> float:
    """Return the size of the t farthest from 0 whose sum with 1 is next to 1."""
    low, high = layout.ends(j, digits)
    return (math.ldexp(high if sign > 0 else low, q) - 1.0) * sign + 2.0**-52


def around_one(low: float, high: float, digits: int, *, near: bool) -> Iterator[tuple[float, float]]:
    """Yield ``low`` .. ``high`` in subintervals, 1 by itself; with ``near``, binade by binade on both sides of 1."""
    unit = 2.0 ** (1 - digits)
    if near and high + unit == 2.0:
        yield from _away(2.0, low, unit, near=near)
    elif low <= 1.0 < high:
        yield 1.0, 1.0
        yield from _away(1.0, low, unit / 2, near=near)
        yield from _away(1.0, high, unit, near=near)
    else:
        yield low, high


def _away(point: float, end: float, least: float, *, near: bool) -> Iterator[tuple[float, float]]:
    """Yield subintervals from ``least`` beyond ``point`` to ``end``: short ones next to 1, as balls have few bits."""
    start, length, sign = least, abs(end - point), math.copysign(1.0, end - point)
    while start < length:
        stop = min(2.0 * start if near else CLOSE if start < CLOSE else length, length)
        first, last = sorted((point + sign * start, point + sign * stop))
        yield first, last
        start = stop


def doubling(least: int, greatest: int) -> tuple[tuple[int, int], ...]:
    """Return ranges of all integers from ``least`` < 0 to ``greatest`` > 0, cut at powers of two."""
    sizes = [(1 << n, (2 << n) - 1) for n in range(11)]
    negative = [(-min(high, -least), -low) for low, high in sizes if low <= -least]
    return (*negative, (0, 0), *((low, min(high, greatest)) for low, high in sizes if low <= greatest))


def logarithm(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of log, log2 and log10; arguments have 24 bits, and are normal doubles."""
    f = kernel(getattr(fast, name), 2)
    ordinary = dict.fromkeys(("infinite", "zero", "negative", "nan"), False) | {"positive": True, "finite": True}
    return places(f, FAST, "n"), total(f, FAST, name, 24, doubling(-1022, 1024), ordinary, encloses_rounded)


def refined_log10(refined: Refinement, value: str, top: int) -> tuple[Lemma, ...]:
    """Return the lemmas of the refinement: x is compared with 10^n, where n is the integer nearest to ``value``.

    10^n is an integer. Half-way between two integers, n may be either of them.
    """
    exponent = [Is("new_exponent", 0)] if "exponent" in refined.results else []
    below, above = binades(2.0**-1074, 2.0**9), binades(top + 0.5, 2.0**9)
    between = [ends for n in range(top + 1) for ends in ((n - 0.5 if n else 0.0, n), (n, n + 0.5))]
    is_power: Claim = Formula("exact", ("double.eq", "power", "x"))
    integers: list[Claim] = [*on_grids(whole=0, power=0), near(v.power, exp(v.whole * log(10)), 0.25)]
    claim: Claims = [is_power, *integers, *exponent, *refined.exactly(v.whole)]
    over = [*opposite(below), *(at(float(low), float(high)) for low, high in between), *above]
    return (
        refined.unchanged(("exact",)),
        refined.lemma("logarithms", over)({value: multiples(-1074), "exact": True}, claim),
    )


def log1p(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of log1p."""
    f = kernel(fast.log1p, 2)
    ordinary = dict.fromkeys(("tiny", "infinite", "nan", "pole", "outside", "below"), False)
    near = (1, 0, 0), (-1, FAST.places - 1, -1)
    powers, at_one = doubling(-53, 129), {j for _, j, _ in near}
    return (
        places(f, FAST, "n", scale=True),
        total(f, FAST, name, 53, powers, ordinary, encloses_rounded, at_one, sum_with_one, v.m + v.rest),
        next_to_one(f, FAST, near, fast.TINY, 24, 53, ordinary, encloses_rounded, scale=True),
    )


LEMMAS = {
    **dict.fromkeys(("log", "log2"), logarithm),
    "log10": lambda name: (*logarithm(name), *refined_log10(refinement(fast.refined_log10, 2), "value", 11)),
    "log1p": log1p,
}
