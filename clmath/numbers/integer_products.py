"""Products of 64-bit integers as int64 encodings, signed and unsigned, and numbers rounded to integers in a mode."""

from __future__ import annotations

from clmath.ir.primitives import *
from clmath.numbers.rounded_encodings import RTE, RTN, RTP

__all__ = ["channel_value", "high_product", "mad_saturated", "to_channel", "to_integer"]

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


def integral(x: Real, mode: int) -> Real:
    """The integer that x is rounded to."""
    if mode == RTE:
        return rint(x)
    return ceil(x) if mode == RTP else floor(x) if mode == RTN else trunc(x)


def to_integer(x: Real, least: int, most: int, mode: int) -> Integer:
    """The number x rounded to an integer, then moved into least .. most, the ends of an integer type; NaN becomes 0."""
    whole = integral(x, mode)
    if most < 2**32:
        within = select(whole < least, float(least), select(whole > most, float(most), whole))
        return integer(select(x == x, within, 0.0))
    end = float(most)  # the next power of two: no double is closer
    above = whole >= end
    if least < 0:
        inside = integer(select(above | (whole < -end) | (x != x), 0.0, whole))
        return select(above, most, select(whole < -end, least, inside))
    half = end * 0.5
    upper = whole >= half
    moved = select(upper, whole - half, whole)
    inside = integer(select((whole < 0.0) | above | (x != x), 0.0, moved))
    return select(above, -1, inside ^ select(upper, SIGN, 0))


def channel_value(stored: Real, most: int) -> Real:
    """The value of a channel of normalized integers: stored / most, at least -1.

    A quotient of 16-bit integers is at least 2^-41 from any boundary of 25 bits, so double is precise enough.
    """
    return greater(stored / most, -1.0)


def to_channel(x: Real, least: int, most: int, mode: int) -> Integer:
    """The channel's code for x: the product with ``most``, which is exact (24 and 16 bits), clamped and rounded."""
    return to_integer(x * float(most), least, most, mode)
