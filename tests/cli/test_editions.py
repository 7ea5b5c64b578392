"""Editions on the command line: --edition, results by others in reports, show, and a third edition in a folder."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CPP, C, CTS = "opencl-c++-1.0", "opencl-c-3.1.1", "opencl-cts"
FAST = ["--inputs", "64", "--jobs", "1"]
LAB = """
    def one_below(name, *args):
        "For sqrt the number below the right one: within 1.5 ulp, and not correctly rounded."
        value = right(name, *args)
        moved = np.nextafter(value, np.asarray(0, value.dtype))
        return np.where((name == "sqrt") & np.isfinite(value) & (value > 0), moved, value)

    def minus_one(name, x):
        "Converts to char with saturation, and NaN to -1."
        return np.where(np.isnan(x), -1, np.clip(np.trunc(x.astype(float)), -128, 127)).astype(np.int8)
"""


ASKED = ["--functions", "sqrt,fabs", "--types", "half", *FAST]
WOULD_PASS = f"sqrt half: would pass by {C}, {CTS} (limit 1.5 ulp; OpenCL C 3.1.1, accuracy of half, full profile)\n"


def test_report_names_its_edition_and_changes_by_another(clm, lab):
    status, out, err = clm("audit", f"{lab}:one_below", *ASKED)
    assert (status, err) == (1, "")
    assert f"\nedition {CPP} (OpenCL C++ 1.0 and cl_khr_fp16)\n" in out
    assert WOULD_PASS in out
    assert out.count("would ") == 1


def test_report_names_failures_by_the_first_edition(clm, lab, tmp_path):
    path = tmp_path / "report.json"
    status, out, err = clm("audit", f"{lab}:one_below", *ASKED, "--edition", C, "--json", path)
    assert (status, err) == (0, "")
    assert f"\nedition {C} (OpenCL C 3.1.1)\n" in out
    line = r"sqrt half: would fail by opencl-c\+\+-1.0: (\d+) of 65536 inputs \(limit correctly rounded; cl_khr_fp16"
    failed = int(re.search(line, out)[1])
    found = json.loads(path.read_text())
    assert found["plan"]["edition"] == C
    by_name = {row["built-in"]: row for row in found["rows"]}
    assert by_name["sqrt"]["limit"] == "1.5 ulp"
    assert by_name["sqrt"]["other editions"] == {
        CPP: {
            "unjudged": 0,
            "failed": failed,
            "status": "fail",
            "limit": "correctly rounded",
            "source": "cl_khr_fp16, relative error as ULPs, full profile",
            "alike": [],
        }
    }
    assert by_name["fabs"]["other editions"] == {}
    assert f"editions/{CPP}/limits.toml" in found["tables"]


SAME = "\nAll verdicts are the same under the other specification versions.\n"


def test_report_says_if_all_verdicts_are_the_same(clm, lab):
    _, out, _ = clm("audit", "clmath", "--functions", "fabs,sqrt", "--types", "half", *FAST)
    assert SAME in out
    _, out, _ = clm("audit", f"{lab}:one_below", *ASKED)
    assert SAME not in out


def test_statement_that_changes_a_verdict_is_reported(clm, lab):
    """NaN may become anything in OpenCL C++ 1.0, but only 0 in OpenCL C 3.1.1."""
    asked = ["--functions", "convert_char_sat", "--types", "float", *FAST]
    status, out, err = clm("audit", f"{lab}:minus_one", *asked)
    assert (status, err) == (0, "")
    assert re.search(rf"convert_char_sat float: would fail by {C}: \d+ of \d+ inputs", out)
    assert "; OpenCL C 3.1.1, 6.4.3.3)" in out
    assert SAME not in out
    status, out, err = clm("audit", "clmath", *asked)
    assert (status, err) == (0, "")
    assert SAME in out


def test_show_prints_statements(clm):
    _, out, _ = clm("show", "convert_char_sat")
    assert f"\nstatements, {CPP}:\n    saturated nan: any  (OpenCL C++ 1.0, 3.2.4)\n" in out
    assert re.search(rf"\nstatements, .*{C}.*:\n    saturated nan: 0  \(OpenCL C 3.1.1, 6.4.3.3\)\n", out)
    _, out, _ = clm("show", "isequal")
    assert "statements" not in out


@pytest.mark.slow
def test_failure_is_replayed_by_its_edition(clm, lab):
    _, out, _ = clm("audit", f"{lab}:one_below", "--functions", "sqrt", "--types", "half", *FAST)
    assert "--edition" not in out
    _, out, _ = clm("audit", f"{lab}:one_below", "--functions", "sqrt", "--types", "double", *FAST, "--edition", C)
    command = next(line.strip() for line in out.splitlines() if "--replay" in line)
    assert f"--edition {C}" in command
    status, out, _ = clm(*shlex.split(command)[1:])
    assert status == 1
    assert f"    edition  {C}\n    limit    correctly rounded (OpenCL C 3.1.1, accuracy of double)\n" in out
    status, out, _ = clm("audit", f"{lab}:one_below", "--functions", "sqrt", "--types", "half", "--replay", "2")
    assert status == 1
    assert f"    note     would pass by {C}, {CTS} (limit 1.5 ulp; " in out


def test_report_with_wrong_counts_of_other_editions_is_refused(clm, lab, tmp_path):
    path = tmp_path / "report.json"
    words = ["audit", f"{lab}:one_below", *ASKED, "--json", path]
    clm(*words)
    found = json.loads(path.read_text())
    right = found["rows"][0]["other editions"][C]
    for change, fault in (
        ({"failed": -1}, "has opencl-c-3.1.1: failed -1; a count is needed"),
        ({"status": "fail"}, "has verdicts by other editions that its counts do not give"),
        ({"limit": "9 ulp"}, "has verdicts by other editions that its counts do not give"),
    ):
        found["rows"][0]["other editions"][C] = right | change
        path.write_text(json.dumps(found))
        status, _, err = clm(*words, "--resume")
        assert (status, fault in err) == (2, True)


def test_show_prints_both_editions_or_one(clm):
    _, out, _ = clm("show", "sqrt")
    for edition, text in ((CPP, "correctly rounded"), (C, "1.5 ulp")):
        part = out.partition(f"\nlimits, {edition}:\n")[2]
        assert re.match(rf"    half    full +{text}  \(", part)
    assert f"\nspecial values, {CPP}, {C}, {CTS}:\n    sqrt(NaN) = NaN" in out
    _, out, _ = clm("show", "sqrt", "--edition", C)
    assert CPP not in out
    assert "correctly rounded  (cl_khr_fp16" not in out


@pytest.mark.parametrize("command", [["show", "sin"], ["audit", "libm", *FAST]])
@pytest.mark.parametrize(
    ("edition", "fact"),
    [
        ("opencl-c", f"--edition='opencl-c' is not one of '{CPP}', '{C}', '{CTS}'"),
        ("./nowhere", "--edition='./nowhere' is not a folder with the file edition.toml"),
    ],
)
def test_unknown_editions_are_errors(refusal, command, edition, fact):
    err = refusal(*command, "--edition", edition)
    assert err.startswith(f"clmath {command[0]}: ")
    assert fact in err


def write_third(folder):
    """Write OpenCL C 3.1.1 with another limit for sqrt of half and a special value of its own."""
    shutil.copytree(ROOT / "tables" / "editions" / C, folder)
    (folder / "edition.toml").write_text(f'title = "A third one"\nbased_on = "{CPP}"\n')
    limits = (folder / "limits.toml").read_text().replace('half = "1.5 ulp"', 'half = "0.75 ulp"')
    (folder / "limits.toml").write_text(limits.replace("OpenCL C 3.1.1", "third"))
    special_values = (ROOT / "tables" / "editions" / CPP / "special_values.toml").read_text()
    (folder / "special_values.toml").write_text(special_values + '\n["third, 1"]\nspecial_values = ["sqrt(1) = 2"]\n')


def test_third_edition_is_a_folder_anywhere(clm, lab, tmp_path):
    write_third(tmp_path / "third")
    status, out, err = clm("audit", f"{lab}:one_below", *ASKED, "--edition", "./third")
    assert (status, err) == (1, "")
    assert f"\nedition {tmp_path / 'third'} (A third one)\n" in out
    assert "(limit 0.75 ulp; third, accuracy of half, full profile)" in out
    assert "1 x sqrt(1) = 2 (third, 1)" in out
    assert WOULD_PASS in out  # results are also compared with the known editions
    _, out, _ = clm("show", "sqrt", "--edition", "./third")
    assert "    sqrt(1) = 2  (third, 1)\n" in out


@pytest.mark.slow
def test_third_edition_among_the_tables_needs_no_code(lab, tmp_path):
    """A copy of the package with one more folder knows it by name, in show, and in reports by other editions."""
    for part in ("clmath", "tables"):
        shutil.copytree(ROOT / part, tmp_path / "copy" / part)
    write_third(tmp_path / "copy" / "tables" / "editions" / "third")

    def run(*words):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path / "copy"), str(tmp_path)])}
        command = [sys.executable, "-m", "clmath", *words]
        return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)

    shown = run("show", "sqrt").stdout
    assert re.search(r"^limits, third:\n    half    full +0.75 ulp  \(third, accuracy", shown, re.MULTILINE)
    assert f"\nspecial values, {CPP}, {C}, {CTS}:\n" in shown
    assert "\nspecial values, third:\n" in shown
    done = run("audit", f"{lab}:one_below", *ASKED)
    assert (done.returncode, done.stderr) == (1, "")
    assert WOULD_PASS in done.stdout
    by_third = run("audit", "clmath", *ASKED, "--edition", "third").stdout
    assert "\nedition third (A third one)\n" in by_third
    assert f"sqrt half: would pass by {C}, {CTS} (limit 1.5 ulp; " in by_third
    assert f"sqrt half: would pass by {CPP} (limit correctly rounded; " in by_third
