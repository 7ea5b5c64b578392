"""The libraries of this installation, one for each level that the processor has, and the build hook."""

import importlib.util
import os
import shutil
from pathlib import Path

import pytest

from clmath.engines import choice
from clmath.engines.native import Native, sources
from clmath.engines.native.library import LEVELS, libraries, machine

ROOT = Path(__file__).resolve().parents[3]
NEEDED = "CLMATH_TEST_NEEDS_NATIVE"  # where kernels that are not compiled are a failure; "all": of any level


@pytest.fixture(scope="session")
def natives():
    """An engine for each processor level: the installed one, which is the best, and lower ones that are compiled."""
    needed = os.environ.get(NEEDED)
    if choice.NATIVE.library is None:
        (pytest.fail if needed else pytest.skip)(choice.states()["native"])
    found = [Native(library) for library in libraries()]
    if needed == "all":
        known, levels = LEVELS[machine()], [native.library.level for native in found]
        below = set(known[known.index(levels[0]) :]) - set(levels)
        if below:
            pytest.fail(f"{sorted(below)} are not compiled: CLMATH_BUILD_LEVELS=all .venv/bin/pip install -e .")
    return found


@pytest.fixture(scope="session")
def objects(tmp_path_factory):
    """A folder for compiled objects that all workers share, so that each is compiled once."""
    shared = tmp_path_factory.getbasetemp()
    return (shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared) / "objects"


@pytest.fixture
def backend():
    """The module with the build backend and its hook."""
    if not (ROOT / "hatch_build.py").exists() or importlib.util.find_spec("hatchling") is None:
        pytest.skip("needs hatchling, and a tree to build")
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def hook(backend, tmp_path, monkeypatch):
    """The build hook of a tree, its warnings, and the place of libraries of kernels in the tree."""
    made = backend.BuiltFiles(str(tmp_path), {}, None, None, str(tmp_path), "wheel")
    warned, place = [], tmp_path / "clmath/engines/native/built"
    monkeypatch.setattr(type(made), "app", property(lambda _: type("App", (), {"display_warning": warned.append})))
    records = [f"{package.folder}/library.toml" for package in sources.packages()]
    for name in (*records, "clmath/engines/native/sources.py", "clmath/functions/aliases.py", "clmath/spec/aliases.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return made, warned, place
