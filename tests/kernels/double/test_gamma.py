"""tgamma and lgamma of double: poles, zeros, factorials, seams of the reductions, the bounds of their parts."""

import mpmath
import numpy as np
from mpmath import mp, mpf

from clmath import reference
from clmath.kernels.double import gamma, log_gamma, logarithm, trigonometric
from clmath.kernels.double.pairs import times_pair
from clmath.numbers.formats import DOUBLE

RNG = np.random.default_rng(11)
COUNT = 8000
SIZES = np.copysign(np.exp2(RNG.uniform(-52, -1, COUNT)), RNG.uniform(-1, 1, COUNT))


def distance(hi, lo, exact):
    """How far hi + lo lies from the exact value."""
    scale = np.ldexp(1.0, exact.exponent.astype(np.int32))
    return np.abs((exact.hi * scale - hi) + (exact.lo * scale - lo))


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
