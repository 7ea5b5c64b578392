"""Proofs of fine's pow, powr, pown and rootn: parts are given what they are proven for."""

from __future__ import annotations

from dataclasses import replace

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from proofs.families import double_power
from proofs.families import narrowed_power as proofs
from proofs.families.narrowed_sums import CONTRACTS as RISES
from tests.cases import for_each
from tests.proofs import concrete, faults
from tests.proofs.proofs_of import fine_parts, told

KERNELS = proofs.NAMES
EXACTLY = gmpy2.context(precision=400, emin=-(10**6), emax=10**6)


def values_of(name, x, y):
    """All values of the trace, told what the double kernel gives; and that."""
    given = told(name, x, y)
    return concrete.values(fine_parts(name)["power"].traced, x, y, *given), given


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


def close(x, y, share):
    """Whether two numbers are no farther from each other than ``share`` of the second."""
    return abs(x - y) <= share * abs(y)


def drawn(name, draw, count):
    return arguments(name, np.random.default_rng(draw.getrandbits(32)), count)


def exponents_tie(draw, count):
    """X and y for which y log2 x is next to a half of a step below an integer: both kernels may take another n."""
    rng = np.random.default_rng(draw.getrandbits(32))
    x = np.exp2(rng.uniform(0.1, 100.0, count))
    target = (
        rng.integers(-8, 9, count) - 1 / 512 + rng.choice((-1.0, 1.0), count) * np.exp2(rng.uniform(-60, -50, count))
    )
    return x, target / np.log2(x)


@for_each("name", KERNELS)
def test_each_part_is_given_values_that_the_one_before_leaves(name, draw):
    """The contracts, at arguments of all kinds: by MPFR, with the values of the trace."""
    parts = fine_parts(name)
    family = parts["power"].family
    contracts, (x, y) = family.contracts, drawn(name, draw, 120)
    found, _ = values_of(name, x, y)
    taken = np.flatnonzero(found[family.own.taken])
    assert taken.size > 60
    numbers = (*family.log, family.log_err, *family.product, family.p_err, *family.rest, family.n, *family.rise)
    for i in taken:
        values = [gmpy2.mpfr(found[number][i].item()) for number in (*numbers, *family.parts)]
        l, l_lo, l_err, p, p_lo, p_err, r, r_lo, n, rise, rise_lo, hi, lo, err = values
        with EXACTLY:
            log2_of_x, factor = gmpy2.log2(gmpy2.mpfr(abs(x[i]))), gmpy2.mpfr(y[i].item())
            factor = 1 / factor if name == "rootn" else factor
            missed = factor * log2_of_x - p - p_lo
            assert abs(l + l_lo - log2_of_x) <= l_err
            assert close(p + p_lo, factor * (l + l_lo), contracts.product * (1 + 2.0**-40))
            assert abs(missed) <= p_err
            assert abs(((p + p_lo) - n / 256) * gmpy2.const_log2() - r - r_lo) <= contracts.off
            assert abs(rise + rise_lo - gmpy2.expm1(r + r_lo)) <= RISES.rise_off
            exact = gmpy2.exp2(factor * log2_of_x - (int(n) >> 8))
            assert abs(hi + lo - exact) <= err
        assert abs(l_lo) <= contracts.low * abs(l)
        assert contracts.least <= abs(l) <= contracts.most
        assert l_err <= contracts.told * abs(l)
        assert p_err <= contracts.err * abs(p)
        assert abs(p_lo) <= contracts.rest * abs(p)
        assert contracts.slight <= abs(p) <= contracts.top
        assert abs(r) <= contracts.reach
        assert abs(r_lo) <= contracts.reach_lo
        assert abs(rise) <= RISES.rise
        assert abs(rise_lo) <= RISES.rise_lo
        assert proofs._LEAST_POWER <= hi <= proofs._GREATEST_POWER


@for_each("name", KERNELS)
def test_every_argument_is_in_a_piece(name, draw):
    """Of each part that speaks of it."""
    parts = fine_parts(name)
    family, (x, y) = parts["power"].family, drawn(name, draw, 100)
    found, _ = values_of(name, x, y)
    taken = np.flatnonzero(found[family.own.taken])
    pieces = {name: [piece[1:] for piece in part.pieces()] for name, part in parts.items()}
    spoken = {"reduction": family.product[0], "rise of the power": family.turned[0], "power": family.rise[0]}
    if name != "rootn":
        spoken["product"] = family.log[0]
    for part, number in spoken.items():
        for at in found[number][taken].tolist():
            assert any(low <= at <= high for low, high in pieces[part])
    exponents = np.frexp(np.abs(found[family.y][taken]))[1] - 1
    assert exponents.min() >= (0 if name == "rootn" else family.powers[0])
    assert exponents.max() <= (31 if name == "rootn" else family.powers[1])


@pytest.mark.parametrize("name", ["pow", "powr"])
def test_exponents_are_one_apart_at_most(name, draw):
    """Where they are, the kernel gives its own with that of what it is told."""
    family, (x, y) = fine_parts(name)["power"].family, exponents_tie(draw, 3000)
    found, told = values_of(name, x, y)
    taken = found[family.own.taken]
    apart = found[family.own.exponent.number] - told[3]
    assert set(np.unique(apart[taken])) <= {-1, 0, 1}
    assert np.array_equal(found[family.own.scale][taken], np.exp2(apart[taken].astype(float)))


# verified again


# faults


NOT_FOLLOWING = {"product": 2.0**-103, "rounding": 2.0**-104, "err": 2.0**-20, "slight": 2.0**-60}


@pytest.mark.slow
@pytest.mark.parametrize("field", NOT_FOLLOWING)
def test_contracts_that_do_not_follow_from_one_another_are_noticed(field):
    contracts = fine_parts("pow")["power"].family.contracts
    assert contracts.holds()
    assert not replace(contracts, **{field: NOT_FOLLOWING[field]}).holds()


@pytest.mark.slow
@for_each("name", KERNELS)
def test_a_double_kernel_that_tells_a_bound_of_exact_results_is_noticed(name, monkeypatch):
    kernel, ordinary = double_power.conditions_of(name)
    wrong = faults.operands_replaced(faults.ZERO, faults.double(2.0**-100))(kernel)
    monkeypatch.setattr(double_power, "conditions_of", lambda _: (wrong, ordinary))
    with pytest.raises(LookupError, match="tell a bound"):
        proofs.fine_parts(name)
