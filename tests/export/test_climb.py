"""Exported functions evaluate the kernels of all phases in order until one decides the result."""

import ctypes
import dataclasses
import importlib
import sys

import numpy as np
import pytest

from clmath.export import climb, files, request_of
from clmath.kernels import ACCURATE, FAST, PHASES
from clmath.numbers.formats import FORMATS
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import builtin
from tests.export import bench

HALF, FLOAT, DOUBLES = FORMATS


def names(row, form):
    return [
        [f"{kernel.phase} {kernel.name}" for kernel in (result.kernel, *climb.further(result))]
        for result in climb.results(builtin(row), form)
    ]


def test_kernels_are_in_the_order_of_phases():
    assert names("sin", FLOAT) == [["fast sin", "accurate sin"]]
    assert names("sin", DOUBLES) == [["accurate sin"]]
    assert names("sincos", HALF) == [
        ["fast sincos", "fast sin", "accurate sin"],
        ["fast sincos", "fast cos", "accurate cos"],
    ]
    assert names("sincos", DOUBLES) == [["accurate sincos", "accurate sin"], ["accurate sincos", "accurate cos"]]
    assert names("lgamma_r", FLOAT) == [["fast lgamma", "accurate lgamma"], ["fast gamma_sign"]]


def test_every_kernel_of_the_phases_is_exported():
    exported = {tuple(kernels) for row in FAST.kernels for kernels in names(row, FLOAT)}
    assert {name for kernels in exported for name in kernels} >= {
        f"{k.phase} {k.name}" for r in PHASES.values() for k in r.single
    }


@pytest.fixture
def further(monkeypatch):
    """Add a third phase with one kernel, which is an accurate one under another name."""
    phase = dataclasses.replace(ACCURATE, name="further", families={"roots": ("cbrt",)})
    for module in ("further", "further.roots"):
        accurate = importlib.import_module(f"clmath.kernels.{module.replace('further', 'accurate')}")
        monkeypatch.setitem(sys.modules, f"clmath.kernels.{module}", accurate)
    phases = {**PHASES, phase.name: phase}
    monkeypatch.setattr(climb, "PHASES", phases)
    monkeypatch.setattr("clmath.kernels.phases.PHASES", phases)


@pytest.mark.slow
@pytest.mark.usefixtures("further")
def test_further_phase_is_evaluated_last(cc, tmp_path):
    """It gives the same bits for elements that the first phases are forced to leave undecided."""
    assert names("cbrt", FLOAT) == [["fast cbrt", "accurate cbrt", "further cbrt"]]
    for name, text in files(request_of("test", "cbrt", "float,double", "c")).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    source = (tmp_path / "clmath_cbrt.c").read_text()
    assert source.count("clmath_cbrt_further_cbrt_find(x0, ") == 2
    always = source.replace("if (*low == *high) return true;", "").replace("if (again[j] &&", "if (")
    assert always != source
    (tmp_path / "clmath_cbrt.c").write_text(always)
    options = ("-std=c11", "-O1", *bench.WARNINGS, "-shared", "-fPIC", "-o", "cbrt.so", "clmath_cbrt.c", "-lm")
    done = bench.run(*cc, *options, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    library = ctypes.CDLL(str(tmp_path / "cbrt.so"))
    for function in bench.functions("cbrt", "float,double"):
        columns = bench.arguments(function)
        for mode in MODES:
            (found,), undecided, _ = bench.on_arrays(library, function, mode, columns)
            (expected,) = bench.truth(function, mode, columns)
            assert not np.setdiff1d(np.flatnonzero(found != expected), undecided).size
            assert undecided.size < columns[0].size / 10
