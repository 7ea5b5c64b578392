"""tgamma and lgamma of double: poles, zeros, factorials, seams of the reductions, the bounds of their parts."""

import mpmath
import numpy as np
import pytest
from mpmath import mp, mpf

from clmath import reference
from clmath.kernels.double import gamma, log_gamma, logarithm, trigonometric
from clmath.kernels.double.pairs import times_pair
from clmath.numbers.formats import DOUBLE
from tests.cases import for_each

RNG = np.random.default_rng(11)
COUNT = 8000
NAMES = ("tgamma", "lgamma")
ABOUT = np.arange(-3, 4)
SIZES = np.copysign(np.exp2(RNG.uniform(-52, -1, COUNT)), RNG.uniform(-1, 1, COUNT))


def next_to(values, steps=ABOUT):
    """Each number with those a few places from it, without 0."""
    values = np.asarray(values, np.float64)
    return (values[values != 0.0].view(np.int64)[:, None] + steps).ravel().view(np.float64)


def distance(hi, lo, exact):
    """How far hi + lo lies from the exact value."""
    scale = np.ldexp(1.0, exact.exponent.astype(np.int32))
    return np.abs((exact.hi * scale - hi) + (exact.lo * scale - lo))


@pytest.mark.parametrize("name", NAMES)
def test_edges_of_pieces(name, attack):
    """Also those of 1 + x and of 1 - x, where the distance from a centre must stay exact."""
    edges = np.ldexp(1.0 + np.arange(33) / 32.0, np.arange(-1, 5)[:, None]).ravel()
    assert attack(name, next_to(np.concatenate([edges, edges - 1.0, 1.0 - edges]))) <= 2


@pytest.mark.parametrize("name", NAMES)
def test_seams(name, attack):
    seams = [0.5, 4.0, 15.0, 15.9, 16.0, 171.6, 175.0, 14.9, 31.0, 63.0, 127.0, 170.5, 185.0, 2.0**51, 2.0**52]
    powers = np.ldexp(1.0, [-30, -60, -110, -200, 300, 1013, 1014])
    points = next_to(np.concatenate([seams, powers]), np.arange(-60, 61))
    attack(name, np.concatenate([points, -points]))


@pytest.mark.parametrize("name", NAMES)
def test_close_to_poles(name, attack):
    poles = -np.floor(np.exp2(RNG.uniform(0, 8, COUNT)))
    assert attack(name, poles + SIZES) <= 20
    assert attack(name, SIZES) <= 4


@pytest.mark.parametrize("name", NAMES)
def test_where_1_minus_x_is_inexact(name, attack):
    """In a binade of 1 - x that x has not reached: next to -15, -31, -63 ..."""
    seams = np.ldexp(1.0, RNG.integers(1, 9, COUNT))
    assert attack(name, -(seams - RNG.random(COUNT))) <= 4


@pytest.mark.parametrize(("low", "high"), [(-186.0, -165.0), (165.0, 172.0), (-30.0, 30.0), (-1e-9, 1e-9)])
def test_all_of_tgamma(low, high, attack):
    assert attack("tgamma", RNG.uniform(low, high, COUNT)) <= 4


@pytest.mark.parametrize(("low", "high"), [(0.0, 100.0), (0.9, 1.1), (1.9, 2.1), (-300.0, 0.0), (-1e17, 1e17)])
def test_all_of_lgamma(low, high, attack):
    assert attack("lgamma", RNG.uniform(low, high, COUNT)) <= 4


def test_close_to_the_zeros_above_zero(attack):
    attack("lgamma", np.concatenate([1.0 + SIZES / 4.0, 2.0 + SIZES / 4.0]))


def zero_next_to(pole, side):
    """Where |gamma(x)| = 1 on that ``side`` of ``pole``: in the logarithm of the distance next to a straight line."""

    def log_of_gamma(u):
        return mp.log(abs(mp.gamma(side * mp.exp(u) + pole)))

    with mpmath.workprec(300):
        return side * mp.exp(mp.findroot(log_of_gamma, -mp.loggamma(1 - pole))) + pole


BELOW = [(pole, side) for pole in range(-2, -19, -1) for side in (1, -1) if (pole, side) != (-2, 1)]


@for_each(("pole", "side"), BELOW)
def test_close_to_the_zeros_below_zero(pole, side, attack):
    """At every distance, from the doubles next to a zero on: also next to those that stay with the formula."""
    zero = float(zero_next_to(pole, side))
    far = zero + np.copysign(np.exp2(RNG.uniform(-50, -7, 1500)), RNG.uniform(-1, 1, 1500))
    assert attack("lgamma", np.unique(np.concatenate([next_to([zero], np.arange(-400, 401)), far]))) <= 3


def test_zeros_are_where_mpmath_finds_them():
    found = [float(zero_next_to(*place)) for place in BELOW]
    assert log_gamma.ZERO.tolist() == found[: log_gamma.ZEROS]
    assert (np.abs(log_gamma.ZERO_OFF) / 4 >= log_gamma.ZERO_REACH).all()


def test_about_zeros_as_close_as_it_claims():
    """Against mpmath, at the ends of what a polynomial is for and next to the zero, where the relative error counts."""
    parts = np.concatenate([[0.0], np.exp2(-np.arange(48.0)), -np.exp2(-np.arange(48.0))])
    x = np.unique((log_gamma.ZERO[:, None] + log_gamma.ZERO_REACH[:, None] * parts).ravel())
    hi, lo, err, is_near = log_gamma.about_zero(x)
    assert is_near.sum() > 1600  # a sum may have been rounded outward
    x, hi, lo, err = (part[is_near] for part in (x, hi, lo, err))
    assert (err < 2.0**-66.5 * np.abs(hi)).all()
    with mpmath.workprec(300):
        for value, high, low, bound in zip(x, hi, lo, err, strict=True):
            exact = mp.log(abs(mp.gamma(mpf(float(value)))))
            assert abs(mpf(float(high)) + mpf(float(low)) - exact) < bound


def test_huge_arguments_of_lgamma(attack):
    assert attack("lgamma", np.exp2(RNG.uniform(50, 1024, COUNT))) <= 2
    assert attack("lgamma", next_to([2.5563481638716906e305], np.arange(-50, 51))) <= 2


def test_exact_results_are_decided(attack):
    assert attack("tgamma", np.arange(1.0, 172.0)) == 0
    assert attack("lgamma", np.arange(1.0, 5000.0)) <= 1
    assert attack("lgamma", np.arange(-5000.0, 0.0)) == 0
    assert attack("tgamma", np.arange(-5000.0, 0.0)) == 0


def test_next_to_powers_of_two_is_decided(attack):
    powers = np.ldexp(1.0, np.arange(-1074, -10))
    assert attack("tgamma", np.concatenate([powers, -powers])) == 0
    assert attack("tgamma", next_to(np.ldexp(1.0, np.arange(-1074, -112)))) == 0


def test_a_piece_is_as_close_as_it_claims():
    x = np.concatenate([RNG.uniform(0.5, 4.0, COUNT), RNG.uniform(0.9, 2.1, COUNT), RNG.uniform(4.0, 16.0, COUNT)])
    exact = reference.enclose("lgamma", (x,), DOUBLE)[0]
    hi, lo = log_gamma.log_gamma_piece(np.zeros(x.size), x)
    assert (distance(hi, lo, exact) < gamma.error_above_zero(x, hi)).all()


def test_the_series_is_as_close_as_it_claims():
    x = np.concatenate([RNG.uniform(16.0, 32.0, COUNT), RNG.uniform(32.0, 190.0, COUNT)])
    exact = reference.enclose("lgamma", (x,), DOUBLE)[0]
    hi, lo = log_gamma.stirling(x, np.zeros(x.size), 1.0 / x, *logarithm.log_pair(x))
    assert (distance(hi, lo, exact) < 2.0**-74.6 * hi).all()


def test_the_sine_is_as_close_as_it_claims():
    r = np.concatenate([SIZES, RNG.uniform(0.45, 0.5, COUNT), [0.5, -0.5]])
    exact = reference.enclose("sinpi", (r,), DOUBLE)[0]
    hi, lo = times_pair(*log_gamma.sine(r), np.pi, 1.2246467991473532e-16)
    assert (distance(hi, lo, exact) < 2.0**-73.9 * np.abs(hi)).all()
    size = np.abs(r)
    hi, lo = trigonometric.sinpi_pair(size)
    assert (distance(np.copysign(hi, r), np.copysign(lo, r * lo), exact) < trigonometric.BOUND * hi).all()
