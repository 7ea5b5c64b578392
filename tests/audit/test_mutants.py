"""The checks catch mutants of the criteria, one for each kind of rule; ``mutants.py`` tries all others."""

from __future__ import annotations

import functools

import pytest

from tests.audit.checks import JUDGED, AllCriteria, Tallies
from tests.audit.mutants import MODULES, equivalent, functions_of, is_caught, mutants_in, mutants_of
from tests.cases import for_each

pytestmark = pytest.mark.slow
SETS, JUDGE = "clmath.audit.acceptance", "clmath.audit.judge"
DEVICE = "clmath.audit.device_judge.measuring"
# module, function, change, and the built-in whose calls show it
IN_LAWS = [
    (DEVICE, "is_beyond_limit", "'size < form.infinite' turned", "exp"),
    (DEVICE, "may_have_other_arguments", "right side of 'found | (abs(x) <", "add"),
    (DEVICE, "is_flushed", "left side of 'said[0].fails & flushed'", "exp2"),
    (DEVICE, "has_no_error", "right side of '(seen.got == seen.due) | both_zero'", "rsqrt"),
    (DEVICE, "is_waived_nan", "left side of 'seen.brought & ~value.nan'", "atan2"),
    (DEVICE, "judged", "left side of 'is_beyond_limit(", "add"),
    (DEVICE, "judged", "'not need.gives_no_number' not negated", "native_log"),
    (DEVICE, "measured_integer", "'~free' not negated", "remquo"),
    (f"{SETS}.limits", "_of_exact_zero", "right side of 'value.zero & value.negative'", "mul"),
    (f"{SETS}.limits", "_of_exact_zero", "right side of '~value.negative | need.positive_zeros'", "add"),
    (f"{SETS}.limits", "holds_subnormal", "right side of 'found | by_limit.is_tiny[side]", "exp2"),
    (f"{SETS}.limits", "holds_subnormal", "always by_limit.border", "hypot"),
    (f"{SETS}.acceptable", "_addend", "left side of '_is_tiny_product(a, b, need.form) & ~", "mad"),
    (f"{SETS}.acceptable", "are_waived", "right side of 'found | (size == need.form.infinite", "mul"),
    (f"{SETS}.acceptable", "_waived", "right side of 'one.quiet | of_nan'", "fmin"),
    (f"{SETS}.sets", "prescribed", "'not special_value.prescribes' not negated", "tanpi"),
    (f"{SETS}.sets", "_alternatives", "'need.zero_sign == 'open'' turned", "tanpi"),
    (f"{SETS}.findings", "are_acceptable", "right side of 'tried & replaced[column]'", "log"),
    (f"{SETS}.sets", "single", "right side of '~negative | either_zero'", "tanpi"),
    (f"{SETS}.sets", "spans_hold", "'low <= place' turned", "add"),
    (f"{SETS}.values", "place_of_ulp", "'at.tail != 0.0' turned", "exp"),
    (f"{SETS}.values", "errors_of", "| (encoding == INFINITE) | far' left out", "exp"),
]
IN_JUDGE = [
    (f"{JUDGE}.screen", "largest", "left side of '(most > least[first]) | beside'", "cbrt"),
    (f"{JUDGE}.screen", "_is_plain", "'actual == exact' turned", "ilogb"),
    (f"{JUDGE}.screen", "_error_bounds", "left side of '(actual == hi) |", "pow"),
    (f"{JUDGE}.piece", "_enclosed", "right side of 'one & found.is_known'", "sin"),
    (f"{JUDGE}.piece", "_zeros", "right side of '(hi == 0.0)", "tanpi"),
    (f"{SETS}.findings", "judged", "'~one.surely' not negated", "cbrt"),
    ("clmath.audit.counting.spread", "Deviations.wrong", "right side of 'self.counted & (self.steps > 0)'", "ilogb"),
]


@pytest.fixture(scope="module")
def all_criteria():
    return AllCriteria()


@functools.cache
def tallies(name):
    return Tallies([row for row in JUDGED if row[0] == name])


def mutant_of(module, name, change):
    """Return the first mutant of a function whose description starts with ``change``."""
    (function,) = (f for f in functions_of(module) if f.__qualname__ == name)
    return next(mutant for mutant in mutants_of(function) if change in mutant.change)


@for_each("module, name, change, by", IN_LAWS)
def test_mutant_of_the_criteria_is_caught(module, name, change, by, all_criteria):
    all_criteria.check(by)
    with mutant_of(module, name, change).injected():
        assert is_caught(lambda: all_criteria.check(by))
    all_criteria.check(by)


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
