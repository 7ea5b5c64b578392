"""Results that reads with a sampler may give: OpenCL C++ 1.0, 5.1 to 5.3."""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from clmath.audit.exact import images
from clmath.audit.exact.results import AllowedResults, are_subnormal
from clmath.audit.plan.sampled_rows import places, reads_in_way, sampling
from clmath.numbers.datatypes import SCALARS
from clmath.numbers.formats import FLOAT, format_of
from clmath.reference.bitwise import sampling as reference
from clmath.reference.bitwise.conversions import converted
from clmath.reference.bitwise.texels import Texels, is_srgb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.exact.exact_criteria import Freedom
    from clmath.audit.plan.sampled_rows import Sampling, Way
    from clmath.ir.values import Real, Truth
    from clmath.numbers.formats import Format
    from clmath.reference.bitwise.texels import Channel
    from clmath.spec.builtins import Builtin

__all__ = ["allowed", "allowed_of_image"]

Places: TypeAlias = "NDArray[np.intp]"
Colours: TypeAlias = "tuple[Real, Real]"  # the least and the greatest value that each texel may have
Intervals: TypeAlias = "tuple[Real, Real, Truth]"


def allowed(row: Builtin, type: str, coord: NDArray[np.float32], freedom: Freedom) -> AllowedResults:
    """Return the acceptable results at each coordinate: one interval for each texel that may be the nearest."""
    how, dtype, colours = sampling(row, type), SCALARS[type], _colours_of(row, type, freedom.ulps)
    wanted = np.zeros(coord.shape, dtype)
    free, small = np.ones(coord.shape, np.bool_), np.zeros(coord.shape, np.bool_)
    also = wanted.copy(), wanted.copy()
    several = any(way.sampler.normalized and way.sampler.filter == "nearest" for way in how.ways)
    low, high = (np.zeros((1 << len(how.sizes) * several, *coord.shape), dtype) for _ in range(2))
    for number, way in enumerate(how.ways):
        here = reads_in_way(how, number, coord)
        found = allowed_of_image(how, type, way, places(how, coord[here]), freedom, colours)
        wanted[here], free[here], small[here] = found.wanted, found.is_free, found.is_small
        for whole, parts in zip((low, high), zip(*found.intervals, strict=True), strict=True):
            whole[:, here] = np.stack(parts)  # a filter has one interval
        for whole, part in zip(also, found.also, strict=True):
            whole[here] = part
    return AllowedResults(wanted, free, also, tuple(zip(low, high, strict=True)), is_small=small)


def allowed_of_image(  # noqa: PLR0917 - the read, the errors allowed, and the texels
    how: Sampling, type: str, way: Way, at: np.ndarray, freedom: Freedom, colours: Colours | None = None
) -> AllowedResults:
    """Return the acceptable results of one way to read any image, at coordinates where the text defines them.

    ``colours``: the colours that a read of each texel may give, if known.
    """
    colours = _colours(how, type, freedom.ulps) if colours is None else colours
    location, dtype, is_nearest = _Location.of(how, way, at), SCALARS[type], way.sampler.filter == "nearest"
    is_lossless = way.is_exact and how.type == "half_float"  # 5.3.2
    with np.errstate(all="ignore"):  # infinite texels
        if is_nearest:
            wanted = location.texel(dtype)
        else:
            wanted = reference.filtered(_texels(how), location.ends(), location.layer, dtype)
        low, high, is_free = (_nearest if is_nearest else _filtered)(location, colours, freedom)
        small = are_subnormal(wanted, format_of(wanted.dtype))
        flushed = small & (how.type == "float")  # 5.3.3
        zero = wanted.dtype.type(0)
        also = np.where(flushed, zero, wanted), np.where(flushed, -zero, wanted)
        ends = zip(*_outwards(low, high, wanted.dtype), strict=True)
        return AllowedResults(wanted, is_free, also, tuple(ends), is_small=small & (not is_lossless))


class _Location(NamedTuple):
    """Locations of reads in one way: the coordinates in texels, one array for each axis, and the layer."""

    how: Sampling
    way: Way
    u: tuple[Real, ...]
    layer: tuple[Places, ...]

    @classmethod
    def of(cls, how: Sampling, way: Way, at: np.ndarray) -> _Location:
        """Return the location of reads at the coordinates ``at``."""
        s, sampler = (np.floor(at) if way.are_ints else at).astype(np.float64), way.sampler
        u = [
            reference.in_texels(s[:, axis], size, sampler.addressing, normalized=sampler.normalized)
            for axis, size in enumerate(how.sizes)
        ]
        return cls(how, way, tuple(u), (reference.layer(s[:, -1], how.layers),) if how.is_array else ())

    def texels(self, axes: Sequence[Sequence[Places]]) -> list[tuple[Places, ...]]:
        """Return the texels at each choice of one index for each axis, in an array with a border of one texel."""
        indices = itertools.product(*([i + 1 for i in axis] for axis in reversed(axes)))
        return [(*self.layer, *index) for index in indices]

    def nearest(self, offset: float) -> list[list[Places]]:
        """Return, for each axis, the texels that are nearest to locations moved by -``offset`` and ``offset``."""
        mode = self.way.sampler.addressing
        moves = (-offset, offset) if offset else (0.0,)
        pairs = list(zip(self.u, self.how.sizes, strict=True))
        return [[reference.nearest(u + move, size, mode) for move in moves] for u, size in pairs]

    def texel(self, dtype: np.dtype) -> np.ndarray:
        """Return the nearest texels, rounded."""
        texels, (place,) = _texels(self.how), self.texels(self.nearest(0.0))
        return texels.rounded(dtype)[texels.places[place]]

    def ends(self, offset: float = 0.0) -> list[reference.Pair]:
        """Return, for each axis, the two texels that a linear filter takes."""
        mode = self.way.sampler.addressing
        return [reference.pair(u + offset, size, mode) for u, size in zip(self.u, self.how.sizes, strict=True)]


def _nearest(location: _Location, colours: Colours, freedom: Freedom) -> Intervals:
    """Return the interval of each texel that may be the nearest: several near edges, if coordinates are normalized."""
    is_normalized = location.way.sampler.normalized
    texels = location.texels(location.nearest(freedom.offset if is_normalized else 0.0))
    low, high = (np.stack([colour[texel] for texel in texels]) for colour in colours)
    if is_normalized and location.how.is_real:
        off = _reach(low, high, freedom)
        low, high = low - off, high + off
    return low, high, np.zeros(low.shape[1:], np.bool_)


def _filtered(location: _Location, colours: Colours, freedom: Freedom) -> Intervals:
    """Return the interval around the filtered texels; the result is undefined if one of them is infinite or NaN."""
    taken = location.ends()
    texels = location.texels([(axis.first, axis.second) for axis in taken])
    weights = [np.prod(w, axis=0) for w in itertools.product(*(axis.weights for axis in reversed(taken)))]
    least, most = (_weighed(colour, texels, weights) for colour in colours)
    beside = zip(location.ends(-freedom.weight), location.ends(freedom.weight), strict=True)
    around = location.texels([(below.first, below.second, above.second) for below, above in beside])
    smallest = functools.reduce(np.minimum, [colours[0][texel] for texel in around])
    largest = functools.reduce(np.maximum, [colours[1][texel] for texel in around])
    off = np.maximum(_reach(smallest, largest, freedom), freedom.weight * len(taken) * (largest - smallest))
    off = np.maximum(off, _absolute(location.how, freedom))
    low, high = least - off, most + off
    if is_srgb(location.how.order):
        low[:, :3] = np.minimum(low[:, :3], images.linear_near(least[:, :3], -freedom.srgb))
        high[:, :3] = np.maximum(high[:, :3], images.linear_near(most[:, :3], freedom.srgb))
    return low[np.newaxis], high[np.newaxis], ~(np.isfinite(smallest) & np.isfinite(largest))


def _weighed(colours: Real, texels: list[tuple[Places, ...]], weights: list[Real]) -> Real:
    """Return the sum of the colours of texels times their weights."""
    parts = (colours[texel] * weight[:, np.newaxis] for texel, weight in zip(texels, weights, strict=True))
    return functools.reduce(np.add, parts)


def _reach(low: Real, high: Real, freedom: Freedom) -> Real:
    """Return the error relative to the largest of the texels, with the addition for subnormal texels."""
    reach = np.maximum(freedom.relative * np.maximum(np.abs(low), np.abs(high)), freedom.least)
    is_small = are_subnormal(low, FLOAT) | are_subnormal(high, FLOAT)
    return np.where(np.isfinite(reach), reach + freedom.subnormal * is_small, 0.0)


def _absolute(how: Sampling, freedom: Freedom) -> Real:
    """Return the absolute error of each filtered component; for sRGB colours the error in codes replaces it."""
    found = np.full(4, freedom.absolute.get(how.type, freedom.least))
    if is_srgb(how.order):
        found[:3] = freedom.least
    return found


def _outwards(least: Real, most: Real, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    """Return an interval rounded outward to a type; a lower end of zero is -0, so that both zeros lie within."""
    form = format_of(dtype)
    if form is None:
        return least.astype(dtype), most.astype(dtype)
    return converted(np.where(least == 0.0, -0.0, least), dtype, "rtn"), converted(most, dtype, "rtp")


@functools.lru_cache(maxsize=64)
def _colours_of(row: Builtin, type: str, ulps: float) -> Colours:
    return _colours(sampling(row, type), type, ulps)


def _colours(how: Sampling, type: str, ulps: float) -> Colours:
    """Return the least and greatest colour that a read of each texel may give, surrounded by the border colour.

    The border's alpha for the order srgb, which 3.11.11 does not list, may lie between 0 and 1.
    """
    texels, form = _texels(how), format_of(SCALARS[type])
    ends = [_channel_ends(channel, form, ulps) for channel in texels.channels]
    low, high = (
        texels.components([end[side] for end in ends], border=side if how.order == "srgb" else None)[texels.places]
        for side in (0, 1)
    )
    return low, high


def _texels(how: Sampling) -> Texels:
    return Texels.of(how.data, how.type, how.order, is_array=how.is_array)


def _channel_ends(channel: Channel, form: Format | None, ulps: float) -> Colours:
    if channel.is_srgb and form is not None:
        low, high = images.linear_ends(form)
        return low[channel.stored].astype(np.float64), high[channel.stored].astype(np.float64)
    exact = channel.stored.astype(np.float64)
    if not channel.most or form is None:
        return exact, exact
    low, high = images.quotient_ends(np.maximum(exact / channel.most, -1.0), form, ulps)
    return low.astype(np.float64), high.astype(np.float64)
