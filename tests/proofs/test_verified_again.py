"""Pieces of proofs hold for a second checker, which shares no code with the prover: every family's statements.

Each row: kernels, a part of their proofs, how a statement is asked for on a cell, and which pieces there are.
"""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

pytest.importorskip("flint")

from proofs.families.narrowed_sums import CONTRACTS as RISES
from proofs.statements import EnclosedSum, Known
from tests.cases import for_each, some
from tests.proofs import second_sums
from tests.proofs.proofs_of import parts_of
from tests.proofs.second_checker import verified


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


# powers

POWERS = ("pow", "powr", "pown", "rootn")


def with_factor(part, which, ends, draw):
    """A number y, or n, of a piece of products or quotients, and the ends of the logarithms that go with it."""
    if part.name == "product":
        return which * 2.0 ** draw.uniform(*part.family.powers), *ends
    binade, sign = which
    factor = math.copysign(draw.randint(2, 2 ** draw.randint(2, 31)), ends[0])
    return factor, *sorted(sign * math.ldexp(1.0, binade + i) / factor for i in range(2))


@pytest.mark.slow
@for_each("name", POWERS)
def test_products_are_verified_again(name):
    """For random numbers y, or n."""
    parts, draw = parts_of("fine", name), random.Random(1)
    part = parts.get("product") or parts["quotient"]
    for which, *ends in some(part.pieces(), 20):
        factor, low, high = with_factor(part, which, ends, draw)
        if part.name == "product":
            high = low + (high - low) / 64  # p_lo is what the checker knows as a range
        answer = verified(part.traced, part.statement(low, high, factor), low, high)
        assert answer.holds, (which, factor, float(answer.share))


def between_ties(ends, draw):
    """A short cell, where something is left, which is not so next to 0 and to ties."""
    n, side = round(256 * (at := Fraction(draw.uniform(*ends)))), 1 if 256 * at > round(256 * at) else -1
    first, last = sorted((n + Fraction(sixteenth, 16) * side) / 256 for sixteenth in (1, 7))
    low, high = max(first, Fraction(ends[0])), min(last, Fraction(ends[1]))
    assert low < high
    at = Fraction(draw.uniform(float(low), float(high)))
    return at, min(high, at + Fraction(1, 2048))


@pytest.mark.slow
@for_each(("name", "part"), [*((name, "reduction") for name in POWERS), ("tgamma", "reduction of the power")])
def test_reductions_are_verified_again(name, part):
    one, draw = parts_of("fine", name)[part], random.Random(1)
    for _, *ends in some([piece for piece in one.pieces() if min(map(abs, piece[1:])) >= 1 / 4096], 10):
        at, end = between_ties(ends, draw)
        answer = verified(one.traced, one.statement(*ends), at, end)
        assert answer.holds, (float(at), float(answer.share))


@pytest.mark.slow
@for_each("name", [*POWERS, "tgamma"])
def test_powers_of_fine_kernels_are_verified_again(name):
    """From r and r_lo on, with no error of p: that p_err is added to the bound is seen by others."""
    family, draw = parts_of("fine", name)["power"].family, random.Random(1)
    r, r_lo = family.turned
    for j in draw.sample(range(256), 6):
        known = Known(r, -300, ((r_lo, RISES.reach_lo),))
        numbers = (family.n, j), (family.p_err, 0.0)
        statement = EnclosedSum(known, numbers, 256, ((1.0, j, 1),), (), RISES.off, family.parts[:2], family.parts[2])
        cell = within(draw, -RISES.reach, RISES.reach, 50)
        found = second_sums.share(family.traced, statement, *cell)
        assert found <= 1, (j, cell, float(found))
