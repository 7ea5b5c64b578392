"""Compiled code on arrays as they are, at every level of the processor: NumPy's bits, and what is refused."""

import ctypes

import numpy as np
import pytest

from clmath.call import plain
from clmath.engines import choice
from clmath.engines.native import arrays
from clmath.kernels import ACCURATE, FAST
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounding import MODES
from tests.cases import for_each
from tests.engines import compared

CASES = [
    (FAST.kernels["exp"], HALF),
    (FAST.kernels["sincos"], FLOAT),
    (FAST.kernels["pown"], HALF),
    (ACCURATE.kernels["sin"], DOUBLE),
    (ACCURATE.kernels["pow"], DOUBLE),
    (ACCURATE.kernels["rootn"], DOUBLE),
]
pytestmark = pytest.mark.usefixtures("narrowing_however_few")
LABELLED = pytest.mark.parametrize("kernel, form", CASES, ids=lambda value: getattr(value, "name", None))
REFUSED = -1


@pytest.fixture
def operands():
    """The function of a kernel and a format that gives arguments and room for results, two each or None."""

    def found(kernel, form, lanes=None):
        args = [a[:lanes] for a in compared.arguments(kernel, form, 1 << 10)]
        results = [np.empty(args[0].shape, form.dtype) for _ in range(kernel.results)]
        return args, results

    return found


def many(loop, args, results):
    """The undecided lanes of a whole call, a list of at least a piece at a time."""
    following, room, found = (ctypes.c_int64 * 2)(0, 100), np.empty(arrays.PIECE + 5, np.int64), []
    while following[0] < results[0].size:
        left = loop.many(loop.address, *arrays.operands(args, results), ctypes.byref(following), room, plain.AT_ONCE)
        assert left >= 0
        found += room[:left].tolist()
    return sorted(found)


@LABELLED
@np.errstate(all="ignore")
def test_every_level_and_mode(kernel, form, natives, operands):
    args, results = operands(kernel, form)
    for mode in MODES:
        wanted = [np.empty_like(r) for r in results]
        want = sorted(choice.PLAIN.rounded(kernel, form, mode, args, wanted).tolist())
        for engine in natives:
            swapped = [a.astype(a.dtype.newbyteorder()) for a in args]
            for given in (args, swapped):
                loop = engine.loop(kernel, form, mode, [a.dtype for a in given])
                for result in results:
                    result.fill(7)
                assert many(loop, given, results) == want
                decided = np.delete(np.arange(args[0].size), want)
                for result, wish in zip(results, wanted, strict=True):
                    assert result[decided].tobytes() == wish[decided].tobytes()


@LABELLED
@np.errstate(all="ignore")
def test_numbers_at_every_level(kernel, form, natives, operands):
    args, results = operands(kernel, form, 3000)
    undecided = choice.PLAIN.rounded(kernel, form, "rtz", args, results)
    if kernel.results > 1:
        return
    want = results[0].astype(np.float64)
    want[undecided] = np.nan
    for engine in natives:
        one = engine.on_numbers(kernel, form, "rtz", [a.dtype for a in args])
        found = np.array([one(*map(float, row)) for row in zip(*args, strict=True)])
        assert np.array_equal(found, want, equal_nan=True)
        assert np.array_equal(np.signbit(found), np.signbit(want) & ~np.isnan(want))


def test_calls_and_undecided_elements_are_counted(natives, operands):
    (x,), (result,) = operands(ACCURATE.kernels["sin"], DOUBLE)
    for engine in natives:
        loop = engine.loop(ACCURATE.kernels["sin"], DOUBLE, "rte", [x.dtype])
        assert loop.few(loop.address, *arrays.operands([x[:9]], [result[:9]])) == 0
        left = len(many(loop, [x], [result]))
        assert loop.counts == (9 + x.size, left)


def refusals():
    """Arguments and results that do not fit, by what is wrong with them."""
    x, y = np.ones((4, 6)), np.ones((4, 6))
    fixed = np.ones((4, 6))
    fixed.flags.writeable = False
    bytes_of = np.zeros(8 * 24 + 1, np.uint8)
    unaligned = bytes_of[1:].view(np.float64).reshape(4, 6)
    axes = np.ones((2, 4) * 5)[(slice(None), slice(1, 3)) * 5]
    return {
        "read-only": (x, x, fixed),
        "unaligned": (x, unaligned, y),
        "an unaligned result": (x, x, unaligned),
        "one axis more": (x[None], x, y),
        "another length": (x, x[:, :5], y),
        "longer than the result": (x, x[:1], y[:1]),
        "the argument": (x, y, x),
        "the second argument": (x, y, y),
        "some of it": (x[:3], x[:3], x[1:]),
        "backward": (x, x, x[::-1, ::-1]),
        "a repeated result": (x, x, np.lib.stride_tricks.as_strided(y, (4, 6), (0, 8))),
        "too many axes": (axes, axes, np.empty(axes.shape)),
    }


@for_each("case", refusals())
def test_operands_that_do_not_fit_are_refused(case, natives):
    x, y, result = refusals()[case]
    before = result.tobytes()
    for engine in natives:
        loop = engine.loop(ACCURATE.kernels["pow"], DOUBLE, "rte", [x.dtype, y.dtype])
        room, following = np.empty(arrays.PIECE, np.int64), (ctypes.c_int64 * 2)(0, arrays.PIECE)
        given = arrays.operands([x, y], [result])
        assert loop.many(loop.address, *given, ctypes.byref(following), room, plain.AT_ONCE) == REFUSED
        assert result.size > arrays.FEW or loop.few(loop.address, *given) == REFUSED
        assert (following[0], loop.counts) == (0, (0, 0))
    assert result.tobytes() == before


def test_results_that_share_memory_are_refused(natives):
    x, both = np.ones(40, np.float32), np.zeros(60, np.float32)
    for engine in natives:
        loop = engine.loop(FAST.kernels["sincos"], FLOAT, "rte", [x.dtype])
        assert loop.few(loop.address, *arrays.operands([x], [both[:40], both[20:]])) == REFUSED
        assert loop.few(loop.address, *arrays.operands([x[:30]], [both[:30], both[30:]])) == 0
        # not told apart
        assert loop.few(loop.address, *arrays.operands([x[:30]], [both[::2], both[1::2]])) == REFUSED


def test_few_lanes_are_as_many_as_python_thinks(natives):
    for engine in natives:
        loop = engine.loop(FAST.kernels["exp"], FLOAT, "rte", [np.dtype("f4")])
        for count, found in ((arrays.FEW, 0), (arrays.FEW + 1, REFUSED)):
            x = np.ones(count, np.float32)
            assert loop.few(loop.address, *arrays.operands([x], [np.empty_like(x)])) == found
        following = (ctypes.c_int64 * 2)(0, arrays.PIECE)
        x, room = np.ones(3 * arrays.PIECE, np.float32), np.empty(arrays.PIECE - 1, np.int64)
        given = arrays.operands([x], [np.empty_like(x)])
        assert loop.many(loop.address, *given, ctypes.byref(following), room, plain.AT_ONCE) == 0
        assert following[0] == 0  # there is no room for the undecided lanes of a piece
        room = np.empty(arrays.PIECE, np.int64)
        loop.many(loop.address, *given, ctypes.byref(following), room, plain.AT_ONCE)
        assert following[0] == 3 * arrays.PIECE


def test_types_that_are_not_read(natives):
    for dtype in (np.int64, np.uint32, np.complex64, bool, object, np.longdouble, "U1"):
        assert natives[0].loop(ACCURATE.kernels["sin"], DOUBLE, "rte", [np.dtype(dtype)]) is None
    assert natives[0].loop(ACCURATE.kernels["sin"], FLOAT, "rte", [np.dtype("f4")]) is None  # another phase's


def test_heads_that_say_something_else_are_not_read(monkeypatch, natives):
    assert arrays.are_readable()
    monkeypatch.setattr(arrays, "_HEAD", arrays._HEAD + 8)
    assert not arrays.are_readable.__wrapped__()
    monkeypatch.undo()
    monkeypatch.setattr(arrays.sys.implementation, "name", "another")
    assert not arrays.are_readable.__wrapped__()
    monkeypatch.setattr(arrays, "are_readable", lambda: False)
    assert natives[0].loop(ACCURATE.kernels["sin"], DOUBLE, "rte", [np.dtype("f8")]) is None
