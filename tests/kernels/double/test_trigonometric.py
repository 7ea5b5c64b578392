"""Trigonometric functions of double: reductions against exact ones, zeros, peaks, poles and seams."""

import mpmath
import numpy as np
import pytest
from mpmath import mp, mpf

from clmath.engines import choice
from clmath.kernels import DOUBLE as RUNG
from clmath.kernels.double import angles, trigonometric
from clmath.numbers.formats import DOUBLE
from clmath.numbers.rounding import MODES
from tests.cases import for_each

RNG = np.random.default_rng(13)
RADIANS = ("sin", "cos", "tan", "sincos")
TURNS = ("sinpi", "cospi", "tanpi")
HALF_STEP = np.pi / 2048


def test_one_bound_is_no_less_than_what_grows():
    """What certificates prove of values at the largest ``r``, a half step and a little."""
    square = (HALF_STEP * (1.0 + 2.0**-20)) ** 2
    for name, widest in (("", trigonometric.BOUND), ("TANGENT_", trigonometric.TANGENT_BOUND)):
        least, growth = (getattr(trigonometric, name + part) for part in ("LEAST", "GROWTH"))
        assert 0.95 * widest < least + growth * square < widest


def exact_steps(x):
    """``x`` 1024/pi, mod 2048."""
    return mp.fmod(mpf(float(x)) * 1024 / mp.pi, 2048)


def apart(a, b):
    """How far two counts of steps lie from each other on the circle."""
    distance = mp.fmod(abs(a - b), 2048)
    return min(distance, 2048 - distance)


def test_the_general_reduction_is_as_exact_as_it_says():
    x = np.copysign(np.exp2(RNG.uniform(-32, 1024, 500)), RNG.uniform(-1, 1, 500))
    r, r_lo, n, error = angles.reduced(x)
    with mpmath.workprec(1300):
        for value, high, low, whole in zip(x, r, r_lo, n, strict=True):
            assert abs(high) < 0.00154
            found = (mpf(float(high)) + mpf(float(low))) * 1024 / mp.pi + int(whole)
            assert apart(exact_steps(value), found) * mp.pi / 1024 < error + abs(high) * 2.0**-75


def test_the_ordinary_reduction_is_as_exact_as_it_says():
    near_zeros = np.arange(1, 4000) * (np.pi / 2)
    end = angles.ORDINARY
    sizes = [RNG.uniform(-end, end, 500), np.exp2(RNG.uniform(-32, 14, 500))]
    last_steps = np.floor(RNG.uniform(0.9, 1.0, 2000) * end * 1024 / np.pi) * (np.pi / 1024)  # r is tiny
    x = np.concatenate([*sizes, near_zeros[::13], last_steps])
    with mpmath.workprec(300):
        for value, r, r_lo, n in zip(x, *angles.reduced_ordinary(x)[:3], strict=True):
            distance = mpf(float(value)) - int(n) * mp.pi / 1024 - mpf(float(r)) - mpf(float(r_lo))
            assert abs(distance) < angles.REDUCTION_ORDINARY + abs(r) * 2.0**-105


@pytest.mark.parametrize("reduction", [angles.REDUCTION, angles.REDUCTION_ORDINARY])
def test_the_tangent_bears_what_the_reduction_misses_next_to_a_pole(reduction):
    for place in (10, 20, 40):
        with mpmath.workprec(300):
            angle = mp.pi / 2 - mpf(2) ** -place
            moved = abs(mp.tan(angle - reduction) - mp.tan(angle))
        r, n = trigonometric.steps_of_turns(np.array([0.5 - 2.0**-place / np.pi]))
        of_exact, of_reduced = (
            trigonometric.tangent_at(r * np.pi / 1024, np.zeros(1), n, error) for error in (0.0, reduction)
        )
        assert abs(of_exact[0][0] / mp.tan(angle) - 1) < 1e-3
        assert moved * 0.999 < of_reduced[2][0] - of_exact[2][0]


@pytest.mark.parametrize("name", ["sinpi", "cospi"])
def test_only_multiples_of_a_half_are_exact(name):
    x = np.arange(-20000, 20000) / 64
    _, lo, err, _ = RUNG.kernels[name].function(x)
    assert np.array_equal(err == 0.0, x * 2 == np.floor(x * 2))
    assert not lo[err == 0.0].any()


def test_only_multiples_of_a_quarter_are_exact_tangents():
    x = np.arange(-20000, 20000) / 64
    with np.errstate(divide="ignore", invalid="ignore"):
        _, lo, err, _ = RUNG.kernels["tanpi"].function(x)
    assert np.array_equal(err == 0.0, x * 4 == np.floor(x * 4))
    assert not lo[err == 0.0].any()


@for_each("name", RADIANS + TURNS)
def test_both_ways_give_the_same_results(name):
    """An argument that is not ordinary makes the whole chunk take the general way."""
    kernel = RUNG.kernels[name]
    ordinary = RNG.uniform(-100.0, 100.0, 500)
    ordinary[:3] = 0.0, -0.0, 1e-10
    mixed = np.concatenate([ordinary, [1e300]])
    assert kernel.ordinary_functions.holds(ordinary).all()
    for engine in choice.installed():
        for mode in MODES:
            found = [results(engine, kernel, mode, x) for x in (ordinary, mixed)]
            decided = found[0][1] & found[1][1][:-1]
            assert decided.sum() > 490
            for one, other in zip(found[0][0], found[1][0], strict=True):
                assert np.array_equal(one[decided], other[:-1][decided])


def results(engine, kernel, mode, x):
    """(encodings of each result, which lanes are decided)."""
    targets = [np.empty(x.shape) for _ in range(kernel.results)]
    with np.errstate(all="ignore"):
        left = engine.rounded(kernel, DOUBLE, mode, [x], targets)
    decided = np.ones(x.shape, bool)
    decided[left] = False
    return [DOUBLE.bits(target) for target in targets], decided
