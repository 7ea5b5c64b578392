"""``out`` works as in NumPy's ufuncs: one array or a tuple, perhaps an argument, and without a copy of the entire
array.
"""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import clmath
from clmath.engines import choice
from tests.cases import for_each

X = np.linspace(0.1, 2, 5, dtype=np.float32)


@pytest.mark.parametrize("call", [clmath.sin, clmath.fabs, clmath.isnan])
def test_a_tuple_of_one_array_gives_that_array_back(call):
    out = np.empty_like(call(X))
    assert call(X, out=(out,)) is out
    np.testing.assert_array_equal(out, call(X))
    assert np.sin(X, out=(X.copy(),)).shape == X.shape  # NumPy, too, returns no tuple


def test_none_requests_a_fresh_array():
    assert type(clmath.sin(X, out=(None,))) is np.ndarray
    out = np.empty_like(X)
    sine, cosine = clmath.sincos(X, out=(None, out))
    assert cosine is out
    np.testing.assert_array_equal(sine, clmath.sin(X))
    np.testing.assert_array_equal(cosine, clmath.cos(X))
    exponent = np.empty(X.shape, np.int32)
    significand, second = clmath.frexp(X, out=(None, exponent))
    assert second is exponent
    np.testing.assert_array_equal(significand, clmath.frexp(X)[0])
    assert clmath.sincos(X[0], out=(None, np.empty((), np.float32)))[0] == clmath.sin(X[0])
    for got, want in zip(clmath.sincos(X, out=(None, None)), clmath.sincos(X), strict=True):
        np.testing.assert_array_equal(got, want)


def test_one_result_is_fresh_and_one_overwrites_the_argument():
    x = X.copy()
    sine, cosine = clmath.sincos(x, out=(None, x))
    assert cosine is x
    np.testing.assert_array_equal(sine, clmath.sin(X))
    np.testing.assert_array_equal(cosine, clmath.cos(X))


def test_a_tuple_of_all_arrays_comes_back_itself():
    out = np.empty_like(X), np.empty_like(X)
    assert clmath.sincos(X, out=out) is out


@pytest.mark.parametrize("out", [(), (None, None), (np.empty_like(X), None)])
def test_too_many_or_none_at_all(out):
    with pytest.raises(clmath.ShapeError, match=rf"^sin\(\): out has {len(out)} arrays; 1 are needed: give one array$"):
        clmath.sin(X, out=out)


@pytest.mark.parametrize("out", [np.empty_like(X), (None,), (None,) * 3])
def test_too_few(out):
    count = len(out) if isinstance(out, tuple) else 1
    with pytest.raises(
        clmath.ShapeError, match=rf"^sincos\(\): out has {count} arrays; 2 are needed: give a tuple of 2"
    ):
        clmath.sincos(X, out=out)


ENGINES = [engine.name for engine in choice.installed()]
LANES = 1 << 20


@pytest.fixture
def x():
    """A million floats, 4 MiB."""
    return np.linspace(-3, 3, LANES, dtype=np.float32)


@pytest.mark.parametrize("engine", ENGINES)
def test_entire_arrays_are_not_copied(x, engine):
    expected = clmath.exp(x, engine=engine)  # compiles, and sets how much memory the C library keeps
    tracemalloc.start()
    clmath.exp(x, out=x, engine=engine)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert np.array_equal(x, expected)
    assert peak < x.nbytes / 2


@pytest.mark.parametrize("engine", ENGINES)
def test_undecided_elements_still_see_their_argument(engine):
    beside_a_zero = np.float32(-2.4570247).view(np.int32) + np.arange(-200, 201, dtype=np.int32)
    x = beside_a_zero.view(np.float32)
    expected = clmath.lgamma(x)
    before = clmath.stats()["lgamma", "float"].undecided
    clmath.lgamma(x, out=x, engine=engine)
    assert clmath.stats()["lgamma", "float"].undecided > before
    assert np.array_equal(x, expected)


SQUARE = np.linspace(-3, 3, 160_000, dtype=np.float32).reshape(400, 400)
OVERLAPS = {
    "itself": lambda y: (y, y, y),
    "reversed": lambda y: (y, y[::-1], y),
    "transposed": lambda y: (y, y.T, y),
    "one row": lambda y: (y, y[3], y),
    "one column": lambda y: (y, y[:, 3:4], y),
    "into its transpose": lambda y: (y, y, y.T),
    "shifted forward": lambda y: (y[:-1], y[:-1], y[1:]),
    "shifted back": lambda y: (y[1:], y[1:], y[:-1]),
}


@for_each("name", ["add", "hypot"])
@for_each("overlap", OVERLAPS)
def test_as_if_the_arguments_were_copies(name, overlap):
    first, second, out = OVERLAPS[overlap](SQUARE.copy())
    expected = getattr(clmath, name)(first.copy(), second.copy())
    getattr(clmath, name)(first, second, out=out)
    assert np.array_equal(out, expected)


def test_vectors_in_place():
    v = SQUARE.reshape(-1, 4).copy()
    expected = clmath.normalize(v), clmath.cross(v, v[::-1].copy())
    w = v.copy()
    assert np.array_equal(clmath.normalize(w, out=w), expected[0])
    assert np.array_equal(clmath.cross(v, v[::-1], out=v), expected[1])
