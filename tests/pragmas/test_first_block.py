"""The first block of a pragma in a process changes calls whose evaluation is known already."""

from __future__ import annotations

import subprocess
import sys

from tests.cases import for_each

CALLS = {
    "flush_to_zero('float')": "clmath.sin(np.float32(1e-40)) == 0",
    "select_rounding_mode('rtp')": "clmath.add(1.0, 1e-30) > 1",
    "fp_contract('OFF')": "clmath.mad(1 + 2.0**-52, 1 - 2.0**-52, -1.0) == 0",
}


@for_each("block", CALLS)
def test_known_evaluations_are_forgotten(block):
    code = f"""
import clmath, numpy as np
found = lambda: bool({CALLS[block]})
before = [found() for _ in range(3)]
with clmath.{block}:
    inside = [found() for _ in range(3)]
after = [found() for _ in range(3)]
print(before, inside, after)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == f"{[False] * 3} {[True] * 3} {[False] * 3}"
