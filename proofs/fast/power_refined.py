"""cbrt, hypot, pow, powr, pown and rootn refined: numbers of few bits whose powers are exact are the results.

cbrt and hypot compare a power of the result in few bits, which is exact, with the argument, or with an exact sum of
squares. Powers: with |x|^y = b^n and b = m 2^j, m and n integers, m^n is exact where it is not too long, and roots
likewise. Lemmas of integers serve the accurate kernels, too.
"""

from __future__ import annotations

from clmath.kernels.fast import power as fast
from proofs.lemmas import *

POWERS = (-200, 200)  # of two: results for floats, other than zero, lie far within
OF_POWERS = {"powers": POWERS}
FLOATS = range(-149, 128)  # exponents
LARGEST = 2.0**128
NEAR = 2.0**-42  # how far values from 1 to 2 may be from the exact ones: more than twice the bounds of fast kernels


# cbrt

SHORT, SHORTENED = -16, 2.0 + 2.0**-15  # the grid of the short number of 17 bits, and its size


def cbrt(_: str) -> tuple[Lemma, ...]:
    """Return the lemmas of cbrt refined: the cube of the short number is exact, and the short number is returned."""
    refined = refinement(fast.refined_cbrt, 2)

    def cube(s: Subinterval) -> Claims:
        if s.returned:
            return refined.exactly(v.short, power=1)
        exact = near(v.cube, v.short * v.short * v.short, 0, power=3)
        return [exact, Formula("equal", ("double.eq", "cube", "x"))]

    return (
        refined.unchanged(("equal",)),
        refined.lemma("short", [at(1.0, 2.0, sign="+"), at(-2.0, -1.0, sign="-")], **OF_POWERS)(
            {"value": Number(grid=-52, power=1)},
            [OnGrid("short", SHORT, power=1), bounded(v.short, SHORTENED, power=1)],
        ),
        refined.lemma("cube", choices([at(-SHORTENED, SHORTENED)], returned=(False, True)), **OF_POWERS)(
            lambda s: {"short": Number(grid=SHORT, power=1), **({"exact": True} if s.returned else {})}, cube
        ),
    )


# hypot

BESIDE = 2.0**-50


def hypot(_: str) -> tuple[Lemma, ...]:
    """Return the lemmas of hypot refined: the sum of squares is exact as a pair, and so is the square of the result.

    The square, 1 to 4 times a power of two, and the sum next to it differ by a double. That double plus the rest of the
    sum is the error of the square: rounding keeps its sign. The short number is returned, or a number next to it on
    that side.
    """
    refined = refinement(fast.refined_hypot, 2)
    meaning = {
        "open": ("double.gt", "err", 0.0),
        "close": ("double.le", ("double.abs", ("double.sub", "value", "short")), ("double.mul", 2.0, "err")),
        "missed": ("double.add", "difference", "low"),
        "more": ("double.gt", "missed", 0.0),
        "level": ("double.eq", "missed", 0.0),
    }
    half, sides = LARGEST**2 / 2, ((True, False), (False, True), (False, False))

    def short(s: Subinterval) -> Claim:
        if s.of == "value":
            return OnGrid("short", -26, bits=26, power=1)
        return near(v.square, v.short * v.short, 0, power=2)

    def beside(s: Subinterval) -> Claims:
        away = 0.0 if s.level else BESIDE if s.more else -BESIDE
        returned = v.new_value - v.short - v.short * away
        return [bounded(returned, 0.0 if s.level else BESIDE / 2, power=1), near(v.new_err, 0, 0)]

    return (
        refined.meaning(meaning),
        refined.unchanged(("close",), ("open",)),
        refined.lemma("exact squares", choices([at(-LARGEST, LARGEST)], of="xy"))(
            lambda s: {s.of: Number(grid=FLOATS[0], bits=24)},
            lambda s: near(v[f"square_{s.of}"], VARIABLE * VARIABLE, 0),
        ),
        refined.lemma("sum", [at(0.0, LARGEST**2, of="x^2")])(
            {"square_x": multiples(2 * FLOATS[0]), "square_y": Number(unknown(half) + half, 2 * FLOATS[0])},
            near(v.high + v.low, v.square_x + v.square_y, 0),
        ),
        refined.lemma("short", [at(1.0, 2.0, of="value"), at(1.0, 2.0, of="short")], **OF_POWERS)(
            lambda s: {s.of: Number(grid=-52, power=1) if s.of == "value" else Number(grid=-26, bits=26, power=1)},
            short,
        ),
        refined.lemma("missed", [at(1.0, 4.0, of="square")], **OF_POWERS)(
            {
                "away": within(NEAR),
                "square": Number(grid=-52, power=1),
                "high": Number(VARIABLE + v.away, -54, power=1),
            },
            near(v.difference, v.away, 0, power=1),
        ),
        refined.lemma("beside", [at(1.0, 2.0, level=level, more=more) for level, more in sides], **OF_POWERS)(
            lambda s: {"short": Number(grid=-25, power=1), "level": s.level, "more": s.more, "found": True}, beside
        ),
    )


# integers, and numbers m 2^k


def odd_parts(refined: Refinement, name: str, of: str, *, with_k: bool) -> tuple[Lemma, ...]:
    """Return the lemmas that a number is m 2^k: the integer M = 2^52 .. 2^53 of the encoding divided by its lowest bit.

    For t = 0 .. 52 the lowest bit is 2^t where M is 2^t (2 q + 1). The encoding has any exponent q; k is
    q + t - 52.
    """
    every, at_bit = Encoding(ONE, BINADE, BINADE), f"{of}lowest_bit"

    def assume(s: Subinterval) -> Properties:
        if s.part == "mantissa":
            return {f"{of}of_odd": every}
        if s.part == "lowest bit":
            return {f"{of}mantissa": Encoding(1 << s.t, 1, 2 << s.t)}
        return {f"{of}of_odd": every, at_bit: 1 << s.t}

    def claim(s: Subinterval) -> Claim:
        if s.part == "mantissa":
            return Is(f"{of}mantissa", Encoding(BINADE, BINADE))
        return Is(at_bit, 1 << s.t) if s.part == "lowest bit" else Is(f"{of}k_odd", Encoding(s.t - 52, 1, 1))

    parts = ("lowest bit", "k") if with_k else ("lowest bit",)
    return (
        refined.lemma(
            f"mantissa of {name}",
            [at(part="mantissa", t=0), *(at(part=part, t=t) for t in range(53) for part in parts)],
        )(assume, claim),
        refined.lemma(f"odd part of {name}", [at(2.0**52, 2.0**53 - 2.0**t, of=name, t=t) for t in range(53)])(
            lambda s: {f"{of}whole": Number(grid=s.t, snapped=True), at_bit: 1 << s.t},
            lambda s: [OnGrid(f"{of}odd", 0), near(v[f"{of}odd"], VARIABLE / 2**s.t, 0)],
        ),
    )


def integers_below(n: int, bound: int) -> int:
    """Return the greatest integer whose power n > 0 is at most ``bound``."""
    found = int(bound ** (1.0 / n)) + 2
    while found**n > bound:
        found -= 1
    return found


def beyond_count(first: float, top: float) -> list[Subinterval]:
    """Return the numbers below 0, and those from ``first`` on."""
    return [*opposite(binades(2.0**-140, top, side="below")), *binades(first, top, side="above")]


def integer_where(  # noqa: PLR0917
    refined: Refinement,
    name: str,
    of: str,
    over: Sequence[Subinterval],
    condition: str,
    integer: str,
    asked: tuple[str, tuple[str, ...]],
) -> Lemma:
    """Return the lemma that ``of`` equals the integer ``integer`` where ``condition`` holds.

    ``asked``: a condition, and others without which that is false.
    """
    needing, needed = asked

    def claim(s: Subinterval) -> Claim | Claims:
        if s.parameters[0][0] == "without":
            return Is(needing, expected=False)
        return [OnGrid(integer, 0), Formula(condition, ("double.eq", integer, of))]

    return refined.lemma(name, [*over, *choices(without=needed)])(
        lambda s: {s.without: False} if s.parameters[0][0] == "without" else {of: multiples(-1074)}, claim
    )


def quotients(refined: Refinement, deepest: float) -> tuple[Lemma, ...]:
    """Return the lemmas that k/n is rounded to an integer q, and that q n, which is compared with k, is exact.

    The size of k is at most ``deepest``.
    """
    indices = [at(1.0, 2.0**31, of="n"), at(-(2.0**31), -1.0, of="n")]
    return (
        refined.lemma("nearest quotient", indices)(
            {"n": multiples(0), "ratio": within(deepest)},
            [
                OnGrid("quotient", 0),
                bounded(v.quotient, deepest + 1.0),
                Formula("divides", ("double.eq", "multiple", "real_k")),
            ],
        ),
        refined.lemma("multiple", indices)(
            {"n": Number(grid=0, snapped=True), "quotient": within(deepest + 1.0, 0, paired=True)},
            near(v.multiple, v.n * v.quotient, 0),
        ),
    )


# powers and roots

SHORTEST = 1 << 26  # no integer up to this has more than 26 bits
FEW = range(1, 17)  # exponents n for which m^n may be short
INTEGER = 32  # bits of a y
DIGITS_OF_PRODUCT = INTEGER + 8
MEANING = {"lone": ("long.eq", ("long.and", "code", fast.FRACTION), 0), "open": ("double.gt", "err", 0.0)}


def exponents(refined: Refinement) -> Lemma:
    """Return the lemma of the exponent of a number whose encoding has a mantissa of 0."""
    return refined.lemma("exponents", choices(k=FLOATS))(lambda s: {"code": s.k + 1023 << 52}, lambda s: Is("k", s.k))


def powers_of_integers(bound: int, largest: int) -> Iterator[Subinterval]:
    """Yield for exponents the integers from 1 to ``largest``: up to where powers are ``bound``, and beyond.

    Other exponents have one subinterval.
    """
    for n in range(32):
        if n in FEW:
            last = min(integers_below(n, bound), largest)
            yield at(1.0, float(last), n=n, short=True)
            yield from binades(last + 1.0, float(largest), n=n, short=False)
        else:
            yield at(n=n, short=False)


def rounded(refined: Refinement) -> Lemma:
    """Return the lemma that a number of 26 bits is returned, where the value is as near to it as bounds are small.

    It is z 2^q, and no other multiple of 2^-25, or below 1 of 2^-26, is as near to the value. ``z``: 1 or -1 where z is
    that, and else 0.
    """
    eighths = [(0, 1.0 + i / 8 + (2.0**-25 if i == 0 else 0.0), 1.0 + (i + 1) / 8 - 2.0**-25) for i in range(8)]
    ends = [*eighths, (1, 1.0, 1.0 + NEAR), (1, 1.0 - NEAR, 1.0 - 2.0**-53)]
    over = [at(low, high, z=z) for z, low, high in (*ends, *((-z, -high, -low) for z, low, high in ends))]

    def claim(s: Subinterval) -> Claims:
        unit = -26 if s.closest < 1.0 else -25
        return [
            OnGrid("new_value", unit, power=1),
            near(v.new_value, s.z or VARIABLE, 0.99 * 2.0**unit, power=1),
            near(v.new_err, 0, 0),
        ]

    def assume(s: Subinterval) -> Properties:
        value = VARIABLE if s.z else VARIABLE + v.away
        return {"away": within(NEAR), "value": Number(value, -53, power=1), "exact": True}

    return refined.lemma("rounded", over, **OF_POWERS)(assume, claim)


def halvings(refined: Refinement) -> Iterator[Lemma]:
    """Yield the lemmas of the steps of powers: a root of few bits, whose square is exact, or nothing changes."""
    steps = range(3)
    for i in steps:
        same = [(f"next_{one}_{i}", f"{one}_{i}") for one in ("base", "n")]
        for name, condition in (("few bits", f"few_{i}"), ("equal", f"equal_{i}")):
            yield refined.same(f"{name} {i}", {condition: ({condition: False}, same)})

    def claim(s: Subinterval) -> Claims:
        i, root = s.i, v[f"root_{s.i}"]
        return [
            near(v[f"square_{i}"], root * root, 0, power=2),
            near(v[f"twice_{i}"], v[f"n_{i}"] * 2, 0, power=1),
            Formula(f"few_{i}", ("long.eq", ("long.and", ("bits", f"root_{i}"), (1 << 27) - 1), 0)),
            Formula(f"equal_{i}", ("double.eq", f"square_{i}", f"base_{i}")),
        ]

    yield refined.lemma("roots", choices([at(1.0, 2.0)], i=steps), **OF_POWERS)(
        lambda s: {
            f"root_{s.i}": Number(grid=-25, bits=26, power=1),
            f"n_{s.i}": Number(unknown(0.5) + 1.5, -52, power=1),
        },
        claim,
    )


def products(refined: Refinement) -> Iterator[Lemma]:
    """Yield the lemmas that the product k y is exact for every k, and an integer where it is found to be one."""
    yield refined.lemma("products", choices([at(-LARGEST, LARGEST)], k=FLOATS))(
        lambda s: {"y": Number(grid=FLOATS[0], bits=INTEGER), "k": s.k}, lambda s: near(v.product, VARIABLE * s.k, 0)
    )

    def claim(s: Subinterval) -> Claims:
        if s.grid >= 0:
            return [OnGrid("product", 0)]
        exact = near(v.kept, v.product, 0)
        return [exact, OnGrid("rounded", 0), Formula("is_whole", ("double.eq", "rounded", "kept"))]

    over = [
        at(s.low, s.high, grid=max(math.frexp(s.closest)[1] - DIGITS_OF_PRODUCT, FLOATS[0]))
        for s in binades(2.0 ** FLOATS[0], 2.0**136, signs=True)
    ]
    yield refined.lemma("whole", over)(lambda s: {"product": multiples(s.grid)}, claim)


def power(_: str) -> tuple[Lemma, ...]:
    """Return the lemmas of powers refined: m^n is exact, and has so few bits, wherever it is found."""
    refined = refinement(fast.refined_power, 2)
    counts = [at(float(n), float(n + 1), of="n") for n in range(31)]
    needed = "short", ("is_integer", "at_least_1", "at_most_16")

    def claim(s: Subinterval) -> Claim:
        if s.n not in FEW:
            return Is("at_least_1" if s.n < 1 else "at_most_16", expected=False)
        return near(v.power, math.prod([v.odd] * (s.n - 1), start=v.odd), 0) if s.short else Is("short", expected=False)

    def assume(s: Subinterval) -> Properties:
        odd = {"odd": Number(grid=0, snapped=True)} if s.n in FEW else {}
        return {**odd, "n": constant(float(s.n))}

    return (
        refined.meaning(MEANING),
        refined.unchanged(("open",), ("lone", "short"), ("is_whole", "short")),
        *halvings(refined),
        exponents(refined),
        *products(refined),
        *odd_parts(refined, "base", "", with_k=False),
        integer_where(refined, "count", "n", counts, "is_integer", "count", needed),
        refined.lemma("other exponents", beyond_count(32.0, 2.0**140))(
            {"n": multiples(-1074)}, Is("is_integer", expected=False)
        ),
        refined.lemma("powers", powers_of_integers(SHORTEST, 1 << 53))(assume, claim),
        rounded(refined),
    )


def root(_: str) -> tuple[Lemma, ...]:
    """Return the lemmas of refined rootn: m^n, with the short value's odd m, is exact where it equals x's odd m."""
    refined = refinement(fast.refined_root, 2)

    def claim(s: Subinterval) -> Claims:
        if s.n not in FEW:
            return [Is("short", expected=False)]
        compared: Claim = Formula("equal", ("double.eq", "raised", "of_x.odd"))
        if not s.short:
            return [compared, Is("equal", expected=False)]
        return [compared, near(v.raised, math.prod([v["of_short.odd"]] * (s.n - 1), start=v["of_short.odd"]), 0)]

    def assume(s: Subinterval) -> Properties:
        odd = {"of_short.odd": Number(grid=0, snapped=True), "of_x.odd": Number(unknown(2.0**23) + 2.0**23, 0)}
        return {**(odd if s.n in FEW else {}), "n": constant(float(s.n))}

    return (
        refined.meaning(MEANING),
        refined.unchanged(("open",), ("lone", "short"), ("divides", "short")),
        exponents(refined),
        *quotients(refined, -float(FLOATS[0])),
        *odd_parts(refined, "short", "of_short.", with_k=False),
        *odd_parts(refined, "size", "of_x.", with_k=False),
        refined.lemma("other exponents", beyond_count(32.0, 2.0**31))({"n": multiples(0)}, Is("short", expected=False)),
        refined.lemma("powers", powers_of_integers(1 << 53, 1 << 26))(assume, claim),
        rounded(refined),
    )


REFINED = {"cbrt": cbrt, "hypot": hypot, **dict.fromkeys(("pow", "pown", "powr"), power), "rootn": root}
