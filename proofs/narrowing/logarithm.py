"""log, log2, log10: log2 x of the power functions, a step of Newton's method from there, and its product; log1p.

x = 2^k m, m in 1/sqrt(2) .. sqrt(2); l + l_lo is log2 x, nearly, and log_m + log_m_lo what is left of the sum less k.
With d = m 2^-(log_m + log_m_lo) - 1, which is small, log2 x is exactly k + log_m + log_m_lo + log2(1 + d).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from clmath.kernels.accurate import logarithm as accurate
from clmath.kernels.narrowing import logarithm as kernels
from clmath.kernels.narrowing.power import SQRT2
from proofs.accurate import logarithm as accurate_lemmas
from proofs.accurate import power
from proofs.accurate.exponential import integer_of, unit_between
from proofs.engine.models import GREATEST
from proofs.fast.logarithm import BINADE, ONE, SCALED
from proofs.lemmas import Lemma, binades, kernel
from proofs.narrowing.enclosures import OWN, narrowing
from proofs.narrowing.exponential import Scaled, integers
from proofs.terms import (
    VARIABLE,
    Bounded,
    Encoding,
    Is,
    Number,
    OnGrid,
    RestOfSum,
    Values,
    at,
    bounded,
    constant,
    doubles,
    ensures,
    exp,
    inverse,
    least,
    least_size,
    lesser,
    log,
    most,
    multiples,
    near,
    power_of_2,
    term,
    unknown,
    within,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from proofs.engine.traced import Traced
    from proofs.terms import Claim, Property, Subinterval, Term

v = Values()

__all__ = ["half_unit_of", "mirrored", "pair"]

STEPS = 256
POWERS = -1074, 1024  # k of all doubles
LEAST, GRID = power.LIMITS.least, power.LIMITS.grid  # of l
HALF, REACH = 0.5 + 2.0**-36, 0.5 + 2.0**-30  # |l - k| and |log_m| at most
FAR, FARTHEST = 1.0 - HALF, POWERS[1] + 51.0  # |l| where k is not 0: at least, at most
CLOSE = 2.0**-27  # subintervals next to the ends of conditions are short, as balls have few bits
TIE = 0.5 / STEPS
LEFT_OUT = 2.0**-139  # the part of the bound for d^2 where k is not 0
LEFT_OVER = 0.0019532  # the size of the rest of -log_m where n is not 0
RISE, HIGHEST, OFF = {"rise": multiples(-420), "rise_lo": within(2.0**-62)}, 0.00136, 2.0**-109  # of e^r - 1, as a pair

# shares of |l|: the error of the sum less k, |d|, the step d log2(e), its error beside the bound, and that bound
APART, SLIGHT, STEP, BESIDE, CHANGE = 2.0**-104.9, 2.0**-80, 2.0**-79, 2.0**-130, 2.0**-90


def half_unit_of(grid: int) -> Number:
    """Return the rest of a sum that is the variable: at most half a unit in its last place, 2^-53 of the sum."""
    return within(most(VARIABLE) * 2.0**-53, grid)


def mirrored(pieces: Sequence[Subinterval] | Iterator[Subinterval], **parameters: object) -> Iterator[Subinterval]:
    """Yield the subintervals, and those of the other sign."""
    for s in pieces:
        yield at(s.low, s.high, **parameters)
        yield at(-s.high, -s.low, **parameters)


def halves(f: Traced) -> Lemma:
    """Return the lemma that x = 2^k m exactly and m lies between 1/sqrt(2) and sqrt(2), by encodings.

    The encoding of positive normal x is q 2^52 + the encoding of m', 1 <= m' < 2, and m is m' with k = q, or m'/2 with
    k = q + 1; the same holds of x 2^1074 for subnormal x.
    """
    unit = 2.0**-52
    below = ((1.0, SQRT2 - CLOSE), (SQRT2 - CLOSE, SQRT2 - unit), (SQRT2, SQRT2))
    above = ((SQRT2 + unit, SQRT2 + CLOSE), (SQRT2 + CLOSE, 2.0 - unit))
    over = (
        at(*ends, subnormal=subnormal, upper=upper)
        for subnormal in (False, True)
        for upper, pieces in enumerate((below, above))
        for ends in pieces
    )

    def assume(s: Subinterval) -> Mapping[str, Property]:
        encoding = Encoding(ONE, BINADE, BINADE)
        return {"m": doubles(snapped=True), "scaled" if s.subnormal else "encoding": encoding, "subnormal": s.subnormal}

    def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
        return [
            Is("power", Encoding(s.upper - (SCALED if s.subnormal else 0), 1, 1)),
            near(v.significand, v.m * 2.0**-s.upper, 0),
            near(v.significand, term(0.75 * SQRT2), 0.25 * SQRT2 + 2.0**-38),
        ]

    return Lemma("halves", f, tuple(over), assume, claim)


def rests(f: Traced) -> Lemma:
    """Return the lemma that log_m + log_m_lo is l + l_lo - k, nearly, for every k, so that |d| is small."""
    over = [at(k - HALF, k + HALF, k=k) for k in range(POWERS[0], POWERS[1] + 1) if k]
    farthest_d = exp((2.0**-50 + term(1)) * power.LIMITS.log * log(2) + log(2) * APART) - 1  # |log2 x| hardly above |l|

    def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
        return [
            near(v.log_m + v.log_m_lo, v.l + v.l_lo - s.k, least_size(v.l) * APART if s.k else 0),
            RestOfSum("log_m", "log_m_lo"),
            *(OnGrid(name, GRID) for name in ("log_m", "log_m_lo")),
            bounded(v.log_m, REACH),
            bounded(farthest_d, SLIGHT),
        ]

    return Lemma(
        "rests",
        f,
        (*over, *mirrored(binades(LEAST, HALF), k=0)),
        lambda s: {"l": doubles(snapped=True), "l_lo": half_unit_of(GRID), "power": s.k},
        claim,
    )


def quotients(f: Traced) -> Lemma:
    """Return the lemma that -log_m - log_m_lo is n/256 + left + left_lo exactly; n = 0 next to 0."""
    over = [*mirrored([at(0.0, TIE - CLOSE), at(TIE - CLOSE, math.nextafter(TIE, 0.0))], n=0)]
    for n in range(1, STEPS // 2 + 1):
        low, high = (n - 0.5) / STEPS, min((n + 0.5) / STEPS, REACH)
        over += [at(low, high, n=n), at(-high, -low, n=-n)]

    def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
        if not s.n:
            return [near(v.n, term(0), 0), near(v.whole, term(0), 0)]
        return [
            near(v.left + v.left_lo, -(v.log_m + v.log_m_lo) - v.n / STEPS, 0),
            RestOfSum("left", "left_lo"),
            *(OnGrid(name, GRID) for name in ("left", "left_lo")),
            bounded(v.left, LEFT_OVER),
            near(v.n, term(-s.n), 1.5),
            bounded(v.n, STEPS / 2 + 0.5),
        ]

    given = {"log_m": Number(grid=GRID, snapped=True), "log_m_lo": half_unit_of(GRID)}
    return Lemma("steps", f, tuple(over), given, claim)


def rise(f: Traced) -> Lemma:
    """Return the lemma of e^r - 1 as a pair, r = (left + left_lo) ln 2, where n is not 0; the error is absolute."""

    def assume(s: Subinterval) -> Mapping[str, Property]:
        return {"left": doubles() if s.kind else constant(0.0), "left_lo": half_unit_of(GRID)}

    def claim(v: Values, _: Subinterval) -> Sequence[Claim]:
        return [
            near(v.rise + v.rise_lo, exp((v.left + v.left_lo) * log(2)) - 1, OFF),
            *ensures(v, RISE, rise=HIGHEST),
        ]

    over = at(kind=0), *mirrored(binades(2.0**GRID, LEFT_OVER), kind=1)
    return Lemma("rise", f, over, assume, claim, divides=False)


def claims_of_step(v: Values, size: Term, most_of_d: Term, *, beside_1: bool) -> Sequence[Claim]:
    """Claim that the step is log2(1 + d), and its bound positive and small, for |l| >= ``size``."""
    bound = least(v.change if beside_1 else v.change + LEFT_OUT)
    return [
        Bounded(v.step - log(v.d + 1) * inverse(log(2)), bound + most_of_d * (BESIDE / SLIGHT)),
        bounded(v.change, size * CHANGE),
        Bounded(term(2.0**-300), least(v.change)),
        bounded(-log(term(1) - SLIGHT) / log(2) + CHANGE + (BESIDE * FARTHEST + LEFT_OUT) / 0.49, STEP),
    ]


def near_zero(f: Traced) -> Lemma:
    """Return the lemma of the step for log_m next to 0.

    log_m = 0 where k is not 0 is m = 1: 2^-53 is the least |m - 1| of others, and d is smaller by far.
    """
    over = [at(beside_1=False)]
    for beside_1 in (True, False):
        over += mirrored(binades(LEAST, TIE), beside_1=beside_1)

    def most_of_d(s: Subinterval) -> Term:
        return most(VARIABLE) * SLIGHT if s.beside_1 else term(SLIGHT * FARTHEST)

    def assume(s: Subinterval) -> Mapping[str, Property]:
        top = max(-s.low, s.high)
        m = exp((VARIABLE + v.rest_of_log) * log(2)) * (v.d + 1)
        return {
            "log_m": doubles(snapped=True) if top else constant(0.0),
            "rest_of_log": half_unit_of(GRID),
            "log_m_lo": Number(v.rest_of_log, GRID),
            "d": Number(unknown(most_of_d(s)) if top else term(0)),
            "significand": Number(m, min(-53, math.frexp(top)[1] - 53)),  # coarse enough for m - 1 to be exact
            "n": 0,
            "whole": constant(0.0),
            "beside_1": s.beside_1,
        }

    def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
        if s.low == s.high:
            return [near(v.step, term(0), 0), near(v.change, term(0), 0)]
        size = least_size(VARIABLE) * (1.0 - 2.0**-50) if s.beside_1 else term(FAR)
        return claims_of_step(v, size, most_of_d(s), beside_1=s.beside_1)

    return Lemma("step near 0", f, tuple(over), assume, claim)


def steep(f: Traced) -> Lemma:
    """Return the lemma of the step where n is not 0, by e^r - 1: d = m 2^-(n/256) / e^r - 1."""
    over = (
        at(-HIGHEST, HIGHEST, beside_1=beside_1, n=n)
        for beside_1 in (True, False)
        for n in range(-STEPS // 2, STEPS // 2 + 1)
        if n
    )

    def sizes(s: Subinterval) -> tuple[float, float]:
        return ((abs(s.n) - 0.51) / STEPS, (abs(s.n) + 0.51) / STEPS) if s.beside_1 else (FAR, FARTHEST)

    def assume(s: Subinterval) -> Mapping[str, Property]:
        m = inverse(VARIABLE + v.lower + v.off + 1) * power_of_2(-s.n / STEPS) * (v.d + 1)
        free = {"lower": RISE["rise_lo"], "off": within(OFF), "d": within(SLIGHT * sizes(s)[1])}
        values = {"rise": RISE["rise"], "rise_lo": Number(v.lower, -1074), "significand": Number(m, -53)}
        return {**free, **values, "n": s.n, "beside_1": s.beside_1}

    def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
        size, farthest = sizes(s)
        return claims_of_step(v, term(size), term(farthest * SLIGHT), beside_1=s.beside_1)

    return Lemma("step", f, tuple(over), assume, claim, divides=False)


def steps(f: Traced) -> tuple[Lemma, ...]:
    """Return the lemmas of log2 of the first argument before the last sum: of the power functions, and of the step."""
    return *power.logarithm(f), halves(f), rests(f), quotients(f), rise(f), near_zero(f), steep(f)


FACTOR = {"log": log(2), "log2": term(1), "log10": log(2) * inverse(log(10))}


def counted(s: Subinterval) -> Term:
    """Return what a bound has to hold beside its own errors: of the step, and of what the lemmas before allow."""
    size = v.l * (-1 if s.low < 0 else 1)
    found: Term = v.change + size * APART + (size * BESIDE if s.beside_1 else term(FARTHEST * BESIDE + LEFT_OUT))
    return found


def sums(f: Traced, claim: Callable[[Term, Term], Sequence[Claim]], given: Mapping[str, Property]) -> Lemma:
    """Return the lemma of the sum of l, l_lo and the step, any such numbers: ``claim`` of log2 x and ``counted``."""

    def assume(s: Subinterval) -> Mapping[str, Property]:
        half = most(VARIABLE) * (CHANGE / 2)
        return {
            "l": doubles(snapped=True),
            "l_lo": half_unit_of(GRID),
            "step": Number(unknown(most(VARIABLE) * STEP), -1074),
            "change": Number(half + unknown(half), -1074),
            "beside_1": s.beside_1,
            **given,
        }

    pieces = (True, LEAST, HALF), (False, FAR, FARTHEST)
    over = (s for beside_1, *ends in pieces for s in mirrored(binades(*ends), beside_1=beside_1))
    return Lemma("sums", f, tuple(over), assume, lambda v, s: claim(v.l + v.l_lo + v.step, counted(s)))


def pair(f: Traced, told: float, ends: tuple[float, float]) -> tuple[Lemma, ...]:
    """Return the lemmas of log2 of the first argument as a pair of a size between ``ends``, and of its bound.

    The bound is at most ``told`` of the size.
    """

    def claim(log2: Term, beside: Term) -> Sequence[Claim]:
        return [
            Bounded(v.log + v.log_lo - log2, least(v.log_err - beside)),
            RestOfSum("log", "log_lo"),
            bounded(v.log_err, least_size(v.log) * told),
            bounded(v.log, ends[1]),
            Bounded(term(ends[0]), least_size(v.log)),
        ]

    return *steps(f), sums(f, claim, {})


def logarithm(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of a logarithm."""
    f, factor = narrowing(getattr(kernels, name), getattr(accurate, name)), FACTOR[name]

    def claim(log2: Term, beside: Term) -> Sequence[Claim]:
        error = v.new_hi + v.new_lo - log2 * factor
        return [Bounded(error, least(v.new_err - beside * factor)), Is("own_exponent", 0)]

    return *steps(f), sums(f, claim, OWN)


# the logarithm of 1 + q for positive q, a step of Newton's method from l + l_lo

TOLD, WIDEST = 2.0**-66.5, 2.0**-74.5  # the bound that is given: as a share of l, and at most
Q_OFF, LOW = kernels.Q_BOUND * (1.0 + 2.0**-5), 2.0**-52  # errors of q 2^-k; its second part; as shares of it
NEAR, NEAREST = 0.00136, 0.00135  # l up to which n may be, and is 0: half a step is 0.001354
LARGEST, MOST_K = 711.0, 1026
GROUPS = *((k, k) for k in range(5)), (5, 6), (7, MOST_K)  # k proven together
REDUCED_OFF, OF_R = 2.0**-110, {"r": Number(), "r_lo": within(2.0**-61)}
GROWN, GROWN_OFF, MOST_GROWN = {"rise": Number(), "rise_lo": within(2.0**-62)}, 2.0**-108.5, 0.001362
STEP_BESIDE = 2.0**-50  # what the error of the step may have beside its bound, of the bound that is given


def most_told(size: Term, factor: float = 1.0) -> Term:
    """Return the greatest bound that is given for a logarithm of that size; ``factor``: of a multiple of both."""
    return lesser(size * TOLD, term(WIDEST * factor)) * (1.0 + 2.0**-50)


def told(lemma: Lemma, factor: float = 1.0) -> Lemma:
    """Return the lemma that the accurate kernel gives a small bound, a pair as a sum has it, and no exponent."""

    def claim(v: Values, _: Subinterval) -> Sequence[Claim]:
        return [bounded(v.err, most_told(least_size(v.hi), factor)), RestOfSum("log", "log_lo"), Is("exponent", 0)]

    return replace(lemma, name=f"told, {lemma.name}", claim=claim)


def of_q(exact: Term) -> Sequence[Claim]:
    """Claim that q is ``exact``, nearly, and that the second part is small."""
    return [near(v.q + v.q_lo, exact, least_size(v.q) * kernels.Q_BOUND), bounded(v.q_lo, least_size(v.q) * LOW)]


@dataclass(frozen=True)
class OnePlus:
    """A kernel of the logarithm of 1 + q times ``factor``, which is at least ``least``.

    ``large``: whether the kernel has half of q for large arguments.
    """

    least: float
    factor: float = 1.0
    large: bool = False

    def quotients(self, f: Traced, numerator: int) -> Lemma:
        """Return the lemma that q is -``numerator`` x/(1 + x) for negative x, by binades of x and of 1 + x."""
        sizes = [(s.low, s.high) for s in binades(self.least / 4.0, 0.5)]
        sizes += [(1.0 - s.high, 1.0 - s.low) for s in binades(2.0**-53, 0.5)]
        over = tuple(at(-high, -low) for low, high in sizes)
        exact = -v.x * numerator * inverse(v.x + 1)
        return Lemma("quotients", f, over, {"x": doubles(snapped=True)}, lambda _v, _s: of_q(exact))

    def steps(self, f: Traced) -> tuple[Lemma, ...]:
        """Return the lemmas of the step and of the result."""
        of_integers = integers(f, Scaled(GROUPS))
        return (
            self.reduction(f),
            of_integers,
            self.scaled(f),
            self.rise(f),
            self.near_zero(f),
            self.steep(f),
            self.sums(f),
        )

    def reduction(self, f: Traced) -> Lemma:
        """Return the lemma that l + l_lo is n ln(2)/256 + r + r_lo, nearly; n = 0 next to 0."""
        middle = STEPS * MOST_K / 2

        def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
            if s.near:
                return [near(v.n, term(0), 0), near(v.whole, term(0), 0)]
            return [
                near(v.r + v.r_lo, v.l + v.l_lo - v.n * log(2) / STEPS, REDUCED_OFF),
                *ensures(v, OF_R, r=NEAR),
                near(v.n, term(middle), middle + 0.5),
            ]

        over = *binades(self.least, NEAREST, near=True), *binades(NEAREST, LARGEST, near=False)
        return Lemma("reduction", f, over, {"l": doubles(snapped=True), "l_lo": half_unit_of(-1074)}, claim)

    def scaled(self, f: Traced) -> Lemma:
        """Return the lemma of q 2^-k, for every k with the q that it is of: the first part is not rounded."""
        over = [*binades(self.least / 2.0, 1.01, of="k", i=0, twice=0)]
        for k in range(1, MOST_K + 1):
            for twice in (0, 1) if self.large and k > 58 else (0,):
                if k - twice <= 1024:
                    high = math.ldexp(2.02, k - twice) if k - twice < 1022 else GREATEST
                    over.append(at(math.ldexp(0.49, k - twice), high, of="k", i=k, twice=twice))

        def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
            scale = Fraction(2) ** (s.twice - s.i)
            return [
                near(v.top + v.top_lo, (v.q + v.q_lo) * scale, least_size(v.q) * scale * (kernels.Q_BOUND * 2.0**-5)),
                near(v.top, v.q * scale, 0),
            ]

        def assume(s: Subinterval) -> Mapping[str, Property]:
            given = {"q": doubles(), "q_lo": within(most(VARIABLE * LOW)), "k": s.i}
            return {**given, **({"large": s.twice > 0} if self.large else {})}

        return Lemma("scaled", f, tuple(over), assume, claim)

    def rise(self, f: Traced) -> Lemma:
        """Return the lemma of e^r - 1 as a pair; the error is absolute."""

        def claim(v: Values, _: Subinterval) -> Sequence[Claim]:
            exact = exp(v.r + v.r_lo + v.d) - 1
            return [near(v.rise + v.rise_lo, exact, GROWN_OFF), *ensures(v, GROWN, rise=MOST_GROWN)]

        over = at(-(2.0**-120), 2.0**-120, kind=0), *mirrored(binades(2.0**-120, NEAR), kind=1)
        return Lemma("rise", f, over, {**OF_R, "d": within(REDUCED_OFF)}, claim, divides=False)

    def near_zero(self, f: Traced) -> Lemma:
        """Return the lemma of the step where n = 0."""
        less = (exp(VARIABLE + v.lower) - 1 + v.s) * inverse(1 - v.s)
        given: dict[str, Property] = {
            "lower": half_unit_of(-1074),
            "s": Number(unknown(most_told(most(VARIABLE)))),
            "l": doubles(snapped=True),
            "l_lo": Number(v.lower, -1074),
            **dict.fromkeys(("k", "j", "n"), 0),
            "whole": constant(0.0),
            "unit": constant(1.0),
        }
        return Lemma(
            "step near 0",
            f,
            tuple(binades(self.least, NEAR)),
            lambda s: {**given, **of_top(less, s.low)},
            lambda v, _: claims_of_newton(v, most_told(most(VARIABLE)), least_size(VARIABLE)),
            divides=False,
        )

    def steep(self, f: Traced) -> Lemma:
        """Return the lemma of the step where n is not 0, by e^r - 1."""

        def assume(s: Subinterval) -> Mapping[str, Property]:
            unit = unit_between(-s.k[1], -s.k[0], -1000)
            power = (VARIABLE + v.lower + v.off + 1) * power_of_2(s.j / STEPS)
            least_top = 2.0 ** (s.j / STEPS) * (1.0 - MOST_GROWN) - 2.0 ** -s.k[0]
            return {
                "lower": GROWN["rise_lo"],
                "off": within(GROWN_OFF),
                "s": Number(unknown(most_told(term(LARGEST)))),
                "inverse_power": unit["unit"],
                "below": unit["below"],
                "rise": GROWN["rise"],
                "rise_lo": Number(v.lower, -1074),
                "k": integer_of(s.k),
                "j": s.j,
                "unit": Number(v.inverse_power, -min(s.k[1], 1000), bits=1),
                **of_top(power * inverse(1 - v.s) - v.inverse_power - v.below, least_top),
            }

        def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
            size = 0.69 * s.k[0] + (s.j - 0.51) / STEPS * 0.69
            return claims_of_newton(v, most_told(term(LARGEST)), term(size))

        over = (at(-MOST_GROWN, MOST_GROWN, k=k, j=j) for k in GROUPS for j in range(STEPS) if j or k != (0, 0))
        return Lemma("step", f, tuple(over), assume, claim, divides=False)

    def sums(self, f: Traced) -> Lemma:
        """Return the lemma of the result, which is y - log(1 - s), y = l + l_lo: s^2/2 (1 + s) at most beside y + s."""
        size, half = most(VARIABLE), most(VARIABLE) * (CHANGE / 2)
        widest = most_told(size)
        given: dict[str, Property] = {
            "l": doubles(snapped=True),
            "l_lo": half_unit_of(-1074),
            "step": Number(unknown(widest + half * 2 + WIDEST * STEP_BESIDE), -1074),
            "change": Number(half + unknown(half), -1074),
            "square": Number(widest * widest + unknown(widest * widest), -1074),
            **OWN,
        }

        def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
            ideal = (v.l + v.l_lo + v.step) * (s.sign * self.factor)
            beside = most_told(size if s.high <= NEAREST else term(LARGEST)) * STEP_BESIDE
            counted = (v.change + v.square * 0.51 + beside) * self.factor
            return [
                Bounded(v.new_hi + v.new_lo - ideal, least(v.new_err - counted)),
                Is("own_exponent", 0),
            ]

        over = (at(s.low, s.high, sign=sign) for sign in (1, -1) for s in binades(self.least, LARGEST))
        return Lemma("sums", f, tuple(over), lambda s: {**given, "negative": s.sign < 0}, claim)


def of_top(less: Term, least_top: float) -> dict[str, Property]:
    """Return the properties of q 2^-k, which is ``less`` but for the error of q, and at least ``least_top``."""
    grid = math.frexp(least_top * (1.0 - 2.0**-20))[1] - 53
    return {
        "low": Number(unknown(most(less) * (LOW * (1.0 + 2.0**-20)))),
        "off_q": within(Q_OFF),
        "top": Number(less + less * v.off_q - v.low, grid),
        "top_lo": Number(v.low, -1074),
    }


def claims_of_newton(v: Values, widest: Term, size: Term) -> Sequence[Claim]:
    """Claim that the step is s, nearly, and that its bound is positive and small, for a logarithm of ``size``."""
    return [
        near(v.step, v.s, least(v.change) + widest * STEP_BESIDE),
        bounded(v.change, size * CHANGE),
        Bounded(term(2.0**-300), least(v.change)),
    ]


def log1p(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of log1p: q is x where x is positive, and -x/(1 + x) elsewhere."""
    f, of = kernel(kernels.log1p), OnePlus(2.0**-60.5)
    itself = Lemma(
        "itself",
        f,
        tuple(binades(2.0**-60, GREATEST)),
        {"x": multiples(-200)},
        lambda v, _: [near(v.q, v.x, 0), near(v.q_lo, term(0), 0)],
    )
    given = [told(lemma) for lemma in accurate_lemmas.LEMMAS[name](name) if lemma.name in {"sum", "near"}]
    return *given, itself, of.quotients(f, 1), *of.steps(f)


LEMMAS = {**dict.fromkeys(FACTOR, logarithm), "log1p": log1p}
