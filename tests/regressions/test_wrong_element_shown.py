"""A vector that is wrong as a whole is shown by an element that differs from the expected one."""

import numpy as np
import pytest

from clmath import reference
from clmath.audit.isolation.choosing import subject
from clmath.audit.plan.plan import Plan
from clmath.audit.running.run import audit
from clmath.numbers.formats import FLOAT
from clmath.numbers.rounding import round_enclosure


class LosesTheLastSign:
    """normalize of float2, right but for the sign of a zero in the last element."""

    name = "loses the last sign"

    def __init__(self):
        self.whole = subject("clmath")

    def __getattr__(self, attribute):
        return getattr(self.whole, attribute)

    def evaluate(self, _row, _form, args):
        lanes = [args[0][..., i].ravel() for i in range(args[0].shape[-1])]
        found = [round_enclosure(e, FLOAT, "rte")[0] for e in reference.enclose("normalize", lanes, FLOAT)]
        found[-1] = found[-1] + np.float32(0.0)
        return (np.stack(found, axis=-1).reshape(args[0].shape),)


@pytest.mark.slow
def test_the_element_that_differs_is_shown():
    plan = Plan.of(["normalize"], ["float"], inputs=64, jobs=1)
    verdicts = [v for v in audit(plan, LosesTheLastSign()) if v.item.width == 2]
    (verdict,) = verdicts
    assert verdict.status == "fail"
    for example in verdict.tally.failures:
        assert example.output == 1
        assert (example.got, example.expected) == (0, 0x80000000)
