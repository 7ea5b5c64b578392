"""Proofs of fine's asin, acos, atan and their pi forms: attacked, and faults that they find."""

from __future__ import annotations

import math

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.certify.certificates import certificate
from clmath.certify.proof import prove
from clmath.certify.proofs import double_angles, narrowed_angles, narrowed_turns
from clmath.certify.proofs import narrowed_arcs as proofs
from clmath.engines.device.program import Value
from clmath.kernels.double import angles
from clmath.kernels.double import trigonometric as double
from clmath.kernels.fine import inverse_trigonometric as fine
from clmath.kernels.fine import trigonometric
from clmath.kernels.rungs import DOUBLE
from tests.cases import for_each
from tests.certify import concrete, planted

KERNELS = proofs.NAMES
IN_RADIANS = {"asin": gmpy2.asin, "acos": gmpy2.acos, "atan": gmpy2.atan}
EXACTLY = gmpy2.context(precision=500, emin=-5000, emax=5000)


def parts_of(name):
    return {part.name: part for part in proofs.fine_parts(name)}


def family_of(name):
    return parts_of(name)["step"].family


def unit(name):
    """That of results, in radians."""
    return gmpy2.const_pi() if name.endswith("pi") else gmpy2.mpfr(1)


def exactly(name, x):
    """The value."""
    return IN_RADIANS[name.removesuffix("pi")](gmpy2.mpfr(float(x))) / unit(name)


def arguments(name, rng, count):
    """Doubles of all sizes, of both signs, next to 1 and 0, and whose angles are next to multiples of half a step."""
    turns = np.concatenate([np.arange(1, 1024, 13), rng.integers(1, 1024, count)]) * (math.pi / 2048)
    function = {"asin": np.sin, "acos": np.cos, "atan": np.tan}[name.removesuffix("pi")]
    near = function(turns)
    sizes = [np.abs(near), np.abs(np.nextafter(near, 0.0)), np.exp2(rng.uniform(-31.0, 0.0, count))]
    sizes += [rng.uniform(0.0, 1.0, count), 1.0 - np.exp2(rng.uniform(-53.0, -1.0, count)), [1.0, 1.0 - 2.0**-53]]
    is_slope = name.startswith("atan")
    if is_slope:
        sizes += [np.exp2(rng.uniform(0.0, 1024.0, count)), np.exp2(rng.uniform(0.0, 80.0, count))]
        sizes += [[np.nextafter(fine.FAR, way) for way in (0.0, fine.FAR, np.inf)], [np.finfo(np.float64).max]]
    if name != "asin":
        sizes += [np.exp2(rng.uniform(-1074.0, -28.0, count))]
    x = np.concatenate(sizes)
    x = x[(x <= 1.0) | is_slope]
    return np.concatenate([x, -x])


def values_of(name, x):
    """All values of the trace, told what the double kernel gives; and that."""
    with np.errstate(all="ignore"):
        told = [np.broadcast_to(part, x.shape) for part in DOUBLE.kernels[name].function(x)]
    return concrete.values(family_of(name).traced, x, *told), told


def usual(name, x, told):
    """Where the step is to be proven: not at 1, nor of what is exact, nor too small."""
    is_one = (np.abs(x) == 1.0) & (name != "atan")
    large = (np.abs(told[0]) >= fine.LEAST) & (told[3] == 0)
    return np.flatnonzero((told[2] > 0.0) & large & ~is_one).tolist()


@for_each("name", KERNELS)
def test_what_a_part_is_given_is_what_the_one_before_it_leaves(name, rng):
    """For arguments of all kinds, by MPFR: what is told, the parts of w, n, the sine and the cosine, the step."""
    x = arguments(name, rng, 40)
    family = family_of(name)
    values, told = values_of(name, x)
    hi, lo, err, exponent = told
    assert (exponent == 0).all() or name in {"asinpi", "atanpi", "atan"}
    some = usual(name, x, told)
    assert (np.abs(lo[some]) <= np.abs(hi[some]) * proofs._LEFT).all()
    for i in some:
        n, size = int(values[family.n][i]), abs(float(hi[i]))
        sine, sine_lo, bend, bend_lo = (values[number][i] for number in family.tails)
        for number, said in zip(family.parts, narrowed_angles.SUMMANDS, strict=False):
            assert abs(values[number][i]) <= said.most
        assert family.steps[0] <= n <= family.steps[1]
        assert abs(sine) <= narrowed_turns.REACH
        beside, beside_lo = family.beside_at(n)
        assert abs(sine_lo) <= abs(sine) * narrowed_turns._SINE_LO + beside_lo
        with EXACTLY:
            t = gmpy2.mpfr(float(hi[i])) + gmpy2.mpfr(float(lo[i]))
            d = exactly(name, x[i]) - t
            assert abs(d) <= err[i] <= proofs.TOLD * size
            r = t * unit(name) - n * gmpy2.const_pi() / 1024
            off = gmpy2.mpfr(float(sine)) + gmpy2.mpfr(float(sine_lo)) - gmpy2.sin(r)
            assert abs(off) <= narrowed_turns._SINE_OFF * abs(sine) + beside
            off = gmpy2.mpfr(float(bend)) + gmpy2.mpfr(float(bend_lo)) - (gmpy2.cos(r) - 1)
            assert abs(off) <= narrowed_turns.cosine_off(beside)
            step = gmpy2.mpfr(float(values[family.step][i]))
            assert abs(step - d) <= values[family.change][i] + proofs.SHARE * size


@for_each("name", KERNELS)
def test_every_argument_is_in_a_piece(name, rng):
    """Of each part that speaks of it."""
    parts, x = parts_of(name), arguments(name, rng, 30)
    family, pieces = family_of(name), {name: list(part.pieces()) for name, part in parts.items()}
    values, told = values_of(name, x)
    tiny = x[(np.abs(x) < fine.CUBIC) & (x != 0.0)]

    def has(part, at, which=None):
        return any((which is None or of == which) and low <= at <= high for of, low, high in pieces[part])

    for i in usual(name, x, told):
        hi, n = float(told[0][i]), int(values[family.n][i])
        exponent = math.frexp(hi)[1] - 1
        assert any(has(part, abs(x[i])) for part in pieces if part.startswith("told"))
        if family.turns:
            w = float(values[family.parts[0]][i]) + 1024.0 * float(told[1][i])
            assert has("reduction", hi)
            assert has("tails", w, exponent if n else min(exponent, -12))
        else:
            words = parts["significand"].family
            assert ((exponent, int(hi < 0.0)), 0.0, 0.0) in pieces["significand"]
            assert has("reduction", values[words.significand[3]][i], exponent)
            assert has("tails", sum(float(values[number][i]) for number in family.parts) + 326.0 * told[1][i])
        assert has("sums", hi)
        assert not name.startswith("atan") or has("clamped", x[i])
        by_slope = name.startswith("atan") and abs(n) == 512
        assert has("step", values[family.clamped if by_slope else family.tails[0]][i], n)
    assert not family.later or all(has("tiny", one, abs(one) < 2.0**-400) for one in tiny)
    assert values[family.own.taken].mean() > 0.4
    assert (values[family.own.scale] == 1.0).all()


@for_each("name", KERNELS)
def test_no_error_is_larger_than_what_is_proven(name, rng):
    """By MPFR, where the kernel takes its own enclosure; climbing from the worst ones."""
    proven = max(
        part["worst"] for part in certificate("fine", name)["parts"] if part["name"] in {"step", "sums", "tiny"}
    )
    x, worst = arguments(name, rng, 120), 0.0
    for _ in range(3):
        shares = shares_of(name, x)
        worst = max(worst, float(shares.max()))
        best = x[np.argsort(shares)[-30:]]
        steps = np.exp2(rng.uniform(0.0, 40.0, (12, best.size))).astype(np.int64) * rng.choice((-1, 1), (12, best.size))
        x = (best.view(np.int64) + steps).view(np.float64).ravel()
    assert 0.001 < worst <= proven


def shares_of(name, x):
    """The errors of what the kernel gives where it takes its own enclosure, as shares of the bound."""
    values, told = values_of(name, x)
    *outputs, exponent = concrete.outputs(family_of(name).traced, values)
    with EXACTLY:
        return concrete.shares(outputs, told[2], lambda i: exactly(name, x[i]) * gmpy2.exp2(-int(exponent[i])))


@for_each("name", KERNELS)
def test_what_is_exact_or_decided_is_kept(name):
    x = np.array([0.0, -0.0, 1.0, -1.0, 2.0, -2.0, np.inf, -np.inf, np.nan, 5e-324, -(2.0**-80), 2.0**-31.5])
    values, told = values_of(name, x)
    family, is_exact = family_of(name), told[2] == 0.0
    is_small = (np.abs(told[0]) < fine.LEAST) | (told[3] != 0)
    assert is_exact.sum() >= 3
    assert not values[family.own.taken][is_exact | is_small | ((np.abs(x) == 1.0) & (name != "atan"))].any()
    assert not any(values[number][is_exact].any() for number in family.later)


# faults


def raised(c, bits):
    return c, c * (1.0 + 2.0**-bits)


def without(name, place):
    """What the kernel computes there counts as 0."""
    return name, lambda: planted.without(place(family_of(name)))


def other(name, old, new):
    """A constant is another one."""
    return name, lambda: planted.constant(old, new)


def with_steps():
    """What a sum with the product of f with pi/1024 has beside it is rounded once: the product's error comes twice."""
    traced = family_of("asin").traced
    product = planted.user(traced, "double.mul", planted.double(trigonometric.STEP[0]))
    return planted.contracted(planted.user(traced, "double.sub", Value(product)))


PLACE = 46  # of the entry that is altered
ROW = double_angles.row_of(0)  # of the first word for angles from 1 to 2
FAULTS = {
    "asin: pi/1024": other("asin", *raised(trigonometric.STEP[1], 40)),
    "acos: coefficient of the sine one ulp up": other("acos", *raised(trigonometric.SINE_SERIES[0][0], 52)),
    "atan: coefficient of the cosine one ulp up": other("atan", *raised(trigonometric.COSINE_SERIES[1][0], 52)),
    "asin: entry one ulp up": ("asin", lambda: planted.entry(double.SINE_HI, PLACE)),
    "acos: tail of an entry": ("acos", lambda: planted.entry(double.SINE_LO, PLACE)),
    "atan: what is beside both": ("atan", lambda: planted.entry(trigonometric.SINE_REST, PLACE, 2**48)),
    "atan: word of 1024/pi one ulp up": ("atan", lambda: planted.entry(angles.WORDS, ROW)),
    "asin: bound": other("asin", fine.SINES, fine.SINES / 2),
    "acos: bound": other("acos", fine.COSINES, fine.COSINES / 2),
    "atan: bound": other("atan", fine.SLOPES, fine.SLOPES / 2),
    "asin: bound of the sum": other("asin", fine.ROUNDING, fine.ROUNDING / 2),
    "atan: bound of the sum": other("atan", fine.ROUNDING, fine.ROUNDING / 2),
    "asin: what bounds grow by": other("asin", 1.125, 0.5625),
    "asin: third word left out": without("asin", lambda family: family.parts[3]),
    "acos: rest of the second word left out": without("acos", lambda family: family.parts[2]),
    "asin: lo left out": without("asin", lambda _: 2),
    "atan: lower part of the sine left out": without("atan", lambda family: family.tails[1]),
    "acos: lower part of the cosine left out": without("acos", lambda family: family.tails[3]),
    "acos: step left out": without("acos", lambda family: family.step),
    "asinpi: pi/1024": other("asinpi", *raised(trigonometric.STEP[1], 40)),
    "acospi: pi": other("acospi", *raised(trigonometric.PI[0], 40)),
    "atanpi: 1/pi of the step": other("atanpi", *raised(fine.ONE_OVER_PI, 20)),
    "asinpi: 1/pi of what is tiny": other("asinpi", *raised(fine.INVERSE_PI[1], 40)),
    "asinpi: cubic term": other("asinpi", 1.0 / 6.0, 1.0 / 5.0),
    "atanpi: cubic term": other("atanpi", -1.0 / 3.0, -1.0 / 4.0),
    "atanpi: bound of what is tiny": other("atanpi", fine.CUBIC_BOUND, fine.CUBIC_BOUND / 64),
    "asinpi: bound": other("asinpi", fine.SINES, fine.SINES / 2),
    "acospi: bound": other("acospi", fine.COSINES, fine.COSINES / 2),
    "atanpi: bound": other("atanpi", fine.SLOPES, fine.SLOPES / 2),
    "acospi: bound of the sum": other("acospi", fine.ROUNDING, fine.ROUNDING / 2),
    "acospi: entry one ulp up": ("acospi", lambda: planted.entry(double.SINE_HI, PLACE)),
    "asinpi: lo left out": without("asinpi", lambda _: 2),
    "atanpi: steps of half turns": other("atanpi", double.STEPS_PER_UNIT, double.STEPS_PER_UNIT + 1.0),
    "atan: far": other("atan", fine.FAR, fine.FAR / 2.0**150),
    "asin: product contracted": ("asin", with_steps),
    "atan: quarter of a turn": ("atan", lambda: planted.integer(512, 511)),
}


def shown(part):
    """The pieces that faults are sought in."""
    pieces = list(part.pieces())
    if part.name == "step":
        near = [piece for piece in pieces if piece[0] in {1, PLACE, -PLACE, 512 - PLACE, 511, 1022}]
        return near + pieces[:3] + pieces[-3:] + [piece for piece in pieces if not piece[0]][:3]
    if part.name == "sums":
        return pieces[::4]
    if part.name == "reduction" and len(pieces) > 100:  # by words
        return [piece for piece in pieces if -31 <= piece[0] <= 1]
    if part.name == "tails" and len(pieces) > 100:  # by exponents
        return [piece for piece in pieces if piece[0] == -1][::4] + pieces[:4]
    return pieces[-4:] + pieces[:: len(pieces) // 8] if len(pieces) > 8 else pieces


@pytest.mark.slow
@for_each("fault", FAULTS)
def test_faults_are_found(fault):
    name, change = FAULTS[fault]
    parts = [part for part in proofs.fine_parts(name) if not part.name.startswith("told")]
    assert planted.is_found(change(), parts, shown)


@for_each("name", KERNELS)
def test_nothing_is_found_there_without_faults(name):
    for part in proofs.fine_parts(name):
        assert not prove(part, pieces=shown(part)).failed


CLAIMS = {
    "told": ("TOLD", 2.0**-69.2, "told, angles"),
    "beside": ("BESIDE", (2.0**-156, 2.0**-104), "tails"),
    "share": ("SHARE", 2.0**-100.9, "sums"),
}


@pytest.mark.slow
@pytest.mark.parametrize("claim", CLAIMS)
def test_false_claims_are_refused(claim):
    constant, value, name = CLAIMS[claim]
    pieces = list(parts_of("asin")[name].pieces())[:50]
    assert planted.is_refused_with((proofs, constant, value), lambda: parts_of("asin")[name], pieces)
