"""All 2^32 floats through every kernel of one argument, in all modes: minutes per kernel, run with -m exhaustive."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from clmath.engines import choice
from clmath.kernels import FAST
from clmath.spec.builtins import builtin

if choice.NATIVE.library is None:
    pytest.skip("the sweep runs compiled kernels: clang compiles them", allow_module_level=True)
UNARY = [kernel.name for kernel in FAST.single if len(builtin(kernel.name).inputs) == 1]
ROOT = Path(__file__).parent.parent.parent


def sweep(kernel, part, tmp_path):
    report = tmp_path / "sweep.json"
    command = [sys.executable, "-m", "benchmarks.sweep", kernel, "--part", part, "--json", str(report)]
    subprocess.run(command, cwd=ROOT, check=True)
    (tally,) = json.loads(report.read_text(encoding="utf-8"))["tallies"]
    return tally


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", UNARY)
def test_every_float(name, tmp_path):
    tally = sweep(name, "1/1", tmp_path)
    assert tally["lanes"] == 2**32
    assert tally["wrong"] == dict.fromkeys(["rte", "rtz", "rtp", "rtn"], 0), tally["examples"]
    assert max(tally["undecided"].values()) < 2**32 / 10**6


@pytest.mark.exhaustive
def test_every_float_of_sine_and_cosine_together(tmp_path):
    tally = sweep("sincos", "1/1", tmp_path)
    assert tally["lanes"] == 2**32
    assert not any(tally["wrong"].values()), tally["examples"]
    assert max(tally["undecided"].values()) < 2**32 / 10**6


@pytest.mark.slow
def test_a_slice_of_the_floats(tmp_path):
    tally = sweep("exp", "100/512", tmp_path)
    assert tally["lanes"] == 2**23
    assert tally["judged"] > 1000
    assert not any(tally["wrong"].values()), tally["examples"]
