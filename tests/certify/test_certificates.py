"""Certificates speak of the kernels that are here, hold when they are proven again, and faults in kernels have none."""

import functools
import importlib
import inspect
import math
import random

import numpy as np
import pytest

pytest.importorskip("flint")


from clmath.certify.certificates import PROVER, certificate, digest
from clmath.certify.proof import is_refining, prove, second_functions
from clmath.certify.proofs import PROOFS
from clmath.certify.traced import Traced, traced
from clmath.engines.device.program import Constant, Place, Program
from clmath.kernels import RUNGS
from clmath.kernels.double import exponential as double
from clmath.kernels.quick import exponential as quick
from tests.cases import for_each
from tests.certify import planted
from website.proofs import second_functions_of

KERNELS = sorted(PROOFS)
PARTS = [(*kernel, i) for kernel in KERNELS for i in range(len((certificate(*kernel) or {"parts": ()})["parts"]))]


@functools.cache
def parts_of(rung, name):
    """The parts of a kernel's proof."""
    return PROOFS[rung, name](name)


SECOND = [
    (kernel, name)
    for rung in RUNGS.values()
    for kernel in rung.kernels.values()
    for name in sorted(second_functions_of(kernel))
]


def trace_of(kernel, name):
    """A second function: numbers in, but for an exponent, and the parts of enclosures out."""
    function = getattr(importlib.import_module(kernel.module), name)
    inputs = ["long" if argument == "exponent" else "double" for argument in inspect.signature(function).parameters]
    outputs = ["long" if part == "exponent" else "double" for part in kernel.parts]
    return traced(function, inputs, outputs * (1 if name == kernel.refining else kernel.results))


@for_each(("kernel", "name"), SECOND)
def test_second_functions_of_which_a_proof_says_that_it_speaks_are_those_of_its_certificate(kernel, name):
    """They are among the programs that the certificate has a digest of; those that are not named are not."""
    parts = parts_of(kernel.rung, kernel.name)
    digests = {part.traced.digest for part in parts}
    found = trace_of(kernel, name).digest in digests
    if not found and name == kernel.refining:  # some are traced together with the kernel, or what they call is
        found = any(map(is_refining, parts))
    assert found == (name in second_functions(parts))


def code(x):
    """A constant as a program has it."""
    return Constant("double", int(np.float64(x).view(np.int64)))


@for_each(("rung", "name"), KERNELS)
def test_the_certificate_is_of_this_kernel(rung, name):
    found = certificate(rung, name)
    assert found is not None, f"python -m clmath.certify {name} --out tables/certificates"
    parts = parts_of(rung, name)
    assert found["program"] == digest(parts), "the kernel or a table has changed since it was proven"
    refining = found.get("refining", "")
    assert refining == digest(parts, refining=True), "what refines results of the kernel has changed since"
    assert found["prover"] == PROVER
    assert [part["name"] for part in found["parts"]] == [part.name for part in parts_of(rung, name)]
    for part in found["parts"]:
        assert not part["failed"]
        assert part["cells"] > 0
        assert part["worst"] <= 1.0
    least = 0.05 if rung == "fine" else 0.1  # bounds of fine kernels have more to spare
    assert max(part["worst"] for part in found["parts"]) > least


@for_each(("rung", "name", "i"), PARTS)
def test_pieces_are_proven_again(rung, name, i, request):
    """One in 80, in a run of every row one in 40: ``.ci/run`` proves all pieces of a kernel that was proven anew."""
    part = parts_of(rung, name)[i]
    pieces = list(part.pieces())
    count = max(2, len(pieces) // (40 if False else 80))
    draw = random.Random(f"{20261129} {request.node.nodeid}")
    drawn = draw.sample(pieces, min(count, len(pieces)))
    outcome = prove(part, 1, drawn)
    assert not outcome.failed
    assert outcome.cells >= len(drawn) > 0


def with_constants(program, change):
    """The program with each constant ``change`` of it, None for as it is."""
    statements = tuple(
        s._replace(operands=tuple((isinstance(o, Constant) and change(o)) or o for o in s.operands))
        for s in program.statements
    )
    return Program(program.inputs, statements, program.outputs)


def other_constant(old, new):
    return lambda whole: Traced(with_constants(whole.program, {code(old): code(new)}.get), whole.tables)


def other_constants(changed):
    table = {code(old): code(new) for old, new in changed.items()}
    return lambda whole: Traced(with_constants(whole.program, table.get), whole.tables)


def other_entry(entry, by):
    """The first table's entry moved ``by`` places."""

    def altered(whole):
        first = min(o.first for s in whole.program.statements for o in s.operands if isinstance(o, Place))
        tables = whole.tables.copy()
        tables[first + entry] = np.nextafter(tables[first + entry], math.inf * by)
        return Traced(whole.program, tables)

    return altered


def swapped(whole):
    """The last fast_two_sum with its operands in the wrong order: (b - s) + a for (a - s) + b."""
    inputs, statements = len(whole.program.inputs), list(whole.program.statements)
    for i in range(len(statements) - 1, -1, -1):
        if statements[i].operation != "double.add" or whole.shapes.lemma(inputs + i) is None:
            continue
        back, b = statements[i].operands
        a, s = statements[back.number - inputs].operands
        statements[back.number - inputs] = statements[back.number - inputs]._replace(operands=(b, s))
        statements[i] = statements[i]._replace(operands=(back, a))
        return Traced(Program(whole.program.inputs, tuple(statements), whole.program.outputs), whole.tables)
    raise AssertionError("no fast_two_sum")


def raised(c, bits):
    return c * (1.0 + 2.0**-bits)


FAULTS = {
    "double exp: coefficient": ("double", "exp", other_constant(double.EXP_TAIL[0], raised(0.5, 50))),
    "double exp: second coefficient": ("double", "exp", other_constant(double.EXP_TAIL[1], raised(1 / 6, 40))),
    "double exp: bound halved": (
        "double",
        "exp",
        other_constants({double.LEAST: double.LEAST / 2, double.GROWTH: double.GROWTH / 2}),
    ),
    "double exp: entry one ulp up": ("double", "exp", other_entry(37, 1)),
    "double exp: entry one ulp down": ("double", "exp", other_entry(200, -1)),
    "double exp: reduction without its last term": ("double", "exp", other_constant(double.LN2_STEP[2], 0.0)),
    "double exp: sum in the wrong order": ("double", "exp", swapped),
    "double exp2: logarithm of 2": ("double", "exp2", other_constant(double.LN2[1], raised(double.LN2[1], 40))),
    "double exp10: logarithm of 10": ("double", "exp10", other_constant(double.LN10[1], raised(double.LN10[1], 40))),
    "quick exp: coefficient": ("quick", "exp", other_constant(quick.EXP_SLOPE[1], raised(0.5, 40))),
    "quick exp: last coefficient": (
        "quick",
        "exp",
        other_constant(quick.EXP_SLOPE[-1], raised(quick.EXP_SLOPE[-1], 4)),
    ),
    "quick exp: bound halved": ("quick", "exp", other_constant(quick.BOUND, quick.BOUND / 2)),
    "quick exp: reduction without its last term": ("quick", "exp", other_constant(quick.LN2_LO * 128.0, 0.0)),
    "quick exp10: reduction": ("quick", "exp10", other_constant(quick.LOG2_10_LO, 0.0)),
}


def shown(part):
    """The pieces that faults are sought in."""
    pieces = list(part.pieces())
    return [piece for piece in pieces if piece[0] in {0, 5, 37, 200, "+"}] if len(pieces) > 300 else pieces


@pytest.mark.slow
@for_each("fault", FAULTS)
def test_a_kernel_with_a_fault_is_not_proven(fault):
    rung, name, alter = FAULTS[fault]
    parts = parts_of(rung, name)
    assert alter(parts[0].traced).digest != parts[0].traced.digest
    assert planted.is_found(alter, parts, shown)
