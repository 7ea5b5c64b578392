"""The sweep of doubles: it judges results, resumes where it stopped, and detects a wrong kernel."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from clmath.engines import choice

if choice.NATIVE.library is None:
    pytest.skip("the sweep runs compiled kernels: clang compiles them", allow_module_level=True)
ROOT = Path(__file__).parents[3]


def sweep(report, *arguments):
    command = [sys.executable, "-m", "benchmarks.sweep", "exp", "--type", "double", "--json", str(report), *arguments]
    subprocess.run(command, cwd=ROOT, check=True)
    return json.loads(report.read_text(encoding="utf-8"))


@pytest.mark.slow
def test_a_sweep_of_doubles_goes_on_where_it_stopped(tmp_path):
    report = tmp_path / "sweep.json"
    first = sweep(report, "--inputs", "9e6", "--workers", "1")
    (tally,) = first["tallies"]
    assert tally["done"] == [0, 1]
    assert tally["judged"] > 1000
    assert not any(tally["wrong"].values()), tally["examples"]
    assert tally["missed"] == 0, tally["examples"]
    assert sweep(report, "--inputs", "9e6", "--workers", "1") == first


def test_other_settings_are_refused(tmp_path):
    report = tmp_path / "sweep.json"
    settings = {"type": "double", "against": "mpfr", "seed": 3, "part": "1/1", "chunks": 1}
    report.write_text(json.dumps({"settings": settings, "tallies": []}), encoding="utf-8")
    command = [sys.executable, "-m", "benchmarks.sweep", "exp", "--type", "double", "--json", str(report)]
    child = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert child.returncode == 1
    assert "other settings" in child.stderr
