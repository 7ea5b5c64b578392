"""Encodings of numbers as unsigned integers of 64 bits, and the classes of floating-point numbers by encodings."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from clmath.numbers.formats import Format, format_of

Bools: TypeAlias = "NDArray[np.bool_]"
Codes: TypeAlias = "NDArray[np.uint64]"

_ONES = np.array([2**count - 1 for count in range(65)], np.uint64)


def width(dtype: np.dtype) -> int:
    """Size of a type in bits."""
    return 8 * dtype.itemsize


def ones(count: np.ndarray | int) -> Codes:
    """Encodings whose lowest ``count`` bits are set, 0 to 64."""
    return np.asarray(_ONES[count])


def encoded(x: np.ndarray) -> Codes:
    """The encodings of numbers of any type, with zeros above."""
    return np.ascontiguousarray(x).view(f"u{x.dtype.itemsize}").astype(np.uint64).reshape(x.shape)


def decoded(codes: Codes, dtype: np.dtype) -> np.ndarray:
    """The numbers of a type that the lowest bits of ``codes`` represent."""
    return np.ascontiguousarray(codes).astype(f"u{dtype.itemsize}").view(dtype).reshape(codes.shape)


def form_of(dtype: np.dtype) -> Format:
    """The format with this type."""
    form = format_of(dtype)
    assert form is not None  # the declarations let no other type pass
    return form


def magnitudes(x: np.ndarray) -> NDArray[np.int64]:
    """Encodings of floating-point numbers without the signs.

    They are in the order of the absolute values: infinity is above all numbers, and NaN above infinity.
    """
    form = form_of(x.dtype)
    return (encoded(x) & ones(form.width - 1)).view(np.int64)


def is_minus(x: np.ndarray) -> Bools:
    """Where the sign bit is set, of zeros and NaN too."""
    return encoded(x) > ones(width(x.dtype) - 1)


def is_nan(x: np.ndarray) -> Bools:
    """Where floating-point numbers are NaN."""
    return np.asarray(magnitudes(x) > form_of(x.dtype).infinite)


def is_infinite(x: np.ndarray) -> Bools:
    """Where floating-point numbers are infinite."""
    return np.asarray(magnitudes(x) == form_of(x.dtype).infinite)


def is_zero(x: np.ndarray) -> Bools:
    """Where numbers of any type are zero, of either sign."""
    return np.asarray((magnitudes(x) if format_of(x.dtype) else encoded(x)) == 0)
