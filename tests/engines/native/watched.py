"""Programs of watched code: undefined behaviour of C, and access to memory of others, ends them."""

import subprocess

import pytest

from clmath.engines.native import build
from tests.engines.native.driven import CALLS

WATCHED = ("-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize-recover=all")


class Watching(build.Compiler):
    """A compiler that adds checks, and takes half the time of an optimizing one."""

    def options(self, level):
        return (*super().options(level), "-O0", "-g1", "-Dalways_inline=unused", *WATCHED)


def watching(factory):
    """Return the function of texts, a level and a main file that gives the command of a program of them.

    ``factory`` makes folders: objects in one stay for the next program.
    """
    compiler, objects = _compiler(factory.mktemp("tried")), factory.mktemp("objects")

    def made(texts, level, main=CALLS):
        found = build.compiled(compiler, level, texts | {"main.c": main}, objects)
        linked = factory.mktemp("made")
        build._output([*compiler.command, *WATCHED, *found, "-o", str(linked / "program")], objects)
        return [str(linked / "program")]

    return made


def _compiler(folder):
    """Return a compiler of the machine that can link the checks."""
    (folder / "main.c").write_text("int main(void) { return 0; }")
    for using in build.compilers():
        command = [*using.command, *WATCHED, "main.c", "-o", "main"]
        if not using.is_zig and subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0:
            return Watching(using.command)
    return pytest.skip("no compiler has sanitizers")
