"""The program that accepts usual results, run on arrays: except for rare cases it agrees with the rule."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("gmpy2")

from clmath import phases
from clmath.audit.acceptance.batch import Call
from clmath.audit.device_judge.measuring import accepted
from clmath.audit.inputs.random import kernel_of
from clmath.engines.device.source import kinds
from clmath.ir.program import Tables
from clmath.ir.simplifying import usual
from clmath.ir.trace import trace
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from tests.audit.checks import spoiled
from tests.audit.rule_cases import EMBEDDED, FULL, RELAXED, asked_of_device, without
from tests.cases import for_each
from tests.proofs import concrete

ROWS = [
    *(("exp", form, FULL) for form in (HALF, FLOAT, DOUBLE)),
    *(("pow", FLOAT, FULL), ("atan2", DOUBLE, FULL), ("fma", DOUBLE, FULL), ("mad", HALF, FULL)),
    *(("half_sin", FLOAT, FULL), ("lgamma", FLOAT, FULL), ("cbrt", FLOAT, EMBEDDED)),
    *(("sin", FLOAT, RELAXED), ("sinpi", FLOAT, RELAXED), ("powr", FLOAT, RELAXED)),
    *(("hypot", FLOAT, without(FULL, mode="rtz")), ("exp", DOUBLE, without(FULL, mode="rtp"))),
    ("exp", FLOAT, without(FULL, options=("-cl-finite-math-only",))),
]


@pytest.mark.slow
@np.errstate(all="ignore")
@for_each("name, form, criteria", ROWS)
def test_program_agrees_with_the_rule_on_usual_results(name, form, criteria):
    item, criteria, values, results = spoiled(name, form, criteria)
    call = Call.on(item, values, results, criteria)
    _, given = asked_of_device(call, phases.enclose(name, call.args, form)[0])
    *elements, terms, number = given
    tables, inputs = Tables(), [*["double"] * len(values), *kinds(kernel_of(item)), "long", "long", "bool"]
    program = usual(trace(accepted, inputs, ["bool"], tables, terms, number, machine="usual"))
    whole = SimpleNamespace(program=program, tables=tables.entries)
    right, rare = (np.asarray(one, np.bool_) for one in concrete.outputs(whole, concrete.values(whole, *elements)))
    assert (right == accepted(*given))[~rare].all()
    assert (~rare).mean() > 0.3
    assert rare.any()
