"""Ufuncs of compiled loops at every level of the processor: they return NumPy's bits in every layout and mode."""

import ctypes
import itertools
import platform

import numpy as np
import pytest

import clmath
from clmath import phases
from clmath.engines import choice, ufuncs
from clmath.kernels import ACCURATE, FAST
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import builtin, builtins
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


def operands(kernel, form, count=1 << 10):
    """Arguments, and plain NumPy's results for the elements that kernels decide; 7 for the other elements."""
    args = [a[:count] for a in compared.arguments(kernel, form, 1 << 10)]
    return args, [np.empty(args[0].shape, form.dtype) for _ in range(kernel.results)]


def wanted(kernel, form, mode, args, results):
    """The results of plain NumPy, and the undecided elements, which are 7."""
    with np.errstate(all="ignore"):
        left = choice.PLAIN.rounded(kernel, form, mode, args, results)
    for result in results:
        result[left] = 7
    return results, left


def sevens(kernel, form, asked=None):
    """A ``decide`` function that returns 7 for undecided elements; ``asked`` lists them."""

    def decide(args):
        if asked is not None:
            asked.extend(zip(*(a.tolist() for a in args), strict=True))
        return [np.full(args[0].shape, 7, form.dtype)] * kernel.results

    return decide


def made(engine, kernel, form, mode, args, decide=None):  # noqa: PLR0917 - as ufunc_loop takes them
    """The loop of ``kernel`` in ``engine``, and its ufunc."""
    types = [a.dtype for a in args], [form.dtype] * kernel.results
    loop = engine.ufunc_loop(kernel, form, mode, types, decide or sevens(kernel, form))
    return loop, ufuncs.ufunc(kernel.name, [loop], len(args))


def of(found):
    """The results as a list, whether of one or of two."""
    return [r.tobytes() for r in (found if isinstance(found, tuple) else (found,))]


@LABELLED
def test_every_level_and_mode_has_the_bits_of_numpy(kernel, form, natives):
    args, results = operands(kernel, form)
    for mode in MODES:
        want, left = wanted(kernel, form, mode, args, results)
        for engine in natives:
            loop, ufunc = made(engine, kernel, form, mode, args)
            assert of(ufunc(*args)) == of(tuple(want))
            assert loop.counts == (args[0].size, left.size)
            swapped = [a.astype(a.dtype.newbyteorder()) for a in args]
            assert of(ufunc(*swapped)) == of(tuple(want))


@LABELLED
def test_layouts_and_places_of_results_change_no_bit(kernel, form, natives):
    args, results = operands(kernel, form)
    want, _ = wanted(kernel, form, "rtp", args, results)
    _, ufunc = made(natives[0], kernel, form, "rtp", args)
    steps = [np.repeat(a, 3)[::3] for a in args]
    assert of(ufunc(*steps)) == of(tuple(want))
    assert of(ufunc(*[a[::-1] for a in args])) == of(tuple(w[::-1].copy() for w in want))
    unaligned = [np.frombuffer(b"x" + a.tobytes(), np.uint8)[1:].view(a.dtype) for a in args]
    assert of(ufunc(*unaligned)) == of(tuple(want))
    first = args[0].copy()
    in_place = ufunc(first, *args[1:], out=(first, *[None] * (kernel.results - 1)))
    assert of(in_place) == of(tuple(want))
    shifted = np.concatenate([args[0], args[0][:1]])
    if kernel.results == 1:
        ufunc(shifted[:-1], *args[1:], out=shifted[1:])
        assert shifted[1:].tobytes() == want[0].tobytes()


def test_elements_that_depend_on_the_previous_one_are_taken_one_by_one(natives):
    kernel, x = ACCURATE.kernels["pow"], np.array([1.5, 2.0, 0.5, 3.0, 1.25])
    _, ufunc = made(natives[0], kernel, DOUBLE, "rte", [x, x])
    one_by_one = [x[0]]
    for y in x[1:]:
        one_by_one.append(ufunc(one_by_one[-1], y))
    assert ufunc.accumulate(x).tolist() == one_by_one
    assert ufunc.reduce(x) == one_by_one[-1]


@for_each("step", [1, -1])
def test_results_between_arguments_have_the_bits_of_results_elsewhere(step, natives):
    args, _ = operands(ACCURATE.kernels["sin"], DOUBLE)
    _, ufunc = made(natives[0], ACCURATE.kernels["sin"], DOUBLE, "rte", args)
    both = np.repeat(args[0], 2)[::step]
    ufunc(both[::2], out=both[1::2])
    assert both[1::2].tobytes() == ufunc(np.ascontiguousarray(both[::2])).tobytes()
    halves = np.repeat(args[0][:99], 2)
    want = ufunc(halves[:-1].copy())
    ufunc(halves[:-1], out=halves[1:])
    assert halves[1:].tobytes() == want.tobytes()


def test_undecided_elements_are_decided_from_their_arguments(natives):
    kernel = FAST.kernels["powr"]
    args, results = operands(kernel, FLOAT, None)
    _, left = wanted(kernel, FLOAT, "rte", args, results)
    for in_place in (False, True):
        asked, first = [], args[0].copy()
        _, ufunc = made(natives[0], kernel, FLOAT, "rte", args, sevens(kernel, FLOAT, asked))
        ufunc(first, args[1], out=first if in_place else None)
        assert np.array(asked, np.float32).tobytes() == np.column_stack([a[left] for a in args]).tobytes()
        assert asked


@for_each("error", [ValueError("no"), KeyboardInterrupt(), MemoryError()])
def test_an_error_of_an_answer_is_raised_by_the_call(error, natives):
    kernel = FAST.kernels["powr"]
    args, _ = operands(kernel, FLOAT, None)

    def decide(_):
        raise error

    _, ufunc = made(natives[0], kernel, FLOAT, "rte", args, decide)
    ufunc(*args)
    with pytest.raises(type(error)):
        ufuncs.raise_own()
    assert not ufuncs.RAISED


def test_floating_point_flags_are_left_alone(natives):
    kernel = FAST.kernels["exp"]
    x = np.array([np.nan, np.inf, 1e30, -1e30, 1e-42], np.float32)
    _, ufunc = made(natives[0], kernel, FLOAT, "rte", [x])
    with np.errstate(all="raise"):
        ufunc(x)


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="fesetround takes other numbers there")
@for_each("rounding", [0x400, 0x800, 0xC00])
def test_the_rounding_mode_of_the_thread_changes_no_bit(rounding, natives):
    kernel = ACCURATE.kernels["sin"]
    args, results = operands(kernel, DOUBLE)
    want, _ = wanted(kernel, DOUBLE, "rte", args, results)
    _, ufunc = made(natives[0], kernel, DOUBLE, "rte", args)
    c, found = ctypes.CDLL(None), np.empty_like(want[0])
    ufunc(args[0], out=found)  # the first call builds everything that NumPy and ctypes build once
    found.fill(0)
    assert c.fesetround(rounding) == 0
    try:
        ufunc(args[0], out=found)
        kept = c.fegetround()
    finally:
        c.fesetround(0)
    assert kept == rounding
    assert found.tobytes() == want[0].tobytes()


def vectors(row, form, width, count=700):
    """Arguments of a geometric built-in: moderate numbers, random encodings and, in the last ones, special numbers."""
    rng = np.random.default_rng(width)
    shape = len(row.inputs), count, width
    codes = rng.integers(0, 1 << form.width, shape, np.uint64, endpoint=False).astype(form.bits_dtype)
    found = np.where(rng.random((count, 1)) < 0.5, rng.normal(size=shape).astype(form.dtype), form.from_bits(codes))
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 2.0**form.quantum, form.largest], form.dtype)
    found[:, -200:] = rng.choice(special, (len(row.inputs), 200, width))
    return list(found)


@for_each("name", [name for name, row in builtins().items() if row.widths])
def test_loops_of_vectors_have_the_bits_of_numpy(name):
    row = builtin(name)
    for form, mode, width in itertools.product(row.formats, MODES, row.widths):
        args = vectors(row, form, width)
        for contracted in (True, False) if row.formula else (True,):
            ours, plain = (
                phases.ufunc_of_vectors(name, mode, engine, contracted=contracted)
                for engine in (choice.NATIVE, choice.PLAIN)
            )
            with clmath.fp_contract("ON" if contracted else "OFF"):
                want = plain(*args)
                assert ours(*args).tobytes() == want.tobytes()
                assert ours(*[a[::-2, ::-1] for a in args]).tobytes() == plain(*[a[::-2, ::-1] for a in args]).tobytes()
                assert np.array([ours(*rows) for rows in zip(*args, strict=True)]).tobytes() == want.tobytes()
                swapped = [a.astype(a.dtype.newbyteorder()) for a in args]
                assert ours(*swapped).tobytes() == want.tobytes()


@pytest.mark.usefixtures("natives")
def test_loops_of_vectors_round_each_operation_without_contraction():
    x, y = np.array([1 + 2.0**-30, 1.0]), np.array([1 - 2.0**-30, -1.0])
    exact, stepped = (
        phases.ufunc_of_vectors("dot", "rte", choice.NATIVE, contracted=contracted)(x, y)
        for contracted in (True, False)
    )
    assert (exact, stepped) == (-(2.0**-60), 0.0)


@for_each("width", [5, 9])
def test_vectors_of_other_widths_go_to_the_other_loop(width, natives):
    asked = []

    def function(elements):
        asked.append(len(elements))
        return [np.full(elements[0].shape, 7.0)]

    of = ufuncs.Vectors(([DOUBLE.dtype], [DOUBLE.dtype]), [True, False], function)
    other = ufuncs.Loop.of_vectors("length()", of)
    loop = natives[0].ufunc_loop_of_vectors({1: "length1_double_rte", 3: "length3_double_rte"}, of, other)
    ufunc = ufuncs.ufunc("length", [loop], 1, "(n)->()")
    assert ufunc(np.full((2, 3), 4.0)).tolist() == [48.0**0.5] * 2
    assert not asked
    assert ufunc(np.ones((2, 2))).tolist() == [7.0, 7.0]
    assert asked == [2]
    assert ufunc(np.ones(width)) == 7.0
    assert asked == [2, width]
