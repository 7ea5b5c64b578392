"""Exported libraries, and the machine's compiler."""

import ctypes
import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest

from clmath.cli import main
from tests.export import bench


@pytest.fixture(scope="session")
def cc():
    """The machine's C compiler, as the README calls it, else one of the environment."""
    found = shutil.which("cc")
    command = (found,) if found else next(iter(bench.compilers()), None)
    return command or pytest.skip("no C compiler is installed: pip install ziglang")


@pytest.fixture(scope="session")
def exported(tmp_path_factory):
    """The folder of a library of built-ins in a language, exported once."""
    known = {}

    def folder(language, names=bench.NAMES, types=bench.TYPES):
        key = language, names, types
        if key not in known:
            known[key] = tmp_path_factory.mktemp("exported") / "library"
            words = ["export", names, "--types", types, "--language", language, "--out", str(known[key])]
            assert main(words) == 0
        return known[key]

    return folder


@pytest.fixture(scope="session")
def in_c(exported, cc):
    """The exported functions of C, compiled and loaded."""
    folder = exported("c")
    options = ["-std=c11", "-O0", "-fPIC", "-c"]  # compiled fast: a few thousand calls are made
    sources = sorted(path.name for path in folder.glob("clmath_*.c"))
    with ThreadPoolExecutor(2) as pool:
        made = list(pool.map(lambda source: bench.run(*cc, *options, source, cwd=folder), sources))
    assert not any(done.returncode for done in made), made
    objects = [source.replace(".c", ".o") for source in sources]
    done = bench.run(*cc, "-shared", "-o", "all.so", *objects, "-lm", cwd=folder)
    assert done.returncode == 0, done.stderr
    return ctypes.CDLL(str(folder / "all.so"))
