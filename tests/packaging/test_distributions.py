"""Distributions: clmath runs from a wheel, an unpacked sdist, an editable install and a checkout, with its tables."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import pytest

from clmath.engines import choice
from clmath.engines.native.build import compilers
from clmath.engines.native.library import LEVELS, PACKAGE, file_name, machine
from clmath.engines.native.sources import packages

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
ROOT = Path(__file__).resolve().parents[2]
CHECK = """
import pathlib, clmath
from clmath.spec import builtins, files
print(pathlib.Path(clmath.__file__).resolve().parent)
print(files.path("builtins.toml").resolve().parent)
print(len(builtins.builtins()), float(clmath.sin(1.0)).hex(), float(clmath.add(1.0, 2.0)))
"""
ENGINES = "import clmath, numpy as np; print(clmath.engines()['native'], clmath.sin(np.ones(3))[1].hex(), sep='; ')"
LEVELS_HERE = [level for level in LEVELS.get(machine(), ()) if (PACKAGE.built / file_name(level)).exists()]
COMPILED = {  # reuse this clone's cache of compiled objects, and compile the same levels
    "CLMATH_BUILD_CACHE": str(ROOT / "build/native/objects"),
    "CLMATH_BUILD_LEVELS": ",".join(LEVELS_HERE) or "best",
}
COMPILERS = compilers()
NEEDS_COMPILER = pytest.mark.skipif(not COMPILERS, reason="no C compiler is installed: pip install ziglang")
TABLES = sorted(p.relative_to(ROOT).as_posix() for p in (ROOT / "tables").rglob("*.toml"))


@dataclass(frozen=True)
class Environment:
    """Virtual environment without clmath that shares the dependencies of the current one."""

    path: Path

    @property
    def scripts(self) -> Path:
        return self.path / ("Scripts" if os.name == "nt" else "bin")

    @property
    def python(self) -> Path:
        return self.scripts / "python"

    def install(self, *what: str, **variables: str) -> None:
        command = [sys.executable, "-m", "pip", "--python", self.python, "install", "--no-deps", "--no-index", *what]
        run(command, **variables)


def run(command, *, cwd=None, **variables) -> str:
    """Run a command and return its output; fail with all of its output if it fails."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PIP_"))} | variables
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, cwd=cwd, env=environment, check=False
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def new_environment(path: Path) -> Environment:
    made, site = empty_environment(path)
    borrowed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    Path(site, "borrowed.pth").write_text("\n".join(sorted(borrowed)))
    return made


def empty_environment(path: Path) -> tuple[Environment, str]:
    """Return an environment without any packages, and its folder of packages."""
    if importlib.util.find_spec("pip") is None:
        pytest.skip("pip is not installed")
    venv.create(path, with_pip=False, symlinks=os.name != "nt")
    made = Environment(path)
    return made, run([made.python, "-c", SITE]).strip()


def files_needed(name: str) -> set[Path]:
    """Return the files and folders of the packages that ``name`` depends on, directly or not."""
    found = set()
    for line in metadata.requires(name) or ():
        other = re.match(r"[\w.-]+", line)[0]
        if "extra ==" not in line:
            place = metadata.distribution(other)
            parts = {file.parts[0] for file in place.files} - {".."}
            found |= {Path(place.locate_file(part)) for part in parts} | files_needed(other)
    return found


SITE = "import sysconfig; print(sysconfig.get_path('purelib'))"


@pytest.fixture(scope="session")
def distributions(tmp_path_factory):
    """Folder with a freshly built sdist, and the wheel that was built from it."""
    if importlib.util.find_spec("build") is None:
        pytest.skip("build is not installed")
    folder = tmp_path_factory.mktemp("dist")
    isolation = [] if importlib.util.find_spec("hatchling") is None else ["--no-isolation"]
    command = [sys.executable, "-m", "build", *isolation, "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | COMPILED)
    if done.returncode and not isolation:
        pytest.skip("hatchling is not installed and cannot be fetched")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="session")
def wheel(distributions):
    (found,) = distributions.glob("*.whl")
    return found


@pytest.fixture(scope="session")
def sdist(distributions):
    (found,) = distributions.glob("*.tar.gz")
    return found


@pytest.fixture(scope="session")
def bare(wheel, tmp_path_factory):
    """Environment with only the wheel and its dependencies."""
    made, site = empty_environment(tmp_path_factory.mktemp("bare") / "venv")
    for path in files_needed("clmath"):
        Path(site, path.name).symlink_to(path)
    made.install(str(wheel))
    return made


def check(output: str, package: Path, tables: Path) -> None:
    where, found, values = output.splitlines()
    assert Path(where) == package.resolve()
    assert Path(found) == tables.resolve()
    count, sine, total = values.split()
    assert int(count) > 100
    assert sine == "0x1.aed548f090ceep-1"
    assert float(total) == 3.0


def test_wheel_has_every_table_and_no_files_of_developers(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {f"clmath/{t}" for t in TABLES} <= set(names)
    assert {"clmath/py.typed", "clmath/functions/aliases.pyi"} <= set(names)
    assert {n.split("/")[0] for n in names if ".dist-info" not in n} == {"clmath"}
    assert any(n.endswith("licenses/LICENSE") for n in names)


def test_sdist_has_the_files_needed_for_its_tests(sdist):
    with tarfile.open(sdist) as archive:
        names = {n.partition("/")[2] for n in archive.getnames()}
    assert set(TABLES) <= names
    assert {"pyproject.toml", "README.md", "LICENSE", "conftest.py", "clmath/__init__.py"} <= names
    assert "tests/packaging/test_distributions.py" in names
    assert "hatch_build.py" in names
    assert not [n for n in names if "/built/" in n]
    assert "benchmarks/atlas/README.md" in names
    assert {"docs/tutorials/device.md", "website/links.py", "mkdocs.yml", "CITATION.cff"} <= names


@NEEDS_COMPILER
def test_wheel_has_the_compiled_libraries_of_its_platform(wheel):
    libraries = {f"{package.folder}/built/{file_name(level)}" for package in packages() for level in LEVELS_HERE}
    with zipfile.ZipFile(wheel) as archive:
        assert libraries == {n for n in archive.namelist() if "/built/" in n}
        assert "Root-Is-Purelib: false" in archive.read("clmath-0.1.0.dist-info/WHEEL").decode()
    assert wheel.name == f"clmath-0.1.0-py3-none-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}.whl"
    assert wheel.stat().st_size < 15_000_000


EXACT = """
import importlib.util, sys
import numpy as np
import clmath
from clmath.audit.screens.loop import screens

assert screens() is not None
assert not any(map(importlib.util.find_spec, ("ziglang", "pytest", "hatchling", "pip")))
x = np.array([0.5, 1e22, -745.0])
for name in ("exp", "sin", "lgamma", "tgamma"):
    for mode in ("rte", "rtz", "rtp", "rtn"):
        call = getattr(clmath, name)
        arrays = [call(x, rounding=mode, engine=engine).tobytes() for engine in ("auto", "native", "numpy")]
        numbers = np.array([call(one, rounding=mode) for one in x.tolist()]).tobytes()  # some by the reference
        assert {*arrays} == {numbers}, (name, mode)
"""


@NEEDS_COMPILER
def test_wheel_runs_with_only_its_dependencies(bare, tmp_path):
    """The environment lacks compilers, the repository and development packages, like a container."""
    there = {"cwd": tmp_path, "PATH": str(tmp_path)}
    package = Path(run([bare.python, "-c", SITE]).strip()) / "clmath"
    check(run([bare.python, "-c", CHECK], **there), package, package / "tables")
    engines = run([bare.python, "-c", ENGINES], **there)
    assert engines.startswith(
        f"runs by itself; compiled for {choice.NATIVE.library.level if choice.NATIVE.library else 'v'}"
    )
    assert engines.endswith("; 0x1.aed548f090ceep-1\n")
    run([bare.python, "-W", "error", "-c", EXACT], **there)
    assert "0x1.aed548f090ceep-1" in run([bare.scripts / "clmath", "eval", "sin", "1.0", "--type", "double"], **there)
    assert run([bare.python, "-m", "clmath", "list"], **there) == run([bare.scripts / "clmath", "list"], **there)


@pytest.fixture(scope="session")
def pure_wheel(sdist, tmp_path_factory):
    """Wheel that was built without a compiler."""
    folder = tmp_path_factory.mktemp("pure")
    (folder / "sitecustomize.py").write_text("import sys\nsys.modules['ziglang'] = None\n")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", folder, *folder.glob("clmath-*")]
    run(command, PYTHONPATH=str(folder), PATH=str(folder))
    (found,) = folder.glob("*.whl")
    return found


@NEEDS_COMPILER
def test_remedy_for_a_clone_installed_without_a_compiler_works(sdist, tmp_path):
    """The remedy in the message is to install a compiler, and clmath again."""
    if not all(map(importlib.util.find_spec, ("hatchling", "editables"))):
        pytest.skip("hatchling or editables is not installed")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (tree,) = tmp_path.glob("clmath-*")
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['ziglang'] = None\n")
    made = new_environment(tmp_path / "venv")
    install = ["--no-build-isolation", "--editable", str(tree)]
    made.install(*install, PYTHONPATH=str(tmp_path), PATH=str(tmp_path))
    engines = run([made.python, "-c", ENGINES], cwd=tmp_path)
    assert "where ziglang, clang or gcc is installed, 'pip install -e .' compiles them in a clone" in engines
    made.install(*install, **COMPILED)
    again = run([made.python, "-c", ENGINES], cwd=tmp_path)
    assert again.startswith("runs by itself; compiled for")
    assert again.endswith(engines.rpartition(";")[2])


def test_wheel_built_without_a_compiler_is_for_all_platforms(pure_wheel, tmp_path):
    assert pure_wheel.name == "clmath-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(pure_wheel) as archive:
        assert not [n for n in archive.namelist() if "/built/" in n]
    made = new_environment(tmp_path / "venv")
    made.install(str(pure_wheel))
    engines = run([made.python, "-c", ENGINES], cwd=tmp_path)
    assert engines.startswith("it needs the compiled kernels of clmath, and this installation has none for")
    assert engines.endswith("; 0x1.aed548f090ceep-1\n")


def test_unpacked_sdist_runs(sdist, tmp_path):
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (tree,) = tmp_path.iterdir()
    output = run([sys.executable, "-c", CHECK], cwd=tmp_path, PYTHONPATH=str(tree))
    check(output, tree / "clmath", tree / "tables")


def test_checkout_runs_without_installation(tmp_path):
    output = run([sys.executable, "-c", CHECK], cwd=tmp_path, PYTHONPATH=str(ROOT))
    check(output, ROOT / "clmath", ROOT / "tables")


def test_editable_install_runs(tmp_path):
    if not all(map(importlib.util.find_spec, ("hatchling", "editables"))):
        pytest.skip("hatchling or editables is not installed")
    made = new_environment(tmp_path / "venv")
    kept = COMPILED if LEVELS_HERE[1:] else {}  # else this clone would lose its other levels
    made.install("--no-build-isolation", "--editable", str(ROOT), **kept)
    if COMPILERS:
        assert run([made.python, "-c", ENGINES], cwd=tmp_path).startswith("runs by itself; compiled for")
    check(run([made.python, "-c", CHECK], cwd=tmp_path), ROOT / "clmath", ROOT / "tables")
    assert "remquo" in run([made.scripts / "clmath", "list"], cwd=tmp_path)
