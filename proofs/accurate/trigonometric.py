"""sin, cos, tan, sincos and sinpi, cospi, tanpi: the value for n steps of pi/1024 and a rest; then results refined.

For radians, ``angles`` has the reductions to r + r_lo + d. The value is proven once for both, for every n and r: with
the smaller one of the bounds of d and of ``error``. The d of the reduction by words may be larger by 0.99 of its
``error``: sine and cosine change by no more than their angle, and so does the tangent, times (1 + tan^2) (1 + 2^-30),
as |d tan| < 2^-30. The reduction of half turns is exact.

Refined are results next to 1 and -1 (peaks), and close to zeros and to poles. A peak is within 2^-61 of 1 or -1. Peaks
are exact only where the kernel's bound is 0: all other results lie between 1 and the midpoint of 1 and its neighbour,
as 1 - 2^-80 does. By Lambert's theorem sin x and cos x are never 1 or -1 for a double x other than 0; for half turns,
bounds are proven to be 0 at exact peaks.

Close to a zero x is a multiple of pi plus w steps, |w| <= 1/2, for |sin x|, |cos x| or |tan x| is less than 2^-28, and
is not at other steps; where |tan x| is more than 2^28, w is the distance from a pole. w is found with four words of
1024/pi. The sign is the sign of the kernel's own result, whose bound is less than the result: all doubles are farther
than 2^-61 from multiples of pi/2.
"""

from __future__ import annotations

from clmath.ir.primitives import mark
from clmath.ir.program import Kind
from clmath.kernels.accurate import trigonometric as accurate
from clmath.kernels.accurate.angles import REDUCTION, REDUCTION_ORDINARY, STEPS_PER_UNIT, TINY, TINY_TURNS
from clmath.kernels.accurate.near_zero import DOWN, SMALL
from clmath.kernels.accurate.sines import HALF_TURN, QUARTER, both_at, sine_at, tangent_at
from proofs.accurate import angles
from proofs.accurate.angles import HALF, STEP, TURN
from proofs.engine.traced import Traced, traced
from proofs.lemmas import *

DOUBLES: tuple[Kind, ...] = ("double", "double", "double")
MORE = 1.0 + 2.0**-20


def sine_of_steps(n: int) -> Term:
    """Return sin(n pi/1024)."""
    quarters, rest = divmod(n, QUARTER)
    found = (sin if quarters % 2 == 0 else cos)(STEP * rest) if rest else term(quarters % 2)
    return -found if quarters & 2 else found


def turned(sine: Term, cosine: Term, n: int) -> tuple[Term, Term]:
    """Return the sine and the cosine of n pi/1024 plus an angle by the sine and the cosine of the angle."""
    s, c = sine_of_steps(n), sine_of_steps(n + QUARTER)
    return cosine * s + sine * c, cosine * c - sine * s


def tangent(sine: Term, cosine: Term) -> Term:
    """Return the tangent by the sine and the cosine."""
    return sine * inverse(cosine)


# radians


def value(name: str) -> Lemma:
    """Return the lemma of the value for every n and w = r + r_lo, which is not small at multiples of a quarter turn."""
    step = math.pi / HALF_TURN
    top = HALF * step * MORE
    ends = *(i / 16 * step for i in (1, 2, 4, 6)), top

    def over() -> Iterator[Subinterval]:
        for n in range(TURN):
            if not n % QUARTER:
                yield from mirrored(binades(angles.LEAST * (1.0 - 2.0**-9), top, n=n))
                continue
            yield at(-ends[0], ends[0], n=n)
            yield from mirrored(at(*pair, n=n) for pair in pairwise(ends))

    def assume(s: Subinterval) -> Properties:
        least_r = s.closest * (1.0 - angles.REST[0]) - angles.REST[1]
        return {
            "w": Number(),
            "r_lo": within(most(VARIABLE) * angles.REST[0] + angles.REST[1], paired=True),
            "r": Number(v.w - v.r_lo, last_place(least_r) if s.low * s.high > 0.0 else angles.FINEST),
            "d": within(most(VARIABLE) * angles.ANGLE + angles.ROOM),
            "n": Residue(s.n, TURN),
            "error": constant(REDUCTION_ORDINARY),
        }

    def claim(s: Subinterval) -> Claims:
        angle = v.w + v.d
        return CLAIMED[name].claims(*turned(sin(angle), cos(angle), s.n))

    return lemma("value", found_at(name), over())(assume, claim)


def both(r: Any, r_lo: Any, n: Any, error: Any) -> Any:
    """Return the results of ``both_at``, one after the other."""
    sine, cosine = both_at(r, r_lo, n, error)
    return *mark("hi lo err", *sine), *mark("cos_hi cos_lo cos_err", *cosine)


@dataclass(frozen=True)
class Claimed:
    """The function of r, r_lo, n and the error that the kernel calls, and the claims by the sine and the cosine.

    ``special``: conditions of special arguments of the kernel for all x.
    """

    function: Callable[..., object]
    claims: Callable[[Term, Term], Claims]
    special: tuple[str, ...] = ("tiny", "small")


CLAIMED = {
    "sin": Claimed(sine_at, lambda sine, _: [encloses(sine)]),
    "cos": Claimed(sine_at, lambda sine, _: [encloses(sine)], ("tiny",)),
    "tan": Claimed(tangent_at, lambda *sines: [encloses(tangent(*sines))]),
    "sincos": Claimed(both, lambda sine, cosine: [encloses(sine), near(v.cos_hi + v.cos_lo, cosine, least(v.cos_err))]),
}


def found_at(name: str) -> Traced:
    """Return the trace of the function that the kernel calls."""
    return traced(CLAIMED[name].function, ("double", "double", "long", "double"), DOUBLES * (1 + (name == "sincos")))


def returned(f: Traced, name: str) -> Lemma:
    """Return the lemma that the kernel returns the results of the function, for n or, of a cosine, a quarter more."""
    is_ordinary, is_pair, called = bool(f.second), name == "sincos", found_at(name)
    results = ("hi", "lo", "err", *(("cos_hi", "cos_lo", "cos_err") if is_pair else ()))
    exponents = ("exponent", "cos_exponent") if is_pair else ("exponent",)
    ordinary = {"finite": True} if name == "cos" or is_pair or not is_ordinary else {}
    steps = Formula("steps", ("long.add", "n", QUARTER)) if name == "cos" else Same("steps", "n")
    return lemma("returned, ordinary" if is_ordinary else "returned", f, (at(of="arguments"),))(
        {**ordinary, **dict.fromkeys(("tiny",) if is_ordinary else CLAIMED[name].special, False)},
        [
            Calls(results, called.program, called.tables, ("r", "r_lo", "steps", "error")),
            steps,
            *(Is(exponent, 0) for exponent in exponents),
        ],
    )


def radians(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of both reductions, of the results, and of the value."""
    results: tuple[Kind, ...] = (*DOUBLES, "long") * (2 if name == "sincos" else 1)
    f, g = (traced(getattr(accurate, function), ("double",), results) for function in (name, f"ordinary_{name}"))
    g = replace(g, second=f"ordinary_{name}")
    by_words = angles.significand(f), angles.by_words(f), angles.turned(f), angles.closest(f), returned(f, name)
    return *by_words, angles.by_pieces(g), angles.rest_of_pieces(g), returned(g, name), value(name)


# half turns

ONE_STEP = 2.0**-11  # |x| below: less than half a step
GRID, FINE = -53, -90  # f is a multiple of 2^GRID; of 2^FINE where n = 0
FOUND = "found", "found_lo", "found_err"  # the results of the function of f and n


@dataclass(frozen=True)
class Turns:
    """A kernel of pi x: 1024 x = n + f (mod 2048) exactly, and the value depends on f and n + ``ahead`` alone.

    ``function``: the function of f and a number of steps. ``exact``: results are exact where f = 0 and n is a multiple
    of this number of steps. ``least``: the least ordinary argument; ``special``: conditions of special arguments, which
    the function below 2^40 has, too.
    """

    value: Callable[[Term, Term], Term]
    function: Traced
    ahead: int = 0
    exact: int = QUARTER
    least: float = TINY_TURNS
    special: tuple[str, ...] = ()


SINE_OF_STEPS = traced(accurate.sine_of_steps, ("double", "long"), DOUBLES)
SINE_OF_TURNS, TANGENT_OF_TURNS = (
    traced(function, ("double", "double", "long"), DOUBLES)
    for function in (accurate.sine_of_turns, accurate.tangent_of_turns)
)
TURNS = {
    "sinpi": Turns(lambda sine, _: sine, SINE_OF_TURNS),
    "cospi": Turns(lambda sine, _: sine, SINE_OF_STEPS, QUARTER, QUARTER, TINY, ("tiny",)),
    "tanpi": Turns(tangent, TANGENT_OF_TURNS, exact=QUARTER // 2),
}


def steps_of_turns(f: Traced, least: float, top: float, given: Properties, *, more: Claims = ()) -> Lemma:
    """Return the lemma that 1024 x is n + f and a multiple of 2048, which the function below 2^40 does not take off.

    ``more``: claims before these.
    """

    def claims(s: Subinterval) -> Claims:
        is_below = s.farthest < ONE_STEP
        return [
            *more,
            near(v.x * STEPS_PER_UNIT, v.n + v.f + (0 if f.second else v.half * TURN), 0),
            *bounds(f=HALF, n=0 if is_below else 2.0**52),
            OnGrid("f", FINE if is_below else GRID),
        ]

    over = *open_binades(least, ONE_STEP), *open_binades(ONE_STEP, top)
    name = "reduction, ordinary" if f.second else "reduction"
    return lemma(name, f, over)({"x": doubles(snapped=True), **given}, claims)


def reduction(of: Turns, f: Traced, top: float) -> Lemma:
    """Return the lemma of the reduction, and that the function of f and n gives the results."""
    special = of.special if f.second else (*of.special, "linear")

    same = [near(v[name], v[found], 0) for name, found in zip(("hi", "lo", "err"), FOUND, strict=True)]
    results: Claims = (*same, Is("exponent", 0), *([Formula("steps", ("long.add", "n", of.ahead))] if of.ahead else []))
    given: Properties = {**dict.fromkeys(FOUND, within(2.0**1000)), **dict.fromkeys(special, False)}
    return steps_of_turns(f, of.least, top, given, more=results)


def of_tiny(top: float) -> tuple[Subinterval, ...]:
    """Return the binades below ``top``, and whether they are so small that results are scaled."""
    over = open_binades(2.0**-1074, top)
    return tuple(at(s.low, s.high, small=s.closest < SMALL) for s in over)


def tiny(of: Turns, f: Traced) -> Lemma:
    """Return the lemma of x below 2^-40, where the value is pi x scaled."""

    def claims(s: Subinterval) -> Claims:
        exponent = DOWN if s.small else 0
        angle = v.x * PI
        return [encloses(of.value(sin(angle), cos(angle)) * 2**-exponent), Is("exponent", exponent)]

    given = {"x": doubles(snapped=True), "linear": True}
    return lemma("tiny", f, of_tiny(TINY_TURNS))(lambda s: {**given, "small": s.small}, claims)


def value_of_turns(of: Turns) -> Lemma:
    """Return the lemma of every number of steps with all f: binades of f where f = 0 is exact."""
    fifths = pairwise((0.0, 0.0625, 0.125, 0.25, 0.375, HALF))
    sizes = [at(*pair) for pair in fifths]
    over = (
        at(s.low, s.high, n=n)
        for n in range(TURN)
        for s in mirrored(sizes if n % of.exact else binades(2.0**GRID, HALF))
    )

    def claim(s: Subinterval) -> Claim:
        angle = v.f * STEP
        return encloses(of.value(*turned(sin(angle), cos(angle), s.n)))

    return lemma("value", of.function, over)(
        lambda s: {"f": Number(grid=GRID if s.n % of.exact else FINE), "n": Residue(s.n, TURN)}, claim
    )


def turns(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of both reductions, of tiny arguments, and of the value."""
    of, whole, below = TURNS[name], kernel(getattr(accurate, name)), second(getattr(accurate, f"ordinary_{name}"))
    of_tiny = () if of.ahead else (tiny(of, whole),)
    ordinary = reduction(of, below, accurate.ORDINARY_TURNS)
    return reduction(of, whole, 2.0**51), ordinary, *of_tiny, value_of_turns(of)


# refined: close to a zero or to a pole

FARTHEST = 2.0**-18.5  # more steps than an angle of 2^-27.5 has
CLOSE = 2.0**27.9  # results are closer to a zero, or farther from it, only beyond


def reduced(refined: Refinement) -> tuple[Lemma, ...]:
    """Return the lemmas of w, of a function that refines results."""
    f, names = refined.traced, {"significand": "significand, refined", "reduction": "reduction, refined"}
    lemmas = angles.significand(f), angles.by_four_words(f, "whole_steps"), angles.closest_to_steps(f)
    return tuple(replace(lemma, name=names.get(lemma.name, lemma.name)) for lemma in lemmas)


def beside(refined: Refinement, name: str, value: Callable[[Term], Term], conditions: Properties) -> Lemma:
    """Return the lemma of the value for w steps from a zero, or a pole, and both signs of hi."""
    over = choices(binades(angles.LEAST_STEPS, FARTHEST), sign=(0, SIGN))

    def claim(s: Subinterval) -> Claims:
        angle = (VARIABLE + v.off) * STEP
        return [narrows(value(-angle if s.sign else angle)), SAME_EXPONENT]

    given = {"off": within(angles.OFF_STEPS), **angles.summed(VARIABLE), **conditions}
    return refined.lemma(name, mirrored(over))(lambda s: {**given, "sign": s.sign}, claim)


def not_close(refined: Refinement) -> Lemma:
    """Return the lemma that larger results are not close to a zero, and of conditions and the sign as operations."""
    formulas = {
        "bounded": ("double.gt", "err", 0.0),
        "small": ("double.lt", ("double.abs", "hi"), accurate.CLOSE),
        "sign": ("long.and", ("long.xor", ("bits", "r"), ("bits", "hi")), SIGN),
    }
    claims: list[Claim] = [Is("small", expected=False), *(Formula(*formula) for formula in formulas.items())]
    return refined.lemma("not close", of_both_signs(1.0 / CLOSE, 2.0**64))({"hi": multiples(-1074)}, claims)


# refined: peaks

PEAK = 2.0**-61  # distance of peaks from 1, which are within 2^-60 of 1 - 2^-80
BESIDE_PEAK = 2.0**-80
MOST = 2.0**-62  # of the bounds next to peaks
PEAKS = ("one", "beside_one", "open")  # without one of these, results stay the same


def peaks(refined: Refinement) -> tuple[Lemma, ...]:
    """Return the lemmas of the results at peaks, with the exponent that is given.

    That exponent is 0, for the kernel has other exponents only where its bound is 0.
    """
    meaning = {"one": ("double.eq", ("double.abs", "peak_hi"), 1.0), "open": ("double.gt", "peak_err", 0.0)}
    return (
        refined.meaning(meaning, "meaning of peaks"),
        refined.lemma("peaks", [at(peak=1), at(peak=-1)])(
            lambda s: {"peak_hi": constant(float(s.peak)), "peak": True},
            lambda s: [SAME_EXPONENT, *equals(new_hi=s.peak, new_lo=-BESIDE_PEAK * s.peak, new_err=0)],
        ),
        refined.never("no peaks", "peak_lo", "beside_one", of_both_signs(PEAK * MORE, 1.0)),
    )


def bounds_at_peaks(refined: Refinement, f: Traced, given: Properties, *, turns: bool) -> Lemma:
    """Return the lemma that bounds are small next to peaks; at a peak of half turns, where f = 0, bounds are 0.

    For the steps next to which sines are 1 or -1, and all that is left of them.
    """
    ends = [(-HALF, HALF), *([(0.0, 0.0)] if turns else [])]
    errs = [name for name in ("err", "cos_err") if name in f.program.names or name == "err"]
    of_values = Refinement(replace(f, second=refined.traced.second, refines=True))
    return of_values.lemma("bounds", [at(*size, n=n) for n in (QUARTER, QUARTER + HALF_TURN) for size in ends])(
        lambda s: {**given, "n": Residue(s.n, TURN)},
        lambda s: [bounded(v[err], 0.0 if s.low == s.high else MOST) for err in errs],
    )


def refined_turns(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of sinpi and cospi refined."""
    refined = refinement(accurate.refined_sine_of_turns)
    value = bounds_at_peaks(refined, TURNS[name].function, {"f": multiples(-1074)}, turns=True)
    return refined.unchanged(*((one,) for one in PEAKS)), *peaks(refined), value


def refined_sine(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of sin and cos refined."""
    refined = refinement(accurate.refined_sine)
    angle = Number(VARIABLE * STEP * (1.0 + 2.0**-30), -1074)
    given = {"r": angle, "r_lo": within(2.0**-60), "error": constant(REDUCTION)}
    return (
        refined.unchanged(*((one, other) for one in ("small", "bounded") for other in PEAKS)),
        *reduced(refined),
        not_close(refined),
        beside(refined, "close", sin, {"close": True}),
        *peaks(refined),
        bounds_at_peaks(refined, found_at(name), given, turns=False),
    )


def refined_tangent() -> tuple[Lemma, ...]:
    """Return the lemmas of tan refined."""
    refined = refinement(accurate.refined_tangent)
    far = [at(sign="0"), *binades(2.0**-100, CLOSE, signs=True)]
    close = {"close": True, "far": False}
    return (
        refined.unchanged(("small", "large"), ("bounded",)),
        *reduced(refined),
        not_close(refined),
        refined.never("not far", "hi", "large", far),
        beside(refined, "close", lambda x: tangent(sin(x), cos(x)), close),
        beside(refined, "far", lambda x: tangent(cos(x), sin(x)), {"close": False, "far": True}),
    )


LEMMAS = {
    **dict.fromkeys(("sin", "cos", "sincos"), lambda name: (*radians(name), *refined_sine(name))),
    "tan": lambda name: (*radians(name), *refined_tangent()),
    **dict.fromkeys(("sinpi", "cospi"), lambda name: (*turns(name), *refined_turns(name))),
    "tanpi": turns,
}
