"""Tests whose driver crashes, hangs or takes all memory fail by name, and the run continues."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from clmath.engines.native import build
from tests import in_child

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
DRIVER = """
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
void crash(void) { *(volatile int *)0 = 1; }
void hang(void) { for (;;) pause(); }
void allocate(void) { for (;;) { memset(malloc(1 << 24), 1, 1 << 24); usleep(20000); } }
int answer(void) { return 42; }
"""
TESTS = """
import ctypes
import pytest
from tests import in_child

@pytest.fixture(scope="session")
def opencl_device(request):
    in_child.tell_device(request.config, "{device}")
    return ctypes.CDLL("{library}")

def test_before(opencl_device):
    assert opencl_device.answer() == 42

def test_crash(opencl_device):
    opencl_device.crash()

def test_failing(opencl_device):
    assert opencl_device.answer() == 43
"""
OTHERS = """
def test_allocate(opencl_device):
    opencl_device.allocate()

@pytest.mark.timeout(16)
def test_hang(opencl_device):
    opencl_device.hang()

def test_late(opencl_device):
    assert opencl_device.answer() == 42
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Compiled driver with functions that crash, hang or exhaust memory."""
    folder = tmp_path_factory.mktemp("driver")
    (folder / "driver.c").write_text(DRIVER)
    for compiler in sorted(build.compilers(), key=lambda one: one.is_zig):  # Zig is slow the first time, so last
        target = folder / "driver.so"
        command = [*compiler.command, "-shared", "-fPIC", "-o", str(target), "driver.c"]
        if subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0:
            return target
    return pytest.skip("no C compiler")


@pytest.fixture(scope="module")
def printed(library, tmp_path_factory):
    """Output of pytest for tests of two devices; one is PoCL 3.0, which is known to be broken on some processors."""
    folder = tmp_path_factory.mktemp("tests")
    shutil.copy(ROOT / "conftest.py", folder)
    (folder / "test_that_is_last.py").write_text(TESTS.format(device="Made-up 1.0", library=library) + OTHERS)
    (folder / "test_pocl.py").write_text(TESTS.format(device="OpenCL 3.0 PoCL 3.0", library=library))
    command = [sys.executable, "-m", "pytest", "-q", "-rfs", "-p", "no:cacheprovider", "-c", "/dev/null"]
    options = [f"--rootdir={folder}", "--device-memory=600000000", str(folder)]
    environment = os.environ | {"COLUMNS": "300"}
    done = subprocess.run([*command, *options], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    return done.stdout


@pytest.mark.parametrize(
    ("test", "words"),
    [
        ("crash", r"crashed \(signal 11\)"),
        ("allocate", r"took more than 0\.6 GB"),
        ("hang", "took longer than 8 s"),
        ("late", "is not tried, as a test before hung on it"),
    ],
)
def test_lost_test_fails_with_its_name(printed, test, words):
    assert re.search(rf"FAILED \S*test_that_is_last\.py::test_{test} - Made-up 1\.0 {words}", printed)


def test_tests_after_a_lost_one_run(printed):
    assert re.search(r"FAILED \S*test_that_is_last\.py::test_failing - AssertionError: assert 42 == 43", printed)
    assert re.search(r"FAILED \S*test_pocl\.py::test_failing - AssertionError: assert 42 == 43", printed)
    assert "6 failed, 2 passed" in printed or "7 failed, 2 passed" in printed


def test_crash_of_a_driver_known_to_be_broken_is_skipped(printed):
    if not in_child.processor():
        pytest.skip("no driver is known to be broken on this processor")
    assert re.search(r"PoCL 3\.0 crashed \(signal 11\) in \S*test_crash on AMD Zen \d: known, use Debian's", printed)
