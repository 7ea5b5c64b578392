"""Integer built-ins on Python's ints: on single numbers, one operation of NumPy takes as long as all of theirs."""

from __future__ import annotations

import functools
import operator
import struct
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.direct.converted_numbers import wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["ON_BITS", "ON_INTS", "OnInts"]

OnInts: TypeAlias = "Callable[..., int]"
"""Ints of the parameters' types in, the result out; OverflowError where there is none."""

Made: TypeAlias = "Callable[[np.dtype], OnInts]"
"""Makes the function for a type of the result."""

Bytes: TypeAlias = "Callable[[bytes], tuple[int, ...]]"

_PACKED = struct.Struct("<I")
_CHARS, _UCHARS = struct.Struct("<4b").unpack, struct.Struct("<4B").unpack


def _clipped(dtype: np.dtype, exact: OnInts) -> OnInts:
    """``exact``, or the end of the type that it passes."""
    info = np.iinfo(dtype)
    least, most = int(info.min), int(info.max)

    def clipped(*args: int) -> int:
        total = exact(*args)
        return least if total < least else min(total, most)

    return clipped


def _mad_sat(dtype: np.dtype) -> OnInts:
    return _clipped(dtype, lambda a, b, c: a * b + c)


def _width(dtype: np.dtype) -> int:
    return 8 * dtype.itemsize


def _clz(dtype: np.dtype) -> OnInts:
    width, every = _width(dtype), (1 << _width(dtype)) - 1
    return lambda x: width - (x & every).bit_length()


def _ctz(dtype: np.dtype) -> OnInts:
    width = _width(dtype)
    return lambda x: (x & -x).bit_length() - 1 if x else width


def _popcount(dtype: np.dtype) -> OnInts:
    every = (1 << _width(dtype)) - 1
    return lambda x: (x & every).bit_count()


def _rotate(dtype: np.dtype) -> OnInts:
    width, most = _width(dtype), int(np.iinfo(dtype).max)
    every = (1 << width) - 1

    def rotate(v: int, i: int) -> int:
        bits, by = v & every, i % width
        bits = (bits << by | bits >> width - by) & every
        return bits if bits <= most else bits - every - 1

    return rotate


def _mul_hi(dtype: np.dtype) -> OnInts:
    width = _width(dtype)
    return lambda x, y: x * y >> width


def _mad_hi(dtype: np.dtype) -> OnInts:
    width, wrap = _width(dtype), wrapped(dtype)
    return lambda a, b, c: wrap((a * b >> width) + c)


def _upsample(dtype: np.dtype) -> OnInts:
    half = _width(dtype) // 2
    return lambda hi, lo: hi << half | lo


def _low_24_bits(dtype: np.dtype) -> Callable[[int], int]:
    """The low 24 bits of a number, as one of the sign that the type has."""
    if dtype.kind == "u":
        return lambda x: x & 0xFFFFFF
    return lambda x: ((x + 0x800000) & 0xFFFFFF) - 0x800000


def _mul24(dtype: np.dtype) -> OnInts:
    low, wrap = _low_24_bits(dtype), wrapped(dtype)
    return lambda x, y: wrap(low(x) * low(y))


def _mad24(dtype: np.dtype) -> OnInts:
    low, wrap = _low_24_bits(dtype), wrapped(dtype)
    return lambda x, y, z: wrap(low(x) * low(y) + z)


def _bit_reverse(dtype: np.dtype) -> OnInts:
    width, wrap = _width(dtype), wrapped(dtype)
    every = (1 << width) - 1
    return lambda base: wrap(int(f"{base & every:0{width}b}"[::-1], 2))


def _whatever(function: OnInts) -> Made:
    """``function``, whose results every type holds that its arguments have."""
    return lambda _: function


def _dot(left: Bytes, right: Bytes, _: np.dtype) -> OnInts:
    """The dot product of the bytes of two uints, read by ``left`` and ``right``."""
    packed = _PACKED.pack

    def dot(a: int, b: int) -> int:
        return sum(map(operator.mul, left(packed(a)), right(packed(b))))

    return dot


def _dot_acc_sat(left: Bytes, right: Bytes, dtype: np.dtype) -> OnInts:
    dot = _dot(left, right, dtype)
    return _clipped(dtype, lambda a, b, acc: dot(a, b) + acc)


def _bitfield_insert(dtype: np.dtype) -> OnInts:
    width, most = 8 * dtype.itemsize, int(np.iinfo(dtype).max)
    every = (1 << width) - 1

    def bitfield_insert(base: int, insert: int, offset: int, count: int) -> int:
        mask = _ones(offset, count, width) << offset
        bits = ((base & ~mask) | (insert << offset & mask)) & every
        return bits if bits <= most else bits - every - 1

    return bitfield_insert


def _bitfield_extract(dtype: np.dtype) -> OnInts:
    """The last bit repeated above where the result is signed."""
    width, signed = 8 * dtype.itemsize, dtype.kind == "i"

    def bitfield_extract(base: int, offset: int, count: int) -> int:
        bits = base >> offset & _ones(offset, count, width)
        return bits - (1 << count) if signed and count and bits >> count - 1 else bits

    return bitfield_extract


def _ones(offset: int, count: int, width: int) -> int:
    """As many ones as a field has bits."""
    if offset + count > width:
        raise OverflowError
    return (1 << count) - 1


ON_BITS: Mapping[str, OnInts] = MappingProxyType({"bitselect": lambda a, b, c: (a & ~c) | (b & c)})
"""Of encodings of numbers of every type."""

_PAIRS = {
    "uu_uint": (_UCHARS, _UCHARS),
    "ss_int": (_CHARS, _CHARS),
    "us_int": (_UCHARS, _CHARS),
    "su_int": (_CHARS, _UCHARS),
}

ON_INTS: Mapping[str, Made] = MappingProxyType(
    {
        "abs": _whatever(abs),
        "abs_diff": _whatever(lambda x, y: abs(x - y)),
        "add_sat": lambda dtype: _clipped(dtype, operator.add),
        "sub_sat": lambda dtype: _clipped(dtype, operator.sub),
        "hadd": _whatever(lambda x, y: x + y >> 1),
        "rhadd": _whatever(lambda x, y: x + y + 1 >> 1),
        "max": _whatever(max),
        "min": _whatever(min),
        "clamp": _whatever(lambda x, least, most: most if most < x or most < least else max(x, least)),
        "clz": _clz,
        "ctz": _ctz,
        "popcount": _popcount,
        "rotate": _rotate,
        "mul_hi": _mul_hi,
        "mad_hi": _mad_hi,
        "mul24": _mul24,
        "mad24": _mad24,
        "upsample": _upsample,
        "bit_reverse": _bit_reverse,
        "bitfield_extract_signed": _bitfield_extract,
        "bitfield_extract_unsigned": _bitfield_extract,
        "bitfield_insert": _bitfield_insert,
        "mad_sat": _mad_sat,
        **{f"dot_4x8packed_{pair}": functools.partial(_dot, *readers) for pair, readers in _PAIRS.items()},
        **{
            f"dot_acc_sat_4x8packed_{pair}": functools.partial(_dot_acc_sat, *readers)
            for pair, readers in _PAIRS.items()
        },
    }
)
