"""The integer built-ins as the specification words them, on Python integers of any size."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

TYPES = {
    name: np.dtype(kind)
    for name, kind in (
        ("char", "i1"),
        ("uchar", "u1"),
        ("short", "i2"),
        ("ushort", "u2"),
        ("int", "i4"),
        ("uint", "u4"),
        ("long", "i8"),
        ("ulong", "u8"),
    )
}


class Oracle:
    """One integer type: what each built-in returns for Python integers of it, exact."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.dtype = dtype
        self.width = 8 * dtype.itemsize
        self.signed = dtype.kind == "i"
        self.least = -(2 ** (self.width - 1)) if self.signed else 0
        self.most = 2 ** (self.width - self.signed) - 1

    def wrap(self, value):
        return (value - self.least) % 2**self.width + self.least

    def sat(self, value):
        return sorted((self.least, value, self.most))[1]

    def text(self, x):
        return format(x % 2**self.width, f"0{self.width}b")

    def clz(self, x):
        return len(self.text(x)) - len(self.text(x).lstrip("0"))

    def ctz(self, x):
        return len(self.text(x)) - len(self.text(x).rstrip("0"))

    def popcount(self, x):
        return self.text(x).count("1")

    def bit_reverse(self, x):
        return self.wrap(int(self.text(x)[::-1], 2))

    def rotate(self, v, i):
        turn = i % self.width
        return self.wrap(int(self.text(v)[turn:] + self.text(v)[:turn], 2))

    def abs(self, x):
        return abs(x)

    def abs_diff(self, x, y):
        return abs(x - y)

    def add_sat(self, x, y):
        return self.sat(x + y)

    def sub_sat(self, x, y):
        return self.sat(x - y)

    def hadd(self, x, y):
        return (x + y) // 2

    def rhadd(self, x, y):
        return -((-x - y) // 2)

    def max(self, x, y):
        return max(x, y)

    def min(self, x, y):
        return min(x, y)

    def clamp(self, x, minval, maxval):
        return min(max(x, minval), maxval)

    def mul_hi(self, x, y):
        return x * y // 2**self.width

    def mad_hi(self, a, b, c):
        return self.wrap(a * b // 2**self.width + c)

    def mad_sat(self, a, b, c):
        return self.sat(a * b + c)

    def low24(self, x):
        low = x % 2**24
        return low - 2**24 if self.signed and low >= 2**23 else low

    def mul24(self, x, y):
        return self.wrap(self.low24(x) * self.low24(y))

    def mad24(self, x, y, z):
        return self.wrap(self.low24(x) * self.low24(y) + z)

    def upsample(self, hi, lo):
        return hi * 2**self.width + lo

    def bitfield_insert(self, base, insert, offset, count):
        start, end = self.width - offset - count, self.width - offset
        field = self.text(insert)[self.width - count :]
        return self.wrap(int(self.text(base)[:start] + field + self.text(base)[end:], 2))

    def bitfield_extract_unsigned(self, base, offset, count):
        return (base >> offset) % 2**count

    def bitfield_extract_signed(self, base, offset, count):
        field = (base >> offset) % 2**count
        return field - 2**count if count and field >= 2 ** (count - 1) else field

    def numbers(self, rng, count):
        """Ends, powers of two and their neighbours, and random numbers of every magnitude."""
        edges = {sign * 2**k + d for k in range(self.width) for sign in (1, -1) for d in (-1, 0, 1)}
        edges |= {self.least, self.least + 1, self.most, self.most - 1, 0, 1, self.most // 2, self.most // 3}
        edges = [e for e in edges if self.least <= e <= self.most]
        wide = [int.from_bytes(rng.bytes(8), "little") >> int(rng.integers(0, 64)) for _ in range(count)]
        chosen = [int(e) for e in rng.choice(np.array(edges, object), count // 2)]
        mixed = np.array([self.wrap(w * (-1) ** i) for i, w in enumerate(wide)][: count - count // 2] + chosen, object)
        return [int(v) for v in rng.permutation(mixed)]

    def array(self, values):
        return np.array(values, self.dtype)


@pytest.fixture(params=list(TYPES), ids=list(TYPES))
def oracle(request):
    return Oracle(TYPES[request.param])


@pytest.fixture(params=["char", "uchar"])
def byte_oracle(request):
    return Oracle(TYPES[request.param])


@pytest.fixture
def oracle_of():
    return lambda name: Oracle(TYPES[name])


@pytest.fixture
def rng():
    return np.random.default_rng(20)
