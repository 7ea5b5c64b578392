"""Single rules of the law in lanes, on values made by hand: what is missed, flushed, limited, known and prescribed."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from clmath.audit.device_judge.question import Question
from clmath.audit.lanes.lane_errors import Error
from clmath.audit.lanes.lane_flushing import is_flushed
from clmath.audit.lanes.lane_limits import Got, concerned, passing
from clmath.audit.lanes.lane_measure import OneLaw, is_other, measured_integer, required
from clmath.audit.lanes.lane_missing import is_missed, is_normal
from clmath.audit.plan.rows import item_named
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS
from clmath.numbers.lane_rounding import RTE
from clmath.spec.edges import parse as edge_of
from clmath.spec.limits import Limit, parse
from clmath.spec.notation import condition
from tests.audit.rule_cases import FULL, without
from tests.cases import for_each

FINITE = without(FULL, options=("-cl-finite-math-only",))
NONE = np.zeros(1, np.bool_)


@pytest.fixture(autouse=True)
def quiet():
    """NaN and overflow are what is asked for."""
    with np.errstate(all="ignore"):
        yield


def codes(values, form):
    """Encodings in 64 bits."""
    return form.bits(np.asarray(values, form.dtype)).astype(np.uint64).view(np.int64)


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_normal_numbers_begin_with_the_smallest_one(form):
    least, below = form.smallest_normal, form.smallest_normal - form.smallest_subnormal
    values = np.array([least, below, 1.0, form.largest, 0.0, math.inf, math.nan])
    for sign in (1.0, -1.0):
        found = is_normal(codes(np.copysign(values, sign), form), form)
        assert found.tolist() == [True, False, True, True, False, False, False]


def missed(least, most, *, is_exact):
    """Whether 2 misses a limit of 4 ulp where 1 is due, by bounds on its error."""
    bound = [np.array([float(value)]) for value in (least, most)]
    error = Error(*bound, NONE, ~NONE, NONE, np.array([is_exact]), np.ones(1))
    one, two = codes([1.0], DOUBLE), codes([2.0], DOUBLE)
    return is_missed((np.ones(1),), two, (np.ones(1), one), error, 4.0, DOUBLE).tolist() == [True]


@pytest.mark.parametrize("is_exact", [True, False])
def test_what_misses_a_limit_has_an_error_that_doubles_say(is_exact):
    assert missed(5.0, 6.0, is_exact=is_exact)
    assert missed(5.0, FLOAT.largest, is_exact=is_exact)
    assert not missed(3.0, 5.0, is_exact=is_exact)
    assert not missed(5.0, math.inf, is_exact=is_exact)
    assert not missed(math.inf, math.inf, is_exact=is_exact)


def test_a_flushed_result_is_a_zero_where_a_subnormal_number_is_due():
    """Not one where zero is due; and what is due lies below the smallest normal number by a share of 2^-20."""
    border = 2.0**-126 * (1.0 - 2.0**-20)
    values = [2.0**-130, -(2.0**-130), 0.0, -0.0, math.nextafter(border, 0.0), border, 2.0**-126, 1.0, math.nan]
    wanted = [True, True, False, False, True, False, False, False, False]
    value, args = np.array(values), (np.ones(len(values)),)
    for result in (0.0, -0.0):
        got = codes(np.full(len(values), result), FLOAT)
        assert is_flushed(args, got, (value, np.zeros(len(values))), FLOAT, ()).tolist() == wanted
        assert not is_flushed(args, got, (value, np.full(len(values), 2.0**-126)), FLOAT, ()).any()
        assert not is_flushed(args, got, (value, np.zeros(len(values))), FLOAT, None).any()
    assert not is_flushed(args, codes(np.full(len(values), 1.0), FLOAT), (value, 0.0 * value), FLOAT, ()).any()


def test_a_limit_that_grows_is_told_but_for_less_than_an_ulp():
    """It is the constant, and floor(|2x|) more: no less than the constant passes."""
    ((rule, _),) = parse("3 + floor(|2x|) ulp", "test")
    x = np.array([0.0, 0.125, 0.25, 0.49, 0.5, 0.51, 0.75, 1.0, 1.49, 2.0, 40.25])
    for sign in (1.0, -1.0):
        allowed, told = 3 + np.floor(2.0 * x), passing(rule, sign * x, np.ones(len(x)))
        assert (told <= allowed).all()
        assert (told >= np.maximum(allowed - 1, 3)).all()


@for_each(
    "text, wanted",
    [
        ("exp(+inf) = +inf", [math.inf]),
        ("exp(-inf) = +0", [-math.inf]),
        ("exp(1) = 1", [1.0]),
        ("exp(±1) = 1", [1.0, -1.0]),
        ("exp(±0) = 1", [0.0]),
        ("exp(NaN) = NaN", [math.nan]),
        ("exp(x) = 1 for x < 0", [-1.0, -math.inf, -3.0]),
        ("exp(x) = 1 for |x| > 2", [math.inf, -math.inf, -3.0]),
        ("exp(-4 < x < 0) = 1", [-1.0, -3.0]),
    ],
)
def test_an_edge_holds_where_its_text_says(text, wanted):
    """A constant has the sign that it is written with, unless it is ±."""
    x = np.array([math.inf, -math.inf, 1.0, -1.0, 0.0, -3.0, math.nan])
    found = np.broadcast_to(concerned(x, (edge_of(text, "test"),), FLOAT), x.shape)
    assert found.tolist() == [any(v == w or (v != v and w != w) for w in wanted) for v in x.tolist()]


@pytest.mark.parametrize("text", ["any", "4 ulp"])
def test_what_is_left_open_is_unknown_where_an_edge_may_have_a_say(text):
    """Lanes cannot tell where x is n + 0.5; that matters only where there is no limit."""
    edge = edge_of("sinpi(n + 0.5) = 1 for even n", "test")
    x, limit = np.array([0.5, 0.25]), Limit(text, "test", ("x",), parse(text, "test"))
    told = [
        required((x,), Got(x, np.ones(2), FLOAT, RTE), OneLaw(limit, edges, waives=False, signless=False))
        for edges in ((edge,), ())
    ]
    is_open = text == "any"
    assert [one.is_known.tolist() for one in told] == [[not is_open] * 2, [True] * 2]
    assert [one.leaves_open.tolist() for one in told] == [[False] * 2, [is_open] * 2]


def test_a_product_and_a_sum_pass_for_a_fused_one_only_where_the_limit_always_says_so():
    """(1 + 2^-12)^2 - 1 loses 2^-24 where the product is rounded."""
    args = [np.array([value]) for value in (1.0 + 2.0**-12, 1.0 + 2.0**-12, -1.0)]
    terms = Question(item_named("mad", "float"), FULL).terms
    (limit,) = (law.limit for law in terms.laws)
    ((rule, _),) = limit.clauses
    under = replace(limit, clauses=((rule, condition("finite a", "test")),))
    others = replace(limit, clauses=((rule, condition("finite a", "test")), (rule, None)))
    for result, of_steps in ((2.0**-11, True), (2.0**-11 + 2.0**-24, False)):
        got = codes([result], FLOAT)
        assert is_other(got, args, limit, terms).tolist() == [of_steps]
        assert not is_other(got, args, under, terms).any()
        assert not is_other(got, args, others, terms).any()


def integer(name, law, args, due, got, *, infinite=False):
    """Whether an int conforms, counts, is open by the first law, and surely fails."""
    lanes = [np.array([float(a)]) for a in args]
    ints = [np.array([value], np.int64) for value in (due, got)]
    found = measured_integer(*lanes, np.array([infinite]), *ints, Question(item_named(name, "float"), law).terms)
    conforms, counts, is_open, *_, fails = (bool(np.broadcast_to(one, (1,))[0]) for one in found)
    return conforms, counts, is_open, fails


def test_an_int_fails_only_where_something_is_asked_of_it():
    """Nothing is where a number beside it overflows and infinities are waived."""
    assert integer("lgamma_r", FULL, (3.5,), 1, 1) == (True, True, False, False)
    assert integer("lgamma_r", FULL, (3.5,), 1, 7) == (False, True, False, True)
    assert integer("lgamma_r", FULL, (3.5,), 1, 7, infinite=True) == (False, True, False, True)
    assert integer("lgamma_r", FINITE, (3.5,), 1, 7) == (False, True, False, True)
    assert integer("lgamma_r", FINITE, (3.5,), 1, 7, infinite=True) == (True, True, True, False)
    assert integer("lgamma_r", FINITE, (math.inf,), 1, 7) == (True, False, True, False)
