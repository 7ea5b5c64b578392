"""Each kind of limit, tested on values computed by hand."""

from fractions import Fraction

import numpy as np
import pytest

from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS, HALF
from clmath.numbers.rounding import MODES, Enclosure, enclosed, round_real
from clmath.spec.limits import Limit, limit, parse
from tests.accepting import within
from tests.cases import for_each


def exactly(values):
    """Return an enclosure (of arrays) of exact values."""
    parts = [enclosed(v) if isinstance(v, Fraction) else Enclosure.of(np.float64(v)) for v in values]
    return Enclosure(*(np.array([p[i] for p in parts]) for i in range(4)))


def judged(criteria, args, exact, actual, form=FLOAT, mode="rte", **more):  # noqa: PLR0917 - facts of a call
    """Return whether a limit allows each result; arguments and results are lists, exact values floats or Fractions."""
    arrays = tuple(np.asarray(a) if np.asarray(a).dtype.kind == "i" else np.asarray(a, form.dtype) for a in args)
    enclosure = exact if isinstance(exact, Enclosure) else exactly(exact)
    result = np.asarray(actual, form.dtype)
    return within(criteria, arrays, enclosure, result, form, mode, **more).tolist()


def written(text, *parameters):
    return Limit(text, "a test", parameters, parse(text, "a test"))


ULP = 2.0**-23  # of floats in (1, 2)


def test_ulps_are_measured_before_rounding():
    exact = Fraction(3, 2) + Fraction(1, 4) * Fraction(2) ** -23
    results = [1.5 + 4 * ULP, 1.5 + 5 * ULP, 1.5 - 3 * ULP, 1.5 - 4 * ULP]
    assert judged(written("4 ulp", "x"), [[1.0] * 4], [exact] * 4, results) == [True, False, True, False]


def test_infinity_and_nan_pass_only_if_expected():
    criteria = written("8192 ulp", "x")
    inf, nan = np.inf, np.nan
    exact, actual = [inf, inf, nan, nan, 1.0, inf], [inf, -inf, nan, 1.0, nan, FLOAT.largest]
    assert judged(criteria, [[1.0] * 6], exact, actual) == [True, False, True, False, False, False]


@for_each("form", FORMATS)
@for_each("mode", MODES)
def test_correctly_rounded_requires_equality_in_the_mode(form, mode):
    criteria = written("correctly rounded", "x")
    third = Fraction(-1, 3)
    right = round_real(third, form, mode)
    away = [right, np.nextafter(right, form.dtype.type(-1)), np.nextafter(right, form.dtype.type(0))]
    assert judged(criteria, [[1.0] * 3], [third] * 3, away, form, mode) == [True, False, False]


def test_correctly_rounded_refuses_half_an_ulp():
    tie = Fraction(1) + Fraction(2) ** -24  # midpoint of two floats
    assert judged(written("correctly rounded", "x"), [[1.0] * 2], [tie] * 2, [1.0, 1.0 + ULP]) == [True, False]


@pytest.mark.parametrize("text", ["correctly rounded", "0 ulp"])
def test_exact_results_require_the_sign_of_zero(text):
    assert judged(written(text, "x"), [[1.0] * 4], [0.0, 0.0, -0.0, -0.0], [0.0, -0.0, 0.0, -0.0]) == [
        True,
        False,
        False,
        True,
    ]


@pytest.mark.parametrize(
    "text, allowed", [("2n ulp", 6.0), ("1 + n ulp", 4.0), ("0.25 + 0.5n ulp", 1.75), ("8192 + n ulp", 8195.0)]
)
def test_limit_grows_with_the_width(text, allowed):
    criteria = written(text, "p")
    vectors = np.ones((2, 3), np.float32)
    exact = exactly([1.5, 1.5])
    assert criteria.bound((vectors,), exact, FLOAT).tolist() == [allowed, allowed]
    near, far = 1.5 + np.floor(allowed) * ULP, 1.5 + (np.floor(allowed) + 1) * ULP
    assert judged(criteria, [vectors], exact, [near, far]) == [True, False]


def test_limit_grows_with_the_argument():
    criteria = written("3 + floor(|2x|) ulp", "x")
    x = np.array([0.4, -0.6, 10.3], np.float32)
    assert criteria.bound((x,), exactly([1.5] * 3), FLOAT).tolist() == [3.0, 4.0, 23.0]


def test_limit_of_ulps_and_a_relative_error():
    """The relative part is a small fraction of an ulp for subnormals, and zero for infinities."""
    criteria = written("4 ulp + relative 2^-12", "p")
    exact = exactly([1.5, 2.0**-140, np.inf])
    assert criteria.bound((np.ones((3, 2), np.float32),), exact, FLOAT).tolist() == [4 + 1.5 * 2.0**11, 4.125, 4.0]
    far = 1.5 + 3076 * ULP
    assert judged(criteria, [np.ones((2, 2))], [1.5, 1.5], [far, far + ULP]) == [True, False]
    assert limit("length", FLOAT).text.endswith(criteria.text)


def test_limit_is_absolute_on_an_interval_and_ulps_elsewhere():
    criteria = limit("log", FLOAT, "relaxed")
    small = 2.0**-30  # near x = 1, 2^-21 is many ulps of log x
    arguments = [[1.0, 1.0, 3.0, 3.0]]
    exact, actual = [small, small, 1.5, 1.5], [small + 2.0**-21, small + 2.0**-20, 1.5 + 3 * ULP, 1.5 + 2.0**-21]
    assert judged(criteria, arguments, exact, actual) == [True, False, True, False]


@pytest.mark.parametrize("name, border", [("sin", np.pi), ("cospi", 1.0)])
def test_any_result_passes_outside_the_interval(name, border):
    criteria = limit(name, FLOAT, "relaxed")
    x = [border * 0.99, border * 0.99, -border * 1.01]
    assert judged(criteria, [x], [0.5] * 3, [0.5 + 2.0**-11, 0.5 + 2.0**-10, 7.0]) == [True, False, True]


def test_division_has_a_limit_between_powers_of_two():
    criteria = limit("div", FLOAT, "relaxed")
    x, y = [2.0**62, -(2.0**62), 2.0**63, 1.0], [1.0, 1.0, 1.0, 2.0**-63]
    exact = [2.0**62, -(2.0**62), 2.0**63, 2.0**63]
    assert judged(criteria, [x, y], exact, [1.0] * 4) == [False, False, True, True]


def test_dot_of_half_has_an_absolute_limit():
    criteria = limit("dot", HALF)
    p0, p1 = np.array([[8.0, 1.0, 0.0]] * 2), np.array([[0.5, -4.0, 3.0]] * 2)
    tolerance = 8 * 8 * (2 * 3 - 1) * 2.0**-10  # max * max * (2n - 1) * HALF_EPSILON = 0.3125
    assert judged(criteria, [p0, p1], [0.0, 0.0], [tolerance, tolerance * 1.01], HALF) == [True, False]


def test_nan_passes_if_the_limit_is_relative_to_nan():
    vectors = np.array([[np.nan, np.nan]]), np.array([[np.nan, np.nan]])
    criteria = written("absolute max * max * 3 * EPSILON", "p0", "p1")
    assert judged(criteria, vectors, [np.nan], [np.nan], HALF) == [True]
    assert judged(criteria, vectors, [np.nan], [1.0], HALF) == [False]


def test_cross_of_half_has_an_absolute_limit_per_component():
    criteria = limit("cross", HALF)
    p0, p1 = np.array([[2.0, 1.0, 0.0]]), np.array([[0.5, -4.0, 3.0]])
    tolerance = 4 * 4 * 3 * 2.0**-10
    exact = Enclosure.of(np.array([[3.0, -6.0, -8.5]]))
    near = np.array([[3.0 + 0.04, -6.0, -8.5 - 0.04]])
    assert 0.04 < tolerance < 0.06
    assert judged(criteria, [p0, p1], exact, near, HALF) == [[True, True, True]]
    assert judged(criteria, [p0, p1], exact, near + np.array([[0, 0.06, 0]]), HALF) == [[True, False, True]]


def by_fractions(a, b, c, form, mode):
    """Return a rounded product plus a number, rounded."""
    product = round_real(Fraction(float(a)) * Fraction(float(b)), form, mode)
    return round_real(Fraction(float(product)) + Fraction(float(c)), form, mode)


@for_each("form", [FLOAT, DOUBLE])
@for_each("mode", MODES)
def test_mad_may_be_fused_or_not(form, mode):
    criteria = limit("mad", form)
    rng = np.random.default_rng(7)
    a, b = (rng.uniform(1, 2, 50).astype(form.dtype) for _ in "ab")
    c = -(a * b).astype(form.dtype) * form.dtype.type(1 + form.eps * 3)
    exact = [Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z)) for x, y, z in zip(a, b, c, strict=True)]
    fused = [round_real(e, form, mode) for e in exact]
    twice = [by_fractions(x, y, z, form, mode) for x, y, z in zip(a, b, c, strict=True)]
    assert sum(f != t for f, t in zip(fused, twice, strict=True)) > 25
    assert all(judged(criteria, [a, b, c], exact, fused, form, mode))
    assert all(judged(criteria, [a, b, c], exact, twice, form, mode))
    neither = [np.nextafter(max(f, t), form.dtype.type(9)) for f, t in zip(fused, twice, strict=True)]
    assert not any(judged(criteria, [a, b, c], exact, neither, form, mode))


@pytest.mark.parametrize("form", [FLOAT, DOUBLE], ids=str)
def test_mad_of_infinities_and_overflowing_products(form):
    criteria = limit("mad", form)
    big, inf = form.largest, np.inf
    args = [[inf, big, big], [2.0, 2.0, 2.0], [1.0, -inf, -big]]
    # the third result is the largest number if fused; otherwise the product overflows
    exact = Enclosure.of(np.array([inf, -inf, big]))
    assert judged(criteria, args, exact, [inf, np.nan, inf], form) == [True, True, True]
    assert judged(criteria, args, exact, [1.0, inf, -inf], form) == [False, False, False]


def test_quotient_of_remquo_requires_seven_lower_bits_and_the_sign():
    criteria = limit("remquo", FLOAT)
    x, y = np.array([1000.0, -1000.0, 1000.0, 1000.0, 256.0, -256.0, -5.0], np.float32), np.ones(7, np.float32)
    exact = np.array([1000, -1000, 1000, 1000, 256, -256, -5], np.int32)
    actual = np.array([1000 & 127, -(1000 & 127), 1000 & 63, -(1000 & 127), 0, 0, 5], np.int32)
    verdict = within(criteria, (x, y), exact, actual, FLOAT)
    assert verdict.tolist() == [True, True, False, False, True, True, False]  # a zero has no sign


@pytest.mark.parametrize("name", ["frexp", "ilogb", "lgamma_r"])
def test_other_integer_results_must_be_equal(name):
    criteria = limit(name, DOUBLE)
    x, exact = np.ones(2), np.array([1, -1], np.int32)
    assert within(criteria, (x,), exact, np.array([1, 1], np.int32), DOUBLE).tolist() == [True, False]


def test_any_result_of_lgamma_passes():
    assert judged(limit("lgamma", FLOAT), [[1.0]], [1.0], [5.0]) == [True]


@pytest.mark.parametrize(
    "name, args, passes",
    [
        ("clamp", [[1.0, 1.0], [3.0, 0.0], [2.0, 2.0]], [True, False]),
        ("max", [[np.inf, 1.0], [0.0, 2.0]], [True, False]),
        ("min", [[0.0, 1.0], [np.nan, 2.0]], [True, False]),
        ("half_sin", [[65537.0, 65536.0]], [True, False]),
        ("half_powr", [[-1.0, 2.0], [1.0, 1.0]], [True, False]),
    ],
)
def test_any_result_passes_for_undefined_arguments(name, args, passes):
    criteria = limit(name, FLOAT)
    assert criteria.undefined
    exact = Enclosure.of(np.array([0.25, 0.25]))
    assert judged(criteria, args, exact, [77.0, 77.0]) == passes


def test_fast_normalize_may_return_a_short_vector_unchanged():
    criteria = limit("fast_normalize", FLOAT)
    short = 2.0**-64
    p = np.array([[short, 0.0], [short, 0.0], [2.0**64, 0.0], [3.0, 0.0], [3.0, 0.0]])
    exact = Enclosure.of(np.array([[1.0, 0.0]] * 5))
    # ulp(1) is the distance to its lower neighbour, ULP / 2
    actual = [[short, 0.0], [0.5, 0.0], [9.0, 9.0], [1.0 + 4096 * ULP, 0.0], [1.0 + 4097 * ULP, 0.0]]
    wanted = [[True, True], [False, True], [True, True], [True, True], [False, True]]
    assert judged(criteria, [p], exact, actual) == wanted


def test_alternative_of_a_derived_formula_is_allowed():
    criteria = limit("expm1", FLOAT, "relaxed")
    assert judged(criteria, [[1.0] * 2], [1.5] * 2, [1.5 + 8192 * ULP, 1.5 + 8193 * ULP]) == [True, False]
    without = limit("acosh", FLOAT, "relaxed")
    exact = np.arccosh(2.0)
    assert judged(without, [[2.0] * 3], [exact] * 3, [exact, 1.3169582, 99.0]) == [True, True, False]


def test_derived_pow_and_rootn_may_return_zero_at_zero():
    # table 37: for x = 0 derived implementations return zero
    assert judged(limit("pow", FLOAT, "relaxed"), [[0.0] * 3, [-1.0] * 3], [np.inf] * 3, [0.0, np.inf, 1.0]) == [
        True,
        True,
        False,
    ]
    integers = np.array([3], np.int32)
    criteria = limit("rootn", FLOAT, "relaxed")
    assert judged(criteria, [[-0.0], integers], [-0.0], [0.0], zero_sign="not judged") == [True]


def test_bound_is_nan_zero_or_infinite_for_limits_without_a_number():
    one = (np.ones(1, np.float32),)
    assert np.isnan(limit("ceil", FLOAT).bound(one, exactly([1.0]), FLOAT)).all()
    assert limit("fabs", FLOAT).bound(one, exactly([1.0]), FLOAT).tolist() == [0.0]
    assert limit("native_exp", FLOAT).bound(one, exactly([1.0]), FLOAT).tolist() == [np.inf]
    absolute = limit("sin", FLOAT, "relaxed").bound(one, exactly([0.75]), FLOAT)
    assert absolute.tolist() == [2.0**-11 / 2.0**-24]  # ulp(0.75) = 2^-24


def test_large_absolute_limit_is_applied_exactly():
    """The limit stays finite although it is far above the exact value, whose ulp is tiny."""
    criteria, size = written("absolute max * max * (2n - 1) * EPSILON", "p0", "p1"), 2.0**400
    tolerance = 2.0**748  # size * size * 2^-52
    results = [tolerance, -tolerance, np.nextafter(tolerance, np.inf), -5e-324, FLOAT.largest, np.inf]
    vectors = np.full((6, 1), size), np.zeros((6, 1))
    for exact, at_the_end in ((0.0, [True, True]), (5e-324, [True, False]), (-5e-324, [False, True])):
        found = within(criteria, vectors, Enclosure.of(np.full((6, 1), exact)), np.array([results]).T, DOUBLE)
        assert found[:, 0].tolist() == [*at_the_end, False, True, True, False]
