"""What sampled reads may give: OpenCL C++ 1.0, 5.1 to 5.3."""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from clmath.audit.exact import images
from clmath.audit.plan.sampled_rows import LAYERS, asked, places, sampling
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

__all__ = ["Freedom", "allowed"]

Doubles: TypeAlias = "NDArray[np.float64]"
Bools: TypeAlias = "NDArray[np.bool_]"


class Freedom(NamedTuple):
    """How far a device may be off: ``ulps`` of a channel that is read; ``filtered``, of the largest texel that is
    filtered; ``location``, in texels, where the nearest one is sought with normalized coordinates.
    """

    ulps: float
    filtered: float
    location: float


class Results(NamedTuple):
    """The preferred results, the ends between which all lie, and where any may be."""

    wanted: NDArray[Any]
    low: NDArray[Any]
    high: NDArray[Any]
    is_free: Bools


def allowed(row: Builtin, type: str, coord: NDArray[np.float32], freedom: Freedom) -> Results:
    """What a device may read."""
    how, dtype = sampling(row, type), SCALARS[type]
    wanted, low, high = (np.zeros(coord.shape, dtype) for _ in range(3))
    free = np.ones(coord.shape, np.bool_)
    for number, way in enumerate(how.ways):
        here = asked(how, number, coord)
        parts = _allowed_by(row, type, way, places(how, coord[here]), freedom)
        for whole, part in zip((wanted, low, high, free), parts, strict=True):
            whole[here] = part
    return Results(wanted, low, high, free)


def _allowed_by(row: Builtin, type: str, way: Way, at: NDArray[Any], freedom: Freedom) -> Results:
    """The same for calls in one way."""
    how, (low, high) = sampling(row, type), _colours(row, type, freedom.ulps)
    wanted = how.read(way, at, type)
    s, sizes = (np.floor(at) if way.are_ints else at).astype(np.float64), np.array(how.sizes)
    ends = [_ends(way, s[:, axis], size) for axis, size in enumerate(how.sizes)]
    if how.is_array:
        ends.append([addressing.layer(s[:, -1], LAYERS)])
    free = np.zeros(wanted.shape, np.bool_)
    if way.sampler.filter == "linear":
        corners = [np.maximum(np.abs(low[i]), np.abs(high[i])) for i in itertools.product(*reversed(ends))]
        least, most = _around(wanted, freedom.filtered * functools.reduce(np.maximum, corners))
        return Results(wanted, least, most, free)
    texel = tuple(end[0] for end in reversed(ends))
    if way.sampler.normalized:
        u = s[:, : len(sizes)] * sizes
        free |= (np.abs(u - np.rint(u)) < freedom.location).any(axis=-1)[:, np.newaxis]
    return Results(wanted, low[texel].astype(wanted.dtype), high[texel].astype(wanted.dtype), free)


def _around(wanted: NDArray[Any], reach: Doubles) -> tuple[NDArray[Any], NDArray[Any]]:
    """The ends of what is so far away; a zero at the lower end is -0, so that either zero lies within."""
    form = format_of(wanted.dtype)
    assert form is not None
    with np.errstate(all="ignore"):
        least = wanted - reach
        least[least == 0.0] = -0.0
        return narrow(least, form, "rtn"), narrow(wanted + reach, form, "rtp")


def _ends(way: Way, s: Doubles, size: int) -> list[NDArray[np.intp]]:
    """Where the texels along an axis are in an array with a border: the one that is read, or the two filtered."""
    mode = way.sampler.addressing
    u = addressing.unnormalized(s, size, mode, normalized=way.sampler.normalized)
    if way.sampler.filter == "nearest":
        return [addressing.nearest(u, size, mode) + 1]
    found = addressing.ends(u, size, mode)
    return [found.first + 1, found.second + 1]


@functools.lru_cache(maxsize=64)
def _colours(row: Builtin, type: str, ulps: float) -> tuple[Doubles, Doubles]:
    """The least and the greatest colour that a read of each texel may give, in a frame of the border colour."""
    how = sampling(row, type)
    kind, order = TYPES[how.type], ORDERS[how.order]
    texels = how.data.reshape(-1, *([] if kind.shifts else [order.stored]))
    form = format_of(SCALARS[type])
    ends = [_channel_ends(plane, form, ulps) for plane in planes_of(texels, kind, order)]
    return tuple(_framed(how, [end[side] for end in ends], side) for side in (0, 1))  # type: ignore[return-value]


def _framed(how: Sampling, channels: list[Doubles], side: int) -> Doubles:
    """Four components of each texel, in a frame of the border colour; three zeros behind a depth.

    Alpha beyond the border of srgb, which 3.11.11 does not list, is 0 on the one ``side`` and 1 on the other.
    """
    layers = [LAYERS] if how.is_array else []
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
