"""Kernels that are proven on cells of their arguments as they are: those of float whose reductions have few steps."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import bits
from clmath.kernels.quick import error_function, exponential, hyperbolic, inverse_trigonometric, near_zero, power
from proofs.engine.execution import Real
from proofs.engine.ideals import (
    ATAN,
    ERF,
    ERFC,
    EXP,
    EXPM1,
    INVERSE,
    SQRT,
    acos,
    acospi,
    applied,
    asin,
    asinpi,
)
from proofs.engine.models import Cell, Model, dyadic
from proofs.engine.proof import Setting, in_one
from proofs.engine.traced import Traced, traced
from proofs.families.floats import FLOAT, floats_between, grid_of_floats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clmath.ir.program import Kind
    from proofs.engine.execution import Execution

__all__ = ["NAMES", "quick_parts"]

BELOW_ONE = 1.0 - 2.0**-24  # the largest float below 1


@dataclass(frozen=True)
class Direct:
    """A kernel on arguments between ``least`` and ``top`` in size, of the signs ``signs``.

    Pieces are ``width`` wide; where that is 0, 2^-6 of where they lie. ``false``: where conditions of special arguments
    stand in the trace.
    """

    traced: Traced
    ideal: Callable[[Model], Model]
    least: float
    top: float
    width: float
    signs: tuple[int, ...]
    false: tuple[int, ...]
    name: str = "arguments"

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades, each in pieces of the same width; next to 1 those of the distance from it."""
        ends = {end for piece in dyadic(self.least, self.top) for end in piece}
        if self.top == BELOW_ONE:
            ends |= {1.0 - 2.0**-i for i in range(1, FLOAT)}
        for low, high in pairwise(sorted(ends)):
            count = max(math.ceil((high - low) / (self.width or 2.0**-6 * low)), 1)
            inner = [low + (high - low) * i / count for i in range(count)] + [high]
            for first, last in pairwise(inner):
                for sign in self.signs:
                    yield (sign, first, last) if sign > 0 else (sign, -last, -first)

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Arguments: the floats among them."""
        return floats_between(low, high)

    def setting(self, which: Any, cell: Cell) -> Setting:
        """The argument is given, a float."""
        x = cell.argument()

        def claims(run: Execution) -> list[tuple[Model, float]]:
            return [in_one(run, self.ideal(x))]

        given = Real(x, grid_of_floats(cell.low, cell.high), 0, FLOAT)
        return Setting({0: given, **dict.fromkeys(self.false, False)}, claims)


@dataclass(frozen=True)
class Claimed:
    """What ``Direct`` is told of a kernel: where it stands, and which conditions special arguments have."""

    module: Any
    special: Callable[..., Any]
    conditions: int
    ideal: Callable[[Model], Model]
    least: float
    top: float
    width: float = 0.0
    signs: tuple[int, ...] = (1, -1)


def _sinh(x: Model) -> Model:
    return (applied(EXP, x) - applied(EXP, -x)).scaled(arb(1) / 2)


def _cosh(x: Model) -> Model:
    return (applied(EXP, x) + applied(EXP, -x)).scaled(arb(1) / 2)


def _erf(x: Model) -> Model:
    return applied(ERF, x)


def _erfc(x: Model) -> Model:
    return applied(ERFC, x)


def _expm1(x: Model) -> Model:
    return applied(EXPM1, x)


def _tanh(x: Model) -> Model:
    return _sinh(x) * applied(INVERSE, _cosh(x))


def _atan(x: Model) -> Model:
    return applied(ATAN, x)


def _atanpi(x: Model) -> Model:
    return applied(ATAN, x).scaled(1 / arb.pi())


def _rsqrt(x: Model) -> Model:
    return applied(INVERSE, applied(SQRT, x))


def _special_to_sinh(x: Any) -> Any:
    return abs(x) < near_zero.TINY, abs(x) == hyperbolic.INFINITY, abs(x) > hyperbolic.TOP


def _special_to_cosh(x: Any) -> Any:
    return abs(x) < near_zero.TINY, abs(x) == hyperbolic.INFINITY, abs(x) > hyperbolic.TOP, x != x


def _special_to_tanh(x: Any) -> Any:
    return abs(x) < near_zero.TINY, abs(x) == hyperbolic.INFINITY, abs(x) > hyperbolic.SATURATED


def _special_to_atan(x: Any) -> Any:
    return (abs(x) < near_zero.TINY,)


def _special_to_asinpi(x: Any) -> Any:
    return x == 0.0, abs(x) == 1.0


def _special_to_acos(x: Any) -> Any:
    return (x == 1.0,)


def _special_to_acospi(x: Any) -> Any:
    return abs(x) == 0.0, abs(x) == 1.0, abs(x) < inverse_trigonometric.SLIGHT


def _special_to_rsqrt(x: Any) -> Any:
    even = ((bits(x) & power.MANTISSA) == 0) & ((bits(x) >> 52 & 1) != 0)
    return even, x == 0.0, x == power.INFINITY


def _special_to_atanpi(x: Any) -> Any:
    a = abs(x)
    return a == 1.0, a == hyperbolic.INFINITY, a > 1.0 / inverse_trigonometric.SLIGHT, a == 0.0


def _special_to_expm1(x: Any) -> Any:
    infinity = exponential.INFINITY
    return x < exponential.SATURATED, abs(x) < exponential.TINY, x == infinity, x == -infinity


def _special_to_erf(x: Any) -> Any:
    return abs(x) >= error_function.SATURATED, abs(x) == error_function.INFINITY


def _special_to_erfc(x: Any) -> Any:
    infinite = abs(x) == error_function.INFINITY
    return abs(x) < error_function.SLIGHT, infinite, x < -error_function.SATURATED, x == error_function.INFINITY, x != x


_CLAIMED = {
    "expm1": Claimed(exponential, _special_to_expm1, 4, _expm1, exponential.TINY, 110.0, 2.0**-8),
    "sinh": Claimed(hyperbolic, _special_to_sinh, 3, _sinh, near_zero.TINY, 110.0, 2.0**-8),
    "cosh": Claimed(hyperbolic, _special_to_cosh, 4, _cosh, near_zero.TINY, 110.0, 2.0**-8),
    "tanh": Claimed(hyperbolic, _special_to_tanh, 3, _tanh, near_zero.TINY, hyperbolic.SATURATED, 2.0**-9),
    "atan": Claimed(inverse_trigonometric, _special_to_atan, 1, _atan, near_zero.TINY, 2.0**128),
    "atanpi": Claimed(inverse_trigonometric, _special_to_atanpi, 4, _atanpi, 2.0**-149, 2.0**27),
    "asin": Claimed(inverse_trigonometric, _special_to_atan, 1, asin, near_zero.TINY, BELOW_ONE),
    "asinpi": Claimed(inverse_trigonometric, _special_to_asinpi, 2, asinpi, 2.0**-149, BELOW_ONE),
    "acos": Claimed(inverse_trigonometric, _special_to_acos, 1, acos, 2.0**-149, BELOW_ONE),
    "acospi": Claimed(inverse_trigonometric, _special_to_acospi, 3, acospi, 2.0**-27, BELOW_ONE),
    "rsqrt": Claimed(power, _special_to_rsqrt, 3, _rsqrt, 2.0**-149, 2.0**128, signs=(1,)),
    "erf": Claimed(error_function, _special_to_erf, 2, _erf, 2.0**-149, error_function.SATURATED, 2.0**-7),
    "erfc": Claimed(error_function, _special_to_erfc, 5, _erfc, error_function.SLIGHT, 10.75, 2.0**-9),
}
NAMES = tuple(_CLAIMED)
_BOOLS: tuple[Kind, ...] = ("bool",) * 8


def quick_parts(name: str) -> tuple[Direct]:
    """The parts of the proof of one of quick's kernels."""
    claimed = _CLAIMED[name]
    whole = traced(getattr(claimed.module, name), ("double",), ("double", "double"))
    false = tuple(whole.places(claimed.special, *_BOOLS[: claimed.conditions]))
    return (Direct(whole, claimed.ideal, claimed.least, claimed.top, claimed.width, claimed.signs, false),)
