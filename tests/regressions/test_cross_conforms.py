"""cross is within its own limit: no intermediate product overflows, underflows or loses the digits that cancel."""

import numpy as np
import pytest

import clmath
from clmath.audit.isolation.choosing import subject
from clmath.audit.plan.plan import Plan
from clmath.audit.running.run import audit


@pytest.mark.parametrize(
    ("p0", "p1", "lane", "wanted"),
    [
        # both products overflow half, their difference does not
        ([341.0, -453.5, 2928.0], [335.75, -453.0, 2954.0], 0, -453.5 * 2954.0 + 2928.0 * 453.0),
        # both products underflow half, their difference is the smallest subnormal
        ([-(2.0**-13), 0.0, 2.0**-12], [2.0**-12, 0.0, 2.0**-13], 1, 2.0**-24 + 2.0**-26),
        ([-(2.0**-13), 0.0, 1.5 * 2.0**-13], [1.5 * 2.0**-13, 0.0, 2.0**-13], 1, 3.25 * 2.0**-26),
    ],
)
def test_the_difference_of_products_is_rounded_once(p0, p1, lane, wanted):
    got = clmath.cross(np.float16(p0), np.float16(p1))
    assert got[lane] == np.float16(wanted) != 0.0


def test_cross_passes_its_own_audit():
    verdicts = list(audit(Plan.of(["cross"], ["half"], inputs=3000, jobs=1), subject("clmath")))
    assert [v.status for v in verdicts] == ["pass", "pass"]
