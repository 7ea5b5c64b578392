"""The results that reads with a sampler may give: OpenCL C++ 1.0, 5.1 to 5.3."""

from __future__ import annotations

import functools
import itertools
import math
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from clmath.audit.exact import images
from clmath.audit.plan.sampled_rows import places, reads_in_way, sampling
from clmath.direct import addressing
from clmath.direct.texels import ORDERS, TYPES, planes_of
from clmath.numbers.datatypes import SCALARS
from clmath.numbers.formats import format_of
from clmath.numbers.rounding import narrow

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.audit.plan.sampled_rows import Sampling, Way
    from clmath.direct.texels import Plane
    from clmath.numbers.formats import Format
    from clmath.spec.builtins import Builtin

__all__ = ["Freedom", "Results", "allowed", "allowed_of_image"]

Doubles: TypeAlias = "NDArray[np.float64]"
Bools: TypeAlias = "NDArray[np.bool_]"


class Freedom(NamedTuple):
    """How far a device may be off: ``ulps`` of a channel that is read; ``filtered``, of the largest texel that is
    filtered, or as far as weights do that are off by ``weight``, beyond what the texels themselves are off;
    ``location``, in texels, where the nearest one is sought with normalized coordinates: near the end of a texel it may
    be either of two.
    """

    ulps: float
    filtered: float
    weight: float
    location: float


class Results(NamedTuple):
    """The preferred results, the ends of the interval of allowed results, and where any result is allowed."""

    wanted: NDArray[Any]
    low: NDArray[Any]
    high: NDArray[Any]
    is_free: Bools


def allowed(row: Builtin, type: str, coord: NDArray[np.float32], freedom: Freedom) -> Results:
    """The results that a device may read at each coordinate."""
    how, dtype, colours = sampling(row, type), SCALARS[type], _colours_of(row, type, freedom.ulps)
    wanted, low, high = (np.zeros(coord.shape, dtype) for _ in range(3))
    free = np.ones(coord.shape, np.bool_)
    for number, way in enumerate(how.ways):
        here = reads_in_way(how, number, coord)
        parts = _allowed_by(how, type, way, places(how, coord[here]), colours, freedom)
        for whole, part in zip((wanted, low, high, free), parts, strict=True):
            whole[here] = part
    return Results(wanted, low, high, free)


def allowed_of_image(how: Sampling, type: str, way: Way, at: NDArray[Any], freedom: Freedom) -> Results:
    """The results that a read of any image may give in one way at coordinates where the text defines it."""
    return _allowed_by(how, type, way, at, _colours(how, type, freedom.ulps), freedom)


def _allowed_by(  # noqa: PLR0917 - what is read, how, and how far it may be off
    how: Sampling, type: str, way: Way, at: NDArray[Any], colours: tuple[Doubles, Doubles], freedom: Freedom
) -> Results:
    """The results of calls that all read in one way."""
    low, high = colours
    wanted = how.read(way, at, type)
    s = (np.floor(at) if way.are_ints else at).astype(np.float64)
    axes = [_ends(way, s[:, axis], size, freedom.location) for axis, size in enumerate(how.sizes)]
    if how.is_array:
        axes.append([(addressing.layer(s[:, -1], how.layers), 1.0)])
    taken = [list(zip(*ends, strict=True)) for ends in itertools.product(*reversed(axes))]
    texels, weights = [texel for texel, _ in taken], [math.prod(shares) for _, shares in taken]
    smallest = functools.reduce(np.minimum, [low[texel] for texel in texels])
    largest = functools.reduce(np.maximum, [high[texel] for texel in texels])
    free = np.zeros(wanted.shape, np.bool_)
    if way.sampler.filter == "nearest":
        return Results(wanted, smallest.astype(wanted.dtype), largest.astype(wanted.dtype), free)
    least, most = (_weighed(colour, texels, weights) for colour in colours)
    reach = freedom.filtered * np.maximum(np.abs(smallest), np.abs(largest))
    off = np.maximum(reach, freedom.weight * len(how.sizes) * (largest - smallest))
    return Results(wanted, *_outwards(least - off, most + off, wanted.dtype), free)


def _weighed(colours: Doubles, texels: list[Any], weights: list[Any]) -> Doubles:
    """What a filter makes of the colours of texels."""
    parts = (colours[texel] * np.reshape(weight, (-1, 1)) for texel, weight in zip(texels, weights, strict=True))
    return functools.reduce(np.add, parts)


def _outwards(least: Doubles, most: Doubles, dtype: np.dtype[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The numbers of a type next to those of an interval; a lower end of zero is -0, so that both zeros lie within."""
    form = format_of(dtype)
    assert form is not None
    with np.errstate(all="ignore"):
        return narrow(np.where(least == 0.0, -0.0, least), form, "rtn"), narrow(most, form, "rtp")


def _ends(way: Way, s: Doubles, size: int, location: float) -> list[tuple[NDArray[np.intp], Any]]:
    """Where the texels along an axis are in an array with a border, and their weights: the two filtered, or that read.

    With normalized coordinates that may be either of two next to each other, where the location is ``location`` off.
    """
    mode, is_normalized = way.sampler.addressing, way.sampler.normalized
    u = addressing.unnormalized(s, size, mode, normalized=is_normalized)
    if way.sampler.filter == "nearest":
        offs = (-location, location) if is_normalized else (0.0,)
        return [(addressing.nearest(u + off, size, mode) + 1, 1.0) for off in offs]
    found = addressing.ends(u, size, mode)
    return list(zip((found.first + 1, found.second + 1), found.weights(), strict=True))


@functools.lru_cache(maxsize=64)
def _colours_of(row: Builtin, type: str, ulps: float) -> tuple[Doubles, Doubles]:
    return _colours(sampling(row, type), type, ulps)


def _colours(how: Sampling, type: str, ulps: float) -> tuple[Doubles, Doubles]:
    """The least and the greatest colour that a read of each texel may give, with texels of the border colour around."""
    kind, order = TYPES[how.type], ORDERS[how.order]
    texels = how.data.reshape(-1, *([] if kind.shifts else [order.stored]))
    form = format_of(SCALARS[type])
    ends = [_channel_ends(plane, form, ulps) for plane in planes_of(texels, kind, order)]
    return tuple(_framed(how, [end[side] for end in ends], side) for side in (0, 1))  # type: ignore[return-value]


def _framed(how: Sampling, channels: list[Doubles], side: int) -> Doubles:
    """The four components of each texel, with texels of the border colour around; after a depth, three are 0.

    Alpha beyond the border of srgb, which 3.11.11 does not list, is 0 on the one ``side`` and 1 on the other.
    """
    layers = [how.layers] if how.is_array else []
    frame = np.zeros((*layers, *(size + 2 for size in reversed(how.sizes)), 4))
    inside = frame[(*([slice(None)] * how.is_array), *([slice(1, -1)] * len(how.sizes)))]
    order, components = ORDERS[how.order], ORDERS[how.order].components
    if len(components) > 1:
        frame[..., 3] = side if how.order == "srgb" else order.border
        inside[..., 3] = 1.0
    for number, component in enumerate(components):
        if component is not None:
            frame[..., number] = 0.0
            inside[..., number] = channels[component].reshape(inside.shape[:-1])
    return frame


def _channel_ends(plane: Plane, form: Format | None, ulps: float) -> tuple[Doubles, Doubles]:
    places = np.arange(plane.stored.size)
    if plane.is_srgb and form is not None:
        low, high = images.linear_ends(form)
        return low[plane.stored].astype(np.float64), high[plane.stored].astype(np.float64)
    exact = plane.numerators(places).astype(np.float64) / plane.divisor
    if plane.divisor == 1 or form is None:
        return exact, exact
    low, high = images.quotient_ends(exact, form, ulps)
    return low.astype(np.float64), high.astype(np.float64)
