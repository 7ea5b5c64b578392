"""Proofs of fine's asin, acos, atan and their pi forms: parts are given what they are proven for."""

from __future__ import annotations

import math

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.kernels.fine import inverse_trigonometric as fine
from proofs.families import narrowed_angles, narrowed_turns
from proofs.families import narrowed_arcs as proofs
from tests.cases import for_each
from tests.proofs import concrete
from tests.proofs.proofs_of import fine_parts, told

KERNELS = proofs.NAMES
IN_RADIANS = {"asin": gmpy2.asin, "acos": gmpy2.acos, "atan": gmpy2.atan}
EXACTLY = gmpy2.context(precision=500, emin=-5000, emax=5000)


def family_of(name):
    return fine_parts(name)["step"].family


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
    given = told(name, x)
    return concrete.values(family_of(name).traced, x, *given), given


def usual(name, x, told):
    """Where the step is to be proven: not at 1, nor of what is exact, nor too small."""
    is_one = (np.abs(x) == 1.0) & (name != "atan")
    large = (np.abs(told[0]) >= fine.LEAST) & (told[3] == 0)
    return np.flatnonzero((told[2] > 0.0) & large & ~is_one).tolist()


@for_each("name", KERNELS)
def test_each_part_is_given_values_that_the_one_before_leaves(name, rng):
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
    parts, x = fine_parts(name), arguments(name, rng, 30)
    family, pieces = family_of(name), {name: list(part.pieces()) for name, part in parts.items()}
    values, told = values_of(name, x)
    tiny = x[(np.abs(x) < fine.CUBIC) & (x != 0.0)]

    def has(part, at, which=None):
        return any((which is None or of == which) and low <= at <= high for of, low, high in pieces[part])

    for i in usual(name, x, told)[::3]:
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


# faults
