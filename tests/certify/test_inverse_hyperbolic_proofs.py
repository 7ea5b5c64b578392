"""Proofs of asinh, acosh and atanh: seen again by the second checker, attacked, and with faults planted."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.certify.certificates import certificate
from clmath.certify.proof import prove
from clmath.certify.proofs import inverse_hyperbolic
from clmath.engines.device.program import Value
from clmath.kernels.quick import hyperbolic as quick
from clmath.kernels.quick import logarithm
from tests.cases import for_each
from tests.certify import concrete, planted
from tests.certify import second_checker_of_enclosures as second
from tests.certify.second_checker import ONE, Undecided

KERNELS = inverse_hyperbolic.NAMES
EXACTLY = gmpy2.context(precision=300)
EXACT = {"asinh": gmpy2.asinh, "acosh": gmpy2.acosh, "atanh": gmpy2.atanh}
of_each = pytest.mark.parametrize("kernel", KERNELS)


def inside(kernel):
    return inverse_hyperbolic.quick_parts(kernel)[-1]


def of_sum():
    return {part.name: part for part in inverse_hyperbolic.of_sum()}


# the second checker


def is_sum_verified(part, which, low, high, share=1):
    statement = part.statement(which, low)
    return second.logarithm_holds(part.traced, statement, low, high, share, deepest=7).holds


def is_inside_verified(part, which, low, high, share=1):
    statement = part.statement(which, low, high)
    return second.through_logarithm(part.traced, statement, low, high, share, deepest=7).holds


def test_sums_are_verified_again(draw):
    part = of_sum()["sum"]
    for piece in draw.sample(list(part.pieces()), 20):
        assert is_sum_verified(part, *piece, Fraction(99, 100)), piece


def is_near_verified(part, which, low, high, share=1):
    statement = part.statement(which, low, high)
    return second.small_logarithm_holds(part.traced, statement, low, high, share).holds


def above_zero(part):
    """The pieces of w > 0."""
    return [piece for piece in part.pieces() if piece[1] > 0.0]


def test_sums_next_to_1_are_verified_again():
    part = of_sum()["near"]
    for piece in above_zero(part):
        assert is_near_verified(part, *piece, Fraction(99, 100)), piece


@of_each
def test_kernels_are_verified_again(kernel, draw):
    part = inside(kernel)
    for piece in draw.sample(list(part.pieces()), 20):
        assert is_inside_verified(part, *piece, Fraction(99, 100)), piece


def test_statements_say_what_the_prover_is_given(draw):
    part = of_sum()["sum"]
    for which, low, high in draw.sample(list(part.pieces()), 30):
        said = part.statement(which, low)
        cell = part.cell(which, *map(inverse_hyperbolic.arb, (low, high)))
        given = part.setting(which, cell).given
        assert sorted(given) == sorted([said.m, said.rest, said.scale, said.k, *dict(said.integers)])
        assert cell.powers == said.powers
        assert given[said.m].grid == said.grid
        assert cell.bounds[-1] <= said.left
        assert all(given[number] == known for number, known in said.integers)


# what parts are given is what arguments reach


def arguments(kernel, draw, count):
    """Ordinary floats, those next to the ends among them."""
    part = inside(kernel)
    numbers = np.random.default_rng(draw.getrandbits(32))
    least, top = (
        np.float32(end).view(np.int32) for end in (part.least, min(part.top, float(np.finfo(np.float32).max)))
    )
    x = numbers.integers(least, top + 1, count, np.int32)
    x = np.concatenate([x, least + np.arange(20), top - np.arange(20), 0x3F800000 + numbers.integers(1, 1 << 20, 20)])
    x = x.astype(np.int32).view(np.float32).astype(np.float64)
    x = x[(x >= part.least) & (x <= part.top)]
    return x if part.signs == (1,) else np.where(numbers.integers(0, 2, x.size), x, -x)


@of_each
def test_every_argument_is_in_a_piece(kernel, draw):
    part = inside(kernel)
    pieces = list(part.pieces())
    x = arguments(kernel, draw, 200)
    found = concrete.values(part.traced, x)
    assert all(np.all(found[number] == known) for number, known in part.special)
    for one in x:
        assert any(low <= one <= high for _, low, high in pieces)
    w = found[part.inner[0]]
    assert np.all((w > inverse_hyperbolic.LEAST) & (w < inverse_hyperbolic.GREATEST))
    assert_sums_are_in_pieces(w)


def assert_sums_are_in_pieces(w):
    parts = of_sum()
    pieces, near = list(parts["sum"].pieces()), list(parts["near"].pieces())
    family = parts["sum"].family
    found = concrete.values(family.traced, w)
    for i, one in enumerate(w):
        k, j, m = (found[number][i].item() for number in family.cut)
        if k == 0 and j == 0:
            assert any(low <= one <= high and which[1:] == (0, 0) for which, low, high in near)
            continue
        ways = [
            (which, low) for which, low, high in pieces if which[1] == j and low <= m <= high and covers(which[0], k)
        ]
        assert ways
        said = parts["sum"].statement(*ways[0])
        q = int(k) - said.carried
        assert abs(Fraction(found[said.rest][i])) <= Fraction(said.left) * Fraction(2) ** q
        assert found[said.scale][i] == 2.0**-q


def covers(powers, k):
    return powers[0] <= k <= powers[1]


# real errors


def test_errors_of_sums_are_within_what_is_said(draw):
    """For any w, which may have 53 bits."""
    numbers = np.random.default_rng(draw.getrandbits(32))
    ends = np.log2([inverse_hyperbolic.LEAST, inverse_hyperbolic.GREATEST])
    w = np.exp2(np.concatenate([numbers.uniform(*ends, 2000), numbers.uniform(ends[0], 2.0, 4000)]))
    met = 0.0
    with EXACTLY:
        for one, found in zip(w, logarithm.log1p_of(w), strict=True):
            exact = gmpy2.log1p(gmpy2.mpfr(float(one)))
            met = max(met, float(abs(gmpy2.mpfr(float(found)) - exact) / exact))
    assert 0.4 < met / inverse_hyperbolic.OFF <= largest_share("asinh", "sum", "near")


def largest_share(kernel, *names):
    return max(part["worst"] for part in certificate("quick", kernel)["parts"] if part["name"] in names)


@of_each
def test_no_error_is_larger_than_what_is_proven(kernel, draw):
    x = arguments(kernel, draw, 5000)
    value, err = getattr(quick, kernel)(x)
    met = 0.0
    with EXACTLY:
        for i, one in enumerate(x):
            error = abs(gmpy2.mpfr(float(value[i])) - EXACT[kernel](gmpy2.mpfr(float(one))))
            bound = err[i] - np.spacing(abs(value[i]) + err[i]) / 2
            met = max(met, float(error / gmpy2.mpfr(float(bound))))
    assert 0.1 < met <= largest_share(kernel, "inside")


# faults

SHOWN = 5, 54, 100  # places


def rest_left_out(traced):
    return planted.without(of_sum()["sum"].family.one_plus.left)(traced)


# the last coefficient is smaller than what the bound leaves
OF_SUM = {
    **{
        f"coefficient {i}": planted.raised(c, n)
        for i, (c, n) in enumerate(zip(logarithm.LOG1P_TAIL, (26, 18, 10, 2), strict=False))
    },
    "square left out": planted.constant(0.5, 0.0),
    "k LN2_LO left out": planted.constant(logarithm.LN2_LO, 0.0),
    "LN2_HI": planted.raised(logarithm.LN2_HI, 46),
    "rest of 1 + w left out": rest_left_out,
    "entry of RECIPROCAL one place up": planted.entry(logarithm.RECIPROCAL, 100),
    "bits cleared": planted.integer(-0x1000000, -0x100),
}
PLACES = {
    "mask of the place": planted.integer(127, 63),
    "shift of the exponent": planted.integer(52, 51),
    "carry": planted.integer(logarithm.SQRT2_PLACE, logarithm.SQRT2_PLACE + 1),
    "2^-q": planted.integer(0x7FE0000000000000, 0x7FD0000000000000),
}


def shown():
    return [piece for piece in of_sum()["sum"].pieces() if piece[0][1] in SHOWN]


def all_verified(verified, part, pieces):
    """Whether the second checker sees all of them to hold."""
    try:
        return all(verified(part, *piece) for piece in pieces)
    except (AssertionError, Undecided):
        return False


@pytest.mark.slow
@for_each("fault", OF_SUM)
def test_faults_of_sums_are_found_by_both(fault):
    right = of_sum()["sum"]
    part = planted.altered(right, OF_SUM[fault])
    assert planted.is_refused(part, right, shown())
    assert not all_verified(is_sum_verified, part, shown())


def entries_are_right(part, place):
    """Whether the sum of two entries is as near as is said to the logarithm, by the second checker."""
    run = second.Enclosure(part.traced.program, part.traced.tables, dict(part.listed[place]), {})
    total = run(Value(part.parts[0])).form + run(Value(part.parts[1])).form
    reciprocal = Fraction(float(logarithm.RECIPROCAL[place])) * 2 ** (place >= logarithm.SQRT2_PLACE)
    ideal = second.logarithm_of(second.power_of_number(reciprocal, -1))
    return (total - ideal).size() <= Fraction(part.off) * ONE


def test_entries_are_verified_again():
    part = of_sum()["entries"]
    assert all(entries_are_right(part, place) for place in part.listed)


@pytest.mark.slow
@for_each("place", [1, 53, 100])
@for_each("ulps", [1, -1])
def test_entries_one_place_off_are_found_by_both(place, ulps):
    part = of_sum()["entries"]
    wrong = dataclasses.replace(part, traced=planted.entry(logarithm.LOG_HI, place, ulps)(part.traced))
    assert prove(wrong, pieces=[(place, 0.0, 0.0)], enough=1).failed
    assert not entries_are_right(wrong, place)
    other = dataclasses.replace(part, traced=planted.entry(logarithm.RECIPROCAL, place, ulps)(part.traced))
    assert prove(other, pieces=[(place, 0.0, 0.0)], enough=1).failed


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["coefficient 0", "square left out", "rest of 1 + w left out"])
def test_faults_next_to_1_are_found_by_both(fault):
    right = of_sum()["near"]
    part = planted.altered(right, OF_SUM[fault])
    pieces = above_zero(part)
    assert planted.is_refused(part, right, pieces)
    assert not all_verified(is_near_verified, part, pieces)
    assert not prove(right, pieces=pieces).failed


@pytest.mark.slow
@pytest.mark.parametrize("fault", PLACES)
def test_faults_of_places_are_found(fault):
    right = of_sum()["places"]
    assert not prove(right).failed
    assert planted.is_refused(planted.altered(right, PLACES[fault]), right)


def test_both_find_nothing_in_sums_without_faults():
    part = of_sum()["sum"]
    assert not prove(part, pieces=shown()).failed
    assert all_verified(is_sum_verified, part, shown()[::3])


def without_part_of_sum(kernel):
    """The trace of the kernel with w = a + b as w = a + 0, and atanh's 2 x/(1 - x) as 2 x."""

    def change(traced):
        number = inside(kernel).inner[0]
        statement = traced.program.statements[number - len(traced.program.inputs)]
        if statement.operation == "double.add":
            return planted.without(statement.operands[1].number)(traced)
        return planted.operands_replaced(statement.operands[1], planted.double(1.0))(traced)

    return change


INSIDE = {
    "atanh: bound halved": ("atanh", planted.constant(quick.BOUND, quick.BOUND / 2.0)),
    "asinh: bound halved": ("asinh", planted.constant(quick.INVERSE_BOUND, quick.INVERSE_BOUND / 2.0)),
    "acosh: bound halved": ("acosh", planted.constant(quick.INVERSE_BOUND, quick.INVERSE_BOUND / 2.0)),
    **{f"{kernel}: a term left out": (kernel, without_part_of_sum(kernel)) for kernel in KERNELS},
    "asinh: 1 + z": ("asinh", planted.constant(1.0, 1.0 + 2.0**-40)),
    "acosh: t + 2": ("acosh", planted.constant(2.0, 2.0 + 2.0**-30)),
    "atanh: half": ("atanh", planted.constant(0.5, 0.5 + 2.0**-50)),
}


@pytest.mark.slow
@for_each("fault", INSIDE)
def test_faults_of_kernels_are_found_by_both(fault):
    kernel, change = INSIDE[fault]
    right = inside(kernel)
    part = dataclasses.replace(right, traced=change(right.traced))
    some = list(right.pieces())[:: 17 if kernel == "asinh" else 5]
    assert planted.is_refused(part, right, some)
    assert not all_verified(is_inside_verified, part, some)
    assert not prove(right, pieces=some[:3]).failed


@pytest.mark.slow
@pytest.mark.parametrize("end", ["LEAST", "GREATEST"])
def test_sums_have_to_lie_where_their_logarithm_is_proven(end, monkeypatch):
    part = inside("asinh")
    ends = [list(part.pieces())[i] for i in (0, -1)]
    assert not prove(part, pieces=ends).failed
    monkeypatch.setattr(inverse_hyperbolic, end, 1.0)
    assert any("1 + w" in why for why in prove(part, pieces=ends).failed)
    assert not all_verified(is_inside_verified, part, ends)


@pytest.mark.slow
def test_a_smaller_error_of_sums_is_refused_by_both(monkeypatch):
    part = of_sum()["sum"]
    claim = (inverse_hyperbolic, "OFF", 2.0**-54)
    assert planted.is_refused_with(claim, lambda: part, shown()[:6])
    monkeypatch.setattr(*claim)
    assert not all_verified(is_sum_verified, part, shown()[:6])
