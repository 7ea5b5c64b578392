"""One rule covers arguments without a dtype: Python's numbers take the arrays' format, or are refused beyond it."""

from __future__ import annotations

import array
import collections
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import clmath
from clmath.numbers.formats import FORMATS, HALF
from tests.cases import for_each
from tests.rounding_reference import MODES, assert_bits, rounded


@for_each("numbers", [range(3), (0, 1, 2), [0, 1.0, 2], collections.deque([0, 1, 2]), collections.UserList([0, 1, 2])])
def test_sequences_are_doubles_or_longs_for_integer_functions(numbers):
    want = clmath.sin(np.float64([0, 1, 2]))
    for got in (clmath.sin(numbers), clmath.sin([numbers])[0], clmath.sin((numbers,))[0]):
        assert got.dtype == np.float64
        np.testing.assert_array_equal(got, want)
    assert clmath.max(numbers, 1.5).tolist() == [1.5, 1.5, 2.0]
    if all(type(number) is int for number in numbers):
        assert clmath.clz(numbers).tolist() == [64, 63, 62]
        assert clmath.max(numbers, 1).dtype == np.int64


@for_each("typed", [True, [True], np.int64(1), np.arange(3), array.array("i", [1]), memoryview(b"12"), np.bool_(1)])
def test_typed_values_keep_their_type_and_the_offered_conversion_works(typed):
    for name in ("sin", "isnan", "frexp"):
        with pytest.raises(
            clmath.DTypeError, match=r"has dtype \w+; half, float or double is needed: convert it, e.g. "
        ):
            getattr(clmath, name)(typed)
        getattr(clmath, name)(clmath.convert(typed, "double"))


def test_typed_sequences_of_floats_are_taken():
    assert clmath.sin(array.array("f", [1.0])).dtype == np.float32
    assert clmath.sin(memoryview(np.float16([1.0]))).dtype == np.float16


@for_each("form", FORMATS)
@for_each("name", ["fmax", "pow", "isless", "select"])
def test_a_finite_number_that_would_become_infinite_is_refused(name, form):
    """pow(half, 1e6) was pow(half, inf) without a word, while 10**400 was refused."""
    rest = (True,) if name == "select" else ()
    beyond = [2 * int(form.largest), -(10**400)]
    beyond += [1e6, -1e300, 65520.0] if form is HALF else [-3.5e38] if form is FORMATS[1] else []
    for x in (form.dtype.type(2), np.full(2, 2, form.dtype)):
        for number in beyond:
            with pytest.raises(clmath.RangeError, match=rf"{name}\(\): \w is .*; the largest {form} is .*: give float"):
                getattr(clmath, name)(x, number, *rest)
        for number in (math.inf, -math.inf, math.nan, form.largest, int(form.largest)):
            getattr(clmath, name)(x, number, *rest)


def test_a_number_that_rounds_to_the_largest_is_taken():
    assert clmath.fmax(np.float16(0), 65519.0) == 65504
    assert clmath.fmax(np.float32([0]), float(clmath.FLT_MAX) * (1 + 2.0**-26)) == clmath.FLT_MAX


def test_colours_saturate_float_or_int():
    assert clmath.write_unorm_int8(1e300) == clmath.write_unorm_int8(10**400) == 255
    assert clmath.write_half_float(-(10**400)) == -np.inf


def test_python_numbers_are_rounded_to_nearest_in_every_mode():
    nearest, below = np.float32(0.1), clmath.convert(0.1, "float", rounding="rtn")
    assert clmath.fmax(np.float32(-1), 0.1) == nearest > below
    for rounding in MODES:
        assert clmath.mul(np.float32(1), 0.1, rounding=rounding) == nearest
        assert clmath.mul(np.float32(1), below, rounding=rounding) == below


def test_ints_beyond_long_become_ulong():
    """clz(2**63) was refused, with a conversion that changes the number."""
    assert clmath.clz(2**63) == 0
    assert clmath.clz(2**63).dtype == np.uint64
    assert clmath.add_sat(2**64 - 1, 1) == 2**64 - 1
    assert clmath.max(2**63, 1) == 2**63
    assert clmath.clz(5) == 61
    assert clmath.clz(5).dtype == np.int64
    with pytest.raises(clmath.DTypeError, match=r"add_sat\(\): x holds 9223372036854775808; long lies in"):
        clmath.add_sat(2**63, -1)


@for_each("number", [2**64, 2**70 + 1, -(2**63) - 1, 10**400, -(10**400)])
def test_an_int_of_any_size_is_converted(number):
    """convert(2**70, "float") was refused, with an unhelpful remedy."""
    for name in ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"):
        info = np.iinfo(clmath.convert(0, name).dtype)
        assert clmath.convert(number, name, sat=True) == (info.max if number > 0 else info.min)
        low = clmath.convert(number, name)
        assert low.dtype == info.dtype
        assert (int(low) - number) % 2**info.bits == 0
    assert clmath.convert(number, "bool") is np.True_
    for form, mode in itertools.product(FORMATS, MODES):
        got = clmath.convert(number, form.name, rounding=mode)
        assert_bits(f"convert, {mode}", np.atleast_1d(got), rounded([Fraction(number)], form.dtype, mode))


def test_functions_of_floating_point_take_python_numbers_alike():
    """fp16([1, 2]) and vstore_half(1, 0, p) were refused, fp16(1) and sin([1, 2]) taken."""
    assert clmath.fp16([1, 2]).value.tolist() == clmath.fp16(range(1, 3)).value.tolist() == [1.0, 2.0]
    assert (clmath.fp16(1.0) * [2, 3]).value.tolist() == [2.0, 3.0]
    p = np.zeros(4, np.float16)
    clmath.vstore_half(1, 0, p)
    clmath.vstore_half([2, 3], 1, p, 2)
    assert p.tolist() == [1.0, 0.0, 2.0, 3.0]
    with pytest.raises(clmath.RangeError, match=r"^vstore_half\(\): data is a Python int of 1329 bits; the largest"):
        clmath.vstore_half(10**400, 0, p)


@for_each("exact", [10**400, -(10**400), Fraction(10**400, 3)])
def test_an_exact_value_beyond_double_is_a_number(exact):
    """It raised OverflowError."""
    infinity = np.float32(math.inf if exact > 0 else -math.inf)
    assert clmath.ulp_error(infinity, exact) == 0  # like infinities compared with any number beyond the range
    largest = clmath.ulp_error(np.copysign(clmath.FLT_MAX, infinity), exact)
    assert abs(float(largest)) > 2**24
    assert clmath.ulp_error(np.float32([1]), [exact])[0] * infinity < 0


INTEGER_CALLS = {  # x is an array of integers, n a Python int
    "add_sat": clmath.add_sat,
    "sub_sat": lambda x, n, **how: clmath.sub_sat(n, x, **how),
    "mul_hi": clmath.mul_hi,
    "max": clmath.max,
    "clamp": lambda x, n, **how: clmath.clamp(x, n, 9, **how),
    "rotate": clmath.rotate,
    "abs_diff": clmath.abs_diff,
    "bitselect": lambda x, n, **how: clmath.bitselect(x, n, 1, **how),
    "bitfield_insert": lambda x, n, **how: clmath.bitfield_insert(x, n, 1, 2, **how),
    "select": lambda x, n, **how: clmath.select(n, x, True, **how),
    "add": clmath.add,
    "rem": lambda x, n, **how: clmath.rem(n, x, **how),
    "less": clmath.less,
    "logical_and": lambda x, n, **how: clmath.logical_and(n, x, **how),
    "left_shift": clmath.left_shift,
    "conditional": lambda x, n, **how: clmath.conditional(True, x, n, **how),
}


@for_each("name", INTEGER_CALLS)
@for_each("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])
def test_a_python_int_has_one_type_with_few_and_with_many_elements(name, dtype):
    """With more than 131 072 elements, with out and with threads it was a long, which no loop took."""
    x, call = np.arange(1, 65).astype(dtype), INTEGER_CALLS[name]
    want, many = call(x, 5), np.tile(x, 2100)
    for found in (
        call(x, 5, out=np.empty_like(want)),
        call(many, 5)[-64:],
        call(many, 5, threads=2)[-64:],
        call(many, 5, out=np.empty(many.shape, want.dtype))[-64:],
    ):
        assert found.dtype == want.dtype
        assert found.tobytes() == want.tobytes()


@for_each("name", ["add_sat", "max", "clamp", "bitselect"])
def test_a_python_int_that_the_type_does_not_hold_is_refused_with_many_elements(name):
    for x in (np.ones(2, np.int8), np.ones(1 << 18, np.int8)):
        with pytest.raises(clmath.DTypeError, match=rf"^{name}\(\): \w+ holds 300; char lies in -128 .. 127"):
            INTEGER_CALLS[name](x, 300)
