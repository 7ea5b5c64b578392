"""Enclosures that narrowing asinh, acosh, atanh and others are given; and e^r - 1 as a pair, for powers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from clmath.ir.lanes import (
    bits,
    fast_two_sum,
    from_bits,
    lesser,
    select,
    two_sum,
)
from clmath.kernels.accurate import inverse_hyperbolic as double_hyperbolic
from clmath.kernels.accurate import logarithm as double
from clmath.kernels.accurate.inverse_hyperbolic import ASINH_TAIL, ATANH_TAIL, SMALL, TINY, cubic, log_sum, squared
from clmath.kernels.accurate.logarithm import log_at_pair, placed
from clmath.kernels.accurate.pairs import over_pair, square_root
from proofs.accurate import inverse_hyperbolic as accurate
from proofs.engine.models import Cell, Model, Unproven, lower, upper
from proofs.engine.proof import OfFamily, Setting
from proofs.families import double_power
from proofs.narrowing import inverse_hyperbolic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flint import arb

    from proofs.engine.execution import Execution
    from proofs.engine.traced import Traced

__all__ = ["CONTRACTS", "NAMES", "Told", "fine_parts", "told"]


@dataclass(frozen=True)
class Contracts:
    """What one part ensures and the next one requires.

    The bound that is told is no larger than ``told`` |l| and ``widest``. r + r_lo is y - n ln(2)/256 but for ``off``,
    no larger than ``reach`` and ``reach_lo``; e^r - 1 is no larger than ``rise``, its second part than ``rise_lo``, and
    it is off by ``rise_off``.
    """

    told: float = 2.0**-66.5
    widest: float = 2.0**-74.5
    off: float = 2.0**-110
    reach: float = 0.00136
    reach_lo: float = 2.0**-61
    rise: float = 0.001362
    rise_lo: float = 2.0**-62
    rise_off: float = 2.0**-108.5

    def most(self, size: float) -> float:
        """The bound that is told, at most, for |l| up to ``size``."""
        return min(self.told * size, self.widest) * (1.0 + 2.0**-50)


CONTRACTS = Contracts()


def _most_of_half(size: float) -> float:
    """The same where twice what is told is taken."""
    return CONTRACTS.most(2.0 * size) / 2.0


@dataclass(frozen=True)
class ToldOf:
    """A part of the accurate kernel's proof, and where that kernel has hi and lo before signs and special values.

    The bound is no larger than ``most`` of the least that the value is.
    """

    traced: Traced
    part: Any
    pair: tuple[int, int]
    most: Callable[[float], float]


@dataclass(frozen=True)
class Told(OfFamily):
    """What the accurate kernel tells: a bound as small as said, lo that is left of the sum that hi is, no exponent.

    For all that a part of that kernel's proof speaks of, with what is given there.
    """

    family: ToldOf
    name: str = "told"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Those of the part."""
        yield from self.family.part.pieces()

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Those of the part."""
        found: Cell | None = self.family.part.cell(which, low, high)
        return found

    def setting(self, which: Any, cell: Cell) -> Setting:
        """What the part is given."""
        family = self.family
        setting: Setting = family.part.setting(which, cell)

        def claims(run: Execution) -> list[tuple[Model, float]]:
            hi, _, err = (run.real_output(i).model for i in range(3))
            if run.output(3) != 0:
                raise Unproven("there is an exponent")
            if not upper(err.range()):
                return [(cell.constant(0), 0.0)]  # the narrowing kernel keeps what is exact
            double_power.check_rest(run, family.traced, family.pair)
            return [(err, family.most(lower(hi.range())))]

        return replace(setting, claims=claims)


def _told_of_asinh(x: Any) -> Any:
    a = abs(x)
    kept = select((a < double.INFINITY) & ~(a < TINY), a, 1.0)
    b = lesser(kept, double_hyperbolic.LARGE)
    square, rest = squared(b)
    z, z_lo = two_sum(square, 1.0)
    s, s_lo = square_root(*fast_two_sum(z, z_lo + rest))
    return _told_of_odd(a, log_sum(s, b, s_lo, kept), cubic(b, ASINH_TAIL))


def _told_of_odd(a: Any, found: Any, near_zero: Any) -> Any:
    small = a < SMALL
    return fast_two_sum(select(small, a, found[0]), select(small, near_zero, found[1]))


def _told_of_acosh(x: Any) -> Any:
    kept = select((x > 1.0) & (x < double.INFINITY), x, 2.0)
    b = lesser(kept, double_hyperbolic.LARGE)
    t = b - 1.0
    square, rest = squared(t)
    z, z_lo = two_sum(t + t, square)
    s, s_lo = square_root(*fast_two_sum(z, z_lo + rest))
    found, small = log_sum(b, s, s_lo, kept), s < SMALL
    return fast_two_sum(select(small, s, found[0]), select(small, s_lo + cubic(s, ASINH_TAIL), found[1]))


def _told_of_atanh(x: Any) -> Any:
    a = abs(x)
    kept = select((a < 1.0) & ~(a < TINY), a, 0.5)
    y, y_lo = over_pair(*fast_two_sum(1.0, kept), *fast_two_sum(1.0, -kept))
    k, j, m = placed(bits(y))
    hi, lo = log_at_pair(k, j, m, y_lo * from_bits((1023 - k) << 52))
    return _told_of_odd(a, (0.5 * hi, 0.5 * lo), cubic(kept, ATANH_TAIL))


def told(
    parts: tuple[Any, ...],
    names: tuple[str, ...],
    pair: Callable[..., Any],
    most: Callable[[float], float] = CONTRACTS.most,
) -> Iterator[Told]:
    """What is told, by some parts of the accurate kernel's proof."""
    whole = parts[0].traced
    hi, lo = whole.places(pair, "double", "double")
    for part in parts:
        if part.name in names:
            yield Told(ToldOf(whole, part, (hi, lo), most), f"told, {part.name}")


_TOLD: dict[str, tuple[Callable[..., Any], Callable[[float], float]]] = {
    "asinh": (_told_of_asinh, CONTRACTS.most),
    "acosh": (_told_of_acosh, CONTRACTS.most),
    "atanh": (_told_of_atanh, _most_of_half),
}
NAMES = tuple(_TOLD)


def fine_parts(name: str) -> tuple[Any, ...]:
    """The parts of the proof of one of the narrowing kernels."""
    pair, most = _TOLD[name]
    of_double = told(accurate.LEMMAS[name](name), ("values", "near zero"), pair, most)
    return *of_double, *inverse_hyperbolic.lemmas(name)
