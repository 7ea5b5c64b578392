"""``clmath audit`` of several targets: separate verdicts, independent errors, and one report."""
# ruff: noqa: ARG001 - fakes have the signatures of the replaced functions

import csv
import json
import re
from xml.etree import ElementTree as ET

import pytest

from clmath.audit.records import record, several_reports
from clmath.errors import ClmathError

pytestmark = pytest.mark.slow

LAB = """
    def off(name, *args):
        "floor is one off above 1."
        value = np.array(right(name, *args))
        if name == "floor":
            return np.where(args[0] > 1, np.nextafter(value, np.asarray(np.inf, value.dtype)), value)
        return value

    def raises(name, *args):
        raise RuntimeError("no such thing")

    class Crashing:
        def __getattr__(self, name):
            os._exit(3)

    crashing = Crashing()

    if not os.path.exists("gone"):
        at_times = right
"""
WORDS = ["--functions", "floor,trunc", "--types", "float", "--inputs", "64", "--jobs", "1"]


@pytest.fixture
def audit(clm, lab):
    def run(names, *words):
        return clm("audit", *(f"{lab}:{name}" if name != "clmath" else name for name in names.split()), *WORDS, *words)

    return run


def reported(out):
    """Return the closing lines, one for each target, and the last line for all of them."""
    *lines, last = out.rpartition("\n\n")[2].splitlines()
    return lines, last


def reports_in(path):
    return {one["subject"]["asked"]: one for one in json.loads(path.read_text())["reports"]}


def test_targets_are_judged_independently(audit, tmp_path):
    status, out, err = audit("right off missing crashing.now raises clmath", "--json", "run.json")
    assert (status, err) == (1, "")
    lines, last = reported(out)
    assert [line.partition(" ")[0].rstrip(":") for line in lines] == [
        "lab:right", "lab:off", "lab:raises", "clmath", "lab:missing",
        "lab:crashing.now",
    ]  # fmt: skip
    assert lines[1].startswith("lab:off (lab:off): 1 pass, 1 fail; ")
    assert lines[4].startswith("lab:missing: could not be audited: 'lab:missing' cannot be loaded: Attr")
    assert lines[5].endswith("the process that loads it ended its process with exit status 3")
    assert last == "6 targets: conforms 2, could not be audited 2, could not be judged 1, does not conform 1"
    assert "\ntarget 2 of 6: lab:off\n" in out
    assert "clmath audit lab:off --functions floor" in out
    found = json.loads((tmp_path / "run.json").read_text())
    labs = ("right", "off", "missing", "crashing.now", "raises")
    assert found["subjects"] == [*(f"lab:{name}" for name in labs), "clmath"]
    assert list(found["not audited"]) == ["lab:missing", "lab:crashing.now"]
    assert list(reports_in(tmp_path / "run.json")) == [n for n in found["subjects"] if n not in found["not audited"]]
    assert all(one["complete"] for one in found["reports"])
    assert not list(tmp_path.glob("*.lock"))


@pytest.mark.parametrize("names, status", [
    ("right clmath", 0), ("right missing", 2), ("raises right", 2), ("missing off", 1),
])  # fmt: skip
def test_exit_status_is_the_worst(audit, names, status):
    assert audit(names)[0] == status


def test_every_kind_of_report_has_all_targets(clm, audit, tmp_path):
    jsonschema = pytest.importorskip("jsonschema")
    outputs = ["--csv", "r.csv", "--junit", "r.xml", "--html", "r.html"]
    audit("off right missing", "--json", "run.json", "--log", "run.log", *outputs)
    jsonschema.validate(json.loads((tmp_path / "run.json").read_text()), json.loads(clm("schema")[1]))
    with (tmp_path / "r.csv").open(newline="") as file:
        rows = [(row["asked"], row["built-in"], row["status"]) for row in csv.DictReader(file)]
    assert rows == [
        ("lab:off", "floor", "fail"), ("lab:off", "trunc", "pass"),
        ("lab:right", "floor", "pass"), ("lab:right", "trunc", "pass"),
        ("lab:missing", "", "not audited"),
    ]  # fmt: skip
    root = ET.fromstring((tmp_path / "r.xml").read_text())  # noqa: S314 - ours
    assert [root.get(key) for key in ("tests", "failures", "errors")] == ["5", "1", "1"]
    suites = ["lab:off.math.float", "lab:right.math.float", "lab:missing"]
    assert [suite.get("name") for suite in root] == suites
    cases = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
    assert len(set(cases)) == 5
    facts = [(fact.get("name"), fact.get("value")) for fact in root.iter("property")]
    assert len(set(facts)) == len(facts)  # each fact is in exactly one suite
    assert [value for name, value in facts if name == "subject: asked"] == ["lab:off", "lab:right"]
    page = (tmp_path / "r.html").read_text()
    assert page.count('data-target="lab:off"') == page.count('data-target="lab:right"') == 1
    assert "lab:missing: could not be audited: " in page
    assert len(re.findall(r'<option value="lab:\w+">', page)) == 2
    again = [word.replace("r.", "again.") for word in outputs]
    assert clm("report", "run.json", "--log", "run.log", *again)[0] == 1
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "r.csv").read_bytes()
    ids = re.findall(r'id="row-(\d+)"', page)
    assert ids == list(map(str, range(4)))


def test_report_shows_one_of_several_targets(clm, refusal, audit, tmp_path):
    audit("off right missing", "--json", "run.json")
    status, out, _ = clm("report", "run.json", "--target", "lab:right", "--cts-json", "cts.json")
    assert status == 0
    assert out.splitlines()[-1].endswith("conforms")
    assert "lab:off" not in out
    assert json.loads((tmp_path / "cts.json").read_text())["results"] == {"floor": "pass", "trunc": "pass"}
    assert "'lab:missing', which could not be audited: 'lab:missing' cannot be loaded" in refusal(
        "report", "run.json", "--target", "lab:missing"
    )
    status, _, err = audit("off right", "--cts-json", "cts.json")
    assert status == 2
    assert "--cts-json is for one device, and there are several; write it from the report of all" in err


def test_reports_of_several_files_are_shown_as_one_run(clm, audit, tmp_path):
    for name, targets in (("one.json", "right"), ("two.json", "right off"), ("three.json", "clmath missing")):
        audit(targets, "--json", name)
    files, outputs = ["one.json", "two.json", "three.json"], ["--html", "all.html", "--csv", "all.csv"]
    status, out, _ = clm("report", *files, *outputs)
    assert status == 1
    assert out.splitlines()[-1] == "5 targets: conforms 3, could not be audited 1, does not conform 1"
    page = (tmp_path / "all.html").read_text()
    names = re.findall(r'<option value="([^"]+)">[^<]*(?:lab|clmath)', page)
    twice = ["lab:right of one.json", "lab:right of two.json"]
    assert names == [*twice[:1], twice[1], "lab:off", "clmath"]
    with (tmp_path / "all.csv").open(newline="") as file:
        assert [row["asked"] for row in csv.DictReader(file)].count("lab:right") == 4
    assert clm("report", *files, "--target", twice[0])[0] == 0
    assert clm("report", *files, "--target", "lab:off")[0] == 1
    (tmp_path / "known.txt").write_text("[lab:off]\nfloor float: known\n")
    assert clm("report", "one.json", "two.json", "--known-failures", "known.txt")[0] == 0
    assert "another file of this audit" in clm("report", *files, "--csv", "two.json")[2]
    found = json.loads((tmp_path / "one.json").read_text())
    (tmp_path / "one.json").write_text(json.dumps({**found, "rows": found["rows"][:1], "complete": False}))
    assert "one.json is not complete" in clm("report", *files)[2]
    assert clm("report", *files, "--target", "lab:off")[0] == 1


def test_run_is_resumed_where_it_ended(audit, tmp_path):
    path, words = tmp_path / "run.json", ["--json", "run.json", "--resume"]
    audit("right off", "--json", "run.json")
    whole = path.read_bytes()
    found = json.loads(whole)
    found["reports"][0] |= {"rows": found["reports"][0]["rows"][:1], "complete": False}
    del found["reports"][1]
    path.write_text(json.dumps(found))
    assert audit("right off", *words)[0] == 1
    assert path.read_bytes() == whole
    found["reports"][0]["rows"][0]["tried"] += 1  # an invalid report is not used
    path.write_text(json.dumps(found))
    status, out, _ = audit("right off", *words)
    assert status == 1
    assert "lab:right: could not be audited: --resume: run.json: case floor float " in out
    assert audit("off clmath", *words)[2].startswith(
        "clmath audit: --resume: run.json holds a report of lab:right, which is not asked for; name it too"
    )
    status, _, err = audit("right", *words)
    assert status == 2
    assert "run.json holds the reports of several targets; name a report of one" in err
    audit("right", "--json", "one.json")
    status, _, err = audit("right off", "--json", "one.json", "--resume")
    assert status == 2
    assert "one.json is of one target; name it alone" in err


def test_run_that_resumes_nothing_leaves_the_report_unchanged(audit, tmp_path):
    """Otherwise a mistaken request would mark the targets of a complete report as not audited."""
    path = tmp_path / "run.json"
    assert audit("right clmath", "--json", "run.json")[0] == 0
    whole = path.read_bytes()
    status, out, _ = audit("right clmath", "--json", "run.json", "--resume", "--functions", "ceil")
    assert (status, out.count("could not be audited: --resume: run.json was made with plan: functions")) == (2, 4)
    assert reported(out)[1] == "2 targets: could not be audited 2"
    assert path.read_bytes() == whole


def test_cases_of_a_missing_target_are_kept(clm, audit, tmp_path):
    """The next run that finds the target resumes its report; until then it counts as not audited."""
    path = tmp_path / "run.json"
    assert audit("at_times right", "--json", "run.json")[0] == 0
    whole = path.read_bytes()
    (tmp_path / "old.json").write_bytes(whole)
    (tmp_path / "gone").touch()
    assert audit("at_times right", "--json", "run.json", "--resume")[0] == 2
    assert "lab:at_times" in reports_in(path)
    status, out, _ = clm("diff", "old.json", "run.json")
    assert status == 1
    assert "regression: lab:at_times: could be audited, and cannot: 'lab:at_times' cannot be" in out
    (tmp_path / "gone").unlink()
    assert audit("at_times right", "--json", "run.json", "--resume")[0] == 0
    assert path.read_bytes() == whole


def test_ctrl_c_stops_all_targets(audit, monkeypatch):
    def stopped(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("clmath.cli.one_audit.audit", stopped)
    status, out, err = audit("right off", "--json", "run.json")
    assert status == 2
    assert "interrupted after 0 of 2 cases; run.json holds the finished ones: add --resume to go on" in err
    assert "lab:off" not in out


def test_full_disk_does_not_end_an_audit(audit, monkeypatch):
    def full(path, text):
        raise ClmathError("clmath audit: --json run.json cannot be written: No space left on device")

    monkeypatch.setattr(record, "put", full)
    status, out, err = audit("right missing clmath", "--json", "run.json")
    assert status == 2
    assert reported(out)[1] == "3 targets: conforms 2, could not be audited 1"
    assert err == "clmath audit: --json run.json cannot be written: No space left on device\n"


def test_diff_compares_each_target_with_itself(clm, audit):
    audit("right clmath", "--json", "old.json")
    audit("off right clmath", "--json", "new.json")
    status, out, _ = clm("diff", "old.json", "new.json")
    assert status == 0
    assert "only in new: lab:off" in out
    assert "lab:right: 2 cases compared: no change" in out
    audit("clmath", "--json", "one.json")
    assert clm("diff", "old.json", "one.json")[0] == 0
    audit("off", "--json", "off.json")
    status, _, err = clm("diff", "old.json", "off.json")
    assert (status, "the reports have no case in common" in err) == (2, True)


def test_known_failures_apply_only_to_their_target(audit, tmp_path):
    known = "# ours\n[lab:off]  # driver 3\nfloor float: spoilt\n[libm]\ntrunc float: elsewhere\n"
    (tmp_path / "known.txt").write_text(known)
    assert audit("off right", "--known-failures", "known.txt")[0] == 0
    assert audit("off", "--known-failures", "known.txt")[0] == 0
    (tmp_path / "all.txt").write_text("floor float: of all\n[lab:off]\nfloor float: spoilt\n")
    assert "all.txt, line 3: floor float stands there twice" in audit("off", "--known-failures", "all.txt")[2]
    (tmp_path / "all.txt").write_text("floor float: of all\n")
    assert audit("off right", "--known-failures", "all.txt")[0] == 1  # it passes on one of the targets


def test_replay_tries_an_input_on_all_targets(audit):
    status, out, _ = audit("off right", "--functions", "floor", "--replay=1.5")
    assert status == 1
    assert out.count("floor float: 0x1.8p+0") == 2
    assert "lab:right\nfloor float" in out


@pytest.mark.usefixtures("lab")
def test_invalid_reports_of_several_targets_are_refused(clm, audit, tmp_path):
    audit("right off", "--json", "run.json")
    whole = json.loads((tmp_path / "run.json").read_text())
    row = whole["reports"][1]["rows"][0]
    for change, fact in (
        ({"schema": 2}, "has schema 2, this clmath reads 1"),
        ({"subjects": "all"}, "is not a report of clmath"),
        ({"not audited": {"x": 3}}, "is not a report of clmath"),
        ({"reports": [whole["reports"][0]] * 2}, "is not a report of clmath"),
        ({"subjects": ["lab:off"]}, "was changed after it was written: its digest is another"),
        ({"not audited": {"lab:off": "?"}}, "was changed after it was written: its digest is another"),
        ({"reports": [3]}, "is not a report of clmath"),
        ({"reports": [whole["reports"][1] | {"rows": [row | {"failed": 0}]}]}, "case floor float "),
    ):
        (tmp_path / "bad.json").write_text(json.dumps(whole | change))
        with pytest.raises(ClmathError, match=fact):
            several_reports.read(tmp_path / "bad.json", "clmath report")
        assert clm("report", "bad.json")[0] == 2
    del whole["reports"][1]
    (tmp_path / "bad.json").write_text(json.dumps(whole))
    status, _, err = clm("report", "bad.json")
    assert (status, "bad.json is not complete" in err) == (2, True)


@pytest.mark.slow
@pytest.mark.usefixtures("lab")
def test_all_devices_are_audited(clm, refusal, opencl_device, tmp_path):
    words = ["--functions", "fabs", "--types", "float", "--inputs", "16", "--jobs", "1", "--json", "run.json"]
    status, out, _ = clm("audit", "opencl:all", "clmath", *words)
    assert status in {0, 2}  # a second device of this machine may not work
    found = json.loads((tmp_path / "run.json").read_text())
    assert opencl_device in found["subjects"]
    assert found["subjects"][-1] == "clmath"
    assert reports_in(tmp_path / "run.json")[opencl_device]["complete"]
    assert f"\n{opencl_device} (" in out
    assert "opencl:77:all: there is no such platform; see 'clmath devices'" in refusal(
        "audit", "opencl:77:all", *words, "--force"
    )
