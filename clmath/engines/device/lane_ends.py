"""The end of a kernel on a device, in element arithmetic: results to encodings.

Results are rounded at once, and where that may be wrong again, with exact results found. Each of these functions
returns the encoding and a condition: whether to round again, and then whether the ends of the enclosure round apart.
``mode``, by its number, and ``is_wide`` are known when the device's program is written. ``PLAIN`` does the first
rounding in fewer steps for normal results: it has all others rounded again, and some decided ones near boundaries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.numbers.lane_rounding import (
    encoded_ends,
    half_value,
    near_float,
    near_half,
    to_float,
    to_half,
    to_normal_double,
    to_plain_double,
    to_plain_float,
    to_plain_half,
    wide,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clmath.callables import AnyFunction
    from clmath.ir.values import Integer, Real, Truth

__all__ = ["AGAIN", "AT_ONCE", "PLAIN", "half_value"]


def float_at_once(value: Real, err: Real, mode: int, is_wide: bool) -> tuple[Integer, Truth]:
    """Round the middle to float."""
    return to_float(value, mode), close(near_float(value), value, err, is_wide)


def half_at_once(value: Real, err: Real, mode: int, is_wide: bool) -> tuple[Integer, Truth]:
    """Round the middle to half."""
    return to_half(value, mode), close(near_half(value), value, err, is_wide)


def double_at_once(hi: Real, lo: Real, err: Real, exponent: Integer, mode: int, is_wide: bool) -> tuple[Integer, Truth]:  # noqa: ARG001, PLR0917
    """Round to double, if the result is normal."""
    return to_normal_double(hi, lo, err, exponent, mode)


def float_plain(value: Real, err: Real, mode: int, is_wide: bool) -> tuple[Integer, Truth]:
    """Round the middle to a normal float."""
    code, other = to_plain_float(value, mode)
    return code, other | near_float(value) | (wide(value, err) if is_wide else False)


def half_plain(value: Real, err: Real, mode: int, is_wide: bool) -> tuple[Integer, Truth]:
    """Round the middle to a normal half."""
    code, other = to_plain_half(value, mode)
    return code, other | near_half(value) | (wide(value, err) if is_wide else False)


def double_plain(hi: Real, lo: Real, err: Real, exponent: Integer, mode: int, is_wide: bool) -> tuple[Integer, Truth]:  # noqa: ARG001, PLR0917
    """Round to a normal double."""
    return to_plain_double(hi, lo, err, exponent, mode)


def close(near: Truth, value: Real, err: Real, is_wide: bool) -> Truth:
    """Whether the ends may round apart."""
    if is_wide:
        near = near | wide(value, err)
    return near & (err > 0.0)


def float_again(value: Real, err: Real, mode: int) -> tuple[Integer, Truth]:
    """Round the middle and both ends to float."""
    return to_float(value, mode), (to_float(value - err, mode) != to_float(value + err, mode)) & (err > 0.0)


def half_again(value: Real, err: Real, mode: int) -> tuple[Integer, Truth]:
    """Round the middle and both ends to half."""
    return to_half(value, mode), (to_half(value - err, mode) != to_half(value + err, mode)) & (err > 0.0)


def double_again(hi: Real, lo: Real, err: Real, exponent: Integer, mode: int) -> tuple[Integer, Truth]:
    """Round any result to double."""
    below, above = encoded_ends(hi, lo, err, exponent, mode)
    return below, (below != above) & (err > 0.0)


AT_ONCE: Mapping[str, AnyFunction] = {"float": float_at_once, "half": half_at_once, "double": double_at_once}
PLAIN: Mapping[str, AnyFunction] = {"float": float_plain, "half": half_plain, "double": double_plain}
AGAIN: Mapping[str, AnyFunction] = {"float": float_again, "half": half_again, "double": double_again}
