"""cbrt and hypot: their powers of two taken apart, and what is left of them, cell by cell."""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import SIGN, bits, from_bits, greater, lesser, nearest, real, take
from clmath.ir.program import Value
from clmath.kernels.quick import power as quick
from clmath.kernels.quick.logarithm import RECIPROCAL
from proofs.engine.execution import Execution, Real
from proofs.engine.models import Cell, Model, Unproven, lower
from proofs.engine.proof import Setting
from proofs.engine.traced import Traced, traced
from proofs.families.floats import FLOAT
from proofs.families.logarithm import Family, Layout, Places, on_grid
from proofs.families.stated import Entries, Stated, nothing
from proofs.statements import Enclosed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["FLOATS", "NAMES", "quick_parts", "signed"]

FLOATS = -149, 127  # the powers of two that floats have
_PLACES = 128
_ONE = 1023 << 52
_BELOW_TWO = 2.0 - 2.0**-23
_OFF_SQUARES = 2.0**-52
_SIGNS = (1, 0), (-1, SIGN)


@dataclass(frozen=True)
class Thirds:
    """The exponent of x is 3 n + rest, and rest is 0, 1 or 2: for every exponent that floats have."""

    traced: Traced
    exponent: int
    thirds: int
    rest: int
    most: tuple[int, int]
    name: str = "exponents"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """All exponents."""
        for exponent in range(FLOATS[0], FLOATS[1] + 1):
            yield exponent, 0.0, 0.0

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Nothing but integers."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The exponent is given."""

        def claims(run: Execution) -> list[tuple[Model, float]]:
            n, rest = run.value(Value(self.thirds)), run.value(Value(self.rest))
            if not (isinstance(n, int) and isinstance(rest, int)):
                raise Unproven(f"the third and the rest are {n} and {rest}")
            if rest not in range(3) or which != 3 * n + rest or not self.most[0] <= n <= self.most[1]:
                raise Unproven(f"the exponent {which} is taken for 3 * {n} + {rest}")
            return [nothing(cell)]

        return Setting({self.exponent: which}, claims)


@dataclass(frozen=True)
class Squares:
    """The rounded sum of the squares of two floats is within 2^-52 of the exact one, of that.

    The larger one in size is 2^k A, A = 1 .. 2, the other 2^k B, A 2^-14 <= B <= A, for it is not slight: both have 24
    bits, so that B is a multiple of 2^-37. For every k alike: nothing is said of either but times 2^k. Cases are the
    signs of both, and which is the larger one: ``order`` tells where the trace has |x| > |y| and |x| < |y|.
    """

    traced: Traced
    total: int
    order: Sequence[int]
    name: str = "squares"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """All cases; B binade by binade, from 1/8 on in fifteen parts, and as large as A."""
        ends = [(2.0**n, 2.0 ** (n + 1)) for n in range(-14, -3)] + [(n / 8, (n + 1) / 8) for n in range(1, 16)]
        for x, y in itertools.product((1, -1), repeat=2):
            yield (x, y, 0, 1.0, 1.0), 1.0, _BELOW_TWO
            for order, (low, high) in itertools.product((1, -1), ends):
                yield (x, y, order, low, high), max(1.0, low), _BELOW_TWO

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of A."""
        return Cell(*on_grid(low, high, 1 - FLOAT), FLOATS)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Both arguments are given, and their order."""
        x, y, order, low, high = which
        larger = Real(cell.argument(), 1 - FLOAT, 1, FLOAT)
        smaller = self._smaller(cell, low, high) if order else larger
        one, other = (smaller, larger) if order < 0 else (larger, smaller)
        exact = larger.model * larger.model + smaller.model * smaller.model

        def claims(run: Execution) -> list[tuple[Model, float]]:
            total = run.real(Value(self.total))
            if total.power != 2:
                raise Unproven("the sum of squares does not grow by 4^k")
            return [nothing(cell), (total.model - exact, _OFF_SQUARES * lower(exact.range()))]

        found = dict(zip(self.order, (order > 0, order < 0), strict=True))
        return Setting({0: signed(one, x), 1: signed(other, y), **found}, claims)

    def _smaller(self, cell: Cell, low: float, high: float) -> Real:
        """Any number of ``low`` .. ``high``; its square is a number of its own, the same in both sums."""
        off = cell.unknown((high - low) / 2)
        cell.paired |= set(off.terms)
        return Real(cell.constant((low + high) / 2) + off, -14 + 1 - FLOAT, 1, FLOAT)


def signed(number: Real, sign: int) -> Real:
    """A number, or its negative."""
    return Real(number.model.scaled(sign), number.grid, number.power, number.width)


def _cut(x: Any) -> Any:
    """The encoding of |x|, its exponent, the place, m, the third and the rest of the exponent."""
    encoding = bits(abs(x))
    exponent = (encoding >> 52) - 1023
    _, thirds = nearest((real(exponent) - 1.0) * (1.0 / 3.0))
    m = from_bits((encoding & quick.MANTISSA) | _ONE)
    return encoding, exponent, (encoding >> 45) & 127, m, thirds, exponent - 3 * thirds


def _entries(x: Any) -> Any:
    _, _, j, _, _, rest = _cut(x)
    row = rest * _PLACES + j
    return take(quick.CBRT_HI, row), take(quick.CBRT_LO, row), take(RECIPROCAL, j)


def _root_of_place(reciprocal: int, run: Execution, which: tuple[int, int]) -> Model:
    """The cube root of 2^rest over the reciprocal that stands there."""
    rest, _ = which
    of = run.real(Value(reciprocal)).model.range()
    return run.cell.constant(((arb(2) ** rest / of).log() / 3).exp())


def _ordinary(x: Any) -> Any:
    return x != 0.0, abs(x) < quick.INFINITY


def _sign(x: Any) -> Any:
    return bits(x) & SIGN


def quick_cbrt() -> Sequence[Any]:
    """The parts of the proof of quick's cbrt."""
    whole = traced(quick.cbrt, ("double",), ("double", "double"))
    encoding, exponent, j, m, thirds, rest = whole.places(_cut, *("long",) * 3, "double", "long", "long")
    (sign,) = whole.places(_sign, "long")
    ordinary = tuple((number, True) for number in whole.places(_ordinary, "bool", "bool"))
    layout = Layout(_ONE, _PLACES, 45, _PLACES)
    family = Family("cbrt", whole, layout, FLOAT, (exponent, j, m), (encoding,), {}, _one, (), in_one=True)
    powers = -50, 42

    claimed = {}
    for (of, encoded), left, place in itertools.product(_SIGNS, range(3), range(_PLACES)):
        integers, function = ((j, place), (rest, left), (sign, encoded)), ("cbrt", float(of), float(left))
        said = Enclosed(function, m, 1 - FLOAT, FLOAT, 0.0, 0, 1, powers, thirds, integers, ordinary)
        claimed[of, left, place] = said, [layout.ends(place, FLOAT)]
    head, tail, reciprocal = whole.places(_entries, "double", "double", "double")
    listed = {(left, place): {rest: left, j: place} for left in range(3) for place in range(_PLACES)}
    ideal = functools.partial(_root_of_place, reciprocal)
    return (
        Entries(whole, (head, tail), listed, ideal, 2.0**-105),
        Thirds(whole, exponent, thirds, rest, powers),
        Places(family),
        Stated("root", whole, claimed),
    )


def _one() -> arb:
    return arb(1)


def _sum_of_squares(x: Any, y: Any) -> Any:
    a, b = greater(abs(x), abs(y)), lesser(abs(x), abs(y))
    return a * a + b * b


def _order(x: Any, y: Any) -> Any:
    return abs(x) > abs(y), abs(x) < abs(y)


def _special_to_hypot(x: Any, y: Any) -> Any:
    a, b = greater(abs(x), abs(y)), lesser(abs(x), abs(y))
    infinite = (abs(x) == quick.INFINITY) | (abs(y) == quick.INFINITY)
    return b < a * 2.0**-14, infinite, (x != x) | (y != y)


def quick_hypot() -> Sequence[Any]:
    """The parts of the proof of quick's hypot."""
    whole = traced(quick.hypot, ("double", "double"), ("double", "double"))
    (total,) = whole.places(_sum_of_squares, "double")
    special = tuple((number, False) for number in whole.places(_special_to_hypot, "bool", "bool", "bool"))

    said = Enclosed(("sqrt", 1.0), total, -2000, 53, _OFF_SQUARES, 2, 1, FLOATS, conditions=special)
    pieces = [(n / 4, (n + 1) / 4) for n in range(4, 32)]
    order = whole.places(_order, "bool", "bool")
    return Squares(whole, total, order), Stated("root", whole, {"sum": (said, pieces)})


_PARTS: dict[str, Callable[[], Sequence[Any]]] = {"cbrt": quick_cbrt, "hypot": quick_hypot}
NAMES = tuple(_PARTS)


def quick_parts(name: str) -> Sequence[Any]:
    """The parts of the proof of one of quick's kernels."""
    return _PARTS[name]()
