"""Operators, compared with the reference and with fractions, and the rules of OpenCL C++ 1.0, 2.1.2, 2.3 and 2.4."""

from __future__ import annotations

import array
import collections
import itertools
import operator
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import clmath
from clmath.reference.bitwise import operators
from tests import by_fractions
from tests.cases import for_each
from tests.rounding_reference import MODES, assert_bits, rounded

TYPES = {"char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4", "long": "i8"}
TYPES["ulong"] = "u8"
FLOATS = (np.float16, np.float32, np.float64)


def wrapped(value, dtype):
    """Return ``value`` modulo 2^n in the range of ``dtype``."""
    info = np.iinfo(dtype)
    return (value - int(info.min)) % 2**info.bits + int(info.min)


def numbers(dtype, count, seed):
    """Return random integers of every length, and the ends of the type."""
    r, info = np.random.default_rng(seed), np.iinfo(dtype)
    bits = r.integers(0, 2**64, count, np.uint64) >> r.integers(0, 64, count).astype(np.uint64)
    ends = [info.min, info.min + 1, info.max, info.max - 1, 0, 1, 2, 3, wrapped(-1, dtype), info.max // 2]
    values = bits.astype(dtype)
    where = r.random(count) < 0.3
    values[where] = np.array(ends, dtype)[r.integers(0, len(ends), int(where.sum()))]
    return values


BINARY = ("add", "sub", "mul", "div", "rem", "bitwise_and", "bitwise_or", "bitwise_xor")
UNARY = ("negative", "positive", "bitwise_not")
COMPARED = tuple(name for name in operators.COMPARED if name != "logical_not")
SHIFTS = operators.SHIFTS


def usual(first, second):
    """Return the common type by C++14, 5 (usual arithmetic conversions): promotion, then rank, then unsigned."""
    if "f" in (first.kind, second.kind):
        return max((d for d in (first, second) if d.kind == "f"), key=lambda d: d.itemsize)
    a, b = (np.dtype("i4") if d.itemsize < 4 else d for d in (first, second))
    if a.kind == b.kind or a.itemsize != b.itemsize:
        return a if a.itemsize >= b.itemsize else b
    return a if a.kind == "u" else b


def due(name, dtype, *values):
    """Return the result in an integer type, to which arguments are first converted, except the count of a shift."""
    return operators.applied(name, np.dtype(dtype), *values)


@for_each("name", [*BINARY, *UNARY])
def test_operators_of_vectors_equal_the_reference(name):
    for type_ in TYPES.values():
        args = [numbers(type_, 4000, seed) for seed in ((1, 2) if name in BINARY else (3,))]
        assert_bits(name, getattr(clmath, name)(*args, vector=True), due(name, type_, *args), *args)


@for_each("name", [*BINARY, *UNARY])
def test_scalars_are_converted_to_the_common_type(name):
    check_scalars(name, seed=0)


def check_scalars(name, seed):
    """Check an operator on scalars of every two types, including bool."""
    types = [*TYPES.values(), "?"]
    for i, kinds in enumerate(itertools.product(types, types) if name in BINARY else zip(types), seed):
        args = [numbers("u1", 300, i + k) % 2 == 1 if t == "?" else numbers(t, 300, i + k) for k, t in enumerate(kinds)]
        dtype = usual(np.dtype(kinds[0]), np.dtype(kinds[-1]))
        assert_bits(f"{name} of {kinds}", getattr(clmath, name)(*args), due(name, dtype, *args), *args)


@for_each("name", SHIFTS)
@for_each("vector", [False, True])
def test_shift_counts_are_taken_modulo_the_width(name, vector):
    for i, (type_, count) in enumerate(itertools.product(TYPES.values(), repeat=2)):
        x, y = numbers(type_, 500, i), numbers(count, 500, 50 + i)
        dtype = np.dtype(type_) if vector else usual(np.dtype(type_), np.dtype("i1"))
        assert_bits(f"{name} by {count}", getattr(clmath, name)(x, y, vector=vector), due(name, dtype, x, y), x, y)


@for_each("name", COMPARED)
def test_comparisons_of_any_two_types_equal_the_reference(name):
    check_comparisons(name, seed=0)


def check_comparisons(name, seed):
    for i, (first, second) in enumerate(itertools.product(TYPES.values(), repeat=2), seed):
        x, y = numbers(first, 300, i), numbers(second, 300, i + 1)
        x[:40] = y[:40].astype(first)
        dtype = usual(np.dtype(first), np.dtype(second))
        truths = operators.COMPARED[name](x.astype(dtype), y.astype(dtype))
        label = f"{name} of {first} and {second}"
        assert_bits(label, getattr(clmath, name)(x, y), truths.astype(np.int32), x, y)
        assert_bits(label, getattr(clmath, name)(x, y, dtype=bool), truths, x, y)
        if first == second:
            elements = getattr(clmath, name)(x, y, vector=True)
            assert_bits(label, elements, -truths.astype(f"i{np.dtype(first).itemsize}"), x, y)


@for_each("name", COMPARED)
@for_each("dtype", FLOATS)
def test_comparisons_of_floating_point_numbers_are_right(name, dtype):
    special = dtype([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, np.finfo(dtype).smallest_subnormal])
    x, y = (a.reshape(-1) for a in np.meshgrid(special, special))
    truths = operators.COMPARED[name](x, y)
    assert_bits(name, getattr(clmath, name)(x, y), truths.astype(np.int32), x, y)
    assert_bits(name, getattr(clmath, name)(x, y, vector=True), -truths.astype(f"i{x.itemsize}"), x, y)


def test_logical_not_is_true_for_zeros():
    assert clmath.logical_not(np.float32([0.0, -0.0, np.nan, 5])).tolist() == [1, 1, 0, 0]
    assert clmath.logical_not(np.uint8([0, 3]), vector=True).tolist() == [-1, 0]
    assert clmath.logical_not(np.array([True, False]), dtype=bool).tolist() == [False, True]
    assert clmath.logical_not(np.array([True, False]), vector=True).dtype == np.int8


EXACT = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv}


@for_each("mode", MODES)
@for_each("dtype", FLOATS)
def test_integer_and_floating_point_operands_are_both_rounded_in_the_mode(dtype, mode):
    """First the integer is rounded to the format, then the result."""
    x = np.random.default_rng(9).uniform(0.5, 4, 200).astype(dtype)
    y = numbers("i2" if dtype is np.float16 else "i8", 200, 10)
    y[y == 0] = 3
    y_rounded = rounded([Fraction(int(v)) for v in y], dtype, mode)
    for name, exact in EXACT.items():
        found = getattr(clmath, name)(x, y, rounding=mode)
        pairs = zip(by_fractions.as_fractions(x), by_fractions.as_fractions(y_rounded), strict=True)
        assert_bits(f"{name}, {mode}", found, rounded([exact(*pair) for pair in pairs], dtype, mode), x, y)


@for_each("mode", MODES)
def test_operands_of_two_formats_give_the_wider_one(mode):
    check_formats(mode, seed=0)


def check_formats(mode, seed):
    for kinds in itertools.product(("f2", "f4", "f8"), repeat=2):
        rng, wide = np.random.default_rng(seed), max(kinds)
        x, y = (by_fractions.numbers(rng, kind, 200) for kind in kinds)
        y[y == 0] = 1
        pairs = list(zip(by_fractions.as_fractions(x), by_fractions.as_fractions(y), strict=True))
        for name, exact in EXACT.items():
            values = [exact(*pair) for pair in pairs]
            found = getattr(clmath, name)(x, y, rounding=mode)
            found[np.array([value == 0 for value in values])] = 0  # tests/functions checks the signs of exact zeros
            assert_bits(f"{name}, {mode}", found, rounded(values, wide, mode), x, y)


def test_python_number_is_treated_as_a_literal():
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


@for_each("name", [n for n in BINARY if not n.startswith("bitwise")])
@for_each("make", [list, tuple, collections.UserList, lambda a: array.array("q", a), lambda a: pd.DataFrame({"a": a})])
def test_python_ints_and_containers_of_ints_are_integers(name, make):
    """Once div(7, 2) was 3.5, add(2**53, 1) lost its last bit, and array.array was refused, except by rem."""
    x, y = [2**53 + 1, -7, 7, -(2**63), 0], [1, 2, -2, 3, 5]
    want = due(name, "i8", np.array(x), np.array(y))
    function = getattr(clmath, name)
    for found in (function(make(x), make(y)), function(make(x), np.array(y).reshape(np.shape(make(y))))):
        assert_bits(name, np.ravel(found), want, np.array(x), np.array(y))
    assert [function(*pair) for pair in zip(x, y, strict=True)] == want.tolist()
    assert {function(*pair).dtype for pair in zip(x, y, strict=True)} == {want.dtype}


def test_a_float_among_python_numbers_gives_floating_point_results():
    assert clmath.div([7, 2.5], 2).tolist() == [3.5, 1.25]
    assert clmath.div(7, 2.0) == clmath.div([7], 2.0)[0] == 3.5
    assert clmath.add([1.0], np.int32([2])).dtype == clmath.add(array.array("d", [1.0]), 2).dtype == np.float64
    assert clmath.add(np.float32([1]), [2]).dtype == clmath.add(np.float32(1), 2).dtype == np.float32
    assert clmath.div(np.float32(1), 3, rounding="rtz") < clmath.div(np.float32(1), 3, rounding="rtp")


def test_scalar_operand_of_a_vector_is_widened():
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
        (np.int8([1, 2]), np.int32(1), "a scalar of type int"),  # of higher rank, so refused for any value
        (np.int32([1, 2]), np.uint32(2**31), "y is 2147483648"),
        (np.float32([1, 2]), np.float64(1), "a scalar of type double"),
        (np.float32([1, 2]), np.int32(2**24 + 1), "y is 16777217"),
        (np.int64([1, 2]), np.float16(1), "a scalar of type half"),
        (np.float16([1, 2]), np.int32(70000), "y is 70000"),
        (np.int32([1, 2]), np.uint32([1, 2]), "all gentype arguments need one type"),
        (np.float32([1, 2]), np.float64([1, 2]), "all gentype arguments need one type"),
        (np.int32([1, 2]), np.int32([[1], [2]]), "x has 2 components, y has 1 components"),
        (np.array([True, False]), np.array([True, False]), "dtype bool"),
    ],
)
def test_ill_formed_operand_of_a_vector_is_refused(x, y, words):
    with pytest.raises(clmath.ClmathError) as caught:
        clmath.add(x, y, vector=True)
    assert words in str(caught.value)
    with pytest.raises(clmath.ClmathError):
        clmath.sub(y, x, vector=True)


def test_shifts_of_vectors_are_computed_and_checked():
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


def test_conditional_selects_and_converts():
    c = np.float32([0.0, -0.0, np.nan, 2])
    assert clmath.conditional(c, np.int8(1), np.int8(2)).tolist() == [2, 2, 1, 1]
    assert clmath.conditional(c, np.int8(1), np.int8(2)).dtype == np.int8
    assert clmath.conditional(c, np.int8(1), np.int16(2)).dtype == np.int32
    assert clmath.conditional(True, np.int32(1), np.float16(2)).dtype == np.float16
    x, y = np.arange(8, dtype=np.int16).reshape(2, 4), np.zeros(4, np.int16)
    assert clmath.conditional([0, 1], x, y, vector=True).tolist() == [[0] * 4, [4, 5, 6, 7]]
    assert clmath.conditional(np.int32([0, 1]), x, 5, vector=True).tolist() == [[5] * 4, [4, 5, 6, 7]]


@for_each("form", ["f2", "f4", "f8"])
@for_each("number", [0, 0.5])
def test_conditional_takes_arrays_of_every_format_with_a_python_number(form, number):
    x = np.array([1.5, 2.5], form)
    for found, want in (
        (clmath.conditional([1, 0], x, number), [1.5, number]),
        (clmath.conditional([1, 0], number, x), [number, 2.5]),
    ):
        assert found.tolist() == want
        assert found.dtype == form


def test_negative_and_positive_keep_nan_payloads():
    x = np.array([0x7FA00001, 0xFFC00002, 0x80000000], np.uint32).view(np.float32)
    assert clmath.negative(x).view(np.uint32).tolist() == [0xFFA00001, 0x7FC00002, 0]
    assert clmath.positive(x).view(np.uint32).tolist() == x.view(np.uint32).tolist()


def test_unusual_containers_and_out_are_accepted():
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
def test_wrong_argument_is_refused_by_name(call, error, words):
    with pytest.raises(error) as caught:
        call()
    assert words in str(caught.value)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(1000, 5000, 1000))
def test_a_million_random_cases_equal_the_reference(seed):
    for k in range(seed, seed + 1000, 100):
        for name in BINARY:
            check_scalars(name, seed=k)
        for name in COMPARED:
            check_comparisons(name, seed=k)
        for mode in MODES:
            check_formats(mode, seed=k)
