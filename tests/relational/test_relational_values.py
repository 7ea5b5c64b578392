"""The relational built-ins against the definition of the encodings: all halves, all pairs of special numbers."""

from __future__ import annotations

import itertools
import operator
from fractions import Fraction

import numpy as np
import pytest

from clmath.functions import relational
from clmath.numbers.formats import FLOAT, FORMATS, HALF
from tests.cases import for_each


def fields(form, bits):
    """Sign, biased exponent and fraction of an encoding."""
    fraction_width = form.precision - 1
    magnitude = bits % 2 ** (form.width - 1)
    return bits >> (form.width - 1), magnitude >> fraction_width, magnitude % 2**fraction_width


def is_nan(form, bits):
    _, exponent, fraction = fields(form, bits)
    return exponent == 2 * form.emax + 1 and fraction != 0


def value(form, bits):
    """The number an encoding stands for, infinities as a power of two beyond every number; not for NaN."""
    sign, exponent, fraction = fields(form, bits)
    significand = fraction + (2 ** (form.precision - 1) if exponent else 0)
    return (-1) ** sign * significand * Fraction(2) ** (max(exponent, 1) - 1 + form.quantum)


def specials(form):
    """Encodings around zero, the smallest and largest numbers, one, infinity and NaN, of both signs."""
    top = (2 * form.emax + 1) << (form.precision - 1)
    one = form.emax << (form.precision - 1)
    least_normal = 1 << (form.precision - 1)
    places = [0, 1, 2, least_normal - 1, least_normal, least_normal + 1, one - 1, one, one + 1, top - 1, top]
    places += [top + 1, top + (1 << (form.precision - 2)), (1 << (form.width - 1)) - 1]
    return [p | s for p in places for s in (0, 1 << (form.width - 1))]


def ordered(compare):
    return lambda form, x, y: not is_nan(form, x) and not is_nan(form, y) and compare(value(form, x), value(form, y))


TWO = {
    "isequal": ordered(operator.eq),
    "isnotequal": lambda form, x, y: not ordered(operator.eq)(form, x, y),
    "isgreater": ordered(operator.gt),
    "isgreaterequal": ordered(operator.ge),
    "isless": ordered(operator.lt),
    "islessequal": ordered(operator.le),
    "islessgreater": ordered(operator.ne),
    "isordered": ordered(lambda _x, _y: True),
    "isunordered": lambda form, x, y: is_nan(form, x) or is_nan(form, y),
}
ONE = {
    "isfinite": lambda form, x: fields(form, x)[1] <= 2 * form.emax,
    "isinf": lambda form, x: fields(form, x)[1] == 2 * form.emax + 1 and fields(form, x)[2] == 0,
    "isnan": is_nan,
    "isnormal": lambda form, x: 1 <= fields(form, x)[1] <= 2 * form.emax,
    "signbit": lambda form, x: fields(form, x)[0] == 1,
}


def check(name, form, columns, want):
    arrays = [form.from_bits(np.array(c, form.bits_dtype)) for c in columns]
    call = getattr(relational, name)
    truths = np.array(want, bool)
    scalar, vector = call(*arrays), call(*arrays, vector=True)
    assert scalar.dtype == np.int32
    assert vector.dtype == np.dtype(f"i{form.width // 8}")
    assert np.array_equal(scalar, np.where(truths, 1, 0))
    assert np.array_equal(vector, np.where(truths, -1, 0))


@for_each("form", FORMATS)
@for_each("name", TWO)
def test_all_pairs_of_special_numbers(name, form):
    columns = list(zip(*itertools.product(specials(form), repeat=2), strict=True))
    check(name, form, columns, [TWO[name](form, x, y) for x, y in zip(*columns, strict=True)])


@for_each("form", FORMATS)
@for_each("name", ONE)
def test_special_numbers(name, form):
    check(name, form, [specials(form)], [ONE[name](form, x) for x in specials(form)])


@pytest.mark.parametrize("name", ONE)
def test_every_half(name):
    values = range(2**16)
    check(name, HALF, [values], [ONE[name](HALF, x) for x in values])


@for_each("name", TWO)
def test_every_half_beside_its_neighbours(name):
    values = range(0, 2**16, 3)
    for step in (0, 1, 2**15):
        others = [(x + step) % 2**16 for x in values]
        check(name, HALF, [values, others], [TWO[name](HALF, x, y) for x, y in zip(values, others, strict=True)])


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_random_encodings(form):
    rng = np.random.default_rng(21)
    x, y = (np.frombuffer(rng.bytes(300 * form.width // 8), form.bits_dtype).tolist() for _ in range(2))
    for name, want in TWO.items():
        check(name, form, [x, y], [want(form, a, b) for a, b in zip(x, y, strict=True)])


MSB = {1: -(2**7), 2: -(2**15), 4: -(2**31), 8: -(2**63)}
SIGNED = [np.int8, np.int16, np.int32, np.int64]


@for_each("dtype", SIGNED)
@for_each("lanes", [1, 2, 3, 4, 8, 16])
def test_any_and_all(dtype, lanes):
    lowest = MSB[np.dtype(dtype).itemsize]
    rng = np.random.default_rng(22)
    vectors = rng.choice(np.array([0, 0, 1, -1, lowest, -(lowest + 1)], dtype), (400, lanes))
    vectors[0], vectors[1], vectors[2] = 0, 1, -1
    rows = vectors.tolist()
    for call, join in ((relational.any, any), (relational.all, all)):
        nonzero, negative = call(vectors), call(vectors, vector=True)
        assert nonzero.dtype == negative.dtype == np.int32
        assert nonzero.tolist() == [int(join(v != 0 for v in row)) for row in rows]
        assert negative.tolist() == [int(join(v < 0 for v in row)) for row in rows]


def test_any_and_all_take_what_the_relational_functions_return():
    x, y = np.float64([[1, 2, 3], [1, 0, 0]]), np.float64([1, 2, 4])
    for vector in (False, True):
        equal = relational.isequal(x, y, vector=vector)
        assert relational.any(equal, vector=vector).tolist() == [1, 1]
        assert relational.all(relational.islessequal(x, y, vector=vector), vector=vector).tolist() == [1, 1]
        assert relational.all(equal, vector=vector).tolist() == [0, 0]


def test_any_and_all_of_one_scalar_and_of_bool():
    assert relational.any(np.int32(2)) == relational.all(np.int32(2)) == 1
    assert relational.any(np.int32(2), vector=True) == relational.all(np.int32(2), vector=True) == 0
    assert relational.any(np.array([[False, True], [False, False]])).tolist() == [1, 0]
    assert relational.all(np.array([True, True])) == 1


TYPES = [np.dtype(kind) for kind in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8")]


def random_bits(rng, dtype, count):
    """Random encodings of ``dtype``, zeros, ones and NaN of every payload among them, and the same as integers."""
    bits = np.frombuffer(rng.bytes(count * dtype.itemsize), f"u{dtype.itemsize}").copy()
    bits[:4] = [0, 1, 1 << (8 * dtype.itemsize - 1), (1 << (8 * dtype.itemsize)) - 1]
    return bits.view(dtype), bits.tolist()


@for_each("dtype", TYPES)
def test_bitselect(dtype):
    rng = np.random.default_rng(23)
    (a, p), (b, q), (c, r) = (random_bits(rng, dtype, 500) for _ in range(3))
    got = relational.bitselect(a, b, c)
    whole = (1 << (8 * dtype.itemsize)) - 1
    assert got.dtype == dtype
    assert got.view(f"u{dtype.itemsize}").tolist() == [x & (whole ^ z) | y & z for x, y, z in zip(p, q, r, strict=True)]


@for_each("kind", ["i", "u"])
@for_each("dtype", TYPES)
def test_select(dtype, kind):
    rng = np.random.default_rng(24)
    (a, p), (b, q) = (random_bits(rng, dtype, 500) for _ in range(2))
    c, r = random_bits(rng, np.dtype(f"{kind}{dtype.itemsize}"), 500)
    top = 1 << (8 * dtype.itemsize - 1)
    bits = f"u{dtype.itemsize}"
    scalar, vector = relational.select(a, b, c), relational.select(a, b, c, vector=True)
    assert scalar.dtype == vector.dtype == dtype
    assert scalar.view(bits).tolist() == [y if z else x for x, y, z in zip(p, q, r, strict=True)]
    assert vector.view(bits).tolist() == [y if z & top else x for x, y, z in zip(p, q, r, strict=True)]


def test_select_by_bool():
    got = relational.select(np.float32([1, 2]), np.float32([3, 4]), np.array([True, False]))
    assert got.tolist() == [3.0, 2.0]


def test_the_oracle_knows_numbers():
    assert value(FLOAT, 0x3FC00000) == Fraction(3, 2)
    assert value(HALF, 0x8001) == -Fraction(1, 2**24)
    assert is_nan(HALF, 0x7C01)
    assert not is_nan(HALF, 0x7C00)
