"""Pieces of proofs hold for a second checker, which shares no code with the prover: every family's statements.

Each row: kernels, a part of their proofs, how a statement is asked for on a cell, and which pieces there are.
"""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

pytest.importorskip("flint")

from proofs.families import narrowed_logarithms
from proofs.families.narrowed_sums import CONTRACTS as RISES
from proofs.statements import EnclosedSum, Known
from tests.cases import for_each, some
from tests.proofs import second_checker_of_enclosures, second_sums
from tests.proofs.proofs_of import parts_of
from tests.proofs.second_checker import verified

MOST = Fraction(99, 100)  # of a bound, where a whole piece is verified


def within(draw, low, high, bits=34):
    """A cell within ``low`` .. ``high``, 2^-``bits`` times as long as it is far from zero."""
    at = draw.uniform(min(abs(low), abs(high)), max(abs(low), abs(high)))
    width = 2.0 ** (math.frexp(at)[1] - bits)
    first = math.floor(at / width) * width
    first, last = max(first, min(abs(low), abs(high))), min(first + width, max(abs(low), abs(high)))
    return (first, last) if high > 0.0 else (-last, -first)


def any_piece(_):
    return True


def away_from_zero(bits):
    """Which pieces have no smaller arguments than 2^-bits: the checker's unit is not fine enough for these."""
    return lambda piece: min(abs(piece[1]), abs(piece[2])) >= 2.0**-bits and piece[1] < piece[2]


def is_wide_enough(piece):
    """Whether an angle in steps is not closer to a multiple of pi/2 than 2^-25, nor zero."""
    return piece[1] * piece[2] > 0 and (piece[0] % 512 != 0 or max(map(abs, piece[1:])) > 2.0**-25)


def of_which(part, which, _cell, _draw):
    return part.statement(which)


def of_both(part, which, cell, _draw):
    return part.statement(which, *cell)


# sums of powers, sines and error functions: on short cells
SUMS = [
    ("double", ("sin", "cos", "tan", "sincos"), "value", of_both, is_wide_enough, 44),
    ("double", ("atan", "atanpi"), "angles", of_which, lambda piece: piece[1] < piece[2], 44),
    ("fine", ("erf",), "square near zero", of_both, any_piece, 34),
    ("fine", ("erf",), "square beyond", of_both, any_piece, 34),
    ("fine", ("erf",), "power near zero", of_which, any_piece, 50),
    ("fine", ("erf",), "power beyond", of_which, any_piece, 50),
]


@pytest.mark.slow
@for_each(("rung", "names", "part", "statement", "is_within_reach", "bits"), SUMS)
def test_sums_are_verified_again(rung, names, part, statement, is_within_reach, bits):  # noqa: PLR0917
    draw = random.Random(1)
    for name in names:
        one = parts_of(rung, name)[part]
        for which, low, high in some([piece for piece in one.pieces() if is_within_reach(piece)], 8):
            cell = within(draw, 2.0**-30 if low < 0.0 < high else low, high, bits)
            found = second_sums.share(one.traced, statement(one, which, cell, draw), *cell)
            assert found <= 1, (name, which, cell, float(found))


# values of one polynomial, on whole pieces
WHOLE = [
    *(("double", name, "value") for name in ("sinpi", "cospi")),
]


@pytest.mark.slow
@for_each(("rung", "name", "part"), WHOLE)
def test_values_are_verified_again(rung, name, part):
    one = parts_of(rung, name)[part]
    for which, low, high in some(one.pieces(), 12):
        answer = verified(one.traced, one.statement(which), low, high, MOST)
        assert answer.holds, (which, low, high, float(answer.share))


@pytest.mark.slow
@for_each("name", ["cbrt", "hypot", "atan2", "atan2pi"])
def test_enclosures_are_verified_again(name):
    one = parts_of("quick", name)["angles" if name.startswith("atan2") else "root"]
    is_seen = away_from_zero(99)  # or zero itself
    pieces = [piece for piece in one.pieces() if is_seen(piece) or 0.0 in piece[1:]]
    for which, low, high in some(pieces, 10):
        answer = second_checker_of_enclosures.encloses(one.traced, one.statement(which), low, high, MOST)
        assert answer.holds, (which, low, high, float(answer.share))


@pytest.mark.slow
@for_each("kernel", ["asinh", "acosh", "atanh"])
def test_logarithms_of_sums_are_verified_again(kernel):
    parts = parts_of("quick", kernel)
    inside, of_sum, near = (parts[name] for name in ("inside", "sum", "near"))
    for which, low, high in some(inside.pieces(), 12):
        said = inside.statement(which, low, high)
        assert second_checker_of_enclosures.through_logarithm(inside.traced, said, low, high, MOST, deepest=7).holds
    for which, low, high in some(of_sum.pieces(), 12):
        said = of_sum.statement(which, low)
        assert second_checker_of_enclosures.logarithm_holds(of_sum.traced, said, low, high, MOST, deepest=7).holds
    for which, low, high in near.pieces():
        if low > 0.0:
            said = near.statement(which, low, high)
            assert second_checker_of_enclosures.small_logarithm_holds(near.traced, said, low, high, MOST).holds


RISING = {
    **dict.fromkeys(("log", "log2", "log10"), narrowed_logarithms._RISE_OFF),
    **dict.fromkeys(("log1p", "asinh", "acosh", "atanh"), RISES.rise_off),
}


@pytest.mark.slow
@for_each("name", RISING)
def test_growth_in_logarithms_is_verified_again(name):
    """From r and r_lo on: e^r - 1, on short cells."""
    family, draw = parts_of("fine", name)["rise"].family, random.Random(1)
    r, r_lo = family.turned
    known, terms = Known(r, -300, ((r_lo, 2.0**-62),)), ((1.0, 0, 1), (-1.0, 0, 0))
    statement = EnclosedSum(known, (), 256, terms, (), 0.0, family.rise, family.rise[0], RISING[name])
    for _ in range(6):
        cell = within(draw, *sorted((draw.choice((1, -1)) * 2.0**-30, draw.choice((1, -1)) * 0.00135)), 50)
        found = second_sums.share(family.traced, statement, *cell)
        assert found <= 1, (cell, float(found))
