"""What refines double's atan2: small angles as the quotient q, what that misses, and a cube.

The kernel tells |angle| = (hi + lo) 2^E, and a 2^E / b is the slope, b from 1 to 2 and E <= 0, a < 2^-79 if E < 0. With
r = a/b it is r - c r^3/3 and less than r^5/5 besides, c being 1 where E = 0, and else at most 1/4. q = |hi| is the
double next to it, so that it is within 2^-53 (1 + 2^-6) of a power of two, not above q, of r: for hi is hi + lo
rounded, and bounds, and r^3, are smaller than 2^-60 of it. Then

- a - q b is exact, and so ``beside`` is r - q, rounded once;
- q^3/3 is computed with four roundings, and what it is from r^3/3 is less than 2^-58 of r - q.

What is returned is head + tail, with err = 0, where |tail| > s, and head + (tail -+ s) are rounded to head, s being the
slack that is computed. How far the angle is from head + tail, in size, and the rounding of tail -+ s are together less
than s: the angle lies strictly between head + (tail - s) and head + (tail + s), as these are computed, and so does head
+ tail. No midpoint of doubles lies strictly between the two, for rounding is monotonic, and no double but head, for
each is rounded to itself. The sign of tail tells the side of head. |tail| is no more than what is added to q, which is
a double.

Where E < 0 and q is not r, the cube, below 2^-158 q, is less than 2^-50 of r - q, which is 2^-106 q at least: a - q b
is a multiple of 2^-104 times the power of two. Where q is r, the angle lies beneath q, by less than the cube, which is
what is said; no midpoint is so near.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.ir.lanes import fast_two_sum, two_product
from clmath.ir.program import Constant, Value
from clmath.kernels.double.inverse_trigonometric import (
    CLOSE,
    TINY,
    octant_of,
    quotient,
    refined_atan2,
    signed,
)
from proofs.engine.execution import Execution, Real
from proofs.engine.models import Cell, Unproven, dyadic, lower
from proofs.engine.proof import least_of
from proofs.engine.traced import traced
from proofs.families.kinds import BOOL, DOUBLE, ENCLOSURE, any_double
from proofs.families.refining import ZERO, Never, Refining, Scaled, Selected, Unchanged, parts_named
from proofs.families.stated import nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from proofs.families.double_roots import Claims, Family

__all__ = ["SECOND"]

_POWERS = -120, 0
_MISSED = 2.0**-53 * (1.0 + 2.0**-6)  # how far r is from q = 1 .. 2
_ROUNDED = 2.0**-53 * (1.0 + 2.0**-20)
_OF_CUBE = 4.0 * _ROUNDED  # what the cube is off, of itself
_FIFTH = 2.0**-60  # r^5/5 beside r^3/3
_OF_Q = 2.0**-58  # what q^3 is from r^3, beside r - q


def _parts(y: Any, x: Any, hi: Any, *others: Any) -> Any:
    _, err, _ = others
    small, large, octant = octant_of(y, x)
    a, b, _ = quotient(small, large)
    q = abs(hi)
    p, e = two_product(q, b)
    missed = (a - p) - e
    beside, cube = missed / b, q * (q * q) * (1.0 / 3.0)
    head, tail = fast_two_sum(q, beside - cube)
    slack = (abs(beside) + cube) * CLOSE
    ends = head + (tail - slack) == head, head + (tail + slack) == head
    conditions = octant == 0, q < TINY, err > 0.0, abs(tail) > slack, *ends
    found = (octant == 0) & (q < TINY) & (err > 0.0) & ((abs(tail) > slack) & ends[0] & ends[1])
    numbers = a, b, q, missed, beside, abs(beside), cube, slack, signed(head, y), signed(tail, y)
    return *numbers, *conditions, found


_NUMBERS = "a", "b", "q", "missed", "beside", "|beside|", "cube", "slack", "head", "tail"
_CONDITIONS = "first octant", "tiny", "open", "big", "lower", "upper"


def _said_of_missed(_: Family, _which: Any, cell: Cell) -> Any:
    """What is left of a, a - q b, has no error, and that is what is divided by b, for every q."""
    b = cell.argument()
    q, left = cell.constant(1.5) + cell.unknown(0.5), cell.unknown(_MISSED * 2.0)
    a = q * b + left

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        missed = value("missed")
        if missed.power != 1:
            raise Unproven("it grows otherwise")
        return [nothing(cell), (missed.model - left, 0.0)]

    return {"q": Real(q, -52, 1), "b": Real(b, -52), "a": Real(a, -52, 1)}, claims


def _said_of_cube(_: Family, _which: Any, cell: Cell) -> Any:
    """The cube is q^3/3 but for four roundings."""
    q = cell.argument()
    exact = (q * q * q).scaled(arb(1) / 3)

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        cube = value("cube")
        if cube.power != 3:
            raise Unproven("it grows otherwise")
        return [nothing(cell), (cube.model - exact, _OF_CUBE * lower(exact.range()))]

    return {"q": Real(q, -52, 1)}, claims


def _said_of_slack(_: Family, which: tuple[str, int], cell: Cell) -> Any:
    """d, and the rounding of tail -+ s, is less than s, whichever of two numbers is the larger one.

    |beside| and the cube are 2^k times them; the smaller one is i/8 .. (i + 1)/8.
    """
    which_is_larger, i = which
    larger, smaller = cell.argument(), cell.constant((i + 0.5) / 8) + cell.unknown(1 / 16)
    beside, cube = (larger, smaller) if which_is_larger == "|beside|" else (smaller, larger)
    away = beside.scaled(2.0 * _ROUNDED + _OF_Q) + cube.scaled(_OF_CUBE + _ROUNDED + _FIFTH)

    def claims(_: Execution, value: Callable[[str], Real]) -> Claims:
        slack = value("slack")
        if slack.power != 1:
            raise Unproven("the slack grows otherwise")
        return [(away + (beside + cube + slack.model).scaled(_ROUNDED), least_of(slack.model))]

    return {"|beside|": Real(beside, -600, 1), "cube": Real(cube, -600, 1)}, claims


def _of_atan2(_: str) -> Sequence[Any]:
    whole = traced(refined_atan2, (DOUBLE, DOUBLE, *ENCLOSURE), ENCLOSURE)
    names = *_NUMBERS, *_CONDITIONS, "found"
    at = parts_named(whole.places(_parts, *(DOUBLE,) * 10, *(BOOL,) * 7), *names) | {"exponent": 5}
    family = Refining(whole, at, frozenset({"refined_atan2"}), told=tuple(map(Value, range(2, 6))))
    results: list[tuple[str | int, str | Constant]] = [(0, "head"), (1, "tail"), (2, ZERO), (3, "exponent")]
    larger = [((which, i), 1.0, 2.0) for which in ("|beside|", "cube") for i in range(16)]
    far = [("far", low, high) for low, high in dyadic(TINY * (1.0 + 2.0**-20), 4.0)]
    return (
        Unchanged(family, [(name,) for name in _CONDITIONS]),
        Selected(family, {"found": ({"found": True}, results)}),
        Never(family, "not tiny", "q", "tiny", far, any_double),
        Scaled(family, "missed", [("b", 1.0, 2.0)], -52, _said_of_missed, _POWERS),
        Scaled(family, "cube", [("q", 1.0, 2.0)], -52, _said_of_cube, _POWERS),
        Scaled(family, "slack", larger, -600, _said_of_slack, _POWERS),
    )


SECOND: dict[tuple[str, str], Callable[[str], Sequence[Any]]] = {("double", "atan2"): _of_atan2}
