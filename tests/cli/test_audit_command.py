"""clmath audit from end to end: tables, replayed failures, JSON, resuming after a kill, exit statuses."""

import io
import json
import re
import shlex
import sys

import numpy as np
import pytest

from clmath.audit.counting.tally import Elsewhere, Example, Otherwise, Tally, Verdict
from clmath.audit.isolation.choosing import target_named
from clmath.audit.judge import compiled_loop
from clmath.audit.judge.piece import judge
from clmath.audit.plan.item import Item
from clmath.audit.records import record
from clmath.audit.reports import terminal
from clmath.numbers.formats import DOUBLE, FLOAT
from clmath.spec.builtins import builtin
from tests.cases import for_each

FAST = ["--inputs", "64", "--jobs", "1"]
TWO = ["--types", "float,double", *FAST]  # some devices also have half

LAB = """
    def off(name, *args):
        "One ulp too high for x above 1: beyond a limit of 0 ulp only."
        value = np.array(right(name, *args))
        return np.where(args[0] > 1, np.nextafter(value, np.asarray(np.inf, value.dtype)), value)

    def noted(name, *args):
        with open("asked", "a") as file:
            print(name, file=file)
        return right(name, *args)

    def broken(name, *args):
        if name == "floor":
            raise RuntimeError("no floor\\ntoday")
        return right(name, *args)
"""


@pytest.mark.slow
def test_real_device_is_judged(clm, opencl_device, tmp_path):
    path = tmp_path / "report.json"
    status, out, err = clm("audit", opencl_device, *TWO, "--functions", "fabs,sqrt,frexp,add", "--json", path)
    assert (status, err) == (0, "")
    assert out.startswith(target_named(opencl_device).name)
    assert out.index("\nfloat\n") < out.index("\ndouble\n")
    names = ("fabs", "sqrt", "frexp", "add", "add_scalar", "scalar_add")
    for name in names:
        assert len(re.findall(rf"^ ?{name} .* pass", out, re.MULTILINE)) == 2
    assert out.splitlines()[-1].startswith("12 pass; ")
    assert out.splitlines()[-1].endswith(": conforms")
    found = json.loads(path.read_text())
    assert found["complete"] is True
    assert found["subject"]["driver"]
    assert found["subject"]["build options"] == ""
    assert [(r["built-in"], r["type"], r["status"]) for r in found["rows"]] == [
        (name, form, "pass") for form in ("float", "double") for name in names
    ]


def test_geometric_cases_have_widths(clm):
    status, out, _ = clm("audit", "clmath", "--functions", "length", "--types", "double", *FAST)
    assert status == 0
    assert re.findall(r"^ ?(length\S*(?: \S+)?) ", out, re.MULTILINE)[0].startswith("length")
    for width in (2, 3, 4):
        assert f"length double{width}" in out


@pytest.mark.slow
def test_relaxed_profile_builds_with_fast_relaxed_math(clm, opencl_device, tmp_path):
    path = tmp_path / "report.json"
    words = ["--functions", "sqrt", "--types", "float", *FAST, "--json", path]
    clm("audit", opencl_device, "--profile", "relaxed", *words)
    found = json.loads(path.read_text())
    assert found["subject"]["build options"] == "-cl-fast-relaxed-math"
    assert found["plan"]["profile"] == "relaxed"
    clm("audit", opencl_device, "--build-options=-cl-fp32-correctly-rounded-divide-sqrt", "--force", *words)
    found = json.loads(path.read_text())
    promised = "CORRECTLY_ROUNDED_DIVIDE_SQRT" in found["subject"]["float config"]
    assert (found["rows"][0]["limit"] == "correctly rounded") is promised


@pytest.mark.slow
def test_compile_error_of_one_kernel_leaves_the_others_judged(clm, opencl_device):
    words = ["--functions", "fabs,sqrt", "--types", "float", *FAST]
    undefined = "--build-options=-Dfabs=no_such_function -D_cl_fabs=no_such_function"  # PoCL's headers rename it
    status, out, _ = clm("audit", opencl_device, *words, undefined)
    assert status == 2
    assert re.search(r"^ ?sqrt .* pass", out, re.MULTILINE)
    assert re.search(r"^ ?fabs .* not judged", out, re.MULTILINE)
    assert "not judged: fabs float: fabs(float): the kernel does not compile" in out
    assert "no_such_function" in out
    assert out.splitlines()[-1].endswith("could not be judged")


def test_exit_status_follows_the_verdicts(clm, lab):
    words = ["--functions", "floor,trunc", "--types", "half", *FAST]
    assert clm("audit", f"{lab}:right", *words)[0] == 0
    assert clm("audit", f"{lab}:off", *words)[0] == 1
    status, out, err = clm("audit", f"{lab}:broken", *words)
    assert (status, err) == (2, "")
    assert "not judged: floor half: lab:broken: floor(half) raised RuntimeError: no floor today" in out
    assert clm("audit", f"{lab}:broken", "--functions", "trunc", "--types", "half", *FAST)[0] == 0


def test_every_failure_is_counted_and_replayed(clm, lab):
    status, out, _ = clm("audit", f"{lab}:off", "--functions", "floor", "--types", "half", *FAST)
    assert status == 1
    total = int(re.search(r"floor half: (\d+) of (\d+) inputs fail", out)[1])
    with np.errstate(all="ignore"):
        x = np.arange(2**16, dtype=np.uint16).view(np.float16)
        value = np.floor(x)
        wrong = np.where(x > 1, np.nextafter(value, np.float16(np.inf)), value)
        differ = (wrong != value) & ~np.isnan(x)
    assert total == np.count_nonzero(differ)
    commands = [line.strip() for line in out.splitlines() if line.strip().startswith("clmath ")]
    assert {shlex.split(c)[1] for c in commands} == {"eval", "audit"}
    got = re.findall(r"got +(\S+ \[0x[0-9a-f]+\])", out)
    expected = re.findall(r"expected (\S+ \[0x[0-9a-f]+\])", out)
    audits = [shlex.split(c)[1:] for c in commands if " audit " in c]
    evals = [shlex.split(c)[1:] for c in commands if " eval " in c]
    assert len(got) == len(expected) == len(audits) == len(evals) > 0
    for one_audit, one_eval, was_got, was_expected in zip(audits, evals, got, expected, strict=True):
        status, replayed, err = clm(*one_audit)
        assert (status, err) == (1, "")
        assert f"got      {was_got}" in replayed
        assert f"expected {was_expected}" in replayed
        status, reported, _ = clm(*one_eval)
        assert status == 0
        assert f"rte       {was_expected}" in reported


def test_replay_accepts_several_inputs_and_bits(clm):
    words = ["audit", "clmath", "--functions", "pow", "--types", "float"]
    status, out, _ = clm(*words, "--replay", "0x1p+1,-0x1p+1", "--replay", "-inf,3")
    assert status == 0
    assert "got      0x1p-2 [0x3e800000] = 0.25" in out
    assert "got      -inf [0xff800000]" in out
    assert out.count("\n    pass\n") == 2
    _, out, _ = clm("audit", "numpy", "--functions", "fabs", "--types", "half", "--bits", "--replay", "0xc200")
    assert "fabs half: -0x1.8p+1 [0xc200] = -3.0" in out
    _, out, _ = clm("audit", "clmath", "--functions", "dot", "--types", "float", "--replay=1,2,3,4,5,6")
    assert "dot float3" in out
    assert "got      0x1p+5 [0x42000000] = 32.0" in out
    _, out, _ = clm("audit", "libm", "--functions", "lgamma_r", "--types", "double", "--replay=-0.5")
    assert "got      -1" in out


@pytest.mark.slow
def test_replay_names_the_chosen_target(clm, opencl_device):
    words = ["--functions", "fabs", "--types", "float", "--replay", "-2"]
    assert f"target: {opencl_device}, as none is named\nfabs float: -0x1p+1" in clm("audit", *words)[1]
    assert "as none is named" not in clm("audit", opencl_device, *words)[1]


def test_report_does_not_depend_on_the_number_of_jobs(clm, tmp_path):
    reports = []
    for i, jobs in enumerate(("1", "2", "1")):
        path = tmp_path / f"{i}.json"
        words = ["--functions", "exp", "--types", "float,double", "--inputs", "300", "--seed", "0" if i < 2 else "7"]
        clm("audit", "numpy", *words, "--jobs", jobs, "--json", path)
        reports.append(path.read_text())
    assert reports[0] == reports[1]
    assert json.loads(reports[2])["plan"]["seed"] == 7


def example(error=float("inf"), exact=None):
    return Example(3, (0x3FF8000000000000, -4), 0, 0x7FF0000000000000, 1, exact, error, "wrong")


def test_verdict_is_kept_in_json():
    others = (Otherwise("opencl-c-3.1.1", 2, 4),)
    tally = Tally(9, 1, 2, 3, (("wrong", 3),), example(0.1, (0.1, float("nan"), -3)), (example(),), others)
    common = (Item(builtin("ldexp"), DOUBLE), "full", "0 ulp", "table 38", "fail", tally, "wrong", ("a", "b"))
    verdict = Verdict(*common, others=(Elsewhere("opencl-c-3.1.1", "fail", "1 ulp", "a table"),))
    again = record.verdict_of(json.loads(json.dumps(record.written(verdict), allow_nan=False)))
    assert repr(again) == repr(verdict)


SWEPT = ["--functions", "ilogb", "--types", "float", "--inputs", "exhaustive", "--part", "5/512", "--jobs", "1"]


@pytest.mark.parametrize(
    "end, seconds, judging, together",
    [
        (KeyboardInterrupt, 9.0, "swept", 2),
        (ZeroDivisionError, 0.0, "run", 1),
        pytest.param(KeyboardInterrupt, 9.0, "run", 1, marks=pytest.mark.slow),
        pytest.param(ZeroDivisionError, 0.0, "swept", 2, marks=pytest.mark.slow),
    ],
)
def test_killed_sweep_is_resumed_in_the_middle(  # noqa: PLR0917 - fixtures
    lab, clm, tmp_path, monkeypatch, end, seconds, judging, together
):
    """The sweep ends after two of eight chunks; others are evaluated once, and the final report is the same.

    An interrupt writes the report; if nothing can be written at the end, the last intermediate report counts. Results
    are judged in shared memory or sent; without a compiled loop, they are judged one chunk at a time.
    """
    monkeypatch.setattr(compiled_loop, "serves", lambda *_: False)
    if judging == "run":
        monkeypatch.setattr("clmath.audit.isolation.isolated.is_shared", lambda: False)
    monkeypatch.setattr("clmath.cli.audit_files.SECONDS", seconds)
    whole, partial = tmp_path / "whole.json", tmp_path / "partial.json"
    assert clm("audit", f"{lab}:right", *SWEPT, "--json", whole)[0] == 0
    calls, last = [], 2 // together + 1

    def judged(*args):
        calls.append(args)
        if len(calls) == last:
            raise end
        return judge(*args)

    monkeypatch.setattr(f"clmath.audit.running.{judging}.judge", judged)
    status, _, err = clm("audit", f"{lab}:right", *SWEPT, "--json", partial)
    reported = (
        "interrupted after 0 of 1 cases"
        if end is KeyboardInterrupt
        else "internal error: ZeroDivisionError: no message ("
    )
    assert (status, err.startswith(f"clmath audit: {reported}")) == (2, True)
    begun = json.loads(partial.read_text())["begun"]
    assert begun["pieces"] == 2
    assert begun["row"]["tried"] == 2 << 20
    status, out, _ = clm("audit", f"{lab}:right", *SWEPT, "--json", partial, "--resume")
    assert status == 0
    assert len(calls) == last + 6  # the last chunks are judged one at a time
    assert partial.read_text() == whole.read_text()
    found = json.loads(whole.read_text())
    assert found["plan"]["inputs"] == "exhaustive"
    assert found["plan"]["part"] == "5/512"
    assert found["rows"][0]["tried"] == 8 << 20
    assert found["rows"][0]["notes"] == ["part 5 of 512 of all floats"]
    assert "part 5 of 512 of all inputs of one float argument" in out


def test_progress_bar_shows_the_case_and_the_time_left(clm, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "160")
    clm("audit", "numpy", "--functions", "fabs,floor", "--types", "float,double", *FAST)
    assert screen.getvalue().startswith("clmath audit: trying numpy ...\r")
    assert re.search(r"\d:\d\d:\d\d.{0,12} about \d+ s left: floor double \d/\d, case 4 of 4", screen.getvalue())


@pytest.mark.parametrize(
    "functions",
    [
        pytest.param("rsqrt,native_sin,hypot,ldexp", marks=pytest.mark.slow),
        pytest.param("sin,exp,log,tanpi,native_sin,pow,fmod", marks=pytest.mark.exhaustive),
    ],
)
def test_oracle_does_not_change_verdicts(clm, opencl_device, tmp_path, functions):
    """Enclosures, with the reference where they leave results undecided, and the reference alone."""
    rows = []
    for oracle in ("auto", "mpfr"):
        path = tmp_path / f"{oracle}.json"
        words = ["--functions", functions, "--types", "float"]
        clm("audit", opencl_device, *words, "--inputs", "1000", "--jobs", "1", "--oracle", oracle, "--json", path)
        rows.append(json.loads(path.read_text())["rows"])
    for row in (*rows[0], *rows[1]):
        del row["digest"]  # it covers the plan, which contains the oracle
    assert rows[0] == rows[1]
    worst = {row["built-in"]: row["worst"]["error"] for row in rows[0]}
    assert abs(worst["native_sin"]) > 0  # implementation-defined, but measured


def test_finished_cases_are_not_judged_again(clm, lab, tmp_path):
    path = tmp_path / "report.json"
    words = ["audit", f"{lab}:noted", "--functions", "floor,trunc", "--types", "half", *FAST, "--json", path]
    assert clm(*words)[0] == 0
    found = json.loads(path.read_text())
    del found["rows"][1]
    path.write_text(json.dumps(found))
    (tmp_path / "asked").unlink()
    assert clm(*words, "--resume")[0] == 0
    assert set((tmp_path / "asked").read_text().split()) == {"trunc"}
    assert clm(*words, "--force")[0] == 0
    assert set((tmp_path / "asked").read_text().split()) == {"floor", "trunc"}


def test_output_is_plain_and_as_wide_as_columns(clm, monkeypatch):
    words = ["audit", "libm", "--functions", "exp,pow", "--types", "double", *FAST]
    monkeypatch.delenv("COLUMNS", raising=False)
    _, wide, _ = clm(*words)
    monkeypatch.setenv("COLUMNS", "70")
    _, narrow, _ = clm(*words)
    assert "\x1b" not in wide + narrow
    assert not re.search(r" $", wide + narrow, re.MULTILINE)
    assert max(map(len, wide.splitlines())) <= terminal.LEAST
    table = [line for line in narrow.splitlines() if not line.lstrip().startswith(("clmath", "profile", "libm"))]
    assert max(map(len, table)) <= 70


@for_each(
    "error, text",
    [
        (0.0, "0.000"),
        (0.5, "0.500"),
        (0.5 + 2.0**-40, ">0.500"),
        (0.5 - 2.0**-40, "0.500"),
        (3.0000001, ">3.000"),
        (3.1230001, "3.123"),
        (3.14159, "3.142"),
        (1.2e-7, "1.2e-07"),
        (5e9, "5e+09"),
        (float("inf"), "inf"),
        (float("nan"), "-"),
    ],
)
def test_errors_have_three_decimals(error, text):
    assert terminal.error_text(error) == text


def test_exit_codes_of_mixed_verdicts():
    def rows(*states):
        item = Item(builtin("sin"), FLOAT)
        common = (item, "full", "4 ulp", "table 35")
        return [Verdict(*common, s.removeprefix("open, "), Tally(), is_unspecified="open" in s) for s in states]

    assert terminal.exit_code(rows("pass", "pass")) == 0
    assert terminal.exit_code(rows("pass", "fail", "not judged")) == 1
    assert terminal.exit_code(rows("open, not judged", "fail")) == 1
    assert terminal.exit_code(rows("pass", "not judged", "open, not judged")) == 2
    assert terminal.exit_code(rows("pass", "not judged")) == 2
    assert terminal.exit_code(rows("pass", "open, not judged")) == 0
    assert terminal.exit_code(rows("pass", "open, not judged", "not judged")) == 2
    assert terminal.exit_code(rows("open, not judged")) == 2
    assert terminal.exit_code([]) == 2
