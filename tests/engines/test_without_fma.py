"""A processor without a fused multiply-add: products by Dekker's splitting, compiled, and the same bits."""

import os
import subprocess
import sys

import pytest

from clmath.engines import choice

CHILD = """
import numpy as np
from clmath.engines import choice
from clmath.engines.numba import llvm
from clmath.kernels import RUNGS

llvm.has_fma = lambda: False
rng = np.random.default_rng(6)
x = rng.integers(0, 2**32, 50_000, dtype=np.uint32).view(np.float32)
y = (rng.standard_normal(50_000) * 9).astype(np.float32)
for rung, dtype in zip(RUNGS.values(), (np.float32, np.float64), strict=True):
    kernel = rung.kernels.get("pow") or rung.kernels["exp"]
    args = [abs(x).astype(dtype), y.astype(dtype)][: 2 if kernel.name == "pow" else 1]
    with np.errstate(all="ignore"):
        plain, fast = (choice.ENGINES[engine].enclosure(kernel, args) for engine in ("numpy", "numba"))
    for one, other in zip(plain, fast):
        assert np.array_equal(one, other, equal_nan=True)
print("the same")
"""


@pytest.mark.skipif(not choice.can_compile(), reason="numba is not installed: pip install 'clmath[fast]'")
def test_the_enclosures_have_the_same_bits(tmp_path):
    environment = os.environ | {"CLMATH_CACHE_DIR": str(tmp_path)}
    child = subprocess.run([sys.executable, "-c", CHILD], env=environment, capture_output=True, text=True, check=False)
    assert child.stdout == "the same\n", child.stderr
