"""The proof of double's rsqrt: seen again by the second checker, attacked, and with faults planted."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.certify.certificates import certificate
from clmath.certify.proof import prove
from clmath.certify.proofs import residuals
from clmath.kernels.double import roots
from clmath.numbers.lanes import SPLITTER
from tests.cases import for_each
from tests.certify import concrete, planted
from tests.certify import second_checker_of_enclosures as second
from tests.certify.few_bits import Few
from tests.certify.second_checker import Undecided


def parts():
    return {part.name: part for part in residuals.double_parts("rsqrt")}


def is_verified(part, low, high, share=1):
    try:
        return second.inverse_root_holds(part.traced, part.statement(), low, high, share, deepest=3).holds
    except (AssertionError, Undecided):
        return False


def short_cells(draw):
    """Of few doubles each: what the second checker's unknown numbers are multiplied by are constants."""
    for _, low, high in parts()["value"].pieces():
        start = Fraction(draw.randrange(2**50 * 64), 2**50 * 64) * Fraction(high - low) + Fraction(low)
        yield start, start + Fraction(1, 2**52)


def test_values_are_verified_again(draw):
    part = parts()["value"]
    for low, high in short_cells(draw):
        assert is_verified(part, low, high, Fraction(99, 100)), low


# what parts are given is what arguments reach


def doubles(draw, count):
    """Positive ones: of all sizes, subnormal, next to powers of two."""
    numbers = np.random.default_rng(draw.getrandbits(32))
    some = numbers.integers(1, 2047 << 52, count).view(np.float64)
    small = numbers.integers(1, 1 << 52, count // 4).view(np.float64)
    powers = numbers.integers(1, 2046, count // 4) << 52
    near = (powers[:, None] + np.arange(-3, 4)).ravel().view(np.float64)
    return np.concatenate([some, small, near, [2.0**-1074, np.finfo(np.float64).max]])


def test_what_is_given_is_so(draw):
    """Of the root, its inverse, their parts, and what they miss, in exact numbers."""
    places = parts()["value"].places
    found = concrete.values(places.traced, doubles(draw, 400))
    for i in range(found[0].size):
        m, s, y, *split = (Fraction(found[n][i].item()) for n in (places.m, places.s, places.y, *places.split))
        assert 1 <= m < 4
        assert 1 <= s <= 2
        assert Fraction(1, 2) <= y <= 1
        x = Fraction(found[0][i].item())
        assert m * Fraction(4) ** found[places.halves][i].item() == x
        for part, grid in zip(split, residuals._GRIDS, strict=True):
            assert (part / Fraction(2) ** grid).denominator == 1
        assert max(map(abs, split[1::2])) <= residuals._SECOND
        exact = 1 - s * y, m - s * s
        most = (residuals.MISSED, residuals.ROUNDED), (residuals.MISSED_SQUARE, residuals.ROUNDED_SQUARE)
        for number, one, (size, off) in zip(places.missed, exact, most, strict=True):
            assert abs(one) <= size
            assert abs(Fraction(found[number][i].item()) - one) <= off


def test_powers_of_four_are_exact():
    hi, lo, err, exponent = roots.rsqrt(4.0 ** np.arange(-537, 512))
    assert np.all(hi == 1.0)
    assert not lo.any()
    assert not err.any()
    assert exponent.tolist() == list(range(537, -512, -1))


def test_no_error_is_larger_than_what_is_proven(draw):
    x = doubles(draw, 4000)
    hi, lo, err, exponent = roots.rsqrt(x)
    met = 0.0
    with gmpy2.context(precision=300, emin=-5000, emax=5000):
        for i in np.flatnonzero(err > 0.0):
            exact = gmpy2.mul_2exp(gmpy2.rec_sqrt(gmpy2.mpfr(float(x[i]))), 3000 - int(exponent[i]))
            found = gmpy2.mul_2exp(gmpy2.mpfr(float(hi[i])) + gmpy2.mpfr(float(lo[i])), 3000)
            met = max(met, float(abs(found - exact) / gmpy2.mul_2exp(gmpy2.mpfr(float(err[i])), 3000)))
    (proven,) = [part["worst"] for part in certificate("double", "rsqrt")["parts"] if part["name"] == "value"]
    assert 0.01 < met <= proven


# faults

PLACES = parts()["value"].places
VALUE = {
    "half of the square": planted.constant(0.5, 0.25),
    "bound halved": planted.constant(roots.RSQRT_ERROR, roots.RSQRT_ERROR / 2.0),
    "residual of the root left out": planted.without(PLACES.missed[1]),
    "residual of the inverse left out": planted.without(PLACES.missed[0]),
}
REDUCTIONS = {
    "splitting after 20 bits": ("roots", planted.constant(SPLITTER, 2.0**33 + 1.0)),
    **{f"product {i} left out": ("products", lambda traced, i=i: without_product(traced, i)) for i in range(7)},
    "1 - s y": ("products", planted.constant(1.0, 1.0 + 2.0**-52)),
    "2 s1 s2": ("products", lambda traced: without_product(traced, 5)),
    "bias": ("places", planted.integer(1023, 1022)),
    "parity": ("places", planted.integer(1, 3)),
    "scale of subnormal numbers": ("places", planted.integer(1074 << 52, 1073 << 52)),
    "mantissa": ("places", planted.integer((1 << 52) - 1, (1 << 51) - 1)),
}


def without_product(traced, index):
    """Without one of the products that are subtracted, by the operand of the difference."""
    number = PLACES.products[index]
    return planted.operands_replaced(planted.Value(number), planted.ZERO)(traced)


def altered(part, change):
    places = dataclasses.replace(part.places, traced=change(part.traced))
    return dataclasses.replace(part, places=places)


@pytest.mark.slow
@pytest.mark.parametrize("fault", VALUE)
def test_faults_of_the_value_are_found_by_both(fault, draw):
    right = parts()["value"]
    part = altered(right, VALUE[fault])
    pieces = list(part.pieces())
    assert planted.is_refused(part, right, pieces)
    assert not any(is_verified(part, *cell) for cell in list(short_cells(draw))[-4:])
    assert not prove(right, pieces=pieces).failed


@pytest.mark.slow
@for_each("fault", REDUCTIONS)
def test_faults_of_reductions_are_found(fault):
    name, change = REDUCTIONS[fault]
    right = parts()[name]
    assert not prove(right, pieces=list(right.pieces())[:20]).failed
    assert planted.is_refused(altered(right, change), right, list(right.pieces())[:20])


CLAIMS = {
    "less is missed by the product": ("MISSED", 2.0**-54),
    "less is missed by the square": ("MISSED_SQUARE", 2.0**-52),
    "shorter second parts": ("_SECOND", 2.0**-27),
    "coarser first part": ("_GRIDS", (-24, -52, -27, -53)),
    "coarser second part": ("_GRIDS", (-25, -51, -27, -53)),
    "shorter parts": ("_SHORT", 25),
}


@pytest.mark.slow
@for_each("claim", CLAIMS)
def test_false_claims_of_roots_are_refused(claim):
    piece = ("between", 1.5, 1.5 + 2.0**-20)
    assert planted.is_refused_with((residuals, *CLAIMS[claim]), lambda: parts()["roots"], [piece])


def test_roots_are_proven_there_as_they_are():
    assert not prove(parts()["roots"], pieces=[("between", 1.5, 1.5 + 2.0**-20)]).failed


def test_roots_are_of_what_is_said():
    part = parts()["roots"]
    with pytest.raises(LookupError, match="no root"):
        dataclasses.replace(part, places=dataclasses.replace(part.places, s=part.places.y))


# the grid of heads


@for_each(("precision", "shift"), [(p, s) for p in (5, 6, 7, 8) for s in range(2, p - 1)])
def test_heads_of_splittings_are_multiples(precision, shift):
    """Of 2^(e + s - p + 1), for every number from 2^e on of a format."""
    form = Few(precision)
    a = form.lanes(form.significands())
    t = form.lanes(np.array(2.0**shift + 1.0)) * a
    head = (t - (t - a)).values
    unit = 2.0 ** (shift - precision + 1)
    assert np.array_equal(head / unit, np.rint(head / unit))
    assert np.all(np.abs(a.values - head) <= unit / 2)
