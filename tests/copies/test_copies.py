"""Asynchronous work-group copies, compared with loops over elements."""

from __future__ import annotations

import numpy as np
import pytest

import clmath
from tests.cases import for_each

TYPES = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"]
PLAIN, STRIDED = clmath.async_work_group_copy, clmath.async_work_group_strided_copy


def random_bits(dtype, size, seed):
    """Return random encodings, which include signaling NaNs."""
    return np.random.default_rng(seed).integers(0, 256, size * np.dtype(dtype).itemsize, np.uint8).view(dtype)


def moved(dst, src, count, elements, *, src_stride=1, dst_stride=1):
    """Return the bytes of ``dst`` after a copy, made component by component."""
    found = bytearray(dst.tobytes())
    size, data = dst.dtype.itemsize, src.tobytes()
    for i in range(count):
        for k in range(elements):
            to, at = (i * dst_stride * elements + k) * size, (i * src_stride * elements + k) * size
            found[to : to + size] = data[at : at + size]
    return bytes(found)


@for_each("dtype", TYPES)
@for_each("width", [1, 2, 3, 4, 8, 16])
def test_copies_move_the_right_bytes(dtype, width):
    for count, stride in [(0, 1), (1, 3), (5, 1), (5, 2), (4, 7)]:
        check_copies(dtype, width, count, stride, seed=count + 10 * stride)


def check_copies(dtype, width, count, stride, seed):
    """Compare plain and strided copies with loops over elements."""
    elements = 4 if width == 3 else width
    src, dst = (random_bits(dtype, (count * stride + 1) * elements, k) for k in (seed, seed + 1))
    target = dst.copy()
    assert PLAIN(target, src, count, width=width) is None
    assert target.tobytes() == moved(dst, src, count, elements)
    for name in ("src_stride", "dst_stride"):
        target = dst.copy()
        STRIDED(target, src, count, width=width, **{name: stride})
        assert target.tobytes() == moved(dst, src, count, elements, **{name: stride})


def test_memory_may_have_any_stride_and_byte_order():
    src, memory = np.arange(20, dtype=">i4")[::-2], np.zeros(20, "<i4")
    STRIDED(memory[::-1], src, 4, dst_stride=3)
    assert memory[::-1].tolist() == [19, 0, 0, 17, 0, 0, 15, 0, 0, 13] + [0] * 10


def test_last_element_may_end_at_the_end_of_memory():
    dst = np.zeros(2, np.int8)
    STRIDED(dst, np.int8([1, 2, 3, 4]), 2, src_stride=3)
    assert dst.tolist() == [1, 4]
    with pytest.raises(clmath.ShapeError, match="src has 4 numbers and 5 are reached"):
        STRIDED(dst, np.int8([1, 2, 3, 4]), 2, src_stride=4)
    with pytest.raises(clmath.ShapeError, match="dst has 3 numbers and 4 are reached"):
        PLAIN(np.zeros(3, np.int8), np.int8([1, 2, 3, 4]), 1, width=3)


X = np.arange(8, dtype=np.float32)


@for_each(
    "call, words",
    [
        (lambda d: PLAIN(d, X, 1.0), "num_gentypes=1.0"),
        (lambda d: PLAIN(d, X, True), "num_gentypes=True"),
        (lambda d: PLAIN(d, X.reshape(2, 4), 1), "src has shape (2, 4)"),
        (lambda d: PLAIN(d.reshape(2, 4), X, 1), "dst has shape (2, 4)"),
        (lambda d: PLAIN(d, d[4:], 1), "share memory"),
        (lambda d: PLAIN(d, X > 3, 1), "bool"),
        (lambda d: PLAIN(d, np.ma.MaskedArray(X), 1), "filled"),
        (lambda d: STRIDED(d, X, 1, src_stride=1, dst_stride=1), "2 strides are given"),
        (lambda d: STRIDED(d, X, 1, src_stride=0), "src_stride=0"),
        (lambda d: STRIDED(d, X, 1, dst_stride=-2), "dst_stride=-2"),
        (lambda _: clmath.prefetch(X, -1), "num_gentypes=-1"),
        (lambda _: clmath.prefetch(X, 1, width=0), "width=0"),
        (lambda _: clmath.prefetch("p", 1), "prefetch(): p has dtype"),
    ],
)
def test_wrong_arguments_are_refused_before_writing(call, words):
    dst = np.full(8, 7, np.float32)
    with pytest.raises(clmath.ClmathError) as caught:
        call(dst)
    assert words in str(caught.value)
    assert dst.tolist() == [7] * 8


def test_prefetch_does_nothing():
    p = random_bits("f4", 100, 1)
    before = p.tobytes()
    assert clmath.prefetch(p, 10**6, width=16) is None
    assert p.tobytes() == before


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(4))
def test_a_million_random_elements_are_copied(seed):
    rng = np.random.default_rng(seed)
    for _ in range(600):
        dtype, width = rng.choice(TYPES), int(rng.choice([1, 2, 3, 4, 8, 16]))
        check_copies(dtype, width, int(rng.integers(1, 300)), int(rng.integers(1, 9)), int(rng.integers(2**32)))
