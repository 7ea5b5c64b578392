"""exp, exp2, exp10, expm1 (Tang's method): x ln b = n ln(2)/256 + r + r_lo + d, and 2^(n/256) e^(r + r_lo + d)."""

from __future__ import annotations

import functools
import math
from itertools import pairwise
from typing import TYPE_CHECKING

from clmath.kernels.double import exponential as accurate
from proofs.engine.models import GREATEST
from proofs.fast.exponential import LN_BASE
from proofs.lemmas import Lemma, binades, each, kernel
from proofs.terms import (
    RESULTS,
    Exponent,
    Formula,
    Is,
    Number,
    OnGrid,
    Residue,
    Same,
    at,
    bounded,
    constant,
    doubles,
    encloses,
    ensures,
    exp,
    log,
    multiples,
    near,
    power_of_2,
    term,
    unknown,
    within,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from proofs.terms import Claim, Property, Subinterval, Values

__all__ = ["LEMMAS"]

ACCURATE = {"exp": (accurate.TOP, 2.0**-105), "exp2": (accurate.TOP_2, 2.0**-84), "exp10": (accurate.TOP_10, 2.0**-84)}
STEPS = 256


def power(name: str) -> tuple[Lemma, ...]:
    """Return the reduction, and the power: a table entry times a polynomial."""
    f, ln_base, (top, d) = kernel(getattr(accurate, name)), LN_BASE[name], ACCURATE[name]
    ordinary = {"tiny": False, "infinite": False} | ({"exact": False} if name == "exp2" else {})
    rest, reach = {"r": multiples(-200), "r_lo": within(2.0**-60)}, 0.0014
    return (
        Lemma(
            "reduction",
            f,
            tuple(binades(accurate.TINY, top, signs=True)),
            {"tame": doubles()},
            lambda v, _: [
                near(v.tame * ln_base, v.n * log(2) / STEPS + v.r + v.r_lo, d),
                *ensures(v, rest, r=reach),
                bounded(v.n, STEPS * 1400),
            ],
        ),
        Lemma(
            "power",
            f,
            tuple(at(*ends, j=j) for j in range(STEPS) for ends in ((0.0, reach), (-reach, 0.0))),
            lambda s: {**rest, "d": within(d), "n": Residue(s.j, STEPS), **ordinary},
            lambda v, s: [
                encloses(v, exp(v.r + v.r_lo + v.d) * power_of_2(s.j / STEPS)),
                Is("exponent", Exponent()),
            ],
        ),
    )


def refined_exp10() -> tuple[Lemma, ...]:
    """Return the lemmas of the refinement: 10^x is exact at 0 .. 23, and results elsewhere stay the same."""
    f, top = kernel(accurate.refined_exp10), 23.0
    below = [at(-s.high, -s.low, side="below") for s in binades(2.0**-1074, GREATEST)]
    above = [at(top + s.low, top + s.high, side="above") for s in binades(math.nextafter(top, 99.0) - top, top)]
    others = [*below, *above, *(at(s.low, s.high, side="above") for s in binades(2.0 * top, GREATEST))]
    refinement = functools.partial(Lemma, traced=f, refines=True, second_functions=frozenset({"refined_exp10"}))
    return (
        refinement(
            "unchanged",
            over=(at(of="exact"),),
            assume={"exact": False},
            claim=lambda _v, _s: [Same(f"new_{part}", part) for part in RESULTS[4]],
        ),
        refinement(
            "integers",
            over=tuple(at(float(n), float(n + 1), of="x") for n in range(int(top))),
            assume={"x": multiples(-1074)},
            claim=lambda _v, _s: [OnGrid("whole", 0), Formula("exact", ("double.eq", "whole", "x"))],
        ),
        refinement(
            "others", over=others, assume={"x": multiples(-1074)}, claim=lambda _v, _s: Is("exact", expected=False)
        ),
        refinement(
            "powers",
            over=each(range(int(top) + 1), "n"),
            assume=lambda s: {"x": constant(float(s.n))},
            claim=lambda v, s: [
                Is("new_exponent", 0),
                near(v.new_hi + v.new_lo, term(10**s.n), 0),
                bounded(v.new_err, 0),
            ],
        ),
    )


NEAR, REACH, LOWEST = 0.00135, 0.00136, -100  # n = 0 up to there; of r; of the power 2^-k in the sum
GROUPS = (*((k, k + 4) for k in range(-61, -21, 5)), (-21, -2), (-1, -1), (0, 0), (1, 1155))  # k proven together
ORDINARY = {"tiny": False, "saturated": False, "infinite": False}


def expm1() -> tuple[Lemma, ...]:
    """Return the lemmas of e^x - 1 = 2^k (2^(j/256) e^(r + r_lo) - 2^-k), n = 256 k + j."""
    f = kernel(accurate.expm1)
    first, last = GROUPS[0][0] * STEPS, GROUPS[-1][1] * STEPS + STEPS - 1
    sides = ((1, accurate.TOP), (-1, -accurate.SATURATED))
    ends = [
        (sign, piece)
        for sign, top in sides
        for low, high in ((accurate.EXPM1_TINY, NEAR), (NEAR, top))
        for piece in binades(low, high)
    ]
    ordered = [at(*sorted((sign * piece.low, sign * piece.high)), sign="+-"[sign < 0]) for sign, piece in ends]
    rest = {"r": multiples(-78), "r_lo": within(2.0**-60.5, -140, paired=True)}
    cuts = [REACH / 2.0**i for i in (3.0, 2.0, 1.0, 0.0)]

    def reduced(v: Values, s: Subinterval) -> Claim | Sequence[Claim]:
        if max(abs(s.low), abs(s.high)) <= NEAR:
            return bounded(v.n, 0.75)
        return [
            near(v.tame, v.n * log(2) / STEPS + v.r + v.r_lo, 2.0**-105),
            *ensures(v, rest, r=REACH),
            near(v.n, term((first + last) / 2), (last - first) / 2 + 0.75),
        ]

    def of_group(s: Subinterval) -> Mapping[str, Property]:
        (least, greatest), (low, high) = s.k, sorted(max(-k, LOWEST) for k in s.k)
        middle, radius = (2.0**high + 2.0**low) / 2, (2.0**high - 2.0**low) / 2
        unit = term(middle) + unknown(radius) if radius else term(middle)
        given = {
            **rest,
            "d": within(2.0**-105),
            "unit": Number(unit, low, bits=1, paired=True),
            "below": within(2.0**LOWEST if -greatest < LOWEST else 0.0),  # 2^-k is no smaller in the sum
            "k": least if least == greatest else Exponent(),
            "j": s.j,
        }
        return given | ORDINARY

    return (
        Lemma("reduction", f, tuple(ordered), {"tame": doubles()}, reduced),
        Lemma(
            "integers",
            f,
            tuple(each(range(STEPS), "j")),
            lambda s: {"n": Residue(s.j, STEPS)},
            lambda _, s: [Is("k", Exponent()), Is("j", s.j)],
        ),
        Lemma(
            "powers of two",
            f,
            tuple(each(range(GROUPS[0][0], GROUPS[-1][1] + 1), "k")),
            lambda s: {"k": s.k},
            lambda v, s: near(v.unit, power_of_2(max(-s.k, LOWEST)), 0),
        ),
        Lemma(
            "small",
            f,
            tuple(
                at(*ends, sign=1)
                for s in binades(accurate.EXPM1_TINY, REACH * (1.0 + 2.0**-20))
                for ends in ((s.low, s.high), (-s.high, -s.low))
            ),
            {"tame": doubles(), "whole": Number(term(0)), "n": 0, **ORDINARY},
            lambda v, _: [encloses(v, exp(v.tame) - 1), Is("exponent", 0)],
        ),
        Lemma(
            "values",
            f,
            tuple(
                at(*ends, sign=1, k=group, j=j)
                for group in GROUPS
                for j in range(STEPS)
                if group != (0, 0) or j
                for low, high in pairwise((0.0, *cuts))
                for ends in ((low, high), (-high, -low))
            ),
            of_group,
            lambda v, s: [
                encloses(v, exp(v.r + v.r_lo + v.d) * power_of_2(s.j / STEPS) - v.unit - v.below),
                Is("exponent", s.k[0] if s.k[0] == s.k[1] else Exponent()),
            ],
        ),
    )


LEMMAS = {
    "exp": power,
    "exp2": power,
    "exp10": lambda name: (*power(name), *refined_exp10()),
    "expm1": lambda _: expm1(),
}
