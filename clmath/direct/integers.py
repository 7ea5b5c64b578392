"""The integer built-ins on blocks of one type, exact in every bit, without a wider type than 64 bits."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from clmath.numbers.integer_products import high_product, mad_saturated

Ints: TypeAlias = "NDArray[np.integer]"


def width(dtype: np.dtype) -> int:
    """Size of an integer type in bits."""
    return 8 * dtype.itemsize


def unsigned(dtype: np.dtype) -> np.dtype:
    """The unsigned type of the same width."""
    return np.dtype(f"u{dtype.itemsize}")


def signed(dtype: np.dtype) -> np.dtype:
    """The signed type of the same width."""
    return np.dtype(f"i{dtype.itemsize}")


def wider(dtype: np.dtype) -> np.dtype:
    """The type of the same signedness and twice the width."""
    return np.dtype(f"{dtype.kind}{2 * dtype.itemsize}")


def _bits(x: Ints) -> Ints:
    return x.view(unsigned(x.dtype))


def _typed(bits: Ints, x: Ints) -> Ints:
    """``bits`` in x's type."""
    return bits.view(x.dtype)


def _int64(x: Ints) -> NDArray[np.int64]:
    """64-bit integers as the signed type."""
    return x.view(np.int64)


def _is_signed(x: Ints) -> bool:
    return x.dtype.kind == "i"


def _most(x: Ints) -> int:
    return int(np.iinfo(x.dtype).max)


def _chosen(where: NDArray[np.bool_], a: Ints | int, b: Ints) -> Ints:
    """``a`` where the condition holds, else ``b``, by masks: a branch on random bits would be far slower."""
    mask = np.negative(where.view(np.int8)).astype(signed(b.dtype)).view(b.dtype)
    return b ^ ((a ^ b) & mask)


def clz(x: Ints) -> Ints:
    """Leading zero bits: the bits left clear when the highest set bit is copied to all lower positions."""
    bits = _bits(x).copy()
    for step in (1, 2, 4, 8, 16, 32):
        if step < width(x.dtype):
            bits |= bits >> step
    return np.bitwise_count(~bits).astype(x.dtype)


def ctz(x: Ints) -> Ints:
    """Trailing zero bits: bits below the lowest set bit, which are set in x - 1 and clear in x."""
    bits = _bits(x)
    below: Ints = ~bits & (bits - 1)
    return np.bitwise_count(below).astype(x.dtype)


def popcount(x: Ints) -> Ints:
    """Set bits."""
    return np.bitwise_count(_bits(x)).astype(x.dtype)


def rotate(v: Ints, i: Ints) -> Ints:
    """Bits shifted left by i modulo the width, those shifted off coming back from the right."""
    bits, mask = _bits(v), width(v.dtype) - 1
    left = _bits(i) & mask
    right = (width(v.dtype) - left) & mask
    return _typed((bits << left) | (bits >> right), v)


def upsample(hi: Ints, lo: Ints) -> Ints:
    """``hi`` above ``lo`` in a type twice as wide."""
    wide = wider(hi.dtype)
    joined: Ints = (hi.astype(wide) << width(hi.dtype)) | lo.astype(wide)
    return joined


def abs(x: Ints) -> Ints:
    """|x| in the unsigned type: the wrapped negative of the smallest number is its magnitude."""
    return _bits(np.absolute(x))


def abs_diff(x: Ints, y: Ints) -> Ints:
    """|x - y| in the unsigned type, where the difference of the larger and the smaller fits."""
    difference = _bits(x) - _bits(y)
    return _chosen(x < y, -difference, difference)


def add_sat(x: Ints, y: Ints) -> Ints:
    """The sum, or the end of the type that it passes."""
    total = x + y
    if not _is_signed(x):
        return _chosen(total < x, _most(x), total)
    overflows = ((x ^ total) & (y ^ total)) < 0  # the sum has neither operand's sign
    return _chosen(overflows, _end(x), total)


def sub_sat(x: Ints, y: Ints) -> Ints:
    """The difference, or the end of the type that it passes."""
    difference = x - y
    if not _is_signed(x):
        return _chosen(x < y, 0, difference)
    overflows = ((x ^ y) & (x ^ difference)) < 0
    return _chosen(overflows, _end(x), difference)


def _end(x: Ints) -> Ints:
    """The end of a signed type that lies on x's side of zero."""
    return (x >> (width(x.dtype) - 1)) ^ x.dtype.type(_most(x))


def hadd(x: Ints, y: Ints) -> Ints:
    """(x + y) >> 1: the common bits count once, the differing ones half."""
    return (x & y) + ((x ^ y) >> 1)


def rhadd(x: Ints, y: Ints) -> Ints:
    """(x + y + 1) >> 1: all bits count once, less half of the differing ones."""
    return (x | y) - ((x ^ y) >> 1)


def clamp(x: Ints, minval: Ints, maxval: Ints) -> Ints:
    """min(max(x, minval), maxval)."""
    return np.minimum(np.maximum(x, minval), maxval)


def max(x: Ints, y: Ints) -> Ints:
    """The larger."""
    return np.maximum(x, y)


def min(x: Ints, y: Ints) -> Ints:
    """The smaller."""
    return np.minimum(x, y)


def mul_hi(x: Ints, y: Ints) -> Ints:
    """The high half of the product."""
    if x.dtype.itemsize == 8:
        return _typed(high_product(_int64(x), _int64(y), _is_signed(x)), x)
    wide = wider(x.dtype)
    high: Ints = (x.astype(wide) * y.astype(wide)) >> width(x.dtype)
    return high.astype(x.dtype)


def mad_hi(a: Ints, b: Ints, c: Ints) -> Ints:
    """mul_hi(a, b) + c, wrapped."""
    return mul_hi(a, b) + c


def mad_sat(a: Ints, b: Ints, c: Ints) -> Ints:
    """The exact a b + c, or the end of the type that it passes."""
    if a.dtype.itemsize == 8:
        return _typed(mad_saturated(_int64(a), _int64(b), _int64(c), _is_signed(a)), a)
    wide = wider(a.dtype)  # holds a b + c of the largest operands, signed and unsigned
    total: Ints = a.astype(wide) * b.astype(wide) + c
    info = np.iinfo(a.dtype)
    return np.clip(total, info.min, info.max).astype(a.dtype)


def mul24(x: Ints, y: Ints) -> Ints:
    """The low 32 bits of the product of the low 24 bits of both."""
    return _low24(x) * _low24(y)


def mad24(x: Ints, y: Ints, z: Ints) -> Ints:
    """mul24(x, y) + z, wrapped."""
    return mul24(x, y) + z


def _low24(x: Ints) -> Ints:
    return (x << 8) >> 8  # the sign, if any, is bit 23's


def bit_reverse(base: Ints) -> Ints:
    """The bits in the opposite order: neighbours swapped, then pairs, then halves of bytes, then bytes."""
    bits = _bits(base)
    whole = _most(bits)
    for step, ones in ((1, 3), (2, 5), (4, 17)):
        low = whole // ones  # 0b0101..., 0b00110011..., 0b00001111...
        bits = ((bits >> step) & low) | ((bits & low) << step)
    return _typed(bits.byteswap(), base)


def bitfield_insert(base: Ints, insert: Ints, offset: Ints, count: Ints) -> Ints:
    """``base`` with the bits offset .. offset + count - 1 replaced by the lowest of ``insert``."""
    bits = _bits(base)
    used, position, spare = _field(bits, offset, count)
    mask = ((_most(bits) >> spare) << position) * used
    return _typed((bits & ~mask) | ((_bits(insert) << position) & mask), base)


def bitfield_extract_unsigned(base: Ints, offset: Ints, count: Ints) -> Ints:
    """The bits offset .. offset + count - 1, zeros above."""
    return _extract(_bits(base), offset, count)


def bitfield_extract_signed(base: Ints, offset: Ints, count: Ints) -> Ints:
    """The bits offset .. offset + count - 1, the last of them repeated above."""
    return _extract(base.view(signed(base.dtype)), offset, count)


def _extract(base: Ints, offset: Ints, count: Ints) -> Ints:
    """Shift the field to the top, then down; a signed type copies the sign bit into the upper bits, an unsigned one
    zeros.
    """
    used, position, spare = _field(base, offset, count)
    return ((base << (spare - position)) >> spare) * used


def _field(base: Ints, offset: Ints, count: Ints) -> tuple[NDArray[np.bool_], Ints, Ints]:
    """A mask of the non-empty fields, where these start, and the number of other bits of the type."""
    used = count != 0
    position = (offset * used).astype(base.dtype)
    spare = ((width(base.dtype) - count) * used).astype(base.dtype)
    return used, position, spare


def dot(*components: Ints) -> Ints:
    """The exact sum of the products of the 4 components of a and b, in int, or in uint if all are uchar."""
    a, b = components[:4], components[4:]
    word = np.dtype("u4" if a[0].dtype.kind == b[0].dtype.kind == "u" else "i4")
    products = [x.astype(word, copy=False) * y.astype(word, copy=False) for x, y in zip(a, b, strict=True)]
    return functools.reduce(operator.add, products)


def dot_acc_sat(*components: Ints) -> Ints:
    """The dot product and the last argument added, or the end of the type that it passes."""
    return add_sat(dot(*components[:8]), components[8])


def _bytes(packed: Ints, kind: str) -> list[Ints]:
    """The four bytes of a uint, the lowest first: as char, in int, where products fit, too, or as uchar, in uint."""
    if kind == "u":
        return [(packed >> down) & 0xFF for down in (0, 8, 16, 24)]
    whole = packed.view(np.int32)
    return [(whole << up) >> 24 for up in (24, 16, 8, 0)]


def _of_packed(kinds: str, word: str) -> tuple[Callable[[Ints, Ints], Ints], Callable[[Ints, Ints, Ints], Ints]]:
    """Return the dot product of bytes, signed for "s", else unsigned, and its saturated sum with a third argument."""

    def product(a: Ints, b: Ints) -> Ints:
        return dot(*_bytes(a, kinds[0]), *_bytes(b, kinds[1]))

    def total(a: Ints, b: Ints, acc: Ints) -> Ints:
        return add_sat(product(a, b), acc)

    product.__name__, total.__name__ = (f"{name}_4x8packed_{kinds}_{word}" for name in ("dot", "dot_acc_sat"))
    return product, total


dot_4x8packed_uu_uint, dot_acc_sat_4x8packed_uu_uint = _of_packed("uu", "uint")
dot_4x8packed_ss_int, dot_acc_sat_4x8packed_ss_int = _of_packed("ss", "int")
dot_4x8packed_us_int, dot_acc_sat_4x8packed_us_int = _of_packed("us", "int")
dot_4x8packed_su_int, dot_acc_sat_4x8packed_su_int = _of_packed("su", "int")
