"""Kernels that decide a value: of every rung that there is, each followed by the one that narrows it."""

import ctypes
import dataclasses
import importlib
import sys

import numpy as np
import pytest

from clmath.export import climb, files, request_of
from clmath.kernels import DOUBLE, QUICK, RUNGS
from clmath.numbers.formats import FORMATS
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import builtin
from tests.export import bench

HALF, FLOAT, DOUBLES = FORMATS


def names(row, form):
    return [
        [f"{kernel.rung} {kernel.name}" for kernel in (result.kernel, *climb.further(result))]
        for result in climb.results(builtin(row), form)
    ]


def test_rungs_in_their_order():
    assert names("sin", FLOAT) == [["quick sin", "double sin"]]
    assert names("sin", DOUBLES) == [["double sin"]]
    assert names("sincos", HALF) == [
        ["quick sincos", "quick sin", "double sin"],
        ["quick sincos", "quick cos", "double cos"],
    ]
    assert names("sincos", DOUBLES) == [["double sincos", "double sin"], ["double sincos", "double cos"]]
    assert names("lgamma_r", FLOAT) == [["quick lgamma", "double lgamma"], ["quick gamma_sign"]]


def test_every_kernel_of_the_rungs_is_exported():
    told = {tuple(kernels) for row in QUICK.kernels for kernels in names(row, FLOAT)}
    assert {name for kernels in told for name in kernels} >= {
        f"{k.rung} {k.name}" for r in RUNGS.values() for k in r.single
    }


@pytest.fixture
def further(monkeypatch):
    """A third rung, whose one kernel is that of double under another name."""
    rung = dataclasses.replace(DOUBLE, name="further", families={"roots": ("cbrt",)})
    for module in ("further", "further.roots"):
        double = importlib.import_module(f"clmath.kernels.{module.replace('further', 'double')}")
        monkeypatch.setitem(sys.modules, f"clmath.kernels.{module}", double)
    rungs = {**RUNGS, rung.name: rung}
    monkeypatch.setattr(climb, "RUNGS", rungs)
    monkeypatch.setattr("clmath.kernels.rungs.RUNGS", rungs)


@pytest.mark.slow
@pytest.mark.usefixtures("further")
def test_a_further_rung_is_asked_last(cc, tmp_path):
    """And gives the same bits, of what the others are told to leave open as well."""
    assert names("cbrt", FLOAT) == [["quick cbrt", "double cbrt", "further cbrt"]]
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
