"""Proofs of fine's sinpi, cospi and tanpi: attacked, and faults that they find."""

from __future__ import annotations

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.certify.certificates import certificate
from clmath.certify.proof import prove
from clmath.certify.proofs import narrowed_turns
from clmath.kernels.double import trigonometric as double
from clmath.kernels.fine import trigonometric as fine
from clmath.kernels.rungs import DOUBLE
from tests.cases import for_each
from tests.certify import concrete, planted

KERNELS = narrowed_turns.NAMES
FUNCTIONS = {"sinpi": gmpy2.sin, "cospi": gmpy2.cos, "tanpi": gmpy2.tan}


def parts_of(name):
    return {part.name: part for part in narrowed_turns.fine_parts(name)}


def arguments(name, rng, count=1500):
    """Ordinary arguments of all sizes, next to multiples of 1/4 and of a step and to what ends pieces."""
    least = parts_of(name)["reduction"].family.least
    multiples = np.concatenate([np.arange(1, 40) / 4.0, np.arange(1, 40) / 1024.0, (np.arange(40) + 0.5) / 1024.0])
    sizes = np.concatenate(
        [
            *(np.nextafter(ends, way) for ends in (multiples, np.exp2([-11.0, 51.0])) for way in (0.0, np.inf)),
            np.exp2(rng.uniform(np.log2(least), 51.0, count)),
            rng.uniform(0.0, 4.0, count),
            multiples[:, None].repeat(8, 1).ravel() + rng.normal(size=8 * multiples.size) * 2.0**-30,
        ]
    )
    x = np.concatenate([sizes, -sizes])
    return x[(np.abs(x) >= least) & (np.abs(x) < 2.0**51)]


def values_of(name, x):
    """All values of the trace, told what the double kernel gives; and that."""
    with np.errstate(all="ignore"):  # of tanpi half integers are poles
        told = [np.broadcast_to(part, x.shape) for part in DOUBLE.kernels[name].function(x)]
    return concrete.values(parts_of(name)["reduction"].traced, x, *told), told


@pytest.mark.parametrize("name", KERNELS)
def test_every_argument_is_proven(name, rng):
    """By its f and n: these, and the sine and the cosine of what is left, are as said; exponents are what is told."""
    x = arguments(name, rng)
    family = parts_of(name)["reduction"].family
    values, told = values_of(name, x)
    f, n, halves = (values[number] for number in (family.f, family.n, family.halves))
    with gmpy2.context(precision=200):
        for one, *rest in zip(x.tolist(), f.tolist(), n.tolist(), halves.tolist(), strict=True):
            assert gmpy2.mpfr(one) * 1024 == gmpy2.mpfr(rest[0]) + rest[1] + gmpy2.mpfr(rest[2]) * 2048
    assert (np.abs(f) <= narrowed_turns._HALF).all()
    grids = np.where(np.abs(x) < narrowed_turns._ONE_STEP, narrowed_turns._FINE, narrowed_turns._GRID)
    assert np.array_equal(np.ldexp(f, -grids), np.rint(np.ldexp(f, -grids)))
    sine, sine_lo, bend, bend_lo = (values[number] for number in family.tails)
    assert (np.abs(sine) <= narrowed_turns.REACH).all()
    assert (np.abs(sine_lo) <= np.abs(sine) * narrowed_turns._SINE_LO).all()
    assert (np.abs(bend - (np.sqrt(1.0 - sine * sine) - 1.0)) <= 2.0**-52).all()
    assert (np.abs(bend_lo) <= narrowed_turns._COSINE_LO).all()
    own = family.own.exponent
    usual = values[own.number] if hasattr(own, "number") else np.full(x.shape, own.encoding)
    assert np.array_equal(usual, told[3])


@pytest.mark.parametrize("name", KERNELS)
def test_no_error_is_larger_than_what_is_proven(name, rng):
    """By MPFR, where the kernel takes its own enclosure; of tiny arguments, too; climbing from the worst ones."""
    x = arguments(name, rng)
    if name != "cospi":
        x = np.concatenate([x, np.exp2(rng.uniform(-1070.0, -40.0, 400))])
    proven, worst = max(part["worst"] for part in certificate("fine", name)["parts"]), 0.0
    for _ in range(3):
        shares = shares_of(name, x)
        worst = max(worst, float(shares.max()))
        best = x[np.argsort(shares)[-40:]]
        steps = np.exp2(rng.uniform(0.0, 30.0, (20, best.size))).astype(np.int64) * rng.choice((-1, 1), (20, best.size))
        x = (best.view(np.int64) + steps).view(np.float64).ravel()
    assert 0.001 < worst <= proven


def shares_of(name, x):
    values, told = values_of(name, x)
    *outputs, exponent = concrete.outputs(parts_of(name)["reduction"].traced, values)

    def exact(i):
        turns = gmpy2.mpfr(float(x[i])) % 2
        value = FUNCTIONS[name](turns * gmpy2.const_pi())
        return gmpy2.mul_2exp(value, 2000 - int(exponent[i])) / gmpy2.exp2(2000)

    with gmpy2.context(precision=1500, emin=-20000, emax=20000):
        return concrete.shares(outputs, told[2], exact)


# faults


def raised(c, bits):
    return c * (1.0 + 2.0**-bits)


def without(name, place):
    """What the kernel computes there counts as 0."""
    return planted.without(parts_of(name)["tails"].family.tails[place])


PLACE = 46  # of the entry that is altered; pieces with that alone are proven
FAULTS = {
    "sinpi: pi/1024": ("sinpi", lambda: planted.constant(fine.STEP[1], raised(fine.STEP[1], 40))),
    "sinpi: pi": ("sinpi", lambda: planted.constant(fine.PI[1], raised(fine.PI[1], 40))),
    "sinpi: cubic term of tiny arguments": ("sinpi", lambda: planted.constant(-1.0 / 6.0, -1.0 / 5.0)),
    "sinpi: coefficient of the sine": (
        "sinpi",
        lambda: planted.constant(fine.SINE_SERIES[0][0], raised(fine.SINE_SERIES[0][0], 52)),
    ),
    "cospi: coefficient of the cosine": (
        "cospi",
        lambda: planted.constant(fine.COSINE_SERIES[1][0], raised(fine.COSINE_SERIES[1][0], 52)),
    ),
    "sinpi: entry one ulp up": ("sinpi", lambda: planted.entry(double.SINE_HI, PLACE)),
    "cospi: tail of an entry": ("cospi", lambda: planted.entry(double.SINE_LO, PLACE)),
    "sinpi: what is beside both": ("sinpi", lambda: planted.entry(fine.SINE_REST, PLACE, 2**44)),
    "sinpi: lower part of the sine left out": ("sinpi", lambda: without("sinpi", 1)),
    "cospi: lower part of the cosine left out": ("cospi", lambda: without("cospi", 3)),
    "sinpi: bound halved": ("sinpi", lambda: planted.constant(fine.BOUND, fine.BOUND / 2)),
    "tanpi: bound halved": ("tanpi", lambda: planted.constant(fine.TANGENT_BOUND, fine.TANGENT_BOUND / 2)),
    "tanpi: cubic term of tiny arguments": ("tanpi", lambda: planted.constant(1.0 / 3.0, 1.0 / 4.0)),
    "tanpi: entry one ulp up": ("tanpi", lambda: planted.entry(double.SINE_HI, PLACE)),
    "cospi: quarter of a turn": ("cospi", lambda: planted.integer(512, 511)),
}


def shown(part):
    """The pieces that faults are sought in."""
    pieces = list(part.pieces())
    if part.name == "value":
        near = {PLACE, PLACE + 512, 2048 - 512 + PLACE}
        return [piece for piece in pieces if piece[0] in near] + pieces[:8] + pieces[180:184]
    return pieces[-4:] + pieces[:: len(pieces) // 8]


@pytest.mark.slow
@for_each("fault", FAULTS)
def test_faults_are_found(fault):
    name, change = FAULTS[fault]
    assert planted.is_found(change(), narrowed_turns.fine_parts(name), shown)


@pytest.mark.parametrize("name", KERNELS)
def test_nothing_is_found_there_without_faults(name):
    for part in narrowed_turns.fine_parts(name):
        assert not prove(part, pieces=shown(part)).failed
