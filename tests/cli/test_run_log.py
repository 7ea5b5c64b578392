"""Facts that differ between runs (times, dates, compiler output) go to --log; progress is a line per minute."""

import itertools
import json
import re
import time
from types import SimpleNamespace

import pytest

from clmath.cli import progress

pytestmark = pytest.mark.slow

LAB = """
    def slow(name, *args):
        time.sleep(0.1)
        return right(name, *args)
"""
WORDS = ["--functions", "floor,trunc,rint,ceil,fabs", "--types", "float", "--inputs", "64", "--jobs", "1"]


def events(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_log_has_times_of_start_cases_and_end(clm, lab, tmp_path):
    path = tmp_path / "run.log"
    began = time.monotonic()
    assert clm("audit", f"{lab}:slow", *WORDS, "--log", path)[0] == 0
    whole = time.monotonic() - began
    first, *rows, last = events(path)
    assert first["event"] == "start"
    assert first["command"] == f"clmath audit lab:slow {' '.join(WORDS)} --log {path}"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", first["time"])
    assert [row["built-in"] for row in rows] == ["floor", "trunc", "rint", "ceil", "fabs"]
    assert all(row["seconds"] >= 0.1 and row["status"] == "pass" for row in rows)
    assert sum(row["seconds"] for row in rows) <= whole
    assert last == {"event": "end", "time": last["time"], "status": 0}


@pytest.mark.slow
def test_extensions_are_reported_and_compiler_output_is_quoted(clm, opencl_device, tmp_path):
    log, page, report = tmp_path / "run.log", tmp_path / "page.html", tmp_path / "report.json"
    words = ["--functions", "fabs", "--types", "float", "--inputs", "8", "--jobs", "1", "--json", report]
    options = "--build-options=-Dfabs=fabs -DFOO=1 -DFOO=2"
    clm("audit", opencl_device, *words, "--log", log, "--html", page, options)
    target = json.loads(report.read_text())["subject"]
    assert "cl_khr_" in target["extensions"]
    assert target["asked"] == opencl_device
    assert re.fullmatch(r"v\d{4}-\d\d-\d\d-\d\d|not known|", target["latest conformance version passed"])
    (row,) = [event for event in events(log) if event["event"] == "row"]
    if not row["log"]:
        pytest.skip("the device's compiler does not tell that a macro is defined twice")
    assert "FOO" in row["log"]
    assert "Compiler log" in page.read_text()


def test_progress_on_a_plain_stream_is_a_line_per_interval(clm, lab, monkeypatch):
    """With a clock on which each chunk takes 25 seconds."""

    def clock():
        monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=itertools.count(0, 25).__next__))

    clock()
    status, _, err = clm("audit", f"{lab}:right", *WORDS)
    assert status == 0
    lines = err.splitlines()
    assert 2 <= len(lines) <= 8
    line = r"clmath audit: \d+ %, about \d+ (min|s) left: \w+ float \d/\d, case \d of 5"
    assert all(re.fullmatch(line, one) for one in lines), lines
    clock()
    monkeypatch.setattr(progress, "EVERY", 25.0)
    assert len(clm("audit", f"{lab}:right", *WORDS)[2].splitlines()) in range(3 * len(lines), 3 * len(lines) + 3)
    monkeypatch.setattr(progress, "EVERY", 1e9)
    assert clm("audit", f"{lab}:right", *WORDS)[2] == ""
