"""Results that no order of rounded steps gives, and what the text leaves open where the judge blamed or passed it."""

from __future__ import annotations

import numpy as np
import pytest

from clmath.audit.counting.tally import ulps_text
from clmath.audit.judge.piece import judge
from clmath.audit.law.law import Law
from clmath.audit.law.verdict import conclude
from clmath.audit.plan.item import Item
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS, HALF
from clmath.spec.builtins import builtin
from clmath.spec.limits import limit
from clmath.testing import assert_conforms
from tests.cases import for_each

NAN, INF = np.nan, np.inf
FULL = Law("full", "rte", flushes=False)
STEP = 2.0**-23


def tally(name, form, args, results, law=FULL):
    """What the judge says of one call; vectors are lists."""
    row = builtin(name)
    width = len(args[0]) if row.widths else 0
    item = Item(row, form, width)
    numbers = [n for a in args for n in (a if width else [a])]
    kinds = {"gentype": form.dtype, "intn": np.int32}
    values = tuple(np.array([n], kinds[k]) for n, k in zip(numbers, item.columns, strict=True))
    return judge(item, values, tuple(np.array([r], form.dtype) for r in results), law)


@for_each("mode", ["rte", "rtz"])
@for_each("flushes", [False, True])
@for_each(
    "name, args, wrong, right",
    [
        ("dot", ([1.0, 0.0], [1.5, 0.0]), 1.5 + STEP, 1.5),
        ("dot", ([1.5], [1.0]), 1.5 - STEP, 1.5),
        ("dot", ([1.0, 0.0, 0.0, 0.0], [1.5, 0.0, 0.0, 0.0]), 1.5 + 2 * STEP, 1.5),
        ("dot", ([1.0, 2.0, 4.0], [1.0, 1.0, 1.0]), 7.0 + 4 * STEP, 7.0),
        ("cross", ([1.0, 0.0, 0.0], [0.0, 1.5, 0.0]), [0.0, 0.0, 1.5 + STEP], [0.0, 0.0, 1.5]),
    ],
)
def test_a_sum_that_every_order_gives_exactly_is_exact(  # noqa: PLR0917 - two devices and a call
    name, args, wrong, right, mode, flushes
):
    law = Law("full", mode, flushes)
    assert tally(name, FLOAT, args, (wrong,), law).failed == 1
    assert tally(name, FLOAT, args, (right,), law).failed == 0


def test_only_what_some_order_gives_passes():
    """2^24 + 1 + 1 is 2^24 where the ones come one by one, 2^24 + 2 where they come together; nothing else."""
    args = ([2.0**24, 1.0, 1.0], [1.0, 1.0, 1.0])
    for result, failed in ((2.0**24, 0), (2.0**24 + 2, 0), (2.0**24 - 1, 1), (2.0**24 + 4, 1), (NAN, 1), (INF, 1)):
        assert tally("dot", FLOAT, args, (result,)).failed == failed, result


def test_sums_of_products_that_overflow_on_the_way():
    """2^128 - 2^127: infinity, or 2^127 where the first product is contracted or has extra precision."""
    args = ([2.0**64, -(2.0**63)], [2.0**64, 2.0**64])
    for result, failed in ((INF, 0), (2.0**127, 0), (2.0**126, 1), (-INF, 1), (NAN, 1)):
        assert tally("dot", FLOAT, args, (result,)).failed == failed, result
    both = ([2.0**64, -(2.0**64)], [2.0**64, 2.0**64])  # infinities of both signs
    assert [tally("dot", FLOAT, both, (r,)).failed for r in (INF, -INF, NAN, 0.0, 1e38)] == [0, 0, 0, 0, 1]


def test_an_infinite_element_does_not_make_every_result_of_half_right():
    dot, cross = ([INF, 1.0], [0.5, 1.0]), ([INF, 1.0, 0.0], [1.0, 1.0, 1.0])
    for wrong in (NAN, -INF, 7.0):
        assert tally("dot", HALF, dot, (wrong,)).failed == 1
        assert tally("cross", HALF, cross, ([1.0, -INF, wrong],)).failed == 1
    assert tally("dot", HALF, dot, (INF,)).failed == 0
    assert tally("cross", HALF, cross, ([1.0, -INF, INF],)).failed == 0


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_no_text_says_whether_an_infinite_or_a_nan_element_wins(form):
    for result in (INF, NAN):
        for name, args in (("length", ([INF, NAN],)), ("distance", ([INF, NAN], [1.0, 1.0]))):
            found = tally(name, form, args, (result,))
            assert (found.failed, found.judged) == (0, 0)
    assert tally("length", form, ([1.0, NAN],), (1.0,)).failed == 1


@pytest.mark.parametrize("form", [FLOAT, DOUBLE], ids=str)
def test_the_difference_of_two_infinities_is_no_infinite_element(form):
    args = ([INF, 1.0], [INF, 1.0])
    assert tally("distance", form, args, (5.0,)).failed == 1
    assert tally("distance", form, args, (NAN,)).failed == 0


@for_each(
    "name, args",
    [
        ("tanh", (50.0,)),  # exp(50) is beyond 2^62: the quotient has no limit
        ("tan", (4.0,)),  # sin and cos have none beyond π
        ("tan", (1.5707,)),  # cos may be zero: 2^-11
        ("cbrt", (1.0,)),  # log2 may be nearer to zero than 2^-62
    ],
)
@for_each("result", [7.0, None])
def test_a_formula_that_may_give_anything_judges_nothing(name, args, result):
    exact = {"tanh": 1.0, "tan": np.tan(args[0]), "cbrt": 1.0}[name]
    given = (exact if result is None else result,)
    for profile in ("relaxed", "relaxed embedded"):
        law = Law(profile, "rte", flushes=False)
        found = tally(name, FLOAT, args, given, law)
        assert (found.failed, found.judged) == (0, 0)
        assert conclude(Item(builtin(name), FLOAT), law, found).status == "not judged"
    assert tally(name, FLOAT, args, given).judged == 1


def test_a_formula_with_limits_is_judged():
    law = Law("relaxed", "rte", flushes=False)
    for name, args in (("tanh", (5.0,)), ("tan", (1.0,)), ("cbrt", (8.0,)), ("atan2", (1.0, 1.0)), ("acosh", (2.0,))):
        assert tally(name, FLOAT, args, (7.0,), law).failed == 1


TINY = 2.0**-70


@pytest.mark.parametrize("result", [0.0, 0.25, 1.0])
def test_relaxed_smoothstep_divides_without_limit_outside_of_the_table(result):
    args = (0.0, TINY, TINY / 2)
    assert tally("smoothstep", FLOAT, args, (result,), Law("relaxed", "rte", flushes=False)).failed == 0
    for law in (FULL, Law("relaxed embedded", "rte", flushes=False)):
        assert tally("smoothstep", FLOAT, args, (result,), law).failed == 1


def test_relaxed_smoothstep_is_held_to_its_range_and_its_domain():
    law = Law("relaxed", "rte", flushes=False)
    for result in (-0.25, 1.25, NAN, INF):
        assert tally("smoothstep", FLOAT, (0.0, TINY, TINY / 2), (result,), law).failed == 1
    assert tally("smoothstep", FLOAT, (0.0, 1.0, 0.5), (0.25,), law).failed == 1
    assert tally("smoothstep", FLOAT, (0.0, 1.0, 0.5), (0.5,), law).failed == 0
    assert tally("smoothstep", FLOAT, (0.0, TINY, -1.0), (0.25,), law).failed == 1  # 3.17.2: 0 below edge0
    exact = Law("relaxed", "rte", flushes=False, options=("-cl-fp32-correctly-rounded-divide-sqrt",))
    assert tally("smoothstep", FLOAT, (0.0, TINY, TINY / 2), (0.25,), exact).failed == 1


@for_each("name", ["mix", "smoothstep", "dot", "cross", "fast_length", "fast_distance"])
def test_mad_may_be_anything_in_the_embedded_profile_alone(name):
    """clBuildProgram, -cl-mad-enable: a * b + c may be replaced by mad; table 36: any value. Table 37 has x * y + z."""
    option = ("-cl-mad-enable",)
    assert limit(name, FLOAT, "embedded", options=option).gives_no_number
    for form, profile in ((FLOAT, "full"), (FLOAT, "relaxed embedded"), (DOUBLE, "embedded"), (HALF, "full")):
        if form in builtin(name).formats:
            assert limit(name, form, profile, options=option) == limit(name, form, profile)


def test_mad_enable_leaves_the_fourth_element_of_cross():
    law = Law("embedded", "rte", flushes=False, options=("-cl-mad-enable",))
    assert tally("cross", FLOAT, ([1, 2, 3, 4], [4, 3, 2, 1]), ([7, 7, 7, 0],), law).failed == 0
    assert tally("cross", FLOAT, ([1, 2, 3, 4], [4, 3, 2, 1]), ([7, 7, 7, 7],), law).failed == 1


@for_each("option", ["-cl-no-signed-zeros", "-cl-unsafe-math-optimizations"])
@for_each(
    "name, args, right, wrong",
    [
        ("recip", (-0.0,), INF, 1.0),
        ("div", (1.0, -0.0), INF, NAN),
        ("atan2", (0.0, -0.0), 0.0, 1.0),
        ("copysign", (1.0, -0.0), 1.0, 2.0),
    ],
)
def test_a_build_option_ignores_the_sign_of_zeros_among_arguments_too(option, name, args, right, wrong):
    law = Law("full", "rte", flushes=False, options=(option,))
    found = tally(name, DOUBLE, args, (right,), law)
    assert (found.failed, found.flushed, found.worst) == (0, 0, None)
    assert tally(name, DOUBLE, args, (wrong,), law).failed == 1
    assert tally(name, DOUBLE, args, (right,)).failed == 1


def test_the_sign_of_what_is_no_zero_is_not_ignored():
    law = Law("full", "rte", flushes=False, options=("-cl-no-signed-zeros",))
    assert tally("recip", DOUBLE, (-1.0,), (1.0,), law).failed == 1
    assert tally("recip", DOUBLE, (-5e-324,), (INF,), law).failed == 1


@for_each("form", FORMATS)
@for_each("profile", ["full", "embedded", "relaxed", "relaxed embedded"])
def test_fract_stays_below_one(form, profile):
    law = Law(profile, "rte", flushes=False)
    tiny = -float(form.smallest_normal)
    below = 1.0 - form.eps / 2
    assert tally("fract", form, (tiny,), (below, -1.0), law).failed == 0
    for wrong in (1.0, -0.25, NAN):
        assert tally("fract", form, (tiny,), (wrong, -1.0), law).failed == 1


def test_an_error_beyond_the_limit_is_not_shown_as_the_limit():
    assert ulps_text(2.0000001, beyond=True) == "+2.0000001 ulp"
    assert ulps_text(-8192.3, beyond=True) == "-8192.300 ulp"
    assert ulps_text(2.25, beyond=True) == "+2.250 ulp"
    assert ulps_text(2.0000001) == "+2.000 ulp"


def test_the_message_of_a_result_just_beyond_the_limit():
    x = np.arange(1, 2, 2.0**-14, dtype=np.float32)
    exact = np.sqrt(x.astype(np.float64))
    units = (exact - x.dtype.type(0)) / 2.0**-23
    beyond = np.argmin(np.abs(units - np.floor(units) - 2.0**-12))  # three above the float below: 3.0 less a little
    result = np.float32((np.floor(units[beyond]) - 3) * 2.0**-23)
    with pytest.raises(AssertionError, match=r"\(-3\.000[0-9]*[1-9][0-9]* ulp\), not within the limit: 3 ulp"):
        assert_conforms(result, "sqrt", (x[beyond],))
