"""Round fractions with the reference, and compare results bit by bit."""

from __future__ import annotations

import numpy as np
import pytest

from clmath.numbers.formats import format_of
from clmath.reference.bitwise.rounding import of_fractions

MODES = ("rte", "rtz", "rtp", "rtn")


def integers(values):
    """Return values as an array of Python ints of any size."""
    return np.array([int(v) for v in values], object)


def rounded(values, dtype, mode):
    """Return an array of fractions rounded to a format; 0 becomes +0."""
    return of_fractions(values).in_format(format_of(np.dtype(dtype)), mode)


def assert_bits(label, got, want, *inputs):
    """Assert equal types and bits, all NaNs being equal; the message has the first wrong input and both results."""
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
