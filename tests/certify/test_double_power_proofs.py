"""Proofs of double's powers: contracts between their parts, the second checker, real errors, and faults."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import gmpy2
import numpy as np
import pytest

from clmath.certify.proof import prove
from clmath.certify.proofs import PROOFS, double_power
from clmath.engines.device.program import Value
from clmath.kernels.double import exponential
from clmath.kernels.double import power as double
from tests.cases import for_each
from tests.certify import concrete, planted
from tests.certify.second_checker import verified

EXACTLY = gmpy2.context(precision=400, emin=-(10**6), emax=10**6)
KERNELS = ("pow", "powr", "pown", "rootn")
FOLDED = double_power.Folded()
UNDECIDED = -1  # what the second checker answers where it cannot tell
BESIDE_ONE = (0, 64), (127, 64)  # places at which both reciprocals are powers of two


def parts_of(kernel):
    return {part.name: part for part in PROOFS["double", kernel](kernel)}


def arguments(kernel, rng, count):
    """X of all binades, subnormal ones and next to 1, too, and y that take them to results in range and beyond."""
    x = np.exp2(np.append(rng.uniform(-1074.0, 1023.9, count), rng.uniform(-1.0, 1.0, count)))
    x = np.append(x, 1.0 + rng.choice([-1.0, 1.0], count) * np.exp2(rng.uniform(-52.0, -3.0, count)))
    target = rng.choice([-1.0, 1.0], x.size) * np.exp2(rng.uniform(-62.0, 10.8, x.size))
    with np.errstate(divide="ignore"):
        y = target / np.log2(x)
    if kernel == "rootn":
        y = np.rint(rng.choice([-1.0, 1.0], x.size) * np.exp2(rng.uniform(0.0, 31.0, x.size)))
    elif kernel == "pown":
        y = np.rint(np.clip(y, -(2.0**31), 2.0**31 - 1.0))
    usable = np.isfinite(y) & (x > 0.0)
    x, y = x[usable], y[usable]
    return (x, y) if kernel == "powr" else (np.where((y == np.rint(y)) & (rng.random(x.size) < 0.5), -x, x), y)


def ordinary(part, found):
    """Of which arguments the parts speak."""
    return np.all([found[number] == holds for number, holds in part.family.ordinary.items()], axis=0)


def close(x, y, share):
    """Whether two numbers are no farther from each other than ``share`` of the second."""
    return abs(x - y) <= share * abs(y)


@pytest.mark.parametrize("kernel", KERNELS)
def test_what_a_part_is_given_is_what_the_one_before_it_leaves(kernel, draw):
    """The contracts, at arguments of all kinds: by MPFR, with the values of the trace."""
    parts = parts_of(kernel)
    part, inner = parts["power"], parts["logarithm"].family
    family, contracts = part.family, part.family.contracts
    x, y = arguments(kernel, np.random.default_rng(draw.getrandbits(32)), 150)
    found = concrete.values(part.traced, x, y)
    speaks = ordinary(part, found)
    assert 60 < speaks.sum() < speaks.size
    numbers = (*family.log, *family.product, *family.rest, family.n, *inner.fold, *inner.heads, *inner.beside)
    for i in np.flatnonzero(speaks):
        values = [gmpy2.mpfr(found[number][i].item()) for number in numbers]
        hi, lo, p, p_lo, s, s_lo, n, r, r_lo, head, _, tail, t, u, rest = values
        with EXACTLY:
            log2_of_x, factor = gmpy2.log2(gmpy2.mpfr(abs(x[i]))), gmpy2.mpfr(y[i].item())
            factor = 1 / factor if kernel == "rootn" else factor
            assert close(hi + lo, log2_of_x, contracts.log)
            assert close(p + p_lo, factor * (hi + lo), contracts.product)
            assert abs(((p + p_lo) - n / 256) * gmpy2.const_log2() - s - s_lo) <= contracts.off
            assert abs(gmpy2.log2(1 + r + r_lo) - t - u - rest) <= FOLDED.beside
        assert abs(lo) <= contracts.low * abs(hi)
        assert contracts.least <= abs(hi) <= contracts.most
        assert abs(p_lo) <= contracts.rest * abs(p)
        assert contracts.slight <= abs(p) <= contracts.top
        assert abs(s) <= contracts.reach
        assert abs(s_lo) <= contracts.reach_lo
        assert abs(n) <= 256 * contracts.exponents
        assert abs(r) <= FOLDED.reach
        assert abs(head) <= FOLDED.head
        assert abs(tail) <= FOLDED.tail
        assert all(abs(z) <= size for z, size in zip((t, u, rest), FOLDED.sizes, strict=True))
        for z, grid in zip((hi, lo, p_lo, s), (contracts.grids[0], *contracts.grids), strict=True):
            assert gmpy2.is_integer(gmpy2.mul_2exp(z, -grid))


@pytest.mark.parametrize("kernel", KERNELS)
def test_no_error_is_larger_than_the_bound(kernel, draw):
    """Of both signs; where p is largest, too, where all parts of the bound are needed."""
    part = parts_of(kernel)["power"]
    x, y = arguments(kernel, np.random.default_rng(draw.getrandbits(32)), 400)
    found = concrete.values(part.traced, x, y)
    hi, lo, err, scale = concrete.outputs(part.traced, found)
    for i in np.flatnonzero(ordinary(part, found)):
        with EXACTLY:
            factor = gmpy2.mpfr(y[i].item())
            size = gmpy2.mpfr(abs(x[i])) ** (1 / factor if kernel == "rootn" else factor)
            exact = gmpy2.mul_2exp(size, -int(scale[i])) * (-1 if x[i] < 0.0 and y[i] % 2.0 else 1)
            error = abs(gmpy2.mpfr(hi[i].item()) + gmpy2.mpfr(lo[i].item()) - exact)
        assert error <= err[i]


@pytest.mark.parametrize("kernel", KERNELS)
def test_every_argument_is_in_a_piece(kernel, draw):
    parts = parts_of(kernel)
    part, inner = parts["power"], parts["logarithm"].family
    x, y = arguments(kernel, np.random.default_rng(draw.getrandbits(32)), 150)
    found = concrete.values(part.traced, x, y)
    pieces = {}
    for (_, place, fine), low, high in parts["logarithm"].pieces():
        pieces.setdefault((place, fine), []).append((low, high))
    k, place, m = (found[number] for number in inner.cut)
    head = found[inner.heads[1]]
    for i in np.flatnonzero(ordinary(part, found)):
        at = place[i].item(), found[inner.fine][i].item()
        assert any(low <= m[i] <= high for low, high in pieces[at])
        if k[i]:
            assert any(least <= k[i] <= greatest for least, greatest in double_power._POWERS)
            assert any(low <= head[i] <= high for _, low, high in parts["far from 1"].pieces())
        exponent = math.frexp(abs(found[part.family.y][i]))[1] - 1
        assert part.family.powers[0] <= exponent <= part.family.powers[1]
    assert np.array_equal(found[inner.heads[1]], k + found[inner.heads[0]])


# the second checker


@pytest.mark.parametrize("kernel", KERNELS)
def test_logarithms_are_verified_again(kernel, draw):
    """At numbers that are drawn: the checker knows no first halves of numbers on a whole cell."""
    part = parts_of(kernel)["logarithm"]
    pieces = [piece for piece in part.pieces() if piece[2] > 1.0 + 2.0**-30 and piece[1] < 2.0 - 2.0**-30]
    beside = [piece for piece in pieces if piece[0][1:] in BESIDE_ONE]
    assert len(beside) > 20
    held = 0
    for which, low, high in (*draw.sample(pieces, 60), *draw.sample(beside, 12)):
        at = draw.uniform(low, high)
        answer = verified(part.traced, part.statement(which), at, at, deepest=0)
        assert answer.holds or answer.share == UNDECIDED, (which, at, float(answer.share))
        held += answer.holds
    assert held >= 65  # of 72: a number in a hundred cannot be decided


def with_factor(part, which, ends, draw):
    """A number y, or n, of a piece of products or quotients, and the ends of the logarithms that go with it."""
    if part.name == "product":
        return which * 2.0 ** draw.uniform(*part.family.powers), *ends
    binade, sign = which
    factor = math.copysign(draw.randint(2, 2 ** draw.randint(2, 31)), ends[0])
    return factor, *sorted(sign * math.ldexp(1.0, binade + i) / factor for i in range(2))


def between_ties(ends, draw):
    """A short cell, where something is left, which is not so next to 0 and to ties."""
    n, side = round(256 * (at := Fraction(draw.uniform(*ends)))), 1 if 256 * at > round(256 * at) else -1
    first, last = sorted((n + Fraction(sixteenth, 16) * side) / 256 for sixteenth in (1, 7))
    low, high = max(first, Fraction(ends[0])), min(last, Fraction(ends[1]))
    assert low < high
    at = Fraction(draw.uniform(float(low), float(high)))
    return at, min(high, at + Fraction(1, 2048))


@pytest.mark.parametrize("kernel", KERNELS)
def test_products_are_verified_again(kernel, draw):
    """For numbers y, or n, that are drawn."""
    parts = parts_of(kernel)
    part = parts.get("product") or parts["quotient"]
    for which, *ends in draw.sample(list(part.pieces()), 40):
        factor, low, high = with_factor(part, which, ends, draw)
        answer = verified(part.traced, part.statement(low, high, factor), low, high)
        assert answer.holds, (which, factor, float(answer.share))


@pytest.mark.parametrize("kernel", KERNELS)
def test_reductions_are_verified_again(kernel, draw):
    """On short cells within pieces, and where something is left: next to 0 and to ties the checker decides nothing."""
    part = parts_of(kernel)["reduction"]
    pieces = [piece for piece in part.pieces() if min(map(abs, piece[1:])) >= 1 / 4096]
    for _, *ends in draw.sample(pieces, 15):
        at, end = between_ties(ends, draw)
        answer = verified(part.traced, part.statement(*ends), at, end)
        assert answer.holds, (float(at), float(answer.share))


@pytest.mark.parametrize("kernel", KERNELS)
def test_powers_are_verified_again(kernel, draw):
    """On short cells, for p as small and as large as it is, for the bound and what is proven grow evenly with it."""
    part = parts_of(kernel)["power"]
    for which, low, high in draw.sample(list(part.pieces()), 8):
        at, size = draw.uniform(low, high), draw.choice((double.TINY, 700.0, double.TOP))
        end = min(high, at + (high - low) / 64)
        answer = verified(part.traced, part.statement(which, size), at, end, deepest=9)
        assert answer.holds, (which, at, size, float(answer.share))


# faults


def without_value(kernel, which):
    """A fault: what the kernel has at a place of the proof counts as 0."""
    return lambda traced: planted.without(which(traced, parts_of(kernel)["power"].family))(traced)


def low_times_y(traced, family):
    """Where lo y is."""
    lo = Value(family.log[1])
    (found,) = [
        i + 2 for i, s in enumerate(traced.program.statements) if lo in s.operands and s.operation == "double.mul"
    ]
    return found


def without_rest(traced):
    """A fault: what t and u leave of the logarithm is not added."""
    return planted.without(parts_of("pow")["logarithm"].family.beside[2])(traced)


def without_lo(traced):
    """A fault: lo is lost where the sign is changed."""
    return planted.without(parts_of("pow")["sign"].unsigned[1])(traced)


TAIL = [(c, bits) for c, bits in zip(double.LOG2_TAIL, (47, 34, 20, 7), strict=True)]
FAULTS = {
    **{f"coefficient {i} of the logarithm": ("logarithm", planted.raised(*both)) for i, both in enumerate(TAIL)},
    "r^2/2": ("logarithm", planted.raised(-0.5, 50)),
    "LOG2_E_LO left out": ("logarithm", planted.constant(double.LOG2_E_LO, 0.0)),
    "entry of COARSE_HI one ulp up": ("logarithm", planted.entry(double.COARSE_HI, 100)),
    "entry of COARSE_LO one ulp of its head": ("logarithm", planted.entry(double.COARSE_LO, 100, 2**20)),
    "entry of FINE_HI one ulp down": ("logarithm", planted.entry(double.FINE_HI, 70, -1)),
    "entry of COARSE one ulp up": ("logarithm", planted.entry(double.COARSE, 100)),
    "entry of FINE one ulp up": ("logarithm", planted.entry(double.FINE, 70)),
    "coefficient beside 1": ("beside 1", planted.raised(double.LOG2_TAIL[0], 30)),
    "product beside 1": ("beside 1", planted.constant(double.LOG2_E_LO, 0.0)),
    "sum far from 1": ("far from 1", without_rest),
    "place in the second table": ("index", planted.constant(8192.0, 8191.0)),
    "lo y left out": ("product", without_value("pow", low_times_y)),
    "p_lo left out": ("reduction", without_value("pow", lambda _, family: family.product[1])),
    "ln 2": ("reduction", planted.constant(double.LN2_LO, 0.0)),
    "step": ("reduction", planted.constant(0.00390625, 0.00390625 + 2.0**-59)),
    "growth of the bound": ("power", planted.constant(double.BOUND_OF_EXPONENT, double.BOUND_OF_EXPONENT / 2.0)),
    "growth of the bound by 3 per cent": ("power", planted.constant(2.0**-80, 2.0**-80 * 0.97)),
    "bound halved": (
        "power",
        lambda traced: planted.constant(exponential.GROWTH, exponential.GROWTH / 2.0)(
            planted.constant(exponential.LEAST, exponential.LEAST / 2.0)(traced)
        ),
    ),
    "coefficient of the exponential": ("power", planted.raised(exponential.EXP_TAIL[0], 49)),
    "entry of EXP2_HI one ulp up": ("power", planted.entry(exponential.EXP2_HI, 1)),
    "entry of EXP2_LO": ("power", planted.entry(exponential.EXP2_LO, 1, 2**30)),
    "the sign of lo": ("sign", without_lo),
}


def shown(part):
    """The pieces that faults are sought on."""
    pieces = list(part.pieces())
    if part.name == "logarithm":
        near = [p for p in pieces if p[0][1] == 0 and p[0][2] in {63, 65}]
        return near + [p for p in pieces if p[0][2] == 70][:40] + [p for p in pieces if p[0][1] == 100][:25]
    return [p for p in pieces if p[0] < 3] if part.name == "power" else pieces


@pytest.mark.slow
@for_each("fault", FAULTS)
def test_faults_are_found(fault):
    name, change = FAULTS[fault]
    part = parts_of("pow")[name]
    assert planted.is_refused(planted.altered(part, change), part, shown(part))


@for_each("name", sorted({name for name, _ in FAULTS.values()}))
def test_nothing_is_found_there_without_faults(name):
    part = parts_of("pow")[name]
    assert not prove(part, pieces=shown(part)).failed


PLACES_FAULTS = {
    "mask of m": planted.integer(double.MANTISSA, double.MANTISSA >> 1),
    "shift of j": planted.integer(45, 46),
    "carry": planted.integer(double.SQRT2_PLACE, double.SQRT2_PLACE + 1),
    "scale of subnormal numbers": planted.integer(1074 << 52, 1073 << 52),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", PLACES_FAULTS)
def test_faults_of_places_are_found(fault):
    part = parts_of("pow")["places"]
    assert planted.is_refused(planted.altered(part, PLACES_FAULTS[fault]), part)


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["lo", "q_lo"])
def test_faults_of_quotients_are_found(fault):
    part = parts_of("rootn")["quotient"]
    number = part.family.log[1] if fault == "lo" else part.family.product[1]
    wrong = planted.altered(part, planted.without(number)) if fault == "lo" else replaced(part, number)
    assert planted.is_refused(wrong, part, list(part.pieces())[:40])


def replaced(part, number):
    """The part with the last division's dividend without what is left of hi."""
    (dividend, _) = part._operands(number)
    left, _ = part.traced.program.statements[dividend.number - 2].operands
    return planted.altered(part, planted.without(left.number))


TOO_MUCH = {
    "product": {"product": 2.0**-104},
    "logarithm": {"log": 2.0**-80.5},
    "reduction": {"off": 2.0**-118},
    "power": {"log": 2.0**-79.4},  # a worse logarithm leaves too much for the bound
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TOO_MUCH)
def test_contracts_that_ask_too_much_or_give_too_little_are_not_proven(name):
    part = parts_of("pow")[name]
    contracts = replace(part.family.contracts, **TOO_MUCH[name])
    wrong = replace(part, family=replace(part.family, contracts=contracts))
    assert planted.is_refused(wrong, part, shown(part))
