"""Reinterpretation by as_type: bytes and size are kept, and three components take the space of four."""

from __future__ import annotations

import struct

import numpy as np
import pytest

import clmath
from clmath import as_type
from tests.cases import for_each

PAIRS = [
    ("int", "float"),
    ("uint", "int"),
    ("long", "double"),
    ("ushort", "half"),
    ("char", "uchar"),
    ("double", "ulong"),
]


@for_each(("source", "target"), PAIRS)
@for_each("components", ["", "2", "3", "4", "8", "16"])
def test_bytes_are_kept_with_the_same_number_of_components(source, target, components):
    start = clmath.convert(np.arange(6 * int(components or 1)).reshape(6, -1), source) * 3
    result = as_type(start, (target, int(components)) if components else target)
    assert result.tobytes() == start.tobytes()
    assert result.shape == start.shape
    assert not np.shares_memory(result, start)


def test_examples_of_the_specification_give_their_results():
    assert as_type(0x3F800000, "float") == 1.0
    assert as_type(np.float32(1.0), "uint") == 0x3F800000
    four = as_type(np.float32([1, 2, 3, 4]), "int4")
    assert four.tolist() == [0x3F800000, 0x40000000, 0x40400000, 0x40800000]
    assert as_type(np.int32(0x00010002), "short2").tolist() == [2, 1]
    assert as_type(np.int32([1, 2, 3, 4]), "short8").tolist() == [1, 0, 2, 0, 3, 0, 4, 0]
    with pytest.raises(clmath.DTypeError, match="double4 takes 32 bytes"):
        as_type(np.float32([1, 2, 3, 4]), "double4")
    assert as_type(np.float32([1, 2, 3, 4]), "float3").tolist() == [1, 2, 3]


def test_three_components_take_the_space_of_four():
    assert as_type(np.int16([1, 2, 3]), "short4").tolist() == [1, 2, 3, 0]
    assert as_type(np.int16([1, 2, 3]), "int2").tolist() == [1 + (2 << 16), 3]
    assert as_type(np.int16([1, 2, 3]), "long") == 1 + (2 << 16) + (3 << 32)
    assert as_type(np.int64([[7, 8]]), "int3").tolist() == [[7, 0, 8]]
    with pytest.raises(clmath.DTypeError, match="3 on the last axis; int2 takes 8 bytes"):
        as_type(np.zeros((2, 3), np.float32), "int2")


def test_bytes_are_in_little_endian_order():
    data = np.arange(16, dtype=np.uint8)
    assert as_type(data, "uint4").tolist() == list(struct.unpack("<4I", bytes(range(16))))
    assert as_type(data.reshape(4, 4), "int").tolist() == list(struct.unpack("<4i", bytes(range(16))))
    swapped = np.array([1.0, 2.0], ">f4")
    assert as_type(swapped, "uint2").tolist() == [0x3F800000, 0x40000000]


def test_scalars_become_vectors_and_vice_versa():
    x = np.int64([5, -1, 2**40])
    vectors = as_type(x, "int2")
    assert vectors.shape == (3, 2)
    assert as_type(vectors, "long").tolist() == x.tolist()
    assert as_type(np.float64(1.0), "uchar8").shape == (8,)


def test_python_int_has_the_width_of_the_type():
    assert as_type(-1, "uchar") == 255
    assert as_type(0x7C00, "half") == np.inf
    assert np.signbit(as_type(0x80000000, "float"))
    with pytest.raises(clmath.DTypeError, match="does not fit the 16 bits of half"):
        as_type(0x10000, "half")


def test_nan_payloads_are_kept():
    bits = np.uint32([0x7F800001, 0xFFC12345])
    assert as_type(as_type(bits, "float"), "uint").tolist() == bits.tolist()
    assert as_type(as_type(bits, "float2"), "uint2").tolist() == bits.tolist()


def test_any_memory_layout_is_accepted():
    grid = np.arange(24, dtype=np.int32).reshape(4, 6)[:, ::2].T
    assert as_type(grid, "float").view(np.int32).tolist() == grid.tolist()
    assert as_type(np.empty((0, 4), np.int32), "float4").shape == (0, 4)
    assert as_type(np.zeros((2, 2), np.float32), "half4").shape == (2, 4)


@for_each(
    ("x", "type", "message"),
    [
        (True, "char", "x has dtype bool"),
        (np.int8(1), "bool", "type has dtype bool"),
        (1.0, "float", "8 bytes; float takes 4 bytes"),
        (np.zeros(5, np.float32), "int4", "5 on the last axis"),
    ],
)
def test_bad_arguments_are_refused(x, type, message):
    with pytest.raises(clmath.DTypeError, match=message):
        as_type(x, type)


def test_results_are_written_to_out():
    x, out = np.float32([[1, 2, 3, 4]] * 3), np.empty((3, 8), np.uint16)
    assert clmath.as_ushort8(x, out=out) is out
    assert out.tobytes() == x.tobytes()
    assert as_type(x, "int", out=x.view(np.int32)).tolist() == [[0x3F800000, 0x40000000, 0x40400000, 0x40800000]] * 3
    number = np.empty((), np.int32)
    assert as_type(np.float32(1), "int", out=number) is number
    assert number == 0x3F800000
    for wrong in (np.empty((3, 4), np.uint16), np.empty((3, 8), np.int16), [0]):
        with pytest.raises(clmath.ClmathError, match=r"as_type\(\): out "):
            clmath.as_ushort8(x, out=wrong)
