"""Rounding of exact fractions in Python's integers, which shares nothing with clmath: the oracle of random cases."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

FORMS = {
    "f2": (11, -14),
    "f4": (24, -126),
    "f8": (53, -1022),
}  # bits of precision, the least exponent of a normal number


def rounded(value, dtype, mode):
    """The fraction ``value`` as a float that the format holds; a zero is +0."""
    precision, emin = FORMS[np.dtype(dtype).str[1:]]
    if not value:
        return 0.0
    minus, size = value < 0, abs(value)
    e = size.numerator.bit_length() - size.denominator.bit_length()
    e -= size < Fraction(2) ** e
    quantum = max(e, emin) - precision + 1
    units, rest = divmod(size, Fraction(2) ** quantum)
    rest *= Fraction(2) ** -quantum
    away = {"rtz": False, "rtp": not minus, "rtn": minus, "rte": rest > Fraction(1, 2) or (2 * rest == 1 and units % 2)}
    units += bool(rest and away[mode])
    if units * Fraction(2) ** quantum >= Fraction(2) ** (2 - emin):
        most = math.ldexp(2**precision - 1, 2 - emin - precision)
        found = math.inf if mode == "rte" or away[mode] else most
    else:
        found = math.ldexp(units, quantum)
    return -found if minus else found


def numbers(rng, dtype, count):
    """Finite numbers: of any encoding, of like sizes, around the smallest normal one, and simple ones."""
    info, dtype = np.finfo(dtype), np.dtype(dtype)
    bits = rng.integers(0, 256, count * dtype.itemsize, np.uint8).view(dtype)
    any_ = np.where(np.isfinite(bits), bits, dtype.type(1))
    like = rng.standard_normal(count).astype(dtype)
    small = (info.smallest_subnormal * rng.integers(-(2**13), 2**13, count)).astype(dtype)
    near = (info.tiny * rng.uniform(-2.5, 2.5, count).astype(dtype)).astype(dtype)
    simple = rng.choice(
        np.array([0.0, -0.0, 1, -1, 2, 0.5, 3, info.max, info.min, info.tiny, 1 - info.epsneg], dtype), count
    )
    return np.choose(rng.integers(0, 5, count), [any_, like, small, near, simple]).astype(dtype)


def as_fractions(values):
    return [Fraction(v) for v in values.astype(np.float64).tolist()]
