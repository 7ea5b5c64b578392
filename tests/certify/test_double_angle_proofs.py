"""Proofs of sines, cosines and tangents in double: faults that they find, and errors that kernels make."""

from __future__ import annotations

import math
from dataclasses import replace

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from flint import arb

from clmath.certify import execution
from clmath.certify.execution import Span
from clmath.certify.proof import prove
from clmath.certify.proofs import double_angles as proofs
from clmath.kernels.double import angles
from clmath.kernels.double import trigonometric as double
from tests.cases import for_each
from tests.certify import concrete, planted, second_sums
from tests.certify.second_checker import Undecided
from tests.certify.test_growth_proofs import within

KERNELS = ("sin", "cos", "tan", "sincos")
EXACTLY = gmpy2.context(precision=1400, emin=-5000, emax=5000)
VALUES = {"sin": (gmpy2.sin,), "cos": (gmpy2.cos,), "tan": (gmpy2.tan,), "sincos": (gmpy2.sin, gmpy2.cos)}
STEP, ROW = 77, 300


def part_of(kernel, name):
    (found,) = [part for part in proofs.double_parts(kernel) if part.name == name]
    return found


def bounds(least, growth, by):
    def change(traced):
        return planted.constant(growth, growth / by)(planted.constant(least, least / by)(traced))

    return change


def with_value(part, change):
    """The part with a change of the function of r and n, or of the kernel."""
    where = "at" if part.name == "value" else "traced"
    return replace(part, family=replace(part.family, **{where: change(getattr(part.family, where))}))


FAULTS = {
    "first coefficient of the sine": ("sin", "value", planted.raised(double.SINE_TAIL[0], 45)),
    "second coefficient of the sine": ("cos", "value", planted.raised(double.SINE_TAIL[1], 24)),
    "first coefficient of the cosine": ("sincos", "value", planted.raised(double.COSINE_TAIL[0], 48)),
    "second coefficient of the cosine": ("tan", "value", planted.raised(double.COSINE_TAIL[1], 24)),
    "bound": ("sin", "value", bounds(double.LEAST, double.GROWTH, 2.0)),
    "bound of sincos": ("sincos", "value", bounds(double.LEAST, double.GROWTH, 2.0)),
    "bound of tan": ("tan", "value", bounds(double.TANGENT_LEAST, double.TANGENT_GROWTH, 2.0)),
    "entry's head": ("sin", "value", planted.entry(double.SINE_HI, STEP)),
    "entry's tail": ("cos", "value", planted.entry(double.SINE_LO, STEP, 2**25)),
    "entry of tan": ("tan", "value", planted.entry(double.SINE_HI, STEP)),
    "a quarter turn": ("sin", "value", planted.integer(512, 511)),
    "mask of the entry": ("sincos", "value", planted.integer(1023, 511)),
    "place of the sign": ("sin", "value", planted.integer(53, 54)),
    "a quarter turn ahead": ("cos", "reduction", planted.integer(512, 511)),
    "place of the exponent": ("sin", "significand", planted.integer(52, 51)),
    "bits of the significand": ("tan", "significand", planted.integer(angles.SIGN | angles.FRACTION, angles.FRACTION)),
    "row": ("sin", "significand", planted.integer(angles.INTEGER_EXPONENT + angles.FIRST_WORD, 990)),
    "word": ("sin", "reduction", planted.entry(angles.WORDS, ROW)),
    "whole turns": ("sin", "reduction", planted.constant(angles.TWO_TURNS, angles.TWO_TURNS / 8.0)),
    "pi/1024": ("sin", "angle", planted.constant(angles.STEP_SHORT, math.nextafter(angles.STEP_SHORT, 1.0))),
    "rest of pi/1024": ("tan", "angle", planted.constant(angles.STEP_REST, 0.0)),
    "first piece": ("sin", "reduction, ordinary", planted.constant(angles.STEP_1, math.nextafter(angles.STEP_1, 1.0))),
    "second piece": ("cos", "reduction, ordinary", planted.raised(angles.STEP_2, 40)),
    "third piece": ("tan", "reduction, ordinary", planted.raised(angles.STEP_3, 40)),
    "no fourth piece": ("sincos", "reduction, ordinary", planted.constant(angles.STEP_4, 0.0)),
    "steps per radian": ("sin", "reduction, ordinary", planted.raised(angles.STEPS_PER_RADIAN, 20)),
}


def shown(part):
    """Pieces in which faults are sought."""
    pieces = list(part.pieces())
    if part.name == "value":
        return [piece for piece in pieces if piece[0] in {STEP, 512 - STEP, 512 + STEP, 1, 300}]
    near = [piece for piece in pieces if piece[0] == proofs.FIRST_WORD + 52 + ROW]
    return near + pieces[:: max(len(pieces) // 40, 1)] + pieces[-2:]


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


CLAIMS = {
    "off by words": ("_OFF_STEPS", 2.0**-96, "reduction"),
    "smaller part": ("_SMALLER", 2.0**-45, "reduction"),
    "grid by words": ("_GRID", -40, "reduction"),
    "off by pieces": ("_OFF", 2.0**-127, "reduction, ordinary"),
    "third": ("_THIRD", 2.0**-42, "reduction, ordinary"),
    "fourth": ("_FOURTH", 2.0**-73, "reduction, ordinary"),
    "grid by pieces": ("_GRID_NEAR", -60, "reduction, ordinary"),
    "room": ("_ROOM", 2.0**-125.5, "angle, ordinary"),
    "rest": ("_REST", (2.0**-54, 2.0**-74), "angle"),
    "distance": ("LEAST", 2.0**-60, "distance"),
}


@pytest.mark.slow
@for_each("claim", CLAIMS)
def test_false_claims_are_refused(claim):
    constant, value, name = CLAIMS[claim]
    assert planted.is_refused_with((proofs, constant, value), lambda: part_of("sin", name))


# on cells as short as the second checker wants, not where the error is largest
SEEN_ONCE = {"bound", "bound of sincos", "bound of tan", "second coefficient of the sine"}
SEEN_TWICE = [fault for fault, (_, name, _) in FAULTS.items() if name == "value" and fault not in SEEN_ONCE]


@pytest.mark.slow
@for_each("fault", SEEN_TWICE)
def test_faults_are_found_by_the_second_checker(fault, draw):
    kernel, name, change = FAULTS[fault]
    part = part_of(kernel, name)
    wrong = with_value(part, change)
    pieces = [piece for piece in shown(part) if piece[1] * piece[2] > 0]
    cells = [(n, within(draw, low, high, bits=44)) for n, low, high in pieces]
    assert not all(is_verified(part_of(kernel, name), n, cell) is False for n, cell in cells[:2])
    assert not all(is_verified(wrong, n, cell) for n, cell in cells)


def is_verified(part, n, cell):
    """Whether the second checker sees the value's error to be as small as the kernel says."""
    try:
        return second_sums.share(part.traced, part.statement(n, *cell), *cell) <= 1
    except (AssertionError, Undecided):
        return False


@pytest.mark.parametrize("kernel", KERNELS)
def test_values_are_verified_again(kernel, draw):
    """By the second checker, on a short cell of each of some pieces.

    Its forms are too wide for angles that are closer to a multiple of pi/2 than 2^-25: it does not decide those.
    """
    part = part_of(kernel, "value")
    pieces = [piece for piece in part.pieces() if piece[1] * piece[2] > 0]
    turns = [piece for piece in pieces if not piece[0] % 512 and max(map(abs, piece[1:])) > 2.0**-25]
    pieces = [piece for piece in pieces if piece[0] % 512 or piece in turns]
    for n, low, high in draw.sample(pieces, 12) + draw.sample(turns, 6):
        cell = within(draw, low, high, bits=44)
        found = second_sums.share(part.traced, part.statement(n, *cell), *cell)
        assert found <= 1, (n, cell, float(found))


def arguments(rng, count, top):
    """Doubles of all sizes from TINY on, and next to multiples of pi/1024."""
    x = np.exp2(rng.uniform(-32.0, math.log2(top), count))
    near = rng.integers(1, 1 << 22, count) * (math.pi / 1024)
    x = np.concatenate([x, rng.uniform(1e-9, 4.0, count), near, np.nextafter(near, 0.0), np.nextafter(near, np.inf)])
    x = np.concatenate([x, np.ldexp(np.array([6381956970095103.0, 5281755943099489.0]), (797, 2))])
    x = x[(x >= angles.TINY) & (x < top)]
    return np.concatenate([x, -x])


@for_each("name", ["reduction", "reduction, ordinary"])
@for_each("kernel", KERNELS)
def test_no_error_is_larger_than_what_is_proven(kernel, name):
    part = part_of(kernel, name)
    x = arguments(np.random.default_rng(3), 100, angles.ORDINARY if "ordinary" in name else 2.0**1023)
    found = concrete.values(part.traced, x)
    for place, function in enumerate(VALUES[kernel]):
        hi, lo, err = (found[number] for number in part.family.found[3 * place : 3 * place + 3])
        with EXACTLY:
            exact = [function(gmpy2.mpfr(one)) for one in x.tolist()]
            errors = [
                abs(gmpy2.mpfr(float(a)) + gmpy2.mpfr(float(b)) - e) for a, b, e in zip(hi, lo, exact, strict=True)
            ]
            shares = [float(error / gmpy2.mpfr(float(bound))) for error, bound in zip(errors, err, strict=True)]
        assert 0.05 < max(shares) < 0.98


@pytest.mark.parametrize("name", ["reduction", "reduction, ordinary"])
def test_every_argument_leaves_what_values_are_proven_for(name):
    """R, r_lo and n as said, to what is said of the angle."""
    ordinary = "ordinary" in name
    family = part_of("sin", name).family
    x = arguments(np.random.default_rng(4), 300, angles.ORDINARY if ordinary else 2.0**1023)
    found = concrete.values(family.traced, x)
    r, r_lo, n = (found[number] for number in (*family.rest, family.n))
    room = proofs._ROOM if ordinary else 0.99 * angles.REDUCTION
    assert np.all(np.abs(r + r_lo) <= proofs._TOP * proofs._STEP * (1.0 + 2.0**-20))
    assert np.all(np.abs(r_lo) <= proofs._REST[0] * np.abs(r) * (1.0 + 2.0**-20) + proofs._REST[1])
    with EXACTLY:
        step = gmpy2.const_pi() / 1024
        for one, a, b, count in zip(x.tolist(), r.tolist(), r_lo.tolist(), n.tolist(), strict=True):
            rest = gmpy2.mpfr(one) - count * step
            rest -= gmpy2.rint(rest / (2048 * step)) * 2048 * step
            w = gmpy2.mpfr(a) + gmpy2.mpfr(b)
            assert abs(w - rest) <= proofs._ANGLE * abs(w) + room
            if count % 512 == 0:
                assert abs(rest) >= proofs.LEAST


def test_integers_are_those_of_encodings():
    """Spans with bits cleared and set, by the integers themselves."""
    for first, count in ((5 << 10, 1 << 10), (-7 << 10, 1 << 10), (3, 4)):
        for mask in (-(1 << 63) | 1023, ~0x7C00):
            found = execution._masked(Span(first, count), mask)
            assert [found.first + i for i in range(count)] == [(first + i) & mask for i in range(count)]
            found = execution._with_bits(Span(first, count), 0x9400)
            assert [found.first + i for i in range(count)] == [(first + i) | 0x9400 for i in range(count)]


def test_the_closest_double_is_at_the_distance_that_is_known():
    """6381956970095103 2^797 (Muller et al., Handbook of Floating-Point Arithmetic, 11.3.2)."""
    with EXACTLY:
        turns = gmpy2.mpfr(6381956970095103) * gmpy2.exp2(797) / (gmpy2.const_pi() / 2)
        away = float(abs(turns - gmpy2.rint(turns)))
    found = proofs.least_distance(proofs.quarter_turns_of(797), 1 << 53, 1400)
    assert float(found) == pytest.approx(away, rel=1e-9)
    assert float(found * arb.pi() / 2) > proofs.LEAST
