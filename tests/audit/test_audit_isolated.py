"""Chunks of a case are sent to an isolated target in one request, without extra cost."""

import pickle
import textwrap

import numpy as np
import pytest

from clmath.audit.counting.tally import Tally
from clmath.audit.isolation import process
from clmath.audit.isolation.isolated import Isolated
from clmath.audit.plan.plan import Plan
from clmath.audit.protocol.target import TargetError
from clmath.audit.running import run
from clmath.numbers.formats import FLOAT
from clmath.spec.builtins import builtin

LAB = """
    import os, time
    import numpy as np
    import clmath

    def begin_a_message():
        for number in range(3, 64):
            try:
                os.write(number, bytes([0, 0, 0, 32, 1]))
            except OSError:
                pass

    def noted(name, *args):
        "Keeps what it was asked last, does what the numbers 7 to 11 say."
        with open("seen", "a") as file:
            file.write(f"{float(args[0][-1])} ")
        print(f"<{float(args[0][-1])}>")
        if (args[0] == 7).any():
            raise ValueError
        if (args[0] == 8).any():
            os._exit(3)
        if (args[0] == 9).any():
            time.sleep(600)
        if (args[0] == 10).any():
            os.closerange(3, 256)
        if (args[0] == 11).any():
            begin_a_message()
            time.sleep(600)
        return getattr(clmath, name)(*args)
"""
FLOOR = builtin("floor")


def batches(*values, elements=16):
    return [(np.full(elements, value, np.float32),) for value in values]


@pytest.fixture
def target(tmp_path, monkeypatch):
    """A target in a process of its own, which writes the last number of every batch to the file ``seen``."""
    (tmp_path / "noted_lab.py").write_text(textwrap.dedent(LAB))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    with Isolated("noted_lab:noted", timeout=2.0) as found:
        yield found


@pytest.fixture
def sent(monkeypatch):
    """The sizes of the requests to evaluate something."""
    sizes = []
    send = process.Process.send

    def listening(self, call, kind, *given, answers=1):
        if kind == "run":
            sizes.append(len(pickle.dumps(given[1:])))
        send(self, call, kind, *given, answers=answers)

    monkeypatch.setattr(process.Process, "send", listening)
    return sizes


def test_one_request_returns_the_results_of_each_batch(target, sent):
    found = list(target.started(FLOOR, FLOAT, batches(1.5, 2.5, 3.5)))
    assert [results[0].tolist() for results in found] == [[value] * 16 for value in (1.0, 2.0, 3.0)]
    assert len(sent) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "value, deed",
    [
        (7, "raised ValueError: no message"),
        (8, "ended its process with exit status 3"),
        (9, "did not answer within 2 s"),
        (11, "did not answer within 2 s"),
    ],
)
def test_error_keeps_earlier_batches_and_ends_later_ones(target, tmp_path, value, deed):
    results = target.started(FLOOR, FLOAT, batches(1.5, value, 5.5, elements=1))
    assert next(results)[0].tolist() == [1.0]
    with pytest.raises(TargetError, match=f"{deed}; with x = 0x1"):
        next(results)
    assert "5.5" not in (tmp_path / "seen").read_text()
    assert "5.5" not in target.printed()
    assert next(target.started(FLOOR, FLOAT, batches(2.5)))[0].tolist() == [2.0] * 16


@pytest.mark.slow
def test_search_for_an_input_waits_only_once_for_the_end_of_a_process(target, monkeypatch):
    """A process that has closed its connection may take a while; its end is awaited and reported once."""
    waits = []
    wait = process.Process._how_it_ended
    monkeypatch.setattr(process.Process, "_how_it_ended", lambda self: waits.append(self.ending) or wait(self))
    with pytest.raises(TargetError, match=r"closed its connection to the audit; with x = 0x1\.4p"):
        next(target.started(FLOOR, FLOAT, batches(10)))
    assert len(waits) > 4
    assert any(waits)
    assert not any(waits[2:])


def test_printed_text_is_kept_with_the_last_batch(target):
    list(target.started(FLOOR, FLOAT, batches(1.5, 2.5)))
    assert '"<1.5> <2.5>"' in target.printed()


def test_abandoned_results_are_not_returned_by_the_next_request(target):
    results = target.started(FLOOR, FLOAT, batches(1.5, 2.5, 3.5))
    next(results)
    assert next(target.started(FLOOR, FLOAT, batches(4.5)))[0].tolist() == [4.0] * 16


def test_results_beyond_the_capacity_of_a_connection_wait_in_the_process(target):
    results = target.started(FLOOR, FLOAT, batches(*np.arange(20, 28), elements=1 << 17))
    assert [found[0][0] for found in results] == list(range(20, 28))


@pytest.fixture
def without_layouts(monkeypatch):
    """Disable requests with arrays in other layouts."""
    monkeypatch.setattr(run, "asked_in_layouts", lambda *_: Tally())


@pytest.mark.usefixtures("without_layouts")
def test_audit_sends_chunks_of_a_case_together(sent):
    plan = Plan.of(["floor", "fmin"], ["float"], inputs=100_000, jobs=1)
    pieces = {}
    with Isolated("numpy") as numpy:
        verdicts = list(run.audit(plan, numpy, on_progress=lambda item, _, total: pieces.update({item: total})))
    assert [v.status for v in verdicts] == ["pass", "pass"]
    assert sum(pieces.values()) > 24
    assert len(sent) < sum(pieces.values()) / 4
    assert max(sent) < 1 << 20


@pytest.mark.usefixtures("without_layouts")
def test_size_of_a_request_is_bounded(sent, monkeypatch):
    monkeypatch.setattr(run, "_REQUEST", 70_000)
    with Isolated("numpy") as numpy:
        list(run.audit(Plan.of(["floor"], ["float"], inputs=100_000, jobs=1), numpy))
    assert 64_000 < max(sent) < 70_000 + 4 * 8192
