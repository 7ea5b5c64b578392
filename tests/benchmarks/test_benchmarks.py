"""The benchmarks run, say nothing wrong about clmath, and do without the packages that are optional."""

import importlib
import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from clmath.engines import choice

ROOT = Path(__file__).resolve().parents[2]
TINY = ["--lanes", "3000", "--judged", "1500", "--runs", "1"]
RUN = "import runpy, sys; sys.modules |= dict.fromkeys({missing}); runpy.run_module('benchmarks', run_name='__main__')"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (ROOT / "benchmarks").is_dir(), reason="an installed clmath has no benchmarks"),
]


@pytest.fixture
def run(tmp_path):
    """Run the benchmarks without the ``missing`` packages; return the printed text and the written rows."""

    def call(*arguments, missing=()):
        file = tmp_path / "results.json"
        code = RUN.format(missing=list(missing))
        command = [sys.executable, "-c", code, *arguments, *TINY, "--json", str(file)]
        child = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert child.returncode == 0, child.stderr
        assert "RuntimeWarning" not in child.stderr
        found = json.loads(file.read_text(encoding="utf-8"))
        assert found["machine"]["date"]
        return child.stdout, [row for section in found["sections"] for row in section["rows"]]

    return call


@pytest.fixture
def contest(monkeypatch):
    """The module that judges."""
    monkeypatch.syspath_prepend(str(ROOT))
    return importlib.import_module("benchmarks.contest")


def right(outcome, judged=1500):
    """Whether somebody was timed and judged, and rounded everything correctly."""
    return outcome["ns"] > 0 and outcome["judged"] == judged and outcome["wrong"] == 0


def test_kernels_of_both_engines_are_right(run):
    text, rows = run("kernels", "--functions", "sin,pow", "--types", "half,float", "--markdown")
    assert len(rows) == 8
    for row in rows:
        assert right(row["clmath NumPy"])
        assert row["clmath native"] is None or right(row["clmath native"])
        assert right(row["gmpy2"])
        assert row["NumPy engine : gmpy2"] == pytest.approx(row["gmpy2"]["ns"] / row["clmath NumPy"]["ns"])
        assert f"| {row['function']} | {row['type']} | {row['inputs']} |" in text


def test_engines_are_measured_in_one_run(run):
    _, rows = run("engines", "--functions", "sin,pow", "--types", "float,double", "--inputs", "natural")
    if choice.NATIVE.library is None:
        assert not rows
        return
    assert [(row["function"], row["type"]) for row in rows] == [
        ("sin", "float"), ("sin", "double"), ("pow", "float"), ("pow", "double")
    ]  # fmt: skip
    for row in rows:
        assert all(map(right, (row["native"], row["NumPy"], row["native, rtp"])))
        assert row["native : NumPy"] == pytest.approx(row["NumPy"]["ns"] / row["native"]["ns"])


def test_a_picture_of_calls(monkeypatch, tmp_path):
    """A line for each way of calling; a value that a row lacks gives no point."""
    monkeypatch.syspath_prepend(str(ROOT))
    picture = importlib.import_module("benchmarks.picture")
    times = {"clmath": (1.0, 10.0, 1000.0), "NumPy": (0.1, 1.0, 100.0), "loop over numbers": (1.0, 100.0, None)}
    rows = [
        {"function": "sin", "type": "double", "elements": n} | {key: some[i] for key, some in times.items()}
        for i, n in enumerate(("1", "100", "10000"))
    ]
    (tmp_path / "results.json").write_text(json.dumps({"sections": [{"section": "calls", "rows": rows}]}))
    monkeypatch.setattr(sys, "argv", ["picture", str(tmp_path / "results.json"), str(tmp_path / "calls.svg")])
    picture.main()
    svg = ET.fromstring((tmp_path / "calls.svg").read_text(encoding="utf-8"))  # noqa: S314  (it is ours)
    points = {line.get("class"): len(line.get("points").split()) for line in svg.findall(".//{*}polyline")}
    assert {key: count for key, count in points.items() if count} == {"clmath": 3, "NumPy": 3, "loop-over-numbers": 2}


def test_the_page_shows_the_result_files_and_is_short(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    page = importlib.import_module("benchmarks.page")
    text = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    assert text == page.page()
    assert len(text.splitlines()) <= 200
    assert sum(file.stat().st_size for file in page.RESULTS.glob("*.json")) <= 100_000


def test_results_of_a_run_come_onto_the_page(run, monkeypatch, tmp_path):
    """Rows of typical inputs, with the figures shown, replace the rows of an earlier run."""
    run("kernels", "--functions", "sin", "--types", "float")
    monkeypatch.syspath_prepend(str(ROOT))
    page = importlib.import_module("benchmarks.page")
    monkeypatch.setattr(page, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(page, "README", tmp_path / "README.md")
    for words in (["take", str(tmp_path / "results.json"), "here"], ["write"], ["write", "--check"]):
        monkeypatch.setattr(sys, "argv", ["page", *words])
        assert page.main() == 0
    kept = json.loads((tmp_path / "results" / "here.json").read_text(encoding="utf-8"))["kernels"]
    (row,) = kept["rows"]
    ns, wrong = row["gmpy2, arrays"]
    assert (row["function"], row["type"], wrong) == ("sin", "float", 0)
    shown = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert f" {ns:g} |" in shown
    assert kept["machine"]["date"] in shown


def test_exact_built_ins_are_right_in_every_mode(run):
    _, rows = run("exact", "--functions", "div,fract,normalize", "--types", "float", "--inputs", "bits")
    assert [row["function"] for row in rows] == ["div", "fract", "normalize of 4-vectors"]
    for row in rows:
        judged = 300 if "vectors" in row["function"] else 1500
        assert all(right(row[mode], judged) for mode in ("rte", "rtz", "rtp", "rtn"))


def test_a_missing_package_is_an_empty_column(run):
    text, rows = run("all", "--functions", "exp2", "--inputs", "natural", missing=["scipy", "gfloat"])
    own = [row for row in rows if "clmath NumPy" in row and "SciPy" in row]
    assert len(own) == 2
    assert all(row["SciPy"] is None and right(row["clmath NumPy"]) for row in own)
    assert [row["type"] for row in rows if "reference" in row] == ["half", "float", "double"]
    assert "SciPy" in text


def test_conversions_are_right_in_every_mode(run):
    _, rows = run("conversions", "--types", "half")
    assert {"double to half", "long to half"} <= {row["conversion"] for row in rows}
    assert all(right(row[mode]) for row in rows for mode in ("rte", "rtz", "rtp", "rtn"))


def test_sums_of_work_groups_are_right(run):
    _, rows = run("sums", "--types", "float")
    assert {row["elements"] for row in rows} == {"10", "100", "1000", "100000"}
    for row in rows:
        judged = 1500 if "scan" in row["function"] else max(1500 // int(row["elements"]), 1)
        assert right(row["clmath"], judged)


def test_the_judge_tells_wrong_from_right(contest):
    want = np.float32([1.0, 0.0, np.nan, np.inf, 2.0])
    other_nan = np.uint32([0xFFC00001]).view(np.float32)[0]
    assert contest.wrong_share(np.float32([1.0, 0.0, other_nan, np.inf, 2.0]), want) == 0.0
    assert contest.wrong_share(np.float32([np.nextafter(np.float32(1), np.float32(2)), *want[1:]]), want) == 0.2
    assert contest.wrong_share(np.float32([1.0, -0.0, 0.0, -np.inf, np.nan]), want) == 0.8


def test_a_device_is_compared_and_timed(opencl_device, tmp_path):
    file = tmp_path / "rows.json"
    words = [opencl_device.removeprefix("opencl:"), "--functions", "exp2", "--lanes", "4000", "--timed", "4096"]
    command = [sys.executable, "-m", "benchmarks.device", *words, "--json", str(file)]
    child = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert child.returncode == 0, child.stderr
    assert child.stdout.endswith("3 of 3 kernels give the same bits as the NumPy engine\n")
    rows = json.loads(file.read_text(encoding="utf-8"))["rows"]
    assert [(row["form"], row["lanes"], row["differ"]) for row in rows] == [
        ("half", 16000, 0), ("float", 16000, 0), ("double", 16000, 0)
    ]  # fmt: skip
    assert all(speed > 0 for row in rows for speed in row["speeds"].values())


def test_an_unknown_function_is_named():
    command = [sys.executable, "-m", "benchmarks", "--functions", "sine"]
    child = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert child.returncode == 2
    assert "did you mean 'sin" in child.stderr


def test_every_chapter_has_rows(run):
    text, rows = run("chapters", "--functions", "add_sat,fast_length,isnan,fma", "--inputs", "natural")
    found = [(row["built-in"], row["type"]) for row in rows]
    assert found == [
        *(("fma", type) for type in ("half", "float", "double")),
        ("fast_length", "float"),
        *(("add_sat", type) for type in ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")),
        *(("isnan", type) for type in ("half", "float", "double")),
    ]
    for row in rows:
        slowest = max(row[column]["ns"] for column in ("rte", "directed") if row.get(column))
        assert row["ours : NumPy"] == pytest.approx(slowest / row["NumPy"]["ns"])
        assert (row["beyond"] == "*") == (slowest > 5 and slowest > 3 * row["NumPy"]["ns"])
    assert "add_sat" in text
