"""The largest finite number is not within 3 ulp of a result that lies far beyond it."""

import numpy as np

import clmath
from clmath.audit.plan.plan import Plan
from clmath.audit.running.run import audit
from clmath.audit.subjects.function import Function
from clmath.numbers.formats import FLOAT, FORMATS
from clmath.numbers.rounding import ulp_error
from tests.cases import for_each


def saturating(name, x):
    """``name``, with the largest finite number for results that overflow."""
    result = getattr(clmath, name)(x)
    largest = np.copysign(np.finfo(result.dtype).max, result)
    return np.where(np.isinf(result) & np.isfinite(x), largest, result)


@for_each("form", FORMATS)
@for_each("name", ["exp", "sinh"])
def test_a_device_that_saturates_is_blamed(name, form):
    plan = Plan.of([name], [form], inputs=200, jobs=1, second_look=False)
    (verdict,) = audit(plan, Function(saturating, "saturating"))
    assert verdict.status == "fail"
    assert verdict.reason == "a finite number where an infinity is due"


def test_errors_far_beyond_the_largest():
    assert ulp_error(FLOAT.largest, 2.0**130, FLOAT) == (FLOAT.largest - 2.0**130) / 2.0**104
    assert ulp_error(-FLOAT.largest, -(2.0**130), FLOAT) == (2.0**130 - FLOAT.largest) / 2.0**104
    assert ulp_error(np.inf, 2.0**130, FLOAT) == 0.0
    assert ulp_error(FLOAT.largest, 2.0**128, FLOAT) == -1.0
