"""Conversions between formats and integer types, and channels of images, whole.

Numbers of integer types of up to 32 bits are lanes of doubles, those of 64 bits lanes of their encodings.
"""

from __future__ import annotations

from typing import Any

from clmath.kernels.exact import ceil, floor, rint, trunc
from clmath.kernels.whole.rounding import RTE, RTN, RTP, coded
from clmath.numbers.lanes import fast_two_sum, greater, integer, real, select, to_odd

__all__ = ["from_channel", "from_long", "from_number", "to_channel", "to_integer"]

LOW = 0xFFFFFFFF  # the low half of 64 bits
SIGN_BIT = -(1 << 63)  # of 64 bits: turned, it moves unsigned integers among the signed ones


def from_number(x: Any, form: str, mode: int) -> Any:
    """The number x, a double that is exact, in a format that is narrower."""
    return coded(form, mode, (x,))


def from_long(x: Any, signed: bool, form: str, mode: int) -> Any:
    """A 64-bit integer in a format: both halves are doubles, the high one zero or greater than the low one."""
    high = x >> 32
    hi, lo = fast_two_sum(real(high if signed else high & LOW) * 2.0**32, real(x & LOW))
    return coded(form, mode, (hi, lo, 0) if form == "double" else (to_odd(hi, lo),))


def integral(x: Any, mode: int) -> Any:
    """The integer that x is rounded to."""
    if mode == RTE:
        return rint(x)
    return ceil(x) if mode == RTP else floor(x) if mode == RTN else trunc(x)


def to_integer(x: Any, least: int, most: int, mode: int) -> Any:
    """X rounded to an integer, then moved into least .. most, the ends of an integer type; NaN becomes 0."""
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
    return select(above, -1, inside ^ select(upper, SIGN_BIT, 0))


def from_channel(stored: Any, most: int, form: str, mode: int) -> Any:
    """What a channel of normalized integers means: stored / most, no less than -1.

    A quotient of 16-bit integers is no nearer than 2^-41 to a boundary of 25 bits: double is as good as exact.
    """
    return coded(form, mode, (greater(stored / most, -1.0),))


def to_channel(x: Any, least: int, most: int, mode: int) -> Any:
    """What is stored for x: the product with ``most``, which is exact (24 and 16 bits), brought into the range."""
    return to_integer(x * float(most), least, most, mode)
