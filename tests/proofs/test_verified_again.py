"""Pieces of proofs hold for a second checker, which shares no code with the prover: every family's statements.

Each row: kernels, a part of their proofs, how a statement is asked for on a cell, and which pieces there are.
"""

from __future__ import annotations

import math
import random

import pytest

pytest.importorskip("flint")

from tests.cases import for_each, some
from tests.proofs import second_sums
from tests.proofs.proofs_of import parts_of


def within(draw, low, high, bits=34):
    """A cell within ``low`` .. ``high``, 2^-``bits`` times as long as it is far from zero."""
    at = draw.uniform(min(abs(low), abs(high)), max(abs(low), abs(high)))
    width = 2.0 ** (math.frexp(at)[1] - bits)
    first = math.floor(at / width) * width
    first, last = max(first, min(abs(low), abs(high))), min(first + width, max(abs(low), abs(high)))
    return (first, last) if high > 0.0 else (-last, -first)


def any_piece(_):
    return True


def of_which(part, which, _cell, _draw):
    return part.statement(which)


def of_both(part, which, cell, _draw):
    return part.statement(which, *cell)


# sums of powers, sines and error functions: on short cells
SUMS = []


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
