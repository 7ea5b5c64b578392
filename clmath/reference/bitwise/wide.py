"""Exact sums and products of integers: in int64 where it holds them, else in three words of 64 bits."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from clmath.reference.bitwise.encodings import Bools, Codes, decoded, ones

_WORD = 64
_HALF = np.uint64(32)
_LEAST, _MOST = -(1 << 63), (1 << 63) - 1


def product_of_words(x: Codes, y: Codes) -> tuple[Codes, Codes]:
    """The high and the low word of a product, from products of halves of words."""
    (x1, x0), (y1, y0) = ((v >> _HALF, v & ones(32)) for v in (x, y))
    lowest = x0 * y0
    middle = x1 * y0 + (lowest >> _HALF)
    other = x0 * y1 + (middle & ones(32))
    return x1 * y1 + (middle >> _HALF) + (other >> _HALF), (other << _HALF) | (lowest & ones(32))


class Wide(NamedTuple):
    """The integers top 2^128 + high 2^64 + low; ``top`` has the sign."""

    top: NDArray[np.int64]
    high: Codes
    low: Codes

    @classmethod
    def of(cls, x: np.ndarray) -> Wide:
        """Integers of a type of 64 bits or fewer."""
        if x.dtype.kind != "i":
            return cls(np.zeros(x.shape, np.int64), np.zeros(x.shape, np.uint64), x.astype(np.uint64))
        signed = x.astype(np.int64)
        top = signed >> 63  # -1 of negative numbers
        return cls(top, top.view(np.uint64), signed.view(np.uint64))

    def __add__(self, other: Wide) -> Wide:  # type: ignore[override]
        low = self.low + other.low
        carry = low < self.low
        partly = self.high + other.high
        high = partly + carry
        return Wide(self.top + other.top + (partly < self.high) + (high < partly), high, low)

    def __neg__(self) -> Wide:
        low = ~self.low + np.uint64(1)
        high = ~self.high + (low == 0)
        return Wide(~self.top + ((low == 0) & (high == 0)), high, low)

    def __sub__(self, other: Wide) -> Wide:
        return self + -other

    def __mul__(self, other: Wide) -> Wide:  # type: ignore[override]
        """Products of integers of 64 bits, signed or unsigned ones.

        Words are negative numbers plus 2^64, so that 2^64 times the other factor is taken off the product of words.
        """
        high, low = product_of_words(self.low, other.low)
        high = high - (self.high & other.low) - (other.high & self.low)
        return Wide((self.top ^ other.top) & (high.view(np.int64) >> 63), high, low)

    def __rshift__(self, count: int) -> Wide:
        """The integers over 2^count, rounded down; by one word or less."""
        if count == _WORD:
            return Wide(self.top >> 63, self.top.view(np.uint64), self.high)
        right, left = np.uint64(count), np.uint64(_WORD - count)
        above = self.top.view(np.uint64)
        return Wide(
            self.top >> count, (self.high >> right) | (above << left), (self.low >> right) | (self.high << left)
        )


ExactIntegers: TypeAlias = "NDArray[np.int64] | Wide"


def wide(factors: int, *values: np.ndarray) -> tuple[ExactIntegers, ...]:
    """Integers of one type, made wide enough for exact products of ``factors`` of them plus one more.

    A sum of two has one bit more than a number; a product of two signed ones has a bit to spare.
    """
    info = np.iinfo(values[0].dtype)
    bits = factors * info.bits + (factors == 1) + (info.min == 0)
    if bits <= np.iinfo(np.int64).bits:
        return tuple(v.astype(np.int64) for v in values)
    return tuple(Wide.of(v) for v in values)


def wrapped(exact: ExactIntegers, dtype: np.dtype) -> np.ndarray:
    """Exact integers modulo 2^n, in a type of n bits."""
    return decoded(exact.low if isinstance(exact, Wide) else exact.view(np.uint64), dtype)


def is_beyond(exact: ExactIntegers, dtype: np.dtype) -> Bools:
    """Where exact integers are beyond a type."""
    if isinstance(exact, Wide):
        kept = Wide.of(wrapped(exact, dtype))
        return np.asarray((exact.top != kept.top) | (exact.high != kept.high) | (exact.low != kept.low))
    info = np.iinfo(dtype)
    return np.asarray((exact < max(info.min, _LEAST)) | (exact > min(info.max, _MOST)))


def saturated(exact: ExactIntegers, dtype: np.dtype) -> np.ndarray:
    """Exact integers, and in the place of those beyond a type its ends."""
    info = np.iinfo(dtype)
    is_minus = exact.top < 0 if isinstance(exact, Wide) else exact < 0
    end = np.where(is_minus, dtype.type(info.min), dtype.type(info.max))
    return np.where(is_beyond(exact, dtype), end, wrapped(exact, dtype))
