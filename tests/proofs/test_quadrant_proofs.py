"""Proofs of double's atan2 and atan2pi: parts are given what they are proven for."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

pytest.importorskip("flint")

from proofs.families import quadrants
from tests.cases import for_each
from tests.proofs import concrete

KERNELS = ("atan2", "atan2pi")


@pytest.fixture(scope="module")
def parts():
    """The parts of both proofs."""
    return {name: {part.name: part for part in quadrants.double_parts(name)} for name in KERNELS}


def signed(rng, x):
    return x * rng.choice((-1.0, 1.0), x.size)


def arguments(rng, count=600):
    """Pairs of all sizes: quotients next to entries and between them, powers of two, subnormal numbers, the axes."""
    b = np.exp2(rng.uniform(-300.0, 300.0, count)) * rng.uniform(1.0, 2.0, count)
    steps = rng.integers(0, 513, count) / 512  # entries, and half way between
    near = b * steps * (1.0 + np.exp2(rng.uniform(-54.0, -8.0, count)) * rng.choice((-1.0, 0.0, 1.0), count))
    far = b * np.exp2(rng.uniform(-90.0, 0.0, count))
    with np.errstate(over="ignore"):
        any_x, any_y = (np.ldexp(rng.uniform(1.0, 2.0, count), rng.integers(-1074, 1024, count)) for _ in range(2))
    small = rng.integers(1, 1 << 52, (2, count)).view(np.float64)
    fixed = np.array([2.0**-1074, 2.0**-1022, 1.0, 1.5, 2.0 - 2.0**-52, 2.0**80, 2.0**-80, 2.0**1023, np.inf, 0.0])
    grid = np.meshgrid(fixed, fixed)
    y = np.concatenate([near, far, any_y, small[0], grid[0].ravel()])
    x = np.concatenate([b, b, any_x, small[1], grid[1].ravel()])
    swap = rng.random(y.size) < 0.5
    return signed(rng, np.where(swap, x, y)), signed(rng, np.where(swap, y, x))


def ordinary(family, y, x):
    """The pairs that are not special, and the values of the trace there."""
    values = concrete.values(family.traced, y, x)
    kept = ~np.any([values[number] for number in family.special], axis=0)
    return y[kept], x[kept], [value[kept] for value in values]


@for_each("name", KERNELS)
def test_values_are_as_parts_are_given_them(name, parts):
    """In exact fractions: the lengths, the entry, what is left of the quotient, and the piece."""
    family = parts[name]["angles"].family
    y, x, values = ordinary(family, *arguments(np.random.default_rng(31)))
    pieces = {}
    for which, low, high in parts[name]["angles"].pieces():
        pieces.setdefault(which, []).append((low, high))
    numbers = (family.a, family.b, family.j, family.octant, family.exponent, family.n, *family.d, *family.t)
    rows = zip(np.abs(y).tolist(), np.abs(x).tolist(), x.tolist(), *(values[n].tolist() for n in numbers), strict=True)
    for across, along, of_x, a, b, j, octant, exponent, n, d, d_lo, t, t_lo in rows:
        assert octant == int(across > along) + 2 * int(of_x < 0.0 or str(of_x) == "-0.0")
        small, large = sorted((across, along))
        exact_a, exact_b, c = Fraction(a), Fraction(b), Fraction(j, 256)
        assert 1.0 <= b < 2.0
        assert quadrants._LEAST * 2.0 <= a <= b
        if small > 0.0 and large < np.inf and (octant == 0 or a >= 2.0**-79):
            scale = Fraction(2) ** exponent if octant == 0 else 1
            assert exact_a / exact_b * scale == Fraction(small) / Fraction(large)
        assert abs(exact_a / exact_b - c) * 256 <= Fraction(quadrants._HALF)
        assert Fraction(n) == exact_a - c * exact_b
        assert Fraction(d) + Fraction(d_lo) == exact_b + c * exact_a
        assert abs(d_lo) <= quadrants._REST * d
        if n == 0.0:
            assert t == t_lo == 0.0
            continue
        exact = Fraction(n) / (Fraction(d) + Fraction(d_lo))
        both = Fraction(t) + Fraction(t_lo)
        assert abs(both - exact) <= Fraction(quadrants._OFF) * abs(Fraction(t))
        assert abs(t_lo) <= quadrants._TAIL * abs(t)
        assert 2.0 ** quadrants._EXPONENTS[0] <= abs(t) < 2.0 ** (quadrants._EXPONENTS[1] + 1)
        assert any(low <= both <= high for low, high in pieces[octant, j])
