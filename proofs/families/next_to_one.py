"""What refines double's log1p and log: on which side of a boundary b = hi + rounded log(1 + t) lies, for small t.

``missed`` is what is computed for D = log(1 + t) - b. Where the two are close, so that D is small beside t^2, what is
left of t without b and t^2/2 is exact (parts "apart" and "left"), t^2 being rounded; all else is t^3/3 - t^4/4, less
than |t|^5/4 besides, and what t^2 is rounded by. It is off by less than the bound that is computed (parts "left" and
"bound"), and so is the sum but for its own rounding, which leaves its sign as it is: where |missed| is more than that,
D has its sign. For negative b the size of log(1 + t) is more than that of b where D is negative.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import select, two_product
from clmath.ir.program import Value
from clmath.kernels.double.boundaries import in_54_bits
from clmath.kernels.double.logarithm import (
    BOUND,
    NEXT_TO_ONE,
    SMALL,
    TINY,
    log,
    log1p,
    refined_log,
    refined_log1p,
    side_of_log1p,
)
from proofs.engine.execution import Execution, Real
from proofs.engine.models import GREATEST, Cell, dyadic
from proofs.engine.proof import least_of
from proofs.engine.traced import Traced, traced
from proofs.families.double_roots import Claims, Family, Numbers
from proofs.families.kinds import BOOL, DOUBLE, ENCLOSURE, LONG, any_double, of_both_signs
from proofs.families.next_to_boundaries import (
    BOUNDARY,
    KINDS_OF_BOUNDARY,
    of_refined,
    refined_parts,
    said_of_open,
)
from proofs.families.refining import NO_EXPONENT, ZERO, Cases, Meaning, Never, Refining, Selected
from proofs.families.short_results import parts_named
from proofs.families.stated import nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.ir.program import Kind, Operand

__all__ = ["SECOND"]

_LEAST, _MOST = 2.0**-60 * (1.0 - 2.0**-20), 2.0**-27 * (1.0 + 2.0**-20)  # t in size


def _parts(t: Any, hi: Any, lo: Any) -> Any:
    square, square_rest = two_product(t, t)
    cube = square * t
    apart = (t - hi) - in_54_bits(hi, lo)
    left = apart - 0.5 * square
    follows = cube * (1.0 / 3.0 - 0.25 * t) - 0.5 * square_rest
    missed = left + follows
    bound = abs(cube) * 2.0**-51 + square * 2.0**-104
    is_near, is_more = abs(t) < NEXT_TO_ONE, abs(missed) > bound
    outward = select(hi > 0.0, missed, -missed)
    numbers = t, square, square_rest, cube, apart, left, follows, missed, bound, outward, -missed
    return *numbers, hi > 0.0, is_near, is_more, is_near & is_more


_NUMBERS = (
    "t",
    "square",
    "rest of the square",
    "cube",
    "t - b",
    "left",
    "follows",
    "missed",
    "bound",
    "outward side",
    "opposite",
)
_NAMES = *_NUMBERS, "hi is positive", "is near", "is more", "told"
_KINDS: tuple[Kind, ...] = (*(DOUBLE,) * 11, *(BOOL,) * 4)


def _binade(cell: Cell) -> int:
    return math.frexp(float(min(cell.low.abs_lower(), cell.high.abs_lower())))[1] - 1


def _said_of_apart(_: Family, _which: Any, cell: Cell) -> Any:
    """T - b is exact where hi is as close to t as 4 t^2, or as four of its places."""
    t, binade = cell.argument(), _binade(cell)
    rounded, away = cell.unknown(arb(2) ** (binade - 51)), cell.unknown(arb(2) ** max(2 * binade + 2, binade - 50))
    given = {"t": Real(t, binade - 52), "hi": Real(t - away, binade - 54), "rounded": Real(rounded, binade - 56)}

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        return [nothing(cell), (value("t - b").model - away + rounded, 0.0)]

    return given, claims


def _said_of_left(_: Family, _which: Any, cell: Cell) -> Any:
    """What is left is D without what follows t - t^2/2, exactly; that is off by less than the bound that is computed.

    log(1 + t) is t - t^2/2 + t^3/3 - t^4/4 and no more than |t|^5/4 besides. ``off`` is D without that, which is small
    beside t^2: hi, lo and b lie within twice the kernel's bound of each other.
    """
    t, binade = cell.argument(), _binade(cell)
    exact = t * t
    square = exact + cell.unknown(arb(2) ** (2 * binade - 51))
    off = cell.unknown(arb(2) ** (2 * binade - 3))
    apart = square.scaled(arb(1) / 2) + off
    square_grid = 2 * binade - 52
    given = {"t": Real(t, binade - 52), "square": Real(square, square_grid), "t - b": Real(apart, square_grid - 1)}
    cube = exact * t
    left_out = cell.unknown((exact * cube).range().abs_upper() / 4)
    follows = cube.scaled(arb(1) / 3) - (exact * exact).scaled(arb(1) / 4) + left_out
    follows -= (exact - square).scaled(arb(1) / 2)

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        size = t.scaled(4 * BOUND) + cube.scaled(arb(1) / 2)
        return [
            (value("follows").model - follows, 0.99 * least_of(value("bound").model)),
            (value("left").model - off, 0.0),
            (value("rest of the square").model - (exact - square), 0.0),
            (size, 2.0 ** (2 * binade - 3)),
        ]

    return given, claims


def _said_of_difference(_: Family, _which: Any, cell: Cell) -> Any:
    """T = x - 1 is exact where it is small."""
    x = cell.argument()

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        return [nothing(cell), (value("t").model - x + cell.constant(1), 0.0)]

    return {"x": Real(x, -53)}, claims


def _log1p(x: Any) -> Any:
    return refined_log1p(x, *log1p(x))


def _log(x: Any) -> Any:
    return refined_log(x, *log(x))


def _refined_log1p(t: Any) -> Any:
    hi, lo, err, _ = log1p(t)
    return of_refined(hi, lo, err, err < 0.0, side_of_log1p(t, hi, lo))


def _refined_log(x: Any) -> Any:
    hi, lo, err, _ = log(x)
    return of_refined(hi, lo, err, err < 0.0, side_of_log1p(x - 1.0, hi, lo))


def _places_of_log1p(x: Any) -> Any:
    hi, lo, err, exponent = log1p(x)
    return *_parts(x, hi, lo), hi, lo, err, exponent, abs(x) < SMALL, abs(x) < TINY


def _places_of_log(x: Any) -> Any:
    hi, lo, err, _ = log(x)
    return *_parts(x - 1.0, hi, lo), hi, lo, err


def _found(family: Refining, least: float) -> tuple[Any, ...]:
    """What is shown of both."""
    cases: Cases = {
        "told": ({"told": True}, [("side", "outward side")]),
        "not told": ({"told": False}, [("side", ZERO)]),
    }
    meaning = {
        "missed": ("double.add", "left", "follows"),
        "is more": ("double.gt", ("double.abs", "missed"), "bound"),
    }
    signs: Cases = {
        "positive": ({"hi is positive": True}, [("outward side", "missed")]),
        "negative": ({"hi is positive": False}, [("outward side", "opposite")]),
    }
    bounds = [("err", low, high) for low, high in dyadic(2.0**-1074, 1.0)]
    return (
        *refined_parts(family),
        Selected(family, cases, "side"),
        Selected(family, signs, "sign of the side"),
        Meaning(family, meaning, "meaning of sides"),
        Numbers(family, "open", bounds, -1074, said_of_open),
        Never(family, "not next to one", "t", "told", of_both_signs(_MOST, GREATEST), any_double, ("is near",)),
        Numbers(family, "apart", of_both_signs(least, _MOST), -300, _said_of_apart),
        Numbers(family, "left", of_both_signs(least, _MOST), -300, _said_of_left),
    )


def _places(whole: Traced, refined: Any) -> dict[str, int]:
    return parts_named(whole.places(refined, *KINDS_OF_BOUNDARY), *BOUNDARY)


def _of_log1p(_: str) -> Sequence[Any]:
    """Below 2^-60 the kernel tells no bound, and from 2^-100 on no exponent."""
    whole = traced(_log1p, (DOUBLE,), ENCLOSURE)
    names = *_NAMES, "hi", "lo", "err", "exponent", "slight", "tiny"
    at = parts_named(whole.places(_places_of_log1p, *_KINDS, DOUBLE, DOUBLE, DOUBLE, LONG, BOOL, BOOL), *names)
    told = tuple(Value(at[name]) for name in ("hi", "lo", "err", "exponent"))
    family = Refining(whole, at | _places(whole, _refined_log1p), frozenset({"refined_log1p"}), told=told)
    slight = of_both_signs(2.0**-1074, _LEAST)
    return (
        *_found(family, 2.0**-61),
        Selected(family, {"slight": ({"slight": True}, [("err", ZERO)])}, "told"),
        Never(family, "slight", "t", "slight", slight, any_double, always=True),
    )


def _of_log(_: str) -> Sequence[Any]:
    """What is x - 1 is 2^-53 or more in size, or 0, where no bound is told."""
    whole = traced(_log, (DOUBLE,), ENCLOSURE)
    at = parts_named(whole.places(_places_of_log, *_KINDS, *(DOUBLE,) * 3), *_NAMES, "hi", "lo", "err") | {"x": 0}
    told: tuple[Operand, ...] = (*(Value(at[name]) for name in ("hi", "lo", "err")), NO_EXPONENT)
    family = Refining(whole, at | _places(whole, _refined_log), frozenset({"refined_log"}), told=told)
    near = ("x", 1.0 - _MOST, 1.0 + _MOST)
    return *_found(family, 2.0**-53), Numbers(family, "difference", [near], -53, _said_of_difference)


SECOND: dict[tuple[str, str], Callable[[str], Sequence[Any]]] = {
    ("double", "log1p"): _of_log1p,
    ("double", "log"): _of_log,
}
