"""The relational built-ins by the order of encodings: tests and comparisons of numbers, and choices among bits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from clmath.numbers.formats import format_of
from clmath.reference.bitwise.encodings import (
    Bools,
    decoded,
    encoded,
    form_of,
    is_infinite,
    is_minus,
    is_nan,
    is_zero,
    magnitudes,
)

Comparison: TypeAlias = "Callable[[np.ndarray, np.ndarray], np.ndarray]"


def truths(found: Bools, dtype: np.dtype, *, vector: bool) -> np.ndarray:
    """The results of tests: 1 where they hold, -1 in the components of a vector."""
    return np.where(found, -1 if vector else 1, 0).astype(dtype)


def compared(compare: Comparison, x: np.ndarray, y: np.ndarray) -> Bools:
    """A comparison of numbers of one type of any kind; false where one is NaN."""
    if format_of(x.dtype) is None:
        return np.asarray(compare(x, y))
    (place, is_number), (place_too, is_number_too) = map(_placed, (x, y))
    return np.asarray(compare(place, place_too) & is_number & is_number_too)


def _placed(x: np.ndarray) -> tuple[NDArray[np.int64], Bools]:
    """Integers in the order of floating-point numbers, and which numbers are not NaN."""
    size = magnitudes(x)
    return np.where(is_minus(x), -size, size), size <= form_of(x.dtype).infinite


def _comparison(compare: Comparison) -> Callable[[np.ndarray, np.ndarray], Bools]:
    return lambda x, y: compared(compare, x, y)


def _is_finite(x: np.ndarray) -> Bools:
    return ~is_nan(x) & ~is_infinite(x)


def _is_normal(x: np.ndarray) -> Bools:
    """Whether the field of the exponent is neither the least nor the greatest one."""
    return np.asarray(_is_finite(x) & (magnitudes(x) >= 1 << form_of(x.dtype).precision - 1))


TESTS: Mapping[str, Callable[..., Bools]] = MappingProxyType(
    {
        "isequal": _comparison(np.equal),
        "isnotequal": lambda x, y: ~compared(np.equal, x, y),
        "isgreater": _comparison(np.greater),
        "isgreaterequal": _comparison(np.greater_equal),
        "isless": _comparison(np.less),
        "islessequal": _comparison(np.less_equal),
        "islessgreater": _comparison(np.not_equal),
        "isordered": lambda x, y: ~is_nan(x) & ~is_nan(y),
        "isunordered": lambda x, y: is_nan(x) | is_nan(y),
        "isfinite": _is_finite,
        "isinf": is_infinite,
        "isnan": is_nan,
        "isnormal": _is_normal,
        "signbit": is_minus,
    }
)
"""By name: where they hold."""

JOINED: Mapping[str, Callable[..., Bools]] = MappingProxyType({"any": np.any, "all": np.all})
"""Reductions of the components of a vector to one truth value."""


def are_true(x: np.ndarray, truth_of: str) -> Bools:
    """A mask of the integers that count as true: by the 'sign bit', or if they are 'not zero'."""
    return is_minus(x) if truth_of == "sign bit" else ~is_zero(x)


def joined(name: str, t: np.ndarray, truth_of: str) -> np.ndarray:
    """``any`` or ``all`` of the components of vectors, which are on the last axis."""
    return JOINED[name](are_true(t, truth_of), axis=-1).astype(np.int32)


def select(a: np.ndarray, b: np.ndarray, c: np.ndarray, *, vector: bool) -> np.ndarray:
    """``b`` where ``c`` is not zero, in the components of a vector where its sign bit is set; else ``a``."""
    return decoded(np.where(are_true(c, "sign bit" if vector else "not zero"), encoded(b), encoded(a)), a.dtype)


def bitselect(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Each bit of ``b`` where the bit of ``c`` is set, else the bit of ``a``."""
    first, second, mask = map(encoded, (a, b, c))
    return decoded(first ^ ((first ^ second) & mask), a.dtype)


def shuffled(mask: np.ndarray, *vectors: np.ndarray) -> np.ndarray:
    """The components of one or two vectors whose numbers ``mask`` has, modulo 2^n; a vector of three has a fourth."""
    full = [np.pad(v, [*[(0, 0)] * (v.ndim - 1), (0, 1)]) if v.shape[-1] == 3 else v for v in vectors]
    components = np.concatenate(full, axis=-1)
    places = encoded(mask) % np.uint64(components.shape[-1])
    return np.take_along_axis(components, places.astype(np.intp), axis=-1)
