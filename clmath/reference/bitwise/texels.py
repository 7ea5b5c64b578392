"""Texels of images: their colours, and the colour of the border. OpenCL C++ 1.0, 3.11 and 5.3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clmath.numbers.formats import format_of
from clmath.reference.bitwise.channels import PACKED, linear_colour, of_normalized, of_srgb, unpacked
from clmath.reference.bitwise.conversions import converted

ALPHA = 3  # the index of alpha among the components

_MOST: Mapping[str, int] = MappingProxyType(
    {"unorm_int8": 255, "unorm_int16": 65535, "snorm_int8": 127, "snorm_int16": 32767}
)
_COMPONENTS: Mapping[str, tuple[int | None, ...]] = MappingProxyType(
    {"depth": (0,), "intensity": (0, 0, 0, 0), "luminance": (0, 0, 0, None)}
)
_OPAQUE = ("r", "rg", "rgb", "luminance", "srgb")  # 3.11.11


def is_srgb(order: str) -> bool:
    """Whether all stored channels but alpha are sRGB codes."""
    return order.startswith("s")


def components_of(order: str) -> tuple[int | None, ...]:
    """The stored channel of red, green, blue and alpha, or of a depth; None for components that are not stored."""
    stored = order.removeprefix("s").removesuffix("x")
    return _COMPONENTS.get(order) or tuple(stored.index(c) if c in stored else None for c in "rgba")


class Channel(NamedTuple):
    """One channel of all texels: codes that represent 1 as ``most``, or numbers if that is 0."""

    stored: np.ndarray
    most: int = 0
    is_srgb: bool = False

    def rounded(self, dtype: np.dtype) -> np.ndarray:
        """Colours in the type of a read, rounded to nearest even; numbers are converted."""
        form = format_of(dtype)
        if form is None or not self.most:
            return converted(self.stored, dtype, "rte")
        return of_srgb(self.stored, form) if self.is_srgb else of_normalized(self.stored, self.most, form)

    def exact(self, texel: int) -> Fraction:
        """The colour of one texel; an irrational one to 200 bits."""
        number = self.stored[texel].item()
        if self.is_srgb:
            return linear_colour(number)
        return max(Fraction(number, self.most), Fraction(-1)) if self.most else Fraction(number)


class Texels(NamedTuple):
    """An image, or an array of images along a first axis; ``shape``: of one texel each."""

    channels: tuple[Channel, ...]
    order: str
    shape: tuple[int, ...]
    is_array: bool

    @classmethod
    def of(cls, data: np.ndarray, type: str, order: str, *, is_array: bool) -> Texels:
        """An image of a channel type and order, channels last, or without an axis of channels where they are packed."""
        if type in PACKED:
            codes, shape = unpacked(data.reshape(-1), PACKED[type]), data.shape
            channels = [Channel(codes[:, n], most) for n, (most, _) in enumerate(PACKED[type])]
        else:
            stored, shape = data.reshape(-1, data.shape[-1]), data.shape[:-1]
            colours = components_of(order)[:ALPHA] if is_srgb(order) else ()
            channels = [Channel(stored[:, n], _MOST.get(type, 0), n in colours) for n in range(stored.shape[-1])]
        return cls(tuple(channels), order, shape, is_array)

    @property
    def places(self) -> NDArray[np.intp]:
        """Numbers of the texels, with a frame of -1 around each image."""
        around = [(0, 0)] * self.is_array + [(1, 1)] * (len(self.shape) - self.is_array)
        return np.pad(np.arange(np.prod(self.shape)).reshape(self.shape), around, constant_values=-1)

    @property
    def constants(self) -> tuple[int, int]:
        """Alpha where it is not stored: of texels, and of the border, whose colour is 0 otherwise."""
        return int(self.order != "depth"), int(self.order in _OPAQUE)

    def components(self, channels: Sequence[np.ndarray], *, border: int | None = None) -> np.ndarray:
        """Red, green, blue and alpha of all texels by the numbers of each channel, and of the border at the end.

        ``border``: another alpha of the border.
        """
        found = np.zeros((len(channels[0]) + 1, ALPHA + 1), channels[0].dtype)
        found[:-1, ALPHA], found[-1, ALPHA] = self.constants
        if border is not None:
            found[-1, ALPHA] = border
        for number, channel in enumerate(components_of(self.order)):
            if channel is not None:
                found[:-1, number], found[-1, number] = channels[channel], 0
        return found

    def rounded(self, dtype: np.dtype) -> np.ndarray:
        """Components of all texels, and of the border, in the type of a read."""
        return self.components([channel.rounded(dtype) for channel in self.channels])

    def exact(self, texel: int, component: int) -> Fraction:
        """One component of a texel, or of the border for -1."""
        channel = (*components_of(self.order), None, None, None)[component]
        if channel is None:
            return Fraction(self.constants[texel < 0] if component == ALPHA else 0)
        return Fraction(0) if texel < 0 else self.channels[channel].exact(texel)
