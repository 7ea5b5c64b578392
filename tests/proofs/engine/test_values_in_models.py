"""Values of kernels lie within the models that the prover has of them."""

from __future__ import annotations

import functools
from fractions import Fraction

import numpy as np
import pytest

flint = pytest.importorskip("flint")

from clmath.kernels.accurate import exponential as double  # noqa: E402
from clmath.kernels.fast import exponential as fast  # noqa: E402
from proofs.engine import proof  # noqa: E402
from proofs.engine.execution import Execution  # noqa: E402
from proofs.engine.models import precisely  # noqa: E402
from proofs.registry import PROOFS  # noqa: E402
from tests.cases import for_each  # noqa: E402
from tests.proofs import concrete  # noqa: E402
from tests.proofs.engine.contained import assert_contained  # noqa: E402

KERNELS = ("fast_exp", "accurate_exp")
STEPS = {"fast_exp": 1, "accurate_exp": 256}
SIZES = {"fast_exp": (fast.TINY, fast.TOP), "accurate_exp": (double.TINY, double.TOP)}
POINTS = 4000
LOOKED_AT = 150  # of these, every value of the trace


def proof_of(kernel):
    """The parts of the proof of ``double_exp`` and the like."""
    phase, name = kernel.split("_")
    return PROOFS[phase, name](name)


@functools.cache
def parts(kernel):
    """(reduction, power) of a kernel."""
    return proof_of(kernel)


def cells_of(part, piece):
    """The (low, high, ratio, executions) of each cell of a subinterval that the prover visits; ends are fractions."""
    seen = []

    class Watched(Execution):
        def __init__(self, *values):
            super().__init__(*values)
            seen.append(self)

    found, original = [], proof.Prover.ratio

    def ratio(prover, low, high):
        seen.clear()
        share, lemmas = original(prover, low, high)
        found.append((_fraction(low), _fraction(high), share, tuple(seen)))
        return share, lemmas

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proof.Prover, "ratio", ratio)
        patch.setattr(proof, "Execution", Watched)
        outcome = proof.prove(part, [piece])
    assert not outcome.failed
    cells = [(low, high, share, runs) for low, high, share, runs in found if share <= proof.WANTED]
    assert sum(high - low for low, high, *_ in cells) == Fraction(piece[2]) - Fraction(piece[1])  # none is left out
    return cells


def _fraction(x):
    mantissa, exponent = x.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


# the kernel's own values


def named(kernel, name):
    """The number of a marked value."""
    return parts(kernel)[0].traced.program.names[name].number


def arguments_for(kernel, j, low, high, draw):
    """Arguments whose rests lie in the cell, at its ends too, with the entry j of the table."""
    numbers, steps = np.random.default_rng(draw.getrandbits(32)), STEPS[kernel]
    r = np.concatenate([numbers.uniform(float(low), float(high), POINTS), [float(low), float(high)] * 50])
    least, greatest = SIZES[kernel]
    top = int(greatest / np.log(2)) - 1
    x = (j + steps * numbers.integers(-top, top, r.size)) * np.log(2) / steps + r
    x = x[(np.abs(x) >= least) & (np.abs(x) <= greatest)]
    found = concrete.values(parts(kernel)[0].traced, x)
    rest, entry = found[named(kernel, "r")], found[named(kernel, "n")] % steps
    return x[(entry == j) & (rest >= float(low)) & (rest <= float(high))]


@for_each("kernel", KERNELS)
def test_values_of_the_trace_lie_within_their_models(kernel, draw):
    precisely()
    _, part = parts(kernel)
    piece = draw.choice(list(part.pieces()))
    low, high, _, runs = draw.choice(cells_of(part, piece))
    x = arguments_for(kernel, piece[0].j, low, high, draw)[-LOOKED_AT:]
    assert len(x) > LOOKED_AT // 2
    found = concrete.values(part.traced, x)
    assert runs
    for run in runs:
        assert_contained(run, found, named(kernel, "r"), found[named(kernel, "n")] // STEPS[kernel])


@for_each("kernel", KERNELS)
def test_values_of_the_reduction_lie_within_their_models(kernel, draw):
    precisely()
    part, _ = parts(kernel)
    for piece in draw.sample(list(part.pieces()), 5):
        low, high, _, runs = draw.choice(cells_of(part, piece))
        x = np.array([float(low), float(high), *(draw.uniform(float(low), float(high)) for _ in range(40))])
        x = x.astype(np.float32).astype(np.float64) if kernel == "fast_exp" else x
        found = concrete.values(part.traced, x[(x >= float(low)) & (x <= float(high))])
        assert runs
        for run in runs:
            assert_contained(run, found, 0, np.zeros(len(found[0]), int))
