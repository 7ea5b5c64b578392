"""Logarithms of double: zeros near 1, edges of places, exact results, and the bounds that other families build on."""

import numpy as np
import pytest

from clmath import reference
from clmath.kernels.double import logarithm
from clmath.numbers.formats import DOUBLE

RNG = np.random.default_rng(10)
COUNT = 20_000


GRID = (RNG.integers(-8000, 8000, COUNT) + RNG.choice([0.0, 0.5, -0.5], COUNT)) * 2.0**-22  # where m changes its head


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
