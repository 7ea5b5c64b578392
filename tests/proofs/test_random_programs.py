"""Values of random programs lie within the models of the prover, at random arguments and at the ends of cells."""

from __future__ import annotations

import math
import random
import struct
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

flint = pytest.importorskip("flint")


from clmath.ir.program import Value  # noqa: E402
from proofs.engine.execution import Execution, Fork, Real, Residue  # noqa: E402
from proofs.engine.models import Cell, Unproven, precisely  # noqa: E402
from proofs.engine.traced import Traced  # noqa: E402
from tests.proofs import concrete, second_checker  # noqa: E402
from tests.proofs.contained import assert_contained, assert_sums_contained, models  # noqa: E402
from tests.proofs.random_programs import program  # noqa: E402

pytestmark = pytest.mark.slow

ARB = flint.arb


def arguments(draw, count):
    """((low, high, grid), bound, places, beside): a cell, what is unknown beside it, and arguments of both kinds."""
    exponent = draw.choice((0, 0, 1, -3, -30, 20, -500, -1060))
    low = math.ldexp(draw.uniform(1.0, 2.0), exponent) * draw.choice((-1.0, 1.0))
    width = abs(low) * draw.choice((0.0, 2.0**-50, 2.0**-30, 2.0**-10, 0.25, 2.5))
    high = low + width
    grid = draw.choice((-1074, max(exponent - 53, -1074), exponent - 10, exponent - 4))
    unit = 2.0**grid
    if grid > -1074:
        low, high = math.floor(low / unit) * unit, math.ceil(high / unit) * unit
    bound = math.ldexp(1.0, draw.choice((exponent, exponent - 20, exponent - 52, -1074, 3)))
    numbers = np.random.default_rng(draw.getrandbits(32))
    places = np.concatenate([[low, high], numbers.uniform(low, high, count - 2)])
    if grid > -1074:
        places = np.clip(np.rint(places / unit) * unit, low, high)
    beside = np.concatenate([[bound, -bound], numbers.uniform(-bound, bound, count - 2)])
    return (low, high, grid), bound, places, beside


def executions(whole, argument, beside, rest, powers):
    """Runs that have found what they can of all values, whatever conditions differ on the cell."""
    pending = [{}]
    while pending:
        decided = pending.pop()
        low, high, grid = argument
        cell = Cell(ARB(low), ARB(high), powers)
        given = {0: Real(cell.argument(), grid), 1: Real(cell.unknown(beside), -1074), 2: Residue(rest, 8)}
        run = Execution(whole.program, whole.tables, whole.shapes, cell, given, decided)
        for number in range(3, len(whole.program.statements) + 3):
            try:
                run.value(Value(number))
            except Unproven:
                pass
            except Fork as fork:
                if len(decided) < 4:
                    pending += [{**decided, fork.condition: way} for way in (True, False)]
                break
        yield run


def look_at(draw, lemmas, count=24):
    """One random program on one cell."""
    cell, bound, places, beside = arguments(draw, count)
    tables = np.array([draw.uniform(-2.0, 2.0) for _ in range(8)])
    whole = Traced(program(draw, draw.randrange(2, 12)), tables)
    powers = draw.choice(((0, 0), (-3, 5), (-300, 300), (-1000, 1000), (990, 1010)))
    rest, k = draw.randrange(8), np.array([*powers, *(draw.randint(*powers) for _ in range(count - 2))])
    found = concrete.values(whole, places, beside, rest + 8 * k)
    for run in executions(whole, cell, bound, rest, powers):
        assert_contained(run, found, 0, k)
        numbers = sorted(models(run))
        assert_sums_contained(run, found, 0, k, [draw.choices(numbers, k=2) for _ in range(6)])
        lemmas.update(run.lemmas)


@pytest.mark.parametrize("count", [100, pytest.param(500, marks=pytest.mark.slow)])
def test_values_of_random_programs_lie_within_their_models(count):
    precisely()
    draw = random.Random("programs")
    lemmas = Counter()
    for _ in range(count):
        look_at(draw, lemmas)
    wanted = {"grid", "one multiple", "Veltkamp", "short factors", "fast_two_sum", "two_sum", "two_product", "magic"}
    assert count < 500 or wanted - lemmas.keys() == set()


@pytest.mark.slow
def test_heads_of_small_numbers_with_powers_are_on_their_grid():
    """A seed whose program splits a square with the factor 2^(2 k): its multiples of 2^-2150 are no coarser ones."""
    precisely()
    draw = random.Random("4100082534")
    for _ in range(238):
        look_at(draw, Counter())


# the second checker, by the same


def evaluations(whole, cell, bound, n):
    """Evaluations of the second checker, of every case, that have found what they can."""
    low, high, grid = map(Fraction, cell)
    pending = [{}]
    while pending:
        cases = pending.pop()
        run = second_checker.Evaluation(whole.program, whole.tables, {}, cases)
        ends = second_checker.exact((low + high) / 2).p + second_checker.exact((high - low) / 2).p
        run.known[0] = second_checker.Double(second_checker.Form(ends), int(grid))
        run.known[1] = second_checker.Double(run.symbol(math.ceil(Fraction(bound) * second_checker.ONE)), -1074)
        run.known[2] = n
        for number in range(3, len(whole.program.statements) + 3):
            try:
                run(Value(number))
            except (second_checker.Undecided, AttributeError, AssertionError, OverflowError, struct.error):
                pass  # not decided on so large a cell, or nothing that it knows
            except second_checker.Cases as found:
                if len(cases) < 3:
                    pending += [{**cases, found.number: value} for value in found.values]
                break
        yield run


def assert_forms_true(run, found, cell):
    """Every value that the second checker found lies within its form, and has no more bits than it says."""
    middle, half = (Fraction(cell[1]) + Fraction(cell[0])) / 2, (Fraction(cell[1]) - Fraction(cell[0])) / 2
    for i in range(len(found[0])):
        if any(Fraction(found[number][i]) != value for number, value in run.cases.items()):
            continue
        place = (Fraction(found[0][i]) - middle) / half if half else Fraction(0)
        for number, double in {**run.known, **run.found}.items():
            if isinstance(double, second_checker.Double):
                value = Fraction(found[number][i])
                off = value * second_checker.ONE - sum(c * place**k for k, c in enumerate(double.form.p))
                assert abs(off) <= double.form.off(), (number, value)
                assert value / Fraction(2) ** min(double.grid, 2000) % 1 == 0, (number, value, double.grid)
                assert digits(value) <= double.bits, (number, value, double.bits)
            else:
                assert found[number][i] == double, (number, double)


def digits(x):
    """How many bits the significand of a dyadic number has."""
    odd = abs(x.numerator)
    return (odd // (odd & -odd)).bit_length() if odd else 0


def look_at_second(draw, count=12):
    """One random program on one cell, as the second checker sees it; how many values it found."""
    cell, bound, places, beside = arguments(draw, count)
    whole = Traced(program(draw, draw.randrange(2, 12)), np.array([draw.uniform(-2.0, 2.0) for _ in range(8)]))
    n = draw.randrange(8) + 8 * draw.randint(-200, 200)
    found = concrete.values(whole, places, beside, np.full(count, n))
    try:
        runs = list(evaluations(whole, cell, bound, n))
    except second_checker.Undecided:  # arguments finer than its unit
        return 0
    for run in runs:
        assert_forms_true(run, found, cell)
    return sum(len(run.found) for run in runs)


@pytest.mark.parametrize("part", range(2))
def test_values_of_random_programs_lie_within_the_second_checkers_forms(part):
    draw = random.Random(f"second {part}")
    assert sum(look_at_second(draw) for _ in range(100)) > 500


def halved_symbols(patch):
    right = second_checker.Evaluation.symbol
    patch.setattr(second_checker.Evaluation, "symbol", lambda run, bound: right(run, bound >> 1))


def cells_without_their_ends(patch):
    patch.setattr(second_checker.Form, "wiggle", lambda form: sum(map(abs, form.p[2:])))


def look_at_many():
    for seed in range(300):
        look_at_second(random.Random(seed))


@pytest.mark.slow
@pytest.mark.parametrize("fault", [halved_symbols, cells_without_their_ends])
def test_a_fault_of_the_second_checker_shows(fault, monkeypatch):
    """Values of some random program then lie where it says that they do not."""
    fault(monkeypatch)
    with pytest.raises(AssertionError, match=r"^\(\d+, "):
        look_at_many()
