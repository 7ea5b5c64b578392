"""The share of unspecified inputs is part of each verdict, in every report."""

from __future__ import annotations

import csv
import json
import re
from xml.etree import ElementTree as ET

import pytest

from clmath.audit.counting.tally import Tally

FAST = ["--inputs", "64", "--jobs", "1"]
LAB = """
    def mostly_right(name, x):
        "Truncates to uint, which leaves half of all floats unspecified; 7 is 8."
        with np.errstate(all="ignore"):
            return np.where(x == 7, 8, x.astype(np.int64).clip(0, 2**32 - 1)).astype(np.uint32)
"""


@pytest.mark.parametrize(
    ("unjudged", "tried", "text"),
    [
        (0, 100, ""),
        (36, 100, "36 %"),
        (1, 200, "0.5 %"),
        (1, 2**32, "less than 0.001 %"),
        (2**32 - 1, 2**32, "99.9 %"),
        (995, 1000, "99.5 %"),
        (99, 100, "99 %"),
        (5, 5, "100 %"),
    ],
)
def test_share_is_0_or_100_percent_only_if_exact(unjudged, tried, text):
    assert Tally(tried=tried, unjudged=unjudged).unspecified == text


@pytest.fixture(autouse=True)
def _a_wide_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")


@pytest.fixture
def reports(clm, tmp_path):
    """Output and files of an audit of passing cases, with and without unspecified inputs."""
    files = [word for kind in ("json", "csv", "junit", "html") for word in (f"--{kind}", tmp_path / f"report.{kind}")]
    status, out, err = clm("audit", "clmath", "--functions", "convert_uint,max,fabs", "--types", "float", *FAST, *files)
    assert (status, err) == (0, "")
    return out, {path.suffix[1:]: path.read_text() for path in tmp_path.glob("report.*")}


def share(rows, name):
    row = next(row for row in rows if row["built-in"] == name)
    return row, f"{100 * row['unjudged'] / row['tried']:.0f} %"


def test_every_report_has_the_unspecified_share(reports):
    out, files = reports
    rows = json.loads(files["json"])["rows"]
    lines = {row["built-in"]: row for row in csv.DictReader(files["csv"].splitlines())}
    cases = {case.get("name"): case for case in ET.fromstring(files["junit"]).iter("testcase")}  # noqa: S314 - our own
    for name in ("convert_uint", "max"):
        row, percent = share(rows, name)
        said = f"pass ({percent} of the inputs unspecified)"
        assert 0.01 < row["unspecified share"] == row["unjudged"] / row["tried"] < 1
        assert re.search(rf"^ {name} .*  {re.escape(said)}$", out, re.MULTILINE)
        assert (lines[name]["status"], lines[name]["verdict"]) == ("pass", said)
        assert cases[f"{name} float"].findtext("system-out") == said
        assert (
            len(re.findall(rf'data-status="pass">(?:(?!<tr).)*>{name}<.*?>{re.escape(said)}</td>', files["html"])) == 1
        )
    assert re.search(r"^ fabs .*  pass$", out, re.MULTILINE)
    assert lines["fabs"]["verdict"] == "pass"
    assert cases["fabs float"].find("system-out") is None
    unjudged, tried = (sum(row[key] for row in rows) for key in ("unjudged", "tried"))
    assert f"3 pass; {tried} inputs tried ({100 * unjudged / tried:.0f} % unspecified): conforms\n" in out


def test_failing_case_has_the_share(clm, lab):
    status, out, err = clm("audit", f"{lab}:mostly_right", "--functions", "convert_uint", "--types", "float", *FAST)
    assert (status, err) == (1, "")
    assert re.search(r"^ convert_uint .*  fail \d+ \(\d+ % of the inputs unspecified\)$", out, re.MULTILINE)


def test_narrow_terminal_wraps_the_share_between_words(clm, lab, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = clm("audit", f"{lab}:mostly_right", "--functions", "convert_uint", "--types", "float", *FAST)
    assert "unspecified)" in out
    assert "…" not in out


def test_case_with_only_unspecified_inputs_is_not_judged(clm):
    _, out, _ = clm("audit", "clmath", "--functions", "native_sin,fabs", "--types", "float", *FAST)
    assert re.search(r"^ native_sin .*  not judged$", out, re.MULTILINE)
    assert (
        "\nnot judged: implementation-defined: the specification gives no number; the error is measured: native" in out
    )


def test_share_is_omitted_if_all_inputs_are_judged(clm):
    _, out, _ = clm("audit", "clmath", "--functions", "fabs", "--types", "float", *FAST)
    assert "unspecified" not in out


def test_replay_of_a_vector_has_the_share_of_its_components(clm):
    words = ["audit", "clmath", "--functions", "max", "--types", "float", "--widths", "2"]
    _, out, _ = clm(*words, "--replay=1,inf,2,3")
    assert "    pass (50 % of the inputs unspecified)\n" in out
