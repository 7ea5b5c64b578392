"""pow, powr, pown, rootn of double: as those of quick, with a logarithm of two tables and a bound that grows with p."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import arb, fmpq

from clmath.ir.lanes import bits, from_bits, integer, real, select, take
from clmath.ir.program import Constant, Place, Value
from clmath.kernels.double import power as double
from clmath.kernels.double.boundaries import INFINITE, LEAST_NORMAL, MANTISSA, ONE, magnitude, normalised
from clmath.kernels.double.power import (
    log2_beside_one,
    log2_of,
    log2_of_divided,
    log2_of_times,
    reduced,
    reduced_exponent,
    two_to_power,
    whole,
    within_reach,
)
from proofs.engine.execution import Execution, Real, Residue
from proofs.engine.execution import Power as Exponent
from proofs.engine.ideals import EXP, LOG, applied
from proofs.engine.models import Cell, Model, Unproven, half_ulp, lower, mirrored
from proofs.engine.proof import OfFamily, Setting, enclosed, least_of
from proofs.engine.traced import Traced, traced
from proofs.families import logarithm
from proofs.families.power import LAYOUT, Contracts, Family, Logarithm, Product, Quotient, Reduction, check_grid
from proofs.statements import EnclosedLogarithm, EnclosedPower, Known

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from clmath.ir.program import Kind

__all__ = [
    "CONTRACTS",
    "GRID",
    "LEAST",
    "MOST",
    "NAMES",
    "OFF",
    "POWERS_OF_Y",
    "check_rest",
    "conditions_of",
    "double_parts",
    "parts_of_logarithm",
]

CONTRACTS = Contracts(
    log=2.0**-79.5,
    low=2.0**-52,
    least=2.0**-53,
    most=1075.0,
    product=2.0**-100,
    rest=2.0**-48,
    slight=double.TINY,
    top=double.TOP,
    off=2.0**-95,
    reach=0.00136,
    exponents=1201,
    steps=256,
    grids=(-340, -600, -700),
    reach_lo=2.0**-57,
)
OFF, LEAST, MOST, GRID = CONTRACTS.log, CONTRACTS.least, CONTRACTS.most, CONTRACTS.grids[0]
_POWERS = (-1074, -1), (1, 1024)  # k of all doubles, 0 by itself
POWERS_OF_Y = -130, 66
_HALF_STEP = 0.5 + 2.0**-12  # |8192 (m c1 - 1) - n|, n the integer next to that of the first half of m
_FINE = 64  # the places of the second table are n from -64 to 64
_LEFT = 0.25  # by which logarithms may be larger than the sum of k and the heads
_SIGN = -(1 << 63)


@dataclass(frozen=True)
class Folded:
    """What is ensured at every pair of places, and required where k is not 0.

    |r| <= ``reach``, multiples of 2^``grid`` as r_lo is; log2(1 + r + r_lo) is t + u + rest but for ``beside``, these
    being no larger than ``sizes``. The heads of both tables add up to no more than ``head``, a multiple of
    2^``grid_of_head``, the tails to no more than ``tail``, and all four to the logarithm but for ``tables``.
    """

    reach: float = 2.0**-13.6
    grid: int = -76
    beside: float = 2.0**-90
    sizes: tuple[float, float, float] = (2.0**-13, 2.0**-27, 2.0**-40)
    head: float = 0.51
    grid_of_head: int = -42
    tail: float = 2.0**-41
    tables: float = 2.0**-92
    grid_of_rests: int = -340


_FOLDED = Folded()


@dataclass(frozen=True)
class DoubleLogarithm(Logarithm):
    """``fine``: where the place in the second table stands; ``entries``: the entries of both.

    ``fold``: where r and r_lo stand; ``heads``: the sum of both tables' heads, that with k, and that of the tails;
    ``beside``: t, u and rest.
    """

    fine: int = 0
    entries: tuple[int, int] = (0, 0)
    fold: tuple[int, int] = (0, 0)
    heads: tuple[int, int, int] = (0, 0, 0)
    beside: tuple[int, int, int] = (0, 0, 0)

    def claim(self, run: Execution, ideal: Model) -> list[tuple[Model, float]]:
        """That hi + lo is as near to the logarithm as the product requires."""
        return self.claim_of_size(run, ideal, lower(ideal.range()))

    def claim_of_size(self, run: Execution, ideal: Model, size: float) -> list[tuple[Model, float]]:
        """The same of a logarithm that is no smaller than ``size``."""
        hi, lo = (run.real(Value(number)) for number in self.pair)
        if size and lower(hi.model.range()) < self.contracts.least:
            raise Unproven("the logarithm may be smaller than was said")
        check_rest(run, self.traced, self.pair)
        check_grid(min(hi.grid, lo.grid), self.contracts.grids[0])
        off = hi.model + lo.model - ideal
        return [(off, self.contracts.log * size * (1.0 - 2.0**-50)), (hi.model, self.contracts.most)]

    def operands(self, number: int) -> tuple[Any, ...]:
        """Of a statement."""
        return _operands(self.traced, number)

    def reciprocal(self, place: int) -> float:
        """The entry of the first table."""
        table = self.operands(self.entries[0])[1]
        assert isinstance(table, Place)
        return float(self.traced.tables[table.first + place])


def check_rest(run: Execution, whole: Traced, pair: tuple[int, int]) -> None:
    """Unproven where the second is not what fast_two_sum finds to be left of the first, 2^-53 of that at most."""
    hi, lo = pair
    found = run.shapes.lemma(lo)
    if found is None or found.name != "fast_two_sum, second" or not found.holds(run):
        raise Unproven("the second part is not what is left of a sum")
    back = _operands(whole, lo)[0]
    if not isinstance(back, Value) or _operands(whole, back.number)[1] != Value(hi):
        raise Unproven("the second part is left of another sum")


def _operands(whole: Traced, number: int) -> tuple[Any, ...]:
    return whole.program.statements[number - len(whole.program.inputs)].operands


@dataclass(frozen=True)
class Index(OfFamily):
    """The place in the second table is that of n, an integer, and |8192 (m c1 - 1) - n| is hardly more than 1/2."""

    family: DoubleLogarithm
    name: str = "index"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """All m at a place."""
        for place in range(LAYOUT.places):
            yield place, *LAYOUT.ends(place, self.family.digits)

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of m."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """J and m are given."""
        family = self.family
        _, j, m = family.cut
        number, added = family.operands(family.fine)
        if added != Constant("long", _FINE) or not isinstance(number, Value):
            raise Unproven("the place is not n and 64")

        def claims(run: Execution) -> list[tuple[Model, float]]:
            n = run.whole(number)
            left = (cell.argument().scaled(family.reciprocal(which)) - cell.constant(1)).scaled(8192)
            return [(n, 2.0 * _FINE), (n, _FINE + 0.5), (left - n, _HALF_STEP)]

        return Setting({**family.ordinary, j: which, m: Real(cell.argument(), 1 - family.digits)}, claims)


@dataclass(frozen=True)
class Logarithms(logarithm.Sum):
    """The logarithm for k = 0, both places and m as they are; and what ``Folded`` says of all k."""

    name: str = "logarithm"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Every m at each pair of places, binade by binade next to 1."""
        for place in range(LAYOUT.places):
            for n in range(-_FINE, _FINE + 1):
                low, high = self._ends(place, n)
                if low > high:
                    continue
                for first, last in logarithm.pieces_of(low, high, self.family.digits, near=True):
                    yield ((0, 0), place, n + _FINE), first, last

    def _ends(self, place: int, n: int) -> tuple[float, float]:
        """By what is proven of the index."""
        family = self.family
        assert isinstance(family, DoubleLogarithm)
        c = family.reciprocal(place)
        low, high = ((1.0 + (n + sign * _HALF_STEP) / 8192.0) / c for sign in (-1.0, 1.0))
        first, last = LAYOUT.ends(place, family.digits)
        return max(low - 2.0**-50, first), min(high + 2.0**-50, last)

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of m."""
        return super().cell(which[:2], low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """K, both places and m are given."""
        family = self.family
        assert isinstance(family, DoubleLogarithm)
        found = super().setting(which[:2], cell)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            return [*found.claims(run), *_folded(run, family, cell), *_tables(run, family, which[1])]

        return Setting({**found.given, family.fine: which[2]}, claims)

    def statement(self, which: Any) -> EnclosedLogarithm:
        """What is claimed of hi and lo as plain data."""
        family = self.family
        assert isinstance(family, DoubleLogarithm)
        _, place, fine = which
        k, j, m = family.cut
        known = Known(m, -52, exactly=((k, 0), (j, place), (family.fine, fine)))
        exponent = -family.layout.carried(place)
        return EnclosedLogarithm(known, exponent, family.pair, family.contracts.log, family.contracts.low)


def _folded(run: Execution, family: DoubleLogarithm, cell: Cell) -> list[tuple[Model, float]]:
    """1 + r + r_lo = m c1 c2, exactly, and |r| is small."""
    r, r_lo = (run.real(Value(number)) for number in family.fold)
    first, second = (run.real(Value(number)).model for number in family.entries)
    check_grid(min(r.grid, r_lo.grid), _FOLDED.grid)
    left = cell.argument() * first * second - cell.constant(1) - r.model - r_lo.model
    return [(left, 0.0), (r.model, _FOLDED.reach)]


def _tables(run: Execution, family: DoubleLogarithm, place: int) -> list[tuple[Model, float]]:
    """Heads and tails add up to the logarithm of the reciprocals."""
    head, _, tail = (run.real(Value(number)) for number in family.heads)
    check_grid(head.grid, _FOLDED.grid_of_head)
    check_grid(tail.grid, _FOLDED.grid_of_rests)
    logarithms = run.cell.constant(family.layout.carried(place))
    for number in family.entries:
        logarithms += run.cell.constant(run.real(Value(number)).model.range().log() / arb(2).log())
    off = head.model + tail.model + logarithms
    return [(off, _FOLDED.tables), (head.model, _FOLDED.head), (tail.model, _FOLDED.tail)]


@dataclass(frozen=True)
class Beside(OfFamily):
    """t + u + rest is log2(1 + r + r_lo), r_lo being what is left of the sum r."""

    family: DoubleLogarithm
    name: str = "beside 1"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Both signs of r."""
        yield "+", 0.0, _FOLDED.reach
        yield "-", -_FOLDED.reach, 0.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of r."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """R and r_lo are given."""
        family = self.family
        r, r_lo = family.fold
        summed = self.traced.shapes.error_of_sum(r_lo)
        if summed is None or summed[0] != r:
            raise Unproven("the rest is not that of the sum")
        left = cell.unknown(half_ulp(_FOLDED.reach))
        given = {r: Real(cell.argument(), _FOLDED.grid), r_lo: Real(left, _FOLDED.grid)}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            parts = [run.real(Value(number)) for number in family.beside]
            check_grid(min(part.grid for part in parts), _FOLDED.grid_of_rests)
            ideal = applied(LOG, cell.argument() + left + cell.constant(1)).scaled(1 / arb(2).log())
            total = parts[0].model + parts[1].model + parts[2].model - ideal
            return [
                (total, _FOLDED.beside),
                *((part.model, size) for part, size in zip(parts, _FOLDED.sizes, strict=True)),
            ]

        return Setting(given, claims)


@dataclass(frozen=True)
class Heads(OfFamily):
    """K and the sum of the tables' heads are added exactly, for every k but 0."""

    family: DoubleLogarithm
    name: str = "heads"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Negative k and positive ones."""
        for powers in _POWERS:
            yield powers, 0.0, 0.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Nothing but k."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """K and the sum of the tables' heads are given."""
        family = self.family
        k, added = logarithm.between(cell, *which), cell.unknown(_FOLDED.head)
        total, head, _ = family.heads
        given = {family.cut[0]: Exponent(0, 1, k), total: Real(added, _FOLDED.grid_of_head)}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            found = run.real(Value(head)).model
            return [(found - k.model - added, 0.0), (found, family.contracts.most - _LEFT)]

        return Setting(given, claims)


@dataclass(frozen=True)
class Far(OfFamily):
    """The logarithm where k is not 0: cells of k and the tables' heads."""

    family: DoubleLogarithm
    name: str = "far from 1"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades, both signs."""
        yield from mirrored(1.0 - _FOLDED.head, self.family.contracts.most - _LEFT)

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of k and the heads."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Everything but the sums is given."""
        family = self.family
        _, head, tail = family.heads
        exact = cell.argument()
        given: dict[int, Any] = {head: Real(exact, _FOLDED.grid_of_head)}
        for number, size in zip((*family.beside, tail), (*_FOLDED.sizes, _FOLDED.tail), strict=True):
            part = cell.unknown(size)
            given[number] = Real(part, _FOLDED.grid_of_rests)
            exact += part

        def claims(run: Execution) -> list[tuple[Model, float]]:
            least = lower(cell.argument().range()) - 2.0 * _FOLDED.sizes[0]
            off = cell.unknown(_FOLDED.beside + _FOLDED.tables)
            return family.claim_of_size(run, exact + off, least)

        return Setting(given, claims)


@dataclass(frozen=True)
class Power(OfFamily):
    """The parts of the kernel's value for s, s_lo and n, and their err, which is to hold for y log2 x.

    With p + p_lo = y log2 x (1 + a), |a| <= away, the exact value is 2^(p + p_lo) e^z with |z| <= away |p| log 2.
    What is claimed is that the error for 2^(p + p_lo) is no larger than what err leaves beside that: for every |p|.
    """

    family: Family
    name: str = "power"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Both signs of s at each entry of the table."""
        reach, steps = self.family.contracts.reach, self.family.contracts.steps
        for j in range(steps):
            yield j, 0.0, reach
            yield j, -reach, 0.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of s."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """S, s_lo, n and |p| are given."""
        family, contracts = self.family, self.family.contracts
        assert family.size is not None
        s, s_lo = cell.argument(), cell.unknown(contracts.reach_lo)
        size = cell.constant(contracts.top / 2) + cell.unknown(contracts.top / 2)
        exact = s + s_lo + cell.unknown(contracts.off)
        given: dict[int, Any] = dict(family.ordinary)
        given |= {family.rest[0]: Real(s, contracts.grids[2]), family.rest[1]: Real(s_lo, -1074)}
        given |= {family.n: Residue(which, contracts.steps), family.size: Real(size, -1074)}
        if family.negative is not None:
            given[family.negative] = 0

        def claims(run: Execution) -> list[tuple[Model, float]]:
            if run.output(3) != Exponent():
                raise Unproven("the exponent is not that of the power")
            power = (arb(2).log() * fmpq(which, contracts.steps)).exp()
            ideal = applied(EXP, exact).scaled(power)
            small, _ = enclosed(run, ideal, (0, 1), 2)
            hi, err = (run.real_output(i).model for i in (0, 2))
            growth = contracts.away() * arb(2).log() * (1 + arb(2) ** -40)
            left = err - hi * size.scaled(growth)
            least = least_of(left)
            return [(small, least), (ideal - hi, lower(hi.range()) * 2.0**-45)]

        return Setting(given, claims)

    def statement(self, which: Any, size: float) -> EnclosedPower:
        """The same as plain data, for one |p|."""
        family, contracts = self.family, self.family.contracts
        assert family.size is not None
        known = Known(
            family.rest[0],
            contracts.grids[2],
            ((family.rest[1], contracts.reach_lo),),
            ((family.n, which, contracts.steps),),
            tuple(number for number, holds in family.ordinary.items() if not holds),
            tuple(number for number, holds in family.ordinary.items() if holds),
            ((family.size, size), *(() if family.negative is None else ((family.negative, 0),))),
        )
        off = float((contracts.off + contracts.away() * arb(2).log() * size).upper())
        return EnclosedPower(known, contracts.steps, off, (0, 1), 2, 3, contracts.exponents)


@dataclass(frozen=True)
class Sign(OfFamily):
    """Negative results are those of the positive ones with the other sign, and the same err and exponent.

    ``unsigned``: where hi and lo stand before they are given a sign.
    """

    family: Family
    unsigned: tuple[int, int]
    name: str = "sign"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Hi below 1 and above."""
        yield "-", 0.5, 1.0
        yield "-", 1.0, 4.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of hi, which is not zero."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Hi and lo are given, and that the sign changes."""
        family = self.family
        assert family.negative is not None
        parts = cell.argument(), cell.unknown(1)
        given: dict[int, Any] = {**family.ordinary, family.negative: _SIGN}
        given |= {number: Real(part, -1074) for number, part in zip(self.unsigned, parts, strict=True)}

        def claims(run: Execution) -> list[tuple[Model, float]]:
            found = [run.real_output(i).model + part for i, part in enumerate(parts)]
            return [(part, 0.0) for part in found]

        return Setting(given, claims)


# where values stand in traces


def _encodings(x: Any, *_: Any) -> Any:
    encoding = magnitude(x)
    return encoding, bits(real(encoding)), encoding < LEAST_NORMAL


def _placed(x: Any, *_: Any) -> Any:
    """K, the places and m."""
    encoding = normalised(magnitude(x))
    j = (encoding >> 45) & 127
    k = (encoding >> 52) - 1023 + select(j >= double.SQRT2_PLACE, 1, 0)
    m = from_bits((encoding & MANTISSA) | ONE)
    _, _, i = reduced(m, j)
    return k, j, m, i


def _fold(x: Any, *_: Any) -> Any:
    """The entries of both tables, r and r_lo."""
    _, j, m, i = _placed(x)
    r, r_lo, _ = reduced(m, j)
    return take(double.COARSE, j), take(double.FINE, i), r, r_lo


def _heads(x: Any, *_: Any) -> Any:
    k, j, _, i = _placed(x)
    head = take(double.COARSE_HI, j) + take(double.FINE_HI, i)
    return head, real(k) + head, take(double.COARSE_LO, j) + take(double.FINE_LO, i)


def _beside(x: Any, *_: Any) -> Any:
    _, _, r, r_lo = _fold(x)
    return log2_beside_one(r, r_lo)


def _logarithm(x: Any, *_: Any) -> Any:
    return log2_of(normalised(magnitude(x)))


def _factor(_x: Any, y: Any) -> Any:
    return within_reach(y)


def _product(x: Any, y: Any) -> Any:
    return log2_of_times(normalised(magnitude(x)), within_reach(y))


def _divisor(_x: Any, y: Any) -> Any:
    return select(y == 0.0, 1.0, y)


def _quotient(x: Any, y: Any) -> Any:
    return log2_of_divided(normalised(magnitude(x)), _divisor(x, y))


def _rest_of_product(x: Any, y: Any) -> Any:
    return reduced_exponent(*_product(x, y))


def _rest_of_quotient(x: Any, y: Any) -> Any:
    return reduced_exponent(*_quotient(x, y))


def _beyond(p: Any) -> Any:
    """Conditions that do not hold of p that are neither tiny nor clipped, and one that does."""
    return p < -double.TOP, p > double.TOP, abs(p) < double.TINY, (abs(p) <= double.TOP) & ~(abs(p) < double.TINY)


def _size_of_product(x: Any, y: Any) -> Any:
    p, _ = _product(x, y)
    return abs(p)


def _size_of_quotient(x: Any, y: Any) -> Any:
    q, _ = _quotient(x, y)
    return abs(q)


def _special_to_pow(x: Any, y: Any) -> Any:
    is_whole, _ = whole(within_reach(y))
    size, of_y = magnitude(x), magnitude(y)
    one = (y == 0.0) | (x == 1.0) | ((size == ONE) & (of_y == INFINITE))
    invalid = (size > INFINITE) | (of_y > INFINITE) | ((x < 0.0) & (size < INFINITE) & ~is_whole)
    outside = one | invalid | (size == 0) | (size >= INFINITE) | (of_y >= INFINITE)
    p, _ = _product(x, y)
    return outside, *_beyond(p)


def _special_to_pown(x: Any, y: Any) -> Any:
    return y == 1.0, *_special_to_pow(x, y)


def _special_to_powr(x: Any, y: Any) -> Any:
    size, of_y = magnitude(x), magnitude(y)
    ends = (size == 0) | (size == INFINITE)
    invalid = (x < 0.0) | (x != x) | (y != y) | ((y == 0.0) & ends) | ((x == 1.0) & (of_y == INFINITE))
    p, _ = _product(x, y)
    return invalid | ends | (y == 0.0) | (of_y == INFINITE), *_beyond(p)


def _special_to_rootn(x: Any, y: Any) -> Any:
    n, size = _divisor(x, y), magnitude(x)
    odd = integer(n) << 63
    invalid = (y == 0.0) | (x != x) | ((x < 0.0) & (odd == 0))
    q, _ = _quotient(x, y)
    return n == 1.0, invalid | (size == 0) | (size == INFINITE), *_beyond(q)


def _sign(x: Any, y: Any) -> Any:
    _, odd = whole(within_reach(y))
    return odd & bits(x)


def _sign_of_root(x: Any, y: Any) -> Any:
    return (integer(_divisor(x, y)) << 63) & bits(x)


def _unsigned(x: Any, y: Any) -> Any:
    return _hi_and_lo(*_product(x, y))


def _unsigned_pown(x: Any, y: Any) -> Any:
    hi, lo = _unsigned(x, y)
    return hi, select(y == 1.0, 0.0, lo)


def _unsigned_root(x: Any, y: Any) -> Any:
    hi, lo = _hi_and_lo(*_quotient(x, y))
    return hi, select(_divisor(x, y) == 1.0, 0.0, lo)


def _hi_and_lo(p: Any, p_lo: Any) -> Any:
    hi, lo, _, _ = two_to_power(p, p_lo)
    return hi, lo


@dataclass(frozen=True)
class _Claimed:
    """Where to look for the values of a kernel, and its conditions, of which the last holds."""

    special: Callable[..., Any]
    conditions: int
    sign: Callable[..., Any] | None
    factor: Callable[..., Any] = _factor
    product: Callable[..., Any] = _product
    size: Callable[..., Any] = _size_of_product
    rest: Callable[..., Any] = _rest_of_product
    unsigned: Callable[..., Any] = _unsigned
    scaled: Callable[[Family], Product | Quotient] = Product


_CLAIMED = {
    "pow": _Claimed(_special_to_pow, 5, _sign),
    "powr": _Claimed(_special_to_powr, 5, None),
    "pown": _Claimed(_special_to_pown, 6, _sign, unsigned=_unsigned_pown),
    "rootn": _Claimed(
        _special_to_rootn,
        6,
        _sign_of_root,
        _divisor,
        _quotient,
        _size_of_quotient,
        _rest_of_quotient,
        _unsigned_root,
        Quotient,
    ),
}
NAMES = tuple(_CLAIMED)
_DOUBLES: tuple[Kind, ...] = ("double", "double")
_PARTS: tuple[Kind, ...] = ("double", "double", "double", "long")
_BOOLS: tuple[Kind, ...] = ("bool",) * 6


def conditions_of(name: str) -> tuple[Traced, dict[int, bool]]:
    """The kernel, and whether its conditions hold for ordinary arguments; the last: p is neither tiny nor clipped."""
    claimed = _CLAIMED[name]
    kernel = traced(getattr(double, name), _DOUBLES, _PARTS)
    special = kernel.places(claimed.special, *_BOOLS[: claimed.conditions])
    return kernel, {number: i == claimed.conditions - 1 for i, number in enumerate(special)}


def double_parts(name: str) -> tuple[Any, ...]:
    """The parts of the proof of one of double's pow, powr, pown, rootn."""
    claimed = _CLAIMED[name]
    kernel, ordinary = conditions_of(name)
    (sign,) = (None,) if claimed.sign is None else kernel.places(claimed.sign, "long")
    (factor,), (size,) = kernel.places(claimed.factor, "double"), kernel.places(claimed.size, "double")
    logarithm_parts = parts_of_logarithm(name, kernel, ordinary)
    p, p_lo = kernel.places(claimed.product, *_DOUBLES)
    s, s_lo, n = kernel.places(claimed.rest, "double", "double", "long")
    family = Family(
        name,
        kernel,
        logarithm_parts[0].family.pair,
        (p, p_lo),
        (s, s_lo),
        n,
        ordinary,
        sign,
        CONTRACTS,
        factor,
        POWERS_OF_Y,
        size,
    )
    parts = *logarithm_parts, claimed.scaled(family), Reduction(family), Power(family)
    if sign is None:
        return parts
    first, second = kernel.places(claimed.unsigned, *_DOUBLES)
    return *parts, Sign(family, (first, second))


def _binary() -> arb:
    return 1 / arb(2).log()


def parts_of_logarithm(name: str, kernel: Traced, ordinary: Mapping[int, bool]) -> tuple[Any, ...]:
    """The parts that speak of log2 x alone, x being the first argument: |hi + lo - log2 x| <= ``OFF`` |log2 x|.

    The logarithm of 1 is exact, others are ``LEAST`` at least and multiples of 2^``GRID``, as what is left of them is.
    """
    hi, lo = kernel.places(_logarithm, *_DOUBLES)
    k, j, m, i = kernel.places(_placed, "long", "long", "double", "long")
    coarse, fine, r, r_lo = kernel.places(_fold, "double", "double", "double", "double")
    head, with_k, tail = kernel.places(_heads, *_PARTS[:3])
    t, u, rest = kernel.places(_beside, *_PARTS[:3])
    found = DoubleLogarithm(
        name,
        kernel,
        LAYOUT,
        53,
        (k, j, m),
        tuple(kernel.places(_encodings, "long", "long", "bool")),
        dict(ordinary),
        _binary,
        ((0, 0),),
        False,
        True,
        pair=(hi, lo),
        contracts=CONTRACTS,
        fine=i,
        entries=(coarse, fine),
        fold=(r, r_lo),
        heads=(head, with_k, tail),
        beside=(t, u, rest),
    )
    return logarithm.Places(found), Index(found), Logarithms(found), Beside(found), Heads(found), Far(found)
