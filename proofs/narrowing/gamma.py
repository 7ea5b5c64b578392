"""tgamma and lgamma: Stirling's series beyond 32, a product of 32 factors before, reflection below zero.

The logarithms are log2's, the sine is sinpi's, the power of 2 is pow's. Between these lie products and quotients of
pairs, each of which is proven for all pairs of a binade: errors are relative to the pairs.
"""

from __future__ import annotations

from operator import mul as product_of

from flint import arb

from clmath.ir.values import Real
from clmath.kernels.accurate import gamma as kernels
from clmath.kernels.accurate.angles import TINY_TURNS
from clmath.kernels.accurate.gamma import from_integer_modulo_2
from clmath.kernels.accurate.log_gamma import from_pole
from clmath.kernels.accurate.sines import NARROW_BOUND, QUARTER
from proofs.accurate.trigonometric import steps_of_turns
from proofs.fast.power import reduction
from proofs.lemmas import *
from proofs.narrowing import power as powers
from proofs.narrowing.enclosures import OWN, narrow, no_bound, same_exponent
from proofs.narrowing.power import LIMITS, power, rise_of_power
from proofs.narrowing.trigonometric import LEAST_OF_TURNS, OF_TURNS, at_step, by_pairs, tails_of_turns

TERMS = 26  # of exact functions
ROUNDED = 1.0 + 2.0**-20  # errors of roundings, by as much larger than half a unit
UNIT = 2.0**-53
FAR = 2.0**64  # from here on subintervals of the series may be longer
MOST_SHARE = 2.0**-76  # of the bound of the power
SOME = 77  # an exponent
STEP, STEP_OFF = 2.0**-52.4, 2.0**-104  # the second part's contribution to log2 of a ratio, and its error
LEAST_P, NEAR_P = 112.0, 290.0  # log2 of gamma(32), and of gamma(64), lie between these
FAR_P, REFLECTED_P = 2.0**309, 2.0**59  # log2 of gamma(HUGE), and of gamma(2^52), are less
NEAR_LOGS, FAR_LOGS = (68, 228), (-55, 55)  # between these lies log2 of the ratio, for |x| < STEPS and beyond
LEAST_BOUND, MOST_BOUND = -95, -89  # bounds of logarithms are less than 2^-95 of these, or lie between
OF_HUGE = 600  # the exponent where x is huge


@dataclass(frozen=True)
class Shares:
    """The largest errors of pairs, as shares of the exact values.

    The ``product`` of a .. a + 31, the ``sine`` of pi x; a ``times`` and an ``over`` add as much.
    """

    product: float = 2.0**-98.5
    sine: float = NARROW_BOUND * (1.0 + 2.0**-40)  # of the exact value
    times: float = 2.0**-102.3
    over: float = 2.0**-100

    def reflected(self, *operations: float) -> float:
        """Return the relative error of pi times the product over x times the sine, after pair operations with these
        errors.
        """
        off = (1 + Fraction(self.product)) / (1 - Fraction(self.sine))
        for share in operations:
            off *= (1 + Fraction(share)) / (1 - Fraction(share))
        return float(off - 1) * (1.0 + 2.0**-50)


SHARES = Shares()


# the functions


def product() -> Lemma:
    """Return the lemma of the product of a .. a + 31 as a pair, factor by factor: the ends belong together."""
    a, last = VARIABLE, kernels.STEPS - 1
    count = kernels.STEPS // 2
    numbers = ["" if i == 1 else f".{i}" for i in range(1, count)]
    first = a * (a + last)
    factors = [first + i * (last - i) for i in range(1, count)]
    steps, exact = [Through(("ends", "ends_lo"), first)], first
    for factor, number in zip(factors, numbers, strict=True):
        exact = exact * factor
        steps.append(Through((f"factor{number}", f"factor_lo{number}"), factor))
        steps.append(Through((f"product{number}", f"product_lo{number}"), exact))
    found, found_lo = (v[f"{name}{numbers[-1]}"] for name in ("product", "product_lo"))
    over = *cut(binades(2.0**-110, 1.0), 8), *cut([at(1.0, float(kernels.STEPS))], 8 * (kernels.STEPS - 1))
    return lemma("product", kernel(kernels.product, 2), over, through=steps)(
        {"a": doubles(snapped=True)},
        [
            near(found + found_lo, exact, least_size(exact) * SHARES.product),
            *(RestOfSum(f"product{number}", f"product_lo{number}") for number in numbers),
        ],
    )


def series(top: float) -> Lemma:
    """Return the lemma of the series for any b and b_lo, and any log2 b within its bound.

    The bound adds at most b times itself: b_lo is less than 1/2, or 2^-53 of b, which the rest of the kernel's bound
    covers.
    """
    exact, told = log(VARIABLE) / log(2), LIMITS.told * ROUNDED

    def assume(s: Subinterval) -> Properties:
        grid = last_place(math.log2(s.low) * (1.0 - 2.0**-40))
        return {
            "low": Number(unknown(most(exact) * (ROUNDED * UNIT)), paired=True),
            "off": Number(unknown(most(exact) * told)),
            "b": doubles(snapped=True),
            "b_lo": Number(unknown(half_unit(most(VARIABLE)) * ROUNDED), -1074, paired=True),
            **pair("log_b", Number(exact - v.low + v.off, grid), Number(v.low, -1074)),
            "log_b_err": Number(exact * (told / 2) + unknown(most(exact) * (told / 2)), -1074),  # and more than all
        }

    b = v.b + v.b_lo
    left = least(v.p_err - v.b * v.log_b_err) * (1.0 - 2.0**-20)
    claim: Claims = [
        bounded(v.p + v.p_lo - log_gamma(b) / log(2) - v.off * (b - 0.5), left),
        bounded(v.p_err, least_size(v.p) * LIMITS.err),
        RestOfSum("p", "p_lo"),
    ]
    over = (part for s in binades(float(kernels.STEPS), top) for part in cut([s], 32 if s.high < FAR else 16))
    f = kernel(kernels.stirling_in_pairs, 3)
    return lemma("series", f, over, series=TERMS, divides=False)(assume, claim)


def log2() -> tuple[Lemma, ...]:
    """Return the lemmas of log2 x, which is 0 of 1, and so is the bound."""
    f = narrow("log2")
    of_1 = lemma("logarithm of 1", f, (at(1.0, 1.0),))({"x": constant(1.0)}, bounds(log=0, log_lo=0, log_err=0))
    return *powers.logarithm(f), of_1


# the sine of pi x


def sine(f: Traced) -> Lemma:
    """Return the lemma of the sine at each step, and that the kernel's own enclosure is the sine."""

    def claim(s: Subinterval) -> Claims:
        exact, _ = at_step(s.n)
        return [
            near(v.own_hi + v.own_lo, exact, least(v.own_err)),
            Same("own_hi", "sin_x"),
            Same("own_lo", "sin_x_lo"),
            Formula("own_err", ("double.mul", ("double.abs", "own_hi"), NARROW_BOUND)),
            RestOfSum("sin_x", "sin_x_lo"),
            Is("own_exponent", 0),
        ]

    found, peaks = by_pairs(f, "sin", LEAST_OF_TURNS, OF_TURNS, {"tiny": False}), (QUARTER, 3 * QUARTER)
    return replace(found, name="sine", over=(*found.over, *choices(n=peaks)), claim=claim)


def sine_of_turns(top: float) -> tuple[Lemma, ...]:
    """Return the lemmas of sin(pi x) from TINY_TURNS to ``top``."""
    f = narrow("sinpi")
    return steps_of_turns(f, TINY_TURNS, top, {"tiny": False}), tails_of_turns(f), sine(f)


# lemmas of both kernels


def links(f: Traced, usual: Properties, above: tuple[float, float], under: tuple[float, float]) -> Lemma:
    """Return the lemma that b + b_lo is |x|, or |x| + 32 where the product is taken, whose argument is |x|."""
    last = f".{kernels.STEPS // 2 - 1}"
    over = []
    for sign, ends in ((1, above), (-1, under)):
        sizes = [(float(kernels.STEPS), float(kernels.STEPS))]
        for s in binades(*ends):
            first = math.nextafter(s.low, s.high) if s.low == kernels.STEPS else s.low
            sizes.append((first, math.nextafter(s.high, 0.0)))
        over += [at(*sorted((sign * low, sign * high)), raised=high < kernels.STEPS) for low, high in sizes]
    assume: Properties = {
        "x": doubles(snapped=True),
        f"product{last}": Number(unknown(0.5) + 1.5, -1074),
        f"product_lo{last}": within(UNIT),
        **usual,
    }

    def claim(s: Subinterval) -> Claims:
        size = v.x if s.low > 0.0 else -v.x
        whole = [v[f"product{last}"], v[f"product_lo{last}"]] if s.raised else [term(1), term(0)]
        return [
            near(v.b + v.b_lo, size + (kernels.STEPS if s.raised else 0), 0),
            bounded(v.b_lo, half_ulp(float(kernels.STEPS)) * ROUNDED if s.raised else 0),
            Is("raised", s.raised),
            *([near(v.multiplied, size, 0)] if s.raised else []),
            *equals(below=whole[0], below_lo=whole[1]),
        ]

    return lemma("links", f, over)(assume, claim)


def quotient_of(a: Term, b: Term) -> Term:
    """Return the quotient."""
    return a * inverse(b)


def rounded_pair(name: str, hi: Term, size: float | Term, power: int = 0, *, wide: bool = False) -> dict[str, Property]:
    """Return the properties of a pair whose second part is at most 2^-53 of the first, which is at most ``size``."""
    return {
        name: Number(hi, -53, power=power, wide=wide),
        f"{name}_lo": Number(unknown(term(size) * UNIT), -2000, power=power, paired=True),
    }


def some(half: int) -> tuple[Term, float]:
    """Return any number of a half of 0.99 .. 2.01, and the largest."""
    return unknown(0.255) + (0.99 + 0.51 * (half + 0.5)), 0.99 + 0.51 * (half + 1)


def operation(  # noqa: PLR0917
    f: Traced,
    name: str,
    moving: str,
    beside: str,
    found: str,
    ideal: Callable[..., Term],
    share: float,
    known: Properties,
) -> Lemma:
    """Return the lemma that a pair is computed from one or two others, with a bounded error relative to the exact
    value.

    ``moving`` is the variable: all its powers of two are taken at once, and no operand is close to the ends of the
    range of double; powers of two in ``beside`` make no difference.
    """
    is_divided = ideal is quotient_of
    over = cut(choices([at(1.0, 2.0)], half=range(2 if beside else 1)), 512 if is_divided else 8)

    def assume(s: Subinterval) -> Properties:
        given = (
            {"x": Number(VARIABLE, -53, power=1)}
            if moving == "x"
            else rounded_pair(moving, VARIABLE, most(VARIABLE), 1)
        )
        return {**given, **(rounded_pair(beside, *some(s.half), wide=True) if beside else {}), **known}

    def claim(_: Subinterval) -> Claims:
        def whole(name: str) -> Term:
            return v.x if name == "x" else v[name] + v[f"{name}_lo"]

        exact = ideal(*map(whole, (beside, moving) if beside else (moving,)))
        return [
            near(whole(found), exact, least_size(exact) * share, power=-1 if is_divided else 1),
            RestOfSum(found, f"{found}_lo"),
        ]

    return lemma(name, f, mirrored(over), powers=(-400, 400), series=TERMS, divides=False)(assume, claim)


def mirror(f: Traced, known: Properties) -> Lemma:
    """Return the lemma of x sin(pi x) for negative x."""
    return operation(f, "mirror", "x", "sin_x", "mirror", product_of, SHARES.times, known)


# tgamma


def values_of_tgamma(f: Traced) -> Lemma:
    """Return the lemma of the kernel's value for any power of 2, any product and any mirror, with any exponents.

    The power's error is less than its bound (see ``power``), by enough for the kernel's share, the bound over the
    power, to be the error in spite of its rounding; in addition, the error of the quotient is at most the rest of the
    bound. Beyond TOP results are beyond every double; for -x less than TINY_TURNS the mirror is 0, so
    that the kernel's own bound is not a number.
    """

    def assume(s: Subinterval) -> Properties:
        above, below = ("over", "under") if s.negative else ("power", "below")
        return {
            **rounded_pair(above, *some(s.half), wide=True),
            **rounded_pair(below, VARIABLE, most(VARIABLE), 1),
            "share": Number(unknown(MOST_SHARE / 2) + MOST_SHARE / 2, -1074, paired=True),
            "negative": s.negative,
            "power_k": SOME,
        }

    def claim(s: Subinterval) -> Claims:
        first, last = (
            (v.over + v.over_lo, v.under + v.under_lo) if s.negative else (v.power + v.power_lo, v.below + v.below_lo)
        )
        counted = v.share + (SHARES.reflected(*[SHARES.times] * 3) if s.negative else SHARES.product)
        size = v.own_hi if s.low > 0.0 else -v.own_hi
        left = least(v.own_err - size * counted) * (1.0 - 2.0**-30)
        return [
            near(v.own_hi + v.own_lo, quotient_of(first, last), left, power=-1),
            Is("own_exponent", -SOME if s.negative else SOME),
        ]

    over = []
    for half in range(2):
        for ends in parts(1.0, 2.0, 512):
            over.append(at(*ends, negative=False, half=half))
            over += mirrored([at(*ends, negative=True, half=half)])
    return lemma("values", f, over, powers=(-400, 400), series=TERMS, divides=False)(assume, claim)


def scaled(f: Traced) -> Lemma:
    """Return the lemma that results are the kernel's own results times a power of two, without a relevant loss.

    The exponents of both kernels belong to gamma at places that are 32 apart at most, 2^180 or so. The kernel's own
    numbers are at least 2^-200, and their lower parts are multiples of 2^-353 where they are 2^-300 or more.
    """
    small = 2.0**-300
    return lemma("scaled", f, (at(is_small=False), at(is_small=True)), powers=(-250, 250))(
        lambda s: {
            "closer": True,
            "scale": Number(term(1), 0, bits=1, power=1),
            "own_hi": within(2.0**240, -253),
            "own_lo": within(small) if s.is_small else within(2.0**240, -353),
            "own_err": within(2.0**240, -753),
        },
        lambda s: [
            near(v.new_hi, v.own_hi, 0, power=1),
            near(v.new_lo, v.own_lo, small if s.is_small else 0, power=1),
            near(v.new_err, v.own_err, 0, power=1),
            SAME_EXPONENT,
        ],
    )


# lgamma

USUAL: Properties = {"tiny": False, "huge": False, "far": False}


def negative(*, holds: bool) -> Properties:
    """Return the conditions that x is less than zero."""
    return {"negative": holds, "kept_negative": holds}


def step_of_ratio(f: Traced) -> Lemma:
    """Return the lemma of the second part's contribution to the logarithm of the ratio, for every power of 2."""
    change = v.ratio_lo * inverse(v.ratio) + 1
    return lemma("step of the ratio", f, mirrored(cut([at(1.0, 2.0)], 64)), powers=(-400, 400), divides=False)(
        {**rounded_pair("ratio", VARIABLE, most(VARIABLE), 1), **USUAL},
        [near(v.step, log(change) / log(2), STEP_OFF), bounded(v.step, STEP)],
    )


def enclosure(name: str, hi: Term, low: float, high: float) -> dict[str, Property]:
    """Return the properties of a pair of any grid, and of its bound, which lies between two numbers."""
    return {
        name: Number(hi, -1074),
        f"{name}_lo": Number(unknown(most(hi) * UNIT), -1074),
        f"{name}_err": between(low, high, -1074),
    }


def values_of_lgamma(f: Traced) -> Lemma:
    """Return the lemma of the kernel's value for any p and any log2 of a ratio, with errors up to their bounds.

    ``least`` and ``most``: between these lies the logarithm; it is 0 where both are equal.
    """
    over = [
        at(s.low, s.high, negative=is_negative, least=i, most=i + 4)
        for is_negative in (False, True)
        for i in range(NEAR_LOGS[0], NEAR_LOGS[1], 4)
        for s in binades(LEAST_P, NEAR_P)
    ]
    over += binades(LEAST_P, FAR_P, negative=False, least=0, most=0)
    for i in range(FAR_LOGS[0], FAR_LOGS[1], 2):
        over += binades(LEAST_P, REFLECTED_P, negative=True, least=i, most=i + 2)

    def assume(s: Subinterval) -> Properties:
        of_log: dict[str, Property] = dict.fromkeys(
            ("log_ratio", "log_ratio_lo", "log_ratio_err", "step"), constant(0.0)
        )
        if s.least < s.most:
            size, found = max(-s.least, s.most), between(s.least, s.most, -1074)
            of_log = {**enclosure("log_ratio", found.value, 0.0, LIMITS.told * size), "step": within(STEP)}
        of_p = enclosure("p", VARIABLE, 0.0, LIMITS.err * s.high)
        return {**of_p, **of_log, **USUAL, **negative(holds=s.negative), **OWN}

    def claim(s: Subinterval) -> Claims:
        off = 0.0
        if s.least < s.most:
            reflected = SHARES.reflected(*[SHARES.times] * 2, SHARES.over)
            off = (reflected if s.negative else SHARES.product) * (1.0 + 2.0**-40) + STEP_OFF
        exact = (v.p + v.p_lo - (v.log_ratio + v.log_ratio_lo) - v.step) * log(2) * (-1 if s.negative else 1)
        return is_within(exact, (v.p_err + v.log_ratio_err) * log(2) + off)

    return lemma("values", f, over, divides=False)(assume, claim)


def is_within(exact: Term, counted: Term) -> list[Claim]:
    """Claim that the results, whose exponent is 0, enclose ``exact`` by the part of their bound that ``counted``
    leaves.
    """
    return [near(v.new_hi + v.new_lo, exact, least(v.new_err - counted)), Is("own_exponent", 0)]


def tiny(f: Traced) -> Lemma:
    """Return the lemma of the value for |x| below TINY_TURNS: log2 |x| within its bound, and the series about 0."""
    exact = log_gamma_1p(v.x) - (v.log_ratio + v.log_ratio_lo) * log(2)
    claim: Claims = is_within(exact, v.log_ratio_err * log(2))
    sizes = [at(s.low, math.nextafter(s.high, 0.0), e=math.frexp(s.low)[1]) for s in binades(2.0**-1074, TINY_TURNS)]
    return lemma("tiny", f, mirrored(sizes), divides=False)(
        lambda s: {
            "x": doubles(snapped=True),
            **enclosure("log_ratio", unknown(0.51) + (s.e - 0.5), 0.0, LIMITS.told * -s.e * 1.1),
            **dict(tiny=True, huge=False, far=False),
            **OWN,
        },
        claim,
    )


def huge(f: Traced) -> Lemma:
    """Return the lemma of the value from HUGE on: x (log x - 1), for any x 2^-q between 1 and 2, and any q.

    The omitted terms, log(2 pi / x)/2 and less, are 2^-280 of x at most.
    """
    bounds = 0.0, *(2.0**k for k in range(LEAST_BOUND, MOST_BOUND))
    over = (
        at(s.low, s.high, i=i, bound=bound)
        for i in range(16)
        for bound in bounds
        for s in binades(math.log2(kernels.HUGE) - 0.01, 1024.01)
    )

    def assume(s: Subinterval) -> Properties:
        bounds = s.bound * s.high, (s.bound + (s.bound or 2.0**LEAST_BOUND)) * s.high
        return {
            "left_out": within(2.0**-280),
            "x": Number(unknown(1 / 32) + (2 * s.i + 33) / 32, -52, power=1, wide=True),
            **enclosure("log_ratio", VARIABLE, *bounds),
            **dict(tiny=False, huge=True, far=True, negative=False),
            **OWN,
        }

    scale = 2.0**OF_HUGE
    exact = v.x * ((v.log_ratio + v.log_ratio_lo) * log(2) - 1 + v.left_out)
    left = least(v.new_err * scale - v.x * v.log_ratio_err * log(2))
    claim: Claims = [near((v.new_hi + v.new_lo) * scale, exact, left, power=1), Is("own_exponent", OF_HUGE)]
    return lemma("huge", f, over, powers=(300, 1023), divides=False)(assume, claim)


# the kernels


def check_sizes() -> None:
    """Raise LookupError if a lemma assumes a smaller range than the lemmas before ensure.

    A double x is 2^-53 |x| or more from an integer other than 0, and |sin(pi x)| is twice that or more: x times the
    sine is 2^-52 x^2 or more, which is above 2^-47 from 6 on. Below 6 the product is less than 2^140, and the ratio is
    less than 2^195; next to 0 that is 31!/|x|.
    """
    places = kernels.STEPS, 2 * kernels.STEPS, kernels.HUGE, 2.0**52, 1 - kernels.BOTTOM
    p = [arb(n).lgamma() / arb(2).log() for n in places]
    first, last = (arb(n).fac() for n in (kernels.STEPS - 1, 2 * kernels.STEPS - 1))
    logs = [x.log() / arb(2).log() for x in (first * TINY_TURNS, last / first * arb.pi() * 2.0**47)]
    beyond = [x.log() / arb(2).log() for x in (arb.pi() / 2.0**52, arb.pi() * 2.0**47 / kernels.STEPS)]
    lower_ends, upper_ends = (LEAST_P, NEAR_LOGS[0], FAR_LOGS[0]), (NEAR_P, NEAR_LOGS[1], FAR_LOGS[1])
    holds = all(a < b for a, b in zip(lower_ends, (p[0], logs[0], beyond[0]), strict=True))
    holds &= all(a > b for a, b in zip(upper_ends, (p[1], logs[1], beyond[1]), strict=True))
    holds &= all(a < b for a, b in zip(p[2:], (FAR_P, REFLECTED_P, LIMITS.top), strict=True))
    if not (holds and LIMITS.err * LIMITS.top + 2.0**-99 < MOST_SHARE):
        raise LookupError("what a lemma assumes may be less than what the lemmas before leave")


def exact_of_tgamma(x: Real) -> object:
    """Return whether results are exact, or belong to arguments in no lemma."""
    _, _, is_pole = from_integer_modulo_2(x)
    below, undefined = (x < kernels.BOTTOM) & ~is_pole, is_pole | (x != x)
    return (below | undefined | (x == 0.0) | (x == kernels.INFINITY),)


def exact_of_lgamma(x: Real) -> object:
    """Return the same, and whether x is huge."""
    r, _ = from_pole(x)
    is_pole = (x < 0.0) & (r == 0.0)
    return is_pole | (x == 0.0) | (abs(x) == kernels.INFINITY) | (x != x), (x >= kernels.HUGE) & (x < kernels.INFINITY)


def of_functions(top: float, top_of_turns: float) -> tuple[Lemma, ...]:
    """Return the lemmas of log2, of the series up to ``top``, of the product, and of sin(pi x)."""
    return *log2(), series(top), product(), *sine_of_turns(top_of_turns)


def tgamma(_: str) -> tuple[Lemma, ...]:
    """Return the lemmas of tgamma."""
    check_sizes()
    f, accurate, known = narrow("tgamma"), kernel(kernels.tgamma), {"negative": True}
    no_bound(accurate, dict.fromkeys(accurate.places(exact_of_tgamma, "bool"), True))
    above = kernels.VANISHING, math.nextafter(kernels.TOP, math.inf)
    under = TINY_TURNS, math.nextafter(-kernels.BOTTOM, math.inf)
    reduced = replace(reduction(f, LIMITS, 0.0), name="reduction of the power")
    of_power = *of_functions(-kernels.BOTTOM, 2.0**51), links(f, {}, above, under), reduced, rise_of_power(f), power(f)
    over = operation(f, "over", "below", "", "over", lambda a: a * -PI, SHARES.times, known)
    divisor = operation(f, "under", "mirror", "power", "under", product_of, SHARES.times, known)
    return *of_power, mirror(f, known), over, divisor, values_of_tgamma(f), scaled(f)


def lgamma(_: str) -> tuple[Lemma, ...]:
    """Return the lemmas of lgamma."""
    check_sizes()
    f, accurate, known = narrow("lgamma"), kernel(kernels.lgamma), {**USUAL, **negative(holds=True)}
    exact, huge_there = accurate.places(exact_of_lgamma, "bool", "bool")
    no_bound(accurate, {exact: True})
    for holds in (False, True):
        same_exponent(f, accurate, {"huge": holds}, {huge_there: holds})
    linked = links(f, USUAL, (TINY_TURNS, kernels.HUGE), (TINY_TURNS, 2.0**52))
    over = operation(f, "over", "below", "", "over", lambda a: a * PI, SHARES.times, known)
    ratio = operation(f, "ratio", "mirror", "over", "reflected", quotient_of, SHARES.over, known)
    of_ratio = *of_functions(kernels.HUGE, 2.0**52), linked, mirror(f, known), over, ratio, step_of_ratio(f)
    return *of_ratio, values_of_lgamma(f), tiny(f), huge(f)


LEMMAS: Mapping[str, Callable[[str], tuple[Lemma, ...]]] = {"tgamma": tgamma, "lgamma": lgamma}
