"""The committed coefficient tables equal the output of the committed generators, bit for bit."""

import shutil
import subprocess
import sys

import pytest

from clmath.spec import files

FOLDER = files.path("kernels")
SCRIPTS = sorted(str(p.relative_to(FOLDER).with_suffix("")) for p in FOLDER.glob("*/*.toml"))


@pytest.mark.exhaustive
@pytest.mark.timeout(600)
@pytest.mark.parametrize("script", SCRIPTS)
def test_the_generator_reproduces_its_table(script, tmp_path):
    scripts = shutil.ignore_patterns("*.toml", "__pycache__")
    shutil.copytree(FOLDER, tmp_path / "kernels", ignore=scripts)
    subprocess.run([sys.executable, "-m", f"kernels.{script.replace('/', '.')}"], cwd=tmp_path, check=True)
    written = (tmp_path / "kernels" / f"{script}.toml").read_text(encoding="utf-8")
    assert written == (FOLDER / f"{script}.toml").read_text(encoding="utf-8")
