"""Arc functions of double: seams of the reduction, zeros and ends, quotients of every size, exact angles, bounds."""

from fractions import Fraction

import numpy as np
import pytest

from clmath.kernels.double import inverse_trigonometric as arcs
from tests.cases import for_each

RNG = np.random.default_rng(10)
COUNT = 5000
FEW = 6  # lanes left undecided, of thousands: an odd function leaves two at a time
ABOUT = np.arange(-3, 4)
OF_A_SLOPE, OF_A_SIDE = ("atan", "atanpi"), ("asin", "acos", "asinpi", "acospi")
SEAMS = (np.arange(256) + 0.5) / 256.0  # slopes where the nearest tabulated one changes
THRESHOLDS = np.array([arcs.TINY, arcs.LINEAR, arcs.SMALL, arcs.SLIGHT, arcs.BESIDE, 2.0**-500])
BELOW_1 = 1.0 - np.arange(1, COUNT) * 2.0**-53


def next_to(values, steps=ABOUT):
    """Each number with those a few places from it, both signs."""
    points = np.asarray(values, np.float64)
    near = (points.view(np.int64)[:, None] + steps).ravel().view(np.float64)
    return np.concatenate([near, -near])


def either_sign(magnitudes):
    return np.copysign(magnitudes, RNG.uniform(-1.0, 1.0, len(magnitudes)))


def powers(low, high, count=COUNT):
    """Numbers of either sign and any size from 2^low to 2^high; most of those below 2^-1022 are subnormal."""
    return either_sign(np.exp2(RNG.uniform(low, high, count)))


@pytest.mark.parametrize("name", OF_A_SLOPE)
def test_slopes_at_seams(name, attack):
    assert attack(name, next_to(SEAMS)) <= FEW
    assert attack(name, next_to(1.0 / SEAMS)) <= FEW
    assert attack(name, next_to(np.concatenate([THRESHOLDS, 1.0 / THRESHOLDS, [1.0]]))) <= FEW


@pytest.mark.parametrize("name", OF_A_SIDE)
def test_sides_at_seams(name, attack):
    assert attack(name, next_to(np.sin(np.arctan(SEAMS)))) <= FEW
    assert attack(name, next_to(np.cos(np.arctan(SEAMS)))) <= FEW
    assert attack(name, next_to(THRESHOLDS)) <= FEW
    assert attack(name, next_to([np.sqrt(0.5), 0.5], np.arange(-300, 301))) <= FEW


@pytest.mark.parametrize("name", OF_A_SIDE)
def test_sides_next_to_1(name, attack):
    """There acos is as accurate as elsewhere, next to its zero."""
    assert attack(name, np.concatenate([BELOW_1, -BELOW_1])) <= FEW
    assert attack(name, either_sign(1.0 - np.exp2(RNG.uniform(-53.0, 0.0, COUNT)))) <= FEW
    assert attack(name, next_to([1.0])) == 0


@for_each("name", OF_A_SLOPE + OF_A_SIDE)
def test_small_arguments(name, attack):
    assert attack(name, powers(-75, -25)) <= FEW
    assert attack(name, powers(-1074, -1010)) <= FEW
    assert attack(name, np.arange(-1000, 1001) * 2.0**-1074) == 0


@pytest.mark.parametrize("name", ["atan", "asin", "atanpi", "asinpi"])
def test_where_the_polynomial_weighs_most(name, attack):
    """Next to the first seam what lies between tabulated angles is the whole angle, or as large."""
    assert attack(name, RNG.uniform(0.0018, 0.0021, COUNT)) <= FEW


@pytest.mark.parametrize("name", OF_A_SLOPE)
def test_large_slopes(name, attack):
    assert attack(name, powers(25, 90)) <= FEW
    assert attack(name, powers(90, 1023, 500)) <= FEW


@pytest.mark.parametrize("name", ["atan2", "atan2pi"])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_directions_at_seams(name, sign, attack):
    x = RNG.uniform(1.0, 2.0, 256) * sign
    y = np.abs(x) * SEAMS
    for step in range(-2, 3):
        y_near = (y.view(np.int64) + step).view(np.float64)
        assert attack(name, y_near, x) <= FEW
        assert attack(name, x, -y_near) <= FEW


@pytest.mark.parametrize("name", ["atan2", "atan2pi"])
def test_quotients_of_every_size(name, attack):
    """From 2^-2100 to 2^2100; results that are subnormal, that underflow, and angles next to the axes."""
    assert attack(name, powers(-1074, 1023), powers(-1074, 1023)) <= FEW
    x = powers(-20, 20)
    for low, high in [(-1074, -1020), (-90, -50), (-45, -25)]:
        assert attack(name, x * powers(low, high), x) <= FEW
        assert attack(name, x, x * powers(low, high)) <= FEW
    assert attack(name, powers(-1074, -1010), powers(-1074, -1010)) <= FEW
    assert attack(name, powers(900, 1023), powers(-80, 80)) <= FEW
    assert attack(name, powers(-60, 20), powers(1000, 1023)) <= FEW


def test_small_quotients_that_are_doubles_are_decided(attack):
    """They are the angle and a little: neither the quotient nor midpoints between subnormal numbers are far."""
    whole, quotient = RNG.integers(1, 1000, COUNT) * 1.0, RNG.integers(1, 2**20, COUNT) * 1.0
    for scale in (2.0**-60, 2.0**-200, 2.0**-1020, 2.0**-1074):
        assert attack("atan2", whole * quotient * scale, either_sign(whole)) == 0
    tiny = RNG.integers(1, 64, COUNT) * 2.0**-1074
    assert attack("atan2", tiny, 2.0 ** RNG.integers(-8, 8, COUNT)) == 0


def test_small_quotients_next_to_doubles_are_decided(attack):
    x = 1.0 + RNG.integers(-300, 300, COUNT) * 2.0**-52
    for scale in (2.0**-35, 2.0**-50, 2.0**-70, 2.0**-300):
        assert attack("atan2", RNG.integers(1, 9, COUNT) * scale, x) <= COUNT // 200


def test_angles_that_are_exact_in_half_turns(attack):
    sides = np.repeat([0.0, 0.5, 1.0, -0.5, -1.0, -0.0], 50)
    slopes = np.repeat([0.0, 1.0, np.inf, -1.0, -np.inf, -0.0], 50)
    assert attack("asinpi", sides) == attack("acospi", sides) == attack("atanpi", slopes) == 0
    size = np.abs(powers(-1074, 1023, 500))
    for y, x in [
        (1.0, 1.0),
        (1.0, -1.0),
        (-1.0, 1.0),
        (-1.0, -1.0),
        (0.0, 1.0),
        (-0.0, -1.0),
        (1.0, 0.0),
        (-1.0, -0.0),
    ]:
        assert attack("atan2pi", size * y, size * x) == 0


@for_each(
    ("name", "args", "angle"),
    [
        ("asinpi", (1.0,), 0.5),
        ("acospi", (-1.0,), 1.0),
        ("acospi", (0.0,), 0.5),
        ("acos", (1.0,), 0.0),
        ("atanpi", (-1.0,), -0.25),
        ("atan2pi", (-3.0, -3.0), -0.75),
        ("atan2pi", (-np.inf, 1.0), -0.5),
    ],
)
def test_exact_angles_have_no_error(name, args, angle):
    hi, lo, err, _ = getattr(arcs, name)(*(np.array([a]) for a in args))
    assert (hi[0], lo[0], err[0]) == (angle, 0.0, 0.0)


def sides():
    """(a, b, c, j), a/b next to j/256 or at a seam or anywhere, from 0 to 1."""
    b = RNG.uniform(1.0, 2.0, COUNT)
    slopes = [RNG.integers(0, 257, COUNT) / 256.0, RNG.choice(SEAMS, COUNT), np.exp2(RNG.uniform(-79, 0, COUNT))]
    a = np.concatenate([np.minimum(slope * b, b) for slope in slopes])
    b = np.tile(b, len(slopes))
    return a, b, *arcs.near_slope(a, b)


def test_the_reduction_is_exact_before_it_divides():
    a, b, c, j = sides()
    n, (d, d_lo) = arcs.difference(a, b, c), arcs.total(a, b, c)
    t, t_lo = arcs.ratio(n, 0.0, d, d_lo)
    assert j.min() == 0
    assert j.max() == 256
    for i in range(len(a)):
        x, y, z = Fraction(a[i]), Fraction(b[i]), Fraction(c[i])
        assert abs(x / y - z) <= Fraction(1, 512) + Fraction(1, 2**53)
        assert Fraction(n[i]) == x - z * y
        assert Fraction(d[i]) + Fraction(d_lo[i]) == y + z * x
        exact = (x - z * y) / (y + z * x)
        assert abs(Fraction(t[i]) + Fraction(t_lo[i]) - exact) <= abs(exact) / 2**75


def test_the_other_side_is_as_close_as_it_claims():
    a = np.concatenate([RNG.uniform(0.0, 1.0, COUNT), BELOW_1, [0.0, 1.0, 0.5, np.sqrt(0.5)]])
    s, s_lo = arcs.cosine(a)
    for i in range(len(a)):
        square = 1 - Fraction(a[i]) ** 2
        assert abs((Fraction(s[i]) + Fraction(s_lo[i])) ** 2 - square) <= 2 * square / 2**100
