"""Fine's tgamma and lgamma, by the functions that they consist of: each is proven with all that reaches it.

The logarithms are those of fine's log2, the sine that of fine's sinpi, the power of 2 as in fine's pow. What lies in
between are products and quotients of pairs, of which each is proven for all pairs of a binade: what the parts before
leave a pair off, as a share of it, is counted, and what the result is off is what the next one is given. ``Shares`` has
these once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import lane, select, two_sum
from clmath.ir.program import Constant, Value
from clmath.kernels.double import gamma as double
from clmath.kernels.double.boundaries import magnitude, normalised
from clmath.kernels.double.gamma import from_integer_modulo_2
from clmath.kernels.double.log_gamma import from_pole
from clmath.kernels.double.pairs import over_pair, plus, times, times_pair
from clmath.kernels.double.trigonometric import QUARTER, TINY_TURNS
from clmath.kernels.fine import gamma as fine
from clmath.kernels.fine import logarithm, trigonometric
from clmath.kernels.fine.gamma import mirror, product, shifted, stirling
from clmath.kernels.fine.power import log2_of_any, two_to_power
from clmath.kernels.fine.trigonometric import PI, of_turns
from proofs.engine.execution import Execution, Real, constant
from proofs.engine.ideals import INVERSE, LOG, LOG_GAMMA, applied, log_gamma_1p
from proofs.engine.models import Cell, Model, Unproven, binades, dyadic, half_ulp, lower, upper
from proofs.engine.proof import OfFamily, Setting, least_of
from proofs.engine.traced import Traced, traced
from proofs.families import narrowed, narrowed_power, narrowed_sums, narrowed_turns, power
from proofs.families.double_gamma import ROUNDED, half_unit_about
from proofs.families.double_power import check_rest
from proofs.families.floats import doubles_between, grid_of_doubles
from proofs.families.narrowed_power import clipped, log2_of_first, values_of_power
from proofs.families.pairs import EXPONENTS, SHORT, Operation, Pair, ones, product_of, quotient_of, some
from proofs.families.stated import nothing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clmath.ir.program import Kind

__all__ = ["NAMES", "fine_parts"]

_TERMS = 26  # of ideal series
_DOUBLES: tuple[Kind, ...] = ("double",) * 128
_FAR = 2.0**64  # from here on cells of the series may be longer
_MOST_SHARE = 2.0**-76  # of the bound of the power
_SOME = 77  # an exponent
_STEP, _STEP_OFF = 2.0**-52.4, 2.0**-104  # what the second part of a ratio adds to log2 of it, and how far that is off
_LEAST_P, _NEAR_P = 112.0, 290.0  # log2 of gamma(32), and of gamma(64), lie between these
_FAR_P, _REFLECTED_P = 2.0**309, 2.0**59  # log2 of gamma(HUGE), and of gamma(2^52), are less
_NEAR_LOGS, _FAR_LOGS = (68, 228), (-55, 55)  # between what log2 of the ratio lies, for |x| < STEPS and beyond
_LEAST_TOLD, _MOST_TOLD = -94, -89  # bounds of logarithms are smaller than 2^-94 of these, or lie between
_OF_HUGE = 600  # the exponent where x is huge


@dataclass(frozen=True)
class Shares:
    """How far pairs are from what they stand for at most, as shares of that.

    The ``product`` of a .. a + 31, the ``sine`` of pi x; a ``times`` and an ``over`` add as much.
    """

    product: float = 2.0**-98.5
    sine: float = trigonometric.BOUND
    times: float = 2.0**-102.3
    over: float = 2.0**-100

    def reflected(self, *operations: float) -> float:
        """Of pi times the product, over x times the sine, what has gone through such operations."""
        off = (1 + arb(self.product)) / (1 - arb(self.sine))
        for share in operations:
            off *= (1 + arb(share)) / (1 - arb(share))
        off -= 1
        return upper(off * (1 + arb(2) ** -90))


_SHARES = Shares()
_POWER = narrowed_power.CONTRACTS


# the product of a .. a + 31


@dataclass(frozen=True)
class OfProduct:
    """``product``, and where the pairs of a (a + 31), of other factors and of products so far stand in it."""

    traced: Traced
    first: tuple[int, int]
    factors: tuple[tuple[int, int], ...]
    products: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Product(OfFamily):
    """The product of a .. a + 31 as a pair, factor by factor."""

    family: OfProduct
    least: float = 2.0**-110
    name: str = "product"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades in eight parts; shorter ones from 1 on."""
        for low, high in dyadic(self.least, 1.0):
            for i in range(8):
                yield 0, low + (high - low) * i / 8, low + (high - low) * (i + 1) / 8
        for i in range(8, 8 * fine.STEPS):
            yield 0, i / 8, (i + 1) / 8

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Values of a."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """A is given."""
        family, a = self.family, cell.argument()
        given = {0: Real(a, grid_of_doubles(cell.low, cell.high))}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            first = exact = a * (a + cell.constant(fine.STEPS - 1))
            run, off = narrowed.relaxed(run, family.first, exact)
            for i, (factor, so_far) in enumerate(zip(family.factors, family.products, strict=True), 1):
                next_factor = first + cell.constant(i * (fine.STEPS - 1 - i))
                run, _ = narrowed.relaxed(run, factor, next_factor)
                exact = exact * next_factor
                check_rest(run, self.traced, so_far)
                run, off = narrowed.relaxed(run, so_far, exact)
            return [(off, _SHARES.product * lower(exact.range()))]

        return Setting(given, claims)


def _steps_of_product(a: Any) -> Any:
    """The pair of a (a + 31), then each other factor and the product so far."""
    second, second_lo = two_sum(a, fine.STEPS - 1.0)
    hi, lo = q, q_lo = times(second, second_lo, a)
    found = [q, q_lo]
    for i in range(1, fine.STEPS // 2):
        factor, factor_lo = plus(q, q_lo, float(i * (fine.STEPS - 1 - i)))
        hi, lo = times_pair(hi, lo, factor, factor_lo)
        found += [factor, factor_lo, hi, lo]
    return tuple(found)


def _product() -> Product:
    whole = traced(fine.product, ("double",), _DOUBLES[:2])
    found = whole.places(_steps_of_product, *_DOUBLES[: 2 * fine.STEPS - 2])
    first, *others = zip(found[::2], found[1::2], strict=True)
    return Product(OfProduct(whole, first, tuple(others[::2]), tuple(others[1::2])))


# Stirling's series


@dataclass(frozen=True)
class OfSeries:
    """``stirling``, and where log2 b with its bound, and the pair that it gives, stand in it."""

    traced: Traced
    log: tuple[int, int, int]
    found: tuple[int, int]


@dataclass(frozen=True)
class Stirling(OfFamily):
    """The series for any b and b_lo, and any log2 b within its bound.

    What that adds is no more than b times the bound: b_lo is less than 1/2, or it is 2^-53 of b, and what is left of
    the kernel's bound has room for it.
    """

    family: OfSeries
    top: float
    name: str = "series"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades in parts, shorter ones where more is left of the series."""
        for low, high in dyadic(float(fine.STEPS), self.top):
            count = 32 if high < _FAR else 16
            for i in range(count):
                yield 0, low + (high - low) * i / count, low + (high - low) * (i + 1) / count

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Values of b."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """All are given."""
        b, one = cell.argument(), 1 / arb(2).log()
        b_lo = cell.unknown(half_ulp(float(cell.high.upper())) * ROUNDED)
        exact = applied(LOG, b, _TERMS).scaled(one)
        size = upper(exact.range())
        half = cell.constant(_POWER.told * size * ROUNDED / 2)
        log_err = half + cell.unknown(_POWER.told * size * ROUNDED / 2)
        log_lo = cell.unknown(size * ROUNDED * 2.0**-53)
        log = exact - log_lo + cell.unknown(_POWER.told * size * ROUNDED)
        cell.paired |= {*b_lo.terms, *log_lo.terms}
        log_off = log + log_lo - exact
        given = {0: Real(b, grid_of_doubles(cell.low, cell.high)), 1: Real(b_lo, -1074)}
        grid = math.frexp(lower(exact.range()))[1] - 53
        given |= dict(zip(self.family.log, (Real(log, grid), Real(log_lo, -1074), Real(log_err, -1074)), strict=True))
        ideal = applied(LOG_GAMMA, b + b_lo, _TERMS).scaled(one)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            hi, lo, err = (run.real_output(i).model for i in range(3))
            check_rest(run, self.traced, self.family.found)
            off = log_off * (b + b_lo - cell.constant(arb(1) / 2))
            left = least_of(err - b * log_err) * (1.0 - 2.0**-20)
            return [(hi + lo - ideal - off, left), (err, _POWER.err * lower(hi.range()))]

        return Setting(given, claims, divides=False)


def _stirling(top: float) -> Stirling:
    whole = traced(fine.stirling, _DOUBLES[:2], _DOUBLES[:3])
    log, log_lo, log_err = whole.places(log2_of_first, *_DOUBLES[:3])
    hi, lo = (operand.number for _, operand in whole.program.outputs[:2])  # type: ignore[union-attr]
    return Stirling(OfSeries(whole, (log, log_lo, log_err), (hi, lo)), top)


# the sine


@dataclass(frozen=True)
class Sine(narrowed_turns.At):
    """As in sinpi, also where x is a half and its sine 1; the second part is what is left of a sum."""

    name: str = "sine"
    pair: tuple[int, int] = (0, 0)

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Those of sinpi, and the multiples of 1/2 that are no integers."""
        yield from super().pieces()
        for n in (QUARTER, 3 * QUARTER):
            yield n, 0.0, 0.0

    def setting(self, which: Any, cell: Cell) -> Setting:
        """As in sinpi."""
        found = super().setting(which, cell)

        def claims(run: Execution) -> Sequence[tuple[Model, float]]:
            check_rest(run, self.traced, self.pair)
            return found.claims(run)

        return Setting(found.given, claims, divides=False)


def _parts_of_sine(top: float) -> tuple[Any, ...]:
    """What is proven of sinpi, for all that is larger than TINY_TURNS."""
    reduction, _, tails, value = narrowed_turns.fine_parts("sinpi")
    hi, lo = value.traced.places(_sine, *_DOUBLES[:2])
    return replace(reduction, top=top), tails, Sine(value.family, pair=(hi, lo))


def _sine(x: Any, *_: Any) -> Any:
    return of_turns(x)[:2]


# what both kernels have in common


@dataclass(frozen=True, kw_only=True)
class Gamma:
    """A kernel, and where in it the functions stand that have parts of their own.

    Conditions: ``near``: that |x| is less than STEPS; ``negative``: that x is less than zero; ``usual``: what others
    are for arguments that are not special. ``of_product`` and ``product``: the argument of ``product``, and what it
    gives; ``below``: that, or 1; ``base``: b and b_lo; ``p``: what ``stirling`` gives; ``sine``: that of pi x;
    ``mirror``: x times that. ``own``: the kernel's own enclosure.
    """

    traced: Traced
    near: int
    negative: int
    usual: Mapping[int, bool]
    of_product: int
    product: tuple[int, int]
    below: tuple[int, int]
    base: tuple[int, int]
    p: tuple[int, int, int]
    sine: tuple[int, int]
    mirror: tuple[int, int]
    own: narrowed.Own


@dataclass(frozen=True)
class Links(OfFamily):
    """What the functions are given, argument by argument: b + b_lo is |x|, or that and STEPS, as its product is."""

    family: Gamma
    above: tuple[float, float]
    under: tuple[float, float]
    name: str = "links"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades, both signs; STEPS, where the ways part, by itself."""
        for sign, ends in ((1, self.above), (-1, self.under)):
            yield False, sign * fine.STEPS, sign * fine.STEPS
            for low, high in dyadic(*ends):
                first = math.nextafter(low, high) if low == fine.STEPS else low
                low_end, high_end = sorted((sign * first, sign * math.nextafter(high, 0.0)))
                yield high <= fine.STEPS, low_end, high_end

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Arguments."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given; the product is some number."""
        family, x = self.family, cell.argument()
        size = x if cell.low > 0 else -x
        product = cell.constant(1.5) + cell.unknown(0.5), cell.unknown(2.0**-53)
        given: dict[int, Any] = {0: Real(x, grid_of_doubles(cell.low, cell.high)), **family.usual}
        given |= {number: Real(model, -1074) for number, model in zip(family.product, product, strict=True)}
        below = product if which else (cell.constant(1), cell.constant(0))

        def claims(run: Execution) -> list[tuple[Model, float]]:
            if run.value(Value(family.near)) is not which:
                raise Unproven("the product is taken elsewhere")
            b, b_lo = (run.real(Value(number)).model for number in family.base)
            ahead = cell.constant(fine.STEPS if which else 0)
            found = [nothing(cell), (b + b_lo - size - ahead, 0.0), (b_lo, half_unit_about(b))]
            if which:
                found.append((run.real(Value(family.of_product)).model - size, 0.0))
            pairs = zip(family.below, below, strict=True)
            return found + [(run.real(Value(number)).model - model, 0.0) for number, model in pairs]

        return Setting(given, claims)


def _mirrored(family: Gamma) -> Operation:
    """X sin(pi x) for negative x."""
    known = {**family.usual, family.negative: True}
    return Operation(family, "mirror", Pair((0,)), Pair(family.sine), family.mirror, product_of, _SHARES.times, known)


def _parts_of_log2() -> tuple[Any, ...]:
    """What is proven of log2 x as pow has it, of fine's log2, which has the same; and that log2 1 is 0."""
    whole = narrowed.fine_trace(logarithm.log2)
    hi, lo, err = whole.places(log2_of_first, *_DOUBLES[:3])
    return *narrowed_power.log2_of(whole), OfOne(_OfLog2(whole), (hi, lo, err))


@dataclass(frozen=True)
class _OfLog2:
    """Fine's log2."""

    traced: Traced


@dataclass(frozen=True)
class OfOne(OfFamily):
    """The logarithm of 1 is 0, and so is its bound."""

    family: Any
    found: tuple[int, int, int]
    name: str = "logarithm of 1"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """That."""
        yield 0, 1.0, 1.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """1."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given."""

        def claims(run: Execution) -> list[tuple[Model, float]]:
            return [nothing(cell), *((run.real(Value(number)).model, 0.0) for number in self.found)]

        return Setting({0: constant(cell, 1.0)}, claims)


# tgamma


@dataclass(frozen=True, kw_only=True)
class OfTgamma(Gamma):
    """Tgamma. ``power``: the power of 2, ``k`` its exponent, ``share``: its bound as a share of it.

    Where x is negative, ``over`` and ``under`` are what is divided.
    """

    power: tuple[int, int]
    k: int
    share: int
    over: tuple[int, int]
    under: tuple[int, int]


@dataclass(frozen=True)
class Values(OfFamily):
    """The kernel's value for any power of 2, any product and any mirror; whatever the exponents are.

    The power is off by less than its bound, as ``narrowed_power.Power`` has it, by enough for the kernel's ``share``,
    the bound over the power, to be what it is off, in spite of its rounding; what is claimed is that the quotient is
    off by no more besides than what the bound leaves. The exponents of both kernels are those of gamma at places that
    are 32 apart at most, 2^180 or so: the power of two between them is any of 2^-400 .. 2^400 here.
    Beyond TOP both are those of numbers beyond every double; -x that is less than TINY_TURNS has no mirror but 0, so
    that the kernel's own bound is no number.
    """

    family: OfTgamma
    name: str = "values"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Short ones of what is divided by, both signs where x is negative, for each half of the other one."""
        for half in range(2):
            for low, high in ones(SHORT):
                yield (False, half), low, high
                yield (True, half), low, high
                yield (True, half), -high, -low

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """What is divided by."""
        return Cell(low, high, EXPONENTS)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Both pairs, the share, the power of two and k are given."""
        family, (negative, half) = self.family, which
        above, first = Pair(family.over if negative else family.power).given(some(cell, half))
        under, last = Pair(family.under if negative else family.below).given(cell.argument())
        share = cell.constant(_MOST_SHARE / 2) + cell.unknown(_MOST_SHARE / 2)
        counted = cell.constant(_SHARES.reflected(*[_SHARES.times] * 3) if negative else _SHARES.product) + share
        cell.paired |= set(share.terms)
        given = {**above, **under, **family.usual, family.negative: negative, family.share: Real(share, -1074)}
        given |= {family.own.taken: True, family.own.scale: Real(cell.constant(1), 0, 1, 1), family.k: _SOME}
        ideal = quotient_of(first, last)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            if run.value(family.own.exponent) != (-_SOME if negative else _SOME):
                raise Unproven("the exponent is another")
            results = [run.real_output(i) for i in range(3)]
            if [found.power for found in results] != [1, 1, 1]:
                raise Unproven("the exponent that is told is not taken off")
            hi, lo, err = (found.model for found in results)
            size = hi if hi.range() > 0 else -hi
            return [(hi + lo - ideal, least_of(err - size * counted) * (1.0 - 2.0**-30))]

        return Setting(given, claims, divides=False)


def _pi(a: Model) -> Model:
    return a.scaled(arb.pi())


def _minus_pi(a: Model) -> Model:
    return a.scaled(-arb.pi())


def _products(family: OfTgamma) -> tuple[Operation, ...]:
    """What is divided where x is negative."""
    known = {family.negative: True}
    power, mirrored = Pair(family.power), Pair(family.mirror)
    return (
        Operation(family, "over", Pair(family.below), None, family.over, _minus_pi, _SHARES.times, known),
        Operation(family, "under", mirrored, power, family.under, product_of, _SHARES.times, known),
    )


# lgamma


@dataclass(frozen=True, kw_only=True)
class OfLgamma(Gamma):
    """Lgamma. ``tiny`` and ``huge``: conditions of x of which the logarithm is all; ``far``: |x| is HUGE or more.

    ``kept_negative``: that x is less than zero where it is used. ``over``: pi times the product, ``reflected``: that
    over the mirror; ``ratio``: that or the product; ``log``: its log2 and the bound of that, ``step``: what the second
    part of the ratio adds.
    """

    tiny: int
    huge: int
    far: int
    kept_negative: int
    over: tuple[int, int]
    reflected: tuple[int, int]
    ratio: tuple[int, int]
    log: tuple[int, int, int]
    step: int

    def sign(self, *, negative: bool) -> dict[int, bool]:
        """Whether x is less than zero."""
        return {self.negative: negative, self.kept_negative: negative}


@dataclass(frozen=True)
class Step(OfFamily):
    """What the second part of the ratio adds to its logarithm, but for ``_STEP_OFF``: for every power of two."""

    family: OfLgamma
    name: str = "step of the ratio"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Short ones, both signs."""
        for low, high in ones(64):
            yield 0, low, high
            yield 0, -high, -low

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of the first part."""
        return Cell(low, high, EXPONENTS)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The ratio is given."""
        family, hi = self.family, cell.argument()
        given, both = Pair(family.ratio).given(hi, 1)
        change = (both - hi) * applied(INVERSE, hi) + cell.constant(1)
        ideal = applied(LOG, change).scaled(1 / arb(2).log())

        def claims(run: Execution) -> list[tuple[Model, float]]:
            step = run.real(Value(family.step))
            if step.power:
                raise Unproven("a step has a power of two")
            return [(step.model - ideal, _STEP_OFF), (step.model, _STEP)]

        return Setting({**given, **family.usual}, claims, divides=False)


def _told(cell: Cell, size: float) -> Model:
    """Any bound up to that size."""
    return cell.constant(size / 2) + cell.unknown(size / 2)


def _enclosed_at(places: Sequence[int], hi: Model, err: Model) -> tuple[dict[int, Any], Model]:
    """What is given of a pair, of which ``hi`` is the first part, and of its bound, where these stand; and the sum."""
    lo = hi.cell.unknown(upper(hi.range()) * 2.0**-53)
    reals = (Real(part, -1074) for part in (hi, lo, err))
    return dict(zip(places, reals, strict=True)), hi + lo


@dataclass(frozen=True)
class ValuesOfLgamma(OfFamily):
    """The kernel's value for any p and any log2 of a ratio; both are off by their bounds, and the ratio by its share.

    Cells are those of p; ``which`` has whether x is negative, and between what the logarithm lies, if there is one.
    """

    family: OfLgamma
    name: str = "values"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Where |x| < STEPS, with pieces of the logarithm; where it is not, alone, or with those of a reflection."""
        for negative in (False, True):
            for i in range(_NEAR_LOGS[0], _NEAR_LOGS[1], 4):
                for low, high in dyadic(_LEAST_P, _NEAR_P):
                    yield (negative, i, i + 4), low, high
        for low, high in dyadic(_LEAST_P, _FAR_P):
            yield (False, 0, 0), low, high
        for i in range(_FAR_LOGS[0], _FAR_LOGS[1], 2):
            for low, high in dyadic(_LEAST_P, _REFLECTED_P):
                yield (True, i, i + 2), low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of p."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """P and the logarithm are given, and their bounds."""
        family, (negative, least, most) = self.family, which
        p_err = _told(cell, _POWER.err * upper(cell.argument().range()))
        of_p, exact = _enclosed_at(family.p, cell.argument(), p_err)
        log, log_err, step = (cell.constant(0) for _ in range(3))
        off = 0.0
        if least < most:
            log = cell.constant((least + most) / 2) + cell.unknown((most - least) / 2)
            log_err, step = _told(cell, _POWER.told * max(-least, most)), cell.unknown(_STEP)
            off = (_SHARES.reflected(*[_SHARES.times] * 2, _SHARES.over) if negative else _SHARES.product) * (
                1.0 + 2.0**-40
            ) + _STEP_OFF
        of_log, of_ratio = _enclosed_at(family.log, log, log_err)
        given = {**of_p, **of_log, family.step: Real(step, -1074), **family.usual}
        given |= {**family.sign(negative=negative), **family.own.given()}
        ideal = (exact - of_ratio - step).scaled(arb(2).log() * (-1 if negative else 1))
        told = (p_err + log_err).scaled(arb(2).log()) + cell.constant(off)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            return [family.own.within(run, ideal, told)]

        return Setting(given, claims, divides=False)


@dataclass(frozen=True)
class Tiny(OfFamily):
    """The kernel's value for |x| below TINY_TURNS: log2 |x| within its bound, and the series about 0."""

    family: OfLgamma
    name: str = "tiny"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades of doubles, both signs, by their exponents."""
        for _, low, high in binades(2.0**-1074, TINY_TURNS):
            yield math.frexp(low)[1], low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Doubles."""
        return doubles_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument and its logarithm are given."""
        family, x = self.family, cell.argument()
        log = cell.constant(which - arb(1) / 2) + cell.unknown(0.51)
        log_err = _told(cell, _POWER.told * -which * 1.1)
        given, of_x = _enclosed_at(family.log, log, log_err)
        given |= {0: Real(x, grid_of_doubles(cell.low, cell.high)), family.tiny: True}
        given |= {family.huge: False, family.far: False, **family.own.given()}
        ideal = log_gamma_1p(x) - of_x.scaled(arb(2).log())

        def claims(run: Execution) -> list[tuple[Model, float]]:
            return [family.own.within(run, ideal, log_err.scaled(arb(2).log()))]

        return Setting(given, claims, divides=False)


@dataclass(frozen=True)
class Huge(OfFamily):
    """The kernel's value from HUGE on: x (log x - 1), for any x 2^-k between 1 and 2, k whatever it is.

    What that leaves out, log(2 pi / x)/2 and less, is 2^-280 of x at most.
    """

    family: OfLgamma
    name: str = "huge"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Pieces of log2 x, with those of x 2^-k and of the logarithm's bound."""
        for i in range(16):
            for bound in (0.0, *(2.0**k for k in range(_LEAST_TOLD, _MOST_TOLD))):
                for low, high in dyadic(math.log2(double.HUGE) - 0.01, 1024.01):
                    yield (i, bound), low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of log2 x."""
        return Cell(low, high, (300, 1023))

    def setting(self, which: Any, cell: Cell) -> Setting:
        """X and its logarithm are given."""
        family, log, (i, bound) = self.family, cell.argument(), which
        x = cell.constant(arb(2 * i + 33) / 32) + cell.unknown(arb(1) / 32)
        cell.wide |= set(x.terms)
        size = upper(log.range())
        log_err = cell.constant(bound * size) + _told(cell, (bound or 2.0**_LEAST_TOLD) * size)
        given, of_x = _enclosed_at(family.log, log, log_err)
        given |= {0: Real(x, -52, 1), family.tiny: False, family.huge: True, family.far: True}
        given |= {family.negative: False, **family.own.given()}
        left = of_x.scaled(arb(2).log()) - cell.constant(1) + cell.unknown(2.0**-280)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            results = [run.real_output(i) for i in range(3)]
            if run.value(family.own.exponent) != _OF_HUGE or [found.power for found in results] != [1, 1, 1]:
                raise Unproven("the exponent is another")
            hi, lo, err = (found.model.scaled(arb(2) ** _OF_HUGE) for found in results)
            told = (x * log_err).scaled(arb(2).log())
            return [(hi + lo - x * left, least_of(err - told))]

        return Setting(given, claims, divides=False)


# where these stand in the traces


def _shifted(x: Any) -> Any:
    """What is multiplied, the product, that or 1; b and b_lo; what stirling gives."""
    a = abs(x)
    near = a < fine.STEPS
    kept = select(near, a, 1.0)
    b, b_lo = two_sum(a, select(near, float(fine.STEPS), 0.0))
    _, _, _, below, below_lo = shifted(a)
    return kept, *product(kept), below, below_lo, b, b_lo, *stirling(b, b_lo)


def _parts_of_gamma(x: Any) -> Any:
    sine, sine_lo, _, _ = of_turns(x)
    return *_shifted(x), sine, sine_lo, *times(sine, sine_lo, x)


def _conditions(x: Any, *_: Any) -> Any:
    return abs(x) < fine.STEPS, x < 0.0


def _parts_of_tgamma(x: Any, *_: Any) -> Any:
    """Those of both kernels; the power, its share, and what is divided."""
    found = _parts_of_gamma(x)
    power, power_lo, power_err, _ = two_to_power(*found[7:10])
    of_pi, of_pi_lo = select(x < 0.0, -PI[0], 1.0), select(x < 0.0, -PI[1], 0.0)
    divided = *times_pair(found[3], found[4], of_pi, of_pi_lo), *times_pair(power, power_lo, *mirror(x))
    return *found, power, power_lo, power_err / power, *divided


def _power_of_p(x: Any, *_: Any) -> Any:
    return values_of_power(*_shifted(x)[7:10])


def _clipped_p(x: Any, *_: Any) -> Any:
    return clipped(_shifted(x)[7])


def _exponent_of_p(x: Any, *_: Any) -> Any:
    return (two_to_power(*_shifted(x)[7:10])[3],)


def _places(found: Sequence[int]) -> dict[str, Any]:
    """Where values of both kernels are."""
    of_product, p1, p2, b1, b2, base, base_lo, p, p_lo, p_err, s1, s2, m1, m2 = found
    return {
        "of_product": of_product,
        "product": (p1, p2),
        "below": (b1, b2),
        "base": (base, base_lo),
        "p": (p, p_lo, p_err),
        "sine": (s1, s2),
        "mirror": (m1, m2),
    }


def _of_tgamma(whole: Traced) -> OfTgamma:
    found = whole.places(_parts_of_tgamma, *_DOUBLES[:21])
    near, negative = whole.places(_conditions, "bool", "bool")
    power, power_lo, share, o1, o2, u1, u2 = found[14:]
    (k,) = whole.places(_exponent_of_p, "long")
    return OfTgamma(
        traced=whole,
        near=near,
        negative=negative,
        usual={},
        own=narrowed.own_of(whole),
        power=(power, power_lo),
        k=k,
        share=share,
        over=(o1, o2),
        under=(u1, u2),
        **_places(found[:14]),
    )


def _parts_of_power(family: OfTgamma) -> tuple[Any, ...]:
    """What is proven of the power of 2 as of those of pow."""
    whole, p = family.traced, family.p
    n, r, r_lo, rise, rise_lo, *parts = whole.places(_power_of_p, "long", *_DOUBLES[:7])
    of_power = narrowed_power.Family(
        "tgamma",
        whole,
        p[:2],
        p[:2],
        (r, r_lo),
        n,
        dict.fromkeys(whole.places(_clipped_p, "bool", "bool"), False),
        None,
        size=p[2],
        log_err=p[2],
        p_err=p[2],
        rise=(rise, rise_lo),
        parts=(parts[0], parts[1], parts[2]),
        own=replace(family.own, exponent=Value(family.k)),
    )
    rises = narrowed_sums.Rise(of_power, "rise of the power")
    return power.Reduction(of_power, "reduction of the power"), rises, narrowed_power.Power(of_power)


@lane
def _kept(x: Any) -> Any:
    a = abs(x)
    return select((a < TINY_TURNS) | (a >= double.HUGE), 1.0, x)


@lane
def _alone(x: Any) -> Any:
    return (abs(x) < TINY_TURNS) | (x >= double.HUGE)


def _parts_of_lgamma(x: Any, *_: Any) -> Any:
    """Those of both kernels; what is divided, the ratio, its logarithm and the step."""
    kept = _kept(x)
    found = _parts_of_gamma(kept)
    below, below_lo = found[3], found[4]
    over = times_pair(below, below_lo, PI[0], PI[1])
    reflected, reflected_lo = over_pair(*over, *mirror(kept))
    ratio, ratio_lo = select(kept < 0.0, reflected, below), select(kept < 0.0, reflected_lo, below_lo)
    log = log2_of_any(normalised(magnitude(select(_alone(x), x, ratio))))
    step = select(_alone(x), 0.0, ratio_lo / ratio * fine.LOG2_E[0])
    return *found, *over, reflected, reflected_lo, ratio, ratio_lo, *log, step


def _conditions_of_lgamma(x: Any, *_: Any) -> Any:
    kept = _kept(x)
    return abs(kept) < fine.STEPS, x < 0.0, kept < 0.0, abs(x) < TINY_TURNS, x >= double.HUGE, abs(x) >= double.HUGE


def _of_lgamma(whole: Traced) -> OfLgamma:
    found = whole.places(_parts_of_lgamma, *_DOUBLES[:24])
    near, negative, kept_negative, tiny, huge, far = whole.places(_conditions_of_lgamma, *("bool",) * 6)
    o1, o2, r1, r2, ratio, ratio_lo, log, log_lo, log_err, step = found[14:]
    return OfLgamma(
        traced=whole,
        near=near,
        negative=negative,
        usual={tiny: False, huge: False, far: False},
        own=narrowed.own_of(whole),
        tiny=tiny,
        huge=huge,
        far=far,
        kept_negative=kept_negative,
        over=(o1, o2),
        reflected=(r1, r2),
        ratio=(ratio, ratio_lo),
        log=(log, log_lo, log_err),
        step=step,
        **_places(found[:14]),
    )


def _ratio(family: OfLgamma) -> tuple[Operation, ...]:
    """What is divided where x is negative, and the quotient."""
    known = {**family.usual, **family.sign(negative=True)}
    mirrored, over = Pair(family.mirror), Pair(family.over)
    return (
        Operation(family, "over", Pair(family.below), None, family.over, _pi, _SHARES.times, known),
        Operation(family, "ratio", mirrored, over, family.reflected, quotient_of, _SHARES.over, known),
    )


def _check_sizes() -> None:
    """LookupError where what the parts are given is more than what they leave.

    A double x is 2^-53 |x| or more from an integer other than 0, and |sin(pi x)| is twice that or more: x times the
    sine is 2^-52 x^2 or more, which is above 2^-47 from 6 on. Below 6 the product is less than 2^140, and the ratio is
    less than 2^195; next to 0 that is 31!/|x|.
    """
    places = fine.STEPS, 2 * fine.STEPS, double.HUGE, 2.0**52, 1 - double.BOTTOM
    p = [arb(n).lgamma() / arb(2).log() for n in places]
    least, most = (arb(n).fac() for n in (fine.STEPS - 1, 2 * fine.STEPS - 1))
    logs = [x.log() / arb(2).log() for x in (least * TINY_TURNS, most / least * arb.pi() * 2.0**47)]
    beyond = [x.log() / arb(2).log() for x in (arb.pi() / 2.0**52, arb.pi() * 2.0**47 / fine.STEPS)]
    lower_ends, upper_ends = (_LEAST_P, _NEAR_LOGS[0], _FAR_LOGS[0]), (_NEAR_P, _NEAR_LOGS[1], _FAR_LOGS[1])
    holds = all(a < b for a, b in zip(lower_ends, (p[0], logs[0], beyond[0]), strict=True))
    holds &= all(a > b for a, b in zip(upper_ends, (p[1], logs[1], beyond[1]), strict=True))
    holds &= all(a < b for a, b in zip(p[2:], (_FAR_P, _REFLECTED_P, _POWER.top), strict=True))
    if not (holds and _POWER.err * _POWER.top + 2.0**-99 < _MOST_SHARE):
        raise LookupError("what a part is given may be more than what the one before it leaves")


def _check_told(kernel: Traced, exact: int) -> None:
    """LookupError where the double kernel may tell a bound that is not 0 of arguments that no part speaks of."""
    err, zero = kernel.program.outputs[2][1], Constant("double", 0)
    if kernel.named(err, kernel.names_where({exact: True})) != kernel.named(zero, ()):
        raise LookupError("the double kernel may tell a bound of what is not ordinary")


def _exact_of_tgamma(x: Any) -> Any:
    _, _, is_pole = from_integer_modulo_2(x)
    below, undefined = (x < double.BOTTOM) & ~is_pole, is_pole | (x != x)
    return (below | undefined | (x == 0.0) | (x == double.INFINITY),)


def _exact_of_lgamma(x: Any) -> Any:
    r, _ = from_pole(x)
    is_pole = (x < 0.0) & (r == 0.0)
    return is_pole | (x == 0.0) | (abs(x) == double.INFINITY) | (x != x), (x >= double.HUGE) & (x < double.INFINITY)


def _lgamma() -> tuple[Any, ...]:
    family = _of_lgamma(narrowed.fine_trace(fine.lgamma))
    there = traced(double.lgamma, ("double",), (*_DOUBLES[:3], "long"))
    exact, huge = there.places(_exact_of_lgamma, "bool", "bool")
    _check_told(there, exact)
    for holds in (False, True):
        narrowed.exponents_agree(family.traced, {family.huge: holds}, there, {huge: holds})
    ends = (TINY_TURNS, double.HUGE), (TINY_TURNS, 2.0**52)
    return (
        *_parts_of_log2(),
        _stirling(double.HUGE),
        _product(),
        *_parts_of_sine(2.0**52),
        Links(family, *ends),
        _mirrored(family),
        *_ratio(family),
        Step(family),
        ValuesOfLgamma(family),
        Tiny(family),
        Huge(family),
    )


def _tgamma() -> tuple[Any, ...]:
    family = _of_tgamma(narrowed.fine_trace(fine.tgamma))
    there = traced(double.tgamma, ("double",), (*_DOUBLES[:3], "long"))
    _check_told(there, *there.places(_exact_of_tgamma, "bool"))
    ends = (double.VANISHING, math.nextafter(double.TOP, math.inf)), (TINY_TURNS, math.nextafter(-double.BOTTOM, 200.0))
    return (
        *_parts_of_log2(),
        _stirling(-double.BOTTOM),
        _product(),
        *_parts_of_sine(2.0**51),
        Links(family, *ends),
        *_parts_of_power(family),
        _mirrored(family),
        *_products(family),
        Values(family),
    )


_FINE = {"tgamma": _tgamma, "lgamma": _lgamma}
NAMES = tuple(_FINE)


def fine_parts(name: str) -> tuple[Any, ...]:
    """The parts of the proof of one of fine's kernels."""
    _check_sizes()
    return _FINE[name]()
