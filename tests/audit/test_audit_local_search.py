"""Local search near the worst input: reproducible, and left out where all inputs were tried."""
# ruff: noqa: ARG001 - changes share one signature

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from clmath.audit.counting.tally import Example
from clmath.audit.inputs import local_search, row_inputs, structured
from clmath.audit.plan.plan import NUMBERED, Plan
from clmath.audit.records import record
from clmath.audit.running.run import audit
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from tests.cases import for_each


def in_one_binade(row, form, args, results):
    """In [2^40, 2^41) one of 8 results is wrong by an ulp, one of 1024 by three: too few to be met at first."""
    x, y = args[0], results[0]
    inside, code = (np.abs(x) >= 2.0**40) & (np.abs(x) < 2.0**41), form.bits(x)
    places = np.where(inside & (code % 8 == 5), 1, 0) + np.where(inside & (code % 1024 == 79), 2, 0)
    return (form.from_bits(form.bits(y) + places.astype(form.bits_dtype)), *results[1:])


def plan_of(name, form, **options):
    return Plan.of([name], [form], **{"jobs": 1, "inputs": 20_000, **options})


@pytest.mark.parametrize("form", [FLOAT, DOUBLE], ids=str)
def test_local_search_finds_a_larger_error(form, truthful, monkeypatch):
    plan = plan_of("cbrt", form)
    (twice,) = audit(plan, truthful(in_one_binade))
    monkeypatch.setattr(local_search, "pieces", lambda *_: 0)
    (once,) = audit(plan, truthful(in_one_binade))
    assert once.worst_error < 2.0 < twice.worst_error
    first, asked = once.tally.tried, len(structured.structured(once.item)[0]) + plan.count
    assert first == row_inputs.length(once.item, plan, row_inputs.chunks(once.item, plan)) > asked
    assert 0.05 * asked < twice.tally.tried - first <= -(-asked // 10)


@pytest.mark.parametrize("name", ["pow", "pown", "fma", "dot", "sincos"])
def test_inputs_lie_around_the_worst(name):
    item = plan_of(name, FLOAT).items()[-1]
    worst = tuple(100 if kind == "intn" else int(FLOAT.bits(100.0)) for kind in item.columns)
    generated = local_search.columns(item, plan_of(name, FLOAT), worst, 0)
    assert len(generated[0]) > 1000
    assert len(np.unique(np.stack([d.astype(np.float64) for d in generated]), axis=1).T) == len(generated[0])
    for column, kind in zip(generated, item.columns, strict=True):
        assert column.dtype == (np.int32 if kind == "intn" else np.float32)
        if kind == "intn":
            assert (np.abs(column - 100) <= 8).all()
        else:
            assert ((column >= 32) & (column <= 256)).all()
            assert (np.abs(column - 100) < 1e-3).sum() > 100
            assert len(np.unique(column)) > 500


@for_each("form", [FLOAT, DOUBLE])
@for_each("name, at", [("sin", 2.0**21 + 64.25), ("exp", -3.7), ("cbrt", 5.0)])
def test_results_lie_around_the_worst(name, at, form):
    """At least one of 16 inputs has such a result, compared with one of a hundred by chance."""
    plan = plan_of(name, form)
    (item,) = plan.items()
    (x,) = local_search.columns(item, plan, (int(form.bits(at)),), 0)
    function = {"sin": np.sin, "exp": np.exp, "cbrt": np.cbrt}[name]
    size, own = np.abs(function(x.astype(np.float64))), abs(function(at))
    above = 2.0 ** (np.floor(np.log2(own)) + 1)
    assert ((size < above) & (size > above * 0.992)).mean() > 1 / 16
    assert (np.abs(size - own) < own * 0.004).mean() > 1 / 16


def test_no_local_search_without_an_error():
    right, off, within = (Example(13, (7, 8), 0, 1, 1, (1.0, 0.0, 0), error) for error in (0.0, -0.5, 0.5))
    assert local_search.around(None) is local_search.around(right) is None
    assert local_search.around(off) == (7, 8)
    vector = ((1, 2), (7, 8), (3, 4), (5, 6))
    assert local_search.around(replace(within, vector=vector)) == (7, 8, 1, 1, 2, 7, 8, 3, 4, 5, 6)


@pytest.mark.parametrize("name, inputs, at_all", [("pow", NUMBERED, True), ("exp", "exhaustive", False)])
def test_parts_have_no_local_search(name, inputs, at_all):
    """Exhaustive cases have none, either."""
    whole, part = (plan_of(name, FLOAT, inputs=inputs, part=part) for part in ("1/1", "2/3"))
    (item,) = whole.items()
    assert (local_search.pieces(item, whole) > 0) == at_all
    assert local_search.pieces(item, part) == 0


@pytest.mark.slow
def test_resumed_audit_repeats_the_local_search(truthful):
    plan, kept = Plan.of(["exp", "floor"], ["float"], inputs=20_000, jobs=1), []
    whole = list(audit(plan, truthful(in_one_binade), on_begun=kept.append))
    item = plan.items()[0]
    last = [begun for begun in kept if begun.item == item][-1]
    assert last.pieces == row_inputs.chunks(item, plan)
    for begun in kept:
        again = list(
            audit(plan, truthful(in_one_binade), begun=begun, done=plan.items()[: plan.items().index(begun.item)])
        )
        assert repr(again) == repr(whole[-len(again) :])  # NaN among the examples is unequal to itself


def test_sampled_cases_are_marked(truthful):
    (half,) = audit(plan_of("exp", HALF), truthful())
    (two,) = audit(plan_of("fmax", HALF, inputs=0), truthful())
    (single,) = audit(plan_of("exp", FLOAT, inputs=0), truthful())
    assert [v.is_sampled for v in (half, two, single)] == [False, True, True]
    assert [record.written(v)["sampled"] for v in (half, two, single)] == [False, True, True]
    assert half.tally.tried == 1 << 16
