"""pow, powr, pown, rootn; cbrt, hypot and rsqrt.

The logarithm l + l_lo of |x|, its product or quotient p + p_lo with y, and 2^(p + p_lo).

No lemma is about both arguments at once: the logarithm depends on x, the product on l, l_lo and y without their powers
of two, and the power of 2 on p and p_lo. The lemmas serve the accurate kernels, too: ``Limits`` has the facts that one
lemma ensures and the next one assumes.
"""

from __future__ import annotations

from clmath.kernels.fast import power as fast
from proofs.fast.arguments import of_arguments
from proofs.fast.logarithm import FAST, Layout, doubling, places, total
from proofs.fast.power_refined import REFINED
from proofs.lemmas import *

GREATEST_N = 31  # |y| of rootn is at most 2^31
STEPS = 128


@dataclass(frozen=True)
class Limits:
    """Facts that one lemma ensures and the next one assumes.

    The logarithm for every x but 1: |l + l_lo - log2 x| <= ``log`` |log2 x|, |l_lo| <= ``low`` |l|, ``least`` <= |l|
    <= ``most``, multiples of 2^``grid``. The product or quotient: |p + p_lo - y (l + l_lo)| <= ``product`` |p|, |p_lo|
    <= ``rest`` |p|, multiples of 2^``grid_of_rest``; ``powers``: the powers of two in y. The reduction of |p| from
    ``slight`` to ``top``: the rests s, s_lo have the properties ``rests``, and |s| <= ``reach``; the error is at most
    ``off``; |n/steps| <= ``exponents``.
    """

    log: float
    low: float
    least: float
    most: float
    powers: tuple[int, int]
    slight: float
    top: float
    off: float
    reach: float
    exponents: int
    steps: int
    rests: Mapping[str, Number]
    product: float = 2.0**-100
    rest: float = 2.0**-48
    grid: int = -1074
    grid_of_rest: int = -1074

    @property
    def away(self) -> float:
        """Return a bound of |p + p_lo - y log2 x| / |p|.

        y (l + l_lo) = (p + p_lo) (1 + a) with |a| <= product / (1 - rest), and y log2 x = y (l + l_lo) / (1 + b) with
        |b| <= log.
        """
        error_of_product, rest, error_of_log = map(Fraction, (self.product, self.rest, self.log))
        exact = (1 + rest) * ((1 + error_of_product / (1 - rest)) / (1 - error_of_log) - 1)
        return math.nextafter(float(exact), 1.0)


LIMITS = Limits(
    log=2.0**-66,
    low=2.0**-51,
    least=2.0**-24,
    most=150.0,
    powers=(-149, 128),  # y is a float, or an integer of 32 bits
    slight=fast.SLIGHT,
    top=fast.TOP,
    off=2.0**-58,
    reach=0.0028,
    exponents=181,
    steps=STEPS,
    rests={"s": multiples(-1074)},
)


def relative(limits: Limits, exact: Term, size: Term) -> list[Claim]:
    """Claim that l + l_lo is within ``limits.log`` times ``size`` of ``exact``, whose size is at least ``size``."""
    return [near(v.l + v.l_lo, exact, size * limits.log), bounded(v.l, limits.most)]


def at_least(value: Term, bound: float) -> Claim:
    """Claim that the size of ``value`` is at least ``bound``."""
    return bounded(term(bound), least_size(value))


def on_grid(name: str, grid: int, added: int = 0) -> list[Claim]:
    """Claim that a double is a multiple of 2^(grid + added); all doubles are multiples of 2^-1074."""
    return [OnGrid(name, grid + added)] if grid > -1074 else []


def logarithm(f: Traced) -> Lemma:
    """Return the lemma of the logarithm of 2^q m, m at its place."""
    powers = doubling(-149, 128)  # of floats
    found = total(f, FAST, "log2", 24, powers, {}, lambda exact: near(v.l + v.l_lo, exact, 0))

    def claim(s: Subinterval) -> Claims:
        at_one = s.k == (0, 0) and s.low == s.high == 1.0
        exact = v.k - FAST.carried(s.j)
        if not s.low == s.high == 1.0:
            exact = (exact * log(2) + log(v.m)) / log(2)
        smaller = bounded(v.l_lo, least_size(v.l) * LIMITS.low)
        sizes = [] if at_one else [at_least(v.l, LIMITS.least)]
        return [*relative(LIMITS, exact, least_size(exact)), smaller, *sizes]

    return replace(found, name="logarithm", claim=claim)


def product(f: Traced, limits: Limits) -> Lemma:
    """Return the lemma that p + p_lo is y (l + l_lo), for all y of either sign, whose powers of two are taken out."""
    assume = {"l": doubles(), "l_lo": Number(unknown(most(VARIABLE) * limits.low), limits.grid, paired=True)}
    factors = {sign: Number((unknown(0.5) + 1.5) * sign, -52, power=1, paired=True) for sign in (1, -1)}
    over = mirrored(choices(binades(limits.least, limits.most), sign=factors))
    return lemma("product", f, over, powers=limits.powers)(
        lambda s: {**assume, "factor": factors[s.sign]},
        [
            bounded(v.p + v.p_lo - v.factor * v.l - v.factor * v.l_lo, least_size(v.p) * limits.product, power=1),
            bounded(v.p_lo, least_size(v.p) * limits.rest, power=1),
            *on_grid("p_lo", limits.grid_of_rest),
        ],
    )


def quotient(f: Traced, limits: Limits, p: str = "p", p_lo: str = "p_lo", left: str = "left") -> Lemma:
    """Return the lemma that p + p_lo is (l + l_lo) / y, for all integers y of each eighth of a binade.

    As p is l / y rounded, |l - p y| is at most |y| times half a unit in the last place of p. And p_lo is a rounded
    quotient: the quotient of a multiple of 2^g, not zero, is 2^g / |y| at least, and a double of that size is a
    multiple of 2^(g - 53) / |y| at least.
    """
    binades_of_p = range(math.frexp(limits.least / 2.0)[1] - 2, math.frexp(limits.most)[1])

    def assume(s: Subinterval) -> Properties:
        unit = 2.0**s.binade
        return {
            "exact_quotient": Number((unknown(0.5) + 1.5) * (s.sign * unit)),
            "dividend": Number(v.exact_quotient * VARIABLE + unknown(2.0 * half_ulp(2.0 * unit))),
            "divisor": Number(grid=-52, power=1),
            p: Number(v.exact_quotient, s.binade - 52, power=-1),
            **pair("l", Number(v.dividend, limits.grid), Number(unknown(most(v.dividend) * limits.low), limits.grid)),
        }

    def claim(s: Subinterval) -> Claims:
        low, unit = v[p_lo], 2.0**s.binade
        missed = v.dividend - v.exact_quotient * v.divisor + v.l_lo
        return [
            near(low * v.divisor, missed, limits.product * unit, power=-1),
            bounded(low, limits.rest * unit, power=-1),
            Formula(p, ("double.div", "l", "divisor")),
            Formula(p_lo, ("double.div", left, "divisor")),
            *on_grid(left, limits.grid_of_rest, GREATEST_N + 1 + 52),
        ]

    eighths = [(i / 8, (i + 1) / 8) for i in range(8, 16)]
    over = [
        at(low, high, binade=binade, sign=sign) for binade in binades_of_p for low, high in eighths for sign in (1, -1)
    ]
    return lemma("quotient", f, mirrored(over), powers=(0, GREATEST_N))(assume, claim)


def reduction(f: Traced, limits: Limits, away: float) -> Lemma:
    """Return the lemma that p + p_lo, or a number within ``away`` |p| of it, is n/steps + (s + s_lo + d) log2(e)."""
    top = limits.top
    clipped = "double.select", ("double.gt", "p", top), top, "p"
    first, *others = (v[name] for name in limits.rests)
    claim: Claims = [
        near((v.p + v.p_lo + v.away - v.steps / limits.steps) * log(2), sum(others, first), limits.off),
        *ensures(dict(limits.rests), s=limits.reach),
        bounded(v.steps, limits.steps * limits.exponents),
        Formula("clipped", ("double.select", ("double.lt", "p", -top), -top, clipped)),
    ]
    return lemma("reduction", f, binades(limits.slight, top, signs=True))(
        {
            "p": doubles(),
            "clipped": doubles(),
            "p_lo": Number(unknown(most(VARIABLE) * limits.rest), limits.grid_of_rest),
            "away": Number(unknown(most(VARIABLE) * away)),
        },
        claim,
    )


def power(f: Traced, ordinary: Properties, signs: Sequence[bool]) -> Lemma:
    """Return the lemma of 2^(n/steps) e^(s + d), and of its negative."""
    ends = (0.0, LIMITS.reach), (-LIMITS.reach, 0.0)

    def assume(s: Subinterval) -> Properties:
        known = {**ordinary, "negative": s.negative} if len(signs) > 1 else ordinary
        return {**LIMITS.rests, "d": within(LIMITS.off), "steps": Residue(s.j, STEPS), **known}

    over = (at(*pair, negative=negative, j=j) for negative in signs for j in range(STEPS) for pair in ends)
    return lemma("power", f, over, powers=(-LIMITS.exponents, LIMITS.exponents))(
        assume,
        lambda s: encloses_rounded(exp(v.s + v.d) * power_of_2(s.j / STEPS) * (-1 if s.negative else 1), power=1),
    )


def lemmas(name: str) -> tuple[Lemma, ...]:
    """Return the logarithm, its product or quotient, the reduction, and the power of 2."""
    f, signs = kernel(getattr(fast, name), 2), (False,) if name == "powr" else (False, True)
    last = {"powr": ("zero",), "rootn": ()}.get(name, ("one",))
    ordinary = dict.fromkeys(("slight", "first", "special", "invalid", *last), False)
    scaled = (quotient if name == "rootn" else product)(f, LIMITS)
    reduced = reduction(f, LIMITS, LIMITS.away)
    return places(f, FAST, "n"), logarithm(f), scaled, reduced, power(f, ordinary, signs)


# cbrt, hypot

FLOATS = -149, 127  # the powers of two in floats
CBRT = Layout(ONE, 128, 45, 128)
BELOW_TWO = 2.0 - 2.0**-23
OFF_SQUARES = 2.0**-52


def cube_root(x: Term, rest: int) -> Term:
    """Return the cube root of 2^rest x."""
    return exp(log(x) / 3) * exp(log(2) * rest / 3)


def cbrt(_: str) -> tuple[Lemma, ...]:
    """Return the lemmas of cbrt: x = 2^(3 n + rest) m, and the cube root of 2^rest m from the entry of its place."""
    f, powers = kernel(fast.cbrt, 2), (FLOATS[0] // 3, FLOATS[1] // 3)
    cases = [(sign, rest, j) for sign in (1, -1) for rest in range(3) for j in range(CBRT.places)]

    def given(s: Subinterval) -> Properties:
        x = Number(VARIABLE * (s.sign * 2**s.rest), s.rest - 23, bits=24, power=3)
        entry = {"rest": s.rest, "j": s.j, "nonzero": True, "finite": True}
        return {"m": Number(grid=-23, bits=24, snapped=True), "x": x, "thirds": Exponent(), **entry}

    return (
        lemma("entries", f, choices(rest=range(3), j=range(CBRT.places)))(
            lambda s: {"rest": s.rest, "j": s.j},
            lambda s: near(v.high + v.low, cube_root(inverse(v.reciprocal), s.rest), 2.0**-105),
        ),
        lemma("exponents", f, choices(exponent=range(FLOATS[0], FLOATS[1] + 1)))(
            lambda s: {"exponent": s.exponent}, lambda s: are(thirds=s.exponent // 3, rest=s.exponent % 3)
        ),
        places(f, CBRT, "exponent"),
        lemma("root", f, (at(*CBRT.ends(j, 24), sign=sign, rest=rest, j=j) for sign, rest, j in cases), powers=powers)(
            given, lambda s: encloses_rounded(cube_root(v.m, s.rest) * s.sign, power=1)
        ),
    )


def one_of(a: object, b: object, order: str) -> tuple[object, ...]:
    """Return the operation that takes the first of two values in an order; a NaN stays."""
    return "double.select", ("bool.or", (order, a, b), ("double.ne", a, a)), a, b


def hypot(_: str) -> tuple[Lemma, ...]:
    """Return the lemmas of hypot: the sum of the squares of 2^q a and 2^q b, 2^-14 a <= b <= a, and its root."""
    f = kernel(fast.hypot, 2)
    parts = [(2.0**n, 2.0 ** (n + 1)) for n in range(-14, -3)] + [(n / 8, (n + 1) / 8) for n in range(1, 16)]
    ordinary = dict.fromkeys(("slight", "infinite", "invalid"), False)

    def given(s: Subinterval) -> Properties:
        low, high = s.smaller
        smaller = between(low, high, -37, bits=24, power=1, paired=True)
        return {"larger": Number(grid=-23, bits=24, power=1, snapped=True), "smaller": smaller}

    exact = v.larger * v.larger + v.smaller * v.smaller
    squares: Claims = [
        near(v.total, exact, least(exact) * OFF_SQUARES, power=2),
        Formula("larger", one_of(("double.abs", "x"), ("double.abs", "y"), "double.gt")),
        Formula("smaller", one_of(("double.abs", "x"), ("double.abs", "y"), "double.lt")),
    ]
    return (
        lemma("squares", f, (at(max(1.0, low), BELOW_TWO, smaller=(low, high)) for low, high in parts), powers=FLOATS)(
            given, squares
        ),
        lemma("root", f, (at(n / 4, (n + 1) / 4, of="sum") for n in range(4, 32)), powers=FLOATS)(
            {"total": Number(VARIABLE + unknown(most(VARIABLE) * OFF_SQUARES), -2000, power=2), **ordinary},
            encloses_rounded(sqrt(VARIABLE), power=1),
        ),
    )


UNREFINED = {**dict.fromkeys(("pow", "powr", "pown", "rootn"), lemmas), "cbrt": cbrt, "hypot": hypot}
ENDS = 2.0**-149, 2.0**128  # of arguments of rsqrt, which are not reduced
LEMMAS = {
    **dict.fromkeys(UNREFINED, lambda name: (*UNREFINED[name](name), *REFINED[name](name))),
    "rsqrt": lambda _: of_arguments(fast.rsqrt, lambda x: inverse(sqrt(x)), *ENDS, 0.0, ("even", "zero"), (1,)),
}
