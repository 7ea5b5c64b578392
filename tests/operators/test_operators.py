"""Operators against exact Python integers, fractions and the sentences of OpenCL C++ 1.0, 2.1.2, 2.3 and 2.4."""

from __future__ import annotations

import itertools
import operator
from fractions import Fraction

import numpy as np
import pytest

import clmath
from tests import by_fractions
from tests.cases import for_each

TYPES = {"char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4", "long": "i8"}
TYPES["ulong"] = "u8"
FLOATS = {"half": np.float16, "float": np.float32, "double": np.float64}
MODES = ("rte", "rtz", "rtp", "rtn")


def wrapped(value, dtype):
    """``value`` modulo 2^n in ``dtype``."""
    info = np.iinfo(dtype)
    return (value - int(info.min)) % 2**info.bits + int(info.min)


def numbers(dtype, count, seed):
    """Random integers of every length, and the ends of the type."""
    r, info = np.random.default_rng(seed), np.iinfo(dtype)
    bits = r.integers(0, 2**64, count, np.uint64) >> r.integers(0, 64, count).astype(np.uint64)
    ends = [info.min, info.min + 1, info.max, info.max - 1, 0, 1, 2, 3, wrapped(-1, dtype), info.max // 2]
    values = bits.astype(dtype)
    where = r.random(count) < 0.3
    values[where] = np.array(ends, dtype)[r.integers(0, len(ends), int(where.sum()))]
    return values


def quotient(x, y):
    if y == 0:
        return -1
    q = abs(x) // abs(y)
    return q if (x < 0) == (y < 0) else -q


def remainder(x, y):
    return x if y == 0 else x - y * quotient(x, y)


BINARY = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": quotient,
    "rem": remainder,
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
}
UNARY = {"negative": operator.neg, "positive": operator.pos, "bitwise_not": operator.inv}
COMPARED = {
    "equal": operator.eq,
    "not_equal": operator.ne,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "logical_and": lambda x, y: x != 0 and y != 0,
    "logical_or": lambda x, y: x != 0 or y != 0,
}


def usual(first, second):
    """The usual arithmetic conversions, as C++14, 5, has them: promotion, then rank, then unsigned."""
    if "f" in (first.kind, second.kind):
        return max((d for d in (first, second) if d.kind == "f"), key=lambda d: d.itemsize)
    a, b = (np.dtype("i4") if d.itemsize < 4 else d for d in (first, second))
    if a.kind == b.kind or a.itemsize != b.itemsize:
        return a if a.itemsize >= b.itemsize else b
    return a if a.kind == "u" else b


@for_each("name", BINARY)
@for_each("type_", TYPES.values())
def test_vectors_of_one_type(name, type_):
    x, y = numbers(type_, 4000, 1), numbers(type_, 4000, 2)
    found = getattr(clmath, name)(x, y, vector=True)
    assert found.dtype == type_
    pairs = zip(x.tolist(), y.tolist(), strict=True)
    assert found.tolist() == [wrapped(BINARY[name](a, b), type_) for a, b in pairs]


@for_each("name", BINARY)
def test_scalars_of_any_two_types(name):
    for i, (first, second) in enumerate(itertools.product([*TYPES.values(), "?"], repeat=2)):
        x, y = (
            numbers("u1", 300, i + k) % 2 == 1 if t == "?" else numbers(t, 300, i + k)
            for k, t in enumerate((first, second))
        )
        found = getattr(clmath, name)(x, y)
        dtype = usual(np.dtype(first), np.dtype(second))
        assert found.dtype == dtype, (first, second)
        a, b = ([wrapped(int(v), dtype) for v in values.tolist()] for values in (x, y))
        assert found.tolist() == [wrapped(BINARY[name](p, q), dtype) for p, q in zip(a, b, strict=True)]


@for_each("name", UNARY)
@for_each("type_", TYPES.values())
def test_unary(name, type_):
    x = numbers(type_, 2000, 3)
    found = getattr(clmath, name)(x, vector=True)
    assert found.dtype == type_
    assert found.tolist() == [wrapped(UNARY[name](a), type_) for a in x.tolist()]
    promoted = getattr(clmath, name)(x)
    assert promoted.dtype == usual(np.dtype(type_), np.dtype("i1"))
    assert promoted.tolist() == [wrapped(UNARY[name](a), promoted.dtype) for a in x.tolist()]


@for_each("vector", [False, True])
@for_each("type_", TYPES.values())
def test_shifts_count_modulo_the_width(type_, vector):
    for i, count in enumerate(TYPES.values()):
        x, y = numbers(type_, 1000, i), numbers(count, 1000, 50 + i)
        left, right = clmath.left_shift(x, y, vector=vector), clmath.right_shift(x, y, vector=vector)
        dtype = np.dtype(type_) if vector or np.dtype(type_).itemsize > 4 else usual(np.dtype(type_), np.dtype("i1"))
        assert left.dtype == right.dtype == dtype
        bits = 8 * dtype.itemsize
        pairs = list(zip(x.tolist(), y.tolist(), strict=True))
        assert left.tolist() == [wrapped(a << (b % bits), dtype) for a, b in pairs]
        assert right.tolist() == [a >> (b % bits) for a, b in pairs]


@for_each("name", COMPARED)
def test_comparisons_of_any_two_types(name):
    for i, (first, second) in enumerate(itertools.product(TYPES.values(), repeat=2)):
        x, y = numbers(first, 300, i), numbers(second, 300, i + 1)
        x[:40] = y[:40].astype(first)
        dtype = usual(np.dtype(first), np.dtype(second))
        a, b = ([wrapped(v, dtype) for v in values.tolist()] for values in (x, y))
        due = [COMPARED[name](p, q) for p, q in zip(a, b, strict=True)]
        found = getattr(clmath, name)(x, y)
        assert found.dtype == np.int32
        assert found.tolist() == [int(d) for d in due]
        assert getattr(clmath, name)(x, y, dtype=bool).tolist() == due
        if first == second:
            lanes = getattr(clmath, name)(x, y, vector=True)
            assert lanes.dtype == np.dtype(f"i{np.dtype(first).itemsize}")
            assert lanes.tolist() == [-int(d) for d in due]


@for_each("name", COMPARED)
@for_each("dtype", FLOATS.values())
def test_comparisons_of_floating_point_numbers(name, dtype):
    special = dtype([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, np.finfo(dtype).smallest_subnormal])
    x, y = (a.reshape(-1) for a in np.meshgrid(special, special))
    due = [int(COMPARED[name](a, b)) for a, b in zip(x.tolist(), y.tolist(), strict=True)]
    assert getattr(clmath, name)(x, y).tolist() == due
    lanes = getattr(clmath, name)(x, y, vector=True)
    assert lanes.tolist() == [-d for d in due]
    assert lanes.dtype.itemsize == np.dtype(dtype).itemsize


def test_logical_not():
    assert clmath.logical_not(np.float32([0.0, -0.0, np.nan, 5])).tolist() == [1, 1, 0, 0]
    assert clmath.logical_not(np.uint8([0, 3]), vector=True).tolist() == [-1, 0]
    assert clmath.logical_not(np.array([True, False]), dtype=bool).tolist() == [False, True]
    assert clmath.logical_not(np.array([True, False]), vector=True).dtype == np.int8


EXACT = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
}


@for_each("mode", MODES)
@for_each("dtype", FLOATS.values())
@for_each("name", EXACT)
def test_integers_beside_floating_point_numbers(name, dtype, mode):
    """The integer is rounded to the format, then the result, both in the mode."""
    from clmath.numbers.rounding import round_real

    form = {np.float16: "half", np.float32: "float", np.float64: "double"}[dtype]
    x = np.random.default_rng(9).uniform(0.5, 4, 60).astype(dtype)
    y = numbers("i2" if dtype is np.float16 else "i8", 60, 10)
    y[y == 0] = 3
    found = getattr(clmath, name)(x, y, rounding=mode)
    assert found.dtype == dtype
    target = clmath.numbers.formats.format_named(form)
    for a, b, result in zip(x.tolist(), y.tolist(), found, strict=True):
        converted = Fraction(float(round_real(b, target, mode)))
        due = round_real(EXACT[name](Fraction(a), converted), target, mode)
        assert (a, b, result) == (a, b, due)


def test_floating_point_numbers_of_several_formats():
    for first, second in itertools.product(FLOATS.values(), repeat=2):
        wide = max(first, second, key=lambda d: np.dtype(d).itemsize)
        found = clmath.add(first([1.5, 2.5]), second([0.25, 1.0]))
        assert found.dtype == wide
        assert found.tolist() == [1.75, 3.5]


def test_a_python_number_is_a_literal():
    assert clmath.add(np.uint32(5), -1) == np.uint32(4)
    assert clmath.add(np.uint32(5), -6) == np.uint32(2**32 - 1)
    assert clmath.add(np.int8(127), 1) == 128
    assert clmath.add(np.int32(1), 2**31).dtype == np.int64
    assert clmath.add(np.int32(1), 2**63).dtype == np.uint64
    assert clmath.mul(np.int32([3]), 0.5).tolist() == [1.5]
    assert clmath.mul(np.int32([3]), 0.5).dtype == np.float64
    assert clmath.rem(7, 4) == 3
    assert clmath.rem(7, 4).dtype == np.int64
    assert clmath.less(1, 2) == 1
    assert clmath.add(True, True) == 2
    assert clmath.add(True, True).dtype == np.int32
    with pytest.raises(clmath.RangeError, match="no integer type holds"):
        clmath.rem(2**64, 3)


def test_python_numbers_alone_and_one_format_are_as_before():
    assert clmath.add(1, 2).dtype == np.float64
    assert clmath.add(np.float32(1), 2).dtype == np.float32
    assert clmath.add([1, 2], [3, 4]).dtype == np.float64
    assert clmath.div(np.float32(1), 3, rounding="rtz") < clmath.div(np.float32(1), 3, rounding="rtp")


def test_scalars_beside_vectors_are_widened():
    x = np.uint8([250, 251])
    assert clmath.add(x, np.uint8(10), vector=True).tolist() == [4, 5]
    assert clmath.add(x, 10, vector=True).dtype == np.uint8
    assert clmath.add(np.int32([1, 2]), np.int8(-3), vector=True).tolist() == [-2, -1]
    assert clmath.add(np.int32([1, 2]), np.uint32(7), vector=True).dtype == np.int32
    assert clmath.add(np.float32([1, 2]), np.int32(2**24), vector=True).dtype == np.float32
    assert clmath.mul(np.float16([1, 2]), 3, vector=True).dtype == np.float16
    assert clmath.add(np.float32([1, 2]), 0.1, vector=True).dtype == np.float32
    assert clmath.add(np.int16([1, 2]), np.bool_(True), vector=True).tolist() == [2, 3]
    assert clmath.add(np.int16(1), 2, vector=True).dtype == np.int16


@for_each(
    "x, y, words",
    [
        (np.uint8([1, 2]), 256, "y is 256, a scalar of type int"),
        (np.uint8([1, 2]), -1, "y is -1"),
        (np.uint8([1, 2]), 1.0, "y is 1.0, a scalar of type float"),
        (np.int8([1, 2]), np.int32(1), "a scalar of type int"),  # of higher rank, whatever it holds
        (np.int32([1, 2]), np.uint32(2**31), "y is 2147483648"),
        (np.float32([1, 2]), np.float64(1), "a scalar of type double"),
        (np.float32([1, 2]), np.int32(2**24 + 1), "y is 16777217"),
        (np.int64([1, 2]), np.float16(1), "a scalar of type half"),
        (np.float16([1, 2]), np.int32(70000), "y is 70000"),
        (np.int32([1, 2]), np.uint32([1, 2]), "all gentype arguments need one type"),
        (np.float32([1, 2]), np.float64([1, 2]), "all gentype arguments need one type"),
        (np.int32([1, 2]), np.int32([[1], [2]]), "x has 2 lanes, y has 1 lanes"),
        (np.array([True, False]), np.array([True, False]), "dtype bool"),
    ],
)
def test_what_is_ill_formed_beside_vectors_is_refused(x, y, words):
    with pytest.raises(clmath.ClmathError) as caught:
        clmath.add(x, y, vector=True)
    assert words in str(caught.value)
    with pytest.raises(clmath.ClmathError):
        clmath.sub(y, x, vector=True)


def test_shifts_of_vectors():
    assert clmath.left_shift(np.uint8([1, 2]), np.int64([9, -7]), vector=True).tolist() == [2, 4]
    assert clmath.right_shift(np.int8([-128, 64]), 14, vector=True).tolist() == [-2, 1]
    assert clmath.right_shift(np.int8([-128, 64]), np.bool_(True), vector=True).tolist() == [-64, 32]
    with pytest.raises(clmath.ShapeError, match="x is a scalar"):
        clmath.left_shift(np.uint8(1), np.uint8([1, 2]), vector=True)
    with pytest.raises(clmath.ShapeError, match="same number"):
        clmath.left_shift(np.uint8([1, 2, 3]), np.uint8([1, 2]), vector=True)
    with pytest.raises(clmath.DTypeError, match="x has dtype float"):
        clmath.left_shift(np.float32(1), 1)
    with pytest.raises(clmath.DTypeError, match="y has dtype double"):
        clmath.left_shift(1, 1.0)


def test_conditional():
    c = np.float32([0.0, -0.0, np.nan, 2])
    assert clmath.conditional(c, np.int8(1), np.int8(2)).tolist() == [2, 2, 1, 1]
    assert clmath.conditional(c, np.int8(1), np.int8(2)).dtype == np.int8
    assert clmath.conditional(c, np.int8(1), np.int16(2)).dtype == np.int32
    assert clmath.conditional(True, np.int32(1), np.float16(2)).dtype == np.float16
    x, y = np.arange(8, dtype=np.int16).reshape(2, 4), np.zeros(4, np.int16)
    assert clmath.conditional([0, 1], x, y, vector=True).tolist() == [[0] * 4, [4, 5, 6, 7]]
    assert clmath.conditional(np.int32([0, 1]), x, 5, vector=True).tolist() == [[5] * 4, [4, 5, 6, 7]]


def test_nan_keeps_its_bits_where_only_the_sign_changes():
    x = np.array([0x7FA00001, 0xFFC00002, 0x80000000], np.uint32).view(np.float32)
    assert clmath.negative(x).view(np.uint32).tolist() == [0xFFA00001, 0x7FC00002, 0]
    assert clmath.positive(x).view(np.uint32).tolist() == x.view(np.uint32).tolist()


def test_odd_containers():
    x = np.arange(-6, 6, dtype=">i2").reshape(3, 4)[:, ::-2]
    due = [[wrapped(v * 3, "i4") for v in row] for row in x.tolist()]
    assert clmath.mul(x, 3).tolist() == due
    assert clmath.mul(x, 3).dtype.isnative
    out = np.empty((3, 2), np.int32)
    assert clmath.mul(x, 3, out=out) is out
    assert out.tolist() == due
    same = np.arange(40000, dtype=np.int32)
    clmath.sub(same[1:], same[:-1], out=same[1:])
    assert same[1:].tolist() == [1] * 39999
    assert clmath.add(np.int32([1, 2]), np.int32([3, 4]), where=[True, False]).tolist() == [4, 0]
    assert clmath.rem(np.zeros((0, 3), np.int8), 3).shape == (0, 3)
    masked = clmath.rem(np.ma.MaskedArray(np.int32([7, 8]), [0, 1]), 4)
    assert masked.tolist() == [3, None]
    assert clmath.bitwise_and([6, 5], 4).tolist() == [4, 4]
    mask = np.empty(2, bool)
    assert clmath.less(np.int32([1, 5]), 3, out=mask).tolist() == [True, False]
    mixed = clmath.add(np.ma.MaskedArray(np.int32([7, 8]), [0, 1]), np.float32(0.5))
    assert mixed.tolist() == [7.5, None]


@for_each(
    "call, error, words",
    [
        (lambda: clmath.rem(np.float32(1), 2), clmath.DTypeError, "rem(): x has dtype float"),
        (lambda: clmath.rem(1.0, 2), clmath.DTypeError, "rem(): x has dtype double"),
        (lambda: clmath.bitwise_not("a"), clmath.DTypeError, "bitwise_not(): x has dtype <U1"),
        (lambda: clmath.bitwise_not(np.array([True]), vector=True), clmath.DTypeError, "x has dtype bool"),
        (lambda: clmath.equal(1, 2, vector=True, dtype=bool), clmath.DTypeError, "leave one of them out"),
        (lambda: clmath.equal(1, 2, dtype=int), clmath.DTypeError, "is not bool"),
        (lambda: clmath.add(np.int32(1), 2, rounding="up"), clmath.RoundingError, "add(): rounding='up'"),
        (lambda: clmath.add(np.int32(1), 2, out=np.empty((), np.int64)), clmath.DTypeError, "out has dtype int64"),
        (lambda: clmath.add(np.int32(1), 2, vector="no"), clmath.DTypeError, "vector='no'"),
        (lambda: clmath.add(np.int32([1, 2]), np.int32([1, 2, 3])), clmath.ShapeError, "do not broadcast"),
        (lambda: clmath.add(np.int32(1), np.complex64(1)), clmath.DTypeError, "y has dtype complex64"),
    ],
)
def test_bad_input_is_refused_by_name(call, error, words):
    with pytest.raises(error) as caught:
        call()
    assert words in str(caught.value)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(4))
def test_a_million_random_cases(seed):
    """Integers of any two types, and floating-point numbers in every mode, by Python's integers and by fractions."""
    rng, left = np.random.default_rng(seed), 250_000
    while left > 0:
        name = rng.choice([*BINARY, *COMPARED, "left_shift", "right_shift", *EXACT])
        if name in EXACT and rng.random() < 0.5:
            left -= random_floats(rng, name)
            continue
        first, second = rng.choice([*TYPES.values()], 2)
        x, y = numbers(first, 1000, rng.integers(2**32)), numbers(second, 1000, rng.integers(2**32))
        pairs, dtype = list(zip(x.tolist(), y.tolist(), strict=True)), usual(np.dtype(first), np.dtype(second))
        if name.endswith("shift"):
            dtype = usual(np.dtype(first), np.dtype("i1"))
            bits = 8 * dtype.itemsize
            due = [wrapped(a << b % bits if name == "left_shift" else a >> b % bits, dtype) for a, b in pairs]
        else:
            pairs = [(wrapped(a, dtype), wrapped(b, dtype)) for a, b in pairs]
            due = [BINARY[name](a, b) if name in BINARY else int(COMPARED[name](a, b)) for a, b in pairs]
            due = [wrapped(d, dtype) for d in due] if name in BINARY else due
        found = getattr(clmath, name)(x, y)
        assert found.dtype == (dtype if name not in COMPARED else np.int32)
        assert found.tolist() == due, (name, first, second)
        left -= 1000


def random_floats(rng, name):
    """A thousand results of numbers of two formats, of which the wider one is taken."""
    kinds, mode = rng.choice(["f2", "f4", "f8"], 2), rng.choice(MODES)
    x, y = (by_fractions.numbers(rng, kind, 1000) for kind in kinds)
    y = np.where(y == 0, y.dtype.type(1), y) if name == "div" else y
    wide = max(kinds)
    found = getattr(clmath, name)(x, y, rounding=mode)
    assert found.dtype == wide
    exact = map(EXACT[name], by_fractions.as_fractions(x), by_fractions.as_fractions(y))
    due = [by_fractions.rounded(value, wide, mode) for value in exact]
    assert found.tolist() == due, (name, kinds, mode)
    return 1000
