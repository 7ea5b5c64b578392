"""Proofs of asinh, acosh and atanh: parts are given what they are proven for."""

from __future__ import annotations

from fractions import Fraction

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.ir.program import Value
from clmath.kernels.quick import logarithm
from proofs.certificates import certificate
from proofs.families import inverse_hyperbolic
from tests.cases import for_each
from tests.proofs import concrete
from tests.proofs import second_checker_of_enclosures as second
from tests.proofs.second_checker import ONE

KERNELS = inverse_hyperbolic.NAMES
EXACTLY = gmpy2.context(precision=300)
of_each = for_each("kernel", KERNELS)


def inside(kernel):
    return inverse_hyperbolic.quick_parts(kernel)[-1]


def of_sum():
    return {part.name: part for part in inverse_hyperbolic.of_sum()}


# the second checker


def test_statements_say_what_the_prover_is_given(draw):
    part = of_sum()["sum"]
    for which, low, high in draw.sample(list(part.pieces()), 30):
        said = part.statement(which, low)
        cell = part.cell(which, *map(inverse_hyperbolic.arb, (low, high)))
        given = part.setting(which, cell).given
        assert sorted(given) == sorted([said.m, said.rest, said.scale, said.k, *dict(said.integers)])
        assert cell.powers == said.powers
        assert given[said.m].grid == said.grid
        assert cell.bounds[-1] <= said.left
        assert all(given[number] == known for number, known in said.integers)


# what parts are given is what arguments reach


def arguments(kernel, draw, count):
    """Ordinary floats, those next to the ends among them."""
    part = inside(kernel)
    numbers = np.random.default_rng(draw.getrandbits(32))
    least, top = (
        np.float32(end).view(np.int32) for end in (part.least, min(part.top, float(np.finfo(np.float32).max)))
    )
    x = numbers.integers(least, top + 1, count, np.int32)
    x = np.concatenate([x, least + np.arange(20), top - np.arange(20), 0x3F800000 + numbers.integers(1, 1 << 20, 20)])
    x = x.astype(np.int32).view(np.float32).astype(np.float64)
    x = x[(x >= part.least) & (x <= part.top)]
    return x if part.signs == (1,) else np.where(numbers.integers(0, 2, x.size), x, -x)


@of_each
def test_every_argument_is_in_a_piece(kernel, draw):
    part = inside(kernel)
    pieces = list(part.pieces())
    x = arguments(kernel, draw, 200)
    found = concrete.values(part.traced, x)
    assert all(np.all(found[number] == known) for number, known in part.special)
    for one in x:
        assert any(low <= one <= high for _, low, high in pieces)
    w = found[part.inner[0]]
    assert np.all((w > inverse_hyperbolic.LEAST) & (w < inverse_hyperbolic.GREATEST))
    assert_sums_are_in_pieces(w)


def assert_sums_are_in_pieces(w):
    parts = of_sum()
    pieces, near = list(parts["sum"].pieces()), list(parts["near"].pieces())
    family = parts["sum"].family
    found = concrete.values(family.traced, w)
    for i, one in enumerate(w):
        k, j, m = (found[number][i].item() for number in family.cut)
        if k == 0 and j == 0:
            assert any(low <= one <= high and which[1:] == (0, 0) for which, low, high in near)
            continue
        ways = [
            (which, low) for which, low, high in pieces if which[1] == j and low <= m <= high and covers(which[0], k)
        ]
        assert ways
        said = parts["sum"].statement(*ways[0])
        q = int(k) - said.carried
        assert abs(Fraction(found[said.rest][i])) <= Fraction(said.left) * Fraction(2) ** q
        assert found[said.scale][i] == 2.0**-q


def covers(powers, k):
    return powers[0] <= k <= powers[1]


# real errors


def test_errors_of_sums_are_within_what_is_said(draw):
    """For any w, which may have 53 bits."""
    numbers = np.random.default_rng(draw.getrandbits(32))
    ends = np.log2([inverse_hyperbolic.LEAST, inverse_hyperbolic.GREATEST])
    w = np.exp2(np.concatenate([numbers.uniform(*ends, 2000), numbers.uniform(ends[0], 2.0, 4000)]))
    met = 0.0
    with EXACTLY:
        for one, found in zip(w, logarithm.log1p_of(w), strict=True):
            exact = gmpy2.log1p(gmpy2.mpfr(float(one)))
            met = max(met, float(abs(gmpy2.mpfr(float(found)) - exact) / exact))
    assert 0.4 < met / inverse_hyperbolic.OFF <= largest_share("asinh", "sum", "near")


def largest_share(kernel, *names):
    return max(part["worst"] for part in certificate("quick", kernel)["parts"] if part["name"] in names)


# faults


def entries_are_right(part, place):
    """Whether the sum of two entries is as near as is said to the logarithm, by the second checker."""
    run = second.Enclosure(part.traced.program, part.traced.tables, dict(part.listed[place]), {})
    total = run(Value(part.parts[0])).form + run(Value(part.parts[1])).form
    reciprocal = Fraction(float(logarithm.RECIPROCAL[place])) * 2 ** (place >= logarithm.SQRT2_PLACE)
    ideal = second.logarithm_of(second.power_of_number(reciprocal, -1))
    return (total - ideal).size() <= Fraction(part.off) * ONE


@pytest.mark.slow
def test_entries_are_verified_again():
    part = of_sum()["entries"]
    assert all(entries_are_right(part, place) for place in part.listed)
