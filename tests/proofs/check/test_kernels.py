"""The independent checker evaluates entire kernels without lemmas, and finds faults in them."""

from __future__ import annotations

import functools
import math
from dataclasses import replace

import pytest

pytest.importorskip("flint")

from clmath.ir.program import Statement, Value
from proofs.check import Traced, Undecided, kernels
from proofs.registry import PROOFS
from tests.cases import for_each
from tests.proofs import faults
from tests.proofs.check.cells import SIZES, TWO, cell

pytestmark = pytest.mark.slow


def function_of(name):
    """The built-in."""
    return name.removeprefix("ordinary ")


@functools.cache
def kernel_of(name):
    """An accurate kernel."""
    found = trace_of(name)
    return Traced(found.program, found.tables)


def trace_of(name):
    """The trace of a kernel in its proof."""
    parts = PROOFS["accurate", function_of(name)](function_of(name))
    if "gamma" in name:
        wanted = "values" + ", ordinary" * name.startswith("ordinary")
        return next(part.traced for part in parts if part.name == wanted)
    return next(part.traced for part in parts if len(part.traced.program.inputs) == 1 + (name in TWO))


def share(traced, name, ends, *others):
    """The largest share on a cell; where it seems to be wrong, of each double in it, and these are few, by itself."""
    whole = kernels.share(traced, name, ends, *others)
    if whole <= 1:
        return whole
    found = [ends[0]]
    while found[-1] < ends[1]:
        found.append(math.nextafter(found[-1], math.inf))
    return max(kernels.share(traced, name, (x, x), *others) for x in found)


@for_each("name", SIZES)
def test_values_are_verified_again(name, draw):
    for _ in range(2):
        where = cell(name, draw)
        found = share(kernel_of(name), function_of(name), *where)
        assert 0 < found <= 1, (where, float(found))


def with_a_small_bound(traced):
    """2^-40 of the bound."""
    program, (kind, err) = traced.program, traced.program.outputs[2]
    last = Value(len(program.inputs) + len(program.statements))
    smaller = Statement("double", "double.mul", (err, faults.double(2.0**-40)))
    outputs = (*program.outputs[:2], (kind, last), *program.outputs[3:])
    return replace(traced, program=replace(program, statements=(*program.statements, smaller), outputs=outputs))


@for_each("name", ["asinh", "atan2", "sin"])
def test_a_bound_that_is_too_small_is_seen(name, draw):
    """On one of a few cells: an error may happen to be small."""
    wrong = with_a_small_bound(kernel_of(name))
    assert any(is_seen(wrong, name, cell(name, draw)) for _ in range(4))


def is_seen(wrong, name, where):
    try:
        return kernels.share(wrong, name, *where) > 1
    except Undecided:
        return True


@pytest.mark.parametrize(("name", "other"), [("asinh", "atan"), ("asin", "atanh"), ("sin", "tan")])
def test_values_of_another_function_are_refused(name, other, draw):
    assert kernels.share(kernel_of(name), other, *cell("asin", draw)) > 1
