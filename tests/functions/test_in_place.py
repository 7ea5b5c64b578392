"""Results that overwrite the arguments: right whatever overlaps, and without a copy of the whole."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import clmath
from clmath.engines import choice
from tests.cases import for_each

ENGINES = [engine.name for engine in choice.installed()]
LANES = 1 << 20


@pytest.fixture
def x():
    """A million floats, 4 MiB."""
    return np.linspace(-3, 3, LANES, dtype=np.float32)


@pytest.mark.parametrize("engine", ENGINES)
def test_nothing_whole_is_copied(x, engine):
    expected = clmath.exp(x, engine=engine)  # compiles, and sets how much memory the C library keeps
    tracemalloc.start()
    clmath.exp(x, out=x, engine=engine)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert np.array_equal(x, expected)
    assert peak < x.nbytes / 2


@pytest.mark.parametrize("engine", ENGINES)
def test_the_second_result_over_the_argument(x, engine):
    sine, cosine = clmath.sincos(x)
    out = (np.empty_like(x), x)
    clmath.sincos(x, out=out, engine=engine)
    assert np.array_equal(out[0], sine)
    assert np.array_equal(out[1], cosine)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_first_result_over_the_argument(x, engine):
    value, sign = clmath.lgamma_r(x)
    out = (x, np.empty_like(sign))
    clmath.lgamma_r(x, out=out, engine=engine)
    assert np.array_equal(out[0], value)
    assert np.array_equal(out[1], sign)


@pytest.mark.parametrize("engine", ENGINES)
def test_undecided_lanes_still_see_their_argument(engine):
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
