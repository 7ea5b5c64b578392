"""Relational built-ins, compared with the reference: all halves, and all pairs of special numbers."""

from __future__ import annotations

import itertools

import numpy as np

from clmath.functions import relational
from clmath.numbers.formats import FORMATS, HALF
from clmath.reference.bitwise.relational import TESTS, bitselect, joined, select, truths
from tests.cases import for_each
from tests.rounding_reference import assert_bits


def specials(form):
    """Return encodings near zero, the smallest and largest numbers, one, infinity and NaN, of both signs."""
    one, top, least_normal = form.emax << (form.precision - 1), form.infinite, 1 << (form.precision - 1)
    places = [0, 1, 2, least_normal - 1, least_normal, least_normal + 1, one - 1, one, one + 1, top - 1, top]
    places += [top + 1, top + (1 << (form.precision - 2)), (1 << (form.width - 1)) - 1]
    return [p | s for p in places for s in (0, 1 << (form.width - 1))]


def check(name, form, *columns):
    codes = [np.array(c, form.bits_dtype) for c in columns]
    arrays = [form.from_bits(c) for c in codes]
    found = TESTS[name](*arrays)
    for vector, dtype in ((False, np.dtype(np.int32)), (True, np.dtype(f"i{form.width // 8}"))):
        due = truths(found, dtype, vector=vector)
        assert_bits(f"{name} of {form}", getattr(relational, name)(*arrays, vector=vector), due, *arrays)


ONE = ("isfinite", "isinf", "isnan", "isnormal", "signbit")
TWO = tuple(name for name in TESTS if name not in ONE)


@for_each("form", FORMATS)
def test_results_for_special_and_random_numbers_equal_the_reference(form):
    rng = np.random.default_rng(21)
    some, others = (rng.integers(0, 2**form.width, 10_000, np.uint64) for _ in range(2))
    for name in ONE:
        check(name, form, specials(form))
        check(name, form, some)
    pairs = list(zip(*itertools.product(specials(form), repeat=2), strict=True))
    for name in TWO:
        check(name, form, *pairs)
        check(name, form, some, others)


def test_results_for_every_half_equal_the_reference():
    every = np.arange(2**16)
    for name in ONE:
        check(name, HALF, every)
    for name, step in itertools.product(TWO, (0, 1, 2**15, 2**15 + 1)):
        check(name, HALF, every, (every + step) % 2**16)


@for_each("dtype", [np.int8, np.int16, np.int32, np.int64])
@for_each("components", [1, 2, 3, 4, 8, 16])
def test_any_and_all_equal_the_reference(dtype, components):
    lowest, rng = np.iinfo(dtype).min, np.random.default_rng(22)
    vectors = rng.choice(np.array([0, 0, 1, -1, lowest, -(lowest + 1)], dtype), (400, components))
    vectors[0], vectors[1], vectors[2] = 0, 1, -1
    for name, (truth, vector) in itertools.product(("any", "all"), (("not zero", False), ("sign bit", True))):
        assert_bits(name, getattr(relational, name)(vectors, vector=vector), joined(name, vectors, truth))


def test_any_and_all_accept_results_of_relational_functions():
    x, y = np.float64([[1, 2, 3], [1, 0, 0]]), np.float64([1, 2, 4])
    for vector in (False, True):
        equal = relational.isequal(x, y, vector=vector)
        assert relational.any(equal, vector=vector).tolist() == [1, 1]
        assert relational.all(relational.islessequal(x, y, vector=vector), vector=vector).tolist() == [1, 1]
        assert relational.all(equal, vector=vector).tolist() == [0, 0]


def test_any_and_all_accept_a_scalar_and_bools():
    assert relational.any(np.int32(2)) == relational.all(np.int32(2)) == 1
    assert relational.any(np.int32(2), vector=True) == relational.all(np.int32(2), vector=True) == 0
    assert relational.any(np.array([[False, True], [False, False]])).tolist() == [1, 0]
    assert relational.all(np.array([True, True])) == 1


TYPES = [np.dtype(kind) for kind in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8")]


def random_bits(rng, dtype):
    """Return random encodings of ``dtype``, with zeros, all bits set, and NaNs with payloads."""
    bits = np.frombuffer(rng.bytes(500 * dtype.itemsize), f"u{dtype.itemsize}").copy()
    bits[:4] = [0, 1, 1 << (8 * dtype.itemsize - 1), (1 << (8 * dtype.itemsize)) - 1]
    return bits.view(dtype)


@for_each("dtype", TYPES)
def test_bitselect_and_select_equal_the_reference(dtype):
    rng = np.random.default_rng(23)
    a, b, c = (random_bits(rng, dtype) for _ in range(3))
    assert_same_bits(relational.bitselect(a, b, c), bitselect(a, b, c))
    for kind, vector in itertools.product("iu", (False, True)):
        c = random_bits(rng, np.dtype(f"{kind}{dtype.itemsize}"))
        assert_same_bits(relational.select(a, b, c, vector=vector), select(a, b, c, vector=vector))


def assert_same_bits(got, due):
    assert (got.dtype, got.tobytes()) == (due.dtype, due.tobytes())


def test_select_accepts_bool_conditions():
    got = relational.select(np.float32([1, 2]), np.float32([3, 4]), np.array([True, False]))
    assert got.tolist() == [3.0, 2.0]
