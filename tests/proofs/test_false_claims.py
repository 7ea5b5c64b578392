"""Claims that are false are refused: better bounds, grids and distances than kernels have, by the prover and twice."""

from __future__ import annotations

import dataclasses
import functools

import pytest

pytest.importorskip("flint")

from clmath.kernels.double import exponential as double
from clmath.kernels.fine import gamma as fine_gamma
from clmath.kernels.quick import exponential as quick
from proofs.accurate import boundaries, roots_refined, trigonometric_refined
from proofs.accurate import power as accurate_power
from proofs.engine.proof import prove
from proofs.families import (
    double_angles,
    double_gamma,
    double_roots,
    gamma,
    inverse_hyperbolic,
    narrowed_angles,
    narrowed_arcs,
    narrowed_gamma,
    residuals,
    second_gamma,
)
from proofs.fast import power as fast_power
from proofs.fast import power_refined
from proofs.registry import PROOFS
from proofs.terms import within
from tests.cases import for_each
from tests.proofs import faults, second_lemmas
from tests.proofs.second_checker import Undecided
from tests.proofs.test_faults_in_kernels import pieces_of


def of_limits(module, **changes):
    """The limits of the lemmas of powers with others: too much asked, or too little given."""
    return module, "LIMITS", dataclasses.replace(module.LIMITS, **changes)


# claims that a module makes for all parts of its proofs: where it shows, the module, the name and a value too good
OF_MODULES = {
    "double sin, reduction: off by words": (double_angles, "_OFF_STEPS", 2.0**-96),
    "double sin, reduction: smaller part": (double_angles, "_SMALLER", 2.0**-45),
    "double sin, reduction: grid by words": (double_angles, "_GRID", -40),
    "double sin, reduction, ordinary: off by pieces": (double_angles, "_OFF", 2.0**-127),
    "double sin, reduction, ordinary: third": (double_angles, "_THIRD", 2.0**-42),
    "double sin, reduction, ordinary: fourth": (double_angles, "_FOURTH", 2.0**-73),
    "double sin, reduction, ordinary: grid by pieces": (double_angles, "_GRID_NEAR", -60),
    "double sin, angle, ordinary: room": (double_angles, "_ROOM", 2.0**-125.5),
    "double sin, angle: rest": (double_angles, "_REST", (2.0**-54, 2.0**-74)),
    "double sin, distance: least": (double_angles, "LEAST", 2.0**-60),
    "double hypot, squares: rest of a square": (double_roots, "_SQUARE_REST", 2.0**-53),
    "double hypot, sum: rest of the sum": (double_roots, "_REST", 2.0**-52),
    "double cbrt, near: away": (double_roots, "_AWAY", 2.0**-36),
    "double cbrt, near: lower part": (double_roots, "_LOWER", 2.0**-18),
    "double cbrt, near: upper part": (double_roots, "_UPPER", 0.45),
    "double cbrt, cubes: second product": (double_roots, "_SECOND", 2.0**-14),
    "double cbrt, cubes: third product": (double_roots, "_THIRD", 2.0**-33),
    "double cbrt, cubes: rounding of the third product": (double_roots, "_OFF_THIRD", 2.0**-87),
    "double cbrt, missed: rounding": (double_roots, "_ROUNDED", 2.0**-85),
    "double rsqrt, roots: less missed by the product": (residuals, "MISSED", 2.0**-54, 1.5),
    "double rsqrt, roots: less missed by the square": (residuals, "MISSED_SQUARE", 2.0**-52, 1.5),
    "double rsqrt, roots: shorter second parts": (residuals, "_SECOND", 2.0**-27, 1.5),
    "double rsqrt, roots: coarser first part": (residuals, "_GRIDS", (-24, -52, -27, -53), 1.5),
    "double rsqrt, roots: coarser second part": (residuals, "_GRIDS", (-25, -51, -27, -53), 1.5),
    "double rsqrt, roots: shorter parts": (residuals, "_SHORT", 25, 1.5),
    "double cbrt, second: roundings": (boundaries, "ROUNDINGS", 2.0**-54),
    "double cbrt, sum: what the series leaves out": (boundaries, "SERIES", 2.0**-28),
    "double pow, natural logarithm: error": (accurate_power, "OFF_LOGARITHM", 2.0**-104),
    "double hypot, product of the rest: size": (roots_refined, "LARGEST_PRODUCT", 2.0**51),
    "double sin, reduction, refined: off": (trigonometric_refined, "OFF_STEPS", 2.0**-147),
    "double tan, distance from steps: least": (trigonometric_refined, "LEAST_STEPS", 2.0**-61.5),
    "quick cbrt, short: size": (power_refined, "SHORTENED", 1.99),
    "quick pow, rounded: distance of the value": (power_refined, "NEAR", 2.0**-25),
    "double tgamma, pieces: error near a centre": (double_gamma, "PIECE_NEAR_ERROR", 2.0**-6, 1.032),
    "double lgamma, series: off": (double_gamma, "STIRLING_OFF", 2.0**-6, 16.1),
    "double tgamma, sines: off": (double_gamma, "SINE_OFF", 2.0**-6, 3e-7),
    "double lgamma, sines: off": (double_gamma, "SINE_OF_PI_OFF", 2.0**-6, 0.477),
    "double tgamma, quotients: off": (double_gamma, "QUOTIENT_OFF", 2.0**-6, 1.1),
    "double tgamma, reduction: off": (double_gamma, "REDUCED_OFF", 2.0**-6, 600.0),
    "double tgamma, pieces: second": (double_gamma, "SECOND", 2.0**-6, 1.25),
    "double lgamma, logarithms of sums: error": (second_gamma, "RATIO_ERROR", 2.0**-6, 0.1),
    "double lgamma, sines over pi: error": (second_gamma, "SINE_CLOSER", 2.0**-6, 3e-7),
    "quick lgamma, arguments: error of the base": (gamma, "BASE_OFF", 2.0**-54, 1.4),
    "quick lgamma, sines: error": (gamma, "SINE_OFF", 2.0**-54, 0.4),
    "quick lgamma, sum of floats: error of the logarithm": (gamma, "LOG_OFF", 2.0**-54, 1.4),
    "quick asinh, sum: error": (inverse_hyperbolic, "OFF", 2.0**-54),
    "quick asinh, inside: least sum": (inverse_hyperbolic, "LEAST", 1.0),
    "quick asinh, inside: greatest sum": (inverse_hyperbolic, "GREATEST", 1.0),
    "fine sin, reduction: off": (narrowed_angles, "OFF_STEPS", 2.0**-147),
    "fine sin, reduction: top": (narrowed_angles, "TOP", 0.4999),
    "fine sin, distance from steps: least": (narrowed_angles, "LEAST_STEPS", 2.0**-61.5),
    "fine asin, told, angles: bound": (narrowed_arcs, "TOLD", 2.0**-69.2),
    "fine asin, tails: beside": (narrowed_arcs, "BESIDE", (2.0**-156, 2.0**-104)),
    "fine asin, sums: share": (narrowed_arcs, "SHARE", 2.0**-100.9),
    "quick pow, product: error": of_limits(fast_power, product=2.0**-103),
    "quick rootn, quotient: error": of_limits(fast_power, product=2.0**-104),
    "quick pow, reduction: a worse logarithm": of_limits(fast_power, log=2.0**-64),
    "quick pow, power: a worse reduction": of_limits(fast_power, off=2.0**-51),
    "double pow, logarithm: error": of_limits(accurate_power, log=2.0**-80.5),
    "double pow, product: error": of_limits(accurate_power, product=2.0**-104),
    "double pow, reduction: off": of_limits(accurate_power, off=2.0**-118),
    "double pow, power: a worse logarithm": of_limits(accurate_power, log=2.0**-79.4),
}
SMALLER = 2.0**-6  # of errors that gamma's modules have by name: so much of them is claimed
# contracts between the parts of a power: too much asked, or too little given
OF_CONTRACTS = {
    "fine pow, product: error": {"product": 2.0**-105},
    "fine pow, reduction: off": {"off": 2.0**-118},
}


def part_of(claim):
    """The part of a proof, anew, that has to refuse it."""
    rung, _, rest = claim.partition(": ")[0].partition(" ")
    name, _, wanted = rest.partition(", ")
    return next(part for part in PROOFS[rung, name](name) if part.name == wanted)


def of_family(part, **changes):
    """The part, with these said of its family."""
    return dataclasses.replace(part, family=dataclasses.replace(part.family, **changes))


@pytest.mark.slow
@for_each("claim", OF_MODULES)
def test_a_false_claim_of_a_module_is_refused(claim):
    module, name, value, *at = OF_MODULES[claim]
    value = getattr(module, name) * SMALLER if value == SMALLER else value
    right = part_of(claim)
    pieces = right.pieces() if right.name.startswith("distance") else pieces_of(right, *at)
    assert faults.is_refused_with((module, name, value), lambda: part_of(claim), pieces, right)


@pytest.mark.slow
@for_each("claim", OF_CONTRACTS)
def test_a_contract_that_asks_too_much_is_refused(claim):
    part = part_of(claim)
    wrong = of_family(part, contracts=dataclasses.replace(part.family.contracts, **OF_CONTRACTS[claim]))
    assert faults.is_refused(wrong, part, pieces_of(part))


@pytest.mark.slow
@pytest.mark.parametrize("part", ["product", "mirror", "over"])
def test_shares_of_fine_gamma_that_ask_too_much_are_refused(part):
    claim, field = f"fine tgamma, {part}: share", "product" if part == "product" else "times"
    right, shares = part_of(claim), dataclasses.replace(narrowed_gamma._SHARES, **{field: 2.0**-105})
    claimed = narrowed_gamma, "_SHARES", shares
    assert faults.is_refused_with(claimed, lambda: part_of(claim), pieces_of(right), right)


@pytest.mark.slow
@pytest.mark.parametrize("field", ["product", "sine", "times"])
def test_shares_that_the_bound_has_no_room_for_are_refused(field):
    right = part_of("fine tgamma, values: shares")
    shares = dataclasses.replace(narrowed_gamma._SHARES, **{field: fine_gamma.PRODUCT_BOUND})
    assert faults.is_refused_with((narrowed_gamma, "_SHARES", shares), lambda: right, pieces_of(right), right)


# by both checkers

SHORT = {"quick exp, power": (0, 0.3466, 0.34665), "double exp, power": (77, 0.0013, 0.0013125)}  # j and a cell
FAULTS = {
    "double exp, power: growth of the bound": faults.constant(double.GROWTH, double.GROWTH * 0.4),
    "double exp, power: negative bound": faults.both(
        faults.constant(double.LEAST, -double.LEAST), faults.constant(double.GROWTH, -double.GROWTH)
    ),
    "double exp, power: coefficient": faults.raised(double.EXP_TAIL[1], 30),
    "double exp, power: entry": faults.entry(double.EXP2_HI, 77),
    "double exp, power: exponent": faults.integer(8, 7),
    "quick exp, power: bound": faults.constant(quick.BOUND, quick.BOUND * 0.3),
    "quick exp, power: coefficient": faults.raised(quick.EXP_SLOPE[1], 30),
    "quick exp, power: power of two": faults.integer(1023, 1024),
}


def subinterval_of(part, where):
    """The subinterval of a cell, and the cell's ends."""
    j, low, high = SHORT[where]
    return next(s for s in part.over if s.j == j and s.low <= low <= s.high), low, high


def is_accepted(part, where, q=3):
    """Whether the independent checker accepts what a lemma says of the cell."""
    s, *ends = subinterval_of(part, where)
    try:
        return second_lemmas.share(part.traced, part.statement(s), *ends, q=q) <= 1
    except (Undecided, AssertionError, AttributeError, KeyError, IndexError):
        return False


@functools.cache
def is_true_by_both(where):
    """Whether both say so of the kernel as it is."""
    right = part_of(where)
    return is_accepted(right, where) and not prove(right, 1, [subinterval_of(right, where)]).failed


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
    "double exp, power: more is left": {"d": within(2.0**-50)},
    "double exp, power: r_lo is larger": {"r_lo": within(2.0**-20)},
    "double exp, power: tiny arguments": {"tiny": True},
    "quick exp, power: more is left": {"d": within(2.0**-40)},
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
    right = part_of("quick exp, power")
    wrong = dataclasses.replace(right, powers=(-2000, 2000))
    assert faults.is_refused(wrong, right, [subinterval_of(right, "quick exp, power")])
