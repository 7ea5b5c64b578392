"""Special values: notation, cases, expected results, and every prescription against the reference."""

import itertools
import re
from collections import Counter

import numpy as np
import pytest

from clmath import errors, reference
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounding import MODES, Enclosure, round_enclosure
from clmath.spec import editions
from clmath.spec.builtins import builtin, builtins
from clmath.spec.special_values import flushing_special_values, not_results, parse, special_values
from tests.accepting import allowed_by
from tests.builtins import Case, inputs
from tests.cases import for_each

EVERY = [special for name in builtins() for special in special_values(name)]
FLUSHING = flushing_special_values("nextafter")
PAIRS = [
    pytest.param(special, form, id=f"{special.text}, {form}")
    for special in EVERY
    for form in builtin(special.name).formats
]

# number of lines in OpenCL C++ 1.0, 4.5.1, by built-in
LINES = {
    "acospi": 2, "asinpi": 2, "atan2pi": 11, "atanpi": 2, "ceil": 1, "cospi": 3, "distance": 1, "exp10": 3, "fdim": 2,
    "fmod": 1, "fract": 6, "frexp": 2, "length": 1, "lgamma_r": 1, "nextafter": 2, "normalize": 4, "pow": 1, "pown": 5,
    "powr": 11, "remquo": 1, "rint": 1, "rootn": 6, "round": 1, "sinpi": 4, "tanpi": 6, "trunc": 1,
}  # fmt: skip
# further prescriptions for lines that need several: zeros and negative integers; number of infinities; three cases
SPLIT = {"lgamma_r": 1, "normalize": 3, "remquo": 3}
# number of prescriptions in ISO/IEC 9899:TC2, F.9.1.1 to F.9.5.4, by built-in
C99 = {
    "acos": 2, "asin": 2, "atan": 2, "atan2": 11, "cos": 2, "sin": 2, "tan": 2, "acosh": 3, "asinh": 2, "atanh": 3,
    "cosh": 2, "sinh": 2, "tanh": 2, "exp": 3, "exp2": 3, "expm1": 3, "log": 4, "log10": 4, "log1p": 4, "log2": 4,
    "logb": 2, "cbrt": 2, "hypot": 4, "pow": 18, "erf": 2, "erfc": 2, "lgamma": 5, "tgamma": 4,
}  # fmt: skip


def named(lines):
    return Counter(re.match(r"\w+", line)[0] for line in lines)


def test_table_has_every_line_of_4_5_1():
    table = editions.table(editions.DEFAULT, "special_values.toml")["OpenCL C++ 1.0, 4.5.1"]
    assert sum(LINES.values()) == 81
    assert named(table["special_values"] + table["not_results"]) == Counter(LINES) + Counter(SPLIT)
    assert len(not_results()) == 3


def test_table_has_the_four_alternatives_of_4_5_3():
    sources = Counter(special.source for special in FLUSHING)
    assert sources == {"OpenCL C++ 1.0, 4.5.3": 4, "OpenCL C++ 1.0, 3.19.6 and 4.2": 2}  # two for either zero


@for_each("name", C99)
def test_table_has_every_special_case_of_annex_f(name):
    numbered = [special for special in special_values(name) if re.search(r"F\.9\.[1-5]\.\d+$", special.source)]
    assert len(numbered) == C99[name]


def test_built_ins_without_special_values_are_known():
    without = {name for name in builtins() if not special_values(name)}
    free = {name for name in builtins() if name.startswith(("native_", "half_"))}
    operators = {"add", "sub", "mul", "div", "recip", "mad"}
    others = {"degrees", "radians", "mix", "dot", "distance", "fast_distance", "fast_length"}
    assert without == free | operators | others


def test_unknown_name_is_refused():
    with pytest.raises(errors.UnknownNameError, match="did you mean 'atan2pi'"):
        special_values("atan2pl")


@for_each("special, form", PAIRS)
def test_cases_of_a_special_value_match_its_condition(special, form):
    cases = special.cases(form)
    assert len(cases[0]) > 0
    assert special.matches(cases, form).all()
    for array, parameter in zip(cases, builtin(special.name).inputs, strict=True):
        assert array.dtype == {"intn": np.int32, "nancode": form.bits_dtype}.get(parameter.type, form.dtype)


def truth(special, cases, form):
    """Return the exact results for the cases of a special value."""
    args = [element for a in cases for element in (np.ascontiguousarray(a.T) if builtin(special.name).widths else [a])]
    return reference.enclose(special.name, args, form)


def in_mode(special, exact, form, mode):
    """Return exact results rounded in a mode."""
    rounded = [round_enclosure(e, form, mode)[0] if isinstance(e, Enclosure) else e for e in exact]
    return (np.stack(rounded, axis=-1),) if len(rounded) > len(builtin(special.name).outputs) else tuple(rounded)


@for_each("special, form", PAIRS)
def test_reference_gives_the_prescribed_results(special, form):
    """The reference is MPFR; tests/reference/test_two_oracles.py compares it with mpmath."""
    cases = special.cases(form)
    exact = truth(special, cases, form)
    for mode in MODES:
        accepted = allowed_by(special, cases, in_mode(special, exact, form, mode), form)
        assert all(a.all() for a in accepted), (mode, [a[~np.logical_and.reduce(accepted)] for a in cases])


@for_each("special", [e for e in EVERY if not e.prescribes_exactly and "π" in e.text])
def test_multiples_of_pi_are_near_the_reference(special):
    cases = special.cases(DOUBLE)
    (found,) = in_mode(special, truth(special, cases, DOUBLE), DOUBLE, "rte")
    np.testing.assert_allclose(special.expected(cases, DOUBLE)[0], found, rtol=2.0**-50)


@for_each("name", sorted({special.name for special in EVERY}))
def test_special_values_do_not_contradict_each_other(name):
    args, _ = inputs(Case(name, FLOAT, 4 if builtin(name).widths else 0))
    exact = [(special, special.matches(args, FLOAT)) for special in special_values(name) if special.prescribes_exactly]
    for (one, here), (other, there) in itertools.combinations(exact, 2):
        both = tuple(a[here & there] for a in args)
        accepted = allowed_by(other, both, one.expected(both, FLOAT), FLOAT)
        free = ["any" in (r.text, s.text) for r, s in zip(one.results, other.results, strict=True)]
        assert all(a.all() or f for a, f in zip(accepted, free, strict=True)), (one.text, other.text)


ONE = np.float32(1)


@for_each(
    "text, args, results",
    [
        ("atan2pi(±0, -0) = ±1", ([0.0, -0.0], [-0.0, -0.0]), ([1.0, -1.0],)),
        ("atan2pi(±y, -inf) = ±1 for finite y > 0", ([2.0, -2.0], [-np.inf] * 2), ([1.0, -1.0],)),
        ("fract(-inf) = -0, -inf", ([-np.inf],), ([-0.0], [-np.inf])),
        ("frexp(±inf) = ±inf, 0", ([np.inf, -np.inf],), ([np.inf, -np.inf], [0, 0])),
        ("hypot(x, ±0) = |x|", ([-3.0, np.inf], [0.0, -0.0]), ([3.0, np.inf],)),
        ("copysign(x, -0) = -|x| for non-NaN x", ([3.0, -0.0], [-0.0] * 2), ([-3.0, -0.0],)),
        ("tanpi(n) = copysign(0, -n) for odd n", ([3.0, -3.0],), ([-0.0, 0.0],)),
        ("tanpi(n) = copysign(0, n) for even n", ([-0.0, -4.0, 4.0],), ([-0.0, -0.0, 0.0],)),
        ("fmax(x, NaN) = x", ([-0.0, np.nan], [np.nan] * 2), ([-0.0, np.nan],)),
        ("nextafter(+0, y) = -smallest denormal for y < 0", ([0.0], [-1.0]), ([-(2.0**-149)],)),
        ("modf(n) = copysign(0, n), n for integer n", ([-5.0],), ([-0.0], [-5.0])),
    ],
)
def test_notation_gives_the_expected_results(text, args, results):
    special = parse(text, "a test")
    arrays = tuple(np.array(a, np.float32) for a in args)
    assert special.matches(arrays, FLOAT).all()
    expected = special.expected(arrays, FLOAT)
    for got, wanted in zip(expected, results, strict=True):
        np.testing.assert_array_equal(got, np.array(wanted, got.dtype))
        np.testing.assert_array_equal(np.signbit(got), np.signbit(np.array(wanted, got.dtype)))
    assert all(a.all() for a in allowed_by(special, arrays, expected, FLOAT))


@for_each(
    "text, args, matching",
    [
        ("acos(1) = +0", ([1.0, -1.0, np.nan],), [True, False, False]),
        ("log(x) = NaN for x < 0", ([-0.0, -1.0, -np.inf, np.nan],), [False, True, True, False]),
        ("pow(±0, y) = +inf for non-odd y < 0", ([0.0] * 4, [-2.0, -1.0, -1.5, -np.inf]), [True, False, True, True]),
        ("pow(x, y) = NaN for finite x < 0 and non-integer y", ([-2.0] * 3, [0.5, 2.0, np.inf]), [True, False, False]),
        ("cospi(n + 0.5) = +0", ([0.5, -0.5, -1.5, 0.25, 2.0**23, np.inf],), [True, True, True, False, False, False]),
        ("tanpi(n + 0.5) = +inf for even n", ([0.5, -0.5, 1.5, -1.5],), [True, False, False, True]),
        ("ceil(-1 < x < 0) = -0", ([-1.0, -0.5, -0.0],), [False, True, False]),
        ("rint(-0.5 <= x < 0) = -0", ([-0.5, -0.50001, -0.1],), [True, False, True]),
        ("sin(±0) = ±0", ([0.0, -0.0, 1e-45],), [True, True, False]),
        ("fract(-0) = -0, -0", ([0.0, -0.0],), [False, True]),
        ("nextafter(smallest normal, y) = +0 for y < smallest normal", ([2.0**-126] * 2, [0.0, 1.0]), [True, False]),
        ("fma(any, any, NaN) = NaN", ([1.0] * 2, [np.nan] * 2, [0.0, np.nan]), [False, True]),
    ],
)
def test_notation_matches_arguments(text, args, matching):
    arrays = tuple(np.array(a, np.float32) for a in args)
    assert parse(text, "a test").matches(arrays, FLOAT).tolist() == matching


def test_cases_have_integers_at_the_ends_of_their_range():
    x, n = parse("pown(±0, n) = ±inf for odd n < 0", "a test").cases(HALF)
    assert {-1, -3, -(2**31) + 1} <= set(n.tolist())
    assert {True, False} == set(np.signbit(x).tolist())
    _, n = parse("pown(±0, n) = +0 for even n > 0", "a test").cases(HALF)
    assert 2**31 - 2 in n.tolist()


def test_cases_have_numbers_at_the_boundary_of_the_condition():
    (x,) = parse("acos(x) = NaN for |x| > 1", "a test").cases(FLOAT)
    above = np.nextafter(ONE, np.float32(2))
    assert {above, -above, FLOAT.largest, np.inf, -np.inf} <= set(x.tolist())


@pytest.mark.parametrize(
    "text, results, accepted",
    [
        ("ilogb(±0) = INT_MIN or -INT_MAX", [-(2**31), -(2**31) + 1, 0], [True, True, False]),
        ("fmax(+0, -0) = +0 or -0", [0.0, -0.0, np.nan], [True, True, False]),
        ("sign(±0) = ±0", [0.0, -0.0, 1.0], [True, False, False]),
        ("fabs(NaN) = NaN", [np.nan, 0.0, np.inf], [True, False, False]),
        ("atan(+inf) = π/2", [1.0, 2.0, np.nan], [True, True, True]),  # an inexact value is judged by the limit
    ],
)
def test_notation_accepts_results(text, results, accepted):
    special = parse(text, "a test")
    case = tuple(np.repeat(a[:1], 3) for a in special.cases(FLOAT))
    dtype = special.expected(case, FLOAT)[0].dtype
    assert allowed_by(special, case, (np.array(results, dtype),), FLOAT)[0].tolist() == accepted


def test_result_outside_a_prescribed_range_fails():
    special = parse("fract(x) = in [0, 1), any for finite x", "a test")
    case = (np.full(4, 0.5, np.float32),)
    results = (np.array([0.0, 1.0, -0.1, 0.99], np.float32), np.zeros(4, np.float32))
    assert not special.prescribes_exactly
    assert [a.tolist() for a in allowed_by(special, case, results, FLOAT)] == [[True, False, False, True], [True] * 4]


def test_one_of_two_results_may_be_unspecified():
    special = parse("lgamma_r(NaN) = NaN, any", "a test")
    case = special.cases(FLOAT)
    wrong = allowed_by(special, case, (np.zeros(1, np.float32), np.array([7], np.int32)), FLOAT)
    assert [a.tolist() for a in wrong] == [[False], [True]]


def test_infinite_component_determines_the_direction_of_normalize():
    special = next(e for e in special_values("normalize") if "1 infinite" in e.text)
    vectors = (np.array([[np.inf, -3.0, 0.0], [1.0, -np.inf, np.nan], [-np.inf, np.inf, 0.0]], np.float32),)
    assert special.matches(vectors, FLOAT).tolist() == [True, False, False]
    expected = special.expected(tuple(v[:1] for v in vectors), FLOAT)[0]
    assert expected.tolist() == [[1.0, -0.0, 0.0]]
    assert np.signbit(expected).tolist() == [[False, True, False]]


@for_each(
    "text, message",
    [
        ("acos(1)", "is not a special value; write 'atan2pi"),
        ("acosine(1) = +0", "is not a known built-in"),
        ("atan2(1) = +0", "has 1 arguments; gentype atan2.* needs 2"),
        ("fract(1) = +0", "has 1 results; fract has 2"),
        ("acos(0) = +0", "the argument 0 has no sign; write"),
        ("acos(X) = +0", "'X' is not an argument; write"),
        ("acos(1) = zero", "'zero' is not a result; write"),
        ("acos(x) = ±0", "± in a result needs one argument with ±"),
        ("acos(x) = NaN for |x| above 1", "'|x| above 1' is not a condition; write"),
        ("acos(x) = NaN for y > 1", "'y' in the condition is not an argument"),
        ("normalize(p) = p for short p", "the condition on a vector is one of 'all elements zero'"),
    ],
)
def test_invalid_notation_is_refused_with_a_remedy(text, message):
    with pytest.raises(errors.ClmathError, match=re.escape(message).replace(r"\.\*", ".*")) as caught:
        parse(text, "a test")
    assert "tables/special_values.toml: [a test]" in str(caught.value)


def test_signaling_nans_raise_no_warning():
    bits = np.array([0x7F800001, 0xFFA00000, 0x7FC00000], np.uint32)  # pytest turns warnings into errors
    x = FLOAT.from_bits(bits)
    matching = [special for special in special_values("powr") if special.matches((x, x), FLOAT).all()]
    assert [special.text for special in matching] == ["powr(NaN, any) = NaN"]
    expected = parse("fmax(x, NaN) = x", "a test").expected((x, x), FLOAT)
    assert np.isnan(expected[0]).all()
