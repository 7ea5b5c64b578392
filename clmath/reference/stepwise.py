"""The built-ins that are formulas, or are where contraction is forbidden: each operation rounded, on single numbers."""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING, Any

from clmath.reference import geometry

if TYPE_CHECKING:
    from clmath.callables import AnyFunction
    from clmath.reference.in_format import InFormat

__all__ = ["STEPWISE"]


def mad(on: InFormat, a: float, b: float, c: float) -> Any:
    """The value a b + c, exact with contraction."""
    return on.target.fma(a, b, c) if on.contracted else on.target.add(on.target.mul(a, b), c)


def mix(on: InFormat, x: float, y: float, a: float) -> Any:
    """The blend x + (y - x) a; with contraction its product is exact."""
    return mad(on, on.target.sub(y, x), a, x)


def smoothstep(on: InFormat, edge0: float, edge1: float, x: float) -> Any:
    """The cubic t t (3 - 2 t) with t = (x - edge0) / (edge1 - edge0); where the quotient is NaN, t = 0."""
    if x != x or edge0 != edge0 or edge1 != edge1:
        return on.constant(float("nan"))
    if x <= edge0 or x >= edge1:
        return on.constant(0.0 if x <= edge0 else 1.0)
    target = on.target
    t = target.div(target.sub(x, edge0), target.sub(edge1, edge0))
    if not 0 <= t <= 1:
        t = on.constant(1.0 if t > 1 else 0.0)
    return target.mul(target.mul(t, t), target.sub(3, target.add(t, t)))


def dot(on: InFormat, *lanes: float) -> Any:
    """The sum of the products, from left to right; with contraction exact."""
    if on.contracted:
        return geometry.dot(on, *lanes)
    half = len(lanes) // 2
    return functools.reduce(on.target.add, map(on.target.mul, lanes[:half], lanes[half:]))


def cross(on: InFormat, *lanes: float) -> Any:
    """Three sums of a product and a negated product, and 0 for w; with contraction exact."""
    if on.contracted:
        return geometry.cross(on, *lanes)
    half = len(lanes) // 2
    (a, b, c, *w), (x, y, z, *_) = lanes[:half], lanes[half:]
    planes = ((b, z, -c, y), (c, x, -a, z), (a, y, -b, x))
    sums = [on.target.add(on.target.mul(p, q), on.target.mul(r, s)) for p, q, r, s in planes]
    return (*sums, *itertools.repeat(on.constant(0.0), len(w)))


STEPWISE: dict[str, AnyFunction] = {
    "cross": cross,
    "dot": dot,
    "mad": mad,
    "mix": mix,
    "smoothstep": smoothstep,
}
