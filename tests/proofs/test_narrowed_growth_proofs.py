"""Proofs of fine's exponential and hyperbolic functions: parts are given what they are proven for."""

from __future__ import annotations

import math

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.kernels.rungs import DOUBLE
from proofs.families import narrowed, narrowed_growth
from tests.cases import for_each
from tests.proofs import concrete, second_sums
from tests.proofs.proofs_of import fine_parts
from tests.proofs.test_verified_again import within

FUNCTIONS = {
    "exp": gmpy2.exp,
    "exp2": gmpy2.exp2,
    "exp10": gmpy2.exp10,
    "expm1": gmpy2.expm1,
    "sinh": gmpy2.sinh,
    "cosh": gmpy2.cosh,
    "tanh": gmpy2.tanh,
}
KERNELS = tuple(FUNCTIONS)


def last_of(name):
    """The part that speaks of entries of the table, and its family."""
    found = fine_parts(name)
    part = found.get("values") or found["pairs"]
    return part, part.family


@pytest.mark.slow
@for_each("name", KERNELS)
def test_values_are_verified_again(name, draw):
    """By the second checker, from r on to the end, on short cells, with some of the powers of two."""
    part, family = last_of(name)
    for _ in range(8):
        j = draw.randrange(256)
        least, greatest = draw.choice(family.groups)
        k = draw.randint(max(least, -61), min(greatest, 40)) or int(not j)
        sign = draw.choice((1, -1)) if family.negative else 1
        at = draw.choice((1, -1))
        cell = within(draw, *sorted((at * 2.0**-30, at * 0.00136)), 50)
        found = second_sums.share(part.traced, part.statement(j, k, sign), *cell)
        assert found <= 1, (j, k, sign, cell, float(found))


# all arguments are in a piece


def arguments(name, rng, count=3000):
    """Ordinary arguments of all sizes, and next to what ends pieces; and all values of the trace."""
    family = fine_parts(name)["small"].family
    ends = np.array(
        [family.least, narrowed_growth.growth.NEAR, *family.tops, *(np.arange(1, 40) * math.log(2.0) / 512)]
    )
    near = np.concatenate([ends, np.nextafter(ends, 0.0), np.nextafter(ends, np.inf)])
    sizes = np.concatenate([near, np.exp2(rng.uniform(-62.0, 9.6, count)), rng.uniform(0.0, max(family.tops), count)])
    x = np.concatenate([sizes, -sizes])
    x = x[(np.abs(x) >= family.least) & (x <= family.tops[0]) & (x >= -family.tops[1])]
    told = DOUBLE.kernels[name].function(x)
    values = concrete.values(family.traced, x, *(np.broadcast_to(part, x.shape) for part in told))
    assert not np.any([values[number] for number in family.special])
    return x, values, told


@for_each("name", KERNELS)
def test_every_argument_is_proven(name):
    """By its n: what values are given is what they are, and their rests, r, e^r - 1 and k lie in pieces."""
    family = fine_parts(name)["small"].family
    x, values, _ = arguments(name, np.random.default_rng(3))
    n, k, j = values[family.n], *(values[number] for number in family.integers)
    assert np.array_equal(n, 256 * k + j)
    assert (np.abs(x[n == 0]) <= 1.0001 * family.reach * float(family.unit() / family.base())).all()
    others = n != 0
    rests = [values[number][others] for number in family.rest]
    for rest, reach, grid in zip(rests, (family.reach, family.reach_lo), (family.grid, -140), strict=False):
        assert (np.abs(rest) <= reach).all()
        assert np.array_equal(np.ldexp(rest, -grid), np.rint(np.ldexp(rest, -grid)))
    hi, lo = (values[number][others] for number in family.rise)
    assert (np.abs(hi) <= narrowed_growth._RISE).all()
    assert (np.abs(lo) <= narrowed_growth._RISE_LO).all()
    assert all(any(least <= one <= greatest for least, greatest in family.groups) for one in k.tolist())
    if family.scale is not None:
        scale = np.exp2(np.maximum([family.exponent(*both) for both in zip(k, j, strict=True)], family.lowest))
        assert np.array_equal(values[family.scale], scale)


@for_each("name", KERNELS)
def test_rests_are_as_reductions_say(name, draw):
    """By MPFR, which knows logarithms of 2 and 10: the argument less n steps."""
    family = fine_parts(name)["small"].family
    x, values, _ = arguments(name, np.random.default_rng(draw.getrandbits(32)), 500)
    with gmpy2.context(precision=400):
        unit = {"exp2": gmpy2.const_log2(), "exp10": gmpy2.log(10)}.get(name, gmpy2.mpfr(1))
        factor = 2 if name == "tanh" else 1
        for i, one in enumerate(x.tolist()):
            size = abs(one) if family.of_size else one
            rest = sum(gmpy2.mpfr(float(values[number][i])) for number in family.rest)
            left = gmpy2.mpfr(size) * factor - int(values[family.n][i]) * gmpy2.const_log2() / unit / 256 - rest
            assert values[family.n][i] == 0 or abs(left) <= family.off


def test_every_pair_is_in_a_quotient():
    """And its bound is what is said there; what is beside it, too."""
    for name in ("sinh", "cosh", "tanh"):
        part = fine_parts(name)["quotients"]
        pair = part.family.pair
        _, values, _ = arguments(name, np.random.default_rng(4), 600)
        others = values[part.family.n] != 0
        k, hi, lo = (values[number][others] for number in (part.family.integers[0], *pair.parts))
        unit = np.exp2(-np.minimum(k, 1000)) if pair.is_less else 0.0
        pieces = list(part.pieces())
        for one, of_k in zip(hi.tolist(), k.tolist(), strict=True):
            assert any(least <= of_k <= most and low <= one <= high for (least, most), low, high in pieces)
        assert (np.abs(lo) <= hi * narrowed_growth._LOWER_PART).all()
        if pair.is_less:
            err, least = values[pair.err][others], (hi + unit) * narrowed_growth._ABSOLUTE
            expected = hi * narrowed_growth._RELATIVE + least
            assert (np.abs(err - expected) <= least * narrowed_growth._LOOSE).all()


# the kernels' real errors


def test_exponents_that_differ_are_found():
    whole, other = (fine_parts(name)["small"].family for name in ("sinh", "expm1"))
    there = narrowed_growth.growth.double_parts("sinh")[0].family
    known, others = (dict.fromkeys(family.special, False) for family in (whole, other))
    known_there = dict.fromkeys(there.special, False)
    narrowed.exponents_agree(whole.traced, known, there.traced, known_there)
    with pytest.raises(LookupError, match="are not the same"):
        narrowed.exponents_agree(other.traced, others, there.traced, known_there)
    with pytest.raises(LookupError, match="are not the same"):
        narrowed.exponents_agree(whole.traced, known, there.traced, {})


# faults
