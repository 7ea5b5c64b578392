"""cbrt, hypot and rsqrt: powers of two taken out, a root of few bits, and the error of its power, exactly."""

from __future__ import annotations

from clmath.kernels.accurate import roots as accurate
from proofs.accurate.boundaries import LEFT, boundary, gaps, no_exact_result
from proofs.accurate.boundaries import roots as sides_of_roots
from proofs.lemmas import *

EXPONENTS = range(-SCALED, 1024)  # of doubles


def normalised(f: Traced, *names: tuple[str, str, str, str]) -> Lemma:
    """Return the lemma that subnormal numbers x get the encoding of 2^1074 x with the exponent less 1074.

    ``names``: of the encoding, of the condition, of the encoding of 2^1074 x, and of the result.
    """
    any_exponent = Encoding(ONE, BINADE, BINADE)
    lowered = Encoding(ONE - SCALED * BINADE, BINADE, BINADE)
    return lemma("normalised", f, choices(subnormal=(False, True)))(
        lambda s: {
            name: found
            for encoding, condition, scaled, _ in names
            for name, found in ((scaled if s.subnormal else encoding, any_exponent), (condition, s.subnormal))
        },
        lambda s: [Is(result, lowered if s.subnormal else any_exponent) for *_, result in names],
    )


def binade(n: int, below: int = 0) -> Encoding:
    """Return the encodings of normal numbers from 2^(n - ``below``) on, smaller than 2^(n + 1)."""
    return Encoding((n - below) * BINADE + ONE, (below + 1) * BINADE)


# hypot: the larger leg is a 2^n, the smaller leg b 2^n; p + p_lo = a^2, q + q_lo = b^2; t + rest = p + q

WIDEST = 31  # b, which is not slight, is at least 2^-31
GRID = -114  # of q
SQUARE_REST, REST = 2.0**-52 * (1.0 + 2.0**-20), 2.0**-50 * (1.0 + 2.0**-20)


def squares(f: Traced) -> Lemma:
    """Return the lemma that the squares of a and of b, which is 2^-i .. 2^(1 - i), are exact.

    Rounding is monotonic: p or q is 4^-i .. 4 4^-i, a multiple of 2^-52 4^-i with an error of at most 2^-52 4^-i.
    """
    legs = [("a", "p", 0), *(("b", "q", i) for i in range(WIDEST + 1))]

    def assume(s: Subinterval) -> dict[str, Property]:
        unit = -52 - 2 * s.i
        rounded = Number(VARIABLE * VARIABLE + unknown(2.0**unit), unit)
        return {s.leg: doubles(snapped=True), s.square: rounded}

    def claim(s: Subinterval) -> Claims:
        square, rest = v[s.square], v[f"{s.square}_lo"]
        return [near(square + rest, VARIABLE * VARIABLE, 0), bounded(rest, SQUARE_REST)]

    over = (at(2.0**-i, math.nextafter(2.0 ** (1 - i), 0.0), leg=leg, square=square, i=i) for leg, square, i in legs)
    return lemma("squares", f, over)(assume, claim)


def total(f: Traced) -> Lemma:
    """Return the lemma that p + q is t + rest: q is at most p, for the root of q is at most the root of p."""

    def assume(s: Subinterval) -> dict[str, Property]:
        half = math.nextafter(2.0 * s.low, 0.0) / 2
        return {"p": doubles(snapped=True), "q": Number(term(half) + unknown(half), GRID)}

    claim: Claims = [near(v.t + v.rest, v.p + v.q, 0), bounded(v.rest, REST), near(v.t, 4.5, 3.5 + 2.0**-20)]
    return lemma("sum", f, (at(low, math.nextafter(2.0 * low, 0.0)) for low in (1.0, 2.0)))(assume, claim)


def hypot() -> tuple[Lemma, ...]:
    """Return the lemmas of exponents, squares, their sum, and of the root of the sum, t = 1 .. 8."""
    f, ordinary = kernel(accurate.hypot), {"slight": False, "special": False}
    legs = ("larger", "upper"), ("smaller", "lower")

    def root(s: Subinterval) -> dict[str, Property]:
        rounded = Number(sqrt(VARIABLE) + unknown(2.0**-53 if s.high <= 4.0 else 2.0**-52), -52, paired=True)
        rests = {"rest": within(REST), "p_lo": within(SQUARE_REST), "q_lo": within(SQUARE_REST)}
        return {"t": multiples(-52), "root": rounded, **rests, **ordinary}

    return (
        normalised(f, *((leg, f"{leg}.subnormal", f"{leg}.scaled", result) for leg, result in legs)),
        lemma("places", f, choices(n=EXPONENTS))(
            lambda s: {"upper": binade(s.n), "lower": binade(s.n, WIDEST), **ordinary},
            lambda s: are(n=s.n, exponent=s.n, code_a=binade(0), code_b=binade(0, WIDEST)),
        ),
        squares(f),
        total(f),
        lemma("root", f, (at(n / 16, (n + 1) / 16) for n in range(16, 128)))(
            root, encloses(sqrt(v.t + v.rest + v.p_lo + v.q_lo))
        ),
    )


# cbrt: |x| = m 2^(3 n), m = v 2^rest; y = h + l is near the root; m - y^3 = m - h^3 - 3 h^2 l - l^2 (3 h + l)

PLACES = 128
LOWER, UPPER = 2.0**-17 * (1.0 + 2.0**-10), 0.5 + 2.0**-15  # sizes of l and of h - 1.5
AWAY = 2.0**-33.65  # distance of y from the root
MISSED, ROUNDED = 12.1 * AWAY, 2.0**-82.95  # size of m - y^3, and the error of the computed value
SECOND, THIRD = 12.04 * LOWER, 6.01 * LOWER**2  # sizes of 3 h^2 l and of l^2 (3 h + l)
OFF_THIRD = 2.0**-84


def near_root(f: Traced) -> Lemma:
    """Return the lemma of the error and the parts of y, at every place and for each rest of the exponent."""
    ends = [(1.0 + j / PLACES, 1.0 + (j + 1) / PLACES - 2.0**-52) for j in range(PLACES)]
    return lemma("near", f, (at(*ends[j], rest=rest, j=j) for rest in range(3) for j in range(PLACES)))(
        lambda s: {"v": doubles(snapped=True), "rest": s.rest, "j": s.j},
        lambda s: [
            near(v.y, exp(log(VARIABLE * 2**s.rest) / 3), AWAY),
            near(v.y, v.h + v.l, 2.0**-34),  # all three are multiples of 2^-33
            bounded(v.l, LOWER),
            near(v.h, 1.5, UPPER),
            *on_grids(h=-16, l=-33, y=-33),
        ],
    )


def cubes(f: Traced) -> Lemma:
    """Return the lemma that the products of h, and all products of l except the last, are exact."""

    def assume(s: Subinterval) -> dict[str, Property]:
        if s.of == "h":
            return {"h": Number(grid=-16, snapped=True)}
        h, square = Number(1.5 + unknown(UPPER), -16), Number(2.5 + unknown(1.51), -32, bits=33)
        return {"h": h, "l": Number(grid=-33, snapped=True), "square": square}

    def claim(s: Subinterval) -> Claims:
        if s.of == "h":
            square = VARIABLE * VARIABLE
            exact = tuple(equals(square=square, cube=square * VARIABLE))
            return [*exact, *on_grids(square=-32, cube=-48)]
        third = VARIABLE * VARIABLE * (v.h * 3 + VARIABLE)
        return [
            near(v.third, third, OFF_THIRD),
            bounded(third, THIRD),
            near(v.second, v.square * VARIABLE * 3, 0),
            bounded(v.second, SECOND),
            OnGrid("second", -65),
        ]

    return lemma("cubes", f, (at(1.5 - UPPER, 1.5 + UPPER, of="h"), at(-LOWER, LOWER, of="l")))(assume, claim)


def missed(f: Traced) -> Lemma:
    """Return the lemma that the deficit m - y^3 is computed nearly: h^3 is m less that and the other products."""
    return lemma("missed", f, (at(2.0**rest, 2.0 ** (rest + 1), rest=rest) for rest in range(3)))(
        {
            "deficit": within(MISSED),
            "exact_second": within(SECOND),
            "exact_third": within(THIRD),
            "m": multiples(-52),
            "cube": Number(VARIABLE - v.deficit - v.exact_second - v.exact_third, -48),
            "second": Number(v.exact_second, -65),
            "third": Number(v.exact_third + unknown(OFF_THIRD), -1074),
        },
        near(v.missed, v.deficit, ROUNDED),
    )


def cbrt() -> tuple[Lemma, ...]:
    """Return the lemmas of the exponent, of y, of its cube, and of the root.

    The root of y^3 + deficit is y (1 + u)^(1/3) with u = deficit/y^3: y (1 + u/3 - u^2/9 + e), e below u^3/10.
    """
    f, over = kernel(accurate.cbrt), inverse(v.y)
    u = v.deficit * over * over * over
    root = v.y * (1 + u / 3 - u * u / 9 + unknown(0.1 * MISSED**3))
    ends = [(1.0, 1.0), (1.0 + 2.0**-33, 1.0 + 1 / 64), *((1.0 + n / 64, 1.0 + (n + 1) / 64) for n in range(1, 64))]
    return (
        normalised(f, ("encoding", "subnormal", "scaled", "normal")),
        lemma("exponents", f, choices(n=EXPONENTS))(
            lambda s: {"normal": binade(s.n), "plain": True},
            lambda s: are(rest=s.n % 3, exponent=s.n // 3, code_m=binade(s.n % 3), code_v=binade(0)),
        ),
        lemma("places", f, choices(j=range(PLACES)))(
            lambda s: {"normal": Encoding(ONE + (s.j << 45), 1 << 45, BINADE)}, lambda s: Is("j", s.j)
        ),
        near_root(f),
        cubes(f),
        missed(f),
        lemma("root", f, (at(*piece, sign=sign) for piece in ends for sign in (1, -1)))(
            lambda s: {
                "deficit": within(MISSED, paired=True),
                "y": multiples(-33),
                "missed": Number(v.deficit + unknown(ROUNDED), -1074),
                "exact": False,
                "plain": True,
                "sign": SIGN if s.sign < 0 else 0,
            },
            lambda s: encloses(root * s.sign),
        ),
    )


# rsqrt: x = 4^u m, the rounded root s of m and the rounded inverse y of s, and 1/sqrt(m) from their errors: y / (1 - p)
# / sqrt(1 + q/s^2) with p = 1 - s y and q = m - s^2, from the products of the parts of s and y

PARTS = {"s1": -25, "s2": -52, "y1": -27, "y2": -53}  # parts of s and y are multiples of 2 to these powers,
SHORT = 26  # have this number of bits,
SECOND_PART = 2.0**-26 * 1.03  # and second parts are at most so large
MISSED_PRODUCT, MISSED_SQUARE = 2.0**-53 * 1.03, 2.0**-51 * 1.03  # bounds of p and of q
ROUNDED_PRODUCT, ROUNDED_SQUARE = 2.0**-106, 2.0**-103  # bounds of their errors
GRID_OF_MISSED = -110  # the computed p and q are multiples of 2^GRID_OF_MISSED
FREE = {"p": within(MISSED_PRODUCT), "q": within(MISSED_SQUARE)}
UNIT = 2.0**-52


def even_exponents(f: Traced) -> Lemma:
    """Return the lemma that x = 4^u m exactly with 1 <= m < 4, and u is the negative of the result's exponent."""

    def assume(s: Subinterval) -> Properties:
        name = "scaled" if s.kind == "subnormal" else "encoding"  # the encoding of x made a number is x 2^1074
        return {name: Encoding(ONE + s.odd * BINADE, BINADE, 2 * BINADE), "subnormal": s.kind == "subnormal"}

    def claim(s: Subinterval) -> Claims:
        added = -SCALED // 2 if s.kind == "subnormal" else 0
        return are(code=Encoding(ONE + s.odd * BINADE, BINADE), half=Encoding(added, 1, 1))

    return lemma("places", f, choices(kind=("normal", "subnormal"), odd=range(2)))(assume, claim)


def numbers_from_one_to_two() -> Iterator[Subinterval]:
    """Yield eight numbers next to each end by themselves, then binades of the distance, and subintervals between."""
    for i in range(8):
        yield at(1.0 + i * UNIT, 1.0 + i * UNIT)
        yield at(2.0 - i * UNIT, 2.0 - i * UNIT)
    for s in binades(8 * UNIT, 2.0**-5):
        yield at(1.0 + s.low, 1.0 + s.high)
        yield at(2.0 - s.high, 2.0 - s.low)
    for i in range(1, 31):
        yield at(1.0 + i / 32, 1.0 + (i + 1) / 32)


def root_and_inverse(f: Traced) -> Lemma:
    """Return the lemma of the sizes of p, q and the parts of s and y.

    Rounding is monotonic: s is from 1 to 2 and within 2^-53 of the root of m, y from 1/2 to 1 and within 2^-54 of 1/s.
    """
    return lemma("roots", f, numbers_from_one_to_two())(
        {
            "root": Number(VARIABLE + unknown(2.0**-53)),
            "s": Number(grid=-52, snapped=True),
            "y": Number(inverse(VARIABLE) + unknown(2.0**-54), -53),
        },
        [
            Formula("s", ("sqrt", "m")),
            Formula("y", ("double.div", 1.0, "s")),
            *(OnGrid(name, grid, SHORT) for name, grid in PARTS.items()),
            near(v.s * v.y, 1, MISSED_PRODUCT),
            near(v.root * v.root, v.s * v.s, MISSED_SQUARE),
            *bounds(s2=SECOND_PART, y2=SECOND_PART),
        ],
    )


def products(f: Traced) -> Lemma:
    """Return the lemma of p and q from the products of the parts, which are exact: parts have 26 bits."""
    s1, s2, y1, y2 = PARTS.values()
    return lemma("products", f, (at(1.0, 2.0, exponent="even"), at(2.0, 4.0, exponent="odd")))(
        {
            **FREE,
            "m": multiples(-52),
            "s1y2": within(2 * SECOND_PART, s1 + y2),
            "s2y1": within(SECOND_PART, s2 + y1),
            "s2y2": within(SECOND_PART * SECOND_PART, s2 + y2),
            "s1y1": Number(1 - v.p - v.s1y2 - v.s2y1 - v.s2y2, s1 + y1),
            "s1s2": within(4 * SECOND_PART, s1 + s2 + 1),
            "s2s2": within(SECOND_PART * SECOND_PART, 2 * s2),
            "s1s1": Number(v.m - v.q - v.s1s2 - v.s2s2, 2 * s1),
        },
        [
            *on_grids(missed=GRID_OF_MISSED, missed_square=GRID_OF_MISSED),
            near(v.missed, v.p, ROUNDED_PRODUCT),
            near(v.missed_square, v.q, ROUNDED_SQUARE),
        ],
    )


def value(f: Traced) -> Lemma:
    """Return the lemma of the value for every y."""
    found = {
        "missed": Number(v.p + unknown(ROUNDED_PRODUCT), GRID_OF_MISSED),
        "missed_square": Number(v.q + unknown(ROUNDED_SQUARE), GRID_OF_MISSED),
    }
    of_s = v.y * inverse(1 - v.p)
    claim = encloses(of_s * inverse(sqrt(1 + v.q * of_s * of_s)))
    return lemma("value", f, (at(i / 64, (i + 1) / 64, of="y") for i in range(32, 64)))(
        {**FREE, "y": Number(grid=-53, snapped=True), **found, "positive": True, "finite": True, "not_one": True}, claim
    )


def rsqrt() -> tuple[Lemma, ...]:
    """Return the lemmas of rsqrt."""
    f = kernel(accurate.rsqrt)
    return even_exponents(f), root_and_inverse(f), products(f), value(f)


# refinements: exact results, and the sides of boundaries that results lie on
#
# |x|^(1/n) is more than |b| where n (1 + d) is more than n (1 + g)^n: their powers of two agree, for |g| < 2^-33 is
# asked for, and g n is as small as d is, to 2^-36: bounds of roots are below 2^-68, and |n| is 2^31 at most.


def refined_root(function: str, n: float) -> tuple[Lemma, ...]:
    """Return the lemmas of refined cbrt and rsqrt, for which no exact results remain to be found."""
    refined = refinement(getattr(accurate, function))
    return *boundary(refined), no_exact_result(refined), *gaps(refined), *sides_of_roots(refined, n)


COUNTS = 2.0**54
LARGEST_SUM = 2.9  # more than the root of 8, r in size
OFF_COUNTS = 2.0 * accurate.HYPOT_ERROR * 2.0 * LARGEST_SUM * COUNTS**2  # size of a^2 + b^2 - r^2
BITS_OF_REST = 29  # at most, for b is at least 2^-31
LARGEST_PRODUCT = 1.5 * 2.0**52


def counts(refined: Refinement) -> Lemma:
    """Return the lemma that a leg, hi and ``rounded`` are integers of less than 62 bits times 2^-54."""
    ends = {"a": (1.0, 2.0), "hi": (1.0, LARGEST_SUM), "rounded": (-LEFT, LEFT)}
    scaled = {"a": "scaled_a", "hi": "scaled_hi", "rounded": "scaled_rest"}

    def claim(s: Subinterval) -> Claims:
        count = v[scaled[s.of]]
        return [OnGrid(scaled[s.of], 0), near(count, VARIABLE * COUNTS, 0), bounded(count, 2.0**61)]

    over = [at(*size, of=of) for of, size in ends.items()]
    return refined.lemma("counts", over)(lambda s: {s.of: multiples(-54 if s.of == "rounded" else -52)}, claim)


def product_of_rest(refined: Refinement) -> Lemma:
    """Return the lemma that 2 c d is exact where b is 2^-i to 2^(1 - i), a multiple of 2^(-52 - i)."""

    def assume(s: Subinterval) -> Properties:
        bits = max(s.i - 2, 0)
        rest = Number(unknown(1.0 - 2.0**-bits), -bits, bits=bits, paired=True)
        return {"whole": Number(grid=0, bits=55 - s.i), "rest_of_b": rest}

    def claim(s: Subinterval) -> Claims:
        exact = near(v.product, v.whole * v.rest_of_b * 2, 0)
        return [OnGrid("product", 1 - max(s.i - 2, 0)), exact, bounded(v.product, LARGEST_PRODUCT)]

    over = [at(2.0 ** (54 - i), 2.0 ** (55 - i), i=i) for i in range(BITS_OF_REST + 3)]
    return refined.lemma("product of the rest", over)(assume, claim)


def known_counts(refined: Refinement) -> Lemma:
    """Return the lemma that ``counted`` is the sum of two squares of counts less the square of r's count, modulo 2^64.

    And also without the modulus if r is near to the root: both are within the kernel's bound of hi + lo.
    """
    squares = [("long.mul", f"count_{one}", f"count_{one}") for one in "abr"]
    formulas = {
        "counted": ("long.sub", ("long.add", *squares[:2]), squares[2]),
        "count_r": ("long.add", ("integer", "scaled_hi"), ("integer", "scaled_rest")),
        **{f"count_{leg}": ("integer", f"scaled_{leg}") for leg in "ab"},
    }
    unknown_counts = ("close", False), ("slight", True), ("special", True)

    def claim(s: Subinterval) -> Claim | Claims:
        if s.known:
            return Is("known", expected=False)
        size = bounded(term(OFF_COUNTS + 1.0), 2.0**53 - LARGEST_PRODUCT)
        return [*(Formula(*formula) for formula in formulas.items()), size]

    over = [at(known=()), *(at(known=(one,)) for one in unknown_counts)]
    return refined.lemma("what is missed", over)(lambda s: dict(s.known), claim)


def refined_hypot() -> tuple[Lemma, ...]:
    """Return the lemmas of hypot refined: a is 1 to 2, b 2^-31 to 2, as in the kernel.

    The legs a and b, and r, which is b of ``boundaries``, are taken as multiples of 2^-54. a and r are integers, and b
    is an integer c, its count, and a rest d below 1: counts are cut off, not rounded. Both r and the root are within
    err of hi + lo, so that a^2 + b^2 - r^2 is small, and a^2 + c^2 - r^2 an integer below 2^53, known from its last 64
    bits. b^2 - c^2 is 2 c d + d^2. c and d have 53 bits together: their product is exact, and so is the sum M
    of the integer and 2 c d. M + d^2, with d^2 rounded, has the sign of the exact sum, or is 0, for rounding is
    monotonic. Where d is not 0 the root is not a multiple of 2^-54: exact results have d = 0.
    """
    refined = refinement(accurate.refined_hypot)
    cases: Cases = {"not known": ({"known": False}, [("side", 0.0)]), "known": ({"known": True}, [("side", "missed")])}
    legs = {
        "scaled_b": ("double.mul", "b", COUNTS),
        "whole": ("double.of_long", "count_b"),
        "rest_of_b": ("double.sub", "scaled_b", "whole"),
        "real_counted": ("double.of_long", "counted"),
        "missed": ("double.add", "sum", ("double.mul", "rest_of_b", "rest_of_b")),
        "level": ("double.eq", "missed", 0.0),
        "no_rest": ("double.eq", "rest_of_b", 0.0),
        "close": ("double.le", ("double.abs", ("double.sub", "lo", "rounded")), "err"),
    }
    total = {"total": within(OFF_COUNTS + 1.0), "real_counted": Number(v.total - VARIABLE, 0)}
    return (
        *boundary(refined),
        refined.unchanged(("known", "given"), ("known", "close"), name="exact"),
        refined.unchanged(("level", "given"), ("no_rest", "given"), name="exact without a rest"),
        refined.same("side", cases),
        refined.lemma("legs", [at(of="legs")])(
            {}, [SameIn(leg, "clmath.kernels.accurate.roots", "hypot") for leg in "ab"]
        ),
        refined.meaning(legs, "meaning of legs"),
        counts(refined),
        product_of_rest(refined),
        refined.lemma("sum with the rest", [at(-LARGEST_PRODUCT, LARGEST_PRODUCT, of="2 c d")])(
            {**total, "product": multiples(1 - BITS_OF_REST)}, near(v.sum, v.total, 0)
        ),
        known_counts(refined),
    )


LEMMAS = {
    "hypot": lambda _: (*hypot(), *refined_hypot()),
    "cbrt": lambda _: (*cbrt(), *refined_root("refined_cbrt", 3.0)),
    "rsqrt": lambda _: (*rsqrt(), *refined_root("refined_rsqrt", -2.0)),
}
