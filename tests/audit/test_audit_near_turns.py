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


def first_within(step, modulus, low, high):
    """Return the least k >= 0 for which k * step modulo ``modulus`` is in [low, high], or None without such a k."""
    step %= modulus
    if low == 0 or step == 0:
        return 0 if low == 0 else None
    if 2 * step > modulus:
        return first_within(modulus - step, modulus, modulus - high, modulus - low)
    if -(-low // step) * step <= high:
        return -(-low // step)
    turns = first_within(-modulus, step, low % step, high % step)
    return None if turns is None else -(-(low + modulus * turns) // step)


def has_one(step, modulus, low, high, start=1 << 52, count=1 << 52):  # noqa: PLR0917 - numbers of one equation
    """Whether (start + k) * step modulo ``modulus`` is in [low, high], low <= high, for any k below ``count``."""
    low, high = ((end - start * step) % modulus for end in (low, high))
    ranges = [(low, high)] if low <= high else [(low, modulus - 1), (0, high)]
    found = [first_within(step, modulus, *ends) for ends in ranges]
    return any(k is not None and k < count for k in found)


def test_no_double_of_a_binade_is_closer():
    """Exact: multiples of 2^e 2/pi modulo 1, in integers with 128 bits behind those that matter."""
    one = 1 << 53 + 128
    with mpmath.workprec(2400):
        digits = int(mpmath.ldexp(2 / mpmath.pi, 1400))
    for exponent, binade in enumerate(near_turns(DOUBLE).reshape(DOUBLE.emax, 2), 1):
        assert (np.frexp(binade)[1] == exponent + 1).all()
        step = (digits << exponent >> 52 + 1400 - 53 - 128) % one  # the fraction of 2^(e - 52) 2/pi
        rests = sorted(min(rest, one - rest) for rest in (int(np.ldexp(x, 52 - exponent)) * step % one for x in binade))
        closest, next_closest = rests
        for low, high in [(0, closest - 1), (closest + 1, next_closest - 1)]:
            if low <= high:
                assert not has_one(step, one, low, high), exponent
                assert not has_one(step, one, one - high, one - max(low, 1)), exponent


@for_each("name", ["sin", "tan", "half_cos", "native_sin"])
def test_audits_try_these_numbers(name):
    (item,) = Plan.of([name], [FLOAT]).items()
    (x,) = structured.structured(item)
    near = near_turns(FLOAT).astype(np.float32)
    assert np.isin(near, x).all()
    assert np.isin(-near, x).all()
