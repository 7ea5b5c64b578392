"""sin, cos, tan, sincos and sinpi, cospi, tanpi: the remainder of quarter or half turns, then its value.

With N quarter turns taken off, x - N pi/2 = unit w + something below ``off``, where w is the exact sum of three values.
"""

from __future__ import annotations

from flint import arb, ctx

from clmath.ir.program import Kind
from clmath.kernels.fast import trigonometric as fast
from clmath.kernels.fast.near_zero import TINY
from proofs.fast.arguments import FLOATS
from proofs.lemmas import *

TWO_OVER_PI = 2 * inverse(PI)
BITS = 500  # of 2/pi; for the largest float 127 of them are before the point


def sine_at(angle: Term, quarters: int) -> Term:
    """Return the sine of an angle plus ``quarters`` quarter turns."""
    return (sin(angle), cos(angle), -sin(angle), -cos(angle))[quarters % 4]


def tangent_at(angle: Term, quarters: int) -> Term:
    """Return the tangent of an angle plus ``quarters`` quarter turns."""
    return sine_at(angle, quarters) * inverse(sine_at(angle, quarters + 1))


def turns(name: str) -> tuple[Lemma, ...]:
    """Return the reduction x = r + n/steps + shift, |r| <= reach, and the value, which depends on r and n alone."""
    f, tangent = kernel(getattr(fast, name), 2), name == "tanpi"
    steps, shift = (2, 0.0) if tangent else (1, -0.5 if name == "cospi" else 0.0)
    reach, smallest, grid = 0.5 / steps, TINY if shift else 2.0**-149, -38 if shift else -149
    special = ("far", "zero", "one") if tangent else ("far", "zero", "half", *(("tiny",) if shift else ()))
    ordinary = dict.fromkeys(special, False)

    return (
        lemma("reduction", f, binades(smallest, 2.0**24, signs=True))(
            {"x": FLOATS, **ordinary},
            [near(v.x, v.n / steps + shift + v.r, 0), bounded(v.r, reach * (1.0 + 2.0**-20)), OnGrid("r", grid)],
        ),
        lemma("value", f, (s for n in range(2 * steps) for s in eighths(math.ldexp(1.0, grid), reach, n=n)))(
            lambda s: {"r": Number(grid=grid, snapped=True), "n": Residue(s.n, 2 * steps), **ordinary},
            lambda s: encloses_rounded(tangent_at(v.r * PI, s.n) if tangent else sine_at(v.r * PI, 2 * s.n)),
        ),
    )


# sin, cos, tan, sincos


@dataclass(frozen=True)
class Section:
    """Rests w from ``least`` on in size; ``off``: the bound of the part that is added to w; ``third``: the size of the
    third of its parts.

    The other parts are multiples of 2^``grid``.
    """

    least: float
    off: float
    grid: int
    third: float


@dataclass(frozen=True)
class Angles:
    """The reduction w = a + sign (b + third), |w| <= reach, |b| <= second, in units of ``unit``; for floats to ``top``.

    ``words``: whether it is by words of 2/pi modulo 4, or by parts of pi. The last of two sections is below 1/2.
    """

    words: bool
    sign: int
    unit: Term
    top: float
    reach: float
    second: float
    sections: tuple[Section, ...]

    def section(self, s: Subinterval) -> Section:
        """Return the section of a binade."""
        return self.sections[-1 if s.closest < 0.5 else 0]


ANY, SMALL = Section(2.0**-29.9, 2.0**-82, -80, 2.0**-30), Section(2.0**-15, 2.0**-82, -94, 2.0**-57)
BESIDE_ONE, ORDINARY = Section(0.6, 2.0**-52, -94, 2.0**-57), Section(2.0**-27.9, 2.0**-100, -70, 2.0**-49)
TURN = 1.0 + 2.0**-20  # quarter turns


def fours(grid: int) -> int:
    """Return the multiple of 4 quarter turns in 2^grid."""
    with ctx.workprec(BITS):
        found = (arb(2) ** grid / (2 * arb.pi())).floor().unique_fmpz()
    assert found is not None
    return int(found)


def angles(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of both reductions."""
    reach, last = CLAIMED[name].reach * TURN, BESIDE_ONE if CLAIMED[name].ahead else SMALL
    by_words = Angles(True, 1, PI / 2, 2.0**128, reach, 0.25, (ANY, last))
    by_pieces = Angles(False, -1, term(1), fast.ORDINARY, reach * math.pi / 2, 2.0**-13, (ORDINARY,))
    return *reduced(by_words, name, name), *reduced(by_pieces, name, f"ordinary_{name}")


def reduced(of: Angles, name: str, of_function: str) -> Iterator[Lemma]:
    """Yield the lemmas of the reduction, of the least distance of floats from multiples of a quarter turn, and of the
    value.
    """
    kind = CLAIMED[name]
    per, ahead, modulus = kind.per, kind.ahead, kind.modulus
    below, second = ("", "") if of_function == name else (", ordinary", of_function)
    results: list[Kind] = ["double"] * (4 if name == "sincos" else 2)
    f = replace(traced(getattr(fast, of_function), ("double",), results), second=second)
    over = tuple(open_binades(TINY, of.top, bits=24))

    def reduction(s: Subinterval) -> Claims:
        section, grid = of.section(s), last_place(s.closest, 24)
        turns, n = TWO_OVER_PI, v.n
        if of.words:
            turns, n = precise(turns - Fraction(4 * fours(grid)) / Fraction(2) ** grid, BITS), v.whole + v.extra
        w = v.a + (v.b + v.third) * of.sign
        return [
            near((v.x * turns - (n * per - ahead)) * PI / 2, w * of.unit, section.off),
            bounded(w, of.reach),
            *bounds(b=of.second, third=section.third),
            *on_grids(a=section.grid, b=section.grid),
        ]

    def closest(s: Subinterval) -> Claim:
        section = of.section(s)
        found = distance(TWO_OVER_PI * power_of_2(last_place(s.closest, 24)), 1 << 24, BITS) * PI / 2
        if s.closest < 0.5:  # quarter turns next to it are -1, 0 and 1
            found = PI / 2 - v.x if ahead else v.x
        return bounded(section.least * of.unit + section.off, least(found))

    def given(s: Subinterval) -> Properties:
        section = of.sections[s.section]
        free = {"w": Number(), "second": within(of.second), "last": within(section.third), "off": within(section.off)}
        a = Number(v.w - (v.second + v.last) * of.sign, section.grid)
        parts = {"a": a, "b": Number(v.second, section.grid), "third": Number(v.last)}
        return {**free, **parts, "n": Residue(s.n, modulus), "tiny": False}

    yield lemma(f"reduction{below}", f, over)({"x": FLOATS, "tiny": False}, reduction)
    yield lemma(f"distance{below}", f, over[::2])({"x": FLOATS}, closest)
    yield lemma(
        f"value{below}",
        f,
        (
            s
            for n in range(modulus)
            for i, section in enumerate(of.sections)
            for s in eighths(section.least, of.reach, n=n, section=i)
        ),
    )(given, lambda s: kind.value(v.w * of.unit + v.off, s.n))


@dataclass(frozen=True)
class Claimed:
    """A function of x = w + N pi/2: N = per n - ahead, |w| <= reach quarter turns, and its value by n mod modulus."""

    value: Callable[[Term, int], Claims]
    per: int
    ahead: int
    modulus: int
    reach: float


def is_sine(angle: Term, n: int) -> Claims:
    """Claim that the value is the sine, after n half turns."""
    return [encloses_rounded(sine_at(angle, 2 * n))]


CLAIMED: Mapping[str, Claimed] = {
    "sin": Claimed(is_sine, 2, 0, 2, 1.0),
    "cos": Claimed(is_sine, 2, 1, 2, 1.0),
    "tan": Claimed(lambda angle, n: [encloses_rounded(tangent_at(angle, n))], 1, 0, 4, 0.5),
    "sincos": Claimed(
        lambda angle, n: [
            within_rounded(v.sine, v.sine_err, sine_at(angle, n)),
            within_rounded(v.cosine, v.cosine_err, sine_at(angle, n + 1)),
        ],
        1,
        0,
        4,
        0.5,
    ),
}
LEMMAS = {**dict.fromkeys(("sinpi", "cospi", "tanpi"), turns), **dict.fromkeys(CLAIMED, angles)}
