"""Values computed by hand, for both oracles; tests/spec/test_special_value_tables.py has the specification's."""

from math import inf, nan

import numpy as np
import pytest

from clmath import reference
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS, HALF
from clmath.numbers.rounding import MODES
from tests.cases import for_each

INT_MAX, INT_MIN = 2**31 - 1, -(2**31)
EXPECTED = [
    ("acospi", (-1.0,), 1.0),
    ("acospi", (0.0,), 0.5),
    ("asinpi", (-1.0,), -0.5),
    ("atanpi", (1.0,), 0.25),
    ("atan2pi", (-1.0, -1.0), -0.75),
    ("cospi", (3.0,), -1.0),
    ("distance", ((inf,), (inf,)), nan),
    ("fmod", (-6.0, 3.0), -0.0),
    ("fract", (-3.0,), (0.0, -3.0)),
    ("fract", (-0.25,), (0.75, -1.0)),
    ("frexp", (12.0,), (0.75, 4)),
    ("ilogb", (10.0,), 3),
    ("length", ((inf, nan),), nan),
    ("lgamma_r", (nan,), (nan, 1)),
    ("maxmag", (-3.0, 2.0), -3.0),
    ("maxmag", (-2.0, 2.0), 2.0),
    ("minmag", (-2.0, 2.0), -2.0),
    ("nextafter", (0.0, -0.0), -0.0),
    ("pown", (-1.0, INT_MIN), 1.0),
    ("recip", (-0.0,), -inf),
    ("remainder", (-6.0, 3.0), -0.0),
    ("remquo", (11.0, -4.0), (-1.0, -3)),
    ("remquo", (-1023.0, 2.0), (1.0, 0)),
    ("rint", (2.5,), 2.0),
    ("rootn", (-inf, -3), -0.0),
    ("rootn", (-8.0, -3), -0.5),
    ("rsqrt", (-0.0,), -inf),
    ("sinpi", (1.5,), -1.0),
    ("smoothstep", (0.0, 1.0, 0.5), 0.5),
    ("tanpi", (0.25,), 1.0),
    ("tanpi", (-1.25,), -1.0),
]


def _same(got, want):
    if isinstance(want, int):
        return got == want
    return np.isnan(got) if np.isnan(want) else (got == want and np.signbit(got) == np.signbit(want))


@for_each("form", FORMATS)
@for_each("oracle", ["mpfr", "mpmath"])
@for_each("name, args, want", EXPECTED)
def test_values_without_a_prescription_are_right(name, args, want, oracle, form):
    for mode in MODES:
        got = reference.rounded(name, args, form, mode, oracle)
        pairs = zip(got, want, strict=True) if isinstance(want, tuple) else [(got, want)]
        assert all(_same(g, w) for g, w in pairs), (mode, got)


SUMS = [
    ("add", (1.0, -1.0)),
    ("add", (0.0, -0.0)),
    ("sub", (1.0, 1.0)),
    ("sub", (-0.0, -0.0)),
    ("fma", (2.0, 3.0, -6.0)),
    ("fma", (0.0, -1.0, 0.0)),
    ("mad", (2.0, 3.0, -6.0)),
    ("dot", ((1.0, 2.0), (2.0, -1.0))),
    ("dot", ((0.0, 0.0, 0.0), (-1.0, 1.0, -1.0))),
    ("mix", (1.0, 3.0, -0.5)),
    ("mix", (-0.0, -0.0, 0.5)),
    ("mix", (0.0, 0.0, 0.5)),
]


@for_each("oracle", ["mpfr", "mpmath"])
@for_each("name, args", SUMS)
def test_zero_sum_of_opposite_terms_is_negative_only_in_rtn(name, args, oracle):
    for form in FORMATS:
        signs = {mode: np.signbit(reference.rounded(name, args, form, mode, oracle)) for mode in MODES}
        assert signs == dict(rte=False, rtz=False, rtp=False, rtn=True), str(form)


SIGNED = [
    ("add", (-0.0, -0.0), True),
    ("sub", (-0.0, 0.0), True),
    ("sub", (0.0, -0.0), False),
    ("mul", (-0.0, 1.0), True),
    ("fma", (-0.0, 1.0, -0.0), True),
    ("fdim", (1.0, 1.0), False),
    ("dot", ((-0.0, -0.0), (1.0, 1.0)), True),
    ("mix", (0.0, 0.0, -0.5), False),
    ("mix", (-0.0, -0.0, -0.5), True),
    ("fract", (2.0,), False),
    ("remainder", (-4.0, 2.0), True),
    ("log", (1.0,), False),
    ("expm1", (-0.0,), True),
    ("cospi", (0.5,), False),
]


@for_each("oracle", ["mpfr", "mpmath"])
@for_each("name, args, negative", SIGNED)
def test_other_zeros_have_one_sign_in_every_mode(name, args, negative, oracle):
    for form in FORMATS:
        got = [reference.rounded(name, args, form, mode, oracle) for mode in MODES]
        got = [g[0] if isinstance(g, tuple) else g for g in got]
        assert [(g == 0.0, np.signbit(g)) for g in got] == [(True, negative)] * 4, str(form)


def test_cross_has_a_fourth_component_of_zero_and_signed_zeros():
    got = reference.rounded("cross", ((1.0, 0.0, 0.0, 5.0), (0.0, 1.0, 0.0, 6.0)), FLOAT, "rtn")
    assert [(float(g), bool(np.signbit(g))) for g in got] == [(0.0, True), (0.0, True), (1.0, False), (0.0, False)]


@for_each("oracle", ["mpfr", "mpmath"])
@for_each("form, nancode, bits", [(HALF, 0x123, 0x7F23), (FLOAT, 0x1234, 0x7FC01234), (DOUBLE, 7, 0x7FF8 << 48 | 7)])
def test_nan_has_its_code_as_payload(form, nancode, bits, oracle):
    assert form.bits(reference.rounded("nan", (nancode,), form, "rte", oracle)) == bits


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_fract_stays_below_one_in_every_mode(form):
    for mode in MODES:
        value, whole = reference.rounded("fract", (-form.smallest_subnormal,), form, mode)
        assert (float(value), float(whole)) == (1.0 - form.eps / 2, -1.0)


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_ldexp_by_extreme_ints_overflows_or_underflows_by_the_mode(form):
    got = {m: float(reference.rounded("ldexp", (-1.0, INT_MIN), form, m)) for m in MODES}
    assert got == dict(rte=-0.0, rtz=-0.0, rtp=-0.0, rtn=-form.smallest_subnormal)
    got = {m: float(reference.rounded("ldexp", (1.0, INT_MAX), form, m)) for m in MODES}
    assert got == dict(rte=inf, rtz=form.largest, rtp=inf, rtn=form.largest)


def test_nextafter_and_step_treat_both_zeros_as_equal():
    assert np.signbit(reference.rounded("nextafter", (0.0, -0.0), HALF, "rte"))
    assert reference.rounded("nextafter", (-0.0, 1.0), FLOAT, "rte") == np.float32(2.0**-149)
    assert reference.rounded("nextafter", (0.0, -1.0), DOUBLE, "rte") == -5e-324
