"""Proofs of double's cbrt and hypot: parts are given what they are proven for."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

pytest.importorskip("flint")

from proofs.families import double_roots as proofs
from tests.proofs import concrete
from tests.proofs.proofs_of import double_parts


def numbers(rng, count):
    """Positive doubles of all sizes, and next to the ends of binades and of the table's places."""
    sizes = np.exp2(rng.uniform(-1074.0, 1023.9, count))
    near = np.ldexp(1.0 + rng.integers(0, 129, count) / 128.0, rng.integers(-1000, 1000, count))
    near = np.concatenate([near, np.nextafter(near, 0.0), np.nextafter(near, np.inf)])
    return np.concatenate([sizes, near, rng.uniform(1.0, 8.0, count)])


def arguments(name, rng, count):
    x = numbers(rng, count)
    x *= rng.choice([-1.0, 1.0], x.size)
    if name == "cbrt":
        return (x,)
    return x, np.ldexp(rng.uniform(1.0, 2.0, x.size), np.frexp(x)[1] - rng.integers(-3, 34, x.size))


def fraction(x):
    return Fraction(float(x))


def test_legs_are_those_that_are_proven():
    """Legs are a 2^n and b 2^n; squares, and their sum, are exact, and their parts as large as said."""
    family = double_parts("hypot")["root"].family
    x, y = arguments("hypot", np.random.default_rng(8), 400)
    found = concrete.values(family.traced, x, y)
    at = {name: found[number] for name, number in family.at.items()}
    for i in np.flatnonzero(~at["slight"] & ~at["special"]):
        a, b, p, p_lo, q, q_lo, t, rest = (
            fraction(at[name][i]) for name in ("a", "b", "p", "p_lo", "q", "q_lo", "t", "rest")
        )
        scale = Fraction(2) ** int(at["n"][i])
        assert sorted([a * scale, b * scale]) == sorted([abs(fraction(x[i])), abs(fraction(y[i]))])
        assert (p + p_lo, q + q_lo, t + rest) == (a * a, b * b, p + q)
        assert 1 <= a < 2
        assert b <= a
        assert 1 <= t <= 8
        assert max(abs(p_lo), abs(q_lo)) <= proofs._SQUARE_REST
        assert abs(rest) <= proofs._REST


def test_parts_of_roots_are_those_that_are_proven():
    """The powers of two, the parts of y, the products, and what m - y^3 is computed for."""
    family = double_parts("cbrt")["root"].family
    (x,) = arguments("cbrt", np.random.default_rng(9), 400)
    found = concrete.values(family.traced, x)
    at = {name: found[number] for name, number in family.at.items()}
    for i in range(x.size):
        m, h, l, y, second, third, missed = (
            fraction(at[name][i]) for name in ("m", "h", "l", "y", "second", "third", "missed")
        )
        assert abs(fraction(x[i])) == m * Fraction(8) ** int(at["exponent"][i])
        assert 1 <= m < 8
        assert y == h + l
        assert (second, abs(second) <= proofs._SECOND) == (3 * h * h * l, True)
        assert abs(third - l * l * (3 * h + l)) <= proofs._OFF_THIRD
        assert abs(m - y**3) <= proofs._MISSED
        assert abs(missed - (m - y**3)) <= proofs._ROUNDED
        assert 1 + Fraction(int(at["j"][i]), 128) <= fraction(at["v"][i]) < 1 + Fraction(int(at["j"][i]) + 1, 128)
