"""Error-free transformations: sums and products of doubles as a head and an exact tail, mantissas and exponents."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.numbers.formats import DOUBLE, HALF

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "F64",
    "I64",
    "NOWHERE",
    "chosen",
    "mantissa",
    "power_of_two",
    "scaled",
    "sign_of",
    "two_product",
    "two_sum",
    "widen",
]

F64: TypeAlias = "NDArray[np.float64]"
I64: TypeAlias = "NDArray[np.int64]"

NOWHERE = -20000  # the exponent of zero: below that of every product of numbers
_FRACTION = DOUBLE.precision - 1
_FIELD = 2 * DOUBLE.emax + 1
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


def mantissa(x: F64) -> tuple[F64, I64]:
    """The parts of x = m 2^e with 1 <= |m| < 2; zero has m = ±0 and e = NOWHERE; meaningless where x is not finite."""
    bits = x.view(np.int64)
    exponent = (bits >> _FRACTION) & _FIELD
    fraction = bits & ~(_FIELD << _FRACTION)
    fraction |= DOUBLE.emax << _FRACTION
    m = fraction.view(np.float64)
    low = exponent == 0
    exponent -= DOUBLE.emax
    if low.any():
        part, place = np.frexp(x[low])
        m[low] = part * 2.0
        exponent[low] = np.where(part == 0.0, NOWHERE, place - 1)
    return m, exponent


def power_of_two(exponent: I64) -> F64:
    """2^exponent for exponents of normal doubles."""
    return ((exponent + DOUBLE.emax) << _FRACTION).view(np.float64)


def scaled(x: F64, exponent: I64) -> F64:
    """The number x 2^exponent, rounded to nearest where it is not a double."""
    product: F64 = np.ldexp(x, np.clip(exponent, -5000, 5000).astype(np.int32))
    return product


def chosen(mask: NDArray[np.bool_], yes: np.ndarray, no: np.ndarray) -> np.ndarray:
    """``yes`` where ``mask`` holds, else ``no``, both of one dtype: by bits, which random masks do not slow down."""
    word = f"i{yes.dtype.itemsize}"
    bits: np.ndarray = yes.view(word) ^ no.view(word)
    bits &= -mask.astype(word)
    bits ^= no.view(word)
    return bits.view(yes.dtype)


def sign_of(value: np.ndarray) -> I64:
    """-1, 0 or 1 as the value is negative, zero or NaN, or positive."""
    return (value > 0).astype(np.int64) - (value < 0)
