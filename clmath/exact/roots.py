"""Roots of sums of squares and quotients by them, rounded once: two doubles decide, else the exact sum does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from clmath.exact.errorfree import mantissa, power_of_two, scaled, two_product, two_sum
from clmath.exact.expansions import BASE, Product, aligned, expanded, expansion_product, sign_of_sum
from clmath.rounding import round_pair

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from clmath.exact.errorfree import F64, I64
    from clmath.formats import Format
    from clmath.rounding import Rounding

__all__ = ["Lane", "Root", "quick_root", "rounded_quotient", "rounded_root"]

Block: TypeAlias = "NDArray[Any]"

# Below a product of exponent e the sum is a multiple of 2^(e-104). What stands more than a gap below must not reach
# that; nor, where the sum's square root, or a quotient by it, is compared with a midpoint, the last bit of the
# midpoint's square (108 bits) or of that square times the sum. A few bits are to spare.
_ROOT_GAP = 120
_QUOTIENT_GAP = 230
# Four squares summed in two doubles, a root and a quotient: each step errs by 2^-102 of its result or less.
_ROOT_ERROR = 2.0**-98
_QUOTIENT_ERROR = 2.0**-96


class Lane(NamedTuple):
    """A lane of a vector, the number (head + tail) 2^exponent; ``tail`` is less than half of head's last place."""

    head: F64
    tail: F64
    exponent: I64

    @classmethod
    def of(cls, x: F64) -> Lane:
        """A plain double."""
        return cls(x, np.zeros(x.shape), np.zeros(x.shape, np.int64))

    def at(self, index: Any) -> Lane:
        """The same of the vectors that ``index`` picks."""
        return Lane(self.head[index], self.tail[index], self.exponent[index])


class Root(NamedTuple):
    """A root (head + tail) 2^exponent with a relative error of 2^-98; zero where all lanes are."""

    head: F64
    tail: F64
    exponent: I64


def quick_root(lanes: Sequence[Lane]) -> Root:
    """The root of the sum of squares of ``lanes`` in two doubles, in the scale of the largest."""
    parts = [mantissa(lane.head) for lane in lanes]
    exponents = [e + lane.exponent for (_, e), lane in zip(parts, lanes, strict=True)]
    top = np.max(exponents, axis=0)
    total, low = np.zeros(top.shape), np.zeros(top.shape)
    for (m, _), exponent, lane in zip(parts, exponents, lanes, strict=True):
        part = m * power_of_two(np.maximum(exponent - top, -BASE))
        square, rest = two_product(part, part)
        total, error = two_sum(total, square)
        low += error + rest
        low += 2.0 * part * scaled(lane.tail, lane.exponent - top)
    head = np.sqrt(total)
    square, rest = two_product(head, head)
    tail = ((total - square) - rest + low) / (2.0 * head)
    return Root(head, np.where(head > 0.0, tail, 0.0), top)


def rounded_root(form: Format, mode: Rounding, lanes: Sequence[Lane]) -> Block:
    """The root of the sum of squares of finite ``lanes``."""
    root = quick_root(lanes)
    result, open_ = _rounded(form, mode, root, root.head * _ROOT_ERROR)
    if open_.size:
        squares = _sum_of_squares([lane.at(open_) for lane in lanes], _ROOT_GAP)

        def side(value: Sequence[F64]) -> I64:
            return sign_of_sum([*squares, *(-part * 2.0**BASE for part in expansion_product(value, value))])

        head = root.head[open_] + root.tail[open_]
        result[open_] = round_pair(*two_sum(head, _beside(head, side)), root.exponent[open_], form, mode)
    return result


def rounded_quotient(form: Format, mode: Rounding, x: F64, root: Root, lanes: Sequence[Lane]) -> Block:
    """The quotient of x and ``root``, that of ``lanes``, for finite numbers; meaningless where x is zero."""
    m, e = mantissa(x)
    head = m / root.head
    product, rest = two_product(head, root.head)
    tail = (((m - product) - rest) - head * root.tail) / root.head
    value = Root(head, tail, e - root.exponent)
    result, open_ = _rounded(form, mode, value, np.abs(head) * _QUOTIENT_ERROR)
    if open_.size:
        squares = _sum_of_squares([lane.at(open_) for lane in lanes], _QUOTIENT_GAP)
        size = np.abs(m[open_])
        dividend = [part * 2.0**BASE for part in two_product(size, size)]

        def side(value: Sequence[F64]) -> I64:
            square = expanded(expansion_product(value, value))
            return sign_of_sum([*dividend, *(-part for part in expansion_product(square, squares))])

        head = head[open_] + tail[open_]
        rest = np.where(head < 0.0, -1.0, 1.0) * _beside(np.abs(head), side)
        result[open_] = round_pair(*two_sum(head, rest), value.exponent[open_], form, mode)
    return result


def _rounded(form: Format, mode: Rounding, value: Root, error: F64) -> tuple[Block, NDArray[np.intp]]:
    """``value`` less its error rounded, and the lanes where ``value`` plus its error rounds otherwise."""
    below = round_pair(*two_sum(value.head, value.tail - error), value.exponent, form, mode)
    above = round_pair(*two_sum(value.head, value.tail + error), value.exponent, form, mode)
    return below, np.flatnonzero(form.bits(below) != form.bits(above))


def _sum_of_squares(lanes: Sequence[Lane], gap: int) -> list[F64]:
    """The exact sum of squares over the square of the largest lane's power of two, times 2^BASE, as an expansion."""
    products = []
    for lane in lanes:
        m, e = mantissa(lane.head)
        e += lane.exponent
        products.append(Product(m, m, 2 * e))
        if lane.tail.any():
            n, f = mantissa(lane.tail)
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
