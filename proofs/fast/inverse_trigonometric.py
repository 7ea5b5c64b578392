"""asin, acos, atan, atan2 and their forms in half turns.

atan2: the place j of the quotient of both lengths, atan(a/b) = atan(j/64) + atan t, and the angle in every octant.
"""

from __future__ import annotations

from itertools import product

from clmath.kernels.fast import inverse_trigonometric as fast
from clmath.kernels.fast.near_zero import TINY
from proofs.fast.arguments import BELOW_ONE, of_arguments
from proofs.lemmas import *

LEAST = 2.0**-149
# the function, in half turns or not; the least and the greatest argument; special conditions
CLAIMED = {
    "atan": (atan, False, TINY, 2.0**128, ("tiny",)),
    "atanpi": (atan, True, LEAST, 1.0 / fast.SLIGHT, ("one", "steep", "zero")),
    "asin": (asin, False, TINY, BELOW_ONE, ("tiny",)),
    "asinpi": (asin, True, LEAST, BELOW_ONE, ("zero", "one")),
    "acos": (acos, False, LEAST, BELOW_ONE, ("one",)),
    "acospi": (acos, True, fast.SLIGHT, BELOW_ONE, ("zero", "one", "slight")),
}


def arcs(name: str) -> tuple[Lemma, ...]:
    """Return the lemma of an arc function of one argument."""
    function, in_half_turns, least, top, special = CLAIMED[name]
    over = PI if in_half_turns else 1
    return of_arguments(getattr(fast, name), lambda x: function(x) / over, least, top, special=special)


# atan2, atan2pi

STEPS = 64  # places of quotients from 0 to 1
LEAST_SLOPE = 2.0**-277  # the least float over the greatest
REACH = (1.0 + 2.0**-20) / (2 * STEPS)  # the greatest distance of a quotient from its place
FLOATS = -149, 127  # the powers of two in floats
BELOW_TWO = 2.0 - 2.0**-23
SIGNS = 1, -1
SPECIAL = {"atan2": ("touching", "zero", "invalid"), "atan2pi": ("beside", "diagonal", "zero", "invalid")}
# |y| > |x|, x < 0: the number of quarter turns, and the sign with which the angle of the quotient is added
OCTANTS = {(False, False): (0, 1), (True, False): (1, -1), (True, True): (1, 1), (False, True): (2, -1)}
GREATER, LESSER = (
    ("double.select", ("bool.or", (order, "across", "along"), ("double.ne", "across", "across")), "across", "along")
    for order in ("double.gt", "double.lt")
)


def entries(f: Traced) -> Lemma:
    """Return the lemma of the angles at all places."""
    return lemma("entries", f, choices(j=range(STEPS + 1)))(
        lambda s: {"j": s.j}, lambda s: near(v.entry + v.entry_lo, atan(Fraction(s.j, STEPS)), 2.0**-105)
    )


def places(f: Traced) -> Lemma:
    """Return the lemma that the place is an integer from 0 to 64, and the quotient within 1/128 of it."""
    of_integers = near(v.j, STEPS // 2, 0.5 * (STEPS + 1) * (1.0 - 2.0**-20)), near(v.place, v.j, 0)
    claim: Claims = [near(v.c * STEPS, v.j, 0), near(v.q, v.c, REACH * (1.0 - 2.0**-21)), *of_integers]
    return lemma("places", f, (at(0.0, LEAST_SLOPE), *binades(LEAST_SLOPE, 1.0)))({"q": Number(grid=-1074)}, claim)


def quotients(f: Traced) -> Lemma:
    """Return the lemma that a - c b and b + c a are exact, and t is their quotient rounded.

    b is the length that is not smaller, 2^k B with B = 1 .. 2, and a = 2^k (c B + rest). By ``places`` a/b is within
    ``REACH`` of c = j/64, for a/b = q (1 + d), |d| <= 2^-53. Where j is not 0, a is a multiple of 2^(k - 31).
    """

    def over() -> Iterator[Subinterval]:
        for y, x in product(SIGNS, repeat=2):
            yield at(1.0, BELOW_TWO, y=y, x=x, order=0, j=STEPS, rest=(0.0, 0.0))
            for order in SIGNS:
                for s in binades(LEAST_SLOPE, 2.0 * REACH):
                    yield at(1.0, BELOW_TWO, y=y, x=x, order=order, j=0, rest=(s.low, s.high))
                for j, (low, end) in product(range(1, STEPS + 1), pairwise((1.0, 1.25, 1.5, 1.75, BELOW_TWO))):
                    yield at(low, end, y=y, x=x, order=order, j=j, rest=(-REACH * end, REACH * end))

    def given(s: Subinterval) -> Properties:
        low, high = s.rest
        rest = between(low, high)
        b = Number(VARIABLE, -23, 24, power=1, snapped=True)
        a = Number(VARIABLE * Fraction(s.j, STEPS) + v.rest, -31 if s.j else -300, 24, power=1)
        sizes = (b, a) if s.order > 0 else (a, b)
        y, x = (Number(size.value * sign, size.grid, 24, power=1) for size, sign in zip(sizes, (s.y, s.x), strict=True))
        return {"rest": rest, "a": a, "b": b, "y": y, "x": x, "place": constant(float(s.j)), "j": s.j}

    def claim(s: Subinterval) -> Claims:
        c, (across, along) = Fraction(s.j, STEPS), (v.b, v.a) if s.order > 0 else (v.a, v.b)
        exact = (v.less - (v.a - v.b * c)), (v.more - (v.b + v.a * c)), v.across - across, v.along - along
        return [
            *(bounded(error, 0, power=1) for error in exact),
            Is("backward", s.x < 0),
            Formula("a", LESSER),
            Formula("b", ("double.select", ("double.eq", GREATER, 0.0), 1.0, GREATER)),
            Formula("t", ("double.div", "less", "more")),
        ]

    return lemma("quotients", f, over(), powers=FLOATS)(given, claim)


def angles(name: str, f: Traced) -> Lemma:
    """Return the lemma of the angle at every place, of every slope t up to ``REACH``, in every octant."""
    whole = Fraction(1) if name == "atan2" else PI

    def slopes(j: int, *, is_first: bool) -> Sequence[tuple[float, float]]:
        if j:
            return (-REACH, 0.0), (0.0, REACH)
        near_zero = [(s.low, s.high) for s in binades(LEAST_SLOPE, 1.0 / (4 * STEPS))]
        return [*near_zero, (1.0 / (4 * STEPS), REACH)] if is_first else [(0.0, REACH)]

    over = (
        at(*ends, sign=sign, steep=octant[0], backward=octant[1], j=j)
        for sign, octant, j in product(SIGNS, OCTANTS, range(STEPS + 1))
        for ends in slopes(j, is_first=octant == (False, False))
    )

    def given(s: Subinterval) -> Properties:
        t = Number(VARIABLE + unknown(most(VARIABLE) * 2.0**-53))
        y = Number((unknown(0.5) + 1.5) * s.sign, -52, power=1)
        octant = {"steep": s.steep, "backward": s.backward}
        return {"t": t, "y": y, "j": s.j, **octant, **dict.fromkeys(SPECIAL[name], False)}

    def claim(s: Subinterval) -> Bounded:
        quarters, sign = OCTANTS[s.steep, s.backward]
        angle = (atan(VARIABLE) + atan(Fraction(s.j, STEPS))) * sign + PI * Fraction(quarters, 2)
        return encloses_rounded(angle * s.sign / whole)

    return lemma("angles", f, over, powers=FLOATS)(given, claim)


def directions(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of atan2 or atan2pi."""
    f = kernel(getattr(fast, name), 2)
    return entries(f), places(f), quotients(f), angles(name, f)


LEMMAS = {**dict.fromkeys(CLAIMED, arcs), **dict.fromkeys(SPECIAL, directions)}
