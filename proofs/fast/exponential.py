"""exp, exp2, exp10 (Cody-Waite reduction, a polynomial): x ln b = n ln 2 + r + d, and 2^n e^(r + d); expm1."""

from __future__ import annotations

from clmath.kernels.quick import exponential as fast
from proofs.fast.arguments import of_arguments
from proofs.lemmas import Lemma, binades, kernel
from proofs.terms import (
    Exponent,
    at,
    bounded,
    doubles,
    encloses_rounded,
    ensures,
    exp,
    log,
    multiples,
    near,
    term,
    within,
)

__all__ = ["LEMMAS", "LN_BASE"]

LN_BASE = {"exp": term(1), "exp2": log(2), "exp10": log(10)}
TOP = {"exp": fast.TOP, "exp2": 160.0, "exp10": 50.0}
REDUCTION = {"exp": 0.52 * 2.0**-54, "exp2": 0.37 * 2.0**-53, "exp10": 0.37 * 2.0**-52}  # bounds of d
REACH, MOST = 0.3467, 170  # of r; of n


def lemmas(name: str) -> tuple[Lemma, ...]:
    """Return the reduction, and the power of two times the polynomial."""
    f, d = kernel(getattr(fast, name), 2), REDUCTION[name]
    ordinary = {"tiny": False, "infinite": False} | ({"exact": False} if name == "exp2" else {})
    rest = {"r": multiples(-150)}
    return (
        Lemma(
            "reduction",
            f,
            tuple(binades(fast.TINY, TOP[name], signs=True)),
            {"tame": doubles(24)},
            lambda v, _: [
                near(v.tame * LN_BASE[name], v.n * log(2) + v.r, d),
                *ensures(v, rest, r=REACH),
                bounded(v.n, MOST),
            ],
        ),
        Lemma(
            "power",
            f,
            (at(0.0, REACH, j=0), at(-REACH, 0.0, j=0)),
            {**rest, "d": within(d), "n": Exponent(), **ordinary},
            lambda v, _: encloses_rounded(v, exp(v.r + v.d), power=1),
            powers=(-MOST, MOST),
        ),
    )


LEMMAS = {
    **dict.fromkeys(LN_BASE, lemmas),
    "expm1": lambda _: of_arguments(
        fast.expm1, lambda x: exp(x) - 1, fast.TINY, fast.TOP, 2.0**-8, ("saturated", "tiny")
    ),
}
