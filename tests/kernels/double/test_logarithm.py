"""Logarithms of double: zeros near 1, edges of places, exact results, and the bounds that other families build on."""

import numpy as np
import pytest

from clmath import reference
from clmath.kernels.double import logarithm
from clmath.numbers.formats import DOUBLE
from tests.cases import for_each

RNG = np.random.default_rng(10)
COUNT = 20_000
LOGARITHMS = ("log", "log2", "log10")
ABOUT = np.arange(-3, 4)


def next_to(values, steps=ABOUT):
    """Each number with those a few places from it."""
    return (np.asarray(values, np.float64).view(np.int64)[:, None] + steps).ravel().view(np.float64)


EDGES = (logarithm.LOWEST + (np.arange(257) << 44)).view(np.float64)
SIGNED = np.copysign(np.exp2(RNG.uniform(-53, -1, COUNT)), RNG.uniform(-1, 1, COUNT))
GRID = (RNG.integers(-8000, 8000, COUNT) + RNG.choice([0.0, 0.5, -0.5], COUNT)) * 2.0**-22  # where m changes its head


@for_each("name", LOGARITHMS)
@for_each("seam", [1.0, 2.0**-1030, 2.0**1000, 2.0**-1])
def test_edges_of_places(name, seam, attack):
    assert attack(name, next_to(EDGES * seam)) <= 2


@pytest.mark.parametrize("name", LOGARITHMS)
def test_near_1(name, attack):
    assert attack(name, 1.0 + GRID + RNG.integers(-3, 4, COUNT) * 2.0**-52) <= 20
    attack(name, 1.0 + SIGNED)


@pytest.mark.parametrize("name", LOGARITHMS)
def test_subnormal_numbers(name, attack):
    assert attack(name, np.exp2(RNG.uniform(-1074, -1021, COUNT // 4))) <= 2
    assert attack(name, np.arange(1, 2000) * 2.0**-1074) <= 2


def test_log1p_where_its_reduction_changes(attack):
    assert attack("log1p", next_to(EDGES - 1.0)) <= 20
    assert attack("log1p", GRID * (1.0 + RNG.integers(-3, 4, COUNT) * 2.0**-52)) <= 20
    assert attack("log1p", np.exp2(RNG.uniform(45, 60, COUNT))) <= 2
    attack("log1p", next_to(np.exp2([-27.0, -53.0, -60.0, -100.0]), np.arange(-200, 200)))


def test_log1p_near_its_pole(attack):
    assert attack("log1p", -1.0 + np.exp2(RNG.uniform(-53, -1, COUNT))) <= 2


def test_exact_results_are_decided(attack):
    assert attack("log2", np.ldexp(1.0, np.arange(-1074, 1024))) == 0
    assert attack("log10", 10.0 ** np.arange(23)) == 0
    for name in LOGARITHMS:
        assert attack(name, np.arange(1.0, 5000.0)) == 0


@pytest.mark.parametrize("name", ["log", "log1p"])
def test_short_numbers_near_the_zero_are_decided(name, attack):
    """T - t^2/2 is a double or a midpoint for most of them."""
    steps = np.concatenate([np.arange(-1000, 1001) * 2.0**-52, np.ldexp(1.0, -np.arange(2, 52))])
    assert attack(name, steps + (1.0 if name == "log" else 0.0)) <= 2


def distance(hi, lo, exact):
    """How far hi + lo lies from the exact value, absolutely and relatively."""
    scale = np.ldexp(1.0, exact.exponent.astype(np.int32))
    far = np.abs((exact.hi * scale - hi) + (exact.lo * scale - lo))
    return far.max(), (far / np.abs(hi)).max()


@pytest.mark.parametrize(
    ("low", "high"), [(1.0 - 2.0**-7, 1.0 - 2.0**-20), (1.0 + 2.0**-20, 1.0 + 2.0**-7), (1e-300, 1e300), (0.1, 30.0)]
)
def test_pairs_are_as_close_as_they_claim(low, high):
    x = np.exp(RNG.uniform(np.log(low), np.log(high), COUNT))
    absolute, relative = distance(*logarithm.log_pair(x), reference.enclose("log", (x,), DOUBLE)[0])
    assert absolute < logarithm.WIDEST
    assert relative < logarithm.BOUND


def test_a_pair_of_1_and_more():
    """Log(1 + t + t_lo) at t + t_lo = s - 1, s next to 1 or far from it, is log s."""
    x = np.concatenate([np.exp(RNG.uniform(-0.6, 40.0, COUNT)), 1.0 + GRID[GRID != 0.0]])
    t = x - 1.0
    found = logarithm.log1p_pair(t, (x - t) - 1.0)
    absolute, relative = distance(*found, reference.enclose("log", (x,), DOUBLE)[0])
    assert absolute < logarithm.WIDEST
    assert relative < logarithm.BOUND
