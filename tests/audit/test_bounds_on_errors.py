"""Bounds on errors in kernel arithmetic: exact fractions confirm each claim about each element."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from clmath.audit.acceptance.values import errors_of, in_one_double, is_difference
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from tests.cases import for_each

OFF = 0.375  # ulp of float, or of double: greatest distance of a value with err = 0 from the exact value
SMALL = Fraction(1, 1 << 37)  # relative: bounds lose less by rounding


def place_of(value, form):
    """Exponent of the ulp at an exact value; at a power of two, of the ulp below it."""
    size = abs(value)
    if size == 0:
        return form.quantum
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= Fraction(2) ** exponent > size
    exponent -= Fraction(2) ** exponent == size
    return min(max(exponent - form.precision + 1, form.quantum), form.emax - form.precision + 1)


def error_of(exact, got, form):
    """Return |error| in ulp; an infinite result, and values beyond it, count as the power of two beyond all numbers."""
    beyond = Fraction(2) ** (form.emax + 1)
    if math.isinf(got):
        exact = max(min(exact, beyond), -beyond)
    number = Fraction(got) if math.isfinite(got) else beyond if got > 0.0 else -beyond
    return abs(Fraction(number) - exact) / Fraction(2) ** place_of(exact, form)


def has_bits(value, bits):
    """Whether a double has at most ``bits`` significant bits."""
    return Fraction(math.frexp(value)[0] * 2.0**bits).denominator == 1


def codes_of(values, form):
    return form.bits(np.asarray(values, form.dtype)).astype(np.int64)


def neighbours(x, steps, form):
    """Return the numbers of a format nearest to x, and numbers some steps away."""
    with np.errstate(all="ignore"):
        code = codes_of(x, form)
    return [form.from_bits(np.array(code + s, np.int64).view(np.uint64).astype(form.bits_dtype)) for s in steps]


def values_about(form):
    """Values of all kinds: numbers, midpoints, values next to them, powers of two, subnormal, tiny and huge values."""
    rng = np.random.default_rng(28)
    sizes = [*range(form.quantum - 9, form.quantum + 4), form.emin - 1, form.emin, -1, 0, 1]
    sizes += [form.emax - 1, form.emax, form.emax + 1, form.emax + 2]
    ulp = 2.0 ** (1 - form.precision)
    shares = [1.0, 1.5, 1.0 + ulp, 1.0 + ulp / 2.0, 1.0 + 1.5 * ulp, 2.0 - ulp / 2.0, 1.0 + 2.0**-52, 2.0 - 2.0**-52]
    shares += [1.5 + 2.0**-52, 1.5 - 2.0**-52, 1.0 + ulp + 2.0**-52, 1.0 + ulp - 2.0**-52, *rng.uniform(1.0, 2.0, 3)]
    found = [math.ldexp(s, e) for s, e in itertools.product(shares, sizes)]
    return [0.0, math.inf, *found]


def elements_of(form):
    """Return (value, err, got) of many kinds."""
    rng = np.random.default_rng(29)
    found = []
    for value in values_about(form):
        errs = [0.0] if value in (0.0, math.inf) else [0.0, value * 2.0**-50, value * 2.0**-40]
        results = [0.0, -0.0, math.inf, -math.inf, math.nan, float(form.largest), form.smallest_subnormal]
        results += [1.0, -1.0, *(float(x) for x in neighbours(value, rng.choice(range(-9, 10), 4), form))]
        results += [float(x) for x in neighbours(value, (0, 1, -1), form)] if value else []
        found += [(s * value, err, s * got) for err in errs for got in results for s in (1.0, -1.0)]
    chosen = [found[k] for k in rng.choice(len(found), 2500, replace=False)]
    return [
        *chosen,
        *((0.0, 2.0**-160, got) for got in (0.0, 1.0)),
        *((0.0, 0.0, got) for got in (0.0, -0.0, 1.0, 2.0)),
    ]


@pytest.fixture(scope="module", params=[FLOAT, HALF], ids=str)
def narrow(request):
    """The format, (value, err, got) of its elements, and the claims about their errors."""
    form = request.param
    elements = elements_of(form)
    value, err, got = (np.array(column) for column in zip(*elements, strict=True))
    with np.errstate(all="ignore"):
        code = codes_of(got, form)
        number = form.from_bits(code.astype(form.bits_dtype)).astype(float)
        said = errors_of((value, err), code, number, form, OFF)
    return form, elements, said


def test_flags_of_errors_of_narrow_formats(narrow):
    form, elements, said = narrow
    end = 2.0 ** (form.emax + 1)
    for k, (value, err, got) in enumerate(elements):
        fits = value != 0.0 and abs(value) < end and not math.isnan(got)
        signed = got != 0.0 or math.copysign(1.0, got) == math.copysign(1.0, value)
        number = math.isfinite(value) and abs(value) >= 2.0 ** (FLOAT.quantum - 1) and has_bits(value, 25)
        due = math.copysign(end, got) if math.isinf(got) else got
        near = fits and signed and not (number and (err != 0.0 or due != value))
        unsure = fits and not (number and err != 0.0 and has_bits(value, 1))
        beyond = end <= abs(value) < math.inf and math.isinf(got)
        certain = (value == 0.0 and err == 0.0) or math.isinf(value) or beyond
        reported = said.is_near[k], said.is_unsure[k], said.is_certain[k], said.is_exact[k]
        assert reported == (near, unsure, certain, fits and err == 0.0), (value, err, got)


def test_bounds_on_errors_of_narrow_formats(narrow):
    """Errors lie between the bounds for every possible exact value, and the bounds are close to each other."""
    form, elements, said = narrow
    for k, (value, err, got) in enumerate(elements):
        if math.isnan(got) or math.isinf(value) or (value == 0.0 and err != 0.0):
            continue
        place = Fraction(2) ** place_of(Fraction(value), form)
        off, least, most = reached(value, err, form), Fraction(said.least[k]), Fraction(said.most[k])
        middle = error_of(Fraction(value), got, form)
        sign = -1 if value < 0.0 else 1
        ends = [Fraction(value) - sign * off[0], Fraction(value) + sign * off[1]]
        if any(place_of(end, form) != place_of(Fraction(value), form) for end in ends):
            continue  # the ulp of these errors is different
        errors = [middle, *(error_of(end, got, form) for end in ends)]
        assert least * (1 - SMALL) <= min(errors), (value, err, got)
        assert max(errors) <= most * (1 + SMALL), (value, err, got)
        width = sum(off) / place
        assert most - least <= width + 4 * SMALL * (middle + Fraction(err) / place), (value, err, got)
        assert err != 0.0 or any(off) or least <= middle <= most, (value, err, got)  # the bounds include roundings
        apart = Fraction(got) - Fraction(value) if math.isfinite(got) else Fraction(1, 3)
        if err == 0.0 and not any(off) and Fraction(float(apart)) == apart:
            assert least == most == middle, (value, err, got)


def reached(value, err, form):
    """Return how far the exact value may be nearer to zero and farther from zero.

    With err = 0, zero, a normal float and a midpoint of two floats are exact. Other values, and values far below all
    numbers, represent any value in their neighbourhood that is not beyond the next number or midpoint.
    """
    unit = Fraction(OFF) * Fraction(2) ** (form.precision - FLOAT.precision + place_of(Fraction(value), form))
    is_normal, tiny = abs(value) >= 2.0**FLOAT.emin, 0.0 < abs(value) < 2.0 ** (FLOAT.quantum - 6)
    if value == 0.0 or not (tiny or (err == 0.0 and not (is_normal and has_bits(value, 25)))):
        return Fraction(err), Fraction(err)
    sides = [math.nextafter(value, 0.0), math.nextafter(value, math.copysign(math.inf, value))]
    return tuple(Fraction(err) + (0 if is_normal and has_bits(side, 25) else unit) for side in sides)


def test_exact_differences_are_recognized():
    """Numbers close to each other and far apart, the larger one on either side."""
    rng = np.random.default_rng(32)
    sizes = [0.0, 1.0, 1.5, 1.0 + 2.0**-52, *rng.uniform(1.0, 2.0, 6)]
    numbers = [s * math.ldexp(size, k) for size in sizes for k in (-80, -53, -52, -1, 0, 30) for s in (1.0, -1.0)]
    x, y = (np.array(column) for column in zip(*itertools.product(numbers, repeat=2), strict=True))
    apart = x - y
    exact = [Fraction(a) == Fraction(b) - Fraction(c) for a, b, c in zip(apart, x, y, strict=True)]
    assert is_difference(apart, x, y).tolist() == exact
    assert 0.1 < np.mean(exact) < 0.9


def doubles():
    """Return (hi, lo, err, exponent, got) of many kinds."""
    rng = np.random.default_rng(30)
    found = []
    shares = [1.0, 1.0 + 2.0**-52, 1.5, 2.0 - 2.0**-52, *rng.uniform(1.0, 2.0, 4)]
    places = [(0, 0), (3, -5), (1023, 0), (20, 1003), (20, 1004), (5, 1030), (-1022, 0), (-40, -982), (-40, -983)]
    places += [(0, -1070), (0, -1074), (0, -1075), (0, -1080), (0, -1081), (0, -1090), (0, -1500)]
    for share, (binade, exponent) in itertools.product(shares, places):
        hi = math.ldexp(share, binade)
        lows = [0.0, *(hi * s * 2.0**-k for s in (1.0, -1.0) for k in (54, 60, 75))]
        errs = [0.0, hi * 2.0**-105, hi * 2.0**-70, hi * 2.0**-56]
        with np.errstate(all="ignore"):
            value = float(np.ldexp(hi, exponent))
        results = [0.0, -0.0, math.inf, -math.inf, math.nan, DOUBLE.largest, 2.0**-1074, -1.0, 1.0]
        results += [float(x) for x in neighbours(value, (0, 1, -1, 2, -17, 1 << 40), DOUBLE) if math.isfinite(value)]
        chosen = [*itertools.product(lows, errs, results)]
        for lo, err, got in (chosen[k] for k in rng.choice(len(chosen), 40, replace=False)):
            sign = float(rng.choice([1.0, -1.0]))
            found.append((sign * hi, sign * lo, err, exponent, sign * got))
    zeros = itertools.product((0.0, -0.0), (0.0,), (0.0, 2.0**-1074), (0,), (0.0, -0.0, 2.0**-1074, math.nan, math.inf))
    ends = (math.inf, -math.inf)
    infinite = itertools.product(ends, (0.0,), (0.0,), (0, -40, 7), (*ends, 1.0, math.nan))
    return [*found, *zeros, *infinite]


@pytest.fixture(scope="module")
def pairs():
    """The elements in double, and the claims about their errors."""
    elements = doubles()
    hi, lo, err, exponent, got = (np.array(column) for column in zip(*elements, strict=True))
    with np.errstate(all="ignore"):
        said = errors_of((hi, lo, err, exponent), got.view(np.int64), got, DOUBLE, OFF)
    return elements, said


def binade_of(hi, lo, exponent):
    """Exponent of the greatest power of two at most |hi + lo|, or of hi if it is infinite or NaN."""
    below = lo != 0.0 and (lo > 0.0) != (hi > 0.0) and has_bits(hi, 1)
    return math.frexp(hi)[1] - 1 - below + exponent


def test_flags_of_errors_of_double(pairs):
    elements, said = pairs
    for k, (hi, lo, err, exponent, got) in enumerate(elements):
        binade = binade_of(hi, lo, exponent)
        fits = hi != 0.0 and math.isfinite(hi) and binade <= DOUBLE.emax and not math.isnan(got)
        signed = got != 0.0 or math.copysign(1.0, got) == math.copysign(1.0, hi)
        number = abs(lo) <= err and binade >= DOUBLE.quantum - 1
        is_due = fits and not math.isinf(got) and Fraction(got) == Fraction(hi) * Fraction(2) ** exponent
        near = fits and signed and not (number and (err != 0.0 or not is_due))
        unsure = fits and not (number and err != 0.0 and has_bits(hi, 1))
        far = hi != 0.0 and math.isfinite(hi) and binade > DOUBLE.emax and math.isinf(got)
        certain = (hi == 0.0 and err == 0.0) or math.isinf(hi) or far
        reported = said.is_near[k], said.is_unsure[k], said.is_certain[k], said.is_exact[k]
        assert reported == (near, unsure, certain, fits and err == 0.0), (hi, lo, err, exponent, got)


def test_bounds_on_errors_of_double(pairs):
    elements, said = pairs
    for k, (hi, lo, err, exponent, got) in enumerate(elements):
        if math.isnan(got) or math.isinf(hi) or hi == 0.0:
            continue
        least, most, case = said.least[k], said.most[k], (hi, lo, err, exponent, got)
        unit, binade = Fraction(2) ** exponent, binade_of(hi, lo, exponent)
        exact = (Fraction(hi) + Fraction(lo)) * unit
        place, width = Fraction(2) ** place_of(exact, DOUBLE), Fraction(err) * unit
        error = error_of(exact, got, DOUBLE)
        is_far = binade > DOUBLE.emax and math.isinf(got)
        if error > 2**1020:
            assert least == most == math.inf, case
            continue
        vanished, stands = binade < DOUBLE.quantum - 6, err == 0.0 and (lo != 0.0 or binade < DOUBLE.emin)
        reach = Fraction(OFF) if vanished else Fraction(0)
        reach += min(Fraction(OFF), abs(exact) / place / (1 << 60)) if stands and not vanished else 0
        assert Fraction(least) * (1 - SMALL) <= error <= Fraction(most) * (1 + SMALL), case
        ends = [exact - width - reach * place, exact + width + reach * place]
        if abs(lo) > err:  # the exact value is on one side of hi
            ends = [(max if lo > 0.0 else min)(end, Fraction(hi) * unit) for end in ends]
        if not is_far and all(place_of(end, DOUBLE) == place_of(exact, DOUBLE) for end in ends):
            errors = [error_of(end, got, DOUBLE) for end in ends]
            assert Fraction(least) <= min(errors) * (1 + SMALL) + Fraction(1, 1 << 49), case
            assert max(errors) <= Fraction(most) * (1 + SMALL), case
        if math.isfinite(got) and not is_far:
            within = 2 * width / place + 2 * reach + 4 * SMALL * error + Fraction(err > 0.0, 1 << 48)
            assert Fraction(most) - Fraction(least) <= abs(within), case
        apart = Fraction(got) - Fraction(hi) * unit if math.isfinite(got) else Fraction(1, 3)
        if binade >= DOUBLE.emin and Fraction(float(apart / place)) == apart / place:
            side = abs(apart) / place
            assert lo or err or least == most == side, case  # the exact value is hi
            if abs(lo) > err:  # its side of hi is known
                same = apart != 0 and (apart > 0) == (lo > 0)
                assert most <= side if same else least >= side, case


def one_double(hi, lo, err, exponent):
    """Return the result of the function for one element."""
    with np.errstate(all="ignore"):
        found = in_one_double(np.array([hi]), np.array([lo]), np.array([err]), np.array([exponent]))
    return tuple(float(np.broadcast_to(x, (1,))[0]) for x in found)


@for_each("binade", [-1010, -999, -30, 0, 999, 1001])
def test_one_double_is_the_exact_value_rounded_to_odd(binade):
    """Exponents are limited to the range of the reference."""
    rng = np.random.default_rng(31)
    for share, k, sign, wide in itertools.product((1.0, 1.5, *rng.uniform(1, 2, 3)), (0, 54, 60), (1, -1), (0, 1, 2)):
        hi, lo = share, sign * share * 2.0**-k if k else 0.0
        err = 0.0 if not wide else share * 2.0 ** (-70 if k else -80) if k != 60 else share * 2.0**-58
        err = abs(lo) if wide == 2 else err
        for side in (1.0, -1.0):
            value, bound = one_double(side * hi, side * lo, err, binade)
            exact = Fraction(side) * (Fraction(hi) + Fraction(lo)) * Fraction(2) ** binade
            clipped = min(max(abs(exact), Fraction(2) ** -1000), Fraction(2) ** 1000)
            assert bound == (abs(value) * 2.0**-50 if err > 0.0 and abs(lo) <= err else 0.0)
            assert (value > 0.0) == (side > 0.0)
            if abs(exact) != clipped or Fraction(abs(value)) == clipped:
                assert abs(value) == clipped
            else:
                assert abs(Fraction(abs(value)) - clipped) < Fraction(2) ** (place_of(clipped, DOUBLE) + 1)
                assert np.float64(value).view(np.int64) & 1, (hi, lo, binade)
    for special in (0.0, -0.0, math.inf, -math.inf, math.nan):
        value, bound = one_double(special, 0.0, 0.0, 0)
        assert np.float64(value).tobytes() == np.float64(special).tobytes()
        assert bound == 0.0
