"""A traced function on Python's floats: each side of a select computes what it alone needs, and nothing twice."""

import math

import numpy as np
import pytest

from clmath.engines.branches import Branches, laid_out
from clmath.engines.written import written
from clmath.ir.lanes import bits, from_bits, integer, nearest, real, select, sqrt, take, two_product
from clmath.ir.program import Tables
from clmath.ir.trace import trace

ENTRIES = np.array([1.0, 2.0, 4.0])


def program_of(function, *inputs, outputs=("double",)):
    tables = Tables()
    return trace(function, inputs, outputs, tables, machine="python"), tables


def on_floats(function, *inputs, outputs=("double",)):
    return written("function", *program_of(function, *inputs, outputs=outputs))


def test_the_side_that_is_not_chosen_is_not_computed():
    def function(x):
        inverse = 1.0 / x
        root = sqrt(inverse)
        return select(x > 0.0, root * inverse + root, x)

    told = on_floats(function, "double")
    assert told(4.0) == 0.625
    assert told(0.0) == 0.0
    assert told(-4.0) == -4.0  # no root is asked for
    assert math.isnan(told(math.nan))


def test_one_side_within_another():
    def function(x):
        inverse = 1.0 / x
        square = inverse * inverse
        inner = select(x > 1.0, square + inverse * square, -square)
        return select(x != 0.0, inner + inner * x, 7.0)

    told = on_floats(function, "double")
    assert told(0.0) == 7.0
    assert told(2.0) == 0.375 * 3.0
    assert told(-2.0) == 0.25


def test_selects_of_one_condition_share_a_branch():
    def function(x):
        y = x * x + 1.0
        z = y / x
        return select(x > 0.0, z + y, y), select(x > 0.0, z - y, x)

    program, _ = program_of(function, "double", outputs=("double", "double"))
    assert [len(line.selects) for line in laid_out(program).lines if isinstance(line, Branches)] == [2]
    told = on_floats(function, "double", outputs=("double", "double"))
    assert told(2.0) == (7.5, -2.5)
    assert told(0.0) == (1.0, 0.0)


def test_a_select_that_another_of_the_same_condition_depends_on():
    def function(x):
        y = select(x > 0.0, 1.0 / x, x)
        return select(x > 0.0, y + sqrt(y), y - 1.0) * y

    told = on_floats(function, "double")
    assert told(4.0) == 0.1875
    assert told(-2.0) == 6.0


def test_bits_shifts_and_tables():
    def function(x):
        n = nearest(x)[1]
        shifted = (bits(x) << 1) >> 1
        product, rest = two_product(x, x)
        return take(ENTRIES, n), take(ENTRIES, n - 100), from_bits(shifted ^ 1), real(integer(x)), product, rest

    told = on_floats(function, "double", outputs=("double",) * 6)
    x = 1.9 + 2.0**-52
    exact = x.as_integer_ratio()
    found = told(x)
    assert found[:4] == (4.0, 1.0, from_bits((np.array([x]).view(np.int64) << 1 >> 1) ^ 1)[0], 1.0)
    assert sum(map(math.fsum, [found[4:]])) == x * x
    n, d = (found[4].as_integer_ratio(), found[5].as_integer_ratio())
    assert n[0] * d[1] + d[0] * n[1] == exact[0] ** 2 * n[1] * d[1] // exact[1] ** 2
    assert told(50.0)[0] == 4.0
    assert told(-3.5)[:2] == (1.0, 1.0)


@pytest.mark.parametrize("n, want", [(1, 2), (62, -(2**63)), (63, 0), (-1, -2)])
def test_bits_that_are_shifted_out_are_lost(n, want):
    def function(i, j):
        return i << j

    told = on_floats(function, "long", "long", outputs=("long",))
    assert told(min(2, n), 1 if n < 2 else n) == want
