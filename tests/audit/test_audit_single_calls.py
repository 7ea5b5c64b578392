"""Single calls of math, common and geometric built-ins: wrong ones that are near, and right ones that look wrong."""

from __future__ import annotations

import numpy as np
import pytest

from clmath.audit.inputs.layout import dtypes
from clmath.audit.judge.piece import judge
from clmath.audit.law.law import Law
from clmath.audit.plan.rows import item_named
from tests.cases import for_each

NAN, INF = np.nan, np.inf
FULL, FLUSHING = Law("full", "rte", flushes=False), Law("full", "rte", flushes=True)

WRONG = [
    ("frexp", "float", (8.0,), (1.0, 3)),
    ("frexp", "float", (0.0,), (0.0, 1)),
    ("frexp", "float", (INF,), (INF, 5)),
    ("modf", "float", (-0.0,), (0.0, -0.0)),
    ("modf", "float", (INF,), (NAN, INF)),
    ("fract", "float", (-0.0,), (0.0, -0.0)),
    ("fract", "float", (-INF,), (0.0, -INF)),
    ("fract", "float", (1.5,), (0.5, 2.0)),
    ("remquo", "float", (5.0, 2.0), (1.0, 3)),
    ("remquo", "float", (INF, 2.0), (NAN, 1)),
    ("remquo", "float", (5.0, 2.0), (1.0, -2)),
    ("lgamma_r", "float", (-1.0,), (INF, 1)),
    ("lgamma_r", "float", (0.5,), (0.5723649429, -1)),
    ("lgamma_r", "double", (-1.5,), (0.860047015376, -1)),
    ("ldexp", "float", (1.0, 128), (3.4028235e+38,)),
    ("ldexp", "float", (1.0, -150), (1e-45,)),
    ("ldexp", "float", (-1.0, -151), (0.0,)),
    ("rootn", "float", (-8.0, 2), (-2.828,)),
    ("rootn", "float", (-0.0, 3), (0.0,)),
    ("rootn", "float", (8.0, 0), (1.0,)),
    ("pown", "float", (NAN, 0), (NAN,)),
    ("powr", "float", (-1.0, 2.0), (1.0,)),
    ("powr", "float", (1.0, INF), (1.0,)),
    ("pow", "float", (1.0, NAN), (NAN,)),
    ("pow", "float", (-1.0, INF), (NAN,)),
    ("pow", "float", (-2.0, 3.0), (8.0,)),
    ("pow", "float", (-2.0, 2.5), (5.65,)),
    ("hypot", "float", (INF, NAN), (NAN,)),
    ("atan2", "float", (-0.0, -1.0), (3.1415927,)),
    ("atan2", "float", (0.0, 0.0), (-0.0,)),
    ("fmin", "float", (1.0, NAN), (NAN,)),
    ("maxmag", "float", (-2.0, 1.0), (1.0,)),
    ("fdim", "float", (1.0, 2.0), (-0.0,)),
    ("fdim", "float", (NAN, 1.0), (0.0,)),
    ("nextafter", "float", (1.0, 1.0), (1.0000001,)),
    ("nextafter", "float", (0.0, -1.0), (0.0,)),
    ("nextafter", "float", (3.4028235e+38, INF), (3.4028235e+38,)),
    ("logb", "float", (0.0,), (-127.0,)),
    ("logb", "float", (-INF,), (-INF,)),
    ("ilogb", "float", (INF,), (128,)),
    ("ilogb", "float", (1e-45,), (-127,)),
    ("tgamma", "float", (-1.0,), (INF,)),
    ("tgamma", "float", (0.0,), (-INF,)),
    ("tgamma", "float", (-INF,), (0.0,)),
    ("sign", "float", (-0.0,), (0.0,)),
    ("sign", "float", (NAN,), (NAN,)),
    ("step", "float", (1.0, 1.0), (0.0,)),
    ("clamp", "float", (5.0, 1.0, 3.0), (5.0,)),
    ("mix", "float", (1.0, 3.0, 0.5), (2.0000002,)),
    ("degrees", "half", (1.0,), (57.5,)),
    ("cross", "float", ([1.0, 0, 0, 1], [0, 1.0, 0, 1]), ([0, 0, 1.0, 1.0],)),
    ("normalize", "float", ([0.0, -0.0],), ([0.0, 0.0],)),
    ("normalize", "float", ([INF, 1.0],), ([1.0, 1e-08],)),
    ("length", "float", ([-3.0],), (-3.0,)),
    ("distance", "half", ([1.0], [3.0]), (-2.0,)),
    ("fast_length", "float", ([-3.0],), (-3.0,)),
    ("dot", "float", ([1.0, 2.0], [3.0, 4.0]), (11.000001,)),
    ("sincos", "float", (0.0,), (0.0, 0.99999)),
    ("sinpi", "float", (-1.0,), (0.0,)),
    ("tanpi", "float", (1.0,), (0.0,)),
    ("cospi", "float", (0.5,), (-0.0,)),
    ("exp", "float", (-INF,), (-0.0,)),
    ("log", "float", (-0.0,), (INF,)),
    ("rsqrt", "float", (-0.0,), (INF,)),
    ("cbrt", "float", (-0.0,), (0.0,)),
    ("erf", "float", (INF,), (0.9999999,)),
    ("half_exp", "float", (200.0,), (1e+38,)),
    ("half_sqrt", "float", (-1.0,), (0.0,)),
    ("rint", "float", (2.5,), (3.0,)),
    ("round", "float", (2.5,), (2.0,)),
    ("round", "float", (0.49999997,), (1.0,)),
    ("trunc", "float", (-0.5,), (0.0,)),
    ("nan", "float", (5,), (1.0,)),
    ("copysign", "float", (NAN, -1.0), (1.0,)),
    ("fabs", "float", (NAN,), (1.0,)),
    ("maxmag", "float", (NAN, NAN), (1.0,)),
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

# a device that takes subnormal operands for zeros, or returns zeros for them
FLUSHED = [
    ("exp2", "float", (-149.5,), (0.0,)),
    ("add", "float", (1e-45, 1e-45), (0.0,)),
    ("mul", "float", (1e-45, 1.7014118346046923e+38), (0.0,)),
    ("div", "float", (1.0, 1e-45), (INF,)),
    ("sqrt", "float", (1e-45,), (0.0,)),
    ("rsqrt", "float", (1e-45,), (INF,)),
    ("log", "float", (1e-45,), (-INF,)),
    ("ilogb", "float", (1e-45,), (-2147483648,)),
    ("frexp", "float", (1e-45,), (0.0, 0)),
    ("ldexp", "float", (1e-45, 100), (0.0,)),
    ("nextafter", "float", (0.0, 1.0), (1.1754943508222875e-38,)),
    ("fmod", "float", (1e-45, 1.0), (0.0,)),
    ("fmod", "float", (1.0, 1e-45), (NAN,)),
    ("remquo", "float", (1.0, 1e-45), (NAN, 0)),
    ("sign", "float", (1e-45,), (0.0,)),
    ("step", "float", (1e-45, 0.0), (1.0,)),
    ("pow", "float", (1e-45, 0.0), (1.0,)),
    ("powr", "float", (1e-45, 0.0), (NAN,)),
    ("pow", "float", (1e-45, -1.0), (INF,)),
    ("atan2", "float", (1e-45, 1e-45), (0.0,)),
    ("hypot", "float", (1e-45, 0.0), (0.0,)),
    ("length", "float", ([1e-45, 0.0],), (0.0,)),
    ("normalize", "float", ([1e-45, 0.0],), ([0.0, 0.0],)),
    ("normalize", "float", ([1e-45, 1.0],), ([0.0, 1.0],)),
    ("tgamma", "float", (1e-45,), (INF,)),
    ("tgamma", "float", (1e-45,), (-INF,)),
    ("sinpi", "float", (1e-45,), (-0.0,)),
    ("modf", "float", (1e-45,), (0.0, 0.0)),
    ("ceil", "float", (1e-45,), (0.0,)),
    ("copysign", "float", (1e-45, -1.0), (0.0,)),
    ("max", "float", (1e-45, -1e-45), (-0.0,)),
    ("clamp", "float", (1e-45, 0.0, 1.0), (0.0,)),
    ("smoothstep", "float", (0.0, 1.0, 1e-45), (0.0,)),
    ("mix", "float", (1e-45, 1.0, 0.0), (0.0,)),
    ("degrees", "float", (1e-45,), (0.0,)),
    ("radians", "float", (1e-37,), (0.0,)),
]  # fmt: skip


def judged(name, form, args, results, law=FULL):
    """The tally of one call; vectors are lists."""
    width = len(args[0]) if isinstance(args[0], list) else 0
    item = item_named(name, form, width)
    numbers = [n for a in args for n in (a if width else [a])]
    values = tuple(np.array([n]).astype(t) for n, t in zip(numbers, dtypes(item), strict=True))
    given = zip(results, item.layout(1), strict=True)
    return judge(item, values, tuple(np.array(r).astype(t).reshape(shape) for r, (t, shape) in given), law)


def ids(call):
    return f"{call[0]} {call[1]}"


@pytest.mark.slow
@for_each("call", WRONG)
def test_wrong(call):
    assert judged(*call).failed == 1


@for_each("call", RIGHT)
def test_right(call):
    found = judged(*call)
    assert (found.failed, found.judged) == (0, 1)


@for_each("call", FLUSHED)
def test_right_where_subnormals_are_flushed(call):
    found = judged(*call, FLUSHING)
    assert (found.failed, found.judged) == (0, 1)
