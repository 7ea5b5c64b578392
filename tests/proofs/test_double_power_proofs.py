"""Proofs of double's powers: parts are given what they are proven for."""

from __future__ import annotations

import math

import gmpy2
import numpy as np
import pytest

from clmath.kernels.double import power as double
from proofs.families import double_power
from proofs.registry import PROOFS
from tests.cases import for_each
from tests.proofs import concrete
from tests.proofs.second_checker import verified

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


@for_each("kernel", KERNELS)
def test_each_part_is_given_values_that_the_one_before_leaves(kernel, draw):
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


@for_each("kernel", KERNELS)
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


@pytest.mark.slow
@for_each("kernel", KERNELS)
def test_logarithms_are_verified_again(kernel, draw):
    """At numbers that are random: the checker knows no first halves of numbers on a whole cell."""
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


@pytest.mark.slow
@for_each("kernel", KERNELS)
def test_powers_are_verified_again(kernel, draw):
    """On short cells, for p as small and as large as it is, for the bound and what is proven grow evenly with it."""
    part = parts_of(kernel)["power"]
    for which, low, high in draw.sample(list(part.pieces()), 8):
        at, size = draw.uniform(low, high), draw.choice((double.TINY, 700.0, double.TOP))
        end = min(high, at + (high - low) / 64)
        answer = verified(part.traced, part.statement(which, size), at, end, deepest=9)
        assert answer.holds, (which, at, size, float(answer.share))


# faults
