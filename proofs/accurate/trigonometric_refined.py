"""sin, cos, tan, sinpi and cospi refined: results next to 1 and -1 (peaks), and close to zeros and to poles.

A peak is within 2^-61 of 1 or -1. Peaks are exact only where the kernel's bound is 0: all other results lie between 1
and the midpoint of 1 and its neighbour, as 1 - 2^-80 does. By Lambert's theorem sin x and cos x are never 1 or -1 for a
double x other than 0; for half turns, bounds are proven to be 0 at exact peaks.

Close to a zero x is a multiple of pi plus w steps, |w| <= 1/2, for |sin x|, |cos x| or |tan x| is less than 2^-28, and
is not at other steps; where |tan x| is more than 2^28, w is the distance from a pole. w is found with four words of
1024/pi, as in the narrowing kernels. The sign is that of the kernel's own result, whose bound is less than the result:
all doubles are farther than 2^-61 from multiples of pi/2.
"""

from __future__ import annotations

import functools
import math
from dataclasses import replace
from typing import TYPE_CHECKING

from flint import arb, ctx

from clmath.ir.lanes import SIGN, mark
from clmath.kernels.accurate import trigonometric as accurate
from clmath.kernels.accurate.angles import FIRST_WORD, INTEGER_EXPONENT, REDUCTION, TINY, WORDS
from clmath.kernels.accurate.trigonometric import HALF_TURN, QUARTER, both_at
from proofs.accurate.boundaries import never, of_both_signs
from proofs.engine.traced import Traced, traced
from proofs.lemmas import Lemma, Refinement, binades, each, kernel
from proofs.terms import (
    PI,
    VARIABLE,
    Bounded,
    Encoding,
    Formula,
    Is,
    Number,
    OnGrid,
    Residue,
    Same,
    Values,
    at,
    bounded,
    constant,
    cos,
    distance,
    inverse,
    least,
    least_size,
    multiples,
    near,
    power_of_2,
    precise,
    sin,
    term,
    within,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from clmath.ir.program import Kind
    from proofs.terms import Claim, Property, Subinterval, Term

__all__ = ["SECOND"]

TURN = 2 * HALF_TURN
STEP = PI / HALF_TURN
HALF = 0.5 * (1.0 + 2.0**-20)  # of a step: w at most
v = Values()


# x in steps of pi/1024 by four words, as in the narrowing kernels

BITS = 1400  # of 1024/pi, of which 1034 stand before the point of the greatest double
OF_SUMS = 300  # bits: for numbers up to 2^64, whose difference has an error of 2^-144
LEAST_STEPS = 2.0**-61.6  # of the distances from multiples of pi/1024
OFF_STEPS = 2.0**-144.4  # error of w
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
EXPONENTS = range(math.frexp(TINY)[1] - 1, 1024)  # of doubles from TINY on


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
    """Return the properties of the summands of ``w``, the first by what the others leave."""
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


def floats_between(low: float, high: float, **parameters: object) -> Iterator[Subinterval]:
    """Yield binades of both signs, each without the power of two at its end."""
    for s in binades(low, high):
        last = math.nextafter(s.high, 0.0)
        yield at(s.low, last, sign="+", **parameters)
        yield at(-last, -s.low, sign="-", **parameters)


def words(f: Traced, n: str) -> Lemma:
    """Return the lemma that m 2^(e - 52) 1024/pi = n + w + 2048 k, and how large the summands of w are."""
    w = sum((getattr(v, name) for name in SUMMANDS), term(0))

    def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
        left = v.m * steps(s.exponent - 52, float(WORDS[row(s.exponent)])) - v.taken - getattr(v, n) - w
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


def distance_from_steps(f: Traced) -> Lemma:
    """Return the lemma that no double is closer to a multiple of pi/1024 than ``LEAST_STEPS`` steps."""

    def claim(_: Values, s: Subinterval) -> Claim:
        found = distance(steps(s.exponent - 52), 1 << 53, BITS)
        if s.exponent < -10:  # the next multiple is 0
            found = inverse(STEP) * power_of_2(s.exponent)
        return Bounded(term(LEAST_STEPS) + OFF_STEPS, least_size(found))

    return Lemma("distance from steps", f, tuple(each(EXPONENTS, "exponent")), {}, claim)


def reduced(refined: Refinement) -> tuple[Lemma, ...]:
    """Return the lemmas of w, of a function that refines results."""
    f, names = refined.traced, {"significand": "significand, refined", "reduction": "reduction, refined"}
    lemmas = significands(f), words(f, "whole_steps"), distance_from_steps(f)
    second = frozenset({refined.function})
    return tuple(
        replace(lemma, name=names.get(lemma.name, lemma.name), refines=True, second_functions=second)
        for lemma in lemmas
    )


# close to a zero or to a pole

FARTHEST = 2.0**-18.5  # more steps than an angle of 2^-27.5 has
CLOSE = 2.0**27.9  # results are closer to a zero, or farther from it, only beyond


def beside(refined: Refinement, name: str, value: Callable[[Term], Term], conditions: Mapping[str, Property]) -> Lemma:
    """Return the lemma of the value for w steps from a zero, or a pole, and both signs of hi."""
    over = [
        at(*ends, sign=sign)
        for s in binades(LEAST_STEPS, FARTHEST)
        for sign in (0, SIGN)
        for ends in ((s.low, s.high), (-s.high, -s.low))
    ]

    def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
        angle = (VARIABLE + v.off) * STEP
        exact = value(-angle if s.sign else angle)
        enclosed = Bounded(v.new_hi + v.new_lo - exact, least(v.new_err))
        return [enclosed, Same("new_exponent", "exponent")]

    given = {"off": within(OFF_STEPS), **summed(VARIABLE), **conditions}
    return refined.lemma(name, over, lambda s: {**given, "sign": s.sign}, claim)


def not_close(refined: Refinement) -> Lemma:
    """Return the lemma that larger results are not close to a zero; and what conditions are, and the sign."""
    formulas = {
        "bounded": ("double.gt", "err", 0.0),
        "small": ("double.lt", ("double.abs", "hi"), accurate.CLOSE),
        "sign": ("long.and", ("long.xor", ("bits", "r"), ("bits", "hi")), SIGN),
    }
    claims: list[Claim] = [Is("small", expected=False), *(Formula(*formula) for formula in formulas.items())]
    over = of_both_signs(1.0 / CLOSE, 2.0**64)
    return refined.lemma("not close", over, {"hi": multiples(-1074)}, lambda _, __: claims)


# peaks

PEAK = 2.0**-61  # distance of peaks from 1, which are within 2^-60 of 1 - 2^-80
BESIDE_PEAK = 2.0**-80
MOST = 2.0**-62  # of the bounds next to peaks


def peaks(refined: Refinement) -> tuple[Lemma, ...]:
    """Return the lemmas of the results at peaks, with the exponent that is given.

    That exponent is 0, for the kernel has other exponents only where its bound is 0.
    """
    meaning = {
        "one": ("double.eq", ("double.abs", "peak_hi"), 1.0),
        "open": ("double.gt", "peak_err", 0.0),
    }
    return (
        refined.meaning(meaning, "meaning of peaks"),
        refined.lemma(
            "peaks",
            [at(peak=1), at(peak=-1)],
            lambda s: {"peak_hi": constant(float(s.peak)), "peak": True},
            lambda v, s: [
                Same("new_exponent", "exponent"),
                near(v.new_hi, term(s.peak), 0),
                near(v.new_lo, term(-BESIDE_PEAK * s.peak), 0),
                near(v.new_err, term(0), 0),
            ],
        ),
        never(refined, "no peaks", "peak_lo", "beside_one", of_both_signs(PEAK * (1.0 + 2.0**-20), 1.0)),
    )


def bounds(refined: Refinement, f: Traced, given: Mapping[str, Property], *, turns: bool) -> Lemma:
    """Return the lemma that bounds are small next to peaks; at a peak of half turns, where f = 0, bounds are 0.

    For the steps next to which sines are 1 or -1, and all that is left of them.
    """
    ends = [(-HALF, HALF), *([(0.0, 0.0)] if turns else [])]
    over = [at(*size, n=n) for n in (QUARTER, QUARTER + HALF_TURN) for size in ends]
    errs = [name for name in ("err", "cos_err") if name in f.program.names or name == "err"]

    def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
        return [bounded(getattr(v, err), 0.0 if s.low == s.high else MOST) for err in errs]

    of_values = Refinement(f, refined.function)
    return of_values.lemma("bounds", over, lambda s: {**given, "n": Residue(s.n, TURN)}, claim)


DOUBLES: tuple[Kind, ...] = ("double", "double", "double")
PEAKS = ("one", "beside_one", "open")  # without one of these, results stay the same
VALUE_OF_TURNS = {
    "sinpi": traced(accurate.sine_of_turns, ("double", "double", "long"), DOUBLES),
    "cospi": traced(accurate.sine_of_steps, ("double", "long"), DOUBLES),
}


def turns(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of sinpi and cospi refined."""
    refined = Refinement(kernel(accurate.refined_sine_of_turns), "refined_sine_of_turns")
    value = bounds(refined, VALUE_OF_TURNS[name], {"f": multiples(-1074)}, turns=True)
    return refined.unchanged(*((one,) for one in PEAKS)), *peaks(refined), value


def both(r: Any, r_lo: Any, n: Any, error: Any) -> Any:
    """Return the enclosures of sine and cosine."""
    (hi, lo, err), (cos_hi, cos_lo, cos_err) = both_at(r, r_lo, n, error)
    return hi, lo, mark("err", err), cos_hi, cos_lo, mark("cos_err", cos_err)


def value_at(name: str) -> Traced:
    """Return the trace of the values of sin and cos, or of both, for an angle r + r_lo and steps n."""
    inputs: tuple[Kind, ...] = ("double", "double", "long", "double")
    return traced(both, inputs, DOUBLES * 2) if name == "sincos" else traced(accurate.sine_at, inputs, DOUBLES)


def sines(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of sin and cos refined."""
    refined = Refinement(kernel(accurate.refined_sine), "refined_sine")
    angle = Number(VARIABLE * STEP * (1.0 + 2.0**-30), -1074)
    given = {"r": angle, "r_lo": within(2.0**-60), "error": constant(REDUCTION)}
    return (
        refined.unchanged(*((one, other) for one in ("small", "bounded") for other in PEAKS)),
        *reduced(refined),
        not_close(refined),
        beside(refined, "close", sin, {"close": True}),
        *peaks(refined),
        bounds(refined, value_at(name), given, turns=False),
    )


def tangent(_: str) -> tuple[Lemma, ...]:
    """Return the lemmas of tan refined."""
    refined = Refinement(kernel(accurate.refined_tangent), "refined_tangent")
    far = [at(sign="0"), *binades(2.0**-100, CLOSE, signs=True)]
    close = {"close": True, "far": False}
    return (
        refined.unchanged(("small", "large"), ("bounded",)),
        *reduced(refined),
        not_close(refined),
        never(refined, "not far", "hi", "large", far),
        beside(refined, "close", lambda x: sin(x) * inverse(cos(x)), close),
        beside(refined, "far", lambda x: cos(x) * inverse(sin(x)), {"close": False, "far": True}),
    )


SECOND = {
    **dict.fromkeys(VALUE_OF_TURNS, turns),
    **dict.fromkeys(("sin", "cos", "sincos"), sines),
    "tan": tangent,
}
