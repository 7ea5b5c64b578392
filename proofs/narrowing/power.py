"""pow, powr, pown, rootn: log2 x of the accurate kernels and one step of Newton's, its product with y, the power of 2.

x = 2^k m with m from 1/sqrt(2) to sqrt(2), and l + l_lo is the accurate kernels' log2 x. y + y_lo is l + l_lo
- k. With d = m 2^-(y + y_lo) - 1, which is small, log2 x is k + y + y_lo + log2(1 + d). m 2^-(y + y_lo) is found from
-y - y_lo = steps/256 + left + left_lo.

No lemma is about both arguments at once. p_err bounds the distance of p + p_lo from y log2 x: the kernel computes p_err
from the bound of its logarithm.
"""

from __future__ import annotations

from clmath.kernels.accurate.power import SQRT2, TINY, TOP
from proofs.accurate import power as accurate
from proofs.accurate.exponential import STEPS
from proofs.fast import power as fast
from proofs.fast.logarithm import CLOSE
from proofs.fast.power import Limits, at_least
from proofs.lemmas import *
from proofs.narrowing.enclosures import narrow, no_bound
from proofs.narrowing.exponential import HIGHEST

ACCURATE = accurate.LIMITS
GRID = ACCURATE.grid
UNIT = 2.0**-52
KS = -1074, 1024  # k of all doubles
HALF, REACH = 0.5 + 2.0**-36, 0.5 + 2.0**-30  # |l - k| and |y| at most
LEFT_OUT = 2.0**-139  # the bound has this for d^2 where k is not 0
FARTHEST = KS[1] + 51.0  # |l| at most
LEFT_OVER = 0.0019532  # |left| at most where n is not 0
RISE, RISE_LO, RISE_OFF, RISE_GRID = 0.00136, 2.0**-62, 2.0**-109, -420  # e^r - 1 as a pair, its error, its grid


# Facts that one lemma of the logarithm ensures and the next one assumes, as shares of |l|: y + y_lo is within APART of
# l + l_lo - k, and exact where k is 0; |d| <= SLIGHT. The step differs from log2(1 + d) by the bound of the change, at
# most CHANGE, and where k is not 0 by BESIDE of the largest |l|; so the step is at most MOST_STEP.
APART, SLIGHT, MOST_STEP, BESIDE, CHANGE = 2.0**-104.9, 2.0**-80.0, 2.0**-79.0, 2.0**-130, 2.0**-90


@dataclass(frozen=True)
class LimitsOfPower(Limits):
    """Limits of powers: the bound of the logarithm, l_err, is at most ``told`` |l|.

    p_err is |y| l_err, or l_err / |n|, plus ``counted`` |p|, except for ``rounding`` |p|; it is at most ``err`` |p|.
    """

    told: float = 2.0**-89.5
    counted: float = 2.0**-103
    rounding: float = 2.0**-136
    err: float = 2.0**-87


LIMITS = LimitsOfPower(
    log=0.0,
    low=2.0**-52.99,  # 2^-53, like the rest of a sum
    least=2.0**-53.01,
    most=1076.0,
    product=2.0**-103.2,
    slight=TINY * (1.0 - 2.0**-40),
    top=TOP,
    powers=ACCURATE.powers,
    off=2.0**-110,
    reach=0.00136,
    exponents=1201,
    steps=STEPS,
    rests={"s": multiples(-1074), "s_lo": within(2.0**-61)},
)
LIMITS_OF_ROOT = replace(LIMITS, product=2.0**-100.05, counted=2.0**-100)
OFF = 2.0**-108.5  # of e^s - 1 as a pair, whose first part is at most HIGHEST, and the second at most RISE_LO
LOWEST_POWER, HIGHEST_POWER = 0.998, 2.003  # between these lies the first part of the power
FINEST = -214  # the bound of the power is a multiple of 2^FINEST
SMALL = 2.0**-250  # lower parts up to this may lose as much where they are halved


# the logarithm: its lemmas serve any kernel that takes log2 of a number


def rest_of(size: Term, grid: int = GRID) -> Number:
    """Return the rests of a sum of that size."""
    return Number(unknown(most(size) * UNIT * 0.5), grid)


def sum_on_grid(high: str, low: str, grid: int = GRID) -> list[Claim]:
    """Claim that a pair is a sum and the rest of the sum, both multiples of 2^grid."""
    return [RestOfSum(high, low), OnGrid(high, grid), OnGrid(low, grid)]


def limits() -> list[Claim]:
    """Claim that |d| and the step are as small as said: |log2 x| is hardly above |l|."""
    far = (BESIDE * FARTHEST + LEFT_OUT) / (1.0 - HALF)
    off, d = unknown(ACCURATE.log * (1.0 + UNIT * 4.0) + APART), unknown(SLIGHT)
    bound = unknown(CHANGE + far * (1.0 + UNIT * 4.0))
    return [bounded(exp(off * log(2)) - 1, SLIGHT), bounded(log(d + 1) / log(2) + bound, MOST_STEP)]


def halves(f: Traced) -> Lemma:
    """Return the lemma that x = 2^k m exactly, and m lies between 1/sqrt(2) and sqrt(2): on encodings.

    The mantissa is m, or 2 m above sqrt(2). Subnormal x are scaled by 2^1074.
    """
    below = (1.0, SQRT2 - CLOSE), (SQRT2 - CLOSE, SQRT2 - UNIT), (SQRT2, SQRT2)
    above = (SQRT2 + UNIT, SQRT2 + CLOSE), (SQRT2 + CLOSE, 2.0 - UNIT)
    ends = *((0, pair) for pair in below), *((1, pair) for pair in above)
    over = (at(*pair, subnormal=subnormal, carried=one) for subnormal in (False, True) for one, pair in ends)
    return lemma("halves", f, over)(
        lambda s: {
            "mantissa": doubles(snapped=True),
            "scaled" if s.subnormal else "encoding": Encoding(ONE, BINADE, BINADE),
            "subnormal": s.subnormal,
        },
        lambda s: [
            near(v.halved, v.mantissa * 2.0**-s.carried, 0),
            near(v.halved, 0.75 * SQRT2, 0.25 * SQRT2 + 2.0**-38),
            Is("binade", Encoding(s.carried - (SCALED if s.subnormal else 0), 1, 1)),
        ],
    )


def rests(f: Traced) -> Lemma:
    """Return the lemma that y + y_lo is l + l_lo - k, nearly, for every k."""
    far = (at(k - HALF, k + HALF, k=k) for k in range(KS[0], KS[1] + 1) if k)

    def claim(s: Subinterval) -> Claims:
        off = least_size(v.l) * APART if s.k else term(0)
        return [near(v.y + v.y_lo, v.l + v.l_lo - s.k, off), bounded(v.y, REACH), *sum_on_grid("y", "y_lo")]

    return lemma("rests", f, (*far, *mirrored(binades(ACCURATE.least, HALF, k=0))))(
        lambda s: {"l": doubles(snapped=True), "l_lo": rest_of(VARIABLE), "as_double": constant(float(s.k))}, claim
    )


def steps(f: Traced) -> Lemma:
    """Return the lemma that -y - y_lo is steps/256 + left + left_lo exactly; -n is the number of steps next to y."""
    tie = 0.5 / STEPS
    sizes = [(0, 0.0, tie - CLOSE), (0, tie - CLOSE, math.nextafter(tie, 0.0))]
    sizes += [(n, (n - 0.5) / STEPS, min((n + 0.5) / STEPS, REACH)) for n in range(1, STEPS // 2 + 1)]

    def claim(s: Subinterval) -> Claims:
        if not s.n:
            return bounds(steps=0, whole=0)
        return [
            near(v.left + v.left_lo + v.steps / STEPS, -(v.y + v.y_lo), 0),
            bounded(v.left, LEFT_OVER),
            near(v.steps, -s.n, 1.5),
            bounded(v.steps, STEPS / 2 + 0.5),
            *sum_on_grid("left", "left_lo"),
        ]

    over = (one for n, *ends in sizes for one in (at(*ends, n=n), *opposite([at(*ends, n=-n)])))
    return lemma("steps", f, over)({"y": Number(grid=GRID, snapped=True), "y_lo": rest_of(VARIABLE)}, claim)


def rise(f: Traced) -> Lemma:
    """Return the lemma of e^((left + left_lo) log 2) - 1 as a pair where n is not 0; the error is absolute."""
    return lemma("rise", f, (at(sign=0), *binades(2.0**GRID, LEFT_OVER, signs=True)), divides=False)(
        lambda s: {"left": doubles() if s.sign else constant(0.0), "left_lo": rest_of(VARIABLE)},
        [
            near(v.rise + v.rise_lo, exp((v.left + v.left_lo) * log(2)) - 1, RISE_OFF),
            *bounds(rise=RISE, rise_lo=RISE_LO),
            OnGrid("rise", RISE_GRID),
        ],
    )


def is_step(s: Subinterval, size: Term, least_l: float) -> list[Claim]:
    """Claim that the step is log2(1 + d), where |l| is at least ``size``, and how large the bound of the change is."""
    change = CHANGE * least_l
    left_out, beside = (0.0, size * BESIDE) if s.near else (LEFT_OUT, term(BESIDE * FARTHEST))
    return [
        near(v.step, log(v.d + 1) / log(2), least(v.change + left_out) + beside),
        near(v.change, change / 2, change / 2),
        bounded(term(2.0**-300), least(v.change)),
    ]


def step_near_zero(f: Traced) -> Lemma:
    """Return the lemma of the step for y next to 0, where k is 0 and where k is not: m - 1 is exact.

    y = 0 where k is not 0 is m = 1: the least other |m - 1| is 2^-53, and d is smaller by far.
    """

    def assume(s: Subinterval) -> Properties:
        is_zero, top = s.low == s.high, max(-s.low, s.high)
        grid = min(-53, last_place(top))  # coarse enough for m - 1 to be exact
        far = most(VARIABLE) if s.near else term(FARTHEST)
        return {
            "rest_of_y": rest_of(VARIABLE),
            "d": Number(unknown(0 if is_zero else far * SLIGHT)),
            **pair("y", constant(0.0) if is_zero else doubles(snapped=True), Number(v.rest_of_y, GRID)),
            "halved": Number(exp((VARIABLE + v.rest_of_y) * log(2)) * (v.d + 1), grid),
            "steps": 0,
            "whole": constant(0.0),
            "near": s.near,
        }

    def claim(s: Subinterval) -> Claims:
        if s.low == s.high:
            return equals(step=0, change=0)
        left = 1.0 - 2.0**-50
        return is_step(s, least_size(v.y) * left, s.closest * left)

    sizes = [s for near in (True, False) for s in binades(ACCURATE.least, 0.5 / STEPS, signs=True, near=near)]
    return lemma("step near 0", f, (at(near=False), *sizes))(assume, claim)


def step(f: Traced) -> Lemma:
    """Return the lemma of the step for other y, by e^r - 1: d = m 2^(n/256) e^r - 1."""

    def sizes(s: Subinterval) -> tuple[float, float]:
        """Return the least and the greatest |l|."""
        return ((abs(s.n) - 0.51) / STEPS, (abs(s.n) + 0.51) / STEPS) if s.near else (1.0 - HALF, FARTHEST)

    def assume(s: Subinterval) -> Properties:
        grown = VARIABLE + v.second + v.off + 1
        return {
            "second": within(RISE_LO),
            "off": within(RISE_OFF),
            "d": within(SLIGHT * sizes(s)[1]),
            **pair("rise", multiples(RISE_GRID), Number(v.second, -1074)),
            "halved": Number(inverse(grown) * power_of_2(Fraction(-s.n, STEPS)) * (v.d + 1), -53),
            "steps": s.n,
            "near": s.near,
        }

    numbers = [n for n in range(-STEPS // 2, STEPS // 2 + 1) if n]
    over = choices([at(-RISE, RISE)], near=(True, False), n=numbers)
    return lemma("step", f, over, divides=False)(assume, lambda s: is_step(s, term(sizes(s)[0]), sizes(s)[0]))


def steps_of_logarithm(f: Traced, *others: Lemma) -> tuple[Lemma, ...]:
    """Return the lemmas before the last sum: the accurate logarithm, and the step from there; ``others`` between."""
    return *accurate.logarithm(f), *others, halves(f), rests(f), steps(f), rise(f), step_near_zero(f), step(f)


def counted(s: Subinterval) -> Term:
    """Return the errors that a bound covers in addition to its own: of the step, and of the lemmas before."""
    size = v.l * (-1 if s.low < 0.0 else 1)
    beside = size * BESIDE if s.near else term(BESIDE * FARTHEST + LEFT_OUT)
    found: Term = v.change + size * APART + beside
    return found


def sums(f: Traced, claim: Callable[[Term, Term], Claims], given: Properties) -> Lemma:
    """Return the lemma of the sum of l, l_lo and the step, any such numbers: ``claim`` of log2 x and ``counted``."""

    def assume(s: Subinterval) -> Properties:
        half = most(VARIABLE) * (CHANGE / 2)
        return {
            **pair("l", doubles(snapped=True), rest_of(VARIABLE)),
            "step": Number(unknown(most(VARIABLE) * MOST_STEP), -1074),
            "change": Number(half + unknown(half), -1074),
            "near": s.near,
            **given,
        }

    over = (
        s
        for is_near, ends in ((True, (ACCURATE.least, HALF)), (False, (1.0 - HALF, FARTHEST)))
        for s in binades(*ends, signs=True, near=is_near)
    )
    return lemma("sums", f, over)(assume, lambda s: claim(v.l + v.l_lo + v.step, counted(s)))


def logarithm(f: Traced) -> tuple[Lemma, ...]:
    """Return all lemmas of log2 x as a pair, and of its bound, in any kernel that takes log2 of a number."""

    def claim(log2: Term, beside: Term) -> Claims:
        return [
            near(v.log + v.log_lo, log2, least(v.log_err - beside)),
            *bounds(log_err=least_size(v.log) * LIMITS.told, log=LIMITS.most),
            at_least(v.log, LIMITS.least),
            RestOfSum("log", "log_lo"),
        ]

    limited = lemma("limits of the step", f, (at(),))({}, limits())
    return *steps_of_logarithm(f, limited), sums(f, claim, {})


# the product or the quotient


def limits_of_power(f: Traced, limits: LimitsOfPower) -> Lemma:
    """Return the lemma that p_err is at least the error of p + p_lo, and that the exponents of both kernels are next.

    The sums p + p_lo of both kernels are so close to y log2 x, and each p to its sum, that the two p are at most a
    quarter of a step apart; where the accurate kernel's p is at least TINY, this one is at least ``slight``.
    """
    apart = ACCURATE.away + limits.err + 2.0**-46
    return lemma("limits of the power", f, (at(),))(
        {"error": within(limits.product), "rounded": within(limits.rounding), "apart_p": within(apart)},
        [
            bounded(v.error * (1.0 + 2.0**-40) + v.rounded, limits.counted),
            bounded(v.apart_p * (limits.top * limits.steps), 0.25),
            bounded(v.apart_p * 2, 1.0 - limits.slight / TINY),
        ],
    )


def product(f: Traced, limits: LimitsOfPower) -> Lemma:
    """Return the lemma that p + p_lo is y (l + l_lo), and p_err is |y| l_err plus the counted share of |p|."""
    found = fast.product(f, limits)

    def sign(s: Subinterval) -> int:
        return 1 if s.low > 0.0 else -1

    def assume(s: Subinterval) -> Properties:
        half = limits.told / 2
        bound_of_l = Number(VARIABLE * (sign(s) * half) + unknown(most(VARIABLE) * half), paired=True)
        return {**dict(found.statement(s).assume), "l_err": bound_of_l}

    def claim(s: Subinterval) -> Claims:
        expected = v.p * (limits.counted * sign(s) * s.sign) + v.factor * v.l_err * s.sign
        return [
            *found.statement(s).claims,
            near(v.p_err, expected, least_size(v.p) * limits.rounding, power=1),
            bounded(v.p_err, least_size(v.p) * limits.err, power=1),
        ]

    return replace(found, assume=assume, claim=claim)


def sum_of_quotient(f: Traced) -> Lemma:
    """Return the lemma that p + p_lo is the quotient plus its remainder, exactly."""
    return lemma("sum of the quotient", f, (at(1.0, 2.0, sign="+"), at(-2.0, -1.0, sign="-")))(
        {"divided": doubles(), "divided_lo": within(LIMITS.rest)},
        [near(v.p + v.p_lo, v.divided + v.divided_lo, 0), RestOfSum("p", "p_lo")],
    )


def bound(f: Traced, limits: LimitsOfPower) -> Lemma:
    """Return the lemma that p_err is l_err / |n| plus the counted share of |p|, with n and p from ``quotient``."""
    found = fast.quotient(f, limits)
    over = tuple(s for s in found.over if s.binade >= math.frexp(limits.least)[1] - 2)

    def assume(s: Subinterval) -> Properties:
        size = 2.0 * 2.0**s.binade * max(-s.low, s.high) * (1.001 * limits.told / 2.0)
        return {
            "exact_quotient": Number((unknown(0.5) + 1.5) * (s.sign * 2.0**s.binade)),
            "divisor": Number(grid=-52, power=1),
            "p": Number(v.exact_quotient, s.binade - 52, power=-1),
            "l_err": Number(unknown(size) + size, -1074, paired=True),
        }

    def claim(s: Subinterval) -> Claims:
        sign, unit = 1 if s.low > 0.0 else -1, 2.0**s.binade
        over_n = v.p_err - v.p * (s.sign * limits.counted)
        rounding = least_size(v.exact_quotient * VARIABLE) * limits.rounding
        return [
            near(over_n * v.divisor * sign, v.l_err, rounding, power=-1),
            bounded(v.p_err, limits.err * unit, power=-1),
        ]

    return lemma("bound", f, over, powers=found.powers)(assume, claim)


# the power


def rise_of_power(f: Traced, name: str = "rise of the power", rest: str = "s") -> Lemma:
    """Return the lemma of e^r - 1 as a pair, r being the pair ``rest``; the error is absolute."""
    least_r, second = 2.0**-120, f"{rest}_lo"
    over = at(-least_r, least_r, sign="0"), *binades(least_r, LIMITS.reach, signs=True)
    return lemma(name, f, over, divides=False)(
        {rest: doubles(), second: LIMITS.rests["s_lo"], "d": within(LIMITS.off)},
        [near(v.rise + v.rise_lo, exp(v[rest] + v[second] + v.d) - 1, OFF), *bounds(rise=HIGHEST, rise_lo=RISE_LO)],
    )


def power(f: Traced) -> Lemma:
    """Return the lemma of the power of 2 from e^s - 1 and n, whose bound holds for y log2 x.

    With y log2 x = p + p_lo + d, |d| <= p_err, the exact value is 2^(p + p_lo) 2^d, and |2^d - 1| is less than 0.7
    p_err. The error for 2^(p + p_lo) is at most the bound minus p_err times the power, for every p_err.
    """
    half = LIMITS.err * LIMITS.top / 2.0

    def claim(s: Subinterval) -> Claims:
        exact = (v.rise + v.rise_lo + v.d + 1) * power_of_2(Fraction(s.j, STEPS))
        left = least(v.power_err - v.power * v.p_err) * (1.0 - 2.0**-50)  # 2^-152 less: more than SMALL
        return [
            near(v.power + v.power_lo, exact, left),
            near(exact, v.power, least_size(v.power) * 2.0**-45),
            lies(v.power, LOWEST_POWER, HIGHEST_POWER),
            RestOfSum("power", "power_lo"),
            OnGrid("power_err", FINEST),
            Is("power_k", Exponent()),
        ]

    return lemma("power", f, choices([at(-HIGHEST, HIGHEST)], j=range(STEPS)), divides=False)(
        lambda s: {
            **pair("rise", multiples(-1074), within(RISE_LO)),
            "d": within(OFF),
            "steps": Residue(s.j, STEPS),
            "p_err": Number(unknown(half) + half, -1074),
        },
        claim,
    )


def choice(f: Traced) -> Lemma:
    """Return the lemma of the kernel's results: the power with the sign and the exponent of the given enclosure.

    The exponents differ by at most 1. The lower part of the power may lose something where that part is ``SMALL``.
    """
    middle, apart = (HIGHEST_POWER + LOWEST_POWER) / 2.0, (HIGHEST_POWER - LOWEST_POWER) / 2.0

    def claim(s: Subinterval) -> Claims:
        scale = 2.0**s.apart
        sign = -scale if s.negative else scale
        lower = near(v.new_lo, v.power_lo * sign, SMALL if s.is_small else 0)
        return [*equals(new_hi=v.power * sign), lower, *equals(new_err=v.power_err * scale), SAME_EXPONENT]

    return lemma("choice", f, choices(apart=(-1, 0, 1), negative=(False, True), is_small=(False, True)))(
        lambda s: {
            **dict(closer=True, apart=s.apart, negative=s.negative),
            "power": Number(unknown(apart) + middle, -53),
            "power_lo": within(SMALL) if s.is_small else within(1.0, -303),  # a multiple where more than SMALL
            "power_err": within(1.0, FINEST),
        },
        claim,
    )


def of_kernel(name: str) -> Traced:
    """Return the trace; LookupError where the accurate kernel may give a bound, not 0, of arguments in no lemma.

    These are exact results and special values, and p that is tiny or clipped.
    """
    other, ordinary = accurate.ordinary(name)
    special = dict.fromkeys(ordinary.keys() & {"special", "first"}, False)
    for condition in (*special, "usual"):
        no_bound(other, {**special, condition: not ordinary[condition]})
    return narrow(name)


def lemmas(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of the logarithm, its product or quotient, the reduction, the power of 2, and the results."""
    f, limits = of_kernel(name), LIMITS_OF_ROOT if name == "rootn" else LIMITS
    log = scoped(f, "log")
    if name == "rootn":
        divided = fast.quotient(f, limits, "divided", "divided_lo", "divided_rest")
        scaled: tuple[Lemma, ...] = divided, sum_of_quotient(f), bound(f, limits)
    else:
        scaled = (product(f, limits),)
    last = limits_of_power(f, limits), fast.reduction(f, limits, 0.0), rise_of_power(f), power(f), choice(f)
    return *logarithm(log), *scaled, *last


LEMMAS = dict.fromkeys(("pow", "powr", "pown", "rootn"), lemmas)
