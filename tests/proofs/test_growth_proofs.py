"""Proofs of double's sinh, cosh and tanh: parts are given what they are proven for."""

from __future__ import annotations

import math

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from proofs.families import growth
from tests.cases import for_each
from tests.proofs import concrete
from tests.proofs.proofs_of import double_parts

KERNELS = ("sinh", "cosh", "tanh")


# all arguments are in a piece


def arguments(name, rng, count=3000):
    """Ordinary arguments of all sizes, and next to what ends pieces."""
    family = double_parts(name)["small"].family
    ends = np.array([family.least, growth.NEAR, family.reach, *family.tops, *(np.arange(1, 40) * math.log(2.0) / 512)])
    near = np.concatenate([ends, np.nextafter(ends, 0.0), np.nextafter(ends, np.inf)])
    sizes = np.concatenate([near, np.exp2(rng.uniform(-62.0, 9.6, count)), rng.uniform(0.0, max(family.tops), count)])
    x = np.concatenate([sizes, -sizes])
    values = concrete.values(family.traced, x)
    ordinary = (np.abs(x) >= family.least) & (x <= family.tops[0]) & (x >= -family.tops[1])
    assert np.array_equal(ordinary, ~np.any([values[number] for number in family.special], axis=0))
    return x[ordinary], [value[ordinary] for value in values]


@for_each("name", KERNELS)
def test_every_argument_is_proven(name):
    """By its n: what values are given is what they are, and their r, r_lo and k lie in pieces."""
    parts = double_parts(name)
    family = parts["small"].family
    x, values = arguments(name, np.random.default_rng(3))
    n, k, j = values[family.n], *(values[number] for number in family.integers[:2])
    assert np.array_equal(n, 256 * k + j)
    assert (np.abs(x[n == 0]) <= family.reach).all()
    assert np.array_equal(
        values[family.rest[0]][n == 0], x[n == 0] * float(family.base()) * signs_of(family, x[n == 0])
    )
    assert not values[family.rest[1]][n == 0].any()
    others = n != 0
    r, r_lo = (values[number][others] for number in family.rest)
    assert (np.abs(r) <= family.reach).all()
    assert (np.abs(r_lo) <= family.reach_lo).all()
    assert np.array_equal(r * 2.0**78, np.rint(r * 2.0**78))
    assert np.array_equal(r_lo * 2.0**140, np.rint(r_lo * 2.0**140))
    assert all(any(least <= one <= greatest for least, greatest in family.groups) for one in k.tolist())
    scale = np.exp2(np.maximum([family.exponent(*both) for both in zip(k, j, strict=True)], family.lowest))
    assert np.array_equal(values[family.scale], scale)


def signs_of(family, x):
    return np.sign(x) if family.of_size else 1.0


def test_every_pair_of_tanh_is_in_a_quotient():
    """And is as near to e^2x - 1 as is said there."""
    part = double_parts("tanh")["quotients"]
    family = part.family
    x, values = arguments("tanh", np.random.default_rng(4), 600)
    n, k = values[family.n], values[family.integers[0]]
    pieces = list(part.pieces())
    for one, n_of, k_of, hi, lo in zip(x, n, k, *(values[number] for number in family.pair), strict=True):
        if n_of == 0:
            continue
        which = (1 if one > 0 else -1, int(k_of))
        assert any(which == piece and low <= hi <= high for piece, low, high in pieces)
        assert abs(lo) <= part._lower(which, hi)
        with gmpy2.context(precision=300):
            exact = gmpy2.expm1(2 * gmpy2.mpfr(float(abs(one)))) * gmpy2.exp2(-int(k_of))
            assert abs(gmpy2.mpfr(float(hi)) + gmpy2.mpfr(float(lo)) - exact) <= part._off(which, hi)


# the kernels' real errors


# faults
