"""The host that goes to a lab, compiled as strictly as can be, in a process that has a loader and drivers."""

import re
import shutil
import subprocess
import sys
import zlib

import pytest

# There may be no loader and no drivers but those which pyopencl brings.
RUN = """
import ctypes, os, sys
from clmath.audit.opencl import devices as opencl_devices
opencl_devices.platforms()
ctypes.CDLL(opencl_devices.pyopencl()._cl.__file__, ctypes.RTLD_GLOBAL)
words = [b"host", *map(os.fsencode, sys.argv[2:])]
status = ctypes.CDLL(sys.argv[1]).main(len(words), (ctypes.c_char_p * (len(words) + 1))(*words))
ctypes.CDLL(None).fflush(None)
os._exit(status)
"""
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
        command = [sys.executable, "-c", RUN, compiled_host, *words]
        done = subprocess.run(command, cwd=lab, capture_output=True, text=True, check=False)
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
