"""A program of somebody who tests numeric code, with the types that mypy and pyright must find in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, assert_type

import numpy as np
from numpy.typing import NDArray

import clmath
from clmath.spec.limits import Limit
from clmath.testing import assert_conforms, assert_correctly_rounded, assert_ulp, conformance_test, ulp_error

if TYPE_CHECKING:
    from clmath.testing.fixtures import Conformance, UlpRecorder
    from clmath.typing import Edition, Rounding

X: NDArray[np.float32] = np.linspace(0, 1, 4, dtype=np.float32)
MODE: Rounding = "rtz"
EDITION: Edition = "opencl-c++-1.0"

assert_type(clmath.engines(), dict[str, str])
assert_type(clmath.ulp_error(np.sin(X), "sin", (X,)), NDArray[np.float64])
assert_type(ulp_error(np.float16(0.333), 1 / 3), NDArray[np.float64])
assert_type(clmath.limit("sin", "float"), Limit)
assert_type(clmath.limit("sin", np.float16, profile="embedded", edition=EDITION).text, str)

assert_conforms(np.sin(X), "sin", (X,), edition=EDITION, profile="relaxed", rounding=MODE, flushes=True)
assert_correctly_rounded(np.sqrt(X), "sqrt", (X,), rounding="rte")
assert_ulp(np.sin(X), "sin", (X,), limit=4)
assert_ulp(np.float16(0.333), 1 / 3, limit=1.5)


def my_sqrt(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """Square root, by NumPy."""
    return np.sqrt(x)


test_my_sqrt = conformance_test(my_sqrt, "sqrt", types=["float"], modes=None, correctly_rounded=True)
assert_type(test_my_sqrt, Callable[[], None])


def test_errors(ulp: UlpRecorder, conformance: Conformance) -> None:
    """Two of the fixtures."""
    assert_type(ulp(np.sin(X), "sin", (X,), limit=4), NDArray[np.float64])
    assert_type(conformance.name, str)
    conformance(np.sqrt)


def wrong_calls() -> None:
    """What must not pass."""
    assert_ulp(np.sin(X), "sin", (X,))  # type: ignore[call-arg]
    clmath.limit("sin", "float", profile="fast")  # type: ignore[arg-type]
    conformance_test(my_sqrt, "sqrt", modes=["up"])  # type: ignore[list-item]
