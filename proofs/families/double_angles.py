"""sin, cos, tan, sincos of double: how x is reduced to steps of pi/1024, and the value at what is left.

x = n pi/1024 + r + r_lo + d (mod 2 pi). The reductions, by words of 1024/pi and, below 2^14, by pieces of pi/1024, are
proven for all doubles of a binade at once, in two parts each: an integer n and an exact rest w, then r and r_lo for
every w. The value is proven once for both, for every n and r: with the smaller of their bounds of d, which is ``error``
in the kernel. The other reduction's d may be larger by as much as its ``error`` is, less a hundredth: sine and cosine
change by no more than their angle, and so does the tangent, times (1 + tan^2) (1 + 2^-30), for |d tan| < 2^-30.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, Protocol

from flint import arb, ctx

from clmath.ir.lanes import SIGN, bits, fast_two_sum, nearest, select, take
from clmath.ir.program import Constant, Value
from clmath.kernels.double import trigonometric as double
from clmath.kernels.double.angles import (
    FIRST_WORD,
    FRACTION,
    INTEGER_EXPONENT,
    ORDINARY,
    REDUCTION,
    REDUCTION_ORDINARY,
    STEP_1,
    STEP_2,
    STEP_3,
    STEP_4,
    STEPS_PER_RADIAN,
    TINY,
    TWO_TURNS,
    WORDS,
    angle,
    by_two_words,
    reduced,
    reduced_ordinary,
    significand,
)
from clmath.kernels.double.near_zero import SMALL
from clmath.kernels.double.trigonometric import QUARTER, both_at, sine_at, tangent_at
from proofs.engine.distances import least_distance
from proofs.engine.execution import Execution, Real, Residue, Span
from proofs.engine.ideals import INVERSE, applied
from proofs.engine.models import Cell, Model, Unproven, binades, dyadic, lower
from proofs.engine.proof import OfFamily, Setting, enclosed
from proofs.engine.traced import Traced, traced
from proofs.families.floats import DOUBLE, doubles_between, grid_of_doubles
from proofs.families.stated import nothing
from proofs.families.steps import both
from proofs.statements import EnclosedSine, Known

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from clmath.ir.program import Kind

__all__ = [
    "NAMES",
    "Angles",
    "Distance",
    "Significand",
    "double_parts",
    "encoded",
    "row_of",
    "significands",
    "steps_of",
]

TURN = 2 * double.HALF_TURN
BITS = 1400  # of 1024/pi, of which 1034 stand before the point of the largest double
LEAST = 2.0**-61  # no double from TINY on is closer to a multiple of pi/2
_STEP = math.pi / double.HALF_TURN
_TOP = 0.5 * (1.0 + 2.0**-20)  # steps
_ANGLE, _ROOM = 2.0**-75, 2.0**-124.5  # d is at most the one times r, and the other below 2^14
_REST = 2.0**-53, 2.0**-72  # r_lo is at most the one times r, and the other
# by words: s is what is added to f, both together are off by so many steps, and f is a multiple of 2^grid
_SMALLER, _OFF_STEPS, _GRID = 2.0**-40, 2.0**-92, -93
# by pieces: what is subtracted last, how far all is off, and of what the others are multiples
_THIRD, _FOURTH, _OFF, _GRID_NEAR, _GRID_THIRD = 2.0**-40.5, 2.0**-72.1, 1.2 * 2.0**-126, -62, -115
_ONE_STEP = 2.0**-10  # less is no step


@dataclass(frozen=True)
class Angles:
    """A kernel, or its way for ordinary arguments.

    The values ``found`` are what ``at`` gives for r, r_lo, n + ``ahead`` and ``error``; ``results``: the outputs that
    they are; ``values``: functions of f and n that three of them each enclose, with ``functions`` their names.
    ``rest``: where r and r_lo stand; ``n``: where n does, ``total``: n + ``ahead``. ``parts``: f and s, or near, third
    and fourth; ``taken``: whole turns that are taken off; ``significand``: the encodings of x and m, the row, and m;
    ``special``: conditions of special arguments.
    """

    name: str
    traced: Traced
    at: Traced
    found: tuple[int, ...]
    results: tuple[int, ...]
    values: tuple[Callable[[Model, int], Model], ...]
    functions: tuple[Literal["sin", "cos", "tan"], ...]
    rest: tuple[int, int]
    n: int
    total: int
    parts: tuple[int, ...]
    taken: tuple[int, ...]
    significand: tuple[int, ...]
    special: tuple[int, ...]
    ahead: int
    second_functions: frozenset[str]

    def passes(self, run: Execution, given: dict[int, Model]) -> None:
        """Unproven where the kernel does not return what ``at`` gives, or has an exponent."""
        if not self._is_total():
            raise Unproven("the value is of other steps")
        for number, place in zip(self.found, self.results, strict=True):
            left = run.real_output(place).model - given[number]
            if left.p.length() or left.terms or not left.rest.is_zero():
                raise Unproven(f"the output {place} is another")
        if any(run.output(place) != 0 for place in range(3, len(run.program.outputs), 4)):
            raise Unproven("there is an exponent")

    def _is_total(self) -> bool:
        if not self.ahead:
            return self.total == self.n
        _, operation, operands = self.traced.program.statements[self.total - len(self.traced.program.inputs)]
        return (operation, operands) == ("long.add", (Value(self.n), Constant("long", self.ahead)))

    def given(self, cell: Cell) -> tuple[dict[int, Any], dict[int, Model]]:
        """What is given of special arguments, and of what ``at`` finds: any numbers; and these."""
        found = {number: cell.unknown(1) for number in self.found}
        reals = {number: Real(model, -1074) for number, model in found.items()}
        return {**dict.fromkeys(self.special, False), **reals}, found


class OfSignificand(Protocol):
    """A kernel that takes an argument by its significand."""

    @property
    def traced(self) -> Traced:
        """The kernel."""

    @property
    def significand(self) -> tuple[int, ...]:
        """Where it has the encodings of x and m, the row, and m."""


@cache
def steps_of(exponent: int, near: float = 0.5 * TURN) -> arb:
    """1024/pi 2^exponent, less the multiple of 2048 that brings it next to ``near``."""
    precision = ctx.prec
    ctx.prec = BITS
    whole = double.HALF_TURN / arb.pi() * arb(2) ** exponent
    found = whole - TURN * ((whole - near) / TURN + 0.5).mid().floor()
    ctx.prec = precision
    return found


@dataclass(frozen=True)
class Significand(OfFamily):
    """The integer m = 2^52 .. 2^53 with the sign of x, and its row, for every exponent e: x = m 2^(e - 52).

    The encoding of x is the exponent's place, or -2^63 and that, plus any integer below 2^52, and that of m the same
    with the exponent of 2^52.
    """

    family: OfSignificand
    name: str = "significand"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Every exponent, both signs."""
        for exponent in exponents():
            yield (exponent, 0), 0.0, 0.0
            yield (exponent, 1), 0.0, 0.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Nothing but integers."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The encoding is given."""
        exponent, is_negative = which
        sign = -(1 << 63) if is_negative else 0
        encoding, of_m, row = self.family.significand[:3]

        def claims(run: Execution) -> list[tuple[Model, float]]:
            found = run.value(Value(of_m)), run.value(Value(row))
            if found != (Span(sign + (INTEGER_EXPONENT << 52), 1 << 52), row_of(exponent)):
                raise Unproven(f"the significand and the row are {found}")
            return [nothing(cell)]

        return Setting({encoding: Span(sign + (exponent + 1023 << 52), 1 << 52)}, claims)


def exponents() -> range:
    """Those of doubles from TINY on."""
    return range(math.frexp(TINY)[1] - 1, 1024)


def row_of(exponent: int) -> int:
    """The row of the first word."""
    return exponent - 52 - FIRST_WORD


def significands() -> Iterator[tuple[Any, float, float]]:
    """Every exponent with all integers m, both signs."""
    for exponent in exponents():
        for _, low, high in binades(2.0**52, 2.0**53):
            yield exponent, low, high


@dataclass(frozen=True)
class ByWords(OfFamily):
    """m 2^(e - 52) 1024/pi is n + f + s (mod 2048), to ``_OFF_STEPS``, for every m."""

    family: Angles
    name: str = "reduction"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Every exponent, both signs."""
        return significands()

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Values of m."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The integer m and its row are given."""
        family, m = self.family, cell.argument()
        *_, row, value = family.significand
        word = float(WORDS[row_of(which)])
        given, found = family.given(cell)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            f, s = (run.real(Value(number)) for number in family.parts)
            taken = run.real(Value(family.taken[0]))
            if f.grid < _GRID or taken.grid < math.frexp(TURN)[1] - 1:
                raise Unproven("what is left, or taken off, may be finer than was said")
            left = m.scaled(steps_of(which - 52, word)) - taken.model - run.whole(Value(family.n)) - f.model - s.model
            family.passes(run, found)
            return [(left, _OFF_STEPS), (f.model + s.model, _TOP), (s.model, _SMALLER)]

        return Setting({**given, value: Real(m, 0), row: row_of(which)}, claims)


@dataclass(frozen=True)
class Turned(OfFamily):
    """r + r_lo is w pi/1024, w = f + s, to 2^-75 of it and what REDUCTION has room for besides."""

    family: Angles
    name: str = "angle"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades of w, both signs, and what is next to 0."""
        yield 0, -(2.0**-44), 2.0**-44
        for low, high in dyadic(2.0**-44, _TOP):
            yield 0, low, high
            yield 0, -high, -low

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of w, in steps."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """What is given: f and s."""
        family, w, s = self.family, cell.argument(), cell.unknown(_SMALLER)
        given = dict(zip(family.parts, (Real(w - s, _GRID), Real(s, -1074)), strict=True))
        room = 0.99 * REDUCTION - _OFF_STEPS * _STEP

        def claims(run: Execution) -> list[tuple[Model, float]]:
            return [nothing(cell), *_off(run, family, w.scaled(arb.pi() / double.HALF_TURN), room)]

        return Setting(given, claims)


def _off(run: Execution, family: Angles, exact: Model, room: float) -> list[tuple[Model, float]]:
    """That r + r_lo is ``exact``, and r_lo small."""
    r, r_lo = (run.real(Value(number)).model for number in family.rest)
    least = lower(exact.range()) * (1.0 - 2.0**-20)
    return [(r + r_lo - exact, _ANGLE * least + room), (r_lo, _REST[0] * least + _REST[1])]


@dataclass(frozen=True)
class ByPieces(OfFamily):
    """x is n pi/1024 + near - third - fourth, to ``_OFF``, for all doubles of a binade."""

    family: Angles
    name: str = "reduction, ordinary"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades, each without the power of two at its end, both signs; what is less than a step by itself."""
        yield from binades(TINY, ORDINARY)

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Doubles."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given."""
        family, x = self.family, cell.argument()
        is_small = float(min(cell.low.abs_lower(), cell.high.abs_lower())) < _ONE_STEP
        given, found = family.given(cell)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            near, third, fourth = (run.real(Value(number)) for number in family.parts)
            n = run.whole(Value(family.n))
            family.passes(run, found)
            left = x - n.scaled(arb.pi() / double.HALF_TURN) - near.model + third.model + fourth.model
            if is_small:  # near is x, and all else zero
                return [(left, 0.0), (near.model - x, 0.0), (third.model, 0.0), (fourth.model, 0.0), (n, 0.0)]
            if near.grid < _GRID_NEAR or third.grid < _GRID_THIRD:
                raise Unproven("what is left may be finer than was said")
            w = near.model - third.model - fourth.model
            return [(left, _OFF), (w, _TOP * _STEP), (third.model, _THIRD), (fourth.model, _FOURTH)]

        return Setting({**given, 0: Real(x, grid_of_doubles(cell.low, cell.high))}, claims)


@dataclass(frozen=True)
class Rest(OfFamily):
    """r + r_lo is w = near - third - fourth, to what REDUCTION_ORDINARY has room for besides."""

    family: Angles
    name: str = "angle, ordinary"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades of w, both signs, and what is next to 0; small arguments, which are w."""
        yield "steps", -(2.0**-61), 2.0**-61
        for low, high in dyadic(2.0**-61, _TOP * _STEP):
            yield "steps", low, high
            yield "steps", -high, -low
        for low, high in dyadic(TINY, _ONE_STEP):
            yield "small", low, high
            yield "small", -high, -low

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of w."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Near, third and fourth are given."""
        family, w = self.family, cell.argument()
        third, fourth = (cell.unknown(bound) for bound in (_THIRD, _FOURTH))
        given: dict[int, Any] = dict(
            zip(
                family.parts,
                (Real(w + third + fourth, _GRID_NEAR), Real(third, _GRID_THIRD), Real(fourth, -1074)),
                strict=True,
            )
        )
        if which == "small":
            zero = Real(cell.constant(0), 2000, 0, 0)
            given = dict(zip(family.parts, (Real(w, grid_of_doubles(cell.low, cell.high)), zero, zero), strict=True))
        room = _ROOM - _OFF

        def claims(run: Execution) -> list[tuple[Model, float]]:
            return [nothing(cell), *_off(run, family, w, room)]

        return Setting(given, claims)


@dataclass(frozen=True)
class Distance(OfFamily):
    """No double of a binade, from TINY on, is closer to a multiple of pi/2 than ``LEAST``."""

    family: OfSignificand
    name: str = "distance"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Every exponent."""
        for exponent in exponents():
            yield exponent, 0.0, 0.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Nothing but an exponent."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Nothing but the distance; the next multiple is 0 below 1/2."""

        def claims(_: Execution) -> list[tuple[Model, float]]:
            if which < -1:
                return [(cell.constant(LEAST), math.ldexp(1.0, which))]
            turns = least_distance(quarter_turns_of(which - 52), 1 << DOUBLE, BITS)
            return [(cell.constant(LEAST), lower(turns * arb.pi() / 2))]

        return Setting({}, claims)


@cache
def quarter_turns_of(exponent: int) -> arb:
    """2/pi 2^exponent modulo 4."""
    precision = ctx.prec
    ctx.prec = BITS
    found = steps_of(exponent) / QUARTER
    ctx.prec = precision
    return found


@dataclass(frozen=True)
class At:
    """The value at w + d and n, w = r + r_lo: d is 2^-75 of w, and ``_ROOM`` besides."""

    family: Angles
    name: str = "value"

    @property
    def traced(self) -> Traced:
        """The function of r, r_lo, n and ``error``."""
        return self.family.at

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Each number of steps with all w; binades of w at multiples of a quarter turn, where none is small."""
        top = _TOP * _STEP * (1.0 + 2.0**-20)
        ends = (*(i / 16 * _STEP for i in (1, 2, 4, 6)), top)
        for n in range(TURN):
            if n % QUARTER:
                yield n, -ends[0], ends[0]
            for low, high in pairwise(ends) if n % QUARTER else dyadic(LEAST * (1.0 - 2.0**-9), top):
                yield n, low, high
                yield n, -high, -low

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of r + r_lo."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """What is given: r, r_lo and n."""
        family, w = self.family, cell.argument()
        most = float(max(cell.low.abs_upper(), cell.high.abs_upper()))
        reach = _REST[0] * most + _REST[1]
        r_lo, off = cell.unknown(reach), cell.unknown(_ANGLE * most + _ROOM)
        cell.paired |= set(r_lo.terms)
        error = Real(cell.constant(REDUCTION_ORDINARY), math.frexp(REDUCTION_ORDINARY)[1] - 1, 0, 1)
        given = {0: Real(w - r_lo, _grid(cell, reach)), 1: Real(r_lo, -1074), 2: Residue(which, TURN), 3: error}
        f = (w + off).scaled(double.HALF_TURN / arb.pi())

        def claims(run: Execution) -> list[tuple[Model, float]]:
            return [
                enclosed(run, value(f, which), (3 * i, 3 * i + 1), 3 * i + 2) for i, value in enumerate(family.values)
            ]

        return Setting(given, claims)

    def statement(self, which: Any, low: float, high: float) -> EnclosedSine:
        """The same as plain data, for r between the two."""
        most = max(abs(low), abs(high))
        least = 0.0 if low < 0.0 < high else min(abs(low), abs(high))
        grid = grid_of_doubles(arb(least), arb(least)) if least else -1074
        bounded = ((1, _REST[0] * most + _REST[1]),)
        known = Known(0, grid, bounded, ((2, which, TURN),), exactly=((3, REDUCTION_ORDINARY),))
        return EnclosedSine(known, self.family.functions, is_angle=True, off=_ANGLE * most + _ROOM)


def _grid(cell: Cell, reach: float) -> int:
    """Of what power of two all doubles are multiples that are within ``reach`` of the cell."""
    least = arb(float(min(cell.low.abs_lower(), cell.high.abs_lower()))) - reach
    return -1074 if cell.low < 0 and cell.high > 0 else grid_of_doubles(least, least)


def _sine(f: Model, n: int) -> Model:
    return both(f, n)[0]


def _cosine(f: Model, n: int) -> Model:
    return both(f, n)[1]


def _tangent(f: Model, n: int) -> Model:
    sine, cosine = both(f, n)
    return sine * applied(INVERSE, cosine)


def encoded(x: Any, *_: Any) -> Any:
    """The encodings of x and of its significand, and the row."""
    encoding = bits(x)
    of_m = (encoding & (SIGN | FRACTION)) | (INTEGER_EXPONENT << 52)
    row = ((encoding >> 52) & 0x7FF) - (INTEGER_EXPONENT + FIRST_WORD)
    return encoding, of_m, row


def _by_words(x: Any) -> Any:
    (f, f_1, f_2), scaled, last, n = by_two_words(x)
    s = f_1 + (f_2 + scaled * take(WORDS, last))
    r, r_lo = angle(*fast_two_sum(f, s))
    return f, s, r, r_lo, n


def _taken(x: Any) -> Any:
    m, row = significand(x)
    p = m * take(WORDS, row)
    return m, (p + TWO_TURNS) - TWO_TURNS


def _by_pieces(x: Any) -> Any:
    kept = select(abs(x) < TINY, 0.0, x)
    step, n = nearest(kept * STEPS_PER_RADIAN)
    near = (kept - step * STEP_1) - step * STEP_2
    third, fourth = step * STEP_3, step * STEP_4
    r = near - third
    return near, third, fourth, r, ((near - r) - third) - fourth, n


def _special(x: Any) -> Any:
    return abs(x) < TINY, abs(x) < SMALL


def _special_to_cosine(x: Any) -> Any:
    return (abs(x) < TINY,)


def _both_at(r: Any, r_lo: Any, n: Any, error: Any) -> Any:
    sine, cosine = both_at(r, r_lo, n, error)
    return *sine, *cosine


def _sin(x: Any) -> Any:
    r, r_lo, n, error = reduced(x)
    return *sine_at(r, r_lo, n, error), n


def _ordinary_sin(x: Any) -> Any:
    r, r_lo, n, error = reduced_ordinary(x)
    return *sine_at(r, r_lo, n, error), n


def _cos(x: Any) -> Any:
    r, r_lo, n, error = reduced(x)
    return *sine_at(r, r_lo, n + QUARTER, error), n + QUARTER


def _ordinary_cos(x: Any) -> Any:
    r, r_lo, n, error = reduced_ordinary(x)
    return *sine_at(r, r_lo, n + QUARTER, error), n + QUARTER


def _tan(x: Any) -> Any:
    r, r_lo, n, error = reduced(x)
    return *tangent_at(r, r_lo, n, error), n


def _ordinary_tan(x: Any) -> Any:
    r, r_lo, n, error = reduced_ordinary(x)
    return *tangent_at(r, r_lo, n, error), n


def _sincos(x: Any) -> Any:
    r, r_lo, n, error = reduced(x)
    return *_both_at(r, r_lo, n, error), n


def _ordinary_sincos(x: Any) -> Any:
    r, r_lo, n, error = reduced_ordinary(x)
    return *_both_at(r, r_lo, n, error), n


# the values, their names, what finds them, for how many steps ahead, and what stands in the traces; special arguments
_CLAIMED: dict[str, tuple[Any, ...]] = {
    "sin": ((_sine,), ("sin",), sine_at, 0, (_sin, _ordinary_sin), (_special, 2)),
    "cos": ((_sine,), ("sin",), sine_at, QUARTER, (_cos, _ordinary_cos), (_special_to_cosine, 1)),
    "tan": ((_tangent,), ("tan",), tangent_at, 0, (_tan, _ordinary_tan), (_special, 2)),
    "sincos": ((_sine, _cosine), ("sin", "cos"), _both_at, 0, (_sincos, _ordinary_sincos), (_special, 2)),
}
NAMES = tuple(_CLAIMED)
_DOUBLES: tuple[Kind, ...] = ("double",) * 6
_BOOLS: tuple[Kind, ...] = ("bool",) * 2


def _family(name: str, *, ordinary: bool) -> Angles:
    values, functions, at, ahead, found, conditions = _CLAIMED[name]
    count = 3 * len(values)
    whole = traced(
        getattr(double, f"ordinary_{name}" if ordinary else name),
        ("double",),
        ("double", "double", "double", "long") * len(values),
    )
    *results, total = whole.places(found[ordinary], *_DOUBLES[:count], "long")
    *parts, r, r_lo, n = whole.places(_by_pieces if ordinary else _by_words, *_DOUBLES[: 5 if ordinary else 4], "long")
    m, *taken = (0,) if ordinary else whole.places(_taken, "double", "double")
    special, how_many = (_special_to_cosine, 1) if ordinary else conditions
    return Angles(
        name=name,
        traced=whole,
        at=traced(at, ("double", "double", "long", "double"), _DOUBLES[:count]),
        found=tuple(results),
        results=tuple(4 * (i // 3) + i % 3 for i in range(count)),
        values=values,
        functions=functions,
        rest=(r, r_lo),
        n=n,
        total=total,
        parts=tuple(parts),
        taken=tuple(taken),
        significand=() if ordinary else (*whole.places(encoded, "long", "long", "long"), m),
        special=tuple(whole.places(special, *_BOOLS[:how_many])),
        ahead=ahead,
        second_functions=frozenset({f"ordinary_{name}"} if ordinary else ()),
    )


def double_parts(name: str) -> Sequence[Any]:
    """The parts of the proof of one of double's kernels."""
    whole, below = _family(name, ordinary=False), _family(name, ordinary=True)
    first = Significand(whole), ByWords(whole), Turned(whole), Distance(whole)
    return *first, ByPieces(below), Rest(below), At(whole)
