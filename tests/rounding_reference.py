"""Rounding of whole arrays of exact quotients by Python's integers; shares nothing with clmath."""

from __future__ import annotations

import numpy as np
import pytest

FORMS = {2: (11, 15), 4: (24, 127), 8: (53, 1023)}  # by size in bytes: bits of precision, the largest exponent
MODES = ("rte", "rtz", "rtp", "rtn")


def integers(values):
    """Values as an array of Python's integers, whatever their size."""
    return np.array([int(v) for v in values], object)


def quotient(n, d, minus, mode):
    """``n / d`` of arrays of integers, neither below 0, rounded to integers; ``minus``: where the sign is to be -."""
    below, rest = n // d, n % d
    nearest = (2 * rest > d) | ((2 * rest == d) & (below % 2 == 1))
    away = {"rte": nearest, "rtz": False & nearest, "rtp": (rest > 0) & ~minus, "rtn": (rest > 0) & minus}[mode]
    return below + away.astype(below.dtype)


def encodings(n, d, minus, dtype, mode):
    """The encodings of the numbers +-``n / d`` rounded to a format of floating point, a result beyond it included.

    Arrays of int64 are taken where ``n`` and ``d`` have few bits; others hold Python's integers.
    """
    precision, emax = FORMS[np.dtype(dtype).itemsize]
    d = np.broadcast_to(np.asarray(d, n.dtype), n.shape)
    least = 2 - emax - precision  # the exponent of the smallest subnormal number
    exponent = _lengths(n) - _lengths(d)
    exponent = exponent - _below(n, d, exponent)
    place = np.maximum(exponent - precision + 1, least).astype(n.dtype)
    up, down = np.maximum(-place, 0), np.maximum(place, 0)
    count = quotient(n << up, d << down, minus, mode)
    # encodings of consecutive numbers are consecutive integers, carries included
    bits = np.where(count > 0, count + ((place - least) << (precision - 1)), 0)
    infinity = (2 * emax + 1) << (precision - 1)
    kept = {"rte": False & minus, "rtz": True | minus, "rtp": minus, "rtn": ~minus}[mode]
    bits = np.where(bits >= infinity, infinity - kept.astype(int), bits)
    code = np.dtype(f"u{np.dtype(dtype).itemsize}")
    return bits.astype(code) | (minus.astype(code) << code.type(8 * code.itemsize - 1))


def _lengths(n):
    if n.dtype == object:
        return np.frompyfunc(int.bit_length, 1, 1)(n).astype(object)
    return np.frexp(n.astype(np.float64))[1].astype(np.int64)  # of numbers below 2^53


def _below(n, d, exponent):
    """1 where ``n / d < 2^exponent``, and 0 elsewhere."""
    return ((n << np.maximum(-exponent, 0)) < (d << np.maximum(exponent, 0))).astype(n.dtype)


def rounded(values, dtype, mode):
    """An array of fractions rounded to a format; those that are 0 are +0."""
    n, d = integers(v.numerator for v in values), integers(v.denominator for v in values)
    return encodings(abs(n), d, np.array(n < 0, bool), dtype, mode).view(dtype)


def scaled(values):
    """Finite numbers of a format as an array of integers that share a power of two as denominator."""
    values = np.ascontiguousarray(values)
    precision, emax = FORMS[values.dtype.itemsize]
    bits = integers(values.view(f"u{values.dtype.itemsize}").ravel().tolist()).reshape(values.shape)
    biased, fraction = (bits >> (precision - 1)) & (2 * emax + 1), bits & ((1 << (precision - 1)) - 1)
    normal = (biased > 0).astype(object)
    size = (fraction | (normal << (precision - 1))) << np.maximum(biased - 1, 0)
    return np.where(np.signbit(values), -size, size), 1 << (emax + precision - 2)


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
