"""Type of the results that calls may return: one value, one of several, or any between two."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from clmath.audit.counting.spread import same
from clmath.numbers.formats import format_of, is_float

if TYPE_CHECKING:
    from collections.abc import Callable

    from clmath.ir.values import Truth
    from clmath.numbers.formats import Format

__all__ = ["NOWHERE", "AllowedResults", "are_subnormal", "signals"]

Args: TypeAlias = "tuple[np.ndarray, ...]"
Ends: TypeAlias = "tuple[np.ndarray, np.ndarray]"

NOWHERE, EVERYWHERE = np.zeros((), np.bool_), np.ones((), np.bool_)  # conditions on results of any shape


class AllowedResults(NamedTuple):
    """The results that calls may return.

    ``wanted``: the result that is shown as the expected one; other right results are in ``also``, lie within one of the
    ``intervals``, or are found by ``is_another``, which ``others`` describes. ``is_free``: where the result is
    unspecified. ``bits_of_nan``: whether a NaN must have the bits of the wanted one; if not, any NaN is right, but it
    must be quiet where ``is_quiet``. ``is_small``: where a right result is subnormal before it is rounded, if it need
    not be so itself. ``is_disputed``: where texts require different results. ``is_right``: where some result can be
    right.
    """

    wanted: np.ndarray
    is_free: Truth = NOWHERE
    also: tuple[np.ndarray, ...] = ()
    intervals: tuple[Ends, ...] = ()
    is_another: Callable[[np.ndarray], Truth] | None = None
    others: str = ""
    bits_of_nan: bool = False
    is_quiet: Truth = NOWHERE
    is_small: Truth | None = None
    is_disputed: Truth = NOWHERE
    is_right: Truth = EVERYWHERE

    def left_open(self, accepted: Truth) -> Truth:
        """Return which results are unspecified: all where ``is_free``, and ``accepted`` ones where texts differ."""
        return self.is_free | (self.is_disputed & accepted)

    def accepts(self, got: np.ndarray) -> Truth:
        """Return which results are right, whether or not they are unspecified."""
        right = same(got, self.wanted, bits_of_nan=self.bits_of_nan)
        for other in self.also:
            right |= same(got, other, bits_of_nan=self.bits_of_nan)
        for low, high in self.intervals:
            right |= _lies_within(got, low, high)
        if self.is_another is not None:
            right |= self.is_another(got)
        return right & self.is_right & ~(signals(got) & self.is_quiet)


def _lies_within(got: np.ndarray, low: np.ndarray, high: np.ndarray) -> Truth:
    """Return where results lie between two ends, and have a negative sign, -0 included, only if the lower end has."""
    inside = (got >= low) & (got <= high)
    return np.asarray(inside & (np.signbit(got) <= np.signbit(low)) if is_float(got.dtype) else inside)


def signals(values: np.ndarray) -> Truth:
    """Return which values are signaling NaN."""
    form = format_of(values.dtype)
    return np.zeros(values.shape, np.bool_) if form is None else form.signals(values)


def are_subnormal(values: np.ndarray, form: Format | None) -> Truth:
    """Return which numbers are subnormal in a format, and not zero; without a format, which is for integers, none."""
    return np.asarray((values != 0) & (form is not None and np.abs(values) < form.smallest_normal))
