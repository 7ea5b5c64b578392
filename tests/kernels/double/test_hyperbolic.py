"""Hyperbolic functions of double: near zero, edges of the table's steps, where they saturate and overflow."""

import mpmath
import numpy as np
import pytest
from mpmath import mp, mpf

from clmath.kernels.double import hyperbolic

RNG = np.random.default_rng(11)
COUNT = 8000
NAMES = ("sinh", "cosh", "tanh")


def next_to(values, steps):
    """Each number with those a few places from it, both signs."""
    points = (np.asarray(values, np.float64).view(np.int64)[:, None] + steps).ravel().view(np.float64)
    return np.concatenate([points, -points])


@pytest.mark.parametrize("name", NAMES)
def test_halves_of_steps(name, attack):
    """Between two entries of the table, where the rest is largest; tanh x takes that of 2x."""
    halves = (np.arange(600) + 0.5) * (np.log(2.0) / 512)
    assert attack(name, next_to(halves, np.arange(-3, 4))) <= 8


@pytest.mark.parametrize("name", NAMES)
def test_small_arguments(name, attack):
    assert attack(name, np.copysign(np.exp2(RNG.uniform(-40, -2, COUNT)), RNG.uniform(-1, 1, COUNT))) <= 8


@pytest.mark.parametrize("name", NAMES)
def test_first_steps(name, attack):
    """Where e^x and e^-x cancel most."""
    assert attack(name, RNG.uniform(-0.01, 0.01, COUNT)) <= 8


@pytest.mark.parametrize("name", NAMES)
def test_where_the_way_changes(name, attack):
    seams = [hyperbolic.TINY, hyperbolic.SATURATED, 2.0**-400, 35.0, 70.0, 800.0]
    assert attack(name, next_to(seams, np.arange(-50, 51))) <= 2


@pytest.mark.parametrize("name", ["sinh", "cosh"])
def test_where_results_overflow(name, attack):
    assert attack(name, next_to([710.4758600739439], np.arange(-500, 500))) <= 2
    assert attack(name, RNG.uniform(709.0, 713.0, COUNT)) <= 4


def test_tanh_near_its_limits(attack):
    assert attack("tanh", np.copysign(RNG.uniform(15.0, 30.0, COUNT), RNG.uniform(-1, 1, COUNT))) <= 4


@pytest.mark.parametrize("name", ["sinh", "cosh"])
def test_bounds_shrink_with_the_rest(name):
    """For rests of every size beside entries near and far, where r_lo is largest, too."""
    count = 1500
    rest = np.log(2.0) / 512 * RNG.uniform(0, 1, count) ** RNG.choice([0.1, 1.0, 6.0], count)
    places = RNG.choice([0, 1, 5, 300, 2000, 200_000], count)
    x = np.abs(places * np.log(2.0) / 256 + np.copysign(rest, RNG.uniform(-1, 1, count)))
    hi, lo, err, exponent = getattr(hyperbolic, name)(x)
    known = (err > 0.0) & (hi < 2.0**60)
    with mpmath.workprec(2200):
        for i in np.flatnonzero(known):
            exact = mp.ldexp(getattr(mp, name)(mpf(float(x[i]))), -int(exponent[i]))
            assert abs(mpf(float(hi[i])) + mpf(float(lo[i])) - exact) < err[i]
    assert np.median(err[known] / hi[known]) < 2.0**-69
