"""Half of the bound of every kernel is refused: bounds are no larger than twice what their proofs need.

It is one fault: a run takes some of the kernels, by the mark.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

pytest.importorskip("flint")

from benchmarks.attack.arguments import named_cell
from clmath.certify import proof
from clmath.certify.certificates import certificate
from clmath.certify.proof import is_refining
from clmath.certify.proofs import PROOFS
from clmath.engines.device.program import Statement, Value
from tests.cases import for_each
from tests.certify import planted

PIECES = 400  # of each part, at most
SMALL = 2.0**-12  # of a piece
BOUNDS = {2: (1,), 3: (2,), 4: (2,), 8: (2, 6)}  # which outputs are bounds, by how many there are
PAIRED = {4: (1, 3)}  # the same of two values in one double each


def bounds_of(program):
    """Which outputs are bounds."""
    kinds = [kind for kind, _ in program.outputs]
    return (PAIRED if set(kinds) == {"double"} else {}).get(len(kinds), BOUNDS.get(len(kinds), ()))


def with_halves(traced):
    """The trace with half of each bound."""
    program = traced.program
    statements, outputs = list(program.statements), list(program.outputs)
    for i in bounds_of(program):
        kind, err = outputs[i]
        statements.append(Statement("double", "double.mul", (err, planted.double(0.5))))
        outputs[i] = kind, Value(len(program.inputs) + len(statements) - 1)
    return replace(traced, program=replace(program, statements=tuple(statements), outputs=tuple(outputs)))


def holder_of(part):
    """By which name a part has what has the trace: none where it is itself."""
    return next((name for name in ("family", "places") if hasattr(part, name)), None)


def of_kernel(part):
    """The trace that the part is of."""
    holder = holder_of(part)
    return getattr(part, holder).traced if holder else part.traced


def halved(part):
    """The part of a proof with half of each bound."""
    holder, change = holder_of(part), {"traced": with_halves(of_kernel(part))}
    return replace(part, **({holder: replace(getattr(part, holder), **change)} if holder else change))


def in_worst(part, proven):
    """The worst cell of a part, and the first pieces."""
    pieces = list(part.pieces())
    where = proven[part.name]["where"]
    worst = named_cell(part, where) if where else None
    return [worst, *pieces[:5]] if worst else pieces[:6]


def in_last(part, _):
    """The last pieces, largest arguments often: there many bounds are nearest to what is proven."""
    return list(part.pieces())[:-6:-1]


def in_some(part, _):
    """Other pieces."""
    pieces = list(part.pieces())
    return random.Random(1).sample(pieces, min(PIECES, len(pieces)))


def is_refused(part, pieces):
    """Whether at some end of a piece the proof succeeds, and does not with half of the bound."""
    half = halved(part)
    for which, low, high in pieces:
        size = (high - low) * SMALL
        for small in ((which, low, low + size), (which, high - size, high)):
            if not planted.is_proven(half, small) and planted.is_proven(part, small):
                return True
    return False


@pytest.mark.slow
@for_each(("rung", "name"), PROOFS)
def test_half_of_a_bound_is_refused(rung, name, monkeypatch):
    monkeypatch.setattr(proof, "DEEPEST", 1)  # halves of small pieces tell no more
    proven = {part["name"]: part for part in certificate(rung, name)["parts"]}
    parts = [part for part in PROOFS[rung, name](name) if bounds_of(of_kernel(part).program) and not is_refining(part)]
    parts.sort(key=lambda part: -proven[part.name]["worst"])
    assert any(is_refused(part, pieces(part, proven)) for pieces in (in_worst, in_last, in_some) for part in parts)
