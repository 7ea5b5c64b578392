"""Proofs of second functions of double's gamma functions: attacked, and with faults planted."""

from __future__ import annotations

import math
import sys

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.certify.certificates import certificate
from clmath.certify.proof import prove
from clmath.certify.proofs import PROOFS, second_gamma
from clmath.kernels.double import gamma, log_gamma
from clmath.kernels.double.exponential import GROWTH, LN2_STEP
from tests.cases import for_each
from tests.certify import planted
from tests.certify.test_double_gamma_proofs import EXACTLY, at, faulty
from tests.certify.test_refining_proofs import compared, negated


def parts(kernel="lgamma"):
    return {part.name: part for part in PROOFS["double", kernel](kernel)}


def arguments(function, draw, count):
    """Those that a function is for, those next to zeros and poles among them."""
    numbers = np.random.default_rng(draw.getrandbits(32))
    if function == "far_tgamma":
        x = np.exp2(numbers.uniform(-200, -30, count))
        return np.concatenate([x, -x])
    if function == "ordinary_tgamma":
        whole = np.repeat(np.arange(-14.0, 16.0), 8)
        near = whole + np.exp2(numbers.uniform(-40, -4, whole.size)) * numbers.choice([-1.0, 1.0], whole.size)
        x = np.concatenate([numbers.uniform(-14.9, 15.9, count), near])
        return x[gamma.is_ordinary_tgamma(x)]
    if function == "far_lgamma":
        return np.exp2(np.concatenate([numbers.uniform(-1070, -200, count), numbers.uniform(300, 1010, count)]))
    if function == "ordinary_lgamma":
        return np.concatenate([np.exp2(numbers.uniform(-200, 300, count)), numbers.uniform(0.0, 20.0, count)])
    zero = numbers.integers(0, log_gamma.ZEROS, count)
    near = log_gamma.ZERO[zero] + log_gamma.ZERO_REACH[zero] * numbers.uniform(-1.0, 1.0, count)
    x = np.concatenate([near, -np.exp2(numbers.uniform(-200, 52, count)), numbers.uniform(-20.0, 0.0, count)])
    return x[x != np.rint(x)]


def found(function, x):
    """The parts of enclosures that it gives, those of the kernel refined."""
    if function == "refined_lgamma":
        return gamma.refined_lgamma(x, *(np.broadcast_to(part, x.shape) for part in gamma.lgamma(x)))
    return getattr(gamma, function)(x)


FUNCTIONS = ["far_lgamma", "ordinary_lgamma", "refined_lgamma", "far_tgamma", "ordinary_tgamma"]


BY_MPFR = {"lgamma": lambda x: gmpy2.lgamma(x)[0], "tgamma": gmpy2.gamma}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_error_is_larger_than_what_is_proven(function, draw):
    x, kernel = arguments(function, draw, 300), function.partition("_")[2]
    hi, lo, err, exponent = (np.broadcast_to(part, x.shape) for part in found(function, x))
    proven = max(part["worst"] for part in certificate("double", kernel)["parts"])
    met = 0.0
    with EXACTLY:
        for i in np.flatnonzero(err > 0.0):
            exact = BY_MPFR[kernel](gmpy2.mpfr(float(x[i]))) * gmpy2.exp2(gmpy2.mpfr(-int(exponent[i])))
            error = abs(gmpy2.mpfr(float(hi[i])) + gmpy2.mpfr(float(lo[i])) - exact)
            met = max(met, float(error / gmpy2.mpfr(float(err[i]))))
    assert 0.0 < met <= proven


# part, the fault, where it has to be seen
FAULTS = {
    "far: bound next to 0": ("far, next to 0", planted.constant(gamma.NEAR_ERROR, gamma.NEAR_ERROR / 2**6), 200.0),
    "far: bound of huge": ("far, huge", planted.constant(gamma.LOG_BOUND, 2.0**-88), 2.0**400 * 1.1),
    "far: log x, not log x - 1": ("far, huge", planted.constant(1.0, 0.0), 2.0**400 * 1.1),
    "far: where huge begins": ("far, huge", planted.constant(2.0**-600, 2.0**-599), 2.0**400 * 1.1),
    "ordinary: limit of the series": ("links, ordinary", planted.constant(16.0, 15.0), 15.5),
    "ordinary: limit of 1 + x": ("links, ordinary", planted.constant(0.5, 0.25), 0.4),
    "ordinary: bound": ("values, ordinary", planted.constant(gamma.LOG_BOUND, gamma.LOG_BOUND / 2), 200.0),
    "ordinary: bound next to 1": ("values, ordinary", planted.constant(gamma.NEAR_BOUND, gamma.NEAR_BOUND / 2), 2**-30),
    "refined: bound": ("values, refined", planted.constant(gamma.CLOSER_ERROR, gamma.CLOSER_ERROR / 2), 0.3),
    "refined: limit of the series": ("links, refined", planted.constant(16.0, 15.5), -14.9),
    "refined: entry of a zero": ("zeros", planted.entry(log_gamma.ZERO_VALUE, 0), 0.0),
    "refined: its second part": ("zeros", planted.entry(log_gamma.ZERO_VALUE_LO, 0, 2**40), 2.0**-50),
    "refined: distance of a pole": ("zeros", planted.entry(log_gamma.ZERO_OFF, 0), 0.001),
    "refined: coefficient": ("zeros", planted.entry(log_gamma.C_1, log_gamma.PIECES), 0.001),
    "refined: bound about zeros": (
        "zeros", planted.constant(log_gamma.SMOOTH_BOUND, log_gamma.SMOOTH_BOUND / 64), 0.007,
    ),
}  # fmt: skip


FAULTS_OF_TGAMMA = {
    "ordinary: bound": (
        "values, ordinary", planted.constant(gamma.ORDINARY_LEAST, gamma.ORDINARY_LEAST / 1.1), 3.0,
    ),
    "ordinary: growth of the bound": ("values, ordinary", planted.constant(GROWTH, GROWTH / 2), 3.0),
    "ordinary: limit of 1 + x": ("links, ordinary", planted.constant(0.5, 0.25), 0.4),
    "ordinary: sign below 0": ("links, ordinary", negated(0), -2.25),
    "ordinary: steps of the reduction": ("reduction, ordinary", planted.raised(LN2_STEP[1], 20), 9.0),
    "far: bound": ("small, far", planted.constant(gamma.SMALL_BOUND, gamma.SMALL_BOUND / 4), 2.0**31),
    "far: slope": ("small, far", planted.constant(gamma.SLOPE_AT_ZERO, gamma.SLOPE_AT_ZERO * 0.9), 2.0**31),
    "far: at zero": ("small, far", planted.constant(gamma.AT_ZERO, gamma.AT_ZERO * (1.0 + 2.0**-30)), 2.0**31),
    "factorials: first": ("others", planted.constant(1.0, 0.75), 0.75),
    "factorials: last": ("others", planted.constant(23.0, 24.0), 23.5),
    "factorials: comparison": ("integers", compared("double.eq", "double.le"), 5.5),
    "factorials: bound that is kept": ("factorials", negated(-1), 0.0),
    "factorials: rest that is kept": ("factorials", negated(-2), 0.0),
}  # fmt: skip


@pytest.mark.slow
@for_each("fault", FAULTS_OF_TGAMMA)
def test_faults_of_tgamma_are_found(fault):
    name, change, where = FAULTS_OF_TGAMMA[fault]
    right = parts("tgamma")[name]
    chosen = at(right, where)
    assert not prove(right, pieces=chosen).failed
    assert planted.is_refused(faulty(right, change), right, chosen)


def test_every_argument_of_tgamma_is_in_a_piece(draw):
    """Ordinary and small ones, and all doubles where factorials are sought."""
    pieces = {name: list(part.pieces()) for name, part in parts("tgamma").items()}

    def has(part, at):
        return any(low <= at <= high for _, low, high in pieces[part])

    ordinary = [*arguments("ordinary_tgamma", draw, 200), -14.5, 0.5, -0.5, math.nextafter(15.9, 0.0)]
    assert all(has("links, ordinary", x) and has("values, ordinary", x) for x in ordinary)
    small = [draw.uniform(1.0, 2.0) * 2.0**n for n in range(-110, -31)] + [2.0**-110, 2.0**-30]
    assert all(has("small, far", sign / x) for x in small for sign in (1.0, -1.0))
    sizes = [draw.uniform(1.0, 2.0) * 2.0**n for n in range(-1074, 1023)]
    sizes += [0.0, 5e-324, 1e308, sys.float_info.max, *(math.nextafter(n, 0.0) for n in range(1, 25))]
    for x in (*sizes, *(-size for size in sizes)):
        assert has("integers", x) or has("others", x)


def test_factorials_are_those_that_doubles_have(draw):
    """Beyond the last none is; next to any x there is no other that comes without a bound."""
    assert all(math.factorial(n - 1) == float(math.factorial(n - 1)) for n in range(1, 24))
    assert math.factorial(23) != float(math.factorial(23))
    whole = np.arange(1.0, 27.0)
    x = np.concatenate([whole, np.nextafter(whole, 0.0), np.nextafter(whole, 99.0), whole + draw.random()])
    hi, lo, err, exponent = gamma.refined_tgamma(x, *gamma.tgamma(x))
    is_factorial = (x <= 23.0) & (x == np.rint(x))
    assert np.array_equal(err == 0.0, is_factorial)
    values = np.ldexp(hi, exponent)[is_factorial]
    assert values.tolist() == [math.factorial(int(n) - 1) for n in x[is_factorial]]
    assert not lo[is_factorial].any()


@pytest.mark.slow
@for_each("fault", FAULTS)
def test_faults_are_found(fault):
    name, change, where = FAULTS[fault]
    right = parts()[name]
    chosen = [piece for piece in at(right, where) if name != "zeros" or piece[0] == 0][-3:]
    assert not prove(right, pieces=chosen).failed
    assert planted.is_refused(faulty(right, change), right, chosen)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("contract", "name", "where"),
    [("RATIO_ERROR", "logarithms of sums", 0.1), ("SINE_CLOSER", "sines over pi", 3e-7)],
)
def test_smaller_errors_of_parts_are_refused(contract, name, where):
    part = parts()[name]
    chosen, smaller = at(part, where)[:1], getattr(second_gamma, contract) / 64.0
    assert not prove(part, pieces=chosen).failed
    assert planted.is_refused_with((second_gamma, contract, smaller), lambda: parts()[name], chosen)
