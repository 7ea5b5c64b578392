"""Rows of reads with a sampler: the image that each row reads, its samplers, and the results of clmath."""

from __future__ import annotations

import functools
import re
import zlib
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from clmath.direct.addressing import ADDRESSING
from clmath.direct.texels import ORDERS, TYPES
from clmath.functions.sampling import Image, Sampler
from clmath.numbers.datatypes import SCALARS
from clmath.numbers.formats import HALF
from clmath.spec.builtins import Builtin
from clmath.spec.families import EXACT_SAMPLES

# floats that half cannot hold: conversion to half changes them
_NO_HALFS = (65505.0, 65520.0, 2.0**16, 2.0**-14 - 2.0**-25, 2.0**-25, 1.0 + 2.0**-12, 1e-30, 1e30)


def texels(name: str, type: str, order: str, lengths: tuple[int, ...]) -> np.ndarray:
    """Return random texels for the image of a row; each channel also holds the notable numbers of the channel type.

    ``lengths``: the lengths of the axes, x last. The notable numbers lie inside, in the half with the larger x:
    a filter near a border or in the other half reads no huge number.
    """
    rng, dtype = np.random.default_rng(zlib.crc32(f"{name} {type}".encode())), TYPES[type].dtype
    channels = () if TYPES[type].shifts else (ORDERS[order].stored,)
    found = _random(rng, dtype, (*lengths, *channels))
    if lengths[-1] > 2:
        _place_notable(rng, notable(type), found if channels else found[..., np.newaxis])
    return found


def _place_notable(rng: np.random.Generator, listed: np.ndarray, planes: np.ndarray) -> None:
    """Fill the inside of each channel, the last axis of ``planes``, with the listed numbers, repeated or cut."""
    *others, width, channels = planes.shape
    inner = (*(slice(1, -1) if n > 2 else slice(None) for n in others), slice(width // 2, -1))
    for channel in range(channels):
        there = planes[(*inner, channel)]
        planes[(*inner, channel)] = rng.permutation(np.resize(listed, there.size)).reshape(there.shape)


def _random(rng: np.random.Generator, dtype: np.dtype, lengths: tuple[int, ...]) -> np.ndarray:
    """Return uniform random codes, or floating-point numbers of either sign between 1/4 and 2."""
    if dtype.kind == "f":
        return np.asarray(rng.uniform(0.25, 2.0, lengths) * rng.choice([1.0, -1.0], lengths), dtype)
    info = np.iinfo(dtype)
    return np.asarray(rng.integers(info.min, info.max, lengths, dtype, endpoint=True))


def notable(type: str) -> np.ndarray:
    """Return the ends of a channel type and their neighbours, then the integers with one bit set or one bit clear."""
    dtype = TYPES[type].dtype
    return _notable_floats(dtype) if dtype.kind == "f" else _notable_integers(dtype)


def _notable_integers(dtype: np.dtype) -> np.ndarray:
    word, info = np.dtype(f"u{dtype.itemsize}"), np.iinfo(dtype)
    ends = np.array([info.max, info.min, info.max - 1, info.min + 1, 0, 1, info.max // 2, info.min + 2], dtype)
    bits = np.array([1 << k for k in range(8 * dtype.itemsize)], word)
    return np.concatenate([ends, bits.view(dtype), (~bits).view(dtype)])


def _notable_floats(dtype: np.dtype) -> np.ndarray:
    info, one = np.finfo(dtype), dtype.type(1)
    least, normal = info.smallest_subnormal, info.smallest_normal
    ends = [info.max, least, np.nextafter(normal, dtype.type(0)), normal, dtype.type(np.inf), dtype.type(0), least * 5]
    ends += [np.nextafter(info.max, one), one + info.eps, one - info.epsneg, dtype.type(3)]
    others = _NO_HALFS if dtype != HALF.dtype else (2.0**-20, 2.0**-15, 1000.0)
    found = np.concatenate([np.array(ends, dtype), np.array(others, dtype)])
    return np.stack([found, -found], axis=-1).reshape(-1)


LAYERS = 4  # images in an image array
SHAPES = {"1d": (1, False), "2d": (2, False), "3d": (3, False), "1d_array": (1, True), "2d_array": (2, True)}
SIZES = {"1d": (61,), "2d": (13, 9), "3d": (9, 7, 5), "1d_array": (17,), "2d_array": (7, 5)}  # texels along x, y and z
FARTHEST = 2.0**30  # texels: beyond, (int) of a coordinate may overflow, and the result is undefined
# distance in texels from a border below which a read without an addressing mode may need a texel beyond the border
_NEEDS_INSIDE = {"nearest": 0.125, "linear": 0.53125}

_OF_INTEGERS = {"int": "signed_int8", "uint": "unsigned_int8"}
_OF_ORDERS = {"depth": "unorm_int16", "rgb": "unorm_short_565", "rgbx": "unorm_short_565"}  # others have 8 bits
_IN_TEXELS = ("none", "clamp", "clamp_to_edge")  # addressing modes that have coordinates in texels

Bools: TypeAlias = "NDArray[np.bool_]"


class Way(NamedTuple):
    """One way to read: a sampler, and whether coordinates are ints (floats rounded down) or floats."""

    sampler: Sampler
    are_ints: bool = False

    @property
    def is_exact(self) -> bool:
        """Whether the specification says exactly which texel is read."""
        return self.sampler.filter == "nearest" and not self.sampler.normalized


class Sampling(NamedTuple):
    """The image that a row reads, with its channel type, channel order and data, and the ways in which it is read.

    A call reads in the way whose number is in coord.w. ``shape``: one of ``SHAPES``.
    """

    type: str
    order: str
    shape: str
    ways: tuple[Way, ...]
    data: np.ndarray

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of texels along each axis of the image, in the order x, y, z."""
        first = int(self.is_array)
        return self.data.shape[first : first + SHAPES[self.shape][0]][::-1]

    @property
    def layers(self) -> int:
        """The number of images in an array, or 0 for a single image."""
        return self.data.shape[0] if self.is_array else 0

    @property
    def is_array(self) -> bool:
        """Whether the image is an array, so that one more coordinate selects the layer."""
        return SHAPES[self.shape][1]

    @property
    def is_real(self) -> bool:
        """Whether a read gives real numbers, not integers."""
        return TYPES[self.type].reads[0] == "float"

    def read(self, way: Way, places: np.ndarray, type: str) -> np.ndarray:
        """Return the four components that clmath reads; for an image of depths, all after the first are 0."""
        image = Image(self.data, self.type, self.order, array=self.is_array)  # type: ignore[arg-type]
        found: np.ndarray = image.read(way.sampler, given(way, places), type)
        if found.ndim == 1:
            found = np.pad(found[:, np.newaxis], ((0, 0), (0, 3)))
        return found


NEAREST = (
    *(Way(Sampler(mode), are_ints) for are_ints in (False, True) for mode in _IN_TEXELS),  # type: ignore[arg-type]
    *(Way(Sampler(mode, normalized=True)) for mode in ADDRESSING),  # type: ignore[arg-type]
)
LINEAR = (
    *(Way(Sampler(mode, "linear", normalized=True)) for mode in ADDRESSING if mode != "none"),  # type: ignore[arg-type]
    *(Way(Sampler(mode, "linear")) for mode in _IN_TEXELS if mode != "none"),  # type: ignore[arg-type]
)
LINEAR_INSIDE = tuple(Way(Sampler("none", "linear", normalized=normalized)) for normalized in (True, False))


@functools.lru_cache(maxsize=64)
def sampling(row: Builtin, type: str) -> Sampling:
    """Return the image of a row, which is read as ``type``, and the ways in which it is read."""
    what = row.name.removeprefix("sample_")
    if what.startswith("size_"):
        return _sized(row.name, what.removeprefix("size_"))
    if row.rule == EXACT_SAMPLES:
        order = what.removeprefix("integer_")
        shape, order = (order, "rgba") if order in SHAPES else ("2d", order)
        channels = order if order in TYPES else _OF_INTEGERS.get(type) or _OF_ORDERS.get(order, "unorm_int8")
        if order in TYPES:
            order = "rgb" if TYPES[order].shifts else "rgba"
        return _of_shape(row.name, channels, order, shape, NEAREST)
    if what.startswith("linear_"):
        return _filtered(row.name, what.removeprefix("linear_"))
    channels = _type_in(what)
    mode = what.removesuffix(channels).rstrip("_")
    ways = tuple(way for way in (*LINEAR, *NEAREST) if way.sampler.addressing == mode)
    return _of_shape(row.name, channels, "rgba", "2d", ways)


def _filtered(name: str, what: str) -> Sampling:
    """Return the sampling of a row of one filter; ``what``: a shape, read as CL_RGBA, or an order, a type, or both."""
    if what in SHAPES:
        return _of_shape(name, "unorm_int8", "rgba", what, (*LINEAR, *LINEAR_INSIDE))
    type = _type_in(what)
    order = what.removesuffix(type).rstrip("_") or "rgb"
    channels = type or _OF_ORDERS.get(order, "unorm_int8")
    return _of_shape(name, channels, order, "2d", (*LINEAR, Way(Sampler("clamp"))))


def _of_shape(name: str, type: str, order: str, shape: str, ways: tuple[Way, ...]) -> Sampling:
    layers = (LAYERS,) if SHAPES[shape][1] else ()
    return Sampling(type, order, shape, ways, texels(name, type, order, (*layers, *SIZES[shape][::-1])))


def _sized(name: str, what: str) -> Sampling:
    """Return the sampling of an image of the size ``what``, '257', '16x8' or '1x1x1', which is read in every way."""
    sizes = [int(size) for size in re.findall(r"\d+", what)]
    ways = (*NEAREST, *LINEAR, *LINEAR_INSIDE)
    return Sampling("unorm_int8", "rgba", f"{len(sizes)}d", ways, texels(name, "unorm_int8", "rgba", (*sizes[::-1],)))


def _type_in(what: str) -> str:
    """Return the channel type with which the name of a row ends, or an empty text."""
    return max((type for type in TYPES if what.endswith(type)), key=len, default="")


def computed(row: Builtin, type: str, coord: NDArray[np.float32]) -> np.ndarray:
    """Return the results of clmath at every coordinate, or 0 if the result is undefined."""
    how = sampling(row, type)
    result = np.zeros(coord.shape, SCALARS[type])
    for number, way in enumerate(how.ways):
        here = reads_in_way(how, number, coord)
        result[here] = how.read(way, places(how, coord[here]), type)
    return result


def reads_in_way(how: Sampling, number: int, coord: NDArray[np.float32]) -> Bools:
    """Return which calls read in the way ``number``, at coordinates for which the specification defines the result."""
    sampler, sizes = how.ways[number].sampler, np.array(how.sizes, np.float64)
    here: Bools = coord[:, 3] == number
    at = places(how, coord[here]).astype(np.float64)
    u = at[:, : len(sizes)] * (sizes if sampler.normalized else 1.0)
    is_defined = (np.abs(at) < FARTHEST).all(axis=-1) & (np.abs(u) < FARTHEST).all(axis=-1)  # not NaN, either
    if sampler.addressing == "none":
        room = 0.0 if how.ways[number].is_exact else _NEEDS_INSIDE[sampler.filter]
        is_defined &= ((u >= room) & (u < sizes - room)).all(axis=-1)
    here[here] = is_defined
    return here


def places(how: Sampling, coord: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the components of coord that the read uses; the last one selects the layer of an image array."""
    return coord[:, : len(how.sizes) + how.is_array]


def given(way: Way, places: np.ndarray) -> np.ndarray:
    """Return coordinates as the read takes them, ints or floats, without an axis of components if there is only one."""
    found = np.floor(places).astype(np.int32) if way.are_ints else np.ascontiguousarray(places)
    return found if found.shape[-1] > 1 else found[:, 0]
