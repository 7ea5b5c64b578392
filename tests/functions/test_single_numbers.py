"""Single numbers: the bits that they have in arrays, and few Python functions are entered."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import gmpy2
import numpy as np
import pytest

import clmath
from clmath.call import plans
from clmath.engines import choice
from clmath.numbers.rounding import MODES
from tests.cases import for_each


@for_each("x", [np.float16(0.7), np.float32(0.7), np.float64(0.7), 0.7])
@for_each("y", [0.3, -2, 2**60 + 2**36 + 1, 1e300])
def test_python_numbers_combine_with_numbers_of_a_format(x, y):
    y = 2049 if isinstance(x, np.float16) and y == 2**60 + 2**36 + 1 else y  # a midpoint of halfs
    y = min(y, {np.float16: 65504.0, np.float32: 3.4e38}.get(type(x), y))
    got = clmath.fmax(x, y), clmath.fdim(y, x), clmath.hypot(x, y)
    several = np.asarray([x])
    want = clmath.fmax(several, y)[0], clmath.fdim(y, several)[0], clmath.hypot(several, y)[0]
    assert [(type(g), g.tobytes()) for g in got] == [(type(w), w.tobytes()) for w in want]


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


def test_out_engine_and_threads():
    x, out = np.float32(0.5), np.empty((), np.float32)
    assert clmath.sin(x, out=out) is out
    assert clmath.sin(x) == clmath.sin(x, engine="numpy") == clmath.sin(x, threads=4) == out


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


@for_each(
    "name, args, most",
    [
        *(("sin", (x,), 10) for x in (np.float32(0.5), np.float16(0.5), 0.5, np.asarray(0.5), np.ones(8, "f4"))),
        ("fmax", (np.ones(8), np.ones(8)), 10),
        ("add_sat", (np.ones(8, np.int32), np.ones(8, np.int32)), 20),
        ("isnan", (np.ones(8, np.float32),), 44),
        ("mad_sat", (np.int64(3), 4, 5), 40),
        ("isequal", (np.float32(1.0), np.float32(2.0)), 20),
        ("convert", (np.float32(1.5), "int"), 30),
        ("length", (np.ones(3),), 25),
    ],
)
@pytest.mark.skipif(choice.NATIVE.library is None, reason=choice.states()["native"])
def test_calls_enter_few_functions(name, args, most):
    function = getattr(clmath, name)
    function(*args)
    assert len(python_calls(function, *args)) <= most


def test_plans_follow_from_types_alone(monkeypatch, no_plans):  # noqa: ARG001
    made = []
    here = plans._Plans._here
    monkeypatch.setattr(plans._Plans, "_here", lambda self, *given: made.append(given[0]) or here(self, *given))
    for several in (np.ones(5), 0.5, np.ones(7), np.ones((2, 2)), np.zeros(0), 2.5):
        clmath.sin(several)
    assert made == [(np.dtype(np.float64),), (float,)]


def test_numbers_are_named_in_messages_as_in_arrays():
    """An argument may be beyond the range of the other argument's type."""
    for x in (np.float16(1), np.ones(3, np.float16)):
        with pytest.raises(clmath.RangeError, match=r"^pow\(\): y is "):
            clmath.pow(x, 1e9)
        with pytest.raises(clmath.RangeError, match=r"^pow\(\): x is "):
            clmath.pow(1e9, x)
