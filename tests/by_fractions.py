"""Random numbers of a format, and their exact values as fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np


def numbers(rng, dtype, count):
    """Return finite numbers: random encodings, numbers of similar size, subnormal and nearby ones, and simple ones."""
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
