"""Which results certainly exceed a limit, with nothing to excuse them, in lane arithmetic: a device counts these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clmath.audit.lanes.lane_flushing import INWARD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.audit.lanes.lane_errors import Error
    from clmath.ir.values import Integer, Real, Truth
    from clmath.numbers.formats import Format

__all__ = ["is_missed"]

INFINITY = float("inf")


def is_missed(  # noqa: PLR0917 - as it is traced
    args: Sequence[Any], got: Integer, due: tuple[Real, Integer], error: Error, allowed: Real, form: Format
) -> Truth:
    """Where the error of a result certainly exceeds what is allowed, and neither flushing nor a zero's sign excuses it.

    It is told for normal arguments where a normal number is due. ``due``: the middle of an enclosure, and the
    correctly rounded result. ``allowed``: the largest error in ulp that may pass. Of a device that flushes, a zero
    passes where the smallest normal number would. An error that no double says is left to the host.
    """
    value, rounded = due
    size, smallest = got & form.magnitude, form.smallest_normal
    found = (size < form.infinite) & is_normal(rounded, form)
    for x in args:
        found = found & (abs(x) >= smallest) & (x - x == 0.0)
    if form.is_narrow:
        found = found & ((size > 0) | ((abs(value) - smallest) * error.scale * INWARD > allowed))
    else:
        found = found & (size > 0)
    is_measured = (error.is_unsure | error.is_exact) & (error.most < INFINITY)
    missed: Truth = found & is_measured & (error.least > allowed) & (got != rounded)
    return missed


def is_normal(code: Integer, form: Format) -> Truth:
    """Whether an encoding is that of a normal number."""
    size = code & form.magnitude
    return (size >= 1 << form.precision - 1) & (size < form.infinite)
