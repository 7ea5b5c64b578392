"""Conversions to formats from integer types and other formats, and from channels of images, whole.

Numbers of integer types of up to 32 bits are doubles; numbers of 64-bit types are their encodings.
"""

from __future__ import annotations

from clmath.ir.primitives import *
from clmath.kernels.whole.rounding import coded, exactly
from clmath.numbers.integer_products import LOW, channel_value
from clmath.numbers.rounded_encodings import FLOAT_NAN


def from_number(x: Real, form: str, mode: int) -> Integer:
    """The number x, an exact double, rounded to a narrower format."""
    return coded(form, mode, x)


def nearest_float(x: Real) -> Integer:
    """The nearest float, to even, as a processor converts; NaN is the canonical one."""
    return select(x == x, float_bits(x), FLOAT_NAN)


def exactly_in(x: Real, form: str) -> Integer:
    """The number x of a format in a wider one."""
    return exactly(form, x)


def from_long(x: Integer, signed: bool, form: str, mode: int) -> Integer:
    """A 64-bit integer in a format: both halves are doubles, the high one zero or greater than the low one."""
    high = x >> 32
    hi, lo = fast_two_sum(real(high if signed else high & LOW) * 2.0**32, real(x & LOW))
    return coded(form, mode, hi, lo) if form == "double" else coded(form, mode, to_odd(hi, lo))


def from_channel(stored: Real, most: int, form: str, mode: int) -> Integer:
    """The value of a channel of normalized integers, in a format."""
    return coded(form, mode, channel_value(stored, most))
