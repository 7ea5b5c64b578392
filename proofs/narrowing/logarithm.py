"""log, log2, log10: log2 x of the power functions (``power``), and its product with a number; log1p."""

from __future__ import annotations

from clmath.kernels.accurate import logarithm as accurate
from proofs.accurate import logarithm as accurate_lemmas
from proofs.accurate.exponential import integer_of, unit_between
from proofs.lemmas import *
from proofs.narrowing.enclosures import OWN, narrow, narrowing
from proofs.narrowing.exponential import HIGHEST, Scaled, integers
from proofs.narrowing.power import LIMITS, OFF, RISE_LO, limits, rest_of, rise_of_power, steps_of_logarithm, sums

STEPS = 256
CHANGE = 2.0**-90  # size of the bound of a step relative to l


FACTOR = {"log": log(2), "log2": term(1), "log10": log(2) * inverse(log(10))}


def logarithm(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of a logarithm."""
    f, factor = narrowing(name, getattr(accurate, name)), FACTOR[name]

    def claim(log2: Term, beside: Term) -> Claims:
        error = v.new_hi + v.new_lo - log2 * factor
        return [bounded(error, least(v.new_err - beside * factor)), Is("own_exponent", 0), *limits()]

    return *steps_of_logarithm(f), sums(f, claim, OWN)


# the logarithm of 1 + q for positive q, a step of Newton's method from l + l_lo

TOLD, WIDEST = 2.0**-66.5, 2.0**-74.5  # the given bound: relative to l, and at most
Q_OFF, LOW = accurate.Q_BOUND * (1.0 + 2.0**-5), 2.0**-52  # errors of q 2^-k; its second part; as shares of it
NEAR, NEAREST = LIMITS.reach, 0.00135  # l up to which n may be, and is 0: half a step is 0.001354
LARGEST, MOST_K = 711.0, 1026
GROUPS = *((k, k) for k in range(5)), (5, 6), (7, MOST_K)  # k proven together
OF_R = {"r": Number(), "r_lo": LIMITS.rests["s_lo"]}
STEP_BESIDE = 2.0**-50  # share of the given bound by which the step's error may exceed its bound


def most_told(size: Term, factor: float = 1.0) -> Term:
    """Return the greatest bound that is given for a logarithm of that size; ``factor``: of a multiple of both."""
    return lesser(size * TOLD, term(WIDEST * factor)) * (1.0 + 2.0**-50)


def told(lemma: Lemma, factor: float = 1.0) -> Lemma:
    """Return the lemma that the accurate kernel returns a small bound, a pair like a rounded sum and its rest, and no
    exponent.
    """
    claim: Claims = [bounded(v.err, most_told(least_size(v.hi), factor)), RestOfSum("log", "log_lo"), Is("exponent", 0)]
    return replace(lemma, name=f"told, {lemma.name}", claim=claim)


def of_q(exact: Term) -> Claims:
    """Claim that q is ``exact``, nearly, and that the second part is small."""
    return [near(v.q + v.q_lo, exact, least_size(v.q) * accurate.Q_BOUND), bounded(v.q_lo, least_size(v.q) * LOW)]


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
        return lemma("quotients", f, over)({"x": doubles(snapped=True)}, of_q(exact))

    def steps(self, f: Traced) -> tuple[Lemma, ...]:
        """Return the lemmas of the step and of the result."""
        reduced = self.reduction(f), integers(f, Scaled(GROUPS)), self.scaled(f), rise_of_power(f, "rise", "r")
        return *reduced, self.near_zero(f), self.steep(f), self.sums(f)

    def reduction(self, f: Traced) -> Lemma:
        """Return the lemma that l + l_lo is n ln(2)/256 + r + r_lo, nearly; n = 0 next to 0."""
        middle = STEPS * MOST_K / 2

        def claim(s: Subinterval) -> Claims:
            if s.near:
                return equals(n=0, whole=0)
            return [
                near(v.r + v.r_lo, v.l + v.l_lo - v.n * log(2) / STEPS, LIMITS.off),
                *ensures(OF_R, r=NEAR),
                near(v.n, middle, middle + 0.5),
            ]

        over = *binades(self.least, NEAREST, near=True), *binades(NEAREST, LARGEST, near=False)
        return lemma("reduction", f, over)({"l": doubles(snapped=True), "l_lo": rest_of(VARIABLE, -1074)}, claim)

    def scaled(self, f: Traced) -> Lemma:
        """Return the lemma of q 2^-k, for every k with the q that it is of: the first part is not rounded."""
        over = [*binades(self.least / 2.0, 1.01, of="k", i=0, twice=0)]
        for k in range(1, MOST_K + 1):
            for twice in (0, 1) if self.large and k > 58 else (0,):
                if k - twice <= 1024:
                    high = math.ldexp(2.02, k - twice) if k - twice < 1022 else GREATEST
                    over.append(at(math.ldexp(0.49, k - twice), high, of="k", i=k, twice=twice))

        def claim(s: Subinterval) -> Claims:
            scale = Fraction(2) ** (s.twice - s.i)
            return [
                near(v.top + v.top_lo, (v.q + v.q_lo) * scale, least_size(v.q) * scale * (accurate.Q_BOUND * 2.0**-5)),
                near(v.top, v.q * scale, 0),
            ]

        def assume(s: Subinterval) -> Properties:
            given = {"q": doubles(), "q_lo": within(most(VARIABLE * LOW)), "k": s.i}
            return {**given, **({"large": s.twice > 0} if self.large else {})}

        return lemma("scaled", f, over)(assume, claim)

    def near_zero(self, f: Traced) -> Lemma:
        """Return the lemma of the step where n = 0."""
        less = (exp(VARIABLE + v.lower) - 1 + v.sigma) * inverse(1 - v.sigma)
        given: dict[str, Property] = {
            "lower": rest_of(VARIABLE, -1074),
            "sigma": Number(unknown(most_told(most(VARIABLE)))),
            **pair("l", doubles(snapped=True), Number(v.lower, -1074)),
            **dict.fromkeys(("k", "j", "n"), 0),
            "whole": constant(0.0),
            "unit": constant(1.0),
        }
        return lemma("step near 0", f, binades(self.least, NEAR), divides=False)(
            lambda s: {**given, **of_top(less, s.low)},
            claims_of_newton(most_told(most(VARIABLE)), least_size(VARIABLE)),
        )

    def steep(self, f: Traced) -> Lemma:
        """Return the lemma of the step where n is not 0, by e^r - 1."""

        def assume(s: Subinterval) -> Properties:
            unit = unit_between(-s.k[1], -s.k[0], -1000)
            power = (VARIABLE + v.lower + v.off + 1) * power_of_2(s.j / STEPS)
            least_top = 2.0 ** (s.j / STEPS) * (1.0 - HIGHEST) - 2.0 ** -s.k[0]
            return {
                "lower": within(RISE_LO),
                "off": within(OFF),
                "sigma": Number(unknown(most_told(term(LARGEST)))),
                "inverse_power": unit["unit"],
                "below": unit["below"],
                **pair("rise", Number(), Number(v.lower, -1074)),
                "k": integer_of(s.k),
                "j": s.j,
                "unit": Number(v.inverse_power, -min(s.k[1], 1000), bits=1),
                **of_top(power * inverse(1 - v.sigma) - v.inverse_power - v.below, least_top),
            }

        def claim(s: Subinterval) -> Claims:
            size = 0.69 * s.k[0] + (s.j - 0.51) / STEPS * 0.69
            return claims_of_newton(most_told(term(LARGEST)), term(size))

        over = (at(-HIGHEST, HIGHEST, k=k, j=j) for k in GROUPS for j in range(STEPS) if j or k != (0, 0))
        return lemma("step", f, over, divides=False)(assume, claim)

    def sums(self, f: Traced) -> Lemma:
        """Return the lemma of y - log(1 - sigma), y = l + l_lo: it differs from y + sigma by at most sigma^2/2 (1 +
        sigma).
        """
        size, half = most(VARIABLE), most(VARIABLE) * (CHANGE / 2)
        widest = most_told(size)
        given: dict[str, Property] = {
            **pair("l", doubles(snapped=True), rest_of(VARIABLE, -1074)),
            "step": Number(unknown(widest + half * 2 + WIDEST * STEP_BESIDE), -1074),
            "change": Number(half + unknown(half), -1074),
            "square": Number(widest * widest + unknown(widest * widest), -1074),
            **OWN,
        }

        def claim(s: Subinterval) -> Claims:
            ideal = (v.l + v.l_lo + v.step) * (s.sign * self.factor)
            beside = most_told(size if s.high <= NEAREST else term(LARGEST)) * STEP_BESIDE
            counted = (v.change + v.square * 0.51 + beside) * self.factor
            return [near(v.new_hi + v.new_lo, ideal, least(v.new_err - counted)), Is("own_exponent", 0)]

        over = (at(s.low, s.high, sign=sign) for sign in (1, -1) for s in binades(self.least, LARGEST))
        return lemma("sums", f, over)(lambda s: {**given, "negative": s.sign < 0}, claim)


def of_top(less: Term, least_top: float) -> dict[str, Property]:
    """Return the properties of q 2^-k, which is ``less`` except for the error of q, and at least ``least_top``."""
    grid = last_place(least_top * (1.0 - 2.0**-20))
    return {
        "low": Number(unknown(most(less) * (LOW * (1.0 + 2.0**-20)))),
        "off_q": within(Q_OFF),
        **pair("top", Number(less + less * v.off_q - v.low, grid), Number(v.low, -1074)),
    }


def claims_of_newton(widest: Term, size: Term) -> Claims:
    """Claim that the step is sigma, nearly, and that its bound is positive and small, for a logarithm of ``size``."""
    return [
        near(v.step, v.sigma, least(v.change) + widest * STEP_BESIDE),
        bounded(v.change, size * CHANGE),
        bounded(term(2.0**-300), least(v.change)),
    ]


def log1p(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of log1p: q is x where x is positive, and -x/(1 + x) elsewhere."""
    f, of = narrow(name), OnePlus(2.0**-60.5)
    itself = lemma("itself", f, binades(2.0**-60, GREATEST))({"x": multiples(-200)}, equals(q=v.x, q_lo=0))
    given = [told(lemma) for lemma in accurate_lemmas.LEMMAS[name](name) if lemma.name in {"sum", "near"}]
    return *given, itself, of.quotients(f, 1), *of.steps(f)


LEMMAS = {**dict.fromkeys(FACTOR, logarithm), "log1p": log1p}
