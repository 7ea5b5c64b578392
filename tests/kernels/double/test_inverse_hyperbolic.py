"""asinh, acosh and atanh of double: zeros, poles, large arguments, and where one way takes over from another."""

import numpy as np
import pytest

from clmath.kernels.double import inverse_hyperbolic as family

RNG = np.random.default_rng(11)
COUNT = 20_000
ABOUT = np.arange(-100, 101)


def next_to(*values):
    """Each number with those a few places from it."""
    return (np.array(values, np.float64).view(np.int64)[:, None] + ABOUT).ravel().view(np.float64)


def signed(values):
    """The numbers with random signs."""
    return np.copysign(values, RNG.uniform(-1, 1, len(values)))


@pytest.mark.parametrize("name", ["asinh", "atanh"])
def test_near_zero(name, attack):
    assert attack(name, signed(np.exp2(RNG.uniform(-110, -6, COUNT)))) <= 2
    assert attack(name, signed(np.ldexp(RNG.integers(1, 100, COUNT // 4), RNG.integers(-1074, -8, COUNT // 4)))) <= 2


@pytest.mark.parametrize("name", ["asinh", "atanh"])
def test_where_one_way_takes_over(name, attack):
    assert attack(name, signed(next_to(family.TINY, 2.0**-60, family.DECIDED, family.SMALL))) <= 2
    assert attack(name, signed(RNG.uniform(0.5 * family.SMALL, 4.0 * family.SMALL, COUNT))) <= 2


def test_acosh_next_to_1(attack):
    assert attack("acosh", 1.0 + np.arange(COUNT // 2) * 2.0**-52) <= 20
    short = np.ldexp(RNG.integers(1, 100, COUNT // 4), RNG.integers(-52, -8, COUNT // 4))
    assert attack("acosh", 1.0 + np.unique(short)) <= 20
    attack("acosh", 1.0 + np.exp2(RNG.uniform(-52, 0, COUNT)))


def test_acosh_where_the_logarithm_takes_over(attack):
    """Its sinh, s, is SMALL at 1 + s^2/2."""
    assert attack("acosh", 1.0 + family.SMALL**2 * RNG.uniform(0.2, 2.0, COUNT)) <= 2


@pytest.mark.parametrize("name", ["asinh", "acosh"])
def test_large_arguments(name, attack):
    x = np.concatenate([np.exp2(RNG.uniform(1, 1024, COUNT)), next_to(family.LARGE, 2.0**1023, 2.0**27)])
    assert attack(name, x) <= 2
    assert attack(name, np.array([np.finfo(np.float64).max])) == 0


def test_atanh_near_its_poles(attack):
    assert attack("atanh", signed(1.0 - np.exp2(RNG.uniform(-53, -1, COUNT)))) <= 2
    assert attack("atanh", signed(1.0 - np.arange(1, 1000) * 2.0**-53)) <= 2


@pytest.mark.parametrize(("name", "low", "high"), [("asinh", -9.0, 9.0), ("acosh", 1.0, 9.0), ("atanh", -1.0, 1.0)])
def test_tame_arguments_are_decided(name, low, high, attack):
    assert attack(name, np.linspace(low, high, 4 * 9 * 64 + 1)) == 0
    assert attack(name, RNG.uniform(low, high, COUNT)) == 0


@pytest.mark.parametrize("name", ["asinh", "acosh"])
def test_integers_are_decided(name, attack):
    assert attack(name, np.arange(0.0, 5000.0)) == 0
