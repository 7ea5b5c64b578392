"""Every certificate is of the kernel that is here; it holds when proven again, and half of its bound does not.

Faults in kernels are in test_faults_in_kernels, real errors in test_real_errors.
"""

import importlib
import inspect
from dataclasses import replace

import pytest

pytest.importorskip("flint")

from benchmarks.attack.arguments import named_cell
from clmath.ir.program import Statement, Value
from clmath.kernels import PHASES
from proofs.certificates import PROVER, certificate, digest
from proofs.engine import proof
from proofs.engine.proof import prove, second_functions
from proofs.engine.traced import traced
from tests.cases import for_each, some
from tests.proofs import faults
from tests.proofs.proofs_of import KERNELS, lemmas_of
from website.proven import second_functions_of

of_each = pytest.mark.parametrize(
    ("phase", "name"),
    [pytest.param(*one, marks=pytest.mark.exhaustive if i % 8 else pytest.mark.slow) for i, one in enumerate(KERNELS)],
)  # all kernels in one tier or the other
AGAIN = 5  # subintervals of each part that are proven again, evenly spaced, in addition to the worst cell
SMALL = 2.0**-12  # share of a subinterval
BOUNDS = {2: (1,), 3: (2,), 4: (2,), 8: (2, 6)}  # which outputs are bounds, by how many there are
PAIRED = {4: (1, 3)}  # outputs of enclosures of two values in one double each


# certificates


@pytest.mark.parametrize(
    "kernels",
    [pytest.param(KERNELS[::8], id="every eighth"), pytest.param(KERNELS, id="all", marks=pytest.mark.slow)],
)
def test_certificates_are_of_the_kernels(kernels):
    for phase, name in kernels:
        assert_certificate_is_of_this_kernel(phase, name)


def assert_certificate_is_of_this_kernel(phase, name):
    found, parts = certificate(phase, name), lemmas_of(phase, name)
    assert found is not None, f"python -m proofs {name} --out tables/certificates"
    assert found["program"] == digest(parts), "the kernel or a table has changed since it was proven"
    refining = found.get("refining", "")
    assert refining == digest(parts, refining=True), "the function that refines results has changed since"
    assert [part["name"] for part in found["parts"]] == [part.name for part in parts]
    for part in found["parts"]:
        assert not part["failed"]
        assert 1 <= part["prover"] <= PROVER
        assert part["cells"] > 0
        assert part["worst"] <= 1.0
    least = 0.05 if phase == "narrowing" else 0.1  # bounds of narrowing kernels have more to spare
    assert max(part["worst"] for part in found["parts"]) > least


SECOND = [
    (kernel, name)
    for phase in PHASES.values()
    for kernel in phase.kernels.values()
    for name in sorted(second_functions_of(kernel))
]


def trace_of(kernel, name):
    """The trace of a second function: its inputs are doubles and perhaps an exponent, its outputs the enclosures'
    parts.
    """
    function = getattr(importlib.import_module(kernel.module), name)
    inputs = ["long" if argument == "exponent" else "double" for argument in inspect.signature(function).parameters]
    outputs = ["long" if part == "exponent" else "double" for part in kernel.parts]
    return traced(function, inputs, outputs * (1 if function is kernel.record.refine else kernel.results))


@pytest.mark.slow
@for_each(("kernel", "name"), SECOND)
def test_the_certificate_has_a_digest_of_each_second_function_that_its_proof_names(kernel, name):
    """And of none that it does not name."""
    parts = lemmas_of(kernel.phase, kernel.name)
    found = trace_of(kernel, name).digest in {part.traced.digest for part in parts}
    if (
        not found and kernel.record.refine and name == kernel.record.refine.__name__
    ):  # some are traced together with the kernel, or the functions that they call are
        found = any(part.traced.refines for part in parts)
    assert found == (name in second_functions(parts))


# proofs


@of_each
def test_sampled_subintervals_are_proven_again(phase, name):
    """Prove the worst cell of each part and a few subintervals; all subintervals are proven when a kernel changes."""
    known = {part["name"]: part for part in certificate(phase, name)["parts"]}
    for part in lemmas_of(phase, name):
        pieces = some(part.pieces(), AGAIN)
        outcome = prove(part, pieces)
        assert not outcome.failed
        assert outcome.cells >= len(pieces) > 0
        if worst := named_cell(part, known[part.name]["where"]) if known[part.name]["where"] else None:
            again = prove(part, [worst])
            assert not again.failed
            assert again.worst <= max(known[part.name]["worst"] + 1e-4, proof.WANTED)


def bounds_of(program):
    """Which outputs are bounds."""
    kinds = [kind for kind, _ in program.outputs]
    return (PAIRED if set(kinds) == {"double"} else {}).get(len(kinds), BOUNDS.get(len(kinds), ()))


def with_halves(whole):
    """The trace with half of each bound."""
    program = whole.program
    statements, outputs, names = list(program.statements), list(program.outputs), dict(program.names)
    for i in bounds_of(program):
        kind, err = outputs[i]
        statements.append(Statement("double", "double.mul", (err, faults.double(0.5))))
        half = Value(len(program.inputs) + len(statements) - 1)
        outputs[i] = kind, half
        names |= {name: half for name, operand in names.items() if operand == err}
    changed = replace(program, statements=tuple(statements), outputs=tuple(outputs), names=names)
    return replace(whole, program=changed)


def halved(part):
    """The part of a proof with half of each bound."""
    return replace(part, traced=with_halves(part.traced))


def in_worst(part, proven):
    """The worst cell of a part, and its first subintervals."""
    pieces = list(part.pieces())
    worst = named_cell(part, proven[part.name]["where"]) if proven[part.name]["where"] else None
    return [worst, *pieces[:5]] if worst else pieces[:6]


def in_last(part, _):
    """The last subintervals, often of the largest arguments: many errors come closest to their bounds there."""
    return list(part.pieces())[:-6:-1]


def in_some(part, _):
    """Other pieces."""
    return some(part.pieces(), 400)


def is_refused(part, pieces):
    """Whether the proof succeeds at an end of a subinterval, and fails there with half of the bound."""
    half = halved(part)
    for which, low, high in pieces:
        size = (high - low) * SMALL
        for small in ((which, low, low + size), (which, high - size, high)):
            if not faults.is_proven(half, small) and faults.is_proven(part, small):
                return True
    return False


@of_each
def test_half_of_a_bound_is_refused(phase, name, monkeypatch):
    """Bounds are at most twice as large as their proofs need."""
    monkeypatch.setattr(proof, "DEEPEST", 1)  # further halving of small subintervals shows nothing new
    proven = {part["name"]: part for part in certificate(phase, name)["parts"]}
    parts = [part for part in lemmas_of(phase, name) if bounds_of(part.traced.program) and not part.traced.refines]
    parts.sort(key=lambda part: -proven[part.name]["worst"])
    assert any(is_refused(part, pieces(part, proven)) for pieces in (in_worst, in_last, in_some) for part in parts)
