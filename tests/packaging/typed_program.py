"""A program of somebody who tests numeric code, with the types that mypy and pyright must find in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, assert_type

import numpy as np
from numpy.typing import NDArray

import clmath
from clmath.spec.limits import Limit
from clmath.testing import (
    assert_conforms,
    assert_correctly_rounded,
    assert_ulp,
    conformance_test,
    strategies,
    ulp_error,
)

if TYPE_CHECKING:
    from clmath import Edition, Format, Profile, Rounding
    from clmath.testing.fixtures import Conformance, UlpRecorder

X: NDArray[np.float32] = np.linspace(0, 1, 4, dtype=np.float32)
MODE: Rounding = "rtz"
EDITION: Edition = "opencl-c++-1.0"
FOLDER: Edition = Path("mine")
FORMAT: Format = "half"
PROFILE: Profile = "embedded"

assert_type(clmath.engines(), dict[str, str])
assert_type(clmath.ulp_error(np.sin(X), "sin", (X,)), NDArray[np.float64])
assert_type(ulp_error(np.float16(0.333), 1 / 3), NDArray[np.float64])
assert_type(clmath.limit("sin", "float"), Limit)
assert_type(clmath.limit("sin", np.float16, profile="embedded", edition=EDITION).text, str)

assert_type(clmath.limit("sin", FORMAT, profile=PROFILE).source, str)
assert_conforms(np.sin(X), "sin", (X,), limit=4, edition=FOLDER, vector=True)
assert_conforms(np.sin(X), "sin", (X,), edition=EDITION, profile="relaxed", rounding=MODE, flushes=True)
assert_correctly_rounded(np.sqrt(X), "sqrt", (X,), rounding="rte")
assert_ulp(np.sin(X), "sin", (X,), limit=4)
assert_ulp(np.float16(0.333), 1 / 3, limit=1.5)


def my_sqrt(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """Square root, by NumPy."""
    return np.sqrt(x)


test_my_sqrt = conformance_test(my_sqrt, "sqrt", types=["float"], modes=None, correctly_rounded=True)
assert_type(test_my_sqrt, Callable[[], None])
conformance_test(my_sqrt, "sqrt", types=["float4", "half", np.float64, np.dtype(np.float32)], limit=0.5)
strategies.numbers(np.float32, min_value=0, exclude_min=True)
strategies.arguments("vstore_half_rtz", "double", shape=3, allow_nan=False)


def test_errors(ulp: UlpRecorder, conformance: Conformance) -> None:
    """Two of the fixtures."""
    assert_type(ulp(np.sin(X), "sin", (X,), limit=4), NDArray[np.float64])
    assert_type(conformance.name, str)
    conformance(np.sqrt)


def wrong_calls() -> None:
    """Calls that must not pass."""
    assert_ulp(np.sin(X), "sin", (X,))  # type: ignore[call-arg]
    clmath.limit("sin", "float", profile="fast")  # type: ignore[arg-type]
    conformance_test(my_sqrt, "sqrt", modes=["up"])  # type: ignore[list-item]
    conformance_test(my_sqrt, "sqrt", modes="rtz")  # type: ignore[arg-type]
    conformance_test(my_sqrt, "sqrt", types="float")  # type: ignore[arg-type]
    conformance_test(my_sqrt, "sqrt", types=["flaot"])  # type: ignore[list-item]
    conformance_test(my_sqrt, "sqrt", types=["float5"])  # type: ignore[list-item]
    conformance_test(my_sqrt, "sqrt", types=[float])  # type: ignore[list-item]
    conformance_test(my_sqrt, "sqrt", edition="opencl-c")  # type: ignore[arg-type]
    conformance_test(my_sqrt, "sqrt", limit="1")  # type: ignore[arg-type]
    clmath.limit("sin", "flaot")  # type: ignore[arg-type]
    clmath.limit("sin", "int")  # type: ignore[arg-type]
    clmath.limit("sin", "float", edition="opencl-c")  # type: ignore[arg-type]
    assert_conforms(X, "sin", (X,), edition="opencl-c")  # type: ignore[arg-type]
    assert_conforms(X, "sin", (X,), profile="fast")  # type: ignore[arg-type]
    assert_conforms(X, "sin", (X,), rounding="up")  # type: ignore[arg-type]
    assert_correctly_rounded(X, "sqrt", (X,), rounding="RTZ")  # type: ignore[arg-type]
    strategies.floats(min=0)  # type: ignore[call-arg]
    strategies.floats(allow_nan="no")  # type: ignore[arg-type]
    strategies.numbers("flaot")  # type: ignore[arg-type]
    strategies.arrays("flaot", 3)  # type: ignore[arg-type]
    strategies.vectors("flaot", 4)  # type: ignore[arg-type]
    strategies.integers("flaot")  # type: ignore[arg-type]
    strategies.conversions("float", "flaot")  # type: ignore[arg-type]
    strategies.arguments("sin", "flaot")  # type: ignore[arg-type]
    strategies.hard("sin", "flaot")  # type: ignore[arg-type]
    strategies.near_boundary("sin", "flaot")  # type: ignore[arg-type]
