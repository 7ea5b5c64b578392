"""Installing a clone compiles libraries, and requires a compiler, only if something has to be compiled."""

import os
import platform
import shutil
import subprocess
import sys

import pytest

from clmath.engines.native import build
from clmath.engines.native.library import LEVELS, PACKAGE, file_name, machine
from tests.engines.native.conftest import ROOT

KERNEL = "clmath/kernels/sin.py"
PACKAGES = {"clmath.engines.native", "clmath.audit.screens"}
COMPILING = {"numpy", "ziglang"}


@pytest.fixture
def install(hook, natives, monkeypatch):
    """A function that installs a clone once more and returns the packages compiled, which takes no time here."""
    made, warned, place = hook
    root = place.parents[3]
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", "clmath/__init__.py"):
        shutil.copy(ROOT / name, root / name)
    (root / "tables").mkdir()
    (root / KERNEL).parent.mkdir()
    (root / KERNEL).write_text("x + x**3 / 6")
    for name in ("LEVELS", "PLATFORM", "CACHE"):
        monkeypatch.delenv(f"CLMATH_BUILD_{name}", raising=False)
    monkeypatch.chdir(root)
    compiled = set()
    library = PACKAGE.built / file_name(natives[0].library.level)
    monkeypatch.setattr(build, "build", lambda _, place, *__, **___: compiled.add(place.name) or [library])

    def run():
        compiled.clear()
        made.initialize("editable", {})
        assert not warned
        return {*compiled}

    assert run() == PACKAGES
    return run


@pytest.fixture
def place(hook):
    return hook[2]


def the_library(place):
    (found,) = place.glob(f"{machine()}_*")
    return found


def asked_for(requirements):
    return {line.partition(">")[0] for line in requirements}


def kernel_of(place):
    return place.parents[3] / KERNEL


def levels_before(_place, patch, install):
    with patch.context() as inner:
        inner.setenv("CLMATH_BUILD_LEVELS", LEVELS[machine()][-1])
        assert install()


def half_a_library(place, *_):
    path = the_library(place)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def a_library_of_another_processor(place, *_):
    if not build.compilers():
        pytest.skip("no C compiler is installed: pip install ziglang")
    using, path = build.compilers()[0], the_library(place)
    (place / "none.c").write_text("int clmath_fits(void) { return 0; }")
    path.unlink()
    build._output([*using.command, *using.linking, *using.options(""), "none.c", "-o", path.name], place)


CHANGES = {
    "a source is another": lambda place, *_: kernel_of(place).write_text("x - x**3 / 6"),
    "a source is new": lambda place, *_: kernel_of(place).with_name("cos.py").write_text("1 - x**2 / 2"),
    "a source is gone": lambda place, *_: kernel_of(place).unlink(),
    "other levels": lambda _, patch, __: patch.setenv("CLMATH_BUILD_LEVELS", LEVELS[machine()][-1]),
    "other levels before": levels_before,
    "a platform": lambda _, patch, __: patch.setenv("CLMATH_BUILD_PLATFORM", "linux-x86_64"),
    "another machine": lambda _, patch, __: patch.setattr(platform, "node", lambda: "another"),
    "no library": lambda place, *_: the_library(place).unlink(),
    "no folder": lambda place, *_: shutil.rmtree(place),
    "half a library": half_a_library,
    "a library of another processor": a_library_of_another_processor,
    "a library of another level beside it": lambda place, *_: shutil.copy(the_library(place), place / file_name("v9")),
    "no note": lambda place, *_: (place / "sources").unlink(),
    "a note of another version": lambda place, *_: (place / "sources").write_text("0123456789abcdef\n"),
}


def test_a_tree_that_is_up_to_date_is_not_compiled_again(install, backend):
    assert not COMPILING & asked_for(backend.get_requires_for_build_editable())
    assert not install()


def test_an_edit_of_an_acceptance_rule_leaves_the_kernels(install, place):
    rule = place.parents[3] / "clmath/audit/acceptance/limits.py"
    rule.parent.mkdir()
    rule.write_text("error <= limit")
    assert install() == {"clmath.audit.screens"}
    assert not install()


def test_an_edit_of_a_kernel_of_double_leaves_the_screens(install, place):
    kernel = place.parents[3] / "clmath/kernels/accurate/sin.py"
    kernel.parent.mkdir()
    kernel.write_text("x - x**3 / 6 + x**5 / 120")
    assert install() == {"clmath.engines.native"}
    assert not install()


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_tree_is_compiled_again(change, install, backend, place, monkeypatch):
    CHANGES[change](place, monkeypatch, install)
    assert asked_for(backend.get_requires_for_build_editable()) >= COMPILING
    assert install()


def test_sources_that_were_only_written_again_stay(install, backend, place):
    """And the next process that loads the library need not compare contents."""
    path = place.parents[3] / KERNEL
    os.utime(path, (1, 1))
    assert not COMPILING & asked_for(backend.get_requires_for_build_editable())
    assert not install()
    assert f"{KERNEL} 1000000000 {path.stat().st_size}" in (place / "sources").read_text().splitlines()


@pytest.mark.usefixtures("install")
def test_a_wheel_is_compiled_always(backend):
    assert asked_for(backend.get_requires_for_build_wheel()) >= COMPILING
    assert not COMPILING & asked_for(backend.get_requires_for_build_sdist())


@pytest.mark.usefixtures("install")
def test_to_look_needs_nothing_that_compiles():
    code = "import sys; sys.modules |= dict(numpy=None, ziglang=None); import hatch_build as b; print(*b.{}())"
    command = [sys.executable, "-c", code.format("get_requires_for_build_editable")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "numpy" not in done.stdout
    assert "editables" in done.stdout


def test_the_backend_has_all_hooks_of_hatchling(backend):
    import hatchling.build

    assert [name for name in hatchling.build.__all__ if not hasattr(backend, name)] == []
