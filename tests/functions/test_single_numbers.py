"""Single numbers go a way of their own: no array is made, and few Python functions are entered."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import gmpy2
import numpy as np
import pytest

import clmath
from clmath.call import plans
from clmath.numbers.rounding import MODES
from tests.builtins import CASES
from tests.cases import for_each

BESIDE = {"intn": 3, "nancode": 3}  # values of arguments that are no gentype


@for_each("case", CASES)
def test_no_array_is_made(case, counted):
    """A call on one number, or on one vector, never goes the way of arrays."""
    dtypes = {"gentype": case.form.dtype, "intn": np.dtype(np.int32), "nancode": case.form.bits_dtype}
    number = 1.5 if case.name == "acosh" else 0.5
    args = [dtypes[p.type].type(BESIDE.get(p.type, number)) for p in case.row.inputs]
    case.call([np.full(case.width, a) for a in args] if case.width else args)
    assert counted == []


@for_each("x", [np.float16(0.7), np.float32(0.7), np.float64(0.7), 0.7])
@for_each("y", [0.3, -2, 2**60 + 2**36 + 1, 1e300])
def test_python_numbers_beside_numbers_of_a_format(x, y, counted):
    y = 2049 if isinstance(x, np.float16) and y == 2**60 + 2**36 + 1 else y  # a midpoint of halfs
    y = min(y, {np.float16: 65504.0, np.float32: 3.4e38}.get(type(x), y))
    got = clmath.fmax(x, y), clmath.fdim(y, x), clmath.hypot(x, y)
    assert counted == []
    several = np.asarray([x])
    want = clmath.fmax(several, y)[0], clmath.fdim(y, several)[0], clmath.hypot(several, y)[0]
    assert [(type(g), g.tobytes()) for g in got] == [(type(w), w.tobytes()) for w in want]


def test_nan_takes_no_longer_than_numbers(counted):
    assert clmath.sin(np.float32(np.nan)).view(np.uint32) == 0x7FC00000
    assert clmath.sqrt(-1.0).view(np.uint64) == 0x7FF8000000000000
    assert counted == []


def test_the_callers_context_of_gmpy2_does_not_matter():
    names = ("recip", "sinpi", "asinpi", "fract", "lgamma", "rsqrt", "degrees")
    x = np.float64(0.7123456789)
    expected = [getattr(clmath, name)(x) for name in names]
    with gmpy2.context(precision=4, emax=3, emin=-3) as callers:
        for name, want in zip(names, expected, strict=True):
            assert getattr(clmath, name)(x) == want
        assert clmath.ldexp(x, 40) == 0.7123456789 * 2.0**40
        assert gmpy2.get_context().precision == callers.precision == 4


def test_many_threads():
    x = np.float64(0.7123456789)
    expected = [clmath.tanpi(x, rounding=mode) for mode in MODES]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda n: clmath.tanpi(x, rounding=MODES[n % 4]), range(2000)))
    assert found == expected * 500


def test_out_engine_and_threads(counted):
    x, out = np.float32(0.5), np.empty((), np.float32)
    assert clmath.sin(x, out=out) is out
    assert len(counted) == 1
    assert clmath.sin(x, engine="numpy") == out
    assert len(counted) == 2
    assert clmath.sin(x, threads=4) == out
    assert len(counted) == 2
    assert out[()] == clmath.sin(x)


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
    for several in (np.ones(5), np.ones((2, 2)), [0.5]):
        clmath.sin(several)
    with pytest.raises(TypeError):
        clmath.sin("text")
    assert len(plans._PLANS) == before
