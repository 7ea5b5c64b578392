"""Double's tgamma and lgamma, by the functions that they consist of: each is proven with all that reaches it.

Pieces of log gamma, Stirling's series, the sine of reflections, the quotient of pairs; what they ensure the kernels are
given.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb, arb_series

from clmath.ir.lanes import MAGIC, bits, clamp, fast_two_sum, greater, lesser, nearest, select
from clmath.ir.program import Value
from clmath.kernels.double import gamma as double
from clmath.kernels.double import log_gamma
from clmath.kernels.double.exponential import GROWTH, LEAST, reduced, scaled_exp
from clmath.kernels.double.gamma import denominator, from_integer_modulo_2, signed
from clmath.kernels.double.log_gamma import ahead_of, from_pole, log_gamma_piece, sine, stirling
from clmath.kernels.double.log_gamma import log_gamma as any_log_gamma
from clmath.kernels.double.logarithm import log_pair
from clmath.kernels.double.pairs import over_pair
from clmath.kernels.double.trigonometric import BOUND, sinpi_pair
from proofs.engine.execution import Execution, Fork, Real, constant
from proofs.engine.ideals import GAMMA, INVERSE, LOG, LOG_GAMMA, SIN, applied, log_gamma_1p
from proofs.engine.models import Cell, Model, Unproven, dyadic, half_ulp, lower, upper
from proofs.engine.proof import OfFamily, Setting, enclosed
from proofs.engine.traced import Traced, traced
from proofs.families import exponential, logarithm
from proofs.families.floats import doubles_between, grid_of_doubles
from proofs.families.kinds import ENCLOSURE, PAIR
from proofs.families.stated import nothing
from proofs.statements import NearPair, NearSeries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = [
    "NAMES",
    "PIECE_FAR_ERROR",
    "REACH",
    "ROUNDED",
    "Gamma",
    "Links",
    "Reduction",
    "Small",
    "Values",
    "at_series",
    "double_parts",
    "half_unit_about",
    "is_limit",
    "same",
]

_PIECE = 48  # bits of encodings within a piece
_TERMS = 26  # of ideal series
PIECE_NEAR, PIECE_NEAR_ERROR = 2.0**-67.25, 2.0**-72.7  # of log gamma itself and at most, up to 4
PIECE_FAR, PIECE_FAR_ERROR = 2.0**-73.05, 2.0**-71.5  # beyond
STIRLING_OFF = 2.0**-74.1  # of log gamma itself
STIRLING_OFF_FROM_16, STIRLING_OFF_FROM_28 = 2.0**-69.86, 2.0**-72.2  # where 1/a is rounded once, up to 187
SINE_OFF = 2.0**-73.9
SECOND = 2.0**-49  # how large the second part of log gamma is beside the first at most
ROUNDED = 1.0 + 2.0**-20  # roundings, by as much larger than half a unit
QUOTIENT_OFF = 2.0**-100
LOG_OFF = 2.0**-78


def _boundaries() -> list[float]:
    """Where pieces of log gamma end."""
    first = int(np.float64(0.5).view(np.int64)) >> _PIECE
    last = int(np.float64(16.0).view(np.int64)) >> _PIECE
    ends = [(place << _PIECE) + (1 << _PIECE - 1) for place in range(first, last)]
    return [float(np.int64(end).view(np.float64)) for end in ends]


@dataclass(frozen=True)
class Pieces:
    """log gamma(ahead + x) where it is a piece: 1/2 <= x <= 16 with ahead = 0, 0 < x <= 15 with ahead = 1."""

    traced: Traced
    least: float = 2.0**-200
    name: str = "pieces"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Each piece in four parts, binade by binade toward 1 and 2."""
        ends = {0.5, 4.0, 16.0, *_boundaries()}
        for low, high in pairwise(sorted(ends)):
            ends |= {low + (high - low) * i / 4 for i in range(1, 4)}
        ends |= {point + sign * 2.0**-i for i in range(2, 53) for point in (1.0, 2.0) for sign in (1, -1)}
        for low, high in pairwise(sorted(end for end in ends if 0.5 <= end <= 16.0)):
            yield 0, low, high
        ends = {end - 1.0 for end in ends} | {self.least} | {2.0**i for i in range(-200, -4)}
        for low, high in pairwise(sorted(end for end in ends if self.least <= end <= 15.0)):
            yield 1, low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Values of x."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Both are given."""
        x = cell.argument()
        given = {0: constant(cell, float(which)), 1: Real(x, grid_of_doubles(cell.low, cell.high))}
        at, high = x + cell.constant(which), float(cell.high)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            hi, lo = (run.real_output(i).model for i in (0, 1))
            ideal = log_gamma_1p(x) if high <= 2.0**-20 else applied(LOG_GAMMA, at, _TERMS)
            size, (share, most) = lower(ideal.range()), self.bounds(float(cell.high) + which)
            return [(hi + lo - ideal, min(share * size, most)), (lo, SECOND * size)]

        return Setting(given, claims)

    @staticmethod
    def bounds(top: float) -> tuple[float, float]:
        """What is claimed of log gamma where its argument is ``top`` at most: of itself, and at most."""
        return (PIECE_NEAR, PIECE_NEAR_ERROR) if top <= 4.0 else (PIECE_FAR, PIECE_FAR_ERROR)

    def statement(self, which: Any, low: float, high: float) -> NearPair:
        """The same as plain data."""
        grid = grid_of_doubles(arb(low), arb(high))
        return NearPair("log gamma", 1, grid, *self.bounds(high + which), which, ((0, float(which)),))


def series_off(a: float) -> float:
    """How far Stirling's series for ``a`` is off at most, where 1/a is rounded once: beyond 28 as the logarithm is."""
    growing: float = STIRLING_OFF_FROM_28 + a * LOG_OFF
    return STIRLING_OFF_FROM_16 if a < double.GROWING_FROM else growing


@dataclass(frozen=True)
class Stirling:
    """Stirling's series for any a and any a_lo below half a unit of it; log a is ``LOG_OFF`` away at most.

    1/a is off by so many ``roundings``. The result is within ``off(a)``, or within ``STIRLING_OFF`` of itself.
    """

    traced: Traced
    top: float
    off: Callable[[float], float] | None
    roundings: float
    name: str = "series"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades in eight parts."""
        for low, high in dyadic(log_gamma.SERIES, self.top):
            for i in range(8):
                yield 0, low + (high - low) * i / 8, low + (high - low) * (i + 1) / 8

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Values of a."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """All are given."""
        a, grid = cell.argument(), grid_of_doubles(cell.low, cell.high)
        a_lo = cell.unknown(half_ulp(float(cell.high.upper())) * ROUNDED)
        log = applied(LOG, a, _TERMS)
        log_lo = cell.unknown(half_ulp(upper(log.range())))
        log_hi = log - log_lo + cell.unknown(LOG_OFF)
        inverse = applied(INVERSE, a, _TERMS)
        near = inverse + cell.unknown(upper(inverse.range()) * self.roundings * 2.0**-53)
        grid_of_log = math.frexp(lower(log_hi.range()))[1] - 53
        given = {0: Real(a, grid), 1: Real(a_lo, -1074), 2: Real(near, -1074)}
        given |= {3: Real(log_hi, grid_of_log), 4: Real(log_lo, -1074)}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            hi, lo = (run.real_output(i).model for i in (0, 1))
            ideal = applied(LOG_GAMMA, a + a_lo, _TERMS)
            off = self.off(float(cell.low.lower())) if self.off else STIRLING_OFF * lower(ideal.range())
            return [(hi + lo - ideal, off)]

        return Setting(given, claims)

    def statement(self, which: Any, low: float, high: float) -> NearSeries:
        """The same as plain data."""
        log = math.log(low) * (1.0 - 2.0**-40), math.log(high) * (1.0 + 2.0**-40)
        below, inverse = half_ulp(high) * ROUNDED, self.roundings * 2.0**-53
        grid, grid_of_log = grid_of_doubles(arb(low), arb(high)), math.frexp(log[0])[1] - 53
        off = self.off(low) if self.off else 0.0
        return NearSeries(grid, below, inverse, LOG_OFF, half_ulp(log[1]), grid_of_log, off, STIRLING_OFF)


@dataclass(frozen=True)
class Sines:
    """sin(pi r)/pi to ``off`` of it, or to ``SINE_OFF``, for every r."""

    traced: Traced
    least: float = 2.0**-200
    name: str = "sines"
    off: float | None = None

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binade by binade, both signs."""
        for low, high in dyadic(self.least, 0.5):
            count = 8 if high > 2.0**-8 else 1
            for i in range(count):
                first, last = low + (high - low) * i / count, low + (high - low) * (i + 1) / count
                yield 0, first, last
                yield 0, -last, -first

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Values of r."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """R is given."""
        r = cell.argument()

        def claims(run: Execution) -> list[tuple[Model, float]]:
            hi, lo = (run.real_output(i).model for i in (0, 1))
            ideal = applied(SIN, r.scaled(arb.pi()), _TERMS).scaled(1 / arb.pi())
            return [(hi + lo - ideal, (self.off or SINE_OFF) * lower(ideal.range()))]

        return Setting({0: Real(r, grid_of_doubles(cell.low, cell.high))}, claims)

    def statement(self, which: Any, low: float, high: float) -> NearPair:
        """The same as plain data."""
        return NearPair("sine over pi", 0, grid_of_doubles(arb(low), arb(high)), self.off or SINE_OFF, 1.0)


@dataclass(frozen=True)
class Quotients:
    """The quotient of two pairs to ``QUOTIENT_OFF`` of it, of a first one from 0.99 to 2.01."""

    traced: Traced
    name: str = "quotients"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Both signs of the divisor, of one binade: 2^k stands for the others."""
        for i in range(128):
            low, high = 1.0 + i / 128, 1.0 + (i + 1) / 128
            yield 0, low, high
            yield 0, -high, -low

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Divisors."""
        return Cell(low, high, _EXPONENTS)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Both pairs are given."""
        b, b_lo, lo = cell.argument(), cell.unknown(2.0**-53), cell.unknown(2.0**-53)
        hi = cell.constant(1.5) + cell.unknown(0.51)
        cell.paired |= {*hi.terms, *b_lo.terms}
        given = {0: Real(hi, -53), 1: Real(lo, -400), 2: Real(b, -52, 1), 3: Real(b_lo, -400, 1)}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            ideal = (hi + lo) * applied(INVERSE, b + b_lo)
            found = _sum_of(run, (0, 1), -1)
            return [(found - ideal, QUOTIENT_OFF * lower(ideal.range()))]

        return Setting(given, claims)


def _sum_of(run: Execution, outputs: tuple[int, int], power: int) -> Model:
    """The sum of two outputs that have the cell's 2^k so many times."""
    parts = [run.real_output(i) for i in outputs]
    if any(part.power != power for part in parts):
        raise Unproven("a result has another power")
    return parts[0].model + parts[1].model


@dataclass(frozen=True)
class Divided:
    """A function that is nearly 1/x where x is small, and where in it the functions stand that have parts of their own.

    ``over``: the arguments of ``over_pair``, and what it gives; ``plain``: |x| > SMALL and no pole, ``None`` where that
    is not asked; ``small``, ``false``: conditions of small and of special arguments.
    """

    traced: Traced
    over: tuple[int, ...]
    plain: int | None
    small: tuple[int, ...]
    false: tuple[int, ...]


@dataclass(frozen=True)
class Gamma(Divided):
    """The whole kernel, and where in it the functions stand that have parts of their own.

    ``piece``: the arguments of ``log_gamma_piece``, and what it gives; ``series``: those of ``stirling`` but for the
    logarithm, and what it gives, nothing where log gamma is always a piece; ``log``: the pair that is chosen of both,
    with the argument's sign; ``rest``: what is left of that, r, r_lo, n; ``sine``: the argument of ``sine`` and what it
    gives; ``power``: e to the power of it; ``turns``: the sum that x/2 is rounded by, and that less what was added,
    nothing where it is not. ``is_piece``: whether log gamma is one; ``total``: the argument of it, rounded; ``below``:
    x < 0. What the function does not have is ``None``.
    """

    piece: tuple[int, ...]
    series: tuple[int, ...]
    log: tuple[int, ...]
    rest: tuple[int, ...]
    sine: tuple[int, ...]
    power: tuple[int, ...]
    turns: tuple[int, ...]
    is_piece: int | None
    total: int | None
    below: int

    def ordinary(self, *, is_negative: bool) -> dict[int, Any]:
        """What is known of arguments above SMALL that are no poles."""
        known = {self.below: is_negative, **dict.fromkeys((*self.small, *self.false), False)}
        return known if self.plain is None else {self.plain: True, **known}

    def at_series(self, cell: Cell) -> dict[int, Any]:
        """What is known where the series is asked for."""
        if self.is_piece is None or self.total is None:
            return {}
        return at_series(cell, self.is_piece, self.total, self.series[0])

    def is_of_piece(self, run: Execution) -> bool:
        """Whether log gamma is a piece."""
        return self.is_piece is None or run.holds(Value(self.is_piece))


def at_series(cell: Cell, is_piece: int, total: int, far: int) -> dict[int, Any]:
    """That it is no piece where x is 16 or more, or 1 - x is, and the series is that of the sum, rounded: no less."""

    def of_total(run: Execution) -> Real:
        return run.real(Value(total))

    if cell.low >= log_gamma.SERIES or cell.high <= 1.0 - log_gamma.SERIES:
        return {is_piece: False, far: of_total}
    return {}


def same(run: Execution, number: int, model: Model) -> tuple[Model, float]:
    """The claim that the value with that number is ``model``."""
    return run.real(Value(number)).model - model, 0.0


def half_unit_about(a: Model) -> float:
    """Half a unit of a; of the next binade at the end of one, where the model may reach beyond: so has ``Stirling``."""
    return half_ulp(float(a.p[0]) * (1.0 + 2.0**-4)) * ROUNDED


def _is_end(x: arb) -> bool:
    """Whether that argument is a piece by itself, or none."""
    size = abs(float(x))
    is_half = size * 2.0 == math.floor(size * 2.0) and (float(x) < 1.0 or size in {log_gamma.SERIES, double.TOP})
    return size == double.SMALL or is_half


@dataclass(frozen=True)
class Links(OfFamily):
    """What the functions are given, argument by argument; and that their results are used as they are said to be.

    From 1/2 on log gamma is that of x, below that of 1 + |x|; the divisor is 1, x, or the sine of a number s with
    x = (-1)^m s - m, m an integer.
    """

    family: Gamma
    name: str = "links"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Above 0 binade by binade; below half-integer by half-integer."""
        for low, high in dyadic(double.SMALL, double.TOP):
            yield "above", low, high
        for low, high in dyadic(double.SMALL, 0.5):
            yield "below", -high, -low
        for i in range(1, int(-2.0 * double.BOTTOM)):
            yield "below", -(i + 1) / 2.0, -i / 2.0
            if i % 2:
                yield "below", -i / 2.0, -i / 2.0
        for point in (0.5, log_gamma.SERIES, double.TOP):
            yield "above", point, point

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Arguments; half of one is where the ways part."""
        if low == high:
            return Cell(low, high)
        last = arb(2) ** grid_of_doubles(low, high)
        return doubles_between(low + last * _is_end(low), high - last * _is_end(high))

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given; results of functions are some numbers."""
        family, x = self.family, cell.argument()
        piece, series, power, sine, over = (
            tuple(cell.constant(1.25) + cell.unknown(2.0**-20) for _ in range(2)) for _ in range(5)
        )
        given: dict[int, Any] = {0: Real(x, grid_of_doubles(cell.low, cell.high))}
        numbers = *family.piece[2:], *family.power, *family.sine[1:], *family.over[4:], *family.series[3:]
        models = *piece, *power, *sine, *over, *(series if family.series else ())
        given |= {number: Real(model, -60) for number, model in zip(numbers, models, strict=True)}
        given[family.rest[2]] = 256 * _SOME + 255
        given |= family.ordinary(is_negative=which == "below") | family.at_series(cell)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            middle = float(cell.middle)
            ahead = 0 if middle >= 0.5 else 1
            if family.turns:
                self._halve(run)
            if run.output(3) != _SOME:
                raise Unproven("the exponent is not that of the power")
            size = x if middle > 0.0 else -x
            found = [nothing(cell)]
            is_piece = family.is_of_piece(run)
            log = tuple(-m if which == "below" else m for m in (piece if is_piece else series))
            found += [same(run, *pair) for pair in zip(family.log, log, strict=True)]
            if is_piece:
                found += [same(run, family.piece[0], cell.constant(ahead)), same(run, family.piece[1], size)]
            else:
                found += self._series(run, size + cell.constant(ahead))
            found += [same(run, *pair) for pair in zip(family.over[:2], power, strict=True)]
            divisor = (cell.constant(1), cell.constant(0)) if ahead == 0 else (x, cell.constant(0))
            if which == "below":
                divisor = sine[0], sine[1]
                m = -round(middle)
                s = x + cell.constant(m)
                found.append(same(run, family.sine[0], -s if m & 1 else s))
            return found + [same(run, *pair) for pair in zip(family.over[2:4], divisor, strict=True)]

        return Setting(given, claims)

    def _halve(self, run: Execution) -> None:
        """Take both numbers of whole turns by themselves, where there are two."""
        number, turns = self.family.turns
        found = run.real(Value(turns)).model.range()
        if found.rad() > 0.25 and ("lower", number) not in run.decided:
            raise Fork(("lower", number))

    def _series(self, run: Execution, exact: Model) -> list[tuple[Model, float]]:
        a, a_lo, inverse = (run.real(Value(number)).model for number in self.family.series[:3])
        reciprocal = applied(INVERSE, a)
        return [
            (a + a_lo - exact, 0.0),
            (a_lo, half_unit_about(a)),
            (inverse - reciprocal, lower(reciprocal.range()) * 2.0**-53 * ROUNDED),
        ]


@dataclass(frozen=True)
class Reduction(OfFamily):
    """+-log gamma as a pair is n ln(2)/256 + r + r_lo, but for ``REDUCED_OFF``, |r| < 0.00136 and |r_lo| < 2^-62."""

    family: Gamma
    name: str = "reduction"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binade by binade, both signs; up to ``_NEAR`` n = 0."""
        yield 0, 0.0, 0.0
        for low, high in (*dyadic(2.0**-60, _NEAR), *dyadic(_NEAR, 800.0)):
            yield 0, low, high
            yield 0, -high, -low

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Values of the logarithm."""
        return Cell(low, high) if low == high else doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The logarithm is given."""
        family, log = self.family, cell.argument()
        log_lo = cell.unknown(SECOND * upper(log.range()))
        grid = grid_of_doubles(cell.low, cell.high) if cell.low != 0 else -1074
        given = {family.log[0]: Real(log, grid), family.log[1]: Real(log_lo, -1074)}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            r, r_lo = (run.real(Value(number)).model for number in family.rest[:2])
            n = run.whole(Value(family.rest[2]))
            left = log + log_lo - n.scaled(arb(2).log() / 256) - r - r_lo
            return [(left, REDUCED_OFF), (r, REACH), (r_lo, REACH_LO), (n, 300000.0)]

        return Setting(given | family.ordinary(is_negative=False), claims)


@dataclass(frozen=True)
class Values(OfFamily):
    """The kernel's bound is no less than what the parts before have added up to, for every x and every r.

    ``which``: the sign of the quotient, and between what r lies.
    """

    family: Gamma
    name: str = "values"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Values of x, both signs, for all values of r, both signs, and both signs of the quotient."""
        edges = [REACH * i / 8 for i in range(-8, 9)]
        for least, greatest in pairwise(edges):
            for sign in (1.0, -1.0):
                for low, high in self._arguments():
                    yield (sign, least, greatest), low, high

    def _arguments(self) -> Iterator[tuple[float, float]]:
        """Both signs; below there is more."""
        yield double.BOTTOM, -double.TOP
        for low, high in self._sizes():
            yield from ((low, high), (-high, -low))

    @staticmethod
    def _sizes() -> Iterator[tuple[float, float]]:
        """Where the ways part, and half a unit on both sides, each of a width without rounding; what is left."""
        last = double.SMALL
        for parting in (double.PIECES_BELOW, double.GROWING_FROM):
            before, after = math.nextafter(parting, 0.0), math.nextafter(parting, math.inf)
            yield from ((before - 0.5, before), (parting, parting), (after, after + 0.5), (last, parting - 0.5))
            last = parting + 0.5
        yield last, double.TOP

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Values of x."""
        return Cell(low, high, _EXPONENTS) if low == high else doubles_between(low, high, _EXPONENTS)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """All three are given."""
        family, x, (sign, least, greatest) = self.family, cell.argument(), which
        q, q_lo = cell.constant(1.5 * sign) + cell.unknown(0.5), cell.unknown(2.0**-53)
        r = cell.constant((least + greatest) / 2) + cell.unknown((greatest - least) / 2)
        cell.paired |= {*q.terms, *r.terms}
        given = {0: Real(x, grid_of_doubles(cell.low, cell.high)), family.rest[0]: Real(r, -1074)}
        given |= {family.over[4]: Real(q, -52, 1), family.over[5]: Real(q_lo, -400, 1)}
        off = cell.constant(arb(LEAST) + SINE_OFF + QUOTIENT_OFF + REDUCED_OFF + _LAST_SUM) + self._off(cell)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            err = run.real_output(2)
            if err.power != 1:
                raise Unproven("the bound has another power")
            added = (r * r).scaled(GROWTH) + off
            left = err.model - q.scaled(sign) * added.scaled(
                1 + arb(2) ** -50
            )  # 0 < left < twice what is about its middle
            about = upper(off.range())
            return [(cell.constant(about) - left, about), (_sum_of(run, (0, 1), 1) - q - q_lo, _LAST_SUM)]

        return Setting(given | family.ordinary(is_negative=cell.high < 0), claims)

    @staticmethod
    def _off(cell: Cell) -> Model:
        """What is claimed of log gamma(x) or of log gamma(1 - x), whichever is more."""
        least = min(abs(float(cell.low)), abs(float(cell.high)))
        if least < double.PIECES_BELOW:
            return cell.constant(PIECE_FAR_ERROR)
        if least < double.GROWING_FROM:
            return cell.constant(max(STIRLING_OFF_FROM_16, series_off(double.GROWING_FROM + 1.0)))
        size = cell.argument() if cell.low > 0 else -cell.argument()
        return cell.constant(STIRLING_OFF_FROM_28) + (size + cell.constant(1)).scaled(LOG_OFF)


@dataclass(frozen=True)
class Small(OfFamily):
    """The value where it is 1/x - 0.58 + 0.99 x: for v = 1/x, which the quotient is nearly.

    x itself, which lies between the inverses of the ends, is a number of which only that is known.
    """

    family: Divided
    name: str = "small"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades of 1/x, both signs."""
        for low, high in dyadic(1.0 / double.SMALL, 1.0 / double.VANISHING):
            yield 0, low, high
            yield 0, -high, -low

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of 1/x."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given, and the quotient."""
        family, v = self.family, cell.argument()
        first, last = 1 / cell.high, 1 / cell.low
        x = cell.constant((first + last) / 2) + cell.unknown((last - first) / 2)
        q_lo = cell.unknown(half_ulp(upper(v.range())))
        q = v - q_lo + cell.unknown(upper(v.range()) * QUOTIENT_OFF)
        *divided, hi, lo = family.over
        given: dict[int, Any] = {0: Real(x, -1074), hi: Real(q, -52), lo: Real(q_lo, -1074)}
        given |= dict.fromkeys(family.false, False)
        given |= dict(zip(family.small, (True, False, False), strict=True))
        if family.plain is not None:
            given[family.plain] = False
        series = GAMMA.series(arb_series([1, 1], prec=5)).coeffs()
        left = GAMMA.series(arb_series([1 + arb(0, 2.0**-29), 1], prec=6)).coeffs()[5]
        rest = cell.constant(left) * x
        for c in series[4:0:-1]:
            rest = rest * x + cell.constant(c)
        rest = rest.named()

        def claims(run: Execution) -> list[tuple[Model, float]]:
            if run.output(3) != 0:
                raise Unproven("there is an exponent")
            expected = (x,) if len(divided) == 1 else (cell.constant(1), cell.constant(0), x, cell.constant(0))
            found = [same(run, *pair) for pair in zip(divided, expected, strict=True)]
            return [enclosed(run, v + rest, (0, 1), 2), *found]

        return Setting(given, claims)


_EXPONENTS = -200, 200
_SOME = 77  # an exponent
_LAST_SUM = 2.0**-104
_NEAR = 0.00135  # n = 0 up to there
REACH, REACH_LO, REDUCED_OFF = 0.00136, 2.0**-60, 2.0**-92


def _whole(x: Any) -> Any:
    r, n, is_pole = from_integer_modulo_2(x)
    plain = (abs(x) > double.SMALL) & ~is_pole
    kept = select(plain, clamp(x, double.BOTTOM, double.TOP), 1.0)
    return r, n, is_pole, plain, kept


def _log_of_whole(kept: Any) -> Any:
    ahead, size = ahead_of(kept), abs(kept)
    nearer = lesser(size, log_gamma.SERIES - ahead)
    a, a_lo = fast_two_sum(size, ahead)
    far = greater(a, log_gamma.SERIES)
    inverse = 1.0 / (far * 1.0)
    found = stirling(far, a_lo, inverse * 1.0, *log_pair(far))
    return (ahead, nearer, *log_gamma_piece(ahead, nearer)), (far, a_lo, inverse * 1.0, *found)


def _parts_of_tgamma(x: Any) -> Any:
    r, n, _, plain, kept = _whole(x)
    piece, series = _log_of_whole(kept)
    hi, lo, _ = any_log_gamma(ahead_of(kept), abs(kept), 1.0)
    log, log_lo = select(kept < 0.0, -hi, hi), select(kept < 0.0, -lo, lo)
    rest, rest_lo, count = reduced(log)
    rest, rest_lo = fast_two_sum(rest, rest_lo + log_lo)
    value, value_lo = scaled_exp(rest, rest_lo, count & 255)
    of_sine = signed(select(plain, r, 0.5), n)
    d, d_lo = denominator(kept, select(plain, r, 0.5), n)
    small, vanishing = (abs(x) <= double.SMALL) & (x != 0.0), abs(x) < double.VANISHING
    divisor = select(small, x, 1.0) * select(vanishing, 2.0**600, 1.0)
    over = value, value_lo, select(small, divisor, d), d_lo
    half = 0.5 * clamp(x, -(2.0**52), 0.0)
    doubles = *piece, *series, log, log_lo, rest, rest_lo, of_sine, *sine(of_sine), value, value_lo, *over
    total, _ = fast_two_sum(abs(kept), ahead_of(kept))
    return *doubles, *over_pair(*over), half + MAGIC, nearest(half)[0], total, count


def _special_to_tgamma(x: Any) -> Any:
    _, _, is_pole, plain, kept = _whole(x)
    small, vanishing = (abs(x) <= double.SMALL) & (x != 0.0), abs(x) < double.VANISHING
    divisor = select(small, x, 1.0) * select(vanishing, 2.0**600, 1.0)
    touching = (abs(x) < double.TOUCHING) & ((bits(divisor) & double.FRACTION) == 0)
    a, _ = fast_two_sum(abs(kept), ahead_of(kept))
    return (
        a < log_gamma.SERIES,
        plain,
        kept < 0.0,
        small,
        vanishing,
        touching,
        x == 0.0,
        is_pole,
        (x < double.BOTTOM) & ~is_pole,
    )


def _double_tgamma() -> Sequence[Any]:
    whole = traced(double.tgamma, ("double",), ENCLOSURE)
    found = whole.places(_parts_of_tgamma, *("double",) * 27, "long")
    piece, series, log, rest = found[:4], found[4:9], found[9:11], (*found[11:13], found[-1])
    is_piece, plain, below, *others = whole.places(_special_to_tgamma, *("bool",) * 9)
    family = Gamma(
        whole,
        tuple(found[18:24]),
        plain,
        tuple(others[:3]),
        tuple(others[3:]),
        piece=tuple(piece),
        series=tuple(series),
        log=tuple(log),
        rest=rest,
        sine=tuple(found[13:16]),
        power=tuple(found[16:18]),
        turns=tuple(found[24:26]),
        is_piece=is_piece,
        total=found[26],
        below=below,
    )
    return (
        Pieces(traced(log_gamma_piece, PAIR, PAIR)),
        *logarithm.double_log(),
        Stirling(traced(stirling, ("double",) * 5, PAIR), 187.0, series_off, ROUNDED),
        Sines(traced(sine, ("double",), PAIR)),
        exponential.double_parts("exp")[1],
        Quotients(traced(over_pair, ("double",) * 4, PAIR)),
        Links(family),
        Reduction(family),
        Values(family),
        Small(family),
    )


@dataclass(frozen=True)
class SinesOfPi:
    """sin(pi x) for 0 < x <= 1/2, to ``SINE_OF_PI_OFF`` of it."""

    traced: Traced
    least: float = 2.0**-200
    name: str = "sines"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Each number of steps, in halves; binade by binade below half a step."""
        for low, high in dyadic(self.least, 2.0**-11):
            yield 0, low, math.nextafter(high, 0.0)
        for low, high in pairwise([2.0**-11, *(i * 2.0**-11 for i in range(2, 1025))]):
            yield 0, low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Arguments."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given."""
        x = cell.argument()

        def claims(run: Execution) -> list[tuple[Model, float]]:
            hi, lo = (run.real_output(i).model for i in (0, 1))
            ideal = applied(SIN, x.scaled(arb.pi()), _TERMS)
            return [(hi + lo - ideal, SINE_OF_PI_OFF * lower(ideal.range()))]

        return Setting({0: Real(x, grid_of_doubles(cell.low, cell.high))}, claims)

    def statement(self, which: Any, low: float, high: float) -> NearPair:
        """The same as plain data."""
        return NearPair("sine", 0, grid_of_doubles(arb(low), arb(high)), SINE_OF_PI_OFF, 1.0)


@dataclass(frozen=True)
class LogGamma:
    """The whole of lgamma, and where in it the functions stand that have parts of their own.

    ``piece`` and ``series`` as in ``Gamma``; ``base``: the pair that is chosen of both; ``of_sine``: the argument of
    ``sinpi_pair``, and what it gives; ``inverse``: that of the sine, and its product with the second part; ``log``: the
    argument of ``log_pair``, and what it gives; ``whole``: the integer next to a negative x. ``regions``: x > LEAST in
    size and so on, x < 0, x < 1/2, x < 4, and the argument of log gamma below 16.
    """

    traced: Traced
    piece: tuple[int, ...]
    series: tuple[int, ...]
    base: tuple[int, ...]
    of_sine: tuple[int, ...]
    inverse: tuple[int, ...]
    log: tuple[int, ...]
    whole: int
    is_piece: int
    total: int
    regions: tuple[int, ...]
    false: tuple[int, ...]
    inside: frozenset[str] = frozenset({"near", "far", "inside", "mirrored"})

    def conditions(self, which: str) -> dict[int, bool]:
        """What is known in a region of arguments."""
        is_in = True, which == "mirrored", which in {"inside", "mirrored"}, which != "far"
        return {**dict.fromkeys(self.false, False), **dict(zip(self.regions, is_in, strict=True))}

    @property
    def bases(self) -> tuple[tuple[int, int], ...]:
        """The pair that is chosen."""
        hi, lo = self.base
        return ((hi, lo),)

    @property
    def sine_off(self) -> float:
        """That of ``sinpi_pair``."""
        return SINE_OF_PI_OFF

    def without_logarithm(self, cell: Cell) -> dict[int, Any]:
        """It is that of 1."""
        return {number: constant(cell, 0.0) for number in self.log[1:]}

    @staticmethod
    def mirror() -> arb:
        """The value with log gamma(1 - x) and the logarithm of the sine of pi times a number."""
        return arb.pi().log()


@dataclass(frozen=True)
class LinksOfLogGamma(OfFamily):
    """What the functions are given, argument by argument; and which of them gives log gamma.

    From 1/2 on log gamma is that of x, below that of 1 + |x|; the sine is that of the distance from an integer.
    """

    family: Any
    name: str = "links"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades, the ends by themselves where the ways part."""
        for low, high in dyadic(double.LEAST, double.HUGE):
            yield "inside" if high <= 0.5 else "near" if high <= 4.0 else "far", low, high
        for low, high in (*dyadic(double.LEAST, 8.0), (8.0, 15.0), (15.0, 16.0), *dyadic(16.0, 2.0**52)):
            yield "mirrored", -high, -low
        yield "near", 0.5, 0.5
        yield "far", 4.0, 4.0
        yield "far", 16.0, 16.0
        yield "mirrored", -15.0, -15.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Arguments."""
        if low == high:
            return Cell(low, high)
        last = arb(2) ** grid_of_doubles(low, high)
        return doubles_between(low + last * is_limit(low), high - last * is_limit(high))

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given; results of functions are some numbers."""
        family, x = self.family, cell.argument()
        piece, series = ((cell.unknown(1), cell.unknown(2.0**-53)) for _ in range(2))
        given: dict[int, Any] = {0: Real(x, grid_of_doubles(cell.low, cell.high))}
        places = (family.piece[2:], piece), (family.series[3:], series)
        for numbers, models in places:
            given |= {number: Real(model, -300) for number, model in zip(numbers, models, strict=True)}
        sine = cell.constant(0.75) + cell.unknown(0.25)
        given |= {family.of_sine[1]: Real(sine, -300), family.of_sine[2]: Real(cell.unknown(2.0**-53), -300)}
        given |= family.conditions(which) | at_series(cell, family.is_piece, family.total, family.series[0])

        def claims(run: Execution) -> list[tuple[Model, float]]:
            is_behind = which in {"inside", "mirrored"}
            ahead, size = (1, 0)[not is_behind], -x if which == "mirrored" else x
            at = size + cell.constant(ahead)
            is_piece = run.holds(Value(family.is_piece))
            found = [nothing(cell)]
            found += [same(run, *pair) for pair in zip(family.base, piece if is_piece else series, strict=True)]
            if is_piece:
                pairs = (family.piece[0], cell.constant(ahead)), (family.piece[1], size)
                found += [same(run, *pair) for pair in pairs]
            else:
                a, a_lo = (run.real(Value(number)).model for number in family.series[:2])
                found += [(a + a_lo - at, 0.0), (a_lo, half_unit_about(a))]
            if which == "inside":
                found.append(same(run, family.log[0], x))
            elif which != "mirrored":
                found.append(same(run, family.log[0], cell.constant(1)))
            else:
                found += [same(run, family.log[0], sine), *self._distance(run, x)]
            return found

        return Setting(given, claims)

    def _distance(self, run: Execution, x: Model) -> list[tuple[Model, float]]:
        """The argument of the sine is the distance from an integer, and no larger than 1/2."""
        whole, r = run.real(Value(self.family.whole)), run.real(Value(self.family.of_sine[0])).model
        if whole.grid < 0:
            raise Unproven("x is taken to what may be no integer")
        left = x - whole.model
        is_negative = any(run.decided.get(key) is False for key in run.decided if key[0] == "positive")  # type: ignore[index]
        signed_rest = -left if is_negative or left.range() < 0 else left
        return [(signed_rest - r, 0.0), (r, 0.5 * ROUNDED)]


def is_limit(x: arb) -> bool:
    """Whether that argument is a piece by itself, or none."""
    return float(x) in {0.5, 4.0, 16.0, -15.0, double.LEAST, -double.LEAST, double.HUGE, -(2.0**52)}


@dataclass(frozen=True)
class ValuesOfLogGamma(OfFamily):
    """The kernel's value for any log gamma and any logarithm that are as near as the other parts prove.

    Cells are those of log gamma; ``which`` has the region, and between what the logarithm lies. The family is that of
    the kernel, or of another function, by its regions ``inside``: ``bases`` are the pairs that may be log gamma,
    ``without_logarithm`` what is given of the logarithm where none is added, ``mirror`` what is left of the
    reflection, and ``sine_off`` how far the sine is, of itself.
    """

    family: Any
    name: str = "values"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Those of the kernel's regions."""
        return (piece for piece in self._pieces() if piece[0][0] in self.family.inside)

    @staticmethod
    def _pieces() -> Iterator[tuple[Any, float, float]]:
        """Binades of log gamma; where there is a logarithm, with its binades."""
        for low, high in dyadic(2.0**-60, 2.0):
            yield ("near", 0.0, 0.0), low, high
            yield ("near", 0.0, 0.0), -high, -low
        for low, high in dyadic(1.79, 2.0**309):
            yield ("far", 0.0, 0.0), low, high
        logs = [(-high, -low) for low, high in ((0.0, 0.5), *dyadic(0.5, 140.0))]
        for least, greatest in logs:
            if least < -0.69:
                yield ("inside", least, min(greatest, -0.69)), -0.125, 0.0
            for low, high in ((-0.125, 0.0), (0.0, 0.125), *dyadic(0.125, 1.79), *dyadic(1.79, 2.0**58)):
                yield ("mirrored", least, greatest), low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of log gamma."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Log gamma and the logarithm are given as the pairs that they are, x is some number of the region."""
        family, exact, (region, least, greatest) = self.family, cell.argument(), which
        base_lo = cell.unknown(SECOND * upper(exact.range()))
        given: dict[int, Any] = {0: self._argument(region, cell), **family.conditions(region)}
        for hi, lo in family.bases:
            given |= {hi: Real(exact - base_lo, -1074), lo: Real(base_lo, -1074)}
        found, off = exact, self._off(region, cell)
        if region in {"near", "far"}:
            given |= family.without_logarithm(cell)
        else:
            log = cell.constant((least + greatest) / 2) + cell.unknown((greatest - least) / 2)
            log_lo = cell.unknown(half_ulp(-least))
            given |= {family.log[1]: Real(log - log_lo, -1074), family.log[2]: Real(log_lo, -1074)}
            found, off = exact - log, off + cell.constant(LOG_OFF)
        if region == "mirrored":
            ratio = cell.unknown(2.0**-52 * ROUNDED)
            given[family.inverse[1]] = Real(ratio, -1074)
            found = cell.constant(family.mirror()) - exact - log - ratio
            off += cell.constant(family.sine_off * ROUNDED + 2.0**-102)
        noise = 2.0**-99 * (upper(exact.range()) - least + 1.2 * (region == "mirrored"))

        def claims(run: Execution) -> list[tuple[Model, float]]:
            if run.output(3) != 0:
                raise Unproven("there is an exponent")
            err = run.real_output(2).model
            left = err - off.scaled(ROUNDED) - cell.constant(noise)  # no less than 0, nor more than twice its top
            top = upper(err.range())
            return [(cell.constant(top) - left, top), (_sum_of(run, (0, 1), 0) - found, noise)]

        return Setting(given, claims)

    @staticmethod
    def _off(region: str, cell: Cell) -> Model:
        """What is claimed of log gamma: of any piece, where x does not tell which it is."""
        exact, most = cell.argument(), upper(cell.argument().range())
        size = exact if cell.high > 0 else -exact
        if region in {"near", "inside"} and most * PIECE_NEAR < PIECE_NEAR_ERROR:
            return size.scaled(PIECE_NEAR)
        if region in {"near", "inside"} or most <= 1.79 * ROUNDED:
            return cell.constant(PIECE_NEAR_ERROR)
        return size.scaled(PIECE_FAR) if cell.low > 1.9 else cell.constant(max(most * PIECE_FAR, PIECE_NEAR_ERROR))

    @staticmethod
    def _argument(region: str, cell: Cell) -> Real:
        low, high = {"near": (0.5, 4.0), "far": (4.0, double.HUGE), "inside": (double.LEAST, 0.5)}.get(
            region, (-(2.0**52), -double.LEAST)
        )
        return Real(cell.constant((arb(low) + arb(high)) / 2) + cell.unknown((arb(high) - arb(low)) / 2), -1074)


SINE_OF_PI_OFF = BOUND  # of ``sinpi_pair``


def _parts_of_lgamma(x: Any) -> Any:
    r, whole = from_pole(x)
    is_pole = (x < 0.0) & (r == 0.0)
    kept = select((abs(x) > double.LEAST) & (x < double.HUGE) & ~is_pole, x, 1.0)
    negative, huge = kept < 0.0, (x >= double.HUGE) & (x < double.INFINITY)
    of_sine = select(negative, abs(r), 0.5)
    d, d_lo = sinpi_pair(of_sine)
    ahead, size = ahead_of(kept), abs(kept)
    nearer = lesser(size, log_gamma.SERIES - ahead)
    a, a_lo = fast_two_sum(size, ahead)
    far = greater(a, log_gamma.SERIES)
    inverse = 1.0 / (far * d)
    series = far, a_lo, inverse * d, *stirling(far, a_lo, inverse * d, *log_pair(far))
    base, base_lo, by_sine = any_log_gamma(ahead, size, d)
    of_log = select(negative, d, select((x < 0.5) | huge, abs(x), 1.0))
    found = ahead, nearer, *log_gamma_piece(ahead, nearer), *series, base, base_lo
    return *found, of_sine, d, d_lo, by_sine, d_lo * by_sine, of_log, *log_pair(of_log), whole, a


def _special_to_lgamma(x: Any) -> Any:
    r, _ = from_pole(x)
    is_pole = (x < 0.0) & (r == 0.0)
    plain = (abs(x) > double.LEAST) & (x < double.HUGE) & ~is_pole
    kept = select(plain, x, 1.0)
    huge = (x >= double.HUGE) & (x < double.INFINITY)
    a, _ = fast_two_sum(abs(kept), ahead_of(kept))
    return a < log_gamma.SERIES, plain, kept < 0.0, x < 0.5, x < 4.0, is_pole, huge, x == 0.0


def _double_lgamma() -> Sequence[Any]:
    whole = traced(double.lgamma, ("double",), ENCLOSURE)
    found = tuple(whole.places(_parts_of_lgamma, *("double",) * 21))
    is_piece, *regions = whole.places(_special_to_lgamma, *("bool",) * 8)
    cuts = (0, 4, 9, 11, 14, 16, 19)
    piece, series, base, of_sine, inverse, log = (found[i:j] for i, j in pairwise(cuts))
    conditions = tuple(regions[:4]), tuple(regions[4:])
    family = LogGamma(whole, piece, series, base, of_sine, inverse, log, found[-2], is_piece, found[-1], *conditions)
    return (
        Pieces(traced(log_gamma_piece, PAIR, PAIR)),
        *logarithm.double_log(),
        Stirling(traced(stirling, ("double",) * 5, PAIR), 2.0**300, None, 3.0 * ROUNDED),
        SinesOfPi(traced(sinpi_pair, ("double",), PAIR)),
        LinksOfLogGamma(family),
        ValuesOfLogGamma(family),
    )


_DOUBLE = {"tgamma": _double_tgamma, "lgamma": _double_lgamma}
NAMES = tuple(_DOUBLE)


def double_parts(name: str) -> Sequence[Any]:
    """The parts of the proof of one of double's kernels."""
    return _DOUBLE[name]()
