"""Operators of integers on arrays of one type: arithmetic modulo 2^n, division toward zero, and shifts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "is_no_quotient",
    "left_shift",
    "quotient",
    "remainder",
    "right_shift",
]


def quotient(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The quotient x / y toward zero; all bits set where y = 0, the smallest number where it is divided by -1."""
    by_zero, by_minus_one = _not_divided(y)
    divided = _quotient(x, _divisor(y, by_zero, by_minus_one))
    negated = divided - (divided + divided) * by_minus_one  # -x where x was divided by 1
    found: np.ndarray = negated | -by_zero
    return found


def remainder(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The difference x - y * quotient(x, y), of the sign of x; x itself where y = 0."""
    by_zero, by_minus_one = _not_divided(y)
    found: np.ndarray = np.fmod(x, _divisor(y, by_zero, by_minus_one)) + x * by_zero
    return found


def _quotient(x: np.ndarray, divisor: np.ndarray) -> np.ndarray:
    floored: np.ndarray = x // divisor
    if x.dtype.kind == "u":
        return floored
    up: np.ndarray = floored + ((floored * divisor != x) & ((x ^ divisor) < 0))
    return up


def _divisor(y: np.ndarray, by_zero: np.ndarray, by_minus_one: np.ndarray) -> np.ndarray:
    """1 where y is 0 or -1, both of which processors trap on; y elsewhere."""
    divisor: np.ndarray = y + by_zero + by_minus_one + by_minus_one
    return divisor


def _not_divided(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """1 where y is 0, and 1 where it is -1, both in its type."""
    by_zero = (y == 0).astype(y.dtype)
    return by_zero, (y == -1).astype(y.dtype) if y.dtype.kind == "i" else by_zero & 0


def is_no_quotient(x: np.ndarray, y: np.ndarray) -> NDArray[np.bool_]:
    """Where y = 0, or the quotient is one more than the greatest number: ISO/IEC 14882:2014, 5.6."""
    by_zero, by_minus_one = _not_divided(y)
    least = x == np.iinfo(x.dtype).min
    return np.asarray((by_zero != 0) | ((by_minus_one != 0) & least))


def left_shift(x: np.ndarray, count: np.ndarray) -> np.ndarray:
    """``x`` shifted left by the low bits of ``count``; zeros come in."""
    shifted: np.ndarray = np.left_shift(x, _low_bits(x, count))
    return shifted


def right_shift(x: np.ndarray, count: np.ndarray) -> np.ndarray:
    """``x`` shifted right by the low bits of ``count``; copies of the sign come in, of unsigned numbers zeros."""
    shifted: np.ndarray = np.right_shift(x, _low_bits(x, count))
    return shifted


def _low_bits(x: np.ndarray, count: np.ndarray) -> np.ndarray:
    """``count`` modulo the width of ``x``, in the type of ``x``."""
    width = 8 * x.dtype.itemsize
    low: np.ndarray = (count & count.dtype.type(width - 1)).astype(x.dtype, copy=False)
    return low
