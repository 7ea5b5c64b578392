"""Results that reads and writes of images may give: of channels, and through samplers (OpenCL C++ 1.0, 5.1 to 5.3)."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from clmath.audit.exact.exact_criteria import NOWHERE, AllowedResults, Calls, Ends, Freedom, are_subnormal
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.sampled_rows import Sampling, Way, places, reads_in_way, sampling
from clmath.ir.values import Real, Truth
from clmath.numbers.datatypes import SCALARS
from clmath.numbers.formats import FLOAT, Format, format_of
from clmath.numbers.rounding import Rounding
from clmath.reference.bitwise import channels
from clmath.reference.bitwise import sampling as reference
from clmath.reference.bitwise.channels import Channels
from clmath.reference.bitwise.conversions import converted
from clmath.reference.bitwise.rounding import of_fractions
from clmath.reference.bitwise.texels import Channel, Texels, is_srgb
from clmath.spec.builtins import Builtin
from clmath.spec.families import READS_PACKED, WRITES_PACKED

Found: TypeAlias = "tuple[np.ndarray, np.ndarray, np.ndarray]"
"""The preferred results, and the ends of the interval of those that are allowed."""
Between: TypeAlias = "Callable[[np.ndarray, Format], Found]"
Rule: TypeAlias = "Callable[[ExactItem, np.ndarray, float], AllowedResults]"

WRITTEN = 0.6  # the largest distance of a stored integer from the exact product
SRGB_READ = Fraction("0.5")
ALPHA = 3  # the index of alpha among the channels


def allowed(calls: Calls) -> AllowedResults:
    """Return the acceptable results for the stored or written numbers, by the table's rule for the row.

    A write of an infinity or NaN to normalized integers may give anything, unless it must saturate.
    """
    item, (x,), criteria = calls.item, calls.args, calls.criteria
    if item.builtin.rule == WRITES_PACKED:
        return _write_packed(item, x, saturates=criteria.saturates_writes)
    found = _RULES[item.builtin.rule](item, x, criteria.ulps_of_reads(item))
    return found._replace(is_free=NOWHERE) if criteria.saturates_writes else found


def channels_of(row: Builtin) -> Channels:
    """Return the channels of the words that a built-in reads or writes."""
    return channels.PACKED[row.name.partition("_")[2]]


def _converted(item: ExactItem, x: np.ndarray, mode: Rounding = "rte") -> np.ndarray:
    return converted(x, item.result.dtype, mode, sat=True)


def _between(found: Found, is_free: Truth = NOWHERE) -> AllowedResults:
    """Return that results must lie in an interval, unless they are unspecified."""
    wanted, *ends = found
    return AllowedResults(wanted, is_free, intervals=((ends[0], ends[1]),))


def _read_packed(item: ExactItem, x: np.ndarray, ulps: float) -> AllowedResults:
    """Return the results of a read of each channel of a word, within ``ulps``."""
    fields = channels_of(item.builtin)
    exact = channels.unpacked(x, fields) / np.array([most for most, _ in fields], np.float64)
    return _between((channels.of_packed(x, fields, item.result), *quotient_ends(exact, item.result, ulps)))


def _write_packed(item: ExactItem, x: np.ndarray, *, saturates: bool) -> AllowedResults:
    """Return the words of channels, each near the exact product; bits outside of all channels may have any value."""
    fields = channels_of(item.builtin)
    most = np.array([most for most, _ in fields], np.float64)
    free, (near, far) = ~(np.isfinite(x) | saturates), _codes_near(x, 0.0, most)
    low, high = np.where(free, 0.0, near), np.where(free, most, far)

    def is_another(got: np.ndarray) -> Truth:
        codes = channels.unpacked(got, fields)
        return np.asarray(((codes >= low) & (codes <= high)).all(axis=-1))

    others = "other codes of a channel within 0.6 of the exact number" if (low != high).any() else ""
    return AllowedResults(channels.to_packed(x, fields, item.result.dtype), is_another=is_another, others=others)


def _quotients(x: np.ndarray, form: Format, ulps: float) -> Found:
    """Return the quotients code / most within ``ulps``; the ends of the range and 0 are exact.

    Rounding quotients to double does no harm: a quotient is not a dyadic fraction, and is far more than 2^-53 of itself
    away from every number and midpoint of the format.
    """
    most = int(np.iinfo(x.dtype).max)
    exact = np.maximum(x.astype(np.float64) / most, -1.0)
    return channels.of_normalized(x, most, form), *quotient_ends(exact, form, ulps)


def quotient_ends(exact: Real, form: Format, ulps: float) -> Ends:
    """Return the interval of ``ulps`` about a normalized integer; -1, 0 and 1 are exact."""
    unit = np.ldexp(1.0, np.maximum(np.frexp(exact)[1] - form.precision, form.quantum))
    reach = np.where(np.isin(exact, (-1.0, 0.0, 1.0)), 0.0, ulps) * unit
    return converted(exact - reach, form.dtype, "rtp"), converted(exact + reach, form.dtype, "rtn")


def _products(x: np.ndarray, type: Format) -> Found:
    """Return the codes near the product of a colour and the greatest code."""
    info = np.iinfo(type.dtype)
    codes = channels.to_normalized(x, int(info.min), int(info.max)), *_codes_near(x, info.min, info.max)
    wanted, low, high = (code.astype(type.dtype) for code in codes)
    return wanted, low, high


def _codes_near(x: np.ndarray, least: float, most: Real | float) -> tuple[Real, Real]:
    """Return the least and the greatest code at most 0.6 from the product of a colour and ``most``; NaN becomes 0.

    The product is computed in double; no product is close enough to k + 0.6 for rounding to matter.
    """
    product = np.clip(_without_nan(x) * most, least, most)
    return np.maximum(np.ceil(product - WRITTEN), least), np.minimum(np.floor(product + WRITTEN), most)


def _without_nan(x: np.ndarray) -> Real:
    """Return the numbers, with 0 in place of NaN."""
    return np.where(np.isnan(x), 0.0, x).astype(np.float64)


def _write_half(item: ExactItem, x: np.ndarray, _: float) -> AllowedResults:
    """Return numbers rounded to nearest even or toward zero, with subnormal ones flushed or not; a half is kept."""
    if item.form is item.result:
        return AllowedResults(_converted(item, x))
    return _with_zeros(_converted(item, x), _converted(item, x, "rtz"), form=item.result)


def _with_zeros(*values: np.ndarray, form: Format) -> AllowedResults:
    """Return that results must be one of several values, or a zero of either sign instead of a subnormal one."""
    zero = form.dtype.type(0)
    zeros = (np.where(are_subnormal(v, form), end, v) for v in values for end in (zero, -zero))
    return AllowedResults(values[0], also=(*values[1:], *zeros))


def _colours_read(x: np.ndarray, form: Format) -> Found:
    low, high = linear_ends(form)
    return channels.of_srgb(x, form), low[x], high[x]


def _colours_written(x: np.ndarray, type: Format) -> Found:
    """Return the codes within 0.6 of 255 c_sRGB(x), which is 0 for NaN; a half is converted to float exactly."""
    wide = _without_nan(x).astype(np.float32)
    greatest = channels.floats_below_codes(Fraction("0.4"), "rtn")  # the greatest that may become the code before
    least = channels.floats_below_codes(Fraction("0.6"), "rtp")
    low, high = np.searchsorted(greatest, wide, side="left"), np.searchsorted(least, wide, side="right")
    return channels.to_srgb(x).astype(type.dtype), low.astype(type.dtype), high.astype(type.dtype)


def _write_srgba(item: ExactItem, x: np.ndarray, _: float) -> AllowedResults:
    """Return the results of a write; an alpha that is infinite or NaN may become anything, as in linear channels."""
    free = ~np.isfinite(x) & (np.arange(x.shape[-1]) == ALPHA)
    return _between(_with_alpha(_colours_written, _products, x, item.result), free)


def _with_alpha(colours: Between, alpha: Between, x: np.ndarray, type: Format) -> Found:
    """Return red, green and blue by one rule, and alpha, which is linear, by the other."""
    parts = colours(x[..., :ALPHA], type), alpha(x[..., ALPHA:], type)
    wanted, low, high = (np.concatenate(both, axis=-1) for both in zip(*parts, strict=True))
    return wanted, low, high


def linear_near(colours: Real, codes: float) -> Real:
    """Return linear colours moved by ``codes`` sRGB codes, within 0 to 1."""
    srgb = np.where(colours < 0.0031308, 12.92 * colours, 1.055 * np.maximum(colours, 0.0) ** (1 / 2.4) - 0.055)
    moved = np.clip(srgb + codes / 255.0, 0.0, 1.0)
    return np.where(moved <= 0.04045, moved / 12.92, ((moved + 0.055) / 1.055) ** 2.4)


@functools.cache
def linear_ends(form: Format) -> Ends:
    """Return the least and greatest number that a read may give for each code; the first and last code are exact."""
    inner = range(1, channels.CODES - 1)
    low = of_fractions(channels.linear_colour(code - SRGB_READ) for code in inner).in_format(form, "rtp")
    high = of_fractions(channels.linear_colour(code + SRGB_READ) for code in inner).in_format(form, "rtn")
    return tuple(np.array([0.0, *of_inner, 1.0], form.dtype) for of_inner in (low, high))  # type: ignore[return-value]


def _same(item: ExactItem, x: np.ndarray, _: float) -> AllowedResults:
    return AllowedResults(_converted(item, x))


_RULES: dict[str, Rule] = {
    "the same": _same,
    "read the same": _same,
    "read normalized": lambda item, x, ulps: _between(_quotients(x, item.result, ulps)),
    READS_PACKED: _read_packed,
    "read srgb": lambda item, x, _: _between(_colours_read(x, item.result)),
    "read srgba": lambda item, x, ulps: _between(
        _with_alpha(_colours_read, functools.partial(_quotients, ulps=ulps), x, item.result)
    ),
    "write normalized": lambda item, x, _: _between(_products(x, item.result), ~np.isfinite(x)),
    "write half": _write_half,
    "write srgb": lambda item, x, _: _between(_colours_written(x, item.result)),
    "write srgba": _write_srgba,
    "float": lambda item, x, _: _with_zeros(_converted(item, x), form=item.result),  # subnormals may be flushed
}


Places: TypeAlias = "NDArray[np.intp]"
Colours: TypeAlias = "tuple[Real, Real]"  # the least and the greatest value that each texel may have
Intervals: TypeAlias = "tuple[Real, Real, Truth]"


def allowed_reads(row: Builtin, type: str, coord: NDArray[np.float32], freedom: Freedom) -> AllowedResults:
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
        low[:, :3] = np.minimum(low[:, :3], linear_near(least[:, :3], -freedom.srgb))
        high[:, :3] = np.maximum(high[:, :3], linear_near(most[:, :3], freedom.srgb))
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
        low, high = linear_ends(form)
        return low[channel.stored].astype(np.float64), high[channel.stored].astype(np.float64)
    exact = channel.stored.astype(np.float64)
    if not channel.most or form is None:
        return exact, exact
    low, high = quotient_ends(np.maximum(exact / channel.most, -1.0), form, ulps)
    return low.astype(np.float64), high.astype(np.float64)
