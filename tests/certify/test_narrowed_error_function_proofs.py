"""Proofs of fine's erf and erfc: verified again, attacked, and faults that they find."""

from __future__ import annotations

import functools

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.certify.certificates import certificate
from clmath.certify.proof import prove
from clmath.certify.proofs import narrowed_error_function as proofs
from clmath.engines.device.program import Value
from clmath.kernels.double import error_function as double
from clmath.kernels.double import exponential
from clmath.kernels.fine import error_function as source
from clmath.kernels.fine import exponential as fine
from clmath.kernels.rungs import DOUBLE
from tests.cases import for_each
from tests.certify import concrete, planted, second_sums
from tests.certify.test_growth_proofs import raised, within

KERNELS = proofs.NAMES
EXACT = {"erf": gmpy2.erf, "erfc": gmpy2.erfc}


@functools.cache
def parts_of(name):
    return {part.name: part for part in proofs.fine_parts(name)}


def kernel_of(name):
    return parts_of(name)["series"].family


# the second checker


@pytest.mark.parametrize("where", ["near zero", "beyond"])
def test_squares_are_verified_again(where, draw):
    part = parts_of("erf")[f"square {where}"]
    for which, low, high in draw.sample(list(part.pieces()), 6):
        cell = within(draw, low, high)
        found = second_sums.share(part.traced, part.statement(which, *cell), *cell)
        assert 0 < found <= 1, (which, cell, float(found))


@pytest.mark.parametrize("where", ["near zero", "beyond"])
def test_powers_are_verified_again(where, draw):
    part = parts_of("erf")[f"power {where}"]
    for which, low, high in draw.sample(list(part.pieces()), 6):
        cell = within(draw, *draw.choice(((low, -(2.0**-30)), (2.0**-30, high))), 50)
        found = second_sums.share(part.traced, part.statement(which), *cell)
        assert 0 < found <= 1, (which, cell, float(found))


# all arguments are in a piece


def arguments(name, rng, count=1500):
    """Of all sizes that are not decided, of both signs, and next to where the kernel does otherwise."""
    top = double.SATURATED if name == "erf" else double.TOP
    ends = np.concatenate([[double.TINY, source.ROOT, double.SATURATED, double.TOP], np.arange(1, 56) / 16])
    near = np.concatenate([ends, np.nextafter(ends, 0.0), np.nextafter(ends, np.inf)])
    sizes = np.concatenate([near, np.exp2(rng.uniform(-61.0, 4.8, count)), rng.uniform(0.0, top, count)])
    if name == "erf":
        sizes = np.concatenate([sizes, np.exp2(rng.uniform(-1074.0, -60.0, count // 4)), [2.0**-1074, 2.0**-1022]])
    sizes = sizes[(sizes >= (0.0 if name == "erf" else double.TINY)) & (sizes <= top)]
    x = np.concatenate([sizes, -sizes])
    return x[(np.abs(x) < double.SATURATED) | ((name == "erfc") & (x > 0.0))]


def values_of(name, x):
    """All values of the trace, told what the double kernel gives; and that."""
    told = [np.broadcast_to(part, x.shape) for part in DOUBLE.kernels[name].function(x)]
    return concrete.values(kernel_of(name).traced, x, *told), told


@pytest.mark.parametrize("name", KERNELS)
def test_every_argument_is_proven(name, rng):
    """What is given of values is so, and they lie in pieces; exponents are what is told, or no less."""
    x = arguments(name, rng)
    parts, kernel = parts_of(name), kernel_of(name)
    values, told = values_of(name, x)
    far = np.abs(x) > source.ROOT
    assert np.array_equal(values[kernel.far], far)
    assert values[kernel.usable][~far].all()
    pieces = [(low, high) for _, low, high in parts["series"].pieces()]
    assert all(any(low <= one <= high for low, high in pieces) for one in np.abs(x[~far]).tolist())
    for decay, here in ((kernel.near, ~far & (np.abs(x) >= double.TINY)), (kernel.beyond, far)):
        assert_decays(decay, values, here, -17 if decay is kernel.beyond else 0)
    assert_pair(values, kernel.pairs[-1], far, proofs._FRACTIONS, proofs._LOWER_OF_FRACTION)
    apart = told[3] - exponents(kernel, values, x.shape)
    scaled = (name == "erfc") & ~far & (x > 0.0)
    assert not apart[~scaled].any()
    assert ((apart[scaled] <= 0) & (apart[scaled] >= -proofs._MOST_APART)).all()


def exponents(kernel, values, shape):
    own = kernel.own.exponent
    return np.broadcast_to(values[own.number], shape)


def assert_decays(decay, values, here, most_k):
    assert_pair(values, decay.power, here, proofs._ENDS, proofs._LOWER)
    k, j, n = (values[number][here] for number in (decay.k, decay.j, decay.n))
    assert np.array_equal(n, 256 * k + j)
    assert (k <= most_k).all()
    rest, rest_lo = (values[number][here] for number in decay.rest)
    assert (np.abs(rest) <= 0.00136).all()
    assert (np.abs(rest_lo) <= 2.0**-62).all()


def assert_pair(values, pair, here, ends, lower):
    hi, lo = (values[number][here] for number in pair)
    assert ((hi >= ends[0]) & (hi <= ends[1])).all()
    assert (np.abs(lo) <= lower * hi).all()


# the kernels' real errors


@pytest.mark.parametrize("name", KERNELS)
def test_no_error_is_larger_than_what_is_proven(name, rng):
    """By MPFR, where the kernel takes its own enclosure; climbing from the worst ones."""
    x = arguments(name, rng, 500)
    proven, worst = max(part["worst"] for part in certificate("fine", name)["parts"]), 0.0
    for _ in range(3):
        shares = shares_of(name, x)
        worst = max(worst, float(shares.max()))
        best = x[np.argsort(shares)[-30:]]
        steps = np.exp2(rng.uniform(0.0, 30.0, (20, best.size))).astype(np.int64) * rng.choice((-1, 1), (20, best.size))
        x = (best.view(np.int64) + steps).view(np.float64).ravel()
    assert 0.01 < worst <= proven


def shares_of(name, x):
    values, told = values_of(name, x)
    *outputs, exponent = concrete.outputs(kernel_of(name).traced, values)

    def exact(i):
        return gmpy2.mul_2exp(EXACT[name](gmpy2.mpfr(float(x[i]))), 3000) / gmpy2.exp2(3000 + int(exponent[i]))

    with gmpy2.context(precision=1400, emin=-20000, emax=20000):
        return concrete.shares(outputs, told[2], exact)


# faults

ENTRY = 174  # of the table of powers, that is altered


def without(name, what):
    """What ``what`` takes of the numbers of the proof counts as 0."""
    return planted.without(what(kernel_of(name)))


def contracted(kernel):
    """What the last quotient leaves of its dividend, rounded once: then the product's error is taken off twice."""
    product = planted.user(kernel.traced, "double.mul", Value(kernel.pairs[-1][0]))
    return planted.contracted(planted.user(kernel.traced, "double.sub", Value(product)))


FAULTS = {
    "erf: bound halved": ("erf", "series", lambda: planted.constant(source.BOUND, source.BOUND / 2.0)),
    "erf: coefficient": (
        "erf",
        "series",
        lambda: planted.constant(source.SERIES[6][0], np.nextafter(source.SERIES[6][0], 1)),
    ),
    "erf: lower part of a coefficient": (
        "erf",
        "series",
        lambda: planted.constant(source.SERIES[3][1], raised(source.SERIES[3][1], 20)),
    ),
    "erf: first coefficient of the tail": (
        "erf",
        "series",
        lambda: planted.constant(source.TAIL[0], raised(source.TAIL[0], 20)),
    ),
    "erf: lower part of the square left out": ("erf", "series", lambda: without("erf", lambda k: k.near.square[1])),
    "erf: lower part of the series left out": ("erf", "series", lambda: without("erf", lambda k: k.steps[-1][1])),
    "erf: scale of small arguments": ("erf", "series", lambda: planted.integer(-600, -599)),
    "erf: where the fraction begins": ("erf", "quotients", lambda: planted.constant(1.0, 1.0 + 2.0**-52)),
    "erf: least power of two": ("erf", "quotients", lambda: planted.integer(-200, -20)),
    "erfc: bound of the fraction halved": (
        "erfc",
        "quotients",
        lambda: planted.constant(source.FRACTION_BOUND, source.FRACTION_BOUND / 2.0),
    ),
    "erf: bound of differences": ("erf", "quotients", lambda: planted.constant(2.0**-103, 2.0**-108)),
    "erfc: lower part of the fraction left out": (
        "erfc",
        "fraction",
        lambda: without("erfc", lambda k: k.pairs[-2][1]),
    ),
    "erfc: a level": ("erfc", "fraction", lambda: planted.constant(0.5 * 3, 0.5 * 3.0 * (1.0 + 2.0**-52))),
    "erfc: first level": ("erfc", "fraction", lambda: planted.constant(30.5, 29.0)),
    "erfc: root of pi": (
        "erfc",
        "quotients",
        lambda: planted.constant(source.INVERSE_ROOT_OF_PI[1], raised(source.INVERSE_ROOT_OF_PI[1], 40)),
    ),
    "erfc: 2": ("erfc", "quotients", lambda: planted.constant(2.0, 2.0 + 2.0**-51)),
    "erf: reduction without its last term": (
        "erf",
        "square near zero",
        lambda: planted.constant(exponential.LN2_STEP[2], 0.0),
    ),
    "erfc: difference from a product, rounded once": ("erfc", "quotients", lambda: contracted(kernel_of("erfc"))),
    "erf: head of a power one place up": ("erf", "power near zero", lambda: planted.entry(exponential.EXP2_HI, ENTRY)),
    "erf: what is beside a power": ("erf", "power near zero", lambda: planted.entry(fine.EXP2_REST, ENTRY, 1 << 44)),
    "erf: mask of j": ("erf", "power near zero", lambda: planted.integer(255, 127)),
    "erf: shift of k": ("erf", "power near zero", lambda: planted.integer(8, 9)),
    "erf: bias of powers of two": ("erf", "power near zero, scaled", lambda: planted.integer(1023, 1022)),
    "erfc: lower part of the square left out": (
        "erfc",
        "square beyond",
        lambda: without("erfc", lambda k: k.beyond.square[1]),
    ),
    "erfc: head of a power beyond": ("erfc", "power beyond", lambda: planted.entry(exponential.EXP2_HI, ENTRY)),
}


def shown(part):
    """The pieces that faults are sought in."""
    pieces = list(part.pieces())
    if part.name in {"power near zero", "power beyond"}:
        return [piece for piece in pieces if piece[0] == ENTRY]
    if part.name == "series":
        return [pieces[0], *pieces[-2:]]
    if part.name == "quotients":
        return pieces[:: len(pieces) // 12] + pieces[-2:]
    return pieces[:2] if part.name == "fraction" else pieces


@pytest.mark.slow
@for_each("fault", FAULTS)
def test_faults_are_found(fault):
    name, where, change = FAULTS[fault]
    part = parts_of(name)[where]
    assert planted.is_refused(planted.altered(part, change()), part, shown(part))


@pytest.mark.parametrize("name", KERNELS)
def test_nothing_is_found_there_without_faults(name):
    for part in parts_of(name).values():
        assert not prove(part, pieces=shown(part)).failed
