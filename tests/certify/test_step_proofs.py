"""Proofs of sines, cosines and tangents of turns in double: faults that they find, and errors that kernels make."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from flint import arb

from clmath.certify.execution import Execution, Real
from clmath.certify.models import Cell
from clmath.certify.proof import prove
from clmath.certify.proofs import steps
from clmath.certify.traced import traced
from clmath.kernels.double import angles
from clmath.kernels.double import trigonometric as double
from clmath.kernels.double.angles import halves
from tests.cases import for_each, some
from tests.certify import concrete, planted
from tests.certify.second_checker import verified

KERNELS = ("sinpi", "cospi", "tanpi")
EXACTLY = gmpy2.context(precision=1400, emin=-5000, emax=5000)
STEP = 77


def part_of(kernel, name):
    (found,) = [part for part in steps.double_parts(kernel) if part.name == name]
    return found


def smaller_bound(least, growth, by=2.0):
    def change(traced):
        return planted.constant(growth, growth / by)(planted.constant(least, least / by)(traced))

    return change


def with_value(part, change):
    """The part with a change of the function of f and n, or of the kernel."""
    where = "at" if part.name == "value" else "traced"
    return replace(part, family=replace(part.family, **{where: change(getattr(part.family, where))}))


FAULTS = {
    "first coefficient of the sine": ("sinpi", "value", planted.raised(double.SINE_TAIL[0], 45)),
    "second coefficient of the sine": ("cospi", "value", planted.raised(double.SINE_TAIL[1], 24)),
    "first coefficient of the cosine": ("sinpi", "value", planted.raised(double.COSINE_TAIL[0], 48)),
    "second coefficient of the cosine": ("tanpi", "value", planted.raised(double.COSINE_TAIL[1], 24)),
    "bound": ("sinpi", "value", smaller_bound(double.LEAST, double.GROWTH)),
    "bound of cospi": ("cospi", "value", smaller_bound(double.LEAST, double.GROWTH)),
    "bound of tanpi": ("tanpi", "value", smaller_bound(double.TANGENT_LEAST, double.TANGENT_GROWTH)),
    "entry's head": ("sinpi", "value", planted.entry(double.SINE_HI, STEP)),
    "entry's tail": ("cospi", "value", planted.entry(double.SINE_LO, STEP, 2**25)),
    "entry of tanpi": ("tanpi", "value", planted.entry(double.SINE_HI, STEP)),
    "pi/1024": ("sinpi", "value", planted.constant(angles.STEP_SHORT, math.nextafter(angles.STEP_SHORT, 1.0))),
    "rest of pi/1024": ("tanpi", "value", planted.constant(angles.STEP_REST, 0.0)),
    "a quarter turn": ("cospi", "value", planted.integer(512, 511)),
    "mask of the entry": ("sinpi", "value", planted.integer(1023, 511)),
    "place of the sign": ("sinpi", "value", planted.integer(53, 54)),
    "steps in a turn": ("sinpi", "reduction", planted.constant(1024.0, 512.0)),
    "whole turns": ("cospi", "reduction", planted.constant(0.5, 0.25)),
    "steps below 2^40": ("tanpi", "reduction, ordinary", planted.constant(1024.0, 1025.0)),
    "a quarter turn ahead": ("cospi", "reduction", planted.integer(512, 511)),
    "small x": ("sinpi", "tiny", planted.constant(angles.STEP_REST, 0.0)),
    "bound of small x": ("tanpi", "tiny", planted.constant(double.TINY_BOUND, double.TINY_BOUND / 4.0)),
    "scale of small x": ("sinpi", "tiny", planted.integer(-600, -599)),
}


def shown(part):
    """Pieces in which faults are sought."""
    pieces = list(part.pieces())
    if part.name != "value":
        return pieces[:: max(len(pieces) // 40, 1)]
    near, others = (STEP, 512 - STEP, 512 + STEP), (1, 300)
    return [piece for piece in pieces if piece[0] in near + others]


@pytest.mark.slow
@for_each("fault", FAULTS)
def test_faults_are_found(fault):
    kernel, name, change = FAULTS[fault]
    part = part_of(kernel, name)
    assert planted.is_refused(with_value(part, change), part, shown(part))


@for_each(("kernel", "name"), sorted({(kernel, name) for kernel, name, _ in FAULTS.values()}))
def test_nothing_is_found_there_without_faults(kernel, name):
    part = part_of(kernel, name)
    assert not prove(part, pieces=shown(part)).failed


SEEN_TWICE = [fault for fault, (kernel, name, _) in FAULTS.items() if name == "value" and kernel != "tanpi"]


@pytest.mark.slow
@for_each("fault", SEEN_TWICE)
def test_faults_are_found_by_the_second_checker(fault):
    kernel, name, change = FAULTS[fault]
    part = part_of(kernel, name)
    wrong = with_value(part, change)
    answers = (verified(wrong.traced, wrong.statement(n), low, high, deepest=3) for n, low, high in shown(part))
    assert not all(answer.holds for answer in answers)


@pytest.mark.parametrize("kernel", ["sinpi", "cospi"])
def test_values_are_verified_again(kernel):
    part = part_of(kernel, "value")
    for n, low, high in some(list(part.pieces())[::19], 60):
        answer = verified(part.traced, part.statement(n), low, high, Fraction(99, 100))
        assert answer.holds, (n, low, high, float(answer.share))


def arguments(family, rng, count):
    """Doubles of all sizes, and next to multiples of 1/4."""
    x = np.exp2(rng.uniform(math.log2(family.least), math.log2(family.top), count))
    near = rng.integers(1, 1 << 12, count) / 4.0
    x = np.concatenate([x, rng.uniform(family.least, 4.0, count), np.nextafter(near, 0.0), np.nextafter(near, np.inf)])
    x = x[(x >= family.least) & (x < family.top)]
    return np.concatenate([x, -x])


def exact(kernel, x):
    """The function by MPFR, x less an even integer before it is multiplied by pi."""
    rest = Fraction(float(x)) % 2
    angle = gmpy2.mpfr(rest.numerator) / gmpy2.mpfr(rest.denominator) * gmpy2.const_pi()
    return {"sinpi": gmpy2.sin, "cospi": gmpy2.cos, "tanpi": gmpy2.tan}[kernel](angle)


@for_each("name", ["reduction", "reduction, ordinary"])
@for_each("kernel", KERNELS)
def test_no_error_is_larger_than_what_is_proven(kernel, name):
    part = part_of(kernel, name)
    x = arguments(part.family, np.random.default_rng(3), 300)
    found = concrete.values(part.traced, x)
    hi, lo, err = (found[number] for number in part.family.found)
    with EXACTLY:
        for i in np.flatnonzero(err > 0.0):
            error = abs(gmpy2.mpfr(float(hi[i])) + gmpy2.mpfr(float(lo[i])) - exact(kernel, x[i]))
            assert error <= 0.99 * float(err[i]), x[i]


@for_each("name", ["reduction", "reduction, ordinary"])
@for_each("kernel", KERNELS)
def test_every_ordinary_argument_leaves_what_values_are_proven_for(kernel, name):
    """F and n as said, f on its grid and in a piece of the value's part, or the result is exact."""
    family = part_of(kernel, name).family
    x = arguments(family, np.random.default_rng(4), 2000)
    found = concrete.values(family.traced, x)
    f, n, total, err = (found[number] for number in (family.f, family.n, family.total, family.found[2]))
    assert np.array_equal(total, n + family.ahead)
    for one, rest, count in zip(x.tolist(), f.tolist(), n.tolist(), strict=True):
        assert (Fraction(one) * 1024 - Fraction(rest) - count) % 2048 == 0
    assert np.all(np.abs(f) <= 0.5)
    exactly = total % family.exact == 0
    assert np.array_equal(err == 0.0, exactly & (f == 0.0))
    scaled = f * 2.0**-steps._GRID
    assert np.all(exactly | (scaled == np.rint(scaled)))
    assert np.all(~exactly | (f == 0.0) | (np.abs(f) >= 2.0**steps._GRID))


def test_a_number_that_may_be_zero_is_cut_as_doubles_are():
    """Multiples of 2^-40 on both sides of zero: 26 bits are kept, off by less than was said, and still multiples."""
    whole = traced(halves, ("double",), ("double", "double"))
    for low, high in ((-1.0, 1.0), (0.0, 3.0), (-(2.0**-30), 0.0), (-5.0, 2.0**-39)):
        cell = Cell(arb(low), arb(high))
        run = Execution(whole.program, whole.tables, whole.shapes, cell, {0: Real(cell.argument(), -40)})
        first, second = run.real_output(0), run.real_output(1)
        x = np.rint(np.random.default_rng(1).uniform(low, high, 500) * 2.0**40) * 2.0**-40
        for one, head, tail in zip(x, *halves(x), strict=True):
            place = arb(float(one)) - cell.middle
            for real, value in ((first, head), (second, tail)):
                assert real.model.off().overlaps(arb(float(value)) - real.model.p(place))
                assert value == 0.0 or float(value * 2.0**-real.grid).is_integer()
            assert math.frexp(head)[0] * 2.0**first.width % 1.0 == 0.0
