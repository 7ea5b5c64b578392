"""Functions of the encodings of floating-point numbers, arrays of unsigned integers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from clmath.numbers.formats import Format


def magnitude(x: np.ndarray) -> np.ndarray:
    """The sign bit cleared."""
    cleared: np.ndarray = x & _all_but_sign(x)
    return cleared


def with_sign(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The magnitude of x with the sign bit of y."""
    kept = _all_but_sign(x)
    joined: np.ndarray = (x & kept) | (y & ~kept)
    return joined


def nan(form: Format) -> Callable[[np.ndarray], np.ndarray]:
    """Return the function from codes to quiet NaNs whose significands end in their low bits."""
    quiet, kind = 1 << form.precision - 2, form.bits_dtype.type
    payload, always = kind(quiet - 1), kind(int(form.bits(np.inf)) | quiet)
    return lambda nancode: (nancode & payload) | always


def _all_but_sign(x: np.ndarray) -> np.unsignedinteger:
    """All bits except the sign."""
    found: np.unsignedinteger = x.dtype.type(np.iinfo(x.dtype).max >> 1)
    return found
