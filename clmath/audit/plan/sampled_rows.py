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

__all__ = ["HEIGHT", "WIDTH", "Sampling", "Way", "asked", "computed", "sampling"]

WIDTH, HEIGHT = 7, 5  # texels
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
    """What a row reads: an image of this channel type and order, in each of the ways by the number in coord.w."""

    type: str
    order: str
    ways: tuple[Way, ...]
    data: NDArray[Any]

    def read(self, way: Way, places: NDArray[Any], type: str) -> NDArray[Any]:
        """What clmath reads, in four lanes: 0 but in the first one where the image has depths."""
        found: NDArray[Any] = Image(self.data, self.type, self.order).read(way.sampler, given(way, places), type)
        if found.ndim == 1:
            found = np.pad(found[:, np.newaxis], ((0, 0), (0, 3)))
        return found


@functools.lru_cache(maxsize=64)
def sampling(row: Builtin, type: str) -> Sampling:
    """What a row reads as ``type``."""
    what = row.name.removeprefix("sample_")
    if row.rule == EXACT_SAMPLES:
        order = what.removeprefix("integer_")
        channels = _OF_INTEGERS.get(type) or _OF_ORDERS.get(order, "unorm_int8")
        ways = (*(Way(Sampler(mode)) for mode in ("none", "clamp", "clamp_to_edge")), Way(Sampler("clamp"), True))
        return Sampling(channels, order, ways, _data(row.name, channels, order))
    channels = max((t for t in TYPES if what.endswith(t)), key=len)
    mode = what.removesuffix(channels).rstrip("_")
    ways = tuple(Way(Sampler(mode, filter, normalized=True)) for filter in ("linear", "nearest"))
    if mode.startswith("clamp"):
        ways = (*ways, Way(Sampler(mode, "linear")))
    return Sampling(channels, "rgba", ways, _data(row.name, channels, "rgba"))


def _data(name: str, type: str, order: str) -> NDArray[Any]:
    """Texels that no two rows share: random codes, or numbers between -2 and 2 that are not too small."""
    rng, dtype = np.random.default_rng(zlib.crc32(f"{name} {type}".encode())), TYPES[type].dtype
    shape = (HEIGHT, WIDTH, *([] if TYPES[type].shifts else [ORDERS[order].stored]))
    if dtype.kind == "f":
        values = rng.integers(1, 2048, shape) * rng.choice([1.0, -1.0], shape)
        return np.asarray(values / 1024, dtype)
    info = np.iinfo(dtype)
    return np.asarray(rng.integers(info.min, info.max, shape, dtype, endpoint=True))


def computed(row: Builtin, type: str, coord: NDArray[np.float32]) -> NDArray[Any]:
    """What clmath reads at every coordinate; 0 where a row does not say what is read."""
    how = sampling(row, type)
    result = np.zeros(coord.shape, SCALARS[type])
    for number, way in enumerate(how.ways):
        here = asked(way, number, coord)
        result[here] = how.read(way, coord[here, :2], type)
    return result


def asked(way: Way, number: int, coord: NDArray[np.float32]) -> Bools:
    """The calls that read in this way, at coordinates of which the text says what they read."""
    sizes = np.array([WIDTH, HEIGHT], np.float64)
    u = coord[:, :2].astype(np.float64) * (sizes if way.sampler.normalized else 1.0)
    here = (coord[:, 3] == number) & (np.abs(u) < FARTHEST).all(axis=-1)  # false for NaN
    if way.sampler.addressing == "none":
        here &= ((u >= 0.0) & (u < sizes)).all(axis=-1)
    return np.asarray(here)


def given(way: Way, places: NDArray[Any]) -> NDArray[Any]:
    return np.floor(places).astype(np.int32) if way.are_ints else np.ascontiguousarray(places)
