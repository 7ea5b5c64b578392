"""Cases that a device may judge, the reasons for the others, and the measured pace of the host."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from clmath.audit.counting.tally import NONE_KNOWN
from clmath.audit.device_judge.question import question_of, refusal
from clmath.audit.isolation.isolated import Isolated
from clmath.audit.judge.piece import criteria_of
from clmath.audit.plan.plan import NUMBERED, Plan
from clmath.audit.protocol.target import TargetError
from clmath.audit.running import device_rows
from clmath.audit.running.case import Case
from tests.cases import for_each

SWEPT = {"inputs": "exhaustive", "jobs": 1}


NO_INFINITIES = {"profile": "embedded", "mode": "rtz", "infinities": False}


def case(name, form="float", criteria=None, **options):
    """Return the plan of one built-in in one type, its last case, and the criteria with the changes ``criteria``."""
    plan = Plan.of([name], [form], **{**SWEPT, **options})
    *_, item = plan.items()
    with Isolated("numpy") as numpy:
        return plan, item, replace(criteria_of(item, plan, numpy), **(criteria or {}))


@pytest.fixture
def edition(tmp_path, monkeypatch):
    """Write an edition in the current folder whose exact value of one pow is wrong."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "edition.toml").write_text('title = "Own"\nbased_on = "opencl-c++-1.0"\n')
    (folder / "special_values.toml").write_text('["a text, 1"]\nspecial_values = ["pow(2, 3) = 9"]\n')


@pytest.mark.usefixtures("edition")
@for_each(
    "name, form, options, reason",
    [
        ("sin", "float", {}, ""),
        ("sin", "float", {"criteria": {"also": ("rtz",)}}, "texts disagree on the mode"),
        (
            "add",
            "float",
            {"inputs": 1 << 20, "criteria": {"mode": "rtn"}},
            "in rtn the signs of its zeros are the host's",
        ),
        ("add", "float", {"inputs": 1 << 20, "criteria": NO_INFINITIES}, "what overflows there"),
        ("pow", "float", {"inputs": 1 << 20, "criteria": {"edition": "./own"}}, "depends on the edition"),
        ("rotate", "int", {}, "its results are compared bit by bit"),
        ("sin", "float", {"widths": (4,)}, "it is called on vectors"),
        ("sin", "float", {"oracle": "mpfr"}, "the oracle mpfr"),
        ("sin", "double", {"inputs": 100}, "its inputs are few"),
        ("pow", "float", {}, "its inputs are few"),
        ("remquo", "float", {}, "its inputs are few"),
        ("nan", "double", {"inputs": NUMBERED}, "no kernel encloses its results"),
        *((name, "double", {"inputs": NUMBERED}, "") for name in ("mad", "pow", "sin", "fma")),
    ],
)
def test_a_case_that_a_device_may_not_judge_has_a_reason(name, form, options, reason):
    plan, item, criteria = case(name, form, **options)
    found = refusal(item, criteria, plan)
    assert (reason in found) if reason else not found
    assert (question_of(item, criteria, plan) is None) == bool(reason)


def broken_off(*_):
    raise TargetError("the device has gone")


@for_each("most", [0.0, 1.0])
@for_each("inputs, owner, evaluated", [(1000, Case, "evaluated"), ("exhaustive", Isolated, "swept")])
def test_pace_of_the_host(inputs, owner, evaluated, most, monkeypatch):
    """Generated inputs and all floats are timed; a target that fails takes forever."""
    (plan, item, criteria), judged = case("floor", inputs=inputs), []
    monkeypatch.setattr(device_rows, "SAMPLE", 1 << 10)
    for where, name in ((device_rows, "judge"), (device_rows.swept, "judged_part")):
        monkeypatch.setattr(where, name, lambda *given: judged.append(given))
    with Isolated("numpy") as numpy:
        of_floor = Case(plan, numpy, item, criteria)
        assert 0.0 < device_rows.seconds_of_host(of_floor, NONE_KNOWN, most) < 1.0
        assert bool(judged) == bool(most)
        monkeypatch.setattr(owner, evaluated, broken_off)
        assert device_rows.seconds_of_host(of_floor, NONE_KNOWN, most) == np.inf
