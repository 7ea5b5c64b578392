"""NumPy conventions of every built-in: accepted arguments, results, and errors before anything is written."""

from __future__ import annotations

import array
import warnings

import numpy as np
import pytest

import clmath
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from tests.builtins import CASES, Case, assert_bits, sample
from tests.cases import for_each

ALL = [case for case in CASES if case.form is FLOAT and case.width in (0, 3)]  # every built-in has float
NUMBERS = [case for case in ALL if case.name != "nan"]
VECTORS = [case for case in ALL if case.width]
WITH_INTS = [case for case in ALL if any(p.type == "intn" for p in case.row.inputs)]
OPERATORS = ("add", "sub", "mul", "div")  # their operands are converted: tests/operators


@for_each("case", VECTORS)
def test_bare_scalars_are_vectors_of_one_element(case):
    for form in case.row.formats:
        scalars = tuple(form.dtype.type(x) for x in (-3.7, 1.2)[: len(case.row.inputs)])
        if 1 not in case.row.widths:
            with pytest.raises(clmath.ShapeError, match=r"has 1 components; 3 or 4 are needed"):
                case.call(scalars)
            continue
        (result,) = case.call(scalars)
        assert type(result) is form.dtype.type
        assert result.tobytes() == case.call(tuple(np.full((5, 1), s) for s in scalars))[0].ravel()[0].tobytes()


@for_each("case", [case for case in CASES if case.form is DOUBLE and case.name != "nan" and case.width in (0, 3)])
def test_lists_of_floats_are_doubles(case):
    args = sample(case, (2, 2))
    assert_bits(case.call(tuple(a.tolist() for a in args)), case.call(args), case, "lists", args)


class Column:
    """Something with an array inside."""

    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return self.values


@for_each("case", ALL)
def test_anything_with_an_array_inside(case):
    args = sample(case, (6,))
    want = case.call(args)
    makers = [Column, memoryview]
    if all(a.dtype == np.float32 and a.ndim == 1 for a in args):
        makers.append(lambda a: array.array("f", a.tolist()))
    for make in makers:
        assert_bits(case.call(tuple(map(make, args))), want, case, make, args)


@for_each("case", [c for c in CASES if len(c.row.inputs) > 1 and {p.type for p in c.row.inputs} == {"gentype"}])
def test_python_numbers_are_weak(case):
    if case.width:
        return
    first, *rest = sample(case, (4,))
    for weak in (0.1, 3, -0.0, float("inf")):
        typed = [np.full(4, case.form.dtype.type(weak))] * len(rest)
        assert_bits(case.call((first, *[weak] * len(rest))), case.call((first, *typed)), case, weak)


@for_each("case", WITH_INTS)
def test_int_arguments_of_any_width(case):
    x, numbers = sample(case, (3,))[0], [0, 1, 5]
    want, twice = case.call((x, np.array(numbers, np.int32))), case.call((x, 2))
    for dtype in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"):
        assert_bits(case.call((x, np.array(numbers, dtype))), want, case, dtype)
        assert_bits(case.call((x, np.dtype(dtype).type(2))), twice, case, dtype)


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
    message = rf"^fmax\(\): y is a Python int of \d+ bits; the largest {form} is"
    for number in (2 * largest, -(10**400)):
        for x in (form.dtype.type(0), np.zeros(2, form.dtype)):
            with pytest.raises(clmath.RangeError, match=message):
                clmath.fmax(x, number)
    with pytest.raises(clmath.RangeError, match=r"^sin\(\): x is a Python int of 1329 bits; the largest double is"):
        clmath.sin(10**400)


@for_each("case", ALL)
def test_out_that_does_not_fit_is_refused_before_anything_is_written(case, layouts):
    args = sample(case, (3,))
    first, *others = case.call(args)

    def refused(error, match, changed):
        out = (changed, *map(np.zeros_like, others))
        with pytest.raises(error, match=rf"^{case.name}\(\): out .*{match}"):
            case.call(args, out=out if others else out[0])
        assert all(not np.asarray(o).any() for o in out)

    refused(clmath.ShapeError, "has shape", np.zeros((9, *first.shape), first.dtype))
    refused(clmath.ShapeError, "read-only", layouts.read_only(np.zeros_like(first)))
    refused(clmath.DTypeError, "has dtype int64", np.zeros(first.shape, np.int64))
    refused(clmath.DTypeError, "is a list; an array of", [0.0])
    with pytest.raises(clmath.ShapeError, match="out has"):
        case.call(args, out=(np.zeros_like(first),) * (2 + len(others)))


def test_results_may_not_share_memory():
    out = np.empty(4, np.float32)
    with pytest.raises(clmath.ShapeError, match=r"sincos\(\): the arrays of out share memory"):
        clmath.sincos(np.ones(4, np.float32), out=(out, out))


def test_columns_of_one_array_may_take_several_results():
    x, columns = np.linspace(-9, 9, 1000, dtype=np.float32), np.empty((1000, 2), np.float32)
    clmath.sincos(x, out=(columns[:, 0], columns[:, 1]))
    assert columns.tobytes() == np.stack(clmath.sincos(x), axis=1).tobytes()


@for_each("case", ALL)
def test_no_warning_and_no_error_state_gets_in_or_out(case):
    args = sample(case, (60,), seed=3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        want = case.call(args)
        with np.errstate(all="raise"):
            before = np.geterr()
            assert_bits(case.call(args), want, case, "errstate", args)
            assert np.geterr() == before


WRONG = [
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
]
if np.dtype(np.longdouble).itemsize > 8:
    WRONG.append((np.ones(3, np.longdouble), str(np.dtype(np.longdouble))))


@for_each("case", NUMBERS)
def test_other_types_are_refused(case):
    args = list(sample(case, (3,)))
    for i, parameter in enumerate(case.row.inputs):
        for wrong, fact in WRONG if parameter.type == "gentype" else []:
            changed = [*args[:i], wrong, *args[i + 1 :]]
            if is_integer_call(case.name, changed) or (case.name in OPERATORS and fact in ("int64", "bool")):
                continue
            said = "(is None|holds Python objects)" if fact == "object" else f"has dtype {fact}"
            message = rf"^{case.name}\(\): {parameter.name} {said}.* is needed: \w+"
            with pytest.raises(TypeError, match=message):
                case.call(changed)


def is_integer_call(name, args):
    """Whether the call is of the integer built-in with the same name."""
    return name in ("min", "max", "clamp", "dot") and all(np.asarray(a).dtype.kind in "iub" for a in args)


@for_each("case", NUMBERS)
def test_formats_and_shapes_that_do_not_fit_are_refused(case):
    first, *rest = sample(case, (3,))
    names = case.row.names

    def refused(error, match, *args):
        with pytest.raises(error, match=rf"^{case.name}\(\): {match}"):
            case.call(args)

    refused(ValueError, f"{names[0]} is a ragged list", [[1.0], [1.0, 2.0]], *rest)
    if case.row.formats == (FLOAT,):
        for dtype in (HALF.dtype, DOUBLE.dtype):
            refused(TypeError, ".* only float is defined: convert it", *[np.ones(3, dtype)] * len(names))
    if rest:
        second = np.resize(rest[0], (4, *rest[0].shape[1:]))
        refused(ValueError, f"{names[0]} has shape .*do not broadcast: make", first, second, *rest[1:])
    if rest and case.row.inputs[1].type == "gentype" and case.name not in OPERATORS:
        second = np.ones_like(rest[0], np.float64)
        refused(TypeError, f"all gentype .*{names[0]} is float, {names[1]} is double", first, second, *rest[1:])


@for_each("case", ALL)
def test_unknown_modes(case):
    args, function = sample(case, (2,)), getattr(clmath, case.name)
    if case.row.exact:
        with pytest.raises(TypeError, match="rounding"):
            function(*args, rounding="rte")
        return
    for mode in ("nearest", "RTE", 0, "up"):
        with pytest.raises(clmath.RoundingError, match=rf"^{case.name}\(\): rounding={mode!r} is not one of 'rte'"):
            function(*args, rounding=mode)


def test_errors_suggest_a_similar_name():
    with pytest.raises(clmath.RoundingError, match=r"; round to nearest even is 'rte'$"):
        clmath.sin(1.0, rounding="nearest")


@for_each("case", WITH_INTS)
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
def test_values_that_are_not_ints_are_refused(case, wrong, fact):
    with pytest.raises(TypeError, match=rf"^{case.name}\(\): .*{fact}"):
        case.call((np.float32(1.0), wrong))


@for_each("case", VECTORS)
def test_widths_of_vectors(case):
    for width in (0, 1, 2, 3, 4, 5, 8):
        args = [np.ones((2, width), np.float32)] * len(case.row.inputs)
        if width in case.row.widths:
            assert case.call(args)[0].shape[0] == 2
            continue
        message = rf"the last axis of {case.row.names[0]} has {width} components; .* are needed"
        with pytest.raises(clmath.ShapeError, match=message):
            case.call(args)


@for_each("case", [case for case in VECTORS if len(case.row.inputs) == 2])
def test_widths_do_not_broadcast(case):
    with pytest.raises(clmath.ShapeError, match=r"p0 has 3 components, p1 has 4 components; all vectors"):
        case.call((np.ones(3, np.float32), np.ones(4, np.float32)))


class TestNan:
    """``nan`` takes its format from the code."""

    @pytest.mark.parametrize("form", [HALF, FLOAT, DOUBLE], ids=str)
    def test_the_code_is_in_the_significand_of_a_quiet_nan(self, form):
        quiet = 1 << (form.precision - 2)
        codes = [0, 1, quiet - 1, 0x155]
        (values,) = Case("nan", form).call((np.array(codes, form.bits_dtype),))
        assert values.dtype == form.dtype
        infinity = int(form.bits(np.inf))
        assert [int(b) for b in form.bits(values)] == [infinity | quiet | code for code in codes]

    def test_a_python_int_is_taken_as_an_ulong(self):
        assert isinstance(clmath.nan(5), np.float64)

    def test_other_types(self):
        for wrong in (np.int32(1), np.uint8(1), 1.0, True, "1", [1, 2]):
            with pytest.raises(TypeError, match=r"nan\(\): nancode has dtype .*; ushort, uint or ulong is needed"):
                clmath.nan(wrong)

    @pytest.mark.parametrize("wrong", [-1, 2**64])
    def test_codes_that_no_ulong_holds(self, wrong):
        with pytest.raises(TypeError, match=r"nan\(\): nancode is .*: mask it first"):
            clmath.nan(wrong)
