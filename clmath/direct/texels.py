"""Channel types and orders of images, and the values of their texels: OpenCL C++ 1.0, 3.11.11, 3.11.14, 5.3."""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import NamedTuple, TypeAlias

import numpy as np

from clmath.direct.addressing import Places
from clmath.direct.channels import NORMALIZED, SRGB, SRGB_RATIONAL, Normalized, linear
from clmath.ir.values import Real
from clmath.numbers.formats import FLOAT, HALF

_COLOURS = 3  # of an sRGB texel, before alpha

Lines: TypeAlias = "np.ndarray | list[np.ndarray]"
"""A line for each channel."""


class ChannelType(NamedTuple):
    """The storage type of one channel, or of all channels packed in a word.

    ``reads``: the types that a read gives, the first one by default. ``channels``: the normalized integers, one for all
    channels or one for each. ``shifts``: the lowest bit of each channel that is packed.
    """

    dtype: np.dtype
    reads: tuple[str, ...]
    channels: tuple[Normalized, ...] = ()
    shifts: tuple[int, ...] = ()

    def unpacked(self, words: np.ndarray) -> np.ndarray:
        """The channels of packed ``words`` on one axis, a line for each."""
        parts = np.array([self.shifts, [c.most for c in self.channels]], self.dtype)
        shifts, most = parts.reshape(2, -1, *[1] * words.ndim)
        return np.asarray(((words >> shifts) & most).astype(self.channels[0].dtype))

    def packed(self, lines: Lines) -> np.ndarray:
        """The words of channels, a line for each; bits that belong to no channel are 0."""
        shifted = [line.astype(self.dtype) << shift for line, shift in zip(lines, self.shifts, strict=True)]
        return functools.reduce(np.bitwise_or, shifted)


class Order(NamedTuple):
    """Which of the ``stored`` channels each of red, green, blue and alpha is; None: 0, and 1 for alpha.

    ``border``: the alpha of the border colour, whose other components are 0. ``is_srgb``: all components except alpha
    are sRGB codes.
    """

    stored: int
    components: tuple[int | None, ...]
    border: int = 0
    is_srgb: bool = False

    @property
    def has_edge(self) -> bool:
        """Whether an alpha that is not stored is 1 inside of the image and 0 beyond its border."""
        return self.components[-1] is None and not self.border


_INT5, _INT6 = (Normalized(f"unorm_int{n}", np.dtype(np.uint8), 0, (1 << n) - 1) for n in (5, 6))
_REAL = ("float", "half")
_WORD, _LONG_WORD = np.dtype(np.uint16), np.dtype(np.uint32)

TYPES: dict[str, ChannelType] = {
    **{
        name: ChannelType(NORMALIZED[name].dtype, _REAL, (NORMALIZED[name],))
        for name in ("unorm_int8", "unorm_int16", "snorm_int8", "snorm_int16")
    },
    "unorm_short_565": ChannelType(_WORD, _REAL, (_INT5, _INT6, _INT5), (11, 5, 0)),
    "unorm_short_555": ChannelType(_WORD, _REAL, (_INT5,) * 3, (10, 5, 0)),
    "unorm_int_101010": ChannelType(_LONG_WORD, _REAL, (NORMALIZED["unorm_int10"],) * 3, (20, 10, 0)),
    "half_float": ChannelType(np.dtype(np.float16), _REAL),
    "float": ChannelType(np.dtype(np.float32), ("float",)),
    **{f"signed_int{bits}": ChannelType(np.dtype(f"i{bits // 8}"), ("int",)) for bits in (8, 16, 32)},
    **{f"unsigned_int{bits}": ChannelType(np.dtype(f"u{bits // 8}"), ("uint",)) for bits in (8, 16, 32)},
}

ORDERS: dict[str, Order] = {
    "r": Order(1, (0, None, None, None), 1),
    "rx": Order(1, (0, None, None, None)),
    "a": Order(1, (None, None, None, 0)),
    "rg": Order(2, (0, 1, None, None), 1),
    "rgx": Order(2, (0, 1, None, None)),
    "ra": Order(2, (0, None, None, 1)),
    "rgb": Order(3, (0, 1, 2, None), 1),
    "rgbx": Order(3, (0, 1, 2, None)),
    "rgba": Order(4, (0, 1, 2, 3)),
    "bgra": Order(4, (2, 1, 0, 3)),
    "argb": Order(4, (1, 2, 3, 0)),
    "abgr": Order(4, (3, 2, 1, 0)),
    "intensity": Order(1, (0, 0, 0, 0)),
    "luminance": Order(1, (0, 0, 0, None), 1),
    "depth": Order(1, (0,)),
    "srgb": Order(3, (0, 1, 2, None), 1, is_srgb=True),
    "srgbx": Order(3, (0, 1, 2, None), is_srgb=True),
    "srgba": Order(4, (0, 1, 2, 3), is_srgb=True),
    "sbgra": Order(4, (2, 1, 0, 3), is_srgb=True),
}


def channels_of(type: ChannelType, order: Order) -> tuple[Normalized, ...]:
    """The channels of a texel, none for numbers that are not normalized."""
    if type.shifts:
        return type.channels
    channels = type.channels * order.stored
    return (SRGB,) * _COLOURS + channels[_COLOURS:] if order.is_srgb else channels


class Texels(NamedTuple):
    """The numbers that are stored for all texels: a line of ``stored`` for each channel.

    ``channels``: the meaning of the numbers of each line, or empty if numbers are stored as they are. ``divisors``: of
    the ``numerators``, a column.
    """

    stored: np.ndarray
    channels: tuple[Normalized, ...]
    divisors: Real

    @classmethod
    def of(cls, texels: np.ndarray, type: ChannelType, order: Order) -> Texels:
        """Return the channels of ``texels``, of shape (texels, channels), or (texels,) if they are packed."""
        lines = type.unpacked(texels) if type.shifts else np.ascontiguousarray(texels.T)
        channels = channels_of(type, order)
        divisors = [1 if c.is_srgb else c.most for c in channels] or [1] * len(lines)
        return cls(lines, channels, np.array(divisors, np.float64)[:, np.newaxis])

    def line(self, number: int) -> Texels:
        """The texels with one of the channels."""
        part = slice(number, number + 1)
        return Texels(self.stored[part], self.channels[part], self.divisors[part])

    @property
    def is_srgb(self) -> bool:
        """Whether there are colours of sRGB, which come first."""
        return bool(self.channels) and self.channels[0].is_srgb

    def numerators(self, places: Places) -> np.ndarray:
        """The values of the texels at ``places``, times the divisors: exact, except that sRGB is rounded to double."""
        found: np.ndarray = self.stored.take(places, axis=1)
        if self.is_srgb:
            values = np.empty(found.shape)
            _linear_values().take(found[:_COLOURS], out=values[:_COLOURS], mode="clip")
            values[_COLOURS:] = found[_COLOURS:]
            return values
        if self.channels and self.channels[0].least:
            return np.asarray(np.maximum(found, -self.channels[0].most))  # the code below -1 means -1, too
        return found.astype(FLOAT.dtype) if found.dtype == HALF.dtype else found

    def exact(self, place: int) -> tuple[Fraction, int | None]:
        """The value of one texel with one channel: a fraction, or 0 and the code of sRGB whose value is irrational."""
        found = self.stored[0, place].item()
        if not self.channels:
            return Fraction(found), None
        r = Fraction(max(found, -self.channels[0].most), self.channels[0].most)
        if not self.is_srgb:
            return r, None
        return (linear(r), None) if r <= SRGB_RATIONAL or r == 1 else (Fraction(0), found)


@functools.cache
def _linear_values() -> Real:
    """The linear value of each sRGB code, rounded to double: only 0 and 1 are exact."""
    return np.array([float(linear(Fraction(code, 255))) for code in range(256)])
