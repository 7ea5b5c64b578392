"""Compile the host program of offline runs strictly, and run it in a process with a loader and drivers."""

import re
import shutil
import subprocess
import zlib

import pytest

from tests.with_loader import command

# clang in a driver prints its number of warnings (vectors wider than a register), unless its cache has the kernel
OF_A_COMPILER = re.compile(r"^\d+ (?:warning|error)s?(?: and \d+ errors?)? generated\.\n", re.MULTILINE)


@pytest.fixture(scope="session")
def compiled_host(tmp_path_factory):
    """Host program compiled as a library; every folder has the same one."""
    from clmath.cli import main

    folder = tmp_path_factory.mktemp("compiled") / "lab"
    assert main(["inputs", "--functions", "fabs", "--types", "half", "--out", str(folder)]) == 0
    strict = [shutil.which("cc"), "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC"]
    subprocess.run([*strict, "-o", folder / "host.so", folder / "host.c"], check=True)
    return folder / "host.so"


@pytest.fixture(scope="session")
def host(compiled_host):
    """Function that runs the host in a folder and returns exit status, output and errors, without compiler warnings."""

    def call(lab, *words):
        done = subprocess.run(command(compiled_host, *words), cwd=lab, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, OF_A_COMPILER.sub("", done.stderr)

    return call


@pytest.fixture(scope="session")
def with_other_kernels():
    """Function that changes the kernels of a folder, and their checksum in rows.txt."""

    def change(lab, text, other):
        before = (lab / "kernels.cl").read_text()
        after = before.replace(text, other)
        assert after != before
        (lab / "kernels.cl").write_text(after)
        sums = [f"kernels {zlib.crc32(words.encode()):08x}\n" for words in (before, after)]
        (lab / "rows.txt").write_text((lab / "rows.txt").read_text().replace(*sums))

    return change
