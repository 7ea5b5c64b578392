"""The geometric built-ins in MPFR; arguments are components, first all of p0, then all of p1."""

from __future__ import annotations

import math
from collections.abc import Sequence

from clmath.reference.arithmetic import Arithmetic, Mpfr, decided, definition, divided_to, inward


def _halves(components: Sequence[float]) -> tuple[Sequence[float], Sequence[float]]:
    return components[: len(components) // 2], components[len(components) // 2 :]


def _sum_of_products(on: Arithmetic, left: Sequence[object], right: Sequence[object]) -> Mpfr:
    """The exact sum, first product first, as IEEE 754 signs a zero."""
    exact = on.exact
    total = exact.mul(left[0], right[0])
    for a, b in zip(left[1:], right[1:], strict=True):
        total = exact.fma(a, b, total)
    return total


@definition
def dot(on: Arithmetic, *components: float) -> Mpfr:
    """p0.x p1.x + p0.y p1.y + ..."""
    return on.target.plus(_sum_of_products(on, *_halves(components)))


@definition
def cross(on: Arithmetic, *components: float) -> Mpfr:
    """Three differences of two products, and 0 for w."""
    (a, b, c, *w), (x, y, z, *_) = _halves(components)
    difference = on.target.fmms
    return (
        difference(b, z, c, y),
        difference(c, x, a, z),
        difference(a, y, b, x),
        *(on.constant(0.0) for _ in w),
    )


@definition
def length(on: Arithmetic, *components: object) -> Mpfr:
    """The square root of the exact sum of squares."""
    return on.target.sqrt(_sum_of_products(on, components, components))


@definition
def distance(on: Arithmetic, *components: float) -> Mpfr:
    """length(p0 - p1) of the exact differences."""
    return length(on, *map(on.exact.sub, *_halves(components)))


@definition
def normalize(on: Arithmetic, *components: float) -> Mpfr:
    """Each component divided by the length; OpenCL C++ 1.0, 4.5.1 for zeros, infinities and NaN."""
    if not all(map(math.isfinite, components)):
        if any(map(math.isnan, components)):
            return tuple(on.constant(math.nan) for _ in components)
        components = tuple(math.copysign(1.0 if math.isinf(x) else 0.0, x) for x in components)
    if not any(components):
        return tuple(map(on.constant, components))
    square = _sum_of_products(on, components, components)
    wide = on.truncating
    root = wide.sqrt(square)
    if root.rc == 0:
        return tuple(on.target.div(x, root) for x in components)
    above = wide.next_above(root)
    return tuple(_over_inexact(on, x, root, above, square) for x in components)


def _over_inexact(on: Arithmetic, x: float, below: object, above: object, square: object) -> Mpfr:
    """The number x over the square root of ``square``, which lies between ``below`` and ``above``.

    The root has more bits than x, so that the quotient is neither a number of the target nor a midpoint, which have
    fewer bits.
    """
    if x == 0.0:
        return on.constant(x)
    divided = on.target.div
    outer = divided(x, below)
    if outer == divided(x, above):
        return outer
    edge = divided_to(on.target.precision + 2, x, below)
    return inward(on, edge) if edge.rc == 0 else decided(on, lambda wide: wide.div(x, wide.sqrt(square)))
