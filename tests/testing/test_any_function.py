"""Functions that OpenCL lacks are tested against references: faults are found, correct functions pass."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest

import clmath
from clmath.errors import DTypeError, RangeError, UnknownNameError
from clmath.testing import conformance_test
from tests.cases import for_each


def softmax(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def log_sum_exp(x):
    most = x.max(axis=-1)
    return most + np.log(np.exp(x - most[..., np.newaxis]).sum(axis=-1))


def exact_softmax(x):
    powers = [mp.exp(v) for v in x]
    return [power / mp.fsum(powers) for power in powers]


def exact_variance(x):
    mean = mp.fsum(x) / len(x)
    return mp.fsum((v - mean) ** 2 for v in x) / len(x)


ERF = np.vectorize(math.erf, otypes=[np.float64])
SIGMOID = {"reference": lambda x: 1 / (1 + mp.exp(-x)), "domain": (-50, 50), "limit": 4}
SOFTPLUS = {"reference": lambda x: mp.log1p(mp.exp(x)), "domain": (-700, 700), "limit": 4}
GELU = {"reference": lambda x: x * (1 + mp.erf(x / mp.sqrt(2))) / 2, "domain": (-5, 50), "limit": 4, "absolute": 1e-15}
SOFTMAX = {"reference": exact_softmax, "domain": (-50, 50), "limit": 200, "signature": "(n)->(n)"}
LOG_SUM = {
    "reference": lambda x: mp.log(mp.fsum(map(mp.exp, x))),
    "domain": (-1000, 1000),
    "limit": 4,
    "absolute": 1e-12,
    "signature": "(n)->()",
}
VARIANCE = {
    "reference": exact_variance,
    "domain": (1000, 1001),
    "limit": 1000,
    "absolute": 1e-11,
    "signature": "(n)->()",
}
HYPOT = {"reference": mp.hypot, "domain": [(-1e300, 1e300), (-1e300, 1e300)], "limit": 2}
CUBE = {"reference": lambda x: x**3, "domain": (-1e90, 1e90), "limit": 2}
SINC = {"reference": lambda x: mp.sin(x) / x if x else mp.mpf(1), "domain": (-30, 30), "limit": 6, "absolute": 1e-16}
SQUARE_ROOT = {"reference": mp.sqrt, "domain": (0, 1e30), "correctly_rounded": True, "types": ["float"]}
EXP_OF_SINGLE = {"reference": mp.exp, "domain": (-110, 90), "limit": 1, "types": [np.float32]}
COSH = {"reference": lambda x: mp.cosh(x) - 1, "domain": (-1, 1), "limit": 8}


def sinc(x):
    return np.where(x == 0, 1.0, np.sin(x) / np.where(x == 0, 1.0, x))


RIGHT = {
    "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), SIGMOID),
    "softplus": (lambda x: np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0), SOFTPLUS),
    "gelu": (lambda x: x * (1 + ERF(x / np.sqrt(2))) / 2, GELU),
    "softmax": (softmax, SOFTMAX),
    "logsumexp": (log_sum_exp, LOG_SUM),
    "variance": (lambda x: x.var(axis=-1), VARIANCE),
    "hypot": (np.hypot, HYPOT),
    "cube": (lambda x: x * x * x, CUBE),
    "sinc": (sinc, SINC),
    "root": (np.sqrt, SQUARE_ROOT),
    "exp of float": (lambda x: np.exp(x.astype(np.float64)).astype(np.float32), EXP_OF_SINGLE),
    "cosh - 1": (lambda x: 2 * np.sinh(x / 2) ** 2, COSH),
}
WRONG = {
    "sigmoid is 1 too early": (lambda x: np.where(x > 30, 1.0, 1 / (1 + np.exp(-x))), SIGMOID),
    "sigmoid near an integer": (lambda x: np.where(x == 7, 0.999, 1 / (1 + np.exp(-x))), SIGMOID),
    "softplus loses small values": (lambda x: np.log(1 + np.exp(np.minimum(x, 700))), SOFTPLUS),
    "gelu of the hyperbolic tangent": (lambda x: x * (1 + np.tanh(0.797885 * (x + 0.044715 * x**3))) / 2, GELU),
    "softmax without its shift": (
        lambda x: np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True),
        {**SOFTMAX, "domain": (0, 800)},
    ),
    "softmax over the first axis": (lambda x: softmax(x.T).T, SOFTMAX),
    "logsumexp overflows": (lambda x: np.log(np.exp(x).sum(axis=-1)), LOG_SUM),
    "variance of squares": (lambda x: (x * x).mean(axis=-1) - x.mean(axis=-1) ** 2, VARIANCE),
    "hypot overflows": (lambda x, y: np.sqrt(x * x + y * y), HYPOT),
    "cube in single": (lambda x: (x.astype(np.float32) ** 3).astype(np.float64), {**CUBE, "domain": (-100, 100)}),
    "sinc of zero": (lambda x: np.sin(x) / x, SINC),
    "root by one step": (lambda x: ((r := np.sqrt(x) * np.float32(1 + 2**-13)) + x / r) / np.float32(2), SQUARE_ROOT),
    "subnormal powers are flushed": (lambda x: np.where(x < -87.4, np.float32(0), np.exp(x)), EXP_OF_SINGLE),
    "cosh - 1 by a difference": (lambda x: np.cosh(x) - 1, COSH),
    "results that are kept": (lambda x, kept=[]: kept or kept.append(x**3) or kept[0], CUBE),
    "a last block": (lambda x: np.where(np.arange(x.size).reshape(x.shape) < 99_999, x**3, 0.0), CUBE),
    "another type": (lambda x: (x**3).astype(np.float32), CUBE),
    "a list": (lambda x: [v**3 for v in x], CUBE),
}


@pytest.mark.slow
@for_each("name", RIGHT)
def test_correct_functions_pass(name):
    function, asked = RIGHT[name]
    conformance_test(function, **asked)()


@pytest.mark.slow
@for_each("name", WRONG)
def test_wrong_functions_fail(name):
    function, asked = WRONG[name]
    with pytest.raises(AssertionError):
        conformance_test(function, **asked)()


def test_failure_names_simple_calls_share_limit_and_replay():
    def sigmoid(x):
        return np.where(x > 30, 1.0, 1 / (1 + np.exp(-x)))

    with pytest.raises(AssertionError) as caught:
        conformance_test(sigmoid, **SIGMOID)()
    first, *others, count, limit, replay = str(caught.value).splitlines()
    assert first.startswith(
        "sigmoid(0x1p+5 = 32.0) [0x4040000000000000]: got 0x1p+0 = 1.0 [0x3ff0000000000000], want 0x1.fff"
    )
    assert first.endswith("ulp)")
    assert others
    assert " results fail, by up to " in count
    assert limit == "limit: 4 ulp"
    assert (
        replay == "replay: import numpy as np; print(sigmoid(np.array([0x4040000000000000], 'uint64').view('float64')))"
    )


def test_reference_that_depends_on_precision_is_refused():
    with pytest.raises(RangeError, match="gives other leading digits with 16384 bits"):
        conformance_test(np.sin, reference=lambda x: mp.sin(x) * mp.mp.prec, limit=4)()


@for_each(
    "asked, error, message",
    [
        ({}, RangeError, "reference= needs a bound: give limit=4"),
        ({"limit": 4, "correctly_rounded": True}, RangeError, "leave out one of them"),
        ({"limit": 4, "name": "sin"}, RangeError, "leave out one of them"),
        ({"limit": 4, "domain": (1, 1)}, RangeError, "is not a pair of ends"),
        ({"limit": 4, "domain": "-1..1"}, RangeError, "is not a pair of ends"),
        ({"limit": 4, "reference": lambda x, y: x + y, "domain": [(0, 1)]}, RangeError, "1 pairs of ends"),
        ({"limit": 4, "types": ["int"]}, UnknownNameError, "types"),
        ({"limit": 4, "signature": "(n)->(m)"}, UnknownNameError, "signature"),
        ({"limit": 4, "reference": 3}, DTypeError, "cannot be called"),
    ],
)
def test_wrong_options_of_a_test_by_reference_are_refused(asked, error, message):
    with pytest.raises(error, match=message):
        conformance_test(np.sin, **{"reference": mp.sin, **asked})


@for_each(
    "function, reference",
    [
        (clmath.tgamma, mp.gamma),  # raises at its poles
        (clmath.log, mp.log),  # complex below zero
        (clmath.exp, mp.exp),  # the exponent of exp(1e308) has 308 digits
        (clmath.cbrt, lambda x: Fraction(str(mp.nstr(mp.sign(x) * mp.cbrt(abs(x)), 60)))),
    ],
)
def test_references_with_poles_complex_and_enormous_values(function, reference):
    conformance_test(function, reference=reference, domain=None, limit=1, types=["half"])()


@for_each(
    "reference, domain",
    [
        (lambda x: 1 / (x - x), (-1, 1)),  # raises for all numbers
        (mp.sin, (1.0001, 1.0002)),  # an interval without a half
    ],
)
def test_domain_without_judged_results_is_refused(reference, domain):
    with pytest.raises(RangeError, match="nothing can be judged"):
        conformance_test(np.sin, reference=reference, domain=domain, limit=4, types=["half"])()


def test_vectors_of_all_numbers_are_tested():
    conformance_test(lambda x: x.max(axis=-1), reference=max, domain=None, signature="(n)->()", limit=0.5)()
