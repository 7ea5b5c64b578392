"""asin, acos, atan and their forms in half turns: a step of Newton's method from the angle t = hi + lo that is given.

t is n pi/1024 + r; sin r and cos r - 1 are pairs, as in ``trigonometric``. The value is t + delta, where delta is at
most the bound that is given. So n and sin r vary, and x is the sine of t + delta, say, for every delta. The step is
(x - sin t)/cos t: delta and a term of second order.
"""

from __future__ import annotations

from types import MappingProxyType

import numpy as np

from clmath.kernels.accurate import inverse_trigonometric as accurate
from clmath.kernels.accurate.inverse_trigonometric import CUBIC
from clmath.kernels.accurate.inverse_trigonometric import NARROW_FAR as FAR
from clmath.kernels.accurate.inverse_trigonometric import NARROW_LEAST as LEAST
from clmath.kernels.accurate.near_zero import DOWN
from clmath.kernels.accurate.sines import HALF_TURN, QUARTER
from clmath.kernels.accurate.slopes import FURTHEST
from proofs.accurate.angles import HALF, STEP, TURN, by_four_words, significand, summed
from proofs.accurate.inverse_trigonometric import LEMMAS as ACCURATE
from proofs.accurate.inverse_trigonometric import lengths, moved, octants
from proofs.accurate.trigonometric import of_tiny
from proofs.lemmas import *
from proofs.narrowing.enclosures import OWN, narrow, same_exponent
from proofs.narrowing.trigonometric import REACH, Sines, at_step

GIVEN = 2.0**-68.5  # the bound that is given, relative to the angle
LEFT = 2.0**-53  # lo, relative to hi
LO = 2.0**-52  # lo: hi is below 4
NEXT = 2.0**-44  # steps: a smaller r is next to 0
SHARE = 2.0**-102.5  # error of the step, relative to the angle, in addition to the bound of the step
CLOSEST = 2.0**-26 * (1.0 - 2.0**-20)  # of the angles of 1 and of 1 - 2^-53, and of their sines
ONE_STEP = -11  # hi is less than half a step where its exponent is less
STEEP = 640.0  # arc tangents of more may be next to a quarter turn
OF_CUBIC: Properties = {"cubic.closer": True, "cubic.scale": constant(1.0)}


@dataclass(frozen=True)
class Kernel:
    """An inverse function: of sine or cosine by ``circle``, or of the tangent if it is empty; n is between both
    ``steps``.

    ``cubic``: the function where x is tiny, if a cubic polynomial is another enclosure there.
    """

    circle: str = ""
    steps: tuple[int, int] = (-QUARTER, QUARTER)
    turns: bool = False
    cubic: Callable[[Term], Term] | None = None

    @property
    def unit(self) -> Term:
        """A radian, in units of the results."""
        return inverse(PI) if self.turns else term(1)

    def sines(self, n: int) -> Sines:
        """Return the bounds of the pairs of r at a number of steps."""
        if not self.turns:
            return OF_RADIANS
        return of_turns(math.frexp((abs(n) + 0.51) / HALF_TURN)[1] - 1 if n else ONE_STEP - 1)


OF_RADIANS = Sines(-1074, 2.0**-150, 2.0**-104)


def of_turns(exponent: int) -> Sines:
    """Return the bounds of the pairs of r by the exponent of hi: of half turns, lo is rounded."""
    return Sines(-1074, math.ldexp(1.0, exponent - 102), 2.0**-104) if exponent >= ONE_STEP else Sines(-1074)


def radians(f: Traced) -> tuple[Lemma, ...]:
    """Return the lemmas of r = w pi/1024 + lo, by words of 1024/pi."""
    over = (at(-NEXT, NEXT, sign=0), *binades(NEXT, HALF * (1.0 + 2.0**-40), signs=True))
    given = {"left": within(LO), "lo": Number(v.left), **summed(VARIABLE - v.left / STEP)}
    tails = lemma("tails", f, over, divides=False)(given, OF_RADIANS.claims(STEP * VARIABLE))
    return significand(f), by_four_words(f), tails


def half_turns(f: Traced) -> tuple[Lemma, ...]:
    """Return the lemmas of 1024 hi = n + f, which is exact, and of r = (f + 1024 lo) pi/1024 by the exponent of hi."""

    def reduction(s: Subinterval) -> Claims:
        e = last_place(s.closest, 1)
        return [
            near(v.hi * HALF_TURN, v.n + v.f, 0),
            *bounds(f=HALF, n=0 if e < ONE_STEP else 2.0**12),
            OnGrid("f", e - 42),
        ]

    def over() -> Iterator[Subinterval]:
        for e in range(last_place(LEAST, 1), ONE_STEP):
            yield from mirrored([at(math.ldexp(1.0, e + 10), math.ldexp(1.0 + 2.0**-20, e + 11), exponent=e)])
        for e in range(ONE_STEP, 1):
            yield at(-NEXT, NEXT, exponent=e)
            yield from mirrored(binades(NEXT, HALF, exponent=e))

    def given(s: Subinterval) -> Properties:
        left = within(math.ldexp(LEFT, s.exponent + 1))
        return {"left": left, "lo": Number(v.left), "f": Number(VARIABLE - v.left * HALF_TURN, s.exponent - 42)}

    return (
        lemma("reduction", f, open_binades(LEAST, 2.0))({"hi": doubles(snapped=True)}, reduction),
        lemma("tails", f, over(), divides=False)(given, lambda s: of_turns(s.exponent).claims(STEP * VARIABLE)),
    )


def points(first: int, last: int) -> Iterator[Subinterval]:
    """Yield sin r for each number of steps; binades where the angle or the slope may be small."""
    for n in range(first, last + 1):
        if n not in {first, 0, last}:
            yield at(-REACH, REACH, n=n)
            continue
        for s in binades(CLOSEST if n else LEAST * (1.0 - 2.0**-20), REACH):
            if n < last:
                yield at(s.low, s.high, n=n)
            if n > first:
                yield at(-s.high, -s.low, n=n)


def angle(n: int) -> Term:
    """Return n pi/1024 + sin r: r is hardly larger than its sine."""
    return STEP * n + VARIABLE


def turned(n: int) -> tuple[Term, Term]:
    """Return the sine and the cosine of t + delta."""
    sine, cosine = at_step(n)
    d = v.delta + v.beyond
    return sine - sine * v.bend_of_d + cosine * d, cosine - cosine * v.bend_of_d - sine * d


def size_of_d(n: int) -> Term:
    """Return the bound that is given, at a number of steps."""
    return most(angle(n)) * (GIVEN * (1.0 + 2.0**-18))


def deviations(n: int) -> dict[str, Property]:
    """Return the properties of delta, of 1 - cos delta, and of sin delta - delta."""
    size = size_of_d(n)
    return {"delta": within(size), "bend_of_d": within(size * size), "beyond": within(size * size * size)}


# The step differs from delta by at most its bound and ``SHARE`` of the angle.


def circles(f: Traced, of: Kernel) -> Lemma:
    """Return the lemma of the step of arc sines and cosines: the bound counts the part of second order twice."""
    is_sine = of.circle == "sine"

    def given(s: Subinterval) -> Properties:
        size = size_of_d(s.n)
        half = size * size / 2
        across, along = turned(s.n)
        return {
            **of.sines(s.n).given(),
            **deviations(s.n),
            "bend_of_d": within(half),
            "square": Number(half + unknown(half)),
            "n": Residue(s.n % TURN, TURN),
            "x": Number(across if is_sine else along),
            "usable": True,
        }

    def claim(s: Subinterval) -> Claim:
        sine, cosine = at_step(s.n)
        slope, second = (cosine, -sine) if is_sine else (sine, cosine)
        over = inverse(slope)
        bound = least(v.change - over * v.square * of.unit * 0.51) + share(of, s.n)
        return near(v.step, (v.delta + second * v.bend_of_d * over) * of.unit, bound)

    return lemma("step", f, points(*of.steps), divides=False)(given, claim)


def share(of: Kernel, n: int) -> Term:
    """Return ``SHARE`` of the least size of the angle."""
    return least_size(angle(n) * of.unit) * (SHARE * (1.0 - 2.0**-20))


def slopes(f: Traced, of: Kernel) -> Lemma:
    """Return the lemma of the step of arc tangents: (y cos t - sin t)/(cos t + y sin t) is the tangent of delta.

    Next to a quarter turn y varies, and sin r is as close to its value without delta as it can be.
    """
    first, last = of.steps

    def over() -> Iterator[Subinterval]:
        yield from (s for s in points(first, last) if s.n not in {first, last})
        for s in binades(STEEP, FAR, signs=True):
            yield at(s.low, s.high, n=last if s.sign == "+" else first)
        yield from (at(FAR, FAR, n=last), at(-FAR, -FAR, n=first))

    def given(s: Subinterval) -> Properties:
        steps: dict[str, Property] = {"n": Residue(s.n % TURN, TURN), "usable": True}
        if s.n in {first, last}:
            return {**steep(of, s), **steps}
        across, along = turned(s.n)
        return {**of.sines(s.n).given(), **deviations(s.n), "x": Number(across * inverse(along)), **steps}

    def claim(s: Subinterval) -> Claim:
        angles = least_size(1.57 * of.unit) * SHARE if s.n in {first, last} else share(of, s.n)
        return near(v.step, v.delta * of.unit, least(v.change) + angles)

    return lemma("step", f, over(), divides=False)(given, claim)


def steep(of: Kernel, s: Subinterval) -> Properties:
    """Return the properties of y next to a quarter turn: for ``FAR`` and larger arguments, the angle is 1/FAR away."""
    turned, sines, is_far = atan(inverse(VARIABLE)), of.sines(s.n), s.low == s.high
    off = most(turned) * 2.0**-52 + GIVEN * math.pi / 2 * (1.0 + 2.0**-20)
    of_r = v.s + v.sine_low + v.sine_off
    given = sines.given(v.s)
    del given["bend_high"]
    return {
        "s": Number(sin(-turned) + unknown(off)),
        **given,
        "bend": Number(sqrt(1 - of_r * of_r) - 1 - v.bend_low - v.bend_off),
        "delta": Number(-turned - asin(of_r) + unknown(1.0 / FAR if is_far else 0.0)),
        "clamped" if is_far else "x": multiples(-1074),
    }


def clamped(f: Traced) -> Lemma:
    """Return the lemma that x beyond ``FAR`` is replaced by ``FAR``, and no other x."""
    over = [
        at(s.low + math.copysign(FAR, s.low), s.high + math.copysign(FAR, s.low), sign=s.sign)
        for s in binades(math.ulp(FAR), 2.0**1023, signs=True)
    ]
    for s in binades(math.ulp(FAR) / 2.0, FAR, signs=True):
        far = FAR if s.sign == "-" else -FAR
        over.append(at(s.low + far, s.high + far, sign=""))
    for low, high in ((FAR, FAR), (2.0**1023, GREATEST)):
        over += [at(low, high, sign="+"), at(-high, -low, sign="-")]
    taken = {"+": term(FAR), "-": term(-FAR), "": v.x}
    return lemma("clamped", f, over)({"x": multiples(-1074)}, lambda s: near(v.clamped, taken[s.sign], 0))


def at_one(f: Traced, name: str) -> Lemma:
    """Return the lemma that the own enclosure is not taken of 1 and -1, where the slope may be 0."""

    def given(s: Subinterval) -> Properties:
        x = np.array([float(s.sign)])
        parts = [float(np.broadcast_to(part, x.shape)[0]) for part in getattr(accurate, name)(x)]
        names = ("x", "hi", "lo", "err")
        return {**{name: constant(one) for name, one in zip(names, (s.sign, *parts), strict=False)}, "exponent": 0}

    signs = (1, -1) if name == "asin" else (-1,)
    return lemma("at 1", f, choices([at(1.0, 1.0)], sign=signs))(given, Is("closer", expected=False))


def sums(f: Traced, of: Kernel) -> Lemma:
    """Return the lemma of the value for hi, lo, the step, and its bound: a bound above the given one is not taken."""
    size = most(VARIABLE)
    others: Properties = {"cubic.closer": False} if of.cubic else {}
    over = tuple(s for s in binades(LEAST, 4.0, signs=True) if s.sign == "+" or of.steps[0] < 0)
    given = {
        "hi": doubles(snapped=True),
        "lo": within(size * LEFT),
        "exponent": 0,
        "usable": True,
        "step": within(size * (5.0 * GIVEN)),
        "change": Number(size * GIVEN + unknown(size * GIVEN)),
        **OWN,
        **others,
    }
    counted = v.change + size * SHARE
    claim: Claims = [near(v.new_hi + v.new_lo, v.hi + v.lo + v.step, least(v.new_err - counted)), Is("own_exponent", 0)]
    return lemma("sums", f, over)(given, claim)


def tiny(f: Traced, name: str, ideal: Callable[[Term], Term]) -> Lemma:
    """Return the lemma of tiny x, where another enclosure is the cubic polynomial, perhaps scaled."""
    for scaled in (False, True):
        same_exponent(f, kernel(getattr(accurate, name)), {"small": scaled}, own="cubic.own_exponent")
    return lemma("tiny", f, of_tiny(CUBIC), divides=False)(
        lambda s: {"x": doubles(snapped=True), "small": s.small, **OF_CUBIC},
        lambda s: [narrows(ideal(v.x) * power_of_2(-DOWN * s.small)), Is("cubic.own_exponent", DOWN * s.small)],
    )


KERNELS = {
    "asin": Kernel("sine"),
    "acos": Kernel("cosine", (0, 2 * QUARTER)),
    "atan": Kernel(),
    "asinpi": Kernel("sine", turns=True, cubic=lambda x: asin(x) / PI),
    "acospi": Kernel("cosine", (0, 2 * QUARTER), turns=True),
    "atanpi": Kernel(turns=True, cubic=lambda x: atan(x) / PI),
}


def told(
    name: str, lemma: Lemma, *, turns: bool, is_odd: bool = False, known: Properties = MappingProxyType({})
) -> Lemma:
    """Return the lemma of the given enclosure, under the assumptions of a lemma of the accurate kernel.

    The claims are about its bound and its parts: hi is the first of the parts with a sign. ``is_odd``: the lemma is
    about x > 0, and the claims about -x, too. ``known``: further assumptions. acos 1 is 0, and its bound is 0.
    """
    hi, lo = ("turns", "turns_lo") if turns else ("angle", "angle_lo")
    found = bounded(v.err, least_size(v[hi]) * GIVEN), Is("exponent", 0)
    claim: Claims = [*found, RestOfSum(hi, lo), *(OfNegative(one) for one in found if is_odd)]
    return replace(
        lemma,
        name=f"told, {lemma.name}",
        over=tuple(s for s in lemma.over if (name, s.low) != ("acos", 1.0)),
        assume=lambda s: {**dict(lemma.statement(s).assume), **known},
        claim=claim,
        powers=(0, 0),
    )


def lemmas(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of a kernel."""
    f, of = narrow(name), KERNELS[name]
    given = ACCURATE[name](name)
    telling = ("angles",) if of.cubic else ("angles", "ends")  # "ends" are of angles below LEAST otherwise
    return (
        *(told(name, one, turns=of.turns, is_odd=not of.circle) for one in given if one.name in telling),
        *((at_one(f, name),) if name in {"asin", "acos"} else ()),
        *((clamped(f),) if not of.circle else ()),
        *((tiny(f, name, of.cubic),) if of.cubic else ()),
        *(half_turns(f) if of.turns else radians(f)),
        (circles if of.circle else slopes)(f, of),
        sums(f, of),
    )


# atan2, atan2pi

MOST = 0.99  # of ``SHARE``: the quotient is rounded by 2^-118 of the angle
APART = 2.0**-198  # delta differs by less where the smaller length is taken for 2^-200
LARGE = Number(unknown(0.5) + 1.5, wide=True)  # the larger length


def comparable(f: Traced) -> Lemma:
    """Return the lemma that v and u are b and m times the power, or the other way round, with the signs of y and x."""
    over = tuple(
        at(1.0, 2.0, power=power, upright=upright, y=y, x=x)
        for power, upright, y, x in itertools.product(range(FURTHEST, 1), (False, True), (0, SIGN), (0, SIGN))
    )

    def given(s: Subinterval) -> Properties:
        lengths = {
            "length_b": Number(unknown(0.5) + 1.5),
            "small.m": Number(grid=-52),
            "large.m": Number(v.length_b, -52),
        }
        return {**lengths, "power": s.power, "upright": s.upright, "v.sign": s.y, "u.sign": s.x}

    def claim(s: Subinterval) -> Claims:
        small = VARIABLE * power_of_2(s.power)
        wanted = (v.length_b, small) if s.upright else (small, v.length_b)
        signs = (-1 if s.y else 1), (-1 if s.x else 1)
        return [near(found, one * sign, 0) for found, one, sign in zip((v.v, v.u), wanted, signs, strict=True)]

    return lemma("directions", f, over)(given, claim)


def left(f: Traced) -> Lemma:
    """Return the lemma that the remainder of the quotient of both lengths is exact: the error of the quotient times b.

    Proven for quotients from 1/2 to 2, which is proven for every power of two.
    """
    return lemma("left", f, mirrored([at(0.5, 1.0, unit=-53), at(1.0, 2.0, unit=-52)]), powers=(-81, -26))(
        lambda s: {
            "length_b": LARGE,
            "off": within(math.ldexp(0.5, s.unit)),
            "divided": Number(grid=s.unit, power=1),
            "large.m": Number(v.length_b, -52),
            "numerator": Number((VARIABLE + v.off) * v.length_b, -52, power=1),
        },
        [
            near(v.divided_rest, v.off * v.length_b, 0, power=1),
            Formula("divided", ("double.div", "numerator", "large.m")),
            Formula("divided_lo", ("double.div", "divided_rest", "large.m")),
        ],
    )


def small(f: Traced, of: Kernel, name: str) -> Lemma:
    """Return the lemma of small angles, by the quotient as a pair: scaled, the cube of the quotient is nothing."""
    same_exponent(f, kernel(getattr(accurate, name)), {"level": True, "exact": False}, own="cubic.own_exponent")
    size = most(VARIABLE)
    given: Properties = {
        "off": within(size * 2.0**-53),
        "beyond": within(size * 2.0**-105),
        "cube": within(size * size * size),
        "flat": True,
        **pair("divided", Number(VARIABLE - v.off, -200), Number(v.off + v.beyond)),
        **OF_CUBIC,
    }
    tops = (0, CUBIC), (-1, 2.0**-78)
    sizes = ((power, s) for power, top in tops for s in binades(2.0**-82, top * (1.0 + 2.0**-40), signs=True))
    return lemma("small", f, (at(s.low, s.high, power=power) for power, s in sizes), divides=False)(
        lambda s: {**given, "unscaled": s.power == 0},
        lambda s: narrows((VARIABLE + v.cube if s.power else atan(VARIABLE)) * of.unit),
    )


def missed(f: Traced, of: Kernel) -> Lemma:
    """Return the lemma that both products differ by delta times the slope, for every direction and length."""

    def over() -> Iterator[Subinterval]:
        for n in range(-HALF_TURN, HALF_TURN + 1):
            apart = abs(abs(n) - QUARTER)
            if not n:
                yield from mirrored(binades(LEAST * (1.0 - 2.0**-20), REACH, n=n, steep=False))
                continue
            for steep in (True, False):
                if apart <= QUARTER / 2 if steep else apart >= QUARTER / 2:
                    yield from (at(REACH * (i - 4) / 4, REACH * (i - 3) / 4, n=n, steep=steep) for i in range(8))

    def given(s: Subinterval) -> Properties:
        across, along = turned(s.n)
        length = v.length * (1 if (s.n > 0 if s.steep else abs(s.n) < QUARTER) else -1)
        smaller = (along * inverse(across) if s.steep else across * inverse(along)) * length
        return {
            **of.sines(s.n).given(),
            **deviations(s.n),
            "distance": within(APART),
            "length": LARGE,
            "n": Residue(s.n % TURN, TURN),
            "v": Number(length if s.steep else smaller),
            "u": Number(smaller if s.steep else length),
        }

    def claim(s: Subinterval) -> Claims:
        bound = least_size(angle(s.n)) * least_size(v.slope) * (MOST * SHARE * (1.0 - 2.0**-20))
        moved = (v.delta + v.distance) * v.slope
        return [near(v.missed, moved, least(v.error) + bound), near(v.slope, 1.99, 1.0)]

    return lemma("missed", f, over(), divides=False)(given, claim)


def quotient(f: Traced, of: Kernel) -> Lemma:
    """Return the lemma that the step is a quotient by the slope, and its bound at least 1.1 times the error's quotient.

    Proven for an error of 1/2 to 1, which is proven for every power of two.
    """

    def claim(_: Subinterval) -> Claims:
        over = inverse(v.slope) * of.unit
        return [
            near(v.step, v.part * over, 2.0**-51, power=1),
            bounded(term(2.0**-12), least(v.change - v.size * over * 1.1), power=1),
        ]

    given: Properties = {
        "part": within(1.0),
        "size": Number(unknown(0.25) + 0.75),
        "slope": multiples(-60),
        "missed": Number(v.part, -60, power=1),
        "error": Number(v.size, -60, power=1),
    }
    over = tuple(at(0.99 + i / 8, 0.99 + (i + 1) / 8, kind="") for i in range(16))
    return lemma("quotient", f, over, powers=(-110, -60), divides=False)(given, claim)


DIRECTIONS = {
    "atan2": Kernel(steps=(-HALF_TURN, HALF_TURN), cubic=atan),
    "atan2pi": Kernel(steps=(-HALF_TURN, HALF_TURN), turns=True, cubic=lambda x: atan(x) / PI),
}


def directions(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of a kernel of two lengths."""
    f, of = narrow(name), DIRECTIONS[name]
    given = next(lemma for lemma in ACCURATE[name](name) if lemma.name == "angles")
    telling = told(name, given, turns=of.turns, known={"dropped": 0})
    furthest = lemma("furthest", f, choices(apart=range(-2200, 1)))(  # of the power of the smaller length
        lambda s: {"small.power": s.apart, "large.power": 0}, lambda s: Is("power", max(s.apart, FURTHEST))
    )
    of_lengths = joined("lengths", lengths(f), moved(f), octants(f)), furthest, comparable(f), left(f)
    reduced = half_turns(f) if of.turns else radians(f)
    return telling, *of_lengths, small(f, of, name), *reduced, missed(f, of), quotient(f, of), sums(f, of)


LEMMAS = {**dict.fromkeys(KERNELS, lemmas), **dict.fromkeys(DIRECTIONS, directions)}
