"""Proofs of sine, cosine and tangent: parts are given what they are proven for."""

from __future__ import annotations

import math

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from flint import arb

from proofs.families import angles
from proofs.families.angles import least_distance, quarter_turns_of
from tests.cases import for_each, some
from tests.proofs import concrete

KERNELS = ("sin", "cos", "tan", "sincos")
PARTS = [(name, part.name) for name in KERNELS for part in angles.quick_parts(name)]
EXACTLY = gmpy2.context(precision=400, emin=-5000, emax=5000)


def part_of(kernel, part):
    (found,) = [one for one in angles.quick_parts(kernel) if one.name == part]
    return found


def distances(exponent, m):
    """How far m 2^exponent is from multiples of pi/2, in units of 2^-64 quarter turns, -+ 2^24: integers alone."""
    with EXACTLY:
        scaled = int(gmpy2.floor(gmpy2.mpfr(2) / gmpy2.const_pi() * gmpy2.exp2(64 + exponent)))
    product = m * np.uint64(scaled % 2**64)
    return np.minimum(product, ~product)


@pytest.mark.slow
@for_each("kernel", KERNELS)
def test_no_float_of_a_binade_is_closer_than_was_proven(kernel):
    """All 2^23 of them."""
    part = part_of(kernel, "distance")
    m = np.arange(1 << 23, 1 << 24, dtype=np.uint64)
    for _, low, _ in some([piece for piece in part.pieces() if piece[1] >= 0.5], 3):
        exponent = math.frexp(low)[1] - 24
        least = int(distances(exponent, m).min()) / 2**64
        section = part.family.sections[part.family.section(low)]
        proven = float(least_distance(quarter_turns_of(exponent, modulo=True), 1 << 24))
        assert least >= proven - 2.0**-39
        assert (least - 2.0**-39) * math.pi / 2 >= section.least * float(part.family.unit()) + section.off


@pytest.mark.parametrize("most", [2, 3, 10, 100, 1000])
def test_least_distances_are_those_of_all_integers(most):
    rng = np.random.default_rng(most)
    for a in [arb(float(x)) + arb.pi() / 1000 for x in rng.uniform(0.0, 4.0, 20)]:
        found = least_distance(a, most)
        all_of_them = [abs(a * m - (a * m + 0.5).floor()) for m in range(1, most)]
        assert not any(one < found for one in all_of_them)
        assert any(one.overlaps(found) for one in all_of_them)


def arguments(piece, rng, count):
    """Floats in a binade, its ends among them."""
    _, low, high = piece
    x = rng.uniform(low, high, count).astype(np.float32)
    return np.concatenate([x, np.float32([low, high])]).astype(np.float64)


@for_each(("kernel", "name"), [one for one in PARTS if one[1].startswith("reduction")])
def test_values_that_kernels_are_given_are_what_reductions_leave(kernel, name):
    """W in a piece of the value's part, the parts on their grid and within their bounds, N as said."""
    part, rng = part_of(kernel, name), np.random.default_rng(6)
    family = part.family
    for piece in some(list(part.pieces()), 6):
        x = arguments(piece, rng, 500)
        found = concrete.values(part.traced, x)
        section = family.sections[family.section(min(abs(piece[1]), abs(piece[2])))]
        a, b, third = (found[number] for number in family.parts)
        assert np.all(np.abs(b) <= family.second)
        assert np.all(np.abs(third) <= section.third)
        for values in (a, b):
            scaled = values * 2.0**-section.grid
            assert np.array_equal(scaled, np.rint(scaled))
        counts = sum(found[number] for number in family.counts)
        assert np.array_equal(counts, found[family.total])
        with EXACTLY:
            unit = gmpy2.const_pi() / 2 if family.turns else gmpy2.mpfr(1)
            for one, n, *parts in zip(x, counts, a, b, third, strict=True):
                first, second, last = (gmpy2.mpfr(float(value)) for value in parts)
                w = first + family.sign * (second + last)
                angle = gmpy2.mpfr(float(one)) - (family.per * int(n) - family.ahead) * gmpy2.const_pi() / 2
                turns = gmpy2.rint((angle - w * unit) / (2 * gmpy2.const_pi())) if family.turns else 0
                assert abs(angle - w * unit - 2 * turns * gmpy2.const_pi()) <= section.off
                assert section.least <= abs(w) <= family.reach
