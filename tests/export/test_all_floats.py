"""Exported functions give clmath's bits for every float in every mode, and leave none undecided.

All floats take minutes for each function; ``python -m benchmarks.exported`` tests all functions.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.exported.__main__ import unary
from benchmarks.exported.library import compiled, exported
from clmath.engines import choice
from clmath.numbers.rounding import MODES

if choice.NATIVE.library is None:
    pytest.skip("the sweep runs compiled kernels: clang compiles them", allow_module_level=True)
ROOT = Path(__file__).parent.parent.parent
SOME = ("exp", "frexp")  # a function with one rounded result, and one with two exact results


def swept(cc, part, *names):
    """Sweep some functions and return the lines of the report."""
    command = [sys.executable, "-m", "benchmarks.exported", *names, "--part", part, "--workers", str(os.cpu_count())]
    done = subprocess.run(
        [*command, "--compiler", " ".join([*cc, "-march=native"])],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()[1:]]


def no_bit_differs(rows, names, elements):
    assert [(row["function"], row["mode"]) for row in rows] == [(name, mode) for name in names for mode in MODES]
    assert all(row["lanes"] == elements and not row["differing"] and not row["undecided"] for row in rows), rows


@pytest.mark.slow
def test_a_thousandth_of_all_floats_has_equal_bits(cc):
    no_bit_differs(swept(cc, "253/1024", *SOME), SOME, 1 << 22)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", unary())
def test_all_floats_have_equal_bits(cc, name):
    no_bit_differs(swept(cc, "1/1", name), (name,), 1 << 32)


@pytest.mark.slow
def test_finished_parts_are_not_repeated(cc, tmp_path):
    known = tmp_path / "floats.jsonl"
    row = {"function": "exp", "mode": "rte", "part": "2/1024"}
    known.write_text("".join(json.dumps(row | {"mode": mode}) + "\n" for mode in MODES[:3]))
    words = ("exp", "--part", "2/1024", "--json", known, "--compiler", " ".join(cc), "--workers", "1")
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.exported", *words], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert [json.loads(line)["mode"] for line in done.stdout.splitlines()[1:]] == [MODES[3]]
    assert len(known.read_text().splitlines()) == len(MODES)


@pytest.mark.slow
def test_sweep_finds_differing_results(cc, tmp_path):
    """The exported function returns the next float instead of every result."""
    folder = tmp_path / "library"
    exported(folder, "exp", "float", "c")
    path = folder / "clmath_exp.c"
    path.write_text(path.read_text().replace("TO_float(codes[j])", "TO_float(codes[j] + 1)"))
    compiled(folder, ["exp"], " ".join(cc), 1)
    words = ("exp", "--part", "3/1024", "--folder", folder, "--workers", "1", "--modes", "rtz")
    command = [sys.executable, "-m", "benchmarks.exported", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    row = json.loads(done.stdout.splitlines()[-1])
    assert (done.returncode, row["lanes"], row["differing"], len(row["first"])) == (1, 1 << 22, 1 << 22, 4)
