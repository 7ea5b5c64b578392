"""Double's erf and erfc: erf as it stands; erfc by its polynomial, the square, the power of that, and their product.

erfc a = e^(-a^2) R(a). That R(a) is as near as is said to e^(a^2) erfc a is proven for every a at each place of the
table; what the reduction leaves of a^2, which is an exact sum of two doubles, for all such sums; the power of that at
every entry of its table; and then the product, and what that leaves of 2, for all that these may be.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb, fmpq

from clmath.ir.lanes import bits, fast_two_sum, from_bits, select, two_product
from clmath.ir.program import Value
from clmath.kernels.double import error_function as double
from clmath.kernels.double import near_zero
from clmath.kernels.double.error_function import smooth, tame
from clmath.kernels.double.exponential import fine_exp, reduced
from proofs.engine.execution import Execution, Power, Real, Residue, Span, constant
from proofs.engine.ideals import ERF, ERFC, EXP, applied
from proofs.engine.models import GREATEST, Cell, Model, Unproven, dyadic, half_ulp, lower
from proofs.engine.proof import OfFamily, Setting, enclosed
from proofs.engine.traced import Traced, traced
from proofs.families import exponential
from proofs.families.stated import nothing
from proofs.statements import EnclosedError, EnclosedProduct, EnclosedSum, Known, Reduced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clmath.ir.program import Kind

__all__ = ["double_parts"]

_DOUBLE = 53  # digits
_LEAST = 2.0**-1074
_BESIDE = 2.0**-80  # what stands for something too small to see
_INVISIBLE = 2.0**-60  # what is no larger, beside 1, is too small to see
_UNDERFLOWS = arb(2) ** -1080


def _finest(cell: Cell) -> int:
    """All doubles of a cell, which have one sign, are multiples of 2 to this power."""
    found = exponential.grid(*(float(end.abs_lower()) for end in (cell.low, cell.high)), width=_DOUBLE)
    return max(found, -1074)


# erf

_PER_UNIT = 16  # pieces of erf between 0 and 1
_FIRST = 0.5 / _PER_UNIT  # less belongs to the first piece
_TIE = 0.05  # closer to where two pieces meet, in pieces, cells are of both


@dataclass(frozen=True)
class Sizes:
    """Erf on sizes of arguments, be they subnormal, up to where it rounds like 1; and that of -x is its negative.

    ``small``: where it stands whether the argument is scaled.
    """

    traced: Traced
    small: int
    name: str = "arguments"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binade by binade in the first piece of the table; the others, and where two of them meet."""
        places = round(double.SATURATED * _PER_UNIT)
        meeting = [(j + 0.5 + side * _TIE) / _PER_UNIT for j in range(1, places) for side in (-1, 1)]
        for low, high in (*dyadic(_LEAST, double.TINY), *dyadic(double.TINY, _FIRST)):
            yield "inside", low, math.nextafter(high, 0.0)
        for low, high in pairwise((_FIRST, *meeting, math.nextafter(double.SATURATED, 0.0))):
            yield "inside", low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Sizes of arguments."""
        return Cell(low, high)

    def statement(self, low: float, high: float) -> EnclosedError:
        """The same as plain data, of positive arguments that are not scaled."""
        known = Known(0, exponential.grid(low, high, width=_DOUBLE), false=(self.small,))
        return EnclosedError(known, (), "erf", _outputs(self.traced, 0, 1), _outputs(self.traced, 2)[0])

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given."""

        def claims(run: Execution) -> list[tuple[Model, float]]:
            opposite, exponent = run.mirrored(), run.output(3)
            if exponent not in {0, near_zero.DOWN} or opposite.output(3) != exponent:
                raise Unproven("the exponent is another")
            ideal = applied(ERF, cell.argument()).scaled(arb(2) ** -exponent)
            return [enclosed(run, ideal, (0, 1), 2), enclosed(opposite, -ideal, (0, 1), 2)]

        return Setting({0: Real(cell.argument(), _finest(cell))}, claims)


def _outputs(whole: Traced, *indices: int) -> tuple[int, ...]:
    """Where the program has what it returns there."""
    found = [whole.program.outputs[index][1] for index in indices]
    return tuple(operand.number for operand in found if isinstance(operand, Value))


@dataclass(frozen=True)
class Decided:
    """Where a kernel says that its value is hi, and something too small to see: so it is.

    Sizes of arguments between ``low`` and ``high``, of which the ``conditions`` hold or do not, by number; hi and lo
    are what the kernel gives, with the exponent and err 0.
    """

    conditions: tuple[tuple[int, bool], ...]
    low: float
    high: float
    hi: float
    lo: float

    def missed(self) -> arb:
        """What |f(x)| differs from |hi| by is no larger, and not 0: it falls toward ``high`` or toward 0.

        That is erfc |x|, for erf x as for erfc x, or erf |x|, which is below 2 |x|, for erfc x.
        """
        return arb(2 * self.high) if self.high < 1 else arb(self.low).erfc()


@dataclass(frozen=True)
class Beside:
    """Every argument whose value is decided."""

    traced: Traced
    decided: tuple[Decided, ...]
    name: str = "beside"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """One for each."""
        for i, one in enumerate(self.decided):
            yield i, one.low, one.high

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Sizes of arguments."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Conditions are given."""
        one = self.decided[which]

        def claims(run: Execution) -> list[tuple[Model, float]]:
            expected = constant(cell, one.hi), constant(cell, one.lo), constant(cell, 0.0)
            found = [run.real_output(i).model - part.model for i, part in enumerate(expected)]
            if any(away.p.length() or not away.off().is_zero() for away in found) or run.output(3) != 0:
                raise Unproven("the result is another")
            return [nothing(cell), (cell.constant(one.missed()), _INVISIBLE)]

        return Setting(dict(one.conditions), claims)


@dataclass(frozen=True)
class Underflow:
    """Where erfc's argument is moved to TOP: its value is too small to tell from that of TOP."""

    traced: Traced
    name: str = "underflow"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """All of them, and the first ones."""
        yield "+", double.TOP, 2.0 * double.TOP
        yield "+", 2.0 * double.TOP, GREATEST

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Arguments."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Nothing is needed: that arguments are moved there is seen where values are."""

        def claims(_: Execution) -> list[tuple[Model, float]]:
            return [nothing(cell), (cell.constant(cell.low.erfc() / _UNDERFLOWS), 1.0)]

        return Setting({}, claims)


# erfc

_PLACE_BITS = 47  # encodings of 1 + a that differ below 2^47 are at one place, or the next one
_LAST_PLACE = 153
_OFF = 2.0**-74  # of R, of its size
_LOWER = 2.0**-51  # of the lower part of R, of its size
_LEAST_R, _MOST_R = 0.0205, 1.001
_STEPS = 256
_REACH, _REACH_LO = 0.00136, 2.0**-62
_TOWARD_ZERO = _REACH / 2, 2.0**-12, 2.0**-20, 2.0**-30, 2.0**-40  # ends of cells of what is left
_REDUCED = 2.0**-95  # how far what is left of a^2 is from it
_POWER_OFF = 2.0**-79.5  # of the power, of its size
_ENDS = 0.998, 2.003  # of the power
_PIECES = 32  # of these
_K_OF_NEGATIVE = -58  # the least power of two in e^(-a^2) up to where erfc(-a) rounds like 2
_GRID = -300  # nothing that is left of squares is finer
_CLOSER = 2.0**-52.9  # of the lower part of the power


@dataclass(frozen=True)
class Tail:
    """Where in the trace of erfc values stand.

    ``sum`` and ``place``: the encoding of 1 + a, and its place; ``centre`` and ``piece``: what is taken off a there,
    and the number of the polynomial. ``scaled``: R(a), a pair; ``square``: a^2, a pair; ``rest`` and ``n``: what is
    left of that, a pair, and the multiple; ``j`` and ``k``: n modulo 256, and n without that; ``power``: e^-(a^2)
    without 2^k, a pair. ``special``: conditions that do not hold; ``negative``: whether x is.
    """

    traced: Traced
    sum: int
    place: int
    centre: int
    piece: int
    scaled: tuple[int, int]
    square: tuple[int, int]
    rest: tuple[int, int]
    n: int
    j: int
    k: int
    power: tuple[int, int]
    special: tuple[int, ...]
    negative: int


@dataclass(frozen=True)
class Places(OfFamily):
    """At which place a is, by the encoding of 1 + a: the nearest of 1/32 binade, and the one below where two are."""

    family: Tail
    name: str = "places"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Every place."""
        for piece in range(_LAST_PLACE + 1):
            yield piece, 0.0, 0.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Nothing but integers."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The encodings of the place are given."""
        family, place = self.family, double.FIRST_PLACE + which
        least, greatest = _encodings(which)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            if (run.value(Value(family.place)), run.value(Value(family.piece))) != (place, which):
                raise Unproven("the place is another")
            away = run.real(Value(family.centre)).model - cell.constant(_centre(which))
            return [nothing(cell), (away, 0.0)]

        return Setting({family.sum: Span(least, greatest + 1 - least)}, claims)


def _encodings(piece: int) -> tuple[int, int]:
    """The first and the last encoding of 1 + a that belong to that piece."""
    place = double.FIRST_PLACE + piece << _PLACE_BITS
    half = 1 << _PLACE_BITS - 1
    return place - half + 1, place + half


def _centre(piece: int) -> float:
    """What is taken off arguments there."""
    return _of_encoding(double.FIRST_PLACE + piece << _PLACE_BITS) - 1.0


def _of_encoding(encoding: int) -> float:
    return float(np.int64(encoding).view(np.float64))


def _ends_of(piece: int) -> tuple[float, float]:
    """The doubles between which all a lie whose 1 + a is rounded to a number of that piece."""
    least, greatest = _encodings(piece)
    ends = []
    for encoding, side in ((least, -1), (greatest, 1)):
        meeting = (Fraction(_of_encoding(encoding)) + Fraction(_of_encoding(encoding + side))) / 2 - 1
        end = float(meeting)  # the nearest double is inside, or the one after it
        outside = Fraction(end) > meeting if side > 0 else Fraction(end) < meeting
        ends.append(math.nextafter(end, -side * math.inf) if outside else end)
    return max(ends[0], double.TINY), min(ends[1], double.TOP)


def scaled_tail(a: Model) -> Model:
    """e^(a^2) erfc a."""
    return applied(EXP, a * a, 24) * applied(ERFC, a, 24)


@dataclass(frozen=True)
class Scaled(OfFamily):
    """R(a) is within ``_OFF`` of e^(a^2) erfc a, of that, and its lower part is small beside it."""

    family: Tail
    name: str = "polynomials"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Every place; binade by binade at the first one."""
        low, high = _ends_of(0)
        for first, last in dyadic(low, high):
            yield 0, first, last
        for piece in range(1, _LAST_PLACE + 1):
            low, high = _ends_of(piece)
            yield piece, low, min(high, math.nextafter(double.TOP, 0.0))
        yield _LAST_PLACE, double.TOP, double.TOP

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of a."""
        return Cell(low, high)

    def statement(self, which: Any, low: float, high: float) -> EnclosedError:
        """The same as plain data."""
        family, end = self.family, Cell(arb(high), arb(high))
        known = Known(0, exponential.grid(low, high, width=_DOUBLE), false=family.special)
        least = lower(scaled_tail(end.argument()).range())  # for it falls
        numbers = ((family.place, double.FIRST_PLACE + which),)
        return EnclosedError(known, numbers, "e^(x^2) erfc", family.scaled, family.scaled[0], _OFF * least)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument and its place are given."""
        family = self.family

        def claims(run: Execution) -> list[tuple[Model, float]]:
            r, r_lo = (run.real(Value(number)).model for number in family.scaled)
            ideal, opposite = scaled_tail(cell.argument()), run.mirrored()
            least, between = lower(r.range()), cell.constant((_LEAST_R + _MOST_R) / 2)
            if any(
                opposite.real(Value(number)).model is not same
                for number, same in zip(family.scaled, (r, r_lo), strict=True)
            ):
                raise Unproven("the value at -a is another")
            return [
                nothing(cell),
                (r + r_lo - ideal, _OFF * lower(ideal.range())),
                (r_lo, _LOWER * least),
                (r - between, (_MOST_R - _LEAST_R) / 2),
            ]

        given = {0: Real(cell.argument(), _finest(cell)), family.place: double.FIRST_PLACE + which}
        return Setting({**given, **dict.fromkeys(family.special, False)}, claims)


@dataclass(frozen=True)
class Square(OfFamily):
    """-a^2 = n ln(2)/256 + what is left, but for ``off``; where a is below SATURATED, n >= 256 K_OF_NEGATIVE.

    Of squares from ``first`` on, of which n is at most 256 ``most_k``.
    """

    family: Any
    name: str = "square"
    off: float = _REDUCED
    first: float = double.TINY * double.TINY
    most_k: int = 0

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binade by binade of the square rounded."""
        parted = double.SATURATED * double.SATURATED * (1.0 + 2.0**-40)
        for ends in ((self.first, parted), (parted, double.TOP * double.TOP * (1.0 + 2.0**-40))):
            for low, high in dyadic(*ends):
                yield "negative" if ends[1] == parted else "positive", low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of the square rounded."""
        return Cell(low, high)

    def statement(self, which: Any, low: float, high: float) -> Reduced:
        """The same as plain data, but for the multiples that the rest is one of."""
        family, most = self.family, -self._least_k(which)
        square, square_lo = family.square
        known = Known(square, exponential.grid(low, high, width=_DOUBLE), ((square_lo, half_ulp(high)),))
        bounds = _REACH, _REACH_LO
        return Reduced(known, "1/e", family.n, _STEPS, family.rest, bounds, self.off, -1074, most)

    def _least_k(self, which: Any) -> int:
        return _K_OF_NEGATIVE if which == "negative" else -1080

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The square is given, both parts."""
        family, square = self.family, cell.argument()
        square_lo = cell.unknown(half_ulp(float(cell.high)))
        finest = 2 * exponential.grid(math.sqrt(float(cell.low)) * 0.99, width=_DOUBLE)  # of a^2

        def claims(run: Execution) -> list[tuple[Model, float]]:
            rest, rest_lo = (run.real(Value(number)) for number in family.rest)
            n = run.whole(Value(family.n))
            if rest.grid < _GRID:
                raise Unproven("what is left may be finer than was said")
            left = -square - square_lo - n.scaled(arb(2).log() / _STEPS) - rest.model - rest_lo.model
            least, most = _STEPS * self._least_k(which), _STEPS * self.most_k
            return [
                nothing(cell),
                (left, self.off),
                (rest.model, _REACH),
                (rest_lo.model, _REACH_LO),
                (n - cell.constant((least + most) / 2), 0.75 + (most - least) / 2),
            ]

        given = {family.square[0]: Real(square, _finest(cell)), family.square[1]: Real(square_lo, finest)}
        return Setting(given, claims)


@dataclass(frozen=True)
class Powers(OfFamily):
    """2^(j/256) e^(what is left), as a pair, but for ``off`` of it; and that n is 256 k + j."""

    family: Any
    name: str = "power"
    reduced: float = _REDUCED
    off: float = _POWER_OFF
    divides: bool = True
    ends: tuple[float, ...] = (-_REACH, *(-end for end in _TOWARD_ZERO), 0.0, *_TOWARD_ZERO[::-1], _REACH)

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Both signs of what is left at each entry of the table, between the ``ends``."""
        for j in range(_STEPS):
            for low, high in pairwise(self.ends):
                yield j, low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """What is left, its first part."""
        return Cell(low, high)

    def statement(self, which: Any) -> EnclosedSum:
        """The same as plain data."""
        family = self.family
        known = Known(family.rest[0], _GRID, ((family.rest[1], _REACH_LO),))
        bound = self.off * 2.0 ** (which / _STEPS) * (1.0 - 1.01 * _REACH)
        terms = ((1.0, which, 1),)
        numbers = ((family.j, which),)
        return EnclosedSum(known, numbers, _STEPS, terms, (), self.reduced, family.power, family.power[0], bound)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """What is left, and n."""
        family, rest = self.family, cell.argument()
        rest_lo = cell.unknown(_REACH_LO)
        exact = rest + rest_lo + cell.unknown(self.reduced)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            if run.value(Value(family.k)) != Power() or run.value(Value(family.j)) != which:
                raise Unproven("n is not 256 k + j")
            power, power_lo = (run.real(Value(number)).model for number in family.power)
            ideal = applied(EXP, exact).scaled((arb(2).log() * fmpq(which, _STEPS)).exp())
            least, greatest = _ENDS if which else (_ENDS[0], 1.002)
            return [
                nothing(cell),
                (power + power_lo - ideal, self.off * lower(ideal.range())),
                (power_lo, _CLOSER * lower(power.range())),
                (power - cell.constant((least + greatest) / 2), (greatest - least) / 2),
            ]

        given = {family.rest[0]: Real(rest, max(_GRID, _finest(cell))), family.rest[1]: Real(rest_lo, -1074)}
        return Setting({**given, family.n: Residue(which, _STEPS)}, claims, self.divides)


@dataclass(frozen=True)
class Products(OfFamily):
    """The kernel's value for any R(a), any power and any k: the product, and what that leaves of 2 for negative x."""

    family: Tail
    name: str = "products"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Values of R(a) with pieces of what the power may be; for negative x with every k, and long pieces for most.

        Where k = 0, n is 0, and the power no more than 1.002.
        """
        least, greatest = _ENDS
        ends = [least + (greatest - least) * i / _PIECES for i in range(_PIECES + 1)]
        ranges: list[tuple[int | None, float, float]] = [(None, *piece) for piece in pairwise(ends)]
        ranges += [(0, least, 1.002), *((-1, *piece) for piece in pairwise(ends))]
        ranges += [(k, *_ENDS) for k in range(-2, _K_OF_NEGATIVE - 1, -1)]
        for which in ranges:
            for low, high in dyadic(_LEAST_R, _MOST_R):
                yield which, low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of R(a), rounded."""
        return Cell(low, high)

    def statement(self, which: Any, high: float) -> EnclosedProduct:
        """The same as plain data, for R(a) no larger than ``high``."""
        family, (k, *ends) = self.family, which
        bounded = (family.scaled[1], _LOWER * high), (family.power[1], _CLOSER * ends[1])
        known = Known(family.scaled[0], -58, bounded, false=family.special)
        numbers = (family.negative, k is not None), (family.k, 0 if k is None else k)
        parts, err = _outputs(family.traced, 0, 1), _outputs(family.traced, 2)[0]
        offs = _OFF * (1.0 + 2.0**-20) * high, _POWER_OFF * (1.0 + 2.0**-20) * ends[1]
        return EnclosedProduct(known, numbers, (family.power[0], *ends), offs, k, parts, err)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """R(a), the power and k are given."""
        family, (k, *ends) = self.family, which
        r, power = cell.argument(), cell.constant((arb(ends[0]) + ends[1]) / 2)
        power += cell.unknown((arb(ends[1]) - ends[0]) / 2)
        r_lo, power_lo = cell.unknown(_LOWER * float(cell.high)), cell.unknown(_CLOSER * ends[1])
        cell.paired |= set().union(*(model.terms for model in (power, r_lo, power_lo)))
        # what is told of their errors is told of the exact values, which are no larger than this
        exact = r + r_lo + cell.unknown(_OFF * (1.0 + 2.0**-20) * float(cell.high))
        exact *= power + power_lo + cell.unknown(_POWER_OFF * (1.0 + 2.0**-20) * ends[1])
        given = {
            family.scaled[0]: Real(r, _finest(cell)),
            family.scaled[1]: Real(r_lo, -400),
            family.power[0]: Real(power, -53),
            family.power[1]: Real(power_lo, -400),
            family.k: Power() if k is None else k,
            family.negative: k is not None,
            **dict.fromkeys(family.special, False),
        }

        def claims(run: Execution) -> list[tuple[Model, float]]:
            if run.output(3) != (Power() if k is None else 0):
                raise Unproven("the exponent is another")
            ideal = exact if k is None else cell.constant(2) - exact.scaled(arb(2) ** k)
            return [enclosed(run, ideal, (0, 1), 2)]

        return Setting(given, claims)


def _parts_of_tail(x: Any) -> Any:
    a = tame(x, double.TOP)
    place = (bits(a + 1.0) + double.BELOW_HALF) >> _PLACE_BITS
    centre = from_bits(place << _PLACE_BITS) - 1.0
    piece = place - double.FIRST_PLACE
    scaled = smooth(a - centre, piece, double.ERFC_HI, double.ERFC_LO, double.ERFC_REST)
    square, square_lo = two_product(a, a)
    rest, rest_lo, n = reduced(-square)
    rest, rest_lo = fast_two_sum(rest, rest_lo - square_lo)
    power = fine_exp(rest, rest_lo, n & 255)
    return bits(a + 1.0), place, centre, piece, *scaled, square, square_lo, rest, rest_lo, n, n & 255, n >> 8, *power


_KINDS: tuple[Kind, ...] = (
    "long",
    "long",
    "double",
    "long",
    *("double",) * 6,
    "long",
    "long",
    "long",
    "double",
    "double",
)


def _conditions(x: Any) -> Any:
    return x < 0.0, abs(x) == double.INFINITY, x <= -double.SATURATED, abs(x) < double.TINY, x == 0.0


def _conditions_of_erf(x: Any) -> Any:
    return x < 0.0, abs(x) == double.INFINITY, abs(x) >= double.SATURATED


def _is_small(x: Any) -> Any:
    return (abs(select(abs(x) >= double.SATURATED, 1.0, x)) < near_zero.SMALL,)


def _of_erf() -> tuple[Any, ...]:
    whole = traced(double.erf, ("double",), ("double", "double", "double", "long"))
    negative, infinite, saturated = whole.places(_conditions_of_erf, "bool", "bool", "bool")
    given = (infinite, False), (saturated, True)
    decided = tuple(
        Decided((*given, (negative, sign < 0)), double.SATURATED, GREATEST, sign, -sign * _BESIDE)
        for sign in (1.0, -1.0)
    )
    (small,) = whole.places(_is_small, "bool")
    return Sizes(whole, small), Beside(whole, decided)


def _of_erfc() -> tuple[Any, ...]:
    whole = traced(double.erfc, ("double",), ("double", "double", "double", "long"))
    total, place, centre, piece, r, r_lo, a, a_lo, rest, rest_lo, n, j, k, *power = whole.places(
        _parts_of_tail, *_KINDS
    )
    negative, *special = whole.places(_conditions, *("bool",) * 5)
    pairs = (r, r_lo), (a, a_lo), (rest, rest_lo)
    zero = special.pop()
    family = Tail(whole, total, place, centre, piece, *pairs, n, j, k, (power[0], power[1]), tuple(special), negative)
    infinite, saturated, tiny = ((number, False) for number in special)
    below_2 = infinite, (saturated[0], True), (tiny[0], False), (negative, True)
    tiny_ones = infinite, saturated, (tiny[0], True), (zero, False)
    top = math.nextafter(double.TINY, 0.0)
    decided = (
        Decided(below_2, double.SATURATED, GREATEST, 2.0, -_BESIDE),
        Decided((*tiny_ones, (negative, False)), _LEAST, top, 1.0, -_BESIDE),
        Decided((*tiny_ones, (negative, True)), _LEAST, top, 1.0, _BESIDE),
    )
    parts = Places(family), Scaled(family), Square(family), Powers(family), Products(family)
    return *parts, Beside(whole, decided), Underflow(whole)


_CLAIMED = {"erf": _of_erf, "erfc": _of_erfc}


def double_parts(name: str) -> tuple[Any, ...]:
    """The parts of the proof of one of double's kernels."""
    return _CLAIMED[name]()
