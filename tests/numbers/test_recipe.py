"""A format is added to a copy of the package by the steps of docs/guide/extending.md."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import clmath
from clmath.numbers import formats

ROOT = Path(formats.__file__).resolve().parents[2]
ROW = (
    'FLOAT8_E5M2 = Format(\n    "float8_e5m2", "ml_dtypes.float8_e5m2", precision=3, emin=-14, emax=15,'
    ' quiet_nan=0x7E, extra="bfloat16"\n)\n'
)
USED = """
import ml_dtypes, numpy as np
import clmath
from clmath import reference
from clmath.numbers.formats import FLOAT8_E5M2 as FORM, format_named
from clmath.numbers.rounding import MODES, round_enclosure

every = FORM.from_bits(np.arange(256, dtype=np.uint8))
finite = np.isfinite(every)
for name in ("sin", "exp", "log", "rsqrt"):
    exact, = reference.enclose(name, (every,), FORM, "mpmath")
    for mode in MODES:
        got, want = getattr(clmath, name)(every, rounding=mode), round_enclosure(exact, FORM, mode)[0]
        nan = np.isnan(want)
        assert got.dtype == ml_dtypes.float8_e5m2
        assert (FORM.bits(got)[~nan] == FORM.bits(want)[~nan]).all(), (name, mode)
        assert (FORM.bits(got)[nan] == FORM.quiet_nan).all(), (name, mode)
assert (clmath.convert(clmath.convert(every, "double"), "float8_e5m2")[finite] == every[finite]).all()
assert float(clmath.convert(1.2, "float8_e5m2", rounding="rtp")) == 1.25
assert float(clmath.logb(every[2])) == -16.0  # -15 lies half way between two numbers of the format
print("as told")
"""


def edited(path, before, after):
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def test_a_row_and_a_field(tmp_path):
    pytest.importorskip("ml_dtypes")
    for folder in ("clmath", "tables"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    edited(
        tmp_path / "clmath/numbers/formats.py",
        "KNOWN = (*FORMATS, BFLOAT16)",
        f"{ROW}KNOWN = (*FORMATS, BFLOAT16, FLOAT8_E5M2)",
    )
    edited(tmp_path / "tables/builtins.toml", 'computed = ["bfloat16"]', 'computed = ["bfloat16", "float8_e5m2"]')
    env = dict(os.environ, PYTHONPATH=str(tmp_path))
    found = subprocess.run(
        [sys.executable, "-c", USED], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert found.stdout == "as told\n", found.stderr


def test_a_numpy_dtype_that_is_not_a_format_is_refused():
    with pytest.raises(TypeError, match=r"sin\(\): x has dtype (longdouble|float128|float96)"):
        clmath.sin(np.ones(2, np.longdouble))
