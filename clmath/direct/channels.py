"""Values of image channels: normalized integers and sRGB, rounded once from the exact formula."""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from clmath.numbers import rounding
from clmath.numbers.datatypes import type_name
from clmath.numbers.formats import FLOAT, Format
from clmath.numbers.integer_products import channel_value, to_channel
from clmath.numbers.rounded_encodings import MODE_NUMBERS
from clmath.numbers.rounding import Rounding

_FEW = 512  # numbers that are looked for one by one
_CELL = 16  # low bits of the encodings of floats that are in one cell of a table
_FIRST_CELL, _LAST_CELL = 0x39000000, 0x3F800000  # encodings of 2^-13 and 1
SRGB_RATIONAL = Fraction("0.04045")  # up to here an sRGB value means a fraction of itself, above a power
PRECISION = 200  # bits of the power function: its value is irrational but at 0 and 1, no boundary is that near


class Normalized(NamedTuple):
    """A channel type by ``name``: codes from ``least`` to ``most`` in ``dtype``; ``most`` represents 1."""

    name: str
    dtype: np.dtype
    least: int
    most: int
    is_srgb: bool = False

    def read(self, form: Format, mode: Rounding) -> str:
        """The name of ``normalized_value`` in a library of compiled built-ins, which has none for sRGB."""
        return "" if self.is_srgb else f"read_{self.name}_{form.name}_{mode}"

    def written(self, source: np.dtype, mode: Rounding) -> str:
        """The name of ``normalized_integer`` of numbers of the format ``source`` in such a library."""
        return "" if self.is_srgb else f"write_{self.name}_{type_name(source)}_{mode}"


UNORM_INT10 = Normalized("unorm_int10", np.dtype(np.uint16), 0, 1023)
CHANNELS = (  # which are compiled
    Normalized("unorm_int8", np.dtype(np.uint8), 0, 255),
    UNORM_INT10,
    Normalized("unorm_int16", np.dtype(np.uint16), 0, 65535),
    Normalized("snorm_int8", np.dtype(np.int8), -128, 127),
    Normalized("snorm_int16", np.dtype(np.int16), -32768, 32767),
)
SRGB = Normalized("srgb", np.dtype(np.uint8), 0, 255, is_srgb=True)
NORMALIZED = {channel.name: channel for channel in (*CHANNELS, SRGB)}


def normalized_value(values: np.ndarray, channel: Normalized, form: Format, mode: Rounding) -> np.ndarray:
    """The number values / most, at least -1, of sRGB its linear value, rounded to half or float."""
    if channel.is_srgb:
        return np.asarray(_linear_values(form, mode)[values])
    return rounding.narrow(channel_value(values.astype(np.float64), channel.most), form, mode)


def normalized_integer(values: np.ndarray, channel: Normalized, mode: Rounding) -> np.ndarray:
    """The product values x most, or the sRGB code, brought into the channel's range and rounded; NaN becomes 0."""
    if channel.is_srgb:
        return _srgb_from_linear(values, mode)
    found = to_channel(values.astype(np.float64), channel.least, channel.most, MODE_NUMBERS[mode])
    stored: np.ndarray = found.astype(channel.dtype)
    return stored


def _srgb_from_linear(values: np.ndarray, mode: Rounding) -> np.ndarray:
    """The 8-bit sRGB code of each linear half or float; NaN becomes 0."""
    floats = values.astype(np.float32, copy=False)
    if floats.size <= _FEW:
        return _least_floats(mode).searchsorted(floats, side="right").astype(np.uint8)
    first, bounds = _cells(mode)
    cell = np.clip(floats.view(np.int32), _FIRST_CELL, _LAST_CELL)
    cell -= _FIRST_CELL
    cell >>= _CELL
    codes: np.ndarray = first.take(cell)
    codes += floats >= bounds.take(cell)
    codes *= values == values  # NaN
    return codes


@functools.cache
def _cells(mode: Rounding) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """The rounding of each cell's floats: the code of its first float, and the least float of the next code.

    A cell is a 128th of a binade, from 2^-13 to 1; the first takes all that is less, too. None has two bounds inside:
    a cell at y is at most y / 128 wide, and two codes lie 1 / (12.92 x 255) apart where y < 0.0032, above that at least
    2.4 / (1.055 x 255) y^(7/12), which is more than y / 113.
    """
    least = _least_floats(mode)
    starts = np.arange(_FIRST_CELL, _LAST_CELL + 1, 1 << _CELL, dtype=np.int32).view(np.float32)
    starts[0] = 0.0
    first = least.searchsorted(starts, side="right")
    return first.astype(np.uint8), least[first]


@functools.cache
def _linear_values(form: Format, mode: Rounding) -> np.ndarray:
    return np.array([rounding.round_real(linear(Fraction(x, 255)), form, mode) for x in range(256)])


@functools.cache
def _least_floats(mode: Rounding) -> NDArray[np.float32]:
    """The least float that rounds to each of the codes 1 to 255, then NaN, whose code 256 is 0 in 8 bits.

    Codes are not negative, so rtn is rtz. Halfway between two codes, and at a code other than 0 and 255, no float lies:
    12.92 y = n / 510 and ((n / 510 + 0.055) / 1.055)^2.4 have no solution in binary fractions.
    """
    distance = {"rte": Fraction(1, 2), "rtz": Fraction(0), "rtn": Fraction(0), "rtp": Fraction(1)}[mode]
    bounds = [linear((code - distance) / 255) for code in range(1, 256)]
    least = [rounding.round_real(bound, FLOAT, "rtp") for bound in bounds]
    if mode == "rtp":  # beyond 0, not at it
        least[0] = np.float32(FLOAT.smallest_subnormal)
    return np.array([*least, FLOAT.nan])


def linear(r: Fraction, bits: int = PRECISION) -> Any:
    """The inverse of c_sRGB: a Fraction if it is rational, else a number with relative error below 2^(4 - bits)."""
    import gmpy2

    if r <= SRGB_RATIONAL:
        return r / Fraction("12.92")
    if r == 1:
        return r
    base = (r + Fraction("0.055")) / Fraction("1.055")
    with gmpy2.context(precision=bits):
        return gmpy2.mpfr(gmpy2.mpq(base)) ** (gmpy2.mpfr(12) / 5)
