"""The acceptance rules by exact values: reasons of failures, waivers, and calls that may have the largest errors."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np

from clmath.audit.acceptance.batch import Batch, Call, accepted, value_on_host
from clmath.audit.acceptance.criteria import Requirement, profile_in_force, requirement
from clmath.audit.acceptance.findings import Findings, _differs, _replaceable, conclude
from clmath.audit.acceptance.values import binade
from clmath.audit.counting.spread import leaders
from clmath.audit.counting.tally import Example, Tally
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import Plan
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounding import Enclosure
from clmath.spec.builtins import builtin
from clmath.spec.limits import Limit, parse
from tests.audit.rule_cases import FLUSHING, FULL, without
from tests.audit.single_calls import tally
from tests.cases import for_each

INF, NAN = np.inf, np.nan
SIN_OF_QUARTER = 0.7071067811865476  # of pi
FLUSHED = "a subnormal flushed to zero, though the device has denormals"
INFINITE, FINITE = "an infinity where another number is due", "a finite number where an infinity is due"


@for_each(
    "name, form, args, got, why",
    [
        ("exp2", FLOAT, (-140.0,), 0.0, FLUSHED),
        ("exp2", FLOAT, (-140.0,), -0.0, FLUSHED),
        ("exp2", FLOAT, (-140.0,), 2.0**-130, "not within the limit: 3 ulp"),
        ("exp2", FLOAT, (-126.0,), 0.0, "not within the limit: 3 ulp"),  # the smallest normal number
        ("exp2", FLOAT, (-126.5,), 0.0, FLUSHED),
        ("exp2", FLOAT, (1.0,), 0.0, "not within the limit: 3 ulp"),
        ("mul", FLOAT, (2.0**-100, 2.0**-100), -0.0, "not within the limit: correctly rounded"),  # 0 is due
        ("exp2", FLOAT, (0.5,), INF, INFINITE),
        ("exp2", FLOAT, (0.5,), -INF, INFINITE),
        ("exp2", FLOAT, (200.0,), 1.0, FINITE),
        ("exp2", FLOAT, (200.0,), -INF, INFINITE),
        ("exp2", FLOAT, (0.5,), NAN, "NaN where a number is due"),
        ("exp2", FLOAT, (200.0,), NAN, "NaN where a number is due"),
        ("add", FLOAT, (INF, -INF), 1.0, "a number where NaN is due"),
        ("add", FLOAT, (INF, -INF), INF, "a number where NaN is due"),
        ("exp", HALF, (1.0,), 2.0, "not within the limit: 2 ulp"),
    ],
)
def test_reasons(name, form, args, got, why):
    """The reason depends on the difference: kind, sign of zero, flushing, error."""
    assert tally(name, form, args, [got]).reasons == ((why, 1),)


def test_reasons_of_ints_name_the_result():
    assert tally("remquo", FLOAT, (1000.0, 3.0), [(1.0, 5)]).reasons == (("wrong quo", 1),)
    assert tally("frexp", DOUBLE, (8.0,), [(0.5, 5)]).reasons == (("wrong exp", 1),)


def test_flushed_result_is_not_the_reason_of_a_failure():
    """The sine of a subnormal number may be zero; the cosine is wrong."""
    item, x = Item(builtin("sincos"), FLOAT), np.float32([2.0**-140])
    batch = Batch.of(item, (x,), (np.float32([0.0]), np.float32([3.0])), FLUSHING)
    assert Findings.of(batch, np.arange(1)).tally().reasons == (("not within the limit: 4 ulp", 1),)


@for_each(
    "name, criteria, args, got",
    [
        ("atan2", without(FULL, options=("-cl-no-signed-zeros",)), (0.0, -1.0), -3.1415927),
        ("exp2", FLUSHING, (-140.0,), 0.0),
        ("div", FLUSHING, (2.0**-20, 2.0**-140), INF),
    ],
)
def test_errors_for_replaced_arguments_do_not_count(name, criteria, args, got):
    """A result that is correct for a zero of the other sign, or for flushed subnormals, has no error."""
    item = Item(builtin(name), FLOAT)
    batch = Batch.of(item, tuple(np.float32([x]) for x in args), (np.float32([got]),), criteria)
    found = Findings.of(batch, np.arange(1)).tally()
    assert (found.tried, found.failed, found.worst, found.spread.counted) == (1, 0, None, 0)


def test_correctly_rounded_result_passes_for_every_limit():
    """It passes even an absolute limit below half an ulp; if NaN is due, any NaN passes."""
    item = Item(builtin("sin"), FLOAT)
    values = (np.array([1.0, 2.0, INF, 2.0], np.float32),)
    rounded = Batch.of(item, values, values, FULL).due[0]
    results = (np.array([rounded[0], np.nextafter(rounded[1], np.float32(0)), NAN, -rounded[3]], np.float32),)
    limit = Limit("absolute 2^-60", "test", ("x",), parse("absolute 2^-60", "test"))
    need = requirement(item, FULL)._replace(clauses=limit.clauses)
    (found,) = accepted(Batch.of(item, values, results, FULL), need)
    assert found.surely.tolist() == [True, False, True, False]


@for_each(
    "profile, options, wanted",
    [
        ("full", (), "full"),
        ("full", ("-cl-fast-relaxed-math",), "relaxed"),
        ("embedded", ("-cl-fast-relaxed-math",), "relaxed embedded"),
        ("embedded", ("-cl-mad-enable",), "embedded"),
        ("relaxed", (), "relaxed"),
        ("relaxed embedded", (), "relaxed embedded"),
        ("relaxed embedded", ("-cl-fast-relaxed-math",), "relaxed embedded"),
    ],
)
def test_build_options_select_the_tables(profile, options, wanted):
    assert profile_in_force(profile, options) == wanted


@for_each(
    "tried, unjudged, failed, status",
    [(5, 0, 0, "pass"), (5, 4, 0, "pass"), (5, 5, 0, "not judged"), (5, 4, 1, "fail"), (0, 0, 0, "pass")],
)
def test_status_of_a_verdict(tried, unjudged, failed, status):
    found = conclude(Item(builtin("exp"), FLOAT), FULL, Tally(tried=tried, unjudged=unjudged, failed=failed))
    assert (found.status, found.is_unspecified) == (status, status == "not judged")


def test_calls_without_the_largest_error_are_excluded():
    """Their error is below the least error of a call in the same binade, or not above the known error of the binade."""
    item, ones = Item(builtin("exp"), FLOAT), np.float32([1.0, 1.5, 1.25, 4.0])
    least, most = np.array([0.3, 0.1, 0.1, 0.1]), np.array([0.4, 0.3, 0.2, 0.2])
    assert leaders(item, (ones,), least, most).tolist() == [True, True, False, True]
    known = (((127, 0.3),),)  # the binade of 1
    assert leaders(item, (ones,), least, most, known).tolist() == [True, False, False, True]


def example(got, expected, exact, error):
    """Return a result of float as reports contain it, in encodings."""
    return Example(0, (0,), 0, got, expected, (exact, 0.0, 0), error)


def test_result_differs_from_the_expected_one_by_its_bits():
    """Where NaN is due, all NaNs are equal."""
    assert _differs(example(0x3F800001, 0x3F800000, 1.0, 1.0))
    assert _differs(example(0x80000000, 0x00000000, 0.0, 0.0))
    assert not _differs(example(0x3F800000, 0x3F800000, 1.0, 0.0))
    assert not _differs(example(0x7FC00001, 0x7FC00000, NAN, 0.0))
    assert not _differs(example(0x7FC00000, 0x7FC00000, NAN, 0.0))
    assert _differs(example(0x3F800000, 0x7FC00000, NAN, INF))
    assert _differs(example(0x7FC00000, 0x3F800000, 1.0, INF))


def test_report_shows_a_differing_component_of_a_wrong_vector():
    """The direction of a vector with an infinite component: the first two components are correct."""
    item = next(i for i in Plan.of(["normalize"], [FLOAT]).items() if i.width == 4)
    values = tuple(np.float32([v]) for v in (0.0, 1.0, INF, 2.0))
    batch = Batch.of(item, values, (np.float32([[0.0, 0.0, -1.0, 0.0]]),), FULL)
    tally = Findings.of(batch, np.arange(1)).tally()
    assert [(e.output, e.got, e.expected) for e in tally.failures] == [(2, 0xBF800000, 0x3F800000)]


def test_subnormal_value_is_recognized_before_rounding():
    """The value may be arbitrarily close to the smallest normal number, with any sign and exponent."""
    least = Fraction(2) ** -126
    for hi, lo, exponent in itertools.product((1.0, -1.0, 1.0 - 2.0**-53), (0.0, 2.0**-54, -(2.0**-60)), (-125, -126)):
        value = (Fraction(hi) + Fraction(lo)) * Fraction(2) ** exponent
        exact = Enclosure(np.array([hi]), np.array([lo]), np.zeros(1), np.array([exponent]))
        ends = value_on_host(exact, Requirement(FLOAT, 0, (), ())).rounding
        assert [(binade(end) < FLOAT.emin).tolist() for end in ends] == [[abs(value) < least]] * 2


def test_int_is_never_flushed():
    """The least int is not flushed, either, although its absolute value overflows."""
    values = np.float32([2.0**-130, 1.0, 0.0, -(2.0**-149)]), np.int32([-(2**31), -(2**31), 3, 0])
    call = Call.on(Item(builtin("pown"), FLOAT), values, (values[0],), FLUSHING)
    may_be_flushed = _replaceable(call, requirement(call.item, FLUSHING), any_zero=False)
    assert [here.tolist() for here in may_be_flushed] == [[True, False, False, True], [False] * 4]
