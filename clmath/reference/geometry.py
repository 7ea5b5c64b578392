"""The geometric built-ins in MPFR, on flat lanes: those of p0 first, then those of p1."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import gmpy2

from clmath.reference.arithmetic import Arithmetic, decided

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["cross", "distance", "dot", "length", "normalize"]


def _halves(lanes: Sequence[float]) -> tuple[Sequence[float], Sequence[float]]:
    return lanes[: len(lanes) // 2], lanes[len(lanes) // 2 :]


def _sum_of_products(on: Arithmetic, left: Sequence[Any], right: Sequence[Any]) -> Any:
    """The exact sum, first product first, as IEEE 754 signs a zero."""
    total = on.exact.mul(left[0], right[0])
    for a, b in zip(left[1:], right[1:], strict=True):
        total = on.exact.fma(a, b, total)
    return total


def dot(on: Arithmetic, *lanes: float) -> Any:
    """p0.x p1.x + p0.y p1.y + ..."""
    return on.target.plus(_sum_of_products(on, *_halves(lanes)))


def cross(on: Arithmetic, *lanes: float) -> Any:
    """Three differences of two products, and 0 for w."""
    (a, b, c, *w), (x, y, z, *_) = _halves(lanes)
    planes = ((b, z, c, y), (c, x, a, z), (a, y, b, x))
    differences = [on.exact.sub(on.exact.mul(p, q), on.exact.mul(r, s)) for p, q, r, s in planes]
    return (*map(on.target.plus, differences), *(on.constant(0.0) for _ in w))


def length(on: Arithmetic, *lanes: Any) -> Any:
    """The square root of the exact sum of squares."""
    return on.target.sqrt(_sum_of_products(on, lanes, lanes))


def distance(on: Arithmetic, *lanes: float) -> Any:
    """length(p0 - p1) of the exact differences."""
    return length(on, *map(on.exact.sub, *_halves(lanes)))


def normalize(on: Arithmetic, *lanes: float) -> Any:
    """Each lane over the length; OpenCL C++ 1.0, 4.5.1 for zeros, infinities and NaN."""
    if any(map(math.isnan, lanes)):
        return tuple(on.constant(math.nan) for _ in lanes)
    if any(map(math.isinf, lanes)):
        lanes = tuple(math.copysign(1.0 if math.isinf(x) else 0.0, x) for x in lanes)
    if not any(lanes):
        return tuple(map(on.constant, lanes))
    square = _sum_of_products(on, lanes, lanes)
    root = on.root.sqrt(square)
    if root.rc == 0:
        return tuple(on.target.div(gmpy2.mpfr(x, 53), root) for x in lanes)
    return tuple(_over_irrational(on, x, square) for x in lanes)


def _over_irrational(on: Arithmetic, x: float, square: Any) -> Any:
    """The number x over the irrational square root of ``square``."""
    if x == 0.0:
        return on.constant(x)
    return decided(on, lambda wide: wide.div(x, wide.sqrt(square)))
