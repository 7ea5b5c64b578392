"""Fractions rounded by the reference, and comparison as bits."""

from __future__ import annotations

import numpy as np
import pytest

from clmath.numbers.formats import format_of
from clmath.reference.bitwise.rounding import of_fractions

MODES = ("rte", "rtz", "rtp", "rtn")


def integers(values):
    """Values as an array of Python's integers, whatever their size."""
    return np.array([int(v) for v in values], object)


def rounded(values, dtype, mode):
    """An array of fractions rounded to a format; those that are 0 are +0."""
    return of_fractions(values).in_format(format_of(np.dtype(dtype)), mode)


def assert_bits(label, got, want, *inputs):
    """The same types and bits, any NaN for a NaN; the message names the first input that has others, and both."""
    got, want = np.asarray(got), np.asarray(want)
    assert (got.dtype, got.shape) == (want.dtype, want.shape), label
    if got.tobytes() == want.tobytes():
        return
    code = f"u{got.dtype.itemsize}"
    apart = np.ascontiguousarray(got).view(code) != np.ascontiguousarray(want).view(code)
    if got.dtype.kind == "f":
        apart &= ~(np.isnan(got) & np.isnan(want))
    if apart.any():
        first = tuple(np.argwhere(apart)[0])
        given = ", ".join(_shown(np.asarray(x)[first]) for x in inputs)
        pytest.fail(f"{label}: of {given} gives {_shown(got[first])}, not {_shown(want[first])}")


def _shown(value):
    value = np.asarray(value)
    return f"{value.tolist()!r} [{value.tobytes()[::-1].hex()}]"
