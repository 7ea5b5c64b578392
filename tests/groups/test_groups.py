"""Work-group and sub-group functions, compared with exact fractions, and ranges of sums with orders of addition."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import clmath
from clmath.direct import sums
from clmath.reference.bitwise.groups import extreme, group_sum
from tests.cases import for_each
from tests.rounding_reference import MODES, assert_bits

INTEGERS = ["i4", "u4", "i8", "u8"]
FLOATS = ["f2", "f4", "f8"]
REDUCE, INCLUSIVE = clmath.work_group_reduce, clmath.work_group_scan_inclusive
EXCLUSIVE = clmath.work_group_scan_exclusive
PAIRS = [(getattr(clmath, f"work_group_{f}"), getattr(clmath, f"sub_group_{f}")) for f in (
    "all", "any", "broadcast", "reduce", "scan_inclusive", "scan_exclusive")]  # fmt: skip


def bits(value):
    return np.asarray(value).tobytes()


def lines(rng, dtype, shape):
    """Return groups of several kinds: random encodings, similar sizes, cancelling sums, integers, special values."""
    size = int(np.prod(shape))
    anything = rng.integers(0, 256, size * np.dtype(dtype).itemsize, np.uint8).view(dtype).reshape(shape)
    anything = np.where(np.isfinite(anything), anything, anything.dtype.type(1))
    usual = (rng.random(shape) - 0.5).astype(dtype)
    cancelling = usual.copy()
    half = shape[-1] // 2
    cancelling[..., half : 2 * half] = -cancelling[..., :half]
    cancelling[..., :1] = np.finfo(dtype).smallest_subnormal * rng.integers(-3, 4, cancelling[..., :1].shape)
    whole = rng.integers(-50, 50, shape).astype(dtype)
    some = [0.0, -0.0, 1.0, np.inf, -np.inf, np.nan, np.finfo(dtype).max, -np.finfo(dtype).max]
    special = rng.choice(np.array([*some, np.finfo(dtype).tiny, np.finfo(dtype).smallest_subnormal], dtype), shape)
    zeros = rng.choice(np.array([0.0, -0.0], dtype), shape)
    ties = np.ldexp(rng.choice([1.0, -1.0, 1.5], shape), rng.integers(-2, 30, shape)).astype("f4").astype(dtype)
    return np.concatenate([anything, usual, cancelling, whole, special, zeros, ties])


@for_each("mode", MODES)
@for_each("dtype", FLOATS)
@for_each("count", [1, 2, 3, 7, 33])
def test_sums_are_exact_and_rounded_once(dtype, mode, count):
    check_sums(np.random.default_rng(count), dtype, mode, (12, count))


def check_sums(rng, dtype, mode, shape):
    with np.errstate(all="ignore"):
        x = lines(rng, dtype, shape)
    due = group_sum(x, "scan_inclusive", mode)
    before = np.concatenate([np.zeros_like(x[:, :1]), due[:, :-1]], axis=-1)
    for found, wanted in (
        (REDUCE(x, "add", rounding=mode), due[:, -1]),
        (INCLUSIVE(x, "add", rounding=mode), due),
        (EXCLUSIVE(x, "add", rounding=mode), before),
    ):
        assert_bits(f"sum, {mode}", found, wanted)
        assert bits(found) == bits(wanted)  # even bits of NaNs


@pytest.mark.parametrize("dtype", FLOATS)
def test_sum_over_several_chunks_equals_the_sum_in_one(dtype, monkeypatch):
    x = (np.random.default_rng(5).random((3, 997)) - 0.3).astype(dtype)
    whole = INCLUSIVE(x, "add"), REDUCE(x, "add")
    monkeypatch.setattr(sums, "_ROOM", 256)
    assert bits(INCLUSIVE(x, "add")) == bits(whole[0])
    assert bits(REDUCE(x, "add")) == bits(whole[1]) == bits(np.ascontiguousarray(whole[0][:, -1]))


def test_sum_of_many_largest_numbers_overflows_by_the_mode():
    x = np.full(1 << 16, np.finfo("f8").max)
    assert REDUCE(x, "add") == np.inf
    assert REDUCE(x, "add", rounding="rtz") == np.finfo("f8").max
    x[1::2] *= -1
    assert bits(REDUCE(x, "add")) == bits(np.float64(0.0))
    assert bits(REDUCE(x, "add", rounding="rtn")) == bits(np.float64(-0.0))


def wrapped(sums, dtype):
    least, count = int(np.iinfo(dtype).min), 1 << np.iinfo(dtype).bits
    return [(total - least) % count + least for total in sums]


@for_each("dtype", INTEGERS)
def test_sums_of_integers_wrap(dtype):
    x = np.random.default_rng(1).integers(0, 256, 400 * np.dtype(dtype).itemsize, np.uint8).view(dtype).reshape(40, 10)
    due = group_sum(x, "scan_inclusive", "rte")
    assert due.tolist() == [wrapped(itertools.accumulate(line), dtype) for line in x.tolist()]
    assert_bits("sum", INCLUSIVE(x, "add"), due, x)
    assert_bits("sum", REDUCE(x, "add"), due[:, -1], x[:, 0])


@for_each("op", ["add", "min", "max"])
@for_each("dtype", INTEGERS + FLOATS)
def test_empty_groups_give_the_specified_identities(dtype, op):
    type_, info = np.dtype(dtype).type, np.iinfo(dtype) if dtype[0] != "f" else None
    ends = {"min": info.max, "max": info.min} if info else {"min": np.inf, "max": -np.inf}
    identity = type_({"add": 0, **ends}[op])
    empty = np.zeros((2, 0), dtype)
    assert REDUCE(empty, op).tolist() == [identity] * 2
    assert INCLUSIVE(empty, op).shape == EXCLUSIVE(empty, op).shape == (2, 0)
    assert bits(EXCLUSIVE(np.ones(3, dtype), op)[0]) == bits(identity)


@for_each("dtype", INTEGERS + FLOATS)
def test_min_and_max_equal_the_reference(dtype):
    rng = np.random.default_rng(2)
    if dtype[0] == "f":
        with np.errstate(all="ignore"):
            x = lines(rng, dtype, (10, 9))
    else:
        x = rng.integers(0, 256, 90 * np.dtype(dtype).itemsize, np.uint8).view(dtype).reshape(10, 9)
    for op in ("min", "max"):
        due = extreme(x, op, "scan_inclusive")
        assert bits(INCLUSIVE(x, op)) == bits(due)
        assert bits(REDUCE(x, op)) == bits(np.ascontiguousarray(due[:, -1]))
        assert bits(EXCLUSIVE(x, op)) == bits(extreme(x, op, "scan_exclusive"))


def test_min_of_zeros_is_negative_and_nan_is_ignored():
    x = np.array([[0.0, -0.0, np.nan, 1.0], [np.nan] * 4, [np.nan, -1.0, np.inf, -np.inf]])
    assert bits(extreme(x, "min", "reduce")[:, 0]) == bits(np.array([-0.0, np.nan, -np.inf]))
    assert bits(extreme(x, "max", "reduce")[:, 0]) == bits(np.array([1.0, np.nan, np.inf]))


def test_groups_of_several_dimensions_count_x_fastest():
    x = np.arange(2 * 3 * 4 * 5, dtype="i4").reshape(2, 3, 4, 5)  # axes: z, group, y, x
    axis = (3, 2, 0)
    linear = [(z, y, i) for z in range(2) for y in range(4) for i in range(5)]
    scanned = INCLUSIVE(x, "add", axis=axis)
    for group in range(3):
        due = np.cumsum([x[z, group, y, i] for z, y, i in linear])
        assert [int(scanned[z, group, y, i]) for z, y, i in linear] == due.tolist()
    assert REDUCE(x, "add", axis=axis).tolist() == x.sum(axis=(0, 2, 3)).tolist()
    assert clmath.work_group_broadcast(x, 4, 1, 0, axis=axis).tolist() == x[0, :, 1, 4].tolist()
    assert clmath.work_group_all(x, axis=axis).tolist() == [False, True, True]
    assert clmath.work_group_any(x == 119, axis=axis).tolist() == [False, False, True]


def test_sub_group_functions_equal_work_group_functions():
    x = np.float32([[1, 2, 3], [np.nan, -0.0, 4]])
    for work, sub in PAIRS:
        args = ((x != 0),) if work.__name__.endswith(("all", "any")) else (x, 1)
        args = (x, "add") if work.__name__.endswith(("reduce", "inclusive", "exclusive")) else args
        assert bits(work(*args)) == bits(sub(*args))


def test_broadcast_keeps_bits():
    x = np.array([0x7F800001, 0xFFC12345, 5], "u4").view("f4")
    assert [bits(clmath.work_group_broadcast(x, k)) for k in range(3)] == [bits(v) for v in x]
    assert clmath.sub_group_broadcast(np.array([1, 2], ">i8"), 1) == 2


def in_order(x, order, mode):
    """Return sums by rounded additions; ``order``: the two columns that each addition joins."""
    columns = list(x.T)
    for first, second in order:
        columns[first] = group_sum(np.stack([columns[first], columns.pop(second)], axis=-1), "reduce", mode)[:, 1]
    return columns[0]


@pytest.mark.slow
@for_each("mode", MODES)
@for_each("dtype", FLOATS)
def test_every_order_of_additions_is_within_the_range(dtype, mode):
    check_ranges(np.random.default_rng(3), dtype, mode)


def check_ranges(rng, dtype, mode):
    with np.errstate(all="ignore"):
        x = lines(rng, dtype, (3, 6))
    x = x[np.isfinite(x).all(axis=-1)]
    low, high = clmath.group_sum_range(x, rounding=mode)
    total = REDUCE(x, "add", rounding=mode)
    assert ((low <= total) & (total <= high)).all()
    scans = clmath.group_sum_range(x, "scan_inclusive", rounding=mode)
    ahead = clmath.group_sum_range(x, "scan_exclusive", rounding=mode)
    assert [bits(np.ascontiguousarray(end[:, -1])) for end in scans] == [bits(low), bits(high)]
    assert all(np.array_equal(a[:, 1:], s[:, :-1]) and not a[:, 0].any() for a, s in zip(ahead, scans, strict=True))
    for _ in range(40):
        order = [tuple(sorted(rng.choice(n, 2, replace=False))) for n in range(6, 1, -1)]
        found = in_order(rng.permuted(x, axis=-1), order, mode)
        assert ((low <= found) & (found <= high) | np.isnan(found) & (low == -np.inf) & (high == np.inf)).all()


@pytest.mark.parametrize("dtype", FLOATS)
def test_range_excludes_sums_with_an_item_missing(dtype):
    rng = np.random.default_rng(4)
    x = (1 + rng.random((50, 33))).astype(dtype)
    low, high = clmath.group_sum_range(x)
    dropped = REDUCE(x[:, 1:], "add")
    assert ((dropped < low) | (dropped > high)).all()
    whole = rng.integers(-9, 9, (50, 33)).astype(dtype)
    low, high = clmath.group_sum_range(whole)
    assert np.array_equal(low, high)
    assert np.array_equal(low, whole.sum(axis=-1))
    pair = x[:, :2]
    assert all(np.array_equal(end, REDUCE(pair, "add")) for end in clmath.group_sum_range(pair))


def test_range_is_infinite_if_some_order_overflows():
    """With large numbers some order of additions may give NaN for an infinite sum, or infinity for a finite one."""
    large = np.float32(2.0**127)
    for line in ([large, large, -np.inf], [large, large, -large], [1, large, large, -large, -large]):
        low, high = clmath.group_sum_range(np.float32(line))
        assert (low, high) == (-np.inf, np.inf)
    for line, due in (([1, 2, -np.inf], -np.inf), ([large, np.inf], np.inf)):
        assert clmath.group_sum_range(np.float32(line)) == (due, due)
    assert np.isnan(clmath.group_sum_range(np.float32([large, large, np.nan]))).all()
    top = np.finfo("f8").max
    assert clmath.group_sum_range(np.float64([top, top, -top])) == (-np.inf, np.inf)


def test_range_of_an_empty_group_is_zero_for_a_reduction_and_empty_for_a_scan():
    """A scan of empty groups used to be a ValueError of NumPy."""
    for over, shape in (("reduce", (3,)), ("scan_inclusive", (3, 0)), ("scan_exclusive", (3, 0))):
        for end in clmath.group_sum_range(np.ones((3, 0), np.float32), over):
            assert end.shape == shape
            assert not end.any()


def test_range_of_four_floats_contains_every_order():
    x = np.float32([1e8, 3.0, -1e8, 5.0])
    orders = itertools.product(*(itertools.combinations(range(n), 2) for n in (4, 3, 2)))
    found = np.concatenate([in_order(np.array([*itertools.permutations(x)]), order, "rte") for order in orders])
    low, high = clmath.group_sum_range(x)
    assert low <= found.min() < found.max() <= high
    assert high - low < 2 * 3 * 2.0**-24 * np.abs(x).sum(dtype=float) * 1.01


X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
INTO = {
    "all": (lambda out: clmath.work_group_all(X.astype(np.int32), out=out), np.empty((2, 3), bool)),
    "any": (lambda out: clmath.sub_group_any(X.astype(np.int32), axis=0, out=out), np.empty((3, 4), bool)),
    "broadcast": (lambda out: clmath.work_group_broadcast(X, 2, 1, axis=(2, 0), out=out), np.empty(3, np.float32)),
    "reduce": (lambda out: REDUCE(X, "add", axis=1, out=out), np.empty((4, 2), np.float32).T),
    "reduce, alias": (lambda out: clmath.sub_group_reduce_max(X, axis=1, out=out), np.empty((2, 4), np.float32)),
    "nothing": (lambda out: REDUCE(X[:, :0], "max", axis=1, out=out), np.empty((2, 4), np.float32)),
    "a number": (lambda out: REDUCE(X[0, 0], "max", out=out), np.empty((), np.float32)),
    "scan": (
        lambda out: clmath.work_group_scan_inclusive(X, "add", axis=0, out=out),
        np.empty((2, 3, 8), ">f4")[..., ::2],
    ),
    "scan, exclusive": (lambda out: clmath.sub_group_scan_exclusive_min(X, out=out), np.empty((2, 3, 4), np.float32)),
}


@for_each("form", INTO)
def test_results_are_written_to_out(form):
    call, out = INTO[form]
    expected = np.asarray(call(None))
    assert call(out) is out
    assert out.astype(expected.dtype).tobytes() == expected.tobytes()
    with pytest.raises(clmath.DTypeError, match="out has dtype int16"):
        call(np.empty(out.shape, np.int16))
    with pytest.raises(clmath.ShapeError, match="out has shape"):
        call(np.empty((*out.shape, 1), out.dtype))


def test_scan_works_in_place():
    x = np.int32([[3, 1, 2], [5, 0, 1]])
    clmath.work_group_scan_exclusive(x, "add", out=x)
    assert x.tolist() == [[0, 3, 4], [0, 5, 5]]


REFUSED = [
    (lambda: REDUCE(np.float32(1), "add"), "give an array of work-items"),
    (lambda: REDUCE(np.ones((2, 2)), "add", axis=(0, 0)), "one to three different axes"),
    (lambda: REDUCE(np.ones(3, np.int8), "add"), "int, uint, long"),
    (lambda: REDUCE(np.ones(3, bool), "add"), "has dtype bool"),
    (lambda: REDUCE(np.ones(3), "add", rounding="up"), "'rtp'"),
    (lambda: clmath.work_group_all(np.ones(3)), "has dtype double"),
    (lambda: clmath.group_sum_range(np.ones(3, np.int32)), "half, float or double"),
]


@for_each("call, message", REFUSED)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(clmath.ClmathError) as caught:
        call()
    assert message in str(caught.value)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(4))
def test_a_million_random_items_are_summed(seed):
    rng = np.random.default_rng([seed, 7])
    for round_ in range(30):
        for dtype, mode in itertools.product(FLOATS, MODES):
            check_sums(rng, dtype, mode, (12, int(rng.integers(1, 70))))
            if round_ < 5:
                check_ranges(rng, dtype, mode)
