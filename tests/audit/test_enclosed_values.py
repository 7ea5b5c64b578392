"""Intervals of exact values: they contain every value for which a kernel may return an enclosure of width zero."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np

from clmath.audit.acceptance.values import Source, value_of
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounded_encodings import RTE
from tests.cases import for_each

PLACES = (0.0, 1e-12, 0.2, 0.5, 0.7, 1.0 - 1e-12)  # of values between a number (0) and a midpoint (1)
BINADES = {HALF: (-26, -24, -15, -3, 15), FLOAT: (-150, -149, -127, -3, 127), DOUBLE: (-1075, -1060, -1023, -3, 1000)}


def ulp_of(binade, form):
    """Return the distance of numbers in a binade."""
    return Fraction(2) ** max(binade - form.precision + 1, form.quantum)


def cells(binade, form, rng):
    """Return pairs of neighbouring midpoints and numbers of a format in a binade."""
    half, low = ulp_of(binade, form) / 2, Fraction(2) ** binade
    counts = {0, *(int(n) for n in rng.integers(0, max(low / half, 1), 20)), int(max(low / half, 1)) - 1}
    return [(low + count * half, low + (count + 1) * half) for count in counts]


def values_of(binade, widest, off):
    """Yield values that kernels return with err = 0, each with an exact value that it may represent."""
    reach = ulp_of(binade, widest) * Fraction(off)
    for low, high in cells(binade, widest, np.random.default_rng(5)):
        inside = [low + (high - low) * Fraction(place) for place in PLACES if place > 0.0]
        for given in inside:
            ends = max(low, given - reach), min(high, given + reach)
            yield from ((given, value) for value in (*ends, *inside) if ends[0] <= value <= ends[1])


def parts_of(given, form, exponent):
    """Return the enclosure of a fraction, as one double or two and an exponent, and the enclosed fraction."""
    if form.is_narrow:
        return (float(given), 0.0, 0.0, 0), Fraction(float(given))
    scaled = given / Fraction(2) ** exponent
    hi = float(scaled)
    lo = float(scaled - Fraction(hi))
    return (hi, lo, 0.0, exponent), (Fraction(hi) + Fraction(lo)) * Fraction(2) ** exponent


def fraction(point):
    """Return the number that a point represents."""
    head, tail, exponent = (np.asarray(part).reshape(-1)[0].item() for part in point)
    return (Fraction(head) + Fraction(tail)) * Fraction(2) ** exponent


@np.errstate(all="ignore")
@for_each("form, widest, off", [(HALF, FLOAT, 0.375), (FLOAT, FLOAT, 0.375), (DOUBLE, DOUBLE, 2.0**-6)])
def test_values_between_number_and_midpoint_are_in_the_interval(form, widest, off):
    looked_at = 0
    for binade in BINADES[form]:
        for given, value in values_of(binade, widest, off):
            parts, enclosed = parts_of(given, form, binade)
            if enclosed != given and form.is_narrow:
                continue
            arrays = [np.array([part]) for part in parts]
            low, high = value_of(arrays, form, RTE, Source(off)).distance
            room = 0 if form.is_narrow else value / 2**100  # the precision of two doubles
            assert fraction(low) - room <= value <= fraction(high) + room, (binade, given, value)
            looked_at += 1
    assert looked_at > 200


def interval(given, form, binade, off, **more):
    """Return the enclosed fraction, and the ends of the interval in which the exact value lies."""
    parts, enclosed = parts_of(given, form, binade)
    low, high = value_of([np.array([part]) for part in parts], form, RTE, Source(off), **more).distance
    return enclosed, fraction(low), fraction(high)


@np.errstate(all="ignore")
@for_each("form, widest, off", [(HALF, FLOAT, 0.375), (FLOAT, FLOAT, 0.375), (DOUBLE, DOUBLE, 2.0**-6)])
def test_interval_is_no_wider_than_the_error_of_a_kernel(form, widest, off):
    """A number, or a midpoint of two, is exact, except subnormal doubles: their bits are not looked at."""
    for binade in BINADES[form]:
        unit, is_least = ulp_of(binade, form), binade <= form.emin - (form is DOUBLE)
        most = Fraction(off) * unit * Fraction(2) ** (form.precision - widest.precision)
        for given, _ in values_of(binade, widest, off):
            value, low, high = interval(given, form, binade, off)
            room = unit * Fraction(2) ** (form.precision - 51) if form.is_narrow else value / 2**100
            assert high - low <= 2 * (most + room), (binade, given)
            below = value // (unit / 2) * (unit / 2)
            assert is_least or (below - room <= low and high <= below + unit / 2 + room), (binade, given)
            _, low, high = interval(given, form, binade, off, in_halves=True)
            is_known = binade < form.emin or (value % (unit / 2) == 0 and not is_least)
            assert (high - low <= value / 2**100) == is_known, (binade, given)
        for given in (end for cell in cells(binade, form, np.random.default_rng(6)) for end in cell):
            value, low, high = interval(given, form, binade, off)
            if value % (unit / 2) == 0 and not (form is DOUBLE and binade <= form.emin):
                assert low == high == value, (binade, given)


@np.errstate(all="ignore")
@for_each("form", [HALF, FLOAT, DOUBLE])
def test_interval_holds_all_of_an_enclosure(form):
    for binade in BINADES[form][1:]:
        for (given, _), share in itertools.product(cells(binade, form, np.random.default_rng(7)), (0.01, 0.3, 2.0)):
            (hi, lo, _, exponent), value = parts_of(given, form, binade)
            err = share * float(ulp_of(binade, form) / Fraction(2) ** exponent)
            parts = [np.array([part]) for part in (hi, lo, err, exponent)]
            low, high = value_of(parts, form, RTE, Source(0.375)).distance
            width = Fraction(err) * Fraction(2) ** exponent
            assert fraction(low) <= value - width < value + width <= fraction(high), (binade, given, share)


@for_each("form", [HALF, FLOAT, DOUBLE])
def test_zero_is_exact(form):
    low, high = value_of(
        [np.zeros(1), np.zeros(1), np.zeros(1), np.zeros(1, np.int64)], form, RTE, Source(0.375)
    ).distance
    assert fraction(low) == fraction(high) == 0


def test_interval_ends_at_the_next_number():
    """1 - 2^-53 represents values below 1."""
    parts = [np.array([part]) for part in (1.0 - 2.0**-53, 0.0, 0.0, 0)]
    low, high = value_of(parts, FLOAT, RTE, Source(0.375)).distance
    assert fraction(high) == 1
    assert fraction(low) < 1 - Fraction(3, 8) / 2**24


def test_one_in_the_unit_of_a_point():
    """The unit is 2^exponent, after heads near the ends of the range are scaled; a double holds 2^-1022 to 2^1023."""
    exponents = np.arange(-1130, 1080, 7)
    ones = np.ones(exponents.shape)
    value = value_of((ones, 0.0 * ones, 0.0 * ones, exponents), DOUBLE, RTE)
    units = value.distance.low.exponent
    assert value.one.tolist() == [math.ldexp(1.0, min(max(-int(unit), -1022), 1023)) for unit in units]
    assert {units.min() < -1023, units.max() > 1022} == {True}
