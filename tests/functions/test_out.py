"""``out``, as NumPy's ufuncs have it: an array, or a tuple in which None stands for a fresh one."""

from __future__ import annotations

import numpy as np
import pytest

import clmath

X = np.linspace(0.1, 2, 5, dtype=np.float32)


@pytest.mark.parametrize("call", [clmath.sin, clmath.fabs, clmath.isnan])
def test_a_tuple_of_one_array_gives_that_array_back(call):
    out = np.empty_like(call(X))
    assert call(X, out=(out,)) is out
    np.testing.assert_array_equal(out, call(X))
    assert np.sin(X, out=(X.copy(),)).shape == X.shape  # NumPy, too, returns no tuple


def test_none_stands_for_a_fresh_array():
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


def test_a_fresh_result_beside_one_over_the_argument():
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
