"""A rule that is taken out of one law of judging alone is missed: what the other law says no longer agrees."""

from __future__ import annotations

import importlib
import signal

import pytest

from tests.audit.law_faults import MODULES, NAMES, Look
from tests.audit.mutants import explained, faults_in, functions_of, planted
from tests.cases import for_each

LANES, EXACT = "clmath.audit.lanes", "clmath.audit.law"
# by the function: of which conditions one side is left out, and the built-in whose cases and rows notice
TAKEN_OUT = [
    (
        f"{LANES}.lane_measure",
        "is_waived",
        "right side of '~(size < form.infinite) & law.waives | (size ==",
        "mul",
    ),
    (
        f"{LANES}.lane_measure",
        "is_waived",
        "left side of '~(size < form.infinite) & law.waives | (size ==",
        "lgamma_r",
    ),
    (f"{LANES}.lane_measure", "ruling", "right side of '(error.most < allowed.error) | allowed.gives'", "degrees"),
    (f"{LANES}.lane_measure", "ruling", "right side of 'passes | other'", "mad"),
    (f"{LANES}.lane_measure", "ruling", "right side of '(got == 0) & law.is_positive'", "div"),
    (f"{LANES}.lane_measure", "ruling", "left side of 'error.is_unsure & ~said.is_edged'", "rsqrt"),
    (f"{LANES}.lane_measure", "required", "right side of 'allowed.is_open & ~is_asked'", "lgamma"),
    (f"{LANES}.lane_measure", "are_nans", "right side of 'brought | ~signals(got, form)'", "sub"),
    (f"{LANES}.lane_limits", "by_rule", "left side of 'is_open | ~gives_anything(outer)'", "pow"),
    (f"{EXACT}.conformity", "_by_limit", "left side of '(actual == 0) & (truth.exact.hi == 0)'", "rsqrt"),
    (f"{EXACT}.conformity", "_may_be_positive", "left side of '~np.signbit(actual) & batch.law.waives(", "add"),
    (f"{EXACT}.conformity", "_product_flushed", "right side of '(np.abs(a * b) < batch.form.smallest_normal)", "mad"),
    (f"{EXACT}.conformity", "_by_edge", "right side of 'right | (found == wanted)'", "tanpi"),
    (f"{EXACT}.batch", "Call.is_waived", "right side of 'waived | (np.abs(rounded) == self.form.largest)'", "mul"),
    (f"{EXACT}.batch", "Call._silenced", "right side of 'np.isnan(actual) & ~np.isnan(rounded)'", "sub"),
    (
        f"{EXACT}.flushing",
        "_flushed",
        "left side of '_is_subnormal(exact, batch.form) | batch.within(k, border)'",
        "half_exp2",
    ),
    (f"{EXACT}.flushing", "excused", "right side of 'tried & replaced[column]'", "log"),
]


@pytest.fixture(scope="module")
def look():
    """What the laws say of all cases and rows, whose exact values are found once."""
    before = signal.signal(signal.SIGPROF, lambda *_: pytest.fail("a fault has no end"))
    yield Look()
    signal.signal(signal.SIGPROF, before)


@for_each("name", NAMES)
def test_the_two_laws_agree(name, look):
    """And leave no more open than before."""
    assert not look.notices(name)


def test_faults_that_change_nothing_can_be_planted():
    """Each that is listed, with a reason; a fault that is gone is to be struck out."""
    names = {fault.name for fault in faults_in(list(MODULES))}
    reasons = explained()
    assert sorted(reasons.keys() - names) == []
    assert all(len(reason.split()) > 5 for reason in reasons.values())


@pytest.mark.slow
@for_each("module, name, told, by", TAKEN_OUT)
def test_a_rule_that_is_taken_out_is_missed(module, name, told, by, look):
    """Of one law: the cases and rows that hold the two together notice, those of one built-in, and nothing without."""
    (function,) = (f for f in functions_of(importlib.import_module(module)) if f.__qualname__ == name)
    code = next(fault.code for fault in planted(function) if told in fault.told)
    sound, function.__code__ = function.__code__, code
    try:
        assert look.notices(by)
    finally:
        function.__code__ = sound
    assert not look.notices(by)
