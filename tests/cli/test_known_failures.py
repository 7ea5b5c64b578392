"""Lists of known failures: failures that they accept, bounds in ulp, and invalid lists."""

import csv
import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.cases import for_each

pytestmark = pytest.mark.slow

LAB = """
    def moved(name, args, by, at=None, to=None):
        value = np.array(right(name, *args))
        if name == "exp":
            value.view(np.int32)[(args[0] > 1) & (args[0] < 2)] += by
            if at is not None:
                value[args[0] == np.float32(at)] = to
        return value

    def off_8(name, *args):
        return moved(name, args, 8)

    def off_9(name, *args):
        return moved(name, args, 9)

    def off_infinitely(name, *args):
        return moved(name, args, 8, 1.5, np.inf)

    def nan_too(name, *args):
        return moved(name, args, 8, 1.5, np.nan)

    def zero_too(name, *args):
        return moved(name, args, 8, 0, 2)

    def off_and_broken(name, *args):
        if name == "trunc":
            raise RuntimeError("no trunc")
        return moved(name, args, 8)
"""
WORDS = ["--types", "float", "--inputs", "2000", "--jobs", "1"]
FILES = ("junit", "csv", "html", "cts-json")


@pytest.fixture
def audit(clm, lab):
    """Audit exp, or the given functions, with a list of known failures, and write every kind of file."""

    def run(target, known, functions="exp"):
        Path("known.txt").write_text(f"{known}\n# kept by the driver team\n", encoding="utf-8")
        files = [word for kind in FILES for word in (f"--{kind}", f"x.{kind}")]
        words = ["--functions", functions, *WORDS, "--known-failures", "known.txt", "--json", "x.json", "--force"]
        return clm("audit", f"{lab}:{target}", *words, *files)

    return run


@pytest.fixture
def reported(clm, lab):
    """Return status and output of ``clmath report`` with a list of known failures; each target is audited once."""

    def run(target, known):
        path = Path(f"{target}.json")
        if not path.exists():
            clm("audit", f"{lab}:{target}", "--functions", "exp", *WORDS, "--json", path)
        Path("known.txt").write_text(f"{known}\n")
        return clm("report", path, "--known-failures", "known.txt")[:2]

    return run


def standing():
    """Return the status in the table, the element in JUnit, the colour on the page, and the status in CTS."""
    (line,) = csv.DictReader(Path("x.csv").read_text().splitlines())
    (case,) = ET.fromstring(Path("x.junit").read_text()).iter("testcase")  # noqa: S314 - ours
    (colour,) = re.findall(r'<p class="verdict (\w+)">', Path("x.html").read_text())
    return line["status"], case[0].tag, colour, json.loads(Path("x.cts-json").read_text())["results"]["exp"]


def test_known_failure_does_not_fail_the_run(audit):
    listed = "\ufeffexp float <= 15 ulp: too far above 1, bug 4711\nexp  double: not asked for here\n"
    status, out, err = audit("off_8", listed)  # begins like files of some editors
    assert (status, err) == (0, "")
    line = r"^known failure: exp float: \d+ of \d+ inputs fail: too far above 1, bug 4711$"
    assert re.search(line, out, re.MULTILINE)
    assert out.splitlines()[-1].startswith("1 known failure; ")
    assert out.splitlines()[-1].endswith(": conforms but for known failures")
    assert "expected" not in out
    assert standing() == ("known failure", "skipped", "pass", "fail")
    (case,) = ET.fromstring(Path("x.junit").read_text()).iter("testcase")  # noqa: S314 - ours
    assert case[0].get("message") == "known failure: too far above 1, bug 4711"
    assert "--replay=" in case[0].text
    assert audit("off_and_broken", "exp float: x", "exp,trunc")[0] == 2


def test_larger_known_failure_fails_the_run(audit):
    status, out, _ = audit("off_9", "exp float <= 14.5 ulp: bug 4711")
    assert status == 1
    line = r"^worse than known: exp float: off by 1[56]\.\d+ ulp, known are errors up to 14.5 ulp: bug 4711$"
    assert re.search(line, out, re.MULTILINE)
    assert "--replay=" in out
    assert out.splitlines()[-1].startswith("1 worse than known; ")
    assert out.splitlines()[-1].endswith(": does not conform")
    assert standing() == ("worse than known", "failure", "fail", "fail")


def test_listed_failure_that_passes_fails_the_run(audit):
    status, out, _ = audit("right", "exp float <= 5 ulp: fixed: long ago")
    assert status == 1
    assert "listed, but passes: exp float: fixed: long ago; take it off the list" in out
    assert out.splitlines()[-1].endswith(": a failure that is listed as known does not count")
    assert standing()[1] == "failure"


@for_each(
    "target, line, fact",
    [
        *(("off_8", f"exp float{bound}: x", None) for bound in ("", " <= 15 ulp", "<=14.5ulp ", " <= 2e1 ulp")),
        ("off_8", "exp float <= 4 ulp: x", r"off by 1[34]\.\d+ ulp, known are errors up to 4 ulp: "),
        (
            "nan_too",
            "exp float <= 99 ulp: x",
            r"\d+ of \d+ inputs fail otherwise \(NaN where a number is due\), known ",
        ),
        ("zero_too", "exp float <= 1e9 ulp: x", r"\d+ of \d+ inputs fail otherwise \(exp\(±0\) = .*\), known are err"),
        ("off_infinitely", "exp float <= 1e99 ulp: x", r"\d+ of \d+ inputs fail otherwise \(an infinity where "),
        *((target, "exp float: x", None) for target in ("nan_too", "zero_too", "off_infinitely", "off_9")),
    ],
)
def test_bound_accepts_only_errors_in_ulp(reported, target, line, fact):
    status, out = reported(target, line)
    if fact is None:
        assert status == 0
        return
    assert status == 1
    (reported,) = re.findall(r"^worse than known: exp float: (.*: x)$", out, re.MULTILINE)
    assert re.match(fact, reported)


def test_reported_error_is_a_sufficient_bound(reported):
    _, out = reported("off_9", "exp float <= 5 ulp: x")
    (off,) = set(re.findall(r"off by (\S+) ulp", out))
    assert reported("off_9", f"exp float <= {off} ulp: x")[0] == 0


@for_each(
    "text, fact",
    [
        ("floor float", "line 1: floor float has no reason; write floor float: why it fails"),
        ("\nfloor float:  ", "line 2: floor float has no reason"),
        ("floor: why", "line 1: 'floor' is not the name of a case; write tgamma float: why it fails"),
        ("flor float: why", "line 1: 'flor'"),
        ("floor single: why", "line 1: type='single' is not one of"),
        ("floor float: a\nfloor float: b", "line 2: floor float stands there twice"),
        ("[lab]\nfloor float: a\nfloor float: b", "line 3: floor float stands there twice"),
        ("[lab]\nfloor float: a\n[libm]\n[lab]\nfloor float: b", "line 5: floor float stands there twice"),
        ("floor float1: why", "line 1: float1 has 1 components; vectors have 2, 3, 4, 8, 16; leave 1 out"),
        ("floor float5: why", "line 1: float5 has 5 components"),
        ("exp float <= 28: x", "line 1: '28' is not a number of ulp; write exp float <= 28 ulp: why it fails"),
        ("exp float <= inf ulp: x", "line 1: 'inf ulp' is not a number of ulp"),
        ("exp float <= ulp: x", "line 1: 'ulp' is not a number of ulp"),
        ("exp float <=: x", "line 1: '' is not a number of ulp"),
        ("exp float <= -1 ulp: x", "line 1: '-1 ulp' is not a number of ulp"),
        ("exp float <= 28 ulp:", "line 1: exp float has no reason; write exp float: why it fails"),
        ("exp float < 28 ulp: x", "line 1: 'exp float < 28 ulp' is not the name of a case"),
        ("clz int <= 1 ulp: x", "line 1: clz int is judged bit by bit, without errors in ulp; leave <= 1 ulp out"),
        ("[off\nfloor float: x", "does not begin the part of a target; write [TARGET]"),
        (None, "cannot be read: No such file or directory"),
    ],
)
def test_invalid_list_is_an_error(refusal, tmp_path, text, fact):
    known = tmp_path / "known.txt"
    if text is not None:
        known.write_text(f"{text}\n")
    assert fact in refusal("audit", "numpy", "--functions", "floor", *WORDS, "--known-failures", known)
