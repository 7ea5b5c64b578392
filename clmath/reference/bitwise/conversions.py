"""Conversions between the scalar types: each number is rounded once, from its exact value."""

from __future__ import annotations

import numpy as np

from clmath.numbers.formats import Format, Rounding, format_of
from clmath.reference.bitwise.encodings import is_infinite, is_minus, is_nan, is_zero
from clmath.reference.bitwise.rounding import Exact, of_floats, of_integers
from clmath.reference.bitwise.wide import saturated, wide, wrapped


def converted(x: np.ndarray, dtype: np.dtype, mode: Rounding, *, sat: bool = False) -> np.ndarray:
    """Numbers of any type in another one, rounded in ``mode``.

    In integers NaN is 0, and numbers beyond the type are its ends; integers beyond it wrap unless ``sat``.
    """
    form, source = format_of(dtype), format_of(x.dtype)
    if dtype == x.dtype:
        return x.copy()
    if dtype.kind == "b":
        return ~is_zero(x)
    if form is not None:
        return _exact(x).in_format(form, mode) if source is None else _between_formats(x, form, mode)
    if source is not None:
        return np.where(is_nan(x), dtype.type(0), _finite_or_beyond(x).in_integers(dtype, mode))
    (exact,) = wide(1, x.astype(np.uint8) if x.dtype.kind == "b" else x)
    return saturated(exact, dtype) if sat else wrapped(exact, dtype)


def reinterpreted(x: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """The numbers of a type of the same width that have the same bits."""
    return np.ascontiguousarray(x).view(dtype)


def _exact(x: np.ndarray) -> Exact:
    if x.dtype.kind == "b":
        return of_integers(x.astype(np.uint8))
    return of_integers(x) if format_of(x.dtype) is None else of_floats(x)


def _finite_or_beyond(x: np.ndarray) -> Exact:
    """The exact numbers; infinities are far beyond every integer."""
    minus, size, exponent = _exact(x)
    return Exact(minus, size, np.where(is_infinite(x), 1 << 16, exponent))


def _between_formats(x: np.ndarray, form: Format, mode: Rounding) -> np.ndarray:
    """The numbers rounded; infinities are kept, and NaN becomes the canonical one."""
    found, is_special = _exact(x).in_format(form, mode), is_nan(x) | is_infinite(x)
    if is_special.any():
        special = x[is_special]
        infinity = np.where(is_minus(special), form.dtype.type(-np.inf), form.dtype.type(np.inf))
        found[is_special] = np.where(is_nan(special), form.nan, infinity)
    return found
