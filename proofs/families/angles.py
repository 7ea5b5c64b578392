"""sin, cos, tan, sincos of float: what is left of quarter turns, for all floats of a binade, then the value at that.

With N quarter turns taken off, the exact rest of x is x - N pi/2 = unit w + something below ``off``, where w is the
exact sum of three values of the trace. That no rest is small is the theorem of best
approximation (Lagrange; Khinchin, Continued Fractions, theorem 16 and 17): for all integers 0 < m < q', the distance
of m a from integers is no less than that of q a, q < q' the denominators of subsequent convergents of a.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from flint import arb, ctx, fmpz

from clmath.ir.lanes import nearest
from clmath.ir.program import Value
from clmath.kernels.quick import trigonometric as quick
from clmath.kernels.quick.near_zero import TINY
from clmath.kernels.quick.trigonometric import quarter_turns
from proofs.engine.execution import Execution, Real, Residue
from proofs.engine.ideals import COS, INVERSE, SIN, applied
from proofs.engine.models import Cell, Model, Unproven, dyadic, lower
from proofs.engine.proof import OfFamily, Setting, in_one
from proofs.engine.traced import Traced, traced
from proofs.families.floats import FLOAT, floats_between, grid_of_floats
from proofs.statements import EnclosedAngle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from clmath.ir.program import Kind

__all__ = ["NAMES", "Angles", "At", "Distance", "Reduction", "least_distance", "quarter_turns_of", "quick_parts"]

_BITS = 500  # of 2/pi, of which 127 stand before the point of the largest float


@dataclass(frozen=True)
class Section:
    """Rests whose w is from ``least`` on in size, and carries ``off`` radians.

    ``third``: how large the third of its parts is; the others are multiples of 2^``grid``.
    """

    least: float
    off: float
    grid: int
    third: float


@dataclass(frozen=True)
class Angles:
    """A kernel of angles: x = N pi/2 + unit w, w = a + sign (b + third); modulo 2 pi where ``turns``.

    ``parts``: where a, b and third stand in the trace; ``counts``: where integers stand, N being ``per`` times their
    sum, less ``ahead``; ``total``: where the sum stands, of which the value depends on the remainder by ``modulus``.
    ``reach``: of w in size; ``second``: of b.
    """

    name: str
    traced: Traced
    parts: tuple[int, int, int]
    counts: tuple[int, ...]
    total: int
    special: tuple[int, ...]
    value: Callable[[Execution, Model, int], list[tuple[Model, float]]]
    per: int
    ahead: int
    modulus: int
    sign: int
    turns: bool
    top: float
    reach: float
    second: float
    sections: tuple[Section, ...]
    second_functions: frozenset[str] = frozenset()

    def unit(self) -> arb:
        """What w is in units of, in radians."""
        return arb.pi() / 2 if self.turns else arb(1)

    def turns_of(self, exponent: int) -> arb:
        """What an integer m is multiplied by to be m 2^exponent in quarter turns."""
        return quarter_turns_of(exponent, modulo=self.turns)

    def section(self, size: float) -> int:
        """Which section floats of the binade of ``size`` are in."""
        return 1 if self.is_beside_zero(size) and len(self.sections) > 1 else 0

    def is_beside_zero(self, size: float) -> bool:
        """Whether the whole binade lies below 1/2, so that quarter turns next to it are -1, 0 and 1."""
        return size < 0.5

    def binades(self) -> Iterator[tuple[Any, float, float]]:
        """Binades of floats, each without the power of two at its end, both signs."""
        for low, high in dyadic(TINY, self.top):
            last = high - math.ldexp(low, 1 - FLOAT)
            yield "+", low, last
            yield "-", -last, -low


@dataclass(frozen=True)
class Reduction(OfFamily):
    """What the parts of w and N are for all floats of a binade, and how much is left."""

    family: Angles
    name: str = "reduction"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades."""
        return self.family.binades()

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Floats."""
        return floats_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given."""
        family, grid = self.family, grid_of_floats(cell.low, cell.high)
        x = cell.argument()
        section = family.sections[family.section(float(cell.low.abs_lower()))]

        def claims(run: Execution) -> list[tuple[Model, float]]:
            a, b, third = (run.real(Value(i)) for i in family.parts)
            if min(a.grid, b.grid) < section.grid:
                raise Unproven("what is left may be finer than was said")
            turns = cell.constant(-family.ahead)
            for count in family.counts:
                turns += run.whole(Value(count)).scaled(family.per)
            w = a.model + (b.model + third.model).scaled(family.sign)
            rest = (x.scaled(family.turns_of(grid) * arb(2) ** -grid) - turns).scaled(arb.pi() / 2)
            left = rest - w.scaled(family.unit())
            return [(left, section.off), (w, family.reach), (b.model, family.second), (third.model, section.third)]

        given = Real(x, grid, 0, FLOAT)
        return Setting({0: given, **dict.fromkeys(family.special, False)}, claims)


@cache
def quarter_turns_of(exponent: int, *, modulo: bool) -> arb:
    """2/pi 2^exponent, perhaps modulo 4: m 2^exponent is so many quarter turns times m, for integers m."""
    precision = ctx.prec
    ctx.prec = _BITS
    whole = 2 / arb.pi() * arb(2) ** exponent
    found = whole - 4 * (whole / 4).mid().floor() if modulo else whole
    ctx.prec = precision
    return found


@dataclass(frozen=True)
class Distance(OfFamily):
    """No float of a binade is so close to a multiple of a quarter turn that |w| is below what its section says."""

    family: Angles
    name: str = "distance"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades, one sign."""
        return (piece for piece in self.family.binades() if piece[0] == "+")

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Floats."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Nothing but the distance."""
        family, low = self.family, float(cell.low)
        section = family.sections[family.section(low)]
        wanted = section.least * family.unit() + section.off

        def claims(_: Execution) -> list[tuple[Model, float]]:
            return [(cell.constant(wanted), lower(self._least(low, float(cell.high)) * arb.pi() / 2))]

        return Setting({}, claims)

    def _least(self, low: float, high: float) -> arb:
        """How close floats of ``low`` .. ``high`` come to what is taken off, in quarter turns, at least.

        Where they are below 1/2, and N is even or odd as a whole: |x| 2/pi, or 1 less that.
        """
        if self.family.is_beside_zero(low):
            nearest_turns = 2 / arb.pi() * low
            return 1 - 2 / arb.pi() * high if self.family.ahead else nearest_turns
        return least_distance(self.family.turns_of(grid_of_floats(arb(low), arb(high))), 1 << FLOAT)


def least_distance(a: arb, most: int, known: int = _BITS) -> arb:
    """How far m a is from integers at least, for all integers 0 < m < ``most``; a is ``known`` to so many bits."""
    precision = ctx.prec
    ctx.prec = known
    before, here, rest, found = fmpz(0), fmpz(1), a - a.floor(), a - a.floor()
    while True:  # here a is rest from an integer
        quotient = (1 / rest).floor().unique_fmpz()
        if quotient is None:
            raise Unproven("2/pi is not known to enough bits")
        rest = 1 / rest - quotient
        following = quotient * here + before
        if following >= most:
            break
        before, here = here, following
    found = abs(a * here - (a * here).mid().floor())
    ctx.prec = precision
    return min(found, 1 - found)


@dataclass(frozen=True)
class At(OfFamily):
    """The kernel's value at w and N."""

    family: Angles
    name: str = "value"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades of w, in eighths, both signs, for each N and each section."""
        for n in range(self.family.modulus):
            for i, section in enumerate(self.family.sections):
                for low, high in dyadic(section.least, self.family.reach):
                    for j in range(8):
                        first, last = low + (high - low) * j / 8, low + (high - low) * (j + 1) / 8
                        yield (n, i), first, last
                        yield (n, i), -last, -first

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of w."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """N, w and what is beside it are given."""
        family, n, section = self.family, which[0], self.family.sections[which[1]]
        w, b, third = cell.argument(), cell.unknown(family.second), cell.unknown(section.third)
        a = w - (b + third).scaled(family.sign)
        parts = Real(a, section.grid), Real(b, section.grid), Real(third, -1074)
        given: dict[int, Any] = dict(zip(family.parts, parts, strict=True))
        given |= {family.total: Residue(n, family.modulus), **dict.fromkeys(family.special, False)}
        exact = w.scaled(family.unit()) + cell.unknown(section.off)
        return Setting(given, lambda run: family.value(run, exact, n))

    def statement(self, which: Any) -> EnclosedAngle:
        """The same as plain data."""
        family, n, section = self.family, which[0], self.family.sections[which[1]]
        return EnclosedAngle(
            parts=family.parts,
            sign=family.sign,
            second=family.second,
            third=section.third,
            grid=section.grid,
            off=section.off,
            turns=family.turns,
            residue=(family.total, n, family.modulus),
            false=family.special,
            claims=_CLAIMS[family.value](family.per * n),
        )


def _sine(run: Execution, angle: Model, n: int) -> list[tuple[Model, float]]:
    return [in_one(run, applied(SIN, angle).scaled(-1 if n & 1 else 1))]


def _tangent(run: Execution, angle: Model, n: int) -> list[tuple[Model, float]]:
    sine, cosine = applied(SIN, angle), applied(COS, angle)
    ideal = -cosine * applied(INVERSE, sine) if n & 1 else sine * applied(INVERSE, cosine)
    return [in_one(run, ideal)]


def _both(run: Execution, angle: Model, n: int) -> list[tuple[Model, float]]:
    values = applied(SIN, angle), applied(COS, angle), -applied(SIN, angle), -applied(COS, angle)
    return [in_one(run, values[n % 4]), in_one(run, values[(n + 1) % 4], first=2)]


def _half_turns(ahead: float) -> Callable[[Any], Any]:
    def parts(x: Any) -> Any:
        hi, mid, lo = quarter_turns(x)
        half, n = nearest(0.5 * hi + 0.5 * ahead)
        rest = hi - (half + half - ahead)
        more, extra = nearest(0.5 * (rest + mid))
        return rest - (more + more), mid, lo, n, extra, n + extra

    return parts


def _quarter_turns(x: Any) -> Any:
    hi, mid, lo = quarter_turns(x)
    whole, count = nearest(hi)
    rest = hi - whole
    more, extra = nearest(rest + mid)
    return rest - more, mid, lo, count, extra, count + extra


def _less_half_turns(ahead: float) -> Callable[[Any], Any]:
    def parts(x: Any) -> Any:
        whole, n = nearest(x * quick.HALF_TURNS_PER_RADIAN + 0.5 * ahead)
        return *_pieces(x, whole - 0.5 * ahead), n

    return parts


def _less_quarter_turns(x: Any) -> Any:
    whole, n = nearest(x * (2.0 * quick.HALF_TURNS_PER_RADIAN))
    return *_pieces(x, 0.5 * whole), n


def _pieces(x: Any, count: Any) -> Any:
    return x - count * quick.PI_1, count * quick.PI_2, count * quick.PI_3


def _special(x: Any) -> Any:
    return abs(x) < TINY, x == 0.0


_TURN = 1.0 + 2.0**-20  # quarter turns
_ANY = Section(2.0**-29.9, 2.0**-82, -80, 2.0**-30)
_SMALL = Section(2.0**-15, 2.0**-82, -94, 2.0**-57)
_BESIDE_ONE = Section(0.6, 2.0**-52, -94, 2.0**-57)
_ORDINARY = Section(2.0**-27.9, 2.0**-100, -70, 2.0**-49)
_BOOLS: tuple[Kind, ...] = ("bool", "bool")
# the value; N per integer, its offset, on what remainder of it the value depends; reach in quarter turns
_CLAIMED: dict[str, tuple[Any, ...]] = {
    "sin": (_sine, 2, 0, 2, 1.0),
    "cos": (_sine, 2, 1, 2, 1.0),
    "tan": (_tangent, 1, 0, 4, 0.5),
    "sincos": (_both, 1, 0, 4, 0.5),
}
NAMES = tuple(_CLAIMED)
# the same as plain data, by the quarter turns that are added
_CLAIMS: Mapping[Callable[..., Any], Callable[[int], tuple[tuple[Literal["sin", "tan"], int, int], ...]]] = {
    _sine: lambda n: (("sin", n, 0),),
    _tangent: lambda n: (("tan", n, 0),),
    _both: lambda n: (("sin", n, 0), ("sin", n + 1, 2)),
}


def _outputs(value: Callable[..., Any]) -> tuple[Kind, ...]:
    """What a kernel returns: each of its values, and the bound of it."""
    pair: tuple[Kind, Kind] = ("double", "double")
    return pair * len(_CLAIMS[value](0))


def _of_any(name: str) -> Angles:
    """The kernel for all floats: words of 2/pi."""
    value, per, ahead, modulus, reach = _CLAIMED[name]
    whole = traced(getattr(quick, name), ("double",), _outputs(value))
    parts = _half_turns(float(ahead)) if per == 2 else _quarter_turns
    a, b, third, *counts, total = whole.places(parts, *("double",) * 3, *("long",) * 3)
    special = tuple(whole.places(_special, *_BOOLS))
    return Angles(
        name=name,
        traced=whole,
        parts=(a, b, third),
        counts=tuple(counts),
        total=total,
        special=special,
        value=value,
        per=per,
        ahead=ahead,
        modulus=modulus,
        sign=1,
        turns=True,
        top=2.0**128,
        reach=reach * _TURN,
        second=0.25,
        sections=(_ANY, _BESIDE_ONE if ahead else _SMALL),
    )


def _of_ordinary(name: str) -> Angles:
    """The kernel below 2^20: pieces of pi."""
    value, per, ahead, modulus, reach = _CLAIMED[name]
    whole = traced(getattr(quick, f"ordinary_{name}"), ("double",), _outputs(value))
    parts = _less_half_turns(float(ahead)) if per == 2 else _less_quarter_turns
    a, b, third, n = whole.places(parts, *("double",) * 3, "long")
    special = tuple(whole.places(_special, *_BOOLS))
    return Angles(
        name=f"ordinary {name}",
        traced=whole,
        parts=(a, b, third),
        counts=(n,),
        total=n,
        special=special,
        value=value,
        per=per,
        ahead=ahead,
        modulus=modulus,
        sign=-1,
        turns=False,
        top=quick.ORDINARY,
        reach=reach * _TURN * math.pi / 2,
        second=2.0**-13,
        sections=(_ORDINARY,),
        second_functions=frozenset({f"ordinary_{name}"}),
    )


def quick_parts(name: str) -> Sequence[Reduction | Distance | At]:
    """The parts of the proof of one of quick's kernels."""
    found: list[Reduction | Distance | At] = []
    for family, below in ((_of_any(name), ""), (_of_ordinary(name), ", ordinary")):
        found += [Reduction(family, f"reduction{below}"), Distance(family, f"distance{below}")]
        found += [At(family, f"value{below}")]
    return found
