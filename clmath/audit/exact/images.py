"""The results that reads and writes of image channels may give: OpenCL C++ 1.0, 5.3."""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

import clmath
from clmath.direct.channels import SRGB_RATIONAL, linear
from clmath.numbers.formats import FLOAT
from clmath.numbers.rounding import narrow, round_real
from clmath.spec.families import READS_PACKED, is_told, packed_by

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from clmath.audit.plan.exact_item import ExactItem
    from clmath.direct.texels import ChannelType
    from clmath.numbers.formats import Format

__all__ = ["Allowed", "allowed", "linear_ends", "linear_near", "packed_ends", "quotient_ends"]

Bools: TypeAlias = "NDArray[np.bool_]"
Ends: TypeAlias = "tuple[np.ndarray, np.ndarray]"
Between: TypeAlias = "Callable[[np.ndarray, Format], Ends]"
Rule: TypeAlias = "Callable[[ExactItem, np.ndarray], Allowed]"

WRITTEN = Fraction("0.6")  # how far a stored integer may be from the exact product
SRGB_READ = Fraction("0.5")
CODES = 256
ALPHA = 3  # the index of alpha among the channels


class Allowed(NamedTuple):
    """The preferred results; others that are allowed, or the ends of their interval; where any result is allowed."""

    wanted: np.ndarray
    also: tuple[np.ndarray, ...]
    ends: Ends | None
    is_free: Bools


def allowed(item: ExactItem, x: np.ndarray, ulps: float, *, saturates: bool = False) -> Allowed:
    """The results that a device may give for the stored or written numbers ``x``, by the table's rule for the row.

    ``ulps``: how far the read of a normalized integer may be off. ``saturates``: whether the write of an infinity or
    NaN to one must saturate; else it may give anything.
    """
    rule = item.builtin.rule
    found = _READS[rule](item, x, ulps) if rule in _READS else _RULES[rule](item, x)
    return found._replace(is_free=np.zeros_like(found.is_free)) if saturates else found


def _preferred(item: ExactItem, x: np.ndarray, **keywords: object) -> np.ndarray:
    """The preferred result, correctly rounded, which clmath gives."""
    function = getattr(clmath, item.builtin.name)
    typed = () if is_told(item.builtin) else (item.result.name,)
    found = function(x, *typed, **keywords)
    return np.asarray(found)


def _certain(wanted: np.ndarray, *also: np.ndarray) -> Allowed:
    return Allowed(wanted, also, None, np.zeros(wanted.shape, np.bool_))


def _same(item: ExactItem, x: np.ndarray) -> Allowed:
    return _certain(_preferred(item, x))


def _read_normalized(item: ExactItem, x: np.ndarray, ulps: float) -> Allowed:
    """The read of a normalized integer: within ``ulps``; the ends of the range and 0 are exact."""
    return _between(item, x, _quotient_ends(x, item.result, ulps))


def _read_packed(item: ExactItem, x: np.ndarray, ulps: float) -> Allowed:
    """The same of each channel of a word."""
    type = packed_by(item.builtin)
    assert type is not None  # by its rule
    pairs = zip(type.channels, type.shifts, strict=True)
    exact = np.stack([(x >> shift & channel.most) / np.float64(channel.most) for channel, shift in pairs], axis=-1)
    return _between(item, x, quotient_ends(exact, item.result, ulps))


def _between(item: ExactItem, x: np.ndarray, ends: Ends) -> Allowed:
    wanted = _preferred(item, x)
    return Allowed(wanted, (), ends, np.zeros(wanted.shape, np.bool_))


def _quotient_ends(x: np.ndarray, form: Format, ulps: float) -> Ends:
    """The ends for the quotient code / most, which double rounds without harm.

    It is no dyadic fraction, so that every number and midpoint is far more than 2^-53 of it away.
    """
    return quotient_ends(np.maximum(x.astype(np.float64) / np.iinfo(x.dtype).max, -1.0), form, ulps)


def quotient_ends(exact: NDArray[np.float64], form: Format, ulps: float) -> Ends:
    """The interval of ``ulps`` about a normalized integer; -1, 0 and 1 are exact."""
    unit = np.ldexp(1.0, np.maximum(np.frexp(exact)[1] - form.precision, form.quantum))
    reach = np.where(np.isin(exact, (-1.0, 0.0, 1.0)), 0.0, ulps) * unit
    return narrow(exact - reach, form, "rtp"), narrow(exact + reach, form, "rtn")


def _write_normalized(item: ExactItem, x: np.ndarray) -> Allowed:
    """The integers that are at most 0.6 from the product."""
    return _between(item, x, _product_ends(x, item.result))._replace(is_free=~np.isfinite(x))


def _product_ends(x: np.ndarray, type: Format) -> Ends:
    """Double holds the product; none is so near to k + 0.6 that it matters. NaN becomes 0."""
    info = np.iinfo(type.dtype)
    product = np.clip(_without_nan(x) * info.max, info.min, info.max)
    low, high = np.ceil(product - float(WRITTEN)), np.floor(product + float(WRITTEN))
    return np.maximum(low, info.min).astype(type.dtype), np.minimum(high, info.max).astype(type.dtype)


def _without_nan(x: np.ndarray) -> NDArray[np.float64]:
    """The numbers, and 0 for NaN."""
    return np.where(np.isnan(x), 0.0, x).astype(np.float64)


def packed_ends(type: ChannelType, colors: np.ndarray, *, saturates: bool) -> Ends:
    """The least and the greatest number of each channel of the word that a write of ``colors`` may store.

    What is not finite may become anything, unless it ``saturates``.
    """
    most, free = np.array([channel.most for channel in type.channels], np.float64), ~(np.isfinite(colors) | saturates)
    product = np.clip(_without_nan(colors) * most, 0.0, most)
    low = np.ceil(product - float(WRITTEN)).clip(0.0, most)
    high = np.floor(product + float(WRITTEN)).clip(0.0, most)
    return np.where(free, 0.0, low).astype(np.int64), np.where(free, most, high).astype(np.int64)


def _write_half(item: ExactItem, x: np.ndarray) -> Allowed:
    """Rounded to nearest even or toward zero, and subnormal results may be flushed; a half stays as it is."""
    if item.form is item.result:
        return _same(item, x)
    nearest, cut = _preferred(item, x), _preferred(item, x, rounding="rtz")
    return _certain(nearest, cut, *_zeros(nearest, item.result), *_zeros(cut, item.result))


def _float(item: ExactItem, x: np.ndarray) -> Allowed:
    """The same number; a subnormal one may be flushed."""
    same = _preferred(item, x)
    return _certain(same, *_zeros(same, item.result))


def _zeros(values: np.ndarray, form: Format) -> tuple[np.ndarray, np.ndarray]:
    """The values with zeros of either sign instead of subnormal numbers."""
    small = (np.abs(values) < form.smallest_normal) & (values != 0)
    zero = form.dtype.type(0)
    return np.where(small, zero, values), np.where(small, -zero, values)


def _read_srgb(item: ExactItem, x: np.ndarray) -> Allowed:
    return _between(item, x, _colours_read(x, item.result))


def _colours_read(x: np.ndarray, form: Format) -> Ends:
    low, high = linear_ends(form)
    return low[x], high[x]


def _write_srgb(item: ExactItem, x: np.ndarray) -> Allowed:
    return _between(item, x, _colours_written(x, item.result))


def _colours_written(x: np.ndarray, type: Format) -> Ends:
    """The codes within 0.6 of 255 c_sRGB(x), which is 0 for NaN; what a half is in float is exact."""
    wide = np.where(np.isnan(x), 0.0, x).astype(np.float32)
    greatest, least = _code_ends()
    low = np.searchsorted(greatest, wide, side="left").clip(0, CODES - 1)
    return low.astype(type.dtype), np.searchsorted(least, wide, side="right").astype(type.dtype)


def _read_srgba(item: ExactItem, x: np.ndarray, ulps: float) -> Allowed:
    alpha = functools.partial(_quotient_ends, ulps=ulps)
    return _between(item, x, _with_alpha(_colours_read, alpha, x, item.result))


def _write_srgba(item: ExactItem, x: np.ndarray) -> Allowed:
    """An infinite alpha, or one that is NaN, may become anything, as in channels that are not sRGB."""
    free = ~np.isfinite(x) & (np.arange(x.shape[-1]) == ALPHA)
    return _between(item, x, _with_alpha(_colours_written, _product_ends, x, item.result))._replace(is_free=free)


def _with_alpha(colours: Between, alpha: Between, x: np.ndarray, type: Format) -> Ends:
    """The ends of red, green and blue by one rule, those of alpha, which is linear, by the other."""
    parts = colours(x[..., :ALPHA], type), alpha(x[..., ALPHA:], type)
    low, high = (np.concatenate(ends, axis=-1) for ends in zip(*parts, strict=True))
    return low, high


def linear_near(colours: NDArray[np.float64], codes: float) -> NDArray[np.float64]:
    """Return linear colours moved by ``codes`` sRGB codes, within 0 to 1."""
    srgb = np.where(colours < 0.0031308, 12.92 * colours, 1.055 * np.maximum(colours, 0.0) ** (1 / 2.4) - 0.055)
    moved = np.clip(srgb + codes / 255.0, 0.0, 1.0)
    return np.where(moved <= float(SRGB_RATIONAL), moved / 12.92, ((moved + 0.055) / 1.055) ** 2.4)


@functools.cache
def linear_ends(form: Format) -> Ends:
    """The least and the greatest number of the format that a read may give for each code: 0 and 1 for the ends."""
    inner = range(1, CODES - 1)
    low = [round_real(linear((code - SRGB_READ) / 255), form, "rtp") for code in inner]
    high = [round_real(linear((code + SRGB_READ) / 255), form, "rtn") for code in inner]
    return tuple(np.array([0.0, *of_inner, 1.0], form.dtype) for of_inner in (low, high))  # type: ignore[return-value]


@functools.cache
def _code_ends() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The greatest float that may become each code but the last one, the least that may become each but the first."""
    greatest = [round_real(linear((code + WRITTEN) / 255), FLOAT, "rtn") for code in range(CODES - 1)]
    least = [round_real(linear((code - WRITTEN) / 255), FLOAT, "rtp") for code in range(1, CODES)]
    return np.array(greatest), np.array(least)


_READS: dict[str, Callable[[ExactItem, np.ndarray, float], Allowed]] = {
    "read normalized": _read_normalized,
    READS_PACKED: _read_packed,
    "read srgba": _read_srgba,
}
_RULES: dict[str, Rule] = {
    "write normalized": _write_normalized,
    "the same": _same,
    "read the same": _same,
    "write half": _write_half,
    "float": _float,
    "read srgb": _read_srgb,
    "write srgb": _write_srgb,
    "write srgba": _write_srgba,
}
