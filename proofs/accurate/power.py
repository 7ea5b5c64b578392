"""pow, powr, pown, rootn: as the fast ones, with a logarithm of two tables and a bound that grows with |p|.

x = 2^k m with m at its place j, and m c1 c2 = 1 + r + r_lo with the entries c1, c2 of both tables: log2 x is the sum of
k, the heads and the tails of the tables' logarithms, and t + u + rest for 1 + r + r_lo.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from clmath.ir.lanes import SIGN
from clmath.kernels.double import power as accurate
from proofs.engine.models import half_ulp
from proofs.fast.logarithm import ONE, Layout, around_one, places
from proofs.fast.power import Limits, at_least, product, quotient, reduction, relative
from proofs.lemmas import Lemma, binades, kernel
from proofs.terms import (
    Bounded,
    Exponent,
    Formula,
    Is,
    Number,
    OnGrid,
    Residue,
    RestOfSum,
    Values,
    at,
    bounded,
    doubles,
    ensures,
    exp,
    least,
    least_size,
    log,
    multiples,
    near,
    power_of_2,
    term,
    unknown,
    within,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from proofs.engine.traced import Traced
    from proofs.terms import Claim, Property, Subinterval, Term

__all__ = ["LEMMAS", "LIMITS", "logarithm", "ordinary"]

LAYOUT = Layout(ONE, 128, 45, accurate.SQRT2_PLACE)
LIMITS = Limits(
    log=2.0**-79.5,
    low=2.0**-52,
    least=2.0**-53,
    most=1075.0,
    powers=(-130, 66),
    slight=accurate.TINY,
    top=accurate.TOP,
    off=2.0**-95,
    reach=0.00136,
    exponents=1201,
    steps=256,
    rests={"s": multiples(-700), "s_lo": within(2.0**-57)},
    grid=-340,
    grid_of_rest=-600,
)
POWERS = (-1074, -1), (1, 1024)  # k of all doubles but 0
HALF_STEP = 0.5 + 2.0**-12  # |8192 (m c1 - 1) - n|, n the integer next to the value for the first half of m
FINE = 64  # the places of the second table are n from -64 to 64
LEFT = 0.25  # by which logarithms may be larger than the sum of k and the heads

REACH = 2.0**-13.6
FOLDED = {"r": multiples(-76), "r_lo": within(half_ulp(REACH) * (1.0 + 2.0**-20), -76)}
BESIDE = {"t": within(2.0**-13, LIMITS.grid), "u": within(2.0**-27, LIMITS.grid), "rest": within(2.0**-40, LIMITS.grid)}
HEAD, TAIL = within(0.51, -42), within(2.0**-41, LIMITS.grid)
ERROR_BESIDE, ERROR_OF_TABLES = 2.0**-90, 2.0**-92


def index(f: Traced) -> Lemma:
    """Return the lemma that the place in the second table is that of n, and |8192 (m c1 - 1) - n| hardly above 1/2."""
    return Lemma(
        "index",
        f,
        tuple(at(*LAYOUT.ends(j, 53), j=j) for j in range(LAYOUT.places)),
        lambda s: {"j": s.j, "m": Number(grid=-52)},
        lambda v, s: [
            bounded(v.nearest, 2.0 * FINE),
            bounded(v.nearest, FINE + 0.5),
            near((v.m * float(accurate.COARSE[s.j]) - 1) * 8192, v.nearest, HALF_STEP),
            Formula("i", ("long.add", "nearest", FINE)),
        ],
    )


def sizes(exact: Term, size: Term) -> list[Claim]:
    """Return the claims of the logarithm l + l_lo: that it is ``exact``, nearly, and what l_lo is."""
    grids = [OnGrid(name, LIMITS.grid) for name in ("l", "l_lo")]
    return [*relative(LIMITS, exact, size), RestOfSum("l", "l_lo"), *grids]


def next_to_one(f: Traced) -> Lemma:
    """Return the lemma of log2 m at each pair of places, k = 0, and of the values that all k have in common."""

    def assume(s: Subinterval) -> Mapping[str, Property]:
        return {"k": 0, "j": s.j, "i": s.i, "m": doubles(snapped=True)}

    def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
        first, second = float(accurate.COARSE[s.j]), float(accurate.FINE[s.i])
        exact = log(v.m) / log(2) - LAYOUT.carried(s.j)
        at_one = s.low == s.high == 1.0
        return [
            *(sizes(term(0), term(0)) if at_one else [*sizes(exact, least_size(exact)), at_least(v.l, LIMITS.least)]),
            near(v.m * first * second - 1, v.r + v.r_lo, 0),
            *ensures(v, FOLDED, r=REACH),
            near(v.head + v.tail + LAYOUT.carried(s.j), -(log(first) + log(second)) / log(2), ERROR_OF_TABLES),
            *ensures(v, {"head": HEAD, "tail": TAIL}),
        ]

    pairs = [(j, n) for j in range(LAYOUT.places) for n in range(-FINE, FINE + 1)]
    over = [at(*ends, k=(0, 0), j=j, i=n + FINE) for j, n in pairs for ends in ends_of(j, n)]
    return Lemma("logarithm", f, tuple(over), assume, claim)


def ends_of(j: int, n: int) -> Iterator[tuple[float, float]]:
    """Yield the subintervals of all m at a pair of places, by what is proven of the index."""
    c = float(accurate.COARSE[j])
    low, high = ((1.0 + (n + sign * HALF_STEP) / 8192.0) / c for sign in (-1.0, 1.0))
    first, last = LAYOUT.ends(j, 53)
    low, high = max(low - 2.0**-50, first), min(high + 2.0**-50, last)
    if low <= high:
        yield from around_one(low, high, 53, near=True)


def beside_one(f: Traced) -> Lemma:
    """Return the lemma that t + u + rest is log2(1 + r + r_lo)."""
    return Lemma(
        "beside 1",
        f,
        (at(0.0, REACH, sign="+"), at(-REACH, 0.0, sign="-")),
        FOLDED,
        lambda v, _: [
            near(v.t + v.u + v.rest, log(v.r + v.r_lo + 1) / log(2), ERROR_BESIDE),
            *ensures(v, BESIDE),
        ],
    )


def heads(f: Traced) -> Lemma:
    """Return the lemma that k and the sum of the tables' heads are added exactly, for every k but 0."""
    return Lemma(
        "heads",
        f,
        tuple(at(k=powers) for powers in POWERS),
        {"k": Exponent(number=True), "head": HEAD},
        lambda v, _: [near(v.with_k, v.k + v.head, 0), bounded(v.with_k, LIMITS.most - LEFT), OnGrid("with_k", -42)],
        powers=lambda s: s.k,
    )


def far_from_one(f: Traced) -> Lemma:
    """Return the lemma of the logarithm where k is not 0: the sum of k and the tables' heads is the variable."""

    def claim(v: Values, _s: Subinterval) -> Sequence[Claim]:
        exact = v.with_k + v.t + v.u + v.rest + v.tail + unknown(ERROR_BESIDE + ERROR_OF_TABLES)
        size = least_size(v.with_k) + term(-2.0 * 2.0**-13)
        return [*sizes(exact, size), at_least(v.l, LIMITS.least)]

    return Lemma(
        "far from 1",
        f,
        tuple(binades(1.0 - 0.51, LIMITS.most - LEFT, signs=True)),
        {"with_k": Number(grid=-42), **BESIDE, "tail": TAIL},
        claim,
    )


def logarithm(f: Traced) -> tuple[Lemma, ...]:
    """Return the lemmas of l + l_lo in any kernel that takes log2 of its first argument's size."""
    return (
        places(f, LAYOUT, "k", subnormal=True),
        index(f),
        next_to_one(f),
        beside_one(f),
        heads(f),
        far_from_one(f),
    )


def power(f: Traced, conditions: Mapping[str, Property]) -> Lemma:
    """Return the lemma of 2^(n/256) e^(s + s_lo), whose err holds for y log2 x.

    With p + p_lo = y log2 x (1 + a), |a| <= away, the exact value is 2^(p + p_lo) e^z with |z| <= away |p| log 2. The
    error for 2^(p + p_lo) is no larger than what err leaves beside that, for every |p|.
    """
    half, steps = term(LIMITS.top / 2), LIMITS.steps
    growth = log(2) * (Fraction(LIMITS.away) * (1 + Fraction(2) ** -40))

    def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
        exact = exp(v.s + v.s_lo + v.d) * power_of_2(s.j / steps)
        return [
            Bounded(v.hi + v.lo - exact, least(v.err - v.hi * v.size * growth)),
            Bounded(exact - v.hi, least_size(v.hi) * 2.0**-45),
            Is("exponent", Exponent()),
        ]

    return Lemma(
        "power",
        f,
        tuple(at(*ends, j=j) for j in range(steps) for ends in ((0.0, LIMITS.reach), (-LIMITS.reach, 0.0))),
        lambda s: {
            **LIMITS.rests,
            "d": within(LIMITS.off),
            "size": Number(half + unknown(half), -1074),
            "steps": Residue(s.j, steps),
            **conditions,
        },
        claim,
    )


def negative(f: Traced, conditions: Mapping[str, Property]) -> Lemma:
    """Return the lemma that negative results are the positive results with the other sign."""
    given: Mapping[str, Property] = {"unsigned": multiples(-1074), "unsigned_lo": within(1.0), "sign": SIGN}
    return Lemma(
        "sign",
        f,
        (at(0.5, 1.0, sign="-"), at(1.0, 4.0, sign="-")),
        {**conditions, **given},
        lambda v, _: [near(v.hi, -v.unsigned, 0), near(v.lo, -v.unsigned_lo, 0)],
    )


def ordinary(name: str) -> tuple[Traced, Mapping[str, bool]]:
    """Return a kernel and its conditions where arguments are ordinary and p is neither tiny nor clipped."""
    first = {"first": False} if name in {"pown", "rootn"} else {}
    return kernel(getattr(accurate, name)), first | {"special": False, "tiny": False, "usual": True}


def lemmas(name: str) -> tuple[Lemma, ...]:
    """Return the logarithm, its product or quotient, the reduction, the power of 2, and the sign."""
    f, conditions = ordinary(name)
    scaled = (quotient if name == "rootn" else product)(f, LIMITS)
    parts = *logarithm(f), scaled, reduction(f, LIMITS, 0.0)
    if name == "powr":
        return *parts, power(f, conditions)
    return *parts, power(f, {**conditions, "sign": 0}), negative(f, conditions)


LEMMAS = dict.fromkeys(("pow", "powr", "pown", "rootn"), lemmas)
