"""Proofs of powers: parts are given what they are proven for."""

from __future__ import annotations

import math
from fractions import Fraction

import gmpy2
import numpy as np
import pytest
from flint import arb

from proofs.families import power
from proofs.registry import PROOFS
from tests.cases import for_each
from tests.proofs import concrete
from tests.proofs.second_checker import verified

EXACTLY = gmpy2.context(precision=400, emin=-100000, emax=100000)
LOG_AND_EXP = {"quick_pow": "pow", "quick_powr": "powr", "quick_pown": "pown"}
KERNELS = (*LOG_AND_EXP, "quick_rootn")


def parts_of(kernel):
    rung, name = kernel.split("_")
    return {part.name: part for part in PROOFS[rung, name](name)}


def arguments(kernel, rng, count):
    """Floats x, next to 1 too, and y that take them to results in range, and to both ends of it, and beyond."""
    x = np.exp2(np.concatenate([rng.uniform(-149.0, 128.0, count), rng.uniform(-1.0, 1.0, count)]))
    x = np.append(x, 1.0 + rng.choice([-1.0, 1.0], count) * np.exp2(rng.uniform(-23.0, -3.0, count)))
    x = x.astype(np.float32).astype(np.float64)
    target = rng.choice([-1.0, 1.0], x.size) * np.exp2(rng.uniform(-30.0, 8.0, x.size))
    with np.errstate(divide="ignore"):
        y = target / np.log2(x)
    if kernel.endswith("rootn"):
        y = np.rint(rng.choice([-1.0, 1.0], x.size) * np.exp2(rng.uniform(0.0, 31.0, x.size)))
    elif kernel.endswith("pown"):
        y = np.rint(np.clip(y, -(2.0**31), 2.0**31 - 1.0))
    with np.errstate(over="ignore"):
        y = y if y.size and np.array_equal(y, np.rint(y)) else y.astype(np.float32).astype(np.float64)
    usable = np.isfinite(x) & np.isfinite(y) & (x > 0.0)
    x, y = x[usable], y[usable]
    if not kernel.endswith("powr"):
        x = np.where((y == np.rint(y)) & (rng.random(x.size) < 0.5), -x, x)
    return x, y


def ordinary(part, found):
    """Of which arguments the parts speak."""
    return np.all([found[number] == holds for number, holds in part.family.ordinary.items()], axis=0)


@for_each("kernel", KERNELS)
def test_each_part_is_given_values_that_the_one_before_leaves(kernel, draw):
    """The contracts, at arguments of all kinds: by MPFR, with the values of the trace."""
    parts = parts_of(kernel)
    part, family, contracts = parts["power"], parts["power"].family, parts["power"].family.contracts
    x, y = arguments(kernel, np.random.default_rng(draw.getrandbits(32)), 300)
    found = concrete.values(part.traced, x, y)
    speaks = ordinary(part, found)
    assert 200 < speaks.sum() < speaks.size
    numbers = (*family.log, *family.product, *family.rest, family.n)
    for i in np.flatnonzero(speaks):
        hi, lo, p, p_lo, r, n = (gmpy2.mpfr(found[number][i].item()) for number in numbers)
        with EXACTLY:
            logarithm_of_x, factor = gmpy2.log2(gmpy2.mpfr(abs(x[i]))), gmpy2.mpfr(y[i].item())
            if "quotient" in parts:
                factor = 1 / factor
            assert abs(hi + lo - logarithm_of_x) <= contracts.log * abs(logarithm_of_x)
            assert abs(lo) <= contracts.low * abs(hi)
            assert contracts.least <= abs(hi) <= contracts.most
            assert abs(p + p_lo - factor * (hi + lo)) <= contracts.product * abs(p)
            assert abs(p_lo) <= contracts.rest * abs(p)
            assert abs((factor * logarithm_of_x - n / 128) * gmpy2.const_log2() - r) <= contracts.off
        assert contracts.slight <= abs(p) <= contracts.top
        assert abs(r) <= contracts.reach
        assert abs(n) <= 128 * contracts.exponents


@for_each("kernel", KERNELS)
def test_every_argument_is_in_a_piece(kernel, draw):
    """Of each part: k, place and m; hi and y, or q and n; p; r and n."""
    parts = parts_of(kernel)
    part, family = parts["power"], parts["power"].family
    x, y = arguments(kernel, np.random.default_rng(draw.getrandbits(32)), 300)
    found = concrete.values(part.traced, x, y)
    logarithms = list(parts["logarithm"].pieces())
    ks, places, ms = (found[number] for number in parts["logarithm"].family.cut)
    hi, p, r = (found[number] for number in (family.log[0], family.product[0], family.rest[0]))
    reductions = list(parts["reduction"].pieces())
    for i in draw.sample(list(np.flatnonzero(ordinary(part, found))), 100):
        assert any(
            least <= ks[i] <= greatest and place == places[i] and low <= ms[i] <= high
            for ((least, greatest), place), low, high in logarithms
        )
        assert any(low <= p[i] <= high for _, low, high in reductions)
        assert abs(r[i]) <= family.contracts.reach
        k = math.frexp(abs(y[i]))[1] - 1
        if "product" in parts:
            assert family.powers[0] <= k <= family.powers[1]
            assert any(low <= hi[i] <= high and sign * y[i] > 0.0 for sign, low, high in parts["product"].pieces())
            continue
        assert 0 <= k <= power._GREATEST_N
        v, q = math.ldexp(y[i], -k), math.ldexp(p[i], k)
        assert any(
            low <= v <= high and 2.0**binade <= sign * q <= 2.0 ** (binade + 1)
            for (binade, sign), low, high in parts["quotient"].pieces()
        )


# the second checker


def beside_one(part):
    """The pieces of a logarithm but that of the argument 1 alone, of which its contract does not speak."""
    return [piece for piece in part.pieces() if piece[1] < piece[2]]


@pytest.mark.slow
def test_logarithms_next_to_one_are_verified_again(draw):
    """On cells of one argument or two, of which a value is one of two doubles."""
    part = parts_of("quick_powr")["logarithm"]
    narrow = [piece for piece in beside_one(part) if piece[0][0] == (0, 0) and piece[2] - piece[1] < 2.0**-18]
    assert len(narrow) == 10
    for which, low, high in narrow:
        at = draw.uniform(low, high)
        answer = verified(part.traced, part.statement(which, 0, low), at, min(high, at + (high - low) / 16))
        assert answer.holds, (which, at, float(answer.share))


@pytest.mark.slow
@for_each("kernel", KERNELS)
def test_logarithms_are_verified_again(kernel, draw):
    part = parts_of(kernel)["logarithm"]
    for which, low, high in draw.sample(beside_one(part), 25):
        at = draw.uniform(low, high)
        k = draw.randint(*which[0])
        answer = verified(part.traced, part.statement(which, k, low), at, min(high, at + (high - low) / 16))
        assert answer.holds, (which, k, at, float(answer.share))


# faults


def test_a_logarithm_is_as_far_off_as_the_contracts_say():
    """``away`` by rationals: at the worst signs."""
    contracts = power.Contracts()
    product, rest, log = (Fraction(x) for x in (contracts.product, contracts.rest, contracts.log))
    p, p_lo = Fraction(1), rest
    worst = max(
        abs((p + p_lo * s + product * t) / (1 + log * u) - (p + p_lo * s))
        for s in (-1, 1)
        for t in (-1, 1)
        for u in (-1, 1)
    )
    assert arb(worst.numerator) / worst.denominator <= contracts.away()
    assert contracts.away() < 1.01 * contracts.log
