"""Functions that refine results take no rounded root for an exact one."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.kernels import PHASES


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_roots_of_numbers_next_to_squares_are_not_exact(sign):
    """That of n^2 -+ 1 is rounded to n where n is beyond 2^26; a proof has found that it was taken for n."""
    n = np.array([2.0**26 + 2.0, 2.0**26 + 123456.0, 90000000.0])
    args = n * n + sign, np.full(3, 0.5)
    kernel = PHASES["accurate"].kernels["pow"]
    with np.errstate(over="ignore"):
        parts = kernel.function(*args)
        refined = kernel.refined(args, parts)
    assert (parts[2] > 0.0).all()
    assert np.array_equal(refined[2], parts[2])
