"""An infinite double for an exact value just below 2^1024 is off by up to half an ulp: its error was said to be 0."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from clmath.audit.judge.piece import judge
from clmath.audit.law.law import Law
from clmath.audit.plan.item import Item
from clmath.numbers.formats import DOUBLE
from clmath.numbers.rounding import Enclosure, ulp_errors
from clmath.spec.builtins import builtin


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("oracle", ["auto", "mpfr"])
def test_the_largest_number_and_half_of_its_ulp(oracle, sign):
    item, law = Item(builtin("add"), DOUBLE), replace(Law("full", "rte", flushes=False), oracle=oracle)
    values = tuple(sign * np.array([x, 1.0]) for x in (DOUBLE.largest, 2.0**970))
    tally = judge(item, values, (sign * np.array([np.inf, 2.0]),), law, np.arange(2))
    assert (tally.failed, tally.worst.index, tally.worst.error) == (0, 0, sign * 0.5)


def test_errors_on_either_side():
    """2^1024 and what lies beyond is infinite without error."""
    lows = np.array([-(2.0**-54), -(2.0**-60), 0.0, 2.0**-60])
    exact = Enclosure(np.ones(4), lows, np.zeros(4), np.full(4, 1024))
    assert ulp_errors(np.full(4, np.inf), exact, DOUBLE).tolist() == [0.5, 2.0**-7, 0.0, 0.0]
