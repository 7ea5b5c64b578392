"""Second functions of double's gamma functions: parts receive the values that they are proven for."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.kernels.accurate import gamma
from tests.proofs.proofs_of import parts_of


def ordinary(draw, count):
    """Ordinary arguments, including some next to poles."""
    numbers = np.random.default_rng(draw.getrandbits(32))
    whole = np.repeat(np.arange(-14.0, 16.0), 8)
    near = whole + np.exp2(numbers.uniform(-40, -4, whole.size)) * numbers.choice([-1.0, 1.0], whole.size)
    x = np.concatenate([numbers.uniform(-14.9, 15.9, count), near])
    return x[gamma.is_ordinary_tgamma(x)]


def test_subintervals_of_tgamma_contain_every_argument(draw):
    """Ordinary and small ones, and all doubles where factorials are sought."""
    pieces = {name: list(part.pieces()) for name, part in parts_of("accurate", "tgamma").items()}

    def has(part, at):
        return any(low <= at <= high for _, low, high in pieces[part])

    tried = [*ordinary(draw, 200), -14.5, 0.5, -0.5, math.nextafter(15.9, 0.0)]
    assert all(has("links, ordinary", x) and has("values, ordinary", x) for x in tried)
    small = [draw.uniform(1.0, 2.0) * 2.0**n for n in range(-110, -31)] + [2.0**-110, 2.0**-30]
    assert all(has("small, far", sign / x) for x in small for sign in (1.0, -1.0))
    sizes = [draw.uniform(1.0, 2.0) * 2.0**n for n in range(-1074, 1023)]
    sizes += [0.0, 5e-324, 1e308, sys.float_info.max, *(math.nextafter(n, 0.0) for n in range(1, 25))]
    for x in (*sizes, *(-size for size in sizes)):
        assert has("integers", x) or has("others", x)


def test_factorials_are_exact_up_to_the_last_double(draw):
    """No factorial beyond the last is a double; the neighbours of every x have an error bound above zero."""
    assert all(math.factorial(n - 1) == float(math.factorial(n - 1)) for n in range(1, 24))
    assert math.factorial(23) != float(math.factorial(23))
    whole = np.arange(1.0, 27.0)
    x = np.concatenate([whole, np.nextafter(whole, 0.0), np.nextafter(whole, 99.0), whole + draw.random()])
    hi, lo, err, exponent = gamma.refined_tgamma(x, *gamma.tgamma(x))
    is_factorial = (x <= 23.0) & (x == np.rint(x))
    assert np.array_equal(err == 0.0, is_factorial)
    values = np.ldexp(hi, exponent)[is_factorial]
    assert values.tolist() == [math.factorial(int(n) - 1) for n in x[is_factorial]]
    assert not lo[is_factorial].any()
