"""Sides of boundaries: which side of a double, or of a midpoint, a result lies on that is close to one.

A boundary is a double or half-way between two, and so is b = hi + lo rounded to a multiple of 2^-54 where hi is 1 to 2
in size; all boundaries are such multiples. Where |lo - (b - hi)| <= err, the value is within 2 err < 2^-62 of b. Where
the side is known, the new result is b -+ 2^-80: all other boundaries are farther away. An exact result that is a
boundary is b: the result is a multiple of 2^-54, and within err of hi + lo, so that all other multiples are farther
from lo.

Sides. |x| = (1 + d) 2^k and |b| = (1 + g) 2^m, d and g small; ``power_beyond(d, y, g)`` has the sign of T = (1 + d)^y -
(1 + g), or is 0, for |d| < 2^-33 and |y d| < 2^-32. With s = y (y - 1) d^2/2, T is y d - g + s with an error below
2^-32.5 |s|: each term of the series is (y - k) d/(k + 1) times the term before. y d is ``first`` plus ``rest`` exactly,
and ``second`` is s with a relative error of at most 2^-45 (lemma "second"). The computed sum M has the sign of T
wherever |M| is more than the threshold, 2^-30 |second|:
- where ``first`` and g differ by less than 1/4 -+ 1/4 of the binade of the larger number, their difference is exact
  (lemma "difference"); then the error of M is below the threshold if ``second`` is the larger part, and otherwise M has
  the sign of T (lemma "sum");
- where they differ by more, all other parts are small relative to the difference (lemma "far").
"""

from __future__ import annotations

from types import MappingProxyType

from clmath.kernels.accurate.boundaries import LEAST_NORMAL, ONE, SLIGHT
from proofs.lemmas import *

QUARTER = 1 << 51  # encodings from 3/4 to 1
UNIT, BESIDE = 2.0**-54, 2.0**-80
NEAR = 2.0**-31  # distance of hi from a power of two, where the side is found
SMALL, REST = 2.0**-31, 2.0**-52  # sizes of ``second`` and ``rest`` relative to the larger of first and g
SERIES = 2.0**-32.3  # size of the other terms of the series, and of roundings, relative to ``second``
# ``rest`` relative to the larger of first - g + rest and ``second``: at most 2^54, for |d| >= 2^-53
CANCELLED = 2.0**60
ROUNDINGS = 2.0**-45  # relative errors of ``first`` and ``second``
LEFT = 2.0**-51  # b - hi in size
FAR = SLIGHT * (1.0 + 2.0**-10)  # from there on numbers are not slight
BOTH_BINADES = (1.0, 2.0), (-2.0, -1.0)


# the enclosure, rounded


def boundary(refined: Refinement, conditions: Formulas = MappingProxyType({})) -> tuple[Lemma, ...]:
    """Return the lemmas of the results of ``refined``: b or a number next to it, or the given results.

    ``conditions``: the operations of further conditions, by name.
    """
    meaning: Formulas = {
        **conditions,
        "open": ("double.gt", "err", 0.0),
        "given": ("double.ne", "side", 0.0),
        "close": ("double.le", ("double.abs", ("double.sub", "lo", "rounded")), "err"),
        "outward": ("bool.eq", ("double.gt", "side", 0.0), ("double.gt", "hi", 0.0)),
    }
    code = {(e, sign): e + 1023 << 52 for e in range(-500, 501) for sign in (0, SIGN)}
    one = Number(term(1), 0, bits=1, power=1)
    scaled = {"powers": (-150, 150)}

    def returned(s: Subinterval) -> Properties:
        known = {"exact": s.exact, "found": True} | ({} if s.exact else {"outward": s.outward})
        numbers = {"hi": Number(grid=-53, power=1), "rounded": Number(unknown(LEFT), -57, power=1)}
        return {**numbers, "power_of_hi": one, **known}

    def results(s: Subinterval) -> Claims:
        beside = 0.0 if s.exact else BESIDE if s.outward else -BESIDE
        return [SAME_EXPONENT, *refined.exactly(v.hi + v.rounded + beside, power=1)]

    cases = [(exact, out, e) for exact, out in ((True, None), (False, True), (False, False)) for e in BOTH_BINADES]
    return (
        refined.meaning(meaning),
        refined.unchanged(("open",), ("exact", "given"), ("exact", "close")),
        refined.lemma("place of hi", [at(exponent=e, sign=sign) for e, sign in code])(
            lambda s: {"code_of_hi": Encoding(s.sign + code[s.exponent, s.sign], BINADE)},
            lambda s: Is("place", code[s.exponent, s.sign]),
        ),
        refined.lemma("rounded to a boundary", [at(-(2.0**-52), 2.0**-52, of="lo")], **scaled)(
            {"lo": Number(grid=-400, power=1), "power_of_hi": one},
            [OnGrid("rounded", -54, power=1), near(v.rounded, v.lo, UNIT / 2 * (1.0 + 2.0**-20), power=1)],
        ),
        refined.lemma("returned", [at(*e, exact=exact, outward=out) for exact, out, e in cases], **scaled)(
            returned, results
        ),
    )


def no_exact_result(refined: Refinement) -> Lemma:
    """Return the lemma that results with a bound are not exact."""
    bounds = binades(2.0**-1074, 1.0, of="err")
    return refined.lemma("open", bounds)({"err": multiples(-1074)}, Is("exact", expected=False))


# g and d


def of_gap(cell: Term) -> Properties:
    """Return the properties of |hi| = 2^q (1 + t), t in the subinterval, and of b - |hi|."""
    return {
        "power_near": Number(term(1), 0, bits=1, power=1),
        "inverse_near": Number(term(1), 0, bits=1, power=-1),
        "abs_hi": Number(cell + 1, -53, power=1),
        "added": Number(unknown(LEFT), -55, power=1),
    }


def gaps(refined: Refinement) -> tuple[Lemma, ...]:
    """Return the lemmas that d and g are exact where they are small."""
    meaning = {
        "encoding": ("long.and", ("bits", "x"), ~SIGN),
        "subnormal": ("long.lt", "encoding", LEAST_NORMAL),
        "size_of_hi": ("long.and", "code_of_hi", ~SIGN),
        "code_of_hi": ("bits", "hi"),
        "abs_hi": ("double.abs", "hi"),
        "added": ("from_bits", ("long.xor", ("bits", "rounded"), ("long.and", "code_of_hi", SIGN))),
    }
    around_one = Encoding(ONE - QUARTER, BINADE)  # 3/4 to 3/2
    every, lowered = Encoding(ONE, BINADE, BINADE), Encoding(ONE - (SCALED << 52), BINADE, BINADE)
    return (
        refined.meaning(meaning, "meaning of sizes"),
        refined.lemma("next power", [at(of="hi")])(
            {"size_of_hi": Encoding(ONE - QUARTER, BINADE, BINADE)},
            are(next_power=Encoding(ONE, 1, BINADE), inverse_code=Encoding(ONE, 1, -BINADE)),
        ),
        refined.lemma("gap", [at(-NEAR, NEAR, of="t")], powers=(-2, 2))(
            of_gap(VARIABLE), near(v.g, VARIABLE + v.added, 0)
        ),
        refined.lemma("normalised argument", [at(subnormal=False), at(subnormal=True)])(
            lambda s: {"scaled" if s.subnormal else "encoding": every, "subnormal": s.subnormal},
            lambda s: Is("normal", lowered if s.subnormal else every),
        ),
        refined.lemma("next exponent", choices(k=range(-1075, 1025)))(
            lambda s: {"normal": Encoding(around_one.first + (s.k << 52), BINADE)},
            lambda s: are(k_near=s.k, code_near=around_one),
        ),
        refined.lemma("argument over a power of two", [at(0.75, 1.5, of="x")])(
            {"near": multiples(-53)}, near(v.d, v.near - 1, 0)
        ),
        refined.never("no slight d", "d", "slight_d", of_both_signs(FAR, 1.0)),
    )


# the sign of T


def second_order(refined: Refinement, fixed: float) -> Iterator[Lemma]:
    """Yield the lemmas that ``first`` and ``second`` are y d and y (y - 1) d^2/2 with relative errors below 2^-45.

    And that ``rest`` is the error of ``first``. For every d, 2^q times 1 to 2, where y is the number ``fixed``, and
    else for subintervals of y, or of y - 1.
    """

    def claim(y: Term) -> Claims:
        product = y * v.base_offset
        exact = product * v.base_offset * (y - 1) / 2
        return [
            near(v.first, product, term(ROUNDINGS) * least_size(product), power=1),
            near(v.second, exact, term(ROUNDINGS) * least_size(exact), power=2),
            near(v.first + v.rest, product, 0, power=1),
        ]

    if fixed:
        over, given = [at(1.0, 2.0, y=fixed), at(-2.0, -1.0, y=fixed)], {"base_offset": Number(grid=-400, power=1)}
        yield refined.lemma("second", over, powers=(-80, -30))(given, claim(term(fixed)))
        return
    below, above = binades(2.0**-131, 0.5), binades(1.5, 2.0**67)
    negative = opposite(binades(2.0**-131, 2.0**67))
    of_power = {"base_offset": Number(unknown(0.5) + 1.5, -400, power=1, paired=True)}
    next_to_one = {"beyond_1": Number(grid=-53, snapped=True), "degree": Number(v.beyond_1 + 1, -53)}
    for name, over, degree in (
        ("second", [*below, *above, *negative], {"degree": multiples(-200)}),
        ("second next to 1", of_both_signs(2.0**-53, 0.5), next_to_one),
    ):
        yield refined.lemma(name, over, powers=(-80, -30))({**of_power, **degree}, claim(v.degree))


def signs(refined: Refinement, fixed: float = 0.0) -> tuple[Lemma, ...]:
    """Return the lemmas that ``beyond`` has the sign of T, or is 0."""
    pairs = [(*pair, sign) for pair in (("first", "power_offset"), ("power_offset", "first")) for sign in (1, -1)]
    over = [at(1.0, 2.0, larger=larger, smaller=smaller, sign=sign) for larger, smaller, sign in pairs]
    scaled = {"powers": (-300, 300)}

    def difference(s: Subinterval) -> Properties:
        smaller = VARIABLE * s.sign - v.between * s.sign
        numbers = {s.larger: Number(VARIABLE * s.sign, -53, power=1), s.smaller: Number(smaller, -53, power=1)}
        return {"between": Number(unknown(0.25) + 0.25), **numbers}

    def far(s: Subinterval) -> Properties:
        smaller = VARIABLE * s.sign - v.between * s.sign
        return {
            "between": Number(unknown(1.75) + 2.25),
            "others": within(SMALL * SERIES),
            s.larger: Number(VARIABLE * s.sign, -400, power=1),
            s.smaller: Number(smaller, -400, power=1),
            "rest": Number(unknown(REST), -400, power=1),
            "second": Number(unknown(SMALL), -400, power=1),
        }

    def far_from_zero(_s: Subinterval) -> Claim:
        exact = v.first - v.power_offset + v.rest + v.second + v.others
        return near(v.missed, exact, term(0.9) * least_size(exact), power=1)

    def parts(s: Subinterval) -> Properties:
        both, other = (unknown(4.0), VARIABLE * s.sign) if s.larger == "second" else (VARIABLE * s.sign, unknown(0.5))
        return {
            "both": Number(both),
            "left_over": within(CANCELLED),
            "others": within(2.0 * SERIES if s.larger == "second" else 0.5 * SERIES),
            "difference": Number(v.both - v.left_over, -400, power=1),
            "rest": Number(v.left_over, -400, power=1),
            "second": Number(other, -400, power=1),
        }

    def total(s: Subinterval) -> Claim:
        exact = v.both + v.second + v.others
        bound = least(v.threshold) if s.larger == "second" else term(0.9) * least_size(exact)
        return near(v.missed, exact, bound, power=1)

    sums = choices([at(1.0, 2.0)], larger=("second", "difference"), sign=(1, -1))
    told: Cases = {"not told": ({"told": False}, [("beyond", 0.0)]), "told": ({"told": True}, [("beyond", "missed")])}
    return (
        *second_order(refined, fixed),
        refined.lemma("difference", over, **scaled)(
            difference,
            lambda s: near(v.difference, v.between * (s.sign if s.larger == "first" else -s.sign), 0, power=1),
        ),
        refined.lemma("far", over, **scaled)(far, far_from_zero),
        refined.lemma("sum", sums, **scaled)(parts, total),
        refined.same("told", told),
        refined.meaning({"told": ("double.gt", ("double.abs", "missed"), "threshold")}, "meaning of what is told"),
    )


def roots(refined: Refinement, fixed: float = 0.0) -> tuple[Lemma, ...]:
    """Return the lemmas of sides of roots: g is small, and the sign is the sign of n times ``beyond``."""
    sides: Cases = {
        "slight": ({"slight": True}, [("side", "times_beyond")]),
        "d is not slight": ({"slight_d": False}, [("side", 0.0)]),
        "g is not slight": ({"slight_g": False}, [("side", 0.0)]),
    }
    degree = -fixed if fixed else ("double.neg", "n")
    ends = [*binades(NEAR / 2, 0.5, of="t"), *opposite(binades(NEAR / 2, 0.25, of="t"))]
    return (
        refined.same("side", sides),
        refined.meaning({"times_beyond": ("double.mul", degree, "beyond")}, "meaning of sides"),
        refined.lemma("no gap", ends, powers=(-2, 2))(of_gap(VARIABLE), Is("slight_g", expected=False)),
        *signs(refined, fixed),
    )
