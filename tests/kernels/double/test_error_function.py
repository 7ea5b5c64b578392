"""erf and erfc of double: edges of pieces, near zero, where they saturate, down to the smallest results."""

import numpy as np
import pytest

from clmath.kernels.double import error_function

RNG = np.random.default_rng(12)
COUNT = 3000
NAMES = ("erf", "erfc")
ERFC_PLACES = ((np.arange(154) + error_function.FIRST_PLACE) << 47).view(np.float64) - 1.0
EDGES = {"erf": (np.arange(102) + 0.5) / 16, "erfc": (ERFC_PLACES[1:] + ERFC_PLACES[:-1]) / 2}


def next_to(values, steps):
    """Each number with those a few places from it, both signs."""
    points = (np.asarray(values, np.float64).view(np.int64)[:, None] + steps).ravel().view(np.float64)
    return np.concatenate([points, -points])


@pytest.mark.parametrize("name", NAMES)
def test_edges_of_pieces(name, attack):
    assert attack(name, next_to(EDGES[name], np.arange(-4, 5))) <= 2


@pytest.mark.parametrize("name", NAMES)
def test_first_edge(name, attack):
    """The piece around zero ends where the reduction is exact just so."""
    assert attack(name, next_to(EDGES[name][:2], np.arange(-300, 300))) <= 2


@pytest.mark.parametrize("name", NAMES)
def test_small_arguments(name, attack):
    assert attack(name, np.copysign(np.exp2(RNG.uniform(-70, -3, COUNT)), RNG.uniform(-1, 1, COUNT))) <= 2


def test_subnormal_erf(attack):
    assert attack("erf", np.arange(-2000, 2000) * 2.0**-1074) == 0
    assert attack("erf", np.exp2(RNG.uniform(-1074, -1015, COUNT))) <= 2


@pytest.mark.parametrize("name", NAMES)
def test_where_the_way_changes(name, attack):
    seams = [error_function.TINY, 2.0**-400, error_function.SATURATED, error_function.TOP, 27.2261, 28.0]
    assert attack(name, next_to(seams, np.arange(-50, 51))) <= 2


@pytest.mark.parametrize("name", NAMES)
def test_near_the_limits(name, attack):
    assert attack(name, np.copysign(RNG.uniform(5.0, 7.0, COUNT), RNG.uniform(-1, 1, COUNT))) <= 2


def test_smallest_results(attack):
    assert attack("erfc", RNG.uniform(25.8, 27.5, COUNT)) <= 2
    assert attack("erfc", next_to([26.543258454250363, 26.55, 27.226], np.arange(-100, 100))) <= 2
