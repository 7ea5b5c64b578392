"""Channel types and orders of images, and the values of their texels: OpenCL C++ 1.0, 3.11.11, 3.11.14, 5.3."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clmath.direct.channels import CHANNELS, SRGB_RATIONAL, Normalized, linear, linear_from_srgb, normalized_value
from clmath.direct.conversions import conversion
from clmath.ir.values import Real
from clmath.numbers.formats import FLOAT, HALF, format_of
from clmath.numbers.rounding import Rounding

__all__ = ["ORDERS", "TYPES", "ChannelType", "Order", "Plane", "packed", "planes_of"]

_TAIL = 2.0**-104  # of a linear value: bound of the error of its two doubles, at most 2^-106


class ChannelType(NamedTuple):
    """The storage type of one channel, or of all channels packed in a word.

    ``reads``: the types that a read gives, the first one by default. ``channels``: the normalized integers, one for all
    channels or one for each. ``shifts``: the lowest bit of each channel that is packed.
    """

    dtype: np.dtype
    reads: tuple[str, ...]
    channels: tuple[Normalized, ...] = ()
    shifts: tuple[int, ...] = ()

    @property
    def equal_channels(self) -> Normalized | None:
        """The normalized integers that all channels are stored as, or None if channels differ."""
        first, *others = self.channels
        return first if all(other is first for other in others) else None


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


def _bits(name: str, bits: int) -> Normalized:
    return Normalized(name, np.dtype(np.uint8), 0, (1 << bits) - 1)


_NORMALIZED = {c.name: c for c in CHANNELS}
_INT5, _INT6 = _bits("unorm_int5", 5), _bits("unorm_int6", 6)
_REAL = ("float", "half")
_WORD, _LONG_WORD = np.dtype(np.uint16), np.dtype(np.uint32)

TYPES: dict[str, ChannelType] = {
    **{
        name: ChannelType(_NORMALIZED[name].dtype, _REAL, (_NORMALIZED[name],))
        for name in ("unorm_int8", "unorm_int16", "snorm_int8", "snorm_int16")
    },
    "unorm_short_565": ChannelType(_WORD, _REAL, (_INT5, _INT6, _INT5), (11, 5, 0)),
    "unorm_short_555": ChannelType(_WORD, _REAL, (_INT5,) * 3, (10, 5, 0)),
    "unorm_int_101010": ChannelType(_LONG_WORD, _REAL, (_NORMALIZED["unorm_int10"],) * 3, (20, 10, 0)),
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


class Plane(NamedTuple):
    """One channel of all texels, the numbers that are stored; ``channel`` where they are normalized integers."""

    stored: np.ndarray
    channel: Normalized | None
    is_srgb: bool

    @property
    def divisor(self) -> int:
        """The divisor of the ``numerators``."""
        return self.channel.most if self.channel and not self.is_srgb else 1

    @property
    def is_signed(self) -> bool:
        """Whether some numbers may be negative."""
        return self.stored.dtype.kind != "u"

    def numerators(self, places: NDArray[np.intp]) -> np.ndarray:
        """The values of the texels at ``places``, times the divisor: exact, except that sRGB is rounded to double."""
        found: np.ndarray = self.stored.take(places)
        if self.is_srgb:
            found = _linear_values()[0].take(found)
        elif self.channel and self.channel.least:
            found = np.maximum(found, -self.channel.most)  # the code below -1 means -1, too
        return found.astype(FLOAT.dtype) if found.dtype == HALF.dtype else found

    def rests(self, places: NDArray[np.intp]) -> tuple[Real, Real]:
        """The rounding errors of sRGB's numerators, and a bound of the error that remains when they are added."""
        _, low, missing = _linear_values()
        found = self.stored.take(places)
        return low.take(found), missing.take(found)

    def exact(self, place: int) -> tuple[Fraction, int | None]:
        """The value of one texel: a fraction, or 0 and the code of sRGB whose value is irrational."""
        found = self.stored[place].item()
        if self.is_srgb:
            r = Fraction(found, 255)
            return (linear(r), None) if r <= SRGB_RATIONAL or r == 1 else (Fraction(0), found)
        return max(Fraction(found), Fraction(-self.divisor) if self.channel else Fraction(found)) / self.divisor, None

    def read(self, places: NDArray[np.intp], dtype: np.dtype, mode: Rounding) -> np.ndarray:
        """The texels at ``places`` as read without a filter: rounded, or unmodified integers."""
        found, form = self.stored.take(places), format_of(dtype)
        if self.channel is None or form is None:
            return conversion(found.dtype, dtype, mode, sat=False)(found) if found.dtype != dtype else found
        if self.is_srgb:
            return linear_from_srgb(found, form, mode)
        return normalized_value(found, self.channel, form, mode)


def planes_of(texels: np.ndarray, type: ChannelType, order: Order) -> list[Plane]:
    """The channels of ``texels``, of shape (texels, channels), or (texels,) where they are packed."""
    if type.shifts:
        pairs = zip(type.shifts, type.channels, strict=True)
        return [Plane(((texels >> shift) & c.most).astype(c.dtype), c, is_srgb=False) for shift, c in pairs]
    channel = type.channels[0] if type.channels else None
    colours = order.components[:3] if order.is_srgb else ()
    return [Plane(np.ascontiguousarray(texels[:, n]), channel, n in colours) for n in range(order.stored)]


def packed(planes: Sequence[Plane], type: ChannelType) -> np.ndarray:
    """The inverse of ``planes_of``; bits that belong to no channel are 0."""
    if not type.shifts:
        return np.stack([p.stored for p in planes], axis=-1)
    shifted = [p.stored.astype(type.dtype) << shift for p, shift in zip(planes, type.shifts, strict=True)]
    return functools.reduce(np.bitwise_or, shifted)


@functools.cache
def _linear_values() -> tuple[Real, Real, Real]:
    """The linear value of each sRGB code in two doubles, and a bound of their error."""
    import gmpy2

    with gmpy2.context(precision=200):
        values = [gmpy2.mpfr(linear(Fraction(code, 255))) for code in range(256)]
        high = np.array([float(v) for v in values])
        low = np.array([float(v - float(v)) for v in values])
    return high, low, np.where((high == 0.0) | (high == 1.0), 0.0, high * _TAIL)
