"""A device that takes 16 calls at once and is wrong about a special number in one lane is found, whatever the seed."""

import numpy as np
import pytest

import clmath
from clmath.audit.plan.plan import Plan
from clmath.audit.running.run import audit
from clmath.audit.subjects.function import Function
from clmath.numbers.formats import FLOAT
from tests.cases import for_each

KINDS = {
    "NaN": np.isnan,
    "infinity": lambda x: x == np.inf,
    "negative zero": lambda x: (x == 0) & np.signbit(x),
    "smallest subnormal": lambda x: x == np.float32(FLOAT.smallest_subnormal),
}


@pytest.mark.slow
@for_each("seed", [0, 1, 2])
@for_each("kind", KINDS)
@for_each("lane", [3, 9])
@for_each("name", ["exp2", "cbrt"])
def test_is_blamed(name, lane, kind, seed):
    def subject(_, x):
        result = getattr(clmath, name)(x)
        met = KINDS[kind](x) & (np.arange(len(x)) % 16 == lane)
        return np.where(met, np.float32(7.0), result)

    (verdict,) = audit(Plan.of([name], [FLOAT], seed=seed, jobs=1, second_look=False), Function(subject, "subject"))
    assert verdict.status == "fail"
