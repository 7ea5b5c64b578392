"""Verdicts on single calls: wrong results that once passed, and allowed results that once failed."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from clmath import errors
from clmath.audit.acceptance.criteria import Criteria
from clmath.audit.acceptance.findings import conclude
from clmath.audit.judge.piece import Block, judge, judge_blocks
from clmath.audit.plan.item import Item
from clmath.audit.plan.rows import item_named
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS, HALF
from clmath.numbers.rounding import Enclosure, ulp_error, ulp_errors
from clmath.spec.builtins import builtin
from clmath.spec.limits import CORRECTLY_ROUNDED, limit, parse
from clmath.spec.notation import meets
from clmath.spec.special_values import special_values
from clmath.testing import assert_conforms
from tests.audit.single_calls import FULL, check, tally
from tests.cases import for_each

NAN, INF = np.nan, np.inf
RELAXED = Criteria("relaxed", "rte", flushes=False)
FLUSHING = Criteria("full", "rte", flushes=True)
SIGNALING = {
    form: form.from_bits(form.bits_dtype.type(code))
    for form, code in {HALF: 0x7C01, FLOAT: 0x7F800001, DOUBLE: 0x7FF0000000000001}.items()
}
STEP = 2.0**-23
TINY = 2.0**-70
ROOT = 2.0**-66  # its square is subnormal


def with_options(*options, profile="full"):
    return Criteria(profile, "rte", flushes=False, options=options)


@for_each(
    "name, args, wrong",
    [
        ("mix", (1, 2, 0), [7, NAN]),
        ("mix", (1, 2, 0.5), [1.5 + 2.0**-22]),
        ("mix", (-1, 1, 0.5), [2.0**-30]),
        ("mix", (1, 3, 1), [INF]),
        ("smoothstep", (0, 1, 0.5), [0.5 + 2.0**-20]),
        ("smoothstep", (0, 2.0**20, 2.0**21), [0.0]),
        ("smoothstep", (-1, 1, 0.9), [NAN]),
        ("degrees", (0,), [7]),
        ("degrees", (1,), [57.2958, NAN]),
        ("radians", (180,), [3.1415]),
        ("radians", (1e-3,), [0]),
        ("dot", (1, 0, 0, 1), [NAN, 7]),
        ("dot", (1, 2, 3, 4), [11 + 2.0**-18]),
        ("dot", (2.0**64, 1, 1, 1), [INF]),
        ("cross", (1, 0, 0, 0, 1, 0), [[0, 0, NAN], [0, 2.0**-149, 1]]),
        ("length", (2.0**64, 2.0**64), [INF]),
        ("length", (2.0**-80, 2.0**-80), [0, NAN]),
        ("length", (NAN, 1), [1]),
        ("distance", (2.0**64, 0, -(2.0**64), 0), [INF]),
        ("distance", (2.0**-80, 0, 0, 2.0**-80), [0]),
        ("normalize", (2.0**64, 2.0**64), [[0, 0]]),
        ("normalize", (2.0**-80, 2.0**-80), [[INF, INF]]),
        ("normalize", (INF, INF), [[NAN, NAN]]),
    ],
)
def test_result_that_no_order_of_rounded_steps_gives_fails(name, args, wrong):
    check(name, FLOAT, args, wrong=wrong)


@for_each(
    "name, args, wrong, right",
    [
        ("acosh", (2.0,), [7.0], []),
        ("acosh", (1e30,), [7.0], [INF]),  # x * x overflows
        ("acosh", (1.0,), [], [2.0**-22]),
        ("asinh", (1.0,), [NAN], []),
        ("asinh", (-1e4,), [7.0], [-INF, NAN]),  # -1e4 + sqrt(1e8 + 1) may be 0 or negative
        ("asinh", (1e-10,), [0.5], []),
        ("atan2", (1.0, 1.0), [7.0], []),
        ("atan2", (1.0, -1.0), [0.5], []),
        ("atan2", (1e-30, 1e30), [7.0], [1.0]),  # outside of the domain of x / y any angle of atan passes
        ("tanh", (5.0,), [7.0], []),
        ("tan", (1.0,), [7.0], []),
        ("cbrt", (8.0,), [7.0], []),
        ("sqrt", (-1.0,), [0.0], [NAN]),  # table 37 has no limit for it, so the special value is required
        ("fmax", (1.0, NAN), [NAN], [1.0]),
        ("tgamma", (40.0,), [0.0], [INF]),
        ("nan", (1,), [1.0], [NAN]),
        # smoothstep's division has no limit outside of the table's domain, but its range and its domain are required
        ("smoothstep", (0.0, TINY, TINY / 2), [-0.25, 1.25, NAN, INF], [0.0, 0.25, 1.0]),
        ("smoothstep", (0.0, 1.0, 0.5), [0.25], [0.5]),
        ("smoothstep", (0.0, TINY, -1.0), [0.25], []),  # 3.17.2: 0 below edge0
    ],
)
def test_relaxed_result_passes_if_the_formula_can_give_it(name, args, wrong, right):
    check(name, FLOAT, args, RELAXED, wrong=wrong, right=right)


@for_each(
    "name, args, due, flushed",
    [
        ("exp10", (-39.5,), 10.0**-39.5, True),  # the result is subnormal
        ("pow", (2.0, -130.0), 2.0**-130, True),
        ("pow", (-2.0, -131.0), -(2.0**-131), True),
        ("powr", (2.0, -130.0), 2.0**-130, True),
        ("pown", (2.0, -130), 2.0**-130, True),
        ("asinpi", (2.0**-127,), 2.0**-127 / np.pi, True),  # the operand and the result are subnormal
        ("sinh", (2.0**-127,), 2.0**-127, True),
        ("cbrt", (2.0**-129,), 2.0**-43, True),  # the operand is subnormal
        ("cbrt", (0.0,), 0.0, True),
        ("cbrt", (2.0**-120,), 2.0**-40, False),
    ],
)
def test_relaxed_result_may_be_flushed_to_zero_but_not_to_a_number_between(name, args, due, flushed):
    for flushes in (False, True):
        criteria, wrong, right = replace(RELAXED, flushes=flushes), [due * 1.1, due / 2.0, due / 64.0], [due]
        (right if due == 0.0 or (flushed and flushes) else wrong).append(0.0)
        check(
            name, FLOAT, args, criteria, wrong=[7.0, *(result for result in wrong if result not in right)], right=right
        )


def test_relaxed_math_does_not_apply_to_other_formats_profiles_and_options():
    check("sqrt", DOUBLE, (INF,), RELAXED, wrong=[NAN], right=[INF])
    check("trunc", HALF, (-0.5,), RELAXED, wrong=[0.0], right=[-0.0])
    check("sin", HALF, (INF,), RELAXED, wrong=[1.0], right=[NAN])
    check("exp", DOUBLE, (1000.0,), RELAXED, wrong=[0.0], right=[INF])
    exact = replace(RELAXED, options=(CORRECTLY_ROUNDED,))
    for criteria in (FULL, Criteria("relaxed embedded", "rte", flushes=False), exact):
        check("smoothstep", FLOAT, (0.0, TINY, TINY / 2), criteria, wrong=[0.25])


@for_each(
    "name, args, result",
    [
        ("sin", (INF,), 1.0),
        ("exp", (1000.0,), 0.0),
        ("log", (-1.0,), 1.0),
        ("sinpi", (-0.0,), 0.0),
        ("pow", (1.0, NAN), 2.0),
    ],
)
def test_relaxed_math_waives_special_values_of_table_37(name, args, result):
    check(name, FLOAT, args, RELAXED, right=[result])
    check(name, FLOAT, args, wrong=[result])


@for_each(
    "name, args, exact",
    [
        ("tanh", (50.0,), 1.0),  # exp(50) exceeds 2^62, so the quotient has no limit
        ("tan", (4.0,), np.tan(4.0)),  # sin and cos have no limit beyond π
        ("tan", (1.5707,), np.tan(1.5707)),  # cos, with an error of 2^-11, may be zero
        ("cbrt", (1.0,), 1.0),  # log2 may be nearer to zero than 2^-62
    ],
)
def test_formula_without_a_bound_is_not_judged(name, args, exact):
    for profile, result in itertools.product(("relaxed", "relaxed embedded"), (7.0, exact)):
        criteria = Criteria(profile, "rte", flushes=False)
        found = tally(name, FLOAT, args, [result], criteria)
        assert (found.failed, found.judged) == (0, 0)
        assert conclude(Item(builtin(name), FLOAT), criteria, found).status == "not judged"
        assert tally(name, FLOAT, args, [result]).judged == 1


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
def test_sum_that_is_exact_in_every_order_must_be_exact(  # noqa: PLR0917 - two devices and a call
    name, args, wrong, right, mode, flushes
):
    check(name, FLOAT, args, Criteria("full", mode, flushes), wrong=[wrong], right=[right])


A, B = float.fromhex("0x1.1c96376f466c3p+49"), float.fromhex("-0x1.9ed3d51232119p+45")
REST = float.fromhex("0x1.b9e3c84e74fd4p+40")  # rounding error of A * B: fma(A, B, -(A * B))
SUMS = {
    "2^24 + 1 + 1, one by one or the ones together": (
        ("dot", FLOAT, ([2.0**24, 1.0, 1.0], [1.0, 1.0, 1.0])),
        [2.0**24 - 1, 2.0**24 + 4, NAN, INF],
        [2.0**24, 2.0**24 + 2],
    ),
    "2^128 - 2^127, where the first product is contracted or has extra precision": (
        ("dot", FLOAT, ([2.0**64, -(2.0**63)], [2.0**64, 2.0**64])),
        [2.0**126, -INF, NAN],
        [INF, 2.0**127],
    ),
    "infinities of both signs": (
        ("dot", FLOAT, ([2.0**64, -(2.0**64)], [2.0**64, 2.0**64])),
        [1e38],
        [INF, -INF, NAN, 0.0],
    ),
    "an infinite element of half": (("dot", HALF, ([INF, 1.0], [0.5, 1.0])), [NAN, -INF, 7.0], [INF]),
    "an infinite element of half in cross": (
        ("cross", HALF, ([INF, 1.0, 0.0], [1.0, 1.0, 1.0])),
        [[1.0, -INF, wrong] for wrong in (NAN, -INF, 7.0)],
        [[1.0, -INF, INF]],
    ),
    "the rounding error of one product by fma": (("dot", DOUBLE, ([A, B], [B, -A])), [16 * REST], [REST]),
    "a product that underflows and others": (
        ("dot", DOUBLE, ([2.0**52 + 1, -1.5, -(2.0**51) - 0.5], [1.5, 2.0**52 + 1, 5e-324])),
        [],
        [-0.5],
    ),
    "a difference that overflows is an infinity": (
        ("distance", FLOAT, ([NAN, 2.0**127], [0.5, -(2.0**127)])),
        [],
        [INF],
    ),
    "a difference that does not": (("distance", FLOAT, ([NAN, 2.0**100], [0.5, -(2.0**100)])), [INF], []),
}


@for_each("case", SUMS)
def test_sum_of_products_passes_if_some_order_gives_it(case):
    call, wrong, right = SUMS[case]
    check(*call, wrong=wrong, right=right)


@for_each("form", FORMATS)
def test_length_of_infinite_and_nan_components_is_unspecified(form):
    for nan in (NAN, SIGNALING[form]):
        check("length", form, ([INF, nan],), unspecified=[INF, NAN])
        check("length", form, ([1.0, nan],), wrong=[INF] if form is not HALF else [1.0])
        check("distance", form, ([INF, nan], [1.0, 1.0]), unspecified=[INF, NAN])
    check("length", form, ([1.0, NAN],), wrong=[1.0])
    check("length", form, ([INF, 1.0],), wrong=[NAN])
    if form is not HALF:  # the difference of two infinities is NaN, not infinite
        check("distance", form, ([INF, 1.0], [INF, 1.0]), wrong=[5.0], right=[NAN])


@for_each("form", FORMATS)
@for_each(
    "name, args, wrong, right",
    [
        ("lgamma", (1.0,), 7.0, 0.0),
        ("lgamma", (-INF,), 0.0, INF),
        ("cross", ([1, 0, 0, 5], [0, 1, 0, 5]), [0, 0, 1, 7], [0, 0, 1, 0]),
        ("cross", ([1e4, 0, 0, 5], [0, 1, 0, 5]), [0, 0, 1e4, 7], [0, 0, 1e4, -0.0]),
        ("normalize", ([INF, -INF],), [NAN, NAN], [0.70703125, -0.70703125]),
        ("normalize", ([INF, -2.0, INF],), [0.70703125, 0.0, 0.70703125], [0.70703125, -0.0, 0.70703125]),
        ("normalize", ([INF, -2.0, INF],), [0.70703125, -0.0, INF], [0.70703125, -0.0, 0.70703125]),
        ("length", ([0.0, -0.0],), NAN, 0.0),
    ],
)
def test_special_value_is_judged_without_a_limit(form, name, args, wrong, right):
    caught = tally(name, form, args, [wrong])
    assert caught.failed == caught.judged == 1
    if name == "normalize" and form is not HALF:  # 0.70703125 is sqrt(1/2) rounded to half
        right = [np.copysign(np.sqrt(0.5), r) if r else r for r in right]
    allowed = tally(name, form, args, [right])
    assert (allowed.failed, allowed.judged) == (0, 1)


def test_failure_shows_the_fourth_component_of_cross():
    (example,) = tally("cross", HALF, ([1, 0, 0, 5], [0, 1, 0, 5]), [[0, 0, 1, 7]]).failures
    assert example.output == 3
    assert example.reason == "cross(p0, p1) = (any, any, any, 0) for 4 elements (OpenCL C++ 1.0, 3.18.2)"


@for_each(
    "name, args, wrong, right",
    [
        ("fast_length", ([0.0, 0.0],), [NAN, INF, 1e-30], [0.0, 1e-44]),
        ("fast_length", ([ROOT, 0.0],), [NAN, INF, -ROOT, 1.01 * ROOT], [0.0, ROOT, ROOT * (1 + 2.0**-11)]),
        ("fast_length", ([1.0, 0.0],), [NAN, INF, 0.0, 1.01], [1.0, 1.0 + 2.0**-11]),
        ("fast_length", ([2.0**64, 0.0],), [NAN, 0.0, 2.0**63], [INF, 2.0**64]),
        ("fast_length", ([2.0**60, 2.0**60],), [NAN, INF, 0.0], [2.0**60.5]),
        ("fast_length", ([2.0**-63, 0.0],), [0.0, NAN], [2.0**-63]),
        ("fast_length", ([2.0**-63.4, 2.0**-63.4],), [0.0], []),  # the squares are subnormal, their sum is normal
        ("fast_length", ([NAN, 0.0],), [0.0, INF], [NAN]),
        ("fast_length", ([INF, 0.0],), [0.0, NAN], [INF]),
        ("fast_distance", ([3.0, 5.0], [3.0, 5.0]), [NAN, 1.0, INF], [0.0]),
        ("fast_distance", ([ROOT, 5.0], [0.0, 5.0]), [NAN, 1.0], [0.0, ROOT]),
        ("fast_distance", ([3e38, 0.0], [-3e38, 0.0]), [NAN, 0.0], [INF]),
        ("mad", (1, 1, 1), [5], [2]),
        ("ldexp", (-1.0, -1000), [0.0], [-0.0]),  # a result that underflows to zero keeps its sign
    ],
)
def test_fast_length_passes_if_half_sqrt_can_give_it(name, args, wrong, right):
    check(name, FLOAT, args, wrong=wrong, right=right)


def test_flushing_device_may_flush_arguments_of_special_values():
    check("fast_length", FLOAT, ([2.0**-63.4, 2.0**-63.4],), FLUSHING, right=[0.0])
    for name, args, flushed in (
        ("log", (-1e-40,), -INF),
        ("ceil", (-1e-40,), 0.0),
        ("sqrt", (-1e-40,), 0.0),
        ("nextafter", (0.0, 1.0), 0.0),
    ):
        check(name, FLOAT, args, FLUSHING, right=[flushed])
        check(name, FLOAT, args, wrong=[flushed])


@for_each("form, profile", [(FLOAT, "embedded"), (HALF, "full")])
def test_zero_does_not_pass_as_flushed_for_a_normal_special_value(form, profile):
    """A zero is wrong there even if the function has no limit elsewhere."""
    criteria, tiny, normal = Criteria(profile, "rte", flushes=True), form.smallest_subnormal, form.smallest_normal
    zeros, late = [0.0, -0.0], replace(criteria, edition="opencl-c-3.1.1")
    for x in (0.0, -24.0, NAN):
        check("lgamma", form, (x,), criteria, wrong=[*zeros, 1.0])
        check("lgamma_r", form, (x,), criteria, wrong=[(zero, 0) for zero in zeros])
    for edition in (criteria, late):
        check("smoothstep", form, (0.0, 1.0, 2.0), edition, wrong=zeros, right=[1.0])
    check("hypot", form, (normal + tiny, 0.0), criteria, wrong=zeros, right=[normal + tiny])
    check("hypot", form, (normal, 0.0), criteria, wrong=zeros, right=[normal])
    # a zero passes if the expected result is subnormal or unspecified, or if an argument is flushed
    check("lgamma", form, (2.5,), criteria, unspecified=zeros)
    check("lgamma", form, (tiny,), criteria, unspecified=zeros)
    check("fabs", form, (-tiny,), criteria, right=[*zeros, tiny], wrong=[2 * tiny])
    check("hypot", form, (tiny, 0.0), criteria, right=[*zeros, tiny])
    check("hypot", form, (normal, tiny), criteria, right=[*zeros, normal])
    check("logb", form, (tiny,), criteria, right=[-INF, form.quantum], wrong=zeros)
    for x, y in ((0.0, 1.0), (-0.0, 1.0), (0.0, -1.0), (normal, 0.0)):
        check("nextafter", form, (x, y), criteria, right=zeros, wrong=[3 * tiny])


def test_sum_of_flushed_products_passes_if_some_order_gives_it():
    """Other results fail even if they are as near to the exact sum as a flushed one."""
    tiny, one = 2.0**-130, 2.0**-120
    for criteria, flushed in ((FULL, "wrong"), (FLUSHING, "right")):
        check(
            "dot", FLOAT, (2.0**-70, 2.0**-60), criteria, right=[tiny], wrong=[tiny / 2, 1.5 * tiny, -tiny, 16 * tiny]
        )
        check("dot", FLOAT, (2.0**-70, 2.0**-60), criteria, **{flushed: [0.0]})
        pair = ([2.0**-70, 1.0], [2.0**-60, one])
        check("dot", FLOAT, pair, criteria, right=[one + tiny], wrong=[one + tiny / 2, one + 2 * tiny])
        check("dot", FLOAT, pair, criteria, **{flushed: [one]})
        planes = ([2.0**-70, 0.0, 0.0], [0.0, 2.0**-60, 0.0])
        check(
            "cross", FLOAT, planes, criteria, right=[[0.0, 0.0, tiny]], wrong=[[0.0, 0.0, tiny / 2], [0.0, tiny, tiny]]
        )
        check("cross", FLOAT, planes, criteria, **{flushed: [[0.0, 0.0, 0.0]]})


def test_root_of_squares_of_which_some_are_flushed_passes():
    """The root of a subnormal sum may be 0, too, as half_sqrt may flush. Results between fail."""
    x, near = 2.0**-64, 2.0**-64 * (1.0 + 2.0**-12)
    for criteria, kept in ((FULL, "wrong"), (FLUSHING, "right")):
        check("fast_length", FLOAT, ([x],), criteria, right=[x, near, 0.0], wrong=[x / 2, 2.0**-100, 2 * x])
        check("fast_length", FLOAT, ([x, x],), criteria, right=[x * 2.0**0.5, 0.0], wrong=[x / 2, 1.2 * x])
        check("fast_length", FLOAT, ([x, x],), criteria, **{kept: [x]})
        check("fast_distance", FLOAT, ([x, 8 * x], [0.0, 0.0]), criteria, right=[x * 65**0.5], wrong=[0.0, x, 7.5 * x])


@for_each("name, x", [("degrees", 2.0**-133), ("radians", -(2.0**-125))])
def test_number_between_a_product_and_its_flushed_zero_fails(name, x):
    due = np.float32(x * {"degrees": 180.0 / np.pi, "radians": np.pi / 180.0}[name])
    nearer = [np.float32(due * share) for share in (0.01, 0.5, 0.99)]
    for criteria, flushed in ((FULL, "wrong"), (FLUSHING, "right")):
        check(name, FLOAT, (np.float32(x),), criteria, wrong=[*nearer, -due, 2 * due], right=[due])
        check(name, FLOAT, (np.float32(x),), criteria, **{flushed: [0.0]})


@for_each("width", [1, 2, 3, 4])
@for_each("fused", [False, True])
def test_fast_length_in_float_arithmetic_passes(width, fused):
    """Squares of every size are summed in float or in double; the root is truncated to 12 bits, or flushed."""
    rng = np.random.default_rng(7)
    p = np.ldexp(rng.uniform(-1, 1, (4000, width)), rng.integers(-140, 128, (4000, 1))).astype(np.float32)
    with np.errstate(all="ignore"):
        wide = p.astype(np.float64 if fused else np.float32)
        total = (wide * wide).sum(axis=-1).astype(np.float32)
        total = np.where(total < FLOAT.smallest_normal, np.float32(0), total)
        root = np.sqrt(total)
    cut = FLOAT.from_bits(FLOAT.bits(root) & np.uint32(0xFFFFE000))
    item = Item(builtin("fast_length"), FLOAT, width)
    found = judge(item, tuple(p.T.copy()), (np.where(np.isfinite(root), cut, root),), FULL)
    assert found.failed == 0, found.failures[:1]
    assert found.judged == 4000


@for_each(
    "option, name, form, args, result",
    [
        ("-cl-finite-math-only", "fmax", FLOAT, (1.0, NAN), NAN),
        ("-cl-finite-math-only", "sqrt", DOUBLE, (INF,), NAN),
        ("-cl-finite-math-only", "tgamma", FLOAT, (40.0,), 0.0),
        ("-cl-fast-relaxed-math", "fmax", FLOAT, (1.0, NAN), NAN),
        ("-cl-no-signed-zeros", "trunc", HALF, (-0.5,), 0.0),
        ("-cl-no-signed-zeros", "mul", FLOAT, (-0.0, 1.0), 0.0),
        ("-cl-unsafe-math-optimizations", "trunc", FLOAT, (-0.5,), 0.0),
        ("-cl-unsafe-math-optimizations", "sin", FLOAT, (1.0,), 0.8415),
        ("-cl-unsafe-math-optimizations", "fabs", FLOAT, (1e-40,), 0.0),
        ("-cl-denorms-are-zero", "fabs", FLOAT, (1e-40,), 0.0),
        ("-cl-denorms-are-zero", "fabs", DOUBLE, (1e-310,), 0.0),
    ],
)
def test_build_option_waives_a_requirement(option, name, form, args, result):
    check(name, form, args, with_options(option), right=[result])
    check(name, form, args, wrong=[result])


@for_each(
    "option, name, form, args, result",
    [
        ("-cl-finite-math-only", "sqrt", HALF, (INF,), NAN),
        ("-cl-finite-math-only", "trunc", FLOAT, (-0.5,), 0.0),
        ("-cl-no-signed-zeros", "fmax", FLOAT, (1.0, NAN), NAN),
        ("-cl-no-signed-zeros", "ceil", FLOAT, (-0.5,), -1.0),
        ("-cl-no-signed-zeros", "recip", DOUBLE, (-1.0,), 1.0),
        ("-cl-no-signed-zeros", "recip", DOUBLE, (-5e-324,), INF),
        ("-cl-unsafe-math-optimizations", "fmax", FLOAT, (1.0, NAN), NAN),
        ("-cl-unsafe-math-optimizations", "sin", DOUBLE, (1.0,), 0.8415),
        ("-cl-denorms-are-zero", "fabs", HALF, (6e-8,), 0.0),
        ("-cl-mad-enable", "mad", FLOAT, (1.0, 1.0, 1.0), 5.0),
        ("-cl-fp32-correctly-rounded-divide-sqrt", "sqrt", FLOAT, (2.0,), 1.4142134),
        ("-cl-fp32-correctly-rounded-divide-sqrt", "div", FLOAT, (1.0, 3.0), 0.33333337),
        ("-cl-opt-disable", "trunc", FLOAT, (-0.5,), 0.0),
    ],
)
def test_build_option_waives_no_other_requirement(option, name, form, args, result):
    check(name, form, args, with_options(option), wrong=[result])


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
def test_build_option_ignores_the_sign_of_zeros_among_arguments_too(option, name, args, right, wrong):
    criteria = with_options(option)
    found = tally(name, DOUBLE, args, [right], criteria)
    assert (found.failed, found.flushed, found.worst) == (0, 0, None)
    check(name, DOUBLE, args, criteria, wrong=[wrong])
    check(name, DOUBLE, args, wrong=[right])


@for_each("name", ["mix", "smoothstep", "dot", "cross", "fast_length", "fast_distance"])
def test_mad_enable_removes_limits_only_in_the_embedded_profile(name):
    """With -cl-mad-enable a * b + c may be mad, which is any value in table 36, but x * y + z in table 37."""
    option = ("-cl-mad-enable",)
    assert limit(name, FLOAT, "embedded", options=option).gives_no_number
    for form, profile in ((FLOAT, "full"), (FLOAT, "relaxed embedded"), (DOUBLE, "embedded"), (HALF, "full")):
        if form in builtin(name).formats:
            assert limit(name, form, profile, options=option) == limit(name, form, profile)


def test_mad_enable_does_not_waive_the_fourth_component_of_cross():
    criteria = with_options("-cl-mad-enable", profile="embedded")
    check("cross", FLOAT, ([1, 2, 3, 4], [4, 3, 2, 1]), criteria, right=[[7, 7, 7, 0]], wrong=[[7, 7, 7, 7]])


@for_each("form", FORMATS)
@for_each("profile", ["full", "embedded", "relaxed", "relaxed embedded"])
def test_fract_must_be_below_one(form, profile):
    below, args = 1.0 - form.eps / 2, (-float(form.smallest_normal),)
    wrong = [(value, -1.0) for value in (1.0, -0.25, NAN)]
    check("fract", form, args, Criteria(profile, "rte", flushes=False), right=[(below, -1.0)], wrong=wrong)


def test_half_mad_is_not_judged():
    check("mad", HALF, (1, 1, 1), unspecified=[5])


@for_each("zero", [0.0, -0.0])
@for_each("bounds", [(0.0, -0.0), (-0.0, 0.0)])
def test_clamp_of_nan_to_zeros_of_both_signs_may_be_either_zero(zero, bounds):
    check("clamp", FLOAT, (NAN, *bounds), right=[zero], wrong=[1.0])
    check("clamp", FLOAT, (-1.0, *bounds), right=[zero])


@for_each(
    "args, wrong",
    [((1.0, 0.0, -0.0), 0.0), ((1.0, -0.0, 0.0), -0.0), ((NAN, 0.0, 0.0), -0.0), ((-1.0, 0.0, 0.0), -0.0)],
)
def test_clamp_keeps_the_sign_of_a_zero_bound(args, wrong):
    check("clamp", FLOAT, args, wrong=[wrong], right=[-wrong])


@for_each("form", FORMATS)
@for_each(
    "name, args, result",
    [
        ("nextafter", (-0.0, 0.0), -0.0),
        ("nextafter", (0.0, -0.0), 0.0),
        ("logb", (1.5,), -0.0),
        ("rsqrt", (INF,), -0.0),
    ],
)
def test_unspecified_sign_of_zero_passes_without_error(form, name, args, result):
    found = tally(name, form, args, [result])
    assert (found.failed, found.worst.error) == (0, 0.0)


@for_each(
    "name, args, result, clause",
    [
        ("fmod", (-6.0, 3.0), 0.0, "wrong sign of zero (ISO/IEC 9899:TC2, F.9.7.1, copysign(result, x))"),
        ("remainder", (-6.0, 3.0), 0.0, "wrong sign of zero (OpenCL C++ 1.0, 3.19.6, the sign of x)"),
        ("add", (1.0, -1.0), -0.0, "wrong sign of zero (OpenCL C++ 1.0, 4.4: IEEE 754, 6.3)"),
        ("ceil", (-0.5,), 0.0, "ceil(-1 < x < 0) = -0 (OpenCL C++ 1.0, 4.5.1)"),
        ("fdim", (1.0, 2.0), -0.0, "fdim(x, y) = +0 for x <= y (OpenCL C++ 1.0, 3.19.7)"),
    ],
)
def test_zero_of_wrong_sign_fails_with_its_clause(name, args, result, clause):
    assert tally(name, FLOAT, args, [result]).reasons == ((clause, 1),)


@for_each("form", FORMATS)
def test_signaling_nan_fails_as_result_of_a_quiet_one(form):
    for name, args in (
        ("sin", (NAN,)),
        ("sqrt", (-1.0,)),
        ("fmax", (NAN, NAN)),
        ("add", (INF, -INF)),
        ("fabs", (NAN,)),
    ):
        found = tally(name, form, args, [SIGNALING[form]])
        assert found.reasons == (("a signaling NaN though no argument is one (OpenCL C++ 1.0, 4.3 and 4.5.1)", 1),)
    for name in ("sin", "sqrt", "fabs"):  # "should be converted" is a recommendation
        check(name, form, (SIGNALING[form],), right=[SIGNALING[form]])


@for_each(
    "name, form, args, profile",
    [
        ("native_sin", FLOAT, (NAN,), "full"),
        ("mad", FLOAT, (NAN, 1.0, 1.0), "embedded"),
        ("mad", HALF, (NAN, 1.0, 1.0), "full"),
    ],
)
def test_signaling_nan_is_unspecified_if_any_result_is_allowed(name, form, args, profile):
    check(name, form, args, Criteria(profile, "rte", flushes=False), unspecified=[SIGNALING[form]])


@for_each("criteria", [FULL, replace(FULL, oracle="mpfr"), FLUSHING])
@for_each("form", FORMATS)
@for_each("name", ["lgamma", "lgamma_r"])
def test_signaling_nan_fails_at_special_values_without_a_limit(name, form, criteria):
    """For 1.5 any result passes, and the result of a signaling NaN may be one."""
    item, others = item_named(name, form.name), () if name == "lgamma" else (np.ones(4, np.int32),)
    x = np.array([NAN, SIGNALING[form], 1.5, 2.5], form.dtype)
    x[1:2] = SIGNALING[form]
    found = judge(item, (x,), (np.repeat(SIGNALING[form], 4), *others), criteria)
    assert found.failed == 1
    assert "signaling NaN" in found.reasons[0][0]
    assert judge(item, (x,), (np.full(4, NAN, form.dtype), *others), criteria).failed == 0


def test_compiled_loop_agrees_on_signaling_nans():
    item = item_named("lgamma", "float")
    x = np.sort(np.random.default_rng(1).integers(0, 2**32, 1 << 14, dtype=np.uint32)).view(np.float32)
    y = (np.repeat(SIGNALING[FLOAT], len(x)),)
    by_blocks = judge_blocks(item, [Block((x,), y)], FULL)
    assert by_blocks.failed == judge(item, (x,), y, replace(FULL, oracle="mpfr")).failed
    assert by_blocks.failed >= np.count_nonzero(np.isnan(x) & ~FLOAT.signals(x)) > 0


@for_each("sign", [1.0, -1.0])
@for_each("oracle", ["auto", "mpfr"])
def test_error_of_infinity_for_a_value_just_below_overflow_is_half_an_ulp(oracle, sign):
    """Its error was once reported as 0."""
    item, criteria = Item(builtin("add"), DOUBLE), replace(FULL, oracle=oracle)
    values = tuple(sign * np.array([x, 1.0]) for x in (DOUBLE.largest, 2.0**970))
    found = judge(item, values, (sign * np.array([INF, 2.0]),), criteria, np.arange(2))
    assert (found.failed, found.worst.index, found.worst.error) == (0, 0, sign * 0.5)


def test_errors_near_overflow():
    """From 2^1024 on infinity has no error, and the errors of finite numbers are large."""
    lows = np.array([-(2.0**-54), -(2.0**-60), 0.0, 2.0**-60])
    exact = Enclosure(np.ones(4), lows, np.zeros(4), np.full(4, 1024))
    assert ulp_errors(np.full(4, INF), exact, DOUBLE).tolist() == [0.5, 2.0**-7, 0.0, 0.0]
    assert ulp_error(FLOAT.largest, 2.0**130, FLOAT) == (FLOAT.largest - 2.0**130) / 2.0**104
    assert ulp_error(-FLOAT.largest, -(2.0**130), FLOAT) == (2.0**130 - FLOAT.largest) / 2.0**104
    assert ulp_error(INF, 2.0**130, FLOAT) == 0.0
    assert ulp_error(FLOAT.largest, 2.0**128, FLOAT) == -1.0


@for_each("name", ["clamp", "max", "min", "smoothstep"])
@for_each("form", FORMATS)
def test_no_special_value_is_prescribed_for_undefined_arguments(name, form):
    found = FULL.limit(Item(builtin(name), form))
    undefined = [met for rule, met in found.clauses if getattr(rule, "why", "") == "undefined"]
    assert undefined
    for special_value in special_values(name):
        values = dict(zip(found.parameters, (a.astype(np.float64) for a in special_value.cases(form)), strict=True))
        assert not any(meets(one, values, form).any() for one in undefined), special_value.text


def test_assertions_and_audits_use_the_same_criteria():
    tiny, one, nan = np.float32(1e-40), np.float32(1.0), np.float32(NAN)
    assert_conforms(np.float32(0.0), "half_sin", (tiny,))  # 3.19.10: may flush as in 4.5.3
    check("half_sin", FLOAT, (tiny,), right=[0.0])
    with pytest.raises(AssertionError, match="a subnormal flushed to zero"):
        assert_conforms(np.float32(0.0), "sin", (tiny,))
    assert_conforms(nan, "fmax", (one, nan), build_options="-cl-finite-math-only")
    with pytest.raises(AssertionError, match="fmax"):
        assert_conforms(nan, "fmax", (one, nan), profile="relaxed")


def test_error_beyond_the_limit_is_not_rounded_to_the_limit():
    x = np.arange(1, 2, 2.0**-14, dtype=np.float32)
    units = np.sqrt(x.astype(np.float64)) / 2.0**-23
    # the root is just above a float, so the error of the third float below that one is just beyond 3 ulp
    beyond = np.argmin(np.abs(units - np.floor(units) - 2.0**-12))
    result = np.float32((np.floor(units[beyond]) - 3) * 2.0**-23)
    with pytest.raises(AssertionError, match=r"\(-3\.000[0-9]*[1-9][0-9]* ulp\), not within the limit: 3 ulp"):
        assert_conforms(result, "sqrt", (x[beyond],))


def test_quotient_in_a_formula_has_the_limit_of_div():
    for name, profile in itertools.product(["degrees", "radians", "smoothstep"], ["full", "embedded"]):
        assert limit(name, FLOAT, profile).text.endswith(f", / within {limit('div', FLOAT, profile).text}")
        assert limit(name, DOUBLE, profile).text.endswith("rounded steps")  # correctly rounded, like div of double
        exact = limit(name, FLOAT, profile, options=(CORRECTLY_ROUNDED,))
        assert exact.text == limit(name, DOUBLE, profile).text


@for_each("formula", ["x +", "sine(x)", "x ** 2", "x[0]"])
def test_text_that_is_not_a_formula_is_refused(formula):
    with pytest.raises(errors.TableError, match="is not a formula; write"):
        parse(f"derived {formula} in rounded steps", "a test")
