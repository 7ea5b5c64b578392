"""Loads, stores and shuffles, compared with loops over lists."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import clmath
from clmath import shuffle, shuffle2, vload, vload_half, vloada_half, vstore, vstore_half, vstorea_half
from clmath.reference.bitwise.relational import shuffled
from tests import by_fractions
from tests.cases import for_each
from tests.rounding_reference import MODES, assert_bits, rounded

TYPES = ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8")
WIDTHS = (2, 3, 4, 8, 16)


@for_each("dtype", TYPES)
@for_each("n", WIDTHS)
def test_vload_and_vstore_move_the_bits(dtype, n):
    check_moves(np.random.default_rng(n), dtype, n)


def check_moves(rng, dtype, n):
    """Compare loads and stores of random bits, single ones and arrays of them, with slices."""
    memory = rng.integers(0, 256, 512 * np.dtype(dtype).itemsize, np.uint8).view(dtype)
    plain, offsets = memory.copy(), rng.permutation(512 // n)[:30]
    vectors = [plain[o * n : o * n + n].tobytes() for o in offsets]
    loaded = vload(offsets, memory, n)
    assert loaded.dtype == memory.dtype
    assert loaded.tobytes() == b"".join(vectors)
    assert [vload(o, memory, n).tobytes() for o in offsets] == vectors
    data = loaded[::-1].copy()
    loaded[...] = 0  # the result is a copy
    assert memory.tobytes() == plain.tobytes()
    vstore(data, offsets, memory)
    vstore(data[0], offsets[1], memory)
    for i, o in enumerate(offsets):
        plain[o * n : o * n + n] = data[0 if i == 1 else i]
    assert memory.tobytes() == plain.tobytes()


def test_arrays_of_offsets_gather_and_scatter():
    memory = np.arange(60, dtype=np.int16)
    offsets = np.array([[3, 0], [14, 3]], np.uint8)
    assert vload(offsets, memory, 4).tolist() == (4 * offsets.astype(int)[..., None] + np.arange(4)).tolist()
    data = np.arange(100, 116, dtype=np.int16).reshape(2, 2, 4)
    vstore(data, [[0, 5], [9, 2]], memory)
    expected = list(range(60))
    for components, offset in zip(data.reshape(4, 4).tolist(), (0, 5, 9, 2), strict=True):
        expected[4 * offset : 4 * offset + 4] = components
    assert memory.tolist() == expected
    vstore(np.int16([1, 2]), [10, 20], memory)  # one vector to several places
    assert memory[[20, 21, 40, 41]].tolist() == [1, 2, 1, 2]
    assert vload(np.zeros((0, 3), int), memory, 8).shape == (0, 3, 8)
    vstore(np.zeros((0, 4), np.int16), np.zeros(0, int), memory)


def test_data_may_overlap_the_memory():
    memory = np.arange(12, dtype=np.float32)
    vstore(memory.reshape(3, 4), [2, 0, 1], memory)
    assert memory.tolist() == [4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3]


def test_memory_may_have_any_layout():
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
    assert_bits(f"vload_half{n}", loaded.ravel(), memory[: 65536 // n * n].astype(np.float32))  # NumPy is exact
    if n == 1:
        assert isinstance(vload_half(3, memory), np.float32)


@pytest.mark.parametrize("n", WIDTHS)
def test_aligned_loads_and_stores_of_three_halves_use_four(n):
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


@for_each("dtype", ["f4", "f8"])
@for_each("mode", MODES)
def test_vstore_half_rounds_once_in_the_mode(dtype, mode):
    check_stores(np.random.default_rng(3), dtype, mode)


def check_stores(rng, dtype, mode):
    """Check stores, many of ties, in a mode that is passed, and in a mode that is in force."""
    values = np.concatenate([by_fractions.numbers(rng, kind, 120).astype(dtype) for kind in ("f2", dtype)])
    few = np.abs(values) < 1e6
    values[::3] *= np.where(few[::3], 1 + 2.0**-11, 1).astype(dtype)
    values[::6] *= np.where(few[::6], 1 + np.finfo(dtype).eps, 1)  # ties if a double were first rounded to float
    due = rounded(by_fractions.as_fractions(values), "f2", mode).tolist()  # signs of zeros are ignored
    named, inherited, vector = (np.full(240, 9, np.float16) for _ in range(3))
    vstore_half(values, np.arange(240), named, rounding=mode)
    with clmath.select_rounding_mode(mode):
        vstore_half(values, np.arange(240), inherited)
        vstorea_half(values.reshape(120, 2), np.arange(120), vector)
    for memory in (named, inherited, vector):
        assert memory.tolist() == due


@for_each(
    "error, message, call",
    [
        (clmath.ShapeError, "offset 4 means elements 8 to 9 of 8", lambda p: vstore(p[:2], 4, p)),
        (clmath.ShapeError, "offset -1 means", lambda p: vstore(p[:2], -1, p)),
        (clmath.ShapeError, "offset 9", lambda p: vstore(np.zeros((2, 2), p.dtype), [0, 9], p)),
        (clmath.ShapeError, "of 8", lambda p: vstore(p[:2], np.uint64(2**63), p)),
        (clmath.ShapeError, "of 8", lambda p: vstore(p[:4], 2**62, p)),
        (clmath.ShapeError, "has 5 components", lambda p: vstore(p[:5], 0, p)),
        (clmath.ShapeError, "has 1 components", lambda p: vstore(p.dtype.type(1), 0, p)),
        (clmath.ShapeError, "2 components; 4 are needed", lambda p: vstore(p[:2], 0, p, 4)),
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
def test_wrong_arguments_are_refused_before_writing(error, message, call):
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
def test_shuffles_equal_the_reference(dtype, m, n):
    check_shuffles(np.random.default_rng(m * 100 + n), dtype, m, n)


def check_shuffles(rng, dtype, m, n):
    x, y = (rng.integers(0, 256, 5 * m * np.dtype(dtype).itemsize, np.uint8).view(dtype).reshape(5, m) for _ in "xy")
    mask = rng.integers(0, 256, (5, n)).astype(f"u{np.dtype(dtype).itemsize}")
    for found, due in ((shuffle(x, mask), shuffled(mask, x)), (shuffle2(x, y, mask), shuffled(mask, x, y))):
        assert found.dtype == due.dtype
        assert found.tobytes() == due.tobytes()


def test_shuffles_broadcast_and_accept_python_ints():
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
        (lambda: shuffle(np.zeros(5), [0, 1]), clmath.ShapeError, "the last axis of x has 5 components"),
        (lambda: shuffle(np.zeros(4), [0, 1, 2, 3, 0]), clmath.ShapeError, "the last axis of mask has 5 components"),
        (lambda: shuffle(np.zeros((3, 4)), np.zeros((2, 4), np.uint64)), clmath.ShapeError, "do not broadcast"),
        (lambda: shuffle2(np.zeros(4), np.zeros(3), [0, 1]), clmath.ShapeError, "x has 4 components, y 3"),
    ],
)
def test_wrong_argument_of_shuffles_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(4))
def test_a_million_random_numbers_are_moved(seed):
    rng = np.random.default_rng([seed, 1])
    for _ in range(20):
        for dtype, n in itertools.product(TYPES, WIDTHS):
            check_moves(rng, dtype, n)
            check_shuffles(rng, dtype, int(rng.choice(WIDTHS)), n)
        for dtype, mode in itertools.product(("f4", "f8"), MODES):
            check_stores(rng, dtype, mode)


@for_each("vectors", [np.asfortranarray(np.ones((3, 4), np.float32)), np.ones((5, 2, 4), np.float32).swapaxes(0, 1)])
def test_shuffled_vectors_lie_in_memory_as_their_arguments(vectors):
    assert clmath.shuffle(vectors, [3, 2, 1, 0]).strides == np.empty_like(vectors).strides
    assert clmath.shuffle2(vectors, vectors, [7, 2, 1, 0]).strides == np.empty_like(vectors).strides
