"""Proofs of fine's tgamma and lgamma: parts are given what they are proven for."""

from __future__ import annotations

import functools

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.kernels.double import gamma as double
from clmath.kernels.double.trigonometric import TINY_TURNS
from clmath.kernels.fine import gamma as source
from proofs.engine.traced import traced
from proofs.families import narrowed_gamma as proofs
from proofs.statements import Known, Scaled
from tests.cases import for_each
from tests.proofs import concrete, faults
from tests.proofs.proofs_of import fine_parts, told
from tests.proofs.second_checker import verified
from tests.proofs.test_verified_again import within

KERNELS = proofs.NAMES
EXACTLY = gmpy2.context(precision=700, emin=-(10**6), emax=10**6)
FINE = proofs.narrowed.fine_trace


def family_of(name):
    return fine_parts(name)["links"].family


def arguments(name, rng, count):
    """Of all sizes, next to integers, halves and where the ways part; no poles, and none that are tiny or huge."""
    least, top, bottom = ((-109.9, 175.0, 185.0), (-40.0, 2.0**300, 2.0**52))[name == "lgamma"]
    points = np.concatenate([np.arange(1, 185) / 2.0, [TINY_TURNS, 32.0, 64.0, top, bottom]])
    near = points[:, None] * (1.0 + np.exp2(rng.uniform(-52.0, -1.0, (points.size, 2))) * rng.choice((-1.0, 1.0), 2))
    ends = np.concatenate([np.nextafter(points, way) for way in (0.0, np.inf)])
    sizes = np.exp2(rng.uniform(least, np.log2(top), count)), np.exp2(rng.uniform(-40.0, np.log2(bottom), count))
    drawn = rng.uniform(0.0, 64.0, count)
    above, below = (np.concatenate([points, near.ravel(), ends, drawn, size]) for size in sizes)
    x = np.concatenate(
        [above[(above >= 2.0**least) & (above <= top)], -below[(below >= TINY_TURNS) & (below <= bottom)]]
    )
    return x[((x > 0.0) & (x < 2.0**300)) | (x != np.rint(x))]


def values_of(name, x):
    """All values of the trace, told what the double kernel gives; and that."""
    given = told(name, x)
    return concrete.values(family_of(name).traced, x, *given), given


def sums(values, places, i):
    """The exact sum of such values."""
    return sum((gmpy2.mpfr(values[number][i].item()) for number in places), gmpy2.mpfr(0))


def rising(a):
    """The product of a .. a + 31."""
    return functools.reduce(lambda so_far, i: so_far * (a + i), range(source.STEPS), gmpy2.mpfr(1))


def log2_gamma(x):
    return gmpy2.lgamma(x)[0] / gmpy2.const_log2()


def sine_of_pi(x):
    return gmpy2.sin((x - 2 * gmpy2.rint(x / 2)) * gmpy2.const_pi())


def close(x, y, share):
    """Whether two numbers are no farther from each other than ``share`` of the second."""
    return abs(x - y) <= share * abs(y)


@for_each("name", KERNELS)
def test_each_part_is_given_values_that_the_one_before_leaves(name, rng):
    """At arguments of all kinds: by MPFR, with the values of the trace."""
    family, x = family_of(name), arguments(name, rng, 60)
    values, _ = values_of(name, x)
    shares = proofs._SHARES
    with EXACTLY:
        for i, one in enumerate(x.tolist()):
            exact, size = gmpy2.mpfr(one), gmpy2.mpfr(abs(one))
            is_near = size < source.STEPS
            b, p = sums(values, family.base, i), sums(values, family.p[:2], i)
            p_err = gmpy2.mpfr(values[family.p[2]][i].item())
            assert b == (size + source.STEPS if is_near else size)
            assert abs(p - log2_gamma(b)) <= p_err <= proofs._POWER.err * p
            assert p > proofs._LEAST_P
            below = sums(values, family.below, i)
            assert close(below, rising(size), shares.product) if is_near else below == 1
            if one < 0.0:
                sine = sums(values, family.sine, i)
                assert close(sine, sine_of_pi(exact), shares.sine)
                assert close(sums(values, family.mirror, i), exact * sine, shares.times)
            for pair in (family.p[:2], family.below, *((family.sine, family.mirror) if one < 0.0 else ())):
                hi, lo = (values[number][i].item() for number in pair)
                assert abs(lo) <= abs(hi) * 2.0**-53


def test_the_power_and_its_share_are_as_values_have_them(rng):
    family, x = family_of("tgamma"), arguments("tgamma", rng, 60)
    values, _ = values_of("tgamma", x)
    with EXACTLY:
        for i, one in enumerate(x.tolist()):
            power, k = sums(values, family.power, i), int(values[family.k][i])
            share = values[family.share][i].item()
            exact = gmpy2.exp2(log2_gamma(sums(values, family.base, i)) - k)
            assert abs(exact / power - 1) <= share <= proofs._MOST_SHARE
            assert 0.99 <= values[family.power[0]][i] <= 2.01
            if one < 0.0:
                mirror, below = sums(values, family.mirror, i), sums(values, family.below, i)
                assert close(sums(values, family.under, i), power * mirror, proofs._SHARES.times)
                assert close(sums(values, family.over, i), -below * gmpy2.const_pi(), proofs._SHARES.times)


def test_the_ratio_and_its_logarithm_are_as_values_have_them(rng):
    family, x = family_of("lgamma"), arguments("lgamma", rng, 60)
    values, _ = values_of("lgamma", x)
    with EXACTLY:
        for i, one in enumerate(x.tolist()):
            ratio, log = sums(values, family.ratio, i), sums(values, family.log[:2], i)
            step, first = (gmpy2.mpfr(values[number][i].item()) for number in (family.step, family.ratio[0]))
            err = values[family.log[2]][i].item()
            if one < 0.0:
                quotient = sums(values, family.over, i) / sums(values, family.mirror, i)
                assert close(ratio, quotient, proofs._SHARES.over)
            assert abs(log - gmpy2.log2(abs(first))) <= err <= proofs._POWER.told * abs(log)
            assert abs(step - gmpy2.log2(abs(ratio)) + gmpy2.log2(abs(first))) <= proofs._STEP_OFF
            assert abs(step) <= proofs._STEP
            if abs(one) < source.STEPS:
                assert proofs._NEAR_LOGS[0] < log < proofs._NEAR_LOGS[1]
                assert sums(values, family.p[:2], i) < proofs._NEAR_P
            else:
                assert log == 0 if one > 0.0 else proofs._FAR_LOGS[0] < log < proofs._FAR_LOGS[1]


@for_each("name", KERNELS)
def test_every_argument_is_in_a_piece(name, rng):
    """Of each part that speaks of it."""
    parts, family, x = fine_parts(name), family_of(name), arguments(name, rng, 60)
    values, _ = values_of(name, x)
    pieces = {name: [piece[1:] for piece in part.pieces()] for name, part in parts.items()}
    b, near, negative = values[family.base[0]], np.abs(x) < source.STEPS, x < 0.0
    spoken = {"links": x, "series": b, "product": np.abs(x[near]), "reduction": x[negative]}
    for part, found in spoken.items():
        ends = np.array(pieces[part])
        for low, high in zip(*np.array_split(np.sort(found), 2), strict=False):
            assert any((ends[:, 0] <= low) & (low <= ends[:, 1])), (part, low)
            assert any((ends[:, 0] <= high) & (high <= ends[:, 1])), (part, high)


def test_exponents_are_close_to_what_is_told(rng):
    """The power of two between them is any of those that values are proven for."""
    family, x = family_of("tgamma"), arguments("tgamma", rng, 1000)
    values, told = values_of("tgamma", x)
    taken = values[family.own.taken]
    apart = values[family.own.exponent.number] - told[3]
    assert taken.mean() > 0.9
    assert -200 < apart.min() < -100
    assert 100 < apart.max() < 200
    assert np.array_equal(values[family.own.scale][taken], np.exp2(apart[taken].astype(float)))


def test_results_of_large_arguments_are_beyond_every_double(rng):
    """Of tgamma, where no part speaks of them."""
    x = np.concatenate([rng.uniform(175.0, 220.0, 200), np.exp2(rng.uniform(7.5, 1024.0, 200)), [1.7e308]])
    family = family_of("tgamma")
    values, _ = values_of("tgamma", x)
    hi, _, err, exponent = concrete.outputs(family.traced, values)
    found = np.log2(hi - np.abs(err)) + exponent
    assert (found > 1040.0).all()


# verified again


@pytest.mark.slow
def test_mirrors_are_verified_again(draw):
    """For random arguments and sines."""
    for name in KERNELS:
        part = fine_parts(name)["mirror"]
        family = part.family
        (sine, sine_lo), x = family.sine, -draw.uniform(1.0, 2.0)
        low, high = within(draw, 1.0, 2.0, 30)
        known = {**family.usual, **part.known}
        false, true = (tuple(n for n, holds in known.items() if holds is wanted) for wanted in (False, True))
        at = Known(sine, -52, ((sine_lo, 2.0**-52),), (), false, true, ((0, x),))
        statement = Scaled(at, x, None, part.found, proofs._SHARES.times, 2.0**-52)
        answer = verified(part.traced, statement, low, high)
        assert answer.holds, (x, low, float(answer.share))


# faults


NOT_FOLLOWING = {
    "_LEAST_P": 113.0,
    "_NEAR_P": 280.0,
    "_FAR_P": 2.0**308,
    "_REFLECTED_P": 2.0**57,
    "_NEAR_LOGS": (74, 228),
    "_FAR_LOGS": (-50, 55),
    "_MOST_SHARE": 2.0**-77,
}


@pytest.mark.slow
@for_each("size", NOT_FOLLOWING)
def test_sizes_that_do_not_follow_from_one_another_are_noticed(size, monkeypatch):
    monkeypatch.setattr(proofs, size, NOT_FOLLOWING[size])
    with pytest.raises(LookupError, match="may be more"):
        proofs.fine_parts("lgamma")


@pytest.mark.slow
@for_each("name", KERNELS)
def test_a_double_kernel_that_tells_a_bound_of_exact_results_is_noticed(name):
    kernel = traced(getattr(double, name), ("double",), ("double", "double", "double", "long"))
    of_exact, count = {"tgamma": (proofs._exact_of_tgamma, 1), "lgamma": (proofs._exact_of_lgamma, 2)}[name]
    exact = kernel.places(of_exact, *("bool",) * count)[0]
    proofs._check_told(kernel, exact)
    wrong = faults.operands_replaced(faults.ZERO, faults.double(2.0**-100))(kernel)
    with pytest.raises(LookupError, match="tell a bound"):
        proofs._check_told(wrong, exact)


@pytest.mark.slow
def test_another_exponent_of_huge_arguments_is_noticed(monkeypatch):
    told = {source.lgamma: faults.integer(600, 599)(family_of("lgamma").traced)}
    monkeypatch.setattr(proofs.narrowed, "fine_trace", lambda kernel: told.get(kernel) or FINE(kernel))
    with pytest.raises(LookupError, match="not the same"):
        proofs.fine_parts("lgamma")
