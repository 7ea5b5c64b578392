"""Products of 64-bit integers by SIMD functions on int64 encodings, for signed and unsigned types."""

from __future__ import annotations

from clmath.ir.lanes import *

__all__ = ["high_product", "mad_saturated"]

LOW = 0xFFFFFFFF  # the low half of 64 bits
MOST, LEAST = (1 << 63) - 1, -(1 << 63)


def upper(x: Integer) -> Integer:
    """The high half of 64 bits, zeros above."""
    return (x >> 32) & LOW


def below(a: Integer, b: Integer) -> Truth:
    """Whether a < b as unsigned integers: as signed ones with the highest bit turned."""
    return (a ^ LEAST) < (b ^ LEAST)


def high_unsigned(a: Integer, b: Integer) -> Integer:
    """The high half of an unsigned product, from four products of 32-bit halves."""
    a_high, a_low, b_high, b_low = upper(a), a & LOW, upper(b), b & LOW
    middle = a_high * b_low + upper(a_low * b_low)  # at most 2^64 - 2^33
    other = a_low * b_high + (middle & LOW)
    return a_high * b_high + upper(middle) + upper(other)


def high_product(a: Integer, b: Integer, signed: bool) -> Integer:
    """The high half of a product."""
    high = high_unsigned(a, b)
    # a negative number is 2^64 less than its bits as an unsigned number: the high half loses the other factor once
    return high - ((b & (a >> 63)) + (a & (b >> 63))) if signed else high


def mad_saturated(a: Integer, b: Integer, c: Integer, signed: bool) -> Integer:
    """The exact a b + c, or the end of the type that it passes, chosen by masks."""
    high, product = high_product(a, b, signed), a * b
    low = product + c
    found: Integer
    high = high + (below(low, product) & 1)  # the carry
    if not signed:
        found = low | -((high != 0) & 1)
        return found
    high = high + (c >> 63)  # c extended by its sign
    passed = -((high != low >> 63) & 1)
    found = low ^ ((low ^ MOST ^ (high >> 63)) & passed)
    return found
