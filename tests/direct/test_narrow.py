"""narrow, directed and to_odd against MPFR and against exact fractions."""

from fractions import Fraction

import gmpy2
import numpy as np
import pytest

from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounding import MODES, Enclosure, canonical, directed, enclosed, narrow, round_enclosure, to_odd
from tests.cases import for_each


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


def test_narrow_from_double(bench):
    values = boundaries(bench.form, 600, 1)
    bench.same(narrow(values, bench.form, bench.mode), bench.oracle(lambda c, x: c.plus(x), values), values)


def test_narrow_from_float(bench):
    if bench.form is DOUBLE:  # wider than float: nothing to narrow
        return
    values = boundaries(bench.form, 600, 2).astype(np.float32)
    bench.same(narrow(values, bench.form, bench.mode), bench.oracle(lambda c, x: c.plus(x), values), values)


@for_each("mode", MODES)
@for_each("dtype", [np.float32, np.float64])
def test_few_and_many_lanes_narrow_alike(dtype, mode):
    """Few lanes are cast to half by NumPy, many are not; also numbers between the finest steps of float."""
    with np.errstate(all="ignore"):
        values = boundaries(HALF, 6000, 5).astype(dtype)
        values = np.concatenate([values, np.nextafter(values, dtype(np.inf)), np.nextafter(values, dtype(-np.inf))])
        many = narrow(values, HALF, mode)
        few = np.concatenate([narrow(part, HALF, mode) for part in np.array_split(values, values.size // 500)])
    assert np.array_equal(np.isnan(few), np.isnan(many))
    canonical(few, HALF)
    canonical(many, HALF)
    assert np.array_equal(HALF.bits(few), HALF.bits(many))


@pytest.mark.parametrize("form", [HALF, FLOAT], ids=str)
def test_every_half_and_many_floats_narrow_to_themselves(form):
    bits = np.arange(0, 2**form.width, 1 if form is HALF else 65537, dtype=np.uint64).astype(form.bits_dtype)
    values = bits.view(form.dtype)
    with np.errstate(all="ignore"):
        got = narrow(values.astype(np.float64), form, "rtz")
    assert np.array_equal(form.bits(got)[values == values], bits[values == values])
    assert np.array_equal(got, values, equal_nan=True)


def test_to_odd_then_narrow_rounds_the_sum_once(bench):
    if bench.form is DOUBLE:  # to_odd leaves no bits that round double
        return
    heads = boundaries(bench.form, 300, 3)
    heads = heads[np.abs(heads) < 2.0**1000]
    tails = np.where(np.arange(heads.size) % 3, np.spacing(heads) * 2.0**-30, 0.0)
    tails[np.abs(heads) < 2.0**-900] = 0.0
    for tail in (tails, -tails):
        with gmpy2.context(precision=200):
            sums = [gmpy2.mpfr(h) + gmpy2.mpfr(t) if t else gmpy2.mpfr(h) for h, t in zip(heads, tail, strict=True)]
        context = bench.context()
        want = np.array([float(context.plus(s)) for s in sums]).astype(bench.form.dtype)
        bench.same(narrow(to_odd(heads, tail), bench.form, bench.mode), want, heads, tail)


def test_to_odd_is_odd_and_adjacent():
    head = np.array([1.0, 1.0, -1.0, -1.0, np.nextafter(1.0, 2.0), 1.0, np.inf])
    tail = np.array([1e-30, -1e-30, 1e-30, -1e-30, 1e-30, -0.0, np.nan])
    below, above = np.nextafter(1.0, 0.0), np.nextafter(1.0, 2.0)
    assert to_odd(head, tail).tolist() == [above, below, -below, -above, above, 1.0, np.inf]


def test_directed_steps_by_the_sign_of_the_residual(bench):
    nearest = bench.specials()
    nearest = nearest[~np.isnan(nearest)]
    for sign in (-1.0, 0.0, 1.0, np.nan):
        # beyond infinity lies nothing, and an underflowed zero has the exact value's sign
        beyond = np.isinf(nearest) & (sign * np.sign(nearest) > 0)
        values = nearest[~beyond & ~((nearest == 0) & (np.copysign(1.0, nearest) != sign))]
        target = {"rte": values, "rtz": np.zeros_like(values), "rtp": np.inf, "rtn": -np.inf}[bench.mode]
        moves = sign * (target - values.astype(np.float64)) > 0
        want = np.where(moves, np.nextafter(values, np.asarray(target, values.dtype)), values)
        bench.same(directed(values, np.full(values.shape, sign), bench.form, bench.mode), want, values)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_narrow_agrees_with_fractions():
    values = boundaries(HALF, 50, 5)
    values = values[np.isfinite(values) & (np.abs(values) < HALF.largest)]
    up = narrow(values, HALF, "rtp").astype(np.float64)
    down = narrow(values, HALF, "rtn").astype(np.float64)
    for x, high, low in zip(values, up, down, strict=True):
        assert Fraction(low) <= Fraction(x) <= Fraction(high)
        assert low == high == x or np.nextafter(np.float16(low), np.float16(np.inf)) == np.float16(high)


def test_a_double_rounds_as_an_enclosure_to_the_same(bench):
    """Between the largest number and twice its binade too, where no format's overflow is a double's."""
    values = boundaries(bench.form, 600, 4)
    values = np.concatenate([values, np.ldexp([1.0, 1.25, -1.5, -1.0], bench.form.emax + 1)])
    want = bench.oracle(lambda c, x: c.plus(x), values)
    bench.same(round_enclosure(Enclosure.of(values), bench.form, bench.mode)[0], want, values)


@pytest.mark.parametrize("mode", MODES)
def test_an_enclosure_across_a_boundary_is_undecided(mode):
    """Its ends are sums that are rounded themselves: what they lose must not hide a boundary that lies between them."""
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
