"""Conversions by SIMD functions: numbers to saturated integers in a mode, and values of image channels.

``mode`` is a mode's number, known beforehand as the ends of the integer type are.
"""

from __future__ import annotations

from clmath.ir.lanes import *
from clmath.numbers.lane_rounding import RTE, RTN, RTP

__all__ = ["channel_value", "integral", "to_channel", "to_integer"]


def integral(x: Real, mode: int) -> Real:
    """The integer that x is rounded to."""
    if mode == RTE:
        return rint(x)
    return ceil(x) if mode == RTP else floor(x) if mode == RTN else trunc(x)


def to_integer(x: Real, least: int, most: int, mode: int) -> Integer:
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
    return select(above, -1, inside ^ select(upper, SIGN, 0))


def channel_value(stored: Real, most: int) -> Real:
    """The value of a channel of normalized integers: stored / most, at least -1.

    A quotient of 16-bit integers is at least 2^-41 from any boundary of 25 bits, so double is precise enough.
    """
    return greater(stored / most, -1.0)


def to_channel(x: Real, least: int, most: int, mode: int) -> Integer:
    """The channel's code for x: the product with ``most``, which is exact (24 and 16 bits), clamped and rounded."""
    return to_integer(x * float(most), least, most, mode)
