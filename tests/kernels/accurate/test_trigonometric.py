"""Trigonometric functions of double: their exact results, and equal results by both code paths."""

import numpy as np
import pytest

from clmath.engines import choice
from clmath.kernels import ACCURATE
from clmath.numbers.formats import DOUBLE
from clmath.numbers.rounding import MODES
from tests.cases import for_each

RNG = np.random.default_rng(13)
RADIANS = ("sin", "cos", "tan", "sincos")
TURNS = ("sinpi", "cospi", "tanpi")


@pytest.mark.parametrize("name", ["sinpi", "cospi"])
def test_only_multiples_of_a_half_are_exact(name):
    x = np.arange(-20000, 20000) / 64
    _, lo, err, _ = ACCURATE.kernels[name].function(x)
    assert np.array_equal(err == 0.0, x * 2 == np.floor(x * 2))
    assert not lo[err == 0.0].any()


def test_only_multiples_of_a_quarter_are_exact_tangents():
    x = np.arange(-20000, 20000) / 64
    with np.errstate(divide="ignore", invalid="ignore"):
        _, lo, err, _ = ACCURATE.kernels["tanpi"].function(x)
    assert np.array_equal(err == 0.0, x * 4 == np.floor(x * 4))
    assert not lo[err == 0.0].any()


@for_each("name", RADIANS + TURNS)
def test_both_code_paths_give_the_same_results(name):
    """An argument that is not ordinary makes the entire chunk take the general path."""
    kernel = ACCURATE.kernels[name]
    ordinary = RNG.uniform(-100.0, 100.0, 500)
    ordinary[:3] = 0.0, -0.0, 1e-10
    mixed = np.concatenate([ordinary, [1e300]])
    assert kernel.record.ordinary.holds(ordinary).all()
    for engine in choice.installed():
        for mode in MODES:
            found = [results(engine, kernel, mode, x) for x in (ordinary, mixed)]
            decided = found[0][1] & found[1][1][:-1]
            assert decided.sum() > 490
            for one, other in zip(found[0][0], found[1][0], strict=True):
                assert np.array_equal(one[decided], other[:-1][decided])


def results(engine, kernel, mode, x):
    """(encodings of each result, which elements are decided)."""
    targets = [np.empty(x.shape) for _ in range(kernel.results)]
    with np.errstate(all="ignore"):
        left = engine.rounded(kernel, DOUBLE, mode, [x], targets)
    decided = np.ones(x.shape, bool)
    decided[left] = False
    return [DOUBLE.bits(target) for target in targets], decided
