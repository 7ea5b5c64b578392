"""Proofs of double's atan and atanpi: parts are given what they are proven for."""

from __future__ import annotations

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.kernels.double import inverse_trigonometric as source
from tests.cases import for_each
from tests.proofs import concrete, second_sums
from tests.proofs.proofs_of import double_parts

KERNELS = ("atan", "atanpi")


def test_arc_tangents_of_the_second_checker():
    """Against MPFR."""
    for x in (2.0**-60, 0.001, 0.3, 0.99, 1.0, 1.01, 7.3, 1e12):
        found = second_sums.arctangent(second_sums.exact(x))
        with gmpy2.context(precision=400):
            away = abs(gmpy2.mpfr(found.p[0]) / gmpy2.mpfr(second_sums.ONE) - gmpy2.atan(gmpy2.mpfr(x)))
            assert away <= gmpy2.mpfr(found.radius()) / gmpy2.mpfr(second_sums.ONE)
            assert away < gmpy2.exp2(-250)


def arguments(name, rng, count=3000):
    """Ordinary arguments of all sizes, and next to those where the entry changes or the kernel does otherwise."""
    family = double_parts(name)["angles"].family
    halves = (np.arange(257) + 0.5) / 256
    ends = np.array([family.least, min(family.top, 1e300), source.LINEAR, source.FAR, source.SMALL, 1.0, 2.0**-1022])
    near = np.concatenate([ends, halves, 1.0 / halves, np.arange(1, 257) / 256, 256 / np.arange(1, 257)])
    near = np.concatenate([near, np.nextafter(near, 0.0), np.nextafter(near, np.inf)])
    sizes = np.concatenate([near, np.exp2(rng.uniform(-60.0, 90.0, count)), np.exp2(rng.uniform(-10.0, 10.0, count))])
    sizes = np.append(sizes, np.exp2(rng.uniform(-1073.0, 1023.0, count)))
    sizes = sizes[sizes > 0.0]
    x = np.concatenate([sizes, -sizes])
    values = concrete.values(family.traced, x)
    kept = ~np.any([values[number] for number in family.special], axis=0)
    inside = (np.abs(x) >= family.least) & (np.abs(x) <= family.top) & ((np.abs(x) != 1.0) | (name == "atan"))
    assert np.array_equal(kept, inside)
    return x[kept], [value[kept] for value in values]


@for_each("name", KERNELS)
def test_every_argument_is_in_a_piece_of_its_entry(name):
    parts = double_parts(name)
    family = parts["angles"].family
    x, values = arguments(name, np.random.default_rng(11), 600)
    entries = values[family.j]
    assert np.array_equal(entries, values[family.place])
    sizes = np.abs(x)
    assert np.array_equal(values[family.small], sizes < source.LINEAR)
    assert np.array_equal(values[family.large], sizes > source.FAR)
    pieces = list(parts["angles"].pieces())
    for entry in range(257):
        ordinary = (entries == entry) & ~values[family.small] & ~values[family.large]
        mine = [(low, high) for j, low, high in pieces if j == entry]
        for one in sizes[ordinary].tolist():
            assert any(low <= one <= high for low, high in mine), (entry, one)
    for which, there in (("small", values[family.small]), ("large", values[family.large])):
        ends = [(low, high) for where, low, high in parts["ends"].pieces() if where == which]
        assert not entries[there].any()
        assert all(any(low <= one <= high for low, high in ends) for one in sizes[there].tolist())
