"""Devices that round twice, or take a root of a negative number, are blamed whatever the seed; right ones are not."""

import numpy as np
import pytest

import clmath
from clmath.audit.plan.plan import Plan
from clmath.audit.running.run import audit
from clmath.audit.subjects.function import Function
from clmath.numbers.formats import FLOAT, FORMATS, HALF
from tests.cases import for_each

WIDER = {HALF: np.float32, FLOAT: np.float64}


def verdict_on(subject, name, form, **options):
    (verdict,) = audit(Plan.of([name], [form], jobs=1, **options), Function(subject, "subject"))
    return verdict


def through_wider(_, a, b, c):
    wider = WIDER[next(f for f in WIDER if f.dtype == a.dtype)]
    with np.errstate(all="ignore"):
        return (a.astype(wider) * b.astype(wider) + c.astype(wider)).astype(a.dtype)


@pytest.mark.slow
@for_each("seed", [2, 3, 4, 5])
@for_each("form", WIDER)
def test_fma_through_a_wider_format(form, seed):
    assert verdict_on(through_wider, "fma", form, seed=seed, inputs=0).status == "fail"


def in_two_steps(_, x, n):
    """Two factors of about the same size: the first product may be subnormal already."""
    half = n // 2
    return clmath.ldexp(clmath.ldexp(x, np.int32(half)), np.int32(n - half))


def by_factors(_, x, n):
    """The last factor is 2^-8 at least, after a product that may be subnormal already."""
    last = np.clip(n, -8, 8).astype(np.int32)
    return clmath.ldexp(clmath.ldexp(x, n - last), last)


@for_each("form", FORMATS)
@for_each("subject", [in_two_steps, by_factors])
def test_ldexp_in_two_steps(subject, form):
    assert verdict_on(subject, "ldexp", form, inputs=0).status == "fail"


def real_root(_, x, y):
    """As cbrt and its like go on below zero."""
    result = clmath.pow(x, y)
    third = np.abs(y - y.dtype.type(1.0) / y.dtype.type(3.0)) < 1e-3
    with np.errstate(all="ignore"):
        return np.where(third & (x < 0) & np.isfinite(x), -clmath.pow(-x, y), result)


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_a_root_of_a_negative_number(form):
    verdict = verdict_on(real_root, "pow", form, inputs=0)
    assert verdict.status == "fail"
    assert verdict.reason.startswith("pow(x, y) = NaN for finite x < 0 and non-integer y")


@for_each("form", FORMATS)
@for_each("name", ["fma", "mad", "ldexp", "pow", "sqrt", "mul", "div", "add", "fdim"])
def test_the_right_result_is_not_blamed(name, form):
    def right(_, *args):
        return getattr(clmath, name)(*args)

    verdict = verdict_on(right, name, form, inputs=0)
    assert verdict.status == ("not judged" if verdict.left_open else "pass")
    assert verdict.left_open == (name == "mad" and form is HALF)  # implementation-defined


def signalling(x):
    quiet = 1 << np.finfo(x.dtype).nmant - 1
    bits = x.view(f"u{x.dtype.itemsize}")
    return np.isnan(x) & ((bits & bits.dtype.type(quiet)) == 0)


@pytest.mark.slow
@for_each("form", FORMATS)
@for_each("name", ["fmax", "pow", "hypot"])
def test_nan_for_a_signalling_nan_is_not_blamed(name, form):
    """4.2: signalling NaN need not be supported; IEEE 754-2008 has fmax(x, sNaN) = NaN, C99 has x."""

    def of_2008(_, x, y):
        met = signalling(x) | signalling(y)
        return np.where(met, x.dtype.type(np.nan), getattr(clmath, name)(x, y))

    def any_nan(_, x, y):
        return np.where(np.isnan(x) | np.isnan(y), x.dtype.type(np.nan), getattr(clmath, name)(x, y))

    assert verdict_on(of_2008, name, form, inputs=0).status == "pass"
    assert verdict_on(any_nan, name, form, inputs=0).status == "fail"
