"""Targets that are not deterministic: a built-in passes, with a note, only if no result of any call is wrong."""

import contextlib
import csv
import json
import shlex

import numpy as np
import pytest

import clmath
from clmath.audit.plan.plan import Plan
from clmath.audit.reports.terminal import Replay, failure_lines
from clmath.audit.running.again import CALLS, MORE, OTHERS, POSITION, REASON, SIZE
from clmath.audit.running.run import audit
from clmath.audit.targets.function import Function
from clmath.numbers.formats import FLOAT
from tests.cases import for_each


def judged(function, name="sin", types=("float",), *, inputs=64, **given):
    """Return the verdict on a built-in of a Python function."""
    given = {"local_search": False, "jobs": 1, **given}
    target = Function(lambda _, *a: function(*a), "mine")
    target.lays_out = False  # calls are counted
    (verdict,) = audit(Plan.of([name], types, inputs=inputs, **given), target)
    return verdict


def right(x):
    return clmath.sin(x)


class Calls:
    """Correct function whose results ``corrupt`` changes, depending on the number of the call."""

    def __init__(self, corrupt, name="sin"):
        self.count, self.corrupt, self.name = 0, corrupt, name

    def __call__(self, *args):
        self.count += 1
        results = np.array(getattr(clmath, self.name)(*args))
        self.corrupt(results, self.count)
        return results


def one_ulp(results, number):
    """Change results by one ulp, within the limit, in every other call."""
    if number % 2:
        next_one = np.nextafter(results, np.float32(2), dtype=results.dtype)
        np.copyto(results, next_one, where=abs(results) > 1e-30)


def first_of_small(results, _number):
    """Make the first result of small batches wrong, as a fault at the start of a loop does."""
    if len(results) < 8:
        results[0] = 3


def test_deterministic_target_gets_no_note():
    verdict = judged(right)
    assert (verdict.status, verdict.notes, verdict.tally.failed) == ("pass", (), 0)
    assert judged(clmath.exp, "exp", ["double"]).notes == ()


def test_note_names_input_and_both_results_if_all_are_within_the_limit():
    verdict = judged(Calls(one_ulp))
    assert verdict.status == "pass"
    (note,) = [note for note in verdict.notes if note.startswith("not deterministic: x = ")]
    text = note.partition(": x = ")[2].partition("; ")[0]
    given, _, both = text.partition(" gives ")
    one, _, other = both.partition(" and ")
    x = np.uint32(int(given.partition("[")[2].rstrip("]"), 16)).view(np.float32)
    found = {int(value.partition("[")[2].rstrip("]"), 16) for value in (one, other)}
    exact = clmath.sin(x)
    assert found == {int(v.view(np.uint32)) for v in (exact, np.nextafter(exact, np.float32(2)))}
    assert note.endswith(" inputs that were asked three times differ")


@pytest.mark.parametrize("width", [1, 4])
def test_target_with_one_wrong_result_of_several_fails(width):
    class Vectors(Function):
        widths = (1, 4)

    target = Vectors(lambda _, *a: Calls(first_of_small)(*a), "mine")
    plan = Plan.of(["sin"], ["float"], inputs=64, local_search=False, jobs=1, widths=[width])
    (verdict,) = audit(plan, target)
    assert (verdict.status, verdict.reason) == ("fail", REASON)
    assert dict(verdict.tally.reasons) == {REASON: verdict.tally.failed}
    assert 0 < verdict.tally.failed <= verdict.tally.tried
    assert all(FLOAT.from_bits(example.got) == 3 for example in verdict.tally.failures)
    assert all(
        not width > 1 or example.vector[example.index % width] == example.args for example in verdict.tally.failures
    )


@pytest.mark.slow
def test_failing_target_gets_a_note_that_results_differ():
    random = np.random.default_rng(1)

    def flaky(results, _number):
        results[random.random(results.shape) < 0.02] = 3

    verdict = judged(Calls(flaky), inputs=4096)
    assert verdict.status == "fail"
    assert any(note.startswith("not deterministic: x = ") for note in verdict.notes)
    assert CALLS in " ".join(dict(verdict.tally.reasons))


def test_failing_input_is_evaluated_again():
    """Only the first call is wrong, at an input that is not among the inputs that are always evaluated again."""

    def once(results, number):
        if number == 1:
            results[1001] = 3

    verdict = judged(Calls(once))
    assert verdict.status == "fail"
    assert any(" gives 0x1.8p+1 [0x40400000] and " in note for note in verdict.notes)


@pytest.mark.parametrize("name, types", [("popcount", ["int"]), ("convert_uchar_sat", ["float"]), ("isnan", ["float"])])
def test_every_chapter_is_evaluated_again(name, types):
    def corrupt(results, number):
        if number == last:
            results[...] = results ^ 1

    count = Calls(lambda *_: None, name)
    judged(count, name, types, inputs=16)
    last = count.count - 1  # the third evaluation has seven vectors
    verdict = judged(Calls(corrupt, name), name, types, inputs=16)
    assert (verdict.status, any(note.startswith("not deterministic: ") for note in verdict.notes)) == ("fail", True)


def test_nans_with_different_payloads_are_equal():
    def payloads(results, number):
        nan = np.isnan(results)
        results[nan] = np.uint32(0x7FC00000 + number).view(np.float32)

    verdict = judged(Calls(payloads, "sqrt"), "sqrt")
    assert not any("deterministic" in note for note in verdict.notes)


def test_command_line_shows_the_note_and_resumes_the_report(tmp_path, monkeypatch, clm):
    (tmp_path / "unsteady.py").write_text(
        "import itertools, numpy as np, clmath\n"
        "number = itertools.count()\n"
        "def sin(x):\n"
        "    r = clmath.sin(x)\n"
        "    return np.nextafter(r, np.float32(2)) if next(number) % 2 else r\n"
        "def f(name, *args):\n"
        "    return sin(*args) if name == 'sin' else getattr(clmath, name)(*args)\n"
    )
    monkeypatch.chdir(tmp_path)
    words = ["--functions", "sin,fabs", "--types", "float", "--inputs", "64", "--jobs", "1", "--json", "report.json"]
    status, out, err = clm("audit", "unsteady:f", *words)
    assert (status, err) == (0, "")
    assert "\nnote: sin float: not deterministic: x = " in out
    rows = json.loads((tmp_path / "report.json").read_text())["rows"]
    assert [any("deterministic" in note for note in row["notes"]) for row in rows] == [True, False]
    assert clm("audit", "unsteady:f", *words, "--resume")[:2] == (status, out)


def test_target_that_becomes_wrong_after_some_calls_fails():
    """All results of the repeated evaluations are equal, and wrong."""
    count = Calls(lambda *_: None)
    assert judged(count).status == "pass"
    before = count.count - 5  # the first and second evaluation take one batch each, the third takes three

    def later(results, number):
        if number > before:
            results[...] = 3

    verdict = judged(Calls(later))
    assert (verdict.status, verdict.reason) == ("fail", REASON)
    assert any(note.startswith("not deterministic: x = ") for note in verdict.notes)


def at_the_fifth(results, _number):
    results[5::1000] = 3


def in_every_third_call(results, number):
    results[::2] = 3 if number % 3 == 0 else results[::2]


def in_large_batches(results, _number):
    results[results > 0.5] = 3 if len(results) > 400 else results[results > 0.5]


def next_to_nan(results, _number):
    results[results > 0.5] = 3 if np.isnan(results).sum() > 4 else results[results > 0.5]


FIRST = 100  # a call number that replays do not reach


class Counted(Function):
    """Target whose results depend on the number of calls in its process."""

    widths = (1, 4)

    def __init__(self, corrupt):
        self.calls = Calls(lambda results, number: corrupt(results.reshape(-1), number))
        super().__init__(lambda _, *args: self.calls(*args), "mine")

    @contextlib.contextmanager
    def anew(self):
        before, self.calls.count = self.calls.count, 0
        yield
        self.calls.count = before


@for_each(
    "corrupt, cause, width",
    [
        *[(at_the_fifth, POSITION, width) for width in (1, 4)],
        *[(in_every_third_call, CALLS, 1), (in_large_batches, SIZE, 1), (next_to_nan, OTHERS, 4)],
    ],
)
def test_reason_names_the_cause_if_failing_inputs_pass_alone(corrupt, cause, width):
    plan = Plan.of(["sin"], ["float"], inputs=64, local_search=False, jobs=1, widths=[width])
    (verdict,) = audit(plan, Counted(corrupt))
    reasons, tally = dict(verdict.tally.reasons), verdict.tally
    assert verdict.status == "fail"
    assert verdict.reason.startswith(cause)
    assert sum(reasons.values()) == tally.failed
    assert {e.reason for e in tally.failures} == reasons.keys()
    assert all(not e.fails_alone for e in (tally.worst, *tally.failures))
    assert all("--replay" not in line for line in failure_lines(verdict, Replay("mine")))


def raises_in_batches(results, number):
    """Make results of the audit's batches wrong (calls from ``FIRST`` on), and raise in batches of replays."""
    if len(results) > 1:
        if number < FIRST:
            raise OSError
        results[results > 0.5] = 3


def raises_alone(results, _number):
    if len(results) == 1:
        raise OSError
    results[results > 0.5] = 3


@for_each("corrupt, cause", [(raises_in_batches, MORE), (raises_alone, "not within the limit")])
def test_replay_that_raises_is_reported_as_cause_or_counts_as_failing_alone(corrupt, cause):
    target = Counted(corrupt)
    target.calls.count = FIRST
    (verdict,) = audit(Plan.of(["sin"], ["float"], inputs=64, local_search=False, jobs=1), target)
    assert verdict.status == "fail"
    assert verdict.reason.startswith(cause)
    assert {e.fails_alone for e in verdict.tally.failures} == {corrupt is raises_alone}


@pytest.mark.slow
def test_printed_replay_commands_fail_at_the_input_of_the_annotation(tmp_path, monkeypatch, clm):
    """Results at inf are always wrong; cos is wrong from a process's third call on, tan at position 5 of a batch."""
    (tmp_path / "stateful.py").write_text(
        "import itertools, numpy as np, clmath\n"
        "number = itertools.count()\n"
        "def f(name, x):\n"
        "    r = np.array(getattr(clmath, name)(x))\n"
        "    r[5:6 if name == 'tan' else 0] = 3\n"
        "    r[::2 if name == 'cos' and next(number) > 1 else len(r) + 1][1:] = 3\n"
        "    r[(x == np.inf) | ((name == 'exp') & (x == 1))] = 7\n"
        "    return r\n"
    )
    monkeypatch.chdir(tmp_path)
    words = ["--functions", "exp,cos,tan", "--types", "float", "--inputs", "64", "--jobs", "1"]
    status, out, err = clm("audit", "stateful:f", *words, "--annotations", "github", "--csv", "report.csv")
    assert (status, err) == (1, "")
    printed = {line.strip() for line in out.splitlines() if line.startswith("        clmath audit ")}
    replayed = [("exp", "inf"), ("exp", "0x1p+0"), ("cos", "inf"), ("tan", "inf")]
    wanted = {f"{name} --types float --replay={x}" for name, x in replayed}
    assert {command.partition("--functions ")[2] for command in printed} == wanted
    for command in printed:
        assert clm(*shlex.split(command)[1:])[0] == 1, command
    rows = list(csv.DictReader((tmp_path / "report.csv").read_text().splitlines()))
    annotations = [line for line in out.splitlines() if line.startswith("::error")]
    for line in annotations:
        text, _, command = line.partition("%0A")
        assert not command or command.partition("--replay=")[2] == text.rpartition(" at ")[2]
        assert command in {row["replay"] for row in rows}
    assert len(annotations) == len(rows) == 3
    assert f"{POSITION}; not within the limit" in out
    assert f"{CALLS}; not within the limit" in out
