"""Fine's erf and erfc: the series and the fraction step by step, the power as double's, and then what these give.

A step of the series, or of the fraction, is proven with what the steps before it were seen to give: the exact value
but for a bound, as a pair whose second part is bounded. So no error is kept apart for longer than it may cancel.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import clamp, lane, polynomial, select, sqrt, two_product, two_to
from clmath.ir.program import Value
from clmath.kernels.double import error_function as double
from clmath.kernels.double import near_zero as scaling
from clmath.kernels.double.exponential import reduced
from clmath.kernels.double.pairs import over_pair, plus, plus_pair, times_pair
from clmath.kernels.fine import error_function as fine
from clmath.kernels.fine.exponential import scaled_exp
from proofs.engine.execution import Execution, Power, Real
from proofs.engine.ideals import ERF, EXP, INVERSE, SQRT, applied
from proofs.engine.models import Cell, Model, Unproven, dyadic, lower, upper
from proofs.engine.proof import OfFamily, Setting, enclosed
from proofs.families import error_function as wide
from proofs.families import narrowed
from proofs.families.error_function import Powers, Square, Underflow, scaled_tail
from proofs.families.floats import grid_of_doubles
from proofs.families.stated import nothing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clmath.ir.program import Kind
    from proofs.engine.traced import Traced

__all__ = ["NAMES", "fine_parts"]

_LEAST = 2.0**-1074
_REDUCED = 2.0**-107  # how far what is left of a square is from it
_RESTS = -0.00136, 0.00136  # what is left lies between these
_POWER_OFF = 2.0**-103  # of e^-(x^2), of its size
_LOWER = 2.0**-52.9  # of the lower part of that, of its size
_ENDS = 0.998, 2.003  # of that without its power of two
_PIECES = 16  # of these
_SHORT = 192  # pieces of a binade of the fraction
_FIRST_BEYOND = fine.ROOT * fine.ROOT * (1.0 - 2.0**-50)  # squares beyond ROOT are no less
_LEAST_K = -58  # the least power of two in e^-(x^2) for |x| below where erf rounds like 1
_MOST_K = -17  # the greatest one where |x| is beyond ROOT
_FRACTION_OFF = 2.0**-99.7  # of the fraction, of its size
_LOWER_OF_FRACTION = 2.0**-52  # of its lower part
_FRACTIONS = 3.4, 27.6  # what it lies between
_STEP_OF_SQUARES = 0.8  # between cells of the fraction
_TERMS = 24  # of series of exact functions
_MOST_APART = 1000  # exponents further apart are not those of one value


@dataclass(frozen=True)
class Decay:
    """Where e^-(x^2) stands: x^2, a pair; what is left of it, a pair; n, j and k; the power of e without 2^k, a pair.

    ``scaled``: the pair with 2^k, where that is computed.
    """

    traced: Traced
    square: tuple[int, int]
    rest: tuple[int, int]
    n: int
    j: int
    k: int
    power: tuple[int, int]
    scaled: tuple[int, int]


@dataclass(frozen=True)
class Kernel:
    """Erf or erfc. ``near``, ``beyond``: what is computed for |x| up to ``fine.ROOT``, and beyond.

    Conditions: ``far``, that |x| is beyond; ``usable``, that x^2 is at most 12; ``moved``, that |x| is moved to the
    lower or the upper end of where the fraction is; ``negative``, that x is; ``tiny``, that |x| is too small for x^2.
    ``size``: |x|. ``tail``: the terms of the series that are summed as doubles; ``steps``: the pairs from there on.
    ``levels`` and ``pairs``: of the fraction, as doubles and as pairs.
    """

    traced: Traced
    is_erf: bool
    own: narrowed.Own
    near: Decay
    beyond: Decay
    far: int
    usable: int
    moved: tuple[int, int]
    negative: int
    tiny: int
    size: int
    tail: int
    steps: tuple[tuple[int, int], ...]
    levels: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]

    def given(self, far: bool) -> dict[int, Any]:
        """That |x| is beyond or not; and that the kernel's own enclosure is taken."""
        return {self.far: far, self.usable: not far, **dict.fromkeys(self.moved, False), self.own.taken: True}


# up to 12: the series


@dataclass(frozen=True)
class Series(OfFamily):
    """The kernel's value for |x| <= ROOT, with e^-(x^2) as it is proven to be."""

    family: Kernel
    name: str = "series"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binade by binade, and shorter ones from 1 on; of erfc what is not decided."""
        if self.family.is_erf:
            for low, high in dyadic(_LEAST, double.TINY):
                yield "tiny", low, math.nextafter(high, 0.0)
        for low, high in dyadic(double.TINY, 0.125):
            yield "small", low, high
        ends = [0.125, *(i / 16 for i in range(3, 56)), fine.ROOT]
        for low, high in pairwise(ends):
            yield "small", low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Sizes of arguments."""
        return Cell(low, high, (0, 0) if self.family.is_erf else (0, _MOST_APART))

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given, and the power of e."""
        family, a = self.family, cell.argument()
        z = a * a
        decay = applied(EXP, -z, _TERMS)
        given: dict[int, Any] = {0: Real(a, grid_of_doubles(cell.low, cell.high)), **family.given(far=False)}
        given[family.tiny] = which == "tiny"
        if which != "tiny":
            given |= _power(decay, family.near.scaled)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            return self._claims(run, z.scaled(0 if which == "tiny" else 1))

        return Setting({**given, **_scale(family, cell)}, claims, divides=False)

    def _claims(self, run: Execution, z: Model) -> list[tuple[Model, float]]:
        """For the argument and its negative, of which the series is the same."""
        family, opposite = self.family, run.mirrored()
        squares = [narrowed.relaxed(each, family.near.square, z) for each in (run, opposite)]
        ends = [upper(each.real(Value(family.near.square[1])).model.range()) for each, _ in squares]
        run = _series(squares[ends[1] > ends[0]][0], family, z)
        opposite = opposite.where({n: run.value(Value(n)) for n in family.steps[-1]})
        found = [(off, 0.0) for _, off in squares]
        whole = applied(ERF, run.cell.argument(), _TERMS)
        return [*self._claim(run, whole), *self._claim(opposite, -whole), *found]

    def _claim(self, run: Execution, erf: Model) -> list[tuple[Model, float]]:
        """That the kernel's value is as near as it says, its exponent being known."""
        family, exponent = self.family, run.value(self.family.own.exponent)
        if exponent not in ({0, scaling.DOWN} if family.is_erf else {0}):
            raise Unproven("the exponent is another")
        if family.is_erf:
            assert isinstance(exponent, int)
            return [enclosed(run, erf.scaled(arb(2) ** -exponent), (0, 1), 2)]
        return [enclosed(run, run.cell.constant(1) - erf, (0, 1), 2, power=1)]


def _series(run: Execution, family: Kernel, z: Model) -> Execution:
    """The execution with what the series gives in the end, step by step."""
    cell = run.cell
    exact = cell.constant(fine.TAIL[-1])
    for coefficient in fine.TAIL[-2::-1]:
        exact = exact * z + cell.constant(coefficient)
    run, _ = narrowed.relaxed(run, (family.tail,), exact)
    for pair, (hi, lo) in zip(family.steps, fine.SERIES[fine.PAIRS - 1 :: -1], strict=True):
        exact = exact * z + cell.constant(arb(hi) + arb(lo))
        run, _ = narrowed.relaxed(run, pair, exact)
    return run


def _power(ideal: Model, parts: tuple[int, int]) -> dict[int, Any]:
    """A pair that is ``ideal`` but for as much as ``Powers`` says; doubles that are no finer than 2^-200."""
    cell, size = ideal.cell, upper(ideal.range())
    off, low = cell.unknown(size * _POWER_OFF), cell.unknown(size * _LOWER)
    cell.paired |= set(low.terms)
    return {parts[0]: Real(ideal + off - low, -200), parts[1]: Real(low, -400)}


def _scale(family: Kernel, cell: Cell) -> dict[int, Any]:
    """What brings erf's exponent to the double kernel's: nothing; erfc's: a power of two that is no less than 1."""
    return family.own.given() if family.is_erf else {family.own.scale: Real(cell.constant(1), 0, 1, 1)}


# beyond: the fraction


@dataclass(frozen=True)
class Fraction(OfFamily):
    """The fraction as a pair is e^-(a^2) / (sqrt(pi) erfc a), but for ``_FRACTION_OFF`` of it, for |x| = a > ROOT."""

    family: Kernel
    name: str = "fraction"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Shorter ones where e^(a^2) is steeper; TOP itself is what all that is larger is moved to."""
        first, last = fine.ROOT * fine.ROOT, double.TOP * double.TOP
        count = math.ceil((last - first) / _STEP_OF_SQUARES)
        ends = [math.sqrt(first + (last - first) * i / count) for i in range(1, count)]
        ends = [fine.ROOT, *ends, double.TOP]
        for low, high in pairwise(ends):
            yield 1, low, high
        yield 1, double.TOP, double.TOP

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Sizes of arguments."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given."""
        family, a = self.family, cell.argument()
        ideal = applied(INVERSE, scaled_tail(a), _TERMS).scaled(1 / arb.pi().sqrt())
        between = cell.constant(sum(_FRACTIONS) / 2), (_FRACTIONS[1] - _FRACTIONS[0]) / 2

        def claims(run: Execution) -> list[tuple[Model, float]]:
            run, size = _fraction(run, family, a), Value(family.size)
            hi, lo = (run.real(Value(number)).model for number in family.pairs[-1])
            if run.mirrored().value(size) is not run.value(size):
                raise Unproven("the fraction of -a is another")
            return [
                nothing(cell),
                (hi + lo - ideal, _FRACTION_OFF * lower(ideal.range())),
                (lo, _LOWER_OF_FRACTION * lower(hi.range())),
                (hi - between[0], between[1]),
            ]

        return Setting(
            {0: Real(a, grid_of_doubles(cell.low, cell.high)), **family.given(far=True)}, claims, divides=False
        )


def _fraction(run: Execution, family: Kernel, a: Model) -> Execution:
    """The execution with what the fraction gives in the end, level by level."""
    half = a.scaled(arb(1) / 2)
    exact = half + applied(SQRT, half * half + a.cell.constant(arb(fine.LEVELS + 1) / 2), _TERMS)
    run, _ = narrowed.relaxed(run, family.levels[:1], exact)
    places = [*((level,) for level in family.levels[1:]), *family.pairs]
    for n, parts in zip(range(fine.LEVELS, 0, -1), places, strict=True):
        exact = a + applied(INVERSE, exact, _TERMS).scaled(arb(n) / 2)
        run, _ = narrowed.relaxed(run, parts, exact)
    return run


# the power of e, and what is left


@dataclass(frozen=True)
class Scaling(OfFamily):
    """The power of e as a pair times 2^k, for every k up to where erf rounds like 1: nothing is rounded."""

    family: Decay
    name: str

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """All that the power may be, with every k."""
        for k in range(_LEAST_K, 1):
            yield k, *_ENDS

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of the power."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The power and k are given."""
        family, low = self.family, cell.unknown(_LOWER * _ENDS[1])
        parts = Real(cell.argument(), -53), Real(low, -400)
        given: dict[int, Any] = dict(zip(family.power, parts, strict=True))

        def claims(run: Execution) -> list[tuple[Model, float]]:
            found = [run.real(Value(number)).model for number in family.scaled]
            away = [product - part.model.scaled(arb(2) ** which) for product, part in zip(found, parts, strict=True)]
            return [nothing(cell), *((one, 0.0) for one in away)]

        return Setting({**given, family.k: which}, claims)


@dataclass(frozen=True)
class Quotients(OfFamily):
    """The kernel's value for any fraction, any power and any k: their quotient, and what that leaves of 1, or of 2."""

    family: Kernel
    name: str = "quotients"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Pieces of the fraction, for erfc of positive x with pieces of the power, else with every k."""
        least, greatest = _ENDS
        ends = [least + (greatest - least) * i / _PIECES for i in range(_PIECES + 1)]
        ranges: list[tuple[int, int | None, float, float]] = []
        if not self.family.is_erf:
            ranges += [(1, None, *piece) for piece in pairwise(ends)]
        for sign in (1, -1) if self.family.is_erf else (-1,):
            ranges += [(sign, k, *_ENDS) for k in range(_LEAST_K, _MOST_K + 1)]
        for which in ranges:
            for low, high in dyadic(*_FRACTIONS):
                count = _SHORT if which[1] is None else 4
                for i in range(count):
                    yield which, low + (high - low) * i / count, low + (high - low) * (i + 1) / count

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of the fraction, its first part."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The fraction, the power and k are given."""
        family, (sign, k, *ends) = self.family, which
        top = float(cell.high.upper())
        fraction, low = cell.argument(), cell.unknown(_LOWER_OF_FRACTION * top)
        power = cell.constant((arb(ends[0]) + ends[1]) / 2) + cell.unknown((arb(ends[1]) - ends[0]) / 2)
        power_low = cell.unknown(_LOWER * ends[1])
        cell.paired |= set().union(*(model.terms for model in (low, power, power_low)))
        # what is told of their errors is told of the exact values, which are no larger than this
        exact = power + power_low + cell.unknown(_POWER_OFF * (1.0 + 2.0**-20) * ends[1])
        under = fraction + low + cell.unknown(_FRACTION_OFF * (1.0 + 2.0**-20) * top)
        quotient = exact * applied(INVERSE, under, _TERMS)
        given = {
            **family.given(far=True),
            **family.own.given(),
            family.pairs[-1][0]: Real(fraction, grid_of_doubles(cell.low, cell.high)),
            family.pairs[-1][1]: Real(low, -400),
            family.beyond.power[0]: Real(power, -53),
            family.beyond.power[1]: Real(power_low, -400),
            family.beyond.k: Power() if k is None else k,
            family.negative: sign < 0,
        }

        def claims(run: Execution) -> list[tuple[Model, float]]:
            if run.value(family.own.exponent) != (Power() if k is None else 0):
                raise Unproven("the exponent is another")
            ideal = quotient.scaled(1 / arb.pi().sqrt())
            if k is not None:
                ideal = cell.constant(1 if family.is_erf else 2) - ideal.scaled(arb(2) ** k)
            return [enclosed(run, ideal.scaled(sign if family.is_erf else 1), (0, 1), 2)]

        return Setting(given, claims, divides=False)


# where these stand in the traces

_DOUBLES: tuple[Kind, ...] = ("double",) * 128
_OF_DECAY: tuple[Kind, ...] = (*_DOUBLES[:4], "long", "long", "long", *_DOUBLES[:4])


@lane
def _near_square(x: Any) -> Any:
    kept = select(x * x <= fine.LARGEST_SQUARE, x, 1.0)
    tame = select(abs(kept) < double.TINY, 0.0, kept)
    return two_product(tame, tame)


@lane
def _moved(x: Any) -> Any:
    return clamp(abs(x), fine.ROOT, double.TOP)


@lane
def _decay(z: Any, z_lo: Any) -> Any:
    r, r_lo, n = reduced(-z)
    r, r_lo = plus_pair(-z_lo, 0.0, r, r_lo)
    return z, z_lo, r, r_lo, n, n & 255, n >> 8, *scaled_exp(r, r_lo, n & 255)


def _near(x: Any, *_: Any) -> Any:
    found = _decay(*_near_square(x))
    scale = two_to(found[6])
    return *found, found[7] * scale, found[8] * scale


def _beyond(x: Any, *_: Any) -> Any:
    a = _moved(x)
    return _decay(*two_product(a, a))


def _steps(x: Any, *_: Any) -> Any:
    z, z_lo = _near_square(x)
    hi, lo = polynomial(z, fine.TAIL), 0.0
    found = [hi]
    for c_hi, c_lo in fine.SERIES[fine.PAIRS - 1 :: -1]:
        hi, lo = times_pair(hi, lo, z, z_lo)
        hi, lo = plus_pair(c_hi, c_lo, hi, lo)
        found += [hi, lo]
    return tuple(found)


def _levels(x: Any, *_: Any) -> Any:
    a = _moved(x)
    level = 0.5 * a + sqrt(0.25 * a * a + 0.5 * (fine.LEVELS + 1))
    found = [abs(x), level]
    for n in range(fine.LEVELS, fine.LEVELS_IN_PAIRS, -1):
        level = a + 0.5 * n / level
        found.append(level)
    hi, lo = level, 0.0
    for n in range(fine.LEVELS_IN_PAIRS, 0, -1):
        hi, lo = over_pair(0.5 * n, 0.0, hi, lo)
        hi, lo = plus(hi, lo, a)
        found += [hi, lo]
    return tuple(found)


def _conditions(x: Any, *_: Any) -> Any:
    a = abs(x)
    usable = x * x <= fine.LARGEST_SQUARE
    tiny = abs(select(usable, x, 1.0)) < double.TINY
    return a > fine.ROOT, usable, a < fine.ROOT, a > double.TOP, x < 0.0, tiny


def _decay_at(whole: Traced, found: Sequence[int]) -> Decay:
    z, z_lo, r, r_lo, n, j, k, power, power_lo, *scaled = found
    pair = (scaled[0], scaled[1]) if scaled else (power, power_lo)
    return Decay(whole, (z, z_lo), (r, r_lo), n, j, k, (power, power_lo), pair)


def _pairs(numbers: Sequence[int]) -> tuple[tuple[int, int], ...]:
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def _kernel(name: str) -> Kernel:
    whole = narrowed.fine_trace({"erf": fine.erf, "erfc": fine.erfc}[name])
    tail, *steps = whole.places(_steps, *_DOUBLES[: 1 + 2 * fine.PAIRS])
    doubles = 1 + fine.LEVELS - fine.LEVELS_IN_PAIRS
    size, *levels = whole.places(_levels, *_DOUBLES[: 1 + doubles + 2 * fine.LEVELS_IN_PAIRS])
    far, usable, below, above, negative, tiny = whole.places(_conditions, *("bool",) * 6)
    return Kernel(
        whole,
        name == "erf",
        narrowed.own_of(whole),
        _decay_at(whole, whole.places(_near, *_OF_DECAY)),
        _decay_at(whole, whole.places(_beyond, *_OF_DECAY[:-2])),
        far,
        usable,
        (below, above),
        negative,
        tiny,
        size,
        tail,
        _pairs(steps),
        tuple(levels[:doubles]),
        _pairs(levels[doubles:]),
    )


def _is_positive_beyond(x: Any, *_: Any) -> Any:
    return ((abs(x) > fine.ROOT) & ~(x < 0.0),)


def _conditions_of_double_erf(x: Any) -> Any:
    saturated = abs(x) >= double.SATURATED
    return saturated, abs(select(saturated, 1.0, x)) < scaling.SMALL


def _conditions_of_double_erfc(x: Any) -> Any:
    a = abs(x)
    tiny = a < double.TINY
    decided = tiny | (x <= -double.SATURATED) | (a == double.INFINITY)
    return (x < 0.0) | decided, tiny, a < 0.0, a > double.TOP


def _see_exponents_of_erf(kernel: Kernel, there: Traced) -> None:
    """LookupError where they are not those of the double kernel, for |x| < SATURATED."""
    saturated, small = there.places(_conditions_of_double_erf, "bool", "bool")
    narrowed.exponents_agree(kernel.traced, kernel.given(far=False), there, {saturated: False})
    narrowed.exponents_agree(kernel.traced, kernel.given(far=True), there, {saturated: False, small: False})


def _see_exponents_of_erfc(kernel: Kernel, there: Traced) -> None:
    """The same, of all that is not decided there, but for 0 <= x <= ROOT, where the exponents are apart."""
    (positive,) = kernel.traced.places(_is_positive_beyond, "bool")
    first, tiny, least, above = there.places(_conditions_of_double_erfc, *("bool",) * 4)
    narrowed.exponents_agree(kernel.traced, {positive: False}, there, {first: True})
    for moved in (False, True):
        given = {**kernel.given(far=True), kernel.moved[1]: moved, positive: True}
        narrowed.exponents_agree(kernel.traced, given, there, {first: False, tiny: False, least: False, above: moved})


NAMES = ("erf", "erfc")


def fine_parts(name: str) -> tuple[Any, ...]:
    """The parts of the proof of one of fine's kernels."""
    kernel, there = _kernel(name), {part.name: part for part in wide.double_parts(name)}
    near, beyond = kernel.near, kernel.beyond
    parts = (
        Square(near, "square near zero", _REDUCED),
        Powers(near, "power near zero", _REDUCED, _POWER_OFF, divides=False, ends=_RESTS),
        Scaling(near, "power near zero, scaled"),
        Series(kernel),
        Square(beyond, "square beyond", _REDUCED, _FIRST_BEYOND, _MOST_K),
        Powers(beyond, "power beyond", _REDUCED, _POWER_OFF, divides=False, ends=_RESTS),
        Fraction(kernel),
        Quotients(kernel),
    )
    if kernel.is_erf:
        _see_exponents_of_erf(kernel, there["arguments"].traced)
        return parts
    _see_exponents_of_erfc(kernel, there["square"].traced)
    # the double kernel's exponent is none above 0, by which the series' enclosure is scaled
    return *parts, Underflow(kernel.traced), replace(there["square"], name="square of the double kernel")
