"""Remainders against Python's integers, for exponents that differ by up to two thousand."""

import math

import numpy as np

from clmath import phases
from clmath.engines import choice
from clmath.kernels import remainders
from clmath.numbers.formats import DOUBLE, FORMATS
from clmath.numbers.rounding import canonical
from tests.builtins import Case, assert_bits, inputs
from tests.cases import for_each


def pairs(form):
    """Arguments of all kinds, and exact multiples and halves of the divisor with neighbours."""
    rng = np.random.default_rng(1)
    (x, y), _ = inputs(Case("fmod", form))
    n = rng.integers(-700, 700, 3000) / 2.0
    divisor = np.ldexp(rng.integers(1, 64, 3000), rng.integers(form.emin // 2, form.emax // 4, 3000))
    multiple = (n * divisor).astype(form.dtype)
    near = np.nextafter(multiple, form.dtype.type(rng.choice([-1.0, 1.0]) * np.inf))
    divisor = divisor.astype(form.dtype)
    return np.concatenate([x, multiple, near]), np.concatenate([y, divisor, -divisor])


def expected(x, y):
    """fmod, remainder and remquo's quotient of two Python floats, by integers."""
    if x != x or y != y or math.isinf(x) or y == 0.0:
        return math.nan, math.nan, 0
    if math.isinf(y):
        return x, x, 0
    (n, d), (p, q) = abs(x).as_integer_ratio(), abs(y).as_integer_ratio()
    scale = max(d, q)
    k, rest = divmod(n * (scale // d), p * (scale // q))
    divisor = p * (scale // q)
    up = 2 * rest > divisor or (2 * rest == divisor and k % 2 == 1)
    sign = math.copysign(1.0, x)
    low = (k + up) % 128
    return sign * (rest / scale), sign * ((rest - up * divisor) / scale), low if (x < 0) == (y < 0) else -low


@np.errstate(all="ignore")
@for_each("form", FORMATS)
def test_all_three(form):
    x, y = pairs(form)
    want = [expected(a, b) for a, b in zip(map(float, x), map(float, y), strict=True)]
    modulus, rest = (np.array([w[i] for w in want]).astype(x.dtype) for i in (0, 1))
    quotient = np.array([w[2] for w in want], np.int32)
    for name, results in (("fmod", (modulus,)), ("remainder", (rest,)), ("remquo", (rest, quotient))):
        found = phases.by_step(name, form, "rtn", choice.PLAIN)([x, y])
        canonical(results[0], form)
        assert_bits(found, results, Case(name, form), "integers", (x, y))


def test_the_widest_gap():
    x = np.array([DOUBLE.largest, 1e308, -1e308, DOUBLE.largest])
    y = np.array([5e-324, 3e-300, 3e-300, np.nextafter(DOUBLE.smallest_normal, 1.0)])
    with np.errstate(all="ignore"):
        assert phases.by_step("fmod", DOUBLE, "rte", choice.PLAIN)([x, y])[0].tolist() == [
            math.fmod(a, b) for a, b in zip(x, y, strict=True)
        ]


def test_empty_blocks():
    for form in FORMATS:
        empty = np.empty(0, form.dtype)
        assert phases.by_step("fmod", form, "rte", choice.PLAIN)([empty, empty])[0].size == 0


def quotients_of_doubles():
    """Dividends next to multiples of a quarter of the divisor, up to 2^52 times as large as the divisor."""
    rng = np.random.default_rng(9)
    divisor = rng.integers(1 << 51, 1 << 53, 6000).astype(np.float64)
    divisor[::2] = rng.choice([1.0, 3.0, 2.0**52 - 1.0, 2.0**53 - 1.0, 2.0**52], 3000)
    divisor = np.ldexp(divisor, rng.choice([0, -900, -952, -953, 847, 848, 900], 6000))
    count = np.floor(np.exp2(rng.uniform(-2.0, 52.0, 6000)))
    x = (count + rng.choice([0.0, 0.5, 0.25, -0.5], 6000)) * divisor
    x = (x.view(np.int64) + rng.integers(-2, 3, 6000)).view(np.float64)
    return np.where(np.isfinite(x), x, 1.0) * rng.choice([-1.0, 1.0], 6000), divisor * rng.choice([-1.0, 1.0], 6000)


@np.errstate(all="ignore")
def test_one_quotient_gives_the_remainder_where_it_is_short():
    """Compare both methods, the near one where it applies, with integers."""
    x, y = quotients_of_doubles()
    near = remainders.is_near(x, y)
    short = np.abs(x) < np.abs(y) * 2.0**49
    inside = (np.abs(x) < 2.0**900) & (np.abs(y) > 2.0**-900) & (np.abs(y) < 2.0**900)
    assert near[short & inside].all()
    assert not near[np.abs(x) > np.abs(y) * 2.0**51].any()
    want = [expected(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)]
    fmod, rest, quotient = (np.array([w[i] for w in want]) for i in range(3))
    ways = (remainders.near_fmod, remainders.near_remquo), (remainders.fmod, remainders.remquo)
    for elements, (modulus, both) in zip((near, np.ones_like(near)), ways, strict=True):
        assert elements.sum() > 1000
        assert modulus(x[elements], y[elements]).tobytes() == fmod[elements].tobytes()
        found, low = both(x[elements], y[elements])
        assert found.tobytes() == rest[elements].tobytes()
        assert low.tolist() == quotient[elements].tolist()
