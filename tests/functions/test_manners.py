"""NumPy manners of every built-in: what may go in, what comes out, and what is never touched."""

from __future__ import annotations

import array
import warnings

import numpy as np
import pytest

import clmath
from clmath.call import chunks, plain
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.spec.builtins import builtins
from tests.cases import for_each

ROWS = builtins()
NAMES = list(ROWS)
PAIRS = [
    n for n, r in ROWS.items() if [p.type for p in r.inputs] in (["gentype"] * 2, ["gentype"] * 3) and not r.widths
]
NUMBERS = [n for n, r in ROWS.items() if n != "nan"]
WITH_INTS = [n for n, r in ROWS.items() if any(p.type == "intn" for p in r.inputs)]
VECTORS = [n for n, r in ROWS.items() if r.widths]
DOUBLES = [n for n in NUMBERS if DOUBLE in ROWS[n].formats]


@pytest.fixture
def sample(request, sampler):
    """The sampler of a name, in float, which every built-in has."""
    return sampler(request.param, FLOAT)


def every(names):
    return pytest.mark.parametrize("sample", names, indirect=True)


def as_tuple(result):
    return result if isinstance(result, tuple) else (result,)


@every(NAMES)
def test_layout_of_the_arguments_does_not_matter(sample, layout, same):
    args = sample.args((3, 4))
    same(sample.call(tuple(layout(a) for a in args)), sample.call(args))


@every(NAMES)
def test_arguments_are_not_modified(sample, same):
    args = sample.args((5,))
    before = tuple(a.copy() for a in args)
    sample.call(args)
    same(args, before)


@every(NAMES)
def test_scalars_in_scalars_out(sample, same):
    args = sample.args(())
    expected = as_tuple(sample.call(tuple(a[np.newaxis] for a in args)))
    for given in (args, tuple(a[()] for a in args)):
        results = as_tuple(sample.call(given))
        if not sample.row.widths:
            assert all(isinstance(r, np.generic) for r in results)
        same(results, tuple(e[0] for e in expected))


@every(VECTORS)
def test_a_bare_scalar_is_a_vector_of_one_lane(sample, same):
    if 1 not in sample.row.widths:
        with pytest.raises(clmath.ShapeError, match=r"has 1 lanes; 3 or 4 are needed"):
            sample.call((np.float32(1.0),) * 2)
        return
    scalars = (np.float32(-3.0), np.float32(1.0))[: len(sample.row.inputs)]
    result = sample.call(scalars)
    assert isinstance(result, np.float32)
    vector = sample.call(tuple(s[np.newaxis] for s in scalars))
    same(result, vector if sample.row.result == "scalar" else vector[0])


@every([n for n in NAMES if len(ROWS[n].inputs) > 1])
def test_shapes_broadcast(sample, same):
    tall, wide = sample.args((3, 1)), sample.args((4,), seed=1)
    args = (tall[0], *wide[1:])
    shape = (3, 4, 3) if sample.row.widths else (3, 4)
    same(sample.call(args), sample.call(tuple(np.broadcast_to(a, shape).copy() for a in args)))


@every(NAMES)
@for_each("shape", [(0,), (0, 3), (3, 0, 2)])
def test_empty_arrays(sample, shape):
    args = sample.args(shape)
    results = as_tuple(sample.call(args))
    for result, output in zip(results, sample.row.outputs, strict=True):
        assert result.shape == (args[0].shape if output.type != "scalar" else shape)
        assert result.dtype == (np.int32 if output.type == "intn" else np.float32)


@every(NAMES)
def test_blocks_leave_no_seams(sample, same, monkeypatch):
    args = sample.args((7, 11))
    whole = sample.call(args)
    large, seen = chunks.chunks, []

    def small(sources, targets, _size, **options):
        for block in large(sources, targets, 16, **options):
            seen.append(len(block[0]))
            yield block

    monkeypatch.setattr(chunks, "chunks", small)
    monkeypatch.setattr(plain, "of_arrays", lambda *_: None)  # which cuts in compiled code
    same(sample.call(args), whole)
    same(sample.call(tuple(a.swapaxes(0, 1) for a in args)), tuple_map(whole, lambda r: r.swapaxes(0, 1)))
    assert sum(seen) == 2 * 77
    assert max(seen) <= 16


def tuple_map(result, change):
    return tuple(change(r) for r in result) if isinstance(result, tuple) else change(result)


@every(["fabs", "frexp", "add", "fma"])
def test_huge_arrays_are_cut_into_blocks(sample, same):
    args = sample.args((10,))
    count = 3 * chunks.CHUNK + 5
    long = tuple(np.resize(a, count) for a in args)
    same(sample.call(long), tuple_map(sample.call(args), lambda r: np.resize(r, count)))


@every(DOUBLES)
def test_lists_of_floats_are_doubles(sample, sampler, same):
    args = sampler(sample.name, DOUBLE).args((2, 2))
    same(sample.call(tuple(a.tolist() for a in args)), sample.call(args))


@every(NAMES)
def test_anything_with_an_array_inside(sample, same):
    args = sample.args((6,))

    class Column:
        def __init__(self, values):
            self.values = values

        def __array__(self, dtype=None, copy=None):
            return self.values

    expected = sample.call(args)
    same(sample.call(tuple(map(Column, args))), expected)
    same(sample.call(tuple(map(memoryview, args))), expected)
    if all(a.dtype == np.float32 and a.ndim == 1 for a in args):
        same(sample.call(tuple(array.array("f", a.tolist()) for a in args)), expected)


@for_each("name", NAMES)
def test_the_format_of_the_arguments_is_that_of_the_results(name, sampler):
    for form in ROWS[name].formats:
        sample = sampler(name, form)
        for result, output in zip(as_tuple(sample.call(sample.args((2,)))), sample.row.outputs, strict=True):
            assert result.dtype == (np.int32 if output.type == "intn" else form.dtype)


@for_each("name", PAIRS)
def test_python_numbers_are_weak(name, sampler, same):
    for form in ROWS[name].formats:
        sample = sampler(name, form)
        args = sample.args((4,))
        for weak in (0.1, 3, -0.0, float("inf")):
            rest = (weak,) * (len(args) - 1)
            typed = tuple(np.full(4, form.dtype.type(w)) for w in rest)
            same(sample.call((args[0], *rest)), sample.call((args[0], *typed)))


@every(WITH_INTS)
@for_each("dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
def test_int_arguments_of_any_width(sample, dtype, same):
    x = sample.args((3,))[0]
    same(sample.call((x, np.array([0, 1, 5], dtype))), sample.call((x, np.array([0, 1, 5], np.int32))))
    same(sample.call((x, dtype(2))), sample.call((x, 2)))


def test_python_numbers_alone_are_doubles():
    assert isinstance(clmath.sqrt(2), np.float64)
    assert isinstance(clmath.pow(2, 0.5), np.float64)
    assert isinstance(clmath.native_sin(1.0), np.float32)


def test_a_python_int_is_rounded_once():
    # 2^60 + 2^36 + 1 lies above the midpoint of two floats, and rounds to it as a double
    assert clmath.fmax(np.float32(0), 2**60 + 2**36 + 1) == np.float32(2**60 + 2**37)


@pytest.mark.parametrize("form", [HALF, FLOAT, DOUBLE], ids=str)
def test_a_python_int_beyond_the_format_is_refused(form):
    largest = int(form.largest)
    assert clmath.fmax(form.dtype.type(0), largest) == form.largest
    for number in (2 * largest, -(10**400)):
        for x in (form.dtype.type(0), np.zeros(2, form.dtype)):
            with pytest.raises(
                clmath.RangeError, match=rf"^fmax\(\): y is a Python int of \d+ bits; the largest {form} is"
            ):
                clmath.fmax(x, number)
    with pytest.raises(clmath.RangeError, match=r"^sin\(\): x is a Python int of 1329 bits; the largest double is"):
        clmath.sin(10**400)


@every(NAMES)
def test_out(sample, same, layouts):
    args = sample.args((2, 3))
    expected = as_tuple(sample.call(args))
    for prepared in (np.empty_like, layouts.strided, layouts.swapped, layouts.misaligned):
        out = tuple(prepared(e) for e in expected)
        given = out if len(out) > 1 else out[0]
        assert sample.call(args, out=given) is given
        same(out, expected)


@every([n for n in NAMES if n != "nan" and not ROWS[n].widths])
def test_out_may_be_an_argument(sample, same):
    args = sample.args((50,))
    expected = as_tuple(sample.call(args))
    for shift in (0, 1):
        memory = np.zeros(51, np.float32)
        memory[:50] = args[0]
        results = (memory[shift : shift + 50], *(np.empty_like(e) for e in expected[1:]))
        if expected[0].dtype == np.float32:
            sample.call((memory[:50], *args[1:]), out=results if len(results) > 1 else results[0])
            same(results, expected)


@every(["normalize", "cross", "fast_normalize"])
def test_a_vector_may_be_overwritten_by_the_result(sample, same):
    args = sample.args((20,))
    expected = sample.call(args)
    sample.call(args, out=args[0])
    same(args[0], expected)


@every(NAMES)
def test_out_that_does_not_fit_is_refused_before_anything_is_written(sample, layouts):
    args = sample.args((3,))
    expected = as_tuple(sample.call(args))

    def refused(error, match, *changed):
        out = (*changed, *(np.zeros_like(e) for e in expected[1:]))
        with pytest.raises(error, match=rf"^{sample.name}\(\): out .*{match}"):
            sample.call(args, out=out if len(out) > 1 else out[0])
        assert all(not np.asarray(o).any() for o in out)

    first = expected[0]
    refused(clmath.ShapeError, "has shape", np.zeros((9, *first.shape), first.dtype))
    refused(clmath.ShapeError, "read-only", layouts.read_only(np.zeros_like(first)))
    refused(clmath.DTypeError, "has dtype int64", np.zeros(first.shape, np.int64))
    refused(clmath.DTypeError, "is a list; an array of", [0.0])
    with pytest.raises(clmath.ShapeError, match="out has"):
        sample.call(args, out=tuple(np.zeros_like(first) for _ in range(len(expected) + 1)))


def test_results_may_not_share_memory():
    out = np.empty(4, np.float32)
    with pytest.raises(clmath.ShapeError, match=r"sincos\(\): the arrays of out share memory"):
        clmath.sincos(np.ones(4, np.float32), out=(out, out))


def test_columns_of_one_array_may_take_several_results():
    x, columns = np.linspace(-9, 9, 1000, dtype=np.float32), np.empty((1000, 2), np.float32)
    clmath.sincos(x, out=(columns[:, 0], columns[:, 1]))
    assert columns.tobytes() == np.stack(clmath.sincos(x), axis=1).tobytes()


@every(NAMES)
def test_no_warning_and_no_error_state_gets_in_or_out(sample, same):
    args = sample.args((60,), seed=3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        expected = sample.call(args)
        with np.errstate(all="raise"):
            before = np.geterr()
            same(sample.call(args), expected)
            assert np.geterr() == before


@every(NUMBERS)
@for_each(
    "wrong, fact",
    [
        (np.arange(3), "int64"),
        (np.array([True]), "bool"),
        (True, "bool"),
        (np.ones(3, np.complex64), "complex64"),
        (1j, "complex128"),
        (np.array([1.0, None]), "object"),
        (None, "object"),
        ("1.0", "<U3"),
        (np.array(["a"]), "<U1"),
        (np.datetime64("2020-01-01"), "datetime64"),
    ],
)
def test_other_types_are_refused(sample, wrong, fact):
    args = list(sample.args((3,)))
    for i, parameter in enumerate(sample.row.inputs):
        if parameter.type != "gentype":
            continue
        changed = [*args[:i], wrong, *args[i + 1 :]]
        if all_wrong_integers(sample.name, changed) or (sample.name in OPERATORS and fact in ("int64", "bool")):
            continue
        with pytest.raises(TypeError, match=rf"^{sample.name}\(\): {parameter.name} has dtype {fact}.* is needed: \w+"):
            sample.call(changed)


OPERATORS = ("add", "sub", "mul", "div")  # their operands are converted: tests/operators


def all_wrong_integers(name, args):
    """Whether the call is one of the integer built-in of the same name."""
    return name in ("min", "max", "clamp", "dot") and all(np.asarray(a).dtype.kind in "iub" for a in args)


@pytest.mark.skipif(np.dtype(np.longdouble).itemsize == 8, reason="long double is double here")
@every(NUMBERS)
def test_long_double_is_refused(sample):
    args = [a.astype(np.longdouble) if a.dtype == np.float32 else a for a in sample.args((3,))]
    with pytest.raises(TypeError, match=rf"{sample.name}\(\): .* has dtype {np.dtype(np.longdouble)}"):
        sample.call(args)


@every([n for n in NUMBERS if n not in OPERATORS and sum(p.type == "gentype" for p in ROWS[n].inputs) > 1])
def test_mixed_formats_are_refused(sample):
    args = list(sample.args((3,)))
    args[1] = args[1].astype(np.float64)
    names = [p.name for p in sample.row.inputs]
    with pytest.raises(
        TypeError, match=rf"^{sample.name}\(\): all gentype .*{names[0]} is float, {names[1]} is double"
    ):
        sample.call(args)


@every([n for n in NUMBERS if ROWS[n].formats == (FLOAT,)])
def test_float_only_built_ins_say_so(sample):
    for dtype in (HALF.dtype, DOUBLE.dtype):
        args = [np.ones(3, dtype)] * len(sample.row.inputs)
        with pytest.raises(TypeError, match=rf"^{sample.name}\(\): .* only float is defined: convert it"):
            sample.call(args)


@every([n for n in NAMES if len(ROWS[n].inputs) > 1])
def test_shapes_that_do_not_broadcast(sample):
    args = list(sample.args((3,)))
    args[1] = np.resize(args[1], (4, *args[1].shape[1:]))
    names = [p.name for p in sample.row.inputs]
    with pytest.raises(ValueError, match=rf"^{sample.name}\(\): {names[0]} has shape .*do not broadcast: make"):
        sample.call(args)


@every(NUMBERS)
def test_ragged_lists(sample):
    args = list(sample.args((2,)))
    args[0] = [[1.0], [1.0, 2.0]]
    with pytest.raises(ValueError, match=rf"^{sample.name}\(\): {sample.row.inputs[0].name} is a ragged list"):
        sample.call(args)


@every(NAMES)
@for_each("mode", ["nearest", "RTE", 0, "up"])
def test_unknown_modes(sample, mode, exact_names):
    if sample.name in exact_names:
        with pytest.raises(TypeError, match="rounding"):
            getattr(clmath, sample.name)(*sample.args((2,)), rounding="rte")
        return
    with pytest.raises(clmath.RoundingError, match=rf"^{sample.name}\(\): rounding={mode!r} is not one of 'rte'"):
        sample.call(sample.args((2,)), mode)


def test_the_name_that_was_meant_is_offered():
    with pytest.raises(clmath.RoundingError, match=r"; round to nearest even is 'rte'$"):
        clmath.sin(1.0, rounding="nearest")


@every(WITH_INTS)
@for_each(
    "wrong, fact",
    [
        (2.0, "y|k has dtype float64"),
        (np.array([1.5]), "has dtype float64"),
        (True, "has dtype bool"),
        ("2", "has dtype <U1"),
        (2**31, "2147483648; an int lies in"),
        (-(2**31) - 1, "-2147483649; an int lies in"),
        (np.array([0, 2**40]), f"{2**40}; an int lies in"),
        (2**70, f"{2**70}; an int lies in"),
        (np.uint64(2**63), f"{2**63}; an int lies in"),
    ],
)
def test_ints_that_are_none(sample, wrong, fact):
    with pytest.raises(TypeError, match=rf"^{sample.name}\(\): .*{fact}"):
        sample.call((np.float32(1.0), wrong))


@every(VECTORS)
def test_lanes(sample):
    for width in (0, 1, 2, 3, 4, 5, 8):
        args = [np.ones((2, width), np.float32)] * len(sample.row.inputs)
        if width in sample.row.widths:
            assert as_tuple(sample.call(args))[0].shape[0] == 2
            continue
        first = sample.row.inputs[0].name
        with pytest.raises(clmath.ShapeError, match=rf"the last axis of {first} has {width} lanes; .* are needed"):
            sample.call(args)


@every([n for n in VECTORS if len(ROWS[n].inputs) == 2])
def test_lanes_do_not_broadcast(sample):
    with pytest.raises(clmath.ShapeError, match=r"p0 has 3 lanes, p1 has 4 lanes; all vectors of a call need one"):
        sample.call((np.ones(3, np.float32), np.ones(4, np.float32)))


class TestNan:
    """``nan`` takes its format from the code."""

    @pytest.mark.parametrize("form", [HALF, FLOAT, DOUBLE], ids=str)
    def test_the_code_lies_in_the_significand_of_a_quiet_nan(self, form):
        quiet = 1 << (form.precision - 2)
        codes = [0, 1, quiet - 1, 0x155]
        values = clmath.nan(np.array(codes, form.bits_dtype))
        assert values.dtype == form.dtype
        infinity = int(form.bits(np.inf))
        assert [int(b) for b in form.bits(values)] == [infinity | quiet | code for code in codes]

    def test_a_python_int_stands_for_an_ulong(self):
        assert isinstance(clmath.nan(5), np.float64)

    @for_each("wrong", [np.int32(1), np.uint8(1), 1.0, True, "1", [1, 2]])
    def test_other_types(self, wrong):
        with pytest.raises(TypeError, match=r"nan\(\): nancode has dtype .*; ushort, uint or ulong is needed"):
            clmath.nan(wrong)

    @pytest.mark.parametrize("wrong", [-1, 2**64])
    def test_codes_that_no_ulong_holds(self, wrong):
        with pytest.raises(TypeError, match=r"nan\(\): nancode is .*: mask it first"):
            clmath.nan(wrong)
