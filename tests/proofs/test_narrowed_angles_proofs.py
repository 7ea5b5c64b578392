"""Proofs of fine's sin, cos and tan: parts are given what they are proven for."""

from __future__ import annotations

import math

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.kernels.double import angles
from proofs.families import double_angles, narrowed_turns
from proofs.families import narrowed_angles as proofs
from tests.cases import for_each
from tests.proofs import concrete
from tests.proofs.proofs_of import fine_parts, told

KERNELS = proofs.NAMES
EXACTLY = gmpy2.context(precision=1500, emin=-5000, emax=5000)
# next to multiples of pi/2 (Muller et al., 11.3.2), and of pi/1024: exponents of the least distances
HARD = np.ldexp(np.array([6381956970095103.0, 5281755943099489.0]), (797, 2))


def arguments(rng, count):
    """Doubles of all sizes from TINY on, of both signs, and next to multiples of pi/1024 and pi/2, and half steps."""
    step = math.pi / 1024
    near = np.concatenate([rng.integers(1, 1 << 22, count) * step, rng.integers(1, 1 << 12, count) * (512 * step)])
    halves = (rng.integers(0, 4096, count // 2) + 0.5) * step
    ends = np.concatenate([near, halves, np.exp2(np.arange(-31.0, 16.0))])
    sizes = [np.nextafter(ends, way) for way in (0.0, np.inf)]
    sizes += [ends, np.exp2(rng.uniform(-32.0, 1024.0, count)), rng.uniform(1e-9, 4.0, count), HARD]
    x = np.concatenate([*sizes, [np.finfo(np.float64).max, angles.TINY]])
    x = x[x >= angles.TINY]
    return np.concatenate([x, -x])


def values_of(name, x):
    """All values of the trace, told what the double kernel gives; and that."""
    given = told(name, x)
    return concrete.values(fine_parts(name)["reduction"].traced, x, *given), given


@for_each("name", KERNELS)
def test_each_part_is_given_values_that_the_one_before_leaves(name, rng):
    """For arguments of all kinds: the parts of w, n and the significand; the sine and the cosine of w."""
    x = arguments(rng, 80)
    family = fine_parts(name)["reduction"].family
    values, told = values_of(name, x)
    assert (told[3] == 0).all()
    m, row = values[family.significand[3]], values[family.significand[2]]
    summands = [values[number] for number in family.summands]
    for found, said in zip(summands, proofs.SUMMANDS, strict=True):
        assert (np.abs(found) <= said.most).all()
        assert (np.ldexp(found, -said.grid) == np.rint(np.ldexp(found, -said.grid))).all()
    sine, sine_lo, bend, bend_lo = (values[number] for number in family.tails)
    assert (np.abs(sine) <= narrowed_turns.REACH).all()
    assert (np.abs(sine_lo) <= np.abs(sine) * narrowed_turns._SINE_LO).all()
    assert (np.abs(bend_lo) <= narrowed_turns._COSINE_LO).all()
    with EXACTLY:
        unit = 1024 / gmpy2.const_pi()
        for i, one in enumerate(x.tolist()):
            exponent = math.frexp(one)[1] - 1
            assert row[i] == double_angles.row_of(exponent)
            assert gmpy2.mpfr(float(m[i])) * gmpy2.exp2(exponent - 52) == one
            n, w = int(values[family.n][i]), sum(gmpy2.mpfr(float(part[i])) for part in summands)
            left = gmpy2.mpfr(one) * unit - n - w
            assert abs(left - 2048 * gmpy2.rint(left / 2048)) <= proofs.OFF_STEPS
            assert proofs.LEAST_STEPS <= abs(w) <= proofs.TOP
            r = (w + left - 2048 * gmpy2.rint(left / 2048)) / unit
            off = gmpy2.mpfr(float(sine[i])) + gmpy2.mpfr(float(sine_lo[i])) - gmpy2.sin(r)
            assert abs(off) <= narrowed_turns._SINE_OFF * abs(sine[i]) + family.beside[0]
            off = gmpy2.mpfr(float(bend[i])) + gmpy2.mpfr(float(bend_lo[i])) - (gmpy2.cos(r) - 1)
            assert abs(off) <= narrowed_turns._COSINE_OFF
            s = gmpy2.mpfr(float(sine[i]))
            assert abs(bend[i] - (gmpy2.sqrt(1 - s * s) - 1)) <= narrowed_turns._COSINE_NEAR
            assert n % 512 or abs(sine[i]) >= family.smallest


@for_each("name", KERNELS)
def test_every_argument_is_in_a_piece(name, rng):
    """Of each part."""
    parts = fine_parts(name)
    family, x = parts["reduction"].family, arguments(rng, 20)
    values, _ = values_of(name, x)
    pieces = {name: list(part.pieces()) for name, part in parts.items()}

    def has(part, at, which=None):
        return any((which is None or of == which) and low <= at <= high for of, low, high in pieces[part])

    for i, one in enumerate(x.tolist()):
        exponent, n = math.frexp(one)[1] - 1, int(values[family.n][i])
        assert ((exponent, int(one < 0.0)), 0.0, 0.0) in pieces["significand"]
        assert has("reduction", values[family.significand[3]][i], exponent)
        assert (exponent, 0.0, 0.0) in pieces["distance"]
        assert (exponent, 0.0, 0.0) in pieces["distance from steps"]
        assert has("tails", sum(float(values[number][i]) for number in family.summands))
        assert has("value", values[family.tails[0]][i], n % 2048)
    assert values[family.own.taken].mean() > 0.9
    assert (values[family.own.scale] == 1.0).all()


def test_bounds_of_special_arguments_and_exponents_are_found(monkeypatch):
    """Where the double kernel would tell them."""
    monkeypatch.setitem(proofs._CONDITIONS, "tiny", lambda x: (abs(x) < 2.0**-31,))
    with pytest.raises(LookupError, match="special argument"):
        proofs.fine_parts("sin")


# faults
