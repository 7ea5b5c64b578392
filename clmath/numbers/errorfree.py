"""Error-free transformations: sums and products of doubles as a head and an exact tail."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.numbers.formats import HALF

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "F64",
    "I64",
    "sign_of",
    "two_product",
    "two_sum",
    "widen",
]

F64: TypeAlias = "NDArray[np.float64]"
I64: TypeAlias = "NDArray[np.int64]"

_SPLITTER = 2.0**27 + 1.0  # Veltkamp's, cuts 53 bits into 26 and 26


def widen(x: np.ndarray) -> F64:
    """The same numbers as doubles; half by table, since a conversion in NumPy costs more on most machines."""
    if x.dtype == HALF.dtype:
        return np.take(_halves(), x.view(np.uint16))
    return x.astype(np.float64, copy=False)


@functools.cache
def _halves() -> F64:
    return np.arange(1 << 16, dtype=np.uint16).view(HALF.dtype).astype(np.float64)


def two_sum(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The sum a + b = head + tail exactly, head rounded to nearest (Knuth); where it overflows no tail is finite."""
    head = a + b
    part = head - a
    tail = head - part
    np.subtract(a, tail, out=tail)
    np.subtract(b, part, out=part)
    tail += part
    return head, tail


def two_product(a: F64, b: F64) -> tuple[F64, F64]:
    """The product a b = head + tail exactly, head rounded to nearest (Dekker); factors are 0 or 2^-400 to 2^400."""
    head = a * b
    a_high, a_low = _halved(a)
    b_high, b_low = _halved(b)
    tail = a_high * b_high
    tail -= head
    tail += a_high * b_low
    tail += a_low * b_high
    tail += a_low * b_low
    return head, tail


def _halved(a: F64) -> tuple[F64, F64]:
    high = a * _SPLITTER
    high -= high - a
    return high, a - high


def sign_of(value: np.ndarray) -> I64:
    """-1, 0 or 1 as the value is negative, zero or NaN, or positive."""
    return (value > 0).astype(np.int64) - (value < 0)
