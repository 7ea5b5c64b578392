"""Every integer built-in against Python's integers: 8 bits exhaustively, the other types on ends and random numbers."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from clmath.functions import integer
from tests.cases import for_each
from tests.rounding_reference import assert_bits, integers

pytestmark = pytest.mark.usefixtures("compiled_agrees")

DTYPES = {"char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4", "long": "i8"}
DTYPES["ulong"] = "u8"


class Type:
    """A type of integers, and what the specification says of arrays of Python's integers that it holds."""

    def __init__(self, name):
        self.name, self.dtype = name, np.dtype(DTYPES[name])
        info = np.iinfo(self.dtype)
        self.width, self.least, self.most = info.bits, int(info.min), int(info.max)

    def wrap(self, value):
        return (value - self.least) % 2**self.width + self.least

    def sat(self, value):
        return np.clip(value, self.least, self.most)

    def of_text(self, tell, x):
        """``tell`` of the bits of each number, written as digits."""
        return integers(tell(format(v % 2**self.width, f"0{self.width}b")) for v in x.tolist())

    def low24(self, x):
        low = x % 2**24
        return np.where((low >= 2**23) & (self.least < 0), low - 2**24, low)

    def numbers(self, rng, count):
        """Ends, powers of two and their neighbours, and random numbers of every magnitude."""
        edges = {sign * 2**k + d for k in range(self.width) for sign in (1, -1) for d in (-1, 0, 1)}
        edges |= {self.least, self.least + 1, self.most, self.most - 1, 0, 1, self.most // 2, self.most // 3}
        chosen = rng.choice(integers(sorted(e for e in edges if self.least <= e <= self.most)), count)
        wide = integers(rng.integers(0, 1 << 64, count, np.uint64)) >> integers(rng.integers(0, 64, count))
        return np.where(rng.random(count) < 0.5, chosen, self.wrap(wide * rng.choice([-1, 1], count)))


def rotate(t, v, i):
    u, turn = v % 2**t.width, i % t.width
    return t.wrap((u << turn) | (u >> (t.width - turn)))


def insert(t, base, field, offset, count):
    mask = ((1 << count) - 1) << offset
    return t.wrap((base & ~mask) | ((field << offset) & mask))


def extract(_, base, offset, count):
    return (base >> offset) % (1 << count)


def extract_signed(_, base, offset, count):
    field = (base >> offset) % (1 << count)
    return np.where((count > 0) & (2 * field >= 1 << count), field - (1 << count), field)


ONE = {
    "clz": lambda t, x: t.of_text(lambda text: len(text.partition("1")[0]), x),
    "ctz": lambda t, x: t.of_text(lambda text: len(text.rpartition("1")[2]), x),
    "popcount": lambda t, x: t.of_text(lambda text: text.count("1"), x),
    "bit_reverse": lambda t, x: t.wrap(t.of_text(lambda text: int(text[::-1], 2), x)),
    "abs": lambda _, x: abs(x),
}
TWO = {
    "rotate": rotate,
    "abs_diff": lambda _, x, y: abs(x - y),
    "add_sat": lambda t, x, y: t.sat(x + y),
    "sub_sat": lambda t, x, y: t.sat(x - y),
    "hadd": lambda _, x, y: (x + y) // 2,
    "rhadd": lambda _, x, y: -((-x - y) // 2),
    "max": lambda _, x, y: np.where(x > y, x, y),
    "min": lambda _, x, y: np.where(x < y, x, y),
    "mul_hi": lambda t, x, y: x * y // 2**t.width,
}
THREE = {
    "clamp": lambda _, x, low, high: np.minimum(np.maximum(x, low), high),
    "mad_hi": lambda t, a, b, c: t.wrap(a * b // 2**t.width + c),
    "mad_sat": lambda t, a, b, c: t.sat(a * b + c),
}
MUL24 = {
    "mul24": lambda t, x, y: t.wrap(t.low24(x) * t.low24(y)),
    "mad24": lambda t, x, y, z: t.wrap(t.low24(x) * t.low24(y) + z),
}
FIELDS = {"bitfield_insert": insert, "bitfield_extract_signed": extract_signed, "bitfield_extract_unsigned": extract}
DUE = ONE | TWO | THREE | MUL24 | FIELDS
RESULTS = dict.fromkeys(("abs", "abs_diff", "bitfield_extract_unsigned"), "u") | {"bitfield_extract_signed": "i"}


def check(t, name, *columns, dtypes=()):
    """Compare a call on arrays of Python's integers, of the type or of ``dtypes``, with what is due."""
    arrays = [c.astype(d) for c, d in itertools.zip_longest(columns, dtypes, fillvalue=t.dtype)]
    want = DUE[name](t, *columns).astype(f"{RESULTS.get(name, t.dtype.kind)}{t.dtype.itemsize}")
    assert_bits(f"{name} of {t.name}", getattr(integer, name)(*arrays), want, *arrays)


def grid(*axes):
    """All combinations of the numbers, in one array for each axis."""
    return [integers(column) for column in zip(*itertools.product(*axes), strict=True)]


@pytest.mark.parametrize("name", ["char", "uchar", "short", "ushort"])
def test_every_number_of_8_and_16_bits(name):
    t = Type(name)
    for call in ONE:
        check(t, call, integers(range(t.least, t.most + 1)))


@pytest.mark.parametrize("name", ["char", "uchar"])
def test_every_pair_of_bytes(name):
    t = Type(name)
    every = range(t.least, t.most + 1)
    pairs, thirds = grid(every, every), grid(every, every[::3], [t.least, t.least + 1, 0, 1, t.most])
    for call in TWO:
        check(t, call, *pairs)
    for call in THREE:
        check(t, call, *thirds)


@pytest.mark.parametrize("name", DTYPES)
def test_ends_and_random_numbers(name):
    t, rng = Type(name), np.random.default_rng(20)
    for table, arity in ((ONE, 1), (TWO, 2), (THREE, 3)):
        for call in table:
            check(t, call, *(t.numbers(rng, 5000) for _ in range(arity)))
    places = [(o, c) for o in range(t.width + 1) for c in range(t.width + 1 - o)]
    fields = [integers(f) for f in zip(*places, strict=True)]
    for call in FIELDS:
        firsts = [t.numbers(rng, len(places)) for _ in range(2 if call == "bitfield_insert" else 1)]
        check(t, call, *firsts, *fields, dtypes=[*[t.dtype] * len(firsts), np.uint32, np.uint32])


@pytest.mark.parametrize("name", ["long", "ulong"])
def test_64_bit_products_near_the_ends(name):
    t = Type(name)
    ends = [t.least, t.least + 1, -1, 0, 1, 2, 3, 2**31, 2**32 - 1, 2**32, 2**32 + 1, t.most // 2]
    ends = [e for e in [*ends, t.most // 3, t.most - 1, t.most] if t.least <= e]
    for call, repeat in (("mul_hi", 2), ("mad_hi", 3), ("mad_sat", 3)):
        check(t, call, *grid(*[ends] * repeat))


@pytest.mark.parametrize("name", ["int", "uint"])
def test_24_bits(name):
    t, rng = Type(name), np.random.default_rng(20)
    for call, arity in (("mul24", 2), ("mad24", 3)):
        check(t, call, *(t.numbers(rng, 20_000) for _ in range(arity)))
    low, high = (-(2**23), 2**23) if t.least else (0, 2**24)
    x, y = (rng.integers(low, high, 20_000, dtype=t.dtype) for _ in range(2))
    assert_bits("mul24", integer.mul24(x, y), t.wrap(integers(x) * integers(y)).astype(t.dtype), x, y)


@for_each("name", ["char", "uchar", "short", "ushort", "int", "uint"])
def test_upsample(name):
    t, below, rng = Type(name), Type("u" + name.removeprefix("u")), np.random.default_rng(20)
    hi, lo = t.numbers(rng, 20_000), below.numbers(rng, 20_000)
    want = (hi * 2**t.width + lo).astype(f"{t.dtype.kind}{2 * t.dtype.itemsize}")
    hi, lo = hi.astype(t.dtype), lo.astype(below.dtype)
    assert_bits(f"upsample of {name}", integer.upsample(hi, lo), want, hi, lo)


@for_each("kinds", ["uu", "ss", "us", "su"])
@for_each("count", [0, 1, 7, 2048, 2049, 50_000])
def test_dot_products(kinds, count):
    """Up to 2048 vectors of bytes are taken as one number each."""
    rng, bytes_ = np.random.default_rng(count), {"u": np.uint8, "s": np.int8}
    a, b = (rng.integers(0, 256, (count, 4), np.uint8).view(bytes_[k]) for k in kinds)
    a[:2], b[:2] = np.iinfo(a.dtype).max, np.iinfo(b.dtype).max
    a[1:2] = np.iinfo(a.dtype).min
    word = "uint" if kinds == "uu" else "int"
    info = np.iinfo(DTYPES[word])
    acc = rng.integers(info.min, info.max, count, info.dtype, endpoint=True)
    near = np.where(rng.random(count) < 0.5, info.max - abs(acc // 2) % 60000, info.min + abs(acc // 2) % 60000)
    acc = np.where(rng.random(count) < 0.5, near, acc).astype(info.dtype)
    exact = (a.astype(np.int64) * b).sum(axis=-1)
    due, added = exact.astype(info.dtype), np.clip(exact + acc, info.min, info.max).astype(info.dtype)
    assert count < 2048 or {info.min, info.max} & {*added.tolist()}
    assert_bits("dot", integer.dot(a, b), due, a[:, 0])
    assert_bits("dot_acc_sat", integer.dot_acc_sat(a, b, acc), added, a[:, 0])
    words = [x.view("<u4")[:, 0] for x in (a, b)]
    assert_bits(kinds, getattr(integer, f"dot_4x8packed_{kinds}_{word}")(*words), due, *words)
    assert_bits(kinds, getattr(integer, f"dot_acc_sat_4x8packed_{kinds}_{word}")(*words, acc), added, *words, acc)
