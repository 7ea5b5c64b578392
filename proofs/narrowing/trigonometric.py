"""sin, cos, tan and sinpi, cospi, tanpi: x = (n + w) pi/1024, sin r and cos r - 1 as pairs, and every n by these.

r is w pi/1024. The reduction of half turns is exact. For radians, w is the exact sum of six
values, by words of 1024/pi.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb, ctx

from clmath.kernels.accurate import trigonometric as accurate
from clmath.kernels.accurate.angles import FIRST_WORD, INTEGER_EXPONENT, TINY, WORDS
from clmath.kernels.accurate.near_zero import DOWN, SMALL
from clmath.kernels.accurate.trigonometric import HALF_TURN, QUARTER, TINY_TURNS
from clmath.kernels.narrowing import trigonometric as kernels
from proofs.engine.assumed import place
from proofs.engine.traced import traced
from proofs.lemmas import Lemma, binades, each, kernel
from proofs.narrowing.enclosures import OWN, narrowing, same_exponent
from proofs.terms import (
    PI,
    VARIABLE,
    Bounded,
    Encoding,
    Is,
    Number,
    OnGrid,
    Residue,
    Values,
    at,
    bounded,
    constant,
    cos,
    distance,
    doubles,
    inverse,
    least_size,
    most,
    multiples,
    narrows,
    near,
    power_of_2,
    precise,
    sin,
    term,
    unknown,
    within,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from clmath.ir.program import Operand
    from proofs.engine.traced import Traced
    from proofs.terms import Claim, Property, Subinterval, Term

__all__ = [
    "HALF",
    "LEMMAS",
    "REACH",
    "STEP",
    "TURN",
    "Sines",
    "at_step",
    "floats_between",
    "significands",
    "summed",
    "words",
]

TURN = 2 * HALF_TURN
STEP = PI / HALF_TURN
HALF = 0.5 * (1.0 + 2.0**-20)  # of a step: w at most
REACH = 0.001535  # of sin r
SINE_OFF, SINE_LO = 2.0**-101.5, 2.0**-52.5  # of the pair sin r, and of its second part, relative to the first part
BEND_NEAR, BEND_LO, BEND_OFF = 2.0**-71.5, 2.0**-72.5, 2.0**-116
# of cos r - 1: how near the first part is to ``bend_of`` sin r, the second part, and the error of the pair
v = Values()


@dataclass(frozen=True)
class Sines:
    """Bounds of the pairs sin r and cos r - 1.

    ``off`` and ``lower`` are absolute bounds of sin r, which are added to the relative bounds: of the error, and of the
    second part. The first parts are multiples of 2^``grid``.
    """

    grid: int = -300
    off: float = 0.0
    lower: float = 0.0

    @property
    def bend_off(self) -> float:
        """Bound of the error of cos r - 1."""
        return BEND_OFF + self.off * REACH

    def claims(self, v: Values, r: Term) -> Sequence[Claim]:
        """Return the claims of both pairs."""
        size = least_size(v.sin_r)
        return [
            near(v.sin_r + v.sin_r_lo, sin(r), size * SINE_OFF + self.off),
            bounded(v.sin_r_lo, size * SINE_LO + self.lower),
            bounded(v.sin_r, REACH),
            near(v.bend, bend_of(v.sin_r), BEND_NEAR),
            bounded(v.bend_lo, BEND_LO),
            near(v.bend + v.bend_lo, cos(r) - 1, self.bend_off),
            OnGrid("sin_r", self.grid),
            OnGrid("bend", self.grid),
        ]

    def given(self, sine: Term = VARIABLE) -> dict[str, Property]:
        """Return the properties of both pairs, and of their errors."""
        return {
            "s_lo": within(most(sine) * SINE_LO + self.lower),
            "b": Number(bend_of(sine) + unknown(BEND_NEAR)),
            "b_lo": within(BEND_LO),
            "sine_off": within(most(sine) * SINE_OFF + self.off),
            "bend_off": within(self.bend_off),
            "sin_r": Number(sine, self.grid),
            "sin_r_lo": Number(v.s_lo),
            "bend": Number(v.b),
            "bend_lo": Number(v.b_lo),
        }


def bend_of(s: Term) -> Term:
    """Return sqrt(1 - s^2) - 1, to 2^-79 for |s| <= ``REACH``."""
    square = s * s
    return -(square * (square * (square / 16 + Fraction(1, 8)) + Fraction(1, 2)))


def at_step(n: int) -> tuple[Term, Term]:
    """Return the sine and the cosine of n pi/1024 + r, by the pairs of r."""
    sine, cosine = VARIABLE + v.s_lo + v.sine_off, v.b + v.b_lo + v.bend_off + 1
    s, c = step(n), step(n + QUARTER)
    return cosine * s + sine * c, cosine * c - sine * s


def step(n: int) -> Term:
    """Return sin(n pi/1024)."""
    quarters, rest = divmod(n, QUARTER)
    found = (sin if quarters % 2 == 0 else cos)(STEP * rest) if rest else term(quarters % 2)
    return -found if quarters & 2 else found


def mirrored(low: float, high: float, **parameters: object) -> Iterator[Subinterval]:
    """Yield binades of both signs."""
    for s in binades(low, high, signs=True):
        yield at(s.low, s.high, **parameters)


@dataclass(frozen=True)
class Kernel:
    """A function of the sine and the cosine of an angle; sin r is at least ``least`` where n is a multiple of 512."""

    value: Callable[[Term, Term], Term]
    least: float
    sines: Sines

    def lemma(self, f: Traced, special: Mapping[str, Property]) -> Lemma:
        """Return the lemma of the value for every n, by the pairs of r."""
        over = tuple(
            s
            for n in range(TURN)
            for s in ([at(-REACH, REACH, n=n)] if n % QUARTER else mirrored(self.least, REACH, n=n))
        )
        return Lemma(
            "value",
            f,
            over,
            lambda s: {**self.sines.given(), "n": Residue(s.n, TURN), **special, **OWN},
            lambda v, s: [narrows(v, self.value(*at_step(s.n))), Is("own_exponent", 0)],
            divides=False,
        )


def tangent(sine: Term, cosine: Term) -> Term:
    """Return the tangent by the sine and the cosine."""
    return sine * inverse(cosine)


# sinpi, cospi, tanpi

BELOW = 2.0**-11  # x of less than half a step: n = 0
GRID, FINE = -53, -90  # of w; where n = 0
OF_TURNS = Sines()
TURNS = {
    "sinpi": (Kernel(lambda sine, _: sine, 2.0 ** (FINE - 10), OF_TURNS), TINY_TURNS),
    "cospi": (Kernel(lambda _, cosine: cosine, 2.0 ** (FINE - 10), OF_TURNS), 2.0**-32),
    "tanpi": (Kernel(tangent, 2.0 ** (FINE - 10), OF_TURNS), TINY_TURNS),
}


def floats_between(low: float, high: float, **parameters: object) -> Iterator[Subinterval]:
    """Yield binades of both signs, each without the power of two at its end."""
    for s in binades(low, high):
        last = math.nextafter(s.high, 0.0)
        yield at(s.low, last, sign="+", **parameters)
        yield at(-last, -s.low, sign="-", **parameters)


def turns(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of a kernel of half turns: 1024 x = n + w + 2048 half."""
    of, least = TURNS[name]
    has_tiny = name != "cospi"
    special = dict.fromkeys(("tiny", "small"), False) if has_tiny else {}
    f = narrowing(getattr(kernels, name), getattr(accurate, f"ordinary_{name}"), *special)
    for known in (special, {"tiny": True, "small": False}, {"tiny": True, "small": True}):
        same_exponent(f, kernel(getattr(accurate, name)), known if has_tiny else {})
    below = tuple(floats_between(least, BELOW))

    def reduction(v: Values, s: Subinterval) -> Sequence[Claim]:
        is_below = s in below
        return [
            near(v.x * HALF_TURN, v.f + v.n + v.half * TURN, 0),
            bounded(v.f, HALF),
            bounded(v.n, 0 if is_below else 2.0**52),
            OnGrid("f", FINE if is_below else GRID),
        ]

    def tiny() -> Lemma:
        over = (s for s in floats_between(2.0**-1074, TINY_TURNS))
        return Lemma(
            "tiny",
            f,
            tuple(at(s.low, s.high, small=min(abs(s.low), abs(s.high)) < SMALL) for s in over),
            lambda s: {"x": doubles(snapped=True), "tiny": True, "small": s.small, **OWN},
            lambda v, s: [
                narrows(v, of.value(sin(v.x * PI), cos(v.x * PI)) * power_of_2(-DOWN * s.small)),
                Is("own_exponent", DOWN * s.small),
            ],
            divides=False,
        )

    return (
        Lemma(
            "reduction",
            f,
            (*below, *floats_between(BELOW, 2.0**51)),
            {"x": doubles(snapped=True), **special},
            reduction,
        ),
        *((tiny(),) if has_tiny else ()),
        Lemma(
            "tails",
            f,
            (at(of=0), *mirrored(2.0**FINE, HALF, of=1)),
            lambda s: {"f": multiples(FINE) if s.of else constant(0.0)},
            lambda v, _: OF_TURNS.claims(v, v.f * STEP),
            divides=False,
        ),
        of.lemma(f, special),
    )


# sin, cos, tan

BITS = 1400  # of 1024/pi, of which 1034 stand before the point of the greatest double
OF_SUMS = 300  # bits: whole turns up to 2^64 are subtracted, and w has an error of 2^-144
LEAST_STEPS, LEAST_ANGLE = 2.0**-61.6, 2.0**-61  # of the distances from multiples of pi/1024 and pi/2
OFF_STEPS = 2.0**-144.4  # error of w
OF_RADIANS = Sines(off=2.0**-150)
# w: the first product less whole steps, the second product as a pair, the third product, and the fourth: each is at
# most so large, and a multiple of that power of two
SUMMANDS = {
    "first": (2.0**12, -41),
    "second": (2.0**11, -93),
    "second_lo": (2.0**-42, -145),
    "third": (2.0**-41, -145),
    "third_lo": (2.0**-94, -197),
    "fourth": (2.0**-93, -249),
}
LEAST_SINE = LEAST_ANGLE * (1.0 - 2.0**-9) * (1.0 - 2.0**-20)
ANGLES = {
    "sin": Kernel(lambda sine, _: sine, LEAST_SINE, OF_RADIANS),
    "cos": Kernel(lambda _, cosine: cosine, LEAST_SINE, OF_RADIANS),
    "tan": Kernel(tangent, LEAST_SINE, OF_RADIANS),
}
# the accurate kernels that give the enclosures: how many results they have, and the first output of the function's
GIVEN_BY = {
    "sin": {"sin": (1, 0), "sincos": (2, 0)},
    "cos": {"cos": (1, 0), "sincos": (2, 4)},
    "tan": {"tan": (1, 0)},
}
EXPONENTS = range(math.frexp(TINY)[1] - 1, 1024)  # of doubles from TINY on


CONDITIONS: Mapping[str, Callable[..., object]] = {
    "tiny": lambda x: abs(x) < TINY,
    "small": lambda x: abs(x) < SMALL,
    "finite": lambda x: abs(x) < accurate.INFINITY,
}


def check_given(f: Traced, name: str) -> None:
    """LookupError where an enclosure may be given with an exponent, or special arguments with a bound that is not 0.

    The accurate kernels are ``GIVEN_BY``, each for all arguments and for ordinary arguments.
    """
    if not is_zero(f, place(f, "own_exponent"), {}):
        raise LookupError("the kernel's own enclosure has an exponent")
    for function, (results, first) in GIVEN_BY[name].items():
        for special in ([{"tiny": True, "finite": True}], [{"tiny": True, "finite": True}, {"finite": False}]):
            of_any = len(special) > 1
            other = kernel(getattr(accurate, function if of_any else f"ordinary_{function}"), 4 * results)
            err, exponent = (other.program.outputs[first + i][1] for i in (2, 3))
            if not (is_zero(other, exponent, {"small": False}) and all(is_zero(other, err, one) for one in special)):
                raise LookupError("special arguments may have a bound, or other arguments an exponent")


def is_zero(f: Traced, operand: Operand, known: Mapping[str, bool]) -> bool:
    """Return whether a value is 0 where the argument satisfies the conditions that are ``known``."""
    conditions: dict[int, bool] = {}
    for name, holds in known.items():
        *_, wanted = traced(CONDITIONS[name], ("double",), ("bool",)).names
        conditions |= {number: holds for number, found in enumerate(f.names) if found == wanted}
    return f.named(operand, f.names_where(conditions)) in {"double 0", "long 0"}


def row(exponent: int) -> int:
    """Return the row of the first word for the exponent of a double."""
    return exponent - 52 - FIRST_WORD


@functools.cache
def steps(exponent: int, near: float = 0.0) -> Term:
    """Return 2^exponent 1024/pi less the multiple of 2048 that leaves the number next to ``near``."""
    with ctx.workprec(BITS):
        turns = arb(2) ** exponent / (2 * arb.pi()) - arb(near) / TURN
        found = (turns + 0.5).floor().unique_fmpz()
    assert found is not None
    return precise(inverse(STEP) * power_of_2(exponent) - int(found) * TURN, BITS)


def summed(w: Term) -> dict[str, Property]:
    """Return the properties of the summands of ``w``: the first is the rest of ``w`` without the others."""
    others = [name for name in SUMMANDS if name != "first"]
    free = {f"of_{name}": within(SUMMANDS[name][0]) for name in others}
    first = w - sum((getattr(v, f"of_{name}") for name in others), term(0))
    given = {name: Number(getattr(v, f"of_{name}"), SUMMANDS[name][1]) for name in others}
    return {**free, "first": Number(first, SUMMANDS["first"][1]), **given}


def significands(f: Traced) -> Lemma:
    """Return the lemma of the integer m = 2^52 .. 2^53, with the sign of x, and its row: x = m 2^(e - 52)."""

    def code(s: Subinterval, exponent: int) -> Encoding:
        return Encoding((-(1 << 63) if s.negative else 0) + (exponent << 52), 1 << 52)

    return Lemma(
        "significand",
        f,
        tuple(at(exponent=e, negative=sign) for e in EXPONENTS for sign in (0, 1)),
        lambda s: {"encoding": code(s, s.exponent + 1023)},
        lambda _, s: [Is("code", code(s, INTEGER_EXPONENT)), Is("row", row(s.exponent))],
    )


def words(f: Traced) -> Lemma:
    """Return the lemma that m 2^(e - 52) 1024/pi = n + w + 2048 k, and how large the summands of w are."""
    w = sum((getattr(v, name) for name in SUMMANDS), term(0))

    def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
        left = v.m * steps(s.exponent - 52, float(WORDS[row(s.exponent)])) - v.taken - v.n - w
        return [
            Bounded(precise(left, OF_SUMS), term(OFF_STEPS)),
            bounded(w, HALF),
            OnGrid("taken", 11),
            *(bounded(getattr(v, name), size) for name, (size, _) in SUMMANDS.items()),
            *(OnGrid(name, grid) for name, (_, grid) in SUMMANDS.items()),
        ]

    return Lemma(
        "reduction",
        f,
        tuple(at(s.low, s.high, exponent=e) for e in EXPONENTS for s in floats_between(2.0**52, 2.0**53)),
        lambda s: {"m": Number(grid=0, snapped=True), "row": row(s.exponent)},
        claim,
    )


def distances(f: Traced) -> Iterator[Lemma]:
    """Yield the lemmas that no double is closer to a multiple of pi/1024 than ``LEAST_STEPS`` steps, and so of pi/2."""
    over = tuple(each(EXPONENTS, "exponent"))

    def from_steps(_: Values, s: Subinterval) -> Claim:
        found = distance(steps(s.exponent - 52), 1 << 53, BITS)
        if s.exponent < -10:  # the next multiple is 0
            found = inverse(STEP) * power_of_2(s.exponent)
        return Bounded(term(LEAST_STEPS) + OFF_STEPS, least_size(found))

    def from_quarters(_: Values, s: Subinterval) -> Claim:
        found = distance(precise(steps(s.exponent - 52) / QUARTER, BITS), 1 << 53, BITS) * PI / 2
        return Bounded(term(LEAST_ANGLE), least_size(found if s.exponent >= -1 else power_of_2(s.exponent)))

    yield Lemma("distance from steps", f, over, {}, from_steps)
    yield Lemma("distance", f, over, {}, from_quarters)


def angles(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of a kernel of radians."""
    f = kernel(getattr(kernels, name))
    check_given(f, name)
    return (
        significands(f),
        words(f),
        *distances(f),
        Lemma(
            "tails",
            f,
            tuple(binades(LEAST_STEPS, HALF, signs=True)),
            summed(VARIABLE),
            lambda v, _: OF_RADIANS.claims(v, STEP * VARIABLE),
            divides=False,
        ),
        ANGLES[name].lemma(f, {}),
    )


LEMMAS = {**dict.fromkeys(TURNS, turns), **dict.fromkeys(ANGLES, angles)}
