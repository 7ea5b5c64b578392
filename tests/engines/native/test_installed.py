"""The library that runs: the best that the processor has, none that is older than its sources; NumPy without."""

import ctypes
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import clmath
from clmath.engines import choice
from clmath.engines.native import Native, build, library, sources
from clmath.engines.native.library import PACKAGE, file_name, installed, machine
from clmath.kernels import ACCURATE

X = np.linspace(-3.0, 3.0, 100)
REMEDY = re.escape("where ziglang, clang or gcc is installed, 'pip install -e .' compiles them in a clone")


@pytest.fixture
def copies(natives, tmp_path, monkeypatch):  # noqa: ARG001 - there is one
    """A folder with copies of this installation's libraries, in a separate tree."""
    paths = list(PACKAGE.built.glob(f"{machine()}_*"))
    monkeypatch.setattr(sources, "ROOT", tmp_path)
    PACKAGE.built.mkdir(parents=True)
    for path in paths:
        (PACKAGE.built / path.name).write_bytes(path.read_bytes())
    return PACKAGE.built


@pytest.fixture
def none(tmp_path, monkeypatch, no_plans):  # noqa: ARG001
    """No library."""
    monkeypatch.setattr(sources, "ROOT", tmp_path)
    monkeypatch.setattr(Native, "library", property(lambda _: installed()))


def test_the_best_level_is_chosen(copies, natives):
    assert installed().level == natives[0].library.level
    (copies / file_name(natives[0].library.level)).unlink()
    assert (installed().level if natives[1:] else installed()) == (natives[1].library.level if natives[1:] else None)


@pytest.mark.usefixtures("copies")
def test_a_level_that_the_processor_lacks_is_not(natives, monkeypatch):
    """Simulate an older processor, which lacks the level of every library except the last."""
    last = natives[-1].library.level
    init = library.Library.__init__

    def older(self, path, level):
        init(self, path, level)
        self.fits = level == last

    monkeypatch.setattr(library.Library, "__init__", older)
    assert installed().level == last


@pytest.mark.slow
@pytest.mark.skipif(not build.compilers(), reason="no C compiler is installed: pip install ziglang")
def test_libraries_fit_the_processors_that_have_their_features(tmp_path):
    """The flags that Linux shows, against the processor's own answers."""
    shown = Path("/proc/cpuinfo")
    lines = shown.read_text(encoding="utf-8").splitlines() if shown.exists() else []
    has = next((set(line.split()) for line in lines if line.startswith("flags")), set())
    if not has:
        pytest.skip("no flags are shown")
    v2 = {"cx16", "popcnt", "pni", "sse4_1", "sse4_2", "ssse3"}
    v3 = v2 | {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"}
    v4 = v3 | {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}
    for level, needed in (("v2", v2), ("v3", v3), ("v4", v4)):
        made = build.library(build.compilers()[0], level, {}, tmp_path, tmp_path / "objects")
        assert bool(ctypes.CDLL(str(made)).clmath_fits()) == (needed <= has), level


@pytest.mark.usefixtures("none")
def test_without_a_library_numpy_serves():
    fact = f"this installation has none for {machine()}: it was built elsewhere, or where no C compiler works; {REMEDY}"
    with pytest.raises(
        clmath.MissingDependencyError,
        match=rf"^sin\(\): engine='native' needs the compiled kernels of clmath, and {fact}$",
    ):
        clmath.sin(X, engine="native")
    assert choice.chosen("sin()", "auto") is choice.PLAIN
    assert "needs the compiled kernels" in choice.states()["native"]
    assert choice.NATIVE not in choice.installed()
    want = clmath.sin(X, engine="numpy")
    assert clmath.sin(X).tobytes() == want.tobytes()
    found = np.empty(100)  # the engine itself, by a call that had chosen it before
    choice.NATIVE.rounded(ACCURATE.kernels["sin"], clmath.numbers.formats.DOUBLE, "rte", [X], [found])
    assert found.tobytes() == want.tobytes()
    assert np.array_equal(
        choice.NATIVE.enclosure(ACCURATE.kernels["sin"], [X]).hi,
        choice.PLAIN.enclosure(ACCURATE.kernels["sin"], [X]).hi,
    )


def test_with_a_library_it_runs_by_itself(natives):
    assert choice.chosen("sin()", "auto") is choice.NATIVE
    assert choice.states()["native"] == f"runs by itself; compiled for {natives[0].library.level} of {machine()}"


def test_engines_reports_which_one_runs(monkeypatch):
    """``clmath.engines`` stays a package; called, it reports the engine that runs and how to get others."""
    assert clmath.engines() == choice.states()
    assert clmath.engines.choice is choice
    monkeypatch.setattr(Native, "library", None)
    assert clmath.engines()["numpy"] == "runs by itself"


def test_a_file_that_cannot_be_loaded_is_passed_over(copies):
    for path in copies.iterdir():
        path.write_text("not a library")
    assert installed() is None
    for path in copies.iterdir():
        path.unlink()
    assert installed() is None


class TestChangedSources:
    """Kernels that have changed since they were compiled would give other bits than NumPy's."""

    @pytest.fixture
    def tree(self, copies, tmp_path):
        """A tree of two source files, and libraries that were compiled from them."""
        record = 'text = "clmath.none"\nsources = ["clmath/kernels/*.py"]'
        copies.with_name("library.toml").write_text(record)
        for name in ("sin.py", "cos.py"):
            (tmp_path / "clmath/kernels").mkdir(parents=True, exist_ok=True)
            (tmp_path / "clmath/kernels" / name).write_text(f"def {name}")
        sources.Note.now(PACKAGE, "best", "").write(copies)
        return tmp_path

    def test_sources_that_changed_or_are_gone_or_were_written_again(self, tree):
        path = tree / "clmath/kernels/sin.py"
        assert installed() is not None
        text = path.read_text()
        path.write_text(text)
        assert installed() is not None
        path.write_text(text.upper())
        assert installed() is None
        assert "have changed since" in str(library.absent("sin()"))
        path.unlink()
        assert installed() is None

    def test_a_wheel_has_no_sources_to_compare(self, tree, copies):
        (copies / "sources").unlink()
        (tree / "clmath/kernels/sin.py").unlink()
        assert installed() is not None


@pytest.mark.usefixtures("natives")
def test_loading_imports_little():
    """Modules that take longer to import than the library to load."""
    code = (
        "import sys, numpy as np, clmath; clmath.sin(np.zeros(9), engine='numpy'); before = set(sys.modules)\n"
        "clmath.sin(np.zeros(9), engine='native'); print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {
        "clmath.engines.native.library",
        "clmath.engines.native.sources",
        "hashlib",  # where files have been written again since
        "_hashlib",
        "_blake2",
    }
