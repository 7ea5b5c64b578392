"""Proofs of sine, cosine and tangent: faults that they find, all floats of a binade, and errors that kernels make."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from flint import arb

from clmath.certify.proof import prove
from clmath.certify.proofs import angles
from clmath.certify.proofs.angles import least_distance, quarter_turns_of
from clmath.kernels.quick import trigonometric as quick
from tests.cases import for_each, some
from tests.certify import concrete, planted
from tests.certify.second_checker import verified

KERNELS = ("sin", "cos", "tan", "sincos")
PARTS = [(name, part.name) for name in KERNELS for part in angles.quick_parts(name)]
EXACTLY = gmpy2.context(precision=400, emin=-5000, emax=5000)
VALUES = {"sin": (gmpy2.sin,), "cos": (gmpy2.cos,), "tan": (gmpy2.tan,), "sincos": (gmpy2.sin, gmpy2.cos)}


def part_of(kernel, part):
    (found,) = [one for one in angles.quick_parts(kernel) if one.name == part]
    return found


def without_word(table):
    """The kernel without its products with a table of pieces of 2/pi."""

    def change(traced):
        first = len(traced.program.inputs)
        (found,) = [
            first + i
            for i, s in enumerate(traced.program.statements)
            if s.operation == "take"
            and np.array_equal(traced.tables[s.operands[1].first :][: s.operands[1].length], table)
        ]
        return planted.without(found)(traced)

    return change


ROW = 160  # of floats from 2^33 to 2^34
FAULTS = {
    "sine's first coefficient": ("sin", "value", planted.raised(quick.HALF_TURN_TAIL[0], 46)),
    "sine's second coefficient": ("cos", "value", planted.raised(quick.HALF_TURN_TAIL[1], 43)),
    "sine's last coefficient": ("sin", "value, ordinary", planted.raised(quick.HALF_TURN_TAIL[-1], 3)),
    "coefficient over tan's line": ("tan", "value", planted.raised(quick.TANGENT_OVER[1], 45)),
    "last coefficient over tan's line": ("tan", "value", planted.raised(quick.TANGENT_OVER[-1], 30)),
    "coefficient under tan's line": ("tan", "value, ordinary", planted.raised(quick.TANGENT_UNDER[1], 44)),
    "last coefficient under tan's line": ("tan", "value, ordinary", planted.raised(quick.TANGENT_UNDER[-1], 35)),
    "sine's coefficient of sincos": ("sincos", "value", planted.raised(quick.SINE_TAIL[0], 46)),
    "cosine's coefficient of sincos": ("sincos", "value, ordinary", planted.raised(quick.COSINE_TAIL[1], 36)),
    "bound": ("sin", "value", planted.halved(quick.BOUND)),
    "bound below 2^20": ("cos", "value, ordinary", planted.halved(quick.BOUND)),
    "bound of tan": ("tan", "value", planted.halved(quick.TANGENT_BOUND)),
    "bound of sincos": ("sincos", "value", planted.halved(quick.BOUND)),
    "pi/2": ("sin", "value", planted.raised(quick.HALF_PI, 50)),
    "first word": ("sin", "reduction", planted.entry(quick.TWO_OVER_PI_HI, ROW)),
    "second word": ("cos", "reduction", planted.entry(quick.TWO_OVER_PI_MID, ROW)),
    "third word": ("tan", "reduction", planted.entry(quick.TWO_OVER_PI_LO, ROW, 2**20)),
    "no third word": ("sin", "reduction", without_word(quick.TWO_OVER_PI_LO)),
    "no second word": ("sincos", "reduction", without_word(quick.TWO_OVER_PI_MID)),
    "exponent": ("sin", "reduction", planted.integer(2069, 2068)),
    "row": ("sin", "reduction", planted.integer(896, 897)),
    "mask of the exponent": ("sin", "reduction", planted.integer(2047, 1023)),
    "first piece": ("sin", "reduction, ordinary", planted.constant(quick.PI_1, math.nextafter(quick.PI_1, 4.0))),
    "second piece": ("cos", "reduction, ordinary", planted.constant(quick.PI_2, math.nextafter(quick.PI_2, 4.0))),
    "third piece": ("tan", "reduction, ordinary", planted.raised(quick.PI_3, 30)),
    "no third piece": ("sincos", "reduction, ordinary", planted.constant(quick.PI_3, 0.0)),
    "half turns per radian": (
        "sin",
        "reduction, ordinary",
        planted.raised(quick.HALF_TURNS_PER_RADIAN, 20),
    ),
}


@pytest.mark.slow
@for_each("fault", FAULTS)
def test_faults_are_found(fault):
    kernel, name, change = FAULTS[fault]
    part = part_of(kernel, name)
    assert planted.is_refused(planted.altered(part, change), part, shown(part))


def shown(part):
    """Pieces in which faults are sought: the smallest and the largest rests, and others, or the altered entry's."""
    pieces, row = list(part.pieces()), 2.0 ** (ROW + 896 - 1023)
    if not part.name.startswith("value"):
        return [piece for piece in pieces if piece[:2] == ("+", row)] + pieces[::3]
    large = [piece for piece in pieces if piece[0] == (0, 0) and piece[1] > 0.8 * part.family.reach]
    return pieces[:4] + large + pieces[:: max(len(pieces) // 40, 1)]


VALUE_FAULTS = [fault for fault, (_, name, _) in FAULTS.items() if name.startswith("value")]


@pytest.mark.slow
@for_each("fault", VALUE_FAULTS)
def test_faults_are_found_by_the_second_checker(fault):
    kernel, name, change = FAULTS[fault]
    part = part_of(kernel, name)
    wrong = planted.altered(part, change)
    assert not all(
        verified(wrong.traced, wrong.statement(which), low, high, deepest=3).holds for which, low, high in shown(part)
    )


@for_each(("kernel", "name"), [one for one in PARTS if one[1].startswith("value")])
def test_values_are_verified_again(kernel, name):
    part = part_of(kernel, name)
    for which, low, high in some(list(part.pieces())[::7], 12):
        answer = verified(part.traced, part.statement(which), low, high, Fraction(99, 100))
        assert answer.holds, (which, low, high, float(answer.share))


@for_each(("kernel", "name"), sorted({(kernel, name) for kernel, name, _ in FAULTS.values()}))
def test_nothing_is_found_there_without_faults(kernel, name):
    part = part_of(kernel, name)
    assert not prove(part, pieces=shown(part)).failed


CLAIMS = {
    "least": {"least": 2.0**-27},
    "off": {"off": 2.0**-100},
    "grid": {"grid": -60},
    "third": {"third": 2.0**-40},
}


@pytest.mark.slow
@pytest.mark.parametrize("claim", CLAIMS)
def test_false_claims_are_refused(claim):
    name = "distance" if claim == "least" else "reduction"
    part = part_of("sin", name)
    sections = tuple(replace(section, **CLAIMS[claim]) for section in part.family.sections)
    assert planted.is_refused(replace(part, family=replace(part.family, sections=sections)), part)


@pytest.mark.slow
def test_a_false_reach_is_refused():
    part = part_of("sin", "reduction")
    wrong = replace(part, family=replace(part.family, reach=0.99))
    assert planted.is_refused(wrong, part, list(part.pieces())[40:44])


def distances(exponent, m):
    """How far m 2^exponent is from multiples of pi/2, in units of 2^-64 quarter turns, -+ 2^24: integers alone."""
    with EXACTLY:
        scaled = int(gmpy2.floor(gmpy2.mpfr(2) / gmpy2.const_pi() * gmpy2.exp2(64 + exponent)))
    product = m * np.uint64(scaled % 2**64)
    return np.minimum(product, ~product)


@pytest.mark.parametrize("kernel", KERNELS)
def test_no_float_of_a_binade_is_closer_than_was_proven(kernel):
    """All 2^23 of them."""
    part = part_of(kernel, "distance")
    m = np.arange(1 << 23, 1 << 24, dtype=np.uint64)
    for _, low, _ in some([piece for piece in part.pieces() if piece[1] >= 0.5], 3):
        exponent = math.frexp(low)[1] - 24
        least = int(distances(exponent, m).min()) / 2**64
        section = part.family.sections[part.family.section(low)]
        proven = float(least_distance(quarter_turns_of(exponent, modulo=True), 1 << 24))
        assert least >= proven - 2.0**-39
        assert (least - 2.0**-39) * math.pi / 2 >= section.least * float(part.family.unit()) + section.off


@pytest.mark.parametrize("most", [2, 3, 10, 100, 1000])
def test_least_distances_are_those_of_all_integers(most):
    rng = np.random.default_rng(most)
    for a in [arb(float(x)) + arb.pi() / 1000 for x in rng.uniform(0.0, 4.0, 20)]:
        found = least_distance(a, most)
        all_of_them = [abs(a * m - (a * m + 0.5).floor()) for m in range(1, most)]
        assert not any(one < found for one in all_of_them)
        assert any(one.overlaps(found) for one in all_of_them)


def arguments(piece, rng, count):
    """Floats in a binade, its ends among them."""
    _, low, high = piece
    x = rng.uniform(low, high, count).astype(np.float32)
    return np.concatenate([x, np.float32([low, high])]).astype(np.float64)


@for_each(("kernel", "name"), [one for one in PARTS if one[1].startswith("reduction")])
def test_no_error_is_larger_than_what_is_proven(kernel, name):
    part, rng = part_of(kernel, name), np.random.default_rng(5)
    ordinary = name.endswith("ordinary")
    for piece in some(list(part.pieces()), 4):
        x = arguments(piece, rng, 200)
        results = concrete.outputs(part.traced, concrete.values(part.traced, x))
        for place, function in enumerate(VALUES[kernel]):
            value, err = results[2 * place : 2 * place + 2]
            with EXACTLY:
                errors = [
                    float(abs(gmpy2.mpfr(float(v)) - function(gmpy2.mpfr(float(one)))))
                    for v, one in zip(value, x, strict=True)
                ]
            shares = np.array(errors) / err
            assert shares.max() < (0.6 if ordinary else 0.7)


@for_each(("kernel", "name"), [one for one in PARTS if one[1].startswith("reduction")])
def test_values_that_kernels_are_given_are_what_reductions_leave(kernel, name):
    """W in a piece of the value's part, the parts on their grid and within their bounds, N as said."""
    part, rng = part_of(kernel, name), np.random.default_rng(6)
    family = part.family
    for piece in some(list(part.pieces()), 6):
        x = arguments(piece, rng, 500)
        found = concrete.values(part.traced, x)
        section = family.sections[family.section(min(abs(piece[1]), abs(piece[2])))]
        a, b, third = (found[number] for number in family.parts)
        assert np.all(np.abs(b) <= family.second)
        assert np.all(np.abs(third) <= section.third)
        for values in (a, b):
            scaled = values * 2.0**-section.grid
            assert np.array_equal(scaled, np.rint(scaled))
        counts = sum(found[number] for number in family.counts)
        assert np.array_equal(counts, found[family.total])
        with EXACTLY:
            unit = gmpy2.const_pi() / 2 if family.turns else gmpy2.mpfr(1)
            for one, n, *parts in zip(x, counts, a, b, third, strict=True):
                first, second, last = (gmpy2.mpfr(float(value)) for value in parts)
                w = first + family.sign * (second + last)
                angle = gmpy2.mpfr(float(one)) - (family.per * int(n) - family.ahead) * gmpy2.const_pi() / 2
                turns = gmpy2.rint((angle - w * unit) / (2 * gmpy2.const_pi())) if family.turns else 0
                assert abs(angle - w * unit - 2 * turns * gmpy2.const_pi()) <= section.off
                assert section.least <= abs(w) <= family.reach
