"""What refines double's log1p and log: t - t^2/2 and t^3/3 - t^4/4 where t has few bits, so that t^2 is exact.

What is returned is head + rest, with err = 0, where |rest| > b, and head + (rest - b) and head + (rest + b) are rounded
to the same double, b being the bound that is computed. Let d be how far log(1 + t) is from head + rest. It is shown
that |d|, with the rounding of rest -+ b, is less than b: log(1 + t) lies strictly between head + (rest - b) and
head + (rest + b), as these are computed, and so does head + rest. No midpoint of doubles lies strictly between the
two, for rounding is monotonic, and they are rounded to the same double; nor does a double but head, for each of them is
rounded to itself. On which side of head it lies, the sign of rest tells, for |rest| > b > |d|.

d consists of the rounding of the tail, of what follows t - t^2/2 as it is computed, and of what the series leaves out.
|rest| is no more than |tail|: head is the double nearest to their sum, and the double that the tail is added to is one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.engines.device.program import Value
from clmath.kernels.double.logarithm import (
    NEXT_TO_ONE,
    SHORT,
    SMALL,
    TINY,
    log,
    log1p,
    refined_log,
    refined_log1p,
)
from clmath.numbers.lanes import bits, fast_two_sum, from_bits, select
from proofs.engine.execution import Execution, Real
from proofs.engine.models import GREATEST, Cell, Unproven, lower
from proofs.engine.proof import least_of
from proofs.engine.traced import traced
from proofs.families.double_roots import Claims, Family, Numbers
from proofs.families.kinds import BOOL, DOUBLE, ENCLOSURE, LONG, any_double, of_both_signs
from proofs.families.refining import (
    NO_EXPONENT,
    ZERO,
    Meaning,
    Never,
    Refining,
    Selected,
    Unchanged,
    kept_bits,
)
from proofs.families.short_results import Scaled, parts_named
from proofs.families.stated import nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.engines.device.program import Kind, Operand

__all__ = ["SECOND"]

_LEAST, _MOST = 2.0**-60 * (1.0 - 2.0**-20), 2.0**-27 * (1.0 + 2.0**-20)  # t in size
_SERIES = 0.75 * 2.0**-52  # what is computed for t^3/3 - t^4/4 + ..., beside t^3
_ROUNDED = 2.0**-53  # a rounding, beside what is rounded


def _parts(t: Any, err: Any) -> Any:
    is_near, is_short = abs(t) < NEXT_TO_ONE, from_bits(bits(t) & SHORT) == t
    small = select(is_near & is_short, t, 0.0)
    square = small * small
    cube = square * small
    first, rest = fast_two_sum(small, -0.5 * square)
    follows = cube * (1.0 / 3.0 - 0.25 * small)
    tail = rest + follows
    bound = (abs(tail) + abs(cube)) * 2.0**-51
    head, left = fast_two_sum(first, tail)
    big = abs(left) > bound
    same = head + (left - bound) == head + (left + bound)
    numbers = t, small, square, cube, first, rest, follows, tail, abs(tail), abs(cube), bound, head, left
    conditions = is_near, is_short, is_near & is_short, big, same, err > 0.0, big & same & (err > 0.0)
    return *numbers, *conditions


_NUMBERS = "t", "small", "square", "cube", "first", "rest", "follows", "tail", "|tail|", "|cube|", "bound"
_NAMES = *_NUMBERS, "head", "left", "is near", "is short", "is small", "big", "same", "open", "decided"
_KINDS: tuple[Kind, ...] = (*(DOUBLE,) * 13, *(BOOL,) * 7)


def _said_of_series(family: Family, _which: Any, cell: Cell) -> Any:
    """T - t^2/2 as two doubles exactly, and what follows it.

    log(1 + t) is t - t^2/2 + t^3/3 - t^4/4 and no more than |t|^5/4 besides.
    """
    t = cell.argument()
    digits = kept_bits(family.traced, family.at["is short"])
    square = t * t
    cube = square * t
    size = cube.range().abs_lower()
    left_out = cell.unknown((square * cube).range().abs_upper() / 4)
    exact = cube.scaled(arb(1) / 3) - (square * square).scaled(arb(1) / 4) + left_out

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        missed = value("first").model + value("rest").model - t + square.scaled(arb(1) / 2)
        off = lower(arb(size))
        return [
            nothing(cell),
            (missed, 0.0),
            (value("follows").model - exact, _SERIES * off),
            (value("cube").model - cube, _ROUNDED * (1.0 + 2.0**-20) * off),
        ]

    grid = _grid(cell, digits)
    return {"small": Real(t, grid, 0, digits)}, claims


def _grid(cell: Cell, digits: int) -> int:
    """All numbers of the cell that have so many digits are multiples of 2 to that power."""
    least = float(min(cell.low.abs_lower(), cell.high.abs_lower()))
    return math.frexp(least)[1] - digits


def _said_of_bound(_: Family, which: tuple[str, int], cell: Cell) -> Any:
    """All that makes d, and the rounding of rest -+ b, is less than b, whichever of two numbers is the larger one.

    |tail| and |t|^3, as it is computed, are 2^k times them; the smaller one is i/4 .. (i + 1)/4.
    """
    which_is_larger, i = which
    larger, smaller = cell.argument(), cell.constant((i + 0.5) / 4) + cell.unknown(1 / 8)
    tail, cube = (larger, smaller) if which_is_larger == "|tail|" else (smaller, larger)
    away = tail.scaled(_ROUNDED) + cube.scaled(_SERIES * (1.0 + 2.0**-50))

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        bound = value("bound")
        if bound.power != 1:
            raise Unproven("the bound grows otherwise")
        return [(away + (tail + bound.model).scaled(_ROUNDED), least_of(bound.model))]

    return {"|tail|": Real(tail, -600, 1), "|cube|": Real(cube, -600, 1)}, claims


def _said_of_difference(_: Family, _which: Any, cell: Cell) -> Any:
    """T = x - 1 is exact where it is small."""
    x = cell.argument()

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        return [nothing(cell), (value("t").model - x + cell.constant(1), 0.0)]

    return {"x": Real(x, -53)}, claims


def _said_of_none(family: Family, _which: Any, cell: Cell) -> Any:
    """Nothing is decided where t is not small."""

    def claims(run: Execution, _: Callable[[str], Real]) -> Claims:
        if run.value(Value(family.at["big"])) is not False:
            raise Unproven("something may be decided")
        return [nothing(cell)]

    return {"is small": False}, claims


def _log1p(x: Any) -> Any:
    return refined_log1p(x, *log1p(x))


def _log(x: Any) -> Any:
    return refined_log(x, *log(x))


def _places_of_log1p(x: Any) -> Any:
    hi, lo, err, exponent = log1p(x)
    return *_parts(x, err), hi, lo, err, exponent, abs(x) < SMALL, abs(x) < TINY


def _places_of_log(x: Any) -> Any:
    hi, lo, err, _ = log(x)
    return *_parts(x - 1.0, err), hi, lo, err


def _found(family: Refining, least: float, exponent: Any) -> tuple[Any, ...]:
    """What is shown of both."""
    bounds = [((larger, i), 1.0, 2.0) for larger in ("|tail|", "|cube|") for i in range(8)]
    results = [(0, "head"), (1, "left"), (2, ZERO), (3, exponent)]
    ends = [("double.add", "head", (f"double.{sign}", "left", "bound")) for sign in ("sub", "add")]
    meaning = {
        "big": ("double.gt", ("double.abs", "left"), "bound"),
        "same": ("double.eq", *ends),
        "open": ("double.gt", "err", ZERO),
    }
    return (
        Meaning(family, meaning),
        Unchanged(family, [("big",), ("same",), ("open",)]),
        Selected(family, {"decided": ({"decided": True}, results)}),
        Numbers(family, "not small", [("t", 0.0, 0.0)], 0, _said_of_none),
        Never(family, "not next to one", "t", "is small", of_both_signs(_MOST, GREATEST), any_double, ("is near",)),
        Numbers(family, "series", of_both_signs(least, _MOST), -300, _said_of_series),
        Scaled(family, "bound", bounds, -600, _said_of_bound),
    )


def _of_log1p(_: str) -> Sequence[Any]:
    """Below 2^-60 the kernel tells no bound, and from 2^-100 on no exponent."""
    whole = traced(_log1p, (DOUBLE,), ENCLOSURE)
    names = *_NAMES, "hi", "lo", "err", "exponent", "slight", "tiny"
    at = parts_named(whole.places(_places_of_log1p, *_KINDS, DOUBLE, DOUBLE, DOUBLE, LONG, BOOL, BOOL), *names)
    told = tuple(Value(at[name]) for name in ("hi", "lo", "err", "exponent"))
    family = Refining(whole, at, frozenset({"refined_log1p"}), told=told)
    cases = {
        "slight": ({"slight": True}, [("err", ZERO)]),
        "not tiny": ({"tiny": False}, [("exponent", NO_EXPONENT)]),
    }
    slight = of_both_signs(2.0**-1074, _LEAST)
    sizes = of_both_signs(_LEAST, GREATEST)
    return (
        *_found(family, _LEAST, "exponent"),
        Selected(family, cases, "told"),
        Never(family, "not tiny", "t", "tiny", sizes, any_double),
        Never(family, "slight", "t", "slight", slight, any_double, always=True),
    )


def _of_log(_: str) -> Sequence[Any]:
    """What is x - 1 is 2^-53 or more in size, or 0, where no bound is told."""
    whole = traced(_log, (DOUBLE,), ENCLOSURE)
    at = parts_named(whole.places(_places_of_log, *_KINDS, *(DOUBLE,) * 3), *_NAMES, "hi", "lo", "err") | {"x": 0}
    told: tuple[Operand, ...] = (*(Value(at[name]) for name in ("hi", "lo", "err")), NO_EXPONENT)
    family = Refining(whole, at, frozenset({"refined_log"}), told=told)
    near = ("x", 1.0 - _MOST, 1.0 + _MOST)
    return *_found(family, 2.0**-53, NO_EXPONENT), Numbers(family, "difference", [near], -53, _said_of_difference)


SECOND: dict[tuple[str, str], Callable[[str], Sequence[Any]]] = {
    ("double", "log1p"): _of_log1p,
    ("double", "log"): _of_log,
}
