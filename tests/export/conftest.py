"""Exported libraries, and the machine's compiler."""

import ctypes
import re
import shutil

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


class Compiled:
    """The functions of exported libraries, each compiled when it is asked for, fast: a few thousand calls are made.

    ``folder_of`` gives the library that has a function.
    """

    def __init__(self, folder_of, cc):
        self._folder_of, self._cc = folder_of, cc
        self._libraries = {}

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        folder = self._folder_of(name)
        texts = {path: path.read_text(encoding="utf-8") for path in sorted(folder.glob("clmath_*.c"))}
        (source,) = [path for path, text in texts.items() if re.search(rf"^\w.*\b{name}\(", text, re.MULTILINE)]
        if source not in self._libraries:
            made = source.with_suffix(".so")
            words = ["-std=c11", "-O0", "-fPIC", "-shared", "-o", made.name, source.name, "-lm"]
            done = bench.run(*self._cc, *words, cwd=folder)
            assert done.returncode == 0, done.stderr
            self._libraries[source] = ctypes.CDLL(str(made))
        function = getattr(self._libraries[source], name)
        setattr(self, name, function)
        return function


@pytest.fixture(scope="session")
def in_c(exported, cc, request):
    """The exported functions of C, compiled and loaded; in a run that draws rows each built-in is a library."""
    if False:
        return Compiled(lambda name: exported("c"), cc)  # noqa: ARG005
    built_ins = {function.name: function.row.name for function in bench.functions()}
    return Compiled(lambda name: exported("c", built_ins[name.removesuffix("_array").removesuffix("_interval")]), cc)
