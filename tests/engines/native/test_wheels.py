"""The wheels of every platform, made on one machine: tags, and libraries that need nothing of the system."""

import functools
import importlib.util
import os
import zipfile
from pathlib import Path

import pytest

from clmath.engines.native import build
from clmath.engines.native.build import PLATFORMS
from clmath.kernels import DOUBLE, QUICK
from tests.engines.native.driven import EXPORTED, WHOLE, build_few

ROOT = Path(__file__).resolve().parents[3]
GIVEN = os.environ.get("CLMATH_TEST_WHEELS", "")  # a folder with wheels of all kernels, as .ci/wheels makes them
FEW = [QUICK.kernels["exp"], DOUBLE.kernels["pown"]]
OF_MACOS = {"__dso_handle", "_mh_dylib_header"}, {"dyld_stub_binder"}, {"/usr/lib/libSystem.B.dylib"}  # in every one
TAGS = {
    "linux-x86_64": {"manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"},
    "linux-aarch64": {"manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"},
    "windows-x86_64": {"win_amd64"},
    "macos-arm64": {"macosx_11_0_arm64"},
}
LIBRARIES = {
    "linux-x86_64": {"x86_64_v4.so", "x86_64_v3.so", "x86_64_v2.so"},
    "linux-aarch64": {"aarch64_v8.so"},
    "windows-x86_64": {"x86_64_v4.dll", "x86_64_v3.dll", "x86_64_v2.dll"},
    "macos-arm64": {"aarch64_v8.dylib"},
}
KINDS = {"linux": "ELF", "windows": "PE", "macos": "Mach-O"}
has_zig = any(using.is_zig for using in build.compilers())
pytestmark = [
    pytest.mark.skipif(not has_zig, reason="ziglang is not installed"),
    pytest.mark.skipif(not importlib.util.find_spec("hatchling"), reason="hatchling is not installed"),
    pytest.mark.skipif(not (ROOT / "hatch_build.py").exists(), reason="no tree to build"),
]


def everywhere(test):
    return pytest.mark.parametrize("name", PLATFORMS)(test)


def made(name, folder, patch):
    """The wheel of a platform, of few kernels, of which nothing was compiled before."""
    from hatchling.builders.wheel import WheelBuilder

    build_few(patch, FEW)
    patch.setenv("CLMATH_BUILD_PLATFORM", name)
    patch.setenv("CLMATH_BUILD_CACHE", str(folder / "objects"))
    return Path(*WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"]))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel of a platform, made once."""

    @functools.cache
    def of(name):
        if GIVEN:
            return Path(*Path(GIVEN).glob(f"*-{PLATFORMS[name].tag}.whl"))
        with pytest.MonkeyPatch.context() as patch:
            return made(name, tmp_path_factory.mktemp(name), patch)

    return of


def libraries(path):
    """Their contents by name."""
    with zipfile.ZipFile(path) as archive:
        return {name.rpartition("/")[2]: archive.read(name) for name in archive.namelist() if "/built/" in name}


def test_the_platforms():
    assert set(PLATFORMS) == set(TAGS)


@everywhere
def test_the_tag_is_of_the_platform_and_of_every_python(wheel, name):
    metadata = "clmath-0.1.0.dist-info/WHEEL"
    with zipfile.ZipFile(wheel(name)) as archive:
        lines = archive.read(metadata).decode().splitlines()
    tags = {f"Tag: py3-none-{tag}" for tag in TAGS[name]}
    assert {line for line in lines if line.startswith("Tag")} == tags
    assert "Root-Is-Purelib: false" in lines
    first, python, abi, platforms = wheel(name).stem.rsplit("-", 3)
    assert (first, python, abi, set(platforms.split("."))) == ("clmath-0.1.0", "py3", "none", TAGS[name])


@everywhere
def test_the_libraries_are_for_the_platform(wheel, name, facts_of):
    system, machine = name.split("-")
    found = libraries(wheel(name))
    assert set(found) == LIBRARIES[name]
    for data in found.values():
        facts = facts_of(data)
        assert (facts.kind, facts.machine) == (KINDS[system], machine.replace("arm64", "aarch64"))


@everywhere
def test_nothing_is_exported_but_ours_and_nothing_needed(wheel, name, facts_of):
    """No function of C's library, thus no version of it; of what sets macOS up, which every library there names."""
    linker, needed, loaded = OF_MACOS if name == "macos-arm64" else (set(), set(), set())
    for data in libraries(wheel(name)).values():
        facts = facts_of(data)
        assert facts.exported == EXPORTED | WHOLE | linker
        assert facts.needed == needed
        assert facts.libraries == loaded


@everywhere
def test_the_size(wheel, name):
    assert wheel(name).stat().st_size < 15_000_000


@everywhere
def test_two_builds_give_the_same_bytes(wheel, name, tmp_path, monkeypatch):
    if GIVEN:
        pytest.skip("the wheels have all kernels: a second build takes minutes")
    again = made(name, tmp_path, monkeypatch)
    with zipfile.ZipFile(again) as one, zipfile.ZipFile(wheel(name)) as other:
        assert [file for file in one.namelist() if one.read(file) != other.read(file)] == []
    assert again.read_bytes() == wheel(name).read_bytes()


def test_a_platform_that_cannot_be_built_for_gets_no_wheel(tmp_path, monkeypatch):
    """Rather than one that has no libraries, which is what a machine without a compiler gets."""
    with pytest.raises(KeyError, match="amiga"):
        made("amiga", tmp_path, monkeypatch)
    monkeypatch.setattr(build, "compilers", lambda _platform: [])
    with pytest.raises(build.BuildError, match="no C compiler works"):
        made("macos-arm64", tmp_path, monkeypatch)
