"""Which results fail but for subnormals that the device may flush (OpenCL C++ 1.0, 4.5.3), in lane arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clmath.numbers.lanes import real, select

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.audit.lanes.lane_errors import Error
    from clmath.audit.lanes.lane_limits import Allowed
    from clmath.numbers.formats import Format

__all__ = ["differs_in_kind", "fails", "is_flushed"]

INWARD = 1.0 - 2.0**-20  # of a number: what is nearer to zero is so before it is rounded


def fails(got: Any, due: tuple[Any, Any, Any], error: Error, allowed: Allowed, form: Format) -> Any:
    """Where a limit surely refuses a number, whatever is said of zeros; in narrow formats.

    ``due``: the parts of an enclosure, and the exact value rounded.
    """
    value, err, rounded = due
    size = got & form.magnitude
    is_beyond = (size == form.infinite) & (abs(value) >= 2.0 ** (form.emax + 1))
    least = select(is_beyond, 0.0, error.least)
    least = select(value == 0.0, real(size), least)  # a number is at least so many of the smallest
    is_known = (value - value == 0.0) & ((value != 0.0) | (err == 0.0))
    beyond = (least > allowed.error * 1.001 + 1.0) | (allowed.error <= 0.0)  # the latter asks for what is rounded
    both_zero = (size | (rounded & form.magnitude)) == 0
    return (size <= form.infinite) & is_known & beyond & ~both_zero & ~allowed.may_give & (got != rounded)


def differs_in_kind(value: Any, got: Any, brought: Any, form: Format) -> Any:
    """Where NaN is returned for a number, or a number for NaN; ``brought``: whether an argument is a signaling NaN."""
    is_nan = (got & form.magnitude) > form.infinite
    return (is_nan & (value == value) & ~brought) | (~is_nan & (value != value))


def is_flushed(args: Sequence[Any], got: Any, due: tuple[Any, Any], form: Format, zeros: Sequence[int] | None) -> Any:
    """Where a result is a zero for a subnormal one, or what is due at zero for a subnormal argument.

    ``due``: the parts of an enclosure. ``zeros``: encodings of what conforms at zero, of built-ins of one argument;
    None where nothing is said of flushed results.
    """
    value, err = due
    if zeros is None:
        return got != got
    size, smallest = got & form.magnitude, form.smallest_normal * INWARD
    found = (size == 0) & (value != 0.0) & (abs(value) + err < smallest)
    for code in zeros:
        found = found | ((got == code) & (args[0] != 0.0) & (abs(args[0]) < form.smallest_normal))
    return found
