"""The prover's cells again: by a checker that shares no code with it, and by the kernels' own values on them."""

from __future__ import annotations

import functools
from fractions import Fraction

import numpy as np
import pytest

flint = pytest.importorskip("flint")

from proofs.engine import proof  # noqa: E402
from proofs.engine.execution import Execution, Power, Residue  # noqa: E402
from proofs.engine.models import precisely  # noqa: E402
from proofs.families import PROOFS  # noqa: E402
from tests.cases import for_each  # noqa: E402
from tests.proofs import concrete  # noqa: E402
from tests.proofs.contained import assert_contained  # noqa: E402
from tests.proofs.second_checker import verified  # noqa: E402

KERNELS = ("quick_exp", "double_exp")
POINTS = 4000
LOOKED_AT = 150  # of these, every value of the trace


def proof_of(kernel):
    """The parts of the proof of ``double_exp`` and the like."""
    rung, name = kernel.split("_")
    return PROOFS[rung, name](name)


@functools.cache
def parts(kernel):
    """(reduction, power) of a kernel."""
    return proof_of(kernel)


def cells_of(part, piece):
    """(low, high, ratio, executions) of the prover's cells of a piece, whose ends are fractions."""
    seen = []

    class Watched(Execution):
        def __init__(self, *values):
            super().__init__(*values)
            seen.append(self)

    found, original = [], proof._ratio

    def ratio(part, which, low, high):
        seen.clear()
        share, lemmas = original(part, which, low, high)
        found.append((_fraction(low), _fraction(high), share, tuple(seen)))
        return share, lemmas

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proof, "_ratio", ratio)
        patch.setattr(proof, "Execution", Watched)
        outcome = proof.prove(part, 1, [piece])
    assert not outcome.failed
    cells = [(low, high, share, runs) for low, high, share, runs in found if share <= proof.WANTED]
    assert sum(high - low for low, high, *_ in cells) == Fraction(piece[2]) - Fraction(piece[1])  # none is left out
    return cells


def _fraction(x):
    mantissa, exponent = x.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


@pytest.mark.slow
@for_each("kernel", KERNELS)
def test_cells_of_powers_are_verified_again(kernel, draw):
    """All cells of one piece in a hundred, and those next to 1, below which doubles lie closer than above."""
    _, part = parts(kernel)
    pieces = list(part.pieces())
    beside_one = [piece for piece in pieces if piece[0] == 0]
    for which, *piece in beside_one + draw.sample(pieces, len(pieces) // 100 + 1):
        for low, high, share, _ in cells_of(part, (which, *piece)):
            answer = verified(part.traced, part.statement(which), low, high, Fraction(99, 100))
            assert answer.holds, (which, float(low), float(high), share, float(answer.share))


@pytest.mark.slow
@for_each("kernel", KERNELS)
def test_reductions_are_verified_again(kernel, draw):
    """On short cells within pieces, for a long one holds thousands of multiples of ln 2."""
    part, _ = parts(kernel)
    for which, low, high in draw.sample(list(part.pieces()), 12):
        assert not proof.prove(part, 1, [(which, low, high)]).failed
        at = Fraction(draw.uniform(low, high))
        wide = min(Fraction(high), at + Fraction(1, 2048))
        answer = verified(part.traced, part.statement(which, low, high), at, wide, deepest=14)
        assert answer.holds, (which, float(at), float(answer.share))


@for_each("kernel", KERNELS)
def test_statements_say_what_the_prover_is_given(kernel):
    for part in parts(kernel):
        for which, low, high in list(part.pieces())[::50]:
            cell = part.cell(which, flint.arb(low), flint.arb(high))
            given = part.setting(which, cell).given
            is_power = part.name == "power"
            known = (part.statement(which) if is_power else part.statement(which, low, high)).known
            named = [known.argument, *known.false, *(n for n, *_ in (*known.bounded, *known.residues))]
            assert sorted(named) == sorted(given)
            assert given[known.argument].grid == known.grid
            for number, bound in known.bounded:
                assert given[number].model.range().abs_upper() <= flint.arb(bound) * (1 + flint.arb(2) ** -20)
            for number, rest, modulus in known.residues:
                assert given[number] == (Residue(rest, modulus) if modulus > 1 else Power())
            assert all(given[number] is False for number in known.false)


# the kernel's own values


def arguments_for(part, which, low, high, draw):
    """Arguments whose rests lie in the cell, at its ends too, with the entry ``which`` of the table."""
    family = part.family
    numbers = np.random.default_rng(draw.getrandbits(32))
    r = np.concatenate([numbers.uniform(float(low), float(high), POINTS), [float(low), float(high)] * 50])
    top = int(family.top / np.log(2)) - 1
    n = which + family.steps * numbers.integers(-top, top, r.size)
    x = n * np.log(2) / family.steps + r
    x = x[(np.abs(x) >= family.least) & (np.abs(x) <= family.top)]
    found = concrete.values(part.traced, x)
    rest, entry = found[family.rest[0]], found[family.n] % family.steps
    ends = np.array([float(low), float(high)])
    inside = (entry == which) & (rest >= ends[0]) & (rest <= ends[1])
    return x[inside]


@for_each("kernel", KERNELS)
def test_values_of_the_trace_lie_within_their_models(kernel, draw):
    precisely()
    _, part = parts(kernel)
    which, *piece = draw.choice(list(part.pieces()))
    low, high, _, runs = draw.choice(cells_of(part, (which, *piece)))
    x = arguments_for(part, which, low, high, draw)[-LOOKED_AT:]
    assert len(x) > LOOKED_AT // 2
    found = concrete.values(part.traced, x)
    assert runs
    for run in runs:
        assert_contained(run, found, part.family.rest[0], found[part.family.n] // part.family.steps)


@for_each("kernel", KERNELS)
def test_values_of_the_reduction_lie_within_their_models(kernel, draw):
    precisely()
    part, _ = parts(kernel)
    for piece in draw.sample(list(part.pieces()), 5):
        low, high, _, runs = draw.choice(cells_of(part, piece))
        x = np.array([float(low), float(high), *(draw.uniform(float(low), float(high)) for _ in range(40))])
        x = x.astype(np.float32).astype(np.float64) if part.family.in_one else x  # quick kernels have floats
        found = concrete.values(part.traced, x[(x >= float(low)) & (x <= float(high))])
        assert runs
        for run in runs:
            assert_contained(run, found, 0, np.zeros(len(found[0]), int))


@for_each("kernel", KERNELS)
def test_reductions_leave_the_values_that_powers_are_given(kernel, draw):
    """Of all ordinary arguments, and of none besides: rests, their grid, the exponent's range, special conditions."""
    part, _ = parts(kernel)
    family = part.family
    numbers = np.random.default_rng(draw.getrandbits(32))
    ends = np.array([family.least, family.top])
    near = np.concatenate([ends, np.nextafter(ends, 0), np.nextafter(ends, np.inf), [5e-324, 0.0, np.inf, 1e308]])
    sizes = np.concatenate([near, 2.0 ** numbers.uniform(-70, 12, POINTS), numbers.uniform(0, family.top, POINTS)])
    x = np.concatenate([sizes, -sizes])
    found = concrete.values(part.traced, x)
    ordinary = ~np.any([found[number] for number in family.special], axis=0)
    assert np.array_equal(ordinary, (np.abs(x) >= family.least) & (np.abs(x) <= family.top))
    for number, bound in zip(family.rest, (family.reach, family.reach_lo), strict=False):
        assert np.all(np.abs(found[number][ordinary]) <= bound)
    scaled = found[family.rest[0]][ordinary] * 2.0**-family.grid
    assert np.array_equal(scaled, np.rint(scaled))
    assert np.all(np.abs(found[family.n][ordinary]) <= family.steps * family.most)
