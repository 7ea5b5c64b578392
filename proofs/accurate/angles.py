"""Angles in steps of pi/1024: x = n pi/1024 + r + r_lo, nearly, modulo 2 pi.

There are three reductions: by three words of 1024/pi, by four, and, below 2^14, by parts of pi/1024. Each is proven in
two steps, for all doubles of a binade at once: an integer n and an exact rest, then r and r_lo for every rest.
"""

from __future__ import annotations

import functools

from flint import arb, ctx

from clmath.kernels.accurate import angles
from clmath.kernels.accurate.sines import HALF_TURN, QUARTER
from proofs.lemmas import *

TURN = 2 * HALF_TURN  # steps
STEP = PI / HALF_TURN
HALF = 0.5 * (1.0 + 2.0**-20)  # of a step
BITS = 1400  # of 1024/pi; for the largest double 1034 of them are before the point
LEAST, LEAST_STEPS = 2.0**-61, 2.0**-61.6  # of the distances of doubles from TINY on from multiples of pi/2, of pi/1024
ANGLE = 2.0**-75  # bound of d, the error of r + r_lo, relative to r
ROOM = 2.0**-124.5  # absolute part of the bound of d, below 2^14
REST = 2.0**-53, 2.0**-72  # bounds of r_lo: relative to r, and absolute
SMALLER, OFF = 2.0**-40, 2.0**-92  # by words, in steps: of s and of d
GRID, FINER, FINEST = -93, -300, -500  # f, s and r are multiples of 2 to these powers
THIRD, FOURTH, OFF_ORDINARY = 2.0**-40.5, 2.0**-72.1, 1.2 * 2.0**-126  # by parts: of third, fourth and d
GRIDS = {"near": -62, "third": -115, "fourth": -300}
ONE_STEP = 2.0**-10  # smaller x are less than half a step
EXPONENTS = range(math.frexp(angles.TINY)[1] - 1, 1024)  # of doubles from TINY on


# by words


def row(exponent: int) -> int:
    """Return the row of the first word for the exponent of a double."""
    return exponent - 52 - angles.FIRST_WORD


@functools.cache
def steps(exponent: int) -> Term:
    """Return 2^(exponent - 52) 1024/pi less the multiple of 2048 that leaves the number next to the first word."""
    with ctx.workprec(BITS):
        turns = arb(2) ** (exponent - 52) / (2 * arb.pi()) - arb(float(angles.WORDS[row(exponent)])) / TURN
        found = (turns + 0.5).floor().unique_fmpz()
    assert found is not None
    return precise(inverse(STEP) * power_of_2(exponent - 52) - int(found) * TURN, BITS)


def significand(f: Traced) -> Lemma:
    """Return the lemma that x = m 2^(e - 52), m an integer from 2^52 to 2^53 with the sign of x, and of the row.

    The encoding of x is the place of the exponent, with the place of a sign or without, and any integer below 2^52.
    """

    def encoding(s: Subinterval, exponent: int) -> Encoding:
        return Encoding((-(1 << 63) if s.negative else 0) + (exponent << 52), 1 << 52)

    return lemma("significand", f, choices(e=EXPONENTS, negative=range(2)))(
        lambda s: {"encoding": encoding(s, s.e + 1023)},
        lambda s: are(code=encoding(s, angles.INTEGER_EXPONENT), row=row(s.e)),
    )


def of_words(f: Traced, claim: Callable[[Subinterval], Claims]) -> Lemma:
    """Return the lemma of a reduction for every m and every exponent."""
    over = mirrored(choices([at(2.0**52, 2.0**53 - 1.0)], e=EXPONENTS))
    return lemma("reduction", f, over)(lambda s: {"m": multiples(0), "row": row(s.e)}, claim)


def by_words(f: Traced) -> Lemma:
    """Return the lemma that m 2^(e - 52) 1024/pi is n + f + s (mod 2048), nearly, for every m."""
    return of_words(
        f,
        lambda s: [
            near(v.m * steps(s.e), v.taken + v.n + v.f + v.s, OFF),
            bounded(v.f + v.s, HALF),
            bounded(v.s, SMALLER),
            *on_grids(f=GRID, s=FINER, taken=TURN.bit_length() - 1),
        ],
    )


def rest(exact: Term, room: float) -> list[Claim]:
    """Return the claims that r + r_lo is ``exact`` to within ``room``, and that r_lo is small."""
    size = least_size(exact) * (1.0 - 2.0**-20)
    return [
        near(v.r + v.r_lo, exact, size * ANGLE + room),
        bounded(v.r_lo, size * REST[0] + REST[1]),
        OnGrid("r", FINEST),
    ]


def about_zero(around: float, top: float) -> Iterator[Subinterval]:
    """Yield the binades of both signs, and the interval next to zero."""
    yield at(-around, around, of="steps")
    yield from mirrored(binades(around, top, of="steps"))


def turned(f: Traced) -> Lemma:
    """Return the lemma that r + r_lo is w pi/1024, w = f + s, nearly."""
    room = 0.99 * angles.REDUCTION - OFF * math.pi / HALF_TURN
    return lemma("angle", f, about_zero(2.0**-44, HALF))(
        {"w": Number(), "s": within(SMALLER, FINER), "f": Number(v.w - v.s, GRID)}, rest(v.w * STEP, room)
    )


# by four words

OF_SUMS = 300  # bits: for numbers up to 2^64, whose difference has an error of 2^-144
OFF_STEPS = 2.0**-144.4  # error of w
# w: the first product less whole steps, the second product as a pair, the third product, and the fourth: each is at
# most so large, and a multiple of that power of two
SUMMANDS = {
    "first": (2.0**12, -41),
    "second": (2.0**11, -93),
    "second_lo": (2.0**-42, -145),
    "third": (2.0**-41, -145),
    "third_lo": (2.0**-94, -197),
    "fourth": (2.0**-93, -249),
}


def summed(w: Term) -> dict[str, Property]:
    """Return the properties of the summands of ``w``: the first is ``w`` minus the others, which vary within their
    bounds.
    """
    others = [name for name in SUMMANDS if name != "first"]
    free = {f"of_{name}": within(SUMMANDS[name][0]) for name in others}
    first = w - sum((v[f"of_{name}"] for name in others), term(0))
    given = {name: Number(v[f"of_{name}"], SUMMANDS[name][1]) for name in others}
    return {**free, "first": Number(first, SUMMANDS["first"][1]), **given}


def by_four_words(f: Traced, n: str = "n") -> Lemma:
    """Return the lemma that m 2^(e - 52) 1024/pi = n + w + 2048 k, and of the sizes of the summands of w."""
    w = sum((v[name] for name in SUMMANDS), term(0))

    return of_words(
        f,
        lambda s: [
            bounded(precise(v.m * steps(s.e) - v.taken - v[n] - w, OF_SUMS), OFF_STEPS),
            bounded(w, HALF),
            OnGrid("taken", TURN.bit_length() - 1),
            *(bounded(v[name], size) for name, (size, _) in SUMMANDS.items()),
            *(OnGrid(name, grid) for name, (_, grid) in SUMMANDS.items()),
        ],
    )


# distances


def closest(f: Traced) -> Lemma:
    """Return the lemma that no double is closer to a multiple of pi/2 than ``LEAST``."""
    return distances("distance", f, QUARTER, term(LEAST) / STEP)


def closest_to_steps(f: Traced) -> Lemma:
    """Return the lemma that no double is closer to a multiple of pi/1024 than ``LEAST_STEPS`` and the error of w."""
    return distances("distance from steps", f, 1, term(LEAST_STEPS) + OFF_STEPS)


def distances(name: str, f: Traced, unit: int, least: Term) -> Lemma:
    """Return the lemma of the distance of all doubles of a binade from multiples of ``unit`` steps, such as 0."""

    def claim(s: Subinterval) -> Claim:
        if s.e + 1 < math.log2(unit * math.pi / TURN):
            return bounded(least, least_size(inverse(STEP) * power_of_2(s.e)))
        return bounded(least, least_size(distance(inverse(STEP * unit) * power_of_2(s.e - 52), 1 << 53, BITS) * unit))

    return lemma(name, f, choices(e=EXPONENTS))({}, claim)


# by parts of pi/1024


def by_pieces(f: Traced) -> Lemma:
    """Return the lemma that x is n pi/1024 + near - third - fourth, nearly, for all doubles of a binade."""

    def claim(s: Subinterval) -> Claims:
        if s.closest < ONE_STEP:
            return [near(v.near, v.x, 0), *(bounded(one, 0) for one in (v.third, v.fourth, v.n))]
        w = v.near - v.third - v.fourth
        return [
            near(v.x, v.n * STEP + w, OFF_ORDINARY),
            bounded(w, HALF * math.pi / HALF_TURN),
            *bounds(third=THIRD, fourth=FOURTH),
            *(OnGrid(*grid) for grid in GRIDS.items()),
        ]

    return lemma("reduction, ordinary", f, binades(angles.TINY, angles.ORDINARY, signs=True))(
        {"x": doubles(snapped=True), "tiny": False}, claim
    )


def rest_of_pieces(f: Traced) -> Lemma:
    """Return the lemma that r + r_lo is w = near - third - fourth, nearly; small x are w."""

    def assume(s: Subinterval) -> Properties:
        if s.of == "small":
            return {"w": Number(), "near": doubles(), "third": Number(term(0)), "fourth": Number(term(0))}
        return {
            "w": Number(),
            "third": within(THIRD, GRIDS["third"]),
            "fourth": within(FOURTH, GRIDS["fourth"]),
            "near": Number(v.w + v.third + v.fourth, GRIDS["near"]),
        }

    small = mirrored(binades(angles.TINY, ONE_STEP, of="small"))
    return lemma("angle, ordinary", f, (*about_zero(2.0**-61, HALF * math.pi / HALF_TURN), *small))(
        assume, rest(v.w, ROOM - OFF_ORDINARY)
    )
