"""Proofs of fine's pow, powr, pown and rootn: verified again, attacked, and faults that they find."""

from __future__ import annotations

from dataclasses import replace

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.certify.proof import prove
from clmath.certify.proofs import double_power
from clmath.certify.proofs import narrowed_power as proofs
from clmath.certify.proofs.narrowed_sums import CONTRACTS as RISES
from clmath.certify.statements import EnclosedSum, Known
from clmath.engines.device.program import Value
from clmath.kernels.double import exponential, power
from clmath.kernels.fine import exponential as fine
from clmath.kernels.fine import power as fine_power
from clmath.kernels.rungs import DOUBLE
from tests.cases import for_each
from tests.certify import concrete, planted, second_sums
from tests.certify.second_checker import verified
from tests.certify.test_double_power_proofs import arguments, between_ties, close, with_factor
from tests.certify.test_growth_proofs import within
from tests.certify.test_narrowed_logarithms_proofs import shown as shown_of_logarithms

KERNELS = proofs.NAMES
EXACTLY = gmpy2.context(precision=400, emin=-(10**6), emax=10**6)


def parts_of(name):
    return {part.name: part for part in proofs.fine_parts(name)}


def values_of(name, x, y):
    """All values of the trace, told what the double kernel gives; and that."""
    told = [np.broadcast_to(part, x.shape) for part in DOUBLE.kernels[name].function(x, y)]
    return concrete.values(parts_of(name)["power"].traced, x, y, *told), told


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


@pytest.mark.parametrize("name", KERNELS)
def test_what_a_part_is_given_is_what_the_one_before_it_leaves(name, draw):
    """The contracts, at arguments of all kinds: by MPFR, with the values of the trace."""
    parts = parts_of(name)
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


@pytest.mark.parametrize("name", KERNELS)
def test_every_argument_is_in_a_piece(name, draw):
    """Of each part that speaks of it."""
    parts = parts_of(name)
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
    family, (x, y) = parts_of(name)["power"].family, exponents_tie(draw, 3000)
    found, told = values_of(name, x, y)
    taken = found[family.own.taken]
    apart = found[family.own.exponent.number] - told[3]
    assert set(np.unique(apart[taken])) <= {-1, 0, 1}
    assert np.array_equal(found[family.own.scale][taken], np.exp2(apart[taken].astype(float)))


@pytest.mark.parametrize("name", KERNELS)
def test_no_error_is_larger_than_what_is_proven(name, draw):
    """By MPFR: as a share of the kernel's own bound, of both signs, with the exponent that the kernel is told."""
    whole, (x, y) = parts_of(name)["power"].traced, drawn(name, draw, 300)
    values, told = values_of(name, x, y)

    def exact(i):
        factor = gmpy2.mpfr(y[i].item())
        size = gmpy2.mpfr(abs(x[i])) ** (1 / factor if name == "rootn" else factor)
        return gmpy2.mul_2exp(size, -int(told[3][i])) * (-1 if x[i] < 0.0 and y[i] % 2.0 else 1)

    with EXACTLY:
        worst = concrete.shares(concrete.outputs(whole, values)[:3], told[2], exact).max()
    assert 0.01 < worst < 0.9


@pytest.mark.parametrize("name", KERNELS)
def test_own_enclosures_are_not_taken_where_arguments_are_not_ordinary(name):
    """Nothing is told of the bound there but that it is 0."""
    x, y = map(
        np.ravel, np.meshgrid([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 2.5], [0.0, 1e-300, np.inf, np.nan])
    )
    if name in {"pown", "rootn"}:
        x, y = map(np.ravel, np.meshgrid(x, [0.0, 1.0]))
    values, told = values_of(name, x, y)
    assert not values[parts_of(name)["power"].family.own.taken].any()
    assert not told[2].any()


# verified again


@pytest.mark.parametrize("name", KERNELS)
def test_products_are_verified_again(name, draw):
    """For numbers y, or n, that are drawn."""
    parts = parts_of(name)
    part = parts.get("product") or parts["quotient"]
    for which, *ends in draw.sample(list(part.pieces()), 20):
        factor, low, high = with_factor(part, which, ends, draw)
        if part.name == "product":
            high = low + (high - low) / 64  # p_lo is what the checker knows as a range
        answer = verified(part.traced, part.statement(low, high, factor), low, high)
        assert answer.holds, (which, factor, float(answer.share))


def check_reduction(part, draw):
    """On short cells within pieces, and where something is left: next to 0 and to ties the checker decides nothing."""
    pieces = [piece for piece in part.pieces() if min(map(abs, piece[1:])) >= 1 / 4096]
    for _, *ends in draw.sample(pieces, 10):
        at, end = between_ties(ends, draw)
        answer = verified(part.traced, part.statement(*ends), at, end)
        assert answer.holds, (float(at), float(answer.share))


@pytest.mark.parametrize("name", KERNELS)
def test_reductions_are_verified_again(name, draw):
    check_reduction(parts_of(name)["reduction"], draw)


def check_power(family, draw):
    """From r and r_lo on, with no error of p: that p_err is added to the bound is seen by others."""
    r, r_lo = family.turned
    for j in draw.sample(range(256), 6):
        known = Known(r, -300, ((r_lo, RISES.reach_lo),))
        numbers = (family.n, j), (family.p_err, 0.0)
        statement = EnclosedSum(known, numbers, 256, ((1.0, j, 1),), (), RISES.off, family.parts[:2], family.parts[2])
        cell = within(draw, -RISES.reach, RISES.reach, 50)
        found = second_sums.share(family.traced, statement, *cell)
        assert found <= 1, (j, cell, float(found))


@pytest.mark.parametrize("name", KERNELS)
def test_powers_are_verified_again(name, draw):
    check_power(parts_of(name)["power"].family, draw)


# faults


def without(place, name="pow"):
    """What the kernel computes there counts as 0."""

    def change(traced):
        return planted.without(place(parts_of(name)["power"].family))(traced)

    return change


def without_step(traced):
    """A fault: the logarithm is that of double."""
    return planted.without(parts_of("pow")["sums"].family.step)(traced)


def without_product_of_lower_part(traced):
    """A fault: l_lo y is not added."""
    l_lo = Value(parts_of("pow")["power"].family.log[1])
    return planted.without(planted.user(traced, "double.mul", l_lo))(traced)


def with_remainder_in_one(traced):
    """A fault: l - q n, q being l / n, is rounded once, and then what q n was off is taken off again."""
    q = parts_of("rootn")["quotient"].family.product[0]
    product = Value(planted.user(traced, "double.mul", Value(q)))
    return planted.contracted(planted.user(traced, "double.sub", product))(traced)


FAULTS = {
    "pow: coefficient one ulp up": planted.raised(fine.SERIES[0][0], 52),
    "pow: lower part of a coefficient": planted.raised(fine.SERIES[1][1], 10),
    "pow: tail of the series": planted.raised(fine.TAIL[0], 30),
    "pow: logarithm of 2": planted.raised(fine.LN2[1], 40),
    "pow: entry of powers of two": planted.entry(exponential.EXP2_HI, 46),
    "pow: tail of an entry": planted.entry(exponential.EXP2_LO, 46),
    "pow: what is beside both": planted.entry(fine.EXP2_REST, 46, 2**46),
    "pow: entry of logarithms": planted.entry(power.COARSE_HI, 46),
    "pow: reciprocal": planted.entry(power.COARSE, 46),
    "pow: bound of the power halved": planted.constant(fine.BOUND, fine.BOUND / 2.0),
    "pow: bound of the product halved": planted.constant(2.0**-103, 2.0**-104),
    "pow: bound of the change": planted.constant(2.0 * fine.GROWTH_BOUND, fine.GROWTH_BOUND / 8.0),
    "pow: slope": planted.raised(fine_power.LOG2_E, 20),
    "pow: shift of k": planted.integer(1023, 1022),
    "pow: mask of n": planted.integer(255, 127),
    "pow: step of n": planted.constant(0.00390625, 0.00390625 + 2.0**-59),
    "pow: step left out": without_step,
    "pow: l_lo y left out": without_product_of_lower_part,
    "pow: p_lo left out": without(lambda family: family.product[1]),
    "pow: p_err left out": without(lambda family: family.p_err),
    "pow: l_err left out": without(lambda family: family.log_err),
    "pow: r_lo left out": without(lambda family: family.turned[1]),
    "pow: lower part of e^r - 1 left out": without(lambda family: family.rise[1]),
    "pow: lo left out": without(lambda family: family.parts[1]),
    "pow: sign": planted.constant(-1.0, 1.0),
    "rootn: l_lo left out": without(lambda family: family.log[1], "rootn"),
    "rootn: l_err left out": without(lambda family: family.log_err, "rootn"),
    "rootn: p_lo left out": without(lambda family: family.product[1], "rootn"),
    "rootn: bound of the quotient halved": planted.constant(2.0**-100, 2.0**-101),
    "rootn: remainder contracted": with_remainder_in_one,
}


def shown(part):
    """The pieces that faults are sought in."""
    if part.name == "power":
        return [piece for piece in part.pieces() if piece[0] in {46, 0, 200}]
    return shown_of_logarithms(part)


@pytest.mark.slow
@for_each("fault", FAULTS)
def test_faults_are_found(fault):
    assert planted.is_found(FAULTS[fault], proofs.fine_parts(fault.partition(":")[0]), shown)


@pytest.mark.parametrize("name", ["pow", "rootn"])
def test_nothing_is_found_there_without_faults(name):
    for part in proofs.fine_parts(name):
        assert not prove(part, pieces=shown(part)).failed


TOO_MUCH = {"product": {"product": 2.0**-105}, "reduction": {"off": 2.0**-118}}


@pytest.mark.slow
@pytest.mark.parametrize("part", TOO_MUCH)
def test_contracts_that_ask_too_much_are_not_proven(part):
    found = parts_of("pow")[part]
    contracts = replace(found.family.contracts, **TOO_MUCH[part])
    wrong = replace(found, family=replace(found.family, contracts=contracts))
    assert planted.is_refused(wrong, found, shown(found))


NOT_FOLLOWING = {"product": 2.0**-103, "rounding": 2.0**-104, "err": 2.0**-20, "slight": 2.0**-60}


@pytest.mark.slow
@pytest.mark.parametrize("field", NOT_FOLLOWING)
def test_contracts_that_do_not_follow_from_one_another_are_noticed(field):
    contracts = parts_of("pow")["power"].family.contracts
    assert contracts.holds()
    assert not replace(contracts, **{field: NOT_FOLLOWING[field]}).holds()


@pytest.mark.slow
@pytest.mark.parametrize("name", KERNELS)
def test_a_double_kernel_that_tells_a_bound_of_exact_results_is_noticed(name, monkeypatch):
    kernel, ordinary = double_power.conditions_of(name)
    wrong = planted.operands_replaced(planted.ZERO, planted.double(2.0**-100))(kernel)
    monkeypatch.setattr(double_power, "conditions_of", lambda _: (wrong, ordinary))
    with pytest.raises(LookupError, match="tell a bound"):
        proofs.fine_parts(name)
