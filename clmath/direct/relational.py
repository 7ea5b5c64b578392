"""Tests of arrays of numbers, reductions of vectors of truth values, and choices by truth values or by bits.

NumPy's own functions of this kind, such as ``np.less``, are used directly.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from clmath.numbers.formats import format_of


def are_apart(x: np.ndarray, y: np.ndarray) -> NDArray[np.bool_]:
    """Whether x < y or x > y."""
    apart: NDArray[np.bool_] = np.less(x, y) | np.greater(x, y)
    return apart


def are_unordered(x: np.ndarray, y: np.ndarray) -> NDArray[np.bool_]:
    """Whether x or y is NaN."""
    unordered: NDArray[np.bool_] = np.isnan(x) | np.isnan(y)
    return unordered


def are_ordered(x: np.ndarray, y: np.ndarray) -> NDArray[np.bool_]:
    """Whether neither is NaN."""
    return ~are_unordered(x, y)


def is_normal(t: np.ndarray) -> NDArray[np.bool_]:
    """Whether t is not zero, subnormal, infinite or NaN."""
    form = format_of(t.dtype)
    assert form is not None  # the declaration lets no other type pass
    normal: NDArray[np.bool_] = np.isfinite(t) & (np.absolute(t) >= form.dtype.type(form.smallest_normal))
    return normal


COMPARISONS = (
    *(np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal),
    *(np.logical_and, np.logical_or, np.logical_not),
)
"""Tests of numbers of every type; NaN is unequal to 0."""

TESTS = (are_apart, are_ordered, are_unordered, np.isfinite, np.isinf, np.isnan, is_normal, np.signbit)
"""Tests of floating-point numbers."""

OF_ONE = frozenset({np.logical_not, np.isfinite, np.isinf, np.isnan, is_normal, np.signbit})
"""Tests that take one number."""


@functools.cache
def as_vectors(test: Callable[..., NDArray[np.bool_]]) -> Callable[..., NDArray[np.int8]]:
    """Return ``test`` with vector results: true is -1."""

    def of_vectors(*block: np.ndarray) -> NDArray[np.int8]:
        return np.negative(test(*block).view(np.int8))

    of_vectors.__name__ = f"{test.__name__}_of_vectors"
    return of_vectors


def any_true(t: np.ndarray) -> NDArray[np.bool_]:
    """Whether an element of a vector, on the last axis, is unequal to 0."""
    found: NDArray[np.bool_] = np.logical_or.reduce(t, axis=-1)
    return found


def all_true(t: np.ndarray) -> NDArray[np.bool_]:
    """Whether all elements of a vector, on the last axis, are unequal to 0."""
    found: NDArray[np.bool_] = np.logical_and.reduce(t, axis=-1)
    return found


def any_negative(t: np.ndarray) -> NDArray[np.bool_]:
    """Whether the most significant bit of an element is set; all bits are joined by one operation."""
    found: NDArray[np.bool_] = np.less(np.bitwise_or.reduce(t, axis=-1), 0)
    return found


def all_negative(t: np.ndarray) -> NDArray[np.bool_]:
    """Whether the most significant bit of each element is set."""
    found: NDArray[np.bool_] = np.less(np.bitwise_and.reduce(t, axis=-1), 0)
    return found


def bitselect(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Bits of b where bits of c are set, else bits of a."""
    bits = f"u{a.dtype.itemsize}"
    first, second, mask = a.view(bits), b.view(bits), c.view(bits)
    chosen: np.ndarray = (first & ~mask) | (second & mask)
    return chosen.view(a.dtype)


def select(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """``b`` where c is unequal to 0, else ``a``."""
    return np.where(np.not_equal(c, 0), b, a)


def select_by_sign(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """``b`` where the most significant bit of c, of a signed type, is set, else ``a``."""
    return np.where(np.less(c, 0), b, a)


def conditional(c: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """``x`` where c is unequal to 0, as NaN is, else ``y``."""
    return np.where(np.not_equal(c, 0), x, y)


BY_NAME: Mapping[str, Callable[..., np.ndarray]] = {
    "all": all_true,
    "any": any_true,
    "bitselect": bitselect,
    "isequal": np.equal,
    "isfinite": np.isfinite,
    "isgreater": np.greater,
    "isgreaterequal": np.greater_equal,
    "isinf": np.isinf,
    "isless": np.less,
    "islessequal": np.less_equal,
    "islessgreater": are_apart,
    "isnan": np.isnan,
    "isnormal": is_normal,
    "isnotequal": np.not_equal,
    "isordered": are_ordered,
    "isunordered": are_unordered,
    "signbit": np.signbit,
}
"""The functions that evaluate built-ins, by their names."""

OF_SIGNS: Mapping[str, Callable[..., np.ndarray]] = {"all": all_negative, "any": any_negative}
"""The functions that evaluate reductions by the most significant bits of components, by their names."""
