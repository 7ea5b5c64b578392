"""Extras: the test kit needs only Hypothesis and pytest."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

EXTRAS = tomllib.loads((Path(__file__).resolve().parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "optional-dependencies"
]


def packages(extra):
    return {re.match(r"[\w.-]+(\[[\w,]+\])?", line)[0] for line in EXTRAS[extra]}


# makes packages of other extras look as if not installed
BLOCKED = """
import sys

for name in ("pandas", "xarray", "dask", "distributed", "ml_dtypes", "pyopencl", "jsonschema", "hatchling"):
    sys.modules[name] = None
"""
KIT = """
import clmath
import numpy as np
from clmath.testing import assert_conforms, assert_correctly_rounded, assert_ulp, conformance_test, strategies
from hypothesis import given

test_one = conformance_test(np.sqrt, "sqrt", types=["double", "float3"], correctly_rounded=True)
test_store = conformance_test(clmath.vstore_half_rtn, "vstore_half_rtn", types=["float"])

@given(strategies.arguments("hypot", "float"))
def test_arguments(args):
    assert_conforms(clmath.hypot(*args), "hypot", args)
    assert_correctly_rounded(clmath.hypot(*args), "hypot", args)

def test_fixtures(ulp, clmath_rng):
    x = clmath_rng.uniform(0, 1, 10)
    ulp(np.sqrt(x), "sqrt", (x,), limit=0.5)
    assert_ulp(np.sqrt(x), "sqrt", (x,), limit=0.5)

def test_library(conformance):
    conformance(getattr(clmath, conformance.name))
"""


@pytest.mark.slow
def test_kit_works_with_the_packages_of_its_extra(tmp_path):
    (tmp_path / "conftest.py").write_text(BLOCKED)
    (tmp_path / "test_kit.py").write_text(KIT)
    options = ["-p", "no:xdist", "-p", "no:cacheprovider", "--clmath-functions=sign", "--clmath-types=float"]
    command = [sys.executable, "-m", "pytest", "-q", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert "5 passed" in done.stdout, done.stdout + done.stderr


def test_extra_of_the_kit_has_only_hypothesis_and_pytest():
    assert packages("test") == {"hypothesis", "pytest"}
