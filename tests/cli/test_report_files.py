"""Files of an audit other than its report, the JSON Schema, known failures, and changes between reports."""

import csv
import itertools
import json
import re
import shlex
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from clmath.audit.records import record
from tests.cases import for_each

LAB = """
    def up(value):
        return np.nextafter(value, np.asarray(np.inf, value.dtype))

    def off(name, *args):
        "floor is one off above 1, exp one off where it passes, ceil raises, with the worst of texts."
        value = np.array(right(name, *args))
        if name == "ceil":
            raise RuntimeError("=1+1 </script><img src=x onerror=alert(1)> \\x1b[2J \\x00 ]]> & \\ud800")
        return np.where(args[0] > 1, up(value), value) if name in ("floor", "exp") else value

    def worse(name, *args):
        "As off, and floor is off below -1 too; trunc fails anew."
        value = np.array(off(name, *args))
        if name == "floor":
            return np.where(args[0] < -1, up(up(value)), value)
        return np.where(args[0] > 1, up(value), value) if name == "trunc" else value

    def signs(name, x):
        value, sign = clmath.lgamma_r(x)
        return value * np.float32(1 + 2.0**-18), np.where(x == 0, sign + 1, sign)
"""
WORDS = ["--functions", "floor,trunc,exp,ceil,native_sin", "--types", "float", "--inputs", "64", "--jobs", "1"]


@pytest.fixture
def audit(clm, lab):
    def run(target, *words):
        return clm("audit", f"{lab}:{target}", *WORDS, *words)

    return run


def rows_of(path):
    return {f"{row['built-in']} {row['type']}": row for row in json.loads(path.read_text())["rows"]}


def test_junit_has_a_test_case_for_each_case(audit, tmp_path):
    path = tmp_path / "junit.xml"
    assert audit("off", "--junit", path)[0] == 1
    text = path.read_text()
    assert "\x1b" not in text
    root = ET.fromstring(text)  # noqa: S314 - ours
    assert {key: root.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "5", "failures": "1", "errors": "1", "skipped": "1",
    }  # fmt: skip
    (suite,) = root
    assert suite.get("name") == "math.float"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.get("timestamp"))
    cases = {case.get("name"): case for case in suite.iter("testcase")}
    assert list(cases) == ["floor float", "trunc float", "exp float", "ceil float", "native_sin float"]
    assert {name: [child.tag for child in case] for name, case in cases.items()} == {
        "floor float": ["failure"], "trunc float": [], "exp float": [], "ceil float": ["error"],
        "native_sin float": ["skipped"],
    }  # fmt: skip
    assert all(float(case.get("time")) > 0 for case in cases.values())
    assert sum(float(case.get("time")) for case in cases.values()) == pytest.approx(float(suite.get("time")), abs=0.01)
    failure = cases["floor float"][0]
    assert failure.get("message") == "fail: not within the limit: correctly rounded"
    assert re.search(r"expected 0x1p\+0 \[0x3f800000\]", failure.text)
    assert "clmath audit lab:off --functions floor --types float --replay=" in failure.text
    assert "onerror=alert(1)> \\x1b[2J" in cases["ceil float"][0].get("message")
    names = {p.get("name") for p in suite.iter("property")}
    limits = "tables: editions/opencl-c++-1.0/limits.toml"
    assert {"command line", "subject: name", "plan: seed", "versions: mpfr", limits} <= names


def test_csv_has_a_line_for_each_case(audit, tmp_path):
    path, report = tmp_path / "rows.csv", tmp_path / "r.json"
    audit("off", "--csv", path, "--json", report)
    with path.open(newline="", encoding="utf-8") as file:
        rows = {row["built-in"]: row for row in csv.DictReader(file)}
    assert list(rows) == ["floor", "trunc", "exp", "ceil", "native_sin"]
    written = rows_of(report)
    for name, row in rows.items():
        there = written[f"{name} float"]
        assert int(row["tried"]) == there["tried"]
        assert int(row["failed"]) == there["failed"]
        assert row["status"] == there["status"]
    share = written["exp float"]["correctly rounded"]
    assert 0.5 < share < 1
    assert float(rows["exp"]["correctly rounded %"]) == pytest.approx(100 * share, abs=1e-6)
    assert rows["floor"]["replay"].startswith("clmath audit lab:off --functions floor")
    assert rows["ceil"]["failed"] == "0"
    assert all(len(line) < 2000 for line in path.read_text().splitlines())


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(1)", "\t=1"])
def test_text_of_a_device_is_not_a_formula_in_csv(text):
    from clmath.audit.reports.for_programs import _plain

    assert not re.match(r"[=+\-@\t]", _plain(text))


@pytest.mark.slow
def test_cts_json_has_a_status_for_each_function(clm, audit, tmp_path):
    path = tmp_path / "cts.json"
    audit("off", "--cts-json", path)
    assert json.loads(path.read_text()) == {
        "cmd": "clmath_audit",
        "results": {"floor": "fail", "trunc": "pass", "exp": "pass", "ceil": "fail", "native_sin": "skip"},
    }
    words = ["--functions", "add,div,recip,length", "--types", "float,double", "--inputs", "8", "--jobs", "1"]
    clm("audit", "clmath", *words, "--cts-json", path)
    assert list(json.loads(path.read_text())["results"]) == ["add", "divide", "reciprocal", "geom_length"]


@pytest.mark.slow
def test_correct_division_has_names_of_its_own_in_cts_json(clm, opencl_device, tmp_path):
    path = tmp_path / "cts.json"
    words = ["--functions", "div,sqrt,sin", "--types", "float,double", "--inputs", "8", "--jobs", "1"]
    option = "--build-options=-cl-fp32-correctly-rounded-divide-sqrt"
    clm("audit", opencl_device, *words, option, "--cts-json", path)
    assert list(json.loads(path.read_text())["results"]) == ["divide_cr", "sqrt_cr", "sin", "divide", "sqrt"]


def test_reports_conform_to_their_schema(clm, audit, tmp_path):
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(clm("schema")[1])
    jsonschema.Draft202012Validator.check_schema(schema)
    check = jsonschema.Draft202012Validator(schema).validate
    path = tmp_path / "report.json"
    audit("off", "--json", path)
    report = json.loads(path.read_text(), parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    check(report)
    for words in ("libm --functions remquo,lgamma_r", "clmath --functions cross,nan"):
        few = ["--types", "float", "--inputs", "8", "--jobs", "1", "--json", path, "--force"]
        clm("audit", *words.split(), *few)
        check(json.loads(path.read_text()))
    one = schema["$defs"]["report"]["properties"]
    assert one["schema"]["const"] == record.SCHEMA
    assert set(report) == set(one) - {"begun"}
    row = schema["$defs"]["row"]
    assert set(report["rows"][0]) == set(row["required"]) == set(row["properties"]) - {"worst by region"}
    assert set(report["plan"]) <= set(one["plan"]["properties"])
    for change in (
        {"schema": 3}, {"rows": [{}]}, {"complete": "yes"}, {"rows": [report["rows"][0] | {"failed": -1}]},
        {"rows": [report["rows"][0] | {"histogram": {"few": 1}}]}, {"tables": {"limits.toml": "?"}},
    ):  # fmt: skip
        with pytest.raises(jsonschema.ValidationError):
            check(report | change)


def test_report_is_shown_again(clm, audit, tmp_path):
    report, first, again = tmp_path / "r.json", tmp_path / "1.csv", tmp_path / "2.csv"
    status, out, _ = audit("off", "--json", report, "--csv", first)
    other, shown, err = clm("report", report, "--csv", again, "--junit", tmp_path / "j.xml")
    assert (other, err) == (status, "")
    assert shown.splitlines()[1] == "edition opencl-c++-1.0, profile full"
    assert shown.splitlines()[2:] == out.splitlines()[5:]
    seconds = [line["seconds"] for line in csv.DictReader(again.read_text().splitlines())]
    assert seconds == [""] * 5
    without = re.compile(r",\d+\.\d{3},")
    assert without.sub(",,", first.read_text()) == without.sub(",,", again.read_text())
    assert clm("report", report, "--csv", report)[0] == 2
    assert json.loads(report.read_text())["complete"] is True


def changed(path, change):
    report = json.loads(path.read_text())
    change(report)
    path.write_text(json.dumps(report))


@for_each(
    "change, fact",
    [
        (lambda r: r["rows"][0].update(tried=10**6), "case tgamma double was changed after it was written"),
        (lambda r: r.update(schema=0), "has schema 0, this clmath reads 1; audit again"),
        (lambda r: r.pop("rows"), "is not a report of clmath"),
        (lambda r: r.update(rows=3), "is not a report of clmath"),
        (lambda r: r["rows"].append(r["rows"][0]), "case tgamma double stands there twice"),
        (lambda r: r.update(complete=False), "is not complete; add --resume to the audit that wrote it"),
    ],
)
def test_changed_report_is_refused(clm, reports, tmp_path, change, fact):
    path = tmp_path / "r.json"
    path.write_bytes(reports[1].read_bytes())
    changed(path, change)
    status, _, err = clm("diff", path, path)
    assert (status, err.count("\n"), fact in err) == (2, 1, True)
    assert err.startswith(f"clmath diff: {path}")


@pytest.mark.slow
def test_diff_lists_regressions_first(clm, audit, tmp_path):
    right, off, worse = (tmp_path / f"{name}.json" for name in ("right", "off", "worse"))
    for path in (right, off, worse):
        audit(path.stem, "--json", path)
    status, out, err = clm("diff", right, off)
    assert (status, err) == (1, "")
    kinds = [
        re.match(r"regression|larger error|smaller error|improvement|differs|5 cases", line)[0]
        for line in out.splitlines()
    ]
    assert [kind for kind, _ in itertools.groupby(kinds)] == ["regression", "larger error", "differs", "5 cases"]
    assert re.search(
        r"^regression: floor float: pass, 0.000 ulp -> fail \d+ of \d+, 2.000 ulp: not within", out, re.MULTILINE
    )
    assert re.search(r"^regression: ceil float: pass, .* -> not judged, .*raised RuntimeError", out, re.MULTILINE)
    assert re.search(r"^larger error: exp float: pass, 0.500 ulp -> pass, 1\.[45]\d\d ulp$", out, re.MULTILINE)
    assert "differs: subject: name: lab:right -> lab:off" in out
    assert "\x1b" not in out
    assert out.endswith("5 cases compared: 2 regressions, 1 larger error\n")

    status, out, _ = clm("diff", off, right)
    assert status == 0
    assert out.endswith("5 cases compared: 1 smaller error, 2 improvements\n")
    assert clm("diff", off, off) == (0, "5 cases compared: no change\n", "")

    status, out, _ = clm("diff", off, worse)
    assert status == 1
    assert re.search(r"^regression: floor float: fail .* -> fail .* more of the same inputs fail$", out, re.MULTILINE)
    assert re.search(r"^regression: trunc float: pass, ", out, re.MULTILINE)


def test_diff_of_an_error_without_a_limit(clm, lab, tmp_path):
    """The gamma functions have no limit: if wrong signs fail, a larger error is not a regression."""
    words = ["--functions", "lgamma_r", "--types", "float", "--jobs", "1"]
    for name, inputs in (("old", "50"), ("new", "3000")):
        clm("audit", f"{lab}:signs", *words, "--inputs", inputs, "--json", tmp_path / f"{name}.json")
    status, out, _ = clm("diff", tmp_path / "old.json", tmp_path / "new.json")
    assert (status, "regression" in out, "larger error" in out) == (0, False, True)


def test_diff_of_devices_with_different_types(clm, audit, tmp_path):
    one, both, few = tmp_path / "one.json", tmp_path / "both.json", tmp_path / "few.json"
    audit("right", "--functions", "floor", "--json", one)
    audit("right", "--functions", "floor", "--types", "float,double", "--json", both)
    audit("right", "--functions", "trunc", "--json", few)
    assert clm("diff", both, one)[0] == 0
    assert "only in old: floor double: pass -> there is no such case" in clm("diff", both, one)[1]
    assert "only in new: floor double: pass" in clm("diff", one, both)[1]
    status, _, err = clm("diff", one, few)
    assert status == 2
    assert "the reports have no case in common; audit the same --functions and --types" in err


def test_missing_case_is_a_regression(clm, audit, tmp_path):
    whole, cut = tmp_path / "whole.json", tmp_path / "cut.json"
    audit("right", "--functions", "floor,trunc", "--json", whole)
    cut.write_text(whole.read_text())
    changed(cut, lambda r: r["rows"].pop())
    status, out, _ = clm("diff", whole, cut)
    assert status == 1
    assert "regression: trunc float: pass -> there is no such case" in out


@for_each(
    "words, fact",
    [
        (["--json", "/dev/null"], "--json /dev/null is not a file"),
        (["--json", "/"], "--json / is not a file"),
        (["--json", "x" * 300], "cannot be written: File name too long; name a file"),
        (["--json", "no/such/folder/r.json"], "No such file or directory; name a file in a folder you may write to"),
        (["--junit", "no/such/folder/x.xml"], "--junit no/such/folder/x.xml cannot be written"),
        (["--log", "no/such/folder/run.log"], "--log no/such/folder/run.log cannot be written: No such file"),
        (["--csv", "."], "--csv . cannot be written"),
        (["--html", ""], "--html"),
        (["--csv", "x", "--junit", "./x"], "--csv x is another file of this audit already"),
        (["--json", "r.json", "--html", "r.json"], "--html r.json is another file of this audit already"),
    ],
)
def test_unwritable_files_are_reported_before_any_work(refusal, tmp_path, monkeypatch, words, fact):
    monkeypatch.chdir(tmp_path)
    assert fact in refusal("audit", "numpy", *WORDS, *words)
    assert not list(tmp_path.iterdir())


def test_commands_in_the_files_work(clm, audit, tmp_path):
    path = tmp_path / "rows.csv"
    audit("off", "--functions", "floor", "--csv", path)
    (row,) = csv.DictReader(path.read_text().splitlines())
    status, out, _ = clm(*shlex.split(row["replay"])[1:])
    assert status == 1
    assert "fail: not within the limit: correctly rounded" in out
    assert np.isfinite(float.fromhex(row["worst at"]))


def test_tried_inputs_are_reported_with_the_reason(clm, tmp_path):
    """By default more than requested, with kinds; with a total, exactly as many; the report is valid and resumable."""
    jsonschema = pytest.importorskip("jsonschema")
    words = ["audit", "clmath", "--functions", "exp,hypot", "--types", "half,float", "--jobs", "1"]
    out = clm(*words, "--inputs", "200")[1]
    counts = sorted(int(count) for count in re.findall(r" (\d+) (?:sampled|all) ", out))
    assert counts[0] > 200
    reported = (
        f" tried: {counts[0]} to 65536 inputs per case: all that exist, structured ones, some spaced over binades"
    )
    assert reported in " ".join(out.split())
    status, out, _ = clm(*words, "--inputs", "total:200", "--json", tmp_path / "r.json")
    assert (status, "\ntried: " in out, out.count(" 200 sampled ")) == (0, False, 4)
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["plan"]["inputs"] == "total:200"
    jsonschema.validate(report, json.loads(clm("schema")[1]))
    assert clm(*words, "--inputs", "total:200", "--json", tmp_path / "r.json", "--resume")[0] == 0
