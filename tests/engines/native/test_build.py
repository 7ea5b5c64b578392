"""Built libraries: identical bytes each time, only our symbols, identical results with any compiler."""

import ctypes
import os
import shutil
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

from clmath.engines import choice
from clmath.engines.native import Native, build, text
from clmath.engines.native.library import LEVELS, PACKAGE, Library, file_name, machine
from clmath.numbers.formats import DOUBLE as DOUBLE_FORMAT
from clmath.numbers.rounding import MODES
from tests.engines import compared
from tests.engines.native.driven import EXPORTED, FEW, WHOLE, build_few
from tests.engines.native.facts import facts_of

COMPILERS = build.compilers()
AGAIN = "fast_", "fits_"  # objects that are compiled twice
pytestmark = [
    pytest.mark.skipif(not COMPILERS, reason="no C compiler is installed: pip install ziglang"),
]


@pytest.fixture(scope="module")
def texts():
    return text.texts(FEW)


def built(using, texts, objects, level=None):
    return build.library(
        using, level or LEVELS[machine()][-1], texts, objects.with_name(f"libraries_{os.getpid()}"), objects
    )


def named(using):
    return Path(using.command[0]).name


@pytest.mark.slow
@pytest.mark.parametrize("using", COMPILERS, ids=named)
def test_two_builds_give_the_same_bytes(using, texts, objects, tmp_path):
    """The second one compiles the smallest files again; the others take longest."""
    first = built(using, texts, objects).read_bytes()
    (tmp_path / "objects").mkdir()
    made = sorted(objects.glob("*.o"))
    others = [path for path in made if not path.name.startswith(AGAIN)]
    assert 0 < len(others) < len(made)
    for path in others:
        shutil.copy(path, tmp_path / "objects")
    assert built(using, texts, tmp_path / "objects").read_bytes() == first
    assert {path.name for path in made} >= {path.name for path in (tmp_path / "objects").glob("*.o")}


@pytest.mark.slow
def test_the_text_is_the_same_each_time(texts):
    assert text.texts(FEW) == texts


@pytest.mark.slow
@pytest.mark.parametrize("using", COMPILERS, ids=named)
def test_nothing_that_is_compiled_is_compiled_again(using, texts, objects, monkeypatch):
    first = built(using, texts, objects).read_bytes()
    commands, output = [], build._output
    monkeypatch.setattr(build, "_output", lambda command, *where: commands.append(command) or output(command, *where))
    assert built(using, texts, objects).read_bytes() == first
    assert sum("-c" in command for command in commands) == 0
    changed = texts | {"fast_exp.c": texts["fast_exp.c"] + "\n/* changed */\n"}
    built(using, changed, objects)
    assert sum("-c" in command for command in commands) == 1


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads ELF")
@pytest.mark.parametrize("using", COMPILERS, ids=named)
def test_no_symbol_but_ours_is_exported_or_needed(using, texts, objects):
    found = facts_of(built(using, texts, objects).read_bytes())
    assert found.exported == EXPORTED
    assert not found.libraries
    assert not {name for name in found.needed if not name.startswith(("_ITM_", "__gmon_start__", "__cxa_finalize"))}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads ELF")
def test_the_installed_library_exports_nothing_else(natives):
    for engine in natives:
        path = PACKAGE.built / file_name(engine.library.level)
        assert facts_of(path.read_bytes()) == ("ELF", machine(), EXPORTED | WHOLE, set(), set())
        assert len(zlib.compress(path.read_bytes())) < 2_400_000  # three of them in a wheel of at most 8 MB


@pytest.mark.slow
@pytest.mark.usefixtures("narrowing_however_few")
@pytest.mark.parametrize("using", COMPILERS, ids=named)
def test_every_compiler_gives_the_same_bits(using, texts, objects):
    """At the level without fused products, reordering by a single compiler would show.

    The installed library has the bits of the first compiler at the best level, too.
    """
    bits_agree(using, texts, objects, LEVELS[machine()][-1:])


@pytest.mark.exhaustive
@pytest.mark.usefixtures("narrowing_however_few")
@pytest.mark.parametrize("using", COMPILERS, ids=named)
def test_every_compiler_gives_the_same_bits_at_the_best_level(using, texts, objects):
    """Contraction by a single compiler would show."""
    bits_agree(using, texts, objects, LEVELS[machine()][:1])


def bits_agree(using, texts, objects, levels):
    engines = [Native(Library(built(using, texts, objects, level), level)) for level in levels]
    if not any(engine.library.fits for engine in engines):
        pytest.skip("this processor is older")
    for kernel in FEW[1:]:
        args = compared.arguments(kernel, DOUBLE_FORMAT, 2000)
        for elements in compared.by_ways(kernel, args):
            taken = [a[elements] for a in args]
            for engine in (one for one in engines if one.library.fits):
                compared.check_enclosures(engine, kernel, taken)
                for mode in MODES:
                    want, found = np.empty(taken[0].size), np.empty(taken[0].size)
                    with np.errstate(all="ignore"):
                        undecided = choice.PLAIN.rounded(kernel, DOUBLE_FORMAT, mode, taken, [want])
                        left = engine.rounded(kernel, DOUBLE_FORMAT, mode, taken, [found])
                    assert want.tobytes() == found.tobytes(), (engine.library.level, kernel.name, mode)
                    assert np.array_equal(left, undecided)


@pytest.mark.slow
def test_a_failing_compiler_is_reported(texts, objects, tmp_path):
    with pytest.raises(build.BuildError, match="no-such-compiler does not run"):
        built(build.Compiler(("no-such-compiler",)), texts, tmp_path / "objects")
    broken = texts | {"library.c": "#error this is broken\n"}
    with pytest.raises(build.BuildError, match="this is broken"):
        built(COMPILERS[0], broken, objects)


def fresh_data():
    return {"force_include": {}, "pure_python": True, "tag": None}


@pytest.mark.slow
@pytest.mark.parametrize("version", ["standard", "editable"])
def test_without_a_compiler_nothing_is_built_and_nothing_fails(hook, version, monkeypatch):
    made, warned, place = hook
    build_few(monkeypatch)
    for found in ([], [build.Compiler(("false",)), build.Compiler(("no-such-compiler",))]):
        monkeypatch.setattr(build, "compilers", lambda _platform, found=found: found)
        data = fresh_data()
        made.initialize(version, data)
        assert data == fresh_data()
        assert not place.exists()
    assert all("kernels are not compiled, and NumPy runs them: no C compiler works" in line for line in warned)
    assert len(warned) == 2


@pytest.mark.slow
def test_the_next_compiler_is_tried(hook, objects, monkeypatch):
    made, warned, place = hook
    monkeypatch.setenv("CLMATH_BUILD_CACHE", str(objects))
    build_few(monkeypatch)
    monkeypatch.setattr(build, "compilers", lambda _platform: [build.Compiler(("no-such-compiler",)), COMPILERS[0]])
    made.initialize("editable", fresh_data())
    assert not warned
    (found,) = {path.name for path in place.iterdir()} - {"sources"}
    assert found in {file_name(level) for level in LEVELS[machine()]}
    assert bool(ctypes.CDLL(str(place / found)).clmath_fits())


@pytest.mark.slow
@pytest.mark.parametrize("levels", ["all", LEVELS[machine()][-1], ",".join(LEVELS[machine()])])
def test_requested_levels_are_compiled(levels, hook, objects, monkeypatch):
    made, warned, place = hook
    monkeypatch.setenv("CLMATH_BUILD_CACHE", str(objects))
    monkeypatch.setenv("CLMATH_BUILD_LEVELS", levels)
    build_few(monkeypatch)
    place.mkdir(exist_ok=True)
    (place / file_name("v9")).touch()  # of another build: none stays that may be of other kernels
    made.initialize("editable", fresh_data())
    assert not warned
    wanted = LEVELS[machine()] if levels == "all" else levels.split(",")
    assert {path.name for path in place.iterdir()} == {"sources", *map(file_name, wanted)}


@pytest.mark.slow
def test_a_level_that_there_is_not(hook, objects, monkeypatch):
    made, warned, _ = hook
    monkeypatch.setenv("CLMATH_BUILD_CACHE", str(objects))
    build_few(monkeypatch)
    monkeypatch.setenv("CLMATH_BUILD_LEVELS", "v4,v17")
    made.initialize("editable", fresh_data())
    assert "CLMATH_BUILD_LEVELS is 'v4,v17': say best, all, or some of " in warned[0]


@pytest.mark.slow
def test_a_library_that_cannot_be_replaced_fails_nothing(hook, tmp_path, monkeypatch):
    """As on Windows, where a process has loaded it."""
    made, warned, place = hook
    monkeypatch.setattr(build, "build", lambda *_, **__: [tmp_path / "none.dll"])
    monkeypatch.setenv("CLMATH_BUILD_PLATFORM", "macos-arm64")  # a clone is for this machine
    made.initialize("editable", fresh_data())
    assert len(warned) == 1
    assert "none.dll" in warned[0]
    assert not list(place.glob("*"))


@pytest.mark.slow
def test_a_wheel_is_one_for_every_python(hook, objects, monkeypatch):
    made, warned, place = hook
    monkeypatch.setenv("CLMATH_BUILD_CACHE", str(objects))
    build_few(monkeypatch)
    data = fresh_data()
    made.initialize("standard", data)
    assert not warned
    assert not place.exists()
    assert not data["pure_python"]
    assert data["tag"].startswith("py3-none-")
    assert "any" not in data["tag"]
    places = data["force_include"].items()
    assert len(places) == 2 * len(LEVELS[machine()])
    assert all(Path(source).name == Path(target).name for source, target in places)
    assert {str(Path(target).parent) for _, target in places} == {
        "clmath/engines/native/built",
        "clmath/audit/screens/built",
    }


@pytest.mark.slow
def test_an_option_that_an_older_compiler_does_not_know(tmp_path):
    """Gcc before 9.4, which never calls functions for atomics, refuses aarch64's option, and so does gcc for x86."""
    script = tmp_path / "gcc"
    script.write_text('#!/bin/sh\ncase "$*" in *outline*) exit 1 ;; esac\n')
    script.chmod(0o755)
    aarch64 = build.Platform("aarch64", "linux")
    option = "-mno-outline-atomics"
    assert option not in build.Compiler((str(script),), platform=aarch64).options("v8")
    assert option in build.Compiler(("true",), platform=aarch64).options("v8")
    assert option in build.Compiler(("never asked",), is_zig=True, platform=aarch64).options("v8")
