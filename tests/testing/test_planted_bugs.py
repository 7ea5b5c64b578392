"""What the strategies draw finds planted bugs, and blames nobody who is right."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import Phase, given, seed, settings

from clmath.testing import strategies as cl

_SPEC = importlib.util.spec_from_file_location("planted", Path(__file__).with_name("planted.py"))
planted = importlib.util.module_from_spec(_SPEC)
sys.modules["planted"] = planted
_SPEC.loader.exec_module(planted)

SEEDS = 20
DUE = 18  # seeds of 20 in which a bug must be found
GENERATED = settings(database=None, deadline=None, phases=[Phase.generate], report_multiple_bugs=False)


def is_found(bug, number, computed, examples=500):
    """Whether ``computed`` is caught within ``examples`` of seed ``number``; all health checks are on."""

    @seed(number)
    @settings(GENERATED, max_examples=examples)
    @given(bug.inputs(cl))
    def trial(args):
        if not planted.same(computed(*args), bug.correct(*args)):
            raise _FoundError

    try:
        trial()
    except _FoundError:
        return True
    return False


class _FoundError(Exception):
    pass


@pytest.mark.parametrize("bug", planted.PLANTED, ids=lambda bug: bug.what)
def test_planted_bugs_are_found(bug):
    found = sum(is_found(bug, number, bug.computed) for number in range(SEEDS))
    assert found >= DUE


@pytest.mark.parametrize("bug", planted.PLANTED, ids=lambda bug: bug.what)
def test_a_correct_implementation_passes(bug):
    """Kernels for arrays are the implementation, MPFR for single numbers the judge."""

    def by_arrays(*args):
        return bug.correct(*(np.array([a]) for a in args))[0]

    assert not any(is_found(bug, number, by_arrays, examples=100) for number in range(SEEDS))
