"""A subject that crashes in row after row costs seconds for each, not half a minute; and what it did is still told."""

import textwrap

import pytest

from clmath.audit.isolation.isolated import Isolated
from clmath.audit.isolation.process import Process
from clmath.audit.opencl.recent import Recent
from clmath.audit.plan.plan import Plan
from clmath.audit.running.run import audit

NAMES = ["floor", "ceil", "trunc", "rint", "fabs"]
LAB = """
    import ctypes
    import clmath

    def crashes(name, x):
        if (x == 7).any():
            ctypes.string_at(0)
        return getattr(clmath, name)(x)

    def raises(name, x):
        if (x == 7).any():
            raise ValueError("seven")
        return getattr(clmath, name)(x)
"""
AT_SEVEN = "; with x = 0x1.cp+2 [0x40e00000]"


@pytest.fixture
def lab(tmp_path, monkeypatch):
    (tmp_path / "crashing_lab.py").write_text(textwrap.dedent(LAB))
    monkeypatch.chdir(tmp_path)
    return "crashing_lab"


@pytest.fixture
def started(monkeypatch):
    """A list that grows by one for every process that is started."""
    found, make = [], Process.__init__
    monkeypatch.setattr(Process, "__init__", lambda self, **given: found.append(1) or make(self, **given))
    return found


def judged(subject, names):
    return list(audit(Plan.of(names, ["float"], inputs=64, second_look=False, jobs=1), subject))


@pytest.mark.slow
def test_after_three_rows_the_search_for_the_input_is_shorter_and_says_so(lab, started):
    counts = []
    with Isolated(f"{lab}:crashes") as subject:
        verdicts = []
        for name in NAMES:
            before = len(started)
            verdicts += judged(subject, [name])
            counts.append(len(started) - before)
    reasons = [verdict.reason for verdict in verdicts]
    assert all("died of signal 11" in reason for reason in reasons)
    assert [reason.endswith(AT_SEVEN) for reason in reasons] == [True] * 3 + [False] * 2
    for number, reason in zip((3, 4), reasons[3:], strict=True):
        assert f"(narrowed down less, as {number} rows of the math chapter went wrong before)" in reason
        assert " inputs does it, the first with x = " in reason
    assert max(counts[3:]) <= 3 < min(counts[:3])


def test_an_audit_that_is_resumed_says_the_same(lab):
    with Isolated(f"{lab}:crashes") as subject:
        whole = judged(subject, NAMES)
    with Isolated(f"{lab}:crashes") as subject:
        subject.recall(whole[:3])
        assert judged(subject, NAMES[3:]) == whole[3:]


def test_what_costs_no_process_is_searched_for_as_ever(lab, started):
    with Isolated(f"{lab}:raises") as subject:
        assert all(verdict.reason.endswith(f"raised ValueError: seven{AT_SEVEN}") for verdict in judged(subject, NAMES))
    assert len(started) == 1


def test_a_driver_keeps_the_programs_that_were_used_last():
    kept = Recent(2)
    kept["a"], kept["b"] = 1, 2
    assert kept["a"] == 1
    kept["c"] = 3
    assert ("a" in kept, "b" in kept, "c" in kept, len(kept)) == (True, False, True, 2)
