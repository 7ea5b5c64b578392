"""Proofs of fine's atan2 and atan2pi: attacked, and faults that they find."""

from __future__ import annotations

import math

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from flint import arb

from clmath.certify.models import Cell, precisely, upper
from clmath.certify.proof import prove
from clmath.certify.proofs import narrowed_directions as proofs
from clmath.certify.proofs import narrowed_turns
from clmath.engines.device.program import Value
from clmath.kernels.double import trigonometric as double
from clmath.kernels.fine import inverse_trigonometric as fine
from clmath.kernels.fine import trigonometric
from clmath.kernels.rungs import DOUBLE
from tests.cases import for_each
from tests.certify import concrete, planted

KERNELS = proofs.NAMES
EXACTLY = gmpy2.context(precision=2500, emin=-9000, emax=9000)


def parts_of(name):
    return {part.name: part for part in proofs.fine_parts(name)}


def family_of(name):
    return parts_of(name)["missed"].family


def unit(name):
    """That of results, in radians."""
    return gmpy2.const_pi() if name.endswith("pi") else gmpy2.mpfr(1)


def arguments(rng, count):
    """Directions of all kinds: of all angles, close to axes and diagonals, and of all lengths, subnormal ones too."""
    angles = rng.uniform(-math.pi, math.pi, count)
    steps = rng.integers(-2048, 2049, count) * (math.pi / 2048)
    apart = rng.choice((-1.0, 1.0), count) * np.exp2(rng.uniform(-60.0, -1.0, count))
    turns = np.concatenate([angles, steps, rng.integers(-4, 5, count) * (math.pi / 4) + apart])
    y, x = np.sin(turns), np.cos(turns)
    scale = np.exp2(rng.integers(-1060, 1000, turns.size))
    small = np.exp2(rng.uniform(-1070.0, 1000.0, (2, count))) * rng.choice((-1.0, 1.0), (2, count))
    axes = np.array([[1.0, 0.0], [-1.0, 0.0], [1.0, 1.0], [-5e-324, 5e-324], [5e-324, -1.0], [2.0**-30, -1.0]]).T
    return np.concatenate([y, y * scale, small[0], axes[0]]), np.concatenate([x, x * scale, small[1], axes[1]])


def values_of(name, y, x):
    """All values of the trace, told what the double kernel gives; and that."""
    with np.errstate(all="ignore"):
        told = [np.broadcast_to(part, x.shape) for part in DOUBLE.kernels[name].function(y, x)]
    return concrete.values(family_of(name).traced, y, x, *told), told


def exactly(name, y, x):
    """The value."""
    return gmpy2.atan2(gmpy2.mpfr(float(y)), gmpy2.mpfr(float(x))) / unit(name)


def usual(told):
    """Where the step is to be proven."""
    return np.flatnonzero((told[2] > 0.0) & (np.abs(told[0]) >= fine.LEAST) & (told[3] == 0)).tolist()


@pytest.mark.parametrize("name", KERNELS)
def test_what_a_part_is_given_is_what_the_one_before_it_leaves(name, rng):
    """For directions of all kinds, by MPFR; each is in a piece of each part that speaks of it."""
    y, x = arguments(rng, 30)
    parts, family = parts_of(name), family_of(name)
    pieces = {part: list(one.pieces()) for part, one in parts.items()}
    values, told = values_of(name, y, x)
    hi, lo, err, _ = told

    def has(part, at, which=None):
        return any((which is None or of == which) and low <= at <= high for of, low, high in pieces[part])

    for i in usual(told):
        n, size = int(values[family.n][i]), abs(float(hi[i]))
        sine, sine_lo = (float(values[number][i]) for number in family.tails[:2])
        v, u, missed, error, slope = (
            values[number][i].item() for number in (family.v, family.u, family.missed, family.error, family.slope)
        )
        beside, beside_lo = family.beside_at(n)
        assert abs(lo[i]) <= size * 2.0**-53
        assert abs(sine_lo) <= abs(sine) * narrowed_turns._SINE_LO + beside_lo
        assert 1.0 <= max(abs(v), abs(u)) < 2.0
        assert 0.99 <= slope <= 2.99
        assert has("missed", sine, (n, abs(v) > abs(u))) or has("missed", sine, (n, abs(v) >= abs(u)))
        assert has("sums", float(hi[i]))
        with EXACTLY:
            t = gmpy2.mpfr(float(hi[i])) + gmpy2.mpfr(float(lo[i]))
            d = exactly(name, y[i], x[i]) - t
            assert abs(d) <= err[i] <= proofs.TOLD * size
            off = gmpy2.mpfr(sine) + gmpy2.mpfr(sine_lo) - gmpy2.sin(t * unit(name) - n * gmpy2.const_pi() / 1024)
            assert abs(off) <= narrowed_turns._SINE_OFF * abs(sine) + beside
            along = gmpy2.atan2(gmpy2.mpfr(v), gmpy2.mpfr(u)) / unit(name)
            assert abs(along - exactly(name, y[i], x[i])) <= 2.0**-198
            left = gmpy2.mpfr(missed) - d * unit(name) * gmpy2.mpfr(slope)
            assert abs(left) <= error + proofs.SHARE * size * slope * float(unit(name))
            step = gmpy2.mpfr(float(values[family.step][i]))
            assert abs(step - d) <= values[family.change][i] + proofs.SHARE * size
    assert values[family.own.taken].mean() > 0.4


@pytest.mark.parametrize("name", KERNELS)
def test_no_error_is_larger_than_the_bound(name, rng):
    """By MPFR, of what the kernel gives where it takes an enclosure of its own."""
    y, x = arguments(rng, 150)
    values, told = values_of(name, y, x)
    hi, lo, err, exponent = concrete.outputs(family_of(name).traced, values)
    shares = [0.0]
    with EXACTLY:
        for i in np.flatnonzero((err < told[2]) & (err > 0.0)).tolist():
            exact = exactly(name, y[i], x[i]) * gmpy2.exp2(-int(exponent[i]))
            error = gmpy2.mpfr(float(hi[i])) + gmpy2.mpfr(float(lo[i])) - exact
            shares.append(float(abs(error) / gmpy2.mpfr(float(err[i]))))
    assert 0.001 < max(shares) < 0.98


@pytest.mark.parametrize("name", KERNELS)
def test_what_is_exact_is_kept(name):
    y = np.array([0.0, -0.0, 0.0, np.nan, 1.0, -1.0])
    x = np.array([1.0, 2.0, -0.0, 1.0, np.nan, np.nan])
    values, told = values_of(name, y, x)
    family, is_exact = family_of(name), told[2] == 0.0
    assert is_exact.sum() >= 4
    assert not any(values[number][is_exact].any() for number in (family.own.taken, *family.later))


def test_products_with_what_is_wide_are_terms():
    """(1.5 + a)(1 + b) (1 - b) with wide a is 1.5 + a, but for b^2; without, it is known to a b alone."""
    precisely()
    for is_wide in (True, False):
        cell = Cell(arb(-1), arb(1))
        a, b = cell.unknown(0.5), cell.unknown(2.0**-60)
        cell.wide |= set(a.terms) if is_wide else set()
        one, length = cell.constant(1), cell.constant(1.5) + a
        left = length * (one + b) - length - length * b
        assert (upper(left.range()) < 2.0**-100) is is_wide


# faults


def raised(c, bits):
    return c, c * (1.0 + 2.0**-bits)


def without(name, place):
    """What the kernel computes there counts as 0."""
    return name, lambda: planted.without(place(family_of(name)))


def other(name, old, new):
    """A constant is another one."""
    return name, lambda: planted.constant(old, new)


def less_length():
    """What is left of the quotient of both lengths is rounded once: the product's error comes twice."""
    cubic = parts_of("atan2")["left"].family
    product = planted.user(cubic.traced, "double.mul", Value(cubic.quotient))
    return planted.contracted(planted.user(cubic.traced, "double.sub", Value(product)))


def without_rest():
    """Of the quotient of both lengths only what is rounded counts."""
    return planted.without(parts_of("atan2")["left"].family.rest)


PLACE = 46  # of the entry that is altered
FAULTS = {
    "atan2: pi/1024": other("atan2", *raised(trigonometric.STEP[1], 40)),
    "atan2: coefficient of the sine one ulp up": other("atan2", *raised(trigonometric.SINE_SERIES[0][0], 52)),
    "atan2pi: entry one ulp up": ("atan2pi", lambda: planted.entry(double.SINE_HI, PLACE)),
    "atan2: tail of an entry": ("atan2", lambda: planted.entry(double.SINE_LO, PLACE)),
    "atan2: bound": other("atan2", fine.DIRECTIONS, fine.DIRECTIONS / 2),
    "atan2pi: bound": other("atan2pi", fine.DIRECTIONS, fine.DIRECTIONS / 2),
    "atan2: bound of the sum": other("atan2", fine.ROUNDING, fine.ROUNDING / 2),
    "atan2pi: bound of the sum": other("atan2pi", fine.ROUNDING, fine.ROUNDING / 2),
    "atan2: what bounds grow by": other("atan2", 1.125, 1.0625),
    "atan2: lo left out": without("atan2", lambda _: 3),
    "atan2: third word left out": without("atan2", lambda family: family.parts[3]),
    "atan2: lower part of the sine left out": without("atan2", lambda family: family.tails[1]),
    "atan2pi: lower part of the cosine left out": without("atan2pi", lambda family: family.tails[3]),
    "atan2: step left out": without("atan2", lambda family: family.step),
    "atan2: what is left of the quotient left out": (
        "atan2",
        lambda: planted.without(parts_of("atan2")["left"].family.rest),
    ),
    "atan2: product contracted": ("atan2", less_length),
    "atan2pi: cubic term": other("atan2pi", -1.0 / 3.0, -1.0 / 4.0),
    "atan2pi: bound of small angles": other("atan2pi", fine.CUBIC_BOUND, fine.CUBIC_BOUND / 64),
    "atan2: furthest": ("atan2", lambda: planted.integer(fine.FURTHEST, fine.FURTHEST + 140)),
    "atan2: quarter of a turn": ("atan2", lambda: planted.integer(512, 511)),
}


def shown(part):
    """The pieces that faults are sought in."""
    pieces = list(part.pieces())
    if part.name == "missed":
        return [piece for piece in pieces if abs(piece[0][0]) in {0, PLACE}][::6]
    if part.name == "reduction" and len(pieces) > 100:  # by words
        return [piece for piece in pieces if -31 <= piece[0] <= 1]
    if part.name == "tails" and len(pieces) > 100:  # by exponents
        return [piece for piece in pieces if piece[0] == -1][::4] + pieces[:4]
    return pieces[-2:] + pieces[-70:-50:5] + pieces[:: len(pieces) // 12] if len(pieces) > 120 else pieces[::2]


@pytest.mark.slow
@for_each("fault", FAULTS)
def test_faults_are_found(fault):
    name, change = FAULTS[fault]
    parts = [part for part in proofs.fine_parts(name) if not part.name.startswith("told")]
    assert planted.is_found(change(), parts, shown)


@pytest.mark.parametrize("name", KERNELS)
def test_nothing_is_found_there_without_faults(name):
    for part in proofs.fine_parts(name):
        assert not prove(part, pieces=shown(part)).failed
