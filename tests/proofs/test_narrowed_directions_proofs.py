"""Proofs of fine's atan2 and atan2pi: parts are given what they are proven for."""

from __future__ import annotations

import math

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from flint import arb

from clmath.kernels.fine import inverse_trigonometric as fine
from proofs.engine.models import Cell, precisely, upper
from proofs.families import narrowed_directions as proofs
from proofs.families import narrowed_turns
from tests.cases import for_each
from tests.proofs import concrete
from tests.proofs.proofs_of import fine_parts, told

KERNELS = proofs.NAMES
EXACTLY = gmpy2.context(precision=2500, emin=-9000, emax=9000)


def family_of(name):
    return fine_parts(name)["missed"].family


def unit(name):
    """That of results, in radians."""
    return gmpy2.const_pi() if name.endswith("pi") else gmpy2.mpfr(1)


def arguments(rng, count):
    """Directions of all kinds: of all angles, close to axes and diagonals, and of all lengths, subnormal ones too."""
    angles = rng.uniform(-math.pi, math.pi, count)
    steps = rng.integers(-2048, 2049, count) * (math.pi / 2048)
    apart = rng.choice((-1.0, 1.0), count) * np.exp2(rng.uniform(-60.0, -1.0, count))
    turns = np.concatenate([angles, steps, rng.integers(-4, 5, count) * (math.pi / 4) + apart])
    y, x = np.sin(turns), np.cos(turns)
    scale = np.exp2(rng.integers(-1060, 1000, turns.size))
    small = np.exp2(rng.uniform(-1070.0, 1000.0, (2, count))) * rng.choice((-1.0, 1.0), (2, count))
    axes = np.array([[1.0, 0.0], [-1.0, 0.0], [1.0, 1.0], [-5e-324, 5e-324], [5e-324, -1.0], [2.0**-30, -1.0]]).T
    return np.concatenate([y, y * scale, small[0], axes[0]]), np.concatenate([x, x * scale, small[1], axes[1]])


def values_of(name, y, x):
    """All values of the trace, told what the double kernel gives; and that."""
    given = told(name, y, x)
    return concrete.values(family_of(name).traced, y, x, *given), given


def exactly(name, y, x):
    """The value."""
    return gmpy2.atan2(gmpy2.mpfr(float(y)), gmpy2.mpfr(float(x))) / unit(name)


def usual(told):
    """Where the step is to be proven."""
    return np.flatnonzero((told[2] > 0.0) & (np.abs(told[0]) >= fine.LEAST) & (told[3] == 0)).tolist()


@pytest.mark.slow
@for_each("name", KERNELS)
def test_each_part_is_given_values_that_the_one_before_leaves(name, rng):
    """For directions of all kinds, by MPFR; each is in a piece of each part that speaks of it."""
    y, x = arguments(rng, 30)
    parts, family = fine_parts(name), family_of(name)
    pieces = {part: list(one.pieces()) for part, one in parts.items()}
    values, told = values_of(name, y, x)
    hi, lo, err, _ = told

    def has(part, at, which=None):
        return any((which is None or of == which) and low <= at <= high for of, low, high in pieces[part])

    for i in usual(told):
        n, size = int(values[family.n][i]), abs(float(hi[i]))
        sine, sine_lo = (float(values[number][i]) for number in family.tails[:2])
        v, u, missed, error, slope = (
            values[number][i].item() for number in (family.v, family.u, family.missed, family.error, family.slope)
        )
        beside, beside_lo = family.beside_at(n)
        assert abs(lo[i]) <= size * 2.0**-53
        assert abs(sine_lo) <= abs(sine) * narrowed_turns._SINE_LO + beside_lo
        assert 1.0 <= max(abs(v), abs(u)) < 2.0
        assert 0.99 <= slope <= 2.99
        assert has("missed", sine, (n, abs(v) > abs(u))) or has("missed", sine, (n, abs(v) >= abs(u)))
        assert has("sums", float(hi[i]))
        with EXACTLY:
            t = gmpy2.mpfr(float(hi[i])) + gmpy2.mpfr(float(lo[i]))
            d = exactly(name, y[i], x[i]) - t
            assert abs(d) <= err[i] <= proofs.TOLD * size
            off = gmpy2.mpfr(sine) + gmpy2.mpfr(sine_lo) - gmpy2.sin(t * unit(name) - n * gmpy2.const_pi() / 1024)
            assert abs(off) <= narrowed_turns._SINE_OFF * abs(sine) + beside
            along = gmpy2.atan2(gmpy2.mpfr(v), gmpy2.mpfr(u)) / unit(name)
            assert abs(along - exactly(name, y[i], x[i])) <= 2.0**-198
            left = gmpy2.mpfr(missed) - d * unit(name) * gmpy2.mpfr(slope)
            assert abs(left) <= error + proofs.SHARE * size * slope * float(unit(name))
            step = gmpy2.mpfr(float(values[family.step][i]))
            assert abs(step - d) <= values[family.change][i] + proofs.SHARE * size
    assert values[family.own.taken].mean() > 0.4


def test_products_with_what_is_wide_are_terms():
    """(1.5 + a)(1 + b) (1 - b) with wide a is 1.5 + a, but for b^2; without, it is known to a b alone."""
    precisely()
    for is_wide in (True, False):
        cell = Cell(arb(-1), arb(1))
        a, b = cell.unknown(0.5), cell.unknown(2.0**-60)
        cell.wide |= set(a.terms) if is_wide else set()
        one, length = cell.constant(1), cell.constant(1.5) + a
        left = length * (one + b) - length - length * b
        assert (upper(left.range()) < 2.0**-100) is is_wide


# faults
