"""Lemmas for proofs of sums of powers and of angles: products in order, cut bits of any sign, mirrored arguments."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("flint")

from flint import arb

from clmath.ir.primitives import bits, fast_two_sum, from_bits, split
from clmath.ir.program import Value
from proofs.engine.execution import Execution, Fork, Real, is_ordered
from proofs.engine.models import Cell, precisely, upper
from proofs.engine.traced import traced
from tests.proofs.engine import results
from tests.proofs.engine.few_bits import Few


@pytest.fixture(autouse=True)
def _precision():
    precisely()


def test_products_with_a_common_factor_are_in_the_order_of_the_others():
    """All of 4 bits: rounding keeps the order, and fast_two_sum is exact then."""
    form = Few(4)
    numbers = form.numbers(range(-2, 3))
    c, d, f = (grid.ravel() for grid in np.meshgrid(numbers, numbers, numbers))
    kept = np.abs(c) >= np.abs(d)
    a, b = form.rounded(c * f)[kept], form.rounded(d * f)[kept]
    assert (np.abs(a) >= np.abs(b)).all()
    s = form.rounded(a + b)
    assert np.array_equal(form.rounded(form.rounded(a - s) + b), a + b - s)


def both_products(x, c, d):
    return fast_two_sum(c * x, d * x)


@pytest.mark.parametrize(("sizes", "expected"), [((2.0, 1.0), True), ((1.0, 1.0), True), ((1.0, 2.0), None)])
def test_products_are_in_order_by_their_factors(sizes, expected):
    """On a cell where the common factor may be zero; None means that this is unknown."""
    whole = traced(both_products, ("double",) * 3, ("double", "double"))
    cell = Cell(arb(-1), arb(1))
    given = {0: Real(cell.argument(), -60), **{i: Real(cell.constant(s), 0) for i, s in enumerate(sizes, 1)}}
    run = Execution(whole.program, whole.tables, whole.shapes, cell, given)
    if expected:
        assert is_ordered(run, Value(3), Value(4))
    else:
        with pytest.raises(Fork):
            is_ordered(run, Value(3), Value(4))


def cut(x):
    short = from_bits(bits(x) & -0x8000000)
    return short, x - short


@pytest.mark.parametrize(("low", "high", "grid"), [(-1.0, 1.0, -60), (0.0, 2.0**-9, -61), (-(2.0**-30), 2.0**-40, -80)])
def test_bits_are_cut_off_numbers_of_any_sign(low, high, grid):
    """The result has 26 bits, is close to the number and on its grid, and its model is as precise as expected."""
    whole = traced(cut, ("double",), ("double", "double"))
    cell = Cell(arb(low), arb(high))
    run = Execution(whole.program, whole.tables, whole.shapes, cell, {0: Real(cell.argument(), grid)})
    short, rest = results.real(run, 0), results.real(run, 1)
    rng = np.random.default_rng(9)
    x = np.rint(rng.uniform(low, high, 4000) * 2.0**-grid) * 2.0**grid
    x = np.concatenate(
        [x, np.rint(x * 2.0 ** rng.uniform(-30.0, 0.0, 4000) * 2.0**-grid) * 2.0**grid, [low, high, 0.0]]
    )
    first, second = cut(x)
    assert short.width == 26
    assert np.array_equal(np.ldexp(first, -short.grid), np.rint(np.ldexp(first, -short.grid)))
    assert np.abs(second).max() <= upper(rest.model.range())
    assert upper(rest.model.range()) <= 2.0 * max(abs(low), abs(high)) * 2.0**-24
    for one, kept in zip(x[:200], first[:200], strict=True):
        away = arb(float(kept)) - short.model.p(arb(float(one)) - cell.middle)
        assert short.model.off().contains(away)


def squared_head(x):
    head, tail = split(x)
    return head * head + tail * (head + x) - x * x


def test_squares_of_heads_cancel_with_tails():
    """head^2 + tail (head + x) is x^2: the roundings of sums remain, but not the square of the tail."""
    found = []
    for is_paired in (True, False):
        whole, cell = traced(squared_head, ("double",), ("double",)), Cell(arb(1), arb(1) + arb(2) ** -10)
        if not is_paired:
            whole.shapes.paired.clear()
        run = Execution(whole.program, whole.tables, whole.shapes, cell, {0: Real(cell.argument(), -52)})
        found.append(upper(results.real(run, 0).model.range()))
    assert found[0] < found[1]
    assert found[0] < 2.0**-51


def of_both(x):
    return abs(x) * 3.0, x * abs(x)


def test_mirrored_arguments():
    """Values that depend on the size alone are kept, and the others are computed for -x."""
    whole = traced(of_both, ("double",), ("double", "double"))
    cell = Cell(arb(1), arb(2))
    run = Execution(whole.program, whole.tables, whole.shapes, cell, {0: Real(cell.argument(), -10)})
    size, product = results.real(run, 0), results.real(run, 1)
    opposite = run.mirrored()
    assert results.real(opposite, 0) is size
    assert (results.real(opposite, 1).model + product.model).range().abs_upper() < 2.0**-50
    assert results.real(opposite, 1).model.range() < 0
