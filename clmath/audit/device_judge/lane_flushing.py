"""Which results fail but for subnormals that the device may flush (OpenCL C++ 1.0, 4.5.3), in lane arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clmath.numbers.lanes import select

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.audit.device_judge.lane_errors import Error
    from clmath.audit.device_judge.lane_limits import Allowed
    from clmath.numbers.formats import Format

__all__ = ["fails", "is_flushed"]

LEAST = 2.0**60  # a number, and errors in ulp: an infinity is as far off from all that are smaller
INWARD = 1.0 - 2.0**-20  # of a number: what is nearer to zero is so before it is rounded


def fails(got: Any, due: tuple[Any, Any], error: Error, allowed: Allowed, form: Format) -> Any:
    """Where a limit surely refuses a result, whatever is said of zeros. ``due``: the exact value, and it rounded."""
    value, rounded = due
    size, small = got & form.magnitude, abs(value) < LEAST
    least = select(size == form.infinite, select(small, LEAST, 0.0), error.least)
    beyond = (size <= form.infinite) & (value != 0.0) & (value - value == 0.0) & (least > allowed.error * 1.001 + 1.0)
    return beyond & ~allowed.may_give & ((rounded & form.magnitude) != 0) & (got != rounded)


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
