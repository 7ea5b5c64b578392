"""The judge of pieces gives the tally that the reference alone gives; a fault in one of its functions is noticed."""

from __future__ import annotations

import importlib
import signal

import pytest

from tests.audit.judge_faults import Tallies
from tests.audit.mutants import functions_of, planted

JUDGE, LAW = "clmath.audit.judge", "clmath.audit.law"
FAULTS = [
    (f"{JUDGE}.screen", "largest", "left side of '(most > least[first]) | beside'"),
    (f"{JUDGE}.screen", "Screened.may_be_told", "right side of 'self.doubtful & self.is_known'"),
    (f"{JUDGE}.screen", "_is_plain", "'actual == exact' turned"),
    (f"{JUDGE}.bounds", "_with_special", "right side of '(actual == hi)"),
    (f"{JUDGE}.certain_failures", "_certain", "'least_codes == most_codes' turned"),
    (f"{JUDGE}.worst", "_counts", "always np.ones"),
    (f"{LAW}.deviation", "Deviations.wrong", "right side of 'self.counted & (self.steps > 0)'"),
]


@pytest.fixture(scope="module")
def tallies():
    """Those of all rows while nothing is planted."""
    before = signal.signal(signal.SIGPROF, lambda *_: pytest.fail("a fault has no end"))
    yield Tallies()
    signal.signal(signal.SIGPROF, before)


def test_tallies_are_those_of_the_reference(tallies):
    """Whole and in parts that know the errors before them, whatever goes to the reference at once."""
    assert not tallies.notices()


@pytest.mark.planted("told")
@pytest.mark.parametrize("module, name, told", FAULTS, ids=[f"{name} {n}" for n, (_, name, _) in enumerate(FAULTS)])
def test_a_fault_in_the_judge_is_noticed(module, name, told, tallies):
    (function,) = (f for f in functions_of(importlib.import_module(module)) if f.__qualname__ == name)
    code = next(fault.code for fault in planted(function) if told in fault.told)
    sound, function.__code__ = function.__code__, code
    try:
        assert tallies.notices()
    finally:
        function.__code__ = sound
