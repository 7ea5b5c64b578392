"""rsqrt: x = 4^u m, the rounded root s of m and the rounded inverse y of s, and 1/sqrt(m) from what these miss.

1 - s y and m - s^2 are found from the products of the parts of s and y. With p = 1 - s y and q = m - s^2,
1/sqrt(m) = y / (1 - p) / sqrt(1 + q/s^2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.kernels.accurate import roots as accurate
from proofs.fast.logarithm import BINADE, ONE, SCALED
from proofs.lemmas import Lemma, binades, kernel
from proofs.terms import (
    VARIABLE,
    Encoding,
    Formula,
    Is,
    Number,
    OnGrid,
    Values,
    at,
    bounded,
    encloses,
    inverse,
    multiples,
    near,
    sqrt,
    term,
    unknown,
    within,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from proofs.engine.traced import Traced
    from proofs.terms import Claim, Property, Subinterval

__all__ = ["LEMMAS"]

PARTS = {"s1": -25, "s2": -52, "y1": -27, "y2": -53}  # parts of s and y are multiples of 2 to these powers,
SHORT = 26  # have so many bits,
SECOND = 2.0**-26 * 1.03  # and second parts are at most so large
MISSED, MISSED_SQUARE = 2.0**-53 * 1.03, 2.0**-51 * 1.03  # bounds of p and of q
ROUNDED, ROUNDED_SQUARE = 2.0**-106, 2.0**-103  # bounds of their errors
GRID = -110  # the computed p and q are multiples of 2^GRID
FREE = {"p": within(MISSED), "q": within(MISSED_SQUARE)}
UNIT = 2.0**-52
v = Values()


def places(f: Traced) -> Lemma:
    """Return the lemma that x = 4^u m exactly with 1 <= m < 4, and u is the negative of the result's exponent."""

    def assume(s: Subinterval) -> Mapping[str, Property]:
        name = "scaled" if s.kind == "subnormal" else "encoding"  # the encoding of x made a number is x 2^1074
        return {name: Encoding(ONE + s.odd * BINADE, BINADE, 2 * BINADE), "subnormal": s.kind == "subnormal"}

    def claim(_: Values, s: Subinterval) -> Sequence[Claim]:
        added = -SCALED // 2 if s.kind == "subnormal" else 0
        return [Is("code", Encoding(ONE + s.odd * BINADE, BINADE)), Is("half", Encoding(added, 1, 1))]

    over = tuple(at(kind=kind, odd=odd) for kind in ("normal", "subnormal") for odd in range(2))
    return Lemma("places", f, over, assume, claim)


def numbers_from_one_to_two() -> Iterator[Subinterval]:
    """Yield eight numbers next to each end by themselves, then binades of the distance, and subintervals between."""
    for i in range(8):
        yield at(1.0 + i * UNIT, 1.0 + i * UNIT)
        yield at(2.0 - i * UNIT, 2.0 - i * UNIT)
    for s in binades(8 * UNIT, 2.0**-5):
        yield at(1.0 + s.low, 1.0 + s.high)
        yield at(2.0 - s.high, 2.0 - s.low)
    for i in range(1, 31):
        yield at(1.0 + i / 32, 1.0 + (i + 1) / 32)


def roots(f: Traced) -> Lemma:
    """Return the lemma of the sizes of p, q and the parts of s and y.

    Rounding is monotonic: s is from 1 to 2 and within 2^-53 of the root of m, y from 1/2 to 1 and within 2^-54 of 1/s.
    """
    return Lemma(
        "roots",
        f,
        tuple(numbers_from_one_to_two()),
        {
            "root": Number(VARIABLE + unknown(2.0**-53)),
            "s": Number(grid=-52, snapped=True),
            "y": Number(inverse(VARIABLE) + unknown(2.0**-54), -53),
        },
        lambda v, _: [
            Formula("s", ("sqrt", "m")),
            Formula("y", ("double.div", 1.0, "s")),
            *(OnGrid(name, grid, SHORT) for name, grid in PARTS.items()),
            near(v.s * v.y, term(1), MISSED),
            near(v.root * v.root, v.s * v.s, MISSED_SQUARE),
            bounded(v.s2, SECOND),
            bounded(v.y2, SECOND),
        ],
    )


def products(f: Traced) -> Lemma:
    """Return the lemma of p and q from the products of the parts, which are exact: parts have 26 bits."""
    s1, s2, y1, y2 = PARTS.values()
    return Lemma(
        "products",
        f,
        (at(1.0, 2.0, exponent="even"), at(2.0, 4.0, exponent="odd")),
        {
            **FREE,
            "m": multiples(-52),
            "s1y2": within(2 * SECOND, s1 + y2),
            "s2y1": within(SECOND, s2 + y1),
            "s2y2": within(SECOND * SECOND, s2 + y2),
            "s1y1": Number(1 - v.p - v.s1y2 - v.s2y1 - v.s2y2, s1 + y1),
            "s1s2": within(4 * SECOND, s1 + s2 + 1),
            "s2s2": within(SECOND * SECOND, 2 * s2),
            "s1s1": Number(v.m - v.q - v.s1s2 - v.s2s2, 2 * s1),
        },
        lambda v, _: [
            OnGrid("missed", GRID),
            OnGrid("missed_square", GRID),
            near(v.missed, v.p, ROUNDED),
            near(v.missed_square, v.q, ROUNDED_SQUARE),
        ],
    )


def value(f: Traced) -> Lemma:
    """Return the lemma of the value for every y."""
    found = {
        "missed": Number(v.p + unknown(ROUNDED), GRID),
        "missed_square": Number(v.q + unknown(ROUNDED_SQUARE), GRID),
    }

    def claim(v: Values, _: Subinterval) -> Claim:
        of_s = v.y * inverse(1 - v.p)
        return encloses(v, of_s * inverse(sqrt(1 + v.q * of_s * of_s)))

    return Lemma(
        "value",
        f,
        tuple(at(i / 64, (i + 1) / 64, of="y") for i in range(32, 64)),
        {**FREE, "y": Number(grid=-53, snapped=True), **found, "positive": True, "finite": True, "not_one": True},
        claim,
    )


def rsqrt(_: str) -> tuple[Lemma, ...]:
    """Return the lemmas of rsqrt."""
    f = kernel(accurate.rsqrt)
    return places(f), roots(f), products(f), value(f)


LEMMAS = {"rsqrt": rsqrt}
