"""Cases of every acceptance rule, and hostile calls: judged by exact values, by enclosures and on a device."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from clmath import phases
from clmath.audit.acceptance import findings
from clmath.audit.acceptance.batch import Batch, Call
from clmath.audit.acceptance.criteria import Criteria, Waiver, judging_rules
from clmath.audit.inputs.structured import structured
from clmath.audit.judge.screen import is_screened, screened
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import Plan
from clmath.numbers.formats import FLOAT
from clmath.spec.builtins import builtins
from clmath.spec.limits import Derived
from clmath.spec.special_values import special_values
from tests.accepting import numbers_of
from tests.audit.checks import NAMES, AllCriteria
from tests.audit.rule_cases import CASES, EMBEDDED, FULL, RELAXED, UNDECIDED, by_enclosures, by_exact_values, on_device
from tests.cases import for_each

RULES = {rule for case in CASES for rule in case.rules}
ROWS = [
    item
    for item in Plan.of(list(builtins()), ["float"]).items()
    if type(item) is Item and not item.width and phases.is_enclosed(item.builtin.name, FLOAT)
]


@for_each("case", CASES)
def test_cases_are_judged_as_prescribed(case):
    """Enclosures give the same outcome, or leave the call to exact values."""
    assert by_exact_values(case) == case.said
    assert all(other in (one, UNDECIDED) for one, other in zip(case.said, by_enclosures(case), strict=True))
    assert on_device(case) == case.on_device
    assert all(other in (one, UNDECIDED) for one, other in zip(case.said, case.on_device, strict=True))


@pytest.fixture(scope="module")
def all_criteria():
    return AllCriteria()


@for_each("name", NAMES)
def test_hostile_calls_are_judged_alike(name, all_criteria):
    """Enclosures leave no more results undecided than allowed."""
    all_criteria.check(name)


def kind_of(rule):
    """Return the name by which cases refer to a rule of limits."""
    growing, formula = getattr(rule, "growing", False), rule.formula if isinstance(rule, Derived) else None
    return f"limit {type(rule).__name__}{' growing' * growing}{' ' + type(formula).__name__ if formula else ''}"


def test_every_rule_of_limits_and_waivers_has_a_case():
    all_criteria = (
        FULL,
        EMBEDDED,
        RELAXED,
        *(Criteria("full", "rte", False, options=(o,)) for o in judging_rules()["options"]),
    )
    all_criteria += tuple(other for criteria in all_criteria for item in ROWS for other in criteria.others(item))
    limits = {criteria.limit(item) for criteria in dict.fromkeys(all_criteria) for item in ROWS}
    excuses = {"may_flush", "multiply_then_add", "zero_sign"}
    assert {kind_of(rule) for limit in limits for rule, _ in limit.clauses} <= RULES
    assert {f"waiver {name}" for name in get_args(Waiver)} <= RULES
    assert excuses <= judging_rules().keys() & {name.removeprefix("excuse ") for name in RULES}


def test_every_reason_has_a_case():
    numbers = {number for name, number in vars(findings).items() if name[0] == "_" and isinstance(number, int)}
    given = set()
    for case in CASES:
        for flushing in (False, True):
            batch = Batch.of(case.item, case.columns, case.results, case.criteria)
            given |= {int(n) for column in numbers_of(batch, flushing=flushing) for n in np.unique(column)}
    assert numbers - {findings._FIRST_SPECIAL_VALUE} <= given
    assert max(given) >= findings._FIRST_SPECIAL_VALUE


def results_at(special_value, item, args):
    """Return the results that a special case prescribes, their negatives, and numbers that it may refuse."""
    wanted = special_value.expected(args, item.form)
    others = [
        tuple(np.full_like(w, value if w.dtype == FLOAT.dtype else 3) for w in wanted)
        for value in (1.0, np.nan, np.inf, 0.0)
    ]
    return [wanted, tuple(-w for w in wanted), *others]


WITH_EDGES = [item for item in ROWS if special_values(item.builtin.name)]


@for_each("criteria, item", [((FULL, RELAXED)[number % 2], item) for number, item in enumerate(WITH_EDGES)])
def test_enclosures_agree_with_exact_values_at_special_values(criteria, item):
    """They leave no correctly rounded result undecided, except for built-ins that are not screened."""
    if not is_screened(item, criteria):
        return
    values, calls = structured(item), []
    for special_value in criteria.special_values(item):
        here = np.flatnonzero(special_value.matches(values, item.form))[:10]
        args = tuple(v[here] for v in values)
        calls += [(*args, *results) for results in results_at(special_value, item, args)]
    columns = [np.concatenate(parts) for parts in zip(*calls, strict=True)]
    args, results = tuple(columns[: len(values)]), tuple(columns[len(values) :])
    batch, found = (
        Batch.of(item, args, results, criteria),
        screened(Batch.by_kernels(Call.on(item, args, results, criteria))),
    )
    fails = np.any([codes != 0 for codes in numbers_of(batch)], axis=0)
    assert not fails[found.chosen[found.is_known & ~found.refused]].any()
    assert fails[found.chosen[found.refused]].all()
    due = [
        (item.form.bits(r) == item.form.bits(right)) if r.dtype == FLOAT.dtype else r == right
        for r, right in zip(results, batch.due, strict=True)
    ]
    assert not np.all(due, axis=0)[found.in_doubt].any()
