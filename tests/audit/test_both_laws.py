"""Every rule that results are judged by stands in both laws: by exact values, and in lanes, which say the same."""

from __future__ import annotations

from typing import get_args

import numpy as np

from clmath import ladder
from clmath.audit.inputs.structured import structured
from clmath.audit.judge.screen import is_screened, screened
from clmath.audit.law import conformity
from clmath.audit.law.batch import Batch, Call
from clmath.audit.law.law import Law, Waiver, openings
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import Plan
from clmath.numbers.formats import FLOAT
from clmath.spec.builtins import builtins
from clmath.spec.edges import edges
from clmath.spec.limits import Derived
from tests.audit.both_laws import CASES, EMBEDDED, FULL, RELAXED, UNTOLD, by_exact_values, in_lanes
from tests.cases import for_each

IDS = [f"{case.rules[0]}: {case.name} {case.form} {n}" for n, case in enumerate(CASES)]
RULES = {rule for case in CASES for rule in case.rules}
ROWS = [
    item
    for item in Plan.of(list(builtins()), ["float"]).items()
    if type(item) is Item and not item.width and ladder.is_enclosed(item.builtin.name, FLOAT)
]


@for_each("case", CASES)
def test_by_exact_values(case):
    assert by_exact_values(case) == case.said


@for_each("case", CASES)
def test_in_lanes(case):
    """They say the same, or leave it to the other law where the case says so."""
    assert in_lanes(case) == case.by_lanes
    assert all(other in (one, UNTOLD) for one, other in zip(case.said, case.by_lanes, strict=True))


def kind_of(rule):
    """What a rule of limits is called among the cases."""
    growing, formula = getattr(rule, "growing", False), rule.formula if isinstance(rule, Derived) else None
    return f"limit {type(rule).__name__}{' growing' * growing}{' ' + type(formula).__name__ if formula else ''}"


def test_every_rule_of_limits_has_a_case():
    """Of all rows that lane arithmetic judges."""
    laws = (FULL, EMBEDDED, RELAXED, *(Law("full", "rte", False, options=(o,)) for o in openings()["options"]))
    laws += tuple(other for law in laws for item in ROWS for other in law.others(item))
    limits = {law.limit(item) for law in dict.fromkeys(laws) for item in ROWS}
    assert {kind_of(rule) for limit in limits for rule, _ in limit.clauses} <= RULES


def test_every_waiver_has_a_case():
    assert {f"waiver {what}" for what in get_args(Waiver)} <= RULES


def test_every_reason_is_given_by_a_case():
    """Beside those that edges give."""
    numbers = {number for name, number in vars(conformity).items() if name[0] == "_" and isinstance(number, int)}
    given = set()
    for case in CASES:
        for flushing in (False, True):
            batch = Batch.of(case.item, case.columns, case.results, case.law, flushing=flushing)
            given |= {int(code) for column in conformity.codes_of(batch) for code in np.unique(column)}
    assert numbers - {conformity._FIRST_EDGE} <= given
    assert max(given) >= conformity._FIRST_EDGE


def test_lists_of_the_tables_have_cases():
    """What ``judging.toml`` names beside waivers, and built-ins of vectors alone."""
    known = {"may_flush", "multiply_then_add", "zero_sign"}
    assert {name.removeprefix("excuse ") for name in RULES} >= known
    table = openings()
    assert known <= table.keys()
    vectors = {name for name, row in builtins().items() if row.widths}
    assert set(table["flushed_below"]) <= vectors
    assert set(table["zero_sign_open"]) <= vectors | {"mix", "smoothstep"}  # which no kernel encloses


def results_at(edge, item, args):
    """What an edge prescribes at some inputs, the same with other signs, and numbers that it may refuse."""
    wanted = edge.expected(args, item.form)
    return [
        wanted,
        tuple(-w for w in wanted),
        *(
            tuple(np.full_like(w, value if w.dtype == FLOAT.dtype else 3) for w in wanted)
            for value in (1.0, np.nan, np.inf, 0.0)
        ),
    ]


@for_each("item", [item for item in ROWS if edges(item.builtin.name)])
def test_every_edge(item):
    """Whatever is returned where an edge has a say: lanes pass none that fails, and the correctly rounded ones."""
    values = structured(item)
    for law in (FULL, RELAXED):
        if not is_screened(item, law):
            continue
        for edge in law.edges(item):
            here = np.flatnonzero(edge.matches(values, item.form))[:40]
            args = tuple(v[here] for v in values)
            for results in results_at(edge, item, args):
                check(item, law, args, results)


def check(item, law, args, results):
    """Lanes pass what passes alone; what is correctly rounded they pass unless it may depend on more than that."""
    batch, found = Batch.of(item, args, results, law), screened(Call.on(item, args, results, law))
    fails = np.any([codes != 0 for codes in conformity.codes_of(batch)], axis=0)
    assert not fails[np.setdiff1d(found.lanes, found.in_doubt)].any()
    due = [
        (item.form.bits(r) == item.form.bits(t.rounded)) if r.dtype == FLOAT.dtype else r == t.exact
        for r, t in zip(results, batch.truth, strict=True)
    ]
    left = np.zeros(len(fails), np.bool_)
    left[found.in_doubt] = True
    assert not (np.all(due, axis=0) & left).any()
