"""asinh, acosh, atanh: log(1 + w) by what is proven of that for every double w, and what is wrong with w itself."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import bits, from_bits, select, sqrt, take, two_sum
from clmath.ir.program import Value
from clmath.kernels.quick import hyperbolic as quick
from clmath.kernels.quick.logarithm import LOG_HI, LOG_LO, RECIPROCAL, log1p_of, placed
from clmath.kernels.quick.near_zero import TINY
from proofs.engine.execution import Execution, Real
from proofs.engine.ideals import INVERSE, LOG, SQRT, applied
from proofs.engine.models import Cell, Model, Unproven, dyadic, lower, upper
from proofs.engine.proof import Setting, in_one
from proofs.engine.traced import Traced, traced
from proofs.families import logarithm
from proofs.families.floats import FLOAT, floats_between, grid_of_floats
from proofs.families.stated import Entries
from proofs.statements import Logarithm, SmallLogarithm, Through

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from clmath.ir.program import Kind

__all__ = ["NAMES", "quick_parts"]

OFF = 2.0**-52  # what log1p_of says of its relative error
BELOW_ONE = 1.0 - 2.0**-24  # the largest float below 1
ENTRIES_OFF = 2.0**-97  # of LOG_HI + LOG_LO
LEAST, GREATEST = 2.0**-15, 2.0**130  # of all w


@dataclass(frozen=True)
class OfSum(logarithm.Family):
    """log(1 + w) for every double w, as a lane function that gives one double and no bound: ``OFF`` is claimed."""

    def claim(self, run: Execution, ideal: Model) -> list[tuple[Model, float]]:
        """That the value is within ``OFF`` of ``ideal``, of that."""
        value = run.real_output(0)
        if value.power:
            raise Unproven("a logarithm with a power")
        return [(value.model - ideal, OFF * lower(ideal.range()))]


class SumOfLogarithm(logarithm.Sum):
    """The sum that is the logarithm, which can be told as plain data."""

    def statement(self, which: Any, low: float) -> Logarithm:
        """What is claimed of pieces from ``low`` on."""
        (least, greatest), place = which
        k, j, m = self.family.cut
        one_plus, carried = self.family.one_plus, self.family.layout.carried(place)
        assert one_plus is not None
        assert one_plus.scale is not None
        powers = least - carried, greatest - carried
        left = min(2.0**-54 if low < 1.0 else 2.0**-53, 2.0 ** -powers[0])
        at, total = (j, place), one_plus.left
        return Logarithm(m, -53 if low < 1.0 else -52, total, left, one_plus.scale, k, carried, powers, (at,), OFF)


class NearOfLogarithm(logarithm.Near):
    """Where 1 + w is rounded to a number next to 1, which can be told as plain data."""

    def statement(self, which: Any, low: float, high: float) -> SmallLogarithm:
        """What is claimed between ``low`` and ``high``."""
        _, place, q = which
        k, j, m = self.family.cut
        if q or self.one_plus.scale is None:
            raise NotImplementedError("that is for w below 0, which no kernel has")
        doubles = (k, 0.0), (self.one_plus.scale, 1.0)
        grid = self._grid(arb(low), arb(high))
        return SmallLogarithm(grid, m, self.one_plus.total, doubles, ((j, place),), OFF)


@dataclass(frozen=True)
class Inside:
    """The kernel's value, where log(1 + w) of its own w is within ``OFF`` of what it is to be, of that.

    ``inner``: where w and its logarithm stand in the trace. That w is between ``LEAST`` and ``GREATEST``, for which
    the other parts have proven this, is a claim, too.
    """

    function: str
    traced: Traced
    inner: tuple[int, int]
    ideal: Callable[[Model], Model]
    least: float
    top: float
    signs: tuple[int, ...]
    special: tuple[tuple[int, bool], ...]
    name: str = "inside"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades, of the distance from 1 next to it, each in eight parts."""
        ends = {end for piece in dyadic(self.least, self.top) for end in piece}
        if self.top == BELOW_ONE:
            ends |= {1.0 - 2.0**-i for i in range(1, FLOAT)}
        if self.least == ABOVE_ONE:
            ends |= {1.0 + 2.0**-i for i in range(1, FLOAT - 1)}
        for low, high in pairwise(sorted(ends)):
            inner = [low + (high - low) * i / 8 for i in range(9)]
            for first, last in pairwise(inner):
                for sign in self.signs:
                    yield (sign, first, last) if sign > 0 else (sign, -last, -first)

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Arguments: the floats among them."""
        return floats_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given, and the logarithm of the sum."""
        x = cell.argument()
        w, logarithm_of_sum = self.inner
        found: list[Real] = []

        def of_sum(run: Execution) -> Real:
            if not found:
                exact = applied(LOG, run.real(Value(w)).model + cell.constant(1))
                found.append(Real(exact + cell.unknown(arb(OFF) * upper(exact.range())), -1074))
            return found[0]

        def claims(run: Execution) -> list[tuple[Model, float]]:
            size = run.real(Value(w)).model.range()
            if not (size > LEAST and size < GREATEST):
                raise Unproven(f"1 + w with w = {size}")
            return [in_one(run, self.ideal(x))]

        given = Real(x, grid_of_floats(cell.low, cell.high), 0, FLOAT)
        return Setting({0: given, logarithm_of_sum: of_sum, **dict(self.special)}, claims)

    def statement(self, which: Any, low: float, high: float) -> Through:
        """The same as plain data."""
        grid = grid_of_floats(arb(low), arb(high))
        return Through(self.function, grid, FLOAT, *self.inner, OFF, (LEAST, GREATEST), self.special)


ABOVE_ONE = 1.0 + 2.0**-23


def _asinh(x: Model) -> Model:
    if x.range() < 0:
        return -_asinh(-x)
    return applied(LOG, x + applied(SQRT, x * x + x.cell.constant(1)))


def _acosh(x: Model) -> Model:
    one = x.cell.constant(1)
    return applied(LOG, x + applied(SQRT, (x - one) * (x + one)))


def _atanh(x: Model) -> Model:
    one = x.cell.constant(1)
    return applied(LOG, (one + x) * applied(INVERSE, one - x)).scaled(arb(1) / 2)


def _sum_of_asinh(x: Any) -> Any:
    a = select(abs(x) < quick.INFINITY, abs(x), 0.0)
    z = a * a
    w = a + z / (1.0 + sqrt(1.0 + z))
    return w, log1p_of(w)


def _sum_of_acosh(x: Any) -> Any:
    t = select((x >= 1.0) & (x < quick.INFINITY), x, 1.0) - 1.0
    w = t + sqrt(t * (t + 2.0))
    return w, log1p_of(w)


def _sum_of_atanh(x: Any) -> Any:
    kept = select(abs(x) < 1.0, abs(x), 0.0)
    w = (kept + kept) / (1.0 - kept)
    return w, log1p_of(w)


def _special(x: Any) -> Any:
    return (abs(x) < TINY,)


@dataclass(frozen=True)
class Claimed:
    """What ``Inside`` is told of a kernel."""

    inner: Callable[..., Any]
    ideal: Callable[[Model], Model]
    least: float
    top: float
    signs: tuple[int, ...] = (1, -1)
    special: Callable[..., Any] | None = _special


_CLAIMED = {
    "asinh": Claimed(_sum_of_asinh, _asinh, TINY, 2.0**128),
    "acosh": Claimed(_sum_of_acosh, _acosh, ABOVE_ONE, 2.0**128, (1,), None),
    "atanh": Claimed(_sum_of_atanh, _atanh, TINY, BELOW_ONE),
}
NAMES = tuple(_CLAIMED)


def _parts_of_sum(w: Any) -> Any:
    total, left = two_sum(1.0, w)
    scale = from_bits(0x7FE0000000000000 - (bits(total) & 0x7FF0000000000000))
    return total, left, scale, bits(total), *placed(total)


def _entries(w: Any) -> Any:
    total, _ = two_sum(1.0, w)
    _, j, _ = placed(total)
    return take(LOG_HI, j), take(LOG_LO, j), take(RECIPROCAL, j)


def _logarithm_of_place(reciprocal: int, layout: logarithm.Layout, run: Execution, place: int) -> Model:
    """Less log 2 from the carry on."""
    of = run.real(Value(reciprocal)).model.range()
    return run.cell.constant(-of.log() - arb(2).log() * layout.carried(place))


def of_sum() -> Sequence[Any]:
    """The parts of the proof that log1p_of(w) is within ``OFF`` of log(1 + w), of that, for ``LEAST`` <= w."""
    whole = traced(log1p_of, ("double",), ("double",))
    kinds: tuple[Kind, ...] = ("double", "double", "double", "long", "double", "long", "double")
    total, left, scale, encoding, k, j, m = whole.places(_parts_of_sum, *kinds)
    layout = logarithm.Layout(1023 << 52, 128, 45, 53)
    near = (1, 0, 0), (-1, 127, -1)
    one_plus = logarithm.OnePlus(total, left, scale, near, LEAST, 53)
    powers = (0, 0), *((1 << n, (2 << n) - 1) for n in range(8))
    family = OfSum("log1p_of", whole, layout, 53, (k, j, m), (encoding,), {}, _natural, powers, True, False, one_plus)
    head, tail, reciprocal = whole.places(_entries, "double", "double", "double")
    listed = {place: {j: place} for place in range(layout.places)}
    ideal = functools.partial(_logarithm_of_place, reciprocal, layout)
    entries = Entries(whole, (head, tail), listed, ideal, ENTRIES_OFF)
    return entries, logarithm.Places(family), SumOfLogarithm(family), NearOfLogarithm(family, one_plus)


def _natural() -> arb:
    return arb(1)


def quick_parts(name: str) -> Sequence[Any]:
    """The parts of the proof of one of quick's kernels: those of log(1 + w), and of the whole."""
    claimed = _CLAIMED[name]
    whole = traced(getattr(quick, name), ("double",), ("double", "double"))
    w, found = whole.places(claimed.inner, "double", "double")
    special = () if claimed.special is None else whole.places(claimed.special, "bool")
    inside = Inside(
        name,
        whole,
        (w, found),
        claimed.ideal,
        claimed.least,
        claimed.top,
        claimed.signs,
        tuple((number, False) for number in special),
    )
    return *of_sum(), inside
