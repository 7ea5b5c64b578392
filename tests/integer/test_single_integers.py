"""Built-ins that single integers ask of Python's ints: the values, types and errors of arrays."""

import numpy as np
import pytest

import clmath
from clmath.direct.ints import ON_INTS
from clmath.functions import integer
from clmath.numbers.datatypes import type_name
from clmath.spec.builtins import EXACT, builtins
from tests.cases import for_each

ROWS = builtins(*EXACT)
TYPES = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]
COUNT = 300


def ends(dtype):
    info = np.iinfo(dtype)
    return [info.min, info.min + 1, info.max - 1, info.max, info.max // 2, info.min // 2, *range(max(info.min, -2), 3)]


def column(dtype, rng):
    """Ends and random numbers of a type, of every size."""
    info = np.iinfo(dtype)
    size = rng.integers(0, 8 * np.dtype(info.dtype).itemsize, COUNT)
    numbers = rng.integers(0, 1 << 64, COUNT, np.uint64) >> (np.uint64(63) - size.astype(np.uint64))
    numbers = numbers.astype(info.dtype)
    return np.where(rng.random(COUNT) < 0.4, rng.choice(np.array(ends(info.dtype), info.dtype), COUNT), numbers)


def function(name):
    """That of integers, where floats have one of its name."""
    return getattr(integer, name)


def arguments(name, dtype):
    rng = np.random.default_rng([len(name), np.dtype(dtype).num])
    fixed = {"uint": np.uint32, "int": np.int32, "ugentype": np.dtype(f"u{np.dtype(dtype).itemsize}").type}
    columns = [column(fixed.get(p.type, dtype), rng) for p in ROWS[name].inputs]
    if "bitfield" in name:
        width = 8 * np.dtype(dtype).itemsize
        offset = rng.integers(0, width + 1, COUNT)
        columns[-2:] = [offset.astype(np.uint32), rng.integers(0, width - offset + 1).astype(np.uint32)]
    return columns


CASES = [
    (name, dtype)
    for name in sorted(ON_INTS)
    for dtype in (TYPES if any(p.type == "gentype" for p in ROWS[name].inputs) else [np.uint32])
    if type_name(np.dtype(dtype)) in ROWS[name].types or dtype == np.uint32
]


@for_each("name, dtype", CASES)
def test_the_values_of_arrays(name, dtype, counted):
    columns = arguments(name, dtype)
    want = function(name)(*columns)
    counted.clear()
    found = [function(name)(*row) for row in zip(*columns, strict=True)]
    assert counted == []
    assert {type(value) for value in found} == {want.dtype.type}
    assert np.array(found).tobytes() == want.tobytes()


def test_other_integers_are_taken_where_they_fit(counted):
    assert clmath.bitfield_extract_signed(np.int8(-100), np.int64(2), 4) == 7
    assert clmath.dot_4x8packed_ss_int(np.int64(2**32 - 1), 0x02020202) == -8
    assert clmath.mad_sat(np.uint8(200), 1, 100) == 255
    assert counted == []


@for_each(
    "call",
    [
        lambda one: clmath.dot_4x8packed_ss_int(one(np.int64(-1)), 1),
        lambda one: clmath.dot_4x8packed_ss_int(one(np.uint32(1)), 1 << 32),
        lambda one: clmath.bitfield_insert(one(np.int8(1)), np.int8(1), 7, 2),
        lambda one: clmath.bitfield_extract_unsigned(one(np.uint16(1)), np.uint32(2**32 - 1), 2),
        lambda one: clmath.mad_sat(one(np.int8(1)), 128, 0),
        lambda one: clmath.mad_sat(one(np.int8(1)), np.int16(1), np.int8(1)),
    ],
)
def test_errors_are_those_of_arrays(call):
    with pytest.raises(clmath.ClmathError) as single:
        call(lambda number: number)
    with pytest.raises(clmath.ClmathError) as several:
        call(lambda number: np.asarray([number]))
    assert (type(single.value), str(single.value)) == (type(several.value), str(several.value))
