"""Type of the results that calls may return: one value, one of several, or any between two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.numbers.formats import format_of, is_float

if TYPE_CHECKING:
    from clmath.ir.values import Truth

__all__ = ["AllowedResults", "between", "certain", "same", "signals"]

Args: TypeAlias = "tuple[np.ndarray, ...]"
Ends: TypeAlias = "tuple[np.ndarray, np.ndarray]"


@dataclass(frozen=True)
class AllowedResults:
    """The results that calls may return.

    ``wanted``: the result that is shown as the expected one; other right results are in ``also``, or lie within
    ``ends``. ``is_free``: where the result is unspecified. ``bits_of_nan``: whether a NaN must have the bits of the
    wanted one; if not, any NaN is right, but it must be quiet where ``is_quiet``. ``is_small``: where a right result is
    subnormal before it is rounded. ``is_disputed``: where texts require different results. ``is_right``: where some
    result can be right.
    """

    wanted: np.ndarray
    is_free: Truth
    also: tuple[np.ndarray, ...] = ()
    ends: Ends | None = None
    bits_of_nan: bool = False
    is_quiet: Truth | None = None
    is_small: Truth | None = None
    is_disputed: Truth | None = None
    is_right: Truth | None = None

    @property
    def others(self) -> str:
        """Right results in words, in addition to ``also`` and ``ends``; empty without any."""
        return ""

    @property
    def intervals(self) -> tuple[Ends, ...]:
        """The intervals of right results: ``ends`` holds one, or several along an additional first axis."""
        if self.ends is None:
            return ()
        return tuple(zip(*self.ends, strict=True)) if self.ends[0].ndim > self.wanted.ndim else (self.ends,)

    def left_open(self, accepted: Truth) -> Truth:
        """Return which results are unspecified: all where ``is_free``, and ``accepted`` ones where texts differ."""
        return self.is_free if self.is_disputed is None else self.is_free | (self.is_disputed & accepted)

    def accepts(self, got: np.ndarray) -> Truth:
        """Return which results are right, whether or not they are unspecified."""
        right = same(got, self.wanted, bits_of_nan=self.bits_of_nan)
        for other in self.also:
            right |= same(got, other, bits_of_nan=self.bits_of_nan)
        for low, high in self.intervals:
            right |= _lies_within(got, low, high)
        if self.is_right is not None:
            right &= self.is_right
        return right & ~(signals(got) & self.is_quiet) if self.is_quiet is not None else right


def _lies_within(got: np.ndarray, low: np.ndarray, high: np.ndarray) -> Truth:
    """Return where results lie between two ends, and have a negative sign, -0 included, only if the lower end has."""
    inside = (got >= low) & (got <= high)
    return np.asarray(inside & (np.signbit(got) <= np.signbit(low)) if is_float(got.dtype) else inside)


def signals(values: np.ndarray) -> Truth:
    """Return which values are signaling NaN."""
    form = format_of(values.dtype)
    return np.zeros(values.shape, np.bool_) if form is None else form.signals(values)


def certain(wanted: np.ndarray, *also: np.ndarray) -> AllowedResults:
    """Return the requirement that results equal ``wanted``, or one of ``also``."""
    return AllowedResults(wanted, np.zeros(wanted.shape, np.bool_), also)


def between(wanted: np.ndarray, low: np.ndarray, high: np.ndarray) -> AllowedResults:
    """Return the requirement that results lie between two ends."""
    return AllowedResults(wanted, np.zeros(wanted.shape, np.bool_), ends=(low, high))


def same(one: np.ndarray, other: np.ndarray, *, bits_of_nan: bool = False) -> Truth:
    """Return where two arrays of one type hold equal bits; all NaN are equal unless ``bits_of_nan``."""
    if one.dtype.kind in "iub":
        return np.asarray(one == other)
    unsigned = f"u{one.dtype.itemsize}"
    alike = np.ascontiguousarray(one).view(unsigned) == np.ascontiguousarray(other).view(unsigned)
    return np.asarray(alike if bits_of_nan else alike | (np.isnan(one) & np.isnan(other)))
