"""The checker has no arithmetic in common with the prover."""

from __future__ import annotations

import subprocess
import sys

WITHOUT = (
    "import sys; sys.modules |= {'flint': None, 'proofs.engine': None, 'gmpy2': None}; import proofs.check.kernels"
)


def test_the_checker_does_without_the_prover_and_its_libraries():
    subprocess.run([sys.executable, "-c", WITHOUT], check=True)
