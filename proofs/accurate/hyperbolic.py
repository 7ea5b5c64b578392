"""sinh, cosh, tanh: e^y -+ e^-y over 2^k, and m / (m + 2) with m = e^y - 1 over 2^k; y is |x|, or 2 |x|."""

from __future__ import annotations

from clmath.kernels.accurate import exponential
from clmath.kernels.accurate import hyperbolic as accurate
from proofs.accurate import exponential as steps
from proofs.accurate.exponential import CUTS, LOWEST, NEAR, REACH, REST, STEPS, binades_about, integer_of
from proofs.lemmas import *

HIGHEST = 1155  # 800 / ln 2
GROUPS = (0, 0), (1, 1), (2, 7), (8, HIGHEST)  # k proven together
OF_TANH = (0, 0), (1, 62)
CLOSE = tuple(REACH / 2.0**i for i in (4.0, *(i / 3 for i in range(9, -1, -1))))  # where the bound grows with r
LEAST_UNIT = -200  # of the power in 2^(-n/256) 2^-k
GIVEN = {**REST, "d": within(2.0**-105)}


def sums(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of 2^-k (e^|x| -+ e^-|x|), n = 256 k + i and -n = 256 opposite + j."""
    f, is_odd = kernel(getattr(accurate, name)), name == "sinh"
    signs, ordinary = (1, -1) if is_odd else (1,), {"tiny": False, "infinite": False}

    def of_sign(s: Subinterval) -> Properties:
        return {**ordinary, "negative": s.sign < 0} if is_odd else ordinary

    def both(up: Term, down: Term, sign: int) -> Term:
        return (up - down) * sign if is_odd else up + down

    def assume(s: Subinterval) -> Properties:
        least, greatest = (-2 * k - (s.j > 0) for k in reversed(s.k))
        integers = {"k": integer_of(s.k), "i": s.j, "j": -s.j % STEPS}
        return {**GIVEN, **integers, **steps.unit_between(least, greatest, LEAST_UNIT), **of_sign(s)}

    def claim(s: Subinterval) -> Claims:
        y = v.r + v.r_lo + v.d
        down = exp(-y) * power_of_2(-s.j % STEPS / STEPS) * (v.unit + v.below)
        up = exp(y) * power_of_2(s.j / STEPS)
        return [encloses(both(up, down, s.sign)), Is("exponent", integer_of(s.k, -1))]

    return (
        steps.reduction(f, binades_about(accurate.TINY, NEAR, exponential.TOP), GROUPS, REST, 2.0**-105),
        lemma("integers", f, choices(i=range(STEPS)))(
            lambda s: {"n": Encoding(s.i, 1, STEPS)},
            lambda s: are(k=Encoding(0, 1, 1), i=s.i, j=-s.i % STEPS, opposite=Encoding(-(s.i > 0), 1, -1)),
        ),
        lemma("powers of two", f, choices(k=range(HIGHEST + 1), more=(0, 1)))(
            lambda s: {"k": s.k, "opposite": -s.k - s.more},
            lambda s: near(v.unit, power_of_2(max(-2 * s.k - s.more, LEAST_UNIT)), 0),
        ),
        lemma("small", f, choices(small(accurate.TINY), sign=signs))(
            lambda s: {"tame": doubles(), "whole": Number(term(0)), "n": 0, **of_sign(s)},
            lambda s: [encloses(both(exp(v.tame), exp(-v.tame), s.sign)), Is("exponent", -1)],
        ),
        lemma("values", f, steps.values_of(GROUPS, CUTS if is_odd else CLOSE, signs))(assume, claim),
    )


def small(least: float) -> list[Subinterval]:
    """Return the y for which n = 0."""
    return list(binades(least, REACH * (1.0 + 2.0**-20)))


def off(top: float, power: Term, size: Term) -> Term:
    """Return a bound of the error of m, given its size and 2^(j/256) = ``power``: the err of expm1."""
    wide = power * exponential.EXPM1_WIDEST + size * 2.0**-100
    return lesser(size * exponential.EXPM1_BOUND * top, wide * top)


def lower_part(size: Term, k: int) -> Term:
    """Return a bound of m_lo for an m of that size: m is below 1 where k = 0, and below 2 elsewhere."""
    return size * 2.0**-52.9 if k == 0 else term(2.0**-52.99)


def tanh() -> tuple[Lemma, ...]:
    """Return the lemmas of m as a pair, and of m / (m + 2 2^-k)."""
    f, ordinary = kernel(accurate.tanh), {"tiny": False, "saturated": False}

    def pair(s: Subinterval) -> Claims:
        power, size = power_of_2(s.j / STEPS), least_size(v.m)
        low, high, unit = (0.0013, 1.0, term(0)) if s.k == (0, 0) else (0.998, 2.0, v.unit)
        return [
            near(v.m + v.m_lo, exp(v.r + v.r_lo + v.d) * power - v.unit, off(1.0, term(2.0 ** (s.j / STEPS)), size)),
            bounded(v.m_lo, lower_part(size, s.k[0])),
            lies(v.m + unit, low, high),
        ]

    def of_quotient(s: Subinterval) -> Properties:
        unit, top = math.ldexp(1.0, -s.k), most(VARIABLE)
        error = off(1.0 + 2.0**-40, (top + unit) * 1.0015, top)
        pair = {"m": doubles(), "m_lo": within(lower_part(top, s.k)), "d": within(error)}
        return {**pair, "unit": constant(unit), "negative": s.sign < 0, **ordinary}

    def quotient(m: Term, unit: float, sign: int) -> Term:
        return m * inverse(m + 2.0 * unit) * sign

    over = binades_about(2.0 * accurate.TINY, NEAR, 2.0 * accurate.SATURATED)
    least = {k: 0.998 - 2.0**-k if k else 0.0013 for k in range(OF_TANH[-1][1] + 1)}
    sizes = ((k, s) for k in least for s in cut(binades(least[k], 2.0 - 2.0**-k), 4))
    return (
        steps.reduction(f, over, OF_TANH, HALF, 2.0**-105),
        steps.integers(f),
        steps.powers_of_two(f, OF_TANH, LOWEST),
        lemma("small", f, choices(small(2.0 * accurate.TINY), sign=(1, -1)))(
            lambda s: {"tame": doubles(), "whole": Number(term(0)), "n": 0, "negative": s.sign < 0, **ordinary},
            lambda s: [encloses(quotient(exp(v.tame) - 1, 1.0, s.sign)), Is("exponent", 0)],
        ),
        lemma("pairs", f, steps.values_of(OF_TANH, CUTS))(
            lambda s: {**GIVEN, **HALF, **steps.unit_between(-s.k[1], -s.k[0], LOWEST), "j": s.j}, pair
        ),
        lemma("quotients", f, (at(s.low, s.high, sign=sign, k=k) for k, s in sizes for sign in (1, -1)))(
            of_quotient, lambda s: [encloses(quotient(v.m + v.m_lo + v.d, 2.0**-s.k, s.sign)), Is("exponent", 0)]
        ),
    )


HALF = {**REST, "r_lo": within(2.0**-62.5, -140, paired=True)}  # of smaller sizes
LEMMAS = {"sinh": sums, "cosh": sums, "tanh": lambda _: tanh()}
