"""Proofs of double's asinh, acosh and atanh: parts are given what they are proven for."""

from __future__ import annotations

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.kernels.double import inverse_hyperbolic as source
from proofs.families import logarithms_of_sums as proofs
from tests.cases import for_each
from tests.proofs import concrete

EXACTLY = gmpy2.context(precision=400, emin=-20000, emax=20000)
FUNCTIONS = {"asinh": gmpy2.asinh, "acosh": gmpy2.acosh, "atanh": gmpy2.atanh}


@pytest.fixture(scope="module")
def parts():
    """The parts of each kernel's proof."""
    return {name: {part.name: part for part in proofs.double_parts(name)} for name in FUNCTIONS}


def sizes(name, rng, count=1500):
    """Ordinary arguments of all sizes, next to 1, to powers of two, and to where the kernel does otherwise."""
    ends = np.concatenate([0.5 ** np.arange(0.0, 54.0), [source.DECIDED, source.LARGE]])
    ends = np.concatenate([ends, 1.0 - ends, 1.0 + ends, 1.0 + np.array(proofs._ABOUT_SMALL), 2.0 ** np.arange(1, 64)])
    drawn = np.exp2(rng.uniform(-40.0, 0.0, count)), np.exp2(rng.uniform(-53.0, 0.0, count)), rng.random(count)
    beyond = np.exp2(rng.uniform(0.0, 60.0, count)), np.exp2(rng.uniform(60.0, 1023.99, count // 4))
    near = 2.0 ** rng.integers(1, 41, count) * (1.0 + np.exp2(rng.uniform(-52.0, -1.0, count)))
    found = [ends, np.nextafter(ends, 0.0), np.nextafter(ends, 2.0), drawn[0], 1.0 - drawn[1], 1.0 + drawn[1], drawn[2]]
    found = np.concatenate([*found, *beyond, near])
    found = found[found > proofs._TOO_SMALL]
    return found[found > 1.0] if name == "acosh" else found[found < 1.0] if name == "atanh" else found


def is_small(name, a):
    """Where the kernel takes the polynomial."""
    return np.array(
        [gmpy2.sqrt(gmpy2.mpfr(x) ** 2 - 1) < source.SMALL if name == "acosh" else x < source.SMALL for x in a]
    )


@for_each("name", FUNCTIONS)
def test_every_argument_is_in_a_piece(name, parts):
    """And what is given of values there is so."""
    family, pieces = parts[name]["sums"].family, list(parts[name]["sums"].pieces())
    a = sizes(name, np.random.default_rng(21))
    with EXACTLY:
        small = is_small(name, a)
    near = list(parts[name]["near zero"].pieces())
    assert all(any(low <= one <= high for _, low, high in near) for one in a[small])
    found = concrete.values(family.traced, a)
    if name == "acosh":
        assert np.array_equal(found[family.small[0]], small)
    a = a[~small]
    if family.claimed.large:
        large = a > source.LARGE
        assert large.any()
        assert not found[family.m_lo][~small][large].any()
        a = a[~large]
    assert all(any(low <= one <= high for _, low, high in pieces) for one in a)
    found = concrete.values(family.traced, np.concatenate([a, -a]) if family.claimed.is_odd else a)
    y, rest, m_lo, k = (found[number] for number in (family.sum, family.rest, family.m_lo, family.k))
    assert (y > proofs._LEAST).all()
    assert (np.abs(rest) <= proofs._REST * y).all()
    assert (np.abs(m_lo) <= proofs._LEFT).all()
    assert ((k >= 0) & (k <= proofs._LAST_K)).all()
    assert np.array_equal(found[family.scale], np.exp2(-k.astype(float)))


@for_each("name", FUNCTIONS)
def test_sums_are_as_near_as_is_proven(name, parts):
    """Y and what is beside it, by MPFR, where second parts of squares are largest."""
    family, rng = parts[name]["sums"].family, np.random.default_rng(23)
    a = sizes(name, rng)
    with EXACTLY:
        a = a[~is_small(name, a) & (a <= source.LARGE)]
        found = concrete.values(family.traced, a)
        for one, y, rest in zip(a.tolist(), found[family.sum].tolist(), found[family.rest].tolist(), strict=True):
            x = gmpy2.mpfr(one)
            exact = {
                "asinh": lambda x: x + gmpy2.sqrt(x * x + 1),
                "acosh": lambda x: x + gmpy2.sqrt(x * x - 1),
                "atanh": lambda x: (1 + x) / (1 - x),
            }[name](x)
            reach = max(
                reach.off for reach in family.claimed.sums if any(low <= one <= high for low, high in reach.binades())
            )
            assert abs(gmpy2.mpfr(y) + gmpy2.mpfr(rest) - exact) <= reach * exact
