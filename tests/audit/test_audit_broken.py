"""Faulty targets, in addition to test_audit_reasons.py: each fault is caught."""
# ruff: noqa: ARG001, ARG005 - changes share one signature

from __future__ import annotations

import numpy as np
import pytest

from clmath.audit.inputs import row_inputs
from clmath.audit.inputs.structured import structured
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS
from tests.audit.faulty import verdicts
from tests.cases import for_each

EXACT_DIVIDE = ("-cl-fp32-correctly-rounded-divide-sqrt",)
pytestmark = pytest.mark.slow


def verdict_on(target, name, form=FLOAT, inputs=512):
    (verdict,) = verdicts(target, [name], [form], inputs=inputs)
    return verdict


def first_result(function):
    """Return a change of the first result only."""

    def change(row, form, args, results):
        with np.errstate(all="ignore"):
            return (function(form, args, results[0]), *results[1:])

    return change


@for_each("form", FORMATS)
@for_each("name", ["add", "fma", "ldexp", "floor", "fmod", "sqrt"])
def test_one_ulp_error_at_one_input_fails(name, form, truthful):
    """Float sqrt is allowed 3 ulp unless the program asks for correct rounding."""

    def change(form, args, result):
        wrong = result.copy()
        elements = np.flatnonzero((wrong > 1) & (wrong < 1e4))
        if len(elements) and not done:
            done.append(elements[-1])
            wrong[elements[-1]] = np.nextafter(wrong[elements[-1]], form.dtype.type(0))
        return wrong

    done = []
    verdict = verdict_on(truthful(first_result(change), options=EXACT_DIVIDE), name, form)
    assert verdict.status == "fail"
    assert verdict.tally.failed == 1
    assert verdict.tally.failures[0].got != verdict.tally.failures[0].expected


def test_stale_buffer_fails(truthful):
    kept = []

    def previous(row, form, args, results):
        kept.append(results)
        old = kept[-2] if len(kept) > 1 else results
        return old if old[0].shape == results[0].shape else results

    verdict = verdict_on(truthful(previous), "exp", inputs=3 * 8192)
    assert verdict.status == "fail"


def test_reused_buffer_is_judged_as_it_was_returned(truthful):
    buffer = np.zeros(8192, np.float32)

    def reuse(form, args, y):
        buffer[: len(y)] = y
        return buffer[: len(y)]

    assert verdict_on(truthful(first_result(reuse)), "exp", inputs=3 * 8192).status == "pass"


def test_lgamma_is_measured_although_it_has_no_limit(truthful):
    off = first_result(lambda form, args, y: np.where(y == 0, y, y * form.dtype.type(1.001)))
    verdict = verdict_on(truthful(off), "lgamma", DOUBLE)
    assert verdict.status == "pass"
    assert verdict.worst_error > 1e6
    assert any("no number" in note for note in verdict.notes)


@for_each("name", ["sin", "pow"])
def test_errors_at_doubles_that_are_not_floats_fail(name, truthful):
    def change(form, args, y):
        full = (form.bits(args[0]) & np.uint64(0xFFF)) != 0
        return np.where(full & np.isfinite(y), y * (1 + 2.0**-44), y)

    verdict = verdict_on(truthful(first_result(change)), name, DOUBLE)
    assert verdict.status == "fail"
    assert verdict.tally.failed > 1000


@for_each(
    "results, fact",
    [
        (lambda r: (r[0][:-1],), "of shape ({},)"),
        (lambda r: (r[0].astype(np.float64),), "float64"),
        (lambda r: (r[0], r[0]), "2 results"),
        (lambda r: r[0], "a ndarray"),
        (lambda r: (r[0].tolist(),), "list"),
    ],
)
def test_results_of_the_wrong_kind_are_not_judged(results, fact, truthful):
    verdict = verdict_on(truthful(lambda row, form, args, r: results(r)), "sqrt", inputs=8192)
    assert verdict.status == "not judged"
    first = min(row_inputs.CHUNK, len(structured(verdict.item)[0]))
    assert fact.format(first - 1) in verdict.reason
    assert "needed" in verdict.reason


def test_every_failure_is_counted_and_the_first_are_kept(truthful):
    change = first_result(lambda form, args, y: y + form.dtype.type(1))
    verdict = verdict_on(truthful(change), "sin", inputs=1000)
    judged_lanes = verdict.tally.tried - verdict.tally.unjudged
    assert verdict.tally.failed > 0.9 * judged_lanes - 300
    assert sum(count for _, count in verdict.tally.reasons) == verdict.tally.failed
    assert len(verdict.tally.failures) <= 4 * len(verdict.tally.reasons)
