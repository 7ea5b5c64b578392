"""Results that reads and writes of image channels may give: OpenCL C++ 1.0, 5.3."""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.audit.exact.results import NOWHERE, AllowedResults, are_subnormal
from clmath.reference.bitwise import channels
from clmath.reference.bitwise.conversions import converted
from clmath.reference.bitwise.rounding import of_fractions
from clmath.spec.families import READS_PACKED, WRITES_PACKED

if TYPE_CHECKING:
    from collections.abc import Callable

    from clmath.audit.exact.exact_criteria import Calls
    from clmath.audit.exact.results import Ends
    from clmath.audit.plan.exact_item import ExactItem
    from clmath.ir.values import Real, Truth
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding
    from clmath.reference.bitwise.channels import Channels
    from clmath.spec.builtins import Builtin

__all__ = ["allowed", "channels_of", "linear_ends", "linear_near", "quotient_ends"]

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
