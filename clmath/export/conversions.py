"""Conversions between formats: one function for all modes, while OpenCL C has one for each, e.g. convert_half_rtp.

The format of a function is the format of its argument; the result has the format in the name.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from clmath.kernels.whole.conversions import from_number
from clmath.kernels.whole.rounding import exactly
from clmath.numbers.formats import FORMATS, format_named
from clmath.numbers.rounding import round_real
from clmath.spec.families import exact_builtins

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.ir.values import Integer, Real
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding
    from clmath.spec.builtins import Builtin

__all__ = ["arguments", "converted", "is_conversion", "rounded", "rows"]

_EACH = 16  # numbers of a kind
_CHAPTER = "conversions"


@functools.cache
def rows() -> tuple[Builtin, ...]:
    """Return one conversion to each format, from the other formats."""
    found = ((exact_builtins()[f"convert_{form}"], form) for form in FORMATS)
    return tuple(replace(row, formats=tuple(other for other in FORMATS if other != form)) for row, form in found)


def is_conversion(row: Builtin) -> bool:
    """Whether ``row`` is a conversion."""
    return row.chapter == _CHAPTER


def converted(x: Real, form: str, mode: int) -> Integer:
    """Return the encoding of the number x in a format, as a function of the language."""
    return exactly(form, x) if form == "double" else from_number(x, form, mode)


def arguments(row: Builtin, form: Format, rng: np.random.Generator) -> NDArray[np.generic]:
    """Return numbers of the narrower format, midpoints, the neighbours of both, and special numbers."""
    narrow = min(format_named(row.result), form, key=lambda one: one.precision)
    codes = np.concatenate([rng.integers(0, narrow.infinite, _EACH), [0, 1, 2, narrow.infinite - 1]])
    numbers, above = (narrow.from_bits((codes + n).astype(narrow.bits_dtype)).astype(np.float64) for n in (0, 1))
    beyond = np.where(np.isinf(above), 2.0 * narrow.largest, above)  # one place beyond the largest number, or more
    with np.errstate(all="ignore"):
        near = np.concatenate([numbers, numbers + (beyond - numbers) / 2]).astype(form.dtype)
        special = np.array([np.inf, np.nan, form.largest, form.smallest_normal], form.dtype)
        below, upwards = (np.nextafter(near, form.dtype.type(end)) for end in (0.0, np.inf))
        found = np.concatenate([near, below, upwards, special])
        return np.concatenate([found, -found])


def rounded(row: Builtin, column: NDArray[np.generic], mode: Rounding) -> NDArray[np.generic]:
    """Convert ``column`` to the format of the result of ``row`` by exact arithmetic."""
    form = format_named(row.result)
    return np.array([round_real(x, form, mode) for x in column.tolist()], form.dtype)
