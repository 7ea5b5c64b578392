"""Hard cases of double's powers and roots: exact results, midpoints, and values close to them."""

import numpy as np
import pytest

from clmath.kernels import ACCURATE
from clmath.numbers.formats import DOUBLE
from tests.cases import for_each

pytestmark = pytest.mark.slow

LEAST = 5e-324
COUNT = 1000
FEW = 4  # of a thousand arguments may lie within 2^-68 of a boundary for no reason


@pytest.fixture
def rng():
    return np.random.default_rng(10)


def grid(first, second):
    return tuple(g.ravel() for g in np.meshgrid(np.asarray(first, float), second))


def integers(*shape):
    return np.arange(*shape, dtype=np.int32)


class TestExactResultsAndMidpoints:
    """None is left to the reference."""

    @pytest.mark.parametrize("name", ["pow", "powr"])
    def test_powers_of_integers(self, name, attack):
        assert attack(name, *grid(np.arange(1, 100), np.arange(-8, 41, dtype=float))) == 0

    @pytest.mark.parametrize("name", ["pown", "rootn"])
    def test_integer_powers_and_roots_of_integers(self, name, attack):
        assert attack(name, *grid(np.arange(-99, 100), integers(-8, 41))) == 0

    @for_each("s", range(6))
    def test_powers_of_powers(self, s, attack):
        """(t^(2^s))^(n / 2^s) = t^n."""
        t = np.arange(2.0, 256.0)
        t = t[t ** (2**s) < 2.0**53]  # 2 and 3 where s = 5
        x, n = grid(t ** (2**s), np.arange(1, 36) / 2**s)
        assert attack("pow", x, n) == 0
        assert attack("powr", x * 2.0 ** -(10 * 2**s), n) == 0

    @pytest.mark.parametrize("name", ["pow", "powr"])
    def test_powers_of_powers_of_two(self, name, attack):
        assert attack(name, *grid(2.0 ** np.arange(-1074, 1024, 7), np.arange(-40, 41) / 32)) == 0

    def test_squares_and_square_roots_of_27_bits(self, rng, attack):
        t = np.append(rng.integers(1 << 25, 1 << 27, COUNT), (1 << 27) - 1).astype(float)
        assert attack("pown", t, np.full(t.size, 2, np.int32)) == 0
        assert attack("pow", t[t < 2**26] ** 2, np.full((t < 2**26).sum(), 0.5)) == 0

    def test_squares_of_56_to_58_bits_are_neither(self, rng, attack):
        t = 2.0 * rng.integers(94906266, 1 << 28, COUNT) + 1.0
        attack("pown", t, np.full(COUNT, 2, np.int32))
        attack("pow", t, np.full(COUNT, 2.0))

    @for_each("n", [2, 3, 4, 5, 7, 33])
    def test_roots_of_powers(self, rng, n, attack):
        t = rng.integers(1, int(2 ** (53 / n)), COUNT).astype(float)
        scale = 2.0 ** (n * rng.integers(-1000 // n, 900 // n, COUNT))
        assert attack("rootn", t**n * scale, np.full(COUNT, n, np.int32)) == 0

    def test_first_powers_and_roots(self, rng, attack):
        x = rng.integers(1, 0x7FF0 << 48, COUNT).view(np.float64)
        for name in ("pow", "pown", "rootn"):
            one = np.ones(COUNT, np.float64 if name == "pow" else np.int32)
            assert attack(name, x, one) == 0

    def test_cube_roots_of_cubes_and_of_their_neighbours(self, rng, attack):
        t = rng.integers(1, 208064, COUNT).astype(float)
        cubes = t**3 * 8.0 ** rng.integers(-300, 300, COUNT)
        for x in (cubes, np.nextafter(cubes, 0.0), np.nextafter(cubes, np.inf)):
            assert attack("cbrt", np.copysign(x, rng.uniform(-1, 1, COUNT))) == 0
        assert attack("cbrt", LEAST * np.arange(1, 1000)) == 0

    def test_inverse_square_roots_of_powers_of_two(self, attack):
        assert attack("rsqrt", 2.0 ** np.arange(-1074, 1024)) == 0

    def test_hypotenuses_of_integers(self, attack):
        assert attack("hypot", *grid(np.arange(150), np.arange(150.0))) == 0
        assert attack("hypot", *grid(LEAST * np.arange(100), LEAST * np.arange(100))) == 0

    def test_hypotenuses_that_are_midpoints(self, rng, attack):
        """Triples (p^2 - q^2, 2 p q, p^2 + q^2) with an odd sum of 54 bits."""
        p, q = rng.integers(1 << 26, 94906265, 3 * COUNT), rng.integers(1 << 24, 1 << 26, 3 * COUNT)
        q += (p + q + 1) % 2
        odd, even, long = np.abs(p * p - q * q), 2 * p * q, p * p + q * q
        midpoint = (long > 1 << 53) & (long < 1 << 54) & (odd < 1 << 53)
        assert midpoint.sum() > COUNT
        legs = odd[midpoint].astype(float), even[midpoint].astype(float)
        assert attack("hypot", *legs) == 0
        assert attack("hypot", np.nextafter(legs[0], 0.0), legs[1]) == 0
        _, lo, err, _ = ACCURATE.kernels["hypot"].refined(legs, ACCURATE.kernels["hypot"].function(*legs))
        assert not err.any()
        assert lo.all()

    def test_hypotenuses_next_to_boundaries(self, rng, attack):
        """Hypot of x and sqrt(c x ulp(x)) is within 2^-106 of x + c/2 ulp(x), also for scaled legs."""
        x = rng.uniform(1.0, 2.0, COUNT)
        for scale in (1.0, 2.0**-500, 2.0**900):
            for c in [*range(1, 17), 25, 2**20 + 1, 2**24]:
                y = np.sqrt(x * np.spacing(x) * c)
                assert attack("hypot", scale * x, scale * y) == 0
                assert attack("hypot", -scale * np.nextafter(y, 0.0), scale * x) == 0


class TestBesideThem:
    """Neighbours of powers of two, whose powers and roots are as close to a double or a midpoint as 2^-104."""

    @pytest.mark.parametrize("name", ["pow", "powr"])
    def test_slight_exponents(self, rng, name, attack):
        """x^y with y log x next to a multiple of 2^-54: the distance from a boundary is down to 2^-106."""
        x = np.exp2(rng.uniform(-500.0, 500.0, COUNT))
        for c in (0.5, 1.0, 1.5, 100.5, -0.25, -0.75, -4.0):
            assert attack(name, x, np.log1p(c * 2.0**-52) / np.log(x)) == 0

    @pytest.fixture
    def neighbours(self, rng):
        """(x, k) with x within 600 places of 2^k."""
        k = rng.integers(-900, 900, COUNT)
        return (1.0 + rng.integers(-600, 601, COUNT) * 2.0**-53) * 2.0**k, k

    def test_their_roots(self, neighbours, rng, attack):
        x, _ = neighbours
        assert attack("cbrt", x) == 0
        assert attack("rsqrt", x) == 0
        n = rng.choice(np.array([-8, -7, -4, -3, -2, -1, 1, 2, 3, 4, 6, 9, 64], np.int32), COUNT)
        assert attack("rootn", x, n) <= FEW

    def test_their_powers(self, neighbours, rng, attack):
        x, k = neighbours
        n = rng.choice(np.array([-3, -2, -1, 1, 2, 3, 4, 5, 6, 7], np.int32), COUNT)
        assert attack("pown", np.copysign(x, rng.uniform(-1, 1, COUNT)), n) <= FEW
        assert attack("pow", x, n * np.where(k % 4 == 0, 0.25, 1.0)) <= FEW

    def test_powers_of_neighbours_of_one(self, rng, attack):
        x = 1.0 + rng.integers(-600, 601, COUNT) * 2.0**-53
        assert attack("pow", x, rng.integers(-900, 901, COUNT) / 8) <= FEW

    @pytest.mark.parametrize("boundary", [0, 1 << 51])
    def test_cubes_that_lie_close_to_doubles_and_midpoints(self, boundary, attack):
        """Cubes of 1 + d with 3 d^2 + d^3 within 2^-70 of one, d^3 being more than that: no side must be guessed."""
        solved = np.sqrt((np.arange(1, 200) * 2.0**52 + boundary) / 3.0).astype(np.int64)
        j = (solved[:, None] + np.arange(-64, 65)).ravel()
        beyond = (3 * j * j + (j * (j * j * 2.0**-52)).astype(np.int64) - boundary) & ((1 << 52) - 1)
        x = 1.0 + j[np.minimum(beyond, (1 << 52) - beyond) < 1 << 34] * 2.0**-52
        assert x.size > 200
        attack("pown", x, np.full(x.size, 3, np.int32))
        attack("pow", x, np.full(x.size, 3.0))

    @pytest.mark.parametrize("span", [2.0**-40, 2.0**-20, 2.0**-3])
    def test_results_that_grow_from_near_one(self, rng, span, attack):
        """|y log2 x| from 2^-70 to 1100, with x as close to 1 as wanted and y as large."""
        x = 1.0 + rng.choice([-1, 1], COUNT) * rng.uniform(span / 8, span, COUNT)
        y = 2.0 ** rng.uniform(-70, 10, COUNT) / np.log2(x) * rng.choice([-1, 1], COUNT)
        for name in ("pow", "powr"):
            assert attack(name, x, y) <= FEW


class TestEnds:
    def test_powers_at_overflow_and_among_subnormals(self, rng, attack):
        t = np.concatenate([rng.uniform(1023, 1025, COUNT), rng.uniform(-1080, -1020, COUNT)])
        x = 2.0 ** rng.uniform(-300, 300, t.size)
        assert attack("pow", x, t / np.log2(x)) <= FEW
        n = rng.integers(1, 1000, t.size).astype(np.int32)
        with np.errstate(over="ignore"):
            base = 2.0 ** (t / n)
        assert attack("pown", np.where(np.isfinite(base) & (base > 0.0), base, 3.0), n) <= FEW

    def test_roots_of_everything(self, rng, attack):
        x = rng.integers(1, 0x7FF0 << 48, COUNT).view(np.float64)
        assert attack("cbrt", x) == attack("rsqrt", x) == 0
        n = rng.choice(np.array([-(2**31), -1, 2, 3, 2**31 - 1], np.int32), COUNT)
        assert attack("rootn", x, n) <= FEW

    def test_hypotenuses_of_subnormal_huge_and_unlike_legs(self, rng, attack):
        small = rng.integers(1, 1 << 53, COUNT).view(np.float64)
        huge = rng.uniform(0.25, 1.0, COUNT) * DOUBLE.largest
        assert attack("hypot", small, small[::-1].copy()) == attack("hypot", huge, huge[::-1].copy()) == 0
        for a in (small, huge, rng.uniform(1, 2, COUNT)):
            assert attack("hypot", a, a[::-1] * 2.0 ** -rng.integers(20, 40, COUNT)) == 0

    def test_special_values(self, attack):
        x = np.array([0, np.inf, np.nan, 1, 0.5, 2, 3, LEAST, DOUBLE.largest, 2.0**52 + 0.5, 2.0**53 - 1, 2.0**53])
        x = np.concatenate([x, -x, [-0.0, 1 - 2.0**-53, 1 + 2.0**-52, -1.5]])
        assert attack("cbrt", x) == attack("rsqrt", x) == 0
        for name in ("hypot", "pow", "powr"):
            assert attack(name, *grid(x, x)) == 0
        for name in ("pown", "rootn"):
            n = np.array([-(2**31), -3, -2, -1, 0, 1, 2, 3, 2**31 - 2, 2**31 - 1], np.int32)
            assert attack(name, *grid(x, n)) <= FEW
