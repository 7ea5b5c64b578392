"""pow, powr, pown, rootn: as the fast ones, with a logarithm of two tables and a bound that grows with |p|.

x = 2^k m with m at its place j, and m c1 c2 = 1 + r + r_lo with the entries c1, c2 of both tables: log2 x is the sum of
k, the heads and the tails of the tables' logarithms, and t + u + rest for 1 + r + r_lo.
"""

from __future__ import annotations

import functools

from clmath.kernels.accurate import power as accurate
from clmath.kernels.accurate.boundaries import SLIGHT
from proofs.accurate.boundaries import FAR, boundary, gaps, roots, signs
from proofs.fast.logarithm import Layout, around_one, places
from proofs.fast.power import Limits, at_least, product, quotient, reduction, relative
from proofs.fast.power_refined import beyond_count, integer_where, integers_below, odd_parts, quotients
from proofs.lemmas import *

LAYOUT = Layout(ONE, 128, 45, accurate.SQRT2_PLACE)
LIMITS = Limits(
    log=2.0**-79.5,
    low=2.0**-52,
    least=2.0**-53,
    most=1075.0,
    powers=(-130, 66),
    slight=accurate.TINY,
    top=accurate.TOP,
    off=2.0**-95,
    reach=0.00136,
    exponents=1201,
    steps=256,
    rests={"s": multiples(-700), "s_lo": within(2.0**-57)},
    grid=-340,
    grid_of_rest=-600,
)
POWERS = (-1074, -1), (1, 1024)  # k of all doubles except 0
HALF_STEP = 0.5 + 2.0**-12  # |8192 (m c1 - 1) - n|, n the integer next to the value for the first half of m
FINE = 64  # the places of the second table are n from -64 to 64
LEFT = 0.25  # by which logarithms may be larger than the sum of k and the heads

REACH = 2.0**-13.6
FOLDED = {"r": multiples(-76), "r_lo": within(half_ulp(REACH) * (1.0 + 2.0**-20), -76)}
BESIDE = {"t": within(2.0**-13, LIMITS.grid), "u": within(2.0**-27, LIMITS.grid), "rest": within(2.0**-40, LIMITS.grid)}
HEAD, TAIL = within(0.51, -42), within(2.0**-41, LIMITS.grid)
ERROR_BESIDE, ERROR_OF_TABLES = 2.0**-90, 2.0**-92


def index(f: Traced) -> Lemma:
    """Return the lemma that the index in the second table is n's, and |8192 (m c1 - 1) - n| is hardly above 1/2."""
    return lemma("index", f, (at(*LAYOUT.ends(j, 53), j=j) for j in range(LAYOUT.places)))(
        lambda s: {"j": s.j, "m": Number(grid=-52)},
        lambda s: [
            bounded(v.nearest, 2.0 * FINE),
            bounded(v.nearest, FINE + 0.5),
            near((v.m * float(accurate.COARSE[s.j]) - 1) * 8192, v.nearest, HALF_STEP),
            Formula("i", ("long.add", "nearest", FINE)),
        ],
    )


def sizes(exact: Term, size: Term) -> list[Claim]:
    """Return the claims of the logarithm l + l_lo: that it is nearly ``exact``, and the size of l_lo."""
    grids = [OnGrid(name, LIMITS.grid) for name in ("l", "l_lo")]
    return [*relative(LIMITS, exact, size), RestOfSum("l", "l_lo"), *grids]


def next_to_one(f: Traced) -> Lemma:
    """Return the lemma of log2 m at each pair of places, k = 0, and of the values that all k have in common."""

    def claim(s: Subinterval) -> Claims:
        first, second = float(accurate.COARSE[s.j]), float(accurate.FINE[s.i])
        exact = log(v.m) / log(2) - LAYOUT.carried(s.j)
        at_one = s.low == s.high == 1.0
        return [
            *(sizes(term(0), term(0)) if at_one else [*sizes(exact, least_size(exact)), at_least(v.l, LIMITS.least)]),
            near(v.m * first * second - 1, v.r + v.r_lo, 0),
            *ensures(FOLDED, r=REACH),
            near(v.head + v.tail + LAYOUT.carried(s.j), -(log(first) + log(second)) / log(2), ERROR_OF_TABLES),
            *ensures({"head": HEAD, "tail": TAIL}),
        ]

    return lemma("logarithm", f, pairs_of_places())(
        lambda s: {"k": 0, "j": s.j, "i": s.i, "m": doubles(snapped=True)}, claim
    )


@functools.cache
def pairs_of_places() -> tuple[Subinterval, ...]:
    """Return the subintervals of m at each pair of places for k = 0: they follow from the lemma "index".

    All kernels have the same ones.
    """
    over: list[Subinterval] = []
    for j, n in itertools.product(range(LAYOUT.places), range(-FINE, FINE + 1)):
        c, (first, last) = float(accurate.COARSE[j]), LAYOUT.ends(j, 53)
        low, high = ((1.0 + (n + sign * HALF_STEP) / 8192.0) / c for sign in (-1.0, 1.0))
        low, high = max(low - 2.0**-50, first), min(high + 2.0**-50, last)
        if low <= high:
            over += [at(*ends, k=(0, 0), j=j, i=n + FINE) for ends in around_one(low, high, 53, near=True)]
    return tuple(over)


def beside_one(f: Traced) -> Lemma:
    """Return the lemma that t + u + rest is log2(1 + r + r_lo)."""
    return lemma("beside 1", f, (at(0.0, REACH, sign="+"), at(-REACH, 0.0, sign="-")))(
        FOLDED, [near(v.t + v.u + v.rest, log(v.r + v.r_lo + 1) / log(2), ERROR_BESIDE), *ensures(BESIDE)]
    )


def heads(f: Traced) -> Lemma:
    """Return the lemma that k and the sum of the tables' heads are added exactly, for every k but 0."""
    return lemma("heads", f, choices(k=POWERS), powers=lambda s: s.k)(
        {"k": Exponent(number=True), "head": HEAD},
        [near(v.with_k, v.k + v.head, 0), bounded(v.with_k, LIMITS.most - LEFT), OnGrid("with_k", -42)],
    )


def far_from_one(f: Traced) -> Lemma:
    """Return the lemma of the logarithm where k is not 0: the sum of k and the tables' heads is the variable."""
    exact = v.with_k + v.t + v.u + v.rest + v.tail + unknown(ERROR_BESIDE + ERROR_OF_TABLES)
    size = least_size(v.with_k) + term(-2.0 * 2.0**-13)
    claim: Claims = [*sizes(exact, size), at_least(v.l, LIMITS.least)]
    return lemma("far from 1", f, binades(1.0 - 0.51, LIMITS.most - LEFT, signs=True))(
        {"with_k": Number(grid=-42), **BESIDE, "tail": TAIL}, claim
    )


def logarithm(f: Traced) -> tuple[Lemma, ...]:
    """Return the lemmas of l + l_lo in any kernel that takes log2 of its first argument's size."""
    return (places(f, LAYOUT, "k", subnormal=True), index(f), next_to_one(f), beside_one(f), heads(f), far_from_one(f))


def power(f: Traced, conditions: Properties) -> Lemma:
    """Return the lemma of 2^(n/256) e^(s + s_lo), whose err holds for y log2 x.

    With p + p_lo = y log2 x (1 + a), |a| <= away, the exact value is 2^(p + p_lo) e^z with |z| <= away |p| log 2. The
    error for 2^(p + p_lo) is at most the part of err that remains, for every |p|.
    """
    half, steps = term(LIMITS.top / 2), LIMITS.steps
    growth = log(2) * (Fraction(LIMITS.away) * (1 + Fraction(2) ** -40))

    def claim(s: Subinterval) -> Claims:
        exact = exp(v.s + v.s_lo + v.off) * power_of_2(s.j / steps)
        return [
            near(v.hi + v.lo, exact, least(v.err - v.hi * v.size * growth)),
            near(exact, v.hi, least_size(v.hi) * 2.0**-45),
            Is("exponent", Exponent()),
        ]

    over = (at(*ends, j=j) for j in range(steps) for ends in ((0.0, LIMITS.reach), (-LIMITS.reach, 0.0)))
    return lemma("power", f, over)(
        lambda s: {
            **LIMITS.rests,
            "off": within(LIMITS.off),
            "size": Number(half + unknown(half), -1074),
            "steps": Residue(s.j, steps),
            **conditions,
        },
        claim,
    )


def negative(f: Traced, conditions: Properties) -> Lemma:
    """Return the lemma that negative results are the positive results with the other sign."""
    given: Properties = {"unsigned": multiples(-1074), "unsigned_lo": within(1.0), "sign": SIGN}
    return lemma("sign", f, (at(0.5, 1.0, sign="-"), at(1.0, 4.0, sign="-")))(
        {**conditions, **given}, equals(hi=-v.unsigned, lo=-v.unsigned_lo)
    )


def ordinary(name: str) -> tuple[Traced, Mapping[str, bool]]:
    """Return a kernel and its conditions where arguments are ordinary and p is neither tiny nor clipped."""
    first = {"first": False} if name in {"pown", "rootn"} else {}
    return kernel(getattr(accurate, name)), first | {"special": False, "tiny": False, "usual": True}


def lemmas(name: str) -> tuple[Lemma, ...]:
    """Return the logarithm, its product or quotient, the reduction, the power of 2, and the sign."""
    f, conditions = ordinary(name)
    scaled = (quotient if name == "rootn" else product)(f, LIMITS)
    parts = *logarithm(f), scaled, reduction(f, LIMITS, 0.0)
    if name == "powr":
        return *parts, power(f, conditions)
    return *parts, power(f, {**conditions, "sign": 0}), negative(f, conditions)


# functions that refine results: exact results, and sides of boundaries (``boundaries``)

LONGEST_POWER = 1 << 54  # no integer up to this has more than 54 bits
FARTHEST, LEAST_POWER = 2.0**66, 2.0**-130  # exponents in reach
DEEPEST = 1100.0  # powers of two in size
LARGEST_ROOT = 94906265.0  # of an integer below 2^53
OFF_LOGARITHM = 2.0**-100  # error of s + s_lo, relative to p
STEPS = range(5)
EXACT: Formulas = {"m_is_one": ("double.eq", "odd", 1.0), "no_rest": ("double.eq", "product_rest", 0.0)}
EITHER = ("given", "close")  # without one of these, results stay the same


def no_side(refined: Refinement) -> tuple[Lemma, ...]:
    """Return the lemmas of the side of a power: 0 unless d and y d are slight and k y is an integer."""
    slight = ("slight_d", "slight_yd", "scale")
    cases = {name: ({name: False}, [("side_of_power", 0.0)]) for name in slight}
    both = dict.fromkeys(slight, True), [("side_of_power", "beyond")]
    far = of_both_signs(FAR, 2.0**80)
    return (
        refined.same("side", {**cases, "slight": both}),
        refined.never("no slight y d", "first", "slight_yd", far),
        *signs(refined),
    )


def first_too_long(bound: int) -> list[Subinterval]:
    """Return for each exponent the least integer whose power is larger than ``bound``."""
    ends = [(n, float(integers_below(n, bound) + 1)) for n in range(1, 64)]
    return [at(m, m, n=n) for n, m in ends if m < 2.0**53]


def counts(refined: Refinement) -> tuple[Lemma, ...]:
    """Return the lemmas that the exponent of an exact power is an integer, and the power of an integer short enough.

    Small powers are rounded products of positive numbers, which grow with the numbers: where the power of an integer is
    too large, so are the powers of larger integers.
    """
    every = [at(float(n), float(n + 1), of="n") for n in range(63)]
    return (
        integer_where(refined, "count", "n", every, "is_integer", "count", ("below", ("is_integer",))),
        refined.never("other exponents", "n", "below", beyond_count(64.0, 2.0**80)),
        refined.lemma("powers too long", first_too_long(LONGEST_POWER))(
            lambda s: {"base": multiples(0), "n": constant(float(s.n))}, Is("below", expected=False)
        ),
    )


def scales(refined: Refinement, of: str = "") -> tuple[Lemma, ...]:
    """Return the lemmas that k y is the sum of two doubles exactly, and an integer where the first one is found to be.

    ``of``: the scope of the marks; "" for the k of the power of two next to x, otherwise the k of the odd integer m.
    """
    name, top = " of m" if of else "", 2400.0
    products = [at(-top, top, of="k y"), *binades(top, 2.0**80, signs=True)]
    k, product, rest = (v[f"{of}{one}"] for one in ("real_k", "product", "product_rest"))
    conditions = f"{of}scale", (f"{of}is_whole", f"{of}no_rest")
    return (
        refined.lemma(f"scale{name}", [at(-FARTHEST, FARTHEST, of="y")])(
            {"factor": multiples(-185), f"{of}real_k": within(DEEPEST, 0, paired=True)},
            near(product + rest, k * v.factor, 0),
        ),
        integer_where(
            refined, f"whole scale{name}", f"{of}product", products, f"{of}is_whole", f"{of}whole_product", conditions
        ),
    )


def in_reach(refined: Refinement) -> Lemma:
    """Return the lemma that exponents are moved into 2^-130 .. 2^66 in size, by their encodings."""
    size, sign = ("long.and", ("bits", "y"), ~SIGN), ("long.and", ("bits", "y"), SIGN)
    least, greatest = (math.frexp(end)[1] + 1022 << 52 for end in (LEAST_POWER, FARTHEST))
    low = ("long.select", ("long.gt", size, greatest), greatest, size)
    moved = ("long.select", ("long.lt", size, least), least, low)
    return refined.meaning({"factor": ("from_bits", ("long.or", moved, sign))}, "in reach")


def exact_powers() -> tuple[Lemma, ...]:
    """Return the lemmas of pown refined.

    |x|^y is (1 + d)^y 2^(k y), k y an integer, and |b| its neighbour, so that both have the same power of two: the
    ratio (1 + g)/(1 + d)^y is between 0.7 and 1.6.
    """
    refined = refinement(accurate.refined_pown)
    exact = refined.unchanged(*(("m_is_one", "below", which) for which in EITHER), name="exact")
    of_integers = *odd_parts(refined, "base", "", with_k=False), *counts(refined), *scales(refined)
    return *boundary(refined, EXACT), exact, *gaps(refined), *no_side(refined), *of_integers, in_reach(refined)


def slight_powers(refined: Refinement) -> tuple[Lemma, ...]:
    """Return the lemmas of sides of powers with slight exponents.

    y log |x| is s + s_lo, from the kernel's own logarithm, and log(1 + g) is g - g^2/2 with an error below |g|^3/2.
    Where s is within |g|/4 of g, s - g is exact (lemma "close logarithm"), and the errors of all other parts are below
    the bound (lemma "slight sum"): a larger difference has the right sign. |x|^y is next to 1 then, for s is slight;
    p is below 2 |g|, being close to g log2(e).
    """
    which: Cases = {
        "told of a power": ({"told_of_power": True}, [("side", "side_of_power")]),
        "not told of a power": ({"told_of_power": False}, [("side", "side_of_slight")]),
        "told of s": ({"told_of_s": True}, [("side_of_slight", "missed_of_s")]),
        "not told of s": ({"told_of_s": False}, [("side_of_slight", 0.0)]),
    }
    meaning = {
        "told_of_power": ("double.ne", "side_of_power", 0.0),
        "slight_g": ("double.lt", ("double.abs", "g"), SLIGHT),
        "close_to_g": ("double.lt", ("double.abs", "apart"), ("double.mul", 0.25, ("double.abs", "g"))),
        "more_than_s": ("double.gt", ("double.abs", "missed_of_s"), "bound_of_s"),
        "missed_of_s": ("double.add", "apart", "others"),
    }
    g, size, scaled = VARIABLE, most(VARIABLE), {"powers": (-70, 2)}
    off = size * size * size * 0.5 + size * (2 * (accurate.BOUND_OF_EXPONENT + OFF_LOGARITHM))
    return (
        refined.same("slight powers", which),
        refined.meaning(meaning, "meaning of slight powers"),
        refined.lemma("logarithm of the power", [at(of="logarithm")])(
            {}, [SameIn(name, "clmath.kernels.accurate.power", "pow") for name in ("p", "p_lo")]
        ),
        refined.lemma("natural logarithm", [at(1.0, 2.0, of="p"), at(-2.0, -1.0, of="p")], **scaled)(
            {"p": Number(grid=-52, power=1), "p_lo": Number(unknown(2.0**-51), -400, power=1)},
            [near(v.s + v.s_lo, (v.p + v.p_lo) * log(2), OFF_LOGARITHM, power=1), bounded(v.s_lo, 2.0**-50, power=1)],
        ),
        refined.lemma("close logarithm", [at(1.0, 2.0, sign=1), at(1.0, 2.0, sign=-1)], **scaled)(
            lambda s: {
                "away": within(0.5),
                "g": Number(g * s.sign, -52, power=1),
                "s": Number(g * s.sign + v.away, -53, power=1),
            },
            near(v.apart, v.away, 0, power=1),
        ),
        refined.lemma("slight sum", of_both_signs(2.0**-55, FAR))(
            {"left_out": Number(unknown(off)), "g": multiples(-107), "s_lo": within(size * 2.0**-49)},
            bounded(v.others - v.s_lo - g * g / 2 + v.left_out, term(0.99) * least(v.bound_of_s)),
        ),
        refined.never("no slight boundary", "g", "told_of_s", of_both_signs(FAR, 1.0)),
    )


def halvings(refined: Refinement) -> Iterator[Lemma]:
    """Yield the lemmas of the steps of pow: an integer root of the base and twice the exponent, or both as before."""
    for i in STEPS:
        same = [(f"step_{i}.next_{one}", f"step_{i}.{one}") for one in ("base", "n")]
        for name, condition in (("is whole", f"step_{i}.is_whole"), ("equal", f"step_{i}.equal")):
            yield refined.same(f"{name} {i}", {condition: ({condition: False}, same)})
    yield refined.lemma("whole roots", choices([at(0.5, LARGEST_ROOT)], i=STEPS))(
        lambda s: {f"step_{s.i}.root": multiples(-60)},
        lambda s: [
            OnGrid(f"step_{s.i}.whole_root", 0),
            Formula(f"step_{s.i}.is_whole", ("double.eq", f"step_{s.i}.whole_root", f"step_{s.i}.root")),
        ],
    )
    yield refined.lemma("roots", choices([at(0.0, LARGEST_ROOT)], i=STEPS))(
        lambda s: {f"step_{s.i}.root": multiples(0), f"step_{s.i}.n": Number(unknown(0.5) + 1.5, -52, power=1)},
        lambda s: [
            near(v[f"step_{s.i}.square"], VARIABLE * VARIABLE, 0),
            near(v[f"step_{s.i}.twice"], v[f"step_{s.i}.n"] * 2, 0, power=1),
            Formula(f"step_{s.i}.equal", ("double.eq", f"step_{s.i}.square", f"step_{s.i}.base")),
        ],
    )


def exact_real_powers() -> tuple[Lemma, ...]:
    """Return the lemmas of pow and powr refined.

    |x| = m 2^k, m an odd integer, and m^y = t^n where m is t^(2^s) and y = n/2^s: k y is an integer, and t^n an integer
    of at most 54 bits. Exponents out of reach become 2^66 or 2^-130 in size, and then only x = 1 and results that are
    tiny or beyond all doubles remain, for which the kernel's bound is 0.
    """
    refined = refinement(accurate.refined_pow)
    ends = (FARTHEST, -FARTHEST), (LEAST_POWER, -LEAST_POWER)
    k = (1.0, DEEPEST), (-DEEPEST, -1.0)
    return (
        *boundary(refined, {**EXACT, "of_m.no_rest": ("double.eq", "of_m.product_rest", 0.0)}),
        refined.unchanged(*(("m_is_one", "below", which) for which in EITHER), name="exact"),
        refined.unchanged(*(("of_m.scale", which) for which in EITHER), name="exact scale"),
        *gaps(refined),
        *no_side(refined),
        *slight_powers(refined),
        *odd_parts(refined, "x", "", with_k=True),
        *halvings(refined),
        *counts(refined),
        *scales(refined),
        *scales(refined, "of_m."),
        in_reach(refined),
        refined.lemma("out of reach", [at(*size, factor=end) for pair in ends for end in pair for size in k])(
            lambda s: {"factor": constant(s.factor), "of_m.real_k": multiples(0)}, Is("of_m.scale", expected=False)
        ),
        refined.lemma("largest exponents", choices(factor=ends[0]))(
            lambda s: {"factor": constant(s.factor)}, Is("below", expected=False)
        ),
    )


def exact_roots() -> tuple[Lemma, ...]:
    """Return the lemmas of rootn refined.

    Exact roots are 2^(k/n) where n divides k; or hi = v 2^j, v odd, with v^n = m: hi^n is x times a power of two, and
    within 2^-45 of x. Powers of integers are exact up to 53 bits; the first power that is longer is larger than m, as
    are all others.
    """
    refined = refinement(accurate.refined_rootn)
    short = [at(1.0, float(integers_below(n, 1 << 53)), n=n) for n in range(1, 64)]
    longer = first_too_long(1 << 53)
    groups = [(one, "is_power", which) for one in ("m_is_one", "divides") for which in EITHER]

    def raised(s: Subinterval) -> Claims:
        compared: Claim = Formula("equal", ("double.eq", "raised", "of_x.odd"))
        if s.high**s.n > 2**53:
            return [compared, Is("equal", expected=False)]
        exact = math.prod([v["of_hi.odd"]] * (s.n - 1), start=v["of_hi.odd"])
        return [compared, near(v.raised, exact, 0)]

    return (
        *boundary(refined, {"m_is_one": ("double.eq", "of_x.odd", 1.0)}),
        refined.unchanged(*groups, name="exact"),
        *gaps(refined),
        *roots(refined),
        *odd_parts(refined, "x", "of_x.", with_k=True),
        *odd_parts(refined, "hi", "of_hi.", with_k=False),
        *quotients(refined, DEEPEST),
        refined.lemma("other exponents", [at(64.0, 64.0, side="at"), *beyond_count(65.0, 2.0**31)])(
            {"n": multiples(0)}, Is("is_power", expected=False)
        ),
        refined.lemma("powers", [*short, *longer])(
            lambda s: {
                "of_hi.odd": Number(grid=0, snapped=True),
                "of_x.odd": Number(unknown(2.0**52 - 1.0) + 2.0**52, 0),
                "n": constant(float(s.n)),
            },
            raised,
        ),
    )


REFINED = {"pow": exact_real_powers, "powr": exact_real_powers, "pown": exact_powers, "rootn": exact_roots}
LEMMAS = dict.fromkeys(REFINED, lambda name: (*lemmas(name), *REFINED[name]()))
