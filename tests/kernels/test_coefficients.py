"""The committed coefficient tables are, bit for bit, what the committed generators write."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from clmath.spec import files

FOLDER = files.path("kernels")
GENERATORS = sorted(p.stem for p in FOLDER.glob("*.toml"))


@pytest.mark.parametrize("family", GENERATORS)
def test_the_generator_reproduces_its_table(family, tmp_path):
    for script in FOLDER.glob("*.py"):
        shutil.copy(script, tmp_path)
    subprocess.run([sys.executable, f"{family}.py"], cwd=tmp_path, check=True)
    written = Path(tmp_path / f"{family}.toml").read_text(encoding="utf-8")
    assert written == (FOLDER / f"{family}.toml").read_text(encoding="utf-8")
