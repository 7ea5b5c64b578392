"""exp, exp2, exp10, expm1 (Tang's method): x ln b = n ln(2)/256 + r + r_lo + d, and 2^(n/256) e^(r + r_lo + d)."""

from __future__ import annotations

from clmath.kernels.accurate import exponential as accurate
from proofs.fast.exponential import LN_BASE, powers_of_ten
from proofs.lemmas import *

Groups: TypeAlias = "Sequence[tuple[int, int]]"
ACCURATE = {"exp": (accurate.TOP, 2.0**-105), "exp2": (accurate.TOP_2, 2.0**-84), "exp10": (accurate.TOP_10, 2.0**-84)}
STEPS = 256
STEP = log(2) / STEPS


def power(name: str) -> tuple[Lemma, ...]:
    """Return the reduction, and the power: a table entry times a polynomial."""
    f, ln_base, (top, d) = kernel(getattr(accurate, name)), LN_BASE[name], ACCURATE[name]
    ordinary = {"tiny": False, "infinite": False} | ({"exact": False} if name == "exp2" else {})
    rest, reach = {"r": multiples(-200), "r_lo": within(2.0**-60)}, 0.0014
    return (
        lemma("reduction", f, binades(accurate.TINY, top, signs=True))(
            {"tame": doubles()},
            [
                near(v.tame * ln_base, v.n * log(2) / STEPS + v.r + v.r_lo, d),
                *ensures(rest, r=reach),
                bounded(v.n, STEPS * 1400),
            ],
        ),
        lemma("power", f, (at(*ends, j=j) for j in range(STEPS) for ends in ((0.0, reach), (-reach, 0.0))))(
            lambda s: {**rest, "d": within(d), "n": Residue(s.j, STEPS), **ordinary},
            lambda s: [encloses(exp(v.r + v.r_lo + v.d) * power_of_2(s.j / STEPS)), Is("exponent", Exponent())],
        ),
    )


NEAR, REACH = 0.00135, 0.00136  # n = 0 up to there; of r
LOWEST = -100  # of the power 2^-k in the sum
GROUPS = (*((k, k + 4) for k in range(-61, -21, 5)), (-21, -2), (-1, -1), (0, 0), (1, 1155))  # k proven together
CUTS = tuple(REACH / 2.0**i for i in (3.0, 2.0, 1.0, 0.0))
ORDINARY = {"tiny": False, "saturated": False, "infinite": False}


def binades_about(least: float, near: float, *tops: float) -> Iterator[Subinterval]:
    """Yield binades from ``least`` to the greatest size, of each sign where there are two, cut where n = 0 ends."""
    for sign, top in zip("+-", tops, strict=False):
        for s in (*binades(least, near), *binades(near, top)):
            low, high = (s.low, s.high) if sign == "+" else (-s.high, -s.low)
            yield at(low, high, sign=sign)


def reduction(  # noqa: PLR0917
    f: Traced,
    over: Iterable[Subinterval],
    groups: Groups,
    rest: dict[str, Number],
    off: float,
    near_zero: float = NEAR,
    reach: float = REACH,
    step: Term = STEP,
) -> Lemma:
    """Return the lemma that y = n ``step`` + ``rest`` + d, |d| <= ``off``, and k in a group; n = 0 near zero."""
    first, last = groups[0][0] * STEPS, groups[-1][1] * STEPS + STEPS - 1

    def claim(s: Subinterval) -> Claim | Claims:
        if s.farthest <= near_zero:
            return bounded(v.n, 0.75)
        return [
            near(v.tame, sum((v[name] for name in rest), v.n * step), off),
            *ensures(rest, **{next(iter(rest)): reach}),
            near(v.n, (first + last) / 2, (last - first) / 2 + 0.75),
        ]

    return lemma("reduction", f, over)({"tame": doubles()}, claim)


def integers(f: Traced) -> Lemma:
    """Return the lemma that n is 256 k + j."""
    return lemma("integers", f, choices(j=range(STEPS)))(
        lambda s: {"n": Residue(s.j, STEPS)}, lambda s: are(k=Exponent(), j=s.j)
    )


def powers_of_two(f: Traced, groups: Groups, lowest: int) -> Lemma:
    """Return the lemma that the unit is 2^-k, or 2^``lowest`` if that is larger."""
    return lemma("powers of two", f, choices(k=range(groups[0][0], groups[-1][1] + 1)))(
        lambda s: {"k": s.k}, lambda s: near(v.unit, power_of_2(max(-s.k, lowest)), 0)
    )


def unit_between(least: int, greatest: int, lowest: int) -> dict[str, Property]:
    """Return any 2^e with e from ``least`` to ``greatest``: a unit no less than 2^``lowest``, and ``below``."""
    low, high = max(least, lowest), max(greatest, lowest)
    middle, radius = (2.0**high + 2.0**low) / 2, (2.0**high - 2.0**low) / 2
    unit = term(middle) + unknown(radius) if radius else term(middle)
    return {"unit": Number(unit, low, bits=1, paired=True), "below": within(2.0**lowest if least < lowest else 0.0)}


def integer_of(group: tuple[int, int], added: int = 0) -> int | Exponent:
    """Return the integer k + ``added``, where k is in a group."""
    return group[0] + added if group[0] == group[1] else Exponent(added)


def values_of(groups: Groups, cuts: Sequence[float], signs: Sequence[int] = (1,)) -> tuple[Subinterval, ...]:
    """Return r of both signs for each group of k and each j, where n is not 0."""
    return tuple(
        at(*ends, sign=sign, k=group, j=j)
        for group in groups
        for j in range(STEPS)
        if group != (0, 0) or j
        for sign in signs
        for low, high in pairwise((0.0, *cuts))
        for ends in ((low, high), (-high, -low))
    )


REST = {"r": multiples(-78), "r_lo": within(2.0**-60.5, -140, paired=True)}


def expm1() -> tuple[Lemma, ...]:
    """Return the lemmas of e^x - 1 = 2^k (2^(j/256) e^(r + r_lo) - 2^-k), n = 256 k + j."""
    f = kernel(accurate.expm1)
    over = binades_about(accurate.EXPM1_TINY, NEAR, accurate.TOP, -accurate.SATURATED)
    given = {**REST, "d": within(2.0**-105)}
    return (
        reduction(f, over, GROUPS, REST, 2.0**-105),
        integers(f),
        powers_of_two(f, GROUPS, LOWEST),
        lemma("small", f, mirrored(binades(accurate.EXPM1_TINY, REACH * (1.0 + 2.0**-20), sign=1)))(
            {"tame": doubles(), "whole": Number(term(0)), "n": 0, **ORDINARY},
            [encloses(exp(v.tame) - 1), Is("exponent", 0)],
        ),
        lemma("values", f, values_of(GROUPS, CUTS))(
            lambda s: {**given, **unit_between(-s.k[1], -s.k[0], LOWEST), "k": integer_of(s.k), "j": s.j, **ORDINARY},
            lambda s: [
                encloses(exp(v.r + v.r_lo + v.d) * power_of_2(s.j / STEPS) - v.unit - v.below),
                Is("exponent", integer_of(s.k)),
            ],
        ),
    )


LEMMAS = {
    "exp": power,
    "exp2": power,
    "exp10": lambda name: (*power(name), *powers_of_ten(refinement(accurate.refined_exp10), 23)),
    "expm1": lambda _: expm1(),
}
