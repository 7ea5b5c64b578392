"""Running an audit: order, workers, progress, resuming, and targets that fail to answer."""
# ruff: noqa: ARG001, ARG002 - the signatures are the protocol's

from __future__ import annotations

import ctypes
import platform

import pytest

from clmath.audit.plan.plan import Plan
from clmath.audit.protocol.target import TargetError
from clmath.audit.running.run import audit
from tests.cases import for_each


def noisy(row, form, args, results):
    """Return results with a few errors, so that tallies are not empty."""
    wrong = results[0].copy()
    wrong[::701] += form.dtype.type(1)
    return (wrong, *results[1:])


def test_verdicts_do_not_depend_on_the_number_of_workers(truthful):
    names = ["exp", "remquo"]
    alone = list(audit(Plan.of(names, ["float"], inputs=100, jobs=1), truthful(noisy)))
    together = list(audit(Plan.of(names, ["float"], inputs=100, jobs=2), truthful(noisy)))
    assert alone == together
    assert {v.status for v in alone} == {"fail"}


def test_progress_and_verdicts_come_in_order(truthful):
    plan = Plan.of(["sin", "cos"], ["float"], inputs=9000, jobs=1)
    seen = []
    verdicts = list(audit(plan, truthful(), on_progress=lambda *now: seen.append(now)))
    assert [v.item for v in verdicts] == list(plan.items())
    for item in plan.items():
        steps = [(piece, pieces) for which, piece, pieces in seen if which == item]
        assert steps == [(i + 1, len(steps)) for i in range(len(steps))]


def test_finished_cases_are_skipped(truthful):
    plan = Plan.of(["sin", "cos"], ["float"], inputs=10, jobs=1)
    sin, cos = plan.items()
    assert [v.item for v in audit(plan, truthful(), done=[sin])] == [cos]


def test_undefined_built_in_is_not_judged(truthful):
    class Partial(truthful):
        def defines(self, row, form):
            return row.name != "cos"

    (cos,) = audit(Plan.of(["cos"], ["float"]), Partial())
    assert cos.status == "not judged"
    assert "does not define cos for float" in cos.reason


def test_formats_that_the_target_lacks_are_left_out(truthful):
    class Single(truthful):
        def formats(self):
            return tuple(f for f in super().formats() if f.name == "float")

    assert [str(v.item) for v in audit(Plan.of(["sin"], inputs=0, jobs=1), Single())] == ["sin float"]


def test_internal_errors_are_raised(truthful, monkeypatch):
    def bug(*args):
        raise ZeroDivisionError

    monkeypatch.setattr("clmath.audit.running.run.judge", bug)
    with pytest.raises(ZeroDivisionError):
        list(audit(Plan.of(["fabs"], ["float"], inputs=0, jobs=1), truthful()))


@for_each(
    "error, text",
    [
        (TargetError("error: use of undeclared identifier 'cos'"), "error: use of undeclared identifier 'cos'"),
        (ZeroDivisionError("\x1b[2Jby\nzero"), "truthful: cos(float) raised ZeroDivisionError: \\x1b[2Jby zero"),
        (SystemExit(0), "truthful: cos(float) raised SystemExit: 0"),
        (GeneratorExit(), "truthful: cos(float) raised GeneratorExit: no message"),
        (RecursionError(), "truthful: cos(float) raised RecursionError: no message"),
    ],
)
def test_exception_of_the_target_affects_only_its_case(error, text, truthful):
    """A compiler that refuses one built-in raises one, too."""

    def refuse(row, form, args, results):
        if row.name == "cos":
            raise error
        return results

    sin, cos, fabs = audit(Plan.of(["sin", "cos", "fabs"], ["float"], inputs=10, jobs=1), truthful(refuse))
    assert (cos.status, cos.reason, cos.limit) == ("not judged", text, "4 ulp")
    assert (sin.status, fabs.status) == ("pass", "pass")


def test_keyboard_interrupt_is_raised(truthful):
    def interrupted(row, form, args, results):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(audit(Plan.of(["cos"], ["float"], inputs=10, jobs=1), truthful(interrupted)))


MODES = {"down": 0x400, "up": 0x800, "toward zero": 0xC00}  # <fenv.h> of x86


@pytest.mark.skipif(platform.machine() not in {"x86_64", "AMD64"}, reason="the numbers of fesetround are x86's")
@pytest.mark.parametrize("mode", MODES)
def test_changed_rounding_mode_is_reported_and_restored(truthful, mode):
    def careless(row, form, args, results):
        if row.name == "cos":
            ctypes.CDLL(None).fesetround(MODES[mode])
        return results

    cos, fabs = audit(Plan.of(["cos", "fabs"], ["float"], inputs=10, jobs=1), truthful(careless))
    assert cos.reason == "truthful: cos(float) left another rounding mode set in the processor (fesetround)"
    assert fabs.status == "pass"
    assert ctypes.CDLL(None).fegetround() == 0


def test_failure_stands_after_a_later_error(truthful):
    """The first chunk is wrong, a later one raises: the case fails, with a note that it was not judged to the end."""
    calls = []

    def wrong_then_gone(row, form, args, results):
        calls.append(row)
        if len(calls) == 2:
            raise TargetError("out of order")
        return (results[0] + form.dtype.type(1),)

    (cos,) = audit(Plan.of(["cos"], ["float"], inputs=9000, jobs=1), truthful(wrong_then_gone))
    assert cos.status == "fail"
    assert "not judged to the end: out of order" in cos.notes


def test_target_may_overwrite_its_arguments(truthful):
    """Results are judged with the original arguments."""

    def spoil(row, form, args, results):
        for array in args:
            array[...] = 0
        return results

    for verdict in audit(Plan.of(["sin", "pow"], ["float"], inputs=10, jobs=1), truthful(spoil)):
        assert verdict.status == "pass"
