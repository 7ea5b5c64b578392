"""A function that is wrong only within a small distance of a special point is found, though random inputs miss it."""

import numpy as np
import pytest

import clmath
from clmath.audit.plan.plan import Plan
from clmath.audit.running.run import audit
from clmath.audit.subjects.function import Function
from clmath.numbers.formats import DOUBLE, FLOAT
from tests.cases import for_each

WRONG = {FLOAT: 1.0 + 2.0**-16, DOUBLE: 1.0 + 2.0**-40}


@pytest.mark.slow
@for_each("form", [FLOAT, DOUBLE])
@for_each("distance", [2.0**-6, 2.0**-12, 2.0**-18])
@for_each(
    ("name", "point"),
    [("log", 1.0), ("log1p", -1.0), ("acos", 1.0), ("atanh", -1.0), ("sin", np.pi), ("tgamma", -1.0), ("cbrt", 1.0)],
)
def test_is_blamed(name, point, distance, form):
    def subject(_, x):
        result = getattr(clmath, name)(x)
        off = np.abs(x.astype(np.float64) - point)
        return np.where((off > distance / 8) & (off < distance), result * WRONG[form], result).astype(x.dtype)

    (verdict,) = audit(Plan.of([name], [form], inputs=0, jobs=1, second_look=False), Function(subject, "subject"))
    assert verdict.status == "fail"
