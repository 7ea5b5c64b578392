"""asin, acos, atan and atan2 and their pi forms: an angle of the table, and the arc tangent of the difference.

atan(a/b) = atan(c) + atan((a - c b)/(b + c a)) for every c: that c is the nearest slope j/256 matters for the bound
alone. The proofs show first that the nearest slope is taken, then the value for each entry and all arguments near it.
asin, acos: for the point of the circle with a = |x| and sqrt(1 - a^2), the quotient is the smaller coordinate over the
larger one.
"""

from __future__ import annotations

from clmath.kernels.accurate import inverse_trigonometric as accurate
from clmath.kernels.accurate.slopes import FAR_BELOW, SLIGHT
from proofs.lemmas import *

PLACES = 256
HALF = 0.5 + 2.0**-22  # distance of a quotient from its entry, in steps of the table
BELOW_ONE, ABOVE_ONE = 1.0 - 2.0**-53, 1.0 + 2.0**-52
HALFWAY = 2.0**-27  # 1 less its square lies halfway between two doubles
DIAGONAL = math.sqrt(0.5)
BELOW, ABOVE = DIAGONAL - 2.0**-40, DIAGONAL + 2.0**-40  # between these either may be the smaller one
LEAST = 2.0**-1074
FIRST = 0.5 / PLACES  # smaller quotients belong to entry 0; quotients from there on are multiples of 2^-61
STEPS = 0.52  # distance of any quotient from its entry, in steps of the table
REACH = STEPS / PLACES


# asin, acos


@dataclass(frozen=True)
class Circle:
    """A function of arguments whose size is from ``least`` to ``top``; the kernel raises it to at least ``clamped``.

    ``special``: conditions that do not hold.
    """

    ideal: Callable[[Term], Term]
    clamped: float
    least: float
    top: float
    special: tuple[str, ...]

    @property
    def first(self) -> float:
        """The least size that is not clamped."""
        return max(self.least, self.clamped)


CIRCLE = {
    "asin": Circle(asin, accurate.LINEAR, accurate.TINY, 1.0, ("tiny", "invalid")),
    "asinpi": Circle(lambda x: asin(x) / PI, accurate.LINEAR, LEAST, BELOW_ONE, ("far",)),
    "acos": Circle(acos, SLIGHT, LEAST, 1.0, ("invalid",)),
    "acospi": Circle(lambda x: acos(x) / PI, SLIGHT, accurate.BESIDE, BELOW_ONE, ("beside", "far")),
}


def next_to_one(low: float) -> Iterator[tuple[float, float]]:
    """Yield subintervals from ``low`` to 1: eighths of the binades of the distance from 1."""
    for s in binades(2.0**-53, 1.0 - low):
        for first, last in parts(s.high, s.low, 8):
            if 1.0 - first < 1.0 - last:
                yield 1.0 - first, 1.0 - last


def nearest(f: Traced, of: Circle) -> Lemma:
    """Return the lemma that the entry is within 1/512 of the quotient, and which of both is the smaller one."""
    over = [
        *(at(s.low, s.high, steep=False) for s in binades(of.first, BELOW)),
        *choices([at(BELOW, ABOVE)], steep=(False, True)),
        *(at(*ends, steep=True) for ends in next_to_one(ABOVE)),
        *([at(1.0, 1.0, steep=True)] if of.top == 1.0 else []),
    ]

    def assume(s: Subinterval) -> Properties:
        side = {"steep": s.steep} if s.low == BELOW else {}
        return {"x": doubles(snapped=True), **dict.fromkeys(of.special, False), **side}

    def claim(s: Subinterval) -> Claims:
        is_integer, side = OnGrid("place", 0), Is("steep", s.steep)
        if s.low == 1.0:
            return [is_integer, side, bounded(v.place, 0)]
        root = sqrt(1 - v.x * v.x)
        quotient = root * inverse(v.x) if s.steep else v.x * inverse(root)
        return [is_integer, side, near(quotient * PLACES, v.place, HALF)]

    return lemma("nearest", f, over)(assume, claim)


def enclosed(f: Traced, of: Circle, name: str, over: Sequence[Subinterval]) -> Lemma:
    """Return the lemma of the value; a subinterval has an entry j or none, and a side of the diagonal or none."""

    def assume(s: Subinterval) -> Properties:
        given: dict[str, Property] = {"x": doubles(snapped=True), **dict.fromkeys(of.special, False)}
        if name == "angles":
            given |= {"place": constant(float(s.j)), "j": s.j} | ({} if s.steep is None else {"steep": s.steep})
        return given

    def claim(s: Subinterval) -> Claims:
        x = term(s.low) if s.low == s.high else v.x
        return [encloses(of.ideal(x) * two_to(-v.exponent)), Is("exponent", (0, -accurate.SCALING))]

    return lemma(name, f, over)(assume, claim)


def both_signs(low: float, high: float, **parameters: object) -> Iterator[Subinterval]:
    """Yield a subinterval of sizes for both signs of the argument."""
    yield at(low, high, sign=1, **parameters)
    yield at(-high, -low, sign=-1, **parameters)


def on_circle(slope: float) -> float:
    """Return a where a = ``slope`` sqrt(1 - a^2)."""
    return slope / math.hypot(1.0, slope)


def of_entries(of: Circle) -> Iterator[Subinterval]:
    """Yield both sides of the diagonal, halves for each entry; binades of a and of 1 - a for the first one."""
    for j in range(1, PLACES + 1):
        for first, last in ((j - HALF, j), (j, min(j + HALF, PLACES))):
            if first < last:
                low, high = (on_circle(n / PLACES) for n in (first, last))
                yield from both_signs(low, min(high, BELOW), j=j, steep=False)
                low, high = (math.sqrt(1.0 - end * end) for end in (high, low))
                yield from both_signs(max(low, ABOVE), high + 2.0**-50, j=j, steep=True)
    yield from both_signs(BELOW, ABOVE, j=PLACES, steep=None)
    for s in binades(of.first, on_circle(HALF / PLACES)):
        start = s.low
        if start == HALFWAY:
            yield from both_signs(start, start, j=0, steep=False)
            start = math.nextafter(start, 1.0)
        yield from both_signs(start, math.nextafter(s.high, 0.0), j=0, steep=False)
    for low, high in next_to_one(1.0 / math.hypot(1.0, HALF / PLACES) - 2.0**-40):
        yield from both_signs(low, min(high, BELOW_ONE), j=0, steep=True)
    if of.top == 1.0:
        yield from both_signs(1.0, 1.0, j=0, steep=True)


def circle(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of asin and acos: below ``clamped`` all except the result is computed from one argument."""
    of, f = CIRCLE[name], kernel(getattr(accurate, name))
    lemmas = nearest(f, of), enclosed(f, of, "angles", list(of_entries(of)))
    if of.least >= of.clamped:
        return lemmas
    clamped = [side for s in binades(of.least, of.clamped) for side in both_signs(s.low, math.nextafter(s.high, 0.0))]
    return *lemmas, enclosed(f, of, "ends", clamped)


# atan: the slope is |x| below 1, and 1/|x| above


@dataclass(frozen=True)
class Slopes:
    """A kernel of the arc tangent: its least and its greatest ordinary argument; special conditions."""

    least: float
    top: float
    special: tuple[str, ...]

    def between(self, low: float, high: float) -> Iterator[Subinterval]:
        """Yield the binades of ordinary arguments between two numbers."""
        return binades(max(self.least, low), min(self.top, high))


SLOPES = {
    "atan": Slopes(accurate.TINY, GREATEST, ("tiny",)),
    "atanpi": Slopes(LEAST, 1.0 / accurate.BESIDE, ("far", "one")),
}


def near_entries(of: Slopes) -> Iterator[Subinterval]:
    """Yield x near every entry of the table, in two halves, below 1 and above; at entry 0 halves of binades."""
    yield at(1.0, 1.0, j=PLACES)
    for j in range(1, PLACES + 1):
        for first, last in ((j - STEPS, j), (j, j + STEPS)):
            if first < PLACES:
                yield at(max(first / PLACES, FIRST), min(last / PLACES, BELOW_ONE), j=j)
                yield at(max(PLACES / last * (1.0 - 2.0**-50), ABOVE_ONE), PLACES / first * (1.0 + 2.0**-50), j=j)
    far = PLACES / STEPS * (1.0 - 2.0**-50)
    for s in (*of.between(accurate.LINEAR, REACH), *of.between(far, accurate.FAR)):
        middle = (s.low + s.high) / 2
        yield from (at(s.low, middle, j=0), at(middle, s.high, j=0))


def beyond_entries(of: Slopes) -> Iterator[Subinterval]:
    """Yield x below ``LINEAR``, each binade without its end, and above ``FAR``; SMALL, a threshold, by itself."""
    if of.least < accurate.LINEAR:
        yield at(accurate.SMALL, accurate.SMALL, of="small")
        for s in of.between(0.0, accurate.LINEAR):
            low = math.nextafter(s.low, 1.0) if s.low == accurate.SMALL else s.low
            yield at(low, math.nextafter(s.high, 0.0), of="small")
    if of.top > accurate.FAR:
        yield from (at(s.low, s.high, of="large") for s in of.between(math.nextafter(accurate.FAR, 2e80), GREATEST))


def slopes(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of the nearest entry, of the angles at every entry, and of those beyond the table."""
    f, of, whole = kernel(getattr(accurate, name)), SLOPES[name], 1 if name == "atan" else PI
    special = dict.fromkeys(of.special, False)
    inside = [at(end, end) for end in (accurate.LINEAR, accurate.FAR)]
    inside += [
        at(s.low, math.nextafter(s.high, 0.0) if s.high == FIRST else s.high)
        for s in binades(max(of.least, accurate.LINEAR), accurate.FAR)
    ]

    def nearest(s: Subinterval) -> Claims:
        slope = v.x if s.high <= 1.0 else inverse(v.x)
        return [near(slope * PLACES, v.place, STEPS), bounded(v.place, 0.75 if s.high < FIRST else 300.0)]

    def entry(j: int) -> Properties:
        return {"x": doubles(), "place": constant(float(j)), "j": j, **special}

    def angle(s: Subinterval) -> Term:
        return (atan(VARIABLE) if s.high < 4.0 else PI / 2 - atan(inverse(VARIABLE))) / whole

    def claims(s: Subinterval) -> Claims:
        exponent = -accurate.SCALING if s.high < accurate.SMALL else 0
        exact = angle(s) * 2**-exponent
        return [
            encloses(exact),
            OfNegative(encloses(-exact)),
            Is("exponent", exponent),
            OfNegative(Is("exponent", exponent)),
        ]

    return (
        lemma("nearest", f, inside)({"x": doubles(), **special}, nearest),
        lemma("angles", f, near_entries(of))(lambda s: entry(s.j), claims),
        lemma("ends", f, beyond_entries(of))(lambda _: entry(0), claims),
    )


# atan2

DIRECTION = {"atan2": (term(1), ("invalid", "zero")), "atan2pi": (PI, ("invalid", "zero", "diagonal", "beside"))}
AT_ONE = Encoding(accurate.ONE, BINADE)  # encodings of 1 to 2
SUBNORMAL = -1022  # subnormal numbers are 2^-1022 times numbers below 1
SIGNS = (1, -1)
BELOW_TWO = 2.0 - 2.0**-52
LEAST_QUOTIENT, CLAMPED = 2.0**-81, 2.0**-79  # below CLAMPED, a may have been moved to 2^-80
GRID_OF_N = -61  # where c is not 0
CUT = 2.0**-25  # bound of n/d - t, relative to n/d
TAIL, OFF = 2.0**-24.4, 2.0**-74.8  # bounds of t_lo, and of the error of t + t_lo, relative to t
REST = 2.0**-52  # of d_lo, relative to d
MORE = 1.0 + 2.0**-20
EXPONENTS = -82, -7  # of t: n is at least 2^-80, and d below 4
POWERS = -2100, 0  # exponents of the power of two by which a is smaller than in the quotient
QUARTERS = 0, 1, 2, 1  # quarter turns that the angle of a/b is added to or taken from, by octant


def lengths(f: Traced) -> Lemma:
    """Return the lemma that each length is m 2^n, 1 <= m < 2, times a common power of two.

    The encoding of a normal number is q 2^52 + i, the encoding of m is ONE + i, and n is q. A subnormal number x is
    made to 2^1022 x: 1 + 2^1022 x is a double from 1 to 2.
    """

    def assume(s: Subinterval) -> Properties:
        is_subnormal = s.kind == "subnormal"
        name = "scaled" if is_subnormal else "code"
        return {f"{s.of}.{name}": Encoding(0, BINADE, BINADE), f"{s.of}.subnormal": is_subnormal}

    def claim(s: Subinterval) -> Claims:
        added = SUBNORMAL if s.kind == "subnormal" else 0
        return [Is(f"{s.of}.code_of_m", AT_ONE), Is(f"{s.of}.power", Encoding(added, 1, 1))]

    return lemma("lengths", f, choices(of=("small", "large"), kind=("normal", "subnormal")))(assume, claim)


def moved(f: Traced) -> Lemma:
    """Return the lemma that a is the smaller m times a power of two from 2^-80 to 1."""
    return lemma("moved", f, choices(kept=range(FAR_BELOW, 1)))(
        lambda s: {"bits_of_small": AT_ONE, "kept": s.kept},
        lambda s: Is("code_of_a", Encoding(accurate.ONE + (s.kept << 52), BINADE)),
    )


def octants(f: Traced) -> Lemma:
    """Return the lemma of the octant, by the larger one of |y| and |x| and the sign of x."""
    over = (at(*ends, steep=steep) for steep in (False, True) for ends in ((1.0, 2.0), (-2.0, -1.0)))
    return lemma("octants", f, over)(
        lambda s: {"steep": s.steep, "x": multiples(-52)},
        lambda s: Is("octant", int(s.steep) + (2 if s.low < 0.0 else 0)),
    )


def nearest_to_quotient(f: Traced) -> Lemma:
    """Return the lemma that the entry is within 1/512 of the rounded quotient, and the first one below that."""
    over = (at(s.low, s.high if s.high != FIRST else math.nextafter(FIRST, 0.0)) for s in binades(LEAST_QUOTIENT, 1.0))

    def claim(s: Subinterval) -> Claims:
        is_first = [bounded(v.place, 0.75)] if s.high < FIRST else []
        return [OnGrid("place", 0), near(v.quotient * PLACES, v.place, 0.5 * STEPS + 0.25), *is_first]

    return lemma("nearest", f, over)({"quotient": doubles()}, claim)


def halves(scale: float = 1.0) -> Iterator[tuple[int, float, float]]:
    """Yield each entry except the first, with both halves of the range between a quotient and the entry."""
    for j in range(1, PLACES + 1):
        yield j, -(FIRST if j == 1 else REACH) * scale, 0.0
        if j < PLACES:
            yield j, 0.0, REACH * scale


def differences(f: Traced) -> Lemma:
    """Return the lemma that n = a - c b and d + d_lo = b + c a are exact, a = c b + u.

    No quotient of entry 1 is below 1/512: then a is at least 2^-9, as b is at least 1.
    """

    def parts() -> Iterator[Subinterval]:
        for quarter in range(4):
            ends = 1.0 + quarter / 4, min(1.0 + (quarter + 1) / 4, BELOW_TWO)
            yield from (at(*ends, j=j, first=first, last=last) for j, first, last in halves())
        yield at(1.0, BELOW_TWO, j=0, first=LEAST_QUOTIENT, last=REACH)

    def assume(s: Subinterval) -> Properties:
        least = max(s.j / PLACES + s.first, FIRST) if s.j else LEAST_QUOTIENT
        middle, away = (s.first + s.last) / 2 * s.high, (s.last - s.first) / 2 * s.high
        return {
            "u": Number(middle + unknown(away)),
            "a": Number(VARIABLE * (s.j / PLACES) + v.u, last_place(least)),
            "b": Number(grid=-52, snapped=True),
            "place": constant(float(s.j)),
            "j": s.j,
        }

    return lemma("differences", f, parts())(
        assume,
        lambda s: [
            *on_grids(difference=GRID_OF_N if s.j else -1074, d=-52),
            near(v.difference, v.u, 0),
            near(v.d + v.d_lo, v.b + v.a * (s.j / PLACES), 0),
            near(v.d, 2.5, 1.5 * MORE),
            bounded(v.d_lo, least_size(v.d) * REST),
        ],
    )


def quotients(f: Traced) -> Lemma:
    """Return the lemma that t + t_lo is n/d, nearly, for every d and every t of 26 bits that n leads to.

    t is n/d less at most 2^-25 of that, which is rounded twice and then cut: n is t d and somewhat more. The lemma
    covers all powers of two, as t is 2^q times a number from 1 to 2. Where n is 0, t and t_lo are 0.
    """
    ends = [start * (1.0 + i / 8) for start in (1.0, 2.0) for i in range(8)]
    ends = [1.0 / MORE, *ends[1:], 4.0 * MORE]

    def assume(s: Subinterval) -> Properties:
        left = s.high * s.top * CUT * (0.5 + 2.0**-20)
        return {
            "left": Number(s.sign * left + unknown(left * MORE)),
            **pair("d", multiples(-52), within(most(VARIABLE) * REST, -400, paired=True)),
            "t": Number(((s.least + s.top) / 2 + unknown((s.top - s.least) / 2)) * s.sign, -25, 26, 1, paired=True),
            "difference": Number(v.t * v.d + v.left, -54, power=1),
        }

    def claim(s: Subinterval) -> Claims:
        exact = (v.left - v.t * v.d_lo) * inverse(v.d + v.d_lo)
        return [near(v.t_lo, exact, s.least * OFF, power=1), bounded(v.t_lo, s.least * TAIL, power=1)]

    over = (
        at(*cell, sign=sign, least=1.0 + i / 8, top=1.0 + (i + 1) / 8)
        for cell in pairwise(ends)
        for i in range(8)
        for sign in SIGNS
    )
    return lemma("quotients", f, over, powers=EXPONENTS)(assume, claim)


def directions(f: Traced, unit: Term, special: Sequence[str]) -> Lemma:
    """Return the lemma of the angle of t + t_lo at each entry, in every octant, for positive y.

    Where the quotient is tiny, a may be larger than exact. In the first octant, where results have an exponent, the
    angle is between the slope t + t_lo and its arc tangent; in other octants it is between 0 and the arc tangent.
    """

    def over() -> Iterator[Subinterval]:
        for octant in range(4):
            yield from (at(first, last, octant=octant, j=j) for j, first, last in halves(MORE))
            yield from binades(LEAST_QUOTIENT, REACH, octant=octant, j=0)

    def assume(s: Subinterval) -> Properties:
        grid = last_place(s.low * 0.999, 26) if s.j == 0 else -1000
        size = most(VARIABLE) * MORE
        return {
            "both": Number(),
            "off": within(size * OFF),
            "t_lo": within(size * TAIL),
            "t": Number(v.both - v.t_lo, grid, 26),
            "place": constant(float(s.j)),
            **dict(j=s.j, octant=s.octant, sign=0),
            "dropped": Exponent(),
            **dict.fromkeys(special, False),
        }

    def claim(s: Subinterval) -> Claims:
        slope = v.both + v.off
        angles = [atan(slope) + atan(term(Fraction(s.j, PLACES)))]
        if s.high <= CLAMPED and s.j == 0:
            angles.append(slope if s.octant == 0 else term(0))
        side = -1 if s.octant in {1, 2} else 1
        turns, exponent = PI / 2 * QUARTERS[s.octant], Is("exponent", Exponent() if s.octant == 0 else 0)
        return [*(encloses((turns + angle * side) / unit) for angle in angles), exponent]

    return lemma("angles", f, over(), powers=POWERS)(assume, claim)


def negative(f: Traced, special: Sequence[str]) -> Lemma:
    """Return the lemma that results for negative y are the results for positive y with the other sign."""
    return lemma("sign", f, binades(2.0**-84, 4.0))(
        {"unsigned": doubles(), "unsigned_lo": within(1.0), "sign": SIGN, **dict.fromkeys(special, False)},
        equals(hi=-v.unsigned, lo=-v.unsigned_lo),
    )


def direction(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of atan2."""
    f, (unit, special) = kernel(getattr(accurate, name)), DIRECTION[name]
    of_lengths = lengths(f), moved(f), octants(f)
    of_quotient = nearest_to_quotient(f), differences(f), quotients(f)
    return *of_lengths, *of_quotient, directions(f, unit, special), negative(f, special)


# refined_atan2

CONDITIONS = "flat", "tiny", "open", "large", "below", "above"
REFINED_POWERS = -120, 0
MISSED = 2.0**-53 * (1.0 + 2.0**-6)  # distance of r from q, where q is from 1 to 2
ROUNDED = 2.0**-53 * MORE  # relative error of an operation
OF_CUBE = 4.0 * ROUNDED  # relative error of the cube
FIFTH = 2.0**-60  # r^5/5 relative to r^3/3
OF_Q = 2.0**-58  # difference of q^3/3 and r^3/3, relative to r - q


def refined_atan2() -> tuple[Lemma, ...]:
    """Return the lemmas of the refinement of small angles: the quotient q, its remainder, and a cube.

    The kernel gives |angle| = (hi + lo) 2^E, and a 2^E / b is the slope, b from 1 to 2, E <= 0, and a < 2^-79 if E < 0.
    With r = a/b, the angle over 2^E is within r^5/5 of r - c r^3/3: c is 1 where E = 0, else at most 1/4. The
    double q = |hi| is next to hi + lo, and so within 2^-53 (1 + 2^-6) of r in units of the binade of q: lo and the
    bounds, and r^3, are smaller than 2^-60 of r. Then

    - a - q b is exact, so that r - q is rounded once;
    - q^3/3 has four roundings, and is within 2^-58 |r - q| of r^3/3.

    The result is head + tail with err = 0 where |tail| > s and head + (tail -+ s) are rounded to head, s being the
    slack. The error of head + tail and the rounding of tail -+ s are together less than s: the angle lies between
    head + (tail - s) and head + (tail + s), as these are computed, and so does head + tail. No midpoint of doubles lies
    between these, as rounding is monotonic, and head alone of all doubles. The sign of tail is the side of head.

    Where E < 0 and q is not r, the cube is below 2^-158 q, and so less than 2^-50 |r - q|: a - q b is a multiple of
    2^-104 times the power of two. Where q is r, the angle is less than the cube below q, and no midpoint is so near.
    """
    refined = refinement(accurate.refined_atan2)
    same = ("new_hi", "head"), ("new_lo", "tail"), ("new_exponent", "exponent")
    selected: Cases = {"found": ({"found": True}, (*same, ("new_err", 0.0)))}
    away = v.size * (2.0 * ROUNDED + OF_Q) + v.cube * (OF_CUBE + ROUNDED + FIFTH)
    rounding = bounded(away + (v.size + v.cube + v.slack) * ROUNDED, least(v.slack), power=1)

    def sizes(s: Subinterval) -> Properties:
        smaller = "cube" if s.larger == "size" else "size"
        return {
            s.larger: Number(grid=-600, power=1),
            smaller: Number(term((s.i + 0.5) / 8) + unknown(1 / 16), -600, power=1),
        }

    return (
        refined.unchanged(*((condition,) for condition in CONDITIONS)),
        refined.same("selected", selected),
        refined.never("not tiny", "q", "tiny", list(binades(accurate.TINY * MORE, 4.0))),
        refined.lemma("missed", [at(1.0, 2.0, of="b")], powers=REFINED_POWERS)(
            {
                "left": within(2.0 * MISSED),
                "b": multiples(-52),
                "q": Number(1.5 + unknown(0.5), -52, power=1),
                "a": Number(v.q * v.b + v.left, -52, power=1),
            },
            near(v.missed, v.left, 0, power=1),
        ),
        refined.lemma("cube", [at(1.0, 2.0, of="q")], powers=REFINED_POWERS)(
            {"q": Number(grid=-52, power=1)},
            near(v.cube, v.q * v.q * v.q / 3, least(v.q * v.q * v.q / 3) * OF_CUBE, power=3),
        ),
        refined.lemma("slack", choices([at(1.0, 2.0)], larger=("size", "cube"), i=range(16)), powers=REFINED_POWERS)(
            sizes, rounding
        ),
    )


LEMMAS = {
    **dict.fromkeys(CIRCLE, circle),
    **dict.fromkeys(SLOPES, slopes),
    "atan2": lambda name: (*direction(name), *refined_atan2()),
    "atan2pi": direction,
}
