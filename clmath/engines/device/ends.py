"""The end of a kernel on a device, in element arithmetic: results to encodings.

Results are rounded at once, and where that may be wrong again, with exact results found. Each of these functions takes
the parts of an enclosure, and then the format, the number of the mode and perhaps whether enclosures are wide, all of
which are known when a program is written. It returns the encoding and a condition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clmath.numbers.rounded_encodings import (
    encoded_ends,
    near_float,
    near_half,
    saturated,
    to_float,
    to_half,
    to_normal_double,
    to_plain_double,
    to_plain_float,
    to_plain_half,
    wide,
)

if TYPE_CHECKING:
    from clmath.ir.values import Integer, Real, Truth


def to_narrow(value: Real, form: str, mode: int) -> Integer:
    """Round to half or float."""
    return to_half(value, mode) if form == "half" else to_float(value, mode)


def close(value: Real, err: Real, form: str, is_wide: bool) -> Truth:
    """Whether the ends are close to numbers of half or float, or to midpoints of two, and may round apart."""
    near = near_half(value) if form == "half" else near_float(value)
    return near | wide(value, err) if is_wide else near


def at_once(*given: Any) -> tuple[Integer, Truth]:
    """Round the middle, to double if the result is normal; whether to round again."""
    *parts, form, mode, is_wide = given
    if form == "double":
        hi, lo, err, exponent = parts
        return to_normal_double(hi, lo, err, exponent, mode)
    value, err = parts
    return to_narrow(value, form, mode), close(value, err, form, is_wide) & (err > 0.0)


def plain(*given: Any) -> tuple[Integer, Truth]:
    """Round the middle in fewer steps than ``at_once``; whether to do that instead.

    True of all results that are not normal numbers, and of some decided ones near boundaries.
    """
    *parts, form, mode, is_wide = given
    if form == "double":
        hi, lo, err, exponent = parts
        return to_plain_double(hi, lo, err, exponent, mode)
    value, err = parts
    code, other = to_plain_half(value, mode) if form == "half" else to_plain_float(value, mode)
    return code, other | close(value, err, form, is_wide)


def again(*given: Any) -> tuple[Integer, Truth]:
    """Round any result; whether the ends of the enclosure round apart."""
    *parts, form, mode = given
    if form == "double":
        hi, lo, err, exponent = parts
        found, above = encoded_ends(hi, lo, err, exponent, mode)
        return found, (found != above) & (err > 0.0)
    value, err = parts
    below, above = (to_narrow(end, form, mode) for end in (value - err, value + err))
    return to_narrow(value, form, mode), (below != above) & (err > 0.0)


def settled(hi: Real, lo: Real, err: Real, exponent: Integer, mode: int) -> tuple[Integer, Truth]:  # noqa: ARG001
    """Round results to double that are zero, not finite, or far out of range; whether it is one of these."""
    return saturated(hi, exponent, mode)
