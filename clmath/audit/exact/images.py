"""What reads and writes of image channels may give: OpenCL C++ 1.0, 5.3."""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

import clmath
from clmath.direct.channels import linear
from clmath.numbers.formats import FLOAT
from clmath.numbers.rounding import narrow, round_real

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from clmath.audit.exact.rows import ExactItem
    from clmath.numbers.formats import Format

__all__ = ["Allowed", "allowed"]

Bools: TypeAlias = "NDArray[np.bool_]"

READ = 1.5  # ulp
WRITTEN = Fraction("0.6")  # of a stored integer
SRGB_READ = Fraction("0.5")
CODES = 256


class Allowed(NamedTuple):
    """The preferred results; others; or the ends between which all lie; and where any may be."""

    wanted: NDArray[Any]
    also: tuple[NDArray[Any], ...]
    ends: tuple[NDArray[Any], NDArray[Any]] | None
    is_free: Bools


def allowed(item: ExactItem, x: NDArray[Any]) -> Allowed:
    """What a device may give for the stored or written numbers ``x``, by the rule that the table names."""
    return _RULES[item.builtin.rule](item, x)


def _preferred(item: ExactItem, x: NDArray[Any], **keywords: Any) -> NDArray[Any]:
    """What clmath gives, which is the preferred result, correctly rounded."""
    function = getattr(clmath, item.builtin.name)
    typed = (item.result.name,) if item.builtin.rule.startswith("read") else ()
    found = function(x, *typed, **keywords)
    return np.asarray(found)


def _certain(wanted: NDArray[Any], *also: NDArray[Any]) -> Allowed:
    return Allowed(wanted, also, None, np.zeros(wanted.shape, np.bool_))


def _same(item: ExactItem, x: NDArray[Any]) -> Allowed:
    return _certain(_preferred(item, x))


def _read_normalized(item: ExactItem, x: NDArray[Any]) -> Allowed:
    """Within 1.5 ulp; the ends of the range and 0 are exact.

    The quotient is no dyadic fraction, and so much farther than 2^-53 of it from every number and midpoint.
    """
    form, most = item.result, np.iinfo(x.dtype).max
    exact = np.maximum(x.astype(np.float64) / most, -1.0)
    unit = np.ldexp(1.0, np.maximum(np.frexp(exact)[1] - form.precision, form.quantum))
    reach = np.where(np.isin(exact, (-1.0, 0.0, 1.0)), 0.0, READ) * unit
    ends = narrow(exact - reach, form, "rtp"), narrow(exact + reach, form, "rtn")
    wanted = _preferred(item, x)
    return Allowed(wanted, (), ends, np.zeros(wanted.shape, np.bool_))


def _write_normalized(item: ExactItem, x: NDArray[Any]) -> Allowed:
    """The integers within 0.6 of the product, which double holds; no product is so near to k + 0.6 that it matters."""
    info = np.iinfo(item.result.dtype)
    product = np.clip(x.astype(np.float64) * info.max, info.min, info.max)
    low, high = np.ceil(product - float(WRITTEN)), np.floor(product + float(WRITTEN))
    free = ~np.isfinite(x)
    ends = _stored(np.maximum(low, info.min), free, item.result), _stored(np.minimum(high, info.max), free, item.result)
    return Allowed(_preferred(item, x), (), ends, np.asarray(free))


def _stored(values: NDArray[Any], free: Bools, type: Format) -> NDArray[Any]:
    return np.where(free, 0.0, values).astype(type.dtype)


def _write_half(item: ExactItem, x: NDArray[Any]) -> Allowed:
    """Rounded to nearest even or toward zero; subnormal results may be flushed."""
    nearest, cut = _preferred(item, x), _preferred(item, x, rounding="rtz")
    return _certain(nearest, cut, *_zeros(nearest, item.result), *_zeros(cut, item.result))


def _float(item: ExactItem, x: NDArray[Any]) -> Allowed:
    """The same number; subnormal ones may be flushed."""
    same = _preferred(item, x)
    return _certain(same, *_zeros(same, item.result))


def _zeros(values: NDArray[Any], form: Format) -> tuple[NDArray[Any], NDArray[Any]]:
    """The values with zeros of either sign in the place of subnormal ones."""
    small = (np.abs(values) < form.smallest_normal) & (values != 0)
    zero = form.dtype.type(0)
    return np.where(small, zero, values), np.where(small, -zero, values)


def _read_srgb(item: ExactItem, x: NDArray[Any]) -> Allowed:
    low, high = _linear_ends(item.result)
    wanted = _preferred(item, x)
    return Allowed(wanted, (), (low[x], high[x]), np.zeros(wanted.shape, np.bool_))


def _write_srgb(item: ExactItem, x: NDArray[Any]) -> Allowed:
    """The codes within 0.6 of 255 c_sRGB(x), which is 0 for NaN; what a half is in float is exact."""
    wide = np.where(np.isnan(x), 0.0, x).astype(np.float32)
    greatest, least = _code_ends()
    low = np.searchsorted(greatest, wide, side="left").clip(0, CODES - 1)
    high = np.searchsorted(least, wide, side="right")
    wanted = _preferred(item, x)
    ends = low.astype(wanted.dtype), high.astype(wanted.dtype)
    return Allowed(wanted, (), ends, np.zeros(wanted.shape, np.bool_))


@functools.cache
def _linear_ends(form: Format) -> tuple[NDArray[Any], NDArray[Any]]:
    """The least and the greatest number of the format that a read may give for each code."""
    low = [round_real(linear(max(code - SRGB_READ, Fraction(0)) / 255), form, "rtp") for code in range(CODES)]
    high = [round_real(linear(min(code + SRGB_READ, Fraction(255)) / 255), form, "rtn") for code in range(CODES)]
    return np.array(low), np.array(high)


@functools.cache
def _code_ends() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The greatest float that may become each code but the last one, the least that may become each but the first."""
    greatest = [round_real(linear((code + WRITTEN) / 255), FLOAT, "rtn") for code in range(CODES - 1)]
    least = [round_real(linear((code - WRITTEN) / 255), FLOAT, "rtp") for code in range(1, CODES)]
    return np.array(greatest), np.array(least)


_RULES: dict[str, Callable[[ExactItem, NDArray[Any]], Allowed]] = {
    "read normalized": _read_normalized,
    "write normalized": _write_normalized,
    "the same": _same,
    "read the same": _same,
    "write half": _write_half,
    "float": _float,
    "read srgb": _read_srgb,
    "write srgb": _write_srgb,
}
