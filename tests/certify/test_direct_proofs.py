"""Proofs of quick kernels on cells of their arguments: faults that they find, and errors that kernels make."""

from __future__ import annotations

from dataclasses import replace

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.certify.certificates import certificate
from clmath.certify.proof import prove
from clmath.certify.proofs import direct
from clmath.kernels.quick import error_function, exponential, hyperbolic, power
from clmath.kernels.quick import inverse_trigonometric as arcs
from tests.cases import for_each
from tests.certify import concrete, planted

EXACTLY = gmpy2.context(precision=400, emin=-5000, emax=5000)
FUNCTIONS = {
    **{name: getattr(gmpy2, name) for name in ("expm1", "sinh", "cosh", "tanh", "asin", "acos", "atan", "erf", "erfc")},
    "rsqrt": gmpy2.rec_sqrt,
    "asinpi": lambda x: gmpy2.asin(x) / gmpy2.const_pi(),
    "acospi": lambda x: gmpy2.acos(x) / gmpy2.const_pi(),
    "atanpi": lambda x: gmpy2.atan(x) / gmpy2.const_pi(),
}


def part_of(kernel):
    (found,) = direct.quick_parts(kernel)
    return found


BOUNDS = {  # and an argument where the proof needs more than half of it
    "expm1": (exponential.EXPM1_BOUND, 2.203125),
    "sinh": (hyperbolic.GROWTH_BOUND, 3.46875),
    "cosh": (hyperbolic.GROWTH_BOUND, -0.18185),
    "tanh": (hyperbolic.TANH_BOUND, -0.0009768),
    "asin": (arcs.ASIN_BOUND, 0.00781248),
    "asinpi": (arcs.ASIN_BOUND, 1.7857937353e-13),
    "acos": (arcs.ACOS_BOUND, 0.99999767541886),
    "acospi": (arcs.ACOS_BOUND, 0.999968945980),
    "atan": (arcs.ATAN_BOUND, 0.0090332),
    "atanpi": (arcs.ATAN_BOUND, -0.0078125),
    "rsqrt": (power.RSQRT_BOUND, 4.7223665e21),
    "erf": (error_function.ERF_BOUND, 0.4770400227),
    "erfc": (error_function.ERFC_BOUND, 0.765626),
}
FAULTS = {
    **{f"{name}: bound halved": (name, at, planted.halved(bound)) for name, (bound, at) in BOUNDS.items()},
    "expm1: first coefficient": ("expm1", 0.2, planted.raised(exponential.EXPM1_TAIL[0], 48)),
    "expm1: last coefficient": ("expm1", 0.249, planted.raised(exponential.EXPM1_TAIL[-1], 1)),
    "expm1: coefficient": ("expm1", 1.0, planted.raised(exponential.EXP_TAIL[0], 33)),
    "expm1: logarithm of 2": ("expm1", 3.0, planted.raised(exponential.LN2_HI, 40)),
    "sinh: first coefficient": ("sinh", 0.9, planted.raised(hyperbolic.SINH_TAIL[0], 48)),
    "sinh: last coefficient": ("sinh", 0.99, planted.raised(hyperbolic.SINH_TAIL[-1], 1)),
    "cosh: no rest of the logarithm of 2": ("cosh", 40.0, planted.constant(exponential.LN2_LO, 0.0)),
    "cosh: half of a sum": ("cosh", 2.0, planted.raised(0.5, 50)),
    "tanh: second coefficient": ("tanh", 0.9, planted.raised(hyperbolic.SINH_TAIL[1], 42)),
    "tanh: 2": ("tanh", 2.0, planted.raised(2.0, 46)),
    "asin: first coefficient": ("asin", 0.6, planted.raised(arcs.ATAN_TAIL[0], 25)),
    "asinpi: 1/pi": ("asinpi", 0.3, planted.raised(arcs.ONE_OVER_PI_HI, 50)),
    "acos: pi/2": ("acos", 0.3, planted.raised(arcs.HALF_PI_HI, 50)),
    "acos: angle one place up": ("acos", 0.9, planted.entry(arcs.ATAN_HI, 31, 1 << 2)),
    "acospi: no rest of 1/pi": ("acospi", 0.3, planted.constant(arcs.ONE_OVER_PI_LO, 0.0)),
    "atan: step between angles": ("atan", 0.5, planted.raised(0.015625, 50)),
    "atan: no rest of pi/2": ("atan", 20.0, planted.constant(arcs.HALF_PI_LO, 2.0**-50)),
    "atanpi: second coefficient": ("atanpi", 0.24, planted.raised(arcs.ATAN_TAIL[1], 10)),
    "rsqrt: 1": ("rsqrt", 3.0, planted.raised(1.0, 50)),
    "erf: coefficient of a piece": ("erf", 0.5, planted.entry(error_function.ERF_OVER_X[1], 32, 1 << 20)),
    "erf: head of a piece": ("erf", 0.5, planted.entry(error_function.ERF_OVER_X[0], 32, 1 << 2)),
    "erfc: coefficient of a piece": ("erfc", 2.0, planted.entry(error_function.SCALED_ERFC[1], 64, 1 << 20)),
    "erfc: power of two": ("erfc", 2.0, planted.entry(exponential.EXP2_HI, 29, 1 << 4)),
}


def around(part, at):
    """Its pieces with an argument, or next to it."""
    return [piece for piece in part.pieces() if piece[1] <= at <= piece[2]]


@pytest.mark.slow
@for_each("fault", FAULTS)
def test_faults_are_found(fault):
    kernel, at, change = FAULTS[fault]
    part = part_of(kernel)
    wrong = replace(part, traced=change(part.traced))
    assert planted.is_refused(wrong, part, around(part, at))


@for_each("kernel", direct.NAMES)
def test_nothing_is_found_there_without_faults(kernel):
    part = part_of(kernel)
    places = {at for name, at, _ in FAULTS.values() if name == kernel}
    for at in places:
        pieces = around(part, at)
        assert pieces
        assert not prove(part, pieces=pieces).failed


@for_each("kernel", direct.NAMES)
def test_no_error_is_larger_than_what_is_proven(kernel, draw):
    """Where there is a bound: 0 says that the value only tells on which side of a number the result is."""
    part, rng = part_of(kernel), np.random.default_rng(5)
    (proven,) = [one["worst"] for one in certificate("quick", kernel)["parts"]]
    for _, low, high in draw.sample(list(part.pieces()), 10):
        x = np.concatenate([rng.uniform(low, high, 100), [low, high]]).astype(np.float32).astype(np.float64)
        x = x[(x >= low) & (x <= high)]
        value, err = concrete.outputs(part.traced, concrete.values(part.traced, x))
        with EXACTLY:
            exact = [FUNCTIONS[kernel](gmpy2.mpfr(one)) for one in x]
            errors = [float(abs(gmpy2.mpfr(v) - y)) for v, y in zip(value, exact, strict=True)]
        assert np.all((np.array(errors) <= proven * err) | (err == 0.0))
