"""sin, cos, tan and sinpi, cospi, tanpi: x = (n + w) pi/1024, sin r and cos r - 1 as pairs, and every n by these.

r is w pi/1024. The reductions are the accurate kernels': exact for half turns, and for radians by four words.
"""

from __future__ import annotations

from clmath.kernels.accurate import trigonometric as accurate
from clmath.kernels.accurate.angles import TINY, TINY_TURNS
from clmath.kernels.accurate.near_zero import DOWN
from clmath.kernels.accurate.sines import QUARTER
from proofs.accurate import angles
from proofs.accurate.angles import HALF, STEP, TURN, summed
from proofs.accurate.trigonometric import FINE, of_tiny, steps_of_turns, tangent, turned
from proofs.lemmas import *
from proofs.narrowing.enclosures import OWN, expression, narrow, narrowing, same_exponent

REACH = 0.001535  # of sin r
SINE_OFF, SINE_LO = 2.0**-101.5, 2.0**-52.5  # of the pair sin r, and of its second part, relative to the first part
BEND_NEAR, BEND_LO, BEND_OFF = 2.0**-71.5, 2.0**-72.5, 2.0**-116
# of cos r - 1: how near the first part is to ``bend_of`` sin r, the second part, and the error of the pair


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

    def claims(self, r: Term) -> Claims:
        """Return the claims of both pairs."""
        size = least_size(v.sin_r)
        return [
            near(v.sin_r + v.sin_r_lo, sin(r), size * SINE_OFF + self.off),
            *bounds(sin_r_lo=size * SINE_LO + self.lower, sin_r=REACH),
            near(v.bend, bend_of(v.sin_r), BEND_NEAR),
            bounded(v.bend_lo, BEND_LO),
            near(v.bend + v.bend_lo, cos(r) - 1, self.bend_off),
            *on_grids(sin_r=self.grid, bend=self.grid),
        ]

    def given(self, sine: Term = VARIABLE) -> dict[str, Property]:
        """Return the properties of both pairs, and of their errors."""
        return {
            "sine_low": within(most(sine) * SINE_LO + self.lower),
            "bend_high": Number(bend_of(sine) + unknown(BEND_NEAR)),
            "bend_low": within(BEND_LO),
            "sine_off": within(most(sine) * SINE_OFF + self.off),
            "bend_off": within(self.bend_off),
            **pair("sin_r", Number(sine, self.grid), Number(v.sine_low)),
            **pair("bend", Number(v.bend_high), Number(v.bend_low)),
        }


def bend_of(s: Term) -> Term:
    """Return sqrt(1 - s^2) - 1, to 2^-79 for |s| <= ``REACH``."""
    square = s * s
    return -(square * (square * (square / 16 + Fraction(1, 8)) + Fraction(1, 2)))


def at_step(n: int) -> tuple[Term, Term]:
    """Return the sine and the cosine of n pi/1024 + r, by the pairs of r."""
    return turned(VARIABLE + v.sine_low + v.sine_off, v.bend_high + v.bend_low + v.bend_off + 1, n)


VALUES: Mapping[str, Callable[[Term, Term], Term]] = {
    "sin": lambda sine, _: sine,
    "cos": lambda _, cosine: cosine,
    "tan": tangent,
}  # by the sine and the cosine of the angle


def by_pairs(f: Traced, function: str, least: float, sines: Sines, special: Properties) -> Lemma:
    """Return the lemma of the value for every n, by the pairs of r.

    sin r is at least ``least`` where n is a multiple of 512.
    """
    over = tuple(
        s
        for n in range(TURN)
        for s in ([at(-REACH, REACH, n=n)] if n % QUARTER else mirrored(binades(least, REACH, n=n)))
    )
    return lemma("value", f, over, divides=False)(
        lambda s: {**sines.given(), "n": Residue(s.n, TURN), **special, **OWN},
        lambda s: [narrows(VALUES[function](*at_step(s.n))), Is("own_exponent", 0)],
    )


# sinpi, cospi, tanpi

LEAST_OF_TURNS = 2.0 ** (FINE - 10)  # of sin r
OF_TURNS = Sines()


def tails_of_turns(f: Traced) -> Lemma:
    """Return the lemma of the pairs of r = f pi/1024."""
    return lemma("tails", f, (at(of=0), *mirrored(binades(2.0**FINE, HALF, of=1))), divides=False)(
        lambda s: {"f": multiples(FINE) if s.of else constant(0.0)}, OF_TURNS.claims(v.f * STEP)
    )


def tiny(f: Traced, function: str) -> Lemma:
    """Return the lemma of x below 2^-40, where results may be scaled."""

    def claim(s: Subinterval) -> Claims:
        exact, exponent = VALUES[function](sin(v.x * PI), cos(v.x * PI)), DOWN * s.small
        return [narrows(exact * power_of_2(-exponent)), Is("own_exponent", exponent)]

    given = {"x": doubles(snapped=True), "tiny": True, **OWN}
    return lemma("tiny", f, of_tiny(TINY_TURNS), divides=False)(lambda s: {**given, "small": s.small}, claim)


def turns(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of a kernel of half turns: 1024 x = n + f + 2048 half."""
    function, has_tiny = name.removesuffix("pi"), name != "cospi"
    special = dict.fromkeys(("tiny", "small"), False) if has_tiny else {}
    f = narrowing(name, getattr(accurate, f"ordinary_{name}"), *special)
    for known in (special, {"tiny": True, "small": False}, {"tiny": True, "small": True}):
        same_exponent(f, kernel(getattr(accurate, name)), known if has_tiny else {})
    return (
        steps_of_turns(f, TINY_TURNS if has_tiny else TINY, 2.0**51, special),
        *((tiny(f, function),) if has_tiny else ()),
        tails_of_turns(f),
        by_pairs(f, function, LEAST_OF_TURNS, OF_TURNS, special),
    )


# sin, cos, tan

OF_RADIANS = Sines(off=2.0**-150)
LEAST_SINE = angles.LEAST * (1.0 - 2.0**-9) * (1.0 - 2.0**-20)
# the accurate kernels that give the enclosures: how many results they have, and the first output of the function's
GIVEN_BY = {"sin": {"sin": (1, 0), "sincos": (2, 0)}, "cos": {"cos": (1, 0), "sincos": (2, 4)}, "tan": {"tan": (1, 0)}}
SPECIAL = {"tiny": True, "finite": True}, {"finite": False}  # the second: only of kernels that take any argument


def check_given(f: Traced, name: str) -> None:
    """LookupError where an enclosure may be given with an exponent, or special arguments with a bound that is not 0.

    The accurate kernels are ``GIVEN_BY``, each for all arguments and for ordinary arguments.
    """
    if expression(f, "own_exponent", {}) != "long 0":
        raise LookupError("the kernel's own enclosure has an exponent")
    for function, (results, first) in GIVEN_BY[name].items():
        for kinds, called in enumerate((f"ordinary_{function}", function), 1):
            other = kernel(getattr(accurate, called), 4 * results)
            (_, err), (_, exponent) = other.program.outputs[first + 2 : first + 4]
            bounds = {expression(other, err, special) for special in SPECIAL[:kinds]}
            if bounds != {"double 0"} or expression(other, exponent, {"small": False}) != "long 0":
                raise LookupError("special arguments may have a bound, or other arguments an exponent")


def radians(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of a kernel of radians."""
    f = narrow(name)
    check_given(f, name)
    over = tuple(binades(angles.LEAST_STEPS, HALF, signs=True))
    tails = lemma("tails", f, over, divides=False)(summed(VARIABLE), OF_RADIANS.claims(STEP * VARIABLE))
    reduced = angles.significand(f), angles.by_four_words(f), angles.closest_to_steps(f), angles.closest(f)
    return *reduced, tails, by_pairs(f, name, LEAST_SINE, OF_RADIANS, {})


LEMMAS = {**dict.fromkeys(("sinpi", "cospi", "tanpi"), turns), **dict.fromkeys(VALUES, radians)}
