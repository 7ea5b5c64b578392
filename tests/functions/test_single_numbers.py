"""Single numbers go a way of their own: the same bits and errors as arrays, in a tenth of the time."""

from __future__ import annotations

import itertools
import sys
from concurrent.futures import ThreadPoolExecutor

import gmpy2
import numpy as np
import pytest

import clmath
from clmath.call import plans
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import builtins
from tests.cases import for_each

ROWS = builtins()
NAMES = [name for name, row in ROWS.items() if not row.widths]
CASES = [(name, form) for name in NAMES for form in ROWS[name].formats]
COUNT = 40


def as_tuple(result):
    return result if isinstance(result, tuple) else (result,)


@for_each("name, form", CASES)
def test_the_bits_of_arrays(name, form, sampler):
    sample = sampler(name, form)
    args = sample.args((COUNT,), seed=11)
    for mode in sample.modes:
        expected = as_tuple(sample.call(args, mode))
        for lane in range(COUNT):
            scalars = tuple(a[lane] for a in args)
            got = as_tuple(sample.call(scalars, mode))
            assert [(g.dtype, g.tobytes()) for g in got] == [(e.dtype, e[lane].tobytes()) for e in expected]


@for_each("contract", ["ON", "OFF"])
@for_each("name, form", [c for c in CASES if ROWS[c[0]].formula or ROWS[c[0]].uncontracted])
def test_every_step_of_a_formula(name, form, contract, sampler):
    args = sampler(name, form).args((200,), seed=13)
    with clmath.fp_contract(contract):
        for mode in MODES:
            expected = getattr(clmath, name)(*args, rounding=mode)
            found = [getattr(clmath, name)(*scalars, rounding=mode) for scalars in zip(*args, strict=True)]
            assert np.array(found).tobytes() == expected.tobytes()


VECTORS = [(name, form, lanes) for name, row in ROWS.items() for form in row.formats for lanes in row.widths]


@for_each("name, form, lanes", VECTORS)
def test_one_vector(name, form, lanes, sampler, counted):
    sample, row = sampler(name, form), ROWS[name]
    rng = np.random.default_rng([lanes, len(name)])
    args = [sample.argument("gentype", (COUNT, lanes), rng) for _ in row.inputs]
    for mode, contract in itertools.product(MODES, ("ON", "OFF")):
        with clmath.fp_contract(contract):
            expected = getattr(clmath, name)(*args, rounding=mode)
            counted.clear()
            for vectors, want in zip(zip(*args, strict=True), expected, strict=True):
                got = getattr(clmath, name)(*vectors, rounding=mode)
                assert (type(got), got.dtype, got.shape) == (type(want), want.dtype, want.shape)
                assert got.tobytes() == want.tobytes(), (vectors, mode)
            assert counted == []


@pytest.mark.parametrize("form", [HALF, FLOAT, DOUBLE], ids=str)
def test_scalars_as_vectors_of_one_lane(form, counted):
    for name in (n for n, row in ROWS.items() if 1 in row.widths and form in row.formats):
        args = [form.dtype.type(x) for x in (-3.7, 1.2)[: len(ROWS[name].inputs)]]
        got = getattr(clmath, name)(*args)
        assert counted == []
        want = getattr(clmath, name)(*(np.full((5, 1), a) for a in args)).reshape(-1)[0]
        assert (type(got), got.tobytes()) == (type(want), want.tobytes())
        counted.clear()


@for_each("name, form", CASES)
def test_zero_dimensional_arrays_and_either_byte_order(name, form, sampler, same):
    sample = sampler(name, form)
    args = sample.args((6,), seed=12)
    for lane in range(6):
        scalars = tuple(a[lane] for a in args)
        expected = sample.call(scalars)
        same(sample.call(tuple(map(np.asarray, scalars))), expected)
        same(sample.call(tuple(np.asarray(s).astype(s.dtype.newbyteorder(">")) for s in scalars)), expected)
        assert all(isinstance(r, np.generic) for r in as_tuple(expected))


def other(parameter, form):
    """3 as an argument that is no gentype."""
    return form.bits_dtype.type(3) if parameter.type == "nancode" else np.int32(3)


@for_each("name", NAMES)
def test_no_array_is_made(name, counted):
    row, number = ROWS[name], 1.5 if name == "acosh" else 0.5
    for form in row.formats:
        args = [form.dtype.type(number) if p.type == "gentype" else other(p, form) for p in row.inputs]
        getattr(clmath, name)(*args)
    assert counted == []


@for_each("x", [np.float16(0.7), np.float32(0.7), np.float64(0.7), 0.7])
@for_each("y", [0.3, -2, 2**60 + 2**36 + 1, 1e300])
def test_python_numbers_beside_numbers_of_a_format(x, y, counted, same):
    y = 2049 if isinstance(x, np.float16) and y == 2**60 + 2**36 + 1 else y  # a midpoint of halfs
    y = min(y, {np.float16: 65504.0, np.float32: 3.4e38}.get(type(x), y))
    got = clmath.fmax(x, y), clmath.fdim(y, x), clmath.hypot(x, y)
    assert counted == []
    several = np.asarray([x])
    same(got, (clmath.fmax(several, y)[0], clmath.fdim(y, several)[0], clmath.hypot(several, y)[0]))


@for_each("name, form", CASES)
def test_nan_in_every_place(name, form):
    row = ROWS[name]
    payload = form.from_bits(int(form.bits(np.inf)) | 1 << (form.width - 1) | 5)[()]
    for place in (i for i, p in enumerate(row.inputs) if p.type == "gentype"):
        args = [form.dtype.type(1.0) if p.type == "gentype" else np.int32(3) for p in row.inputs]
        args[place] = payload
        got = as_tuple(getattr(clmath, name)(*args))
        want = as_tuple(getattr(clmath, name)(*(np.asarray([a]) for a in args)))
        assert [g.tobytes() for g in got] == [w.tobytes() for w in want]


def test_nan_takes_no_longer_than_numbers(counted):
    assert clmath.sin(np.float32(np.nan)).view(np.uint32) == 0x7FC00000
    assert clmath.sqrt(-1.0).view(np.uint64) == 0x7FF8000000000000
    assert counted == []


@for_each("form", [HALF, FLOAT, DOUBLE])
@for_each("mode", MODES)
def test_overflow_underflow_and_zeros_of_every_sign(form, mode, same):
    least, largest = form.dtype.type(form.smallest_subnormal), form.dtype.type(form.largest)
    calls = [("exp", largest), ("exp", -largest), ("mul", least, least), ("mul", -least, least), ("sin", least)]
    calls += [("mul", largest, largest), ("sub", largest, largest), ("add", largest, largest), ("tanpi", least)]
    calls += [("fma", least, least, least), ("fma", largest, largest, -largest), ("div", least, largest)]
    calls += [("fdim", largest, -largest), ("erfc", form.dtype.type(60.0)), ("pown", -least, np.int32(-3))]
    calls += [("ldexp", least, np.int32(-1)), ("pown", -largest, np.int32(2**31 - 1))]
    for name, *args in calls:
        function = getattr(clmath, name)
        same(function(*args, rounding=mode), function(*(np.asarray([a]) for a in args), rounding=mode)[0])


@pytest.mark.parametrize("mode", MODES)
def test_the_mode_in_force(mode, same):
    x, y = np.float32(0.1), np.float32(-0.3)
    with clmath.select_rounding_mode(mode):
        same(clmath.add(x, y), clmath.add(np.asarray([x]), y)[0])
        same(clmath.recip(y), clmath.recip(np.asarray([y]))[0])


def test_contraction_is_obeyed():
    a, c = np.float32(1 + 2**-12), np.float32(-1)
    contracted = clmath.mad(a, a, c)
    with clmath.fp_contract("OFF"):
        assert clmath.mad(a, a, c) != contracted


def test_the_callers_context_of_gmpy2_does_not_matter(same):
    names = ("recip", "sinpi", "asinpi", "fract", "lgamma", "rsqrt", "degrees")
    x = np.float64(0.7123456789)
    expected = [getattr(clmath, name)(x) for name in names]
    with gmpy2.context(precision=4, emax=3, emin=-3) as callers:
        for name, want in zip(names, expected, strict=True):
            same(getattr(clmath, name)(x), want)
        same(clmath.ldexp(x, 40), np.float64(0.7123456789 * 2.0**40))
        assert gmpy2.get_context().precision == callers.precision == 4


def test_many_threads():
    x = np.float64(0.7123456789)
    expected = [clmath.tanpi(x, rounding=mode) for mode in MODES]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda n: clmath.tanpi(x, rounding=MODES[n % 4]), range(2000)))
    assert found == expected * 500


@for_each(
    "args, options, error",
    [
        ((1.0,), {"rounding": "up"}, clmath.RoundingError),
        ((1.0,), {"engine": "cuda"}, clmath.UnknownNameError),
        ((1.0,), {"threads": 0}, clmath.RangeError),
        ((np.int32(1),), {}, clmath.DTypeError),
        ((True,), {}, clmath.DTypeError),
        ((np.bool_(True),), {}, clmath.DTypeError),
        ((np.longdouble(1),), {}, clmath.DTypeError),
        ((1j,), {}, clmath.DTypeError),
        ((None,), {}, clmath.DTypeError),
        (("1",), {}, clmath.DTypeError),
    ],
)
def test_errors_are_those_of_arrays(args, options, error):
    with pytest.raises(error) as single:
        clmath.sin(*args, **options)
    with pytest.raises(error) as several:
        clmath.sin(np.asarray([args[0]]), **options)
    if args[0] is not None:
        assert str(single.value).replace("<U1", "") == str(several.value).replace("<U1", "")


def test_out_engine_and_threads(counted, same):
    x, out = np.float32(0.5), np.empty((), np.float32)
    assert clmath.sin(x, out=out) is out
    assert len(counted) == 1
    assert clmath.sin(x, engine="numpy") == out
    assert len(counted) == 2
    assert clmath.sin(x, threads=4) == out
    assert len(counted) == 2
    same(out[()], clmath.sin(x))


def python_calls(function, *args):
    """The Python functions that a call enters, itself included."""
    entered = []

    def profile(frame, event, _):
        if event == "call":
            entered.append(frame.f_code.co_name)

    sys.setprofile(profile)
    try:
        function(*args)
    finally:
        sys.setprofile(None)
    return entered


@pytest.mark.parametrize("x", [np.float32(0.5), np.float16(0.5), 0.5, np.asarray(np.float32(0.5))], ids=type)
def test_a_call_on_one_number_enters_few_functions(x):
    clmath.sin(x)
    assert len(python_calls(clmath.sin, x)) <= 20


@for_each(
    "name, args, most",
    [
        ("sin", (np.ones(8, np.float32),), 110),
        ("fmax", (np.ones(8, np.float32), np.ones(8, np.float32)), 68),
        ("add_sat", (np.ones(8, np.int32), np.ones(8, np.int32)), 60),
        ("isnan", (np.ones(8, np.float32),), 44),
        ("mad_sat", (np.int64(3), 4, 5), 40),
        ("isequal", (np.float32(1.0), np.float32(2.0)), 20),
        ("convert", (np.float32(1.5), "int"), 30),
        ("length", (np.ones(3),), 25),
    ],
)
def test_calls_enter_few_functions(name, args, most):
    function = getattr(clmath, name)
    function(*args)
    assert len(python_calls(function, *args)) <= most


def test_plans_are_kept_for_numbers_alone():
    before = len(plans._PLANS)
    clmath.sin(np.ones(5))
    clmath.sin(np.ones((2, 2)))
    clmath.sin([0.5])
    with pytest.raises(TypeError):
        clmath.sin("text")
    assert len(plans._PLANS) == before
