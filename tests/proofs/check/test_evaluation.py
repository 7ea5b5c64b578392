"""Values of random programs lie within the forms of the independent checker, at random arguments and ends of cells."""

from __future__ import annotations

import math
import random
import struct
from fractions import Fraction

import numpy as np
import pytest

from clmath.ir.program import Value
from proofs.check import Traced, Undecided
from proofs.check.encodings import Encoding, float_of
from proofs.check.evaluation import Cases, Evaluation
from proofs.check.forms import ONE, Double, Form, between
from tests.proofs import concrete
from tests.proofs.random_programs import arguments, program

pytestmark = pytest.mark.slow


def evaluations(whole, cell, bound, n):
    """Yield one evaluation for every combination of decided conditions, with all values it could derive."""
    low, high, grid = map(Fraction, cell)
    pending = [{}]
    while pending:
        cases = pending.pop()
        run = Evaluation(whole, cases)
        beside = run.symbol(math.ceil(Fraction(bound) * ONE))
        run.known = {0: Double(between(low, high), int(grid)), 1: Double(beside, -1074), 2: n}
        for number in range(3, len(whole.program.statements) + 3):
            try:
                run(Value(number))
            except (Undecided, AttributeError, AssertionError, OverflowError, struct.error):
                pass  # not decided on so large a cell, or nothing that it knows
            except Cases as found:
                if len(cases) < 3:
                    pending += [{**cases, found.number: value} for value in found.values]
                break
        yield run


def assert_forms_true(run, found, cell):
    """Assert that every computed value lies within its form, and has at most the form's number of bits."""
    middle, half = (Fraction(cell[1]) + Fraction(cell[0])) / 2, (Fraction(cell[1]) - Fraction(cell[0])) / 2
    for i in range(len(found[0])):
        if any(Fraction(found[number][i]) != value for number, value in run.cases.items()):
            continue
        place = (Fraction(found[0][i]) - middle) / half if half else Fraction(0)
        for number, known in {**run.known, **run.found}.items():
            if isinstance(known, Encoding):
                encoding = int(found[number][i]) - known.added
                assert encoding % (1 << known.cut) == 0, (number, encoding, known.cut)
                if not known.cut:
                    assert_in_form(number, Fraction(float_of(encoding)), place, known.of)
            elif isinstance(known, Double):
                assert_in_form(number, Fraction(found[number][i]), place, known)
            else:
                assert found[number][i] == known, (number, known)


def assert_in_form(number, value, place, double):
    """Assert that the value of a double is possible by its form."""
    off = value * ONE - sum(c * place**k for k, c in enumerate(double.form.p))
    assert abs(off) <= double.form.off(), (number, value)
    assert value / Fraction(2) ** min(double.grid, 2000) % 1 == 0, (number, value, double.grid)
    assert digits(value) <= double.bits, (number, value, double.bits)


def digits(x):
    """The number of bits in the significand of a dyadic number."""
    odd = abs(x.numerator)
    return (odd // (odd & -odd)).bit_length() if odd else 0


def look_at(draw, count=12):
    """Check one random program on one cell; return the number of values that the checker found."""
    cell, bound, places, beside = arguments(draw, count)
    whole = Traced(program(draw, draw.randrange(2, 12)), np.array([draw.uniform(-2.0, 2.0) for _ in range(8)]))
    n = draw.randrange(8) + 8 * draw.randint(-200, 200)
    found = concrete.values(whole, places, beside, np.full(count, n))
    try:
        runs = list(evaluations(whole, cell, bound, n))
    except Undecided:  # arguments finer than its unit
        return 0
    for run in runs:
        assert_forms_true(run, found, cell)
    return sum(len(run.found) for run in runs)


@pytest.mark.parametrize("part", range(2))
def test_values_of_random_programs_lie_within_their_forms(part):
    draw = random.Random(f"second {part}")
    assert sum(look_at(draw) for _ in range(100)) > 500


def halved_symbols(patch):
    right = Evaluation.symbol
    patch.setattr(Evaluation, "symbol", lambda run, bound: right(run, bound >> 1))


def cells_without_their_ends(patch):
    patch.setattr(Form, "wiggle", lambda form: sum(map(abs, form.p[2:])))


def look_at_many():
    for seed in range(300):
        look_at(random.Random(seed))


@pytest.mark.parametrize("fault", [halved_symbols, cells_without_their_ends])
def test_a_fault_of_the_checker_shows(fault, monkeypatch):
    """With the fault, values of some random program lie outside their forms."""
    fault(monkeypatch)
    with pytest.raises(AssertionError, match=r"^\(\d+, "):
        look_at_many()
