"""narrow, directed and to_odd against MPFR, which rounds once to the format."""

from fractions import Fraction

import gmpy2
import numpy as np
import pytest

from clmath.ir.primitives import to_odd
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS, HALF
from clmath.numbers.rounding import MODES, Enclosure, canonical, directed, enclosed, narrow, round_enclosure
from tests.builtins import specials
from tests.cases import for_each

ROUND = {"rte": gmpy2.RoundToNearest, "rtz": gmpy2.RoundToZero, "rtp": gmpy2.RoundUp, "rtn": gmpy2.RoundDown}
NARROW = [HALF, FLOAT]  # to_odd leaves no bits that round double


def boundaries(form, count, seed):
    """Doubles on, just below and just above the numbers of ``form`` and their midpoints, and beyond both ends."""
    rng = np.random.default_rng(seed)
    bits = rng.integers(0, int(form.bits(np.inf)), count).astype(form.bits_dtype)
    bits[:40] = np.concatenate([np.arange(20), int(form.bits(np.inf)) - 20 + np.arange(20)])
    here = bits.view(form.dtype).astype(np.float64)
    there = np.nextafter(bits.view(form.dtype), form.dtype.type(np.inf)).astype(np.float64)
    there[np.isinf(there)] = np.ldexp(1.0, form.emax + 1)
    middle = here / 2 + there / 2
    exact = np.concatenate([here, middle, here + (there - here) / 4])
    beyond = np.array([2.0**1000, 2.0**-1000, 5e-324, np.ldexp(1.0, form.emax + 1), form.largest, np.inf, np.nan, 0.0])
    exact = np.concatenate([exact, beyond, rng.integers(0, 2**63, count).view(np.float64)])
    values = np.concatenate([exact, np.nextafter(exact, np.inf), np.nextafter(exact, 0.0)])
    return np.concatenate([values, -values])


def by_mpfr(numbers, form, mode):
    """Numbers of any precision rounded once, in a context of the format's own precision and range."""
    with gmpy2.context(
        precision=form.precision,
        emax=form.emax + 1,
        emin=form.quantum + 1,
        subnormalize=True,
        round=ROUND[mode],
    ) as context:
        return np.array([float(context.plus(number)) for number in numbers]).astype(form.dtype)


def exactly(values):
    with gmpy2.context(precision=53, emax=5000, emin=-5000):
        return [gmpy2.mpfr(value) for value in values.astype(np.float64).tolist()]


def assert_same(form, got, want):
    """Equal bits; any NaN equals any NaN."""
    canonical(got, form)
    canonical(want, form)
    np.testing.assert_array_equal(form.bits(got), form.bits(want))


@for_each("mode", MODES)
@for_each("form, dtype", [*((form, np.float64) for form in FORMATS), *((form, np.float32) for form in NARROW)])
def test_doubles_and_floats_are_narrowed(form, dtype, mode):
    values = boundaries(form, 600, 1).astype(dtype)
    assert_same(form, narrow(values, form, mode), by_mpfr(exactly(values), form, mode))


@for_each("mode", MODES)
@for_each("dtype", [np.float32, np.float64])
def test_few_and_many_elements_narrow_alike(dtype, mode):
    """NumPy casts few elements to half, and bit operations cast many; some numbers lie between the finest steps of
    float.
    """
    with np.errstate(all="ignore"):
        values = boundaries(HALF, 6000, 5).astype(dtype)
        values = np.concatenate([values, np.nextafter(values, dtype(np.inf)), np.nextafter(values, dtype(-np.inf))])
        many = narrow(values, HALF, mode)
        few = np.concatenate([narrow(part, HALF, mode) for part in np.array_split(values, values.size // 500)])
    assert np.array_equal(np.isnan(few), np.isnan(many))
    canonical(few, HALF)
    canonical(many, HALF)
    assert np.array_equal(HALF.bits(few), HALF.bits(many))


@for_each("mode", MODES)
@for_each("form", NARROW)
def test_to_odd_then_narrow_rounds_the_sum_once(form, mode):
    heads = boundaries(form, 300, 3)
    heads = heads[np.abs(heads) < 2.0**1000]
    tails = np.where(np.arange(heads.size) % 3, np.spacing(heads) * 2.0**-30, 0.0)
    tails[np.abs(heads) < 2.0**-900] = 0.0
    for tail in (tails, -tails):
        with gmpy2.context(precision=200):
            sums = [gmpy2.mpfr(h) + gmpy2.mpfr(t) if t else gmpy2.mpfr(h) for h, t in zip(heads, tail, strict=True)]
        assert_same(form, narrow(to_odd(heads, tail), form, mode), by_mpfr(sums, form, mode))


def test_to_odd_is_odd_and_adjacent():
    head = np.array([1.0, 1.0, -1.0, -1.0, np.nextafter(1.0, 2.0), 1.0, np.inf])
    tail = np.array([1e-30, -1e-30, 1e-30, -1e-30, 1e-30, -0.0, np.nan])
    below, above = np.nextafter(1.0, 0.0), np.nextafter(1.0, 2.0)
    assert to_odd(head, tail).tolist() == [above, below, -below, -above, above, 1.0, np.inf]


@for_each("mode", MODES)
@for_each("form", FORMATS)
def test_directed_steps_by_the_sign_of_the_residual(form, mode):
    nearest = specials(form)
    nearest = nearest[~np.isnan(nearest)]
    for sign in (-1.0, 0.0, 1.0, np.nan):
        # beyond infinity lies nothing, and an underflowed zero has the exact value's sign
        beyond = np.isinf(nearest) & (sign * np.sign(nearest) > 0)
        values = nearest[~beyond & ~((nearest == 0) & (np.copysign(1.0, nearest) != sign))]
        target = {"rte": values, "rtz": np.zeros_like(values), "rtp": np.inf, "rtn": -np.inf}[mode]
        moves = sign * (target - values.astype(np.float64)) > 0
        want = np.where(moves, np.nextafter(values, np.asarray(target, values.dtype)), values)
        assert_same(form, directed(values, np.full(values.shape, sign), form, mode), want)


@for_each("mode", MODES)
@for_each("form", FORMATS)
def test_a_double_rounds_as_an_enclosure_to_the_same(form, mode):
    """Between the largest number and twice its binade too, where no format's overflow is a double's."""
    values = np.concatenate([boundaries(form, 600, 4), np.ldexp([1.0, 1.25, -1.5, -1.0], form.emax + 1)])
    assert_same(form, round_enclosure(Enclosure.of(values), form, mode)[0], by_mpfr(exactly(values), form, mode))


@pytest.mark.parametrize("mode", MODES)
def test_an_enclosure_across_a_boundary_is_undecided(mode):
    """The enclosure's ends are rounded sums: their rounding errors must not hide a boundary that lies between them."""
    tiny = 2.0**-106  # the distance of doubles next to a midpoint that is 2^-53 above 1
    for head, tail in (
        (1.0, 2.0**-53 - tiny),
        (1.0 + 2.0**-52, -(2.0**-53) + tiny),
        (1.0, 2.0**-106),
        (1.0, -tiny / 2),
    ):
        for err in np.array([0.25, 0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 2.5]) * tiny:
            value = Enclosure.of([head], [tail], [err])
            rounded, undecided = round_enclosure(value, DOUBLE, mode)
            for distance in (-err, err):
                exact = Fraction(head) + Fraction(tail) + Fraction(float(distance))
                end = round_enclosure(enclosed(exact), DOUBLE, mode)[0]
                assert undecided[0] or end == rounded[0], (head, tail, err)
