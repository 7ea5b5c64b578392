"""The judge of pieces gives the tally that the reference alone gives; a fault in one of its functions is noticed."""

from __future__ import annotations

import functools
import importlib
import signal

import pytest

from tests.audit.judge_faults import ROWS, Tallies
from tests.audit.mutants import functions_of, planted
from tests.cases import for_each

JUDGE, LAW = "clmath.audit.judge", "clmath.audit.law"
# by the function: what is planted, and the built-in whose tallies tell
FAULTS = [
    (f"{JUDGE}.screen", "largest", "left side of '(most > least[first]) | beside'", "fma"),
    (f"{JUDGE}.screen", "Screened.may_be_told", "right side of 'self.doubtful & self.is_known'", "hypot"),
    (f"{JUDGE}.screen", "_is_plain", "'actual == exact' turned", "ilogb"),
    (f"{JUDGE}.bounds", "_with_special", "right side of '(actual == hi)", "fma"),
    (f"{JUDGE}.certain_failures", "_certain", "'least_codes == most_codes' turned", "exp2"),
    (f"{JUDGE}.worst", "_counts", "always np.ones", "lgamma"),
    (f"{LAW}.deviation", "Deviations.wrong", "right side of 'self.counted & (self.steps > 0)'", "ilogb"),
]


@pytest.fixture(scope="module")
def tallies():
    """Those of the rows of a built-in, found once while nothing is planted."""
    before = signal.signal(signal.SIGPROF, lambda *_: pytest.fail("a fault has no end"))
    yield functools.cache(lambda name: Tallies([row for row in ROWS if row[0] == name]))
    signal.signal(signal.SIGPROF, before)


@for_each("name", sorted({name for name, *_ in ROWS}))
def test_tallies_are_those_of_the_reference(name, tallies):
    """Whole and in parts that know the errors before them, whatever goes to the reference at once."""
    assert not tallies(name).notices()


@pytest.mark.slow
@for_each("module, name, told, by", FAULTS)
def test_a_fault_in_the_judge_is_noticed(module, name, told, by, tallies):
    """And with the fault gone, nothing is."""
    look = tallies(by)
    (function,) = (f for f in functions_of(importlib.import_module(module)) if f.__qualname__ == name)
    code = next(fault.code for fault in planted(function) if told in fault.told)
    sound, function.__code__ = function.__code__, code
    try:
        assert look.notices()
    finally:
        function.__code__ = sound
    assert not look.notices()
