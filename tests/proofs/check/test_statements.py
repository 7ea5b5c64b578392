"""The independent checker accepts a sample of the statements of every lemma."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

pytest.importorskip("flint")

from proofs import check
from tests.cases import for_each, some
from tests.proofs.check.samples import BITS, COUNT, FINEST, FIXED, GREATEST, LARGEST, SHORTER, choices, short
from tests.proofs.proofs_of import KERNELS, lemmas_of


def checked(lemma, *which):
    """The largest share of a bound by the checker."""
    return check.share(check.Traced(lemma.traced.program, lemma.traced.tables), *which)


def shares(phase, name, lemma, part):
    """The shares of sampled statements on short cells, for a part of a sample; None where the checker cannot decide."""
    draw = random.Random(5)
    finest = FINEST.get((phase, name, lemma.name), 2.0**-200)
    units = [s for s in lemma.over if dict(s.parameters).get("of") != "k" or s.i <= GREATEST]
    largest = LARGEST.get((phase, name, lemma.name), math.inf)
    within_reach = [s for s in units if s.low == s.high == 0.0 or finest < max(abs(s.low), abs(s.high)) <= largest]
    for s in some(within_reach, max(COUNT[phase] // part, 2)):
        statement = lemma.statement(s)
        for q, i in choices(statement, draw):
            k, fixed = FIXED.get((phase, name, lemma.name), lambda _s, q, _i: (q, {}))(s, q, i)
            bits = SHORTER.get((phase, name, lemma.name), SHORTER.get((phase, lemma.name), BITS[phase]))
            ends = short(s, bits, draw)
            try:
                yield checked(lemma, statement, ends, check.Case(k, i, fixed)), s, k
            except check.Undecided as why:
                yield None, s, why


def accepted(phase, name, part):
    """The independent checker accepts sampled statements of every lemma of a kernel."""
    for lemma in lemmas_of(phase, name):
        found = list(shares(phase, name, lemma, part))
        undecided = [(s, why) for share, s, why in found if share is None]
        assert len(undecided) <= max(len(found) // 10, 1), (lemma.name, undecided[:3])
        assert all(share is None or share <= Fraction(1) for share, *_ in found), (
            lemma.name,
            max(found, key=lambda one: one[0] or 0),
        )


@pytest.mark.slow
@pytest.mark.timeout(900)
@for_each(("phase", "name"), KERNELS[::2])
def test_an_independent_checker_accepts_sampled_statements(phase, name):
    accepted(phase, name, part=12)


@pytest.mark.exhaustive
@for_each(("phase", "name"), KERNELS)
def test_an_independent_checker_accepts_a_larger_sample(phase, name):
    accepted(phase, name, part=1)
