"""What Hypothesis makes of the built-ins with the most cases: fma, and the remainders of numbers that are related."""

import math
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from clmath.direct import operators, remainders
from clmath.numbers.formats import DOUBLE, FORMATS
from clmath.numbers.rounding import round_real
from clmath.testing.strategies import doubles, numbers, rounding_modes


@given(st.sampled_from(FORMATS), st.data(), rounding_modes())
def test_fma_is_the_exact_sum_rounded(form, data, mode):
    finite = numbers(form, allow_nan=False, allow_infinity=False)
    a, b, c = (np.array([data.draw(finite)], form.dtype) for _ in range(3))
    exact = Fraction(float(a[0])) * Fraction(float(b[0])) + Fraction(float(c[0]))
    with np.errstate(all="ignore"):
        got = operators.fma(form, mode, a, b, c)[0]
    if exact:
        assert form.bits(got[0]) == form.bits(round_real(exact, form, mode))
    else:
        negative = math.copysign(1.0, float(a[0])) * math.copysign(1.0, float(b[0])) < 0.0
        alike = a[0] * b[0] == 0.0 and negative == bool(np.signbit(c[0]))
        assert got[0] == 0.0
        assert bool(np.signbit(got[0])) == (negative if alike else mode == "rtn")


@given(doubles(allow_nan=False, allow_infinity=False), doubles(allow_nan=False, allow_infinity=False))
def test_fmod_is_what_python_says(x, y):
    with np.errstate(all="ignore"):
        got = remainders.fmod(DOUBLE, "rte", np.array([x]), np.array([y]))[0]
    want = math.fmod(x, y) if y else math.nan
    assert DOUBLE.bits(got[0]) == DOUBLE.bits(want) or (got[0] != got[0] and want != want)
