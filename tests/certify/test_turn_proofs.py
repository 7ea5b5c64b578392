"""Proofs of quick's sinpi, cospi and tanpi: faults that they find, and errors that kernels make."""

from __future__ import annotations

from dataclasses import replace

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.certify.proof import prove
from clmath.certify.proofs import turns
from clmath.kernels.quick import trigonometric as quick
from tests.cases import for_each, some
from tests.certify import concrete, planted

EXACTLY = gmpy2.context(precision=400, emin=-5000, emax=5000)
FUNCTIONS = {"sinpi": gmpy2.sin, "cospi": gmpy2.cos, "tanpi": gmpy2.tan}
SINE, OVER, UNDER = quick.HALF_TURN_TAIL, quick.TANGENT_OVER, quick.TANGENT_UNDER


def part_of(kernel, name):
    (found,) = [one for one in turns.quick_parts(kernel) if one.name == name]
    return found


FAULTS = {
    "sine's first coefficient": ("sinpi", "value", planted.raised(SINE[0], 46)),
    "sine's second coefficient": ("cospi", "value", planted.raised(SINE[1], 43)),
    "coefficient over tan's line": ("tanpi", "value", planted.raised(OVER[1], 44)),
    "last coefficient over tan's line": ("tanpi", "value", planted.raised(OVER[-1], 29)),
    "coefficient under tan's line": ("tanpi", "value", planted.raised(UNDER[1], 44)),
    "last coefficient under tan's line": ("tanpi", "value", planted.raised(UNDER[-1], 35)),
    "pi": ("sinpi", "value", planted.raised(quick.PI_HI, 50)),
    "rest of pi": ("cospi", "value", planted.raised(quick.PI_LO, 20)),
    "no rest of pi": ("tanpi", "value", planted.constant(quick.PI_LO, 0.0)),
    "bound of sinpi": ("sinpi", "value", planted.halved(quick.TURNS_BOUND)),
    "bound of cospi": ("cospi", "value", planted.halved(quick.TURNS_BOUND)),
    "bound of tanpi": ("tanpi", "value", planted.halved(quick.TANGENT_OF_TURNS_BOUND)),
    "half a turn more": ("cospi", "reduction", planted.constant(0.5, 1.0)),
    "another step": ("tanpi", "reduction", planted.constant(0.5, 0.25)),
}


@pytest.mark.slow
@for_each("fault", FAULTS)
def test_faults_are_found(fault):
    kernel, name, change = FAULTS[fault]
    part = part_of(kernel, name)
    assert planted.is_refused(planted.altered(part, change), part, shown(part))


def shown(part):
    """Pieces in which faults are sought: the largest rests, and some of all."""
    pieces = list(part.pieces())
    largest = [piece for piece in pieces if piece[2] == part.family.reach]
    return largest[:2] + pieces[:4] + pieces[:: max(len(pieces) // 40, 1)]


@pytest.mark.parametrize(("kernel", "name"), sorted({(kernel, name) for kernel, name, _ in FAULTS.values()}))
def test_nothing_is_found_there_without_faults(kernel, name):
    part = part_of(kernel, name)
    assert not prove(part, pieces=shown(part)).failed


@pytest.mark.slow
def test_what_is_wrong_is_refused_and_what_is_right_is_not():
    """Nor is what is wrong where it is compared with itself: nothing is accepted there in its place."""
    part = part_of("sinpi", "value")
    wrong, pieces = planted.altered(part, planted.constant(quick.PI_LO, 0.0)), shown(part)[:2]
    assert planted.is_refused(wrong, part, pieces)
    assert not planted.is_refused(part, part, pieces)
    assert not planted.is_refused(wrong, wrong, pieces)


CLAIMS = {
    "reach": ("sinpi", {"reach": 0.49}),
    "shift": ("cospi", {"shift": 0.5}),
    "steps": ("tanpi", {"steps": 1}),
    "least": ("tanpi", {"least": 2.0**-100}),
}


@pytest.mark.slow
@pytest.mark.parametrize("claim", CLAIMS)
def test_false_claims_are_refused(claim):
    kernel, changes = CLAIMS[claim]
    part = part_of(kernel, "reduction")
    assert planted.is_refused(replace(part, family=replace(part.family, **changes)), part)


def arguments(piece, rng, count):
    """Floats in a binade, its ends among them, that have a rest."""
    _, low, high = piece
    x = np.concatenate([rng.uniform(low, high, count), [low, high]]).astype(np.float32).astype(np.float64)
    return x[4.0 * x != np.rint(4.0 * x)]


@pytest.mark.parametrize("kernel", turns.NAMES)
def test_no_error_is_larger_than_what_is_proven(kernel):
    part, rng = part_of(kernel, "reduction"), np.random.default_rng(5)
    proven = part_of(kernel, "value")
    for piece in some([piece for piece in part.pieces() if abs(piece[2]) <= 2.0**21], 6):
        x = arguments(piece, rng, 200)
        found = concrete.values(part.traced, x)
        assert_rests_are_as_said(part.family, x, found)
        value, err = concrete.outputs(proven.traced, found)
        with EXACTLY:
            exact = [FUNCTIONS[kernel](gmpy2.mpfr(one) * gmpy2.const_pi()) for one in x]
            errors = [float(abs(gmpy2.mpfr(v) - y)) for v, y in zip(value, exact, strict=True)]
        assert np.all(np.array(errors) < 0.8 * err)


def assert_rests_are_as_said(family, x, found):
    """The rest in a piece of the value's part, on its grid, and what is taken off as said."""
    rest, n = found[family.rest], found[family.n]
    assert np.array_equal(x, rest + n / family.steps + family.shift)
    assert np.all((np.abs(rest) >= family.least) & (np.abs(rest) <= family.reach))
    units = rest / family.least
    assert np.array_equal(units, np.rint(units))
