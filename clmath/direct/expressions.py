"""Operators of integers on arrays of one type: arithmetic modulo 2^n, division toward zero, and shifts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "is_no_quotient",
    "left_shift",
    "logical_and",
    "logical_not",
    "logical_or",
    "quotient",
    "remainder",
    "right_shift",
]


def quotient(x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    """The quotient x / y toward zero; all bits set where y = 0, the smallest number where it is divided by -1."""
    by_zero, by_minus_one = _not_divided(y)
    divisor = np.where(by_zero | by_minus_one, y.dtype.type(1), y)
    result: NDArray[Any] = (x - np.fmod(x, divisor)) // divisor
    result = np.where(by_minus_one, np.negative(x), result)
    return np.where(by_zero, np.invert(y), result)


def remainder(x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    """The difference x - y * quotient(x, y), of the sign of x; x itself where y = 0."""
    by_zero, by_minus_one = _not_divided(y)
    result: NDArray[Any] = np.fmod(x, np.where(by_zero | by_minus_one, y.dtype.type(1), y))
    return np.where(by_zero, x, result)


def _not_divided(y: NDArray[Any]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Where y is 0, and where it is -1: processors trap on what NumPy would divide by them."""
    return np.equal(y, 0), np.equal(y, -1) if y.dtype.kind == "i" else np.zeros(y.shape, np.bool_)


def is_no_quotient(x: NDArray[Any], y: NDArray[Any]) -> NDArray[np.bool_]:
    """Where y = 0, or the quotient is one more than the greatest number: ISO/IEC 14882:2014, 5.6."""
    by_zero, by_minus_one = _not_divided(y)
    least = x == np.iinfo(x.dtype).min
    return np.asarray(by_zero | (by_minus_one & least))


def left_shift(x: NDArray[Any], count: NDArray[Any]) -> NDArray[Any]:
    """``x`` shifted left by the low bits of ``count``; zeros come in."""
    shifted: NDArray[Any] = np.left_shift(x, _low_bits(x, count))
    return shifted


def right_shift(x: NDArray[Any], count: NDArray[Any]) -> NDArray[Any]:
    """``x`` shifted right by the low bits of ``count``; copies of the sign come in, of unsigned numbers zeros."""
    shifted: NDArray[Any] = np.right_shift(x, _low_bits(x, count))
    return shifted


def _low_bits(x: NDArray[Any], count: NDArray[Any]) -> NDArray[Any]:
    """``count`` modulo the width of ``x``, in the type of ``x``."""
    width = 8 * x.dtype.itemsize
    low: NDArray[Any] = (count & count.dtype.type(width - 1)).astype(x.dtype)
    return low


def logical_and(x: NDArray[Any], y: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether both are unequal to 0; NaN is."""
    true: NDArray[np.bool_] = np.not_equal(x, 0) & np.not_equal(y, 0)
    return true


def logical_or(x: NDArray[Any], y: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether one of them is unequal to 0; NaN is."""
    true: NDArray[np.bool_] = np.not_equal(x, 0) | np.not_equal(y, 0)
    return true


def logical_not(x: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether it is equal to 0."""
    true: NDArray[np.bool_] = np.equal(x, 0)
    return true
