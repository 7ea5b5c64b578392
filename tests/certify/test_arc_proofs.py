"""Proofs of double's asin and acos and their pi forms: faults that they find, and errors that kernels make."""

from __future__ import annotations

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.certify.proof import prove
from clmath.certify.proofs import arcs
from clmath.kernels.double import inverse_trigonometric as source
from tests.cases import for_each
from tests.certify import concrete, planted

KERNELS = ("asin", "acos", "asinpi", "acospi")
FUNCTIONS = {"asin": gmpy2.asin, "acos": gmpy2.acos, "asinpi": gmpy2.asin, "acospi": gmpy2.acos}


def parts_of(name):
    return {part.name: part for part in arcs.double_parts(name)}


def arguments(name, rng, count=800):
    """Ordinary arguments of all sizes, next to 1, the diagonal and where the entry changes."""
    family = parts_of(name)["angles"].family
    slopes = (np.arange(257) + 0.5) / 256
    near = np.concatenate([slopes / np.hypot(1.0, slopes), 1.0 / np.hypot(1.0, slopes), np.array([0.5**0.5, 1.0])])
    near = np.concatenate([near, np.nextafter(near, 0.0), np.nextafter(near, 1.0)])
    sizes = np.concatenate(
        [near, 1.0 - np.exp2(rng.uniform(-53.0, 0.0, count)), np.exp2(rng.uniform(-90.0, 0.0, count))]
    )
    sizes = np.concatenate([sizes, np.exp2(rng.uniform(-1073.0, -80.0, count)), rng.uniform(0.0, 1.0, count)])
    sizes = sizes[(sizes >= family.least) & (sizes <= family.top)]
    x = np.concatenate([sizes, -sizes])
    return x[(np.abs(x) < 1.0) | np.isin(np.sign(x), family.at_one)]


@pytest.mark.parametrize("name", KERNELS)
def test_every_argument_is_in_a_piece_of_its_entry(name):
    parts = parts_of(name)
    family = parts["angles"].family
    x = arguments(name, np.random.default_rng(11), 300)
    values = concrete.values(family.traced, x)
    assert not np.any([values[number] for number in family.special])
    pieces = {}
    for which, low, high in parts["angles"].pieces():
        pieces.setdefault(which, []).append((low, high))
    ends = [(low, high) for _, low, high in parts["ends"].pieces()] if "ends" in parts else []
    for one, j, place, steep in zip(x, values[family.j], values[family.place], values[family.steep], strict=True):
        size, sign = abs(one), int(np.sign(one))
        assert j == place
        mine = pieces.get((sign, j, bool(steep)), []) + (pieces[sign, 256, None] if j == 256 else [])
        mine += ends if size < family.clamped else []
        assert any(low <= size <= high for low, high in mine), (one, j, steep)


@pytest.mark.parametrize("name", KERNELS)
def test_no_error_is_larger_than_what_is_proven(name):
    """By MPFR: as a share of err."""
    x = arguments(name, np.random.default_rng(12))
    family = parts_of(name)["angles"].family
    hi, lo, err, exponent = concrete.outputs(family.traced, concrete.values(family.traced, x))
    worst = 0.0
    with gmpy2.context(precision=1400, emin=-5000, emax=5000):
        for i, one in enumerate(x.tolist()):
            exact = FUNCTIONS[name](gmpy2.mpfr(one)) / (gmpy2.const_pi() if name.endswith("pi") else 1)
            error = abs(gmpy2.mpfr(float(hi[i])) + gmpy2.mpfr(float(lo[i])) - gmpy2.mul_2exp(exact, -int(exponent[i])))
            worst = max(worst, float(error / gmpy2.mpfr(float(err[i]))))
    assert 0.05 < worst < 0.98


PLACE = 137
TAIL = source.ATAN_TAIL
FAULTS = {
    "first coefficient": ("asin", planted.raised(TAIL[0], 34)),
    "second coefficient": ("acos", planted.raised(TAIL[1], 10)),
    "bound": ("acospi", planted.constant(source.LEAST, source.LEAST / 16)),
    "angle one ulp up": ("asin", planted.entry(source.ANGLE_HI, PLACE)),
    "tail of an angle": ("acos", planted.entry(source.ANGLE_LO, source.ROW + PLACE, 2**44)),
    "angle beyond the diagonal": ("asinpi", planted.entry(source.ANGLE_HI, source.ROW + PLACE)),
    "1/pi": ("asinpi", planted.constant(source.ONE_OVER_PI_LO, 0.0)),
    "head of few bits": ("asin", planted.integer(source.SHORT, source.SHORT << 20)),
    "half of the inverse": ("acos", planted.constant(0.5, 0.25)),
}


def shown(part):
    """The pieces that faults are sought in: those of one entry."""
    return [piece for piece in part.pieces() if piece[0][1] == PLACE]


@pytest.mark.slow
@for_each("fault", FAULTS)
def test_faults_are_found(fault):
    name, change = FAULTS[fault]
    assert planted.is_found(change, [parts_of(name)["angles"]], shown)


@pytest.mark.slow
def test_a_wrong_entry_is_not_nearest():
    part = parts_of("asin")["nearest"]
    wrong = planted.altered(part, planted.constant(source.PLACES, source.PLACES * 1.05))
    assert planted.is_refused(wrong, part, [(False, 0.5, 0.501)])


@pytest.mark.parametrize("name", KERNELS)
def test_nothing_is_found_there_without_faults(name):
    part = parts_of(name)["angles"]
    assert not prove(part, pieces=shown(part)).failed
