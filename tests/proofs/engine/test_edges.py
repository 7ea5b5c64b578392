"""Where reasoning of the prover ends: numbers below all doubles, powers of the cell, integers that wrap, wide cells."""

from __future__ import annotations

import math

import numpy as np
import pytest

flint = pytest.importorskip("flint")

from clmath.ir.primitives import bits, from_bits, select  # noqa: E402
from proofs.engine import exactness, ideals  # noqa: E402
from proofs.engine.assumed import Assumed, grid_of  # noqa: E402
from proofs.engine.execution import Execution, Fork, Real  # noqa: E402
from proofs.engine.models import Cell, Model, Unproven, lower, precisely, upper  # noqa: E402
from proofs.engine.traced import traced  # noqa: E402
from proofs.lemmas import kernel  # noqa: E402
from proofs.terms import VARIABLE, Bounded, Number, Residue, doubles, encloses, least, multiples, term, v  # noqa: E402
from tests.cases import for_each  # noqa: E402
from tests.proofs import concrete  # noqa: E402
from tests.proofs.engine import results  # noqa: E402
from tests.proofs.engine.contained import assert_contained  # noqa: E402

ARB = flint.arb


@pytest.fixture(autouse=True)
def _precise():
    precisely()


def execution(program, given, *, cell=None, outputs=("double",), decided=None):
    """A run of ``program``, traced, with ``given`` of its arguments."""
    kinds = ["double" if isinstance(value, Real) else "long" for value in given]
    whole = traced(program, kinds, outputs)
    cell = cell or given[0].model.cell
    return Execution(whole.program, whole.tables, whole.shapes, cell, dict(enumerate(given)), decided or {})


@for_each("exponent", [-2000, -1100, -1076, -1075, -1074, -1030, -3, 0, 900])
def test_floats_bound_numbers_of_any_size(exponent):
    for significand in (1, 3, 2**60 + 1, 2**60 - 1):
        x = ARB(significand) * ARB(2) ** exponent
        assert ARB(lower(x)) <= x <= ARB(upper(x))
        assert ARB(lower(-x)) <= x <= ARB(upper(-x))
    assert upper(ARB(0)) == lower(ARB(0)) == 0.0


def test_a_nan_ball_has_no_bound():
    with pytest.raises(Unproven):
        upper(ARB("nan"))
    cell = Cell(ARB(1), ARB(2))
    run = execution(lambda x: x + 1.0, [Real(cell.constant(ARB("nan")), -52)])
    with pytest.raises(Unproven):
        results.real(run, 0)


def test_series_that_flint_would_cut_short_are_refused():
    flint.ctx.cap = 10
    with pytest.raises(Unproven, match="cut short"):
        ideals.applied("exp", Cell(ARB(-1), ARB(1)).argument())
    precisely()


def test_values_on_one_side_of_a_polynomial_are_part_of_its_curvature():
    cell = Cell(ARB(1), ARB(1))
    beside = Model(cell, flint.arb_poly([1]), None, ARB(1) + ARB(0, "0.25"))  # 1 + something between 3/4 and 5/4
    found = ideals.applied("inverse", beside).range()
    for x in (1.75, 2.0, 2.25):
        assert found.overlaps(1 / ARB(x))


def test_products_with_wide_numbers_are_terms():
    """(1.5 + a)(1 + b) (1 - b) with wide a is 1.5 + a with an error of b^2; otherwise the error is a b."""
    for is_wide in (True, False):
        cell = Cell(ARB(-1), ARB(1))
        a, b = cell.unknown(0.5), cell.unknown(2.0**-60)
        cell.wide |= set(a.terms) if is_wide else set()
        one, length = cell.constant(1), cell.constant(1.5) + a
        left = length * (one + b) - length - length * b
        assert (upper(left.range()) < 2.0**-100) is is_wide


def test_a_split_by_three_is_not_recognized():
    """(2^1 + 1) a leaves a tail of one bit, not of s - 1 = 0."""

    def split(x):
        t = 3.0 * x
        return x - (t - (t - x))

    whole = traced(split, ("double",), ("double",))
    assert all(whole.shapes.exact.get(n, ("",))[0] != "Veltkamp" for n in range(1, 5))
    assert exactness._splitter(whole.program.statements[0]) == (0, None)


def test_short_factors_that_overflow_are_refused():
    cell = Cell(ARB(1), ARB(1))
    large = Real(cell.constant(2.0**1000), 1000, 0, 1)
    with pytest.raises(Unproven, match=r"overflow|not bounded"):
        results.real(execution(lambda x: x * 2.0**1000, [large]), 0)


def test_bits_that_are_cleared_twice_stay_cleared():
    def cleared(x):
        return from_bits((bits(x) & -(2**40)) & -(2**20))

    holds(cleared, 1.0, 2.0, -1074)


def test_bits_are_cleared_that_a_larger_number_does_not_have():
    """2 + 2^-12 has a bit that is cleared, though multiples of 2^-12 below 2 have none."""

    def cleared(x):
        return from_bits(bits(x) & -(2**40))

    holds(cleared, 1.0, 4.0, -12)


@for_each("low", [1.0 + i / 64 for i in range(64)])
def test_numbers_that_are_cut_to_the_same_one_are_known_and_others_are_not(low):
    """All pairs of multiples of 2^-6 in 1 .. 2 that are cut to multiples of 1/8."""

    def cleared(x):
        return from_bits(bits(x) & -(2**49))

    high = low
    while high < 2.0:
        cell = Cell(ARB(low), ARB(high))
        found = results.real(execution(cleared, [Real(cell.argument(), -6)]), 0).model
        known, ends = found.range().is_exact(), [math.floor(8 * end) / 8 for end in (low, high)]
        assert all(found.range().overlaps(ARB(end)) for end in ends)
        assert not known or ends[0] == ends[1] == float(found.range())
        assert known or ends[0] < ends[1] or (low * 8) % 1 == 0 or high > 1.99
        high += 1 / 64


def test_bits_of_the_exponent_are_not_cleared():
    cell = Cell(ARB(1), ARB(2))
    with pytest.raises(Unproven):
        results.real(execution(lambda x: from_bits(bits(x) & -(2**53)), [Real(cell.argument(), -52)]), 0)


def holds(program, low, high, grid):
    """Assert that 1000 values of the program are as was found."""
    cell = Cell(ARB(low), ARB(high))
    run = execution(program, [Real(cell.argument(), grid)])
    results.real(run, 0)
    places = np.random.default_rng(1).uniform(low, high, 1000)
    if grid > -1000:
        places = np.rint(places * 2.0**-grid) * 2.0**grid
    found = concrete.values(traced(program, ("double",), ("double",)), places)
    assert_contained(run, found, 0, np.zeros(places.size, int))


def times_short(x):
    return (x * (1.5 * 2.0**-80)) * 1.25


@pytest.mark.parametrize("k", [-200, 0, 200])
def test_a_product_is_rounded_to_the_doubles_of_each_power(k):
    """1.5 2^(-800 + k) times 1.5 2^-80: below the least double for some k, and finer for others."""
    cell = Cell(ARB(1), ARB(1), (-200, 200))
    run = execution(times_short, [Real(cell.constant(1.5 * 2.0**-800), -801, 1)])
    results.real(run, 0)
    found = concrete.values(traced(times_short, ("double",), ("double",)), [1.5 * 2.0 ** (k - 800)])
    run.given = {}
    del run._found[0]
    assert_contained(run, [np.array([1.0]), *found[1:]], 0, [k])


def test_sums_of_integers_that_wrap_are_refused():
    run = execution(lambda n: n + 2**62, [2**62 + 1], cell=Cell(ARB(1), ARB(1)), outputs=("long",))
    with pytest.raises(Unproven, match="64 bits"):
        results.result(run, 0)


@pytest.mark.parametrize("n", [1, 2, 3, 2**62 + 1, -1])
def test_shifts_drop_bits_beyond_64(n):
    run = execution(lambda n: n << 63, [n], cell=Cell(ARB(1), ARB(1)), outputs=("long",))
    assert results.result(run, 0) == int(np.int64(n) << np.int64(63))


def test_an_unknown_multiple_keeps_its_rest_only():
    cell = Cell(ARB(1), ARB(1))

    def masks(n):
        return n & 127, n & 63, n & 255

    run = execution(masks, [Residue(69, 128)], cell=cell, outputs=("long", "long", "long"))
    assert (results.result(run, 0), results.result(run, 1)) == (69, 5)
    with pytest.raises(Unproven):
        results.result(run, 2)


def test_a_cell_with_zero_has_doubles_of_all_sizes():
    for low, high, grid in ((1.0, 2.0, -52), (-2.0, -1.0, -52), (-2.0, 1.0, -1074), (-1.0, 2.0, -1074)):
        assert grid_of(doubles(), ARB(low), ARB(high)) == grid
        assert grid_of(multiples(-300), ARB(low), ARB(high)) == max(grid, -300)


# claims


def claimed(function, cell, claim, x, results):
    """The prover's results for a claim about a function of x."""
    whole = kernel(function, results)
    assumed = Assumed(whole, cell, {"x": x}, 16)
    run = Execution(whole.program, whole.tables, whole.shapes, cell, assumed.given, {})
    return assumed.claims(run, claim)


@pytest.mark.parametrize(("err", "bound"), [(-0.5, 0.0), (0.5, 0.5)])
def test_a_bound_that_may_be_negative_proves_nothing(err, bound):
    cell = Cell(ARB(1), ARB(2))

    def enclosure(x):
        return x, x * 0.0, err + 0.0 * x

    ((_, found),) = claimed(enclosure, cell, encloses(VARIABLE), doubles(), 3)
    assert math.isclose(found, bound, rel_tol=1e-9)


@pytest.mark.parametrize("power", [0, 1])
def test_a_power_of_two_that_is_missing_or_too_many_is_seen(power):
    """2^k x is not an enclosure of x, nor is x an enclosure of 2^k x."""
    cell = Cell(ARB(1), ARB(2), (-10, 10))

    def enclosure(x):
        return x * 1.0, x * 0.5

    def found(wanted, value, err):
        claim = Bounded(value - VARIABLE, least(err), power=wanted)
        return claimed(enclosure, cell, claim, Number(grid=-52, power=power), 2)

    found(power, v.value, v.err)
    for value, err in ((v.value, term(1)), (VARIABLE, v.err)):
        with pytest.raises(Unproven, match="2\\^q"):
            found(1 - power, value, err)


def test_conditions_that_differ_on_the_cell_are_both_taken():
    cell = Cell(ARB(1), ARB(2))

    def whole(x):
        return select(x < 1.5, x, 0.5 * x)

    given = [Real(cell.argument(), -52)]
    with pytest.raises(Fork) as fork:
        results.real(execution(whole, given), 0)
    ways = [execution(whole, given, decided={fork.value.condition: way}) for way in (True, False)]
    ranges = [results.real(run, 0).model.range() for run in ways]
    assert ranges[0].overlaps(ARB("1.25"))
    assert ranges[1].overlaps(ARB("0.75"))
