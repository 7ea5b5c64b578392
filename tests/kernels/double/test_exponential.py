"""Exponentials of double: exact results, edges of the table's steps, what is next to 1 and 0, ends of the range."""

import mpmath
import numpy as np
import pytest

from clmath.engines import choice
from clmath.kernels import DOUBLE as RUNG
from clmath.kernels.double import exponential
from clmath.numbers.formats import DOUBLE
from clmath.numbers.rounding import MODES

WIDEST = 2.0**-69  # LEAST + GROWTH r^2 where a rest is largest
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


REACH = np.log(2.0) / 512
RESTS = np.concatenate([RNG.uniform(-REACH, REACH, 2000), np.copysign(REACH, RNG.uniform(-1, 1, 1000))])
RESTS_LO = RESTS * RNG.uniform(-(2.0**-53), 2.0**-53, RESTS.size)
PLACES = RNG.integers(0, 256, RESTS.size)


def worst(parts, exact, relative_to):
    """The largest error of sums of ``parts``, each an array, from ``exact``, a function of the lane."""
    with mpmath.workprec(300):
        sums = [mpmath.fsum(map(mpmath.mpf, lane)) for lane in zip(*(map(float, p) for p in parts), strict=True)]
        return max(abs(s - exact(i)) / abs(relative_to(i)) for i, s in enumerate(sums))


def rest(i):
    """The rest of lane ``i`` as one number."""
    return mpmath.mpf(float(RESTS[i])) + mpmath.mpf(float(RESTS_LO[i]))


def power(i):
    """2^(j/256) e^r of lane ``i``."""
    return mpmath.mpf(2) ** (mpmath.mpf(int(PLACES[i])) / 256) * mpmath.exp(rest(i))


@pytest.mark.parametrize(
    "function, bound",
    [(exponential.scaled_exp, WIDEST), (exponential.fine_exp, 2.0**-79.5), (exponential.terms, 2.0**-80)],
)
def test_bounds_of_powers(function, bound):
    """They hold, and say no more than eight times what is seen."""
    seen = worst(function(RESTS, RESTS_LO, PLACES), power, power)
    assert bound / 8 < seen < bound


def test_bound_of_powers_shrinks_with_the_rest():
    size = REACH * np.concatenate([np.linspace(0.02, 1.0, 1500), np.exp2(-RNG.uniform(0, 40, 500))])
    r = np.copysign(size, RNG.uniform(-1, 1, size.size))
    r_lo = RNG.uniform(-(2.0**-60), 2.0**-60, size.size)  # as large as it becomes next to the ends of the range
    places = RNG.integers(0, 256, size.size)
    hi, lo = exponential.scaled_exp(r, r_lo, places)
    bound = hi * (exponential.LEAST + exponential.GROWTH * r * r)
    with mpmath.workprec(300):
        for place, high, low, first, second, most in zip(places, r, r_lo, hi, lo, bound, strict=True):
            exact = mpmath.mpf(2) ** (mpmath.mpf(int(place)) / 256) * mpmath.exp(mpmath.mpf(high) + mpmath.mpf(low))
            assert abs(mpmath.mpf(first) + mpmath.mpf(second) - exact) < most
    assert 0.6 < (bound / hi).max() / WIDEST < 1.0


def test_rests_of_rests_are_as_small_as_they_are_taken_for():
    """For any argument that gives no saturated result: r_lo r^2/2 is left out."""
    _, r_lo, _ = exponential.reduced(RNG.uniform(-1.0, 1.0, 200_000) * exponential.TOP)
    assert 2.0**-61 < np.abs(r_lo).max() < 2.0**-60


def test_bound_of_growth():
    with mpmath.workprec(300):
        seen = worst(exponential.growth(RESTS, RESTS_LO), lambda i: mpmath.expm1(rest(i)), rest)
    assert 2.0**-71.4 / 8 < seen < 2.0**-71.4


def test_bound_of_constants():
    """The product of a pair and ln(10), as exp10 takes it."""
    parts = exponential.times_constant(RESTS, RESTS_LO, exponential.LN10)
    assert worst(parts, lambda i: rest(i) * mpmath.log(10), rest) < 2.0**-75


@pytest.mark.parametrize(("low", "high"), [(-0.01, 0.01), (-1.0, 1.0), (-60.0, 60.0)])
def test_less_one_is_as_close_as_it_says(low, high):
    """Relative to the power where the difference is large, to the difference where it is small."""
    x = RNG.uniform(low, high, 1500)
    hi, lo, err, k, _ = exponential.less_one(x)
    assert (err[np.abs(x) > 0.1] < 2.0**-74 * np.abs(hi[np.abs(x) > 0.1])).all()
    with mpmath.workprec(400):
        for value, first, second, most, exponent in zip(x, hi, lo, err, k, strict=True):
            exact = mpmath.ldexp(mpmath.expm1(mpmath.mpf(value)), -int(exponent))
            assert abs(mpmath.mpf(first) + mpmath.mpf(second) - exact) < most
