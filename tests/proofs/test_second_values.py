"""Whole kernels by the second checker, which knows nothing of how they are proven; and that it sees what is wrong."""

from __future__ import annotations

import functools
import math
from dataclasses import replace
from fractions import Fraction

import gmpy2
import pytest

pytest.importorskip("flint")

from clmath.ir.program import Statement, Value
from proofs.registry import PROOFS
from tests.cases import for_each
from tests.proofs import faults, second_lemmas, second_sums, second_values

SIZES = {  # functions, and how large arguments are
    **dict.fromkeys(("asinh", "cbrt"), (0.01, 1000.0)),
    "acosh": (1.1, 1000.0),
    "atanh": (0.01, 0.99),
    **dict.fromkeys(("asin", "acos", "asinpi", "acospi"), (0.05, 0.95)),
    **dict.fromkeys(("atan", "atanpi"), (0.05, 30.0)),
    **dict.fromkeys(("hypot", "atan2", "atan2pi"), (0.1, 10.0)),
    **dict.fromkeys(("sinpi", "cospi", "tanpi"), (0.01, 0.24)),
    **dict.fromkeys(("sin", "cos", "tan"), (0.1, 1.3)),
    "tgamma": (0.1, 160.0),
    "lgamma": (0.1, 15.0),
    "ordinary tgamma": (0.1, 15.5),
    "ordinary lgamma": (0.1, 100.0),
}
GAMMA = {name: "values" + ", ordinary" * name.startswith("ordinary") for name in SIZES if "gamma" in name}  # parts
TWO = {"hypot", "atan2", "atan2pi"}
POSITIVE = {
    "acosh",
    "hypot",
    "acos",
    "acospi",
    "sin",
    "cos",
    "tan",
    *GAMMA,
}  # encodings of negative numbers are not known to it
KERNELS = [name for name in SIZES if name not in {"sin", "cos", "tan", "sinpi", "cospi", "tanpi"}]
BITS = 50  # cells are 2^-50 of their arguments long


def function_of(name):
    """The built-in."""
    return name.removeprefix("ordinary ")


@functools.cache
def kernel_of(name):
    """The trace of an accurate kernel."""
    parts = PROOFS["accurate", function_of(name)](function_of(name))
    if name in GAMMA:
        return next(part.traced for part in parts if part.name == GAMMA[name])
    return next(part.traced for part in parts if len(part.traced.program.inputs) == 1 + (name in TWO))


def cell(name, draw):
    """A short one, and the other argument."""
    low, high = SIZES[name]
    at = math.exp(draw.uniform(math.log(low), math.log(high)))
    unit = math.ldexp(1.0, math.frexp(at)[1] - BITS)
    ends = math.floor(at / unit) * unit, (math.floor(at / unit) + 1) * unit
    if name not in POSITIVE and draw.random() < 0.5:
        ends = -ends[1], -ends[0]
    return (*ends, draw.uniform(low, high)) if name in TWO else ends


@pytest.mark.slow
@for_each("name", KERNELS)
def test_values_are_verified_again(name, draw):
    for _ in range(2):
        where = cell(name, draw)
        found = second_values.share_by_doubles(kernel_of(name), function_of(name), *where, taken=None)
        assert 0 < found <= 1, (where, float(found))


# that it sees what is wrong


def with_a_small_bound(traced):
    """2^-40 of the bound."""
    program, (kind, err) = traced.program, traced.program.outputs[2]
    last = Value(len(program.inputs) + len(program.statements))
    smaller = Statement("double", "double.mul", (err, faults.double(2.0**-40)))
    outputs = (*program.outputs[:2], (kind, last), *program.outputs[3:])
    return replace(traced, program=replace(program, statements=(*program.statements, smaller), outputs=outputs))


@pytest.mark.slow
@for_each("name", ["asinh", "atan2"])
def test_a_bound_that_is_too_small_is_seen(name, draw):
    """On one of a few cells: an error may happen to be small."""
    wrong = with_a_small_bound(kernel_of(name))
    assert any(is_seen(wrong, name, cell(name, draw)) for _ in range(4))


def is_seen(wrong, name, where):
    try:
        return second_values.share(wrong, function_of(name), *where, taken=None) > 1
    except second_values.Undecided:
        return True


@pytest.mark.slow
@pytest.mark.parametrize(("name", "other"), [("asinh", "atan"), ("asin", "atanh")])
def test_values_of_another_function_are_refused(name, other, draw):
    assert second_values.share(kernel_of(name), other, *cell("asin", draw), taken=None) > 1


PI = gmpy2.const_pi(600)
EXACT = {
    "asinh": gmpy2.asinh,
    "acosh": gmpy2.acosh,
    "atanh": gmpy2.atanh,
    "asin": gmpy2.asin,
    "acos": gmpy2.acos,
    "atan": gmpy2.atan,
    "sin": gmpy2.sin,
    "cos": gmpy2.cos,
    "tan": gmpy2.tan,
    "cbrt": gmpy2.cbrt,
    "hypot": gmpy2.hypot,
    "atan2": gmpy2.atan2,
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


@for_each("x", [2.0**-40, 0.001, 0.3, 1.0, 2.7, 6.3, 15.2, 27.3])
@for_each("name", ["erf", "erfcx"])
def test_the_second_checker_knows_error_functions(name, x):
    """By MPFR, in the middle of a cell and beside."""
    exact = {"erf": gmpy2.erf, "erfcx": lambda y: gmpy2.exp(y * y) * gmpy2.erfc(y)}[name]
    for beside in (0.0, 2.0**-30) if name == "erfcx" or x < 7.0 else ():
        middle = second_values.exact(Fraction(x)).p[0]
        found = second_lemmas.FUNCTIONS[name](second_values.Form([middle, int(second_values.ONE * beside)]))
        value = second_values.Form([sum(found.p)], found.terms, found.rest)
        with gmpy2.context(precision=3000, emin=-20000, emax=20000):
            unit = gmpy2.mpfr(second_values.ONE)
            radius = gmpy2.mpfr(value.radius()) / unit
            assert abs(gmpy2.mpfr(value.p[0]) / unit - exact(gmpy2.mpfr(x) + beside)) <= radius < gmpy2.exp2(-200)


@for_each("name", EXACT)
def test_the_second_checker_knows_functions(name, draw):
    """By MPFR."""
    for _ in range(5):
        low, _, *others = cell(name, draw)
        found = second_values.FUNCTIONS[name](*(second_values.exact(Fraction(one)) for one in (low, *others)))
        with gmpy2.context(precision=600):
            unit = gmpy2.mpfr(second_values.ONE)
            wanted = EXACT[name](*(gmpy2.mpfr(one) for one in (low, *others)))
            assert abs(gmpy2.mpfr(found.p[0]) / unit - wanted) <= gmpy2.mpfr(found.radius()) / unit
            allowed = gmpy2.exp2(-150) * max(wanted, 1) if name in GAMMA else gmpy2.exp2(-170)
            assert gmpy2.mpfr(found.radius()) / unit < allowed


def test_arc_tangents_of_the_second_checker():
    """Against MPFR."""
    for x in (2.0**-60, 0.001, 0.3, 0.99, 1.0, 1.01, 7.3, 1e12):
        found = second_sums.arctangent(second_sums.exact(x))
        with gmpy2.context(precision=600):
            away = abs(gmpy2.mpfr(found.p[0]) / gmpy2.mpfr(second_sums.ONE) - gmpy2.atan(gmpy2.mpfr(x)))
            assert away <= gmpy2.mpfr(found.radius()) / gmpy2.mpfr(second_sums.ONE)
            assert away < gmpy2.exp2(-250)
