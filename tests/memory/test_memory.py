"""Loads, stores and shuffles against loops over plain lists."""

from __future__ import annotations

import numpy as np
import pytest

import clmath
from clmath import shuffle, shuffle2, vload, vload_half, vloada_half, vstore, vstore_half, vstorea_half
from tests import by_fractions
from tests.cases import for_each
from tests.rounding_reference import assert_bits

TYPES = ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8")
WIDTHS = (2, 3, 4, 8, 16)


@for_each("dtype", TYPES)
@for_each("n", WIDTHS)
def test_load_and_store(dtype, n):
    memory = np.arange(100).astype(dtype)
    plain = memory.tolist()
    for offset in range(100 // n):
        lanes = vload(offset, memory, n)
        assert lanes.dtype == memory.dtype
        assert lanes.tolist() == plain[offset * n : offset * n + n]
    lanes[...] = 0  # a copy
    assert memory.tolist() == plain
    vstore(np.full(n, 77, dtype), 2, memory)
    plain[2 * n : 3 * n] = [77] * n
    assert memory.tolist() == plain


def test_gather_and_scatter():
    memory = np.arange(60, dtype=np.int16)
    offsets = np.array([[3, 0], [14, 3]], np.uint8)
    assert vload(offsets, memory, 4).tolist() == (4 * offsets.astype(int)[..., None] + np.arange(4)).tolist()
    data = np.arange(100, 116, dtype=np.int16).reshape(2, 2, 4)
    vstore(data, [[0, 5], [9, 2]], memory)
    expected = list(range(60))
    for lanes, offset in zip(data.reshape(4, 4).tolist(), (0, 5, 9, 2), strict=True):
        expected[4 * offset : 4 * offset + 4] = lanes
    assert memory.tolist() == expected
    vstore(np.int16([1, 2]), [10, 20], memory)  # one vector to several places
    assert memory[[20, 21, 40, 41]].tolist() == [1, 2, 1, 2]
    assert vload(np.zeros((0, 3), int), memory, 8).shape == (0, 3, 8)
    vstore(np.zeros((0, 4), np.int16), np.zeros(0, int), memory)


def test_data_may_lie_in_the_memory_itself():
    memory = np.arange(12, dtype=np.float32)
    vstore(memory.reshape(3, 4), [2, 0, 1], memory)
    assert memory.tolist() == [4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3]


def test_memory_of_any_layout():
    base = np.arange(40, dtype=">i4")
    every_other = base[::2]
    assert vload([1, 2], every_other, 3).tolist() == [[6, 8, 10], [12, 14, 16]]
    assert vload(0, base, 2).dtype.isnative
    assert vload(0, base[::-1], 2).tolist() == [39, 38]
    vstore(np.int32([-1, -2, -3]), 1, every_other)
    assert base[6:12:2].tolist() == [-1, -2, -3]
    assert vload(2, list(range(12)), 4).tolist() == [8, 9, 10, 11]


@for_each("n", [1, *WIDTHS])
def test_every_half_is_loaded_exactly(n):
    memory = np.arange(65536, dtype=np.uint16).view(np.float16)
    loaded = vload_half(np.arange(65536 // n), memory, n)
    assert loaded.shape == ((65536 // n, n) if n > 1 else (65536,))
    assert_bits(f"vload_half{n}", loaded.ravel(), memory[: 65536 // n * n].astype(np.float32))  # NumPy's, exact
    if n == 1:
        assert isinstance(vload_half(3, memory), np.float32)


@pytest.mark.parametrize("n", WIDTHS)
def test_aligned_halves(n):
    step = 4 if n == 3 else n
    memory = np.arange(64, dtype=np.float16)
    last = (64 - n) // step
    due = [[float(o * step + k) for k in range(n)] for o in (0, last)]
    assert vloada_half([0, last], memory, n).tolist() == due
    with pytest.raises(clmath.ShapeError):
        vloada_half(last + 1, memory, n)
    vstorea_half(np.full((2, n), -1.0), [1, 3], memory)
    expected = list(map(float, range(64)))
    for offset in (1, 3):
        expected[offset * step : offset * step + n] = [-1.0] * n
    assert memory.tolist() == expected


@for_each("dtype", [np.float32, np.float64])
@for_each(
    ("mode", "expected"),
    [
        ("rte", [1.0, 1 + 2.0**-9, -1.0, np.inf, 0.0, 2.0**-24]),
        ("rtz", [1.0, 1 + 2.0**-10, -1.0, 65504.0, 0.0, 0.0]),
        ("rtp", [1 + 2.0**-10, 1 + 2.0**-9, -1.0, np.inf, 2.0**-24, 2.0**-24]),
        ("rtn", [1.0, 1 + 2.0**-10, -1 - 2.0**-10, 65504.0, 0.0, 0.0]),
    ],
)
def test_halves_are_stored_rounded_once_in_the_mode(dtype, mode, expected):
    values = np.array([1 + 2.0**-11, 1 + 3 * 2.0**-11, -1 - 2.0**-11, 65520.0, 2.0**-25, 3 * 2.0**-26], dtype)
    named, inherited, vector = (np.full(6, 9, np.float16) for _ in range(3))
    vstore_half(values, np.arange(6), named, rounding=mode)
    with clmath.select_rounding_mode(mode):
        vstore_half(values, np.arange(6), inherited)
        vstorea_half(values.reshape(3, 2), [0, 1, 2], vector)
    for memory in (named, inherited, vector):
        assert memory.tolist() == expected


def test_double_is_not_rounded_by_way_of_float():
    memory = np.zeros(1, np.float16)
    vstore_half(1 + 2.0**-11 + 2.0**-40, 0, memory)  # float would make it a tie
    assert memory[0] == 1 + 2.0**-10


@for_each(
    "error, message, call",
    [
        (clmath.ShapeError, "offset 4 means elements 8 to 9 of 8", lambda p: vstore(p[:2], 4, p)),
        (clmath.ShapeError, "offset -1 means", lambda p: vstore(p[:2], -1, p)),
        (clmath.ShapeError, "offset 9", lambda p: vstore(np.zeros((2, 2), p.dtype), [0, 9], p)),
        (clmath.ShapeError, "of 8", lambda p: vstore(p[:2], np.uint64(2**63), p)),
        (clmath.ShapeError, "of 8", lambda p: vstore(p[:4], 2**62, p)),
        (clmath.ShapeError, "has 5 lanes", lambda p: vstore(p[:5], 0, p)),
        (clmath.ShapeError, "has 1 lanes", lambda p: vstore(p.dtype.type(1), 0, p)),
        (clmath.ShapeError, "2 lanes; 4 are needed", lambda p: vstore(p[:2], 0, p, 4)),
        (clmath.ShapeError, r"data has shape \(3, 2\)", lambda p: vstore(np.zeros((3, 2), p.dtype), 0, p)),
        (clmath.ShapeError, "p.reshape", lambda p: vstore(p[:2], 0, p.reshape(2, 4))),
        (clmath.DTypeError, "offset has dtype", lambda p: vstore(p[:2], 1.0, p)),
        (clmath.DTypeError, "p has dtype", lambda p: vstore_half(1.0, 0, p.view(np.uint16))),
        (clmath.DTypeError, "float or double", lambda p: vstore_half(np.float16(1), 0, p)),
        (clmath.ShapeError, "of 8", lambda p: vstore_half([1.0, 2.0], [0, 8], p)),
        (clmath.ShapeError, "ask for", lambda p: vstore_half([1.0, 2.0], 0, p)),
        (clmath.RoundingError, "nearest", lambda p: vstore_half(1.0, 0, p, rounding="nearest")),
        (clmath.ShapeError, "n=5", lambda p: vstore_half(np.zeros(5), 0, p, 5)),
        (clmath.ShapeError, "n=1", lambda p: vstorea_half(np.zeros(1), 0, p, 1)),
        (clmath.ShapeError, "of 8", lambda p: vstorea_half(np.zeros(3), 2, p)),
        (clmath.ShapeError, "of 7", lambda p: vload(1, p[:7], 4)),
        (clmath.ShapeError, "-1", lambda p: vload([0, -1], p, 4)),
    ],
)
def test_errors_come_before_anything_is_written(error, message, call):
    memory = np.full(8, 9, np.float16)
    with pytest.raises(error, match=message):
        call(memory)
    assert memory.tolist() == [9] * 8


def test_read_only_memory_is_refused():
    memory = np.zeros(8, np.float16)
    memory.flags.writeable = False
    for call in (lambda: vstore(np.float16([1, 2]), 0, memory), lambda: vstore_half(1.0, 0, memory)):
        with pytest.raises(clmath.ShapeError, match="read-only"):
            call()
    assert vload(0, memory, 2).tolist() == [0, 0]


@for_each("dtype", TYPES)
@for_each("m", WIDTHS)
@for_each("n", WIDTHS)
def test_shuffle(dtype, m, n):
    generator = np.random.default_rng(m * 100 + n)
    x, y = (generator.integers(1, 100, (5, m)).astype(dtype) for _ in range(2))
    mask = generator.integers(0, 256, (5, n)).astype(f"u{np.dtype(dtype).itemsize}")
    one, two = (np.pad(v, ((0, 0), (0, m == 3))) for v in (x, y))  # vectors of three components have a fourth component
    places, stored = mask.astype(int), one.shape[1]
    assert_bits("shuffle", shuffle(x, mask), np.take_along_axis(one, places % stored, -1))
    both = np.concatenate([one, two], axis=-1)
    assert_bits("shuffle2", shuffle2(x, y, mask), np.take_along_axis(both, places % (2 * stored), -1))


def test_shuffles_broadcast_and_take_python_ints():
    x = np.float32([[1, 2], [3, 4]])
    assert shuffle(x, [1, 0, 3]).tolist() == [[2, 1, 2], [4, 3, 4]]
    assert shuffle(x[0], np.uint32([[0, 1], [1, 1]])).tolist() == [[1, 2], [2, 2]]
    assert shuffle(x, [-1, -2]).tolist() == [[2, 1], [4, 3]]
    assert shuffle2(x, x[0], [0, 2]).tolist() == [[1, 1], [3, 1]]


@for_each(
    ("call", "error", "message"),
    [
        (lambda: shuffle(np.float32([1, 2]), np.int32([0, 1])), clmath.DTypeError, "mask has dtype int32; uint32"),
        (lambda: shuffle(np.float32([1, 2]), [0.0, 1.0]), clmath.DTypeError, "mask"),
        (lambda: shuffle(np.zeros(5), [0, 1]), clmath.ShapeError, "the last axis of x has 5 lanes"),
        (lambda: shuffle(np.zeros(4), [0, 1, 2, 3, 0]), clmath.ShapeError, "the last axis of mask has 5 lanes"),
        (lambda: shuffle(np.zeros((3, 4)), np.zeros((2, 4), np.uint64)), clmath.ShapeError, "do not broadcast"),
        (lambda: shuffle2(np.zeros(4), np.zeros(3), [0, 1]), clmath.ShapeError, "x has 4 lanes, y 3"),
    ],
)
def test_shuffle_errors(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(4))
def test_a_million_random_numbers(seed):
    """Loads, stores, shuffles and swizzles of any bits, and halfs rounded in every mode, one number after the other."""
    rng, left = np.random.default_rng(seed), 250_000
    while left > 0:
        dtype, n = np.dtype(rng.choice(TYPES)), int(rng.choice(WIDTHS))
        left -= random_moves(rng, dtype, n) if rng.random() < 0.6 else random_halves(rng, n)


def random_moves(rng, dtype, n):
    """How many numbers have been compared."""
    memory = rng.integers(0, 256, 4096 * dtype.itemsize, np.uint8).view(dtype)
    plain = [bytes(b) for b in memory.view(np.uint8).reshape(-1, dtype.itemsize)]
    offsets = rng.permutation(4096 // n)[:50]
    loaded = vload(offsets, memory, n)
    assert loaded.tobytes() == b"".join(plain[o * n + k] for o in offsets.tolist() for k in range(n))
    vstore(loaded[::-1], offsets, memory)
    for i, o in enumerate(offsets.tolist()):
        plain[o * n : o * n + n] = [bytes(b) for b in loaded[len(loaded) - 1 - i].view(np.uint8).reshape(n, -1)]
    assert memory.tobytes() == b"".join(plain)
    if n == 3:
        return 2 * loaded.size
    m = int(rng.choice([2, 4, 8, 16]))
    mask = rng.integers(0, 256, (len(loaded), m)).astype(f"u{dtype.itemsize}")
    found, found2 = shuffle(loaded, mask), shuffle2(loaded, loaded[::-1], mask)
    for a, b, k, one, two in zip(loaded, loaded[::-1], mask.tolist(), found, found2, strict=True):
        assert [v.tobytes() for v in one] == [a[i % n].tobytes() for i in k]
        assert [v.tobytes() for v in two] == [(a, b)[i // n % 2][i % n].tobytes() for i in k]
    half = {"lo": range(n // 2), "hi": range(n // 2, n), "even": range(0, n, 2), "odd": range(1, n, 2)}
    for name, places in half.items():
        assert clmath.swizzle(loaded, name).tobytes() == loaded[:, list(places)].tobytes()
    return 4 * loaded.size + 2 * mask.size


def random_halves(rng, n):
    dtype, mode = rng.choice(["f4", "f8"]), rng.choice(["rte", "rtz", "rtp", "rtn"])
    values = np.concatenate([by_fractions.numbers(rng, k, 25 * n).astype(dtype) for k in ("f2", dtype)])
    values[::3] *= np.where(np.abs(values[::3]) < 1e6, 1 + 2.0**-11, 1).astype(dtype)  # halfway between two halfs
    memory = np.zeros(values.size, np.float16)
    vstore_half(values.reshape(-1, n), np.arange(50), memory, n, rounding=mode)
    due = [by_fractions.rounded(value, "f2", mode) for value in by_fractions.as_fractions(values)]
    assert memory.tolist() == due
    assert vload_half(np.arange(50), memory, n).reshape(-1).tolist() == due
    return 2 * values.size
