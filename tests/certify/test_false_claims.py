"""Kernels and claims that are false: the prover and the second checker both refuse them."""

from __future__ import annotations

import dataclasses
import functools
import struct

import pytest

pytest.importorskip("flint")

from clmath.certify import proof
from clmath.certify.proofs import PROOFS
from clmath.certify.traced import Traced
from clmath.engines.device.program import Constant
from clmath.kernels.double import exponential as double
from clmath.kernels.quick import exponential as quick
from tests.cases import for_each
from tests.certify import planted
from tests.certify.second_checker import verified

LESS = (2.0**20 + 1.0) / double.SHORTENER  # splits after 33 bits: their product with the table is rounded
SHORT = {"quick_exp": (0.3466, 0.34665), "double_exp": (0.0013, 0.0013125)}
ENTRY = {"quick_exp": 0, "double_exp": 77}  # of the table, where there is one


@functools.cache
def proof_of(kernel):
    """The parts of the proof of ``double_exp`` and the like."""
    rung, name = kernel.split("_")
    return PROOFS[rung, name](name)


def altered(part, change):
    """The part, of a kernel whose constants are what ``change`` makes of them; some constant has to change."""
    old = part.traced.program

    def changed(operand):
        return change(operand) if isinstance(operand, Constant) else operand

    statements = tuple(s._replace(operands=tuple(map(changed, s.operands))) for s in old.statements)
    assert statements != old.statements
    program = dataclasses.replace(old, statements=statements)
    return of_family(part, traced=Traced(program, part.traced.tables))


def of_family(part, **changes):
    """The part, with these said of its family."""
    return dataclasses.replace(part, family=dataclasses.replace(part.family, **changes))


def times(wanted, factor):
    """The change of one constant."""
    number = _encoding(wanted)
    return lambda c: Constant("double", _encoding(wanted * factor)) if c == Constant("double", number) else c


def _encoding(x):
    return struct.unpack("<q", struct.pack("<d", x))[0]


def other_long(old, new):
    return lambda c: Constant("long", new) if c == Constant("long", old) else c


def with_entry(part, index):
    """The part with the entry of the table two or more ulps larger."""
    tables = part.traced.tables.copy()
    tables[index] *= 1 + 2.0**-51
    return of_family(part, traced=Traced(part.traced.program, tables))


def negative(part):
    return altered(altered(part, times(double.LEAST, -1.0)), times(double.GROWTH, -1.0))


@functools.cache
def is_true_by_both(kernel, which):
    """Whether both say so of the kernel as it is."""
    _, right = proof_of(kernel)
    low, high = SHORT[kernel]
    return (
        verified(right.traced, right.statement(which), low, high).holds
        and not proof.prove(right, 1, [(which, low, high)]).failed
    )


FAULTS = {
    ("double_exp", "bound's growth"): lambda part: altered(part, times(double.GROWTH, 0.4)),
    ("double_exp", "negative bound"): negative,
    ("double_exp", "coefficient"): lambda part: altered(part, times(double.EXP_TAIL[1], 1 + 2.0**-30)),
    ("double_exp", "last coefficient"): lambda part: altered(part, times(double.EXP_TAIL[-1], 1 + 2.0**-3)),
    ("double_exp", "split after 33 bits"): lambda part: altered(part, times(double.SHORTENER, LESS)),
    ("double_exp", "head of the table"): lambda part: with_entry(part, 77),
    ("double_exp", "exponent"): lambda part: altered(part, other_long(8, 7)),
    ("double_exp", "entry of the table"): lambda part: altered(part, other_long(255, 127)),
    ("quick_exp", "bound"): lambda part: altered(part, times(quick.BOUND, 0.3)),
    ("quick_exp", "negative bound"): lambda part: altered(part, times(quick.BOUND, -1.0)),
    ("quick_exp", "coefficient"): lambda part: altered(part, times(quick.EXP_SLOPE[1], 1 + 2.0**-30)),
    ("quick_exp", "last coefficient"): lambda part: altered(part, times(quick.EXP_SLOPE[-1], 1 + 2.0**-3)),
    ("quick_exp", "power of two"): lambda part: altered(part, other_long(1023, 1024)),
}


@pytest.mark.slow
@for_each("fault", FAULTS)
def test_a_false_kernel_is_refused_by_both(fault):
    """At the entry 77 of double's table, or at 205, which a mask of seven bits takes for 77."""
    _, right = proof_of(fault[0])
    low, high = SHORT[fault[0]]
    which = 205 if fault[1] == "entry of the table" else ENTRY[fault[0]]
    assert is_true_by_both(fault[0], which)
    wrong = FAULTS[fault](right)
    assert planted.is_refused(wrong, right, [(which, low, high)])
    assert not verified(wrong.traced, wrong.statement(which), low, high, deepest=3).holds


CLAIMS = {
    "more is left": {"off": 2.0**-50},
    "r_lo is larger": {"reach_lo": 2.0**-20},
    "no condition": {"special": ()},
    "an exponent beyond all doubles": {"most": 2000, "in_one": True},
}


@pytest.mark.slow
@pytest.mark.parametrize("claim", CLAIMS)
def test_a_false_claim_is_refused_by_both(claim):
    kernel = "quick_exp" if "in_one" in CLAIMS[claim] else "double_exp"
    _, right = proof_of(kernel)
    wrong = of_family(right, **CLAIMS[claim])
    low, high = SHORT[kernel]
    which = ENTRY[kernel]
    assert planted.is_refused(wrong, right, [(which, low, high)])
    with pytest.raises((AssertionError, KeyError, AttributeError)):
        assert verified(wrong.traced, wrong.statement(which), low, high, deepest=3).holds


REDUCTIONS = {
    "reach": {"reach": 0.00134},
    "reach of what follows": {"reach_lo": 2.0**-70},
    "what is left": {"off": 2.0**-125},
    "steps": {"steps": 255},
    "exponents": {"most": 1000},
    "grid": {"grid": -40},
}


@pytest.mark.slow
@for_each("claim", REDUCTIONS)
def test_a_false_reduction_is_refused_by_both(claim):
    right, _ = proof_of("double_exp")
    wrong = of_family(right, **REDUCTIONS[claim])
    piece = ("+", 779.0, 779.0 + 2.0**-8)  # holds an end of a step, where what is left is as large as it comes
    assert verified(right.traced, right.statement(*piece), *piece[1:], deepest=14).holds
    assert planted.is_refused(wrong, right, [piece])
    assert not verified(wrong.traced, wrong.statement(*piece), *piece[1:], deepest=6).holds
