"""Single calls of math, common and geometric built-ins: wrong results that are near, correct ones that look wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.audit.single_calls import FULL, check, outcome, tally
from tests.cases import for_each

NAN, INF = np.nan, np.inf
FLUSHING = replace(FULL, flushes=True)

WRONG = [
    ("fmax", "float", (-1.0, 0.0), (-0.0,)),
    ("fract", "float", (-1e-30,), (1.0, -1.0)),
    ("remquo", "float", (1000.0, 1.0), (0.0, -(1000 & 127))),
    ("lgamma_r", "float", (-0.5,), (1.2655121, 1)),
    ("mul", "float", (2.0**-100, 2.0**-100), (-0.0,)),
    ("fma", "float", (2.0**-100, -(2.0**-100), 0.0), (0.0,)),
    ("sin", "float", (1e-40,), (0.0,)),
    ("frexp", "float", (8.0,), (1.0, 3)),
    ("frexp", "float", (INF,), (INF, 5)),
    ("modf", "float", (INF,), (NAN, INF)),
    ("fract", "float", (1.5,), (0.5, 2.0)),
    ("remquo", "float", (5.0, 2.0), (1.0, 3)),
    ("remquo", "float", (5.0, 2.0), (1.0, -2)),
    ("lgamma_r", "double", (-1.5,), (0.860047015376, -1)),
    ("ldexp", "float", (1.0, 128), (3.4028235e+38,)),
    ("ldexp", "float", (-1.0, -151), (0.0,)),
    ("rootn", "float", (-8.0, 2), (-2.828,)),
    ("rootn", "float", (8.0, 0), (1.0,)),
    ("pow", "float", (1.0, NAN), (NAN,)),
    ("pow", "float", (-2.0, 3.0), (8.0,)),
    ("hypot", "float", (INF, NAN), (NAN,)),
    ("atan2", "float", (-0.0, -1.0), (3.1415927,)),
    ("maxmag", "float", (-2.0, 1.0), (1.0,)),
    ("fdim", "float", (NAN, 1.0), (0.0,)),
    ("nextafter", "float", (1.0, 1.0), (1.0000001,)),
    ("nextafter", "float", (3.4028235e+38, INF), (3.4028235e+38,)),
    ("logb", "float", (0.0,), (-127.0,)),
    ("ilogb", "float", (1e-45,), (-127,)),
    ("tgamma", "float", (-1.0,), (INF,)),
    ("clamp", "float", (5.0, 1.0, 3.0), (5.0,)),
    ("mix", "float", (1.0, 3.0, 0.5), (2.0000002,)),
    ("degrees", "half", (1.0,), (57.5,)),
    ("cross", "float", ([1.0, 0, 0, 1], [0, 1.0, 0, 1]), ([0, 0, 1.0, 1.0],)),
    ("normalize", "float", ([INF, 1.0],), ([1.0, 1e-08],)),
    ("distance", "half", ([1.0], [3.0]), (-2.0,)),
    ("fast_length", "float", ([-3.0],), (-3.0,)),
    ("dot", "float", ([1.0, 2.0], [3.0, 4.0]), (11.000001,)),
    ("sinpi", "float", (-1.0,), (0.0,)),
    ("half_exp", "float", (200.0,), (1e+38,)),
    ("rint", "float", (2.5,), (3.0,)),
    ("round", "float", (0.49999997,), (1.0,)),
    ("trunc", "float", (-0.5,), (0.0,)),
    ("copysign", "float", (NAN, -1.0), (1.0,)),
    ("minmag", "float", (-1.0, 1.0), (1.0,)),
    ("smoothstep", "float", (0.0, 1.0, 2.0), (0.99999,)),
    ("mad", "float", (1.000244140625, 1.000244140625, -1.00048828125), (1.1920928955078125e-07,)),
]  # fmt: skip

RIGHT = [
    ("frexp", "float", (INF,), (INF, 0)),
    ("modf", "float", (-INF,), (-0.0, -INF)),
    ("remquo", "float", (5.0, 2.0), (1.0, 2)),
    ("ldexp", "float", (1.0, -150), (0.0,)),
    ("half_recip", "float", (0.0,), (INF,)),
    ("minmag", "float", (-1.0, 1.0), (-1.0,)),
    ("fmax", "float", (NAN, NAN), (NAN,)),
    ("exp2", "float", (-149.5,), (0.0,)),
    ("mad", "float", (1.000244140625, 1.000244140625, -1.00048828125), (0.0,)),
    ("mad", "float", (1.000244140625, 1.000244140625, -1.00048828125), (5.960464477539063e-08,)),
    ("fract", "float", (-1e-45,), (0.9999999403953552, -1.0)),
]  # fmt: skip

# a device that replaces subnormal operands or results by zeros
FLUSHED = [
    ("exp2", "float", (-149.5,), (0.0,)),
    ("add", "float", (1e-45, 1e-45), (0.0,)),
    ("mul", "float", (1e-45, 1.7014118346046923e+38), (0.0,)),
    ("log", "float", (1e-45,), (-INF,)),
    ("ilogb", "float", (1e-45,), (-2147483648,)),
    ("frexp", "float", (1e-45,), (0.0, 0)),
    ("ldexp", "float", (1e-45, 100), (0.0,)),
    ("nextafter", "float", (0.0, 1.0), (1.1754943508222875e-38,)),
    ("fmod", "float", (1e-45, 1.0), (0.0,)),
    ("fmod", "float", (1.0, 1e-45), (NAN,)),
    ("remquo", "float", (1.0, 1e-45), (NAN, 0)),
    ("step", "float", (1e-45, 0.0), (1.0,)),
    ("pow", "float", (1e-45, 0.0), (1.0,)),
    ("pow", "float", (1e-45, -1.0), (INF,)),
    ("atan2", "float", (1e-45, 1e-45), (0.0,)),
    ("length", "float", ([1e-45, 0.0],), (0.0,)),
    ("normalize", "float", ([1e-45, 0.0],), ([0.0, 0.0],)),
    ("normalize", "float", ([1e-45, 1.0],), ([0.0, 1.0],)),
    ("tgamma", "float", (1e-45,), (INF,)),
    ("tgamma", "float", (1e-45,), (-INF,)),
    ("sinpi", "float", (1e-45,), (-0.0,)),
    ("clamp", "float", (1e-45, 0.0, 1.0), (0.0,)),
    ("mix", "float", (1e-45, 1.0, 0.0), (0.0,)),
    ("radians", "float", (1e-37,), (0.0,)),
]  # fmt: skip


# unspecified results
OPEN = [
    ("ilogb", "float", (0.0,), (-(2**31),)),
    ("ilogb", "float", (0.0,), (-(2**31) + 1,)),
    ("ilogb", "float", (NAN,), (2**31 - 1,)),
    ("ilogb", "float", (NAN,), (-(2**31),)),
    ("lgamma_r", "float", (-INF,), (INF, -1)),
    ("lgamma_r", "float", (NAN,), (NAN, 0)),
    ("fmax", "float", (0.0, -0.0), (-0.0,)),
    ("fmin", "float", (0.0, -0.0), (0.0,)),
    ("maxmag", "float", (-0.0, 0.0), (-0.0,)),
    ("max", "float", (NAN, 1.0), (7.0,)),
    ("clamp", "float", (1.0, 3.0, 2.0), (9.0,)),
    ("smoothstep", "float", (1.0, 1.0, 2.0), (9.0,)),
    ("mix", "float", (1.0, 2.0, 1.5), (9.0,)),
    ("half_sin", "float", (65537.0,), (9.0,)),
    ("native_sin", "float", (0.0,), (9.0,)),
    ("native_sin", "float", (1.0,), (9.0,)),
    ("remquo", "float", (1000.0, 1.0), (0.0, 1000 & 127)),
    ("remquo", "float", (1000.0, 1.0), (0.0, 1000)),
    ("remquo", "float", (-1000.0, 1.0), (-0.0, -(1000 & 127))),
    ("remquo", "float", (128.0, 1.0), (0.0, 0)),
]

# wrong also on a device that flushes
NEVER_FLUSHED = [
    ("add", "float", (1.0, 2.0**-126), (0.0,)),
    ("mul", "float", (2.0**-126, 1.0), (0.0,)),
    ("fabs", "float", (1e-40,), (2e-40,)),
    ("fabs", "float", (1e-30,), (0.0,)),
    ("exp", "float", (-80.0,), (0.0,)),
    ("recip", "float", (1e-40,), (1.0,)),
    ("nextafter", "float", (1.0, 2.0), (1.0,)),
    ("fract", "float", (1e-40,), (0.0, 1.0)),
    ("mad", "float", (2.0**-100, 2.0**-26, 2.0**-120), (2.0**-120,)),  # the product is a normal number
    ("mul", "float", (2.0**-126, 1.0 + 2.0**-23), (0.0,)),
    ("exp2", "float", (-126.0 + 2.0**-17,), (0.0,)),
    ("exp2", "float", (-126.0 + 5 * 2.0**-17,), (0.0,)),
]

# conforming only on a device that flushes (3.19.6, 4.2 and 4.5.3)
BY_FLUSHING = [
    ("nextafter", "float", (2.0**-126, 0.0), (-0.0,)),
    ("nextafter", "float", (-(2.0**-126), 1.0), (0.0,)),
    ("nextafter", "float", (-0.0, 1.0), (2.0**-126,)),
    ("nextafter", "float", (0.0, -1.0), (-(2.0**-126),)),
    ("nextafter", "float", (2.0**-149, 1.0), (2.0**-126,)),
    ("mad", "float", (2.0**-70, 2.0**-57, 2.0**-126), (2.0**-126,)),
    # (1 + 2^-23)(1 - 2^-23) 2^-126 is just below the smallest normal number and rounds to it
    ("mul", "float", (2.0**-126 * (1 + 2.0**-23), 1 - 2.0**-23), (0.0,)),
]


@for_each(
    "calls, criteria, due",
    [
        (WRONG, FULL, {"wrong"}),
        (RIGHT, FULL, {"right"}),
        (OPEN, FULL, {"right", "unspecified"}),
        (FLUSHED, FLUSHING, {"right"}),
        (NEVER_FLUSHED, FLUSHING, {"wrong"}),
        (BY_FLUSHING, FLUSHING, {"right"}),
        (BY_FLUSHING, FULL, {"wrong"}),
    ],
)
def test_outcome_of_single_calls(calls, criteria, due):
    found = {str(call): outcome(*call, criteria) for call in calls}
    assert [call for call, one in found.items() if one not in due] == []


@for_each(
    "call",
    [
        ("mul", "double", (2.0**-1022 * (1 + 2.0**-52), 1 - 2.0**-52), (0.0,)),
        ("exp2", "double", (-1030.0,), (0.0,)),
    ],
)
@for_each("flushes", [False, True])
def test_double_is_flushed_only_by_a_build_option(call, flushes):
    """4.2: subnormals are optional only in float; -cl-denorms-are-zero applies to double as well."""
    *call, result = call
    criteria = replace(FULL, flushes=flushes)
    assert tally(*call, [result], criteria).failed == 1
    assert tally(*call, [result], replace(criteria, options=("-cl-denorms-are-zero",))).flushed == 1


@for_each("name, ulps", [("sin", 4), ("asin", 4), ("expm1", 3), ("half_sin", 8192)])
def test_results_rounded_to_the_smallest_normal_number_may_be_flushed(name, ulps):
    """If that number conforms for an argument, a subnormal just below it conforms as well, and may be flushed."""
    outcomes = []
    for steps in range(ulps - 2, ulps + 3):
        x = (2.0**-126 + steps * 2.0**-149,)
        outcomes.append(outcome(name, "float", x, 2.0**-126, FLUSHING) == "right")
        assert (outcome(name, "float", x, 0.0, FLUSHING) == "right") == outcomes[-1]
        assert outcome(name, "float", x, 0.0) == "wrong" or name == "half_sin"  # half_sin may always flush
    assert outcomes == sorted(outcomes, reverse=True)
    assert set(outcomes) == {True, False}


def test_unspecified_sign_of_zero_covers_results_that_underflow():
    """The cross product's y is -2^-28 before rounding; a zero of either sign passes."""
    args = [2.0**-14, 0, 0], [0, 0, 2.0**-14]
    check("cross", "half", args, right=[[0.0, 0.0, 0.0], [0.0, -0.0, 0.0]], wrong=[[0.0, 2.0**-24, 0.0]])


def test_nan_in_an_unused_component_waives_no_limit():
    """Fourth components do not enter a cross product; the other components keep their limits."""
    p0, p1 = [1.25, 3.0, -2.0, NAN], [0.75, 1.5, 4.0, 1.0]
    exact = np.cross(p0[:3], p1[:3]).astype(np.float16)
    check("cross", "half", (p0, p1), right=[[*np.nextafter(exact, np.float16(0)), 0.0]])


def test_result_of_either_mode_passes_where_both_are_allowed():
    near, far = 1.0 + 2.0**-23, 1.0 + 2.0**-22
    either = replace(FULL, also=("rtz",))
    check("add", "float", (1.0, 2.0**-24 + 2.0**-25), either, right=[near, 1.0], wrong=[far])
