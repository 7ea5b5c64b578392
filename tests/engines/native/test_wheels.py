"""The wheels of every platform, built on one machine: tags, and libraries that need no system libraries."""

import importlib.util
import os
import zipfile
from pathlib import Path

import pytest

from clmath.engines.native import build
from clmath.engines.native.build import PLATFORMS
from tests.audit.screens import driven as screens
from tests.engines.native.driven import EXPORTED, WHOLE, build_few
from tests.engines.native.facts import facts_of

ROOT = Path(__file__).resolve().parents[3]
GIVEN = os.environ.get("CLMATH_TEST_WHEELS", "")  # a folder with wheels of all kernels, as .ci/wheels makes them
OF_MACOS = {"__dso_handle", "_mh_dylib_header"}, {"dyld_stub_binder"}, {"/usr/lib/libSystem.B.dylib"}  # in every one
TAGS = {
    "linux-x86_64": {"manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"},
    "linux-aarch64": {"manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"},
    "windows-x86_64": {"win_amd64"},
    "macos-arm64": {"macosx_11_0_arm64"},
}
TIERS = {"linux-x86_64": pytest.mark.slow}  # the others take minutes
LIBRARIES = {
    "linux-x86_64": {"x86_64_v4.so", "x86_64_v3.so", "x86_64_v2.so"},
    "linux-aarch64": {"aarch64_v8.so"},
    "windows-x86_64": {"x86_64_v4.dll", "x86_64_v3.dll", "x86_64_v2.dll"},
    "macos-arm64": {"aarch64_v8.dylib"},
}
EXPORTS = {"clmath/engines/native": EXPORTED | WHOLE, "clmath/audit/screens": screens.EXPORTED}
KINDS = {"linux": "ELF", "windows": "PE", "macos": "Mach-O"}
has_zig = any(using.is_zig for using in build.compilers())
pytestmark = [
    pytest.mark.skipif(not has_zig, reason="ziglang is not installed"),
    pytest.mark.skipif(not importlib.util.find_spec("hatchling"), reason="hatchling is not installed"),
    pytest.mark.skipif(not (ROOT / "hatch_build.py").exists(), reason="no tree to build"),
]


def made(name, folder, objects, patch):
    """The wheel of a platform with few kernels; sources with an object file in ``objects`` are not compiled again."""
    from hatchling.builders.wheel import WheelBuilder

    build_few(patch)
    patch.setenv("CLMATH_BUILD_PLATFORM", name)
    patch.setenv("CLMATH_BUILD_CACHE", str(objects))
    return Path(*WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"]))


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", [pytest.param(n, marks=TIERS.get(n, pytest.mark.exhaustive)) for n in TAGS])
def test_a_wheel_has_the_tags_and_libraries_of_its_platform(name, objects, tmp_path, monkeypatch):
    """The libraries export only our symbols, and need no function of the C library, thus no version of it.

    On macOS they need only the system library that every library there names.
    """
    given = Path(GIVEN).glob(f"*-{PLATFORMS[name].tag}.whl")
    path = Path(*given) if GIVEN else made(name, tmp_path / "1", objects, monkeypatch)
    assert path.stat().st_size < 15_000_000
    first, python, abi, platforms = path.stem.rsplit("-", 3)
    assert (first, python, abi, set(platforms.split("."))) == ("clmath-0.1.0", "py3", "none", TAGS[name])
    with zipfile.ZipFile(path) as archive:
        lines = archive.read("clmath-0.1.0.dist-info/WHEEL").decode().splitlines()
        built = {name: archive.read(name) for name in archive.namelist() if "/built/" in name}
    assert {line for line in lines if line.startswith("Tag")} == {f"Tag: py3-none-{tag}" for tag in TAGS[name]}
    assert "Root-Is-Purelib: false" in lines
    assert set(built) == {f"{package}/built/{library}" for package in EXPORTS for library in LIBRARIES[name]}
    system, machine = name.split("-")
    linker, needed, loaded = OF_MACOS if system == "macos" else (set(), set(), set())
    for place, data in built.items():
        facts = facts_of(data)
        assert (facts.kind, facts.machine) == (KINDS[system], machine.replace("arm64", "aarch64"))
        assert facts.exported == EXPORTS[place.partition("/built/")[0]] | linker
        assert (facts.needed, facts.libraries) == (needed, loaded)
    if name == "macos-arm64" and not GIVEN:  # of all kernels a second build takes minutes
        assert made(name, tmp_path / "2", tmp_path / "objects", monkeypatch).read_bytes() == path.read_bytes()


@pytest.mark.slow
def test_every_platform_is_known():
    assert set(PLATFORMS) == set(TAGS) == set(LIBRARIES)


@pytest.mark.slow
def test_a_platform_that_cannot_be_built_for_gets_no_wheel(tmp_path, monkeypatch):
    """A wheel without libraries is only for machines that have no compiler."""
    with pytest.raises(KeyError, match="amiga"):
        made("amiga", tmp_path, tmp_path, monkeypatch)
    monkeypatch.setattr(build, "compilers", lambda _platform: [])
    with pytest.raises(build.BuildError, match="no C compiler works"):
        made("macos-arm64", tmp_path, tmp_path, monkeypatch)
