"""The atlas: measuring that can be stopped, and compact files that have the figures of reports."""

import importlib
import json
import math
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from clmath import cli
from clmath.audit.records import reading
from clmath.audit.records.record import locked
from clmath.spec.builtins import builtins

ROOT = Path(__file__).resolve().parents[2]
DEVICES = ROOT / "benchmarks" / "atlas" / "devices"
OWN = """
import clmath

def results(name, *arrays):
    if name == "hypot":
        raise RuntimeError("<b>no | hypot")
    found = getattr(clmath, name)(*arrays)
    return tuple(2 * f for f in found) if isinstance(found, tuple) else 2 * found
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (ROOT / "benchmarks").is_dir(), reason="an installed clmath has no benchmarks"),
]


@pytest.fixture
def atlas(monkeypatch):
    """The modules."""
    monkeypatch.syspath_prepend(str(ROOT))
    names = ("groups", "compact", "runs", "measure", "__main__")
    return {name: importlib.import_module(f"benchmarks.atlas.{name}") for name in names}


@pytest.fixture
def run(atlas, monkeypatch, tmp_path):
    """The command line, with a folder of its own: its exit status."""

    def call(*words):
        folder = {"measure": ["--folder", str(tmp_path)], "compact": ["--devices", str(tmp_path / "devices")]}
        monkeypatch.setattr("sys.argv", ["atlas", *words, *folder[words[0]]])
        return atlas["__main__"].main()

    return call


@pytest.fixture
def few(atlas, monkeypatch):
    """Leaves a few built-ins in a group: with a second name, of integers, of two results, and the one that fails."""

    def shorten(name):
        groups, names = atlas["groups"].GROUPS, {"pow", "add", "ldexp", "remquo", "hypot"}
        belongs = groups[name].belongs
        fewer = replace(groups[name], belongs=lambda item: belongs(item) and item.builtin.name in names)
        monkeypatch.setitem(groups, name, fewer)
        assert set(fewer.functions) == names

    return shorten


@pytest.fixture
def own(monkeypatch, tmp_path_factory):
    """A target that returns twice the exact value, and has no hypot."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "own_results.py").write_text(OWN)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", str(folder))
    return "own_results:results"


def test_the_compact_files_are_small():
    sizes = [file.stat().st_size for file in DEVICES.glob("*.json")]
    assert len(sizes) > 20
    assert sum(sizes) <= 800_000


def test_a_compact_file_is_written_as_it_is_read(atlas):
    for file in DEVICES.glob("*.json"):
        device = atlas["compact"].Device.load(file)
        assert device.text() == file.read_text(encoding="utf-8")
        for key, row in device.rows.items():
            verdict = device.verdict(*key)
            assert verdict.tally.failed <= verdict.tally.tried
            assert {"date", "machine", "inputs", "command", "title", "driver"} <= set(device.runs[row["run"]])


def test_groups_are_tried_in_full_or_sampled_by_number(atlas):
    groups = atlas["groups"].GROUPS
    assert len(groups["float"].functions) == 41
    assert groups["float"].functions[:3] == ("sin", "cos", "exp")
    assert {"sin", "tgamma", "sqrt", "rint"} <= set(groups["float"].functions)
    assert {"native_sin", "half_exp", "frexp"} <= set(groups["others"].functions)
    assert not set(groups["float"].functions) & set(groups["others"].functions)
    assert {"pow", "hypot", "pown"} <= set(groups["pairs"].functions)
    assert groups["double"].functions == groups["float"].functions


@pytest.mark.slow
def test_measuring_stops_at_a_signal_and_resumes(atlas, run, tmp_path, capsys):
    words = ["measure", "libm", "c", "--groups", "double", "--inputs", "5000"]
    command = [sys.executable, "-m", "benchmarks.atlas", *words, "--folder", str(tmp_path)]
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
        pass
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


@pytest.mark.slow
def test_a_report_of_other_inputs_is_refused(atlas, few, run, own, tmp_path, capsys):  # noqa: PLR0917 - fixtures
    few("double-pairs")
    words = ("measure", own, "own", "--groups", "double-pairs")
    report = tmp_path / "own-full" / "double-pairs.json"
    assert run(*words, "--inputs", "500") == 0
    asked = set(atlas["groups"].GROUPS["double-pairs"].functions)  # add includes add_scalar
    assert asked <= set(json.loads(report.read_text())["plan"]["functions"])
    with pytest.raises(SystemExit):
        run(*words, "--inputs", "600")
    assert "is of 500 inputs, and 600 are asked for; write --inputs 500" in capsys.readouterr().err


@pytest.mark.slow
def test_a_compact_file_has_the_figures_of_its_reports(atlas, few, run, own, tmp_path):
    """All but the errors by binade, of which a few ranges are left, which never hide an error."""
    few("pairs")
    assert run("measure", own, "own", "--groups", "pairs", "--inputs", "500", "--commit", "abc1234") == 0
    report = tmp_path / "own-full" / "pairs.json"
    assert run("compact", "own", str(report), str(report.with_name("runs.json"))) == 0
    device = atlas["compact"].Device.load(tmp_path / "devices" / "own.json")
    read = reading.read(report, "test")
    verdicts = {item: v for item, v in read.verdicts.items() if item.builtin.name in builtins()}
    assert {name for _, _, name in device.rows} == {item.builtin.name for item in verdicts}
    assert all(run["commit"] == "abc1234" and run["date"] for run in device.runs)
    assert any(verdict.status == "fail" for verdict in read.verdicts.values())
    for item, due in verdicts.items():
        found = device.verdict("full", item.form.name, item.builtin.name)
        for name in ("item", "limit", "source", "status", "is_unspecified", "is_sampled"):
            assert getattr(found, name) == getattr(due, name)
        assert (found.tally.tried, found.tally.failed) == (due.tally.tried, due.tally.failed)
        assert dict(found.tally.reasons) == dict(due.tally.reasons)
        assert found.tally.spread.share == due.tally.spread.share
        if due.tally.worst is not None:
            assert found.worst_error == pytest.approx(due.worst_error, rel=1e-8)
        for one, other in zip(found.tally.failures, due.tally.failures, strict=False):
            assert found.arguments_text(one) in {due.arguments_text(e) for e in due.tally.failures}, other
        for one, other in zip(found.tally.spread.worst, due.tally.spread.worst, strict=False):
            assert all(dict(one)[stretch] >= error for stretch, error in other)


def test_figures_of_more_inputs_replace_others(atlas, run, own, tmp_path):
    compact = tmp_path / "devices" / "own-1.0.json"
    for inputs, tried, date in ((2000, 2000, "2026-01-02"), (500, 2000, "2026-01-03"), (4000, 4000, "2026-01-04")):
        report = tmp_path / f"{inputs}.json"
        asked = ["--functions", "tgamma", "--types", "float", "--inputs", str(inputs)]
        assert cli.main(["audit", own, *asked, "--json", str(report)]) == 1
        assert run("compact", "own-1.0", str(report), "--date", date, "--machine", "here", "--commit", "1234567") == 0
        device = atlas["compact"].Device.load(compact)
        (row,) = device.rows.values()
        assert row["tried"] >= tried
        assert f"{tried} random inputs" in device.runs[row["run"]]["inputs"]
        assert row["curve"]
    assert (device.last["date"], device.last["machine"], device.last["commit"]) == ("2026-01-04", "here", "1234567")
    assert f"clmath audit {own} --types float --inputs 4000" in device.last["command"]
    with pytest.raises(SystemExit):
        run("compact", "Own", str(report))
    report.write_text(report.read_text().replace('"failed": ', '"failed": 1'))
    with pytest.raises(SystemExit):
        run("compact", "own-1.0", str(report))


def test_a_curve_has_few_pieces_and_hides_no_error(atlas):
    compact = atlas["compact"]
    errors = [0.0] * 10 + [0.5 + n % 7 for n in range(200)] + [math.inf] + [0.0] * 45
    pieces = compact._pieces(errors)
    assert len(pieces) == 2 * compact.PIECES
    starts, heights = pieces[::2], [float(height) for height in pieces[1::2]]
    assert starts == sorted(starts)
    for n, error in enumerate(errors):
        assert heights[sum(start <= n for start in starts) - 1] >= error
    assert compact._pieces([0.0, 1.5, 1.5, 0.0]) == [0, 0, 1, 1.5, 3, 0]
