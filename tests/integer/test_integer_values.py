"""Integer built-ins, compared with the reference: all numbers of 8 bits, ends and random numbers of other types."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import clmath
from clmath.functions import integer
from clmath.reference.bitwise.integers import INTEGERS
from tests.cases import for_each
from tests.rounding_reference import assert_bits, integers

pytestmark = pytest.mark.usefixtures("compiled_agrees")

DTYPES = {"char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4", "long": "i8"}
DTYPES["ulong"] = "u8"


class Type:
    """Integer type, and numbers of it."""

    def __init__(self, name):
        self.name, self.dtype = name, np.dtype(DTYPES[name])
        info = np.iinfo(self.dtype)
        self.width, self.least, self.most = info.bits, int(info.min), int(info.max)

    def wrap(self, value):
        return (value - self.least) % 2**self.width + self.least

    def numbers(self, rng, count):
        """Return ends of the type, powers of two and their neighbours, and random numbers of every size."""
        special_values = {sign * 2**k + d for k in range(self.width) for sign in (1, -1) for d in (-1, 0, 1)}
        special_values |= {self.least, self.least + 1, self.most, self.most - 1, 0, 1, self.most // 2, self.most // 3}
        chosen = rng.choice(integers(sorted(e for e in special_values if self.least <= e <= self.most)), count)
        wide = integers(rng.integers(0, 1 << 64, count, np.uint64)) >> integers(rng.integers(0, 64, count))
        return np.where(rng.random(count) < 0.5, chosen, self.wrap(wide * rng.choice([-1, 1], count)))


ONE = ("clz", "ctz", "popcount", "bit_reverse", "abs")
TWO = ("rotate", "abs_diff", "add_sat", "sub_sat", "hadd", "rhadd", "max", "min", "mul_hi")
THREE = ("clamp", "mad_hi", "mad_sat")
FIELDS = ("bitfield_insert", "bitfield_extract_signed", "bitfield_extract_unsigned")


def check(t, name, *columns, dtypes=()):
    """Compare a call with the reference; arguments are converted to the type, or to ``dtypes``."""
    arrays = [c.astype(d) for c, d in itertools.zip_longest(columns, dtypes, fillvalue=t.dtype)]
    assert_bits(f"{name} of {t.name}", getattr(clmath, name)(*arrays), INTEGERS[name](*arrays), *arrays)


def grid(*axes):
    """Return all combinations of the numbers, as an array for each axis."""
    return [integers(column) for column in zip(*itertools.product(*axes), strict=True)]


@pytest.mark.parametrize("name", ["char", "uchar", "short", "ushort"])
def test_functions_of_one_argument_are_right_for_8_and_16_bits(name):
    t = Type(name)
    for call in ONE:
        check(t, call, integers(range(t.least, t.most + 1)))


@pytest.mark.parametrize("name", ["char", "uchar"])
def test_functions_of_several_arguments_are_right_for_8_bits(name):
    t = Type(name)
    every = range(t.least, t.most + 1)
    pairs, thirds = grid(every, every), grid(every, every[::3], [t.least, t.least + 1, 0, 1, t.most])
    for call in TWO:
        check(t, call, *pairs)
    for call in THREE:
        check(t, call, *thirds)


@pytest.mark.parametrize("name", DTYPES)
def test_every_type_is_right_at_ends_and_random_numbers(name):
    t, rng = Type(name), np.random.default_rng(20)
    for names, arity in ((ONE, 1), (TWO, 2), (THREE, 3)):
        for call in names:
            check(t, call, *(t.numbers(rng, 5000) for _ in range(arity)))
    places = [(o, c) for o in range(t.width + 1) for c in range(t.width + 1 - o)]
    fields = [integers(f) for f in zip(*places, strict=True)]
    for call in FIELDS:
        firsts = [t.numbers(rng, len(places)) for _ in range(2 if call == "bitfield_insert" else 1)]
        check(t, call, *firsts, *fields, dtypes=[*[t.dtype] * len(firsts), np.uint32, np.uint32])


@pytest.mark.parametrize("name", ["long", "ulong"])
def test_64_bit_products_are_right_near_the_ends(name):
    t = Type(name)
    ends = [t.least, t.least + 1, -1, 0, 1, 2, 3, 2**31, 2**32 - 1, 2**32, 2**32 + 1, t.most // 2]
    ends = [e for e in [*ends, t.most // 3, t.most - 1, t.most] if t.least <= e]
    for call, repeat in (("mul_hi", 2), ("mad_hi", 3), ("mad_sat", 3)):
        check(t, call, *grid(*[ends] * repeat))


@pytest.mark.parametrize("name", ["int", "uint"])
def test_mul24_and_mad24_equal_the_reference(name):
    t, rng = Type(name), np.random.default_rng(20)
    for call, arity in (("mul24", 2), ("mad24", 3)):
        check(t, call, *(t.numbers(rng, 20_000) for _ in range(arity)))
    low, high = (-(2**23), 2**23) if t.least else (0, 2**24)
    x, y = (rng.integers(low, high, 20_000, dtype=t.dtype) for _ in range(2))
    assert_bits("mul24", integer.mul24(x, y), t.wrap(integers(x) * integers(y)).astype(t.dtype), x, y)


@for_each("name", ["char", "uchar", "short", "ushort", "int", "uint"])
def test_upsample_equals_the_reference(name):
    t, below, rng = Type(name), Type("u" + name.removeprefix("u")), np.random.default_rng(20)
    check(t, "upsample", t.numbers(rng, 20_000), below.numbers(rng, 20_000), dtypes=[t.dtype, below.dtype])


@for_each("kinds", ["uu", "ss", "us", "su"])
@for_each("count", [0, 1, 7, 2048, 2049, 50_000])
def test_dot_products_equal_the_reference(kinds, count):
    """Up to 2048 vectors are computed in another way, as one packed integer each."""
    rng, bytes_ = np.random.default_rng(count), {"u": np.uint8, "s": np.int8}
    a, b = (rng.integers(0, 256, (count, 4), np.uint8).view(bytes_[k]) for k in kinds)
    a[:2], b[:2] = np.iinfo(a.dtype).max, np.iinfo(b.dtype).max
    a[1:2] = np.iinfo(a.dtype).min
    word = "uint" if kinds == "uu" else "int"
    info = np.iinfo(DTYPES[word])
    acc = rng.integers(info.min, info.max, count, info.dtype, endpoint=True)
    near = np.where(rng.random(count) < 0.5, info.max - abs(acc // 2) % 60000, info.min + abs(acc // 2) % 60000)
    acc = np.where(rng.random(count) < 0.5, near, acc).astype(info.dtype)
    assert count < 2048 or {info.min, info.max} & {*integer.dot_acc_sat(a, b, acc).tolist()}
    words = [x.view("<u4")[:, 0] for x in (a, b)]
    for name, args in (("dot", [a, b]), (f"dot_4x8packed_{kinds}_{word}", words)):
        assert_bits(name, getattr(clmath, name)(*args), INTEGERS[name](*args), *words)
        added = name.replace("dot", "dot_acc_sat", 1)
        assert_bits(added, getattr(clmath, added)(*args, acc), INTEGERS[added](*args, acc), *words, acc)
