"""The host that goes to a lab, compiled as strictly as can be, in a process that has a loader and drivers."""

import re
import shutil
import subprocess
import zlib

import pytest

from tests.with_loader import command

# clang in a driver counts its warnings there (of vectors wider than a register), unless its cache has the kernel
OF_A_COMPILER = re.compile(r"^\d+ (?:warning|error)s?(?: and \d+ errors?)? generated\.\n", re.MULTILINE)


@pytest.fixture(scope="session")
def compiled_host(tmp_path_factory):
    """The host as a library, from a folder of its own: it is the same for all."""
    from clmath.cli import main

    folder = tmp_path_factory.mktemp("compiled") / "lab"
    assert main(["inputs", "--functions", "fabs", "--types", "half", "--out", str(folder)]) == 0
    strict = [shutil.which("cc"), "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC"]
    subprocess.run([*strict, "-o", folder / "host.so", folder / "host.c"], check=True)
    return folder / "host.so"


@pytest.fixture(scope="session")
def host(compiled_host):
    """Runs the host in a folder: its exit status, and what it wrote, without what a device's compiler writes."""

    def call(lab, *words):
        done = subprocess.run(command(compiled_host, *words), cwd=lab, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, OF_A_COMPILER.sub("", done.stderr)

    return call


@pytest.fixture(scope="session")
def with_other_kernels():
    """Changes the kernels of a folder, and what rows.txt says of them."""

    def change(lab, text, other):
        before = (lab / "kernels.cl").read_text()
        after = before.replace(text, other)
        assert after != before
        (lab / "kernels.cl").write_text(after)
        sums = [f"kernels {zlib.crc32(words.encode()):08x}\n" for words in (before, after)]
        (lab / "rows.txt").write_text((lab / "rows.txt").read_text().replace(*sums))

    return change
