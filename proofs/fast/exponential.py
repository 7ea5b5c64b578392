"""exp, exp2, exp10 (Cody-Waite reduction, a polynomial): x ln b = n ln 2 + r + d, and 2^n e^(r + d); expm1."""

from __future__ import annotations

from clmath.ir.primitives import mark
from clmath.ir.values import Real
from clmath.kernels.fast import exponential as fast
from clmath.kernels.fast.exponential import exp10, refined_exp10
from proofs.fast.arguments import of_arguments
from proofs.lemmas import *

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
        lemma("reduction", f, binades(fast.TINY, TOP[name], signs=True))(
            {"tame": doubles(24)},
            [near(v.tame * LN_BASE[name], v.n * log(2) + v.r, d), *ensures(rest, r=REACH), bounded(v.n, MOST)],
        ),
        lemma("power", f, (at(0.0, REACH, j=0), at(-REACH, 0.0, j=0)), powers=(-MOST, MOST))(
            {**rest, "d": within(d), "n": Exponent(), **ordinary}, encloses_rounded(exp(v.r + v.d), power=1)
        ),
    )


def powers_of_ten(refined: Refinement, top: int) -> tuple[Lemma, ...]:
    """Return the lemmas of the refinement: 10^x is exact at 0 .. ``top``, and results elsewhere stay the same."""
    below = opposite(binades(2.0**-1074, GREATEST, side="below"))
    first = math.nextafter(top, math.inf) - top
    above = [at(top + s.low, top + s.high, side="above") for s in binades(first, float(top))]
    others = [*below, *above, *(at(s.low, s.high, side="above") for s in binades(2.0 * top, GREATEST))]
    is_integer: Claim = Formula("exact", ("double.eq", "whole", "x"))
    exponent = [Is("new_exponent", 0)] if "exponent" in refined.results else []
    return (
        refined.unchanged(("exact",)),
        refined.lemma("integers", [at(float(n), float(n + 1), of="x") for n in range(top)])(
            {"x": multiples(-1074)}, [OnGrid("whole", 0), is_integer]
        ),
        refined.lemma("others", others)({"x": multiples(-1074)}, Is("exact", expected=False)),
        refined.lemma("powers", choices(n=range(top + 1)))(
            lambda s: {"x": constant(float(s.n))}, lambda s: [*exponent, *refined.exactly(10**s.n)]
        ),
    )


def exp10_refined(x: Real) -> object:
    """Return the results of exp10, refined."""
    return refined_exp10(x, *mark("value err", *exp10(x)))


LEMMAS = {
    **dict.fromkeys(("exp", "exp2"), lemmas),
    "exp10": lambda name: (*lemmas(name), *powers_of_ten(refinement(exp10_refined, 2, "refined_exp10"), 10)),
    "expm1": lambda _: of_arguments(
        fast.expm1, lambda x: exp(x) - 1, fast.TINY, fast.TOP, 2.0**-8, ("saturated", "tiny")
    ),
}
