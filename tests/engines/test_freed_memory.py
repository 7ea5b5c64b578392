"""Successive blocks reuse the memory of their temporaries, and the C library still needs the setting for that."""

import platform
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

CHILD = """
import resource, sys
import numpy as np
import clmath
from clmath.engines import numpy, ufuncs

if "without" in sys.argv:
    numpy.keep_freed_memory = ufuncs.keep_freed_memory = lambda lanes: None
x = np.linspace(-2.0, 2.0, 1 << 14, dtype=np.float32)
clmath.sin(x, engine="numpy")
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    clmath.sin(x, engine="numpy")
print((resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before) // 20)
"""


def page_faults(*words):
    """The number of pages that each call of a fresh process requests from the system."""
    child = subprocess.run([sys.executable, "-c", CHILD, *words], capture_output=True, text=True, check=True)
    return int(child.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has such a threshold")
def test_temporaries_are_not_returned_to_the_system():
    assert page_faults() < 10
    assert page_faults("without") > 100
