"""Proofs of sines, cosines and tangents in double: parts are given what they are proven for."""

from __future__ import annotations

import math

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from flint import arb

from clmath.kernels.double import angles
from proofs.engine import execution
from proofs.engine.execution import Span
from proofs.families import double_angles as proofs
from tests.proofs import concrete

EXACTLY = gmpy2.context(precision=1400, emin=-5000, emax=5000)


def part_of(kernel, name):
    (found,) = [part for part in proofs.double_parts(kernel) if part.name == name]
    return found


def arguments(rng, count, top):
    """Doubles of all sizes from TINY on, and next to multiples of pi/1024."""
    x = np.exp2(rng.uniform(-32.0, math.log2(top), count))
    near = rng.integers(1, 1 << 22, count) * (math.pi / 1024)
    x = np.concatenate([x, rng.uniform(1e-9, 4.0, count), near, np.nextafter(near, 0.0), np.nextafter(near, np.inf)])
    x = np.concatenate([x, np.ldexp(np.array([6381956970095103.0, 5281755943099489.0]), (797, 2))])
    x = x[(x >= angles.TINY) & (x < top)]
    return np.concatenate([x, -x])


@pytest.mark.parametrize("name", ["reduction", "reduction, ordinary"])
def test_every_argument_leaves_what_values_are_proven_for(name):
    """R, r_lo and n as said, to what is said of the angle."""
    ordinary = "ordinary" in name
    family = part_of("sin", name).family
    x = arguments(np.random.default_rng(4), 300, angles.ORDINARY if ordinary else 2.0**1023)
    found = concrete.values(family.traced, x)
    r, r_lo, n = (found[number] for number in (*family.rest, family.n))
    room = proofs._ROOM if ordinary else 0.99 * angles.REDUCTION
    assert np.all(np.abs(r + r_lo) <= proofs._TOP * proofs._STEP * (1.0 + 2.0**-20))
    assert np.all(np.abs(r_lo) <= proofs._REST[0] * np.abs(r) * (1.0 + 2.0**-20) + proofs._REST[1])
    with EXACTLY:
        step = gmpy2.const_pi() / 1024
        for one, a, b, count in zip(x.tolist(), r.tolist(), r_lo.tolist(), n.tolist(), strict=True):
            rest = gmpy2.mpfr(one) - count * step
            rest -= gmpy2.rint(rest / (2048 * step)) * 2048 * step
            w = gmpy2.mpfr(a) + gmpy2.mpfr(b)
            assert abs(w - rest) <= proofs._ANGLE * abs(w) + room
            if count % 512 == 0:
                assert abs(rest) >= proofs.LEAST


def test_integers_are_those_of_encodings():
    """Spans with bits cleared and set, by the integers themselves."""
    for first, count in ((5 << 10, 1 << 10), (-7 << 10, 1 << 10), (3, 4)):
        for mask in (-(1 << 63) | 1023, ~0x7C00):
            found = execution._masked(Span(first, count), mask)
            assert [found.first + i for i in range(count)] == [(first + i) & mask for i in range(count)]
            found = execution._with_bits(Span(first, count), 0x9400)
            assert [found.first + i for i in range(count)] == [(first + i) | 0x9400 for i in range(count)]


def test_the_closest_double_is_at_the_distance_that_is_known():
    """6381956970095103 2^797 (Muller et al., Handbook of Floating-Point Arithmetic, 11.3.2)."""
    with EXACTLY:
        turns = gmpy2.mpfr(6381956970095103) * gmpy2.exp2(797) / (gmpy2.const_pi() / 2)
        away = float(abs(turns - gmpy2.rint(turns)))
    found = proofs.least_distance(proofs.quarter_turns_of(797), 1 << 53, 1400)
    assert float(found) == pytest.approx(away, rel=1e-9)
    assert float(found * arb.pi() / 2) > proofs.LEAST
