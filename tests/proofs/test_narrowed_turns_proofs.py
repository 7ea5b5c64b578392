"""Proofs of fine's sinpi, cospi and tanpi: parts are given what they are proven for."""

from __future__ import annotations

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from proofs.families import narrowed_turns
from tests.cases import for_each
from tests.proofs import concrete
from tests.proofs.proofs_of import fine_parts, told

KERNELS = narrowed_turns.NAMES


def arguments(name, rng, count=1500):
    """Ordinary arguments of all sizes, next to multiples of 1/4 and of a step and to what ends pieces."""
    least = fine_parts(name)["reduction"].family.least
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
    given = told(name, x)
    return concrete.values(fine_parts(name)["reduction"].traced, x, *given), given


@for_each("name", KERNELS)
def test_every_argument_is_proven(name, rng):
    """By its f and n: these, and the sine and the cosine of what is left, are as said; exponents are what is told."""
    x = arguments(name, rng)
    family = fine_parts(name)["reduction"].family
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


# faults
