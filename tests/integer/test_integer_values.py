"""Every integer built-in against Python integers: 8 bits exhaustively, the other types on ends and random numbers."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from clmath.functions import integer
from tests.cases import for_each, some

pytestmark = pytest.mark.usefixtures("compiled_agrees")

ONE = ["clz", "ctz", "popcount", "bit_reverse", "abs"]
TWO = ["rotate", "abs_diff", "add_sat", "sub_sat", "hadd", "rhadd", "max", "min", "mul_hi"]
THREE = ["clamp", "mad_hi", "mad_sat"]
UNSIGNED_RESULT = {"abs", "abs_diff", "bitfield_extract_unsigned"}
SIGNED_RESULT = {"bitfield_extract_signed"}


def result_dtype(oracle, name):
    if name in UNSIGNED_RESULT:
        return np.dtype(f"u{oracle.dtype.itemsize}")
    return np.dtype(f"i{oracle.dtype.itemsize}") if name in SIGNED_RESULT else oracle.dtype


def check(oracle, name, columns, arrays):
    got = getattr(integer, name)(*arrays)
    want = [getattr(oracle, name)(*row) for row in zip(*columns, strict=True)]
    assert got.dtype == result_dtype(oracle, name)
    wrong = np.flatnonzero(got != np.array(want, got.dtype))
    cases = [(tuple(c[i] for c in columns), int(got[i]), want[i]) for i in wrong[:3]]
    assert not cases, f"{name}: (arguments, got, want) {cases}"


def every(oracle):
    return list(range(oracle.least, oracle.most + 1))


@for_each("name", ONE)
def test_every_byte(byte_oracle, name):
    values = every(byte_oracle)
    check(byte_oracle, name, [values], [byte_oracle.array(values)])


@for_each("name", TWO)
def test_every_pair_of_bytes(byte_oracle, name):
    """A run that draws tests tries some of them."""
    columns = list(zip(*some(itertools.product(every(byte_oracle), repeat=2), 1 << 13), strict=True))
    check(byte_oracle, name, columns, [byte_oracle.array(c) for c in columns])


@for_each("name", THREE)
def test_every_pair_of_bytes_with_some_third(byte_oracle, name):
    thirds = [byte_oracle.least, byte_oracle.least + 1, 0, 1, byte_oracle.most]
    pairs = itertools.product(every(byte_oracle), every(byte_oracle)[::3], thirds)
    columns = list(zip(*pairs, strict=True))
    check(byte_oracle, name, columns, [byte_oracle.array(c) for c in columns])


@for_each("name", ONE + TWO + THREE)
def test_ends_and_random_numbers(oracle, name, rng, request):
    arity = 1 if name in ONE else 2 if name in TWO else 3
    count = 3000 if False else 1000
    columns = [oracle.numbers(rng, count) for _ in range(arity)]
    check(oracle, name, columns, [oracle.array(c) for c in columns])


@pytest.mark.parametrize("name", ["long", "ulong"])
def test_64_bit_products_near_the_ends(oracle_of, name):
    oracle = oracle_of(name)
    ends = [oracle.least, oracle.least + 1, -1, 0, 1, 2, 3, 2**31, 2**32 - 1, 2**32, 2**32 + 1, oracle.most // 2]
    ends = [e for e in [*ends, oracle.most // 3, oracle.most - 1, oracle.most] if oracle.least <= e]
    for call, repeat in (("mul_hi", 2), ("mad_hi", 3), ("mad_sat", 3)):
        columns = list(zip(*itertools.product(ends, repeat=repeat), strict=True))
        check(oracle, call, columns, [oracle.array(c) for c in columns])


@pytest.mark.parametrize("name", ["int", "uint"])
@pytest.mark.parametrize("call", ["mul24", "mad24"])
def test_24_bits(oracle_of, name, call, rng):
    oracle = oracle_of(name)
    columns = [oracle.numbers(rng, 4000) for _ in range(2 if call == "mul24" else 3)]
    check(oracle, call, columns, [oracle.array(c) for c in columns])


@pytest.mark.parametrize("name", ["int", "uint"])
def test_within_24_bits_it_is_the_product(oracle_of, name, rng):
    oracle = oracle_of(name)
    low, high = (-(2**23), 2**23) if oracle.signed else (0, 2**24)
    x, y = (rng.integers(low, high, 2000, dtype=oracle.dtype) for _ in range(2))
    want = [oracle.wrap(int(a) * int(b)) for a, b in zip(x, y, strict=True)]
    assert integer.mul24(x, y).tolist() == want


@for_each("name", ["char", "uchar", "short", "ushort", "int", "uint"])
def test_upsample(oracle_of, name, rng):
    oracle, below = oracle_of(name), oracle_of("u" + name.removeprefix("u"))
    hi, lo = oracle.numbers(rng, 2000), below.numbers(rng, 2000)
    got = integer.upsample(oracle.array(hi), below.array(lo))
    assert got.dtype == np.dtype(f"{oracle.dtype.kind}{2 * oracle.dtype.itemsize}")
    assert got.tolist() == [oracle.upsample(*pair) for pair in zip(hi, lo, strict=True)]


@for_each("call", ["bitfield_insert", "bitfield_extract_signed", "bitfield_extract_unsigned"])
def test_bit_fields_at_every_place(oracle, call, rng):
    places = [(o, c) for o in range(oracle.width + 1) for c in range(oracle.width + 1 - o)]
    offsets, counts = zip(*places, strict=True)
    firsts = [oracle.numbers(rng, len(places)) for _ in range(2 if call == "bitfield_insert" else 1)]
    arrays = [*(oracle.array(f) for f in firsts), np.array(offsets, np.uint32), np.array(counts, np.uint32)]
    check(oracle, call, [*firsts, offsets, counts], arrays)


KINDS = {"u": np.uint8, "s": np.int8}


@pytest.mark.parametrize("kinds", ["uu", "ss", "us", "su"])
def test_dot_products(kinds, rng):
    word = "uint" if kinds == "uu" else "int"
    info = np.iinfo(np.uint32 if word == "uint" else np.int32)
    a, b = (np.frombuffer(rng.bytes(4000), KINDS[k]).reshape(-1, 4).copy() for k in kinds)
    a[0], b[0] = (np.iinfo(KINDS[k]).max for k in kinds)
    a[1], b[1] = np.iinfo(KINDS[kinds[0]]).min, np.iinfo(KINDS[kinds[1]]).max
    want = [sum(int(x) * int(y) for x, y in zip(p, q, strict=True)) for p, q in zip(a, b, strict=True)]
    far = rng.integers(info.min, info.max, 1000, dtype=info.dtype, endpoint=True)
    near = np.where(rng.integers(0, 2, 1000) == 1, info.max - abs(far) % 60000, info.min + far % 60000)
    acc = np.where(rng.integers(0, 2, 1000) == 1, near, far).astype(info.dtype)
    saturated = [sorted((info.min, w + int(c), info.max))[1] for w, c in zip(want, acc, strict=True)]
    words = [x.view("<u4")[:, 0] for x in (a, b)]
    for got, expected in (
        (integer.dot(a, b), want),
        (integer.dot_acc_sat(a, b, acc), saturated),
        (getattr(integer, f"dot_4x8packed_{kinds}_{word}")(*words), want),
        (getattr(integer, f"dot_acc_sat_4x8packed_{kinds}_{word}")(*words, acc), saturated),
    ):
        assert got.dtype == info.dtype
        assert got.tolist() == expected
    assert len(set(saturated) & {info.min, info.max}) >= 1
