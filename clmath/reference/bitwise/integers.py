"""The integer built-ins by binary digits, and by integers that are wide enough for every sum and product."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from clmath.reference.bitwise.encodings import Codes, decoded, encoded, ones, width
from clmath.reference.bitwise.rounding import bit_lengths, of_integers
from clmath.reference.bitwise.wide import saturated, wide, wrapped


def clz(x: np.ndarray) -> np.ndarray:
    """Zeros before the highest bit that is set."""
    return (width(x.dtype) - bit_lengths(encoded(x))).astype(x.dtype)


def ctz(x: np.ndarray) -> np.ndarray:
    """Zeros below the lowest set bit, or the width if no bit is set."""
    code = encoded(x)
    zeros = bit_lengths(code & (~code + np.uint64(1))) - 1
    return np.where(code > 0, zeros, width(x.dtype)).astype(x.dtype)


def popcount(x: np.ndarray) -> np.ndarray:
    """The number of bits that are set."""
    return np.asarray(np.unpackbits(_bytes_of(x), axis=-1).sum(axis=-1, dtype=np.uint8)).astype(x.dtype)


def bit_reverse(base: np.ndarray) -> np.ndarray:
    """The bits in the opposite order: reverse the bits of each byte, then the bytes."""
    bytes_ = np.packbits(np.unpackbits(_bytes_of(base), axis=-1, bitorder="little"), axis=-1, bitorder="big")
    return np.ascontiguousarray(bytes_[..., ::-1]).view(base.dtype)[..., 0]


def _bytes_of(x: np.ndarray) -> NDArray[np.uint8]:
    """The bytes of integers on a last axis."""
    return np.ascontiguousarray(x)[..., np.newaxis].view(np.uint8)


def rotate(v: np.ndarray, i: np.ndarray) -> np.ndarray:
    """Digits that are shifted out to the left come in from the right."""
    size = np.uint64(width(v.dtype))
    code, left = encoded(v), encoded(i) % size
    carried: Codes = np.where(left > 0, code >> (size - left), np.uint64(0))
    return decoded((code << left) | carried, v.dtype)


def upsample(hi: np.ndarray, lo: np.ndarray) -> np.ndarray:
    """The digits of ``hi``, then the digits of ``lo``."""
    joined = (encoded(hi) << np.uint64(width(hi.dtype))) | encoded(lo)
    return decoded(joined, np.dtype(f"{hi.dtype.kind}{2 * hi.dtype.itemsize}"))


def absolute(x: np.ndarray) -> np.ndarray:
    """|x|, which the unsigned type holds."""
    return decoded(of_integers(x).size, _unsigned(x.dtype))


def abs_diff(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """|x - y|, which the unsigned type holds."""
    a, b = wide(1, greater(x, y), less(x, y))
    return wrapped(a - b, _unsigned(x.dtype))


def add_sat(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The sum, saturated."""
    a, b = wide(1, x, y)
    return saturated(a + b, x.dtype)


def sub_sat(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The difference, saturated."""
    a, b = wide(1, x, y)
    return saturated(a - b, x.dtype)


def hadd(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """(x + y) / 2 rounded down."""
    a, b = wide(1, x, y)
    return wrapped((a + b) >> 1, x.dtype)


def rhadd(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """(x + y) / 2 rounded up."""
    a, b = wide(1, x, y)
    return wrapped(-((-a - b) >> 1), x.dtype)


def greater(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The greater one."""
    return np.where(x > y, x, y)


def less(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The less one."""
    return np.where(x < y, x, y)


def clamp(x: np.ndarray, minval: np.ndarray, maxval: np.ndarray) -> np.ndarray:
    """min(max(x, minval), maxval)."""
    return less(greater(x, minval), maxval)


def mul_hi(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The high half of the product."""
    a, b = wide(2, x, y)
    return wrapped((a * b) >> width(x.dtype), x.dtype)


def mad_hi(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """The high half of the product plus c, modulo 2^n."""
    return decoded(encoded(mul_hi(a, b)) + encoded(c), a.dtype)


def mad_sat(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """The product plus c, saturated."""
    x, y, z = wide(2, a, b, c)
    return saturated(x * y + z, a.dtype)


def low24(x: np.ndarray) -> np.ndarray:
    """The number that the lowest 24 bits of an int or a uint are, the highest of them its sign."""
    low = x.astype(np.int64) % 2**24
    return np.where(low >= 2**23, low - 2**24, low) if x.dtype.kind == "i" else low


def mul24(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The product of numbers of 24 bits, modulo 2^32."""
    return wrapped(low24(x) * low24(y), x.dtype)


def mad24(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
    """The product of numbers of 24 bits plus z, modulo 2^32."""
    return wrapped(low24(x) * low24(y) + z.astype(np.int64), x.dtype)


def bitfield_insert(base: np.ndarray, insert: np.ndarray, offset: np.ndarray, count: np.ndarray) -> np.ndarray:
    """``base``, whose bits offset to offset + count - 1 are the lowest ones of ``insert``."""
    up = _counts(offset, count)
    field = ones(count) << up
    return decoded((encoded(base) & ~field) | ((encoded(insert) << up) & field), base.dtype)


def bitfield_extract_unsigned(base: np.ndarray, offset: np.ndarray, count: np.ndarray) -> np.ndarray:
    """The bits offset to offset + count - 1, and zeros above."""
    return decoded((encoded(base) >> _counts(offset, count)) & ones(count), _unsigned(base.dtype))


def bitfield_extract_signed(base: np.ndarray, offset: np.ndarray, count: np.ndarray) -> np.ndarray:
    """The bits offset to offset + count - 1, and the highest of them above."""
    field = (encoded(base) >> _counts(offset, count)) & ones(count)
    is_negative = field > ones(np.maximum(count, 1) - 1)
    return decoded(np.where(is_negative, field | ~ones(count), field), np.dtype(f"i{base.dtype.itemsize}"))


def _counts(offset: np.ndarray, count: np.ndarray) -> np.ndarray:
    """By how many bits fields are shifted; those without bits may stand behind the last one."""
    return np.where(count > 0, offset, 0).astype(np.uint64)


def dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The sum of four products of bytes, uint of uchar, else int."""
    return _exact_dot(a, b).astype(_word(a, b))


def dot_acc_sat(a: np.ndarray, b: np.ndarray, acc: np.ndarray) -> np.ndarray:
    """The sum of four products of bytes and of ``acc``, saturated."""
    return saturated(_exact_dot(a, b) + acc.astype(np.int64), _word(a, b))


def _exact_dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.asarray((a.astype(np.int64) * b.astype(np.int64)).sum(axis=-1))


def _word(a: np.ndarray, b: np.ndarray) -> np.dtype:
    return np.dtype(np.uint32 if {a.dtype.kind, b.dtype.kind} == {"u"} else np.int32)


def _bytes(packed: np.ndarray, kind: str) -> np.ndarray:
    """The four bytes of words, signed for "s", on a last axis."""
    stored = np.ascontiguousarray(packed[..., np.newaxis]).astype("<u4")
    return stored.view(np.int8 if kind == "s" else np.uint8)


def _of_words(function: Callable[..., np.ndarray], kinds: str) -> Callable[..., np.ndarray]:
    """Return ``function`` of words of four bytes each, in the first and in the second factor signed for "s"."""
    return lambda a, b, *acc: function(_bytes(a, kinds[0]), _bytes(b, kinds[1]), *acc)


def _unsigned(dtype: np.dtype) -> np.dtype:
    return np.dtype(f"u{dtype.itemsize}")


_WORDS = {"uu": "uint", "ss": "int", "us": "int", "su": "int"}
_FUNCTIONS: tuple[Callable[..., np.ndarray], ...] = (
    *(abs_diff, add_sat, bit_reverse, bitfield_extract_signed, bitfield_extract_unsigned, bitfield_insert, clamp, clz),
    *(ctz, dot, dot_acc_sat, hadd, mad24, mad_hi, mad_sat, mul24, mul_hi, popcount, rhadd, rotate, sub_sat, upsample),
)

INTEGERS: Mapping[str, Callable[..., np.ndarray]] = MappingProxyType(
    {
        **{function.__name__: function for function in _FUNCTIONS},
        "abs": absolute,
        "max": greater,
        "min": less,
        **{f"dot_4x8packed_{kinds}_{word}": _of_words(dot, kinds) for kinds, word in _WORDS.items()},
        **{f"dot_acc_sat_4x8packed_{kinds}_{word}": _of_words(dot_acc_sat, kinds) for kinds, word in _WORDS.items()},
    }
)
"""By name: functions of arrays of the types that the built-ins take."""
