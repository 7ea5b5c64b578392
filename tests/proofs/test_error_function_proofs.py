"""Proofs of double's erf and erfc: parts are given what they are proven for."""

from __future__ import annotations

import math
from itertools import pairwise

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.kernels.double import error_function as source
from proofs.families import error_function as proofs
from tests.cases import for_each
from tests.proofs import concrete, second_sums
from tests.proofs.proofs_of import double_parts

KERNELS = ("erf", "erfc")
EXACT = {"erf": gmpy2.erf, "erfc": gmpy2.erfc}
EXACTLY = gmpy2.context(precision=1400, emin=-20000, emax=20000)


@pytest.fixture(scope="module")
def tail():
    """The parts of the proof of erfc."""
    return double_parts("erfc")


# the second checker


@pytest.mark.slow
def test_products_are_verified_again(tail, draw):
    """For single values of R and of the power."""
    part = tail["products"]
    for (k, least, greatest), low, high in draw.sample(list(part.pieces()), 12):
        r, power = draw.uniform(low, high), draw.uniform(least, greatest)
        assert 0 < second_sums.share(part.traced, part.statement((k, power, power), r), r, r) <= 1


@for_each("x", [2.0**-40, 0.001, 0.3, 1.0, 2.7, 6.3])
def test_the_second_checker_knows_erf(x):
    assert_is(second_sums.error_function(second_sums.exact(x)), gmpy2.erf, x)


@for_each("x", [2.0**-40, 0.001, 0.3, 1.0, 2.7, 6.3, 15.2, 27.3])
def test_the_second_checker_knows_the_scaled_complement(x):
    z = second_sums.exact(x)
    for u in (0.0, 2.0**-30):  # beside the middle
        found = second_sums.scaled_complement(second_sums.Form([z.p[0], int(second_sums.ONE * u)]))
        value = second_sums.Form([sum(found.p)], found.terms, found.rest)
        assert_is(value, lambda y: gmpy2.exp(y * y) * gmpy2.erfc(y), x + u)


def assert_is(found, function, x):
    with gmpy2.context(precision=3000, emin=-20000, emax=20000):
        unit = gmpy2.mpfr(second_sums.ONE)
        away = abs(gmpy2.mpfr(found.p[0]) / unit - function(gmpy2.mpfr(x)))
        assert away <= gmpy2.mpfr(found.radius()) / unit
        assert gmpy2.mpfr(found.radius()) / unit < gmpy2.exp2(-200)


# all arguments are in a piece


def sizes(name, rng, count=2000):
    """Of all arguments that are not decided: of all sizes, and next to where the kernel does otherwise."""
    top = source.SATURATED if name == "erf" else source.TOP
    places = (1023 << 52) + (np.arange(1, 309) << 46)
    ends = np.concatenate([[source.TINY, source.SATURATED, source.TOP], places.view(np.float64) - 1.0])
    ends = np.concatenate([ends, np.arange(1, 203) / 32, np.sqrt(np.arange(1, 200) * math.log(2.0) / 512)])
    near = np.concatenate([ends, np.nextafter(ends, 0.0), np.nextafter(ends, np.inf)])
    found = np.concatenate([near, np.exp2(rng.uniform(-64.0, 4.8, count)), rng.uniform(0.0, top, count)])
    if name == "erf":
        found = np.concatenate([found, np.exp2(rng.uniform(-1074.0, -60.0, count // 4)), [2.0**-1074, 2.0**-1022]])
    least = 2.0**-1074 if name == "erf" else source.TINY
    return found[(found >= least) & (found < top if name == "erf" else found <= top)]


def test_every_argument_of_erf_is_in_a_piece():
    pieces = [(low, high) for _, low, high in double_parts("erf")["arguments"].pieces()]
    assert pieces[0][0] == 2.0**-1074
    for (_, high), (low, _) in pairwise(pieces):
        assert low <= np.nextafter(high, np.inf)
    assert np.nextafter(pieces[-1][1], np.inf) == source.SATURATED


def test_every_argument_of_erfc_is_in_a_piece_of_each_part(tail):
    """And what is given of values there is so."""
    family = tail["polynomials"].family
    a = sizes("erfc", np.random.default_rng(12), 600)
    x = np.concatenate([a, -a[a < source.SATURATED]])
    found = concrete.values(family.traced, x)
    pieces, squares = list(tail["polynomials"].pieces()), list(tail["square"].pieces())
    for i, place in enumerate(found[family.piece]):
        assert any(which == place and low <= abs(x[i]) <= high for which, low, high in pieces)
        least, greatest = proofs._encodings(int(place))
        assert least <= found[family.sum][i] <= greatest
    assert_between(found, family.scaled, proofs._LEAST_R, proofs._MOST_R, proofs._LOWER)
    assert_between(found, family.power, *proofs._ENDS, proofs._CLOSER)
    rest, rest_lo = (found[number] for number in family.rest)
    assert (np.abs(rest) <= proofs._REACH).all()
    assert (np.abs(rest_lo) <= proofs._REACH_LO).all()
    n, j, k = (found[number] for number in (family.n, family.j, family.k))
    assert np.array_equal(n, 256 * k + j)
    assert (n <= 0).all()
    assert (n[x < 0.0] >= 256 * proofs._K_OF_NEGATIVE).all()
    square = found[family.square[0]]
    assert all(any(low <= one <= high for _, low, high in squares) for one in square)


def assert_between(found, pair, least, greatest, lower):
    hi, lo = (found[number] for number in pair)
    assert ((hi >= least) & (hi <= greatest)).all()
    assert (np.abs(lo) <= lower * hi).all()


@for_each("name", KERNELS)
def test_decided_results_are_those_of_the_kernel(name):
    """At the ends of where it is said to be so; and no ordinary argument is among them."""
    part = double_parts(name)["beside"]
    for one in part.decided:
        negative = dict(one.conditions)[next(n for n, held in one.conditions if is_sign(part.traced, n))]
        x = np.array([one.low, one.high, math.sqrt(one.low) * math.sqrt(one.high)]) * (-1 if negative else 1)
        found = concrete.values(part.traced, x)
        for number, held in one.conditions:
            assert (found[number] == held).all()
        hi, lo, err, exponent = concrete.outputs(part.traced, found)
        assert (hi == one.hi).all()
        assert (lo == one.lo).all()
        assert not err.any()
        assert not exponent.any()
        with EXACTLY:
            for size in x.tolist():
                away = EXACT[name](gmpy2.mpfr(size)) - gmpy2.mpfr(one.hi)
                assert abs(away) < gmpy2.exp2(-60)
                assert gmpy2.sign(away) == math.copysign(1.0, one.lo) or abs(size) > 40.0


def is_sign(traced, number):
    """Whether that is x < 0."""
    statement = traced.program.statements[number - 1]
    return statement.operation == "double.lt" and getattr(statement.operands[0], "number", None) == 0


# the kernels' real errors


# faults
