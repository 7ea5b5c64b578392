"""atan2 and atan2pi: the place of the quotient, what is left of it, and the angle of that in every octant."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import SIGN, bits, greater, lesser, nearest, select, take
from clmath.ir.program import Value
from clmath.kernels.quick import inverse_trigonometric as quick
from clmath.kernels.quick.inverse_trigonometric import finite_direction, is_short
from clmath.kernels.quick.near_zero import TINY
from proofs.engine.execution import Execution, Real
from proofs.engine.models import Cell, Model, Unproven, dyadic
from proofs.engine.proof import Setting
from proofs.engine.traced import Traced, traced
from proofs.families.floats import FLOAT
from proofs.families.logarithm import on_grid
from proofs.families.stated import Entries, Stated
from proofs.statements import Enclosed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from clmath.ir.program import Kind

__all__ = ["NAMES", "quick_parts"]

FLOATS = -149, 127  # the powers of two that floats have
STEPS = 64  # places of quotients from 0 to 1
LEAST = 2.0**-277  # of quotients: the least float over the greatest
REACH = (1.0 + 2.0**-20) / (2 * STEPS)  # how far a quotient is from its place
_BELOW_TWO = 2.0 - 2.0**-23
_SIGNS = (1, -1)


@dataclass(frozen=True)
class Places:
    """How far the rounded quotient of two lengths is from the place that is taken for it: at most 1/128.

    ``quotient``, ``place`` and ``c``: where q, the integer j and j/64 stand in the trace.
    """

    traced: Traced
    quotient: int
    place: int
    c: int
    name: str = "places"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """All quotients from 0 to 1."""
        yield "next to 0", 0.0, LEAST
        for low, high in dyadic(LEAST, 1.0):
            yield "between", low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Quotients."""
        return Cell(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The quotient is given."""
        q = cell.argument()

        def claims(run: Execution) -> list[tuple[Model, float]]:
            c, place = run.real(Value(self.c)).model, run.whole(Value(self.place))
            from_middle = place - cell.constant(STEPS / 2)
            half = 0.5 * (STEPS + 1) * (1.0 - 2.0**-20)  # integers: 0 .. 64, that is
            return [(c.scaled(STEPS) - place, 0.0), (q - c, REACH * (1.0 - 2.0**-21)), (from_middle, half)]

        return Setting({self.quotient: Real(q, -1074)}, claims)


@dataclass(frozen=True)
class Quotients:
    """a - c b and b + c a are computed without any error, and t is their quotient rounded.

    b is the larger one in size of the two arguments, 2^k B with B = 1 .. 2, a the other one, 2^k A. c = j/64 is what
    ``Places`` is about: q lies within 1/128 of it, and a/b = q (1 + d), |d| <= 2^-53, within ``REACH``. Both arguments
    have 24 bits; where j is not 0, A is above 2^-8, so that it is a multiple of 2^-31. What is so for one k is so for
    all. Cases are the signs and the order; ``order``: where |y| > |x| and |y| < |x| stand; ``parts``: where the place,
    a - c b and b + c a; ``backward``: where x < 0.
    """

    traced: Traced
    order: Sequence[int]
    place: tuple[int, int]
    parts: tuple[int, int]
    backward: int
    name: str = "quotients"

    def __post_init__(self) -> None:
        """LookupError where the trace has no such quotient."""
        if not any(
            s.operation == "double.div" and s.operands == self._operands for s in self.traced.program.statements
        ):
            raise LookupError("t is no quotient of what is said")

    @property
    def _operands(self) -> tuple[Value, ...]:
        return tuple(map(Value, self.parts))

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Quarters of B, at each place, in each octant; binades of A where its place is 0; and the diagonals."""
        for y, x in itertools.product(_SIGNS, repeat=2):
            yield (y, x, 0, STEPS, (0.0, 0.0)), 1.0, _BELOW_TWO
            for order in _SIGNS:
                for ends in dyadic(LEAST, 2.0 * REACH):
                    yield (y, x, order, 0, ends), 1.0, _BELOW_TWO
                for j, quarter in itertools.product(range(1, STEPS + 1), range(4)):
                    high = min(1.0 + (quarter + 1) / 4, _BELOW_TWO)
                    yield (y, x, order, j, (-REACH * high, REACH * high)), 1.0 + quarter / 4, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell:
        """Values of B."""
        return Cell(*on_grid(low, high, 1 - FLOAT), FLOATS)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """Both arguments are given, their order, and the place."""
        y, x, order, j, ends = which
        larger = Real(cell.argument(), 1 - FLOAT, 1, FLOAT)
        smaller = self._smaller(cell, j, *ends) if order else larger
        c = cell.constant(j / STEPS)
        a_less, b_more = smaller.model - c * larger.model, larger.model + c * smaller.model
        one, other = (larger, smaller) if order > 0 else (smaller, larger)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            first, second = (run.real(number) for number in self._operands)
            if first.power != 1 or second.power != 1:
                raise Unproven("the parts of the quotient do not grow by 2^k")
            if run.value(Value(self.backward)) != (x < 0):
                raise Unproven("the sign of x is taken for another")
            return [(first.model - a_less, 0.0), (second.model - b_more, 0.0)]

        found = dict(zip(self.order, (order > 0, order < 0), strict=True))
        place, index = self.place
        at = Real(cell.constant(j), 0, 0, 7)
        return Setting({0: signed(one, y), 1: signed(other, x), **found, place: at, index: j}, claims)

    def _smaller(self, cell: Cell, j: int, low: float, high: float) -> Real:
        """The product c B, and something of ``low`` .. ``high``."""
        something = cell.constant((low + high) / 2) + cell.unknown((high - low) / 2)
        return Real(cell.argument().scaled(arb(j) / STEPS) + something, -31 if j else -300, 1, FLOAT)


def signed(number: Real, sign: int) -> Real:
    """A number, or its negative."""
    return Real(number.model.scaled(sign), number.grid, number.power, number.width)


def _lengths(y: Any, x: Any) -> Any:
    """(a, b, |y|, |x|), finite."""
    fy, fx = finite_direction(y, x)
    across, along = abs(fy), abs(fx)
    larger = greater(across, along)
    return lesser(across, along), select(larger == 0.0, 1.0, larger), across, along


def _order(y: Any, x: Any) -> Any:
    _, _, across, along = _lengths(y, x)
    return across > along, across < along


def _quotient(y: Any, x: Any) -> Any:
    """q, its place, j, c, a - c b, b + c a and t."""
    a, b, _, _ = _lengths(y, x)
    q = a / b
    place, j = nearest(q * 64.0)
    c = place * 0.015625
    return q, place, j, c, a - c * b, b + c * a, (a - c * b) / (b + c * a)


def _signs(y: Any, x: Any) -> Any:
    """Whether x is negative, and the sign of y."""
    _, fx = finite_direction(y, x)
    return fx < 0.0, bits(y) & SIGN


def _special_to_atan2(y: Any, x: Any) -> Any:
    fy, fx = finite_direction(y, x)
    q, *_ = _quotient(y, x)
    touching = (bits(fx) >= 0) & (abs(fy) <= abs(fx)) & (q < TINY) & is_short(q)
    return touching, fy == 0.0, (x != x) | (y != y)


def _special_to_atan2pi(y: Any, x: Any) -> Any:
    fy, fx = finite_direction(y, x)
    q, *_ = _quotient(y, x)
    corner = select(abs(fy) > abs(fx), 0.5, select(bits(fx) < 0, 1.0, 0.0))
    beside = (q < quick.SLIGHT) & (corner != 0.0)
    return beside, abs(fy) == abs(fx), fy == 0.0, (x != x) | (y != y)


def _entries(y: Any, x: Any) -> Any:
    _, _, j, *_ = _quotient(y, x)
    return take(quick.ATAN_HI, j), take(quick.ATAN_LO, j)


def _angle_of_place(run: Execution, place: int) -> Model:
    return run.cell.constant((arb(place) / STEPS).atan())


@dataclass(frozen=True)
class Claimed:
    """A kernel: the conditions of its special arguments, how many these are, and its function by its name."""

    special: Callable[..., Any]
    conditions: int
    function: str


_CLAIMED = {
    "atan2": Claimed(_special_to_atan2, 3, "angle"),
    "atan2pi": Claimed(_special_to_atan2pi, 4, "angle in half turns"),
}
NAMES = tuple(_CLAIMED)
_BOOLS: tuple[Kind, ...] = ("bool",) * 4
# (whether |y| > |x|, whether x < 0): how many quarters of a turn, and how often the angle of a/b is added
_OCTANTS = {(False, False): (0, 1), (True, False): (1, -1), (True, True): (1, 1), (False, True): (2, -1)}
_ABOVE = [*dyadic(LEAST, 1.0 / (4 * STEPS)), (1.0 / (4 * STEPS), REACH)]


def _pieces(j: int, *, is_first: bool) -> Sequence[tuple[float, float]]:
    """Of slopes t: toward the angle 0 binade by binade."""
    if j:
        return (-REACH, 0.0), (0.0, REACH)
    return _ABOVE if is_first else ((0.0, REACH),)


def quick_parts(name: str) -> Sequence[Any]:
    """The parts of the proof of one of quick's kernels."""
    claimed = _CLAIMED[name]
    whole = traced(getattr(quick, name), ("double", "double"), ("double", "double"))
    q, place, j, c, less, more, t = whole.places(_quotient, "double", "double", "long", *("double",) * 4)
    order = whole.places(_order, "bool", "bool")
    backward, sign = whole.places(_signs, "bool", "long")
    special = whole.places(claimed.special, *_BOOLS[: claimed.conditions])
    angles: dict[Any, tuple[Enclosed, Sequence[tuple[float, float]]]] = {}
    for y, (octant, (turns, of)), at in itertools.product(_SIGNS, _OCTANTS.items(), range(STEPS + 1)):
        function = claimed.function, float(y), float(turns), float(of), at / STEPS
        conditions: Mapping[int, bool] = {**dict.fromkeys(special, False), order[0]: octant[0], backward: octant[1]}
        integers = (j, at), (sign, 0 if y > 0 else SIGN)
        said = Enclosed(
            function, t, -1074, off=2.0**-53, integers=integers, conditions=tuple(sorted(conditions.items()))
        )
        angles[y, *octant, at] = said, _pieces(at, is_first=octant == (False, False))
    parts = whole.places(_entries, "double", "double")
    entries = Entries(whole, (parts[0], parts[1]), {at: {j: at} for at in range(STEPS + 1)}, _angle_of_place, 2.0**-105)
    return (
        entries,
        Places(whole, q, j, c),
        Quotients(whole, order, (place, j), (less, more), backward),
        Stated("angles", whole, angles),
    )
