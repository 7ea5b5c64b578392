"""Integer functions: bits, saturation, averages, high halves, 24-bit products, bit fields and dot products.

``threads`` changes the speed, never the results: see ``help(clmath)``.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from clmath import call, errors
from clmath.functions.families import Arguments, of_bits, planned_by
from clmath.functions.overloads import ints_of_one, ints_of_three, ints_of_two
from clmath.numbers.datatypes import INTEGERS
from clmath.numbers.guard import refuse_altered_arithmetic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.call.plans import Plan
    from clmath.call.readers import Kind
    from clmath.typing import IntLike, Ints, Out, Where

# clamp, max and min are in the common module, and dot in the geometric one, for integers too
__all__ = [
    "clz",
    "ctz",
    "rotate",
    "popcount",
    "upsample",
    "abs",
    "abs_diff",
    "add_sat",
    "hadd",
    "rhadd",
    "mad_hi",
    "mad_sat",
    "mul_hi",
    "sub_sat",
    "mad24",
    "mul24",
    "bitfield_insert",
    "bitfield_extract_signed",
    "bitfield_extract_unsigned",
    "bit_reverse",
    "dot_acc_sat",
    "dot_4x8packed_uu_uint",
    "dot_4x8packed_ss_int",
    "dot_4x8packed_us_int",
    "dot_4x8packed_su_int",
    "dot_acc_sat_4x8packed_uu_uint",
    "dot_acc_sat_4x8packed_ss_int",
    "dot_acc_sat_4x8packed_us_int",
    "dot_acc_sat_4x8packed_su_int",
]

_FEW = 2048  # vectors of bytes that are processed as one number each
_BYTES = frozenset({INTEGERS["char"], INTEGERS["uchar"]})
_PACKED = INTEGERS["uint"]


@ints_of_one(of_bits)
def clz(x: IntLike, /) -> Ints:
    """Leading zero bits of ``x``; the width of the type where x = 0.

    Any of the eight integer types, any shape.
    Source: OpenCL C++ 1.0, 3.20.2.

    >>> clz(np.int16([1, 0, -1]))
    array([15, 16,  0], dtype=int16)
    """


@ints_of_one(of_bits)
def ctz(x: IntLike, /) -> Ints:
    """Trailing zero bits of ``x``; the width of the type where x = 0.

    Any of the eight integer types, any shape.
    Source: OpenCL C++ 1.0, 3.20.2.

    >>> ctz(np.uint32(40))
    np.uint32(3)
    """


@ints_of_two(of_bits)
def rotate(v: IntLike, i: IntLike, /) -> Ints:
    """``v`` with its bits shifted left by ``i``; bits shifted out on the left come in on the right.

    Any of the eight integer types, one for all, shapes that broadcast. The shift counts modulo the width: a
    negative one turns right.
    Source: OpenCL C++ 1.0, 3.20.2.

    >>> rotate(np.uint8(0x81), 1)
    np.uint8(3)
    """


@ints_of_one(of_bits)
def popcount(x: IntLike, /) -> Ints:
    """Set bits of ``x``; negative numbers count in two's complement.

    Any of the eight integer types, any shape.
    Source: OpenCL C++ 1.0, 3.20.2.

    >>> popcount(np.int8(-1))
    np.int8(8)
    """


@ints_of_two(of_bits)
def upsample(hi: IntLike, lo: IntLike, /) -> Ints:
    """``hi`` above ``lo`` in a type twice as wide: (hi << width) | lo.

    char, short or int, or their unsigned types, in ``hi``; the unsigned type of the same width in ``lo``;
    shapes that broadcast. The result is signed where hi is.
    Source: OpenCL C++ 1.0, 3.20.2.

    >>> upsample(np.int8(-1), np.uint8(2))
    np.int16(-254)
    """


@ints_of_one(of_bits)
def abs(x: IntLike, /) -> Ints:
    """|x| in the unsigned type of the same width, which also holds the magnitude of the smallest number.

    Any of the eight integer types, any shape.
    Source: OpenCL C++ 1.0, 3.20.3.

    >>> abs(np.int8([-128, 5]))
    array([128,   5], dtype=uint8)
    """


@ints_of_two(of_bits)
def abs_diff(x: IntLike, y: IntLike, /) -> Ints:
    """|x - y|, exact, in the unsigned type of the same width.

    Any of the eight integer types, one for all, shapes that broadcast.
    Source: OpenCL C++ 1.0, 3.20.3.

    >>> abs_diff(np.int8(-128), np.int8(127))
    np.uint8(255)
    """


@ints_of_two(of_bits)
def add_sat(x: IntLike, y: IntLike, /) -> Ints:
    """``x + y``, or the end of the type that it passes.

    Any of the eight integer types, one for all, shapes that broadcast.
    Source: OpenCL C++ 1.0, 3.20.3.

    >>> add_sat(np.uint8([250, 100]), 10)
    array([255, 110], dtype=uint8)
    """


@ints_of_two(of_bits)
def hadd(x: IntLike, y: IntLike, /) -> Ints:
    """(x + y) >> 1, the mean rounded toward -infinity; the sum does not overflow.

    Any of the eight integer types, one for all, shapes that broadcast.
    Source: OpenCL C++ 1.0, 3.20.3.

    >>> hadd(np.int8(127), np.int8(126))
    np.int8(126)
    """


@ints_of_two(of_bits)
def rhadd(x: IntLike, y: IntLike, /) -> Ints:
    """(x + y + 1) >> 1, the mean rounded toward +infinity; the sum does not overflow.

    Any of the eight integer types, one for all, shapes that broadcast.
    Source: OpenCL C++ 1.0, 3.20.3.

    >>> rhadd(np.int8(127), np.int8(126))
    np.int8(127)
    """


@ints_of_three(of_bits)
def mad_hi(a: IntLike, b: IntLike, c: IntLike, /) -> Ints:
    """mul_hi(a, b) + c, modulo 2^width.

    Any of the eight integer types, one for all, shapes that broadcast.
    Source: OpenCL C++ 1.0, 3.20.3.

    >>> mad_hi(np.uint8(255), np.uint8(255), np.uint8(3))
    np.uint8(1)
    """


@ints_of_three(of_bits)
def mad_sat(a: IntLike, b: IntLike, c: IntLike, /) -> Ints:
    """``a * b + c``, exact, or the end of the type that it passes.

    Any of the eight integer types, one for all, shapes that broadcast.
    Source: OpenCL C++ 1.0, 3.20.3.

    >>> mad_sat(np.int64(2**62), 2, -1)
    np.int64(9223372036854775807)
    """


@ints_of_two(of_bits)
def mul_hi(x: IntLike, y: IntLike, /) -> Ints:
    """The high half of the product of ``x`` and ``y``: floor(x * y / 2^width).

    Any of the eight integer types, one for all, shapes that broadcast.
    Source: OpenCL C++ 1.0, 3.20.3.

    >>> mul_hi(np.uint64(2**63), np.uint64(6))
    np.uint64(3)
    """


@ints_of_two(of_bits)
def sub_sat(x: IntLike, y: IntLike, /) -> Ints:
    """``x - y``, or the end of the type that it passes.

    Any of the eight integer types, one for all, shapes that broadcast.
    Source: OpenCL C++ 1.0, 3.20.3.

    >>> sub_sat(np.uint8([3, 30]), 10)
    array([ 0, 20], dtype=uint8)
    """


@ints_of_three(of_bits)
def mad24(x: IntLike, y: IntLike, z: IntLike, /) -> Ints:
    """mul24(x, y) + z, modulo 2^32.

    int or uint, one for all, shapes that broadcast. Beyond 24 bits: see ``mul24``.
    Source: OpenCL C++ 1.0, 3.20.4.

    >>> mad24(np.int32(-3), 5, 1)
    np.int32(-14)
    """


@ints_of_two(of_bits)
def mul24(x: IntLike, y: IntLike, /) -> Ints:
    """The product of two 24-bit integers, modulo 2^32.

    int or uint, one for both, shapes that broadcast. Beyond 24 bits the result is implementation-defined;
    clmath multiplies the low 24 bits, extended by the sign in bit 23 where the type is int.
    Source: OpenCL C++ 1.0, 3.20.4.

    >>> mul24(np.uint32([1000, 2**24 + 5]), 7)
    array([7000,   35], dtype=uint32)
    """


def _plan_of_fields(name: str, kinds: tuple[Kind, ...], **options: object) -> Plan | None:
    """Return the plan of a built-in of bit fields, which checks them."""
    return call.plan_of_bits(name, kinds, check=_field_fits, **options)


@call.planned_first(_plan_of_fields)
def bitfield_insert(
    base: IntLike,
    insert: IntLike,
    offset: IntLike,
    count: IntLike,
    /,
    *,
    out: Out = None,
    where: Where = True,
    threads: int = 1,
) -> Ints:
    """``base`` with its bits offset .. offset + count - 1 replaced by the lowest ``count`` of ``insert``.

    Any of the eight integer types, one for base and insert, shapes that broadcast. ``offset`` and ``count`` are
    uint, plain Python integers or any integers that fit. An error where offset + count passes the width, which
    the specification leaves undefined.
    Source: OpenCL extension cl_khr_extended_bit_ops.

    >>> bitfield_insert(np.uint8(0), np.uint8(0xFF), 2, 3)
    np.uint8(28)
    """
    args = base, insert, offset, count
    return call.bits("bitfield_insert", args, out, where, threads=threads, check=_field_fits)


@planned_by(_plan_of_fields)
def of_fields(name: str, args: Arguments, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Ints:
    """Evaluate a built-in of bit fields."""
    return call.bits(name, args, out, where, threads=threads, check=_field_fits)


@ints_of_three(of_fields)
def bitfield_extract_signed(base: IntLike, offset: IntLike, count: IntLike, /) -> Ints:
    """The bits offset .. offset + count - 1 of ``base`` as a signed number, 0 if ``count`` is 0.

    Any of the eight integer types, shapes that broadcast; the result is signed, of the same width. ``offset``
    and ``count`` are uint, plain Python integers or any integers that fit. An error where offset + count passes
    the width, which the specification leaves undefined.
    Source: OpenCL extension cl_khr_extended_bit_ops.

    >>> bitfield_extract_signed(np.uint8(0b11100), 2, 3)
    np.int8(-1)
    """


@ints_of_three(of_fields)
def bitfield_extract_unsigned(base: IntLike, offset: IntLike, count: IntLike, /) -> Ints:
    """The bits offset .. offset + count - 1 of ``base`` as an unsigned number, 0 if ``count`` is 0.

    As ``bitfield_extract_signed``; the result is unsigned, of the same width.
    Source: OpenCL extension cl_khr_extended_bit_ops.

    >>> bitfield_extract_unsigned(np.int8(0b11100), 2, 3)
    np.uint8(7)
    """


@ints_of_one(of_bits)
def bit_reverse(base: IntLike, /) -> Ints:
    """The bits of ``base`` in the opposite order.

    Any of the eight integer types, any shape.
    Source: OpenCL extension cl_khr_extended_bit_ops.

    >>> bit_reverse(np.uint8(0b00010011))
    np.uint8(200)
    """


def dot_acc_sat(
    a: IntLike, b: IntLike, acc: IntLike, /, *, out: Out = None, where: Where = True, threads: int = 1
) -> Ints:
    """dot(a, b) + ``acc``, or the end of the type that it passes.

    char4 or uchar4, each of ``a`` and ``b`` by itself: their last axis is 4 long, the other axes broadcast.
    ``acc`` and the result are uint where both are uchar4, otherwise int.
    Source: OpenCL extension cl_khr_integer_dot_product.

    >>> dot_acc_sat(np.uint8([9, 9, 9, 9]), np.uint8([9, 9, 9, 9]), 2**32 - 1)
    np.uint32(4294967295)
    """
    return of_bytes("dot_acc_sat", (a, b), (acc,), out, where, threads)


def of_bytes(  # noqa: PLR0917 - keywords, passed on by position
    name: str, vectors: Sequence[IntLike], more: Sequence[IntLike], out: Out, where: Where, threads: int
) -> Ints:
    """Evaluate a dot product of char4 and uchar4."""
    if out is None and where is True and type(threads) is int and threads == 1:
        found = _by_packed(name, vectors, more)
        if found is not None:
            return found
    return call.bits(name, (*vectors, *more), out, where, threads=threads)


def _by_packed(name: str, vectors: Sequence[IntLike], more: Sequence[IntLike]) -> Ints | None:
    """Return the result of the packed built-in for few contiguous vectors, or None for other arguments.

    The order of the bytes in a word does not matter, because products are summed.
    """
    bytes_of = [a for a in vectors if type(a) is np.ndarray and a.dtype in _BYTES and a.flags.c_contiguous]
    shapes = {a.shape for a in bytes_of}
    *outer, width = (shapes.pop() if len(bytes_of) == len(vectors) and len(shapes) == 1 else ()) or (0,)
    if width != _PACKED.itemsize or not 0 < math.prod(outer) <= _FEW:
        return None
    kinds = "".join([a.dtype.kind for a in bytes_of]).replace("i", "s")
    word = "uint" if kinds == "uu" else "int"
    if any(type(a) is not np.ndarray or a.shape != tuple(outer) or a.dtype != INTEGERS[word] for a in more):
        return None
    refuse_altered_arithmetic(f"{name}()")
    packed = f"{name}_4x8packed_{kinds}_{word}"
    words = [np.frombuffer(a, _PACKED).reshape(outer) for a in bytes_of]
    return call.bits(packed, (*words, *more))


@ints_of_two(of_bits)
def dot_4x8packed_uu_uint(a: IntLike, b: IntLike, /) -> Ints:
    """The exact dot product of ``a`` and ``b`` as uchar4, four bytes in a uint each, the lowest first.

    uint, shapes that broadcast; plain Python integers and other integers that fit are taken. The result is uint.
    Source: OpenCL extension cl_khr_integer_dot_product.

    >>> dot_4x8packed_uu_uint(0xff, 0x02)
    np.uint32(510)
    """


@ints_of_two(of_bits)
def dot_4x8packed_ss_int(a: IntLike, b: IntLike, /) -> Ints:
    """The exact dot product of ``a`` and ``b`` as char4, four bytes in a uint each, the lowest first.

    Arguments as in ``dot_4x8packed_uu_uint``; the result is int. Source: OpenCL extension cl_khr_integer_dot_product.

    >>> dot_4x8packed_ss_int(0xff, 0x02)
    np.int32(-2)
    """


@ints_of_two(of_bits)
def dot_4x8packed_us_int(a: IntLike, b: IntLike, /) -> Ints:
    """The exact dot product of ``a`` as uchar4 and ``b`` as char4, four bytes in a uint each, the lowest first.

    Arguments as in ``dot_4x8packed_uu_uint``; the result is int. Source: OpenCL extension cl_khr_integer_dot_product.

    >>> dot_4x8packed_us_int(0xff, 0xff)
    np.int32(-255)
    """


@ints_of_two(of_bits)
def dot_4x8packed_su_int(a: IntLike, b: IntLike, /) -> Ints:
    """The exact dot product of ``a`` as char4 and ``b`` as uchar4, four bytes in a uint each, the lowest first.

    Arguments as in ``dot_4x8packed_uu_uint``; the result is int. Source: OpenCL extension cl_khr_integer_dot_product.

    >>> dot_4x8packed_su_int(0xff, 0xff)
    np.int32(-255)
    """


@ints_of_three(of_bits)
def dot_acc_sat_4x8packed_uu_uint(a: IntLike, b: IntLike, acc: IntLike, /) -> Ints:
    """dot_4x8packed_uu_uint(a, b) + ``acc``, or the end of the type that it passes.

    uint in ``a``, ``b`` and ``acc``, shapes that broadcast; integers that fit are taken. The result is uint.
    Source: OpenCL extension cl_khr_integer_dot_product.

    >>> dot_acc_sat_4x8packed_uu_uint(0x01010101, 0x02020202, 2**32 - 1)
    np.uint32(4294967295)
    """


@ints_of_three(of_bits)
def dot_acc_sat_4x8packed_ss_int(a: IntLike, b: IntLike, acc: IntLike, /) -> Ints:
    """dot_4x8packed_ss_int(a, b) + ``acc``, or the end of the type that it passes.

    uint in ``a`` and ``b``, int in ``acc``, shapes that broadcast; integers that fit are taken. The result is int.
    Source: OpenCL extension cl_khr_integer_dot_product.

    >>> dot_acc_sat_4x8packed_ss_int(0x01010101, 0x02020202, 2**31 - 1)
    np.int32(2147483647)
    """


@ints_of_three(of_bits)
def dot_acc_sat_4x8packed_us_int(a: IntLike, b: IntLike, acc: IntLike, /) -> Ints:
    """dot_4x8packed_us_int(a, b) + ``acc``, or the end of the type that it passes.

    uint in ``a`` and ``b``, int in ``acc``, shapes that broadcast; integers that fit are taken. The result is int.
    Source: OpenCL extension cl_khr_integer_dot_product.

    >>> dot_acc_sat_4x8packed_us_int(0x01010101, 0x02020202, 2**31 - 1)
    np.int32(2147483647)
    """


@ints_of_three(of_bits)
def dot_acc_sat_4x8packed_su_int(a: IntLike, b: IntLike, acc: IntLike, /) -> Ints:
    """dot_4x8packed_su_int(a, b) + ``acc``, or the end of the type that it passes.

    uint in ``a`` and ``b``, int in ``acc``, shapes that broadcast; integers that fit are taken. The result is int.
    Source: OpenCL extension cl_khr_integer_dot_product.

    >>> dot_acc_sat_4x8packed_su_int(0x01010101, 0x02020202, 2**31 - 1)
    np.int32(2147483647)
    """


def _field_fits(call: str, arrays: Sequence[np.ndarray]) -> None:
    """Refuse a bit field that passes the end of its type."""
    base, (offset, count) = arrays[0], arrays[-2:]
    width, ends = 8 * base.dtype.itemsize, np.add(offset, count, dtype=np.int64)
    if np.count_nonzero(ends > width):
        last = ends.max()
        fact = f"offset + count is {last}, base has {width} bits"
        raise errors.RangeError(f"{call}: a field lies within its type; {fact}: keep offset + count <= {width}")
