"""Roots of sums of squares and quotients by them, rounded once: two doubles decide, else the exact sum does."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.numbers.errorfree import mantissa, power_of_two, scaled, two_product, two_sum
from clmath.numbers.expansions import BASE, Product, aligned, expanded, expansion_product, sign_of_sum
from clmath.numbers.rounding import Enclosure, round_enclosure, round_sum

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.numbers.errorfree import F64, I64
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["quick_root", "rounded_quotient", "rounded_root"]

Block: TypeAlias = "np.ndarray"

# Below a product of exponent e the sum is a multiple of 2^(e-104). What stands more than a gap below must not reach
# that; nor, where the sum's square root, or a quotient by it, is compared with a midpoint, the last bit of the
# midpoint's square (108 bits) or of that square times the sum. A few bits are to spare.
_ROOT_GAP = 120
_QUOTIENT_GAP = 230
# Four squares summed in two doubles, a root and a quotient: each step errs by 2^-102 of its result or less.
_ROOT_ERROR = 2.0**-98
_QUOTIENT_ERROR = 2.0**-96


def quick_root(lanes: Sequence[Enclosure]) -> Enclosure:
    """The root of the sum of squares of ``lanes``, exact numbers, in the scale of the largest; zero where all are."""
    parts = [mantissa(lane.hi) for lane in lanes]
    exponents = [e + lane.exponent for (_, e), lane in zip(parts, lanes, strict=True)]
    top = np.max(exponents, axis=0)
    total, low = np.zeros(top.shape), np.zeros(top.shape)
    for (m, _), exponent, lane in zip(parts, exponents, lanes, strict=True):
        part = m * power_of_two(np.maximum(exponent - top, -BASE))
        square, rest = two_product(part, part)
        total, error = two_sum(total, square)
        low += error + rest
        low += 2.0 * part * scaled(lane.lo, lane.exponent - top)
    head = np.sqrt(total)
    square, rest = two_product(head, head)
    tail = ((total - square) - rest + low) / (2.0 * head)
    return Enclosure(head, np.where(head > 0.0, tail, 0.0), head * _ROOT_ERROR, top)


def rounded_root(form: Format, mode: Rounding, lanes: Sequence[Enclosure]) -> Block:
    """The root of the sum of squares of finite ``lanes``."""
    root = quick_root(lanes)
    result, undecided = round_enclosure(root, form, mode)
    open_ = np.flatnonzero(undecided)
    if open_.size:
        squares = _sum_of_squares([lane.lanes(open_) for lane in lanes], _ROOT_GAP)

        def side(value: Sequence[F64]) -> I64:
            return sign_of_sum([*squares, *(-part * 2.0**BASE for part in expansion_product(value, value))])

        head = root.hi[open_] + root.lo[open_]
        result[open_] = round_sum(*two_sum(head, _beside(head, side)), root.exponent[open_], form, mode)
    return result


def rounded_quotient(form: Format, mode: Rounding, x: F64, root: Enclosure, lanes: Sequence[Enclosure]) -> Block:
    """The quotient of x and ``root``, that of ``lanes``, for finite numbers; meaningless where x is zero."""
    m, e = mantissa(x)
    head = m / root.hi
    product, rest = two_product(head, root.hi)
    tail = (((m - product) - rest) - head * root.lo) / root.hi
    value = Enclosure(head, tail, np.abs(head) * _QUOTIENT_ERROR, e - root.exponent)
    result, undecided = round_enclosure(value, form, mode)
    open_ = np.flatnonzero(undecided)
    if open_.size:
        squares = _sum_of_squares([lane.lanes(open_) for lane in lanes], _QUOTIENT_GAP)
        size = np.abs(m[open_])
        dividend = [part * 2.0**BASE for part in two_product(size, size)]

        def side(value: Sequence[F64]) -> I64:
            square = expanded(expansion_product(value, value))
            return sign_of_sum([*dividend, *(-part for part in expansion_product(square, squares))])

        head = head[open_] + tail[open_]
        rest = np.where(head < 0.0, -1.0, 1.0) * _beside(np.abs(head), side)
        result[open_] = round_sum(*two_sum(head, rest), value.exponent[open_], form, mode)
    return result


def _sum_of_squares(lanes: Sequence[Enclosure], gap: int) -> list[F64]:
    """The exact sum of squares over the square of the largest lane's power of two, times 2^BASE, as an expansion."""
    products = []
    for lane in lanes:
        m, e = mantissa(lane.hi)
        e += lane.exponent
        products.append(Product(m, m, 2 * e))
        if lane.lo.any():
            n, f = mantissa(lane.lo)
            f += lane.exponent
            products += [Product(m, n, e + f + 1), Product(n, n, 2 * f)]
    return expanded(aligned(products, gap).parts)


def _beside(head: F64, side: Callable[[Sequence[F64]], I64]) -> F64:
    """What an exact value is more than ``head``, less than a last place away: 0 or a quarter, half or three of it.

    ``side`` tells the sign of the exact value less a sum. A quarter stands for all up to half, three for all beyond:
    every number and midpoint of every format is a multiple of the half.
    """
    first = side([head])
    unit = (head.view(np.int64) + first).view(np.float64) - head
    second = side([head, unit * 0.5])
    return unit * (0.5 + 0.25 * first * second)
