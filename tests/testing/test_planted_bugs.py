"""What the strategies draw finds planted bugs, and blames nobody who is right."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import Phase, given, seed, settings

from clmath.testing import strategies as cl
from tests.cases import some

SEEDS = 20
DUE = 18  # seeds of 20 in which a bug must be found
GENERATED = settings(database=None, deadline=None, phases=[Phase.generate], report_multiple_bugs=False)


def is_found(bug, number, computed, same, examples=500):
    """Whether ``computed`` is caught within ``examples`` of seed ``number``; all health checks are on."""

    @seed(number)
    @settings(GENERATED, max_examples=examples)
    @given(bug.inputs(cl))
    def trial(args):
        if not same(computed(*args, **bug.rounding), bug.correct(*args, **bug.rounding)):
            raise _FoundError

    try:
        trial()
    except _FoundError:
        return True
    return False


class _FoundError(Exception):
    pass


@pytest.mark.slow
def test_planted_bugs_are_found(planted_bug, same):
    """Of seeds that are drawn no more may miss one than of all; once enough have found it, the others may."""
    numbers = some(range(SEEDS), 4)
    due = len(numbers) - (SEEDS - DUE)
    finding = (number for number in numbers if is_found(planted_bug, number, planted_bug.computed, same))
    assert len(list(itertools.islice(finding, due))) == due


def test_a_correct_implementation_passes(planted_bug, same):
    """Kernels for arrays are the implementation, MPFR for single numbers the judge."""

    def by_arrays(*args, **keywords):
        return planted_bug.correct(*(np.array([a]) for a in args), **keywords)[0]

    assert not any(is_found(planted_bug, number, by_arrays, same, examples=100) for number in some(range(SEEDS), 2))


def test_no_result_is_the_same_as_another_one(same):
    assert same(np.float32("nan"), -np.float32("nan"))
    assert not same(np.float32(0.0), np.float32(-0.0))
    assert not same((np.float64(1), np.int32(2)), (np.float64(1), np.int32(3)))


@pytest.mark.parametrize("type", ["float", "double"])
def test_numbers_that_a_conversion_decides_about_fill_the_widest_integers(type):
    """Numbers of more than 63 bits and their sticky bits were one in forty."""
    found = []

    @seed(0)
    @settings(GENERATED, max_examples=500)
    @given(cl.conversions("ulong", type))
    def collect(x):
        found.append(int(x))

    collect()
    lost = {"float": 40, "double": 11}[type]
    assert sum(x >= 2**63 and x % 2**lost not in (0, 2 ** (lost - 1)) for x in found) > 20
