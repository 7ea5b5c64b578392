"""Second functions of double's lgamma: for arguments of one kind, and closer below 0.

They consist of the functions that the kernels consist of, too: what is proven of those is not proven again, but what
they are given here is, and what follows for the values.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import bits, clamp, fast_two_sum, greater, integer, lesser, select, take, two_sum
from clmath.ir.program import Value
from clmath.kernels.accurate import gamma as double
from clmath.kernels.accurate import log_gamma
from clmath.kernels.accurate.log_gamma import ahead_of, from_pole, log_gamma_piece, sine, stirling
from clmath.kernels.accurate.log_gamma import log_gamma as any_log_gamma
from clmath.kernels.accurate.logarithm import log1p_pair, log_pair, placed
from clmath.kernels.accurate.pairs import over_pair
from proofs.engine.execution import Execution, Real, constant
from proofs.engine.ideals import INVERSE, LOG, LOG_GAMMA, applied, log_gamma_about
from proofs.engine.models import GREATEST, Cell, Model, Unproven, dyadic, half_ulp, lower, upper
from proofs.engine.proof import OfFamily, Setting, enclosed
from proofs.engine.traced import Traced, traced
from proofs.families import double_gamma, logarithm
from proofs.families.double_gamma import (
    LOG_OFF,
    QUOTIENT_OFF,
    ROUNDED,
    at_series,
    half_unit_about,
    is_limit,
    same,
)
from proofs.families.floats import doubles_between, grid_of_doubles
from proofs.families.kinds import ENCLOSURE, PAIR
from proofs.families.stated import nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["SECOND"]

_TERMS = 26  # of ideal series


def _log_of(cell: Cell, exact: Model) -> tuple[Real, Real]:
    """A logarithm as ``log_pair`` gives it."""
    log_lo = cell.unknown(half_ulp(upper(exact.range())))
    hi = exact - log_lo + cell.unknown(LOG_OFF)
    return Real(hi, math.frexp(lower(hi.range()))[1] - 53), Real(log_lo, -1074)


@dataclass(frozen=True)
class Far:
    """Where log gamma is that of 1/x or a multiple of x: ``log`` is the argument of ``log_pair``, and what that gives.

    ``size``: |x|; ``zero``: whether x is 0; ``huge``: whether it is huge.
    """

    traced: Traced
    log: tuple[int, ...]
    size: int
    zero: int
    huge: int
    second_functions: frozenset[str] = frozenset({"far_lgamma"})


@dataclass(frozen=True)
class NextToZero(OfFamily):
    """-log|x| is log gamma, for every logarithm of |x| that is as near as ``log_pair`` is."""

    family: Far
    name: str = "far, next to 0"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Values of -log|x|."""
        for low, high in dyadic(-math.log(double.LEAST) * (1.0 - 2.0**-40), 745.0):
            yield 0, low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """They are all."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The logarithm is given; x is some number next to 0."""
        argument, *pair = self.family.log
        x, size = cell.unknown(double.LEAST), cell.unknown(double.LEAST)
        given: dict[int, Any] = {0: Real(x, -1074), self.family.size: Real(size, -1074), self.family.zero: False}
        given |= dict(zip(pair, _log_of(cell, -cell.argument()), strict=True))
        slope = log_gamma_about(1 + arb(0, double.LEAST), 2)[1]
        exact = cell.argument() + cell.constant(slope) * x

        def claims(run: Execution) -> list[tuple[Model, float]]:
            if run.output(3) != 0:
                raise Unproven("there is an exponent")
            return [enclosed(run, exact, (0, 1), 2), same(run, argument, size)]

        return Setting(given, claims)


@dataclass(frozen=True)
class FarOut(OfFamily):
    """x (log x - 1) is log gamma for huge x: with every logarithm that is as near as ``log_pair`` is."""

    family: Far
    name: str = "far, huge"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Quarters of binades."""
        for low in (math.ldexp(1.0, n) for n in range(math.frexp(double.HUGE)[1] - 1, 1024)):
            for i in range(4):
                yield 0, low * (1.0 + i / 4), low * (1.0 + (i + 1) / 4) if low < 2.0**1023 or i < 3 else GREATEST

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Arguments."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given, and its logarithm."""
        x, (argument, *pair) = cell.argument(), self.family.log
        given: dict[int, Any] = {0: Real(x, grid_of_doubles(cell.low, cell.high)), self.family.huge: True}
        given |= dict(zip(pair, _log_of(cell, applied(LOG, x, _TERMS)), strict=True))
        exact = applied(LOG_GAMMA, x, _TERMS).scaled(arb(2) ** -600)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            if run.output(3) != 600:
                raise Unproven("the exponent is another")
            return [enclosed(run, exact, (0, 1), 2), same(run, argument, x)]

        return Setting(given, claims)


@dataclass(frozen=True)
class Ordinary:
    """log gamma of positive x, and where in it functions stand that have parts of their own.

    ``piece``: the arguments of ``log_gamma_piece``, and what it gives; ``series``: a and 1/a of ``stirling``, and what
    it gives; ``log``: what ``log_pair`` gives for x; ``regions``: x < 1/2, x < 4; ``is_piece``: x < 16.
    """

    traced: Traced
    piece: tuple[int, ...]
    series: tuple[int, ...]
    log: tuple[int, ...]
    regions: tuple[int, ...]
    is_piece: int
    inside: frozenset[str] = frozenset({"near", "far", "inside"})
    second_functions: frozenset[str] = frozenset({"ordinary_lgamma"})

    @property
    def bases(self) -> tuple[tuple[int, ...], ...]:
        """Each of both, whichever it is that x asks for."""
        return self.piece[2:], self.series[2:]

    def conditions(self, which: str) -> dict[int, bool]:
        """What is known in a region of arguments."""
        return dict(zip(self.regions, (which == "inside", which != "far"), strict=True))

    def without_logarithm(self, _cell: Cell) -> dict[int, Any]:
        """Nothing is needed."""
        return {}


@dataclass(frozen=True)
class LinksOfOrdinary(OfFamily):
    """What the functions are given, argument by argument: below 16 a piece of x, or of 1 + x; x itself beyond.

    That the logarithm is that of x is in the trace.
    """

    family: Ordinary
    name: str = "links, ordinary"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades, the ends by themselves where the ways part."""
        for low, high in dyadic(double.LEAST, double.HUGE):
            count = 1 if high <= log_gamma.SERIES else 4
            for i in range(count):
                yield 0, low + (high - low) * i / count, low + (high - low) * (i + 1) / count
        yield 0, 0.5, 0.5
        yield 0, 16.0, 16.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Arguments."""
        if low == high:
            return Cell(low, high)
        last = arb(2) ** grid_of_doubles(low, high)
        return doubles_between(low + last * is_limit(low), high - last * is_limit(high))

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given."""
        family, x = self.family, cell.argument()
        far, inverse = family.series[:2]

        def claims(run: Execution) -> list[tuple[Model, float]]:
            if run.holds(Value(family.is_piece)):
                ahead = cell.constant(1 if cell.high < 0.5 else 0)
                return [nothing(cell), same(run, family.piece[0], ahead), same(run, family.piece[1], x)]
            exact = applied(INVERSE, x, _TERMS)
            rounded = run.real(Value(inverse)).model - exact, lower(exact.range()) * 2.0**-53 * ROUNDED
            return [nothing(cell), same(run, far, x), rounded]

        return Setting({0: Real(x, grid_of_doubles(cell.low, cell.high))}, claims)


_REACH = 0.25 * ROUNDED  # of distances from a zero, as shares of that from the pole
_CLOSEST = 2.0**-50  # of those shares, but for 0
SINE_CLOSER = 2.0**-74.3  # of what ``sine`` gives: tgamma needs less
RATIO_OFF, RATIO_ERROR = 2.0**-68.6, 2.0**-78.1  # of logarithms of 1 and such a share: of itself, and at most


@dataclass(frozen=True)
class Sums:
    """``log1p_pair``, and where k, j and m and the rounded sum stand in it."""

    traced: Traced
    cut: tuple[int, int, int]
    total: int


@dataclass(frozen=True)
class LogarithmsOfSums(OfFamily):
    """log(1 + t + t_lo) for |t| <= 1/4, to ``RATIO_OFF`` of it and ``RATIO_ERROR``, wherever m lies."""

    family: Sums
    name: str = "logarithms of sums"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Each place; binade by binade next to 1."""
        for place in range(logarithm.OF_DOUBLE.places):
            low, high = (end - 1.0 for end in logarithm.OF_DOUBLE.ends(place, 53))
            low, high = max(low - 2.0**-53, -_REACH), min(high + 2.0**-53, _REACH)
            if low < 0.0 < high:
                yield place, 0.0, 0.0
                yield from ((place, -last, -first) for first, last in dyadic(_CLOSEST, -low))
                yield from ((place, first, last) for first, last in dyadic(_CLOSEST, high))
            elif low < high:
                yield place, low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Values of t."""
        return Cell(low, high) if low == high else doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """T is given, and that k = 0 and m, which lies at its place, is the rounded sum."""
        (k, j, m), t = self.family.cut, cell.argument()
        is_point = bool(cell.low == cell.high)
        size = max(upper(cell.low), upper(cell.high))
        t_lo = cell.constant(0) if is_point else cell.unknown(half_ulp(size) * ROUNDED)
        cell.paired |= set(t_lo.terms)
        grid = 0 if is_point else grid_of_doubles(cell.low, cell.high)

        def of_total(run: Execution) -> Real:
            return run.real(Value(self.family.total))

        def claims(run: Execution) -> list[tuple[Model, float]]:
            hi, lo = (run.real_output(i).model for i in (0, 1))
            exact = applied(LOG, t + t_lo + cell.constant(1))
            least = lower(exact.range())
            return [(hi + lo - exact, min(RATIO_OFF * least, RATIO_ERROR)), (lo, 2.0**-52 * least)]

        return Setting({0: Real(t, grid), 1: Real(t_lo, -1074), k: 0, j: which, m: of_total}, claims)


@dataclass(frozen=True)
class Below:
    """What is found below 0, and where in it functions stand that have parts of their own.

    ``conditions_of``: that the kernel's bound is not 0 and x is negative, and that a zero is near; ``zero``: which one;
    ``quotient``: the distance from it over that from the pole; ``log_of_sum``: the logarithm of 1 and that. ``piece``:
    the argument of ``log_gamma_piece`` besides 1, and what it gives; ``series``: those of ``stirling`` but for the
    logarithm, and what it gives; ``base``: the pair that is chosen; ``of_sine``: the argument of ``sine``, and what it
    gives; ``inverse`` and ``log`` as in ``LogGamma``; ``whole``: the integer next to x; ``is_piece``, ``total``.
    """

    traced: Traced
    conditions_of: tuple[int, ...]
    zero: int
    quotient: tuple[int, ...]
    log_of_sum: tuple[int, ...]
    piece: tuple[int, ...]
    series: tuple[int, ...]
    base: tuple[int, ...]
    of_sine: tuple[int, ...]
    inverse: tuple[int, ...]
    log: tuple[int, ...]
    whole: int
    is_piece: int
    total: int
    inside: frozenset[str] = frozenset({"mirrored"})
    second_functions: frozenset[str] = frozenset({"refined_lgamma"})
    refines: bool = True

    @property
    def bases(self) -> tuple[tuple[int, ...], ...]:
        """The pair that is chosen."""
        return (self.base,)

    @property
    def sine_off(self) -> float:
        """That of ``sine``."""
        return SINE_CLOSER

    def conditions(self, which: str) -> dict[int, Any]:
        """What is known next to a zero, and elsewhere; there is no exponent."""
        return {**dict(zip(self.conditions_of, (True, which == "zero"), strict=True)), 4: 0}

    @staticmethod
    def mirror() -> arb:
        """The value with log gamma(1 - x) and the logarithm of what ``sine`` gives."""
        return arb(0)


@dataclass(frozen=True)
class LinksBelow(double_gamma.LinksOfLogGamma):
    """What the functions are given below 0: the distance from an integer, 1 - x; and which gives log gamma.

    That the logarithms are those of sizes of the sine, and of 1 - x rounded, is in the trace.
    """

    name: str = "links, refined"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Those below 0 of the whole kernel."""
        return (piece for piece in super().pieces() if piece[0] == "mirrored")

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given; results of functions are some numbers."""
        family, x = self.family, cell.argument()
        piece, series = ((cell.unknown(1), cell.unknown(2.0**-53)) for _ in range(2))
        given: dict[int, Any] = {0: Real(x, grid_of_doubles(cell.low, cell.high)), **family.conditions(which)}
        places = (family.piece[1:], piece), (family.series[3:], series)
        for numbers, models in places:
            given |= {number: Real(model, -300) for number, model in zip(numbers, models, strict=True)}
        given |= at_series(cell, family.is_piece, family.total, family.series[0])

        def claims(run: Execution) -> list[tuple[Model, float]]:
            is_piece = run.holds(Value(family.is_piece))
            found = [same(run, *pair) for pair in zip(family.base, piece if is_piece else series, strict=True)]
            if is_piece:
                found.append(same(run, family.piece[0], -x))
            else:
                a, a_lo = (run.real(Value(number)).model for number in family.series[:2])
                found += [(a + a_lo - (cell.constant(1) - x), 0.0), (a_lo, half_unit_about(a))]
            return [nothing(cell), *found, *self._distance(run, x)]

        return Setting(given, claims)

    def _distance(self, run: Execution, x: Model) -> list[tuple[Model, float]]:
        """The argument of the sine is the distance from an integer, and no larger than 1/2."""
        whole, r = run.real(Value(self.family.whole)), run.real(Value(self.family.of_sine[0])).model
        if whole.grid < 0:
            raise Unproven("x is taken to what may be no integer")
        return [(x - whole.model - r, 0.0), (r, 0.5 * ROUNDED)]


@dataclass(frozen=True)
class Zeros(OfFamily):
    """About a zero z of log|gamma|: for every x as far from it as is asked, whichever zero is next to x.

    gamma(x) = gamma(x + n + 1) / (x (x + 1) ... (x + n)), and x + n is the distance from the pole -n.
    """

    family: Below
    name: str = "zeros"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Distances t from each zero, binade by binade, both signs."""
        for zero in range(log_gamma.ZEROS):
            z, reach = float(log_gamma.ZERO[zero]), float(log_gamma.ZERO_REACH[zero])
            yield zero, 0.0, 0.0
            for low, high in dyadic(math.ulp(z), reach):
                yield zero, low, high
                yield zero, -high, -low

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Values of t for which x is a double."""
        unit = arb(math.ulp(float(log_gamma.ZERO[which])))
        first, last = (low / unit).ceil(), (high / unit).floor()
        return Cell(first * unit, last * unit) if first <= last else None

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given, and the logarithm of 1 and its share of the distance from the pole."""
        family, t = self.family, cell.argument()
        z, off = (float(entries[which]) for entries in (log_gamma.ZERO, log_gamma.ZERO_OFF))
        x, ratio = t + cell.constant(z), t.scaled(1 / arb(off))
        given: dict[int, Any] = {0: Real(x, int(math.log2(math.ulp(z)))), family.zero: which}
        given |= family.conditions("zero")
        log = applied(LOG, ratio + cell.constant(1), _TERMS)
        size = upper(log.range())
        log_lo = cell.unknown(2.0**-52 * size)
        log_off = cell.unknown(min(RATIO_OFF * size, RATIO_ERROR) + 2.0**-99 * size)
        pair = Real(log - log_lo + log_off, -1074), Real(log_lo, -1074)
        if cell.low == cell.high == 0:
            pair = constant(cell, 0.0), constant(cell, 0.0)
        given |= dict(zip(family.log_of_sum, pair, strict=True))

        def claims(run: Execution) -> list[tuple[Model, float]]:
            if run.output(3) != 0:
                raise Unproven("there is an exponent")
            close = enclosed(run, self._smooth(x, z, off) - log, (0, 1), 2)
            return [close] if cell.low == cell.high == 0 else [close, *self._quotient(run, ratio)]

        return Setting(given, claims)

    def _quotient(self, run: Execution, ratio: Model) -> list[tuple[Model, float]]:
        """The share as a pair, where it is not 0, which over anything is 0."""
        q, q_lo = (run.real(Value(number)).model for number in self.family.quotient)
        away = q + q_lo - ratio, lower(ratio.range()) * QUOTIENT_OFF
        return [away, (q_lo, half_ulp(upper(q.range())) * ROUNDED), (q, _REACH)]

    @staticmethod
    def _smooth(x: Model, z: float, off: float) -> Model:
        """log|gamma(x)| + log(1 + t/o)."""
        pole = round(off - z)
        if arb(z) - off != -pole:
            raise Unproven("the pole is none")
        total = applied(LOG_GAMMA, x + x.cell.constant(pole + 1), _TERMS) - x.cell.constant(abs(arb(off)).log())
        for k in range(pole):
            total -= applied(LOG, -x - x.cell.constant(k), _TERMS)
        return total


def _parts_far(x: Any) -> Any:
    huge = (x >= double.HUGE) & (x < double.INFINITY)
    argument = select((x < 0.5) | huge, abs(x), 1.0)
    return argument, *log_pair(argument), abs(x), x == 0.0, huge


def _far_lgamma() -> Sequence[Any]:
    whole = traced(double.far_lgamma, ("double",), ENCLOSURE)
    *log, size, zero, huge = whole.places(_parts_far, *("double",) * 4, "bool", "bool")
    family = Far(whole, tuple(log), size, zero, huge)
    return NextToZero(family), FarOut(family)


def _parts_of_ordinary(x: Any) -> Any:
    ahead, nearer, far = ahead_of(x), lesser(x, log_gamma.SERIES), greater(x, log_gamma.SERIES)
    log = log_pair(x)
    series = far, 1.0 / far, *stirling(far, 0.0, 1.0 / far, *log)
    return ahead, nearer, *log_gamma_piece(ahead, nearer), *series, *log


def _special_to_ordinary(x: Any) -> Any:
    return x < 0.5, x < 4.0, x < log_gamma.SERIES


def _ordinary_lgamma() -> Sequence[Any]:
    whole = traced(double.ordinary_lgamma, ("double",), ENCLOSURE)
    found = tuple(whole.places(_parts_of_ordinary, *("double",) * 10))
    *regions, is_piece = whole.places(_special_to_ordinary, *("bool",) * 3)
    family = Ordinary(whole, found[:4], found[4:8], (0, *found[8:]), tuple(regions), is_piece)
    values = double_gamma.ValuesOfLogGamma(family, "values, ordinary")
    return LinksOfOrdinary(family), values


def _below(x: Any, err: Any) -> Any:
    negative = (x < -double.LEAST) & (err > 0.0)
    return negative, select(negative, x, -2.5)


def _zero_below(x: Any, _hi: Any, _lo: Any, err: Any, _exponent: Any) -> Any:
    negative, kept = _below(x, err)
    r, whole = from_pole(kept)
    last = log_gamma.ZEROS - 1.0
    zero = integer(clamp(-2.0 * whole - 4.0 - select(r > 0.0, 1.0, 0.0), 0.0, last))
    t = kept - take(log_gamma.ZERO, zero)
    is_near = abs(t) <= take(log_gamma.ZERO_REACH, zero)
    quotient = over_pair(select(is_near, t, 0.0), 0.0, take(log_gamma.ZERO_OFF, zero), 0.0)
    return *quotient, *log1p_pair(*quotient), zero, negative, is_near


def _parts_below(x: Any, _hi: Any, _lo: Any, err: Any, _exponent: Any) -> Any:
    _, kept = _below(x, err)
    r, whole = from_pole(kept)
    d, d_lo = sine(r)
    nearer = lesser(-kept, log_gamma.SERIES - 1.0)
    a, a_lo = fast_two_sum(-kept, 1.0)
    far = greater(a, log_gamma.SERIES)
    inverse = 1.0 / (far * d)
    series = far, a_lo, inverse * d, *stirling(far, a_lo, inverse * d, *log_pair(far))
    base, base_lo, by_sine = any_log_gamma(1.0, -kept, d)
    found = nearer, *log_gamma_piece(1.0, nearer), *series, base, base_lo, r, d, d_lo, by_sine, d_lo * by_sine
    return *found, abs(d), *log_pair(abs(d)), whole, a, a < log_gamma.SERIES


def _refined_lgamma() -> Sequence[Any]:
    whole = traced(double.refined_lgamma, ("double", *ENCLOSURE), ENCLOSURE)
    *of_zero, zero, negative, is_near = whole.places(_zero_below, *("double",) * 4, "long", "bool", "bool")
    found = tuple(whole.places(_parts_below, *("double",) * 20, "bool"))
    family = Below(
        whole,
        (negative, is_near),
        zero,
        tuple(of_zero[:2]),
        tuple(of_zero[2:]),
        found[:3],
        found[3:8],
        found[8:10],
        found[10:13],
        found[13:15],
        found[15:18],
        found[18],
        is_piece=found[20],
        total=found[19],
    )
    return (
        double_gamma.Sines(traced(sine, ("double",), PAIR), name="sines over pi", off=SINE_CLOSER),
        *_logarithms_of_sums(),
        LinksBelow(family),
        Zeros(family),
        double_gamma.ValuesOfLogGamma(family, "values, refined"),
    )


def _cut_of_sum(t: Any, _: Any) -> Any:
    total, _ = two_sum(1.0, t)
    return bits(total), *placed(bits(total)), total


def _logarithms_of_sums() -> Sequence[Any]:
    whole = traced(log1p_pair, PAIR, PAIR)
    encoding, k, j, m, total = whole.places(_cut_of_sum, "long", "long", "long", "double", "double")
    places = logarithm.places_of("log1p_pair", whole, (k, j, m), encoding)
    return logarithm.Places(places, "places of sums"), LogarithmsOfSums(Sums(whole, (k, j, m), total))


SECOND: dict[tuple[str, str], Callable[[str], Sequence[Any]]] = {
    ("accurate", "lgamma"): lambda _: (*_far_lgamma(), *_ordinary_lgamma(), *_refined_lgamma()),
}
