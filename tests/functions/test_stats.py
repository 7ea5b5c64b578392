"""``clmath.stats()`` counts the elements that kernels evaluate, and the elements that they leave undecided."""

from __future__ import annotations

import numpy as np
import pytest

import clmath
from clmath.engines import choice
from clmath.numbers.formats import format_of

NEEDS_NATIVE = pytest.mark.skipif(choice.NATIVE.library is None, reason=choice.states()["native"])


@pytest.fixture
def counted():
    """The increase of the counts of one (built-in, format) by a call."""

    def difference(name, form, *args, **options):
        before = clmath.stats().get((name, form), (0, 0))
        getattr(clmath, name)(*args, **options)
        after = clmath.stats().get((name, form), (0, 0))
        return after[0] - before[0], after[1] - before[1]

    return difference


def form_name(dtype):
    return format_of(np.dtype(dtype)).name


@pytest.mark.parametrize("engine", ["numpy", pytest.param("native", marks=NEEDS_NATIVE)])
def test_an_undecided_element_is_counted(engine, counted):
    x = np.float32([1 - 2**-24, 0.25])  # the root of the first lies 2^-51 below the midpoint of two floats
    assert counted("pow", "float", x, 0.5, engine=engine) == (2, 1)
    assert counted("pow", "float", x, 0.5, engine=engine, rounding="rtz") == (2, 0)
    np.testing.assert_array_equal(clmath.pow(x, 0.5, engine=engine), np.float32([1 - 2**-24, 0.5]))


def test_ordinary_elements_are_decided(counted):
    x = np.linspace(-4, 4, 1001, dtype=np.float32)
    assert counted("exp", "float", x) == (1001, 0)
    assert counted("sincos", "half", x.astype(np.float16), rounding="rtp") == (1001, 0)
    assert counted("atan2", "float", x[:, None], x[:7]) == (7007, 0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_hypotenuses_next_to_boundaries_are_decided(dtype, counted):
    x = np.linspace(1, 2, 999, dtype=dtype, endpoint=False)
    form = form_name(dtype)
    for mode in ("rte", "rtz", "rtp", "rtn"):
        for c in range(1, 10):
            assert counted("hypot", form, x, np.sqrt(dtype(c) * x * np.spacing(x)), rounding=mode) == (999, 0)


def test_logarithms_next_to_one_are_decided(counted):
    t = np.ldexp(1.0, -np.arange(1, 54))
    for mode in ("rte", "rtz", "rtp", "rtn"):
        assert counted("log", "double", 1.0 - t, rounding=mode) == (53, 0)
        assert counted("log1p", "double", np.concatenate([t, -t]), rounding=mode) == (106, 0)


@NEEDS_NATIVE
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", ["pow", "powr"])
def test_powers_next_to_one_are_decided(name, dtype, counted):
    """The only undecided case is the root of 1 - 2^-24, which lies 2^-51 from a midpoint of floats."""
    form, steps = form_name(dtype), np.ldexp(1.0, -np.arange(1, np.finfo(dtype).nmant + 1))
    x = np.concatenate([1.0 + k * steps for k in (-1, 1, 3, 5)])
    y = np.concatenate([np.arange(-9.0, 10.0), [0.25, 0.75, 1.5, 1 / 3], steps])
    x, y = (a.reshape(-1).astype(dtype) for a in np.meshgrid(x, y))
    for mode in ("rte", "rtz", "rtp", "rtn"):
        assert counted(name, form, x, y, rounding=mode) == (x.size, 0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_gamma_functions_of_tiny_numbers_are_decided(dtype, counted):
    tiny = np.ldexp(1.0, np.arange(np.finfo(dtype).minexp, -3))
    x = np.concatenate([k * tiny for k in (-3, -1, 1, 3, 5)]).astype(dtype)
    for mode in ("rte", "rtz", "rtp", "rtn"):
        assert counted("tgamma", form_name(dtype), x, rounding=mode) == (x.size, 0)
        assert counted("lgamma", form_name(dtype), x, rounding=mode) == (x.size, 0)


def test_every_thread_counts(counted):
    x = np.linspace(-4, 4, 40_001, dtype=np.float32)
    assert counted("erf", "float", x, threads=3) == (40_001, 0)


@NEEDS_NATIVE
def test_forms_of_a_function_are_counted_under_their_own_names(counted):
    x = np.float32([1.0])
    assert counted("sin", "float", x) == (1, 0)
    assert counted("native_sin", "float", x) == (1, 0)
    assert counted("sin", "half", x) == (0, 0)


def test_double_is_counted(counted):
    x = np.linspace(-4.0, 4.0, 1000)
    evaluated, undecided = counted("exp", "double", x)
    assert evaluated == 1000
    assert undecided <= 1


@pytest.mark.parametrize("engine", ["numpy", pytest.param("native", marks=NEEDS_NATIVE)])
def test_single_numbers_are_counted(engine, counted):
    assert counted("sin", "float", np.float32(1.0), engine=engine) == (1, 0)


@NEEDS_NATIVE
def test_the_counts_that_are_handed_out_are_a_copy():
    clmath.cbrt(np.float32([2.0]))
    clmath.stats().clear()
    assert clmath.stats()["cbrt", "float"].evaluated > 0


def test_a_built_in_with_an_integer_result_counts_for_itself(counted):
    assert counted("lgamma_r", "double", np.linspace(0.5, 3, 99)) == (99, 0)
    assert counted("lgamma", "double", np.linspace(0.5, 3, 99)) == (99, 0)
