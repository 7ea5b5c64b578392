"""Texels of the images that audits sample: the ends of each channel type, single bits, and random numbers."""

from __future__ import annotations

import zlib

import numpy as np

from clmath.direct.texels import ORDERS, TYPES
from clmath.numbers.formats import HALF

__all__ = ["notable", "texels"]

# floats that half cannot hold: conversion to half changes them
_NO_HALFS = (65505.0, 65520.0, 2.0**16, 2.0**-14 - 2.0**-25, 2.0**-25, 1.0 + 2.0**-12, 1e-30, 1e30)


def texels(name: str, type: str, order: str, lengths: tuple[int, ...]) -> np.ndarray:
    """Return random texels for the image of a row; each channel also holds the notable numbers of the channel type.

    ``lengths``: the lengths of the axes, x last. The notable numbers lie inside, in the half with the larger x:
    a filter near a border or in the other half reads no huge number.
    """
    rng, dtype = np.random.default_rng(zlib.crc32(f"{name} {type}".encode())), TYPES[type].dtype
    channels = () if TYPES[type].shifts else (ORDERS[order].stored,)
    found = _random(rng, dtype, (*lengths, *channels))
    if lengths[-1] > 2:
        _place_notable(rng, notable(type), found if channels else found[..., np.newaxis])
    return found


def _place_notable(rng: np.random.Generator, listed: np.ndarray, planes: np.ndarray) -> None:
    """Write the listed numbers into each channel, the last axis of ``planes``, as far as there is room."""
    *others, width, channels = planes.shape
    inner = (*(slice(1, -1) if n > 2 else slice(None) for n in others), slice(width // 2, -1))
    for channel in range(channels):
        there = planes[(*inner, channel)]
        planes[(*inner, channel)] = rng.permutation(np.resize(listed, there.size)).reshape(there.shape)


def _random(rng: np.random.Generator, dtype: np.dtype, lengths: tuple[int, ...]) -> np.ndarray:
    """Return uniform random codes, or floating-point numbers of either sign between 1/4 and 2."""
    if dtype.kind == "f":
        return np.asarray(rng.uniform(0.25, 2.0, lengths) * rng.choice([1.0, -1.0], lengths), dtype)
    info = np.iinfo(dtype)
    return np.asarray(rng.integers(info.min, info.max, lengths, dtype, endpoint=True))


def notable(type: str) -> np.ndarray:
    """Return the ends of a channel type and their neighbours, then the integers with one bit set or one bit clear."""
    dtype = TYPES[type].dtype
    return _notable_floats(dtype) if dtype.kind == "f" else _notable_integers(dtype)


def _notable_integers(dtype: np.dtype) -> np.ndarray:
    word, info = np.dtype(f"u{dtype.itemsize}"), np.iinfo(dtype)
    ends = np.array([info.max, info.min, info.max - 1, info.min + 1, 0, 1, info.max // 2, info.min + 2], dtype)
    bits = np.array([1 << k for k in range(8 * dtype.itemsize)], word)
    return np.concatenate([ends, bits.view(dtype), (~bits).view(dtype)])


def _notable_floats(dtype: np.dtype) -> np.ndarray:
    info, one = np.finfo(dtype), dtype.type(1)
    least, normal = info.smallest_subnormal, info.smallest_normal
    ends = [info.max, least, np.nextafter(normal, dtype.type(0)), normal, dtype.type(np.inf), dtype.type(0), least * 5]
    ends += [np.nextafter(info.max, one), one + info.eps, one - info.epsneg, dtype.type(3)]
    others = _NO_HALFS if dtype != HALF.dtype else (2.0**-20, 2.0**-15, 1000.0)
    found = np.concatenate([np.array(ends, dtype), np.array(others, dtype)])
    return np.stack([found, -found], axis=-1).reshape(-1)
