"""Accurate kernels where they are hard: seams of their reductions, zeros, poles, ends, and results that are exact.

Each case has arguments, and the number of them that a kernel may leave undecided, over all modes.
"""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from mpmath import mp

from clmath.kernels.accurate import (
    angles,
    error_function,
    exponential,
    hyperbolic,
    inverse_hyperbolic,
    log_gamma,
    logarithm,
    slopes,
    trigonometric,
)
from clmath.kernels.accurate import inverse_trigonometric as arcs
from tests.cases import for_each

pytestmark = pytest.mark.slow

RNG = np.random.default_rng(13)
COUNT = 1000
ANY = COUNT  # as many may be undecided as there are
ABOUT = np.arange(-3, 4)


def next_to(values, steps=ABOUT):
    """Each number with its neighbours up to a few places away, without 0."""
    values = np.asarray(values, np.float64)
    return (values[values != 0.0].view(np.int64)[:, None] + steps).ravel().view(np.float64)


def both(values):
    """The numbers and their opposites."""
    return np.concatenate([values, -values])


def signed(values):
    """The numbers with random signs."""
    return np.copysign(values, RNG.uniform(-1, 1, len(values)))


def sizes(low, high, count=COUNT):
    """Numbers of any size from 2^low to 2^high; most of those below 2^-1022 are subnormal."""
    return np.exp2(RNG.uniform(low, high, count))


def within(low, high):
    return RNG.uniform(low, high, COUNT)


SUBNORMAL = 2.0**-1074
WIDE, WIDER = np.arange(-50, 51), np.arange(-300, 301)

# exponential functions: halves of steps, where overflow and underflow begin, small arguments, other ways
POWERS = {"exp": np.log2(np.e), "exp2": 1.0, "exp10": np.log2(10.0), "expm1": np.log2(np.e)}
ENDS = np.array([1022.0, 1024.0, 1025.0, 1026.0, -1021.0, -1022.0, -1073.0, -1074.0, -1075.0, -1076.0, -1080.0])
WAYS = [exponential.TINY, exponential.EXPM1_TINY, -exponential.SATURATED, 2.0**-400, 400.0, 800.0, 1200.0]
HALVES = (np.arange(600) + 0.5) * (np.log(2.0) / 512)
EXPONENTIALS = [
    *(
        case
        for name, factor in POWERS.items()
        for case in (
            (name, next_to((np.arange(-700, 700, 3) + 0.5) / (256 * factor)), 8),
            (name, (ENDS[:, None] + np.linspace(-1.0, 1.0, 100)).ravel() / factor, 2),
            (name, next_to(ENDS / factor), 2),
            (name, signed(sizes(-80, -5)), 8),
            (name, both(next_to(WAYS, WIDE)), 2),
            (name, within(-20.0, 20.0), 0),
        )
    ),
    ("expm1", within(-60.0, -20.0), 2),
    ("exp2", np.arange(-1200.0, 1200.0), 0),
    ("exp10", np.arange(-400.0, 400.0), 0),
    *(
        case
        for name in ("sinh", "cosh", "tanh")
        for case in (
            (name, both(next_to(HALVES[::2])), 8),  # tanh x takes the rest of 2x
            (name, signed(sizes(-40, -2)), 8),
            (name, within(-0.01, 0.01), 8),  # where e^x and e^-x cancel most
            (name, both(next_to([hyperbolic.TINY, hyperbolic.SATURATED, 2.0**-400, 35.0, 70.0, 800.0], WIDE)), 2),
        )
    ),
    *((name, both(next_to([710.4758600739439], WIDER)), 2) for name in ("sinh", "cosh")),
    *((name, within(709.0, 713.0), 4) for name in ("sinh", "cosh")),
    ("tanh", signed(within(15.0, 30.0)), 4),
]

# logarithms: edges of places, next to 1, subnormal numbers, exact results
EDGES = (logarithm.LOWEST + (np.arange(257) << 44)).view(np.float64)
GRID = (RNG.integers(-8000, 8000, COUNT) + RNG.choice([0.0, 0.5, -0.5], COUNT)) * 2.0**-22  # where m changes its head
SHORT = np.concatenate([np.arange(-1000, 1001) * 2.0**-52, np.ldexp(1.0, -np.arange(2, 52))])
LOGARITHMS = [
    *(
        case
        for name in ("log", "log2", "log10")
        for case in (
            *((name, next_to(EDGES * seam, [-1, 0, 1]), 2) for seam in (1.0, 2.0**-1030, 2.0**1000, 2.0**-1)),
            (name, 1.0 + GRID + RNG.integers(-3, 4, COUNT) * 2.0**-52, 20),
            (name, 1.0 + signed(sizes(-53, -1)), ANY),
            (name, sizes(-1074, -1021), 2),
            (name, np.arange(1, 500) * SUBNORMAL, 2),
            (name, np.arange(1.0, 1500.0), 0),
        )
    ),
    ("log2", np.ldexp(1.0, np.arange(-1074, 1024)), 0),
    ("log10", 10.0 ** np.arange(23), 0),
    ("log", 1.0 + both(SHORT), 0),
    ("log", next_to([1.0], WIDER), 0),
    ("log1p", both(SHORT), 0),
    ("log1p", both(next_to(np.ldexp(1.0, -np.arange(20, 62)), WIDE)), 0),
    ("log1p", next_to(EDGES - 1.0), 20),
    ("log1p", GRID * (1.0 + RNG.integers(-3, 4, COUNT) * 2.0**-52), 20),
    ("log1p", sizes(45, 60), 2),
    ("log1p", next_to(np.exp2([-27.0, -53.0, -60.0, -100.0]), WIDER), ANY),
    ("log1p", -1.0 + sizes(-53, -1), 2),
    *(
        case
        for name in ("asinh", "atanh")
        for case in (
            (name, signed(sizes(-110, -6)), 2),
            (name, signed(np.ldexp(RNG.integers(1, 100, COUNT), RNG.integers(-1074, -8, COUNT))), 2),
            (name, both(next_to([inverse_hyperbolic.TINY, 2.0**-60, inverse_hyperbolic.DECIDED], WIDE)), 2),
            (name, both(next_to([inverse_hyperbolic.SMALL], WIDE)), 2),
            (name, signed(inverse_hyperbolic.SMALL * within(0.5, 4.0)), 2),
        )
    ),
    ("acosh", 1.0 + np.arange(2 * COUNT) * 2.0**-52, 20),
    ("acosh", 1.0 + np.unique(np.ldexp(RNG.integers(1, 100, COUNT), RNG.integers(-52, -8, COUNT))), 20),
    ("acosh", 1.0 + sizes(-52, 0), ANY),
    ("acosh", 1.0 + inverse_hyperbolic.SMALL**2 * within(0.2, 2.0), 2),  # its sinh, s, is SMALL at 1 + s^2/2
    *(
        case
        for name in ("asinh", "acosh")
        for case in (
            (name, sizes(1, 1024), 2),
            (name, next_to([inverse_hyperbolic.LARGE, 2.0**1023, 2.0**27], WIDE), 2),
            (name, np.array([np.finfo(np.float64).max]), 0),
            (name, np.arange(0.0, 1500.0), 0),
        )
    ),
    ("atanh", signed(1.0 - sizes(-53, -1)), 2),
    ("atanh", both(1.0 - np.arange(1, 500) * 2.0**-53), 2),
    *(
        (name, np.concatenate([np.linspace(low, high, 577), within(low, high)]), 0)
        for name, low, high in (("asinh", -9.0, 9.0), ("acosh", 1.0, 9.0), ("atanh", -1.0, 1.0))
    ),
]

# angles: multiples of a quarter turn, halves of steps, other ways, exact results
RADIANS, TURNS = ("sin", "cos", "tan", "sincos"), ("sinpi", "cospi", "tanpi")
WAYS_OF_ANGLES = [angles.TINY, angles.TINY_TURNS, trigonometric.SMALL, angles.ORDINARY]
WAYS_OF_ANGLES += [trigonometric.ORDINARY_TURNS, 2.0**-1022]


def step_of(name):
    return np.pi / 1024 if name in RADIANS else 1 / 1024


ANGLES = [
    *(
        case
        for name in RADIANS + TURNS
        for case in (
            (name, both(next_to((np.arange(0, 1100, 3) + 0.5) * step_of(name), [-1, 0, 2])), 20),
            (name, within(-3.0, 3.0) * step_of(name), 8),
            (name, both(next_to(WAYS_OF_ANGLES, np.arange(-20, 21))), 4),
            (name, signed(sizes(-1074, -1020)), 2),
        )
    ),
    *((name, both(next_to(np.arange(1, 500) * (np.pi / 2), [-1, 0, 1])), 40) for name in RADIANS),
    *(
        case
        for name in TURNS
        for case in (
            (name, np.arange(-COUNT, COUNT) * 0.25, 4 if name != "tanpi" else 0),
            (name, both(next_to(np.arange(1, 300) * 0.25, [-2, -1, 1, 2])), 8),
            (name, both(next_to(np.ldexp(1.0, np.arange(39, 56)), np.arange(-60, 61, 2))), 4),
            (name, np.floor(within(0.0, 1.0) * 2.0**53), 0),
        )
    ),
]

# arcs: seams between tabulated slopes, next to 1, small and large arguments, exact angles
SLOPES, SIDES = ("atan", "atanpi"), ("asin", "acos", "asinpi", "acospi")
SEAMS = (np.arange(256) + 0.5) / 256.0  # slopes where the nearest tabulated one changes
THRESHOLDS = np.array([arcs.TINY, arcs.LINEAR, arcs.SMALL, slopes.SLIGHT, arcs.BESIDE, 2.0**-500])
BELOW_1 = 1.0 - np.arange(1, COUNT) * 2.0**-53
EXACT_SIDES = np.repeat([0.0, 0.5, 1.0, -0.5, -1.0, -0.0], 5)
EXACT_SLOPES = np.repeat([0.0, 1.0, np.inf, -1.0, -np.inf, -0.0], 5)
FEW = 6
ARCS = [
    *(
        case
        for name in SLOPES
        for case in (
            (name, both(next_to(SEAMS, [-1, 0, 1])), FEW),
            (name, both(next_to(1.0 / SEAMS, [-1, 0, 1])), FEW),
            (name, both(next_to(np.concatenate([THRESHOLDS, 1.0 / THRESHOLDS, [1.0]]))), FEW),
            (name, signed(sizes(25, 90)), FEW),
            (name, signed(sizes(90, 1023, 100)), FEW),
        )
    ),
    *(
        case
        for name in SIDES
        for case in (
            (name, both(next_to(np.sin(np.arctan(SEAMS)), [-1, 0, 1])), FEW),
            (name, both(next_to(np.cos(np.arctan(SEAMS)), [-1, 0, 1])), FEW),
            (name, both(next_to(THRESHOLDS)), FEW),
            (name, both(next_to([np.sqrt(0.5), 0.5], WIDER)), FEW),
            (name, both(BELOW_1), FEW),
            (name, signed(1.0 - sizes(-53, 0)), FEW),
            (name, both(next_to([1.0])), 0),
        )
    ),
    *(
        case
        for name in SLOPES + SIDES
        for case in (
            (name, signed(sizes(-75, -25)), FEW),
            (name, signed(sizes(-1074, -1010)), FEW),
            (name, np.arange(-300, 301) * SUBNORMAL, 0),
        )
    ),
    *((name, within(0.0018, 0.0021), FEW) for name in ("atan", "asin", "atanpi", "asinpi")),  # the first seam
    ("asinpi", EXACT_SIDES, 0),
    ("acospi", EXACT_SIDES, 0),
    ("atanpi", EXACT_SLOPES, 0),
]

# erf and erfc: ends of subintervals, small arguments, other code paths, saturation, smallest results
ERFC_PLACES = ((np.arange(154) + error_function.FIRST_PLACE) << 47).view(np.float64) - 1.0
PIECES = {"erf": (np.arange(102) + 0.5) / 16, "erfc": (ERFC_PLACES[1:] + ERFC_PLACES[:-1]) / 2}
ERROR_FUNCTIONS = [
    *(
        case
        for name, edges in PIECES.items()
        for case in (
            (name, both(next_to(edges)), 2),
            (name, both(next_to(edges[:2], WIDER)), 2),  # the first subinterval ends where the reduction is just exact
            (name, signed(sizes(-70, -3)), 2),
            (name, both(next_to([error_function.TINY, 2.0**-400, error_function.SATURATED, 28.0], WIDE)), 2),
            (name, both(next_to([error_function.TOP, 27.2261], WIDE)), 2),
            (name, signed(within(5.0, 7.0)), 2),
        )
    ),
    ("erf", np.arange(-500, 500) * SUBNORMAL, 0),
    ("erf", sizes(-1074, -1015), 2),
    ("erfc", within(25.8, 27.5), 2),
    ("erfc", next_to([26.543258454250363, 26.55, 27.226], WIDE), 2),
]

# gamma functions: ends of subintervals, seams, poles, zeros, exact results
EDGES_OF_GAMMA = np.ldexp(1.0 + np.arange(33) / 32.0, np.arange(-1, 5)[:, None]).ravel()
SEAMS_OF_GAMMA = [0.5, 4.0, 15.0, 15.9, 16.0, 171.6, 175.0, 14.9, 31.0, 63.0, 127.0, 170.5, 185.0, 2.0**51, 2.0**52]
SEAMS_OF_GAMMA += np.ldexp(1.0, [-30, -60, -110, -200, 300, 1013, 1014]).tolist()
TINY_POWERS = np.ldexp(1.0, np.arange(-1074, -10))
GAMMA = [
    *(
        case
        for name in ("tgamma", "lgamma")
        for case in (
            (
                name,
                next_to(np.concatenate([EDGES_OF_GAMMA, EDGES_OF_GAMMA - 1.0, 1.0 - EDGES_OF_GAMMA]), [-1, 0, 1]),
                2,
            ),
            (name, both(next_to(SEAMS_OF_GAMMA, np.arange(-60, 61, 4))), ANY),
            (name, -np.floor(sizes(0, 8)) + signed(sizes(-52, -1)), 20),  # close to poles
            (name, signed(sizes(-52, -1)), 4),
            (name, -(np.ldexp(1.0, RNG.integers(1, 9, COUNT)) - RNG.random(COUNT)), 4),  # where 1 - x is inexact
        )
    ),
    *(("tgamma", within(*ends), 4) for ends in ((-186.0, -165.0), (165.0, 172.0), (-30.0, 30.0), (-1e-9, 1e-9))),
    *(("lgamma", within(*ends), 4) for ends in ((0.0, 100.0), (0.9, 1.1), (1.9, 2.1), (-300.0, 0.0), (-1e17, 1e17))),
    ("lgamma", np.concatenate([1.0 + signed(sizes(-54, -3)), 2.0 + signed(sizes(-54, -3))]), ANY),
    ("lgamma", sizes(50, 1024), 2),
    ("lgamma", next_to([2.5563481638716906e305], WIDE), 2),
    ("tgamma", np.concatenate([np.arange(1.0, 172.0), np.arange(-500.0, 0.0)]), 0),
    ("lgamma", np.concatenate([np.arange(1.0, 1500.0), np.arange(-500.0, 0.0)]), 1),
    ("tgamma", both(TINY_POWERS), 0),
    ("tgamma", next_to(np.ldexp(1.0, np.arange(-1074, -112, 3))), 0),
]

CASES = EXPONENTIALS + LOGARITHMS + ANGLES + ARCS + ERROR_FUNCTIONS + GAMMA


@pytest.mark.parametrize("name", sorted({name for name, *_ in CASES}))
def test_arguments_where_a_kernel_is_hard(name, attack):
    for number, (_, x, most) in enumerate(case for case in CASES if case[0] == name):
        left = attack(name, x)
        assert left <= most, f"case {number} of {name}, {x[:3]} ..: {left} are undecided"


# pairs of arguments


@for_each("name", ["atan2", "atan2pi"])
def test_directions_where_a_kernel_is_hard(name, attack):
    """At seams; quotients from 2^-2100 to 2^2100, results that underflow, angles next to the axes."""
    for sign in (1.0, -1.0):
        x = RNG.uniform(1.0, 2.0, 256) * sign
        for step in (-2, -1, 0, 1, 2):
            y = ((np.abs(x) * SEAMS).view(np.int64) + step).view(np.float64)
            assert attack(name, y, x) <= FEW
            assert attack(name, x, -y) <= FEW
    assert attack(name, signed(sizes(-1074, 1023)), signed(sizes(-1074, 1023))) <= FEW
    x = signed(sizes(-20, 20))
    for low, high in [(-1074, -1020), (-90, -50), (-45, -25)]:
        assert attack(name, x * signed(sizes(low, high)), x) <= FEW
        assert attack(name, x, x * signed(sizes(low, high))) <= FEW
    assert attack(name, signed(sizes(-1074, -1010)), signed(sizes(-1074, -1010))) <= FEW
    assert attack(name, signed(sizes(900, 1023)), signed(sizes(-80, 80))) <= FEW
    assert attack(name, signed(sizes(-60, 20)), signed(sizes(1000, 1023))) <= FEW


def test_small_quotients_that_are_doubles_or_next_to_them(attack):
    """They are the angle and a little: neither the quotient nor midpoints between subnormal numbers are far."""
    whole, quotient = RNG.integers(1, 1000, COUNT) * 1.0, RNG.integers(1, 2**20, COUNT) * 1.0
    for scale in (2.0**-60, 2.0**-200, 2.0**-1020, SUBNORMAL):
        assert attack("atan2", whole * quotient * scale, signed(whole)) == 0
    assert attack("atan2", RNG.integers(1, 64, COUNT) * SUBNORMAL, 2.0 ** RNG.integers(-8, 8, COUNT)) == 0
    x = 1.0 + RNG.integers(-300, 300, COUNT) * 2.0**-52
    for scale in (2.0**-35, 2.0**-50, 2.0**-70, 2.0**-300):
        assert attack("atan2", RNG.integers(1, 9, COUNT) * scale, x) <= COUNT // 200


def test_directions_that_are_exact_in_half_turns(attack):
    size = sizes(-1074, 1023, 100)
    for y in (1.0, -1.0):
        for x in (1.0, -1.0):
            assert attack("atan2pi", size * y, size * x) == 0
    for y, x in [(0.0, 1.0), (-0.0, -1.0), (1.0, 0.0), (-1.0, -0.0)]:
        assert attack("atan2pi", size * y, size * x) == 0


# next to numbers that are not doubles


def closest_to_a_multiple(e):
    """The double m 2^e, m < 2^53, closest to a multiple of pi/2: m is the denominator of a convergent."""
    rest = mp.ldexp(2 / mp.pi, e)
    last, m = 0, 1
    while True:
        rest = 1 / mp.frac(rest)
        following = int(mp.floor(rest)) * m + last
        if following >= 2**53:
            return float(mp.ldexp(m, e))
        last, m = m, following


@pytest.fixture(scope="module")
def next_to_zeros_and_poles():
    """The doubles of exponents that lie closest to a multiple of pi/2, the closest of all among them."""
    with mpmath.workprec(1300):
        return np.unique([closest_to_a_multiple(e) for e in [*range(-52, 971, 9), 797]])


@for_each("name", RADIANS)
def test_angles_closest_to_zeros_and_poles(name, attack, next_to_zeros_and_poles):
    """Where an enclosure by three words of 1024/pi is too wide."""
    assert attack(name, both(next_to(next_to_zeros_and_poles, [-1, 0, 1]))) <= 40


def zero_next_to(pole, side):
    """Where |gamma(x)| = 1 on that ``side`` of ``pole``: in the logarithm of the distance next to a straight line."""

    def log_of_gamma(u):
        return mp.log(abs(mp.gamma(side * mp.exp(u) + pole)))

    with mpmath.workprec(300):
        return side * mp.exp(mp.findroot(log_of_gamma, -mp.loggamma(1 - pole))) + pole


ZEROS = [(pole, side) for pole in range(-2, -19, -1) for side in (1, -1) if (pole, side) != (-2, 1)]


def test_zeros_of_lgamma(attack):
    """They are where mpmath finds them; at every distance from the doubles next to them on results are right."""
    zeros = [float(zero_next_to(*place)) for place in ZEROS]
    assert log_gamma.ZERO.tolist() == zeros[: log_gamma.ZEROS]
    assert (np.abs(log_gamma.ZERO_OFF) / 4 >= log_gamma.ZERO_REACH).all()
    for zero in zeros[::3]:
        far = zero + signed(sizes(-50, -7, 200))
        assert attack("lgamma", np.unique(np.concatenate([next_to([zero], np.arange(-60, 61)), far]))) <= 3
