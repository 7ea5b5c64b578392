"""The pytest plugin: it imports nothing until used, reproduces random numbers, and prints a table of worst errors."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from clmath.audit.isolation.choosing import Choice
from clmath.spec.builtins import builtins
from clmath.testing import fixtures

pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parents[2]
INSTALLED = any(e.value == "clmath.pytest_plugin" for e in importlib.metadata.entry_points(group="pytest11"))
LOADED = [] if INSTALLED else ["-p", "clmath.pytest_plugin"]  # without an installation, the plugin must be named
IGNORED = ["-Wignore::pytest.PytestAssertRewriteWarning"]  # this process has already imported it


@pytest.fixture
def run(pytester):
    """Return a function that runs pytest on a file with a text, and returns the result and the output."""

    def call(text, *options, ini="", alone=False):
        pytester.makepyfile(text)
        if ini:
            pytester.makeini(f"[pytest]\n{ini}")
        start = pytester.runpytest_subprocess if alone else pytester.runpytest_inprocess
        result = start(*LOADED, *IGNORED, *options)
        return result, result.stdout.str()

    return call


def test_plugin_is_an_entry_point():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {"clmath": "clmath.pytest_plugin"}


def test_plugin_imports_nothing_until_used(tmp_path):
    (tmp_path / "test_it.py").write_text(
        "import sys\n\ndef test_it():\n    assert not {'clmath.errors', 'numpy', 'hypothesis'} & set(sys.modules)\n"
    )
    alone = ["-p", "no:hypothesispytest", "-p", "no:cacheprovider"]
    named = [] if INSTALLED else ["-p", "clmath.pytest_plugin"]
    command = [sys.executable, "-m", "pytest", "-q", *named, *alone, "--rootdir", str(tmp_path), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert "clmath" not in done.stdout


class TestRandomNumbers:
    """Tests of the fixture ``clmath_rng``."""

    TESTS = """
def test_one(clmath_rng):
    print("one", clmath_rng.integers(0, 2**32))

def test_two(clmath_rng):
    print("two", clmath_rng.integers(0, 2**32))
"""

    @pytest.fixture
    def numbers(self, run):
        """Return a function that runs two tests and returns the seed and the generated numbers."""

        def generated(*options):
            result, text = run(self.TESTS, "-s", *options)
            result.assert_outcomes(passed=1 if "-k" in options else 2, deselected=1 if "-k" in options else 0)
            return re.search(r"--clmath-seed=\d+", text)[0], dict(re.findall(r"(one|two) (\d+)", text))

        return generated

    def test_printed_seed_reproduces_the_numbers(self, numbers):
        seed, first = numbers()
        assert first["one"] != first["two"]
        assert numbers(seed) == (seed, first)

    def test_other_runs_generate_other_numbers(self, numbers):
        assert numbers()[1] != numbers()[1]

    def test_numbers_of_a_test_do_not_depend_on_other_tests(self, numbers):
        seed, both = numbers("--clmath-seed=5")
        assert seed == "--clmath-seed=5"
        _, alone = numbers("--clmath-seed=5", "-k", "two")
        assert alone == {"two": both["two"]}

    def test_seed_is_printed_only_if_used(self, run):
        assert "clmath-seed" not in run("def test_it():\n    pass\n")[1]


MEASURED = """
import numpy as np

X = np.float32([0.5, 1.0, 2.0])

def off(count):
    return np.nextafter(np.sqrt(X), np.float32(9)) if count else np.sqrt(X)

def test_right(ulp):
    assert ulp(off(0), "sqrt", (X,)).max() <= 0.5
    assert ulp(off(0)[:1], "sqrt", (X[:1],)).shape == (1,)

def test_wrong(ulp):
    ulp(off(1), "sqrt", (X,), limit=0.75)

def test_exact_values(ulp):
    ulp(np.float16([0.333]), 1 / 3)
    ulp((np.sin(X), np.cos(X)), "sincos", (X,))
"""


class TestErrors:
    """Tests of the fixture ``ulp`` and of the table in the summary."""

    def summary(self, text):
        """Return the columns of the table, row by row."""
        shown = text.partition("worst errors (clmath)")[2].partition("\n===")[0]
        return [re.split(r"\s{2,}", line.strip()) for line in shown.splitlines()[1:]]

    @pytest.mark.parametrize("workers", [[], pytest.param(["-n", "2"], marks=pytest.mark.slow)], ids=["alone", "xdist"])
    def test_worst_error_of_every_test_is_shown(self, run, workers):
        result, text = run(MEASURED, *workers)
        result.assert_outcomes(passed=2, failed=1)
        head, *rows = self.summary(text)
        assert head == ["built-in", "type", "worst error", "limit", "test"]
        assert [row[:4] for row in rows[:2]] == [
            ["sqrt", "float", "+2.000 ulp", "0.75 ulp"],
            ["result", "half", "-1.333 ulp", rows[1][3]],
        ]
        assert [row[:2] + row[3:4] for row in rows[2:]] == [["sincos", "float", "4 ulp"], ["sqrt", "float", "3 ulp"]]
        names = ["test_wrong", "test_exact_values", "test_exact_values", "test_right"]
        assert [row[-1].partition("::")[2] for row in rows] == names

    def test_exceeded_limit_fails_with_the_inputs(self, run):
        text = run(MEASURED, "-k", "wrong")[1]
        assert "sqrt(0x1p-1 = 0.5) [0x3f000000] at index 0: got" in text
        assert "more than 0.75 ulp" in text

    def test_no_table_without_measurements(self, run):
        assert "worst errors" not in run("def test_it(ulp):\n    pass\n")[1]


CONFORMANCE = """
import clmath
import numpy as np

def test_library(conformance):
    broken = {"trunc": lambda x: clmath.trunc(x) + x.dtype.type(0)}
    conformance(broken.get(conformance.name) or getattr(clmath, conformance.name))
"""


class TestConformance:
    """Tests of the fixture ``conformance``."""

    def test_each_built_in_and_type_has_a_test(self, run):
        result, text = run(CONFORMANCE, "--clmath-functions=trunc,sign,half_exp", "--clmath-types=float", "-v")
        result.assert_outcomes(passed=2, failed=1)
        assert "::test_library[trunc-float] FAILED" in text
        assert "::test_library[half_exp-float] PASSED" in text
        assert "trunc(-0x1p-1 = -0.5) [0xbf000000]: got 0x0p+0 = 0.0" in text
        assert re.search(r"half_exp +float +[+-]\S+ ulp +8192 ulp +test_", text)

    def test_ini_file_selects_built_ins_and_types(self, run):
        ini = "clmath_functions = sign ceil\nclmath_types = half, float\n"
        result, text = run(CONFORMANCE, "--collect-only", "-q", ini=ini)
        assert re.findall(r"\[(.*)\]", text) == ["sign-half", "sign-float", "ceil-half", "ceil-float"]
        text = run(CONFORMANCE, "--collect-only", "-q", "--clmath-functions=step", ini=ini)[1]
        assert re.findall(r"\[(.*)\]", text) == ["step-half", "step-float"]
        assert result.ret == 0

    def test_default_is_the_math_chapter(self):
        cells = fixtures.chosen([], [])
        assert {name for name, _ in cells} == {r.name for r in builtins().values() if r.chapter == "math"}
        assert ("sin", "half") in cells
        assert ("half_sin", "double") not in cells

    def test_unknown_names_are_errors(self, run):
        for options, message in (
            (["--clmath-functions=sine"], "'sine' is not a known built-in; did you mean 'sin'"),
            (["--clmath-types=quad"], "'quad' is not one of 'half', 'float', 'double'"),
            (["--clmath-functions=half_sin", "--clmath-types=double"], "none of half_sin is defined for double"),
        ):
            result, text = run(CONFORMANCE, *options)
            assert result.ret != 0
            assert message in text + result.stderr.str()


class TestDevices:
    """Tests of the fixture ``opencl_device``."""

    TEST = """
def test_it(opencl_device):
    import pyopencl
    assert isinstance(opencl_device, pyopencl.Device)
    pyopencl.Context([opencl_device])
"""

    @pytest.mark.slow
    def test_first_working_device_is_used(self, run, opencl_device):
        assert opencl_device.startswith("opencl")
        run(self.TEST, alone=True)[0].assert_outcomes(passed=1)  # pyopencl can be imported only once in a process

    def test_missing_device_skips_with_the_reason(self, run, monkeypatch):
        nothing = Choice("libm", ("no OpenCL device works", "passed over: opencl: no driver; run: apt install pocl"))
        monkeypatch.setattr("clmath.audit.isolation.choosing.chosen", lambda _: nothing)
        result, text = run(self.TEST, "-rs")
        result.assert_outcomes(skipped=1)
        assert "passed over: opencl: no driver; run: apt install pocl" in text
