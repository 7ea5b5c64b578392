"""Transfer of a device's lists: runs of neighbours take few bytes, and the host restores the inputs in order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from clmath.audit.acceptance.criteria import Criteria
from clmath.audit.counting.tally import Tally
from clmath.audit.device_judge.question import PART, Generated, Question, Runs
from clmath.audit.inputs.exhaustive import RUN
from clmath.audit.judge.piece import judge
from clmath.audit.plan.rows import item_named
from clmath.audit.running import device_rows
from clmath.audit.running.device_rows import far_zeros
from tests.cases import for_each

LAW = Criteria("full", "rte", flushes=False)
SWEPT = Question(item_named("sin", "float"), LAW)
DRAWN = Question(item_named("pow", "double"), LAW, Generated(3, 1 << 30))


def runs_of(numbers):
    """Return the runs of ascending numbers: their first numbers and lengths."""
    firsts = numbers[np.append(True, np.diff(numbers) > 1)]
    ends = numbers[np.append(np.diff(numbers) > 1, True)] + np.uint64(1)
    return firsts, ends - firsts


@for_each("at_once", [1 << 20, 1000])
@for_each("question, parts", [(SWEPT, range(5, 4096, 7)), (DRAWN, range(3, 99, 5))])
def test_every_input_comes_once_with_its_result(question, parts, at_once, monkeypatch):
    """Isolated inputs, and runs that cross the ends of runs of floats and of chunks."""
    monkeypatch.setattr(device_rows, "AT_ONCE", at_once)
    rng = np.random.default_rng(8)
    stretches = (70, 3), (250, 600), (4 * RUN, RUN), (PART - 3, 9), (2 * PART - 4, 4), (3 * PART, 1)
    whole = [np.arange(start, start + length) for start, length in stretches]
    numbers = np.unique(np.concatenate([*whole, rng.integers(0, 4 * PART, 3000)])).astype(np.uint64)
    firsts, lengths = runs_of(numbers)
    results = rng.integers(0, 1 << 20, len(lengths)).astype(question.encodings[0])
    found = Runs(firsts, lengths, (results,))
    repeated = np.repeat(results, lengths.astype(int)).tolist()
    wanted = dict(zip(question.places(parts, numbers).tolist(), repeated, strict=True))
    reported, count, placed = {}, 0, device_rows.placed(question, parts, found)
    assert placed.lengths.min() > 0
    for places, (some,) in device_rows.in_order(placed):
        assert (np.diff(places.astype(np.int64)) > 0).all()
        assert len(places) <= at_once + question.neighbours
        reported |= dict(zip(places.tolist(), some.view(question.encodings[0]).tolist(), strict=True))
        count += len(places)
    assert reported == wanted
    assert len(reported) == count == len(numbers)


LAWS = {
    "full": {},
    "rtz": {"mode": "rtz"},
    "rtp": {"mode": "rtp"},
    "rtn": {"mode": "rtn"},
    "it flushes": {"flushes": True},
    "no signed zeros": {"options": ("-cl-no-signed-zeros",)},
    "relaxed": {"profile": "relaxed", "options": ("-cl-unsafe-math-optimizations",)},
    "another edition": {"edition": "opencl-c-3.1.1"},
}


def floats(at):
    """Return the encodings of floats."""
    return np.asarray(at, np.float32).view(np.uint32).astype(np.int64)


@pytest.fixture(scope="module")
def scattered():
    """Runs of all lengths and sizes, of both signs, up to infinities and NaN; most results are zeros."""
    rng = np.random.default_rng(5)
    firsts = [*floats(np.exp2([0.0, 1.0, 23.0, 24.0, 24.5, 25.0, 30.0, 60.0])), int(floats(np.inf)) - 4000]
    places = np.unique(np.concatenate([rng.integers(one, one + 9000, 40) for one in firsts]))
    places = np.concatenate([places, places + (1 << 31)])
    lengths = np.minimum(rng.integers(1, 40, len(places)), np.append(np.diff(places), 10))
    codes = rng.choice([0, 0, 1 << 31, 1 << 31, int(floats(0.5)), int(floats(np.nan))], len(places))
    return Runs(places.astype(np.uint32), lengths, (codes.astype(np.uint32).view(np.float32),))


@pytest.mark.slow
@for_each("criteria", LAWS)
@for_each("name", ["tanpi", "rint"])
def test_one_far_zero_is_judged_for_all(name, criteria, scattered):
    question = Question(item_named(name, "float"), replace(LAW, **LAWS[criteria]))
    places, results = scattered.each()
    wanted = judge(question.item, question.inputs(places), results, question.criteria, places)
    counted, others = far_zeros(question, scattered)
    places, results = others.each()
    assert repr(counted + judge(question.item, question.inputs(places), results, question.criteria, places)) == repr(
        wanted
    )
    assert len(places) + counted.tried == scattered.lengths.sum()
    assert (counted.tried > 1000) == (name == "tanpi" and criteria != "relaxed")  # special values prescribe these zeros


def test_nonzero_results_and_numbered_inputs_are_left():
    runs = Runs(np.array([7, 9]), np.array([1, 1]), (np.zeros(2),))
    assert far_zeros(DRAWN, runs) == (Tally(), runs)
