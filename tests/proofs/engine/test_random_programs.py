"""Values of random programs lie within the models of the prover, at random arguments and at the ends of cells."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

flint = pytest.importorskip("flint")


from clmath.ir.program import Value  # noqa: E402
from proofs.engine.execution import Execution, Fork, Real, Residue  # noqa: E402
from proofs.engine.models import Cell, Unproven, precisely  # noqa: E402
from proofs.engine.traced import Traced  # noqa: E402
from tests.proofs import concrete  # noqa: E402
from tests.proofs.engine.contained import assert_contained, assert_sums_contained, models  # noqa: E402
from tests.proofs.random_programs import arguments, program  # noqa: E402

pytestmark = pytest.mark.slow

ARB = flint.arb


def executions(whole, argument, beside, rest, powers):
    """Yield one execution for every combination of decided conditions, with all values it could derive."""
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


@pytest.mark.parametrize("count", [100, pytest.param(250, marks=pytest.mark.slow)])
def test_values_of_random_programs_lie_within_their_models(count):
    precisely()
    draw = random.Random("programs")
    lemmas = Counter()
    for _ in range(count):
        look_at(draw, lemmas)
    wanted = {"grid", "one multiple", "Veltkamp", "short factors", "fast_two_sum", "two_sum", "two_product", "magic"}
    assert count < 250 or wanted - lemmas.keys() == set()


@pytest.mark.slow
def test_heads_of_small_numbers_with_powers_are_on_their_grid():
    """The program of a known seed splits a square with the factor 2^(2 k): its grid is still 2^-2150, no coarser."""
    precisely()
    draw = random.Random("4100082534")
    for _ in range(238):
        look_at(draw, Counter())
