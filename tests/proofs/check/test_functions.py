"""Exact functions of the independent checker, against MPFR."""

from __future__ import annotations

from fractions import Fraction

import gmpy2
import pytest

from proofs.check.forms import ONE, Form, number
from proofs.check.functions import FUNCTIONS
from proofs.check.kernels import BUILT_INS
from tests.cases import for_each
from tests.proofs.check.cells import SIZES, cell

PI = gmpy2.const_pi(600)
EXACT = {
    **{name: getattr(gmpy2, name) for name in ("asinh", "acosh", "atanh", "asin", "acos", "atan", "sin", "cos", "tan")},
    **{name: getattr(gmpy2, name) for name in ("cbrt", "hypot", "atan2")},
    "asinpi": lambda x: gmpy2.asin(x) / PI,
    "acospi": lambda x: gmpy2.acos(x) / PI,
    "atanpi": lambda x: gmpy2.atan(x) / PI,
    "atan2pi": lambda y, x: gmpy2.atan2(y, x) / PI,
    "sinpi": lambda x: gmpy2.sin(x * PI),
    "cospi": lambda x: gmpy2.cos(x * PI),
    "tanpi": lambda x: gmpy2.tan(x * PI),
    "tgamma": gmpy2.gamma,
    "lgamma": gmpy2.lngamma,
}
OF_TERMS = {
    **{name: getattr(gmpy2, name) for name in ("exp", "log", "sqrt", "cbrt", "sin", "cos", "atan", "asin", "acos")},
    **{name: getattr(gmpy2, name) for name in ("erf", "erfc", "gamma")},
    "inverse": lambda x: 1 / x,
    "erfcx": lambda x: gmpy2.exp(x * x) * gmpy2.erfc(x),
    "log_gamma": gmpy2.lngamma,
    "log_gamma_1p": lambda x: gmpy2.lngamma(1 + x),
    "gamma_less_pole": lambda x: gmpy2.gamma(x) - 1 / x,
}
UP_TO_1 = {"asin", "acos"}
UP_TO_2 = {"sin", "cos"}


def radius_about(found, wanted):
    """The radius of a form of one number, in which the exact value lies."""
    unit = gmpy2.mpfr(ONE)
    radius = gmpy2.mpfr(found.radius()) / unit
    assert abs(gmpy2.mpfr(found.p[0]) / unit - wanted) <= radius
    return radius


def test_every_function_is_tested():
    assert OF_TERMS.keys() == FUNCTIONS.keys()
    assert EXACT.keys() == BUILT_INS.keys() == {name for name in SIZES if not name.startswith("ordinary")}


@for_each("name", EXACT)
def test_built_ins(name, draw):
    for _ in range(5):
        (low, _), *others = cell(name, draw)
        found = BUILT_INS[name](*map(number, (low, *others)))
        with gmpy2.context(precision=600):
            wanted = EXACT[name](*map(gmpy2.mpfr, (low, *others)))
            allowed = gmpy2.exp2(-150) * max(wanted, 1) if "gamma" in name else gmpy2.exp2(-170)
            assert radius_about(found, wanted) < allowed


@pytest.mark.slow
@for_each("x", [2.0**-40, 0.001, 0.3, 0.99, 1.0, 1.01, 2.7, 6.3, 15.2, 27.3])
@for_each("name", OF_TERMS)
def test_functions_of_terms(name, x):
    """Enclosures hold in the middle of a cell and at a distance from it."""
    if (name in UP_TO_1 and x > 1.0) or (name in UP_TO_2 and x > 2.0) or (name == "erf" and x > 7.0):
        return
    for beside in (0.0,) if x == 1.0 else (0.0, x * 2.0**-50):
        found = FUNCTIONS[name](Form([*number(x).p, int(ONE * beside)]))
        with gmpy2.context(precision=700):
            wanted = OF_TERMS[name](gmpy2.mpfr(x) + beside)
            radius = radius_about(Form([sum(found.p)], found.terms, found.rest), wanted)
            assert radius < gmpy2.exp2(-120) * max(1, abs(wanted))


@for_each("x", [2.0**-60, 7.3, 1e12])
def test_angles_of_all_slopes(x):
    with gmpy2.context(precision=600):
        assert radius_about(FUNCTIONS["atan"](number(Fraction(x))), gmpy2.atan(gmpy2.mpfr(x))) < gmpy2.exp2(-250)
