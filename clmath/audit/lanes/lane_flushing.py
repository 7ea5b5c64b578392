"""Which results pass only because a device may flush subnormal numbers (OpenCL C++ 1.0, 4.5.3), in lane arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.audit.lanes.lane_errors import Error
    from clmath.audit.lanes.lane_limits import Allowed
    from clmath.ir.values import Integer, Pair
    from clmath.numbers.formats import Format

__all__ = ["differs_in_kind", "fails", "is_flushed"]

INWARD = 1.0 - 2.0**-20  # factor: a value below this share of a number is below the number before it is rounded, too


def fails(got: Any, rounded: Any, error: Error, allowed: Allowed, form: Format) -> Any:
    """Where a limit certainly refuses a result, unless both it and the correct one are zeros; for narrow formats.

    ``rounded``: the correctly rounded result.
    """
    size = got & form.magnitude
    beyond = (error.least > allowed.error * 1.001 + 1.0) | (allowed.error <= 0.0)  # the latter asks for what is rounded
    both_zero = (size | (rounded & form.magnitude)) == 0
    return (size <= form.infinite) & beyond & ~both_zero & ~allowed.may_give & (got != rounded)


def differs_in_kind(value: Any, got: Any, brought: Any, form: Format) -> Any:
    """Where NaN is returned for a number, or a number for NaN. ``brought``: whether an argument is a signaling NaN."""
    is_nan = (got & form.magnitude) > form.infinite
    return (is_nan & (value == value) & ~brought) | (~is_nan & (value != value))


def is_flushed(args: Sequence[Any], got: Integer, due: Pair, form: Format, zeros: Sequence[int] | None) -> Any:
    """Where a result is zero and a subnormal number is due, or is one that is due at zero, for a subnormal argument.

    ``due``: the parts of an enclosure. ``zeros``: for built-ins of one argument, encodings of results that conform at
    zero; None where the device may not flush, and where this is not known.
    """
    value, err = due
    if zeros is None:
        return got != got
    size, smallest = got & form.magnitude, form.smallest_normal * INWARD
    found = (size == 0) & (value != 0.0) & (abs(value) + err < smallest)
    for code in zeros:
        found = found | ((got == code) & (args[0] != 0.0) & (abs(args[0]) < form.smallest_normal))
    return found
