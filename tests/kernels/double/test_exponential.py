"""Exponentials of double: exact results, edges of the table's steps, what is next to 1 and 0, ends of the range."""

import numpy as np
import pytest

from clmath.engines import choice
from clmath.kernels import DOUBLE as RUNG
from clmath.kernels.double import exponential
from clmath.numbers.formats import DOUBLE
from clmath.numbers.rounding import MODES

RNG = np.random.default_rng(10)
COUNT = 8000
POWERS = {"exp": np.log2(np.e), "exp2": 1.0, "exp10": np.log2(10.0), "expm1": np.log2(np.e)}
ABOUT = np.arange(-3, 4)


def next_to(values, steps=ABOUT):
    """Each number with those a few places from it."""
    return (np.asarray(values, np.float64).view(np.int64)[:, None] + steps).ravel().view(np.float64)


@pytest.mark.parametrize("name", POWERS)
def test_halves_of_steps(name, attack):
    """Between two entries of the table, where the rest is largest."""
    halves = (np.arange(-700, 700) + 0.5) / (256 * POWERS[name])
    assert attack(name, next_to(halves)) <= 8


@pytest.mark.parametrize("name", POWERS)
def test_where_results_overflow_and_underflow(name, attack):
    edges = np.array([1022.0, 1024.0, 1025.0, 1026.0, -1021.0, -1022.0, -1073.0, -1074.0, -1075.0, -1076.0, -1080.0])
    around = (edges[:, None] + np.linspace(-1.0, 1.0, 300)).ravel() / POWERS[name]
    assert attack(name, around) <= 2
    assert attack(name, next_to(edges / POWERS[name])) <= 2


@pytest.mark.parametrize("name", POWERS)
def test_small_arguments(name, attack):
    small = np.copysign(np.exp2(RNG.uniform(-80, -5, COUNT)), RNG.uniform(-1, 1, COUNT))
    assert attack(name, small) <= 8


@pytest.mark.parametrize("name", POWERS)
def test_where_the_way_changes(name, attack):
    seams = [exponential.TINY, exponential.EXPM1_TINY, -exponential.SATURATED, 2.0**-400, 400.0, 800.0, 1200.0]
    seams = next_to(seams, np.arange(-50, 51))
    assert attack(name, np.concatenate([seams, -seams])) <= 2


def test_expm1_near_its_limit(attack):
    assert attack("expm1", RNG.uniform(-60.0, -20.0, COUNT)) <= 2


@pytest.mark.parametrize(
    "name, exact",
    [("exp2", np.arange(-1200.0, 1200.0)), ("exp10", np.arange(24.0)), ("exp10", np.arange(-400.0, 400.0))],
)
def test_exact_results_are_decided(name, exact, attack):
    assert attack(name, exact) == 0


@pytest.mark.parametrize("name", POWERS)
def test_typical_arguments_are_decided(name):
    x = RNG.uniform(-20.0, 20.0, 1 << 17)
    for mode in MODES:
        left = choice.PLAIN.rounded(RUNG.kernels[name], DOUBLE, mode, [x], [np.empty_like(x)])
        assert left.size < x.size / 10_000
