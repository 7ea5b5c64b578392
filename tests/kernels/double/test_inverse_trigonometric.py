"""Arc functions of double: seams of the reduction, zeros and ends, quotients of every size, exact angles, bounds."""

from fractions import Fraction

import numpy as np

from clmath.kernels.double import inverse_trigonometric as arcs
from tests.cases import for_each

RNG = np.random.default_rng(10)
COUNT = 5000
SEAMS = (np.arange(256) + 0.5) / 256.0  # slopes where the nearest tabulated one changes
BELOW_1 = 1.0 - np.arange(1, COUNT) * 2.0**-53


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
