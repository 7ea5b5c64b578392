"""Proofs of sines, cosines and tangents of turns in double: parts are given what they are proven for."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

pytest.importorskip("flint")

from flint import arb

from clmath.kernels.double.angles import halves
from proofs.engine.execution import Execution, Real
from proofs.engine.models import Cell
from proofs.engine.traced import traced
from proofs.families import steps
from tests.cases import for_each
from tests.proofs import concrete

KERNELS = ("sinpi", "cospi", "tanpi")


def part_of(kernel, name):
    (found,) = [part for part in steps.double_parts(kernel) if part.name == name]
    return found


def arguments(family, rng, count):
    """Doubles of all sizes, and next to multiples of 1/4."""
    x = np.exp2(rng.uniform(math.log2(family.least), math.log2(family.top), count))
    near = rng.integers(1, 1 << 12, count) / 4.0
    x = np.concatenate([x, rng.uniform(family.least, 4.0, count), np.nextafter(near, 0.0), np.nextafter(near, np.inf)])
    x = x[(x >= family.least) & (x < family.top)]
    return np.concatenate([x, -x])


@pytest.mark.slow
@for_each("name", ["reduction", "reduction, ordinary"])
@for_each("kernel", KERNELS)
def test_every_ordinary_argument_leaves_what_values_are_proven_for(kernel, name):
    """F and n as said, f on its grid and in a piece of the value's part, or the result is exact."""
    family = part_of(kernel, name).family
    x = arguments(family, np.random.default_rng(4), 2000)
    found = concrete.values(family.traced, x)
    f, n, total, err = (found[number] for number in (family.f, family.n, family.total, family.found[2]))
    assert np.array_equal(total, n + family.ahead)
    for one, rest, count in zip(x.tolist(), f.tolist(), n.tolist(), strict=True):
        assert (Fraction(one) * 1024 - Fraction(rest) - count) % 2048 == 0
    assert np.all(np.abs(f) <= 0.5)
    exactly = total % family.exact == 0
    assert np.array_equal(err == 0.0, exactly & (f == 0.0))
    scaled = f * 2.0**-steps._GRID
    assert np.all(exactly | (scaled == np.rint(scaled)))
    assert np.all(~exactly | (f == 0.0) | (np.abs(f) >= 2.0**steps._GRID))


def test_a_number_that_may_be_zero_is_cut_as_doubles_are():
    """Multiples of 2^-40 on both sides of zero: 26 bits are kept, off by less than was said, and still multiples."""
    whole = traced(halves, ("double",), ("double", "double"))
    for low, high in ((-1.0, 1.0), (0.0, 3.0), (-(2.0**-30), 0.0), (-5.0, 2.0**-39)):
        cell = Cell(arb(low), arb(high))
        run = Execution(whole.program, whole.tables, whole.shapes, cell, {0: Real(cell.argument(), -40)})
        first, second = run.real_output(0), run.real_output(1)
        x = np.rint(np.random.default_rng(1).uniform(low, high, 500) * 2.0**40) * 2.0**-40
        for one, head, tail in zip(x, *halves(x), strict=True):
            place = arb(float(one)) - cell.middle
            for real, value in ((first, head), (second, tail)):
                assert real.model.off().overlaps(arb(float(value)) - real.model.p(place))
                assert value == 0.0 or float(value * 2.0**-real.grid).is_integer()
            assert math.frexp(head)[0] * 2.0**first.width % 1.0 == 0.0
