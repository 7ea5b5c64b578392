"""Channels of images: the numbers nearest to the formulas of OpenCL C++ 1.0, 5.3."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import TypeAlias

import gmpy2
import numpy as np
from numpy.typing import NDArray

from clmath.numbers.formats import FLOAT, Format, Rounding
from clmath.reference.bitwise.conversions import converted
from clmath.reference.bitwise.encodings import is_nan
from clmath.reference.bitwise.rounding import of_fractions

Channels: TypeAlias = "tuple[tuple[int, int], ...]"
"""For each channel of a word, the code that means 1, and the place of its lowest bit."""

PACKED: Mapping[str, Channels] = MappingProxyType(
    {
        "unorm_short_565": ((31, 11), (63, 5), (31, 0)),
        "unorm_short_555": ((31, 10), (31, 5), (31, 0)),
        "unorm_int_101010": ((1023, 20), (1023, 10), (1023, 0)),
    }
)
"""Red, green and blue: 3.11.11."""

CODES = 256  # of sRGB
_LAST_LINEAR = Fraction("0.04045")  # the greatest sRGB colour that is a multiple of the linear one
_BITS = 200


def of_normalized(codes: np.ndarray, most: int, form: Format) -> np.ndarray:
    """Colours of codes that represent 1 as ``most``: codes / most, and -1 at least.

    Quotients in double are rounded as exact ones: with at most 16 bits, and no power of two, ``most`` keeps them away
    from the midpoints of half and float.
    """
    return converted(np.maximum(codes.astype(np.float64) / most, -1.0), form.dtype, "rte")


def to_normalized(colours: np.ndarray, least: int, most: int) -> NDArray[np.int64]:
    """Codes of colours: the integers from ``least`` to ``most`` nearest to colour times most, and 0 for NaN.

    Products are exact in double.
    """
    products = np.where(is_nan(colours), 0, colours).astype(np.float64) * most
    return np.rint(np.clip(products, least, most)).astype(np.int64)


def unpacked(words: np.ndarray, channels: Channels) -> NDArray[np.int64]:
    """Codes of the channels of words, along a last axis."""
    return np.stack([words.astype(np.int64) >> shift & most for most, shift in channels], axis=-1)


def of_packed(words: np.ndarray, channels: Channels, form: Format) -> np.ndarray:
    """Colours of words, along a last axis."""
    codes = unpacked(words, channels)
    return np.stack(
        [of_normalized(codes[..., component], most, form) for component, (most, _) in enumerate(channels)], axis=-1
    )


def to_packed(colours: np.ndarray, channels: Channels, dtype: np.dtype) -> np.ndarray:
    """Words of the colours along the last axis; bits outside of all channels are 0."""
    codes = (
        to_normalized(colours[..., component], 0, most) << shift for component, (most, shift) in enumerate(channels)
    )
    return np.asarray(sum(codes)).astype(dtype)


@functools.cache
def linear_colour(code: Fraction) -> Fraction:
    """Linear colour of an sRGB code, also one between two; to 200 bits where it is irrational."""
    srgb = code / Fraction(CODES - 1)
    if srgb <= _LAST_LINEAR:
        return srgb / Fraction("12.92")
    base = (srgb + Fraction("0.055")) / Fraction("1.055")
    with gmpy2.context(precision=_BITS):
        numerator, denominator = gmpy2.root(gmpy2.mpfr(gmpy2.mpq(base**12)), 5).as_integer_ratio()
    return Fraction(int(numerator), int(denominator))


def of_srgb(codes: np.ndarray, form: Format) -> np.ndarray:
    """Linear colours of sRGB codes."""
    return np.asarray(_colours_of_codes(form)[codes])


@functools.cache
def _colours_of_codes(form: Format) -> np.ndarray:
    return of_fractions(map(linear_colour, range(CODES))).in_format(form, "rte")


def to_srgb(colours: np.ndarray) -> NDArray[np.int64]:
    """Nearest sRGB codes of linear colours, and 0 for NaN; no float lies halfway between two."""
    known = np.where(is_nan(colours), 0, colours).astype(np.float32)
    return np.searchsorted(floats_below_codes(Fraction(1, 2), "rtp"), known, side="right")


@functools.cache
def floats_below_codes(distance: Fraction, mode: Rounding) -> NDArray[np.float32]:
    """Linear colours of the codes 1 to 255 less a distance in codes, rounded to float in ``mode``."""
    return of_fractions(linear_colour(code - distance) for code in range(1, CODES)).in_format(FLOAT, mode)
