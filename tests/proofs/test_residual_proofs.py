"""The proof of double's rsqrt: parts are given what they are proven for."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.kernels.double import roots
from proofs.families import residuals
from tests.cases import for_each
from tests.proofs import concrete
from tests.proofs import second_checker_of_enclosures as second
from tests.proofs.few_bits import Few
from tests.proofs.second_checker import Undecided


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


@pytest.mark.slow
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


def test_values_are_as_parts_are_given_them(draw):
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


# faults


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
