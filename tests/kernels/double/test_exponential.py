"""Exponentials of double: exact results, edges of the table's steps, what is next to 1 and 0, ends of the range."""

import mpmath
import numpy as np
import pytest

from clmath.kernels.double import exponential

WIDEST = 2.0**-69  # LEAST + GROWTH r^2 where a rest is largest
RNG = np.random.default_rng(10)


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
