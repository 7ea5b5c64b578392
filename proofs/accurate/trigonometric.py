"""sin, cos, tan, sincos: x = n pi/1024 + r + r_lo + d (mod 2 pi), then the value for n, r and r_lo.

There are two reductions: by words of 1024/pi and, below 2^14, by parts of pi/1024. Each is proven in two steps, for
all doubles of a binade at once: an integer n and an exact rest, then r and r_lo for every rest. The value is proven
once for both, for every n and r: with the smaller one of the bounds of d and of ``error``. The d of the reduction by
words may be larger by 0.99 of its ``error``: sine and cosine change by no more than their angle, and so does the
tangent, times (1 + tan^2) (1 + 2^-30), as |d tan| < 2^-30.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from flint import arb, ctx

from clmath.ir.lanes import mark
from clmath.kernels.accurate import angles
from clmath.kernels.accurate import trigonometric as accurate
from clmath.kernels.accurate.trigonometric import QUARTER, both_at
from proofs.engine.traced import traced
from proofs.lemmas import Lemma, binades
from proofs.terms import (
    PI,
    VARIABLE,
    Bounded,
    Calls,
    Encoding,
    Formula,
    Is,
    Number,
    OnGrid,
    Residue,
    Same,
    Values,
    at,
    bounded,
    constant,
    cos,
    distance,
    doubles,
    encloses,
    inverse,
    least,
    least_size,
    most,
    multiples,
    near,
    power_of_2,
    precise,
    sin,
    term,
    within,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from clmath.ir.program import Kind
    from proofs.engine.traced import Traced
    from proofs.terms import Claim, Property, Subinterval, Term

__all__ = ["LEMMAS", "found_at"]

TURN = 2 * accurate.HALF_TURN  # steps
STEP = math.pi / accurate.HALF_TURN
BITS = 1400  # of 1024/pi, of which 1034 stand before the point of the largest double
LEAST = 2.0**-61  # bound of the distance of doubles from TINY on to multiples of pi/2
TOP = 0.5 * (1.0 + 2.0**-20)  # steps
ANGLE = 2.0**-75  # bound of d relative to r
ROOM = 2.0**-124.5  # absolute part of the bound of d, below 2^14
REST = 2.0**-53, 2.0**-72  # bounds of r_lo: relative to r, and absolute
SMALLER, OFF = 2.0**-40, 2.0**-92  # by words, in steps: of s and of d
GRID, FINER, FINEST = -93, -300, -500  # f, s and r are multiples of 2 to these powers
THIRD, FOURTH, OFF_ORDINARY = 2.0**-40.5, 2.0**-72.1, 1.2 * 2.0**-126  # by parts: of third, fourth and d
GRIDS = {"near": -62, "third": -115, "fourth": -300}
ONE_STEP = 2.0**-10  # smaller x are less than half a step
EXPONENTS = range(math.frexp(angles.TINY)[1] - 1, 1024)  # of doubles from TINY on
MORE = 1.0 + 2.0**-20
v = Values()


def row_of(exponent: int) -> int:
    """Return the row of the first word."""
    return exponent - 52 - angles.FIRST_WORD


def significand(f: Traced) -> Lemma:
    """Return the lemma that x = m 2^(e - 52), m an integer from 2^52 to 2^53 with the sign of x, and of the row.

    The encoding of x is the place of the exponent, with the place of a sign or without, and any integer below 2^52.
    """

    def encoding(s: Subinterval, exponent: int) -> Encoding:
        return Encoding((-(1 << 63) if s.negative else 0) + (exponent << 52), 1 << 52)

    return Lemma(
        "significand",
        f,
        tuple(at(e=e, negative=negative) for e in EXPONENTS for negative in range(2)),
        lambda s: {"encoding": encoding(s, s.e + 1023)},
        lambda _, s: [Is("code", encoding(s, angles.INTEGER_EXPONENT)), Is("row", row_of(s.e))],
    )


def whole_turns(exponent: int) -> int:
    """Return the multiple of 2048 steps that takes 2^exponent 1024/pi next to the word of the exponent."""
    with ctx.workprec(BITS):
        steps = accurate.HALF_TURN / arb.pi() * arb(2) ** (exponent - 52)
        found = ((steps - float(angles.WORDS[row_of(exponent)])) / TURN + 0.5).floor().unique_fmpz()
    assert found is not None
    return int(found) * TURN


def by_words(f: Traced) -> Lemma:
    """Return the lemma that m 2^(e - 52) 1024/pi is n + f + s (mod 2048), nearly, for every m."""

    def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
        steps = precise(inverse(PI) * accurate.HALF_TURN * power_of_2(s.e - 52) - whole_turns(s.e), BITS)
        return [
            near(v.m * steps, v.taken + v.n + v.f + v.s, OFF),
            bounded(v.f + v.s, TOP),
            bounded(v.s, SMALLER),
            OnGrid("f", GRID),
            OnGrid("s", FINER),
            OnGrid("taken", TURN.bit_length() - 1),
        ]

    last = 2.0**53 - 1.0
    return Lemma(
        "reduction",
        f,
        tuple(at(*ends, e=e) for e in EXPONENTS for ends in ((2.0**52, last), (-last, -(2.0**52)))),
        lambda s: {"m": multiples(0), "row": row_of(s.e)},
        claim,
    )


def rest(v: Values, exact: Term, room: float) -> list[Claim]:
    """Return the claims that r + r_lo is ``exact`` to within ``room``, and that r_lo is small."""
    size = least_size(exact) * (1.0 - 2.0**-20)
    return [
        Bounded(v.r + v.r_lo - exact, size * ANGLE + room),
        Bounded(v.r_lo, size * REST[0] + REST[1]),
        OnGrid("r", FINEST),
    ]


def about_zero(around: float, top: float) -> Iterator[Subinterval]:
    """Yield the binades of both signs, and the interval next to zero."""
    yield at(-around, around, of="steps")
    yield from of_both_signs(around, top, of="steps")


def of_both_signs(least: float, top: float, **parameters: object) -> Iterator[Subinterval]:
    """Yield binades of both signs."""
    for s in binades(least, top):
        yield at(s.low, s.high, **parameters)
        yield at(-s.high, -s.low, **parameters)


def turned(f: Traced) -> Lemma:
    """Return the lemma that r + r_lo is w pi/1024, w = f + s, nearly."""
    return Lemma(
        "angle",
        f,
        tuple(about_zero(2.0**-44, TOP)),
        {"w": Number(), "s": within(SMALLER, FINER), "f": Number(v.w - v.s, GRID)},
        lambda v, _: rest(v, v.w * PI / accurate.HALF_TURN, 0.99 * angles.REDUCTION - OFF * STEP),
    )


def closest(f: Traced) -> Lemma:
    """Return the lemma that no double of a binade is closer to a multiple of pi/2 than LEAST: below 1/2 to 0."""

    def claim(_: Values, s: Subinterval) -> Claim:
        if s.e < -1:
            return Bounded(term(LEAST), term(2.0**s.e))
        turns = distance(2 * inverse(PI) * power_of_2(s.e - 52), 1 << 53, BITS)
        return Bounded(term(LEAST), least(turns * PI / 2))

    return Lemma("distance", f, tuple(at(e=e) for e in EXPONENTS), {}, claim)


def by_pieces(f: Traced, name: str) -> Lemma:
    """Return the lemma that x is n pi/1024 + near - third - fourth, nearly, for all doubles of a binade."""

    def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
        if min(abs(s.low), abs(s.high)) < ONE_STEP:
            return [near(v.near, v.x, 0), *(bounded(one, 0) for one in (v.third, v.fourth, v.n))]
        w = v.near - v.third - v.fourth
        return [
            near(v.x, v.n * PI / accurate.HALF_TURN + w, OFF_ORDINARY),
            bounded(w, TOP * STEP),
            bounded(v.third, THIRD),
            bounded(v.fourth, FOURTH),
            *(OnGrid(*grid) for grid in GRIDS.items()),
        ]

    over = of_both_signs(angles.TINY, angles.ORDINARY)
    return Lemma(
        "reduction, ordinary",
        f,
        tuple(at(s.low, s.high, sign="+" if s.low > 0.0 else "-") for s in over),
        {"x": doubles(snapped=True), "tiny": False},
        claim,
        second_functions=frozenset({name}),
    )


def rest_of_pieces(f: Traced, name: str) -> Lemma:
    """Return the lemma that r + r_lo is w = near - third - fourth, nearly; small x are w."""

    def assume(s: Subinterval) -> Mapping[str, Property]:
        if s.of == "small":
            return {"w": Number(), "near": doubles(), "third": Number(term(0)), "fourth": Number(term(0))}
        return {
            "w": Number(),
            "third": within(THIRD, GRIDS["third"]),
            "fourth": within(FOURTH, GRIDS["fourth"]),
            "near": Number(v.w + v.third + v.fourth, GRIDS["near"]),
        }

    return Lemma(
        "angle, ordinary",
        f,
        (*about_zero(2.0**-61, TOP * STEP), *of_both_signs(angles.TINY, ONE_STEP, of="small")),
        assume,
        lambda v, _: rest(v, v.w, ROOM - OFF_ORDINARY),
        second_functions=frozenset({name}),
    )


def sines(angle: Term, n: int) -> tuple[Term, Term]:
    """Return the sine and the cosine of n pi/1024 + angle."""
    quarters, steps = divmod(n, QUARTER)
    whole = angle + PI * steps / accurate.HALF_TURN
    values = sin(whole), cos(whole), -sin(whole), -cos(whole)
    return values[quarters % 4], values[(quarters + 1) % 4]


def value(name: str) -> Lemma:
    """Return the lemma of the value for every n and w = r + r_lo, which is not small at multiples of a quarter turn."""
    top = TOP * STEP * MORE
    ends = *(i / 16 * STEP for i in (1, 2, 4, 6)), top

    def over() -> Iterator[Subinterval]:
        for n in range(TURN):
            if not n % QUARTER:
                yield from of_both_signs(LEAST * (1.0 - 2.0**-9), top, n=n)
                continue
            yield at(-ends[0], ends[0], n=n)
            for low, high in pairwise(ends):
                yield at(low, high, n=n)
                yield at(-high, -low, n=n)

    def assume(s: Subinterval) -> Mapping[str, Property]:
        least_r = min(abs(s.low), abs(s.high)) * (1.0 - REST[0]) - REST[1]
        return {
            "w": Number(),
            "r_lo": within(most(VARIABLE) * REST[0] + REST[1], paired=True),
            "r": Number(v.w - v.r_lo, math.frexp(least_r)[1] - 53 if s.low * s.high > 0.0 else FINEST),
            "d": within(most(VARIABLE) * ANGLE + ROOM),
            "n": Residue(s.n, TURN),
            "error": constant(angles.REDUCTION_ORDINARY),
        }

    claims = CLAIMED[name].claims
    return Lemma("value", found_at(name), tuple(over()), assume, lambda v, s: claims(v, *sines(v.w + v.d, s.n)))


def is_sine(v: Values, sine: Term, _: Term) -> Claim:
    """Claim that the value is the sine."""
    return encloses(v, sine)


def is_tangent(v: Values, sine: Term, cosine: Term) -> Claim:
    """Claim that the value is the tangent."""
    return encloses(v, sine * inverse(cosine))


def are_both(v: Values, sine: Term, cosine: Term) -> Sequence[Claim]:
    """Claim that the values are the sine and the cosine."""
    return [encloses(v, sine), Bounded(v.cos_hi + v.cos_lo - cosine, least(v.cos_err))]


def both(r: Any, r_lo: Any, n: Any, error: Any) -> Any:
    """Return the results of ``both_at``, one after the other."""
    sine, cosine = both_at(r, r_lo, n, error)
    return *mark("hi lo err", *sine), *mark("cos_hi cos_lo cos_err", *cosine)


@dataclass(frozen=True)
class Claimed:
    """The function of r, r_lo, n and the error that the kernel calls, and the claims by the sine and the cosine.

    ``special``: conditions of special arguments of the kernel for all x.
    """

    function: Callable[..., Any]
    claims: Callable[[Values, Term, Term], Claim | Sequence[Claim]]
    special: tuple[str, ...] = ("tiny", "small")


CLAIMED = {
    "sin": Claimed(accurate.sine_at, is_sine),
    "cos": Claimed(accurate.sine_at, is_sine, ("tiny",)),
    "tan": Claimed(accurate.tangent_at, is_tangent),
    "sincos": Claimed(both, are_both),
}


def found_at(name: str) -> Traced:
    """Return the trace of the function that the kernel calls."""
    results: list[Kind] = ["double"] * (6 if name == "sincos" else 3)
    return traced(CLAIMED[name].function, ("double", "double", "long", "double"), results)


def returned(f: Traced, name: str, function: str) -> Lemma:
    """Return the lemma that the kernel returns the results of the function, for n or, of a cosine, a quarter more."""
    is_ordinary, is_pair, called = name != function, name == "sincos", found_at(name)
    results = ("hi", "lo", "err", *(("cos_hi", "cos_lo", "cos_err") if is_pair else ()))
    exponents = ("exponent", "cos_exponent") if is_pair else ("exponent",)
    ordinary = {"finite": True} if name == "cos" or is_pair or not is_ordinary else {}
    steps = Formula("steps", ("long.add", "n", QUARTER)) if name == "cos" else Same("steps", "n")
    return Lemma(
        "returned, ordinary" if is_ordinary else "returned",
        f,
        (at(of="arguments"),),
        {**ordinary, **dict.fromkeys(("tiny",) if is_ordinary else CLAIMED[name].special, False)},
        lambda _v, _s: [
            Calls(results, called.program, called.tables, ("r", "r_lo", "steps", "error")),
            steps,
            *(Is(exponent, 0) for exponent in exponents),
        ],
        second_functions=frozenset({function}) if is_ordinary else frozenset(),
    )


def lemmas(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of both reductions, of the results, and of the value."""
    ordinary = f"ordinary_{name}"
    results: tuple[Kind, ...] = ("double", "double", "double", "long") * (2 if name == "sincos" else 1)
    f, g = (traced(getattr(accurate, function), ("double",), results) for function in (name, ordinary))
    of_words = significand(f), by_words(f), turned(f), closest(f), returned(f, name, name)
    return *of_words, by_pieces(g, ordinary), rest_of_pieces(g, ordinary), returned(g, name, ordinary), value(name)


LEMMAS = dict.fromkeys(CLAIMED, lemmas)
