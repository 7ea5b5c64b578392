"""Exponents of the numbers of a cell, and integers with a known remainder, compared with NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

flint = pytest.importorskip("flint")

from clmath.ir.primitives import bits  # noqa: E402
from proofs.engine.execution import Execution, Power, Real, _are_doubles  # noqa: E402
from proofs.engine.models import Cell, Unproven, precisely, upper  # noqa: E402
from proofs.engine.traced import traced  # noqa: E402
from proofs.terms import Encoding, Residue  # noqa: E402
from tests.cases import for_each  # noqa: E402
from tests.proofs.engine import results  # noqa: E402


@pytest.fixture(autouse=True)
def _precise():
    precisely()


def found(function, given, cell):
    """The prover's result for a function of one argument on the cell."""
    kind = "double" if isinstance(given, Real) else "long"
    whole = traced(function, (kind,), ("long",))
    return results.result(Execution(whole.program, whole.tables, whole.shapes, cell, {0: given}), 0)


@for_each("ends", [(8, 15), (8, 16), (7, 15), (-15, -8), (-16, -8), (-8, 8), (0, 7), (12, 12)])
@for_each("grid", [-1026, -1000, -60, 0, 1000, 1020, 1021])
def test_an_exponent_is_known_if_all_numbers_have_it(ends, grid):
    """The multiples of 2^grid between the ends have one exponent (a binade), several, or are not normal doubles."""
    unit = flint.arb(2) ** grid
    cell = Cell(ends[0] * unit, ends[1] * unit)
    with np.errstate(over="ignore"):
        x = np.ldexp(np.arange(ends[0], ends[1] + 1, dtype=np.float64), grid)
    exponents = set((x.view(np.int64) >> 52).tolist())
    normal = np.all((np.abs(x) >= 2.0**-1022) & np.isfinite(x))
    try:
        answer = found(lambda x: bits(x) >> 52, Real(cell.argument(), grid), cell)
    except Unproven:
        assert len(exponents) > 1 or not normal or abs(grid) > 1000
    else:
        assert exponents == {answer}
        assert normal


@for_each("modulus", [2, 4, 16])
@for_each("rest", range(-3, 20))
def test_integers_of_a_known_remainder(modulus, rest):
    """N = rest + modulus k for every k: sums, shifts and masks of them."""
    cell, top = Cell(flint.arb(1), flint.arb(1)), 65 - modulus.bit_length()
    multiples = np.arange(-40, 40)
    n = rest + modulus * multiples
    for added in (-5, 0, 1, 3, modulus):
        for shift in range(modulus.bit_length()):
            answer = found(lambda n, a=added, s=shift: (n + a) >> s, Residue(rest, modulus), cell)
            if isinstance(answer, Power):
                assert 1 << shift == modulus
                assert np.array_equal((n + added) >> shift, answer.sign * multiples + answer.added)
            else:
                assert np.array_equal((n + added) >> shift, answer.rest + answer.modulus * multiples)
        answer = found(lambda n, a=added: (n + a) & (modulus - 1), Residue(rest, modulus), cell)
        assert set(((n + added) & (modulus - 1)).tolist()) == {answer}
        answer = found(lambda n, a=added: (n + a) << top, Residue(rest, modulus), cell)
        assert set(((n + added) << top).tolist()) == {answer}
    answer = found(lambda n: -n >> 1, Encoding(rest, 1, modulus), cell)
    assert np.array_equal(-n >> 1, answer.first + answer.period * multiples)


@for_each("grid", [-2000, -1141, -1074, -1054, -1053, -100])
def test_numbers_of_more_bits_than_doubles_are_rounded_at_any_size(grid):
    """Multiples of 2^grid up to 2^53 2^grid are doubles, times a power of two; (2^53 + 1) 2^grid is not."""
    unit = flint.arb(2) ** grid
    for most, is_exact in ((2**53, True), (2**53 + 1, False), (2**60, False)):
        cell = Cell(-most * unit, most * unit)
        assert _are_doubles(cell.argument(), upper(most * unit), grid) == is_exact
