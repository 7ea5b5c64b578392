"""Operators of integers on arrays of one type: arithmetic modulo 2^n, division toward zero, and shifts."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = "NDArray[np.integer]"
Truth: TypeAlias = "NDArray[np.bool_]"


def quotient(x: Ints, y: Ints) -> Ints:
    """The quotient x / y toward zero; all bits set where y = 0, the smallest number where it is divided by -1."""
    by_zero, by_minus_one = _not_divided(y)
    divided = _quotient(x, _divisor(y, by_zero, by_minus_one))
    negated = divided - (divided + divided) * by_minus_one  # -x where x was divided by 1
    return negated | -by_zero


def remainder(x: Ints, y: Ints) -> Ints:
    """The difference x - y * quotient(x, y), of the sign of x; x itself where y = 0."""
    by_zero, by_minus_one = _not_divided(y)
    rest: Ints = np.fmod(x, _divisor(y, by_zero, by_minus_one))
    return rest + x * by_zero


def _quotient(x: Ints, divisor: Ints) -> Ints:
    floored = x // divisor
    if x.dtype.kind == "u":
        return floored
    is_inexact: Truth = floored * divisor != x
    return floored + (is_inexact & ((x ^ divisor) < 0))


def _divisor(y: Ints, by_zero: Ints, by_minus_one: Ints) -> Ints:
    """y, or 1 where y is 0 or -1, as processors may trap on both."""
    return y + by_zero + by_minus_one + by_minus_one


def _not_divided(y: Ints) -> tuple[Ints, Ints]:
    """1 where y is 0, and 1 where it is -1, both in its type."""
    by_zero = (y == 0).astype(y.dtype)
    return by_zero, (y == -1).astype(y.dtype) if y.dtype.kind == "i" else by_zero & 0


def is_no_quotient(x: Ints, y: Ints) -> Truth:
    """Where y = 0, or the quotient is one more than the greatest number: ISO/IEC 14882:2014, 5.6."""
    by_zero, by_minus_one = _not_divided(y)
    least = x == np.iinfo(x.dtype).min
    return np.asarray((by_zero != 0) | ((by_minus_one != 0) & least))


def left_shift(x: Ints, count: Ints) -> Ints:
    """``x`` shifted left by the low bits of ``count``; zeros come in."""
    return np.left_shift(x, _low_bits(x, count))


def right_shift(x: Ints, count: Ints) -> Ints:
    """``x`` shifted right by the low bits of ``count``; copies of the sign come in, of unsigned numbers zeros."""
    return np.right_shift(x, _low_bits(x, count))


def _low_bits(x: Ints, count: Ints) -> Ints:
    """``count`` modulo the width of ``x``, in the type of ``x``."""
    width = 8 * x.dtype.itemsize
    return (count & count.dtype.type(width - 1)).astype(x.dtype, copy=False)
