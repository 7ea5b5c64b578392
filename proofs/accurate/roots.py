"""cbrt and hypot: powers of two taken out, a root of few bits, and the error of its power, exactly."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from clmath.ir.lanes import SIGN
from clmath.kernels.accurate import roots as accurate
from proofs.fast.logarithm import BINADE, ONE, SCALED
from proofs.lemmas import Lemma, each, kernel
from proofs.terms import (
    VARIABLE,
    Encoding,
    Is,
    Number,
    OnGrid,
    Values,
    at,
    bounded,
    doubles,
    encloses,
    exp,
    inverse,
    log,
    multiples,
    near,
    sqrt,
    term,
    unknown,
    within,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from proofs.engine.traced import Traced
    from proofs.terms import Claim, Property, Subinterval, Term

__all__ = ["LEMMAS", "normalised"]

EXPONENTS = range(-SCALED, 1024)  # of doubles
V = Values()


def normalised(f: Traced, *names: tuple[str, str, str, str]) -> Lemma:
    """Return the lemma that subnormal numbers x get the encoding of 2^1074 x with the exponent less 1074.

    ``names``: of the encoding, of the condition, of the encoding of 2^1074 x, and of the result.
    """
    any_exponent = Encoding(ONE, BINADE, BINADE)
    lowered = Encoding(ONE - SCALED * BINADE, BINADE, BINADE)
    return Lemma(
        "normalised",
        f,
        tuple(at(subnormal=subnormal) for subnormal in (False, True)),
        lambda s: {
            name: found
            for encoding, condition, scaled, _ in names
            for name, found in ((scaled if s.subnormal else encoding, any_exponent), (condition, s.subnormal))
        },
        lambda _, s: [Is(result, lowered if s.subnormal else any_exponent) for *_, result in names],
    )


def binade(n: int, below: int = 0) -> Encoding:
    """Return the encodings of normal numbers from 2^(n - ``below``) on, smaller than 2^(n + 1)."""
    return Encoding((n - below) * BINADE + ONE, (below + 1) * BINADE)


# hypot: the larger leg is a 2^n, the smaller leg b 2^n; p + p_lo = a^2, q + q_lo = b^2; t + rest = p + q

WIDEST = 31  # b, which is not slight, is at least 2^-31
GRID = -114  # of q
SQUARE_REST, REST = 2.0**-52 * (1.0 + 2.0**-20), 2.0**-50 * (1.0 + 2.0**-20)


def squares(f: Traced) -> Lemma:
    """Return the lemma that the squares of a and of b, which is 2^-i .. 2^(1 - i), are exact.

    Rounding is monotonic: p or q is 4^-i .. 4 4^-i, a multiple of 2^-52 4^-i with an error of at most 2^-52 4^-i.
    """
    legs = [("a", "p", 0), *(("b", "q", i) for i in range(WIDEST + 1))]

    def assume(s: Subinterval) -> dict[str, Property]:
        unit = -52 - 2 * s.i
        rounded = Number(VARIABLE * VARIABLE + unknown(2.0**unit), unit)
        return {s.leg: doubles(snapped=True), s.square: rounded}

    def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
        square, rest = getattr(v, s.square), getattr(v, f"{s.square}_lo")
        return [near(square + rest, VARIABLE * VARIABLE, 0), bounded(rest, SQUARE_REST)]

    over = (at(2.0**-i, math.nextafter(2.0 ** (1 - i), 0.0), leg=leg, square=square, i=i) for leg, square, i in legs)
    return Lemma("squares", f, tuple(over), assume, claim)


def total(f: Traced) -> Lemma:
    """Return the lemma that p + q is t + rest: q is at most p, for the root of q is at most the root of p."""

    def assume(s: Subinterval) -> dict[str, Property]:
        half = math.nextafter(2.0 * s.low, 0.0) / 2
        return {"p": doubles(snapped=True), "q": Number(term(half) + unknown(half), GRID)}

    def claim(v: Values, _: Subinterval) -> Sequence[Claim]:
        return [near(v.t + v.rest, v.p + v.q, 0), bounded(v.rest, REST), near(v.t, term(4.5), 3.5 + 2.0**-20)]

    return Lemma("sum", f, tuple(at(low, math.nextafter(2.0 * low, 0.0)) for low in (1.0, 2.0)), assume, claim)


def hypot() -> tuple[Lemma, ...]:
    """Return the lemmas of exponents, squares, their sum, and of the root of the sum, t = 1 .. 8."""
    f, ordinary = kernel(accurate.hypot), {"slight": False, "special": False}
    legs = ("larger", "upper"), ("smaller", "lower")

    def root(s: Subinterval) -> dict[str, Property]:
        rounded = Number(sqrt(VARIABLE) + unknown(2.0**-53 if s.high <= 4.0 else 2.0**-52), -52, paired=True)
        rests = {"rest": within(REST), "p_lo": within(SQUARE_REST), "q_lo": within(SQUARE_REST)}
        return {"t": multiples(-52), "root": rounded, **rests, **ordinary}

    return (
        normalised(f, *((leg, f"{leg}.subnormal", f"{leg}.scaled", result) for leg, result in legs)),
        Lemma(
            "places",
            f,
            tuple(each(EXPONENTS, "n")),
            lambda s: {"upper": binade(s.n), "lower": binade(s.n, WIDEST), **ordinary},
            lambda _, s: [
                Is("n", s.n),
                Is("exponent", s.n),
                Is("code_a", binade(0)),
                Is("code_b", binade(0, WIDEST)),
            ],
        ),
        squares(f),
        total(f),
        Lemma(
            "root",
            f,
            tuple(at(n / 16, (n + 1) / 16) for n in range(16, 128)),
            root,
            lambda v, _: encloses(v, sqrt(v.t + v.rest + v.p_lo + v.q_lo)),
        ),
    )


# cbrt: |x| = m 2^(3 n), m = v 2^rest; y = h + l is near the root; m - y^3 = m - h^3 - 3 h^2 l - l^2 (3 h + l)

PLACES = 128
LOWER, UPPER = 2.0**-17 * (1.0 + 2.0**-10), 0.5 + 2.0**-15  # sizes of l and of h - 1.5
AWAY = 2.0**-33.65  # distance of y from the root
MISSED, ROUNDED = 12.1 * AWAY, 2.0**-82.95  # size of m - y^3, and the error of the computed value
SECOND, THIRD = 12.04 * LOWER, 6.01 * LOWER**2  # sizes of 3 h^2 l and of l^2 (3 h + l)
OFF_THIRD = 2.0**-84


def near_root(f: Traced) -> Lemma:
    """Return the lemma of the error and the parts of y, at every place and for each rest of the exponent."""

    def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
        return [
            near(v.y, exp(log(VARIABLE * 2**s.rest) / 3), AWAY),
            near(v.y, v.h + v.l, 2.0**-34),  # all three are multiples of 2^-33
            bounded(v.l, LOWER),
            near(v.h, term(1.5), UPPER),
            OnGrid("h", -16),
            OnGrid("l", -33),
            OnGrid("y", -33),
        ]

    ends = [(1.0 + j / PLACES, 1.0 + (j + 1) / PLACES - 2.0**-52) for j in range(PLACES)]
    return Lemma(
        "near",
        f,
        tuple(at(*ends[j], rest=rest, j=j) for rest in range(3) for j in range(PLACES)),
        lambda s: {"v": doubles(snapped=True), "rest": s.rest, "j": s.j},
        claim,
    )


def cubes(f: Traced) -> Lemma:
    """Return the lemma that the products of h, and all products of l but the last product, are exact."""

    def assume(s: Subinterval) -> dict[str, Property]:
        if s.of == "h":
            return {"h": Number(grid=-16, snapped=True)}
        h, square = Number(1.5 + unknown(UPPER), -16), Number(2.5 + unknown(1.51), -32, bits=33)
        return {"h": h, "l": Number(grid=-33, snapped=True), "square": square}

    def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
        if s.of == "h":
            square = VARIABLE * VARIABLE
            exact = near(v.square, square, 0), near(v.cube, square * VARIABLE, 0)
            return [*exact, OnGrid("square", -32), OnGrid("cube", -48)]
        third = VARIABLE * VARIABLE * (v.h * 3 + VARIABLE)
        return [
            near(v.third, third, OFF_THIRD),
            bounded(third, THIRD),
            near(v.second, v.square * VARIABLE * 3, 0),
            bounded(v.second, SECOND),
            OnGrid("second", -65),
        ]

    return Lemma("cubes", f, (at(1.5 - UPPER, 1.5 + UPPER, of="h"), at(-LOWER, LOWER, of="l")), assume, claim)


def missed(f: Traced) -> Lemma:
    """Return the lemma that the value computed for d = m - y^3 is d, nearly: h^3 is m less d and the other products."""
    return Lemma(
        "missed",
        f,
        tuple(at(2.0**rest, 2.0 ** (rest + 1), rest=rest) for rest in range(3)),
        lambda _: {
            "d": within(MISSED),
            "exact_second": within(SECOND),
            "exact_third": within(THIRD),
            "m": multiples(-52),
            "cube": Number(VARIABLE - V.d - V.exact_second - V.exact_third, -48),
            "second": Number(V.exact_second, -65),
            "third": Number(V.exact_third + unknown(OFF_THIRD), -1074),
        },
        lambda v, _: near(v.missed, v.d, ROUNDED),
    )


def root_of_cube(v: Values) -> Term:
    """Return the root of y^3 + d, y (1 + u)^(1/3) with u = d/y^3: 1 + u/3 - u^2/9, and less than u^3/10."""
    over = inverse(v.y)
    u = v.d * over * over * over
    return v.y * (1 + u / 3 - u * u / 9 + unknown(0.1 * MISSED**3))


def cbrt() -> tuple[Lemma, ...]:
    """Return the lemmas of the exponent, of y, of its cube, and of the root."""
    f = kernel(accurate.cbrt)
    ends = [(1.0, 1.0), (1.0 + 2.0**-33, 1.0 + 1 / 64), *((1.0 + n / 64, 1.0 + (n + 1) / 64) for n in range(1, 64))]
    return (
        normalised(f, ("encoding", "subnormal", "scaled", "normal")),
        Lemma(
            "exponents",
            f,
            tuple(each(EXPONENTS, "n")),
            lambda s: {"normal": binade(s.n), "plain": True},
            lambda _, s: [
                Is("rest", s.n % 3),
                Is("exponent", s.n // 3),
                Is("code_m", binade(s.n % 3)),
                Is("code_v", binade(0)),
            ],
        ),
        Lemma(
            "places",
            f,
            tuple(each(range(PLACES), "j")),
            lambda s: {"normal": Encoding(ONE + (s.j << 45), 1 << 45, BINADE)},
            lambda _, s: Is("j", s.j),
        ),
        near_root(f),
        cubes(f),
        missed(f),
        Lemma(
            "root",
            f,
            tuple(at(*piece, sign=sign) for piece in ends for sign in (1, -1)),
            lambda s: {
                "d": within(MISSED, paired=True),
                "y": multiples(-33),
                "missed": Number(V.d + unknown(ROUNDED), -1074),
                "exact": False,
                "plain": True,
                "sign": SIGN if s.sign < 0 else 0,
            },
            lambda v, s: encloses(v, root_of_cube(v) * s.sign),
        ),
    )


LEMMAS = {"hypot": lambda _: hypot(), "cbrt": lambda _: cbrt()}
