"""The atlas: reports that are small and believed, a page that says what they say, and measuring that can be stopped."""

import importlib
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from clmath import cli
from clmath.audit.records.lock import locked
from tests.cases import for_each

ROOT = Path(__file__).resolve().parents[2]
MEASURED = ROOT / "tables" / "measured"
REPORTS = sorted(file for file in MEASURED.glob("*/*.json") if file.name != "runs.json")
SAMPLED = sorted(
    file for file in (ROOT / "benchmarks" / "atlas" / "sampled").glob("*/*.json") if file.name != "runs.json"
)
OWN = """
import clmath

def results(name, *arrays):
    if name == "hypot":
        raise RuntimeError("<b>no | hypot")
    found = getattr(clmath, name)(*arrays)
    return tuple(2 * f for f in found) if isinstance(found, tuple) else 2 * found
"""

pytestmark = pytest.mark.skipif(not (ROOT / "benchmarks").is_dir(), reason="an installed clmath has no benchmarks")


@pytest.fixture
def atlas(monkeypatch):
    """The modules."""
    monkeypatch.syspath_prepend(str(ROOT))
    names = ("groups", "thin", "page", "runs", "measure", "__main__")
    return {name: importlib.import_module(f"benchmarks.atlas.{name}") for name in names}


@pytest.fixture
def run(atlas, monkeypatch, tmp_path):
    """The command line, with a folder of its own: its exit status."""

    def call(*words):
        monkeypatch.setattr("sys.argv", ["atlas", "--folder", str(tmp_path), *words])
        return atlas["__main__"].main()

    return call


@pytest.fixture
def own(monkeypatch, tmp_path_factory):
    """A subject whose results are twice what is due, and that has no hypot."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "own_results.py").write_text(OWN)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", str(folder))
    return "own_results:results"


def test_the_page_is_what_the_reports_say(atlas):
    assert sorted(atlas["page"].reports(MEASURED)) == REPORTS
    assert (MEASURED / "README.md").read_text(encoding="utf-8") == atlas["page"].page(MEASURED)


def test_the_atlas_stays_small():
    assert sum(file.stat().st_size for file in MEASURED.rglob("*") if file.is_file()) < 1 << 20


@for_each("file", REPORTS)
def test_a_report_is_one_of_the_schema_and_thin(atlas, file):
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((ROOT / "tables" / "report.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(file.read_text(encoding="utf-8")), schema)
    assert file.read_text(encoding="utf-8") == atlas["thin"].thinned(file)
    assert file.stem in {run.group for run in atlas["runs"].read(file.parent)}


def test_groups_name_what_can_be_tried_in_full_or_drawn_by_number(atlas):
    groups = atlas["groups"].GROUPS
    assert len(groups["float"].functions) == 41
    assert groups["float"].functions[:3] == ("sin", "cos", "exp")
    assert {"sin", "tgamma", "sqrt", "rint"} <= set(groups["float"].functions)
    assert {"native_sin", "half_exp", "frexp"} <= set(groups["others"].functions)
    assert not set(groups["float"].functions) & set(groups["others"].functions)
    assert {"pow", "hypot", "pown"} <= set(groups["pairs"].functions)
    assert groups["double"].functions == groups["float"].functions


def test_measuring_stops_when_told_to_and_goes_on_from_there(atlas, run, tmp_path, capsys):
    words = ["measure", "libm", "c", "--groups", "double", "--inputs", "20000"]
    command = [sys.executable, "-m", "benchmarks.atlas", "--folder", str(tmp_path), *words]
    report = tmp_path / "c-full" / "double.json"
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        while not (report.exists() and json.loads(report.read_text())["rows"]):
            assert child.poll() is None
            time.sleep(0.05)
        child.terminate()
        assert child.wait(60) == 3
    first = json.loads(report.read_text())
    assert not first["complete"]
    with locked(report, "test"):  # no audit is at it any more
        assert report.read_text() == atlas["thin"].thinned(report)
    assert run(*words, "--seconds", "1") == 3  # no time for anything
    assert "not complete" in capsys.readouterr().out
    assert run(*words) == 0
    found = json.loads(report.read_text())
    assert found["complete"]
    assert found["rows"][: len(first["rows"])] == first["rows"]
    runs = atlas["runs"].read(report.parent)
    assert [one.rows for one in runs] == [len(first["rows"]), len(found["rows"]) - len(first["rows"])]
    assert run(*words) == 0  # nothing is left to do
    assert atlas["runs"].read(report.parent) == runs


def test_thin_reports_are_shown_compared_and_put_on_the_page(run, tmp_path):
    assert run("measure", "libm", "c", "--groups", "double-pairs", "--inputs", "1000", "--commit", "abc1234") == 0
    report = tmp_path / "c-full" / "double-pairs.json"
    rows = json.loads(report.read_text())["rows"]
    assert all(not any(row["worst by binade"].values()) for row in rows)
    assert cli.main(["diff", str(report), str(report)]) == 0
    assert cli.main(["report", str(report)]) in (0, 1)
    assert run("page") == 0
    assert run("page", "--check") == 0
    text = (tmp_path / "README.md").read_text()
    for row in rows:
        assert f"| `{row['built-in']}` | {row['limit']} |" in text
        if row["worst"]["error"]:
            assert row["worst"]["text"]["args"].partition(" [")[0] in text
    assert "abc1234" in text
    (tmp_path / "README.md").write_text("something else")
    assert run("page", "--check") == 1
    thin = report.read_text()
    report.write_text(json.dumps(json.loads(thin)))  # as an audit that nobody was left to end may leave it
    assert run("page") == 0
    assert report.read_text() == thin


def test_the_page_tells_what_fails_and_what_could_not_be_judged(run, own, tmp_path):
    assert run("measure", own, "own", "--groups", "pairs", "--inputs", "500") == 0
    report = tmp_path / "own-full" / "pairs.json"
    rows = {row["built-in"]: row for row in json.loads(report.read_text())["rows"]}
    assert run("page") == 0
    text = (tmp_path / "README.md").read_text()
    failed = f"{rows['pow']['failed']:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")
    assert f"✗ {failed} |" in text
    assert "| `hypot` | 4 ulp | not judged |" in text
    assert "RuntimeError: \\<b\\>no \\| hypot" in text
    judged = sum(row["status"] in {"pass", "fail"} for row in rows.values())
    assert f" of {judged}; not " in text
    report.write_text(report.read_text().replace('"failed": ', '"failed": 1'))
    with pytest.raises(SystemExit):
        run("page")


def test_a_report_that_nobody_thinned_is_thinned_and_one_of_other_inputs_is_refused(atlas, run, own, tmp_path, capsys):
    words = ("measure", own, "own", "--groups", "double-pairs")
    report = tmp_path / "own-full" / "double-pairs.json"
    report.parent.mkdir()
    known = list(reversed(atlas["groups"].GROUPS["double-pairs"].functions))
    names = ",".join(known[:-1])  # it keeps its own order, and what it did not ask for comes last
    asked = ["--types", "double", "--functions", names, "--inputs", "500", "--profile", "full"]
    cli.main(["audit", own, *asked, "--json", str(report)])
    before = report.stat().st_size
    found = json.loads(report.read_text())
    report.write_text(json.dumps({**found, "rows": found["rows"][:2], "complete": False}))
    assert run(*words, "--inputs", "500") == 0
    assert report.stat().st_size < before / 2
    assert json.loads(report.read_text())["plan"]["functions"] == known
    with pytest.raises(SystemExit):
        run(*words, "--inputs", "600")
    assert "is of 500 inputs, and 600 are asked for; write --inputs 500" in capsys.readouterr().err


def test_a_quick_audit_is_taken_up_with_its_errors_by_binade(atlas, run, own, tmp_path, monkeypatch):
    monkeypatch.setattr(atlas["__main__"], "SAMPLED", tmp_path / "sampled")
    report, log = tmp_path / "report.json", tmp_path / "run.log"
    asked = ["--functions", "tgamma", "--types", "float", "--inputs", "2000"]
    assert cli.main(["audit", own, *asked, "--json", str(report), "--log", str(log)]) == 1
    assert run("keep", str(report), str(log), "own-1.0") == 0
    kept = tmp_path / "sampled" / "own-1.0" / "math.json"
    assert cli.main(["diff", str(report), str(kept)]) == 0
    (before,), (after,) = (json.loads(file.read_text())["rows"] for file in (report, kept))
    assert after["worst by binade"] == before["worst by binade"]
    assert any(after["worst by binade"].values())
    assert len(after["failures"]) == len(after["reasons"]) < len(before["failures"])
    (made,) = atlas["runs"].read(kept.parent)
    assert (made.rows, made.date) == (1, json.loads(log.read_text().splitlines()[-1])["time"])
    with pytest.raises(SystemExit):
        run("keep", str(report), str(log), "Own")


def test_a_subject_may_have_several_audits(atlas, run, own, tmp_path, monkeypatch):
    monkeypatch.setattr(atlas["__main__"], "SAMPLED", tmp_path / "sampled")
    report, log = tmp_path / "report.json", tmp_path / "run.log"
    asked = ["--functions", "exp", "--types", "half", "--inputs", "2000"]
    assert cli.main(["audit", own, *asked, "--json", str(report), "--log", str(log)]) == 1
    words = ("keep", str(report), str(log), "own-1.0")
    for group, machine in (("math", "here"), ("halves", "there"), ("halves", "elsewhere")):
        assert run(*words, "--group", group, "--machine", machine, "--commit", "1234567") == 0
    folder = tmp_path / "sampled" / "own-1.0"
    assert (folder / "halves.json").read_text() == (folder / "math.json").read_text()
    made = atlas["runs"].read(folder)
    assert [(one.group, one.machine, one.commit) for one in made] == [
        ("math", "here", "1234567"),
        ("halves", "elsewhere", "1234567"),
    ]
    with pytest.raises(SystemExit):
        run(*words, "--group", "../halves")


@for_each("file", SAMPLED)
def test_a_sampled_report_is_one_of_the_schema_and_slim(atlas, file):
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((ROOT / "tables" / "report.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(file.read_text(encoding="utf-8")), schema)
    assert file.read_text(encoding="utf-8") == atlas["thin"].slim(file)
    assert [run.group for run in atlas["runs"].read(file.parent)].count(file.stem) == 1


def test_of_failures_one_of_each_reason_stays(atlas, own, tmp_path):
    report = tmp_path / "float.json"
    words = ["--functions", "tgamma,lgamma_r", "--types", "float", "--inputs", "2000", "--json", str(report)]
    assert cli.main(["audit", own, *words]) == 1
    before = json.loads(report.read_text())
    report.write_text(atlas["thin"].thinned(report))
    after = json.loads(report.read_text())
    assert any(len(row["failures"]) > len(row["reasons"]) for row in before["rows"])
    for one, other in zip(before["rows"], after["rows"], strict=True):
        assert [f["reason"] for f in other["failures"]] == list(dict.fromkeys(f["reason"] for f in one["failures"]))
        assert other["histogram"] == one["histogram"]
        assert other["worst"] == one["worst"]
    assert atlas["thin"].thinned(report) == report.read_text()
    report.write_text(report.read_text().replace('"failed": ', '"failed": 1'))
    with pytest.raises(Exception, match="row tgamma float"):
        atlas["thin"].thinned(report)
