"""A function that is wrong at a single exact case, or where a reduction changes its step, is found without chance."""

import numpy as np
import pytest

import clmath
from clmath.audit.plan.plan import Plan
from clmath.audit.running.run import audit
from clmath.audit.subjects.function import Function
from clmath.numbers.formats import DOUBLE, FLOAT
from tests.cases import for_each

PLACES = 33  # more than any limit allows


def wrong_at(name, *point):
    """The built-in, off by some places at one call."""

    def subject(_, *args):
        result = getattr(clmath, name)(*args)
        met = np.logical_and.reduce([a == a.dtype.type(p) for a, p in zip(args, point, strict=True)])
        bits = result.view(f"i{result.dtype.itemsize}")
        return np.where(met, bits + PLACES, bits).view(result.dtype)

    return Function(subject, "subject")


CASES = [
    ("log10", 1e3),
    ("log10", 0.1),
    ("log10", 1e15),
    ("log10", 1e22),
    ("exp2", -119.0),
    ("exp2", 113.0),
    ("exp10", -29.0),
    ("sqrt", 1e20),
    ("sqrt", 1e36),
    ("sqrt", 529.0),
    ("rsqrt", 961.0),
    ("cbrt", 343.0),
    ("cbrt", 1e3),
    ("cbrt", -1e-9),
    ("exp", np.log(2.0) / 2),
    ("expm1", -3 * np.log(2.0) / 2),
    ("sinh", np.log(2.0)),
    ("cos", np.pi / 4),
    ("sin", 3 * np.pi / 4),
    ("tan", 5 * np.pi / 4),
    ("log", np.sqrt(2.0)),
    ("log1p", np.sqrt(2.0) - 1.0),
    ("hypot", 5.0, 12.0),
    ("hypot", -21.0, 20.0),
    ("pow", 10.0, 10.0),
    ("pow", -3.0, 13.0),
    ("powr", 7.0, 8.0),
    ("pown", 11.0, -5),
]


@pytest.mark.slow
@for_each("form", [FLOAT, DOUBLE])
@for_each("call", CASES)
def test_is_blamed(call, form):
    name, *point = call
    (verdict,) = audit(Plan.of([name], [form], inputs=0, jobs=1, second_look=False), wrong_at(name, *point))
    assert verdict.status == "fail"
    worst = verdict.tally.worst
    found = [
        float(form.from_bits(a)) if k == "gentype" else a for a, k in zip(worst.args, verdict.item.columns, strict=True)
    ]
    assert found == [float(form.dtype.type(p)) for p in point]
