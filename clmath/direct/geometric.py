"""The geometric functions on flat lanes, those of p0 first: rounded once from the exact value, at any magnitude."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.direct import operators
from clmath.direct.roots import quick_root, rounded_quotient, rounded_root
from clmath.numbers.errorfree import mantissa, two_sum, widen
from clmath.numbers.expansions import PRODUCT_GAP, Product, aligned, head_and_rest
from clmath.numbers.formats import DOUBLE
from clmath.numbers.rounding import Enclosure, narrow, round_sum, to_odd
from clmath.pragmas import contracts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.numbers.errorfree import F64
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["cross", "distance", "dot", "fast_distance", "fast_length", "fast_normalize", "length", "normalize"]

Block: TypeAlias = "np.ndarray"
Result: TypeAlias = "tuple[np.ndarray]"


def dot(form: Format, mode: Rounding, *lanes: Block) -> Result:
    """The sum of the products of the lanes.

    With contraction the exact sum, rounded once, without overflow or underflow on the way. Without it each product,
    and each sum from left to right, is rounded. Infinities, NaN and the signs of zeros are those of the plain sum.
    """
    first, second = _halves(lanes)
    if mode == "rtn":  # so that zeros come out right
        return (np.negative(dot(form, "rtp", *(-x for x in first), *second)[0]),)
    if not contracts():
        products = [operators.mul(form, mode, a, b)[0] for a, b in zip(first, second, strict=True)]
        return (reduce(lambda total, product: operators.add(form, mode, total, product)[0], products),)
    a, b = [widen(x) for x in first], [widen(x) for x in second]
    if form is DOUBLE:
        total = _dot_of_doubles(mode, a, b)
    else:
        total = narrow(to_odd(*head_and_rest([x * y for x, y in zip(a, b, strict=True)])), form, mode)
    return (_with_plain_zeros_and_infinities(total, a, b),)


def cross(form: Format, mode: Rounding, *lanes: Block) -> tuple[np.ndarray, ...]:
    """The lanes p0.y p1.z - p0.z p1.y, p0.z p1.x - p0.x p1.z, p0.x p1.y - p0.y p1.x, and +0 for w.

    With contraction the lane a b - c d is exact and rounded once, without overflow or underflow on the way. Without it
    both products, the second one negated, and their sum are rounded. Every rounding is in ``mode``.
    """
    (a, b, c, *w), (x, y, z, *_) = _halves(lanes)
    planes = ((b, z, c, y), (c, x, a, z), (a, y, b, x))
    return (*(_determinant(form, mode, *plane) for plane in planes), *(np.zeros_like(v) for v in w))


def _determinant(form: Format, mode: Rounding, *factors: Block) -> Block:
    a, b, c, d = factors
    return dot(form, mode, a, -c, b, d)[0]


def length(form: Format, mode: Rounding, *lanes: Block) -> Result:
    """The root of the sum of the squares, rounded once. NaN where a lane is NaN, else +inf where one is infinite."""
    return (_length(form, mode, [Enclosure.of(widen(x)) for x in lanes]),)


def distance(form: Format, mode: Rounding, *lanes: Block) -> Result:
    """The length of the exact difference, rounded once; infinities and NaN as the lanes' differences have them."""
    pairs = zip(*_halves(lanes), strict=True)
    return (_length(form, mode, [_exact_difference(widen(x), widen(y)) for x, y in pairs]),)


def normalize(form: Format, mode: Rounding, *lanes: Block) -> tuple[np.ndarray, ...]:
    """Each lane over the length, rounded once.

    A vector of zeros is returned as it is; a NaN in one lane makes all NaN; beside an infinity, infinities count as
    ±1 and everything else as ±0. Source: OpenCL C++ 1.0, 4.5.1.
    """
    vector = [widen(x) for x in lanes]
    infinite = np.any([np.isinf(x) for x in vector], axis=0)
    if infinite.any():
        vector = [np.where(infinite, np.copysign(np.isinf(x), x), x) for x in vector]
    parts = [Enclosure.of(x) for x in vector]
    root = quick_root(parts)
    undefined = np.any([np.isnan(x) for x in lanes], axis=0)
    results = []
    for x in vector:
        value = rounded_quotient(form, mode, x, root, parts)
        value = np.where(x == 0.0, x.astype(form.dtype), value)
        results.append(np.where(undefined, form.dtype.type(np.nan), value))
    return tuple(results)


fast_distance, fast_length, fast_normalize = distance, length, normalize


def _halves(lanes: Sequence[Block]) -> tuple[Sequence[Block], Sequence[Block]]:
    return lanes[: len(lanes) // 2], lanes[len(lanes) // 2 :]


def _dot_of_doubles(mode: Rounding, a: Sequence[F64], b: Sequence[F64]) -> F64:
    products = []
    for x, y in zip(a, b, strict=True):
        (m, e), (n, f) = mantissa(x), mantissa(y)
        products.append(Product(m, n, e + f))
    together = aligned(products, PRODUCT_GAP)
    head, rest = head_and_rest(together.parts)
    return round_sum(head, rest, together.exponent_of(head), DOUBLE, mode)


def _with_plain_zeros_and_infinities(total: Block, a: Sequence[F64], b: Sequence[F64]) -> Block:
    """``total``; where all products are zeros or a factor is not finite the plain sum, with finite numbers as ±1."""
    pairs = list(zip(a, b, strict=True))
    zero = np.all([(x == 0.0) | (y == 0.0) for x, y in pairs], axis=0)
    finite = np.all([np.isfinite(x) & np.isfinite(y) for x, y in pairs], axis=0)
    lanes = np.flatnonzero(zero | ~finite)
    if lanes.size:
        products = [_as_unit(x[lanes]) * _as_unit(y[lanes]) for x, y in pairs]
        total[lanes] = reduce(np.add, products).astype(total.dtype)
    return total


def _as_unit(x: F64) -> F64:
    return np.where(np.isfinite(x) & (x != 0.0), np.copysign(1.0, x), x)


def _exact_difference(x: F64, y: F64) -> Enclosure:
    """The difference x - y; as a quarter of it, with exponent 2, where that overflows or its transformation does."""
    head, tail = two_sum(x, -y)
    finite = np.isfinite(x) & np.isfinite(y)
    large = finite & ~np.isfinite(tail)
    if large.any():
        quarter, rest = two_sum(x * 0.25, y * -0.25)
        head, tail = np.where(large, quarter, head), np.where(large, rest, tail)
    return Enclosure.of(head, np.where(finite, tail, 0.0), exponent=2 * large.astype(np.int64))


def _length(form: Format, mode: Rounding, lanes: Sequence[Enclosure]) -> Block:
    sizes = [np.abs(lane.hi) for lane in lanes]
    finite = np.all([np.isfinite(size) for size in sizes], axis=0)
    return np.where(finite, rounded_root(form, mode, lanes), reduce(np.add, sizes).astype(form.dtype))
