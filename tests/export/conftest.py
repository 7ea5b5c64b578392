"""Fixtures: exported libraries, and the machine's C compiler."""

import ctypes
import shutil

import pytest

from clmath.cli import main
from tests.export import bench


@pytest.fixture(scope="session")
def cc():
    """C compiler: the machine's cc, as in the README, or else one of the environment."""
    found = shutil.which("cc")
    command = (found,) if found else next(iter(bench.compilers()), None)
    return command or pytest.skip("no C compiler is installed: pip install ziglang")


@pytest.fixture(scope="session")
def exported(tmp_path_factory):
    """Function that exports a library of built-ins in a language, once, and returns its folder."""
    known = {}

    def folder(language, names=bench.NAMES, types=bench.TYPES):
        key = language, names, types
        if key not in known:
            known[key] = tmp_path_factory.mktemp("exported") / "library"
            words = ["export", names, "--types", types, "--language", language, "--out", str(known[key])]
            assert main(words) == 0
        return known[key]

    return folder


class Compiled:
    """Functions of exported libraries, one library for each built-in, compiled on first use, without optimisation.

    Inlining is disabled, since it would take most of the compiler's time.
    """

    def __init__(self, exported, cc):
        self._exported, self._cc = exported, cc
        self._built_ins = {function.name: function.row.name for function in bench.functions()}
        self._libraries = {}

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        built_in = self._built_ins[name.removesuffix("_array").removesuffix("_interval")]
        if built_in not in self._libraries:
            folder = self._exported("c", built_in)
            words = [
                "-std=c11",
                "-O0",
                "-Dalways_inline=unused",
                "-fPIC",
                "-shared",
                "-o",
                "one.so",
                f"clmath_{built_in}.c",
                "-lm",
            ]
            done = bench.run(*self._cc, *words, cwd=folder)
            assert done.returncode == 0, done.stderr
            self._libraries[built_in] = ctypes.CDLL(str(folder / "one.so"))
        return getattr(self._libraries[built_in], name)


@pytest.fixture(scope="session")
def in_c(exported, cc):
    """Exported functions in C, compiled and loaded."""
    return Compiled(exported, cc)
