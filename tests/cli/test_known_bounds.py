"""A known failure that grows worse was still known: a list may say by how many ulp at most a row fails."""

import csv
import json
import re
from xml.etree import ElementTree as ET

import pytest

from tests.cases import for_each

LAB = """
import numpy as np

import clmath


def moved(x, by):
    value = np.array(clmath.exp(x))
    wrong = (x > 1) & (x < 2)
    bits = value.view(np.int32)
    bits[wrong] += by
    return value


def off_8(name, x):
    return moved(x, 8)


def off_9(name, x):
    return moved(x, 9)


def off_infinitely(name, x):
    value = moved(x, 8)
    value[x == np.float32(1.5)] = np.inf
    return value


def nan_too(name, x):
    value = moved(x, 8)
    value[x == np.float32(1.5)] = np.nan
    return value


def zero_too(name, x):
    value = moved(x, 8)
    value[x == 0] = 2
    return value


def right(name, x):
    return np.array(clmath.exp(x))
"""
ROW = ["--functions", "exp", "--types", "float", "--inputs", "2000", "--jobs", "1"]


@pytest.fixture
def audit(clm, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bounds_lab.py").write_text(LAB)

    def run(which, line):
        (tmp_path / "known.txt").write_text(f"# kept by the driver team\n{line}\n")
        files = [f"--{kind}={tmp_path}/x.{kind}" for kind in ("json", "junit", "csv", "html", "cts-json")]
        return clm("audit", f"bounds_lab:{which}", *ROW, "--known-failures", "known.txt", *files, "--force")

    return run


def standing(tmp_path):
    """What every kind of report says of the row: status of the table, element of JUnit, colour of the page, CTS."""
    (line,) = csv.DictReader((tmp_path / "x.csv").read_text().splitlines())
    (case,) = ET.fromstring((tmp_path / "x.junit").read_text()).iter("testcase")  # noqa: S314 - ours
    (colour,) = re.findall(r'<p class="verdict (\w+)">', (tmp_path / "x.html").read_text())
    return line["status"], case[0].tag, colour, json.loads((tmp_path / "x.cts-json").read_text())["results"]["exp"]


@pytest.mark.parametrize(
    "line", ["exp float: x", "exp float <= 15 ulp: x", "exp float<=14.5ulp : x", "exp  float <= 2e1 ulp: x"]
)
def test_a_failure_within_its_bound_is_known(audit, tmp_path, line):
    status, out, err = audit("off_8", line)
    assert (status, err) == (0, "")
    assert "conforms but for known failures" in out
    assert standing(tmp_path) == ("known failure", "skipped", "pass", "fail")


@pytest.mark.slow
@pytest.mark.parametrize(
    "which, line, fact",
    [
        ("off_9", "exp float <= 14.5 ulp", r"off by 1[56]\.\d+ ulp, known are errors up to 14.5 ulp: "),
        ("off_8", "exp float <= 4 ulp", r"off by 1[34]\.\d+ ulp, known are errors up to 4 ulp: "),
        (
            "nan_too",
            "exp float <= 99 ulp",
            r"\d+ of \d+ inputs fail otherwise \(NaN where a number is due\), known are ",
        ),
        (
            "zero_too",
            "exp float <= 1e9 ulp",
            r"\d+ of \d+ inputs fail otherwise \(exp\(±0\) = .*\), known are errors up to ",
        ),
        ("off_infinitely", "exp float <= 1e99 ulp", r"\d+ of \d+ inputs fail otherwise \(an infinity where "),
    ],
)
def test_one_that_grew_fails_the_run(clm, audit, tmp_path, which, line, fact):  # noqa: PLR0917
    status, out, _ = audit(which, f"{line}: bug 4711")
    assert status == 1
    (told,) = re.findall(r"^worse than known: exp float: (.*: bug 4711)$", out, re.MULTILINE)
    assert re.match(fact, told)
    assert "--replay=" in out
    assert out.splitlines()[-1].startswith("1 worse than known; ")
    assert out.splitlines()[-1].endswith(": does not conform")
    assert standing(tmp_path) == ("worse than known", "failure", "fail", "fail")
    again, shown, _ = clm("report", "x.json", "--known-failures", "known.txt")
    assert (again, told in shown) == (1, True)
    assert audit(which, "exp float: bug 4711")[0] == 0  # whatever it is


def test_the_bound_that_is_told_is_one_within_which_it_is_known(audit):
    _, out, _ = audit("off_9", "exp float <= 5 ulp: x")
    (off,) = set(re.findall(r"off by (\S+) ulp", out))
    assert audit("off_9", f"exp float <= {off} ulp: x")[0] == 0


def test_one_that_passes_is_taken_off_whatever_its_bound(audit):
    status, out, _ = audit("right", "exp float <= 5 ulp: x")
    assert (status, "listed, but passes: exp float: x; take it off the list" in out) == (1, True)


@for_each(
    "line, fact",
    [
        ("exp float <= 28: x", "'28' is no number of ulp; write exp float <= 28 ulp: why it fails"),
        ("exp float <= inf ulp: x", "'inf ulp' is no number of ulp"),
        ("exp float <= ulp: x", "'ulp' is no number of ulp"),
        ("exp float <=: x", "'' is no number of ulp"),
        ("exp float <= -1 ulp: x", "'-1 ulp' is no number of ulp"),
        ("exp float <= 28 ulp:", "exp float has no reason; write exp float: why it fails"),
        ("exp float < 28 ulp: x", "'exp float < 28 ulp' is not the name of a row"),
        ("clz int <= 1 ulp: x", "clz int is judged bit by bit, without errors in ulp; leave <= 1 ulp out"),
    ],
)
def test_bounds_that_cannot_be_meant(audit, line, fact):
    status, out, err = audit("right", line)
    assert (status, out) == (2, "")
    assert f"known.txt, line 2: {fact}" in err
