"""Rows of sampled reads: the image that each reads, the ways in which it does, and what clmath reads."""

from __future__ import annotations

import functools
import zlib
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from clmath.direct.texels import ORDERS, TYPES
from clmath.functions.sampling import Image, Sampler
from clmath.numbers.datatypes import SCALARS
from clmath.spec.families import EXACT_SAMPLES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.spec.builtins import Builtin

__all__ = ["LAYERS", "Sampling", "Way", "asked", "computed", "places", "sampling"]

SIZES = (7, 5, 3)  # texels along x, y and z
LAYERS = 4  # of an array of images
SHAPES = {"1d": (1, False), "2d": (2, False), "3d": (3, False), "1d_array": (1, True), "2d_array": (2, True)}
FARTHEST = 2.0**30  # of coordinates in texels: (int) of more may overflow

_OF_INTEGERS = {"int": "signed_int8", "uint": "unsigned_int8"}
_OF_ORDERS = {"depth": "unorm_int16", "rgb": "unorm_short_565", "rgbx": "unorm_short_565"}  # others are of 8 bits

Bools: TypeAlias = "NDArray[np.bool_]"


class Way(NamedTuple):
    """One way to read: with a sampler, and coordinates that are floats, or cut to ints downward."""

    sampler: Sampler
    are_ints: bool = False

    @property
    def is_exact(self) -> bool:
        """Whether the text says which texel is read."""
        return self.sampler.filter == "nearest" and not self.sampler.normalized


class Sampling(NamedTuple):
    """What a row reads: an image of this channel type and order, in each of the ways by the number in coord.w.

    ``shape``: one of ``SHAPES``.
    """

    type: str
    order: str
    shape: str
    ways: tuple[Way, ...]
    data: NDArray[Any]

    @property
    def sizes(self) -> tuple[int, ...]:
        """The texels along x, y and z."""
        return SIZES[: SHAPES[self.shape][0]]

    @property
    def is_array(self) -> bool:
        """Whether the coordinate behind those selects a layer."""
        return SHAPES[self.shape][1]

    def read(self, way: Way, places: NDArray[Any], type: str) -> NDArray[Any]:
        """What clmath reads, in four lanes: 0 but in the first one where the image has depths."""
        image = Image(self.data, self.type, self.order, array=self.is_array)
        found: NDArray[Any] = image.read(way.sampler, given(way, places), type)
        if found.ndim == 1:
            found = np.pad(found[:, np.newaxis], ((0, 0), (0, 3)))
        return found


@functools.lru_cache(maxsize=64)
def sampling(row: Builtin, type: str) -> Sampling:
    """What a row reads as ``type``."""
    what = row.name.removeprefix("sample_")
    if row.rule == EXACT_SAMPLES:
        order = what.removeprefix("integer_")
        shape, order = (order, "rgba") if order in SHAPES else ("2d", order)
        channels = _OF_INTEGERS.get(type) or _OF_ORDERS.get(order, "unorm_int8")
        ways = (*(Way(Sampler(mode)) for mode in ("none", "clamp", "clamp_to_edge")), Way(Sampler("clamp"), True))
        return Sampling(channels, order, shape, ways, _data(row.name, channels, order, shape))
    shape = what.removeprefix("linear_")
    if shape in SHAPES:
        modes = ("clamp", "clamp_to_edge", "repeat", "mirrored_repeat")
        ways = (*(Way(Sampler(m, "linear", normalized=True)) for m in modes), Way(Sampler("clamp", "linear")))
        return Sampling("unorm_int8", "rgba", shape, ways, _data(row.name, "unorm_int8", "rgba", shape))
    channels = max((t for t in TYPES if what.endswith(t)), key=len)
    mode = what.removesuffix(channels).rstrip("_")
    ways = tuple(Way(Sampler(mode, filter, normalized=True)) for filter in ("linear", "nearest"))
    if mode.startswith("clamp"):
        ways = (*ways, Way(Sampler(mode, "linear")))
    return Sampling(channels, "rgba", "2d", ways, _data(row.name, channels, "rgba", "2d"))


def _data(name: str, type: str, order: str, shape: str) -> NDArray[Any]:
    """Texels that no two rows share: random codes, or numbers between -2 and 2 that are not too small."""
    rng, dtype = np.random.default_rng(zlib.crc32(f"{name} {type}".encode())), TYPES[type].dtype
    axes, is_array = SHAPES[shape]
    channels = [] if TYPES[type].shifts else [ORDERS[order].stored]
    lengths = (*([LAYERS] if is_array else []), *SIZES[:axes][::-1], *channels)
    if dtype.kind == "f":
        values = rng.integers(1, 2048, lengths) * rng.choice([1.0, -1.0], lengths)
        return np.asarray(values / 1024, dtype)
    info = np.iinfo(dtype)
    return np.asarray(rng.integers(info.min, info.max, lengths, dtype, endpoint=True))


def computed(row: Builtin, type: str, coord: NDArray[np.float32]) -> NDArray[Any]:
    """What clmath reads at every coordinate; 0 where a row does not say what is read."""
    how = sampling(row, type)
    result = np.zeros(coord.shape, SCALARS[type])
    for number, way in enumerate(how.ways):
        here = asked(how, number, coord)
        result[here] = how.read(way, places(how, coord[here]), type)
    return result


def asked(how: Sampling, number: int, coord: NDArray[np.float32]) -> Bools:
    """The calls that read in the way of that number, at coordinates of which the text says what they read."""
    sampler, sizes = how.ways[number].sampler, np.array(how.sizes, np.float64)
    at = places(how, coord).astype(np.float64)
    u = at[:, : len(sizes)] * (sizes if sampler.normalized else 1.0)
    here = (coord[:, 3] == number) & (np.abs(at) < FARTHEST).all(axis=-1)  # false for NaN
    here &= (np.abs(u) < FARTHEST).all(axis=-1)
    if sampler.addressing == "none":
        here &= ((u >= 0.0) & (u < sizes)).all(axis=-1)
    return np.asarray(here)


def places(how: Sampling, coord: NDArray[np.float32]) -> NDArray[np.float32]:
    """The lanes of coord that count, that of the layer last."""
    return coord[:, : len(how.sizes) + how.is_array]


def given(way: Way, places: NDArray[Any]) -> NDArray[Any]:
    """Coordinates as the way has them; of images with one they have no axis of lanes."""
    found = np.floor(places).astype(np.int32) if way.are_ints else np.ascontiguousarray(places)
    return found if found.shape[-1] > 1 else found[:, 0]
