"""What refines exp10 and log10: exactly the powers of ten that are numbers, or midpoints, of the format are found.

``refined_exp10`` compares the argument with the integer that is nearest to it within 0 .. n, ``refined_log10`` with the
power of ten that a table has for the integer nearest to the result. No other argument compares equal.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from clmath.ir.lanes import clamp, nearest, take
from clmath.ir.program import Constant, Value
from clmath.kernels.double.exponential import refined_exp10 as double_exp10
from clmath.kernels.double.logarithm import POWERS_OF_TEN as DOUBLE_POWERS
from clmath.kernels.double.logarithm import log10 as double_log10
from clmath.kernels.double.logarithm import refined_log10 as double_refined_log10
from clmath.kernels.quick.exponential import exp10 as quick_exp10
from clmath.kernels.quick.exponential import refined_exp10 as quick_refined_exp10
from clmath.kernels.quick.logarithm import POWERS_OF_TEN as QUICK_POWERS
from clmath.kernels.quick.logarithm import refined_log10 as quick_refined_log10
from proofs.engine.execution import Execution, Real
from proofs.engine.models import GREATEST, Cell, Unproven, binades, dyadic
from proofs.engine.traced import traced
from proofs.families.double_roots import Numbers
from proofs.families.kinds import BOOL, DOUBLE, ENCLOSURE, LONG, PAIR, any_double
from proofs.families.refining import Exact, Never, Refining, Unchanged, is_equality, said_of_integers
from proofs.families.stated import nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from clmath.ir.program import Kind, Operand
    from proofs.families.double_roots import Claims, Family

__all__ = ["SECOND"]

_OUTPUTS: dict[str, tuple[Kind, ...]] = {"quick": PAIR, "double": ENCLOSURE}
_LARGEST = {"quick": 10, "double": 23}  # the greatest power of ten that is a number or a midpoint
_FINEST = -1074
_TOLD: tuple[Operand, ...] = (Value(1), Value(2))


# exp10


def _whole(x: Any, top: Any) -> Any:
    whole, _ = nearest(clamp(x, 0.0, top))
    return whole, whole == x


def _quick_exp10(x: Any) -> Any:
    return quick_refined_exp10(x, *quick_exp10(x))


def _quick_places(x: Any) -> Any:
    return *_whole(x, 10.0), *quick_exp10(x)


def _double_places(x: Any, *_: Any) -> Any:
    return _whole(x, 23.0)


def _beyond(top: float) -> Iterator[tuple[Any, float, float]]:
    """Doubles below 0 and above ``top``, as far apart from it as their sizes are."""
    yield from (("below", -high, -low) for low, high in dyadic(2.0**-1074, GREATEST))
    unit = math.nextafter(top, math.inf) - top
    yield from (("above", top + low, top + high) for low, high in dyadic(unit, top))
    yield from (("above", low, high) for low, high in dyadic(2.0 * top, GREATEST))


def _exp10(rung: str) -> Sequence[Any]:
    top = _LARGEST[rung]
    if rung == "quick":
        whole, places = traced(_quick_exp10, (DOUBLE,), _OUTPUTS[rung]), _quick_places
        found = whole.places(places, DOUBLE, BOOL, DOUBLE, DOUBLE)
        told = tuple(map(Value, found[2:]))
    else:
        whole = traced(double_exp10, (DOUBLE, *_OUTPUTS[rung]), _OUTPUTS[rung])
        found, told = whole.places(_double_places, DOUBLE, BOOL), tuple(map(Value, range(1, 5)))
    at = {"x": 0, "whole": found[0], "is integer": found[1], "exact": found[1]}
    family = Refining(whole, at, frozenset({"refined_exp10"}), told=told)
    integers = [("x", float(n), float(n + 1)) for n in range(top)]
    return (
        Unchanged(family, [("exact",)]),
        Numbers(family, "integers", integers, _FINEST, said_of_integers),
        Never(family, "others", "x", "exact", list(_beyond(float(top))), any_double),
        Exact(family, "powers", {n: ({"x": float(n)}, 10**n) for n in range(top + 1)}),
    )


# log10


def _quick_logarithm(_x: Any, value: Any, *_: Any) -> Any:
    whole, n = nearest(clamp(value, 0.0, 11.0))
    power = take(QUICK_POWERS, n)
    return whole, n, power, power == _x


def _double_log10(x: Any) -> Any:
    return double_refined_log10(x, *double_log10(x))


def _double_logarithm(x: Any) -> Any:
    hi, lo, err, _ = double_log10(x)
    whole, n = nearest(clamp(hi, 0.0, 22.0))
    power = take(DOUBLE_POWERS, n)
    return whole, n, power, power == x, hi, lo, err


def _said_of_logarithms(family: Family, which: Any, cell: Cell) -> Any:
    """Whatever the result is, what the argument is compared with is 10 to the power that is returned, and exact."""
    top = which

    def claims(run: Execution, value: Callable[[str], Real]) -> Claims:
        at = family.at
        n = run.value(Value(at["n"]))
        run.divided(n)
        whole, power = value("whole"), value("power")
        index = round(float(whole.model.range().mid()))
        if not 0 <= index <= top:
            raise Unproven(f"10^{index} is none of the powers")
        if not is_equality(family.traced, at["exact"], at["power"], at["x"]):
            raise Unproven("something else is compared")
        found = run.where({at["exact"]: True})
        outputs = [found.real_output(i).model for i, (kind, _) in enumerate(run.program.outputs) if kind == "double"]
        if len(outputs) == 3 and found.output(3) != 0:
            raise Unproven("there is an exponent")
        returned = [(outputs[0] - cell.constant(index), 0.0), *((part, 0.0) for part in outputs[1:])]
        return [nothing(cell), (power.model - cell.constant(10**index), 0.0), *returned]

    return {"value": Real(cell.argument(), _FINEST)}, claims


def _results(top: int) -> Iterator[tuple[Any, float, float]]:
    """Values of the logarithm: about each integer, below 0, and beyond."""
    yield from ((top, low, high) for sign, low, high in binades(2.0**-1074, 2.0**9) if sign == "-")
    for n in range(top + 1):
        yield top, n - 0.5 if n else 0.0, n + 0.0
        yield top, n + 0.0, n + 0.5
    yield from ((top, low, high) for low, high in dyadic(top + 0.5, 2.0**9))


def _log10(rung: str) -> Sequence[Any]:
    if rung == "quick":
        whole, top = traced(quick_refined_log10, (DOUBLE, *_OUTPUTS[rung]), _OUTPUTS[rung]), 11
        places = whole.places(_quick_logarithm, DOUBLE, LONG, DOUBLE, BOOL)
        value, told = 1, _TOLD
    else:
        whole, top = traced(_double_log10, (DOUBLE,), _OUTPUTS[rung]), 22
        *places, value, lo, err = whole.places(_double_logarithm, DOUBLE, LONG, DOUBLE, BOOL, DOUBLE, DOUBLE, DOUBLE)
        told = Value(value), Value(lo), Value(err), Constant("long", 0)
    at = {"x": 0, "value": value, **dict(zip(("whole", "n", "power", "exact"), places, strict=True))}
    family = Refining(whole, at, frozenset({"refined_log10"}), told=told)
    return (
        Unchanged(family, [("exact",)]),
        Numbers(family, "logarithms", list(_results(top)), _FINEST, _said_of_logarithms),
    )


SECOND: dict[tuple[str, str], Callable[[str], Sequence[Any]]] = {
    ("quick", "exp10"): lambda _: _exp10("quick"),
    ("quick", "log10"): lambda _: _log10("quick"),
    ("double", "log10"): lambda _: _log10("double"),
}
