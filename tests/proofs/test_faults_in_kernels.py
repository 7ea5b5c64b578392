"""Proofs find faults in kernels: a part's proof fails with the fault on a subinterval where it succeeds without."""

from __future__ import annotations

import functools

import pytest

pytest.importorskip("flint")

from proofs.terms import Subinterval
from tests.cases import some
from tests.proofs import faults, faults_of_accurate, faults_of_fast, faults_of_narrowing
from tests.proofs.proofs_of import parts_of

TABLES = {"fast": faults_of_fast.FAULTS, "accurate": faults_of_accurate.FAULTS, "narrowing": faults_of_narrowing.FAULTS}
FAULTS = {phase: faults.of_each_kernel(table) for phase, table in TABLES.items()}
KERNELS = sorted({(phase, fault.partition(":")[0].partition(",")[0]) for phase in FAULTS for fault in FAULTS[phase]})
PIECES, ALL = 40, 1 << 30  # of a part, evenly spaced, that faults are sought in; then in all


def pieces_of(part, at=None, most=PIECES):
    """The subintervals that contain the argument (float) or depend on the integers ``at``, else a sample."""
    pieces = list(part.pieces())
    if isinstance(at, float):
        return [piece for piece in pieces if piece[1] <= at <= piece[2]]
    wanted = {at} if isinstance(at, int) else set(at or ())
    near = [piece for piece in pieces if wanted & integers_of(piece[0])]
    return some(near or pieces, most)


def integers_of(which):
    """All integers among a subinterval's parameters."""
    if isinstance(which, Subinterval):
        return set().union(*(integers_of(value) for _, value in which.parameters))
    if isinstance(which, tuple):
        return set().union(*map(integers_of, which))
    return set() if isinstance(which, bool) else {which}


def is_found(phase, fault, most):
    """Whether the part that the fault names notices it; if it names none, whether any part of the kernel does."""
    name, _, part_name = fault.partition(":")[0].partition(", ")
    parts, change = parts_of(phase, name), FAULTS[phase][fault]
    change, at = change if isinstance(change, tuple) else (change, None)
    if part_name:
        right = parts[part_name]
        return faults.is_refused(faults.altered(right, change), right, pieces_of(right, at, most))
    parts = [part for part in parts.values() if not part.name.startswith("told") and is_changed(part, change)]
    return faults.is_found(change, parts, functools.partial(pieces_of, at=at, most=most))


def is_changed(part, change):
    """Whether the fault applies to the trace of the part."""
    try:
        return change(part.traced) is not None
    except (AssertionError, IndexError, ValueError):
        return False


def faults_of(phase, name):
    """The faults of a kernel."""
    return [fault for fault in FAULTS[phase] if fault.partition(":")[0].partition(",")[0] == name]


def missed(phase, chosen):
    """The ``chosen`` faults that no proof finds."""
    return [fault for fault in chosen if not any(is_found(phase, fault, most) for most in (PIECES, ALL))]


@pytest.mark.slow
@pytest.mark.parametrize(("phase", "name"), KERNELS)
def test_faults_of_a_kernel_are_found(phase, name):
    """Every eighth, from the last one back: the first ones, of series, take longest to find."""
    assert missed(phase, faults_of(phase, name)[::-8]) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize(("phase", "name"), KERNELS)
def test_all_faults_of_a_kernel_are_found(phase, name):
    assert missed(phase, faults_of(phase, name)) == []
