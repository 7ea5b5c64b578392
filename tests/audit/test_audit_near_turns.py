"""The numbers closest to multiples of pi/2, compared with all numbers of a binade, and with mpmath in double."""

import math

import mpmath
import numpy as np
import pytest

from clmath.audit.inputs import structured
from clmath.audit.inputs.hard import near_turns
from clmath.audit.plan.plan import Plan
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from tests.cases import for_each

SHORT = math.floor(math.pi * 2.0**27) / 2.0**28  # 28 bits of pi/2: its products with integers below 2^25 are exact
REST = (math.pi / 2 - SHORT) + 6.123233995736766e-17


@pytest.mark.slow
@for_each("form, exponent", [*((HALF, e) for e in range(1, 16)), (FLOAT, 21)])
def test_no_number_of_the_binade_is_closer(form, exponent):
    significands = np.arange(1 << form.precision - 1, 1 << form.precision)
    every = np.ldexp(significands.astype(np.float64), exponent + 1 - form.precision)
    turns = np.rint(every / (SHORT + REST))
    apart = np.abs((every - turns * SHORT) - turns * REST)
    closest = every[np.argsort(apart)[:2]]
    found = near_turns(form)
    assert set(found[(found >= 2.0**exponent) & (found < 2.0 ** (exponent + 1))]) == set(closest)


def test_distances_of_doubles_are_small():
    """Nearly all are as small as the best of 2^52 evenly spread numbers; the least is known from the literature."""
    with mpmath.workprec(1300):
        turns = [mpmath.mpf(float(x)) * 2 / mpmath.pi for x in near_turns(DOUBLE)]
        apart = np.array([float(abs(t - mpmath.nint(t))) for t in turns])
    large = near_turns(DOUBLE) >= 2.0**53
    assert np.median(apart[large]) < 2.0**-52
    assert np.mean(apart[large] < 2.0**-47) > 0.98
    assert apart[large].max() < 2.0**-45
    assert apart.min() < 2.0**-60
    assert 6381956970095103.0 * 2.0**797 in near_turns(DOUBLE)


@for_each("name", ["sin", "tan", "half_cos", "native_sin"])
def test_audits_try_these_numbers(name):
    (item,) = Plan.of([name], [FLOAT]).items()
    (x,) = structured.structured(item)
    near = near_turns(FLOAT).astype(np.float32)
    assert np.isin(near, x).all()
    assert np.isin(-near, x).all()
