"""Reports that lack rows of their plan, or have others: no command may say that the target conforms."""

import csv
import json
from xml.etree import ElementTree as ET

import pytest

from clmath import cli
from clmath.audit.records import several_reports
from clmath.audit.records.record import Seal
from tests.cases import for_each

pytestmark = pytest.mark.slow

WORDS = ["--functions", "floor,sqrt,trunc", "--types", "float,double", "--inputs", "64", "--jobs", "1"]
FAILS = "missing_rows_lab:fails"
ROWS = ["floor float", "sqrt float", "trunc float", "floor double", "sqrt double", "trunc double"]
LAB = """
    import numpy as np

    def fails(name, x):
        "sqrt is wrong of float, and right of double."
        wrong = name == "sqrt" and x.dtype == np.float32
        return np.nextafter(np.sqrt(x), np.float32(9)) if wrong else getattr(np, name)(x)
"""


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """Complete reports: of a target that conforms, of a target that does not, and of both."""
    folder = tmp_path_factory.mktemp("missing")
    (folder / "missing_rows_lab.py").write_text(LAB.replace("\n    ", "\n"))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, targets, status in (("one", ["numpy"], 0), ("fails", [FAILS], 1), ("both", ["numpy", FAILS], 1)):
            assert cli.main(["audit", *targets, *WORDS, "--json", str(folder / f"{name}.json")]) == status
    return {name: (folder / f"{name}.json").read_text() for name in ("one", "fails", "both")}


@pytest.fixture
def written(reports, tmp_path):
    """Function that writes a changed report and returns its path."""

    def write(which, change):
        report = json.loads(reports[which])
        change(report)
        path = tmp_path / f"{which}.json"
        path.write_text(json.dumps(report))
        return path

    return write


def without(*names):
    """Return a change that removes rows from a report, which still says that it is complete."""

    def change(report):
        report["rows"] = [row for row in report["rows"] if f"{row['built-in']} {row['type']}" not in names]

    return change


def killed(report):
    without(*ROWS[3:])(report)
    report["complete"] = False


def test_report_lists_the_rows_of_its_plan(reports):
    assert json.loads(reports["one"])["due"] == ROWS


@for_each(
    "which, change, status",
    [
        ("one", killed, 2),
        ("one", without("trunc double"), 2),
        ("one", without(*ROWS[:5]), 2),
        ("one", without(*ROWS), 2),
        ("fails", without("sqrt float"), 2),
        ("fails", without("trunc double"), 1),
    ],
)
def test_every_kind_of_report_shows_missing_rows(clm, written, which, change, status):
    path = written(which, change)
    kinds = {kind: path.parent / f"x.{kind}" for kind in ("junit", "csv", "html", "cts-json")}
    words = [word for kind, file in kinds.items() for word in (f"--{kind}", file)]
    found, out, err = clm("report", path, *words)
    assert found == status
    assert err == f"clmath report: {path} is not complete; add --resume to the audit that wrote it\n"
    there = {f"{row['built-in']} {row['type']}" for row in json.loads(path.read_text())["rows"]}
    missing = [name for name in ROWS if name not in there]
    assert f"{len(missing)} missing" in out
    assert ": conforms" not in out + kinds["html"].read_text()
    suites = ET.fromstring(kinds["junit"].read_text())  # noqa: S314 - our own file
    cases = {case.get("name"): case for case in suites.iter("testcase")}
    lines = {
        f"{line['built-in']} {line['type']}": line for line in csv.DictReader(kinds["csv"].read_text().splitlines())
    }
    results = json.loads(kinds["cts-json"].read_text())["results"]
    page = kinds["html"].read_text()
    assert list(cases) == list(lines) == ROWS
    assert 'class="verdict fail"' in page
    assert page.count('<td class="fail">missing</td>') == len(missing)
    for name in missing:
        assert f"missing: {name}: " in out
        assert cases[name].find("error").get("type") == "missing"
        assert lines[name]["status"] == "missing"
    assert (suites.get("tests"), suites.get("errors")) == ("6", str(len(missing)))
    for test, result in results.items():
        rows = [name for name in ROWS if name.startswith(test)]
        fails = which == "fails" and "sqrt float" in there and test == "sqrt"
        wanted = "fail" if fails else "skip" if {*rows} & {*missing} else "pass"
        assert (rows != [], result) == (True, wanted)


def test_known_failure_does_not_hide_a_missing_row(clm, written, tmp_path):
    (tmp_path / "known.txt").write_text("sqrt float: it is known\n")
    status, out, _ = clm("report", written("fails", without("sqrt float")), "--known-failures", tmp_path / "known.txt")
    assert status == 2
    assert "5 pass, 1 missing; " in out


@pytest.mark.parametrize("change", [killed, without("sqrt double")])
def test_diff_of_an_incomplete_report_fails(clm, written, reports, tmp_path, change):
    path, whole = written("one", change), tmp_path / "whole.json"
    whole.write_text(reports["one"])
    assert clm("diff", path, whole)[0] == 2
    assert clm("diff", whole, path)[0] == 1
    assert clm("diff", path, path)[0] == 2


@pytest.mark.slow
def test_incomplete_parts_are_not_merged(clm, tmp_path):
    words = ["audit", "numpy", "--functions", "floor", "--inputs", "2^18", "--types", "float,double", "--part"]
    for part in "12":
        assert clm(*words, f"{part}/2", "--json", tmp_path / f"{part}.json")[0] == 0
    first = tmp_path / "1.json"
    report = json.loads(first.read_text())
    without("floor double")(report)
    first.write_text(json.dumps(report))
    status, out, err = clm("audit", "--merge", first, tmp_path / "2.json")
    assert (status, out) == (2, "")
    assert f"{first} is not complete" in err


def test_resume_judges_removed_rows_again(clm, written, reports):
    path = written("one", without("sqrt double"))
    assert clm("audit", "numpy", *WORDS, "--json", path, "--resume")[0] == 0
    assert path.read_text() == reports["one"]


def dropped(report):
    """Remove a row, and its name from the list of rows that the report must have."""
    without("sqrt float")(report)
    report["due"].remove("sqrt float")


def narrowed(report):
    without(*ROWS[3:])(report)
    report["plan"]["types"].remove("double")


def unnamed(report):
    without("sqrt float")(report)
    del report["due"]


def unplanned(report):
    """Add a row that the plan does not have, with a valid digest."""
    row = {**report["rows"][0], "built-in": "ceil"}
    head = {key: report[key] for key in report if key not in ("complete", "rows")}
    report["rows"].append({**row, "digest": Seal(head).of(row)})


def passing(report):
    row = report["rows"][1]
    row["status"], row["failed"], row["reasons"], row["failures"], row["reason"] = "pass", 0, {}, [], ""


@for_each(
    "change, fact",
    [
        (dropped, "case floor float was changed after it was written: its digest is another"),
        (narrowed, "case floor float was changed after it was written: its digest is another"),
        (unnamed, "case floor float was changed after it was written: its digest is another"),
        (unplanned, "case ceil float is not in the plan"),
        (lambda report: report["rows"].append(report["rows"][1]), "case sqrt float stands there twice"),
        (lambda report: report["due"].append("sqrt float"), "is not a report of clmath"),
        (lambda report: report["due"].append("sqrt"), "is not a report of clmath"),
        (lambda report: report["due"].append(["sqrt"]), "is not a report of clmath"),
        (lambda report: report.update(due="sqrt float"), "is not a report of clmath"),
        (
            lambda report: report["rows"][1]["worst"]["exact"].pop(),
            "case sqrt float is not a case of a report (IndexError: ",
        ),
        (passing, "case sqrt float was changed after it was written: its digest is another"),
    ],
)
def test_edited_report_is_refused(clm, written, tmp_path, change, fact):
    path, page = written("fails", change), tmp_path / "page.html"
    for words in (["report", path, "--html", page], ["diff", path, path]):
        status, out, err = clm(*words)
        assert (status, out) == (2, "")
        assert fact in err
    assert not page.exists()


def cut(which):
    """Return a change that keeps only one of a run's reports, or none."""

    def change(report):
        report["reports"] = [] if which is None else [report["reports"][which]]

    return change


def emptied(report):
    report["reports"][0]["rows"] = []


@pytest.mark.parametrize("change, missing", [(cut(0), [FAILS]), (cut(None), ["numpy", FAILS])])
def test_targets_without_a_report_are_shown_as_missing(clm, written, tmp_path, change, missing):
    path = written("both", change)
    junit, page, table = (tmp_path / f"x.{kind}" for kind in ("junit", "html", "csv"))
    status, out, err = clm("report", path, "--junit", junit, "--html", page, "--csv", table)
    assert status == 2
    assert "is not complete" in err
    suites = ET.fromstring(junit.read_text())  # noqa: S314 - ours
    assert [error.get("type") for error in suites.iter("error")] == ["missing"] * len(missing)
    assert suites.get("errors") == str(len(missing))
    lines = [line["asked"] for line in csv.DictReader(table.read_text().splitlines()) if line["status"] == "missing"]
    assert lines == missing
    for name in missing:
        assert f"{name}: missing: the run ended before it came to this target" in out
        assert f'<p class="verdict fail">{name}: missing' in page.read_text()
    assert f"2 targets: {'conforms 1, ' if len(missing) == 1 else ''}missing {len(missing)}" in out
    assert clm("diff", path, path)[0] == 2


def test_target_without_rows_could_not_be_judged(clm, written):
    status, out, _ = clm("report", written("both", emptied))
    assert status == 1  # the other one does not conform
    assert "numpy (numpy): 6 missing; 0 inputs tried: could not be judged" in out


def test_edited_list_of_targets_is_refused(clm, written, reports):
    """A failing target is neither removed from the list nor listed as impossible to audit."""

    def removed(report):
        report["subjects"], report["reports"] = ["numpy"], report["reports"][:1]

    def not_audited(report):
        report["not audited"] = {FAILS: "no such device"}

    for change in (removed, not_audited):
        path = written("both", change)
        assert clm("report", path)[0] == clm("diff", path, path)[0] == 2
    found = json.loads(reports["both"])
    assert found["digest"] == several_reports.digest(found["subjects"], found["not audited"])


def test_old_report_without_a_list_of_rows_is_checked_against_its_plan(clm, written, reports):
    """Old reports do not list the rows that the target lacks, so every absent row of the plan is missing."""

    def earlier(report):
        del report["due"]
        head = {key: report[key] for key in report if key not in ("complete", "rows")}
        report["rows"] = [{**row, "digest": Seal(head).of(row)} for row in report["rows"]]

    path = written("one", earlier)
    assert clm("report", path)[0] == 0
    report = json.loads(path.read_text())
    without("trunc double")(report)
    path.write_text(json.dumps(report))
    status, out, _ = clm("report", path)
    assert status == 2
    assert "missing: trunc double: " in out
    assert clm("audit", "numpy", *WORDS, "--json", path, "--resume")[0] == 0
    assert json.loads(path.read_text())["rows"] == json.loads(reports["one"])["rows"]
