"""sinpi, cospi, tanpi in pairs of doubles: x in steps of 1/1024, which is exact, then the value at every step."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from clmath.kernels.accurate import trigonometric as accurate
from clmath.kernels.accurate.angles import TINY
from clmath.kernels.accurate.near_zero import DOWN, SMALL
from proofs.engine.traced import traced
from proofs.lemmas import Lemma, binades, kernel
from proofs.terms import (
    PI,
    Formula,
    Is,
    Number,
    OnGrid,
    Residue,
    at,
    bounded,
    cos,
    doubles,
    encloses,
    inverse,
    near,
    sin,
    within,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from clmath.ir.program import Kind
    from proofs.engine.traced import Traced
    from proofs.terms import Claim, Property, Subinterval, Term, Values

__all__ = ["LEMMAS"]

TURN, QUARTER = 2 * accurate.HALF_TURN, accurate.QUARTER
ONE_STEP = 2.0**-11  # |x| below: less than half a step
GRID, FINE = -53, -90  # f is a multiple of 2^GRID; of 2^FINE where n = 0
REACH = 0.5 * (1.0 + 2.0**-20)  # of f
FOUND = "found", "found_lo", "found_err"  # the results of the function of f and n


@dataclass(frozen=True)
class Turns:
    """A kernel of pi x: 1024 x = n + f (mod 2048) exactly, and the value depends on f and n + ``ahead`` alone.

    ``function``: the function of f and a number of steps, by its name. ``exact``: at multiples of so many steps results
    are exact where f = 0. ``least``: the least ordinary argument; ``special``: conditions of special arguments, which
    the function below 2^40 has, too.
    """

    value: Callable[[Term, int], Term]
    function: str
    ahead: int
    exact: int
    least: float
    special: tuple[str, ...]


def sine_and_cosine(angle: Term, n: int) -> tuple[Term, Term]:
    """Return the sine and the cosine of an angle and n pi/1024."""
    quarters, rest = divmod(n, QUARTER)
    step = PI * Fraction(rest, accurate.HALF_TURN)
    s = sin(step) * cos(angle) + cos(step) * sin(angle)
    c = cos(step) * cos(angle) - sin(step) * sin(angle)
    values = s, c, -s, -c
    return values[quarters % 4], values[(quarters + 1) % 4]


def sine(angle: Term, n: int) -> Term:
    """Return the sine of an angle and n pi/1024."""
    return sine_and_cosine(angle, n)[0]


def tangent(angle: Term, n: int) -> Term:
    """Return the tangent of an angle and n pi/1024."""
    s, c = sine_and_cosine(angle, n)
    return s * inverse(c)


TURNS = {
    "sinpi": Turns(sine, "sine_of_turns", 0, QUARTER, accurate.TINY_TURNS, ()),
    "cospi": Turns(sine, "sine_of_steps", QUARTER, QUARTER, TINY, ("tiny",)),
    "tanpi": Turns(tangent, "tangent_of_turns", 0, QUARTER // 2, accurate.TINY_TURNS, ()),
}


def signed_binades(low: float, high: float) -> Iterator[Subinterval]:
    """Yield binades of doubles of both signs, each without the power of two at its end."""
    for s in binades(low, high):
        last = math.nextafter(s.high, 0.0)
        yield at(s.low, last, sign="+")
        yield at(-last, -s.low, sign="-")


def reduction(of: Turns, f: Traced, top: float, ordinary: str = "") -> Lemma:
    """Return the lemma that 1024 x is n + f and a multiple of 2048, and that a function of f and n gives the results.

    ``ordinary``: the name of the function below 2^40, where no multiple is taken off.
    """

    def claims(v: Values, s: Subinterval) -> Sequence[Claim]:
        is_below = max(abs(s.low), abs(s.high)) < ONE_STEP
        taken = 0 if ordinary else v.half * TURN
        return [
            near(v.hi, v.found, 0),
            near(v.lo, v.found_lo, 0),
            near(v.err, v.found_err, 0),
            near(v.x * accurate.STEPS_PER_UNIT, v.n + v.f + taken, 0),
            bounded(v.f, REACH),
            bounded(v.n, 0.0 if is_below else 2.0**52),
            OnGrid("f", FINE if is_below else GRID),
            Is("exponent", 0),
            *([Formula("steps", ("long.add", "n", of.ahead))] if of.ahead else []),
        ]

    special = of.special if ordinary else (*of.special, "linear")
    return Lemma(
        "reduction, ordinary" if ordinary else "reduction",
        f,
        (*signed_binades(of.least, ONE_STEP), *signed_binades(ONE_STEP, top)),
        {"x": doubles(snapped=True), **dict.fromkeys(FOUND, within(2.0**1000)), **dict.fromkeys(special, False)},
        claims,
        second_functions=frozenset({ordinary} if ordinary else ()),
    )


def tiny(of: Turns, f: Traced) -> Lemma:
    """Return the lemma of x below 2^-40, where the value is pi x scaled."""

    def claims(v: Values, s: Subinterval) -> Sequence[Claim]:
        exponent = DOWN if s.small else 0
        return [encloses(v, of.value(v.x * PI, 0) * 2**-exponent), Is("exponent", exponent)]

    over = signed_binades(2.0**-1074, accurate.TINY_TURNS)
    over = (at(s.low, s.high, small=min(abs(s.low), abs(s.high)) < SMALL) for s in over)
    given = {"x": doubles(snapped=True), "linear": True}
    return Lemma("tiny", f, tuple(over), lambda s: {**given, "small": s.small}, claims)


def value(of: Turns) -> Lemma:
    """Return the lemma of every number of steps with all f: binades of f where f = 0 is exact."""
    function = getattr(accurate, of.function)
    inputs: list[Kind] = ["double"] * (2 if of.ahead == 0 else 1)
    fifths = [s for pair in pairwise((0.0, 0.0625, 0.125, 0.25, 0.375, REACH)) for s in [at(*pair)]]
    over = (
        at(*ends, n=n)
        for n in range(TURN)
        for s in (fifths if n % of.exact else binades(2.0**GRID, REACH))
        for ends in ((s.low, s.high), (-s.high, -s.low))
    )

    def given(s: Subinterval) -> Mapping[str, Property]:
        return {"f": Number(grid=GRID if s.n % of.exact else FINE), "n": Residue(s.n, TURN)}

    return Lemma(
        "value",
        traced(function, (*inputs, "long"), ("double",) * 3),
        tuple(over),
        given,
        lambda v, s: encloses(v, of.value(v.f * PI / accurate.HALF_TURN, s.n)),
    )


def turns(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of both reductions, of tiny arguments, and of the value."""
    of, below = TURNS[name], f"ordinary_{name}"
    whole = kernel(getattr(accurate, name))
    of_tiny = () if of.ahead else (tiny(of, whole),)
    ordinary = reduction(of, kernel(getattr(accurate, below)), accurate.ORDINARY_TURNS, below)
    return reduction(of, whole, 2.0**51), ordinary, *of_tiny, value(of)


LEMMAS = dict.fromkeys(TURNS, turns)
