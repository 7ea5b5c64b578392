"""Proofs of logarithms' bounds: pieces proven anew in each run, faults that they find, and errors that kernels make."""

from __future__ import annotations

import collections
import math
from dataclasses import replace

import gmpy2
import numpy as np
import pytest
from flint import arb

from clmath.certify.models import Cell
from clmath.certify.proof import prove
from clmath.certify.proofs import logarithm
from clmath.kernels.double import logarithm as double
from clmath.kernels.quick import logarithm as quick
from clmath.numbers.lanes import two_sum
from tests.cases import for_each, some
from tests.certify import planted

KERNELS = [f"{rung}_{name}" for rung in ("double", "quick") for name in ("log", "log2", "log10", "log1p")]
EXACTLY = gmpy2.context(precision=300, emin=-5000, emax=5000)
LOG = {"log": gmpy2.log, "log2": gmpy2.log2, "log10": gmpy2.log10, "log1p": gmpy2.log1p}


def parts_of(kernel):
    return {part.name: part for part in getattr(logarithm, kernel)()}


@for_each("kernel", KERNELS)
def test_bounds_hold(kernel):
    for part in parts_of(kernel).values():
        pieces = list(part.pieces())
        few = max(len(pieces) // 70, 20)
        outcome = prove(part, pieces=some(pieces[:: max(len(pieces) // (10 * few), 1)], few))
        assert not outcome.failed
        assert outcome.worst < 0.98


def lanes_of(part, piece, rng, count=200):
    """Arguments in a piece of ``sum``."""
    ((least, greatest), place), low, high = piece
    digits = part.family.digits
    unit = 2.0 ** (-digits if low < 1.0 else 1 - digits)
    m = low + np.floor(rng.uniform(0.0, 1.0, count) * ((high - low) / unit + 1.0)) * unit
    q = rng.integers(least, greatest + 1, count) - part.family.layout.carried(place)
    with np.errstate(over="ignore"):
        x = np.ldexp(m, q)
    return x[(m >= low) & (m <= high) & (np.ldexp(x, -q) == m) & np.isfinite(x) & is_served(part, x)]


def is_served(part, x):
    """Quick kernels have no subnormal doubles for arguments."""
    return x >= 2.0**-1022 if part.family.digits == 24 else x > 0.0


def shares(kernel, x):
    """Errors of the kernel at ``x`` as shares of its bound, by MPFR."""
    rung, name = kernel.split("_")
    with np.errstate(all="ignore"):
        found = getattr(double if rung == "double" else quick, name)(x)
    parts, err = (found[:2], found[2]) if rung == "double" else (found[:1], found[1])
    with EXACTLY:
        for place, one in enumerate(x):
            error = abs(sum(gmpy2.mpfr(float(part[place])) for part in parts) - LOG[name](gmpy2.mpfr(float(one))))
            bound = float(err[place])
            yield float(error) / bound if bound else math.inf if error else 0.0


@for_each("kernel", [name for name in KERNELS if not name.endswith("log1p")])
def test_no_error_is_larger_than_what_is_proven_of_its_piece(kernel):
    part, rng = parts_of(kernel)["sum"], np.random.default_rng(5)
    pieces = list(part.pieces())
    for piece in some(pieces[:: max(len(pieces) // 300, 1)], 12):
        met = max(shares(kernel, lanes_of(part, piece, rng)), default=0.0)
        assert met <= prove(part, pieces=[piece]).worst


@pytest.mark.parametrize("kernel", ["double_log1p", "quick_log1p"])
def test_no_error_of_log1p_is_larger_than_what_is_proven_next_to_1(kernel):
    part, rng = parts_of(kernel)["near"], np.random.default_rng(6)
    small = double.SMALL if kernel.startswith("double") else quick.TINY
    ordinary = [piece for piece in part.pieces() if min(abs(piece[1]), abs(piece[2])) >= small]
    for which, low, high in some(ordinary, 8):
        t = rng.uniform(low, high, 100)
        if part.one_plus.digits < 53:
            t = t.astype(np.float32).astype(np.float64)
        assert max(shares(kernel, t)) <= prove(part, pieces=[(which, low, high)]).worst


def by_place(part):
    """The pieces of ``sum`` at each place."""
    found = collections.defaultdict(list)
    for (powers, place), low, high in part.pieces():
        found[place].append((powers, low, high))
    return found


def covered(pieces, k, j, m):
    return any(least <= k <= greatest and low <= m <= high for (least, greatest), low, high in pieces[j])


def next_to(x, steps=2):
    return (x.view(np.int64)[:, None] + np.arange(-steps, steps + 1)).ravel().view(np.float64)


@for_each("kernel", [name for name in KERNELS if not name.endswith("log1p")])
def test_every_argument_is_in_a_piece(kernel):
    part, rng = parts_of(kernel)["sum"], np.random.default_rng(7)
    of_double = kernel.startswith("double")
    x = np.concatenate([rng.integers(1, 2047 << 52, 2000).view(np.float64), np.exp2(rng.uniform(-0.5, 0.5, 2000))])
    x = np.concatenate(
        [x, next_to(x[-50:] * 2.0**-1030), np.arange(1, 20) * 2.0**-1074, next_to(2.0 ** np.arange(-9.0, 9.0))]
    )
    x = np.append(x, np.finfo(np.float64).max)
    if not of_double:
        x = next_to(np.exp2(np.append(rng.uniform(-149.0, 128.0, 2000), np.arange(-149.0, 128.0))))
        with np.errstate(over="ignore"):
            x = x.astype(np.float32).astype(np.float64)
        x = x[np.isfinite(x)]
    pieces = by_place(part)
    for argument in zip(*(double.reduced if of_double else quick.placed)(x), strict=True):
        assert covered(pieces, *(value.item() for value in argument))


@pytest.mark.parametrize("kernel", ["double_log1p", "quick_log1p"])
def test_every_argument_of_log1p_is_in_a_piece(kernel):
    """And what the sum lacks is as small as is said where the sum is taken for m."""
    parts, rng = parts_of(kernel), np.random.default_rng(8)
    part, near = parts["sum"], list(parts["near"].pieces())
    t = np.concatenate([np.exp2(rng.uniform(-30.0, 128.0, 3000)), -np.exp2(rng.uniform(-30.0, 0.0, 3000))])
    t = np.concatenate([t, next_to(np.exp2(np.arange(-26.0, 128.0))), next_to(-np.exp2(-np.arange(1.0, 26.0)))])
    if kernel.startswith("double"):
        t = np.concatenate([t, np.exp2(rng.uniform(-99.0, 1023.0, 3000)), [np.finfo(np.float64).max, -1.0 + 2.0**-53]])
        t = np.concatenate([t, next_to((double.LOWEST + (np.arange(257) << 44)).view(np.float64)) - 1.0])
        t = np.append(t, np.exp2(np.arange(1.0, 300.0)) * (1.0 - 2.0**-53))
    else:
        t = t.astype(np.float32).astype(np.float64)
    t = t[(t > -1.0) & np.isfinite(t) & (np.abs(t) >= part.family.one_plus.least)]
    total, left = two_sum(1.0, t)
    placed = double.placed(total.view(np.int64)) if kernel.startswith("double") else quick.placed(total)
    pieces, places = by_place(part), {place for _, place, _ in part.family.one_plus.near}
    for one, lacked, whole, *argument in zip(t.tolist(), left.tolist(), total.tolist(), *placed, strict=True):
        k, j, m = (value.item() for value in argument)
        if k == 0 and j in places:
            assert any(
                low <= one <= high and which[1] == j and math.ldexp(m, which[2]) == whole for which, low, high in near
            )
            continue
        assert covered(pieces, k, j, m)
        q = int(k) - part.family.layout.carried(j)
        cell = Cell(arb(m), arb(m), (q, q))
        logarithm._left(part.family.one_plus, cell)
        assert abs(arb(lacked)) <= cell.bounds[0] * arb(2) ** q


def test_powers_of_k_are_those_of_all_arguments():
    x = np.array([2.0**-1074, 2.0**-1022, np.finfo(np.float64).max])
    assert double.reduced(x)[0].tolist() == [-1074, -1022, 1024]
    assert logarithm._POWERS == (-1074, 1024)


SHOWN = 53, 100, 154  # places whose pieces faults are sought in; entries that are altered are of the second
TAIL = [(c, c * (1.0 + 2.0**-n)) for c, n in zip(double.LOG1P_TAIL, (48, 41, 30, 20, 12, 4), strict=True)]
FAULTS = {
    **{f"coefficient {i}": ("double_log", planted.constant(*both)) for i, both in enumerate(TAIL)},
    "bound halved": ("double_log", planted.constant(double.WIDEST, double.WIDEST / 2.0)),
    "k LN2_LO left out": ("double_log", planted.constant(double.LN2_LO, 0.0)),
    "r^2/2 left out": ("double_log", planted.constant(0.5, 0.0)),
    "LN2_HI": ("double_log", planted.constant(double.LN2_HI, math.nextafter(double.LN2_HI, 1.0))),
    "entry of LOG_HI": ("double_log", planted.entry(double.LOG_HI, SHOWN[1])),
    "entry of RECIPROCAL": ("double_log", planted.entry(double.RECIPROCAL, SHOWN[1])),
    "bound of log2 halved": ("double_log2", planted.constant(double.SCALED_WIDEST, double.SCALED_WIDEST / 2.0)),
    "unit of log2": ("double_log2", planted.constant(double.LOG2_E[0], math.nextafter(double.LOG2_E[0], 2.0))),
    "unit of log10": ("double_log10", planted.constant(double.LOG10_E[1], 0.0)),
    "bound of log1p halved": ("double_log1p", planted.constant(double.WIDEST, double.WIDEST / 2.0)),
    "rest of the sum in log1p": ("double_log1p", lambda traced: without_rest(traced, "double_log1p")),
    "bound of quick log halved": ("quick_log", planted.constant(quick.BOUND, quick.BOUND / 2.0)),
    "k LN2_LO left out of quick log": ("quick_log", planted.constant(quick.LN2_LO, 0.0)),
    "entry of quick LOG_HI": ("quick_log", planted.entry(quick.LOG_HI, SHOWN[1])),
    # one ulp is two thirds of the bound there: a proof that halves cells for minutes
    "entry of quick RECIPROCAL": ("quick_log", planted.entry(quick.RECIPROCAL, SHOWN[1], 16)),
    "r LOG2_E_LO left out of quick log2": ("quick_log2", planted.constant(quick.LOG2_E_LO, 0.0)),
    "r LOG10_E_LO left out of quick log10": ("quick_log10", planted.constant(quick.LOG10_E_LO, 0.0)),
    "rest of the sum in quick log1p": ("quick_log1p", lambda traced: without_rest(traced, "quick_log1p")),
}
NEAR_FAULTS = {
    "bound": planted.constant(double.BOUND, double.BOUND * 2.0**-10),
    "head of few bits": planted.constant(double.GRID, double.GRID * 2.0**20),
}
PLACES_FAULTS = {
    "mask of m": ("double_log", planted.integer(double.FRACTION, double.FRACTION >> 1)),
    "mask of j": ("double_log", planted.integer(255, 127)),
    "shift of j": ("double_log", planted.integer(44, 45)),
    "shift of k": ("double_log2", planted.integer(52, 51)),
    "start": ("double_log10", planted.integer(double.LOWEST, double.LOWEST + 1)),
    "scale of subnormal numbers": ("double_log", planted.integer(1074 << 52, 1073 << 52)),
    "carry": ("quick_log", planted.integer(quick.SQRT2_PLACE, quick.SQRT2_PLACE + 1)),
    "bias": ("quick_log", planted.integer(1023, 1022)),
    "2^-q": ("quick_log1p", planted.integer(0x7FE0000000000000, 0x7FF0000000000000)),
}


def without_rest(traced, kernel):
    return planted.without(parts_of(kernel)["sum"].family.one_plus.left)(traced)


def shown(part):
    return [piece for piece in part.pieces() if piece[0][1] in SHOWN]


@pytest.mark.slow
@for_each("fault", FAULTS)
def test_faults_of_the_sum_are_found(fault):
    kernel, change = FAULTS[fault]
    part = parts_of(kernel)["sum"]
    assert planted.is_refused(planted.altered(part, change), part, shown(part))


@pytest.mark.slow
@pytest.mark.parametrize("fault", NEAR_FAULTS)
def test_faults_next_to_1_are_found(fault):
    part = parts_of("double_log")["sum"]
    pieces = [piece for piece in part.pieces() if piece[0] == ((0, 0), 152)]
    assert planted.is_refused(planted.altered(part, NEAR_FAULTS[fault]), part, pieces)


@for_each("kernel", sorted({kernel for kernel, _ in FAULTS.values()}))
def test_nothing_is_found_there_without_faults(kernel):
    part = parts_of(kernel)["sum"]
    assert not prove(part, pieces=shown(part)).failed


@pytest.mark.slow
@for_each("fault", PLACES_FAULTS)
def test_faults_of_the_reduction_are_found(fault):
    kernel, change = PLACES_FAULTS[fault]
    part = parts_of(kernel)["places"]
    assert planted.is_refused(planted.altered(part, change), part)


@pytest.mark.slow
def test_a_bound_next_to_zero_that_is_too_small_is_found():
    part = parts_of("double_log1p")["near"]
    pieces = [piece for piece in part.pieces() if min(map(abs, piece[1:])) in {2.0**-12, 2.0**-20}]
    assert len(pieces) >= 2
    assert not prove(part, pieces=pieces).failed
    small = planted.constant(double.CLOSE_BOUND, double.CLOSE_BOUND / 2.0)
    assert planted.is_refused(planted.altered(part, small), part, pieces)


@pytest.mark.slow
def test_what_is_close_has_to_have_a_sum_next_to_1():
    part = parts_of("double_log1p")["sum"]
    family = part.family
    where, _ = family.one_plus.close
    wide = replace(part, family=replace(family, one_plus=replace(family.one_plus, close=(where, 2.0**-8))))
    assert planted.is_refused(wide, part, shown(part)[:3])
