"""Mutants of the criteria, one of each kind of rule, are caught by the checks; ``mutants.py`` tries all others."""

from __future__ import annotations

import functools

import pytest

from tests.audit.checks import JUDGED, Laws, Tallies
from tests.audit.mutants import MODULES, equivalent, functions_of, is_caught, mutants_in, mutants_of
from tests.cases import for_each

pytestmark = pytest.mark.slow
LANES, EXACT, JUDGE = "clmath.audit.lanes", "clmath.audit.law", "clmath.audit.judge"
# module, function, what is changed, and the built-in whose calls show it
IN_LAWS = [
    (f"{LANES}.lane_measure", "is_waived", "right side of '~(size < form.infinite) & law.waives | (size ==", "mul"),
    (f"{LANES}.lane_measure", "is_waived", "left side of '~(size < form.infinite) & law.waives | (size ==", "lgamma_r"),
    (f"{LANES}.lane_measure", "ruling", "right side of '(error.most < allowed.error) | allowed.gives'", "degrees"),
    (f"{LANES}.lane_measure", "ruling", "right side of 'passes | other'", "mad"),
    (f"{LANES}.lane_measure", "ruling", "right side of '(got == 0) & law.is_positive'", "div"),
    (f"{LANES}.lane_measure", "ruling", "left side of 'error.is_unsure & ~said.is_edged'", "rsqrt"),
    (f"{LANES}.lane_measure", "required", "right side of 'allowed.is_open & ~is_asked'", "lgamma"),
    (f"{LANES}.lane_measure", "are_nans", "right side of 'brought | ~signals(got, form)'", "sub"),
    (f"{LANES}.lane_limits", "by_rule", "left side of 'is_open | ~gives_anything(outer)'", "powr"),
    (f"{EXACT}.conformity", "_by_limit", "left side of '(actual == 0) & (truth.exact.hi == 0)'", "rsqrt"),
    (f"{EXACT}.conformity", "_may_be_positive", "left side of '~np.signbit(actual) & batch.law.waives(", "add"),
    (f"{EXACT}.conformity", "_product_flushed", "right side of '(np.abs(a * b) < batch.form.smallest_normal)", "mad"),
    (f"{EXACT}.conformity", "_by_edge", "right side of 'right | (found == wanted)'", "tanpi"),
    (f"{EXACT}.batch", "Call.is_waived", "right side of 'waived | (np.abs(rounded) == self.form.largest)'", "mul"),
    (f"{EXACT}.batch", "Call._silenced", "right side of 'np.isnan(actual) & ~np.isnan(rounded)'", "sub"),
    (f"{EXACT}.flushing", "_flushed", "right side of 'wrong & (batch.results[k] == 0)", "add"),
    (f"{EXACT}.flushing", "excused", "right side of 'tried & replaced[column]'", "log"),
]
IN_JUDGE = [
    (f"{JUDGE}.screen", "largest", "left side of '(most > least[first]) | beside'", "cbrt"),
    (f"{JUDGE}.screen", "_is_plain", "'actual == exact' turned", "ilogb"),
    (f"{JUDGE}.bounds", "_with_special", "right side of '(actual == hi)", "fma"),
    (f"{JUDGE}.certain_failures", "_certain", "'least_codes == most_codes' turned", "exp2"),
    (f"{JUDGE}.worst", "_counts", "always np.ones", "lgamma"),
    (f"{EXACT}.deviation", "Deviations.wrong", "right side of 'self.counted & (self.steps > 0)'", "ilogb"),
]


@pytest.fixture(scope="module")
def laws():
    return Laws()


@functools.cache
def tallies(name):
    return Tallies([row for row in JUDGED if row[0] == name])


def mutant_of(module, name, change):
    """The first mutant of a function whose change begins so."""
    (function,) = (f for f in functions_of(module) if f.__qualname__ == name)
    return next(mutant for mutant in mutants_of(function) if change in mutant.change)


@for_each("module, name, change, by", IN_LAWS)
def test_mutant_of_a_law_is_caught(module, name, change, by, laws):
    laws.check(by)
    with mutant_of(module, name, change).injected():
        assert is_caught(lambda: laws.check(by))
    laws.check(by)


@for_each("module, name, change, by", IN_JUDGE)
def test_mutant_of_the_judge_is_caught(module, name, change, by):
    tallies(by).check()
    with mutant_of(module, name, change).injected():
        assert is_caught(tallies(by).check)
    tallies(by).check()


def test_mutants_listed_as_equivalent_exist_and_have_reasons():
    reasons = equivalent()
    assert sorted(reasons.keys() - {mutant.name for mutant in mutants_in(MODULES)}) == []
    assert all(len(reason.split()) > 5 for reason in reasons.values())
