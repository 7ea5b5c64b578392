"""Claims that are false are refused: better bounds, grids and distances than kernels have, by the prover and twice."""

from __future__ import annotations

import dataclasses
import functools

import pytest

pytest.importorskip("flint")

from clmath.kernels.accurate import exponential as accurate
from clmath.kernels.accurate.gamma import PRODUCT_BOUND
from clmath.kernels.fast import exponential as fast
from proofs import check
from proofs.accurate import angles, boundaries, log_gamma, roots
from proofs.accurate import gamma as accurate_gamma
from proofs.accurate import power as accurate_power
from proofs.engine.proof import prove
from proofs.fast import gamma as fast_gamma
from proofs.fast import hyperbolic as fast_hyperbolic
from proofs.fast import power as fast_power
from proofs.fast import power_refined
from proofs.narrowing import gamma as narrowing_gamma
from proofs.narrowing import inverse_trigonometric as narrowing_inverse
from proofs.narrowing import power as narrowing_power
from proofs.narrowing import trigonometric as narrowing_trigonometric
from proofs.registry import PROOFS
from proofs.terms import within
from tests.cases import for_each
from tests.proofs import faults
from tests.proofs.test_faults_in_kernels import pieces_of


def of_limits(module, **changes):
    """The limits of the lemmas of powers with others: bounds too small, or assumptions too weak."""
    return module, "LIMITS", dataclasses.replace(module.LIMITS, **changes)


def of_shares(**changes):
    """The shares of errors of narrowing tgamma with others, too small or more than the bound."""
    return narrowing_gamma, "SHARES", dataclasses.replace(narrowing_gamma.SHARES, **changes)


# claims that a module makes for all parts of its proofs: where it shows, the module, the name and a value too good
OF_MODULES = {
    "accurate sin, reduction: off by words": (angles, "OFF", 2.0**-96),
    "accurate sin, reduction: smaller part": (angles, "SMALLER", 2.0**-45),
    "accurate sin, reduction: grid by words": (angles, "GRID", -40),
    "accurate sin, reduction, ordinary: off by pieces": (angles, "OFF_ORDINARY", 2.0**-127),
    "accurate sin, reduction, ordinary: third": (angles, "THIRD", 2.0**-42),
    "accurate sin, reduction, ordinary: fourth": (angles, "FOURTH", 2.0**-73),
    "accurate sin, reduction, ordinary: grid by pieces": (angles, "GRIDS", angles.GRIDS | {"near": -60}),
    "accurate sin, angle, ordinary: room": (angles, "ROOM", 2.0**-125.5),
    "accurate sin, angle: rest": (angles, "REST", (2.0**-54, 2.0**-74)),
    "accurate sin, distance: least": (angles, "LEAST", 2.0**-60),
    "accurate rsqrt, roots: less missed by the product": (roots, "MISSED_PRODUCT", 2.0**-54, 1.5),
    "accurate rsqrt, roots: less missed by the square": (roots, "MISSED_SQUARE", 2.0**-52, 1.5),
    "accurate rsqrt, roots: shorter second parts": (roots, "SECOND_PART", 2.0**-27, 1.5),
    "accurate rsqrt, roots: coarser first part": (roots, "PARTS", roots.PARTS | {"s1": -24}, 1.5),
    "accurate rsqrt, roots: coarser second part": (roots, "PARTS", roots.PARTS | {"s2": -51}, 1.5),
    "accurate rsqrt, roots: shorter parts": (roots, "SHORT", 25, 1.5),
    "accurate hypot, squares: rest of a square": (roots, "SQUARE_REST", 2.0**-53),
    "accurate hypot, sum: rest of the sum": (roots, "REST", 2.0**-52),
    "accurate cbrt, near: away": (roots, "AWAY", 2.0**-36),
    "accurate cbrt, near: lower part": (roots, "LOWER", 2.0**-18),
    "accurate cbrt, near: upper part": (roots, "UPPER", 0.45),
    "accurate cbrt, cubes: second product": (roots, "SECOND", 2.0**-14),
    "accurate cbrt, cubes: third product": (roots, "THIRD", 2.0**-33),
    "accurate cbrt, cubes: rounding of the third product": (roots, "OFF_THIRD", 2.0**-87),
    "accurate cbrt, missed: rounding": (roots, "ROUNDED", 2.0**-85),
    "accurate tgamma, pieces: error near a centre": (log_gamma, "PIECE_NEAR_ERROR", 2.0**-6, 1.032),
    "accurate lgamma, series: off": (accurate_gamma, "STIRLING_OFF", 2.0**-6, 16.1),
    "accurate tgamma, sines: off": (accurate_gamma, "SINE_OFF", 2.0**-6, 3e-7),
    "accurate lgamma, sines: off": (accurate_gamma, "BOUND", 2.0**-6, 0.477),
    "accurate tgamma, quotients: off": (accurate_gamma, "QUOTIENT_OFF", 2.0**-6, 1.1),
    "accurate tgamma, reduction: off": (accurate_gamma, "REDUCED_OFF", 2.0**-6, 600.0),
    "accurate tgamma, pieces: second": (log_gamma, "SECOND", 2.0**-6, 1.25),
    "accurate cbrt, second: roundings": (boundaries, "ROUNDINGS", 2.0**-54),
    "accurate cbrt, sum: what the series leaves out": (boundaries, "SERIES", 2.0**-28),
    "accurate pow, natural logarithm: error": (accurate_power, "OFF_LOGARITHM", 2.0**-104),
    "accurate sin, reduction, refined: off": (angles, "OFF_STEPS", 2.0**-147),
    "accurate tan, distance from steps: least": (angles, "LEAST_STEPS", 2.0**-61.5),
    "accurate hypot, product of the rest: size": (roots, "LARGEST_PRODUCT", 2.0**51),
    "fast cbrt, short: size": (power_refined, "SHORTENED", 1.99),
    "fast pow, rounded: distance of the value": (power_refined, "NEAR", 2.0**-25),
    "accurate lgamma, logarithms of sums: error": (log_gamma, "RATIO_ERROR", 2.0**-6, 0.1),
    "accurate lgamma, sines over pi: error": (accurate_gamma, "SINE_CLOSER", 2.0**-6, 3e-7),
    "fast lgamma, arguments: error of the base": (fast_gamma, "BASE_OFF", 2.0**-54, 1.4),
    "fast lgamma, sines: error": (fast_gamma, "SINE_OFF", 2.0**-54, 0.4),
    "fast lgamma, sum of floats: error of the logarithm": (fast_gamma, "LOG_OFF", 2.0**-54, 1.4),
    "fast asinh, sum: error": (fast_hyperbolic, "OFF", 2.0**-54),
    "fast asinh, inside: least sum": (fast_hyperbolic, "LEAST_W", 1.0),
    "fast asinh, inside: greatest sum": (fast_hyperbolic, "MOST_W", 1.0),
    "narrowing sin, reduction: off": (angles, "OFF_STEPS", 2.0**-147),
    "narrowing sin, reduction: top": (angles, "HALF", 0.4999),
    "narrowing sin, distance from steps: least": (angles, "LEAST_STEPS", 2.0**-61.5),
    "narrowing asin, told, angles: bound": (narrowing_inverse, "GIVEN", 2.0**-69.2),
    "narrowing asin, tails: beside": (
        narrowing_inverse,
        "OF_RADIANS",
        dataclasses.replace(narrowing_inverse.OF_RADIANS, off=2.0**-156),
    ),
    "narrowing asin, sums: share": (narrowing_inverse, "SHARE", 2.0**-100.9),
    "fast pow, product: error": of_limits(fast_power, product=2.0**-103),
    "fast rootn, quotient: error": of_limits(fast_power, product=2.0**-104),
    "fast pow, reduction: a worse logarithm": of_limits(fast_power, log=2.0**-64),
    "fast pow, power: a worse reduction": of_limits(fast_power, off=2.0**-51),
    "accurate pow, logarithm: error": of_limits(accurate_power, log=2.0**-80.5),
    "accurate pow, product: error": of_limits(accurate_power, product=2.0**-104),
    "accurate pow, reduction: off": of_limits(accurate_power, off=2.0**-118),
    "accurate pow, power: a worse logarithm": of_limits(accurate_power, log=2.0**-79.4),
    "narrowing pow, product: error": of_limits(narrowing_power, product=2.0**-105),
    "narrowing pow, reduction: off": of_limits(narrowing_power, off=2.0**-118),
    "narrowing pow, limits of the power: less counted": of_limits(narrowing_power, counted=2.0**-103.3),
    "narrowing pow, limits of the power: worse bounds": of_limits(narrowing_power, err=2.0**-20),
    "narrowing pow, limits of the power: smaller p": of_limits(narrowing_power, slight=2.0**-60),
    "narrowing tgamma, product: share": of_shares(product=2.0**-105),
    "narrowing tgamma, mirror: share": of_shares(times=2.0**-105),
    "narrowing tgamma, over: share": of_shares(times=2.0**-105),
    **{f"narrowing tgamma, values: {one}": of_shares(**{one: PRODUCT_BOUND}) for one in ("product", "sine", "times")},
}
SMALLER = 2.0**-6  # the false claims are this fraction of the errors that gamma's modules name


def part_of(claim):
    """A new copy of the part of a proof that has to refuse the claim."""
    phase, _, rest = claim.partition(": ")[0].partition(" ")
    name, _, wanted = rest.partition(", ")
    return next(part for part in PROOFS[phase, name](name) if part.name == wanted)


@pytest.mark.slow
@for_each("claim", [*OF_MODULES][::6])
def test_a_false_claim_of_a_module_is_refused(claim):
    refused(claim)


@pytest.mark.exhaustive
@for_each("claim", OF_MODULES)
def test_every_false_claim_of_a_module_is_refused(claim):
    refused(claim)


def refused(claim):
    module, name, value, *at = OF_MODULES[claim]
    value = getattr(module, name) * SMALLER if value == SMALLER else value
    right = part_of(claim)
    pieces = right.pieces() if right.name.startswith("distance") else pieces_of(right, *at)
    assert faults.is_refused_with((module, name, value), lambda: part_of(claim), pieces, right)


# by both checkers

SHORT = {"fast exp, power": (0, 0.3466, 0.34665), "accurate exp, power": (77, 0.0013, 0.0013125)}  # j and a cell
FAULTS = {
    "accurate exp, power: growth of the bound": faults.constant(accurate.GROWTH, accurate.GROWTH * 0.4),
    "accurate exp, power: negative bound": faults.both(
        faults.constant(accurate.LEAST, -accurate.LEAST), faults.constant(accurate.GROWTH, -accurate.GROWTH)
    ),
    "accurate exp, power: coefficient": faults.raised(accurate.EXP_TAIL[1], 30),
    "accurate exp, power: entry": faults.entry(accurate.EXP2_HI, 77),
    "accurate exp, power: exponent": faults.integer(8, 7),
    "fast exp, power: bound": faults.constant(fast.BOUND, fast.BOUND * 0.3),
    "fast exp, power: coefficient": faults.raised(fast.EXP_SLOPE[1], 30),
    "fast exp, power: power of two": faults.integer(1023, 1024),
}


def subinterval_of(part, where):
    """The subinterval of a cell, and the cell's ends."""
    j, low, high = SHORT[where]
    return next(s for s in part.over if s.j == j and s.low <= low <= s.high), low, high


def is_accepted(part, where, q=3):
    """Whether the independent checker accepts a part's lemma on the cell."""
    s, *ends = subinterval_of(part, where)
    try:
        kernel = check.Traced(part.traced.program, part.traced.tables)
        return check.share(kernel, part.statement(s), ends, check.Case(q)) <= 1
    except (check.Undecided, AssertionError, AttributeError, KeyError, IndexError):
        return False


@functools.cache
def is_true_by_both(where):
    """Whether prover and checker both accept the claim for the unchanged kernel."""
    right = part_of(where)
    return is_accepted(right, where) and not prove(right, [subinterval_of(right, where)]).failed


@pytest.mark.slow
@for_each("fault", FAULTS)
def test_a_false_kernel_is_refused_by_both(fault):
    where = fault.partition(":")[0]
    right = part_of(where)
    assert is_true_by_both(where)
    wrong = faults.altered(right, FAULTS[fault])
    assert faults.is_refused(wrong, right, [subinterval_of(right, where)])
    assert not is_accepted(wrong, where)


CLAIMS = {
    "accurate exp, power: more is left": {"d": within(2.0**-50)},
    "accurate exp, power: r_lo is larger": {"r_lo": within(2.0**-20)},
    "accurate exp, power: tiny arguments": {"tiny": True},
    "fast exp, power: more is left": {"d": within(2.0**-40)},
}


@pytest.mark.slow
@for_each("claim", CLAIMS)
def test_a_false_claim_is_refused_by_both(claim):
    where = claim.partition(":")[0]
    right = part_of(where)
    wrong = dataclasses.replace(right, assume=lambda s: {**dict(right.statement(s).assume), **CLAIMS[claim]})
    assert faults.is_refused(wrong, right, [subinterval_of(right, where)])
    assert not is_accepted(wrong, where)


@pytest.mark.slow
def test_powers_beyond_all_doubles_are_refused():
    right = part_of("fast exp, power")
    wrong = dataclasses.replace(right, powers=(-2000, 2000))
    assert faults.is_refused(wrong, right, [subinterval_of(right, "fast exp, power")])


def test_bounds_of_special_arguments_are_found(monkeypatch):
    monkeypatch.setattr(narrowing_trigonometric, "SPECIAL", ({"finite": True}, {"finite": False}))
    with pytest.raises(LookupError, match="special arguments"):
        narrowing_trigonometric.LEMMAS["sin"]("sin")
