"""Proofs of what refines results: faults that they find, and arguments at which what was refined is tried."""

from __future__ import annotations

import functools

import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.certify.proof import is_refining, second_functions
from clmath.certify.proofs import PROOFS
from clmath.engines.device.program import Value
from clmath.kernels import RUNGS
from clmath.kernels.double import boundaries, exponential, inverse_trigonometric, logarithm, roots, trigonometric
from clmath.kernels.quick import logarithm as quick_logarithm
from tests.cases import for_each
from tests.certify import planted


@functools.cache
def parts_of(rung, name):
    """Those that speak of what refines."""
    return [part for part in PROOFS[rung, name](name) if is_refining(part)]


def left_out(index):
    """Of the conjunctions, the one with that place is its first side alone."""

    def change(traced):
        inputs = len(traced.program.inputs)
        found = [inputs + i for i, s in enumerate(traced.program.statements) if s.operation == "bool.and"]
        number = found[index]
        side = traced.program.statements[number - inputs].operands[0]
        return planted.operands_replaced(Value(number), side)(traced)

    return change


def negated(index):
    """Of the selections, the one with that place takes the other side."""

    def change(traced):
        found = [i for i, s in enumerate(traced.program.statements) if s.operation.endswith(".select")]
        i = found[index]
        statements = list(traced.program.statements)
        condition, yes, no = statements[i].operands
        statements[i] = statements[i]._replace(operands=(condition, no, yes))
        return planted.with_program(traced, statements)

    return change


def compared(old, new, index=0):
    """Of the operations of that name, the one with that place is another."""

    def change(traced):
        found = [i for i, s in enumerate(traced.program.statements) if s.operation == old]
        statements = list(traced.program.statements)
        statements[found[index]] = statements[found[index]]._replace(operation=new)
        return planted.with_program(traced, statements)

    return change


CONSTANT, ENTRY, BIT = planted.constant, planted.entry, planted.raised
FAULTS = {
    "quick exp10, others: greatest power": CONSTANT(10.0, 11.0),
    "quick exp10: comparison": compared("double.eq", "double.ne"),
    "quick exp10: what is exact is not returned": negated(-2),
    "double exp10, others: greatest power": CONSTANT(23.0, 24.0),
    "double exp10: entry of the table": ENTRY(exponential.TENS, 22),
    "double exp10: second entry": ENTRY(exponential.TENS_LO, 23),
    "double exp10: exponent": negated(-1),
    "quick log10, logarithms: entry of the table": ENTRY(quick_logarithm.POWERS_OF_TEN, 5, -1),
    "quick log10: comparison": compared("double.eq", "double.le"),
    "quick log10: greatest power": CONSTANT(11.0, 12.0),
    "double log10, logarithms: entry of the table": ENTRY(logarithm.POWERS_OF_TEN, 21),
    "double log10: bound": negated(-1),
    "quick cbrt: bits": CONSTANT(2.0**36, 2.0**34),
    "quick cbrt: comparison": compared("double.eq", "double.ge"),
    "quick cbrt: what is exact is not returned": negated(-2),
    "quick hypot: comparison": compared("double.eq", "double.ge"),
    "quick hypot: rest of the sum": left_out(0),
    "quick hypot: bits": CONSTANT(2.0**27 + 1.0, 2.0**20 + 1.0),
    "quick pow, powers: longest power": CONSTANT(2.0**26, 2.0**27),
    "quick pow: bits of roots": planted.integer(0x7FFFFFF, 0x3FFFFFF),
    "quick pow: largest number with a fraction": CONSTANT(2.0**51, 2.0**20),
    "quick pow: bias": planted.integer(1023, 1022),
    "quick pow: fraction": planted.integer((1 << 52) - 1, (1 << 51) - 1),
    "quick rootn, other exponents: greatest exponent": CONSTANT(16.0, 40.0),
    "quick rootn, powers: comparison of integers": compared("double.eq", "double.ge", -1),
    "quick rootn: bits": CONSTANT(2.0**27 + 1.0, 2.0**20 + 1.0),
    "double sinpi: how near peaks are": CONSTANT(2.0**-61, 2.0**-50),
    "double sinpi: side of peaks": CONSTANT(trigonometric.BELOW, trigonometric.ABOVE),
    "double sinpi: bound": left_out(1),
    "double sinpi: peaks of any size": left_out(0),
    "double sin, not close: close": CONSTANT(trigonometric.CLOSE, 2.0**-20),
    "double sin, close: a sixth": BIT(1.0 / 6.0, 8),
    "double sin, close: bound": CONSTANT(trigonometric.BOUND, trigonometric.BOUND / 512.0),
    "double sin: how near peaks are": CONSTANT(2.0**-61, 2.0**-50),
    "double tan, close: a third": BIT(1.0 / 3.0, 8),
    "double tan, not close: close": CONSTANT(trigonometric.CLOSE, 2.0**-20),
    "double tan, not far: far": CONSTANT(1.0 / trigonometric.CLOSE, 2.0**20),
    "double tan, close: bound": CONSTANT(trigonometric.TANGENT_BOUND, trigonometric.TANGENT_BOUND / 256.0),
    "double log1p: bound": CONSTANT(2.0**-51, 2.0**-52),
    "double log1p: a third": BIT(1.0 / 3.0, 40),
    "double log1p: a quarter": CONSTANT(0.25, 0.26),
    "double log1p: next to one": CONSTANT(logarithm.NEXT_TO_ONE, 2.0**-20),
    "double log1p: bits": planted.integer(logarithm.SHORT, logarithm.SHORT >> 4),
    "double log: next to one": CONSTANT(logarithm.NEXT_TO_ONE, 2.0**-20),
    "double log: half a square": CONSTANT(-0.5, -0.5 - 2.0**-40),
    "double atan2: slack": CONSTANT(inverse_trigonometric.CLOSE, 2.0**-51),
    "double atan2: tiny": CONSTANT(inverse_trigonometric.TINY, 2.0**-20),
    "double atan2: a third": BIT(1.0 / 3.0, 40),
    "double atan2: conditions": left_out(-1),
    "double cbrt: boundary": CONSTANT(0.375, 0.75),
    "double cbrt: beside the boundary": CONSTANT(2.0**-80, 2.0**-70),
    "double cbrt: square of the series": CONSTANT(0.5, 0.25),
    "double cbrt: threshold": CONSTANT(2.0**-30, 2.0**-34),
    "double cbrt: slight": CONSTANT(boundaries.SLIGHT, 2.0**-20),
    "double rsqrt: what is close": left_out(-1),
    "double rsqrt: side": negated(-4),
    "double rsqrt: next power": planted.integer(1 << 51, 1 << 50),
    "double pown, powers too long: longest": CONSTANT(2.0**54, 2.0**55),
    "double pown, other exponents: greatest count": CONSTANT(63.0, 2.0**40),
    "double pown: slight": CONSTANT(boundaries.SLIGHT, 2.0**-20),
    "double pown: integer": compared("double.eq", "double.ge", -1),
    "double pow: integer root": compared("double.eq", "double.le"),
    "double pow: half of the product": CONSTANT(0.5, 0.25),
    "double pow: farthest exponent": planted.integer(1023 + 66 << 52, 1023 + 5 << 52),
    "double pow, powers too long: longest": CONSTANT(2.0**54, 2.0**55),
    "quick hypot: no rest": compared("double.eq", "double.ne", 1),
    "double sinpi: what has no bound": compared("double.gt", "double.lt", -1),
    "double cbrt: what is close": compared("double.le", "double.gt", -1),
    "double cbrt: outward": compared("bool.eq", "bool.ne"),
    "double cbrt: degree": CONSTANT(-3.0, 3.0),
    "double pown: threshold": compared("double.gt", "double.lt", -1),
    "double log: what is big": compared("double.gt", "double.lt", -2),
    "double hypot: counts": CONSTANT(2.0**54, 2.0**53),
    "double hypot: sum of squares": compared("long.add", "long.sub"),
    "double hypot: whole leg": left_out(0),
    "double hypot: what is known": left_out(1),
    "double hypot: side": negated(-4),
    "double hypot: slight": planted.integer(roots.SLIGHT, 1023 - 40 << 52),
    "double rootn, other exponents: greatest": CONSTANT(64.0, 100.0),
    "double rootn, powers: comparison": compared("double.eq", "double.ge", -1),
    "double rootn: lowest bit": planted.integer(2 * 1023 << 52, 2 * 1022 << 52),
    "double rootn: fraction": planted.integer((1 << 52) - 1, (1 << 51) - 1),
}


def pieces_of(part):
    """First and last ones, and some between."""
    pieces = list(part.pieces())
    return pieces if len(pieces) <= 64 else [*pieces[:8], *pieces[8 : -8 : len(pieces) // 48], *pieces[-8:]]


@pytest.mark.slow
@for_each("fault", FAULTS)
def test_faults_are_found(fault):
    where, _, part = fault.partition(":")[0].partition(", ")
    parts = [one for one in parts_of(*where.split()) if part in {"", one.name} and hasattr(one.family, "told")]
    if part:
        (only,) = parts
        assert planted.is_refused(planted.altered(only, FAULTS[fault]), only, [*only.pieces()][::-1])
    else:
        assert planted.is_found(FAULTS[fault], parts, pieces_of)


REFINING = [key for key in sorted(PROOFS) if RUNGS.get(key[0]) and key[1] in RUNGS[key[0]].refining]


@for_each(("rung", "name"), REFINING)
def test_parts_have_names_of_their_own_and_speak_of_what_refines(rung, name):
    parts = PROOFS[rung, name](name)
    names = [part.name for part in parts]
    assert len(names) == len(set(names))
    refined = RUNGS[rung].refining[name]
    assert (refined in second_functions(parts)) == bool(parts_of(rung, name))


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_roots_of_numbers_next_to_squares_are_not_exact(sign):
    """That of n^2 -+ 1 is rounded to n where n is beyond 2^26; a proof has found that it was taken for n."""
    n = np.array([2.0**26 + 2.0, 2.0**26 + 123456.0, 90000000.0])
    args = n * n + sign, np.full(3, 0.5)
    kernel = RUNGS["double"].kernels["pow"]
    with np.errstate(over="ignore"):
        parts = kernel.function(*args)
        refined = kernel.refined(args, parts)
    assert (parts[2] > 0.0).all()
    assert np.array_equal(refined[2], parts[2])
